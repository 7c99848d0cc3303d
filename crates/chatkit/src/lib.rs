//! A [ChatKit](https://openai.github.io/chatkit-js/) backend for [Widgetcast](widgetcast): chats with tools,
//! whose widgets stay interactive in stored threads.
//!
//! [`ChatKit::mount`] adds the endpoint for ChatKit's component to an app, at `/chatkit`, and a chat page at
//! `/chat`. Threads, items, attachments and feedback are stored in SQLite or PostgreSQL ([`open`]); a
//! [`Responder`] produces the replies.

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
pub use responder::{ResponderFuture, Responder};
pub use store::{
    Blob, Deleted, SearchHit, ItemText, RetentionLimits, OwnedAttachment, PageRequest, Storage, StorageError,
    StorageFuture, StoredItem, migrations, open,
};
pub use turn::{Message, User, Turn, WidgetStream};
pub use widget_diff::widget_updates;
