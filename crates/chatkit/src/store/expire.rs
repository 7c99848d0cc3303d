//! Expiry: threads of unauthenticated users, and files that were never sent.

use std::time::Duration;

use super::failure::StorageError;
use super::retention_limits::RetentionLimits;
use super::sql;
use super::statement::{Column, Engine, Statement};
use super::storage::Deleted;
use crate::clock;
use crate::owner::ANONYMOUS;

/// Maximum threads deleted in one transaction.
const BATCH: i64 = 100;
/// How long an announced upload may take; its space is reserved until then.
const COMING: Duration = Duration::from_secs(600);

/// The timestamp this long ago.
fn ago(age: Duration) -> i64 {
    clock::next().saturating_sub(i64::try_from(age.as_micros()).unwrap_or(i64::MAX))
}

/// Deletes the threads that a query returns.
pub(super) async fn delete_threads(
    engine: &impl Engine,
    query: Statement,
) -> Result<Deleted, StorageError> {
    let mut all = Deleted::default();
    let mut statements = Vec::new();
    for mut row in engine.read(query, &[Column::Text, Column::Text]).await? {
        let (id, owner) = (row.text(), row.text());
        let delete = |sql| Statement::new(sql, [id.as_str().into(), owner.as_str().into()]);
        statements.extend(sql::DELETE_THREAD.map(delete));
    }
    if statements.is_empty() {
        return Ok(all);
    }
    for four in engine.write(statements).await?.chunks(sql::DELETE_THREAD.len()) {
        all.items += four[1];
        all.attachments += four[2];
        all.threads += four[3];
    }
    Ok(all)
}

pub(super) async fn expire(
    engine: &impl Engine,
    limits: &RetentionLimits,
) -> Result<Deleted, StorageError> {
    let mut old = Deleted::default();
    loop {
        let args = [ANONYMOUS.into(), ago(limits.age).into(), BATCH.into()];
        let part = delete_threads(engine, Statement::new(sql::OLD_THREADS, args)).await?;
        if part.threads == 0 {
            break;
        }
        old.threads += part.threads;
        old.items += part.items;
        old.attachments += part.attachments;
    }
    let unsent = [ago(limits.unsent).into(), ago(COMING).into()];
    let unsent = Statement::new(sql::EXPIRE_UNSENT, unsent);
    let locks = Statement::new(sql::DELETE_LOST_LOCKS, [ANONYMOUS.into()]);
    let unsent = engine.write(vec![unsent, locks]).await?;
    Ok(Deleted { attachments: old.attachments + unsent[0], ..old })
}
