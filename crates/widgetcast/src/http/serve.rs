//! Our own server: accepts connections until it is told to stop, then lets running calls finish.

use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use hyper::rt::{Sleep, Timer};
use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, ToSocketAddrs};
use tokio::sync::{Semaphore, watch};
use tokio_util::sync::CancellationToken;

use super::{RemoteAddr, Service};
use crate::app::App;
use crate::event::Event;

/// Widgets that are looked at without making anyone wait.
const MANY: usize = 256;
/// How long a client may take to send the head of a request, give or take a tick of the clock.
const HEAD: Duration = Duration::from_secs(15);
const TICK: Duration = Duration::from_secs(3);

impl App {
    /// Serves at an address until the process ends.
    pub async fn serve_http(&self, at: impl ToSocketAddrs) -> std::io::Result<()> {
        let listener = TcpListener::bind(at).await?;
        self.serve_listener(listener, std::future::pending()).await
    }

    /// Serves the connections of a listener until `stop` ends; then running calls may finish.
    ///
    /// Broken widgets of a directory are looked for in the background while it serves.
    pub async fn serve_listener(
        &self,
        listener: TcpListener,
        stop: impl Future<Output = ()>,
    ) -> std::io::Result<()> {
        let at = listener.local_addr()?;
        let stopping = CancellationToken::new();
        let service = Service::new(&self.0, stopping.clone());
        let clock = Clock::default();
        let places = Arc::new(Semaphore::new(self.0.settings.max_connections));
        self.examine_in_background();
        self.0.tell(&Event::Started { at: &format!("http://{at}/mcp"), tools: self.0.count() });
        // Connections look up when it rings: at every tick, and when it is time to stop, which it
        // also is when this future is dropped.
        let bell = Arc::new(watch::channel(()).0);
        let _stop = stopping.clone().drop_guard();
        tokio::spawn(ring(Arc::clone(&bell), clock.clone(), stopping.clone()));
        let accepting = async {
            loop {
                let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
                let (stream, remote) = match listener.accept().await {
                    Ok(accepted) => accepted,
                    Err(error) => {
                        // Out of files, most likely: it passes, and must not end the server.
                        tracing::warn!("a connection could not be accepted: {error}");
                        tokio::time::sleep(Duration::from_millis(50)).await;
                        continue;
                    }
                };
                _ = stream.set_nodelay(true);
                let service = service.clone();
                let answer = hyper::service::service_fn(move |mut request: http::Request<_>| {
                    if service.0.gate.wants_client() {
                        request.extensions_mut().insert(RemoteAddr(remote));
                    }
                    Arc::clone(&service.0).answer(request)
                });
                let connection = http1::Builder::new()
                    .timer(clock.clone())
                    .header_read_timeout(HEAD)
                    .serve_connection(TokioIo::new(stream), answer);
                let (mut bell, stopping) = (bell.subscribe(), stopping.clone());
                tokio::spawn(async move {
                    let _place = place;
                    let mut connection = pin!(connection);
                    let ended = loop {
                        tokio::select! {
                            biased;
                            ended = connection.as_mut() => break ended,
                            _ = bell.changed() => if stopping.is_cancelled() {
                                connection.as_mut().graceful_shutdown();
                            },
                        }
                    };
                    if let Err(error) = ended {
                        tracing::debug!("a connection ended badly: {error}");
                    }
                });
            }
        };
        tokio::select! {
            () = stop => {}
            () = accepting => {}
        }
        drop(listener);
        stopping.cancel();
        let grace = Duration::from_secs(self.0.settings.shutdown_grace);
        if tokio::time::timeout(grace, bell.closed()).await.is_err() {
            tracing::warn!("some calls did not finish within {} s", grace.as_secs());
        }
        self.0.tell(&Event::Stopped);
        Ok(())
    }

    /// Widgets of a directory are anyone's; those that are part of the program were looked at when
    /// it was made, and a server that idles need not hold what looking at them takes.
    pub(crate) fn examine_in_background(&self) {
        let catalog = Arc::clone(&self.0.live.now().catalog);
        if catalog.dir().is_none() {
            return;
        }
        // Thousands take a second of work, and the first callers go before it.
        let wait = if catalog.len() > MANY { Duration::from_secs(1) } else { Duration::ZERO };
        let app = self.clone();
        // A thread of its own: it must not keep the runtime from answering, nor from ending.
        let thread = std::thread::Builder::new().name("widgetcast-examine".into());
        let examine = move || {
            std::thread::sleep(wait);
            app.examine();
        };
        if let Err(error) = thread.spawn(examine) {
            tracing::warn!("widgets are not examined: {error}");
        }
    }
}

/// Rings for as long as there are connections, or may be.
async fn ring(bell: Arc<watch::Sender<()>>, clock: Clock, stopping: CancellationToken) {
    let mut stopped = false;
    while !(stopped && bell.is_closed()) {
        tokio::select! {
            () = stopping.cancelled(), if !stopped => stopped = true,
            () = tokio::time::sleep(TICK) => {
                clock.0.ticks.fetch_add(1, Ordering::Relaxed);
            }
        }
        bell.send_replace(());
    }
}

/// The time, to the tick. A timer of the runtime's for the head of each request would take longer
/// than reading the head; whoever waits for this one looks again when the bell rings.
#[derive(Clone)]
struct Clock(Arc<Ticks>);

struct Ticks {
    start: Instant,
    ticks: AtomicU32,
}

impl Default for Clock {
    fn default() -> Self {
        Self(Arc::new(Ticks { start: Instant::now(), ticks: AtomicU32::new(0) }))
    }
}

impl Timer for Clock {
    fn now(&self) -> Instant {
        self.0.start + TICK * self.0.ticks.load(Ordering::Relaxed)
    }

    fn sleep(&self, time: Duration) -> Pin<Box<dyn Sleep>> {
        self.sleep_until(self.now() + time)
    }

    fn sleep_until(&self, end: Instant) -> Pin<Box<dyn Sleep>> {
        Box::pin(Until { clock: self.clone(), end })
    }
}

struct Until {
    clock: Clock,
    end: Instant,
}

impl Future for Until {
    type Output = ();

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        if self.clock.now() < self.end { Poll::Pending } else { Poll::Ready(()) }
    }
}

impl Sleep for Until {}
