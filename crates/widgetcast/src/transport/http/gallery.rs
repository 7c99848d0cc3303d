//! The endpoints of the gallery. They also return findings about files, which are for the author: by default,
//! only local requests are served.

use std::sync::Arc;

use bytes::Bytes;
use http::header::{self, HeaderValue};
use http::{Method, Response, StatusCode};
use serde_json::{Value, json};
use widgetcast_core::file_schema;

use super::body::Body;
use super::gate::Head;
use super::headers::{sends_json, wants_events};
use super::mcp;
use super::response::{error, json as json_response, page, plain, undone_work, with_type};
use super::shared::Shared;
use crate::gallery::{self, frame};
use crate::server::Server;
use crate::worker::Budgeted;

/// Whether a protocol request comes from the gallery: its page reads resources and calls tools like any
/// client, but has no credentials. Browsers send the origin of a POST; other programs, which may have
/// credentials, do not.
pub(super) fn is_sender(shared: &Shared, head: &Head) -> bool {
    let headers = &head.headers;
    headers.contains_key(header::ORIGIN)
        && !headers.contains_key(header::AUTHORIZATION)
        && is_shown(shared, head)
}

/// Whether the gallery is served to a local user.
pub(super) fn is_offered(server: &Server) -> bool {
    let (policy, settings) = (&server.policy, &server.settings);
    match policy.has_authenticator() {
        // With authentication, only if enabled, because it calls tools as the local caller: behind a local
        // proxy, remote users may look local.
        true => settings.gallery == Some(true) && policy.admits(policy.local_caller.as_ref()),
        false => settings.gallery != Some(false),
    }
}

fn is_shown(shared: &Shared, head: &Head) -> bool {
    let server = &shared.server;
    is_offered(server)
        && match server.policy.has_authenticator() {
            // It acts as the local caller, so it is for local users only.
            true => head.is_local() && head.is_same_origin(),
            false => server.settings.gallery == Some(true) || head.is_local(),
        }
}

/// Whether a request is for the protocol as the gallery speaks it.
pub(super) fn is_mcp(shared: &Shared, head: &Head) -> bool {
    head.uri.path() == gallery::MCP_PATH && is_shown(shared, head)
}

/// Whether a request is not for a mounted service, although its path is: the page at the root is the gallery's, and
/// a service of the gallery is only for those who see it.
pub(super) fn comes_first(shared: &Shared, head: &Head) -> bool {
    match head.uri.path() {
        "/" => {
            matches!(head.method, Method::GET | Method::HEAD)
                && !wants_events(&head.headers)
                && is_shown(shared, head)
        }
        path => path == gallery::DRAFT_PATH && !is_shown(shared, head),
    }
}

/// Whether a POST is a render request.
pub(super) fn is_draw(shared: &Shared, head: &Head) -> bool {
    head.uri.path() == gallery::DRAW_PATH && is_shown(shared, head)
}

/// The page or one of its endpoints; `None` if a GET is for something else.
pub(super) async fn get(shared: &Arc<Shared>, head: &Head) -> Option<Response<Body>> {
    if !is_shown(shared, head) {
        return None;
    }
    match head.uri.path() {
        "/" if !wants_events(&head.headers) => {
            let policy = frame::page_policy(&shared.server.settings.image_origins);
            Some(page_with(gallery::PAGE, policy))
        }
        gallery::EVENTS_PATH if head.method == Method::GET => Some(edits(shared, head)),
        gallery::INDEX_PATH => {
            let drafts = shared.mount(gallery::DRAFT_PATH).is_some();
            Some(ask(shared, move |server, it| Some(gallery::index(server, drafts, it))).await)
        }
        gallery::COMPONENTS_PATH => Some(ask(shared, |_, _| Some(file_schema())).await),
        frame::PATH => {
            let policy = frame::view_policy(head.uri.query().unwrap_or_default());
            Some(page_with(frame::PAGE, policy))
        }
        path => {
            if let Some((_, mime, text)) = gallery::ASSETS.iter().find(|(at, ..)| *at == path) {
                return Some(with_type(mime, Body::from(*text)));
            }
            let name = path.strip_prefix(gallery::TOOL_PATH)?.to_owned();
            Some(ask(shared, move |server, it| gallery::tool(server, &name, it)).await)
        }
    }
}

fn page_with(html: &'static str, policy: String) -> Response<Body> {
    match HeaderValue::try_from(policy) {
        Ok(policy) => page(html, policy),
        Err(_) => plain(StatusCode::BAD_REQUEST, "Invalid policy.\n"),
    }
}

/// Requests that read files run on a worker.
async fn ask(
    shared: &Arc<Shared>,
    question: impl FnOnce(&Server, Budgeted) -> Option<Value> + Send + 'static,
) -> Response<Body> {
    let server = Arc::clone(&shared.server);
    let ask = move |budgeted| Some(question(&server, budgeted)?.to_string());
    let asked = shared.server.workers.run(ask);
    match asked.await {
        Ok(Some(text)) => json_response(StatusCode::OK, text),
        Ok(None) => plain(StatusCode::NOT_FOUND, "Unknown tool.\n"),
        Err(undone) => undone_work(undone),
    }
}

/// The stream of changed files.
fn edits(shared: &Shared, head: &Head) -> Response<Body> {
    shared.streams.broadcast(head, shared.server.reloader.edits(), |names| {
        let names = names.as_deref().unwrap_or_default();
        format!("event: changed\ndata: {}\n\n", json!({ "tools": names }))
    })
}

/// Calls a tool and renders its result for every surface.
pub(super) async fn draw<B>(shared: &Shared, head: &Head, body: B) -> Response<Body>
where
    B: http_body::Body<Data = Bytes> + Send + 'static,
{
    // A form on another site cannot send this type without a preflight request.
    if !sends_json(&head.headers) {
        let words = "Content-Type must be application/json.\n";
        return plain(StatusCode::UNSUPPORTED_MEDIA_TYPE, words);
    }
    let text = match mcp::read(shared, body).await {
        Ok(text) => text,
        Err(response) => return response,
    };
    match gallery::draw(&shared.server, head.peer, text).await {
        Ok(drawn) => json_response(StatusCode::OK, drawn),
        Err(fault) => error(StatusCode::BAD_REQUEST, None, &fault),
    }
}
