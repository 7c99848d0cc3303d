//! From a Jinja template and data to a checked component tree.
//!
//! Used through `widgetcast-core`, which adds definitions, surfaces and results; nothing else should
//! depend on this crate. What is public here is what that crate needs. Each module uses only those
//! above it:
//!
//! - [`error`], [`limits`] and [`suggest`]: what can go wrong, how large things may get, and what was
//!   meant.
//! - [`json`]: JSON as text.
//! - [`tree`]: the component table, and whether a tree fits it.
//! - [`template`]: templates, by the fast path or by minijinja, which only this module uses.

pub mod error;
pub mod json;
pub mod limits;
pub mod suggest;
pub mod template;
pub mod tree;
