//! The limits of the app, which hold for the chat as for calls.

use std::net::SocketAddr;
use std::time::{Duration, SystemTime};

use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use widgetcast::http::RemoteAddr;
use widgetcast::middleware::QuotaLimits;
use widgetcast::{App, Caller, Settings, Tool};
use widgetcast_agent::Toolbox;
use widgetcast_chatkit::{Answer, ChatKit, Commands, RetentionLimits, User};

use crate::golden::Golden;
use crate::stage::{Reply, Stage, input, storage};

/// A request of a user without a cookie, who is at this address.
fn message(at: &str, text: &str) -> http::Request<String> {
    let body = json!({ "type": "threads.create", "params": { "input": input(text) } });
    let address: SocketAddr = format!("{at}:1000").parse().unwrap();
    http::Request::post("http://localhost/chatkit")
        .header("content-type", "application/json")
        .extension(RemoteAddr(address))
        .body(body.to_string())
        .unwrap()
}

fn said(reply: &Reply) -> String {
    let last = reply.events().pop().unwrap();
    last["item"]["content"][0]["text"].as_str().unwrap_or_default().to_owned()
}

fn settings() -> Settings {
    Settings::default().allowed_hosts(["*"])
}

fn calls_per_minute(most: u32) -> Settings {
    let mut quotas = QuotaLimits::default();
    quotas.calls_per_minute = most;
    settings().quotas(quotas)
}

#[tokio::test]
async fn turns_count_in_the_rate_of_a_caller() {
    let app = App::new("tests", "1.0.0").settings(calls_per_minute(2));
    let stage = Stage::with(app, |_| Golden).await;
    for _ in 0..2 {
        assert_eq!(stage.send(message("192.0.2.1", "hello")).await.status, 200);
    }
    let refused = stage.send(message("192.0.2.1", "hello")).await;
    assert_eq!(refused.status, 429);
    assert!(refused.headers.contains_key("retry-after"));
    let words = refused.json()["error"]["message"].as_str().unwrap().to_owned();
    assert!(words.contains("quotas.calls_per_minute"), "{words}");
    assert_eq!(stage.send(message("192.0.2.2", "hello")).await.status, 200);
}

#[tokio::test]
async fn calls_for_a_person_count_as_theirs() {
    let look = Tool::new("look", async || "looked".to_owned()).read_only();
    let app = App::new("tests", "1.0.0").settings(calls_per_minute(3)).tool(look);
    let stage = Stage::with(app, |app| Commands::new(Toolbox::new().app(app.clone()))).await;
    assert_eq!(said(&stage.send(message("192.0.2.1", "/look")).await), "looked");
    // The turn is the third, so that the call is one too many.
    let reply = stage.send(message("192.0.2.1", "/look")).await;
    let last = reply.events().pop().unwrap();
    assert!(last["message"].as_str().unwrap().contains("Too many calls"), "{last}");
    assert_eq!(said(&stage.send(message("192.0.2.2", "/look")).await), "looked");
}

#[tokio::test]
async fn a_turn_is_an_open_stream() {
    let app = App::new("tests", "1.0.0").settings(settings().max_streams_per_client(1));
    let stage = Stage::with(app, |_| Golden).await;
    let mut long = stage.app.handle(message("192.0.2.1", "long")).await.into_body();
    long.frame().await.unwrap().unwrap();
    let refused = stage.send(message("192.0.2.1", "hello")).await;
    assert_eq!(refused.status, 429);
    assert!(String::from_utf8_lossy(&refused.bytes).contains("max_streams_per_client"));
    assert_eq!(stage.send(message("192.0.2.2", "hello")).await.status, 200);
    drop(long);
    assert_eq!(stage.send(message("192.0.2.1", "hello")).await.status, 200);
}

#[tokio::test]
async fn what_is_kept_of_nobody_is_limited() {
    let keep =
        RetentionLimits { threads: 2, items: 4, all_attached: 100 << 10, ..RetentionLimits::default() };
    let stage = Stage::keeping(Golden, keep).await;
    let ada = stage.user().await;
    let mut threads = Vec::new();
    for _ in 0..3 {
        threads.push(ada.begin("hello").await.0);
    }
    let list = ada.ask("threads.list", json!({ "order": "asc" })).await.json();
    let ids: Vec<&str> =
        list["data"].as_array().unwrap().iter().map(|t| t["id"].as_str().unwrap()).collect();
    assert_eq!(ids, threads[1..]);
    assert_eq!(ada.say(&threads[2], "hello").await.status, 200);
    let full = ada.say(&threads[2], "hello").await;
    assert_eq!(full.status, 413);
    assert!(full.json()["error"]["message"].as_str().unwrap().contains("start another"));
    // Neither does anything else add to it.
    let action = json!({ "type": "say", "payload": {} });
    for kind in ["threads.custom_action", "threads.sync_custom_action"] {
        let act = json!({ "thread_id": threads[2], "item_id": null, "action": action });
        assert_eq!(ada.ask(kind, act).await.status, 413, "{kind}");
    }
    let eve = stage.user().await;
    let file = json!({ "name": "a.txt", "size": 1000, "mime_type": "text/plain" });
    assert_eq!(ada.ask("attachments.create", file.clone()).await.status, 200);
    assert_eq!(eve.ask("attachments.create", file).await.status, 413);
}

/// No one pushes out the conversations of others by being many.
#[tokio::test]
async fn too_many_conversations_are_refused_and_not_deleted() {
    let keep = RetentionLimits { all_threads: 2, ..RetentionLimits::default() };
    let stage = Stage::keeping(Golden, keep).await;
    let ada = stage.user().await;
    let (thread, _) = ada.begin("hello").await;
    ada.begin("hello").await;
    let eve = stage.user().await;
    let refused = eve.ask("threads.create", json!({ "input": input("hello") })).await;
    assert_eq!(refused.status, 503);
    assert_eq!(ada.say(&thread, "hello").await.status, 200);
}

/// Nor does anybody close the chat to others by being many: each request here is of a new user.
#[tokio::test]
async fn one_address_does_not_fill_the_chat() {
    let keep = RetentionLimits { threads_of_address: 20, all_threads: 25, ..RetentionLimits::default() };
    let stage = Stage::keeping(Golden, keep).await;
    for _ in 0..30 {
        assert_eq!(stage.send(message("192.0.2.1", "hello")).await.status, 200);
    }
    assert_eq!(stage.send(message("192.0.2.2", "hello")).await.status, 200);
}

#[tokio::test]
async fn what_is_sent_counts_as_held() {
    let app = App::new("tests", "1.0.0").settings(settings().max_buffered_bytes(1 << 20));
    let stage = Stage::with(app, |_| Golden).await;
    let ada = stage.user().await;
    let upload = async |size: usize| {
        let file = json!({ "name": "a.txt", "size": size, "mime_type": "text/plain" });
        let made: Value = ada.ask("attachments.create", file).await.json();
        let url = made["upload_descriptor"]["url"].as_str().unwrap();
        let request = http::Request::put(url).header("cookie", &ada.header.1);
        stage.send(request.body("x".repeat(size)).unwrap()).await.status
    };
    assert_eq!(upload(2 << 20).await, 503);
    assert_eq!(upload(900 << 10).await, 200);
    assert_eq!(upload(900 << 10).await, 200, "what was kept is held no more");
}

#[tokio::test]
async fn the_payload_of_an_action_is_bounded() {
    let stage = Stage::new(Golden).await;
    let ada = stage.user().await;
    let (thread, _) = ada.begin("hello").await;
    for (count, status) in [(9_000, 200), (11_000, 400)] {
        let many: Value = (0..count).map(|n| (format!("a.b{n}.c"), json!(n))).collect();
        let action = json!({ "type": "x", "payload": many });
        let params = json!({ "thread_id": thread, "action": action });
        for kind in ["threads.custom_action", "threads.sync_custom_action"] {
            let reply = ada.ask(kind, params.clone()).await;
            let is_refused = String::from_utf8_lossy(&reply.bytes).contains("at most 10000 values");
            assert_eq!(is_refused, status == 400, "{kind} {}", reply.status);
        }
    }
}

/// A message is held as long as someone answers it.
#[tokio::test]
async fn what_is_answered_counts_as_held() {
    let app = App::new("tests", "1.0.0").settings(settings().max_buffered_bytes(1 << 20));
    let stage = Stage::with(app, |_| Golden).await;
    let ask = |text: &str| {
        let mut input = input(text);
        input["quoted_text"] = "x".repeat(900 << 10).into();
        let body = json!({ "type": "threads.create", "params": { "input": input } });
        let request = http::Request::post("http://localhost/chatkit")
            .header("content-type", "application/json")
            .body(body.to_string());
        stage.app.handle(request.unwrap())
    };
    let mut long = ask("long").await.into_body();
    long.frame().await.unwrap().unwrap();
    assert_eq!(ask("hello").await.status(), 503);
    drop(long);
    assert_eq!(ask("hello").await.status(), 200);
}

/// Its words are kept, as if the client had left.
/// Whoever asks again may have lost the connection without the server's knowing.
#[tokio::test]
async fn a_retry_ends_the_answer_that_is_on_its_way() {
    let dir = tempfile::tempdir().unwrap();
    let chat = ChatKit::new(storage(dir.path()).await, Golden);
    let ada = User::caller(Caller::new("ada"));
    let ask = async |body: Value| {
        chat.process(&ada, serde_json::from_value(body).unwrap(), "http://localhost").await.unwrap()
    };
    let body = json!({ "type": "threads.create", "params": { "input": input("long") } });
    let Answer::Events(mut events) = ask(body).await else { panic!("no stream") };
    let mut next = async || -> Value {
        let event = String::from_utf8(events.recv().await.unwrap().to_vec()).unwrap();
        serde_json::from_str(event.strip_prefix("data: ").unwrap()).unwrap()
    };
    let (thread, message) = (next().await["thread"]["id"].clone(), next().await["item"].clone());
    // This responder goes on for ever, and someone reads it.
    let first = tokio::spawn(async move { while events.recv().await.is_some() {} });
    let of = json!({ "thread_id": thread, "item_id": message["id"] });
    let body = json!({ "type": "threads.retry_after_item", "params": of });
    let Answer::Events(mut again) = ask(body).await else { panic!("no stream") };
    tokio::time::timeout(Duration::from_secs(60), first).await.expect("the first goes on").unwrap();
    while !again.recv().await.unwrap().windows(5).any(|part| part == b"word ") {}
    drop(again);
    let body = json!({ "type": "items.list", "params": { "thread_id": thread } });
    let answers = loop {
        let Answer::Json(items) = ask(body.clone()).await else { panic!("a stream") };
        let items: Value = serde_json::from_str(&items).unwrap();
        let all = items["data"].as_array().unwrap().iter();
        let answers = all.filter(|item| item["type"] == "assistant_message").count();
        if answers > 0 {
            break answers;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    };
    assert_eq!(answers, 1);
}

#[tokio::test]
async fn files_that_could_not_be_sent_back_are_not_taken() {
    let app = App::new("tests", "1.0.0").settings(settings().max_response_bytes(1 << 20));
    let stage = Stage::with(app, |_| Golden).await;
    let ada = stage.user().await;
    for (size, status) in [(1 << 20, 200), ((1 << 20) + 1, 413)] {
        let file = json!({ "name": "a", "size": size, "mime_type": "text/plain" });
        assert_eq!(ada.ask("attachments.create", file).await.status, status, "{size}");
    }
}

#[tokio::test]
async fn an_answer_ends_when_the_proof_of_its_caller_expires() {
    let dir = tempfile::tempdir().unwrap();
    let chat = ChatKit::new(storage(dir.path()).await, Golden);
    // A slow machine has said nothing yet when a short time is over.
    for milliseconds in [300, 3_000, 30_000] {
        let until = SystemTime::now() + Duration::from_millis(milliseconds);
        let ada = User::caller(Caller::new("ada").valid_until(until));
        let ask = async |body: Value| {
            let body = serde_json::from_value(body).unwrap();
            chat.process(&ada, body, "http://localhost").await.unwrap()
        };
        let body = json!({ "type": "threads.create", "params": { "input": input("long") } });
        let Answer::Events(mut events) = ask(body).await else { panic!("no stream") };
        let first = String::from_utf8(events.recv().await.unwrap().to_vec()).unwrap();
        let first: Value = serde_json::from_str(first.strip_prefix("data: ").unwrap()).unwrap();
        // This responder goes on for ever.
        let to_the_end = async { while events.recv().await.is_some() {} };
        tokio::time::timeout(Duration::from_secs(90), to_the_end).await.expect("it goes on");
        let of = json!({ "thread_id": first["thread"]["id"] });
        let Answer::Json(items) = ask(json!({ "type": "items.list", "params": of })).await else {
            panic!("a stream")
        };
        if items.contains("word word") {
            return;
        }
    }
    panic!("what was said before is not kept");
}
