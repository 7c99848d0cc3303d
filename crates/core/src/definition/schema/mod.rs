//! JSON Schema: compiling one, validating data, and saying what to change.
//!
//! References are resolved inside the schema only; nothing is ever fetched.

mod json_ref;

use std::collections::HashMap;
use std::fmt;

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{PatternOptions, ValidationError, Validator};
use serde_json::Value;
use widgetcast_engine::error::{Error, Kind, Result};
use widgetcast_engine::json::JsonRef;
use widgetcast_engine::json::locate;
use widgetcast_engine::tree::brief;

use json_ref::Borrowed;

/// Steps that a regular expression may take on one value.
const BACKTRACK: usize = 100_000;
/// Violations that are worth listing.
const MOST: usize = 50;

/// Schemas that checking one value may visit.
const MOST_WORK: u64 = 200_000;

/// How many schemas a value may be checked against, references followed: two references to the next
/// schema, thirty levels deep, are a thousand million.
fn work(root: &Value, schema: &Value, known: &mut HashMap<String, u64>, depth: usize) -> u64 {
    if depth > 200 {
        return MOST_WORK + 1;
    }
    match schema {
        Value::Object(members) => members.iter().fold(1, |sum: u64, (key, value)| {
            let inner = match (key.as_str(), value.as_str()) {
                ("$ref", Some(target)) => match known.get(target) {
                    Some(work) => *work,
                    None => {
                        // A circle ends where the data does.
                        known.insert(target.to_owned(), 1);
                        let found =
                            target.strip_prefix('#').and_then(|pointer| root.pointer(pointer));
                        let inner = found.map_or(1, |found| work(root, found, known, depth + 1));
                        known.insert(target.to_owned(), inner);
                        inner
                    }
                },
                // Data, not schemas.
                ("enum" | "const" | "default" | "examples", _) => 0,
                _ => work(root, value, known, depth + 1),
            };
            sum.saturating_add(inner)
        }),
        Value::Array(items) => {
            let each = items.iter().map(|item| work(root, item, known, depth + 1));
            each.fold(0, u64::saturating_add)
        }
        _ => 0,
    }
}

/// What is said of a property that is required and not there.
const MISSING: &str = "is missing, and it is required";

/// A compiled JSON Schema (2020-12).
pub struct Schema {
    validator: Validator<Borrowed>,
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
        if !matches!(schema, Value::Object(_) | Value::Bool(true)) {
            return Err(Error::new(Kind::Schema, "a JSON Schema is an object"));
        }
        let object = |kind: &Value| kind == "object";
        let types = match &schema["type"] {
            Value::Array(types) => types.iter().any(object),
            Value::Null => true,
            kind => object(kind),
        };
        if !types {
            return Err(Error::new(
                Kind::Schema,
                "the schema must describe an object: a tool's arguments have names",
            )
            .with_pointer("/type")
            .with_help("write \"type\": \"object\" and put the values under \"properties\""));
        }
        if work(schema, schema, &mut HashMap::new(), 0) > MOST_WORK {
            return Err(Error::new(
                Kind::Schema,
                "the schema refers to itself so often that checking data would never end",
            ));
        }
        let validator = jsonschema::options_for::<Borrowed>()
            .should_validate_formats(true)
            .should_ignore_unknown_formats(true)
            .with_pattern_options(PatternOptions::fancy_regex().backtrack_limit(BACKTRACK))
            .build(schema)
            .map_err(|error| match error.kind() {
                ValidationErrorKind::Referencing(cause) => {
                    let (pointer, message) = match remote(schema, "") {
                        Some((pointer, uri)) => (pointer, format!("the reference {uri} leads out of the schema")),
                        None => (String::new(), format!("a reference cannot be resolved: {cause}")),
                    };
                    Error::new(Kind::SchemaRemote, message).with_pointer(pointer).with_help(
                        "only references inside the schema (`#/$defs/…`) are followed; nothing is fetched",
                    )
                }
                _ => {
                    let words = words(&error, &not(&error));
                    Error::new(Kind::Schema, format!("the schema is not valid: {words}"))
                        .with_pointer(error.instance_path().to_string())
                }
            })?;
        Ok(Self { validator })
    }

    /// Whether the data fits.
    pub fn is_valid(&self, data: &Value) -> bool {
        self.accepts(&data.into())
    }

    /// The same of data that is still where it was read.
    pub(crate) fn accepts(&self, data: &JsonRef<'_>) -> bool {
        self.validator.is_valid(data)
    }

    /// Lists every violation.
    pub fn validate(&self, data: &Value) -> std::result::Result<(), Violations> {
        self.validate_data(&data.into())
    }

    /// The same for borrowed data.
    pub fn validate_data(&self, data: &JsonRef<'_>) -> std::result::Result<(), Violations> {
        if self.accepts(data) {
            return Ok(());
        }
        let mut list = Vec::new();
        for error in self.validator.iter_errors(data).take(MOST) {
            violations(&error, data, &mut list);
        }
        list.dedup();
        Err(Violations(list))
    }

    /// Whether the data fits once the nulls that only stand for "not given" are left out.
    ///
    /// Language models, and Python's optional fields, send null for what they do not know. Where
    /// the schema does not allow it and does not require the property, absent is what is meant.
    pub(crate) fn is_valid_without_nulls(&self, data: &JsonRef<'_>) -> bool {
        let stray: Option<Vec<String>> = self
            .validator
            .iter_errors(data)
            .map(|error| error.instance().is_null().then(|| error.instance_path().to_string()))
            .collect();
        let mut pruned = data.to_value();
        for pointer in stray.iter().flatten() {
            let Some((parent, key)) = pointer.rsplit_once('/') else { return false };
            let key = locate::unescaped(key);
            if let Some(Value::Object(members)) = pruned.pointer_mut(parent) {
                members.shift_remove(&key);
            }
        }
        stray.is_some() && self.accepts(&(&pruned).into())
    }
}

/// One thing to change in the data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Where, as a JSON pointer.
    pub pointer: String,
    /// What is expected, and what was found.
    pub message: String,
    /// The same without any value from the data.
    pub masked: String,
}

/// Everything that must change before the data fits. Prints as a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violations(Vec<Violation>);

impl Violations {
    /// The violations, in the order of the schema.
    pub fn list(&self) -> &[Violation] {
        &self.0
    }

    /// The properties that are required and missing, by their dotted names.
    pub fn missing(&self) -> Vec<String> {
        let missing = self.0.iter().filter(|violation| violation.message == MISSING);
        missing
            .map(|violation| violation.pointer.trim_start_matches('/').replace('/', "."))
            .collect()
    }

    /// The list without any value from the data, for logs.
    pub fn masked(&self) -> String {
        self.lines(|violation| &violation.masked)
    }

    fn lines(&self, text: impl Fn(&Violation) -> &str) -> String {
        let line = |v: &Violation| {
            let place = if v.pointer.is_empty() { "the data" } else { &v.pointer };
            format!("- {place}: {}", text(v))
        };
        self.0.iter().map(line).collect::<Vec<_>>().join("\n")
    }
}

impl fmt::Display for Violations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.lines(|violation| &violation.message))
    }
}

impl std::error::Error for Violations {}

fn violations(error: &ValidationError<'_>, data: &JsonRef<'_>, list: &mut Vec<Violation>) {
    let at = error.instance_path().to_string();
    let mut push = |pointer: String, message: String, masked: String| {
        list.push(Violation { pointer, message, masked });
    };
    match error.kind() {
        ValidationErrorKind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            let words = MISSING.to_owned();
            push(format!("{at}/{}", locate::escaped(name)), words.clone(), words);
        }
        ValidationErrorKind::AdditionalProperties { unexpected }
        | ValidationErrorKind::UnevaluatedProperties { unexpected } => {
            for name in unexpected.iter().take(MOST) {
                let words = "is not a known property; leave it out".to_owned();
                push(format!("{at}/{}", locate::escaped(name)), words.clone(), words);
            }
        }
        _ => {
            let not = match data.pointer(&at) {
                Some(JsonRef::List(items)) => format!(", not a list of {}", items.len()),
                _ => not(error),
            };
            push(at, words(error, &not), words(error, ""));
        }
    }
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

/// What an error is about, as its words end where it may be shown.
fn not(error: &ValidationError<'_>) -> String {
    format!(", not {}", found(error.instance()))
}

/// What must change; `not` is how it ends, or nothing.
fn words(error: &ValidationError<'_>, not: &str) -> String {
    use ValidationErrorKind as K;
    let shown = !not.is_empty();
    let plural = |limit: &u64| if *limit == 1 { "" } else { "s" };
    let alternatives = |context: &[Vec<ValidationError<'static>>]| {
        let each = context.iter().take(6).filter_map(|errors| errors.first());
        let mut each: Vec<String> = each.map(|error| words(error, "")).collect();
        each.dedup();
        each.join(", or ")
    };
    match error.kind() {
        K::Type { kind } => {
            let name = |kind: jsonschema::JsonType| match kind.to_string().as_str() {
                "null" => "null".to_owned(),
                "integer" => "a whole number".to_owned(),
                "boolean" => "true or false".to_owned(),
                "object" => "an object".to_owned(),
                "array" => "a list".to_owned(),
                other => format!("a {other}"),
            };
            let kinds = match kind {
                TypeKind::Single(kind) => name(*kind),
                TypeKind::Multiple(set) => set.iter().map(name).collect::<Vec<_>>().join(" or "),
            };
            format!("must be {kinds}{not}")
        }
        K::Enum { options } => {
            let options: Vec<String> =
                options.as_array().into_iter().flatten().take(30).map(Value::to_string).collect();
            format!("must be one of {}{not}", options.join(", "))
        }
        K::Constant { expected_value } => format!("must be {expected_value}{not}"),
        K::Minimum { limit } => format!("must be at least {limit}{not}"),
        K::Maximum { limit } => format!("must be at most {limit}{not}"),
        K::ExclusiveMinimum { limit } => format!("must be more than {limit}{not}"),
        K::ExclusiveMaximum { limit } => format!("must be less than {limit}{not}"),
        K::MultipleOf { multiple_of } => format!("must be a multiple of {multiple_of}{not}"),
        K::MinLength { limit } => {
            format!("must have at least {limit} character{}{not}", plural(limit))
        }
        K::MaxLength { limit } => {
            format!("must have at most {limit} character{}{not}", plural(limit))
        }
        K::MinItems { limit } => format!("must have at least {limit} item{}", plural(limit)),
        K::MaxItems { limit } => format!("must have at most {limit} item{}", plural(limit)),
        K::MinProperties { limit } => format!("must have at least {limit} member{}", plural(limit)),
        K::MaxProperties { limit } => format!("must have at most {limit} member{}", plural(limit)),
        K::UniqueItems => "must not hold the same item twice".to_owned(),
        K::Pattern { pattern } => format!("must match the pattern {pattern}{not}"),
        K::BacktrackLimitExceeded { .. } | K::RegexEngineFailure { .. } => {
            "is too hard to match against its pattern".to_owned()
        }
        K::Format { format } => format!("must be a valid {format}{not}"),
        K::Contains => "must hold an item of the required form".to_owned(),
        K::AdditionalItems { limit } => format!("must have at most {limit} items"),
        K::UnevaluatedItems { .. } => "has items that are not allowed".to_owned(),
        K::PropertyNames { error } => {
            let not = if shown { self::not(error) } else { String::new() };
            format!("has a member whose name {}", words(error, &not))
        }
        K::FalseSchema => "is not allowed here; leave it out".to_owned(),
        K::Not { .. } => "has a form that is not allowed".to_owned(),
        K::AnyOf { context } | K::OneOfNotValid { context } => {
            format!("{}{not}", alternatives(context))
        }
        K::OneOfMultipleValid { .. } => {
            "fits more than one of the forms, and must fit one".to_owned()
        }
        K::ContentEncoding { content_encoding: what }
        | K::ContentMediaType { content_media_type: what } => {
            format!("must be {what}")
        }
        K::Required { property } => format!("must have {property}"),
        K::AdditionalProperties { unexpected } | K::UnevaluatedProperties { unexpected } => {
            format!("must not have {}", unexpected.join(", "))
        }
        K::Custom { .. } | K::FromUtf8 { .. } | K::Referencing(_) => {
            if shown {
                error.to_string()
            } else {
                error.masked().to_string()
            }
        }
    }
}

fn found(value: &Value) -> String {
    match value {
        Value::String(text) => brief(text),
        Value::Array(items) => format!("a list of {}", items.len()),
        Value::Object(_) => "an object".to_owned(),
        scalar => scalar.to_string(),
    }
}
