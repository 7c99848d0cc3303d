//! Reads schema keywords from `parts`: flat keyword maps that must all hold. A keyword of the wrong type
//! counts as absent: the validator reports it.

use serde_json::{Map, Value};

/// Maximum nesting of one value.
pub(super) const MAX_DEPTH: usize = 16;

/// Maximum subschemas that are combined at one path.
pub(super) const MAX_PARTS: usize = 256;
/// Maximum name patterns of one object that are compared with a name.
const MAX_PATTERNS: usize = 64;
/// Maximum items of one list.
pub(super) const MAX_LIST: usize = 40;

/// One flat keyword map.
pub(super) type Part<'a> = &'a Map<String, Value>;

pub(super) fn list<'a>(part: Part<'a>, key: &str) -> &'a [Value] {
    part.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

pub(super) fn strings(value: Option<&Value>) -> impl Iterator<Item = &str> {
    value.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

fn limits(parts: &[Part], key: &str) -> impl Iterator<Item = usize> {
    parts.iter().filter_map(move |part| part.get(key)?.as_f64()).map(|limit| limit as usize)
}

pub(super) fn largest(parts: &[Part], key: &str) -> Option<usize> {
    limits(parts, key).max()
}

pub(super) fn smallest(parts: &[Part], key: &str) -> Option<usize> {
    limits(parts, key).min()
}

pub(super) fn names_type(of: &Value, name: &str) -> bool {
    let named = |of: &Value| of == name || (name == "integer" && of == "number");
    of.as_array().map_or_else(|| named(of), |all| all.iter().any(named))
}

pub(super) fn allows(parts: &[Part], name: &str) -> bool {
    parts.iter().filter_map(|part| part.get("type")).all(|of| names_type(of, name))
}

pub(super) fn typed(parts: &[Part], value: &Value) -> bool {
    allows(
        parts,
        match value {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(number) if number.as_f64().is_some_and(|x| x.fract() == 0.0) => "integer",
            Value::Number(_) => "number",
            Value::String(_) => "string",
            Value::Array(_) => "array",
            Value::Object(_) => "object",
        },
    )
}

/// What a property called `name` must satisfy.
pub(super) fn property<'a>(parts: &[Part<'a>], name: &str) -> Vec<&'a Value> {
    let mut schemas = Vec::new();
    for part in parts {
        let declared = part.get("properties").and_then(|all| all.get(name));
        let patterns = part.get("patternProperties").and_then(Value::as_object);
        let matching =
            patterns.into_iter().flatten().take(MAX_PATTERNS).filter(|(p, _)| may_match(p, name));
        let before = schemas.len();
        schemas.extend(declared.into_iter().chain(matching.map(|(_, schema)| schema)));
        if schemas.len() == before {
            schemas.extend(part.get("additionalProperties"));
        }
    }
    schemas
}

/// Whether the literal start of `pattern` occurs in `name`; enough for `^x-` and similar patterns, and
/// cheaper than a matcher that is safe against hostile ones.
fn may_match(pattern: &str, name: &str) -> bool {
    let anchored = pattern.strip_prefix('^');
    let body = anchored.unwrap_or(pattern);
    let literal = body.split(|c: char| "\\[](){}.*+?|^$".contains(c)).next().unwrap_or("");
    if anchored.is_some() { name.starts_with(literal) } else { name.contains(literal) }
}

/// What the list item at `index` must satisfy.
pub(super) fn item<'a>(parts: &[Part<'a>], index: usize) -> Vec<&'a Value> {
    parts
        .iter()
        .filter_map(|part| list(part, "prefixItems").get(index).or(part.get("items")))
        .collect()
}

/// The nodes of `value`, as the generator counts them; `None` if it is nested too deeply.
pub(super) fn cost(value: &Value, depth: usize) -> Option<usize> {
    if depth >= MAX_DEPTH {
        return None;
    }
    match value {
        Value::String(text) => Some(1 + text.len() / 64),
        Value::Array(items) => {
            items.iter().try_fold(1, |sum, item| Some(sum + cost(item, depth + 1)?))
        }
        Value::Object(map) => map
            .iter()
            .try_fold(1, |sum, (key, item)| Some(sum + key.len() / 64 + cost(item, depth + 1)?)),
        _ => Some(1),
    }
}
