//! A tool, as its server describes it and as the model sees it.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// One tool of a [`Toolbox`](crate::Toolbox).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Tool {
    /// The name that a model calls it by: unique in the toolbox, at most 64 letters, digits, `_` and `-`.
    pub name: String,
    /// The server it belongs to: `app` for the local app, else the name given to
    /// [`Toolbox::connect`](crate::Toolbox::connect).
    pub server: String,
    /// Its name at that server.
    pub original_name: String,
    /// The display name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it does, for the model.
    pub description: String,
    /// The JSON Schema of its arguments.
    pub input_schema: Value,
    /// Whether its server declares it as read-only. Any other tool requires approval.
    pub read_only: bool,
    /// Whether a model may see it. Tools that only a view may call can still be called.
    pub visible_to_model: bool,
    /// The `_meta` of its description, or null.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub meta: Value,
}

impl Tool {
    /// The approximate size of a tool, to decide whether to use a worker.
    #[doc(hidden)]
    pub const BYTES: usize = 2 << 10;

    /// Reads a tool of `tools/list`, still with its name at the server. Returns `None` if it has no name.
    pub(crate) fn read(server: &str, mut listed: Value) -> Option<Self> {
        let name = listed["name"].as_str()?.to_owned();
        let annotations = &listed["annotations"];
        let title = listed["title"].as_str().or_else(|| annotations["title"].as_str());
        let meta = &listed["_meta"];
        Some(Self {
            server: server.to_owned(),
            title: title.map(str::to_owned),
            description: listed["description"].as_str().unwrap_or_default().to_owned(),
            read_only: annotations["readOnlyHint"] == true,
            visible_to_model: is_visible_to_model(meta),
            meta: meta.clone(),
            input_schema: match listed["inputSchema"].take() {
                schema @ Value::Object(_) => schema,
                _ => json!({ "type": "object", "properties": {} }),
            },
            original_name: name.clone(),
            name,
        })
    }
}

/// By MCP Apps, or else by ChatGPT's older key; visible if neither is set.
fn is_visible_to_model(meta: &Value) -> bool {
    match meta["ui"]["visibility"].as_array() {
        Some(to) => to.iter().any(|who| who == "model"),
        None => meta["openai/visibility"] != "private",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_list_says() {
        let tool = |listed| Tool::read("here", listed).unwrap();
        let bare = tool(json!({ "name": "a" }));
        assert_eq!(bare.input_schema["type"], "object");
        assert!(!bare.read_only && bare.visible_to_model && bare.title.is_none());
        let titled = json!({ "title": "A", "readOnlyHint": true });
        let full = tool(json!({ "name": "a", "annotations": titled }));
        assert_eq!((full.title.as_deref(), full.read_only), (Some("A"), true));
        let app = json!({ "ui": { "visibility": ["app"] } });
        assert!(!tool(json!({ "name": "a", "_meta": app })).visible_to_model);
        let both = json!({ "ui": { "visibility": ["app", "model"] } });
        assert!(tool(json!({ "name": "a", "_meta": both })).visible_to_model);
        let private = json!({ "openai/visibility": "private" });
        assert!(!tool(json!({ "name": "a", "_meta": private })).visible_to_model);
        assert_eq!(Tool::read("here", json!({ "title": "nameless" })), None);
    }
}
