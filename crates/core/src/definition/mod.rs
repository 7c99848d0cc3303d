//! Definitions: from the text of a `.widget` file to a [`widget::Widget`], which renders data, and to a
//! [`catalog::Catalog`] of all of them. Nothing here depends on a host.

pub(crate) mod catalog;
pub(crate) mod compile;
pub(crate) mod file_schema;
pub(crate) mod file_text;
pub(crate) mod inferred_schema;
pub(crate) mod input_schema;
pub(crate) mod name;
pub(crate) mod origin;
mod pattern_cost;
pub(crate) mod proof;
pub(crate) mod sample;
pub(crate) mod schema;
pub(crate) mod sidecar;
pub(crate) mod spec;
mod studio;
pub(crate) mod view;
pub(crate) mod widget;
