//! How much is kept of persons whom nobody has proven, and for how long.

use std::time::Duration;

/// Retention limits for users identified only by a cookie: anyone can create as many of them as they like.
/// Threads of authenticated callers are stored until they are deleted.
///
/// ```
/// use std::time::Duration;
/// use widgetcast_chatkit::KeepLimits;
/// let limits = KeepLimits { age: Duration::from_secs(7 * 24 * 3600), ..KeepLimits::default() };
/// assert_eq!(limits.threads, 200);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeepLimits {
    /// Maximum threads of one such user; the oldest are deleted.
    pub threads: usize,
    /// The most bytes of their items. Who begins another thread then loses the oldest; until then nothing is
    /// answered.
    pub bytes: usize,
    /// The most items of one thread; then another must be begun.
    pub items: usize,
    /// How long a thread is kept after it was begun.
    pub age: Duration,
    /// The most threads of all such users at one address, so that nobody fills everything by being many;
    /// the oldest go. Users on this machine, or behind a local proxy that does not send their IP addresses,
    /// cannot be distinguished and have no such limit.
    pub threads_of_address: usize,
    /// About the most threads of all such users; then no more are begun, so that nobody pushes out
    /// others'. They are counted once a minute.
    pub all_threads: usize,
    /// About the most bytes of the items of all such users; then nothing is answered.
    pub all_bytes: usize,
    /// About the most bytes of the files of all such users; then no more are taken. A file counts as 64 KiB
    /// at least.
    pub all_attached: usize,
    /// How long a file is kept that was sent with no message, whoever it is of.
    pub unsent: Duration,
}

impl Default for KeepLimits {
    fn default() -> Self {
        const DAY: Duration = Duration::from_secs(24 * 3600);
        Self {
            threads: 200,
            bytes: 64 << 20,
            items: 4000,
            age: 90 * DAY,
            threads_of_address: 5_000,
            all_threads: 100_000,
            all_bytes: 10 << 30,
            all_attached: 5 << 30,
            unsent: DAY,
        }
    }
}
