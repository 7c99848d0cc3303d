//! A [ChatKit](https://openai.github.io/chatkit-js/) backend for [Widgetcast](widgetcast): chats with tools,
//! whose widgets stay interactive in stored threads.
//!
//! [`ChatKit::mount`] adds the endpoint for ChatKit's component to an app, at `/chatkit`, and a chat page at
//! `/chat`. Threads, items, attachments and feedback are stored in SQLite or PostgreSQL ([`open`]); a
//! [`Responder`] produces the replies.
//!
//! ```no_run
//! use widgetcast::App;
//! use widgetcast_agent::{Agent, Model, Toolbox};
//! use widgetcast_chatkit::{AgentResponder, AttachmentLimits, ChatKit};
//!
//! # async fn run() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
//! let app = App::new("shop", "1.0.0").widgets("widgets").build()?;
//! let storage = widgetcast_chatkit::open("sqlite:chat.db").await?;
//! let toolbox = Toolbox::new().app(app.clone());
//!
//! // With a model; `Commands::new(toolbox)` needs none: messages such as `/order 7` call the tools.
//! let responder = AgentResponder::new(Agent::new(Model::from_env()?, toolbox));
//! let images = AttachmentLimits { types: vec!["image/*".to_owned()], ..AttachmentLimits::default() };
//! let app = ChatKit::new(storage, responder).attachments(images).mount(app);
//! app.serve_http("127.0.0.1:8000").await?;
//! # Ok(()) }
//! ```
//!
//! For your own replies, implement [`Responder`]. It sends messages and widgets through a [`Turn`], which
//! stores everything before the client gets it.

#[cfg(doctest)]
#[doc = include_str!("../../../docs/chatkit.md")]
mod guide {}

mod agent;
mod app;
mod approval;
mod attached;
mod backend;
mod chatkit;
mod clock;
mod commands;
mod drawn;
mod endpoint;
mod error;
mod id;
mod limits;
mod owner;
mod pending;
pub mod protocol;
mod responder;
mod running;
mod store;
mod stream;
mod thread_locks;
mod tools;
mod turn;
mod widget_diff;

pub use agent::AgentResponder;
pub use app::AppChatKit;
pub use backend::ChatResponse;
pub use chatkit::ChatKit;
pub use commands::Commands;
pub use error::{RequestError, TurnError};
pub use limits::AttachmentLimits;
pub use owner::Owner;
pub use responder::{Responder, ResponderFuture};
pub use store::{
    Blob, Deleted, ItemText, OwnedAttachment, PageRequest, RetentionLimits, SearchHit, Storage,
    StorageError, StorageFuture, StoredItem, migrations, open,
};
pub use turn::{Message, Turn, User, WidgetStream};
pub use widget_diff::widget_updates;
