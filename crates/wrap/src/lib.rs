//! Views for the tools of any MCP server, in any language: a proxy that passes every message through and adds
//! views that hosts can show.
//!
//! ```no_run
//! # async fn run() -> Result<(), Box<dyn std::error::Error>> {
//! use widgetcast::App;
//! use widgetcast_wrap::{Upstream, Wrap};
//!
//! let server = Upstream::command("python", ["server.py".to_owned()]);
//! // A widget with the name of a tool renders its results; the others are rendered by their shape.
//! let app = App::new("wrap", "1.0.0").widgets("widgets").build()?;
//! Wrap::new(app, server).serve_stdio().await?;
//! # Ok(()) }
//! ```
//!
//! [`Servers::named`] merges several servers into one, and [`Wrap::mount`] serves over HTTP:
//!
//! ```no_run
//! # async fn run(app: widgetcast::App) -> Result<(), Box<dyn std::error::Error>> {
//! use widgetcast_wrap::{Servers, SessionLimits, Upstream, Wrap};
//!
//! let shop = Upstream::command("python", ["server.py".to_owned()]);
//! let crm = Upstream::url("https://crm.example.com/mcp", Default::default())?;
//! let servers = Servers::named([("shop".to_owned(), shop), ("crm".to_owned(), crm)].into())?;
//!
//! let (app, sessions) = Wrap::new(app, servers).mount(SessionLimits::default());
//! app.serve_http("127.0.0.1:8000").await?;
//! sessions.close().await; // ends the servers of all sessions
//! # Ok(()) }
//! ```

mod asking;
mod auto;
mod batch;
mod client;
mod connection;
mod events;
mod front;
mod gallery;
mod headers;
mod http;
mod line;
mod link;
mod mapping;
mod message;
mod process;
mod recordings;
mod relay;
mod respond;
mod session;
mod several;
mod slots;
mod tools;
mod upstream;
mod variables;
mod views;
mod wrap;

pub use auto::{suggest, view};
pub use mapping::{ViewConfig, ViewMap};
pub use recordings::Recording;
pub use several::{ServerConfig, Servers, servers};
pub use slots::SessionLimits;
pub use tools::{ToolConfig, tools};
pub use upstream::Upstream;
pub use wrap::{Sessions, Wrap};
