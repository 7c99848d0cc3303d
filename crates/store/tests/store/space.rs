//! Where a test keeps its entries: an engine, and a place of its own in it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use widgetcast::client::Peer;
use widgetcast::store::{Entry, EntryKind, Owner, Store, StoreLimits, Stored};
use widgetcast_store::connect;

use crate::servers;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Engine {
    Memory,
    Sqlite,
    Postgres,
    Redis,
}

pub(crate) struct Space {
    pub url: String,
    _dir: tempfile::TempDir,
}

impl Space {
    /// A place of its own; none if the engine is not installed.
    pub(crate) async fn new(engine: Engine) -> Option<Self> {
        let dir = tempfile::tempdir().unwrap();
        let url = match engine {
            Engine::Memory => "memory:".to_owned(),
            Engine::Sqlite => format!("sqlite:{}", dir.path().join("store.db").display()),
            Engine::Postgres => {
                let server = servers::postgres()?;
                new_database(server, server.port).await
            }
            Engine::Redis => new_redis(servers::redis()?.port),
        };
        Some(Self { url, _dir: dir })
    }

    pub(crate) async fn open(&self) -> Arc<dyn Store> {
        self.open_with(&StoreLimits::default()).await
    }

    pub(crate) async fn open_with(&self, limits: &StoreLimits) -> Arc<dyn Store> {
        connect(&self.url, limits).await.unwrap()
    }
}

/// The owner of this number.
pub(crate) fn owner(number: u8) -> Owner {
    Peer::at(std::net::Ipv4Addr::new(192, 0, 2, number).into()).into()
}

pub(crate) async fn put(store: &Arc<dyn Store>, owner: Owner, id: &str, data: &str) {
    store.put(Entry::instance(owner, id, "tool", data)).await.unwrap();
}

pub(crate) async fn put_state(store: &Arc<dyn Store>, owner: Owner, id: &str, data: &str) {
    store.put(Entry::state(owner, id, data)).await.unwrap();
}

pub(crate) async fn get(store: &Arc<dyn Store>, id: &str) -> Option<Stored> {
    store.get(EntryKind::Instance, id).await.unwrap()
}

pub(crate) async fn state(store: &Arc<dyn Store>, id: &str) -> Option<String> {
    let found = store.get(EntryKind::State, id).await.unwrap();
    found.map(|found| found.data.to_string())
}

/// Waits until an instance is gone. What a database drops, it drops a little later.
pub(crate) async fn gone(store: &Arc<dyn Store>, id: &str) {
    for _ in 0..3000 {
        if get(store, id).await.is_none() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("{id} is still there");
}

/// A number that no other test of this process has.
fn number() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// A new database, at a port that may be another one's that leads there.
pub(crate) async fn new_database(server: &servers::Server, port: u16) -> String {
    use sqlx::Connection as _;
    let name = format!("test{}", number());
    let admin = format!("postgres://postgres@127.0.0.1:{}/postgres", server.port);
    // It answers before it is ready.
    for attempt in 0.. {
        let made = async {
            let mut admin = sqlx::PgConnection::connect(&admin).await?;
            let sql = format!("CREATE DATABASE {name}");
            sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(&mut admin).await
        };
        match made.await {
            Ok(_) => break,
            Err(error) if attempt == 300 => panic!("{error}"),
            Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
        }
    }
    format!("postgres://postgres@127.0.0.1:{port}/{name}")
}

pub(crate) fn new_redis(port: u16) -> String {
    format!("redis://127.0.0.1:{port}/{}", number())
}
