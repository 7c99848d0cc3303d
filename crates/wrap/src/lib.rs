//! Views for the tools of any MCP server, in any language: a relay that stands in front of it, passes every
//! message on, and adds what hosts can show.
//!
//! ```no_run
//! # async fn run() -> Result<(), Box<dyn std::error::Error>> {
//! use widgetcast::App;
//! use widgetcast_wrap::{Upstream, Wrap};
//!
//! let server = Upstream::command("python", ["server.py".to_owned()]);
//! // Widgets that have the names of its tools draw their results; others are drawn by their shape.
//! let app = App::new("wrap", "1.0.0").widgets("widgets").build()?;
//! Wrap::new(app, server).serve_stdio().await?;
//! # Ok(()) }
//! ```

mod asking;
mod auto;
mod client;
mod connection;
mod events;
mod front;
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
mod slots;
mod tools;
mod upstream;
mod views;
mod wrap;

pub use auto::suggest;
pub use mapping::{ViewConfig, ViewMap};
pub use recordings::Recording;
pub use slots::SessionLimits;
pub use tools::{ToolConfig, tools};
pub use upstream::Upstream;
pub use wrap::{Sessions, Wrap};
