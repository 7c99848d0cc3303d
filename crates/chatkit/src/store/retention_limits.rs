//! Retention limits of unauthenticated users.

use std::time::Duration;

/// Retention limits for users identified only by a cookie: anyone can create as many of them as they like.
/// Threads of authenticated callers are stored until they are deleted.
///
/// ```
/// use std::time::Duration;
/// use widgetcast_chatkit::RetentionLimits;
/// let limits = RetentionLimits { age: Duration::from_secs(7 * 24 * 3600), ..RetentionLimits::default() };
/// assert_eq!(limits.threads, 200);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RetentionLimits {
    /// Maximum threads of one such user; the oldest are deleted.
    pub threads: usize,
    /// Maximum bytes of one user's items. Beyond that, requests are rejected until the user starts another
    /// thread, which deletes the oldest.
    pub bytes: usize,
    /// Maximum items of one thread. Beyond that, the user must start another.
    pub items: usize,
    /// How long a thread is stored after it was created.
    pub age: Duration,
    /// Maximum threads of all such users at one IP address, so that no one can fill the storage by posing as
    /// many users; the oldest are deleted. Users on this machine, or behind a local proxy that does not send
    /// their IP addresses, cannot be distinguished and have no such limit.
    pub threads_of_address: usize,
    /// Approximate maximum of threads of all such users. Beyond that, no thread can be created, so that no
    /// user evicts the threads of others. Threads are counted once a minute.
    pub all_threads: usize,
    /// Approximate maximum bytes of the items of all such users. Beyond that, requests are rejected.
    pub all_bytes: usize,
    /// Approximate maximum bytes of the files of all such users. Beyond that, uploads are rejected. A file
    /// counts as at least 64 KiB.
    pub all_attached: usize,
    /// How long a file is stored that was not sent in a message, for all users.
    pub unsent: Duration,
}

impl Default for RetentionLimits {
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
