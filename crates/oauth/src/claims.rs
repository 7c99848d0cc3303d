//! From the claims of a token to a caller.

use std::time::{Duration, SystemTime};

use serde_json::{Map, Value};
use widgetcast::Caller;
use widgetcast::auth::Refusal;

/// The requirements on a token.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    /// Accepted audiences; a token must have one of them.
    pub audiences: Vec<String>,
    /// The clients whose tokens are accepted without an audience.
    pub clients: Vec<String>,
    /// Scopes that every token must have.
    pub scopes: Vec<String>,
    /// The claims that contain scopes; the first one present counts.
    pub scope_claims: Vec<String>,
    /// Claims of which a signed token must have one, for providers whose ID tokens look like their access
    /// tokens; any token is accepted if it is empty.
    pub marks: Vec<String>,
    /// The allowed clock skew in seconds.
    pub leeway: u64,
}

/// The source of the claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// A signed token.
    Signature,
    /// Introspection according to RFC 7662.
    Provider,
    /// An open endpoint, as Google's; without a user in the response, the owner of the token is unknown.
    TokenInfo,
}

/// The caller identified by the claims of a verified token, and the expiry.
pub(crate) fn caller(
    claims: Map<String, Value>,
    source: Source,
    rules: &Rules,
    now: u64,
) -> Result<(Caller, u64), Refusal> {
    check_kind(&claims)?;
    let has_mark = || rules.marks.iter().any(|mark| claims.contains_key(mark));
    if source == Source::Signature && !rules.marks.is_empty() && !has_mark() {
        return Err(Refusal::invalid_token("this is not an access token"));
    }
    check_audience(&claims, rules)?;
    let until = check_times(&claims, rules, now)?;
    let text = |key: &str| claims.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
    // A token that a client gets for itself may identify only the client. For a user's token without a user,
    // this would make one caller of all users of that client.
    let is_own = source != Source::TokenInfo && text("username").is_none();
    let program = || text("client_id").filter(|_| is_own);
    let subject = text("sub").map(str::to_owned);
    let Some(subject) = subject.or_else(|| program().map(|id| format!("client:{id}"))) else {
        return Err(Refusal::invalid_token("the token has no subject"));
    };
    let scopes = scopes(&claims, &rules.scope_claims);
    if !rules.scopes.iter().all(|needed| scopes.contains(needed)) {
        return Err(Refusal::forbidden(rules.scopes.iter().map(String::as_str)));
    }
    let caller = Caller::new(subject).scopes(scopes).authenticated_by("access token");
    let caller = claims.into_iter().fold(caller, |caller, (name, value)| caller.claim(name, value));
    // A time that cannot be represented counts as none.
    let expires = SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(until));
    let caller = match expires {
        Some(time) => caller.valid_until(time),
        None => caller,
    };
    Ok((caller, until))
}

/// Rejects tokens that are not access tokens, and sender-constrained ones.
fn check_kind(claims: &Map<String, Value>) -> Result<(), Refusal> {
    let is = |key: &str, value: &str| claims.get(key).and_then(Value::as_str) == Some(value);
    let is_of_id = ["at_hash", "c_hash", "nonce"].iter().any(|claim| claims.contains_key(*claim));
    let is_other_use = claims.contains_key("token_use")
        && !is("token_use", "access")
        && !is("token_use", "access_token");
    if is_of_id || is_other_use || is("typ", "ID") || is("typ", "Refresh") {
        return Err(Refusal::invalid_token("this is not an access token"));
    }
    match claims.contains_key("cnf") {
        true => Err(Refusal::invalid_token("sender-constrained tokens are not supported")),
        false => Ok(()),
    }
}

fn check_audience(claims: &Map<String, Value>, rules: &Rules) -> Result<(), Refusal> {
    let is_ours = |value: &Value| {
        value.as_str().is_some_and(|name| rules.audiences.iter().any(|ours| ours == name))
    };
    let is_for_us = match claims.get("aud") {
        Some(Value::Array(all)) => all.iter().any(is_ours),
        Some(one) => is_ours(one),
        None => {
            let client = claims.get("client_id").and_then(Value::as_str);
            client.is_some_and(|client| rules.clients.iter().any(|ours| ours == client))
        }
    };
    match is_for_us {
        true => Ok(()),
        false => Err(Refusal::invalid_token("the token is for another audience")),
    }
}

fn check_times(claims: &Map<String, Value>, rules: &Rules, now: u64) -> Result<u64, Refusal> {
    let until = match claims.get("exp") {
        None => u64::MAX,
        Some(value) => match seconds(value) {
            Some(time) => time.saturating_add(rules.leeway),
            None => return Err(Refusal::invalid_token("the token's exp is not a time")),
        },
    };
    if until <= now {
        return Err(Refusal::invalid_token("the token has expired"));
    }
    match claims.get("nbf").map(seconds) {
        None => Ok(until),
        Some(Some(time)) if time <= now.saturating_add(rules.leeway) => Ok(until),
        Some(_) => Err(Refusal::invalid_token("the token is not valid yet")),
    }
}

/// A timestamp. Google sends it as a string.
fn seconds(value: &Value) -> Option<u64> {
    let number = value.as_u64().or_else(|| value.as_str()?.parse().ok());
    number.or_else(|| value.as_f64().filter(|time| *time >= 0.0).map(|time| time as u64))
}

/// The scopes of a token: a list, or a space-separated string.
fn scopes(claims: &Map<String, Value>, names: &[String]) -> Vec<String> {
    let found = names.iter().find_map(|name| claims.get(name));
    match found {
        Some(Value::String(words)) => words.split_whitespace().map(str::to_owned).collect(),
        Some(Value::Array(all)) => {
            all.iter().filter_map(Value::as_str).map(str::to_owned).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn rules() -> Rules {
        Rules {
            audiences: vec!["https://a.example/mcp".into(), "api://a".into()],
            clients: vec!["client-1".into()],
            scopes: Vec::new(),
            scope_claims: ["scope", "scp", "roles"].map(Into::into).to_vec(),
            marks: Vec::new(),
            leeway: 30,
        }
    }

    fn read(claims: Value) -> Result<(Caller, u64), String> {
        read_from(Source::Signature, claims)
    }

    fn read_from(source: Source, claims: Value) -> Result<(Caller, u64), String> {
        let Value::Object(claims) = claims else { unreachable!() };
        caller(claims, source, &rules(), 1_000).map_err(|refusal| refusal.to_string())
    }

    #[test]
    fn audiences() {
        let with = |aud: Value| read(json!({ "sub": "ada", "aud": aud })).map(|_| ());
        assert_eq!(with(json!("https://a.example/mcp")), Ok(()));
        assert_eq!(with(json!(["https://b.example", "api://a"])), Ok(()));
        for other in
            [json!("https://a.example"), json!([]), json!(null), json!(7), json!("client-1")]
        {
            assert_eq!(with(other), Err("the token is for another audience".into()));
        }
        assert!(read(json!({ "sub": "ada" })).is_err());
        assert!(read(json!({ "sub": "ada", "client_id": "client-1" })).is_ok());
        assert!(read(json!({ "sub": "ada", "client_id": "client-2" })).is_err());
        // An audience in the configuration is required in tokens.
        assert!(read(json!({ "sub": "ada", "client_id": "client-1", "aud": "x" })).is_err());
    }

    #[test]
    fn times() {
        let with = |exp: Value, nbf: Value| {
            let until = read(json!({ "sub": "a", "aud": "api://a", "exp": exp, "nbf": nbf }));
            until.map(|(caller, until)| {
                let expires = SystemTime::UNIX_EPOCH + Duration::from_secs(until);
                assert_eq!(caller.expires(), Some(expires));
                until
            })
        };
        assert_eq!(with(json!(2_000), json!(900)), Ok(2_030));
        assert_eq!(with(json!("2000"), json!(1_030)), Ok(2_030));
        assert_eq!(with(json!(971), json!(0)), Ok(1_001));
        assert_eq!(with(json!(970), json!(0)), Err("the token has expired".into()));
        assert_eq!(with(json!("soon"), json!(0)), Err("the token's exp is not a time".into()));
        assert_eq!(with(json!(2_000), json!(1_031)), Err("the token is not valid yet".into()));
        assert_eq!(with(json!(2_000), json!("x")), Err("the token is not valid yet".into()));
        let endless = read(json!({ "sub": "a", "aud": "api://a" })).unwrap();
        assert_eq!(endless.0.expires(), None);
    }

    #[test]
    fn scopes_are_in_the_first_claim_that_has_them() {
        let with = |key: &str, value: Value, roles: Value| {
            let claims = json!({ "sub": "a", "aud": "api://a", key: value, "roles": roles });
            let caller = read(claims).unwrap().0;
            caller.granted().map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(with("scope", json!("a b"), json!(["admin"])), ["a", "b"]);
        assert_eq!(with("scp", json!(["a"]), json!(["admin"])), ["a"]);
        assert_eq!(with("other", json!("a"), json!(["admin"])), ["admin"]);
        assert_eq!(with("scope", json!(7), json!(["admin"])), Vec::<String>::new());
    }

    #[test]
    fn only_access_tokens_that_anyone_may_carry() {
        for (key, value) in [
            ("at_hash", json!("x")),
            ("nonce", json!("x")),
            ("token_use", json!("id")),
            ("token_use", json!("refresh_token")),
            ("typ", json!("ID")),
            ("cnf", json!({ "jkt": "x" })),
        ] {
            assert!(read(json!({ "sub": "a", "aud": "api://a", key: value })).is_err(), "{key}");
        }
        assert!(read(json!({ "aud": "api://a" })).is_err());
        assert!(read(json!({ "sub": "a", "aud": "api://a", "token_use": "access" })).is_ok());
    }

    /// A client is not a user, and users of one client are different callers.
    #[test]
    fn who_is_named() {
        let program = json!({ "aud": "api://a", "client_id": "job", "team": 7 });
        let (caller, _) = read(program.clone()).unwrap();
        assert_eq!((caller.subject(), &caller.claims()["team"]), ("client:job", &json!(7)));
        let nobody = Err("the token has no subject".to_owned());
        let asked = read_from(Source::Provider, program.clone()).unwrap().0;
        assert_eq!(asked.subject(), "client:job");
        assert_eq!(read_from(Source::TokenInfo, program).map(|_| ()), nobody);
        let named = json!({ "aud": "api://a", "client_id": "job", "username": "ada" });
        assert_eq!(read_from(Source::Provider, named).map(|_| ()), nobody);
        assert_eq!(read(json!({ "aud": "api://a", "azp": "job" })).map(|_| ()), nobody);
        let user = json!({ "aud": "api://a", "sub": "ada", "client_id": "job" });
        assert_eq!(read_from(Source::Provider, user).unwrap().0.subject(), "ada");
    }

    #[test]
    fn signed_tokens_may_need_a_mark() {
        let rules = Rules { marks: vec!["azp".into(), "appid".into()], ..rules() };
        let read = |source, claims: Value| {
            let Value::Object(claims) = claims else { unreachable!() };
            caller(claims, source, &rules, 1_000).is_ok()
        };
        let token = json!({ "sub": "a", "aud": "api://a", "roles": ["admin"] });
        assert!(!read(Source::Signature, token.clone()));
        assert!(read(Source::Provider, token));
        assert!(read(Source::Signature, json!({ "sub": "a", "aud": "api://a", "appid": "x" })));
    }
}
