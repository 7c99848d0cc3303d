//! What every kind of host has: a name, and how it is recognised, prepared and served.

use serde_json::{Map, Value};

use super::client::Client;
use super::loss::Loss;
use super::page::Page;
use super::showing::Showing;
use crate::reply::Reply;

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

impl Showing<'_> {
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

/// For surfaces that add nothing to a tool.
pub(super) fn describe_nothing(_: &Face<'_>, _: &mut Map<String, Value>) {}

/// JSON with line breaks, for a person to look at.
pub(super) fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}
