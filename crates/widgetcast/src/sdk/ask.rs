//! Requests to the client while a handler runs: elicitation, sampling and roots.

use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_util::future::BoxFuture;
use schemars::JsonSchema;
use serde::Deserialize as _;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use widgetcast_core::Schema;

use super::context::Ctx;
use super::sampling::{Sampled, Sampling};
use super::tool_error::ToolError;
use crate::call::round::{Question, Unanswered};
use crate::declaration::form::form_of;
use crate::declaration::schema::input_of;

/// The user's response to an elicitation.
///
/// ```
/// use serde_json::json;
/// use widgetcast::client::Answer;
/// use widgetcast::{App, Ctx, Tool, ToolError};
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Size {
///     /// From 36 to 46
///     size: u8,
/// }
///
/// async fn order(ctx: Ctx) -> Result<String, ToolError> {
///     Ok(match ctx.elicit::<Size>("Which size?").answer().await? {
///         Answer::Accepted(Size { size }) => format!("ordered in size {size}"),
///         Answer::Declined => "nothing ordered".into(),
///         Answer::Cancelled => "ask again later".into(),
///     })
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let app = App::new("shoes", "1.0.0").tool(Tool::new("order", order)).build()?;
/// let client = app.test().on_elicit(|_| Some(json!({ "size": 41 })));
/// assert_eq!(client.call("order", json!({})).await?.text(), "ordered in size 41");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer<T> {
    /// The user submitted the form.
    Accepted(T),
    /// The user declined.
    Declined,
    /// The user closed the form without a choice.
    Cancelled,
}

impl<T> Answer<T> {
    /// The submitted value, if any.
    pub fn accepted(self) -> Option<T> {
        match self {
            Self::Accepted(value) => Some(value),
            Self::Declined | Self::Cancelled => None,
        }
    }
}

/// A directory or file that the client exposes to the server.
///
/// ```
/// use widgetcast::{Ctx, ToolError, client::Root};
///
/// async fn workspaces(ctx: Ctx) -> Result<String, ToolError> {
///     let roots: Vec<Root> = ctx.roots().await?;
///     Ok(roots.into_iter().map(|root| root.uri).collect::<Vec<_>>().join("\n"))
/// }
/// # let _ = widgetcast::Tool::new("workspaces", workspaces);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
#[non_exhaustive]
pub struct Root {
    /// The URI: `file://…`.
    pub uri: String,
    /// The display name.
    #[serde(default)]
    pub name: Option<String>,
}

/// In revision 2026-07-28, a handler runs again from its start when the response arrives, so anything it does
/// before must be idempotent.
impl Ctx {
    /// Asks the user to fill in a form generated from the fields of the type: strings, numbers, booleans
    /// and enums. Returns `None` if the user declines or closes it; [`Elicit::answer`] distinguishes the
    /// two.
    ///
    /// ```
    /// use widgetcast::{Ctx, Tool, ToolError};
    ///
    /// #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// struct Confirm {
    ///     /// Whether to include closed tickets
    ///     all: bool,
    /// }
    ///
    /// #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// struct Nothing {}
    ///
    /// async fn export(ctx: Ctx, _: Nothing) -> Result<String, ToolError> {
    ///     let Some(confirm) = ctx.elicit::<Confirm>("Export the tickets?").await? else {
    ///         return Err(ToolError::public("not confirmed"));
    ///     };
    ///     Ok(if confirm.all { "all of them" } else { "the open ones" }.into())
    /// }
    /// let tool = Tool::new("export", export);
    /// ```
    pub fn elicit<T: DeserializeOwned + JsonSchema>(
        &self,
        message: impl Into<String>,
    ) -> Elicit<T> {
        let asking = Asking { ctx: self.clone(), message: message.into(), key: None, schema: None };
        Elicit { asking: Some(asking), running: None, of: PhantomData }
    }

    /// Asks the user to open a URL, for example to log in. The response only means that the user agreed to
    /// open it, not that anything happened there.
    ///
    /// ```
    /// use widgetcast::client::Answer;
    /// use widgetcast::{Ctx, ToolError};
    ///
    /// async fn connect(ctx: Ctx) -> Result<String, ToolError> {
    ///     let url = "https://shop.example.com/connect";
    ///     match ctx.elicit_url("Connect your account", url).await? {
    ///         Answer::Accepted(()) => Ok("call again when you are connected".into()),
    ///         _ => Err(ToolError::public("not connected")),
    ///     }
    /// }
    /// # let _ = widgetcast::Tool::new("connect", connect);
    /// ```
    pub async fn elicit_url(
        &self,
        message: impl Into<String>,
        url: impl Into<String>,
    ) -> Result<Answer<()>, ToolError> {
        self.need(self.can_elicit_url(), &json!({ "elicitation": { "url": {} } }))?;
        let mut params = json!({ "mode": "url", "message": message.into(), "url": url.into() });
        if !self.line().is_modern() {
            params["elicitationId"] = json!(format!("{:032x}", rand::random::<u128>()));
        }
        let given = self.ask(None, "elicitation/create", params).await?;
        read_action(&given, |_| Ok(()))
    }

    /// Samples the client's model.
    ///
    /// ```
    /// use widgetcast::client::Sampling;
    /// use widgetcast::{Ctx, ToolError};
    ///
    /// async fn title(ctx: Ctx) -> Result<String, ToolError> {
    ///     if !ctx.can_sample() {
    ///         return Ok("Untitled".into());
    ///     }
    ///     let request = Sampling::from("A title for an export, without quotes").max_tokens(20);
    ///     Ok(ctx.sample(request).await?.text())
    /// }
    /// # let _ = widgetcast::Tool::new("title", title);
    /// ```
    pub async fn sample(&self, request: impl Into<Sampling>) -> Result<Sampled, ToolError> {
        let mut request = request.into();
        self.need(self.can_sample(), &json!({ "sampling": {} }))?;
        let key = request.key.take();
        let given = self.ask(key, "sampling/createMessage", request.into_params()).await?;
        Sampled::deserialize(given).map_err(|error| unreadable(&error))
    }

    /// The directories and files that the client exposes to the server.
    pub async fn roots(&self) -> Result<Vec<Root>, ToolError> {
        #[derive(serde::Deserialize)]
        struct Roots {
            roots: Vec<Root>,
        }
        self.need(self.has_roots(), &json!({ "roots": {} }))?;
        let given = self.ask(None, "roots/list", json!({})).await?;
        let Roots { roots } = Roots::deserialize(given).map_err(|error| unreadable(&error))?;
        Ok(roots)
    }

    /// Returns a task to the client and continues in the background, if the tool is
    /// [`Tool::task_later`](crate::Tool::task_later) and the client supports tasks. Later elicitations
    /// belong to the task instead of the request. Returns false if the call continues as a plain call.
    ///
    /// ```
    /// use widgetcast::{Ctx, Tool};
    ///
    /// # async fn cached() -> Option<String> { None }
    /// # async fn compute() -> String { "42".into() }
    /// async fn answer(ctx: Ctx) -> String {
    ///     match cached().await {
    ///         Some(answer) => answer, // a plain call
    ///         None => {
    ///             ctx.become_task().await; // from here on in the background
    ///             compute().await
    ///         }
    ///     }
    /// }
    /// let answer = Tool::new("answer", answer).task_later();
    /// ```
    pub async fn become_task(&self) -> bool {
        let is_task = self.line().begin_task();
        if is_task {
            tokio::task::yield_now().await;
        }
        is_task
    }

    /// Whether the client supports elicitation with a form.
    pub fn can_elicit(&self) -> bool {
        // Without any mode, the client supports the original one.
        let modes = self.capabilities().get("elicitation").and_then(Value::as_object);
        modes.is_some_and(|modes| modes.contains_key("form") || !modes.contains_key("url"))
    }

    /// Whether the client supports elicitation with a URL.
    pub fn can_elicit_url(&self) -> bool {
        let modes = self.capabilities().get("elicitation");
        modes.is_some_and(|modes| modes.get("url").is_some())
    }

    /// Whether the client supports sampling.
    pub fn can_sample(&self) -> bool {
        self.capabilities().get("sampling").is_some()
    }

    /// Whether the client exposes roots.
    pub fn has_roots(&self) -> bool {
        self.capabilities().get("roots").is_some()
    }

    fn need(&self, can: bool, capabilities: &Value) -> Result<(), ToolError> {
        match can {
            true => Ok(()),
            false => Err(ToolError::missing(capabilities.clone())),
        }
    }

    async fn ask(
        &self,
        key: Option<String>,
        method: &'static str,
        params: Value,
    ) -> Result<Value, ToolError> {
        let question = Question { key, method, params };
        let answer = match self.line().is_modern() {
            true if self.line().is_task() => self.line().park(question).await,
            true => match self.line().look_up(question) {
                Ok(Some(answer)) => Ok(answer),
                Ok(None) => {
                    // The call ends here, and cancels what it has spawned.
                    self.cancelled().await;
                    Err(Unanswered::Closed)
                }
                Err(error) => Err(error),
            },
            false => self.line().request(question).await,
        };
        answer.map_err(|error| match error {
            Unanswered::Closed => {
                ToolError::public("requests to the client are not possible on this connection")
            }
            Unanswered::TooMany => ToolError::public("too many pending requests to the client"),
            Unanswered::TooLate => ToolError::public("the client did not respond in time"),
            Unanswered::Refused(words) => {
                ToolError::public(format!("the client returned an error: {words}"))
            }
        })
    }
}

/// An elicitation, sent when it is awaited.
///
/// ```
/// use widgetcast::client::Elicit;
/// use widgetcast::{Ctx, ToolError};
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Size {
///     size: u8,
/// }
///
/// async fn order(ctx: Ctx) -> Result<String, ToolError> {
///     let question: Elicit<Size> = ctx.elicit("Which size?").key("size");
///     Ok(match question.await? {
///         Some(Size { size }) => format!("ordered in size {size}"),
///         None => "nothing ordered".into(),
///     })
/// }
/// # let _ = widgetcast::Tool::new("order", order);
/// ```
#[must_use = "the request is not sent until it is awaited"]
pub struct Elicit<T> {
    /// `None` once it is sent.
    asking: Option<Asking>,
    running: Option<BoxFuture<'static, Result<Answer<Value>, ToolError>>>,
    of: PhantomData<fn() -> T>,
}

struct Asking {
    ctx: Ctx,
    message: String,
    key: Option<String>,
    schema: Option<Value>,
}

impl<T: DeserializeOwned + JsonSchema> Elicit<T> {
    /// Names this question. In revision 2026-07-28, a handler that runs again gets the answer by this name,
    /// even if the text of the question has changed; without a name, a changed question is asked again. The
    /// client sees the name.
    pub fn key(mut self, key: impl Into<String>) -> Self {
        if let Some(asking) = &mut self.asking {
            asking.key = Some(key.into());
        }
        self
    }

    /// Sets the form by hand, as a `requestedSchema`, instead of generating it from the type.
    pub fn schema(mut self, schema: Value) -> Self {
        if let Some(asking) = &mut self.asking {
            asking.schema = Some(schema);
        }
        self
    }

    /// Asks, and distinguishes between declining and closing the form.
    pub async fn answer(mut self) -> Result<Answer<T>, ToolError> {
        std::future::poll_fn(|context| self.poll_answer(context)).await
    }

    fn poll_answer(&mut self, context: &mut Context<'_>) -> Poll<Result<Answer<T>, ToolError>> {
        let asking = &mut self.asking;
        let modern = asking.as_ref().is_some_and(|asking| asking.ctx.line().is_modern());
        let running = self.running.get_or_insert_with(|| match asking.take() {
            Some(asking) => Box::pin(asking.ask(form_of(&input_of::<T>(), modern))),
            None => Box::pin(std::future::pending()),
        });
        running.as_mut().poll(context).map(|answer| {
            Ok(match answer? {
                Answer::Accepted(content) => Answer::Accepted(read(content)?),
                Answer::Declined => Answer::Declined,
                Answer::Cancelled => Answer::Cancelled,
            })
        })
    }
}

impl<T: DeserializeOwned + JsonSchema> Future for Elicit<T> {
    type Output = Result<Option<T>, ToolError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        self.poll_answer(context).map_ok(Answer::accepted)
    }
}

impl<T> std::fmt::Debug for Elicit<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Elicit").finish_non_exhaustive()
    }
}

impl Asking {
    /// `form` is derived from the type, unless it is written by hand.
    async fn ask(self, form: Result<Value, String>) -> Result<Answer<Value>, ToolError> {
        let Self { ctx, message, key, schema } = self;
        ctx.need(ctx.can_elicit(), &json!({ "elicitation": {} }))?;
        let form = schema.map_or(form, Ok)?;
        let params = json!({ "message": message, "requestedSchema": &form });
        let given = ctx.ask(key, "elicitation/create", params).await?;
        read_action(&given, |content| {
            let content = content.cloned().unwrap_or_else(|| json!({}));
            // Not every client validates the response against the form.
            let schema = Schema::compile(&form).map_err(|error| error.to_string())?;
            match schema.validate(&content) {
                Ok(()) => Ok(content),
                Err(violations) => Err(ToolError::public(format!(
                    "the client's response does not match the form:\n{violations}"
                ))),
            }
        })
    }
}

/// The action of a response, and its content if it is accepted.
fn read_action<T>(
    given: &Value,
    read: impl FnOnce(Option<&Value>) -> Result<T, ToolError>,
) -> Result<Answer<T>, ToolError> {
    match given["action"].as_str() {
        Some("accept") => Ok(Answer::Accepted(read(given.get("content"))?)),
        Some("decline") => Ok(Answer::Declined),
        Some("cancel") => Ok(Answer::Cancelled),
        _ => Err(unreadable(&"action is missing")),
    }
}

fn read<T: DeserializeOwned>(content: Value) -> Result<T, ToolError> {
    serde_json::from_value(content).map_err(|error| unreadable(&error))
}

fn unreadable(error: &dyn std::fmt::Display) -> ToolError {
    ToolError::public(format!("invalid response from the client: {error}"))
}
