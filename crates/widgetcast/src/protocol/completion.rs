//! `completion/complete`: values for prompt arguments, and for variables in resource URIs.

use std::sync::Arc;

use serde_json::{Value, json};
use widgetcast_core::JsonRef;

use super::answer::Answer;
use super::envelope::result;
use super::error::RpcError;
use super::request::Request;
use super::resources::instance_template;
use super::running::{self, Running};
use crate::call::line::TaskMode;
use crate::sdk::handler::Erased;
use crate::server::Server;

/// The protocol's limit.
const MOST: usize = 100;

pub(super) fn complete(server: &Arc<Server>, mut request: Request<'_>) -> Answer {
    let params = request.params.take_rare();
    let text = |value: &Option<Value>, key: &str| {
        value.as_ref().and_then(|value| value[key].as_str()).map(str::to_owned)
    };
    let (Some(kind), Some(argument), Some(typed)) = (
        text(&params.reference, "type"),
        text(&params.argument, "name"),
        text(&params.argument, "value"),
    ) else {
        return Answer::Now(Err(RpcError::params(
            "completion/complete requires ref.type, argument.name and argument.value",
        )));
    };
    let of = match kind.as_str() {
        "ref/prompt" => text(&params.reference, "name"),
        _ => text(&params.reference, "uri"),
    };
    let of = of.unwrap_or_default();
    let known = params.context.as_ref().map(|context| context["arguments"].clone());
    if let Some(handler) = completer(server, &request, &kind, &of, &argument) {
        let mut question = json!({ "value": typed });
        if let Some(known @ Value::Object(_)) = known {
            question["arguments"] = known;
        }
        let (ctx, gone) = request.client.context(server, &of, None, TaskMode::Never);
        let run = running::begin(|| handler(ctx.clone(), &JsonRef::from(&question)));
        let (server, id, modern) =
            (Arc::clone(server), request.id.to_owned(), request.client.modern);
        return Answer::Later(Running::new(Some(ctx), async move {
            let _gone = gone;
            let values = running::finish(server.settings.call_timeout, run).await;
            let values = values.map_err(|error| RpcError::failed(&of, &error))?;
            Ok(response(&server, &id, modern, values))
        }));
    }
    let mut values = Vec::new();
    let template = instance_template(&of).filter(|_| kind == "ref/resource");
    if let Some(tool) = template {
        match argument.as_str() {
            "name" => values = tools_with_views(server, &request, &typed),
            // Callers of a shared server must not see each other's instances, and an id is enough to read
            // one.
            "instance_id" if request.client.transport.is_exclusive() => {
                let chosen = known.as_ref().and_then(|all| all["name"].as_str());
                let ids = server.store.ids(tool.or(chosen).unwrap_or_default(), &typed, MOST);
                let (server, id) = (Arc::clone(server), request.id.to_owned());
                let modern = request.client.modern;
                return Answer::later(async move {
                    let mut values = ids.await.map_err(|error| {
                        server.count_store_error("ids", &error);
                        RpcError::new(RpcError::INTERNAL, error.to_string())
                    })?;
                    // Keys with an owner are not ids.
                    values.retain(|id| !id.starts_with('/'));
                    Ok(response(&server, &id, modern, values))
                });
            }
            _ => {}
        }
    }
    Answer::Now(Ok(response(server, request.id, request.client.modern, values)))
}

/// The app's completion handler, if this caller may use the item.
fn completer<'s>(
    server: &'s Server,
    request: &Request<'_>,
    kind: &str,
    of: &str,
    argument: &str,
) -> Option<&'s Erased<Vec<String>>> {
    let (completers, access) = match kind {
        "ref/prompt" => {
            let prompt = &server.prompt(of)?.prompt;
            (&prompt.completers, &prompt.access)
        }
        _ => {
            let mut all = server.resources.iter().map(|served| &served.resource);
            let resource = all.find(|resource| resource.uri == of)?;
            (&resource.completers, &resource.access)
        }
    };
    let caller = request.client.transport.caller();
    let may = !server.policy.has_authenticator() || access.check(caller).is_ok();
    completers.get(argument).filter(|_| may)
}

fn response(server: &Server, id: &str, modern: bool, mut values: Vec<String>) -> String {
    let total = values.len();
    values.truncate(MOST);
    let members =
        json!({ "completion": { "values": values, "total": total, "hasMore": total > MOST } });
    result(server, id, modern, None, &members)
}

/// The names of tools with views that start with this text. Instances are stored by tool name.
fn tools_with_views(server: &Server, request: &Request<'_>, typed: &str) -> Vec<String> {
    let snapshot = server.reloader.now();
    let widgets = snapshot.catalog.list().map(|listing| listing.tool_name);
    let widgets = widgets.filter(|name| !server.shown.contains(*name));
    let tools = server.tools.iter().filter(|(_, served)| served.tool.has_widget());
    let all = tools.map(|(name, _)| &**name).chain(widgets);
    let caller = request.client.transport.caller();
    let shown = all.filter(|name| name.starts_with(typed) && server.shows_tool(name, caller));
    shown.map(str::to_owned).collect()
}
