//! The in-memory store, bounded and fair between owners.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::time::{Duration, Instant};

use super::owner::Owner;
use super::store::{Entry, EntryKind, Store, StoreFuture, Stored};
use super::store_error::StoreError;
use super::store_limits::{KindLimits, StoreLimits};

/// Stores the newest instances and states in memory. When it is full, it evicts the oldest entry of the
/// owner with the most data, so a heavy caller evicts only its own. See [`StoreLimits`].
#[derive(Debug)]
pub struct MemoryStore {
    instances: Mutex<BoundedMap>,
    states: Mutex<BoundedMap>,
}

/// A map of bounded length and size.
#[derive(Debug)]
struct BoundedMap {
    limits: KindLimits,
    entries: HashMap<Arc<str>, Slot>,
    shares: HashMap<Owner, Share>,
    /// All owners by weight.
    by_weight: BTreeSet<(usize, Owner)>,
    bytes: usize,
    /// The number of insertions.
    clock: u64,
}

#[derive(Debug)]
struct Slot {
    value: Stored,
    owner: Owner,
    at: u64,
    expires: Instant,
}

impl Slot {
    fn bytes(&self) -> usize {
        self.value.data.len()
    }
}

/// The entries of one owner.
#[derive(Debug, Default)]
struct Share {
    weight: usize,
    /// Its ids, oldest first.
    order: BTreeMap<u64, Arc<str>>,
}

impl BoundedMap {
    fn new(limits: KindLimits) -> Mutex<Self> {
        Mutex::new(Self {
            limits,
            entries: HashMap::new(),
            shares: HashMap::new(),
            by_weight: BTreeSet::new(),
            bytes: 0,
            clock: 0,
        })
    }

    /// The weight of an entry: its bytes, and its share of the capacity.
    fn weight(&self, bytes: usize) -> usize {
        bytes + self.part()
    }

    /// The weight of one entry of the capacity.
    fn part(&self) -> usize {
        (self.limits.max_bytes / self.limits.max_entries).max(1)
    }

    /// Inserts or replaces an entry.
    fn insert(&mut self, entry: Entry<'_>) -> Result<(), StoreError> {
        let (owner, bytes, limits) = (entry.owner, entry.data.len(), self.limits);
        if bytes > limits.max_bytes_per_owner {
            return Err(StoreError::TooLarge { bytes, most: limits.max_bytes_per_owner });
        }
        self.remove(entry.id);
        while self.has_quota_spent(owner, bytes) && self.drop_oldest_of(owner) {}
        while self.entries.len() >= limits.max_entries || self.bytes + bytes > limits.max_bytes {
            let Some((_, heaviest)) = self.by_weight.last().copied() else { break };
            if !self.drop_oldest_of(heaviest) {
                break;
            }
        }
        self.clock += 1;
        let (id, at): (Arc<str>, _) = (entry.id.into(), self.clock);
        self.bytes += bytes;
        let value = Stored { tool: entry.tool.into(), data: entry.data.into() };
        let expires = self.end();
        self.entries.insert(Arc::clone(&id), Slot { value, owner, at, expires });
        self.reweigh(owner, bytes, |share, weight| {
            share.order.insert(at, id);
            share.weight += weight;
        });
        Ok(())
    }

    /// When a new entry expires. A time to live that overflows counts as a century.
    fn end(&self) -> Instant {
        const CENTURY: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);
        Instant::now() + self.limits.ttl.min(CENTURY)
    }

    /// Whether an owner has no room for an entry of this size.
    fn has_quota_spent(&self, owner: Owner, bytes: usize) -> bool {
        let Some(share) = self.shares.get(&owner) else { return false };
        let entries = share.order.len();
        entries >= self.limits.max_entries_per_owner
            || share.weight - entries * self.part() + bytes > self.limits.max_bytes_per_owner
    }

    /// Removes the oldest entry of an owner, if any.
    fn drop_oldest_of(&mut self, owner: Owner) -> bool {
        let oldest = self.shares.get(&owner).and_then(|share| share.order.values().next());
        let Some(oldest) = oldest.cloned() else { return false };
        self.remove(&oldest).is_some()
    }

    fn remove(&mut self, id: &str) -> Option<Slot> {
        let entry = self.entries.remove(id)?;
        self.bytes -= entry.bytes();
        self.reweigh(entry.owner, entry.bytes(), |share, weight| {
            share.order.remove(&entry.at);
            share.weight -= weight;
        });
        Some(entry)
    }

    /// Adds an entry of this size to an owner, or removes it.
    fn reweigh(&mut self, owner: Owner, bytes: usize, change: impl FnOnce(&mut Share, usize)) {
        let weight = self.weight(bytes);
        let share = self.shares.entry(owner).or_default();
        self.by_weight.remove(&(share.weight, owner));
        change(share, weight);
        match share.order.is_empty() {
            true => _ = self.shares.remove(&owner),
            false => _ = self.by_weight.insert((share.weight, owner)),
        }
    }

    /// Whether an entry exists; if so, its time to live starts again. An entry of a heavier owner is moved to
    /// this one, so that it is not evicted with the others.
    fn share(&mut self, owner: Owner, id: &str) -> bool {
        let end = self.end();
        let Some(entry) = self.entries.get_mut(id) else { return false };
        entry.expires = end;
        let (bytes, at, old) = (entry.bytes(), entry.at, entry.owner);
        let weight = |of| self.shares.get(&of).map_or(0, |share| share.weight);
        if old != owner && weight(old) > weight(owner) + self.weight(bytes) {
            let id = Arc::<str>::from(id);
            self.reweigh(old, bytes, |share, weight| {
                share.order.remove(&at);
                share.weight -= weight;
            });
            if let Some(entry) = self.entries.get_mut(&id) {
                entry.owner = owner;
            }
            self.reweigh(owner, bytes, |share, weight| {
                share.order.insert(at, id);
                share.weight += weight;
            });
        }
        true
    }

    fn get(&self, id: &str) -> Option<Stored> {
        let found = self.entries.get(id).filter(|entry| entry.expires > Instant::now());
        found.map(|entry| entry.value.clone())
    }
}

fn lock(map: &Mutex<BoundedMap>) -> MutexGuard<'_, BoundedMap> {
    map.lock().unwrap_or_else(PoisonError::into_inner)
}

impl MemoryStore {
    const ENTRIES: usize = 10_000;
    const BYTES: usize = 32 << 20;

    /// Creates a store with these limits.
    pub fn new(limits: &StoreLimits) -> Self {
        let map = |kind| BoundedMap::new(limits.of(kind, Self::ENTRIES, Self::BYTES));
        Self { instances: map(EntryKind::Instance), states: map(EntryKind::State) }
    }

    fn map(&self, kind: EntryKind) -> MutexGuard<'_, BoundedMap> {
        lock(match kind {
            EntryKind::Instance => &self.instances,
            EntryKind::State => &self.states,
        })
    }
}

impl Default for MemoryStore {
    fn default() -> Self {
        Self::new(&StoreLimits::default())
    }
}

impl Store for MemoryStore {
    fn put(&self, entry: Entry<'_>) -> StoreFuture<()> {
        let mut map = self.map(entry.kind);
        if entry.kind == EntryKind::Instance && map.share(entry.owner, entry.id) {
            return StoreFuture::ready(());
        }
        match map.insert(entry) {
            Ok(()) => StoreFuture::ready(()),
            Err(error) => StoreFuture::error(error),
        }
    }

    fn get(&self, kind: EntryKind, id: &str) -> StoreFuture<Option<Stored>> {
        StoreFuture::ready(self.map(kind).get(id))
    }

    fn ids(&self, tool: &str, prefix: &str, most: usize) -> StoreFuture<Vec<String>> {
        let (map, now) = (lock(&self.instances), Instant::now());
        let is_wanted = |id: &str, entry: &Slot| {
            id.starts_with(prefix) && &*entry.value.tool == tool && entry.expires > now
        };
        let found = map.entries.iter().filter(|(id, entry)| is_wanted(id, entry));
        let mut found: Vec<(u64, &str)> = found.map(|(id, entry)| (entry.at, &**id)).collect();
        found.sort_unstable_by(|one, other| other.cmp(one));
        StoreFuture::ready(found.into_iter().take(most).map(|(_, id)| id.to_owned()).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sdk::peer::Peer;

    /// A store for this many instances and bytes; a quarter of the bytes is for states.
    fn store(entries: usize, bytes: usize) -> MemoryStore {
        MemoryStore::new(&StoreLimits {
            max_entries: Some(entries),
            max_bytes: Some(bytes),
            ..StoreLimits::default()
        })
    }

    /// The result of an operation that is complete.
    fn now<T>(done: StoreFuture<T>) -> Result<T, StoreError> {
        done.now().unwrap_or_else(|_| panic!("it waits"))
    }

    fn local() -> Owner {
        Peer::LOCAL.into()
    }

    fn put(store: &MemoryStore, owner: Owner, id: &str, data: &str) {
        now(store.put(Entry::instance(owner, id, "t", data))).unwrap();
    }

    fn put_bytes(store: &MemoryStore, id: &str, bytes: usize) {
        put(store, local(), id, &"x".repeat(bytes));
    }

    fn put_state(store: &MemoryStore, owner: Owner, id: &str, data: &str) {
        now(store.put(Entry::state(owner, id, data))).unwrap();
    }

    fn get(store: &MemoryStore, id: &str) -> Option<Stored> {
        now(store.get(EntryKind::Instance, id)).unwrap()
    }

    fn state(store: &MemoryStore, id: &str) -> Option<Arc<str>> {
        now(store.get(EntryKind::State, id)).unwrap().map(|found| found.data)
    }

    fn ids(store: &MemoryStore, tool: &str, prefix: &str, most: usize) -> Vec<String> {
        now(store.ids(tool, prefix, most)).unwrap()
    }

    fn owners<const N: usize>(lasts: [u8; N]) -> [Owner; N] {
        lasts.map(|last| Peer::at(std::net::Ipv4Addr::new(192, 0, 2, last).into()).into())
    }

    /// The owner of an instance, after a check of all sums.
    fn owner(store: &MemoryStore, id: &str) -> Option<Owner> {
        let map = lock(&store.instances);
        for (owner, share) in &map.shares {
            let keys = share.order.values();
            let weight: usize = keys.map(|key| map.weight(map.entries[key].bytes())).sum();
            assert_eq!(share.weight, weight);
            assert!(share.order.values().all(|key| map.entries[key].owner == *owner));
            assert!(map.by_weight.contains(&(weight, *owner)));
        }
        assert_eq!(map.by_weight.len(), map.shares.len());
        map.entries.get(id).map(|entry| entry.owner)
    }

    #[test]
    fn the_oldest_are_dropped_first() {
        let store = store(2, 100);
        for id in ["a", "b", "a", "c"] {
            put_bytes(&store, id, 10);
        }
        assert_eq!(get(&store, "a"), None);
        assert_eq!(get(&store, "b").map(|found| found.data.len()), Some(10));
        assert_eq!(get(&store, "c").map(|found| (*found.tool).to_owned()), Some("t".into()));
        assert_eq!(ids(&store, "t", "", 9), ["c", "b"]);
        assert_eq!(ids(&store, "t", "", 1), ["c"]);
        assert_eq!(ids(&store, "t", "b", 9), ["b"]);
        assert!(ids(&store, "u", "", 9).is_empty());
    }

    #[test]
    fn bytes_are_bounded_to_the_byte() {
        let store = store(9, 100);
        for id in ["a", "b"] {
            put_bytes(&store, id, 50);
        }
        assert_eq!(ids(&store, "t", "", 9), ["b", "a"], "100 bytes fit");
        put_bytes(&store, "c", 1);
        assert_eq!(ids(&store, "t", "", 9), ["c", "b"], "101 do not");
        put_bytes(&store, "whole", 100);
        assert_eq!(ids(&store, "t", "", 9), ["whole"]);
        let large = "x".repeat(101);
        let refused = now(store.put(Entry::instance(local(), "too large", "t", &large)));
        assert!(matches!(refused, Err(StoreError::TooLarge { bytes: 101, most: 100 })));
        assert_eq!(ids(&store, "t", "", 9), ["whole"]);
    }

    #[test]
    fn a_state_that_is_replaced_gives_its_bytes_back() {
        // A quarter of the bytes is for states: 25.
        let store = store(9, 100);
        put_state(&store, local(), "first", &"1".repeat(10));
        for _ in 0..10 {
            put_state(&store, local(), "second", &"2".repeat(15));
        }
        assert_eq!(state(&store, "first").as_deref(), Some("1111111111"));
        put_state(&store, local(), "second", &"2".repeat(16));
        assert_eq!(state(&store, "first"), None, "26 bytes do not fit");
        assert_eq!(state(&store, "second").map(|state| state.len()), Some(16));
        let large = "2".repeat(26);
        assert!(
            now(store.put(Entry::state(local(), "second", &large))).is_err(),
            "larger than all"
        );
        assert_eq!(state(&store, "second").map(|state| state.len()), Some(16));
        put_state(&store, local(), "third", "3");
        assert_eq!(state(&store, "third").as_deref(), Some("3"));
    }

    /// A caller with many entries evicts only its own.
    #[test]
    fn a_caller_pushes_out_its_own() {
        let [victim, other, flood] = owners([1, 2, 3]);
        let store = MemoryStore::default();
        put(&store, victim, "victim", "{}");
        put_state(&store, victim, "victim", "1");
        for number in 0..25_000 {
            put(&store, flood, &format!("flood {number}"), "{}");
        }
        for number in 0..200 {
            put_state(&store, flood, &format!("flood {number}"), &"x".repeat(64 << 10));
        }
        assert!(get(&store, "victim").is_some());
        assert_eq!(state(&store, "victim").as_deref(), Some("1"));
        assert!(get(&store, "flood 0").is_none() && state(&store, "flood 0").is_none());
        assert!(get(&store, "flood 24999").is_some());
        // Many callers share the capacity equally, and the sums are correct.
        for number in 0..25_000 {
            put(&store, other, &format!("other {number}"), "{}");
        }
        let map = lock(&store.instances);
        let [one, two] = [other, flood].map(|owner| map.shares[&owner].order.len());
        assert!(one.abs_diff(two) <= 1, "{one} {two}");
        let places = map.shares.values().map(|share| share.order.len());
        assert_eq!(map.entries.len(), places.sum::<usize>());
        assert_eq!(map.bytes, map.entries.values().map(Slot::bytes).sum::<usize>());
    }

    /// An instance that two callers show is not evicted because the first of them shows many others.
    #[test]
    fn an_instance_of_two_is_the_lighter_one_s() {
        let [heavy, light] = owners([1, 2]);
        let store = store(100, 1000);
        put(&store, heavy, "both", "{}");
        for number in 0..50 {
            put(&store, heavy, &number.to_string(), "{}");
        }
        put(&store, light, "both", "{}");
        for number in 50..500 {
            put(&store, heavy, &number.to_string(), "{}");
        }
        assert!(get(&store, "both").is_some());
    }

    /// The weight of an entry is its bytes and its share of the capacity, here 100: 450 for the large one.
    #[test]
    fn the_heaviest_caller_makes_room() {
        let [bytes, places, other] = owners([1, 2, 3]);
        for (entries, is_kept) in [(4, true), (5, false)] {
            let store = store(10, 1000);
            put(&store, bytes, "large", &"x".repeat(350));
            for number in 0..entries {
                put(&store, places, &format!("small {number}"), "");
            }
            put(&store, other, "other", &"x".repeat(651));
            assert_eq!(owner(&store, "small 0").is_some(), is_kept, "{entries}");
            assert_eq!(owner(&store, "small 1"), Some(places));
            assert_eq!((owner(&store, "large"), owner(&store, "other")), (None, Some(other)));
        }
    }

    /// A shared instance changes its owner only if the new one is still lighter.
    #[test]
    fn an_instance_goes_to_the_lighter_caller() {
        let [first, second] = owners([1, 2]);
        for (others, own, expected) in
            [(0, 0, first), (1, 0, second), (1, 1, first), (2, 1, second), (1, 3, first)]
        {
            let store = store(10, 1000);
            put(&store, first, "both", "{}");
            for number in 0..others {
                put(&store, first, &format!("first {number}"), "{}");
            }
            for number in 0..own {
                put(&store, second, &format!("second {number}"), "{}");
            }
            put(&store, second, "both", "{}");
            assert_eq!(owner(&store, "both"), Some(expected), "{others} {own}");
        }
    }

    #[test]
    fn there_is_room_for_one_entry_at_least() {
        let store = store(0, 100);
        put_bytes(&store, "a", 1);
        assert!(get(&store, "a").is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn entries_expire_after_they_were_last_put() {
        let store = MemoryStore::new(&StoreLimits {
            instance_ttl: Duration::from_secs(10),
            state_ttl: Duration::from_secs(20),
            ..StoreLimits::default()
        });
        put(&store, local(), "a", "{}");
        put(&store, local(), "b", "{}");
        put_state(&store, local(), "s", "1");
        tokio::time::advance(Duration::from_secs(9)).await;
        put(&store, local(), "a", "{}");
        tokio::time::advance(Duration::from_secs(1)).await;
        assert!(get(&store, "a").is_some() && get(&store, "b").is_none());
        assert_eq!(ids(&store, "t", "", 9), ["a"]);
        tokio::time::advance(Duration::from_secs(9)).await;
        assert!(get(&store, "a").is_none() && state(&store, "s").is_some());
        tokio::time::advance(Duration::from_secs(1)).await;
        assert!(state(&store, "s").is_none());
        put(&store, local(), "b", "{}");
        assert!(get(&store, "b").is_some(), "what has expired can be put again");
    }

    #[test]
    fn a_caller_has_a_quota_of_its_own() {
        let [one, other] = owners([1, 2]);
        let limits = StoreLimits {
            max_entries_per_caller: Some(3),
            max_bytes_per_caller: Some(100),
            ..StoreLimits::default()
        };
        let store = MemoryStore::new(&limits);
        put(&store, other, "other", "{}");
        for number in 0..5 {
            put(&store, one, &number.to_string(), "{}");
        }
        assert_eq!(ids(&store, "t", "", 9), ["4", "3", "2", "other"]);
        put(&store, one, "large", &"x".repeat(97));
        assert_eq!(ids(&store, "t", "", 9), ["large", "4", "other"], "99 bytes");
        put(&store, one, "more", "xx");
        assert_eq!(ids(&store, "t", "", 9), ["more", "large", "other"], "99 bytes again");
        let large = "x".repeat(101);
        assert!(now(store.put(Entry::instance(one, "larger", "t", &large))).is_err());
        assert_eq!(owner(&store, "large"), Some(one));
    }
}
