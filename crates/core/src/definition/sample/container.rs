//! Generates objects and lists.

use std::collections::HashSet;
use std::ops::Range;

use serde_json::{Map, Value};

use super::generator::Generator;
use super::intent::Intent;
use super::keywords::{MAX_LIST, Part, item, largest, list, property, smallest, strings};

/// Items of a long list without a required length.
const LONG_LIST: usize = 12;

impl<'a> Generator<'a> {
    pub(super) fn object(&mut self, parts: &[Part<'a>], depth: usize) -> Option<Value> {
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

        let mut chosen: HashSet<&'a str> = HashSet::new();
        let missing = least - needed.len();
        let mut names = self.choose_names(parts, &needed, &mut chosen, lean, missing..spare);
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

        let wanted = self.wanted_extra(parts, lean || !chosen.is_empty());
        for number in object.len()..wanted.max(least).min(most) {
            let name = format!("key{}", number + 1);
            let schemas = property(parts, &name);
            let Some(value) = self.value(&schemas, &name, depth + 1) else { break };
            object.insert(name, value);
        }
        (object.len() >= least).then_some(Value::Object(object))
    }

    /// The declared names to generate, in the order of the schema: the required ones, and as many others as
    /// the intent calls for, within the allowed range.
    fn choose_names(
        &mut self,
        parts: &[Part<'a>],
        needed: &HashSet<&str>,
        chosen: &mut HashSet<&'a str>,
        lean: bool,
        others: Range<usize>,
    ) -> Vec<&'a str> {
        let mut names: Vec<&'a str> = Vec::new();
        let mut added = 0;
        // A lean object ignores optional members, of which there may be very many.
        let looked_at = if lean && others.start == 0 { &[] } else { parts };
        let declared = looked_at.iter().filter_map(|part| part.get("properties")?.as_object());
        for name in declared.flat_map(Map::keys).map(String::as_str) {
            if !needed.contains(name) && !chosen.contains(name) {
                let wanted = !lean && (self.intent != Intent::Random || self.below(4) > 0);
                if added >= others.end || !(wanted || added < others.start) {
                    continue;
                }
                added += 1;
            }
            if chosen.insert(name) {
                names.push(name);
            }
        }
        names
    }

    /// How many members to invent for an object that declares none but allows any.
    fn wanted_extra(&mut self, parts: &[Part], closed: bool) -> usize {
        let is_map = |part: &Part| part.get("additionalProperties").is_some_and(Value::is_object);
        match self.intent {
            _ if closed || !parts.iter().any(is_map) => 0,
            Intent::Empty => 0,
            Intent::Longest => LONG_LIST,
            Intent::Random => self.below(5),
            _ => 2,
        }
    }

    pub(super) fn array(&mut self, parts: &[Part<'a>], name: &str, depth: usize) -> Option<Value> {
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

    /// One list item; a duplicate is generated again at random if items must be unique.
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
