//! The internals of a running call: the channel to its client, the request's id and parts, and the state
//! shared by handlers. [`Ctx`](crate::Ctx) wraps it, so nothing here depends on the SDK.

pub(crate) mod http_parts;
pub(crate) mod line;
pub(crate) mod questions;
pub(crate) mod recorder;
pub(crate) mod request_id;
pub(crate) mod round;
pub(crate) mod states;
