//! Applies the app's rules to a mounted service that relays the protocol to another server: header checks,
//! guards, access to tools, quotas, metrics and audit.

use http::header::HeaderMap;
use http::{Response, StatusCode};
use serde_json::Value;
use widgetcast_core::JsonRef;

use super::body::Body;
use super::headers::{McpHeaders, accepts_json, argument, check_param};
use super::response::{error, plain, status_of};
use super::visitor::Visitor;
use crate::declaration::header_param::{HeaderParam, annotations};
use crate::protocol::tools::record::Relayed;
use crate::protocol::{RpcError, access};

/// The parts of a relayed request or notification that are checked.
#[derive(Clone, Copy, Debug)]
pub struct RelayedMessage<'m> {
    /// The id as JSON text; none for a notification.
    pub id: Option<&'m str>,
    /// The method.
    pub method: &'m str,
    /// The name of the tool or prompt, or the URI of the resource.
    pub target: Option<&'m str>,
    /// The revision in its `_meta`, since 2026-07-28.
    pub version: Option<&'m str>,
    /// Whether it requests something that every authenticated caller may read, such as the page of views.
    pub is_open: bool,
}

/// A call of a relayed tool. If it is dropped before [`end`](Self::end), it counts as cancelled.
pub struct RelayedCall(Relayed);

impl RelayedCall {
    /// Ends the call with the number of bytes of its result, or an error. `is_known` is whether the tool
    /// exists; metrics do not record other names.
    pub fn end(self, result: Result<usize, String>, is_known: bool) {
        self.0.end(result, is_known);
    }
}

impl std::fmt::Debug for RelayedCall {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("RelayedCall")
    }
}

impl Visitor {
    /// Checks a message before it is relayed: its headers, the app's guards, and the rules of
    /// [`Builder::relayed_tool_access`](crate::Builder::relayed_tool_access). If it is rejected, returns the
    /// response to send.
    pub async fn check_relayed(
        &self,
        headers: &HeaderMap,
        message: RelayedMessage<'_>,
    ) -> Result<(), Box<Response<Body>>> {
        if !accepts_json(headers) {
            let words = "Not Acceptable: the client must accept application/json.\n";
            return Err(Box::new(plain(StatusCode::NOT_ACCEPTABLE, words)));
        }
        let RelayedMessage { id, method, target, version, is_open } = message;
        McpHeaders::read(headers)
            .check_relayed(id.is_some(), method, target, version)
            .map_err(|fault| mismatched(id, &fault))?;
        let (caller, peer) = (self.caller.as_ref(), self.peer);
        let allowed = access::relay(&self.server, method, target, is_open, caller, peer).await;
        allowed.map_err(|fault| refused(id, &fault))
    }

    /// Checks the headers that repeat arguments of a relayed call, which the tool's input schema marks with
    /// `x-mcp-header`. The arguments are JSON text.
    pub fn check_relayed_params(
        &self,
        headers: &HeaderMap,
        id: &str,
        schema: &Value,
        arguments: &str,
    ) -> Result<(), Box<Response<Body>>> {
        let arguments = JsonRef::read(arguments).unwrap_or(JsonRef::Null);
        let check = |param| check_param(headers, param, &arguments);
        annotations(schema).iter().try_for_each(check).map_err(|fault| mismatched(Some(id), &fault))
    }

    /// Whether the caller may list and call the relayed tool with this name.
    pub fn may_call_relayed(&self, tool: &str) -> bool {
        let policy = &self.server.policy;
        !policy.has_authenticator() || policy.relayed(tool).check(self.caller.as_ref()).is_ok()
    }

    /// Begins a call of a relayed tool, which counts toward quotas and appears in metrics and the audit log. If
    /// a quota is exceeded, returns the response to send.
    pub fn begin_relayed(
        &self,
        id: &str,
        tool: &str,
        argument_bytes: usize,
    ) -> Result<RelayedCall, Box<Response<Body>>> {
        let (caller, peer) = (self.caller.as_ref(), self.peer);
        let begun = Relayed::begin(&self.server, tool, caller, peer, argument_bytes);
        begun.map(RelayedCall).map_err(|limit| refused(Some(id), &RpcError::limited(limit)))
    }
}

/// The names and values of the headers that repeat arguments of a call, given as JSON text: see
/// [`Visitor::check_relayed_params`].
pub fn relayed_params(schema: &Value, arguments: &str) -> Vec<(String, String)> {
    let arguments = JsonRef::read(arguments).unwrap_or(JsonRef::Null);
    let header = |param: &HeaderParam| {
        Some((format!("Mcp-Param-{}", param.header), argument(param, &arguments)?))
    };
    annotations(schema).iter().filter_map(header).collect()
}

fn refused(id: Option<&str>, fault: &RpcError) -> Box<Response<Body>> {
    refusal(status_of(fault, true), id, fault)
}

/// The response to a message that violates the protocol.
fn mismatched(id: Option<&str>, fault: &RpcError) -> Box<Response<Body>> {
    refusal(StatusCode::BAD_REQUEST, id, fault)
}

fn refusal(status: StatusCode, id: Option<&str>, fault: &RpcError) -> Box<Response<Body>> {
    let id = id.and_then(|id| serde_json::from_str(id).ok());
    Box::new(error(status, id, fault))
}
