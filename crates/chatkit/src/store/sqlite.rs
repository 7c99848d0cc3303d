//! SQLite. What waits to be written becomes one transaction, so that a commit, which waits for the disk, is
//! shared by all conversations that go on at the same time.

use futures_util::future::BoxFuture;
use sqlx::SqlitePool;
use sqlx::sqlite::{Sqlite as Database, SqliteArguments, SqliteConnection, SqliteRow};
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;
use widgetcast_store::Sqlite;

use super::statement::{self, Column, Engine, Row, Statement, TIMEOUT};
use super::storage::StoreFailure;
use super::tables;

statement::runs!(Database, SqliteConnection, SqliteRow, SqliteArguments<'_>);

/// Writes of one transaction, and writes that wait for the next; more wait outside.
const MAX_BATCH: usize = 128;

pub(super) struct SqliteEngine {
    readers: SqlitePool,
    writes: mpsc::Sender<Write>,
}

struct Write {
    all: Vec<Statement>,
    done: oneshot::Sender<Result<Vec<u64>, StoreFailure>>,
}

impl SqliteEngine {
    pub(super) async fn new(store: &Sqlite) -> sqlx::Result<Self> {
        store.migrate(tables::SCOPE, tables::SQLITE).await?;
        let (writes, waiting) = mpsc::channel(MAX_BATCH);
        tokio::spawn(write(store.writer().clone(), waiting));
        Ok(Self { readers: store.readers().clone(), writes })
    }
}

/// Writes until the engine is dropped.
async fn write(pool: SqlitePool, mut waiting: mpsc::Receiver<Write>) {
    let mut batch = Vec::new();
    while waiting.recv_many(&mut batch, MAX_BATCH).await > 0 {
        match commit(&pool, &batch).await {
            Ok(changed) => {
                for (write, changed) in batch.drain(..).zip(changed) {
                    // Whoever asked may have gone.
                    _ = write.done.send(Ok(changed));
                }
            }
            // One of them was in the way of the others.
            Err(_) => {
                for write in batch.drain(..) {
                    let alone = commit(&pool, std::slice::from_ref(&write)).await;
                    let alone = alone.map(|mut changed| changed.pop().unwrap_or_default());
                    _ = write.done.send(alone.map_err(|error| statement::failure(&error)));
                }
            }
        }
    }
}

async fn commit(pool: &SqlitePool, batch: &[Write]) -> sqlx::Result<Vec<Vec<u64>>> {
    let mut on = pool.begin_with("BEGIN IMMEDIATE").await?;
    let mut changed = Vec::with_capacity(batch.len());
    for write in batch {
        changed.push(execute(&mut on, &write.all).await?);
    }
    on.commit().await?;
    Ok(changed)
}

impl Engine for SqliteEngine {
    fn read(
        &self,
        statement: Statement,
        columns: &'static [Column],
    ) -> BoxFuture<'static, Result<Vec<Row>, StoreFailure>> {
        let pool = self.readers.clone();
        Box::pin(async move {
            let read = async { select(&mut *pool.acquire().await?, &statement, columns).await };
            let read = timeout(TIMEOUT, read).await.map_err(|_| statement::late())?;
            read.map_err(|error| statement::failure(&error))
        })
    }

    fn write(&self, all: Vec<Statement>) -> BoxFuture<'static, Result<Vec<u64>, StoreFailure>> {
        let writes = self.writes.clone();
        Box::pin(async move {
            let closed = || StoreFailure::Unavailable("the storage is closed".into());
            let (done, kept) = oneshot::channel();
            let write = async {
                writes.send(Write { all, done }).await.map_err(|_| closed())?;
                kept.await.unwrap_or_else(|_| Err(closed()))
            };
            timeout(TIMEOUT, write).await.unwrap_or_else(|_| Err(statement::late()))
        })
    }
}
