//! Extraction: from a tool result back to everything in it that a host could show, best first.
//!
//! Results come from any server, so nothing in them is trusted: a payload over 4 MiB, nested over
//! 100 levels, or broken in any other way becomes a [`Reason`] and the next best part is used.
//! `@widgetcast/client/extract` is this module's twin in TypeScript. Both run on `fixtures/results`
//! and must agree to the letter, so a message never quotes a parser or a value; what the twin has
//! to mind is written in `fixtures/results/README.md`.

mod meta;
mod part;
mod payload;
mod resource;
#[cfg(test)]
mod tests;
mod thread;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::Severity;
use crate::limits::Limits;
use crate::tree::{Nulls, check_value};

pub use meta::META_TREE;
pub use part::Part;
pub use thread::{Message, Role, thread_items, tool_result_message};

/// The most parts, and the most reasons, that one extraction gives.
const MOST: usize = 100;

/// What a tool result holds for a host to show.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Extraction {
    /// Every way to show the result, best first; the text is the last resort but for raw data.
    pub parts: Vec<Part>,
    /// What was broken, and where.
    pub reasons: Vec<Reason>,
    /// The text items, one per line; without any, the copy text of the best part.
    pub text: String,
    /// Whether the tool says that it failed.
    pub is_error: bool,
}

/// Why something in a result is not shown, or may not be shown as meant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    /// A JSON pointer into the result; `#` and a second pointer lead into JSON held in a text.
    pub pointer: String,
    /// What is wrong: one short sentence.
    pub message: String,
}

impl Reason {
    fn new(pointer: impl Into<String>, message: impl Into<String>) -> Self {
        Self { pointer: pointer.into(), message: message.into() }
    }
}

impl Extraction {
    /// The first ChatKit widget, with its copy text.
    ///
    /// ```
    /// use serde_json::json;
    /// use widgetcast_core::extract::extract;
    ///
    /// let payload = r#"{"widget":{"type":"Card","children":[]},"copy_text":"Sunny"}"#;
    /// let extraction = extract(&json!({"content": [{"type": "resource", "resource": {
    ///     "uri": "ui://widgets/weather/1",
    ///     "mimeType": "application/vnd.ui.widget+json",
    ///     "text": payload,
    /// }}]}));
    /// let (widget, copy_text) = extraction.widget().expect("a widget");
    /// assert_eq!(widget["type"], "Card");
    /// assert_eq!(copy_text, Some("Sunny"));
    /// ```
    pub fn widget(&self) -> Option<(&Value, Option<&str>)> {
        self.parts.iter().find_map(|part| match part {
            Part::ChatkitWidget { widget, copy_text, .. } => Some((widget, copy_text.as_deref())),
            _ => None,
        })
    }
}

/// Finds every part of a tool result that a host could show.
///
/// Takes a result (`content`, `structuredContent`, `_meta`, `isError`, also in snake case), a bare
/// content list, or a JSON-RPC response around one of them.
///
/// ```
/// use serde_json::json;
/// use widgetcast_core::extract::{Part, extract};
///
/// let extraction = extract(&json!({
///     "content": [{"type": "text", "text": "Two flights"}, {"type": "image", "data": "?"}],
///     "_meta": {"slack": {"blocks": [{"type": "divider"}]}},
/// }));
/// assert!(matches!(extraction.parts[0], Part::SlackBlocks { .. }));
/// assert_eq!(extraction.parts[1], Part::Text { text: "Two flights".into() });
/// assert_eq!(extraction.reasons[0].pointer, "/content/1/mimeType");
/// ```
pub fn extract(result: &Value) -> Extraction {
    let mut found = Found::default();
    let (body, at) = body(result);
    let mut is_error = false;
    match body {
        Value::Array(items) => found.content(items, at),
        Value::Object(_) => {
            match member(body, &["content"]) {
                Some((_, Value::Array(items))) => found.content(items, &format!("{at}/content")),
                Some(_) => found.fault(format!("{at}/content"), "content is not a list"),
                None => is_error = found.failure(body),
            }
            if let Some((name, meta)) = member(body, &["_meta", "meta"]) {
                meta::read(&mut found, meta, &format!("{at}/{name}"));
            }
            if let Some((name, data)) = member(body, &["structuredContent", "structured_content"]) {
                match payload::bounded(data, &format!("{at}/{name}")) {
                    Ok(()) => found.parts.push(Part::Data { data: data.clone() }),
                    Err(reason) => found.reason(reason),
                }
            }
            let flag = member(body, &["isError", "is_error"]);
            is_error |= flag.is_some_and(|(_, flag)| *flag == Value::Bool(true));
        }
        _ => found.fault(at, "the result is not an object or a list"),
    }
    found.finish(at, is_error)
}

/// The result itself, taken out of a JSON-RPC response if it is in one, and where it is.
fn body(result: &Value) -> (&Value, &'static str) {
    match member(result, &["result"]) {
        Some((_, inner)) if member(result, &["content"]).is_none() => (inner, "/result"),
        _ => (result, ""),
    }
}

/// The first of these members that is there and not null, with its name.
fn member<'a>(of: &'a Value, names: &[&'static str]) -> Option<(&'static str, &'a Value)> {
    names.iter().find_map(|name| Some((*name, of.get(*name).filter(|value| !value.is_null())?)))
}

/// A member that is a text.
fn text_member<'a>(of: &'a Value, names: &[&'static str]) -> Option<&'a str> {
    member(of, names)?.1.as_str()
}

/// What was found so far, in the order of the result.
#[derive(Default)]
struct Found<'a> {
    parts: Vec<Part>,
    reasons: Vec<Reason>,
    texts: Vec<&'a str>,
}

impl<'a> Found<'a> {
    fn reason(&mut self, reason: Reason) {
        if self.reasons.len() < MOST {
            self.reasons.push(reason);
        }
    }

    fn fault(&mut self, pointer: impl Into<String>, message: &str) {
        self.reason(Reason::new(pointer, message));
    }

    fn content(&mut self, items: &'a [Value], at: &str) {
        for (index, item) in items.iter().enumerate() {
            if let Err(reason) = self.item(item, &format!("{at}/{index}")) {
                self.reason(reason);
            }
        }
    }

    fn item(&mut self, item: &'a Value, at: &str) -> Result<(), Reason> {
        let part = match item.get("type").and_then(Value::as_str) {
            Some("text") => {
                let text = item.get("text").and_then(Value::as_str);
                let text = text.ok_or_else(|| Reason::new(at, "the text item has no text"))?;
                payload::fits(text, &format!("{at}/text"))?;
                self.texts.extend(Some(text).filter(|text| !text.is_empty()));
                return Ok(());
            }
            Some("image") => {
                let (mime, data) = media(item, "image/", at)?;
                Part::Image { uri: None, mime, data }
            }
            Some("audio") => {
                let (mime, data) = media(item, "audio/", at)?;
                Part::Audio { mime, data }
            }
            Some("resource") => {
                let at = format!("{at}/resource");
                match item.get("resource") {
                    Some(resource @ Value::Object(_)) => resource::read(self, resource, &at)?,
                    _ => return Err(Reason::new(at, "the resource is not an object")),
                }
            }
            Some("resource_link") => link(item, at)?,
            _ => return Err(Reason::new(at, "the content item has no known type")),
        };
        self.parts.push(part);
        Ok(())
    }

    /// The error of a JSON-RPC response, which has no result; whether there is one.
    fn failure(&mut self, body: &'a Value) -> bool {
        let Some((_, error @ Value::Object(_))) = member(body, &["error"]) else { return false };
        self.texts.extend(text_member(error, &["message"]));
        true
    }

    /// Whether a value can be a tree at all. A host may draw what we would refuse to make, so
    /// whatever else is wrong with it is only noted.
    fn tree(&mut self, tree: &Value, at: &str) -> Result<(), Reason> {
        if !tree.get("type").is_some_and(Value::is_string) {
            return Err(Reason::new(at, "the tree is not an object with a type"));
        }
        let errors = match check_value(tree, Nulls::Nothing, &Limits::default()) {
            Ok(checked) => {
                let errors = checked.findings.into_iter();
                errors.filter(|f| f.severity == Severity::Error).map(|f| f.error).collect()
            }
            Err(error) => vec![error],
        };
        for error in errors {
            self.fault(format!("{at}{}", error.place().pointer), error.message());
        }
        Ok(())
    }

    /// A copy text that is none is left off; the part is still good.
    fn copy_text(&mut self, of: &Value, at: &str) -> Option<String> {
        let (name, text) = member(of, &["copy_text"])?;
        if !text.is_string() {
            self.fault(format!("{at}/{name}"), "copy_text is not a text");
        }
        text.as_str().map(str::to_owned)
    }

    fn finish(mut self, at: &str, is_error: bool) -> Extraction {
        self.parts.sort_by_key(Part::rank);
        let text = if self.texts.is_empty() {
            self.parts.iter().find_map(Part::copy_text).unwrap_or_default().to_owned()
        } else {
            self.texts.join("\n")
        };
        if !text.is_empty() {
            let place = self.parts.partition_point(|part| !matches!(part, Part::Data { .. }));
            self.parts.insert(place, Part::Text { text: text.clone() });
        }
        if self.parts.len() > MOST {
            self.parts.truncate(MOST);
            // Said even when the list of reasons is full: this one speaks of good parts.
            self.reasons.truncate(MOST - 1);
            self.fault(at, "there are more than 100 parts; the last are left out");
        }
        Extraction { parts: self.parts, reasons: self.reasons, text, is_error }
    }
}

/// The type and the base64 of an image or a sound.
fn media(item: &Value, kind: &str, at: &str) -> Result<(String, String), Reason> {
    let mime = text_member(item, &["mimeType", "mime_type"]).filter(|mime| mime.starts_with(kind));
    let mime = mime.ok_or_else(|| {
        Reason::new(format!("{at}/mimeType"), format!("the mimeType does not start with {kind}"))
    })?;
    let at = format!("{at}/data");
    let data = text_member(item, &["data"]).unwrap_or_default();
    payload::base64(data, &at)?;
    Ok((mime.to_owned(), data.to_owned()))
}

fn link(item: &Value, at: &str) -> Result<Part, Reason> {
    let field = |names: &[&'static str]| text_member(item, names).map(str::to_owned);
    let uri = field(&["uri"]).ok_or_else(|| Reason::new(at, "the resource link has no uri"))?;
    Ok(Part::ResourceLink {
        uri,
        name: field(&["name"]),
        title: field(&["title"]),
        description: field(&["description"]),
        mime: field(&["mimeType", "mime_type"]),
    })
}
