//! What the handlers of an app share.

use std::any::{Any, TypeId};
use std::collections::HashMap;

/// The states of an app, one for each type.
#[derive(Default)]
pub(crate) struct States(HashMap<TypeId, Box<dyn Any + Send + Sync>>);

impl States {
    /// Whether there was none of this type before.
    pub(crate) fn insert<T: Send + Sync + 'static>(&mut self, state: T) -> bool {
        self.0.insert(TypeId::of::<T>(), Box::new(state)).is_none()
    }

    pub(crate) fn has(&self, state: TypeId) -> bool {
        self.0.contains_key(&state)
    }

    pub(crate) fn get<T: 'static>(&self) -> Option<&T> {
        self.0.get(&TypeId::of::<T>())?.downcast_ref()
    }
}

impl std::fmt::Debug for States {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "States({})", self.0.len())
    }
}
