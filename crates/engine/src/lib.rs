//! From a Jinja template and data to a checked component tree.
//!
//! This crate is used through `widgetcast-core`, which adds definitions, surfaces and results; no other crate
//! should depend on it. Each module uses only the modules above it:
//!
//! - [`error`], [`limits`], [`budget`], [`suggest`] and [`habit`]: errors and findings, upper bounds,
//!   what one piece of work may take, and "did you mean".
//! - [`json`]: JSON text, and values borrowed from it.
//! - [`tree`]: the component table, the checker and the compact form of a tree.
//! - [`outline`]: the readable content of a tree; [`text`]: its Markdown; [`words`]: the labels it adds.
//! - [`template`]: templates, by the fast path or by minijinja, which only this module uses.

pub mod budget;
pub mod error;
pub mod habit;
pub mod json;
pub mod limits;
pub mod outline;
pub mod signs;
pub mod suggest;
pub mod template;
pub mod text;
pub mod tree;
pub mod words;
