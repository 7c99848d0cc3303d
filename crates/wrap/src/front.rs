//! Serves `wrap` over Streamable HTTP. Each client session has its own server, which no other client reaches;
//! requests of the revision without sessions borrow a server that is reserved for their caller.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use http::header::{self, HeaderMap, HeaderName, HeaderValue};
use http::request::Parts;
use http::{Method, Request, Response, StatusCode};
use serde_json::Value;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use widgetcast::http::{Body, RelayedMessage, RequestBody, Visitor};
use widgetcast::store::Owner;
use widgetcast::{App, Budgeted, Caller};

use crate::asking::{Asking, Counted, STREAM, Said, listen};
use crate::http::Challenge;
use crate::link::{Link, Unsent};
use crate::message::{
    self, CAPABILITIES, Kind, META_VERSION, Message, TRACE, is_unambiguous, value_at,
};
use crate::respond::{Answered, EVENTS, bad, empty, json, later, only, refused};
use crate::several::Servers;
use crate::slots::{Full, SessionLimits, Slots};
use crate::views::Views;

const INVALID_PARAMS: i32 = -32602;
/// Maximum bytes of an id.
const MAX_ID: usize = 1 << 10;
const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
/// Maximum idle servers of one caller for requests without a session, and maximum callers that have any.
const MAX_IDLE: usize = 4;
const MAX_POOLS: usize = 1000;
/// Requests whose response may take indefinitely long.
const ENDLESS: [&str; 2] = ["subscriptions/listen", "tasks/result"];
/// How long servers may take to exit at shutdown.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(5);

/// The user of a server: the caller, and what is forwarded to the server.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct User {
    caller: Option<Owner>,
    authorization: Option<HeaderValue>,
}

/// The servers of one caller for requests without a session.
struct Pool {
    views: Views,
    idle: Vec<Arc<Link>>,
}

/// All clients of a wrapped server.
pub(crate) struct Front {
    views: Views,
    servers: Servers,
    limits: SessionLimits,
    forward_auth: bool,
    patience: Duration,
    pub(crate) most_bytes: usize,
    slots: Slots,
    sessions: Mutex<HashMap<String, (User, Arc<Link>)>>,
    pools: Mutex<HashMap<User, Pool>>,
    running: TaskTracker,
    over: CancellationToken,
}

/// What is read of a message of a client.
struct Posted {
    text: String,
    id: Option<String>,
    /// `None` in a response to a request of the server.
    method: Option<String>,
    target: Option<String>,
    version: Option<String>,
    /// Whether it reads the page.
    is_open: bool,
}

impl Posted {
    fn read(text: String, views: &Views, _: Budgeted) -> Result<Self, Box<Response<Body>>> {
        // serde would accept an array for the members in order, and servers may read it as a batch.
        if !text.trim_start().starts_with('{') || !is_unambiguous(&text) {
            let why = "a message must be an object without duplicate members";
            return Err(bad(None, why));
        }
        let message =
            Message::read(&text).ok_or_else(|| bad(None, "the body is not a JSON-RPC message"))?;
        let (id, method) = match message.kind() {
            Some(Kind::Request { id, method }) => (Some(id), Some(method)),
            Some(Kind::Notification { method }) => (None, Some(method)),
            Some(Kind::Response { .. }) => (None, None),
            None => return Err(bad(None, "the body is not a JSON-RPC message")),
        };
        if id.is_some_and(|id| !id.starts_with('"') && id.parse::<i64>().is_err()) {
            return Err(bad(None, "the id must be a string or an integer"));
        }
        if id.is_some_and(|id| id.len() > MAX_ID) {
            return Err(bad(None, "the id is too long"));
        }
        let meta = message.param("_meta").unwrap_or_default();
        let version = meta.get(META_VERSION).and_then(Value::as_str);
        if let (Some(id), Some(_)) = (id, version)
            && !meta.get(CAPABILITIES).is_some_and(Value::is_object)
        {
            let why = format!("Invalid params: _meta requires the object {CAPABILITIES}");
            let text = message::error(id, INVALID_PARAMS, &why);
            return Err(Box::new(json(StatusCode::BAD_REQUEST, text)));
        }
        let target = method.and_then(|method| target(&message, method));
        let is_page = |uri: &String| views.is_page(uri);
        let is_open = method == Some("resources/read") && target.as_ref().is_some_and(is_page);
        let (id, method) = (id.map(str::to_owned), method.map(str::to_owned));
        let version = version.map(str::to_owned);
        Ok(Self { text, id, method, target, version, is_open })
    }
}

/// A parsed request.
struct Asked<'m> {
    id: &'m str,
    method: &'m str,
    target: Option<String>,
    is_modern: bool,
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Front {
    pub(crate) fn new(
        (views, servers): (Views, Servers),
        limits: SessionLimits,
        forward_auth: bool,
        app: &App,
    ) -> Self {
        Self {
            views,
            servers,
            limits,
            forward_auth,
            patience: app.settings().call_timeout,
            most_bytes: app.settings().max_response_bytes,
            slots: Slots::default(),
            sessions: Mutex::default(),
            pools: Mutex::default(),
            running: TaskTracker::new(),
            over: CancellationToken::new(),
        }
    }

    pub(crate) async fn answer(self: Arc<Self>, request: Request<RequestBody>) -> Answered {
        let (parts, body) = request.into_parts();
        let Some(visitor) = parts.extensions.get::<Visitor>().cloned() else {
            return Err(refused(StatusCode::INTERNAL_SERVER_ERROR, None, "there is no visitor"));
        };
        match parts.method {
            Method::POST => {
                let bytes = visitor.read_json(body).await?;
                let text = std::str::from_utf8(&bytes)
                    .map_err(|_| bad(None, "the body is not UTF-8"))?
                    .to_owned();
                drop(bytes);
                match text.trim_start().starts_with('[') {
                    true => self.post_batch(text, &parts, &visitor).await,
                    false => self.post(text, &parts, visitor).await,
                }
            }
            Method::GET | Method::DELETE => self.without_body(&parts, &visitor).await,
            _ => Err(only("GET, POST, DELETE, OPTIONS")),
        }
    }

    /// The stream of a session, or its deletion.
    async fn without_body(&self, parts: &Parts, visitor: &Visitor) -> Answered {
        let wants_events = lists(&parts.headers, header::ACCEPT, EVENTS);
        if parts.method == Method::GET && !wants_events {
            return Err(only("GET, POST, DELETE, OPTIONS"));
        }
        let message = RelayedMessage {
            id: None,
            method: "subscriptions/listen",
            target: None,
            version: None,
            is_open: false,
        };
        visitor.check_relayed(&parts.headers, message).await?;
        let (id, link) = self.session(parts, visitor, None)?;
        if parts.method == Method::DELETE {
            lock(&self.sessions).remove(&id);
            link.end();
            return Ok(empty(StatusCode::NO_CONTENT));
        }
        Ok(listen(&link, visitor.open_free_stream(STREAM)?))
    }

    /// The user of a session who sends a request.
    fn user(&self, parts: &Parts, caller: Option<Owner>) -> User {
        let authorization = parts.headers.get(header::AUTHORIZATION).filter(|_| self.forward_auth);
        let authorization = authorization.cloned().map(|mut value| {
            value.set_sensitive(true);
            value
        });
        User { caller, authorization }
    }

    /// The session that a request names, if it belongs to the caller.
    pub(crate) fn session(
        &self,
        parts: &Parts,
        visitor: &Visitor,
        message: Option<&str>,
    ) -> Result<(String, Arc<Link>), Box<Response<Body>>> {
        let Some(id) = parts.headers.get(SESSION) else {
            return Err(bad(message, "Mcp-Session-Id is missing: initialize first"));
        };
        let user = self.user(parts, authenticated(parts, visitor));
        let id = id.to_str().unwrap_or_default();
        let found = lock(&self.sessions).get(id).filter(|(of, _)| *of == user).cloned();
        match found.filter(|(_, link)| !link.is_over()) {
            Some((_, link)) => Ok((id.to_owned(), link)),
            None => {
                let why = "Session not found; initialize again";
                Err(refused(StatusCode::NOT_FOUND, message, why))
            }
        }
    }

    pub(crate) async fn post(
        self: Arc<Self>,
        text: String,
        parts: &Parts,
        visitor: Visitor,
    ) -> Answered {
        let (bytes, views) = (text.len(), self.views.clone());
        let read = visitor.work(bytes, move |budgeted| Posted::read(text, &views, budgeted));
        let Posted { mut text, id, method, target, version, is_open } = read.await??;
        let (id, version) = (id.as_deref(), version.as_deref());
        let (Some(method), target) = (method.as_deref(), target.as_deref()) else {
            return self.say(text, parts, &visitor).await;
        };
        let about = RelayedMessage { id, method, target, version, is_open };
        visitor.check_relayed(&parts.headers, about).await?;
        let Some(id) = id else {
            return match version {
                // If closing the response cancels a request, a notification has no recipient.
                Some(_) => Ok(empty(StatusCode::ACCEPTED)),
                None => self.say(text, parts, &visitor).await,
            };
        };
        // A host may prefix the names of tools; compare the name that is called.
        let meanings = || target.into_iter().flat_map(|name| self.views.meanings(name));
        if method == "tools/call" && !meanings().all(|tool| visitor.may_call_relayed(&tool)) {
            let why = format!("Unknown tool: {}", target.unwrap_or_default());
            return Err(refused(StatusCode::OK, Some(id), &why));
        }
        if let (Some(tool), "tools/call", Some(_)) = (target, method, version) {
            let user = self.user(parts, Some(owner(parts, &visitor)));
            let known = lock(&self.pools).get(&user).and_then(|pool| pool.views.known(tool));
            if let Some(tool) = known {
                let all = (visitor.clone(), parts.headers.clone(), id.to_owned());
                let check = move |_: Budgeted| {
                    let (visitor, headers, id) = all;
                    let arguments = value_at(&text, &["params", "arguments"]).unwrap_or("{}");
                    let schema = tool.input_schema();
                    visitor.check_relayed_params(&headers, &id, schema, arguments).map(|()| text)
                };
                text = visitor.work(bytes, check).await??;
            }
        }
        let target = target.map(str::to_owned);
        let asked = Asked { id, method, target, is_modern: version.is_some() };
        Box::pin(self.ask(asked, text, parts, visitor)).await
    }

    /// Forwards a message that has no response.
    async fn say(&self, text: String, parts: &Parts, visitor: &Visitor) -> Answered {
        let (_, link) = self.session(parts, visitor, None)?;
        link.say(text).await.map_err(|why| unsent(why, "null"))?;
        Ok(empty(StatusCode::ACCEPTED))
    }

    /// Forwards a request, and responds with the server's response.
    async fn ask(
        self: Arc<Self>,
        asked: Asked<'_>,
        text: String,
        parts: &Parts,
        visitor: Visitor,
    ) -> Answered {
        let Asked { id, method, target, is_modern } = asked;
        let bytes = text.len();
        let is_handshake = method == "initialize" && !is_modern;
        let call = match target.filter(|_| method == "tools/call") {
            None => None,
            Some(tool) => {
                let call = visitor.begin_relayed(id, &tool, bytes)?;
                Some(Counted { call, tool })
            }
        };
        let is_endless = ENDLESS.contains(&method);
        let takes_events = !is_handshake && lists(&parts.headers, header::ACCEPT, EVENTS);
        let open = (is_endless && takes_events).then(|| visitor.open_free_stream(STREAM));
        let open = open.transpose()?;
        let (link, home) = match (is_modern, is_handshake) {
            (true, _) => {
                let user = self.user(parts, Some(owner(parts, &visitor)));
                let link = self.borrow(&user, &visitor, id)?;
                let front = Arc::clone(&self);
                let home = move |link| front.give_back(&user, link);
                (link, Some(Box::new(home) as Box<dyn FnOnce(Arc<Link>) + Send>))
            }
            (false, true) => {
                let user = self.user(parts, authenticated(parts, &visitor));
                (self.begin(self.views.for_others(), &user, &visitor, id)?, None)
            }
            (false, false) => (self.session(parts, &visitor, Some(id))?.1, None),
        };
        // Until something is waiting for the response.
        let ending = (home.is_some() || is_handshake).then(|| EndUnlessKept(Some(link.clone())));
        let traced = match parts.headers.contains_key(TRACE[0]) {
            true => {
                let headers = parts.headers.clone();
                let trace = move |_: Budgeted| {
                    let header = |name: &str| Some(headers.get(name)?.to_str().ok()?.to_owned());
                    message::with_trace(&text, header).unwrap_or(text)
                };
                visitor.work(bytes, trace).await?
            }
            false => text,
        };
        let answers = link.ask(id, takes_events, traced).await;
        let asking = Asking {
            answers: answers.map_err(|why| unsent(why, id))?,
            link,
            id: id.to_owned(),
            is_list: method == "tools/list",
            is_modern,
            is_probe: is_modern && method == "server/discover",
            call,
            patience: (!is_endless).then_some(self.patience),
            until: Instant::now() + self.patience,
            most_bytes: self.most_bytes,
            home,
            is_answered: false,
            visitor,
        };
        let asking = match is_handshake {
            true => return Ok(self.shake_hands(asking, ending, parts).await),
            false => asking,
        };
        if let Some(ending) = ending {
            ending.keep();
        }
        Ok(match open {
            Some(open) => asking.stream(None, open),
            None => asking.respond().await,
        })
    }

    /// Handles `initialize`: the session starts if the server accepts it.
    async fn shake_hands(
        &self,
        mut asking: Asking,
        ending: Option<EndUnlessKept>,
        parts: &Parts,
    ) -> Response<Body> {
        let answer = loop {
            if let Said::Answer(answer) = asking.next().await {
                break answer;
            }
        };
        let has_result = answer.has_result;
        let mut response = asking.answer(answer);
        if !has_result {
            return response;
        }
        let Some((id, value)) = new_id().and_then(|id| Some((id.clone(), id.parse().ok()?))) else {
            return *refused(
                StatusCode::INTERNAL_SERVER_ERROR,
                None,
                "cannot generate a session ID",
            );
        };
        let user = self.user(parts, authenticated(parts, &asking.visitor));
        let mut sessions = lock(&self.sessions);
        sessions.retain(|_, (_, link)| !link.is_over());
        sessions.insert(id, (user, Arc::clone(&asking.link)));
        if let Some(ending) = ending {
            ending.keep();
        }
        response.headers_mut().insert(SESSION, value);
        response
    }

    /// Starts a server for a user, if there is room for one.
    fn begin(
        &self,
        views: Views,
        user: &User,
        visitor: &Visitor,
        id: &str,
    ) -> Result<Arc<Link>, Box<Response<Body>>> {
        let slot = self.slots.take(visitor.owner(), &self.limits).map_err(|full| match full {
            Full::OfCaller => {
                let most = self.limits.max_sessions_per_caller;
                let why = format!("Too many sessions: the limit is {most} per caller");
                later(StatusCode::TOO_MANY_REQUESTS, 10, id, &why)
            }
            Full::OfAll => {
                // Idle servers make room.
                for pool in lock(&self.pools).values_mut() {
                    pool.idle.drain(..).for_each(|link| link.end());
                }
                let most = self.limits.max_sessions;
                let why = format!("Too many sessions: the limit is {most}");
                later(StatusCode::SERVICE_UNAVAILABLE, 10, id, &why)
            }
        })?;
        let (servers, challenge) = self.servers.for_client(user.authorization.clone());
        // Without `--forward-auth`, the client cannot respond to a challenge.
        let challenge = if self.forward_auth { challenge } else { Challenge::default() };
        let over = self.over.child_token();
        let (link, serve) = Link::new(views, servers, challenge, (self.limits.idle, slot), over);
        self.running.spawn(serve);
        Ok(link)
    }

    /// Borrows a server for one request without a session; no other request uses it at the same time.
    fn borrow(
        &self,
        user: &User,
        visitor: &Visitor,
        id: &str,
    ) -> Result<Arc<Link>, Box<Response<Body>>> {
        let views = {
            let mut pools = lock(&self.pools);
            if pools.len() >= MAX_POOLS {
                pools.retain(|_, pool| pool.idle.iter().any(|link| !link.is_over()));
            }
            let new = || Pool { views: self.views.for_others(), idle: Vec::new() };
            let pool = pools.entry(user.clone()).or_insert_with(new);
            while let Some(link) = pool.idle.pop() {
                if !link.is_over() {
                    return Ok(link);
                }
            }
            pool.views.clone()
        };
        self.begin(views, user, visitor, id)
    }

    fn give_back(&self, user: &User, link: Arc<Link>) {
        let mut pools = lock(&self.pools);
        match pools.get_mut(user) {
            Some(pool) if pool.idle.len() < MAX_IDLE && !link.is_over() => pool.idle.push(link),
            _ => link.end(),
        }
    }

    /// Runs another client until the sessions end.
    pub(crate) fn run(&self, client: impl Future<Output = ()> + Send + 'static) {
        let over = self.over.child_token();
        self.running.spawn(async move { over.run_until_cancelled(client).await });
    }

    /// Ends all sessions, and waits for their servers to exit.
    pub(crate) async fn close(&self) {
        self.over.cancel();
        self.running.close();
        if tokio::time::timeout(CLOSE_TIMEOUT, self.running.wait()).await.is_err() {
            tracing::warn!("killing servers that did not exit in time");
        }
    }
}

/// Ends a server whose handshake failed.
struct EndUnlessKept(Option<Arc<Link>>);

impl EndUnlessKept {
    fn keep(mut self) {
        self.0 = None;
    }
}

impl Drop for EndUnlessKept {
    fn drop(&mut self) {
        if let Some(link) = self.0.take() {
            link.end();
        }
    }
}

/// The authenticated caller of a request.
fn authenticated(parts: &Parts, visitor: &Visitor) -> Option<Owner> {
    let caller = parts.extensions.get::<Caller>();
    caller.map(|caller| Owner::new(Some(caller), visitor.peer()))
}

/// The caller of a request, or else its peer.
fn owner(parts: &Parts, visitor: &Visitor) -> Owner {
    Owner::new(parts.extensions.get::<Caller>(), visitor.peer())
}

/// The subject of a message for the app's access rules.
fn target(message: &Message<'_>, method: &str) -> Option<String> {
    let name = match method {
        "tools/call" | "prompts/get" => "name",
        "resources/read" | "resources/subscribe" | "resources/unsubscribe" => "uri",
        "tasks/get" | "tasks/update" | "tasks/cancel" => "taskId",
        _ => return None,
    };
    Some(message.param(name)?.as_str()?.to_owned())
}

/// Whether a header lists a media type.
fn lists(headers: &HeaderMap, name: HeaderName, mime: &str) -> bool {
    headers.get_all(name).iter().any(|value| value.to_str().is_ok_and(|text| text.contains(mime)))
}

/// An unguessable id.
fn new_id() -> Option<String> {
    let mut bytes = [0; 16];
    let random = rustls::crypto::ring::default_provider().secure_random;
    random.fill(&mut bytes).ok()?;
    Some(format!("{:032x}", u128::from_be_bytes(bytes)))
}

/// The response for a message that could not be sent to the server.
fn unsent(why: Unsent, id: &str) -> Box<Response<Body>> {
    match why {
        Unsent::Over => refused(StatusCode::NOT_FOUND, Some(id), "the session has ended"),
        Unsent::Stuck => {
            later(StatusCode::SERVICE_UNAVAILABLE, 1, id, "the server is not reading its input")
        }
        Unsent::Repeated => bad(Some(id), "a request with this ID is running"),
        Unsent::TooMany => later(
            StatusCode::TOO_MANY_REQUESTS,
            1,
            id,
            "too many concurrent requests in this session",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_differ() {
        let (one, other) = (new_id().unwrap(), new_id().unwrap());
        assert!(one.len() == 32 && one != other, "{one} {other}");
    }
}
