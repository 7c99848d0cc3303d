//! Whole tool results: written from templates and data, and read back.

pub mod extract;
mod hydrate;

pub use hydrate::{Hydration, Id, instance_id};
