//! When the quotas of a database are enforced, and the share of each owner. Counting with every write would
//! serialize all writes of one owner. So each process counts its own writes, and enforces quotas when these
//! reach a tenth of the limit, or after a minute. Enforcing reads all entries, and with small quotas it is
//! frequent: so it takes at most a tenth of the time, and until then quotas can be exceeded.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use widgetcast::store::{EntryKind, KindLimits, StoreError, StoreLimits};

use crate::size;

/// The maximum interval of enforcing quotas and expiry.
pub(crate) const PERIOD: Duration = Duration::from_secs(60);

/// The limits of a store, and the writes since they were enforced.
#[derive(Debug)]
pub(crate) struct Quota {
    limits: [(EntryKind, KindLimits); 2],
    entries: AtomicU64,
    bytes: AtomicU64,
    /// The writes until they are enforced again.
    most_entries: u64,
    most_bytes: u64,
}

impl Quota {
    pub(crate) fn new(limits: &StoreLimits) -> Self {
        let limits = size::limits(limits);
        let smallest = |of: fn(&KindLimits) -> usize| {
            let tenths = limits.iter().map(|(_, limits)| of(limits) as u64 / 10);
            tenths.min().unwrap_or_default().max(1)
        };
        Self {
            limits,
            entries: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            most_entries: smallest(|limits| limits.max_entries_per_owner),
            most_bytes: smallest(|limits| limits.max_bytes_per_owner),
        }
    }

    pub(crate) fn limits(&self) -> impl Iterator<Item = (EntryKind, KindLimits)> {
        self.limits.into_iter()
    }

    /// The limits of a kind.
    pub(crate) fn of(&self, kind: EntryKind) -> KindLimits {
        self.limits[usize::from(self.limits[0].0 != kind)].1
    }

    /// Rejects an entry over the limit of its owner.
    pub(crate) fn admit(&self, kind: EntryKind, bytes: usize) -> Result<(), StoreError> {
        let most = self.of(kind).max_bytes_per_owner;
        match bytes <= most {
            true => Ok(()),
            false => Err(StoreError::TooLarge { bytes, most }),
        }
    }

    /// Counts a write, and returns whether it is time to clean up.
    pub(crate) fn count(&self, bytes: usize) -> bool {
        let entries = self.entries.fetch_add(1, Ordering::Relaxed) + 1;
        let bytes = self.bytes.fetch_add(bytes as u64, Ordering::Relaxed) + bytes as u64;
        entries >= self.most_entries || bytes >= self.most_bytes
    }

    /// Quotas have been enforced.
    pub(crate) fn reset(&self) {
        self.entries.store(0, Ordering::Relaxed);
        self.bytes.store(0, Ordering::Relaxed);
    }
}

/// When to enforce them: if due, but not before ten times the duration of the last time has passed.
#[derive(Debug)]
pub(crate) struct Sweeps {
    pub is_due: bool,
    last: Instant,
    pause: Duration,
}

impl Sweeps {
    pub(crate) fn new(now: Instant) -> Self {
        Self { is_due: false, last: now, pause: Duration::ZERO }
    }

    /// The next time, given the current state.
    pub(crate) fn next(&self) -> Instant {
        self.last + if self.is_due { self.pause } else { PERIOD.max(self.pause) }
    }

    /// Quotas have been enforced.
    pub(crate) fn done(&mut self, begun: Instant, now: Instant) {
        *self = Self { is_due: false, last: now, pause: 10 * now.duration_since(begun) };
    }
}

/// The share of entries and bytes of each owner, given the current usage.
pub(crate) struct Levels {
    pub entries: i64,
    pub bytes: i64,
    /// Whether any owner has more.
    pub is_exceeded: bool,
}

impl Levels {
    pub(crate) fn new(usages: &[(i64, i64)], limits: &KindLimits) -> Self {
        let level = |of: fn(&(i64, i64)) -> i64, all: usize, own: usize| {
            let fair = fair(usages.iter().map(of).collect(), number(all));
            fair.min(number(own))
        };
        let entries = level(|usage| usage.0, limits.max_entries, limits.max_entries_per_owner);
        let bytes = level(|usage| usage.1, limits.max_bytes, limits.max_bytes_per_owner);
        let is_exceeded = usages.iter().any(|usage| usage.0 > entries || usage.1 > bytes);
        Self { entries, bytes, is_exceeded }
    }
}

fn number(size: usize) -> i64 {
    i64::try_from(size).unwrap_or(i64::MAX)
}

/// The share of each owner if all together may have `most`: owners with little keep it, and the others get
/// equal shares. If the limit is exceeded, a tenth is left free, so that quotas need not be enforced again
/// immediately.
fn fair(mut usages: Vec<i64>, most: i64) -> i64 {
    if usages.iter().sum::<i64>() <= most {
        return i64::MAX;
    }
    usages.sort_unstable();
    let (mut left, mut owners) = (most - most / 10, usages.len() as i64);
    for usage in usages {
        let part = left / owners;
        if usage > part {
            return part;
        }
        left -= usage;
        owners -= 1;
    }
    i64::MAX
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_with_little_keep_it() {
        assert_eq!(fair(vec![10, 20, 70], 100), i64::MAX);
        assert_eq!(fair(vec![10, 20, 71], 100), 60);
        assert_eq!(fair(vec![10, 500, 500], 100), 40);
        assert_eq!(fair(vec![50, 50, 50], 100), 30);
        assert_eq!(fair(vec![], 100), i64::MAX);
    }

    #[test]
    fn most_of_the_time_is_left_for_writing() {
        let (start, second) = (Instant::now(), Duration::from_secs(1));
        let mut sweeps = Sweeps::new(start);
        assert_eq!(sweeps.next(), start + PERIOD);
        sweeps.is_due = true;
        assert_eq!(sweeps.next(), start);
        sweeps.done(start, start + 2 * second);
        assert_eq!(sweeps.next(), start + 2 * second + PERIOD);
        sweeps.is_due = true;
        assert_eq!(sweeps.next(), start + 22 * second);
        sweeps.done(start, start + 20 * second);
        assert_eq!(sweeps.next(), start + 220 * second, "longer than a period");
    }

    #[test]
    fn an_owner_has_its_quota_at_most() {
        let mut limits = StoreLimits::default();
        limits.max_entries = Some(100);
        limits.max_entries_per_caller = Some(30);
        let quota = Quota::new(&limits);
        let levels = Levels::new(&[(31, 1), (10, 1)], &quota.of(EntryKind::Instance));
        assert_eq!((levels.entries, levels.is_exceeded), (30, true));
        let levels = Levels::new(&[(30, 1), (10, 1)], &quota.of(EntryKind::State));
        assert!(!levels.is_exceeded);
        assert!(!quota.count(1) && !quota.count(1) && quota.count(1), "a tenth of 30");
        quota.reset();
        assert!(!quota.count(1));
    }
}
