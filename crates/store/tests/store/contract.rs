//! What every store does, whatever keeps its entries.

use std::time::Duration;

use futures_util::future::join_all;
use futures_util::poll;
use widgetcast::store::{Entry, EntryKind, StoreError, StoreLimits};

use crate::space::{Engine, Space, get, gone, owner, put, put_state, state};

/// Runs each of these for every engine.
macro_rules! contract {
    ($($name:ident,)*) => {
        contract!(@engine memory Memory $($name)*);
        contract!(@engine sqlite Sqlite $($name)*);
        contract!(@engine postgres Postgres $($name)*);
        contract!(@engine redis Redis $($name)*);
    };
    (@engine $module:ident $engine:ident $($name:ident)*) => {
        mod $module {
            use crate::space::{Engine, Space};
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $name() {
                    if let Some(space) = Space::new(Engine::$engine).await {
                        super::$name(Engine::$engine, space).await;
                    }
                }
            )*
        }
    };
}

contract! {
    what_was_put_is_there,
    ids_may_be_any_text,
    data_may_be_large,
    ids_come_newest_first,
    entries_expire,
    a_flood_pushes_out_its_own,
    bytes_count_too,
    an_owner_has_a_quota,
    what_one_drops_stays_for_others,
    many_write_at_once,
    a_write_may_be_dropped,
    what_was_put_outlives_the_process,
    processes_that_start_together_agree,
    messages_reach_every_process,
}

async fn what_was_put_is_there(_: Engine, space: Space) {
    let store = space.open().await;
    assert_eq!(get(&store, "1").await, None);
    put(&store, owner(1), "1", r#"{"a":"\u0000 ü 🦀"}"#).await;
    put(&store, owner(1), "1", r#"{"a":"\u0000 ü 🦀"}"#).await;
    let found = get(&store, "1").await.unwrap();
    assert_eq!((&*found.tool, &*found.data), ("tool", r#"{"a":"\u0000 ü 🦀"}"#));
    assert_eq!(state(&store, "1").await, None, "states are not instances");
    put_state(&store, owner(1), "1", "1").await;
    put_state(&store, owner(1), "1", "").await;
    assert_eq!(state(&store, "1").await.as_deref(), Some(""));
    // Whoever writes a state last has written it, also from another address.
    put_state(&store, owner(2), "1", "2").await;
    assert_eq!(state(&store, "1").await.as_deref(), Some("2"));
    put_state(&store, owner(1), "1", "3").await;
    assert_eq!(state(&store, "1").await.as_deref(), Some("3"));
    assert!(get(&store, "1").await.is_some());
}

async fn ids_may_be_any_text(_: Engine, space: Space) {
    let store = space.open().await;
    let long = "x".repeat(1000);
    let ids = ["/a/b", "a%b", "a_b", "a'b\";--", "a b\n", "ünï🦀", "*", "a:b", "A/B", &long];
    for id in ids {
        put(&store, owner(1), id, &format!("{id:?}")).await;
        put_state(&store, owner(1), id, &format!("{id:?}")).await;
    }
    for id in ids {
        assert_eq!(&*get(&store, id).await.unwrap().data, format!("{id:?}"));
        assert_eq!(state(&store, id).await.unwrap(), format!("{id:?}"));
    }
    for id in ["a%", "a", "_", "%", "", "a\0b", "\0", "/a/B", "ün"] {
        assert_eq!(get(&store, id).await, None, "{id:?}");
    }
    for (prefix, found) in
        [("a%", vec!["a%b"]), ("ün", vec!["ünï🦀"]), ("\0", vec![]), ("%", vec![])]
    {
        assert_eq!(store.ids("tool", prefix, 9).await.unwrap(), found, "{prefix:?}");
    }
}

async fn data_may_be_large(_: Engine, space: Space) {
    let mut limits = StoreLimits::default();
    limits.max_bytes = Some(8 << 20);
    let store = space.open_with(&limits).await;
    let large = "0123456789abcdef".repeat(4 << 16);
    put(&store, owner(1), "large", &large).await;
    assert!(*get(&store, "large").await.unwrap().data == *large);
    let larger = "x".repeat((8 << 20) + 1);
    let refused = store.put(Entry::instance(owner(1), "larger", "tool", &larger)).await;
    assert!(matches!(refused, Err(StoreError::TooLarge { .. })), "{refused:?}");
    let refused = store.put(Entry::state(owner(1), "larger", &larger[..3 << 20])).await;
    assert!(matches!(refused, Err(StoreError::TooLarge { .. })), "states have a quarter");
}

async fn ids_come_newest_first(_: Engine, space: Space) {
    let store = space.open().await;
    for id in ["a1", "b1", "a2", "a3", "a1"] {
        put(&store, owner(1), id, "{}").await;
    }
    put(&store, owner(2), "a2", "{}").await;
    store.put(Entry::instance(owner(1), "a4", "other", "{}")).await.unwrap();
    let mut found = store.ids("tool", "a", 9).await.unwrap();
    // Whether what is shown again counts as new is the engine's choice.
    assert!(found == ["a3", "a2", "a1"] || found == ["a2", "a3", "a1"], "{found:?}");
    found.truncate(2);
    assert_eq!(store.ids("tool", "a", 2).await.unwrap(), found);
    assert_eq!(store.ids("other", "", 9).await.unwrap(), ["a4"]);
    assert!(store.ids("none", "", 9).await.unwrap().is_empty());
}

async fn entries_expire(_: Engine, space: Space) {
    let mut limits = StoreLimits::default();
    limits.instance_ttl = Duration::from_millis(1);
    let store = space.open_with(&limits).await;
    put(&store, owner(1), "short", "{}").await;
    put_state(&store, owner(1), "long", "1").await;
    gone(&store, "short").await;
    assert!(store.ids("tool", "", 9).await.unwrap().is_empty());
    assert!(state(&store, "long").await.is_some());
    // What has expired can be put again.
    limits.instance_ttl = Duration::from_secs(3600);
    let store = space.open_with(&limits).await;
    put(&store, owner(1), "short", "{}").await;
    assert!(get(&store, "short").await.is_some());
}

async fn a_flood_pushes_out_its_own(_: Engine, space: Space) {
    let mut limits = StoreLimits::default();
    limits.max_entries = Some(40);
    let store = space.open_with(&limits).await;
    put(&store, owner(1), "victim", "{}").await;
    put_state(&store, owner(1), "victim", "1").await;
    for number in 0..200 {
        put(&store, owner(2), &format!("flood {number}"), "{}").await;
        put_state(&store, owner(2), &format!("flood {number}"), "1").await;
    }
    for number in [0, 100, 150] {
        gone(&store, &format!("flood {number}")).await;
    }
    assert!(get(&store, "victim").await.is_some());
    assert!(state(&store, "victim").await.is_some());
    assert!(get(&store, "flood 199").await.is_some());
}

async fn bytes_count_too(_: Engine, space: Space) {
    let mut limits = StoreLimits::default();
    limits.max_bytes = Some(100_000);
    let store = space.open_with(&limits).await;
    put(&store, owner(1), "victim", "{}").await;
    let data = "x".repeat(10_000);
    for number in 0..30 {
        put(&store, owner(2), &format!("flood {number}"), &data).await;
    }
    for number in [0, 10, 18] {
        gone(&store, &format!("flood {number}")).await;
    }
    assert!(get(&store, "victim").await.is_some());
    assert!(get(&store, "flood 29").await.is_some());
}

async fn an_owner_has_a_quota(_: Engine, space: Space) {
    let mut limits = StoreLimits::default();
    limits.max_entries_per_caller = Some(10);
    let store = space.open_with(&limits).await;
    for number in 0..60 {
        put(&store, owner(number % 2), &number.to_string(), "{}").await;
    }
    for number in [0, 1, 30, 31] {
        gone(&store, &number.to_string()).await;
    }
    for number in [58, 59] {
        assert!(get(&store, &number.to_string()).await.is_some(), "{number}");
    }
}

async fn what_one_drops_stays_for_others(_: Engine, space: Space) {
    let mut limits = StoreLimits::default();
    limits.max_entries = Some(40);
    let store = space.open_with(&limits).await;
    put(&store, owner(1), "both", "{}").await;
    for number in 0..30 {
        put(&store, owner(1), &format!("before {number}"), "{}").await;
    }
    put(&store, owner(2), "both", "{}").await;
    for number in 0..100 {
        put(&store, owner(1), &format!("after {number}"), "{}").await;
    }
    gone(&store, "before 0").await;
    gone(&store, "after 0").await;
    assert!(get(&store, "both").await.is_some());
}

async fn many_write_at_once(engine: Engine, space: Space) {
    let store = space.open().await;
    // As if there were another process.
    let other = if engine == Engine::Memory { store.clone() } else { space.open().await };
    let (store, other) = (&store, &other);
    let writers = (0..16u8).map(async |writer| {
        let store = if writer % 2 == 0 { store } else { other };
        for number in 0..25 {
            put(store, owner(writer), &format!("{writer} {number}"), &number.to_string()).await;
            put(store, owner(writer), "shared", "{}").await;
            put_state(store, owner(writer), "contested", &writer.to_string()).await;
        }
    });
    join_all(writers).await;
    for writer in 0..16 {
        for number in 0..25 {
            let found = get(store, &format!("{writer} {number}")).await.unwrap();
            assert_eq!(&*found.data, number.to_string());
        }
    }
    assert!(get(other, "shared").await.is_some());
    let contested = state(store, "contested").await;
    assert!(contested.is_some() && contested == state(other, "contested").await);
}

async fn a_write_may_be_dropped(_: Engine, space: Space) {
    let store = space.open().await;
    put_state(&store, owner(1), "state", "old").await;
    for number in 0..100 {
        let mut write = Box::pin(store.put(Entry::state(owner(1), "state", "new")));
        let mut read = Box::pin(store.get(EntryKind::State, "state"));
        _ = poll!(&mut read);
        for _ in 0..number % 4 {
            if poll!(&mut write).is_ready() {
                break;
            }
            tokio::task::yield_now().await;
        }
        drop((write, read));
    }
    let found = state(&store, "state").await.unwrap();
    assert!(found == "old" || found == "new", "{found}");
    put(&store, owner(1), "after", "{}").await;
    assert!(get(&store, "after").await.is_some());
}

async fn what_was_put_outlives_the_process(engine: Engine, space: Space) {
    if engine == Engine::Memory {
        return;
    }
    let store = space.open().await;
    let key = store.key();
    assert!(key.is_some());
    put(&store, owner(1), "instance", "{}").await;
    put_state(&store, owner(1), "state", "1").await;
    drop(store);
    let store = space.open().await;
    assert!(get(&store, "instance").await.is_some());
    assert_eq!(state(&store, "state").await.as_deref(), Some("1"));
    assert_eq!(store.key(), key);
    let elsewhere = Space::new(engine).await.unwrap();
    let other = elsewhere.open().await;
    assert_ne!(other.key(), key, "another store has another key");
    assert!(get(&other, "instance").await.is_none());
}

async fn processes_that_start_together_agree(engine: Engine, space: Space) {
    if engine == Engine::Memory {
        return;
    }
    let stores = join_all((0..8).map(|_| space.open())).await;
    assert!(stores.iter().all(|store| store.key() == stores[0].key()));
    put(&stores[0], owner(1), "1", "{}").await;
    assert!(get(&stores[7], "1").await.is_some());
}

async fn messages_reach_every_process(engine: Engine, space: Space) {
    if matches!(engine, Engine::Memory | Engine::Sqlite) {
        return;
    }
    let (one, other) = (space.open().await, space.open().await);
    let (heard, mut messages) = tokio::sync::mpsc::unbounded_channel();
    for store in [&one, &other] {
        let heard = heard.clone();
        store.listen(Box::new(move |message| {
            message.is_none_or(|message| heard.send(message.to_owned()).is_ok())
        }));
    }
    // Whoever has just opened a store may not listen yet.
    let publish = async {
        loop {
            one.publish("für alle").await.unwrap();
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let hear = async {
        for _ in 0..4 {
            assert_eq!(messages.recv().await.unwrap(), "für alle");
        }
    };
    let hear = tokio::time::timeout(Duration::from_secs(60), hear);
    futures_util::future::select(Box::pin(hear), Box::pin(publish))
        .await
        .factor_first()
        .0
        .unwrap_or(());
    assert!(one.publish(&"x".repeat(1 << 20)).await.is_err() || engine == Engine::Redis);
}

/// What many are shown is kept once, so that reading it costs the same for one owner and for many.
#[tokio::test]
async fn redis_keeps_a_view_of_many_owners_once() {
    let Some(space) = Space::new(Engine::Redis).await else { return };
    let store = space.open().await;
    let data = "x".repeat(100_000);
    for number in 0..50 {
        put(&store, owner(number), "shared", &data).await;
    }
    assert_eq!(get(&store, "shared").await.unwrap().data.len(), data.len());
    let client = ::redis::Client::open(&*space.url).unwrap();
    let mut on = client.get_multiplexed_async_connection().await.unwrap();
    let mut usage = ::redis::cmd("MEMORY");
    usage.arg(&["USAGE", "widgetcast:instance:entry:shared", "SAMPLES", "0"]);
    let bytes: usize = usage.query_async(&mut on).await.unwrap();
    assert!((data.len()..2 * data.len()).contains(&bytes), "{bytes}");
}
