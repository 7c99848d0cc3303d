//! The tool calls of one response: validated, approved, run concurrently, and completed in order.

use futures_util::future::BoxFuture;
use futures_util::{StreamExt as _, stream};
use serde_json::{Map, Value};
use widgetcast::Caller;

use crate::clock::{Clock, Stop};
use crate::event::{Approval, Event, Sink};
use crate::tool::Tool;
use crate::toolbox::Toolbox;
use crate::transcript::{Message, ToolCall, Transcript, failure};

/// Maximum number of tool names suggested to a model that called an unknown tool.
const MAX_NAMES: usize = 40;

/// The outcome of the calls, apart from their results.
#[derive(Default)]
pub(crate) struct Called {
    /// The ids of the calls that are waiting for approval.
    pub pending: Vec<String>,
    /// Whether any arguments were not JSON.
    pub malformed: bool,
}

/// What to do with a call.
enum Plan<'t> {
    Run(&'t Tool, Map<String, Value>),
    /// It is rejected for this reason.
    Not(String),
    Wait,
}

/// A call, its tool if it has run, and the result.
type Answered<'c> = (&'c ToolCall, Option<&'c Tool>, Value);

/// The context of the calls of a run.
pub(crate) struct Calls<'r> {
    pub toolbox: &'r Toolbox,
    pub caller: Option<&'r Caller>,
    /// The tools offered to the model.
    pub tools: &'r [Tool],
    pub parallel: usize,
}

impl Calls<'_> {
    /// Runs the open calls of a transcript and appends their results. If the run is stopped, the remaining
    /// calls get a result that states this.
    pub(crate) async fn run(
        &self,
        transcript: &mut Transcript,
        clock: &mut Clock,
        sink: &mut impl Sink,
    ) -> Result<Called, Stop> {
        let calls: Vec<ToolCall> = transcript.open_calls().into_iter().cloned().collect();
        let mut called = Called::default();
        let done = self.run_all(&calls, &mut called, transcript, clock, sink).await;
        if done.is_err() {
            let open: Vec<ToolCall> = transcript.open_calls().into_iter().cloned().collect();
            for call in &open {
                let message = Message::failed(call, "no result: the run was stopped");
                add(transcript, message, sink).await;
            }
        }
        done.map(|()| called)
    }

    async fn run_all(
        &self,
        calls: &[ToolCall],
        called: &mut Called,
        transcript: &mut Transcript,
        clock: &mut Clock,
        sink: &mut impl Sink,
    ) -> Result<(), Stop> {
        let mut plans = Vec::with_capacity(calls.len());
        for call in calls {
            let plan = self.plan(call, called, clock, sink).await?;
            match &plan {
                Plan::Wait => called.pending.push(call.id.clone()),
                _ => plans.push((call, plan)),
            }
        }
        for (call, plan) in &plans {
            if let Plan::Run(tool, arguments) = plan {
                sink.event(Event::Calling { call, tool, arguments }).await;
            }
        }
        let mut running: Vec<BoxFuture<'_, Answered<'_>>> = Vec::with_capacity(plans.len());
        for (call, plan) in plans {
            running.push(Box::pin(self.answer(call, plan)));
        }
        let mut results = stream::iter(running).buffered(self.parallel.max(1));
        while let Some((call, tool, result)) = clock.wait(results.next()).await? {
            if let Some(tool) = tool {
                sink.event(Event::Result { call, tool, result: &result }).await;
            }
            let (call_id, name) = (call.id.clone(), call.name.clone());
            add(transcript, Message::Tool { call_id, name, result }, sink).await;
        }
        Ok(())
    }

    async fn plan(
        &self,
        call: &ToolCall,
        called: &mut Called,
        clock: &mut Clock,
        sink: &mut impl Sink,
    ) -> Result<Plan<'_>, Stop> {
        let Some(tool) = self.tools.iter().find(|tool| tool.name == call.name) else {
            return Ok(Plan::Not(self.unknown(&call.name)));
        };
        let arguments = match arguments(&call.arguments) {
            Ok(arguments) => arguments,
            Err(why) => {
                called.malformed = true;
                return Ok(Plan::Not(why));
            }
        };
        if tool.read_only {
            return Ok(Plan::Run(tool, arguments));
        }
        let approval = clock.wait_for_user(sink.approve(call, tool, &arguments)).await?;
        Ok(match approval {
            Approval::Approve => Plan::Run(tool, arguments),
            Approval::Reject(why) if why.is_empty() => {
                Plan::Not("not run: the user did not approve it".into())
            }
            Approval::Reject(why) => {
                Plan::Not(format!("not run: the user did not approve it: {why}"))
            }
            Approval::Pending => Plan::Wait,
        })
    }

    async fn answer<'c>(&'c self, call: &'c ToolCall, plan: Plan<'c>) -> Answered<'c> {
        match plan {
            Plan::Run(tool, arguments) => {
                let Tool { server, original_name, .. } = tool;
                let result =
                    self.toolbox.call_at(self.caller, server, original_name, arguments).await;
                let result = result.unwrap_or_else(|error| failure(&error.to_string()));
                (call, Some(tool), result)
            }
            Plan::Not(why) => (call, None, failure(&why)),
            Plan::Wait => (call, None, Value::Null),
        }
    }

    fn unknown(&self, name: &str) -> String {
        let names: Vec<&str> = self.tools.iter().map(|tool| &*tool.name).take(MAX_NAMES).collect();
        match names.is_empty() {
            true => format!("unknown tool {name:?}; no tools are available"),
            false => format!("unknown tool {name:?}; available tools: {}", names.join(", ")),
        }
    }
}

/// Appends a message to the transcript, and sends the event.
pub(crate) async fn add(transcript: &mut Transcript, message: Message, sink: &mut impl Sink) {
    sink.event(Event::Message(&message)).await;
    transcript.messages.push(message);
}

/// The arguments of a call; empty text counts as an empty object.
fn arguments(text: &str) -> Result<Map<String, Value>, String> {
    if text.trim().is_empty() {
        return Ok(Map::new());
    }
    match serde_json::from_str(text) {
        Ok(Value::Object(arguments)) => Ok(arguments),
        Ok(Value::Null) => Ok(Map::new()),
        Ok(_) => Err("not run: the arguments must be one JSON object; call it again".into()),
        Err(error) => {
            let start: String = text.chars().take(200).collect();
            Err(format!(
                "not run: the arguments are not JSON ({error}): {start}\nCall it again with one JSON \
                 object."
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_one_object() {
        for none in ["", "  ", "null", "{}"] {
            assert!(arguments(none).unwrap().is_empty(), "{none:?}");
        }
        assert_eq!(arguments(r#"{"a":1}"#).unwrap()["a"], 1);
        for wrong in ["[]", "7", "{\"a\":", "{'a':1}", "{}{}"] {
            assert!(arguments(wrong).unwrap_err().contains("not run"), "{wrong:?}");
        }
    }
}
