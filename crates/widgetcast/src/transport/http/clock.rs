//! A coarse clock for the timeouts of connections.
//!
//! A timer for the head of each request would cost more than parsing the head, and hardly ever fires. So all
//! connections share one clock: it advances every few seconds, and a connection that waits for a head checks
//! it then.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use hyper::rt::{Sleep, Timer};

/// The interval of the clock.
pub(super) const TICK: Duration = Duration::from_secs(3);

#[derive(Clone)]
pub(super) struct Clock(Arc<Ticks>);

struct Ticks {
    start: Instant,
    ticks: AtomicU32,
}

impl Clock {
    /// Advances by one tick. Sleeping tasks must be polled afterwards.
    pub(super) fn advance(&self) {
        self.0.ticks.fetch_add(1, Ordering::Relaxed);
    }
}

impl Default for Clock {
    fn default() -> Self {
        Self(Arc::new(Ticks { start: Instant::now(), ticks: AtomicU32::new(0) }))
    }
}

impl Timer for Clock {
    fn now(&self) -> Instant {
        self.0.start + TICK * self.0.ticks.load(Ordering::Relaxed)
    }

    fn sleep(&self, time: Duration) -> Pin<Box<dyn Sleep>> {
        self.sleep_until(self.now() + time)
    }

    fn sleep_until(&self, end: Instant) -> Pin<Box<dyn Sleep>> {
        Box::pin(Until { clock: self.clone(), end })
    }
}

struct Until {
    clock: Clock,
    end: Instant,
}

impl Future for Until {
    type Output = ();

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if self.clock.now() < self.end { Poll::Pending } else { Poll::Ready(()) }
    }
}

impl Sleep for Until {}
