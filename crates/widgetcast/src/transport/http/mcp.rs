//! `POST /mcp`: one message in, one response out.
//!
//! The body is read completely ([`body`]) and parsed as a message ([`jsonrpc`]); a request is handled
//! ([`answer`]), and the response is sent as JSON, or as an event stream if other messages precede it.

use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::BoxFuture;
use http::{HeaderValue, Response, StatusCode};
use widgetcast_core::budget::Budget;

use super::answer::{Answered, Asked, Surfaces, answer};
use super::batch;
use super::body::{self, Body, Room, Unread};
use super::gate::Head;
use super::headers::{self, McpHeaders, accepts_events, accepts_json, sends_json};
use super::response::{error, json, later, plain, status_of, undone_work};
use super::sessions::SessionKey;
use super::shared::Shared;
use super::sse::{Call, Ended};
use crate::protocol::jsonrpc::{self, Message};
use crate::protocol::{self, Answer, Params, RpcError, access, surfaces};
use crate::sdk::refusal::Refusal;
use crate::worker::Budgeted;

/// Timeout of a request body.
const BODY_TIMEOUT: Duration = Duration::from_secs(15);

pub(super) async fn post<B>(shared: &Arc<Shared>, parts: &Head, body: B) -> Response<Body>
where
    B: http_body::Body<Data = Bytes> + Send + 'static,
{
    let text = match read(shared, body).await {
        Ok(text) => text,
        Err(response) => return response,
    };
    let later = match shared.server.policy.guards.is_empty() {
        true => match begin(shared, parts, None, text) {
            Ok(response) => return response,
            Err(later) => later,
        },
        false => Box::pin(guarded(shared, parts, text)),
    };
    later.await
}

/// Handles a message after the guards have accepted it.
async fn guarded(shared: &Arc<Shared>, parts: &Head, text: Bytes) -> Response<Body> {
    let refusal = access::guard(&shared.server, &text, parts.caller.as_ref(), parts.peer).await;
    match begin(shared, parts, refusal, text) {
        Ok(response) => response,
        Err(later) => later.await,
    }
}

/// The response, or the work that produces it.
fn begin<'p>(
    shared: &'p Arc<Shared>,
    parts: &'p Head,
    refusal: Option<Refusal>,
    text: Bytes,
) -> Result<Response<Body>, BoxFuture<'p, Response<Body>>> {
    let tried = match text.len() <= Budget::MAX_TRIED_BYTES {
        true => Budgeted::trial(|it| take(shared, parts, refusal.as_ref(), &text, it)),
        false => None,
    };
    Err(match tried {
        Some(Step::Done(response)) => return Ok(response),
        Some(Step::Later(response)) => response,
        Some(Step::Batch(surfaces)) => Box::pin(batch::respond(shared, parts, surfaces, text)),
        None => Box::pin(take_on_worker(shared, parts, refusal, text)),
    })
}

/// A response, or the work that produces it. Everything before the first await happens outside async code,
/// whose futures are moved.
enum Step {
    Done(Response<Body>),
    Later(BoxFuture<'static, Response<Body>>),
    /// A batch, and the surfaces that the URL requests.
    Batch(Option<Surfaces>),
}

/// Handles a message that is too expensive for a runtime thread.
async fn take_on_worker(
    shared: &Arc<Shared>,
    parts: &Head,
    refusal: Option<Refusal>,
    text: Bytes,
) -> Response<Body> {
    let all = (Arc::clone(shared), parts.clone(), refusal, text.clone());
    let workers = &shared.server.workers;
    match workers.run(move |it| take(&all.0, &all.1, all.2.as_ref(), &all.3, it)).await {
        Ok(Step::Done(response)) => response,
        Ok(Step::Later(response)) => response.await,
        Ok(Step::Batch(surfaces)) => batch::respond(shared, parts, surfaces, text).await,
        Err(undone) => undone_work(undone),
    }
}

/// Handles a message.
fn take(
    shared: &Shared,
    parts: &Head,
    refusal: Option<&Refusal>,
    text: &[u8],
    budgeted: Budgeted,
) -> Step {
    if !sends_json(&parts.headers) {
        let words = "Unsupported Media Type: Content-Type must be application/json.\n";
        return Step::Done(plain(StatusCode::UNSUPPORTED_MEDIA_TYPE, words));
    }
    if !accepts_json(&parts.headers) {
        let words = "Not Acceptable: the client must accept application/json.\n";
        return Step::Done(plain(StatusCode::NOT_ACCEPTABLE, words));
    }
    let message = jsonrpc::read(text);
    let asked = query(parts.uri.query(), "surface").map(|names| surfaces::parse(&names));
    let surfaces = match asked.transpose() {
        Ok(surfaces) => surfaces,
        Err(words) => {
            let id = match &message {
                Ok(Message::Request(request)) => serde_json::from_str(request.id).ok(),
                _ => None,
            };
            return Step::Done(error(StatusCode::BAD_REQUEST, id, &RpcError::params(words)));
        }
    };
    Step::Done(match message {
        Ok(Message::Request(request)) => {
            let asked = Asked { parts, surfaces: surfaces.as_deref(), refusal, budgeted };
            return respond(shared, asked, request);
        }
        Ok(Message::Notification { method, params }) => {
            let headers = McpHeaders::read(&parts.headers);
            let checked = headers.check_notification(&method);
            match checked.and_then(|()| headers.check_session(&shared.server)) {
                Ok(()) => {
                    notice(shared, &headers, &method, &params);
                    accepted()
                }
                Err(fault) => error(status_of(&fault, true), None, &fault),
            }
        }
        Ok(Message::Response { id, response }) => {
            match jsonrpc::take_response(&shared.server.questions, id, response) {
                true => accepted(),
                false => {
                    let words = "no pending request has this id";
                    let fault = RpcError::invalid_request(words);
                    error(StatusCode::BAD_REQUEST, None, &fault)
                }
            }
        }
        Ok(Message::Batch(_)) => return Step::Batch(surfaces),
        Err(invalid) => {
            let modern = McpHeaders::read(&parts.headers).is_modern();
            error(status_of(&invalid.error, modern), invalid.id, &invalid.error)
        }
    })
}

/// Handles a notification: a client with a session can cancel a call. Since 2026-07-28, it closes the
/// connection instead.
fn notice(shared: &Shared, headers: &McpHeaders<'_>, method: &str, params: &Params<'_>) {
    let cancelled = params.rare().and_then(|rare| rare.request_id.as_ref());
    if let ("notifications/cancelled", Some(session), Some(id)) =
        (method, headers.session(), cancelled)
    {
        shared.sessions.cancel(SessionKey::of(session), &id.to_string());
    }
}

/// Handles a request.
fn respond(shared: &Shared, asked: Asked<'_>, request: jsonrpc::Request<'_>) -> Step {
    let id = request.id;
    let Answered { answer, modern, session, new_session } = match answer(shared, asked, request) {
        Ok(answered) => answered,
        Err(fault) => {
            // An invalid or contradictory request is a 400 in every revision.
            let status = match fault.code {
                RpcError::INVALID_PARAMS => StatusCode::BAD_REQUEST,
                _ => status_of(&fault, true),
            };
            return Step::Done(error(status, serde_json::from_str(id).ok(), &fault));
        }
    };
    match answer {
        Answer::Now(body) => {
            let mut response = response(id, body, modern);
            if let Some(session) = new_session.and_then(|id| HeaderValue::try_from(id).ok()) {
                response.headers_mut().insert(headers::SESSION, session);
            }
            Step::Done(response)
        }
        Answer::Stream(subscription) => {
            Step::Done(shared.streams.subscription(asked.parts, subscription))
        }
        Answer::Later(running) => {
            let session = session.map(|key| (shared.sessions.clone(), key));
            if !accepts_events(&asked.parts.headers) {
                // The client does not accept a stream for further messages.
                running.close();
            }
            let call = Call { running, id: id.to_owned(), session, noted: None };
            let (streams, peer) = (shared.streams.clone(), asked.parts.peer);
            let caller = asked.parts.caller.clone();
            Step::Later(Box::pin(async move {
                match streams.run(caller, peer, call).await {
                    Ended::Body(id, body) => response(&id, body, modern),
                    Ended::Stream(stream) => stream,
                }
            }))
        }
    }
}

fn response(id: &str, body: protocol::Body, modern: bool) -> Response<Body> {
    match body {
        Ok(text) => json(StatusCode::OK, text),
        Err(fault) => error(status_of(&fault, modern), serde_json::from_str(id).ok(), &fault),
    }
}

fn accepted() -> Response<Body> {
    let mut response = Response::new(Body::from(""));
    *response.status_mut() = StatusCode::ACCEPTED;
    response
}

/// The whole body, or the error response if it cannot be read.
pub(super) async fn read<B>(shared: &Shared, body: B) -> Result<Bytes, Response<Body>>
where
    B: http_body::Body<Data = Bytes> + Send + 'static,
{
    let most = shared.server.settings.max_request_bytes;
    let most_of_all = shared.server.settings.max_buffered_bytes;
    let room = Room { most, most_of_all, metrics: &shared.server.metrics };
    let mut whole = std::pin::pin!(body::whole(body, room));
    // Usually it has already arrived, so start no timer.
    let now = poll_fn(|context| Poll::Ready(whole.as_mut().poll(context))).await;
    let read = match now {
        Poll::Ready(read) => Ok(read),
        Poll::Pending => Box::pin(tokio::time::timeout(BODY_TIMEOUT, whole)).await,
    };
    match read {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(Unread::TooLarge)) => {
            let words = format!("The request is larger than {most} bytes");
            let fault = RpcError::new(RpcError::INVALID_REQUEST, words);
            Err(error(StatusCode::PAYLOAD_TOO_LARGE, None, &fault))
        }
        Ok(Err(Unread::NoRoom)) => Err(later(StatusCode::SERVICE_UNAVAILABLE, 1, None)),
        Ok(Err(Unread::Broken)) => Err(plain(StatusCode::BAD_REQUEST, "The body ended early.\n")),
        Err(_) => Err(plain(StatusCode::REQUEST_TIMEOUT, "Timed out reading the body.\n")),
    }
}

/// A query parameter. Names of surfaces need no decoding except for commas.
fn query(query: Option<&str>, name: &str) -> Option<String> {
    let pairs = query?.split('&').filter_map(|pair| pair.split_once('='));
    pairs.into_iter().find(|(key, _)| *key == name).map(|(_, value)| value.replace("%2C", ","))
}
