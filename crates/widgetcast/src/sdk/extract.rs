//! Extractors: what a handler takes beside its input.

use std::any::{TypeId, type_name};
use std::ops::Deref;

use http::HeaderMap;

use super::caller::Caller;
use super::context::Ctx;
use super::tool_error::ToolError;

/// A value that a handler may take as an argument, before its input.
///
/// [`Ctx`], [`State`], [`Caller`], [`Extension`] and [`Headers`] are; so is an `Option` of each, which
/// is `None` where the value is not there. One of one's own:
///
/// ```
/// use widgetcast::{Ctx, FromCtx, ToolError};
///
/// struct Locale(String);
///
/// impl FromCtx for Locale {
///     fn from_ctx(ctx: &Ctx) -> Result<Self, ToolError> {
///         Ok(Self(ctx.locale().unwrap_or("en").to_owned()))
///     }
/// }
///
/// async fn greet(Locale(locale): Locale) -> String {
///     if locale.starts_with("de") { "Grüezi".into() } else { "Hello".into() }
/// }
/// # let _ = widgetcast::Tool::new("greet", greet);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither an extractor nor an input",
    note = "extractors are `Ctx`, `State<T>`, `Caller`, `Extension<T>`, `Headers`, `Option` of these, and what \
            implements `FromCtx`",
    note = "the input is the last argument, and derives `serde::Deserialize` and `schemars::JsonSchema`"
)]
pub trait FromCtx: Sized {
    /// Takes the value of a call.
    fn from_ctx(ctx: &Ctx) -> Result<Self, ToolError>;

    /// What must have been given to the builder for this.
    #[doc(hidden)]
    fn need() -> Option<Need> {
        None
    }
}

/// What an extractor needs of the app.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// A state of this type, and what the type is called.
    State(TypeId, &'static str),
    /// Something that proves who calls.
    Caller,
}

impl FromCtx for Ctx {
    fn from_ctx(ctx: &Ctx) -> Result<Self, ToolError> {
        Ok(ctx.clone())
    }
}

/// Needs a caller: without one the call fails.
impl FromCtx for Caller {
    fn from_ctx(ctx: &Ctx) -> Result<Self, ToolError> {
        let caller = ctx.caller().cloned();
        caller.ok_or_else(|| ToolError::public("nobody has signed in; this needs authentication"))
    }

    fn need() -> Option<Need> {
        Some(Need::Caller)
    }
}

/// Where it cannot be taken, it is `None`; the app need not have it.
impl<T: FromCtx> FromCtx for Option<T> {
    fn from_ctx(ctx: &Ctx) -> Result<Self, ToolError> {
        Ok(T::from_ctx(ctx).ok())
    }
}

/// What the app shares among its handlers: a database, a client, a cache.
///
/// ```
/// use widgetcast::{App, State, Tool};
///
/// #[derive(Clone)]
/// struct Db(/* a pool, which is cheap to clone */);
///
/// async fn count(State(_db): State<Db>) -> String { "7 tickets".into() }
///
/// let app = App::new("helpdesk", "1.0.0").state(Db()).tool(Tool::new("count", count)).build()?;
/// # Ok::<(), widgetcast::BuildError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct State<T>(pub T);

impl<T: Clone + Send + Sync + 'static> FromCtx for State<T> {
    fn from_ctx(ctx: &Ctx) -> Result<Self, ToolError> {
        // The builder has seen that it is there, but for tools that it was not told about.
        let state = ctx.states().get::<T>().cloned();
        state.map(Self).ok_or_else(|| format!("there is no state {}", type_name::<T>()).into())
    }

    fn need() -> Option<Need> {
        Some(Need::State(TypeId::of::<T>(), type_name::<T>()))
    }
}

/// What a layer outside of the app has put into the request's extensions, as axum's `Extension` is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Extension<T>(pub T);

impl<T: Clone + Send + Sync + 'static> FromCtx for Extension<T> {
    fn from_ctx(ctx: &Ctx) -> Result<Self, ToolError> {
        let found = ctx.http().extensions.get::<T>().cloned();
        found.map(Self).ok_or_else(|| {
            format!("the request has no extension {}; is its layer missing?", type_name::<T>())
                .into()
        })
    }
}

/// The headers of the HTTP request; none where the call did not come over HTTP.
#[derive(Clone, Debug, Default)]
pub struct Headers(pub HeaderMap);

impl FromCtx for Headers {
    fn from_ctx(ctx: &Ctx) -> Result<Self, ToolError> {
        Ok(Self(ctx.http().headers.clone()))
    }
}

impl Deref for Headers {
    type Target = HeaderMap;

    fn deref(&self) -> &HeaderMap {
        &self.0
    }
}
