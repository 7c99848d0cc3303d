//! Serve tools over MCP whose results every agent host can show: interactive views in Claude and ChatGPT,
//! Block
//! Kit in Slack, Adaptive Cards in Teams, text everywhere else.
//!
//! A tool is an async function. Its types give the schemas, and a widget or a page shows what it returns.
//!
//! # Your first tool
//!
//! The doc comments of the input describe the tool and its arguments to the model:
//!
//! ```no_run
//! use widgetcast::{App, Data, Tool};
//!
//! /// Gets the weather of a city
//! #[derive(serde::Deserialize, schemars::JsonSchema)]
//! struct City {
//!     /// Name of the city, such as "Bern"
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
//!     let app = App::new("weather", "1.0.0").tool(Tool::new("sky", sky).read_only()).build()?;
//!     app.serve_http("127.0.0.1:8000").await?; // MCP at /mcp, the gallery at /
//!     Ok(())
//! }
//! ```
//!
//! [`Builder::build`] reports every wiring mistake at once: names that are taken, schemas that do not match,
//! state that is missing.
//!
//! # Show the result
//!
//! A widget is a file, or a string in your program. [`Tool::widget`] connects it; its variables are the
//! fields of
//! the output:
//!
//! ```
//! use widgetcast::{App, Catalog, Data, Tool};
//!
//! const CARD: &str = r#"{"version": "1.0", "name": "Weather Card",
//!     "template": "{\"type\": \"Card\", \"children\": [{\"type\": \"Title\", \"value\": {{ city | tojson }}}]}"}"#;
//!
//! #[derive(serde::Serialize, schemars::JsonSchema)]
//! struct Sky {
//!     city: String,
//! }
//!
//! async fn sky() -> Data<Sky> {
//!     Data(Sky { city: "Bern".into() })
//! }
//!
//! let app = App::new("weather", "1.0.0")
//!     .catalog(Catalog::from_static(&[("weather_card.widget", CARD)]))
//!     .tool(Tool::new("sky", sky).widget("weather_card").read_only())
//!     .build()?;
//! # Ok::<(), widgetcast::BuildError>(())
//! ```
//!
//! Use [`Builder::widgets`] for a directory, [`components`] to build the tree in Rust, and [`Page`] for
//! your own
//! HTML.
//!
//! # State, callers and errors
//!
//! Handlers take up to eight extractors before the input, as in axum. A [`ToolError`] made from text is for
//! the
//! model; any other error becomes `failed (id …)`, and its cause is logged:
//!
//! ```
//! use widgetcast::auth::BearerKeys;
//! use widgetcast::{App, Caller, State, Tool, ToolError};
//!
//! #[derive(Clone)]
//! struct Db; // a connection pool
//!
//! #[derive(serde::Deserialize, schemars::JsonSchema)]
//! struct Ticket {
//!     id: u32,
//! }
//!
//! async fn close(State(_db): State<Db>, caller: Caller, ticket: Ticket) -> Result<String, ToolError> {
//!     if ticket.id == 0 {
//!         return Err(ToolError::public("unknown ticket").field("/id", "must be positive"));
//!     }
//!     Ok(format!("ticket {} closed by {}", ticket.id, caller.subject()))
//! }
//!
//! let keys = BearerKeys::new().key("a-long-random-key", Caller::new("ada").scope("tickets:write"));
//! let app = App::new("helpdesk", "1.0.0")
//!     .state(Db)
//!     .auth(keys)
//!     .tool(Tool::new("close", close).scope("tickets:write"))
//!     .build()?;
//! # Ok::<(), widgetcast::BuildError>(())
//! ```
//!
//! # Where to go next
//!
//! - [`guide`]: everything a handler can take and return, hooks, custom methods, stores and tests.
//! - [`Ctx`]: elicitation, sampling, progress, logging and cancellation.
//! - [`test`](mod@test): call your tools in tests, without a socket.
//! - [`Settings`]: limits, hosts, CORS, TLS; each also as an environment variable.
//! - [`App::service`]: the app as a `tower::Service`, to nest it in axum; [`App::handle`] for one request.
//!
//! # Feature flags
//!
//! - `axum`: takes client addresses from axum's `ConnectInfo`, for the rate limit.

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
    pub use crate::transport::http::{
        Body, OpenStream, RelayedCall, RelayedMessage, RemoteAddr, RequestBody, Service, Visitor,
    };
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
