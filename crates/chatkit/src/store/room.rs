//! Room for what anonymous persons keep: each of them, and all of them together.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::expire::delete_threads;
use super::keep_limits::KeepLimits;
use super::sql;
use super::statement::{Arg, Column, Engine, Row, Statement, number, parse};
use super::storage::StoreFailure;
use crate::owner::{ANONYMOUS, Owner};
use crate::protocol::ThreadMetadata;

/// How often what is kept is counted: that looks at every row of it.
const COUNT_EVERY: Duration = Duration::from_secs(60);
/// Counts that are remembered.
const MAX_COUNTS: usize = 10_000;

/// What anonymous persons keep, as it was last counted, with what this process has added since: by the key of
/// a person, and that of all of them by `ANONYMOUS`.
#[derive(Debug, Default)]
pub(super) struct Counts(Mutex<HashMap<String, Count>>);

#[derive(Clone, Copy, Debug)]
struct Count {
    at: Instant,
    threads: i64,
    bytes: i64,
}

impl Counts {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Count>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds what is about to be written for an anonymous owner.
    pub(super) fn add(&self, owner: &Owner, threads: i64, all: &[Statement]) {
        let size = |arg: &Arg| if let Arg::Text(text) = arg { number(text.len()) } else { 0 };
        let bytes: i64 = all.iter().flat_map(|one| &one.args).map(size).sum();
        let mut counts = self.lock();
        for of in [owner.key(), ANONYMOUS] {
            if let Some(count) = counts.get_mut(of) {
                count.threads += threads;
                count.bytes += bytes;
            }
        }
    }

    /// What is kept of an owner, or of all: as it was counted a short while ago.
    async fn of(&self, engine: &impl Engine, of: &str) -> Result<Count, StoreFailure> {
        let Some(known) = self.known(of) else { return self.count(engine, of).await };
        if known.at.elapsed() < COUNT_EVERY {
            return Ok(known);
        }
        // If it cannot be counted, what was known is better than no answer.
        Ok(self.count(engine, of).await.unwrap_or(known))
    }

    /// What was last counted. Whoever finds it old counts again; until then it is new for the others.
    fn known(&self, of: &str) -> Option<Count> {
        let mut counts = self.lock();
        let known = counts.get_mut(of)?;
        let found = *known;
        if found.at.elapsed() >= COUNT_EVERY {
            known.at = Instant::now();
        }
        Some(found)
    }

    /// The same, counted now.
    async fn count(&self, engine: &impl Engine, of: &str) -> Result<Count, StoreFailure> {
        let sql = if of == ANONYMOUS { sql::KEPT_OF_ALL } else { sql::KEPT };
        let query = Statement::new(sql, [of.into()]);
        let rows = engine.read(query, &[Column::Int, Column::Int]).await?;
        let (threads, bytes) =
            rows.into_iter().next().map(|mut row| (row.int(), row.int())).unwrap_or_default();
        let count = Count { at: Instant::now(), threads, bytes };
        let mut counts = self.lock();
        if counts.len() >= MAX_COUNTS {
            counts.retain(|_, known| known.at.elapsed() < COUNT_EVERY);
        }
        if counts.len() >= MAX_COUNTS {
            counts.clear();
        }
        counts.insert(of.to_owned(), count);
        Ok(count)
    }
}

/// How many threads an owner has too many if another is begun.
fn beyond(kept: Count, limits: &KeepLimits) -> i64 {
    match kept.threads - number(limits.threads) + 1 {
        beyond if beyond > 0 => beyond,
        _ => i64::from(kept.bytes > number(limits.bytes)),
    }
}

/// Deletes the oldest threads of an owner until another has room; not if there is none among all.
pub(super) async fn make_room(
    engine: &impl Engine,
    counts: &Counts,
    owner: &Owner,
    limits: &KeepLimits,
) -> Result<bool, StoreFailure> {
    let all = counts.of(engine, ANONYMOUS).await?;
    if all.threads >= number(limits.all_threads) || all.bytes >= number(limits.all_bytes) {
        return Ok(false);
    }
    if beyond(counts.of(engine, owner.key()).await?, limits) == 0 {
        return Ok(true);
    }
    loop {
        // Something may have been deleted since it was counted; then none are.
        let beyond = beyond(counts.count(engine, owner.key()).await?, limits);
        let oldest = [owner.key().into(), beyond.into()];
        if delete_threads(engine, Statement::new(sql::OLDEST_THREADS, oldest)).await?.threads == 0 {
            return Ok(true);
        }
    }
}

/// A thread, and whether more may be kept in it.
pub(super) async fn thread_with_room(
    engine: &impl Engine,
    counts: &Counts,
    owner: &Owner,
    id: &str,
    limits: &KeepLimits,
) -> Result<(ThreadMetadata, bool), StoreFailure> {
    let all = counts.of(engine, ANONYMOUS).await?;
    let query = Statement::new(sql::THREAD_AND_ITEMS, [id.into(), owner.key().into()]);
    let rows = engine.look_up(query, &[Column::Text, Column::Int]).await?;
    let mut row: Row = rows.into_iter().next().ok_or(StoreFailure::NotFound)?;
    let (thread, items) = (parse(&row.text())?, row.int());
    let is_full = |kept: Count| kept.bytes >= number(limits.bytes);
    let mut kept = counts.of(engine, owner.key()).await?;
    if is_full(kept) {
        kept = counts.count(engine, owner.key()).await?;
    }
    let has_room =
        items < number(limits.items) && !is_full(kept) && all.bytes < number(limits.all_bytes);
    Ok((thread, has_room))
}
