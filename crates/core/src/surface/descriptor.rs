//! The descriptor of a surface: functions that recognise a kind of host, add what it needs to tools, pages
//! and results, and render a view for it.

use serde_json::{Map, Value};

use super::client::Client;
use super::host_template::HostTemplate;
use super::loss::Loss;
use super::page::Page;
use super::presentation::Presentation;
use crate::reply::Reply;

/// A kind of host: one row of [`SURFACES`](super::SURFACES).
#[derive(Debug)]
pub struct Surface {
    /// Its name in flags, files and findings.
    pub name: &'static str,
    /// Other names for it in flags.
    pub aliases: &'static [&'static str],
    /// The extension of a file with the output of `render`.
    pub file_extension: &'static str,
    /// Whether a client is such a host, or may be one, so that its replies must contain what the host needs.
    pub wants: fn(&Client<'_>) -> bool,
    /// Adds what the host needs to a tool's `_meta`.
    pub describe: fn(&ToolMeta<'_>, &mut Map<String, Value>),
    /// Adds what the host needs to the `_meta` of the page that shows views, with its domain.
    pub describe_page: fn(&Page, Option<&str>, &mut Map<String, Value>),
    /// The domain of a page in the form that the host requires, derived from the URL of the server.
    pub domain: fn(&str) -> Option<String>,
    /// Adds what the host needs to a reply.
    pub present: fn(&Presentation<'_>, &mut Reply),
    /// What the host cannot show of the view.
    pub losses: fn(&Presentation<'_>) -> Vec<Loss>,
    /// Renders the view alone, as the host gets it.
    pub render: fn(&Presentation<'_>) -> String,
    /// Renders a preview of the view in a page.
    pub preview: fn(&Presentation<'_>) -> Preview,
    /// Whether it is part of every result, whatever the client requests.
    pub is_in_every_result: bool,
    /// The resource template with which clients read instances of views later.
    pub instances: Option<Instances>,
    /// The template that an author may write for it.
    pub template: Option<&'static HostTemplate>,
    /// The tool that an action name refers to, without the suffix with which this host makes its controls
    /// unique.
    pub called_tool: fn(&str) -> Option<&str>,
    /// How such a host identifies itself in requests: the name of the client and its capabilities.
    pub client: fn() -> (&'static str, Value),
    /// The MCP extension with which the server declares support for this host, and its settings.
    pub extension: fn() -> Option<(&'static str, Value)>,
    /// The MIME type of a page at a fixed URI, if it differs from that of MCP Apps.
    pub page_mime: Option<&'static str>,
    /// The `_meta` key in which the host expects the challenge of a call that requires another token. Other
    /// hosts use the status of the response.
    pub challenge: Option<&'static str>,
}

/// A preview of a view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preview {
    /// The format of the text: `markdown`, `ansi`, `html` or `json`.
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

/// The resources with which a surface serves instances of views.
#[derive(Debug)]
pub struct Instances {
    /// The template of their URIs, with `{name}` and `{instance_id}`.
    pub uri: &'static str,
    /// Their description, for the model.
    pub description: &'static str,
    /// Their MIME type.
    pub mime: &'static str,
    /// The suffix added to the name of a widget, for its own instances.
    pub suffix: &'static str,
    /// Whether the instances of a widget are listed only if its author has written a template for them.
    pub needs_template: bool,
}

/// The metadata of a tool that hosts need before a call.
#[derive(Clone, Debug, Default)]
pub struct ToolMeta<'t> {
    /// The page that will show its results.
    pub page: Option<&'t Page>,
    /// Whether a widget renders its results, so that hosts without pages can show them, too.
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
    /// Whether to declare that both the model and views may call it, which is the default.
    pub explicit_visibility: bool,
}

impl Presentation<'_> {
    /// What a surface cannot show, without accepted losses: those whose pointer is accepted, or below an
    /// accepted one.
    pub fn losses(&self, surface: &Surface) -> Vec<Loss> {
        let mut losses = (surface.losses)(self);
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

impl Surface {
    /// A surface that is never part of a reply, without anything that only some hosts have.
    pub(super) const PLAIN: Self = Self {
        name: "",
        aliases: &[],
        file_extension: "txt",
        wants: |_| false,
        describe: |_, _| {},
        describe_page: |_, _, _| {},
        domain: |_| None,
        present: |_, _| {},
        losses: |_| Vec::new(),
        render: |_| String::new(),
        preview: |_| Preview { format: "json", text: String::new() },
        is_in_every_result: false,
        instances: None,
        template: None,
        called_tool: |_| None,
        client: || ("", Value::Null),
        extension: || None,
        page_mime: None,
        challenge: None,
    };
}

/// JSON with line breaks, for a user to look at.
pub(super) fn pretty(value: &impl serde::Serialize) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}

/// The same of JSON text.
pub(super) fn pretty_text(json: &str) -> String {
    serde_json::from_str::<Value>(json).map(|value| pretty(&value)).unwrap_or_default()
}
