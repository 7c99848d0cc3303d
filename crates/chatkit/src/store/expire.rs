//! What is not kept for ever: threads of persons whom nobody has proven, and files that nobody sent.

use std::time::Duration;

use super::keep_limits::KeepLimits;
use super::sql;
use super::statement::{Column, Engine, Row, Statement};
use super::storage::{Deleted, StoreFailure};
use crate::clock;
use crate::owner::{ANONYMOUS, Owner};

/// Threads that are deleted in one transaction.
const BATCH: i64 = 100;
/// How long a file that was announced may take to come.
const COMING: Duration = Duration::from_secs(3600);

fn number(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// The time so long ago, as rows have it.
fn ago(age: Duration) -> i64 {
    clock::next().saturating_sub(i64::try_from(age.as_micros()).unwrap_or(i64::MAX))
}

/// Deletes the threads that a query gives, until it gives none.
async fn delete(
    engine: &impl Engine,
    query: impl Fn() -> Statement,
) -> Result<Deleted, StoreFailure> {
    let mut all = Deleted::default();
    loop {
        let found = engine.read(query(), &[Column::Text, Column::Text]).await?;
        if found.is_empty() {
            return Ok(all);
        }
        let mut statements = Vec::new();
        for mut row in found {
            let (id, owner) = (row.text(), row.text());
            let delete = |sql| Statement::new(sql, [id.as_str().into(), owner.as_str().into()]);
            statements.extend(sql::DELETE_THREAD.map(delete));
        }
        for four in engine.write(statements).await?.chunks(sql::DELETE_THREAD.len()) {
            all.items += four[1];
            all.attachments += four[2];
            all.threads += four[3];
        }
    }
}

pub(super) async fn make_room(
    engine: &impl Engine,
    owner: &Owner,
    limits: &KeepLimits,
) -> Result<(), StoreFailure> {
    let key = || owner.key().into();
    let beyond = || {
        let args = [key(), number(limits.threads).into(), BATCH.into()];
        Statement::new(sql::THREADS_BEYOND, args)
    };
    delete(engine, beyond).await?;
    while one(engine, Statement::new(sql::BYTES_OF_OWNER, [key()])).await? > number(limits.bytes) {
        let oldest = Statement::new(sql::OLDEST_THREADS, [key(), 1.into()]);
        let Some(mut row) = engine.read(oldest, &[Column::Text, Column::Text]).await?.pop() else {
            return Ok(());
        };
        let id = row.text();
        let delete = |sql| Statement::new(sql, [id.as_str().into(), key()]);
        engine.write(sql::DELETE_THREAD.map(delete).into()).await?;
    }
    Ok(())
}

pub(super) async fn has_room(
    engine: &impl Engine,
    owner: &Owner,
    thread: Option<&str>,
    limits: &KeepLimits,
) -> Result<bool, StoreFailure> {
    let (query, most) = match thread {
        Some(id) => (Statement::new(sql::LAST_POSITION, [id.into()]), limits.items),
        None => (Statement::new(sql::COUNT_ALL_THREADS, [ANONYMOUS.into()]), limits.all_threads),
    };
    if one(engine, query).await? >= number(most) {
        return Ok(false);
    }
    // A new thread makes room for itself.
    let bytes = Statement::new(sql::BYTES_OF_OWNER, [owner.key().into()]);
    Ok(thread.is_none() || one(engine, bytes).await? < number(limits.bytes))
}

/// The number that a query gives.
async fn one(engine: &impl Engine, query: Statement) -> Result<i64, StoreFailure> {
    let mut rows = engine.read(query, &[Column::Int]).await?;
    Ok(rows.first_mut().map(Row::int).unwrap_or_default())
}

pub(super) async fn expire(
    engine: &impl Engine,
    limits: &KeepLimits,
) -> Result<Deleted, StoreFailure> {
    let old = || {
        let args = [ANONYMOUS.into(), ago(limits.age).into(), BATCH.into()];
        Statement::new(sql::OLD_THREADS, args)
    };
    let old = delete(engine, old).await?;
    let unsent = [ago(limits.unsent).into(), ago(COMING).into()];
    let unsent = Statement::new(sql::EXPIRE_UNSENT, unsent);
    let locks = Statement::new(sql::DELETE_LOST_LOCKS, [ANONYMOUS.into()]);
    let unsent = engine.write(vec![unsent, locks]).await?;
    Ok(Deleted { attachments: old.attachments + unsent[0], ..old })
}
