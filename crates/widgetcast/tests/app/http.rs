//! The HTTP side: who may come in, how many, how large; health, metrics, streams, stopping.

use std::time::Duration;

use http::{Request, StatusCode};
use http_body_util::{BodyExt as _, Full};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tower::ServiceExt as _;
use widgetcast::http::RemoteAddr;
use widgetcast::{App, Change, Ctx, Settings, Tool};

use crate::talk::{Held, MODERN, greeting, request, send};

fn with(change: impl FnOnce(&mut Settings)) -> App {
    let held = Held::new();
    held.end(1000);
    holding(&held, change)
}

fn holding(held: &Held, change: impl FnOnce(&mut Settings)) -> App {
    let mut settings = Settings::default();
    change(&mut settings);
    App::new("tests", "1.0.0").tool(held.tool()).settings(settings).build().unwrap()
}

fn list() -> Request<Full<bytes::Bytes>> {
    request(MODERN, "tools/list", json!({}))
}

fn with_header(name: &'static str, value: &str) -> Request<Full<bytes::Bytes>> {
    let mut request = list();
    request.headers_mut().insert(name, value.parse().unwrap());
    request
}

#[tokio::test]
async fn only_known_hosts_and_origins_come_in() {
    let service = greeting().service();
    for host in ["localhost", "localhost:8000", "127.0.0.1:1", "[::1]:80"] {
        assert_eq!(
            send(&service, with_header("host", host)).await.status,
            StatusCode::OK,
            "{host}"
        );
    }
    for host in ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "10.0.0.1"] {
        let answer = send(&service, with_header("host", host)).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{host}");
        assert!(answer.text.contains("--allow-host"));
    }
    for origin in ["http://localhost:3000", "http://127.0.0.1"] {
        let answer = send(&service, with_header("origin", origin)).await;
        assert_eq!(answer.status, StatusCode::OK, "{origin}");
        assert_eq!(answer.headers["access-control-allow-origin"], origin);
    }
    for origin in ["https://evil.example", "null", "http://localhost.evil.example", "file://"] {
        let answer = send(&service, with_header("origin", origin)).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{origin}");
        assert!(answer.headers.get("access-control-allow-origin").is_none());
    }
    let open = with(|settings| {
        settings.allowed_hosts = vec!["api.example.com".into()];
        settings.cors.origins = vec!["https://app.example.com".into()];
        settings.cors.credentials = true;
    });
    let service = open.service();
    assert_eq!(
        send(&service, with_header("host", "api.example.com:443")).await.status,
        StatusCode::OK
    );
    let answer = send(&service, with_header("origin", "https://app.example.com")).await;
    assert_eq!(answer.headers["access-control-allow-credentials"], "true");
    assert_eq!(
        send(&service, with_header("origin", "https://other.example.com")).await.status,
        StatusCode::FORBIDDEN
    );
}

/// An entry with a port is for that port alone.
#[tokio::test]
async fn an_allowed_host_may_have_a_port() {
    let app = with(|settings| settings.allowed_hosts = vec!["api.example.com:8443".into()]);
    for (host, expected) in [
        ("api.example.com:8443", StatusCode::OK),
        ("API.example.com:8443", StatusCode::OK),
        ("api.example.com", StatusCode::FORBIDDEN),
        ("api.example.com:9000", StatusCode::FORBIDDEN),
    ] {
        assert_eq!(
            send(&app.service(), with_header("host", host)).await.status,
            expected,
            "{host}"
        );
    }
}

#[tokio::test]
async fn pages_of_the_server_itself_may_call_it() {
    let service =
        with(|settings| settings.allowed_hosts = vec!["api.example.com".into()]).service();
    for (origin, expected) in [
        ("https://api.example.com", StatusCode::OK),
        ("https://API.example.com", StatusCode::OK),
        ("https://api.example.com:8443", StatusCode::FORBIDDEN),
        ("https://other.example.com", StatusCode::FORBIDDEN),
    ] {
        let mut request = with_header("origin", origin);
        request.headers_mut().insert("host", "api.example.com".parse().unwrap());
        let answer = send(&service, request).await;
        assert_eq!(answer.status, expected, "{origin}");
        assert!(answer.headers.get("access-control-allow-origin").is_none(), "{origin}");
    }
}

/// Cookies come along only if the operator wants it, and only from pages that are listed.
#[tokio::test]
async fn credentials_are_for_listed_origins() {
    let listed = "https://app.example.com";
    for (credentials, origin, expected) in [
        (true, listed, true),
        (false, listed, false),
        (true, "http://localhost:3000", false),
        (false, "http://localhost:3000", false),
    ] {
        let app = with(|settings| {
            settings.cors.origins = vec![listed.into()];
            settings.cors.credentials = credentials;
        });
        let answer = send(&app.service(), with_header("origin", origin)).await;
        assert_eq!(answer.headers["access-control-allow-origin"], origin);
        let may = answer.headers.get("access-control-allow-credentials").is_some();
        assert_eq!(may, expected, "{origin}, credentials: {credentials}");
    }
}

#[tokio::test]
async fn a_star_lets_everyone_in() {
    let app = with(|settings| settings.allowed_hosts = vec!["*".into()]);
    let answer = send(&app.service(), with_header("host", "any.example")).await;
    assert_eq!(answer.status, StatusCode::OK);
    let app = with(|settings| settings.cors.origins = vec!["*".into()]);
    let answer = send(&app.service(), with_header("origin", "https://any.example")).await;
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(answer.headers["access-control-allow-origin"], "https://any.example");
}

#[tokio::test]
async fn large_requests_are_refused() {
    let service = with(|settings| settings.max_request_bytes = 1000).service();
    let big = request(MODERN, "tools/call", json!({ "name": "wait", "x": "y".repeat(2000) }));
    let answer = send(&service, big).await;
    assert_eq!(answer.status, StatusCode::PAYLOAD_TOO_LARGE);
    assert!(answer.text.contains("larger than 1000 bytes"));
}

#[tokio::test]
async fn too_many_at_once_are_told_to_come_back() {
    let held = Held::new();
    let service = holding(&held, |settings| settings.max_concurrent = 1).service();
    let slow = tokio::spawn({
        let service = service.clone();
        async move { send(&service, request(MODERN, "tools/call", json!({ "name": "wait" }))).await }
    });
    held.begun().await;
    let answer = send(&service, list()).await;
    assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(answer.headers["retry-after"], "1");
    held.end(1);
    assert_eq!(slow.await.unwrap().status, StatusCode::OK);
    assert_eq!(send(&service, list()).await.status, StatusCode::OK);
}

#[tokio::test]
async fn the_rate_is_limited_for_each_client() {
    let service = with(|settings| settings.rate_limit = 2).service();
    let from = |address: &str| {
        let mut request = list();
        request.extensions_mut().insert(RemoteAddr(address.parse().unwrap()));
        request
    };
    let mut statuses = Vec::new();
    for _ in 0..6 {
        statuses.push(send(&service, from("192.0.2.1:5")).await.status);
    }
    assert_eq!(statuses[..4], [StatusCode::OK; 4], "a burst of twice the rate");
    assert_eq!(statuses[4], StatusCode::TOO_MANY_REQUESTS);
    let answer = send(&service, from("192.0.2.1:6")).await;
    assert!(answer.headers["retry-after"].to_str().unwrap().parse::<u64>().unwrap() >= 1);
    assert_eq!(send(&service, from("192.0.2.2:5")).await.status, StatusCode::OK);
}

/// A client can write whatever it likes before what our own proxy adds.
#[tokio::test]
async fn the_last_entry_of_a_proxy_is_the_client() {
    for as_lines in [false, true] {
        let app = with(|settings| {
            settings.rate_limit = 1;
            settings.client_ip_header = Some("x-forwarded-for".into());
        });
        let mut statuses = Vec::new();
        for number in 0..30 {
            let forged = format!("9.9.9.{number}");
            let (mut parts, body) = list().into_parts();
            let entries = match as_lines {
                true => vec![forged, "10.0.0.1".to_owned()],
                false => vec![format!("{forged}, 10.0.0.1")],
            };
            for entry in entries {
                parts.headers.append("x-forwarded-for", entry.parse().unwrap());
            }
            let request = Request::from_parts(parts, body);
            statuses.push(send(&app.service(), request).await.status);
        }
        let is_limited = statuses.contains(&StatusCode::TOO_MANY_REQUESTS);
        assert!(is_limited, "as lines: {as_lines}, {statuses:?}");
    }
}

#[tokio::test]
async fn health_and_metrics() {
    let service = greeting().service();
    let get =
        |path: &str| Request::get(format!("http://localhost{path}")).body(Full::default()).unwrap();
    for path in ["/healthz", "/readyz"] {
        assert_eq!(send(&service, get(path)).await.status, StatusCode::OK);
    }
    let call = json!({ "name": "greeting", "arguments": { "name": "Ada" } });
    send(&service, request(MODERN, "tools/call", call)).await;
    let text = send(&service, get("/metrics")).await.text;
    assert!(
        text.contains(
            r#"widgetcast_tool_calls_total{tool="greeting",surface="mcp-apps",outcome="ok"} 1"#
        ),
        "{text}"
    );
    assert!(text.ends_with("# EOF\n"), "{text}");
    let bad = json!({ "name": "greeting", "arguments": { "name": 7 } });
    send(&service, request(MODERN, "tools/call", bad)).await;
    send(&service, request(MODERN, "no/such", json!({}))).await;
    let text = send(&service, get("/metrics")).await.text;
    for line in [
        r#"widgetcast_tool_calls_total{tool="greeting",surface="mcp-apps",outcome="ok"} 1"#,
        r#"widgetcast_tool_calls_total{tool="greeting",surface="mcp-apps",outcome="error"} 1"#,
        r#"widgetcast_tool_call_seconds_count{tool="greeting"} 2"#,
        // The request for the metrics itself.
        "widgetcast_requests_running 1",
        // Two probes, two calls, the metrics before.
        r#"widgetcast_http_requests_total{status="200"} 5"#,
        r#"widgetcast_http_requests_total{status="404"} 1"#,
        "widgetcast_reloads_total 0",
    ] {
        assert!(text.lines().any(|known| known == line), "{line} is not in\n{text}");
    }
    assert_eq!(send(&service, get("/else")).await.status, StatusCode::NOT_FOUND);
    // Names that are no tools are counted together: labels are kept for ever.
    for name in ["x1", "x2"] {
        send(&service, request(MODERN, "tools/call", json!({ "name": name }))).await;
    }
    let text = send(&service, get("/metrics")).await.text;
    assert!(!text.contains("x1"), "{text}");
    let others =
        r#"widgetcast_tool_calls_total{tool="other",surface="mcp-apps",outcome="unknown"} 2"#;
    assert!(text.contains(others), "{text}");
}

#[tokio::test]
async fn the_endpoint_answers_at_the_root_where_it_is_nested_and_with_a_slash() {
    let router = axum::Router::new().nest_service("/tools/mcp", greeting().service());
    for path in ["/tools/mcp", "/tools/mcp/"] {
        let (mut parts, body) = list().into_parts();
        parts.uri = format!("http://localhost{path}").parse().unwrap();
        let request = Request::from_parts(parts, axum::body::Body::new(body));
        let response = router.clone().oneshot(request).await.unwrap();
        assert_eq!(response.status(), StatusCode::OK, "{path}");
    }
}

#[tokio::test]
async fn other_methods_are_not_allowed() {
    let service = greeting().service();
    for method in ["GET", "DELETE", "PUT"] {
        let request = Request::builder()
            .method(method)
            .uri("http://localhost/mcp")
            .header("accept", "text/event-stream")
            .header("mcp-protocol-version", MODERN)
            .body(Full::default())
            .unwrap();
        let answer = send(&service, request).await;
        assert_eq!(answer.status, StatusCode::METHOD_NOT_ALLOWED, "{method}");
        assert!(answer.headers.contains_key("allow"));
    }
}

#[tokio::test]
async fn a_client_with_a_handshake_hears_of_changes_on_its_stream() {
    let app = greeting();
    let request = Request::get("http://localhost/mcp")
        .header("accept", "text/event-stream")
        .header("mcp-protocol-version", "2025-11-25")
        .body(Full::<bytes::Bytes>::default())
        .unwrap();
    let Ok(response) = app.service().oneshot(request).await;
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let mut body = response.into_body();
    app.announce(Change::Tools);
    let frame = body.frame().await.unwrap().unwrap().into_data().unwrap();
    let text = String::from_utf8(frame.to_vec()).unwrap();
    let message = text.lines().find_map(|line| line.strip_prefix("data: ")).unwrap();
    let message: serde_json::Value = serde_json::from_str(message).unwrap();
    assert_eq!(message["method"], "notifications/tools/list_changed");
    crate::schema::check("2025-11-25", "ToolListChangedNotification", &message);
}

#[tokio::test]
async fn a_listener_without_sessions_hears_of_changes() {
    let app = greeting();
    let accepted = json!({
        "toolsListChanged": true, "resourceSubscriptions": ["widget://greeting/schema"],
    });
    let mut wanted = accepted.clone();
    // The app has no prompts, so their list cannot change.
    wanted["promptsListChanged"] = json!(true);
    let sent = json!({ "notifications": wanted });
    let Ok(response) = app.service().oneshot(request(MODERN, "subscriptions/listen", sent)).await;
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let mut body = response.into_body();
    let mut heard = Vec::new();
    for change in [
        None,
        Some(Change::Tools),
        Some(Change::Prompts),
        Some(Change::Resource("widget://greeting/schema".into())),
    ] {
        if let Some(change) = change {
            app.announce(change.clone());
            if change == Change::Prompts {
                continue;
            }
        }
        let message = loop {
            let frame = tokio::time::timeout(Duration::from_secs(60), body.frame()).await;
            let frame = frame.expect("in time").unwrap().unwrap().into_data().unwrap();
            let text = String::from_utf8(frame.to_vec()).unwrap();
            if let Some(data) = text.lines().find_map(|line| line.strip_prefix("data: ")) {
                break serde_json::from_str::<serde_json::Value>(data).unwrap();
            }
        };
        assert_eq!(message["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], 7);
        if heard.is_empty() {
            assert_eq!(message["params"]["notifications"], accepted);
        }
        heard.push(message["method"].as_str().unwrap().to_owned());
    }
    assert_eq!(
        heard,
        [
            "notifications/subscriptions/acknowledged",
            "notifications/tools/list_changed",
            "notifications/resources/updated"
        ]
    );
}

#[tokio::test]
async fn progress_comes_before_the_result() {
    let app = App::new("tests", "1.0.0")
        .tool(
            Tool::new("work", |ctx: Ctx, _: serde_json::Value| async move {
                for step in 1..=3 {
                    ctx.progress((step, 3), "working").await;
                }
                "done"
            })
            .input_schema(json!({ "type": "object" })),
        )
        .build()
        .unwrap();
    for era in [MODERN, "2025-11-25"] {
        let sent = json!({ "name": "work", "_meta": { "progressToken": "t" } });
        let answer = send(&app.service(), request(era, "tools/call", sent)).await;
        assert_eq!(answer.headers["content-type"], "text/event-stream");
        let events = answer.events();
        assert_eq!(events.len(), 4, "{era} {events:#?}");
        for (index, event) in events[..3].iter().enumerate() {
            assert_eq!(event["method"], "notifications/progress");
            assert_eq!(event["params"]["progressToken"], "t");
            assert_eq!(event["params"]["progress"].as_f64(), Some(index as f64 + 1.0));
            crate::schema::check(era, "ProgressNotification", event);
        }
        assert_eq!(events[3]["result"]["content"][0]["text"], "done");
    }
    // No one asked: a plain answer.
    let answer =
        send(&app.service(), request(MODERN, "tools/call", json!({ "name": "work" }))).await;
    assert_eq!(answer.headers["content-type"], "application/json");
}

/// A server on a real socket.
pub(crate) async fn serve(
    app: App,
) -> (std::net::SocketAddr, tokio::sync::oneshot::Sender<()>, tokio::task::JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let server = tokio::spawn(async move {
        let stopped = async { _ = stopped.await };
        app.serve_listener(listener, stopped).await.unwrap();
    });
    (address, stop, server)
}

pub(crate) fn call_text(tool: &str) -> String {
    let body =
        json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": tool } })
            .to_string();
    format!(
        "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    )
}

#[tokio::test]
async fn stopping_lets_running_calls_finish() {
    let held = Held::new();
    let (address, stop, server) = serve(holding(&held, |_| {})).await;
    let mut busy = TcpStream::connect(address).await.unwrap();
    busy.write_all(call_text("wait").as_bytes()).await.unwrap();
    held.begun().await;
    let mut idle = TcpStream::connect(address).await.unwrap();
    idle.write_all(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n").await.unwrap();
    assert!(idle.read(&mut [0; 1024]).await.unwrap() > 0);
    stop.send(()).unwrap();
    held.end(1);
    let mut answer = String::new();
    busy.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 OK") && answer.contains("Done."), "{answer}");
    let mut rest = Vec::new();
    idle.read_to_end(&mut rest).await.unwrap();
    tokio::time::timeout(Duration::from_secs(60), server).await.expect("stopped").unwrap();
    assert!(TcpStream::connect(address).await.is_err(), "nothing listens any more");
}

#[tokio::test]
async fn a_server_that_is_dropped_leaves_nothing_behind() {
    let (address, _stop, server) = serve(with(|_| {})).await;
    let mut stream = TcpStream::connect(address).await.unwrap();
    let head = "GET /mcp HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\n\r\n";
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = [0; 1024];
    assert!(stream.read(&mut answer).await.unwrap() > 0 && answer.starts_with(b"HTTP/1.1 200 OK"));
    server.abort();
    let mut rest = Vec::new();
    let read = stream.read_to_end(&mut rest);
    tokio::time::timeout(Duration::from_secs(60), read).await.expect("closed").unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_head_that_does_not_end_gives_up_its_place() {
    let (address, _stop, _server) = serve(with(|settings| settings.max_connections = 1)).await;
    let began = tokio::time::Instant::now();
    let mut slow = TcpStream::connect(address).await.unwrap();
    slow.write_all(b"POST /mcp HTTP/1.1\r\nhost:").await.unwrap();
    let mut next = TcpStream::connect(address).await.unwrap();
    next.write_all(call_text("wait").as_bytes()).await.unwrap();
    let mut answer = [0; 1024];
    let length = next.read(&mut answer).await.unwrap();
    let answer = String::from_utf8_lossy(&answer[..length]);
    assert!(answer.starts_with("HTTP/1.1 200 OK") && answer.contains("Done."), "{answer}");
    let took = began.elapsed().as_secs();
    assert!((10..=20).contains(&took), "{took} s");
    // Nor does a connection that is not used any more keep one.
    assert_eq!(next.read(&mut [0; 64]).await.unwrap(), 0);
}

#[tokio::test]
async fn a_caller_that_goes_away_stops_the_work() {
    let (began, mut begun) = tokio::sync::mpsc::channel::<()>(1);
    let (told, mut dropped) = tokio::sync::mpsc::channel::<bool>(1);
    struct Bell(tokio::sync::mpsc::Sender<bool>, Ctx);
    impl Drop for Bell {
        fn drop(&mut self) {
            _ = self.0.try_send(self.1.is_cancelled());
        }
    }
    let app = App::new("tests", "1.0.0")
        .tool(
            Tool::new("work", move |ctx: Ctx, _: serde_json::Value| {
                let (began, told) = (began.clone(), told.clone());
                async move {
                    // Work that was moved elsewhere hears of it, too.
                    let elsewhere = ctx.clone();
                    let bell = Bell(told, elsewhere.clone());
                    tokio::spawn(async move {
                        elsewhere.cancelled().await;
                        drop(bell);
                    });
                    _ = began.send(()).await;
                    tokio::time::sleep(Duration::from_secs(3600)).await;
                }
            })
            .input_schema(json!({ "type": "object" })),
        )
        .build()
        .unwrap();
    let (address, stop, server) = serve(app).await;
    for extra in ["", r#","_meta":{"progressToken":1}"#] {
        let body = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"work"{extra}}}}}"#
        );
        let mut peer = TcpStream::connect(address).await.unwrap();
        let head = format!(
            "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\naccept: */*\r\n\
             content-length: {}\r\n\r\n{body}",
            body.len()
        );
        peer.write_all(head.as_bytes()).await.unwrap();
        begun.recv().await.unwrap();
        drop(peer);
        // It may have closed its side only, so it is given a moment.
        let cancelled = tokio::time::timeout(Duration::from_secs(60), dropped.recv()).await;
        assert_eq!(cancelled.expect("in time"), Some(true), "{extra}");
    }
    drop(stop);
    tokio::time::timeout(Duration::from_secs(60), server).await.expect("stopped").unwrap();
}
