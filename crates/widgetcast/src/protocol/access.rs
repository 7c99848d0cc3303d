//! Whether a request may be made by who makes it, before it is answered.

use super::answer::Answer;
use super::error::RpcError;
use super::method::Method;
use super::request::Request;
use super::surfaces;
use super::tools::{self, Found, find};
use crate::sdk::caller::Caller;
use crate::sdk::hook::Incoming;
use crate::sdk::peer::Peer;
use crate::sdk::refusal::{Refusal, RefusalKind};
use crate::sdk::tool_error::ToolError;
use crate::server::Server;

/// The answer that refuses a request, if its caller may not make it.
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

/// The error of a call that tells how to get a token, for hosts that look for it there and not at the
/// status of the response.
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
    /// The caller may not know that it exists.
    NotThere,
}

/// Whether a caller may call a tool in another way than by a request of its own: from the gallery.
pub(crate) fn may_call(
    server: &Server,
    tool: &str,
    caller: Option<&Caller>,
) -> Result<(), RpcError> {
    if !server.policy.is_set() {
        return Ok(());
    }
    let (method, peer) = ("tools/call", Peer::LOCAL);
    let incoming = Incoming { method, target: Some(tool), caller, peer, is_view_state: false };
    decide(server, Method::ToolsCall, incoming).map_err(|refused| match refused {
        Refused::For(refusal) => RpcError::refused(&refusal, server.policy.metadata()),
        Refused::NotThere => tools::unknown_tool(server, &server.reloader.now(), tool, caller),
    })
}

fn check(server: &Server, method: Method, request: &Request<'_>) -> Result<(), Refused> {
    let params = &request.params;
    let target = match method {
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
    };
    let transport = request.client.transport;
    let (caller, peer) = (transport.caller(), transport.peer());
    let incoming = Incoming { method: request.method, target, caller, peer, is_view_state: false };
    decide(server, method, incoming)
}

fn decide(server: &Server, method: Method, mut incoming: Incoming<'_>) -> Result<(), Refused> {
    let policy = &server.policy;
    let Incoming { target, caller, .. } = incoming;
    let snapshot = server.reloader.now();
    let tool = match (method, target) {
        (Method::ToolsCall, Some(name)) => find(server, &snapshot, name),
        _ => None,
    };
    let is_state = tool.is_some_and(|tool| tool.is_state(server));
    incoming.is_view_state = is_state;
    policy.guards.iter().try_for_each(|guard| guard(&incoming)).map_err(Refused::For)?;
    let access = match (method, target, tool) {
        (_, _, Some(Found::Typed(served))) if !is_state => Some(&served.tool.access),
        (_, Some(name), Some(Found::Widget(_))) => Some(policy.widget(name)),
        (Method::PromptsGet, Some(name), _) => {
            server.prompt(name).map(|served| &served.prompt.access)
        }
        (Method::ResourcesRead, Some(uri), _) => server.access_of_resource(uri),
        (Method::Own, ..) => {
            server.methods.get(incoming.method).map(|served| &served.method.access)
        }
        _ => None,
    };
    match access.filter(|_| policy.proves_callers()) {
        // For who is not let in at all, what is hidden is as what is not there.
        Some(access) => access.check(caller).map_err(|refusal| match access.is_hidden() {
            true if policy.admits(caller) => Refused::NotThere,
            true => Refused::For(Refusal::unauthorized()),
            false => Refused::For(refusal),
        }),
        None if policy.admits(caller) => Ok(()),
        None => Err(Refused::For(Refusal::unauthorized())),
    }
}

/// The error of what does not exist.
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
