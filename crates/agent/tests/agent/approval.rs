//! Tools that are not read-only: approved, rejected, and decided about later.

use widgetcast_agent::{Approval, CancellationToken, StopReason, Transcript};

use crate::conversation::{Recorder, agent, let_time_pass, readable, run_with};
use crate::endpoint::{APIS, Part, Reply, Requests, calls, model, says};

async fn talk(approvals: Vec<Approval>, replies: Vec<Reply>) -> (StopReason, Transcript, Recorder) {
    let (model, _) = model(APIS[0], replies).await;
    let mut transcript = Transcript::new();
    transcript.say("hi");
    let mut recorder = Recorder { approvals, ..Recorder::default() };
    let cancel = CancellationToken::new();
    let run = run_with(&agent(model), &mut transcript, &mut recorder, &cancel).await;
    (run.stop_reason, transcript, recorder)
}

#[tokio::test]
async fn a_person_approves_and_rejects() {
    let replies = || vec![calls("c1", "erase", "{}"), says("so be it")];
    let (end, transcript, recorder) = talk(vec![Approval::Approve], replies()).await;
    assert_eq!(end, StopReason::Done);
    let expected = "user: hi\nassistant:  -> erase({})\nerase#c1: ada\nassistant: so be it";
    assert_eq!(readable(&transcript), expected);
    assert_eq!(recorder.log[..2], ["approve erase?", "calling erase {}"]);

    let (end, transcript, recorder) =
        talk(vec![Approval::Reject("not today".into())], replies()).await;
    assert_eq!(end, StopReason::Done);
    assert!(
        readable(&transcript)
            .contains("erase#c1 failed: not run: the user did not approve it: not today")
    );
    assert_eq!(recorder.count("calling"), 0);
}

/// A conversation that waits for approval after one of two calls has run.
async fn waiting(replies: Vec<Reply>) -> (widgetcast_agent::Agent, Requests, Transcript) {
    let both = Reply::Stream(
        64,
        vec![
            Part::Text("I try. "),
            Part::Call(0, "c1", "erase"),
            Part::Call(1, "c2", "greet"),
            Part::Arguments(0, "{}"),
            Part::Arguments(1, "{\"name\":\"you\"}"),
            Part::Finish,
        ],
    );
    let replies = [vec![both], replies].concat();
    let (model, requests) = model(APIS[1], replies).await;
    let agent = agent(model);
    let mut transcript = Transcript::new();
    transcript.say("hi");
    let mut recorder = Recorder::default();
    let cancel = CancellationToken::new();
    let run = run_with(&agent, &mut transcript, &mut recorder, &cancel).await;
    assert_eq!(run.stop_reason, StopReason::Pending { calls: vec!["c1".into()] });
    assert_eq!(recorder.count("calling greet"), 1);
    // As after a restart.
    let kept = serde_json::to_string(&transcript).unwrap();
    (agent, requests, serde_json::from_str(&kept).unwrap())
}

#[tokio::test]
async fn a_person_answers_later() {
    let (agent, requests, mut transcript) = waiting(vec![says("done")]).await;
    let mut recorder = Recorder { approvals: vec![Approval::Approve], ..Recorder::default() };
    let cancel = CancellationToken::new();
    let run = run_with(&agent, &mut transcript, &mut recorder, &cancel).await;
    assert_eq!(run.stop_reason, StopReason::Done);
    assert_eq!(
        readable(&transcript),
        "user: hi\nassistant: I try.  -> erase({}) -> greet({\"name\":\"you\"})\n\
         greet#c2: hello you\nerase#c1: ada\nassistant: done"
    );
    // A completed call does not run again, and the model is called once more.
    assert_eq!((recorder.count("calling greet"), recorder.count("calling erase")), (0, 1));
    assert_eq!(requests.all().len(), 2);
}

#[tokio::test]
async fn a_person_who_does_not_answer_can_go_on() {
    let (agent, requests, mut transcript) = waiting(vec![says("fine")]).await;
    transcript.say("forget it");
    let (mut recorder, cancel) = (Recorder::default(), CancellationToken::new());
    let run = run_with(&agent, &mut transcript, &mut recorder, &cancel).await;
    assert_eq!(run.stop_reason, StopReason::Done);
    assert_eq!(recorder.count("approve"), 0);
    assert!(requests.all()[1].to_string().contains("the conversation continued without it"));
    assert_eq!(
        readable(&transcript),
        "user: hi\nassistant: I try.  -> erase({}) -> greet({\"name\":\"you\"})\n\
         greet#c2: hello you\nuser: forget it\nassistant: fine"
    );
}

#[tokio::test]
async fn a_person_takes_their_own_time() {
    struct Slow;
    impl widgetcast_agent::Sink for Slow {
        async fn event(&mut self, _: widgetcast_agent::Event<'_>) {}
        async fn approve(
            &mut self,
            _: &widgetcast_agent::ToolCall,
            _: &widgetcast_agent::Tool,
            _: &serde_json::Map<String, serde_json::Value>,
        ) -> Approval {
            let_time_pass().await;
            Approval::Approve
        }
    }
    let (model, _) = model(APIS[0], vec![calls("c1", "erase", "{}"), says("done")]).await;
    let agent = agent(model);
    let mut transcript = Transcript::new();
    transcript.say("hi");
    let run = agent.run(&mut transcript, None, &mut Slow, &CancellationToken::new()).await;
    assert_eq!(run.stop_reason, StopReason::Done);
}
