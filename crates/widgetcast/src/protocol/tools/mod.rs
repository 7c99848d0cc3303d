//! Tools: finding one by its name, listing, calling and presenting.

mod ask_form;
pub(crate) mod call;
mod complete;
pub(crate) mod instance;
pub(crate) mod list;
mod present;
mod preview;
pub(crate) mod record;
pub(crate) mod state;

pub(crate) use present::author_template;
pub(crate) use preview::on_surfaces;
pub(crate) use record::CallRecord;
use widgetcast_core::{SURFACES, Widget, budget, nearest};

use super::error::RpcError;
use super::params::Params;
use crate::declaration::header_param::{HeaderParam, annotations};
use crate::reload::Snapshot;
use crate::sdk::caller::Caller;
use crate::server::{ServedTool, Server};

/// Maximum length of a name for which similar tools are suggested.
const MAX_NAME_BYTES: usize = 128;
/// Maximum length of an error message that is sent or logged.
const MAX_ERROR_BYTES: usize = 8 << 10;

/// A tool, found by name.
#[derive(Clone, Copy)]
pub(crate) enum Found<'a> {
    /// A tool with a handler.
    Typed(&'a ServedTool),
    /// A widget that is itself a tool: its data are the arguments.
    Widget(&'a Widget),
}

pub(crate) fn find<'a>(
    server: &'a Server,
    snapshot: &'a Snapshot,
    name: &str,
) -> Option<Found<'a>> {
    if let Some(served) = server.tools.get(name) {
        return Some(Found::Typed(served));
    }
    let widget = snapshot.catalog.get(name).filter(|widget| widget.tool_name() == name);
    match widget.filter(|_| !server.shown.contains(name)) {
        Some(widget) => Some(Found::Widget(widget)),
        None => (name == state::NAME).then_some(Found::Typed(&server.state_tool)),
    }
}

/// Removes the prefix with which a host distinguishes tools.
pub(super) fn take_suffix(params: &mut Params<'_>) {
    let Some(name) = &mut params.name else { return };
    let called = SURFACES.iter().find_map(|surface| (surface.called_tool)(name));
    if let Some(length) = called.map(str::len) {
        name.truncate(length);
    }
}

impl Found<'_> {
    /// Whether it is the tool that stores the state of views.
    pub(super) fn is_state(&self, server: &Server) -> bool {
        matches!(self, Found::Typed(served) if std::ptr::eq(*served, &*server.state_tool))
    }

    /// The arguments that clients mirror in headers.
    fn header_params(&self) -> Vec<HeaderParam> {
        match self {
            Found::Typed(served) => served.header_params.clone(),
            Found::Widget(widget) if widget.has_header_params() => {
                annotations(&serde_json::from_str(widget.schema_json()).unwrap_or_default())
            }
            Found::Widget(_) => Vec::new(),
        }
    }
}

/// The error of a tool that does not exist, or that is hidden from this caller.
pub(super) fn unknown_tool(
    server: &Server,
    snapshot: &Snapshot,
    name: &str,
    caller: Option<&Caller>,
) -> RpcError {
    if let Some(exceeded) = budget::exceeded() {
        let words = format!("{}: looking for the tool {exceeded}", clip(name));
        return RpcError::new(RpcError::INTERNAL, words);
    }
    // Comparing takes time proportional to the length, and no tool has such a long name.
    if name.len() > MAX_NAME_BYTES {
        return RpcError::params("Unknown tool: the name is longer than any tool's");
    }
    let widgets = snapshot.catalog.list().map(|listing| listing.tool_name);
    let widgets = widgets.filter(|name| !server.shown.contains(*name));
    let all = server.tools.keys().map(|name| &**name).chain(widgets);
    let all = all.filter(|name| server.shows_tool(name, caller));
    match nearest(name, all.take(10_000)) {
        Some(near) => RpcError::params(format!("Unknown tool: {name}; did you mean {near}?")),
        None => RpcError::params(format!("Unknown tool: {name}")),
    }
}

/// An error message, truncated for sending or logging.
fn clip(words: &str) -> &str {
    let mut end = words.len().min(MAX_ERROR_BYTES);
    while !words.is_char_boundary(end) {
        end -= 1;
    }
    &words[..end]
}
