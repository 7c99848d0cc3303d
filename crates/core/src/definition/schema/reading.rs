//! Coerces data that a schema rejects to what its sender most likely meant. The places of the validator's
//! errors determine what to change, and the validator checks the outcome, so nothing here knows how schemas
//! are combined. If more than one change is possible, none is made.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{JsonType, JsonTypeSet, ValidationError};
use serde_json::Value;
use widgetcast_engine::budget;
use widgetcast_engine::json::locate;

#[cfg(test)]
mod tests;

use super::exact::{exact, whole};

/// Maximum walks through the data for one coercion.
const MAX_WALKS: u32 = 200;
/// Maximum ways to satisfy a union that are tried; if there are more, none is.
const MAX_OPTIONS: usize = 16;

/// How invalid data may be coerced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// A null that the schema does not allow counts as absent.
    Nulls,
    /// In addition, a string may contain the required value as JSON, and a single value may represent a list.
    Lossless,
}

/// Data during coercion.
#[derive(Clone, PartialEq)]
pub(super) struct Draft {
    data: Value,
    /// Pointers to nulls that count as absent.
    absent: BTreeSet<String>,
}

impl Draft {
    /// The data with the nulls that count as absent.
    pub(super) fn with_nulls(self) -> Value {
        self.data
    }

    /// The data without these nulls.
    pub(super) fn without_nulls(mut self) -> Value {
        // All of one object at once, because removing a member moves the following ones.
        let mut objects: BTreeMap<&str, HashSet<String>> = BTreeMap::new();
        for (parent, key) in self.absent.iter().filter_map(|pointer| pointer.rsplit_once('/')) {
            objects.entry(parent).or_default().insert(locate::unescaped(key));
        }
        for (pointer, keys) in objects {
            if let Some(Value::Object(members)) = self.data.pointer_mut(pointer) {
                members.retain(|key, _| !keys.contains(key));
            }
        }
        self.data
    }

    fn apply(&mut self, edit: Edit) {
        for (pointer, change) in edit {
            match change {
                Change::Absent => _ = self.absent.insert(pointer),
                Change::Replace(value) => {
                    if let Some(place) = self.data.pointer_mut(&pointer) {
                        *place = value;
                    }
                }
            }
        }
    }
}

#[derive(Clone, PartialEq)]
enum Change {
    Replace(Value),
    Absent,
}

/// Changes at different places that belong together, deepest first.
type Edit = Vec<(String, Change)>;

/// Collects faults from the validator's errors.
pub(super) type Find<'f> = dyn Fn(&[ValidationError<'_>]) -> Vec<Fault> + 'f;

/// Walks through data for its errors; `None` if it could not visit all of them.
pub(super) type Walk<'w> = dyn Fn(&Value, &Find<'_>) -> Option<Vec<Fault>> + 'w;

/// A place with errors of the validator, and the edits that may fix it.
pub(super) struct Fault {
    pointer: String,
    options: Vec<Edit>,
}

/// The only valid change of the data; `None` if there are several, or none.
pub(super) fn read(data: Value, reading: Reading, walk: &Walk<'_>) -> Option<Draft> {
    let mut search = Search { walk, reading, walks_left: MAX_WALKS };
    search.settle(Draft { data, absent: BTreeSet::new() }, "")
}

struct Search<'s> {
    walk: &'s Walk<'s>,
    reading: Reading,
    walks_left: u32,
}

impl Search<'_> {
    /// Edits the data until nothing at or below a path is rejected.
    fn settle(&mut self, mut draft: Draft, place: &str) -> Option<Draft> {
        loop {
            let faults = self.faults(&draft, place)?;
            if faults.is_empty() {
                return Some(draft);
            }
            let (certain, open): (Vec<_>, Vec<_>) = faults
                .into_iter()
                .filter(|fault| !fault.options.is_empty())
                .partition(|fault| fault.options.len() == 1);
            if !certain.is_empty() {
                certain
                    .into_iter()
                    .flat_map(|fault| fault.options)
                    .for_each(|edit| draft.apply(edit));
                continue;
            }
            let fault = open.into_iter().next()?;
            draft = self.only_one(&draft, fault)?;
        }
    }

    /// The result of the only option that works.
    fn only_one(&mut self, draft: &Draft, fault: Fault) -> Option<Draft> {
        let mut only = None;
        for edit in fault.options {
            let mut tried = draft.clone();
            tried.apply(edit);
            if let Some(settled) = self.settle(tried, &fault.pointer) {
                match &only {
                    Some(known) if *known != settled => return None,
                    _ => only = Some(settled),
                }
            }
        }
        only
    }

    /// What is rejected at or below a path, if known.
    fn faults(&mut self, draft: &Draft, place: &str) -> Option<Vec<Fault>> {
        self.walks_left = self.walks_left.checked_sub(1)?;
        budget::steps(count(&draft.data)).ok()?;
        let seen = draft.clone().without_nulls();
        let reader = Reader { data: &seen, reading: self.reading };
        let is_below = |fault: &Fault| {
            fault
                .pointer
                .strip_prefix(place)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        (self.walk)(&seen, &|errors| reader.faults(errors).into_iter().filter(is_below).collect())
    }
}

/// The cost of copying a value, in steps.
fn count(value: &Value) -> u64 {
    match value {
        Value::String(text) => 1 + text.len() as u64 / 64,
        Value::Array(items) => 1 + items.iter().map(count).sum::<u64>(),
        Value::Object(members) => 1 + members.values().map(count).sum::<u64>(),
        _ => 1,
    }
}

/// Finds what may fix the validator's errors.
struct Reader<'d> {
    data: &'d Value,
    reading: Reading,
}

impl Reader<'_> {
    /// The errors by their places. What fixes a place must suit all errors there for which a reading
    /// is known.
    fn faults(&self, errors: &[ValidationError<'_>]) -> Vec<Fault> {
        let mut places: HashMap<String, Option<Vec<Edit>>> = HashMap::new();
        for error in errors {
            let pointer = error.instance_path().to_string();
            let options = self.options(error, &pointer);
            let known = places.entry(pointer).or_default();
            match known {
                _ if options.is_empty() => {}
                Some(known) => known.retain(|option| options.contains(option)),
                None => *known = Some(options),
            }
        }
        let mut faults: Vec<Fault> = places
            .into_iter()
            .map(|(pointer, options)| Fault { pointer, options: options.unwrap_or_default() })
            .collect();
        faults.sort_by(|one, other| one.pointer.cmp(&other.pointer));
        faults
    }

    fn options(&self, error: &ValidationError<'_>, pointer: &str) -> Vec<Edit> {
        use ValidationErrorKind as K;
        let Some(value) = self.data.pointer(pointer) else { return Vec::new() };
        if value.is_null() {
            return self.absent(pointer).into_iter().collect();
        }
        match error.kind() {
            K::AnyOf { context } | K::OneOfNotValid { context } => {
                let mut all = Vec::new();
                for option in context.iter().flat_map(|branch| self.edits(branch)) {
                    if !all.contains(&option) {
                        all.push(option);
                    }
                    if all.len() > MAX_OPTIONS {
                        return Vec::new();
                    }
                }
                all
            }
            _ if self.reading == Reading::Nulls => Vec::new(),
            K::Type { kind } => {
                let types = match kind {
                    TypeKind::Single(kind) => JsonTypeSet::from(*kind),
                    TypeKind::Multiple(types) => *types,
                };
                let replace = |value| vec![(pointer.to_owned(), Change::Replace(value))];
                of_types(value, types).into_iter().map(replace).collect()
            }
            // Another type may be allowed, to which this keyword does not apply.
            _ => {
                let value = value.as_str().and_then(exact).filter(|value| !value.is_null());
                value
                    .map(|value| vec![(pointer.to_owned(), Change::Replace(value))])
                    .into_iter()
                    .collect()
            }
        }
    }

    /// Ways to fix all errors of a branch for which a reading is known.
    fn edits(&self, errors: &[ValidationError<'_>]) -> Vec<Edit> {
        let mut edits: Vec<Edit> = vec![Vec::new()];
        for fault in self.faults(errors).into_iter().filter(|fault| !fault.options.is_empty()) {
            if edits.len() * fault.options.len() > MAX_OPTIONS {
                return Vec::new();
            }
            let with = |edit: &Edit, option: &Edit| [&option[..], &edit[..]].concat();
            edits = edits
                .iter()
                .flat_map(|edit| fault.options.iter().map(move |option| with(edit, option)))
                .collect();
        }
        edits.retain(|edit| !edit.is_empty());
        edits
    }

    /// A null that is a member of an object can be left out.
    fn absent(&self, pointer: &str) -> Option<Edit> {
        let (parent, _) = pointer.rsplit_once('/')?;
        self.data.pointer(parent)?.as_object()?;
        Some(vec![(pointer.to_owned(), Change::Absent)])
    }
}

/// The readings of a value as one of these types.
fn of_types(value: &Value, types: JsonTypeSet) -> Vec<Value> {
    let read = value.as_str().and_then(exact);
    let may_be_list =
        value.is_array() || value.as_str().is_some_and(|text| is_listing(text, &read));
    let mut readings = Vec::new();
    let is_wanted = |kind| types.contains(kind);
    match read {
        Some(Value::Number(number)) if is_wanted(JsonType::Number) => {
            readings.push(Value::Number(number));
        }
        Some(Value::Number(number)) if is_wanted(JsonType::Integer) => {
            readings.extend(whole(&number).map(Value::Number));
        }
        Some(Value::Number(_)) | None => {}
        Some(other) if is_wanted(JsonType::from(&other)) => readings.push(other),
        Some(_) => {}
    }
    if is_wanted(JsonType::Array) && !may_be_list {
        readings.push(Value::Array(vec![value.clone()]));
    }
    readings
}

/// Whether a text may be a list rather than one item of it: it begins as a list does, even if it cannot
/// be read, or it has several parts.
fn is_listing(text: &str, read: &Option<Value>) -> bool {
    text.trim_start().starts_with('[') || (read.is_none() && text.contains([',', ';', '\n']))
}
