//! Names of servers in front of what is theirs: names of tools and prompts, and ids.

use serde_json::Value;

use crate::message::{value_at, with_value};

/// The names of several servers.
#[derive(Debug)]
pub(super) struct Names(Vec<String>);

impl Names {
    pub(super) fn new(names: Vec<String>) -> Self {
        Self(names)
    }

    /// The numbers of the servers.
    pub(super) fn all(&self) -> std::ops::Range<usize> {
        0..self.0.len()
    }

    /// The name of a server.
    pub(super) fn of(&self, at: usize) -> &str {
        &self.0[at]
    }

    /// A text with the name of a server in front.
    pub(super) fn marked(&self, at: usize, text: &str) -> String {
        format!("{}_{text}", self.0[at])
    }

    /// The server whose name is in front of a text, and the rest of it.
    pub(super) fn unmarked<'t>(&self, text: &'t str) -> Option<(usize, &'t str)> {
        let (name, rest) = text.split_once('_')?;
        Some((self.0.iter().position(|known| known == name)?, rest))
    }

    /// The message with a value of it marked with the name of a server.
    pub(super) fn with_mark(&self, at: usize, text: String, path: &[&str]) -> String {
        let marked = value_at(&text, path).map(|value| quoted(&self.marked(at, value)));
        marked.and_then(|marked| with_value(&text, path, &marked)).unwrap_or(text)
    }

    /// The message with a marked value as its server has sent it, and the server.
    pub(super) fn without_mark(&self, text: &str, path: &[&str]) -> Option<(usize, String)> {
        let value = text_at(text, path)?;
        let (at, value) = self.unmarked(&value)?;
        serde_json::from_str::<Value>(value).ok()?;
        Some((at, with_value(text, path, value)?))
    }
}

/// A string as JSON.
pub(super) fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// The string along this path of members.
pub(super) fn text_at(object: &str, path: &[&str]) -> Option<String> {
    serde_json::from_str(value_at(object, path)?).ok()
}
