//! The nouns of the SDK: what an app is made of. Nothing here serves anything.

pub(crate) mod access;
pub(crate) mod auth;
pub(crate) mod caller;
pub(crate) mod complete;
pub(crate) mod context;
pub(crate) mod event;
pub(crate) mod extract;
pub(crate) mod handler;
pub(crate) mod header_param;
pub(crate) mod hook;
pub(crate) mod http_parts;
pub(crate) mod origin;
pub(crate) mod outcome;
pub(crate) mod page;
pub(crate) mod peer;
pub(crate) mod prompt;
pub(crate) mod refusal;
pub(crate) mod request_id;
pub(crate) mod resource;
pub(crate) mod schema;
pub(crate) mod settings;
pub(crate) mod states;
pub(crate) mod store;
pub(crate) mod throttle;
pub(crate) mod tool;
pub(crate) mod tool_error;
