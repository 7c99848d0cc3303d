//! The declarations of a schema for the data that a template uses.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use serde_json::Value;
use widgetcast_engine::template::{Step, Use};

/// Maximum properties to visit. A recursive schema declares them without end.
const MAX_PROPERTIES: usize = 20_000;

/// Answers queries about one use of the data.
pub(super) struct Declarations<'s> {
    schema: &'s Value,
    /// Whether the author wrote the schema: an inferred one requires nothing.
    known: bool,
    /// The required properties of each visited subschema.
    required: RefCell<HashMap<*const Value, HashSet<&'s str>>>,
}

impl<'s> Declarations<'s> {
    pub(super) fn new(schema: &'s Value, known: bool) -> Self {
        Self { schema, known, required: RefCell::default() }
    }

    /// Whether an object of this schema requires this member.
    fn requires(&self, object: &'s Value, name: &str) -> bool {
        let list = || object["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let mut required = self.required.borrow_mut();
        required.entry(object).or_insert_with(|| list().collect()).contains(name)
    }

    pub(super) fn declares(&self, name: &str) -> bool {
        self.known && self.schema["properties"].get(name).is_some()
    }

    pub(super) fn has_type(&self, found: &Use, types: &[&str]) -> bool {
        match look_up(self.schema, &found.path) {
            Declared::As { schema, .. } => {
                schema["type"].as_str().is_some_and(|t| types.contains(&t))
            }
            _ => false,
        }
    }

    pub(super) fn is_number(&self, found: &Use) -> bool {
        self.has_type(found, &["number", "integer"])
    }

    pub(super) fn is_flag(&self, found: &Use) -> bool {
        self.has_type(found, &["boolean"])
    }

    /// Whether it is one of several texts that need no escape in JSON.
    pub(super) fn is_plain_enum(&self, found: &Use) -> bool {
        let Declared::As { schema, .. } = look_up(self.schema, &found.path) else { return false };
        let is_plain = |value: &Value| {
            let text = value.as_str();
            text.is_some_and(|text| !text.contains(|c: char| matches!(c, '"' | '\\') || c < ' '))
        };
        schema["enum"].as_array().is_some_and(|values| values.iter().all(is_plain))
    }

    pub(super) fn is_optional(&self, found: &Use) -> bool {
        if !self.known || found.guarded {
            return false;
        }
        match (look_up(self.schema, &found.path), found.path.last()) {
            (Declared::As { object: Some(object), .. }, Some(Step::Key(name))) => {
                !self.requires(object, name)
            }
            _ => false,
        }
    }
}

/// What a schema declares about a path into the data.
#[derive(Debug, PartialEq)]
pub(super) enum Declared<'s> {
    /// Declared with this schema.
    As {
        /// The schema of the value.
        schema: &'s Value,
        /// The schema of the object that contains it, if any.
        object: Option<&'s Value>,
    },
    /// Not declared.
    Not {
        /// The number of declared steps of the path.
        known: usize,
    },
    /// The schema is too open, or too complex.
    Unknown,
}

/// Looks a path up in a schema.
pub(super) fn look_up<'s>(root: &'s Value, path: &[Step]) -> Declared<'s> {
    let mut schema = root;
    let mut object = None;
    for (index, step) in path.iter().enumerate() {
        schema = resolve(root, schema);
        // Combinators may declare it elsewhere.
        let combined = ["anyOf", "oneOf", "allOf", "if", "patternProperties", "$dynamicRef"];
        if combined.iter().any(|keyword| schema.get(keyword).is_some()) {
            return Declared::Unknown;
        }
        let next = match step {
            Step::Key(name) => {
                object = Some(schema);
                schema.get("properties").and_then(|properties| properties.get(name))
            }
            Step::Each => {
                object = None;
                schema.get("items")
            }
        };
        schema = match (next, step) {
            (Some(next), _) => next,
            (None, Step::Key(_)) if schema.get("properties").is_some() => {
                return match schema.get("additionalProperties") {
                    Some(Value::Bool(true) | Value::Object(_)) => Declared::Unknown,
                    _ => Declared::Not { known: index },
                };
            }
            // A list or a text has no members.
            (None, Step::Key(_)) if is_no_object(schema) => return Declared::Not { known: index },
            (None, _) => return Declared::Unknown,
        };
    }
    Declared::As { schema: resolve(root, schema), object }
}

fn is_no_object(schema: &Value) -> bool {
    matches!(schema["type"].as_str(), Some("array" | "string" | "number" | "integer" | "boolean"))
}

fn resolve<'s>(root: &'s Value, mut schema: &'s Value) -> &'s Value {
    // A longer chain of references counts as a cycle.
    for _ in 0..16 {
        match schema["$ref"]
            .as_str()
            .and_then(|r| r.strip_prefix('#'))
            .and_then(|p| root.pointer(p))
        {
            Some(target) => schema = target,
            None => break,
        }
    }
    schema
}

/// The declared properties as paths, including nested ones.
pub(super) fn properties(root: &Value) -> Vec<Vec<Step>> {
    fn collect(root: &Value, schema: &Value, path: &mut Vec<Step>, out: &mut Vec<Vec<Step>>) {
        if path.len() > 12 {
            return;
        }
        let schema = resolve(root, schema);
        for (name, inner) in schema["properties"].as_object().into_iter().flatten() {
            if out.len() == MAX_PROPERTIES {
                return;
            }
            path.push(Step::Key(name.clone()));
            out.push(path.clone());
            collect(root, inner, path, out);
            path.pop();
        }
        if let Some(items @ Value::Object(_)) = schema.get("items") {
            path.push(Step::Each);
            collect(root, items, path, out);
            path.pop();
        }
    }
    let mut out = Vec::new();
    collect(root, root, &mut Vec::new(), &mut out);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn path(text: &str) -> Vec<Step> {
        let step = |part: &str| match part {
            "[]" => Step::Each,
            name => Step::Key(name.to_owned()),
        };
        text.split('.').map(step).collect()
    }

    #[test]
    fn paths_are_looked_up() {
        let schema = json!({
            "type": "object",
            "required": ["a", "rows"],
            "properties": {
                "a": {"type": "string"},
                "b": {"type": "object", "properties": {"c": {"type": "integer"}}},
                "rows": {"type": "array", "items": {"$ref": "#/$defs/row"}},
                "open": {"type": "object", "properties": {}, "additionalProperties": true},
                "map": {"type": "object", "properties": {}, "additionalProperties": {"type": "string"}},
                "closed": {"type": "object", "properties": {}, "additionalProperties": false},
                "any": {"anyOf": [{"properties": {"x": true}}]},
                "free": {},
                "loop": {"$ref": "#/properties/loop"},
            },
            "$defs": {"row": {"required": ["id"], "properties": {"id": {"type": "number"}, "n": {}}}},
        });
        let kind = |text: &str| match look_up(&schema, &path(text)) {
            Declared::As { schema: found, object } => {
                let name = text.rsplit('.').next().unwrap_or_default();
                let declarations = Declarations::new(&schema, true);
                let required = object.is_none_or(|object| declarations.requires(object, name));
                format!("{} {required}", found["type"])
            }
            Declared::Not { known } => format!("not after {known}"),
            Declared::Unknown => "unknown".to_owned(),
        };
        for (text, expected) in [
            ("a", "\"string\" true"),
            ("b", "\"object\" false"),
            ("b.c", "\"integer\" false"),
            ("b.d", "not after 1"),
            ("z", "not after 0"),
            ("rows.[]", "null true"),
            ("rows.[].id", "\"number\" true"),
            ("rows.[].n", "null false"),
            ("rows.[].m", "not after 2"),
            ("open.x", "unknown"),
            ("map.x", "unknown"),
            ("closed.x", "not after 1"),
            ("any.x", "unknown"),
            ("free.x", "unknown"),
            ("free.[]", "unknown"),
            ("loop.x", "unknown"),
        ] {
            assert_eq!(kind(text), expected, "{text}");
        }
        let all: Vec<Vec<Step>> = properties(&schema);
        assert!(all.contains(&path("rows.[].id")) && all.contains(&path("b.c")));
        assert_eq!(all.len(), 12);
        // Ten properties with ten properties each, and so on.
        let again: serde_json::Map<String, Value> =
            (0..10).map(|n| (format!("p{n}"), json!({"$ref": "#"}))).collect();
        assert_eq!(properties(&json!({"properties": again})).len(), MAX_PROPERTIES);
    }
}
