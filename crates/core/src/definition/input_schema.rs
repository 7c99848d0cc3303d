//! The input schema of a widget in a tool list.

use serde_json::{Map, Value};

use crate::definition::name::schema_title;

/// Writes a widget's schema as the input schema of its tool: the root is an object, as the protocol requires,
/// and has a title (the author's, or else [`schema_title`]).
///
/// ```
/// let mut out = String::new();
/// widgetcast_core::write_input_schema(r#"{"type":"object"}"#, "flight_tracker", &mut out);
/// assert_eq!(out, r#"{"title":"FlightTrackerArguments","type":"object"}"#);
/// ```
pub fn write_input_schema(schema: &str, tool_name: &str, out: &mut String) {
    let root = Root::of(schema);
    let typed;
    let schema = match root.is_object {
        true => schema,
        false => {
            typed = as_object(schema);
            &typed
        }
    };
    match schema.strip_prefix('{') {
        Some(members) if !root.has_title => {
            out.push_str(r#"{"title":""#);
            // Tool names need no escaping.
            out.push_str(&schema_title(tool_name));
            out.push_str("\",");
            out.push_str(members);
        }
        _ => out.push_str(schema),
    }
}

/// The keywords at the root of a schema.
struct Root {
    is_object: bool,
    has_title: bool,
}

impl Root {
    fn of(schema: &str) -> Self {
        // Most need no parsing.
        if schema.starts_with(r#"{"type":"object""#) && !schema.contains(r#""title":"#) {
            return Self { is_object: true, has_title: false };
        }
        let members: Map<String, Value> = serde_json::from_str(schema).unwrap_or_default();
        Self {
            is_object: members.get("type").is_some_and(|kind| kind == "object"),
            has_title: members.contains_key("title"),
        }
    }
}

fn as_object(schema: &str) -> String {
    let mut members: Map<String, Value> = serde_json::from_str(schema).unwrap_or_default();
    members.insert("type".into(), "object".into());
    Value::Object(members).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemas_say_object_and_have_a_title() {
        let titled = r#"{"title":"ABArguments","#;
        for (schema, written) in [
            (r#"{"type":"object"}"#, format!(r#"{titled}"type":"object"}}"#)),
            (r#"{}"#, format!(r#"{titled}"type":"object"}}"#)),
            ("true", format!(r#"{titled}"type":"object"}}"#)),
            (
                r#"{"$schema":"s","type":"object"}"#,
                format!(r#"{titled}"$schema":"s","type":"object"}}"#),
            ),
            (r#"{"type":["object","null"]}"#, format!(r#"{titled}"type":"object"}}"#)),
            (r#"{"type":"object","title":"Mine"}"#, r#"{"type":"object","title":"Mine"}"#.into()),
            (r#"{"title":""}"#, r#"{"title":"","type":"object"}"#.into()),
            (
                r#"{"type":"object","properties":{"title":{"title":"Of a book"}}}"#,
                format!(
                    r#"{titled}"type":"object","properties":{{"title":{{"title":"Of a book"}}}}}}"#
                ),
            ),
        ] {
            let mut out = String::new();
            write_input_schema(schema, "a_b", &mut out);
            assert_eq!(out, written);
        }
    }
}
