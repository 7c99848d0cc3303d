//! Prompts: messages that users pick in the host and send to the model.

use serde_json::{Map, Value, json};

use super::access::{Access, access_setters};
#[cfg(doc)]
use super::complete::Typed;
use super::complete::{Completers, IntoValues};
use super::extract::Need;
use super::handler::{Erased, Handler, erase};
use super::outcome::Content;
use super::tool_error::ToolError;

/// One message of a prompt.
///
/// ```
/// use widgetcast::{Message, Prompt};
///
/// async fn greet() -> Vec<Message> {
///     vec![
///         Message::user("Be brief."),
///         Message::assistant("I will."),
///         Message::user("What is new in the shop?"),
///     ]
/// }
/// let prompt = Prompt::new("greet", greet);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    role: &'static str,
    content: Content,
}

impl Message {
    /// A message with the role `user`.
    pub fn user(content: impl Into<Content>) -> Self {
        Self { role: "user", content: content.into() }
    }

    /// A message with the role `assistant`.
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

/// The untyped arguments of a prompt: strings by name.
///
/// ```
/// use widgetcast::Prompt;
/// use widgetcast::handler::Arguments;
///
/// async fn echo(arguments: Arguments) -> String {
///     format!("Say {}", arguments.values().filter_map(|value| value.as_str()).collect::<String>())
/// }
/// let echo = Prompt::new("echo", echo);
/// ```
pub type Arguments = Map<String, Value>;

/// What the handler of a [`Prompt`](crate::Prompt) may return: messages, one message, text of the user, or a
/// `Result` of these.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a valid result of a prompt",
    note = "a prompt returns `Vec<Message>`, `Message`, text, or a `Result` of these with `ToolError`"
)]
pub trait IntoMessages {
    /// The messages.
    fn into_messages(self) -> Result<Vec<Message>, ToolError>;
}

impl IntoMessages for Vec<Message> {
    fn into_messages(self) -> Result<Vec<Message>, ToolError> {
        Ok(self)
    }
}

impl IntoMessages for Message {
    fn into_messages(self) -> Result<Vec<Message>, ToolError> {
        Ok(vec![self])
    }
}

impl IntoMessages for String {
    fn into_messages(self) -> Result<Vec<Message>, ToolError> {
        Ok(vec![Message::user(self)])
    }
}

impl IntoMessages for &'static str {
    fn into_messages(self) -> Result<Vec<Message>, ToolError> {
        Ok(vec![Message::user(self)])
    }
}

impl<T: IntoMessages, E: Into<ToolError>> IntoMessages for Result<T, E> {
    fn into_messages(self) -> Result<Vec<Message>, ToolError> {
        self.map_err(Into::into)?.into_messages()
    }
}

/// A prompt: a [`Handler`] that returns messages. Its input type defines the arguments; clients send
/// strings, which are parsed into numbers and booleans where the type requires them.
///
/// ```
/// use widgetcast::{Message, Prompt};
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Review {
///     /// What to review
///     code: String,
///     /// How many findings at most
///     most: Option<u32>,
/// }
///
/// async fn review(review: Review) -> Vec<Message> {
///     let most = review.most.unwrap_or(5);
///     vec![Message::user(format!("Find at most {most} mistakes in this code:\n{}", review.code))]
/// }
///
/// let review = Prompt::new("review", review).description("Looks for mistakes");
/// ```
#[derive(Clone)]
pub struct Prompt {
    pub(crate) name: String,
    title: Option<String>,
    pub(crate) description: Option<String>,
    /// The schema of the arguments.
    pub(crate) input: Value,
    pub(crate) handler: Erased<Vec<Message>>,
    pub(crate) needs: Vec<Need>,
    pub(crate) access: Access,
    pub(crate) completers: Completers,
}

impl Prompt {
    /// Creates a prompt.
    pub fn new<M, H>(name: impl Into<String>, handler: H) -> Self
    where
        H: Handler<M>,
        H::Output: IntoMessages,
    {
        Self {
            name: name.into(),
            title: None,
            description: None,
            input: H::input(),
            handler: erase(handler, IntoMessages::into_messages),
            needs: H::needs(),
            access: Access::default(),
            completers: Completers::default(),
        }
    }

    /// Sets the display name.
    pub fn title(mut self, text: impl Into<String>) -> Self {
        self.title = Some(text.into());
        self
    }

    /// Sets the description; it defaults to the doc comment of the input type.
    pub fn description(mut self, text: impl Into<String>) -> Self {
        self.description = Some(text.into());
        self
    }

    /// Declares an argument of a handler that takes untyped [`Arguments`]: its name, its description, and
    /// whether it is required.
    ///
    /// ```
    /// use widgetcast::Prompt;
    /// use widgetcast::handler::Arguments;
    ///
    /// async fn translate(arguments: Arguments) -> String {
    ///     let argument = |name: &str| arguments[name].as_str().unwrap_or_default();
    ///     format!("Translate into {}: {}", argument("language"), argument("text"))
    /// }
    /// let prompt = Prompt::new("translate", translate)
    ///     .argument("language", "The target language", true)
    ///     .argument("text", "The text to translate", true);
    /// ```
    pub fn argument(
        mut self,
        name: impl Into<String>,
        description: impl Into<String>,
        required: bool,
    ) -> Self {
        let name = name.into();
        if required {
            match self.input["required"].as_array_mut() {
                Some(names) => names.push(json!(name)),
                None => self.input["required"] = json!([name]),
            }
        }
        self.input["properties"][name] =
            json!({ "type": "string", "description": description.into() });
        self
    }

    /// Completes an argument while the user types: a [`Handler`] of [`Typed`].
    pub fn complete<M, H>(mut self, argument: impl Into<String>, handler: H) -> Self
    where
        H: Handler<M>,
        H::Output: IntoValues,
    {
        self.needs.extend(self.completers.insert(argument.into(), handler));
        self
    }

    pub(crate) fn to_json(&self) -> Value {
        let required = self.input["required"].as_array();
        let is_required =
            |name: &str| required.is_some_and(|all| all.iter().any(|one| one == name));
        let properties = self.input["properties"].as_object().into_iter().flatten();
        let arguments: Vec<Value> = properties
            .map(|(name, schema)| {
                let mut argument = json!({ "name": name });
                for key in ["title", "description"] {
                    if let Some(text) = schema.get(key) {
                        argument[key] = text.clone();
                    }
                }
                argument["required"] = is_required(name).into();
                argument
            })
            .collect();
        let mut out = json!({ "name": self.name });
        for (key, text) in [("title", &self.title), ("description", &self.description)] {
            if let Some(text) = text {
                out[key] = json!(text);
            }
        }
        if !arguments.is_empty() {
            out["arguments"] = json!(arguments);
        }
        out
    }
}

access_setters!(Prompt, "use");

impl std::fmt::Debug for Prompt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Prompt").field("name", &self.name).finish_non_exhaustive()
    }
}
