//! The handshake: `initialize` and `ping` of the legacy revisions, and `server/discover` of 2026-07-28.

use serde_json::{Value, json};
use widgetcast_core::{JsonRef, SURFACES};

use super::envelope::{Cache, Envelope, result};
use super::error::RpcError;
use super::params::Params;
use super::request::{Body, ClientContext, Request};
use super::revision::{negotiate, supported};
use super::surfaces::shows_views;
use super::tasks;
use crate::sdk::context::ClientInfo;
use crate::sdk::log_level::LogLevel;
use crate::server::Server;

pub(super) fn initialize(server: &Server, mut request: Request<'_>) -> Body {
    let rare = request.params.take_rare();
    let client: Option<ClientInfo> =
        rare.client_info.and_then(|info| serde_json::from_value(info).ok());
    let (Some(version), Some(given @ Value::Object(_)), Some(info)) =
        (&rare.protocol_version, &rare.capabilities, &client)
    else {
        return Err(RpcError::params(
            "Invalid params: initialize requires protocolVersion, capabilities and clientInfo with a name",
        ));
    };
    let mut members = json!({
        "protocolVersion": negotiate(version),
        "capabilities": capabilities(server, false),
        "serverInfo": server.server_info.to_value(),
    });
    let given = JsonRef::from(given);
    let client =
        ClientContext { name: Some(info.into()), capabilities: Some(&given), ..request.client };
    if let Some(text) = instructions(server, &client) {
        members["instructions"] = json!(text);
    }
    Ok(result(server, request.id, false, None, &members))
}

/// The instructions for this client's model.
fn instructions(server: &Server, client: &ClientContext<'_>) -> Option<String> {
    let of_views = server.view_instructions.as_ref().filter(|_| shows_views(server, client));
    let parts: Vec<&str> = server.instructions.iter().chain(of_views).map(|text| &**text).collect();
    (!parts.is_empty()).then(|| parts.join(" "))
}

pub(super) fn ping(request: &Request<'_>) -> Body {
    Ok(Envelope::bare(request.id).close())
}

/// `logging/setLevel`: validates the level; the transport stores it.
pub(super) fn set_log_level(server: &Server, request: &Request<'_>) -> Body {
    if !server.has_handlers() {
        return Err(RpcError::method_not_found(request.method));
    }
    match log_level(&request.params) {
        Some(_) => Ok(Envelope::bare(request.id).close()),
        None => Err(RpcError::params("Invalid params: unknown log level")),
    }
}

/// The level of `logging/setLevel`.
pub(crate) fn log_level(params: &Params<'_>) -> Option<LogLevel> {
    LogLevel::find(params.rare()?.level.as_ref()?.as_str()?)
}

pub(super) fn discover(server: &Server, request: &Request<'_>) -> Body {
    let mut members = json!({
        "supportedVersions": supported().collect::<Vec<_>>(),
        "capabilities": capabilities(server, request.client.modern),
    });
    if let Some(text) = instructions(server, &request.client) {
        members["instructions"] = json!(text);
    }
    let cache = Cache::of_list(server);
    Ok(result(server, request.id, request.client.modern, Some(cache), &members))
}

fn capabilities(server: &Server, modern: bool) -> Value {
    let mut out = json!({
        "tools": { "listChanged": true },
        "resources": { "listChanged": true, "subscribe": true },
        "completions": {},
        "extensions": {},
    });
    for (extension, settings) in SURFACES.iter().filter_map(|surface| (surface.extension)()) {
        out["extensions"][extension] = settings;
    }
    for extension in server.methods.values().filter_map(|served| served.method.extension.as_ref()) {
        out["extensions"][extension] = json!({});
    }
    if modern && server.has_tasks() {
        out["extensions"][tasks::EXTENSION] = json!({});
    }
    if server.has_handlers() {
        out["logging"] = json!({});
    }
    if !server.prompts.is_empty() {
        out["prompts"] = json!({ "listChanged": true });
    }
    out
}
