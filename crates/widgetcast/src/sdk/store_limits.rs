//! Size and retention limits of a store.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::store::EntryKind;
use crate::declaration::seconds;

/// Size and retention limits of a store. When it is full, the oldest entry of the owner with the most
/// data is evicted; a caller that exceeds its own quota evicts its own oldest.
///
/// ```
/// use widgetcast::store::{MemoryStore, StoreLimits};
///
/// let mut limits = StoreLimits::default();
/// limits.max_bytes_per_caller = Some(1 << 20);
/// let app = widgetcast::App::new("shop", "1.0.0").store(MemoryStore::new(&limits));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct StoreLimits {
    /// How long the data of a view is stored after it was last shown, in seconds. A store may keep it up to
    /// half as long again.
    #[serde(with = "seconds")]
    #[schemars(with = "f64")]
    pub instance_ttl: Duration,
    /// How long the state of a view is stored after its last change, in seconds.
    #[serde(with = "seconds")]
    #[schemars(with = "f64")]
    pub state_ttl: Duration,
    /// Maximum number of stored views, and of states. Default: 10,000 in memory, else 1,000,000.
    pub max_entries: Option<usize>,
    /// Maximum bytes of view data; states get a quarter of it. Default: 32 MiB in memory, else 4 GiB.
    pub max_bytes: Option<usize>,
    /// `max_entries` per caller: the authenticated caller, or the client's IP address. By default, a
    /// caller may use what the others leave free.
    pub max_entries_per_caller: Option<usize>,
    /// `max_bytes` per caller.
    pub max_bytes_per_caller: Option<usize>,
}

impl Default for StoreLimits {
    fn default() -> Self {
        let month = Duration::from_secs(30 * 24 * 60 * 60);
        Self {
            instance_ttl: month,
            state_ttl: month,
            max_entries: None,
            max_bytes: None,
            max_entries_per_caller: None,
            max_bytes_per_caller: None,
        }
    }
}

/// The limits for one kind of entry.
///
/// ```
/// use widgetcast::store::{EntryKind, KindLimits, StoreLimits};
///
/// let limits: KindLimits = StoreLimits::default().of(EntryKind::Instance, 10_000, 32 << 20);
/// assert_eq!(limits.max_entries, 10_000);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct KindLimits {
    /// How long an entry is stored.
    pub ttl: Duration,
    /// Maximum number of entries.
    pub max_entries: usize,
    /// Maximum bytes of data.
    pub max_bytes: usize,
    /// Maximum number of entries per owner.
    pub max_entries_per_owner: usize,
    /// Maximum bytes per owner.
    pub max_bytes_per_owner: usize,
}

impl StoreLimits {
    /// The limits for a kind of entry, given the default number of entries and bytes of the store.
    pub fn of(&self, kind: EntryKind, entries: usize, bytes: usize) -> KindLimits {
        let (ttl, part) = match kind {
            EntryKind::Instance => (self.instance_ttl, 1),
            EntryKind::State => (self.state_ttl, 4),
        };
        let max_entries = self.max_entries.unwrap_or(entries).max(1);
        let max_bytes = self.max_bytes.unwrap_or(bytes) / part;
        let own_bytes = self.max_bytes_per_caller.map_or(usize::MAX, |bytes| bytes / part);
        KindLimits {
            ttl,
            max_entries,
            max_bytes,
            max_entries_per_owner: self
                .max_entries_per_caller
                .unwrap_or(usize::MAX)
                .clamp(1, max_entries),
            max_bytes_per_owner: own_bytes.min(max_bytes),
        }
    }

    pub(crate) fn mistakes(&self) -> Vec<String> {
        let times = [("instance_ttl", self.instance_ttl), ("state_ttl", self.state_ttl)];
        let times = times.into_iter().filter(|(_, time)| time.is_zero()).map(|(name, _)| name);
        let sizes = [
            ("max_entries", self.max_entries),
            ("max_bytes", self.max_bytes),
            ("max_entries_per_caller", self.max_entries_per_caller),
            ("max_bytes_per_caller", self.max_bytes_per_caller),
        ];
        let sizes = sizes.into_iter().filter(|(_, size)| *size == Some(0)).map(|(name, _)| name);
        times.chain(sizes).map(|name| format!("store.{name} must not be 0")).collect()
    }
}
