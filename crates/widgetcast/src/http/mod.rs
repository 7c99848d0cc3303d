//! HTTP: the whole app as one service, for our own server, another router, or a single request.
//!
//! Plain questions take the hot lane: they are read once, answered from [`dispatch`], and written
//! back without a task or a channel. Anything else goes to rmcp, which asks the same dispatch.

mod body;
mod gate;
mod serve;

use std::convert::Infallible;
use std::future::poll_fn;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use futures_util::future::BoxFuture;
use futures_util::stream;
use http::header::{self, HeaderMap, HeaderName, HeaderValue};
use http::request::Parts;
use http::{Method, Request, Response, StatusCode};
use http_body_util::Full;
use serde_json::Value;
use tokio::sync::Semaphore;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio_util::sync::CancellationToken;
use widgetcast_core::Surface;

use crate::app::{App, Inner};
use crate::dispatch::{
    self, Answer, Fault, LEGACY, MODERN, Meta, Params, Peer, Request as Question, dispatch,
};
use crate::gallery;
use crate::live::Change;
use crate::mcp;
use crate::wire::{self, Message, Odd};
pub use body::Body;
use body::Unread;
use gate::Gate;
pub use gate::RemoteAddr;

/// How long a client may take to send the body of a request.
const BODY: std::time::Duration = std::time::Duration::from_secs(15);
const JSON: HeaderValue = HeaderValue::from_static("application/json");
const EVENTS: &str = "text/event-stream";
const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
const METHOD: HeaderName = HeaderName::from_static("mcp-method");
const NAME: HeaderName = HeaderName::from_static("mcp-name");

/// Surfaces that the address asks for: `?surface=chatkit`.
#[derive(Clone)]
pub(crate) struct Asked(pub Vec<&'static Surface>);

/// An app as a `tower::Service`: `/mcp` (or the root, where it is nested), the gallery at `/`,
/// `/healthz`, `/readyz` and `/metrics`. Cheap to clone.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use widgetcast::App;
/// let app = App::new("my-app", "1.0.0").build()?;
/// // In a router of one's own:
/// let router: axum::Router = axum::Router::new().nest_service("/mcp", app.service());
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct Service(Arc<Shared>);

#[derive(Clone)]
struct Shared {
    app: Arc<Inner>,
    gate: Arc<Gate>,
    slow: mcp::Endpoint,
    stop: CancellationToken,
    /// Places for streams of events, fewer than connections: the others must get through.
    streams: Arc<Semaphore>,
    hot: bool,
}

impl App {
    /// The app as a service, for other routers and single requests. It is one however often it is
    /// asked for, so its limits hold for all of them together. Widgets are not examined by it: see
    /// [`App::examine`].
    pub fn service(&self) -> Service {
        self.1.get_or_init(|| Service::new(&self.0, CancellationToken::new())).clone()
    }

    /// Answers one request, without a server.
    pub async fn handle<B>(&self, request: Request<B>) -> Response<Body>
    where
        B: http_body::Body<Data = Bytes> + Send + 'static,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let Ok(response) = self.service().0.answer(request).await;
        response
    }
}

impl Service {
    pub(crate) fn new(app: &Arc<Inner>, stop: CancellationToken) -> Self {
        Self(Arc::new(Shared {
            app: Arc::clone(app),
            gate: Arc::new(Gate::new(&app.settings)),
            slow: mcp::endpoint(app, stop.clone()),
            stop,
            streams: Arc::new(Semaphore::new(app.settings.max_connections.div_ceil(4))),
            hot: true,
        }))
    }

    /// The same with every message going to rmcp, for comparing the two.
    #[doc(hidden)]
    pub fn without_hot_lane(self) -> Self {
        Self(Arc::new(Shared { hot: false, ..(*self.0).clone() }))
    }
}

impl Shared {
    /// Not an `async fn`, and what is rare is boxed: the future is moved for every request, and an
    /// argument of an `async fn` has a place in it twice.
    fn answer<B>(
        self: Arc<Self>,
        request: Request<B>,
    ) -> impl Future<Output = Result<Response<Body>, Infallible>> + Send
    where
        B: http_body::Body<Data = Bytes> + Send + 'static,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let (mut parts, body) = request.into_parts();
        async move {
            let origin = parts.headers.get(header::ORIGIN).cloned();
            let mut response = match self.gate.enter(&parts, origin.as_ref(), &self.app.meter) {
                // It ends also when the caller leaves, and this future with it.
                Ok(_running) => self.route(&mut parts, body).await,
                Err(refusal) => *refusal,
            };
            if let Some(origin) = origin {
                self.gate.allow(&origin, response.headers_mut());
            }
            self.app.meter.request(response.status().as_u16());
            Ok(response)
        }
    }

    async fn route<B>(&self, parts: &mut Parts, body: B) -> Response<Body>
    where
        B: http_body::Body<Data = Bytes> + Send + 'static,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let mcp = matches!(parts.uri.path(), "/mcp" | "/mcp/" | "/" | "");
        if parts.method == Method::POST {
            if mcp {
                return self.post(parts, body).await;
            }
            if parts.uri.path() == "/gallery/draw" && self.shows_gallery(parts) {
                return Box::pin(self.draw(parts, body)).await;
            }
        }
        self.show(parts, mcp)
    }

    /// What is answered without looking at a body.
    fn show(&self, parts: &Parts, mcp: bool) -> Response<Body> {
        if parts.method == Method::GET
            && self.shows_gallery(parts)
            && let Some(response) = self.gallery(parts)
        {
            return response;
        }
        match (&parts.method, parts.uri.path()) {
            (&Method::OPTIONS, _) => gate::preflight(&parts.headers),
            (&Method::GET, "/healthz") => plain(StatusCode::OK, "ok\n"),
            (&Method::GET, "/readyz") if self.stop.is_cancelled() => {
                plain(StatusCode::SERVICE_UNAVAILABLE, "stopping\n")
            }
            (&Method::GET, "/readyz") => plain(StatusCode::OK, "ready\n"),
            (&Method::GET, "/metrics") => {
                let mut response = plain(StatusCode::OK, self.app.meter.text());
                let mime = HeaderValue::from_static(crate::meter::MIME);
                response.headers_mut().insert(header::CONTENT_TYPE, mime);
                response
            }
            (&Method::GET, _) if mcp && wants_events(&parts.headers) => self.events(),
            (_, _) if mcp => {
                let words = "Only POST here; GET only for a stream of events before 2026-07-28.\n";
                let mut response = plain(StatusCode::METHOD_NOT_ALLOWED, words);
                let allow = HeaderValue::from_static("POST, OPTIONS");
                response.headers_mut().insert(header::ALLOW, allow);
                response
            }
            _ => plain(StatusCode::NOT_FOUND, "There is nothing here. MCP is at /mcp.\n"),
        }
    }

    /// The whole body, or the answer that says why it could not be read.
    async fn read<B>(&self, body: B) -> Result<Bytes, Response<Body>>
    where
        B: http_body::Body<Data = Bytes> + Send + 'static,
    {
        let most = self.app.settings.max_request_bytes;
        let mut whole = std::pin::pin!(body::whole(body, most));
        // Nearly always it is there already: then no clock is needed.
        let now = poll_fn(|context| Poll::Ready(whole.as_mut().poll(context))).await;
        let read = match now {
            Poll::Ready(read) => Ok(read),
            Poll::Pending => Box::pin(tokio::time::timeout(BODY, whole)).await,
        };
        match read {
            Ok(Ok(bytes)) => Ok(bytes),
            Ok(Err(Unread::TooLarge)) => {
                let words = format!("The request is larger than {most} bytes");
                let fault = Fault::new(Fault::REQUEST, words);
                Err(fault_response(StatusCode::PAYLOAD_TOO_LARGE, None, &fault))
            }
            Ok(Err(Unread::Broken)) => {
                Err(plain(StatusCode::BAD_REQUEST, "The request broke off.\n"))
            }
            Err(_) => Err(plain(StatusCode::REQUEST_TIMEOUT, "The request took too long.\n")),
        }
    }

    /// Whether the gallery is for whoever sent this request.
    fn shows_gallery(&self, parts: &Parts) -> bool {
        self.app.settings.gallery.unwrap_or_else(|| gate::is_for_local(parts))
    }

    /// The gallery, or what it gets from us; none if a GET is for someone else.
    fn gallery(&self, parts: &Parts) -> Option<Response<Body>> {
        match parts.uri.path() {
            "/" if !wants_events(&parts.headers) => Some(page(gallery::PAGE)),
            "/gallery/index.json" => {
                Some(json(StatusCode::OK, gallery::index(&self.app).to_string()))
            }
            "/gallery/events" => Some(self.edits()),
            path => {
                let name = path.strip_prefix("/gallery/tool/")?;
                Some(match gallery::tool(&self.app, name) {
                    Some(tool) => json(StatusCode::OK, tool.to_string()),
                    None => plain(StatusCode::NOT_FOUND, "There is no such tool.\n"),
                })
            }
        }
    }

    async fn draw<B>(&self, parts: &Parts, body: B) -> Response<Body>
    where
        B: http_body::Body<Data = Bytes> + Send + 'static,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        // A form of another site cannot send this type without asking first.
        if !is_json(&parts.headers) {
            return plain(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "Content-Type must be application/json.\n",
            );
        }
        let text = match self.read(body).await {
            Ok(text) => text,
            Err(response) => return response,
        };
        let question = serde_json::from_slice(&text)
            .map_err(|error| Fault::new(Fault::PARSE, error.to_string()));
        let drawn = match question {
            Ok(question) => gallery::draw(&self.app, question).await,
            Err(fault) => Err(fault),
        };
        match drawn {
            Ok(drawn) => json(StatusCode::OK, drawn.to_string()),
            Err(fault) => fault_response(StatusCode::BAD_REQUEST, None, &fault),
        }
    }

    async fn post<B>(&self, parts: &mut Parts, body: B) -> Response<Body>
    where
        B: http_body::Body<Data = Bytes> + Send + 'static,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let text = match self.read(body).await {
            Ok(text) => text,
            Err(response) => return response,
        };
        if let Some(names) = query(parts.uri.query(), "surface") {
            match dispatch::surfaces_named(&names) {
                Ok(surfaces) => _ = parts.extensions.insert(Asked(surfaces)),
                Err(words) => {
                    let fault = Fault::params(words);
                    return fault_response(StatusCode::BAD_REQUEST, None, &fault);
                }
            }
        }
        let Some((id, answer)) = self.hot(parts, &text) else {
            return Box::pin(self.odd(parts, text)).await;
        };
        let body = answer.wait().await;
        let modern = || parts.headers.get(VERSION).is_some_and(|version| version == MODERN);
        let status = match &body {
            Err(fault) if fault.code == Fault::METHOD && modern() => StatusCode::NOT_FOUND,
            _ => StatusCode::OK,
        };
        json(status, wire::answer(id, body))
    }

    /// The answer to an ordinary request, and its id.
    fn hot<'t>(&self, parts: &Parts, text: &'t [u8]) -> Option<(&'t str, Answer)> {
        if !self.hot || !is_json(&parts.headers) {
            return None;
        }
        let message = Message::request(text)?;
        let answer = self.hot_answer(parts, message.method, message.params)?;
        Some((message.id, answer))
    }

    /// Answers whatever is not ordinary.
    async fn odd(&self, parts: &Parts, text: Bytes) -> Response<Body> {
        match wire::look(&text) {
            Odd::Broken(id, fault) => {
                let status = match fault.code {
                    Fault::PARAMS => StatusCode::OK,
                    _ => StatusCode::BAD_REQUEST,
                };
                fault_response(status, id, &fault)
            }
            Odd::Batch(items) if is_json(&parts.headers) => self.batch(parts, items).await,
            Odd::Batch(_) => plain(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "Content-Type must be application/json.\n",
            ),
            Odd::Message => self.slow(parts.clone(), text).await,
        }
    }

    /// Answers directly if everything about the request is as it should be.
    fn hot_answer(&self, parts: &Parts, method: &str, mut params: Params<'_>) -> Option<Answer> {
        let given = params.meta.take();
        let meta = Meta::of(given.as_ref())?;
        let said = Said::of(&parts.headers)?;
        let modern = match said.version {
            Some(MODERN) => true,
            Some(version) if LEGACY.contains(&version) => false,
            None => false,
            Some(_) => return None,
        };
        let name = match method {
            "tools/call" | "prompts/get" => params.name.as_deref(),
            "resources/read" => params.uri.as_deref(),
            method if dispatch::is_plain(method, modern) => None,
            _ => return None,
        };
        if modern {
            let says = meta.version == Some(MODERN)
                && meta.capabilities.is_some_and(|given| given.as_object().is_some())
                && said.method == Some(method)
                && said.name == name;
            if !says {
                return None;
            }
        } else if meta.version.is_some() || said.method.is_some() || said.name.is_some() {
            return None;
        }
        if method == "tools/call"
            && let Some(name) = name
        {
            // Progress needs a stream.
            if meta.wants_progress && self.app.tools.contains_key(name) {
                return None;
            }
        }
        let asked = parts.extensions.get::<Asked>();
        let answer = dispatch(
            &self.app,
            Question {
                method,
                params,
                peer: Peer {
                    modern,
                    client: meta.client,
                    capabilities: meta.capabilities,
                    meta: given.as_ref(),
                    headers: Some(&parts.headers),
                    compared: false,
                    surfaces: asked.map(|asked| asked.0.as_slice()),
                    cancel: None,
                    report: None,
                },
            },
        );
        (!matches!(answer, Answer::Aside)).then_some(answer)
    }

    /// Several messages at once: only 2025-03-26 has them, and it is also what a client without a
    /// version header speaks.
    async fn batch(&self, parts: &Parts, items: Vec<Value>) -> Response<Body> {
        let version = parts.headers.get(VERSION).and_then(|value| value.to_str().ok());
        if !matches!(version, None | Some("2025-03-26" | "2024-11-05")) {
            let fault = Fault::new(Fault::REQUEST, "Invalid Request: batches are not supported");
            return fault_response(StatusCode::BAD_REQUEST, None, &fault);
        }
        const MOST: usize = 100;
        if items.len() > MOST {
            let fault =
                Fault::new(Fault::REQUEST, format!("Invalid Request: more than {MOST} messages"));
            return fault_response(StatusCode::BAD_REQUEST, None, &fault);
        }
        let mut answers = Vec::new();
        let mut bytes = 0;
        for item in items {
            if bytes > self.app.settings.max_response_bytes {
                let fault = Fault::new(Fault::REQUEST, "The answers are too large; ask one by one");
                return fault_response(StatusCode::BAD_REQUEST, None, &fault);
            }
            let text = item.to_string();
            if let Some(message) = Message::request(text.as_bytes()) {
                let body = match self.hot_answer(parts, message.method, message.params) {
                    Some(answer) => answer.wait().await,
                    None => Err(Fault::new(
                        Fault::METHOD,
                        format!("Method not found in a batch: {}", message.method),
                    )),
                };
                answers.push(wire::answer(message.id, body));
                bytes += answers.last().map_or(0, String::len);
            } else if let Odd::Broken(id, fault) = wire::look(text.as_bytes()) {
                answers.push(wire::error(id, &fault));
            }
        }
        match answers.is_empty() {
            true => plain(StatusCode::ACCEPTED, ""),
            false => json(StatusCode::OK, format!("[{}]", answers.join(","))),
        }
    }

    /// Hands a message to rmcp.
    async fn slow(&self, mut parts: Parts, text: Bytes) -> Response<Body> {
        // `*/*` accepts both of what rmcp looks for by name.
        let accept = parts.headers.get(header::ACCEPT).map(|value| value.to_str().unwrap_or(""));
        if accept.is_none_or(|accept| accept.contains("*/*")) {
            let both = HeaderValue::from_static("application/json, text/event-stream");
            parts.headers.insert(header::ACCEPT, both);
        }
        let response = self.slow.handle(Request::from_parts(parts, Full::new(text))).await;
        response.map(Body::boxed)
    }

    /// The stream on which a client before 2026-07-28 hears of changes. There are no sessions, so
    /// every stream hears of every resource.
    fn events(&self) -> Response<Body> {
        let event =
            |change: &Change| format!("event: message\ndata: {}\n\n", wire::changed(change));
        // Some were missed: look at everything again.
        let all = move || event(&Change::Tools) + &event(&Change::Resources);
        self.stream(self.app.live.subscribe(), move |change| change.map_or_else(all, |c| event(&c)))
    }

    /// The stream on which the gallery hears of changed files.
    fn edits(&self) -> Response<Body> {
        self.stream(self.app.live.edits(), |names| {
            let names = names.as_deref().unwrap_or_default();
            format!("event: changed\ndata: {}\n\n", serde_json::json!({ "tools": names }))
        })
    }

    /// A stream of events, each written by `write`, which gets nothing where some were missed.
    fn stream<T: Clone + Send + 'static>(
        &self,
        changes: Receiver<T>,
        write: impl Fn(Option<T>) -> String + Copy + Send + 'static,
    ) -> Response<Body> {
        let Ok(place) = Arc::clone(&self.streams).try_acquire_owned() else {
            return plain(StatusCode::SERVICE_UNAVAILABLE, "Too many streams are open.\n");
        };
        let stop = self.stop.clone();
        let events =
            stream::unfold((changes, stop, place), move |(mut changes, stop, place)| async move {
                let wait = std::time::Duration::from_secs(15);
                let event = tokio::select! {
                    () = stop.cancelled() => return None,
                    change = tokio::time::timeout(wait, changes.recv()) => match change {
                        Err(_) => ": still here\n\n".to_owned(),
                        Ok(Ok(change)) => write(Some(change)),
                        Ok(Err(RecvError::Lagged(_))) => write(None),
                        Ok(Err(RecvError::Closed)) => return None,
                    },
                };
                Some((Bytes::from(event), (changes, stop, place)))
            });
        let mut response = Response::new(Body::stream(events));
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(EVENTS));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
        response
    }
}

impl<B> tower_service::Service<Request<B>> for Service
where
    B: http_body::Body<Data = Bytes> + Send + 'static,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Response<Body>, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let shared = Arc::clone(&self.0);
        Box::pin(shared.answer(request))
    }
}

impl std::fmt::Debug for Service {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Service").field("app", &self.0.app.name).finish_non_exhaustive()
    }
}

/// What the headers say of the message.
#[derive(Default)]
struct Said<'h> {
    version: Option<&'h str>,
    method: Option<&'h str>,
    name: Option<&'h str>,
}

impl<'h> Said<'h> {
    /// None if something is said twice, or is no text. In one go: each look-up would hash a name.
    fn of(headers: &'h HeaderMap) -> Option<Self> {
        let mut said = Self::default();
        for (name, value) in headers {
            let slot = match name {
                name if name == VERSION => &mut said.version,
                name if name == METHOD => &mut said.method,
                name if name == NAME => &mut said.name,
                _ => continue,
            };
            if slot.replace(value.to_str().ok()?).is_some() {
                return None;
            }
        }
        Some(said)
    }
}

/// Whether the request is JSON and the answer may be.
fn is_json(headers: &HeaderMap) -> bool {
    let starts = |value: &HeaderValue| value.as_bytes().starts_with(b"application/json");
    let takes = |value: &HeaderValue| {
        let listed = |text: &str| text.contains("application/json") || text.contains("*/*");
        starts(value) || value.to_str().is_ok_and(listed)
    };
    headers.get(header::CONTENT_TYPE).is_some_and(starts)
        && headers.get(header::ACCEPT).is_none_or(takes)
}

/// Whether a GET is for the stream of events that revisions with sessions have.
fn wants_events(headers: &HeaderMap) -> bool {
    let is = |name: HeaderName, good: &dyn Fn(&str) -> bool| {
        headers.get(name).and_then(|value| value.to_str().ok()).is_some_and(good)
    };
    is(header::ACCEPT, &|text| text.contains(EVENTS)) && !is(VERSION, &|text| text >= MODERN)
}

/// A value of a query. Names of surfaces need no decoding.
fn query(query: Option<&str>, name: &str) -> Option<String> {
    let pairs = query?.split('&').filter_map(|pair| pair.split_once('='));
    pairs.into_iter().find(|(key, _)| *key == name).map(|(_, value)| value.replace("%2C", ","))
}

fn json(status: StatusCode, text: String) -> Response<Body> {
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, JSON);
    response
}

/// A page for a browser, which runs nothing but what is in it.
fn page(html: &'static str) -> Response<Body> {
    let mut response = Response::new(Body::from(html));
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, gallery::POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-cache"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

fn fault_response(status: StatusCode, id: Option<Value>, fault: &Fault) -> Response<Body> {
    json(status, wire::error(id, fault))
}

fn plain(status: StatusCode, text: impl Into<String>) -> Response<Body> {
    let mut response = Response::new(Body::from(text.into()));
    *response.status_mut() = status;
    let mime = HeaderValue::from_static("text/plain; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, mime);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    /// It is moved for every request, so what is seldom needed must not make it large.
    #[test]
    fn the_future_of_a_request_is_small() {
        let app = App::new("tests", "1.0.0").build().unwrap();
        let future = app.service().0.answer(Request::new(Full::new(Bytes::new())));
        let size = size_of_val(&future);
        assert!(size < 1024, "{size}");
    }
}
