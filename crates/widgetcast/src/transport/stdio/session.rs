//! The client of a pipe: its handshake, and its running requests.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use serde_json::Value;
use tokio::sync::broadcast::error::RecvError;
use tokio_util::sync::CancellationToken;
use widgetcast_core::JsonRef;

use super::writer::{Writer, append, terminated};
use crate::call::request_id::RequestId;
use crate::protocol::jsonrpc::{self, Message};
use crate::protocol::{
    Answer, ClientContext, Params, Request, RequestMeta, RpcError, Running, Said, Subscription,
    Transport, access, dispatch, lifecycle,
};
use crate::reload::Change;
use crate::sdk::caller::Caller;
use crate::sdk::context::ClientInfo;
use crate::sdk::log_level::LogLevel;
use crate::sdk::peer::Peer;
use crate::sdk::refusal::Refusal;
use crate::server::{Live, Server};
use crate::worker::Budgeted;

/// Maximum resource subscriptions of a client.
const MAX_SUBSCRIPTIONS: usize = 10_000;

const TOO_MUCH: &str = "Too many pending requests; wait for responses";

/// Running requests by id, for cancellation.
type Cancels = Arc<Mutex<HashMap<String, CancellationToken>>>;
type Subscribed = Arc<Mutex<HashSet<String>>>;

/// The client's `initialize` request.
struct Handshake {
    client: Option<ClientInfo>,
    capabilities: Value,
    /// The log level, which the client sets later.
    log_level: Option<LogLevel>,
}

/// The single client of a pipe is the app's local caller, if there is one.
struct Pipe<'s>(Option<&'s Caller>);

impl Transport for Pipe<'_> {
    fn caller(&self) -> Option<&Caller> {
        self.0
    }

    fn is_exclusive(&self) -> bool {
        true
    }
}

pub(super) struct Session {
    live: Arc<Live>,
    /// The version of the app at the last message.
    server: Arc<Server>,
    handshake: Option<Handshake>,
    running: Cancels,
    /// The resource subscriptions of a client with a handshake.
    subscribed: Subscribed,
    writer: Writer,
    /// Responses to the last lines, which are written together.
    responses: Vec<u8>,
    /// Cancelled when the session ends: streams end, and running calls may finish.
    ended: CancellationToken,
    is_announcing: bool,
}

impl Session {
    pub(super) fn new(live: &Arc<Live>, writer: Writer) -> Self {
        Self {
            live: Arc::clone(live),
            server: live.load_full(),
            handshake: None,
            running: Cancels::default(),
            subscribed: Subscribed::default(),
            writer,
            responses: Vec::new(),
            ended: CancellationToken::new(),
            is_announcing: false,
        }
    }

    pub(super) fn is_ended(&self) -> bool {
        self.ended.is_cancelled()
    }

    /// Accepts no further messages; running calls may finish.
    pub(super) async fn end(&mut self) {
        self.ended.cancel();
        self.flush(true).await;
    }

    /// Flushes the responses, now or with the next ones.
    pub(super) async fn flush(&mut self, now: bool) {
        self.writer.add(&mut self.responses, now).await;
    }

    fn put(&mut self, line: String) {
        append(&mut self.responses, terminated(line));
    }

    pub(super) fn refuse(&mut self, id: Option<Value>, error: &RpcError) {
        self.put(jsonrpc::error(id, error));
    }

    /// Handles a message. This thread serves a single client, so it may use the whole time of a call.
    ///
    /// While a guard runs, no other message is read, so a rejected client cannot partially succeed.
    pub(super) async fn take(&mut self, line: &[u8]) {
        self.server = self.live.load_full();
        let refusal = match self.server.policy.guards.is_empty() {
            true => None,
            false => {
                let caller = self.server.policy.local_caller.as_ref();
                let line = Bytes::copy_from_slice(line);
                access::guard(&self.server, &line, caller, Peer::LOCAL).await
            }
        };
        Budgeted::here(|budgeted| self.take_within_budget(line, refusal.as_ref(), budgeted));
    }

    fn take_within_budget(&mut self, line: &[u8], refusal: Option<&Refusal>, budgeted: Budgeted) {
        match jsonrpc::read(line) {
            Ok(Message::Request(request)) => self.request(request, refusal, budgeted),
            Ok(Message::Notification { method, params }) => self.notification(&method, &params),
            Ok(Message::Response { id, response }) => {
                _ = jsonrpc::take_response(&self.server.questions, id, response);
            }
            Ok(Message::Batch(_)) => {
                self.refuse(None, &RpcError::invalid_request("batches are not supported"));
            }
            Err(invalid) => self.refuse(invalid.id, &invalid.error),
        }
    }

    fn request(
        &mut self,
        request: jsonrpc::Request<'_>,
        refusal: Option<&Refusal>,
        budgeted: Budgeted,
    ) {
        let id = request.id;
        let begun = match self.answer(request, refusal, budgeted) {
            Err(error) => Err(error),
            Ok(Answer::Now(body)) => return self.put(jsonrpc::response(id, body)),
            Ok(Answer::Later(running)) => {
                self.begin(id).map(|cancel| self.run(id, cancel, running))
            }
            Ok(Answer::Stream(subscription)) => {
                self.begin(id).map(|cancel| self.stream(id, cancel, subscription))
            }
        };
        if let Err(error) = begun {
            self.put(jsonrpc::response(id, Err(error)));
        }
    }

    /// Registers a running request until its response is written.
    fn begin(&self, id: &str) -> Result<CancellationToken, RpcError> {
        let mut running = lock(&self.running);
        if running.len() >= self.server.settings.max_concurrent {
            return Err(RpcError::new(RpcError::INTERNAL, TOO_MUCH));
        }
        match running.entry(id.to_owned()) {
            Entry::Occupied(_) => {
                Err(RpcError::invalid_request("a request with this id is already in progress"))
            }
            Entry::Vacant(entry) => Ok(entry.insert(CancellationToken::new()).clone()),
        }
    }

    fn answer(
        &mut self,
        request: jsonrpc::Request<'_>,
        refusal: Option<&Refusal>,
        budgeted: Budgeted,
    ) -> Result<Answer, RpcError> {
        let jsonrpc::Request { id, method, mut params } = request;
        let given = params.meta.take();
        let meta = RequestMeta::read(given.as_ref())?;
        let modern = meta.is_modern()?;
        if meta.version.is_none() && self.must_tell_version(&method) {
            return Err(meta.incomplete());
        }
        if !modern {
            self.remember(&method, &params);
        }
        let handshake = self.handshake.as_ref().filter(|_| !modern);
        let known = handshake.map(|known| JsonRef::from(&known.capabilities));
        let client = ClientContext {
            modern,
            name: match handshake {
                Some(known) => known.client.as_ref().map(Into::into),
                None => meta.client,
            },
            capabilities: known.as_ref().or(meta.capabilities),
            meta: given.as_ref(),
            session: None,
            transport: &Pipe(self.server.policy.local_caller.as_ref()),
            surfaces: None,
            cancel: None,
            log_level: handshake.and_then(|known| known.log_level),
            refusal,
        };
        Ok(dispatch(&self.server, Request { id, method: &method, params, client, budgeted }))
    }

    /// Whether requests must declare their revision.
    fn must_tell_version(&self, method: &str) -> bool {
        let is_handshake = matches!(method, "initialize" | "ping");
        method == "server/discover" || (self.handshake.is_none() && !is_handshake)
    }

    /// Records the handshake and subscriptions of a client.
    fn remember(&mut self, method: &str, params: &Params<'_>) {
        match (method, params.uri.as_deref()) {
            ("initialize", _) => {
                let rare = params.rare();
                let info = rare.and_then(|rare| rare.client_info.clone());
                let capabilities = rare.and_then(|rare| rare.capabilities.clone());
                self.handshake = Some(Handshake {
                    client: info.and_then(|info| serde_json::from_value(info).ok()),
                    capabilities: capabilities.unwrap_or_default(),
                    log_level: None,
                });
            }
            ("logging/setLevel", _) => {
                if let (Some(known), Some(level)) =
                    (&mut self.handshake, lifecycle::log_level(params))
                {
                    known.log_level = Some(level);
                }
            }
            ("resources/subscribe", Some(uri)) => {
                let mut subscribed = lock(&self.subscribed);
                if subscribed.len() < MAX_SUBSCRIPTIONS {
                    subscribed.insert(uri.to_owned());
                }
            }
            ("resources/unsubscribe", Some(uri)) => _ = lock(&self.subscribed).remove(uri),
            _ => {}
        }
    }

    /// Sends the messages of a request and its response, unless the client cancels it.
    fn run(&self, id: &str, cancel: CancellationToken, mut running: Running) {
        let (id, ended) = (id.to_owned(), self.ended.clone());
        let (table, writer) = (Arc::clone(&self.running), self.writer.clone());
        let mut held = self.server.metrics.hold(self.server.settings.max_buffered_bytes);
        tokio::spawn(RequestId::default().scope(async move {
            let mut is_alone = false;
            let body = loop {
                tokio::select! {
                    said = running.next() => match said {
                        Said::Message(text) => writer.send(text).await,
                        Said::End(body) => break Some(body),
                    },
                    () = cancel.cancelled() => break None,
                    // The client has disconnected, and will not answer.
                    () = ended.cancelled(), if !is_alone => {
                        running.close();
                        is_alone = true;
                    }
                }
            };
            // A cancelled call ends before its id may be reused.
            drop(running);
            // Before the response is written: the client may reuse the id as soon as it has it.
            lock(&table).remove(&id);
            if let Some(body) = body {
                let mut response = jsonrpc::response(&id, body);
                // Held until the client has read the previous messages.
                if !held.grow(response.len()) {
                    let fault = RpcError::new(RpcError::INTERNAL, TOO_MUCH);
                    response = jsonrpc::response(&id, Err(fault));
                }
                writer.send(response).await;
            }
        }));
    }

    /// Sends the messages of a subscription until the client cancels it or the session ends.
    fn stream(&mut self, id: &str, cancel: CancellationToken, mut subscription: Subscription) {
        let (id, ended) = (id.to_owned(), self.ended.clone());
        let (running, writer) = (Arc::clone(&self.running), self.writer.clone());
        self.put(subscription.acknowledgement());
        tokio::spawn(async move {
            loop {
                let messages = tokio::select! {
                    () = cancel.cancelled() => break,
                    () = ended.cancelled() => None,
                    messages = subscription.next() => messages,
                };
                let Some(messages) = messages else {
                    writer.send(subscription.end()).await;
                    break;
                };
                for message in messages {
                    writer.send(message).await;
                }
            }
            lock(&running).remove(&id);
        });
    }

    fn notification(&mut self, method: &str, params: &Params<'_>) {
        match method {
            "notifications/initialized" if !self.is_announcing => {
                self.is_announcing = true;
                let subscribed = Arc::clone(&self.subscribed);
                let announce = announce(Arc::clone(&self.server), subscribed, self.writer.clone());
                tokio::spawn(self.ended.clone().run_until_cancelled_owned(announce));
            }
            "notifications/cancelled" => {
                let id = params.rare().and_then(|rare| rare.request_id.as_ref());
                let id = id.map(Value::to_string).unwrap_or_default();
                if let Some(request) = lock(&self.running).get(&id) {
                    request.cancel();
                }
            }
            _ => {}
        }
    }
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sends change notifications to a client with a handshake.
async fn announce(server: Arc<Server>, subscribed: Subscribed, writer: Writer) {
    let mut changes = server.reloader.subscribe();
    loop {
        let changed = match changes.recv().await {
            Ok(Change::Resource(uri)) if !lock(&subscribed).contains(&uri) => continue,
            Ok(change) => vec![change],
            // Some were missed, so tell the client to read every list again.
            Err(RecvError::Lagged(_)) => vec![Change::Tools, Change::Resources],
            Err(RecvError::Closed) => return,
        };
        for change in changed {
            writer.send(jsonrpc::changed(&change)).await;
        }
    }
}
