//! What a database that is restarted or cut off does to those who use it: an error after a few seconds,
//! not for ever, and everything works again afterwards.

use std::sync::Arc;
use std::time::Duration;

use sqlx::{Connection, PgConnection};
use widgetcast::store::{Entry, EntryKind, Store, StoreError, StoreLimits};
use widgetcast_store::{Sqlite, connect};

use crate::servers::{self, Cable};
use crate::space::{Engine, Space, get, new_database, new_redis, owner, put};

async fn works_again(store: &Arc<dyn Store>) {
    for _ in 0..300 {
        if store.get(EntryKind::Instance, "1").await.is_ok_and(|found| found.is_some()) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("it does not work again");
}

async fn survives_a_cut(url: &str, cable: &Cable) {
    let store = connect(url, &StoreLimits::default()).await.unwrap();
    put(&store, owner(1), "1", "{}").await;
    cable.cut();
    let both = async {
        let get = store.get(EntryKind::Instance, "1");
        let put = store.put(Entry::instance(owner(1), "2", "tool", "{}"));
        tokio::join!(get, put)
    };
    let ended = tokio::time::timeout(Duration::from_secs(60), both).await;
    let (got, kept) = ended.expect("it ends");
    assert!(matches!(got, Err(StoreError::Unavailable(_))), "{got:?}");
    assert!(matches!(kept, Err(StoreError::Unavailable(_))), "{kept:?}");
    cable.mend();
    works_again(&store).await;
    put(&store, owner(1), "3", "{}").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_is_cut_off() {
    let Some(server) = servers::postgres() else { return };
    let cable = Cable::new(server.port).await;
    survives_a_cut(&new_database(server, cable.port).await, &cable).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn redis_is_cut_off() {
    let Some(server) = servers::redis() else { return };
    let cable = Cable::new(server.port).await;
    survives_a_cut(&new_redis(cable.port), &cable).await;
}

/// All connections are closed by the server, as by a restart: nobody notices.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_closes_its_connections() {
    let Some(space) = Space::new(Engine::Postgres).await else { return };
    let store = connect(&space.url, &StoreLimits::default()).await.unwrap();
    // Not one of the pool, which could be one that was closed.
    let mut admin = PgConnection::connect(&space.url).await.unwrap();
    // As many as the pool takes; on a busy machine some wait too long for one and are tried again.
    let puts = (0..32u8).map(async |number| {
        let entry = || Entry::instance(owner(number), "1", "tool", "{}");
        while store.put(entry()).await.is_err() {}
    });
    futures_util::future::join_all(puts.collect::<Vec<_>>()).await;
    for _ in 0..3 {
        let closed = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                      WHERE datname = current_database() AND pid <> pg_backend_pid()";
        sqlx::query(closed).execute(&mut admin).await.unwrap();
        put(&store, owner(1), "2", "{}").await;
        assert!(get(&store, "1").await.is_some());
    }
}

/// The server crashes and comes back: an error at once while it is away, and nothing is lost.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_crashes() {
    let Some(server) = servers::new_postgres() else { return };
    let url = new_database(&server, server.port).await;
    let store = connect(&url, &StoreLimits::default()).await.unwrap();
    put(&store, owner(1), "1", "{}").await;
    server.stop();
    for _ in 0..3 {
        let got = store.get(EntryKind::Instance, "1").await;
        assert!(matches!(got, Err(StoreError::Unavailable(_))), "{got:?}");
    }
    server.run();
    works_again(&store).await;
    put(&store, owner(1), "2", "{}").await;
    server.stop();
}

/// The disk is full, so that SQLite gives up transactions by itself, and then it is not: all is kept again,
/// by the same process.
#[tokio::test]
async fn sqlite_has_no_room_for_a_while() {
    let dir = tempfile::tempdir().unwrap();
    let store = Sqlite::open(dir.path().join("store.db"), &StoreLimits::default()).await.unwrap();
    let large = "x".repeat(1 << 20);
    let put = |id: &'static str| store.put(Entry::instance(owner(1), id, "tool", &large));
    put("1").await.unwrap();
    for id in ["2", "3", "4"] {
        // No page more than there are; one that is opened later has the room that there is.
        sqlx::query("PRAGMA max_page_count = 1").execute(store.writer()).await.unwrap();
        let full = put(id).await;
        assert!(matches!(full, Err(StoreError::Unavailable(_))), "{full:?}");
        assert!(store.get(EntryKind::Instance, "1").await.unwrap().is_some());
        sqlx::query("PRAGMA max_page_count = 1000000").execute(store.writer()).await.unwrap();
        put(id).await.unwrap();
        assert!(store.get(EntryKind::Instance, id).await.unwrap().is_some());
    }
}
