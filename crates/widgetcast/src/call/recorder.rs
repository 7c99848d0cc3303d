//! Records the rendered view of a call, for tests.

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;
use widgetcast_core::View;

/// A rendered view.
#[derive(Clone, Debug)]
pub(crate) struct Recorded {
    /// The tool name of the widget.
    pub widget: String,
    pub view: View,
    pub data: Value,
}

/// Receives the view of a call. It is in the extensions of a request.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recorder(Arc<Mutex<Option<Recorded>>>);

impl Recorder {
    pub(crate) fn put(&self, recorded: Recorded) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(recorded);
    }

    pub(crate) fn take(&self) -> Option<Recorded> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}
