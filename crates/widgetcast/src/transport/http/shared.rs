//! What all requests of a service share.

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
    /// What is answered beside the app.
    pub mounts: Vec<Mount>,
    /// Whether only probes and metrics are answered, at an address of their own.
    pub is_for_metrics: bool,
    /// Cancelled when the server stops: what it has accepted is answered, and every connection ends with
    /// its next answer.
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

    /// For the address of the metrics, which is reached under any name.
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

    /// Who sends a request. An authenticator that panics lets nobody in.
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

    /// Whoever answers in place of the app's own tools, at each of their paths: what is mounted at `/mcp`.
    pub(super) fn relay(&self, path: &str) -> Option<&Mount> {
        is_mcp_path(path).then(|| self.mount("/mcp")).flatten()
    }

    /// Whoever answers beside the app at this path.
    pub(super) fn mount(&self, path: &str) -> Option<&Mount> {
        self.mounts.iter().find(|mount| mount.is_at(path))
    }

    pub(super) fn is_draining(&self) -> bool {
        self.stop.is_cancelled()
    }

    /// Counts a large response as held until it is written, or puts a refusal in its place.
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
