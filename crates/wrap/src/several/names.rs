//! Prefixes with the server name: for names of tools and prompts, ids, and page URIs.

use serde_json::Value;

use crate::message::{value_at, with_strings, with_value};

/// The URI scheme of pages. Users never see these URIs, so they can be prefixed.
const PAGE: &str = "ui://";
const RELATED: &str = "io.modelcontextprotocol/related-task";
/// The paths of URIs in messages of a server.
const ADDRESSES: [&[&str]; 17] = [
    &["params", "uri"],
    &["params", "notifications", "resourceSubscriptions", "*"],
    &["result", "_meta", "*"],
    &["result", "_meta", "*", "*"],
    &["result", "content", "*", "uri"],
    &["result", "content", "*", "resource", "uri"],
    &["result", "contents", "*", "uri"],
    &["result", "messages", "*", "content", "uri"],
    &["result", "messages", "*", "content", "resource", "uri"],
    &["result", "resources", "*", "uri"],
    &["result", "resourceTemplates", "*", "uriTemplate"],
    &["result", "tools", "*", "_meta", "*"],
    &["result", "tools", "*", "_meta", "*", "*"],
    // In a completed task.
    &["result", "result", "_meta", "*"],
    &["result", "result", "_meta", "*", "*"],
    &["result", "result", "content", "*", "uri"],
    &["result", "result", "content", "*", "resource", "uri"],
];
/// The paths of task and elicitation ids, which the client sends back or is notified of.
const IDS: [&[&str]; 7] = [
    &["result", "task", "taskId"],
    &["result", "tasks", "*", "taskId"],
    &["result", "_meta", RELATED, "taskId"],
    &["params", "_meta", RELATED, "taskId"],
    &["params", "elicitationId"],
    &["result", "inputRequests", "*", "params", "elicitationId"],
    &["error", "data", "elicitations", "*", "elicitationId"],
];
/// The paths of ids in messages about a task.
const TASK_IDS: [&[&str]; 2] = [&["result", "taskId"], &["params", "taskId"]];

/// The names of several servers.
#[derive(Debug)]
pub(super) struct Names(Vec<String>);

impl Names {
    pub(super) fn new(names: Vec<String>) -> Self {
        Self(names)
    }

    /// The indexes of the servers.
    pub(super) fn all(&self) -> std::ops::Range<usize> {
        0..self.0.len()
    }

    /// The name of a server.
    pub(super) fn of(&self, at: usize) -> &str {
        &self.0[at]
    }

    /// A text with the prefix of a server.
    pub(super) fn marked(&self, at: usize, text: &str) -> String {
        format!("{}_{text}", self.0[at])
    }

    /// The server whose prefix a text has, and the rest of the text.
    pub(super) fn unmarked<'t>(&self, text: &'t str) -> Option<(usize, &'t str)> {
        let (name, rest) = text.split_once('_')?;
        Some((self.0.iter().position(|known| known == name)?, rest))
    }

    /// The message with the prefix of a server on one of its values.
    pub(super) fn with_mark(&self, at: usize, text: String, path: &[&str]) -> String {
        let marked = value_at(&text, path).map(|value| quoted(&self.marked(at, value)));
        marked.and_then(|marked| with_value(&text, path, &marked)).unwrap_or(text)
    }

    /// The message without the prefix on a value, and the server.
    pub(super) fn without_mark(&self, text: &str, path: &[&str]) -> Option<(usize, String)> {
        let value = text_at(text, path)?;
        let (at, value) = self.unmarked(&value)?;
        serde_json::from_str::<Value>(value).ok()?;
        Some((at, with_value(text, path, value)?))
    }

    /// The message of a server, with prefixed page URIs and ids of tasks and elicitations. `is_task` is
    /// whether it is about a task itself.
    pub(super) fn with_marks(&self, at: usize, text: String, is_task: bool) -> String {
        // Most messages have none; a `\\u` escape may hide one.
        if !["ui:", "askId", "elicitationId", "\\u"].iter().any(|part| text.contains(part)) {
            return text;
        }
        let page = |uri: &str| {
            uri.strip_prefix(PAGE).map(|rest| format!("{PAGE}{}", self.marked(at, rest)))
        };
        let id = |id: &str| Some(self.marked(at, id));
        let text = with_strings(&text, &ADDRESSES, page).unwrap_or(text);
        let text = with_strings(&text, &IDS, id).unwrap_or(text);
        with_strings(&text, if is_task { &TASK_IDS } else { &[] }, id).unwrap_or(text)
    }

    /// The server of a page URI, and the URI without the prefix.
    pub(super) fn unmarked_page(&self, uri: &str) -> Option<(usize, String)> {
        let (at, rest) = self.unmarked(uri.strip_prefix(PAGE)?)?;
        Some((at, format!("{PAGE}{rest}")))
    }

    /// A message to a server without the prefix on its task id.
    pub(super) fn without_task_mark(&self, at: usize, text: String) -> String {
        let related: [&[&str]; 2] =
            [&["result", "_meta", RELATED, "taskId"], &["params", "_meta", RELATED, "taskId"]];
        let own = |id: &str| self.unmarked(id).filter(|(of, _)| *of == at).map(|(_, id)| id.into());
        with_strings(&text, &related, own).unwrap_or(text)
    }
}

/// A string as JSON.
pub(super) fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// The string at this path.
pub(super) fn text_at(object: &str, path: &[&str]) -> Option<String> {
    serde_json::from_str(value_at(object, path)?).ok()
}
