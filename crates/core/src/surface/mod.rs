//! Surfaces: how each kind of host shows a view. One file per host, pure, and honest about what it
//! cannot show.
//!
//! A new host is one file here and one row in [`SURFACES`]; nothing else asks which host it is.

pub mod adaptive;
pub mod chatgpt;
pub mod chatkit;
pub mod icon;
pub mod mcp_apps;
pub mod slack;
pub mod terminal;
#[cfg(test)]
mod tests;
pub mod text;

use std::cell::OnceCell;

use serde_json::{Map, Value};

use crate::reply::Reply;
use crate::view::View;
use mcp_apps::Page;
use slack::WorkObject;

/// Something of a view that a host cannot show, or shows differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// Where in the tree, as a JSON pointer.
    pub pointer: String,
    /// What is lost, and why: one short sentence.
    pub reason: String,
}

impl Loss {
    /// A loss at a place of the tree.
    pub fn new(pointer: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { pointer: pointer.into(), reason: reason.into() }
    }
}

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

    /// Adds what a surface needs to a reply, and returns what it could not show. A loss whose
    /// pointer is among the accepted ones, or below one of them, is left out.
    pub fn present(&self, surface: &Surface, reply: &mut Reply) -> Vec<Loss> {
        let mut losses = (surface.present)(self, reply);
        losses.retain(|loss| {
            !self.accepted.iter().any(|accepted| {
                loss.pointer
                    .strip_prefix(accepted)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            })
        });
        losses
    }
}

/// What a host needs to know about a tool before it is called.
#[derive(Clone, Debug, Default)]
pub struct Face<'t> {
    /// The page that will show its results.
    pub page: Option<&'t Page>,
    /// Whether the model may call it.
    pub for_model: bool,
    /// Whether views may call it.
    pub for_app: bool,
    /// What to say while it runs, and once it has run.
    pub invoking: Option<&'t str>,
    /// See `invoking`.
    pub invoked: Option<&'t str>,
    /// Parameters that are files.
    pub file_params: &'t [&'t str],
}

/// Who asks: an MCP client, as it speaks of itself in this request.
#[derive(Clone, Copy, Debug, Default)]
pub struct Client<'c> {
    /// Its name.
    pub name: Option<&'c str>,
    /// Its capabilities object.
    pub capabilities: Option<&'c Value>,
}

impl Client<'_> {
    /// Whether its name holds one of these words, which are in lower case.
    fn is_named(&self, words: &[&str]) -> bool {
        self.name.is_some_and(|name| {
            let is = |word: &&str| {
                let word = word.as_bytes();
                // The first letter tells nearly all apart.
                let mut parts = name.as_bytes().windows(word.len());
                parts.any(|part| part[0] | 0x20 == word[0] && part.eq_ignore_ascii_case(word))
            };
            words.iter().any(is)
        })
    }

    /// What it says about an extension, if it has it.
    fn extension(&self, id: &str) -> Option<&Value> {
        self.capabilities?.get("extensions")?.get(id).filter(|about| !about.is_null())
    }

    /// Whether any of its extensions takes this type.
    fn takes(&self, mime: &str) -> bool {
        let extensions = self.capabilities.and_then(|all| all.get("extensions")?.as_object());
        extensions.is_some_and(|all| all.values().any(|about| lists(about, mime)))
    }
}

/// Whether an extension lists a type.
fn lists(extension: &Value, mime: &str) -> bool {
    let types = extension.get("mimeTypes").and_then(Value::as_array);
    types.is_some_and(|types| types.iter().any(|listed| listed == mime))
}

/// A kind of host.
#[derive(Debug)]
pub struct Surface {
    /// The name in flags, files and findings.
    pub name: &'static str,
    /// The ending of a file that holds what it presents.
    pub extension: &'static str,
    /// Whether this client is, or may be, such a host: a reply to it gets what the host needs.
    pub wants: fn(&Client<'_>) -> bool,
    /// Adds what the host needs to a tool's `_meta`.
    pub describe: fn(&Face<'_>, &mut Map<String, Value>),
    /// Adds what the host needs to a reply; returns the losses.
    pub present: fn(&Showing<'_>, &mut Reply) -> Vec<Loss>,
    /// The view alone, as a person would look at it.
    pub draw: fn(&Showing<'_>) -> String,
}

/// Every kind of host, in the order in which their parts stand in a reply.
pub const SURFACES: &[Surface] = &[
    text::SURFACE,
    terminal::SURFACE,
    chatkit::SURFACE,
    mcp_apps::SURFACE,
    chatgpt::SURFACE,
    slack::WORK_OBJECT_SURFACE,
    slack::BLOCKS_SURFACE,
    adaptive::SURFACE,
];

impl Surface {
    /// The surface of that name; `markdown` is another word for `text`.
    pub fn find(name: &str) -> Option<&'static Surface> {
        let name = if name == "markdown" { "text" } else { name };
        SURFACES.iter().find(|surface| surface.name == name)
    }
}

/// For surfaces that add nothing to a tool.
fn describe_nothing(_: &Face<'_>, _: &mut Map<String, Value>) {}

/// JSON with line breaks, for a person to look at.
fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}
