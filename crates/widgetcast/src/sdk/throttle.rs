//! A throttle for logs: repeated messages are logged a few times, then only counted.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;
use std::time::{Duration, Instant};

/// Maximum kinds that are counted separately; messages of further kinds are counted together.
const MAX_KINDS: usize = 1024;

/// Admits a few messages of each kind per period, and counts the rest.
///
/// ```
/// use std::time::{Duration, Instant};
/// use widgetcast::auth::Throttle;
///
/// let (mut throttle, now) = (Throttle::new(1, Duration::from_secs(10)), Instant::now());
/// assert!(throttle.admits("a", now) && !throttle.admits("a", now) && throttle.admits("b", now));
/// let later = now + Duration::from_secs(10);
/// assert_eq!(throttle.left_out(later), [(Some("a".to_owned()), 1)]);
/// assert!(throttle.admits("a", later));
/// ```
#[derive(Debug)]
pub struct Throttle<K> {
    most: usize,
    period: Duration,
    kinds: HashMap<K, Period>,
    /// Messages of further kinds.
    others: usize,
}

#[derive(Debug)]
struct Period {
    start: Instant,
    messages: usize,
}

impl<K: Hash + Eq> Throttle<K> {
    /// Creates a throttle that admits `most` messages of each kind per period.
    pub fn new(most: usize, period: Duration) -> Self {
        Self { most, period, kinds: HashMap::new(), others: 0 }
    }

    /// Whether to log a message of this kind now.
    pub fn admits<Q>(&mut self, kind: &Q, now: Instant) -> bool
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ToOwned<Owned = K> + ?Sized,
    {
        if let Some(period) = self.kinds.get_mut(kind) {
            period.messages += 1;
            return period.messages <= self.most;
        }
        if self.kinds.len() >= MAX_KINDS {
            self.others += 1;
            return false;
        }
        self.kinds.insert(kind.to_owned(), Period { start: now, messages: 1 });
        self.most > 0
    }

    /// Ends elapsed periods, and returns how many messages of each kind were suppressed in them. Call it
    /// before [`Throttle::admits`].
    pub fn left_out(&mut self, now: Instant) -> Vec<(Option<K>, usize)> {
        let is_over = |period: &Period| now.duration_since(period.start) >= self.period;
        if !self.kinds.values().any(is_over) {
            return Vec::new();
        }
        let over = self.kinds.extract_if(|_, period| is_over(period));
        let counts = over.map(|(kind, period)| (Some(kind), period.messages));
        let counts = counts.map(|(kind, messages)| (kind, messages.saturating_sub(self.most)));
        let mut counts: Vec<_> = counts.filter(|(_, left_out)| *left_out > 0).collect();
        if self.others > 0 {
            counts.push((None, std::mem::take(&mut self.others)));
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_of_a_period_is_counted() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let mut throttle: Throttle<String> = Throttle::new(3, Duration::from_secs(10));
        let through = (0..1000).filter(|_| throttle.admits("a", at(1))).count();
        assert_eq!(through, 3);
        assert!(throttle.admits("b", at(5)), "another kind");
        assert!(throttle.left_out(at(10)).is_empty(), "the period is not over");
        assert!(!throttle.admits("a", at(10)));
        assert_eq!(throttle.left_out(at(11)), [(Some("a".to_owned()), 998)]);
        assert!(throttle.left_out(at(11)).is_empty(), "it is told once");
        assert!(throttle.admits("a", at(11)), "a new period");
        assert!(throttle.left_out(at(100)).is_empty(), "nothing was left out");
    }

    #[test]
    fn kinds_are_bounded() {
        let now = Instant::now();
        let mut throttle: Throttle<String> = Throttle::new(1, Duration::from_secs(10));
        let through = (0..10_000).filter(|kind| throttle.admits(&*kind.to_string(), now)).count();
        assert_eq!(through, MAX_KINDS);
        let left_out = throttle.left_out(now + Duration::from_secs(10));
        assert_eq!(left_out, [(None, 10_000 - MAX_KINDS)]);
    }
}
