//! HTTP: requests and their headers, event streams, and the built-in server.

mod answer;
mod batch;
mod body;
mod clock;
mod debug;
#[cfg(feature = "gallery")]
mod gallery;
mod gate;
pub(crate) mod headers;
mod listen;
mod mcp;
mod mount;
#[cfg(not(feature = "gallery"))]
mod no_gallery;
#[cfg(not(feature = "tls"))]
mod no_tls;
mod relayed;
mod response;
mod route;
mod serve;
mod service;
mod sessions;
mod shared;
mod socket;
mod sse;
#[cfg(feature = "tls")]
mod tls;
mod turn;
mod visitor;

#[cfg(not(feature = "gallery"))]
use no_gallery as gallery;
#[cfg(not(feature = "tls"))]
use no_tls as tls;

pub use body::{Body, RequestBody};
pub use gate::RemoteAddr;
pub(crate) use listen::bind;
pub(crate) use mount::Mount;
pub use relayed::{RelayedCall, RelayedMessage, relayed_params};
pub(crate) use serve::serve;
pub use service::Service;
pub use visitor::{OpenStream, Visitor};
