//! The connection between an HTTP client and its server: which response or stream a message belongs to, and
//! when the connection ends.

use std::collections::{HashSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::value::RawValue;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;
use widgetcast::Budgeted;

use crate::connection::{Connect as _, Heard};
use crate::http::Challenge;
use crate::message::{self, Kind, Message};
use crate::session::{self, ClientEnd};
use crate::several::Servers;
use crate::slots::Slot;
use crate::views::Views;

/// Capacity of the queue of one stream.
const WAITING: usize = 8;
/// Maximum concurrent requests of a client, and of its server to the client.
const MAX_RUNNING: usize = 64;
/// Maximum bytes of messages that are kept for a client without an open stream.
const MAX_KEPT: usize = 1 << 20;
/// Timeout for the server to accept a message.
const SEND_TIMEOUT: Duration = Duration::from_secs(10);

/// Why a message was not sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unsent {
    /// The session is over.
    Over,
    /// The server does not read its input.
    Stuck,
    /// A request with this id is already running.
    Repeated,
    TooMany,
}

/// The connection between a client and its server.
#[derive(Debug)]
pub(crate) struct Link {
    state: Mutex<State>,
    over: CancellationToken,
    /// The server's last challenge to the client's authorization.
    pub challenge: Challenge,
    pub views: Views,
}

#[derive(Debug)]
struct State {
    /// `None` after the end.
    to: Option<mpsc::Sender<String>>,
    waiting: Vec<Waiting>,
    /// The open stream for messages that belong to no request.
    open: Option<mpsc::Sender<Routed>>,
    /// Messages that arrived while no stream was open.
    kept: VecDeque<Heard>,
    /// Pending requests of the server to the client.
    asking: HashSet<String>,
    last_used: Instant,
    why: String,
}

/// A request that is waiting for its response.
#[derive(Debug)]
struct Waiting {
    id: String,
    progress: Option<String>,
    takes_events: bool,
    to: mpsc::Sender<Routed>,
}

/// A message on its way to the client.
#[derive(Debug)]
pub(crate) struct Routed {
    pub heard: Heard,
    /// Whether it is the response to a request.
    pub is_answer: bool,
}

/// What a message of the server belongs to.
enum About {
    Answer(String),
    Progress(String),
    Question(String),
    Other,
}

impl About {
    fn read(text: &str, _: Budgeted) -> Option<Self> {
        let Some(message) = Message::read(text).filter(|_| text.trim_start().starts_with('{'))
        else {
            tracing::warn!("the server sent something that is not a JSON-RPC message");
            return None;
        };
        Some(match message.kind() {
            Some(Kind::Response { id }) => Self::Answer(message::key(id)),
            Some(Kind::Notification { method: "notifications/progress" }) => {
                Self::Progress(message.param("progressToken")?.to_string())
            }
            Some(Kind::Request { id, .. }) => Self::Question(message::key(id)),
            _ => Self::Other,
        })
    }

    /// The messages of a batch, or the only one.
    fn read_all(heard: Heard, budgeted: Budgeted) -> Vec<(Self, Heard)> {
        let Heard { text, held } = heard;
        match serde_json::from_str::<Vec<&RawValue>>(&text) {
            Ok(batch) => {
                let one = |one: &RawValue| {
                    let about = Self::read(one.get(), budgeted)?;
                    Some((about, one.get().to_owned().into()))
                };
                batch.into_iter().filter_map(one).collect()
            }
            Err(_) => {
                let about = Self::read(&text, budgeted);
                about.map(|about| (about, Heard { text, held })).into_iter().collect()
            }
        }
    }
}

impl Link {
    /// Connects to a separate server, which ends after the idle timeout. The returned future drives the
    /// connection.
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
                match servers.connect(views.app()) {
                    Err(why) => this.state().why = why,
                    first => {
                        let app = views.app().clone();
                        session::run(&app, Some(views), &servers, first, client).await;
                    }
                }
            };
            let pass = async {
                tokio::select! {
                    () = async { while let Some(text) = heard.recv().await { this.hear(text).await } } => {}
                    () = this.over.cancelled() => {}
                    () = this.unused(idle) => {}
                }
                // The relay notices the disconnect, and ends the server.
                drop(heard);
                this.state().to = None;
            };
            tokio::join!(relay, pass);
            this.close();
            // The server runs until here.
            drop(slot);
        };
        (link, serve)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the connection and its server.
    pub(crate) fn end(&self) {
        self.over.cancel();
        self.close();
    }

    /// Rejects further messages, and notifies all waiting requests.
    fn close(&self) {
        let mut state = self.state();
        (state.to, state.open) = (None, None);
        state.waiting.clear();
        state.kept.clear();
    }

    pub(crate) fn is_over(&self) -> bool {
        self.state().to.is_none()
    }

    /// Why it ended.
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

    /// Routes the messages of the server.
    async fn hear(&self, heard: Heard) {
        let workers = self.views.app().workers();
        let bytes = heard.text.len();
        let all = workers.finish(bytes, move |budgeted| About::read_all(heard, budgeted)).await;
        for (about, heard) in all.unwrap_or_default() {
            self.hear_one(&about, heard).await;
        }
    }

    async fn hear_one(&self, about: &About, heard: Heard) {
        let is_answer = matches!(about, About::Answer(_));
        let mut unsent = Some(heard);
        loop {
            let place = self.state().place(about, &mut unsent);
            let (Some(to), Some(heard)) = (place, unsent.take()) else { return };
            match to.send(Routed { heard, is_answer }).await {
                Ok(()) => return,
                // The client has disconnected; a response has no other recipient.
                Err(returned) => unsent = Some(returned.0.heard),
            }
        }
    }

    /// Sends a request. Returns its messages, the last of which is the response.
    pub(crate) async fn ask(
        &self,
        id: &str,
        takes_events: bool,
        text: String,
    ) -> Result<mpsc::Receiver<Routed>, Unsent> {
        let (to, answers) = mpsc::channel(WAITING);
        let read = move |text: String, _: Budgeted| {
            let meta = Message::read(&text).and_then(|message| message.param("_meta"));
            let progress = meta.and_then(|meta| Some(meta.get("progressToken")?.to_string()));
            (text, progress)
        };
        let (text, progress) = self.read(text, read).await?;
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

    /// Reads a message of the client, on a worker if it is long.
    async fn read<T: Send + 'static>(
        &self,
        text: String,
        read: impl FnOnce(String, Budgeted) -> T + Send + 'static,
    ) -> Result<T, Unsent> {
        let (workers, bytes) = (self.views.app().workers(), text.len());
        let read = workers.finish(bytes, move |budgeted| read(text, budgeted)).await;
        read.ok_or(Unsent::Over)
    }

    /// Sends a message that has no response.
    pub(crate) async fn say(&self, text: String) -> Result<(), Unsent> {
        let read = |text: String, _: Budgeted| {
            let answered = match Message::read(&text).as_ref().and_then(Message::kind) {
                Some(Kind::Response { id }) => Some(message::key(id)),
                _ => None,
            };
            (text, answered)
        };
        let (text, answered) = self.read(text, read).await?;
        let to = {
            let mut state = self.state();
            state.last_used = Instant::now();
            if let Some(id) = answered {
                state.asking.remove(&id);
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

    /// Stops waiting for the response to a request.
    fn forget(&self, id: &str) {
        let id = message::key(id);
        self.state().waiting.retain(|waiting| waiting.id != id);
    }

    /// Cancels a request at the server, because the client disconnected.
    pub(crate) fn cancel(&self, id: &str, why: &str) {
        self.forget(id);
        let reason = serde_json::Value::from(why);
        let text = format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id},"reason":{reason}}}}}"#
        );
        if let Some(to) = &self.state().to {
            // A server that does not read would not receive it later either.
            _ = to.try_send(text);
        }
    }

    /// Opens the stream of messages that belong to no request; it replaces an earlier one.
    pub(crate) fn listen(&self) -> mpsc::Receiver<Routed> {
        let mut state = self.state();
        // Does not block: the capacity includes the kept messages.
        let (to, heard) = mpsc::channel(WAITING + state.kept.len());
        for heard in state.kept.drain(..) {
            _ = to.try_send(Routed { heard, is_answer: false });
        }
        state.last_used = Instant::now();
        if state.to.is_some() {
            state.open = Some(to);
        }
        heard
    }

    /// Whether the server waits for responses of the client, so that its silence does not count.
    pub(crate) fn is_asking(&self) -> bool {
        !self.state().asking.is_empty()
    }
}

impl State {
    /// The recipient of a message: a response or progress goes to its request, anything else to the open
    /// stream, or else to any waiting request. Without a recipient, it is kept for a stream or dropped.
    fn place(&mut self, about: &About, heard: &mut Option<Heard>) -> Option<mpsc::Sender<Routed>> {
        match about {
            About::Answer(id) => {
                let at = self.waiting.iter().position(|waiting| waiting.id == *id)?;
                return Some(self.waiting.remove(at).to);
            }
            About::Progress(token) => {
                let of = |waiting: &&Waiting| waiting.progress.as_ref() == Some(token);
                if let Some(waiting) = self.waiting.iter().find(of) {
                    return Some(waiting.to.clone())
                        .filter(|to| waiting.takes_events && !to.is_closed());
                }
            }
            About::Question(id) if self.asking.len() < MAX_RUNNING => {
                self.asking.insert(id.clone());
            }
            _ => {}
        }
        let open = self.open.iter();
        let waiting = self.waiting.iter().rev().filter(|waiting| waiting.takes_events);
        let mut places = open.chain(waiting.map(|waiting| &waiting.to));
        if let Some(to) = places.find(|to| !to.is_closed()) {
            return Some(to.clone());
        }
        self.kept.extend(heard.take());
        while self.kept.len() > MAX_RUNNING
            || self.kept.iter().map(|heard| heard.text.len()).sum::<usize>() > MAX_KEPT
        {
            self.kept.pop_front();
        }
        None
    }
}
