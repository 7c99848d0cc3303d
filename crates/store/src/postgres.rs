//! PostgreSQL: any number of processes on any number of machines.
//!
//! An operation has a few seconds. A connection that does not respond is closed, not returned to the pool, and one
//! that the server has closed is replaced by another: every operation may be done twice.

use std::str::FromStr as _;
use std::sync::{Arc, Weak};
use std::time::Duration;

use futures_util::future::BoxFuture;
use sqlx::postgres::{PgConnectOptions, PgConnection, PgListener, PgPool, PgPoolOptions};
use sqlx::{Connection as _, Executor as _};
use tokio::sync::Notify;
use tokio::time::{Instant, sleep, timeout, timeout_at};
use widgetcast::store::{
    Entry, EntryKind, Store, StoreError, StoreFuture, StoreLimits, StoreListener, Stored,
};

use crate::error::OpenError;
use crate::hub::Hub;
use crate::migration::{self, Migration, Planned};
use crate::quota::{PERIOD, Quota, Sweeps};
use crate::sql::Row;
use crate::task::Task;

crate::sql::queries!(sqlx::PgConnection);

/// Timeout of an operation, and of a connection.
const TIMEOUT: Duration = Duration::from_secs(5);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
const MAX_CONNECTIONS: u32 = 16;
/// The delay before a lost listener reconnects.
const PAUSE: Duration = Duration::from_millis(500);
/// Locks of migrations and of sweeping: any two numbers that no one else in the database has.
const MIGRATING: i64 = 0x0077_6964_6765_7401;
const SWEEPING: i64 = 0x0077_6964_6765_7402;
const CHANNEL: &str = "widgetcast";
/// Maximum length of a message in PostgreSQL.
const MAX_MESSAGE: usize = 7999;

/// A store in a PostgreSQL database.
#[derive(Clone)]
pub struct Postgres(Arc<Inner>);

struct Inner {
    pool: PgPool,
    quota: Quota,
    is_due: Arc<Notify>,
    hub: Arc<Hub>,
    key: [u8; 16],
    /// The tasks that clean up and listen.
    tasks: std::sync::OnceLock<[Task; 2]>,
}

impl Postgres {
    /// Opens a database, such as `postgres://ada:secret@db.example.com/widgets`, and migrates it.
    pub async fn open(url: &str, limits: &StoreLimits) -> Result<Self, OpenError> {
        Self::try_open(url, limits).await.map_err(|error| OpenError::new(url, error))
    }

    async fn try_open(url: &str, limits: &StoreLimits) -> sqlx::Result<Self> {
        let pool = PgPoolOptions::new()
            .max_connections(MAX_CONNECTIONS)
            .acquire_timeout(CONNECT_TIMEOUT)
            // A connection closed by the server is noticed on use.
            .test_before_acquire(false)
            .connect_with(options(url)?)
            .await;
        let pool = match pool {
            // The pool retries refused connections, and reports only a timeout.
            Err(sqlx::Error::PoolTimedOut) => {
                let options = options(url)?;
                let again = PgConnection::connect_with(&options);
                let again = tokio::time::timeout(CONNECT_TIMEOUT, again).await;
                return Err(match again {
                    Ok(Err(error)) => error,
                    _ => sqlx::Error::PoolTimedOut,
                });
            }
            pool => pool?,
        };
        migrate(&pool, migration::SCOPE, migration::MIGRATIONS).await?;
        let key = queries::key(&mut *pool.acquire().await?).await?;
        let store = Self(Arc::new(Inner {
            quota: Quota::new(limits),
            is_due: Arc::default(),
            hub: Arc::default(),
            key,
            tasks: std::sync::OnceLock::new(),
            pool,
        }));
        let listener = open_listener(url).await?;
        let sweep = sweep(Arc::downgrade(&store.0), Arc::clone(&store.0.is_due));
        let sweep = Task::spawn(sweep);
        let listen = Task::spawn(listen(url.to_owned(), listener, Arc::clone(&store.0.hub)));
        _ = store.0.tasks.set([sweep, listen]);
        Ok(store)
    }

    /// The migrations of a database, and whether they are applied.
    pub async fn plan(url: &str) -> Result<Vec<Planned>, OpenError> {
        Self::plan_of(url, migration::SCOPE, migration::MIGRATIONS).await
    }

    /// Like [`Postgres::plan`], for your own tables: see [`Postgres::migrate`].
    pub async fn plan_of(
        url: &str,
        scope: &str,
        all: &[Migration],
    ) -> Result<Vec<Planned>, OpenError> {
        let read = async {
            let mut on = PgConnection::connect_with(&options(url)?).await?;
            let table = "SELECT to_regclass('widgetcast_migrations') IS NOT NULL";
            match sqlx::query_scalar(table).fetch_one(&mut on).await? {
                true => queries::versions(&mut on, scope).await,
                false => Ok(Vec::new()),
            }
        };
        let late = || sqlx::Error::PoolTimedOut;
        let applied = timeout(TIMEOUT, read).await.unwrap_or_else(|_| Err(late()));
        let applied = applied.map_err(|error| OpenError::new(url, error))?;
        Ok(migration::plan(all, &applied))
    }

    /// The connection pool, for your own tables.
    pub fn pool(&self) -> &PgPool {
        &self.0.pool
    }

    /// Migrates your own tables, under the same lock. `scope` identifies their owner.
    pub async fn migrate(&self, scope: &str, all: &[Migration]) -> sqlx::Result<()> {
        migrate(&self.0.pool, scope, all).await
    }

    /// Retries an idempotent operation.
    fn run<T: Send + 'static>(
        &self,
        operation: impl for<'c> Fn(&'c mut PgConnection) -> BoxFuture<'c, sqlx::Result<T>>
        + Send
        + Sync
        + 'static,
    ) -> StoreFuture<T> {
        let pool = self.0.pool.clone();
        StoreFuture::later(async move { run(&pool, operation).await })
    }
}

impl std::fmt::Debug for Postgres {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Postgres").finish_non_exhaustive()
    }
}

fn options(url: &str) -> sqlx::Result<PgConnectOptions> {
    Ok(PgConnectOptions::from_str(url)?.application_name("widgetcast"))
}

async fn migrate(pool: &PgPool, scope: &str, all: &[Migration]) -> sqlx::Result<()> {
    let mut on = pool.begin().await?;
    sqlx::query("SELECT pg_advisory_xact_lock($1)").bind(MIGRATING).execute(&mut *on).await?;
    queries::migrate(&mut on, scope, all).await?;
    on.commit().await
}

async fn run<T>(
    pool: &PgPool,
    operation: impl for<'c> Fn(&'c mut PgConnection) -> BoxFuture<'c, sqlx::Result<T>>,
) -> Result<T, StoreError> {
    let end = Instant::now() + TIMEOUT;
    // All connections may be stale after a restart; the next one is new.
    for _ in 0..=MAX_CONNECTIONS {
        let mut connection = pool.acquire().await.map_err(StoreError::unavailable)?;
        let error = match timeout_at(end, operation(&mut connection)).await {
            Ok(Ok(done)) => return Ok(done),
            Ok(Err(error)) => error,
            Err(_) => {
                drop(connection.detach());
                return Err(StoreError::unavailable("timed out"));
            }
        };
        if !is_lost(&error) {
            return Err(match is_passing(&error) {
                true => StoreError::unavailable(error),
                false => StoreError::failed(error),
            });
        }
        drop(connection.detach());
    }
    Err(StoreError::unavailable("all connections were lost"))
}

/// Whether the connection is unusable.
fn is_lost(error: &sqlx::Error) -> bool {
    let is_closed = |code: &str| matches!(code, "57P01" | "57P02") || code.starts_with("08");
    match error {
        sqlx::Error::Io(_) | sqlx::Error::Protocol(_) | sqlx::Error::Tls(_) => true,
        sqlx::Error::Database(error) => error.code().is_some_and(|code| is_closed(&code)),
        _ => false,
    }
}

/// Whether a retry may succeed: the server is starting, temporarily read-only, or lacks resources.
fn is_passing(error: &sqlx::Error) -> bool {
    let is_later =
        |code: &str| ["57", "53", "40", "25"].iter().any(|class| code.starts_with(class));
    let code = error.as_database_error().and_then(|error| error.code());
    code.is_none_or(|code| is_later(&code))
}

/// Cleans up periodically until the store is dropped. One process at a time does so.
async fn sweep(store: Weak<Inner>, is_due: Arc<Notify>) {
    let mut sweeps = Sweeps::new(std::time::Instant::now());
    loop {
        if timeout_at(sweeps.next().into(), is_due.notified()).await.is_ok() {
            sweeps.is_due = true;
            tokio::time::sleep_until(sweeps.next().into()).await;
        }
        let begun = std::time::Instant::now();
        let Some(inner) = store.upgrade() else { return };
        let swept = async {
            let mut on = inner.pool.begin().await?;
            let lock = "SELECT pg_try_advisory_xact_lock($1)";
            if sqlx::query_scalar(lock).bind(SWEEPING).fetch_one(&mut *on).await? {
                queries::sweep(&mut on, &inner.quota).await?;
            }
            on.commit().await
        };
        let swept: Result<sqlx::Result<()>, _> = timeout(PERIOD, swept).await;
        if let Ok(Err(error)) = swept {
            tracing::warn!("cannot clean up the store: {error}");
            sleep(PAUSE).await;
        }
        sweeps.done(begun, std::time::Instant::now());
    }
}

async fn open_listener(url: &str) -> sqlx::Result<PgListener> {
    let mut listener = PgListener::connect(url).await?;
    listener.listen(CHANNEL).await?;
    Ok(listener)
}

/// Delivers the messages of all processes.
async fn listen(url: String, mut listener: PgListener, hub: Arc<Hub>) {
    loop {
        match listener.try_recv().await {
            Ok(Some(message)) => hub.tell(Some(message.payload())),
            Ok(None) => hub.tell(None),
            Err(_) => {
                sleep(PAUSE).await;
                if let Ok(Ok(new)) = timeout(TIMEOUT, open_listener(&url)).await {
                    listener = new;
                    hub.tell(None);
                }
            }
        }
    }
}

impl Store for Postgres {
    fn put(&self, entry: Entry<'_>) -> StoreFuture<()> {
        if let Err(error) = self.0.quota.admit(entry.kind, entry.data.len()) {
            return StoreFuture::error(error);
        }
        let row = Arc::new(Row::new(entry, &self.0.quota));
        let (inner, bytes) = (Arc::clone(&self.0), row.data.len());
        StoreFuture::later(async move {
            run(&inner.pool, |on| {
                let row = Arc::clone(&row);
                Box::pin(async move { queries::put(on, &row).await })
            })
            .await?;
            if inner.quota.count(bytes) {
                inner.is_due.notify_one();
            }
            Ok(())
        })
    }

    fn get(&self, kind: EntryKind, id: &str) -> StoreFuture<Option<Stored>> {
        // PostgreSQL does not store this character, so there is no such id.
        if id.contains('\0') {
            return StoreFuture::ready(None);
        }
        let id: Arc<str> = id.into();
        self.run(move |on| {
            let id = Arc::clone(&id);
            Box::pin(async move { queries::get(on, kind, &id).await })
        })
    }

    fn ids(&self, tool: &str, prefix: &str, most: usize) -> StoreFuture<Vec<String>> {
        if tool.contains('\0') || prefix.contains('\0') {
            return StoreFuture::ready(Vec::new());
        }
        let (tool, prefix): (Arc<str>, Arc<str>) = (tool.into(), prefix.into());
        self.run(move |on| {
            let (tool, prefix) = (Arc::clone(&tool), Arc::clone(&prefix));
            Box::pin(async move { queries::ids(on, &tool, &prefix, most).await })
        })
    }

    fn key(&self) -> Option<[u8; 16]> {
        Some(self.0.key)
    }

    fn publish(&self, message: &str) -> StoreFuture<()> {
        if message.len() > MAX_MESSAGE {
            return StoreFuture::error(StoreError::failed("the message is too long"));
        }
        let message: Arc<str> = message.into();
        self.run(move |on| {
            let message = Arc::clone(&message);
            Box::pin(async move {
                let notify = sqlx::query("SELECT pg_notify($1, $2)").bind(CHANNEL);
                on.execute(notify.bind(&*message)).await.map(|_| ())
            })
        })
    }

    fn listen(&self, listener: StoreListener) {
        self.0.hub.add(listener);
    }
}
