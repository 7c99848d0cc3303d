//! A database that reports its failures.

use std::sync::{Arc, OnceLock};

use futures_util::future::BoxFuture;

use super::failure::StorageError;
use super::statement::{Column, Engine, Row, Statement};

/// The callback for failures.
pub(super) type OnFailure = Arc<dyn Fn() + Send + Sync>;

pub(super) struct Watched<E> {
    engine: E,
    on_failure: Arc<OnceLock<OnFailure>>,
}

impl<E> Watched<E> {
    pub(super) fn new(engine: E) -> Self {
        Self { engine, on_failure: Arc::default() }
    }

    /// The first callback counts.
    pub(super) fn on_failure(&self, listener: OnFailure) {
        _ = self.on_failure.set(listener);
    }

    fn watch<T: Send + 'static>(
        &self,
        asked: BoxFuture<'static, Result<T, StorageError>>,
    ) -> BoxFuture<'static, Result<T, StorageError>> {
        let on_failure = Arc::clone(&self.on_failure);
        Box::pin(async move {
            let done = asked.await;
            if let (Err(StorageError::Unavailable(_)), Some(listener)) = (&done, on_failure.get()) {
                listener();
            }
            done
        })
    }
}

impl<E: Engine> Engine for Watched<E> {
    fn read(
        &self,
        statement: Statement,
        columns: &'static [Column],
    ) -> BoxFuture<'static, Result<Vec<Row>, StorageError>> {
        self.watch(self.engine.read(statement, columns))
    }

    fn look_up(
        &self,
        statement: Statement,
        columns: &'static [Column],
    ) -> BoxFuture<'static, Result<Vec<Row>, StorageError>> {
        self.watch(self.engine.look_up(statement, columns))
    }

    /// A timeout says nothing about the database.
    fn search(
        &self,
        statement: Statement,
        columns: &'static [Column],
    ) -> BoxFuture<'static, Result<Vec<Row>, StorageError>> {
        self.engine.search(statement, columns)
    }

    fn write(&self, all: Vec<Statement>) -> BoxFuture<'static, Result<Vec<u64>, StorageError>> {
        self.watch(self.engine.write(all))
    }
}
