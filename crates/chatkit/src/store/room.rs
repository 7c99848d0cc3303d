//! Room for what anonymous users keep: each of them, those at each address, and all of them together.

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
/// A file takes this much at least, whatever its size: rows are no smaller, and sums have fewer of them.
pub(super) const MIN_FILE: i64 = 64 << 10;

/// Whose things are counted.
#[derive(Clone, Copy, Debug)]
pub(super) enum Whose<'o> {
    Owner(&'o Owner),
    /// Of whoever is there.
    Place(&'o str),
    /// Of all who are anonymous.
    All,
}

impl<'o> Whose<'o> {
    /// No two are the same.
    fn key(self) -> &'o str {
        match self {
            Self::Owner(owner) => owner.key(),
            Self::Place(place) => place,
            Self::All => ANONYMOUS,
        }
    }

    fn query(self) -> (Statement, &'static [Column]) {
        const COLUMNS: &[Column] = &[Column::Int, Column::Int, Column::Int];
        let key = self.key().into();
        match self {
            Self::Owner(_) => (Statement::new(sql::KEPT, [key]), &COLUMNS[..2]),
            Self::Place(_) => (Statement::new(sql::KEPT_AT, [key]), &COLUMNS[..1]),
            Self::All => (Statement::new(sql::KEPT_OF_ALL, [key, MIN_FILE.into()]), COLUMNS),
        }
    }
}

/// What anonymous users keep, as it was last counted, with what this process has added since.
#[derive(Debug, Default)]
pub(super) struct Counts {
    known: Mutex<HashMap<String, Count>>,
    /// Held while something is counted for the first time, so that it is done once.
    first: tokio::sync::Mutex<()>,
}

#[derive(Clone, Copy, Debug)]
struct Count {
    at: Instant,
    threads: i64,
    bytes: i64,
    /// The bytes of files.
    attached: i64,
}

impl Counts {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Count>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds what is about to be written for an anonymous owner, who is at this place.
    pub(super) fn add(&self, owner: &Owner, place: &str, threads: i64, all: &[Statement]) {
        let size = |arg: &Arg| if let Arg::Text(text) = arg { number(text.len()) } else { 0 };
        let bytes: i64 = all.iter().flat_map(|one| &one.args).map(size).sum();
        let mut counts = self.lock();
        for whose in [Whose::Owner(owner), Whose::Place(place), Whose::All] {
            if let Some(count) = counts.get_mut(whose.key()) {
                count.threads += threads;
                count.bytes += bytes;
            }
        }
    }

    /// Takes what was deleted from what all have: otherwise whoever is many fills it until it is counted again.
    fn remove_threads(&self, threads: u64) {
        if let Some(all) = self.lock().get_mut(ANONYMOUS) {
            all.threads -= i64::try_from(threads).unwrap_or_default();
        }
    }

    /// Counts so that files can be added.
    pub(super) async fn count_files(&self, engine: &impl Engine) -> Result<(), StoreFailure> {
        self.of(engine, Whose::All).await.map(|_| ())
    }

    /// Adds a file among those of all, if there is room.
    pub(super) fn add_file(&self, size: i64, most: i64) -> bool {
        let mut counts = self.lock();
        let Some(all) = counts.get_mut(ANONYMOUS) else { return true };
        let has_room = all.attached + size.max(MIN_FILE) <= most;
        if has_room {
            all.attached += size.max(MIN_FILE);
        }
        has_room
    }

    /// What is kept: as it was counted a short while ago.
    async fn of(&self, engine: &impl Engine, whose: Whose<'_>) -> Result<Count, StoreFailure> {
        let mut known = self.known(whose);
        if known.is_none() {
            let _alone = self.first.lock().await;
            known = self.known(whose);
            if known.is_none() {
                return self.count(engine, whose).await;
            }
        }
        match known {
            Some(known) if known.at.elapsed() < COUNT_EVERY => Ok(known),
            // If it cannot be counted, what was known is better than no answer.
            Some(known) => Ok(self.count(engine, whose).await.unwrap_or(known)),
            None => self.count(engine, whose).await,
        }
    }

    /// What was last counted. Whoever finds it old counts again; until then it is new for the others.
    fn known(&self, whose: Whose<'_>) -> Option<Count> {
        let mut counts = self.lock();
        let known = counts.get_mut(whose.key())?;
        let found = *known;
        if found.at.elapsed() >= COUNT_EVERY {
            known.at = Instant::now();
        }
        Some(found)
    }

    /// The same, counted now.
    async fn count(&self, engine: &impl Engine, whose: Whose<'_>) -> Result<Count, StoreFailure> {
        let (query, columns) = whose.query();
        let rows = engine.read(query, columns).await?;
        let mut row = rows.into_iter().next().ok_or(StoreFailure::NotFound)?;
        let (threads, bytes, attached) = (row.int(), row.int(), row.int());
        let count = Count { at: Instant::now(), threads, bytes, attached };
        let mut counts = self.lock();
        if counts.len() >= MAX_COUNTS {
            counts.retain(|_, known| known.at.elapsed() < COUNT_EVERY);
        }
        if counts.len() >= MAX_COUNTS {
            counts.clear();
        }
        counts.insert(whose.key().to_owned(), count);
        Ok(count)
    }
}

/// What one of many may keep, and how many more threads go when it is exceeded: those of an address are
/// counted less often then.
struct Share<'o> {
    whose: Whose<'o>,
    oldest: &'static str,
    threads: i64,
    bytes: i64,
    more: i64,
}

impl Share<'_> {
    /// How many threads there are too many if another is begun.
    fn beyond(&self, kept: Count) -> i64 {
        match kept.threads - self.threads + 1 {
            beyond if beyond > 0 => beyond + self.more,
            _ => i64::from(kept.bytes > self.bytes),
        }
    }

    /// Deletes the oldest threads until another has room.
    async fn make_room(&self, engine: &impl Engine, counts: &Counts) -> Result<(), StoreFailure> {
        if self.beyond(counts.of(engine, self.whose).await?) == 0 {
            return Ok(());
        }
        loop {
            // Something may have been deleted since it was counted; then none are.
            let beyond = self.beyond(counts.count(engine, self.whose).await?);
            let oldest = Statement::new(self.oldest, [self.whose.key().into(), beyond.into()]);
            let deleted = delete_threads(engine, oldest).await?.threads;
            if deleted == 0 {
                return Ok(());
            }
            counts.remove_threads(deleted);
        }
    }
}

/// Deletes the oldest threads of an owner, and of whoever else is at the same place, until another has room;
/// not if there is none among all.
pub(super) async fn make_room(
    engine: &impl Engine,
    counts: &Counts,
    owner: &Owner,
    place: &str,
    limits: &KeepLimits,
) -> Result<bool, StoreFailure> {
    let all = counts.of(engine, Whose::All).await?;
    if all.threads >= number(limits.all_threads) || all.bytes >= number(limits.all_bytes) {
        return Ok(false);
    }
    let own = Share {
        whose: Whose::Owner(owner),
        oldest: sql::OLDEST_THREADS,
        threads: number(limits.threads),
        bytes: number(limits.bytes),
        more: 0,
    };
    let of_place = Share {
        whose: Whose::Place(place),
        oldest: sql::OLDEST_THREADS_AT,
        threads: number(limits.threads_of_address),
        bytes: i64::MAX,
        more: number(limits.threads_of_address) / 20,
    };
    if !place.is_empty() {
        of_place.make_room(engine, counts).await?;
    }
    own.make_room(engine, counts).await?;
    Ok(true)
}

/// A thread, and whether more may be kept in it.
pub(super) async fn thread_with_room(
    engine: &impl Engine,
    counts: &Counts,
    owner: &Owner,
    id: &str,
    limits: &KeepLimits,
) -> Result<(ThreadMetadata, bool), StoreFailure> {
    let all = counts.of(engine, Whose::All).await?;
    let query = Statement::new(sql::THREAD_AND_ITEMS, [id.into(), owner.key().into()]);
    let rows = engine.look_up(query, &[Column::Text, Column::Int]).await?;
    let mut row: Row = rows.into_iter().next().ok_or(StoreFailure::NotFound)?;
    let (thread, items) = (parse(&row.text())?, row.int());
    let is_full = |kept: Count| kept.bytes >= number(limits.bytes);
    let mut kept = counts.of(engine, Whose::Owner(owner)).await?;
    if is_full(kept) {
        kept = counts.count(engine, Whose::Owner(owner)).await?;
    }
    let has_room =
        items < number(limits.items) && !is_full(kept) && all.bytes < number(limits.all_bytes);
    Ok((thread, has_room))
}
