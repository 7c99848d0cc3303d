//! Tools with views for AI agents: typed async functions and `.widget` files, served over MCP.
//!
//! ```no_run
//! use widgetcast::{App, Data, Tool};
//!
//! #[derive(serde::Deserialize, schemars::JsonSchema)]
//! struct City {
//!     /// Such as "Bern"
//!     name: String,
//! }
//!
//! #[derive(serde::Serialize, schemars::JsonSchema)]
//! struct Sky {
//!     city: String,
//!     degrees: f64,
//! }
//!
//! async fn sky(city: City) -> (String, Data<Sky>) {
//!     (format!("21 °C in {}", city.name), Data(Sky { city: city.name, degrees: 21.0 }))
//! }
//!
//! #[tokio::main]
//! async fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let app = App::new("weather", "1.0.0")
//!         .tool(Tool::new("sky", sky).description("The weather of a city").read_only())
//!         .build()?;
//!     app.serve_http("127.0.0.1:8000").await?;
//!     Ok(())
//! }
//! ```
//!
//! A [`Tool`] is an async function; its types give the schemas. What it returns is made of separate
//! parts ([`Data`], text, [`Outcome`]), and a widget or a [`Page`] shows it in every host that can.
//! [`Builder::build`] reports all wiring mistakes at once. [`App::service`] is the whole app as a
//! `tower::Service`; [`App::handle`] answers one request. The [guide] has the rest: errors, callers,
//! hooks, questions, storage, tests.

#[cfg(any(doc, doctest))]
#[doc = include_str!("../docs/sdk.md")]
pub mod guide {}
#[cfg(doctest)]
#[doc = include_str!("../docs/pages.md")]
mod pages {}

mod app;
mod builder;
mod call;
pub mod components;
mod declaration;
mod gallery;
mod log;
mod memory;
mod metrics;
mod policy;
mod protocol;
mod quota;
mod reload;
mod replicas;
mod sdk;
mod server;
mod signed;
mod tasks;
pub mod test;
mod trace;
mod transport;
#[cfg(test)]
mod web_literals;
mod worker;

pub use app::App;
#[doc(hidden)]
pub use builder::view_page;
pub use builder::{BuildError, Builder};
pub use reload::Change;
pub use sdk::access::Access;
pub use sdk::caller::Caller;
pub use sdk::context::Ctx;
pub use sdk::event::Event;
pub use sdk::extract::{Extension, Headers, State};
pub use sdk::file::File;
pub use sdk::handler::ToolResult;
pub use sdk::outcome::{Content, Data, Outcome, Output};
pub use sdk::page::Page;
pub use sdk::prompt::{Message, Prompt};
pub use sdk::resource::{Contents, Resource, Vars};
pub use sdk::settings::Settings;
pub use sdk::tool::{Tool, Visibility};
pub use sdk::tool_error::ToolError;
pub use transport::signal::shutdown_signal;
pub use widgetcast_core::Catalog;

pub mod auth {
    //! Who calls: authenticators, and what they refuse.
    pub use crate::sdk::auth::{Authenticate, BearerKeys, FromExtension, bearer_token};
    pub use crate::sdk::refusal::Refusal;
    pub use crate::sdk::throttle::Throttle;
}

pub mod client {
    //! The other side of a call: what it is, what a tool can ask it, and what it is told meanwhile.
    pub use crate::sdk::ask::{Answer, Elicit, Root};
    pub use crate::sdk::context::ClientInfo;
    pub use crate::sdk::log_level::LogLevel;
    pub use crate::sdk::peer::Peer;
    pub use crate::sdk::report::Progress;
    pub use crate::sdk::sampling::{Sampled, Sampling};
}

pub mod handler {
    //! The traits by which functions become handlers, and the arguments that some of them take.
    pub use crate::sdk::complete::{IntoValues, Typed};
    pub use crate::sdk::extract::FromCtx;
    pub use crate::sdk::handler::Handler;
    pub use crate::sdk::method::{IntoResult, Method};
    pub use crate::sdk::prompt::{Arguments, IntoMessages};
    pub use crate::sdk::resource::{IntoContents, IntoListed};
}

pub mod http {
    //! The app as a service of HTTP, to mount in a server of your own.
    pub use crate::sdk::settings::Cors;
    pub use crate::transport::http::{Body, OpenStream, RemoteAddr, RequestBody, Service, Visitor};
}

pub mod middleware {
    //! What runs around every call: hooks, quotas and the context of a trace.
    pub use crate::sdk::hook::{Call, Incoming, Next};
    pub use crate::sdk::quota_limits::QuotaLimits;
    pub use crate::sdk::trace_context::TraceContext;
}

pub mod store {
    //! Where views, state and tasks are kept: the trait, its limits, and the store in memory.
    pub use crate::sdk::memory_store::MemoryStore;
    pub use crate::sdk::owner::Owner;
    pub use crate::sdk::store::{Entry, EntryKind, Store, StoreFuture, StoreListener, Stored};
    pub use crate::sdk::store_error::StoreError;
    pub use crate::sdk::store_limits::{KindLimits, StoreLimits};
}
