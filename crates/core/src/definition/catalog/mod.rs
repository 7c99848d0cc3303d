//! A catalog: an immutable snapshot of all widgets, and findings about the files that failed.
//!
//! Loading reads every file and takes what listing needs; a widget is compiled when it is first
//! asked for. [`Catalog::findings`] compiles all of them, so nothing stays unnoticed.
//! [`Catalog::reread`] makes the next snapshot, which shares all files that did not change.

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
