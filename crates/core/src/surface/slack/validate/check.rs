//! The state of a validation, and the rules that many parts of a payload share.

use std::collections::HashSet;

use serde_json::{Map, Value};

use crate::surface::host_template::Fault;

use crate::surface::slack::limit;

#[derive(Default)]
pub(super) struct Check {
    pub(super) faults: Vec<Fault>,
    pub(super) block_ids: HashSet<String>,
    /// The `action_id`s of the current block, unique within it.
    pub(super) action_ids: HashSet<String>,
    /// The `input:` ids of the message, unique within it.
    pub(super) inputs: HashSet<String>,
    pub(super) markdown: usize,
    pub(super) table_chars: usize,
    pub(super) charts: usize,
}

pub(super) type Members = Map<String, Value>;

/// Whether a word is in a list of words with spaces between them.
pub(super) fn has(words: &str, word: &str) -> bool {
    words.split(' ').any(|known| known == word)
}

impl Check {
    pub(super) fn fault(&mut self, path: impl Into<String>, rule: impl Into<String>) {
        self.faults.push(Fault { path: path.into(), rule: rule.into() });
    }

    /// An object of a known type, or nothing and a fault.
    pub(super) fn typed<'v>(
        &mut self,
        value: &'v Value,
        path: &str,
        allowed: &str,
    ) -> Option<(&'v Members, &'v str)> {
        let Value::Object(members) = value else {
            self.fault(path, "must be an object");
            return None;
        };
        let Some(kind) = members.get("type").and_then(Value::as_str) else {
            self.fault(path, "needs a type");
            return None;
        };
        if !has(allowed, kind) {
            self.fault(format!("{path}.type"), format!("`{kind}` is not allowed here"));
            return None;
        }
        Some((members, kind))
    }

    /// Keys that Slack does not know make it refuse the block.
    pub(super) fn keys(&mut self, members: &Members, path: &str, known: &str) {
        for key in members.keys() {
            if key != "type" && !has(known, key) {
                self.fault(format!("{path}.{key}"), "is not known to Slack");
            }
        }
    }

    /// A string of bounded length; at least one character unless `least` is 0.
    pub(super) fn string(
        &mut self,
        members: &Members,
        key: &str,
        path: &str,
        least: usize,
        most: usize,
    ) {
        let path = format!("{path}.{key}");
        match members.get(key) {
            Some(Value::String(text)) => {
                let size = limit::len(text);
                if size < least || (least > 0 && text.trim().is_empty()) {
                    self.fault(path, "must not be empty");
                } else if size > most {
                    self.fault(path, format!("at most {most} characters"));
                } else if text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\t' | '\r')) {
                    self.fault(path, "must not contain control characters");
                }
            }
            Some(_) => self.fault(path, "must be a string"),
            None => self.fault(path, "is required"),
        }
    }

    pub(super) fn optional(&mut self, members: &Members, key: &str, path: &str, most: usize) {
        if members.contains_key(key) {
            self.string(members, key, path, 1, most);
        }
    }

    pub(super) fn flag(&mut self, members: &Members, key: &str, path: &str) {
        if members.get(key).is_some_and(|value| !value.is_boolean()) {
            self.fault(format!("{path}.{key}"), "must be true or false");
        }
    }

    /// A list of bounded length, or nothing and a fault.
    pub(super) fn list<'v>(
        &mut self,
        members: &'v Members,
        key: &str,
        path: &str,
        least: usize,
        most: usize,
    ) -> &'v [Value] {
        let path = format!("{path}.{key}");
        match members.get(key) {
            Some(Value::Array(list)) => {
                if list.len() < least {
                    self.fault(path, format!("needs at least {least}"));
                } else if list.len() > most {
                    self.fault(path, format!("at most {most}"));
                }
                list
            }
            Some(_) => {
                self.fault(path, "must be a list");
                &[]
            }
            None => {
                self.fault(path, "is required");
                &[]
            }
        }
    }

    pub(super) fn https(&mut self, members: &Members, key: &str, path: &str, public: bool) {
        let Some(value) = members.get(key) else {
            return self.fault(format!("{path}.{key}"), "is required");
        };
        let path = format!("{path}.{key}");
        match value.as_str() {
            None => self.fault(path, "must be a string"),
            Some(url) if limit::len(url) > limit::URL => {
                self.fault(path, format!("at most {} characters", limit::URL));
            }
            Some(url) if !limit::is_https(url) => self.fault(path, "must be an https URL"),
            Some(url) if public && !limit::is_public(url) => {
                self.fault(path, "must be a URL that Slack can reach");
            }
            Some(_) => {}
        }
    }

    pub(super) fn choice(&mut self, members: &Members, key: &str, path: &str, allowed: &str) {
        let Some(value) = members.get(key) else { return };
        if !value.as_str().is_some_and(|value| has(allowed, value)) {
            let allowed = allowed.replace(' ', ", ");
            self.fault(format!("{path}.{key}"), format!("must be one of {allowed}"));
        }
    }

    pub(super) fn range(
        &mut self,
        block: &Members,
        key: &str,
        path: &str,
        least: usize,
        most: usize,
    ) {
        let Some(value) = block.get(key) else { return };
        let fits = value.as_u64().is_some_and(|n| n >= least as u64 && n <= most as u64);
        if !fits {
            self.fault(format!("{path}.{key}"), format!("must be from {least} to {most}"));
        }
    }
}
