//! The budget of one piece of work: steps, values, bytes and time. Every call, check, reload and extraction
//! runs under one. Below the server, everything is synchronous, and much of it runs inside libraries that
//! pass no context along: filters of minijinja, the JSON type of the validator, serde. So a budget belongs to
//! the thread while its work runs, and all code whose cost depends on input draws on it with [`steps`],
//! [`bytes`] or [`values`]. Without a budget on the thread, nothing is counted.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::limits::Limits;

/// The resources that one piece of work may use.
///
/// ```
/// use widgetcast_engine::budget::{self, Budget, Exceeded};
/// use widgetcast_engine::limits::Limits;
///
/// let mut limits = Limits::default();
/// limits.steps = 1_000;
/// let count = |rounds: u64| {
///     Budget::new(&limits).run(|| (0..rounds).take_while(|_| budget::steps(1).is_ok()).count())
/// };
/// assert_eq!(count(1_000), Ok(1_000));
/// assert_eq!(count(1_001), Err(Exceeded::Steps));
/// ```
#[derive(Clone, Debug)]
pub struct Budget {
    steps: u64,
    values: usize,
    bytes: usize,
    time: Duration,
    stop: Option<Stop>,
    is_trial: bool,
}

impl Default for Budget {
    fn default() -> Self {
        Self::new(&Limits::default())
    }
}

impl Budget {
    /// Creates the budget of one call from these limits.
    pub fn new(limits: &Limits) -> Self {
        Self {
            steps: limits.steps,
            values: limits.values,
            bytes: limits.output_bytes.saturating_mul(8),
            time: Duration::from_millis(limits.milliseconds),
            stop: None,
            is_trial: false,
        }
    }

    /// Maximum length of text for a [trial](Self::trial): reading a longer one already takes that long.
    pub const MAX_TRIED_BYTES: usize = 32 << 10;

    /// A budget of about a millisecond, to try work on a thread that must not block. Work that exceeds it is
    /// repeated elsewhere, with a larger budget: see [`must_retry`].
    pub fn trial() -> Self {
        Self {
            steps: 20_000,
            values: 5_000,
            bytes: 64 << 10,
            time: Duration::from_millis(5),
            stop: None,
            is_trial: true,
        }
    }

    /// Sets another time limit.
    #[must_use]
    pub fn with_time(self, time: Duration) -> Self {
        Self { time, ..self }
    }

    /// Makes the work stoppable.
    #[must_use]
    pub fn with_stop(mut self, stop: &Stop) -> Self {
        self.stop = Some(stop.clone());
        self
    }

    /// Runs work under this budget or, as part of larger work, under the current one. Fails if the budget was
    /// exceeded, whatever the work returned.
    pub fn run<T>(&self, work: impl FnOnce() -> T) -> Result<T, Exceeded> {
        self.cover(|| {
            let result = work();
            exceeded().map_or(Ok(result), Err)
        })
    }

    /// Runs work under the current budget, or else under the default one. Fails if the budget was exceeded.
    pub fn run_within<T>(work: impl FnOnce() -> T) -> Result<T, Exceeded> {
        if !ACCOUNT.with(|account| account.is_open.get()) {
            return Self::default().run(work);
        }
        let result = work();
        exceeded().map_or(Ok(result), Err)
    }

    /// Like [`Self::run`], for work that itself reports an exceeded budget.
    pub fn cover<T>(&self, work: impl FnOnce() -> T) -> T {
        ACCOUNT.with(|account| {
            let _ending = account.begin(self);
            work()
        })
    }
}

/// Stops a piece of work from another thread.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Ends the work at its next step.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The resource that exceeded the budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Exceeded {
    /// Steps: iterations of loops, items, components.
    Steps,
    /// JSON values that it read.
    Values,
    /// Bytes that it produced.
    Bytes,
    /// Time.
    Time,
    /// It was stopped, because its caller is no longer waiting.
    Stopped,
}

impl fmt::Display for Exceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Exceeded::Steps => "exceeds the step limit",
            Exceeded::Values => "exceeds the limit of values",
            Exceeded::Bytes => "exceeds the byte limit",
            Exceeded::Time => "exceeds the time limit",
            Exceeded::Stopped => "was cancelled by its caller",
        })
    }
}

impl std::error::Error for Exceeded {}

/// Counts steps: iterations of a loop, items of a list, components.
#[inline]
pub fn steps(count: u64) -> Result<(), Exceeded> {
    match UNTIL_LOOK.get().checked_sub(count) {
        Some(left) => {
            UNTIL_LOOK.set(left);
            Ok(())
        }
        None => ACCOUNT.with(|account| account.look(count)),
    }
}

/// Counts JSON values that are read.
#[inline]
pub fn values(count: usize) -> Result<(), Exceeded> {
    match VALUES.get().checked_sub(count) {
        Some(left) => {
            VALUES.set(left);
            Ok(())
        }
        None => ACCOUNT.with(|account| account.overdraw(Exceeded::Values)),
    }
}

/// Counts bytes, before they are produced.
#[inline]
pub fn bytes(count: usize) -> Result<(), Exceeded> {
    match BYTES.get().checked_sub(count) {
        Some(left) => {
            BYTES.set(left);
            Ok(())
        }
        None => ACCOUNT.with(|account| account.overdraw(Exceeded::Bytes)),
    }
}

/// Runs a part of the work with its own limit of steps, if its cost must not grow with the budget of the
/// whole. Fails if the limit was exceeded; the rest of the work may then continue, unless its own budget is
/// exceeded.
///
/// ```
/// use widgetcast_engine::budget::{self, Budget, Exceeded};
///
/// let count = |rounds: u64| (0..rounds).take_while(|_| budget::steps(1).is_ok()).count();
/// let counts = Budget::default().run(|| [10, 11].map(|rounds| budget::at_most(10, || count(rounds))));
/// assert_eq!(counts, Ok([Ok(10), Err(Exceeded::Steps)]));
/// ```
pub fn at_most<T>(steps: u64, work: impl FnOnce() -> T) -> Result<T, Exceeded> {
    if !ACCOUNT.with(|account| account.is_open.get()) {
        return Budget { steps, ..Budget::default() }.run(work);
    }
    let (held, left) =
        ACCOUNT.with(|account| (account.hold_back(steps), (VALUES.get(), BYTES.get())));
    let result = work();
    let exceeded = ACCOUNT.with(|account| account.give_back(held, left));
    exceeded.map_or(Ok(result), Err)
}

/// Runs code outside the budget: the app's own code, which is trusted and must not be repeated because of a
/// trial.
pub fn outside<T>(work: impl FnOnce() -> T) -> T {
    /// Returns what is left to the account, also if the work panics.
    struct Restoring {
        is_open: bool,
        is_trial: bool,
        left: (u64, usize, usize),
    }

    impl Drop for Restoring {
        fn drop(&mut self) {
            ACCOUNT.with(|account| {
                account.is_open.set(self.is_open);
                account.is_trial.set(self.is_trial);
            });
            UNTIL_LOOK.set(self.left.0);
            VALUES.set(self.left.1);
            BYTES.set(self.left.2);
        }
    }
    let _restoring = Restoring {
        is_open: ACCOUNT.with(|account| account.is_open.replace(false)),
        is_trial: ACCOUNT.with(|account| account.is_trial.replace(false)),
        left: (UNTIL_LOOK.replace(u64::MAX), VALUES.replace(usize::MAX), BYTES.replace(usize::MAX)),
    };
    work()
}

/// Announces that the following work waits for a file. A trial ends here.
pub fn blocking() -> Result<(), Exceeded> {
    ACCOUNT.with(|account| match account.is_trial.get() {
        true => Err(account.exceed(Exceeded::Time)),
        false => Ok(()),
    })
}

/// Ends the work because a single value is too large.
pub(crate) fn too_large() -> Exceeded {
    ACCOUNT.with(|account| account.exceed(Exceeded::Bytes))
}

/// Whether the work on this thread has exceeded its budget, and must end.
pub fn exceeded() -> Option<Exceeded> {
    ACCOUNT.with(|account| account.exceeded.get())
}

/// Whether the work on this thread was a [trial](Budget::trial) that has failed. It will be repeated from the
/// start, so it must have no effects: no events, no counts, no log lines.
pub fn must_retry() -> bool {
    ACCOUNT.with(|account| account.is_trial.get() && account.exceeded.get().is_some())
}

/// The remaining steps; `None` without a budget. For tests.
#[doc(hidden)]
pub fn steps_left() -> Option<u64> {
    ACCOUNT.with(|account| {
        account.is_open.get().then(|| UNTIL_LOOK.get().saturating_add(account.steps.get()))
    })
}

/// Steps that are drawn at a time, after which the clock and the stop flag are checked.
const STEPS_BETWEEN_LOOKS: u64 = 1_000;

/// The rest of the budget on this thread.
struct Account {
    is_open: Cell<bool>,
    is_trial: Cell<bool>,
    /// Steps left after those until the next check.
    steps: Cell<u64>,
    time: Cell<Duration>,
    /// Set at the first check, so that short work does not query the clock.
    deadline: Cell<Option<Instant>>,
    stop: RefCell<Option<Stop>>,
    exceeded: Cell<Option<Exceeded>>,
}

thread_local! {
    // Separate from the account, because a value without a destructor is faster to access.
    /// Steps until the next check.
    static UNTIL_LOOK: Cell<u64> = const { Cell::new(u64::MAX) };
    static VALUES: Cell<usize> = const { Cell::new(usize::MAX) };
    static BYTES: Cell<usize> = const { Cell::new(usize::MAX) };
    static ACCOUNT: Account = const {
        Account {
            is_open: Cell::new(false),
            is_trial: Cell::new(false),
            steps: Cell::new(0),
            time: Cell::new(Duration::ZERO),
            deadline: Cell::new(None),
            stop: RefCell::new(None),
            exceeded: Cell::new(None),
        }
    };
}

impl Account {
    /// Opens the account, unless it is open: then this work is a part of the work that opened it.
    fn begin(&self, budget: &Budget) -> Option<Ending<'_>> {
        if self.is_open.replace(true) {
            return None;
        }
        self.is_trial.set(budget.is_trial);
        let first = budget.steps.min(STEPS_BETWEEN_LOOKS);
        UNTIL_LOOK.set(first);
        self.steps.set(budget.steps - first);
        VALUES.set(budget.values);
        BYTES.set(budget.bytes);
        self.time.set(budget.time);
        if budget.stop.is_some() {
            self.stop.replace(budget.stop.clone());
        }
        Some(Ending(self))
    }

    #[cold]
    fn look(&self, count: u64) -> Result<(), Exceeded> {
        if !self.is_open.get() {
            UNTIL_LOOK.set(u64::MAX);
            return Ok(());
        }
        if let Some(exceeded) = self.exceeded.get() {
            return Err(exceeded);
        }
        if self.stop.borrow().as_ref().is_some_and(|stop| stop.0.load(Ordering::Relaxed)) {
            return Err(self.exceed(Exceeded::Stopped));
        }
        let now = Instant::now();
        match self.deadline.get() {
            None => self.deadline.set(Some(now + self.time.get())),
            Some(deadline) if now > deadline => return Err(self.exceed(Exceeded::Time)),
            Some(_) => {}
        }
        let due = count - UNTIL_LOOK.get();
        let Some(left) = self.steps.get().checked_sub(due) else {
            return Err(self.exceed(Exceeded::Steps));
        };
        let next = left.min(STEPS_BETWEEN_LOOKS);
        UNTIL_LOOK.set(next);
        self.steps.set(left - next);
        Ok(())
    }

    /// Leaves this many steps to a part of the work; returns how many the whole has besides.
    fn hold_back(&self, steps: u64) -> u64 {
        if self.exceeded.get().is_some() {
            return 0;
        }
        let (first, later) = (UNTIL_LOOK.get(), self.steps.get());
        let next = first.min(steps);
        let rest = later.min(steps - next);
        UNTIL_LOOK.set(next);
        self.steps.set(rest);
        (first - next) + (later - rest)
    }

    /// Ends a part of the work; returns whether it, or the whole, exceeded its budget.
    fn give_back(&self, held: u64, (values, bytes): (usize, usize)) -> Option<Exceeded> {
        let exceeded = self.exceeded.get();
        // With nothing held back, the part has used up the whole.
        if held > 0 && exceeded == Some(Exceeded::Steps) {
            self.exceeded.set(None);
            self.steps.set(0);
            VALUES.set(values);
            BYTES.set(bytes);
        }
        self.steps.set(self.steps.get() + held);
        exceeded
    }

    /// The budget is exceeded: of a counted resource, or of an uncounted one.
    #[cold]
    fn overdraw(&self, what: Exceeded) -> Result<(), Exceeded> {
        if self.is_open.get() {
            return Err(self.exceed(what));
        }
        VALUES.set(usize::MAX);
        BYTES.set(usize::MAX);
        Ok(())
    }

    /// Nothing more can be drawn; the first reason counts.
    #[cold]
    fn exceed(&self, what: Exceeded) -> Exceeded {
        let first = self.exceeded.get().unwrap_or(what);
        if self.is_open.get() {
            self.exceeded.set(Some(first));
            UNTIL_LOOK.set(0);
            VALUES.set(0);
            BYTES.set(0);
        }
        first
    }
}

/// Closes the account, also after a panic.
struct Ending<'a>(&'a Account);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        let Self(account) = self;
        account.is_open.set(false);
        account.is_trial.set(false);
        UNTIL_LOOK.set(u64::MAX);
        VALUES.set(usize::MAX);
        BYTES.set(usize::MAX);
        account.deadline.set(None);
        account.exceeded.set(None);
        if account.stop.borrow().is_some() {
            account.stop.replace(None);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(steps: u64, milliseconds: u64) -> Limits {
        Limits { steps, milliseconds, values: 10, output_bytes: 10, ..Limits::default() }
    }

    fn take(count: u64) -> u64 {
        (0..count).take_while(|_| steps(1).is_ok()).count() as u64
    }

    #[test]
    fn steps_are_counted_to_the_last() {
        for most in [1, 999, 1_000, 1_001, 5_000] {
            let mut taken = 0;
            let outcome = Budget::new(&limits(most, 9_000)).run(|| taken = take(most));
            assert_eq!((outcome, taken), (Ok(()), most));
            let outcome = Budget::new(&limits(most, 9_000)).run(|| taken = take(most + 9));
            assert_eq!((outcome, taken), (Err(Exceeded::Steps), most));
        }
        let several = Budget::new(&limits(5_000, 9_000)).run(|| steps(4_999).and(steps(2)));
        assert_eq!(several, Err(Exceeded::Steps));
    }

    #[test]
    fn values_and_bytes_have_their_own_limits() {
        let budget = Budget::new(&limits(100, 9_000));
        assert_eq!(budget.run(|| values(10)), Ok(Ok(())));
        assert_eq!(budget.run(|| values(4).and(values(7))), Err(Exceeded::Values));
        assert_eq!(budget.run(|| bytes(80)), Ok(Ok(())));
        assert_eq!(budget.run(|| bytes(81)), Err(Exceeded::Bytes));
        // The first reason counts, and nothing can be drawn after it.
        let after = budget.run(|| {
            _ = bytes(81);
            assert_eq!(steps(1), Err(Exceeded::Bytes));
            assert_eq!(values(1), Err(Exceeded::Bytes));
            assert_eq!(exceeded(), Some(Exceeded::Bytes));
        });
        assert_eq!(after, Err(Exceeded::Bytes));
    }

    #[test]
    fn nothing_is_counted_without_a_budget() {
        assert_eq!((steps(u64::MAX), steps(u64::MAX)), (Ok(()), Ok(())));
        assert_eq!((bytes(usize::MAX), bytes(usize::MAX)), (Ok(()), Ok(())));
        assert_eq!((values(usize::MAX), values(usize::MAX)), (Ok(()), Ok(())));
        assert_eq!((too_large(), exceeded()), (Exceeded::Bytes, None));
        assert_eq!(Budget::new(&limits(5, 9_000)).run(|| take(5)), Ok(5));
        assert_eq!(take(5_000), 5_000);
    }

    #[test]
    fn a_part_runs_under_the_budget_of_the_whole() {
        let (whole, part) = (Budget::new(&limits(10, 9_000)), Budget::new(&limits(100, 9_000)));
        let mut inner = None;
        let outcome = whole.run(|| inner = Some(part.run(|| take(50))));
        assert_eq!((inner, outcome), (Some(Err(Exceeded::Steps)), Err(Exceeded::Steps)));
        assert_eq!(whole.run(|| part.run(|| take(4)).and(part.run(|| take(6)))), Ok(Ok(6)));
    }

    #[test]
    fn a_part_may_have_a_smaller_budget() {
        for whole in [20, 5_000] {
            let mut counts = Vec::new();
            let outcome = Budget::new(&limits(whole, 9_000)).run(|| {
                counts.push(at_most(10, || take(10)));
                counts.push(at_most(5, || take(9)));
                // The parts have used this up.
                counts.push(Ok(take(whole - 15)));
                assert_eq!(exceeded(), None);
                counts.push(at_most(5, || take(1)));
            });
            assert_eq!(outcome, Err(Exceeded::Steps));
            let over = Err(Exceeded::Steps);
            assert_eq!(counts, [Ok(10), over, Ok(whole - 15), over]);
        }
        // Other reasons belong to the whole.
        let outcome = Budget::new(&limits(100, 9_000)).run(|| at_most(10, || values(11).is_ok()));
        assert_eq!(outcome, Err(Exceeded::Values));
        assert_eq!(at_most(10, || take(11)), Err(Exceeded::Steps));
    }

    #[test]
    fn work_ends_when_its_time_is_over_or_it_is_stopped() {
        let forever = || while steps(1).is_ok() {};
        assert_eq!(Budget::new(&limits(u64::MAX, 0)).run(forever), Err(Exceeded::Time));
        let stop = Stop::default();
        let budget = Budget::new(&limits(u64::MAX, 60_000)).with_stop(&stop);
        let outcome = std::thread::scope(|scope| {
            let work = scope.spawn(|| budget.run(forever));
            stop.stop();
            work.join().expect("it ends")
        });
        assert_eq!(outcome, Err(Exceeded::Stopped));
        assert_eq!(Budget::new(&limits(5_000, 9_000)).run(|| take(5_000)), Ok(5_000));
    }

    #[test]
    fn only_a_trial_is_done_again() {
        let fail = || {
            _ = too_large();
            must_retry()
        };
        assert!(Budget::trial().cover(fail));
        assert!(!Budget::trial().cover(must_retry));
        assert!(!Budget::default().cover(fail));
        assert_eq!(Budget::trial().run(blocking), Err(Exceeded::Time));
        assert_eq!(Budget::default().run(blocking), Ok(Ok(())));
        assert!(!must_retry());
    }

    #[test]
    fn what_is_outside_draws_nothing() {
        let budget = Budget::new(&limits(10, 9_000));
        let outcome = budget.run(|| {
            _ = steps(4);
            assert_eq!(outside(|| (take(5_000), bytes(500), values(500))), (5_000, Ok(()), Ok(())));
            take(6)
        });
        assert_eq!(outcome, Ok(6));
        assert_eq!(budget.run(|| outside(|| steps(99)).and(steps(11))), Err(Exceeded::Steps));
        // Also if another budget begins and ends there.
        let nested = Budget::trial().cover(|| {
            _ = outside(|| budget.run(|| take(50)));
            assert_eq!(exceeded(), None);
            _ = too_large();
            must_retry()
        });
        assert!(nested);
    }

    #[test]
    fn a_panic_closes_the_account() {
        let budget = Budget::new(&limits(5, 9_000));
        let panic = std::panic::catch_unwind(|| {
            _ = budget.run(|| {
                _ = steps(6);
                panic!("on purpose");
            });
        });
        assert!(panic.is_err());
        assert_eq!((exceeded(), take(50)), (None, 50));
    }
}
