//! The compact tree: a component tree as its readers need it, its values in one list.
//!
//! The fast path builds one while it renders, and [`CompactTree::read`] builds one from JSON text, so that
//! nothing on the way to a host needs a `serde_json::Value`. Only the members named in [`Key`] are kept.

mod builder;
mod name;
mod node;
mod read;
mod tree;

pub(crate) use builder::{ComponentEnd, TreeBuilder};
pub use name::Key;
pub use node::Node;
pub use tree::CompactTree;
pub(crate) use tree::{NodeValue, TextRef, is_integer};
