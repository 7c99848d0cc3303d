//! The backend as clients see it, and as a process that is killed leaves it.

#![allow(clippy::unwrap_used)]

mod actions;
mod approval;
mod attached;
mod commands;
mod endpoint;
mod failures;
mod golden;
mod limits;
#[allow(dead_code, unreachable_pub)] // The tests of the agent use more of it.
#[path = "../../../agent/tests/agent/endpoint.rs"]
mod model_endpoint;
#[path = "../../../store/tests/store/servers/mod.rs"]
mod servers;
mod stage;
mod storage;
mod transcript;
