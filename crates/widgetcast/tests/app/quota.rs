//! Quotas: one caller cannot take what others need, and what a call took is free when it has ended.

use std::net::SocketAddr;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::FutureExt as _;
use http::{Request, StatusCode};
use http_body_util::Full;
use serde_json::{Value, json};
use tokio::sync::Semaphore;
use widgetcast::Catalog;
use widgetcast::auth::BearerKeys;
use widgetcast::http::RemoteAddr;
use widgetcast::middleware::QuotaLimits;
use widgetcast::{App, Caller, Settings, Tool};

use crate::stdio::Client;
use crate::talk::{Answer, GREETING, MODERN, request, send};

const ADA: &str = "ada-key-that-is-long-enough";
const BOB: &str = "bob-key-that-is-long-enough";

/// An app with a tool that waits for a permit, one that panics, and a widget.
fn app(set: impl FnOnce(&mut QuotaLimits)) -> (App, Arc<Semaphore>) {
    let mut quotas = QuotaLimits::default();
    set(&mut quotas);
    let open = Arc::new(Semaphore::new(0));
    let wait = Arc::clone(&open);
    let app = App::new("tests", "1.0.0")
        .settings(Settings::default().quotas(quotas).debug(true).metrics_token("metrics"))
        .auth(
            BearerKeys::new()
                .key(ADA, Caller::new("ada"))
                .key(BOB, Caller::new("bob").scope("admin")),
        )
        .catalog(Catalog::from_static(&[GREETING]))
        .tool(Tool::new("wait", move || {
            let wait = Arc::clone(&wait);
            async move {
                wait.acquire().await.unwrap().forget();
                "waited"
            }
        }))
        .tool(Tool::new("single", async || std::future::pending::<String>().await).max_calls(1))
        .tool(Tool::new("free", async || std::future::pending::<String>().await).max_calls(0))
        .tool(Tool::new("panic", async || -> String { panic!("on purpose") }))
        .build()
        .unwrap();
    (app, open)
}

fn sent(key: &str, tool: &str) -> Request<Full<Bytes>> {
    let arguments = if tool == "greeting" { json!({ "name": "Ada" }) } else { json!({}) };
    let mut request =
        request(MODERN, "tools/call", json!({ "name": tool, "arguments": arguments }));
    request.headers_mut().insert("authorization", format!("Bearer {key}").parse().unwrap());
    request
}

async fn call(app: &App, key: &str, tool: &str) -> Answer {
    send(&app.service(), sent(key, tool)).await
}

async fn status(app: &App, key: &str, tool: &str) -> StatusCode {
    call(app, key, tool).await.status
}

fn local() -> RemoteAddr {
    RemoteAddr(SocketAddr::from(([127, 0, 0, 1], 1)))
}

async fn running(app: &App) -> Value {
    let mut get = Request::get("http://localhost/debug").body(Full::default()).unwrap();
    get.extensions_mut().insert(local());
    send(&app.service(), get).await.json()["quotas"].clone()
}

#[tokio::test]
async fn a_caller_has_so_many_calls_in_a_minute() {
    let (app, _) = app(|quotas| quotas.calls_per_minute = 3);
    for _ in 0..3 {
        assert_eq!(status(&app, ADA, "greeting").await, StatusCode::OK);
    }
    let refused = call(&app, ADA, "greeting").await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
    let wait: u64 = refused.headers["retry-after"].to_str().unwrap().parse().unwrap();
    assert!((1..=21).contains(&wait), "{wait}");
    let error = &refused.json()["error"];
    assert_eq!(
        (error["code"].clone(), error["data"]["retryAfter"].clone()),
        (429.into(), wait.into())
    );
    let words = error["message"].as_str().unwrap();
    assert!(words.contains("3 per minute") && words.contains("quotas.calls_per_minute"), "{words}");
    assert_eq!(refused.json()["id"], 7);
    assert_eq!(status(&app, BOB, "greeting").await, StatusCode::OK, "another caller");
    // A name that no tool has is answered as ever, and takes nothing.
    assert_eq!(call(&app, ADA, "nothing").await.json()["error"]["code"], -32602);
}

/// A call that is tried in vain, and done again on a worker, is one call.
#[tokio::test]
async fn a_slow_call_counts_once() {
    let slow = r#"{"version":"1.0","name":"Slow","template":"{\"type\":\"Card\",\"children\":[{\"type\":\"Text\",\"value\":\"{% set ns = namespace(n=0) %}{% for i in range(n) %}{% set ns.n = ns.n + i %}{% endfor %}{{ ns.n }}\"}]}","jsonSchema":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}}"#;
    let slow: &'static str = slow;
    let mut quotas = QuotaLimits::default();
    quotas.calls_per_minute = 2;
    let app = App::new("tests", "1.0.0")
        .settings(Settings::default().quotas(quotas))
        .auth(BearerKeys::new().key(ADA, Caller::new("ada")))
        .catalog(Catalog::from_static(&[("slow.widget", slow)]))
        .build()
        .unwrap();
    let mut statuses = Vec::new();
    for _ in 0..3 {
        let sent = json!({ "name": "slow", "arguments": { "n": 20_000 } });
        let mut request = request(MODERN, "tools/call", sent);
        request.headers_mut().insert("authorization", format!("Bearer {ADA}").parse().unwrap());
        let answer = send(&app.service(), request).await;
        statuses.push(answer.status.as_u16());
    }
    assert_eq!(statuses, [200, 200, 429]);
}

#[tokio::test]
async fn one_caller_leaves_room_for_others() {
    let (app, open) = app(|quotas| quotas.max_calls = 2);
    let mut held = Vec::new();
    for _ in 0..2 {
        let app = app.clone();
        held.push(tokio::spawn(async move { status(&app, ADA, "wait").await }));
    }
    while running(&app).await["running"] != 2 {
        tokio::task::yield_now().await;
    }
    let refused = call(&app, ADA, "greeting").await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
    assert!(refused.headers.contains_key("retry-after"));
    assert!(refused.text.contains("quotas.max_calls"), "{}", refused.text);
    assert_eq!(status(&app, BOB, "greeting").await, StatusCode::OK);
    open.add_permits(2);
    for call in held {
        assert_eq!(call.await.unwrap(), StatusCode::OK);
    }
    assert_eq!(status(&app, ADA, "greeting").await, StatusCode::OK, "they have ended");
}

#[tokio::test]
async fn what_a_call_took_is_free_when_it_ends_in_any_way() {
    let (app, open) = app(|quotas| (quotas.max_calls, quotas.max_calls_per_tool) = (1, 1));
    let service = app.service();
    // Cancelled: the caller goes away.
    let mut left = Box::pin(send(&service, sent(ADA, "wait")));
    assert!(left.as_mut().now_or_never().is_none());
    assert_eq!(running(&app).await["running_by_tool"], json!({ "wait": 1 }));
    assert_eq!(status(&app, BOB, "wait").await, StatusCode::TOO_MANY_REQUESTS, "of the tool");
    drop(left);
    assert_eq!(running(&app).await["running"], 0);
    for _ in 0..3 {
        // A panic, an error of arguments, and a good end.
        assert_eq!(call(&app, ADA, "panic").await.json()["result"]["isError"], true);
        let mut bad = sent(ADA, "greeting");
        let body = json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call",
            "params": crate::talk::params(MODERN, json!({ "name": "greeting", "arguments": {} })) });
        *bad.body_mut() = Full::new(body.to_string().into());
        assert_eq!(send(&service, bad).await.json()["result"]["isError"], true);
        open.add_permits(1);
        assert_eq!(status(&app, ADA, "wait").await, StatusCode::OK);
    }
    assert_eq!(running(&app).await["running_by_tool"], json!({}));
}

#[tokio::test]
async fn a_tool_has_its_own_limit() {
    let (app, _) = app(|quotas| quotas.max_calls_per_tool = 2);
    let service = app.service();
    let mut begun = Vec::new();
    for tool in ["single", "free", "free", "free", "wait", "wait"] {
        let mut call = Box::pin(send(&service, sent(ADA, tool)));
        assert!(call.as_mut().now_or_never().is_none(), "{tool} runs");
        begun.push(call);
    }
    for tool in ["single", "wait"] {
        let refused = call(&app, BOB, tool).await;
        assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS, "{tool}");
        assert!(refused.text.contains("max_calls_per_tool"), "{}", refused.text);
    }
    assert_eq!(status(&app, BOB, "greeting").await, StatusCode::OK);
    let metrics = app_metrics(&app).await;
    assert!(
        metrics.contains(r#"{tool="single",surface="mcp-apps",outcome="limited"} 1"#),
        "{metrics}"
    );
}

async fn app_metrics(app: &App) -> String {
    let mut get = Request::get("http://localhost/metrics").body(Full::default()).unwrap();
    get.headers_mut().insert("authorization", "Bearer metrics".parse().unwrap());
    send(&app.service(), get).await.text
}

#[tokio::test]
async fn streams_are_counted_for_the_caller() {
    let mut settings = Settings::default();
    settings.max_streams_per_client = 1;
    let app = App::new("tests", "1.0.0")
        .settings(settings)
        .auth(BearerKeys::new().key(ADA, Caller::new("ada")).key(BOB, Caller::new("bob")))
        .catalog(Catalog::from_static(&[GREETING]))
        .build()
        .unwrap();
    let open = async |key: &str| {
        let mut listen = request(MODERN, "subscriptions/listen", json!({ "notifications": {} }));
        listen.headers_mut().insert("authorization", format!("Bearer {key}").parse().unwrap());
        let Ok(response) = tower::ServiceExt::oneshot(app.service(), listen).await;
        response
    };
    // All come from the same address, or none that is known.
    let first = open(ADA).await;
    assert_eq!(first.status(), StatusCode::OK);
    assert_eq!(open(ADA).await.status(), StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(open(BOB).await.status(), StatusCode::OK);
    drop(first);
    assert_eq!(open(ADA).await.status(), StatusCode::OK);
}

/// Without callers the address counts, unless it tells nothing.
#[tokio::test]
async fn clients_are_told_apart_by_address() {
    let mut quotas = QuotaLimits::default();
    quotas.calls_per_minute = 1;
    let app = App::new("tests", "1.0.0")
        .settings(Settings::default().quotas(quotas))
        .catalog(Catalog::from_static(&[GREETING]))
        .build()
        .unwrap();
    let from = async |address: Option<[u8; 4]>| {
        let mut request = sent("", "greeting");
        if let Some(address) = address {
            request.extensions_mut().insert(RemoteAddr(SocketAddr::from((address, 1))));
        }
        send(&app.service(), request).await.status.as_u16()
    };
    for (address, statuses) in [
        (Some([192, 0, 2, 1]), [200, 429]),
        (Some([192, 0, 2, 2]), [200, 429]),
        (Some([127, 0, 0, 1]), [200, 200]),
        (None, [200, 200]),
    ] {
        assert_eq!([from(address).await, from(address).await], statuses, "{address:?}");
    }
}

#[tokio::test]
async fn debug_is_for_the_operator() {
    let get = |remote: Option<RemoteAddr>, key: Option<&str>| {
        let mut get = Request::get("http://localhost/debug").body(Full::default()).unwrap();
        if let Some(remote) = remote {
            get.extensions_mut().insert(remote);
        }
        if let Some(key) = key {
            let bearer = format!("Bearer {key}").parse().unwrap();
            get.headers_mut().insert("authorization", bearer);
        }
        get
    };
    let far = Some(RemoteAddr(SocketAddr::from(([192, 0, 2, 1], 1))));
    let build = |settings: Settings| {
        App::new("tests", "1.0.0")
            .settings(settings.key("00112233445566778899aabbccddeeff").metrics_token("a token"))
            .auth(
                BearerKeys::new()
                    .key(ADA, Caller::new("ada"))
                    .key(BOB, Caller::new("bob").scope("admin")),
            )
            .catalog(Catalog::from_static(&[GREETING]))
            .build()
            .unwrap()
    };
    let off = build(Settings::default());
    assert_eq!(
        send(&off.service(), get(Some(local()), Some(BOB))).await.status,
        StatusCode::NOT_FOUND
    );
    let on = build(Settings::default().debug(true));
    let scoped = build(Settings::default().debug(true).debug_scope("admin"));
    for (app, remote, key, status) in [
        (&on, Some(local()), None, 200),
        (&on, far, None, 403),
        (&on, None, None, 403),
        (&on, far, Some(BOB), 403),
        (&scoped, far, Some(BOB), 200),
        (&scoped, far, Some(ADA), 403),
        (&scoped, far, Some("wrong"), 403),
        (&scoped, far, None, 403),
    ] {
        let answer = send(&app.service(), get(remote, key)).await;
        assert_eq!(answer.status.as_u16(), status, "{remote:?} {key:?}");
    }
    let mut proxied = get(Some(local()), None);
    proxied.headers_mut().insert("x-forwarded-for", "192.0.2.1".parse().unwrap());
    assert_eq!(send(&on.service(), proxied).await.status, StatusCode::FORBIDDEN);

    assert_eq!(call(&on, ADA, "greeting").await.status, StatusCode::OK);
    let answer = send(&on.service(), get(Some(local()), None)).await;
    let state = answer.json();
    assert_eq!(state["requests"], 1, "this one: {state}");
    assert_eq!((&state["streams"], &state["catalog"]["tools"]), (&json!(0), &json!(1)));
    assert!(state["workers"]["cores"].as_u64() >= Some(1), "{state}");
    for secret in ["001122", ADA, "a token", "ada"] {
        assert!(!answer.text.contains(secret), "{state}");
    }
}

/// A pipe has one caller, and no status: the model reads why.
#[tokio::test]
async fn a_pipe_has_one_caller() {
    let mut quotas = QuotaLimits::default();
    quotas.calls_per_minute = 2;
    let app = App::new("tests", "1.0.0")
        .settings(Settings::default().quotas(quotas))
        .catalog(Catalog::from_static(&[GREETING]))
        .build()
        .unwrap();
    let mut client = Client::of(app);
    let mut failed = Vec::new();
    for _ in 0..3 {
        let sent = json!({ "name": "greeting", "arguments": { "name": "Ada" } });
        let answer = client.ask(MODERN, "tools/call", sent).await;
        failed.push(answer["result"]["isError"] == true);
        if failed.len() == 3 {
            let words = answer["result"]["content"][0]["text"].as_str().unwrap();
            assert!(words.contains("quotas.calls_per_minute"), "{words}");
        }
    }
    assert_eq!(failed, [false, false, true]);
}
