//! Timestamps in databases: microseconds since 1970.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, SystemTime};

/// Now.
pub(crate) fn now() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    micros(since)
}

/// The time, but later than ever before in this process, so that writes are ordered.
pub(crate) fn next() -> i64 {
    static LAST: AtomicI64 = AtomicI64::new(0);
    let now = now();
    let last =
        LAST.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |last| Some(now.max(last + 1)));
    last.map_or(now, |last| now.max(last + 1))
}

/// A duration, at most a century.
pub(crate) fn micros(time: Duration) -> i64 {
    const CENTURY: i64 = 100 * 365 * 24 * 60 * 60 * 1_000_000;
    i64::try_from(time.as_micros()).unwrap_or(CENTURY).min(CENTURY)
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_time_is_later() {
        let times: Vec<i64> = (0..1000).map(|_| super::next()).collect();
        assert!(times.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(super::micros(std::time::Duration::MAX) > 0);
    }
}
