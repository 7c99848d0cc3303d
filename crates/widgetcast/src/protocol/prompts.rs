//! `prompts/list` and `prompts/get`. An app without prompts does not have these methods.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::envelope::{Cache, result};
use super::error::RpcError;
use super::request::{Answer, Body, Request};
use crate::server::Server;

pub(super) fn list(server: &Server, request: &Request<'_>) -> Body {
    if server.prompts.is_empty() {
        return Err(RpcError::method_not_found(request.method));
    }
    let prompts: Vec<Value> = server.prompts.iter().map(|prompt| prompt.to_json()).collect();
    let cache = Cache::Public(server.settings.list_ttl_ms);
    let members = json!({ "prompts": prompts });
    Ok(result(server, request.id, request.client.modern, Some(cache), &members))
}

pub(super) fn get(server: &Arc<Server>, mut request: Request<'_>) -> Answer {
    if server.prompts.is_empty() {
        return Answer::Now(Err(RpcError::method_not_found(request.method)));
    }
    let arguments = match request.params.take_arguments().map(|data| data.given.to_value()) {
        Ok(Value::Object(arguments)) => arguments,
        Ok(_) => Map::new(),
        Err(error) => return Answer::Now(Err(error)),
    };
    let name = request.params.name.as_deref().unwrap_or_default();
    let Some(prompt) = server.prompts.iter().find(|prompt| prompt.name == name) else {
        return Answer::Now(Err(RpcError::params(format!("Unknown prompt: {name}"))));
    };
    let missing = prompt.missing(&arguments);
    if !missing.is_empty() {
        let message = format!("Missing arguments of prompt {name}: {}", missing.join(", "));
        return Answer::Now(Err(RpcError::params(message)));
    }
    let (run, server, id) = (prompt.write(arguments), Arc::clone(server), request.id.to_owned());
    let name = name.to_owned();
    let modern = request.client.modern;
    Answer::Later(Box::pin(async move {
        let messages = run.await.map_err(|error| RpcError::failed(&name, &error))?;
        let messages: Vec<Value> = messages.iter().map(|message| message.to_json()).collect();
        Ok(result(&server, &id, modern, None, &json!({ "messages": messages })))
    }))
}
