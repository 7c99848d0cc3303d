//! The store: where the data of views lives between requests.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::future::BoxFuture;

/// The data of one view: enough to draw it again.
#[derive(Clone, Debug, PartialEq)]
pub struct Instance {
    /// The tool that made it.
    pub tool: Box<str>,
    /// What the widget was given, as JSON text: values would take many times the memory.
    pub data: Arc<str>,
    /// What the person did in it, as JSON text.
    pub state: Option<Arc<str>>,
}

impl Instance {
    fn bytes(&self) -> usize {
        self.data.len() + self.state.as_ref().map_or(0, |state| state.len())
    }
}

/// Keeps instances by id. The id is a keyed hash of what it names, so that the same view is kept once
/// and nobody finds one without having been given its id.
pub trait Store: Send + Sync + 'static {
    /// Keeps an instance: the tool that made it, and its data as JSON text. Often it has it already.
    /// It must not block: a store that writes elsewhere does so later.
    fn put(&self, id: &str, tool: &str, data: &str);

    /// Keeps the state of an instance, as JSON text; false if there is no such instance. It must not
    /// block either.
    fn set_state(&self, id: &str, state: &str) -> bool;

    /// Gives an instance back, if it is still there.
    fn get<'s>(&'s self, id: &'s str) -> BoxFuture<'s, Option<Instance>>;

    /// Ids that start so, for completion: at most `most`, newest first.
    fn ids(&self, tool: &str, prefix: &str, most: usize) -> Vec<String>;
}

/// Keeps the newest instances in memory.
#[derive(Debug)]
pub struct MemoryStore {
    most: usize,
    most_bytes: usize,
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    instances: HashMap<Box<str>, Instance>,
    /// Oldest first.
    order: VecDeque<Box<str>>,
    bytes: usize,
}

impl MemoryStore {
    /// A store for that many instances and that many bytes of data; the oldest make room.
    pub fn new(most: usize, most_bytes: usize) -> Self {
        Self { most: most.max(1), most_bytes, kept: Mutex::default() }
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for MemoryStore {
    fn default() -> Self {
        Self::new(10_000, 32 << 20)
    }
}

impl Store for MemoryStore {
    fn put(&self, id: &str, tool: &str, data: &str) {
        let mut kept = self.kept();
        if kept.instances.contains_key(id) || data.len() > self.most_bytes {
            return;
        }
        while kept.order.len() >= self.most || kept.bytes + data.len() > self.most_bytes {
            let Some(oldest) = kept.order.pop_front() else { break };
            let gone = kept.instances.remove(&oldest);
            kept.bytes -= gone.map_or(0, |gone| gone.bytes());
        }
        kept.bytes += data.len();
        kept.order.push_back(id.into());
        let instance = Instance { tool: tool.into(), data: data.into(), state: None };
        kept.instances.insert(id.into(), instance);
    }

    fn set_state(&self, id: &str, state: &str) -> bool {
        let mut kept = self.kept();
        let Kept { instances, bytes, .. } = &mut *kept;
        let Some(instance) = instances.get_mut(id) else { return false };
        let before = instance.state.as_ref().map_or(0, |state| state.len());
        if *bytes - before + state.len() > self.most_bytes {
            return false;
        }
        *bytes = *bytes - before + state.len();
        instance.state = Some(state.into());
        true
    }

    fn get<'s>(&'s self, id: &'s str) -> BoxFuture<'s, Option<Instance>> {
        let found = self.kept().instances.get(id).cloned();
        Box::pin(std::future::ready(found))
    }

    fn ids(&self, tool: &str, prefix: &str, most: usize) -> Vec<String> {
        let kept = self.kept();
        let newest = kept.order.iter().rev().filter(|id| id.starts_with(prefix));
        newest
            .filter(|id| kept.instances.get(*id).is_some_and(|found| &*found.tool == tool))
            .take(most)
            .map(|id| id.to_string())
            .collect()
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
        assert!(store.set_state("c", "[1]") && !store.set_state("gone", "1"));
        assert_eq!(store.get("c").await.and_then(|found| found.state).as_deref(), Some("[1]"));
        assert!(!store.set_state("c", &"1".repeat(95)));
        put("large", 95);
        assert_eq!(store.ids("t", "", 9), ["large"]);
        put("too large", 108);
        assert_eq!(store.ids("t", "", 9), ["large"]);
    }
}
