//! A client's line to its server over HTTP: which response or stream a message belongs to, and when all of it
//! is over.

use std::collections::{HashSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::value::RawValue;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

use crate::connection::Connect as _;
use crate::http::Challenge;
use crate::message::{self, Kind, Message};
use crate::session::{self, ClientEnd};
use crate::several::Servers;
use crate::slots::Slot;
use crate::views::Views;

/// Messages that wait for one stream.
const WAITING: usize = 8;
/// The most requests of a client that run at once, and of its server that wait for it.
const MAX_RUNNING: usize = 64;
/// The most bytes of messages that are kept for a client that has no stream open.
const MAX_KEPT: usize = 1 << 20;
/// How long a server may take to accept a message.
const SEND_TIMEOUT: Duration = Duration::from_secs(10);

/// Why a message was not sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unsent {
    /// The session is over.
    Over,
    /// The server does not read.
    Stuck,
    /// A request with this id is running.
    Repeated,
    TooMany,
}

/// A client's line to its server.
#[derive(Debug)]
pub(crate) struct Link {
    state: Mutex<State>,
    over: CancellationToken,
    /// How the server has refused the client's authorization.
    pub challenge: Challenge,
    pub views: Views,
}

#[derive(Debug)]
struct State {
    /// None once it is over.
    to: Option<mpsc::Sender<String>>,
    waiting: Vec<Waiting>,
    /// The stream for messages that answer no request.
    open: Option<mpsc::Sender<String>>,
    /// What came while there was none.
    kept: VecDeque<String>,
    /// The requests of the server that the client has not answered.
    asking: HashSet<String>,
    last_used: Instant,
    why: String,
}

/// A request that waits for its response.
#[derive(Debug)]
struct Waiting {
    id: String,
    progress: Option<String>,
    takes_events: bool,
    to: mpsc::Sender<String>,
}

impl Link {
    /// A link to a separate server, which ends when it is idle for too long. The future serves it.
    pub(crate) fn new(
        views: Views,
        servers: Servers,
        challenge: Challenge,
        (idle, slot): (Duration, Slot),
        over: CancellationToken,
    ) -> (Arc<Self>, impl Future<Output = ()> + Send + 'static) {
        let (to, from) = mpsc::channel(WAITING);
        let (back, mut heard) = mpsc::channel(WAITING);
        let state = Mutex::new(State {
            to: Some(to),
            waiting: Vec::new(),
            open: None,
            kept: VecDeque::new(),
            asking: HashSet::new(),
            last_used: Instant::now(),
            why: "the session has ended".into(),
        });
        let link = Arc::new(Self { state, over, challenge, views: views.clone() });
        let this = Arc::clone(&link);
        let serve = async move {
            let relay = async {
                let client = ClientEnd { to: back, from };
                match servers.connect() {
                    Err(why) => this.state().why = why,
                    first => session::run(Some(views), &servers, first, client).await,
                }
            };
            let pass = async {
                tokio::select! {
                    () = async { while let Some(text) = heard.recv().await { this.hear(text).await } } => {}
                    () = this.over.cancelled() => {}
                    () = this.unused(idle) => {}
                }
                // The relay sees that the client has left, and ends the server.
                drop(heard);
                this.state().to = None;
            };
            tokio::join!(relay, pass);
            this.close();
            // Until here there was a server.
            drop(slot);
        };
        (link, serve)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends it, and its server.
    pub(crate) fn end(&self) {
        self.over.cancel();
        self.close();
    }

    /// Nothing is sent any more, and all who wait hear of it.
    fn close(&self) {
        let mut state = self.state();
        (state.to, state.open) = (None, None);
        state.waiting.clear();
        state.kept.clear();
    }

    pub(crate) fn is_over(&self) -> bool {
        self.state().to.is_none()
    }

    /// Why it is over.
    pub(crate) fn why(&self) -> String {
        self.state().why.clone()
    }

    /// Waits until it has been idle for this long.
    async fn unused(&self, idle: Duration) {
        loop {
            let until = {
                let mut state = self.state();
                let is_listening = state.open.as_ref().is_some_and(|open| !open.is_closed());
                if is_listening || state.waiting.iter().any(|waiting| !waiting.to.is_closed()) {
                    state.last_used = Instant::now();
                }
                state.last_used + idle
            };
            if until <= Instant::now() {
                return;
            }
            sleep_until(until).await;
        }
    }

    /// Brings messages of the server to where they belong.
    async fn hear(&self, text: String) {
        match serde_json::from_str::<Vec<&RawValue>>(&text) {
            Ok(batch) => {
                for one in batch {
                    self.hear_one(one.get().to_owned()).await;
                }
            }
            Err(_) => self.hear_one(text).await,
        }
    }

    async fn hear_one(&self, mut text: String) {
        loop {
            let place = self.state().place(&mut text);
            let Some(to) = place else { return };
            match to.send(std::mem::take(&mut text)).await {
                Ok(()) => return,
                // Whoever waited has left; a response is nobody else's.
                Err(unsent) => text = unsent.0,
            }
        }
    }

    /// Sends a request: the messages that answer it, the last of which is the response.
    pub(crate) async fn ask(
        &self,
        id: &str,
        takes_events: bool,
        text: String,
    ) -> Result<mpsc::Receiver<String>, Unsent> {
        let (to, answers) = mpsc::channel(WAITING);
        let progress = Message::read(&text).and_then(|message| message.param("_meta"));
        let progress = progress.and_then(|meta| Some(meta.get("progressToken")?.to_string()));
        {
            let mut state = self.state();
            let id = message::key(id);
            state.waiting.retain(|waiting| !waiting.to.is_closed());
            if state.waiting.iter().any(|waiting| waiting.id == id) {
                return Err(Unsent::Repeated);
            }
            if state.waiting.len() >= MAX_RUNNING {
                return Err(Unsent::TooMany);
            }
            state.waiting.push(Waiting { id, progress, takes_events, to });
        }
        let sent = self.say(text).await;
        if sent.is_err() {
            self.forget(id);
        }
        sent.map(|()| answers)
    }

    /// Sends a message that has no response.
    pub(crate) async fn say(&self, text: String) -> Result<(), Unsent> {
        let to = {
            let mut state = self.state();
            state.last_used = Instant::now();
            if let Some(message) = Message::read(&text)
                && let Some(Kind::Response { id }) = message.kind()
            {
                state.asking.remove(&message::key(id));
            }
            state.to.clone().ok_or(Unsent::Over)?
        };
        let sent = tokio::select! {
            sent = tokio::time::timeout(SEND_TIMEOUT, to.send(text)) => sent,
            () = self.over.cancelled() => return Err(Unsent::Over),
        };
        match sent {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(Unsent::Over),
            Err(_) => Err(Unsent::Stuck),
        }
    }

    /// Nobody waits for this request any more.
    fn forget(&self, id: &str) {
        let id = message::key(id);
        self.state().waiting.retain(|waiting| waiting.id != id);
    }

    /// The client has left before the response of a request: the server is told.
    pub(crate) fn cancel(&self, id: &str, why: &str) {
        self.forget(id);
        let reason = serde_json::Value::from(why);
        let text = format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id},"reason":{reason}}}}}"#
        );
        if let Some(to) = &self.state().to {
            // A server that reads nothing would not hear of it either.
            _ = to.try_send(text);
        }
    }

    /// The stream of what nobody has asked for; the newest one gets it.
    pub(crate) fn listen(&self) -> mpsc::Receiver<String> {
        let mut state = self.state();
        // Without waiting: there is room for all that is kept.
        let (to, heard) = mpsc::channel(WAITING + state.kept.len());
        for text in state.kept.drain(..) {
            _ = to.try_send(text);
        }
        state.last_used = Instant::now();
        if state.to.is_some() {
            state.open = Some(to);
        }
        heard
    }

    /// Whether the server waits for answers of the client, so that nothing is to be expected of it.
    pub(crate) fn is_asking(&self) -> bool {
        !self.state().asking.is_empty()
    }
}

impl State {
    /// Where a message goes: a response to its request, progress too, and the rest to the open stream, or else to
    /// whoever waits. What goes nowhere is kept for a stream, or dropped.
    fn place(&mut self, text: &mut String) -> Option<mpsc::Sender<String>> {
        let Some(message) = Message::read(text).filter(|_| text.trim_start().starts_with('{'))
        else {
            tracing::warn!("the server sent something that is not a JSON-RPC message");
            return None;
        };
        match message.kind() {
            Some(Kind::Response { id }) => {
                let id = message::key(id);
                let at = self.waiting.iter().position(|waiting| waiting.id == id)?;
                return Some(self.waiting.remove(at).to);
            }
            Some(Kind::Notification { method: "notifications/progress" }) => {
                let token = message.param("progressToken")?.to_string();
                let of = |waiting: &&Waiting| waiting.progress.as_ref() == Some(&token);
                if let Some(waiting) = self.waiting.iter().find(of) {
                    return Some(waiting.to.clone())
                        .filter(|to| waiting.takes_events && !to.is_closed());
                }
            }
            Some(Kind::Request { id, .. }) if self.asking.len() < MAX_RUNNING => {
                self.asking.insert(message::key(id));
            }
            _ => {}
        }
        let open = self.open.iter();
        let waiting = self.waiting.iter().rev().filter(|waiting| waiting.takes_events);
        let mut places = open.chain(waiting.map(|waiting| &waiting.to));
        if let Some(to) = places.find(|to| !to.is_closed()) {
            return Some(to.clone());
        }
        self.kept.push_back(std::mem::take(text));
        while self.kept.len() > MAX_RUNNING
            || self.kept.iter().map(String::len).sum::<usize>() > MAX_KEPT
        {
            self.kept.pop_front();
        }
        None
    }
}
