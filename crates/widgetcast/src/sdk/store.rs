//! The store: where the data of views lives between requests.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::future::BoxFuture;

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
    /// It must not block: a store that writes elsewhere does so later.
    fn put(&self, id: &str, tool: &str, data: &str);

    /// Gives an instance back, if it is still there.
    fn get<'s>(&'s self, id: &'s str) -> BoxFuture<'s, Option<Instance>>;

    /// Ids with this prefix, for completion: at most `most`, newest first.
    fn ids(&self, tool: &str, prefix: &str, most: usize) -> Vec<String>;

    /// Keeps the state of a view, as JSON text. It must not block either.
    fn put_state(&self, key: &str, state: &str);

    /// Gives a state back, if it is still there.
    fn state<'s>(&'s self, key: &'s str) -> BoxFuture<'s, Option<Arc<str>>>;
}

/// Keeps the newest instances and states in memory.
#[derive(Debug)]
pub struct MemoryStore {
    instances: Mutex<BoundedMap<Instance>>,
    states: Mutex<BoundedMap<Arc<str>>>,
}

/// A map of bounded length and size; the oldest entries are dropped first.
#[derive(Debug)]
struct BoundedMap<T> {
    max_entries: usize,
    max_bytes: usize,
    entries: HashMap<Box<str>, (T, usize)>,
    /// Keys, oldest first.
    order: VecDeque<Box<str>>,
    bytes: usize,
}

impl<T> BoundedMap<T> {
    fn new(max_entries: usize, max_bytes: usize) -> Mutex<Self> {
        let (entries, order) = (HashMap::new(), VecDeque::new());
        Mutex::new(Self { max_entries: max_entries.max(1), max_bytes, entries, order, bytes: 0 })
    }

    /// Inserts or replaces an entry of so many bytes. One that is larger than all may be is not kept.
    fn insert(&mut self, key: &str, bytes: usize, value: T) {
        if let Some((_, old)) = self.entries.remove(key) {
            self.bytes -= old;
            self.order.retain(|known| **known != *key);
        }
        if bytes > self.max_bytes {
            return;
        }
        while self.order.len() >= self.max_entries || self.bytes + bytes > self.max_bytes {
            let Some(oldest) = self.order.pop_front() else { break };
            self.bytes -= self.entries.remove(&oldest).map_or(0, |(_, bytes)| bytes);
        }
        self.bytes += bytes;
        self.order.push_back(key.into());
        self.entries.insert(key.into(), (value, bytes));
    }

    fn get(&self, key: &str) -> Option<&T> {
        self.entries.get(key).map(|(value, _)| value)
    }
}

fn lock<T>(map: &Mutex<BoundedMap<T>>) -> MutexGuard<'_, BoundedMap<T>> {
    map.lock().unwrap_or_else(PoisonError::into_inner)
}

impl MemoryStore {
    /// A store for that many instances and that many bytes of data; the oldest are dropped first. For
    /// states there is room for as many, and a quarter of the bytes.
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
    fn put(&self, id: &str, tool: &str, data: &str) {
        let mut map = lock(&self.instances);
        if map.get(id).is_none() {
            map.insert(id, data.len(), Instance { tool: tool.into(), data: data.into() });
        }
    }

    fn get<'s>(&'s self, id: &'s str) -> BoxFuture<'s, Option<Instance>> {
        let found = lock(&self.instances).get(id).cloned();
        Box::pin(std::future::ready(found))
    }

    fn ids(&self, tool: &str, prefix: &str, most: usize) -> Vec<String> {
        let map = lock(&self.instances);
        let newest = map.order.iter().rev().filter(|id| id.starts_with(prefix));
        newest
            .filter(|id| map.get(id).is_some_and(|found| &*found.tool == tool))
            .take(most)
            .map(|id| id.to_string())
            .collect()
    }

    fn put_state(&self, key: &str, state: &str) {
        lock(&self.states).insert(key, state.len(), state.into());
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
        store.put(id, "t", &"x".repeat(bytes));
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
        store.put_state("first", &"1".repeat(10));
        for _ in 0..10 {
            store.put_state("second", &"2".repeat(15));
        }
        assert_eq!(store.state("first").await.as_deref(), Some("1111111111"));
        store.put_state("second", &"2".repeat(16));
        assert_eq!(store.state("first").await, None, "26 bytes do not fit");
        assert_eq!(store.state("second").await.map(|state| state.len()), Some(16));
        store.put_state("second", &"2".repeat(26));
        assert_eq!(store.state("second").await, None, "it is larger than all may be");
        store.put_state("third", "3");
        assert_eq!(store.state("third").await.as_deref(), Some("3"));
    }

    #[tokio::test]
    async fn there_is_room_for_one_entry_at_least() {
        let store = MemoryStore::new(0, 100);
        put(&store, "a", 1);
        assert!(store.get("a").await.is_some());
    }
}
