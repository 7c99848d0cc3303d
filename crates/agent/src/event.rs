//! Events of a run, and its requests for approval.

use std::time::Duration;

use serde_json::{Map, Value};

use crate::tool::Tool;
use crate::transcript::{Message, ToolCall};

/// An event of a run.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event<'e> {
    /// A text delta of the model. Deltas are never revised or repeated.
    Text {
        /// The appended text.
        delta: &'e str,
    },
    /// A tool is about to run.
    Calling {
        /// The call.
        call: &'e ToolCall,
        /// The tool.
        tool: &'e Tool,
        /// Its arguments.
        arguments: &'e Map<String, Value>,
    },
    /// A tool has run. Results come in the order of the calls.
    Result {
        /// The call.
        call: &'e ToolCall,
        /// The tool.
        tool: &'e Tool,
        /// The whole MCP result, in which widgets can be found.
        result: &'e Value,
    },
    /// A message is complete and part of the transcript, so it can be stored. The message of a result comes
    /// after [`Event::Result`].
    Message(&'e Message),
    /// The request to the endpoint is retried after a delay.
    Retrying {
        /// The reason.
        reason: &'e str,
        /// The delay.
        wait: Duration,
    },
}

/// The user's decision about a call of a tool that is not read-only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Approval {
    /// The tool may run.
    Approve,
    /// Rejected, with a reason for the model; may be empty.
    Reject(String),
    /// Undecided. The run ends, and the next one asks again: see [`StopReason::Pending`](crate::StopReason::Pending).
    Pending,
}

/// Receives the events of a run, and decides about approvals.
pub trait Sink: Send {
    /// Handles an event. The run continues when this completes, so a slow sink slows it down.
    fn event(&mut self, event: Event<'_>) -> impl Future<Output = ()> + Send;

    /// Decides whether a tool that is not read-only may run. It may wait for the user, or return
    /// [`Approval::Pending`] if the decision comes much later. By default, every such call is pending.
    fn approve(
        &mut self,
        call: &ToolCall,
        tool: &Tool,
        arguments: &Map<String, Value>,
    ) -> impl Future<Output = Approval> + Send {
        _ = (call, tool, arguments);
        std::future::ready(Approval::Pending)
    }
}
