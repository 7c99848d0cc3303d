//! A view: data rendered by a widget, as a component tree and text.

use std::sync::Arc;

use serde_json::Value;
use widgetcast_engine::error::{Result, Severity};
use widgetcast_engine::limits::Limits;
use widgetcast_engine::outline::Roles;
use widgetcast_engine::text;
use widgetcast_engine::tree::check_tree;
use widgetcast_engine::words::Words;

/// A checked component tree, and its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// Shared with replies, where it is the largest part.
    pub(crate) json: Arc<String>,
    pub(crate) copy_text: Option<String>,
    /// The English text of the tree, if it was printed during rendering.
    pub(crate) printed: Option<String>,
    /// The roles that the author has set.
    pub(crate) roles: Arc<Roles>,
}

impl View {
    /// Creates a view from a tree, if the tree is valid.
    ///
    /// # Errors
    /// The first error in the tree.
    #[doc(hidden)]
    pub fn of_tree(tree: &Value) -> Result<Self> {
        let view = Self::unchecked(tree);
        let findings = check_tree(view.json(), &Limits::default()).into_iter();
        let mut errors = findings.filter(|finding| finding.severity == Severity::Error);
        errors.next().map_or(Ok(view), |finding| Err(finding.error))
    }

    /// A view of an unchecked tree, for tests of surfaces.
    #[doc(hidden)]
    pub fn unchecked(tree: &Value) -> Self {
        let json = Arc::new(tree.to_string());
        Self { json, copy_text: None, printed: None, roles: Arc::default() }
    }

    /// The tree as JSON text, checked and without nulls.
    pub fn json(&self) -> &str {
        &self.json
    }

    /// The tree as a value.
    pub fn tree(&self) -> Value {
        serde_json::from_str(&self.json).unwrap_or_default()
    }

    /// The tree as JSON text, without a copy if it is not shared.
    pub fn into_json(self) -> String {
        Arc::unwrap_or_clone(self.json)
    }

    /// The text from the widget's `copy_text`, if it has one.
    pub fn copy_text(&self) -> Option<&str> {
        self.copy_text.as_deref()
    }

    /// The view as Markdown: the text from `copy_text`, or else generated from the tree.
    pub fn text(&self) -> String {
        self.text_in(Words::default())
    }

    /// The same, with labels in a language.
    pub(crate) fn text_in(&self, words: Words) -> String {
        let print = || text::of_json(&self.json, &self.roles, words);
        self.known_text(words).map_or_else(print, str::to_owned)
    }

    /// [`Self::text_in`], if it is known without reading the tree.
    pub(crate) fn known_text(&self, words: Words) -> Option<&str> {
        let printed = || self.printed.as_deref().filter(|_| words == Words::default());
        self.copy_text.as_deref().or_else(printed)
    }

    /// The roles that the author has set.
    pub(crate) fn roles(&self) -> &Roles {
        &self.roles
    }
}
