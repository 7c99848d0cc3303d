//! Routes: `/mcp` (or the root, if nested), the gallery at `/`, `/healthz`, `/readyz`, `/metrics`, `/debug`
//! and `/.well-known`.

use std::sync::Arc;

use bytes::Bytes;
use http::header::{self, HeaderValue};
use http::{Method, Response, StatusCode};

use super::body::Body;
use super::gate::Head;
use super::headers::{McpHeaders, wants_events};
use super::response::{close, error, json, plain, status_of};
use super::shared::{Shared, is_mcp_path};
use super::{debug, gallery, gate, mcp, sse};
use crate::metrics;
use crate::protocol::{RpcError, jsonrpc};
use crate::reload::Change;
use crate::sdk::refusal::Refusal;
use crate::server::Server;

const WELL_KNOWN: &str = "/.well-known/";
/// The path at which OpenAI verifies a domain.
const DOMAIN_PROOF: &str = "/.well-known/openai-apps-challenge";

/// The endpoints next to the app.
const MOUNT_METHODS: &str = "GET, POST, PUT, DELETE, OPTIONS";

pub(super) async fn route<B>(shared: &Arc<Shared>, head: &Head, body: B) -> Response<Body>
where
    B: http_body::Body<Data = Bytes> + Send + 'static,
{
    if shared.is_for_metrics {
        return unread(&body, without_body(shared, head, false));
    }
    let relay = shared.relay(head.uri.path());
    let is_mcp = is_own_mcp(shared, head);
    if is_mcp && head.method == Method::POST {
        return refused(mcp::post(shared, head, body).await);
    }
    #[cfg(feature = "gallery")]
    if head.method == Method::POST && gallery::is_draw(shared, head) {
        return refused(Box::pin(gallery::draw(shared, head, body)).await);
    }
    let mount = relay.or_else(|| shared.mount(head.uri.path()));
    if let Some(mount) = mount.filter(|_| !gallery::comes_first(shared, head)) {
        return match head.method {
            Method::OPTIONS => unread(&body, gate::preflight_with(&head.headers, MOUNT_METHODS)),
            _ => refused(mount.answer(&shared.server, &shared.streams, head, body).await),
        };
    }
    let is_get = matches!(head.method, Method::GET | Method::HEAD);
    let page = match is_get {
        true if head.uri.path() == debug::PATH => Box::pin(debug::get(shared, head)).await,
        true => Box::pin(gallery::get(shared, head)).await,
        false => None,
    };
    unread(&body, page.unwrap_or_else(|| without_body(shared, head, is_mcp)))
}

/// The name of a path in a trace: only known paths.
pub(super) fn route_name(path: &str) -> &'static str {
    const KNOWN: [&str; 6] = ["/mcp", "/", "/healthz", "/readyz", "/metrics", debug::PATH];
    match KNOWN.into_iter().find(|known| *known == path) {
        Some(known) => known,
        None if path.starts_with("/gallery/") => "/gallery",
        None if path.starts_with(WELL_KNOWN) => WELL_KNOWN,
        None => "other",
    }
}

/// Whether a request is for the protocol, and for the app rather than a mounted service.
pub(super) fn is_own_mcp(shared: &Shared, head: &Head) -> bool {
    let path = head.uri.path();
    is_mcp_path(path) && shared.relay(path).is_none() || gallery::is_mcp(shared, head)
}

/// If a body was not read to its end, the connection cannot be reused, and the client is informed.
fn refused(mut response: Response<Body>) -> Response<Body> {
    if matches!(
        response.status(),
        StatusCode::REQUEST_TIMEOUT
            | StatusCode::PAYLOAD_TOO_LARGE
            | StatusCode::UNSUPPORTED_MEDIA_TYPE
            | StatusCode::SERVICE_UNAVAILABLE
    ) {
        close(&mut response);
    }
    response
}

/// The same if the body was not read at all.
pub(super) fn unread(body: &impl http_body::Body, mut response: Response<Body>) -> Response<Body> {
    if !body.is_end_stream() {
        close(&mut response);
    }
    response
}

/// Endpoints that need no body.
fn without_body(shared: &Shared, head: &Head, is_mcp: bool) -> Response<Body> {
    match (&head.method, head.uri.path()) {
        (&Method::OPTIONS, _) => gate::preflight(&head.headers),
        (&Method::GET | &Method::HEAD, "/healthz") => plain(StatusCode::OK, "ok\n"),
        (&Method::GET | &Method::HEAD, "/readyz") if shared.is_draining() => {
            plain(StatusCode::SERVICE_UNAVAILABLE, "stopping\n")
        }
        (&Method::GET | &Method::HEAD, "/readyz") => match shared.server.reloader.problem() {
            Some(problem) => plain(StatusCode::SERVICE_UNAVAILABLE, format!("{problem}\n")),
            // Calls work without it, and other processes use the same store.
            None if shared.server.metrics.store_errors.are_recent() => {
                plain(StatusCode::OK, "ready, but the store failed within the last minute\n")
            }
            None => plain(StatusCode::OK, "ready\n"),
        },
        #[cfg(feature = "metrics")]
        (&Method::GET | &Method::HEAD, "/metrics") if has_metrics(shared) => {
            read_metrics(shared, head)
        }
        (&Method::GET | &Method::HEAD, path) if path.starts_with(WELL_KNOWN) => {
            match well_known(&shared.server, path) {
                Some(document) => document,
                None => nothing(),
            }
        }
        (&Method::GET, _) if is_mcp && wants_events(&head.headers) => changes(shared, head),
        // A session id carries its own state, so there is nothing to delete.
        (_, _) if is_mcp => {
            let words = "This is an MCP server: add its URL to an MCP client. Use POST; GET opens an \
                event stream only in revisions before 2026-07-28.\n";
            let mut response = plain(StatusCode::METHOD_NOT_ALLOWED, words);
            let allow = HeaderValue::from_static("POST, OPTIONS");
            response.headers_mut().insert(header::ALLOW, allow);
            response
        }
        _ => nothing(),
    }
}

fn nothing() -> Response<Body> {
    plain(StatusCode::NOT_FOUND, "Not found. MCP is at /mcp.\n")
}

/// The well-known documents.
fn well_known(server: &Server, path: &str) -> Option<Response<Body>> {
    if path == DOMAIN_PROOF {
        return Some(plain(StatusCode::OK, server.settings.openai_challenge.as_deref()?));
    }
    let resource = server.policy.resource.as_ref().filter(|resource| resource.is_at(path))?;
    Some(json(StatusCode::OK, resource.document.clone()))
}

/// Whether this path serves the metrics. They contain tool names, so with authentication they require a token
/// or a separate address.
fn has_metrics(shared: &Shared) -> bool {
    let settings = &shared.server.settings;
    let is_open = settings.metrics_token.is_some() || shared.server.policy.auth.is_none();
    shared.is_for_metrics || settings.metrics_address.is_none() && is_open
}

#[cfg(feature = "metrics")]
fn read_metrics(shared: &Shared, head: &Head) -> Response<Body> {
    let shown = head.headers.get(header::AUTHORIZATION).map(HeaderValue::as_bytes);
    let shown = shown.and_then(|text| text.strip_prefix(b"Bearer "));
    if let Some(token) = &shared.server.settings.metrics_token
        && !shown.is_some_and(|shown| is_same(shown, token.as_bytes()))
    {
        let mut response = plain(StatusCode::UNAUTHORIZED, "/metrics requires metrics_token.\n");
        let how = HeaderValue::from_static("Bearer");
        response.headers_mut().insert(header::WWW_AUTHENTICATE, how);
        return response;
    }
    let mut response = plain(StatusCode::OK, shared.server.metrics.text());
    let mime = HeaderValue::from_static(metrics::MIME);
    response.headers_mut().insert(header::CONTENT_TYPE, mime);
    response
}

/// Compares secrets in constant time.
fn is_same(one: &[u8], other: &[u8]) -> bool {
    let differences = one.iter().zip(other).fold(0, |all, (one, other)| all | (one ^ other));
    one.len() == other.len() && std::hint::black_box(differences) == 0
}

/// The stream of changes for clients with a handshake. The server keeps no session state, so every stream
/// contains the changes of all resources that its caller may read; with authentication, none of resource
/// templates.
fn changes(shared: &Shared, head: &Head) -> Response<Body> {
    let admitted = match shared.server.policy.admits(head.caller.as_ref()) {
        true => Ok(()),
        false => Err(RpcError::refused(&Refusal::unauthorized(), shared.server.policy.metadata())),
    };
    let session = || McpHeaders::read(&head.headers).check_session(&shared.server);
    if let Err(fault) = admitted.and_then(|()| session()) {
        return error(status_of(&fault, false), None, &fault);
    }
    let event = |change: &Change| sse::message(&jsonrpc::changed(change));
    // Some were missed, so tell the client to read every list again.
    let all = move || event(&Change::Tools) + &event(&Change::Resources);
    let changes = shared.server.reloader.subscribe();
    let (server, caller) = (Arc::clone(&shared.server), head.caller.clone());
    let write = move |change: Option<Change>| match change {
        None => all(),
        Some(Change::Resource(uri)) if !server.tells_unasked_of(&uri, caller.as_ref()) => {
            String::new()
        }
        Some(change) => event(&change),
    };
    shared.streams.broadcast(head, changes, write)
}
