//! `prompts/list` and `prompts/get`. An app without prompts does not have these methods.

use std::sync::Arc;

use serde_json::{Value, json};
use widgetcast_core::{JsonRef, Reading};

use super::answer::Answer;
use super::asking::{self, Asking};
use super::envelope::{Cache, result};
use super::error::RpcError;
use super::request::{Body, Request};
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
    let arguments = request.params.take_arguments();
    let name = request.params.name.as_deref().unwrap_or_default();
    let Some(served) = server.prompt(name) else {
        return Answer::Now(Err(RpcError::unknown_prompt(name)));
    };
    let data = match arguments {
        Ok(data) => data,
        Err(error) => return Answer::Now(Err(error)),
    };
    // Clients send strings, whatever the type of the argument.
    let fitting = match served.input.validate_data(&data.given) {
        Ok(()) => None,
        Err(violations) => match served.input.read(&data.given, Reading::Lossless) {
            Some(fitting) => Some(fitting),
            None => {
                let message = format!(
                    "the arguments do not match the schema of prompt {name}:\n{violations}"
                );
                return Answer::Now(Err(RpcError::params(message)));
            }
        },
    };
    let fitting = fitting.as_ref().map(JsonRef::from);
    let asking = Asking { name, arguments: &data.text };
    let handler = |ctx| (served.prompt.handler)(ctx, fitting.as_ref().unwrap_or(&data.given));
    asking::run(server, &request, asking, handler, |server, id, modern, messages| {
        let messages: Vec<Value> = messages.iter().map(|message| message.to_json()).collect();
        result(server, id, modern, None, &json!({ "messages": messages }))
    })
}
