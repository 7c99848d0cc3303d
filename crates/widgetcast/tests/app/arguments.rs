//! Arguments as language models send them: texts for numbers, one value for a list, null for nothing.

use std::sync::{Arc, Mutex};

use bytes::Bytes;
use http::Request;
use http_body_util::Full;
use serde_json::{Value, json};
use widgetcast::Catalog;
use widgetcast::middleware::{Call, Next};
use widgetcast::{App, Builder, Data, Page, Settings, Tool};

use crate::stdio::Client;
use crate::talk::{ERAS, MODERN, ask, call, send, text};

const ROOM: (&str, &str) = (
    "room.widget",
    r#"{"version":"1.0","name":"Room",
    "template":"{\"type\":\"Card\",\"children\":[{\"type\":\"Text\",\"value\":{{ (seats + 1) | string | tojson }}}{% for tag in tags %},{\"type\":\"Badge\",\"label\":{{ tag | tojson }}}{% endfor %}]}",
    "jsonSchema":{"type":"object","properties":{"seats":{"type":"integer"},"tags":{"type":"array","items":{"type":"string"}},"note":{"type":"string"}},"required":["seats","tags"]}}"#,
);

#[derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
struct Booking {
    seats: u32,
    days: Vec<u8>,
    #[serde(default)]
    nights: u32,
    #[serde(default)]
    window: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    guest: Option<Guest>,
}

#[derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
struct Guest {
    name: String,
    age: u8,
}

fn builder(strict: bool) -> Builder {
    let mut settings = Settings::default();
    settings.strict_arguments = strict;
    App::new("tests", "1.0.0")
        .catalog(Catalog::from_static(&[ROOM]))
        .page(Page::inline("plan", "<!doctype html><p>plan"))
        .tool(Tool::new("book", |booking: Booking| async move { Data(booking) }))
        .tool(Tool::new("plan", |booking: Booking| async move { Data(booking) }).page("plan"))
        .settings(settings)
}

fn app(strict: bool) -> App {
    builder(strict).build().unwrap()
}

/// As a model may send it, and as it was meant.
fn booking() -> (Value, Value) {
    let sent = json!({"seats": "2", "days": "[1, \"2\"]", "nights": null, "window": "true",
        "guest": "{\"name\": \"7\", \"age\": \"30\"}"});
    let meant = json!({"seats": 2, "days": [1, 2], "nights": 0, "window": true,
        "guest": {"name": "7", "age": 30}});
    (sent, meant)
}

async fn coerced(app: &App, tool: &str) -> usize {
    let request = Request::get("http://localhost/metrics").body(Full::<Bytes>::default()).unwrap();
    let text = send(&app.service(), request).await.text;
    let name = format!("widgetcast_arguments_coerced_total{{tool=\"{tool}\"}} ");
    text.lines().find_map(|line| line.strip_prefix(&name)).map_or(0, |count| count.parse().unwrap())
}

#[tokio::test]
async fn typed_tools_get_what_was_meant() {
    let app = app(false);
    let (sent, meant) = booking();
    for (tool, era) in ["book", "plan"].into_iter().flat_map(|tool| ERAS.map(|era| (tool, era))) {
        let result = call(&app, era, tool, sent.clone()).await;
        assert_eq!(result["structuredContent"], meant, "{result}");
        let result = call(&app, era, tool, meant.clone()).await;
        assert_eq!(result["structuredContent"], meant);
    }
    assert_eq!((coerced(&app, "book").await, coerced(&app, "plan").await), (3, 3));
}

#[tokio::test]
async fn widgets_draw_what_was_meant() {
    let app = app(false);
    let meant = call(&app, MODERN, "room", json!({"seats": 2, "tags": ["7"]})).await;
    assert_eq!(coerced(&app, "room").await, 0);
    let result = call(&app, MODERN, "room", json!({"seats": "2", "tags": "7"})).await;
    assert_eq!(coerced(&app, "room").await, 1);
    assert_eq!(result["content"], meant["content"]);
    let view = |result: &Value| result["_meta"]["widgetcast/view"].clone();
    assert_eq!(view(&result)["tree"], view(&meant)["tree"]);
    assert_eq!(view(&result)["uri"], view(&meant)["uri"], "the same view has one id");
    let other = call(&app, MODERN, "room", json!({"seats": "5", "tags": "[]", "note": null})).await;
    let read = ask(&app, MODERN, "resources/read", json!({"uri": view(&other)["uri"]})).await;
    let stored: Value =
        serde_json::from_str(read["result"]["contents"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(stored["widget"], view(&other)["tree"]);
    assert_eq!(stored["widget"]["children"][0]["value"], "6");
}

#[tokio::test]
async fn pipes_do_the_same() {
    let (sent, meant) = booking();
    let mut client = Client::of(app(false));
    client.shake("2025-11-25").await;
    let asked = json!({"name": "book", "arguments": sent});
    let answer = client.ask("2025-11-25", "tools/call", asked).await;
    assert_eq!(answer["result"]["structuredContent"], meant);
    let asked = json!({"name": "room", "arguments": {"seats": "2", "tags": "a"}});
    let answer = client.ask(MODERN, "tools/call", asked).await;
    assert_eq!(text(&answer["result"]), "3\n\n`a`");
}

#[tokio::test]
async fn hooks_see_what_was_meant() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&seen);
    let app = builder(false)
        .around(move |call: Call, next: Next| {
            log.lock().unwrap().push(call.arguments.clone());
            next.run(call)
        })
        .build()
        .unwrap();
    let result = call(&app, MODERN, "room", json!({"seats": "2", "tags": "a"})).await;
    assert_eq!(result["isError"], false, "{result}");
    call(&app, MODERN, "book", json!({"seats": "2", "days": 1, "nights": null})).await;
    let expected = [json!({"seats": 2, "tags": ["a"]}), json!({"seats": 2, "days": [1]})];
    assert_eq!(*seen.lock().unwrap(), expected);
    assert_eq!((coerced(&app, "room").await, coerced(&app, "book").await), (1, 1));
}

#[tokio::test]
async fn what_is_refused_is_told_in_the_words_of_the_caller() {
    let app = app(false);
    let result = call(&app, MODERN, "book", json!({"seats": "2", "days": "[1, 999]"})).await;
    assert_eq!(
        text(&result),
        "the arguments do not match the schema of book:\n\
         - /seats: must be an integer, not \"2\"\n- /days: must be a list, not \"[1, 999]\""
    );
    let result = call(&app, MODERN, "room", json!({"seats": "two", "tags": "a"})).await;
    assert_eq!(
        text(&result),
        "the data does not match the schema of room:\n\
         - /seats: must be an integer, not \"two\"\n- /tags: must be a list, not \"a\""
    );
    assert_eq!((coerced(&app, "room").await, coerced(&app, "book").await), (0, 0));
}

#[tokio::test]
async fn strict_apps_take_nothing_but_nulls() {
    let app = app(true);
    let (sent, mut meant) = booking();
    assert_eq!(call(&app, MODERN, "book", sent).await["isError"], true);
    let sent = json!({"seats": "2", "tags": ["a"]});
    assert_eq!(call(&app, MODERN, "room", sent).await["isError"], true);
    let mut sent = meant.clone();
    (sent["nights"], sent["window"], sent["guest"]) = (json!(null), json!(null), json!(null));
    let result = call(&app, MODERN, "book", sent).await;
    meant["window"] = json!(false);
    meant.as_object_mut().unwrap().remove("guest");
    assert_eq!(result["structuredContent"], meant);
    let result = call(&app, MODERN, "room", json!({"seats": 2, "tags": [], "note": null})).await;
    assert_eq!(result["isError"], false);
}
