//! JSON Schema: compiles schemas, validates data, and explains violations. References are resolved inside the
//! schema only; nothing is ever fetched.

mod cost;
mod exact;
mod json_ref;
mod message;
mod reading;
#[cfg(test)]
mod tests;
mod violation;

use std::cell::Cell;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use jsonschema::error::ValidationErrorKind;
use jsonschema::{PatternOptions, ValidationError, Validator};
use serde_json::Value;
use widgetcast_engine::budget::{self, Budget, Exceeded};
use widgetcast_engine::error::{Error, Kind, Result};
use widgetcast_engine::json::JsonRef;
use widgetcast_engine::json::locate;
use widgetcast_engine::suggest::did_you_mean;

use json_ref::{Borrowed, Walk};
use reading::Draft;
pub use reading::Reading;
pub use violation::{Violation, Violations};

/// Maximum steps of a regular expression on one value.
const BACKTRACK_LIMIT: usize = 100_000;

/// Maximum errors of all walks of one coercion.
const READING_ERRORS: usize = 3 * json_ref::MAX_ERRORS;

/// Maximum steps of data for a recursive schema, plus more for each value in it.
const STEPS: u64 = 50_000;
const STEPS_PER_VALUE: u64 = 500;

/// A compiled JSON Schema (2020-12).
///
/// Validation counts toward the budget of the thread, or else the default one.
pub struct Schema {
    validator: Validator<Borrowed>,
    text: Box<str>,
    /// Whether it is recursive. In a recursive union, each level of the data multiplies the number of checks.
    is_recursive: bool,
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
    ///     "- /date: is required, but missing\n- /seats: must be at least 1, not 0",
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
            return Err(Error::new(Kind::Schema, "a JSON Schema must be an object"));
        }
        if !describes_object(schema) {
            return Err(Error::new(
                Kind::Schema,
                "the schema must describe an object: tool arguments are named",
            )
            .with_pointer("/type")
            .with_help("write \"type\": \"object\" and put the values under \"properties\""));
        }
        let cost = cost::cost(schema);
        if cost.checks > cost::MAX_COST {
            return Err(Error::new(
                Kind::Schema,
                "the schema refers to itself so often that validation would never end",
            ));
        }
        let validator = build(schema).map_err(|error| compile_error(&error, schema))?;
        Ok(Self { validator, text, is_recursive: cost.is_recursive })
    }

    /// The schema as JSON text.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Whether the data is valid.
    pub fn is_valid(&self, data: &Value) -> bool {
        self.accepts(&data.into()) == Ok(true)
    }

    /// [`Self::is_valid`] for borrowed data; fails if the budget is exceeded.
    fn accepts(&self, data: &JsonRef<'_>) -> std::result::Result<bool, Unchecked> {
        self.within_steps(data, || within_budget(|| self.validator.is_valid(data)))?
    }

    /// Runs work on data, with a limit of steps that depends on its size.
    fn within_steps<T>(
        &self,
        data: &JsonRef<'_>,
        work: impl FnOnce() -> T,
    ) -> std::result::Result<T, Unchecked> {
        if !self.is_recursive {
            return Ok(work());
        }
        let most = STEPS + STEPS_PER_VALUE * json_ref::size(data);
        budget::at_most(most, work).map_err(Unchecked::Exceeded)
    }

    /// Validates data, and lists the violations.
    pub fn validate(&self, data: &Value) -> std::result::Result<(), Violations> {
        self.validate_data(&data.into())
    }

    /// [`Self::validate`] for borrowed data.
    pub fn validate_data(&self, data: &JsonRef<'_>) -> std::result::Result<(), Violations> {
        match self.accepts(data) {
            Ok(true) => Ok(()),
            Ok(false) => Err(self.violations(data)),
            Err(unchecked) => Err(Violations::unchecked(unchecked)),
        }
    }

    /// [`Self::validate_data`], but a null that the schema does not allow counts as absent. Language models,
    /// and Python's optional fields, send null for an unknown value. If the property is required, or another
    /// violation remains without the nulls, all are listed.
    pub(crate) fn validate_without_nulls(
        &self,
        data: &JsonRef<'_>,
    ) -> std::result::Result<(), Violations> {
        let Err(violations) = self.validate_data(data) else { return Ok(()) };
        let read = has_null(data).then(|| self.draft(data, Reading::Nulls));
        read.flatten().map(drop).ok_or(violations)
    }

    /// Coerces data that is not valid, and removes nulls that count as absent. `None` if there is not exactly
    /// one way to coerce it, or if the data is valid.
    ///
    /// ```
    /// use serde_json::json;
    /// use widgetcast_core::{Reading, Schema};
    ///
    /// let schema = Schema::compile(&json!({"type": "object", "properties": {
    ///     "seats": {"type": "integer"}, "tags": {"type": "array"}, "note": {"type": "string"},
    /// }}))?;
    /// let sent = json!({"seats": "2", "tags": "[1]", "note": null});
    /// let read = schema.read(&(&sent).into(), Reading::Lossless);
    /// assert_eq!(read, Some(json!({"seats": 2, "tags": [1]})));
    /// # Ok::<(), widgetcast_core::Error>(())
    /// ```
    pub fn read(&self, data: &JsonRef<'_>, how: Reading) -> Option<Value> {
        let read = self.draft(data, how)?.without_nulls();
        (JsonRef::from(&read) != *data).then_some(read)
    }

    /// Like [`Self::read`], but keeps the nulls, for the templates of widgets.
    pub fn read_with_nulls(&self, data: &JsonRef<'_>, how: Reading) -> Option<Value> {
        let read = self.draft(data, how)?.with_nulls();
        (JsonRef::from(&read) != *data).then_some(read)
    }

    fn draft(&self, data: &JsonRef<'_>, how: Reading) -> Option<Draft> {
        let errors_left = Cell::new(READING_ERRORS);
        let read = || {
            reading::read(data.to_value(), how, &|data, find| {
                let found = self.errors(&data.into(), &errors_left, |errors, is_cut| {
                    (!is_cut).then(|| find(&errors))
                });
                found.ok()?
            })
        };
        self.within_steps(data, read).ok()?
    }

    fn violations(&self, data: &JsonRef<'_>) -> Violations {
        let listed = self.errors(data, &Cell::new(usize::MAX), |errors, is_cut| {
            Violations::new(errors.into_iter(), is_cut)
        });
        listed.unwrap_or_else(Violations::unchecked)
    }

    /// Passes the validator's errors to a function, and whether there are more. There may be many, from
    /// which those are taken.
    fn errors<T>(
        &self,
        data: &JsonRef<'_>,
        left: &Cell<usize>,
        read: impl FnOnce(Vec<ValidationError<'_>>, bool) -> T,
    ) -> std::result::Result<T, Unchecked> {
        let walk = match has_hard_pattern(&self.text) {
            true => Walk::copied(data, left.get()).ok_or(Unchecked::Pattern)?,
            false => Walk::start(data, left.get()),
        };
        let errors = || {
            within_budget(|| {
                let errors = self.validator.iter_errors(data).collect();
                read(errors, walk.is_cut())
            })
        };
        let outcome = self.within_steps(data, errors);
        left.set(left.get() - walk.made());
        outcome?
    }
}

fn has_null(data: &JsonRef<'_>) -> bool {
    match data {
        JsonRef::Null => true,
        JsonRef::List(items) => items.iter().any(has_null),
        JsonRef::Object(members) => members.iter().any(|(_, member)| has_null(member)),
        _ => false,
    }
}

/// Why data could not be checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unchecked {
    Exceeded(Exceeded),
    /// A pattern of the schema may be too expensive for it.
    Pattern,
}

/// Whether a schema may have a regular expression with look-around or back references, whose matching can
/// take exponential time, and is then aborted.
fn has_hard_pattern(schema: &str) -> bool {
    ["(?=", "(?!", "(?<"].iter().any(|part| schema.contains(part))
        || schema
            .match_indices(r"\\")
            .any(|(at, _)| schema[at + 2..].starts_with(|c: char| c.is_ascii_digit() || c == 'k'))
}

/// Runs the validator. It panics if the regex engine does.
fn within_budget<T>(work: impl FnOnce() -> T) -> std::result::Result<T, Unchecked> {
    let outcome = Budget::run_within(|| catch_unwind(AssertUnwindSafe(work)));
    outcome.map_err(Unchecked::Exceeded)?.map_err(|_| Unchecked::Pattern)
}

fn build(schema: &Value) -> std::result::Result<Validator<Borrowed>, ValidationError<'static>> {
    jsonschema::options_for::<Borrowed>()
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

/// Why a schema cannot be compiled.
fn compile_error(error: &ValidationError<'_>, schema: &Value) -> Error {
    let ValidationErrorKind::Referencing(cause) = error.kind() else {
        let message =
            message::of(error, Some(&message::describe(&JsonRef::from(&**error.instance()))));
        let pointer = error.instance_path().to_string();
        let help = habit_help(&pointer, error.instance());
        return Error::new(Kind::Schema, format!("the schema is not valid: {message}"))
            .with_pointer(pointer)
            .with_help(help);
    };
    let is_remote = |uri: &str| !uri.starts_with('#');
    let is_lost = |uri: &str| {
        uri.strip_prefix('#').is_some_and(|at| at.starts_with('/') && schema.pointer(at).is_none())
    };
    if let (None, Some((pointer, uri))) =
        (reference(schema, "", &is_remote), reference(schema, "", &is_lost))
    {
        return Error::new(Kind::Schema, format!("the schema has no {uri}"))
            .with_pointer(pointer)
            .with_help(near_definition(schema, uri));
    }
    let (pointer, message) = match reference(schema, "", &is_remote) {
        Some((pointer, uri)) => (pointer, format!("the reference {uri} points outside the schema")),
        None => (String::new(), format!("a reference cannot be resolved: {cause}")),
    };
    Error::new(Kind::SchemaRemote, message).with_pointer(pointer).with_help(
        "only references within the schema (`#/$defs/…`) are resolved; nothing is fetched",
    )
}

/// What users write in a schema by habit, and what to write instead.
fn habit_help(pointer: &str, found: &Value) -> String {
    let mut steps = pointer.rsplit('/').map(locate::unescaped);
    let (last, before, above) = (steps.next(), steps.next(), steps.next());
    match (last.as_deref(), before, above.as_deref(), found) {
        (Some("required"), Some(name), Some("properties"), Value::Bool(true)) => {
            format!("add {name} to `required: [{name}]` of the enclosing object")
        }
        (Some("required"), Some(_), Some("properties"), Value::Bool(false)) => {
            "remove it: properties that are not in `required` of the enclosing object are optional"
                .into()
        }
        (Some(_), Some(before), _, Value::String(kind)) if before == "properties" => {
            format!("write `{{\"type\": \"{kind}\"}}`")
        }
        (Some("type"), _, _, Value::String(kind)) => {
            let (of, format) = match kind.as_str() {
                "date" | "time" | "email" | "uri" | "uuid" | "date-time" => {
                    ("string", Some(kind.as_str()))
                }
                "datetime" => ("string", Some("date-time")),
                "url" => ("string", Some("uri")),
                "text" | "str" => ("string", None),
                "int" => ("integer", None),
                "float" | "double" | "decimal" => ("number", None),
                "bool" => ("boolean", None),
                "list" => ("array", None),
                "dict" | "map" => ("object", None),
                _ => return String::new(),
            };
            match format {
                Some(format) => {
                    format!("write `{{\"type\": \"{of}\", \"format\": \"{format}\"}}`")
                }
                None => format!("write `\"type\": \"{of}\"`"),
            }
        }
        _ => String::new(),
    }
}

/// The definition that a dangling reference probably means, if any is similar.
fn near_definition(schema: &Value, uri: &str) -> String {
    let Some((around, name)) = uri.trim_start_matches('#').rsplit_once('/') else {
        return String::new();
    };
    match schema.pointer(around).and_then(Value::as_object) {
        Some(known) => did_you_mean(&locate::unescaped(name), known.keys().map(String::as_str)),
        None => format!("add it under `{}`", around.trim_start_matches('/')),
    }
}

/// The first dangling reference, with its place in the schema.
fn reference<'s>(
    schema: &'s Value,
    at: &str,
    is_wanted: &dyn Fn(&str) -> bool,
) -> Option<(String, &'s str)> {
    match schema {
        Value::Object(members) => members.iter().find_map(|(key, value)| {
            let at = format!("{at}/{}", locate::escaped(key));
            match value {
                Value::String(uri) if key == "$ref" && is_wanted(uri) => Some((at, uri.as_str())),
                value => reference(value, &at, is_wanted),
            }
        }),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .find_map(|(index, item)| reference(item, &format!("{at}/{index}"), is_wanted)),
        _ => None,
    }
}
