//! One binary for all integration tests of the crate.

mod corpus;
mod shared;
