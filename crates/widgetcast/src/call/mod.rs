//! What a running call has that handlers do not see: the way to its client, its request's id and parts,
//! and what the app's handlers share. [`Ctx`](crate::Ctx) is made of it, so nothing here knows the SDK.

pub(crate) mod http_parts;
pub(crate) mod line;
pub(crate) mod questions;
pub(crate) mod recorder;
pub(crate) mod request_id;
pub(crate) mod round;
pub(crate) mod states;
