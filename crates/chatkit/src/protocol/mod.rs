//! The ChatKit protocol as types: requests, threads with their items, and the events of a stream.
//!
//! Members without a value are omitted, as the official server does.

pub mod event;
pub mod item;
pub mod request;
pub mod thread;

pub use event::{Event, Level, StreamOptions, Update};
pub use item::{
    AssistantContent, Attachment, CallStatus, InputStatus, Item, ItemKind, StructuredInput,
    UploadDescriptor, UserContent, Workflow,
};
pub use request::{Action, Order, Request, UserMessageInput};
pub use thread::{Page, Status, Thread, ThreadMetadata};
