//! The conversation: what the model receives, and what is stored.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// One message of a conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "role", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Message {
    /// Instructions from the program to the model.
    System {
        /// The text.
        text: String,
    },
    /// The user's message.
    User {
        /// The text.
        text: String,
        /// Images, as `https:` or `data:` URLs.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        images: Vec<String>,
    },
    /// The model's output, and the tools that it called.
    Assistant {
        /// The text; may be empty if there are calls.
        text: String,
        /// The calls, in order.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        calls: Vec<ToolCall>,
        /// Whether the output is incomplete.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        cut: bool,
    },
    /// The result of a call.
    Tool {
        /// The id of the call.
        call_id: String,
        /// The tool's name in the toolbox.
        name: String,
        /// The whole MCP result, including `isError`. The model gets its text, truncated to a limit.
        result: Value,
    },
    /// Why a run ended early: for the user, never for the model.
    Notice {
        /// The text.
        text: String,
    },
}

/// A call as the model wrote it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// Unique in the conversation.
    pub id: String,
    /// The name that the model wrote.
    pub name: String,
    /// The arguments as the model wrote them; they should be JSON.
    pub arguments: String,
}

/// A conversation, as JSON a list of its messages.
///
/// ```
/// use widgetcast_agent::Transcript;
///
/// let mut transcript = Transcript::new();
/// transcript.say("Where is LX 38?");
/// let kept = serde_json::to_string(&transcript)?;
/// assert_eq!(kept, r#"[{"role":"user","text":"Where is LX 38?"}]"#);
/// assert_eq!(serde_json::from_str::<Transcript>(&kept)?, transcript);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Transcript {
    /// The messages, oldest first.
    pub messages: Vec<Message>,
}

impl Transcript {
    /// An empty transcript.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a user message.
    pub fn say(&mut self, text: impl Into<String>) {
        self.messages.push(Message::User { text: text.into(), images: Vec::new() });
    }

    /// The last calls without a result: they are waiting for approval or for the next run.
    pub fn open_calls(&self) -> Vec<&ToolCall> {
        let asked = |message: &Message| matches!(message, Message::Assistant { .. });
        let Some(last) = self.messages.iter().rposition(asked) else { return Vec::new() };
        let after = &self.messages[last + 1..];
        if after.iter().any(|message| matches!(message, Message::User { .. })) {
            return Vec::new();
        }
        let answered = answered(after);
        calls_of(&self.messages[last]).iter().filter(|call| !answered.contains(&*call.id)).collect()
    }

    /// The messages for a model. Calls that the user left undecided get a result that states this, because
    /// endpoints reject a call without a result.
    pub(crate) fn with_closed_calls(&self) -> Vec<Message> {
        let waits: HashSet<&str> = self.open_calls().iter().map(|call| &*call.id).collect();
        let answered = answered(&self.messages);
        let mut closed = Vec::with_capacity(self.messages.len());
        for message in &self.messages {
            closed.push(message.clone());
            let open = calls_of(message)
                .iter()
                .filter(|call| !answered.contains(&*call.id) && !waits.contains(&*call.id));
            let why = "not run: the conversation continued without it";
            closed.extend(open.map(|call| Message::failed(call, why)));
        }
        closed
    }

    /// The ids of all calls.
    pub(crate) fn call_ids(&self) -> HashSet<&str> {
        self.messages.iter().flat_map(calls_of).map(|call| &*call.id).collect()
    }
}

impl Message {
    /// The result of a call that was not made, or failed.
    pub(crate) fn failed(call: &ToolCall, why: &str) -> Self {
        Self::Tool { call_id: call.id.clone(), name: call.name.clone(), result: failure(why) }
    }
}

/// A result that describes an error.
pub(crate) fn failure(why: &str) -> Value {
    json!({ "content": [{ "type": "text", "text": why }], "isError": true })
}

fn calls_of(message: &Message) -> &[ToolCall] {
    match message {
        Message::Assistant { calls, .. } => calls,
        _ => &[],
    }
}

fn answered(messages: &[Message]) -> HashSet<&str> {
    let ids = messages.iter().filter_map(|message| match message {
        Message::Tool { call_id, .. } => Some(call_id.as_str()),
        _ => None,
    });
    ids.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_that_were_left_open_are_closed() {
        let call = |id: &str| ToolCall { id: id.into(), name: "t".into(), arguments: "{}".into() };
        let calls = vec![call("1"), call("2")];
        let assistant = Message::Assistant { text: String::new(), calls, cut: false };
        let result = Message::Tool { call_id: "1".into(), name: "t".into(), result: json!({}) };
        let mut transcript = Transcript { messages: vec![assistant.clone(), result.clone()] };
        assert_eq!(transcript.open_calls(), [&call("2")]);
        assert_eq!(transcript.with_closed_calls().len(), 2, "what waits may still be answered");

        transcript.say("never mind");
        assert!(transcript.open_calls().is_empty());
        let closed = Message::failed(&call("2"), "not run: the conversation continued without it");
        let user = Message::User { text: "never mind".into(), images: vec![] };
        assert_eq!(transcript.with_closed_calls(), [assistant, closed, result, user]);
    }
}
