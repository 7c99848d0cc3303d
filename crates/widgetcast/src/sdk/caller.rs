//! The authenticated identity of a caller, as opposed to one that a request merely claims.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::SystemTime;

use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

/// The authenticated identity of a caller. Cheap to clone.
///
/// [`Authenticate`](crate::auth::Authenticate) creates it from a request. A handler takes it as an
/// argument: `Caller` if it requires one, `Option<Caller>` if not. What a host claims in `_meta` (such as
/// `openai/subject`) is not verified and never becomes a `Caller`.
///
/// ```
/// use widgetcast::Caller;
/// let ada = Caller::new("ada").scope("tickets:write").claim("team", "north");
/// assert!(ada.has_scope("tickets:write"));
/// assert_eq!(ada.claims()["team"], "north");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Caller(Arc<Inner>);

#[derive(Clone, Debug, PartialEq)]
struct Inner {
    subject: String,
    scopes: BTreeSet<String>,
    claims: Map<String, Value>,
    auth_method: String,
    until: Option<SystemTime>,
}

impl Caller {
    /// Creates a caller from its subject: an identifier that never changes, such as a user id.
    pub fn new(subject: impl Into<String>) -> Self {
        Self(Arc::new(Inner {
            subject: subject.into(),
            scopes: BTreeSet::new(),
            claims: Map::new(),
            auth_method: String::new(),
            until: None,
        }))
    }

    /// Adds a scope.
    pub fn scope(self, scope: impl Into<String>) -> Self {
        self.with(|inner| _ = inner.scopes.insert(scope.into()))
    }

    /// Adds several scopes.
    pub fn scopes<S: Into<String>>(self, scopes: impl IntoIterator<Item = S>) -> Self {
        self.with(|inner| inner.scopes.extend(scopes.into_iter().map(Into::into)))
    }

    /// Adds a claim, such as a team or a tenant.
    pub fn claim(self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.with(|inner| _ = inner.claims.insert(name.into(), value.into()))
    }

    /// Sets how the caller was authenticated, for logs: "bearer key", "client certificate".
    pub fn authenticated_by(self, method: impl Into<String>) -> Self {
        self.with(|inner| inner.auth_method = method.into())
    }

    /// Sets when the credentials expire. Open streams end then, and the client reconnects with new ones.
    pub fn valid_until(self, time: SystemTime) -> Self {
        self.with(|inner| inner.until = Some(time))
    }

    fn with(mut self, change: impl FnOnce(&mut Inner)) -> Self {
        change(Arc::make_mut(&mut self.0));
        self
    }

    /// The subject: the name of the caller.
    pub fn subject(&self) -> &str {
        &self.0.subject
    }

    /// Whether the caller has this scope.
    pub fn has_scope(&self, scope: &str) -> bool {
        self.0.scopes.contains(scope)
    }

    /// All scopes, in order.
    pub fn granted(&self) -> impl Iterator<Item = &str> {
        self.0.scopes.iter().map(String::as_str)
    }

    /// All claims.
    pub fn claims(&self) -> &Map<String, Value> {
        &self.0.claims
    }

    /// How the caller was authenticated; empty if unknown.
    pub fn auth_method(&self) -> &str {
        &self.0.auth_method
    }

    /// When the credentials expire, if they do.
    pub fn expires(&self) -> Option<SystemTime> {
        self.0.until
    }
}

/// The key of a caller's data in the store: no request of another caller leads to it.
/// Data without an owner has its id as key, which is hard to guess.
pub(crate) fn owned<'i>(caller: Option<&Caller>, id: &'i str) -> Cow<'i, str> {
    let Some(caller) = caller else { return id.into() };
    let issuer = caller.claims().get("iss").and_then(Value::as_str).unwrap_or_default();
    let mut hash = Sha256::new();
    for part in [issuer, caller.subject(), id] {
        // With their lengths, so that different lists have different bytes.
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    // Ids contain no slash, so this key cannot be requested as an id.
    let mut key = String::with_capacity(33);
    key.push('/');
    for byte in &hash.finalize()[..16] {
        _ = write!(key, "{byte:02x}");
    }
    key.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_belongs_to_a_caller_has_a_key_of_its_own() {
        let (ada, bob) = (Caller::new("ada"), Caller::new("bob"));
        assert_eq!(owned(None, "7"), "7");
        assert_eq!(owned(Some(&ada), "7"), owned(Some(&ada.clone().scope("x")), "7"));
        let other = ada.clone().claim("iss", "https://other.example");
        let keys = [owned(None, "7"), owned(Some(&ada), "7"), owned(Some(&bob), "7")];
        let more = [owned(Some(&other), "7"), owned(Some(&ada), "8")];
        let all: BTreeSet<&str> = keys.iter().chain(&more).map(|key| &**key).collect();
        assert_eq!(all.len(), 5);
    }
}
