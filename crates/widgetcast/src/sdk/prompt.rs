//! A prompt: words that a person can pick in the host and send to the model.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use serde_json::{Map, Value, json};

use super::outcome::Content;
use super::tool_error::ToolError;

/// One message of a prompt.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    role: &'static str,
    content: Content,
}

impl Message {
    /// Said by the person.
    pub fn user(content: impl Into<Content>) -> Self {
        Self { role: "user", content: content.into() }
    }

    /// Said by the assistant.
    pub fn assistant(content: impl Into<Content>) -> Self {
        Self { role: "assistant", content: content.into() }
    }

    pub(crate) fn to_json(&self) -> Value {
        json!({ "role": self.role, "content": self.content.to_json() })
    }
}

impl From<&str> for Content {
    fn from(text: &str) -> Self {
        Content::Text(text.to_owned())
    }
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        Content::Text(text)
    }
}

/// The arguments of a prompt: texts by name.
pub type Arguments = Map<String, Value>;

type Write =
    Arc<dyn Fn(Arguments) -> BoxFuture<'static, Result<Vec<Message>, ToolError>> + Send + Sync>;

/// A prompt.
///
/// ```
/// use widgetcast::{Arguments, Message, Prompt, ToolError};
/// let review = Prompt::new("review", |arguments: Arguments| async move {
///     let code = arguments["code"].as_str().unwrap_or_default();
///     Ok::<_, ToolError>(vec![Message::user(format!("Review this code:\n{code}"))])
/// })
/// .argument("code", "What to review", true);
/// ```
#[derive(Clone)]
pub struct Prompt {
    pub(crate) name: String,
    description: Option<String>,
    arguments: Vec<(String, String, bool)>,
    write: Write,
}

impl Prompt {
    /// A prompt of that name.
    pub fn new<F, R, E>(name: impl Into<String>, write: F) -> Self
    where
        F: Fn(Arguments) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Vec<Message>, E>> + Send + 'static,
        E: Into<ToolError>,
    {
        let write = move |arguments| -> BoxFuture<'static, Result<Vec<Message>, ToolError>> {
            let run = write(arguments);
            Box::pin(async move { run.await.map_err(Into::into) })
        };
        Self { name: name.into(), description: None, arguments: Vec::new(), write: Arc::new(write) }
    }

    /// What it is for.
    pub fn description(mut self, text: impl Into<String>) -> Self {
        self.description = Some(text.into());
        self
    }

    /// An argument: its name, what it is for, whether it must be given.
    pub fn argument(
        mut self,
        name: impl Into<String>,
        description: impl Into<String>,
        required: bool,
    ) -> Self {
        self.arguments.push((name.into(), description.into(), required));
        self
    }

    pub(crate) fn to_json(&self) -> Value {
        let arguments: Vec<Value> = self
            .arguments
            .iter()
            .map(|(name, text, required)| {
                json!({ "name": name, "description": text, "required": required })
            })
            .collect();
        let mut out = json!({ "name": self.name });
        if let Some(text) = &self.description {
            out["description"] = json!(text);
        }
        if !arguments.is_empty() {
            out["arguments"] = json!(arguments);
        }
        out
    }

    /// The names of required arguments that are not there.
    pub(crate) fn missing(&self, arguments: &Arguments) -> Vec<&str> {
        let required = self.arguments.iter().filter(|(_, _, required)| *required);
        required
            .map(|(name, ..)| name.as_str())
            .filter(|name| !arguments.contains_key(*name))
            .collect()
    }

    pub(crate) fn write(
        &self,
        arguments: Arguments,
    ) -> BoxFuture<'static, Result<Vec<Message>, ToolError>> {
        (self.write)(arguments)
    }
}

impl std::fmt::Debug for Prompt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Prompt").field("name", &self.name).finish_non_exhaustive()
    }
}
