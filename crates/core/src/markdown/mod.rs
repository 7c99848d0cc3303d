//! Markdown, read once for every surface that has to print it in a format of its own.
//!
//! pulldown-cmark parses (CommonMark with tables, strikethrough and task lists); [`read`] turns its
//! events into a flat list of blocks. Nothing here knows a host, and nothing nests: a block carries
//! the depth of the lists and quotations around it, and inline marks are a sequence of openings and
//! closings. So a surface prints with loops, and no input makes it recurse.

mod block;
mod read;
#[cfg(test)]
mod tests;

pub(crate) use block::{Block, Content, Inline, Mark, Marker, plain_text};
pub(crate) use read::{read, read_line};
