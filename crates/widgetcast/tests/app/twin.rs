//! The hot lane and rmcp must say the same: the same bytes go both ways, and the answers are
//! compared.

use bytes::Bytes;
use http::Request;
use http_body_util::{BodyExt as _, Full};
use serde_json::{Value, json};
use widgetcast::{App, Data, Prompt, Resource, Tool, ToolError, Vars};

use crate::talk::{GREETING, MODERN, request, send};

fn app() -> App {
    App::new("tests", "1.0.0")
        .catalog(widgetcast::core::Catalog::from_static(&[GREETING]))
        .tool(
            Tool::new("typed", |who: Value| async move { Data(who) })
                .input_schema(
                    json!({ "type": "object", "properties": { "n": { "type": "integer" } } }),
                )
                .output_schema(json!({ "type": "object" })),
        )
        .tool(Tool::new("fails", || async { Err::<(), _>(ToolError::new("no")) }))
        .resource(Resource::fixed("a://fixed", "Fixed", "text").mime("text/plain"))
        .resource(Resource::new("a://{id}/data", "Data", |vars: Vars| async move {
            Ok::<_, ToolError>(vars["id"].clone())
        }))
        .prompt(Prompt::new("p", |_| async { Ok::<_, ToolError>(vec!["hi".into_message()]) }))
        .build()
        .unwrap()
}

trait IntoMessage {
    fn into_message(self) -> widgetcast::Message;
}

impl IntoMessage for &str {
    fn into_message(self) -> widgetcast::Message {
        widgetcast::Message::user(self)
    }
}

/// Requests of every method, good and bad.
fn requests() -> Vec<(&'static str, Value)> {
    let mut all = vec![
        ("server/discover", json!({})),
        ("ping", json!({})),
        ("tools/list", json!({})),
        ("tools/list", json!({ "cursor": "Z3JlZXRpbmc" })),
        ("tools/list", json!({ "cursor": "?" })),
        ("resources/list", json!({})),
        ("resources/templates/list", json!({})),
        ("resources/read", json!({ "uri": "a://fixed" })),
        ("resources/read", json!({ "uri": "a://7/data" })),
        ("resources/read", json!({ "uri": "a://none" })),
        ("resources/read", json!({ "uri": "widget://greeting/schema" })),
        ("resources/read", json!({ "uri": "ui://widgets/greeting/none" })),
        ("prompts/list", json!({})),
        ("prompts/get", json!({ "name": "p" })),
        ("prompts/get", json!({ "name": "q" })),
        ("no/such", json!({})),
        (
            "completion/complete",
            json!({
            "ref": { "type": "ref/resource", "uri": "ui://widgets/{name}/{instance_id}" },
            "argument": { "name": "name", "value": "g" } }),
        ),
    ];
    for (name, arguments) in [
        ("greeting", json!({ "name": "Ada" })),
        ("greeting", json!({ "name": "Zoë \"\\\u{2028}\n<b>" })),
        ("greeting", json!({ "name": 7 })),
        ("greeting", json!({})),
        ("typed", json!({ "n": 1, "more": [null, 1.5, "x"] })),
        ("typed", json!({ "n": "one" })),
        ("fails", json!({})),
        ("none", json!({})),
    ] {
        all.push(("tools/call", json!({ "name": name, "arguments": arguments })));
    }
    all.push(("tools/call", json!({ "name": "fails" })));
    // A client that can do a lot.
    all.push((
        "tools/call",
        json!({ "name": "greeting", "arguments": { "name": "Ada" }, "_meta": {
        "io.modelcontextprotocol/clientInfo": { "name": "openai-chatkit", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": { "extensions": {
            "io.slack/block-kit": { "mimeTypes": ["application/vnd.slack.blocks+json"] } } } } }),
    ));
    all
}

/// The answer but for the key of a view's state, which is never the same.
fn same(mut answer: Value) -> Value {
    if let Some(key) = answer.pointer_mut("/result/_meta/widgetcast~1view/state") {
        *key = json!("");
    }
    answer
}

/// The same request with its message on many lines.
async fn laid_out(request: Request<Full<Bytes>>) -> Request<Full<Bytes>> {
    let (parts, body) = request.into_parts();
    let body = body.collect().await.unwrap().to_bytes();
    let message: Value = serde_json::from_slice(&body).unwrap();
    let text = serde_json::to_string_pretty(&message).unwrap();
    Request::from_parts(parts, Full::new(text.into()))
}

#[tokio::test]
async fn both_lanes_say_the_same() {
    let app = app();
    let (hot, slow) = (app.service(), app.service().without_hot_lane());
    let mut compared = 0;
    for era in [MODERN, "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] {
        for (method, sent) in requests() {
            let one = send(&hot, request(era, method, sent.clone())).await;
            let two = send(&slow, request(era, method, sent.clone())).await;
            assert_eq!(one.status, two.status, "{era} {method} {sent}");
            assert_eq!(same(one.json()), same(two.json()), "{era} {method} {sent}");
            assert_eq!(one.headers["content-type"], two.headers["content-type"]);
            // However the message is laid out: an id is one of data, not of spacing.
            let spaced = send(&hot, laid_out(request(era, method, sent.clone())).await).await;
            assert_eq!(same(one.json()), same(spaced.json()), "{era} {method} {sent}");
            compared += 1;
        }
    }
    eprintln!("{compared} requests answered alike by both lanes");
}
