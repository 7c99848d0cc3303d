//! A view: data drawn through a widget. A pure value.

use std::sync::Arc;

use serde_json::Value;
use widgetcast_engine::tree;

/// A checked component tree and the text that goes with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// Shared with the replies that show it: it is the largest part of most of them.
    pub(crate) json: Arc<String>,
    pub(crate) copy_text: Option<String>,
    /// What folding the tree gives, where it is known already.
    pub(crate) folded: Option<String>,
}

impl View {
    /// The tree as JSON text, ready to be sent: checked, without nulls.
    pub fn json(&self) -> &str {
        &self.json
    }

    /// The tree as a value, for those who need to walk it.
    pub fn tree(&self) -> Value {
        serde_json::from_str(&self.json).unwrap_or_default()
    }

    /// The tree as JSON text, moved out.
    pub fn into_json(self) -> String {
        Arc::unwrap_or_clone(self.json)
    }

    /// The author's own text, if the widget has one.
    pub fn copy_text(&self) -> Option<&str> {
        self.copy_text.as_deref()
    }

    /// The view as Markdown: the author's text, else folded from the tree.
    pub fn text(&self) -> String {
        self.known_text().map_or_else(|| tree::fold_text(&self.json), str::to_owned)
    }

    /// The same where nothing has to be folded for it.
    pub(crate) fn known_text(&self) -> Option<&str> {
        self.copy_text.as_deref().or(self.folded.as_deref())
    }
}
