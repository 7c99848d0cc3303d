//! Opens a store by its URL.

use std::sync::Arc;

use widgetcast::store::{MemoryStore, Store, StoreLimits};

use crate::address::{self, Address};
use crate::error::OpenError;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
use crate::migration::Planned;

/// Opens the store at a URL: `memory:`, `sqlite:PATH`, `postgres://…` or `redis://…`, and creates its tables
/// if necessary. It is bound to the current runtime.
pub async fn connect(url: &str, limits: &StoreLimits) -> Result<Arc<dyn Store>, OpenError> {
    match address::read(url)? {
        Address::Memory => Ok(Arc::new(MemoryStore::new(limits))),
        #[cfg(feature = "sqlite")]
        Address::Sqlite(path) => Ok(Arc::new(crate::sqlite::Sqlite::open(path, limits).await?)),
        #[cfg(feature = "postgres")]
        Address::Postgres => Ok(Arc::new(crate::postgres::Postgres::open(url, limits).await?)),
        #[cfg(feature = "redis")]
        Address::Redis => Ok(Arc::new(crate::redis::Redis::open(url, limits).await?)),
        #[allow(unreachable_patterns, reason = "with every feature there is none left")]
        _ => Err(OpenError::new(url, "this binary was built without support for this store")),
    }
}

/// The migrations of the store at a URL, and whether they are applied. Stores without tables have none.
/// Changes nothing.
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub async fn migrations(url: &str) -> Result<Vec<Planned>, OpenError> {
    match address::read(url)? {
        #[cfg(feature = "sqlite")]
        Address::Sqlite(path) => crate::sqlite::Sqlite::plan(path).await,
        #[cfg(feature = "postgres")]
        Address::Postgres => crate::postgres::Postgres::plan(url).await,
        _ => Ok(Vec::new()),
    }
}
