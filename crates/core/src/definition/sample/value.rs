//! Generates one value: a constant, one by type, or one that the author wrote.

use serde_json::Value;

use super::generator::{Generator, Sample};
use super::intent::Intent;
use super::keywords::{MAX_DEPTH, MAX_LIST, MAX_PARTS, Part, allows, cost, list, typed};

const TYPES: [&str; 7] = ["object", "array", "string", "number", "integer", "boolean", "null"];

/// The type that a keyword implies if the schema names none.
const HINTS: [(&str, &str); 18] = [
    ("properties", "object"),
    ("required", "object"),
    ("additionalProperties", "object"),
    ("minProperties", "object"),
    ("items", "array"),
    ("prefixItems", "array"),
    ("minItems", "array"),
    ("maxItems", "array"),
    ("uniqueItems", "array"),
    ("minLength", "string"),
    ("maxLength", "string"),
    ("pattern", "string"),
    ("format", "string"),
    ("minimum", "number"),
    ("maximum", "number"),
    ("exclusiveMinimum", "number"),
    ("exclusiveMaximum", "number"),
    ("multipleOf", "number"),
];

impl<'a> Generator<'a> {
    pub(super) fn sample(&mut self, intent: Intent, index: usize) -> Option<Sample> {
        (self.intent, self.index, self.used, self.position) = (intent, index, 0, 0);
        self.path.clear();
        let data = self.value(&[self.root], "", 0)?;
        Some(Sample { intent, data })
    }

    /// A value for which all of `schemas` hold; tries other branches if one fails.
    pub(super) fn value(
        &mut self,
        schemas: &[&'a Value],
        name: &str,
        depth: usize,
    ) -> Option<Value> {
        if depth >= MAX_DEPTH {
            return None;
        }
        let mut round = 0;
        loop {
            self.charge(1)?;
            let mark = self.path.len();
            let (parts, rounds) = self.expand(schemas, round);
            let value = parts.and_then(|parts| self.place(&parts, name, depth));
            self.path.truncate(mark);
            round += 1;
            if value.is_some() || round >= rounds {
                return value;
            }
        }
    }

    fn place(&mut self, parts: &[Part<'a>], name: &str, depth: usize) -> Option<Value> {
        let mut fixed = parts.iter().flat_map(|part| {
            let constant = part.get("const").map(std::slice::from_ref);
            let choices = part.get("enum").and_then(Value::as_array).map(Vec::as_slice);
            constant.into_iter().chain(choices)
        });
        if let Some(first) = fixed.next() {
            let others: Vec<&[Value]> = fixed.collect();
            let fits = |value: &&Value| {
                others.iter().all(|list| list.contains(value)) && typed(parts, value)
            };
            let choices: Vec<&Value> = first.iter().take(MAX_PARTS).filter(fits).collect();
            return self.choice(&choices, depth);
        }
        let free = !parts.iter().any(|part| part.contains_key("type"));
        // Null as the whole input says nothing about the template.
        if self.intent == Intent::Nulls && depth > 0 && (free || typed(parts, &Value::Null)) {
            return Some(Value::Null);
        }
        if let Some(value) = self.authored(parts) {
            return self.copy(value, depth);
        }
        let mut types = self.types(parts, free, depth);
        if self.intent == Intent::Random && types.len() > 1 {
            let by = self.below(types.len());
            types.rotate_left(by);
        }
        types.into_iter().find_map(|of| match of {
            "object" => self.object(parts, depth),
            "array" => self.array(parts, name, depth),
            "string" => self.string(parts, name),
            "number" => self.number(parts, false),
            "integer" => self.number(parts, true),
            "boolean" => Some(Value::Bool(match self.intent {
                Intent::Minimal | Intent::Empty => false,
                Intent::Random => self.below(2) == 0,
                _ => self.position.is_multiple_of(2),
            })),
            _ => Some(Value::Null),
        })
    }

    /// The types to try, best first.
    fn types(&mut self, parts: &[Part], free: bool, depth: usize) -> Vec<&'static str> {
        if !free {
            let fits = |of: &&str| allows(parts, of);
            // "number" covers "integer", and null is the last resort.
            let mut types: Vec<&str> = TYPES.into_iter().filter(fits).collect();
            if types.contains(&"number") {
                types.retain(|of| *of != "integer");
            }
            let named = parts.iter().find_map(|part| part.get("type")?.as_array());
            let rank = |of: &str| named.and_then(|names| names.iter().position(|name| name == of));
            types.sort_by_key(|of| (*of == "null", rank(of)));
            return types;
        }
        let hint = HINTS.iter().find(|(key, _)| parts.iter().any(|part| part.contains_key(*key)));
        match hint {
            Some((_, of)) => vec![of],
            None if self.intent == Intent::Random => TYPES.to_vec(),
            None if depth == 0 => vec!["object"],
            None => vec!["string"],
        }
    }

    /// A value that the author wrote. Empty ones are skipped, because they are initial values rather than
    /// examples; so are whole objects, unless requested, because they may lack fields.
    fn authored(&mut self, parts: &[Part<'a>]) -> Option<&'a Value> {
        if self.intent != Intent::Full {
            return None;
        }
        let whole = self.authored;
        let telling = |value: &&Value| match value {
            Value::Null => false,
            Value::Bool(_) => whole,
            Value::Number(_) => true,
            Value::String(text) => !text.is_empty(),
            Value::Array(items) => whole && !items.is_empty(),
            Value::Object(map) => whole && !map.is_empty(),
        };
        let examples = parts.iter().flat_map(|part| list(part, "examples"));
        let defaults = parts.iter().filter_map(|part| part.get("default"));
        let values: Vec<&Value> = examples
            .chain(defaults)
            .take(MAX_LIST)
            .filter(|value| telling(value) && typed(parts, value))
            .collect();
        let turn = self.turn(values.first()?);
        values.get(turn % values.len()).copied()
    }

    fn choice(&mut self, choices: &[&Value], depth: usize) -> Option<Value> {
        let first = *choices.first()?;
        let value = match self.intent {
            Intent::Minimal | Intent::Empty => Some(first),
            Intent::Longest => {
                choices.iter().copied().max_by_key(|value| value.as_str().map(str::len))
            }
            Intent::Nulls if choices.iter().any(|value| value.is_null()) => {
                return Some(Value::Null);
            }
            _ => choices.get(self.turn(first) % choices.len()).copied(),
        };
        self.copy(value?, depth)
    }

    fn copy(&mut self, value: &Value, depth: usize) -> Option<Value> {
        let nodes = cost(value, depth)?;
        self.charge(nodes)?;
        Some(value.clone())
    }
}
