//! Trees: what a template must produce, and whether it did.
//!
//! A rendered tree is checked while it is parsed, against the one table in [`component`]; no value
//! tree is built unless something in it must be put right.

mod check;
pub mod component;
mod finish;
pub(crate) mod fold;
mod key;
mod schema;
mod syntax;
mod tidy;
mod words;

pub use check::{Checked, Nulls, check_tree, check_value};
pub(crate) use check::{THEMED, accepts, accepts_child, check_any, needs_children};
pub(crate) use component::{is_leaf, is_text_prop};
pub(crate) use finish::finish;
pub use fold::{fold, fold_text};
pub use schema::editor_schema;
pub(crate) use syntax::Around;
pub use words::brief;
pub(crate) use words::brief_code;
