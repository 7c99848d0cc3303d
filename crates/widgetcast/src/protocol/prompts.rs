//! `prompts/list` and `prompts/get`. An app without prompts does not have these methods.

use std::sync::Arc;

use serde_json::{Value, json};
use widgetcast_core::{JsonRef, Reading};

use super::envelope::{Cache, result};
use super::error::RpcError;
use super::request::{Answer, Body, Request};
use crate::server::Server;

pub(super) fn list(server: &Server, request: &Request<'_>) -> Body {
    if server.prompts.is_empty() {
        return Err(RpcError::method_not_found(request.method));
    }
    let caller = request.client.transport.caller();
    let all = server.prompts.iter().map(|served| &served.prompt);
    let shown = all.filter(|prompt| server.policy.shows(&prompt.access, caller));
    let prompts: Vec<Value> = shown.map(|prompt| prompt.to_json()).collect();
    let members = json!({ "prompts": prompts });
    let cache = Cache::of_list(server);
    Ok(result(server, request.id, request.client.modern, Some(cache), &members))
}

pub(super) fn get(server: &Arc<Server>, mut request: Request<'_>) -> Answer {
    if server.prompts.is_empty() {
        return Answer::Now(Err(RpcError::method_not_found(request.method)));
    }
    let data = match request.params.take_arguments() {
        Ok(data) => data,
        Err(error) => return Answer::Now(Err(error)),
    };
    let name = request.params.name.as_deref().unwrap_or_default();
    let Some(served) = server.prompt(name) else {
        return Answer::Now(Err(RpcError::unknown_prompt(name)));
    };
    // Clients send texts, whatever the type of an argument is.
    let read = match served.input.validate_data(&data.given) {
        Ok(()) => None,
        Err(violations) => match served.input.read(&data.given, Reading::Lossless) {
            Some(read) => Some(read),
            None => {
                let message = format!("the arguments do not fit prompt {name}:\n{violations}");
                return Answer::Now(Err(RpcError::params(message)));
            }
        },
    };
    let read = read.as_ref().map(JsonRef::from);
    let (ctx, gone) = request.client.context(server, name);
    let run = (served.prompt.handler)(ctx, read.as_ref().unwrap_or(&data.given));
    let (server, id, name) = (Arc::clone(server), request.id.to_owned(), name.to_owned());
    let modern = request.client.modern;
    Answer::Later(Box::pin(async move {
        let _gone = gone;
        let messages = run.await.map_err(|error| RpcError::failed(&name, &error))?;
        let messages: Vec<Value> = messages.iter().map(|message| message.to_json()).collect();
        Ok(result(&server, &id, modern, None, &json!({ "messages": messages })))
    }))
}
