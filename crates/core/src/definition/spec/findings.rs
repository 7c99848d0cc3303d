//! Findings about the fields of a definition that loads: names that no one reads, values of the wrong
//! type, and slips in the schema.

use serde_json::{Map, Value};
use widgetcast_engine::error::{Error, Finding, Fix, Kind, Severity};
use widgetcast_engine::json::locate;

use super::{Source, fields, keywords, repairs};

/// The most findings about one definition: each is looked up in the file, which takes time.
const MAX_FINDINGS: usize = 100;

/// Everything that is odd about the fields, with its place.
pub(crate) fn findings(source: &Source<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    found.extend(version(source));
    let members = source.members();
    let unknown = members.keys().filter(|name| !fields::is_known(name));
    found.extend(unknown.take(MAX_FINDINGS).map(|name| unknown_field(source, name)));
    found.extend(wrong_types(source));
    found.extend(unread_tree(source, &members));
    found.extend(source.lost_values().into_iter().take(MAX_FINDINGS).map(|range| {
        let written = &source.written()[range.clone()];
        let error = Error::new(Kind::FileSyntax, "`#` starts a comment, so there is no value here")
            .with_help(format!("put it in quotes: \"{written}\""))
            .with_place(locate::place(source.written(), &range));
        Finding::new(Severity::Warning, error)
    }));
    let twice = source.keys_given_twice().into_iter().take(MAX_FINDINGS);
    found.extend(twice.map(|error| Finding::new(Severity::Warning, error)));
    if let Some(schema) = members.get("jsonSchema") {
        found.extend(schema_findings(source, schema));
    }
    found
}

fn version(source: &Source<'_>) -> Option<Finding> {
    source.version_edit()?;
    let error = Error::new(Kind::Version, "other implementations accept only the string \"1.0\"")
        .with_help(source.write("version", "\"1.0\""))
        .with_place(source.place_of("/version"));
    Some(Finding { severity: Severity::Warning, error, fix: Fix::Applied })
}

/// A tree next to a template.
fn unread_tree(source: &Source<'_>, members: &Map<String, Value>) -> Option<Finding> {
    if !members.contains_key("widget") || source.is_tree() {
        return None;
    }
    let message = "`widget` is ignored, because there is a `template`";
    let error = Error::new(Kind::UnknownField, message)
        .with_help("remove one of the two")
        .with_place(source.place_of_key("/widget"));
    Some(Finding::new(Severity::Warning, error))
}

/// A field that no one reads. It matters if another was meant that is not there.
fn unknown_field(source: &Source<'_>, name: &str) -> Finding {
    let meant = fields::meant(name);
    let is_lost = meant.is_some_and(|field| fields::is_same(field, name) || !source.has(field));
    let (severity, help) = match meant.filter(|_| is_lost) {
        Some(field) => (Severity::Warning, format!("did you mean {field}?")),
        None => (
            Severity::Note,
            format!("known fields: {}; prefix custom fields with x-", fields::list()),
        ),
    };
    let message = format!("`{name}` is not a widget field; it is ignored");
    let pointer = format!("/{}", locate::escaped(name));
    let error = Error::new(Kind::UnknownField, message)
        .with_help(help)
        .with_place(source.place_of_key(&pointer));
    let fix = match repairs::same_field(source, name) {
        Some(_) => Fix::Offered,
        None => Fix::None,
    };
    Finding { severity, error, fix }
}

/// Fields that do not keep a widget from being drawn, and so are not checked when it is loaded.
fn wrong_types(source: &Source<'_>) -> Vec<Finding> {
    let members = source.members();
    let is_texts =
        |value: &Value| value.as_array().is_some_and(|items| items.iter().all(Value::is_string));
    let mut found = Vec::new();
    let mut wrong = |field: &str, what: &str, help: String, fix: Fix| {
        let message = format!("{field} must be {what}; it is ignored");
        let error = Error::new(Kind::FieldType, message)
            .with_help(help)
            .with_place(source.place_of(&format!("/{field}")));
        found.push(Finding { severity: Severity::Warning, error, fix });
    };
    match members.get("accept") {
        Some(Value::String(name)) => {
            let list = Value::from(vec![name.as_str()]).to_string();
            wrong("accept", "a list of strings", source.write("accept", &list), Fix::Offered);
        }
        Some(value) if !value.is_null() && !is_texts(value) => {
            wrong(
                "accept",
                "a list of strings",
                source.write("accept", "[\"slack-blocks\"]"),
                Fix::None,
            );
        }
        _ => {}
    }
    if members.get("encodedWidget").is_some_and(|value| !value.is_null() && !value.is_string()) {
        wrong(
            "encodedWidget",
            "a string",
            "remove it, or export the file again".to_owned(),
            Fix::None,
        );
    }
    found
}

fn schema_findings(source: &Source<'_>, schema: &Value) -> Vec<Finding> {
    let suggestion = |meant: Option<&str>| {
        meant.map(|meant| format!("did you mean {meant}?")).unwrap_or_default()
    };
    let slips = keywords::misspelt(schema).into_iter().take(MAX_FINDINGS).map(|slip| {
        let message = format!("`{}` is not a JSON Schema keyword; it has no effect", slip.word);
        let pointer = format!("/jsonSchema{}", slip.pointer);
        Error::new(Kind::UnknownKeyword, message)
            .with_help(suggestion(slip.meant.as_deref()))
            .with_place(source.place_of_key(&pointer))
    });
    let required = keywords::undeclared(schema).into_iter().take(MAX_FINDINGS).map(|slip| {
        let message = format!("`{}` is required, but not declared under properties", slip.word);
        let pointer = format!("/jsonSchema{}", slip.pointer);
        Error::new(Kind::RequiredUndeclared, message)
            .with_help(suggestion(slip.meant.as_deref()))
            .with_place(source.place_of(&pointer))
    });
    let stray = keywords::stray_properties(schema).into_iter().take(MAX_FINDINGS).map(|slip| {
        let message = format!("`{}` is not a JSON Schema keyword; it has no effect", slip.word);
        let pointer = format!("/jsonSchema{}", slip.pointer);
        Error::new(Kind::UnknownKeyword, message)
            .with_help("declare properties under `properties`")
            .with_place(source.place_of_key(&pointer))
    });
    let contradictions = keywords::contradictions(schema).into_iter();
    let wrong = contradictions.chain(keywords::wrong_defaults(schema)).take(MAX_FINDINGS);
    let wrong = wrong.map(|(pointer, message)| {
        let pointer = format!("/jsonSchema{pointer}");
        Error::new(Kind::Schema, message).with_place(source.place_of(&pointer))
    });
    let all = slips.chain(required).chain(stray).chain(wrong);
    all.map(|error| Finding::new(Severity::Warning, error)).collect()
}
