//! An MCP server SDK for tools whose results every agent host can show: interactive views in Claude and
//! ChatGPT, Block Kit in Slack, Adaptive Cards in Teams, text everywhere else.
//!
//! A tool is an async function. Its types define the schemas, and a widget or a page shows what it
//! returns.
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
//! [`Builder::build`] reports all configuration errors at once: duplicate names, mismatched schemas,
//! missing state.
//!
//! # Show the result
//!
//! A widget is a file, or a string in your program. [`Tool::widget`] attaches it to a tool; its variables
//! are the fields of the output:
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
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let app = App::new("weather", "1.0.0")
//!     .catalog(Catalog::from_static(&[("weather_card.widget", CARD)]))
//!     .tool(Tool::new("sky", sky).widget("weather_card").read_only())
//!     .build()?;
//!
//! // Call it as Slack does, in the same process.
//! let result = app.test().as_host("slack").call("sky", serde_json::json!({})).await?;
//! assert!(result.text().contains("Bern"));
//! assert!(result.surface("slack-blocks").to_string().contains("Bern"));
//! # Ok(())
//! # }
//! ```
//!
//! Use [`Builder::widgets`] for a directory of widgets, [`components`] to build the tree in Rust, and
//! [`Page`] for your own HTML.
//!
//! # State, callers and errors
//!
//! Handlers take up to eight extractors before the input, as in axum. The model gets the message of a
//! [`ToolError`] created from a string. For any other error, it gets `failed (id …)`, and the error is logged:
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
//! - [`guide::ask`]: elicitation, sampling, progress, logging and cancellation.
//! - [`test`](mod@test): calls your tools in tests, without a socket.
//! - [`Settings`]: limits, hosts, CORS and TLS; each is also an environment variable.
//! - [`App::service`]: the app as a `tower::Service`, to nest it in axum; [`App::handle`] for one request.
//!
//! # Feature flags
//!
//! All features but `axum` are enabled by default; [the guide](guide#feature-flags) describes each.
//! `default-features = false, features = ["stdio"]` is enough for a server that only speaks stdio.

// On docs.rs, items show the feature that they need.
#![cfg_attr(docsrs, feature(doc_cfg))]
// With all features the compiler reports what nothing uses.
#![cfg_attr(
    not(all(
        feature = "gallery",
        feature = "metrics",
        feature = "stdio",
        feature = "tls",
        feature = "watch",
    )),
    allow(dead_code, unused_imports)
)]

// In the book, these are links to its pages. Of two definitions, Markdown takes the first.
#[cfg(any(doc, doctest))]
#[doc = "[ask]: crate::guide::ask"]
#[doc = "[auth]: crate::auth"]
#[doc = "[components]: crate::components"]
#[doc = "[database]: crate::State"]
#[doc = "[pages]: crate::Page"]
#[doc = "[settings]: crate::Settings"]
#[doc = "[storage]: crate::store"]
#[doc = "[twice]: crate::guide::ask#handlers-may-run-twice"]
#[doc = "[widgets]: crate::Builder::widgets"]
#[doc = include_str!("../docs/sdk.md")]
pub mod guide {
    // `tests/app/guide.rs` runs its code.
    #[cfg(not(doctest))]
    #[doc = "[settings]: crate::Settings"]
    #[doc = include_str!("../docs/ask.md")]
    pub mod ask {}
}
#[cfg(doctest)]
#[doc = include_str!("../docs/pages.md")]
mod pages {}

mod app;
mod builder;
mod call;
pub mod components;
mod declaration;
#[cfg(feature = "gallery")]
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
#[cfg(feature = "http")]
pub mod test;
mod trace;
mod transport;
#[cfg(all(test, feature = "gallery"))]
mod web_literals;
mod worker;

pub use app::App;
#[doc(hidden)]
pub use builder::view_page;
pub use builder::{BuildError, Builder};
#[doc(hidden)]
pub use metrics::Held;
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
#[doc(hidden)]
pub use worker::{Budgeted, Workers};

pub mod auth {
    //! Authentication: identifies the caller of a request, or rejects it.
    pub use crate::sdk::auth::{Authenticate, BearerKeys, FromExtension, bearer_token};
    pub use crate::sdk::refusal::Refusal;
    pub use crate::sdk::throttle::Throttle;
}

pub mod client {
    //! The client of a call: its capabilities, elicitation, sampling, progress and logging.
    pub use crate::sdk::ask::{Answer, Elicit, Root};
    pub use crate::sdk::context::ClientInfo;
    pub use crate::sdk::log_level::LogLevel;
    pub use crate::sdk::peer::Peer;
    pub use crate::sdk::report::Progress;
    pub use crate::sdk::sampling::{Sampled, Sampling};
}

pub mod handler {
    //! The traits that turn functions into handlers, and the types of special arguments.
    pub use crate::sdk::complete::{IntoValues, Typed};
    pub use crate::sdk::extract::FromCtx;
    pub use crate::sdk::handler::Handler;
    pub use crate::sdk::method::{IntoResult, Method};
    pub use crate::sdk::prompt::{Arguments, IntoMessages};
    pub use crate::sdk::resource::{IntoContents, IntoListed};
}

pub mod http {
    //! The app as an HTTP service, to mount in your own server.
    pub use crate::sdk::settings::Cors;
    #[cfg(feature = "http")]
    pub use crate::transport::http::{
        Body, OpenStream, RelayedCall, RelayedMessage, RemoteAddr, RequestBody, Service, Visitor,
        relayed_params,
    };
}

pub mod middleware {
    //! Hooks, guards, quotas and trace contexts, which apply to every call.
    pub use crate::sdk::hook::{Call, Incoming, Next};
    pub use crate::sdk::quota_limits::QuotaLimits;
    pub use crate::sdk::trace_context::TraceContext;
}

pub mod store {
    //! The store for the data and state of views: the trait, its limits, and the in-memory implementation.
    pub use crate::sdk::memory_store::MemoryStore;
    pub use crate::sdk::owner::Owner;
    pub use crate::sdk::store::{Entry, EntryKind, Store, StoreFuture, StoreListener, Stored};
    pub use crate::sdk::store_error::StoreError;
    pub use crate::sdk::store_limits::{KindLimits, StoreLimits};
}
