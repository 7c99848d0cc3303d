//! The context of requests: the storage and the responder.

use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use tokio::sync::mpsc;
use widgetcast::Workers;

use crate::error::RequestError;
use crate::id;
use crate::limits::AttachmentLimits;
use crate::protocol::{Item, ThreadMetadata};
use crate::responder::Responder;
use crate::running::Running;
use crate::store::{RetentionLimits, Storage, StorageError, StoredItem};
use crate::turn::{Sink, Turn, User};

/// The interval of checks for expired data.
const SWEEP_EVERY: Duration = Duration::from_secs(600);

#[derive(Clone)]
pub(crate) struct Backend {
    pub storage: Arc<dyn Storage>,
    pub responder: Arc<dyn Responder>,
    /// Read and write whatever may be large.
    pub workers: Arc<Workers>,
    pub limits: AttachmentLimits,
    pub keep: RetentionLimits,
    pub running: Running,
    pub searching: Running,
    /// The time of the last check for expired data.
    pub swept: Arc<Mutex<Option<Instant>>>,
}

/// The response to a request.
#[derive(Debug)]
pub enum ChatResponse {
    /// One JSON document.
    Json(String),
    /// Server-sent events.
    Events(mpsc::Receiver<Bytes>),
}

impl Backend {
    /// Deletes expired data in a separate task, if the last check is old enough.
    pub(crate) fn sweep(&self) {
        let mut swept = self.swept.lock().unwrap_or_else(PoisonError::into_inner);
        if swept.is_some_and(|swept| swept.elapsed() < SWEEP_EVERY) {
            return;
        }
        *swept = Some(Instant::now());
        let (storage, keep) = (Arc::clone(&self.storage), self.keep.clone());
        tokio::spawn(async move {
            match storage.expire(&keep).await {
                Ok(deleted) => tracing::debug!(?deleted, "deleted expired threads"),
                Err(failure) => tracing::warn!("cannot delete expired threads: {failure}"),
            }
        });
    }

    /// Identifies the IP address of an anonymous user without storing it; empty if addresses do not
    /// distinguish users.
    pub(crate) fn place(&self, user: &User) -> String {
        let address: Result<IpAddr, _> = user.peer.to_string().parse();
        match address {
            Ok(address) if user.owner.is_anonymous() && !address.is_loopback() => {
                id::signature(&self.storage.key(), &address.to_string())
            }
            _ => String::new(),
        }
    }

    pub(crate) async fn thread(
        &self,
        user: &User,
        id: &str,
    ) -> Result<ThreadMetadata, RequestError> {
        self.storage.thread(&user.owner, id).await.map_err(RequestError::of(id))
    }

    /// A reply in a thread.
    pub(crate) fn turn(&self, user: &User, thread: ThreadMetadata, sink: Sink) -> Turn {
        let (storage, workers) = (Arc::clone(&self.storage), Arc::clone(&self.workers));
        Turn::new(storage, workers, user.clone(), thread, sink)
    }

    /// The items, to be stored.
    pub(crate) async fn stored(&self, items: Vec<Item>) -> Result<Vec<StoredItem>, StorageError> {
        StoredItem::write_all(items, &self.workers).await
    }

    pub(crate) async fn item(
        &self,
        user: &User,
        thread: &str,
        id: &str,
    ) -> Result<Item, RequestError> {
        let text =
            self.storage.item(&user.owner, thread, id).await.map_err(RequestError::of(id))?;
        text.read(&self.workers).await.map_err(RequestError::of(id))
    }
}
