//! Our own server: accepts connections until it is told to stop, then lets running calls finish.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, ToSocketAddrs};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use super::{RemoteAddr, Service};
use crate::app::App;
use crate::event::Event;

/// Widgets that are looked at without making anyone wait.
const MANY: usize = 256;
/// How long a client may take to send the head of a request.
const HEAD: Duration = Duration::from_secs(15);

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
        let graceful = GracefulShutdown::new();
        let places = Arc::new(Semaphore::new(self.0.settings.max_connections));
        self.examine_in_background();
        self.0.tell(&Event::Started { at: &format!("http://{at}/mcp"), tools: self.0.count() });
        let mut stop = std::pin::pin!(stop);
        loop {
            let place = tokio::select! {
                () = &mut stop => break,
                place = Arc::clone(&places).acquire_owned() => place,
            };
            let (stream, remote): (_, SocketAddr) = tokio::select! {
                () = &mut stop => break,
                accepted = listener.accept() => match accepted {
                    Ok(accepted) => accepted,
                    Err(error) => {
                        // Out of files, most likely: it passes, and must not end the server.
                        tracing::warn!("a connection could not be accepted: {error}");
                        tokio::time::sleep(Duration::from_millis(50)).await;
                        continue;
                    }
                },
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
                .timer(TokioTimer::new())
                .header_read_timeout(HEAD)
                .serve_connection(TokioIo::new(stream), answer);
            let connection = graceful.watch(connection);
            tokio::spawn(async move {
                let _place = place;
                if let Err(error) = connection.await {
                    tracing::debug!("a connection ended badly: {error}");
                }
            });
        }
        drop(listener);
        stopping.cancel();
        let grace = Duration::from_secs(self.0.settings.shutdown_grace);
        if tokio::time::timeout(grace, graceful.shutdown()).await.is_err() {
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
