//! One binary for all integration tests of the crate.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod attack;
mod broken;
mod budget;
mod catalog;
mod corpus;
mod dependencies;
mod expressions;
mod fuzz;
mod gallery;
mod generated;
mod growth;
mod host_templates;
mod host_words;
mod images;
mod mistakes;
mod outline;
mod planted;
mod rust_components;
mod shared;
mod strict;
mod studio;
mod surfaces;
mod ts_components;
mod yaml;
