//! Generates inputs for a JSON Schema, so that a checker can render a template with all of them and find the
//! ones that break it. A path in the schema is a list of subschemas that must all hold. [`expand`] turns it
//! into flat keyword maps (`parts`) by following `$ref`, `allOf`, one branch of each union and one side of
//! each `if`; [`value`], [`container`] and [`leaf`] only read keywords from the parts. Parts are borrowed,
//! not merged into a new schema, so that a hostile schema is not copied at every node. Generation is best
//! effort and never decides validity: keywords it does not read (`not`, `contains`, `propertyNames`, …) are
//! left to the caller's validator, and [`repair`] keeps as much of a rejected value as that validator
//! accepts. The schema is untrusted, so the work, the size and the depth of a value are bounded.

mod container;
mod expand;
mod generator;
mod intent;
mod keywords;
mod leaf;
mod regex;
mod repair;
#[cfg(test)]
mod tests;
mod text;
mod value;

use std::collections::HashSet;

use serde_json::Value;

use generator::Generator;
pub(crate) use generator::Sample;
pub(crate) use intent::Intent;

/// Maximum validator calls for one rejected value.
const MAX_TRIES: usize = 150;

/// Generates inputs for `schema`: the six fixed intents plus `random` random ones, without duplicates.
/// `valid` decides whether a value satisfies the schema. An invalid value is moved towards a valid one if
/// possible, and otherwise omitted; so every returned sample is valid, and an unsatisfiable schema has none.
/// Equal seeds give equal samples.
pub(crate) fn draw(
    schema: &Value,
    random: usize,
    seed: u64,
    valid: &dyn Fn(&Value) -> bool,
) -> Vec<Sample> {
    let mut generator = Generator::new(schema, seed);
    let mut drawn = Vec::new();
    for intent in Intent::FIXED {
        generator.turns.clear();
        drawn.extend(generator.sample(intent, 0));
    }
    if drawn.is_empty() {
        return Vec::new();
    }
    // From here on, turns are kept, so that random inputs cycle through enum values and branches.
    generator.turns.clear();
    for index in 0..random {
        drawn.extend(generator.sample(Intent::Random, index));
    }

    let good: Vec<bool> = drawn.iter().map(|sample| valid(&sample.data)).collect();
    let sound = || drawn.iter().zip(&good).filter(|(_, good)| **good).map(|(sample, _)| sample);
    let plain = sound().find(|sample| sample.intent == Intent::Full).or(sound().next());
    let Some(plain) = plain.map(|sample| sample.data.clone()) else {
        return Vec::new();
    };
    let mut seen = HashSet::new();
    let mut samples = Vec::new();
    for (mut sample, good) in drawn.into_iter().zip(good) {
        if !good {
            let wanted = std::mem::replace(&mut sample.data, plain.clone());
            let mut tries = MAX_TRIES;
            repair::graft(&mut sample.data, "", &wanted, valid, &mut tries);
        }
        if seen.insert(sample.data.to_string()) {
            samples.push(sample);
        }
    }
    samples
}

/// Plausible arguments for a tool with its own logic: required ones, and those for which the schema has a
/// value. Invented values for optional arguments would, for example, filter everything out of a search.
pub fn arguments(schema: &Value) -> Value {
    let mut data = example(schema);
    let required = schema["required"].as_array().into_iter().flatten();
    let required: HashSet<&str> = required.filter_map(Value::as_str).collect();
    let has_value = |name: &str| {
        let property = &schema["properties"][name];
        ["default", "examples", "const"].iter().any(|keyword| property.get(keyword).is_some())
    };
    if let Value::Object(members) = &mut data {
        members.retain(|name, _| required.contains(&**name) || has_value(name));
    }
    data
}

/// One plausible example, derived from `default`, `examples`, `const`, `enum`, `format` and property names.
///
/// It is not validated. If nothing can be derived from the schema, it is `null`.
pub fn example(schema: &Value) -> Value {
    let mut generator = Generator::new(schema, 0);
    generator.authored = true;
    let sample = generator.sample(Intent::Full, 0).or_else(|| generator.sample(Intent::Minimal, 0));
    sample.map_or(Value::Null, |sample| sample.data)
}
