//! A bounded cache of verified tokens, by their hashes, until they expire.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};
use std::time::{SystemTime, UNIX_EPOCH};

use ring::digest::{SHA256, SHA256_OUTPUT_LEN, digest};
use widgetcast::Caller;
use widgetcast::auth::Refusal;

/// What stands for a token: no one can get it back from this.
pub(crate) type TokenHash = [u8; SHA256_OUTPUT_LEN];

pub(crate) fn hash(token: &str) -> TokenHash {
    let mut hash = [0; SHA256_OUTPUT_LEN];
    hash.copy_from_slice(digest(&SHA256, token.as_bytes()).as_ref());
    hash
}

/// Seconds since 1970, as in tokens.
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// The result of a verification, and its expiry.
#[derive(Clone)]
pub(crate) struct Found {
    pub caller: Result<Caller, Refusal>,
    pub until: u64,
}

/// Two generations: when the newer one is full, it replaces the older, whose tokens are verified again on
/// use. So entries need no order, and used ones stay.
pub(crate) struct Cache {
    half: usize,
    halves: RwLock<Halves>,
}

#[derive(Default)]
struct Halves {
    newer: HashMap<TokenHash, Found>,
    older: HashMap<TokenHash, Found>,
    /// The version of the keys that verified them: with other keys, all entries are invalid.
    keys: u64,
}

impl Cache {
    pub(crate) fn new(most: usize) -> Self {
        Self { half: most.div_ceil(2), halves: RwLock::default() }
    }

    /// The cached result for a token, if these keys verified it.
    pub(crate) fn get(&self, hash: &TokenHash, keys: u64) -> Option<Result<Caller, Refusal>> {
        let halves = self.halves.read().unwrap_or_else(PoisonError::into_inner);
        if halves.keys != keys {
            return None;
        }
        let holds = |found: &&Found| now() < found.until;
        if let Some(found) = halves.newer.get(hash) {
            return Some(found).filter(holds).map(|found| found.caller.clone());
        }
        let found = halves.older.get(hash).filter(holds)?.clone();
        drop(halves);
        let caller = found.caller.clone();
        self.insert(*hash, keys, found);
        Some(caller)
    }

    pub(crate) fn insert(&self, hash: TokenHash, keys: u64, found: Found) {
        let mut halves = self.halves.write().unwrap_or_else(PoisonError::into_inner);
        if keys < halves.keys {
            // Verified with keys that were replaced in the meantime.
            return;
        }
        if keys > halves.keys {
            *halves = Halves { keys, ..Halves::default() };
        }
        if halves.newer.len() >= self.half {
            halves.older = std::mem::take(&mut halves.newer);
        }
        halves.newer.insert(hash, found);
    }

    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        let halves = self.halves.read().unwrap();
        halves.newer.len() + halves.older.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(name: &str, until: u64) -> Found {
        Found { caller: Ok(Caller::new(name)), until }
    }

    #[test]
    fn it_is_bounded_and_keeps_what_is_used() {
        let cache = Cache::new(10);
        cache.insert(hash("used"), 1, found("ada", u64::MAX));
        for n in 0..100 {
            cache.insert(hash(&n.to_string()), 1, found("other", u64::MAX));
            assert!(cache.len() <= 10, "{}", cache.len());
            assert_eq!(cache.get(&hash("used"), 1), Some(Ok(Caller::new("ada"))), "{n}");
        }
        assert_eq!(cache.get(&hash("0"), 1), None);
    }

    #[test]
    fn nothing_outlives_its_time_or_its_keys() {
        let cache = Cache::new(10);
        cache.insert(hash("late"), 1, found("ada", now() - 1));
        assert_eq!(cache.get(&hash("late"), 1), None);
        cache.insert(hash("good"), 1, found("ada", now() + 60));
        assert!(cache.get(&hash("good"), 1).is_some());
        assert_eq!(cache.get(&hash("good"), 2), None);
        cache.insert(hash("new"), 2, found("ada", now() + 60));
        assert_eq!(cache.get(&hash("good"), 1), None);
        // Results from old keys are discarded.
        cache.insert(hash("good"), 1, found("ada", now() + 60));
        assert_eq!(cache.get(&hash("good"), 2), None);
        assert!(cache.get(&hash("new"), 2).is_some());
    }
}
