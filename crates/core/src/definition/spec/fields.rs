//! The names of the fields, and what users write for them.

use widgetcast_engine::suggest::nearest;

/// The fields of a definition.
const FIELDS: [&str; 15] = [
    "version",
    "name",
    "tool",
    "description",
    "visibility",
    "hints",
    "template",
    "widget",
    "jsonSchema",
    "outputJsonPreview",
    "encodedWidget",
    "copy_text",
    "sample",
    "accept",
    "outline",
];

/// What users write by habit, without its case and separators, and the field that they mean.
const HABITS: &[(&str, &str)] = &[
    ("annotations", "hints"),
    ("args", "jsonSchema"),
    ("arguments", "jsonSchema"),
    ("data", "sample"),
    ("dataschema", "jsonSchema"),
    ("defaultstate", "sample"),
    ("desc", "description"),
    ("example", "sample"),
    ("examples", "sample"),
    ("exampledata", "sample"),
    ("input", "jsonSchema"),
    ("inputschema", "jsonSchema"),
    ("jinja", "template"),
    ("layout", "widget"),
    ("mock", "sample"),
    ("mockdata", "sample"),
    ("parameters", "jsonSchema"),
    ("params", "jsonSchema"),
    ("preview", "outputJsonPreview"),
    ("readas", "outline"),
    ("roles", "outline"),
    ("properties", "jsonSchema"),
    ("props", "jsonSchema"),
    ("sampledata", "sample"),
    ("schema", "jsonSchema"),
    ("summary", "description"),
    ("title", "name"),
    ("toolname", "tool"),
    ("tree", "widget"),
    ("ui", "widget"),
];

/// Fields that ChatKit Studio and those who use its files add; they are ignored.
const FOREIGN: [&str; 4] = ["id", "notes", "states", "view"];

/// Whether a definition may have this field. A name with a leading `$`, `_` or `x-` is the author's own.
pub(super) fn is_known(name: &str) -> bool {
    is_field(name)
        || FOREIGN.contains(&name)
        || name.starts_with(['$', '_'])
        || name.starts_with("x-")
}

/// Whether this is a field of a definition.
pub(super) fn is_field(name: &str) -> bool {
    FIELDS.contains(&name)
}

/// The field that an unknown name probably means.
pub(super) fn meant(name: &str) -> Option<&'static str> {
    let plain = plain(name);
    let same = FIELDS.iter().find(|field| self::plain(field) == plain);
    let habit = || HABITS.iter().find(|(habit, _)| *habit == plain).map(|(_, field)| *field);
    same.copied().or_else(habit).or_else(|| nearest(name, FIELDS.into_iter()))
}

/// Whether two names differ in nothing but case and separators.
pub(super) fn is_same(a: &str, b: &str) -> bool {
    plain(a) == plain(b)
}

/// A name without its case and separators.
fn plain(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '_' | '-' | ' ')).map(|c| c.to_ascii_lowercase()).collect()
}

/// The fields, for a message.
pub(super) fn list() -> String {
    FIELDS.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn habits_and_slips_lead_to_the_field() {
        for (name, field) in [
            ("json_schema", "jsonSchema"),
            ("JSON-Schema", "jsonSchema"),
            ("jsonschema", "jsonSchema"),
            ("schema", "jsonSchema"),
            ("parameters", "jsonSchema"),
            ("inputSchema", "jsonSchema"),
            ("samples", "sample"),
            ("example", "sample"),
            ("smaple", "sample"),
            ("descripton", "description"),
            ("copyText", "copy_text"),
            ("copy-text", "copy_text"),
            ("templates", "template"),
            ("Version", "version"),
            ("accepts", "accept"),
        ] {
            assert_eq!(meant(name), Some(field), "{name}");
            assert!(!is_known(name), "{name}");
        }
        assert_eq!(meant("colour"), None);
        for known in ["jsonSchema", "widget", "states", "notes", "$schema", "x-team", "_draft"] {
            assert!(is_known(known), "{known}");
        }
    }
}
