//! What a handler returns: data, text, other content and metadata as separate parts.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};
use widgetcast_core::{Json, Reply};

use super::tool_error::ToolError;
use crate::components::{self, Basic, Card, ListView, Root};

/// Structured data for the model and the view; its type defines the output schema.
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

/// The parts of a tool result. Missing parts are derived: without text, a tool with a widget returns the
/// widget's text.
///
/// ```
/// use widgetcast::{Outcome, ToolResult};
///
/// #[derive(serde::Serialize)]
/// struct Ticket { id: u32, title: String }
///
/// async fn assign() -> ToolResult {
///     let ticket = Ticket { id: 7, title: "Printer on fire".into() };
///     Ok(Outcome::new().data(&ticket).text(format!("{} is yours", ticket.title)).widget("ticket_card"))
/// }
/// # let _ = widgetcast::Tool::new("assign", assign).widgets(["ticket_card"]);
/// ```
#[derive(Debug, Default)]
pub struct Outcome {
    pub(crate) data: Option<Json>,
    /// The data for the view, if it differs from that for the model.
    pub(crate) view: Option<Json>,
    /// Members for host templates only.
    pub(crate) template_data: Map<String, Value>,
    /// The widget that shows it, if it is not the tool's.
    pub(crate) widget: Option<String>,
    /// The complete result, if it was created elsewhere.
    pub(crate) reply: Option<Box<Reply>>,
    /// The first part that could not be serialized.
    failed: Option<ToolError>,
    pub(crate) text: Option<String>,
    pub(crate) content: Vec<Content>,
    pub(crate) meta: Map<String, Value>,
}

impl Outcome {
    /// Creates an empty outcome.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the data for the model (`structuredContent`) and for the widget or page.
    pub fn data(mut self, data: impl Serialize) -> Self {
        self.data = self.write(data);
        self
    }

    /// Sets separate data for the view; the model then gets only [`Outcome::data`].
    pub fn view(mut self, data: impl Serialize) -> Self {
        self.view = self.write(data);
        self
    }

    /// Adds a value that only host templates get.
    pub fn template_data(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.template_data.insert(name.into(), value.into());
        self
    }

    /// Chooses the widget that shows this result, one of [`Tool::widgets`](crate::Tool::widgets).
    pub fn widget(mut self, name: impl Into<String>) -> Self {
        self.widget = Some(name.into());
        self
    }

    /// Sets a view built from components instead of a widget. Declare it with
    /// [`Tool::components`](crate::Tool::components).
    pub fn components(self, root: impl Root) -> Self {
        self.tree(&root.into())
    }

    /// The same with a tree as JSON, for programs that render the results of other servers.
    #[doc(hidden)]
    pub fn tree(self, tree: &Value) -> Self {
        self.view(json!({ "view": tree })).widget(components::WIDGET)
    }

    fn write(&mut self, data: impl Serialize) -> Option<Json> {
        Json::serialize(&data).map_err(|error| _ = self.failed.get_or_insert(error.into())).ok()
    }

    /// Sets the text for the model.
    pub fn text(mut self, text: impl Into<String>) -> Self {
        self.text = Some(text.into());
        self
    }

    /// Adds a content item after the text.
    pub fn content(mut self, content: Content) -> Self {
        self.content.push(content);
        self
    }

    /// Adds an entry to the result's `_meta`, which views see and the model does not.
    pub fn meta(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.meta.insert(key.into(), value.into());
        self
    }
}

/// A content item other than the main text.
///
/// ```
/// use widgetcast::{Content, Outcome};
///
/// let chart = Content::Image { bytes: vec![0x89, b'P', b'N', b'G'], mime: "image/png".into() };
/// let report = Content::Link {
///     uri: "shop://report/2026/7".into(),
///     name: "Report of July".into(),
///     mime: Some("text/markdown".into()),
/// };
/// let outcome = Outcome::new().text("Sales rose by 4 %.").content(chart).content(report);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Content {
    /// More text.
    Text(String),
    /// An image.
    Image {
        /// Its bytes.
        bytes: Vec<u8>,
        /// Its type, such as `image/png`.
        mime: String,
    },
    /// Audio.
    Audio {
        /// Its bytes.
        bytes: Vec<u8>,
        /// Its type, such as `audio/wav`.
        mime: String,
    },
    /// An embedded resource.
    Resource {
        /// Its URI.
        uri: String,
        /// Its type.
        mime: String,
        /// Its text.
        text: String,
    },
    /// A link to a resource.
    Link {
        /// Its URI.
        uri: String,
        /// Its name.
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

/// What a handler may return: [`Data`], text, both as a tuple, `()`, an [`Outcome`],
/// [components](crate::components), a [`Reply`], or a `Result` of any of these.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a valid result of a tool",
    note = "a tool returns `Data<T>`, text, `(text, Data<T>)`, `Outcome`, a `Card`, `()`, or a `Result` of \
            these with `ToolError`",
    note = "the `T` of `Data<T>` must derive `serde::Serialize` and `schemars::JsonSchema`"
)]
pub trait Output {
    /// The schema of the data, if its type has one.
    fn schema() -> Option<Value> {
        None
    }

    /// Whether it can have data, which a widget requires.
    #[doc(hidden)]
    fn has_data() -> bool {
        true
    }

    /// Whether it can be a view built from components.
    #[doc(hidden)]
    fn is_components() -> bool {
        false
    }

    /// Converts the value into the parts of a result.
    fn into_outcome(self) -> Result<Outcome, ToolError>;
}

impl Output for Outcome {
    fn into_outcome(mut self) -> Result<Outcome, ToolError> {
        match self.failed.take() {
            Some(error) => Err(error),
            None => Ok(self),
        }
    }
}

/// A result created elsewhere, such as by
/// [`Catalog::hydrate_for_tool_result`](crate::Catalog::hydrate_for_tool_result): it is sent
/// unchanged.
impl Output for Reply {
    fn into_outcome(self) -> Result<Outcome, ToolError> {
        Ok(Outcome { reply: Some(Box::new(self)), ..Outcome::new() })
    }
}

impl Output for () {
    fn has_data() -> bool {
        false
    }

    fn into_outcome(self) -> Result<Outcome, ToolError> {
        Ok(Outcome::new())
    }
}

impl Output for String {
    fn has_data() -> bool {
        false
    }

    fn into_outcome(self) -> Result<Outcome, ToolError> {
        Ok(Outcome::new().text(self))
    }
}

impl Output for &'static str {
    fn has_data() -> bool {
        false
    }

    fn into_outcome(self) -> Result<Outcome, ToolError> {
        Ok(Outcome::new().text(self))
    }
}

impl<T: Serialize + JsonSchema> Output for Data<T> {
    fn schema() -> Option<Value> {
        Some(crate::declaration::schema::output_of::<T>())
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

/// Views made of components; the model reads their text.
macro_rules! roots {
    ($($root:ident)*) => {$(
        impl Output for $root {
            fn is_components() -> bool {
                true
            }

            fn into_outcome(self) -> Result<Outcome, ToolError> {
                Outcome::new().components(self).into_outcome()
            }
        }
    )*};
}
roots!(Card ListView Basic);

impl<T: Output, E: Into<ToolError>> Output for Result<T, E> {
    fn has_data() -> bool {
        T::has_data()
    }

    fn is_components() -> bool {
        T::is_components()
    }

    fn schema() -> Option<Value> {
        T::schema()
    }

    fn into_outcome(self) -> Result<Outcome, ToolError> {
        self.map_err(Into::into)?.into_outcome()
    }
}
