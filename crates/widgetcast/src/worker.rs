//! Workers: threads for work that would block a thread of the async runtime for too long.
//!
//! Most messages are handled immediately, on the thread that read them, under a small budget. Work that
//! exceeds it (a template with nested loops, a list of 10,000 rows, a body of megabytes) is repeated on a
//! worker, under the budget of a call. There are as many workers as cores; if the caller disconnects, its
//! work is cancelled. Where work waits, its owners take turns, so that no one waits for all the work of
//! another.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};
use tokio::sync::oneshot;
use widgetcast_core::budget::{Budget, Stop};

use crate::call::request_id::{self, RequestId};
use crate::memory::Memory;
use crate::sdk::caller::Caller;
use crate::sdk::owner::Owner;
use crate::sdk::peer::Peer;
use crate::sdk::settings::Settings;
use crate::trace;

/// Capacity of the workers' queue, in total and for one caller.
const MAX_WAITING: usize = 256;
const MAX_WAITING_OF_ONE: usize = 64;

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

tokio::task_local! {
    /// Whose work it is: see [`Workers::on_behalf`].
    static CLIENT: (Option<Caller>, Peer);
}

/// Free workers, and what waits for one.
#[derive(Debug)]
struct Queue {
    free: usize,
    /// In the order of their turns; none without work.
    owners: VecDeque<Waiters>,
}

#[derive(Debug)]
struct Waiters {
    owner: Option<Owner>,
    waiting: VecDeque<oneshot::Sender<Place>>,
}

/// A worker, until it is dropped.
#[derive(Debug)]
struct Place(Option<Arc<Mutex<Queue>>>);

fn lock(queue: &Mutex<Queue>) -> MutexGuard<'_, Queue> {
    queue.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Queue {
    fn new(free: usize) -> Arc<Mutex<Self>> {
        Arc::new(Mutex::new(Self { free, owners: VecDeque::new() }))
    }

    /// Takes a free worker, or waits for one.
    fn take(&mut self, owner: Option<Owner>) -> Result<(), oneshot::Receiver<Place>> {
        if let Some(left) = self.free.checked_sub(1) {
            self.free = left;
            return Ok(());
        }
        let (found, place) = oneshot::channel();
        match self.owners.iter_mut().find(|one| one.owner == owner) {
            Some(one) => {
                // Callers that have left.
                if one.waiting.len().is_power_of_two() {
                    one.waiting.retain(|waiter| !waiter.is_closed());
                }
                one.waiting.push_back(found);
            }
            None => self.owners.push_back(Waiters { owner, waiting: VecDeque::from([found]) }),
        }
        Err(place)
    }

    /// The work of this owner that waits.
    fn waiting_of(&self, owner: Option<Owner>) -> usize {
        let found = self.owners.iter().find(|one| one.owner == owner);
        let waiting = found.into_iter().flat_map(|one| &one.waiting);
        waiting.filter(|waiter| !waiter.is_closed()).count()
    }

    /// The next one to get a worker: of the owner whose turn it is.
    fn next(&mut self) -> Option<oneshot::Sender<Place>> {
        while let Some(mut one) = self.owners.pop_front() {
            let mut all = std::iter::from_fn(|| one.waiting.pop_front());
            // Others have left.
            let next = all.find(|waiter| !waiter.is_closed());
            if !one.waiting.is_empty() {
                self.owners.push_back(one);
            }
            if next.is_some() {
                return next;
            }
        }
        self.free += 1;
        None
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let Some(queue) = self.0.take() else { return };
        loop {
            let Some(next) = lock(&queue).next() else { return };
            match next.send(Self(Some(Arc::clone(&queue)))) {
                Ok(()) => return,
                // It has left just now.
                Err(mut place) => place.0 = None,
            }
        }
    }
}

/// The workers of an app, for crates that add work.
#[derive(Debug)]
pub struct Workers {
    places: Arc<Mutex<Queue>>,
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
            places: Queue::new(cores),
            cores,
            waiting: AtomicUsize::new(0),
            memory: Memory::new(settings),
        }
    }

    /// Their purpose, for error messages.
    pub(crate) fn state(&self) -> Value {
        json!({
            "cores": self.cores,
            "busy": self.cores - self.free().min(self.cores),
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
        Self::run_at(self.acquire().await?, work).await
    }

    /// The size of a value as JSON, counted up to that of work which is too long for a thread of the runtime.
    pub fn size_of(value: &impl serde::Serialize) -> usize {
        struct Counted(usize);

        impl std::io::Write for Counted {
            fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
                self.0 += bytes.len();
                match self.0 > Budget::MAX_TRIED_BYTES {
                    true => Err(std::io::ErrorKind::FileTooLarge.into()),
                    false => Ok(bytes.len()),
                }
            }

            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }

        let mut counted = Counted(0);
        match serde_json::to_writer(&mut counted, value) {
            Ok(()) => counted.0,
            Err(_) => usize::MAX,
        }
    }

    async fn run_at<T: Send + 'static>(
        place: Place,
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

    /// Runs requests of a client: the workers that they need are in its share.
    #[doc(hidden)]
    pub fn on_behalf<F: Future>(
        caller: Option<Caller>,
        peer: Peer,
        requests: F,
    ) -> impl Future<Output = F::Output> + use<F> {
        CLIENT.scope((caller, peer), requests)
    }

    fn free(&self) -> usize {
        lock(&self.places).free
    }

    /// Waits for a worker. Never `None`: the queue is there as long as this.
    async fn acquire(&self) -> Option<Place> {
        let taken = lock(&self.places).take(owner());
        match taken {
            Ok(()) => Some(Place(Some(Arc::clone(&self.places)))),
            Err(place) => place.await.ok(),
        }
    }

    async fn place(&self) -> Result<Place, Undone> {
        let waiting = Waiting(&self.waiting);
        if self.waiting.fetch_add(1, Ordering::Relaxed) >= MAX_WAITING
            || lock(&self.places).waiting_of(owner()) >= MAX_WAITING_OF_ONE
        {
            return Err(Undone::Busy);
        }
        let place = self.acquire().await;
        drop(waiting);
        // If nothing else is running, there is no reason to wait.
        let is_alone = self.free() + 1 == self.cores;
        match place {
            Some(place) if is_alone || !self.memory.is_short() => Ok(place),
            _ => Err(Undone::Busy),
        }
    }
}

/// Whose requests this task handles.
fn owner() -> Option<Owner> {
    CLIENT.try_with(|(caller, peer)| Owner::new(caller.as_ref(), *peer)).ok()
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
        let all = all_places(&workers);
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

    fn all_places(workers: &Workers) -> Vec<Place> {
        (0..workers.cores).map(|_| workers.acquire().now_or_never().flatten().unwrap()).collect()
    }

    /// One client has much to do, and another has little: it gets the worker that becomes free second.
    #[tokio::test]
    async fn clients_take_turns() {
        let one = Workers { cores: 1, places: Queue::new(1), ..Workers::default() };
        let workers = &one;
        let only = workers.acquire().await;
        let at = |last: u8| Peer::at([192, 0, 2, last].into());
        let of = |last: u8| Box::pin(Workers::on_behalf(None, at(last), workers.acquire()));
        let mut waiting: Vec<_> =
            [1, 1, 1, 1, 2, 1, 2, 3].into_iter().map(of).enumerate().collect();
        for (_, work) in &mut waiting {
            assert!(work.now_or_never().is_none());
        }
        drop(only);
        let mut order = Vec::new();
        while !waiting.is_empty() {
            // Whoever has the worker ends at once, and the next one gets it.
            waiting.retain_mut(|(number, work)| match work.now_or_never() {
                Some(place) => {
                    order.push(*number);
                    drop(place);
                    false
                }
                None => true,
            });
        }
        assert_eq!(order, [0, 4, 7, 1, 6, 2, 3, 5]);
        assert_eq!(workers.free(), 1);
    }

    #[tokio::test]
    async fn a_worker_passes_over_those_who_left() {
        let workers = Workers { cores: 1, places: Queue::new(1), ..Workers::default() };
        let only = workers.acquire().await;
        let mut waiting: Vec<_> = (0..5).map(|_| Box::pin(workers.acquire())).collect();
        for work in &mut waiting {
            assert!(work.now_or_never().is_none());
        }
        let last = waiting.pop();
        drop(waiting);
        drop(only);
        // It is given to the last, who leaves before taking it.
        drop(last);
        assert_eq!(workers.free(), 1);
    }

    #[test]
    fn sizes_are_counted_as_far_as_they_matter() {
        assert_eq!(Workers::size_of(&json!({ "a": [1, "b"] })), r#"{"a":[1,"b"]}"#.len());
        let most = "x".repeat(Budget::MAX_TRIED_BYTES - 2);
        assert_eq!(Workers::size_of(&most), Budget::MAX_TRIED_BYTES);
        assert_eq!(Workers::size_of(&(most, 1)), usize::MAX);
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
        let workers = Workers { cores: 2, places: Queue::new(2), ..Workers::new(&settings) };
        let stopped = tokio_util::sync::CancellationToken::new();
        stopped.cancel();
        workers.memory.watch(stopped).await;
        assert_eq!(workers.run(|_| 7).await, Ok(7));
        let other = workers.acquire().await.unwrap();
        assert_eq!(workers.run(|_| 7).await, Err(Undone::Busy));
        drop(other);
        assert_eq!(workers.run(|_| 7).await, Ok(7));
    }

    #[tokio::test]
    async fn no_more_than_so_much_work_waits() {
        let workers = Workers::new(&Settings::default());
        let all = all_places(&workers);
        let mut waiting: Vec<_> =
            (0..MAX_WAITING_OF_ONE).map(|_| Box::pin(workers.run(|_| 7))).collect();
        for work in &mut waiting {
            assert_eq!(work.now_or_never(), None);
        }
        assert_eq!(workers.run(|_| 7).await, Err(Undone::Busy));
        // There is room for others.
        let other = Peer::at([192, 0, 2, 1].into());
        let mut of_other = Box::pin(Workers::on_behalf(None, other, workers.run(|_| 7)));
        assert_eq!((&mut of_other).now_or_never(), None);
        drop(of_other);
        // A caller that disconnects frees its slot.
        drop(waiting);
        drop(all);
        assert_eq!(workers.run(|_| 7).await, Ok(7));
        assert_eq!(workers.waiting.load(Ordering::Relaxed), 0);
    }
}
