//! Pipes: the same app, one message a line.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{
    AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf,
};
use tokio::sync::Semaphore;
use widgetcast::{App, Change, Ctx, Event, Settings, Tool};

use crate::schema;
use crate::talk::{Held, MODERN, greeting, params};

/// The far end of a pipe that an app serves.
pub(crate) struct Client {
    write: Option<WriteHalf<DuplexStream>>,
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    server: tokio::task::JoinHandle<std::io::Result<()>>,
}

impl Client {
    pub(crate) fn of(app: App) -> Self {
        let (near, far) = tokio::io::duplex(1 << 20);
        let (read, write) = tokio::io::split(far);
        let server =
            tokio::spawn(async move { app.serve_pipe(read, write, std::future::pending()).await });
        let (read, write) = tokio::io::split(near);
        Self { write: Some(write), lines: BufReader::new(read).lines(), server }
    }

    pub(crate) async fn say(&mut self, text: &str) {
        let write = self.write.as_mut().unwrap();
        write.write_all(text.as_bytes()).await.unwrap();
        write.write_all(b"\n").await.unwrap();
    }

    pub(crate) async fn send(&mut self, id: i64, version: &str, method: &str, sent: Value) {
        let sent = params(version, sent);
        let message = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": sent });
        self.say(&message.to_string()).await;
    }

    pub(crate) async fn hear(&mut self) -> Value {
        let line = tokio::time::timeout(Duration::from_secs(60), self.lines.next_line()).await;
        let line = line.expect("in time").unwrap().expect("a line");
        serde_json::from_str(&line).unwrap()
    }

    pub(crate) async fn ask(&mut self, version: &str, method: &str, sent: Value) -> Value {
        self.send(1, version, method, sent).await;
        let answer = self.hear().await;
        schema::check_answer(version, method, &answer);
        answer
    }

    pub(crate) async fn shake(&mut self, version: &str) -> Value {
        self.shake_with(version, json!({})).await
    }

    pub(crate) async fn shake_with(&mut self, version: &str, capabilities: Value) -> Value {
        let hello = json!({ "protocolVersion": version, "capabilities": capabilities,
            "clientInfo": { "name": "tests", "version": "1" } });
        let answer = self.ask("2025-11-25", "initialize", hello).await;
        self.say(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await;
        answer
    }

    async fn hush(&mut self) {
        if let Some(mut write) = self.write.take() {
            write.shutdown().await.unwrap();
        }
    }

    /// Ends the input; everything must end then.
    pub(crate) async fn leave(mut self) {
        self.hush().await;
        let ended = tokio::time::timeout(Duration::from_secs(60), &mut self.server).await;
        ended.expect("ends").unwrap().expect("a clean end");
    }
}

#[tokio::test]
async fn a_client_with_a_handshake() {
    let app = greeting();
    let mut client = Client::of(app.clone());
    assert_eq!(client.shake("2025-06-18").await["result"]["protocolVersion"], "2025-06-18");
    assert_eq!(client.ask("2025-06-18", "ping", json!({})).await["result"], json!({}));
    let list = client.ask("2025-06-18", "tools/list", json!({})).await;
    assert_eq!(list["result"]["tools"][0]["name"], "greeting");
    let call = json!({ "name": "greeting", "arguments": { "name": "Ada" } });
    let result = client.ask("2025-06-18", "tools/call", call).await;
    assert_eq!(result["result"]["content"][0]["text"], "## Hello Ada");
    assert!(result["result"].get("resultType").is_none());
    // Once the handshake is over, it is told of changes.
    app.announce(Change::Tools);
    assert_eq!(client.hear().await["method"], "notifications/tools/list_changed");
    client.leave().await;
}

#[tokio::test]
async fn a_client_without_a_handshake() {
    let app = greeting();
    let mut client = Client::of(app.clone());
    let found = client.ask(MODERN, "server/discover", json!({})).await;
    assert!(found["result"]["supportedVersions"].as_array().unwrap().contains(&json!(MODERN)));
    let call = json!({ "name": "greeting", "arguments": { "name": "Ada" } });
    let result = client.ask(MODERN, "tools/call", call).await;
    assert_eq!(result["result"]["resultType"], "complete");
    client
        .send(
            5,
            MODERN,
            "subscriptions/listen",
            json!({ "notifications": { "toolsListChanged": true } }),
        )
        .await;
    assert_eq!(client.hear().await["method"], "notifications/subscriptions/acknowledged");
    app.announce(Change::Tools);
    let event = client.hear().await;
    assert_eq!(event["method"], "notifications/tools/list_changed");
    assert_eq!(event["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], 5);
    client.leave().await;
}

#[tokio::test]
async fn leaving_before_saying_anything_is_no_fault() {
    Client::of(greeting()).leave().await;
}

#[tokio::test]
async fn what_is_not_a_message_is_answered_and_the_pipe_goes_on() {
    let mut client = Client::of(greeting());
    client.shake("2025-11-25").await;
    for (line, code) in [
        ("{", -32700),
        ("[]", -32600),
        (r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}"#, -32602),
        (r#"{"jsonrpc":"2.0","id":1,"method":"no/such"}"#, -32601),
    ] {
        client.say(line).await;
        let answer = client.hear().await;
        assert_eq!(answer["error"]["code"], code, "{line} {answer}");
    }
    client.say("").await;
    let long = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{}"}}"#, "x".repeat(5 << 20));
    client.say(&long).await;
    assert_eq!(client.hear().await["error"]["code"], -32600);
    assert_eq!(client.ask("2025-11-25", "ping", json!({})).await["result"], json!({}));
    client.leave().await;
}

fn sleeper(done: tokio::sync::mpsc::Sender<&'static str>) -> App {
    struct Bell(tokio::sync::mpsc::Sender<&'static str>);
    impl Drop for Bell {
        fn drop(&mut self) {
            _ = self.0.try_send("dropped");
        }
    }
    let work = move |_: Ctx, sent: Value| {
        let bell = Bell(done.clone());
        _ = done.try_send("begun");
        async move {
            tokio::time::sleep(Duration::from_millis(sent["ms"].as_u64().unwrap())).await;
            drop(bell);
            "slept"
        }
    };
    App::new("tests", "1.0.0")
        .tool(Tool::new("sleep", work).input_schema(json!({ "type": "object" })))
        .build()
        .unwrap()
}

#[tokio::test]
async fn a_quick_call_overtakes_a_slow_one_and_a_cancelled_one_ends() {
    let (done, mut heard) = tokio::sync::mpsc::channel(4);
    let mut client = Client::of(sleeper(done));
    client.shake("2025-11-25").await;
    let sleep = |ms: u64| json!({ "name": "sleep", "arguments": { "ms": ms } });
    client.send(10, "2025-11-25", "tools/call", sleep(3_600_000)).await;
    client.send(11, "2025-11-25", "tools/call", sleep(1)).await;
    assert_eq!(client.hear().await["id"], 11);
    for word in ["begun", "begun", "dropped"] {
        assert_eq!(heard.recv().await, Some(word));
    }
    client
        .say(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":10}}"#)
        .await;
    let ended = tokio::time::timeout(Duration::from_secs(60), heard.recv()).await;
    assert_eq!(ended.expect("in time"), Some("dropped"));
    // The same for one that reports its progress.
    let mut sent = sleep(3_600_000);
    sent["_meta"] = json!({ "progressToken": 1 });
    client.send(12, "2025-11-25", "tools/call", sent).await;
    assert_eq!(heard.recv().await, Some("begun"));
    client
        .say(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":12}}"#)
        .await;
    let ended = tokio::time::timeout(Duration::from_secs(60), heard.recv()).await;
    assert_eq!(ended.expect("in time"), Some("dropped"));
    client.leave().await;
}

#[tokio::test]
async fn running_calls_finish_when_the_input_ends() {
    let held = Held::new();
    let app = App::new("tests", "1.0.0").tool(held.tool()).build().unwrap();
    let mut client = Client::of(app);
    client.shake("2025-11-25").await;
    client.send(9, "2025-11-25", "tools/call", json!({ "name": "wait" })).await;
    held.begun().await;
    client.hush().await;
    held.end(1);
    assert_eq!(client.hear().await["id"], 9);
    client.leave().await;
}

#[tokio::test]
async fn whoever_does_not_read_neither_keeps_it_from_stopping_nor_gets_half_a_line() {
    let held = Held::new();
    let app = App::new("tests", "1.0.0").tool(held.tool()).build().unwrap();
    let (near, far) = tokio::io::duplex(64);
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let (notice, noticed) = tokio::sync::oneshot::channel::<()>();
    let server = tokio::spawn(async move {
        let (read, write) = tokio::io::split(far);
        let stop = async {
            _ = stopped.await;
            _ = notice.send(());
        };
        app.serve_pipe(read, write, stop).await
    });
    let (read, mut write) = tokio::io::split(near);
    let asking = tokio::spawn(async move {
        let message = |id: i64, method: &str, sent: Value| {
            let sent = params(MODERN, sent);
            json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": sent }).to_string()
        };
        let mut lines = vec![message(7, "tools/call", json!({ "name": "wait" }))];
        lines.extend((8..100).map(|id| message(id, "tools/list", json!({}))));
        _ = write.write_all((lines.join("\n") + "\n").as_bytes()).await;
    });
    held.begun().await;
    let mut ids = Vec::new();
    let mut lines = BufReader::with_capacity(64, read).lines();
    // The first answer is there, so the next ones wait to be read.
    let first = lines.next_line().await.unwrap().unwrap();
    ids.push(serde_json::from_str::<Value>(&first).unwrap()["id"].as_i64().unwrap());
    stop.send(()).unwrap();
    noticed.await.unwrap();
    held.end(1);
    while let Some(line) = lines.next_line().await.unwrap() {
        ids.push(serde_json::from_str::<Value>(&line).unwrap()["id"].as_i64().unwrap());
    }
    assert_eq!((ids.first(), ids.last()), (Some(&8), Some(&7)));
    assert!(ids.len() < 90, "{ids:?}");
    server.await.unwrap().unwrap();
    asking.await.unwrap();
}

/// Answers to requests that come together keep their order.
#[tokio::test]
async fn a_burst_is_answered_in_order() {
    let mut client = Client::of(greeting());
    client.shake("2025-11-25").await;
    let lines: Vec<String> = (0..50)
        .map(|id| match id % 2 {
            0 => json!({ "jsonrpc": "2.0", "id": id, "method": "ping" }),
            _ => json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {
                "name": "greeting", "arguments": { "name": "Ada" } } }),
        })
        .map(|message| message.to_string())
        .collect();
    client.say(&lines.join("\n")).await;
    for id in 0..50 {
        assert_eq!(client.hear().await["id"], id);
    }
    client.leave().await;
}

/// A subscription ends with its result when the pipe does, and with nothing when it is cancelled.
#[tokio::test]
async fn subscriptions_end_with_the_pipe() {
    let app = greeting();
    let mut client = Client::of(app.clone());
    let wanted = json!({ "notifications": { "toolsListChanged": true } });
    for id in [1, 2] {
        client.send(id, MODERN, "subscriptions/listen", wanted.clone()).await;
        assert_eq!(client.hear().await["method"], "notifications/subscriptions/acknowledged");
    }
    client
        .say(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#)
        .await;
    // Answered after the cancellation was read.
    client.ask(MODERN, "tools/list", json!({})).await;
    app.announce(Change::Prompts);
    app.announce(Change::Tools);
    let event = client.hear().await;
    assert_eq!(event["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], 2);
    client.hush().await;
    let end = client.hear().await;
    assert_eq!((&end["id"], &end["result"]["resultType"]), (&json!(2), &json!("complete")));
    client.leave().await;
}

/// A pipe has the limits that HTTP has: calls at the same time, and bytes that wait to be read.
#[tokio::test]
async fn calls_and_unsent_bytes_are_bounded() {
    let mut settings = Settings::default();
    settings.max_concurrent = 4;
    settings.max_buffered_bytes = 1 << 20;
    let (go, wait) = tokio::sync::watch::channel(false);
    let tool = move || {
        let mut wait = wait.clone();
        async move {
            _ = wait.wait_for(|go| *go).await;
            "x".repeat(600 << 10)
        }
    };
    let ended = Arc::new(Semaphore::new(0));
    let counted = Arc::clone(&ended);
    let app = App::new("tests", "1.0.0").tool(Tool::new("wait", tool)).settings(settings).on_event(
        move |event| {
            if let Event::Succeeded { .. } = event {
                counted.add_permits(1);
            }
        },
    );
    let mut client = Client::of(app.build().unwrap());
    let call = json!({ "name": "wait" });
    client.send(1, MODERN, "tools/call", call.clone()).await;
    client.send(1, MODERN, "tools/call", call.clone()).await;
    let refused = client.hear().await;
    assert_eq!(refused["error"]["code"], -32600, "the id is in use: {refused}");
    for id in 2..=6 {
        client.send(id, MODERN, "tools/call", call.clone()).await;
    }
    for id in [5, 6] {
        let refused = client.hear().await;
        assert_eq!((&refused["id"], &refused["error"]["code"]), (&json!(id), &json!(-32603)));
    }
    go.send(true).unwrap();
    // The pipe takes one response and a bit; the others wait, for which there is room for one.
    ended.acquire_many(4).await.unwrap().forget();
    let mut results = 0;
    for _ in 1..=4 {
        let answer = client.hear().await;
        results += usize::from(answer["result"].is_object());
        assert!(answer["result"].is_object() || answer["error"]["code"] == -32603, "{answer}");
    }
    assert!((1..4).contains(&results), "{results}");
    assert!(client.ask(MODERN, "tools/call", call).await["result"].is_object(), "it goes on");
    client.leave().await;
}
