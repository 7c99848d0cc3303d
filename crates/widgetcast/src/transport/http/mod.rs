//! HTTP: reading requests, the rules of their headers, streams of events, and our own server.

mod answer;
mod batch;
mod body;
mod clock;
mod debug;
mod gallery;
mod gate;
pub(crate) mod headers;
mod listen;
mod mcp;
mod mount;
mod relayed;
mod response;
mod route;
mod serve;
mod service;
mod sessions;
mod shared;
mod socket;
mod sse;
mod tls;
mod visitor;

pub use body::{Body, RequestBody};
pub use gate::RemoteAddr;
pub(crate) use listen::bind;
pub(crate) use mount::Mount;
pub use relayed::{RelayedCall, RelayedMessage};
pub(crate) use serve::serve;
pub use service::Service;
pub use visitor::{OpenStream, Visitor};
