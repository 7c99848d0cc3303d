//! Hooks: functions around every call of a tool.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use serde_json::Value;

use super::context::Ctx;
use super::handler::ToolResult;

/// One call, as hooks see it.
#[derive(Clone, Debug)]
pub struct Call {
    /// The tool.
    pub tool: String,
    /// The arguments; they fit the tool's schema.
    pub arguments: Value,
    /// Who calls.
    pub ctx: Ctx,
}

/// What comes after a hook: the next hook, or the tool itself.
pub struct Next(Box<dyn FnOnce(Call) -> BoxFuture<'static, ToolResult> + Send>);

impl Next {
    pub(crate) fn new(
        run: impl FnOnce(Call) -> BoxFuture<'static, ToolResult> + Send + 'static,
    ) -> Self {
        Self(Box::new(run))
    }

    /// Goes on with the call.
    pub async fn run(self, call: Call) -> ToolResult {
        (self.0)(call).await
    }
}

impl std::fmt::Debug for Next {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Next")
    }
}

/// All hooks of an app as one function.
pub(crate) type Around = Arc<dyn Fn(Call, Next) -> BoxFuture<'static, ToolResult> + Send + Sync>;

/// One more hook, inside those that were given before it.
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
