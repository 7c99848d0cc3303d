//! Server-sent events.

use std::future::poll_fn;
use std::task::Poll;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use futures_util::stream::{self, Stream, StreamExt as _};
use http::header::HeaderValue;
use http::{Response, StatusCode};
use serde_json::Value;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::body::Body;
use super::gate::Head;
use super::headers::EVENT_STREAM;
use super::response::{later_because, with_type};
use super::sessions::{Cancellable, SessionKey, Sessions};
use crate::metrics::Gauge;
use crate::protocol::{self, Running, Said, Subscription, jsonrpc};
use crate::quota::{self, Places};
use crate::sdk::caller::Caller;
use crate::sdk::owner::Owner;
use crate::sdk::peer::Peer;
use crate::server::Server;

/// The `Retry-After` of a client with too many streams, in seconds.
const WAIT: u64 = 10;
/// Idle time after which a comment is sent, so that proxies keep the connection open.
const KEEP_ALIVE: Duration = Duration::from_secs(15);
const STILL_HERE: &str = ": still here\n\n";

/// A protocol message as an event.
pub(super) fn message(text: &str) -> String {
    format!("event: message\ndata: {text}\n\n")
}

fn response(events: impl Stream<Item = Bytes> + Send + 'static) -> Response<Body> {
    let mut response = with_type(EVENT_STREAM, Body::stream(events));
    response.headers_mut().insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}

/// Limits open streams, in total and per caller.
#[derive(Clone)]
pub(super) struct Streams {
    open: Places<Owner>,
    most: usize,
    most_per_caller: usize,
    /// For the metrics.
    count: Gauge,
    stop: CancellationToken,
}

/// The slot of one stream, released on drop.
#[derive(Debug)]
pub(super) struct Place {
    _place: quota::Place<Owner>,
    count: Gauge,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.count.dec();
    }
}

/// Ends a stream that its client would keep open: the server stops, or the caller's credentials expire.
#[derive(Clone, Debug)]
pub(super) struct End {
    stop: CancellationToken,
    until: Option<Instant>,
}

impl End {
    pub(super) async fn reached(&self) {
        match self.until {
            None => self.stop.cancelled().await,
            Some(until) => _ = tokio::time::timeout_at(until, self.stop.cancelled()).await,
        }
    }
}

/// Which limit was reached.
pub(super) struct Full {
    status: StatusCode,
    words: String,
}

impl Full {
    pub(super) fn response(self, id: Option<Value>) -> Response<Body> {
        later_because(self.status, WAIT, id, self.words)
    }
}

impl Streams {
    pub(super) fn new(server: &Server, stop: CancellationToken) -> Self {
        Self {
            open: Places::default(),
            most: server.settings.max_streams,
            most_per_caller: server.settings.max_streams_per_client,
            count: server.metrics.streams.clone(),
            stop,
        }
    }

    /// A slot for a stream, or the limit that was reached.
    pub(super) fn place(&self, owner: Owner) -> Result<Place, Full> {
        let full = |status, most, of, setting| Full {
            status,
            words: format!(
                "Too many streams: the limit is {most}{of}; retry in {WAIT} s (the operator can raise \
                 {setting})"
            ),
        };
        let Self { most, most_per_caller, count, .. } = self;
        let place = self.open.take(owner, *most_per_caller).ok_or_else(|| {
            let status = StatusCode::TOO_MANY_REQUESTS;
            full(status, most_per_caller, " per caller", "max_streams_per_client")
        })?;
        if self.open.count() > *most {
            return Err(full(StatusCode::SERVICE_UNAVAILABLE, most, "", "max_streams"));
        }
        count.inc();
        Ok(Place { _place: place, count: count.clone() })
    }

    /// Completes when a stream of this caller must end.
    pub(super) fn end(&self, caller: Option<&Caller>) -> End {
        let left = |time: SystemTime| time.duration_since(SystemTime::now()).unwrap_or_default();
        let left = caller.and_then(Caller::expires).map(left);
        // A time that cannot be represented never comes.
        End {
            stop: self.stop.clone(),
            until: left.and_then(|left| Instant::now().checked_add(left)),
        }
    }

    /// The number of open streams.
    pub(super) fn count(&self) -> usize {
        self.open.count()
    }

    /// A stream of broadcasts. `write` gets `None` if some were missed, and returns an empty text for what
    /// this client must not see.
    pub(super) fn broadcast<T: Clone + Send + 'static>(
        &self,
        head: &Head,
        changes: Receiver<T>,
        write: impl Fn(Option<T>) -> String + Clone + Send + 'static,
    ) -> Response<Body> {
        let place = match self.place(head.owner()) {
            Ok(place) => place,
            Err(full) => return full.response(None),
        };
        let start = (changes, self.end(head.caller.as_ref()), place);
        response(stream::unfold(start, move |(mut changes, end, place)| {
            let write = write.clone();
            async move {
                let mut event = String::new();
                while event.is_empty() {
                    event = tokio::select! {
                        () = end.reached() => return None,
                        change = tokio::time::timeout(KEEP_ALIVE, changes.recv()) => match change {
                            Err(_) => STILL_HERE.to_owned(),
                            Ok(Ok(change)) => write(Some(change)),
                            Ok(Err(RecvError::Lagged(_))) => write(None),
                            Ok(Err(RecvError::Closed)) => return None,
                        },
                    };
                }
                Some((Bytes::from(event), (changes, end, place)))
            }
        }))
    }

    /// The stream of a subscription: the acknowledgement, the changes, and the final result.
    pub(super) fn subscription(&self, head: &Head, subscription: Subscription) -> Response<Body> {
        let place = match self.place(head.owner()) {
            Ok(place) => place,
            Err(full) => return full.response(Some(subscription.id().clone())),
        };
        let first = Bytes::from(message(&subscription.acknowledgement()));
        let start = (Some(subscription), self.end(head.caller.as_ref()), place);
        let rest = stream::unfold(start, |(subscription, end, place)| async move {
            let mut subscription = subscription?;
            let event = tokio::select! {
                () = end.reached() => None,
                changes = tokio::time::timeout(KEEP_ALIVE, subscription.next()) => match changes {
                    Err(_) => Some(STILL_HERE.to_owned()),
                    Ok(changes) => changes.map(|all| all.iter().map(|one| message(one)).collect()),
                },
            };
            Some(match event {
                Some(event) => (Bytes::from(event), (Some(subscription), end, place)),
                None => (Bytes::from(message(&subscription.end())), (None, end, place)),
            })
        });
        response(stream::once(std::future::ready(first)).chain(rest))
    }

    /// Handles a request in a task. Responds with JSON if there are no other messages or no free stream slot,
    /// and otherwise with an event stream that ends with the response.
    pub(super) async fn run(self, caller: Option<Caller>, peer: Peer, mut call: Call) -> Ended {
        let first = match call.next().await {
            Some(Said::Message(first)) => first,
            Some(Said::End(body)) => return Ended::Body(call.id, body),
            None => return Ended::Stream(response(stream::empty())),
        };
        let place = match self.place(Owner::new(caller.as_ref(), peer)) {
            Ok(place) => place,
            // The work has begun, so complete it; only its messages are not sent.
            Err(_) => return Ended::Body(call.id, call.running.end().await),
        };
        let first = Bytes::from(message(&first));
        let start = (Some(call), self.stop, place);
        let rest = stream::unfold(start, |(call, stop, place)| async move {
            let mut call = call?;
            let next = tokio::time::timeout(KEEP_ALIVE, call.next_before(&stop)).await;
            let (event, call) = match next {
                Err(_) => (STILL_HERE.to_owned(), Some(call)),
                Ok(None) => return None,
                Ok(Some(Said::Message(text))) => (message(&text), Some(call)),
                Ok(Some(Said::End(body))) => (message(&jsonrpc::response(&call.id, body)), None),
            };
            Some((Bytes::from(event), (call, stop, place)))
        });
        Ended::Stream(response(stream::once(std::future::ready(first)).chain(rest)))
    }
}

/// The outcome of a request in a task.
pub(super) enum Ended {
    /// The id of the request, and its response.
    Body(String, protocol::Body),
    Stream(Response<Body>),
}

/// A request in a task, and the session whose client may cancel it.
pub(super) struct Call {
    pub running: Running,
    /// The request id as JSON text.
    pub id: String,
    pub session: Option<(Sessions, SessionKey)>,
    /// Registered only once the request runs in a task.
    pub noted: Option<Cancellable>,
}

impl Call {
    /// The same until the server stops; then it no longer waits for responses of the client.
    async fn next_before(&mut self, stop: &CancellationToken) -> Option<Said> {
        if !stop.is_cancelled() {
            tokio::select! {
                said = self.next() => return said,
                () = stop.cancelled() => {}
            }
        }
        self.running.close();
        self.next().await
    }

    /// The next message; `None` if the client cancelled it.
    async fn next(&mut self) -> Option<Said> {
        let Self { running, id, session, noted } = self;
        let now = poll_fn(|context| Poll::Ready(running.poll_next(context))).await;
        if let Poll::Ready(said) = now {
            return Some(said);
        }
        if let (None, Some((sessions, key))) = (&noted, session.take()) {
            *noted = Some(sessions.begin(key, id));
        }
        match noted {
            None => Some(running.next().await),
            Some(noted) => tokio::select! {
                said = running.next() => Some(said),
                () = noted.cancelled() => None,
            },
        }
    }
}
