//! A presentation: a view, and everything that surfaces need to show it.

use std::cell::OnceCell;

use serde_json::Value;

use super::host_template::{Fault, HostTemplate};
use super::page::{self, Page};
use crate::definition::view::View;
use widgetcast_engine::outline::{Images, Outline};
use widgetcast_engine::tree::CompactTree;
use widgetcast_engine::words::Words;

/// A view on its way to a host.
pub struct Presentation<'v> {
    /// The name of the tool that returned it.
    pub tool: &'v str,
    /// The id of this instance.
    pub id: &'v str,
    /// The view.
    pub view: &'v View,
    /// The page that shows views in MCP Apps hosts and ChatGPT, if there is one.
    pub page: Option<&'v Page>,
    /// The labels that surfaces add, in the language of the request; English by default.
    pub words: Words,
    /// Renders the author's host templates with the view's data; returns `None` if there is no such template.
    /// Called only by the surfaces that use it.
    pub author: Option<&'v dyn Fn(&'static HostTemplate) -> Option<Value>>,
    /// The text of the result, if the tool returns one instead of the view's.
    pub own_text: Option<&'v str>,
    /// Maximum bytes of the result's text, see [`clip`](crate::clip); unlimited by default.
    pub max_text_bytes: usize,
    /// The images that hosts may load; any by default.
    pub images: Images<'v>,
    /// The key under which the state of this view is stored.
    pub state: Option<&'v str>,
    /// Losses that the author has accepted; see [`Presentation::losses`].
    pub accepted: &'v [&'v str],
    tree: OnceCell<Value>,
    text: OnceCell<String>,
}

impl<'v> Presentation<'v> {
    /// Creates a presentation of a tool's view, with defaults for everything else.
    pub fn new(tool: &'v str, id: &'v str, view: &'v View) -> Self {
        Self {
            tool,
            id,
            view,
            page: None,
            words: Words::default(),
            author: None,
            own_text: None,
            max_text_bytes: usize::MAX,
            images: Images::Any,
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

    /// The view as Markdown, printed once.
    pub fn text(&self) -> &str {
        match self.view.known_text(self.words) {
            Some(text) => text,
            None => self.text.get_or_init(|| self.view.text_in(self.words)),
        }
    }

    /// Like [`text`](Self::text), without a copy if the text was generated here.
    pub fn into_text(self) -> String {
        self.text();
        self.text.into_inner().unwrap_or_else(|| self.view.text_in(self.words))
    }

    /// Reads the outline of the view, for hosts that do not render the tree.
    pub fn outline<T>(&self, print: impl FnOnce(&Outline<'_>) -> T) -> T {
        let tree = CompactTree::read(self.view.json());
        print(&Outline::with_images(&tree, self.view.roles(), self.images))
    }

    /// What the author's own template gives; the faults if the host would not take that.
    pub(super) fn own(&self, template: &'static HostTemplate) -> Option<Result<Value, Vec<Fault>>> {
        let own = self.author.and_then(|render| render(template))?;
        let faults = (template.validate)(&own);
        Some(if faults.is_empty() { Ok(own) } else { Err(faults) })
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
