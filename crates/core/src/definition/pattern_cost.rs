//! Estimates the cost of compiling the patterns of a schema. A hundred times `\p{L}{200}` is one kilobyte of
//! text, and a gigabyte when compiled; the library limits a single expression, but not their sum.

use serde_json::Value;

/// Maximum cost of a schema's patterns, in plain characters.
const MAX_COST: u64 = 1_000_000;
/// The cost of a large class: any character, or all but some.
const WIDE: u64 = 25;
/// The cost of a Unicode class.
const UNICODE: u64 = 1_000;

/// Whether the patterns of a schema are too expensive in total.
pub(super) fn is_too_high(schema: &Value) -> bool {
    total(schema) > MAX_COST
}

fn total(schema: &Value) -> u64 {
    let add = |sum: u64, cost: u64| sum.saturating_add(cost);
    match schema {
        Value::Object(members) => members.iter().fold(0, |sum, (key, value)| {
            let own = match (key.as_str(), value) {
                ("pattern", Value::String(pattern)) => cost(pattern),
                ("patternProperties", Value::Object(patterns)) => {
                    patterns.keys().map(|pattern| cost(pattern)).fold(0, add)
                }
                _ => 0,
            };
            add(sum, add(own, total(value)))
        }),
        Value::Array(items) => items.iter().map(total).fold(0, add),
        _ => 0,
    }
}

/// Estimates one expression: its characters and classes, multiplied by their repetitions.
fn cost(pattern: &str) -> u64 {
    // The sums of the enclosing groups, and the sum and the last item of this one.
    let mut outer: Vec<u64> = Vec::new();
    let (mut sum, mut last) = (0_u64, 0_u64);
    let mut rest = pattern;
    while let Some(c) = rest.chars().next() {
        let mut length = c.len_utf8();
        match c {
            '(' => {
                outer.push(sum);
                (sum, last) = (0, 0);
            }
            ')' => {
                last = sum;
                sum = sum.saturating_add(outer.pop().unwrap_or(0));
            }
            '{' => {
                if let Some((times, end)) = repeated(rest) {
                    sum = sum.saturating_add(last.saturating_mul(times.saturating_sub(1)));
                    length = end;
                }
            }
            _ => {
                (last, length) = item(rest, c);
                sum = sum.saturating_add(last);
            }
        }
        rest = &rest[length..];
    }
    outer.into_iter().fold(sum, u64::saturating_add)
}

/// The cost of a character, an escape or a class at the start of a text, and its length.
fn item(text: &str, first: char) -> (u64, usize) {
    match first {
        '.' => (WIDE, 1),
        '\\' => match text[1..].chars().next() {
            Some('p' | 'P') => match text[2..].strip_prefix('{').and_then(|name| name.find('}')) {
                Some(end) => (UNICODE, end + 4),
                None => (UNICODE, 2 + text[2..].chars().next().map_or(0, char::len_utf8)),
            },
            Some(c @ ('W' | 'S' | 'D')) => (WIDE, 1 + c.len_utf8()),
            Some(c) => (1, 1 + c.len_utf8()),
            None => (1, 1),
        },
        '[' => {
            let end = text.find(']').map_or(text.len(), |end| end + 1);
            let class = &text[..end];
            let unicode = class.matches("\\p").count() + class.matches("\\P").count();
            let is_wide = class.starts_with("[^") || !class.is_ascii() || class.contains('\\');
            (1 + unicode as u64 * UNICODE + if is_wide { WIDE } else { 0 }, end)
        }
        c => (1, c.len_utf8()),
    }
}

/// The maximum of `{n}`, `{n,}` or `{n,m}` at the start of a text, and its length.
fn repeated(text: &str) -> Option<(u64, usize)> {
    let end = text.find('}')?;
    let number = |digits: &str| match digits {
        "" => Some(0),
        digits if digits.bytes().all(|c| c.is_ascii_digit()) => {
            Some(digits.parse().unwrap_or(u64::MAX))
        }
        _ => None,
    };
    let (least, most) = text[1..end].split_once(',').unwrap_or((&text[1..end], ""));
    Some((number(least)?.max(number(most)?), end + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn repetitions_multiply() {
        for (pattern, expected) in [
            ("", 0),
            ("abc", 3),
            ("a{10}", 10),
            ("a{2,10}b", 11),
            ("(ab){10}", 20),
            ("((a{10}){10}){10}c", 1001),
            (r"\p{L}{3}", 3000),
            (r"\pL{3}\p", 4000),
            ("[^a]{4}", 104),
            (".", 25),
            ("a{x}", 3),
            ("(a", 1),
            ("a)", 1),
            ("a{99999999999999999999}{9}", u64::MAX),
        ] {
            let found = cost(pattern);
            assert_eq!(found, expected, "{pattern}");
        }
    }

    #[test]
    fn patterns_count_together() {
        let schema = |count: usize, pattern: &str| {
            let property =
                |n: usize| (format!("p{n}"), json!({"pattern": format!("{pattern}{n}")}));
            json!({"properties": (0..count).map(property).collect::<Value>()})
        };
        assert!(
            !is_too_high(&schema(3, r"\p{L}{200}")) && is_too_high(&schema(100, r"\p{L}{200}"))
        );
        assert!(!is_too_high(&schema(5000, "^[a-z0-9-]{1,64}$")));
        assert!(is_too_high(&json!({"patternProperties": {"((a{200}){200}){200}": true}})));
    }
}
