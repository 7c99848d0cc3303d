//! A server over HTTP: an app of ours, behind a socket.

use serde_json::json;
use widgetcast::{App, Data, Tool};
use widgetcast_wrap::Upstream;

use crate::Client;

#[derive(serde::Serialize, schemars::JsonSchema)]
struct City {
    name: String,
    people: u32,
}

#[derive(serde::Serialize, schemars::JsonSchema)]
struct Cities {
    cities: Vec<City>,
}

async fn cities() -> Data<Cities> {
    let city = |name: &str, people| City { name: name.to_owned(), people };
    Data(Cities { cities: vec![city("Bern", 134_500), city("Basel", 177_600)] })
}

async fn server() -> (String, App) {
    let app = App::new("upstream", "1.0.0")
        .tool(Tool::new("cities", cities).description("Cities").read_only())
        .build()
        .unwrap();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    let served = app.clone();
    tokio::spawn(async move {
        served.serve_listener(listener, std::future::pending::<()>()).await.unwrap();
    });
    (url, app)
}

#[tokio::test]
async fn a_server_at_an_address_is_wrapped_too() {
    let (url, app) = server().await;
    let mut client = Client::new(Upstream::url(&url, http::HeaderMap::new()).unwrap());
    let greeting = client.shake_hands().await;
    assert_eq!(greeting["result"]["serverInfo"]["name"], "upstream");
    let listed = client.ask(1, "tools/list", json!({})).await;
    assert!(listed["result"]["tools"][0]["_meta"]["ui"]["resourceUri"].is_string(), "{listed}");
    let called = client.ask(2, "tools/call", json!({ "name": "cities" })).await;
    let tree = called["result"]["_meta"]["widgetcast/view"]["tree"].to_string();
    assert!(tree.contains("Basel"), "{called}");
    // What the server says without being asked arrives in the stream of the session.
    app.announce(widgetcast::Change::Tools);
    while !client.hear().await.contains("notifications/tools/list_changed") {}
    client.leave().await;
}

/// Requests that say themselves who sends them need no handshake.
#[tokio::test]
async fn the_revision_without_a_handshake_passes() {
    let (url, _app) = server().await;
    let mut client = Client::new(Upstream::url(&url, http::HeaderMap::new()).unwrap());
    let meta = json!({ "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { "name": "tests", "version": "1" } });
    let found = client.ask(1, "server/discover", json!({ "_meta": meta })).await;
    assert!(found["result"]["supportedVersions"].is_array(), "{found}");
    let listed = client.ask(2, "tools/list", json!({ "_meta": meta })).await;
    let page = listed["result"]["tools"][0]["_meta"]["ui"]["resourceUri"].clone();
    let called = client.ask(3, "tools/call", json!({ "name": "cities", "_meta": meta })).await;
    assert!(called["result"]["_meta"]["widgetcast/view"]["tree"].is_object(), "{called}");
    let read = client.ask(4, "resources/read", json!({ "uri": page, "_meta": meta })).await;
    assert_eq!(read["result"]["resultType"], "complete");
    client.leave().await;
}

#[tokio::test]
async fn an_address_that_nobody_answers_is_the_error_of_each_request() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    drop(listener);
    let mut client = Client::new(Upstream::url(&url, http::HeaderMap::new()).unwrap());
    let answer = client.ask(1, "tools/list", json!({})).await;
    assert!(answer["error"]["message"].as_str().unwrap().contains("cannot be reached"), "{answer}");
    client.leave().await;
    assert!(Upstream::url("ftp://x", http::HeaderMap::new()).is_err());
}

/// A wrapped shell server behind HTTP, and what a client without a library sends.
mod front {
    use http::{Method, Request, StatusCode};
    use http_body_util::BodyExt as _;
    use serde_json::{Value, json};
    use widgetcast::App;
    use widgetcast_wrap::Wrap;

    fn app() -> App {
        Wrap::new(App::new("tests", "1.0.0").build().unwrap(), crate::pipe::shell()).mount()
    }

    async fn send(
        app: &App,
        method: Method,
        session: Option<&str>,
        body: Value,
    ) -> (StatusCode, Option<String>, String) {
        let mut request = Request::builder()
            .method(method)
            .uri("http://localhost/mcp")
            .header("host", "localhost")
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream");
        if let Some(session) = session {
            request = request.header("mcp-session-id", session);
        }
        let answer = app.handle(request.body(body.to_string()).unwrap()).await;
        let (parts, body) = answer.into_parts();
        let id = parts.headers.get("mcp-session-id").map(|id| id.to_str().unwrap().to_owned());
        let bytes = body.collect().await.unwrap().to_bytes();
        (parts.status, id, String::from_utf8(bytes.to_vec()).unwrap())
    }

    fn ask(id: u32, method: &str, params: &Value) -> Value {
        json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
    }

    #[tokio::test]
    async fn each_session_has_a_server_of_its_own() {
        let app = app();
        let hello = ask(
            0,
            "initialize",
            &json!({ "protocolVersion": "2025-11-25",
            "capabilities": {}, "clientInfo": { "name": "tests", "version": "1" } }),
        );
        let (status, id, greeting) = send(&app, Method::POST, None, hello.clone()).await;
        assert_eq!(status, StatusCode::OK, "{greeting}");
        let id = id.expect("a session");
        let (_, other, _) = send(&app, Method::POST, None, hello).await;
        let other = other.expect("another session");
        assert_ne!(id, other);
        let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        let (status, ..) = send(&app, Method::POST, Some(&id), initialized).await;
        assert_eq!(status, StatusCode::ACCEPTED);

        let (_, _, listed) =
            send(&app, Method::POST, Some(&id), ask(1, "tools/list", &json!({}))).await;
        assert!(listed.contains("ui://widgetcast/view-"), "{listed}");
        // What the server sends before its response makes a stream of it.
        let (_, _, told) = send(&app, Method::POST, Some(&id), ask(2, "notify", &json!({}))).await;
        assert!(told.starts_with("data: ") && told.contains("custom/thing"), "{told}");
        assert!(told.trim_end().ends_with(r#""id":2,"result":{}}"#), "{told}");
        // One that dies is nobody else's.
        let (_, _, died) = send(&app, Method::POST, Some(&id), ask(3, "die", &json!({}))).await;
        assert!(died.contains("exit status: 3"), "{died}");
        let (_, _, called) = send(
            &app,
            Method::POST,
            Some(&other),
            ask(1, "tools/call", &json!({ "name": "rows" })),
        )
        .await;
        assert!(called.contains("widgetcast/view"), "listed by another client: {called}");

        let (status, ..) = send(&app, Method::DELETE, Some(&id), json!({})).await;
        assert_eq!(status, StatusCode::NO_CONTENT);
        let (status, ..) =
            send(&app, Method::POST, Some(&id), ask(4, "tools/list", &json!({}))).await;
        assert_eq!(status, StatusCode::NOT_FOUND);
        let (status, ..) = send(&app, Method::POST, None, ask(5, "tools/list", &json!({}))).await;
        assert_eq!(status, StatusCode::BAD_REQUEST);
    }

    #[tokio::test]
    async fn requests_without_a_session_borrow_a_server() {
        let app = app();
        let meta = json!({ "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {} });
        for id in 1..4 {
            let (status, session, listed) =
                send(&app, Method::POST, None, ask(id, "tools/list", &json!({ "_meta": meta })))
                    .await;
            assert_eq!((status, session), (StatusCode::OK, None));
            assert!(listed.contains("ui://widgetcast/view-"), "{listed}");
        }
    }
}
