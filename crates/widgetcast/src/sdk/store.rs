//! The store: where the data of views lives between requests.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_util::future::BoxFuture;

use super::owner::Owner;
use super::store_error::StoreError;

/// The kind of an entry in a [`Store`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum EntryKind {
    /// The data of a view, from which it can be rendered again. Its id is a keyed hash of its content, so
    /// entries with the same id are equal, and ids cannot be guessed.
    Instance,
    /// The state of one displayed view. Its id is random, and a newer state replaces it.
    State,
}

/// An entry to put into a [`Store`], which returns it as [`Stored`].
///
/// ```
/// use widgetcast::client::Peer;
/// use widgetcast::store::{Entry, EntryKind, MemoryStore, Store, StoreLimits};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let store = MemoryStore::new(&StoreLimits::default());
/// store.put(Entry::instance(Peer::LOCAL.into(), "7f3a", "order", r#"{"id":7}"#)).await?;
///
/// let stored = store.get(EntryKind::Instance, "7f3a").await?.expect("it was just stored");
/// assert_eq!((&*stored.tool, &*stored.data), ("order", r#"{"id":7}"#));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Entry<'e> {
    /// The kind of the entry.
    pub kind: EntryKind,
    /// The id: any string.
    pub id: &'e str,
    /// The owner, whose quota the entry counts toward.
    pub owner: Owner,
    /// The tool that created it; empty for a state.
    pub tool: &'e str,
    /// JSON text, which takes less memory than a parsed value.
    pub data: &'e str,
}

impl<'e> Entry<'e> {
    /// The data of a view.
    pub fn instance(owner: Owner, id: &'e str, tool: &'e str, data: &'e str) -> Self {
        Self { kind: EntryKind::Instance, id, owner, tool, data }
    }

    /// The state of a view.
    pub fn state(owner: Owner, id: &'e str, data: &'e str) -> Self {
        Self { kind: EntryKind::State, id, owner, tool: "", data }
    }
}

/// An entry read from a [`Store`]; see [`Entry`] for an example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// The tool that created it; empty for a state.
    pub tool: Box<str>,
    /// JSON text.
    pub data: Arc<str>,
}

/// Stores the data of views and their states. Two methods are required; the others have defaults.
///
/// Every process that uses the same store can read an entry until it expires or its owner exceeds a
/// limit. One owner must not evict the entries of others.
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
    /// Stores an entry. When this completes, the entry must be durable, because the response that refers to
    /// it is sent afterwards. The same instance is often stored again.
    fn put(&self, entry: Entry<'_>) -> StoreFuture<()>;

    /// Returns an entry, if it still exists.
    fn get(&self, kind: EntryKind, id: &str) -> StoreFuture<Option<Stored>>;

    /// Ids of a tool's instances with this prefix, for completion: at most `most`, newest first.
    fn ids(&self, _tool: &str, _prefix: &str, _most: usize) -> StoreFuture<Vec<String>> {
        StoreFuture::ready(Vec::new())
    }

    /// The secret that all processes of this store share, so that they accept each other's ids. It is
    /// available once the store is open.
    fn key(&self) -> Option<[u8; 16]> {
        None
    }

    /// Sends a message to all processes that use this store, including this one.
    fn publish(&self, _message: &str) -> StoreFuture<()> {
        StoreFuture::ready(())
    }

    /// Calls `listener` with each message, or with `None` if messages may have been missed, until it
    /// returns false. It must not block.
    fn listen(&self, _listener: StoreListener) {}
}

/// Receives the messages that processes send through a store: see [`Store::listen`].
pub type StoreListener = Box<dyn Fn(Option<&str>) -> bool + Send + Sync>;

/// The result of a [`Store`] operation: a value that is ready, or a future. A ready value needs no
/// allocation.
///
/// ```
/// use widgetcast::store::{StoreError, StoreFuture};
///
/// # async fn query() -> Result<u64, std::io::Error> { Ok(7) }
/// fn count(cached: Option<u64>) -> StoreFuture<u64> {
///     match cached {
///         Some(count) => StoreFuture::ready(count),
///         None => StoreFuture::later(async { query().await.map_err(StoreError::unavailable) }),
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// assert_eq!(count(Some(3)).await?, 3);
/// assert_eq!(count(None).await?, 7);
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is stored until it is awaited"]
pub struct StoreFuture<T>(Step<T>);

enum Step<T> {
    /// `None` once it was taken.
    Ready(Option<Result<T, StoreError>>),
    Later(BoxFuture<'static, Result<T, StoreError>>),
}

impl<T> StoreFuture<T> {
    /// An operation that is complete.
    pub fn ready(done: T) -> Self {
        Self(Step::Ready(Some(Ok(done))))
    }

    /// An operation that has failed.
    pub fn error(error: StoreError) -> Self {
        Self(Step::Ready(Some(Err(error))))
    }

    /// A future. It starts when it is first polled, and may be dropped at any time.
    pub fn later(future: impl Future<Output = Result<T, StoreError>> + Send + 'static) -> Self {
        Self(Step::Later(Box::pin(future)))
    }

    /// The result, if it is ready.
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
