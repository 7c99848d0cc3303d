//! The endpoint: who sees what, what is refused, and what is left when a client goes away.

use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use widgetcast::auth::BearerKeys;
use widgetcast::{App, Caller};

use crate::golden::Golden;
use crate::stage::{Client, Stage, input};

#[tokio::test]
async fn a_second_person_sees_nothing_of_the_first() {
    let stage = Stage::new(Golden).await;
    let (ada, eve) = (stage.user().await, stage.user().await);
    let (thread, _) = ada.begin("hello").await;
    assert_eq!(ada.items(&thread).await.len(), 2);
    let of = json!({ "thread_id": thread });
    assert_eq!(eve.ask("threads.get_by_id", of.clone()).await.status, 404);
    assert_eq!(eve.ask("items.list", of.clone()).await.status, 404);
    assert_eq!(eve.ask("threads.list", json!({})).await.json()["data"], json!([]));
    assert_eq!(eve.say(&thread, "mine").await.status, 404);
    let title = json!({ "thread_id": thread, "title": "mine" });
    assert_eq!(eve.ask("threads.update", title).await.status, 404);
    assert_eq!(eve.get("/chatkit/search?q=hello").await.json(), json!({ "data": [] }));
    assert_eq!(eve.ask("threads.delete", of).await.json(), json!({}));
    let found = ada.get("/chatkit/search?q=HELLO").await.json();
    assert_eq!(found["data"][0]["id"], json!(thread));
    assert_eq!(found["data"][0]["snippet"], "hello");
}

/// Whatever a later version keeps with an item reaches the client: the stored text is passed on.
#[tokio::test]
async fn a_thread_comes_with_its_items_as_they_are_stored() {
    let stage = Stage::new(Golden).await;
    let ada = stage.user().await;
    let (thread, _) = ada.begin("hello").await;
    let file = rusqlite::Connection::open(stage.dir.path().join("chat.db")).unwrap();
    let later = "UPDATE chatkit_items SET data = json_set(data, '$.later', 7)";
    assert_eq!(file.execute(later, []).unwrap(), 2);
    let shown = ada.ask("threads.get_by_id", json!({ "thread_id": thread })).await.json();
    assert_eq!(shown["id"], json!(thread));
    assert_eq!(shown["items"]["data"].as_array().unwrap(), &ada.items(&thread).await);
    assert_eq!(shown["items"]["data"][0]["later"], 7);
}

#[tokio::test]
async fn pages_of_others_and_other_types_are_refused() {
    let stage = Stage::new(Golden).await;
    let ada = stage.user().await;
    let send = async |headers: &[(&str, &str)]| {
        let mut request =
            http::Request::post("http://localhost/chatkit").header("host", "localhost");
        for (name, value) in headers.iter().chain([&("cookie", &*ada.header.1)]) {
            request = request.header(*name, *value);
        }
        let body = json!({ "type": "threads.list", "params": {} }).to_string();
        stage.send(request.body(body).unwrap()).await.status
    };
    let json = ("content-type", "application/json");
    assert_eq!(send(&[json]).await, 200);
    assert_eq!(send(&[json, ("origin", "http://localhost")]).await, 200);
    assert_eq!(send(&[("content-type", "text/plain")]).await, 415);
    assert_eq!(send(&[]).await, 415);
    // The gate lets other ports of this machine in; their pages do not speak for this user.
    assert_eq!(send(&[json, ("origin", "http://localhost:3000")]).await, 403);
    assert_eq!(send(&[json, ("origin", "https://evil.example")]).await, 403);
}

/// Who has no cookie of ours is someone new, whatever they send.
#[tokio::test]
async fn cookies_that_we_did_not_give_out_are_replaced() {
    let stage = Stage::new(Golden).await;
    let ada = stage.user().await;
    let (thread, reply) = ada.begin("hello").await;
    assert!(!reply.headers.contains_key("set-cookie"), "she has one");
    let value = ada.header.1.split('=').nth(1).unwrap();
    let turned: String = value.chars().rev().collect();
    for invented in
        ["", "1", &"0".repeat(40), &"a".repeat(72), &value[..40], &turned, &format!("{value}0")]
    {
        let cookie = format!("widgetcast_person={invented}");
        let eve = Client { stage: &stage, header: ("cookie", cookie.clone()) };
        let (_, reply) = eve.begin("hello").await;
        assert_ne!(reply.cookie(), cookie);
        let list = eve.ask("threads.list", json!({})).await.json();
        assert_eq!(list["data"], json!([]), "what was begun is of another user: {invented}");
    }
    assert_eq!(ada.items(&thread).await.len(), 2);
}

#[tokio::test]
async fn no_other_origin_reads_what_the_endpoint_sends() {
    let stage = Stage::new(Golden).await;
    let ada = stage.user().await;
    for reply in [
        ada.get("/chat").await,
        ada.get("/chatkit/search?q=x").await,
        ada.get("/chatkit/attachments/none").await,
        ada.ask("threads.list", json!({})).await,
        ada.begin("hello").await.1,
    ] {
        assert_eq!(reply.headers["cross-origin-resource-policy"], "same-origin");
    }
}

#[tokio::test]
async fn over_https_only_this_host_can_set_the_cookie() {
    let stage = Stage::new(Golden).await;
    let page = http::Request::get("http://localhost/chat").header("x-forwarded-proto", "https");
    let cookie = stage.send(page.body(String::new()).unwrap()).await;
    let line = cookie.headers["set-cookie"].to_str().unwrap();
    assert!(line.starts_with("__Host-widgetcast_person="), "{line}");
    assert!(line.contains("; Path=/;") && line.ends_with("; Secure"), "{line}");
    let value = cookie.cookie().split('=').nth(1).unwrap().to_owned();
    let ask = async |name: &str| {
        let request = http::Request::post("http://localhost/chatkit")
            .header("x-forwarded-proto", "https")
            .header("content-type", "application/json")
            .header("cookie", format!("{name}={value}"));
        let body = json!({ "type": "threads.list", "params": {} }).to_string();
        stage.send(request.body(body).unwrap()).await.headers.contains_key("set-cookie")
    };
    assert!(!ask("__Host-widgetcast_person").await);
    assert!(ask("widgetcast_person").await, "one that anybody could have set is nobody's");
}

#[tokio::test]
async fn callers_are_proven_as_the_app_proves_them() {
    let keys = BearerKeys::new()
        .key("the key of ada 01", Caller::new("ada"))
        .key("the key of bob 02", Caller::new("bob"));
    let stage = Stage::with(App::new("tests", "1.0.0").auth(keys), |_| Golden).await;
    let client =
        |key: &str| Client { stage: &stage, header: ("authorization", format!("Bearer {key}")) };
    let (ada, bob) = (client("the key of ada 01"), client("the key of bob 02"));
    let (thread, reply) = ada.begin("hello").await;
    assert!(!reply.headers.contains_key("set-cookie"));
    let of = json!({ "thread_id": thread });
    assert_eq!(ada.ask("threads.get_by_id", of.clone()).await.status, 200);
    assert_eq!(bob.ask("threads.get_by_id", of).await.status, 404);
    assert_eq!(client("wrong").ask("threads.list", json!({})).await.status, 401);
    let nobody = Client { stage: &stage, header: ("x-nothing", String::new()) };
    let refused = nobody.ask("threads.list", json!({})).await;
    assert_eq!(refused.status, 401);
    assert_eq!(refused.headers["www-authenticate"], "Bearer");
    assert_eq!(nobody.get("/chat").await.status, 200);
}

#[tokio::test]
async fn what_a_client_saw_is_kept_when_it_goes() {
    let stage = Stage::new(Golden).await;
    let ada = stage.user().await;
    let request = http::Request::post("http://localhost/chatkit")
        .header("content-type", "application/json")
        .header("cookie", &ada.header.1)
        .body(
            json!({ "type": "threads.create", "params": { "input": input("long") } }).to_string(),
        );
    let mut body = stage.app.handle(request.unwrap()).await.into_body();
    let (mut seen, mut thread) = (String::new(), String::new());
    while seen.len() < 50 {
        let frame = body.frame().await.unwrap().unwrap().into_data().unwrap();
        let event: Value = serde_json::from_slice(&frame["data: ".len()..]).unwrap();
        thread.push_str(event["thread"]["id"].as_str().unwrap_or_default());
        seen.push_str(event["update"]["delta"].as_str().unwrap_or_default());
    }
    drop(body);
    let text = loop {
        if let [_, message] = &*ada.items(&thread).await {
            break message["content"][0]["text"].as_str().unwrap().to_owned();
        }
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    };
    assert!(text.starts_with(&seen), "{text}");
    // The thread goes on.
    assert!(ada.say(&thread, "hello").await.types().contains(&"thread.item.done".to_owned()));
}

#[tokio::test]
async fn tools_of_the_client_and_questions_are_answered() {
    let stage = Stage::new(Golden).await;
    let ada = stage.user().await;
    let (thread, _) = ada.begin("call").await;
    let output = json!({ "thread_id": thread, "result": { "lat": 47 } });
    let reply = ada.ask("threads.add_client_tool_output", output.clone()).await;
    assert_eq!(reply.types()[0], "stream_options");
    assert_eq!(ada.items(&thread).await[1]["output"], json!({ "lat": 47 }));
    assert_eq!(ada.ask("threads.add_client_tool_output", output).await.status, 400);

    let (thread, reply) = ada.begin("ask").await;
    let item = reply.events()[3]["item"]["id"].clone();
    let answers = json!({
        "name": { "values": ["Ada"] }, "size": { "values": ["s", "l"] },
        "extras": { "values": ["a", "b"] }, "unknown": { "values": ["x"] },
    });
    let params = json!({ "thread_id": thread, "item_id": item, "input": { "answers": answers } });
    let reply = ada.ask("threads.add_structured_input", params.clone()).await;
    assert_eq!(reply.types()[..2], ["stream_options", "thread.item.replaced"]);
    let given = &reply.events()[1]["item"];
    assert_eq!(given["status"], "answered");
    let values: Vec<&Value> =
        given["inputs"].as_array().unwrap().iter().map(|input| &input["answer"]).collect();
    assert_eq!(*values[1], json!({ "values": ["s"], "skipped": false }));
    assert_eq!(*values[2], json!({ "values": ["a", "b"], "skipped": false }));
    assert_eq!(*values[3], json!({ "values": [], "skipped": true }));
    assert_eq!(ada.items(&thread).await[1], *given);
    assert_eq!(ada.ask("threads.add_structured_input", params).await.status, 400);
}

#[tokio::test]
async fn hidden_items_and_failures() {
    let stage = Stage::new(Golden).await;
    let ada = stage.user().await;
    let (thread, reply) = ada.begin("hidden").await;
    assert!(!String::from_utf8_lossy(&reply.bytes).contains("secret"));
    assert_eq!(ada.items(&thread).await.len(), 2);
    let reply = ada.say(&thread, "fail").await;
    let error = json!({ "type": "error", "code": "stream.error", "allow_retry": true });
    assert_eq!(*reply.events().last().unwrap(), error);
    let message = ada.items(&thread).await[1]["id"].clone();
    let of = json!({ "thread_id": thread, "item_id": message, "action": { "type": "x" } });
    let reply = ada.ask("threads.custom_action", of.clone()).await;
    assert_eq!(
        reply.events(),
        [json!({ "type": "error", "code": "stream.error", "allow_retry": false })]
    );
    assert_eq!(ada.ask("threads.sync_custom_action", of).await.status, 400);
    let retry = json!({ "thread_id": thread, "item_id": message });
    assert_eq!(ada.ask("threads.retry_after_item", retry).await.status, 400);
    let audio = json!({ "audio_base64": "AAAA", "mime_type": "audio/webm" });
    assert_eq!(ada.ask("input.transcribe", audio).await.status, 501);
    assert_eq!(ada.ask("input.transcribe", json!({ "audio_base64": "!" })).await.status, 400);
}

#[tokio::test]
async fn files_are_uploaded_in_two_steps_and_read_by_their_owner() {
    let stage = Stage::new(Golden).await;
    let (ada, eve) = (stage.user().await, stage.user().await);
    let file = |name: &str, size: i64, mime: &str| json!({ "name": name, "size": size, "mime_type": mime });
    assert_eq!(ada.ask("attachments.create", file("a", 5, "text/html")).await.status, 415);
    assert_eq!(ada.ask("attachments.create", file("a", 1 << 40, "text/plain")).await.status, 413);
    let made = ada.ask("attachments.create", file("pic.png", 5, "image/png")).await.json();
    assert_eq!(made["type"], "image");
    let (id, upload) = (made["id"].as_str().unwrap(), &made["upload_descriptor"]);
    let url = upload["url"].as_str().unwrap();
    assert_eq!(made["preview_url"], *url);
    assert_eq!(url, format!("http://localhost/chatkit/attachments/{id}"));
    let path = url.strip_prefix("http://localhost").unwrap();
    assert_eq!(ada.get(path).await.status, 404);
    let put = async |header: (&str, &str), bytes: &str| {
        let request = http::Request::put(url).header(header.0, header.1).body(bytes.to_owned());
        stage.send(request.unwrap()).await.status
    };
    let token = upload["headers"]["x-upload-token"].as_str().unwrap();
    assert_eq!(put(("cookie", &eve.header.1), "12345").await, 404);
    assert_eq!(put(("x-upload-token", "wrong"), "12345").await, 404);
    assert_eq!(put(("x-upload-token", token), "123456").await, 413);
    assert_eq!(put(("x-upload-token", token), "12345").await, 200);
    assert_eq!(put(("x-upload-token", token), "other").await, 404);
    let read = ada.get(path).await;
    assert_eq!((read.status, &*read.bytes), (200, &b"12345"[..]));
    assert_eq!(read.headers["content-type"], "image/png");
    assert_eq!(eve.get(path).await.status, 404);

    let mut with = input("see");
    with["attachments"] = json!([id]);
    assert_eq!(eve.ask("threads.create", json!({ "input": with })).await.status, 404);
    let reply = ada.ask("threads.create", json!({ "input": with })).await;
    let sent = &reply.events()[1]["item"]["attachments"][0];
    assert_eq!(sent["thread_id"], reply.events()[0]["thread"]["id"]);
    let of = json!({ "attachment_id": id });
    assert_eq!(eve.ask("attachments.delete", of.clone()).await.json(), json!({}));
    assert_eq!(ada.get(path).await.status, 200);
    assert_eq!(ada.ask("attachments.delete", of).await.json(), json!({}));
    assert_eq!(ada.get(path).await.status, 404);
}
