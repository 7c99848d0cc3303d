//! Timestamps of the protocol, and those that order rows.

use std::sync::atomic::{AtomicI64, Ordering};

use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// Now, in RFC 3339 with microseconds.
pub(crate) fn now() -> String {
    let now = OffsetDateTime::now_utc();
    let now = now.replace_microsecond(now.microsecond()).unwrap_or(now);
    now.format(&Rfc3339).unwrap_or_default()
}

/// The time in microseconds, unique in this process.
pub(crate) fn next() -> i64 {
    static LAST: AtomicI64 = AtomicI64::new(0);
    let now = i64::try_from(OffsetDateTime::now_utc().unix_timestamp_nanos() / 1000).unwrap_or(0);
    let last = LAST.fetch_max(now, Ordering::Relaxed);
    if last < now { now } else { LAST.fetch_add(1, Ordering::Relaxed) + 1 }
}
