//! Component trees, which templates produce: the table of components, the checker and the compact form.
//!
//! A rendered tree is checked while it is parsed, against the table in [`component`]; a value is built
//! only if something in it must be tidied.

mod check;
pub(crate) mod compact;
pub mod component;
mod css;
mod describe;
mod editor_schema;
mod finish;
mod names;
mod quote;
mod syntax;
mod tidy;
mod want;

pub use check::{Checked, Nulls, check_tree, check_value};
pub(crate) use check::{accepts, accepts_child, check_any};
pub use compact::{CompactTree, Key, Node};
pub(crate) use component::{is_leaf, is_text_prop};
pub use describe::{describe_component, describe_prop};
pub use editor_schema::{editor_schema, placeholder_tree_schema};
pub(crate) use finish::finish;
pub use quote::brief;
pub(crate) use quote::brief_code;
pub(crate) use syntax::FaultContext;
