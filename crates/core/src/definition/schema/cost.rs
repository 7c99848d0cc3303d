//! The cost of a schema: an upper bound for the number of subschemas that one value is checked against. Two
//! references to the next definition, thirty levels deep, are a billion checks. Such a schema is rejected
//! before it is compiled.

use std::collections::HashMap;

use serde_json::Value;

/// Maximum subschemas that checking one value may visit.
pub(super) const MAX_COST: u64 = 200_000;

/// Maximum counted nesting, including references.
const MAX_DEPTH: usize = 200;

/// The known costs of a schema.
pub(super) struct Cost {
    /// The number of subschemas that a value may be checked against, including references.
    pub checks: u64,
    /// Whether it is recursive: then the data determines how often a subschema is visited.
    pub is_recursive: bool,
}

pub(super) fn cost(schema: &Value) -> Cost {
    let mut known = Known::default();
    let checks = of(schema, schema, &mut known, 0);
    Cost { checks, is_recursive: known.is_recursive }
}

#[derive(Default)]
struct Known {
    /// The costs of referenced schemas; `None` while they are being computed.
    targets: HashMap<String, Option<u64>>,
    is_recursive: bool,
}

fn of(root: &Value, schema: &Value, known: &mut Known, depth: usize) -> u64 {
    if depth > MAX_DEPTH {
        return u64::MAX;
    }
    match schema {
        Value::Object(members) => members.iter().fold(1, |sum: u64, (key, value)| {
            let inner = match (key.as_str(), value.as_str()) {
                ("$ref", Some(target)) => of_target(root, target, known, depth),
                // Their targets are only known when data is checked.
                ("$dynamicRef" | "$recursiveRef", Some(_)) => {
                    known.is_recursive = true;
                    1
                }
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
fn of_target(root: &Value, target: &str, known: &mut Known, depth: usize) -> u64 {
    match known.targets.get(target) {
        Some(Some(cost)) => return *cost,
        // A recursive reference counts once, because the data determines how often it is followed.
        Some(None) => {
            known.is_recursive = true;
            return 1;
        }
        None => {}
    }
    known.targets.insert(target.to_owned(), None);
    let schema = target.strip_prefix('#').and_then(|pointer| root.pointer(pointer));
    // An anchor may enclose the reference.
    known.is_recursive |= schema.is_none();
    let cost = schema.map_or(1, |schema| of(root, schema, known, depth + 1));
    known.targets.insert(target.to_owned(), Some(cost));
    cost
}
