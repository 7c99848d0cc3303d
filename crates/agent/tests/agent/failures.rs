//! Failing endpoints and models, and disconnecting users: each run ends with a readable transcript.

use std::time::Duration;

use widgetcast_agent::{
    Api, CancellationToken, Limits, Model, ModelErrorKind, StopReason, Toolbox, Transcript,
};

use crate::conversation::{Outcome, Recorder, agent, quick, readable, run_with, talk};
use crate::endpoint::{APIS, Part, Reply, calls, model, says};

fn kind(end: &StopReason) -> ModelErrorKind {
    match end {
        StopReason::Failed { error } => error.kind,
        other => panic!("it ended with {other:?}"),
    }
}

const OVERLOADED: &str = r#"{"error":{"message":"slow down","type":"rate_limit"}}"#;

#[tokio::test]
async fn what_may_pass_is_tried_again() {
    let soon = "retry-after-ms: 2\r\n";
    let args = vec![Part::Call(0, "c1", "greet"), Part::Arguments(0, "{\"name\":")];
    let troubles = [
        Reply::Status(429, soon, OVERLOADED),
        Reply::Status(429, "retry-after: 0\r\n", "no JSON"),
        Reply::Status(429, "", OVERLOADED),
        Reply::Status(500, soon, "oops"),
        Reply::Status(503, soon, ""),
        Reply::Close,
        Reply::Drop(vec![]),
        Reply::Drop(args),
        Reply::Stream(64, vec![Part::Raw("{\"error\":{\"message\":\"overloaded\"}}")]),
        Reply::Stream(64, vec![Part::Raw("{\"choices\":[")]),
    ];
    for (number, trouble) in troubles.into_iter().enumerate() {
        let api = APIS[number % 2];
        let Outcome { run, transcript, recorder, requests } =
            talk(api, quick(), vec![trouble, says("hello")]).await;
        assert_eq!(run.stop_reason, StopReason::Done, "{number}");
        assert_eq!(readable(&transcript), "user: hi\nassistant: hello", "{number}");
        assert_eq!((recorder.count("retrying"), requests.len()), (1, 2), "{number}");
        assert_eq!(requests[0], requests[1]);
    }
}

#[tokio::test]
async fn it_is_not_tried_for_ever() {
    for api in APIS {
        let replies = vec![Reply::Status(429, "retry-after-ms: 1\r\n", OVERLOADED)];
        let Outcome { run, transcript, requests, .. } = talk(api, quick(), replies).await;
        assert_eq!(kind(&run.stop_reason), ModelErrorKind::RateLimited);
        assert_eq!(requests.len(), 3);
        let text = readable(&transcript);
        assert!(text.starts_with("user: hi\nnotice: The model is rate-limited"), "{text}");
        // The endpoint's message is not for the user.
        assert!(!text.contains("slow down") && !text.contains("127.0.0.1"), "{text}");
        let said = run.stop_reason.to_string();
        assert!(said.contains("too many requests to http://127.0.0.1"), "{said}");
        assert!(said.contains("slow down"), "{said}");
    }
    // A requested delay over the limit ends the run immediately.
    let later = vec![Reply::Status(429, "retry-after: 3600\r\n", OVERLOADED)];
    let outcome = talk(APIS[0], quick(), later).await;
    assert_eq!(kind(&outcome.run.stop_reason), ModelErrorKind::RateLimited);
    assert_eq!(outcome.requests.len(), 1);
}

#[tokio::test]
async fn what_was_told_is_not_told_again() {
    for api in APIS {
        for lost in [
            Reply::Drop(vec![Part::Text("Half an ans")]),
            Reply::Stream(64, vec![Part::Text("Half an ans")]),
            Reply::Stream(
                64,
                vec![Part::Text("Half an ans"), Part::Raw("{\"error\":{\"message\":\"x\"}}")],
            ),
            Reply::Stream(64, vec![Part::Text("Half an ans"), Part::Raw("}{")]),
        ] {
            let Outcome { run, transcript, recorder, requests } =
                talk(api, quick(), vec![lost, says("Another")]).await;
            kind(&run.stop_reason);
            let text = readable(&transcript);
            assert!(text.starts_with("user: hi\nassistant: Half an ans [cut]\nnotice: "), "{text}");
            assert_eq!((recorder.text.as_str(), requests.len()), ("Half an ans", 1));
        }
    }
}

#[tokio::test]
async fn a_silent_endpoint() {
    let soon = Duration::from_millis(300);
    for api in APIS {
        let limits = Limits { first_token: soon, ..quick() };
        let outcome = talk(api, limits, vec![Reply::Stall(vec![])]).await;
        assert_eq!(kind(&outcome.run.stop_reason), ModelErrorKind::Stalled);
        assert!(readable(&outcome.transcript).contains("took too long"));
        assert!(outcome.run.stop_reason.to_string().contains("no data from"));
        let limits = Limits { between_tokens: soon, ..quick() };
        let outcome = talk(api, limits, vec![Reply::Stall(vec![Part::Text("So")])]).await;
        assert_eq!(kind(&outcome.run.stop_reason), ModelErrorKind::Stalled);
        assert!(
            readable(&outcome.transcript).starts_with("user: hi\nassistant: So [cut]\nnotice: ")
        );
    }
    // After the response, its end is not awaited.
    let whole = vec![Part::Text("So."), Part::Finish];
    let outcome = talk(Api::ChatCompletions, quick(), vec![Reply::Stall(whole)]).await;
    assert_eq!(outcome.run.stop_reason, StopReason::Done);
}

#[tokio::test]
async fn arguments_that_are_not_json() {
    for api in APIS {
        let good = calls("c2", "greet", "{\"name\":\"you\"}");
        let replies = vec![calls("c1", "greet", "{\"name\":"), good, says("ok")];
        let Outcome { run, transcript, requests, .. } = talk(api, quick(), replies).await;
        assert_eq!(run.stop_reason, StopReason::Done);
        let text = readable(&transcript);
        assert!(text.contains("greet#c1 failed: not run: the arguments are not JSON"), "{text}");
        assert!(text.ends_with("greet#c2: hello you\nassistant: ok"), "{text}");
        // Endpoints reject a conversation with arguments that are not JSON.
        assert!(requests[1].to_string().contains(r#""arguments":"{}""#), "{}", requests[1]);

        let outcome = talk(api, quick(), vec![calls("same", "greet", "{'name'")]).await;
        assert_eq!(kind(&outcome.run.stop_reason), ModelErrorKind::BadArguments);
        assert_eq!(outcome.requests.len(), 3);
        assert!(
            readable(&outcome.transcript).contains("notice: The model sent invalid tool arguments")
        );
    }
}

#[tokio::test]
async fn a_tool_that_does_not_exist() {
    for api in APIS {
        let replies =
            vec![calls("c1", "fly", "{}"), calls("c2", "refresh", "{}"), says("I cannot")];
        let Outcome { run, transcript, recorder, .. } = talk(api, quick(), replies).await;
        assert_eq!(run.stop_reason, StopReason::Done);
        let text = readable(&transcript);
        assert!(text.contains("fly#c1 failed: unknown tool \"fly\"; available tools: "), "{text}");
        // Tools for views only are hidden from the model.
        assert!(text.contains("refresh#c2 failed: unknown tool \"refresh\""), "{text}");
        assert_eq!(recorder.count("calling"), 0);
    }
}

#[tokio::test]
async fn calls_without_end() {
    for api in APIS {
        let limits = Limits { steps: 3, ..quick() };
        // With the same id each time, as some endpoints send them.
        let replies = vec![calls("same", "greet", "{\"name\":\"x\"}")];
        let Outcome { run, transcript, requests, .. } = talk(api, limits, replies).await;
        assert_eq!((run.stop_reason, run.steps), (StopReason::Steps { steps: 3 }, 3));
        assert_eq!(requests.len(), 3);
        let text = readable(&transcript);
        assert_eq!(text.matches(": hello x").count(), 3, "{text}");
        assert!(text.ends_with(
            "notice: stopped after 3 steps without a final answer; send a message to continue"
        ));
    }
}

#[tokio::test]
async fn a_budget_of_tokens() {
    let call = vec![
        Part::Call(0, "c1", "greet"),
        Part::Arguments(0, "{\"name\":\"x\"}"),
        Part::Usage(400, 100),
        Part::Finish,
    ];
    for api in APIS {
        let limits = Limits { tokens: 900, ..quick() };
        let outcome = talk(api, limits, vec![Reply::Stream(64, call.clone())]).await;
        assert_eq!(outcome.run.stop_reason, StopReason::Tokens { tokens: 900 });
        assert_eq!((outcome.requests.len(), outcome.run.usage.input), (2, 800));
        // Estimated if the endpoint reports no usage.
        let limits = Limits { tokens: 10, ..quick() };
        let outcome = talk(api, limits, vec![calls("c1", "greet", "{\"name\":\"x\"}")]).await;
        assert_eq!(outcome.run.stop_reason, StopReason::Tokens { tokens: 10 });
        assert_eq!(outcome.requests.len(), 1);
    }
}

#[tokio::test]
async fn an_answer_that_ends_too_early() {
    for api in APIS {
        let replies = vec![Reply::Stream(64, vec![Part::Text("Long"), Part::Length])];
        let Outcome { run, transcript, .. } = talk(api, quick(), replies).await;
        assert!(matches!(run.stop_reason, StopReason::Incomplete { .. }));
        let expected = "user: hi\nassistant: Long [cut]\n\
            notice: the response is incomplete: the model reached its token limit";
        assert_eq!(readable(&transcript), expected);
        let empty = talk(api, quick(), vec![Reply::Stream(64, vec![Part::Finish])]).await;
        assert_eq!(kind(&empty.run.stop_reason), ModelErrorKind::Unreadable);
        let limits = Limits { answer_bytes: 10, ..quick() };
        let long = talk(api, limits, vec![says("more than ten bytes")]).await;
        assert_eq!(kind(&long.run.stop_reason), ModelErrorKind::Unreadable);
    }
}

#[tokio::test]
async fn the_time_of_a_run_is_over() {
    for api in APIS {
        for (at, reply, left) in [
            (
                "calling",
                calls("c1", "forever", "{}"),
                "assistant:  -> forever({})\nforever#c1 failed: no result: the run was stopped",
            ),
            ("text", Reply::Stall(vec![Part::Text("So")]), "assistant: So [cut]"),
        ] {
            let (model, _) = model(api, vec![reply]).await;
            let mut recorder = Recorder { late: Some(at), ..Recorder::default() };
            let mut transcript = Transcript::new();
            transcript.say("hi");
            let cancel = CancellationToken::new();
            let run = run_with(&agent(model), &mut transcript, &mut recorder, &cancel).await;
            assert_eq!(run.stop_reason, StopReason::Time { seconds: 600 });
            let text = readable(&transcript);
            assert!(
                text.starts_with(&format!("user: hi\n{left}\nnotice: stopped: the run exceeded")),
                "{text}"
            );
        }
    }
}

#[tokio::test]
async fn a_person_leaves() {
    for (at, reply, left) in [
        ("text", Reply::Stall(vec![Part::Text("Once upon")]), "assistant: Once upon [cut]"),
        (
            "calling",
            calls("c1", "forever", "{}"),
            "assistant:  -> forever({})\nforever#c1 failed: no result: the run was stopped",
        ),
        ("retrying", Reply::Status(429, "retry-after: 50\r\n", ""), ""),
    ] {
        let (model, requests) = model(APIS[0], vec![reply]).await;
        let cancel = CancellationToken::new();
        let mut recorder = Recorder { cancel: Some((cancel.clone(), at)), ..Recorder::default() };
        let mut transcript = Transcript::new();
        transcript.say("hi");
        let run = run_with(&agent(model), &mut transcript, &mut recorder, &cancel).await;
        assert_eq!(run.stop_reason, StopReason::Cancelled, "{at}");
        assert_eq!(readable(&transcript), format!("user: hi\n{left}").trim_end(), "{at}");
        assert_eq!(requests.all().len(), 1);
    }
}

#[tokio::test]
async fn refusals_say_what_to_do() {
    let refused = r#"{"error":{"message":"Incorrect API key: sk-never-shown"}}"#;
    let spent = r#"{"error":{"message":"pay","code":"insufficient_quota"}}"#;
    for (reply, is, says) in [
        (Reply::Status(401, "", refused), ModelErrorKind::Unauthorized, "OPENAI_API_KEY"),
        (Reply::Status(404, "", "{}"), ModelErrorKind::NotFound, "OPENAI_MODEL"),
        (
            Reply::Status(400, "", "{\"error\":\"too\\nlong\"}"),
            ModelErrorKind::BadRequest,
            "too long",
        ),
        (Reply::Status(429, "", spent), ModelErrorKind::RateLimited, "is exhausted"),
        (Reply::Page, ModelErrorKind::Unreadable, "/v1"),
        (
            Reply::Status(302, "location: http://127.0.0.1:9/\r\n", ""),
            ModelErrorKind::BadRequest,
            "302",
        ),
    ] {
        for api in APIS {
            let outcome = talk(api, quick(), vec![reply.clone()]).await;
            assert_eq!(kind(&outcome.run.stop_reason), is);
            let said = outcome.run.stop_reason.to_string();
            assert!(said.contains(says), "{said}");
            let text = readable(&outcome.transcript);
            assert!(text.contains("notice: The ") && !text.contains(says), "{text}");
            assert_eq!(outcome.requests.len(), 1);
        }
    }
}

#[tokio::test]
async fn nobody_is_there() {
    let model = Model::named("m").base_url("http://127.0.0.1:9/v1").build().unwrap();
    let agent = agent(model).limits(Limits { retries: 0, ..quick() });
    let (mut transcript, mut recorder) = (Transcript::new(), Recorder::default());
    transcript.say("hi");
    let cancel = CancellationToken::new();
    let run = run_with(&agent, &mut transcript, &mut recorder, &cancel).await;
    assert_eq!(kind(&run.stop_reason), ModelErrorKind::Unreachable);
    assert!(run.stop_reason.to_string().contains("check OPENAI_BASE_URL"));
    assert!(readable(&transcript).contains("notice: The model is unavailable"));
}

#[tokio::test]
async fn no_tools_can_be_listed() {
    let (model, requests) = model(APIS[0], vec![says("hello")]).await;
    let gone = widgetcast_agent::Server::command("/nowhere/program");
    let toolbox = Toolbox::new().connect("gone", gone).unwrap();
    let agent = widgetcast_agent::Agent::new(model.clone(), toolbox);
    let mut transcript = Transcript::new();
    transcript.say("hi");
    let mut recorder = Recorder::default();
    let cancel = CancellationToken::new();
    let run = run_with(&agent, &mut transcript, &mut recorder, &cancel).await;
    assert_eq!(kind(&run.stop_reason), ModelErrorKind::Tools);
    assert!(requests.all().is_empty());
    // Without any server, an empty list is not an error.
    let agent = widgetcast_agent::Agent::new(model, Toolbox::new());
    let run = run_with(&agent, &mut transcript, &mut recorder, &cancel).await;
    assert_eq!(run.stop_reason, StopReason::Done);
}
