//! Targets that ask a server: one app with a widget, a list and a typed tool, called without a socket.

use std::cell::RefCell;
use std::future::Future;
use std::time::Duration;

use arbitrary::{Result, Unstructured};
use bytes::Bytes;
use http::{HeaderMap, Request, StatusCode};
use http_body_util::{BodyExt as _, Full};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::runtime::Runtime;
use tower::ServiceExt as _;
use widgetcast::{App, Tool};
use widgetcast_core::Catalog;

use crate::generate;

pub(crate) const GREETING: (&str, &str) = (
    "greeting.widget",
    r#"{"version":"1.0","name":"Greeting","template":"{\"type\":\"Card\",\"children\":[{\"type\":\"Title\",\"value\":{{ (\"Hello \" ~ name) | tojson }}}]}","jsonSchema":{"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer"}},"required":["name"],"additionalProperties":false}}"#,
);
const LIST: (&str, &str) = (
    "list.widget",
    r#"{"version":"1.0","name":"list","template":"{\"type\":\"ListView\",\"children\":[{%- set _c -%}{%-for x in items -%},{\"type\":\"ListViewItem\",\"children\":[{\"type\":\"Text\",\"value\":{{ (x) | tojson }}}]}{%-endfor-%}{%- endset -%}{{- (_c[1:] if _c and _c[0] == ',' else _c) -}}]}","jsonSchema":{"type":"object","properties":{"items":{"type":"array"}},"required":["items"]}}"#,
);
/// Longer than any answer takes, even on a machine that is busy.
const PATIENCE: Duration = Duration::from_secs(20);
/// The largest answer: what the default settings allow, and what is around it.
const LARGEST: usize = 17 << 20;

struct Setup {
    app: App,
    runtime: Runtime,
}

thread_local! {
    static SETUP: RefCell<Option<Setup>> = const { RefCell::new(None) };
}

/// Runs with the app; a panic of the target leaves a new one for the next input.
fn with_app<F: Future>(ask: impl FnOnce(App) -> F) -> F::Output {
    let setup = SETUP.take().unwrap_or_else(|| Setup {
        app: App::new("fuzz", "1.0.0")
            .catalog(Catalog::from_static(&[GREETING, LIST]))
            .tool(Tool::new("typed", || async { "typed" }))
            .build()
            .expect("an app"),
        runtime: tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime"),
    });
    let work = ask(setup.app.clone());
    let answer = setup.runtime.block_on(async { tokio::time::timeout(PATIENCE, work).await });
    SETUP.set(Some(setup));
    answer.expect("an answer in time")
}

struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    text: String,
}

impl Answer {
    fn is(&self, mime: &str) -> bool {
        self.headers
            .get("content-type")
            .is_some_and(|value| value.as_bytes().starts_with(mime.as_bytes()))
    }
}

async fn ask(app: App, request: Request<Full<Bytes>>) -> Answer {
    let Ok(response) = app.service().oneshot(request).await;
    let (parts, mut body) = response.into_parts();
    let mut answer = Answer { status: parts.status, headers: parts.headers, text: String::new() };
    // A stream of changes has no end, so the first frame has to do.
    let is_stream = answer.is("text/event-stream");
    let mut bytes = Vec::new();
    while !is_stream && let Some(frame) = body.frame().await {
        bytes.extend(frame.expect("a frame").into_data().unwrap_or_default());
        assert!(bytes.len() <= LARGEST, "an answer without end");
    }
    answer.text = String::from_utf8(bytes).expect("text");
    answer
}

/// A request that may be wrong in any part.
pub(crate) fn any_request(u: &mut Unstructured<'_>) -> Result<Request<Full<Bytes>>> {
    const METHODS: &[&str] =
        &["POST", "POST", "POST", "GET", "DELETE", "OPTIONS", "HEAD", "PUT", "X"];
    const PATHS: &[&str] = &[
        "/mcp",
        "/mcp",
        "/mcp?surface=adaptive-card",
        "/mcp?surface=%00,slack-blocks",
        "/",
        "/healthz",
        "/readyz",
        "/metrics",
        "/gallery/index.json",
        "/gallery/tool/greeting",
        "/gallery/draw",
        "/x",
        "/gallery/tool/%2e%2e",
        "//",
        "/mcp/",
        "*",
    ];
    const HEADERS: &[&str] = &[
        "host",
        "origin",
        "content-type",
        "accept",
        "mcp-protocol-version",
        "mcp-method",
        "mcp-name",
        "mcp-session-id",
        "last-event-id",
        "content-length",
        "x-forwarded-for",
        "connection",
        "expect",
        "access-control-request-method",
        "transfer-encoding",
    ];
    const VALUES: &[&str] = &[
        "localhost",
        "127.0.0.1",
        "evil.example",
        "http://localhost",
        "null",
        "application/json",
        "text/event-stream",
        "application/json, text/event-stream",
        "*/*",
        "2026-07-28",
        "2025-11-25",
        "tools/call",
        "tools/list",
        "greeting",
        "0",
        "-1",
        "99999999999999999999",
        "",
        "text/plain",
        "=?base64?Z3JlZXRpbmc=?=",
    ];
    let mut request = Request::builder().method(*u.choose(METHODS)?).uri(*u.choose(PATHS)?);
    if u.ratio(7u8, 8u8)? {
        request = request
            .header("host", "localhost")
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream");
    }
    for _ in 0..u.int_in_range(0..=5)? {
        let value = if u.ratio(1u8, 6u8)? {
            generate::text(u)?.into_bytes()
        } else {
            u.choose(VALUES)?.as_bytes().to_vec()
        };
        if let Ok(value) = http::HeaderValue::from_bytes(&value) {
            request = request.header(*u.choose(HEADERS)?, value);
        }
    }
    let body = match u.int_in_range(0..=3)? {
        0 => generate::message(u)?.to_string().into_bytes(),
        1 => json!([generate::message(u)?, generate::message(u)?]).to_string().into_bytes(),
        2 => json!({"tool": "greeting", "arguments": generate::data(u)?}).to_string().into_bytes(),
        _ => u.bytes(u.len())?.to_vec(),
    };
    request.body(Full::new(body.into())).map_err(|_| arbitrary::Error::IncorrectFormat)
}

/// Whatever is asked, the answer is well-formed and not a failure of the server.
pub(crate) fn check_request(request: Request<Full<Bytes>>) {
    let about = format!("{request:?}");
    let answer = with_app(|app| ask(app, request));
    assert!(answer.status.as_u16() < 500, "{} {}\n{about}", answer.status, answer.text);
    if answer.is("application/json") {
        let parsed = serde_json::from_str::<Value>(&answer.text);
        assert!(parsed.is_ok() || answer.text.is_empty(), "{}\n{about}", answer.text);
    }
}

/// The answer to a message of any bytes.
pub(crate) fn check_message(body: &[u8]) {
    let request = Request::post("http://localhost/mcp")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .body(Full::new(Bytes::copy_from_slice(body)))
        .expect("a request");
    let answer = with_app(|app| ask(app, request));
    assert!(answer.status.as_u16() < 500, "{} {}", answer.status, answer.text);
    let Ok(parsed) = serde_json::from_str::<Value>(&answer.text) else {
        let is_empty = answer.text.is_empty() || answer.is("text/event-stream");
        assert!(is_empty || !answer.is("application/json"), "{}", answer.text);
        return;
    };
    let sent = serde_json::from_slice::<Value>(body).unwrap_or_default();
    let id = &sent["id"];
    if sent.is_object() && parsed.get("result").is_some() {
        assert_eq!(&parsed["id"], id, "{}", answer.text);
    }
}

/// The answers of both transports to one message.
pub(crate) fn compare_lanes(message: &Value) {
    let Some(request) = well_formed(message) else { return };
    let text = message.to_string();
    let (over_http, over_pipe) = with_app(async |app: App| {
        let answer = ask(app.clone(), request).await;
        (answer.text, pipe(app, &text).await)
    });
    let read = |text: &str| comparable(serde_json::from_str(text).unwrap_or_default());
    let (one, other) = (read(&over_http), read(&over_pipe));
    assert!(one == other, "these differ:\n{over_http}\n{over_pipe}\nfor {text}");
}

/// The answer to a message over HTTP.
#[cfg(test)]
pub(crate) fn answer_of(message: &Value) -> Option<Value> {
    let request = well_formed(message)?;
    serde_json::from_str(&with_app(|app| ask(app, request)).text).ok()
}

/// A message with the headers that belong to it; none if its name is not valid in a header.
fn well_formed(message: &Value) -> Option<Request<Full<Bytes>>> {
    let method = message["method"].as_str()?;
    let mut request = Request::post("http://localhost/mcp")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", method);
    if matches!(method, "tools/call" | "prompts/get" | "resources/read") {
        let key = if method == "resources/read" { "uri" } else { "name" };
        let name = message["params"][key].as_str()?;
        let is_plain = !name.is_empty() && name.bytes().all(|byte| (0x21..0x7f).contains(&byte));
        if !is_plain || name.starts_with("=?") {
            return None;
        }
        request = request.header("mcp-name", name);
    }
    request.body(Full::new(message.to_string().into())).ok()
}

/// What a pipe answers to one line.
async fn pipe(app: App, line: &str) -> String {
    let (near, far) = tokio::io::duplex(1 << 20);
    let (read, write) = tokio::io::split(far);
    let (mut answers, mut sender) = tokio::io::split(near);
    let serve = app.serve_pipe(read, write, std::future::pending());
    let talk = async {
        sender.write_all(line.as_bytes()).await.expect("a pipe");
        sender.write_all(b"\n").await.expect("a pipe");
        sender.shutdown().await.expect("a pipe");
        let mut text = String::new();
        answers.read_to_string(&mut text).await.expect("text");
        text
    };
    let (served, text) = tokio::join!(serve, talk);
    served.expect("a clean end");
    text
}

/// An answer without what is new in each: the key of the view's state.
fn comparable(mut answer: Value) -> Value {
    if let Some(view) = answer.pointer_mut("/result/_meta/widgetcast~1view")
        && let Some(view) = view.as_object_mut()
    {
        view.remove("state");
    }
    answer
}
