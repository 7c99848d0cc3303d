//! A catalog: an immutable snapshot of all widgets, and findings about the files that failed.
//!
//! Loading reads every file and takes what listing needs; a widget is compiled when it is first
//! asked for. [`Catalog::findings`] compiles all of them, so being lazy hides nothing.
//! [`Catalog::reread`] makes the next snapshot, which shares all files that did not change.

mod file;
mod reread;
mod snapshot;
mod sorted;

pub(crate) use file::in_parallel;
pub use reread::Changes;
pub(crate) use snapshot::not_found;
pub use snapshot::{Catalog, Listing};
