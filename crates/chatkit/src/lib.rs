//! A [ChatKit](https://openai.github.io/chatkit-js/) backend for [Widgetcast](widgetcast): people talk, tools
//! answer, widgets appear, stay and react.
//!
//! [`ChatKit::mount`] puts the endpoint that ChatKit's component talks to at `/chatkit` of an app, and a page
//! to talk in at `/chat`. Threads, items, attachments and feedback are kept in SQLite or PostgreSQL
//! ([`open`]); a [`Responder`] answers.

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
mod fault;
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
pub use backend::Answer;
pub use chatkit::ChatKit;
pub use commands::Commands;
pub use fault::{Fault, TurnError};
pub use limits::AttachmentLimits;
pub use owner::Owner;
pub use responder::{Answered, Responder};
pub use store::{
    Blob, Deleted, Found, KeepLimits, OwnedAttachment, PageOf, Storage, StoreFailure, StoreResult,
    migrations, open,
};
pub use turn::{Message, Person, Turn, WidgetStream};
pub use widget_diff::widget_updates;
