//! Quotas: the share of the server that one caller and one tool may use.
//!
//! The call rate does not use governor, unlike that of requests: a call that is repeated on a worker after a
//! trial must be refunded.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::sdk::owner::Owner;
use crate::sdk::quota_limits::QuotaLimits;

const MINUTE: Duration = Duration::from_secs(60);
/// Number of callers that are tracked before idle ones are removed.
const REMEMBERED: usize = 1024;

/// Counts the calls of callers and tools, if there is a limit.
#[derive(Debug)]
pub(crate) struct Quotas {
    limits: QuotaLimits,
    callers: Mutex<Callers>,
    tools: Places<Box<str>>,
}

#[derive(Debug)]
struct Callers {
    usage: HashMap<Owner, Usage>,
    /// The number of callers at which idle ones are removed.
    tidy_at: usize,
}

#[derive(Clone, Copy, Debug)]
struct Usage {
    running: usize,
    /// When the caller has its full burst again.
    rested_at: Instant,
}

/// The limit that was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Limit {
    /// The calls per minute, and when the next one is allowed.
    Rate(u32, Duration),
    /// The concurrent calls of a caller.
    Calls(usize),
    /// The concurrent calls of a tool.
    Tool(usize),
}

impl Limit {
    /// The `Retry-After`, in seconds.
    pub(crate) fn retry_after(self) -> u64 {
        match self {
            Self::Rate(_, wait) => wait.as_secs() + 1,
            Self::Calls(_) | Self::Tool(_) => 1,
        }
    }
}

impl std::fmt::Display for Limit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let seconds = self.retry_after();
        match self {
            Self::Rate(most, _) => write!(
                f,
                "Too many calls: the limit is {most} per minute and caller; retry in {seconds} s (the \
                 operator can raise quotas.calls_per_minute)"
            ),
            Self::Calls(most) => write!(
                f,
                "Too many concurrent calls: the limit is {most} per caller; wait until one finishes (the \
                 operator can raise quotas.max_calls)"
            ),
            Self::Tool(most) => write!(
                f,
                "Too many concurrent calls of this tool: the limit is {most}; retry in {seconds} s (the \
                 operator can raise quotas.max_calls_per_tool, or the tool's own max_calls)"
            ),
        }
    }
}

/// A call that counts until this is dropped.
#[derive(Debug)]
pub(crate) struct Permit {
    quotas: Arc<Quotas>,
    caller: Option<Owner>,
    _tool: Option<Place<Box<str>>>,
}

impl Quotas {
    /// The quotas of an app, if any.
    pub(crate) fn new(limits: &QuotaLimits, has_limited_tools: bool) -> Option<Arc<Self>> {
        if *limits == QuotaLimits::default() && !has_limited_tools {
            return None;
        }
        let callers = Callers { usage: HashMap::new(), tidy_at: REMEMBERED };
        let (limits, callers) = (limits.clone(), Mutex::new(callers));
        Some(Arc::new(Self { limits, callers, tools: Places::default() }))
    }

    /// Starts a call. `own` is the tool's own limit; an unknown caller has none.
    pub(crate) fn admit(
        self: &Arc<Self>,
        caller: Option<Owner>,
        tool: &str,
        own: Option<usize>,
        now: Instant,
    ) -> Result<Permit, Limit> {
        let most = own.unwrap_or(self.limits.max_calls_per_tool);
        let place = match most {
            0 => None,
            most => Some(self.tools.take(tool.into(), most).ok_or(Limit::Tool(most))?),
        };
        let caller = caller.filter(|_| self.limits_callers());
        if let Some(caller) = caller {
            self.begin(caller, now)?;
        }
        Ok(Permit { quotas: Arc::clone(self), caller, _tool: place })
    }

    fn limits_callers(&self) -> bool {
        self.limits.max_calls > 0 || self.limits.calls_per_minute > 0
    }

    /// The time that one call adds.
    fn rest(&self) -> Duration {
        MINUTE.checked_div(self.limits.calls_per_minute).unwrap_or_default()
    }

    fn begin(&self, caller: Owner, now: Instant) -> Result<(), Limit> {
        let mut callers = self.callers();
        callers.forget_quiet(now);
        let usage = callers.usage.entry(caller).or_insert(Usage { running: 0, rested_at: now });
        let most = self.limits.max_calls;
        if most > 0 && usage.running >= most {
            return Err(Limit::Calls(most));
        }
        let rested_at = usage.rested_at.max(now) + self.rest();
        if let Some(wait) = rested_at.duration_since(now).checked_sub(MINUTE)
            && !wait.is_zero()
        {
            return Err(Limit::Rate(self.limits.calls_per_minute, wait));
        }
        *usage = Usage { running: usage.running + 1, rested_at };
        Ok(())
    }

    fn callers(&self) -> MutexGuard<'_, Callers> {
        self.callers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of tracked callers, and of their running calls.
    pub(crate) fn counts(&self) -> (usize, usize) {
        let callers = self.callers();
        (callers.usage.len(), callers.usage.values().map(|usage| usage.running).sum())
    }

    /// The number of running calls of each tool with a limit.
    pub(crate) fn tools(&self) -> Vec<(Box<str>, usize)> {
        let mut tools: Vec<_> =
            self.tools.lock().iter().map(|(tool, running)| (tool.clone(), *running)).collect();
        tools.sort();
        tools
    }
}

impl Callers {
    /// Removes idle callers if there are many. The number that stays doubles the threshold, so that the
    /// amortized cost of a call is constant.
    fn forget_quiet(&mut self, now: Instant) {
        if self.usage.len() < self.tidy_at {
            return;
        }
        self.usage.retain(|_, usage| usage.running > 0 || usage.rested_at > now);
        self.tidy_at = (2 * self.usage.len()).max(REMEMBERED);
    }
}

impl Permit {
    /// The call is repeated, so this one does not count toward the rate.
    pub(crate) fn give_back(&self) {
        let Some(caller) = self.caller else { return };
        if let Some(usage) = self.quotas.callers().usage.get_mut(&caller)
            && let Some(before) = usage.rested_at.checked_sub(self.quotas.rest())
        {
            usage.rested_at = before;
        }
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let Some(caller) = self.caller else { return };
        if let Some(usage) = self.quotas.callers().usage.get_mut(&caller) {
            usage.running = usage.running.saturating_sub(1);
        }
    }
}

/// Counts concurrent uses of each key, and keeps only keys in use. Cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct Places<K>(Arc<Mutex<HashMap<K, usize>>>);

/// Counts until it is dropped.
#[derive(Debug)]
pub(crate) struct Place<K: Hash + Eq> {
    all: Places<K>,
    key: K,
}

impl<K> Default for Places<K> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<K> Places<K> {
    fn lock(&self) -> MutexGuard<'_, HashMap<K, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The total number.
    pub(crate) fn count(&self) -> usize {
        self.lock().values().sum()
    }
}

impl<K: Hash + Eq + Clone> Places<K> {
    /// Increments the count of a key, if it is below `most`.
    pub(crate) fn take(&self, key: K, most: usize) -> Option<Place<K>> {
        let mut all = self.lock();
        let count = all.entry(key.clone()).or_default();
        if *count >= most {
            return None;
        }
        *count += 1;
        drop(all);
        Some(Place { all: self.clone(), key })
    }
}

impl<K: Hash + Eq> Drop for Place<K> {
    fn drop(&mut self) {
        let mut all = self.all.lock();
        if let Some(count) = all.get_mut(&self.key) {
            *count -= 1;
            if *count == 0 {
                all.remove(&self.key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;
    use crate::sdk::peer::Peer;

    fn owner(bits: u32) -> Option<Owner> {
        Some(Peer::at(Ipv4Addr::from_bits(bits).into()).into())
    }

    fn quotas(calls_per_minute: u32, max_calls: usize, max_calls_per_tool: usize) -> Arc<Quotas> {
        let limits = QuotaLimits { calls_per_minute, max_calls, max_calls_per_tool };
        Quotas::new(&limits, false).unwrap()
    }

    #[test]
    fn nothing_is_counted_without_a_limit() {
        assert!(Quotas::new(&QuotaLimits::default(), false).is_none());
        assert!(Quotas::new(&QuotaLimits::default(), true).is_some());
    }

    #[test]
    fn a_minute_has_so_many_calls_of_one_caller() {
        let (quotas, start) = (quotas(4, 0, 0), Instant::now());
        let at = |seconds| start + Duration::from_secs(seconds);
        let admit = |caller, at| quotas.admit(owner(caller), "t", None, at).map(drop);
        for _ in 0..4 {
            assert_eq!(admit(1, start), Ok(()));
        }
        assert_eq!(admit(1, start), Err(Limit::Rate(4, Duration::from_secs(15))));
        assert_eq!(admit(2, start), Ok(()), "another caller");
        assert_eq!(admit(1, at(14)), Err(Limit::Rate(4, Duration::from_secs(1))));
        assert_eq!(admit(1, at(15)), Ok(()));
        assert!(admit(1, at(15)).is_err());
        assert_eq!((0..9).filter(|_| admit(1, at(500)).is_ok()).count(), 4, "no more after a rest");
    }

    #[test]
    fn what_is_given_back_does_not_count() {
        let (quotas, now) = (quotas(1, 0, 0), Instant::now());
        for _ in 0..10 {
            quotas.admit(owner(1), "t", None, now).unwrap().give_back();
        }
        drop(quotas.admit(owner(1), "t", None, now).unwrap());
        assert!(quotas.admit(owner(1), "t", None, now).is_err());
    }

    #[test]
    fn so_many_run_at_the_same_time() {
        let (quotas, now) = (quotas(0, 2, 3), Instant::now());
        let admit = |caller, own| quotas.admit(owner(caller), "t", own, now);
        let running = [admit(1, None).unwrap(), admit(1, None).unwrap()];
        assert_eq!(admit(1, None).unwrap_err(), Limit::Calls(2));
        let other = admit(2, None).unwrap();
        assert_eq!(admit(2, None).unwrap_err(), Limit::Tool(3));
        assert_eq!(admit(2, Some(1)).unwrap_err(), Limit::Tool(1), "the tool's own");
        let more = admit(2, Some(9)).unwrap();
        assert_eq!(quotas.counts(), (2, 4));
        assert_eq!(quotas.tools(), [("t".into(), 4)]);
        drop((running, other, more));
        assert_eq!(quotas.counts(), (2, 0));
        assert!(quotas.tools().is_empty());
        assert!(admit(1, None).is_ok());
        // A call rejected for its caller leaves the tool's count unchanged.
        let _two = [admit(1, None).unwrap(), admit(1, None).unwrap()];
        assert!(admit(1, None).is_err());
        assert_eq!(quotas.tools(), [("t".into(), 2)]);
    }

    /// Of many callers, idle ones are removed at low cost.
    #[test]
    fn quiet_callers_are_forgotten() {
        let (quotas, start) = (quotas(60_000, 9, 0), Instant::now());
        let held = quotas.admit(owner(1), "t", None, start).unwrap();
        for caller in 2..10_000 {
            // A call adds a millisecond, and the calls are sequential.
            let now = start + Duration::from_millis(u64::from(caller));
            drop(quotas.admit(owner(caller), "t", None, now).unwrap());
            assert!(quotas.counts().0 <= REMEMBERED + 1);
        }
        assert_eq!(quotas.counts().1, 1, "who has a call running is remembered");
        drop(held);
    }
}
