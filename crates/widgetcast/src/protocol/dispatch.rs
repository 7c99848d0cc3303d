//! From the name of a method to what answers it.

use std::sync::Arc;

use super::answer::Answer;
use super::error::RpcError;
use super::method::Method;
use super::request::Request;
use super::subscription::Subscription;
use super::{access, completion, lifecycle, own_method, prompts, resources, tasks, tools};
use crate::server::Server;

/// Answers a request.
pub(crate) fn dispatch(server: &Arc<Server>, mut request: Request<'_>) -> Answer {
    let method = match Method::find(request.method, request.client.modern) {
        Some(method) => method,
        None if server.methods.contains_key(request.method) => Method::Own,
        None => return Answer::Now(Err(RpcError::method_not_found(request.method))),
    };
    if server.policy.is_set()
        && let Some(refusal) = access::refuse(server, method, &request)
    {
        return refusal;
    }
    match method {
        Method::ToolsCall => tools::call::call(server, request),
        Method::ToolsList => tools::list::list(server, &request).into(),
        Method::ResourcesRead => resources::read(server, &request),
        Method::ResourcesList => resources::list(server, &request).into(),
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
