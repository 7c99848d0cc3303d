//! Routes: `/mcp` (or the root, where the service is nested), the gallery at `/`, `/healthz`, `/readyz`
//! and `/metrics`.

use std::sync::Arc;

use bytes::Bytes;
use http::header::{self, HeaderValue};
use http::request::Parts;
use http::{Method, Response, StatusCode};

use super::body::Body;
use super::headers::wants_events;
use super::response::plain;
use super::shared::Shared;
use super::{gallery, gate, mcp, sse};
use crate::metrics;
use crate::protocol::jsonrpc;
use crate::reload::Change;

pub(super) async fn route<B>(shared: &Arc<Shared>, parts: &Parts, body: B) -> Response<Body>
where
    B: http_body::Body<Data = Bytes> + Send + 'static,
{
    let is_mcp = matches!(parts.uri.path(), "/mcp" | "/mcp/" | "/" | "");
    if parts.method == Method::POST {
        if is_mcp {
            return mcp::post(shared, parts, body).await;
        }
        if gallery::is_draw(shared, parts) {
            return Box::pin(gallery::draw(shared, parts, body)).await;
        }
    }
    if parts.method == Method::GET
        && let Some(response) = Box::pin(gallery::get(shared, parts)).await
    {
        return response;
    }
    without_body(shared, parts, is_mcp)
}

/// What is answered without reading a body.
fn without_body(shared: &Shared, parts: &Parts, is_mcp: bool) -> Response<Body> {
    match (&parts.method, parts.uri.path()) {
        (&Method::OPTIONS, _) => gate::preflight(&parts.headers),
        (&Method::GET, "/healthz") => plain(StatusCode::OK, "ok\n"),
        (&Method::GET, "/readyz") if shared.stop.is_cancelled() => {
            plain(StatusCode::SERVICE_UNAVAILABLE, "stopping\n")
        }
        (&Method::GET, "/readyz") => plain(StatusCode::OK, "ready\n"),
        (&Method::GET, "/metrics") => {
            let mut response = plain(StatusCode::OK, shared.server.metrics.text());
            let mime = HeaderValue::from_static(metrics::MIME);
            response.headers_mut().insert(header::CONTENT_TYPE, mime);
            response
        }
        (&Method::GET, _) if is_mcp && wants_events(&parts.headers) => changes(shared),
        (_, _) if is_mcp => {
            let words = "Only POST here; GET only for a stream of events before 2026-07-28.\n";
            let mut response = plain(StatusCode::METHOD_NOT_ALLOWED, words);
            let allow = HeaderValue::from_static("POST, OPTIONS");
            response.headers_mut().insert(header::ALLOW, allow);
            response
        }
        _ => plain(StatusCode::NOT_FOUND, "There is nothing here. MCP is at /mcp.\n"),
    }
}

/// The stream of changes for clients with a handshake. There are no sessions, so every stream has the
/// changes of every resource.
fn changes(shared: &Shared) -> Response<Body> {
    let event = |change: &Change| sse::message(&jsonrpc::changed(change));
    // Some were missed, so the client is told to look at every list again.
    let all = move || event(&Change::Tools) + &event(&Change::Resources);
    let changes = shared.server.reloader.subscribe();
    shared.streams.broadcast(changes, move |change| change.map_or_else(all, |one| event(&one)))
}
