//! Sessions of clients with a handshake, over HTTP: what they announce is known to their next request, in
//! any process with the same key.

use http::{HeaderValue, Method, StatusCode};
use serde_json::{Value, json};
use widgetcast::Catalog;
use widgetcast::{App, Ctx, Data, Settings, Tool};

use crate::talk::{Answer, GREETING, greeting, request, send, send_raw};

const ERA: &str = "2025-11-25";

fn with_key(key: &str) -> App {
    let mut settings = Settings::default();
    settings.key = Some(key.into());
    let catalog = Catalog::from_static(&[GREETING]);
    App::new("tests", "1.0.0").catalog(catalog).settings(settings).build().unwrap()
}

/// The handshake of a client, and the id of its session.
async fn initialize(app: &App, name: &str, capabilities: &Value) -> Option<HeaderValue> {
    let hello = json!({
        "protocolVersion": ERA, "capabilities": capabilities,
        "clientInfo": { "name": name, "version": "1.2.3" },
    });
    let answer = send(&app.service(), request(ERA, "initialize", hello)).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    answer.headers.get("mcp-session-id").cloned()
}

async fn ask(app: &App, session: &HeaderValue, method: &str, params: Value) -> Answer {
    let mut request = request(ERA, method, params);
    request.headers_mut().insert("mcp-session-id", session.clone());
    send(&app.service(), request).await
}

async fn greet(app: &App, session: &HeaderValue) -> Value {
    let params = json!({ "name": "greeting", "arguments": { "name": "Ada" } });
    let answer = ask(app, session, "tools/call", params).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    answer.json()["result"].clone()
}

/// The announcements of three hosts, as they send them.
#[tokio::test]
async fn what_a_client_announced_is_known_to_its_next_request() {
    let app = greeting();
    let chatkit = json!({ "extensions": { "io.modelcontextprotocol/ui":
        { "mimeTypes": ["application/vnd.ui.widget+json"] } } });
    let slack = json!({ "extensions": {
        "io.modelcontextprotocol/ui": { "mimeTypes": ["text/html;profile=mcp-app"] },
        "io.slack/block-kit": { "mimeTypes": ["application/vnd.slack.block-kit+json"] } } });
    let chatgpt = json!({ "extensions": { "io.modelcontextprotocol/ui":
        { "mimeTypes": ["text/html+skybridge"] } } });

    for (name, capabilities) in [("chatkit", &json!({})), ("some-client", &chatkit)] {
        let session = initialize(&app, name, capabilities).await.expect("an id");
        let result = greet(&app, &session).await;
        let widget = &result["content"][1];
        assert_eq!(widget["type"], "resource", "{result:#}");
        assert_eq!(widget["resource"]["mimeType"], "application/vnd.ui.widget+json");
        let address = widget["resource"]["uri"].as_str().unwrap();
        assert!(address.starts_with("ui://widgets/greeting/"), "{address}");
    }
    let session = initialize(&app, "slack", &slack).await.expect("an id");
    assert_eq!(greet(&app, &session).await["_meta"]["slack"]["blocks"][0]["type"], "header");
    for (name, capabilities) in [("openai-mcp", &json!({})), ("some-client", &chatgpt)] {
        let session = initialize(&app, name, capabilities).await.expect("an id");
        let meta = &greet(&app, &session).await["_meta"];
        assert!(meta["openai/outputTemplate"].is_string(), "{meta}");
        assert_eq!(meta["widgetcast/view"]["tree"]["type"], "Card");
    }

    // A client that announces nothing gets no id, and one that sends none is served as before.
    assert_eq!(initialize(&app, "plain", &json!({ "sampling": {} })).await, None);
    let params = json!({ "name": "greeting", "arguments": { "name": "Ada" } });
    let answer = send(&app.service(), request(ERA, "tools/call", params)).await.json();
    assert_eq!(answer["result"]["content"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn handlers_know_the_client_and_lists_the_tool_for_state() {
    let tool = Tool::new("who", |ctx: Ctx, _: Value| async move {
        let client = ctx.client().map(|client| format!("{} {}", client.name, client.version));
        Data(json!({ "client": client, "capabilities": ctx.capabilities() }))
    });
    let catalog = Catalog::from_static(&[GREETING]);
    let app = App::new("tests", "1.0.0").catalog(catalog).tool(tool).build().unwrap();
    let who = async |session: &HeaderValue| {
        let answer = ask(&app, session, "tools/call", json!({ "name": "who" })).await.json();
        answer["result"]["structuredContent"].clone()
    };
    let said = json!({ "roots": { "listChanged": true } });
    let session = initialize(&app, "an-editor", &said).await.expect("an id");
    assert_eq!(who(&session).await, json!({ "client": "an-editor 1.2.3", "capabilities": said }));

    // What is long is cut, and the id stays short.
    let views = json!({ "extensions": { "io.modelcontextprotocol/ui": {} } });
    let mut long = views.clone();
    long["experimental"] = json!({ "x": "y".repeat(5_000) });
    let session = initialize(&app, &"ä".repeat(5_000), &long).await.expect("an id");
    assert!(session.len() < 1024, "{}", session.len());
    let known = who(&session).await;
    assert_eq!(known["capabilities"], views);
    assert_eq!(known["client"], format!("{} 1.2.3", "ä".repeat(32)));
    long["extensions"]["x"] = json!("y".repeat(5_000));
    let session = initialize(&app, "a", &long).await.expect("an id");
    assert!(session.len() < 1024, "{}", session.len());
    assert_eq!(who(&session).await["capabilities"], json!(null));
    let tools = ask(&app, &session, "tools/list", json!({})).await.json();
    assert!(tools.to_string().contains("widgetcast_state"), "{tools}");
}

/// The processes of one service have the same key; another service has not.
#[tokio::test]
async fn any_process_with_the_same_key_knows_a_session() {
    let key = "0123456789abcdef0123456789abcdef";
    let (one, two) = (with_key(key), with_key(key));
    let other = with_key("fedcba9876543210fedcba9876543210");
    let session = initialize(&one, "chatkit", &json!({})).await.expect("an id");
    assert_eq!(greet(&two, &session).await["content"][1]["type"], "resource");

    let (first, rest) = session.to_str().unwrap().split_at(1);
    let changed = format!("{}{rest}", if first == "A" { "B" } else { "A" });
    let wrong = [changed, "x".into(), String::new(), "A".repeat(2000)];
    let wrong = wrong.map(|text| (&one, HeaderValue::try_from(text).unwrap()));
    for (app, session) in wrong.into_iter().chain([(&other, session.clone())]) {
        let answer = ask(app, &session, "tools/list", json!({})).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{session:?}");
        let answer = answer.json();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(7), &json!(-32001)));
        let mut note = request(ERA, "notifications/initialized", json!({}));
        let body = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        *note.body_mut() = bytes::Bytes::from(body.to_string()).into();
        note.headers_mut().insert("mcp-session-id", session.clone());
        assert_eq!(send(&app.service(), note).await.status, StatusCode::NOT_FOUND);
        let mut stream = request(ERA, "", json!({}));
        *stream.method_mut() = Method::GET;
        stream.headers_mut().insert("mcp-session-id", session.clone());
        assert_eq!(send(&app.service(), stream).await.status, StatusCode::NOT_FOUND);
        let headers =
            [("content-type", "application/json"), ("mcp-session-id", session.to_str().unwrap())];
        let batch = r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#;
        let answer = send_raw(&app.service(), &headers, batch).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND);
        // A handshake begins again, and 2026-07-28 has no sessions.
        let hello = json!({ "protocolVersion": ERA, "capabilities": {},
            "clientInfo": { "name": "chatkit" } });
        let answer = ask(app, &session, "initialize", hello).await;
        assert_eq!(answer.status, StatusCode::OK);
        assert_eq!(
            greet(app, &answer.headers["mcp-session-id"]).await["content"][1]["type"],
            "resource"
        );
        let mut modern = request("2026-07-28", "tools/list", json!({}));
        modern.headers_mut().insert("mcp-session-id", session);
        assert_eq!(send(&app.service(), modern).await.status, StatusCode::OK);
    }
}

/// Nothing is kept, so nothing can be ended: the protocol has 405 for that.
#[tokio::test]
async fn a_session_cannot_be_deleted() {
    let app = greeting();
    let session = initialize(&app, "chatkit", &json!({})).await.expect("an id");
    let mut delete = request(ERA, "", json!({}));
    *delete.method_mut() = Method::DELETE;
    delete.headers_mut().insert("mcp-session-id", session.clone());
    let answer = send(&app.service(), delete).await;
    assert_eq!(answer.status, StatusCode::METHOD_NOT_ALLOWED);
    assert!(answer.headers.contains_key("allow"));
    assert_eq!(greet(&app, &session).await["content"][1]["type"], "resource");
}

#[tokio::test]
async fn a_surface_in_the_address() {
    let app = greeting();
    let at = async |surface: &str| {
        let params = json!({ "name": "greeting", "arguments": { "name": "Ada" } });
        let mut request = request(ERA, "tools/call", params);
        *request.uri_mut() = format!("http://localhost/mcp?surface={surface}").parse().unwrap();
        send(&app.service(), request).await
    };
    let answer = at("bogus").await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    let answer = answer.json();
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(7), &json!(-32602)));
    let told = answer["error"]["message"].as_str().unwrap();
    assert!(told.contains("bogus") && told.contains("slack-blocks"), "{told}");
    assert_eq!(at("teams").await.status, StatusCode::OK);

    // As `render --surface chatgpt` shows it: the page draws the tree.
    let meta = &at("chatgpt").await.json()["result"]["_meta"];
    assert_eq!(meta["widgetcast/view"]["tree"]["type"], "Card", "{meta}");
    assert!(meta["openai/outputTemplate"].is_string() && meta["ui"]["resourceUri"].is_string());
}
