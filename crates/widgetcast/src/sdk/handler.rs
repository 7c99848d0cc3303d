//! Handlers: ordinary async functions, with or without a context, with or without input.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;
use widgetcast_core::JsonRef;

use super::context::Ctx;
use super::outcome::{Outcome, Output};
use super::schema::input_of;
use super::tool_error::ToolError;

/// What a tool's function gives back.
pub type ToolResult = Result<Outcome, ToolError>;

/// A handler whose types are no longer known.
pub(crate) type Erased =
    Arc<dyn Fn(Ctx, &JsonRef<'_>) -> BoxFuture<'static, ToolResult> + Send + Sync>;

/// An async function that can be a tool: of the input, of the context and the input, or of
/// nothing. `M` only tells these forms apart.
pub trait Handler<M>: Send + Sync + 'static {
    /// The schema of the input.
    fn input() -> Value;
    /// The schema of the data it gives back, if it has a type.
    fn output() -> Option<Value>;
    /// Calls it.
    fn call(&self, ctx: Ctx, arguments: &JsonRef<'_>) -> BoxFuture<'static, ToolResult>;
}

impl<F, R, O> Handler<()> for F
where
    F: Fn() -> R + Send + Sync + 'static,
    R: Future<Output = O> + Send + 'static,
    O: Output,
{
    fn input() -> Value {
        serde_json::json!({ "type": "object", "properties": {}, "additionalProperties": false })
    }

    fn output() -> Option<Value> {
        O::schema()
    }

    fn call(&self, _: Ctx, _: &JsonRef<'_>) -> BoxFuture<'static, ToolResult> {
        let run = self();
        Box::pin(async move { run.await.into_outcome() })
    }
}

impl<F, A, R, O> Handler<(A,)> for F
where
    F: Fn(A) -> R + Send + Sync + 'static,
    A: DeserializeOwned + JsonSchema + Send + 'static,
    R: Future<Output = O> + Send + 'static,
    O: Output,
{
    fn input() -> Value {
        input_of::<A>()
    }

    fn output() -> Option<Value> {
        O::schema()
    }

    fn call(&self, _: Ctx, arguments: &JsonRef<'_>) -> BoxFuture<'static, ToolResult> {
        match read(arguments) {
            Ok(input) => {
                let run = self(input);
                Box::pin(async move { run.await.into_outcome() })
            }
            Err(error) => Box::pin(async { Err(error) }),
        }
    }
}

impl<F, A, R, O> Handler<(Ctx, A)> for F
where
    F: Fn(Ctx, A) -> R + Send + Sync + 'static,
    A: DeserializeOwned + JsonSchema + Send + 'static,
    R: Future<Output = O> + Send + 'static,
    O: Output,
{
    fn input() -> Value {
        input_of::<A>()
    }

    fn output() -> Option<Value> {
        O::schema()
    }

    fn call(&self, ctx: Ctx, arguments: &JsonRef<'_>) -> BoxFuture<'static, ToolResult> {
        match read(arguments) {
            Ok(input) => {
                let run = self(ctx, input);
                Box::pin(async move { run.await.into_outcome() })
            }
            Err(error) => Box::pin(async { Err(error) }),
        }
    }
}

/// The schema has been checked before, so this fails only where a type is stricter than its schema.
fn read<A: DeserializeOwned>(arguments: &JsonRef<'_>) -> Result<A, ToolError> {
    A::deserialize(arguments)
        .map_err(|error| ToolError::public(format!("the arguments cannot be read: {error}")))
}
