//! Actions: the button element of one, and why some cannot be sent.

use serde_json::{Map, Value, json};

use super::limit;
use super::object::plain;
use crate::surface::node;

/// Why an action cannot be sent.
type Reason = &'static str;

/// A button for an action; the label must fit.
pub(super) fn button(label: &str, action: &Value, style: Option<&str>) -> Result<Value, Reason> {
    let mut button = json!({"type": "button", "text": plain(label)});
    if let Some(url) = link(action) {
        // Without an id: with one, Slackbot would also call a tool.
        button["url"] = url.into();
    } else {
        let (id, value) = call(action)?;
        button["action_id"] = id.into();
        button["value"] = value.into();
    }
    if let Some(style) = style {
        button["style"] = style.into();
    }
    Ok(button)
}

/// The id and the value of an element that calls the action's tool.
pub(super) fn call(action: &Value) -> Result<(String, String), Reason> {
    let id = tool_id(action)?;
    let value = match &action["payload"] {
        Value::Null => "{}".to_owned(),
        payload => printable(&payload.to_string()),
    };
    if limit::len(&value) > limit::VALUE {
        return Err("shown as text: Slack takes at most 2000 characters of payload");
    }
    Ok((id, value))
}

pub(super) fn tool_id(action: &Value) -> Result<String, Reason> {
    let kind = action["type"].as_str().unwrap_or_default().trim();
    if kind.is_empty() || kind.contains(char::is_control) {
        return Err("shown as text: it has no action that Slack could send");
    }
    if action["handler"] == "client" {
        return Err("shown as text: Slack cannot run a client action");
    }
    let id = format!("tool:{kind}");
    if limit::len(&id) > limit::ID {
        return Err("shown as text: Slack takes at most 255 characters of action id");
    }
    Ok(id)
}

/// The payload with one more member, for a control that carries its own value.
pub(super) fn with(action: &Value, name: &str, value: Value) -> String {
    let mut members = match &action["payload"] {
        Value::Object(members) => members.clone(),
        _ => Map::new(),
    };
    members.insert(name.to_owned(), value);
    printable(&Value::Object(members).to_string())
}

/// JSON with escapes for the control characters that JSON may hold as they are, and Slack not.
fn printable(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        match c.is_control() {
            true => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            false => out.push(c),
        }
    }
    out
}

/// The address of an action that only opens a page.
pub(super) fn link(action: &Value) -> Option<&str> {
    node::link(action).filter(|url| limit::is_https(url))
}
