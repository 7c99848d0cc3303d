//! Limits what a template builds: bytes and values. minijinja counts steps, but one step can double a text,
//! nest a list or compare two long ones. So everything that builds a value draws on the budget of the
//! rendering.

use minijinja::value::ValueKind;
use minijinja::{Error as Fault, ErrorKind, Value};

use crate::budget;
use crate::limits::Limits;

/// The error that ends a rendering whose budget is exceeded. Its message is replaced by that of the budget.
fn ended(_: budget::Exceeded) -> Fault {
    Fault::new(ErrorKind::InvalidOperation, "too large")
}

/// The error for a single value past the limit, which also ends the rendering.
pub(super) fn too_large() -> Fault {
    ended(budget::too_large())
}

/// Counts bytes before they are built; fails if they exceed the limit.
pub(super) fn grow(bytes: usize) -> Result<(), Fault> {
    budget::bytes(bytes).map_err(ended)
}

/// Counts an iteration of a loop, which is about twenty steps of the fast path.
pub(super) fn round() -> Result<(), Fault> {
    budget::steps(20).map_err(ended)
}

/// Counts the result of an operation: the bytes of a text, a word for each item of a list.
pub(super) fn spend_value(value: Value) -> Result<Value, Fault> {
    let bytes = match value.as_str() {
        Some(text) => text.len(),
        None => value.len().unwrap_or(0).saturating_mul(16),
    };
    grow(bytes)?;
    Ok(value)
}

/// Rejects lists and maps with more values, including nested ones, than a template may build.
pub(super) fn bounded(value: Value) -> Result<Value, Fault> {
    fn count(value: &Value, left: &mut usize, depth: usize) -> Result<(), Fault> {
        *left = left.checked_sub(1).filter(|_| depth < 64).ok_or_else(too_large)?;
        match value.kind() {
            ValueKind::Map => {
                value.try_iter()?.try_for_each(|key| count(&value.get_item(&key)?, left, depth + 1))
            }
            ValueKind::Seq | ValueKind::Iterable => {
                value.try_iter()?.try_for_each(|item| count(&item, left, depth + 1))
            }
            _ => Ok(()),
        }
    }
    count(&value, &mut Limits::VALUES.clone(), 0)?;
    Ok(value)
}

/// Whether a value contains a namespace: a cyclic one could be walked without end.
pub(super) fn holds_namespace(value: &Value, depth: usize) -> bool {
    let Some(object) = value.as_object() else { return false };
    if object.type_name().ends_with("Namespace") || depth > 64 {
        return true;
    }
    match value.kind() {
        ValueKind::Map => value.try_iter().into_iter().flatten().any(|key| {
            value.get_item(&key).is_ok_and(|member| holds_namespace(&member, depth + 1))
        }),
        ValueKind::Seq => {
            value.try_iter().into_iter().flatten().any(|item| holds_namespace(&item, depth + 1))
        }
        _ => false,
    }
}

/// At most this many bytes are left when something in a text is replaced.
pub(super) fn replaced_size(hay: &str, needle: &str, with: &str) -> usize {
    let times = if needle.is_empty() { hay.len() + 1 } else { hay.matches(needle).count() };
    hay.len().saturating_add(times.saturating_mul(with.len()))
}

/// A format string can produce more than its parts: by a width (`%999999999d`), or by repeating one long
/// value.
pub(super) fn format_guard(
    pattern: &str,
    args: &mut dyn Iterator<Item = usize>,
) -> Result<(), Fault> {
    let digits = |text: &str| text.chars().take_while(char::is_ascii_digit).count();
    let starts = pattern.char_indices().filter(|(_, c)| !c.is_ascii_digit());
    let wide = starts.map(|(at, c)| digits(&pattern[at + c.len_utf8()..])).any(|n| n > 4);
    if wide {
        return Err(too_large());
    }
    let places = pattern.matches(['%', '{']).count();
    grow(places.saturating_mul(args.max().unwrap_or(0).saturating_add(9999)))
}

/// The length of a value, or of a map's longest member; an estimate for other values.
pub(super) fn longest_text(value: &Value) -> usize {
    match value.as_str() {
        Some(text) => text.len(),
        None if value.kind() == ValueKind::Map => {
            let keys = value.try_iter().into_iter().flatten();
            keys.filter_map(|key| Some(value.get_item(&key).ok()?.as_str()?.len()))
                .max()
                .unwrap_or(0)
        }
        None => 64,
    }
}
