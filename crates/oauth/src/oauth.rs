//! The authenticator: verifies the token of a request, and returns its caller.

use std::sync::Arc;
use std::time::Duration;

use http::request::Parts;
use jsonwebtoken::Algorithm;
use serde_json::{Value, json};
use tokio::sync::Semaphore;
use widgetcast::Caller;
use widgetcast::auth::{Authenticate, Refusal, bearer_token};

use crate::cache::{Cache, Found, TokenHash, hash, now};
use crate::claims::{self, Rules, Source};
use crate::fetch::{Fetcher, is_safe};
use crate::introspection::Introspection;
use crate::jwt::{self, Unverified, is_jwt};
use crate::keys::{KeySet, Keys, Times};
use crate::signature;

/// Maximum length of a token.
const MAX_TOKEN: usize = 16 << 10;
/// Maximum cached tokens.
const REMEMBERED: usize = 20_000;
/// Maximum concurrent introspections: of unknown tokens, and as many of tokens
/// that were valid before. Invented tokens only use up the first.
const ASKED_AT_ONCE: usize = 16;
/// How long a token waits for a slot.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long an unknown token is cached.
const UNKNOWN_TTL: u64 = 10;

/// Authenticates callers with access tokens from a provider.
///
/// ```
/// use widgetcast_oauth::OAuth;
/// let oauth = OAuth::discover("https://login.example.com")
///     .audience("https://helpdesk.example.com/mcp")
///     .scopes(["helpdesk"]);
/// ```
pub struct OAuth {
    issuer: String,
    resource: Option<String>,
    rules: Rules,
    algorithms: Vec<Algorithm>,
    introspection: Option<Introspection>,
    /// Whether JWTs are verified.
    takes_signed: bool,
    times: Times,
    mistakes: Vec<String>,
    state: Arc<State>,
}

/// A clone has the same keys but an empty cache, because it may get other rules.
impl Clone for OAuth {
    fn clone(&self) -> Self {
        Self {
            issuer: self.issuer.clone(),
            resource: self.resource.clone(),
            rules: self.rules.clone(),
            algorithms: self.algorithms.clone(),
            introspection: self.introspection.clone(),
            takes_signed: self.takes_signed,
            times: self.times,
            mistakes: self.mistakes.clone(),
            state: Arc::new(State::new(Arc::clone(&self.state.keys))),
        }
    }
}

/// State shared by all requests.
struct State {
    fetcher: Fetcher,
    keys: Arc<Keys>,
    verified: Cache,
    /// Introspection results.
    asked: Cache,
    /// Tokens that have been valid at some time.
    good: Cache,
    places: Arc<Semaphore>,
    places_of_good: Arc<Semaphore>,
}

impl State {
    fn new(keys: Arc<Keys>) -> Self {
        Self {
            fetcher: Fetcher::default(),
            keys,
            verified: Cache::new(REMEMBERED),
            asked: Cache::new(REMEMBERED),
            good: Cache::new(REMEMBERED),
            places: Arc::new(Semaphore::new(ASKED_AT_ONCE)),
            places_of_good: Arc::new(Semaphore::new(ASKED_AT_ONCE)),
        }
    }
}

impl OAuth {
    /// Accepts tokens from this issuer. Its keys are found by discovery when the first token arrives. Write
    /// the issuer exactly as in its tokens.
    pub fn discover(issuer: impl Into<String>) -> Self {
        signature::install();
        Self {
            issuer: issuer.into(),
            resource: None,
            rules: Rules {
                audiences: Vec::new(),
                clients: Vec::new(),
                scopes: Vec::new(),
                scope_claims: ["scope", "scp", "roles", "permissions"].map(Into::into).to_vec(),
                marks: Vec::new(),
                leeway: 30,
            },
            takes_signed: true,
            algorithms: signature::ALGORITHMS.map(|(_, algorithm)| algorithm).to_vec(),
            introspection: None,
            times: Times { max_age: Duration::from_secs(300), pause: Duration::from_secs(10) },
            mistakes: Vec::new(),
            state: Arc::new(State::new(Arc::default())),
        }
    }

    /// Audience that tokens must have (`aud`): the URL of the app as requested by clients (RFC 8707), or
    /// its identifier at the provider. If set more than once, a token must have one of them.
    pub fn audience(mut self, audience: impl Into<String>) -> Self {
        self.rules.audiences.push(audience.into());
        self
    }

    /// Public URL of the app, such as `https://helpdesk.example.com/mcp`, if it is not one of the audiences.
    pub fn resource(mut self, url: impl Into<String>) -> Self {
        self.resource = Some(url.into());
        self
    }

    /// Accepts tokens without an audience if this client requested them (`client_id`), for providers whose
    /// tokens have none.
    pub fn client(mut self, client_id: impl Into<String>) -> Self {
        self.rules.clients.push(client_id.into());
        self
    }

    /// Scopes that every token must have. Scopes of individual tools are set on the tools.
    pub fn scopes<S: Into<String>>(mut self, scopes: impl IntoIterator<Item = S>) -> Self {
        self.rules.scopes.extend(scopes.into_iter().map(Into::into));
        self
    }

    /// The claims that contain scopes; the first one present counts. By default `scope`, `scp`, `roles` and
    /// `permissions`.
    pub fn scope_claims<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.rules.scope_claims = names.into_iter().map(Into::into).collect();
        self
    }

    /// The accepted signature algorithms, such as `RS256`. By default all but those with a shared secret,
    /// which are never accepted.
    pub fn algorithms<S: AsRef<str>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.algorithms.clear();
        for name in names {
            let name = name.as_ref();
            match signature::ALGORITHMS.iter().find(|(known, _)| *known == name) {
                Some((_, algorithm)) => self.algorithms.push(*algorithm),
                None => {
                    let known = signature::ALGORITHMS.map(|(known, _)| known).join(", ");
                    self.mistakes.push(format!("unknown algorithm {name:?}; known: {known}"));
                }
            }
        }
        self
    }

    /// The allowed clock skew; 30 seconds by default.
    pub fn leeway(mut self, leeway: Duration) -> Self {
        self.rules.leeway = leeway.as_secs();
        self
    }

    /// Introspects tokens that are not JWTs.
    pub fn introspection(mut self, introspection: Introspection) -> Self {
        self.introspection = Some(introspection);
        self
    }

    /// Rejects signed tokens, for providers that never sign access tokens, but sign others.
    pub fn only_introspection(mut self) -> Self {
        self.takes_signed = false;
        self
    }

    /// Requires one of these claims in a signed token, for providers whose ID tokens look like access tokens.
    pub fn marks<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.rules.marks = names.into_iter().map(Into::into).collect();
        self
    }

    /// The time after which keys are fetched again, so a revoked key stays valid for this long; 5 minutes by
    /// default.
    pub fn keys_max_age(mut self, age: Duration) -> Self {
        self.times.max_age = age;
        self
    }

    /// The minimum time between two attempts to fetch keys, however many tokens have unknown keys; 10 seconds
    /// by default.
    pub fn keys_pause(mut self, pause: Duration) -> Self {
        self.times.pause = pause;
        self
    }

    /// Fetches the provider's keys now, to find configuration errors before the first token arrives.
    pub async fn check(&self) -> Result<(), String> {
        self.keys().await.map(|_| ())
    }

    async fn keys(&self) -> Result<Arc<KeySet>, String> {
        let State { keys, fetcher, .. } = &*self.state;
        keys.get(fetcher, &self.issuer, self.times).await
    }

    /// The URL of the app.
    fn address(&self) -> Option<&str> {
        let audiences = self.rules.audiences.iter();
        self.resource.iter().chain(audiences).map(String::as_str).find(|url| is_safe(url))
    }

    /// The cached result. A cached token only needs a hash.
    fn remembered(&self, hash: &TokenHash) -> Option<Result<Caller, Refusal>> {
        let State { keys, verified, asked, .. } = &*self.state;
        let keys = keys.fresh(self.times);
        let found = keys.and_then(|keys| verified.get(hash, keys.version));
        found.or_else(|| self.introspection.as_ref().and_then(|_| asked.get(hash, 0)))
    }

    async fn find_out(&self, token: &str, hash: TokenHash) -> Result<Caller, Refusal> {
        match () {
            () if !is_token(token) => Err(Refusal::invalid_token("this is not a token")),
            () if is_jwt(token) && !self.takes_signed => {
                Err(Refusal::invalid_token("this is not an access token"))
            }
            () if is_jwt(token) => self.verify(token, hash).await,
            () => self.ask(token, hash).await,
        }
    }

    async fn verify(&self, token: &str, hash: TokenHash) -> Result<Caller, Refusal> {
        let unavailable = |_| Refusal::unavailable("the keys of the issuer are unavailable");
        let mut set = self.keys().await.map_err(unavailable)?;
        let verify = |set: &KeySet| jwt::verify(token, set, &self.algorithms, self.rules.leeway);
        let mut verified = verify(&set);
        if matches!(verified, Err(Unverified::UnknownKey)) {
            let State { keys, fetcher, .. } = &*self.state;
            let newer = keys.refetch(fetcher, &self.issuer, self.times, Some(&set)).await;
            set = newer.map_err(unavailable)?;
            verified = verify(&set);
        }
        let claims = verified.map_err(|unverified| match unverified {
            Unverified::UnknownKey => Refusal::invalid_token("the token's key is unknown"),
            Unverified::Refused(refusal) => refusal,
        })?;
        let (caller, until) = claims::caller(claims, Source::Signature, &self.rules, now())?;
        let found = Found { caller: Ok(caller.clone()), until };
        self.state.verified.insert(hash, set.version, found);
        Ok(caller)
    }

    async fn ask(&self, token: &str, hash: TokenHash) -> Result<Caller, Refusal> {
        let Some(introspection) = &self.introspection else {
            return Err(Refusal::invalid_token("unsupported token format"));
        };
        let unavailable =
            |_| Refusal::unavailable("the token cannot be verified right now; try again");
        let endpoint = match &introspection.endpoint {
            Some(endpoint) => Some(endpoint.clone()),
            None => self.keys().await.map_err(unavailable)?.introspection.clone(),
        };
        let Some(endpoint) = endpoint else {
            tracing::warn!("{} has no introspection endpoint", self.issuer);
            return Err(Refusal::invalid_token("unsupported token format"));
        };
        // With the request to the provider, which continues when the client has disconnected.
        let places = match self.state.good.get(&hash, 0) {
            Some(_) => &self.state.places_of_good,
            None => &self.state.places,
        };
        let place = Arc::clone(places).acquire_owned();
        let Ok(Ok(place)) = tokio::time::timeout(PATIENCE, place).await else {
            return Err(Refusal::unavailable("the token cannot be verified right now; try again"));
        };
        let said = introspection.ask(&self.state.fetcher, endpoint, token.to_owned(), place).await;
        let (caller, until) = match said.and_then(|said| self.claims_of(said)) {
            Ok((caller, until)) => {
                let good = Found { caller: Ok(caller.clone()), until: u64::MAX };
                self.state.good.insert(hash, 0, good);
                (Ok(caller), until.min(now().saturating_add(introspection.ttl.as_secs())))
            }
            Err(refusal) if refusal.is_unavailable() => return Err(refusal),
            Err(refusal) => (Err(refusal), now().saturating_add(UNKNOWN_TTL)),
        };
        self.state.asked.insert(hash, 0, Found { caller: caller.clone(), until });
        caller
    }

    /// The caller, according to the provider's response about a token.
    fn claims_of(
        &self,
        mut said: serde_json::Map<String, Value>,
    ) -> Result<(Caller, u64), Refusal> {
        let bare = |name: &str| name.trim_end_matches('/').to_owned();
        match said.get("iss").and_then(Value::as_str).map(bare) {
            Some(issuer) if issuer != bare(&self.issuer) => {
                return Err(Refusal::invalid_token("the token is from another issuer"));
            }
            // Data belongs to the issuer and the subject.
            None => _ = said.insert("iss".into(), self.issuer.as_str().into()),
            Some(_) => {}
        }
        let is_info = self.introspection.as_ref().is_some_and(Introspection::is_token_info);
        let source = if is_info { Source::TokenInfo } else { Source::Provider };
        claims::caller(said, source, &self.rules, now())
    }
}

impl Authenticate for OAuth {
    async fn authenticate(&self, request: &Parts) -> Result<Option<Caller>, Refusal> {
        let Some(token) = bearer_token(request)? else { return Ok(None) };
        let hash = hash(token);
        match self.remembered(&hash) {
            Some(found) => found.map(Some),
            // Boxed, because it is rare and large.
            None => Box::pin(self.find_out(token, hash)).await.map(Some),
        }
    }

    fn resource_metadata(&self) -> Option<Value> {
        let mut document = json!({
            "resource": self.address()?,
            "authorization_servers": [self.issuer],
            "bearer_methods_supported": ["header"],
        });
        if !self.rules.scopes.is_empty() {
            document["scopes_supported"] = json!(self.rules.scopes);
        }
        Some(document)
    }

    fn config_errors(&self) -> Vec<String> {
        let mut wrong = self.mistakes.clone();
        if !is_safe(&self.issuer) {
            wrong
                .push(format!("issuer {:?} must look like https://login.example.com", self.issuer));
        }
        if self.rules.audiences.is_empty() && self.rules.clients.is_empty() {
            wrong.push("OAuth requires an audience that tokens must have".into());
        }
        if self.address().is_none() {
            wrong.push(
                "OAuth requires the URL of the app as audience or resource, such as \
                 https://helpdesk.example.com/mcp"
                    .into(),
            );
        }
        if self.algorithms.is_empty() && self.mistakes.is_empty() {
            wrong.push("OAuth requires at least one algorithm".into());
        }
        wrong.extend(self.introspection.as_ref().and_then(Introspection::mistake));
        wrong
    }
}

/// Whether a text is a valid token (RFC 6750, 2.1) of acceptable length.
fn is_token(text: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~+/=".contains(&byte);
    !text.is_empty() && text.len() <= MAX_TOKEN && text.bytes().all(is_letter)
}

impl std::fmt::Debug for OAuth {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OAuth").field("issuer", &self.issuer).finish_non_exhaustive()
    }
}
