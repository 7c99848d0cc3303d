//! What one component says and shows: its words, its sign, its picture, and what is in it.

use serde_json::{Value, json};
use widgetcast_engine::json::number_text;

use super::{glyph, limit, mrkdwn};
use crate::surface::node;

/// The coloured sign before a badge and before a change, such as `+18%`, and a space.
pub(super) fn sign(node: &Value) -> String {
    let words = words(node);
    let is_change = || {
        let figure = words.trim().strip_prefix(['+', '-', '−']).unwrap_or_default();
        figure.starts_with(|c: char| c.is_ascii_digit())
    };
    let is_toned = match node["type"].as_str() {
        Some("Badge") => !words.trim().is_empty(),
        Some("Text" | "Caption" | "Title") => is_change(),
        _ => false,
    };
    let sign = glyph::status(&node["color"]).filter(|_| is_toned);
    sign.map(|sign| format!("{sign} ")).unwrap_or_default()
}

/// The words of a text component as mrkdwn.
pub(super) fn styled(node: &Value) -> String {
    sign(node) + &marked(node)
}

fn marked(node: &Value) -> String {
    let text = mrkdwn::escape(words(node).trim());
    match node["type"].as_str() {
        Some("Badge") => text.replace('\n', " "),
        // A caption with a weight heads what is below it.
        Some("Caption") if node["weight"] == "medium" => mrkdwn::mark(&text, '*'),
        Some("Title") => mrkdwn::mark(&text, '*'),
        _ if node["lineThrough"] == true => mrkdwn::mark(&text, '~'),
        _ if node::is_bold(node) => mrkdwn::mark(&text, '*'),
        _ if node["italic"] == true => mrkdwn::mark(&text, '_'),
        _ => text,
    }
}

/// An icon as an emoji; of one that is only a circle, its colour counts.
pub(super) fn icon(node: &Value) -> Option<&'static str> {
    let name = node["name"].as_str()?;
    let circle = matches!(name, "dot" | "empty-circle").then(|| glyph::circle(&node["color"]));
    circle.flatten().or_else(|| glyph::find(name))
}

/// What a component says: its value or label.
pub(super) fn words(node: &Value) -> String {
    scalar(node.get("value").or_else(|| node.get("label")).unwrap_or(&Value::Null))
}

pub(super) fn scalar(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number_text(number),
        Value::Bool(flag) => flag.to_string(),
        _ => String::new(),
    }
}

/// The text of a member, unless it is absent or blank.
pub(super) fn text(node: &Value, key: &str) -> Option<String> {
    let text = mrkdwn::clean(&scalar(node.get(key)?));
    (!text.is_empty()).then_some(text)
}

/// The children and their pointers.
pub(super) fn children<'v>(
    node: &'v Value,
    at: &str,
) -> impl Iterator<Item = (&'v Value, String)> + use<'v> {
    let at = [at, "/children"].concat();
    let is_list = node["children"].is_array();
    let children = node::children(node).iter().enumerate();
    // What the head of the message has taken is null.
    children.filter(|(_, child)| !child.is_null()).map(move |(index, child)| {
        // Every component is read more than once, and formatting its pointer was a sixth of the work.
        let at = if is_list { [&at, "/", &index.to_string()].concat() } else { at.clone() };
        (child, at)
    })
}

/// The picture as an element, if Slack can load it.
pub(super) fn picture(node: &Value, name: Option<&str>) -> Option<Value> {
    let url = node["src"].as_str().filter(|url| limit::is_public(url))?;
    let alt = text(node, "alt").or_else(|| name.map(str::to_owned));
    let alt = alt.unwrap_or_else(|| "image".to_owned());
    let alt = limit::clamp(&alt, limit::ALT).unwrap_or(alt);
    Some(json!({"type": "image", "image_url": url, "alt_text": alt}))
}
