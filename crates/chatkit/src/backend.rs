//! What answers need: where threads are kept, and who answers.

use std::sync::Arc;

use bytes::Bytes;
use tokio::sync::mpsc;

use crate::fault::Fault;
use crate::limits::AttachmentLimits;
use crate::protocol::{Item, ThreadMetadata};
use crate::responder::Responder;
use crate::store::Storage;
use crate::turn::Person;

pub(crate) struct Backend {
    pub storage: Arc<dyn Storage>,
    pub responder: Arc<dyn Responder>,
    pub limits: AttachmentLimits,
}

/// The answer to a request.
#[derive(Debug)]
pub enum Answer {
    /// One JSON document.
    Json(String),
    /// Server-sent events.
    Events(mpsc::Receiver<Bytes>),
}

impl Backend {
    pub(crate) async fn thread(&self, person: &Person, id: &str) -> Result<ThreadMetadata, Fault> {
        self.storage.thread(&person.owner, id).await.map_err(Fault::of(id))
    }

    pub(crate) async fn item(
        &self,
        person: &Person,
        thread: &str,
        id: &str,
    ) -> Result<Item, Fault> {
        self.storage.item(&person.owner, thread, id).await.map_err(Fault::of(id))
    }
}
