//! Migrations can be shown before they run, and run once.

use sqlx::Row as _;
use widgetcast::store::StoreLimits;
use widgetcast_store::{Migration, Postgres, Sqlite, migrations};

use crate::space::{Engine, Space};

const OWN: [Migration; 2] = [
    Migration { version: 1, name: "threads", sql: "CREATE TABLE threads (id TEXT)" },
    Migration { version: 2, name: "a thread", sql: "INSERT INTO threads VALUES ('1')" },
];

async fn is_applied(space: &Space) -> Vec<bool> {
    migrations(&space.url).await.unwrap().iter().map(|planned| planned.is_applied).collect()
}

#[tokio::test]
async fn they_are_shown_first() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let Some(space) = Space::new(engine).await else { continue };
        let planned = migrations(&space.url).await.unwrap();
        assert!(planned[0].migration.sql.contains("CREATE TABLE widgetcast_entries"));
        assert_eq!(is_applied(&space).await, [false]);
        if let Some(path) = space.url.strip_prefix("sqlite:") {
            assert!(!std::path::Path::new(path).exists(), "nothing is made");
        }
        space.open().await;
        assert_eq!(is_applied(&space).await, [true], "{engine:?}");
        space.open().await;
    }
    assert!(migrations("memory:").await.unwrap().is_empty());
}

/// Other crates have tables of their own next to it, with versions of their own.
#[tokio::test]
async fn others_may_migrate_too() {
    let limits = StoreLimits::default();
    if let Some(space) = Space::new(Engine::Postgres).await {
        let store = Postgres::open(&space.url, &limits).await.unwrap();
        store.migrate("threads", &OWN[..1]).await.unwrap();
        let two = [store.migrate("threads", &OWN), store.migrate("threads", &OWN)];
        futures_util::future::join_all(two).await.into_iter().for_each(Result::unwrap);
        let count = sqlx::query("SELECT COUNT(*) FROM threads").fetch_one(store.pool()).await;
        assert_eq!(count.unwrap().get::<i64, _>(0), 1);
    }
    let space = Space::new(Engine::Sqlite).await.unwrap();
    let path = space.url.strip_prefix("sqlite:").unwrap();
    let store = Sqlite::open(path, &limits).await.unwrap();
    store.migrate("threads", &OWN[..1]).await.unwrap();
    let other = Sqlite::open(path, &limits).await.unwrap();
    let two = [store.migrate("threads", &OWN), other.migrate("threads", &OWN)];
    futures_util::future::join_all(two).await.into_iter().for_each(Result::unwrap);
    let count = sqlx::query("SELECT COUNT(*) FROM threads").fetch_one(store.readers()).await;
    assert_eq!(count.unwrap().get::<i64, _>(0), 1);
}

/// The file holds what callers were shown, and the secret that signs sessions.
#[cfg(unix)]
#[tokio::test]
async fn a_file_is_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("views.db");
    let store = Sqlite::open(&path, &StoreLimits::default()).await.unwrap();
    for name in ["views.db", "views.db-wal", "views.db-shm"] {
        let mode = std::fs::metadata(folder.path().join(name)).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{name}: {mode:o}");
    }
    drop(store);
}
