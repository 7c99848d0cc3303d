//! From a request to who sends it.

use std::collections::HashMap;
use std::marker::PhantomData;

use futures_util::future::BoxFuture;
use http::header;
use http::request::Parts;
use sha2::{Digest as _, Sha256};

use super::caller::Caller;
use super::refusal::Refusal;

/// The shortest key that is taken: what is shorter can be guessed.
const MIN_KEY_BYTES: usize = 16;

/// Proves who sends a request over HTTP.
///
/// A request with no credentials at all gives `Ok(None)`: it may still use what is public. Credentials
/// that are wrong are refused.
///
/// ```
/// use widgetcast::{Authenticate, Caller, Refusal};
/// use futures_util::future::BoxFuture;
/// use http::request::Parts;
///
/// /// A proxy in front has checked a client certificate, and says whose it is.
/// struct Certificate;
///
/// impl Authenticate for Certificate {
///     fn authenticate<'r>(
///         &'r self,
///         request: &'r Parts,
///     ) -> BoxFuture<'r, Result<Option<Caller>, Refusal>> {
///         Box::pin(async move {
///             let Some(name) = request.headers.get("x-client-cn") else { return Ok(None) };
///             let name = name.to_str().map_err(|_| Refusal::unauthorized())?;
///             Ok(Some(Caller::new(name).proven_by("client certificate")))
///         })
///     }
/// }
/// ```
pub trait Authenticate: Send + Sync + 'static {
    /// Who sends this request.
    fn authenticate<'r>(
        &'r self,
        request: &'r Parts,
    ) -> BoxFuture<'r, Result<Option<Caller>, Refusal>>;

    /// What is wrong with how it was set up, for [`Builder::build`](crate::Builder::build).
    fn mistakes(&self) -> Vec<String> {
        Vec::new()
    }
}

/// The caller of a request that was made in this process: a test's. Only code of the app can put it
/// into the extensions of a request.
#[derive(Clone, Debug)]
pub(crate) struct Proven(pub Caller);

/// Keys that callers send as `Authorization: Bearer KEY`, each for one caller.
///
/// ```
/// use widgetcast::{App, BearerKeys, Caller};
/// let keys = BearerKeys::new()
///     .key("3f9a-the-key-of-ada", Caller::new("ada").scope("tickets:write"))
///     .key("77c1-the-key-of-bob", Caller::new("bob"));
/// let app = App::new("helpdesk", "1.0.0").auth(keys).build()?;
/// # Ok::<(), widgetcast::BuildError>(())
/// ```
#[derive(Clone, Default)]
pub struct BearerKeys {
    /// By their hashes: how long a look-up takes tells nothing about a key then.
    callers: HashMap<[u8; 32], Caller>,
    mistakes: Vec<String>,
}

impl BearerKeys {
    /// No keys yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The key of one caller. Several keys of one caller are fine; a key for two is not.
    pub fn key(mut self, key: impl AsRef<str>, caller: Caller) -> Self {
        let (key, subject) = (key.as_ref(), caller.subject().to_owned());
        if key.len() < MIN_KEY_BYTES {
            let mistake = format!("the key of {subject} has fewer than {MIN_KEY_BYTES} bytes");
            self.mistakes.push(mistake);
        }
        let caller = match caller.proof() {
            "" => caller.proven_by("bearer key"),
            _ => caller,
        };
        if let Some(other) = self.callers.insert(hash(key), caller) {
            let other = other.subject();
            self.mistakes.push(format!("{subject} and {other} have the same key"));
        }
        self
    }
}

impl Authenticate for BearerKeys {
    fn authenticate<'r>(
        &'r self,
        request: &'r Parts,
    ) -> BoxFuture<'r, Result<Option<Caller>, Refusal>> {
        let found = match bearer(request) {
            Ok(None) => Ok(None),
            Ok(Some(key)) => match self.callers.get(&hash(key)) {
                Some(caller) => Ok(Some(caller.clone())),
                None => Err(Refusal::unauthorized().with_message("the key is not known")),
            },
            Err(refusal) => Err(refusal),
        };
        Box::pin(std::future::ready(found))
    }

    fn mistakes(&self) -> Vec<String> {
        self.mistakes.clone()
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

/// The token of `Authorization: Bearer TOKEN`; nothing if there is no such header.
fn bearer(request: &Parts) -> Result<Option<&str>, Refusal> {
    let mut all = request.headers.get_all(header::AUTHORIZATION).iter();
    let Some(value) = all.next() else { return Ok(None) };
    let text = value.to_str().ok().filter(|_| all.next().is_none());
    let token = text
        .and_then(|text| text.split_once(' '))
        .and_then(|(scheme, token)| scheme.eq_ignore_ascii_case("bearer").then_some(token.trim()));
    match token {
        Some(token) => Ok(Some(token)),
        None => Err(Refusal::unauthorized().with_message("send Authorization: Bearer and a token")),
    }
}

/// Takes the caller from what a layer outside of the app has put into the request's extensions.
///
/// ```
/// use widgetcast::{App, Caller, FromExtension};
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
    /// With what makes a caller of the extension.
    pub fn new(read: F) -> Self {
        Self(read, PhantomData)
    }
}

impl<T, F> Authenticate for FromExtension<T, F>
where
    T: Clone + Send + Sync + 'static,
    F: Fn(&T) -> Caller + Send + Sync + 'static,
{
    fn authenticate<'r>(
        &'r self,
        request: &'r Parts,
    ) -> BoxFuture<'r, Result<Option<Caller>, Refusal>> {
        Box::pin(std::future::ready(Ok(request.extensions.get::<T>().map(&self.0))))
    }
}

impl<T, F> std::fmt::Debug for FromExtension<T, F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "FromExtension<{}>", std::any::type_name::<T>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            .key("the key of bob 02", Caller::new("bob").proven_by("a badge"));
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
        assert_eq!(bob.unwrap().proof(), "a badge");
        assert_eq!(keys.mistakes(), Vec::<String>::new());
        assert!(!format!("{keys:?}").contains("ada"));
    }

    #[test]
    fn weak_and_shared_keys_are_mistakes() {
        let keys = BearerKeys::new()
            .key("short", Caller::new("ada"))
            .key("the key of both of them", Caller::new("bob"))
            .key("the key of both of them", Caller::new("eve"));
        assert_eq!(
            keys.mistakes(),
            ["the key of ada has fewer than 16 bytes", "eve and bob have the same key"]
        );
    }
}
