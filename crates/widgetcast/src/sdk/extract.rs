//! Extractors: the arguments of a handler before its input.

use std::any::{TypeId, type_name};
use std::ops::Deref;

use http::HeaderMap;

use super::caller::Caller;
use super::context::Ctx;
use super::tool_error::ToolError;

/// A value that a handler may take as an argument, before its input.
///
/// [`Ctx`], [`State`], [`Caller`], [`Extension`] and [`Headers`] are extractors; so is an `Option` of
/// each, which is `None` if the value is absent. Your own extractor can await something, such as a database:
///
/// ```
/// use widgetcast::{Caller, Ctx, State, ToolError};
/// use widgetcast::handler::FromCtx;
///
/// # #[derive(Clone)] struct Db;
/// # impl Db { async fn tenant(&self, _: &str) -> Result<Option<String>, std::io::Error> { Ok(None) } }
/// struct Tenant(String);
///
/// impl FromCtx for Tenant {
///     async fn from_ctx(ctx: &Ctx) -> Result<Self, ToolError> {
///         let State(db) = State::<Db>::from_ctx(ctx).await?;
///         let caller = Caller::from_ctx(ctx).await?;
///         let tenant = db.tenant(caller.subject()).await?;
///         tenant.map(Self).ok_or_else(|| ToolError::public("the caller does not belong to a tenant"))
///     }
/// }
///
/// async fn orders(Tenant(tenant): Tenant) -> String {
///     format!("the orders of {tenant}")
/// }
/// # let _ = widgetcast::Tool::new("orders", orders);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither an extractor nor an input",
    note = "extractors are `Ctx`, `State<T>`, `Caller`, `Extension<T>`, `Headers`, `Option` of these, and \
            types that implement `FromCtx`",
    note = "the input is the last argument, and must derive `serde::Deserialize` and `schemars::JsonSchema`"
)]
pub trait FromCtx: Sized + Send {
    /// Extracts the value from a call; write it as an `async fn`.
    fn from_ctx(ctx: &Ctx) -> impl Future<Output = Result<Self, ToolError>> + Send;

    /// The value of `Option<Self>`: `None` if the call does not have it. An error is not absence: if a
    /// database cannot be reached, the call fails. By default, nothing counts as absent.
    fn from_ctx_optional(
        ctx: &Ctx,
    ) -> impl Future<Output = Result<Option<Self>, ToolError>> + Send {
        async { Self::from_ctx(ctx).await.map(Some) }
    }

    /// What the builder must provide for this extractor.
    #[doc(hidden)]
    fn need() -> Option<Need> {
        None
    }
}

/// What an extractor requires of the app.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// A state of this type, with the name of the type.
    State(TypeId, &'static str),
    /// An authenticator.
    Caller,
}

impl FromCtx for Ctx {
    async fn from_ctx(ctx: &Ctx) -> Result<Self, ToolError> {
        Ok(ctx.clone())
    }
}

/// Requires a caller: without one, the call fails.
impl FromCtx for Caller {
    async fn from_ctx(ctx: &Ctx) -> Result<Self, ToolError> {
        let caller = ctx.caller().cloned();
        caller.ok_or_else(|| ToolError::public("authentication required"))
    }

    async fn from_ctx_optional(ctx: &Ctx) -> Result<Option<Self>, ToolError> {
        Ok(ctx.caller().cloned())
    }

    fn need() -> Option<Need> {
        Some(Need::Caller)
    }
}

/// `None` if the value is absent; the app need not have it. Other errors fail the call.
impl<T: FromCtx> FromCtx for Option<T> {
    async fn from_ctx(ctx: &Ctx) -> Result<Self, ToolError> {
        T::from_ctx_optional(ctx).await
    }
}

/// State shared by all handlers: a database pool, a client, a cache.
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
    async fn from_ctx(ctx: &Ctx) -> Result<Self, ToolError> {
        // The builder has checked that it exists, except for tools that were added later.
        let state = Self::from_ctx_optional(ctx).await?;
        state.ok_or_else(|| ToolError::private(format!("missing state {}", type_name::<T>())))
    }

    async fn from_ctx_optional(ctx: &Ctx) -> Result<Option<Self>, ToolError> {
        Ok(ctx.states().get::<T>().cloned().map(Self))
    }

    fn need() -> Option<Need> {
        Some(Need::State(TypeId::of::<T>(), type_name::<T>()))
    }
}

/// A value that an outer tower layer inserted into the request's extensions, like axum's `Extension`.
///
/// ```
/// use widgetcast::{Extension, Tool};
///
/// /// What a layer of your router inserts.
/// #[derive(Clone)]
/// struct Region(&'static str);
///
/// async fn warehouse(region: Option<Extension<Region>>) -> String {
///     region.map_or("any warehouse", |Extension(region)| region.0).to_owned()
/// }
/// let tool = Tool::new("warehouse", warehouse);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Extension<T>(pub T);

impl<T: Clone + Send + Sync + 'static> FromCtx for Extension<T> {
    async fn from_ctx(ctx: &Ctx) -> Result<Self, ToolError> {
        let found = Self::from_ctx_optional(ctx).await?;
        found.ok_or_else(|| {
            let name = type_name::<T>();
            ToolError::private(format!(
                "the request has no extension {name}; is its layer missing?"
            ))
        })
    }

    async fn from_ctx_optional(ctx: &Ctx) -> Result<Option<Self>, ToolError> {
        Ok(ctx.http().extensions.get::<T>().cloned().map(Self))
    }
}

/// The headers of the HTTP request; empty for calls over stdio.
///
/// ```
/// use widgetcast::{App, Headers, Tool};
///
/// async fn team(headers: Headers) -> String {
///     let team = headers.get("x-team").and_then(|value| value.to_str().ok());
///     team.unwrap_or("unknown").to_owned()
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let app = App::new("shop", "1.0.0").tool(Tool::new("team", team)).build()?;
/// let result = app.test().header("x-team", "north").call("team", serde_json::json!({})).await?;
/// assert_eq!(result.text(), "north");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Headers(pub HeaderMap);

impl FromCtx for Headers {
    async fn from_ctx(ctx: &Ctx) -> Result<Self, ToolError> {
        Ok(Self(ctx.http().headers.clone()))
    }
}

impl Deref for Headers {
    type Target = HeaderMap;

    fn deref(&self) -> &HeaderMap {
        &self.0
    }
}
