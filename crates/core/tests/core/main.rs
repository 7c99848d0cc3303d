//! One binary for all integration tests of the crate.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod attack;
mod broken;
mod catalog;
mod corpus;
mod dependencies;
mod expressions;
mod fuzz;
mod gallery;
mod generated;
mod growth;
mod looks;
mod mistakes;
mod rust_components;
mod shared;
mod slack_templates;
mod strict;
mod studio;
mod surfaces;
mod ts_components;
mod yaml;
