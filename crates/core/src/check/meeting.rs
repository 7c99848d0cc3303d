//! Solves for data that meets the requirements of a case: a valid input, changed as required. The result may
//! be invalid or miss some requirements: the caller validates it, and a missed branch is just not rendered.

use serde_json::{Map, Value};
use widgetcast_engine::template::{Case, Demand, Op, Step, Want};

use super::declarations::{Declared, look_up};

/// Maximum items or characters that a required length may create.
const MAX_LENGTH: i64 = 500;
/// Maximum members of an `enum` that are tried.
const MAX_CHOICES: usize = 24;

/// An input to change, and the sources of missing values.
pub(super) struct Donors<'d> {
    pub(super) schema: &'d Value,
    /// The input.
    pub(super) base: &'d Value,
    /// The preferred source of values that the base lacks.
    pub(super) lean: &'d Value,
    /// A value with every field.
    pub(super) full: &'d Value,
}

/// The manner of a solution.
#[derive(Clone, Copy)]
pub(super) struct Manner {
    /// Which of the possible values are used.
    pub(super) variant: usize,
    /// Whether only the first item of each list is changed.
    pub(super) first_only: bool,
    /// Whether added items differ from existing ones.
    pub(super) distinct: bool,
}

impl Donors<'_> {
    /// The base, changed to meet a case; and the number of variants.
    pub(super) fn meet(&self, case: &Case, manner: Manner) -> (Value, usize) {
        let mut data = self.base.clone();
        let mut variants = 1;
        let mut paths: Vec<&[Step]> = Vec::new();
        for demand in case {
            if !paths.contains(&demand.path.as_slice()) {
                paths.push(&demand.path);
            }
        }
        // Lists before their items, and dependent paths last.
        let beside = |path: &[Step]| {
            case.iter().any(|demand| demand.path == path && matches!(demand.want, Want::Beside(..)))
        };
        paths.sort_by_key(|path| (beside(path), path.len()));
        for path in paths {
            let wants: Vec<&Want> = case
                .iter()
                .filter(|demand| demand.path == path)
                .map(|Demand { want, .. }| want)
                .collect();
            let known = self.full.pointer_of(path).or_else(|| self.base.pointer_of(path));
            let here = data.pointer_of(path).or(known);
            let candidates = self.candidates(path, &wants, here, known, &data, manner);
            if candidates.is_empty() {
                continue;
            }
            variants = variants.max(candidates.len());
            let chosen = &candidates[manner.variant % candidates.len()];
            self.put(&mut data, path, 0, chosen.as_ref(), manner);
        }
        (data, variants)
    }

    /// The candidate values at a path, best first; none for "absent".
    fn candidates(
        &self,
        path: &[Step],
        wants: &[&Want],
        here: Option<&Value>,
        known: Option<&Value>,
        data: &Value,
        manner: Manner,
    ) -> Vec<Option<Value>> {
        let mut values: Vec<Option<Value>> = here.into_iter().cloned().map(Some).collect();
        values.extend(known.cloned().map(Some));
        let declared = match look_up(self.schema, path) {
            Declared::As { schema, .. } => Some(schema),
            _ => None,
        };
        values.extend(declared.into_iter().flat_map(choices).map(Some));
        for want in wants {
            match want {
                Want::Value(_, constant) => values.extend(around(constant).into_iter().map(Some)),
                Want::Beside(_, other) => {
                    values.extend(data.pointer_of(other).into_iter().flat_map(around).map(Some));
                }
                Want::Length(_, length) => {
                    let model = here.filter(|here| is_long(here)).or(known);
                    for length in [*length, length - 1, length + 1] {
                        values.extend(
                            model
                                .and_then(|model| resized(model, length, manner.distinct))
                                .map(Some),
                        );
                    }
                }
                Want::Holds(part, _) => {
                    values.extend(here.and_then(|here| with_part(here, part)).map(Some));
                    values.push(Some(part.clone()));
                    values.push(Some(Value::from("?")));
                    values.push(Some(Value::Array(Vec::new())));
                }
                Want::Truth(holds) => {
                    let like = here.or(known);
                    values.extend(
                        like.map(|like| if *holds { truthy(like) } else { falsy(like) }).map(Some),
                    );
                }
                Want::Present(_) => {}
                Want::Used => {
                    values.extend(declared.into_iter().flat_map(borders).map(Some));
                    values.extend(here.map(falsy).map(Some));
                    values.push(Some(Value::Null));
                }
            }
        }
        values.push(None);
        let mut met: Vec<Option<Value>> = Vec::new();
        for value in values {
            if wants.iter().all(|want| is_met(want, value.as_ref(), data)) && !met.contains(&value)
            {
                met.push(value);
            }
        }
        // An absent value meets many requirements, but most conditions mean something else.
        if met.first() == Some(&None) && met.len() > 1 {
            met.rotate_left(1);
        }
        met
    }

    /// Sets the value at a path, in every item of a list, and creates missing parents.
    fn put(
        &self,
        at: &mut Value,
        path: &[Step],
        depth: usize,
        value: Option<&Value>,
        manner: Manner,
    ) {
        let Some(step) = path.get(depth) else {
            if let Some(value) = value {
                *at = value.clone();
            }
            return;
        };
        match (step, &mut *at) {
            (Step::Key(name), Value::Object(map)) => {
                let is_last = depth + 1 == path.len();
                match value {
                    None if is_last => {
                        map.shift_remove(name);
                        return;
                    }
                    None if !map.contains_key(name) => return,
                    _ => {}
                }
                if !map.contains_key(name) {
                    let known = self.known(&path[..=depth]);
                    map.insert(name.clone(), known.unwrap_or_else(|| Value::Object(Map::new())));
                }
                if let Some(next) = map.get_mut(name) {
                    self.put(next, path, depth + 1, value, manner);
                }
            }
            (Step::Each, Value::Array(items)) => {
                if items.is_empty() {
                    let known = self.known(&path[..depth]);
                    items.extend(
                        known.and_then(|known| known.as_array().cloned()).unwrap_or_default(),
                    );
                }
                let count = if manner.first_only { 1 } else { items.len() };
                for item in items.iter_mut().take(count) {
                    self.put(item, path, depth + 1, value, manner);
                }
            }
            (Step::Each, Value::Object(map)) => {
                for item in map.values_mut() {
                    self.put(item, path, depth + 1, value, manner);
                }
            }
            _ => {}
        }
    }

    fn known(&self, path: &[Step]) -> Option<Value> {
        let is_empty = |value: &&Value| value.as_array().is_some_and(Vec::is_empty);
        let lean = self.lean.pointer_of(path).filter(|value| !is_empty(value));
        lean.or_else(|| self.full.pointer_of(path)).cloned()
    }
}

/// The value at a path, through the first item of each list.
trait AtPath {
    fn pointer_of(&self, path: &[Step]) -> Option<&Value>;
}

impl AtPath for Value {
    fn pointer_of(&self, path: &[Step]) -> Option<&Value> {
        path.iter().try_fold(self, |at, step| match (step, at) {
            (Step::Key(name), at) => at.get(name),
            (Step::Each, Value::Object(map)) => map.values().next(),
            (Step::Each, at) => at.get(0),
        })
    }
}

/// Whether a value meets a requirement.
fn is_met(want: &Want, value: Option<&Value>, data: &Value) -> bool {
    match want {
        Want::Value(op, constant) => op.holds(value.unwrap_or(&Value::Null), constant),
        Want::Beside(op, other) => match (value, data.pointer_of(other)) {
            (Some(value), Some(other)) => op.holds(value, other),
            _ => false,
        },
        Want::Length(op, length) => value
            .and_then(length_of)
            .is_some_and(|own| op.holds(&Value::from(own), &Value::from(*length))),
        Want::Holds(part, holds) => value.is_some_and(|value| has_part(value, part)) == *holds,
        Want::Truth(holds) => value.is_some_and(is_true) == *holds,
        Want::Present(holds) => value.is_some() == *holds,
        Want::Used => true,
    }
}

fn is_true(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(flag) => *flag,
        Value::Number(number) => number.as_f64() != Some(0.0),
        other => length_of(other) != Some(0),
    }
}

fn is_long(value: &Value) -> bool {
    length_of(value).is_some_and(|length| length > 0)
}

fn length_of(value: &Value) -> Option<i64> {
    let length = match value {
        Value::String(text) => text.chars().count(),
        Value::Array(items) => items.len(),
        Value::Object(map) => map.len(),
        _ => return None,
    };
    i64::try_from(length).ok()
}

fn has_part(value: &Value, part: &Value) -> bool {
    match (value, part) {
        (Value::Array(items), part) => items.iter().any(|item| Op::Eq.holds(item, part)),
        (Value::String(text), Value::String(part)) => text.contains(part.as_str()),
        (Value::Object(map), Value::String(key)) => map.contains_key(key),
        _ => false,
    }
}

fn with_part(value: &Value, part: &Value) -> Option<Value> {
    match (value, part) {
        (Value::Array(items), part) => {
            let mut items = items.clone();
            match items.first_mut() {
                Some(first) => *first = part.clone(),
                None => items.push(part.clone()),
            }
            Some(Value::Array(items))
        }
        (Value::String(text), Value::String(part)) => {
            Some(Value::from(format!("{part}{text}{part}")))
        }
        _ => None,
    }
}

/// A constant, and values just below, above or unlike it.
fn around(constant: &Value) -> Vec<Value> {
    match constant {
        Value::Number(number) => {
            if let Some(whole) = number.as_i64().filter(|whole| whole.abs() < i64::MAX / 2) {
                let below_and_above = [whole - 1, whole + 1, whole - 2, whole + 2].map(Value::from);
                return [vec![constant.clone()], below_and_above.to_vec()].concat();
            }
            let exact = number.as_f64().unwrap_or_default();
            [exact, exact - 0.5, exact + 0.5, exact.floor(), exact.ceil()]
                .map(|number| {
                    if number.fract() == 0.0 {
                        Value::from(number as i64)
                    } else {
                        Value::from(number)
                    }
                })
                .to_vec()
        }
        Value::String(text) => {
            vec![constant.clone(), Value::from(format!("{text}?")), Value::from("?")]
        }
        Value::Bool(flag) => vec![constant.clone(), Value::Bool(!flag)],
        other => vec![other.clone()],
    }
}

/// The values listed by a schema.
fn choices(schema: &Value) -> Vec<Value> {
    let listed = schema["enum"].as_array().into_iter().flatten().take(MAX_CHOICES).cloned();
    let flags = [true, false].map(Value::Bool).into_iter().filter(|_| schema["type"] == "boolean");
    listed.chain(flags).collect()
}

/// The numbers at the limits of a schema, or beyond what most templates expect.
fn borders(schema: &Value) -> Vec<Value> {
    let bound = |name: &str| schema.get(name).cloned();
    match schema["type"].as_str() {
        Some("integer" | "number") => [
            bound("minimum").or(Some(Value::from(-1))),
            bound("maximum").or(Some(Value::from(1_000_000))),
        ]
        .into_iter()
        .flatten()
        .collect(),
        _ => Vec::new(),
    }
}

fn truthy(like: &Value) -> Value {
    match like {
        value if is_true(value) => value.clone(),
        Value::Bool(_) => Value::Bool(true),
        Value::Number(_) => Value::from(1),
        Value::String(_) => Value::from("x"),
        other => other.clone(),
    }
}

fn falsy(like: &Value) -> Value {
    match like {
        Value::Null => Value::Null,
        Value::Bool(_) => Value::Bool(false),
        Value::Number(_) => Value::from(0),
        Value::String(_) => Value::from(""),
        Value::Array(_) => Value::Array(Vec::new()),
        Value::Object(_) => Value::Object(Map::new()),
    }
}

/// A list or text of this length, repeating existing content.
fn resized(value: &Value, length: i64, distinct: bool) -> Option<Value> {
    let length = usize::try_from(length).ok().filter(|_| length <= MAX_LENGTH)?;
    match value {
        Value::String(text) => {
            let filled = text.chars().chain(std::iter::repeat('x'));
            Some(Value::String(filled.take(length).collect()))
        }
        Value::Array(items) if !items.is_empty() => {
            let item = |n: usize| match distinct && n >= items.len() {
                true => varied(&items[n % items.len()], n),
                false => items[n % items.len()].clone(),
            };
            Some((0..length).map(item).collect())
        }
        Value::Array(_) if length == 0 => Some(value.clone()),
        _ => None,
    }
}

fn varied(value: &Value, n: usize) -> Value {
    match value {
        Value::String(text) => Value::from(format!("{text} {n}")),
        Value::Number(number) if number.is_i64() => {
            Value::from(number.as_i64().unwrap_or_default().saturating_add_unsigned(n as u64))
        }
        Value::Object(map) => {
            map.iter().map(|(key, value)| (key.clone(), varied(value, n))).collect()
        }
        other => other.clone(),
    }
}
