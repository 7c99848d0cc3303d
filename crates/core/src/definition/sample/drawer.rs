//! The drawer: one value for a place of the schema, by its keywords. Strings and numbers are in
//! `leaf`.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use super::intent::Intent;
use super::keywords::{
    MAX_DEPTH, Part, allows, cost, item, largest, list, names_type, property, smallest, strings,
    typed,
};

/// Most nodes in one value; long strings count as several.
const MAX_NODES: usize = 20_000;
/// From this depth on, only what is required is drawn.
const LEAN_DEPTH: usize = 10;
/// How often one `$ref` target may occur on the way from the root to a place.
const MAX_REFS: usize = 6;
/// The same for intents that an author reads as plain inputs.
const FEW_REFS: usize = 2;
/// Most subschemas that are combined for one place.
const MAX_PARTS: usize = 256;
const LONG_LIST: usize = 12;
const MAX_LIST: usize = 40;

const TYPES: [&str; 7] = ["object", "array", "string", "number", "integer", "boolean", "null"];

/// What a keyword says about the type of a schema that names none.
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

/// One drawn input.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sample {
    /// Why it was drawn.
    pub intent: Intent,
    /// The input itself.
    pub data: Value,
}

/// Draws values for the places of one schema.
pub(super) struct Drawer<'a> {
    pub(super) root: &'a Value,
    pub(super) intent: Intent,
    /// Whether whole objects and lists may be taken from `default` and `examples`.
    pub(super) authored: bool,
    /// The number of this draw among the random ones.
    pub(super) index: usize,
    /// Most conditions met at one place so far; random draws take turns with them.
    pub(super) ifs: usize,
    pub(super) state: u64,
    /// Nodes spent on this value, including abandoned branches.
    pub(super) used: usize,
    /// Position in the innermost list, so that its items differ.
    pub(super) position: usize,
    /// The `$ref` targets between the root and this place.
    pub(super) path: Vec<&'a Value>,
    /// How often each enum or union was asked; the address is only an identity.
    pub(super) turns: HashMap<*const Value, usize>,
}

impl<'a> Drawer<'a> {
    pub(super) fn new(root: &'a Value, seed: u64) -> Self {
        Drawer {
            root,
            intent: Intent::Full,
            authored: false,
            index: 0,
            ifs: 0,
            state: seed,
            used: 0,
            position: 0,
            path: Vec::new(),
            turns: HashMap::new(),
        }
    }

    pub(super) fn sample(&mut self, intent: Intent, index: usize) -> Option<Sample> {
        (self.intent, self.index, self.used, self.position) = (intent, index, 0, 0);
        self.path.clear();
        let data = self.value(&[self.root], "", 0)?;
        Some(Sample { intent, data })
    }

    /// Splitmix64, below `n`; 0 when there is nothing to choose.
    pub(super) fn below(&mut self, n: usize) -> usize {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) as usize).checked_rem(n).unwrap_or(0)
    }

    pub(super) fn turn(&mut self, of: &Value) -> usize {
        let turn = self.turns.entry(std::ptr::from_ref(of)).or_insert(0);
        *turn += 1;
        *turn - 1
    }

    pub(super) fn charge(&mut self, nodes: usize) -> Option<()> {
        self.used = self.used.saturating_add(nodes);
        (self.used <= MAX_NODES).then_some(())
    }

    /// What a place may still spend; one that needs more gives up before it spends anything.
    fn left(&self) -> usize {
        MAX_NODES.saturating_sub(self.used)
    }

    /// Whether to draw only what is required: by intent, or because the value grows too large.
    fn lean(&self, depth: usize) -> bool {
        let plenty = if self.intent == Intent::Longest { MAX_NODES / 2 } else { MAX_NODES / 10 };
        self.intent == Intent::Minimal || depth >= LEAN_DEPTH || self.used > plenty
    }

    /// A value for which all of `schemas` hold, trying other branches when one leads nowhere.
    fn value(&mut self, schemas: &[&'a Value], name: &str, depth: usize) -> Option<Value> {
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

    /// The keyword maps behind `schemas`, and how many rounds there are to try.
    ///
    /// Round 0 takes the branches that suit the intent and every `then`; round `n` takes the
    /// `n`-th branch and only the `n`-th `then`, which suits the usual chain of `if kind is …`.
    fn expand(&mut self, schemas: &[&'a Value], round: usize) -> (Option<Vec<Part<'a>>>, usize) {
        let mut parts: Vec<Part> = Vec::new();
        let (mut possible, mut rounds, mut ifs, mut work) = (true, 1, 0, 0);
        let mut todo: Vec<&'a Value> = schemas.iter().rev().copied().collect();
        while let Some(schema) = todo.pop() {
            work += 1;
            let Value::Object(map) = schema else {
                possible &= *schema != Value::Bool(false);
                continue;
            };
            // A part met again adds nothing, and this ends `$ref` cycles.
            if parts.iter().any(|part| std::ptr::eq(*part, map)) {
                continue;
            }
            if parts.len() == MAX_PARTS {
                return (None, rounds);
            }
            parts.push(map);
            if let Some(target) = map.get("$ref").and_then(|target| self.resolve(target)) {
                let uses = self.path.iter().filter(|seen| std::ptr::eq(**seen, target)).count();
                let deep = matches!(self.intent, Intent::Longest | Intent::Random);
                possible &= uses < if deep { MAX_REFS } else { FEW_REFS };
                self.path.push(target);
                todo.push(target);
            }
            todo.extend(list(map, "allOf").iter().rev());
            for union in ["anyOf", "oneOf"].map(|key| list(map, key)) {
                rounds = rounds.max(union.len() + 1);
                todo.extend(self.branch(union, round));
            }
            if let Some(condition) = map.get("if") {
                ifs += 1;
                rounds = rounds.max(ifs + 2);
                let random = self.intent == Intent::Random && round == 0;
                self.ifs = self.ifs.max(ifs);
                let chosen = if random { self.index % (self.ifs + 2) } else { round };
                if chosen == 0 || chosen == ifs {
                    todo.extend(map.get("then"));
                    todo.push(condition);
                } else {
                    todo.extend(map.get("else"));
                }
            }
        }
        // A long `allOf` is work as well, wherever it applies.
        self.used += work / 32;
        (possible.then_some(parts), rounds)
    }

    fn branch(&mut self, union: &'a [Value], round: usize) -> Option<&'a Value> {
        let first = union.first()?;
        if round > 0 {
            return union.get((round - 1) % union.len());
        }
        match self.intent {
            Intent::Random => union.get(self.turn(first) % union.len()),
            Intent::Nulls => union.iter().find(|branch| self.nullable(branch)).or(Some(first)),
            _ => union
                .iter()
                .find(|branch| branch.get("type").is_none_or(|of| of != "null"))
                .or(Some(first)),
        }
    }

    fn nullable(&self, schema: &'a Value) -> bool {
        let schema = schema.get("$ref").and_then(|target| self.resolve(target)).unwrap_or(schema);
        let Value::Object(map) = schema else { return false };
        let named = |key| list(map, key).contains(&Value::Null);
        map.get("type").is_some_and(|of| names_type(of, "null"))
            || map.get("const") == Some(&Value::Null)
            || named("enum")
    }

    fn resolve(&self, target: &Value) -> Option<&'a Value> {
        self.root.pointer(target.as_str()?.strip_prefix('#')?)
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
        // Null for the whole input says nothing about the template.
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
            // "number" already covers "integer", and null is the last resort.
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

    /// A value the author wrote down. Empty ones are passed over: they are where fields start,
    /// not what they look like; so are whole objects, unless asked for: they may lack fields.
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

    fn object(&mut self, parts: &[Part<'a>], depth: usize) -> Option<Value> {
        let lean = self.lean(depth);
        let required: Vec<&str> =
            parts.iter().flat_map(|part| strings(part.get("required"))).collect();
        let needed: HashSet<&str> = required.iter().copied().collect();
        let least = largest(parts, "minProperties").unwrap_or(0).max(needed.len());
        let most = smallest(parts, "maxProperties").unwrap_or(usize::MAX);
        if least > self.left() {
            return None;
        }
        let spare = most.saturating_sub(needed.len());

        let mut names: Vec<&'a str> = Vec::new();
        let mut chosen: HashSet<&'a str> = HashSet::new();
        let mut extra = 0;
        // A lean object does not even look at what it may leave out: there can be very much of it.
        let looked_at = if lean && least == needed.len() { &[] } else { parts };
        let declared = looked_at.iter().filter_map(|part| part.get("properties")?.as_object());
        for name in declared.flat_map(Map::keys).map(String::as_str) {
            if !needed.contains(name) && !chosen.contains(name) {
                let wanted = !lean && (self.intent != Intent::Random || self.below(4) > 0);
                if extra >= spare || !(wanted || extra < least - needed.len()) {
                    continue;
                }
                extra += 1;
            }
            if chosen.insert(name) {
                names.push(name);
            }
        }
        names.extend(required.iter().filter(|name| chosen.insert(name)));

        let mut object = Map::new();
        let mut at = 0;
        while let Some(name) = names.get(at).copied() {
            at += 1;
            let schemas = property(parts, name);
            self.charge(name.len() / 64)?;
            match self.value(&schemas, name, depth + 1) {
                Some(value) => object.insert(name.to_string(), value),
                None if needed.contains(name) => return None,
                None => continue,
            };
            let dependent = parts.iter().flat_map(|part| {
                strings(part.get("dependentRequired").and_then(|all| all.get(name)))
            });
            names.extend(dependent.filter(|name| chosen.insert(name)));
        }

        let map = chosen.is_empty()
            && parts
                .iter()
                .any(|part| part.get("additionalProperties").is_some_and(Value::is_object));
        let wanted = match self.intent {
            _ if lean || !map => 0,
            Intent::Empty => 0,
            Intent::Longest => LONG_LIST,
            Intent::Random => self.below(5),
            _ => 2,
        };
        for number in object.len()..wanted.max(least).min(most) {
            let name = format!("key{}", number + 1);
            let schemas = property(parts, &name);
            let Some(value) = self.value(&schemas, &name, depth + 1) else { break };
            object.insert(name, value);
        }
        (object.len() >= least).then_some(Value::Object(object))
    }

    fn array(&mut self, parts: &[Part<'a>], name: &str, depth: usize) -> Option<Value> {
        let least = largest(parts, "minItems").unwrap_or(0);
        let most = smallest(parts, "maxItems").unwrap_or(usize::MAX);
        if least > most || least > self.left() {
            return None;
        }
        let prefix = parts.iter().map(|part| list(part, "prefixItems").len()).max().unwrap_or(0);
        let closed = prefix > 0 && !parts.iter().any(|part| part.contains_key("items"));
        let wanted = match self.intent {
            _ if self.lean(depth) => 0,
            Intent::Empty => 0,
            Intent::Longest => {
                if most == usize::MAX {
                    LONG_LIST
                } else {
                    most.min(MAX_LIST)
                }
            }
            Intent::Random => least.saturating_add(self.below(5)),
            _ => prefix.max(2),
        };
        let wanted = if closed { wanted.min(prefix) } else { wanted }.clamp(least, most);
        let unique = parts.iter().any(|part| part.get("uniqueItems") == Some(&Value::Bool(true)));

        let singular = name.strip_suffix('s').unwrap_or(name);
        let mut items = Vec::new();
        let mut seen = HashSet::new();
        let outer = self.position;
        for index in 0..wanted {
            if items.len() >= least && self.lean(depth) {
                break;
            }
            let schemas = item(parts, index);
            self.position = index;
            let Some(item) = self.item(&schemas, singular, depth, unique.then_some(&mut seen))
            else {
                break;
            };
            items.push(item);
        }
        self.position = outer;
        (items.len() >= least).then_some(Value::Array(items))
    }

    /// One list item; a repeated one is drawn again at random when items must be unique.
    fn item(
        &mut self,
        schemas: &[&'a Value],
        name: &str,
        depth: usize,
        seen: Option<&mut HashSet<String>>,
    ) -> Option<Value> {
        let item = self.value(schemas, name, depth + 1)?;
        let Some(seen) = seen else { return Some(item) };
        if seen.insert(item.to_string()) {
            return Some(item);
        }
        let intent = std::mem::replace(&mut self.intent, Intent::Random);
        let other = (0..16).find_map(|_| {
            let item = self.value(schemas, name, depth + 1)?;
            seen.insert(item.to_string()).then_some(item)
        });
        self.intent = intent;
        other
    }
}
