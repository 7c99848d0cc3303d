//! `/debug`: the state of the process, for its operator. It contains counts and tool names, but no callers,
//! arguments or secrets.

use http::{Response, StatusCode};
use serde_json::{Map, Value, json};

use super::body::Body;
use super::gate::Head;
use super::response::{json as json_response, plain};
use super::shared::Shared;
use crate::server::Server;

pub(super) const PATH: &str = "/debug";

/// The state, if the request may see it; `None` if the path is a different one.
pub(super) async fn get(shared: &Shared, head: &Head) -> Option<Response<Body>> {
    if !shared.server.settings.debug {
        return None;
    }
    if !may_see(shared, head).await {
        let words = "Available only from this machine, or to callers with debug_scope.\n";
        return Some(plain(StatusCode::FORBIDDEN, words));
    }
    Some(json_response(StatusCode::OK, state(shared).to_string()))
}

/// Whether a request is local, or from a caller with the scope in the settings.
async fn may_see(shared: &Shared, head: &Head) -> bool {
    if head.is_local() && head.is_same_origin() {
        return true;
    }
    let server = &shared.server;
    let (Some(scope), Some(auth)) = (&server.settings.debug_scope, &server.policy.auth) else {
        return false;
    };
    let caller = match &head.caller {
        Some(caller) => Some(caller.clone()),
        None => shared.authenticate(&**auth, &head.parts).await.ok().flatten(),
    };
    caller.is_some_and(|caller| caller.has_scope(scope))
}

fn state(shared: &Shared) -> Value {
    let server = &shared.server;
    let (cancellable, with_levels) = shared.sessions.counts();
    json!({
        "name": server.name,
        "version": server.version,
        "draining": shared.is_draining(),
        "requests": server.metrics.running(),
        "streams": shared.streams.count(),
        "sessions": { "cancellable_calls": cancellable, "with_log_level": with_levels },
        "tasks": server.tasks.count(),
        "workers": server.workers.state(),
        "store": { "errors": server.metrics.store_errors.total() },
        "catalog": {
            "generation": server.metrics.reloads.get(),
            "tools": server.count(),
            "problem": server.reloader.problem(),
        },
        "quotas": quotas(server),
    })
}

fn quotas(server: &Server) -> Value {
    let Some(quotas) = &server.quotas else { return Value::Null };
    let (callers, running) = quotas.counts();
    let tools: Map<String, Value> =
        quotas.tools().into_iter().map(|(tool, running)| (tool.into(), running.into())).collect();
    json!({ "callers": callers, "running": running, "running_by_tool": tools })
}
