//! The files of a conversation for a model: images as images, text files as text, and of all others the name.
//! The newest come first, up to limits, because a conversation is sent again with each message.

use std::collections::HashMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use widgetcast::Budgeted;

use crate::error::TurnError;
use crate::protocol::{Attachment, Item, ItemKind};
use crate::store::StorageError;
use crate::turn::Turn;

/// Maximum bytes of all images, and of all texts.
const MAX_IMAGES: usize = 8 << 20;
const MAX_TEXTS: usize = 256 << 10;

/// What the model gets of one file.
pub(crate) enum Given {
    /// The image as a `data:` URL.
    Image(String),
    Text(String),
}

/// What the model gets of the files of these items, by their ids.
pub(crate) async fn given(
    turn: &Turn,
    items: &[Item],
) -> Result<HashMap<String, Given>, TurnError> {
    let (mut all, mut images, mut texts) = (HashMap::new(), MAX_IMAGES, MAX_TEXTS);
    for attachment in items.iter().rev().flat_map(files) {
        let room = match kind(&attachment.mime_type) {
            Kind::Image => &mut images,
            Kind::Text => &mut texts,
            Kind::Other => continue,
        };
        let Some(bytes) = read(turn, &attachment.id, *room).await? else { continue };
        let size = bytes.len();
        *room -= size;
        let mime_type = attachment.mime_type.clone();
        let write = move |budgeted| given_of(&mime_type, &bytes, budgeted);
        let given = turn.workers().finish(size, write).await;
        let given = given.ok_or(TurnError::Stream { allow_retry: false })?;
        all.insert(attachment.id.clone(), given);
    }
    Ok(all)
}

fn given_of(mime_type: &str, bytes: &[u8], _: Budgeted) -> Given {
    match kind(mime_type) {
        Kind::Image => {
            let data = STANDARD.encode(bytes);
            Given::Image(format!("data:{};base64,{data}", essence(mime_type)))
        }
        _ => Given::Text(String::from_utf8_lossy(bytes).into_owned()),
    }
}

fn files(item: &Item) -> &[Attachment] {
    match &item.kind {
        ItemKind::UserMessage { attachments, .. } => attachments,
        _ => &[],
    }
}

enum Kind {
    Image,
    Text,
    Other,
}

fn essence(mime_type: &str) -> String {
    mime_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

fn kind(mime_type: &str) -> Kind {
    match &*essence(mime_type) {
        "image/png" | "image/jpeg" | "image/gif" | "image/webp" => Kind::Image,
        "application/json" => Kind::Text,
        text if text.starts_with("text/") => Kind::Text,
        _ => Kind::Other,
    }
}

/// The bytes of a file, if it is uploaded and within this size.
async fn read(turn: &Turn, id: &str, most: usize) -> Result<Option<Vec<u8>>, TurnError> {
    let (storage, owner) = (turn.storage(), &turn.user().owner);
    let found = match storage.attachment(owner, id).await {
        Ok((found, true)) if found.size <= most => storage.blob(owner, id).await,
        Ok(_) | Err(StorageError::NotFound) => return Ok(None),
        Err(failure) => return Err(failure.into()),
    };
    match found {
        Ok(blob) => Ok(Some(blob.bytes)),
        Err(StorageError::NotFound) => Ok(None),
        Err(failure) => Err(failure.into()),
    }
}
