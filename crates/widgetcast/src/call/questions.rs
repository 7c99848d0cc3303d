//! Pending requests to clients, in the revisions that allow servers to send them.
//!
//! A response is a separate message, over HTTP even in a separate request. It is matched only by its id,
//! which must therefore be unguessable.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use tokio::sync::oneshot;

/// Maximum concurrent requests to all clients.
const MAX_OPEN: usize = 4096;

/// The result of a client's response, or its error message.
pub(crate) type Response = Result<Value, String>;

type Table = HashMap<String, oneshot::Sender<Response>>;

/// All pending requests.
#[derive(Debug, Default)]
pub(crate) struct Questions(Mutex<Table>);

impl Questions {
    fn table(&self) -> MutexGuard<'_, Table> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A new request; `None` if too many are pending.
    pub(super) fn open(self: &Arc<Self>) -> Option<OpenQuestion> {
        let mut table = self.table();
        if table.len() >= MAX_OPEN {
            return None;
        }
        let id = format!("{:032x}", rand::random::<u128>());
        let (send, response) = oneshot::channel();
        table.insert(id.clone(), send);
        Some(OpenQuestion { id, response, table: Arc::clone(self) })
    }

    /// Delivers a response, and returns whether its request was pending.
    pub(crate) fn answer(&self, id: &str, response: Response) -> bool {
        let waiting = self.table().remove(id);
        waiting.is_some_and(|waiting| waiting.send(response).is_ok())
    }
}

/// A request that is pending until this is dropped.
pub(super) struct OpenQuestion {
    pub(super) id: String,
    pub(super) response: oneshot::Receiver<Response>,
    table: Arc<Questions>,
}

impl Drop for OpenQuestion {
    fn drop(&mut self) {
        self.table.table().remove(&self.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_than_so_many_wait() {
        let questions = Arc::new(Questions::default());
        let mut open: Vec<_> = std::iter::from_fn(|| questions.open()).collect();
        assert_eq!(open.len(), MAX_OPEN);
        let id = open[0].id.clone();
        assert!(questions.answer(&id, Ok(Value::Null)));
        assert!(!questions.answer(&id, Ok(Value::Null)), "it was answered");
        assert!(!questions.answer("made up", Ok(Value::Null)));
        open.truncate(1);
        assert!(questions.open().is_some());
        drop(open);
        assert!(questions.table().is_empty());
    }
}
