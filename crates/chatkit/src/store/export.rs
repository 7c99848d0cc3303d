//! Everything that belongs to an owner, as one JSON document.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::failure::StorageError;
use super::statement::{Column, Engine, Statement, parse};
use crate::owner::Owner;

const THREADS: &str = "SELECT id, data FROM chatkit_threads WHERE owner = $1 ORDER BY position, id";
const ITEMS: &str = "\
SELECT data FROM chatkit_items WHERE thread = $1 AND owner = $2 ORDER BY position, id";
const FEEDBACK: &str = "\
SELECT item, kind FROM chatkit_feedback WHERE thread = $1 AND owner = $2 ORDER BY item";
const ATTACHMENTS: &str =
    "SELECT data, bytes FROM chatkit_attachments WHERE owner = $1 ORDER BY id";

pub(super) async fn export(engine: &impl Engine, owner: &Owner) -> Result<Value, StorageError> {
    let key = || owner.key().into();
    let mut threads = Vec::new();
    let query = Statement::new(THREADS, [key()]);
    for mut row in engine.read(query, &[Column::Text, Column::Text]).await? {
        let (id, mut thread): (String, Value) = (row.text(), parse(&row.text())?);
        let of_thread = |sql| Statement::new(sql, [id.as_str().into(), key()]);
        let items = engine.read(of_thread(ITEMS), &[Column::Text]).await?;
        let items: Result<Vec<Value>, _> =
            items.into_iter().map(|mut row| parse(&row.text())).collect();
        let feedback = engine.read(of_thread(FEEDBACK), &[Column::Text, Column::Text]).await?;
        let feedback = feedback
            .into_iter()
            .map(|mut row| json!({ "item_id": row.text(), "kind": row.text() }));
        thread["items"] = items?.into();
        thread["feedback"] = feedback.collect();
        threads.push(thread);
    }
    let mut attachments = Vec::new();
    let query = Statement::new(ATTACHMENTS, [key()]);
    for mut row in engine.read(query, &[Column::Text, Column::Bytes]).await? {
        let mut attachment: Value = parse(&row.text())?;
        attachment["base64"] = STANDARD.encode(row.bytes()).into();
        attachments.push(attachment);
    }
    Ok(json!({ "subject": owner.subject(), "threads": threads, "attachments": attachments }))
}
