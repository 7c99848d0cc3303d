//! Tools and the agent loop, against servers and model endpoints of our own.

#![allow(clippy::unwrap_used, unreachable_pub)]

mod approval;
mod conversation;
mod endpoint;
mod failures;
mod toolbox;
