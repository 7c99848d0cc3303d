//! The content of a result: its data and its text.

use serde_json::Value;

use super::media::resource_text;
use super::table::items;
use super::text::data as data_in;

/// Maximum wrappers, and texts that contain data, to unwrap.
pub(super) const MAX_WRAPPERS: usize = 6;

/// The possible data of a result, from the outside in: structured content or JSON in its text, followed by
/// the content of each wrapper around it.
pub(crate) fn readings(result: &Value) -> Vec<Value> {
    let mut found = Vec::new();
    let written = items(&result["content"]).iter().filter_map(text_of).find_map(data_in);
    let mut next = match &result["structuredContent"] {
        Value::Null => written,
        structured => Some(structured.clone()),
    };
    while let Some(data) = next.filter(|_| found.len() < MAX_WRAPPERS) {
        let only = data.as_object().filter(|members| members.len() == 1);
        next = match only.and_then(|members| members.values().next()) {
            Some(Value::String(text)) => data_in(text),
            inner => inner.filter(|inner| inner.is_object()).cloned(),
        };
        found.push(data);
    }
    found
}

/// The text of a result, for users as well as the model.
pub(crate) fn whole_text(result: &Value) -> Option<String> {
    let texts: Vec<&str> = items(&result["content"]).iter().filter_map(text_of).collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

/// The text of a block, or of the resource in it.
pub(super) fn text_of(block: &Value) -> Option<&str> {
    let text = match block["type"].as_str()? {
        "text" => block["text"].as_str(),
        "resource" => resource_text(&block["resource"]),
        _ => None,
    };
    text.filter(|text| !text.trim().is_empty())
}
