//! Room for what anonymous persons keep: each of them, and all of them together.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::expire::delete_threads;
use super::keep_limits::KeepLimits;
use super::sql;
use super::statement::{Arg, Column, Engine, Row, Statement, number, parse};
use super::storage::StoreFailure;
use crate::owner::{ANONYMOUS, Owner};
use crate::protocol::ThreadMetadata;

/// How often all that is kept is counted: that looks at every row.
const COUNT_EVERY: Duration = Duration::from_secs(60);

/// What all anonymous persons keep, as it was last counted, with what this process has added since.
#[derive(Debug, Default)]
pub(super) struct Total(Mutex<Option<Counted>>);

#[derive(Clone, Copy, Debug)]
struct Counted {
    at: Instant,
    threads: i64,
    bytes: i64,
}

impl Total {
    fn lock(&self) -> MutexGuard<'_, Option<Counted>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds what is about to be written for an anonymous owner.
    pub(super) fn add(&self, threads: i64, all: &[Statement]) {
        let size = |arg: &Arg| if let Arg::Text(text) = arg { number(text.len()) } else { 0 };
        if let Some(counted) = &mut *self.lock() {
            counted.threads += threads;
            counted.bytes += all.iter().flat_map(|one| &one.args).map(size).sum::<i64>();
        }
    }

    async fn counted(&self, engine: &impl Engine) -> Result<Counted, StoreFailure> {
        let known = *self.lock();
        if let Some(known) = known.filter(|known| known.at.elapsed() < COUNT_EVERY) {
            return Ok(known);
        }
        let (threads, bytes) = kept(engine, sql::KEPT_OF_ALL, ANONYMOUS).await?;
        Ok(*self.lock().insert(Counted { at: Instant::now(), threads, bytes }))
    }
}

/// How many threads there are of an owner, or of all like a pattern, and how many bytes of items.
async fn kept(
    engine: &impl Engine,
    sql: &'static str,
    of: &str,
) -> Result<(i64, i64), StoreFailure> {
    let rows = engine.read(Statement::new(sql, [of.into()]), &[Column::Int, Column::Int]).await?;
    Ok(rows.into_iter().next().map(|mut row| (row.int(), row.int())).unwrap_or_default())
}

/// Deletes the oldest threads of an owner until another has room; not if there is none among all.
pub(super) async fn make_room(
    engine: &impl Engine,
    total: &Total,
    owner: &Owner,
    limits: &KeepLimits,
) -> Result<bool, StoreFailure> {
    let all = total.counted(engine).await?;
    if all.threads >= number(limits.all_threads) || all.bytes >= number(limits.all_bytes) {
        return Ok(false);
    }
    loop {
        let (threads, bytes) = kept(engine, sql::KEPT, owner.key()).await?;
        let beyond = match threads - number(limits.threads) + 1 {
            beyond if beyond > 0 => beyond,
            _ if bytes > number(limits.bytes) => 1,
            _ => return Ok(true),
        };
        let oldest = [owner.key().into(), beyond.into()];
        if delete_threads(engine, Statement::new(sql::OLDEST_THREADS, oldest)).await?.threads == 0 {
            return Ok(true);
        }
    }
}

/// A thread, and whether more may be kept in it.
pub(super) async fn thread_with_room(
    engine: &impl Engine,
    total: &Total,
    owner: &Owner,
    id: &str,
    limits: &KeepLimits,
) -> Result<(ThreadMetadata, bool), StoreFailure> {
    let all = total.counted(engine).await?;
    let query = Statement::new(sql::THREAD_AND_KEPT, [id.into(), owner.key().into()]);
    let rows = engine.read(query, &[Column::Text, Column::Int, Column::Int]).await?;
    let mut row: Row = rows.into_iter().next().ok_or(StoreFailure::NotFound)?;
    let (thread, items, bytes) = (parse(&row.text())?, row.int(), row.int());
    let has_room = items < number(limits.items)
        && bytes < number(limits.bytes)
        && all.bytes < number(limits.all_bytes);
    Ok((thread, has_room))
}
