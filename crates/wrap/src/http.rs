//! A server over Streamable HTTP: each message is a POST request; messages of the server come in its
//! response, or on the stream of the session.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use reqwest::header::{
    ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, LOCATION, WWW_AUTHENTICATE,
};
use reqwest::{Client, RequestBuilder, Response, StatusCode, Url};
use serde_json::Value;
use serde_json::value::RawValue;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::client::client;
use crate::connection::{Connection, HEARD, WAITING};
use crate::events::Events;
use crate::headers::{Schemas, VERSION, headers_of};
use crate::message::{self, Kind, Message};

const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
const LAST_EVENT: HeaderName = HeaderName::from_static("last-event-id");
const JSON: &str = "application/json";
const EVENTS: &str = "text/event-stream";
/// The error code for connection errors.
const NO_ANSWER: i32 = -32000;
/// Maximum bytes of an error body that are shown.
const MAX_REFUSAL: usize = 300;
/// Timeout of `notifications/initialized`.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);
/// The delay before the stream of a session is reopened.
const REOPEN: Duration = Duration::from_secs(1);

/// The status and `WWW-Authenticate` header with which the server last rejected a request.
#[derive(Clone, Debug, Default)]
pub(crate) struct Challenge(Arc<Mutex<Option<(StatusCode, HeaderValue)>>>);

impl Challenge {
    fn note(&self, response: &Response) {
        let is_refusal =
            matches!(response.status(), StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN);
        let asked = response.headers().get(WWW_AUTHENTICATE).filter(|_| is_refusal).cloned();
        if let Some(asked) = asked {
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) =
                Some((response.status(), asked));
        }
    }

    pub(crate) fn take(&self) -> Option<(StatusCode, HeaderValue)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// State that the requests of one session share.
struct Session {
    client: Client,
    url: Url,
    headers: HeaderMap,
    challenge: Challenge,
    schemas: Schemas,
    known: Mutex<Known>,
    heard: mpsc::Sender<String>,
    /// Maximum size of a message.
    most: usize,
    /// Cancelled when the session ends, for whatever reason.
    over: CancellationToken,
}

/// State that changes during the session.
#[derive(Default)]
struct Known {
    id: Option<HeaderValue>,
    version: Option<HeaderValue>,
    running: HashMap<String, JoinHandle<()>>,
    is_listening: bool,
    end: Option<String>,
}

pub(crate) fn connect(
    url: Url,
    headers: HeaderMap,
    challenge: Challenge,
    schemas: Schemas,
    most: usize,
) -> Result<Connection, String> {
    let (to, mut sent) = mpsc::channel::<String>(WAITING);
    let (heard, from) = mpsc::channel(HEARD);
    let over = CancellationToken::new();
    let known = Mutex::default();
    let session =
        Session { client: client()?, url, headers, challenge, schemas, known, heard, most, over };
    let session = Arc::new(session);
    let end = tokio::spawn(async move {
        let over = session.over.clone();
        loop {
            tokio::select! {
                text = sent.recv() => match text {
                    Some(text) => session.send(text).await,
                    None => break,
                },
                () = over.cancelled() => break,
            }
        }
        // The client has closed its side, but may still wait for responses.
        let running: Vec<JoinHandle<()>> =
            session.known().running.drain().map(|(_, run)| run).collect();
        for mut run in running {
            tokio::select! {
                _ = &mut run => {}
                () = session.heard.closed() => run.abort(),
                () = over.cancelled() => run.abort(),
            }
        }
        over.cancel();
        session.leave().await;
        let end = session.known().end.take();
        end.unwrap_or_else(|| "the connection was closed".into())
    });
    Ok(Connection { to, from, end })
}

impl Session {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends a message. Messages are sent concurrently, but none before the handshake is complete.
    async fn send(self: &Arc<Self>, text: String) {
        let method = Message::read(&text).and_then(|message| message.method).map(Cow::into_owned);
        if method.as_deref() == Some("notifications/initialized") {
            _ = timeout(HANDSHAKE_TIMEOUT, self.exchange(text, None)).await;
            if !std::mem::replace(&mut self.known().is_listening, true) {
                tokio::spawn(Arc::clone(self).listen());
            }
            return;
        }
        if let Some(cancelled) = cancelled(&text)
            && let Some(run) = self.known().running.remove(&cancelled)
        {
            // Without a session, closing the response cancels the request.
            run.abort();
        }
        let ids = request_ids(&text);
        let Some(first) = ids.first().map(|id| message::key(id)) else {
            let this = Arc::clone(self);
            tokio::spawn(async move {
                tokio::select! {
                    _ = this.exchange(text, None) => {}
                    () = this.over.cancelled() => {}
                }
            });
            return;
        };
        let is_handshake = method.as_deref() == Some("initialize");
        let (this, key) = (Arc::clone(self), first.clone());
        // The task checks this again when it ends.
        let mut known = self.known();
        let run = tokio::spawn(async move {
            let only = (ids.len() == 1).then(|| &*ids[0]);
            if let Err(why) = this.exchange(text, only).await {
                for id in &ids {
                    this.hear(message::error(id, NO_ANSWER, &why)).await;
                }
                if is_handshake {
                    // There is no session yet.
                    this.known().end = Some(why);
                    this.over.cancel();
                }
            }
            this.known().running.remove(&first);
        });
        known.running.insert(key, run);
    }

    /// Sends a message, and forwards what the server returns.
    async fn exchange(&self, text: String, id: Option<&str>) -> Result<(), String> {
        let method = Message::read(&text).and_then(|message| message.method);
        let method = method.map(Cow::into_owned).unwrap_or_default();
        let is_handshake = method == "initialize";
        let headers = headers_of(&text, &self.schemas);
        let mut request = self.client.post(self.url.clone()).headers(headers);
        request = self.with_headers(request, &format!("{JSON}, {EVENTS}"));
        let request = request.header(CONTENT_TYPE, JSON).body(text);
        let response = request.send().await.map_err(|error| self.unreachable(&error))?;
        if is_handshake {
            self.known().id = response.headers().get(SESSION).cloned();
        }
        self.challenge.note(&response);
        let status = response.status();
        if status == StatusCode::NOT_FOUND && self.known().id.is_some() && !is_handshake {
            self.known().end = Some("the server closed the session".into());
            self.over.cancel();
            return Err("the server closed the session; call again".into());
        }
        let is = |mime: &str| {
            let given = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
            given.is_some_and(|given| given.starts_with(mime))
        };
        if is(EVENTS) {
            let (_, is_answered) = self.events(response, id, &method).await;
            return match is_answered || id.is_none() {
                true => Ok(()),
                false => Err("the server closed the stream before it responded".into()),
            };
        }
        let is_json = is(JSON);
        let to = response.headers().get(LOCATION).and_then(|to| to.to_str().ok());
        let to = to.and_then(|to| response.url().join(to).ok());
        let body = whole(response, self.most).await?;
        if is_json && serde_json::from_str::<serde::de::IgnoredAny>(&body).is_ok() {
            self.learn(&method, &body);
            let answers = Message::read(&body).is_some_and(|message| message.id.is_some());
            if status.is_success() || answers {
                self.hear(body).await;
                return Ok(());
            }
        }
        match (status, id) {
            (status, None) if status.is_success() => Ok(()),
            (status, Some(_)) if status.is_success() => {
                Err(format!("the server returned {status} without a JSON-RPC message"))
            }
            (status, _) if status.is_redirection() => Err(redirected(status, to)),
            (StatusCode::UNAUTHORIZED, _) => {
                Err("the server requires authorization; pass a token with --bearer".into())
            }
            (status, _) => {
                let said: String = body.chars().take(MAX_REFUSAL).collect();
                Err(format!("the server returned {status}: {}", said.trim()))
            }
        }
    }

    /// Forwards the events of a response. Returns the id of the last one, and whether one was the response.
    async fn events(
        &self,
        mut response: Response,
        id: Option<&str>,
        method: &str,
    ) -> (Option<String>, bool) {
        let id = id.map(message::key);
        let mut events = Events::new(self.most);
        let (mut last, mut is_answered) = (None, false);
        while let Ok(Some(chunk)) = response.chunk().await {
            let Ok(read) = events.read(&chunk) else { break };
            for event in read {
                last = event.id.filter(|id| !id.is_empty()).or(last);
                let Some(data) = event.data.filter(|data| !data.is_empty()) else { continue };
                if let (Some(id), Some(message)) = (&id, Message::read(&data))
                    && matches!(message.kind(), Some(Kind::Response { id: answered }) if message::key(answered) == *id)
                {
                    is_answered = true;
                    self.learn(method, &data);
                }
                self.hear(data).await;
            }
        }
        (last, is_answered)
    }

    /// Receives unsolicited messages of the server until the session ends.
    async fn listen(self: Arc<Self>) {
        let mut last: Option<String> = None;
        loop {
            let mut request = self.with_headers(self.client.get(self.url.clone()), EVENTS);
            if let Some(last) = &last {
                request = request.header(LAST_EVENT, last);
            }
            let response = tokio::select! {
                response = request.send() => response,
                () = self.over.cancelled() => return,
            };
            match response {
                Ok(response) if response.status().is_success() => {
                    let (newest, _) = tokio::select! {
                        heard = self.events(response, None, "") => heard,
                        () = self.over.cancelled() => return,
                    };
                    last = newest.or(last);
                }
                // The server has no such stream, unless it sends `Retry-After`.
                Ok(response)
                    if response.status().is_client_error()
                        && response.status() != StatusCode::TOO_MANY_REQUESTS =>
                {
                    return;
                }
                _ => {}
            }
            tokio::select! {
                () = tokio::time::sleep(REOPEN) => {}
                () = self.over.cancelled() => return,
            }
        }
    }

    /// Deletes the session at the server.
    async fn leave(&self) {
        if self.known().id.is_none() {
            return;
        }
        let request = self.with_headers(self.client.delete(self.url.clone()), JSON);
        _ = tokio::time::timeout(REOPEN, request.send()).await;
    }

    fn with_headers(&self, request: RequestBuilder, accept: &str) -> RequestBuilder {
        let mut request = request.headers(self.headers.clone()).header(ACCEPT, accept);
        let known = self.known();
        if let Some(id) = &known.id {
            request = request.header(SESSION, id);
        }
        if let Some(version) = &known.version {
            request = request.header(VERSION, version);
        }
        request
    }

    /// Records what later requests need from a response.
    fn learn(&self, method: &str, answer: &str) {
        match method {
            "initialize" => {
                let result = Message::read(answer).and_then(|message| message.result);
                let result: Option<Value> =
                    result.and_then(|result| serde_json::from_str(result.get()).ok());
                let version = result.as_ref().and_then(|result| result["protocolVersion"].as_str());
                if let Some(version) = version.and_then(|version| version.parse().ok()) {
                    self.known().version = Some(version);
                }
            }
            "tools/list" => self.schemas.learn(answer),
            _ => {}
        }
    }

    async fn hear(&self, text: String) {
        _ = self.heard.send(text).await;
    }

    fn unreachable(&self, error: &reqwest::Error) -> String {
        let what = if error.is_timeout() { "does not respond" } else { "cannot be reached" };
        format!("the server at {} {what}", self.url.origin().ascii_serialization())
    }
}

/// The error for a URL that has moved. Only the origin and path of the new URL are shown; the rest may
/// contain a key.
fn redirected(status: StatusCode, to: Option<Url>) -> String {
    let to = to.map(|mut to| {
        to.set_query(None);
        to.set_fragment(None);
        _ = to.set_password(None);
        format!(" to {to}")
    });
    let to = to.unwrap_or_default();
    format!("the server redirects{to} ({status}), which is not followed; wrap that URL instead")
}

/// The ids of a request, or of those in a batch.
fn request_ids(text: &str) -> Vec<String> {
    let id = |text: &str| match Message::read(text)?.kind()? {
        Kind::Request { id, .. } => Some(id.to_owned()),
        _ => None,
    };
    match serde_json::from_str::<Vec<&RawValue>>(text) {
        Ok(batch) => batch.iter().filter_map(|item| id(item.get())).collect(),
        Err(_) => id(text).into_iter().collect(),
    }
}

/// The id of the request that a notification cancels.
fn cancelled(text: &str) -> Option<String> {
    let message = Message::read(text)?;
    let is_cancelled = message.method.as_deref() == Some("notifications/cancelled");
    let id = message.param("requestId").filter(|_| is_cancelled)?;
    Some(id.to_string())
}

/// The body of a response, within the limit.
async fn whole(mut response: Response, most: usize) -> Result<String, String> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|_| "the response ended early")? {
        if body.len() + chunk.len() > most {
            return Err(format!("the response exceeds {most} bytes"));
        }
        body.extend_from_slice(&chunk);
    }
    String::from_utf8(body).map_err(|_| "the response is not UTF-8".to_owned())
}
