//! Replaces prometheus-client without the feature `metrics`, with the values that limits and `/debug` need.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

#[derive(Clone, Debug, Default)]
pub(crate) struct Gauge(Arc<AtomicI64>);

impl Gauge {
    pub(crate) fn inc(&self) -> i64 {
        self.inc_by(1)
    }

    /// Returns the previous value, as prometheus-client does.
    pub(crate) fn inc_by(&self, more: i64) -> i64 {
        self.0.fetch_add(more, Ordering::Relaxed)
    }

    pub(crate) fn dec(&self) -> i64 {
        self.dec_by(1)
    }

    pub(crate) fn dec_by(&self, less: i64) -> i64 {
        self.0.fetch_sub(less, Ordering::Relaxed)
    }

    pub(crate) fn get(&self) -> i64 {
        self.0.load(Ordering::Relaxed)
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Counter(Arc<AtomicU64>);

impl Counter {
    pub(crate) fn inc(&self) -> u64 {
        self.0.fetch_add(1, Ordering::Relaxed)
    }

    pub(crate) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Histograms are only exported.
#[derive(Clone, Debug)]
pub(crate) struct Histogram;

impl Histogram {
    pub(crate) fn new<const N: usize>(_: [f64; N]) -> Self {
        Self
    }

    pub(crate) fn observe(&self, _: f64) {}
}

#[derive(Clone, Debug)]
pub(crate) struct Family<L, M, F = fn() -> M> {
    all: Arc<Mutex<HashMap<L, M>>>,
    new: F,
}

impl<L, M: Default> Default for Family<L, M> {
    fn default() -> Self {
        Self { all: Arc::default(), new: M::default }
    }
}

impl<L: Clone + Eq + Hash, M: Clone> Family<L, M> {
    pub(crate) fn new_with_constructor(new: fn() -> M) -> Self {
        Self { all: Arc::default(), new }
    }

    fn all(&self) -> MutexGuard<'_, HashMap<L, M>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn get(&self, labels: &L) -> Option<M> {
        self.all().get(labels).cloned()
    }

    pub(crate) fn get_or_create(&self, labels: &L) -> M {
        self.all().entry(labels.clone()).or_insert_with(self.new).clone()
    }

    pub(crate) fn get_or_create_owned(&self, labels: &L) -> M {
        self.get_or_create(labels)
    }
}

#[derive(Debug)]
pub(crate) struct Registry;

impl Registry {
    pub(crate) fn with_prefix(_: &str) -> Self {
        Self
    }

    pub(crate) fn register<M>(&mut self, _: &str, _: &str, _: M) {}
}
