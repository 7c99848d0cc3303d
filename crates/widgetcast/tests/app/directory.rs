//! What clients and directories of apps read about an app before they call it: who sees which tools,
//! titles and hints, instructions, and the domain of pages.

use serde_json::{Value, json};
use widgetcast::Catalog;
use widgetcast::auth::BearerKeys;
use widgetcast::{Access, App, Builder, Caller, Page, Settings, Tool, Visibility};

use crate::audit::Log;
use crate::stdio::Client;
use crate::talk::{GREETING, MODERN, ask, request, send};

fn app() -> Builder {
    let tool = |name: &str| Tool::new(name, async || "x").read_only().open_world(false);
    App::new("tests", "1.0.0")
        .catalog(Catalog::from_static(&[GREETING]))
        .instructions("Use it.")
        .view_instructions("Say nothing twice.")
        .page(Page::inline("own", "<!doctype html><p>").domain("own.example.com"))
        .tool(tool("list_all").title("All of it"))
        .tool(tool("page_next").visibility(Visibility::App))
        .tool(tool("model_only").visibility(Visibility::Model))
}

/// What a client of this name, with or without views, says of itself.
fn client(name: &str, shows_views: bool) -> Value {
    let views = json!({ "extensions": { "io.modelcontextprotocol/ui": {} } });
    json!({ "_meta": {
        "io.modelcontextprotocol/clientInfo": { "name": name, "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": if shows_views { views } else { json!({}) },
    } })
}

async fn tools(app: &App, client: Value) -> Vec<Value> {
    let mut listed = ask(app, MODERN, "tools/list", client).await;
    serde_json::from_value(listed["result"]["tools"].take()).unwrap()
}

fn names(tools: &[Value]) -> Vec<&str> {
    tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn tools_of_views_are_listed_to_clients_with_views() {
    let app = app().settings(Settings::default().page_size(2)).build().unwrap();
    let all = async |client: Value| {
        let (mut found, mut sent) = (Vec::new(), client.clone());
        loop {
            let listed = ask(&app, MODERN, "tools/list", sent).await["result"].clone();
            let page: Vec<Value> = serde_json::from_value(listed["tools"].clone()).unwrap();
            found.extend(page.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()));
            let Some(cursor) = listed.get("nextCursor") else { return found };
            sent = client.clone();
            sent["cursor"] = cursor.clone();
        }
    };
    let plain = ["greeting", "list_all", "model_only"];
    let with_views = ["greeting", "list_all", "model_only", "page_next"];
    // In this order: what one client gets must not be kept for another.
    for _ in 0..2 {
        assert_eq!(
            all(client("tests", true)).await,
            [&with_views[..], &["widgetcast_state"]].concat()
        );
        assert_eq!(all(client("tests", false)).await, plain);
        assert_eq!(all(client("claude-ai", false)).await, with_views);
        assert_eq!(all(client("openai-mcp", false)).await, with_views);
    }
    // A handshake is remembered.
    let mut piped = Client::of(app);
    piped
        .shake_with("2025-11-25", json!({ "extensions": { "io.modelcontextprotocol/ui": {} } }))
        .await;
    let first = piped.ask("2025-11-25", "tools/list", json!({})).await;
    assert_eq!(names(first["result"]["tools"].as_array().unwrap()), ["greeting", "list_all"]);
}

#[tokio::test]
async fn instructions_fit_the_client() {
    let built = || app().build().unwrap();
    for (sent, words) in [
        (client("tests", false), "Use it."),
        (client("tests", true), "Use it. Say nothing twice."),
        (client("openai-mcp", false), "Use it. Say nothing twice."),
    ] {
        let told = ask(&built(), MODERN, "server/discover", sent.clone()).await;
        assert_eq!(told["result"]["instructions"], words, "{sent}");
    }
    for (capabilities, words) in [
        (json!({}), "Use it."),
        (
            json!({ "extensions": { "io.modelcontextprotocol/ui": {} } }),
            "Use it. Say nothing twice.",
        ),
    ] {
        let told = Client::of(built()).shake_with("2025-11-25", capabilities).await;
        assert_eq!(told["result"]["instructions"], words);
    }
}

#[tokio::test]
async fn every_tool_has_a_title_and_explicit_hints() {
    let (log, _guard) = Log::start();
    let app = app().tool(Tool::new("book", async || "x").destructive(true)).build().unwrap();
    let tools = tools(&app, client("tests", true)).await;
    let titles: Vec<&str> =
        tools.iter().map(|tool| tool["annotations"]["title"].as_str().unwrap()).collect();
    assert_eq!(titles, ["Book", "Greeting", "All of it", "Model only", "Page next", "View state"]);
    for tool in &tools {
        for hint in ["readOnlyHint", "destructiveHint", "openWorldHint"] {
            let is_asked_for = tool["name"] == "book" && hint == "openWorldHint";
            assert_eq!(tool["annotations"][hint].is_boolean(), !is_asked_for, "{hint}: {tool}");
        }
    }
    let logged = log.text();
    assert_eq!(logged.matches("app directories require").count(), 1, "{logged}");
    assert!(logged.contains("require openWorldHint"), "{logged}");
}

#[tokio::test]
async fn the_default_visibility_is_said_where_it_is_asked_for() {
    for (explicit, both) in [(false, Value::Null), (true, json!(["model", "app"]))] {
        let settings = Settings::default().explicit_visibility(explicit);
        let app = app().settings(settings).build().unwrap();
        let tools = tools(&app, client("tests", true)).await;
        let visibility = |name: &str| {
            let tool = tools.iter().find(|tool| tool["name"] == name).unwrap();
            tool["_meta"]["ui"]["visibility"].clone()
        };
        assert_eq!(visibility("greeting"), both);
        assert_eq!(visibility("list_all"), both);
        assert_eq!(visibility("page_next"), json!(["app"]));
        assert_eq!(visibility("model_only"), json!(["model"]));
    }
}

#[tokio::test]
async fn pages_have_a_domain_in_the_form_of_the_host() {
    let url = "https://widgets.example.com/mcp";
    let app = app().settings(Settings::default().public_url(url)).build().unwrap();
    // `printf %s URL | sha256sum`, of which Claude takes half.
    let claude = "c29c1099509a5a180e0aaa951d0bc182.claudemcpcontent.com";
    for (name, domain) in [("claude-ai", claude), ("openai-mcp", "https://widgets.example.com")] {
        let listed = ask(&app, MODERN, "resources/list", client(name, true)).await;
        let pages = listed["result"]["resources"].as_array().unwrap();
        assert_eq!(pages[0]["_meta"]["ui"]["domain"], domain);
        assert_eq!(pages[1]["_meta"]["ui"]["domain"], "own.example.com");
        let mut sent = client(name, true);
        sent["uri"] = pages[0]["uri"].clone();
        let read = ask(&app, MODERN, "resources/read", sent).await;
        let meta = &read["result"]["contents"][0]["_meta"];
        assert_eq!(meta["ui"]["domain"], domain);
        assert_eq!(meta["openai/widgetDomain"], domain);
    }
    let at = "ui://widget/one.html";
    let wrong = App::new("tests", "1.0.0")
        .page(Page::inline("a", "<p>").address(at))
        .page(Page::inline("b", "<p>").address(at))
        .page(Page::inline("p", "<p>").domain("not a domain; x"))
        .settings(Settings::default().public_url("widgets.example.com"))
        .build()
        .unwrap_err();
    assert_eq!(wrong.errors().len(), 3, "{wrong}");
}

/// A tool that says of itself that it needs no sign-in does need a key where callers have keys, unless it
/// is made public, as widgets can be.
#[tokio::test]
async fn the_rules_of_a_tool_are_those_of_the_app() {
    let none = json!([{ "type": "noauth" }]);
    let demo = |name: &str| Tool::new(name, async || "x").meta("securitySchemes", none.clone());
    let key = "a-key-that-is-long-enough";
    let app = App::new("tests", "1.0.0")
        .auth(BearerKeys::new().key(key, Caller::new("ada")))
        .tool(demo("closed"))
        .tool(demo("open"))
        .widget_access("open", Access::default().public())
        .build()
        .unwrap();
    let mut sent = request(MODERN, "tools/list", json!({}));
    sent.headers_mut().insert("authorization", format!("Bearer {key}").parse().unwrap());
    let listed = send(&app.service(), sent).await.json();
    let tools = &listed["result"]["tools"];
    assert_eq!(tools[0]["_meta"]["securitySchemes"], Value::Null);
    assert_eq!(tools[1]["_meta"]["securitySchemes"], none);
    let called = ask(&app, MODERN, "tools/call", json!({ "name": "open" })).await;
    assert_eq!(called["result"]["content"][0]["text"], "x");
}
