//! The agent loop: call the model, run the tools that it calls, and repeat until it replies.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;
use widgetcast::Caller;
use widgetcast::client::Peer;

use crate::ask::ask;
use crate::calls::{Calls, add};
use crate::clock::{Clock, Stop};
use crate::event::Sink;
use crate::limits::Limits;
use crate::model::Model;
use crate::model_error::{ModelError, ModelErrorKind};
use crate::tool::Tool;
use crate::toolbox::Toolbox;
use crate::transcript::{Message, Transcript};
use crate::turn::Turn;

/// A model with tools. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Agent {
    model: Model,
    toolbox: Toolbox,
    instructions: Option<String>,
    limits: Limits,
}

/// How a run ended, and what it used.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// How it ended.
    pub stop_reason: StopReason,
    /// The tokens that it used.
    pub usage: Usage,
    /// The number of requests to the model.
    pub steps: u32,
}

/// The tokens of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Input tokens.
    pub input: u64,
    /// Output tokens.
    pub output: u64,
    /// Whether some are estimated, because the endpoint did not report them.
    pub estimated: bool,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "stop_reason", rename_all = "snake_case")]
#[non_exhaustive]
pub enum StopReason {
    /// The model has replied.
    Done,
    /// Calls are waiting for approval. [`Agent::run`] with the same transcript resumes here, in this
    /// process or another, and calls [`Sink::approve`] again. If the user sends another message instead,
    /// they are not run.
    Pending {
        /// The ids of the calls.
        calls: Vec<String>,
    },
    /// It was cancelled. The transcript contains the output up to that point.
    Cancelled,
    /// The limit of requests to the model is reached.
    Steps {
        /// The limit.
        steps: u32,
    },
    /// The token limit is reached.
    Tokens {
        /// The limit.
        tokens: u64,
    },
    /// The time limit is reached.
    Time {
        /// The limit in seconds.
        seconds: u64,
    },
    /// The model stopped before its response was complete.
    Incomplete {
        /// The reason.
        reason: String,
    },
    /// The request to the model failed.
    Failed {
        /// The error.
        error: ModelError,
    },
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Done => f.write_str("done"),
            Self::Pending { calls } => write!(f, "{} calls are waiting for approval", calls.len()),
            Self::Cancelled => f.write_str("cancelled"),
            Self::Steps { steps } => {
                write!(
                    f,
                    "stopped after {steps} steps without a final answer; send a message to continue"
                )
            }
            Self::Tokens { tokens } => {
                write!(
                    f,
                    "stopped: the limit of {tokens} tokens per run is reached; send a message to continue"
                )
            }
            Self::Time { seconds } => {
                write!(f, "stopped: the run exceeded {seconds} seconds; send a message to continue")
            }
            Self::Incomplete { reason } => write!(f, "the response is incomplete: {reason}"),
            Self::Failed { error } => write!(f, "{error}"),
        }
    }
}

/// What the run has used so far.
struct Spent {
    usage: Usage,
    steps: u32,
    /// The number of consecutive calls whose arguments were not JSON.
    mistakes: u32,
}

impl Agent {
    /// Creates an agent from a model and tools.
    pub fn new(model: Model, toolbox: Toolbox) -> Self {
        Self { model, toolbox, instructions: None, limits: Limits::default() }
    }

    /// Sets the system prompt, which is not part of the transcript.
    pub fn instructions(mut self, text: impl Into<String>) -> Self {
        self.instructions = Some(text.into());
        self
    }

    /// Sets the limits.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Returns the same agent for the client at this address: calls of the local app count toward its quotas.
    #[must_use]
    pub fn for_peer(&self, peer: Peer) -> Self {
        Self { toolbox: self.toolbox.for_peer(peer), ..self.clone() }
    }

    /// Its tools.
    pub fn toolbox(&self) -> &Toolbox {
        &self.toolbox
    }

    /// Replies to the last message of a conversation, or continues after [`StopReason::Pending`].
    ///
    /// Messages are appended to the transcript, and existing ones do not change. The transcript is always
    /// complete afterwards: each call has a result or is waiting for approval, everything sent to the sink is
    /// in it, and a [`Message::Notice`] explains an early end to the user. Error details of the endpoint are
    /// only in [`StopReason::Failed`] and in the log.
    ///
    /// ```no_run
    /// use widgetcast_agent::{Agent, CancellationToken, Event, Model, Sink, Toolbox, Transcript};
    ///
    /// struct Print;
    /// impl Sink for Print {
    ///     async fn event(&mut self, event: Event<'_>) {
    ///         if let Event::Text { delta } = event {
    ///             print!("{delta}");
    ///         }
    ///     }
    /// }
    ///
    /// # async fn run() -> Result<(), widgetcast_agent::ModelError> {
    /// let agent = Agent::new(Model::from_env()?, Toolbox::new());
    /// let mut transcript = Transcript::new();
    /// transcript.say("Hello!");
    /// let run = agent.run(&mut transcript, None, &mut Print, &CancellationToken::new()).await;
    /// println!("{}", run.stop_reason);
    /// # Ok(()) }
    /// ```
    pub async fn run(
        &self,
        transcript: &mut Transcript,
        caller: Option<&Caller>,
        sink: &mut impl Sink,
        cancel: &CancellationToken,
    ) -> Run {
        let mut clock = Clock::start(self.limits.run, cancel);
        let mut spent = Spent { usage: Usage::default(), steps: 0, mistakes: 0 };
        let stop_reason = match self.go(transcript, caller, sink, &mut clock, &mut spent).await {
            Ok(end) => end,
            Err(Stop::Cancelled) => StopReason::Cancelled,
            Err(Stop::OutOfTime) => StopReason::Time { seconds: self.limits.run.as_secs() },
            Err(Stop::Failed(error)) => StopReason::Failed { error },
        };
        let notice = match &stop_reason {
            StopReason::Done | StopReason::Pending { .. } | StopReason::Cancelled => None,
            StopReason::Failed { error } => {
                tracing::warn!(kind = ?error.kind, "the model did not complete its response: {error}");
                Some(error.user_message().to_owned())
            }
            other => Some(other.to_string()),
        };
        if let Some(text) = notice {
            add(transcript, Message::Notice { text }, sink).await;
        }
        Run { stop_reason, usage: spent.usage, steps: spent.steps }
    }

    async fn go(
        &self,
        transcript: &mut Transcript,
        caller: Option<&Caller>,
        sink: &mut impl Sink,
        clock: &mut Clock,
        spent: &mut Spent,
    ) -> Result<StopReason, Stop> {
        loop {
            let tools = clock.wait(self.tools(caller)).await??;
            let (toolbox, parallel) = (&self.toolbox, self.limits.parallel_calls);
            let calls = Calls { toolbox, caller, tools: &tools, parallel };
            let called = calls.run(transcript, clock, sink).await?;
            if !called.pending.is_empty() {
                return Ok(StopReason::Pending { calls: called.pending });
            }
            self.count_mistakes(called.malformed, spent)?;
            if spent.steps >= self.limits.steps {
                return Ok(StopReason::Steps { steps: spent.steps });
            }
            if spent.usage.input + spent.usage.output >= self.limits.tokens {
                return Ok(StopReason::Tokens { tokens: self.limits.tokens });
            }
            spent.steps += 1;
            if let Some(end) = self.step(transcript, &tools, sink, clock, spent).await? {
                return Ok(end);
            }
        }
    }

    /// The tools that the model may see.
    async fn tools(&self, caller: Option<&Caller>) -> Result<Arc<Vec<Tool>>, Stop> {
        match self.toolbox.listed(caller).await {
            Ok(tools) if tools.iter().all(|tool| tool.visible_to_model) => Ok(tools),
            Ok(tools) => {
                let visible = tools.iter().filter(|tool| tool.visible_to_model);
                Ok(Arc::new(visible.cloned().collect()))
            }
            Err(error) => {
                Err(Stop::Failed(ModelError::new(ModelErrorKind::Tools, error.to_string())))
            }
        }
    }

    fn count_mistakes(&self, malformed: bool, spent: &mut Spent) -> Result<(), Stop> {
        spent.mistakes = if malformed { spent.mistakes + 1 } else { 0 };
        if spent.mistakes <= self.limits.corrections {
            return Ok(());
        }
        let message = format!(
            "the model {} wrote arguments that are not JSON, {} times in a row; try another model",
            self.model.name(),
            spent.mistakes
        );
        Err(Stop::Failed(ModelError::new(ModelErrorKind::BadArguments, message)))
    }

    /// Sends one request to the model. Returns `None` if it calls tools.
    async fn step(
        &self,
        transcript: &mut Transcript,
        tools: &Arc<Vec<Tool>>,
        sink: &mut impl Sink,
        clock: &Clock,
        spent: &mut Spent,
    ) -> Result<Option<StopReason>, Stop> {
        let system = self.instructions.iter().map(|text| Message::System { text: text.clone() });
        let messages: Vec<Message> = system.chain(transcript.with_closed_calls()).collect();
        let (model, tools, bytes) = (self.model.clone(), tools.clone(), self.limits.result_bytes);
        // A conversation can be long, so serialize it on a worker.
        let write = move |budgeted| model.request(&messages, &tools, bytes, budgeted);
        let request = self.toolbox.workers().finish(usize::MAX, write).await.ok_or_else(|| {
            let message = "the request to the model cannot be written".to_owned();
            Stop::Failed(ModelError::new(ModelErrorKind::BadRequest, message))
        })?;
        let answer = ask(&self.model, &self.limits, &request, clock, sink).await;
        let (turn, stop) = match answer {
            Ok(turn) => (turn, None),
            Err((turn, stop)) => (turn, Some(stop)),
        };
        spent.usage.add(&turn, &request);
        if let Some(stop) = stop {
            if !turn.text.is_empty() {
                let text = turn.text;
                add(transcript, Message::Assistant { text, calls: Vec::new(), cut: true }, sink)
                    .await;
            }
            return Err(stop);
        }
        let calls = turn.calls(&transcript.call_ids());
        if turn.text.is_empty() && calls.is_empty() && turn.ended.is_none() {
            let message =
                format!("the model {} returned an empty response; try again", self.model.name());
            return Err(Stop::Failed(ModelError::new(ModelErrorKind::Unreadable, message)));
        }
        let goes_on = !calls.is_empty();
        let (text, cut) = (turn.text, turn.ended.is_some());
        add(transcript, Message::Assistant { text, calls, cut }, sink).await;
        Ok(match (goes_on, turn.ended) {
            (true, _) => None,
            (false, Some(reason)) => Some(StopReason::Incomplete { reason: reason.to_owned() }),
            (false, None) => Some(StopReason::Done),
        })
    }
}

impl Usage {
    /// Adds the token counts of a response: as reported by the endpoint, or else estimated at four bytes per
    /// token.
    fn add(&mut self, turn: &Turn, request: &serde_json::Value) {
        let estimate = || (text_size(request) as u64 / 4, turn.size() as u64 / 4);
        let (input, output) = turn.usage.unwrap_or_else(estimate);
        self.estimated |= turn.usage.is_none();
        self.input += input;
        self.output += output;
    }
}

/// The approximate text size of a request. An image costs about a thousand tokens, whatever its size.
fn text_size(request: &serde_json::Value) -> usize {
    match request {
        serde_json::Value::String(text) if text.starts_with("data:image/") => 4000,
        serde_json::Value::Array(list) => list.iter().map(text_size).sum(),
        serde_json::Value::Object(members) => {
            members.iter().map(|(name, value)| name.len() + 4 + text_size(value)).sum()
        }
        serde_json::Value::String(text) => text.len() + 2,
        _ => 4,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_image_is_not_counted_as_its_letters() {
        let image = format!("data:image/png;base64,{}", "A".repeat(4 << 20));
        let size = text_size(&json!({ "messages": [{ "text": "x".repeat(100), "url": image }] }));
        assert!((4100..4200).contains(&size), "{size}");
    }
}
