//! A server over HTTP: an app of ours, behind a socket.

use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
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

pub(crate) fn app() -> App {
    let cities = Tool::new("cities", cities).description("Cities").read_only();
    App::new("upstream", "1.0.0").tool(cities).build().unwrap()
}

async fn server() -> (String, App) {
    let app = app();
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

/// A client that closes its input after its last request still gets the answer.
#[tokio::test]
async fn the_last_answers_come_after_the_input_has_ended() {
    let (url, _app) = server().await;
    let mut client = Client::new(Upstream::url(&url, http::HeaderMap::new()).unwrap());
    client.shake_hands().await;
    client.say(r#"{"jsonrpc":"2.0","id":"a\/b","method":"tools/list"}"#).await;
    let rest = client.leave().await;
    assert!(rest.len() == 1 && rest[0].contains("cities"), "{rest:?}");
}

/// A line that means nothing in a stream of events, such as the banner of a proxy, is passed over.
#[tokio::test]
async fn a_strange_line_in_a_stream_loses_no_answer() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    tokio::spawn(async move {
        let (mut socket, _) = listener.accept().await.unwrap();
        let mut request = Vec::new();
        while !String::from_utf8_lossy(&request).contains("tools/list") {
            socket.read_buf(&mut request).await.unwrap();
        }
        let answer = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n\
            nonsense\nretry: soon\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"tools\":[]}}\n\n";
        socket.write_all(answer.as_bytes()).await.unwrap();
    });
    let mut client = Client::new(Upstream::url(&url, http::HeaderMap::new()).unwrap());
    let listed = client.ask(1, "tools/list", json!({})).await;
    assert_eq!(listed["result"]["tools"], json!([]), "{listed}");
    client.leave().await;
}

/// Whatever a server returns, its request gets an error, and the next one is sent as usual.
#[tokio::test]
async fn a_hostile_response_is_the_error_of_its_request() {
    const HEAD: &str = "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: ";
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        loop {
            let (mut socket, _) = listener.accept().await.unwrap();
            let mut request = Vec::new();
            let is_whole = |request: &[u8]| String::from_utf8_lossy(request).contains("}}");
            while !is_whole(&request) && socket.read_buf(&mut request).await.unwrap() > 0 {}
            let text = String::from_utf8_lossy(&request).into_owned();
            let method = ["endless", "drip", "packed", "page", "moved"];
            let method = method.into_iter().find(|method| text.contains(method));
            let answer: Vec<u8> = match method.unwrap_or_default() {
                "endless" => format!("{HEAD}application/json\r\n\r\n").into(),
                "drip" => format!("{HEAD}text/event-stream\r\n\r\ndata: ").into(),
                "packed" => {
                    let head = format!("{HEAD}application/json\r\ncontent-encoding: gzip\r\n\r\n");
                    [head.as_bytes(), &[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xff]].concat()
                }
                "page" => format!("{HEAD}text/html\r\n\r\n<h1>Welcome</h1>").into(),
                "moved" => b"HTTP/1.1 307 Temporary Redirect\r\nlocation: /mcp/?key=secret\r\ncontent-length: 0\r\n\r\n".into(),
                _ => format!("{HEAD}application/json\r\n\r\n{}", r#"{"jsonrpc":"2.0","id":9,"result":{}}"#).into(),
            };
            _ = socket.write_all(&answer).await;
            if matches!(method, Some("endless" | "drip")) {
                while socket.write_all(&[b'x'; 1 << 16]).await.is_ok() {}
            }
        }
    });
    let url = format!("{origin}/mcp");
    let mut client = Client::new(Upstream::url(&url, http::HeaderMap::new()).unwrap());
    for (id, method, message) in [
        (1, "endless", "exceeds"),
        (2, "drip", "closed the stream before it responded"),
        (3, "packed", "not UTF-8"),
        (4, "page", "200 OK without a JSON-RPC message"),
        (5, "moved", "/mcp/ (307 Temporary Redirect), which is not followed; wrap that URL"),
    ] {
        let answer = client.ask(id, method, json!({ "a": {} })).await;
        let error = answer["error"]["message"].as_str().unwrap_or_default();
        assert!(error.contains(message) && !error.contains("secret"), "{method}: {answer}");
    }
    let answer = client.ask(9, "ping", json!({ "a": {} })).await;
    assert_eq!(answer["result"], json!({}), "{answer}");
    client.leave().await;
}
