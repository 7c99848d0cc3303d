//! Extraction: from a tool result back to everything in it that a host could show, best first.
//!
//! Results come from any server, so nothing in them is trusted: a payload over 4 MiB, nested over
//! 100 levels, or broken in any other way becomes a [`Reason`] and the next best part is used.
//! `@widgetcast/client/extract` does the same in TypeScript. Both are tested with `fixtures/results` and
//! must give exactly the same, so a message never quotes a parser or a value. What both have to do
//! alike is in `fixtures/results/README.md`.

mod collector;
mod content;
mod extraction;
mod member;
mod meta;
mod part;
mod payload;
mod reason;
mod resource;
mod stored;
#[cfg(test)]
mod tests;
mod thread;

pub use extraction::{Extraction, extract};
pub use meta::META_TREE;
pub use part::Part;
pub use reason::Reason;
pub use resource::{REMOTE_DOM_MIME, URI_LIST_MIME};
pub use thread::{Message, Role, thread_items, tool_result_message};
