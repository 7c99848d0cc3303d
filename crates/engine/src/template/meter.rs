//! Bounds on what a template builds: bytes, values, time.
//!
//! minijinja counts steps, but one step can double a text, nest a list or compare two long ones. The
//! counts are kept per thread, because filters and functions of minijinja share no other state.

use std::cell::Cell;
use std::time::{Duration, Instant};

use minijinja::value::ValueKind;
use minijinja::{Error as Fault, ErrorKind, Value};

use crate::limits::Limits;

thread_local! {
    /// When the rendering on this thread must have ended its loops.
    static DEADLINE: Cell<Option<Instant>> = const { Cell::new(None) };
    /// Bytes that the rendering on this thread may still build; none once it has built too many.
    static METER: Cell<Option<usize>> = const { Cell::new(None) };
}

/// Starts the count for one rendering.
pub(super) fn start(limits: &Limits) {
    METER.with(|meter| meter.set(Some(limits.output_bytes.saturating_mul(8))));
    let end = Instant::now() + Duration::from_millis(limits.milliseconds);
    DEADLINE.with(|deadline| deadline.set(Some(end)));
}

/// Ends the count. Returns true if the limit was exceeded.
pub(super) fn finish() -> bool {
    METER.with(|meter| meter.replace(None)).is_none()
}

/// Whether the rendering takes too long.
pub(super) fn is_late() -> bool {
    DEADLINE.with(|deadline| deadline.get().is_some_and(|end| Instant::now() > end))
}

/// The error for a single value past the limit, which also ends the rendering.
pub(super) fn too_large() -> Fault {
    METER.with(|meter| meter.set(None));
    Fault::new(ErrorKind::InvalidOperation, "too large")
}

/// Counts bytes before they are built; fails if they exceed the limit.
pub(super) fn grow(bytes: usize) -> Result<(), Fault> {
    METER.with(|meter| {
        meter.set(meter.get().and_then(|left| left.checked_sub(bytes)));
        meter.get().map(drop).ok_or_else(|| Fault::new(ErrorKind::InvalidOperation, "too large"))
    })
}

/// Counts what an operation has built: the bytes of a text, a word for each item of a list.
pub(super) fn spend_value(value: Value) -> Result<Value, Fault> {
    let bytes = match value.as_str() {
        Some(text) => text.len(),
        None => value.len().unwrap_or(0).saturating_mul(16),
    };
    grow(bytes)?;
    Ok(value)
}

/// Refuses lists and maps that hold more values, nested ones included, than a template may build.
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

/// Whether a value contains a namespace: one that contained itself could be walked without end.
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

pub(super) fn replace_guard(hay: &str, needle: &str, with: &str) -> Result<(), Fault> {
    let times = if needle.is_empty() { hay.len() + 1 } else { hay.matches(needle).count() };
    grow(hay.len().saturating_add(times.saturating_mul(with.len())))
}

/// A format string can ask for more than its parts hold: by a width (`%999999999d`), or by naming
/// one long value many times.
pub(super) fn format_guard(
    pattern: &str,
    args: &mut dyn Iterator<Item = usize>,
) -> Result<(), Fault> {
    let digits = |text: &str| text.chars().take_while(char::is_ascii_digit).count();
    let starts = pattern.char_indices().filter(|(_, c)| !c.is_ascii_digit());
    let wide = starts.map(|(at, c)| digits(&pattern[at + c.len_utf8()..])).any(|n| n > 4);
    if wide || pattern.contains('*') {
        return Err(too_large());
    }
    let places = pattern.matches(['%', '{']).count();
    grow(places.saturating_mul(args.max().unwrap_or(0).saturating_add(9999)))
}

/// The length of a value, or of its longest member if it is a map; a guess for other values.
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
