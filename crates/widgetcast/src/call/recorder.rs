//! What a test looks at beside the result: the view that a call has drawn.

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;
use widgetcast_core::View;

/// A view that was drawn.
#[derive(Clone, Debug)]
pub(crate) struct Recorded {
    /// The tool name of the widget.
    pub widget: String,
    pub view: View,
    pub data: Value,
}

/// Where the view of a call is put. It comes with a request, in its extensions.
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
