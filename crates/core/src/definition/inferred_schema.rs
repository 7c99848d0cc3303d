//! Infers a schema from the data that a template uses.

use serde_json::{Map, Value, json};
use widgetcast_engine::template::{Step, Use};

/// The schema of the data that these uses need. Nothing is required, because a template does not declare what
/// is optional.
pub(crate) fn inferred_schema(uses: &[Use], is_global: &dyn Fn(&str) -> bool) -> Value {
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
    // Used both as an object and as a list, so its type is unknown.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uses_become_properties() {
        let use_of = |path: &str| Use {
            path: path
                .split('.')
                .map(|part| match part {
                    "[]" => Step::Each,
                    name => Step::Key(name.to_owned()),
                })
                .collect(),
            range: 0..0,
            loops: Vec::new(),
            guarded: false,
        };
        let uses =
            ["a", "b.c", "b.d", "rows.[].id", "rows.[]", "undefined", "range", "odd.x", "odd.[]"];
        let uses: Vec<Use> = uses.into_iter().map(use_of).collect();
        assert_eq!(
            inferred_schema(&uses, &|name| name == "range"),
            json!({"type": "object", "properties": {
                "a": {},
                "b": {"type": "object", "properties": {"c": {}, "d": {}}},
                "rows": {"type": "array", "items": {"type": "object", "properties": {"id": {}}}},
                "odd": {},
            }})
        );
    }
}
