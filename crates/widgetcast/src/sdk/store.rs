//! The store: where the data of views lives between requests.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::future::BoxFuture;

use super::peer::Peer;

/// The data of one view: enough to draw it again.
#[derive(Clone, Debug, PartialEq)]
pub struct Instance {
    /// The tool that made it.
    pub tool: Box<str>,
    /// What the widget was given, as JSON text: values would take many times the memory.
    pub data: Arc<str>,
}

/// Keeps instances by id, and the state of views by key. The id is a keyed hash of what it names: the
/// same view is kept once, and nobody finds one without having been given its id. Every presentation of
/// a view has its own key for its state.
pub trait Store: Send + Sync + 'static {
    /// Keeps an instance: the tool that made it, and its data as JSON text. Often it is there already.
    /// It must not block: a store that writes elsewhere does so later. Whoever calls should not be able
    /// to push out what others have.
    fn put(&self, peer: Peer, id: &str, tool: &str, data: &str);

    /// Gives an instance back, if it is still there.
    fn get<'s>(&'s self, id: &'s str) -> BoxFuture<'s, Option<Instance>>;

    /// Ids with this prefix, for completion: at most `most`, newest first.
    fn ids(&self, tool: &str, prefix: &str, most: usize) -> Vec<String>;

    /// Keeps the state of a view, as JSON text. It must not block either. The key has been given out.
    fn put_state(&self, peer: Peer, key: &str, state: &str);

    /// Gives a state back, if it is still there.
    fn state<'s>(&'s self, key: &'s str) -> BoxFuture<'s, Option<Arc<str>>>;
}

/// Keeps the newest instances and states in memory. When it is full, the oldest entry of whoever takes
/// up the most is dropped, so that a caller with many pushes out its own.
#[derive(Debug)]
pub struct MemoryStore {
    instances: Mutex<BoundedMap<Instance>>,
    states: Mutex<BoundedMap<Arc<str>>>,
}

/// A map of bounded length and size.
#[derive(Debug)]
struct BoundedMap<T> {
    max_entries: usize,
    max_bytes: usize,
    entries: HashMap<Arc<str>, Entry<T>>,
    shares: HashMap<Peer, Share>,
    /// All callers by their weight.
    by_weight: BTreeSet<(usize, Peer)>,
    bytes: usize,
    /// Counts insertions.
    clock: u64,
}

#[derive(Debug)]
struct Entry<T> {
    value: T,
    bytes: usize,
    peer: Peer,
    at: u64,
}

/// What one caller has.
#[derive(Debug, Default)]
struct Share {
    weight: usize,
    /// Its keys, oldest first.
    order: BTreeMap<u64, Arc<str>>,
}

impl<T> BoundedMap<T> {
    fn new(max_entries: usize, max_bytes: usize) -> Mutex<Self> {
        Mutex::new(Self {
            max_entries: max_entries.max(1),
            max_bytes,
            entries: HashMap::new(),
            shares: HashMap::new(),
            by_weight: BTreeSet::new(),
            bytes: 0,
            clock: 0,
        })
    }

    /// What an entry weighs: its bytes, and its part of the places.
    fn weight(&self, bytes: usize) -> usize {
        bytes + (self.max_bytes / self.max_entries).max(1)
    }

    /// Inserts or replaces an entry of so many bytes. One that is larger than all may be is not kept.
    fn insert(&mut self, peer: Peer, key: &str, bytes: usize, value: T) {
        self.remove(key);
        if bytes > self.max_bytes {
            return;
        }
        while self.entries.len() >= self.max_entries || self.bytes + bytes > self.max_bytes {
            let Some((_, heaviest)) = self.by_weight.last() else { break };
            let oldest = self.shares.get(heaviest).and_then(|share| share.order.values().next());
            let Some(oldest) = oldest.cloned() else { break };
            self.remove(&oldest);
        }
        self.clock += 1;
        let (key, at): (Arc<str>, _) = (key.into(), self.clock);
        self.bytes += bytes;
        self.entries.insert(Arc::clone(&key), Entry { value, bytes, peer, at });
        self.reweigh(peer, bytes, |share, weight| {
            share.order.insert(at, key);
            share.weight += weight;
        });
    }

    fn remove(&mut self, key: &str) -> Option<Entry<T>> {
        let entry = self.entries.remove(key)?;
        self.bytes -= entry.bytes;
        self.reweigh(entry.peer, entry.bytes, |share, weight| {
            share.order.remove(&entry.at);
            share.weight -= weight;
        });
        Some(entry)
    }

    /// Changes what a caller has by an entry of so many bytes.
    fn reweigh(&mut self, peer: Peer, bytes: usize, change: impl FnOnce(&mut Share, usize)) {
        let weight = self.weight(bytes);
        let share = self.shares.entry(peer).or_default();
        self.by_weight.remove(&(share.weight, peer));
        change(share, weight);
        match share.order.is_empty() {
            true => _ = self.shares.remove(&peer),
            false => _ = self.by_weight.insert((share.weight, peer)),
        }
    }

    /// Whether an entry is there. One that a heavier caller has is this one's from now on, so that it is
    /// not dropped with the rest of what that one has.
    fn share(&mut self, peer: Peer, key: &str) -> bool {
        let Some(entry) = self.entries.get(key) else { return false };
        let weight = |of| self.shares.get(&of).map_or(0, |share| share.weight);
        if entry.peer != peer && weight(entry.peer) > weight(peer) + self.weight(entry.bytes) {
            let (bytes, at) = (entry.bytes, entry.at);
            let (key, old) = (Arc::<str>::from(key), entry.peer);
            self.reweigh(old, bytes, |share, weight| {
                share.order.remove(&at);
                share.weight -= weight;
            });
            if let Some(entry) = self.entries.get_mut(&key) {
                entry.peer = peer;
            }
            self.reweigh(peer, bytes, |share, weight| {
                share.order.insert(at, key);
                share.weight += weight;
            });
        }
        true
    }

    fn get(&self, key: &str) -> Option<&T> {
        self.entries.get(key).map(|entry| &entry.value)
    }
}

fn lock<T>(map: &Mutex<BoundedMap<T>>) -> MutexGuard<'_, BoundedMap<T>> {
    map.lock().unwrap_or_else(PoisonError::into_inner)
}

impl MemoryStore {
    /// A store for that many instances and that many bytes of data. For states there is room for as
    /// many, and a quarter of the bytes.
    pub fn new(most: usize, most_bytes: usize) -> Self {
        Self {
            instances: BoundedMap::new(most, most_bytes),
            states: BoundedMap::new(most, most_bytes / 4),
        }
    }
}

impl Default for MemoryStore {
    fn default() -> Self {
        Self::new(10_000, 32 << 20)
    }
}

impl Store for MemoryStore {
    fn put(&self, peer: Peer, id: &str, tool: &str, data: &str) {
        let mut map = lock(&self.instances);
        if !map.share(peer, id) {
            let instance = Instance { tool: tool.into(), data: data.into() };
            map.insert(peer, id, data.len(), instance);
        }
    }

    fn get<'s>(&'s self, id: &'s str) -> BoxFuture<'s, Option<Instance>> {
        let found = lock(&self.instances).get(id).cloned();
        Box::pin(std::future::ready(found))
    }

    fn ids(&self, tool: &str, prefix: &str, most: usize) -> Vec<String> {
        let map = lock(&self.instances);
        let is_wanted = |id: &str, entry: &Entry<Instance>| {
            id.starts_with(prefix) && &*entry.value.tool == tool
        };
        let found = map.entries.iter().filter(|(id, entry)| is_wanted(id, entry));
        let mut found: Vec<(u64, &str)> = found.map(|(id, entry)| (entry.at, &**id)).collect();
        found.sort_unstable_by(|one, other| other.cmp(one));
        found.into_iter().take(most).map(|(_, id)| id.to_owned()).collect()
    }

    fn put_state(&self, peer: Peer, key: &str, state: &str) {
        lock(&self.states).insert(peer, key, state.len(), state.into());
    }

    fn state<'s>(&'s self, key: &'s str) -> BoxFuture<'s, Option<Arc<str>>> {
        let found = lock(&self.states).get(key).cloned();
        Box::pin(std::future::ready(found))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(store: &MemoryStore, id: &str, bytes: usize) {
        store.put(Peer::LOCAL, id, "t", &"x".repeat(bytes));
    }

    fn peers<const N: usize>(lasts: [u8; N]) -> [Peer; N] {
        lasts.map(|last| Peer::at(std::net::Ipv4Addr::new(192, 0, 2, last).into()))
    }

    /// Whose an instance is, once it has been seen that everything is counted right.
    fn owner(store: &MemoryStore, id: &str) -> Option<Peer> {
        let map = lock(&store.instances);
        for (peer, share) in &map.shares {
            let keys = share.order.values();
            let weight: usize = keys.map(|key| map.weight(map.entries[key].bytes)).sum();
            assert_eq!(share.weight, weight);
            assert!(share.order.values().all(|key| map.entries[key].peer == *peer));
            assert!(map.by_weight.contains(&(weight, *peer)));
        }
        assert_eq!(map.by_weight.len(), map.shares.len());
        map.entries.get(id).map(|entry| entry.peer)
    }

    #[tokio::test]
    async fn the_oldest_are_dropped_first() {
        let store = MemoryStore::new(2, 100);
        for id in ["a", "b", "a", "c"] {
            put(&store, id, 10);
        }
        assert_eq!(store.get("a").await, None);
        assert_eq!(store.get("b").await.map(|found| found.data.len()), Some(10));
        assert_eq!(store.get("c").await.map(|found| (*found.tool).to_owned()), Some("t".into()));
        assert_eq!(store.ids("t", "", 9), ["c", "b"]);
        assert_eq!(store.ids("t", "", 1), ["c"]);
        assert_eq!(store.ids("t", "b", 9), ["b"]);
        assert!(store.ids("u", "", 9).is_empty());
    }

    #[tokio::test]
    async fn bytes_are_bounded_to_the_byte() {
        let store = MemoryStore::new(9, 100);
        for id in ["a", "b"] {
            put(&store, id, 50);
        }
        assert_eq!(store.ids("t", "", 9), ["b", "a"], "100 bytes fit");
        put(&store, "c", 1);
        assert_eq!(store.ids("t", "", 9), ["c", "b"], "101 do not");
        put(&store, "whole", 100);
        assert_eq!(store.ids("t", "", 9), ["whole"]);
        put(&store, "too large", 101);
        assert_eq!(store.ids("t", "", 9), ["whole"]);
    }

    #[tokio::test]
    async fn a_state_that_is_replaced_gives_its_bytes_back() {
        // A quarter of the bytes is for states: 25.
        let store = MemoryStore::new(9, 100);
        store.put_state(Peer::LOCAL, "first", &"1".repeat(10));
        for _ in 0..10 {
            store.put_state(Peer::LOCAL, "second", &"2".repeat(15));
        }
        assert_eq!(store.state("first").await.as_deref(), Some("1111111111"));
        store.put_state(Peer::LOCAL, "second", &"2".repeat(16));
        assert_eq!(store.state("first").await, None, "26 bytes do not fit");
        assert_eq!(store.state("second").await.map(|state| state.len()), Some(16));
        store.put_state(Peer::LOCAL, "second", &"2".repeat(26));
        assert_eq!(store.state("second").await, None, "it is larger than all may be");
        store.put_state(Peer::LOCAL, "third", "3");
        assert_eq!(store.state("third").await.as_deref(), Some("3"));
    }

    /// One caller with many drops its own, whatever it has many of.
    #[tokio::test]
    async fn a_caller_pushes_out_its_own() {
        let [victim, other, flood] = peers([1, 2, 3]);
        let store = MemoryStore::default();
        store.put(victim, "victim", "t", "{}");
        store.put_state(victim, "victim", "1");
        for number in 0..25_000 {
            store.put(flood, &format!("flood {number}"), "t", "{}");
        }
        for number in 0..200 {
            store.put_state(flood, &format!("flood {number}"), &"x".repeat(64 << 10));
        }
        assert!(store.get("victim").await.is_some());
        assert_eq!(store.state("victim").await.as_deref(), Some("1"));
        assert!(store.get("flood 0").await.is_none() && store.state("flood 0").await.is_none());
        assert!(store.get("flood 24999").await.is_some());
        // Many callers share it equally, and what is theirs is counted right.
        for number in 0..25_000 {
            store.put(other, &format!("other {number}"), "t", "{}");
        }
        let map = lock(&store.instances);
        let [one, two] = [other, flood].map(|peer| map.shares[&peer].order.len());
        assert!(one.abs_diff(two) <= 1, "{one} {two}");
        let places = map.shares.values().map(|share| share.order.len());
        assert_eq!(map.entries.len(), places.sum::<usize>());
        assert_eq!(map.bytes, map.entries.values().map(|entry| entry.bytes).sum::<usize>());
    }

    /// What two callers show is not dropped because the first of them shows much else.
    #[tokio::test]
    async fn an_instance_of_two_is_the_lighter_one_s() {
        let [heavy, light] = peers([1, 2]);
        let store = MemoryStore::new(100, 1000);
        store.put(heavy, "both", "t", "{}");
        for number in 0..50 {
            store.put(heavy, &number.to_string(), "t", "{}");
        }
        store.put(light, "both", "t", "{}");
        for number in 50..500 {
            store.put(heavy, &number.to_string(), "t", "{}");
        }
        assert!(store.get("both").await.is_some());
    }

    /// An entry weighs its bytes and its part of the places, here a hundred: the large one 450.
    #[test]
    fn the_heaviest_caller_makes_room() {
        let [bytes, places, other] = peers([1, 2, 3]);
        for (entries, is_kept) in [(4, true), (5, false)] {
            let store = MemoryStore::new(10, 1000);
            store.put(bytes, "large", "t", &"x".repeat(350));
            for number in 0..entries {
                store.put(places, &format!("small {number}"), "t", "");
            }
            store.put(other, "other", "t", &"x".repeat(651));
            assert_eq!(owner(&store, "small 0").is_some(), is_kept, "{entries}");
            assert_eq!(owner(&store, "small 1"), Some(places));
            assert_eq!((owner(&store, "large"), owner(&store, "other")), (None, Some(other)));
        }
    }

    /// An instance of two changes hands only if its new owner is still the lighter one then.
    #[test]
    fn an_instance_goes_to_the_lighter_caller() {
        let [first, second] = peers([1, 2]);
        for (others, own, expected) in
            [(0, 0, first), (1, 0, second), (1, 1, first), (2, 1, second), (1, 3, first)]
        {
            let store = MemoryStore::new(10, 1000);
            store.put(first, "both", "t", "{}");
            for number in 0..others {
                store.put(first, &format!("first {number}"), "t", "{}");
            }
            for number in 0..own {
                store.put(second, &format!("second {number}"), "t", "{}");
            }
            store.put(second, "both", "t", "{}");
            assert_eq!(owner(&store, "both"), Some(expected), "{others} {own}");
        }
    }

    #[tokio::test]
    async fn there_is_room_for_one_entry_at_least() {
        let store = MemoryStore::new(0, 100);
        put(&store, "a", 1);
        assert!(store.get("a").await.is_some());
    }
}
