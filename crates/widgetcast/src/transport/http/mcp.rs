//! `POST /mcp`: one message in, one response out.
//!
//! The way of a call: the body is read whole ([`body`]), read as a message ([`jsonrpc`]), its headers
//! are compared with it ([`headers`]), [`dispatch`] answers it, and the answer is written as JSON, or as
//! a stream of events where there is more to say than one response.

use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::BoxFuture;
use http::request::Parts;
use http::{Response, StatusCode};
use tokio::sync::mpsc;
use widgetcast_core::Surface;

use super::body::{self, Body, Unread};
use super::headers::{HttpRequest, McpHeaders, accepts_json, sends_json};
use super::response::{error, json, plain, status_of};
use super::shared::Shared;
use super::{batch, sse};
use crate::protocol::jsonrpc::{self, Message};
use crate::protocol::{
    self, Answer, ClientContext, Request, RequestMeta, RpcError, dispatch, surfaces,
};
use crate::sdk::context::Report;

/// How long a client may take to send the body of a request.
const BODY_TIMEOUT: Duration = Duration::from_secs(15);
/// Reports of progress that wait to be sent before the handler has to wait, too.
const REPORTS: usize = 16;

/// A request as far as it is known without its message.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub parts: &'a Parts,
    /// Surfaces that the address asks for: `?surface=chatkit`.
    pub surfaces: Option<&'a [&'static Surface]>,
}

pub(super) async fn post<B>(shared: &Shared, parts: &Parts, body: B) -> Response<Body>
where
    B: http_body::Body<Data = Bytes> + Send + 'static,
{
    match read(shared, body).await {
        Ok(text) => match take(shared, parts, &text) {
            Step::Done(response) => response,
            Step::Later(response) => response.await,
        },
        Err(response) => response,
    }
}

/// A response that is there, or one that has to be waited for. Everything up to the waiting happens
/// outside of async code, whose futures are moved about.
enum Step<'a> {
    Done(Response<Body>),
    Later(BoxFuture<'a, Response<Body>>),
}

/// Takes a message.
fn take<'a>(shared: &'a Shared, parts: &'a Parts, text: &'a [u8]) -> Step<'a> {
    let surfaces = match query(parts.uri.query(), "surface").map(|names| surfaces::parse(&names)) {
        None => None,
        Some(Ok(surfaces)) => Some(surfaces),
        Some(Err(words)) => {
            return Step::Done(error(StatusCode::BAD_REQUEST, None, &RpcError::params(words)));
        }
    };
    if !sends_json(&parts.headers) {
        let words = "Unsupported Media Type: Content-Type must be application/json.\n";
        return Step::Done(plain(StatusCode::UNSUPPORTED_MEDIA_TYPE, words));
    }
    if !accepts_json(&parts.headers) {
        let words = "Not Acceptable: the client must accept application/json.\n";
        return Step::Done(plain(StatusCode::NOT_ACCEPTABLE, words));
    }
    Step::Done(match jsonrpc::read(text) {
        Ok(Message::Request(request)) => {
            return respond(shared, Asked { parts, surfaces: surfaces.as_deref() }, request);
        }
        Ok(Message::Notification { method, .. }) => {
            // There is no state that a notification could change: a call is cancelled by closing its
            // connection.
            match McpHeaders::read(&parts.headers).check_notification(&method) {
                Ok(()) => accepted(),
                Err(fault) => error(StatusCode::BAD_REQUEST, None, &fault),
            }
        }
        Ok(Message::Response) => {
            let fault = RpcError::invalid_request("no request was made that this could answer");
            error(StatusCode::BAD_REQUEST, None, &fault)
        }
        Ok(Message::Batch(items)) => {
            return Step::Later(Box::pin(async move {
                let asked = Asked { parts, surfaces: surfaces.as_deref() };
                batch::respond(shared, asked, items).await
            }));
        }
        Err(invalid) => {
            let modern = McpHeaders::read(&parts.headers).is_modern();
            error(status_of(&invalid.error, modern), invalid.id, &invalid.error)
        }
    })
}

/// Answers a request.
fn respond(shared: &Shared, asked: Asked<'_>, request: jsonrpc::Request<'_>) -> Step<'static> {
    let id = request.id;
    let (answer, modern, reports) = match answer(shared, asked, request) {
        Ok(answered) => answered,
        Err(fault) => {
            // A request that contradicts itself or says too little is a bad one in every revision.
            let status = match fault.code {
                RpcError::INVALID_PARAMS => StatusCode::BAD_REQUEST,
                _ => status_of(&fault, true),
            };
            return Step::Done(error(status, serde_json::from_str(id).ok(), &fault));
        }
    };
    match (answer, reports) {
        (Answer::Now(body), _) => Step::Done(response(id, body, modern)),
        (Answer::Stream(subscription), _) => Step::Done(shared.streams.subscription(subscription)),
        (Answer::Later(body), None) => {
            let id = id.to_owned();
            Step::Later(Box::pin(async move { response(&id, body.await, modern) }))
        }
        (Answer::Later(body), Some(reports)) => {
            let id = id.to_owned();
            let body = Box::pin(async move { jsonrpc::response(&id, body.await) });
            Step::Later(Box::pin(async move {
                match sse::with_progress(body, reports).await {
                    Ok(text) => json(StatusCode::OK, text),
                    Err(stream) => stream,
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

/// The answer to a request, whether it follows 2026-07-28, and where its progress is reported.
pub(super) fn answer(
    shared: &Shared,
    asked: Asked<'_>,
    request: jsonrpc::Request<'_>,
) -> Result<(Answer, bool, Option<mpsc::Receiver<String>>), RpcError> {
    let jsonrpc::Request { id, method, mut params } = request;
    let given = params.meta.take();
    let meta = RequestMeta::read(given.as_ref())?;
    let headers = &asked.parts.headers;
    let modern = McpHeaders::read(headers).check(&method, &params, &meta)?;
    let (report, reports) = match meta.progress_token {
        Some(token) => {
            let (report, reports) = reporting(token.to_value());
            (Some(report), Some(reports))
        }
        None => (None, None),
    };
    let client = ClientContext {
        modern,
        name: meta.client,
        capabilities: meta.capabilities,
        meta: given.as_ref(),
        transport: &HttpRequest(headers),
        surfaces: asked.surfaces,
        cancel: None,
        report,
    };
    let answer = dispatch(&shared.server, Request { id, method: &method, params, client });
    Ok((answer, modern, reports))
}

/// A function that sends notifications of progress, and where they arrive.
fn reporting(token: serde_json::Value) -> (Report, mpsc::Receiver<String>) {
    let (send, reports) = mpsc::channel(REPORTS);
    let report: Report = Arc::new(move |done, total, message| {
        let text = jsonrpc::progress(&token, done, total, message.as_deref());
        let send = send.clone();
        // A caller that is gone needs no progress.
        Box::pin(async move { _ = send.send(text).await })
    });
    (report, reports)
}

fn accepted() -> Response<Body> {
    let mut response = Response::new(Body::from(""));
    *response.status_mut() = StatusCode::ACCEPTED;
    response
}

/// The whole body, or the response that says why it could not be read.
pub(super) async fn read<B>(shared: &Shared, body: B) -> Result<Bytes, Response<Body>>
where
    B: http_body::Body<Data = Bytes> + Send + 'static,
{
    let most = shared.server.settings.max_request_bytes;
    let mut whole = std::pin::pin!(body::whole(body, most));
    // Nearly always it is there already: then no timer is needed.
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
        Ok(Err(Unread::Broken)) => Err(plain(StatusCode::BAD_REQUEST, "The request broke off.\n")),
        Err(_) => Err(plain(StatusCode::REQUEST_TIMEOUT, "The request took too long.\n")),
    }
}

/// A value of a query. Names of surfaces need no decoding but for the comma.
fn query(query: Option<&str>, name: &str) -> Option<String> {
    let pairs = query?.split('&').filter_map(|pair| pair.split_once('='));
    pairs.into_iter().find(|(key, _)| *key == name).map(|(_, value)| value.replace("%2C", ","))
}
