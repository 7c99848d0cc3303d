//! A tool: a name, schemas, a handler, and how its results are shown.

use std::time::Duration;

use schemars::JsonSchema;
use serde_json::{Map, Value};
use widgetcast_core::Surface;
pub use widgetcast_core::Visibility;

use super::access::{Access, access_setters};
use super::extract::Need;
use super::handler::{Erased, Handler, ToolResult, erase};
use super::hook::{Around, Call, Next, nest};
use super::outcome::{Outcome, Output};
use crate::components;
use crate::declaration::schema::output_of;

/// A tool: an async function with metadata.
///
/// ```
/// use widgetcast::{App, Data, Tool, ToolError};
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Order {
///     /// The number on the receipt
///     id: u32,
/// }
///
/// #[derive(serde::Serialize, schemars::JsonSchema)]
/// struct Parcel {
///     place: String,
/// }
///
/// async fn track(order: Order) -> Result<(String, Data<Parcel>), ToolError> {
///     if order.id == 0 {
///         return Err(ToolError::public("unknown order; ask for the number on the receipt"));
///     }
///     Ok((format!("Order {} is in Bern", order.id), Data(Parcel { place: "Bern".into() })))
/// }
///
/// let app = App::new("shop", "1.0.0")
///     .tool(Tool::new("track", track).description("Where a parcel is").read_only())
///     .build()?;
/// # Ok::<(), widgetcast::BuildError>(())
/// ```
#[derive(Clone)]
pub struct Tool {
    pub(crate) name: String,
    pub(crate) title: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) input: Value,
    pub(crate) output: Option<Value>,
    pub(crate) handler: Erased<Outcome>,
    pub(crate) needs: Vec<Need>,
    pub(crate) access: Access,
    pub(crate) annotations: Map<String, Value>,
    pub(crate) visibility: Visibility,
    pub(crate) invoking: Option<String>,
    pub(crate) invoked: Option<String>,
    pub(crate) file_params: Vec<String>,
    pub(crate) widget: Option<String>,
    /// Widgets that a result may choose.
    pub(crate) widgets: Vec<String>,
    /// Whether results may have data.
    pub(crate) has_data: bool,
    /// Whether the output schema is derived from the handler's return type.
    pub(crate) is_output_of_handler: bool,
    /// Host templates, by the name of the surface.
    pub(crate) host_templates: Vec<(String, String)>,
    pub(crate) page: Option<String>,
    pub(crate) meta: Map<String, Value>,
    pub(crate) sample: Option<Value>,
    pub(crate) timeout: Option<Duration>,
    /// Its running calls.
    pub(crate) max_calls: Option<usize>,
    pub(crate) task: TaskUse,
    pub(crate) task_required: bool,
    pub(crate) icons: Vec<String>,
    /// Hooks around its calls, inside those of the app.
    pub(crate) around: Option<Around>,
}

/// Whether calls become tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TaskUse {
    Never,
    /// As soon as they await something.
    AtOnce,
    /// When the handler requests it.
    Later,
}

impl Tool {
    /// Creates a tool. The input and output types of the function define the schemas.
    pub fn new<M, H>(name: impl Into<String>, handler: H) -> Self
    where
        H: Handler<M>,
        H::Output: Output,
    {
        let tool = Self {
            name: name.into(),
            title: None,
            description: None,
            input: H::input(),
            output: H::Output::schema(),
            handler: erase(handler, Output::into_outcome),
            needs: H::needs(),
            access: Access::default(),
            annotations: Map::new(),
            visibility: Visibility::default(),
            invoking: None,
            invoked: None,
            file_params: Vec::new(),
            widget: None,
            widgets: Vec::new(),
            has_data: H::Output::has_data(),
            is_output_of_handler: true,
            host_templates: Vec::new(),
            page: None,
            meta: Map::new(),
            sample: None,
            timeout: None,
            max_calls: None,
            task: TaskUse::Never,
            task_required: false,
            icons: Vec::new(),
            around: None,
        };
        if H::Output::is_components() { tool.components() } else { tool }
    }

    /// Sets the input schema by hand, for handlers that take a `serde_json::Value`, or if the type is not
    /// specific enough.
    pub fn input_schema(mut self, schema: Value) -> Self {
        self.input = schema;
        self
    }

    /// Sets the output schema by hand.
    pub fn output_schema(mut self, schema: Value) -> Self {
        self.output = Some(schema);
        self.is_output_of_handler = false;
        self
    }

    /// Sets the output schema by type, for handlers that return an [`Outcome`](crate::Outcome).
    pub fn output_type<T: JsonSchema>(self) -> Self {
        self.output_schema(output_of::<T>())
    }

    /// Sets the description for the model: what the tool does. It defaults to the doc comment of the
    /// input type, or else to the description of the widget.
    pub fn description(mut self, text: impl Into<String>) -> Self {
        self.description = Some(text.into());
        self
    }

    /// Sets the display name.
    pub fn title(mut self, text: impl Into<String>) -> Self {
        self.title = Some(text.into());
        self
    }

    /// Marks it as read-only. Hosts may then call it without asking the user.
    pub fn read_only(self) -> Self {
        self.annotate("readOnlyHint", true).annotate("destructiveHint", false)
    }

    /// Marks it as destructive: it may delete or overwrite data.
    pub fn destructive(mut self, destructive: bool) -> Self {
        self.annotations.entry("readOnlyHint").or_insert(false.into());
        self.annotate("destructiveHint", destructive)
    }

    /// Marks it as idempotent.
    pub fn idempotent(self) -> Self {
        self.annotate("idempotentHint", true)
    }

    /// Sets whether it interacts with external systems.
    pub fn open_world(self, open: bool) -> Self {
        self.annotate("openWorldHint", open)
    }

    pub(crate) fn is_read_only(&self) -> bool {
        self.annotations.get("readOnlyHint") == Some(&Value::Bool(true))
    }

    /// The display name: the title, or else the name as text.
    pub(crate) fn shown_name(&self) -> String {
        self.title.clone().unwrap_or_else(|| {
            let words = self.name.replace(['_', '-', '.'], " ");
            let mut letters = words.chars();
            letters
                .next()
                .map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
        })
    }

    /// The missing hints that app directories require.
    pub(crate) fn missing_hints(&self) -> impl Iterator<Item = &'static str> {
        let hints = ["readOnlyHint", "destructiveHint", "openWorldHint"];
        hints.into_iter().filter(|hint| !self.annotations.contains_key(*hint))
    }

    fn annotate(mut self, hint: &str, value: bool) -> Self {
        self.annotations.insert(hint.into(), value.into());
        self
    }

    /// Sets who may call it: by default both the model and views.
    ///
    /// ```
    /// use widgetcast::{App, Tool, Visibility};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let page = Tool::new("next_page", async || "page 2").visibility(Visibility::App);
    /// let app = App::new("shop", "1.0.0").tool(page).build()?;
    /// assert!(app.test().tool_names().await?.is_empty()); // a client without views
    /// assert!(app.test().as_host("claude").tool_names().await?.contains(&"next_page".to_owned()));
    /// # Ok(())
    /// # }
    /// ```
    pub fn visibility(mut self, visibility: Visibility) -> Self {
        self.visibility = visibility;
        self
    }

    /// Sets the status messages while it runs and after it has run.
    pub fn messages(mut self, invoking: impl Into<String>, invoked: impl Into<String>) -> Self {
        self.invoking = Some(invoking.into());
        self.invoked = Some(invoked.into());
        self
    }

    /// Declares an argument as a file.
    pub fn file_param(mut self, name: impl Into<String>) -> Self {
        self.file_params.push(name.into());
        self
    }

    /// Sets the widget that shows its data.
    pub fn widget(mut self, name: impl Into<String>) -> Self {
        self.widget = Some(name.into());
        self
    }

    /// Sets the widgets that a result can choose from ([`Outcome::widget`]). A result that chooses none is
    /// shown by [`Tool::widget`], if set.
    pub fn widgets<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.widgets.extend(names.into_iter().map(Into::into));
        self
    }

    /// Overrides the widget's host template for a surface (`slack-blocks`, `slack-work-object` or
    /// `adaptive-card`). `template` is the name of the template file without `.yml`.
    pub fn host_template(mut self, surface: &str, template: impl Into<String>) -> Self {
        self.host_templates.push((surface.to_owned(), template.into()));
        self
    }

    /// Declares that results may contain [`Outcome::components`](crate::Outcome::components). Not needed if
    /// the handler returns a component.
    pub fn components(mut self) -> Self {
        if !self.has_components() {
            self.widgets.push(components::WIDGET.to_owned());
        }
        self
    }

    fn has_components(&self) -> bool {
        self.widgets.iter().any(|widget| widget == components::WIDGET)
    }

    /// Sets the custom page that shows its data.
    pub fn page(mut self, name: impl Into<String>) -> Self {
        self.page = Some(name.into());
        self
    }

    /// Sets sample arguments for the gallery; by default, they are generated from the schema. If a
    /// read-only tool has a sample, the gallery's home page calls it and shows the result.
    pub fn sample(mut self, arguments: Value) -> Self {
        self.sample = Some(arguments);
        self
    }

    /// Sets the timeout of a call, instead of the app's `call_timeout`. Waiting for the client does not
    /// count.
    pub fn timeout(mut self, limit: Duration) -> Self {
        self.timeout = Some(limit);
        self
    }

    /// Limits the concurrent calls of this tool, instead of `quotas.max_calls_per_tool`; 0 for no limit.
    /// Further calls get 429 with `Retry-After`.
    pub fn max_calls(mut self, most: usize) -> Self {
        self.max_calls = Some(most);
        self
    }

    /// Runs calls in the background: a client that supports tasks (an extension of 2026-07-28) gets a
    /// task as soon as the handler awaits something, and polls for the result; it can cancel the task and
    /// respond to its elicitations. Other clients wait for the result as usual.
    ///
    /// A task exists only in the process that runs it, and expires half an hour after the timeout.
    ///
    /// ```
    /// use std::time::Duration;
    /// use widgetcast::{Ctx, Tool};
    ///
    /// async fn export(ctx: Ctx) -> String {
    ///     for done in 1..=100 {
    ///         ctx.progress((done, 100), "exporting").await; // the status message of the task
    ///         tokio::time::sleep(Duration::from_millis(10)).await;
    ///     }
    ///     "exported".into()
    /// }
    /// let export = Tool::new("export", export).task().timeout(Duration::from_secs(600));
    /// ```
    pub fn task(mut self) -> Self {
        self.task = TaskUse::AtOnce;
        self
    }

    /// Like [`Tool::task`], but the call becomes a task only when the handler calls
    /// [`Ctx::become_task`](crate::Ctx::become_task).
    pub fn task_later(mut self) -> Self {
        self.task = TaskUse::Later;
        self
    }

    /// Rejects clients that do not support tasks.
    pub fn task_required(mut self) -> Self {
        self.task_required = true;
        self
    }

    /// Adds an icon: an `https:` or `data:` URL. Repeat for several formats; hosts pick one.
    pub fn icon(mut self, address: impl Into<String>) -> Self {
        self.icons.push(address.into());
        self
    }

    /// Adds a hook around its calls, inside those of [`Builder::around`](crate::Builder::around). The first
    /// hook is the outermost.
    ///
    /// ```
    /// use widgetcast::{Tool, ToolError};
    /// use widgetcast::middleware::{Call, Next};
    /// # async fn refund() -> String { "refunded".into() }
    /// let refund = Tool::new("refund", refund).around(async |call: Call, next: Next| {
    ///     tracing::info!(caller = call.ctx.caller().map(|caller| caller.subject()), "refund");
    ///     next.run(call).await
    /// });
    /// ```
    pub fn around<F, R>(mut self, hook: F) -> Self
    where
        F: Fn(Call, Next) -> R + Send + Sync + 'static,
        R: Future<Output = ToolResult> + Send + 'static,
    {
        self.around = Some(nest(self.around.take(), hook));
        self
    }

    /// All widgets that may show its results.
    pub(crate) fn shown_widgets(&self) -> impl Iterator<Item = &str> {
        self.widget.iter().chain(&self.widgets).map(String::as_str)
    }

    /// Whether it has a host template for this surface.
    pub(crate) fn names_template(&self, surface: &Surface) -> bool {
        let is_it = |name: &str| Surface::find(name).is_some_and(|one| one.name == surface.name);
        self.host_templates.iter().any(|(name, _)| is_it(name))
    }

    pub(crate) fn has_widget(&self) -> bool {
        self.shown_widgets().next().is_some()
    }

    /// Adds an entry to the tool's `_meta`.
    pub fn meta(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.meta.insert(key.into(), value.into());
        self
    }
}

access_setters!(Tool, "call");

impl std::fmt::Debug for Tool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tool").field("name", &self.name).finish_non_exhaustive()
    }
}
