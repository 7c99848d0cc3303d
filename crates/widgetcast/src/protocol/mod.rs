//! The protocol: from a parsed request to the text of its response.
//!
//! Nothing here knows HTTP or pipes. A transport parses a message ([`jsonrpc`]), determines its revision from
//! its `_meta` ([`meta`]), and passes it to [`dispatch`], which returns the whole response, immediately or
//! later.

pub(crate) mod access;
mod answer;
mod asking;
mod completion;
mod cursor;
mod dispatch;
mod envelope;
mod error;
pub(crate) mod input_required;
pub(crate) mod jsonrpc;
pub(crate) mod lifecycle;
pub(crate) mod meta;
pub(crate) mod method;
mod own_method;
mod params;
mod prompts;
mod request;
mod resources;
pub(crate) mod revision;
mod running;
pub(crate) mod session;
mod subscription;
mod surface_set;
pub(crate) mod surfaces;
mod tasks;
pub(crate) mod tools;

pub(crate) use answer::Answer;
pub(crate) use dispatch::dispatch;
pub(crate) use error::RpcError;
pub(crate) use meta::RequestMeta;
pub(crate) use params::{Data, Params};
pub(crate) use request::{Body, ClientContext, Request, Transport};
pub(crate) use running::{Running, Said};
pub(crate) use subscription::Subscription;
