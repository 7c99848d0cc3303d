//! What a schema says about the data that a template uses; and a schema for a template that came
//! without one.

use serde_json::{Map, Value, json};
use widgetcast_engine::template::{Step, Use};

/// The schema of the data that these uses need. Nothing is required: what may be left out is the
/// one thing a template does not say.
pub(crate) fn schema(uses: &[Use], is_global: &dyn Fn(&str) -> bool) -> Value {
    let mut root = json!({ "type": "object", "properties": {} });
    for found in uses {
        match found.path.first() {
            Some(Step::Key(name)) if name != "undefined" && !is_global(name) => {
                declare(&mut root, &found.path);
            }
            _ => {}
        }
    }
    root
}

fn declare(schema: &mut Value, path: &[Step]) {
    let Some((step, rest)) = path.split_first() else { return };
    let Value::Object(schema) = schema else { return };
    let (kind, inner) = match step {
        Step::Key(_) => ("object", "properties"),
        Step::Each => ("array", "items"),
    };
    // Used in two ways that do not agree: then nothing is known.
    if schema.get("type").is_some_and(|known| known != kind) {
        schema.clear();
        return;
    }
    schema.insert("type".into(), kind.into());
    let next = schema.entry(inner).or_insert_with(|| Value::Object(Map::new()));
    let next = match (step, next) {
        (Step::Key(name), Value::Object(properties)) => {
            properties.entry(name).or_insert_with(|| Value::Object(Map::new()))
        }
        (_, next) => next,
    };
    declare(next, rest);
}

/// What a schema says about one path into the data.
#[derive(Debug, PartialEq)]
pub(crate) enum Declared<'s> {
    /// Declared with this schema; `required` if it cannot be absent where its parent is there.
    As {
        /// The schema of the value.
        schema: &'s Value,
        /// Whether the last step is required.
        required: bool,
    },
    /// The schema has no such property. The number of steps that it still knew.
    Not(usize),
    /// The schema is too free, or too clever, to tell.
    Unknown,
}

/// Looks a path up in a schema.
pub(crate) fn look_up<'s>(root: &'s Value, path: &[Step]) -> Declared<'s> {
    let mut schema = root;
    let mut required = true;
    for (index, step) in path.iter().enumerate() {
        schema = resolve(root, schema);
        // Combinators may declare it elsewhere.
        let combined = ["anyOf", "oneOf", "allOf", "if", "patternProperties", "$dynamicRef"];
        if combined.iter().any(|keyword| schema.get(keyword).is_some()) {
            return Declared::Unknown;
        }
        let next = match step {
            Step::Key(name) => {
                let list = schema["required"].as_array().into_iter().flatten();
                required = list.clone().any(|required| required == name.as_str());
                schema.get("properties").and_then(|properties| properties.get(name))
            }
            Step::Each => {
                required = true;
                schema.get("items")
            }
        };
        schema = match (next, step) {
            (Some(next), _) => next,
            (None, Step::Key(_)) if schema.get("properties").is_some() => {
                return match schema.get("additionalProperties") {
                    Some(Value::Bool(true) | Value::Object(_)) => Declared::Unknown,
                    _ => Declared::Not(index),
                };
            }
            (None, _) => return Declared::Unknown,
        };
    }
    Declared::As { schema: resolve(root, schema), required }
}

fn resolve<'s>(root: &'s Value, mut schema: &'s Value) -> &'s Value {
    // A chain longer than this is a circle.
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

/// Every declared property, as paths; those inside declared ones included.
pub(crate) fn properties(root: &Value) -> Vec<Vec<Step>> {
    fn collect(root: &Value, schema: &Value, path: &mut Vec<Step>, out: &mut Vec<Vec<Step>>) {
        if path.len() > 12 {
            return;
        }
        let schema = resolve(root, schema);
        for (name, inner) in schema["properties"].as_object().into_iter().flatten() {
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
