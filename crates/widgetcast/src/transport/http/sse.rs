//! Streams of server-sent events.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::BoxFuture;
use futures_util::stream::{self, Stream, StreamExt as _};
use http::header::{self, HeaderValue};
use http::{Response, StatusCode};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio_util::sync::CancellationToken;

use super::body::Body;
use super::headers::EVENT_STREAM;
use super::response::plain;
use crate::protocol::Subscription;

/// A comment is sent after a silence of this length, so that proxies keep the connection open.
const KEEP_ALIVE: Duration = Duration::from_secs(15);
const STILL_HERE: &str = ": still here\n\n";

/// A message of the protocol as an event.
pub(super) fn message(text: &str) -> String {
    format!("event: message\ndata: {text}\n\n")
}

fn response(events: impl Stream<Item = Bytes> + Send + 'static) -> Response<Body> {
    let mut response = Response::new(Body::stream(events));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(EVENT_STREAM));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}

/// Streams that stay open, and how many there may be.
#[derive(Clone, Debug)]
pub(super) struct Streams {
    places: Arc<Semaphore>,
    stop: CancellationToken,
}

impl Streams {
    pub(super) fn new(most: usize, stop: CancellationToken) -> Self {
        Self { places: Arc::new(Semaphore::new(most)), stop }
    }

    fn place(&self) -> Result<OwnedSemaphorePermit, Box<Response<Body>>> {
        Arc::clone(&self.places).try_acquire_owned().map_err(|_| {
            Box::new(plain(StatusCode::SERVICE_UNAVAILABLE, "Too many streams are open.\n"))
        })
    }

    /// A stream of what is broadcast. `write` gets nothing where some was missed.
    pub(super) fn broadcast<T: Clone + Send + 'static>(
        &self,
        changes: Receiver<T>,
        write: impl Fn(Option<T>) -> String + Copy + Send + 'static,
    ) -> Response<Body> {
        let place = match self.place() {
            Ok(place) => place,
            Err(refusal) => return *refusal,
        };
        let start = (changes, self.stop.clone(), place);
        response(stream::unfold(start, move |(mut changes, stop, place)| async move {
            let event = tokio::select! {
                () = stop.cancelled() => return None,
                change = tokio::time::timeout(KEEP_ALIVE, changes.recv()) => match change {
                    Err(_) => STILL_HERE.to_owned(),
                    Ok(Ok(change)) => write(Some(change)),
                    Ok(Err(RecvError::Lagged(_))) => write(None),
                    Ok(Err(RecvError::Closed)) => return None,
                },
            };
            Some((Bytes::from(event), (changes, stop, place)))
        }))
    }

    /// The stream of a subscription: the acknowledgement, then changes, and the result when the server
    /// stops.
    pub(super) fn subscription(&self, subscription: Subscription) -> Response<Body> {
        let place = match self.place() {
            Ok(place) => place,
            Err(refusal) => return *refusal,
        };
        let first = Bytes::from(message(&subscription.acknowledgement()));
        let start = (Some(subscription), self.stop.clone(), place);
        let rest = stream::unfold(start, |(subscription, stop, place)| async move {
            let mut subscription = subscription?;
            let event = tokio::select! {
                () = stop.cancelled() => None,
                changes = tokio::time::timeout(KEEP_ALIVE, subscription.next()) => match changes {
                    Err(_) => Some(STILL_HERE.to_owned()),
                    Ok(changes) => changes.map(|all| all.iter().map(|one| message(one)).collect()),
                },
            };
            Some(match event {
                Some(event) => (Bytes::from(event), (Some(subscription), stop, place)),
                None => (Bytes::from(message(&subscription.end())), (None, stop, place)),
            })
        });
        response(stream::once(std::future::ready(first)).chain(rest))
    }
}

/// A call that reports its progress: JSON if it ends before the first report, else a stream of the
/// reports with the response at its end.
pub(super) async fn with_progress(
    answer: BoxFuture<'static, String>,
    reports: mpsc::Receiver<String>,
) -> Result<String, Response<Body>> {
    let mut call = Reporting { answer: Some(answer), reports };
    let mut first = call.next().await.unwrap_or_default();
    if call.answer.is_none() && first.len() == 1 {
        return Ok(first.remove(0));
    }
    let rest = stream::unfold(call, |mut call| async move { Some((call.next().await?, call)) });
    let messages = stream::once(std::future::ready(first)).chain(rest);
    Err(response(
        messages.map(|all| Bytes::from(all.iter().map(|one| message(one)).collect::<String>())),
    ))
}

struct Reporting {
    /// None once it has been given.
    answer: Option<BoxFuture<'static, String>>,
    reports: mpsc::Receiver<String>,
}

impl Reporting {
    /// The next messages; the last one of all is the response.
    async fn next(&mut self) -> Option<Vec<String>> {
        let answer = self.answer.as_mut()?;
        let response = tokio::select! {
            biased;
            Some(report) = self.reports.recv() => return Some(vec![report]),
            response = answer => response,
        };
        self.answer = None;
        // What was reported since the last look comes before the response.
        let mut messages: Vec<String> =
            std::iter::from_fn(|| self.reports.try_recv().ok()).collect();
        messages.push(response);
        Some(messages)
    }
}
