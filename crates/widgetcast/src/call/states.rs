//! The state shared by all handlers of an app.

use std::any::{Any, TypeId, type_name};
use std::collections::HashMap;

/// The states of an app, one per type.
#[derive(Default)]
pub(crate) struct States(HashMap<TypeId, State>);

/// A value and the name of its type.
struct State(&'static str, Box<dyn Any + Send + Sync>);

impl States {
    /// Returns whether there was none of this type before.
    pub(crate) fn insert<T: Send + Sync + 'static>(&mut self, state: T) -> bool {
        self.0.insert(TypeId::of::<T>(), State(type_name::<T>(), Box::new(state))).is_none()
    }

    /// Merges those of another app. Returns the names of types that both have.
    pub(crate) fn merge(&mut self, other: Self) -> Vec<&'static str> {
        let twice = other.0.iter().filter(|(id, _)| self.0.contains_key(id));
        let names = twice.map(|(_, State(name, _))| *name).collect();
        self.0.extend(other.0);
        names
    }

    pub(crate) fn has(&self, state: TypeId) -> bool {
        self.0.contains_key(&state)
    }

    pub(crate) fn get<T: 'static>(&self) -> Option<&T> {
        self.0.get(&TypeId::of::<T>())?.1.downcast_ref()
    }
}

impl std::fmt::Debug for States {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "States({})", self.0.len())
    }
}
