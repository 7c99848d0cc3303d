//! Model endpoints that fail in every way, seen through ChatKit: each stream ends with an error that a user
//! can read, the thread is readable afterwards, and the next message in it is answered.

use std::time::Duration;

use futures_util::{StreamExt as _, stream};
use jsonschema::Validator;
use needs_shared::needs_shared;
use serde_json::json;
use widgetcast::{App, Tool};
use widgetcast_agent::{Agent, Api, Limits, Toolbox};
use widgetcast_chatkit::AgentResponder;

use crate::model_endpoint::{APIS, Part, Reply, calls, model, says};
use crate::stage::Stage;
use crate::transcript::schema;

async fn greet() -> String {
    "hello".into()
}

/// What the endpoint says for itself, which no user may read.
const SAID: &str = r#"{"error":{"message":"tenant-7 is over its plan"}}"#;

/// A way to fail.
struct Case {
    name: &'static str,
    /// What the endpoint does each time.
    reply: Reply,
    /// How often it is asked.
    asked: usize,
    /// The text that was told before.
    kept: &'static str,
    /// Words of the error.
    says: &'static str,
    allow_retry: bool,
}

fn cases() -> Vec<Case> {
    let soon = "retry-after-ms: 1\r\n";
    let text = || Part::Text("Half an ans");
    let call = || vec![Part::Call(0, "c1", "greet"), Part::Arguments(0, "{\"na")];
    let lost = "was lost before the response was complete";
    let case =
        |name, reply, asked, kept, says| Case { name, reply, asked, kept, says, allow_retry: true };
    vec![
        case("429", Reply::Status(429, soon, SAID), 2, "", "is rate-limited"),
        case("500", Reply::Status(500, soon, SAID), 2, "", "returned an error"),
        Case {
            allow_retry: false,
            ..case("401", Reply::Status(401, "", SAID), 1, "", "is not configured correctly")
        },
        case("stall", Reply::Stall(vec![]), 1, "", "took too long"),
        case("stall after text", Reply::Stall(vec![text()]), 1, "Half an ans", "took too long"),
        case("drop", Reply::Drop(vec![]), 2, "", lost),
        case("drop after text", Reply::Drop(vec![text()]), 1, "Half an ans", lost),
        case("drop in a call", Reply::Drop(call()), 2, "", lost),
        case(
            "drop in a call after text",
            Reply::Drop([vec![text()], call()].concat()),
            1,
            "Half an ans",
            lost,
        ),
        case(
            "no JSON",
            Reply::Stream(64, vec![text(), Part::Raw("{\"choices\":[")]),
            1,
            "Half an ans",
            "response was invalid",
        ),
        case(
            "an error in the stream",
            Reply::Stream(64, vec![text(), Part::Raw(SAID)]),
            1,
            "Half an ans",
            "returned an error",
        ),
        case("no stream", Reply::Page, 1, "", "response was invalid"),
        case("arguments", calls("c1", "greet", "{\"name\":"), 2, "", "invalid tool arguments"),
        case("an array as arguments", calls("c1", "greet", "[1]"), 2, "", "invalid tool arguments"),
    ]
}

async fn fails(api: Api, case: Case, items: &Validator, events: &Validator) {
    let label = format!("{}, {api:?}", case.name);
    let is_stall = matches!(case.reply, Reply::Stall(_));
    let replies = [vec![case.reply; case.asked], vec![says("Here I am.")]].concat();
    let (model, requests) = model(api, replies).await;
    let mut limits = Limits { retries: 1, corrections: 1, ..Limits::default() };
    // The others may be as slow as the machine.
    if is_stall {
        limits.first_token = Duration::from_millis(1500);
        limits.between_tokens = limits.first_token;
    }
    let app = App::new("tests", "1.0.0").tool(Tool::new("greet", greet).read_only());
    let stage = Stage::with(app, |app| {
        AgentResponder::new(Agent::new(model, Toolbox::new().app(app.clone())).limits(limits))
    })
    .await;
    let ada = stage.user().await;

    let (thread, reply) = ada.begin("hi").await;
    for event in reply.events() {
        assert!(events.is_valid(&event), "{label}: {event}");
    }
    let error = reply.events().pop().unwrap();
    assert_eq!((&error["type"], &error["code"]), (&json!("error"), &json!("custom")), "{label}");
    assert_eq!(error["allow_retry"], case.allow_retry, "{label}");
    let message = error["message"].as_str().unwrap();
    assert!(message.contains(case.says), "{label}: {message}");
    assert_eq!(requests.all().len(), case.asked, "{label}");

    let of = json!({ "thread_id": thread });
    let kept = ada.ask("threads.get_by_id", of.clone()).await.json();
    let data = kept["items"]["data"].as_array().unwrap();
    assert!(data.iter().all(|item| items.is_valid(item)), "{label}: {data:?}");
    let texts: Vec<&str> =
        data[1..].iter().map(|item| item["content"][0]["text"].as_str().unwrap()).collect();
    let expected: Vec<&str> = [case.kept, message].into_iter().filter(|t| !t.is_empty()).collect();
    assert_eq!(texts, expected, "{label}");

    let everything = ada.export().await.to_string() + &String::from_utf8_lossy(&reply.bytes);
    for secret in ["tenant-7", "127.0.0.1", "sk-never-shown"] {
        assert!(!everything.contains(secret), "{label}: {everything}");
    }

    let reply = ada.say(&thread, "and now?").await;
    assert_eq!(reply.types().last().unwrap(), "thread.item.done", "{label}");
    let item = &reply.events().pop().unwrap()["item"];
    assert_eq!(item["content"][0]["text"], "Here I am.", "{label}");
    let kept = ada.ask("threads.get_by_id", of).await.json();
    assert!(kept["items"]["data"].as_array().unwrap().iter().all(|item| items.is_valid(item)));
    // The model is given what it wrote, and nothing of what was said about its failure.
    let asked = requests.all().pop().unwrap().to_string();
    assert!(asked.contains("and now?") && asked.contains(case.kept), "{label}: {asked}");
    assert!(!asked.contains(case.says), "{label}: {asked}");
}

#[needs_shared("chatkit")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_failure_of_a_model_leaves_a_readable_thread() {
    let items = schema("ThreadItem.schema.json");
    let events = schema("ThreadStreamEvent.schema.json");
    let both = |api| cases().into_iter().map(move |case| (api, case));
    // They wait more than they work.
    let all = stream::iter(APIS.into_iter().flat_map(both));
    all.for_each_concurrent(8, |(api, case)| fails(api, case, &items, &events)).await;
}
