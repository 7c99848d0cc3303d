//! The response to a request: immediate, deferred or a stream.

use super::request::Body;
use super::running::Running;
use super::subscription::Subscription;

/// A response. If it needs no waiting, it is computed immediately, so that transports need neither a task nor
/// a channel.
pub(crate) enum Answer {
    Now(Body),
    Later(Running),
    /// Notifications until the client or the server ends them.
    Stream(Subscription),
}

impl Answer {
    /// A deferred response without other messages.
    pub(super) fn later(body: impl Future<Output = Body> + Send + 'static) -> Self {
        Self::Later(Running::new(None, body))
    }
}

impl From<Body> for Answer {
    fn from(body: Body) -> Self {
        Self::Now(body)
    }
}
