//! Successful conversations, and the helpers of all tests of the loop.

use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::{Map, Value};
use tokio::sync::Barrier;
use widgetcast::{App, Caller, Tool as AppTool, Visibility};
use widgetcast_agent::{
    Agent, Api, Approval, CancellationToken, Event, Limits, Message, Model, Run, Sink, StopReason,
    Tool, ToolCall, Toolbox, Transcript,
};

use crate::endpoint::{APIS, KEY, Part, Reply, calls, model, says};

#[derive(Deserialize, schemars::JsonSchema)]
struct Named {
    name: String,
}

async fn greet(named: Named) -> String {
    format!("hello {}", named.name)
}

/// Completes when both have arrived.
async fn meet(named: Named) -> String {
    static TWO: LazyLock<Barrier> = LazyLock::new(|| Barrier::new(2));
    TWO.wait().await;
    format!("{} was there", named.name)
}

async fn forever() -> String {
    std::future::pending().await
}

async fn large() -> String {
    "ä".repeat(3000)
}

async fn who(caller: Option<Caller>) -> String {
    caller.map_or("nobody".into(), |caller| caller.subject().to_owned())
}

/// An app with tools for every case; only `erase` requires approval.
pub fn app() -> App {
    App::new("tests", "1.0.0")
        .tool(AppTool::new("greet", greet).description("Greets").read_only())
        .tool(AppTool::new("meet", meet).read_only())
        .tool(AppTool::new("forever", forever).read_only())
        .tool(AppTool::new("large", large).read_only())
        .tool(AppTool::new("erase", who))
        .tool(AppTool::new("refresh", who).read_only().visibility(Visibility::App))
        .build()
        .unwrap()
}

pub fn agent(model: Model) -> Agent {
    Agent::new(model, Toolbox::new().app(app()))
}

/// Fewer retries, since tests wait for them.
pub fn quick() -> Limits {
    Limits { retries: 2, ..Limits::default() }
}

/// Advances the time beyond the run's limit.
pub async fn let_time_pass() {
    tokio::time::pause();
    tokio::time::advance(Limits::default().run * 2).await;
    tokio::time::resume();
}

/// Records the events.
#[derive(Default)]
pub struct Recorder {
    pub text: String,
    pub log: Vec<String>,
    pub messages: Vec<Message>,
    pub approvals: Vec<Approval>,
    /// Cancels the run at this event.
    pub cancel: Option<(CancellationToken, &'static str)>,
    /// Advances the time at this event.
    pub late: Option<&'static str>,
}

impl Sink for Recorder {
    async fn event(&mut self, event: Event<'_>) {
        let entry = match event {
            Event::Text { delta } => {
                self.text.push_str(delta);
                "text".to_owned()
            }
            Event::Calling { call, arguments, .. } => {
                format!("calling {} {}", call.name, Value::Object(arguments.clone()))
            }
            Event::Result { call, result, tool } => {
                assert_eq!(tool.name, call.name);
                format!("result {}", result["content"][0]["text"])
            }
            Event::Message(message) => {
                self.messages.push(message.clone());
                return;
            }
            Event::Retrying { reason, .. } => format!("retrying: {reason}"),
            other => panic!("{other:?}"),
        };
        if let Some((cancel, at)) = &self.cancel
            && entry.starts_with(at)
        {
            cancel.cancel();
        }
        if self.late.is_some_and(|at| entry.starts_with(at)) {
            let_time_pass().await;
        }
        self.log.push(entry);
    }

    async fn approve(&mut self, call: &ToolCall, _: &Tool, _: &Map<String, Value>) -> Approval {
        self.log.push(format!("approve {}?", call.name));
        if self.approvals.is_empty() { Approval::Pending } else { self.approvals.remove(0) }
    }
}

impl Recorder {
    pub fn count(&self, start: &str) -> usize {
        self.log.iter().filter(|entry| entry.starts_with(start)).count()
    }
}

/// A transcript as lines of text.
pub fn readable(transcript: &Transcript) -> String {
    let line = |message: &Message| match message {
        Message::User { text, .. } => format!("user: {text}"),
        Message::Assistant { text, calls, cut } => {
            let calls: Vec<String> =
                calls.iter().map(|call| format!(" -> {}({})", call.name, call.arguments)).collect();
            format!("assistant: {text}{}{}", if *cut { " [cut]" } else { "" }, calls.concat())
        }
        Message::Tool { call_id, name, result } => {
            let error = if result["isError"] == true { " failed" } else { "" };
            format!("{name}#{call_id}{error}: {}", result["content"][0]["text"].as_str().unwrap())
        }
        Message::Notice { text } => format!("notice: {text}"),
        other => panic!("{other:?}"),
    };
    transcript.messages.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Runs, and checks the invariants of every run.
pub async fn run_with(
    agent: &Agent,
    transcript: &mut Transcript,
    recorder: &mut Recorder,
    cancel: &CancellationToken,
) -> Run {
    let before = transcript.clone();
    let told = recorder.messages.len();
    let ada = Caller::new("ada");
    let run = agent.run(transcript, Some(&ada), recorder, cancel).await;

    let pending = match &run.stop_reason {
        StopReason::Pending { calls } => calls.clone(),
        _ => Vec::new(),
    };
    let open: Vec<&str> = transcript.open_calls().iter().map(|call| &*call.id).collect();
    assert_eq!(open, pending, "each call has a result, or waits");
    let kept = serde_json::to_string(transcript).unwrap();
    assert_eq!(serde_json::from_str::<Transcript>(&kept).unwrap(), *transcript);
    assert!(!kept.contains(KEY) && !format!("{run:?}{:?}", recorder.log).contains(KEY));
    let (old, added) = transcript.messages.split_at(before.messages.len());
    assert_eq!(old, before.messages, "nothing changes");
    assert_eq!(recorder.messages[told..], *added, "every new message is told");
    let results = added.iter().filter_map(|message| match message {
        Message::Tool { call_id, .. } => Some(call_id),
        _ => None,
    });
    let results: Vec<&String> = results.collect();
    let distinct: std::collections::BTreeSet<&&String> = results.iter().collect();
    assert_eq!(results.len(), distinct.len(), "no call has two results");
    let written: String = transcript
        .messages
        .iter()
        .filter_map(|message| match message {
            Message::Assistant { text, .. } => Some(text.as_str()),
            _ => None,
        })
        .collect();
    assert!(written.ends_with(&recorder.text), "{written:?} is not what was told");
    serde_json::from_str::<Run>(&serde_json::to_string(&run).unwrap()).unwrap();
    run
}

pub struct Outcome {
    pub run: Run,
    pub transcript: Transcript,
    pub recorder: Recorder,
    pub requests: Vec<Value>,
}

/// Sends "hi" to an endpoint with these replies.
pub async fn talk(api: Api, limits: Limits, replies: Vec<Reply>) -> Outcome {
    let (model, requests) = model(api, replies).await;
    let agent = agent(model).limits(limits);
    let (mut transcript, mut recorder) = (Transcript::new(), Recorder::default());
    transcript.say("hi");
    let cancel = CancellationToken::new();
    let run = run_with(&agent, &mut transcript, &mut recorder, &cancel).await;
    Outcome { run, transcript, recorder, requests: requests.all() }
}

#[tokio::test]
async fn an_answer_in_fragments_of_any_size() {
    let parts = vec![
        Part::Text("Grüße 🦀"),
        Part::Text(" — ich frage"),
        Part::Call(0, "c1", "greet"),
        Part::Arguments(0, "{\"na"),
        Part::Arguments(0, "me\": \"Zoë \\\"\\u00"),
        Part::Arguments(0, "fc"),
        Part::Arguments(0, "🦀\\\"\"}"),
        Part::Usage(100, 20),
        Part::Finish,
    ];
    for api in APIS {
        for size in [1, 2, 3, 7, 1000] {
            let replies = vec![Reply::Stream(size, parts.clone()), says("fertig")];
            let Outcome { run, transcript, recorder, .. } =
                talk(api, Limits::default(), replies).await;
            assert_eq!(run.stop_reason, StopReason::Done);
            let expected = "user: hi\nassistant: Grüße 🦀 — ich frage \
                -> greet({\"name\": \"Zoë \\\"\\u00fc🦀\\\"\"})\n\
                greet#c1: hello Zoë \"ü🦀\"\nassistant: fertig";
            assert_eq!(readable(&transcript), expected, "{api:?} in pieces of {size}");
            assert_eq!((run.usage.input, run.usage.output), (110, 25));
            assert!(!run.usage.estimated);
            assert_eq!(recorder.count("retrying"), 0);
        }
    }
}

#[tokio::test]
async fn two_tools_at_once() {
    let parts = vec![
        Part::Call(0, "c1", "meet"),
        Part::Call(1, "c2", "meet"),
        Part::Arguments(1, "{\"name\":"),
        Part::Arguments(0, "{\"name\":\"A\"}"),
        Part::Arguments(1, "\"B\"}"),
        Part::Finish,
    ];
    for api in APIS {
        let replies = vec![Reply::Stream(16, parts.clone()), says("both")];
        let Outcome { run, transcript, recorder, requests } =
            talk(api, Limits::default(), replies).await;
        assert_eq!(run.stop_reason, StopReason::Done);
        assert_eq!(run.steps, 2);
        let expected = "user: hi\nassistant:  -> meet({\"name\":\"A\"}) -> meet({\"name\":\"B\"})\n\
            meet#c1: A was there\nmeet#c2: B was there\nassistant: both";
        assert_eq!(readable(&transcript), expected);
        assert_eq!(
            recorder.log,
            [
                "calling meet {\"name\":\"A\"}",
                "calling meet {\"name\":\"B\"}",
                "result \"A was there\"",
                "result \"B was there\"",
                "text",
            ]
        );
        // Unreported usage is estimated.
        assert!(run.usage.estimated && run.usage.input > 50);
        let sent = requests[1].to_string();
        assert!(sent.contains("B was there"), "{sent}");
    }
}

#[tokio::test]
async fn what_is_sent() {
    for api in APIS {
        let (model, requests) =
            model(api, vec![calls("c1", "greet", "{\"name\":\"you\"}"), says("ok")]).await;
        let agent = agent(model).instructions("Be brief.");
        let mut transcript = Transcript::new();
        let image = "data:image/png;base64,AAAA".to_owned();
        transcript.messages.push(Message::User { text: "look".into(), images: vec![image] });
        transcript.messages.push(Message::Notice { text: "for people".into() });
        let (mut recorder, cancel) = (Recorder::default(), CancellationToken::new());
        run_with(&agent, &mut transcript, &mut recorder, &cancel).await;
        let [first, second] = requests.all().try_into().unwrap();
        assert!(!second.to_string().contains("for people"));
        assert!(requests.heads()[0].contains(&format!("authorization: bearer {KEY}")));
        let (messages, path) = match api {
            Api::ChatCompletions => ("messages", "post /v1/chat/completions "),
            _ => ("input", "post /v1/responses "),
        };
        assert!(requests.heads()[0].starts_with(path), "{}", requests.heads()[0]);
        assert_eq!((&first["model"], &first["stream"]), (&"stand-in".into(), &true.into()));
        assert_eq!(first[messages][0]["content"], "Be brief.");
        assert!(first[messages][1]["content"].to_string().contains("data:image/png"));
        let names = first["tools"].to_string();
        // Tools that only views may call are hidden from the model.
        assert!(names.contains("\"greet\"") && !names.contains("\"refresh\""), "{names}");
        let sent = second[messages].to_string();
        assert!(sent.contains("hello you") && sent.contains("\"c1\""), "{sent}");
    }
}

#[tokio::test]
async fn a_run_can_be_spawned() {
    let (model, _) = model(Api::ChatCompletions, vec![says("hello")]).await;
    let agent = agent(model);
    let end = tokio::spawn(async move {
        let mut transcript = Transcript::new();
        transcript.say("hi");
        let cancel = CancellationToken::new();
        agent.run(&mut transcript, None, &mut Recorder::default(), &cancel).await.stop_reason
    });
    assert_eq!(end.await.unwrap(), StopReason::Done);
}

#[tokio::test]
async fn a_long_result_is_cut_for_the_model_alone() {
    let limits = Limits { result_bytes: 100, ..Limits::default() };
    let replies = vec![calls("c1", "large", "{}"), says("long")];
    let outcome = talk(Api::ChatCompletions, limits, replies).await;
    let sent = outcome.requests[1]["messages"][2]["content"].as_str().unwrap();
    assert!(sent.contains("[truncated to the first 100 of 6000 bytes"), "{sent}");
    assert!(readable(&outcome.transcript).len() > 6000);
}
