//! Calls that go on in the background: the extension `io.modelcontextprotocol/tasks` of 2026-07-28.

use std::time::Duration;

use http::{HeaderValue, StatusCode};
use serde_json::{Value, json};
use widgetcast::auth::BearerKeys;
use widgetcast::{App, Caller, Ctx, Tool, ToolError};

use crate::stdio::Client;
use crate::talk::{Answer, MODERN, request, send, text};

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Nothing {}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Work {
    seconds: u64,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Name {
    name: String,
}

async fn work(ctx: Ctx, work: Work) -> Result<String, ToolError> {
    for second in 0..work.seconds {
        ctx.progress((second, work.seconds), format!("second {second}")).await;
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    Ok(format!("{} seconds", work.seconds))
}

async fn fail(_: Nothing) -> Result<String, ToolError> {
    tokio::time::sleep(Duration::from_secs(1)).await;
    Err(ToolError::public("it failed"))
}

async fn lack(ctx: Ctx, _: Nothing) -> Result<String, ToolError> {
    tokio::time::sleep(Duration::from_secs(1)).await;
    Ok(ctx.sample("Anything").await?.text())
}

async fn names(ctx: Ctx, _: Nothing) -> Result<String, ToolError> {
    let ask = |key: &str| ctx.elicit::<Name>("Who?").key(key);
    let (one, two) = tokio::try_join!(ask("one"), ask("two"))?;
    let name = |name: Option<Name>| name.map_or_else(|| "nobody".to_owned(), |name| name.name);
    Ok(format!("{} and {}", name(one), name(two)))
}

async fn later(ctx: Ctx, _: Nothing) -> Result<String, ToolError> {
    let name = ctx.elicit::<Name>("Who?").key("who").await?;
    let is_task = ctx.become_task().await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    Ok(format!("{} {is_task}", name.map_or_else(|| "nobody".to_owned(), |name| name.name)))
}

fn app() -> App {
    App::new("tests", "1.0.0")
        .tool(Tool::new("work", work).task())
        .tool(Tool::new("fail", fail).task().task_required())
        .tool(Tool::new("lack", lack).task())
        .tool(Tool::new("names", names).task())
        .tool(Tool::new("later", later).task_later())
        .build()
        .unwrap()
}

fn can() -> Value {
    json!({ "elicitation": {}, "extensions": { "io.modelcontextprotocol/tasks": {} } })
}

async fn ask_with(app: &App, method: &str, mut sent: Value, can: Value) -> Answer {
    sent["_meta"]["io.modelcontextprotocol/clientCapabilities"] = can;
    let id = sent["taskId"].as_str().and_then(|id| HeaderValue::from_str(id).ok());
    let mut request = request(MODERN, method, sent);
    if let Some(id) = id {
        request.headers_mut().insert("mcp-name", id);
    }
    send(&app.service(), request).await
}

async fn ask(app: &App, method: &str, sent: Value) -> Value {
    ask_with(app, method, sent, can()).await.json()
}

/// Begins a task, and gives its id.
async fn begin(app: &App, tool: &str, arguments: Value) -> String {
    let answer = ask(app, "tools/call", json!({ "name": tool, "arguments": arguments })).await;
    let task = &answer["result"];
    assert_eq!(task["resultType"], "task", "{answer:#}");
    for absent in ["result", "error", "inputRequests", "requestState", "content"] {
        assert!(task.get(absent).is_none(), "{absent}");
    }
    assert!(task["ttlMs"].is_u64() && task["pollIntervalMs"].is_u64());
    assert_eq!(task["createdAt"].as_str().unwrap().len(), "2026-07-28T00:00:00Z".len());
    task["taskId"].as_str().unwrap().to_owned()
}

async fn get(app: &App, id: &str) -> Value {
    let answer = ask(app, "tasks/get", json!({ "taskId": id })).await;
    assert_eq!(answer["result"]["resultType"], "complete", "{answer:#}");
    answer["result"].clone()
}

#[tokio::test(start_paused = true)]
async fn a_task_goes_on_after_its_request() {
    let app = app();
    let id = begin(&app, "work", json!({ "seconds": 2 })).await;
    let now = get(&app, &id).await;
    assert_eq!((&now["status"], &now["statusMessage"]), (&json!("working"), &json!("second 0")));
    tokio::time::sleep(Duration::from_millis(1500)).await;
    assert_eq!(get(&app, &id).await["statusMessage"], "second 1");
    tokio::time::sleep(Duration::from_secs(1)).await;
    let done = get(&app, &id).await;
    assert_eq!((&done["status"], text(&done["result"])), (&json!("completed"), "2 seconds"));
    // It is kept for the time that was said, and no longer.
    tokio::time::sleep(Duration::from_secs(60)).await;
    assert_eq!(get(&app, &id).await["status"], "completed");
    tokio::time::sleep(Duration::from_millis(done["ttlMs"].as_u64().unwrap())).await;
    let gone = ask(&app, "tasks/get", json!({ "taskId": id })).await;
    assert_eq!(gone["error"]["code"], -32602);
    // What needs no time needs no task.
    let sent = json!({ "name": "work", "arguments": { "seconds": 0 } });
    let answer = ask(&app, "tools/call", sent).await;
    assert_eq!(answer["result"]["resultType"], "complete");
    assert_eq!(text(&answer["result"]), "0 seconds");
}

#[tokio::test(start_paused = true)]
async fn a_task_fails_in_two_ways() {
    let app = app();
    let (failed, lacks) =
        (begin(&app, "fail", json!({})).await, begin(&app, "lack", json!({})).await);
    tokio::time::sleep(Duration::from_secs(2)).await;
    let failed = get(&app, &failed).await;
    assert_eq!(
        (&failed["status"], &failed["result"]["isError"]),
        (&json!("completed"), &json!(true))
    );
    let lacks = get(&app, &lacks).await;
    assert_eq!((&lacks["status"], &lacks["error"]["code"]), (&json!("failed"), &json!(-32021)));
    assert!(lacks.get("result").is_none());
}

#[tokio::test(start_paused = true)]
async fn a_task_is_cancelled() {
    let app = app();
    let id = begin(&app, "work", json!({ "seconds": 50 })).await;
    for _ in 0..2 {
        let answer = ask(&app, "tasks/cancel", json!({ "taskId": id })).await;
        assert_eq!(answer["result"]["resultType"], "complete");
        assert!(answer["result"].get("taskId").is_none());
        tokio::time::sleep(Duration::from_secs(1)).await;
        let now = get(&app, &id).await;
        assert_eq!(now["status"], "cancelled");
        assert!(now.get("result").is_none());
    }
}

#[tokio::test(start_paused = true)]
async fn a_task_asks_and_waits() {
    let app = app();
    let id = begin(&app, "names", json!({})).await;
    let now = get(&app, &id).await;
    assert_eq!(now["status"], "input_required");
    assert_eq!(now["inputRequests"]["one"]["method"], "elicitation/create");
    let update = async |answers: Value| {
        let sent = json!({ "taskId": id, "inputResponses": answers });
        let answer = ask(&app, "tasks/update", sent).await;
        assert_eq!(answer["result"]["resultType"], "complete", "{answer:#}");
    };
    let named = |name: &str| json!({ "action": "accept", "content": { "name": name } });
    update(json!({ "three": named("nobody") })).await;
    update(json!({ "one": named("Ada") })).await;
    // A user has more time than the tool.
    tokio::time::sleep(Duration::from_secs(300)).await;
    let now = get(&app, &id).await;
    assert_eq!(now["status"], "input_required");
    assert_eq!(now["inputRequests"].as_object().unwrap().keys().collect::<Vec<_>>(), ["two"]);
    update(json!({ "one": named("Eve"), "two": { "action": "decline" } })).await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    let done = get(&app, &id).await;
    assert_eq!(text(&done["result"]), "Ada and nobody");
    // But not all the time.
    let id = begin(&app, "names", json!({})).await;
    tokio::time::sleep(Duration::from_secs(700)).await;
    let done = get(&app, &id).await;
    assert_eq!(text(&done["result"]), "the client did not respond in time");
    let sent = json!({ "taskId": id, "inputResponses": [] });
    assert_eq!(ask(&app, "tasks/update", sent).await["error"]["code"], -32602);
}

#[tokio::test(start_paused = true)]
async fn a_call_becomes_a_task_when_it_says_so() {
    let app = app();
    let sent = json!({ "name": "later" });
    let asked = ask(&app, "tools/call", sent).await;
    assert_eq!(asked["result"]["resultType"], "input_required", "{asked:#}");
    let mut sent = json!({ "name": "later", "requestState": asked["result"]["requestState"] });
    sent["inputResponses"]["who"] = json!({ "action": "accept", "content": { "name": "Ada" } });
    let task = ask(&app, "tools/call", sent.clone()).await;
    assert_eq!(task["result"]["resultType"], "task", "{task:#}");
    tokio::time::sleep(Duration::from_secs(2)).await;
    let done = get(&app, task["result"]["taskId"].as_str().unwrap()).await;
    assert_eq!(text(&done["result"]), "Ada true");
    // Another client waits.
    let plain = ask_with(&app, "tools/call", sent, json!({ "elicitation": {} })).await.json();
    assert_eq!(text(&plain["result"]), "Ada false");
}

#[tokio::test(start_paused = true)]
async fn clients_without_tasks() {
    let app = app();
    let none = || json!({});
    let sent = json!({ "name": "work", "arguments": { "seconds": 1 } });
    let answer = ask_with(&app, "tools/call", sent, none()).await.json();
    assert_eq!(text(&answer["result"]), "1 seconds");
    let refused = ask_with(&app, "tools/call", json!({ "name": "fail" }), none()).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    let required = json!({ "extensions": { "io.modelcontextprotocol/tasks": {} } });
    assert_eq!(refused.json()["error"]["data"]["requiredCapabilities"], required);
    let id = begin(&app, "work", json!({ "seconds": 9 })).await;
    for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
        let sent = json!({ "taskId": id, "inputResponses": {} });
        let answer = ask_with(&app, method, sent, none()).await.json();
        assert_eq!(answer["error"]["code"], -32021, "{method}");
        let unknown = ask(&app, method, json!({ "taskId": "x", "inputResponses": {} })).await;
        assert_eq!(unknown["error"]["code"], -32602, "{method}");
        let meta = json!({ "io.modelcontextprotocol/clientCapabilities": can() });
        let mut other = request(MODERN, method, json!({ "taskId": id, "_meta": meta }));
        other.headers_mut().insert("mcp-name", HeaderValue::from_static("another"));
        assert_eq!(send(&app.service(), other).await.json()["error"]["code"], -32020, "{method}");
    }
    // Older revisions, and apps whose tools are no tasks, know nothing of it.
    let found = ask(&app, "server/discover", json!({})).await;
    let extensions = &found["result"]["capabilities"]["extensions"];
    assert!(extensions.get("io.modelcontextprotocol/tasks").is_some());
    let other = crate::talk::greeting();
    let found = ask(&other, "server/discover", json!({})).await;
    let extensions = &found["result"]["capabilities"]["extensions"];
    assert!(extensions.get("io.modelcontextprotocol/tasks").is_none());
    let answer = ask(&other, "tasks/get", json!({ "taskId": "x" })).await;
    assert_eq!(answer["error"]["code"], -32601);
    let old = request("2025-11-25", "tasks/get", json!({ "taskId": id }));
    assert_eq!(send(&app.service(), old).await.json()["error"]["code"], -32601);
    let refused = crate::talk::call(&app, "2025-11-25", "fail", json!({})).await;
    assert!(text(&refused).contains("the client lacks the capability"), "{refused:#}");
}

/// Asks with a key, about the tool or task of this name.
async fn ask_as(app: &App, key: &str, method: &str, mut sent: Value, name: &str) -> Value {
    sent["_meta"]["io.modelcontextprotocol/clientCapabilities"] = can();
    let mut request = request(MODERN, method, sent);
    let key = HeaderValue::try_from(format!("Bearer {key}")).unwrap();
    request.headers_mut().insert("authorization", key);
    request.headers_mut().insert("mcp-name", HeaderValue::try_from(name).unwrap());
    send(&app.service(), request).await.json()
}

#[tokio::test(start_paused = true)]
async fn a_task_belongs_to_its_caller() {
    let keys = BearerKeys::new()
        .key("3f9a-the-key-of-ada", Caller::new("ada"))
        .key("77c1-the-key-of-bob", Caller::new("bob"));
    let tool = Tool::new("work", work).task();
    let app = App::new("tests", "1.0.0").tool(tool).auth(keys).build().unwrap();
    let ask = async |key: &str, method: &str, sent: Value, name: &str| {
        ask_as(&app, key, method, sent, name).await
    };
    let sent = json!({ "name": "work", "arguments": { "seconds": 9 } });
    let begun = ask("3f9a-the-key-of-ada", "tools/call", sent, "work").await;
    let id = begun["result"]["taskId"].as_str().unwrap();
    for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
        let sent = json!({ "taskId": id, "inputResponses": {} });
        let other = ask("77c1-the-key-of-bob", method, sent, id).await;
        assert_eq!(other["error"]["code"], -32602, "{method}");
    }
    let own = ask("3f9a-the-key-of-ada", "tasks/get", json!({ "taskId": id }), id).await;
    assert_eq!(own["result"]["status"], "working", "{own:#}");
}

#[tokio::test(start_paused = true)]
async fn one_client_has_so_many_tasks() {
    let app = app();
    let sent = json!({ "name": "work", "arguments": { "seconds": 1 } });
    let mut begun = 0;
    let refused = loop {
        let answer = ask(&app, "tools/call", sent.clone()).await;
        if answer["result"]["resultType"] != "task" {
            break answer;
        }
        begun += 1;
        assert!(begun < 10_000);
    };
    assert!(refused["error"]["message"].as_str().unwrap().contains("Too many tasks"));
    tokio::time::sleep(Duration::from_secs(3600)).await;
    begin(&app, "work", json!({ "seconds": 1 })).await;
}

/// Callers at one address have a share each, and large results fill that of their caller alone.
#[tokio::test(start_paused = true)]
async fn every_caller_has_a_share_of_tasks() {
    let keys = BearerKeys::new()
        .key("3f9a-the-key-of-ada", Caller::new("ada"))
        .key("77c1-the-key-of-bob", Caller::new("bob"));
    let large = async || {
        tokio::time::sleep(Duration::from_secs(1)).await;
        "x".repeat(1 << 20)
    };
    let app = App::new("tests", "1.0.0")
        .auth(keys)
        .tool(Tool::new("large", large).task())
        .build()
        .unwrap();
    let ask = async |key: &str, method: &str, sent: Value, name: &str| {
        ask_as(&app, key, method, sent, name).await["result"].clone()
    };
    let begin = async |key| {
        let begun = ask(key, "tools/call", json!({ "name": "large" }), "large").await;
        begun["taskId"].as_str().map(str::to_owned)
    };
    let (ada, bob) = ("3f9a-the-key-of-ada", "77c1-the-key-of-bob");
    let mut of_ada = Vec::new();
    while let Some(id) = begin(ada).await {
        of_ada.push(id);
        assert!(of_ada.len() < 1000);
    }
    let of_bob = begin(bob).await.expect("a share of its own");
    tokio::time::sleep(Duration::from_secs(5)).await;
    let status = async |key, id: &String| {
        ask(key, "tasks/get", json!({ "taskId": id }), id).await["status"].clone()
    };
    let mut kept = 0;
    for id in &of_ada {
        kept += usize::from(status(ada, id).await == "completed");
    }
    assert!((1..16).contains(&kept), "{kept} of {}", of_ada.len());
    assert_eq!(status(bob, &of_bob).await, "completed");
}

#[tokio::test]
async fn tasks_work_on_a_pipe() {
    let mut client = Client::of(app());
    let meta = json!({ "io.modelcontextprotocol/clientCapabilities": can() });
    client.send(1, MODERN, "tools/call", json!({ "name": "names", "_meta": meta })).await;
    let id = client.hear().await["result"]["taskId"].clone();
    let mut update = json!({ "taskId": id, "_meta": meta });
    for key in ["one", "two"] {
        update["inputResponses"][key] = json!({ "action": "cancel" });
    }
    client.send(2, MODERN, "tasks/update", update).await;
    assert_eq!(client.hear().await["result"]["resultType"], "complete");
    loop {
        client.send(3, MODERN, "tasks/get", json!({ "taskId": id, "_meta": meta })).await;
        let now = client.hear().await;
        if now["result"]["status"] == "completed" {
            assert_eq!(text(&now["result"]["result"]), "nobody and nobody");
            break;
        }
        tokio::task::yield_now().await;
    }
    client.leave().await;
}
