//! Tools of a Widgetcast app and of any MCP servers, and an agent that uses them with a model behind any
//! OpenAI-compatible endpoint.
//!
//! A [`Toolbox`] combines the tools of an app in the same process with those of MCP servers, which it
//! connects to by URL or starts as programs. It resolves name collisions, keeps connections alive, and calls
//! the tools.
//!
//! An [`Agent`] replies to the last message of a [`Transcript`]: it streams the output of the [`Model`] into
//! a [`Sink`], runs the tools that the model calls, requests approval from the sink for tools that are not
//! read-only, and ends within its [`Limits`], always with a complete transcript.

mod agent;
mod ask;
mod backoff;
mod bounded;
mod calls;
mod chat;
mod clock;
mod endpoint;
mod error;
mod event;
mod limits;
mod local;
mod model;
mod model_error;
mod names;
mod remote;
mod responses;
mod result_text;
mod server;
mod tls;
mod tool;
mod toolbox;
mod transcript;
mod turn;

pub use agent::{Agent, End, Run, Usage};
pub use error::ToolboxError;
pub use event::{Approval, Event, Sink};
pub use limits::Limits;
pub use model::{Api, Model, ModelBuilder};
pub use model_error::{ModelError, ModelErrorKind};
pub use server::Server;
/// Cancels a run from outside.
pub use tokio_util::sync::CancellationToken;
pub use tool::Tool;
pub use toolbox::Toolbox;
pub use transcript::{Message, ToolCall, Transcript};
