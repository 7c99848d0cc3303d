//! Messages as applications store them: the content of a tool result is kept in `metadata.mcp_content`.
//!
//! Only tool results are searched: a user or a model that writes something like a widget must not be
//! able to show it.

use serde_json::Value;

use super::collector::Collector;
use super::member::{member, text_member};
use super::payload;

/// The list of messages, if a value is one or has one in place of content, and where it is.
pub(super) fn messages(body: &Value) -> Option<(&'static str, &Vec<Value>)> {
    if let Value::Array(items) = body {
        let has_role = |item: &Value| text_member(item, &["role"]).is_some();
        return (!items.is_empty() && items.iter().all(has_role)).then_some(("", items));
    }
    let messages = member(body, &["messages"])?.1.as_array();
    Some(("/messages", messages.filter(|_| member(body, &["content"]).is_none())?))
}

/// Whether a value is a message: it has a role, or contains the content of a tool result.
pub(super) fn is_message(body: &Value) -> bool {
    let is_result = is_tool_result(body) && body.get("content").is_some_and(Value::is_array);
    content(body).is_some() || (text_member(body, &["role"]).is_some() && !is_result)
}

/// The stored content of a tool result.
fn content(message: &Value) -> Option<&Value> {
    Some(member(member(message, &["metadata"])?.1, &["mcp_content"])?.1)
}

fn is_tool_result(message: &Value) -> bool {
    matches!(text_member(message, &["role"]), Some("tool_result" | "tool"))
}

impl<'a> Collector<'a> {
    /// Takes the content of a message that is a tool result.
    pub(super) fn message(&mut self, message: &'a Value, at: &str) {
        let has_role = member(message, &["role"]).is_some();
        if has_role && !is_tool_result(message) {
            return;
        }
        let texts = self.texts.len();
        match content(message) {
            Some(Value::Array(items)) => self.content(items, &format!("{at}/metadata/mcp_content")),
            Some(_) => {
                self.fault(format!("{at}/metadata/mcp_content"), "mcp_content is not a list");
            }
            None if !has_role => return,
            None if message.get("content").is_some_and(Value::is_array) => {}
            None if message.get("metadata").is_some_and(Value::is_string) => {
                self.fault(format!("{at}/metadata"), "metadata is a string, not an object");
            }
            None if text_member(message, &["content"]).is_some_and(|text| !text.is_empty()) => {}
            None => self.fault(format!("{at}/metadata"), "mcp_content is missing"),
        }
        let at = format!("{at}/content");
        match member(message, &["content"]) {
            Some((_, Value::Array(items))) if content(message).is_none() => {
                self.content(items, &at);
            }
            // The text of a result whose content has none.
            Some((_, Value::String(text))) if self.texts.len() == texts && !text.is_empty() => {
                match payload::fits(text, &at) {
                    Ok(()) => self.texts.push(text),
                    Err(reason) => self.reason(reason),
                }
            }
            _ => {}
        }
    }
}
