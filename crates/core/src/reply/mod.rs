//! A reply: what a tool call returns, in the shape of the protocol but without its types.
//!
//! It holds JSON text, not values: a rendered tree is text already, and goes to the client as the
//! same text. Cloning a tree of values into the reply and writing it out cost ten times as much as
//! rendering.

mod clip;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::Value;
use widgetcast_engine::json::{Json, write_string};

use crate::definition::view::View;

pub use clip::clip;

/// The result of a tool call: content for the model, data, and `_meta` for hosts and views.
///
/// ```
/// use serde_json::json;
/// use widgetcast_core::Reply;
///
/// let mut reply = Reply { structured: Some(json!({"pier": 3}).into()), ..Reply::default() };
/// reply.push_text("Pier 3");
/// reply.set_meta("slack", json!({"blocks": []}));
/// assert_eq!(reply.into_text("{"), concat!(
///     r#"{"content":[{"type":"text","text":"Pier 3"}],"structuredContent":{"pier":3},"#,
///     r#""_meta":{"slack":{"blocks":[]}},"isError":false}"#,
/// ));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    /// Content items, in order.
    pub content: Vec<Json>,
    /// The data, for the model and for views.
    pub structured: Option<Json>,
    /// Members of `_meta`, for hosts and pages; see [`Reply::set_meta`].
    pub meta: Vec<(Cow<'static, str>, Json)>,
    /// The view, for the page that shows it; it is also part of `_meta`.
    pub view: Option<ViewMeta>,
    /// Whether the call failed.
    pub is_error: bool,
}

/// A member of `_meta` that is an object whose last member is a view's tree. The tree is shared with
/// the view, not copied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViewMeta {
    key: &'static str,
    /// The text of the object up to the tree.
    head: String,
    tree: Arc<String>,
}

impl Reply {
    /// Adds a text item.
    pub fn push_text(&mut self, text: impl AsRef<str>) {
        let text = text.as_ref();
        let mut item = String::with_capacity(text.len() + text.len() / 16 + 32);
        item.push_str(r#"{"type":"text","text":"#);
        write_string(text, &mut item);
        item.push('}');
        self.content.push(Json::ours(item));
    }

    /// Adds an embedded resource with the audience `user`, so that hosts can omit it from what they pass to
    /// the model.
    pub fn push_resource(&mut self, uri: &str, mime: &str, text: impl AsRef<str>) {
        let text = text.as_ref();
        let mut item = String::with_capacity(text.len() + text.len() / 8 + uri.len() + 160);
        item.push_str(r#"{"type":"resource","resource":{"uri":"#);
        write_string(uri, &mut item);
        item.push_str(r#","mimeType":"#);
        write_string(mime, &mut item);
        item.push_str(r#","text":"#);
        write_string(text, &mut item);
        item.push_str(r#"},"annotations":{"audience":["user"]}}"#);
        self.content.push(Json::ours(item));
    }

    /// Sets a member of `_meta`, and replaces any with the same key.
    pub fn set_meta(&mut self, key: impl Into<Cow<'static, str>>, value: impl Into<Json>) {
        let (key, value) = (key.into(), value.into());
        self.view.take_if(|view| view.key == key);
        match self.meta.iter_mut().find(|(known, _)| *known == key) {
            Some((_, old)) => *old = value,
            None => self.meta.push((key, value)),
        }
    }

    /// Puts a view's tree into `_meta`; see [`ViewMeta`].
    pub(crate) fn set_view(&mut self, key: &'static str, head: String, view: &View) {
        self.view = Some(ViewMeta { key, head, tree: Arc::clone(&view.json) });
    }

    /// Removes the URI of the view from `_meta`, because it cannot be read.
    pub fn forget_uri(&mut self) {
        let Some(view) = &mut self.view else { return };
        let rest = view.head.strip_prefix(r#"{"uri":""#).and_then(|rest| rest.split_once("\","));
        if let Some((_, rest)) = rest {
            view.head = format!("{{{rest}");
        }
    }

    /// The reply as protocol JSON. `before` is the text in front of its members: `{`, or the beginning of the
    /// enclosing message.
    pub fn into_text(self, before: &str) -> String {
        let mut head = String::with_capacity(before.len() + self.size());
        head.push_str(before);
        head.push_str(r#""content":["#);
        for (index, item) in self.content.iter().enumerate() {
            if index > 0 {
                head.push(',');
            }
            head.push_str(item.as_str());
        }
        head.push(']');
        if let Some(data) = &self.structured {
            head.push_str(r#","structuredContent":"#);
            head.push_str(data.as_str());
        }
        let mut before = r#","_meta":{"#;
        let mut out = match self.view {
            Some(ViewMeta { key, head: frame, tree }) => {
                head.push_str(before);
                write_string(key, &mut head);
                head.push(':');
                head.push_str(&frame);
                before = ",";
                // Reuses the buffer of the tree if nothing else holds it: shifting it costs less than
                // a second buffer.
                let mut out = Arc::unwrap_or_clone(tree);
                out.reserve(head.len() + size(&self.meta) + ENVELOPE);
                out.insert_str(0, &head);
                out.push('}');
                out
            }
            None => head,
        };
        for (key, value) in &self.meta {
            out.push_str(before);
            write_string(key, &mut out);
            out.push(':');
            out.push_str(value.as_str());
            before = ",";
        }
        if before == "," {
            out.push('}');
        }
        out.push_str(if self.is_error { r#","isError":true}"# } else { r#","isError":false}"# });
        out
    }

    /// The approximate bytes up to the tree or, without one, to the end.
    fn size(&self) -> usize {
        let items = self.content.iter().chain(&self.structured).map(|item| item.len() + 32);
        let frame = self.view.as_ref().map_or(0, |view| view.key.len() + view.head.len() + 8);
        let meta = if self.view.is_some() { 0 } else { size(&self.meta) };
        items.sum::<usize>() + meta + frame + ENVELOPE
    }

    /// The reply as a JSON value.
    pub fn to_json(&self) -> Value {
        serde_json::from_str(&self.clone().into_text("{")).unwrap_or_default()
    }
}

/// Bytes for the rest of a reply, and for a JSON-RPC message around it.
const ENVELOPE: usize = 192;

fn size(meta: &[(Cow<'static, str>, Json)]) -> usize {
    meta.iter().map(|(key, value)| 2 * key.len() + value.len() + 8).sum()
}
