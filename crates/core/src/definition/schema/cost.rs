//! The cost of a schema: an upper bound for how many subschemas one value can be checked against.
//!
//! Two references to the next definition, thirty levels deep, are a thousand million checks. Such a
//! schema is refused before it is compiled.

use std::collections::HashMap;

use serde_json::Value;

/// The most subschemas that checking one value may visit.
pub(super) const MAX_COST: u64 = 200_000;

/// The deepest nesting, references followed, that is counted.
const MAX_DEPTH: usize = 200;

/// How many subschemas a value may be checked against, references followed.
pub(super) fn cost(schema: &Value) -> u64 {
    of(schema, schema, &mut HashMap::new(), 0)
}

fn of(root: &Value, schema: &Value, known: &mut HashMap<String, u64>, depth: usize) -> u64 {
    if depth > MAX_DEPTH {
        return u64::MAX;
    }
    match schema {
        Value::Object(members) => members.iter().fold(1, |sum: u64, (key, value)| {
            let inner = match (key.as_str(), value.as_str()) {
                ("$ref", Some(target)) => of_target(root, target, known, depth),
                // Data, not schemas.
                ("enum" | "const" | "default" | "examples", _) => 0,
                _ => of(root, value, known, depth + 1),
            };
            sum.saturating_add(inner)
        }),
        Value::Array(items) => {
            let each = items.iter().map(|item| of(root, item, known, depth + 1));
            each.fold(0, u64::saturating_add)
        }
        _ => 0,
    }
}

/// The cost of a referenced schema, computed once for each target.
fn of_target(root: &Value, target: &str, known: &mut HashMap<String, u64>, depth: usize) -> u64 {
    if let Some(cost) = known.get(target) {
        return *cost;
    }
    // A recursive reference counts once: how often it is followed depends on the data.
    known.insert(target.to_owned(), 1);
    let schema = target.strip_prefix('#').and_then(|pointer| root.pointer(pointer));
    let cost = schema.map_or(1, |schema| of(root, schema, known, depth + 1));
    known.insert(target.to_owned(), cost);
    cost
}
