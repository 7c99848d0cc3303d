//! Several messages in one request, which only revision 2025-03-26 has; it is also what a client
//! without a version header speaks.

use http::{Response, StatusCode};
use serde_json::value::RawValue;

use super::answer::{Asked, answer};
use super::body::Body;
use super::headers::McpHeaders;

use super::response::{error, json};
use super::shared::Shared;
use crate::protocol::jsonrpc::{self, Message};
use crate::protocol::{Answer, RpcError};

const MAX_MESSAGES: usize = 100;

pub(super) async fn respond(
    shared: &Shared,
    asked: Asked<'_>,
    items: Vec<&RawValue>,
) -> Response<Body> {
    let refuse =
        |words: String| error(StatusCode::BAD_REQUEST, None, &RpcError::invalid_request(words));
    let version = McpHeaders::read(&asked.parts.headers).version;
    if !matches!(version, None | Some("2025-03-26" | "2024-11-05")) {
        return refuse("batches are not supported".into());
    }
    if items.len() > MAX_MESSAGES {
        return refuse(format!("more than {MAX_MESSAGES} messages"));
    }
    let mut answers = Vec::new();
    let mut bytes = 0;
    for item in items {
        if bytes > shared.server.settings.max_response_bytes {
            return refuse("the answers are too large; ask one by one".into());
        }
        match jsonrpc::read(item.get().as_bytes()) {
            Ok(Message::Request(request)) => {
                let answer = respond_to(shared, asked, request).await;
                bytes += answer.len();
                answers.push(answer);
            }
            Ok(Message::Notification { .. } | Message::Response) => {}
            Ok(Message::Batch(_)) => {
                let fault = RpcError::invalid_request("not an object");
                answers.push(jsonrpc::error(None, &fault));
            }
            Err(invalid) => answers.push(jsonrpc::error(invalid.id, &invalid.error)),
        }
    }
    match answers.is_empty() {
        true => json(StatusCode::ACCEPTED, String::new()),
        false => json(StatusCode::OK, format!("[{}]", answers.join(","))),
    }
}

async fn respond_to(shared: &Shared, asked: Asked<'_>, request: jsonrpc::Request<'_>) -> String {
    let id = request.id;
    let body = match answer(shared, asked, request) {
        Err(fault) => Err(fault),
        Ok((Answer::Now(body), ..)) => body,
        // Progress has nowhere to go: the receiver is dropped.
        Ok((Answer::Later(body), ..)) => body.await,
        Ok((Answer::Stream(_), ..)) => {
            Err(RpcError::new(RpcError::METHOD_NOT_FOUND, "a batch cannot open a stream"))
        }
    };
    jsonrpc::response(id, body)
}
