//! Serves HTTP: on an address, as a service in another server, or a single request.

use std::sync::Arc;

use bytes::Bytes;
use http::{Request, Response};
use tokio::net::{TcpListener, ToSocketAddrs};

use super::App;
use crate::sdk::auth::Proven;
use crate::sdk::caller::Caller;
use crate::sdk::peer::Peer;
use crate::transport::http::{self as http_transport, Body, Mount, RequestBody, Service};
use crate::transport::signal::shutdown_signal;

impl App {
    /// Serves HTTP on the address in `WIDGETCAST_HTTP`, such as `0.0.0.0:8000`, or on `127.0.0.1:8000`; see
    /// [`App::serve_http`].
    pub async fn serve(&self) -> std::io::Result<()> {
        let at = std::env::var("WIDGETCAST_HTTP").unwrap_or_else(|_| "127.0.0.1:8000".into());
        self.serve_http(at).await
    }

    /// Serves HTTP until [Ctrl-C, SIGTERM or SIGHUP](crate::shutdown_signal), then shuts down gracefully.
    pub async fn serve_http(&self, at: impl ToSocketAddrs) -> std::io::Result<()> {
        let listener = http_transport::bind(at).await?;
        self.serve_listener(listener, shutdown_signal()).await
    }

    /// Serves the connections of a listener until `stop` completes, then shuts down gracefully.
    ///
    /// The widgets of a directory are checked in the background while it serves.
    pub async fn serve_listener(
        &self,
        listener: TcpListener,
        stop: impl Future<Output = ()>,
    ) -> std::io::Result<()> {
        http_transport::serve(&self.live, &self.mounts, listener, self.until(stop)).await
    }

    /// The app as a `tower::Service`, for routers and single requests. All clones share its limits. It does
    /// not check widgets: see [`App::check_widgets`].
    pub fn service(&self) -> Service {
        let new = || Service::new(&self.live, &self.mounts, self.stop.clone());
        self.service.get_or_init(new).clone()
    }

    /// Mounts another service at `path` and below, with the same limits, hosts, origins and authentication.
    /// At `/mcp`, it replaces the app's own tools, including at the root. The extensions of a request contain
    /// the [`Caller`](crate::Caller), if it is authenticated. Only the returned app has the mount, so
    /// the mounted service can hold a clone of the original one.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use widgetcast::App;
    /// use widgetcast::http::Body;
    ///
    /// let app = App::new("shop", "1.0.0").build()?;
    /// let app = app.mount("/hello", async |_| http::Response::new(Body::from("Good day.")));
    /// let request = http::Request::get("/hello").body(String::new())?;
    /// assert_eq!(app.handle(request).await.status(), 200);
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn mount<F, R>(mut self, path: &'static str, answer: F) -> Self
    where
        F: Fn(Request<RequestBody>) -> R + Send + Sync + 'static,
        R: Future<Output = Response<Body>> + Send + 'static,
    {
        self.mounts.push(Mount::new(path, answer));
        self.service = Arc::default();
        self
    }

    /// Handles one request, without a server.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use widgetcast::App;
    ///
    /// let app = App::new("shop", "1.0.0").build()?;
    /// let request = http::Request::get("/healthz").header("host", "localhost").body(String::new())?;
    /// assert_eq!(app.handle(request).await.status(), 200);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn handle<B>(&self, request: Request<B>) -> Response<Body>
    where
        B: http_body::Body<Data = Bytes> + Send + 'static,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        self.service().answer(request, None).await
    }

    /// Handles one request on behalf of a caller that your program has already authenticated; the app does
    /// not authenticate the request again. `peer` is the client that quotas apply to if there is no caller;
    /// it is also written to the audit log.
    pub async fn handle_as<B>(
        &self,
        caller: Option<Caller>,
        peer: Peer,
        mut request: Request<B>,
    ) -> Response<Body>
    where
        B: http_body::Body<Data = Bytes> + Send + 'static,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        request.extensions_mut().insert(Proven { caller, peer });
        self.handle(request).await
    }
}
