//! Threads: a list of messages as the items that ChatKit shows.
//!
//! Only tool results are searched for widgets: a user or a model that writes text like one must not be
//! able to show it.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::extraction::extract;
use super::member::{body, member};

/// Who speaks in a [`Message`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The person.
    User,
    /// The model.
    Assistant,
    /// A tool, through its result.
    ToolResult,
    /// Anyone else, shown as the assistant.
    #[serde(untagged)]
    Other(String),
}

/// A message of a conversation, as an application stores it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// The id, which the thread item takes over.
    pub id: String,
    /// Who speaks.
    pub role: Role,
    /// The text; of a tool result the first one.
    #[serde(default)]
    pub content: String,
    /// When, as RFC 3339 has it.
    pub created_at: String,
    /// Of a tool result `{"name": …, "mcp_content": […]}`, else anything.
    #[serde(default)]
    pub metadata: Value,
}

/// Turns messages into ChatKit thread items.
///
/// A tool result gives a widget item if it holds a ChatKit widget, and nothing if it does not; a
/// message without text gives nothing either.
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

/// The message that stores a tool result: its first text, and its whole content as `mcp_content`.
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
    let items = content.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
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
