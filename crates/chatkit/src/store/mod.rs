//! The storage of threads: SQLite or PostgreSQL, in separate tables next to those of `widgetcast-store`.

mod database;
mod expire;
mod export;
mod failure;
mod item_text;
mod postgres;
mod retention_limits;
mod room;
mod rows;
mod sql;
mod sqlite;
mod statement;
mod storage;
mod tables;
mod watched;

pub use database::{migrations, open};
pub use failure::StorageError;
pub use item_text::{ItemText, StoredItem};
pub use retention_limits::RetentionLimits;
pub use storage::{Blob, Deleted, OwnedAttachment, PageRequest, SearchHit, Storage, StorageFuture};
