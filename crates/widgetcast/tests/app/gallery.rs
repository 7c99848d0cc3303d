//! The gallery's page and what it asks for; the state of views.

use std::sync::{Arc, Mutex};

use bytes::Bytes;
use http::{Request, StatusCode};
use http_body_util::{BodyExt as _, Full};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use widgetcast::http::RemoteAddr;
use widgetcast::{App, Data, Page, Settings, Tool};

use crate::talk::{Answer, ERAS, GREETING, MODERN, ask, call, greeting, send};

#[derive(Deserialize, JsonSchema)]
struct Number {
    of: u8,
}

#[derive(Serialize, JsonSchema)]
struct Name {
    name: String,
}

fn app() -> App {
    let catalog = widgetcast::Catalog::from_static(&[
        GREETING,
        (
            "card.widget",
            r#"{"version":"1.0","name":"Card","template":"{\"type\":\"Card\",\"children\":[{\"type\":\"Icon\",\"name\":\"lucide:plane\"},{\"type\":\"Title\",\"value\":{{ (name) | tojson }}},{\"type\":\"Chart\",\"data\":[{\"a\":1}],\"series\":[{\"type\":\"bar\",\"dataKey\":\"a\"}],\"xAxis\":\"a\"}]}","jsonSchema":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}}"#,
        ),
    ]);
    App::new("tests", "1.0.0")
        .catalog(catalog)
        .tool(
            Tool::new("count", |number: Number| async move {
                Data(Name { name: format!("number {}", number.of) })
            })
            .widget("card")
            .title("Counting"),
        )
        .build()
        .unwrap()
}

/// As our own server sees a browser of this machine.
fn local(request: http::Result<Request<Full<Bytes>>>) -> Request<Full<Bytes>> {
    let mut request = request.unwrap();
    request.extensions_mut().insert(RemoteAddr("127.0.0.1:1".parse().unwrap()));
    request
}

async fn get(app: &App, path: &str) -> Answer {
    let request = Request::get(format!("http://localhost{path}")).body(Full::new(Bytes::new()));
    send(&app.service(), local(request)).await
}

async fn draw(app: &App, question: Value) -> Answer {
    let request = Request::post("http://localhost/gallery/draw")
        .header("content-type", "application/json")
        .body(Full::new(Bytes::from(question.to_string())));
    send(&app.service(), local(request)).await
}

#[tokio::test]
async fn the_page_runs_nothing_from_elsewhere() {
    let page = get(&greeting(), "/").await;
    assert_eq!(page.status, StatusCode::OK);
    assert_eq!(page.headers["content-type"], "text/html; charset=utf-8");
    let policy = page.headers["content-security-policy"].to_str().unwrap();
    assert!(policy.starts_with("default-src 'none';"), "{policy}");
    // Only frames may have another origin, and only one of this machine.
    for part in policy.split("; ").filter(|part| part.contains('*')) {
        let origins = part.strip_prefix("frame-src 'self' ").expect(part);
        let names = [
            "http://localhost:*",
            "http://127.0.0.1:*",
            "https://localhost:*",
            "https://127.0.0.1:*",
        ];
        assert!(origins.split(' ').all(|origin| names.contains(&origin)), "{part}");
    }
    assert!(page.text.starts_with("<!doctype html>"));
    for other in ["src=\"http", "href=\"http", "@import", "url(http"] {
        assert!(!page.text.contains(other), "the page asks for {other}");
    }
}

#[tokio::test]
async fn the_frame_of_a_view_has_its_policy_as_a_header() {
    let frame =
        get(&greeting(), "/gallery/frame?connect=https://api.example.com&resource=&frame=").await;
    assert_eq!(frame.status, StatusCode::OK);
    assert_eq!(frame.headers["content-type"], "text/html; charset=utf-8");
    let policy = frame.headers["content-security-policy"].to_str().unwrap();
    assert!(policy.contains("connect-src https://api.example.com;"), "{policy}");
    assert!(policy.contains("frame-ancestors 'self' http://localhost:*"), "{policy}");
    assert!(policy.ends_with("sandbox allow-scripts"), "{policy}");
}

#[tokio::test]
async fn what_the_page_loads_later_is_there() {
    for (path, mime) in [
        ("/gallery/cards.js", "text/javascript; charset=utf-8"),
        ("/gallery/schemas.js", "text/javascript; charset=utf-8"),
        ("/gallery/icons.tsv", "text/tab-separated-values"),
        ("/gallery/components.json", "application/json"),
    ] {
        let answer = get(&greeting(), path).await;
        assert_eq!(answer.status, StatusCode::OK, "{path}");
        assert_eq!(answer.headers["content-type"], mime, "{path}");
        assert_eq!(answer.headers["x-content-type-options"], "nosniff", "{path}");
        assert!(answer.text.len() > 1000, "{path}");
    }
}

/// Data may name any image, and fetching it would tell its owner that the data was looked at.
#[tokio::test]
async fn images_come_from_known_origins_only() {
    let images = async |settings: Settings| {
        let app = App::new("tests", "1.0.0").settings(settings).build().unwrap();
        let page = get(&app, "/").await;
        let policy = page.headers["content-security-policy"].to_str().unwrap().to_owned();
        policy.split("; ").find(|part| part.starts_with("img-src")).unwrap().to_owned()
    };
    let mut settings = Settings::default();
    assert_eq!(images(settings.clone()).await, "img-src 'self' data:");
    settings.image_origins = vec!["https://a.example".into(), "https://b.example:8443".into()];
    let both = "img-src 'self' data: https://a.example https://b.example:8443";
    assert_eq!(images(settings).await, both);
}

#[tokio::test]
async fn it_can_be_turned_off() {
    let mut settings = Settings::default();
    settings.gallery = Some(false);
    let app = App::new("tests", "1.0.0").settings(settings).build().unwrap();
    assert_eq!(get(&app, "/").await.status, StatusCode::METHOD_NOT_ALLOWED);
    for path in [
        "/gallery/index.json",
        "/gallery/events",
        "/gallery/tool/a",
        "/gallery/frame",
        "/gallery/cards.js",
    ] {
        assert_eq!(get(&app, path).await.status, StatusCode::NOT_FOUND, "{path}");
    }
    assert_eq!(draw(&app, json!({ "tool": "a" })).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn tools_with_samples() {
    let app = app();
    let index = get(&app, "/gallery/index.json").await.json();
    let tools: Vec<_> = index["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| (tool["name"].as_str().unwrap(), tool["kind"].as_str().unwrap()))
        .collect();
    assert_eq!(tools, [("count", "tool"), ("greeting", "widget")]);
    assert_eq!(index["findings"], json!([]));

    let tool = get(&app, "/gallery/tool/count").await.json();
    assert!(tool["sample"]["of"].is_number(), "{tool}");
    let widget = get(&app, "/gallery/tool/greeting").await.json();
    assert!(widget["sample"]["name"].is_string());
    let order: Vec<&String> =
        widget["inputSchema"]["properties"].as_object().unwrap().keys().collect();
    assert_eq!(order, ["name", "zebra", "age"]);
    for unknown in ["card", "nobody", ""] {
        let answer = get(&app, &format!("/gallery/tool/{unknown}")).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{unknown}");
    }
}

#[tokio::test]
async fn a_drawing_has_every_surface_and_its_losses() {
    let app = app();
    let drawn = draw(&app, json!({ "tool": "count", "arguments": { "of": 7 } })).await.json();
    assert_eq!(drawn["tree"]["children"][1]["value"], "number 7");
    assert!(drawn["icons"]["lucide:plane"].is_array(), "{}", drawn["icons"]);
    assert_eq!(drawn["result"]["structuredContent"], json!({ "name": "number 7" }));
    let surfaces = drawn["surfaces"].as_array().unwrap();
    let named = |name: &str| surfaces.iter().find(|surface| surface["name"] == name).unwrap();
    assert!(surfaces.iter().all(|surface| surface["name"] != "slack-work-object"));
    for name in ["text", "terminal", "chatkit", "mcp-apps", "slack-blocks", "adaptive-card"] {
        let text = named(name)["text"].as_str().unwrap();
        assert!(text.contains("number 7"), "{name}: {text}");
    }
    assert_eq!(named("terminal")["format"], "ansi");
    assert!(named("terminal")["text"].as_str().unwrap().contains("\u{1b}["));
    let (text, data) = (&drawn["result"]["content"], &drawn["result"]["structuredContent"]);
    let bytes = text.to_string().len() + data.to_string().len();
    assert_eq!(drawn["model"]["bytes"], bytes);
}

#[tokio::test]
async fn without_arguments_a_widget_is_its_sample_and_a_tool_is_called_with_none() {
    let app = app();
    let sample = get(&app, "/gallery/tool/greeting").await.json()["sample"].clone();
    let whole = draw(&app, json!({ "tool": "greeting", "arguments": sample })).await.json();
    let card = draw(&app, json!({ "tool": "greeting" })).await.json();
    for member in ["tree", "icons", "text", "isError"] {
        assert_eq!(card[member], whole[member], "{member}");
    }
    assert!(whole["surfaces"].is_array() && card["surfaces"].is_null() && card["result"].is_null());
    // A tool may do something: nothing is made up for it.
    let tool = draw(&app, json!({ "tool": "count" })).await.json();
    assert_eq!(tool["errors"][0]["pointer"], "/of", "{tool}");
}

#[tokio::test]
async fn faults_stand_at_the_field() {
    let app = app();
    let drawn = draw(&app, json!({ "tool": "greeting", "arguments": { "age": "x" } })).await.json();
    assert_eq!(drawn["isError"], true);
    assert_eq!(drawn["tree"], Value::Null);
    let pointers: Vec<&str> = drawn["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|error| error["pointer"].as_str().unwrap())
        .collect();
    assert_eq!(pointers, ["/age", "/name"]);
    let unknown = draw(&app, json!({ "tool": "greting" })).await;
    assert_eq!(unknown.status, StatusCode::BAD_REQUEST);
    assert!(unknown.text.contains("did you mean greeting?"), "{}", unknown.text);

    let form = Request::post("http://localhost/gallery/draw")
        .header("content-type", "text/plain")
        .body(Full::new(Bytes::from(r#"{"tool":"greeting"}"#)));
    let answer = send(&app.service(), local(form)).await;
    assert_eq!(answer.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
}

#[tokio::test]
async fn a_broken_file_is_a_finding_until_it_is_mended() {
    let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let file = dir.path().join("greeting.widget");
    std::fs::write(&file, GREETING.1).unwrap();
    // As users type it: from where they are.
    let here = std::env::current_dir().unwrap();
    let up: std::path::PathBuf = here.components().skip(1).map(|_| "..").collect();
    let relative = up.join(dir.path().strip_prefix("/").unwrap());
    let app = App::new("tests", "1.0.0").widgets(relative).build().unwrap();
    app.watch().unwrap();
    let request = Request::get("http://localhost/gallery/events").body(Full::new(Bytes::new()));
    let mut events = app.handle(local(request)).await.into_body();
    let mut event = async || {
        let wait = tokio::time::timeout(std::time::Duration::from_secs(60), events.frame());
        let frame = wait.await.expect("an event").unwrap().unwrap();
        String::from_utf8(frame.into_data().unwrap().to_vec()).unwrap()
    };

    std::fs::write(&file, GREETING.1.replace("tojson", "tojsn")).unwrap();
    assert_eq!(event().await, "event: changed\ndata: {\"tools\":[\"greeting\"]}\n\n");
    let index = get(&app, "/gallery/index.json").await;
    let index = index.json();
    // Its commands name the directory in full; what is said about files is shorter.
    let real = dir.path().canonicalize().unwrap();
    assert_eq!(index["dir"], json!(real));
    let findings = index["findings"].to_string();
    assert!(!findings.contains(real.parent().unwrap().to_str().unwrap()), "{findings}");
    let finding = &index["findings"][0];
    assert_eq!(
        (&finding["file"], &finding["tool"]),
        (&json!("greeting.widget"), &json!("greeting"))
    );
    assert!(finding["excerpt"].as_str().unwrap().contains('^'), "{finding}");
    let tool = get(&app, "/gallery/tool/greeting").await.json();
    assert_eq!(tool["findings"][0]["message"], finding["message"]);
    // The last good version still draws.
    let drawn = draw(&app, json!({ "tool": "greeting", "arguments": { "name": "Ann" } })).await;
    assert_eq!(drawn.json()["tree"]["children"][0]["value"], "Hello Ann");

    std::fs::write(&file, GREETING.1.replace("Hello", "Bye")).unwrap();
    event().await;
    let index = get(&app, "/gallery/index.json").await.json();
    assert_eq!(index["findings"], json!([]));
    let drawn = draw(&app, json!({ "tool": "greeting", "arguments": { "name": "Ann" } })).await;
    assert_eq!(drawn.json()["tree"]["children"][0]["value"], "Bye Ann");
}

/// Errors first, each with its code, whether it breaks the file, and a path from the directory on.
#[tokio::test]
async fn findings_are_sorted_and_say_what_is_broken() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).unwrap();
    write("a.widget", GREETING.1);
    write("b.widget", GREETING.1);
    write("z.yml", "version: '1.0'\nname: Z\nwidget: {type: Card, children: ['{{ a | }}']}\n");
    // Typed with a slash at the end.
    let app = App::new("tests", "1.0.0").widgets(dir.path().join("")).build().unwrap();
    app.check_widgets();
    let index = get(&app, "/gallery/index.json").await.json();
    let findings: Vec<_> = index["findings"].as_array().unwrap().iter().collect();
    let brief: Vec<_> = findings
        .iter()
        .map(|f| json!([f["severity"], f["file"], f["line"], f["code"], f["broken"]]))
        .collect();
    assert_eq!(
        brief,
        [
            json!(["error", "b.widget", null, "name-taken", false]),
            json!(["error", "z.yml", 3, "template-syntax", true]),
        ]
    );
    assert!(!index["findings"].to_string().contains(dir.path().to_str().unwrap()), "{index}");
    assert_eq!(
        findings[0]["message"],
        "a.widget and b.widget both define the tool greeting; the first is used"
    );
}

/// A file that was broken at the start has a page, with its error, as one that an edit broke.
#[tokio::test]
async fn a_file_that_never_was_good_has_a_page() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).unwrap();
    write("greeting.widget", &GREETING.1.replace("tojson", "tojsn"));
    write("to-do.widget", "{");
    let app = App::new("tests", "1.0.0").widgets(dir.path()).build().unwrap();
    app.check_widgets();
    let index = get(&app, "/gallery/index.json").await.json();
    let findings = index["findings"].as_array().unwrap().iter();
    let tools: Vec<_> = findings.filter_map(|finding| finding["tool"].as_str()).collect();
    assert_eq!((&index["tools"], tools), (&json!([]), vec!["greeting", "to_do"]));
    for (name, code) in [("greeting", "template-failed"), ("to_do", "file-syntax")] {
        let tool = get(&app, &format!("/gallery/tool/{name}")).await.json();
        assert_eq!(tool["kind"], "broken");
        assert_eq!(tool["findings"].as_array().unwrap().len(), 1);
        assert_eq!(tool["findings"][0]["code"], code);
        assert_eq!(tool["findings"][0]["broken"], true);
        assert!(tool["findings"][0]["excerpt"].as_str().unwrap().contains('^'), "{tool}");
    }
    let other = get(&app, "/gallery/tool/other").await;
    assert_eq!(other.status, StatusCode::NOT_FOUND);
}

/// The page of a widget has the warnings of `check`, and not its notes.
#[tokio::test]
async fn a_widget_has_its_warnings() {
    let dir = tempfile::tempdir().unwrap();
    let template =
        r#"{"type":"Card","children":[{"type":"Image","src":"https://a.example/a.png"}]}"#;
    let widget = json!({ "version": "1.0", "name": "Seen", "template": template });
    std::fs::write(dir.path().join("seen.widget"), widget.to_string()).unwrap();
    let app = App::new("tests", "1.0.0").widgets(dir.path()).build().unwrap();
    app.check_widgets();
    let tool = get(&app, "/gallery/tool/seen").await.json();
    let findings = tool["findings"].as_array().unwrap();
    let brief: Vec<_> =
        findings.iter().map(|f| json!([f["severity"], f["file"], f["code"]])).collect();
    assert_eq!(brief, [json!(["warning", "seen.widget", "image-alt"])]);
}

#[tokio::test]
async fn views_keep_their_state() {
    let app = greeting();
    for era in ERAS {
        let shown = call(&app, era, "greeting", json!({ "name": era })).await;
        let view = &shown["_meta"]["widgetcast/view"]["state"];
        let ask = async |arguments: Value| call(&app, era, "widgetcast_state", arguments).await;
        let state = ask(json!({ "view": view })).await;
        assert_eq!(state["structuredContent"], json!({ "state": null }));
        ask(json!({ "view": view, "state": { "typed": "a" } })).await;
        let state = ask(json!({ "view": view })).await;
        assert_eq!(state["structuredContent"], json!({ "state": { "typed": "a" } }));
    }
    let shown = call(&app, MODERN, "greeting", json!({ "name": "Ann" })).await;
    let key = &shown["_meta"]["widgetcast/view"]["state"];
    for (arguments, words) in [
        (json!({}), "view"),
        (json!({ "view": "ui://widgets/greeting/0", "state": 1 }), "invalid view key"),
        // It looks like one, but was never given out.
        (json!({ "view": "0".repeat(24), "state": 1 }), "invalid view key"),
        (json!({ "view": "0".repeat(24), "other": 1 }), "other"),
        (json!({ "view": key, "state": "a".repeat(70_000) }), "the limit is 65536"),
    ] {
        let result = call(&app, MODERN, "widgetcast_state", arguments).await;
        assert_eq!(result["isError"], true);
        let text = result["content"][0]["text"].as_str().unwrap();
        assert!(text.contains(words), "{text}");
    }
}

/// A page of the app's own is given a key as the page of widgets is.
#[tokio::test]
async fn own_pages_keep_their_state() {
    let app = App::new("tests", "1.0.0")
        .page(Page::inline("chart", "<!doctype html><p>chart"))
        .tool(Tool::new("chart", || async { Data(json!({ "n": 1 })) }).page("chart"))
        .tool(Tool::new("plain", || async { Data(json!({ "n": 1 })) }))
        .build()
        .unwrap();
    for era in ERAS {
        let view = async |tool: &str| {
            let shown = call(&app, era, tool, json!({})).await;
            shown["_meta"]["widgetcast/view"].clone()
        };
        let (one, two) = (view("chart").await, view("chart").await);
        assert_ne!(one["state"], two["state"]);
        let ask = async |arguments: Value| call(&app, era, "widgetcast_state", arguments).await;
        ask(json!({ "view": one["state"], "state": { "sort": "name" } })).await;
        let kept = ask(json!({ "view": one["state"] })).await;
        assert_eq!(kept["structuredContent"], json!({ "state": { "sort": "name" } }));
        let other = ask(json!({ "view": two["state"] })).await;
        assert_eq!(other["structuredContent"], json!({ "state": null }));
        // Nothing shows the result of this tool.
        assert_eq!(view("plain").await, Value::Null);
    }
}

/// What one user typed is not for another who is shown the same.
#[tokio::test]
async fn the_same_view_twice_has_two_states() {
    let app = greeting();
    let view = async || {
        let shown = call(&app, MODERN, "greeting", json!({ "name": "Ann" })).await;
        shown["_meta"]["widgetcast/view"].clone()
    };
    let (one, two) = (view().await, view().await);
    assert_eq!(one["uri"], two["uri"]);
    assert_ne!(one["state"], two["state"]);
    call(&app, MODERN, "widgetcast_state", json!({ "view": one["state"], "state": "mine" })).await;
    let other = call(&app, MODERN, "widgetcast_state", json!({ "view": two["state"] })).await;
    assert_eq!(other["structuredContent"], json!({ "state": null }));
}

/// A guard can refuse states too.
#[tokio::test]
async fn a_guard_stands_before_the_state() {
    let app = App::new("tests", "1.0.0")
        .catalog(widgetcast::Catalog::from_static(&[GREETING]))
        .guard(async |request: widgetcast::middleware::Incoming| match request.is_view_state() {
            true => Err(widgetcast::auth::Refusal::error("sign in first")),
            false => Ok(()),
        })
        .build()
        .unwrap();
    let state = json!({ "view": "0".repeat(24) });
    let refused = call(&app, MODERN, "widgetcast_state", state).await;
    assert_eq!(refused["content"][0]["text"], "sign in first");
}

/// A server that others reach shows its gallery only if it is told to, and to its own pages.
#[tokio::test]
async fn the_gallery_is_for_this_machine() {
    let app = |gallery| {
        let mut settings = Settings::default();
        settings.allowed_hosts = vec!["widgets.example.com".into()];
        settings.gallery = gallery;
        App::new("tests", "1.0.0").settings(settings).build().unwrap()
    };
    let get = async |app: &App, origin: Option<&str>| {
        let mut request = Request::get("/gallery/index.json").header("host", "widgets.example.com");
        if let Some(origin) = origin {
            request = request.header("origin", origin);
        }
        send(&app.service(), request.body(Full::new(Bytes::new())).unwrap()).await.status
    };
    assert_eq!(get(&app(None), None).await, StatusCode::NOT_FOUND);

    // Others learn only what the directory is called.
    let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let mut settings = Settings::default();
    settings.gallery = Some(true);
    let shared = App::new("tests", "1.0.0").widgets(dir.path()).settings(settings).build().unwrap();
    let index = self::get(&shared, "/gallery/index.json").await.json();
    assert_eq!(index["dir"], json!(dir.path().file_name().unwrap().to_str().unwrap()));

    let open = app(Some(true));
    assert_eq!(get(&open, None).await, StatusCode::OK);
    assert_eq!(get(&open, Some("https://widgets.example.com")).await, StatusCode::OK);
    assert_eq!(get(&open, Some("https://evil.example.com")).await, StatusCode::FORBIDDEN);
}

/// The start names the gallery only where a user at this machine gets it.
#[tokio::test]
async fn the_start_names_the_gallery_that_there_is() {
    let started = async |gallery, local, open: &str| {
        let said = Arc::new(Mutex::new(None));
        let heard = Arc::clone(&said);
        let mut settings = Settings::default();
        settings.gallery = gallery;
        let mut app = App::new("tests", "1.0.0").settings(settings).on_event(move |event| {
            if let widgetcast::Event::Started { gallery, .. } = event {
                *heard.lock().unwrap() = gallery.map(str::to_owned);
            }
        });
        if open == "keys" {
            app = app.auth(widgetcast::auth::BearerKeys::new());
        }
        if local {
            app = app.local_caller(widgetcast::Caller::new("me"));
        }
        let listener = tokio::net::TcpListener::bind("0.0.0.0:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        app.build().unwrap().serve_listener(listener, std::future::ready(())).await.unwrap();
        let page = said.lock().unwrap().take();
        page.map(|page| assert_eq!(page, format!("http://127.0.0.1:{port}/"))).is_some()
    };
    assert!(started(None, false, "open").await);
    assert!(!started(Some(false), false, "open").await);
    assert!(!started(None, false, "keys").await);
    assert!(!started(Some(true), false, "keys").await);
    assert!(!started(None, true, "keys").await);
    assert!(started(Some(true), true, "keys").await);
}

/// Only clients that show views hear of the tool that keeps their state.
#[tokio::test]
async fn the_state_is_not_the_model_s() {
    let app = greeting();
    let names = async |capabilities: Value| -> Vec<String> {
        let meta = json!({ "io.modelcontextprotocol/clientCapabilities": capabilities });
        let list = ask(&app, MODERN, "tools/list", json!({ "_meta": meta })).await;
        let tools = list["result"]["tools"].as_array().unwrap();
        tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(json!({})).await, ["greeting"]);
    let views = json!({ "extensions": { "io.modelcontextprotocol/ui": {
        "mimeTypes": ["text/html;profile=mcp-app"] } } });
    assert_eq!(names(views).await, ["greeting", "widgetcast_state"]);
}

/// A definition says who may call its tool, and what a call does.
#[tokio::test]
async fn a_definition_hides_its_tool_from_the_model() {
    const HELPER: &str = r#"{"version":"1.0","name":"Helper","visibility":"app",
        "hints":{"read_only":false,"destructive":true},
        "template":"{\"type\":\"Card\",\"children\":[]}","jsonSchema":{"type":"object"}}"#;
    let catalog = widgetcast::Catalog::from_static(&[GREETING, ("helper.widget", HELPER)]);
    let app = App::new("tests", "1.0.0").catalog(catalog).build().unwrap();
    let list = async |capabilities: Value| -> Vec<Value> {
        let meta = json!({ "io.modelcontextprotocol/clientCapabilities": capabilities });
        let list = ask(&app, MODERN, "tools/list", json!({ "_meta": meta })).await;
        list["result"]["tools"].as_array().unwrap().clone()
    };
    let without_views = list(json!({})).await;
    assert_eq!(without_views.len(), 1, "{without_views:?}");
    let views = json!({ "extensions": { "io.modelcontextprotocol/ui": {
        "mimeTypes": ["text/html;profile=mcp-app"] } } });
    let tools = list(views).await;
    let helper = tools.iter().find(|tool| tool["name"] == "helper").unwrap();
    assert_eq!(helper["_meta"]["ui"]["visibility"], json!(["app"]));
    let hints = &helper["annotations"];
    assert_eq!((&hints["readOnlyHint"], &hints["destructiveHint"]), (&json!(false), &json!(true)));
    assert_eq!(hints["openWorldHint"], false);
    assert_eq!(tools[0]["annotations"]["readOnlyHint"], true);
}

/// Drawing on every surface takes many times the memory of one.
#[tokio::test]
async fn a_drawing_that_is_too_large_is_refused() {
    let app = greeting();
    let arguments = |bytes: usize| json!({ "name": "a".repeat(bytes) });
    let question = |bytes: usize| json!({ "tool": "greeting", "arguments": arguments(bytes) });
    let answer = draw(&app, question(200_000)).await;
    assert_eq!(answer.status, StatusCode::OK);
    assert!(!answer.json()["surfaces"].as_array().unwrap().is_empty());
    let answer = draw(&app, question(300_000)).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    assert!(answer.text.contains("at most 262144 bytes"), "{}", answer.text);
}

/// A tool without a title has its name for one, also where the app is part of another server.
#[tokio::test]
async fn tools_without_a_title_have_their_name() {
    use tower::ServiceExt as _;
    let app = App::new("tests", "1.0.0")
        .tool(widgetcast::Tool::new("plain", async || "x"))
        .settings(Settings::default().gallery(true))
        .build()
        .unwrap();
    let router = axum::Router::new().nest_service("/tools/mcp", app.service());
    let get = async |path: &str| {
        let request =
            Request::get(path).header("host", "localhost").body(axum::body::Body::empty());
        let response = router.clone().oneshot(request.unwrap()).await.unwrap();
        let body = axum::body::to_bytes(response.into_body(), 1 << 20).await.unwrap();
        serde_json::from_slice::<Value>(&body).unwrap()
    };
    assert_eq!(get("/tools/mcp/gallery/index.json").await["tools"][0]["title"], "plain");
    assert_eq!(get("/tools/mcp/gallery/tool/plain").await["title"], "plain");
}
