//! Writes JSON as readable YAML.

use std::fmt::Write as _;

use serde_json::Value;

/// Words that YAML does not read as strings.
const WORDS: [&str; 10] = ["true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan"];

/// A value in block style.
pub(super) fn write(value: &Value) -> String {
    let mut out = String::new();
    block(value, 0, &mut out);
    out
}

fn block(value: &Value, indent: usize, out: &mut String) {
    let pad = " ".repeat(indent);
    match value {
        Value::Object(members) if !members.is_empty() => {
            for (at, (key, value)) in members.iter().enumerate() {
                // The first member follows the dash of the list.
                let pad = if at == 0 && out.ends_with("- ") { "" } else { pad.as_str() };
                _ = write!(out, "{pad}{}:", text(key));
                inner(value, indent, out);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            for item in items {
                _ = write!(out, "{pad}- ");
                match item {
                    Value::Object(members) if !members.is_empty() => block(item, indent + 2, out),
                    item => _ = writeln!(out, "{}", flow(item)),
                }
            }
        }
        scalar => _ = writeln!(out, "{pad}{}", flow(scalar)),
    }
}

/// The value of a member: after its key, or below it.
fn inner(value: &Value, indent: usize, out: &mut String) {
    let is_block = match value {
        Value::Object(members) => !members.is_empty(),
        Value::Array(items) => items.iter().any(|item| item.is_object()),
        _ => false,
    };
    if is_block {
        out.push('\n');
        block(value, indent + 2, out);
    } else {
        _ = writeln!(out, " {}", flow(value));
    }
}

/// A value on one line.
fn flow(value: &Value) -> String {
    match value {
        Value::String(value) => text(value),
        Value::Array(items) => {
            format!("[{}]", items.iter().map(flow).collect::<Vec<_>>().join(", "))
        }
        Value::Object(members) => {
            let member =
                |(key, value): (&String, &Value)| format!("{}: {}", text(key), flow(value));
            format!("{{{}}}", members.iter().map(member).collect::<Vec<_>>().join(", "))
        }
        value => value.to_string(),
    }
}

/// A string: plain if it is unambiguous, or else quoted.
fn text(text: &str) -> String {
    let is_plain = text.starts_with(|c: char| c.is_ascii_alphabetic())
        && !text.ends_with(' ')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, ' ' | '_' | '.'))
        && !WORDS.contains(&text.to_ascii_lowercase().as_str());
    if is_plain {
        return text.to_owned();
    }
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            ' '..='~' => out.push(c),
            _ if c.is_alphanumeric() || matches!(c, '–' | '✓' | '✗' | '…') => out.push(c),
            _ => _ = write!(out, "\\U{:08x}", u32::from(c)),
        }
    }
    out + "\""
}
