//! The id of the current request, which connects a response with the log.
//!
//! It is task-local rather than an argument: it is only needed for errors deep inside, and every function on
//! the way would have to pass it on.

use std::cell::OnceCell;

/// Maximum length of an id from a client.
const MAX_BYTES: usize = 128;

tokio::task_local! {
    static CURRENT: RequestId;
}

/// An id: from the client, or generated when it is first needed.
#[derive(Debug, Default)]
pub(crate) struct RequestId(OnceCell<Box<str>>);

impl RequestId {
    /// The client's id, if it can be logged.
    pub(crate) fn given(text: Option<&str>) -> Self {
        Self(text.map_or_else(OnceCell::new, |text| OnceCell::from(Box::from(text))))
    }

    /// Runs a request under this id.
    pub(crate) fn scope<F: Future>(self, answer: F) -> impl Future<Output = F::Output> + use<F> {
        CURRENT.scope(self, answer)
    }

    /// The same for work on another thread.
    pub(crate) fn cover<T>(id: Option<&str>, work: impl FnOnce() -> T) -> T {
        match id {
            Some(_) => CURRENT.sync_scope(Self::given(id), work),
            None => work(),
        }
    }
}

/// Whether an id is short and printable.
pub(crate) fn is_fit(id: &[u8]) -> bool {
    (1..=MAX_BYTES).contains(&id.len()) && id.iter().all(u8::is_ascii_graphic)
}

/// The id of the current request; `None` if a pipe is served synchronously.
pub(crate) fn current() -> Option<String> {
    let make = || format!("{:016x}", rand::random::<u64>()).into();
    CURRENT.try_with(|id| id.0.get_or_init(make).to_string()).ok()
}
