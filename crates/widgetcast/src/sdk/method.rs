//! Custom methods, in addition to those of the protocol.

use serde::Serialize;
use serde_json::{Map, Value};

use super::access::{Access, access_setters};
use super::extract::Need;
use super::handler::{Erased, Handler, erase};
use super::outcome::Data;
use super::tool_error::ToolError;

/// What the handler of a [`Method`] may return: [`Data`], a JSON value, nothing, or a `Result` of these.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a valid result of a method",
    note = "a method returns `Data<T>` where `T` derives `serde::Serialize`, a `serde_json::Value`, `()`, or \
            a `Result` of these with `ToolError`"
)]
pub trait IntoResult {
    /// The result as an object.
    fn into_result(self) -> Result<Map<String, Value>, ToolError>;
}

impl<T: Serialize> IntoResult for Data<T> {
    fn into_result(self) -> Result<Map<String, Value>, ToolError> {
        serde_json::to_value(&self.0)?.into_result()
    }
}

impl IntoResult for Value {
    fn into_result(self) -> Result<Map<String, Value>, ToolError> {
        match self {
            Value::Object(members) => Ok(members),
            _ => Err(ToolError::private("the result of a method must be an object")),
        }
    }
}

impl IntoResult for () {
    fn into_result(self) -> Result<Map<String, Value>, ToolError> {
        Ok(Map::new())
    }
}

impl<T: IntoResult, E: Into<ToolError>> IntoResult for Result<T, E> {
    fn into_result(self) -> Result<Map<String, Value>, ToolError> {
        self.map_err(Into::into)?.into_result()
    }
}

/// A custom JSON-RPC method: a [`Handler`] whose input is the `params` of the request, and whose result is
/// an object. It is for your own clients; models call tools.
///
/// ```
/// use widgetcast::{App, Data};
/// use widgetcast::handler::Method;
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Search { query: String }
///
/// #[derive(serde::Serialize)]
/// struct Found { tickets: Vec<u32> }
///
/// async fn search(search: Search) -> Data<Found> {
///     Data(Found { tickets: if search.query == "printer" { vec![7] } else { vec![] } })
/// }
///
/// let app = App::new("helpdesk", "1.0.0")
///     .method(Method::new("helpdesk/search", search).extension("com.example/search"))
///     .build()?;
/// # Ok::<(), widgetcast::BuildError>(())
/// ```
///
/// Params that MCP itself uses keep their types: `name`, `uri`, `cursor`, `taskId`, `protocolVersion` and
/// `requestState` are strings, and `_meta` is not part of the input.
#[derive(Clone)]
pub struct Method {
    pub(crate) name: String,
    /// The schema of the params.
    pub(crate) input: Value,
    pub(crate) handler: Erased<Map<String, Value>>,
    pub(crate) needs: Vec<Need>,
    pub(crate) access: Access,
    pub(crate) extension: Option<String>,
}

impl Method {
    /// Creates a method, such as `helpdesk/search`.
    pub fn new<M, H>(name: impl Into<String>, handler: H) -> Self
    where
        H: Handler<M>,
        H::Output: IntoResult,
    {
        Self {
            name: name.into(),
            input: H::input(),
            handler: erase(handler, IntoResult::into_result),
            needs: H::needs(),
            access: Access::default(),
            extension: None,
        }
    }

    /// Sets the protocol extension that the method belongs to; the server announces it.
    pub fn extension(mut self, name: impl Into<String>) -> Self {
        self.extension = Some(name.into());
        self
    }
}

access_setters!(Method, "use");

impl std::fmt::Debug for Method {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Method").field("name", &self.name).finish_non_exhaustive()
    }
}
