//! Who calls: an identity that was proven, not one that the request merely names.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::SystemTime;

use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

/// The authenticated identity of a caller. Cheap to clone.
///
/// [`Authenticate`](crate::auth::Authenticate) makes it of a request. A handler takes it as an argument:
/// `Caller` if it needs one, `Option<Caller>` if it works without. What a host writes into `_meta`
/// (`openai/subject` and the like) is the host's word and never becomes a `Caller`.
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
    proof: String,
    until: Option<SystemTime>,
}

impl Caller {
    /// The caller of this name, which is the same for each of its requests.
    pub fn new(subject: impl Into<String>) -> Self {
        Self(Arc::new(Inner {
            subject: subject.into(),
            scopes: BTreeSet::new(),
            claims: Map::new(),
            proof: String::new(),
            until: None,
        }))
    }

    /// One more thing that it may do.
    pub fn scope(self, scope: impl Into<String>) -> Self {
        self.with(|inner| _ = inner.scopes.insert(scope.into()))
    }

    /// More things that it may do.
    pub fn scopes<S: Into<String>>(self, scopes: impl IntoIterator<Item = S>) -> Self {
        self.with(|inner| inner.scopes.extend(scopes.into_iter().map(Into::into)))
    }

    /// Adds a claim: of a token, or a team or tenant.
    pub fn claim(self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.with(|inner| _ = inner.claims.insert(name.into(), value.into()))
    }

    /// What proved it, for logs: "bearer key", "client certificate".
    pub fn proven_by(self, proof: impl Into<String>) -> Self {
        self.with(|inner| inner.proof = proof.into())
    }

    /// When the proof expires. Streams that stay open end then, and the client comes back with a new one.
    pub fn valid_until(self, time: SystemTime) -> Self {
        self.with(|inner| inner.until = Some(time))
    }

    fn with(mut self, change: impl FnOnce(&mut Inner)) -> Self {
        change(Arc::make_mut(&mut self.0));
        self
    }

    /// Its name.
    pub fn subject(&self) -> &str {
        &self.0.subject
    }

    /// Whether it may do this.
    pub fn has_scope(&self, scope: &str) -> bool {
        self.0.scopes.contains(scope)
    }

    /// Everything that it may do, in order.
    pub fn granted(&self) -> impl Iterator<Item = &str> {
        self.0.scopes.iter().map(String::as_str)
    }

    /// All claims.
    pub fn claims(&self) -> &Map<String, Value> {
        &self.0.claims
    }

    /// How the caller was authenticated; empty if unknown.
    pub fn proof(&self) -> &str {
        &self.0.proof
    }

    /// When the proof expires, if it does.
    pub fn expires(&self) -> Option<SystemTime> {
        self.0.until
    }
}

/// The key under which the store keeps what belongs to a caller: no request of another leads to it.
/// What belongs to nobody has its id for a key, which is hard to guess.
pub(crate) fn owned<'i>(caller: Option<&Caller>, id: &'i str) -> Cow<'i, str> {
    let Some(caller) = caller else { return id.into() };
    let issuer = caller.claims().get("iss").and_then(Value::as_str).unwrap_or_default();
    let mut hash = Sha256::new();
    for part in [issuer, caller.subject(), id] {
        // With their lengths, so that no two lists of parts are the same bytes.
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    // No id has a slash, so that nobody can ask for this key in place of an id.
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
