//! The library's own log: messages that callers can cause are throttled.

use std::any::Any;
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::sdk::throttle::Throttle;

/// Whether to log a message of this kind about this tool. Also logs how many were suppressed.
pub(crate) fn may_log(kind: &'static str, tool: &str) -> bool {
    static LOGGED: LazyLock<Mutex<Throttle<String>>> =
        LazyLock::new(|| Mutex::new(Throttle::new(5, Duration::from_secs(10))));
    let now = Instant::now();
    let mut throttle = LOGGED.lock().unwrap_or_else(PoisonError::into_inner);
    let left_out = throttle.left_out(now);
    let admits = throttle.admits(&*format!("{kind} {tool}"), now);
    drop(throttle);
    for (kind, count) in left_out {
        tracing::warn!("{count} more messages not logged: {}", kind.as_deref().unwrap_or("others"));
    }
    admits
}

/// The message of a panic.
pub(crate) fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or_default()
}
