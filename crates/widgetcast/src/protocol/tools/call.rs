//! `tools/call`: finds the tool, validates its arguments, runs it, checks its data, renders it, and writes
//! the result.
//!
//! A widget that is itself a tool is handled synchronously, on borrowed arguments.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use widgetcast_core::budget;
use widgetcast_core::{JsonRef, Reply, View};

use super::super::answer::Answer;
use super::super::envelope::{Envelope, SERVER_INFO};
use super::super::error::RpcError;
use super::super::input_required::{self, Rounds};
use super::super::params::{Data, Rare};
use super::super::request::{Body, ClientContext, Request};
use super::super::running::{self, Running};
use super::super::surface_set::SurfaceSet;
use super::super::surfaces::surfaces;
use super::super::tasks;
use super::ask_form;
use super::complete::complete;
pub(crate) use super::present::Called;
use super::present::{Audience, Presenting, draw_view};
use super::record::{CallRecord, Unfinished};
use super::{Found, clip, find, unknown_tool};
use crate::call::line::{Asked, Driven, TaskMode};
use crate::metrics::CallOutcome;
use crate::sdk::context::Ctx;
use crate::sdk::event::Event;
use crate::sdk::handler::ToolResult;
use crate::sdk::hook::{Around, Call, Next};
use crate::sdk::outcome::Outcome;
use crate::sdk::tool_error::ToolError;
use crate::server::Server;
use crate::worker::Budgeted;

/// A running call.
pub(crate) enum Started {
    Done(Result<Called, ToolError>),
    /// With the context of its handler.
    Running(Ctx, BoxFuture<'static, Result<Ended, ToolError>>),
}

/// The outcome of a handler.
pub(crate) enum Ended {
    Called(Called),
    /// It requires input from the client.
    Asked(Rounds, Asked),
}

pub(in super::super) fn call(server: &Arc<Server>, mut request: Request<'_>) -> Answer {
    let arguments = request.params.take_arguments();
    let Some(name) = request.params.name.as_deref() else {
        return Answer::Now(Err(RpcError::params("tools/call requires a tool name")));
    };
    let data = match arguments {
        Ok(data) => data,
        // Hidden tools must be indistinguishable from missing ones.
        Err(error) => {
            let (snapshot, caller) = (server.reloader.now(), request.client.transport.caller());
            return Answer::Now(Err(match find(server, &snapshot, name) {
                Some(_) => error,
                None => unknown_tool(server, &snapshot, name, caller),
            }));
        }
    };
    let (surfaces, modern) = (surfaces(server, &request.client), request.client.modern);
    let mut record = CallRecord::new(server, name, &request.client, surfaces, data.text.len());
    if let Err(limit) = record.admit(server, &request.client) {
        return Answer::Now(match request.client.transport.is_exclusive() {
            // There is no HTTP status here, and the model can wait.
            true => {
                let error = ToolError::public(limit.to_string());
                Ok(write(server, request.id, error_reply(error), modern))
            }
            false => Err(RpcError::limited(limit)),
        });
    }
    let (client, rare) = (&request.client, request.params.rare());
    let started = start(server, name, &data, client, surfaces, rare, request.budgeted);
    if budget::must_retry() {
        record.undo();
        // This response is dropped when the budget is exceeded.
        return Answer::Now(Err(RpcError::new(RpcError::INTERNAL, "to be tried again")));
    }
    match started {
        Err(error) => {
            count_refused(server, &record);
            Answer::Now(Err(error))
        }
        Ok(Started::Done(called)) => {
            server.emit(&Event::Called { tool: name });
            match called {
                Ok(called) if !called.is_kept() => {
                    let (server, id) = (Arc::clone(server), request.id.to_owned());
                    let mut unfinished = Unfinished::new(&server, record.into_owned());
                    Answer::later(async move {
                        let called = called.kept(&server).await;
                        finish(&server, unfinished.end(), &id, modern, Ok(called))
                    })
                }
                called => Answer::Now(finish(server, &record, request.id, modern, called)),
            }
        }
        Ok(Started::Running(ctx, called)) => {
            server.emit(&Event::Called { tool: name });
            let (server, id) = (Arc::clone(server), request.id.to_owned());
            let task = ctx.line().may_be_task().then(|| (Arc::clone(&server), id.clone()));
            let mut unfinished = Unfinished::new(&server, record.into_owned());
            let body = async move {
                let called = called.await;
                let record = unfinished.end();
                let called = match called {
                    Ok(Ended::Called(called)) => Ok(called),
                    Ok(Ended::Asked(rounds, asked)) => match rounds.respond(&server, &id, asked) {
                        Ok(text) => {
                            record.asked(&server, text.len());
                            return Ok(text);
                        }
                        Err(error) => Err(error),
                    },
                    Err(error) => Err(error),
                };
                finish(&server, record, &id, modern, called)
            };
            Answer::Later(match task {
                None => Running::new(Some(ctx), body),
                Some((server, id)) => {
                    let task = tasks::run(server, ctx.clone(), id, Box::pin(body));
                    Running::new(Some(ctx), task)
                }
            })
        }
    }
}

/// Counts a call that gets a protocol error instead of a result.
fn count_refused(server: &Server, record: &CallRecord<'_>) {
    if budget::must_retry() {
        return;
    }
    let outcome = match find(server, &server.reloader.now(), record.tool()) {
        Some(_) => CallOutcome::Refused,
        None => CallOutcome::Unknown,
    };
    record.count(server, outcome, 0);
}

/// Starts a call; an error if there is no such tool, or if the request contradicts itself.
pub(crate) fn start(
    server: &Arc<Server>,
    name: &str,
    data: &Data<'_>,
    client: &ClientContext<'_>,
    surfaces: SurfaceSet,
    params: Option<&Rare>,
    _: Budgeted,
) -> Result<Started, RpcError> {
    let snapshot = server.reloader.now();
    let Some(found) = find(server, &snapshot, name) else {
        return Err(unknown_tool(server, &snapshot, name, client.transport.caller()));
    };
    if client.modern {
        client.transport.check_header_params(&found.header_params(), &data.given)?;
    }
    let transport = client.transport;
    let to = Audience {
        surfaces,
        peer: transport.peer(),
        caller: transport.caller().cloned(),
        recorder: transport.recorder().cloned(),
        words: client.words(),
    };
    // Calls that store view state must not reach hooks, which would take them for the model's.
    let around = server.around.as_ref().filter(|_| !found.is_state(server));
    let asks_forms = ask_form::is_for(server, found, client);
    if let (Found::Widget(widget), None, false) = (found, around, asks_forms) {
        let called = std::panic::catch_unwind(AssertUnwindSafe(|| {
            let snapshot = &snapshot;
            let present = |view: View, data: &Data<'_>| {
                let presenting = Presenting { server, snapshot, tool: name, widget, data, to: &to };
                presenting.present(view, &Outcome::new())
            };
            let refused = match draw_view(name, widget, data) {
                Ok(view) => return Ok(present(view, data)),
                Err(error) => error,
            };
            let arguments = read_arguments(server, name, found, data).ok_or(refused)?;
            let data = Data::from(&arguments);
            Ok(present(draw_view(name, widget, &data)?, &data))
        }));
        return Ok(Started::Done(called.unwrap_or_else(|panic| Err(running::panicked(&*panic)))));
    }
    let misfit = match found {
        Found::Typed(served) => served.input.validate_data(&data.given).err(),
        Found::Widget(widget) => widget.schema().validate_data(&data.given).err(),
    };
    let read = misfit.as_ref().and_then(|_| read_arguments(server, name, found, data));
    if let (Found::Typed(_), Some(violations), None) = (found, misfit, &read) {
        let message = format!("the arguments do not match the schema of {name}:\n{violations}");
        return Ok(Started::Done(Err(ToolError::public(message))));
    }
    let read = read.as_ref().map(JsonRef::from);
    let given = read.as_ref().unwrap_or(&data.given);
    let task = match found {
        Found::Typed(served) => match tasks::mode(&served.tool, client) {
            Ok(task) => task,
            Err(error) => return Ok(Started::Done(Err(error))),
        },
        Found::Widget(_) => TaskMode::Never,
    };
    let (rounds, answers) =
        input_required::read(server, client, "tools/call", name, &data.text, params)?;
    let (ctx, gone) = client.context(server, name, answers, task);
    let limit = match found {
        Found::Typed(served) => served.tool.timeout,
        Found::Widget(_) => None,
    };
    let limit = limit.unwrap_or(server.settings.call_timeout);

    let run = running::begin(|| budget::outside(|| run(server, found, around, ctx.clone(), given)));
    let (server, name, snapshot) = (Arc::clone(server), name.to_owned(), server.reloader.keep());
    let driver = ctx.clone();
    let called = async move {
        let _gone = gone;
        let outcome = match (driver.line().drive(run, limit).await, rounds) {
            (Driven::Done(outcome), _) => outcome?,
            (Driven::Asked(asked), Some(rounds)) => return Ok(Ended::Asked(rounds, asked)),
            // Without a round, no input can be requested.
            (Driven::TimedOut | Driven::Asked(_), _) => return Err(timed_out(limit)),
        };
        let called = complete(&server, snapshot, name, outcome, to).await?;
        if !asks_forms {
            return Ok(Ended::Called(called));
        }
        Ok(match ask_form::ask(&server, &driver, called, limit, rounds).await {
            Ok(called) => Ended::Called(called),
            Err((rounds, asked)) => Ended::Asked(rounds, asked),
        })
    };
    Ok(Started::Running(ctx, Box::pin(called)))
}

fn timed_out(limit: Duration) -> ToolError {
    let limit = match limit.subsec_nanos() {
        0 => format!("{} seconds", limit.as_secs()),
        _ => format!("{limit:?}"),
    };
    ToolError::public(format!("the tool timed out after {limit}"))
}

/// Coerces arguments of the wrong type, if there is exactly one way. Templates see nulls that count as
/// absent; handlers do not, because their types may not allow them.
fn read_arguments(
    server: &Server,
    name: &str,
    found: Found<'_>,
    data: &Data<'_>,
) -> Option<serde_json::Value> {
    let how = server.settings.reading();
    let read = match found {
        Found::Typed(served) => served.input.read(&data.given, how),
        Found::Widget(widget) => widget.schema().read_with_nulls(&data.given, how),
    };
    if read.is_some() && !budget::must_retry() {
        server.metrics.coerced(name);
    }
    read
}

/// Counts an unauthorized call.
pub(in super::super) fn count_forbidden(server: &Server, request: &Request<'_>) {
    count_refused(server, &record_of(server, request));
}

/// The result of a rejected call, with a message for the model.
pub(in super::super) fn refused(server: &Server, request: &Request<'_>, error: ToolError) -> Body {
    let record = record_of(server, request);
    count_refused(server, &record);
    if find(server, &server.reloader.now(), record.tool()).is_some() {
        record.tell_refused(server, &error);
    }
    Ok(write(server, request.id, error_reply(error), request.client.modern))
}

fn record_of<'r>(server: &Server, request: &'r Request<'_>) -> CallRecord<'r> {
    let name = request.params.name.as_deref().unwrap_or_default();
    CallRecord::new(server, name, &request.client, surfaces(server, &request.client), 0)
}

/// Runs hooks and handler.
fn run(
    server: &Arc<Server>,
    found: Found<'_>,
    around: Option<&Around>,
    ctx: Ctx,
    arguments: &JsonRef<'_>,
) -> BoxFuture<'static, ToolResult> {
    let (handler, inner) = match found {
        Found::Typed(served) => (Some(&served.tool.handler), served.tool.around.as_ref()),
        Found::Widget(_) => (None, None),
    };
    if let (None, None) = (around, inner) {
        return match handler {
            Some(handler) => handler(ctx, arguments),
            None => Box::pin(std::future::ready(Ok(Outcome::new().data(arguments.to_value())))),
        };
    }
    let handler = handler.cloned();
    let (server, name) = (Arc::clone(server), ctx.name().to_owned());
    let mut next = Next::new(move |call: Call| {
        if call.tool != name {
            let why = format!(
                "a hook changed the tool name from {name} to {}, which is not allowed",
                call.tool
            );
            return Box::pin(std::future::ready(Err(ToolError::private(why))));
        }
        let Some(handler) = handler else {
            return Box::pin(std::future::ready(Ok(Outcome::new().data(call.arguments))));
        };
        let fits = server.tools.get(&*name).map(|served| served.input.validate(&call.arguments));
        if let Some(Err(violations)) = fits {
            let why = format!(
                "a hook changed the arguments so that they do not match the schema of {name}:\n{violations}"
            );
            return Box::pin(std::future::ready(Err(ToolError::private(why))));
        }
        handler(call.ctx, &JsonRef::from(&call.arguments))
    });
    for hook in [inner, around].into_iter().flatten() {
        let hook = Arc::clone(hook);
        next = Next::new(move |call| hook(call, next));
    }
    next.start(Call { tool: ctx.name().to_owned(), arguments: arguments.to_value(), ctx })
}

/// Counts a call and writes its response.
fn finish(
    server: &Server,
    record: &CallRecord<'_>,
    id: &str,
    modern: bool,
    called: Result<Called, ToolError>,
) -> Body {
    let most = server.settings.max_response_bytes;
    // Drop the view before its tree is written, so that the reply has the only copy.
    let written = called.map(|called| called.reply).and_then(|reply| {
        let text = write(server, id, reply, modern);
        match text.len() <= most {
            true => Ok(text),
            false => Err(ToolError::public(format!(
                "the tool ran, but its result of {} bytes exceeds the limit of {most} bytes; request less",
                text.len(),
            ))),
        }
    });
    let result = record.end(server, written, String::len);
    if let Err(error) = &result
        && modern
        && let Some(error) = RpcError::missing_capability(error)
    {
        return Err(error);
    }
    Ok(result.unwrap_or_else(|error| write(server, id, error_reply(error), modern)))
}

/// The result of a failed call, with a message for the model.
pub(crate) fn error_reply(mut error: ToolError) -> Reply {
    let mut reply = Reply { is_error: true, ..Reply::default() };
    reply.push_text(clip(&error.shown()));
    reply.structured = error.take_data().map(Into::into);
    for (key, value) in error.take_meta() {
        reply.set_meta(key, value);
    }
    reply
}

/// The response that carries a result.
pub(crate) fn write(server: &Server, id: &str, mut reply: Reply, modern: bool) -> String {
    if modern {
        reply.set_meta(SERVER_INFO, server.server_info.clone());
    }
    let mut text = reply.into_text(&Envelope::start(id, modern).into_head());
    text.push('}');
    text
}
