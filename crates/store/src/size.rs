//! The default limits of a database.

use widgetcast::store::{EntryKind, KindLimits, StoreLimits};

const ENTRIES: usize = 1_000_000;
const BYTES: usize = 4 << 30;

/// Every kind of entry, with its name in a database and its limits.
pub(crate) fn limits(limits: &StoreLimits) -> [(EntryKind, KindLimits); 2] {
    [EntryKind::Instance, EntryKind::State].map(|kind| (kind, limits.of(kind, ENTRIES, BYTES)))
}
