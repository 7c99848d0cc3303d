//! Tokens against a provider that counts what it is asked for: how often keys are fetched, what is
//! done while it is down, and what each token proves. `tests/peers/mcp/auth.mjs` does the same with a
//! real one.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::request::Parts;
use ring::signature::{Ed25519KeyPair, KeyPair as _};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use widgetcast::Caller;
use widgetcast::auth::{Authenticate as _, Refusal};
use widgetcast_oauth::{Introspection, OAuth, OAuthConfig};

const AUDIENCE: &str = "https://helpdesk.example.com/mcp";

fn b64(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

fn key(seed: u8) -> Ed25519KeyPair {
    Ed25519KeyPair::from_seed_unchecked(&[seed; 32]).unwrap()
}

fn jwk(seed: u8) -> Value {
    json!({
        "kty": "OKP", "crv": "Ed25519", "alg": "EdDSA", "use": "sig",
        "kid": format!("key-{seed}"), "x": b64(key(seed).public_key()),
    })
}

fn now() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs()
}

/// A provider on a port of its own.
#[derive(Clone)]
struct Provider {
    issuer: String,
    keys: Arc<Mutex<Vec<Value>>>,
    /// What is said about tokens that are not signed.
    tokens: Arc<Mutex<BTreeMap<String, Value>>>,
    is_down: Arc<AtomicBool>,
    /// How often the keys were fetched, and tokens asked about.
    fetched: Arc<AtomicUsize>,
    asked: Arc<AtomicUsize>,
}

impl Provider {
    async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let provider = Self {
            issuer: format!("http://{}", listener.local_addr().unwrap()),
            keys: Arc::new(Mutex::new(vec![jwk(1)])),
            tokens: Arc::default(),
            is_down: Arc::default(),
            fetched: Arc::default(),
            asked: Arc::default(),
        };
        let serving = provider.clone();
        tokio::spawn(async move {
            loop {
                let (mut stream, _) = listener.accept().await.unwrap();
                let provider = serving.clone();
                tokio::spawn(async move {
                    let mut text = Vec::new();
                    let mut buffer = [0; 4096];
                    loop {
                        let read = stream.read(&mut buffer).await.unwrap_or(0);
                        text.extend_from_slice(&buffer[..read]);
                        let request = String::from_utf8_lossy(&text);
                        let is_whole = request.split_once("\r\n\r\n").is_some_and(|(_, body)| {
                            request.starts_with("GET") || body.contains("token=")
                        });
                        if is_whole || read == 0 {
                            break;
                        }
                    }
                    let answer = provider.answer(&String::from_utf8_lossy(&text));
                    if String::from_utf8_lossy(&text).contains("token=slow") {
                        std::future::pending::<()>().await;
                    }
                    let (status, body) = match answer {
                        Some(body) => ("200 OK", body.to_string()),
                        None => ("503 Service Unavailable", String::new()),
                    };
                    let head = format!(
                        "HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
                        body.len()
                    );
                    _ = stream.write_all((head + &body).as_bytes()).await;
                });
            }
        });
        provider
    }

    fn answer(&self, request: &str) -> Option<Value> {
        if self.is_down.load(Ordering::Relaxed) {
            return None;
        }
        let issuer = &self.issuer;
        match request.split(' ').nth(1)? {
            "/.well-known/openid-configuration" => Some(json!({
                "issuer": issuer, "jwks_uri": format!("{issuer}/keys"),
                "introspection_endpoint": format!("{issuer}/introspect"),
            })),
            "/keys" => {
                self.fetched.fetch_add(1, Ordering::Relaxed);
                Some(json!({ "keys": *self.keys.lock().unwrap() }))
            }
            "/introspect" => {
                self.asked.fetch_add(1, Ordering::Relaxed);
                // "a server" and "its secret"
                assert!(request.contains("Basic YStzZXJ2ZXI6aXRzK3NlY3JldA=="), "{request}");
                let token = request.rsplit("token=").next()?.split('&').next()?;
                let token = token.split_whitespace().next()?;
                let known = self.tokens.lock().unwrap().get(token).cloned();
                Some(known.unwrap_or_else(|| json!({ "active": false })))
            }
            _ => None,
        }
    }

    fn fetched(&self) -> usize {
        self.fetched.load(Ordering::Relaxed)
    }

    fn oauth(&self) -> OAuth {
        OAuth::discover(&self.issuer).audience(AUDIENCE)
    }

    fn claims(&self) -> Value {
        json!({
            "iss": self.issuer, "aud": AUDIENCE, "sub": "ada", "exp": now() + 600,
            "scope": "tickets:read tickets:write", "team": "north",
        })
    }

    fn token(&self, seed: u8, change: impl FnOnce(&mut Value, &mut Value)) -> String {
        let mut header = json!({ "alg": "EdDSA", "typ": "at+jwt", "kid": format!("key-{seed}") });
        let mut claims = self.claims();
        change(&mut header, &mut claims);
        let message = format!("{}.{}", b64(header.to_string()), b64(claims.to_string()));
        let signature = key(seed).sign(message.as_bytes());
        format!("{message}.{}", b64(signature.as_ref()))
    }

    fn good(&self, seed: u8) -> String {
        self.token(seed, |_, _| ())
    }
}

fn request(token: &str) -> Parts {
    let request = http::Request::post("/mcp").header("authorization", format!("Bearer {token}"));
    request.body(()).unwrap().into_parts().0
}

async fn ask(oauth: &OAuth, token: &str) -> Result<Caller, Refusal> {
    oauth.authenticate(&request(token)).await.map(Option::unwrap)
}

async fn words(oauth: &OAuth, token: &str) -> String {
    ask(oauth, token).await.map_or_else(|refusal| refusal.to_string(), |_| "good".into())
}

#[tokio::test]
async fn a_good_token_proves_its_caller() {
    let provider = Provider::start().await;
    let oauth = provider.oauth();
    let ada = ask(&oauth, &provider.good(1)).await.unwrap();
    assert_eq!((ada.subject(), ada.auth_method()), ("ada", "access token"));
    assert_eq!(ada.granted().collect::<Vec<_>>(), ["tickets:read", "tickets:write"]);
    assert_eq!(ada.claims()["team"], "north");
    assert_eq!(ada.claims()["iss"], provider.issuer);
    let nobody = http::Request::post("/mcp").body(()).unwrap().into_parts().0;
    assert_eq!(oauth.authenticate(&nobody).await, Ok(None));
}

#[tokio::test]
async fn every_other_token_is_refused() {
    let provider = Provider::start().await;
    let oauth = provider.oauth().algorithms(["EdDSA", "RS256"]);
    let with = |change: fn(&mut Value, &mut Value)| provider.token(1, change);
    for (token, wanted) in [
        (with(|_, claims| claims["exp"] = json!(now() - 31)), "the token has expired"),
        (with(|_, claims| claims["exp"] = json!(now() - 5)), "good"),
        (
            with(|_, claims| _ = claims.as_object_mut().unwrap().remove("exp")),
            "the token lacks a required claim",
        ),
        (with(|_, claims| claims["exp"] = json!("tomorrow")), "the token lacks a required claim"),
        (with(|_, claims| claims["nbf"] = json!(now() + 60)), "the token is not valid yet"),
        (with(|_, claims| claims["nbf"] = json!("now")), "the token lacks a required claim"),
        (with(|_, claims| claims["nbf"] = json!(now() + 5)), "good"),
        (
            with(|_, claims| claims["iss"] = json!("https://b.example")),
            "the token is from another issuer",
        ),
        (
            with(|_, claims| _ = claims.as_object_mut().unwrap().remove("iss")),
            "the token lacks a required claim",
        ),
        (
            with(|_, claims| claims["aud"] = json!("https://b.example")),
            "the token is for another audience",
        ),
        (
            with(|_, claims| claims["cnf"] = json!({})),
            "sender-constrained tokens are not supported",
        ),
        (with(|header, _| header["typ"] = json!("logout+jwt")), "this is not an access token"),
        (with(|header, _| header["crit"] = json!(["b64"])), "this is not an access token"),
        (with(|header, _| header["typ"] = json!("JWT")), "good"),
        (with(|header, _| header["alg"] = json!("none")), "unsupported token format"),
        (with(|header, _| header["alg"] = json!("HS256")), "the token's algorithm is not allowed"),
        (with(|header, _| header["alg"] = json!("ES256")), "the token's algorithm is not allowed"),
        (with(|header, _| header["alg"] = json!("RS256")), "the token's key is unknown"),
        (with(|header, _| header["kid"] = json!("key-9")), "the token's key is unknown"),
        (with(|header, _| _ = header.as_object_mut().unwrap().remove("kid")), "good"),
        (
            provider.token(2, |header, _| header["kid"] = json!("key-1")),
            "the token's signature is invalid",
        ),
        ("ey.ey.".into(), "unsupported token format"),
        ("opaque".into(), "unsupported token format"),
        ("a b".into(), "this is not a token"),
        ("a".repeat(20_000), "this is not a token"),
    ] {
        assert_eq!(words(&oauth, &token).await, wanted, "{token:.200}");
    }
    let mut parts: Vec<String> = provider.good(1).split('.').map(str::to_owned).collect();
    let mut claims = provider.claims();
    claims["sub"] = json!("eve");
    parts[1] = b64(claims.to_string());
    assert_eq!(words(&oauth, &parts.join(".")).await, "the token's signature is invalid");
}

/// A client that goes away while the keys are fetched does not take them along.
#[tokio::test]
async fn who_leaves_does_not_end_the_fetching() {
    let provider = Provider::start().await;
    let oauth = provider.oauth().keys_pause(Duration::from_secs(600));
    let token = provider.good(1);
    let gone = request(&token);
    let polled = tokio::time::timeout(Duration::ZERO, oauth.authenticate(&gone)).await;
    assert!(polled.is_err(), "the keys are not there yet");
    assert_eq!(words(&oauth, &token).await, "good");
    assert_eq!(provider.fetched(), 1);
}

/// What one has taken is nothing to another with other rules.
#[tokio::test]
async fn a_copy_has_rules_of_its_own() {
    let provider = Provider::start().await;
    let (one, token) = (provider.oauth(), provider.good(1));
    assert_eq!(words(&one, &token).await, "good");
    let strict = one.clone().scopes(["admin"]);
    assert!(ask(&strict, &token).await.is_err());
    assert_eq!(words(&one.clone(), &token).await, "good");
    assert_eq!(provider.fetched(), 1, "the keys are the same");
}

/// What such a provider signs is no access token.
#[tokio::test]
async fn a_provider_may_sign_no_access_tokens() {
    let provider = Provider::start().await;
    let oauth = provider.oauth().only_introspection();
    assert_eq!(words(&oauth, &provider.good(1)).await, "this is not an access token");
    let marked = provider.oauth().marks(["azp"]);
    assert_eq!(words(&marked, &provider.good(1)).await, "this is not an access token");
    let token = provider.token(1, |_, claims| claims["azp"] = json!("app"));
    assert_eq!(words(&marked, &token).await, "good");
}

#[tokio::test]
async fn scopes_may_be_asked_of_everyone() {
    let provider = Provider::start().await;
    let needy = provider.oauth().scopes(["tickets:read", "helpdesk"]);
    let refusal = ask(&needy, &provider.good(1)).await.unwrap_err();
    assert_eq!(refusal, Refusal::forbidden(["tickets:read", "helpdesk"]));
    let content = provider.oauth().scopes(["tickets:read"]);
    assert!(ask(&content, &provider.good(1)).await.is_ok());
}

/// However many tokens name keys that no one has, the provider is asked once in a while.
#[tokio::test]
async fn unknown_keys_do_not_flood_the_provider() {
    let provider = Provider::start().await;
    let oauth = provider.oauth();
    for n in 0..200 {
        let token = provider.token(1, |header, _| header["kid"] = json!(format!("no-{n}")));
        assert_eq!(words(&oauth, &token).await, "the token's key is unknown");
        assert_eq!(words(&oauth, &provider.good(1)).await, "good");
    }
    assert_eq!(provider.fetched(), 1);
    let eager = provider.oauth().keys_pause(Duration::ZERO);
    for n in 0..3 {
        let token = provider.token(1, |header, _| header["kid"] = json!(format!("no-{n}")));
        assert_eq!(words(&eager, &token).await, "the token's key is unknown");
    }
    assert_eq!(provider.fetched(), 1 + 1 + 3);
}

/// Requests that come together fetch the keys together.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn keys_are_fetched_once_for_all_who_wait() {
    let provider = Provider::start().await;
    let oauth = provider.oauth().keys_pause(Duration::ZERO);
    let token = provider.good(1);
    let all = (0..50).map(|_| {
        let (oauth, token) = (oauth.clone(), token.clone());
        tokio::spawn(async move { words(&oauth, &token).await })
    });
    for one in all.collect::<Vec<_>>() {
        assert_eq!(one.await.unwrap(), "good");
    }
    assert_eq!(provider.fetched(), 1);
}

#[tokio::test]
async fn keys_rotate_and_are_taken_back() {
    let provider = Provider::start().await;
    let oauth = provider.oauth().keys_pause(Duration::ZERO);
    let old = provider.good(1);
    assert_eq!(words(&oauth, &old).await, "good");
    // A new key is there next to the old one: both are good.
    provider.keys.lock().unwrap().push(jwk(2));
    assert_eq!(words(&oauth, &provider.good(2)).await, "good");
    assert_eq!(words(&oauth, &old).await, "good");
    // The old one is taken back: what it has signed is forgotten as soon as the keys are fetched.
    provider.keys.lock().unwrap().remove(0);
    provider.keys.lock().unwrap().push(jwk(3));
    assert_eq!(words(&oauth, &provider.good(3)).await, "good");
    assert_eq!(words(&oauth, &old).await, "the token's key is unknown");
    assert_eq!(words(&oauth, &provider.good(2)).await, "good");
}

#[tokio::test]
async fn old_keys_do_while_the_provider_is_down() {
    let provider = Provider::start().await;
    let (zero, never) = (Duration::ZERO, OAuth::discover("http://127.0.0.1:1").audience(AUDIENCE));
    let oauth = provider.oauth().keys_max_age(zero).keys_pause(zero);
    assert_eq!(words(&oauth, &provider.good(1)).await, "good");
    provider.is_down.store(true, Ordering::Relaxed);
    assert_eq!(words(&oauth, &provider.good(1)).await, "good");
    let other = provider.token(1, |_, claims| claims["sub"] = json!("bob"));
    assert_eq!(words(&oauth, &other).await, "good");
    // Without any keys it is no one's fault but the provider's.
    let refusal = ask(&never, &provider.good(1)).await.unwrap_err();
    assert!(refusal.is_unavailable(), "{refusal}");
    assert!(never.check().await.is_err() && provider.oauth().check().await.is_err());
}

#[tokio::test]
async fn tokens_that_are_not_signed_are_asked_about() {
    let provider = Provider::start().await;
    let oauth = provider.oauth().introspection(Introspection::new("a server", "its secret"));
    let mut said = provider.claims();
    said["active"] = json!(true);
    let tell =
        |token: &str, said: Value| provider.tokens.lock().unwrap().insert(token.into(), said);
    tell("opaque-1", said.clone());
    for _ in 0..5 {
        let ada = ask(&oauth, "opaque-1").await.unwrap();
        assert_eq!((ada.subject(), ada.has_scope("tickets:read")), ("ada", true));
        assert_eq!(words(&oauth, "opaque-2").await, "the token is not active");
    }
    // Both answers were remembered.
    assert_eq!(provider.asked.load(Ordering::Relaxed), 2);
    for (token, key, value) in [
        ("a", "aud", json!("https://b.example")),
        ("b", "iss", json!("https://b.example")),
        ("c", "exp", json!(now() - 60)),
        ("d", "active", json!("yes")),
    ] {
        let mut wrong = said.clone();
        wrong[key] = value;
        tell(token, wrong);
        assert!(ask(&oauth, token).await.is_err(), "{key}");
    }
    let hasty = provider
        .oauth()
        .introspection(Introspection::new("a server", "its secret").ttl(Duration::ZERO));
    assert!(ask(&hasty, "opaque-1").await.is_ok());
    tell("opaque-1", json!({ "active": false }));
    assert!(ask(&hasty, "opaque-1").await.is_err());
    provider.is_down.store(true, Ordering::Relaxed);
    let refusal = ask(&oauth, "opaque-3").await.unwrap_err();
    assert!(refusal.is_unavailable(), "{refusal}");
}

/// Tokens that someone invents, and about which the provider takes long, keep out no one whose token was
/// good before.
#[tokio::test]
async fn invented_tokens_do_not_fill_all_places() {
    let provider = Provider::start().await;
    let introspection = Introspection::new("a server", "its secret").ttl(Duration::ZERO);
    let oauth = Arc::new(provider.oauth().introspection(introspection));
    let mut said = provider.claims();
    said["active"] = json!(true);
    provider.tokens.lock().unwrap().insert("opaque".into(), said);
    assert!(ask(&oauth, "opaque").await.is_ok());
    let before = provider.asked.load(Ordering::Relaxed);
    let invented: Vec<_> = (0..64)
        .map(|n| {
            let oauth = Arc::clone(&oauth);
            tokio::spawn(async move { ask(&oauth, &format!("slow-{n}")).await.map(drop) })
        })
        .collect();
    while provider.asked.load(Ordering::Relaxed) == before {
        tokio::task::yield_now().await;
    }
    assert!(ask(&oauth, "opaque").await.is_ok());
    assert!(invented.iter().all(|invented| !invented.is_finished()));
    invented.iter().for_each(tokio::task::JoinHandle::abort);
}

#[test]
fn mistakes_are_found_before_it_is_served() {
    let none = Vec::<String>::new();
    assert_eq!(OAuth::discover("https://a.example").audience(AUDIENCE).config_errors(), none);
    let wrong = OAuth::discover("http://a.example")
        .algorithms(["HS256", "none"])
        .introspection(Introspection::new("a", "b").endpoint("http://a.example/introspect"));
    let mistakes = wrong.config_errors();
    for words in [
        "unknown algorithm \"HS256\"; known: RS256",
        "unknown algorithm \"none\"; known: RS256",
        "issuer \"http://a.example\" must look like",
        "OAuth requires an audience",
        "OAuth requires the URL of the app",
        "the introspection endpoint \"http://a.example/introspect\" must be https",
    ] {
        assert!(mistakes.iter().any(|mistake| mistake.starts_with(words)), "{words}: {mistakes:?}");
    }
    assert_eq!(mistakes.len(), 6);
}

#[test]
fn metadata_names_the_provider() {
    let oauth = OAuth::discover("https://a.example/").audience("api://x").resource(AUDIENCE);
    let wanted = json!({
        "resource": AUDIENCE,
        "authorization_servers": ["https://a.example/"],
        "bearer_methods_supported": ["header"],
    });
    assert_eq!(oauth.resource_metadata(), Some(wanted));
    let scoped = oauth.scopes(["tickets"]);
    assert_eq!(scoped.resource_metadata().unwrap()["scopes_supported"], json!(["tickets"]));
}

#[test]
fn files_and_presets() {
    let read = |text: Value| serde_json::from_value::<OAuthConfig>(text);
    let issuer = |config: Value| {
        let oauth = read(config).unwrap().build().unwrap();
        assert_eq!(oauth.config_errors(), Vec::<String>::new());
        oauth.resource_metadata().unwrap()["authorization_servers"][0].as_str().unwrap().to_owned()
    };
    for (preset, wanted) in [
        (json!({ "auth0": "a.eu.auth0.com" }), "https://a.eu.auth0.com/"),
        (json!({ "okta": "a.okta.com" }), "https://a.okta.com/oauth2/default"),
        (json!({ "entra": "T" }), "https://login.microsoftonline.com/T/v2.0"),
        (
            json!({ "keycloak": "https://sso.example.com/realms/staff" }),
            "https://sso.example.com/realms/staff",
        ),
        (json!({ "google": "C" }), "https://accounts.google.com"),
        (json!({ "workos": "a.authkit.app" }), "https://a.authkit.app"),
        (
            json!({ "cognito": { "pool": "eu-central-1_Ab", "client": "C" } }),
            "https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_Ab",
        ),
    ] {
        let config = json!({ "preset": preset, "audience": "api://x", "resource": AUDIENCE });
        assert_eq!(issuer(config), wanted);
    }
    let whole = json!({
        "issuer": "https://a.example", "audience": [AUDIENCE, "api://x"], "scopes": "tickets",
        "client": "C", "scope_claims": ["scp"], "algorithms": ["ES256"], "leeway": 5,
        "keys_max_age": 60, "keys_pause": 1,
        "introspection": { "client_id": "a", "client_secret": "hush", "ttl": 5 },
    });
    let shown = format!("{:?}", read(whole.clone()).unwrap());
    assert!(!shown.contains("hush"), "{shown}");
    assert_eq!(issuer(whole), "https://a.example");
    assert!(read(json!({ "isuer": "x" })).is_err());
    assert!(read(json!({})).unwrap().build().is_err());
    assert!(OAuthConfig::default().build().is_err());
}
