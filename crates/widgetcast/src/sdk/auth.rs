//! Authentication of HTTP requests.

use std::collections::HashMap;
use std::marker::PhantomData;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use futures_util::future::BoxFuture;
use http::header;
use http::request::Parts;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::caller::Caller;
use super::peer::Peer;
use super::refusal::Refusal;

/// Minimum length of a key, because shorter ones can be guessed.
const MIN_KEY_BYTES: usize = 16;

/// Authenticates HTTP requests.
///
/// Return `Ok(None)` for a request without credentials, which can still use public items. Return an error
/// for invalid credentials.
///
/// ```
/// use widgetcast::Caller;
/// use widgetcast::auth::{Authenticate, Refusal};
/// use http::request::Parts;
///
/// /// A proxy verifies client certificates, and sends the common name in a header.
/// struct Certificate;
///
/// impl Authenticate for Certificate {
///     async fn authenticate(&self, request: &Parts) -> Result<Option<Caller>, Refusal> {
///         let Some(name) = request.headers.get("x-client-cn") else { return Ok(None) };
///         let name = name.to_str().map_err(|_| Refusal::unauthorized())?;
///         Ok(Some(Caller::new(name).authenticated_by("client certificate")))
///     }
/// }
/// ```
pub trait Authenticate: Send + Sync + 'static {
    /// Returns the caller that sent this request; write it as an `async fn`.
    fn authenticate(
        &self,
        request: &Parts,
    ) -> impl Future<Output = Result<Option<Caller>, Refusal>> + Send;

    /// Protected resource metadata (RFC 9728), which points clients to the authorization server. It must
    /// contain at least `resource`, the URL of the app, such as `https://helpdesk.example.com/mcp`.
    /// `WWW-Authenticate` headers refer to it.
    fn resource_metadata(&self) -> Option<Value> {
        None
    }

    /// Configuration errors, reported by [`Builder::build`](crate::Builder::build).
    fn config_errors(&self) -> Vec<String> {
        Vec::new()
    }
}

/// An [`Authenticate`] with its type erased.
pub(crate) trait Authenticator: Send + Sync {
    fn authenticate<'r>(
        &'r self,
        request: &'r Parts,
    ) -> BoxFuture<'r, Result<Option<Caller>, Refusal>>;

    fn resource_metadata(&self) -> Option<Value>;

    fn config_errors(&self) -> Vec<String>;
}

impl<A: Authenticate> Authenticator for A {
    fn authenticate<'r>(
        &'r self,
        request: &'r Parts,
    ) -> BoxFuture<'r, Result<Option<Caller>, Refusal>> {
        Box::pin(Authenticate::authenticate(self, request))
    }

    fn resource_metadata(&self) -> Option<Value> {
        Authenticate::resource_metadata(self)
    }

    fn config_errors(&self) -> Vec<String> {
        Authenticate::config_errors(self)
    }
}

/// The client of a request from this process. Only code of the app can put it into the extensions of a
/// request.
#[derive(Clone, Debug)]
pub(crate) struct Proven {
    pub caller: Option<Caller>,
    /// The client that quotas apply to if there is no caller.
    pub peer: Peer,
}

/// API keys that callers send as `Authorization: Bearer KEY`, each for one caller.
///
/// ```
/// use widgetcast::{App, Caller};
/// use widgetcast::auth::BearerKeys;
/// let keys = BearerKeys::new()
///     .key("3f9a-the-key-of-ada", Caller::new("ada").scope("tickets:write"))
///     .key("77c1-the-key-of-bob", Caller::new("bob"));
/// let app = App::new("helpdesk", "1.0.0").auth(keys).build()?;
/// # Ok::<(), widgetcast::BuildError>(())
/// ```
#[derive(Clone, Default)]
pub struct BearerKeys {
    /// By hash, so that the time of a lookup reveals nothing about a key.
    callers: HashMap<[u8; 32], Caller>,
    /// Authenticates other tokens.
    other: Option<Arc<dyn Authenticator>>,
    mistakes: Vec<String>,
}

impl BearerKeys {
    /// Creates an empty set of keys.
    pub fn new() -> Self {
        Self::default()
    }

    /// Generates a random key, and its hash for [`hashed`](Self::hashed).
    pub fn generate() -> (String, String) {
        let key = format!("wck_{}", URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>()));
        let digits = hash(&key).iter().map(|byte| format!("{byte:02x}")).collect();
        (key, digits)
    }

    /// Adds a key of a caller. A caller may have several keys, but a key belongs to one caller.
    pub fn key(mut self, key: impl AsRef<str>, caller: Caller) -> Self {
        let key = key.as_ref();
        if key.len() < MIN_KEY_BYTES {
            let subject = caller.subject();
            let mistake = format!("the key of {subject} must have at least {MIN_KEY_BYTES} bytes");
            self.mistakes.push(mistake);
        }
        self.insert(hash(key), caller)
    }

    /// Adds a key by its SHA-256 hash, as 64 hex digits, so that the config does not contain the key.
    /// `widgetcast key` generates both.
    pub fn hashed(mut self, digits: impl AsRef<str>, caller: Caller) -> Self {
        match read_hash(digits.as_ref()) {
            Some(hash) => self.insert(hash, caller),
            None => {
                let subject = caller.subject();
                let mistake = format!("the hash of key {subject:?} must be 64 hex digits");
                self.mistakes.push(mistake);
                self
            }
        }
    }

    /// Passes tokens that are not among these keys to another authenticator.
    ///
    /// ```
    /// use widgetcast::{App, Caller};
    /// use widgetcast::auth::{BearerKeys, FromExtension};
    /// # #[derive(Clone)] struct User(String);
    /// let others = FromExtension::new(|user: &User| Caller::new(&user.0));
    /// let keys = BearerKeys::new().key("the key of the nightly job", Caller::new("nightly"));
    /// let app = App::new("helpdesk", "1.0.0").auth(keys.or(others));
    /// ```
    pub fn or(mut self, other: impl Authenticate) -> Self {
        self.other = Some(Arc::new(other));
        self
    }

    fn insert(mut self, hash: [u8; 32], caller: Caller) -> Self {
        let subject = caller.subject().to_owned();
        let caller = match caller.auth_method() {
            "" => caller.authenticated_by("bearer key"),
            _ => caller,
        };
        if let Some(other) = self.callers.insert(hash, caller) {
            let other = other.subject();
            self.mistakes.push(format!("{subject} and {other} have the same key"));
        }
        self
    }
}

impl Authenticate for BearerKeys {
    async fn authenticate(&self, request: &Parts) -> Result<Option<Caller>, Refusal> {
        let key = bearer_token(request)?;
        if let Some(caller) = key.and_then(|key| self.callers.get(&hash(key))) {
            return Ok(Some(caller.clone()));
        }
        match (&self.other, key) {
            (Some(other), _) => other.authenticate(request).await,
            (None, None) => Ok(None),
            (None, Some(_)) => Err(Refusal::invalid_token("unknown key")),
        }
    }

    fn resource_metadata(&self) -> Option<Value> {
        self.other.as_ref()?.resource_metadata()
    }

    fn config_errors(&self) -> Vec<String> {
        let others = self.other.iter().flat_map(|other| other.config_errors());
        self.mistakes.iter().cloned().chain(others).collect()
    }
}

impl std::fmt::Debug for BearerKeys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BearerKeys").field("count", &self.callers.len()).finish_non_exhaustive()
    }
}

fn hash(key: &str) -> [u8; 32] {
    Sha256::digest(key).into()
}

/// A hash as hex digits, optionally prefixed with its algorithm.
fn read_hash(text: &str) -> Option<[u8; 32]> {
    let digits = text.strip_prefix("sha256:").unwrap_or(text).as_bytes();
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let byte = |two: &[u8]| u8::try_from(digit(two[0])? << 4 | digit(two[1])?).ok();
    let bytes: Option<Vec<u8>> = digits.chunks_exact(2).map(byte).collect();
    bytes?.try_into().ok().filter(|_| digits.len() == 64)
}

/// The token of `Authorization: Bearer TOKEN`, or `None` without such a header.
///
/// A token in the URL is never used, because URLs are logged. Together with a header it is an error, and
/// so are two headers (RFC 6750, 3.1).
///
/// ```
/// use http::request::Parts;
/// use widgetcast::Caller;
/// use widgetcast::auth::{Authenticate, Refusal, bearer_token};
///
/// struct Tokens;
///
/// impl Authenticate for Tokens {
///     async fn authenticate(&self, request: &Parts) -> Result<Option<Caller>, Refusal> {
///         match bearer_token(request)? {
///             Some("a-token-from-your-database") => Ok(Some(Caller::new("ada"))),
///             Some(_) => Err(Refusal::invalid_token("unknown token")),
///             None => Ok(None),
///         }
///     }
/// }
/// ```
pub fn bearer_token(request: &Parts) -> Result<Option<&str>, Refusal> {
    let mut all = request.headers.get_all(header::AUTHORIZATION).iter();
    let Some(value) = all.next() else { return Ok(None) };
    if all.next().is_some() {
        return Err(Refusal::invalid_request("more than one Authorization header"));
    }
    let query = request.uri.query().unwrap_or_default();
    if query.split('&').any(|pair| pair.starts_with("access_token=")) {
        return Err(Refusal::invalid_request("tokens in the URL are not accepted"));
    }
    let text = value.to_str().ok();
    let token = text
        .and_then(|text| text.split_once(' '))
        .and_then(|(scheme, token)| scheme.eq_ignore_ascii_case("bearer").then_some(token.trim()));
    match token {
        Some(token) => Ok(Some(token)),
        None => Err(Refusal::unauthorized().with_message("send Authorization: Bearer TOKEN")),
    }
}

/// Takes the caller from a value that an outer tower layer inserted into the request's extensions.
///
/// ```
/// use widgetcast::{App, Caller};
/// use widgetcast::auth::FromExtension;
///
/// /// What the router's own layer puts into each request.
/// #[derive(Clone)]
/// struct User { name: String, is_admin: bool }
///
/// let app = App::new("helpdesk", "1.0.0").auth(FromExtension::new(|user: &User| {
///     let caller = Caller::new(&user.name);
///     if user.is_admin { caller.scope("tickets:write") } else { caller }
/// }));
/// ```
pub struct FromExtension<T, F>(F, PhantomData<fn(&T)>);

impl<T, F: Fn(&T) -> Caller> FromExtension<T, F> {
    /// Creates the authenticator from a function that maps the extension to a caller.
    pub fn new(read: F) -> Self {
        Self(read, PhantomData)
    }
}

impl<T, F> Authenticate for FromExtension<T, F>
where
    T: Clone + Send + Sync + 'static,
    F: Fn(&T) -> Caller + Send + Sync + 'static,
{
    async fn authenticate(&self, request: &Parts) -> Result<Option<Caller>, Refusal> {
        Ok(request.extensions.get::<T>().map(&self.0))
    }
}

impl<T, F> std::fmt::Debug for FromExtension<T, F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "FromExtension<{}>", std::any::type_name::<T>())
    }
}

#[cfg(test)]
mod tests {
    use super::{Authenticate, BearerKeys, Caller, FromExtension, Parts, Refusal, header};

    fn request(authorization: &[&str]) -> Parts {
        let mut request = http::Request::new(()).into_parts().0;
        for value in authorization {
            request.headers.append(header::AUTHORIZATION, value.parse().unwrap());
        }
        request
    }

    #[tokio::test]
    async fn keys_name_their_callers() {
        let keys = BearerKeys::new()
            .key("the key of ada 01", Caller::new("ada"))
            .key("the key of bob 02", Caller::new("bob").authenticated_by("a badge"));
        let subject = async |headers: &[&str]| {
            let caller = keys.authenticate(&request(headers)).await?;
            Ok::<_, Refusal>(caller.map(|caller| caller.subject().to_owned()))
        };
        assert_eq!(subject(&[]).await, Ok(None));
        assert_eq!(subject(&["Bearer the key of ada 01"]).await, Ok(Some("ada".into())));
        assert_eq!(subject(&["bearer  the key of bob 02 "]).await, Ok(Some("bob".into())));
        for wrong in ["Bearer the key of ada 02", "Bearer ", "Bearer", "Basic YTpi", ""] {
            assert!(subject(&[wrong]).await.is_err(), "{wrong}");
        }
        assert!(subject(&["Bearer the key of ada 01", "Bearer x"]).await.is_err());
        let bob = keys.authenticate(&request(&["Bearer the key of bob 02"])).await.unwrap();
        assert_eq!(bob.unwrap().auth_method(), "a badge");
        assert_eq!(keys.config_errors(), Vec::<String>::new());
        assert!(!format!("{keys:?}").contains("ada"));
    }

    #[tokio::test]
    async fn tokens_are_read_from_one_header_alone() {
        let keys = BearerKeys::new().key("the key of ada 01", Caller::new("ada"));
        let ask = async |mut request: Parts, uri: &'static str| {
            request.uri = http::Uri::from_static(uri);
            let found = keys.authenticate(&request).await;
            found.map(|caller| caller.is_some()).map_err(|refusal| refusal.challenge(None))
        };
        let with = "/mcp?access_token=the+key+of+ada+01";
        assert_eq!(ask(request(&[]), with).await, Ok(false));
        let ada = "Bearer the key of ada 01";
        assert_eq!(ask(request(&[ada]), "/mcp?surface=text").await, Ok(true));
        for wrong in [ask(request(&[ada]), with).await, ask(request(&[ada, ada]), "/mcp").await] {
            let challenge = wrong.unwrap_err().unwrap();
            assert!(challenge.starts_with(r#"Bearer error="invalid_request""#), "{challenge}");
        }
    }

    #[tokio::test]
    async fn keys_may_be_known_by_their_hashes_and_others_be_asked() {
        // `printf 'the key of ada 01' | sha256sum`
        const ADA: &str = "c0c8cb181b567f7c90e0bbc816c2f5f96132b694105115a1898578e93ed8bb5a";
        let others = FromExtension::new(|name: &String| Caller::new(name));
        let keys = BearerKeys::new().hashed(format!("sha256:{ADA}"), Caller::new("ada")).or(others);
        let subject = async |request: Parts| {
            let caller = keys.authenticate(&request).await.unwrap();
            caller.map(|caller| caller.subject().to_owned())
        };
        assert_eq!(subject(request(&["Bearer the key of ada 01"])).await, Some("ada".into()));
        assert_eq!(subject(request(&[])).await, None);
        let mut other = request(&["Bearer another"]);
        other.extensions.insert("eve".to_owned());
        assert_eq!(subject(other).await, Some("eve".into()));
        let (key, hash) = BearerKeys::generate();
        assert_ne!(key, BearerKeys::generate().0);
        let keys = BearerKeys::new().hashed(hash, Caller::new("new"));
        assert!(keys.authenticate(&request(&[&format!("Bearer {key}")])).await.is_ok());
        for wrong in ["", "sha256:", &ADA[1..], &format!("{}g", &ADA[1..]), &format!("{ADA}00")] {
            let keys = BearerKeys::new().hashed(wrong, Caller::new("ada"));
            let wanted = [r#"the hash of key "ada" must be 64 hex digits"#];
            assert_eq!(keys.config_errors(), wanted, "{wrong}");
        }
    }

    #[test]
    fn weak_and_shared_keys_are_mistakes() {
        let keys = BearerKeys::new()
            .key("short", Caller::new("ada"))
            .key("the key of both of them", Caller::new("bob"))
            .key("the key of both of them", Caller::new("eve"));
        assert_eq!(
            keys.config_errors(),
            ["the key of ada must have at least 16 bytes", "eve and bob have the same key"]
        );
    }
}
