//! Responses that several modules use.

use std::sync::LazyLock;

use http::header::{self, HeaderMap, HeaderName, HeaderValue};
use http::{Response, StatusCode};
use serde_json::Value;

use super::body::Body;
use crate::protocol::{RpcError, jsonrpc};
use crate::worker::Undone;

const JSON: &str = "application/json";
const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// The headers of a response of this type: browsers must not sniff the type, cache it, send a referrer, or
/// let other sites load it as an image or a script.
fn headers(mime: &'static str) -> HeaderMap {
    let all = [
        (header::CONTENT_TYPE, mime),
        (header::CACHE_CONTROL, "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (RESOURCE_POLICY, "same-origin"),
    ];
    all.into_iter().map(|(name, value)| (name, HeaderValue::from_static(value))).collect()
}

/// A response of this type.
pub(super) fn with_type(mime: &'static str, body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    *response.headers_mut() = headers(mime);
    response
}

pub(super) fn json(status: StatusCode, text: String) -> Response<Body> {
    // Cloning them is faster than building them.
    static HEADERS: LazyLock<HeaderMap> = LazyLock::new(|| headers(JSON));
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    response.headers_mut().clone_from(&HEADERS);
    response
}

pub(super) fn plain(status: StatusCode, text: impl Into<String>) -> Response<Body> {
    let mut response = with_type("text/plain; charset=utf-8", Body::from(text.into()));
    *response.status_mut() = status;
    response
}

/// A JSON-RPC error response.
pub(super) fn error(status: StatusCode, id: Option<Value>, error: &RpcError) -> Response<Body> {
    let mut response = json(status, jsonrpc::error(id, error));
    let challenge = error.challenge.as_deref().map(HeaderValue::try_from);
    if let Some(Ok(challenge)) = challenge {
        response.headers_mut().insert(header::WWW_AUTHENTICATE, challenge);
    }
    if let Some(seconds) = error.retry_after() {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    response
}

/// Rejects with `Retry-After` in seconds.
pub(super) fn later(status: StatusCode, seconds: u64, id: Option<Value>) -> Response<Body> {
    later_because(status, seconds, id, format!("Too many requests; retry in {seconds} s"))
}

/// The same, with a message that names the limit.
pub(super) fn later_because(
    status: StatusCode,
    seconds: u64,
    id: Option<Value>,
    words: String,
) -> Response<Body> {
    let fault = RpcError::new(RpcError::INTERNAL, words);
    let mut response = error(status, id, &fault);
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    response
}

/// Closes the connection after this response.
pub(super) fn close(response: &mut Response<Body>) {
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
}

/// The response to HEAD: that of GET, without the body.
pub(super) fn head_only(response: &mut Response<Body>) {
    let length = HeaderValue::from(response.body().len());
    response.headers_mut().insert(header::CONTENT_LENGTH, length);
    *response.body_mut() = Body::from("");
}

/// The status of an error response.
pub(super) fn status_of(error: &RpcError, modern: bool) -> StatusCode {
    match error.code {
        RpcError::PARSE
        | RpcError::INVALID_REQUEST
        | RpcError::HEADER_MISMATCH
        | RpcError::MISSING_CAPABILITY
        | RpcError::UNSUPPORTED_VERSION => StatusCode::BAD_REQUEST,
        RpcError::UNAUTHORIZED => StatusCode::UNAUTHORIZED,
        RpcError::FORBIDDEN => StatusCode::FORBIDDEN,
        RpcError::TOO_MANY => StatusCode::TOO_MANY_REQUESTS,
        RpcError::UNAVAILABLE => StatusCode::SERVICE_UNAVAILABLE,
        RpcError::SESSION_NOT_FOUND => StatusCode::NOT_FOUND,
        RpcError::METHOD_NOT_FOUND if modern => StatusCode::NOT_FOUND,
        _ => StatusCode::OK,
    }
}

/// An HTML page, with its content security policy.
pub(super) fn page(html: &'static str, policy: HeaderValue) -> Response<Body> {
    let mut response = with_type("text/html; charset=utf-8", Body::from(html));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}

/// The response if a worker has failed or rejected its work.
pub(super) fn undone_work(undone: Undone) -> Response<Body> {
    let status = match undone {
        Undone::Busy => StatusCode::SERVICE_UNAVAILABLE,
        Undone::Panicked => StatusCode::INTERNAL_SERVER_ERROR,
    };
    let mut response = error(status, None, &RpcError::undone(undone));
    if undone == Undone::Busy {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("2"));
    }
    response
}
