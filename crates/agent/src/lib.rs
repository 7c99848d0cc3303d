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
//!
//! ```no_run
//! use widgetcast::App;
//! use widgetcast_agent::{
//!     Agent, CancellationToken, Event, Model, Server, Sink, StopReason, Toolbox, Transcript,
//! };
//!
//! struct Print;
//! impl Sink for Print {
//!     async fn event(&mut self, event: Event<'_>) {
//!         if let Event::Text { delta } = event {
//!             print!("{delta}");
//!         }
//!     }
//! }
//!
//! # async fn run(app: App) -> Result<(), Box<dyn std::error::Error>> {
//! let toolbox = Toolbox::new().app(app).connect("shop", Server::url("https://shop.example.com/mcp"))?;
//! let agent = Agent::new(Model::from_env()?, toolbox).instructions("You answer in one sentence.");
//!
//! let mut transcript = Transcript::new();
//! transcript.say("Where is order 7?");
//! let run = agent.run(&mut transcript, None, &mut Print, &CancellationToken::new()).await;
//! assert_eq!(run.stop_reason, StopReason::Done);
//! # Ok(()) }
//! ```

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

pub use agent::{Agent, Run, StopReason, Usage};
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
