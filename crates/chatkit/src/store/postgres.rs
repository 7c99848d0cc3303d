//! PostgreSQL: each write is a transaction of its own.

use futures_util::future::BoxFuture;
use sqlx::PgPool;
use sqlx::postgres::{PgArguments, PgConnection, PgRow, Postgres as Database};
use tokio::time::timeout;
use widgetcast_store::Postgres;

use super::statement::{self, Column, Engine, Row, Statement, TIMEOUT};
use super::storage::StoreFailure;
use super::tables;

statement::runs!(Database, PgConnection, PgRow, PgArguments);

/// How often something is begun anew on another connection, if the server has closed one.
const MAX_TRIES: usize = 3;

pub(super) struct PostgresEngine {
    pool: PgPool,
    /// Kept, because dropping it ends its tasks.
    _store: Postgres,
}

impl PostgresEngine {
    pub(super) async fn new(store: Postgres) -> sqlx::Result<Self> {
        store.migrate(tables::SCOPE, tables::POSTGRES).await?;
        Ok(Self { pool: store.pool().clone(), _store: store })
    }
}

/// Whether it may be tried on another connection: nothing has come of it, or it may be done twice, as every
/// statement here may.
fn is_lost(error: &sqlx::Error) -> bool {
    let is_closed = |code: &str| matches!(code, "57P01" | "57P02" | "40001" | "40P01");
    match error {
        sqlx::Error::Io(_) | sqlx::Error::Protocol(_) => true,
        sqlx::Error::Database(error) => error.code().is_some_and(|code| is_closed(&code)),
        _ => false,
    }
}

async fn transact(pool: &PgPool, all: &[Statement]) -> sqlx::Result<Vec<u64>> {
    let mut on = pool.begin().await?;
    let changed = execute(&mut on, all).await?;
    on.commit().await?;
    Ok(changed)
}

/// Does something again for as long as connections are lost.
async fn persist<'a, T>(
    attempt: impl Fn() -> BoxFuture<'a, sqlx::Result<T>>,
) -> Result<T, StoreFailure> {
    let mut tries = 1;
    loop {
        match timeout(TIMEOUT, attempt()).await {
            Ok(Err(error)) if is_lost(&error) && tries < MAX_TRIES => tries += 1,
            Ok(done) => return done.map_err(|error| statement::failure(&error)),
            Err(_) => return Err(statement::late()),
        }
    }
}

impl Engine for PostgresEngine {
    fn read(
        &self,
        statement: Statement,
        columns: &'static [Column],
    ) -> BoxFuture<'static, Result<Vec<Row>, StoreFailure>> {
        let pool = self.pool.clone();
        Box::pin(async move {
            let attempt =
                || async { select(&mut *pool.acquire().await?, &statement, columns).await };
            persist(|| Box::pin(attempt())).await
        })
    }

    fn write(&self, all: Vec<Statement>) -> BoxFuture<'static, Result<Vec<u64>, StoreFailure>> {
        let pool = self.pool.clone();
        Box::pin(async move { persist(|| Box::pin(transact(&pool, &all))).await })
    }
}
