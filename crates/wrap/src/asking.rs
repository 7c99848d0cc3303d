//! A client's HTTP request that is waiting for its response.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream;
use http::header;
use http::{Response, StatusCode};
use serde_json::Value;
use serde_json::value::RawValue;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep, sleep_until, timeout};
use widgetcast::Budgeted;
use widgetcast::http::{Body, OpenStream, RelayedCall, Visitor};

use crate::connection::Heard;
use crate::link::{Link, Routed};
use crate::message::{self, Members, Message, replace};
use crate::respond::{NO_SERVER, event, events, json, status_of, still_here};

/// The name of a stream in the audit log.
pub(crate) const STREAM: &str = "wrap";
/// How long a stream may be idle before a comment is sent.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// A call that counts toward quotas, and the name of its tool.
pub(crate) struct Counted {
    pub call: RelayedCall,
    pub tool: String,
}

/// A request that is waiting for its response.
pub(crate) struct Asking {
    pub link: Arc<Link>,
    /// The id as JSON text.
    pub id: String,
    pub answers: mpsc::Receiver<Routed>,
    pub visitor: Visitor,
    /// Whether the response is a list of tools.
    pub is_list: bool,
    pub is_modern: bool,
    /// Whether it probes for the revision without sessions.
    pub is_probe: bool,
    pub call: Option<Counted>,
    /// How long the server may be silent; `None` if it may be silent indefinitely.
    pub patience: Option<Duration>,
    pub until: Instant,
    pub most_bytes: usize,
    /// Returns a reserved link after the response.
    pub home: Option<Box<dyn FnOnce(Arc<Link>) + Send>>,
    pub is_answered: bool,
}

/// The outcome of a request.
pub(crate) enum Said {
    Message(String),
    Answer(Answer),
}

/// The response to a request.
pub(crate) struct Answer {
    pub text: String,
    pub has_result: bool,
    /// The code of its error.
    code: Option<i64>,
    /// The size of the result of a call, or its error.
    outcome: Result<usize, String>,
}

impl Answer {
    fn read(text: String, budgeted: Budgeted) -> Self {
        let has_result = Message::read(&text).is_some_and(|message| message.result.is_some());
        let (code, outcome) = (code(&text, budgeted), outcome(&text, budgeted));
        Self { text, has_result, code, outcome }
    }
}

/// The code of the error in a response.
fn code(answer: &str, _: Budgeted) -> Option<i64> {
    let error = Message::read(answer)?.error?;
    serde_json::from_str::<Value>(error.get()).ok()?.get("code")?.as_i64()
}

impl Asking {
    /// The server's next message. If there is no server, or it is silent for too long, an error response.
    pub(crate) async fn next(&mut self) -> Said {
        loop {
            // While the server waits for the client, its silence does not count.
            let is_asking = self.link.is_asking();
            if is_asking {
                self.renew();
            }
            let (patience, until) = (self.patience, self.until);
            let heard = tokio::select! {
                heard = self.answers.recv() => heard,
                () = sleep_until(until), if patience.is_some() && !is_asking => {
                    let seconds = patience.unwrap_or_default().as_secs_f64();
                    let why = format!("the server did not respond within {seconds} s");
                    self.link.cancel(&self.id, &why);
                    return Said::Answer(self.finish(message::error(&self.id, NO_SERVER, &why)).await);
                }
                () = sleep(KEEP_ALIVE), if is_asking => continue,
            };
            self.renew();
            let Some(Routed { heard, is_answer }) = heard else {
                let why = self.link.why();
                return Said::Answer(self.finish(message::error(&self.id, NO_SERVER, &why)).await);
            };
            let Heard { text, held: _held } = heard;
            if is_answer {
                return Said::Answer(self.finish(text).await);
            }
            if text.len() <= self.most_bytes {
                return Said::Message(text);
            }
            tracing::warn!("dropped a message of {} bytes from the server", text.len());
        }
    }

    fn renew(&mut self) {
        if let Some(patience) = self.patience {
            self.until = Instant::now() + patience;
        }
    }

    /// The response as this client may see it.
    async fn finish(&mut self, text: String) -> Answer {
        self.is_answered = true;
        let (bytes, id, most) = (text.len(), self.id.clone(), self.most_bytes);
        let may_call = self.is_list.then(|| self.visitor.clone());
        let too_large = move |bytes| {
            let why = format!("the response of {bytes} bytes exceeds the limit of {most} bytes");
            message::error(&id, NO_SERVER, &why)
        };
        let read = move |budgeted| {
            let is_error = code(&text, budgeted).is_some();
            let text = match may_call {
                Some(visitor) => allowed(text, &visitor, budgeted),
                None => text,
            };
            let text = if text.len() <= most { text } else { too_large(text.len()) };
            (is_error, Answer::read(text, budgeted))
        };
        let read = self.link.views.app().workers().finish(bytes, read).await;
        let (is_error, answer) = read.unwrap_or_else(|| {
            let text = message::error(&self.id, NO_SERVER, "the response cannot be read");
            let outcome = Err("the response cannot be read".to_owned());
            (true, Answer { text, has_result: false, code: Some(NO_SERVER.into()), outcome })
        });
        if self.is_probe && is_error {
            // The server does not support the revision, so it gets no further requests without a session.
            self.home = None;
            self.link.end();
        }
        if let Some(Counted { call, tool }) = self.call.take() {
            let is_known = answer.outcome.is_ok() || self.link.views.known(&tool).is_some();
            call.end(answer.outcome.clone(), is_known);
        }
        answer
    }

    /// Responds with JSON if the first message is the response, and otherwise with an event stream.
    pub(crate) async fn respond(mut self) -> Response<Body> {
        loop {
            match self.next().await {
                Said::Answer(answer) => return self.answer(answer),
                Said::Message(first) => {
                    // If no further stream is allowed, the request continues, but its other messages are not
                    // sent.
                    if let Ok(open) = self.visitor.open_free_stream(STREAM) {
                        return self.stream(Some(first), open);
                    }
                }
            }
        }
    }

    /// The HTTP response with this body.
    pub(crate) fn answer(&self, answer: Answer) -> Response<Body> {
        let Answer { text, code: error, .. } = answer;
        let status = if self.is_modern { status_of(error) } else { StatusCode::OK };
        match error.and_then(|_| self.link.challenge.take()) {
            Some((status, challenge)) => {
                let mut response = json(status, text);
                response.headers_mut().insert(header::WWW_AUTHENTICATE, challenge);
                response
            }
            None => json(status, text),
        }
    }

    /// A stream of the server's messages, which ends with the response.
    pub(crate) fn stream(self, first: Option<String>, open: OpenStream) -> Response<Body> {
        let first = first.map(|text| event(&text));
        let state = Some((self, first, open));
        events(stream::unfold(state, async |state| {
            let (mut asking, first, open) = state?;
            if let Some(first) = first {
                return Some((first, Some((asking, None, open))));
            }
            // A stream without a response ends with the server, or when the caller's credentials expire.
            let is_endless = asking.patience.is_none();
            let said = tokio::select! {
                said = timeout(KEEP_ALIVE, asking.next()) => said,
                () = open.ended(), if is_endless => return None,
            };
            Some(match said {
                Err(_) => (still_here(), Some((asking, None, open))),
                Ok(Said::Message(text)) => (event(&text), Some((asking, None, open))),
                Ok(Said::Answer(answer)) => (event(&answer.text), None),
            })
        }))
    }
}

/// Removes the tools that the caller may not call from a list.
fn allowed(text: String, visitor: &Visitor, _: Budgeted) -> String {
    let Some(result) = Message::read(&text).and_then(|message| message.result) else {
        return text;
    };
    let Some(listed) = Members::read(result.get()).and_then(|members| members.get("tools")) else {
        return text;
    };
    let may = |entry: &&&RawValue| {
        let name = Members::read(entry.get()).and_then(|members| members.get("name"));
        let name = name.and_then(|name| serde_json::from_str::<String>(name).ok());
        name.is_some_and(|name| visitor.may_call_relayed(&name))
    };
    let Ok(entries) = serde_json::from_str::<Vec<&RawValue>>(listed) else { return text };
    let allowed: Vec<&str> = entries.iter().filter(may).map(|entry| entry.get()).collect();
    match allowed.len() == entries.len() {
        true => text,
        false => replace(&text, listed, &format!("[{}]", allowed.join(","))),
    }
}

/// The size of a call's result, or its error.
fn outcome(answer: &str, _: Budgeted) -> Result<usize, String> {
    let message = Message::read(answer);
    let Some(result) = message.as_ref().and_then(|message| message.result) else {
        let error = message.and_then(|message| message.error).map(RawValue::get);
        let error: Value = serde_json::from_str(error.unwrap_or_default()).unwrap_or_default();
        return Err(error["message"].as_str().unwrap_or("the call failed").to_owned());
    };
    let members = Members::read(result.get()).unwrap_or_default();
    match members.get("isError") {
        Some("true") => {
            let content = members.get("content").unwrap_or("null");
            let content: Value = serde_json::from_str(content).unwrap_or_default();
            Err(content[0]["text"].as_str().unwrap_or("the call failed").to_owned())
        }
        _ => Ok(answer.len()),
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        if !self.is_answered {
            self.link.cancel(&self.id, "the client disconnected");
        }
        match self.home.take() {
            Some(home) if self.is_answered => home(Arc::clone(&self.link)),
            // A server that is still processing a request must not be reused.
            Some(_) => self.link.end(),
            None => {}
        }
    }
}

/// The stream of messages that belong to no request.
pub(crate) fn listen(link: &Link, open: OpenStream) -> Response<Body> {
    let state = Some((link.listen(), open));
    events(stream::unfold(state, async |state| {
        let (mut heard, open) = state?;
        let said = tokio::select! {
            said = timeout(KEEP_ALIVE, heard.recv()) => said,
            () = open.ended() => return None,
        };
        let chunk: Bytes = match said {
            Ok(said) => event(&said?.heard.text),
            Err(_) => still_here(),
        };
        Some((chunk, Some((heard, open))))
    }))
}
