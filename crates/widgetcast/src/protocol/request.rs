//! A request on its way through the server, and the answer.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use serde_json::Value;
use tokio_util::sync::{CancellationToken, DropGuard};
use widgetcast_core::{JsonRef, Surface};

use super::error::RpcError;
use super::meta::ClientName;
use super::params::Params;
use super::session::Session;
use super::subscription::Subscription;
use crate::sdk::caller::Caller;
use crate::sdk::context::{ClientInfo, Ctx, Metadata, Report};
use crate::sdk::header_param::HeaderParam;
use crate::sdk::http_parts::HttpParts;
use crate::sdk::peer::Peer;
use crate::sdk::recorder::Recorder;
use crate::server::Server;

/// A request with everything that the answer may depend on.
#[derive(Debug)]
pub(crate) struct Request<'a> {
    /// The id, as JSON text.
    pub id: &'a str,
    pub method: &'a str,
    pub params: Params<'a>,
    pub client: ClientContext<'a>,
}

/// Who asks, as far as the message and the transport tell.
pub(crate) struct ClientContext<'a> {
    /// Whether the request follows 2026-07-28.
    pub modern: bool,
    pub name: Option<ClientName<'a>>,
    /// What it says it can do.
    pub capabilities: Option<&'a JsonRef<'a>>,
    /// The `_meta` of the request.
    pub meta: Option<&'a JsonRef<'a>>,
    pub transport: &'a dyn Transport,
    /// What its handshake said, as the id of its session tells.
    pub session: Option<&'a Session<'a>>,
    /// Surfaces that the address asks for.
    pub surfaces: Option<&'a [&'static Surface]>,
    /// Cancelled when the caller cancels the call. A transport that drops the answer instead needs
    /// none.
    pub cancel: Option<CancellationToken>,
    /// Sends progress, if the caller wants it.
    pub report: Option<Report>,
}

/// What a transport knows of a request beyond the message.
pub(crate) trait Transport: Sync {
    /// Headers and extensions, copied.
    fn http(&self) -> HttpParts {
        HttpParts::default()
    }

    /// Who calls, if that was proven.
    fn caller(&self) -> Option<&Caller> {
        None
    }

    /// Where a test wants the view.
    fn recorder(&self) -> Option<&Recorder> {
        None
    }

    /// Whom its shares and limits are counted for.
    fn peer(&self) -> Peer {
        Peer::LOCAL
    }

    /// Whether there is no other client at the other end, so that all instances are this client's.
    fn is_exclusive(&self) -> bool {
        false
    }

    /// Compares arguments that the client repeats outside the message with those in it.
    fn check_header_params(&self, _: &[HeaderParam], _: &JsonRef<'_>) -> Result<(), RpcError> {
        Ok(())
    }
}

impl ClientContext<'_> {
    /// The context of a handler, and a guard that tells it when the caller has gone.
    pub(super) fn context(&self, server: &Server, name: &str) -> (Ctx, DropGuard) {
        let cancel = self.cancel.clone().unwrap_or_default();
        let ctx = Ctx::new(name, self.metadata(server), cancel.child_token(), self.report.clone());
        // A caller that goes away drops the future; the token tells work that the handler has moved
        // elsewhere.
        (ctx, cancel.drop_guard())
    }

    /// What it holds.
    fn metadata(&self, server: &Server) -> Metadata {
        let meta = match self.meta.map(JsonRef::to_value) {
            Some(Value::Object(meta)) => meta,
            _ => serde_json::Map::new(),
        };
        Metadata {
            meta,
            client: self.name.map(|client| ClientInfo {
                name: client.name.to_owned(),
                version: client.version.to_owned(),
            }),
            capabilities: match (self.capabilities, self.session) {
                (Some(given), _) => given.to_value(),
                (None, Some(session)) => session.capabilities(),
                (None, None) => Value::Null,
            },
            peer: self.transport.peer(),
            caller: self.transport.caller().cloned(),
            http: self.transport.http(),
            states: Arc::clone(&server.states),
        }
    }
}

impl std::fmt::Debug for ClientContext<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ClientContext").field("name", &self.name).finish_non_exhaustive()
    }
}

/// A whole response as JSON text, or the error that goes in its place.
pub(crate) type Body = Result<String, RpcError>;

/// An answer. What needs no waiting is computed at once, so that transports need neither a task nor a
/// channel for it.
pub(crate) enum Answer {
    Now(Body),
    Later(BoxFuture<'static, Body>),
    /// Notifications until the client or the server ends it.
    Stream(Subscription),
}

impl From<Body> for Answer {
    fn from(body: Body) -> Self {
        Self::Now(body)
    }
}
