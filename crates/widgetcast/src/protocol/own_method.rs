//! Custom methods.

use std::sync::Arc;

use serde_json::{Map, Value, json};
use widgetcast_core::JsonRef;

use super::answer::Answer;
use super::asking::{self, Asking};
use super::envelope::{Envelope, SERVER_INFO};
use super::error::RpcError;
use super::request::Request;
use crate::server::Server;

pub(super) fn answer(server: &Arc<Server>, mut request: Request<'_>) -> Answer {
    let Some(served) = server.methods.get(request.method) else {
        return Answer::Now(Err(RpcError::method_not_found(request.method)));
    };
    let params = Value::Object(request.params.members());
    if let Err(violations) = served.input.validate(&params) {
        let words =
            format!("the params do not match the schema of {}:\n{violations}", request.method);
        return Answer::Now(Err(RpcError::params(words)));
    }
    let asking = Asking { name: request.method, arguments: &params.to_string() };
    let handler = |ctx| (served.method.handler)(ctx, &JsonRef::from(&params));
    asking::run(server, &request, asking, handler, result)
}

/// The response. The protocol's members take precedence over those of the handler.
fn result(server: &Server, id: &str, modern: bool, mut members: Map<String, Value>) -> String {
    let mut out = Envelope::start(id, modern);
    if modern {
        members.remove("resultType");
        let meta = members.entry("_meta").or_insert_with(|| json!({}));
        if !meta.is_object() {
            *meta = json!({});
        }
        meta[SERVER_INFO] = server.server_info.to_value();
    }
    out.push_members(&Value::Object(members));
    out.close()
}
