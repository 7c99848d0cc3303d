//! The id of the request that is being answered, which connects an answer with the log.
//!
//! It belongs to the task, not to an argument: what needs it, an error far inside, is rare, and every
//! function on the way to it would have to pass it on.

use std::cell::OnceCell;

/// The longest id that is taken over from a client.
const MAX_BYTES: usize = 128;

tokio::task_local! {
    static CURRENT: RequestId;
}

/// An id: the client's own, or one that is made when it is first needed.
#[derive(Debug, Default)]
pub(crate) struct RequestId(OnceCell<Box<str>>);

impl RequestId {
    /// The id that a client gave, if it can stand in a log.
    pub(crate) fn given(text: Option<&str>) -> Self {
        Self(text.map_or_else(OnceCell::new, |text| OnceCell::from(Box::from(text))))
    }

    /// Answers a request under this id.
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

/// The id of the request that is being answered; none where a pipe is answered at once.
pub(crate) fn current() -> Option<String> {
    let make = || format!("{:016x}", rand::random::<u64>()).into();
    CURRENT.try_with(|id| id.0.get_or_init(make).to_string()).ok()
}
