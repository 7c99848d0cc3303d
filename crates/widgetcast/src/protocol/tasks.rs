//! The extension `io.modelcontextprotocol/tasks` of 2026-07-28: a call returns a task, whose state and result
//! the client polls.

use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;
use std::time::{Duration, SystemTime};

use futures_util::future::BoxFuture;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::envelope::{Envelope, result};
use super::error::RpcError;
use super::request::{Body, ClientContext, Request};
use crate::call::line::TaskMode;
use crate::call::request_id::{self, RequestId};
use crate::sdk::caller::owned;
use crate::sdk::context::Ctx;
use crate::sdk::tool::{TaskUse, Tool};
use crate::sdk::tool_error::ToolError;
use crate::server::Server;
use crate::tasks::{Ended, Task, Tasks};

pub(super) const EXTENSION: &str = "io.modelcontextprotocol/tasks";
/// The recommended polling interval, in milliseconds.
const POLL_MS: u64 = 1000;
/// How long a result is kept after the tool's timeout.
const KEPT: Duration = Duration::from_secs(1800);

fn required() -> Value {
    json!({ "extensions": { EXTENSION: {} } })
}

/// Whether the client supports tasks.
fn is_declared(client: &ClientContext<'_>) -> bool {
    let extensions = client.capabilities.and_then(|given| given.get("extensions"));
    client.modern && extensions.is_some_and(|all| all.get(EXTENSION).is_some())
}

/// Whether a call may become a task; an error if it must and the client does not support tasks.
pub(super) fn mode(tool: &Tool, client: &ClientContext<'_>) -> Result<TaskMode, ToolError> {
    match tool.task {
        TaskUse::Never => Ok(TaskMode::Never),
        _ if !is_declared(client) && tool.task_required => Err(ToolError::missing(required())),
        _ if !is_declared(client) => Ok(TaskMode::Never),
        TaskUse::Later => Ok(TaskMode::Possible),
        TaskUse::AtOnce => Ok(TaskMode::Begun),
    }
}

/// Runs a call, which becomes a task once it waits and requests it.
pub(super) async fn run(
    server: Arc<Server>,
    ctx: Ctx,
    id: String,
    mut body: BoxFuture<'static, Body>,
) -> Body {
    let done = poll_fn(|context| match body.as_mut().poll(context) {
        Poll::Ready(body) => Poll::Ready(Some(body)),
        Poll::Pending if ctx.line().is_task() => Poll::Ready(None),
        Poll::Pending => Poll::Pending,
    });
    if let Some(body) = done.await {
        return body;
    }
    // Messages belong to the request, which ends here.
    ctx.line().close();
    let limit = server.tools.get(ctx.name()).and_then(|served| served.tool.timeout);
    let ttl = limit.unwrap_or(server.settings.call_timeout) + KEPT;
    let Some(task) = server.tasks.begin(&ctx, ttl) else {
        return Err(RpcError::new(RpcError::INTERNAL, "Too many tasks; wait for some to finish"));
    };
    let mut out = Envelope::of_type(&server, &id, "task");
    out.push_members(&describe(&task));
    go_on(Arc::clone(&server.tasks), task, body);
    Ok(out.close())
}

/// Runs a task to its end, and removes it when it expires.
fn go_on(tasks: Arc<Tasks>, task: Arc<Task>, body: BoxFuture<'static, Body>) {
    let id = RequestId::given(request_id::current().as_deref());
    tokio::spawn(id.scope(async move {
        let ended = tokio::select! {
            body = body => ended(body),
            () = task.cancel.cancelled() => Ended::Cancelled,
        };
        if !tasks.end(&task, ended) {
            let words = "Too many stored results; this result was dropped";
            let fault = RpcError::new(RpcError::INTERNAL, words);
            tasks.end(&task, Ended::Failed(fault.to_json()));
        }
        let age = task.created.elapsed().unwrap_or_default();
        tokio::time::sleep(task.ttl.saturating_sub(age)).await;
        tasks.remove(&task.id);
    }));
}

/// The result in a response.
fn ended(body: Body) -> Ended {
    #[derive(Deserialize)]
    struct Response<'a> {
        #[serde(borrow)]
        result: &'a RawValue,
    }
    match body {
        Ok(text) => match serde_json::from_str::<Response<'_>>(&text) {
            Ok(response) => Ended::Completed(response.result.get().into()),
            Err(error) => {
                Ended::Failed(RpcError::new(RpcError::INTERNAL, error.to_string()).to_json())
            }
        },
        Err(fault) => Ended::Failed(fault.to_json()),
    }
}

/// The state of a task, without its result.
fn describe(task: &Task) -> Value {
    let ended = task.ended();
    let questions = task.ctx.line().parked();
    let (text, changed) = task.ctx.line().status();
    let (status, changed) = match &ended {
        Some((at, Ended::Completed(_))) => ("completed", Some(*at)),
        Some((at, Ended::Failed(_))) => ("failed", Some(*at)),
        Some((at, Ended::Cancelled)) => ("cancelled", Some(*at)),
        None if !questions.is_empty() => ("input_required", changed),
        None => ("working", changed),
    };
    let mut out = json!({
        "taskId": task.id,
        "status": status,
        "createdAt": iso(task.created),
        "lastUpdatedAt": iso(changed.unwrap_or(task.created)),
        "ttlMs": u64::try_from(task.ttl.as_millis()).unwrap_or(u64::MAX),
        "pollIntervalMs": POLL_MS,
    });
    if let Some(text) = text {
        out["statusMessage"] = json!(text);
    }
    out
}

/// The task that a request names, if the client supports tasks.
fn find(server: &Server, request: &Request<'_>) -> Result<Arc<Task>, RpcError> {
    if !server.has_tasks() {
        return Err(RpcError::method_not_found(request.method));
    }
    if !is_declared(&request.client) {
        let error = ToolError::missing(required());
        return Err(RpcError::missing_capability(&error).unwrap_or_else(|| {
            RpcError::params("the client did not declare the tasks capability")
        }));
    }
    let id = request.params.rare().and_then(|rare| rare.task_id.as_deref());
    let id = id.ok_or_else(|| RpcError::params("Invalid params: taskId must be a string"))?;
    request.client.transport.check_name(request.method, id)?;
    // A task is only visible to its caller.
    let caller = request.client.transport.caller();
    let is_own = |task: &Arc<Task>| owned(task.ctx.caller(), id) == owned(caller, id);
    let task = server.tasks.get(id).filter(is_own);
    task.ok_or_else(|| RpcError::params(format!("Unknown task: {id}")))
}

pub(super) fn get(server: &Server, request: &Request<'_>) -> Body {
    let task = find(server, request)?;
    let mut out = Envelope::open(server, request.id, true, None);
    out.push_members(&describe(&task));
    match task.ended() {
        Some((_, Ended::Completed(result))) => out.push(&format!("\"result\":{result}")),
        Some((_, Ended::Failed(fault))) => out.push_members(&json!({ "error": fault })),
        Some((_, Ended::Cancelled)) => {}
        None => {
            let questions = task.ctx.line().parked();
            if !questions.is_empty() {
                out.push_members(&json!({ "inputRequests": questions }));
            }
        }
    }
    Ok(out.close())
}

pub(super) fn update(server: &Server, request: &Request<'_>) -> Body {
    let task = find(server, request)?;
    let given = request.params.rare().and_then(|rare| rare.input_responses.as_ref());
    let Some(Value::Object(answers)) = given else {
        return Err(RpcError::params("Invalid params: inputResponses must be an object"));
    };
    // Unknown keys are ignored.
    answers.iter().for_each(|(key, answer)| task.ctx.line().answer(key, answer));
    Ok(result(server, request.id, true, None, &json!({})))
}

pub(super) fn cancel(server: &Server, request: &Request<'_>) -> Body {
    find(server, request)?.cancel.cancel();
    Ok(result(server, request.id, true, None, &json!({})))
}

/// A time in ISO 8601, in seconds.
fn iso(time: SystemTime) -> String {
    let seconds = time.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (days, rest) = (seconds / 86400, seconds % 86400);
    // Years start in March, so that the leap day is the last one; eras have 400 years.
    let day = days + 719_468;
    let (era, day) = (day / 146_097, day % 146_097);
    let year = (day - day / 1460 + day / 36524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, carry) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = era * 400 + year + carry;
    let (hour, minute, second) = (rest / 3600, rest % 3600 / 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_iso_8601() {
        let at = |seconds| iso(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(at(0), "1970-01-01T00:00:00Z");
        assert_eq!(at(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(at(1_785_196_799), "2026-07-27T23:59:59Z");
        assert_eq!(at(4_107_542_400), "2100-03-01T00:00:00Z");
        assert_eq!(at(1_703_980_800), "2023-12-31T00:00:00Z");
    }
}
