//! The outline: what users read in a component tree, in reading order, for hosts that do not render the tree.
//!
//! Slack, Teams, terminals, e-mail and plain text all print the same outline; a printer never looks at
//! components. The role of a part follows from structure alone: component types, order, nesting, size, weight
//! and alignment, by the rules in [`RULES`]. No rule reads text, so the language of a widget does not matter.
//! Parts that match no rule become lines, one below the other.
//!
//! Text is borrowed from the tree. Every part keeps the index of its component, which
//! [`CompactTree::pointers`](crate::tree::CompactTree::pointers) turns into the location of a loss.

mod action;
mod bar;
mod block;
mod color;
mod edge;
mod field;
mod heading;
mod images;
mod lost;
mod parallel;
mod read;
mod roles;
mod row;
mod rules;
mod siblings;
mod span;
mod stack;
mod table;
#[cfg(test)]
mod tests;

pub use action::{Action, is_link};
pub use block::{
    Block, Cell, Chart, Fact, Heading, Item, List, Outline, Panel, Picture, Series, Table,
};
pub use color::Hue;
pub use field::{Choice, Field, FieldKind, Question, day};
pub use images::Images;
pub use lost::{Lack, Lost};
pub use roles::{ReadAs, Roles};
pub use rules::{RULES, Rule};
pub use span::{
    Glue, Line, Role, Span, SpanKind, is_mark, one_line, push_bar, push_one_line, starts_block,
};
