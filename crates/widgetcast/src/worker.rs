//! Workers: threads for work that would block a thread of the async runtime for too long.
//!
//! Most messages are handled immediately, on the thread that read them, under a small budget. Work that
//! exceeds it (a template with nested loops, a list of 10,000 rows, a body of megabytes) is repeated on a
//! worker, under the budget of a call. There are as many workers as cores; if the caller disconnects, its
//! work is cancelled.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use widgetcast_core::budget::{Budget, Stop};

use crate::call::request_id::{self, RequestId};
use crate::memory::Memory;
use crate::sdk::settings::Settings;
use crate::trace;

/// Capacity of the workers' queue.
const MAX_WAITING: usize = 64;

/// Witnesses that a budget is set on this thread. Every function whose cost depends on input requires it, and
/// only this file can create it, so no such work is unbounded.
#[derive(Clone, Copy, Debug)]
pub struct Budgeted(());

impl Budgeted {
    /// Tries work on a runtime thread, which must not be blocked; returns nothing if it takes longer.
    pub(crate) fn trial<T>(work: impl FnOnce(Self) -> T) -> Option<T> {
        Budget::trial().run(|| work(Self(()))).ok()
    }

    /// Does work on a dedicated thread, under the budget of a call.
    pub(crate) fn here<T>(work: impl FnOnce(Self) -> T) -> T {
        Budget::default().cover(|| work(Self(())))
    }
}

/// The workers of an app, for crates that add work.
#[derive(Debug)]
pub struct Workers {
    places: Arc<Semaphore>,
    cores: usize,
    waiting: AtomicUsize,
    pub(crate) memory: Memory,
}

impl Default for Workers {
    fn default() -> Self {
        Self::new(&Settings::default())
    }
}

/// Why work was rejected or failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Undone {
    /// The queue is full, or memory is short.
    Busy,
    Panicked,
}

impl Workers {
    pub(crate) fn new(settings: &Settings) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self {
            places: Arc::new(Semaphore::new(cores)),
            cores,
            waiting: AtomicUsize::new(0),
            memory: Memory::new(settings),
        }
    }

    /// Their purpose, for error messages.
    pub(crate) fn state(&self) -> Value {
        json!({
            "cores": self.cores,
            "busy": self.cores - self.places.available_permits().min(self.cores),
            "waiting": self.waiting.load(Ordering::Relaxed),
            "memory_is_short": self.memory.is_short(),
        })
    }

    /// Does work on a worker, under the budget of a call. Dropping the future cancels it.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(Budgeted) -> T + Send + 'static,
    ) -> Result<T, Undone> {
        let place = self.place().await?;
        Self::run_at(place, work).await.ok_or(Undone::Panicked)
    }

    /// Does work whose cause has already happened, such as a tool call, on this many bytes: it is never
    /// rejected, but queued for a worker, or run here if it is short. `None` if it panics.
    pub async fn finish<T: Send + 'static>(
        &self,
        bytes: usize,
        work: impl FnOnce(Budgeted) -> T + Send + 'static,
    ) -> Option<T> {
        if bytes <= Budget::MAX_TRIED_BYTES {
            return Some(Budgeted::here(work));
        }
        Self::run_at(Arc::clone(&self.places).acquire_owned().await.ok()?, work).await
    }

    async fn run_at<T: Send + 'static>(
        place: OwnedSemaphorePermit,
        work: impl FnOnce(Budgeted) -> T + Send + 'static,
    ) -> Option<T> {
        let stop = StopOnDrop(Stop::default());
        let budget = Budget::default().with_stop(&stop.0);
        let (span, id) = (trace::current(), request_id::current());
        let work = tokio::task::spawn_blocking(move || {
            let _place = place;
            let work = || budget.cover(|| work(Budgeted(())));
            span.in_scope(|| RequestId::cover(id.as_deref(), work))
        });
        work.await.ok()
    }

    async fn place(&self) -> Result<OwnedSemaphorePermit, Undone> {
        let waiting = Waiting(&self.waiting);
        if self.waiting.fetch_add(1, Ordering::Relaxed) >= MAX_WAITING {
            return Err(Undone::Busy);
        }
        let place = Arc::clone(&self.places).acquire_owned().await;
        drop(waiting);
        // If nothing else is running, there is no reason to wait.
        let is_alone = self.places.available_permits() + 1 == self.cores;
        match place {
            Ok(place) if is_alone || !self.memory.is_short() => Ok(place),
            _ => Err(Undone::Busy),
        }
    }
}

struct Waiting<'a>(&'a AtomicUsize);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

struct StopOnDrop(Stop);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use futures_util::FutureExt as _;
    use widgetcast_core::budget;

    use super::*;

    /// Work that runs until it is cancelled or its time is over.
    fn endless(
        begun: mpsc::Sender<()>,
        ended: mpsc::Sender<budget::Exceeded>,
    ) -> impl FnOnce(Budgeted) {
        move |_| {
            _ = begun.send(());
            let why = loop {
                if let Err(exceeded) = budget::steps(0).and(budget::steps(1)) {
                    break exceeded;
                }
                // Slowly, so that neither the steps nor the time are used up.
                std::thread::sleep(std::time::Duration::from_micros(1));
            };
            _ = ended.send(why);
        }
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn work_stops_when_its_caller_goes_away() {
        let workers = Arc::new(Workers::new(&Settings::default()));
        let ((begin, begun), (end, ended)) = (mpsc::channel(), mpsc::channel());
        let running = Arc::clone(&workers);
        let work = tokio::spawn(async move { running.run(endless(begin, end)).await });
        tokio::task::spawn_blocking(move || begun.recv()).await.unwrap().unwrap();
        work.abort();
        let why = tokio::task::spawn_blocking(move || ended.recv()).await.unwrap().unwrap();
        assert_eq!(why, budget::Exceeded::Stopped);
        // Its slot is free again.
        assert_eq!(workers.run(|_| 7).await, Ok(7));
    }

    #[tokio::test]
    async fn what_has_happened_waits_for_its_worker() {
        let workers = Workers::default();
        let cores = workers.places.available_permits();
        let all = workers.places.clone().acquire_many_owned(cores as u32).await.unwrap();
        let (short, long) = (Budget::MAX_TRIED_BYTES, Budget::MAX_TRIED_BYTES + 1);
        assert_eq!(workers.finish(short, |_| 7).now_or_never(), Some(Some(7)));
        let mut waiting: Vec<_> =
            (0..=MAX_WAITING).map(|_| Box::pin(workers.finish(long, |_| 7))).collect();
        for work in &mut waiting {
            assert_eq!(work.now_or_never(), None);
        }
        drop(all);
        for work in waiting {
            assert_eq!(work.await, Some(7));
        }
        assert_eq!(workers.finish(long, |_| panic!("on purpose")).await, None::<()>);
    }

    #[tokio::test]
    async fn a_panic_is_an_error_of_its_work_alone() {
        let workers = Workers::new(&Settings::default());
        assert_eq!(workers.run(|_| panic!("on purpose")).await, Err::<(), _>(Undone::Panicked));
        assert_eq!(workers.run(|_| 7).await, Ok(7));
    }

    #[tokio::test]
    async fn nothing_begins_beside_other_work_while_memory_is_short() {
        let settings = Settings { max_memory: Some(1), ..Settings::default() };
        let workers =
            Workers { cores: 2, places: Arc::new(Semaphore::new(2)), ..Workers::new(&settings) };
        let stopped = tokio_util::sync::CancellationToken::new();
        stopped.cancel();
        workers.memory.watch(stopped).await;
        assert_eq!(workers.run(|_| 7).await, Ok(7));
        let other = Arc::clone(&workers.places).acquire_owned().await.unwrap();
        assert_eq!(workers.run(|_| 7).await, Err(Undone::Busy));
        drop(other);
        assert_eq!(workers.run(|_| 7).await, Ok(7));
    }

    #[tokio::test]
    async fn no_more_than_so_much_work_waits() {
        let workers = Workers::new(&Settings::default());
        let cores = workers.places.available_permits();
        let all = workers.places.clone().acquire_many_owned(cores as u32).await.unwrap();
        let mut waiting: Vec<_> = (0..MAX_WAITING).map(|_| Box::pin(workers.run(|_| 7))).collect();
        for work in &mut waiting {
            assert_eq!(work.now_or_never(), None);
        }
        assert_eq!(workers.run(|_| 7).await, Err(Undone::Busy));
        // A caller that disconnects frees its slot.
        drop(waiting);
        drop(all);
        assert_eq!(workers.run(|_| 7).await, Ok(7));
        assert_eq!(workers.waiting.load(Ordering::Relaxed), 0);
    }
}
