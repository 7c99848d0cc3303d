//! Work that takes too much: it ends with an error of its own, and no one else waits for it.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use http::StatusCode;
use serde_json::{Value, json};
use widgetcast::{App, Event, Outcome, Tool};
use widgetcast_core::{Catalog, Widget};

use crate::talk::{MODERN, call, request, send, text};

/// Three nested loops over the rows.
const LOOPS: &str = r#"{"version":"1.0","name":"Loops","template":"{\"type\":\"Card\",\"children\":[{% for a in rows %}{% for b in rows %}{% for c in rows %}{% endfor %}{% endfor %}{% endfor %}]}","jsonSchema":{"type":"object","properties":{"rows":{"type":"array"}},"required":["rows"]}}"#;
/// A row for each item.
const ROWS: &str = r#"{"version":"1.0","name":"Rows","template":"{\"type\":\"ListView\",\"children\":[{% for row in rows %}{\"type\":\"ListViewItem\",\"children\":[{\"type\":\"Text\",\"value\":{{ row.name | tojson }}}]}{% if not loop.last %},{% endif %}{% endfor %}]}","jsonSchema":{"type":"object","properties":{"rows":{"type":"array","items":{"type":"object","required":["name"]}}},"required":["rows"]}}"#;

/// An app that notes what happens.
fn app() -> (App, Arc<Mutex<Vec<String>>>) {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&heard);
    let app = App::new("tests", "1.0.0")
        .catalog(Catalog::from_static(&[
            ("loops.widget", LOOPS),
            ("rows.widget", ROWS),
            ("shown.widget", &ROWS.replacen("Rows", "Shown", 1).leak()[..]),
        ]))
        .tool(Tool::new("many", || async { Outcome::new().data(rows(5_000)) }).widget("shown"))
        .on_event(move |event: &Event<'_>| {
            log.lock().unwrap().push(match event {
                Event::Called { tool } => format!("called {tool}"),
                Event::Succeeded { tool, .. } => format!("succeeded {tool}"),
                Event::Failed { tool, .. } => format!("failed {tool}"),
                _ => return,
            });
        });
    (app.build().unwrap(), heard)
}

fn rows(count: usize) -> Value {
    json!({ "rows": vec![json!({ "name": "row" }); count] })
}

#[tokio::test]
async fn a_template_that_takes_too_many_steps_fails_once() {
    let (app, heard) = app();
    let result = call(&app, MODERN, "loops", rows(1_000)).await;
    assert_eq!(result["isError"], true);
    assert!(
        text(&result).starts_with("cannot render the result: the template exceeds the step limit"),
        "{result}"
    );
    assert_eq!(*heard.lock().unwrap(), ["called loops", "failed loops"]);
}

#[tokio::test]
async fn what_is_too_long_for_a_trial_is_done_on_a_worker() {
    let (app, heard) = app();
    // In the trial already, by its steps, by its length.
    for count in [10, 1_500, 5_000] {
        heard.lock().unwrap().clear();
        let result = call(&app, MODERN, "rows", rows(count)).await;
        assert_eq!(text(&result).matches("row").count(), count);
        assert_eq!(*heard.lock().unwrap(), ["called rows", "succeeded rows"], "{count}");
    }
}

#[tokio::test]
async fn the_data_of_a_handler_is_drawn_on_a_worker_too() {
    let (app, heard) = app();
    let result = call(&app, MODERN, "many", json!({})).await;
    assert_eq!(text(&result).matches("row").count(), 5_000);
    assert_eq!(result["structuredContent"], rows(5_000));
    assert_eq!(*heard.lock().unwrap(), ["called many", "succeeded many"]);
}

/// A message may be taken twice, but a handler runs once, whatever it does before its first await.
#[tokio::test]
async fn a_handler_runs_once() {
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    let tool = Tool::new("once", || {
        RUNS.fetch_add(1, Ordering::Relaxed);
        let drawn = Widget::parse(LOOPS).unwrap().render(&rows(1_000));
        async move { Outcome::new().text(drawn.unwrap_err().message().to_owned()) }
    });
    let app = App::new("tests", "1.0.0").tool(tool).build().unwrap();
    let result = call(&app, MODERN, "once", json!({})).await;
    assert!(text(&result).starts_with("the template exceeds the step limit"), "{result}");
    assert_eq!(RUNS.load(Ordering::Relaxed), 1);
}

/// Everything runs on one thread here: if the call ran on it, the probe would be answered after it.
#[tokio::test]
async fn nobody_waits_for_a_slow_call() {
    let (app, _) = app();
    let service = app.service();
    let order = Mutex::new(Vec::new());
    let slow = async {
        let sent = json!({ "name": "loops", "arguments": rows(1_000) });
        send(&service, request(MODERN, "tools/call", sent)).await;
        order.lock().unwrap().push("call");
    };
    let probe = async {
        let request = http::Request::get("http://localhost/healthz");
        send(&service, request.body(Default::default()).unwrap()).await;
        order.lock().unwrap().push("probe");
    };
    tokio::join!(slow, probe);
    assert_eq!(*order.lock().unwrap(), ["probe", "call"]);
}

#[tokio::test]
async fn a_message_with_too_many_values_is_refused_with_its_id() {
    let (app, heard) = app();
    let sent = json!({ "name": "rows", "arguments": { "rows": vec![0; 300_000] } });
    let answer = send(&app.service(), request(MODERN, "tools/call", sent)).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    let answer = answer.json();
    assert_eq!(answer["error"]["code"], -32600);
    assert_eq!(
        answer["error"]["message"],
        "Invalid Request: the message exceeds the limit of values"
    );
    assert!(answer["id"].is_number(), "{answer}");
    assert!(heard.lock().unwrap().is_empty());
}

/// Empty objects, each of which breaks the schema.
#[tokio::test]
async fn violations_are_listed_up_to_a_limit() {
    let (app, _) = app();
    let result = call(&app, MODERN, "rows", json!({ "rows": vec![json!({}); 200_000] })).await;
    let words = text(&result);
    assert_eq!(words.lines().count(), 1 + 20 + 1);
    assert!(words.ends_with("- and more than 9,980 more"), "{words}");
}

#[tokio::test]
async fn the_answers_of_a_batch_are_bounded_together() {
    let mut settings = widgetcast::Settings::default();
    settings.max_response_bytes = 5_000;
    let app = App::new("tests", "1.0.0")
        .catalog(Catalog::from_static(&[("rows.widget", ROWS)]))
        .settings(settings)
        .build()
        .unwrap();
    let list = |id: usize| json!({ "jsonrpc": "2.0", "id": id, "method": "tools/list" });
    let batch = |count: usize| {
        let body = Value::from_iter((0..count).map(list)).to_string();
        let request = http::Request::post("http://localhost/mcp")
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream");
        request.body(http_body_util::Full::new(body.into())).unwrap()
    };
    assert_eq!(send(&app.service(), batch(2)).await.status, StatusCode::OK);
    let answer = send(&app.service(), batch(100)).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    assert!(answer.text.contains("the responses are too large"), "{}", answer.text);
}
