//! What a handler gives back: data, text, other content and metadata, each a part of its own.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};
use widgetcast_core::Json;

use super::tool_error::ToolError;

/// Data for the model and for the view, as its type says; the type gives the output schema.
///
/// ```
/// # use widgetcast::{Data, Tool};
/// #[derive(serde::Serialize, schemars::JsonSchema)]
/// struct Sum { total: i64 }
///
/// # #[derive(serde::Deserialize, schemars::JsonSchema)] struct Pair { a: i64, b: i64 }
/// let add = Tool::new("add", |pair: Pair| async move { Data(Sum { total: pair.a + pair.b }) });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Data<T>(pub T);

/// The parts of a tool's result. What is not given is made from what is: a tool that shows a
/// widget without giving text has the widget's text.
#[derive(Debug, Default)]
pub struct Outcome {
    pub(crate) data: Option<Json>,
    pub(crate) text: Option<String>,
    pub(crate) content: Vec<Content>,
    pub(crate) meta: Map<String, Value>,
}

impl Outcome {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Data: for the model (`structuredContent`), and for the widget or page that the tool shows.
    pub fn data(mut self, data: impl Into<Value>) -> Self {
        self.data = Some(data.into().into());
        self
    }

    /// What the model reads.
    pub fn text(mut self, text: impl Into<String>) -> Self {
        self.text = Some(text.into());
        self
    }

    /// One more content item, after the text.
    pub fn content(mut self, content: Content) -> Self {
        self.content.push(content);
        self
    }

    /// One entry of the result's `_meta`: views see it, the model does not.
    pub fn meta(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.meta.insert(key.into(), value.into());
        self
    }
}

/// A content item other than the main text.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Content {
    /// More text.
    Text(String),
    /// A picture.
    Image {
        /// Its bytes.
        bytes: Vec<u8>,
        /// Its type, such as `image/png`.
        mime: String,
    },
    /// A sound.
    Audio {
        /// Its bytes.
        bytes: Vec<u8>,
        /// Its type, such as `audio/wav`.
        mime: String,
    },
    /// A resource that travels with the result.
    Resource {
        /// Its address.
        uri: String,
        /// Its type.
        mime: String,
        /// Its text.
        text: String,
    },
    /// A resource that a client can read later.
    Link {
        /// Its address.
        uri: String,
        /// What to call it.
        name: String,
        /// Its type.
        mime: Option<String>,
    },
}

impl Content {
    pub(crate) fn to_json(&self) -> Value {
        match self {
            Content::Text(text) => json!({ "type": "text", "text": text }),
            Content::Image { bytes, mime } => {
                json!({ "type": "image", "data": STANDARD.encode(bytes), "mimeType": mime })
            }
            Content::Audio { bytes, mime } => {
                json!({ "type": "audio", "data": STANDARD.encode(bytes), "mimeType": mime })
            }
            Content::Resource { uri, mime, text } => json!({
                "type": "resource", "resource": { "uri": uri, "mimeType": mime, "text": text },
            }),
            Content::Link { uri, name, mime } => {
                let mut link = json!({ "type": "resource_link", "uri": uri, "name": name });
                if let Some(mime) = mime {
                    link["mimeType"] = json!(mime);
                }
                link
            }
        }
    }
}

/// What a handler may return: [`Data`], text, both as a tuple, nothing, an [`Outcome`], or a
/// `Result` of any of these.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the result of a tool",
    note = "a tool returns `Data<T>`, text, `(text, Data<T>)`, `Outcome`, `()`, or a `Result` of these with \
            `ToolError`",
    note = "the `T` of `Data<T>` derives `serde::Serialize` and `schemars::JsonSchema`"
)]
pub trait Output {
    /// The schema of the data, if its type has one.
    fn schema() -> Option<Value> {
        None
    }

    /// The parts.
    fn into_outcome(self) -> Result<Outcome, ToolError>;
}

impl Output for Outcome {
    fn into_outcome(self) -> Result<Outcome, ToolError> {
        Ok(self)
    }
}

impl Output for () {
    fn into_outcome(self) -> Result<Outcome, ToolError> {
        Ok(Outcome::new())
    }
}

impl Output for String {
    fn into_outcome(self) -> Result<Outcome, ToolError> {
        Ok(Outcome::new().text(self))
    }
}

impl Output for &'static str {
    fn into_outcome(self) -> Result<Outcome, ToolError> {
        Ok(Outcome::new().text(self))
    }
}

impl<T: Serialize + JsonSchema> Output for Data<T> {
    fn schema() -> Option<Value> {
        Some(super::schema::output_of::<T>())
    }

    fn into_outcome(self) -> Result<Outcome, ToolError> {
        let json = Json::serialize(&self.0)?;
        Ok(Outcome { data: Some(json), ..Outcome::new() })
    }
}

impl<S: Into<String>, T: Serialize + JsonSchema> Output for (S, Data<T>) {
    fn schema() -> Option<Value> {
        Data::<T>::schema()
    }

    fn into_outcome(self) -> Result<Outcome, ToolError> {
        Ok(self.1.into_outcome()?.text(self.0))
    }
}

impl<T: Output, E: Into<ToolError>> Output for Result<T, E> {
    fn schema() -> Option<Value> {
        T::schema()
    }

    fn into_outcome(self) -> Result<Outcome, ToolError> {
        self.map_err(Into::into)?.into_outcome()
    }
}
