//! A view on its way to a host, and all that surfaces need to know about it.

use std::cell::OnceCell;

use serde_json::Value;

use super::page::Page;
use super::slack::work::WorkObject;
use crate::definition::view::View;

/// One view about to be shown.
#[derive(Debug)]
pub struct Showing<'v> {
    /// The name of the tool that made it.
    pub tool: &'v str,
    /// The id of this instance.
    pub id: &'v str,
    /// The view.
    pub view: &'v View,
    /// The page that draws views in MCP Apps hosts and ChatGPT, if there is one.
    pub page: Option<&'v Page>,
    /// What a Slack Work Object needs beyond the view.
    pub work_object: Option<&'v WorkObject>,
    /// The author's own blocks, where there is a template for them.
    pub blocks: Option<&'v [Value]>,
    /// The author's own Work Object, where there is a template for it.
    pub entity: Option<&'v Value>,
    /// The key under which the state of this one showing is kept.
    pub state: Option<&'v str>,
    /// Losses that the author has accepted; see [`Showing::present`].
    pub accepted: &'v [&'v str],
    tree: OnceCell<Value>,
    text: OnceCell<String>,
}

impl<'v> Showing<'v> {
    /// A view of a tool, with nothing else known.
    pub fn new(tool: &'v str, id: &'v str, view: &'v View) -> Self {
        Self {
            tool,
            id,
            view,
            page: None,
            work_object: None,
            blocks: None,
            entity: None,
            state: None,
            accepted: &[],
            tree: OnceCell::new(),
            text: OnceCell::new(),
        }
    }

    /// The view as Markdown, folded once.
    pub fn text(&self) -> &str {
        match self.view.known_text() {
            Some(text) => text,
            None => self.text.get_or_init(|| self.view.text()),
        }
    }

    /// The same, moved out where it was folded.
    pub fn into_text(self) -> String {
        self.text();
        self.text.into_inner().unwrap_or_else(|| self.view.text())
    }

    /// The tree as a value, built when the first surface asks for it.
    pub fn tree(&self) -> &Value {
        self.tree.get_or_init(|| self.view.tree())
    }
}
