//! Hooks: functions around every call of a tool, and guards before every request.
//!
//! A hook is one function around the call, not a before and an after: what both need is a local variable.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use serde_json::Value;

use super::caller::Caller;
use super::context::Ctx;
use super::handler::ToolResult;
use super::peer::Peer;
use super::refusal::Refusal;

/// A tool call, as passed to hooks: see [`Builder::around`](crate::Builder::around).
///
/// ```
/// use widgetcast::middleware::{Call, Next};
/// use widgetcast::{App, Tool};
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Search {
///     query: String,
/// }
///
/// async fn search(search: Search) -> String {
///     format!("results for {:?}", search.query)
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let search = Tool::new("search", search).around(async |mut call: Call, next: Next| {
///     if let Some(query) = call.arguments["query"].as_str().map(str::to_lowercase) {
///         call.arguments["query"] = query.into();
///     }
///     next.run(call).await
/// });
/// let app = App::new("helpdesk", "1.0.0").tool(search).build()?;
/// let result = app.test().call("search", serde_json::json!({ "query": "Printer" })).await?;
/// assert_eq!(result.text(), "results for \"printer\"");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Call {
    /// The tool. A hook that changes it fails the call.
    pub tool: String,
    /// The arguments. They match the tool's schema, and must still match if a hook changes them.
    pub arguments: Value,
    /// The context of the call.
    pub ctx: Ctx,
}

/// A request of any method, as passed to guards: see [`Builder::guard`](crate::Builder::guard).
///
/// ```
/// use widgetcast::App;
/// use widgetcast::auth::Refusal;
/// use widgetcast::middleware::Incoming;
///
/// async fn staff_only(request: Incoming) -> Result<(), Refusal> {
///     let is_staff = request.caller().is_some_and(|caller| caller.has_scope("staff"));
///     match (request.method(), request.target()) {
///         ("resources/read", Some(uri)) if uri.starts_with("report://") && !is_staff => {
///             Err(Refusal::forbidden(["staff"]))
///         }
///         _ => Ok(()),
///     }
/// }
///
/// let app = App::new("shop", "1.0.0").guard(staff_only);
/// ```
#[derive(Clone, Debug)]
pub struct Incoming {
    pub(crate) method: String,
    pub(crate) target: Option<String>,
    pub(crate) caller: Option<Caller>,
    pub(crate) peer: Peer,
    pub(crate) is_view_state: bool,
}

impl Incoming {
    /// The method, such as `tools/call`, `resources/read` or `tools/list`.
    pub fn method(&self) -> &str {
        &self.method
    }

    /// The name of the tool or prompt, the URI of the resource, or the id of the task. For a completion,
    /// the prompt or resource that it belongs to.
    pub fn target(&self) -> Option<&str> {
        self.target.as_deref()
    }

    /// The authenticated caller.
    pub fn caller(&self) -> Option<&Caller> {
        self.caller.as_ref()
    }

    /// The peer that sent the request.
    pub fn peer(&self) -> Peer {
        self.peer
    }

    /// Whether a view is storing its state, which is a tool call, because that is the only request that
    /// every host allows. A guard that rejects it breaks forms.
    pub fn is_view_state(&self) -> bool {
        self.is_view_state
    }
}

/// Accepts or rejects requests.
pub(crate) type Guard =
    Arc<dyn Fn(Incoming) -> BoxFuture<'static, Result<(), Refusal>> + Send + Sync>;

/// The rest of the chain: the next hook, or the tool itself. See
/// [`Builder::around`](crate::Builder::around).
///
/// ```
/// use std::time::Instant;
/// use widgetcast::App;
/// use widgetcast::middleware::{Call, Next};
///
/// let app = App::new("shop", "1.0.0").around(async |call: Call, next: Next| {
///     let (tool, start) = (call.tool.clone(), Instant::now());
///     let result = next.run(call).await;
///     tracing::info!(tool, elapsed = ?start.elapsed(), failed = result.is_err());
///     result
/// });
/// ```
pub struct Next(Box<dyn FnOnce(Call) -> BoxFuture<'static, ToolResult> + Send>);

impl Next {
    pub(crate) fn new(
        run: impl FnOnce(Call) -> BoxFuture<'static, ToolResult> + Send + 'static,
    ) -> Self {
        Self(Box::new(run))
    }

    /// Continues with the call.
    pub async fn run(self, call: Call) -> ToolResult {
        self.start(call).await
    }

    pub(crate) fn start(self, call: Call) -> BoxFuture<'static, ToolResult> {
        (self.0)(call)
    }
}

impl std::fmt::Debug for Next {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Next")
    }
}

/// All hooks of an app as one function.
pub(crate) type Around = Arc<dyn Fn(Call, Next) -> BoxFuture<'static, ToolResult> + Send + Sync>;

/// Adds a hook inside the previous ones.
pub(crate) fn nest<F, R>(outer: Option<Around>, hook: F) -> Around
where
    F: Fn(Call, Next) -> R + Send + Sync + 'static,
    R: Future<Output = ToolResult> + Send + 'static,
{
    let hook = Arc::new(hook);
    match outer {
        None => Arc::new(move |call, next| Box::pin(hook(call, next))),
        Some(outer) => Arc::new(move |call, next| {
            let hook = Arc::clone(&hook);
            outer(call, Next::new(move |call| Box::pin(hook(call, next))))
        }),
    }
}
