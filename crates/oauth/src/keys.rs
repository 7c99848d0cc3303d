//! The keys of a provider: fetched on demand, cached while the provider is down, and fetched again when they
//! are old or a token names an unknown one, at a limited rate.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use jsonwebtoken::jwk::{Jwk, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey};
use serde_json::Value;
use tokio::sync::Mutex;
use tokio::task::JoinHandle;

use crate::discovery::discover;
use crate::fetch::Fetcher;

/// Maximum keys of a provider.
const MAX_KEYS: usize = 100;
/// How long keys are kept that cannot be fetched again.
const MAX_STALE: Duration = Duration::from_secs(24 * 60 * 60);
/// How long a request waits for new keys if there are old ones.
const PATIENCE: Duration = Duration::from_secs(2);

/// A response of the provider.
pub(crate) struct KeySet {
    pub issuer: String,
    pub introspection: Option<String>,
    pub keys: Vec<Key>,
    /// Counts the changes of the keys.
    pub version: u64,
    text: String,
    fetched: Instant,
}

impl KeySet {
    fn age(&self) -> Duration {
        self.fetched.elapsed()
    }
}

pub(crate) struct Key {
    pub id: Option<String>,
    pub algorithm: Option<Algorithm>,
    pub decoding: DecodingKey,
}

/// When keys are fetched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Times {
    /// The interval at which they are fetched again, so a revoked key stays valid for this long.
    pub max_age: Duration,
    /// The minimum time between two attempts.
    pub pause: Duration,
}

#[derive(Default)]
pub(crate) struct Keys {
    known: RwLock<Option<Arc<KeySet>>>,
    /// The last attempt to fetch them. The task that holds the lock is fetching.
    attempt: Mutex<Option<Instant>>,
}

impl Keys {
    /// The cached keys, unless they are old.
    pub(crate) fn fresh(&self, times: Times) -> Option<Arc<KeySet>> {
        self.known().filter(|set| set.age() < times.max_age)
    }

    fn known(&self) -> Option<Arc<KeySet>> {
        self.known.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The keys, fetched if they are not known or old. Old ones do if they cannot be fetched, and while
    /// that takes time: no one waits long for a provider that is down.
    pub(crate) async fn get(
        self: &Arc<Self>,
        fetcher: &Fetcher,
        issuer: &str,
        times: Times,
    ) -> Result<Arc<KeySet>, String> {
        let Some(set) = self.known().filter(|set| set.age() < MAX_STALE) else {
            return self.refetch(fetcher, issuer, times, self.known().as_ref()).await;
        };
        let is_tried = || match self.attempt.try_lock() {
            Ok(attempt) => attempt.is_some_and(|at| at.elapsed() < times.pause),
            Err(_) => true,
        };
        if set.age() < times.max_age || is_tried() {
            return Ok(set);
        }
        let fetching = self.begin(fetcher, issuer, times, Some(&set));
        if set.age() < times.max_age.saturating_mul(2) {
            return Ok(set);
        }
        match tokio::time::timeout(PATIENCE, fetching).await {
            Ok(Ok(Ok(newer))) => Ok(newer),
            _ => Ok(set),
        }
    }

    /// The keys after the given version; fetched unless that happened a moment ago, and otherwise the same. A
    /// caller with usable keys waits for newer ones only for a moment.
    pub(crate) async fn refetch(
        self: &Arc<Self>,
        fetcher: &Fetcher,
        issuer: &str,
        times: Times,
        seen: Option<&Arc<KeySet>>,
    ) -> Result<Arc<KeySet>, String> {
        let fetching = self.begin(fetcher, issuer, times, seen);
        let fetched = match self.known().filter(|set| set.age() < MAX_STALE) {
            None => fetching.await,
            Some(set) => match tokio::time::timeout(PATIENCE, fetching).await {
                Ok(fetched) => fetched,
                Err(_) => return Ok(set),
            },
        };
        fetched.unwrap_or_else(|error| Err(error.to_string()))
    }

    /// Fetches in a separate task, because a client that disconnects must not cancel it for all others.
    fn begin(
        self: &Arc<Self>,
        fetcher: &Fetcher,
        issuer: &str,
        times: Times,
        seen: Option<&Arc<KeySet>>,
    ) -> JoinHandle<Result<Arc<KeySet>, String>> {
        let (keys, fetcher, issuer) = (Arc::clone(self), fetcher.clone(), issuer.to_owned());
        let seen = seen.cloned();
        tokio::spawn(async move { keys.fetch(&fetcher, &issuer, times, seen.as_ref()).await })
    }

    async fn fetch(
        &self,
        fetcher: &Fetcher,
        issuer: &str,
        times: Times,
        seen: Option<&Arc<KeySet>>,
    ) -> Result<Arc<KeySet>, String> {
        let mut attempt = self.attempt.lock().await;
        let known = self.known();
        // Another request may have fetched them while this one was waiting.
        if let Some(set) = &known
            && seen.is_none_or(|seen| !Arc::ptr_eq(seen, set))
        {
            return Ok(Arc::clone(set));
        }
        let usable = known.as_ref().filter(|set| set.age() < MAX_STALE);
        if attempt.is_some_and(|at| at.elapsed() < times.pause) {
            return usable.cloned().ok_or_else(|| "it was unreachable a moment ago".into());
        }
        let fetched = fetch(fetcher, issuer, known.as_deref()).await;
        // The pause starts at the end, so that waiting requests do not retry one after the other.
        *attempt = Some(Instant::now());
        match fetched {
            Ok(set) => {
                let set = Arc::new(set);
                let mut place = self.known.write().unwrap_or_else(PoisonError::into_inner);
                *place = Some(Arc::clone(&set));
                Ok(set)
            }
            Err(error) => {
                tracing::warn!("cannot fetch the keys of {issuer}: {error}");
                usable.cloned().ok_or(error)
            }
        }
    }
}

async fn fetch(fetcher: &Fetcher, issuer: &str, old: Option<&KeySet>) -> Result<KeySet, String> {
    let provider = discover(fetcher, issuer).await?;
    if provider.issuer != issuer && old.is_none() {
        tracing::warn!("the issuer's metadata names it {}; use that spelling", provider.issuer);
    }
    let document = fetcher.get(provider.keys.clone()).await?;
    let text = document.to_string();
    let version = match old {
        Some(old) if old.text == text && old.issuer == provider.issuer => old.version,
        Some(old) => old.version + 1,
        None => 1,
    };
    let keys = read(&document).ok_or_else(|| format!("{}: the key set is empty", provider.keys))?;
    Ok(KeySet {
        issuer: provider.issuer,
        introspection: provider.introspection,
        keys,
        version,
        text,
        fetched: Instant::now(),
    })
}

/// The supported keys; unknown types are ignored.
fn read(document: &Value) -> Option<Vec<Key>> {
    let listed = document["keys"].as_array()?.iter().take(MAX_KEYS);
    let read = |one: &Value| {
        let jwk: Jwk = serde_json::from_value(one.clone()).ok()?;
        let is_for_signing =
            matches!(jwk.common.public_key_use, None | Some(PublicKeyUse::Signature));
        let algorithm = match jwk.common.key_algorithm {
            Some(algorithm) => Some(Algorithm::try_from(algorithm).ok()?),
            None => None,
        };
        let decoding = DecodingKey::from_jwk(&jwk).ok()?;
        is_for_signing.then_some(Key { id: jwk.common.key_id, algorithm, decoding })
    };
    Some(listed.filter_map(read).collect())
}
