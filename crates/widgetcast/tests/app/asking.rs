//! Handlers that ask their client: by results that ask for input on 2026-07-28, by requests in older
//! revisions.

use std::time::Duration;

use http::{HeaderValue, Request, StatusCode};
use http_body_util::{BodyExt as _, Full};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tower::ServiceExt as _;
use widgetcast::auth::BearerKeys;
use widgetcast::client::{Answer, LogLevel, Sampling};
use widgetcast::handler::Arguments;
use widgetcast::http::Body;
use widgetcast::{App, Caller, Ctx, Message, Prompt, Settings, Tool, ToolError};

use crate::schema;
use crate::stdio::Client;
use crate::talk::{MODERN, request, send, text};

const LEGACY: [&str; 2] = ["2025-11-25", "2025-06-18"];

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Nothing {}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Order {
    item: String,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Confirm {
    /// How many
    count: u32,
    #[serde(default)]
    gift: bool,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Name {
    name: String,
}

async fn order(ctx: Ctx, order: Order) -> Result<String, ToolError> {
    let confirm = ctx.elicit::<Confirm>(format!("Order {}?", order.item)).await?;
    let Some(Confirm { count, gift }) = confirm else {
        return Err(ToolError::public("not ordered"));
    };
    Ok(format!("{count} of {}{}", order.item, if gift { ", wrapped" } else { "" }))
}

async fn exact(ctx: Ctx, _: Nothing) -> Result<String, ToolError> {
    let answer = ctx.elicit::<Name>("Who?").key("who").answer().await?;
    Ok(match answer {
        Answer::Accepted(Name { name }) => name,
        Answer::Declined => "declined".into(),
        Answer::Cancelled => "cancelled".into(),
    })
}

/// One question after the other, two at once, and the first one again.
async fn long(ctx: Ctx, _: Nothing) -> Result<String, ToolError> {
    let first = ctx.elicit::<Name>("First?").await?.map(|name| name.name).unwrap_or_default();
    let (second, third) =
        tokio::try_join!(ctx.elicit::<Name>("Second?"), ctx.elicit::<Name>("Third?"))?;
    let again = ctx.elicit::<Name>("First?").await?;
    let rest = [second, third, again].map(|name| name.map(|name| name.name).unwrap_or_default());
    Ok(format!("{first} {}", rest.join(" ")))
}

async fn endless(ctx: Ctx, _: Nothing) -> Result<String, ToolError> {
    for round in 0.. {
        ctx.elicit::<Name>(format!("Round {round}?")).await?;
    }
    Ok(String::new())
}

async fn sampled(ctx: Ctx, _: Nothing) -> Result<String, ToolError> {
    let said = ctx.sample(Sampling::from("What?").system("Be brief").max_tokens(7)).await?;
    Ok(format!("{} says {}", said.model, said.text()))
}

async fn rooted(ctx: Ctx, _: Nothing) -> Result<String, ToolError> {
    let roots = ctx.roots().await?;
    Ok(roots.iter().map(|root| root.uri.as_str()).collect::<Vec<_>>().join(" "))
}

async fn log_in(ctx: Ctx, _: Nothing) -> Result<String, ToolError> {
    let answer = ctx.elicit_url("Log in first", "https://example.com/login").await?;
    Ok(format!("{answer:?}"))
}

/// Does what it can with what the client has.
async fn modest(ctx: Ctx, _: Nothing) -> &'static str {
    match ctx.elicit::<Name>("Who?").await {
        Ok(_) => "asked",
        Err(_) => "not asked",
    }
}

fn builder() -> widgetcast::Builder {
    let mut settings = Settings::default();
    settings.key = Some("0123456789abcdef0123456789abcdef".into());
    let greet = |ctx: Ctx, _: Arguments| async move {
        let name = ctx.elicit::<Name>("Whom to greet?").await?;
        let name = name.map(|name| name.name).unwrap_or_default();
        Ok::<_, ToolError>(vec![Message::user(format!("Greet {name}"))])
    };
    App::new("tests", "1.0.0")
        .settings(settings)
        .tool(Tool::new("order", order))
        .tool(Tool::new("exact", exact))
        .tool(Tool::new("long", long))
        .tool(Tool::new("endless", endless))
        .tool(Tool::new("sampled", sampled))
        .tool(Tool::new("rooted", rooted))
        .tool(Tool::new("log_in", log_in))
        .tool(Tool::new("modest", modest))
        .prompt(Prompt::new("greet", greet))
}

fn app() -> App {
    builder().build().unwrap()
}

fn all() -> Value {
    json!({ "elicitation": { "form": {}, "url": {} }, "sampling": {}, "roots": {} })
}

/// One request of 2026-07-28 with these capabilities; the status and the whole answer.
async fn round(app: &App, method: &str, mut sent: Value, can: &Value) -> (StatusCode, Value) {
    sent["_meta"]["io.modelcontextprotocol/clientCapabilities"] = can.clone();
    let answer = send(&app.service(), request(MODERN, method, sent)).await;
    let status = answer.status;
    let answer = answer.json();
    match answer["result"]["resultType"] == "input_required" {
        true => schema::check(MODERN, "InputRequiredResult", &answer["result"]),
        false => schema::check_answer(MODERN, method, &answer),
    }
    (status, answer)
}

async fn call(app: &App, sent: Value) -> Value {
    round(app, "tools/call", sent, &all()).await.1
}

/// The questions of an answer: key, method and parameters.
fn questions(answer: &Value) -> Vec<(String, &str, &Value)> {
    assert_eq!(answer["result"]["resultType"], "input_required", "{answer:#}");
    let all = answer["result"]["inputRequests"].as_object().unwrap();
    all.iter()
        .map(|(key, question)| {
            (key.clone(), question["method"].as_str().unwrap(), &question["params"])
        })
        .collect()
}

fn accept(content: &Value) -> Value {
    json!({ "action": "accept", "content": content })
}

/// Calls again with the answers that `of` gives to each message.
fn again(sent: &Value, answer: &Value, of: impl Fn(&str) -> Value) -> Value {
    let mut sent = sent.clone();
    for (key, _, params) in questions(answer) {
        sent["inputResponses"][key] = of(params["message"].as_str().unwrap_or_default());
    }
    sent["requestState"] = answer["result"]["requestState"].clone();
    sent
}

#[tokio::test]
async fn a_question_and_its_answer() {
    let app = app();
    let sent = json!({ "name": "order", "arguments": { "item": "tea" } });
    let asked = call(&app, sent.clone()).await;
    let (_, method, params) = questions(&asked).remove(0);
    assert_eq!(method, "elicitation/create");
    assert_eq!(
        *params,
        json!({ "message": "Order tea?", "requestedSchema": {
            "type": "object",
            "properties": {
                "count": { "type": "integer", "minimum": 0, "description": "How many" },
                "gift": { "type": "boolean", "default": false },
            },
            "required": ["count"],
        } })
    );
    let info = &asked["result"]["_meta"]["io.modelcontextprotocol/serverInfo"];
    assert_eq!(info["name"], "tests");
    let answers = |answer: Value| again(&sent, &asked, move |_| answer.clone());
    let done = call(&app, answers(accept(&json!({ "count": 2, "gift": true })))).await;
    assert_eq!(text(&done["result"]), "2 of tea, wrapped");
    for action in ["decline", "cancel"] {
        let done = call(&app, answers(json!({ "action": action }))).await;
        assert_eq!(text(&done["result"]), "not ordered");
        assert_eq!(done["result"]["isError"], true);
    }
    // What does not fit is said to the model.
    for content in [json!({ "count": "many" }), json!({})] {
        let done = call(&app, answers(accept(&content))).await;
        assert!(text(&done["result"]).contains("does not match the form"), "{done:#}");
    }
    let done = call(&app, answers(json!({ "action": "dance" }))).await;
    assert!(text(&done["result"]).contains("action is missing"), "{done:#}");
    // Any process with the same key goes on with it.
    let done = call(&self::app(), answers(accept(&json!({ "count": 1 })))).await;
    assert_eq!(text(&done["result"]), "1 of tea");
}

#[tokio::test]
async fn declined_is_not_cancelled() {
    let app = app();
    for (answer, words) in [
        (accept(&json!({ "name": "Ada" })), "Ada"),
        (json!({ "action": "decline" }), "declined"),
        (json!({ "action": "cancel" }), "cancelled"),
    ] {
        // A question with a name can be answered without having been asked.
        let sent = json!({ "name": "exact", "inputResponses": {
            "who": answer, "unknown": { "action": "accept" } } });
        assert_eq!(text(&call(&app, sent).await["result"]), words);
    }
    let sent = json!({ "name": "exact", "inputResponses": { "whom": accept(&json!({})) } });
    assert_eq!(questions(&call(&app, sent).await)[0].0, "who", "the answer is missing");
}

#[tokio::test]
async fn earlier_answers_are_carried_on() {
    let app = app();
    let mut sent = json!({ "name": "long" });
    let mut asked = Vec::new();
    for _ in 0..3 {
        let answer = call(&app, sent.clone()).await;
        let messages =
            questions(&answer).into_iter().map(|(_, _, params)| params["message"].clone());
        asked.push(messages.collect::<Vec<_>>());
        sent = json!({ "name": "long" });
        sent = again(&sent, &answer, |message| accept(&json!({ "name": message.to_lowercase() })));
    }
    assert_eq!(json!(asked), json!([["First?"], ["Second?", "Third?"], ["First?"]]));
    assert_eq!(text(&call(&app, sent).await["result"]), "first? second? third? first?");
}

#[tokio::test]
async fn a_tool_cannot_ask_without_end() {
    let app = app();
    let (first, mut rounds) = (json!({ "name": "endless" }), 0);
    let mut sent = first.clone();
    loop {
        let answer = call(&app, sent).await;
        if answer["result"]["resultType"] == "complete" {
            assert_eq!(text(&answer["result"]), "the tool asked for input too many times");
            break;
        }
        sent = again(&first, &answer, |_| json!({ "action": "decline" }));
        rounds += 1;
        assert!(rounds < 100);
    }
    // What it must carry on has a limit, too.
    let answer = call(&app, first.clone()).await;
    let long = json!({ "action": "accept", "content": { "name": "x".repeat(100_000) } });
    let answer = call(&app, again(&first, &answer, |_| long.clone())).await;
    assert!(text(&answer["result"]).contains("too large"), "{answer:#}");
}

#[tokio::test]
async fn a_state_is_good_for_its_own_call_alone() {
    let app = app();
    let sent = json!({ "name": "order", "arguments": { "item": "tea" } });
    let asked = call(&app, sent.clone()).await;
    let good = again(&sent, &asked, |_| accept(&json!({ "count": 1 })));
    let refused = async |app: &App, sent: Value, words: &str| {
        let answer = call(app, sent).await;
        assert_eq!(answer["error"]["code"], -32602, "{answer:#}");
        assert!(answer["error"]["message"].as_str().unwrap().contains(words), "{answer:#}");
    };
    let with = |key: &str, value: Value| {
        let mut sent = good.clone();
        sent[key] = value;
        sent
    };
    let state = good["requestState"].as_str().unwrap();
    for bad in [format!("{state}-TAMPERED"), state[1..].into(), String::new(), "a.b.c".into()] {
        refused(&app, with("requestState", json!(bad)), "not issued by this server").await;
    }
    refused(&app, with("arguments", json!({ "item": "gold" })), "another call").await;
    refused(&app, with("name", json!("exact")), "another call").await;
    let mut settings = Settings::default();
    settings.key = Some("f123456789abcdef0123456789abcdef".into());
    let other = App::new("tests", "1.0.0").settings(settings).tool(Tool::new("order", order));
    refused(&other.build().unwrap(), good.clone(), "not issued by this server").await;
    for bad in [json!([]), json!({ "who": 12345 }), json!("x")] {
        refused(&app, with("inputResponses", bad), "must be an object").await;
    }
    assert_eq!(text(&call(&app, good).await["result"]), "1 of tea");
}

const ADA: &str = "3f9a-the-key-of-ada";
const BOB: &str = "77c1-the-key-of-bob";

#[tokio::test]
async fn a_state_is_good_for_its_own_caller_alone() {
    let keys = BearerKeys::new().key(ADA, Caller::new("ada")).key(BOB, Caller::new("bob"));
    let app = builder().auth(keys).build().unwrap();
    let ask = async |key: &str, mut sent: Value| {
        sent["_meta"]["io.modelcontextprotocol/clientCapabilities"] = all();
        let mut request = request(MODERN, "tools/call", sent);
        let key = HeaderValue::try_from(format!("Bearer {key}")).unwrap();
        request.headers_mut().insert("authorization", key);
        send(&app.service(), request).await.json()
    };
    let sent = json!({ "name": "order", "arguments": { "item": "tea" } });
    let asked = ask(ADA, sent.clone()).await;
    let answers = again(&sent, &asked, |_| accept(&json!({ "count": 1 })));
    let refused = ask(BOB, answers.clone()).await;
    assert!(refused["error"]["message"].as_str().unwrap().contains("another call"), "{refused:#}");
    assert_eq!(text(&ask(ADA, answers).await["result"]), "1 of tea");
}

#[tokio::test]
async fn models_roots_and_addresses() {
    let app = app();
    let sent = json!({ "name": "sampled" });
    let asked = call(&app, sent.clone()).await;
    let (_, method, params) = questions(&asked).remove(0);
    assert_eq!(method, "sampling/createMessage");
    assert_eq!(
        *params,
        json!({ "maxTokens": 7, "systemPrompt": "Be brief", "messages": [
            { "role": "user", "content": { "type": "text", "text": "What?" } }] })
    );
    let said =
        json!({ "role": "assistant", "model": "m", "content": { "type": "text", "text": "that" } });
    let done = call(&app, again(&sent, &asked, |_| said.clone())).await;
    assert_eq!(text(&done["result"]), "m says that");

    let sent = json!({ "name": "rooted" });
    let asked = call(&app, sent.clone()).await;
    assert_eq!(questions(&asked)[0].1, "roots/list");
    let roots = json!({ "roots": [{ "uri": "file:///a" }, { "uri": "file:///b", "name": "b" }] });
    let done = call(&app, again(&sent, &asked, |_| roots.clone())).await;
    assert_eq!(text(&done["result"]), "file:///a file:///b");

    let sent = json!({ "name": "log_in" });
    let asked = call(&app, sent.clone()).await;
    let params =
        json!({ "mode": "url", "message": "Log in first", "url": "https://example.com/login" });
    assert_eq!(*questions(&asked)[0].2, params);
    let done = call(&app, again(&sent, &asked, |_| json!({ "action": "accept" }))).await;
    assert_eq!(text(&done["result"]), "Accepted(())");
}

#[tokio::test]
async fn what_the_client_cannot_do_is_the_protocols_error() {
    let app = app();
    for (tool, can, required) in [
        ("exact", json!({}), json!({ "elicitation": {} })),
        ("exact", json!({ "elicitation": { "url": {} } }), json!({ "elicitation": {} })),
        ("log_in", json!({ "elicitation": {} }), json!({ "elicitation": { "url": {} } })),
        ("sampled", json!({ "elicitation": {} }), json!({ "sampling": {} })),
        ("rooted", json!({ "sampling": {} }), json!({ "roots": {} })),
    ] {
        let (status, answer) = round(&app, "tools/call", json!({ "name": tool }), &can).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{tool}");
        schema::check(MODERN, "MissingRequiredClientCapabilityError", &answer);
        assert_eq!(answer["error"]["data"]["requiredCapabilities"], required, "{tool}");
        // Older revisions have no such error.
        let old = crate::talk::call(&app, "2025-11-25", tool, json!({})).await;
        assert!(text(&old).contains("the client lacks the capability"), "{old:#}");
    }
    // A handler may go on without.
    let (_, answer) = round(&app, "tools/call", json!({ "name": "modest" }), &json!({})).await;
    assert_eq!(text(&answer["result"]), "not asked");
    // Without a mode it is a form.
    let form = json!({ "elicitation": {} });
    let (_, answer) = round(&app, "tools/call", json!({ "name": "exact" }), &form).await;
    assert_eq!(questions(&answer).len(), 1);
}

#[tokio::test]
async fn prompts_may_ask() {
    let app = app();
    let sent = json!({ "name": "greet" });
    let (_, asked) = round(&app, "prompts/get", sent.clone(), &all()).await;
    let sent = again(&sent, &asked, |_| accept(&json!({ "name": "Ada" })));
    let (_, done) = round(&app, "prompts/get", sent, &all()).await;
    assert_eq!(done["result"]["messages"][0]["content"]["text"], "Greet Ada");
    let (status, refused) =
        round(&app, "prompts/get", json!({ "name": "greet" }), &json!({})).await;
    assert_eq!((status, &refused["error"]["code"]), (StatusCode::BAD_REQUEST, &json!(-32021)));
}

#[tokio::test]
async fn rounds_work_on_a_pipe() {
    let mut client = Client::of(app());
    let meta = json!({ "io.modelcontextprotocol/clientCapabilities": all() });
    let sent = json!({ "name": "long", "_meta": meta });
    let mut now = sent.clone();
    for _ in 0..3 {
        client.send(1, MODERN, "tools/call", now).await;
        let answer = client.hear().await;
        now = again(&sent, &answer, |message| accept(&json!({ "name": message })));
    }
    let done = client.ask(MODERN, "tools/call", now).await;
    assert_eq!(text(&done["result"]), "First? Second? Third? First?");
    client.leave().await;
}

/// What a client of an older revision answers to a request of the server.
fn reply(era: &str, asked: &Value, result: &Value) -> Value {
    let method = asked["method"].as_str().unwrap_or_default();
    let name = match method {
        "elicitation/create" => "ElicitRequest",
        "sampling/createMessage" => "CreateMessageRequest",
        "roots/list" => "ListRootsRequest",
        other => panic!("{other}: {asked:#}"),
    };
    let is_url = asked["params"]["mode"] == "url";
    // 2025-06-18 has no addresses.
    if !(is_url && era == "2025-06-18") {
        schema::check(era, name, asked);
    }
    json!({ "jsonrpc": "2.0", "id": asked["id"], "result": result })
}

#[tokio::test]
async fn older_clients_are_asked_on_the_pipe() {
    for era in LEGACY {
        let mut client = Client::of(app());
        client.shake_with(era, all()).await;
        for (tool, result, words) in [
            ("exact", accept(&json!({ "name": "Ada" })), "Ada"),
            ("exact", json!({ "action": "decline" }), "declined"),
            ("exact", json!({ "action": "cancel" }), "cancelled"),
            ("rooted", json!({ "roots": [{ "uri": "file:///a" }] }), "file:///a"),
            ("log_in", json!({ "action": "decline" }), "Declined"),
        ] {
            client.send(7, era, "tools/call", json!({ "name": tool })).await;
            let asked = client.hear().await;
            client.say(&reply(era, &asked, &result).to_string()).await;
            let done = client.hear().await;
            assert_eq!((&done["id"], text(&done["result"])), (&json!(7), words), "{era}");
        }
        client.send(8, era, "prompts/get", json!({ "name": "greet" })).await;
        let asked = client.hear().await;
        let result = accept(&json!({ "name": "Ada" }));
        client.say(&reply(era, &asked, &result).to_string()).await;
        assert_eq!(
            client.hear().await["result"]["messages"][0]["content"]["text"],
            "Greet Ada",
            "{era}"
        );
        client.leave().await;
    }
}

#[tokio::test]
async fn two_questions_are_out_at_once() {
    let era = "2025-11-25";
    let mut client = Client::of(app());
    client.shake_with(era, all()).await;
    client.send(7, era, "tools/call", json!({ "name": "long" })).await;
    let named = |name: &str| accept(&json!({ "name": name }));
    let first = client.hear().await;
    client.say(&reply(era, &first, &named("1")).to_string()).await;
    let (second, third) = (client.hear().await, client.hear().await);
    // In the other order.
    client.say(&reply(era, &third, &named("3")).to_string()).await;
    client.say(&reply(era, &second, &named("2")).to_string()).await;
    let again = client.hear().await;
    client.say(&reply(era, &again, &named("4")).to_string()).await;
    assert_eq!(text(&client.hear().await["result"]), "1 2 3 4");
    // An error of the client is one of the tool.
    client.send(8, era, "tools/call", json!({ "name": "long" })).await;
    let asked = client.hear().await;
    let fault = json!({ "jsonrpc": "2.0", "id": asked["id"], "error": { "code": -1, "message": "no user" } });
    client.say(&fault.to_string()).await;
    let done = client.hear().await;
    assert_eq!(text(&done["result"]), "the client returned an error: no user");
    client.leave().await;
}

#[tokio::test]
async fn who_leaves_the_pipe_is_asked_no_more() {
    let era = "2025-11-25";
    let mut client = Client::of(app());
    client.shake_with(era, all()).await;
    client.send(7, era, "tools/call", json!({ "name": "exact" })).await;
    assert_eq!(client.hear().await["method"], "elicitation/create");
    // The input ends while the question is out; the call ends, and with it all else.
    client.leave().await;
}

/// A call of an older client over HTTP, whose answer is read as it comes.
struct Stream {
    app: App,
    session: HeaderValue,
    era: &'static str,
    body: Body,
    text: String,
}

impl Stream {
    async fn initialize(app: &App, era: &str, can: &Value) -> HeaderValue {
        let hello = json!({ "protocolVersion": era, "capabilities": can,
            "clientInfo": { "name": "tests", "version": "1" } });
        let answer = send(&app.service(), request(era, "initialize", hello)).await;
        answer.headers["mcp-session-id"].clone()
    }

    async fn open(app: &App, era: &'static str, session: HeaderValue, sent: Value) -> Self {
        let mut request = request(era, "tools/call", sent);
        request.headers_mut().insert("mcp-session-id", session.clone());
        let Ok(response) = app.service().oneshot(request).await;
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        let body = response.into_body();
        Self { app: app.clone(), session, era, body, text: String::new() }
    }

    async fn call(app: &App, era: &'static str, tool: &str) -> Self {
        let session = Self::initialize(app, era, &all()).await;
        Self::open(app, era, session, json!({ "name": tool })).await
    }

    /// The next message; nothing if the stream has ended.
    async fn next(&mut self) -> Option<Value> {
        loop {
            if let Some((event, rest)) = self.text.split_once("\n\n") {
                let data = event.lines().find_map(|line| line.strip_prefix("data: "));
                let message = data.map(|data| serde_json::from_str(data).unwrap());
                self.text = rest.to_owned();
                return message;
            }
            let frame = tokio::time::timeout(Duration::from_secs(60), self.body.frame()).await;
            let bytes = frame.expect("in time")?.unwrap().into_data().unwrap();
            self.text.push_str(std::str::from_utf8(&bytes).unwrap());
        }
    }

    /// Sends a message of its own.
    async fn post(&self, message: &Value) -> StatusCode {
        let request = Request::post("http://localhost/mcp")
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream")
            .header("mcp-protocol-version", self.era)
            .header("mcp-session-id", &self.session)
            .body(Full::new(message.to_string().into()))
            .unwrap();
        send(&self.app.service(), request).await.status
    }
}

#[tokio::test]
async fn older_clients_are_asked_on_the_stream_of_their_call() {
    let app = app();
    for era in LEGACY {
        for (tool, result, words) in [
            ("exact", accept(&json!({ "name": "Ada" })), "Ada"),
            ("exact", json!({ "action": "decline" }), "declined"),
            ("rooted", json!({ "roots": [] }), ""),
        ] {
            let mut call = Stream::call(&app, era, tool).await;
            let asked = call.next().await.unwrap();
            let reply = reply(era, &asked, &result);
            let mut other = reply.clone();
            other["id"] = json!("ffffffffffffffffffffffffffffffff");
            assert_eq!(call.post(&other).await, StatusCode::BAD_REQUEST);
            assert_eq!(call.post(&reply).await, StatusCode::ACCEPTED);
            assert_eq!(call.post(&reply).await, StatusCode::BAD_REQUEST, "it was answered");
            let done = call.next().await.unwrap();
            schema::check_answer(era, "tools/call", &done);
            assert_eq!((&done["id"], text(&done["result"])), (&json!(7), words), "{era}");
            assert_eq!(call.next().await, None);
        }
    }
}

#[tokio::test]
async fn who_leaves_the_stream_cannot_answer() {
    let app = app();
    let mut call = Stream::call(&app, "2025-11-25", "exact").await;
    let asked = call.next().await.unwrap();
    call.body = Body::from("");
    let reply = reply("2025-11-25", &asked, &json!({ "action": "decline" }));
    assert_eq!(call.post(&reply).await, StatusCode::BAD_REQUEST);
}

/// A message that takes long to read is tried first, and nothing may come of the trial.
#[tokio::test]
async fn an_answer_may_have_many_values() {
    let app = app();
    let mut call = Stream::call(&app, "2025-11-25", "exact").await;
    let asked = call.next().await.unwrap();
    let content = json!({ "name": "Ada", "more": vec![0; 10_000] });
    let reply = reply("2025-11-25", &asked, &accept(&content));
    assert_eq!(call.post(&reply).await, StatusCode::ACCEPTED);
    assert_eq!(text(&call.next().await.unwrap()["result"]), "Ada");
}

#[tokio::test]
async fn a_client_that_reads_no_streams_is_asked_nothing() {
    let app = app();
    let session = Stream::initialize(&app, "2025-11-25", &all()).await;
    let mut request = request("2025-11-25", "tools/call", json!({ "name": "exact" }));
    request.headers_mut().insert("mcp-session-id", session);
    request.headers_mut().insert("accept", HeaderValue::from_static("application/json"));
    let answer = send(&app.service(), request).await;
    assert_eq!(answer.headers["content-type"], "application/json");
    let words = "requests to the client are not possible on this connection";
    assert_eq!(text(&answer.json()["result"]), words);
}

/// Only 2025-03-26 has batches, in which nothing can be asked.
#[tokio::test]
async fn in_a_batch_nobody_is_asked() {
    let app = app();
    let session = Stream::initialize(&app, "2025-03-26", &all()).await;
    let mut request = request("2025-03-26", "tools/call", json!({}));
    request.headers_mut().insert("mcp-session-id", session);
    let call = json!([{ "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": { "name": "exact" } }]);
    *request.body_mut() = Full::new(call.to_string().into());
    let answer = send(&app.service(), request).await.json();
    let words = "requests to the client are not possible on this connection";
    assert_eq!(text(&answer[0]["result"]), words);
}

/// A server that stops does not wait for a user.
#[tokio::test]
async fn a_question_does_not_keep_the_server_from_stopping() {
    let app = app();
    let session = Stream::initialize(&app, "2025-11-25", &all()).await;
    let (address, stop, server) = crate::http::serve(app).await;
    let body = json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call",
        "params": { "name": "exact" } })
    .to_string();
    let head = format!(
        "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
         accept: application/json, text/event-stream\r\nmcp-protocol-version: 2025-11-25\r\n\
         mcp-session-id: {}\r\ncontent-length: {}\r\n\r\n",
        session.to_str().unwrap(),
        body.len()
    );
    let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
    stream.write_all(format!("{head}{body}").as_bytes()).await.unwrap();
    let mut heard = String::new();
    let mut stop = Some(stop);
    let listen = async {
        while !heard.contains("not possible on this connection") {
            let mut part = [0; 4096];
            let read = stream.read(&mut part).await.unwrap();
            assert_ne!(read, 0, "{heard}");
            heard.push_str(std::str::from_utf8(&part[..read]).unwrap());
            if heard.contains("elicitation/create")
                && let Some(stop) = stop.take()
            {
                stop.send(()).unwrap();
            }
        }
    };
    // Far less than a user has.
    tokio::time::timeout(Duration::from_secs(60), listen).await.expect("an end");
    drop(stream);
    server.await.unwrap();
}

/// The stream of changes, which has a place of its own.
async fn watch(service: &widgetcast::http::Service, era: &str) -> Body {
    let request = Request::get("http://localhost/mcp")
        .header("accept", "text/event-stream")
        .header("mcp-protocol-version", era)
        .body(Full::<bytes::Bytes>::default())
        .unwrap();
    let Ok(response) = service.clone().oneshot(request).await;
    assert_eq!(response.status(), StatusCode::OK);
    response.into_body()
}

#[tokio::test]
async fn without_a_place_for_a_stream_nobody_is_asked() {
    let mut settings = Settings::default();
    settings.max_streams = 1;
    let app = builder().settings(settings).build().unwrap();
    let service = app.service();
    let _taken = watch(&service, "2025-11-25").await;
    let session = Stream::initialize(&app, "2025-11-25", &all()).await;
    let mut request = request("2025-11-25", "tools/call", json!({ "name": "exact" }));
    request.headers_mut().insert("mcp-session-id", session);
    let answer = send(&service, request).await.json();
    assert_eq!(
        text(&answer["result"]),
        "requests to the client are not possible on this connection"
    );
}

/// Ends when its future is dropped or it is told to.
async fn slow(ctx: Ctx, _: Nothing) -> &'static str {
    struct Gone(Option<tokio::sync::mpsc::UnboundedSender<()>>);
    impl Drop for Gone {
        fn drop(&mut self) {
            _ = self.0.take().map(|gone| gone.send(()));
        }
    }
    let _gone = Gone(GONE.with(|gone| gone.borrow().clone()));
    ctx.progress(1, "begun").await;
    std::future::pending().await
}

thread_local! {
    /// Tells when a slow call has ended; a test has one thread.
    static GONE: std::cell::RefCell<Option<tokio::sync::mpsc::UnboundedSender<()>>> =
        const { std::cell::RefCell::new(None) };
}

#[tokio::test]
async fn a_call_is_taken_back_by_a_notification() {
    let (send, mut gone) = tokio::sync::mpsc::unbounded_channel();
    GONE.with(|place| *place.borrow_mut() = Some(send));
    let app = builder().tool(Tool::new("slow", slow)).build().unwrap();
    let service = app.service();
    for with_progress in [true, false] {
        let session = Stream::initialize(&app, "2025-11-25", &json!({})).await;
        let other = Stream::initialize(&app, "2025-11-25", &json!({})).await;
        assert_ne!(session, other, "two clients of one kind are told apart");
        let mut sent = json!({ "name": "slow" });
        if with_progress {
            sent["_meta"]["progressToken"] = json!(1);
        }
        let mut call = request("2025-11-25", "tools/call", sent);
        call.headers_mut().insert("mcp-session-id", session.clone());
        let running = tokio::spawn({
            let service = service.clone();
            async move { crate::talk::send(&service, call).await }
        });
        let cancel = async |session: &HeaderValue, id: Value| {
            let notification = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled",
                "params": { "requestId": id, "reason": "the user left" } });
            let mut request = request("2025-11-25", "x", json!({}));
            request.headers_mut().insert("mcp-session-id", session.clone());
            *request.body_mut() = Full::new(notification.to_string().into());
            let answer = crate::talk::send(&service, request).await;
            assert_eq!(answer.status, StatusCode::ACCEPTED);
        };
        // The call begins when it is first polled.
        tokio::task::yield_now().await;
        cancel(&other, json!(7)).await;
        cancel(&session, json!("7")).await;
        cancel(&session, json!(8)).await;
        tokio::task::yield_now().await;
        assert!(gone.try_recv().is_err(), "these were meant for others");
        cancel(&session, json!(7)).await;
        let answer = tokio::time::timeout(Duration::from_secs(60), running).await;
        let answer = answer.expect("it ends").unwrap();
        assert_eq!(answer.status, StatusCode::OK);
        assert_eq!(answer.headers["content-type"], "text/event-stream");
        assert!(answer.events().iter().all(|event| event.get("result").is_none()));
        assert!(gone.try_recv().is_ok());
    }
}

async fn talkative(ctx: Ctx, _: Nothing) -> &'static str {
    ctx.log(LogLevel::Debug, "details").await;
    ctx.log(LogLevel::Warning, json!({ "left": 3 })).await;
    ctx.log(LogLevel::Emergency, "fire").await;
    "done"
}

/// The levels of the messages that came, and the last message.
fn logged(era: &str, events: &[Value]) -> Vec<String> {
    let (last, logged) = events.split_last().unwrap();
    assert_eq!(text(&last["result"]), "done");
    let level = |event: &Value| {
        schema::check(era, "LoggingMessageNotification", event);
        assert_eq!(event["params"]["logger"], "talkative");
        event["params"]["level"].as_str().unwrap().to_owned()
    };
    logged.iter().map(level).collect()
}

#[tokio::test]
async fn logs_go_to_clients_that_want_them() {
    let app = builder().tool(Tool::new("talkative", talkative)).build().unwrap();
    let service = app.service();
    for (level, wanted) in [
        (None, vec![]),
        (Some("debug"), vec!["debug", "warning", "emergency"]),
        (Some("warning"), vec!["warning", "emergency"]),
        (Some("nonsense"), vec![]),
    ] {
        let mut sent = json!({ "name": "talkative", "_meta": {} });
        if let Some(level) = level {
            sent["_meta"]["io.modelcontextprotocol/logLevel"] = json!(level);
        }
        let answer = send(&service, request(MODERN, "tools/call", sent)).await;
        let events = match answer.headers["content-type"] == "application/json" {
            true => vec![answer.json()],
            false => answer.events(),
        };
        assert_eq!(logged(MODERN, &events), wanted, "{level:?}");
    }
    let era = "2025-11-25";
    let ask = async |session: &HeaderValue, method: &str, sent: Value| {
        let mut request = request(era, method, sent);
        request.headers_mut().insert("mcp-session-id", session.clone());
        send(&service, request).await
    };
    let mine = Stream::initialize(&app, era, &json!({})).await;
    let other = Stream::initialize(&app, era, &json!({})).await;
    let set = ask(&mine, "logging/setLevel", json!({ "level": "warning" })).await;
    assert_eq!(set.json()["result"], json!({}));
    for level in [json!({}), json!({ "level": "loud" }), json!({ "level": 3 })] {
        assert_eq!(ask(&mine, "logging/setLevel", level).await.json()["error"]["code"], -32602);
    }
    let answer = ask(&mine, "tools/call", json!({ "name": "talkative" })).await;
    assert_eq!(logged(era, &answer.events()), ["warning", "emergency"]);
    let answer = ask(&other, "tools/call", json!({ "name": "talkative" })).await;
    assert_eq!(text(&answer.json()["result"]), "done", "nobody else is told");

    let mut client = Client::of(app);
    client.shake(era).await;
    for level in [None, Some("alert")] {
        if let Some(level) = level {
            client.ask(era, "logging/setLevel", json!({ "level": level })).await;
        }
        client.send(1, era, "tools/call", json!({ "name": "talkative" })).await;
        let mut events = vec![client.hear().await];
        if level.is_some() {
            events.push(client.hear().await);
        }
        assert_eq!(logged(era, &events).len(), usize::from(level.is_some()));
    }
    client.leave().await;
}

#[tokio::test(start_paused = true)]
async fn a_tool_has_its_own_time_limit() {
    let forever = |_: Nothing| async { std::future::pending::<&str>().await };
    let app = App::new("tests", "1.0.0")
        .tool(Tool::new("brief", forever).timeout(Duration::from_millis(1500)))
        .tool(Tool::new("round", forever).timeout(Duration::from_secs(2)))
        .tool(Tool::new("other", forever))
        .build()
        .unwrap();
    for (tool, limit) in [("brief", "1.5s"), ("round", "2 seconds"), ("other", "60 seconds")] {
        let result = crate::talk::call(&app, MODERN, tool, json!({})).await;
        assert_eq!(text(&result), format!("the tool timed out after {limit}"));
    }
}

#[tokio::test(start_paused = true)]
async fn waiting_for_a_person_is_not_the_tools_time() {
    let patient = |ctx: Ctx, _: Nothing| async move {
        tokio::time::sleep(Duration::from_secs(1)).await;
        let name = ctx.elicit::<Name>("Who?").await?;
        tokio::time::sleep(Duration::from_secs(1)).await;
        if name.is_none() {
            std::future::pending::<()>().await;
        }
        Ok::<_, ToolError>("done")
    };
    let tool = Tool::new("patient", patient).timeout(Duration::from_secs(3));
    let (app, era) = (App::new("tests", "1.0.0").tool(tool).build().unwrap(), "2025-11-25");
    let mut client = Client::of(app);
    client.shake_with(era, all()).await;
    for (action, words) in [("accept", "done"), ("decline", "the tool timed out after 3 seconds")] {
        client.send(1, era, "tools/call", json!({ "name": "patient" })).await;
        let asked = client.hear().await;
        tokio::time::sleep(Duration::from_secs(300)).await;
        let mut answer = accept(&json!({ "name": "Ada" }));
        answer["action"] = json!(action);
        client.say(&reply(era, &asked, &answer).to_string()).await;
        assert_eq!(text(&client.hear().await["result"]), words);
    }
    // But a user may not take for ever, and is told so.
    client.send(1, era, "tools/call", json!({ "name": "patient" })).await;
    let asked = client.hear().await;
    tokio::time::sleep(Duration::from_secs(601)).await;
    let taken_back = client.hear().await;
    assert_eq!(taken_back["method"], "notifications/cancelled");
    assert_eq!(taken_back["params"]["requestId"], asked["id"]);
    assert_eq!(text(&client.hear().await["result"]), "the client did not respond in time");
}

#[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
struct Limits {
    #[schemars(range(min = 1, max = 5))]
    count: u32,
}

/// Not every client holds what a user typed against the form.
#[tokio::test]
async fn an_answer_must_fit_the_form() {
    let app = App::new("tests", "1.0.0")
        .tool(Tool::new("count", async |ctx: Ctx| -> Result<String, ToolError> {
            let limits = ctx.elicit::<Limits>("How many?").await?;
            Ok(limits.map_or("none".into(), |limits| limits.count.to_string()))
        }))
        .build()
        .unwrap();
    for (content, words) in [
        (json!({ "count": 5 }), "5"),
        (json!({ "count": 6 }), "the client's response does not match the form:\n"),
        (json!({}), "the client's response does not match the form:\n"),
        (json!({ "count": "many" }), "the client's response does not match the form:\n"),
    ] {
        let client = app.test().on_elicit(move |_| Some(content.clone()));
        let told = client.call("count", json!({})).await.unwrap();
        assert!(told.text().starts_with(words), "{}", told.text());
    }
}
