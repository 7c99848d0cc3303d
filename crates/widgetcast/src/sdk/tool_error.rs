//! Errors of tools, prompts and resources: a message for the model, and a cause that is only logged.

use std::any::Any;
use std::borrow::Cow;
use std::error::Error;

use serde_json::{Map, Value};

use crate::call::request_id;

/// The `_meta` key for the fields that an error is about.
const FIELDS: &str = "widgetcast/fields";

/// The error of a handler.
///
/// Any error converts with `?`. It is then private, for the operator: it is logged with an id, and the
/// model gets only `failed` and that id. A string becomes a public error, which the model and the user
/// see: `Err("…".into())` is [`ToolError::public`].
///
/// Do not turn errors into strings (`map_err(|error| error.to_string())?`): that makes them public.
/// ```
/// use widgetcast::ToolError;
///
/// fn count(text: &str) -> Result<u32, ToolError> {
///     if text.is_empty() {
///         return Err(ToolError::public("give a number, such as 7").field("/count", "is empty"));
///     }
///     if text == "0" {
///         return Err("0 is not enough".into());
///     }
///     Ok(text.parse()?)
/// }
/// assert_eq!(count("0").unwrap_err().to_string(), "0 is not enough");
/// assert_eq!(count("").unwrap_err().to_string(), "give a number, such as 7\n- /count: is empty");
/// assert_eq!(count("x").unwrap_err().to_string(), "failed");
/// ```
#[derive(Debug)]
pub struct ToolError(Box<Inner>);

#[derive(Debug, Default)]
struct Inner {
    /// The message for the model; `None` if the error is private.
    message: Option<String>,
    cause: Option<Box<dyn Error + Send + Sync>>,
    /// JSON pointers into the input, each with a message.
    fields: Vec<(String, String)>,
    data: Option<Value>,
    meta: Map<String, Value>,
    /// Capabilities that the client lacks.
    required: Option<Value>,
    is_not_found: bool,
}

impl ToolError {
    /// An error for the model and the user: say what to change.
    pub fn public(message: impl Into<String>) -> Self {
        Self(Box::new(Inner { message: Some(message.into()), ..Inner::default() }))
    }

    /// An error for the operator, only logged.
    pub fn private(message: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self(Box::new(Inner { cause: Some(message.into()), ..Inner::default() }))
    }

    /// The requested item does not exist. In `resources/read` the client gets the protocol's error;
    /// elsewhere it is an ordinary error.
    pub fn not_found(message: impl Into<String>) -> Self {
        let mut error = Self::public(message);
        error.0.is_not_found = true;
        error
    }

    pub(crate) fn is_not_found(&self) -> bool {
        self.0.is_not_found
    }

    /// The client lacks capabilities that the handler needs. In 2026-07-28, the client gets the protocol's
    /// own error.
    pub(crate) fn missing(required: Value) -> Self {
        let names: Vec<&str> =
            required.as_object().into_iter().flat_map(Map::keys).map(String::as_str).collect();
        let words = format!("the client lacks the capability {}", names.join(", "));
        let mut error = Self::public(words);
        error.0.required = Some(required);
        error
    }

    /// The capabilities that the client lacks.
    pub(crate) fn required(&self) -> Option<&Value> {
        self.0.required.as_ref()
    }

    /// The effect of a store error on the call. Its causes are only logged.
    pub(crate) fn with_reason(self, reason: &str) -> Self {
        let words = self.0.cause.as_ref().map(ToString::to_string).unwrap_or_default();
        self.with_message(format!("{reason}: {words}"))
    }

    /// Sets the message that the model gets instead of "failed"; the cause is only logged.
    pub fn with_message(mut self, message: impl Into<String>) -> Self {
        self.0.message = Some(message.into());
        self
    }

    /// Adds an error message for one field of the input, by JSON pointer.
    pub fn field(mut self, pointer: impl Into<String>, message: impl Into<String>) -> Self {
        self.0.fields.push((pointer.into(), message.into()));
        self
    }

    /// Sets structured data about the error, for the model and the view (`structuredContent`).
    pub fn data(mut self, data: impl Into<Value>) -> Self {
        self.0.data = Some(data.into());
        self
    }

    /// Adds an entry to the result's `_meta`, which views see and the model does not.
    pub fn meta(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.0.meta.insert(key.into(), value.into());
        self
    }

    /// Whether the model may read the message.
    pub fn is_public(&self) -> bool {
        self.0.message.is_some()
    }

    /// The message for the model. The id is the one in the log.
    pub(crate) fn shown(&self) -> String {
        match (self.is_public(), request_id::current()) {
            (false, Some(id)) => format!("{self} (id {id})"),
            _ => self.to_string(),
        }
    }

    /// The message and its causes, for the log.
    pub(crate) fn with_causes(&self) -> String {
        let mut words = self.0.message.clone().unwrap_or_default();
        let mut cause: Option<&(dyn Error + 'static)> = match &self.0.cause {
            Some(error) => Some(&**error),
            None => None,
        };
        while let Some(error) = cause {
            if !words.is_empty() {
                words.push_str(": ");
            }
            words.push_str(&error.to_string());
            cause = error.source();
        }
        words
    }

    pub(crate) fn take_data(&mut self) -> Option<Value> {
        self.0.data.take()
    }

    /// The entries of the result's `_meta`.
    pub(crate) fn take_meta(&mut self) -> Map<String, Value> {
        let mut meta = std::mem::take(&mut self.0.meta);
        if !self.0.fields.is_empty() {
            let fields =
                self.0.fields.iter().map(|(at, words)| (at.clone(), words.as_str().into()));
            meta.insert(FIELDS.into(), Value::Object(fields.collect()));
        }
        meta
    }
}

/// The message for the model, without the id.
impl std::fmt::Display for ToolError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0.message.as_deref().unwrap_or("failed"))?;
        self.0.fields.iter().try_for_each(|(at, words)| write!(f, "\n- {at}: {words}"))
    }
}

/// `std` errors, `anyhow::Error` and boxed errors are private; texts are public.
impl<E: Into<Box<dyn Error + Send + Sync>> + 'static> From<E> for ToolError {
    fn from(error: E) -> Self {
        let any: &dyn Any = &error;
        let text = any.downcast_ref::<&'static str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| any.downcast_ref::<String>().cloned());
        match text.or_else(|| any.downcast_ref::<Cow<'static, str>>().map(ToString::to_string)) {
            Some(text) => Self::public(text),
            None => Self::private(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_are_for_the_log_alone() {
        let inner = std::io::Error::other("password of postgres://u:p@h");
        let error = ToolError::from(anyhow::Error::new(inner).context("connecting"));
        assert_eq!(error.to_string(), "failed");
        assert_eq!(error.with_causes(), "connecting: password of postgres://u:p@h");
        assert!(!error.is_public());
        let error = error.with_message("the database is away");
        assert_eq!(error.to_string(), "the database is away");
        assert_eq!(
            error.with_causes(),
            "the database is away: connecting: password of postgres://u:p@h"
        );
        assert_eq!(ToolError::private("a string").with_causes(), "a string");
    }

    #[test]
    fn texts_are_public_and_errors_are_not() {
        let boxed: Box<dyn Error + Send + Sync> = "a string that was boxed as an error".into();
        for (error, is_public) in [
            (ToolError::from("a string"), true),
            (ToolError::from(format!("a string of {}", 7)), true),
            (ToolError::from(Cow::Borrowed("a string")), true),
            (ToolError::private("a string"), false),
            (ToolError::from(boxed), false),
            (ToolError::from(anyhow::anyhow!("a string")), false),
            (ToolError::from(std::io::Error::other("a string")), false),
        ] {
            assert_eq!(error.is_public(), is_public, "{error:?}");
            assert_eq!(error.to_string().contains("a string"), is_public, "{error:?}");
        }
    }
}
