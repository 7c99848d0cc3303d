//! One binary for all integration tests of the crate.

mod attack;
mod broken;
mod catalog;
mod corpus;
mod dependencies;
mod expressions;
mod fuzz;
mod gallery;
mod generated;
mod shared;
mod strict;
