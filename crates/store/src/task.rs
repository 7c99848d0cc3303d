//! Tasks that end with their store.

/// A running task, which ends when this is dropped.
pub(crate) struct Task(tokio::task::AbortHandle);

impl Task {
    pub(crate) fn spawn(future: impl Future<Output = ()> + Send + 'static) -> Self {
        Self(tokio::spawn(future).abort_handle())
    }
}

impl Drop for Task {
    fn drop(&mut self) {
        self.0.abort();
    }
}
