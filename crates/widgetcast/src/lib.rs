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
pub use builder::{BuildError, Builder};
pub use reload::Change;
pub use sdk::access::Access;
pub use sdk::ask::{Answer, Elicit, Root};
pub use sdk::auth::{Authenticate, BearerKeys, FromExtension, bearer_token};
pub use sdk::caller::Caller;
pub use sdk::complete::{IntoValues, Typed};
pub use sdk::context::{ClientInfo, Ctx};
pub use sdk::event::Event;
pub use sdk::extract::{Extension, FromCtx, Headers, State};
pub use sdk::file::File;
pub use sdk::handler::{Handler, ToolResult};
pub use sdk::hook::{Call, Incoming, Next};
pub use sdk::log_level::LogLevel;
pub use sdk::memory_store::MemoryStore;
pub use sdk::method::{IntoResult, Method};
pub use sdk::outcome::{Content, Data, Outcome, Output};
pub use sdk::owner::Owner;
pub use sdk::page::Page;
pub use sdk::peer::Peer;
pub use sdk::prompt::{Arguments, IntoMessages, Message, Prompt};
pub use sdk::quota_limits::QuotaLimits;
pub use sdk::refusal::Refusal;
pub use sdk::report::Progress;
pub use sdk::resource::{Contents, IntoContents, IntoListed, Resource, Vars};
pub use sdk::sampling::{Sampled, Sampling};
pub use sdk::settings::{Cors, Settings};
pub use sdk::store::{Entry, EntryKind, Store, StoreFuture, StoreListener, Stored};
pub use sdk::store_error::StoreError;
pub use sdk::store_limits::{KindLimits, StoreLimits};
pub use sdk::throttle::Throttle;
pub use sdk::tool::{Tool, Visibility};
pub use sdk::tool_error::ToolError;
pub use sdk::trace_context::TraceContext;
pub use transport::http::{Body, OpenStream, RemoteAddr, RequestBody, Service, Visitor};
pub use transport::signal::shutdown_signal;
pub use widgetcast_core as core;
