//! A view: data drawn through a widget, as a component tree and text.

use std::sync::Arc;

use serde_json::Value;
use widgetcast_engine::tree;

/// A checked component tree and the text that goes with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// Shared with replies, of which it is the largest part.
    pub(crate) json: Arc<String>,
    pub(crate) copy_text: Option<String>,
    /// The text folded from the tree, if it was computed while drawing.
    pub(crate) folded: Option<String>,
}

impl View {
    /// The tree as JSON text, ready to be sent: checked, without nulls.
    pub fn json(&self) -> &str {
        &self.json
    }

    /// The tree as a value.
    pub fn tree(&self) -> Value {
        serde_json::from_str(&self.json).unwrap_or_default()
    }

    /// The tree as JSON text, without a copy where nothing shares it.
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

    /// [`Self::text`], if it is known without folding the tree.
    pub(crate) fn known_text(&self) -> Option<&str> {
        self.copy_text.as_deref().or(self.folded.as_deref())
    }
}
