//! The checker: one pass over any serde deserializer, text or value.
//!
//! Recoverable faults are collected, so an author sees all of them at once; only limits and broken
//! JSON stop the check. A component's `type` must be its first key for a single pass to know what
//! the other keys mean; where it is not, the text is parsed into a value, reordered and checked
//! again, so the order of keys never changes the result.

mod any;
mod component;
#[cfg(test)]
mod habit_tests;
mod state;
#[cfg(test)]
mod tests;
mod text;
mod value;

use serde::de::{DeserializeSeed, Deserializer};
use serde_json::Value;

use super::component::{Component, Want};
use super::syntax::not_json;
use crate::error::{Finding, Result, Severity};
use crate::json::JsonRef;
use crate::limits::Limits;
use component::{ComponentSeed, Parent};
pub use state::{Checked, Nulls};
use state::{State, Stop, too_deep};
use value::ValueSeed;

/// Checks a component tree given as JSON text and lists everything that is wrong with it.
///
/// ```
/// use widgetcast_engine::{error::Kind, limits::Limits, tree::check_tree};
/// let findings = check_tree(r#"{"type":"Card","children":[{"type":"Text"}]}"#, &Limits::default());
/// assert_eq!(findings[0].error.kind(), Kind::TreeMissing);
/// assert_eq!(findings[0].error.to_string(), "/children/0: Text needs value");
/// ```
pub fn check_tree(json: &str, limits: &Limits) -> Vec<Finding> {
    match check_text(json, limits) {
        Ok(checked) => checked.findings,
        Err(error) => vec![Finding::new(Severity::Error, error)],
    }
}

/// Checks a whole tree given as text.
pub(crate) fn check_text(text: &str, limits: &Limits) -> Result<Checked> {
    let mut de = serde_json::Deserializer::from_str(text);
    let mut state = State::new(limits, Nulls::Nothing);
    let seed = ComponentSeed { state: &mut state, parent: Parent::Root };
    let outcome = seed.deserialize(&mut de).and_then(|()| de.end());
    match (state.stop, outcome) {
        (Some(Stop::Limit(error)), _) => Err(error),
        (Some(Stop::KeyOrder), _) => {
            let value: Value = serde_json::from_str(text).map_err(|e| not_json(text, &e))?;
            check_value(&value, Nulls::Nothing, limits)
        }
        (None, Ok(())) => Ok(state.checked),
        // serde_json has a depth limit of its own.
        (None, Err(error)) if error.to_string().starts_with("recursion limit") => {
            Err(too_deep(limits))
        }
        (None, Err(error)) => Err(not_json(text, &error)),
    }
}

/// Checks a whole tree given as a value.
pub fn check_value(value: &Value, nulls: Nulls, limits: &Limits) -> Result<Checked> {
    if let Some(checked) = check_any(value, nulls, limits)? {
        return Ok(checked);
    }
    let mut state = State::new(limits, nulls);
    state.type_is_first = true;
    Ok(check(state, type_first(value))?.unwrap_or_default())
}

/// Checks a whole tree in any form. None if a component has its `type` after another key.
pub(crate) fn check_any<'de>(
    tree: impl Deserializer<'de>,
    nulls: Nulls,
    limits: &Limits,
) -> Result<Option<Checked>> {
    check(State::new(limits, nulls), tree)
}

fn check<'de>(mut state: State<'_>, tree: impl Deserializer<'de>) -> Result<Option<Checked>> {
    let seed = ComponentSeed { state: &mut state, parent: Parent::Root };
    let is_complete = seed.deserialize(tree).is_ok();
    match state.stop {
        Some(Stop::Limit(error)) => Err(error),
        Some(Stop::KeyOrder) => Ok(None),
        None => Ok(is_complete.then_some(state.checked)),
    }
}

/// A copy in which `type` is the first key of every object that has it.
fn type_first(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(type_first).collect(),
        Value::Object(members) => {
            let first = members.get_key_value("type").into_iter();
            let rest = members.iter().filter(|(key, _)| *key != "type");
            first.chain(rest).map(|(key, value)| (key.clone(), type_first(value))).collect()
        }
        scalar => scalar.clone(),
    }
}

/// Whether a prop takes a value exactly as it is.
pub(crate) fn accepts<'d>(value: &'d JsonRef<'d>, want: &Want, limits: &Limits) -> bool {
    let mut state = State::new(limits, Nulls::Nothing);
    let seed = ValueSeed { state: &mut state, want: *want, owner: "", prop: "" };
    seed.deserialize(value).is_ok() && state.is_clean()
}

/// Whether a component takes a value as a child exactly as it is.
pub(crate) fn accepts_child<'d>(
    value: &'d JsonRef<'d>,
    parent: &'static Component,
    limits: &Limits,
) -> bool {
    let mut state = State::new(limits, Nulls::Nothing);
    let seed = ComponentSeed { state: &mut state, parent: Parent::Component(parent) };
    seed.deserialize(value).is_ok() && state.is_clean()
}
