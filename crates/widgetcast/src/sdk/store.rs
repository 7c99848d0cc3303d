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

/// Keeps instances by id, and the state of views by key. The id is a keyed hash of what it names, so
/// that the same view is kept once and nobody finds one without having been given its id. A state's
/// key is of one presentation alone.
pub trait Store: Send + Sync + 'static {
    /// Keeps an instance: the tool that made it, and its data as JSON text. Often it has it already.
    /// It must not block: a store that writes elsewhere does so later.
    fn put(&self, id: &str, tool: &str, data: &str);

    /// Gives an instance back, if it is still there.
    fn get<'s>(&'s self, id: &'s str) -> BoxFuture<'s, Option<Instance>>;

    /// Ids that start so, for completion: at most `most`, newest first.
    fn ids(&self, tool: &str, prefix: &str, most: usize) -> Vec<String>;

    /// Keeps the state of a view, as JSON text. It must not block either.
    fn put_state(&self, key: &str, state: &str);

    /// Gives a state back, if it is still there.
    fn state<'s>(&'s self, key: &'s str) -> BoxFuture<'s, Option<Arc<str>>>;
}

/// Keeps the newest instances and states in memory.
#[derive(Debug)]
pub struct MemoryStore {
    instances: Mutex<Shelf<Instance>>,
    states: Mutex<Shelf<Arc<str>>>,
}

/// A bounded number of things; the oldest make room.
#[derive(Debug)]
struct Shelf<T> {
    most: usize,
    most_bytes: usize,
    things: HashMap<Box<str>, (T, usize)>,
    /// Oldest first.
    order: VecDeque<Box<str>>,
    bytes: usize,
}

impl<T> Shelf<T> {
    fn new(most: usize, most_bytes: usize) -> Mutex<Self> {
        let (things, order) = (HashMap::new(), VecDeque::new());
        Mutex::new(Self { most: most.max(1), most_bytes, things, order, bytes: 0 })
    }

    /// Puts a thing of that many bytes onto the shelf; one of the same name goes.
    fn put(&mut self, name: &str, bytes: usize, thing: T) {
        if let Some((_, old)) = self.things.remove(name) {
            self.bytes -= old;
            self.order.retain(|known| **known != *name);
        }
        if bytes > self.most_bytes {
            return;
        }
        while self.order.len() >= self.most || self.bytes + bytes > self.most_bytes {
            let Some(oldest) = self.order.pop_front() else { break };
            self.bytes -= self.things.remove(&oldest).map_or(0, |(_, bytes)| bytes);
        }
        self.bytes += bytes;
        self.order.push_back(name.into());
        self.things.insert(name.into(), (thing, bytes));
    }

    fn get(&self, name: &str) -> Option<&T> {
        self.things.get(name).map(|(thing, _)| thing)
    }
}

fn locked<T>(shelf: &Mutex<Shelf<T>>) -> MutexGuard<'_, Shelf<T>> {
    shelf.lock().unwrap_or_else(PoisonError::into_inner)
}

impl MemoryStore {
    /// A store for that many instances and that many bytes of data; the oldest make room. States get
    /// as many places, and a quarter of the bytes.
    pub fn new(most: usize, most_bytes: usize) -> Self {
        Self { instances: Shelf::new(most, most_bytes), states: Shelf::new(most, most_bytes / 4) }
    }
}

impl Default for MemoryStore {
    fn default() -> Self {
        Self::new(10_000, 32 << 20)
    }
}

impl Store for MemoryStore {
    fn put(&self, id: &str, tool: &str, data: &str) {
        let mut shelf = locked(&self.instances);
        if shelf.get(id).is_none() {
            shelf.put(id, data.len(), Instance { tool: tool.into(), data: data.into() });
        }
    }

    fn get<'s>(&'s self, id: &'s str) -> BoxFuture<'s, Option<Instance>> {
        let found = locked(&self.instances).get(id).cloned();
        Box::pin(std::future::ready(found))
    }

    fn ids(&self, tool: &str, prefix: &str, most: usize) -> Vec<String> {
        let shelf = locked(&self.instances);
        let newest = shelf.order.iter().rev().filter(|id| id.starts_with(prefix));
        newest
            .filter(|id| shelf.get(id).is_some_and(|found| &*found.tool == tool))
            .take(most)
            .map(|id| id.to_string())
            .collect()
    }

    fn put_state(&self, key: &str, state: &str) {
        locked(&self.states).put(key, state.len(), state.into());
    }

    fn state<'s>(&'s self, key: &'s str) -> BoxFuture<'s, Option<Arc<str>>> {
        let found = locked(&self.states).get(key).cloned();
        Box::pin(std::future::ready(found))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_oldest_make_room() {
        let store = MemoryStore::new(2, 100);
        let put = |id: &str, bytes| {
            store.put(id, "t", &id.repeat(bytes / id.len()));
        };
        for id in ["a", "b", "a", "c"] {
            put(id, 10);
        }
        assert_eq!(store.get("a").await, None);
        assert_eq!(store.get("c").await.map(|found| found.data.len()), Some(10));
        assert_eq!(store.ids("t", "", 9), ["c", "b"]);
        assert_eq!(store.ids("t", "b", 9), ["b"]);
        assert!(store.ids("u", "", 9).is_empty());
        for state in ["[1]", "[2]"] {
            store.put_state("key", state);
            assert_eq!(store.state("key").await.as_deref(), Some(state));
        }
        store.put_state("key", &"1".repeat(26));
        assert_eq!(store.state("key").await, None, "it is larger than all may be");
        put("large", 95);
        assert_eq!(store.ids("t", "", 9), ["large"]);
        put("too large", 108);
        assert_eq!(store.ids("t", "", 9), ["large"]);
    }
}
