//! What is not kept for ever: threads of persons whom nobody has proven, and files that nobody sent.

use super::keep_limits::KeepLimits;
use super::sql;
use super::statement::{Column, Engine, Row, Statement};
use super::storage::{Deleted, StoreFailure};
use crate::clock;
use crate::owner::{ANONYMOUS, Owner};

/// Threads that are deleted in one transaction.
const BATCH: i64 = 100;
/// The bytes of an owner are summed with every so manieth thread: all items have to be looked at for it.
const SUM_EVERY: i64 = 8;

fn number(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// The time so long ago, as rows have it.
fn ago(age: std::time::Duration) -> i64 {
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
    let count = one(engine, Statement::new(sql::COUNT_THREADS, [key()])).await?;
    if count > number(limits.threads) {
        let beyond = || {
            let args = [key(), number(limits.threads).into(), BATCH.into()];
            Statement::new(sql::THREADS_BEYOND, args)
        };
        delete(engine, beyond).await?;
    }
    if count % SUM_EVERY != 0 {
        return Ok(());
    }
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
    let beyond = || {
        let args = [ANONYMOUS.into(), number(limits.all_threads).into(), BATCH.into()];
        Statement::new(sql::ALL_THREADS_BEYOND, args)
    };
    let (old, beyond) = (delete(engine, old).await?, delete(engine, beyond).await?);
    let unsent = Statement::new(sql::EXPIRE_UNSENT, [ago(limits.unsent).into()]);
    let unsent = engine.write(vec![unsent]).await?;
    Ok(Deleted {
        threads: old.threads + beyond.threads,
        items: old.items + beyond.items,
        attachments: old.attachments + beyond.attachments + unsent.iter().sum::<u64>(),
    })
}
