//! The store: where the data of views lives between requests.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_util::future::BoxFuture;

use super::owner::Owner;
use super::store_error::StoreError;

/// What an entry of a store is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum EntryKind {
    /// The data of a view, enough to draw it again. Its id is a keyed hash of what it names, so that
    /// entries with the same id are the same; nobody finds one without having been given its id.
    Instance,
    /// The state of one presentation of a view. Its id is random, and a newer one takes its place.
    State,
}

/// What is to be kept.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Entry<'e> {
    /// What it is.
    pub kind: EntryKind,
    /// Its id: any text.
    pub id: &'e str,
    /// Who takes up the room.
    pub owner: Owner,
    /// The tool that made it; empty for a state.
    pub tool: &'e str,
    /// JSON text: values would take many times the memory.
    pub data: &'e str,
}

impl<'e> Entry<'e> {
    /// The data of a view that a tool made.
    pub fn instance(owner: Owner, id: &'e str, tool: &'e str, data: &'e str) -> Self {
        Self { kind: EntryKind::Instance, id, owner, tool, data }
    }

    /// The state of a view.
    pub fn state(owner: Owner, id: &'e str, data: &'e str) -> Self {
        Self { kind: EntryKind::State, id, owner, tool: "", data }
    }
}

/// What was kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// The tool that made it; empty for a state.
    pub tool: Box<str>,
    /// JSON text.
    pub data: Arc<str>,
}

/// Keeps the data of views and their states. Two methods are needed; the others have defaults.
///
/// What was put can be read by every process that uses the same store, until it expires or its owner has
/// too much. Whoever puts much must not push out what others have.
///
/// ```
/// use std::collections::HashMap;
/// use std::sync::Mutex;
/// use widgetcast::store::{Entry, EntryKind, Store, StoreFuture, Stored};
///
/// #[derive(Default)]
/// struct Map(Mutex<HashMap<(EntryKind, String), Stored>>);
///
/// impl Store for Map {
///     fn put(&self, entry: Entry<'_>) -> StoreFuture<()> {
///         let stored = Stored { tool: entry.tool.into(), data: entry.data.into() };
///         self.0.lock().unwrap().insert((entry.kind, entry.id.to_owned()), stored);
///         StoreFuture::ready(())
///     }
///
///     fn get(&self, kind: EntryKind, id: &str) -> StoreFuture<Option<Stored>> {
///         StoreFuture::ready(self.0.lock().unwrap().get(&(kind, id.to_owned())).cloned())
///     }
/// }
///
/// let app = widgetcast::App::new("shop", "1.0.0").store(Map::default());
/// ```
pub trait Store: Send + Sync + 'static {
    /// Keeps an entry. Once this is done, the entry is kept: the response that names it leaves after
    /// that. An instance is often there already.
    fn put(&self, entry: Entry<'_>) -> StoreFuture<()>;

    /// Gives an entry back, if it is still there.
    fn get(&self, kind: EntryKind, id: &str) -> StoreFuture<Option<Stored>>;

    /// Ids of a tool's instances with this prefix, for completion: at most `most`, newest first.
    fn ids(&self, _tool: &str, _prefix: &str, _most: usize) -> StoreFuture<Vec<String>> {
        StoreFuture::ready(Vec::new())
    }

    /// The secret that this store keeps for all processes that use it: with it every process knows the
    /// ids that another has made. It is known once the store is open.
    fn key(&self) -> Option<[u8; 16]> {
        None
    }

    /// Tells all processes that use this store, this one included.
    fn publish(&self, _message: &str) -> StoreFuture<()> {
        StoreFuture::ready(())
    }

    /// Calls `listener` with each message, and with none where some may have been missed; until it
    /// returns false. It must not block.
    fn listen(&self, _listener: StoreListener) {}
}

/// See [`Store::listen`].
pub type StoreListener = Box<dyn Fn(Option<&str>) -> bool + Send + Sync>;

/// What a store does: done already, or a future. A store in memory allocates nothing for it.
#[must_use = "nothing is stored until it is awaited"]
pub struct StoreFuture<T>(Step<T>);

enum Step<T> {
    /// None once it was given.
    Ready(Option<Result<T, StoreError>>),
    Later(BoxFuture<'static, Result<T, StoreError>>),
}

impl<T> StoreFuture<T> {
    /// Done.
    pub fn ready(done: T) -> Self {
        Self(Step::Ready(Some(Ok(done))))
    }

    /// Not done.
    pub fn error(error: StoreError) -> Self {
        Self(Step::Ready(Some(Err(error))))
    }

    /// Done later. It begins when it is first polled, and may be dropped at any time.
    pub fn later(future: impl Future<Output = Result<T, StoreError>> + Send + 'static) -> Self {
        Self(Step::Later(Box::pin(future)))
    }

    /// What it gives, if that needs no waiting.
    pub(crate) fn now(self) -> Result<Result<T, StoreError>, Later<T>> {
        match self.0 {
            Step::Ready(Some(done)) => Ok(done),
            Step::Ready(None) => Ok(Err(StoreError::failed("asked twice"))),
            Step::Later(future) => Err(future),
        }
    }
}

pub(crate) type Later<T> = BoxFuture<'static, Result<T, StoreError>>;

impl<T: Unpin> Future for StoreFuture<T> {
    type Output = Result<T, StoreError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match &mut self.0 {
            Step::Ready(done) => done.take().map_or(Poll::Pending, Poll::Ready),
            Step::Later(future) => future.as_mut().poll(context),
        }
    }
}

impl<T> std::fmt::Debug for StoreFuture<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StoreFuture").finish_non_exhaustive()
    }
}

impl<S: Store + ?Sized> Store for Arc<S> {
    fn put(&self, entry: Entry<'_>) -> StoreFuture<()> {
        (**self).put(entry)
    }

    fn get(&self, kind: EntryKind, id: &str) -> StoreFuture<Option<Stored>> {
        (**self).get(kind, id)
    }

    fn ids(&self, tool: &str, prefix: &str, most: usize) -> StoreFuture<Vec<String>> {
        (**self).ids(tool, prefix, most)
    }

    fn key(&self) -> Option<[u8; 16]> {
        (**self).key()
    }

    fn publish(&self, message: &str) -> StoreFuture<()> {
        (**self).publish(message)
    }

    fn listen(&self, listener: StoreListener) {
        (**self).listen(listener);
    }
}
