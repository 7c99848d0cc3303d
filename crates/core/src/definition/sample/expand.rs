//! From a path in the schema to the flat keyword maps that a value there must satisfy.

use serde_json::Value;

use super::generator::Generator;
use super::intent::Intent;
use super::keywords::{MAX_PARTS, Part, list, names_type};

/// How often one `$ref` target may occur between the root and a path.
const MAX_REFS: usize = 6;
/// The same for intents that an author reads as ordinary inputs.
const FEW_REFS: usize = 2;

impl<'a> Generator<'a> {
    /// The keyword maps of `schemas`, and how many rounds there are to try. Round 0 takes the branches that
    /// suit the intent and every `then`; round `n` takes the `n`-th branch and only the `n`-th `then`, which
    /// suits the usual chain of `if kind is …`.
    pub(super) fn expand(
        &mut self,
        schemas: &[&'a Value],
        round: usize,
    ) -> (Option<Vec<Part<'a>>>, usize) {
        let mut parts: Vec<Part> = Vec::new();
        let (mut possible, mut rounds, mut ifs, mut work) = (true, 1, 0, 0);
        let mut todo: Vec<&'a Value> = schemas.iter().rev().copied().collect();
        while let Some(schema) = todo.pop() {
            work += 1;
            let Value::Object(map) = schema else {
                possible &= *schema != Value::Bool(false);
                continue;
            };
            // A repeated part adds nothing, which also ends `$ref` cycles.
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
}
