//! A request with its context, and its response.

use std::sync::Arc;

use serde_json::Value;
use tokio_util::sync::{CancellationToken, DropGuard};
use widgetcast_core::{JsonRef, Surface, Words};

use super::error::RpcError;
use super::meta::ClientName;
use super::params::Params;
use super::session::Session;
use crate::call::http_parts::HttpParts;
use crate::call::line::{Line, TaskMode};
use crate::call::recorder::Recorder;
use crate::call::round::Answers;
use crate::declaration::header_param::HeaderParam;
use crate::sdk::caller::Caller;
use crate::sdk::context::{ClientInfo, Ctx, Metadata, locale_of};
use crate::sdk::log_level::LogLevel;
use crate::sdk::peer::Peer;
use crate::sdk::refusal::Refusal;
use crate::server::Server;
use crate::worker::Budgeted;

/// A request with everything that the response may depend on.
#[derive(Debug)]
pub(crate) struct Request<'a> {
    /// The id, as JSON text.
    pub id: &'a str,
    pub method: &'a str,
    pub params: Params<'a>,
    pub client: ClientContext<'a>,
    /// The lifetime of the message.
    pub budgeted: Budgeted,
}

/// The client, according to the message and the transport.
pub(crate) struct ClientContext<'a> {
    /// Whether the request uses 2026-07-28.
    pub modern: bool,
    pub name: Option<ClientName<'a>>,
    /// The declared capabilities.
    pub capabilities: Option<&'a JsonRef<'a>>,
    /// The `_meta` of the request.
    pub meta: Option<&'a JsonRef<'a>>,
    pub transport: &'a dyn Transport,
    /// The handshake, decoded from the session id.
    pub session: Option<&'a Session<'a>>,
    /// Surfaces that the URL requests.
    pub surfaces: Option<&'a [&'static Surface]>,
    /// Cancelled when the caller cancels the call. A transport that drops the response instead does not need
    /// it.
    pub cancel: Option<CancellationToken>,
    /// The log level of a client with a handshake.
    pub log_level: Option<LogLevel>,
    /// Why a guard rejects the request.
    pub refusal: Option<&'a Refusal>,
}

/// The transport's metadata of a request.
pub(crate) trait Transport: Sync {
    /// Copies of the headers and extensions.
    fn http(&self) -> HttpParts {
        HttpParts::default()
    }

    /// A header of the request.
    fn header(&self, _name: &str) -> Option<&str> {
        None
    }

    /// The authenticated caller.
    fn caller(&self) -> Option<&Caller> {
        None
    }

    /// The recorder of a test.
    fn recorder(&self) -> Option<&Recorder> {
        None
    }

    /// The owner for quotas and limits.
    fn peer(&self) -> Peer {
        Peer::LOCAL
    }

    /// Whether this is the only client, so that all instances are its own.
    fn is_exclusive(&self) -> bool {
        false
    }

    /// A hash of the session id, for traces.
    fn session_hash(&self) -> Option<u64> {
        None
    }

    /// The revision according to the transport, for traces.
    fn version(&self) -> Option<&str> {
        None
    }

    /// Compares a name that the client mirrors in a header with the one in the message, for names that the
    /// transport does not know.
    fn check_name(&self, _method: &str, _name: &str) -> Result<(), RpcError> {
        Ok(())
    }

    /// Compares arguments that the client mirrors in headers with those in the message.
    fn check_header_params(&self, _: &[HeaderParam], _: &JsonRef<'_>) -> Result<(), RpcError> {
        Ok(())
    }
}

impl ClientContext<'_> {
    /// The labels that surfaces add, in the language of the request.
    pub(super) fn words(&self) -> Words {
        let meta = |key: &str| self.meta?.get(key)?.as_str();
        let header = || self.transport.header("accept-language");
        locale_of(meta, header).map(Words::of).unwrap_or_default()
    }

    /// The context of a handler, and a guard that cancels it if the caller disconnects.
    pub(super) fn context(
        &self,
        server: &Server,
        name: &str,
        answers: Option<Answers>,
        task: TaskMode,
    ) -> (Ctx, DropGuard) {
        let cancel = self.cancel.clone().unwrap_or_default();
        let line = Line::new(self.modern, &server.questions, answers, task);
        let ctx = Ctx::new(name, self.metadata(server), cancel.child_token(), line);
        // Disconnecting drops the future; the token also reaches work that the handler has spawned.
        (ctx, cancel.drop_guard())
    }

    /// Its size.
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
            log_level: self.log_level,
        }
    }
}

impl std::fmt::Debug for ClientContext<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ClientContext").field("name", &self.name).finish_non_exhaustive()
    }
}

/// The complete response as JSON text, or an error.
pub(crate) type Body = Result<String, RpcError>;
