//! The protocol: from a request that has been read to the text of its response.
//!
//! Nothing here knows HTTP or pipes. A transport reads a message ([`jsonrpc`]), learns from its
//! `_meta` which revision it follows ([`meta`]), and hands it to [`dispatch`]; what comes back is the
//! whole response, now or later.

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
