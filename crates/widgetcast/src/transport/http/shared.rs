//! What all requests of a service share.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::gate::Gate;
use super::sse::Streams;
use crate::server::Server;

pub(super) struct Shared {
    pub server: Arc<Server>,
    pub gate: Gate,
    /// Cancelled when the server stops.
    pub stop: CancellationToken,
    pub streams: Streams,
}

impl Shared {
    pub(super) fn new(server: &Arc<Server>, stop: CancellationToken) -> Self {
        // Fewer than connections: the others must get through.
        let streams = server.settings.max_connections.div_ceil(4);
        Self {
            server: Arc::clone(server),
            gate: Gate::new(&server.settings),
            streams: Streams::new(streams, stop.clone()),
            stop,
        }
    }
}
