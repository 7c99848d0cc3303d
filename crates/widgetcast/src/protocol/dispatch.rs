//! Routes a request to the function that handles its method.

use std::sync::Arc;

use tracing::Span;
use widgetcast_core::{JsonRef, budget};

use super::answer::Answer;
use super::error::RpcError;
use super::method::Method;
use super::request::{ClientContext, Request};
use super::subscription::Subscription;
use super::{
    access, completion, lifecycle, own_method, prompts, resources, revision, tasks, tools,
};
use crate::sdk::trace_context::TraceContext;
use crate::server::Server;
use crate::trace::{self, Rpc};
use crate::worker::Undone;

/// Handles a request. A panic, such as that of a guard, fails only this request.
pub(crate) fn dispatch(server: &Arc<Server>, request: Request<'_>) -> Answer {
    let answer = server.contain("request", || find_answer(server, request));
    answer.unwrap_or_else(|| Answer::Now(Err(RpcError::undone(Undone::Panicked))))
}

fn find_answer(server: &Arc<Server>, mut request: Request<'_>) -> Answer {
    let method = match Method::find(request.method, request.client.modern) {
        Some(method) => method,
        None if server.methods.contains_key(request.method) => Method::Own,
        None => return Answer::Now(Err(RpcError::method_not_found(request.method))),
    };
    if let Method::ToolsCall = method {
        tools::take_suffix(&mut request.params);
    }
    match trace::is_on() {
        false => answer(server, method, request),
        true => traced(server, method, request),
    }
}

/// Handles a request in its own span.
fn traced(server: &Arc<Server>, method: Method, request: Request<'_>) -> Answer {
    let span = span(server, method, &request);
    match span.in_scope(|| answer(server, method, request)) {
        Answer::Now(body) => {
            if budget::must_retry() {
                trace::trial(&span);
            } else if let Err(error) = &body {
                trace::rpc_error(&span, error.code);
            }
            Answer::Now(body)
        }
        Answer::Later(running) => Answer::Later(running.traced(span)),
        stream @ Answer::Stream(_) => stream,
    }
}

/// The span of a request, with known names only.
fn span(server: &Server, method: Method, request: &Request<'_>) -> Span {
    let ClientContext { transport, meta, modern, .. } = &request.client;
    let name = request.params.name.as_deref();
    let (tool, prompt) = match method {
        Method::ToolsCall => {
            (name.filter(|name| tools::find(server, &server.reloader.now(), name).is_some()), None)
        }
        Method::PromptsGet => (None, name.filter(|name| server.prompt(name).is_some())),
        _ => (None, None),
    };
    let given = transport.version();
    let version = match modern {
        true => Some(revision::MODERN),
        false => revision::supported().find(|known| Some(*known) == given),
    };
    let member = |name: &str| meta.and_then(|meta| meta.get(name)).and_then(JsonRef::as_str);
    let rpc = Rpc {
        method: request.method,
        tool,
        prompt,
        id: request.id,
        version,
        session: transport.session_hash(),
        transport: if transport.is_exclusive() { "pipe" } else { "tcp" },
        context: TraceContext::read(member),
    };
    rpc.span(server.trace_link.as_ref())
}

fn answer(server: &Arc<Server>, method: Method, mut request: Request<'_>) -> Answer {
    if server.policy.is_set()
        && let Some(refusal) = access::refuse(server, method, &request)
    {
        return refusal;
    }
    match method {
        Method::ToolsCall => tools::call::call(server, request),
        Method::ToolsList => tools::list::list(server, &request).into(),
        Method::ResourcesRead => resources::read(server, &request),
        Method::ResourcesList => resources::list(server, &request),
        Method::ResourceTemplatesList => resources::templates(server, &request).into(),
        Method::ResourcesSubscribe | Method::ResourcesUnsubscribe => {
            resources::subscribe(&request).into()
        }
        Method::PromptsList => prompts::list(server, &request).into(),
        Method::PromptsGet => prompts::get(server, request),
        Method::Complete => completion::complete(server, request),
        Method::Initialize => lifecycle::initialize(server, request).into(),
        Method::Ping => lifecycle::ping(&request).into(),
        Method::SetLogLevel => lifecycle::set_log_level(server, &request).into(),
        Method::Discover => lifecycle::discover(server, &request).into(),
        Method::TasksGet => tasks::get(server, &request).into(),
        Method::TasksUpdate => tasks::update(server, &request).into(),
        Method::TasksCancel => tasks::cancel(server, &request).into(),
        Method::Own => own_method::answer(server, request),
        Method::Listen => {
            let notifications = request.params.take_rare().notifications;
            let caller = request.client.transport.caller();
            match Subscription::open(server, request.id, notifications, caller) {
                Ok(subscription) => Answer::Stream(subscription),
                Err(error) => Answer::Now(Err(error)),
            }
        }
    }
}
