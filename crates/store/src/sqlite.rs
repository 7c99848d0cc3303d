//! SQLite: one file, for the processes of one machine. One task writes. Everything in its queue becomes one
//! transaction, so that many writes share a commit, which waits for the disk. With a write-ahead log, readers
//! never wait for it. `synchronous` is full: a commit survives a power loss.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sqlx::pool::PoolConnection;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{Connection as _, SqliteConnection, SqlitePool};
use tokio::sync::{mpsc, oneshot};
use widgetcast::store::{Entry, EntryKind, Store, StoreError, StoreFuture, StoreLimits, Stored};

use crate::error::OpenError;
use crate::migration::{self, Migration, Planned};
use crate::quota::{Quota, Sweeps};
use crate::sql::Row;

crate::sql::queries!(sqlx::SqliteConnection);

/// Timeout of an operation.
const TIMEOUT: Duration = Duration::from_secs(5);
/// The delay between attempts to open a file that other processes are creating.
const PAUSE: Duration = Duration::from_millis(10);
const MAX_READERS: u32 = 4;
/// Writes of one transaction, and the capacity of the queue.
const MAX_BATCH: usize = 256;
/// A write transaction, from its beginning.
const BEGIN: &str = "BEGIN IMMEDIATE";

/// A store in a SQLite file.
#[derive(Clone, Debug)]
pub struct Sqlite {
    readers: SqlitePool,
    writer: SqlitePool,
    writes: mpsc::Sender<Write>,
    quota: Arc<Quota>,
    key: [u8; 16],
}

#[derive(Debug)]
struct Write {
    row: Row,
    done: oneshot::Sender<Result<(), StoreError>>,
}

impl Sqlite {
    /// Opens or creates a file, and migrates it.
    pub async fn open(path: impl AsRef<Path>, limits: &StoreLimits) -> Result<Self, OpenError> {
        let path = path.as_ref();
        let url = format!("sqlite:{}", path.display());
        let begun = Instant::now();
        loop {
            match Self::try_open(path, limits).await {
                // If processes create a file concurrently, SQLite rejects some immediately while one of them
                // switches the journal mode: it only waits for other locks.
                Err(error) if is_busy(&error) && begun.elapsed() < TIMEOUT => {
                    tokio::time::sleep(PAUSE).await;
                }
                result => return result.map_err(|error| OpenError::new(&url, error)),
            }
        }
    }

    async fn try_open(path: &Path, limits: &StoreLimits) -> sqlx::Result<Self> {
        create_private(path).map_err(sqlx::Error::Io)?;
        let options = options(path).create_if_missing(true);
        let pool = |most| SqlitePoolOptions::new().max_connections(most).acquire_timeout(TIMEOUT);
        let writer = pool(1).connect_with(options.clone()).await?;
        migrate(&writer, migration::SCOPE, migration::MIGRATIONS).await?;
        let key = queries::key(&mut *writer.acquire().await?).await?;
        let readers = pool(MAX_READERS).connect_lazy_with(options);
        let quota = Arc::new(Quota::new(limits));
        let (writes, waiting) = mpsc::channel(MAX_BATCH);
        tokio::spawn(write(writer.clone(), waiting, Arc::clone(&quota)));
        Ok(Self { readers, writer, writes, quota, key })
    }

    /// The migrations of a file, and whether they are applied. The file is not created.
    pub async fn plan(path: impl AsRef<Path>) -> Result<Vec<Planned>, OpenError> {
        Self::plan_of(path, migration::SCOPE, migration::MIGRATIONS).await
    }

    /// Like [`Sqlite::plan`], for your own tables: see [`Sqlite::migrate`].
    pub async fn plan_of(
        path: impl AsRef<Path>,
        scope: &str,
        all: &[Migration],
    ) -> Result<Vec<Planned>, OpenError> {
        let path = path.as_ref();
        let url = format!("sqlite:{}", path.display());
        if !path.exists() {
            return Ok(migration::plan(all, &[]));
        }
        let read = async {
            let mut file = SqliteConnection::connect_with(&options(path).read_only(true)).await?;
            let tables = "SELECT COUNT(*) FROM sqlite_master WHERE name = 'widgetcast_migrations'";
            match sqlx::query_scalar::<_, i64>(tables).fetch_one(&mut file).await? {
                0 => Ok(Vec::new()),
                _ => queries::versions(&mut file, scope).await,
            }
        };
        let applied = read.await.map_err(|error: sqlx::Error| OpenError::new(&url, error))?;
        Ok(migration::plan(all, &applied))
    }

    /// The read-only connections, for your own tables.
    pub fn readers(&self) -> &SqlitePool {
        &self.readers
    }

    /// The write connection, for your own tables.
    pub fn writer(&self) -> &SqlitePool {
        &self.writer
    }

    /// Migrates your own tables, under the same lock. `scope` identifies their owner.
    pub async fn migrate(&self, scope: &str, all: &[Migration]) -> sqlx::Result<()> {
        migrate(&self.writer, scope, all).await
    }
}

/// Whether another connection has the lock.
fn is_busy(error: &sqlx::Error) -> bool {
    // The lowest byte is the primary code, here `SQLITE_BUSY`.
    let code = error.as_database_error().and_then(|error| error.code()?.parse::<u32>().ok());
    code.is_some_and(|code| code & 0xff == 5)
}

/// Creates the file, if it does not exist, for its owner only: it contains view data, and the secret that
/// signs sessions. SQLite's other files get the same mode.
fn create_private(path: &Path) -> std::io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

fn options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .busy_timeout(TIMEOUT)
}

async fn migrate(writer: &SqlitePool, scope: &str, all: &[Migration]) -> sqlx::Result<()> {
    let mut connection = writer.acquire().await?;
    let migrate = async {
        let mut on = connection.begin_with(BEGIN).await?;
        queries::migrate(&mut on, scope, all).await?;
        on.commit().await
    };
    let done = migrate.await;
    close_if_failed(connection, done)
}

/// Closes a connection after a failed transaction: SQLite ends some by itself, for example when the disk is
/// full, but sqlx considers them open and starts no other.
fn close_if_failed(
    mut connection: PoolConnection<sqlx::Sqlite>,
    done: sqlx::Result<()>,
) -> sqlx::Result<()> {
    if done.is_err() {
        connection.close_on_drop();
    }
    done
}

/// Writes until the store is dropped.
async fn write(pool: SqlitePool, mut waiting: mpsc::Receiver<Write>, quota: Arc<Quota>) {
    let (mut batch, mut sweeps) = (Vec::new(), Sweeps::new(Instant::now()));
    loop {
        let next = waiting.recv_many(&mut batch, MAX_BATCH);
        let is_over = tokio::time::timeout_at(sweeps.next().into(), next).await == Ok(0);
        if is_over {
            return;
        }
        let result = commit(&pool, &batch).await;
        for Write { row, done } in batch.drain(..) {
            if quota.count(row.data.len()) {
                sweeps.is_due = true;
            }
            // The caller may have left.
            _ = done.send(match &result {
                Ok(()) => Ok(()),
                Err(error) => Err(StoreError::unavailable(error.to_string())),
            });
        }
        let begun = Instant::now();
        if begun >= sweeps.next() {
            if let Err(error) = sweep(&pool, &quota).await {
                tracing::warn!("cannot clean up the store: {error}");
            }
            sweeps.done(begun, Instant::now());
        }
    }
}

async fn commit(pool: &SqlitePool, batch: &[Write]) -> sqlx::Result<()> {
    if batch.is_empty() {
        return Ok(());
    }
    let mut connection = pool.acquire().await?;
    let put_all = async {
        let mut on = connection.begin_with(BEGIN).await?;
        for write in batch {
            queries::put(&mut on, &write.row).await?;
        }
        on.commit().await
    };
    let done = put_all.await;
    close_if_failed(connection, done)
}

async fn sweep(pool: &SqlitePool, quota: &Quota) -> sqlx::Result<()> {
    let mut connection = pool.acquire().await?;
    let sweep = async {
        let mut on = connection.begin_with(BEGIN).await?;
        queries::sweep(&mut on, quota).await?;
        on.commit().await
    };
    let done = sweep.await;
    close_if_failed(connection, done)
}

/// Runs a read, with a timeout.
fn read<T: Send + 'static>(
    future: impl Future<Output = sqlx::Result<T>> + Send + 'static,
) -> StoreFuture<T> {
    StoreFuture::later(async move {
        match tokio::time::timeout(TIMEOUT, future).await {
            Ok(done) => done.map_err(StoreError::unavailable),
            Err(_) => Err(StoreError::unavailable("timed out")),
        }
    })
}

impl Store for Sqlite {
    fn put(&self, entry: Entry<'_>) -> StoreFuture<()> {
        if let Err(error) = self.quota.admit(entry.kind, entry.data.len()) {
            return StoreFuture::error(error);
        }
        let (row, writes) = (Row::new(entry, &self.quota), self.writes.clone());
        StoreFuture::later(async move {
            let (done, kept) = oneshot::channel();
            let put = async {
                let sent = writes.send(Write { row, done }).await;
                sent.map_err(|_| StoreError::unavailable("the store is closed"))?;
                kept.await.unwrap_or_else(|_| Err(StoreError::unavailable("the store is closed")))
            };
            let put = tokio::time::timeout(TIMEOUT, put).await;
            put.unwrap_or_else(|_| Err(StoreError::unavailable("timed out")))
        })
    }

    fn get(&self, kind: EntryKind, id: &str) -> StoreFuture<Option<Stored>> {
        let (pool, id) = (self.readers.clone(), id.to_owned());
        read(async move { queries::get(&mut *pool.acquire().await?, kind, &id).await })
    }

    fn ids(&self, tool: &str, prefix: &str, most: usize) -> StoreFuture<Vec<String>> {
        let (pool, tool, prefix) = (self.readers.clone(), tool.to_owned(), prefix.to_owned());
        read(async move { queries::ids(&mut *pool.acquire().await?, &tool, &prefix, most).await })
    }

    fn key(&self) -> Option<[u8; 16]> {
        Some(self.key)
    }
}
