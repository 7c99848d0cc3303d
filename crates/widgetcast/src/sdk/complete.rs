//! Completion: suggested values while the user types an argument.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::extract::Need;
use super::handler::{Erased, Handler, erase};
use super::tool_error::ToolError;

/// What the user has typed so far: the input of a completion handler.
///
/// ```
/// use widgetcast::Prompt;
/// use widgetcast::handler::Typed;
///
/// async fn cities(typed: Typed) -> Vec<&'static str> {
///     ["Basel", "Bern", "Biel"].into_iter().filter(|city| city.starts_with(&typed.value)).collect()
/// }
/// # #[derive(serde::Deserialize, schemars::JsonSchema)] struct Trip { city: String }
/// # async fn trip(trip: Trip) -> String { trip.city }
/// let trip = Prompt::new("trip", trip).complete("city", cities);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct Typed {
    /// The text typed so far.
    pub value: String,
    /// The other arguments, if known.
    #[serde(default)]
    pub arguments: BTreeMap<String, String>,
}

/// What a completion handler may return: a list of strings, or a `Result` of one. See [`Typed`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list of completions",
    note = "return `Vec<String>`, `Vec<&str>`, or a `Result` of one with `ToolError`"
)]
pub trait IntoValues {
    /// The suggested values, best first.
    fn into_values(self) -> Result<Vec<String>, ToolError>;
}

impl<T: Into<String>> IntoValues for Vec<T> {
    fn into_values(self) -> Result<Vec<String>, ToolError> {
        Ok(self.into_iter().map(Into::into).collect())
    }
}

impl<T: IntoValues, E: Into<ToolError>> IntoValues for Result<T, E> {
    fn into_values(self) -> Result<Vec<String>, ToolError> {
        self.map_err(Into::into)?.into_values()
    }
}

/// The completion handlers, by argument.
#[derive(Clone, Default)]
pub(crate) struct Completers(BTreeMap<String, Erased<Vec<String>>>);

impl Completers {
    /// Adds a handler, and returns what it requires of the app.
    pub(crate) fn insert<M, H>(&mut self, argument: String, handler: H) -> Vec<Need>
    where
        H: Handler<M>,
        H::Output: IntoValues,
    {
        self.0.insert(argument, erase(handler, IntoValues::into_values));
        H::needs()
    }

    pub(crate) fn get(&self, argument: &str) -> Option<&Erased<Vec<String>>> {
        self.0.get(argument)
    }

    /// The arguments that have a handler.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}
