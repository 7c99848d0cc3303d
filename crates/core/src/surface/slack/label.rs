//! Labels, the fields that they belong to by name, notes below check boxes, and fields that are not asked
//! for.

use std::collections::{HashMap, HashSet};

use serde_json::Value;
use widgetcast_engine::tree::component::Component;

use super::component::{children, text};
use super::limit;

/// The labels of all fields of a tree.
pub(super) struct Labels<'v> {
    of_field: HashMap<&'v str, String>,
    taken: HashSet<String>,
    /// What stands below a check box, by the pointer of the box, and where.
    notes: HashMap<String, (String, String)>,
}

impl<'v> Labels<'v> {
    pub(super) fn of(tree: &'v Value) -> Self {
        let mut labels: Vec<(&str, String, String)> = Vec::new();
        let mut fields = HashSet::new();
        let mut notes = HashMap::new();
        let mut open = vec![(tree, String::new())];
        while let Some((node, at)) = open.pop() {
            let inner: Vec<_> = children(node, &at).collect();
            if let [(field, field_at), (note, note_at)] = inner.as_slice()
                && field["type"] == "Checkbox"
                && note["type"] == "Caption"
                && let Some(words) = text(note, "value")
                && limit::len(&words) <= limit::OPTION_TEXT
            {
                notes.insert(field_at.clone(), (words, note_at.clone()));
            }
            open.extend(inner.into_iter().rev());
            if node["type"] == "Label" {
                let name = node["fieldName"].as_str().unwrap_or_default();
                labels.extend(text(node, "value").map(|words| (name, words, at)));
            } else if let Some(name) = field_name(node) {
                fields.insert(name);
            }
        }
        let mut of_field = HashMap::new();
        let mut taken = HashSet::new();
        for (name, words, at) in labels {
            if fields.contains(name) && !of_field.contains_key(name) {
                of_field.insert(name, words);
                taken.insert(at);
            }
        }
        Self { of_field, taken, notes }
    }

    pub(super) fn is_taken(&self, at: &str) -> bool {
        self.taken.contains(at)
    }

    /// Removes and returns the note below a check box, which is then not written again.
    pub(super) fn take_note(&mut self, field_at: &str) -> Option<String> {
        let (words, at) = self.notes.remove(field_at)?;
        self.taken.insert(at);
        Some(words)
    }

    /// Removes and returns a field's label; a second field of the name has none.
    pub(super) fn take(&mut self, name: &str) -> Option<String> {
        self.of_field.remove(name)
    }
}

fn field_name(node: &Value) -> Option<&str> {
    let kind = node["type"].as_str()?;
    let holder = if kind == "Text" { &node["editable"] } else { node };
    let is_field = kind == "Text" || Component::find(kind).is_some_and(Component::is_field);
    holder["name"].as_str().filter(|_| is_field)
}

/// Why a field for a secret is missing.
pub(super) const SECRET: &str = "left out: what is typed into a Slack message is no secret";

/// Whether what is typed into it should be seen by nobody.
pub(super) fn is_secret(node: &Value) -> bool {
    node["type"] == "Input" && node["inputType"] == "password"
}
