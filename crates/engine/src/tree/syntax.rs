//! The error for a rendered text that is not JSON.

use crate::error::{Error, Kind};
use crate::json::locate;

/// The error for a rendered text that is not JSON, with the text around the fault.
pub(crate) fn not_json(text: &str, error: &serde_json::Error) -> Error {
    let at = locate::offset(text, error.line(), error.column());
    let mut place = locate::place(text, &(at.saturating_sub(1)..at));
    let near = place.excerpt.take().map(|excerpt| excerpt.text).unwrap_or_default();
    let before = text.get(..at).unwrap_or_default();
    let words = error.to_string();
    let words = words.split(" at line ").next().unwrap_or_default();
    Error::new(
        Kind::OutputJson,
        format!("the template did not produce JSON: {words}, near `{near}`"),
    )
    .with_help("print values with `| tojson`, and look for a missing or doubled comma")
    .with_cause(FaultContext {
        before: before.chars().rev().take(80).collect::<Vec<_>>().into_iter().rev().collect(),
        after: text.get(at..).unwrap_or_default().chars().take(80).collect(),
    })
}

/// The text around the point at which a rendered text stops being JSON. If the template contains it
/// literally, the fault is there.
#[derive(Debug)]
pub(crate) struct FaultContext {
    pub before: String,
    pub after: String,
}

impl std::fmt::Display for FaultContext {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "between `{}` and `{}`", self.before, self.after)
    }
}

impl std::error::Error for FaultContext {}
