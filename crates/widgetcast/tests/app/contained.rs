//! Failures outside the handler do not fail a call, and what panics in one part of an app ends nothing else.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use http::request::Parts;
use http::{Request, StatusCode};
use http_body_util::Full;
use serde_json::{Value, json};
use tracing::field::{Field, Visit};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt as _};
use widgetcast::auth::{Authenticate, Refusal};
use widgetcast::handler::Method;
use widgetcast::middleware::Incoming;
use widgetcast::store::{Entry, EntryKind, Store, StoreFuture, Stored};
use widgetcast::{
    App, Builder, Caller, Data, Event, Outcome, Page, Prompt, Resource, Settings, Tool,
};

use crate::stdio::Client;
use crate::talk::{MODERN, ask, call, compiled_greeting, request, send, text};

fn app() -> Builder {
    App::new("tests", "1.0.0").catalog(compiled_greeting())
}

async fn metrics(app: &App) -> String {
    let asked = Request::get("http://localhost/metrics").body(Full::new(Bytes::new())).unwrap();
    send(&app.service(), asked).await.text
}

async fn failed_parts(app: &App, part: &str) -> bool {
    metrics(app).await.contains(&format!("widgetcast_parts_failed_total{{part=\"{part}\"}}"))
}

/// A handler that has booked something, and gives data that its widget cannot draw.
fn booking(booked: &Arc<AtomicUsize>) -> Tool {
    let booked = Arc::clone(booked);
    let handler = move || {
        booked.fetch_add(1, Ordering::Relaxed);
        async { Outcome::new().data(json!({ "booked": 1 })).view(json!({ "name": 7 })) }
    };
    Tool::new("book", handler).widget("greeting")
}

#[tokio::test]
async fn a_result_that_cannot_be_drawn_has_no_view() {
    let booked = Arc::default();
    let app = app().tool(booking(&booked)).build().unwrap();
    let result = call(&app, MODERN, "book", json!({})).await;
    assert_ne!(result["isError"], true, "{result}");
    assert_eq!(result["structuredContent"], json!({ "booked": 1 }));
    assert_eq!(text(&result), r#"{"booked":1}"#);
    assert!(result["_meta"]["widgetcast/view"].is_null(), "{result}");
    assert_eq!(booked.load(Ordering::Relaxed), 1);
    assert!(failed_parts(&app, "view").await);
}

/// A store in which everything panics, at once or later.
struct Broken {
    is_late: bool,
}

impl Broken {
    fn panic<T: Send + 'static>(&self) -> StoreFuture<T> {
        match self.is_late {
            true => StoreFuture::later(async { panic!("late, on purpose") }),
            false => panic!("on purpose"),
        }
    }
}

impl Store for Broken {
    fn put(&self, _: Entry<'_>) -> StoreFuture<()> {
        self.panic()
    }

    fn get(&self, _: EntryKind, _: &str) -> StoreFuture<Option<Stored>> {
        self.panic()
    }

    fn ids(&self, _: &str, _: &str, _: usize) -> StoreFuture<Vec<String>> {
        self.panic()
    }
}

#[tokio::test]
async fn a_store_that_panics_fails_no_call() {
    for is_late in [false, true] {
        let greet = Tool::new("greet", async || Outcome::new().data(json!({ "name": "Ada" })));
        let built = app().store(Broken { is_late }).tool(greet.widget("greeting")).build();
        let app = built.unwrap();
        let result = call(&app, MODERN, "greet", json!({})).await;
        assert_eq!(text(&result), "## Hello Ada");
        let view = &result["_meta"]["widgetcast/view"];
        assert!(view["uri"].is_null() && view["tree"].is_object(), "{view}");
        let uri = "ui://widgets/greet/0123";
        let read = ask(&app, MODERN, "resources/read", json!({ "uri": uri })).await;
        assert_eq!(read["error"]["code"], -32603, "{read}");
        assert!(metrics(&app).await.contains(r#"store_errors_total{operation="put"}"#));
    }
}

/// A log that panics at every line of the audit log.
struct BrokenLog;

impl<S: tracing::Subscriber> Layer<S> for BrokenLog {
    fn on_event(&self, event: &tracing::Event<'_>, _: Context<'_, S>) {
        struct Nothing;
        impl Visit for Nothing {
            fn record_debug(&mut self, _: &Field, _: &dyn std::fmt::Debug) {}
        }
        event.record(&mut Nothing);
        assert_ne!(event.metadata().target(), "widgetcast::audit", "on purpose");
    }
}

#[tokio::test]
async fn an_audit_log_that_panics_fails_no_call() {
    let _guard = tracing::subscriber::set_default(tracing_subscriber::registry().with(BrokenLog));
    let app = app().settings(Settings::default().audit(true)).build().unwrap();
    let result = call(&app, MODERN, "greeting", json!({ "name": "Ada" })).await;
    assert_eq!(text(&result), "## Hello Ada");
    assert!(failed_parts(&app, "audit").await);
}

struct BrokenAuth;

impl Authenticate for BrokenAuth {
    fn authenticate(
        &self,
        request: &Parts,
    ) -> impl Future<Output = Result<Option<Caller>, Refusal>> + Send {
        assert!(request.headers.contains_key("x-late"), "on purpose");
        async { panic!("late, on purpose") }
    }
}

#[tokio::test]
async fn an_authenticator_that_panics_lets_nobody_in() {
    let app = app().auth(BrokenAuth).build().unwrap();
    for header in ["x-late", "x-now"] {
        let mut sent = request(MODERN, "tools/list", json!({}));
        sent.headers_mut().insert(header, "1".parse().unwrap());
        let answer = send(&app.service(), sent).await;
        assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE, "{}", answer.text);
    }
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Topic {
    #[expect(dead_code)]
    x: Option<String>,
}

/// Everything of an app that may run code of its own, each of which panics when it is used.
fn panicking() -> App {
    app()
        .on_event(|event| assert!(!matches!(event, Event::Called { .. } | Event::Succeeded { .. })))
        .guard(async |request: Incoming| {
            assert_ne!(request.target(), Some("guarded"), "on purpose");
            Ok(())
        })
        .around(|call, next| {
            assert_ne!(call.tool, "hooked", "on purpose");
            async move { next.run(call).await }
        })
        .tool(Tool::new("guarded", async || "never"))
        .tool(Tool::new("hooked", async || "never"))
        .prompt(Prompt::new("now", || {
            assert_eq!(1, 2, "on purpose");
            async { "never" }
        }))
        .prompt(
            Prompt::new("late", async |_: Topic| -> &'static str { panic!("on purpose") })
                .complete("x", |_: Value| {
                    assert_eq!(1, 2, "on purpose");
                    async { Vec::<String>::new() }
                }),
        )
        .resource(Resource::new("note://now", "Now", || {
            assert_eq!(1, 2, "on purpose");
            async { "never" }
        }))
        .method(Method::new("tests/now", || {
            assert_eq!(1, 2, "on purpose");
            async { Data(json!({})) }
        }))
        .build()
        .unwrap()
}

/// What is asked, and whether it fails: with an error, or with a result that says so.
fn questions() -> [(&'static str, Value, bool); 8] {
    let completed = json!({
        "ref": { "type": "ref/prompt", "name": "late" }, "argument": { "name": "x", "value": "a" },
    });
    [
        ("tools/call", json!({ "name": "greeting", "arguments": { "name": "Ada" } }), false),
        ("tools/call", json!({ "name": "guarded" }), true),
        ("tools/call", json!({ "name": "hooked" }), true),
        ("prompts/get", json!({ "name": "now" }), true),
        ("prompts/get", json!({ "name": "late" }), true),
        ("resources/read", json!({ "uri": "note://now" }), true),
        ("tests/now", json!({}), true),
        ("completion/complete", completed, true),
    ]
}

fn has_failed(answer: &Value) -> bool {
    answer["result"]["isError"] == true || answer.get("error").is_some()
}

#[tokio::test]
async fn a_panic_in_a_callback_is_answered_over_http() {
    let app = panicking();
    for (method, sent, fails) in questions() {
        let answer = send(&app.service(), request(MODERN, method, sent)).await.json();
        assert_eq!(has_failed(&answer), fails, "{method}: {answer}");
    }
    assert!(failed_parts(&app, "listener").await && failed_parts(&app, "guard").await);
}

#[tokio::test]
async fn a_panic_in_a_callback_is_answered_over_stdio() {
    let mut client = Client::of(panicking());
    client.shake("2025-11-25").await;
    for (id, (method, sent, fails)) in questions().into_iter().enumerate() {
        client.send(id as i64 + 10, "2025-11-25", method, sent).await;
        let answer = client.hear().await;
        assert_eq!(answer["id"], id + 10, "{answer}");
        assert_eq!(has_failed(&answer), fails, "{method}: {answer}");
    }
}

/// What a page's tool gives to the view alone: the page gets it, the model does not.
#[tokio::test]
async fn data_of_the_view_reaches_the_page_and_not_the_model() {
    let outcome =
        || Outcome::new().data(json!({ "public": 1 })).view(json!({ "secret": "s3cret" }));
    let app = app()
        .page(Page::inline("p", "<!doctype html><p>p"))
        .tool(Tool::new("page", move || async move { outcome() }).page("p"))
        .tool(Tool::new("said", move || async move { outcome().text("Said.") }).page("p"))
        .tool(Tool::new("plain", move || async move { outcome() }))
        .tool(
            Tool::new("view", async || Outcome::new().view(json!({ "secret": "s3cret" })))
                .page("p"),
        )
        .build()
        .unwrap();
    for (tool, words, data) in [
        ("page", r#"{"public":1}"#, json!({ "public": 1 })),
        ("said", "Said.", json!({ "public": 1 })),
        ("plain", r#"{"public":1}"#, json!({ "public": 1 })),
        ("view", "Done.", Value::Null),
    ] {
        let mut result = call(&app, MODERN, tool, json!({})).await;
        assert_eq!(text(&result), words, "{tool}");
        assert_eq!(result["structuredContent"], data, "{tool}");
        let meta = result["_meta"].take();
        assert!(!result.to_string().contains("s3cret"), "{tool}: {result}");
        let own = &meta["widgetcast/view"]["data"];
        assert_eq!(*own, if tool == "plain" { Value::Null } else { json!({ "secret": "s3cret" }) });
    }
}

/// The text of a page's tool is clipped as that of a widget's; a text without a view is all there is.
#[tokio::test]
async fn the_text_of_a_page_is_clipped() {
    #[derive(serde::Serialize, schemars::JsonSchema)]
    struct Rows {
        rows: Vec<u32>,
    }
    let rows = async || Data(Rows { rows: (0..5_000).collect() });
    let app = app()
        .page(Page::inline("p", "<!doctype html><p>p"))
        .tool(Tool::new("page", rows).page("p"))
        .tool(Tool::new("plain", rows))
        .settings(Settings::default().max_text_bytes(1_000))
        .build()
        .unwrap();
    let result = call(&app, MODERN, "page", json!({})).await;
    let shown = text(&result);
    assert!(shown.len() < 1_100 && shown.contains("more bytes"), "{shown}");
    assert!(shown.starts_with(r#"{"rows":[0,1,2"#), "{shown}");
    assert_eq!(result["structuredContent"]["rows"].as_array().unwrap().len(), 5_000);
    let whole = call(&app, MODERN, "plain", json!({})).await;
    assert_eq!(serde_json::from_str::<Value>(text(&whole)).unwrap(), whole["structuredContent"]);
}

/// A value that is JSON and means nothing is answered with the id of its call, or no one could match it.
#[tokio::test]
async fn arguments_without_meaning_are_answered_with_the_id() {
    let mut client = Client::of(app().build().unwrap());
    client.shake("2025-11-25").await;
    for value in [r#""\ud800""#, "1e400"] {
        client
            .say(&format!(
                r#"{{"jsonrpc":"2.0","id":77,"method":"tools/call","params":{{"name":"greeting","arguments":{{"name":{value}}}}}}}"#
            ))
            .await;
        let answer = client.hear().await;
        assert_eq!(
            (&answer["id"], &answer["error"]["code"]),
            (&json!(77), &json!(-32602)),
            "{answer}"
        );
    }
}

/// What a hook makes of a call is held against the tool's schema, and it cannot choose another tool.
#[tokio::test]
async fn a_hook_cannot_make_what_the_tool_does_not_take() {
    #[derive(serde::Deserialize, schemars::JsonSchema)]
    struct Count {
        n: u32,
    }
    let app = app()
        .around(|mut call, next| {
            match call.arguments["n"].as_u64() {
                Some(1) => call.arguments = json!({ "n": "many" }),
                Some(2) => call.tool = "other".into(),
                _ => {}
            }
            async move { next.run(call).await }
        })
        .tool(Tool::new("count", async |count: Count| count.n.to_string()))
        .build()
        .unwrap();
    for (n, fails) in [(0, false), (1, true), (2, true)] {
        let result = call(&app, MODERN, "count", json!({ "n": n })).await;
        assert_eq!(result["isError"] == true, fails, "{result}");
    }
}
