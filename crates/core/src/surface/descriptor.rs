//! The descriptor of a surface: a row of functions that says how a kind of host is recognised, what
//! it needs on tools, pages and results, and how it shows a view.

use serde_json::{Map, Value};

use super::client::Client;
use super::loss::Loss;
use super::page::Page;
use super::presentation::{AuthorTemplate, Presentation};
use crate::reply::Reply;

/// A kind of host. One row of [`SURFACES`](super::SURFACES).
#[derive(Debug)]
pub struct Surface {
    /// The name in flags, files and findings.
    pub name: &'static str,
    /// The extension of a file with the output of `render`.
    pub extension: &'static str,
    /// Whether a client is such a host, or may be one; its replies then get what the host needs.
    pub wants: fn(&Client<'_>) -> bool,
    /// Adds what the host needs to a tool's `_meta`.
    pub describe: fn(&ToolMeta<'_>, &mut Map<String, Value>),
    /// Adds what the host needs to the `_meta` of the page that shows views.
    pub describe_page: fn(&Page, &mut Map<String, Value>),
    /// Adds what the host needs to a reply; returns the losses.
    pub present: fn(&Presentation<'_>, &mut Reply) -> Vec<Loss>,
    /// Renders the view alone, as the host gets it.
    pub render: fn(&Presentation<'_>) -> String,
    /// Renders the view for a person to look at in a page.
    pub preview: fn(&Presentation<'_>) -> Preview,
    /// Whether every result has it, whatever the client asks for.
    pub is_in_every_result: bool,
    /// The resource template by which clients read instances of views later.
    pub instances: Option<Instances>,
    /// The MIME type of a page at a fixed address, where it differs from that of MCP Apps.
    pub page_mime: Option<&'static str>,
    /// The `_meta` key under which the host looks for a challenge in the result of a call that needs
    /// another token. Others look at the status of the response.
    pub challenge: Option<&'static str>,
}

/// A view for a person to look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preview {
    /// What the text is: `markdown`, `ansi` or `json`.
    pub format: &'static str,
    /// The text.
    pub text: String,
}

impl Preview {
    /// JSON, laid out for reading.
    pub(super) fn json(text: String) -> Self {
        Self { format: "json", text }
    }
}

/// The resources by which a surface gives out instances of views.
#[derive(Debug)]
pub struct Instances {
    /// The template of their addresses, with `{name}` and `{instance_id}`.
    pub uri: &'static str,
    /// Their description, for the model.
    pub description: &'static str,
    /// Their MIME type.
    pub mime: &'static str,
    /// What is added to the name of a widget for those of one widget.
    pub suffix: &'static str,
    /// The author's template that a widget must have for its own to be listed.
    pub template: Option<AuthorTemplate>,
}

/// What a host needs to know about a tool before it is called.
#[derive(Clone, Debug, Default)]
pub struct ToolMeta<'t> {
    /// The page that will show its results.
    pub page: Option<&'t Page>,
    /// Whether a widget draws its results, so that hosts without pages can show them, too.
    pub has_widget: bool,
    /// Whether the model may call it.
    pub for_model: bool,
    /// Whether views may call it.
    pub for_app: bool,
    /// The message to show while it runs.
    pub invoking: Option<&'t str>,
    /// The message to show once it has run.
    pub invoked: Option<&'t str>,
    /// Parameters that are files.
    pub file_params: &'t [&'t str],
}

impl Presentation<'_> {
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

/// The `describe` of surfaces that add nothing to a tool.
pub(super) fn describe_nothing(_: &ToolMeta<'_>, _: &mut Map<String, Value>) {}

/// JSON with line breaks, for a person to look at.
pub(super) fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}
