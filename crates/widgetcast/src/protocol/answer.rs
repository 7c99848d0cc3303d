//! What a request gets.

use super::request::Body;
use super::running::Running;
use super::subscription::Subscription;

/// An answer. What needs no waiting is computed at once, so that transports need neither a task nor a
/// channel for it.
pub(crate) enum Answer {
    Now(Body),
    Later(Running),
    /// Notifications until the client or the server ends it.
    Stream(Subscription),
}

impl Answer {
    /// An answer that takes time and sends nothing meanwhile.
    pub(super) fn later(body: impl Future<Output = Body> + Send + 'static) -> Self {
        Self::Later(Running::new(None, body))
    }
}

impl From<Body> for Answer {
    fn from(body: Body) -> Self {
        Self::Now(body)
    }
}
