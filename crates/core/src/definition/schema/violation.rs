//! Violations: what must change in the data, as a list that models and users read.

use std::fmt;

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind;
use widgetcast_engine::error::grouped;
use widgetcast_engine::json::locate;
use widgetcast_engine::limits::Limits;

use super::{Unchecked, message};

/// The message about a property that is required and absent.
const MISSING: &str = "is required, but missing";

/// The message about a property that the schema does not allow.
const UNKNOWN: &str = "is not a known property; remove it";

/// One violation of a schema.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Violation {
    /// The JSON pointer of the value.
    pub pointer: String,
    /// What is expected, and what was found.
    pub message: String,
    /// The message without any value from the data.
    pub masked: String,
}

impl Violation {
    /// Whether it is a property that the schema does not allow.
    pub(crate) fn is_unknown_property(&self) -> bool {
        self.message == UNKNOWN
    }
}

/// The violations of a schema: the first [`Limits::VIOLATIONS`], and the number of the rest. Displayed as a
/// list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violations {
    list: Vec<Violation>,
    /// How many are not listed.
    rest: usize,
    /// Whether there are still more, which no one has counted.
    is_cut: bool,
}

impl Violations {
    /// The violations behind the validator's errors.
    pub(super) fn new<'e>(errors: impl Iterator<Item = ValidationError<'e>>, is_cut: bool) -> Self {
        let (mut list, mut rest) = (Vec::new(), 0);
        for error in errors {
            if list.len() < Limits::VIOLATIONS {
                collect(&error, &mut list);
                list.dedup();
            } else {
                rest += 1;
            }
        }
        rest += list.len().saturating_sub(Limits::VIOLATIONS);
        list.truncate(Limits::VIOLATIONS);
        Self { list, rest, is_cut }
    }

    /// The violation of data that could not be checked.
    pub(super) fn unchecked(why: Unchecked) -> Self {
        let message = match why {
            Unchecked::Exceeded(exceeded) => format!("checking it {exceeded}"),
            Unchecked::Pattern => {
                "does not match, or takes too long to match against a pattern".into()
            }
        };
        let list = vec![Violation { pointer: String::new(), masked: message.clone(), message }];
        Self { list, rest: 0, is_cut: false }
    }

    /// The violations that are listed, in the order of the schema.
    pub fn list(&self) -> &[Violation] {
        &self.list
    }

    /// The number of violations that are not listed.
    pub fn rest(&self) -> usize {
        self.rest
    }

    /// The required properties that are missing, by their dotted names.
    pub fn missing(&self) -> Vec<String> {
        let missing = self.list.iter().filter(|violation| violation.message == MISSING);
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
        let mut lines: Vec<String> = self.list.iter().map(line).collect();
        if self.rest > 0 {
            let more = if self.is_cut { "more than " } else { "" };
            lines.push(format!("- and {more}{} more", grouped(self.rest)));
        }
        lines.join("\n")
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
            list.extend(unexpected.iter().map(|name| about_property(name, UNKNOWN)));
        }
        // If no property is declared, the validator does not report which one is unexpected.
        ValidationErrorKind::FalseSchema
            if error.schema_path().as_str().ends_with("/additionalProperties") =>
        {
            let message = "takes no properties; send {}".to_owned();
            list.push(Violation { pointer, masked: message.clone(), message });
        }
        _ => {
            let message = message::of(error, Some(message::found_by(error)));
            list.push(Violation { pointer, message, masked: message::of(error, None) });
        }
    }
}
