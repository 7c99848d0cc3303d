//! What one client can take from others over HTTP: memory, streams, places; and how a server stops.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bytes::Bytes;
use http::{Method, Request, StatusCode};
use http_body_util::{BodyExt as _, Full};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::Semaphore;
use widgetcast::http::{Body, RemoteAddr};
use widgetcast::{App, Ctx, Settings, Tool};

use crate::http::{call_text, serve};
use crate::talk::{Answer, Held, MODERN, greeting, request, send, send_raw};

const BIG: usize = 1 << 20;

/// An app whose tool `big` answers with a megabyte, and how often it was called.
fn big(change: impl FnOnce(&mut Settings)) -> (App, Arc<AtomicUsize>) {
    let held = Held::new();
    held.end(1000);
    big_and(&held, change)
}

fn big_and(held: &Held, change: impl FnOnce(&mut Settings)) -> (App, Arc<AtomicUsize>) {
    let calls = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&calls);
    let tool = move || {
        counted.fetch_add(1, Ordering::Relaxed);
        async { "x".repeat(BIG) }
    };
    let mut settings = Settings::default();
    change(&mut settings);
    let app = App::new("tests", "1.0.0")
        .tool(Tool::new("big", tool))
        .tool(Tool::new("small", || async { "small" }))
        .tool(held.tool())
        .tool(
            Tool::new("work", |ctx: Ctx, _: Value| async move {
                ctx.progress(1, "").await;
                tokio::task::yield_now().await;
                ctx.progress(2, "").await;
                "worked"
            })
            .input_schema(json!({ "type": "object" })),
        )
        .settings(settings)
        .build()
        .unwrap();
    (app, calls)
}

fn get(path: &str) -> Request<Full<Bytes>> {
    Request::get(format!("http://localhost{path}")).body(Full::default()).unwrap()
}

fn from(address: &str, mut request: Request<Full<Bytes>>) -> Request<Full<Bytes>> {
    request.extensions_mut().insert(RemoteAddr(address.parse().unwrap()));
    request
}

async fn metric(app: &App, name: &str) -> usize {
    let text = send(&app.service(), get("/metrics")).await.text;
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line.unwrap_or_else(|| panic!("no {name} in {text}")).parse().unwrap()
}

/// Waits until something holds; a test that waits in vain fails.
async fn until(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    for _ in 0..6000 {
        if holds().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("in vain: {what}");
}

/// A client for which the system buffers little.
async fn connect(address: SocketAddr) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(8 << 10).unwrap();
    socket.connect(address).await.unwrap()
}

/// One response: its head, and its body by the length that it tells.
async fn read_response(stream: &mut TcpStream) -> std::io::Result<String> {
    let mut bytes = Vec::new();
    let mut byte = [0];
    while !bytes.ends_with(b"\r\n\r\n") {
        if stream.read(&mut byte).await? == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        bytes.push(byte[0]);
    }
    let head = String::from_utf8(bytes).unwrap().to_ascii_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    let mut body = vec![0; length.map_or(0, |length| length.trim().parse().unwrap())];
    stream.read_exact(&mut body).await?;
    Ok(head + &String::from_utf8(body).unwrap())
}

#[tokio::test]
async fn what_nobody_reads_is_bounded() {
    let (app, _) = big(|settings| settings.max_buffered_bytes = 3 * BIG);
    let (address, _stop, _server) = serve(app.clone()).await;
    let mut clients = Vec::new();
    for _ in 0..12 {
        let mut client = connect(address).await;
        client.write_all(call_text("big").as_bytes()).await.unwrap();
        clients.push(client);
    }
    until("two responses are held", async || {
        metric(&app, "widgetcast_buffered_bytes").await > 2 * BIG
    })
    .await;
    until("all were called", async || {
        let text = send(&app.service(), get("/metrics")).await.text;
        text.contains(r#"tool_calls_total{tool="big",surface="mcp-apps",outcome="ok"} 12"#)
    })
    .await;
    assert!(metric(&app, "widgetcast_buffered_bytes").await <= 3 * BIG);
    // Whoever wants little is served, and whoever wants much is told when to come back.
    let mut other = connect(address).await;
    other.write_all(call_text("small").as_bytes()).await.unwrap();
    assert!(read_response(&mut other).await.unwrap().starts_with("http/1.1 200 ok"));
    other.write_all(call_text("big").as_bytes()).await.unwrap();
    let refused = read_response(&mut other).await.unwrap();
    assert!(
        refused.starts_with("http/1.1 503 ") && refused.contains("retry-after: 1"),
        "{refused}"
    );
    // A large request needs memory, too.
    let body = "x".repeat(2 * BIG);
    let answer = send_raw(&app.service(), &[("content-type", "application/json")], &body).await;
    assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
    drop(clients);
    until("all is given back", async || metric(&app, "widgetcast_buffered_bytes").await == 0).await;
}

/// The answers of a batch wait for the last of them, and count from the first.
#[tokio::test]
async fn batches_that_are_not_finished_are_bounded() {
    let held = Held::new();
    let (app, calls) = big_and(&held, |settings| settings.max_buffered_bytes = 8 * BIG);
    let service = app.service();
    let headers = [("content-type", "application/json"), ("accept", "application/json")];
    let call = |id: usize, tool: &str| json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": tool } });
    let tools = ["big", "big", "big", "wait"];
    let batch = Value::from_iter(tools.iter().enumerate().map(|(id, tool)| call(id, tool)));
    let (batch, service) = (batch.to_string(), &service);
    let first = async {
        let answer = send_raw(service, &headers, &batch).await;
        assert_eq!(answer.status, StatusCode::OK);
        assert!(answer.text.len() > 3 * BIG);
    };
    let others = async {
        held.begun().await;
        assert!(metric(&app, "widgetcast_buffered_bytes").await > 3 * BIG);
        // Whoever is beyond the bound is told to come back, before all is there.
        let others: Vec<_> = (0..8).map(|_| send_raw(service, &headers, &batch)).collect();
        let mut refused = 0;
        for other in futures_util::future::join_all(others.into_iter().map(|other| async {
            tokio::select! {
                answer = other => Some(answer.status),
                () = held.begun() => None,
            }
        }))
        .await
        {
            assert!(matches!(other, None | Some(StatusCode::SERVICE_UNAVAILABLE)), "{other:?}");
            refused += usize::from(other.is_some());
        }
        assert!(refused >= 6, "{refused}");
        assert!(metric(&app, "widgetcast_buffered_bytes").await <= 8 * BIG);
        held.end(1);
    };
    tokio::join!(first, others);
    assert!(calls.load(Ordering::Relaxed) >= 3);
    until("all is given back", async || metric(&app, "widgetcast_buffered_bytes").await == 0).await;
}

#[tokio::test]
async fn a_client_that_does_not_read_gets_one_answer_at_a_time() {
    let (app, calls) = big(|_| {});
    let (address, _stop, _server) = serve(app.clone()).await;
    let mut client = connect(address).await;
    let text = call_text("big").repeat(50);
    client.write_all(text.as_bytes()).await.unwrap();
    until("one is held", async || metric(&app, "widgetcast_buffered_bytes").await > 0).await;
    let mut other = connect(address).await;
    for _ in 0..50 {
        other.write_all(call_text("small").as_bytes()).await.unwrap();
        read_response(&mut other).await.unwrap();
    }
    assert_eq!(calls.load(Ordering::Relaxed), 1);
    for _ in 0..50 {
        let answer = read_response(&mut client).await.unwrap();
        assert!(answer.starts_with("http/1.1 200 ok") && answer.len() > BIG);
    }
}

/// Time passes as soon as everyone waits.
#[tokio::test(start_paused = true)]
async fn a_client_that_stops_reading_is_left() {
    let (app, _) = big(|settings| settings.write_timeout = Duration::from_secs(10));
    let (address, _stop, _server) = serve(app.clone()).await;
    let mut client = connect(address).await;
    client.write_all(call_text("big").as_bytes()).await.unwrap();
    until("it is held", async || metric(&app, "widgetcast_buffered_bytes").await > 0).await;
    until("it is given up", async || metric(&app, "widgetcast_buffered_bytes").await == 0).await;
    let mut all = Vec::new();
    _ = client.read_to_end(&mut all).await;
    assert!(all.len() < BIG, "{}", all.len());
}

async fn open(app: &App, request: Request<Full<Bytes>>) -> (StatusCode, http::HeaderMap, Body) {
    let (parts, body) = app.handle(request).await.into_parts();
    (parts.status, parts.headers, body)
}

#[tokio::test]
async fn streams_of_every_kind_have_one_limit() {
    let (app, _) = big(|settings| {
        settings.max_streams = 3;
        settings.max_streams_per_client = 2;
        settings.gallery = Some(true);
    });
    let listen = || request(MODERN, "subscriptions/listen", json!({ "notifications": {} }));
    let events = || {
        let mut request = get("/mcp");
        request.headers_mut().insert("accept", "text/event-stream".parse().unwrap());
        request
    };
    let (one, two) = ("192.0.2.1:1", "192.0.2.2:1");
    let first = open(&app, from(one, listen())).await;
    let second = open(&app, from(one, events())).await;
    assert_eq!((first.0, second.0), (StatusCode::OK, StatusCode::OK));
    for another in [listen(), events(), get("/gallery/events")] {
        let is_post = another.method() == Method::POST;
        let (status, headers, body) = open(&app, from(one, another)).await;
        assert_eq!(status, StatusCode::TOO_MANY_REQUESTS);
        assert!(headers.contains_key("retry-after"));
        let body = body.collect().await.unwrap().to_bytes();
        let body: Value = serde_json::from_slice(&body).unwrap();
        assert_eq!(body["error"]["code"], -32603);
        assert_eq!(body["id"] == 7, is_post, "{body}");
    }
    // Progress is told where there is a place; the work is done in any case.
    let sent = json!({ "name": "work", "_meta": { "progressToken": "t" } });
    let work = || request(MODERN, "tools/call", sent.clone());
    let answer = send(&app.service(), from(one, work())).await;
    assert_eq!(answer.headers["content-type"], "application/json");
    assert_eq!(answer.json()["result"]["content"][0]["text"], "worked");
    let answer = send(&app.service(), from(two, work())).await;
    assert_eq!(answer.headers["content-type"], "text/event-stream");

    let third = open(&app, from(two, get("/gallery/events"))).await;
    assert_eq!(third.0, StatusCode::OK);
    let (status, headers, _) = open(&app, from("192.0.2.3:1", listen())).await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(headers.contains_key("retry-after"));
    drop(third);
    assert_eq!(open(&app, from("192.0.2.3:1", listen())).await.0, StatusCode::OK);
}

/// How a client that keeps its connection fares while the server stops.
#[derive(Debug, PartialEq)]
enum End {
    /// It was told, or found the connection closed before it asked.
    Told,
    /// It asked and got no answer.
    Lost,
}

/// Calls again and again, until the connection ends.
async fn call_until_closed(address: SocketAddr, tool: &str) -> End {
    let Ok(mut stream) = TcpStream::connect(address).await else { return End::Told };
    let text = call_text(tool);
    loop {
        // Closed while nothing was asked.
        if matches!(stream.try_read(&mut [0]), Ok(0)) {
            return End::Told;
        }
        if stream.write_all(text.as_bytes()).await.is_err() {
            return End::Lost;
        }
        match read_response(&mut stream).await {
            Err(_) => return End::Lost,
            Ok(answer) if answer.contains("connection: close") => return End::Told,
            Ok(answer) => assert!(answer.starts_with("http/1.1 200 ok"), "{answer}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stopping_loses_no_request() {
    for round in 0..5 {
        let held = Held::new();
        let (app, _) = big_and(&held, |_| {});
        let (address, stop, server) = serve(app).await;
        let mut clients = Vec::new();
        for number in 0..64 {
            let tool = if number % 8 == 0 { "wait" } else { "small" };
            clients.push(tokio::spawn(call_until_closed(address, tool)));
        }
        // All that wait are running, and the others call while the server stops.
        for _ in 0..8 {
            held.begun().await;
        }
        stop.send(()).unwrap();
        // A client that is answered before the server stops calls again.
        held.end(1000);
        for client in clients {
            assert_eq!(client.await.unwrap(), End::Told, "round {round}");
        }
        tokio::time::timeout(Duration::from_secs(60), server).await.expect("stopped").unwrap();
    }
}

/// With a connection for each request: those that the system has accepted are answered.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stopping_loses_no_connection() {
    for round in 0..5 {
        let (app, _) = big(|_| {});
        let (address, stop, server) = serve(app).await;
        let answered = Arc::new(Semaphore::new(0));
        let clients: Vec<_> = (0..16)
            .map(|_| {
                let answered = Arc::clone(&answered);
                tokio::spawn(async move {
                    // Until the server does not listen any more.
                    while let Ok(mut stream) = TcpStream::connect(address).await {
                        let text = call_text("small");
                        if stream.write_all(text.as_bytes()).await.is_err()
                            || read_response(&mut stream).await.is_err()
                        {
                            return End::Lost;
                        }
                        answered.add_permits(1);
                    }
                    End::Told
                })
            })
            .collect();
        answered.acquire_many(64).await.unwrap().forget();
        stop.send(()).unwrap();
        for client in clients {
            assert_eq!(client.await.unwrap(), End::Told, "round {round}");
        }
        tokio::time::timeout(Duration::from_secs(60), server).await.expect("stopped").unwrap();
    }
}

#[tokio::test]
async fn a_server_that_stops_is_not_ready() {
    let held = Held::new();
    let (app, _) = big_and(&held, |_| {});
    let (address, stop, server) = serve(app).await;
    let (mut busy, mut probe) = (connect(address).await, connect(address).await);
    let ready = "GET /readyz HTTP/1.1\r\nhost: localhost\r\n\r\n";
    probe.write_all(ready.as_bytes()).await.unwrap();
    assert!(read_response(&mut probe).await.unwrap().starts_with("http/1.1 200"));
    busy.write_all(call_text("wait").as_bytes()).await.unwrap();
    held.begun().await;
    stop.send(()).unwrap();
    let mut answer = "http/1.1 200".to_owned();
    while answer.starts_with("http/1.1 200") {
        probe.write_all(ready.as_bytes()).await.unwrap();
        answer = read_response(&mut probe).await.unwrap();
    }
    assert!(answer.starts_with("http/1.1 503") && answer.contains("connection: close"), "{answer}");
    held.end(1);
    let answer = read_response(&mut busy).await.unwrap();
    assert!(answer.starts_with("http/1.1 200") && answer.contains("connection: close"), "{answer}");
    tokio::time::timeout(Duration::from_secs(60), server).await.expect("stopped").unwrap();
}

/// The name in `Host` is the client's word; where it comes from is not.
#[tokio::test]
async fn the_gallery_is_for_clients_of_this_machine() {
    let app = greeting();
    let index = || get("/gallery/index.json");
    let status = async |request| send(&app.service(), request).await.status;
    for local in ["127.0.0.1:1", "[::1]:1", "[::ffff:127.0.0.1]:1"] {
        assert_eq!(status(from(local, index())).await, StatusCode::OK, "{local}");
    }
    assert_eq!(status(from("192.0.2.1:1", index())).await, StatusCode::NOT_FOUND);
    assert_eq!(status(index()).await, StatusCode::NOT_FOUND, "nobody knows where it comes from");
    for header in ["x-forwarded-for", "forwarded", "x-real-ip", "via"] {
        let mut request = from("127.0.0.1:1", index());
        request.headers_mut().insert(header, "203.0.113.9".parse().unwrap());
        assert_eq!(status(request).await, StatusCode::NOT_FOUND, "{header}");
    }
    // A proxy that was told nothing else speaks HTTP/1.0 and tells nothing of itself.
    let mut request = from("127.0.0.1:1", index());
    *request.version_mut() = http::Version::HTTP_10;
    assert_eq!(status(request).await, StatusCode::NOT_FOUND);
    let (address, _stop, _server) = serve(app.clone()).await;
    let mut client = connect(address).await;
    let head = "GET /gallery/index.json HTTP/1.1\r\nhost: localhost\r\n\r\n";
    client.write_all(head.as_bytes()).await.unwrap();
    assert!(read_response(&mut client).await.unwrap().starts_with("http/1.1 200"));
}

/// A second origin would be one that no one looked at.
#[tokio::test]
async fn a_second_origin_is_refused() {
    let app = greeting();
    for (first, second) in [("http://localhost", "https://evil.example"), ("null", "null")] {
        let mut request = get("/mcp");
        request.headers_mut().append("origin", first.parse().unwrap());
        request.headers_mut().append("origin", second.parse().unwrap());
        let answer = send(&app.service(), request).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST);
        assert!(answer.text.contains("more than one Origin"), "{}", answer.text);
    }
}

#[tokio::test]
async fn a_refused_body_is_answered_before_the_connection_closes() {
    let (app, _) = big(|settings| settings.max_request_bytes = BIG);
    let (address, _stop, _server) = serve(app).await;
    for (head, status) in [
        ("POST /mcp HTTP/1.1\r\nhost: localhost", "413"),
        ("POST /mcp HTTP/1.1\r\nhost: evil.example", "403"),
        ("POST /nothing HTTP/1.1\r\nhost: localhost", "404"),
        ("POST /gallery/draw HTTP/1.1\r\nhost: localhost", "415"),
    ] {
        let mut client = TcpStream::connect(address).await.unwrap();
        let bytes = 4 * BIG;
        let head = format!("{head}\r\ncontent-length: {bytes}\r\n\r\n");
        client.write_all(head.as_bytes()).await.unwrap();
        // All of it, as a simple client does, and only then the answer.
        client.write_all(&vec![b' '; bytes]).await.unwrap();
        let answer = read_response(&mut client).await.unwrap();
        assert!(answer.starts_with(&format!("http/1.1 {status}")), "{answer}");
        assert!(answer.contains("connection: close"), "{answer}");
    }
}

#[tokio::test]
async fn a_client_that_sends_no_more_gets_its_answer() {
    let (app, _) = big(|_| {});
    let (address, _stop, _server) = serve(app).await;
    for tool in ["small", "wait", "big"] {
        let mut client = connect(address).await;
        client.write_all(call_text(tool).as_bytes()).await.unwrap();
        client.shutdown().await.unwrap();
        let mut answer = String::new();
        client.read_to_string(&mut answer).await.unwrap();
        assert!(answer.starts_with("HTTP/1.1 200 OK") && answer.contains("result"), "{tool}");
    }
}

/// Calls of clients that have closed their side hold a thread of the runtime each. They hold one at a time, so
/// another answers the client that is there.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn those_who_have_left_do_not_hold_up_others() {
    use std::sync::{Condvar, Mutex};

    #[derive(Default)]
    struct State {
        inside: usize,
        most: usize,
        is_over: bool,
    }
    let state = Arc::new((Mutex::new(State::default()), Condvar::new()));
    let (begun, mut has_begun) = tokio::sync::mpsc::unbounded_channel();
    let shared = Arc::clone(&state);
    let slow = move || {
        let (state, changed) = &*shared;
        let mut state = state.lock().unwrap();
        state.inside += 1;
        state.most = state.most.max(state.inside);
        begun.send(()).unwrap();
        changed.notify_all();
        let holds = |state: &mut State| !state.is_over && state.most == 1;
        changed.wait_while(state, holds).unwrap().inside -= 1;
        async { "done" }
    };
    let app = App::new("tests", "1.0.0")
        .tool(Tool::new("slow", slow))
        .tool(Tool::new("small", || async { "small" }))
        .build()
        .unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    for _ in 0..8 {
        let mut client = TcpStream::connect(address).await.unwrap();
        client.write_all(call_text("slow").as_bytes()).await.unwrap();
    }
    // The kernel may take a moment to tell the listener. `08` is `CLOSE_WAIT`.
    let left = format!(":{:04X} ", address.port());
    let has_left = |line: &&str| {
        let of_listener =
            line.split_once(": ").is_some_and(|(_, rest)| rest[8..].starts_with(&left));
        of_listener && line.split_whitespace().nth(3) == Some("08")
    };
    let sockets = || std::fs::read_to_string("/proc/net/tcp").unwrap();
    until("all have left", async || sockets().lines().filter(has_left).count() == 8).await;
    let serve = async move { app.serve_listener(listener, std::future::pending()).await };
    let _server = tokio::spawn(serve);
    has_begun.recv().await.unwrap();
    let mut client = connect(address).await;
    client.write_all(call_text("small").as_bytes()).await.unwrap();
    assert!(read_response(&mut client).await.unwrap().contains("small"));
    let (state, changed) = &*state;
    let mut state = state.lock().unwrap();
    state.is_over = true;
    changed.notify_all();
    assert_eq!(state.most, 1);
}

#[tokio::test]
async fn two_hosts_are_one_too_many() {
    let mut request = request(MODERN, "tools/list", json!({}));
    request.headers_mut().append("host", "localhost".parse().unwrap());
    request.headers_mut().append("host", "localhost".parse().unwrap());
    assert_eq!(send(&greeting().service(), request).await.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn head_is_get_without_the_body() {
    let service = greeting().service();
    for path in ["/healthz", "/readyz", "/metrics", "/", "/gallery/index.json"] {
        let got = send(&service, from("127.0.0.1:1", get(path))).await;
        let mut request = from("127.0.0.1:1", get(path));
        *request.method_mut() = Method::HEAD;
        let head = send(&service, request).await;
        assert_eq!((head.status, &*head.text), (StatusCode::OK, ""), "{path}");
        assert_eq!(head.headers["content-type"], got.headers["content-type"], "{path}");
        let length: usize = head.headers["content-length"].to_str().unwrap().parse().unwrap();
        assert!(length == got.text.len() || path == "/metrics", "{path}");
    }
}

#[tokio::test]
async fn a_network_of_ipv6_is_one_client() {
    let (app, _) = big(|settings| {
        settings.rate_limit = 1;
        settings.client_ip_header = Some("x-forwarded-for".into());
    });
    let status = async |client: &str| {
        let mut request = request(MODERN, "tools/list", json!({}));
        request.headers_mut().insert("x-forwarded-for", client.parse().unwrap());
        send(&app.service(), from("127.0.0.1:1", request)).await.status
    };
    for same in [
        ["2001:db8:1::1", "2001:db8:1::2", "[2001:db8:1::3]", "[2001:db8:1::4]:443"],
        ["192.0.2.7", "192.0.2.7:1000", "192.0.2.7:1001", "::ffff:192.0.2.7"],
    ] {
        let mut statuses = Vec::new();
        for client in same {
            statuses.push(status(client).await);
        }
        assert_eq!(statuses[..2], [StatusCode::OK; 2], "{same:?}");
        assert_eq!(statuses[2..], [StatusCode::TOO_MANY_REQUESTS; 2], "{same:?}");
    }
    for other in ["2001:db8:1:1::1", "192.0.2.8", "192.0.2.9:1000"] {
        assert_eq!(status(other).await, StatusCode::OK, "{other}");
    }
}

#[tokio::test]
async fn clients_elsewhere_are_limited_by_default() {
    let (app, _) = big(|_| {});
    let ping = || request("2025-11-25", "ping", json!({}));
    let mut refused = [0; 2];
    for _ in 0..1000 {
        for (refused, address) in refused.iter_mut().zip(["192.0.2.1:1", "127.0.0.1:1"]) {
            let status = send(&app.service(), from(address, ping())).await.status;
            *refused += usize::from(status == StatusCode::TOO_MANY_REQUESTS);
        }
    }
    assert!(refused[0] > 0, "{refused:?}");
    assert_eq!(refused[1], 0, "programs of this machine are not");
}

#[tokio::test]
async fn every_answer_has_its_security_headers() {
    let service = greeting().service();
    let local = |request| from("127.0.0.1:1", request);
    let mut forbidden = get("/mcp");
    forbidden.headers_mut().insert("host", "evil.example".parse().unwrap());
    let mut broken = request(MODERN, "tools/list", json!({}));
    *broken.body_mut() = Full::from("{");
    let answers: Vec<(&str, Answer)> = vec![
        ("result", send(&service, request(MODERN, "tools/list", json!({}))).await),
        ("error", send(&service, request(MODERN, "no/such", json!({}))).await),
        ("broken", send(&service, broken).await),
        ("health", send(&service, get("/healthz")).await),
        ("metrics", send(&service, get("/metrics")).await),
        ("nothing", send(&service, get("/nothing")).await),
        ("forbidden", send(&service, forbidden).await),
        ("gallery", send(&service, local(get("/"))).await),
        ("index", send(&service, local(get("/gallery/index.json"))).await),
    ];
    for (what, answer) in answers {
        assert_eq!(answer.headers["x-content-type-options"], "nosniff", "{what}");
        assert_eq!(answer.headers["referrer-policy"], "no-referrer", "{what}");
        assert_eq!(answer.headers["cross-origin-resource-policy"], "same-origin", "{what}");
        let cache = if what == "gallery" { "no-cache" } else { "no-store" };
        assert_eq!(answer.headers["cache-control"], cache, "{what}");
    }
}

#[tokio::test]
async fn metrics_can_be_kept_from_others() {
    let (app, _) = big(|settings| settings.metrics_token = Some("secret".into()));
    for (shown, status) in [
        (None, StatusCode::UNAUTHORIZED),
        (Some("Bearer secre"), StatusCode::UNAUTHORIZED),
        (Some("Bearer secrets"), StatusCode::UNAUTHORIZED),
        (Some("Bearer Secret"), StatusCode::UNAUTHORIZED),
        (Some("secret"), StatusCode::UNAUTHORIZED),
        (Some("Bearer secret"), StatusCode::OK),
    ] {
        let mut request = get("/metrics");
        if let Some(shown) = shown {
            request.headers_mut().insert("authorization", shown.parse().unwrap());
        }
        let answer = send(&app.service(), request).await;
        assert_eq!(answer.status, status, "{shown:?}");
        assert_eq!(answer.text.contains("widgetcast_"), status == StatusCode::OK, "{shown:?}");
    }

    // A port that is free, most likely.
    let free = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let metrics = free.local_addr().unwrap();
    drop(free);
    let (app, _) = big(|settings| settings.metrics_address = Some(metrics));
    let (public, stop, server) = serve(app).await;
    until("it listens", async || TcpStream::connect(metrics).await.is_ok()).await;
    for (address, path, status) in [
        (public, "/metrics", "404"),
        (public, "/healthz", "200"),
        (metrics, "/metrics", "200"),
        (metrics, "/healthz", "200"),
        (metrics, "/readyz", "200"),
        (metrics, "/", "404"),
        (metrics, "/mcp", "404"),
        (metrics, "/gallery/index.json", "404"),
    ] {
        let mut client = connect(address).await;
        // By the name that it has inside a network, for instance.
        let host = if address == metrics { "metrics.internal" } else { "localhost" };
        let text = format!("GET {path} HTTP/1.1\r\nhost: {host}\r\n\r\n");
        client.write_all(text.as_bytes()).await.unwrap();
        let answer = read_response(&mut client).await.unwrap();
        assert!(answer.starts_with(&format!("http/1.1 {status}")), "{path}: {answer}");
    }
    stop.send(()).unwrap();
    tokio::time::timeout(Duration::from_secs(60), server).await.expect("stopped").unwrap();
    assert!(TcpStream::connect(metrics).await.is_err());
}

/// The id of a request connects what the client has with what the operator has.
#[tokio::test]
async fn a_request_has_an_id_in_the_log_and_in_the_answer() {
    let heard = Arc::new(std::sync::Mutex::new(Vec::new()));
    let told = Arc::clone(&heard);
    let app = App::new("tests", "1.0.0")
        .tool(Tool::new("panics", async || -> String { panic!("on purpose") }))
        .resource(widgetcast::Resource::new("x://y", "y", async |_: widgetcast::Vars| {
            Err::<String, _>(widgetcast::ToolError::public("gone"))
        }))
        .on_event(move |event| {
            if let widgetcast::Event::Failed { request, .. } = event {
                told.lock().unwrap().push(request.map(str::to_owned));
            }
        })
        .build()
        .unwrap();
    let long = "x".repeat(129);
    for given in [Some("abc-123"), Some("two words"), Some(&*long), None] {
        let with_id = |mut request: Request<Full<Bytes>>| {
            if let Some(given) = given {
                request.headers_mut().insert("x-request-id", given.parse().unwrap());
            }
            request
        };
        let call = request(MODERN, "tools/call", json!({ "name": "panics" }));
        let answer = send(&app.service(), with_id(call)).await;
        let id = heard.lock().unwrap().pop().unwrap().unwrap();
        assert!(answer.text.contains(&format!("failed (id {id})\"")), "{}", answer.text);
        let echoed = answer.headers.get("x-request-id").map(|id| id.to_str().unwrap().to_owned());
        match given {
            Some("abc-123") => assert_eq!((&*id, echoed.as_deref()), ("abc-123", Some("abc-123"))),
            _ => assert_eq!((id.len(), echoed), (16, None)),
        }
        let read = request(MODERN, "resources/read", json!({ "uri": "x://y" }));
        let answer = send(&app.service(), with_id(read)).await.json();
        let id = answer["error"]["data"]["requestId"].as_str().unwrap();
        assert!(id == "abc-123" || id.len() == 16, "{answer}");
    }
}

/// What others keep stays, however much one caller puts next to it.
#[tokio::test]
async fn one_caller_does_not_push_out_another() {
    let app = greeting();
    let call = async |client: &str, tool: &str, arguments: Value| {
        let sent = json!({ "name": tool, "arguments": arguments });
        send(&app.service(), from(client, request(MODERN, "tools/call", sent))).await.json()
    };
    let key = async |client: &str, name: &str| {
        let shown = call(client, "greeting", json!({ "name": name })).await;
        shown["result"]["_meta"]["widgetcast/view"]["state"].clone()
    };
    let mine = key("127.0.0.1:1", "Ada").await;
    call("127.0.0.1:1", "widgetcast_state", json!({ "view": mine, "state": "mine" })).await;
    for _ in 0..150 {
        let key = key("192.0.2.1:1", "Eve").await;
        let state = json!({ "view": key, "state": "x".repeat(65_000) });
        let kept = call("192.0.2.1:1", "widgetcast_state", state).await;
        assert_eq!(kept["result"]["content"][0]["text"], "Kept.", "{kept}");
    }
    let kept = call("127.0.0.1:1", "widgetcast_state", json!({ "view": mine })).await;
    assert_eq!(kept["result"]["structuredContent"]["state"], "mine");
}

/// What JSON-RPC leaves open is refused in its own words, and an id that is valid comes back as it is.
#[tokio::test]
async fn ids_and_members_by_the_letter() {
    let service = greeting().service();
    let headers = [("content-type", "application/json"), ("accept", "application/json")];
    for (message, code, id) in [
        (r#"{"jsonrpc":"2.0","jsonrpc":"2.0","id":5,"method":"ping"}"#, -32600, json!(5)),
        (r#"{"jsonrpc":"2.0","id":5,"method":"ping","method":"tools/list"}"#, -32600, json!(5)),
        (r#"{"jsonrpc":"2.0","id":5,"method":"ping","params":{},"params":{}}"#, -32600, json!(5)),
        (r#"{"jsonrpc":"2.0","id":5,"id":6,"method":"ping"}"#, -32600, Value::Null),
        (r#"{"jsonrpc":"2.0","id":18446744073709551616,"method":"ping"}"#, -32600, Value::Null),
        (r#"{"jsonrpc":"2.0","id":-9223372036854775809,"method":"ping"}"#, -32600, Value::Null),
        (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32600, Value::Null),
        (r#"{"jsonrpc":"2.0","id":1e3,"method":"ping"}"#, -32600, Value::Null),
        (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600, Value::Null),
        (r#"{"jsonrpc":"2.0","id":"\ud800","method":"ping"}"#, -32600, Value::Null),
        (r#"{"jsonrpc":"2.0","id":"\ud800","method":"no/such"}"#, -32600, Value::Null),
    ] {
        let answer = send_raw(&service, &headers, message).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{message}");
        let answer = answer.json();
        assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(code), &id), "{message}");
    }
    for id in ["9223372036854775808", "18446744073709551615", "-1", r#""\ud83d\ude00""#, r#""""#] {
        for (method, status) in [("ping", StatusCode::OK), ("no/such", StatusCode::OK)] {
            let message = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}"}}"#);
            let answer = send_raw(&service, &headers, &message).await;
            assert_eq!(answer.status, status, "{message}");
            let known: Value = serde_json::from_str(id).unwrap();
            assert_eq!(answer.json()["id"], known, "{message}");
        }
    }
}
