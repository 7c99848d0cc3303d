//! A view of any result, with nothing configured.

use serde_json::Value;

/// A component tree of a tool's result, if there is more to show than a line of text.
pub(crate) fn tree(_tool: &Value, result: &Value) -> Option<Value> {
    let data = data(result)?;
    let text = serde_json::to_string_pretty(&data).ok()?;
    Some(serde_json::json!({ "type": "Card", "children": [{ "type": "Text", "value": text }] }))
}

/// The data of a result: what is structured, or the JSON of its text.
pub(crate) fn data(result: &Value) -> Option<Value> {
    if let Some(structured) = result.get("structuredContent") {
        return Some(structured.clone());
    }
    let text =
        result.get("content")?.as_array()?.iter().find_map(|item| item.get("text")?.as_str())?;
    serde_json::from_str(text).ok()
}
