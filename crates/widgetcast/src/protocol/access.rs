//! Authorization of requests, before they are handled.
//!
//! Guards are async, but requests are handled synchronously on borrowed text. So a transport runs the guards
//! first ([`guard`]), and passes their rejection with the request.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::FutureExt as _;
use widgetcast_core::budget::Budget;

use super::answer::Answer;
use super::error::RpcError;
use super::method::Method;
use super::params::Params;
use super::request::Request;
use super::tools::{self, Found, find};
use super::{jsonrpc, surfaces};
use crate::log::panic_text;
use crate::sdk::caller::Caller;
use crate::sdk::hook::Incoming;
use crate::sdk::peer::Peer;
use crate::sdk::refusal::{Refusal, RefusalKind};
use crate::sdk::tool_error::ToolError;
use crate::server::Server;
use crate::worker::Budgeted;

/// The response that rejects a request, if its caller is not authorized.
pub(super) fn refuse(server: &Server, method: Method, request: &Request<'_>) -> Option<Answer> {
    let refusal = match check(server, method, request) {
        Ok(()) => return None,
        Err(refused) => refused,
    };
    Some(Answer::Now(match (refusal, method) {
        (Refused::NotThere, _) => {
            if method == Method::ToolsCall {
                tools::call::count_forbidden(server, request);
            }
            Err(not_there(server, method, request))
        }
        (Refused::For(refusal), Method::ToolsCall) if refusal.kind == RefusalKind::Error => {
            tools::call::refused(server, request, ToolError::public(refusal.to_string()))
        }
        (Refused::For(refusal), method) => {
            let is_call = method == Method::ToolsCall;
            match is_call.then(|| challenge_in_result(server, request, &refusal)).flatten() {
                Some(error) => tools::call::refused(server, request, error),
                None => {
                    if is_call {
                        tools::call::count_forbidden(server, request);
                    }
                    Err(RpcError::refused(&refusal, server.policy.metadata()))
                }
            }
        }
    }))
}

/// The error of a call with the URL of the metadata, for hosts that look for it there instead of at the HTTP
/// status.
fn challenge_in_result(
    server: &Server,
    request: &Request<'_>,
    refusal: &Refusal,
) -> Option<ToolError> {
    let metadata = server.policy.metadata()?;
    let key = surfaces::of_client(&request.client).iter().find_map(|surface| surface.challenge)?;
    let challenge = refusal.challenge_in_result(metadata)?;
    Some(ToolError::public(refusal.to_string()).meta(key, vec![challenge]))
}

enum Refused {
    For(Refusal),
    /// Whether it is hidden from the caller.
    NotThere,
}

/// Whether a caller may call a tool other than by a request: from the gallery.
pub(crate) fn may_call(
    server: &Server,
    tool: &str,
    caller: Option<&Caller>,
) -> Result<(), RpcError> {
    if !server.policy.has_authenticator() {
        return Ok(());
    }
    decide(server, Method::ToolsCall, "tools/call", Some(tool), caller).map_err(|refused| {
        match refused {
            Refused::For(refusal) => RpcError::refused(&refusal, server.policy.metadata()),
            Refused::NotThere => tools::unknown_tool(server, &server.reloader.now(), tool, caller),
        }
    })
}

/// Runs the guards for a call other than by a request.
pub(crate) async fn guard_call(
    server: &Server,
    tool: String,
    caller: Option<Caller>,
) -> Result<(), RpcError> {
    let is_view_state = is_state(server, &tool);
    let (method, target, peer) = ("tools/call".into(), Some(tool), Peer::LOCAL);
    let refusal = ask(server, Incoming { method, target, caller, peer, is_view_state }).await;
    match refusal {
        Some(refusal) => Err(RpcError::refused(&refusal, server.policy.metadata())),
        None => Ok(()),
    }
}

/// Methods that list items without their content.
const LISTS: [&str; 9] = [
    "initialize",
    "server/discover",
    "ping",
    "logging/setLevel",
    "tools/list",
    "prompts/list",
    "resources/list",
    "resources/templates/list",
    "subscriptions/listen",
];

/// Whether a request may be relayed to another server. `is_open` is whether everyone who can reach the server
/// may send it.
pub(crate) async fn relay(
    server: &Server,
    method: &str,
    target: Option<&str>,
    is_open: bool,
    caller: Option<&Caller>,
    peer: Peer,
) -> Result<(), RpcError> {
    let policy = &server.policy;
    let refused = |refusal: Refusal| RpcError::refused(&refusal, policy.metadata());
    if !policy.admits(caller) {
        return Err(refused(Refusal::unauthorized()));
    }
    if !policy.guards.is_empty() {
        let (method, target) = (method.to_owned(), target.map(str::to_owned));
        let caller = caller.cloned();
        let incoming = Incoming { method, target, caller, peer, is_view_state: false };
        if let Some(refusal) = ask(server, incoming).await {
            return Err(refused(refusal));
        }
    }
    match (method, target) {
        _ if !policy.has_authenticator() => Ok(()),
        ("tools/call", None) => Err(RpcError::params("tools/call requires a tool name")),
        ("tools/call", Some(tool)) => {
            let access = policy.relayed(tool);
            access.check(caller).map_err(|refusal| match access.is_hidden() {
                true => RpcError::params(format!("Unknown tool: {tool}")),
                false => refused(refusal),
            })
        }
        // Items without rules are available to every caller.
        _ if is_open || caller.is_some() || LISTS.contains(&method) => Ok(()),
        _ if method.starts_with("notifications/") => Ok(()),
        _ => Err(refused(Refusal::unauthorized())),
    }
}

/// Runs the guards for a message, if it is a request. The messages of a batch are guarded one by one, when
/// they are separated.
pub(crate) async fn guard(
    server: &Arc<Server>,
    text: &Bytes,
    caller: Option<&Caller>,
    peer: Peer,
) -> Option<Refusal> {
    if server.policy.guards.is_empty() {
        return None;
    }
    let read = match text.len() <= Budget::MAX_TRIED_BYTES {
        true => incoming(server, text, caller, peer),
        false => {
            let (shared, text, caller) = (Arc::clone(server), text.clone(), caller.cloned());
            let read = move |_: Budgeted| incoming(&shared, &text, caller.as_ref(), peer);
            match server.workers.run(read).await {
                Ok(read) => read,
                // Without the guards' decision, nothing is allowed.
                Err(_) => return Some(Refusal::unavailable("the server is busy; try again")),
            }
        }
    };
    ask(server, read?).await
}

/// The rejection of the first guard that rejects.
async fn ask(server: &Server, incoming: Incoming) -> Option<Refusal> {
    let asked = async {
        for guard in &server.policy.guards {
            if let Err(refusal) = guard(incoming.clone()).await {
                return Some(refusal);
            }
        }
        None
    };
    let limit = server.settings.call_timeout;
    let asked = tokio::time::timeout(limit, AssertUnwindSafe(asked).catch_unwind()).await;
    let unknown = |why| Some(Refusal::unavailable(why));
    match asked {
        Ok(Ok(refusal)) => refusal,
        Ok(Err(panic)) => {
            server.leave_out("guard", &format!("panicked: {}", panic_text(&*panic)));
            unknown("authorization is temporarily unavailable")
        }
        Err(_) => unknown("authorization timed out"),
    }
}

/// A message as guards see it.
fn incoming(server: &Server, text: &[u8], caller: Option<&Caller>, peer: Peer) -> Option<Incoming> {
    let Ok(jsonrpc::Message::Request(mut request)) = jsonrpc::read(text) else { return None };
    let name = &*request.method;
    let method = match Method::find(name, true).or_else(|| Method::find(name, false)) {
        Some(method) => method,
        None if server.methods.contains_key(name) => Method::Own,
        None => return None,
    };
    if let Method::ToolsCall = method {
        tools::take_suffix(&mut request.params);
    }
    let target = target(method, &request.params).map(str::to_owned);
    let is_view_state = match (method, &target) {
        (Method::ToolsCall, Some(name)) => is_state(server, name),
        _ => false,
    };
    let (method, caller) = ((*request.method).to_owned(), caller.cloned());
    Some(Incoming { method, target, caller, peer, is_view_state })
}

fn is_state(server: &Server, tool: &str) -> bool {
    find(server, &server.reloader.now(), tool).is_some_and(|tool| tool.is_state(server))
}

fn check(server: &Server, method: Method, request: &Request<'_>) -> Result<(), Refused> {
    if let Some(refusal) = request.client.refusal {
        return Err(Refused::For(refusal.clone()));
    }
    let caller = request.client.transport.caller();
    decide(server, method, request.method, target(method, &request.params), caller)
}

/// The target of a request.
fn target<'p>(method: Method, params: &'p Params<'_>) -> Option<&'p str> {
    match method {
        Method::ToolsCall | Method::PromptsGet => params.name.as_deref(),
        Method::ResourcesRead | Method::ResourcesSubscribe | Method::ResourcesUnsubscribe => {
            params.uri.as_deref()
        }
        Method::Complete => {
            let of = params.rare().and_then(|rare| rare.reference.as_ref());
            of.and_then(|of| of.get("name").or_else(|| of.get("uri"))?.as_str())
        }
        Method::TasksGet | Method::TasksUpdate | Method::TasksCancel => {
            params.rare().and_then(|rare| rare.task_id.as_deref())
        }
        _ => None,
    }
}

/// The decision of the access rules, without guards.
fn decide(
    server: &Server,
    method: Method,
    name: &str,
    target: Option<&str>,
    caller: Option<&Caller>,
) -> Result<(), Refused> {
    let policy = &server.policy;
    let snapshot = server.reloader.now();
    let tool = match (method, target) {
        (Method::ToolsCall, Some(name)) => find(server, &snapshot, name),
        _ => None,
    };
    let is_state = tool.is_some_and(|tool| tool.is_state(server));
    let access = match (method, target, tool) {
        (_, _, Some(Found::Typed(served))) if !is_state => Some(&served.tool.access),
        (_, Some(name), Some(Found::Widget(_))) => Some(policy.widget(name)),
        (Method::PromptsGet, Some(name), _) => {
            server.prompt(name).map(|served| &served.prompt.access)
        }
        (Method::ResourcesRead, Some(uri), _) => server.access_of_resource(uri),
        (Method::Own, ..) => server.methods.get(name).map(|served| &served.method.access),
        _ => None,
    };
    match access.filter(|_| policy.has_authenticator()) {
        // For unauthenticated callers, hidden items look like missing ones.
        Some(access) => access.check(caller).map_err(|refusal| match access.is_hidden() {
            true if policy.admits(caller) => Refused::NotThere,
            true => Refused::For(Refusal::unauthorized()),
            false => Refused::For(refusal),
        }),
        None if policy.admits(caller) => Ok(()),
        None => Err(Refused::For(Refusal::unauthorized())),
    }
}

/// The error for a missing item.
fn not_there(server: &Server, method: Method, request: &Request<'_>) -> RpcError {
    let (name, uri) = (request.params.name.as_deref(), request.params.uri.as_deref());
    match method {
        Method::ToolsCall => tools::unknown_tool(
            server,
            &server.reloader.now(),
            name.unwrap_or_default(),
            request.client.transport.caller(),
        ),
        Method::PromptsGet => RpcError::unknown_prompt(name.unwrap_or_default()),
        Method::Own => RpcError::method_not_found(request.method),
        _ => RpcError::resource_not_found(uri.unwrap_or_default(), request.client.modern),
    }
}

#[cfg(test)]
mod tests;
