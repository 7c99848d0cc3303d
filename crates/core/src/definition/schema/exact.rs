//! Parses a text as JSON, if this is lossless. Language models often send `"7"`, `"true"` or `"[1, 2]"`
//! instead of a number, a boolean or a list. Whitespace is allowed around lists and objects, but not around
//! scalars.

use serde_json::{Number, Value};
use widgetcast_engine::budget;
use widgetcast_engine::json::JsonRef;

/// Larger integers are not exact for clients that parse them as doubles.
const MAX_WHOLE: f64 = 9_007_199_254_740_992.0;

/// The value of a JSON text other than a string; `None` if there is none, or if parsing would lose digits of
/// a number or a duplicate member.
pub(super) fn exact(text: &str) -> Option<Value> {
    let is_nested = text.trim_start().starts_with(['[', '{']);
    if !is_nested && !text.starts_with(|c: char| c == '-' || c.is_ascii_alphanumeric()) {
        return None;
    }
    let is_trimmed = text.ends_with(|c: char| c.is_ascii_alphanumeric());
    if !is_nested && !is_trimmed {
        return None;
    }
    // A long text may be parsed for each branch of a union.
    budget::steps(text.len() as u64 / 16).ok()?;
    let written = tokens(text)?;
    // As our own `Value`, whose size is counted.
    let value = JsonRef::read(text).ok()?;
    (members(&value) == written).then(|| value.to_value())
}

/// The integer value of a number, such as 7 for `7.0`.
pub(super) fn whole(number: &Number) -> Option<Number> {
    if !number.is_f64() {
        return Some(number.clone());
    }
    number.as_f64().filter(|float| float.fract() == 0.0).map(|float| (float as i64).into())
}

/// The number of object members in a JSON text; `None` if one of its numbers cannot be represented.
fn tokens(text: &str) -> Option<usize> {
    let (mut rest, mut colons) = (text, 0);
    while let Some(first) = rest.bytes().next() {
        rest = match first {
            b'"' => behind_string(rest)?,
            b'-' | b'0'..=b'9' => {
                let is_part = |c: char| c.is_ascii_digit() || "+-.eE".contains(c);
                let end = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
                if !is_exact(&rest[..end]) {
                    return None;
                }
                &rest[end..]
            }
            byte => {
                colons += usize::from(byte == b':');
                rest.get(1..)?
            }
        };
    }
    Some(colons)
}

/// The text after the string at the start.
fn behind_string(text: &str) -> Option<&str> {
    let mut is_escaped = false;
    let end = text.bytes().skip(1).position(|byte| {
        let is_end = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_end
    })?;
    text.get(end + 2..)
}

/// The number of object members in a value.
fn members(value: &JsonRef<'_>) -> usize {
    match value {
        JsonRef::List(items) => items.iter().map(members).sum(),
        JsonRef::Object(all) => all.iter().map(|(_, member)| 1 + members(member)).sum(),
        _ => 0,
    }
}

/// Whether a double represents a number exactly.
fn is_exact(text: &str) -> bool {
    let Ok(float) = text.parse::<f64>() else { return false };
    float.abs() <= MAX_WHOLE && digits(text) == digits(&format!("{float:e}"))
}

/// The digits of a number without leading and trailing zeros, and the power of ten of the first.
fn digits(text: &str) -> Option<(String, i64)> {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let mantissa = mantissa.trim_start_matches('-');
    let (before, after) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = format!("{before}{after}");
    let significant = all.trim_start_matches('0');
    if significant.is_empty() {
        return Some((String::new(), 0));
    }
    let zeros = all.len() - significant.len();
    let power = exponent.parse::<i64>().ok()?.checked_add(before.len() as i64 - zeros as i64)?;
    Some((significant.trim_end_matches('0').to_owned(), power))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn texts_that_are_json_have_a_value() {
        for (text, value) in [
            ("7", json!(7)),
            ("-7", json!(-7)),
            ("0", json!(0)),
            ("1.5", json!(1.5)),
            ("1.50", json!(1.5)),
            ("0.1", json!(0.1)),
            ("1e3", json!(1000.0)),
            ("12.5E-1", json!(1.25)),
            ("9007199254740992", json!(9_007_199_254_740_992_u64)),
            ("true", json!(true)),
            ("false", json!(false)),
            ("null", json!(null)),
            ("[]", json!([])),
            (" [1, \"a:b\\\"{\"]\n", json!([1, "a:b\"{"])),
            ("{\"a\": {\"b\": 1}, \"c\": [{}]}", json!({"a": {"b": 1}, "c": [{}]})),
        ] {
            assert_eq!(exact(text), Some(value), "{text}");
        }
    }

    #[test]
    fn other_texts_have_none() {
        for text in [
            "",
            " ",
            "a",
            "7 ",
            " 7",
            "\u{a0}7",
            "+7",
            "007",
            "0x7",
            "7.",
            ".5",
            "1,000",
            "1_000",
            "7a",
            "1e400",
            "-1e400",
            "1e-400",
            "NaN",
            "Infinity",
            "-",
            "1e999999999999999999999",
            "9007199254740993",
            "-9007199254740993",
            "0.12345678901234567890",
            "True",
            "yes",
            "on",
            " true",
            "\"7\"",
            "[1,]",
            "[9007199254740993]",
            "{\"a\":1,\"a\":2}",
            "[{\"a\":1,\"\\u0061\":1}]",
            "{a: 1}",
            "{'a': 1}",
            "[1] [2]",
            "[\"é",
            "é",
            "[é]",
        ] {
            assert_eq!(exact(text), None, "{text:?}");
        }
    }
}
