//! Stores for [Widgetcast](widgetcast) that outlive a process and serve many of them.
//!
//! | address | engine | for |
//! |---|---|---|
//! | `memory:` | this process's memory | one process; nothing outlives it |
//! | `sqlite:PATH` | SQLite, part of the program | one machine; outlives the process |
//! | `postgres://…` | PostgreSQL | any number of machines |
//! | `redis://…`, `rediss://…` | Redis or Valkey | any number of machines; what is short-lived, at high rates |
//!
//! ```no_run
//! # async fn run() -> Result<(), Box<dyn std::error::Error>> {
//! use widgetcast::App;
//! use widgetcast::store::StoreLimits;
//!
//! let store = widgetcast_store::connect("sqlite:widgets.db", &StoreLimits::default()).await?;
//! let app = App::new("shop", "1.0.0").widgets("widgets").store(store).build()?;
//! # Ok(()) }
//! ```
//!
//! Tables are made and changed by migrations, which run when a store is opened, under a
//! lock, so that processes that start together do it once. The secret of ids is made by whoever opens the
//! store first, and kept in it.

mod address;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
mod clock;
mod connect;
mod error;
#[cfg(any(feature = "postgres", feature = "redis"))]
mod hub;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
mod migration;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
mod quota;
#[cfg(feature = "redis")]
mod redis;
#[cfg(any(feature = "sqlite", feature = "postgres", feature = "redis"))]
mod secret;
#[cfg(any(feature = "sqlite", feature = "postgres", feature = "redis"))]
mod size;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
mod sql;
#[cfg(feature = "sqlite")]
mod sqlite;
#[cfg(any(feature = "postgres", feature = "redis"))]
mod task;

pub use connect::connect;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub use connect::migrations;
pub use error::OpenError;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub use migration::{Migration, Planned};
#[cfg(feature = "postgres")]
pub use postgres::Postgres;
#[cfg(feature = "redis")]
pub use redis::Redis;
#[cfg(feature = "sqlite")]
pub use sqlite::Sqlite;
