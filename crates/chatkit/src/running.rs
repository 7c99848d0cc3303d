//! Running work in this process: replies by thread, which a retry stops first, and searches by user, where a
//! new search stops the previous one.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use widgetcast_agent::CancellationToken;

#[derive(Clone, Debug, Default)]
pub(crate) struct Running(Arc<Mutex<HashMap<String, Vec<Tokens>>>>);

/// Stops a reply, and signals its end.
#[derive(Clone, Debug, Default)]
struct Tokens {
    stop: CancellationToken,
    ended: CancellationToken,
}

/// A running reply, until this is dropped.
#[derive(Debug)]
pub(crate) struct Run {
    running: Running,
    thread: String,
    tokens: Tokens,
}

impl Running {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Vec<Tokens>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn begin(&self, thread: &str) -> Run {
        let tokens = Tokens::default();
        self.lock().entry(thread.to_owned()).or_default().push(tokens.clone());
        Run { running: self.clone(), thread: thread.to_owned(), tokens }
    }

    /// The same, but stops the previous one.
    pub(crate) fn begin_alone(&self, key: &str) -> Run {
        for before in self.lock().get(key).into_iter().flatten() {
            before.stop.cancel();
        }
        self.begin(key)
    }

    /// Stops the replies of a thread, and waits until their partial output is stored.
    pub(crate) async fn stop(&self, thread: &str) {
        let all = self.lock().get(thread).cloned().unwrap_or_default();
        for tokens in &all {
            tokens.stop.cancel();
        }
        for tokens in &all {
            tokens.ended.cancelled().await;
        }
    }
}

impl Run {
    /// Completes when it is stopped.
    pub(crate) async fn stopped(&self) {
        self.tokens.stop.cancelled().await;
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        let mut all = self.running.lock();
        self.tokens.ended.cancel();
        if let Some(of_thread) = all.get_mut(&self.thread) {
            of_thread.retain(|tokens| !tokens.ended.is_cancelled());
            if of_thread.is_empty() {
                all.remove(&self.thread);
            }
        }
    }
}
