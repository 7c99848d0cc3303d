//! JSON-RPC batches over HTTP, which only revision 2025-03-26 has.

use std::sync::Arc;

use http::header::{self, HeaderValue};
use http::request::Parts;
use http::{Response, StatusCode};
use http_body_util::BodyExt as _;
use serde_json::value::RawValue;
use widgetcast::Budgeted;
use widgetcast::http::{Body, Visitor};

use crate::front::Front;
use crate::headers::VERSION;
use crate::message::{self, Kind, Message};
use crate::relay::batch;
use crate::respond::{Answered, NO_SERVER, bad, empty, json};

/// Maximum messages of a batch.
const MAX_BATCH: usize = 50;

impl Front {
    /// Handles the requests of a batch one by one, as if each came alone, until the responses reach the size
    /// limit.
    pub(crate) async fn post_batch(
        self: Arc<Self>,
        text: String,
        parts: &Parts,
        visitor: &Visitor,
    ) -> Answered {
        let version = parts.headers.get(VERSION).map(HeaderValue::as_bytes);
        if !matches!(version, None | Some(b"2025-03-26" | b"2024-11-05")) {
            return Err(bad(None, "batches are not supported in this revision"));
        }
        let split = visitor.work(text.len(), move |budgeted| split(&text, budgeted));
        let items = split.await??;
        // An error of the session is the response to the whole batch.
        self.session(parts, visitor, None)?;
        let mut alone = parts.clone();
        alone.headers.insert(header::ACCEPT, HeaderValue::from_static("application/json"));
        // Requests may wait for client responses that are in the same batch.
        let (asked, said): (Vec<Item>, Vec<Item>) =
            items.into_iter().partition(|item| item.id.is_some());
        let (mut answers, mut size) = (Vec::new(), 0);
        for item in said.into_iter().chain(asked) {
            let answered = match size > self.most_bytes {
                true => {
                    let why = "the responses are too large for a batch; send requests one by one";
                    let id = item.id.unwrap_or_default();
                    answers.push(message::error(&id, NO_SERVER, why));
                    continue;
                }
                false => Arc::clone(&self).post(item.text, &alone, visitor.clone()).await,
            };
            let response = answered.unwrap_or_else(|refused| *refused);
            let Ok(body) = response.into_body().collect().await;
            let body = String::from_utf8_lossy(&body.to_bytes()).into_owned();
            size += body.len();
            answers.extend((!body.is_empty()).then_some(body));
        }
        Ok(match answers.is_empty() {
            true => empty(StatusCode::ACCEPTED),
            false => json(StatusCode::OK, format!("[{}]", answers.join(","))),
        })
    }
}

/// A message of a batch, and the id of a request.
struct Item {
    id: Option<String>,
    text: String,
}

fn split(text: &str, _: Budgeted) -> Result<Vec<Item>, Box<Response<Body>>> {
    let items = batch(text).filter(|items| items.len() <= MAX_BATCH).ok_or_else(|| {
        bad(None, &format!("a batch must have between 1 and {MAX_BATCH} messages"))
    })?;
    let method = |item: &RawValue| Some(Message::read(item.get())?.method? == "initialize");
    if items.iter().any(|item| method(item) == Some(true)) {
        return Err(bad(None, "initialize must not be part of a batch"));
    }
    let id = |text: &str| match Message::read(text)?.kind()? {
        Kind::Request { id, .. } => Some(id.to_owned()),
        _ => None,
    };
    let item = |item: &RawValue| Item { id: id(item.get()), text: item.get().to_owned() };
    Ok(items.into_iter().map(item).collect())
}
