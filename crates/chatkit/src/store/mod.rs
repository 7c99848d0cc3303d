//! The storage of threads: SQLite or PostgreSQL, in separate tables next to those of `widgetcast-store`.

mod database;
mod expire;
mod export;
mod failure;
mod item_text;
mod keep_limits;
mod postgres;
mod room;
mod rows;
mod sql;
mod sqlite;
mod statement;
mod storage;
mod tables;
mod watched;

pub use database::{migrations, open};
pub use failure::StoreFailure;
pub use item_text::{ItemText, StoredItem};
pub use keep_limits::KeepLimits;
pub use storage::{Blob, Deleted, Found, OwnedAttachment, PageOf, Storage, StoreResult};
