//! Data in lines of text: `key: value`, tags, CSV, paths, and JSON between a few lines of text.
//!
//! Only the shape counts, so the language does not matter. In doubt, text stays text.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use super::schema::is_identifier;
use super::text::{data, is_line, is_verbatim, is_written};

/// Maximum bytes that are read as lines.
const MAX_BYTES: usize = 256 << 10;
/// Maximum characters of a line, of a key and of a tag, and maximum words of a key.
const MAX_LINE: usize = 300;
const MAX_KEY: usize = 40;
const MAX_TAG: usize = 20;
const MAX_WORDS: usize = 5;
/// Maximum positions at which JSON may start within text.
const MAX_STARTS: usize = 4;

/// A part of a text.
pub(super) enum Part<'t> {
    Heading(&'t str),
    Text(&'t str),
    Data(Value),
}

/// The parts of a text that contains data in its lines.
pub(super) fn parts(text: &str) -> Option<Vec<Part<'_>>> {
    let text = text.trim_matches(['\n', '\r']).trim_end();
    if text.len() > MAX_BYTES {
        return None;
    }
    if let Some(rows) = csv(text) {
        return Some(vec![Part::Data(rows)]);
    }
    if let Some(parts) = around_json(text) {
        return Some(parts);
    }
    let is_kept = is_verbatim(text) || is_written(text);
    let (mut parts, mut known, mut count) = (Vec::new(), 0, 0);
    for paragraph in paragraphs(text) {
        let lines = paragraph.lines().count();
        let found = match numbered(paragraph) {
            Some(row) => row.into_iter().map(Part::Data).collect(),
            None if is_kept => vec![Part::Text(paragraph)],
            None => paragraph_of(paragraph),
        };
        count += lines;
        known += if found.iter().any(|part| matches!(part, Part::Data(_))) { lines } else { 0 };
        parts.extend(found);
    }
    // In prose, some lines may look like data.
    (2 * known > count).then(|| joined(parts))
}

/// The blocks between empty lines and dividers such as `---`.
fn paragraphs(text: &str) -> impl Iterator<Item = &str> {
    let is_end = |line: &str| line.trim().is_empty() || is_rule(line);
    let mut rest = text;
    std::iter::from_fn(move || {
        while let Some(line) = rest.split_inclusive('\n').next().filter(|line| is_end(line)) {
            rest = &rest[line.len()..];
        }
        let lines = rest.split_inclusive('\n').take_while(|line| !is_end(line));
        let (paragraph, after) = rest.split_at(lines.map(str::len).sum());
        rest = after;
        (!paragraph.is_empty()).then(|| paragraph.trim_end())
    })
}

fn is_rule(line: &str) -> bool {
    let line = line.trim();
    line.len() > 2
        && ["-", "=", "*", "_"]
            .iter()
            .any(|sign| line.trim_matches(|c: char| sign.contains(c)).is_empty())
}

/// The heading and the data of a block of lines, or else its text.
fn paragraph_of(text: &str) -> Vec<Part<'_>> {
    if let Some(data) = facts(text).or_else(|| tagged(text)).or_else(|| paths(text)) {
        return vec![Part::Data(data)];
    }
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let is_label = first.trim_end().ends_with([':', '：']);
    let data = facts(rest).or_else(|| tagged(rest));
    let data = data.or_else(|| is_label.then(|| listed(rest)).flatten());
    match (heading(first).filter(|_| fact(first).is_none()), data) {
        (Some(heading), Some(data)) => vec![Part::Heading(heading), Part::Data(data)],
        (Some(heading), None) if rest.is_empty() && heading != text => vec![Part::Heading(heading)],
        _ => vec![Part::Text(text)],
    }
}

/// Numbered lines, each with facts below it: the rows of a table. The column of the numbered lines has no name.
fn numbered(text: &str) -> Option<Vec<Value>> {
    let mut rows: Vec<Map<String, Value>> = Vec::new();
    for line in text.lines() {
        if let Some(numbered) = number(line) {
            rows.push(Map::from_iter([(String::new(), Value::from(numbered))]));
            continue;
        }
        let (key, value) = fact(line.trim_start())?;
        rows.last_mut()?.insert(key.to_owned(), scalar(value));
    }
    let is_row = |row: &Map<String, Value>| row.len() > 1;
    (!rows.is_empty() && rows.iter().all(is_row))
        .then(|| rows.into_iter().map(Value::Object).collect())
}

/// A line that begins with a number, without Markdown bold: `1. text`.
fn number(line: &str) -> Option<String> {
    let (number, text) = line.split_once(". ")?;
    let text = text.trim();
    let text = text.strip_prefix("**").and_then(|text| text.strip_suffix("**")).unwrap_or(text);
    let is_number = !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit());
    (is_number && is_line(text, MAX_LINE)).then(|| format!("{number}. {text}"))
}

/// A line as a heading, without its colon and without Markdown bold.
fn heading(line: &str) -> Option<&str> {
    let line = line.trim_end();
    let line = line.strip_suffix([':', '：']).unwrap_or(line);
    let line = line.strip_prefix("**").and_then(|line| line.strip_suffix("**")).unwrap_or(line);
    (!line.is_empty() && is_line(line, MAX_LINE)).then_some(line)
}

/// Adjacent objects with the same first key are the rows of one table.
pub(super) fn joined(parts: Vec<Part<'_>>) -> Vec<Part<'_>> {
    let mut out: Vec<Part<'_>> = Vec::new();
    for part in parts {
        let key =
            |value: &Value| value.as_object().and_then(|members| members.keys().next().cloned());
        match (out.last_mut(), part) {
            (Some(Part::Data(Value::Array(rows))), Part::Data(row @ Value::Object(_)))
                if rows.last().is_some_and(|last| key(last) == key(&row)) =>
            {
                rows.push(row);
            }
            (Some(Part::Data(last)), Part::Data(row @ Value::Object(_)))
                if last.is_object() && key(last) == key(&row) =>
            {
                *last = Value::Array(vec![last.take(), row]);
            }
            (_, part) => out.push(part),
        }
    }
    out
}

/// JSON that makes up most of a text and starts and ends at line breaks, with the text around it.
fn around_json(text: &str) -> Option<Vec<Part<'_>>> {
    let lines = text.split_inclusive('\n').scan(0, |at, line| {
        let start = *at;
        *at += line.len();
        Some((start, line))
    });
    let starts = lines.filter(|(_, line)| line.starts_with(['{', '[', '`'])).take(MAX_STARTS);
    for (start, line) in starts.filter(|(start, _)| *start > 0) {
        let (above, rest) = text.split_at(start);
        let (written, below) = match line.strip_prefix("```") {
            Some(_) => rest[line.len()..].split_once("\n```")?,
            None if data(rest).is_some() => (rest, ""),
            None => rest.split_at(json(rest).unwrap_or(rest.len())),
        };
        let ends_a_line =
            below.is_empty() || below.trim_start_matches([' ', '\r']).starts_with('\n');
        let is_most = 2 * written.len() >= text.len();
        if !is_most || !ends_a_line || is_written(above) {
            continue;
        }
        if let Some(data) = data(written) {
            let above = above.trim();
            let heading = above.strip_suffix([':', '：']).filter(|text| is_line(text, MAX_LINE));
            let mut parts =
                vec![heading.map_or(Part::Text(above), Part::Heading), Part::Data(data)];
            let below = below.trim();
            parts.extend((!below.is_empty()).then_some(Part::Text(below)));
            return Some(parts);
        }
    }
    None
}

/// The end of the JSON with which a text starts.
fn json(text: &str) -> Option<usize> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    values.next()?.ok()?;
    Some(values.byte_offset())
}

/// Lines of `key: value`: one object, or several if the first key is repeated.
fn facts(text: &str) -> Option<Value> {
    let mut records: Vec<Map<String, Value>> = Vec::new();
    for line in text.lines() {
        let (key, value) = fact(line)?;
        match records.last_mut() {
            Some(last) if !last.contains_key(key) => {
                last.insert(key.to_owned(), scalar(value));
            }
            // Only the first key of a record starts the next one.
            Some(last) if last.keys().next().is_none_or(|first| first != key) => return None,
            _ => records.push(Map::from_iter([(key.to_owned(), scalar(value))])),
        }
    }
    match records.len() {
        0 => None,
        1 => records.pop().filter(|only| only.len() > 1).map(Value::Object),
        _ => Some(records.into_iter().map(Value::Object).collect()),
    }
}

/// The key and the value of a line; the key may be bold, as in Markdown.
fn fact(line: &str) -> Option<(&str, &str)> {
    let (key, value) = match line.strip_prefix("**") {
        Some(bold) => {
            let (key, rest) = bold.split_once("**")?;
            match key.strip_suffix(':') {
                Some(key) => (key, rest),
                None => (key, rest.strip_prefix(':')?),
            }
        }
        None => line.split_once(": ").or_else(|| assigned(line))?,
    };
    let is_part = |c: char| c.is_alphanumeric() || " _-()#%&'*".contains(c);
    // A sign such as an emoji may precede the key.
    let bare = key.trim_start_matches(|c: char| !c.is_ascii() && !c.is_alphanumeric());
    let bare =
        if bare.len() < key.len() { bare.strip_prefix(' ').unwrap_or_default() } else { bare };
    let is_key = bare.starts_with(char::is_alphabetic)
        && bare.chars().all(is_part)
        && key.chars().count() <= MAX_KEY
        && key.split(' ').count() <= MAX_WORDS;
    (is_key && !value.trim().is_empty()).then(|| (key.trim(), value.trim()))
}

/// The name and the value of a variable: `NAME=value`.
fn assigned(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once('=')?;
    is_identifier(name).then_some((name, value))
}

/// The value of a line: a number or literal in JSON syntax, or else text.
fn scalar(text: &str) -> Value {
    let value = serde_json::from_str(text).ok().filter(|value: &Value| {
        let written = value.to_string();
        (value.is_number() || value.is_boolean() || value.is_null()) && written == text
    });
    value.unwrap_or_else(|| Value::from(text))
}

/// Lines that start with a tag: `[DIR] src`, `[12:30] started`.
fn tagged(text: &str) -> Option<Value> {
    let row = |line: &str| {
        let (tag, rest) = line.strip_prefix('[')?.split_once("] ")?;
        let is_tag = !tag.trim().is_empty() && tag.chars().count() <= MAX_TAG;
        (is_tag && !tag.contains(['[', ']'])).then(|| json!([tag, rest.trim()]))
    };
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let rows = lines.map(row).collect::<Option<Vec<_>>>()?;
    (rows.len() > 1).then_some(Value::Array(rows))
}

/// Lines without spaces, such as paths.
fn paths(text: &str) -> Option<Value> {
    let has_spaces = text.contains([' ', '\t']);
    listed(text)
        .filter(|lines| !has_spaces && lines.as_array().is_some_and(|lines| lines.len() > 1))
}

/// Short lines.
fn listed(text: &str) -> Option<Value> {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let is_list = !lines.is_empty() && lines.iter().all(|line| is_line(line, MAX_LINE));
    is_list.then(|| json!(lines))
}

/// The rows of a text with one separator, as objects: the first line contains the names, and every other line
/// one value for each.
fn csv(text: &str) -> Option<Value> {
    let head = text.lines().next()?;
    let separators = [b'\t', b',', b';', b'|'];
    let separator = separators.into_iter().find(|separator| head.as_bytes().contains(separator))?;
    let names = fields(head, separator)?.pop()?;
    let mut seen = HashSet::new();
    let is_name = |name: &String| {
        let is_padded = name.trim() != name;
        let is_text = scalar(name).is_string() && name.chars().any(char::is_alphabetic);
        is_text && !is_padded && name.chars().count() <= MAX_KEY && seen.insert(name.clone())
    };
    // The column of row names has no name of its own.
    let named = usize::from(names[0].is_empty());
    if names.len() < 2 + named || !names[named..].iter().all(is_name) {
        return None;
    }
    let rows = fields(&text[head.len()..], separator).filter(|rows| !rows.is_empty())?;
    let object = |row: Vec<String>| -> Option<Value> {
        let values = row.iter().map(|value| scalar(value.trim()));
        (row.len() == names.len()).then(|| names.iter().cloned().zip(values).collect())
    };
    rows.into_iter().map(object).collect()
}

/// The fields of each line, which may be quoted.
fn fields(text: &str, separator: u8) -> Option<Vec<Vec<String>>> {
    let mut reader = csv::ReaderBuilder::new();
    reader.delimiter(separator).has_headers(false).flexible(true);
    let rows = reader.from_reader(text.as_bytes()).into_deserialize();
    rows.collect::<Result<_, _>>().ok()
}
