//! The front over HTTP: sessions, callers, limits, faults, and what is left when a session has ended.

use std::path::{Path, PathBuf};
use std::time::Duration;

use http::{HeaderMap, Request, Response, StatusCode};
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use tokio::task::JoinHandle;
use widgetcast::auth::BearerKeys;
use widgetcast::http::Body;
use widgetcast::middleware::QuotaLimits;
use widgetcast::{Access, App, Builder, Caller, Settings, Tool};
use widgetcast_wrap::{Servers, SessionLimits, Sessions, Upstream, Wrap};

const ADA: (&str, &str) = ("authorization", "Bearer the key of ada, which is long");
const BOB: (&str, &str) = ("authorization", "Bearer the key of bob, which is long");

/// A server in shell, which holds the pipe of its first argument open, and so does what it starts.
const SERVER: &str = r#"
[ -n "$1" ] && exec 7>"$1" && { sleep 1000 & }
say() { printf '{"jsonrpc":"2.0",%s}\n' "$1"; }
while IFS= read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\("*[a-z0-9]*"*\).*/\1/p')
  case "$line" in
    *'"initialize"'*) say '"id":'"$id"',"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"shell","version":"1"}}';;
    *'"tools/list"'*) say '"id":'"$id"',"result":{"tools":[{"name":"pid","inputSchema":{"type":"object"}},{"name":"refund","inputSchema":{"type":"object"}}]}';;
    *'/cancelled"'*) say '"method":"was/cancelled"';;
    *'"hang"'*) say '"method":"now/hanging"';;
    *'"die"'*) exit 3;;
    *'"flood"'*) while say '"method":"flood/more"' 2>/dev/null; do :; done; exit;;
    *'"ask"'*) say '"id":"s1","method":"roots/list"'; asked=$id;;
    *'"s1"'*) say '"id":'"$asked"',"result":{"content":[{"type":"text","text":"thanks"}]}';;
    *'{"traceparent":"00-ab","tracestate":"x=1"}'*) say '"id":'"$id"',"result":{"content":[{"type":"text","text":"traced"}]}';;
    *'"tools/call"'*) say '"id":'"$id"',"result":{"content":[{"type":"text","text":"{\"pid\":'$$',\"kind\":\"shell\"}"}]}';;
    *'"id"'*'"method"'*) say '"id":'"$id"',"error":{"code":-32601,"message":"no"}';;
  esac
done
"#;

fn shell(pipe: Option<&Path>) -> Upstream {
    let pipe = pipe.map(|path| path.display().to_string()).unwrap_or_default();
    Upstream::command("sh", ["-c".to_owned(), SERVER.to_owned(), "sh".to_owned(), pipe])
}

/// A pipe that a server holds open, and the end of everyone who does.
fn pipe(folder: &Path) -> (PathBuf, JoinHandle<()>) {
    let path = folder.join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    let read = path.clone();
    let ended = tokio::task::spawn_blocking(move || _ = std::fs::read(read).unwrap());
    (path, ended)
}

async fn soon<T>(what: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(60), what).await.expect("in time")
}

struct Front {
    app: App,
    sessions: Sessions,
}

impl Front {
    fn new(upstream: Upstream) -> Self {
        Self::of(App::new("tests", "1.0.0"), upstream, SessionLimits::default())
    }

    fn of(app: Builder, servers: impl Into<Servers>, limits: SessionLimits) -> Self {
        let (app, sessions) = Wrap::new(app.build().unwrap(), servers).mount(limits);
        Self { app, sessions }
    }

    async fn send(&self, method: &str, headers: &[(&str, &str)], body: String) -> Response<Body> {
        let mut request = Request::builder()
            .method(method)
            .uri("/mcp")
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        soon(self.app.handle(request.body(body).unwrap())).await
    }

    async fn post(&self, headers: &[(&str, &str)], message: &Value) -> Response<Body> {
        self.send("POST", headers, message.to_string()).await
    }

    async fn handshake(&self, headers: &[(&str, &str)]) -> Response<Body> {
        let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": { "name": "tests", "version": "1" } });
        self.post(headers, &ask(0, "initialize", &params)).await
    }

    /// Begins a session.
    async fn open(&self, headers: &[(&str, &str)]) -> String {
        let response = self.handshake(headers).await;
        assert_eq!(response.status(), StatusCode::OK);
        response.headers()["mcp-session-id"].to_str().unwrap().to_owned()
    }
}

fn ask(id: u32, method: &str, params: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

fn call(id: u32, tool: &str) -> Value {
    ask(id, "tools/call", &json!({ "name": tool }))
}

async fn text(response: Response<Body>) -> String {
    let bytes = soon(response.into_body().collect()).await.unwrap().to_bytes();
    String::from_utf8(bytes.to_vec()).unwrap()
}

async fn json_of(response: Response<Body>) -> Value {
    let text = text(response).await;
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Reads a stream up to an event with this text.
async fn until(body: &mut Body, wanted: &str) -> String {
    let mut all = String::new();
    while !all.contains(wanted) {
        let frame = soon(body.frame()).await.unwrap_or_else(|| panic!("the end after {all}"));
        all += std::str::from_utf8(&frame.unwrap().into_data().unwrap()).unwrap();
    }
    all
}

fn keys() -> Builder {
    let key = |(_, value): (&str, &str)| value.trim_start_matches("Bearer ").to_owned();
    App::new("tests", "1.0.0").auth(
        BearerKeys::new()
            .key(key(ADA), Caller::new("ada").scope("refunds"))
            .key(key(BOB), Caller::new("bob")),
    )
}

#[tokio::test]
async fn each_session_has_a_server_of_its_own() {
    let front = Front::new(shell(None));
    let (one, other) = (front.open(&[]).await, front.open(&[]).await);
    let mut pids = Vec::new();
    for session in [&one, &other, &one] {
        let session = [("mcp-session-id", session.as_str())];
        let called = json_of(front.post(&session, &call(1, "pid")).await).await;
        pids.push(called["result"]["content"][0]["text"].as_str().unwrap().to_owned());
    }
    assert!(pids[0] != pids[1] && pids[0] == pids[2], "{pids:?}");
    let listed = front.post(&[("mcp-session-id", &one)], &ask(2, "tools/list", &json!({}))).await;
    let listed = json_of(listed).await;
    assert!(listed["result"]["tools"][0]["_meta"]["ui"]["resourceUri"].is_string(), "{listed}");
    let called = json_of(front.post(&[("mcp-session-id", &one)], &call(3, "pid")).await).await;
    assert!(called["result"]["_meta"]["widgetcast/view"]["tree"].is_object(), "{called}");

    let nobodys = front.post(&[], &call(4, "pid")).await;
    assert_eq!(nobodys.status(), StatusCode::BAD_REQUEST);
    let ended = front.send("DELETE", &[("mcp-session-id", &one)], String::new()).await;
    assert_eq!(ended.status(), StatusCode::NO_CONTENT);
    let gone = front.post(&[("mcp-session-id", &one)], &call(5, "pid")).await;
    assert_eq!(gone.status(), StatusCode::NOT_FOUND);
    let there = front.post(&[("mcp-session-id", &other)], &call(5, "pid")).await;
    assert_eq!(there.status(), StatusCode::OK);
    front.sessions.close().await;
    let gone = front.post(&[("mcp-session-id", &other)], &call(6, "pid")).await;
    assert_eq!(gone.status(), StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_session_is_that_of_its_caller() {
    let front = Front::of(keys(), shell(None), SessionLimits::default());
    let session = front.open(&[ADA]).await;
    let session = ("mcp-session-id", session.as_str());
    for method in ["POST", "GET", "DELETE"] {
        let body = if method == "POST" { call(1, "pid").to_string() } else { String::new() };
        let bobs = front.send(method, &[BOB, session], body.clone()).await;
        assert_eq!(bobs.status(), StatusCode::NOT_FOUND, "{method}");
        let nobodys = front.send(method, &[session], body).await;
        assert_eq!(nobodys.status(), StatusCode::UNAUTHORIZED, "{method}");
        assert!(nobodys.headers().contains_key("www-authenticate"), "{method}");
    }
    let answer = json!({ "jsonrpc": "2.0", "id": "s1", "result": {} });
    assert_eq!(front.post(&[BOB, session], &answer).await.status(), StatusCode::NOT_FOUND);
    assert_eq!(front.post(&[ADA, session], &call(1, "pid")).await.status(), StatusCode::OK);
    // The paths at which `serve` answers lead here too, and never to tools of the app itself.
    for path in ["/", "/mcp/", ""] {
        let uri = format!("http://localhost{path}");
        let request = Request::post(uri).header("content-type", "application/json");
        let request = request.body(call(1, "pid").to_string()).unwrap();
        assert_eq!(front.app.handle(request).await.status(), StatusCode::UNAUTHORIZED, "{path}");
    }
    front.sessions.close().await;
}

/// However a message is written: what is not allowed reaches no server.
#[tokio::test]
async fn a_tool_that_a_caller_may_not_call_is_neither_listed_nor_relayed() {
    for access in [Access::default().scope("refunds"), Access::default().scope("refunds").hidden()]
    {
        let hidden = access.clone().hidden() == access;
        let app = keys().relayed_tool_access("refund", access);
        let front = Front::of(app, shell(None), SessionLimits::default());
        let (ada, bob) = (front.open(&[ADA]).await, front.open(&[BOB]).await);
        let (ada, bob) = ([ADA, ("mcp-session-id", &ada)], [BOB, ("mcp-session-id", &bob)]);
        let list = ask(1, "tools/list", &json!({}));
        assert!(text(front.post(&ada, &list).await).await.contains("refund"));
        let listed = text(front.post(&bob, &list).await).await;
        assert!(listed.contains("pid") && !listed.contains("refund"), "{listed}");
        assert!(text(front.post(&ada, &call(2, "refund")).await).await.contains("result"));
        let refused = front.post(&bob, &call(2, "refund")).await;
        match hidden {
            true => assert_eq!(json_of(refused).await["error"]["message"], "Unknown tool: refund"),
            false => {
                assert_eq!(refused.status(), StatusCode::FORBIDDEN);
                let asked = refused.headers()["www-authenticate"].to_str().unwrap().to_owned();
                assert!(asked.contains("refunds"), "{asked}");
            }
        }
        for (head, params) in [
            ("", r##""params":{"name":"refund#2"}"##),
            ("", r#""params":{"name":"pid","name":"refund"}"#),
            ("", r#""params":{"name":"refund","name":"pid"}"#),
            ("", r#""params":{"name":"pid","Name":"refund"}"#),
            ("", r#""params":{"name":"pid"},"Params":{"name":"refund"}"#),
            ("", r#""params":{"arguments":{}}"#),
            ("[", r#""params":{"name":"refund"}"#),
        ] {
            let end = if head.is_empty() { "" } else { "]" };
            let body =
                format!(r#"{head}{{"jsonrpc":"2.0","id":3,"method":"tools/call",{params}}}{end}"#);
            let refused = text(front.send("POST", &bob, body.clone()).await).await;
            assert!(refused.contains("error") && !refused.contains("result"), "{body}: {refused}");
        }
        front.sessions.close().await;
    }
}

/// A tool of one of several servers can be called without the name of its server, but not without its rules.
#[tokio::test]
async fn the_rules_of_a_tool_hold_by_whichever_name_it_is_called() {
    let servers = ["shop", "till"].map(|name| (name.to_owned(), shell(None)));
    let servers = Servers::named(servers.into()).unwrap();
    let app = keys().relayed_tool_access("shop_refund", Access::default().scope("refunds"));
    let front = Front::of(app, servers, SessionLimits::default());
    let bob = front.open(&[BOB]).await;
    let bob = [BOB, ("mcp-session-id", &bob)];
    let listed = text(front.post(&bob, &ask(1, "tools/list", &json!({}))).await).await;
    assert!(listed.contains("shop_pid") && listed.contains("till_refund"), "{listed}");
    assert!(!listed.contains("shop_refund"), "{listed}");
    for name in ["shop_refund", "shop_refund#2", "refund", "refund#2"] {
        let refused = text(front.post(&bob, &call(2, name)).await).await;
        assert!(refused.contains("error") && !refused.contains("result"), "{name}: {refused}");
    }
    for name in ["shop_pid", "till_refund", "till_refund#2"] {
        let called = text(front.post(&bob, &call(3, name)).await).await;
        assert!(called.contains(r#"\"pid\""#), "{name}: {called}");
    }
    front.sessions.close().await;
}

/// A list of one server that fills the response leaves the others listed.
#[tokio::test]
async fn the_limit_of_a_response_is_shared_by_the_servers() {
    let huge = SERVER.replace(r#""name":"refund""#, &format!(r#""name":"{}""#, "x".repeat(40_000)));
    let huge = Upstream::command("sh", ["-c".to_owned(), huge]);
    let both = [("a".to_owned(), huge), ("b".to_owned(), shell(None))];
    let app = App::new("tests", "1.0.0").settings(Settings::default().max_response_bytes(50_000));
    let front = Front::of(app, Servers::named(both.into()).unwrap(), SessionLimits::default());
    let session = front.open(&[]).await;
    let session = [("mcp-session-id", session.as_str())];
    let listed = json_of(front.post(&session, &ask(1, "tools/list", &json!({}))).await).await;
    let names = listed["result"]["tools"].as_array().unwrap_or_else(|| panic!("{listed}"));
    let names: Vec<_> = names.iter().map(|tool| &tool["name"]).collect();
    assert_eq!(names, ["b_pid", "b_refund"]);
    front.sessions.close().await;
}

/// Whoever is let in for what is public gets only that.
#[tokio::test]
async fn the_public_is_for_everyone_and_nothing_else() {
    let app = keys().relayed_tool_access("pid", Access::default().public());
    let front = Front::of(app, shell(None), SessionLimits::default());
    let session = front.open(&[]).await;
    let session = [("mcp-session-id", session.as_str())];
    let listed = text(front.post(&session, &ask(1, "tools/list", &json!({}))).await).await;
    assert!(listed.contains("pid") && !listed.contains("refund"), "{listed}");
    assert_eq!(front.post(&session, &call(2, "pid")).await.status(), StatusCode::OK);
    let resources =
        json_of(front.post(&session, &ask(3, "resources/list", &json!({}))).await).await;
    let page = resources["result"]["resources"][0]["uri"].clone();
    let read = ask(4, "resources/read", &json!({ "uri": page }));
    assert_eq!(front.post(&session, &read).await.status(), StatusCode::OK);
    for (method, params) in [
        ("tools/call", json!({ "name": "refund" })),
        ("resources/read", json!({ "uri": "file:///secret" })),
        ("resources/read", json!({ "uri": "file:///secret", "name": page })),
        ("custom/method", json!({})),
    ] {
        let refused = front.post(&session, &ask(3, method, &params)).await;
        assert_eq!(refused.status(), StatusCode::UNAUTHORIZED, "{method}");
    }
    front.sessions.close().await;
}

#[tokio::test]
async fn sessions_are_bounded_in_all_and_per_caller() {
    let mut limits = SessionLimits::default();
    (limits.max_sessions, limits.max_sessions_per_caller) = (2, 1);
    let front = Front::of(keys(), shell(None), limits);
    front.open(&[ADA]).await;
    let refused = front.handshake(&[ADA]).await;
    assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
    assert!(refused.headers().contains_key("retry-after"));
    front.open(&[BOB]).await;
    let refused = front.handshake(&[BOB]).await;
    assert_eq!(refused.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert!(refused.headers().contains_key("retry-after"));
    front.sessions.close().await;
}

/// The pipe ends when no one holds it any more: neither the server nor what it has started.
#[tokio::test]
async fn no_process_is_left_when_a_session_has_ended() {
    for how in ["DELETE", "idle", "close", "refused", "several"] {
        let folder = tempfile::tempdir().unwrap();
        let (path, ended) = pipe(folder.path());
        let mut limits = SessionLimits::default();
        if how == "idle" {
            limits.idle = Duration::from_millis(50);
        }
        let upstream = match how {
            // A server that does not accept the handshake.
            "refused" => {
                let script = SERVER.replace("\"initialize\"", "\"other\"");
                let path = path.display().to_string();
                Upstream::command("sh", ["-c".into(), script, "sh".into(), path])
            }
            _ => shell(Some(&path)),
        };
        let servers = match how {
            "several" => {
                let both = [("a".to_owned(), upstream), ("b".to_owned(), shell(None))];
                Servers::named(both.into()).unwrap()
            }
            _ => upstream.into(),
        };
        let front = Front::of(App::new("tests", "1.0.0"), servers, limits);
        match how {
            "refused" => {
                let refused = front.handshake(&[]).await;
                assert!(!refused.headers().contains_key("mcp-session-id"));
            }
            _ => {
                let session = front.open(&[]).await;
                match how {
                    "DELETE" | "several" => {
                        let id = [("mcp-session-id", session.as_str())];
                        front.send("DELETE", &id, String::new()).await;
                    }
                    "close" => front.sessions.close().await,
                    _ => {}
                }
            }
        }
        soon(ended).await.unwrap();
        front.sessions.close().await;
    }
}

#[tokio::test]
async fn the_server_asks_its_own_client() {
    let front = Front::new(shell(None));
    let session = front.open(&[]).await;
    let session = [("mcp-session-id", session.as_str())];
    let answer = json!({ "jsonrpc": "2.0", "id": "s1", "result": { "roots": [] } });
    // In the stream of the call, where there is no other.
    let mut called = front.post(&session, &call(1, "ask")).await.into_body();
    until(&mut called, "roots/list").await;
    assert_eq!(front.post(&session, &answer).await.status(), StatusCode::ACCEPTED);
    until(&mut called, "thanks").await;
    // In the open stream, if there is one; the call is then answered as JSON.
    let mut open = front.send("GET", &session, String::new()).await.into_body();
    let second = call(2, "ask");
    let (called, ()) = tokio::join!(front.post(&session, &second), async {
        until(&mut open, "roots/list").await;
        assert_eq!(front.post(&session, &answer).await.status(), StatusCode::ACCEPTED);
    });
    assert_eq!(called.headers()["content-type"], "application/json");
    assert!(text(called).await.contains("thanks"));
    front.sessions.close().await;
}

/// Revision 2025-03-26 has batches; each message of one passes the same rules as alone.
#[tokio::test]
async fn the_messages_of_a_batch_are_answered_one_by_one() {
    let app = keys().relayed_tool_access("refund", Access::default().scope("refunds"));
    let front = Front::of(app, shell(None), SessionLimits::default());
    let session = front.open(&[BOB]).await;
    let bob = [BOB, ("mcp-session-id", session.as_str())];
    let batch = json!([
        call(1, "pid"),
        call(2, "refund"),
        ask(3, "tools/list", &json!({})),
        call(4, "pid")
    ]);
    let answers = json_of(front.post(&bob, &batch).await).await;
    let answers = answers.as_array().unwrap();
    let ids: Vec<_> = answers.iter().map(|answer| &answer["id"]).collect();
    assert_eq!(ids, [1, 2, 3, 4]);
    assert!(answers[0]["result"].is_object() && answers[3]["result"].is_object(), "{answers:?}");
    assert!(answers[1]["error"].is_object(), "{answers:?}");
    assert_eq!(answers[2]["result"]["tools"].as_array().unwrap().len(), 1, "{answers:?}");

    // The answer that a request waits for may come with it.
    let mut open = front.send("GET", &bob, String::new()).await.into_body();
    let asking = call(5, "ask");
    let (called, ()) = tokio::join!(front.post(&bob, &asking), async {
        until(&mut open, "roots/list").await;
        let roots = json!({ "jsonrpc": "2.0", "id": "s1", "result": { "roots": [] } });
        let answers = front.post(&bob, &json!([call(6, "pid"), roots])).await;
        assert!(text(answers).await.contains(r#""id":6"#));
    });
    assert!(text(called).await.contains("thanks"));
    let notified = json!([{ "jsonrpc": "2.0", "method": "notifications/roots/list_changed" }]);
    assert_eq!(front.post(&bob, &notified).await.status(), StatusCode::ACCEPTED);

    let many: Value = (0..60).map(|id| call(id, "pid")).collect();
    let handshake = json!([ask(1, "initialize", &json!({}))]);
    for wrong in [json!([]), json!([[call(1, "pid")]]), many, handshake] {
        let answers = text(front.post(&bob, &wrong).await).await;
        assert!(answers.contains("error") && !answers.contains("result"), "{wrong}: {answers}");
    }
    let newer = [bob[0], bob[1], ("mcp-protocol-version", "2025-06-18")];
    assert_eq!(front.post(&newer, &batch).await.status(), StatusCode::BAD_REQUEST);
    let other = front.post(&[ADA, bob[1]], &batch).await;
    assert_eq!(other.status(), StatusCode::NOT_FOUND);
    front.sessions.close().await;
}

#[tokio::test]
async fn a_client_that_leaves_cancels_its_request() {
    let front = Front::new(shell(None));
    let session = front.open(&[]).await;
    let session = [("mcp-session-id", session.as_str())];
    let mut open = front.send("GET", &session, String::new()).await.into_body();
    let hanging = call(1, "hang");
    tokio::select! {
        _ = front.post(&session, &hanging) => panic!("it hangs"),
        _ = until(&mut open, "now/hanging") => {}
    }
    until(&mut open, "was/cancelled").await;
    front.sessions.close().await;
}

/// Fifty servers are killed while they answer: each request gets an answer or an error, and each client its server
/// back.
#[tokio::test]
async fn every_request_is_answered_while_servers_are_killed() {
    let script = SERVER.replace(r#""tools":{}"#, r#""tools":{"listChanged":true}"#);
    let front = Front::new(Upstream::command("sh", ["-c".to_owned(), script]));
    let one_client = async || {
        let session = front.open(&[]).await;
        let session = [("mcp-session-id", session.as_str())];
        let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        assert_eq!(front.post(&session, &initialized).await.status(), StatusCode::ACCEPTED);
        let mut open = front.send("GET", &session, String::new()).await.into_body();
        // The longer it goes on, the longer the pauses before a server is started again.
        for _ in 0..5 {
            let called = json_of(front.post(&session, &call(100, "pid")).await).await;
            let text = called["result"]["content"][0]["text"].as_str().unwrap_or_default();
            let shown: Value = serde_json::from_str(text).unwrap_or_else(|_| panic!("{called}"));
            let calls: Vec<Value> = (0..8).map(|id| call(id, "pid")).collect();
            let asked =
                calls.iter().map(async |call| json_of(front.post(&session, call).await).await);
            let kill = async {
                tokio::task::yield_now().await;
                let mut kill = std::process::Command::new("kill");
                assert!(kill.args(["-9", &shown["pid"].to_string()]).status().unwrap().success());
            };
            let (answers, ()) = tokio::join!(futures_util::future::join_all(asked), kill);
            for (id, answer) in answers.iter().enumerate() {
                assert_eq!(answer["id"], id, "{answer}");
                assert!(answer["result"].is_object() != answer["error"].is_object(), "{answer}");
            }
            until(&mut open, "tools/list_changed").await;
        }
    };
    futures_util::future::join_all((0..10).map(|_| one_client())).await;
    front.sessions.close().await;
}

/// Whatever a server does, each client gets an answer or an error, and the others are not disturbed.
#[tokio::test]
async fn servers_that_die_hang_or_flood_trouble_nobody_else() {
    let settings = Settings::default().call_timeout(Duration::from_secs(2));
    let app = App::new("tests", "1.0.0").settings(settings);
    let front = Front::of(app, shell(None), SessionLimits::default());
    let (good, bad) = (front.open(&[]).await, front.open(&[]).await);
    let (good, bad) = ([("mcp-session-id", good.as_str())], [("mcp-session-id", bad.as_str())]);
    for round in 0..5 {
        let messages: Vec<Value> =
            (0..8).map(|at| call(at, if at == 3 { "die" } else { "pid" })).collect();
        let (front, bad) = (&front, &bad);
        let asked = messages
            .iter()
            .map(|message| async move { json_of(front.post(bad, message).await).await });
        let answers = futures_util::future::join_all(asked).await;
        for answer in &answers {
            assert!(answer["result"].is_object() || answer["error"].is_object(), "{answer}");
        }
        assert!(answers[3]["error"].is_object(), "{round}: {}", answers[3]);
        assert_eq!(front.post(&good, &call(1, "pid")).await.status(), StatusCode::OK);
    }
    let hung = text(front.post(&good, &call(1, "hang")).await).await;
    assert!(hung.contains("did not respond within 2 s"), "{hung}");

    let flooded = front.open(&[]).await;
    let flooded = [("mcp-session-id", flooded.as_str())];
    let mut flood = front.post(&flooded, &call(1, "flood")).await.into_body();
    until(&mut flood, "flood/more").await;
    assert_eq!(front.post(&good, &call(2, "pid")).await.status(), StatusCode::OK);
    drop(flood);
    front.sessions.close().await;
}

fn modern(id: u32, method: &str, params: Value) -> Value {
    let mut params = params;
    params["_meta"] = json!({ "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { "name": "tests", "version": "1" } });
    ask(id, method, &params)
}

#[tokio::test]
async fn requests_without_a_session_borrow_a_server() {
    let front = Front::of(keys(), shell(None), SessionLimits::default());
    let headers = |key, name| {
        [
            key,
            ("mcp-protocol-version", "2026-07-28"),
            ("mcp-method", "tools/call"),
            ("mcp-name", name),
        ]
    };
    let message = modern(1, "tools/call", json!({ "name": "pid" }));
    let mut pids = Vec::new();
    for key in [ADA, BOB, ADA] {
        let called = json_of(front.post(&headers(key, "pid"), &message).await).await;
        pids.push(called["result"]["content"][0]["text"].as_str().unwrap().to_owned());
    }
    assert!(pids[0] != pids[1] && pids[0] == pids[2], "{pids:?}");
    let mut incomplete = message.clone();
    incomplete["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!(7);
    let incomplete = front.post(&headers(ADA, "pid"), &incomplete).await;
    assert_eq!(incomplete.status(), StatusCode::BAD_REQUEST);
    assert_eq!(json_of(incomplete).await["error"]["code"], -32602);
    // Proxies may have gone by the headers.
    let other = front.post(&headers(ADA, "other"), &message).await;
    assert_eq!(other.status(), StatusCode::BAD_REQUEST);
    let unknown = modern(2, "custom/method", json!({}));
    let unknown = front
        .post(
            &[ADA, ("mcp-protocol-version", "2026-07-28"), ("mcp-method", "custom/method")],
            &unknown,
        )
        .await;
    assert_eq!(unknown.status(), StatusCode::NOT_FOUND);
    front.sessions.close().await;
}

/// A request of the gallery's page.
async fn gallery(app: &App, path: &str, body: Option<Value>) -> Response<Body> {
    let request = Request::builder().uri(path).header("host", "localhost");
    let request = match &body {
        Some(_) => request.method("POST").header("content-type", "application/json"),
        None => request,
    };
    let body = body.map(|body| body.to_string()).unwrap_or_default();
    let local = std::net::SocketAddr::from(([127, 0, 0, 1], 9));
    let mut request = request.body(body).unwrap();
    request.extensions_mut().insert(widgetcast::http::RemoteAddr(local));
    soon(app.handle(request)).await
}

#[tokio::test]
async fn the_gallery_shows_the_tools_of_the_server_and_drafts_their_widgets() {
    let folder = tempfile::tempdir().unwrap();
    let app = App::new("tests", "1.0.0").relay().widgets(folder.path()).build().unwrap();
    let wrap = Wrap::new(app, shell(None)).gallery(Some(folder.path().to_owned())).unwrap();
    let (app, sessions) = wrap.mount(SessionLimits::default());
    let index = soon(async {
        loop {
            let index = json_of(gallery(&app, "/gallery/index.json", None).await).await;
            if index["tools"].as_array().is_some_and(|tools| tools.len() == 2) {
                return index;
            }
            tokio::task::yield_now().await;
        }
    })
    .await;
    assert_eq!(index["tools"][0]["name"], "pid", "{index}");
    let page = gallery(&app, "/", None).await;
    assert_eq!(page.headers()["content-type"], "text/html; charset=utf-8");
    assert!(index["drafts"] == true && index["findings"] == json!([]), "{index}");
    let draft = json!({ "tool": "pid" });
    let refused = gallery(&app, "/gallery/draft", Some(draft.clone())).await;
    assert_eq!(refused.status(), StatusCode::CONFLICT, "nothing is known of its results");
    let run = json!({ "tool": "pid", "arguments": {} });
    let drawn = json_of(gallery(&app, "/gallery/draw", Some(run)).await).await;
    let surfaces: Vec<&str> = drawn["surfaces"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|one| one["name"].as_str())
        .collect();
    assert!(surfaces.contains(&"slack-blocks") && surfaces.contains(&"adaptive-card"), "{drawn}");
    assert!(drawn["tree"].to_string().contains("shell"), "{drawn}");
    let drafted = json_of(gallery(&app, "/gallery/draft", Some(draft.clone())).await).await;
    let path = folder.path().join("pid.widget");
    assert_eq!(drafted["file"], path.display().to_string());
    assert_eq!(drafted["source"], std::fs::read_to_string(&path).unwrap());
    let elsewhere = Request::post("/gallery/draft")
        .header("host", "localhost")
        .header("content-type", "application/json")
        .body(draft.to_string());
    let refused = soon(app.handle(elsewhere.unwrap())).await;
    assert_eq!(refused.status(), StatusCode::NOT_FOUND, "only who sees the gallery may write");
    // The work of an author is not replaced.
    std::fs::write(&path, "mine").unwrap();
    let refused = gallery(&app, "/gallery/draft", Some(draft)).await;
    assert_eq!(refused.status(), StatusCode::CONFLICT);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "mine");
    // The page reads views where clients of the server do not.
    let list = ask(
        1,
        "tools/list",
        &json!({ "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    } }),
    );
    let request = Request::post("/gallery/mcp")
        .header("host", "localhost")
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", "tools/list");
    let mut request = request.body(list.to_string()).unwrap();
    let local = std::net::SocketAddr::from(([127, 0, 0, 1], 9));
    request.extensions_mut().insert(widgetcast::http::RemoteAddr(local));
    let listed = json_of(soon(app.handle(request)).await).await;
    assert_eq!(listed["result"]["tools"].as_array().map(Vec::len), Some(2), "{listed}");
    sessions.close().await;
    let closed = Wrap::new(keys().build().unwrap(), shell(None)).gallery(None);
    assert!(closed.is_err(), "it would act for all callers");
}

#[tokio::test]
async fn the_trace_of_a_client_reaches_the_server() {
    let front = Front::new(shell(None));
    let session = front.open(&[]).await;
    let called = async |more: &[(&str, &str)], params: Value| {
        let headers = [&[("mcp-session-id", &*session)], more].concat();
        let called = front.post(&headers, &ask(1, "tools/call", &params)).await;
        json_of(called).await["result"]["content"][0]["text"].clone()
    };
    let trace = [("traceparent", "00-ab"), ("tracestate", "x=1")];
    assert_eq!(called(&trace, json!({ "name": "pid" })).await, "traced");
    assert_eq!(called(&trace, json!({ "name": "pid", "_meta": {} })).await, "traced");
    // What is in the message comes first.
    let own = json!({ "name": "pid", "_meta": { "traceparent": "00-cd" } });
    assert_ne!(called(&trace, own).await, "traced");
    assert_ne!(called(&[], json!({ "name": "pid" })).await, "traced");
}

#[tokio::test]
async fn calls_count_in_quotas_and_metrics() {
    let mut quotas = QuotaLimits::default();
    quotas.calls_per_minute = 2;
    let settings = Settings::default().quotas(quotas).metrics_token("a token of metrics");
    let front = Front::of(keys().settings(settings), shell(None), SessionLimits::default());
    let session = front.open(&[ADA]).await;
    let session = [ADA, ("mcp-session-id", session.as_str())];
    for _ in 0..2 {
        assert_eq!(front.post(&session, &call(1, "pid")).await.status(), StatusCode::OK);
    }
    let refused = front.post(&session, &call(1, "pid")).await;
    assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
    assert!(refused.headers().contains_key("retry-after"));
    let request = Request::get("/metrics").header("authorization", "Bearer a token of metrics");
    let metrics = text(front.app.handle(request.body(String::new()).unwrap()).await).await;
    assert!(metrics.contains(r#"tool="pid""#) && metrics.contains(r#"outcome="ok""#), "{metrics}");
    front.sessions.close().await;
}

async fn who(caller: Caller) -> String {
    caller.subject().to_owned()
}

/// A server that authenticates callers itself sees who calls, and its challenges come back.
#[tokio::test]
async fn the_authorization_of_clients_is_forwarded_if_asked() {
    let app = keys().tool(Tool::new("who", who).description("Who")).build().unwrap();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    tokio::spawn(async move {
        app.serve_listener(listener, std::future::pending::<()>()).await.unwrap();
    });
    let wrap = || {
        let app = App::new("tests", "1.0.0").build().unwrap();
        Wrap::new(app, Upstream::url(&url, HeaderMap::new()).unwrap())
    };
    let (app, sessions) = wrap().forward_auth().unwrap().mount(SessionLimits::default());
    let front = Front { app, sessions };
    let refused = front.handshake(&[]).await;
    assert_eq!(refused.status(), StatusCode::UNAUTHORIZED);
    assert!(refused.headers().contains_key("www-authenticate"));
    let session = front.open(&[ADA]).await;
    let session = ("mcp-session-id", session.as_str());
    let called = text(front.post(&[ADA, session], &call(1, "who")).await).await;
    assert!(called.contains("ada"), "{called}");
    assert_eq!(front.post(&[BOB, session], &call(1, "who")).await.status(), StatusCode::NOT_FOUND);
    front.sessions.close().await;

    let (app, sessions) = wrap().mount(SessionLimits::default());
    let front = Front { app, sessions };
    let refused = json_of(front.handshake(&[ADA]).await).await;
    assert!(refused["error"]["message"].as_str().unwrap().contains("authorization"), "{refused}");
    front.sessions.close().await;
    let own = Wrap::new(keys().build().unwrap(), Upstream::url(&url, HeaderMap::new()).unwrap());
    assert!(own.forward_auth().is_err());
}
