//! Tests of tools and the agent loop, against local servers and model endpoints.

#![allow(clippy::unwrap_used, unreachable_pub)]

mod approval;
mod conversation;
mod endpoint;
mod failures;
mod toolbox;
