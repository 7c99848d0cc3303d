//! State shared by all requests of a service.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt as _;
use http::request::Parts;
use http::{Response, StatusCode};
use tokio_util::sync::CancellationToken;

use super::body::Body;
use super::gate::Gate;
use super::mount::Mount;
use super::response::{error, later};
use super::sessions::Sessions;
use super::sse::Streams;
use crate::log::panic_text;
use crate::protocol::RpcError;
use crate::sdk::auth::Authenticator;
use crate::sdk::caller::Caller;
use crate::sdk::refusal::Refusal;
use crate::server::Server;

/// Whether a path is that of the protocol.
pub(super) fn is_mcp_path(path: &str) -> bool {
    matches!(path, "/mcp" | "/mcp/" | "/" | "")
}

#[derive(Clone)]
pub(super) struct Shared {
    pub server: Arc<Server>,
    pub gate: Arc<Gate>,
    pub streams: Streams,
    pub sessions: Sessions,
    /// The mounted services.
    pub mounts: Vec<Mount>,
    /// Whether only probes and metrics are served, at a separate address.
    pub is_for_metrics: bool,
    /// Cancelled when the server stops: accepted requests are completed, and every connection closes after
    /// its next response.
    stop: CancellationToken,
}

impl Shared {
    pub(super) fn new(server: &Arc<Server>, stop: CancellationToken) -> Self {
        Self {
            server: Arc::clone(server),
            gate: Arc::new(Gate::new(&server.settings).only_local(server.dev_page().is_some())),
            streams: Streams::new(server, stop.clone()),
            sessions: Sessions::default(),
            mounts: Vec::new(),
            is_for_metrics: false,
            stop,
        }
    }

    /// For the address of the metrics, which accepts any host name.
    pub(super) fn for_metrics(server: &Arc<Server>, stop: CancellationToken) -> Self {
        let mut settings = server.settings.clone();
        (settings.allowed_hosts, settings.rate_limit) = (vec!["*".into()], 0);
        Self {
            gate: Arc::new(Gate::new(&settings)),
            is_for_metrics: true,
            ..Self::new(server, stop)
        }
    }

    /// The same for another version of the app.
    pub(super) fn with(&self, server: Arc<Server>) -> Self {
        Self { server, ..self.clone() }
    }

    /// Authenticates a request. If the authenticator panics, the request is rejected.
    pub(super) async fn authenticate(
        &self,
        auth: &dyn Authenticator,
        request: &Parts,
    ) -> Result<Option<Caller>, Refusal> {
        let found = AssertUnwindSafe(async { auth.authenticate(request).await });
        found.catch_unwind().await.unwrap_or_else(|panic| {
            self.server.leave_out("authenticator", &format!("panicked: {}", panic_text(&*panic)));
            Err(Refusal::unavailable("authentication is temporarily unavailable"))
        })
    }

    /// The service mounted at `/mcp`, which replaces the app's own tools at each of their paths.
    pub(super) fn relay(&self, path: &str) -> Option<&Mount> {
        is_mcp_path(path).then(|| self.mount("/mcp")).flatten()
    }

    /// The service mounted at this path.
    pub(super) fn mount(&self, path: &str) -> Option<&Mount> {
        self.mounts.iter().find(|mount| mount.is_at(path))
    }

    pub(super) fn is_draining(&self) -> bool {
        self.stop.is_cancelled()
    }

    /// Counts a large response as buffered until it is written, or replaces it with an error.
    pub(super) fn hold(&self, mut response: Response<Body>) -> Response<Body> {
        let settings = &self.server.settings;
        let (bytes, most) = (response.body().len(), settings.max_response_bytes);
        if bytes > most {
            let words = format!("The response of {bytes} bytes exceeds the limit of {most} bytes");
            let fault = RpcError::new(RpcError::INTERNAL, words);
            return error(StatusCode::INTERNAL_SERVER_ERROR, None, &fault);
        }
        let mut held = self.server.metrics.hold(settings.max_buffered_bytes);
        if !held.grow(bytes) {
            return later(StatusCode::SERVICE_UNAVAILABLE, 1, None);
        }
        response.body_mut().hold(held);
        response
    }
}
