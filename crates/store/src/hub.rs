//! The listeners for the messages of a store.

use std::sync::{Mutex, PoisonError};

use widgetcast::store::StoreListener;

#[derive(Default)]
pub(crate) struct Hub(Mutex<Vec<StoreListener>>);

impl Hub {
    pub(crate) fn add(&self, listener: StoreListener) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(listener);
    }

    /// Sends a message to all of them, or that some may have been missed.
    pub(crate) fn tell(&self, message: Option<&str>) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|listener| listener(message));
    }
}
