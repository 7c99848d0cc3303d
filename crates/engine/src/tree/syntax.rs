//! The error for a rendered text that is not JSON.

use std::borrow::Cow;

use super::quote::brief_code;
use crate::error::{Error, Kind};
use crate::json::locate;

/// The error for a rendered text that is not JSON, with the text around the fault.
pub(crate) fn not_json(text: &str, error: &serde_json::Error) -> Error {
    let mut at = locate::json_fault(text, error);
    let words = error.to_string();
    let words = words.split(" at line ").next().unwrap_or_default();
    let (words, help) = advice(text, &mut at, words);
    let mut place = locate::place(text, &(at..at + 1));
    let near = place.excerpt.take().map(|excerpt| excerpt.text).unwrap_or_default();
    let before = text.get(..at).unwrap_or_default();
    Error::new(
        Kind::OutputJson,
        format!("the template did not produce JSON: {words}, near `{near}`"),
    )
    .with_help(help)
    .with_cause(FaultContext {
        before: before.chars().rev().take(80).collect::<Vec<_>>().into_iter().rev().collect(),
        after: text.get(at..).unwrap_or_default().chars().take(80).collect(),
    })
}

/// Whether a text begins with a tag.
fn is_markup(text: &str) -> bool {
    text.strip_prefix('<')
        .is_some_and(|name| name.starts_with(|c: char| c.is_alphabetic() || c == '!'))
}

/// The parser's words in ours, and what to do. A comma too many is found before the offset at which
/// the parser noticed it.
fn advice<'w>(text: &str, at: &mut usize, words: &'w str) -> (Cow<'w, str>, &'static str) {
    let rest = text.get(*at..).unwrap_or_default();
    let before = text.get(..*at).unwrap_or_default().trim_end();
    let word = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
    if let Some(comma) = before.strip_suffix(',').filter(|_| rest.starts_with(['}', ']', ','])) {
        *at = comma.len();
        return (
            "an extra comma".into(),
            "remove it; in a loop, write `{% if not loop.last %},{% endif %}`",
        );
    }
    match words {
        words if words.starts_with("EOF") => {
            ("it ends early".into(), "a `}`, a `]` or a quote is missing")
        }
        "trailing characters" => {
            ("there is extra content after its end".into(), "look for an extra `}` or `]`")
        }
        words if words.starts_with("control character") => (
            "a line ends inside a string".into(),
            "print values with `| tojson`, and write a line break as `\\n`",
        ),
        "invalid escape" => ("an invalid escape".into(), "write a backslash in JSON as `\\\\`"),
        _ if rest.starts_with(',') => (
            "an extra comma".into(),
            "remove it; after a loop that may be empty, write `{% if items %},{% endif %}` instead",
        ),
        _ if rest.starts_with('\'') => {
            ("a string in single quotes".into(), "write it in double quotes: `\"…\"`")
        }
        _ if is_markup(rest) => (
            "this is JSX or HTML".into(),
            "a template writes JSON: `{ \"type\": \"Card\", \"children\": [ … ] }`",
        ),
        _ if rest.starts_with("//") || rest.starts_with("/*") || rest.starts_with('#') => {
            ("JSON has no comments".into(), "write `{# … #}`")
        }
        _ if matches!(word, "None" | "undefined" | "nil" | "NaN") => {
            (format!("`{word}` is not JSON").into(), "write `null`")
        }
        _ if word == "True" => ("`True` is not JSON".into(), "write `true`"),
        _ if word == "False" => ("`False` is not JSON".into(), "write `false`"),
        "key must be a string" if is_code(rest, word) => (
            "`{…}` is neither JSON nor Jinja".into(),
            "print a value with `{{ name | tojson }}`, and write a statement as `{% … %}`",
        ),
        words if words.starts_with("expected `,` or `}`") && rest.starts_with(']') => {
            ("expected `}`, found `]`".into(), "add the missing `}` before it, or remove it")
        }
        words if words.starts_with("expected `,` or `]`") && rest.starts_with('}') => {
            ("expected `]`, found `}`".into(), "add the missing `]` before it, or remove it")
        }
        "key must be a string" if !word.is_empty() => {
            ("a key without quotes".into(), "keys need double quotes: `\"type\"`")
        }
        "expected value" if !word.is_empty() => (
            format!("{} is not a JSON value", brief_code(word)).into(),
            "strings need double quotes; print values with `| tojson`",
        ),
        words if words.starts_with("expected `,`") && rest.starts_with(['{', '[', '"']) => (
            "a comma is missing".into(),
            "in a loop, write `{% if not loop.last %},{% endif %}` after each item",
        ),
        words => {
            (words.into(), "print values with `| tojson`, and look for a missing or doubled comma")
        }
    }
}

/// Whether what follows a brace is no name of a member: `{name}`, `{items.map(…)}`.
fn is_code(rest: &str, word: &str) -> bool {
    !word.is_empty() && !rest[word.len()..].trim_start().starts_with(':')
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
