//! The texts of trees and of what hosts get.

use serde_json::{Map, Value};

/// The texts of a tree that a user reads, with their pointers.
pub(super) fn visible(tree: &Value) -> Vec<(String, String)> {
    let mut texts = Vec::new();
    collect(tree, "", &mut texts);
    texts
}

fn collect(node: &Value, at: &str, out: &mut Vec<(String, String)>) {
    let Value::Object(members) = node else { return };
    let kind = members.get("type").and_then(Value::as_str).unwrap_or_default();
    let mut add = |key: &str, value: Option<&Value>| {
        if let Some(text) = value.and_then(Value::as_str).filter(|text| !text.trim().is_empty()) {
            out.push((format!("{at}{key}"), text.to_owned()));
        }
    };
    let get = |key: &str| members.get(key);
    let has_value =
        get("defaultValue").and_then(Value::as_str).is_some_and(|text| !text.trim().is_empty());
    let is_secret = get("inputType").is_some_and(|kind| kind == "password");
    match kind {
        "Text" | "Title" | "Caption" | "Label" => add("/value", get("value")),
        "Badge" | "Button" | "Checkbox" => add("/label", get("label")),
        "Markdown" => {
            let plain: String =
                markdown_text(get("value").and_then(Value::as_str).unwrap_or_default());
            for (index, part) in plain.lines().enumerate() {
                _ = index;
                add("/value", Some(&Value::from(part)));
            }
        }
        "Input" | "Textarea" | "Select" | "DatePicker" if !has_value => {
            add("/placeholder", get("placeholder"));
        }
        "Input" | "Textarea" if !is_secret => add("/defaultValue", get("defaultValue")),
        "Card" | "ListView" => {
            add("/status/text", node.pointer("/status/text"));
            add("/confirm/label", node.pointer("/confirm/label"));
            add("/cancel/label", node.pointer("/cancel/label"));
        }
        "Chart" => {
            let axis =
                node["xAxis"].as_str().or(node["xAxis"]["dataKey"].as_str()).unwrap_or_default();
            for series in node["series"].as_array().into_iter().flatten() {
                add("/series", series.get("label"));
            }
            for point in node["data"].as_array().into_iter().flatten() {
                add("/data", point.get(axis));
            }
        }
        _ => {}
    }
    for option in members.get("options").and_then(Value::as_array).into_iter().flatten() {
        add("/options", option.get("label"));
        add("/options", option.get("description"));
    }
    match members.get("children") {
        Some(Value::Array(children)) => {
            for (index, child) in children.iter().enumerate() {
                collect(child, &format!("{at}/children/{index}"), out);
            }
        }
        Some(child) => collect(child, &format!("{at}/children"), out),
        None => {}
    }
}

/// The text of Markdown, a line for each part of it that stands alone.
fn markdown_text(markdown: &str) -> String {
    use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
    let mut out = String::new();
    let mut is_image = false;
    for event in Parser::new_ext(
        markdown,
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS,
    ) {
        match event {
            Event::Start(Tag::Image { .. }) => is_image = true,
            Event::End(TagEnd::Image) => is_image = false,
            Event::Text(text) | Event::Code(text) if !is_image => out.push_str(&text),
            Event::SoftBreak | Event::HardBreak | Event::Start(_) | Event::End(_) => out.push('\n'),
            _ => {}
        }
    }
    out
}

/// The tree with every letter of what a user reads replaced by another one of its class, and every digit
/// by another digit.
pub(super) fn nonsense(node: &Value) -> Value {
    let Value::Object(members) = node else { return node.clone() };
    let kind = members.get("type").and_then(Value::as_str).unwrap_or_default();
    let text = |value: &Value| match value {
        Value::String(text) => Value::String(replaced(text)),
        other => other.clone(),
    };
    let inner = |value: &Value, keys: &[&str]| match value {
        Value::Object(members) => Value::Object(
            members
                .iter()
                .map(|(key, value)| {
                    (
                        key.clone(),
                        if keys.contains(&key.as_str()) { text(value) } else { value.clone() },
                    )
                })
                .collect(),
        ),
        other => other.clone(),
    };
    let axis = node["xAxis"].as_str().or(node["xAxis"]["dataKey"].as_str()).unwrap_or_default();
    let member = |(key, value): (&String, &Value)| {
        let new = match (kind, key.as_str()) {
            ("Markdown", "value") => {
                Value::String(replaced_markdown(value.as_str().unwrap_or_default()))
            }
            ("Text" | "Title" | "Caption" | "Label", "value") => text(value),
            ("Text", "editable") => inner(value, &["placeholder"]),
            ("Badge" | "Button" | "Checkbox", "label") => text(value),
            ("Input" | "Textarea", "defaultValue") => text(value),
            (_, "placeholder" | "alt") => text(value),
            ("Card" | "ListView", "status" | "confirm" | "cancel") => {
                inner(value, &["text", "label"])
            }
            ("Select" | "RadioGroup", "options") | ("Chart", "series") => {
                value.as_array().map_or(value.clone(), |list| {
                    list.iter().map(|one| inner(one, &["label", "description"])).collect()
                })
            }
            ("Chart", "data") => value
                .as_array()
                .map_or(value.clone(), |list| list.iter().map(|one| inner(one, &[axis])).collect()),
            (_, "children") => match value {
                Value::Array(children) => children.iter().map(nonsense).collect(),
                child => nonsense(child),
            },
            _ => value.clone(),
        };
        (key.clone(), new)
    };
    Value::Object(members.iter().map(member).collect::<Map<_, _>>())
}

/// The marks of lists stay as they are: a task is `[x]`, and the first number of a list counts.
fn replaced_markdown(text: &str) -> String {
    let line = |line: &str| {
        let mark = line.len()
            - line
                .trim_start_matches(|c: char| {
                    c.is_whitespace() || c.is_ascii_digit() || "-*+.>".contains(c)
                })
                .len();
        let (mark, rest) = line.split_at(mark);
        let task = if rest.starts_with("[x]") { 3 } else { 0 };
        let (task, rest) = rest.split_at(task);
        format!("{mark}{task}{}", replaced(rest))
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// Addresses stay as they are: they are no words, and a link needs its scheme.
fn replaced(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for part in text.split_inclusive(|c: char| {
        c.is_whitespace() || matches!(c, '(' | ')' | '<' | '>' | '[' | ']')
    }) {
        if part.contains("://") || ["mailto:", "tel:"].iter().any(|scheme| part.starts_with(scheme))
        {
            out.push_str(part);
        } else {
            out.extend(part.chars().map(other));
        }
    }
    out
}

fn other(letter: char) -> char {
    let rotate = |from: u8, count: u8| char::from(from + (letter as u8 - from + 3) % count);
    match letter {
        'a'..='z' => rotate(b'a', 26),
        'A'..='Z' => rotate(b'A', 26),
        '0'..='9' => rotate(b'0', 10),
        letter if !letter.is_ascii() && letter.is_alphabetic() => {
            let is_like = |other: &char| {
                other.is_alphabetic()
                    && other.len_utf8() == letter.len_utf8()
                    && other.is_lowercase() == letter.is_lowercase()
                    && other.is_uppercase() == letter.is_uppercase()
                    && unicode_width(*other) == unicode_width(letter)
            };
            let near = [1, -1, 2, -2]
                .into_iter()
                .filter_map(|step: i32| char::from_u32((letter as i32 + step) as u32));
            near.into_iter().find(is_like).unwrap_or(letter)
        }
        other => other,
    }
}

fn unicode_width(letter: char) -> Option<usize> {
    unicode_width::UnicodeWidthChar::width(letter)
}

/// A text in which all letters of a class are one letter.
pub(super) fn canonical(text: &str) -> String {
    let one = |letter: char| match letter {
        letter if letter.is_numeric() => '0',
        letter if letter.is_uppercase() => 'A',
        letter if letter.is_alphabetic() => 'a',
        other => other,
    };
    text.chars().map(one).collect()
}

/// The letters and digits of a text alone.
pub(super) fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// The words of a text: runs of letters.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty())
}

/// What a user reads of the output of a surface.
pub(super) fn output(surface: &str, rendered: &str) -> String {
    match surface {
        "slack-blocks" => {
            let skipped = [
                "type",
                "value",
                "action_id",
                "block_id",
                "url",
                "image_url",
                "style",
                "align",
                "name",
            ];
            without_emoji(&unescaped(&strings(rendered, &skipped)))
        }
        "adaptive-card" => {
            let skipped = [
                "type",
                "id",
                "url",
                "iconUrl",
                "fallback",
                "fallbackText",
                "name",
                "$schema",
                "version",
                "size",
                "weight",
                "color",
                "style",
                "spacing",
                "width",
                "height",
                "horizontalAlignment",
                "verticalContentAlignment",
                "msteams",
                "regex",
                "mode",
                "appearance",
                "layouts",
                "role",
                "fontType",
                "shape",
                "valueOn",
                "valueOff",
                "min",
                "max",
                "verticalCellContentAlignment",
                "horizontalCellContentAlignment",
                "icon",
                "associatedInputs",
            ];
            strings(rendered, &skipped)
        }
        "html-fragment" => without_tags(rendered),
        _ => rendered.replace("\\|", "|").replace("\\]", "]").replace("\\<", "<"),
    }
}

/// All texts of a JSON value, but for those of some keys.
fn strings(json: &str, skipped: &[&str]) -> String {
    fn walk(value: &Value, skipped: &[&str], out: &mut String) {
        match value {
            Value::String(text) => {
                out.push_str(text);
                out.push('\n');
            }
            Value::Number(number) => {
                out.push_str(&number.to_string());
                out.push('\n');
            }
            Value::Array(items) => items.iter().for_each(|item| walk(item, skipped, out)),
            Value::Object(members) => {
                let is_action = members
                    .get("type")
                    .and_then(Value::as_str)
                    .is_some_and(|kind| kind.starts_with("Action."));
                for (key, value) in
                    members.iter().filter(|(key, _)| !skipped.contains(&key.as_str()))
                {
                    // What a button sends is no text, and neither is what a toggle starts with.
                    if !(is_action && key == "data") && value != "true" && value != "false" {
                        walk(value, skipped, out);
                    }
                }
            }
            _ => {}
        }
    }
    let mut out = String::new();
    walk(&serde_json::from_str(json).unwrap_or_default(), skipped, &mut out);
    out
}

fn unescaped(text: &str) -> String {
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&nbsp;", " ")
        .replace("&amp;", "&")
}

/// A text without `:names_of_emoji:`.
fn without_emoji(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(':') {
        let (before, after) = rest.split_at(at);
        out.push_str(before);
        let length = after[1..]
            .bytes()
            .take_while(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'_')
            .count();
        let is_name = length > 0
            && after.as_bytes()[1].is_ascii_lowercase()
            && after[1 + length..].starts_with(':');
        let skipped = if is_name { length + 2 } else { 1 };
        if !is_name {
            out.push(':');
        }
        rest = &after[skipped..];
    }
    out + rest
}

fn without_tags(html: &str) -> String {
    let mut out = String::with_capacity(html.len());
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        out.push_str(&rest[..at]);
        let tag = &rest[at..rest[at..].find('>').map_or(rest.len(), |end| at + end + 1)];
        if let Some(alt) = tag.split("alt=\"").nth(1) {
            out.push_str(alt.split('"').next().unwrap_or_default());
        }
        out.push('\n');
        rest = &rest[at + tag.len()..];
    }
    unescaped(&(out + rest))
}
