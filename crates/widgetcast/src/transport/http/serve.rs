//! Our own server: accepts connections until it is told to stop, then lets running calls finish.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio_util::sync::CancellationToken;

use super::super::check_widgets_in_background;
use super::clock::{Clock, TICK};
use super::gate::RemoteAddr;
use super::service::Service;
use crate::sdk::event::Event;
use crate::server::Server;

/// How long a client may take to send the head of a request, give or take a tick of the clock.
const HEAD_TIMEOUT: Duration = Duration::from_secs(15);
/// How long to wait after a connection could not be accepted.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Serves the connections of a listener until `stop` ends; then running calls may finish.
pub(crate) async fn serve(
    server: &Arc<Server>,
    listener: TcpListener,
    stop: impl Future<Output = ()>,
) -> std::io::Result<()> {
    let at = listener.local_addr()?;
    let stopping = CancellationToken::new();
    // Also when this future is dropped.
    let _stop = stopping.clone().drop_guard();
    check_widgets_in_background(server);
    server.emit(&Event::Started { at: &format!("http://{at}/mcp"), tools: server.count() });
    let connections = Connections {
        service: Service::new(server, stopping.clone()),
        clock: Clock::default(),
        wake: Arc::new(watch::channel(()).0),
        stopping: stopping.clone(),
    };
    tokio::spawn(wake_at_ticks(
        Arc::clone(&connections.wake),
        connections.clock.clone(),
        stopping.clone(),
    ));
    let places = Arc::new(Semaphore::new(server.settings.max_connections));
    let accepting = async {
        loop {
            let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
            match listener.accept().await {
                Ok((stream, remote)) => connections.serve(stream, RemoteAddr(remote), place),
                Err(error) => {
                    // Out of files, most likely: it passes, and must not end the server.
                    tracing::warn!("a connection could not be accepted: {error}");
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            }
        }
    };
    tokio::select! {
        () = stop => {}
        () = accepting => {}
    }
    drop(listener);
    stopping.cancel();
    let grace = Duration::from_secs(server.settings.shutdown_grace);
    if tokio::time::timeout(grace, connections.wake.closed()).await.is_err() {
        tracing::warn!("some calls did not finish within {} s", grace.as_secs());
    }
    server.emit(&Event::Stopped);
    Ok(())
}

/// What every connection needs.
struct Connections {
    service: Service,
    clock: Clock,
    /// Wakes the connections: at every tick of the clock, and when it is time to stop. Each holds a
    /// receiver, so it is closed when the last one has ended.
    wake: Arc<watch::Sender<()>>,
    stopping: CancellationToken,
}

impl Connections {
    /// Serves one connection, in a task of its own.
    fn serve(&self, stream: TcpStream, remote: RemoteAddr, place: OwnedSemaphorePermit) {
        _ = stream.set_nodelay(true);
        let service = self.service.clone();
        let answer = hyper::service::service_fn(move |mut request: http::Request<_>| {
            if service.0.gate.wants_client() {
                request.extensions_mut().insert(remote);
            }
            let answer = service.answer(request);
            async move { Ok::<_, std::convert::Infallible>(answer.await) }
        });
        let connection = http1::Builder::new()
            .timer(self.clock.clone())
            .header_read_timeout(HEAD_TIMEOUT)
            .serve_connection(TokioIo::new(stream), answer);
        let (mut wake, stopping) = (self.wake.subscribe(), self.stopping.clone());
        tokio::spawn(async move {
            let _place = place;
            let mut connection = pin!(connection);
            let ended = loop {
                tokio::select! {
                    biased;
                    ended = connection.as_mut() => break ended,
                    _ = wake.changed() => if stopping.is_cancelled() {
                        connection.as_mut().graceful_shutdown();
                    },
                }
            };
            if let Err(error) = ended {
                tracing::debug!("a connection ended badly: {error}");
            }
        });
    }
}

/// Advances the clock and wakes the connections, for as long as there are any or may be.
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
