//! Responses that are made in more than one place.

use http::header::{self, HeaderValue};
use http::{Response, StatusCode};
use serde_json::Value;

use super::body::Body;
use crate::protocol::{RpcError, jsonrpc};
use crate::worker::Undone;

const JSON: HeaderValue = HeaderValue::from_static("application/json");

pub(super) fn json(status: StatusCode, text: String) -> Response<Body> {
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, JSON);
    response
}

pub(super) fn plain(status: StatusCode, text: impl Into<String>) -> Response<Body> {
    let mut response = Response::new(Body::from(text.into()));
    *response.status_mut() = status;
    let mime = HeaderValue::from_static("text/plain; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, mime);
    response
}

/// An error of the protocol.
pub(super) fn error(status: StatusCode, id: Option<Value>, error: &RpcError) -> Response<Body> {
    json(status, jsonrpc::error(id, error))
}

/// The status of an error response.
pub(super) fn status_of(error: &RpcError, modern: bool) -> StatusCode {
    match error.code {
        RpcError::PARSE
        | RpcError::INVALID_REQUEST
        | RpcError::HEADER_MISMATCH
        | RpcError::UNSUPPORTED_VERSION => StatusCode::BAD_REQUEST,
        RpcError::METHOD_NOT_FOUND if modern => StatusCode::NOT_FOUND,
        _ => StatusCode::OK,
    }
}

/// A page for a browser, with what it may do.
pub(super) fn page(html: &'static str, policy: &'static str) -> Response<Body> {
    let mut response = Response::new(Body::from(html));
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-cache"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// The response where a worker has not done its work.
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
