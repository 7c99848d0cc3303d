//! Tools and the agent loop, against servers of our own.

#![allow(clippy::unwrap_used, unreachable_pub)]

mod toolbox;
