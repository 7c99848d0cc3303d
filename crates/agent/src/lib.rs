//! Tools of a Widgetcast app and of any MCP servers, and an agent that uses them with a model behind any
//! OpenAI-compatible endpoint.
//!
//! A [`Toolbox`] gathers tools: of an app in the same process, and of servers by their address or as
//! programs. It keeps their names apart, their connections alive, and calls them.

mod backoff;
mod error;
mod local;
mod names;
mod remote;
mod server;
mod tls;
mod tool;
mod toolbox;

pub use error::ToolboxError;
pub use server::Server;
pub use tool::Tool;
pub use toolbox::Toolbox;
