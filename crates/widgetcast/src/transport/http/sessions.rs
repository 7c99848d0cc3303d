//! Session state in this process: cancellable calls, and log levels. All other session state is in the
//! session id.
//!
//! Both are optional. A client whose next message reaches another process can cancel its call by closing the
//! connection, and gets no log messages.

use std::collections::HashMap;
use std::hash::Hasher as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use siphasher::sip128::{Hasher128 as _, SipHasher24};
use tokio_util::sync::CancellationToken;

use crate::sdk::log_level::LogLevel;

/// Maximum sessions whose log levels are kept; then all are discarded.
const MAX_LEVELS: usize = 10_000;
/// Maximum cancellable calls; further ones cannot be cancelled.
const MAX_CALLS: usize = 10_000;

/// A hash of a session id, which is unforgeable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct SessionKey(u128);

impl SessionKey {
    pub(super) fn of(id: &str) -> Self {
        let mut hasher = SipHasher24::new();
        hasher.write(id.as_bytes());
        Self(hasher.finish128().as_u128())
    }

    /// A prefix of it, which identifies the session in traces.
    pub(super) fn short(self) -> u64 {
        self.0 as u64
    }
}

type CallKey = (SessionKey, String);

/// Cheap to clone.
#[derive(Clone, Default)]
pub(super) struct Sessions(Arc<Tables>);

#[derive(Default)]
struct Tables {
    calls: Mutex<HashMap<CallKey, CancellationToken>>,
    levels: Mutex<HashMap<SessionKey, LogLevel>>,
    /// Whether any session has set a level; almost none does.
    has_levels: AtomicBool,
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Sessions {
    /// The number of cancellable calls, and of sessions with a level.
    pub(super) fn counts(&self) -> (usize, usize) {
        (lock(&self.0.calls).len(), lock(&self.0.levels).len())
    }

    /// The log level of a session.
    pub(super) fn level(&self, id: &str) -> Option<LogLevel> {
        if !self.0.has_levels.load(Ordering::Relaxed) {
            return None;
        }
        lock(&self.0.levels).get(&SessionKey::of(id)).copied()
    }

    pub(super) fn set_level(&self, id: &str, level: LogLevel) {
        let (mut levels, key) = (lock(&self.0.levels), SessionKey::of(id));
        if levels.len() >= MAX_LEVELS && !levels.contains_key(&key) {
            levels.clear();
        }
        levels.insert(key, level);
        self.0.has_levels.store(true, Ordering::Relaxed);
    }

    /// Registers a call until the guard is dropped. `request` is the id of the request as JSON text.
    pub(super) fn begin(&self, session: SessionKey, request: &str) -> Cancellable {
        let (key, cancel) = ((session, request.to_owned()), CancellationToken::new());
        let mut calls = lock(&self.0.calls);
        // A duplicate id makes both calls uncancellable.
        let key = (calls.len() < MAX_CALLS && !calls.contains_key(&key)).then_some(key);
        if let Some(key) = &key {
            calls.insert(key.clone(), cancel.clone());
        }
        Cancellable { sessions: self.clone(), key, cancel }
    }

    /// Cancels a call, if it is running in this process.
    pub(super) fn cancel(&self, session: SessionKey, request: &str) {
        if let Some(call) = lock(&self.0.calls).get(&(session, request.to_owned())) {
            call.cancel();
        }
    }
}

/// A call that its client can cancel.
pub(super) struct Cancellable {
    sessions: Sessions,
    key: Option<CallKey>,
    cancel: CancellationToken,
}

impl Cancellable {
    pub(super) async fn cancelled(&self) {
        self.cancel.cancelled().await;
    }
}

impl Drop for Cancellable {
    fn drop(&mut self) {
        if let Some(key) = &self.key {
            lock(&self.sessions.0.calls).remove(key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_cancelled_by_its_own_session() {
        let sessions = Sessions::default();
        let (mine, other) = (SessionKey::of("mine"), SessionKey::of("other"));
        let call = sessions.begin(mine, "1");
        sessions.cancel(other, "1");
        sessions.cancel(mine, "\"1\"");
        assert!(!call.cancel.is_cancelled());
        let again = sessions.begin(mine, "1");
        sessions.cancel(mine, "1");
        assert!(call.cancel.is_cancelled() && !again.cancel.is_cancelled());
        drop((call, again));
        assert!(lock(&sessions.0.calls).is_empty());
    }

    #[test]
    fn levels_are_bounded() {
        let sessions = Sessions::default();
        assert_eq!(sessions.level("0"), None);
        for id in 0..=MAX_LEVELS {
            sessions.set_level(&id.to_string(), LogLevel::Info);
        }
        assert!(lock(&sessions.0.levels).len() <= MAX_LEVELS);
        assert_eq!(sessions.level(&MAX_LEVELS.to_string()), Some(LogLevel::Info));
    }
}
