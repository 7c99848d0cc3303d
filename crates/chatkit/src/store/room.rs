//! Quotas of anonymous users: per user, per IP address and in total.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::expire::delete_threads;
use super::failure::StorageError;
use super::retention_limits::RetentionLimits;
use super::sql;
use super::statement::{Arg, Column, Engine, Row, Statement, number, parse};
use crate::owner::{ANONYMOUS, Owner};
use crate::protocol::ThreadMetadata;

/// The interval of counting, which reads every row.
const COUNT_EVERY: Duration = Duration::from_secs(60);
/// Maximum cached counts.
const MAX_COUNTS: usize = 10_000;
/// The minimum size that a file counts as: rows are no smaller, and this bounds the number of rows to add up.
pub(super) const MIN_FILE: i64 = 64 << 10;

/// Whose data is counted.
#[derive(Clone, Copy, Debug)]
pub(super) enum Whose<'o> {
    Owner(&'o Owner),
    /// Of all users at an address.
    Place(&'o str),
    /// Of all anonymous users.
    All,
}

impl<'o> Whose<'o> {
    /// A unique key.
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

/// The last counts of anonymous users' data, plus what this process has added since.
#[derive(Debug, Default)]
pub(super) struct Counts {
    known: Mutex<HashMap<String, Count>>,
    /// Held during the first count, so that it happens once.
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

    /// Counts a pending write of an anonymous owner at this address.
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

    /// Subtracts deleted data from the total; otherwise it would stay full until the next count.
    fn remove_threads(&self, threads: u64) {
        if let Some(all) = self.lock().get_mut(ANONYMOUS) {
            all.threads -= i64::try_from(threads).unwrap_or_default();
        }
    }

    /// Counts, so that files can be added.
    pub(super) async fn count_files(&self, engine: &impl Engine) -> Result<(), StorageError> {
        self.of(engine, Whose::All).await.map(|_| ())
    }

    /// Counts a file toward the total, if it fits.
    pub(super) fn add_file(&self, size: i64, most: i64) -> bool {
        let mut counts = self.lock();
        let Some(all) = counts.get_mut(ANONYMOUS) else { return true };
        let has_room = all.attached + size.max(MIN_FILE) <= most;
        if has_room {
            all.attached += size.max(MIN_FILE);
        }
        has_room
    }

    /// The recent counts.
    async fn of(&self, engine: &impl Engine, whose: Whose<'_>) -> Result<Count, StorageError> {
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
            // If counting fails, the previous count is better than none.
            Some(known) => Ok(self.count(engine, whose).await.unwrap_or(known)),
            None => self.count(engine, whose).await,
        }
    }

    /// The last count. The first caller that finds it expired counts again; the others use the old one.
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
    async fn count(&self, engine: &impl Engine, whose: Whose<'_>) -> Result<Count, StorageError> {
        let (query, columns) = whose.query();
        let rows = engine.read(query, columns).await?;
        let mut row = rows.into_iter().next().ok_or(StorageError::NotFound)?;
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

/// The limit for one of many, and how many threads are deleted at once when it is exceeded; more for an
/// address, so that it is counted less often.
struct Share<'o> {
    whose: Whose<'o>,
    oldest: &'static str,
    threads: i64,
    bytes: i64,
    more: i64,
}

impl Share<'_> {
    /// The number of threads to delete before another can be created.
    fn beyond(&self, kept: Count) -> i64 {
        match kept.threads - self.threads + 1 {
            beyond if beyond > 0 => beyond + self.more,
            _ => i64::from(kept.bytes > self.bytes),
        }
    }

    /// Deletes the oldest threads until another fits.
    async fn make_room(&self, engine: &impl Engine, counts: &Counts) -> Result<(), StorageError> {
        if self.beyond(counts.of(engine, self.whose).await?) == 0 {
            return Ok(());
        }
        loop {
            // After deletions since the last count, there may be nothing to delete.
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

/// Deletes the oldest threads of an owner, and of all owners at the same address, until another fits. Does
/// nothing if the total is reached.
pub(super) async fn make_room(
    engine: &impl Engine,
    counts: &Counts,
    owner: &Owner,
    place: &str,
    limits: &RetentionLimits,
) -> Result<bool, StorageError> {
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

/// A thread, and whether it has room for more.
pub(super) async fn thread_with_room(
    engine: &impl Engine,
    counts: &Counts,
    owner: &Owner,
    id: &str,
    limits: &RetentionLimits,
) -> Result<(ThreadMetadata, bool), StorageError> {
    let all = counts.of(engine, Whose::All).await?;
    let query = Statement::new(sql::THREAD_AND_ITEMS, [id.into(), owner.key().into()]);
    let rows = engine.look_up(query, &[Column::Text, Column::Int]).await?;
    let mut row: Row = rows.into_iter().next().ok_or(StorageError::NotFound)?;
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
