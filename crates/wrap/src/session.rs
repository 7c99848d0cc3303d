//! Relays messages between a client and its own server until the client disconnects. A server that exits is
//! restarted.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::{Instant, sleep, sleep_until, timeout};
use widgetcast::{App, Budgeted, Workers};
use widgetcast_core::budget::Budget;

use crate::connection::{Connect, Connection, Heard, WAITING};
use crate::message::{Kind, Message, key};
use crate::relay::{FromClient, LISTS, Relay};
use crate::views::Views;

/// The first and the maximum backoff before a restart.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(10);
/// A server that has run this long resets the backoff.
const STABLE: Duration = Duration::from_secs(30);
/// Timeout of a repeated handshake.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(30);
/// Maximum bytes queued for one side before reading stops.
const MAX_QUEUED: usize = 4 << 20;
/// How long a server may take to exit when no request is pending.
const END_TIMEOUT: Duration = Duration::from_secs(3);

pub(crate) const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

/// The client side of the connection.
#[derive(Debug)]
pub(crate) struct ClientEnd {
    pub to: mpsc::Sender<Heard>,
    pub from: mpsc::Receiver<String>,
}

/// The next event.
enum Event {
    FromClient(Option<String>),
    FromServer(Option<Heard>),
    /// A message was sent, or its recipient has left.
    ToClient(Option<()>),
    ToServer(Option<()>),
    Retry,
}

/// Relays until the client disconnects. The caller makes the first connection to the server, because its
/// failure may be final.
pub(crate) async fn run(
    app: &App,
    views: Option<Views>,
    upstream: &impl Connect,
    first: Result<Connection, String>,
    mut client: ClientEnd,
) {
    let mut session = Session {
        relay: Arc::new(Mutex::new(Relay::new(views))),
        workers: app.workers(),
        shown: upstream.shown(),
        to_client: VecDeque::new(),
        to_server: VecDeque::new(),
    };
    let (mut server, mut why) = match first {
        Ok(connection) => (Some(connection), String::new()),
        Err(why) => (None, why),
    };
    let mut begun = Instant::now();
    let mut pause = FIRST_PAUSE;
    let mut next_try = begun + if server.is_some() { Duration::ZERO } else { pause };
    let mut deaf_until = None;
    loop {
        let until = if server.is_some() { deaf_until } else { Some(next_try) };
        match session.next(&mut client, server.as_mut(), until).await {
            Event::FromClient(None) | Event::ToClient(None) => break,
            Event::FromClient(Some(text)) => {
                let why = server.is_none().then(|| why.clone());
                session.take(text, why).await;
            }
            Event::FromServer(Some(heard)) => session.hear(heard).await,
            Event::FromServer(None) => {
                why = format!("{}; restarting it", ended(server.take()).await);
                tracing::warn!("{why}");
                session.to_server.clear();
                let answers = lock(&session.relay).server_has_gone(&why);
                session.answer(answers);
                if begun.elapsed() > STABLE {
                    pause = FIRST_PAUSE;
                }
            }
            Event::ToServer(None) => {
                // Its output ends as well, or is no longer useful.
                session.to_server.clear();
                deaf_until.get_or_insert(Instant::now() + END_TIMEOUT);
            }
            Event::ToClient(_) | Event::ToServer(_) => {}
            Event::Retry => {
                let connected = tokio::select! {
                    connected = session.reconnect(app, upstream) => connected,
                    // It was cancelled.
                    () = client.to.closed() => break,
                };
                match connected {
                    Ok(connection) => server = Some(connection),
                    Err(error) => why = error,
                }
                begun = Instant::now();
                deaf_until = None;
                next_try = begun + pause;
                pause = (pause * 2).min(LONGEST_PAUSE);
            }
        }
    }
    if let Some(connection) = server {
        session.end(connection, &client.to).await;
    }
}

/// Why a connection ended.
async fn ended(connection: Option<Connection>) -> String {
    let Some(Connection { to, from, end }) = connection else { return String::new() };
    drop((to, from));
    end.await.unwrap_or_else(|_| "the server exited".into())
}

/// Whether a queue has room for another message.
fn has_room<T>(queue: &VecDeque<T>, size: impl Fn(&T) -> usize) -> bool {
    queue.len() < WAITING && queue.iter().map(size).sum::<usize>() < MAX_QUEUED
}

/// Sends the first message of a queue, when there is room for it.
async fn pass<T>(to: &mpsc::Sender<T>, queue: &mut VecDeque<T>) -> Option<()> {
    let place = to.reserve().await.ok()?;
    queue.pop_front().map(|message| place.send(message))
}

fn lock(relay: &Mutex<Relay>) -> MutexGuard<'_, Relay> {
    relay.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Session {
    /// Shared with the worker.
    relay: Arc<Mutex<Relay>>,
    workers: Arc<Workers>,
    /// The name of the server.
    shown: String,
    to_client: VecDeque<Heard>,
    to_server: VecDeque<String>,
}

impl Session {
    /// Waits for the next event. Reads nothing from a side while messages for the other side are queued, and
    /// neither side blocks the other.
    async fn next(
        &mut self,
        client: &mut ClientEnd,
        server: Option<&mut Connection>,
        until: Option<Instant>,
    ) -> Event {
        let until = async {
            match until {
                Some(until) => sleep_until(until).await,
                None => std::future::pending().await,
            }
        };
        let Self { to_client, to_server, .. } = self;
        let is_room_for_client = has_room(to_client, |heard| heard.text.len());
        let is_room = is_room_for_client && has_room(to_server, String::len);
        let (has_for_client, has_for_server) = (!to_client.is_empty(), !to_server.is_empty());
        let ClientEnd { to, from } = client;
        let Some(server) = server else {
            return tokio::select! {
                text = from.recv(), if is_room_for_client => Event::FromClient(text),
                passed = pass(to, to_client), if has_for_client => Event::ToClient(passed),
                () = to.closed() => Event::ToClient(None),
                () = until => Event::Retry,
            };
        };
        tokio::select! {
            text = from.recv(), if is_room => Event::FromClient(text),
            text = server.from.recv(), if is_room_for_client => Event::FromServer(text),
            passed = pass(to, to_client), if has_for_client => Event::ToClient(passed),
            passed = pass(&server.to, to_server), if has_for_server => Event::ToServer(passed),
            // Even if neither side accepts messages.
            () = to.closed() => Event::ToClient(None),
            () = until => Event::FromServer(None),
        }
    }

    fn answer(&mut self, answers: Vec<String>) {
        self.to_client.extend(answers.into_iter().map(Heard::from));
    }

    /// A message of the client. Without a server, the client gets the reason.
    async fn take(&mut self, text: String, without: Option<String>) {
        let relay = Arc::clone(&self.relay);
        let bytes = text.len();
        let take = move |budgeted| match without {
            None => lock(&relay).take(text, budgeted),
            Some(why) => lock(&relay).without_server(text, &why, budgeted),
        };
        if let Some(FromClient { forward, answers }) = self.workers.finish(bytes, take).await {
            self.to_server.extend(forward);
            self.answer(answers);
        }
    }

    /// A message of the server is read and rendered here if that is fast, or else on a worker.
    async fn hear(&mut self, Heard { text, held }: Heard) {
        let (bytes, relay, shown) = (text.len(), Arc::clone(&self.relay), self.shown.clone());
        let is_long = bytes > Budget::MAX_TRIED_BYTES;
        let hear = move |budgeted| {
            let heard = lock(&relay).hear(text, budgeted);
            match heard {
                Ok(out) if is_long => Some(Ok(out.finish(budgeted))),
                Ok(out) => Some(out.now()),
                // Some servers print log lines to stdout, which would confuse the client.
                Err(line) => {
                    tracing::warn!("{shown} printed a line that is not a message: {line:.200}");
                    None
                }
            }
        };
        let heard = match self.workers.finish(bytes, hear).await.flatten() {
            Some(Err(later)) => {
                self.workers.finish(usize::MAX, move |budgeted| later.finish(budgeted)).await
            }
            heard => heard.and_then(Result::ok),
        };
        self.to_client.extend(heard.map(|text| Heard { text, held }));
    }

    /// Restarts the server, and repeats the client's handshake.
    async fn reconnect(
        &mut self,
        app: &App,
        upstream: &impl Connect,
    ) -> Result<Connection, String> {
        let mut connection = upstream.connect(app)?;
        let Some((id, handshake)) = lock(&self.relay).handshake().cloned() else {
            return Ok(connection);
        };
        let shaken = async {
            connection.to.send(handshake).await.ok()?;
            loop {
                let Heard { text, held: _held } = connection.from.recv().await?;
                let (bytes, id) = (text.len(), id.clone());
                let is_greeting = move |_: Budgeted| {
                    let message = Message::read(&text)?;
                    let Some(Kind::Response { id: answered }) = message.kind() else { return None };
                    (key(answered) == id).then(|| message.result.is_some())
                };
                match self.workers.finish(bytes, is_greeting).await? {
                    Some(true) => break,
                    Some(false) => return None,
                    None => {}
                }
            }
            connection.to.send(INITIALIZED.into()).await.ok()
        };
        match timeout(HANDSHAKE_TIMEOUT, shaken).await {
            Ok(Some(())) => {}
            Ok(None) => return Err(ended(Some(connection)).await),
            Err(_) => return Err("the server did not respond to initialize".into()),
        }
        tracing::info!("{} was restarted", upstream.shown());
        for list in LISTS.into_iter().filter(|list| lock(&self.relay).announces(list)) {
            let method = format!("notifications/{list}/list_changed");
            let changed = format!(r#"{{"jsonrpc":"2.0","method":"{method}"}}"#);
            self.to_client.push_back(changed.into());
        }
        Ok(connection)
    }

    /// The client has closed its side: delivers pending responses, then ends the server.
    async fn end(mut self, connection: Connection, to_client: &mpsc::Sender<Heard>) {
        let Connection { to, mut from, end } = connection;
        let rest = async {
            for text in self.to_server.drain(..) {
                _ = to.send(text).await;
            }
            drop(to);
            loop {
                for text in self.to_client.drain(..) {
                    _ = to_client.send(text).await;
                }
                let is_asked = lock(&self.relay).is_asked();
                let patience = async {
                    match is_asked {
                        true => std::future::pending().await,
                        false => sleep(END_TIMEOUT).await,
                    }
                };
                tokio::select! {
                    text = from.recv() => match text {
                        Some(text) => self.hear(text).await,
                        None => break,
                    },
                    () = patience => break,
                }
            }
        };
        tokio::select! {
            () = rest => {}
            // Without a recipient; the server may not even read its input.
            () = to_client.closed() => {}
        }
        drop(from);
        let why = "the server exited without a response";
        let answers = lock(&self.relay).server_has_gone(why);
        for answer in answers {
            _ = to_client.send(answer.into()).await;
        }
        _ = end.await;
    }
}
