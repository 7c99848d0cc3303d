//! Runs handlers of prompts and custom methods, which may send input requests, over as many rounds as they
//! need.

use std::sync::Arc;

use futures_util::future::BoxFuture;

use super::answer::Answer;
use super::error::RpcError;
use super::input_required;
use super::request::Request;
use super::running::{self, Running};
use crate::call::line::{Driven, TaskMode};
use crate::sdk::context::Ctx;
use crate::sdk::tool_error::ToolError;
use crate::server::Server;

/// Identifies the call: responses are bound to it, and the log names it.
#[derive(Clone, Copy)]
pub(super) struct Asking<'a> {
    pub name: &'a str,
    /// As JSON text.
    pub arguments: &'a str,
}

/// Runs a handler, and responds with the members that `finish` creates from its result.
pub(super) fn run<T: Send + 'static>(
    server: &Arc<Server>,
    request: &Request<'_>,
    asking: Asking<'_>,
    handler: impl FnOnce(Ctx) -> BoxFuture<'static, Result<T, ToolError>>,
    finish: fn(&Server, &str, bool, T) -> String,
) -> Answer {
    let Asking { name, arguments } = asking;
    let (client, params) = (&request.client, request.params.rare());
    let read = input_required::read(server, client, request.method, name, arguments, params);
    let (rounds, answers) = match read {
        Ok(read) => read,
        Err(error) => return Answer::Now(Err(error)),
    };
    let (ctx, gone) = client.context(server, name, answers, TaskMode::Never);
    let run = running::begin(|| handler(ctx.clone()));
    let (server, id) = (Arc::clone(server), request.id.to_owned());
    let (name, modern, driver) = (name.to_owned(), client.modern, ctx.clone());
    Answer::Later(Running::new(Some(ctx), async move {
        let _gone = gone;
        let done = match driver.line().drive(run, server.settings.call_timeout).await {
            Driven::Done(done) => done,
            Driven::Asked(asked) => {
                match rounds.map(|rounds| rounds.respond(&server, &id, asked)) {
                    Some(Ok(text)) => return Ok(text),
                    Some(Err(error)) => Err(error),
                    None => Err(ToolError::private("asked without rounds")),
                }
            }
            Driven::TimedOut => Err(ToolError::public("timed out")),
        };
        let done = done.map_err(|error| match RpcError::missing_capability(&error) {
            Some(error) if modern => error,
            _ => RpcError::failed(&name, &error),
        })?;
        Ok(finish(&server, &id, modern, done))
    }))
}
