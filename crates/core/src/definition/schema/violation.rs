//! Violations: what must change in the data, as a list that models and people read.

use std::fmt;

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind;
use widgetcast_engine::json::locate;

use super::message;

/// The most violations that are listed.
const MAX_VIOLATIONS: usize = 50;

/// The message about a property that is required and absent.
const MISSING: &str = "is missing, and it is required";

/// The message about a property that the schema does not allow.
const UNKNOWN: &str = "is not a known property; leave it out";

/// One thing to change in the data.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
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
    /// The violations behind the validator's errors.
    pub(super) fn new<'e>(errors: impl Iterator<Item = ValidationError<'e>>) -> Self {
        let mut list = Vec::new();
        for error in errors.take(MAX_VIOLATIONS) {
            collect(&error, &mut list);
        }
        list.dedup();
        Self(list)
    }

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

/// Adds what one error of the validator asks for.
fn collect(error: &ValidationError<'_>, list: &mut Vec<Violation>) {
    let pointer = error.instance_path().to_string();
    let about_property = |name: &str, message: &str| Violation {
        pointer: format!("{pointer}/{}", locate::escaped(name)),
        message: message.to_owned(),
        masked: message.to_owned(),
    };
    match error.kind() {
        ValidationErrorKind::Required { property } => {
            list.push(about_property(property.as_str().unwrap_or_default(), MISSING));
        }
        ValidationErrorKind::AdditionalProperties { unexpected }
        | ValidationErrorKind::UnevaluatedProperties { unexpected } => {
            let unexpected = unexpected.iter().take(MAX_VIOLATIONS);
            list.extend(unexpected.map(|name| about_property(name, UNKNOWN)));
        }
        _ => {
            let message = message::of(error, Some(&message::describe(error.instance())));
            list.push(Violation { pointer, message, masked: message::of(error, None) });
        }
    }
}
