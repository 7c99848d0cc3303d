//! The types of the SDK, which define an app. Nothing here serves it, and the crate exports a name of every
//! file.

pub(crate) mod access;
pub(crate) mod ask;
pub(crate) mod auth;
pub(crate) mod caller;
pub(crate) mod complete;
pub(crate) mod context;
pub(crate) mod event;
pub(crate) mod extract;
pub(crate) mod file;
pub(crate) mod handler;
pub(crate) mod hook;
pub(crate) mod log_level;
pub(crate) mod memory_store;
pub(crate) mod method;
pub(crate) mod outcome;
pub(crate) mod owner;
pub(crate) mod page;
pub(crate) mod peer;
pub(crate) mod prompt;
pub(crate) mod quota_limits;
pub(crate) mod refusal;
pub(crate) mod report;
pub(crate) mod resource;
pub(crate) mod sampling;
pub(crate) mod settings;
pub(crate) mod store;
pub(crate) mod store_error;
pub(crate) mod store_limits;
pub(crate) mod throttle;
pub(crate) mod tool;
pub(crate) mod tool_error;
pub(crate) mod trace_context;
