//! Stores for [Widgetcast](widgetcast) that survive restarts and can be shared by several processes.
//!
//! | URL | engine | for |
//! |---|---|---|
//! | `memory:` | memory | one process; does not survive a restart |
//! | `sqlite:PATH` | SQLite, built in | all processes on one machine |
//! | `postgres://…` | PostgreSQL | any number of machines |
//! | `redis://…`, `rediss://…` | Redis or Valkey | any number of machines; high rates, data that may be lost |
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
//! The features `sqlite`, `postgres` and `redis` are enabled by default; disable the ones that you do not need.
//!
//! Migrations create and change the tables when a store is opened, under a lock, so processes can start
//! concurrently. The first process that opens the store creates the secret for ids in it.

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
