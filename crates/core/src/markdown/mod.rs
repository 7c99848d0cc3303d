//! The Markdown that widgets use, read simply, for the surfaces that have none of their own.
//!
//! Not CommonMark: a text is shown to a person at once and nothing is lost when a mark is not
//! understood, it is just printed.

mod block;
mod link;

pub(crate) use block::{Part, parts};
pub(crate) use link::link;
