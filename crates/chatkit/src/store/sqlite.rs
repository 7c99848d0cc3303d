//! SQLite. Pending writes are combined into one transaction, so that all concurrent conversations share a
//! commit, which waits for the disk. Each connection has its own thread, which does all pending work before
//! it sleeps, because waking a thread costs as much as a statement. Indexed lookups run on the writing
//! connection, because every commit empties the caches of the others. The results of a batch are delivered by
//! one task of the runtime, which is then woken once. Searches have a separate connection, and are
//! interrupted when their caller leaves.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use futures_util::future::BoxFuture;
use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, ToSql, TransactionBehavior, params_from_iter};
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

use super::failure::StorageError;
use super::statement::{
    Arg, Cell, Column, Engine, Row, Rows, SEARCH_TIMEOUT, Statement, TIMEOUT, late,
};

/// The number of connections that read.
const READERS: usize = 3;
/// Maximum reads that one connection takes at a time, so that others do not wait behind a long one.
const MAX_READS: usize = 4;
/// Maximum writes per transaction, and the capacity of the queue.
const MAX_BATCH: usize = 128;
/// How long a commit waits for further writes, if the previous one was shared.
const COMMIT_DELAY: Duration = Duration::from_micros(500);
/// WAL pages at which a checkpoint is made: 16 MB.
const LOG_PAGES: i64 = 4000;
/// The number of cached prepared statements.
const COMPILED: usize = 64;
/// Capacity of the queue of searches.
const MAX_SEARCHES: usize = 16;
/// Steps of a search between checks whether its caller is still waiting.
const SEARCH_STEPS: i32 = 1000;

pub(super) struct SqliteEngine {
    reads: mpsc::Sender<Read>,
    searches: mpsc::Sender<Search>,
    jobs: mpsc::Sender<Job>,
}

/// The jobs of the writing connection.
enum Job {
    LookUp(Read),
    Write(Write),
}

struct Read {
    query: Statement,
    columns: &'static [Column],
    done: oneshot::Sender<Result<Vec<Row>, StorageError>>,
}

struct Search {
    read: Read,
    /// Whether the caller has left.
    is_over: Arc<AtomicBool>,
}

/// Ends a search when it is dropped.
struct EndOnDrop(Arc<AtomicBool>);

impl Drop for EndOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

struct Write {
    all: Vec<Statement>,
    done: oneshot::Sender<Result<Vec<u64>, StorageError>>,
}

/// A result, and its recipient.
enum Answer {
    Rows(oneshot::Sender<Result<Vec<Row>, StorageError>>, Result<Vec<Row>, StorageError>),
    Changed(oneshot::Sender<Result<Vec<u64>, StorageError>>, Result<Vec<u64>, StorageError>),
}

type Answers = mpsc::UnboundedSender<Vec<Answer>>;

impl Answer {
    /// The caller may have left.
    fn send(self) {
        match self {
            Self::Rows(done, rows) => drop(done.send(rows)),
            Self::Changed(done, changed) => drop(done.send(changed)),
        }
    }
}

impl SqliteEngine {
    /// Opens a file that has the tables. Its threads end with this value. Called on the runtime that awaits
    /// the results.
    pub(super) fn new(path: &Path) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        let (answers, mut done) = mpsc::unbounded_channel::<Vec<Answer>>();
        tokio::spawn(async move {
            while let Some(batch) = done.recv().await {
                batch.into_iter().for_each(Answer::send);
            }
        });
        let (reads, waiting) = mpsc::channel(MAX_BATCH);
        let waiting = Arc::new(Mutex::new(waiting));
        for _ in 0..READERS {
            let (connection, waiting) = (connect(path)?, Arc::clone(&waiting));
            let (named, answers) = (thread::Builder::new(), answers.clone());
            named
                .name("chatkit-read".into())
                .spawn(move || read(&connection, &waiting, &answers))?;
        }
        let (searches, waiting) = mpsc::channel(MAX_SEARCHES);
        let (connection, of_searches) = (connect(path)?, answers.clone());
        let named = thread::Builder::new().name("chatkit-search".into());
        named.spawn(move || search(&connection, waiting, &of_searches))?;
        let (jobs, waiting) = mpsc::channel(MAX_BATCH);
        let connection = connect(path)?;
        let named = thread::Builder::new().name("chatkit-write".into());
        named.spawn(move || work(connection, waiting, &answers))?;
        Ok(Self { reads, searches, jobs })
    }
}

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(TIMEOUT)?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    // For less frequent checkpoints, since most pages are soon written again.
    connection.pragma_update(None, "wal_autocheckpoint", LOG_PAGES)?;
    // Otherwise, every statement that may roll back takes 64 kB for its journal.
    connection.pragma_update(None, "temp_store", "MEMORY")?;
    connection.set_prepared_statement_cache_capacity(COMPILED);
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    connection.create_scalar_function("strpos", 2, flags, strpos)?;
    Ok(connection)
}

/// PostgreSQL's `strpos`, but in bytes: the position of one text in another, starting at 1, or 0. SQLite's
/// own `instr` takes the product of both lengths.
fn strpos(context: &Context<'_>) -> rusqlite::Result<i64> {
    let (text, wanted) = (context.get_raw(0).as_str()?, context.get_raw(1).as_str()?);
    Ok(text.find(wanted).map_or(0, |at| at as i64 + 1))
}

/// Searches until the engine is dropped.
fn search(connection: &Connection, mut waiting: mpsc::Receiver<Search>, answers: &Answers) {
    while let Some(Search { read, is_over }) = waiting.blocking_recv() {
        let ends = move || is_over.load(Ordering::Relaxed);
        // Do not start a search that could not be interrupted.
        if connection.progress_handler(SEARCH_STEPS, Some(ends)).is_err() {
            continue;
        }
        if answers.send(answer(connection, read).into_iter().collect()).is_err() {
            return;
        }
    }
}

/// Reads until the engine is dropped. One thread at a time waits for work; the others wait for the lock.
fn read(connection: &Connection, waiting: &Mutex<mpsc::Receiver<Read>>, answers: &Answers) {
    let mut batch = Vec::with_capacity(MAX_READS);
    loop {
        let mut queue = waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if queue.blocking_recv_many(&mut batch, MAX_READS) == 0 {
            return;
        }
        drop(queue);
        for read in batch.drain(..) {
            // One at a time: the next ones may take longer.
            if answers.send(answer(connection, read).into_iter().collect()).is_err() {
                return;
            }
        }
    }
}

/// `None` if the caller has left.
fn answer(connection: &Connection, Read { query, columns, done }: Read) -> Option<Answer> {
    if done.is_closed() {
        return None;
    }
    let rows = select(connection, &query, columns).map_err(|error| failure(&error));
    Some(Answer::Rows(done, rows))
}

/// Looks up and writes until the engine is dropped.
fn work(mut connection: Connection, mut waiting: mpsc::Receiver<Job>, answers: &Answers) {
    let mut batch = Vec::with_capacity(MAX_BATCH);
    let mut is_shared = false;
    while waiting.blocking_recv_many(&mut batch, MAX_BATCH) > 0 {
        let mut writes = Vec::new();
        // Before the commit, which takes longer.
        if !look_up(&connection, &mut batch, &mut writes, answers) {
            return;
        }
        if writes.is_empty() {
            continue;
        }
        if is_shared {
            thread::sleep(COMMIT_DELAY);
            while writes.len() + batch.len() < MAX_BATCH
                && let Ok(job) = waiting.try_recv()
            {
                batch.push(job);
            }
            if !look_up(&connection, &mut batch, &mut writes, answers) {
                return;
            }
        }
        is_shared = writes.len() > 1;
        if answers.send(commit(&mut connection, writes)).is_err() {
            return;
        }
    }
}

/// Answers lookups, and queues writes for the commit. Returns whether any caller is waiting for a result.
fn look_up(
    connection: &Connection,
    batch: &mut Vec<Job>,
    writes: &mut Vec<Write>,
    answers: &Answers,
) -> bool {
    let mut found = Vec::new();
    for job in batch.drain(..) {
        match job {
            Job::LookUp(read) => found.extend(answer(connection, read)),
            Job::Write(write) => writes.push(write),
        }
    }
    found.is_empty() || answers.send(found).is_ok()
}

/// Runs all writes in one transaction. A failed write does not affect the others.
fn commit(connection: &mut Connection, batch: Vec<Write>) -> Vec<Answer> {
    let mut results = Vec::with_capacity(batch.len());
    let mut commit = || -> Result<(), StorageError> {
        let begun = connection.transaction_with_behavior(TransactionBehavior::Immediate);
        let mut transaction = begun.map_err(|error| failure(&error))?;
        for write in &batch {
            let result =
                execute_all(&mut transaction, &write.all).map_err(|error| failure(&error))?;
            // A full disk also ends the transaction.
            if let (Err(failure), true) = (&result, transaction.is_autocommit()) {
                return Err(failure.clone());
            }
            results.push(result);
        }
        transaction.commit().map_err(|error| failure(&error))
    };
    if let Err(failure) = commit() {
        results = vec![Err(failure); batch.len()];
    }
    let answer = |(write, result): (Write, _)| Answer::Changed(write.done, result);
    batch.into_iter().zip(results).map(answer).collect()
}

/// Runs all statements of a write, or none. An error affects the whole transaction.
fn execute_all(
    transaction: &mut rusqlite::Transaction<'_>,
    all: &[Statement],
) -> rusqlite::Result<Result<Vec<u64>, StorageError>> {
    // A single statement has no effect if it fails.
    if let [one] = all {
        return Ok(execute(transaction, one).map(|changed| vec![changed]));
    }
    let mut savepoint = transaction.savepoint()?;
    let done = all.iter().map(|one| execute(&savepoint, one)).collect::<Result<Vec<u64>, _>>();
    if done.is_err() {
        savepoint.rollback()?;
    }
    savepoint.commit()?;
    Ok(done)
}

fn execute(on: &Connection, statement: &Statement) -> Result<u64, StorageError> {
    let execute = || {
        let mut compiled = on.prepare_cached(&numbered(statement.sql))?;
        compiled.execute(params_from_iter(&statement.args))
    };
    match execute().map_err(|error| failure(&error))? {
        0 if statement.must_change => Err(StorageError::NotFound),
        changed => Ok(changed as u64),
    }
}

fn select(on: &Connection, query: &Statement, columns: &[Column]) -> rusqlite::Result<Vec<Row>> {
    let mut compiled = on.prepare_cached(&numbered(query.sql))?;
    let mut found = compiled.query(params_from_iter(&query.args))?;
    let mut rows = Rows::of(query);
    while let Some(row) = found.next()? {
        let cell = |(at, column): (usize, &Column)| {
            Ok(match column {
                Column::Int => Cell::Int(row.get::<_, Option<i64>>(at)?.unwrap_or_default()),
                Column::Text => Cell::Text(row.get::<_, Option<String>>(at)?.unwrap_or_default()),
                Column::Bytes => {
                    Cell::Bytes(row.get::<_, Option<Vec<u8>>>(at)?.unwrap_or_default())
                }
            })
        };
        let cells = columns.iter().enumerate().map(cell).collect::<rusqlite::Result<Vec<Cell>>>();
        if !rows.add(cells?) {
            break;
        }
    }
    Ok(rows.into_rows())
}

/// PostgreSQL's `$2` is the second value. SQLite writes `?2`; there, `$2` is a name, numbered by first use.
fn numbered(sql: &str) -> String {
    sql.replace('$', "?")
}

impl ToSql for Arg {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Int(number) => ValueRef::Integer(*number),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
            Self::Bytes(bytes) => ValueRef::Blob(bytes),
        }))
    }
}

fn failure(error: &rusqlite::Error) -> StorageError {
    StorageError::Unavailable(error.to_string())
}

fn closed() -> StorageError {
    StorageError::Unavailable("the storage is closed".into())
}

/// Sends a job to the queue of a thread, and awaits the result with a timeout.
async fn ask<Job, T>(
    queue: mpsc::Sender<Job>,
    time: Duration,
    job: impl FnOnce(oneshot::Sender<Result<T, StorageError>>) -> Job,
) -> Result<T, StorageError> {
    let (done, answer) = oneshot::channel();
    let asked = async {
        queue.send(job(done)).await.map_err(|_| closed())?;
        answer.await.unwrap_or_else(|_| Err(closed()))
    };
    timeout(time, asked).await.unwrap_or_else(|_| Err(late()))
}

impl Engine for SqliteEngine {
    fn read(
        &self,
        query: Statement,
        columns: &'static [Column],
    ) -> BoxFuture<'static, Result<Vec<Row>, StorageError>> {
        Box::pin(ask(self.reads.clone(), TIMEOUT, move |done| Read { query, columns, done }))
    }

    fn look_up(
        &self,
        query: Statement,
        columns: &'static [Column],
    ) -> BoxFuture<'static, Result<Vec<Row>, StorageError>> {
        let job = move |done| Job::LookUp(Read { query, columns, done });
        Box::pin(ask(self.jobs.clone(), TIMEOUT, job))
    }

    fn search(
        &self,
        query: Statement,
        columns: &'static [Column],
    ) -> BoxFuture<'static, Result<Vec<Row>, StorageError>> {
        let (is_over, searches) = (Arc::<AtomicBool>::default(), self.searches.clone());
        let end = EndOnDrop(Arc::clone(&is_over));
        let job = move |done| Search { read: Read { query, columns, done }, is_over };
        Box::pin(async move {
            let _end = end;
            ask(searches, SEARCH_TIMEOUT, job).await
        })
    }

    fn write(&self, all: Vec<Statement>) -> BoxFuture<'static, Result<Vec<u64>, StorageError>> {
        Box::pin(ask(self.jobs.clone(), TIMEOUT, move |done| Job::Write(Write { all, done })))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(sql: &'static str, args: Vec<i64>) -> Statement {
        let args = args.into_iter().map(Arg::Int).collect();
        Statement { args, ..Statement::new(sql, []) }
    }

    /// The results of writes that were committed together.
    fn results(
        connection: &mut Connection,
        writes: Vec<Vec<Statement>>,
    ) -> Vec<Result<Vec<u64>, StorageError>> {
        let write = |all| {
            let (done, result) = oneshot::channel();
            (Write { all, done }, result)
        };
        let (batch, mut results): (Vec<Write>, Vec<_>) = writes.into_iter().map(write).unzip();
        commit(connection, batch).into_iter().for_each(Answer::send);
        results.iter_mut().map(|result| result.try_recv().unwrap()).collect()
    }

    /// In a batch, a failed write is rolled back alone, and all others are stored.
    #[test]
    fn one_write_is_not_in_the_way_of_the_others() {
        let mut connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("CREATE TABLE t (a INTEGER PRIMARY KEY)").unwrap();
        let insert = |a| number("INSERT INTO t (a) VALUES ($1)", vec![a]);
        let nothing = || number("DELETE FROM t WHERE a = $1", vec![99]).must_change();
        let writes = [
            vec![insert(1), insert(2)],
            vec![insert(3), nothing()],
            vec![insert(1)],
            vec![nothing()],
            vec![insert(4), insert(2)],
            vec![insert(5)],
        ];
        let results = results(&mut connection, writes.into());
        assert_eq!(results[0], Ok(vec![1, 1]));
        assert_eq!(
            (&results[1], &results[3]),
            (&Err(StorageError::NotFound), &Err(StorageError::NotFound))
        );
        for failed in [&results[2], &results[4]] {
            assert!(matches!(failed, Err(StorageError::Unavailable(_))), "{failed:?}");
        }
        assert_eq!(results[5], Ok(vec![1]));
        let mut all =
            select(&connection, &number("SELECT a FROM t ORDER BY a", vec![]), &[Column::Int])
                .unwrap();
        let all: Vec<i64> = all.iter_mut().map(Row::int).collect();
        assert_eq!(all, [1, 2, 5]);
    }

    /// SQLite rolls back the transaction when the disk is full. All its writes fail, and the next transaction
    /// succeeds.
    #[test]
    fn a_disk_is_full_for_a_while() {
        let mut connection = Connection::open_in_memory().unwrap();
        let tables = "CREATE TABLE t (a INTEGER PRIMARY KEY);
            CREATE TRIGGER full BEFORE INSERT ON t WHEN NEW.a = 0
            BEGIN SELECT RAISE(ROLLBACK, 'database or disk is full'); END";
        connection.execute_batch(tables).unwrap();
        let insert = |a| number("INSERT INTO t (a) VALUES ($1)", vec![a]);
        for full in [vec![insert(0)], vec![insert(3), insert(0)]] {
            let results =
                self::results(&mut connection, vec![vec![insert(1)], full, vec![insert(2)]]);
            assert!(results.iter().all(Result::is_err), "{results:?}");
            assert_eq!(self::results(&mut connection, vec![vec![insert(1)]]), [Ok(vec![1])]);
            execute(&connection, &number("DELETE FROM t", vec![])).unwrap();
        }
    }

    /// Endless searches do not block reads, and end when their caller leaves.
    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_search_is_in_nobodys_way_and_ends_with_who_asked() {
        let dir = tempfile::tempdir().unwrap();
        let engine = SqliteEngine::new(&dir.path().join("t.db")).unwrap();
        let endless = || {
            let sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
                SELECT COUNT(*) FROM n WHERE i < 0";
            engine.search(number(sql, vec![]), &[Column::Int])
        };
        let one = || number("SELECT 1", vec![]);
        let searching: Vec<_> = (0..2 * READERS).map(|_| tokio::spawn(endless())).collect();
        for _ in 0..2 * READERS {
            assert!(engine.read(one(), &[Column::Int]).await.is_ok());
        }
        searching.iter().for_each(tokio::task::JoinHandle::abort);
        let found = engine.search(one(), &[Column::Int]).await;
        assert_eq!(found.unwrap().iter_mut().map(Row::int).collect::<Vec<i64>>(), [1]);
        // Nor does one that has timed out continue.
        assert_eq!(endless().await.map(|rows| rows.len()), Err(late()));
        assert!(engine.search(one(), &[Column::Int]).await.is_ok());
    }

    #[test]
    fn a_place_is_found_in_any_text() {
        let dir = tempfile::tempdir().unwrap();
        let connection = connect(&dir.path().join("t.db")).unwrap();
        for (text, wanted, at) in
            [("Zürich", "rich", 4), ("a%b", "%", 2), ("a", "b", 0), ("", "", 1)]
        {
            let find = |row: &rusqlite::Row<'_>| row.get::<_, i64>(0);
            let found = connection.query_row("SELECT strpos(?1, ?2)", [text, wanted], find);
            assert_eq!(found, Ok(at), "{wanted}");
        }
    }

    /// A commit after a shared one takes the writes that arrived while it waited; lookups are not delayed.
    #[test]
    fn a_commit_waits_for_others_if_the_one_before_was_shared() {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("CREATE TABLE t (a INTEGER)").unwrap();
        let (jobs, waiting) = mpsc::channel(3 * MAX_BATCH);
        let write = || {
            let all = vec![number("INSERT INTO t (a) VALUES ($1)", vec![1])];
            jobs.try_send(Job::Write(Write { all, done: oneshot::channel().0 })).unwrap();
        };
        let mut asked = Vec::new();
        (0..MAX_BATCH).for_each(|_| write());
        for _ in 1..MAX_BATCH {
            let (done, rows) = oneshot::channel();
            asked.push(rows);
            let query = number("SELECT count(*) FROM t", vec![]);
            jobs.try_send(Job::LookUp(Read { query, columns: &[Column::Int], done })).unwrap();
        }
        (0..6).for_each(|_| write());
        drop(jobs);
        let (answers, mut done) = mpsc::unbounded_channel();
        work(connection, waiting, &answers);
        let answered: Vec<usize> =
            std::iter::from_fn(|| done.try_recv().ok()).map(|batch| batch.len()).collect();
        assert_eq!(answered, [MAX_BATCH, MAX_BATCH - 1, 6]);
    }

    #[test]
    fn values_have_the_numbers_that_the_statement_gives_them() {
        let connection = Connection::open_in_memory().unwrap();
        let query = number("SELECT $2 - $1", vec![1, 10]);
        let mut rows = select(&connection, &query, &[Column::Int]).unwrap();
        assert_eq!(rows[0].int(), 9);
    }
}
