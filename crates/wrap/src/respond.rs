//! HTTP responses of the front: JSON, event streams and errors.

use bytes::Bytes;
use futures_util::{Stream, StreamExt as _};
use http::header::{self, HeaderName, HeaderValue};
use http::{Response, StatusCode};
use widgetcast::http::Body;

use crate::message;

pub(crate) const EVENTS: &str = "text/event-stream";
/// The JSON-RPC error code of the relay.
pub(crate) const NO_SERVER: i32 = -32000;
const INVALID_REQUEST: i32 = -32600;

pub(crate) type Answered = Result<Response<Body>, Box<Response<Body>>>;

pub(crate) fn respond(status: StatusCode, mime: &'static str, body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_TYPE, mime),
        (header::CACHE_CONTROL, "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (header::REFERRER_POLICY, "no-referrer"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

pub(crate) fn json(status: StatusCode, text: String) -> Response<Body> {
    respond(status, "application/json", text.into())
}

/// A status without a body.
pub(crate) fn empty(status: StatusCode) -> Response<Body> {
    let mut response = Response::new(Body::from(""));
    *response.status_mut() = status;
    response
}

pub(crate) fn bad(id: Option<&str>, why: &str) -> Box<Response<Body>> {
    let text = message::error(id.unwrap_or("null"), INVALID_REQUEST, why);
    Box::new(json(StatusCode::BAD_REQUEST, text))
}

pub(crate) fn refused(status: StatusCode, id: Option<&str>, why: &str) -> Box<Response<Body>> {
    Box::new(json(status, message::error(id.unwrap_or("null"), NO_SERVER, why)))
}

/// A rejection with `Retry-After` in seconds.
pub(crate) fn later(status: StatusCode, seconds: u64, id: &str, why: &str) -> Box<Response<Body>> {
    let mut response = refused(status, Some(id), why);
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    response
}

pub(crate) fn only(methods: &'static str) -> Box<Response<Body>> {
    let why = "This is an MCP server: add its URL to an MCP client. Use POST; GET opens the event stream of a \
        session, and DELETE ends the session.\n";
    let mut response =
        respond(StatusCode::METHOD_NOT_ALLOWED, "text/plain; charset=utf-8", why.into());
    response.headers_mut().insert(header::ALLOW, HeaderValue::from_static(methods));
    Box::new(response)
}

/// A message as an event.
pub(crate) fn event(text: &str) -> Bytes {
    // Line breaks are whitespace in JSON, but end a line of an event.
    format!("event: message\ndata: {}\n\n", text.replace(['\n', '\r'], " ")).into()
}

/// A comment that keeps an idle stream open through proxies.
pub(crate) fn still_here() -> Bytes {
    Bytes::from_static(b": still here\n\n")
}

/// An event stream. It starts with a comment, so that the client immediately knows that it is open.
pub(crate) fn events(chunks: impl Stream<Item = Bytes> + Send + 'static) -> Response<Body> {
    let first = futures_util::stream::once(std::future::ready(still_here()));
    let mut response = respond(StatusCode::OK, EVENTS, Body::stream(first.chain(chunks)));
    let name = HeaderName::from_static("x-accel-buffering");
    response.headers_mut().insert(name, HeaderValue::from_static("no"));
    response
}

/// The status of a response in the revision without a handshake.
pub(crate) fn status_of(error: Option<i64>) -> StatusCode {
    match error {
        Some(-32601) => StatusCode::NOT_FOUND,
        Some(-32700 | -32600 | -32022..=-32020) => StatusCode::BAD_REQUEST,
        _ => StatusCode::OK,
    }
}
