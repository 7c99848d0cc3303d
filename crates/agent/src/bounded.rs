//! Connections to untrusted MCP servers, which bound the size of every message. The limit covers memory, too:
//! a message of many small values takes many times its bytes.
//!
//! Over HTTP, a message over the limit is an error of the request that it responds to. From a program, it
//! ends the connection, because the request is only known after parsing.

use std::collections::HashMap;
use std::io;
use std::pin::Pin;
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use futures_util::stream::BoxStream;
use futures_util::{StreamExt as _, future};
use http::header::{ACCEPT, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use rmcp::RoleClient;
use rmcp::model::{
    ClientJsonRpcMessage, ErrorCode, ErrorData, JsonRpcMessage, RequestId, ServerJsonRpcMessage,
};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::streamable_http_client::{
    AuthRequiredError, HttpStatusError, SseError, StreamableHttpClient, StreamableHttpError,
    StreamableHttpPostResponse,
};
use sse_stream::{Sse, SseStream};
use tokio::io::{AsyncRead, ReadBuf};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

/// The error code for a response over the limit.
pub(crate) const TOO_LARGE: i32 = -32098;
/// The maximum bytes to read from the body of an error response.
const MAX_REFUSAL: usize = 64 << 10;
/// Seconds for a program to exit after its stdin is closed.
const END_TIMEOUT: Duration = Duration::from_secs(3);
/// The minimum memory of a JSON value, in addition to its text.
const VALUE: usize = 32;
/// The maximum size of all events of a response, as a multiple of the limit for one.
const MAX_EVENTS: usize = 4;
/// The minimum delay between two events that belong to no response, which slows down servers that send many.
const PACE: Duration = Duration::from_millis(10);
const JSON: &str = "application/json";
const EVENTS: &str = "text/event-stream";

type Failure = StreamableHttpError<reqwest::Error>;

/// A client that limits the size of responses: bodies as a whole, streams per event.
#[derive(Clone)]
pub(crate) struct BoundedClient {
    pub(crate) client: reqwest::Client,
    pub(crate) most: usize,
}

/// The response exceeds the limit.
#[derive(Debug)]
struct TooLong;

impl std::fmt::Display for TooLong {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the response exceeds the size limit")
    }
}

impl std::error::Error for TooLong {}

fn is_too_long(error: &(dyn std::error::Error + 'static)) -> bool {
    let inner = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
    inner.is_some_and(|error| error.is::<TooLong>())
}

/// The body of a response.
async fn whole(
    mut response: reqwest::Response,
    most: usize,
) -> Result<Result<Vec<u8>, TooLong>, Failure> {
    let (mut body, mut size) = (Vec::new(), Size::default());
    while let Some(chunk) = response.chunk().await? {
        if !size.add_all(&chunk, most) {
            return Ok(Err(TooLong));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(Ok(body))
}

/// The size of a JSON message: its bytes, and the memory of its values.
#[derive(Default)]
pub(crate) struct Size {
    total: usize,
    is_text: bool,
    is_escaped: bool,
}

impl Size {
    pub(crate) fn total(&self) -> usize {
        self.total
    }

    fn add(&mut self, byte: u8) {
        self.total += 1;
        match byte {
            _ if self.is_escaped => self.is_escaped = false,
            b'\\' if self.is_text => self.is_escaped = true,
            b'"' => self.is_text = !self.is_text,
            b',' | b'[' | b'{' if !self.is_text => self.total += VALUE,
            _ => {}
        }
    }

    /// Whether it is within a limit.
    pub(crate) fn add_all(&mut self, bytes: &[u8], most: usize) -> bool {
        bytes.iter().all(|byte| {
            self.add(*byte);
            self.total <= most
        })
    }
}

/// The size of the current event.
#[derive(Default)]
struct EventSize {
    size: Size,
    is_line: bool,
}

impl EventSize {
    /// Whether the current event is within a limit.
    fn add(&mut self, chunk: &[u8], most: usize) -> bool {
        chunk.iter().all(|byte| {
            match byte {
                // An empty line ends the event.
                b'\n' if !self.is_line => self.size = Size::default(),
                b'\n' => self.is_line = false,
                b'\r' => return true,
                _ => self.is_line = true,
            }
            self.size.add(*byte);
            self.size.total <= most
        })
    }
}

/// The JSON-RPC error that replaces the response to a request.
fn too_large(id: RequestId, most: usize) -> ServerJsonRpcMessage {
    let message = format!("its response exceeds {most} bytes");
    ServerJsonRpcMessage::error(ErrorData::new(ErrorCode(TOO_LARGE), message, None), Some(id))
}

/// The events of a response. If one exceeds the limit, an error replaces it and ends the stream.
fn events(
    response: reqwest::Response,
    most: usize,
    id: Option<RequestId>,
) -> BoxStream<'static, Result<Sse, SseError>> {
    let begin = Some((EventSize::default(), most.saturating_mul(MAX_EVENTS)));
    let bounded = response.bytes_stream().scan(begin, move |size, chunk| {
        let Some((event, left)) = size else { return future::ready(None) };
        let counted = chunk.map_err(io::Error::other).and_then(|chunk| {
            let is_within = chunk.len() <= *left && event.add(&chunk, most);
            *left = left.saturating_sub(chunk.len());
            if is_within { Ok(chunk) } else { Err(io::Error::other(TooLong)) }
        });
        if counted.is_err() {
            *size = None;
        }
        future::ready(Some(counted))
    });
    let answer = move |event: Result<Sse, SseError>| match (event, &id) {
        (Err(SseError::Body(error)), Some(id)) if is_too_long(&*error) => {
            let answer = serde_json::to_string(&too_large(id.clone(), most)).unwrap_or_default();
            Ok(Sse::default().data(answer))
        }
        (event, _) => event,
    };
    SseStream::from_bytes_stream(bounded).map(answer).boxed()
}

fn text<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// Maps a response that is not a JSON-RPC message to an error.
async fn refusal(
    response: reqwest::Response,
    is_json: bool,
    id: Option<RequestId>,
) -> Result<StreamableHttpPostResponse, Failure> {
    let (status, headers) = (response.status(), response.headers().clone());
    let is_failure = status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS;
    if is_failure && !is_json {
        let retry_after = text(&headers, &RETRY_AFTER).map(str::to_owned);
        return Err(HttpStatusError::new(status.as_u16(), retry_after).into());
    }
    let body = whole(response, MAX_REFUSAL).await?.unwrap_or_default();
    let said = match serde_json::from_slice::<ServerJsonRpcMessage>(&body) {
        Ok(JsonRpcMessage::Error(said)) => Some(said.error),
        _ => None,
    };
    let is_auth = matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN);
    match (id, said) {
        // A server that rejects a request by its status may not know the id.
        (Some(id), Some(said)) if !is_auth => {
            Ok(StreamableHttpPostResponse::Json(ServerJsonRpcMessage::error(said, Some(id)), None))
        }
        (Some(id), None) if status.is_client_error() && !is_auth && !is_failure => {
            let words = format!("HTTP {status}: {}", String::from_utf8_lossy(&body));
            let error = ErrorData::invalid_request(words, None);
            Ok(StreamableHttpPostResponse::Json(ServerJsonRpcMessage::error(error, Some(id)), None))
        }
        _ => Err(HttpStatusError::new(status.as_u16(), None).into()),
    }
}

impl StreamableHttpClient for BoundedClient {
    type Error = reqwest::Error;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session_id: Option<Arc<str>>,
        _: Option<String>,
        custom_headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<StreamableHttpPostResponse, Failure> {
        let session = HeaderName::from_static("mcp-session-id");
        let id = match &message {
            JsonRpcMessage::Request(request) => Some(request.id.clone()),
            _ => None,
        };
        let mut request = self.client.post(&*uri).headers(custom_headers.into_iter().collect());
        if let Some(id) = &session_id {
            request = request.header(&session, &**id);
        }
        let request =
            request.header(ACCEPT, format!("{JSON}, {EVENTS}")).header(CONTENT_TYPE, JSON);
        let response = request.body(serde_json::to_vec(&message)?).send().await?;
        let (status, headers) = (response.status(), response.headers().clone());
        let challenge = text(&headers, &WWW_AUTHENTICATE);
        match status {
            StatusCode::ACCEPTED | StatusCode::NO_CONTENT => {
                return Ok(StreamableHttpPostResponse::Accepted);
            }
            StatusCode::UNAUTHORIZED if challenge.is_some() => {
                let challenge = challenge.unwrap_or_default().to_owned();
                return Err(Failure::AuthRequired(AuthRequiredError::new(challenge)));
            }
            StatusCode::NOT_FOUND if session_id.is_some() => return Err(Failure::SessionExpired),
            _ => {}
        }
        let mime = text(&headers, &CONTENT_TYPE).unwrap_or_default();
        let is_json = mime.starts_with(JSON);
        if !status.is_success() {
            return refusal(response, is_json, id).await;
        }
        let session = text(&headers, &session).map(str::to_owned);
        if mime.starts_with(EVENTS) {
            return Ok(StreamableHttpPostResponse::Sse(events(response, self.most, id), session));
        }
        // Only requests get a response; some servers respond to notifications with something other than MCP.
        let Some(id) = id else { return Ok(StreamableHttpPostResponse::Accepted) };
        if !is_json {
            return Err(Failure::UnexpectedContentType(Some(mime.to_owned())));
        }
        let answer = match whole(response, self.most).await? {
            Ok(body) => serde_json::from_slice(&body).map_err(|error| {
                Failure::UnexpectedServerResponse(format!("not a JSON-RPC message: {error}").into())
            })?,
            Err(TooLong) => too_large(id, self.most),
        };
        Ok(StreamableHttpPostResponse::Json(answer, session))
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session_id: Arc<str>,
        auth_header: Option<String>,
        custom_headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<(), Failure> {
        self.client.delete_session(uri, session_id, auth_header, custom_headers).await
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session_id: Option<Arc<str>>,
        last_event_id: Option<String>,
        auth_header: Option<String>,
        custom_headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<BoxStream<'static, Result<Sse, SseError>>, Failure> {
        let (client, most) = (&self.client, self.most);
        let events = client
            .get_stream_with_max_sse_event_size(
                uri,
                session_id,
                last_event_id,
                auth_header,
                custom_headers,
                most,
            )
            .await?;
        let pace = |event| async {
            tokio::time::sleep(PACE).await;
            event
        };
        Ok(events.then(pace).boxed())
    }
}

/// A child process, which is killed when this is dropped.
pub(crate) struct ChildTransport {
    io: AsyncRwTransport<RoleClient, Lines, ChildStdin>,
    child: Child,
}

impl ChildTransport {
    /// Starts a program and limits the size of its messages. If one exceeds the limit, the connection ends
    /// and the flag is set.
    pub(crate) fn start(
        command: &mut Command,
        most: usize,
        is_exceeded: Arc<AtomicBool>,
    ) -> io::Result<Self> {
        let command = command.kill_on_drop(true).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::inherit()).spawn()?;
        let none = || io::Error::other("it has no input or output");
        let input = child.stdin.take().ok_or_else(none)?;
        let output = child.stdout.take().ok_or_else(none)?;
        let lines = Lines { output, line: Size::default(), most, is_exceeded };
        let io = AsyncRwTransport::new_client(lines, input).with_max_line_length(usize::MAX);
        Ok(Self { io, child })
    }
}

impl Transport<RoleClient> for ChildTransport {
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        self.io.send(item)
    }

    fn receive(&mut self) -> impl Future<Output = Option<RxJsonRpcMessage<RoleClient>>> + Send {
        self.io.receive()
    }

    async fn close(&mut self) -> io::Result<()> {
        self.io.close().await?;
        // It exits when its stdin is closed; otherwise it is killed on drop.
        let ended: Result<io::Result<ExitStatus>, _> =
            tokio::time::timeout(END_TIMEOUT, self.child.wait()).await;
        ended.map_or(Ok(()), |ended| ended.map(|_| ()))
    }
}

/// The stdout of a program, up to the first line over the limit.
struct Lines {
    output: ChildStdout,
    /// The size of the current line.
    line: Size,
    most: usize,
    is_exceeded: Arc<AtomicBool>,
}

impl AsyncRead for Lines {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.output).poll_read(context, buffer))?;
        let most = self.most;
        let is_within =
            buffer.filled()[before..].split_inclusive(|byte| *byte == b'\n').all(|line| {
                let is_within = self.line.add_all(line, most);
                if line.ends_with(b"\n") {
                    self.line = Size::default();
                }
                is_within
            });
        if is_within {
            return Poll::Ready(Ok(()));
        }
        self.is_exceeded.store(true, Ordering::Relaxed);
        Poll::Ready(Err(io::Error::other(TooLong)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_ends_with_an_empty_line() {
        let mut size = EventSize::default();
        for chunk in ["data: 1234\n", "\n", "data: 12", "34\r\n\r\ndata: 1234\n", "\ndata: 1234"] {
            assert!(size.add(chunk.as_bytes(), 13), "{chunk:?}");
        }
        assert!(!size.add(b"\ndata", 13));
    }

    #[test]
    fn values_count_beside_their_bytes() {
        let size = |text: &str| {
            let mut size = Size::default();
            size.add_all(text.as_bytes(), usize::MAX);
            size.total
        };
        assert_eq!(size("[{},{}]"), 7 + 4 * VALUE);
        assert_eq!(size(r#""[{},{}]\"[""#), 12);
        assert_eq!(size(r#"["\\",1]"#), 8 + 2 * VALUE);
        assert!(!Size::default().add_all("{},".repeat(100).as_bytes(), 1000));
    }
}
