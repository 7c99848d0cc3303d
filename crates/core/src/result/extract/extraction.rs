//! The extraction as a whole: every part of a result, best first.

use serde::Serialize;
use serde_json::Value;
use widgetcast_engine::budget::Budget;

use super::collector::{Collector, MAX_PARTS};
use super::member::{body, member};
use super::part::Part;
use super::reason::Reason;
use super::{meta, payload, stored};

/// The parts of a tool result that a host can show.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Extraction {
    /// All ways to show the result, best first; only raw data comes after the text.
    pub parts: Vec<Part>,
    /// The invalid parts.
    pub reasons: Vec<Reason>,
    /// The text items, one per line; without any, the copy text of the best part.
    pub text: String,
    /// Whether the tool returned an error.
    pub is_error: bool,
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

/// Finds all parts of a tool result that a host can show.
///
/// Accepts a result (`content`, `structuredContent`, `_meta`, `isError`, also in snake case), a bare
/// content list, or a JSON-RPC response with one of them. Also accepts a message as an application stores
/// it (`{"role": "tool_result", "metadata": {"mcp_content": […]}}`), and `{"messages": […]}`, of which only
/// tool results are searched.
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
    Budget::default().cover(|| extract_within_budget(result))
}

/// What a result has, or a response in place of one.
const MEMBERS: [&str; 8] = [
    "content",
    "structuredContent",
    "structured_content",
    "_meta",
    "meta",
    "isError",
    "is_error",
    "error",
];

fn extract_within_budget(result: &Value) -> Extraction {
    let mut collector = Collector::default();
    let (body, at) = body(result);
    let mut is_error = false;
    if let Some((name, messages)) = stored::messages(body) {
        for (index, message) in messages.iter().enumerate() {
            collector.message(message, &format!("{at}{name}/{index}"));
        }
        return collector.finish(at, is_error);
    }
    if stored::is_message(body) {
        collector.message(body, at);
        return collector.finish(at, is_error);
    }
    match body {
        Value::Array(items) => collector.content(items, at),
        Value::Object(members)
            if !members.is_empty() && !MEMBERS.iter().any(|name| members.contains_key(*name)) =>
        {
            collector.fault(at, "this is not a tool result: it has neither content nor data");
        }
        Value::Object(_) => {
            match member(body, &["content"]) {
                Some((_, Value::Array(items))) => {
                    collector.content(items, &format!("{at}/content"));
                }
                Some(_) => collector.fault(format!("{at}/content"), "content is not a list"),
                None => is_error = collector.failure(body),
            }
            if let Some((name, meta)) = member(body, &["_meta", "meta"]) {
                meta::read(&mut collector, meta, &format!("{at}/{name}"));
            }
            if let Some((name, data)) = member(body, &["structuredContent", "structured_content"]) {
                match payload::bounded(data, &format!("{at}/{name}")) {
                    Ok(()) if !collector.data_is_the_widget(data, name, at) => {
                        collector.parts.push(Part::Data { data: data.clone() });
                    }
                    Ok(()) => {}
                    Err(reason) => collector.reason(reason),
                }
            }
            let flag = member(body, &["isError", "is_error"]);
            is_error |= flag.is_some_and(|(_, flag)| *flag == Value::Bool(true));
        }
        _ => collector.fault(at, "the result is not an object or a list"),
    }
    collector.finish(at, is_error)
}

impl Collector<'_> {
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
        if self.parts.len() > MAX_PARTS {
            self.parts.truncate(MAX_PARTS);
            // Reported even when the list of reasons is full, because good parts are missing.
            self.reasons.truncate(MAX_PARTS - 1);
            self.fault(at, "more than 100 parts; the rest are ignored");
        }
        Extraction { parts: self.parts, reasons: self.reasons, text, is_error }
    }
}
