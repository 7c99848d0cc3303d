//! Sampling: requests to the client's model, and their results.

use serde_json::{Map, Value, json};

use super::prompt::Message;

/// The default of `maxTokens`.
const DEFAULT_TOKENS: u32 = 1000;

/// A request to the client's model.
///
/// ```
/// use widgetcast::Message;
/// use widgetcast::client::Sampling;
/// let short: Sampling = "What is the capital of France?".into();
/// let long = Sampling::new([Message::user("Summarise this: …")])
///     .system("You are brief.")
///     .max_tokens(200)
///     .temperature(0.2);
/// ```
#[derive(Clone, Debug)]
pub struct Sampling {
    pub(super) key: Option<String>,
    params: Map<String, Value>,
}

impl Sampling {
    /// Creates a request that continues these messages.
    pub fn new(messages: impl IntoIterator<Item = Message>) -> Self {
        let messages: Vec<Value> = messages.into_iter().map(|message| message.to_json()).collect();
        let params = [("messages", json!(messages)), ("maxTokens", json!(DEFAULT_TOKENS))];
        Self {
            key: None,
            params: params.map(|(key, value)| (key.to_owned(), value)).into_iter().collect(),
        }
    }

    /// Sets the maximum number of tokens to sample; 1000 by default.
    pub fn max_tokens(self, tokens: u32) -> Self {
        self.param("maxTokens", tokens)
    }

    /// Sets the system prompt. The client may change it.
    pub fn system(self, text: impl Into<String>) -> Self {
        self.param("systemPrompt", text.into())
    }

    /// Sets the sampling temperature.
    pub fn temperature(self, temperature: f64) -> Self {
        self.param("temperature", temperature)
    }

    /// Adds a stop sequence.
    pub fn stop_at(mut self, text: impl Into<String>) -> Self {
        let all = self.params.entry("stopSequences").or_insert_with(|| json!([]));
        if let Value::Array(all) = all {
            all.push(text.into().into());
        }
        self
    }

    /// Adds a model hint: part of the name of a suitable model, best first. The client chooses.
    pub fn prefer_model(mut self, name: impl Into<String>) -> Self {
        let preferences = self.params.entry("modelPreferences").or_insert(json!({ "hints": [] }));
        if let Value::Array(hints) = &mut preferences["hints"] {
            hints.push(json!({ "name": name.into() }));
        }
        self
    }

    /// Sets any other parameter of `sampling/createMessage`, such as `tools`.
    pub fn param(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.params.insert(key.into(), value.into());
        self
    }

    /// Names this request; see [`Elicit::key`](crate::client::Elicit::key).
    pub fn key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(key.into());
        self
    }

    pub(super) fn into_params(self) -> Value {
        Value::Object(self.params)
    }
}

impl From<&str> for Sampling {
    fn from(text: &str) -> Self {
        Self::new([Message::user(text)])
    }
}

impl From<String> for Sampling {
    fn from(text: String) -> Self {
        Self::new([Message::user(text)])
    }
}

/// The message sampled by the client's model.
///
/// ```
/// use widgetcast::client::{Sampled, Sampling};
/// use widgetcast::{Ctx, ToolError};
///
/// async fn title(ctx: Ctx) -> Result<String, ToolError> {
///     let sampled: Sampled = ctx.sample(Sampling::from("A title for an export")).await?;
///     Ok(format!("{} ({})", sampled.text(), sampled.model))
/// }
/// # let _ = widgetcast::Tool::new("title", title);
/// ```
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Sampled {
    /// The name of the model.
    pub model: String,
    /// Why it stopped, such as `endTurn` or `maxTokens`, if that is known.
    #[serde(default)]
    pub stop_reason: Option<String>,
    /// The content blocks of the message, as protocol JSON.
    #[serde(deserialize_with = "parts")]
    pub content: Vec<Value>,
}

/// A single block may be sent without a list.
fn parts<'de, D: serde::Deserializer<'de>>(of: D) -> Result<Vec<Value>, D::Error> {
    Ok(match serde::Deserialize::deserialize(of)? {
        Value::Array(parts) => parts,
        part => vec![part],
    })
}

impl Sampled {
    /// The text of the message.
    pub fn text(&self) -> String {
        self.content.iter().filter_map(|part| part["text"].as_str()).collect()
    }
}
