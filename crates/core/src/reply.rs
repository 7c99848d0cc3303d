//! A reply: what a tool call gives back, in the shape of the protocol but without its types.

use serde_json::{Map, Value, json};

/// The result of a tool call: content for the model, data, and `_meta` for hosts and views.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reply {
    /// Content items, in order.
    pub content: Vec<Value>,
    /// The data, for the model and for views.
    pub structured: Option<Value>,
    /// What neither the model nor the person sees.
    pub meta: Map<String, Value>,
    /// Whether the call failed.
    pub is_error: bool,
}

impl Reply {
    /// Adds a text item.
    pub fn push_text(&mut self, text: impl Into<String>) {
        self.content.push(json!({ "type": "text", "text": text.into() }));
    }

    /// Adds an embedded resource. It is marked as meant for the user: hosts that pass everything to
    /// the model can then leave it out.
    pub fn push_resource(&mut self, uri: &str, mime: &str, text: impl Into<String>) {
        self.content.push(json!({
            "type": "resource",
            "resource": { "uri": uri, "mimeType": mime, "text": text.into() },
            "annotations": { "audience": ["user"] },
        }));
    }

    /// The reply as the protocol writes it.
    pub fn to_json(&self) -> Value {
        let mut out = Map::new();
        out.insert("content".into(), Value::Array(self.content.clone()));
        out.extend(self.structured.clone().map(|data| ("structuredContent".into(), data)));
        if !self.meta.is_empty() {
            out.insert("_meta".into(), Value::Object(self.meta.clone()));
        }
        out.insert("isError".into(), self.is_error.into());
        Value::Object(out)
    }
}
