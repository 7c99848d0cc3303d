//! Allows one reply of a model at a time in each thread of this process: two concurrent ones would both
//! handle the same calls.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{Mutex as Lock, OwnedMutexGuard};

#[derive(Debug, Default)]
pub(crate) struct ThreadLocks(Mutex<HashMap<String, Arc<Lock<()>>>>);

impl ThreadLocks {
    /// Waits for exclusive access to the thread.
    pub(crate) async fn take(&self, thread: String) -> OwnedMutexGuard<()> {
        let lock = {
            let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            // There are as many locks as running replies.
            all.retain(|_, lock| Arc::strong_count(lock) > 1);
            Arc::clone(all.entry(thread).or_default())
        };
        lock.lock_owned().await
    }
}
