//! JSON-RPC batches, which only revision 2025-03-26 has; clients without a version header use that revision,
//! too.

use std::sync::Arc;

use bytes::Bytes;
use http::{Response, StatusCode};

use super::answer::{Asked, Surfaces, answer};
use super::body::Body;
use super::gate::Head;
use super::headers::McpHeaders;
use super::response::{error, json, later, status_of, undone_work};
use super::shared::Shared;
use crate::protocol::jsonrpc::{self, MAX_BATCH, Message};
use crate::protocol::{Answer, RpcError, Running, access};

/// Handles the messages of a batch one by one, until the responses reach the size limit.
pub(super) async fn respond(
    shared: &Arc<Shared>,
    parts: &Head,
    surfaces: Option<Surfaces>,
    text: Bytes,
) -> Response<Body> {
    let refuse =
        |words: String| error(StatusCode::BAD_REQUEST, None, &RpcError::invalid_request(words));
    let headers = McpHeaders::read(&parts.headers);
    if let Err(fault) = headers.check_session(&shared.server) {
        return error(status_of(&fault, false), None, &fault);
    }
    if !matches!(headers.version, None | Some("2025-03-26" | "2024-11-05")) {
        return refuse("batches are not supported".into());
    }
    let items = match jsonrpc::read(&text) {
        Ok(Message::Batch(items)) if items.len() <= MAX_BATCH => items,
        _ => return refuse(format!("a batch may have at most {MAX_BATCH} messages")),
    };
    let settings = &shared.server.settings;
    let most = settings.max_response_bytes;
    let mut out = String::from("[");
    // Finished responses wait for the others, so they count as buffered before they are sent.
    let mut held = shared.server.metrics.hold(settings.max_buffered_bytes);
    for item in items {
        if out.len() > most {
            return refuse(
                "the responses are too large for a batch; send the requests one by one".into(),
            );
        }
        let item = text.slice_ref(item.get().as_bytes());
        let refusal = access::guard(&shared.server, &item, parts.caller.as_ref(), parts.peer).await;
        let all = (Arc::clone(shared), parts.clone(), surfaces.clone(), item);
        let answered = shared.server.workers.run(move |budgeted| {
            let (surfaces, refusal) = (all.2.as_deref(), refusal.as_ref());
            answer_one(&all.0, Asked { parts: &all.1, surfaces, refusal, budgeted }, &all.3)
        });
        let answer = match answered.await {
            Ok(One::Now(answer)) => answer,
            Ok(One::Later(id, running)) => jsonrpc::response(&id, running.end().await),
            Ok(One::Nothing) => continue,
            Err(undone) => return undone_work(undone),
        };
        let missing = (out.len() + answer.len() + 2).saturating_sub(out.capacity());
        if missing > 0 {
            let more = missing.max(out.capacity().min(most));
            if !held.grow(more) {
                return later(StatusCode::SERVICE_UNAVAILABLE, 1, None);
            }
            out.reserve_exact(out.capacity() - out.len() + more);
        }
        if out.len() > 1 {
            out.push(',');
        }
        out.push_str(&answer);
    }
    if out.len() == 1 {
        return json(StatusCode::ACCEPTED, String::new());
    }
    out.push(']');
    json(StatusCode::OK, out)
}

/// The response to one message of a batch.
enum One {
    Now(String),
    /// Includes the id of the request.
    Later(String, Running),
    Nothing,
}

fn answer_one(shared: &Shared, asked: Asked<'_>, text: &[u8]) -> One {
    let request = match jsonrpc::read(text) {
        Ok(Message::Request(request)) => request,
        Ok(Message::Notification { .. } | Message::Response { .. }) => return One::Nothing,
        Ok(Message::Batch(_)) => {
            return One::Now(jsonrpc::error(None, &RpcError::invalid_request("not an object")));
        }
        Err(invalid) => return One::Now(jsonrpc::error(invalid.id, &invalid.error)),
    };
    let id = request.id;
    One::Now(jsonrpc::response(
        id,
        match answer(shared, asked, request) {
            Err(fault) => Err(fault),
            Ok(answered) => match answered.answer {
                Answer::Now(body) => body,
                Answer::Later(running) => return One::Later(id.to_owned(), running),
                Answer::Stream(_) => {
                    Err(RpcError::new(RpcError::METHOD_NOT_FOUND, "a batch cannot open a stream"))
                }
            },
        },
    ))
}
