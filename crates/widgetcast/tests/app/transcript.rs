//! The protocol as clients see it: requests of every method and revision, ordinary and malformed, and
//! what is answered to each. `WIDGETCAST_BLESS=1` rewrites `transcript.json`; read its diff.
//!
//! Ids and keys that differ from run to run are replaced by `…`.

use std::collections::BTreeMap;
use std::time::Duration;

use bytes::Bytes;
use futures_util::FutureExt as _;
use http::{Method, Request};
use http_body_util::{BodyExt as _, Full};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tower::ServiceExt as _;
use widgetcast::http::Service;
use widgetcast::{App, Ctx, Data, Prompt, Resource, Tool, ToolError, Vars};

use crate::talk::{GREETING, MODERN, params, request};

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/app/transcript.json");
const REVISIONS: [&str; 3] = [MODERN, "2025-11-25", "2025-03-26"];

fn app() -> App {
    App::new("tests", "1.0.0")
        .title("Tests")
        .instructions("Try everything")
        .catalog(widgetcast::Catalog::from_static(&[GREETING]))
        .tool(
            Tool::new("typed", |who: Value| async move { Data(who) })
                .input_schema(
                    json!({ "type": "object", "properties": { "n": { "type": "integer" } } }),
                )
                .output_schema(json!({ "type": "object" })),
        )
        .tool(Tool::new("fails", || async { Err::<(), _>(ToolError::public("no")) }))
        .tool(
            Tool::new("work", |ctx: Ctx, _: Value| async move {
                ctx.progress((1, 2), "half").await;
                ctx.progress(2, "").await;
                "done"
            })
            .input_schema(json!({ "type": "object" })),
        )
        .tool(Tool::new("regional", |_: Value| async { "ok" }).input_schema(json!({
            "type": "object",
            "properties": {
                "region": { "type": "string", "x-mcp-header": "Region" },
                "size": { "type": "object", "properties": {
                    "count": { "type": "integer", "x-mcp-header": "Count" },
                } },
            },
        })))
        .resource(Resource::fixed("a://fixed", "Fixed", "text").mime("text/plain"))
        .resource(Resource::new("a://{id}/data", "Data", |vars: Vars| async move {
            Ok::<_, ToolError>(vars["id"].clone())
        }))
        .prompt(Prompt::new("p", async || "hi"))
        .build()
        .unwrap()
}

/// Requests of every method, good and bad.
fn requests() -> Vec<(&'static str, Value)> {
    let call = |name: &str, arguments: Value| {
        ("tools/call", json!({ "name": name, "arguments": arguments }))
    };
    vec![
        ("server/discover", json!({})),
        (
            "initialize",
            json!({ "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": { "name": "tests", "version": "1" } }),
        ),
        ("ping", json!({})),
        ("tools/list", json!({})),
        ("tools/list", json!({ "cursor": "Z3JlZXRpbmc" })),
        ("tools/list", json!({ "cursor": "?" })),
        ("tools/list", json!({ "cursor": 7 })),
        ("resources/list", json!({})),
        ("resources/templates/list", json!({})),
        ("resources/read", json!({ "uri": "a://fixed" })),
        ("resources/read", json!({ "uri": "a://7/data" })),
        ("resources/read", json!({ "uri": "a://none" })),
        ("resources/read", json!({ "uri": "widget://greeting/schema" })),
        ("resources/read", json!({ "uri": "ui://widgets/greeting/none" })),
        ("resources/read", json!({})),
        ("resources/read", json!({ "uri": 7 })),
        ("resources/subscribe", json!({ "uri": "a://fixed" })),
        ("resources/unsubscribe", json!({ "uri": "a://fixed" })),
        ("resources/subscribe", json!({})),
        ("prompts/list", json!({})),
        ("prompts/get", json!({ "name": "p" })),
        ("prompts/get", json!({ "name": "q" })),
        ("prompts/get", json!({})),
        ("no/such", json!({})),
        ("logging/setLevel", json!({ "level": "info" })),
        ("tasks/get", json!({ "taskId": "1" })),
        ("sampling/createMessage", json!({})),
        (
            "completion/complete",
            json!({ "ref": { "type": "ref/resource", "uri": "ui://widgets/{name}/{instance_id}" },
                "argument": { "name": "name", "value": "g" } }),
        ),
        ("completion/complete", json!({})),
        ("completion/complete", json!({ "ref": "text" })),
        call("greeting", json!({ "name": "Ada" })),
        call("greeting", json!({ "name": "Zoë \"\\\u{2028}\n<b>" })),
        call("greeting", json!({ "name": 7 })),
        call("greeting", json!({})),
        call("greeting", json!("text")),
        call("greeting", json!(null)),
        call("typed", json!({ "n": 1, "more": [null, 1.5, "x"] })),
        call("typed", json!({ "n": "one" })),
        call("fails", json!({})),
        call("none", json!({})),
        call("work", json!({})),
        call("widgetcast_state", json!({ "view": "short" })),
        ("tools/call", json!({ "name": "fails" })),
        ("tools/call", json!({ "name": 7 })),
        ("tools/call", json!({})),
        ("tools/call", json!({ "name": "work", "_meta": { "progressToken": "t" } })),
        ("tools/call", json!({ "name": "work", "_meta": { "progressToken": 7 } })),
        ("tools/call", json!({ "name": "fails", "_meta": { "progressToken": "t" } })),
        (
            "tools/call",
            json!({ "name": "greeting", "arguments": { "name": "Ada" },
            "_meta": { "progressToken": "t" } }),
        ),
        // A client that shows several kinds of views.
        (
            "tools/call",
            json!({ "name": "greeting", "arguments": { "name": "Ada" }, "_meta": {
            "io.modelcontextprotocol/clientInfo": { "name": "openai-chatkit", "version": "1" },
            "io.modelcontextprotocol/clientCapabilities": { "extensions": {
                "io.slack/block-kit": { "mimeTypes": ["application/vnd.slack.blocks+json"] } } } } }),
        ),
        (
            "tools/list",
            json!({ "_meta": { "io.modelcontextprotocol/clientCapabilities": {
            "extensions": { "io.modelcontextprotocol/ui": {} } } } }),
        ),
    ]
}

/// Replaces what is never the same.
fn stable(mut value: Value) -> Value {
    fn walk(value: &mut Value) {
        match value {
            Value::Object(members) => {
                for (key, value) in members {
                    if key == "state" && value.is_string() {
                        *value = json!("…");
                    }
                    walk(value);
                }
            }
            Value::Array(items) => items.iter_mut().for_each(walk),
            Value::String(text) => {
                for start in
                    ["ui://widgets/greeting/", "slack://blocks/greeting/", "ui://widgetcast/"]
                {
                    if text.starts_with(start) && !text.contains('{') {
                        *text = format!("{start}…");
                    }
                }
            }
            _ => {}
        }
    }
    walk(&mut value);
    value
}

/// Sends a request; of a stream that does not end by itself, what comes first.
async fn send(service: &Service, request: Request<Full<Bytes>>) -> Value {
    let mut is_endless = request.method() == Method::GET;
    let Ok(response) = service.clone().oneshot(request).await;
    let (parts, mut body) = response.into_parts();
    let mut text = String::new();
    loop {
        let frame = match is_endless {
            // What comes first is there at once.
            true => body.frame().now_or_never().flatten(),
            false => body.frame().await,
        };
        let Some(frame) = frame else { break };
        if let Ok(data) = frame.unwrap().into_data() {
            text.push_str(std::str::from_utf8(&data).unwrap());
            is_endless |= text.contains("notifications/subscriptions/acknowledged");
        }
    }
    let kind = parts.headers.get("content-type").map(|kind| kind.to_str().unwrap().to_owned());
    let events: Vec<Value> = text
        .lines()
        .filter_map(|line| line.strip_prefix("data:"))
        .map(|data| serde_json::from_str(data.trim()).unwrap_or(json!(data)))
        .collect();
    let body = match kind.as_deref() {
        Some("text/event-stream") => Value::Array(events),
        Some("application/json") => serde_json::from_str(&text).unwrap(),
        _ => json!(text),
    };
    json!({ "status": parts.status.as_u16(), "type": kind, "body": stable(body) })
}

fn raw(headers: &[(&str, &str)], body: &Value) -> Request<Full<Bytes>> {
    let mut request = Request::post("http://localhost/mcp");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.body(Full::new(body.to_string().into())).unwrap()
}

/// Requests whose headers and message do not fit each other, or that are no requests.
fn odd() -> Vec<(String, Request<Full<Bytes>>)> {
    const JSON: (&str, &str) = ("content-type", "application/json");
    const BOTH: (&str, &str) = ("accept", "application/json, text/event-stream");
    let mut all = Vec::new();
    let mut add = |name: &str, request| all.push((name.to_owned(), request));
    let message = |method: &str, params: Value| json!({ "jsonrpc": "2.0", "id": "x", "method": method, "params": params });
    let call = json!({ "name": "greeting", "arguments": { "name": "Ada" } });
    let spoiled = |method: &str, sent: &Value, name: &str, values: &[&str]| {
        let (mut parts, body) = request(MODERN, method, sent.clone()).into_parts();
        parts.headers.remove(name);
        for value in values {
            parts.headers.append(name.parse::<http::HeaderName>().unwrap(), value.parse().unwrap());
        }
        Request::from_parts(parts, body)
    };
    for (name, values) in [
        ("mcp-method", &[][..]),
        ("mcp-method", &["tools/list"]),
        ("mcp-method", &["tools/call", "tools/call"]),
        ("mcp-name", &[]),
        ("mcp-name", &["other"]),
        ("mcp-name", &["greeting", "greeting"]),
        ("mcp-name", &["=?base64?Z3JlZXRpbmc=?="]),
        ("mcp-name", &["=?base64?!?="]),
        ("mcp-protocol-version", &[]),
        ("mcp-protocol-version", &["2025-11-25"]),
        ("mcp-protocol-version", &["2099-01-01"]),
    ] {
        add(&format!("call with {name} {values:?}"), spoiled("tools/call", &call, name, values));
    }
    add("list with a name", spoiled("tools/list", &json!({}), "mcp-name", &["x"]));
    add(
        "read without a name",
        spoiled("resources/read", &json!({ "uri": "a://fixed" }), "mcp-name", &[]),
    );
    add(
        "subscribe without a name",
        spoiled("resources/subscribe", &json!({ "uri": "a://fixed" }), "mcp-name", &[]),
    );
    for (what, key, value) in [
        ("no version", "protocolVersion", None),
        ("no capabilities", "clientCapabilities", None),
        ("no client", "clientInfo", None),
        ("version 7", "protocolVersion", Some(json!(7))),
        ("version of 2099", "protocolVersion", Some(json!("2099-01-01"))),
        ("version of 2025", "protocolVersion", Some(json!("2025-11-25"))),
        ("capabilities of text", "clientCapabilities", Some(json!("all"))),
        ("client of text", "clientInfo", Some(json!("me"))),
        ("client without a version", "clientInfo", Some(json!({ "name": "me" }))),
        ("null client", "clientInfo", Some(json!(null))),
    ] {
        for (method, sent) in [("tools/call", &call), ("server/discover", &json!({}))] {
            let mut sent = params(MODERN, sent.clone());
            let meta = sent["_meta"].as_object_mut().unwrap();
            let key = format!("io.modelcontextprotocol/{key}");
            meta.remove(&key);
            meta.extend(value.clone().map(|value| (key, value)));
            let mut headers =
                vec![JSON, BOTH, ("mcp-protocol-version", MODERN), ("mcp-method", method)];
            headers.extend((method == "tools/call").then_some(("mcp-name", "greeting")));
            add(&format!("{method}, {what}"), raw(&headers, &message(method, sent)));
        }
    }
    // The version of the header is also that of the message.
    for version in ["2099-01-01", "2025-11-25", "1999-01-01"] {
        let mut sent = params(MODERN, call.clone());
        sent["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!(version);
        let headers = [
            JSON,
            BOTH,
            ("mcp-protocol-version", version),
            ("mcp-method", "tools/call"),
            ("mcp-name", "greeting"),
        ];
        add(&format!("both say {version}"), raw(&headers, &message("tools/call", sent)));
    }
    let version = |version| [JSON, BOTH, ("mcp-protocol-version", version)];
    for known in ["2025-11-25", "2099-01-01"] {
        add(
            &format!("call, header {known}"),
            raw(&version(known), &message("tools/call", call.clone())),
        );
        add(
            &format!("notification, header {known}"),
            raw(
                &version(known),
                &json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
            ),
        );
    }
    add(
        "legacy call that repeats itself in headers",
        raw(
            &[
                JSON,
                BOTH,
                ("mcp-protocol-version", "2025-11-25"),
                ("mcp-method", "tools/list"),
                ("mcp-name", "x"),
            ],
            &message("tools/call", call.clone()),
        ),
    );
    add("call without any header", raw(&[JSON, BOTH], &message("tools/call", call.clone())));
    add("discover without any header", raw(&[JSON, BOTH], &message("server/discover", json!({}))));
    add(
        "listen of before",
        raw(
            &version("2025-11-25"),
            &message("subscriptions/listen", json!({ "notifications": {} })),
        ),
    );
    for (what, sent) in [
        ("listen to nothing", json!({ "notifications": {} })),
        (
            "listen to all",
            json!({ "notifications": { "toolsListChanged": true, "promptsListChanged": true,
            "resourcesListChanged": true, "resourceSubscriptions": ["a://fixed"] } }),
        ),
        (
            "listen to some",
            json!({ "notifications": { "toolsListChanged": false, "resourceSubscriptions": [] } }),
        ),
        ("listen without a filter", json!({})),
        ("listen to text", json!({ "notifications": "all" })),
        ("listen to odd things", json!({ "notifications": { "toolsListChanged": 7 } })),
    ] {
        add(what, request(MODERN, "subscriptions/listen", sent));
    }
    for (what, message) in [
        ("initialized", json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })),
        (
            "cancelled",
            json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 9 } }),
        ),
        ("unknown notification", json!({ "jsonrpc": "2.0", "method": "notifications/none" })),
        ("request without an id", json!({ "jsonrpc": "2.0", "method": "tools/list" })),
        ("answer", json!({ "jsonrpc": "2.0", "id": 1, "result": {} })),
        ("error", json!({ "jsonrpc": "2.0", "id": 1, "error": { "code": 1, "message": "x" } })),
        ("list without params", json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" })),
        (
            "params that are a list",
            json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": [] }),
        ),
        (
            "null params",
            json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": null }),
        ),
        ("extra members", json!({ "jsonrpc": "2.0", "id": 1, "method": "ping", "more": 7 })),
        (
            "large id",
            json!({ "jsonrpc": "2.0", "id": 9_007_199_254_740_993_i64, "method": "ping" }),
        ),
        ("negative id", json!({ "jsonrpc": "2.0", "id": -1, "method": "ping" })),
        (
            "unknown method with odd params",
            json!({ "jsonrpc": "2.0", "id": 1, "method": "no/such", "params": { "name": 7 } }),
        ),
    ] {
        add(what, raw(&[JSON, BOTH], &message));
    }
    let modern_notification = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 9 } });
    add("modern notification without a method header", raw(&version(MODERN), &modern_notification));
    add(
        "modern notification",
        raw(
            &[
                JSON,
                BOTH,
                ("mcp-protocol-version", MODERN),
                ("mcp-method", "notifications/cancelled"),
            ],
            &modern_notification,
        ),
    );
    let hello = |version: &str| {
        message(
            "initialize",
            json!({ "protocolVersion": version, "capabilities": {},
        "clientInfo": { "name": "tests", "version": "1" } }),
        )
    };
    for asked in [MODERN, "2025-11-25", "2025-03-26", "2024-11-05", "1999-01-01"] {
        add(&format!("initialize {asked}"), raw(&[JSON, BOTH], &hello(asked)));
    }
    add("initialize, other header", raw(&version("2025-06-18"), &hello("2025-11-25")));
    add("initialize, same header", raw(&version("2025-06-18"), &hello("2025-06-18")));
    add("initialize, unknown header", raw(&version("2099-01-01"), &hello("2099-01-01")));
    add("initialize, modern header", raw(&version(MODERN), &hello(MODERN)));
    add(
        "initialize, other method header",
        raw(
            &[JSON, BOTH, ("mcp-protocol-version", MODERN), ("mcp-method", "tools/list")],
            &hello(MODERN),
        ),
    );
    add(
        "initialize without params",
        raw(&[JSON, BOTH], &json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize" })),
    );
    add(
        "initialize with little",
        raw(&[JSON, BOTH], &message("initialize", json!({ "protocolVersion": "2025-11-25" }))),
    );
    for (what, values) in [
        ("matching", &[("mcp-param-region", "eu"), ("mcp-param-count", "3")][..]),
        ("encoded", &[("mcp-param-region", "=?base64?ZXU=?="), ("mcp-param-count", "3")]),
        ("missing", &[("mcp-param-region", "eu")]),
        ("other", &[("mcp-param-region", "us"), ("mcp-param-count", "3")]),
        (
            "twice",
            &[("mcp-param-region", "eu"), ("mcp-param-region", "eu"), ("mcp-param-count", "3")],
        ),
        ("not base64", &[("mcp-param-region", "=?base64?!?="), ("mcp-param-count", "3")]),
    ] {
        let sent =
            json!({ "name": "regional", "arguments": { "region": "eu", "size": { "count": 3 } } });
        let (mut parts, body) = request(MODERN, "tools/call", sent).into_parts();
        for (name, value) in values {
            parts.headers.append(*name, value.parse().unwrap());
        }
        add(&format!("header parameters {what}"), Request::from_parts(parts, body));
    }
    let (mut parts, body) =
        request(MODERN, "tools/call", json!({ "name": "regional" })).into_parts();
    parts.headers.append("mcp-param-region", "eu".parse().unwrap());
    add("header parameter without an argument", Request::from_parts(parts, body));
    let plain = message("tools/list", json!({}));
    for (what, headers) in [
        ("accepts any", &[JSON, ("accept", "*/*")][..]),
        ("accepts json", &[JSON, ("accept", "application/json")]),
        ("accepts events", &[JSON, ("accept", "text/event-stream")]),
        ("accepts html", &[JSON, ("accept", "text/html")]),
        ("sends text", &[("content-type", "text/plain"), BOTH]),
        ("sends nothing known", &[BOTH]),
        ("sends json with a charset", &[("content-type", "application/json; charset=utf-8"), BOTH]),
    ] {
        add(what, raw(headers, &plain));
    }
    for (method, path) in [("GET", "/mcp"), ("DELETE", "/mcp"), ("PUT", "/mcp"), ("GET", "/none")] {
        let request = Request::builder().method(method).uri(format!("http://localhost{path}"));
        add(&format!("{method} {path}"), request.body(Full::default()).unwrap());
    }
    all
}

/// Conversations over a pipe, line by line.
fn conversations() -> Vec<(&'static str, Vec<Value>)> {
    let ask = |id: i64, method: &str, sent: Value| json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": sent });
    let modern = |id: i64, method: &str, sent: Value| ask(id, method, params(MODERN, sent));
    let hello = |id: i64, version: &str| {
        ask(
            id,
            "initialize",
            json!({ "protocolVersion": version, "capabilities": {},
        "clientInfo": { "name": "tests", "version": "1" } }),
        )
    };
    let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let call = json!({ "name": "greeting", "arguments": { "name": "Ada" } });
    let mut unknown = params(MODERN, call.clone());
    unknown["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("2099-01-01");
    let mut incomplete = params(MODERN, call.clone());
    incomplete["_meta"]
        .as_object_mut()
        .unwrap()
        .remove("io.modelcontextprotocol/clientCapabilities");
    vec![
        ("ping before the handshake", vec![ask(1, "ping", json!({}))]),
        (
            "call before the handshake",
            vec![ask(1, "tools/call", call.clone()), hello(2, "2025-11-25")],
        ),
        (
            "notification first",
            vec![ready.clone(), hello(2, "2025-11-25"), ask(3, "ping", json!({}))],
        ),
        (
            "legacy",
            vec![
                hello(1, "2025-06-18"),
                ready.clone(),
                ask(2, "tools/call", call.clone()),
                ask(3, "no/such", json!({})),
                ask(4, "server/discover", json!({})),
                ask(5, "subscriptions/listen", json!({ "notifications": {} })),
                ask(6, "tools/call", json!({ "name": "work", "_meta": { "progressToken": "t" } })),
                ask(7, "resources/subscribe", json!({ "uri": "a://fixed" })),
                ask(8, "logging/setLevel", json!({ "level": "info" })),
            ],
        ),
        (
            "modern",
            vec![
                modern(1, "server/discover", json!({})),
                modern(2, "tools/call", call.clone()),
                modern(3, "ping", json!({})),
                modern(4, "no/such", json!({})),
                modern(
                    5,
                    "tools/call",
                    json!({ "name": "work", "_meta": { "progressToken": "t" } }),
                ),
                modern(6, "resources/subscribe", json!({ "uri": "a://fixed" })),
                modern(7, "initialize", json!({})),
            ],
        ),
        (
            "both",
            vec![
                hello(1, "2025-11-25"),
                ready.clone(),
                modern(2, "tools/call", call.clone()),
                ask(3, "tools/call", call.clone()),
            ],
        ),
        ("discover without metadata", vec![ask(1, "server/discover", json!({}))]),
        ("unknown version", vec![ask(1, "tools/call", unknown)]),
        ("incomplete metadata", vec![ask(1, "tools/call", incomplete)]),
        (
            "two handshakes",
            vec![hello(1, "2025-11-25"), ready, hello(2, "2025-06-18"), ask(3, "ping", json!({}))],
        ),
        (
            "handshake with the newest version",
            vec![hello(1, MODERN), ask(2, "tools/list", json!({ "cursor": "?" }))],
        ),
        (
            "listen",
            vec![
                modern(
                    1,
                    "subscriptions/listen",
                    json!({ "notifications": { "toolsListChanged": true } }),
                ),
                json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } }),
                modern(2, "tools/call", call),
            ],
        ),
        (
            "answers nobody asked for",
            vec![json!({ "jsonrpc": "2.0", "id": 1, "result": {} }), hello(2, "2025-11-25")],
        ),
        ("batch", vec![json!([ask(1, "ping", json!({}))]), hello(2, "2025-11-25")]),
    ]
}

/// What comes back over a pipe, sorted: answers may overtake each other.
async fn converse(lines: Vec<Value>) -> Value {
    // On this clock, to sleep is to wait until there is nothing left to do.
    tokio::time::pause();
    let (near, far) = tokio::io::duplex(1 << 20);
    let (read, write) = tokio::io::split(far);
    let server =
        tokio::spawn(async move { app().serve_pipe(read, write, std::future::pending()).await });
    let (read, mut write) = tokio::io::split(near);
    for line in lines {
        write.write_all(format!("{line}\n").as_bytes()).await.unwrap();
        tokio::time::sleep(Duration::from_millis(30)).await;
    }
    write.shutdown().await.unwrap();
    let mut heard = Vec::new();
    let mut lines = BufReader::new(read).lines();
    while let Some(line) = lines.next_line().await.unwrap() {
        heard.push(stable(serde_json::from_str(&line).unwrap()));
    }
    server.await.unwrap().unwrap();
    tokio::time::resume();
    heard.sort_by_key(|message| (message["id"].as_i64(), message.to_string()));
    Value::Array(heard)
}

#[tokio::test]
async fn every_request_is_answered_as_before() {
    let service = app().service();
    let mut heard = BTreeMap::new();
    for revision in REVISIONS {
        for (method, sent) in requests() {
            let answer = send(&service, request(revision, method, sent.clone())).await;
            let name = format!("{revision} {method} {sent}");
            assert!(heard.insert(name.clone(), answer).is_none(), "{name} twice");
        }
    }
    for (name, request) in odd() {
        let answer = send(&service, request).await;
        assert!(heard.insert(format!("odd: {name}"), answer).is_none(), "{name} twice");
    }
    for (name, lines) in conversations() {
        heard.insert(format!("pipe: {name}"), converse(lines).await);
    }
    if std::env::var_os("WIDGETCAST_BLESS").is_some() {
        // One line each, so that a diff names what has changed.
        let lines: Vec<String> = heard
            .iter()
            .map(|(name, answer)| format!("{}: {answer}", serde_json::to_string(name).unwrap()))
            .collect();
        std::fs::write(GOLDEN, format!("{{\n{}\n}}\n", lines.join(",\n"))).unwrap();
        return;
    }
    let expected: BTreeMap<String, Value> =
        serde_json::from_str(&std::fs::read_to_string(GOLDEN).unwrap()).unwrap();
    let mut different = Vec::new();
    for (name, answer) in &heard {
        match expected.get(name) {
            Some(known) if known == answer => {}
            known => different
                .push(format!("{name}\n  was {}\n  is  {answer}", known.unwrap_or(&Value::Null))),
        }
    }
    different.extend(
        expected
            .keys()
            .filter(|name| !heard.contains_key(*name))
            .map(|name| format!("{name} is gone")),
    );
    assert!(
        different.is_empty(),
        "{} of {} differ:\n{}",
        different.len(),
        heard.len(),
        different.join("\n")
    );
}
