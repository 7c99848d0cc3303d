//! JSON Schema: compiling a schema, validating data, and saying what to change.
//!
//! References are resolved inside the schema only; nothing is ever fetched.

mod cost;
mod json_ref;
mod message;
#[cfg(test)]
mod tests;
mod violation;

use std::fmt;
use std::sync::OnceLock;

use jsonschema::error::ValidationErrorKind;
use jsonschema::json::{Json, SerdeJson};
use jsonschema::{PatternOptions, ValidationError, Validator};
use serde_json::Value;
use widgetcast_engine::error::{Error, Kind, Result};
use widgetcast_engine::json::JsonRef;
use widgetcast_engine::json::locate;

use json_ref::Borrowed;
pub use violation::{Violation, Violations};

/// Steps that a regular expression may take on one value.
const BACKTRACK_LIMIT: usize = 100_000;

/// A compiled JSON Schema (2020-12).
///
/// Two validators are compiled from it. One decides about borrowed arguments, at every call. The other
/// lists the errors of an owned copy; it is compiled when data is refused for the first time. A
/// validator of borrowed data would have to copy a part of it for each error.
pub struct Schema {
    validator: Validator<Borrowed>,
    explainer: OnceLock<Option<Validator<SerdeJson>>>,
    text: Box<str>,
}

impl fmt::Debug for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Schema")
    }
}

impl Schema {
    /// Compiles a schema.
    ///
    /// ```
    /// use serde_json::json;
    /// use widgetcast_core::Schema;
    ///
    /// let schema = Schema::compile(&json!({
    ///     "type": "object",
    ///     "properties": {"seats": {"type": "integer", "minimum": 1}},
    ///     "required": ["seats", "date"],
    /// }))?;
    /// let violations = schema.validate(&json!({"seats": 0})).unwrap_err();
    /// assert_eq!(
    ///     violations.to_string(),
    ///     "- /date: is missing, and it is required\n- /seats: must be at least 1, not 0",
    /// );
    /// assert_eq!(violations.masked().lines().last(), Some("- /seats: must be at least 1"));
    /// # Ok::<(), widgetcast_core::Error>(())
    /// ```
    pub fn compile(schema: &Value) -> Result<Self> {
        Self::compile_text(schema, schema.to_string().into())
    }

    /// [`Self::compile`] for a schema whose text is known.
    pub(crate) fn compile_text(schema: &Value, text: Box<str>) -> Result<Self> {
        if !matches!(schema, Value::Object(_) | Value::Bool(true)) {
            return Err(Error::new(Kind::Schema, "a JSON Schema is an object"));
        }
        if !describes_object(schema) {
            return Err(Error::new(
                Kind::Schema,
                "the schema must describe an object: a tool's arguments have names",
            )
            .with_pointer("/type")
            .with_help("write \"type\": \"object\" and put the values under \"properties\""));
        }
        if cost::cost(schema) > cost::MAX_COST {
            return Err(Error::new(
                Kind::Schema,
                "the schema refers to itself so often that checking data would never end",
            ));
        }
        let validator = build(schema).map_err(|error| compile_error(&error, schema))?;
        Ok(Self { validator, explainer: OnceLock::new(), text })
    }

    /// The schema as JSON text.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Whether the data fits.
    pub fn is_valid(&self, data: &Value) -> bool {
        self.accepts(&data.into())
    }

    /// [`Self::is_valid`] for borrowed data.
    fn accepts(&self, data: &JsonRef<'_>) -> bool {
        self.validator.is_valid(data)
    }

    /// Lists every violation.
    pub fn validate(&self, data: &Value) -> std::result::Result<(), Violations> {
        self.validate_data(&data.into())
    }

    /// [`Self::validate`] for borrowed data.
    pub fn validate_data(&self, data: &JsonRef<'_>) -> std::result::Result<(), Violations> {
        if self.accepts(data) {
            return Ok(());
        }
        Err(Violations::new(self.errors(&data.to_value())))
    }

    /// [`Self::validate_data`], but a null that the schema does not allow counts as absent.
    ///
    /// Language models, and Python's optional fields, send null for an unknown value. Where the
    /// property is required, or another violation remains without the nulls, all are listed.
    pub(crate) fn validate_without_nulls(
        &self,
        data: &JsonRef<'_>,
    ) -> std::result::Result<(), Violations> {
        if self.accepts(data) {
            return Ok(());
        }
        let data = data.to_value();
        let null = |error: ValidationError<'_>| {
            error.instance().is_null().then(|| error.instance_path().to_string())
        };
        let nulls: Option<Vec<String>> = self.errors(&data).map(null).collect();
        match nulls.and_then(|nulls| without(&data, &nulls)) {
            Some(rest) if self.is_valid(&rest) => Ok(()),
            _ => Err(Violations::new(self.errors(&data))),
        }
    }

    fn errors<'d>(&'d self, data: &'d Value) -> impl Iterator<Item = ValidationError<'d>> {
        let compile = || build(&serde_json::from_str(&self.text).ok()?).ok();
        let explainer = self.explainer.get_or_init(compile);
        explainer.iter().flat_map(|explainer| explainer.iter_errors(data))
    }
}

fn build<J: Json>(schema: &Value) -> std::result::Result<Validator<J>, ValidationError<'static>> {
    jsonschema::options_for::<J>()
        .should_validate_formats(true)
        .should_ignore_unknown_formats(true)
        .with_pattern_options(PatternOptions::fancy_regex().backtrack_limit(BACKTRACK_LIMIT))
        .build(schema)
}

fn describes_object(schema: &Value) -> bool {
    match &schema["type"] {
        Value::Array(types) => types.iter().any(|kind| kind == "object"),
        Value::Null => true,
        kind => kind == "object",
    }
}

/// A copy of the data without the members at these pointers; none if the data itself is one of them.
fn without(data: &Value, pointers: &[String]) -> Option<Value> {
    let mut rest = data.clone();
    for pointer in pointers {
        let (parent, key) = pointer.rsplit_once('/')?;
        if let Some(Value::Object(members)) = rest.pointer_mut(parent) {
            members.shift_remove(&locate::unescaped(key));
        }
    }
    Some(rest)
}

/// Why a schema cannot be compiled.
fn compile_error(error: &ValidationError<'_>, schema: &Value) -> Error {
    let ValidationErrorKind::Referencing(cause) = error.kind() else {
        let message = message::of(error, Some(&message::describe(error.instance())));
        return Error::new(Kind::Schema, format!("the schema is not valid: {message}"))
            .with_pointer(error.instance_path().to_string());
    };
    let (pointer, message) = match remote(schema, "") {
        Some((pointer, uri)) => (pointer, format!("the reference {uri} leads out of the schema")),
        None => (String::new(), format!("a reference cannot be resolved: {cause}")),
    };
    Error::new(Kind::SchemaRemote, message).with_pointer(pointer).with_help(
        "only references inside the schema (`#/$defs/…`) are followed; nothing is fetched",
    )
}

/// The first reference that does not stay inside the schema.
fn remote<'s>(schema: &'s Value, at: &str) -> Option<(String, &'s str)> {
    match schema {
        Value::Object(members) => members.iter().find_map(|(key, value)| {
            let at = format!("{at}/{}", locate::escaped(key));
            match value {
                Value::String(uri) if key == "$ref" && !uri.starts_with('#') => {
                    Some((at, uri.as_str()))
                }
                value => remote(value, &at),
            }
        }),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .find_map(|(index, item)| remote(item, &format!("{at}/{index}"))),
        _ => None,
    }
}
