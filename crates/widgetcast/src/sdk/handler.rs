//! Handlers: ordinary async functions of extractors and, last, an input.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::Duration;

use futures_util::future::BoxFuture;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;
// The runtime's clock, which tests can control.
use tokio::time::Instant;
use widgetcast_core::JsonRef;

use super::context::Ctx;
use super::extract::{FromCtx, Need};
use super::outcome::Outcome;
use super::throttle::Throttle;
use super::tool_error::ToolError;
use crate::declaration::schema::input_of;

/// The time after which a handler that does not yield is reported as blocking.
const BLOCKED: Duration = Duration::from_millis(100);

/// The result of a tool handler: an [`Outcome`], or an error.
///
/// ```
/// use widgetcast::{Outcome, Tool, ToolError, ToolResult};
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct TicketId {
///     id: u32,
/// }
///
/// async fn ticket(ticket: TicketId) -> ToolResult {
///     if ticket.id == 0 {
///         return Err(ToolError::public("unknown ticket"));
///     }
///     let data = serde_json::json!({ "id": ticket.id, "title": "Printer on fire" });
///     Ok(Outcome::new().data(data).text("The printer is on fire"))
/// }
///
/// let ticket = Tool::new("ticket", ticket).read_only();
/// ```
pub type ToolResult = Result<Outcome, ToolError>;

/// A handler with its types erased, which returns `T`.
pub(crate) type Erased<T> =
    Arc<dyn Fn(Ctx, &JsonRef<'_>) -> BoxFuture<'static, Result<T, ToolError>> + Send + Sync>;

/// An async function that handles a call. It takes up to eight [extractors](FromCtx) in any order and then,
/// optionally, the input. `M` only distinguishes these forms.
///
/// ```
/// use widgetcast::{Ctx, State, Tool};
/// # #[derive(Clone)] struct Db;
/// # #[derive(serde::Deserialize, schemars::JsonSchema)] struct Search { query: String }
/// async fn nothing() -> String { "pong".into() }
/// async fn input(search: Search) -> String { search.query }
/// async fn context(ctx: Ctx) -> String { ctx.name().into() }
/// async fn all(State(_db): State<Db>, ctx: Ctx, search: Search) -> String { search.query }
/// # let _ = [Tool::new("a", nothing), Tool::new("b", input), Tool::new("c", context), Tool::new("d", all)];
/// ```
#[diagnostic::on_unimplemented(
    message = "this function is not a valid handler",
    label = "not a handler",
    note = "a handler is an `async fn` whose future is `Send`",
    note = "its arguments are up to eight extractors (`Ctx`, `State<T>`, `Caller`, `Extension<T>`, \
            `Headers`, `Option` of these, or types that implement `FromCtx`), followed by the input",
    note = "the input must derive `serde::Deserialize` and `schemars::JsonSchema`, and own its data; a state \
            must be `Clone + Send + Sync`"
)]
pub trait Handler<M>: Send + Sync + 'static {
    /// The return type of the function.
    type Output: 'static;

    /// The JSON Schema of the input.
    fn input() -> Value;

    /// What its extractors require of the app.
    #[doc(hidden)]
    fn needs() -> Vec<Need>;

    /// Calls the function, and converts its return value.
    fn call<T: 'static>(
        self: Arc<Self>,
        ctx: Ctx,
        arguments: &JsonRef<'_>,
        finish: fn(Self::Output) -> Result<T, ToolError>,
    ) -> BoxFuture<'static, Result<T, ToolError>>;
}

/// Erases the types of a handler.
pub(crate) fn erase<M, H: Handler<M>, T: 'static>(
    handler: H,
    finish: fn(H::Output) -> Result<T, ToolError>,
) -> Erased<T> {
    let handler = Arc::new(handler);
    Arc::new(move |ctx, arguments| Arc::clone(&handler).call(ctx, arguments, finish))
}

/// Marker for handlers with an input.
#[doc(hidden)]
#[derive(Debug)]
pub struct WithInput;

/// Marker for handlers without an input.
#[doc(hidden)]
#[derive(Debug)]
pub struct WithoutInput;

/// One implementation for each number of extractors: with an input, and without.
macro_rules! handlers {
    ($($extractor:ident)*) => {
        impl<F, R, $($extractor,)*> Handler<(WithoutInput, $($extractor,)*)> for F
        where
            F: Fn($($extractor),*) -> R + Send + Sync + 'static,
            R: Future + Send + 'static,
            $($extractor: FromCtx,)*
        {
            type Output = R::Output;

            fn input() -> Value {
                serde_json::json!({ "type": "object", "properties": {}, "additionalProperties": false })
            }

            fn needs() -> Vec<Need> {
                given(&[$($extractor::need()),*])
            }

            fn call<T: 'static>(
                self: Arc<Self>,
                _ctx: Ctx,
                _: &JsonRef<'_>,
                finish: fn(Self::Output) -> Result<T, ToolError>,
            ) -> BoxFuture<'static, Result<T, ToolError>> {
                watched(_ctx.clone(), async move {
                    finish(self($($extractor::from_ctx(&_ctx).await?),*).await)
                })
            }
        }

        impl<F, R, A, $($extractor,)*> Handler<(WithInput, $($extractor,)* A)> for F
        where
            F: Fn($($extractor,)* A) -> R + Send + Sync + 'static,
            A: DeserializeOwned + JsonSchema + Send + 'static,
            R: Future + Send + 'static,
            $($extractor: FromCtx,)*
        {
            type Output = R::Output;

            fn input() -> Value {
                input_of::<A>()
            }

            fn needs() -> Vec<Need> {
                given(&[$($extractor::need()),*])
            }

            fn call<T: 'static>(
                self: Arc<Self>,
                _ctx: Ctx,
                arguments: &JsonRef<'_>,
                finish: fn(Self::Output) -> Result<T, ToolError>,
            ) -> BoxFuture<'static, Result<T, ToolError>> {
                let input = read(arguments);
                watched(_ctx.clone(), async move {
                    finish(self($($extractor::from_ctx(&_ctx).await?,)* input?).await)
                })
            }
        }
    };
}

handlers!();
handlers!(E1);
handlers!(E1 E2);
handlers!(E1 E2 E3);
handlers!(E1 E2 E3 E4);
handlers!(E1 E2 E3 E4 E5);
handlers!(E1 E2 E3 E4 E5 E6);
handlers!(E1 E2 E3 E4 E5 E6 E7);
handlers!(E1 E2 E3 E4 E5 E6 E7 E8);

/// Boxes a handler, and logs if it blocks its thread, which delays all other calls there.
fn watched<T>(ctx: Ctx, run: impl Future<Output = T> + Send + 'static) -> BoxFuture<'static, T> {
    Box::pin(async move {
        let mut run = pin!(run);
        poll_fn(|context| {
            let began = Instant::now();
            let polled = run.as_mut().poll(context);
            let took = began.elapsed();
            if took >= BLOCKED {
                warn_blocked(ctx.name(), took);
            }
            polled
        })
        .await
    })
}

#[cold]
fn warn_blocked(name: &str, took: Duration) {
    static LOGGED: LazyLock<Mutex<Throttle<String>>> =
        LazyLock::new(|| Mutex::new(Throttle::new(5, Duration::from_secs(10))));
    let mut throttle = LOGGED.lock().unwrap_or_else(PoisonError::into_inner);
    let now = std::time::Instant::now();
    drop(throttle.left_out(now));
    if throttle.admits(name, now) {
        tracing::warn!(
            "the handler of {name} blocked its thread for {} ms and delayed other calls: move blocking work \
             into tokio::task::spawn_blocking",
            took.as_millis()
        );
    }
}

fn given(needs: &[Option<Need>]) -> Vec<Need> {
    needs.iter().copied().flatten().collect()
}

/// The schema has been validated, so this fails only if a type is stricter than its schema.
fn read<A: DeserializeOwned>(arguments: &JsonRef<'_>) -> Result<A, ToolError> {
    A::deserialize(arguments)
        .map_err(|error| ToolError::public(format!("cannot deserialize the arguments: {error}")))
}
