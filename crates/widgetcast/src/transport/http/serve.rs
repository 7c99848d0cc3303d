//! The built-in server: accepts connections until it is stopped, then completes the accepted requests.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use http::header;
use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio_util::sync::CancellationToken;

use super::super::check_widgets_in_background;
use super::clock::{Clock, TICK};
use super::gallery;
use super::listen::bind;
use super::mount::Mount;
use super::service::Service;
use super::socket::{Socket, Status, Stream};
use super::tls::Tls;
use super::turn::Line;
use crate::log::may_log;
use crate::sdk::event::Event;
use crate::server::Live;

/// Timeout of a request head, plus or minus one tick of the clock.
const HEAD_TIMEOUT: Duration = Duration::from_secs(15);
/// Maximum size of a request head, and hyper's buffer size.
const HEAD_BYTES: usize = 32 << 10;
/// The delay after a failed accept.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
/// How long pending connections are accepted after the server is stopped.
const LAST_CONNECTIONS: Duration = Duration::from_millis(100);
/// How long the runtime may take to report pending connections.
const SETTLE: Duration = Duration::from_millis(20);
/// How long idle connections stay open then, since requests may be in flight.
const LAST_REQUESTS: Duration = Duration::from_millis(500);

/// The URL at which local programs reach the listener.
fn reachable(at: SocketAddr) -> SocketAddr {
    let ip = if at.ip().is_unspecified() { Ipv4Addr::LOCALHOST.into() } else { at.ip() };
    SocketAddr::new(ip, at.port())
}

/// Serves the connections of a listener until `stop` completes; running calls may finish.
pub(crate) async fn serve(
    live: &Arc<Live>,
    mounts: &[Mount],
    listener: TcpListener,
    stop: impl Future<Output = ()>,
) -> std::io::Result<()> {
    let (at, server) = (listener.local_addr()?, &live.load_full());
    if let Some(page) = server.dev_page().filter(|_| !at.ip().to_canonical().is_loopback()) {
        let words = format!(
            "page {page} loads from a development server, so this server must stay local: serve on 127.0.0.1 \
             instead of {}, or build the page",
            at.ip()
        );
        return Err(std::io::Error::new(std::io::ErrorKind::InvalidInput, words));
    }
    let tls = Tls::load(&server.settings)?;
    let scheme = if tls.is_some() { "https" } else { "http" };
    let stopping = CancellationToken::new();
    check_widgets_in_background(server);
    let gallery = gallery::is_offered(server).then(|| format!("{scheme}://{}/", reachable(at)));
    server.emit(&Event::Started {
        at: &format!("{scheme}://{at}/mcp"),
        gallery: gallery.as_deref(),
        tools: server.count(),
    });
    let connections = Connections {
        service: Service::new(live, mounts, stopping.clone()),
        tls,
        line: Line::default(),
        clock: Clock::default(),
        wake: Arc::new(watch::channel(()).0),
        leave: Arc::default(),
        stopping,
    };
    let _end = EndOnDrop(&connections);
    if let Some(tls) = &connections.tls {
        tokio::spawn(Arc::clone(tls).follow(connections.stopping.clone()));
    }
    connections.serve_metrics().await?;
    let ticks = Arc::clone(&connections.wake);
    let (watching, stop_watching) = (Arc::clone(server), connections.stopping.clone());
    tokio::spawn(async move { watching.workers.memory.watch(stop_watching).await });
    tokio::spawn(wake_at_ticks(ticks, connections.clock.clone(), connections.stopping.clone()));
    tokio::select! {
        () = stop => {}
        () = connections.accept(&listener) => {}
    }
    let grace = server.settings.shutdown_grace;
    if tokio::time::timeout(grace, connections.drain(listener)).await.is_err() {
        tracing::warn!("some calls did not finish within {} s", grace.as_secs());
    }
    server.emit(&Event::Stopped);
    Ok(())
}

/// State shared by all connections.
struct Connections {
    service: Service,
    tls: Option<Arc<Tls>>,
    line: Line,
    clock: Clock,
    /// Wakes the connections on every tick of the clock, and on shutdown. Each holds a receiver, so the
    /// channel closes with the last one.
    wake: Arc<watch::Sender<()>>,
    /// Whether idle connections must be closed.
    leave: Arc<AtomicBool>,
    stopping: CancellationToken,
}

/// Ends the connections even if the server's future is dropped.
struct EndOnDrop<'c>(&'c Connections);

impl Drop for EndOnDrop<'_> {
    fn drop(&mut self) {
        self.0.leave.store(true, Ordering::Relaxed);
        self.0.stopping.cancel();
    }
}

impl Connections {
    /// Serves the metrics at a separate address, if configured, until the server stops.
    async fn serve_metrics(&self) -> std::io::Result<()> {
        let Some(at) = self.service.shared().server.settings.metrics_address else { return Ok(()) };
        let listener = bind(at).await?;
        let metrics = Self {
            service: self.service.for_metrics(self.stopping.clone()),
            tls: None,
            line: Line::default(),
            clock: self.clock.clone(),
            wake: Arc::clone(&self.wake),
            leave: Arc::clone(&self.leave),
            stopping: self.stopping.clone(),
        };
        tokio::spawn(async move {
            tokio::select! {
                () = metrics.stopping.cancelled() => {}
                () = metrics.accept(&listener) => {}
            }
        });
        Ok(())
    }

    /// Accepts connections forever.
    async fn accept(&self, listener: &TcpListener) {
        let most = self.service.shared().server.settings.max_connections;
        let places = Arc::new(Semaphore::new(most));
        loop {
            let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
            self.accept_one(listener, Some(place)).await;
        }
    }

    async fn accept_one(&self, listener: &TcpListener, place: Option<OwnedSemaphorePermit>) {
        match listener.accept().await {
            Ok((stream, remote)) => self.serve(stream, remote.ip(), place),
            Err(error) => {
                // Most likely out of file descriptors: this is temporary, and must not end the server.
                if may_log("connections not accepted", "") {
                    tracing::warn!("cannot accept a connection: {error}");
                }
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }

    /// Completes accepted requests, and ends.
    async fn drain(&self, listener: TcpListener) {
        self.stopping.cancel();
        let accept = async || {
            loop {
                // Connections that are waiting for a slot are dropped.
                self.accept_one(&listener, None).await;
            }
        };
        _ = tokio::time::timeout(LAST_CONNECTIONS, accept()).await;
        refuse_connections(&listener);
        _ = tokio::time::timeout(SETTLE, accept()).await;
        drop(listener);
        let no_request = tokio::time::sleep(LAST_REQUESTS.saturating_sub(LAST_CONNECTIONS));
        tokio::select! {
            () = no_request => {}
            () = self.wake.closed() => {}
        }
        self.leave.store(true, Ordering::Relaxed);
        self.wake.send_replace(());
        self.wake.closed().await;
    }

    /// Serves one connection in its own task.
    fn serve(&self, stream: TcpStream, remote: IpAddr, place: Option<OwnedSemaphorePermit>) {
        let server = Arc::clone(&self.service.shared().server);
        let settings = &server.settings;
        let status = Arc::new(Status::new(&self.line));
        let write_timeout = settings.write_timeout;
        // Read and discard a rejected body up to a multiple of the limit.
        let (clock, most) = (self.clock.clone(), settings.max_request_bytes.saturating_mul(4));
        let (service, wake) = (self.service.clone(), self.wake.subscribe());
        let (leave, tls) = (Arc::clone(&self.leave), self.tls.clone());
        let mut connection = Connection { service, remote, status, clock, wake, leave };
        tokio::spawn(async move {
            let _place = place;
            let stream = match tls {
                None => Some(Stream::Plain(stream)),
                Some(tls) => Box::pin(connection.shake_hands(&tls, stream)).await,
            };
            let Some(stream) = stream else { return };
            let (clock, status) = (connection.clock.clone(), Arc::clone(&connection.status));
            let socket = Socket::new(stream, clock, write_timeout, status);
            if let Some(socket) = connection.run(socket).await {
                socket.close(most).await;
            }
        });
    }
}

/// Rejects new connections in the kernel, where possible: a client then retries elsewhere, instead of being
/// accepted by the kernel and reset when the listener closes.
fn refuse_connections(listener: &TcpListener) {
    #[cfg(target_os = "linux")]
    {
        use socket2::{SockFilter, SockRef};
        // Load the TCP flags; drop the packet if SYN is set; otherwise accept it.
        let program = [
            SockFilter::new(0x30, 0, 0, 13),
            SockFilter::new(0x45, 0, 1, 0x02),
            SockFilter::new(0x06, 0, 0, 0),
            SockFilter::new(0x06, 0, 0, u32::MAX),
        ];
        if let Err(error) = SockRef::from(listener).attach_filter(&program) {
            tracing::debug!("cannot limit connections: {error}");
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = listener;
}

/// One connection.
struct Connection {
    service: Service,
    remote: IpAddr,
    status: Arc<Status>,
    clock: Clock,
    wake: watch::Receiver<()>,
    leave: Arc<AtomicBool>,
}

impl Connection {
    /// Performs the TLS handshake, with a timeout, unless the server stops.
    async fn shake_hands(&mut self, tls: &Tls, stream: TcpStream) -> Option<Stream> {
        let mut shaking = std::pin::pin!(tokio::time::timeout(HEAD_TIMEOUT, tls.accept(stream)));
        loop {
            tokio::select! {
                biased;
                shaken = &mut shaking => return match shaken {
                    Ok(Ok(stream)) => Some(Stream::Tls(stream)),
                    Ok(Err(error)) => {
                        tracing::debug!("TLS handshake failed: {error}");
                        None
                    }
                    Err(_) => None,
                },
                _ = self.wake.changed() => if self.leave.load(Ordering::Relaxed) {
                    return None;
                },
            }
        }
    }

    /// Serves requests until there are no more. Returns the socket if it is still usable.
    async fn run(mut self, mut socket: Socket) -> Option<Socket> {
        loop {
            let leaving = self.leave.load(Ordering::Relaxed);
            socket = self.answer(socket, !leaving).await?;
            // A request may have arrived while the idle connection was being closed.
            let raced = self.leave.load(Ordering::Relaxed)
                && !leaving
                && !self.status.is_closing()
                && socket.has_unread();
            if !raced {
                return Some(socket);
            }
        }
    }

    /// Serves requests, or a single one.
    async fn answer(&mut self, socket: Socket, keep_alive: bool) -> Option<Socket> {
        let (service, remote) = (self.service.clone(), self.remote);
        let status = Arc::clone(&self.status);
        let answer = hyper::service::service_fn(move |request| {
            status.begin();
            let (answer, status) = (service.answer(request, Some(remote)), Arc::clone(&status));
            async move {
                let response = status.answer(answer).await;
                status.end();
                if response.headers().contains_key(header::CONNECTION) {
                    status.close(!response.status().is_success());
                }
                Ok::<_, std::convert::Infallible>(response)
            }
        });
        let mut connection = http1::Builder::new()
            .timer(self.clock.clone())
            .header_read_timeout(HEAD_TIMEOUT)
            .max_buf_size(HEAD_BYTES)
            .keep_alive(keep_alive)
            .serve_connection(TokioIo::new(socket), answer);
        let ended = loop {
            tokio::select! {
                biased;
                ended = &mut connection => break ended,
                _ = self.wake.changed() => if self.leave.load(Ordering::Relaxed) {
                    Pin::new(&mut connection).graceful_shutdown();
                },
            }
        };
        if let Err(error) = ended {
            tracing::debug!("connection error: {error}");
            return None;
        }
        let parts = connection.into_parts();
        let mut socket = parts.io.into_inner();
        socket.unread(parts.read_buf);
        Some(socket)
    }
}

/// Advances the clock and wakes the connections as long as there can be any.
async fn wake_at_ticks(wake: Arc<watch::Sender<()>>, clock: Clock, stopping: CancellationToken) {
    let mut stopped = false;
    while !(stopped && wake.is_closed()) {
        tokio::select! {
            () = stopping.cancelled(), if !stopped => stopped = true,
            () = tokio::time::sleep(TICK) => clock.advance(),
        }
        wake.send_replace(());
    }
}
