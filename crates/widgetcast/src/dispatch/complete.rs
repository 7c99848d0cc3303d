//! Completion: the names and ids that may stand in an address.

use serde_json::{Value, json};

use super::{Body, Fault, META_SERVER, Request};
use crate::app::Inner;

/// The protocol's limit.
const MOST: usize = 100;

pub(super) fn complete(app: &Inner, request: &Request<'_>) -> Body {
    let text = |value: &Option<Box<Value>>, key: &str| {
        value.as_ref().and_then(|value| value[key].as_str()).map(str::to_owned)
    };
    let (Some(kind), Some(name), Some(typed)) = (
        text(&request.params.reference, "type"),
        text(&request.params.argument, "name"),
        text(&request.params.argument, "value"),
    ) else {
        return Err(Fault::params(
            "completion/complete needs ref.type, argument.name and argument.value",
        ));
    };
    let uri = text(&request.params.reference, "uri").unwrap_or_default();
    let snapshot = app.live.now();
    let is_instance = ["ui://widgets/{", "slack://blocks/{", "slack://work-objects/{"]
        .iter()
        .any(|start| uri.starts_with(start));
    let (mut found, mut total) = (Vec::new(), 0);
    if kind == "ref/resource" && is_instance {
        match name.as_str() {
            "name" => {
                // Instances are kept under the names of tools.
                let widgets = snapshot.catalog.list().map(|listing| listing.tool_name);
                let widgets = widgets.filter(|name| !app.shown.contains(*name));
                let tools = app.tools.iter().filter(|(_, served)| served.tool.widget.is_some());
                let all = tools.map(|(name, _)| &**name).chain(widgets);
                for name in all.filter(|name| name.starts_with(typed.as_str())) {
                    total += 1;
                    if found.len() < MOST {
                        found.push(name.to_owned());
                    }
                }
            }
            // Over HTTP callers are strangers to each other, and an id is all it takes to read.
            "instance_id" if request.peer.headers.is_none() => {
                let context = request.params.context.as_ref();
                let tool = context.and_then(|context| context["arguments"]["name"].as_str());
                found = app.store.ids(tool.unwrap_or_default(), &typed, MOST);
                total = found.len();
            }
            _ => {}
        }
    }
    let mut out = json!({
        "completion": { "values": found, "total": total, "hasMore": total > found.len() },
    });
    if request.peer.modern {
        out["resultType"] = json!("complete");
        out["_meta"] = json!({ META_SERVER: app.server_info.to_value() });
    }
    Ok(out.to_string())
}
