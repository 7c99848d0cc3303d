//! The front over streamable HTTP. A client with a session has a server of its own; requests of the revision
//! without sessions borrow one that nobody else uses meanwhile.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream;
use http::header::{self, HeaderName, HeaderValue};
use http::{Method, Request, Response, StatusCode};
use tokio::sync::mpsc;
use tokio::time::Instant;
use widgetcast::Caller;
use widgetcast::http::{Body, OpenStream, RequestBody, Visitor};

use crate::connection::WAITING;
use crate::message::{self, Kind, Message};
use crate::relay::is_modern;
use crate::session::{self, ClientEnd};
use crate::upstream::Upstream;
use crate::views::Views;

const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
/// What a stream is called in the audit log.
const STREAM: &str = "wrap";
/// The most sessions, each with a server, and the most servers that wait for a request without a session.
const MAX_SESSIONS: usize = 200;
const MAX_IDLE: usize = 4;
/// A session that nobody has used for so long is over.
const MAX_AGE: Duration = Duration::from_secs(30 * 60);
/// A comment that keeps a quiet stream open through proxies.
const KEEP_ALIVE: Duration = Duration::from_secs(15);
const NO_SERVER: i32 = -32000;

type Answered = Result<Response<Body>, Box<Response<Body>>>;

/// All clients of a wrapped server.
pub(crate) struct Front {
    views: Views,
    upstream: Upstream,
    sessions: Mutex<HashMap<String, Arc<Session>>>,
    idle: Mutex<Vec<Arc<Session>>>,
}

/// A client's line to its server.
struct Session {
    to: mpsc::Sender<String>,
    owner: Option<String>,
    streams: Mutex<Streams>,
}

/// Where messages for a client go.
struct Streams {
    /// Requests that wait for their responses.
    waiting: Vec<Waiting>,
    /// The stream for what nobody has asked for.
    open: Option<mpsc::Sender<String>>,
    /// What came while there was none.
    kept: VecDeque<String>,
    last_used: Instant,
    is_over: bool,
}

struct Waiting {
    id: String,
    progress: Option<String>,
    to: mpsc::Sender<String>,
}

impl Session {
    /// Begins a session with a server of its own.
    fn begin(views: Views, upstream: Upstream, owner: Option<String>) -> Arc<Self> {
        let (to, from) = mpsc::channel(WAITING);
        let (back, mut heard) = mpsc::channel(WAITING);
        let streams = Mutex::new(Streams {
            waiting: Vec::new(),
            open: None,
            kept: VecDeque::new(),
            last_used: Instant::now(),
            is_over: false,
        });
        let session = Arc::new(Self { to, owner, streams });
        let weak = Arc::downgrade(&session);
        tokio::spawn(async move {
            let relaying = session::run(views, &upstream, ClientEnd { to: back, from });
            let passing = async {
                while let Some(text) = heard.recv().await {
                    match weak.upgrade() {
                        Some(session) => session.pass(text).await,
                        None => heard.close(),
                    }
                }
            };
            let (relayed, ()) = tokio::join!(relaying, passing);
            let Some(session) = weak.upgrade() else { return };
            let why = relayed.err().unwrap_or_else(|| "the server has ended".into());
            let waiting = {
                let mut streams = session.streams();
                streams.is_over = true;
                streams.open = None;
                std::mem::take(&mut streams.waiting)
            };
            for one in waiting {
                _ = one.to.send(message::error(&one.id, NO_SERVER, &why)).await;
            }
        });
        session
    }

    fn streams(&self) -> MutexGuard<'_, Streams> {
        self.streams.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Brings a message to the stream that it belongs to.
    async fn pass(&self, text: String) {
        let to = {
            let mut streams = self.streams();
            match streams.place(&text) {
                Some(to) => to,
                None => {
                    if streams.kept.len() >= WAITING {
                        streams.kept.pop_front();
                    }
                    streams.kept.push_back(text);
                    return;
                }
            }
        };
        _ = to.send(text).await;
    }

    /// Sends a request: the messages that answer it, the last of which is the response.
    async fn ask(&self, id: &str, text: String) -> Result<mpsc::Receiver<String>, String> {
        let (to, answers) = mpsc::channel(WAITING);
        {
            let mut streams = self.streams();
            if streams.is_over {
                return Err("the server has ended".into());
            }
            if streams.waiting.iter().any(|waiting| waiting.id == id) {
                return Err("a request with this id is running".into());
            }
            let progress = Message::read(&text).and_then(|message| message.param("_meta"));
            let progress = progress.and_then(|meta| Some(meta.get("progressToken")?.to_string()));
            streams.waiting.push(Waiting { id: id.to_owned(), progress, to });
            streams.last_used = Instant::now();
        }
        self.say(text).await.map(|()| answers)
    }

    async fn say(&self, text: String) -> Result<(), String> {
        self.streams().last_used = Instant::now();
        self.to.send(text).await.map_err(|_| "the server has ended".into())
    }

    /// Nobody listens to this request any more.
    fn forget(&self, id: &str) {
        self.streams().waiting.retain(|waiting| waiting.id != id);
    }
}

impl Streams {
    /// Where a message goes: a response to its request, progress too, and the rest to the open stream, or else
    /// to whoever waits.
    fn place(&mut self, text: &str) -> Option<mpsc::Sender<String>> {
        let message = Message::read(text);
        let kind = message.as_ref().and_then(Message::kind);
        match kind {
            Some(Kind::Response { id }) => {
                let at = self.waiting.iter().position(|waiting| waiting.id == id)?;
                return Some(self.waiting.swap_remove(at).to);
            }
            Some(Kind::Notification { method: "notifications/progress" }) => {
                let token = message.as_ref()?.param("progressToken")?.to_string();
                let of = |waiting: &&Waiting| waiting.progress.as_ref() == Some(&token);
                if let Some(waiting) = self.waiting.iter().find(of) {
                    return Some(waiting.to.clone());
                }
            }
            _ => {}
        }
        let open = self.open.as_ref().filter(|open| !open.is_closed());
        open.or_else(|| Some(&self.waiting.last()?.to)).cloned()
    }
}

impl Front {
    pub(crate) fn new(views: Views, upstream: Upstream) -> Self {
        Self { views, upstream, sessions: Mutex::default(), idle: Mutex::default() }
    }

    pub(crate) async fn answer(self: Arc<Self>, request: Request<RequestBody>) -> Answered {
        let (parts, body) = request.into_parts();
        let Some(visitor) = parts.extensions.get::<Visitor>().cloned() else {
            return Err(refused(StatusCode::INTERNAL_SERVER_ERROR, "there is no visitor"));
        };
        let owner = parts.extensions.get::<Caller>().map(|caller| caller.subject().to_owned());
        let session = match parts.headers.get(SESSION).and_then(|id| id.to_str().ok()) {
            None => None,
            Some(id) => Some(self.session(id, owner.as_ref())?),
        };
        match (parts.method, session) {
            (Method::POST, session) => {
                let bytes = visitor.read_json(body).await?;
                let text = String::from_utf8(bytes.to_vec())
                    .map_err(|_| refused(StatusCode::BAD_REQUEST, "the body is not UTF-8"))?;
                self.post(text, session, owner, &visitor).await
            }
            (Method::GET, Some(session)) => listen(&session, visitor.open_stream(STREAM)?),
            (Method::DELETE, Some(_)) => {
                let id = parts.headers.get(SESSION).and_then(|id| id.to_str().ok());
                self.sessions().remove(id.unwrap_or_default());
                Ok(status(StatusCode::NO_CONTENT))
            }
            (Method::GET | Method::DELETE, None) => {
                Err(refused(StatusCode::BAD_REQUEST, "Mcp-Session-Id is missing"))
            }
            _ => Err(refused(StatusCode::METHOD_NOT_ALLOWED, "GET, POST or DELETE")),
        }
    }

    fn sessions(&self) -> MutexGuard<'_, HashMap<String, Arc<Session>>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The session of an id, for the caller who has begun it.
    fn session(
        &self,
        id: &str,
        owner: Option<&String>,
    ) -> Result<Arc<Session>, Box<Response<Body>>> {
        let mut sessions = self.sessions();
        let found = sessions.get(id).cloned();
        let Some(session) = found.filter(|session| session.owner.as_ref() == owner) else {
            return Err(refused(StatusCode::NOT_FOUND, "there is no such session"));
        };
        if session.streams().is_over {
            sessions.remove(id);
            return Err(refused(StatusCode::NOT_FOUND, "the session is over"));
        }
        Ok(session)
    }

    async fn post(
        self: &Arc<Self>,
        text: String,
        session: Option<Arc<Session>>,
        owner: Option<String>,
        visitor: &Visitor,
    ) -> Answered {
        let bad = |words| refused(StatusCode::BAD_REQUEST, words);
        let message = Message::read(&text).ok_or_else(|| bad("the body is not one message"))?;
        let is_modern = is_modern(&message);
        let Some(kind) = message.kind() else { return Err(bad("the body is not a message")) };
        let (id, method) = match kind {
            Kind::Request { id, method } => (id.to_owned(), method.to_owned()),
            // There is nobody to cancel for, where closing the response cancels.
            _ if is_modern || session.is_none() => return Ok(status(StatusCode::ACCEPTED)),
            _ => {
                let session = session.ok_or_else(|| bad("Mcp-Session-Id is missing"))?;
                session.say(text).await.map_err(|why| refused(StatusCode::NOT_FOUND, &why))?;
                return Ok(status(StatusCode::ACCEPTED));
            }
        };
        let open = visitor.open_stream(STREAM)?;
        let (session, new) = match session {
            _ if is_modern => (self.borrow(), None),
            Some(session) => (session, None),
            None if method == "initialize" => {
                let (id, session) = self.begin(owner)?;
                (session, Some(id))
            }
            None => return Err(bad("Mcp-Session-Id is missing")),
        };
        let answers = session.ask(&id, text).await;
        let answers = answers.map_err(|why| refused(StatusCode::SERVICE_UNAVAILABLE, &why))?;
        let front = is_modern.then(|| Arc::clone(self));
        let asking = Asking { session, id, answers, is_answered: false, front, _open: open };
        let mut response = asking.respond().await;
        if let Some(id) = new.and_then(|id| HeaderValue::try_from(id).ok()) {
            response.headers_mut().insert(SESSION, id);
        }
        Ok(response)
    }

    /// Begins a session, where there is room for one.
    fn begin(&self, owner: Option<String>) -> Result<(String, Arc<Session>), Box<Response<Body>>> {
        let mut sessions = self.sessions();
        sessions.retain(|_, session| {
            let streams = session.streams();
            let is_used = !streams.waiting.is_empty()
                || streams.open.as_ref().is_some_and(|open| !open.is_closed());
            !streams.is_over && (is_used || streams.last_used.elapsed() < MAX_AGE)
        });
        if sessions.len() >= MAX_SESSIONS {
            return Err(refused(StatusCode::SERVICE_UNAVAILABLE, "there are too many sessions"));
        }
        let id = format!("{:032x}", rand::random::<u128>());
        let session = Session::begin(self.views.clone(), self.upstream.clone(), owner);
        sessions.insert(id.clone(), Arc::clone(&session));
        Ok((id, session))
    }

    /// A server for one request without a session.
    fn borrow(&self) -> Arc<Session> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        idle.filter(|session| !session.streams().is_over)
            .unwrap_or_else(|| Session::begin(self.views.clone(), self.upstream.clone(), None))
    }

    fn give_back(&self, session: Arc<Session>) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < MAX_IDLE {
            idle.push(session);
        }
    }
}

/// A request that waits for its response.
struct Asking {
    session: Arc<Session>,
    id: String,
    answers: mpsc::Receiver<String>,
    is_answered: bool,
    /// Who gets the server back, where it was borrowed.
    front: Option<Arc<Front>>,
    _open: OpenStream,
}

impl Asking {
    async fn next(&mut self) -> Option<String> {
        let text = self.answers.recv().await?;
        let message = Message::read(&text);
        let kind = message.as_ref().and_then(Message::kind);
        self.is_answered |= matches!(kind, Some(Kind::Response { id }) if id == self.id);
        Some(text)
    }

    /// JSON, if the first thing that comes is the response, else a stream of events.
    async fn respond(mut self) -> Response<Body> {
        match self.next().await {
            Some(text) if self.is_answered => {
                respond(StatusCode::OK, "application/json", text.into())
            }
            first => {
                let first = first.as_deref().map(event);
                events(stream::unfold((self, first), async |(mut asking, first)| {
                    if let Some(first) = first {
                        return Some((first, (asking, None)));
                    }
                    if asking.is_answered {
                        return None;
                    }
                    match tokio::time::timeout(KEEP_ALIVE, asking.next()).await {
                        Ok(Some(text)) => Some((event(&text), (asking, None))),
                        Ok(None) => None,
                        Err(_) => Some((Bytes::from_static(b":\n\n"), (asking, None))),
                    }
                }))
            }
        }
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        self.session.forget(&self.id);
        // A server that still works on a request is nobody else's; it ends with this handle.
        if let Some(front) = self.front.take().filter(|_| self.is_answered) {
            front.give_back(Arc::clone(&self.session));
        }
    }
}

/// The stream of what nobody has asked for; the newest one gets it.
fn listen(session: &Arc<Session>, open: OpenStream) -> Answered {
    let (to, heard) = mpsc::channel(2 * WAITING);
    {
        let mut streams = session.streams();
        for text in streams.kept.drain(..) {
            _ = to.try_send(text);
        }
        streams.open = Some(to);
        streams.last_used = Instant::now();
    }
    let weak = Arc::downgrade(session);
    let state = (heard, weak, open);
    Ok(events(stream::unfold(state, async |(mut heard, session, open)| {
        let chunk = match tokio::time::timeout(KEEP_ALIVE, heard.recv()).await {
            Ok(text) => event(&text?),
            Err(_) => Bytes::from_static(b":\n\n"),
        };
        session.upgrade()?;
        Some((chunk, (heard, session, open)))
    })))
}

fn event(text: &str) -> Bytes {
    format!("data: {}\n\n", text.replace(['\n', '\r'], " ")).into()
}

fn events(chunks: impl futures_util::Stream<Item = Bytes> + Send + 'static) -> Response<Body> {
    let mut response = respond(StatusCode::OK, "text/event-stream", Body::stream(chunks));
    let name = HeaderName::from_static("x-accel-buffering");
    response.headers_mut().insert(name, HeaderValue::from_static("no"));
    response
}

fn respond(status: StatusCode, mime: &'static str, body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(mime));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

fn status(status: StatusCode) -> Response<Body> {
    let mut response = Response::new(Body::from(""));
    *response.status_mut() = status;
    response
}

fn refused(status: StatusCode, words: &str) -> Box<Response<Body>> {
    let text = message::error("null", NO_SERVER, words);
    Box::new(respond(status, "application/json", text.into()))
}
