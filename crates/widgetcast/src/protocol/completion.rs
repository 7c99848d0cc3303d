//! `completion/complete`: the names and ids that may stand in the address of a resource.

use serde_json::{Value, json};

use super::envelope::result;
use super::error::RpcError;
use super::request::{Body, Request};
use super::resources::instance_template;
use crate::server::Server;

/// The protocol's limit.
const MOST: usize = 100;

pub(super) fn complete(server: &Server, mut request: Request<'_>) -> Body {
    let params = request.params.take_rare();
    let text = |value: &Option<Value>, key: &str| {
        value.as_ref().and_then(|value| value[key].as_str()).map(str::to_owned)
    };
    let (Some(kind), Some(name), Some(typed)) = (
        text(&params.reference, "type"),
        text(&params.argument, "name"),
        text(&params.argument, "value"),
    ) else {
        return Err(RpcError::params(
            "completion/complete needs ref.type, argument.name and argument.value",
        ));
    };
    let uri = text(&params.reference, "uri").unwrap_or_default();
    let (mut values, mut total) = (Vec::new(), 0);
    let template = instance_template(&uri).filter(|_| kind == "ref/resource");
    if let Some(tool) = template {
        match name.as_str() {
            "name" => (values, total) = tools_with_views(server, &typed),
            // Callers of a shared server are strangers to each other, and an id is all it takes to
            // read an instance.
            "instance_id" if request.client.transport.is_exclusive() => {
                let chosen =
                    params.context.as_ref().and_then(|all| all["arguments"]["name"].as_str());
                values = server.store.ids(tool.or(chosen).unwrap_or_default(), &typed, MOST);
                total = values.len();
            }
            _ => {}
        }
    }
    let has_more = total > values.len();
    let members =
        json!({ "completion": { "values": values, "total": total, "hasMore": has_more } });
    Ok(result(server, request.id, request.client.modern, None, &members))
}

/// The first names of tools that start so, and how many there are. Instances are stored under the
/// names of tools.
fn tools_with_views(server: &Server, typed: &str) -> (Vec<String>, usize) {
    let snapshot = server.reloader.now();
    let widgets = snapshot.catalog.list().map(|listing| listing.tool_name);
    let widgets = widgets.filter(|name| !server.shown.contains(*name));
    let tools = server.tools.iter().filter(|(_, served)| served.tool.widget.is_some());
    let all = tools.map(|(name, _)| &**name).chain(widgets);
    let matching: Vec<&str> = all.filter(|name| name.starts_with(typed)).collect();
    let values = matching.iter().take(MOST).map(|name| (*name).to_owned()).collect();
    (values, matching.len())
}
