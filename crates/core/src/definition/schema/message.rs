//! The message of a violation, by schema keyword.

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{JsonType, ValidationError};
use serde_json::Value;
use widgetcast_engine::json::JsonRef;
use widgetcast_engine::tree::brief;

/// Maximum values of an `enum` in a message.
const MAX_OPTIONS: usize = 30;
/// Maximum branches of a union in a message.
const MAX_BRANCHES: usize = 6;

/// What must change. `found` is the value as in [`describe`]; without it, the message contains no data, so
/// that it can be logged.
pub(super) fn of(error: &ValidationError<'_>, found: Option<&str>) -> String {
    use ValidationErrorKind as K;
    let not = found.map(|found| format!(", not {found}")).unwrap_or_default();
    let plural = |limit: &u64| if *limit == 1 { "" } else { "s" };
    let properties = |limit: &u64| if *limit == 1 { "property" } else { "properties" };
    match error.kind() {
        K::Type { kind } => {
            let types = match kind {
                TypeKind::Single(kind) => type_name(*kind).to_owned(),
                TypeKind::Multiple(set) => {
                    set.iter().map(type_name).collect::<Vec<_>>().join(" or ")
                }
            };
            format!("must be {types}{not}")
        }
        K::Enum { options } => {
            let options = options.as_array().into_iter().flatten().take(MAX_OPTIONS);
            let options: Vec<String> = options.map(Value::to_string).collect();
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
        K::MinProperties { limit } => format!("must have at least {limit} {}", properties(limit)),
        K::MaxProperties { limit } => format!("must have at most {limit} {}", properties(limit)),
        K::UniqueItems => "must not contain duplicate items".to_owned(),
        K::Pattern { pattern } => format!("must match the pattern {pattern}{not}"),
        K::BacktrackLimitExceeded { .. } | K::RegexEngineFailure { .. } => {
            "takes too long to match against its pattern".to_owned()
        }
        K::Format { format } => format!("must be a valid {format}{not}"),
        K::Contains => "must contain an item that matches the schema".to_owned(),
        K::AdditionalItems { limit } => format!("must have at most {limit} items"),
        K::UnevaluatedItems { .. } => "has items that are not allowed".to_owned(),
        K::PropertyNames { error } => {
            let found = found.map(|_| found_by(error));
            format!("has a property whose name {}", of(error, found))
        }
        K::FalseSchema => "is not allowed here; remove it".to_owned(),
        K::Not { .. } => "must not match the schema".to_owned(),
        K::AnyOf { context } | K::OneOfNotValid { context } => {
            format!("{}{not}", alternatives(context))
        }
        K::OneOfMultipleValid { .. } => {
            "matches more than one of the alternatives, but must match exactly one".to_owned()
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
            if found.is_some() {
                error.to_string()
            } else {
                error.masked().to_string()
            }
        }
    }
}

fn type_name(kind: JsonType) -> &'static str {
    match kind {
        JsonType::Null => "null",
        JsonType::Boolean => "true or false",
        JsonType::Integer => "an integer",
        JsonType::Number => "a number",
        JsonType::String => "a string",
        JsonType::Array => "a list",
        JsonType::Object => "an object",
    }
}

/// The first requirement of each branch of a union.
fn alternatives(branches: &[Vec<ValidationError<'static>>]) -> String {
    let first = branches.iter().take(MAX_BRANCHES).filter_map(|errors| errors.first());
    let mut each: Vec<String> = first.map(|error| of(error, None)).collect();
    each.dedup();
    each.join(", or ")
}

/// The value of an error about borrowed data, which contains its description.
pub(super) fn found_by<'e>(error: &'e ValidationError<'_>) -> &'e str {
    // Data that was copied as a whole is an object, as the arguments of a tool are.
    error.instance().as_str().unwrap_or("an object")
}

/// A value, short enough for a message.
pub(super) fn describe(value: &JsonRef<'_>) -> String {
    match value {
        JsonRef::Text(text) => brief(text),
        JsonRef::List(items) => match items.len() {
            1 => "a list with 1 item".to_owned(),
            many => format!("a list with {many} items"),
        },
        JsonRef::Object(_) => "an object".to_owned(),
        scalar => scalar.to_value().to_string(),
    }
}
