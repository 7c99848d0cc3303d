//! A presentation: a view, and everything that surfaces need to show it.

use std::cell::OnceCell;
use std::path::Path;

use serde_json::Value;

use super::page::{self, Page};
use super::slack::work_object::WorkObject;
use crate::definition::view::View;

/// A host's own template that an author has written beside a widget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuthorTemplate {
    /// Block Kit blocks.
    SlackBlocks,
    /// A Slack Work Object.
    SlackWorkObject,
}

impl AuthorTemplate {
    pub(crate) const ALL: [Self; 2] = [Self::SlackBlocks, Self::SlackWorkObject];

    /// What its file has after the name of the widget's file, before the extension.
    pub(crate) fn suffix(self) -> &'static str {
        match self {
            Self::SlackBlocks => ".blocks",
            Self::SlackWorkObject => ".work-object",
        }
    }

    /// The name, without the extension, of the file beside that of a widget.
    pub(crate) fn file_stem(self, widget: &Path) -> String {
        let stem = widget.file_stem().unwrap_or_default().to_string_lossy();
        format!("{stem}{}", self.suffix())
    }
}

/// A view that is presented to a host.
pub struct Presentation<'v> {
    /// The name of the tool that made it.
    pub tool: &'v str,
    /// The id of this instance.
    pub id: &'v str,
    /// The view.
    pub view: &'v View,
    /// The page that shows views in MCP Apps hosts and ChatGPT, if there is one.
    pub page: Option<&'v Page>,
    /// What a Slack Work Object needs beyond the view.
    pub work_object: Option<&'v WorkObject>,
    /// Renders the author's own templates with the view's data; none where there is no such template.
    /// Only the surfaces that use one ask for it.
    pub author: Option<&'v dyn Fn(AuthorTemplate) -> Option<Value>>,
    /// The text of the result, where the tool gives one in place of the view's.
    pub own_text: Option<&'v str>,
    /// The most bytes of the text of the result; see [`clip`](crate::clip). All of it by default.
    pub max_text_bytes: usize,
    /// The key under which the state of this one presentation is kept.
    pub state: Option<&'v str>,
    /// Losses that the author has accepted; see [`Presentation::present`].
    pub accepted: &'v [&'v str],
    tree: OnceCell<Value>,
    text: OnceCell<String>,
}

impl<'v> Presentation<'v> {
    /// A view of a tool, with nothing else known.
    pub fn new(tool: &'v str, id: &'v str, view: &'v View) -> Self {
        Self {
            tool,
            id,
            view,
            page: None,
            work_object: None,
            author: None,
            own_text: None,
            max_text_bytes: usize::MAX,
            state: None,
            accepted: &[],
            tree: OnceCell::new(),
            text: OnceCell::new(),
        }
    }

    /// The address of this instance, `ui://widgets/<tool>/<id>`, in parts that need no copy.
    pub(super) fn uri_parts(&self) -> [&str; 5] {
        [page::SCHEME, "widgets/", self.tool, "/", self.id]
    }

    /// The view as Markdown, folded once.
    pub fn text(&self) -> &str {
        match self.view.known_text() {
            Some(text) => text,
            None => self.text.get_or_init(|| self.view.text()),
        }
    }

    /// Like [`text`](Self::text), without a copy where the text was folded here.
    pub fn into_text(self) -> String {
        self.text();
        self.text.into_inner().unwrap_or_else(|| self.view.text())
    }

    /// What the author's own template gives.
    pub(super) fn author_template(&self, template: AuthorTemplate) -> Option<Value> {
        self.author.and_then(|render| render(template))
    }

    /// The tree as a value, built when the first surface asks for it.
    pub fn tree(&self) -> &Value {
        self.tree.get_or_init(|| self.view.tree())
    }
}

impl std::fmt::Debug for Presentation<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Presentation")
            .field("tool", &self.tool)
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}
