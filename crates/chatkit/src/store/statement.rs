//! SQL that both databases understand, with its parameters, and the resulting rows.

use std::time::Duration;

use futures_util::future::BoxFuture;
use serde::de::DeserializeOwned;

use super::failure::StorageError;

/// Timeout of an operation.
pub(super) const TIMEOUT: Duration = Duration::from_secs(10);
/// Timeout of a search, including the time in the queue.
pub(super) const SEARCH_TIMEOUT: Duration = Duration::from_secs(4);

/// A parameter of a statement.
#[derive(Clone, Debug)]
pub(super) enum Arg {
    Int(i64),
    Text(String),
    Bytes(Vec<u8>),
}

/// An integer of the databases.
pub(super) fn number(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

impl From<i64> for Arg {
    fn from(number: i64) -> Self {
        Self::Int(number)
    }
}

impl From<&str> for Arg {
    fn from(text: &str) -> Self {
        // PostgreSQL does not store this character.
        Self::Text(text.replace('\0', "\u{fffd}"))
    }
}

impl From<String> for Arg {
    fn from(text: String) -> Self {
        if text.contains('\0') { text.as_str().into() } else { Self::Text(text) }
    }
}

impl From<Vec<u8>> for Arg {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Bytes(bytes)
    }
}

/// The type of a result column.
#[derive(Clone, Copy, Debug)]
pub(super) enum Column {
    Int,
    Text,
    Bytes,
}

/// A value of a row; null becomes an empty value.
#[derive(Clone, Debug)]
pub(super) enum Cell {
    Int(i64),
    Text(String),
    Bytes(Vec<u8>),
}

/// A row.
pub(super) struct Row(pub(super) std::vec::IntoIter<Cell>);

impl Row {
    /// The next value, as text.
    pub(super) fn text(&mut self) -> String {
        match self.0.next() {
            Some(Cell::Text(text)) => text,
            _ => String::new(),
        }
    }

    /// The next value, as an integer.
    pub(super) fn int(&mut self) -> i64 {
        match self.0.next() {
            Some(Cell::Int(number)) => number,
            _ => 0,
        }
    }

    /// The next value, as bytes.
    pub(super) fn bytes(&mut self) -> Vec<u8> {
        match self.0.next() {
            Some(Cell::Bytes(bytes)) => bytes,
            _ => Vec::new(),
        }
    }
}

impl Cell {
    /// Its size in bytes.
    fn size(&self) -> usize {
        match self {
            Self::Int(_) => size_of::<i64>(),
            Self::Text(text) => text.len(),
            Self::Bytes(bytes) => bytes.len(),
        }
    }
}

/// Collects rows, up to a number of bytes.
pub(super) struct Rows {
    rows: Vec<Row>,
    left: usize,
}

impl Rows {
    pub(super) fn of(statement: &Statement) -> Self {
        Self { rows: Vec::new(), left: statement.most }
    }

    /// Adds a row. Returns whether there is room for another; the last row may exceed the limit.
    pub(super) fn add(&mut self, cells: Vec<Cell>) -> bool {
        let size: usize = cells.iter().map(Cell::size).sum();
        self.rows.push(Row(cells.into_iter()));
        let left = self.left.checked_sub(size);
        self.left = left.unwrap_or_default();
        left.is_some()
    }

    pub(super) fn into_rows(self) -> Vec<Row> {
        self.rows
    }
}

/// One statement.
#[derive(Clone, Debug)]
pub(super) struct Statement {
    pub sql: &'static str,
    pub args: Vec<Arg>,
    /// Whether the whole write is cancelled if this statement changes no row.
    pub must_change: bool,
    /// The byte limit after which no more rows are read.
    pub most: usize,
}

impl Statement {
    pub(super) fn new<const N: usize>(sql: &'static str, args: [Arg; N]) -> Self {
        Self { sql, args: args.into(), must_change: false, most: usize::MAX }
    }

    pub(super) fn must_change(self) -> Self {
        Self { must_change: true, ..self }
    }

    pub(super) fn at_most(self, most: usize) -> Self {
        Self { most, ..self }
    }
}

/// A database engine: SQLite or PostgreSQL.
pub(super) trait Engine: Send + Sync + 'static {
    /// Reads rows.
    fn read(
        &self,
        statement: Statement,
        columns: &'static [Column],
    ) -> BoxFuture<'static, Result<Vec<Row>, StorageError>>;

    /// The same for an indexed lookup of one or two rows.
    fn look_up(
        &self,
        statement: Statement,
        columns: &'static [Column],
    ) -> BoxFuture<'static, Result<Vec<Row>, StorageError>> {
        self.read(statement, columns)
    }

    /// The same for a query that may read many rows: it delays no others, few run concurrently, and it ends
    /// when the future is dropped or its time is over.
    fn search(
        &self,
        statement: Statement,
        columns: &'static [Column],
    ) -> BoxFuture<'static, Result<Vec<Row>, StorageError>>;

    /// Runs all statements or none, and returns the number of rows that each has changed.
    fn write(&self, all: Vec<Statement>) -> BoxFuture<'static, Result<Vec<u64>, StorageError>>;
}

/// Parses a stored JSON value.
pub(super) fn parse<T: DeserializeOwned>(text: &str) -> Result<T, StorageError> {
    serde_json::from_str(text)
        .map_err(|error| StorageError::Unavailable(format!("cannot read a row: {error}")))
}

pub(super) fn late() -> StorageError {
    StorageError::Unavailable("timed out".into())
}
