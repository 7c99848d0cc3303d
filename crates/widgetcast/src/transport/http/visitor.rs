//! Lets a mounted service use the app's limits.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use http::{Response, StatusCode};
use widgetcast_core::budget::Budget;

use super::body::{self, Body, RequestBody, Room, Unread};
use super::gate::Head;
use super::headers::sends_json;
use super::response::{later, later_because, plain, undone_work};
use super::sse::{End, Place, Streams};
use crate::call::request_id;
use crate::protocol::tools::record::told_apart;
use crate::sdk::caller::Caller;
use crate::sdk::owner::Owner;
use crate::sdk::peer::Peer;
use crate::server::Server;
use crate::worker::Budgeted;

/// Timeout of a request body; long enough for uploads.
const BODY_TIMEOUT: Duration = Duration::from_secs(60);

/// The client of a mounted service, and the app's limits for it. It is in the extensions of each request.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use widgetcast::App;
/// use widgetcast::http::{Body, RequestBody, Visitor};
///
/// async fn upload(request: http::Request<RequestBody>) -> http::Response<Body> {
///     let (head, body) = request.into_parts();
///     let Some(visitor) = head.extensions.get::<Visitor>() else { unreachable!() };
///     match visitor.read(body, 1 << 20).await {
///         Ok(bytes) => http::Response::new(Body::from(format!("{} bytes", bytes.len()))),
///         Err(response) => *response, // 413, or 503 if the server is full
///     }
/// }
///
/// let app = App::new("shop", "1.0.0").build()?.mount("/upload", upload);
/// let request = http::Request::post("/upload").header("host", "localhost").body("a file".to_owned())?;
/// assert_eq!(app.handle(request).await.status(), 200);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Visitor {
    pub(super) server: Arc<Server>,
    streams: Streams,
    pub(super) caller: Option<Caller>,
    pub(super) peer: Peer,
    is_same_origin: bool,
    sends_json: bool,
}

impl Visitor {
    pub(super) fn new(server: &Arc<Server>, streams: &Streams, head: &Head) -> Self {
        Self {
            server: Arc::clone(server),
            streams: streams.clone(),
            caller: head.caller.clone(),
            peer: head.peer,
            is_same_origin: head.is_same_origin(),
            sends_json: sends_json(&head.headers),
        }
    }

    /// The client that limits apply to.
    pub fn peer(&self) -> Peer {
        self.peer
    }

    /// Whether the request is same-origin, or was not sent by a web page.
    pub fn is_same_origin(&self) -> bool {
        self.is_same_origin
    }

    /// Begins a long response. It counts toward the caller's call rate and open streams, and is written
    /// to the audit log under this name when it ends. If a limit is reached, returns the response
    /// to send.
    ///
    /// ```
    /// use widgetcast::http::{Body, OpenStream, RequestBody, Visitor};
    ///
    /// async fn ticks(request: http::Request<RequestBody>) -> http::Response<Body> {
    ///     let Some(visitor) = request.extensions().get::<Visitor>() else { unreachable!() };
    ///     let open: OpenStream = match visitor.open_stream("ticks") {
    ///         Ok(open) => open,
    ///         Err(response) => return *response, // 429 or 503
    ///     };
    ///     let last = async move {
    ///         open.ended().await;
    ///         bytes::Bytes::from("bye")
    ///     };
    ///     http::Response::new(Body::stream(futures_util::stream::once(last)))
    /// }
    /// # let _ = ticks;
    /// ```
    pub fn open_stream(&self, name: &'static str) -> Result<OpenStream, Box<Response<Body>>> {
        if let (Some(quotas), Some(owner)) = (&self.server.quotas, self.owner()) {
            // Only the rate: its tool calls take slots of their own.
            let admitted = quotas.admit(Some(owner), name, Some(0), Instant::now());
            admitted.map_err(|limit| {
                let (status, wait) = (StatusCode::TOO_MANY_REQUESTS, limit.retry_after());
                Box::new(later_because(status, wait, None, limit.to_string()))
            })?;
        }
        self.open_free_stream(name)
    }

    /// Like [`Visitor::open_stream`], but counts only toward open streams: for a stream that is not a call.
    pub fn open_free_stream(&self, name: &'static str) -> Result<OpenStream, Box<Response<Body>>> {
        let owner = Owner::new(self.caller.as_ref(), self.peer);
        let place = self.streams.place(owner).map_err(|full| Box::new(full.response(None)))?;
        let (visitor, began, end) =
            (self.clone(), Instant::now(), self.streams.end(self.caller.as_ref()));
        Ok(OpenStream { _place: place, end, visitor, name, began })
    }

    /// The owner that limits apply to; `None` for unauthenticated local programs, which are
    /// indistinguishable.
    pub fn owner(&self) -> Option<Owner> {
        told_apart(self.caller.as_ref(), self.peer)
    }

    /// Runs CPU-bound work on this many bytes within the budget of a call: on one of the app's workers, or
    /// here if it is short. Dropping the future cancels it. If it is rejected or fails, returns the response
    /// to send.
    pub async fn work<T: Send + 'static>(
        &self,
        bytes: usize,
        work: impl FnOnce(Budgeted) -> T + Send + 'static,
    ) -> Result<T, Box<Response<Body>>> {
        if bytes <= Budget::MAX_TRIED_BYTES {
            return Ok(Budgeted::here(work));
        }
        let done = self.server.workers.run(work).await;
        done.map_err(|undone| Box::new(undone_work(undone)))
    }

    /// Reads a JSON body of at most `max_request_bytes`.
    pub async fn read_json(&self, body: RequestBody) -> Result<Bytes, Box<Response<Body>>> {
        // A form on another site cannot send this type without a preflight request.
        if !self.sends_json {
            let words = "Unsupported Media Type: Content-Type must be application/json.\n";
            return Err(Box::new(plain(StatusCode::UNSUPPORTED_MEDIA_TYPE, words)));
        }
        self.read(body, self.server.settings.max_request_bytes).await
    }

    /// Reads a body of at most `most` bytes, which count toward `max_buffered_bytes` while they are in
    /// memory.
    pub async fn read(&self, body: RequestBody, most: usize) -> Result<Bytes, Box<Response<Body>>> {
        let most_of_all = self.server.settings.max_buffered_bytes;
        let room = Room { most, most_of_all, metrics: &self.server.metrics };
        let read = tokio::time::timeout(BODY_TIMEOUT, body::whole(body, room)).await;
        Err(Box::new(match read {
            Ok(Ok(bytes)) => return Ok(bytes),
            Ok(Err(Unread::TooLarge)) => {
                let words = format!("The body is larger than {most} bytes.\n");
                plain(StatusCode::PAYLOAD_TOO_LARGE, words)
            }
            Ok(Err(Unread::NoRoom)) => later(StatusCode::SERVICE_UNAVAILABLE, 1, None),
            Ok(Err(Unread::Broken)) => plain(StatusCode::BAD_REQUEST, "The body ended early.\n"),
            Err(_) => plain(StatusCode::REQUEST_TIMEOUT, "Timed out reading the body.\n"),
        }))
    }
}

impl std::fmt::Debug for Visitor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Visitor").field("peer", &self.peer).finish_non_exhaustive()
    }
}

/// A long response, which ends when this is dropped: see [`Visitor::open_stream`].
#[derive(Debug)]
pub struct OpenStream {
    _place: Place,
    end: End,
    visitor: Visitor,
    name: &'static str,
    began: Instant,
}

impl OpenStream {
    /// Waits until the stream must end even if the client keeps it open, because the server stops or the
    /// caller's credentials have expired.
    pub async fn ended(&self) {
        self.end.reached().await;
    }
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        let Visitor { server, caller, peer, .. } = &self.visitor;
        if server.settings.audit {
            tracing::info!(
                target: "widgetcast::audit",
                caller = caller.as_ref().map(Caller::subject),
                peer = %peer,
                stream = self.name,
                seconds = self.began.elapsed().as_secs_f64(),
                request = request_id::current(),
                "stream",
            );
        }
    }
}
