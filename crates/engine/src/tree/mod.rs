//! Trees: what a template must produce, and whether it did.
//!
//! A rendered tree is checked while it is parsed, against the one table in [`component`]; no value
//! tree is built unless something in it must be put right.

mod check;
pub mod component;
mod finish;
pub(crate) mod fold;
mod names;
mod quote;
mod schema;
mod syntax;
mod tidy;
mod want;

pub use check::{Checked, Nulls, check_tree, check_value};
pub(crate) use check::{accepts, accepts_child, check_any};
pub(crate) use component::{is_leaf, is_text_prop};
pub(crate) use finish::finish;
pub use fold::{fold, fold_text};
pub use quote::brief;
pub(crate) use quote::brief_code;
pub use schema::editor_schema;
pub(crate) use syntax::FaultContext;
