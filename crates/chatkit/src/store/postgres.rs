//! PostgreSQL: each write is a separate transaction.

use std::sync::Arc;

use futures_util::TryStreamExt as _;
use futures_util::future::BoxFuture;
use sqlx::postgres::{PgArguments, PgConnection, PgRow};
use sqlx::query::Query;
use sqlx::{PgPool, Row as _};
use tokio::sync::Semaphore;
use tokio::time::timeout;
use widgetcast_store::Postgres;

use super::failure::StorageError;
use super::statement::{
    Arg, Cell, Column, Engine, Row, Rows, SEARCH_TIMEOUT, Statement, TIMEOUT, late,
};
use super::tables;

/// Maximum concurrent searches: the other connections are for fast queries.
const MAX_SEARCHES: usize = 2;

pub(super) struct PostgresEngine {
    pool: PgPool,
    searches: Arc<Semaphore>,
    /// Kept, because dropping it ends its tasks.
    _store: Postgres,
}

impl PostgresEngine {
    pub(super) async fn new(store: Postgres) -> sqlx::Result<Self> {
        store.migrate(tables::SCOPE, tables::POSTGRES).await?;
        let searches = Arc::new(Semaphore::new(MAX_SEARCHES));
        Ok(Self { pool: store.pool().clone(), searches, _store: store })
    }
}

/// Whether it may be retried on another connection: it had no effect, or is idempotent, as every statement
/// here is.
fn is_lost(error: &sqlx::Error) -> bool {
    let is_closed = |code: &str| {
        matches!(code, "57P01" | "57P02" | "40001" | "40P01") || code.starts_with("08")
    };
    match error {
        sqlx::Error::Io(_) | sqlx::Error::Protocol(_) | sqlx::Error::Tls(_) => true,
        sqlx::Error::Database(error) => error.code().is_some_and(|code| is_closed(&code)),
        _ => false,
    }
}

fn bind(statement: &Statement) -> Query<'_, sqlx::Postgres, PgArguments> {
    statement.args.iter().fold(sqlx::query(statement.sql), |query, arg| match arg {
        Arg::Int(number) => query.bind(*number),
        Arg::Text(text) => query.bind(text.as_str()),
        Arg::Bytes(bytes) => query.bind(bytes.as_slice()),
    })
}

fn cell(row: &PgRow, at: usize, column: Column) -> sqlx::Result<Cell> {
    Ok(match column {
        Column::Int => Cell::Int(row.try_get(at)?),
        Column::Text => Cell::Text(row.try_get(at)?),
        Column::Bytes => Cell::Bytes(row.try_get::<Option<Vec<u8>>, _>(at)?.unwrap_or_default()),
    })
}

async fn select(
    on: &mut PgConnection,
    query: &Statement,
    columns: &[Column],
) -> sqlx::Result<Vec<Row>> {
    let (mut found, mut rows) = (bind(query).fetch(on), Rows::of(query));
    while let Some(row) = found.try_next().await? {
        let cells = columns.iter().enumerate().map(|(at, column)| cell(&row, at, *column));
        if !rows.add(cells.collect::<sqlx::Result<Vec<Cell>>>()?) {
            break;
        }
    }
    Ok(rows.into_rows())
}

/// Runs all statements; returns `None` if one with a condition finds no row.
async fn execute(on: &mut PgConnection, all: &[Statement]) -> sqlx::Result<Vec<u64>> {
    let mut changed = Vec::with_capacity(all.len());
    for statement in all {
        let rows = bind(statement).execute(&mut *on).await?.rows_affected();
        if rows == 0 && statement.must_change {
            return Err(sqlx::Error::RowNotFound);
        }
        changed.push(rows);
    }
    Ok(changed)
}

fn failure(error: &sqlx::Error) -> StorageError {
    match error {
        sqlx::Error::RowNotFound => StorageError::NotFound,
        // Its thread was deleted after it was found.
        sqlx::Error::Database(error) if error.is_foreign_key_violation() => StorageError::NotFound,
        error => StorageError::Unavailable(error.to_string()),
    }
}

async fn transact(pool: &PgPool, all: &[Statement]) -> sqlx::Result<Vec<u64>> {
    let mut on = pool.begin().await?;
    let changed = execute(&mut on, all).await?;
    on.commit().await?;
    Ok(changed)
}

/// The same for a search, with a server-side timeout.
async fn look_for(pool: &PgPool, query: &Statement, columns: &[Column]) -> sqlx::Result<Vec<Row>> {
    let mut on = pool.begin().await?;
    let limit = format!("SET LOCAL statement_timeout = {}", SEARCH_TIMEOUT.as_millis());
    sqlx::query(sqlx::AssertSqlSafe(limit)).execute(&mut *on).await?;
    let rows = select(&mut on, query, columns).await?;
    on.commit().await?;
    Ok(rows)
}

/// Retries while connections are lost: after a restart of the server, all pooled ones may be stale.
async fn persist<'a, T>(
    pool: &PgPool,
    attempt: impl Fn() -> BoxFuture<'a, sqlx::Result<T>>,
) -> Result<T, StorageError> {
    let persist = async {
        let mut left = pool.options().get_max_connections();
        loop {
            match attempt().await {
                Err(error) if is_lost(&error) && left > 0 => left -= 1,
                done => return done.map_err(|error| failure(&error)),
            }
        }
    };
    timeout(TIMEOUT, persist).await.unwrap_or_else(|_| Err(late()))
}

impl Engine for PostgresEngine {
    fn read(
        &self,
        statement: Statement,
        columns: &'static [Column],
    ) -> BoxFuture<'static, Result<Vec<Row>, StorageError>> {
        let pool = self.pool.clone();
        Box::pin(async move {
            let attempt =
                || async { select(&mut *pool.acquire().await?, &statement, columns).await };
            persist(&pool, || Box::pin(attempt())).await
        })
    }

    fn search(
        &self,
        statement: Statement,
        columns: &'static [Column],
    ) -> BoxFuture<'static, Result<Vec<Row>, StorageError>> {
        let (pool, places) = (self.pool.clone(), Arc::clone(&self.searches));
        Box::pin(async move {
            let place =
                timeout(SEARCH_TIMEOUT, places.acquire_owned()).await.map_err(|_| late())?;
            // The slot stays taken while the server is searching, even if the caller has left.
            let search = tokio::spawn(async move {
                let _place = place;
                persist(&pool, || Box::pin(look_for(&pool, &statement, columns))).await
            });
            search.await.unwrap_or_else(|_| Err(late()))
        })
    }

    fn write(&self, all: Vec<Statement>) -> BoxFuture<'static, Result<Vec<u64>, StorageError>> {
        let pool = self.pool.clone();
        Box::pin(async move { persist(&pool, || Box::pin(transact(&pool, &all))).await })
    }
}
