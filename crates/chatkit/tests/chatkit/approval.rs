//! Calls of a model that wait for a user: decided once, started once, whatever comes at the same time.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use tokio::sync::Notify;
use widgetcast::{App, Builder, Tool};
use widgetcast_agent::{Agent, Model, Toolbox};
use widgetcast_chatkit::AgentResponder;

use crate::model_endpoint::{APIS, Part, Reply, Requests, calls, model, says};
use crate::stage::{Client, Reply as Answer, Stage};

/// How often each tool ran, and what lets the slow one end.
#[derive(Clone, Default)]
struct Runs {
    launch: Arc<AtomicUsize>,
    slow: Arc<AtomicUsize>,
    begun: Arc<Notify>,
    go_on: Arc<Notify>,
}

impl Runs {
    fn app(&self) -> Builder {
        let launch = Arc::clone(&self.launch);
        let launch = move || {
            let launch = Arc::clone(&launch);
            async move {
                launch.fetch_add(1, Ordering::SeqCst);
                "launched".to_owned()
            }
        };
        let runs = self.clone();
        let slow = move || {
            let runs = runs.clone();
            async move {
                runs.slow.fetch_add(1, Ordering::SeqCst);
                runs.begun.notify_one();
                runs.go_on.notified().await;
                "ended".to_owned()
            }
        };
        App::new("tests", "1.0.0").tool(Tool::new("launch", launch)).tool(Tool::new("slow", slow))
    }

    fn counts(&self) -> (usize, usize) {
        (self.launch.load(Ordering::SeqCst), self.slow.load(Ordering::SeqCst))
    }
}

fn responder(model: Model) -> impl FnOnce(&App) -> AgentResponder {
    move |app| AgentResponder::new(Agent::new(model, Toolbox::new().app(app.clone())))
}

async fn stage(runs: &Runs, replies: Vec<Reply>) -> (Stage, Model, Requests) {
    let (model, requests) = model(APIS[0], replies).await;
    (Stage::with(runs.app(), responder(model.clone())).await, model, requests)
}

/// The request that presses a button of a question.
fn press(thread: &str, question: &Value, button: &str) -> Value {
    let action = &question["widget"][button]["action"];
    json!({ "thread_id": thread, "item_id": question["id"], "action": action })
}

fn questions(reply: &Answer) -> Vec<Value> {
    let events = reply.events();
    let items = events.iter().map(|event| event["item"].clone());
    items.filter(|item| item["type"] == "widget").collect()
}

fn is_refused(reply: &Answer) -> bool {
    let last = reply.events().pop().unwrap();
    last["type"] == "error" && last["message"] == "Already decided."
}

async fn last_text(client: &Client<'_>, thread: &str) -> String {
    let items = client.items(thread).await;
    items.last().unwrap()["content"][0]["text"].as_str().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn a_call_that_is_not_read_only_waits_for_the_person() {
    let runs = Runs::default();
    let text = vec![
        Part::Text("I shall "),
        Part::Text("launch."),
        Part::Call(0, "c1", "launch"),
        Part::Arguments(0, "{}"),
        Part::Finish,
    ];
    let (stage, _, requests) = stage(&runs, vec![Reply::Stream(64, text), says("It flies.")]).await;
    let ada = stage.user().await;
    let (thread, reply) = ada.begin("Launch the rocket").await;
    let question = questions(&reply).pop().unwrap();
    assert_eq!(ada.items(&thread).await[1]["content"][0]["text"], "I shall launch.");
    // The user sees which tool of which server is meant.
    let shown = question["widget"]["children"][1]["value"].as_str().unwrap();
    assert_eq!(shown, r#"Tool "launch" of the server app, titled "Launch""#);
    let act = press(&thread, &question, "confirm");
    let reply = ada.ask("threads.custom_action", act.clone()).await;
    assert_eq!(reply.types()[1], "thread.item.replaced", "{:?}", reply.events());
    assert_eq!(last_text(&ada, &thread).await, "It flies.");
    // What came of the tool was given to the model.
    let asked = requests.all();
    assert!(!asked[0].to_string().contains("launched"));
    assert!(asked[1].to_string().contains("launched"));
    // It is decided once, whatever is pressed then.
    assert!(is_refused(&ada.ask("threads.custom_action", act).await));
    let other = press(&thread, &question, "cancel");
    assert!(is_refused(&ada.ask("threads.custom_action", other).await));
    assert_eq!(runs.counts(), (1, 0));
}

/// No one is told that something was approved that does not run.
#[tokio::test]
async fn what_the_conversation_went_on_without_does_not_run() {
    let runs = Runs::default();
    let replies = vec![calls("c1", "launch", "{}"), says("It costs nothing.")];
    let (stage, _, requests) = stage(&runs, replies).await;
    let ada = stage.user().await;
    let (thread, reply) = ada.begin("Launch").await;
    let question = questions(&reply).pop().unwrap();
    ada.say(&thread, "Wait, how much?").await;
    let approve = press(&thread, &question, "confirm");
    let reply = ada.ask("threads.custom_action", approve.clone()).await;
    let shown = questions(&reply).pop().unwrap();
    assert_eq!(shown["id"], question["id"]);
    assert!(shown["widget"]["confirm"].is_null() && shown["widget"]["cancel"].is_null());
    assert!(shown.to_string().contains("Not run: the conversation continued"), "{shown}");
    assert_eq!((runs.counts(), requests.all().len()), ((0, 0), 2));
    assert!(is_refused(&ada.ask("threads.custom_action", approve).await));
}

#[tokio::test]
async fn what_is_refused_does_not_run() {
    let runs = Runs::default();
    let (stage, _, requests) = stage(&runs, vec![calls("c1", "launch", "{}"), says("Fine.")]).await;
    let ada = stage.user().await;
    let (thread, reply) = ada.begin("Launch").await;
    let question = questions(&reply).pop().unwrap();
    ada.ask("threads.custom_action", press(&thread, &question, "cancel")).await;
    let approve = press(&thread, &question, "confirm");
    assert!(is_refused(&ada.ask("threads.custom_action", approve).await));
    assert_eq!((runs.counts(), last_text(&ada, &thread).await), ((0, 0), "Fine.".into()));
    assert!(requests.all()[1].to_string().contains("the user rejected it"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_decisions_at_once_one_counts_in_any_process() {
    for round in 0..4 {
        let runs = Runs::default();
        let (stage, model, requests) =
            stage(&runs, vec![calls("c1", "launch", "{}"), says("It flies.")]).await;
        let other = stage.beside(runs.app(), responder(model)).await;
        let ada = stage.user().await;
        let there = Client { stage: &other, header: ada.header.clone() };
        let (thread, reply) = ada.begin("Launch").await;
        let question = questions(&reply).pop().unwrap();
        let second = if round % 2 == 0 { "confirm" } else { "cancel" };
        let (yes, also) = (press(&thread, &question, "confirm"), press(&thread, &question, second));
        let kind = "threads.custom_action";
        let (one, two, three) =
            tokio::join!(ada.ask(kind, yes.clone()), there.ask(kind, yes), there.ask(kind, also));
        let refused = [&one, &two, &three].into_iter().filter(|reply| is_refused(reply)).count();
        assert_eq!(refused, 2, "{:?} {:?} {:?}", one.events(), two.events(), three.events());
        // A decision against it may have been the first.
        let least = usize::from(second == "confirm");
        assert!((least..=1).contains(&runs.counts().0), "{:?}", runs.counts());
        assert_eq!(requests.all().len(), 2, "the model is asked once more");
        assert_eq!(last_text(&ada, &thread).await, "It flies.");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_whose_client_left_is_not_started_again() {
    let runs = Runs::default();
    let both = vec![
        Part::Call(0, "c1", "slow"),
        Part::Call(1, "c2", "launch"),
        Part::Arguments(0, "{}"),
        Part::Arguments(1, "{}"),
        Part::Finish,
    ];
    let (stage, _, requests) = stage(&runs, vec![Reply::Stream(64, both), says("Enough.")]).await;
    let ada = stage.user().await;
    let (thread, reply) = ada.begin("Launch").await;
    let asked = questions(&reply);
    let body =
        json!({ "type": "threads.custom_action", "params": press(&thread, &asked[0], "confirm") });
    let request = http::Request::post("http://localhost/chatkit")
        .header("content-type", "application/json")
        .header("cookie", &ada.header.1)
        .body(body.to_string());
    let mut stream = stage.app.handle(request.unwrap()).await.into_body();
    stream.frame().await.unwrap().unwrap();
    runs.begun.notified().await;
    drop(stream);
    // The other call goes on with the answer, and the first is not begun again.
    let reply = ada.ask("threads.custom_action", press(&thread, &asked[1], "confirm")).await;
    assert_eq!(runs.counts(), (1, 1), "{:?}", reply.events());
    assert_eq!(last_text(&ada, &thread).await, "Enough.");
    assert!(is_refused(
        &ada.ask("threads.custom_action", press(&thread, &asked[0], "confirm")).await
    ));
    assert!(requests.all()[1].to_string().contains("it was started before"));
    ada.say(&thread, "and?").await;
    assert_eq!(runs.counts(), (1, 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_message_while_a_call_runs_comes_after_its_result() {
    let runs = Runs::default();
    let (stage, _, requests) =
        stage(&runs, vec![calls("c1", "slow", "{}"), says("It ended."), says("Yes.")]).await;
    let ada = stage.user().await;
    let (thread, reply) = ada.begin("Run").await;
    let act = press(&thread, &questions(&reply)[0], "confirm");
    let message = async {
        runs.begun.notified().await;
        let said = ada.say(&thread, "Are you there?");
        let go_on = async {
            while ada.items(&thread).await.len() < 3 {
                tokio::task::yield_now().await;
            }
            runs.go_on.notify_one();
        };
        tokio::join!(said, go_on).0
    };
    let (decided, said) = tokio::join!(ada.ask("threads.custom_action", act), message);
    for reply in [&decided, &said] {
        assert_eq!(reply.types().last().unwrap(), "thread.item.done", "{:?}", reply.events());
    }
    assert_eq!(runs.counts(), (0, 1));
    // As endpoints want it: the result is behind its call.
    let last = requests.all().pop().unwrap();
    let roles: Vec<&str> =
        last["messages"].as_array().unwrap().iter().map(|m| m["role"].as_str().unwrap()).collect();
    assert_eq!(roles[..4], ["user", "assistant", "tool", "user"], "{last}");
}
