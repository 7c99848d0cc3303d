//! Wraps the socket of a connection: a slow reader is disconnected after a timeout, a half-closed client
//! still gets its response, and excess bytes can be unread.
//!
//! Connections have no timers of their own: the clock wakes all of them on every tick, and hyper then polls
//! the socket.

use std::future::poll_fn;
use std::io::{self, ErrorKind, IoSlice};
use std::mem::MaybeUninit;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use bytes::{Buf as _, Bytes};
use futures_util::FutureExt as _;
use hyper::rt::Timer as _;
use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, Interest, ReadBuf};
use tokio::net::TcpStream;

use super::clock::{Clock, TICK};
use super::turn::{Line, Place};

/// The kernel's send buffer per connection, whose default is megabytes.
const SEND_BUFFER: usize = 128 << 10;
/// The minimum rate in bytes per second at which a client must read, after the initial timeout.
const SLOWEST: u64 = 16 << 10;
/// How long a call continues after its client has closed its side of the connection, since half-close and
/// disconnect look the same.
const HALF_CLOSED: Duration = TICK.saturating_mul(2);
/// How long to discard input after a response that closes the connection. Closing immediately would reset it,
/// and the response could be lost.
const LINGER: Duration = Duration::from_secs(2);

pub(super) struct Socket {
    stream: Stream,
    clock: Clock,
    write_timeout: Duration,
    /// Bytes to read again.
    ahead: Bytes,
    /// Set while bytes are waiting to be sent.
    stall: Option<Stall>,
    /// When the client closed its side.
    ended: Option<Instant>,
    status: Arc<Status>,
}

/// A plain connection, or one with TLS.
pub(super) enum Stream {
    Plain(TcpStream),
    Tls(Box<dyn Tunnel>),
}

/// A TLS connection.
pub(super) trait Tunnel: AsyncRead + AsyncWrite + Send + Unpin {
    /// The connection below.
    fn tcp(&self) -> &TcpStream;
}

impl Stream {
    async fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(stream) => stream.read(buffer).await,
            Self::Tls(stream) => stream.read(buffer).await,
        }
    }

    fn tcp(&self) -> &TcpStream {
        match self {
            Self::Plain(stream) => stream,
            Self::Tls(stream) => stream.tcp(),
        }
    }

    /// How many bytes can be read, of at most one; 0 if the client has closed its side. Asks the kernel.
    fn peek(&self) -> Option<usize> {
        SockRef::from(self.tcp()).peek(&mut [MaybeUninit::uninit()]).ok()
    }

    /// Whether the client has closed its side, as far as the runtime knows. Does not ask the kernel.
    fn is_half_closed(&self) -> bool {
        let is_ready = self.tcp().try_io(Interest::READABLE, || Ok(())).is_ok();
        let ready = || self.tcp().ready(Interest::READABLE).now_or_never();
        is_ready && ready().is_some_and(|ready| ready.is_ok_and(|ready| ready.is_read_closed()))
    }
}

/// Forwards a call to either kind.
macro_rules! of_both {
    ($stream:expr, $method:ident($($argument:expr),*)) => {
        match $stream {
            Stream::Plain(stream) => Pin::new(stream).$method($($argument),*),
            Stream::Tls(stream) => Pin::new(stream).$method($($argument),*),
        }
    };
}

struct Stall {
    since: Instant,
    written: u64,
}

/// What the service of a connection reports to its socket.
#[derive(Default)]
pub(super) struct Status {
    answering: AtomicBool,
    closing: AtomicBool,
    refusing: AtomicBool,
    has_answered: AtomicBool,
    has_left: AtomicBool,
    line: Line,
}

impl Status {
    pub(super) fn new(line: &Line) -> Self {
        Self { line: line.clone(), ..Self::default() }
    }

    /// The response to a request. Those to clients that have closed their side take turns.
    pub(super) async fn answer<F: Future>(&self, answer: F) -> F::Output {
        let (mut answer, mut place) = (pin!(answer), Place::default());
        poll_fn(|context| match self.has_left.load(Ordering::Relaxed) {
            false => answer.as_mut().poll(context),
            true => self.line.poll(&mut place, answer.as_mut(), context),
        })
        .await
    }

    pub(super) fn begin(&self) {
        self.answering.store(true, Ordering::Relaxed);
    }

    /// A request is being handled.
    pub(super) fn end(&self) {
        self.answering.store(false, Ordering::Relaxed);
        self.has_answered.store(true, Ordering::Relaxed);
    }

    /// The connection closes after this response, for example because a body was rejected.
    pub(super) fn close(&self, refusing: bool) {
        self.closing.store(true, Ordering::Relaxed);
        self.refusing.store(refusing, Ordering::Relaxed);
    }

    /// Whether the response announced that the connection closes.
    pub(super) fn is_closing(&self) -> bool {
        self.closing.load(Ordering::Relaxed)
    }
}

impl Socket {
    pub(super) fn new(
        stream: Stream,
        clock: Clock,
        write_timeout: Duration,
        status: Arc<Status>,
    ) -> Self {
        _ = stream.tcp().set_nodelay(true);
        _ = SockRef::from(stream.tcp()).set_send_buffer_size(SEND_BUFFER);
        let (ahead, stall, ended) = (Bytes::new(), None, None);
        Self { stream, clock, write_timeout, ahead, stall, ended, status }
    }

    /// Unreads bytes.
    pub(super) fn unread(&mut self, bytes: Bytes) {
        self.ahead = bytes;
    }

    /// Whether there is unread input. Asks the kernel, because the runtime may not know yet.
    pub(super) fn has_unread(&self) -> bool {
        !self.ahead.is_empty() || self.stream.peek().is_some_and(|bytes| bytes > 0)
    }

    /// Closes the connection gracefully. Reads at most `most` bytes to do so.
    pub(super) async fn close(mut self, most: usize) {
        let ended = match &mut self.stream {
            Stream::Plain(stream) => stream.shutdown().await.is_err(),
            Stream::Tls(stream) => {
                !matches!(tokio::time::timeout(LINGER, stream.shutdown()).await, Ok(Ok(())))
            }
        };
        let refusing = self.status.refusing.load(Ordering::Relaxed);
        if ended || !(refusing || self.has_unread()) {
            return;
        }
        let drop_rest = async {
            let mut buffer = vec![0; 1 << 14];
            let mut left = most;
            while let Ok(read @ 1..) = self.stream.read(&mut buffer).await {
                left = left.saturating_sub(read);
                if left == 0 {
                    break;
                }
            }
        };
        _ = tokio::time::timeout(LINGER, drop_rest).await;
    }

    fn watch(&mut self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        match &written {
            Poll::Ready(Ok(bytes)) => {
                if let Some(stall) = &mut self.stall {
                    stall.written += *bytes as u64;
                }
            }
            Poll::Ready(Err(_)) => {}
            Poll::Pending => {
                let now = self.clock.now();
                let stall = self.stall.get_or_insert(Stall { since: now, written: 0 });
                let earned = Duration::from_secs(stall.written / SLOWEST);
                if now.duration_since(stall.since) > self.write_timeout + earned {
                    // Also discard what the kernel has buffered for this client.
                    _ = self.stream.tcp().set_zero_linger();
                    return Poll::Ready(Err(ErrorKind::TimedOut.into()));
                }
            }
        }
        written
    }

    /// Whether to hide the end of input from hyper, which would drop the call.
    fn is_answer_due(&mut self) -> bool {
        let now = self.clock.now();
        let since = *self.ended.get_or_insert(now);
        self.stall.is_some()
            || (self.status.answering.load(Ordering::Relaxed)
                && now.duration_since(since) < HALF_CLOSED)
    }
}

impl AsyncRead for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if !self.ahead.is_empty() {
            let bytes = self.ahead.len().min(buffer.remaining());
            buffer.put_slice(&self.ahead[..bytes]);
            self.ahead.advance(bytes);
            return Poll::Ready(Ok(()));
        }
        let before = buffer.filled().len();
        ready!(of_both!(&mut self.stream, poll_read(context, buffer)))?;
        let is_end = buffer.filled().len() == before && buffer.remaining() > 0;
        if is_end && self.is_answer_due() {
            return Poll::Pending;
        }
        // The runtime reads from a new connection before it knows anything of it.
        let is_new = !self.status.has_answered.load(Ordering::Relaxed);
        if self.stream.is_half_closed() || is_new && self.stream.peek() == Some(0) {
            self.status.has_left.store(true, Ordering::Relaxed);
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Socket {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = of_both!(&mut self.stream, poll_write(context, bytes));
        self.watch(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = of_both!(&mut self.stream, poll_write_vectored(context, slices));
        self.watch(written)
    }

    fn is_write_vectored(&self) -> bool {
        match &self.stream {
            Stream::Plain(stream) => stream.is_write_vectored(),
            Stream::Tls(stream) => stream.is_write_vectored(),
        }
    }

    /// hyper calls this when everything is written.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if let Stream::Tls(stream) = &mut self.stream {
            // Written bytes may still be in the buffer.
            let flushed = Pin::new(stream).poll_flush(context).map_ok(|()| 0);
            ready!(self.watch(flushed))?;
        }
        self.stall = None;
        if self.ended.is_some() && !self.status.answering.load(Ordering::Relaxed) {
            // Nothing else would make hyper poll for the end.
            context.waker().wake_by_ref();
        }
        Poll::Ready(Ok(()))
    }

    /// [`Socket::close`] does this once no response is pending.
    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
