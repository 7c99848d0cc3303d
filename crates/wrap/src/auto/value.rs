//! A value on one line: the content of a fact, a list item or a table cell.

use serde_json::{Number, Value, json};

use super::schema::Schema;
use super::text::{clip, is_link, link, readable, size};

/// Maximum characters of a value in a fact or a cell.
pub(super) const MAX_VALUE: usize = 120;
/// Maximum fraction digits.
const MAX_DIGITS: usize = 6;
/// The least time since 1970 that is in milliseconds (of 1973; in seconds, it is in the year 5138), and the largest.
const MIN_MILLISECONDS: f64 = 1e11;
const MAX_TIME: f64 = 2e14;
/// Maximum characters of a label.
const MAX_LABEL: usize = 60;

/// Whether a value is neither an object nor an array.
pub(super) fn is_scalar(value: &Value) -> bool {
    !value.is_object() && !value.is_array()
}

/// The label of a member.
pub(super) fn label(schema: Schema<'_>, key: &str) -> String {
    clip_label(&schema.label(key))
}

/// A label, truncated.
pub(super) fn clip_label(label: &str) -> String {
    clip(label, MAX_LABEL)
}

/// The display name of the tool.
pub(super) fn title(tool: &Value) -> Option<String> {
    let titles = [&tool["title"], &tool["annotations"]["title"]];
    let mut titles = titles.into_iter().filter_map(Value::as_str).map(str::trim);
    titles.find(|title| !title.is_empty()).map(clip_label)
}

/// The component that shows a value, in at most this many characters.
pub(super) fn component(value: &Value, schema: Schema<'_>, max: usize) -> Value {
    match value.as_str().filter(|text| is_link(text)) {
        Some(url) => {
            let label = url.split_once("://").map_or(url, |(_, rest)| rest);
            link(label, url, MAX_LABEL)
        }
        None => json!({"type": "Text", "value": clip(&line(value, schema), max)}),
    }
}

/// A whole value on one line: nested items are separated, and nested members are in brackets.
pub(super) fn line(value: &Value, schema: Schema<'_>) -> String {
    match value {
        Value::Array(items) if items.is_empty() => NOTHING.to_owned(),
        Value::Object(members) if members.is_empty() => NOTHING.to_owned(),
        Value::Array(items) => {
            let comma = if items.iter().all(is_scalar) { ", " } else { "; " };
            let items: Vec<String> = items.iter().map(|item| line(item, schema.items())).collect();
            items.join(comma)
        }
        Value::Object(members) => {
            let fact = |(key, value): (&String, &Value)| {
                let schema = schema.member(key);
                let (label, line) = (label(schema, key), line(value, schema));
                let is_nested = !is_scalar(value) && line != NOTHING;
                if is_nested { format!("{label} ({line})") } else { format!("{label}: {line}") }
            };
            let facts: Vec<String> = members.iter().map(fact).collect();
            facts.join(", ")
        }
        value => scalar(value, schema),
    }
}

/// A number as its schema describes it: a time, a size in bytes, or a figure with its unit.
fn number(number: &Number, schema: Schema<'_>) -> String {
    let formatted = match schema.format() {
        Some(format) if format.starts_with("unix") || format == "date-time" => moment(number),
        Some("bytes") => number.as_u64().map(size),
        _ => None,
    };
    formatted.unwrap_or_else(|| match schema.unit() {
        Some(unit) => format!("{} {unit}", figure(number)),
        None => figure(number),
    })
}

/// A time in seconds or milliseconds since 1970.
fn moment(number: &Number) -> Option<String> {
    let value = number.as_f64().filter(|value| value.abs() < MAX_TIME)?;
    let seconds = if value.abs() >= MIN_MILLISECONDS { value / 1000.0 } else { value };
    let seconds = seconds.floor() as i64;
    // The date in the Gregorian calendar, in eras of 400 years that begin in March.
    let days = seconds.div_euclid(86_400) + 719_468;
    let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + i64::from(month <= 2);
    let rest = seconds.rem_euclid(86_400);
    let (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60);
    Some(format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} UTC"))
}

/// A number without rounding errors of floats.
fn figure(number: &Number) -> String {
    let text = number.to_string();
    let digits = text.split_once('.').map_or("", |(_, digits)| digits);
    let is_long = digits.len() > MAX_DIGITS && digits.bytes().all(|b| b.is_ascii_digit());
    match number.as_f64().filter(|value| is_long && value.abs() >= 0.001) {
        Some(value) => {
            let text = format!("{value:.MAX_DIGITS$}");
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
        None => text,
    }
}

/// The placeholder for a missing value: a dash, which needs no translation.
const NOTHING: &str = "–";

fn scalar(value: &Value, schema: Schema<'_>) -> String {
    match value {
        Value::Bool(true) => "✓".to_owned(),
        Value::Bool(false) => "✗".to_owned(),
        Value::String(text) if !text.trim().is_empty() => readable(text).into_owned(),
        Value::Number(value) => number(value, schema),
        _ => NOTHING.to_owned(),
    }
}
