//! Redis or Valkey: any number of processes; for short-lived data at high rates. A script stores an entry and
//! enforces the quotas in one step. How much a crash of Redis loses depends on its own settings
//! (`appendonly`, `appendfsync`).

use std::sync::{Arc, Weak};
use std::time::Duration;

use futures_util::StreamExt as _;
use redis::aio::{ConnectionManager, ConnectionManagerConfig};
use redis::{AsyncCommands as _, Client, RedisResult, Script};
use tokio::time::{sleep, timeout};
use widgetcast::store::{
    Entry, EntryKind, KindLimits, Store, StoreError, StoreFuture, StoreLimits, StoreListener,
    Stored,
};

use crate::error::OpenError;
use crate::hub::Hub;
use crate::task::Task;
use crate::{secret, size};

/// Timeout of an operation, and of a connection.
const TIMEOUT: Duration = Duration::from_secs(5);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
/// The interval of deleting expired entries of idle owners.
const PERIOD: Duration = Duration::from_secs(60);
const PAUSE: Duration = Duration::from_millis(500);
const KEY: &str = "widgetcast:key";
const CHANNEL: &str = "widgetcast:changes";

/// A store in Redis or Valkey.
#[derive(Clone)]
pub struct Redis(Arc<Inner>);

struct Inner {
    connection: ConnectionManager,
    put: Script,
    limits: [(EntryKind, KindLimits); 2],
    hub: Arc<Hub>,
    key: [u8; 16],
    tasks: std::sync::OnceLock<[Task; 2]>,
}

impl Redis {
    /// Connects to a server, such as `redis://:secret@cache.example.com/0`.
    pub async fn open(url: &str, limits: &StoreLimits) -> Result<Self, OpenError> {
        let opened = timeout(2 * TIMEOUT, Self::try_open(url, limits)).await;
        let late = || Err(std::io::Error::from(std::io::ErrorKind::TimedOut).into());
        opened.unwrap_or_else(|_| late()).map_err(|error| OpenError::new(url, error))
    }

    async fn try_open(
        url: &str,
        limits: &StoreLimits,
    ) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        let client = Client::open(url)?;
        let config = ConnectionManagerConfig::new()
            .set_connection_timeout(Some(CONNECT_TIMEOUT))
            .set_response_timeout(Some(TIMEOUT))
            .set_number_of_retries(1);
        let mut connection = client.get_connection_manager_with_config(config).await?;
        let _: bool = connection.set_nx(KEY, secret::new()).await?;
        let key: String = connection.get(KEY).await?;
        let store = Self(Arc::new(Inner {
            connection,
            put: Script::new(include_str!("put.lua")),
            limits: size::limits(limits),
            hub: Arc::default(),
            key: secret::read(&key)?,
            tasks: std::sync::OnceLock::new(),
        }));
        let sweep = Task::spawn(sweep(Arc::downgrade(&store.0)));
        let listen = Task::spawn(listen(client, Arc::clone(&store.0.hub)));
        _ = store.0.tasks.set([sweep, listen]);
        Ok(store)
    }
}

impl std::fmt::Debug for Redis {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Redis").finish_non_exhaustive()
    }
}

/// The key prefix of a kind.
fn prefix(kind: EntryKind) -> &'static str {
    match kind {
        EntryKind::Instance => "widgetcast:instance",
        _ => "widgetcast:state",
    }
}

impl Inner {
    fn limits(&self, kind: EntryKind) -> KindLimits {
        self.limits[usize::from(self.limits[0].0 != kind)].1
    }

    /// Stores an entry; with an empty id, deletes the expired ones of this owner.
    async fn put(&self, kind: EntryKind, owner: &str, entry: [&str; 3]) -> RedisResult<u64> {
        let limits = self.limits(kind);
        let mut put = self.put.key(prefix(kind));
        put.arg(owner).arg(&entry[..]);
        put.arg(limits.ttl.as_millis().clamp(1, 1 << 42) as u64);
        put.arg(u8::from(kind != EntryKind::Instance));
        for size in [
            limits.max_entries,
            limits.max_bytes,
            limits.max_entries_per_owner,
            limits.max_bytes_per_owner,
        ] {
            put.arg(size);
        }
        put.invoke_async(&mut self.connection.clone()).await
    }
}

/// A reply of Redis, with a timeout.
fn answer<T: Send + 'static>(
    future: impl Future<Output = RedisResult<T>> + Send + 'static,
) -> StoreFuture<T> {
    StoreFuture::later(async move {
        match timeout(TIMEOUT, future).await {
            Ok(Ok(done)) => Ok(done),
            Ok(Err(error)) => Err(StoreError::unavailable(error)),
            Err(_) => Err(StoreError::unavailable("timed out")),
        }
    })
}

/// The stored value: the length of the tool's name, that name and the data.
fn read(value: &str) -> Option<Stored> {
    let (length, rest) = value.split_once(' ')?;
    let (tool, data) = rest.split_at_checked(length.parse().ok()?)?;
    Some(Stored { tool: tool.into(), data: data.into() })
}

/// Deletes expired entries periodically until the store is dropped.
async fn sweep(store: Weak<Inner>) {
    loop {
        sleep(PERIOD).await;
        let Some(inner) = store.upgrade() else { return };
        for (kind, _) in inner.limits {
            let mut connection = inner.connection.clone();
            let weights = format!("{}:weights", prefix(kind));
            let Ok(owners) = connection.zscan::<_, (String, f64)>(weights).await else { continue };
            let owners: Vec<(String, f64)> =
                owners.filter_map(async |owner| owner.ok()).collect().await;
            for (owner, _) in owners {
                if inner.put(kind, &owner, ["", "", ""]).await.is_err() {
                    break;
                }
            }
        }
    }
}

/// Delivers the messages of all processes.
async fn listen(client: Client, hub: Arc<Hub>) {
    loop {
        if let Ok(mut messages) = client.get_async_pubsub().await
            && messages.subscribe(CHANNEL).await.is_ok()
        {
            // Messages may have been missed before this.
            hub.tell(None);
            let mut messages = messages.on_message();
            while let Some(message) = messages.next().await {
                if let Ok(text) = message.get_payload::<String>() {
                    hub.tell(Some(&text));
                }
            }
        }
        sleep(PAUSE).await;
    }
}

impl Store for Redis {
    fn put(&self, entry: Entry<'_>) -> StoreFuture<()> {
        let most = self.0.limits(entry.kind).max_bytes_per_owner;
        if entry.data.len() > most {
            return StoreFuture::error(StoreError::TooLarge { bytes: entry.data.len(), most });
        }
        if entry.id.is_empty() {
            return StoreFuture::error(StoreError::failed("an entry requires an id"));
        }
        let (inner, kind, owner) = (Arc::clone(&self.0), entry.kind, entry.owner.to_string());
        let [id, tool, data] = [entry.id, entry.tool, entry.data].map(str::to_owned);
        answer(async move { inner.put(kind, &owner, [&id, &tool, &data]).await.map(|_| ()) })
    }

    fn get(&self, kind: EntryKind, id: &str) -> StoreFuture<Option<Stored>> {
        let (mut on, name) = (self.0.connection.clone(), format!("{}:entry:{id}", prefix(kind)));
        answer(async move {
            let value: Option<String> = on.hget(name, "").await?;
            Ok(value.as_deref().and_then(read))
        })
    }

    fn ids(&self, tool: &str, prefix: &str, most: usize) -> StoreFuture<Vec<String>> {
        let (mut on, start) = (self.0.connection.clone(), prefix.to_owned());
        let prefix = self::prefix(EntryKind::Instance);
        let newest = format!("{prefix}:tool:{tool}");
        answer(async move {
            let mut ids: Vec<String> = on.zrevrange(newest, 0, -1).await?;
            ids.retain(|id| id.starts_with(&start));
            if ids.is_empty() {
                return Ok(ids);
            }
            let mut exist = redis::pipe();
            for id in &ids {
                exist.exists(format!("{prefix}:entry:{id}"));
            }
            let exist: Vec<bool> = exist.query_async(&mut on).await?;
            let ids = ids.into_iter().zip(exist).filter(|(_, exists)| *exists).map(|(id, _)| id);
            Ok(ids.take(most).collect())
        })
    }

    fn key(&self) -> Option<[u8; 16]> {
        Some(self.0.key)
    }

    fn publish(&self, message: &str) -> StoreFuture<()> {
        let (mut on, message) = (self.0.connection.clone(), message.to_owned());
        answer(async move { on.publish(CHANNEL, message).await })
    }

    fn listen(&self, listener: StoreListener) {
        self.0.hub.add(listener);
    }
}
