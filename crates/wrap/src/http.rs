//! A server over Streamable HTTP: each message is a POST request; messages of the server come in its
//! response, or on the stream of the session.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use reqwest::header::{
    ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, LOCATION, WWW_AUTHENTICATE,
};
use reqwest::{Client, RequestBuilder, Response, StatusCode, Url};
use serde::de::IgnoredAny;
use serde_json::Value;
use serde_json::value::RawValue;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use widgetcast::{App, Budgeted};

use crate::client::client;
use crate::connection::{Connection, HEARD, Heard, Room, WAITING};
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
    app: App,
    heard: mpsc::Sender<Heard>,
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
    app: &App,
    (url, headers): (Url, HeaderMap),
    challenge: Challenge,
    schemas: Schemas,
    most: usize,
) -> Result<Connection, String> {
    let (to, mut sent) = mpsc::channel::<String>(WAITING);
    let (heard, from) = mpsc::channel(HEARD);
    let over = CancellationToken::new();
    let known = Mutex::default();
    let (app, client) = (app.clone(), client()?);
    let session = Arc::new(Session {
        client,
        url,
        headers,
        challenge,
        schemas,
        known,
        app,
        heard,
        most,
        over,
    });
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
        let (bytes, schemas) = (text.len(), self.schemas.clone());
        let read = move |budgeted| Sent::read(text, &schemas, budgeted);
        let Some(mut sent) = self.app.workers().finish(bytes, read).await else { return };
        if sent.method == "notifications/initialized" {
            _ = timeout(HANDSHAKE_TIMEOUT, self.exchange(sent)).await;
            if !std::mem::replace(&mut self.known().is_listening, true) {
                tokio::spawn(Arc::clone(self).listen());
            }
            return;
        }
        if let Some(cancelled) = &sent.cancelled
            && let Some(run) = self.known().running.remove(cancelled)
        {
            // Without a session, closing the response cancels the request.
            run.abort();
        }
        let ids = std::mem::take(&mut sent.ids);
        let Some(key) = sent.key.clone() else {
            let this = Arc::clone(self);
            tokio::spawn(async move {
                tokio::select! {
                    _ = this.exchange(sent) => {}
                    () = this.over.cancelled() => {}
                }
            });
            return;
        };
        let is_handshake = sent.method == "initialize";
        let (this, first) = (Arc::clone(self), key.clone());
        // The task checks this again when it ends.
        let mut known = self.known();
        let run = tokio::spawn(async move {
            if ids.len() != 1 {
                sent.key = None;
            }
            if let Err(why) = this.exchange(sent).await {
                for id in &ids {
                    this.hear(message::error(id, NO_ANSWER, &why).into()).await;
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

    /// Sends a message, and forwards what the server returns. Its key is that of its response.
    async fn exchange(&self, sent: Sent) -> Result<(), String> {
        let Sent { text, method, headers, key: id, .. } = sent;
        let is_handshake = method == "initialize";
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
            let is_any = id.is_none();
            let (_, is_answered) = self.events(response, id, &method).await;
            return match is_answered || is_any {
                true => Ok(()),
                false => Err("the server closed the stream before it responded".into()),
            };
        }
        let is_json = is(JSON);
        let to = response.headers().get(LOCATION).and_then(|to| to.to_str().ok());
        let to = to.and_then(|to| response.url().join(to).ok());
        let body = whole(response, self.most, Room::new(&self.app)).await?;
        let (body, found) = self.read(body, &method, None).await.ok_or("it cannot be read")?;
        if is_json && found.is_json && (status.is_success() || found.has_id) {
            self.learn(found);
            self.hear(body).await;
            return Ok(());
        }
        let body = body.text;
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
        id: Option<String>,
        method: &str,
    ) -> (Option<String>, bool) {
        let (mut events, mut room) = (Events::new(self.most), Room::new(&self.app));
        let (mut last, mut is_answered) = (None, false);
        while let Ok(Some(chunk)) = response.chunk().await {
            // The room of an event lasts until the next one begins.
            if !room.has(events.size() + chunk.len()) {
                tracing::warn!(
                    "there is no room for an event of {}",
                    self.url.origin().ascii_serialization()
                );
                break;
            }
            let Ok(read) = events.read(&chunk) else { break };
            for event in read {
                last = event.id.filter(|id| !id.is_empty()).or(last);
                let Some(data) = event.data.filter(|data| !data.is_empty()) else { continue };
                let heard = room.with(data);
                let Some((heard, found)) = self.read(heard, method, id.clone()).await else {
                    continue;
                };
                if found.is_answer {
                    is_answered = true;
                    self.learn(found);
                }
                self.hear(heard).await;
            }
        }
        (last, is_answered)
    }

    /// Reads a message of the server, on a worker if it is long.
    async fn read(&self, heard: Heard, method: &str, id: Option<String>) -> Option<(Heard, Found)> {
        let (bytes, schemas) = (heard.text.len(), self.schemas.clone());
        let method = method.to_owned();
        let read = move |budgeted| {
            let found = Found::read(&heard.text, (&method, id), &schemas, budgeted);
            (heard, found)
        };
        self.app.workers().finish(bytes, read).await
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
    fn learn(&self, found: Found) {
        if let Some(version) = found.version {
            self.known().version = Some(version);
        }
    }

    async fn hear(&self, heard: Heard) {
        _ = self.heard.send(heard).await;
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

/// What is read of a message to the server.
struct Sent {
    text: String,
    method: String,
    headers: HeaderMap,
    /// The ids of a request, or of those in a batch, and the key of the first.
    ids: Vec<String>,
    key: Option<String>,
    /// The key of the request that it cancels.
    cancelled: Option<String>,
}

impl Sent {
    fn read(text: String, schemas: &Schemas, budgeted: Budgeted) -> Self {
        let id = |text: &str| match Message::read(text)?.kind()? {
            Kind::Request { id, .. } => Some(id.to_owned()),
            _ => None,
        };
        let ids: Vec<String> = match serde_json::from_str::<Vec<&RawValue>>(&text) {
            Ok(batch) => batch.iter().filter_map(|item| id(item.get())).collect(),
            Err(_) => id(&text).into_iter().collect(),
        };
        let key = ids.first().map(|id| message::key(id));
        let message = Message::read(&text);
        let method = message.as_ref().and_then(|message| message.method.as_deref());
        let method = method.unwrap_or_default().to_owned();
        let cancelled = message.filter(|_| method == "notifications/cancelled");
        let cancelled = cancelled.and_then(|message| message.param("requestId"));
        let cancelled = cancelled.map(|id| id.to_string());
        let headers = headers_of(&text, schemas, budgeted);
        Self { text, method, headers, ids, key, cancelled }
    }
}

/// What is read of a message of the server.
struct Found {
    is_json: bool,
    has_id: bool,
    /// Whether it is the response to the request.
    is_answer: bool,
    /// The revision of a session.
    version: Option<HeaderValue>,
}

impl Found {
    /// Reads a message to a request of this method with this id.
    fn read(
        text: &str,
        (method, id): (&str, Option<String>),
        schemas: &Schemas,
        budgeted: Budgeted,
    ) -> Self {
        let message = Message::read(text);
        let is_answer = match message.as_ref().and_then(Message::kind) {
            Some(Kind::Response { id: answered }) => {
                id.is_none_or(|id| message::key(answered) == id)
            }
            _ => false,
        };
        let mut version = None;
        match method {
            "initialize" if is_answer => {
                let result = message.as_ref().and_then(|message| message.result);
                let result: Option<Value> =
                    result.and_then(|result| serde_json::from_str(result.get()).ok());
                let given = result.as_ref().and_then(|result| result["protocolVersion"].as_str());
                version = given.and_then(|version| version.parse().ok());
            }
            "tools/list" if is_answer => schemas.learn(text, budgeted),
            _ => {}
        }
        let has_id = message.as_ref().is_some_and(|message| message.id.is_some());
        let is_json = message.is_some() || serde_json::from_str::<IgnoredAny>(text).is_ok();
        Self { is_json, has_id, is_answer, version }
    }
}

/// The body of a response, within the limit.
async fn whole(mut response: Response, most: usize, mut room: Room) -> Result<Heard, String> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|_| "the response ended early")? {
        if body.len() + chunk.len() > most {
            return Err(format!("the response exceeds {most} bytes"));
        }
        if !room.has(body.len() + chunk.len()) {
            return Err("there is no room for the response".to_owned());
        }
        body.extend_from_slice(&chunk);
    }
    let text = String::from_utf8(body).map_err(|_| "the response is not UTF-8".to_owned())?;
    Ok(room.with(text))
}
