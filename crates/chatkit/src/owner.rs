//! The owner of threads.

use serde_json::Value;
use sha2::{Digest as _, Sha256};
use widgetcast::Caller;

/// The issuer of users identified by a cookie. No issuer of tokens has this name.
const COOKIE: &str = "cookie:";
/// The LIKE pattern for the keys of all of them.
pub(crate) const ANONYMOUS: &str = "[\"cookie:\",%";

/// The owner of a thread, its items and its attachments: an authenticated caller, or an anonymous user
/// identified by a cookie. Its text is the key in the database.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Owner(String);

impl Owner {
    fn of(issuer: &str, subject: &str) -> Self {
        // A JSON list, so that different pairs always have different keys.
        Self(Value::from(vec![issuer, subject]).to_string())
    }

    /// The owner for this caller. The same subject at two issuers is two owners.
    pub fn caller(caller: &Caller) -> Self {
        let issuer = caller.claims().get("iss").and_then(Value::as_str).unwrap_or_default();
        Self::of(issuer, caller.subject())
    }

    /// The owner of this cookie. The cookie itself is not stored.
    pub(crate) fn cookie(cookie: &str) -> Self {
        let hash = Sha256::digest(cookie);
        let subject: String = hash[..16].iter().map(|byte| format!("{byte:02x}")).collect();
        Self::of(COOKIE, &subject)
    }

    pub(crate) fn from_key(key: String) -> Self {
        Self(key)
    }

    /// The key in the database.
    pub fn key(&self) -> &str {
        &self.0
    }

    /// The issuer: of the user's tokens, empty for keys, `cookie:` for a cookie.
    pub fn issuer(&self) -> String {
        let pair: Option<(String, String)> = serde_json::from_str(&self.0).ok();
        pair.map(|(issuer, _)| issuer).unwrap_or_default()
    }

    /// Whether the user is identified only by a cookie.
    pub fn is_anonymous(&self) -> bool {
        self.0.starts_with(ANONYMOUS.trim_end_matches('%'))
    }

    /// The subject: of the caller, or the hash of the cookie.
    pub fn subject(&self) -> String {
        let pair: Option<(String, String)> = serde_json::from_str(&self.0).ok();
        pair.map(|(_, subject)| subject).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn owners_are_kept_apart() {
        let ada = Caller::new("ada");
        let other = ada.clone().claim("iss", "https://other.example");
        let all = [Owner::caller(&ada), Owner::caller(&other), Owner::cookie("ada")];
        assert_ne!(all[0], all[1]);
        assert_ne!(all[0], all[2]);
        assert_eq!((all[0].subject(), all[1].subject()), ("ada".into(), "ada".into()));
        assert_eq!((&*all[0].issuer(), &*all[1].issuer()), ("", "https://other.example"));
        assert!(all[2].key().starts_with(ANONYMOUS.trim_end_matches('%')));
        assert!(all[2].is_anonymous() && !all[0].is_anonymous());
        assert!(!all[2].key().contains("ada"));
        assert_eq!(Owner::cookie("ada"), all[2]);
    }
}
