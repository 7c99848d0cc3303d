//! How the tests talk to an app: requests as each era writes them.

use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderMap, Request, StatusCode};
use http_body_util::{BodyExt as _, Full};
use serde_json::{Value, json};
use tokio::sync::Semaphore;
use tower::ServiceExt as _;
use widgetcast::{App, Service, Tool};

use crate::schema;

pub(crate) const MODERN: &str = "2026-07-28";
pub(crate) const ERAS: [&str; 3] = [MODERN, "2025-11-25", "2025-06-18"];

/// One answer over HTTP.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Answer {
    /// The message, also where it came as an event.
    pub(crate) fn json(&self) -> Value {
        let last = self.text.lines().rev().find_map(|line| line.strip_prefix("data: "));
        serde_json::from_str(last.unwrap_or(&self.text))
            .unwrap_or_else(|error| panic!("not JSON ({error}): {} {:?}", self.status, self.text))
    }

    /// All messages of a stream.
    pub(crate) fn events(&self) -> Vec<Value> {
        let lines = self.text.lines().filter_map(|line| line.strip_prefix("data: "));
        lines.filter_map(|line| serde_json::from_str(line).ok()).collect()
    }
}

/// A tool `wait` whose calls end when the test lets them.
#[derive(Clone)]
pub(crate) struct Held {
    begun: Arc<Semaphore>,
    ended: Arc<Semaphore>,
}

impl Held {
    pub(crate) fn new() -> Self {
        let none = || Arc::new(Semaphore::new(0));
        Self { begun: none(), ended: none() }
    }

    pub(crate) fn tool(&self) -> Tool {
        let held = self.clone();
        Tool::new("wait", move || {
            let Self { begun, ended } = held.clone();
            async move {
                begun.add_permits(1);
                ended.acquire().await.unwrap().forget();
            }
        })
    }

    /// Ends when a call has begun.
    pub(crate) async fn begun(&self) {
        self.begun.acquire().await.unwrap().forget();
    }

    /// Lets so many calls end, of those that run or will.
    pub(crate) fn end(&self, calls: usize) {
        self.ended.add_permits(calls);
    }
}

/// The parameters of a request as an era has them.
pub(crate) fn params(version: &str, mut params: Value) -> Value {
    if version == MODERN {
        let meta = &mut params["_meta"];
        meta["io.modelcontextprotocol/protocolVersion"] = json!(MODERN);
        if meta.get("io.modelcontextprotocol/clientCapabilities").is_none() {
            meta["io.modelcontextprotocol/clientCapabilities"] = json!({});
        }
        if meta.get("io.modelcontextprotocol/clientInfo").is_none() {
            meta["io.modelcontextprotocol/clientInfo"] =
                json!({ "name": "tests", "version": "1.0.0" });
        }
    }
    params
}

/// A request as a well-behaved client writes it.
pub(crate) fn request(version: &str, method: &str, sent: Value) -> Request<Full<Bytes>> {
    let sent = params(version, sent);
    let mut request = Request::post("http://localhost/mcp")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", version);
    if version == MODERN {
        request = request.header("mcp-method", method);
        let name = sent.get("name").or_else(|| sent.get("uri")).and_then(Value::as_str);
        if let Some(name) = name
            && matches!(method, "tools/call" | "prompts/get" | "resources/read")
        {
            request = request.header("mcp-name", name);
        }
    }
    let body = json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": sent });
    request.body(Full::new(body.to_string().into())).expect("a request")
}

/// Sends a request and reads the whole answer.
pub(crate) async fn send(service: &Service, request: Request<Full<Bytes>>) -> Answer {
    let Ok(response) = service.clone().oneshot(request).await;
    let (parts, body) = response.into_parts();
    let bytes = body.collect().await.expect("a body").to_bytes();
    let text = String::from_utf8(bytes.to_vec()).expect("text");
    Answer { status: parts.status, headers: parts.headers, text }
}

/// Sends bytes as they are.
pub(crate) async fn send_raw(service: &Service, headers: &[(&str, &str)], body: &str) -> Answer {
    let mut request = Request::post("http://localhost/mcp");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = request.body(Full::new(body.to_owned().into())).expect("a request");
    send(service, request).await
}

/// Asks, and holds the answer against the protocol's schemas.
pub(crate) async fn ask(app: &App, version: &str, method: &str, sent: Value) -> Value {
    let answer = send(&app.service(), request(version, method, sent)).await.json();
    schema::check_answer(version, method, &answer);
    answer
}

/// The result of a call of a tool.
pub(crate) async fn call(app: &App, version: &str, tool: &str, arguments: Value) -> Value {
    let answer =
        ask(app, version, "tools/call", json!({ "name": tool, "arguments": arguments })).await;
    assert!(answer.get("error").is_none(), "{answer:#}");
    answer["result"].clone()
}

/// The text of a result.
pub(crate) fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().expect("text")
}

/// A small widget.
pub(crate) const GREETING: (&str, &str) = (
    "greeting.widget",
    r#"{"version":"1.0","name":"Greeting",
    "template":"{\"type\":\"Card\",\"children\":[{\"type\":\"Title\",\"value\":{{ (\"Hello \" ~ name) | tojson }}}]}",
    "jsonSchema":{"type":"object","properties":{"name":{"type":"string"},"zebra":{"type":"string"},"age":{"type":"integer"}},"required":["name"],"additionalProperties":false}}"#,
);

/// The widget, compiled: the first call of one that is not goes to a worker, where no test hears the log.
pub(crate) fn compiled_greeting() -> widgetcast::core::Catalog {
    let catalog = widgetcast::core::Catalog::from_static(&[GREETING]);
    let widget = catalog.get("greeting").expect("a widget");
    widget.render(&json!({ "name": "Ada" })).expect("a view");
    catalog
}

/// An app with that widget and nothing else.
pub(crate) fn greeting() -> App {
    let catalog = widgetcast::core::Catalog::from_static(&[GREETING]);
    App::new("tests", "1.0.0").catalog(catalog).build().expect("an app")
}
