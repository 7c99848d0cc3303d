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
    for _ in 0..1200 {
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

#[tokio::test]
async fn a_database_that_is_not_there_is_an_error_with_the_reason() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let at = listener.local_addr().unwrap();
    drop(listener);
    let error = connect(&format!("postgres://ada@{at}/x"), &StoreLimits::default()).await;
    let Err(error) = error else { panic!("there is one") };
    assert!(error.to_string().contains("refused"), "{error}");
}

/// All connections are closed by the server, as by a restart: no one notices.
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

/// The same of Redis, which reads what it has written before it answers again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn redis_crashes() {
    let Some(server) = servers::new_redis() else { return };
    let store = connect(&new_redis(server.port), &StoreLimits::default()).await.unwrap();
    put(&store, owner(1), "1", "{}").await;
    server.stop();
    let kept = store.put(Entry::instance(owner(1), "2", "tool", "{}")).await;
    assert!(matches!(kept, Err(StoreError::Unavailable(_))), "{kept:?}");
    server.run();
    works_again(&store).await;
    put(&store, owner(1), "2", "{}").await;
    server.stop();
}

/// Waits until entries are kept, or else until they are rejected.
async fn keeps(store: &Arc<dyn Store>, is_kept: bool) {
    for attempt in 0..300 {
        let id = format!("{is_kept} {attempt}");
        let kept = store.put(Entry::instance(owner(1), &id, "tool", "{}")).await;
        if kept.is_ok() == is_kept {
            assert!(!is_kept || get(store, &id).await.is_some());
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("entries are {}", if is_kept { "not kept again" } else { "still kept" });
}

/// A server that only reads for a while, as after a failover: what was kept is read, and the same connections
/// write again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_only_reads_for_a_while() {
    let Some(server) = servers::new_postgres() else { return };
    let url = new_database(&server, server.port).await;
    let store = connect(&url, &StoreLimits::default()).await.unwrap();
    put(&store, owner(1), "1", "{}").await;
    let mut admin = PgConnection::connect(&url).await.unwrap();
    for only_reads in [true, false, true, false] {
        let set = match only_reads {
            true => "ALTER SYSTEM SET default_transaction_read_only = on",
            false => "ALTER SYSTEM RESET default_transaction_read_only",
        };
        for sql in [set, "SELECT pg_reload_conf()"] {
            sqlx::query(sql).execute(&mut admin).await.unwrap();
        }
        keeps(&store, !only_reads).await;
        assert!(get(&store, "1").await.is_some());
    }
    server.stop();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn redis_only_reads_for_a_while() {
    let Some(server) = servers::new_redis() else { return };
    let url = new_redis(server.port);
    let store = connect(&url, &StoreLimits::default()).await.unwrap();
    put(&store, owner(1), "1", "{}").await;
    let admin = redis::Client::open(&*url).unwrap();
    let mut admin = admin.get_multiplexed_async_connection().await.unwrap();
    for needed in [1, 0, 1, 0] {
        // As many replicas must be there, and none is.
        let mut set = redis::cmd("CONFIG");
        set.arg("SET").arg("min-replicas-to-write").arg(needed);
        let () = set.query_async(&mut admin).await.unwrap();
        keeps(&store, needed == 0).await;
        assert!(get(&store, "1").await.is_some());
    }
    server.stop();
}

/// Another process holds the lock for longer than anybody waits.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sqlite_is_locked_for_a_while() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("store.db");
    let url = format!("sqlite:{}", path.display());
    let store = connect(&url, &StoreLimits::default()).await.unwrap();
    put(&store, owner(1), "1", "{}").await;
    let mut other = sqlx::SqliteConnection::connect(&url).await.unwrap();
    sqlx::query("BEGIN IMMEDIATE").execute(&mut other).await.unwrap();
    let kept = store.put(Entry::instance(owner(1), "2", "tool", "{}")).await;
    assert!(matches!(kept, Err(StoreError::Unavailable(_))), "{kept:?}");
    assert!(get(&store, "1").await.is_some());
    sqlx::query("ROLLBACK").execute(&mut other).await.unwrap();
    keeps(&store, true).await;
}

/// Transactions that SQLite ends by itself, as it does when the disk is full, and then all is well: everything
/// is kept again, by the same process. A trigger does what a full disk does, wherever this runs.
#[tokio::test]
async fn sqlite_ends_transactions_for_a_while() {
    let dir = tempfile::tempdir().unwrap();
    let store = Sqlite::open(dir.path().join("store.db"), &StoreLimits::default()).await.unwrap();
    let put = |id: &'static str| store.put(Entry::instance(owner(1), id, "tool", "{}"));
    put("1").await.unwrap();
    for id in ["2", "3", "4"] {
        let full = "CREATE TRIGGER full BEFORE INSERT ON widgetcast_entries
            BEGIN SELECT RAISE(ROLLBACK, 'database or disk is full'); END";
        sqlx::query(full).execute(store.writer()).await.unwrap();
        let refused = put(id).await;
        assert!(matches!(refused, Err(StoreError::Unavailable(_))), "{refused:?}");
        assert!(store.get(EntryKind::Instance, "1").await.unwrap().is_some());
        sqlx::query("DROP TRIGGER full").execute(store.writer()).await.unwrap();
        put(id).await.unwrap();
        assert!(store.get(EntryKind::Instance, id).await.unwrap().is_some());
    }
}

/// The same on a disk that is full: a small one of this test's own, where the system lets it have one.
#[cfg(target_os = "linux")]
#[test]
fn sqlite_has_a_full_disk_for_a_while() {
    let dir = tempfile::tempdir().unwrap();
    let script = "mount -t tmpfs -o size=4m none \"$DISK\" 2>/dev/null || exit 0
        exec \"$0\" --exact outage::on_a_small_disk --nocapture";
    let ran = std::process::Command::new("unshare")
        .args(["-rm", "sh", "-c", script])
        .arg(std::env::current_exe().unwrap())
        .env("DISK", dir.path())
        .output();
    let Ok(ran) = ran else { return };
    let (out, err) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert!(!out.contains("FAILED"), "{out}\n{err}");
}

/// Does nothing unless the test above has made the disk.
#[tokio::test]
async fn on_a_small_disk() {
    let Some(disk) = std::env::var_os("DISK").map(std::path::PathBuf::from) else { return };
    let store = Sqlite::open(disk.join("store.db"), &StoreLimits::default()).await.unwrap();
    let large = "x".repeat(64 << 10);
    let put = |id: String| {
        let (store, large) = (&store, &large);
        async move { store.put(Entry::instance(owner(1), &id, "tool", large)).await }
    };
    put("1".into()).await.unwrap();
    let rest = disk.join("rest");
    for round in 0..3 {
        // As much as there is room for.
        while std::fs::write(&rest, vec![0; 8 << 20]).is_ok() {}
        let mut number = 0;
        while put(format!("{round}-{number}")).await.is_ok() {
            number += 1;
        }
        std::fs::remove_file(&rest).unwrap();
        put(format!("{round}")).await.unwrap();
        assert!(store.get(EntryKind::Instance, &round.to_string()).await.unwrap().is_some());
    }
}
