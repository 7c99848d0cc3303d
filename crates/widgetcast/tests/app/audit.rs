//! The audit log: one line per call, which names the caller and the tool and has no value in it.

use std::sync::{Arc, Mutex};

use http::HeaderValue;
use serde_json::{Value, json};
use tracing::subscriber::DefaultGuard;
use widgetcast::auth::BearerKeys;
use widgetcast::http::{Body, Visitor};
use widgetcast::{App, Caller, Settings, Tool, ToolError};

use crate::talk::{MODERN, compiled_greeting, request, send};

const KEY: &str = "a-key-that-is-long-enough";

/// What is logged on this thread, as JSON lines.
#[derive(Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Log {
    pub(crate) fn start() -> (Self, DefaultGuard) {
        let log = Self::default();
        let writer = log.clone();
        let subscriber = tracing_subscriber::fmt()
            .json()
            .flatten_event(true)
            .with_writer(move || writer.clone())
            .finish();
        (log, tracing::subscriber::set_default(subscriber))
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }

    fn audited(&self) -> Vec<Value> {
        let lines: Vec<Value> =
            self.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        lines.into_iter().filter(|line| line["target"] == "widgetcast::audit").collect()
    }
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Secret {
    pin: String,
}

fn app(audit: bool) -> App {
    App::new("tests", "1.0.0")
        .settings(Settings::default().audit(audit))
        .auth(BearerKeys::new().key(KEY, Caller::new("ada")))
        .catalog(compiled_greeting())
        .tool(Tool::new("check", async |secret: Secret| match &*secret.pin {
            "panic-4711" => panic!("with {}", secret.pin),
            "wrong-4711" => Err(ToolError::public(format!("{} is wrong", secret.pin))),
            _ => Ok("fine"),
        }))
        .tool(Tool::new("sleep", async || std::future::pending::<String>().await))
        .tool(Tool::new("admin", async || "closed").scope("admin"))
        .tool(Tool::new("open", async || "for all").public())
        .build()
        .unwrap()
}

async fn call(app: &App, key: Option<&str>, tool: &str, arguments: Value) {
    let sent = json!({ "name": tool, "arguments": arguments });
    let mut request = request(MODERN, "tools/call", sent);
    request.headers_mut().insert("x-request-id", HeaderValue::from_static("r-1"));
    if let Some(key) = key {
        let bearer = format!("Bearer {key}").parse().unwrap();
        request.headers_mut().insert("authorization", bearer);
    }
    send(&app.service(), request).await;
}

#[tokio::test]
async fn every_call_has_a_line_without_values() {
    let (log, _guard) = Log::start();
    let app = app(true);
    call(&app, Some(KEY), "greeting", json!({ "name": "value-4711" })).await;
    call(&app, Some(KEY), "check", json!({ "pin": "value-4711" })).await;
    call(&app, Some(KEY), "check", json!({ "pin": "wrong-4711" })).await;
    call(&app, Some(KEY), "check", json!({ "pin": "panic-4711" })).await;
    call(&app, Some(KEY), "check", json!({ "pin": 4711, "key-4711": 1 })).await;
    call(&app, Some(KEY), "admin", json!({})).await;
    call(&app, None, "check", json!({ "pin": "value-4711" })).await;
    call(&app, Some(KEY), "name-4711", json!({})).await;
    let left = call(&app, Some(KEY), "sleep", json!({}));
    assert!(tokio::time::timeout(std::time::Duration::from_millis(1), left).await.is_err());

    let audited = log.audited();
    let lines: Vec<String> = audited
        .iter()
        .map(|line| {
            let text = |member: &str| line[member].as_str().unwrap_or("-").to_owned();
            format!("{} {} {}", text("caller"), text("tool"), text("outcome"))
        })
        .collect();
    assert_eq!(
        lines,
        [
            "ada greeting ok",
            "ada check ok",
            "ada check error",
            "ada check error",
            "ada check error",
            "ada admin refused",
            "- check refused",
            "ada other unknown",
            "ada sleep cancelled",
        ]
    );
    for line in &audited {
        assert!(!line.to_string().contains("4711") && !line.to_string().contains(KEY), "{line}");
        assert_eq!(line["request"], "r-1");
        assert!(line["seconds"].as_f64().unwrap() >= 0.0 && line["peer"].is_string(), "{line}");
    }
    assert_eq!(audited[0]["argument_bytes"], r#"{"name":"value-4711"}"#.len());
    assert!(audited[0]["result_bytes"].as_u64().unwrap() > 100, "{}", audited[0]);
    assert_eq!(audited[0]["surface"], "mcp-apps");
    // Nor is the key anywhere else in the log.
    assert!(!log.text().contains(KEY));
}

/// The app with a service next to it that opens a stream.
fn mounted(audit: bool) -> App {
    app(audit).mount("/talk", async |request| {
        let visitor = request.extensions().get::<Visitor>().unwrap();
        let _open = visitor.open_stream("talk").unwrap();
        http::Response::new(Body::from("Good day."))
    })
}

async fn talk(app: &App) {
    let request = http::Request::get("http://localhost/talk")
        .header("authorization", format!("Bearer {KEY}"))
        .header("x-request-id", "r-2")
        .body(String::new());
    assert_eq!(app.handle(request.unwrap()).await.status(), 200);
}

#[tokio::test]
async fn a_stream_of_a_mounted_service_has_a_line() {
    let (log, _guard) = Log::start();
    talk(&mounted(true)).await;
    let [line] = &log.audited()[..] else { panic!("{}", log.text()) };
    let told = ["caller", "stream", "request"].map(|member| line[member].as_str().unwrap());
    assert_eq!(told, ["ada", "talk", "r-2"]);
    assert!(line["seconds"].as_f64().unwrap() >= 0.0 && line["peer"].is_string(), "{line}");
}

#[tokio::test]
async fn nobody_is_audited_unless_asked() {
    let (log, _guard) = Log::start();
    let app = mounted(false);
    call(&app, Some(KEY), "greeting", json!({ "name": "Ada" })).await;
    talk(&app).await;
    assert!(log.audited().is_empty(), "{}", log.text());
}
