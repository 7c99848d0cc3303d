//! The backend as clients see it, and as a process that is killed leaves it.

#![allow(clippy::unwrap_used)]

mod agent;
mod commands;
mod endpoint;
mod golden;
#[path = "../../../store/tests/store/servers/mod.rs"]
mod servers;
mod stage;
mod storage;
mod transcript;
