//! A catalog: an immutable snapshot of all widgets, with findings about the files that failed. Loading parses
//! what lists need from every file; a widget is compiled on first use. [`Catalog::findings`] compiles all of
//! them, so nothing stays unnoticed. [`Catalog::reread`] creates the next snapshot, which shares all
//! unchanged files.

mod changes;
mod file;
mod parallel;
mod reread;
mod scope;
mod search;
mod snapshot;
mod sorted;

pub use changes::Changes;
pub(crate) use parallel::in_parallel;
pub use search::is_left_out;
pub(crate) use snapshot::not_found;
pub use snapshot::{Catalog, Listing};
