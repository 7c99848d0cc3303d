//! Threads: a list of messages as the items that ChatKit shows.
//!
//! Only tool results are searched for widgets: a user or a model that writes text like one must not be
//! able to show it.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, json};

use super::extraction::extract;
use super::member::{body, member};
use super::part::Part;
use crate::surface::chatkit;

/// The role of a [`Message`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The user.
    User,
    /// The model.
    Assistant,
    /// The result of a tool.
    #[serde(alias = "tool")]
    ToolResult,
    /// Any other role, shown as the assistant.
    #[serde(untagged)]
    Other(String),
}

/// A message of a conversation, as an application stores it. The id may also be a number, the content null,
/// and the time in seconds since 1970.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// The id, which becomes the id of the thread item.
    #[serde(deserialize_with = "id")]
    pub id: String,
    /// The role.
    pub role: Role,
    /// The text; for a tool result, its first text.
    #[serde(default, deserialize_with = "text")]
    pub content: String,
    /// The time, in RFC 3339; the start of 1970 if unknown.
    #[serde(default = "start_of_time", deserialize_with = "time")]
    pub created_at: String,
    /// For a tool result, `{"name": …, "mcp_content": […]}`; otherwise any value.
    #[serde(default)]
    pub metadata: Value,
}

fn id<'de, D: Deserializer<'de>>(of: D) -> Result<String, D::Error> {
    match Value::deserialize(of)? {
        Value::String(id) => Ok(id),
        Value::Number(id) => Ok(id.to_string()),
        _ => Err(D::Error::custom("the id of a message must be a string or a number")),
    }
}

fn text<'de, D: Deserializer<'de>>(of: D) -> Result<String, D::Error> {
    Ok(Option::deserialize(of)?.unwrap_or_default())
}

fn time<'de, D: Deserializer<'de>>(of: D) -> Result<String, D::Error> {
    match Value::deserialize(of)? {
        Value::String(time) => Ok(time),
        Value::Number(seconds) => Ok(rfc3339(seconds.as_f64().unwrap_or_default() as i64)),
        Value::Null => Ok(start_of_time()),
        _ => Err(D::Error::custom("the time of a message must be a string or a number")),
    }
}

fn start_of_time() -> String {
    rfc3339(0)
}

/// A time in seconds since 1970 as a text, by the days of the Gregorian calendar.
fn rfc3339(seconds: i64) -> String {
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    // From the first of March of the year 0, so that a leap day ends a year.
    let days = days + 719_468;
    let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (day, month) =
        (day - (153 * month + 2) / 5 + 1, if month < 10 { month + 3 } else { month - 9 });
    let year = year + era * 400 + i64::from(month <= 2);
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Turns messages into ChatKit thread items.
///
/// A tool result with a ChatKit widget becomes a widget item. Other tool results, and messages without text,
/// are omitted.
///
/// ```
/// use serde_json::json;
/// use widgetcast_core::extract::{thread_items, tool_result_message};
///
/// let payload = r#"{"widget":{"type":"Card","children":[]},"copy_text":"21 °C"}"#;
/// let result = json!({"content": [
///     {"type": "text", "text": "21 °C"},
///     {"type": "resource", "resource": {
///         "uri": "ui://widgets/weather/1",
///         "mimeType": "application/vnd.ui.widget+json",
///         "text": payload,
///     }},
/// ]});
/// let message = tool_result_message("7", "weather", &result, "2026-11-15T09:00:00Z");
/// assert_eq!(message.content, "21 °C");
/// assert_eq!(thread_items(&[message], "thr_1"), [json!({
///     "id": "7",
///     "type": "widget",
///     "thread_id": "thr_1",
///     "created_at": "2026-11-15T09:00:00Z",
///     "copy_text": "21 °C",
///     "widget": {"type": "Card", "children": []},
/// })]);
/// ```
pub fn thread_items(messages: &[Message], thread_id: &str) -> Vec<Value> {
    messages.iter().filter_map(|message| item(message, thread_id)).collect()
}

fn item(message: &Message, thread_id: &str) -> Option<Value> {
    let Message { id, role, content, created_at, metadata } = message;
    if *role == Role::ToolResult {
        let content = metadata.get("mcp_content").filter(|content| content.is_array())?;
        let extraction = extract(content);
        let (widget, copy_text) = extraction.widget()?;
        return Some(json!({
            "id": id,
            "type": "widget",
            "thread_id": thread_id,
            "created_at": created_at,
            "copy_text": copy_text,
            "widget": widget,
        }));
    }
    if content.is_empty() {
        return None;
    }
    Some(match role {
        Role::User => json!({
            "id": id,
            "type": "user_message",
            "thread_id": thread_id,
            "created_at": created_at,
            "content": [{"type": "input_text", "text": content}],
            "attachments": [],
            "inference_options": {},
        }),
        _ => json!({
            "id": id,
            "type": "assistant_message",
            "thread_id": thread_id,
            "created_at": created_at,
            "content": [{"type": "output_text", "text": content, "annotations": []}],
        }),
    })
}

/// The message that stores a tool result: its first text, and its whole content as `mcp_content`. A widget
/// that is only in `_meta` is added to that content as a resource.
pub fn tool_result_message(
    id: impl Into<String>,
    tool_name: &str,
    result: &Value,
    created_at: impl Into<String>,
) -> Message {
    let (body, _) = body(result);
    let content = match body {
        Value::Array(_) => Some(body),
        _ => member(body, &["content"]).map(|(_, content)| content),
    };
    let mut items = content.and_then(Value::as_array).cloned().unwrap_or_default();
    let found = extract(body);
    let in_meta = found.parts.iter().find_map(|part| match part {
        Part::MetaTree { tree, copy_text, .. } => Some((tree, copy_text)),
        _ => None,
    });
    if let (Some((tree, copy_text)), None) = (in_meta, found.widget()) {
        let mut shown = json!({"widget": tree});
        if let Some(text) = copy_text {
            shown["copy_text"] = json!(text);
        }
        items.push(json!({"type": "resource", "resource": {
            "uri": format!("{}{tool_name}/stored", chatkit::URI),
            "mimeType": chatkit::MIME,
            "text": shown.to_string(),
        }}));
    }
    let text = items.iter().find(|item| item.get("type").is_some_and(|kind| kind == "text"));
    let text = text.and_then(|item| item.get("text")?.as_str()).unwrap_or_default();
    Message {
        id: id.into(),
        role: Role::ToolResult,
        content: text.to_owned(),
        created_at: created_at.into(),
        metadata: json!({"name": tool_name, "mcp_content": items}),
    }
}
