//! From a parsed request to its response: compares headers with the message, then [`dispatch`] handles it.

use http::header;
use http::request::Parts;
use widgetcast_core::{JsonRef, Surface};

use super::gate::Head;
use super::headers::{McpHeaders, check_param};
use super::sessions::SessionKey;
use super::shared::Shared;
use crate::call::http_parts::HttpParts;
use crate::call::recorder::Recorder;
use crate::declaration::header_param::HeaderParam;
use crate::protocol::{
    Answer, ClientContext, Request, RequestMeta, RpcError, Transport, dispatch, jsonrpc, lifecycle,
    session,
};
use crate::sdk::caller::Caller;
use crate::sdk::peer::Peer;
use crate::sdk::refusal::Refusal;
use crate::worker::Budgeted;

/// The surfaces that a URL requests.
pub(super) type Surfaces = Vec<&'static Surface>;

/// A request without its message.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub parts: &'a Head,
    /// The surfaces that the URL requests: `?surface=chatkit`.
    pub surfaces: Option<&'a [&'static Surface]>,
    /// Why a guard rejects it.
    pub refusal: Option<&'a Refusal>,
    pub budgeted: Budgeted,
}

/// The outcome of a request.
pub(super) struct Answered {
    pub answer: Answer,
    /// Whether it uses 2026-07-28.
    pub modern: bool,
    /// Its session, if it runs as a task.
    pub session: Option<SessionKey>,
    /// The id of the session that it starts.
    pub new_session: Option<String>,
}

pub(super) fn answer(
    shared: &Shared,
    asked: Asked<'_>,
    request: jsonrpc::Request<'_>,
) -> Result<Answered, RpcError> {
    let jsonrpc::Request { id, method, mut params } = request;
    let given = params.meta.take();
    let meta = RequestMeta::read(given.as_ref())?;
    let headers = &asked.parts.headers;
    let read = McpHeaders::read(headers);
    let modern = read.check(&method, &params, &meta)?;
    let is_handshake = !modern && &*method == "initialize";
    let mut room;
    let known = match read.session().filter(|_| !is_handshake) {
        Some(id) => {
            room = [0; session::MAX_BYTES];
            Some(session::read(&shared.server, id, &mut room)?)
        }
        None => None,
    };
    let new = if is_handshake { session::new_id(&shared.server, &params) } else { None };
    let id_of_session = read.session().filter(|_| known.is_some());
    if let (false, "logging/setLevel", Some(session), Some(level)) =
        (modern, &*method, id_of_session, lifecycle::log_level(&params))
    {
        shared.sessions.set_level(session, level);
    }
    let client = ClientContext {
        modern,
        name: meta.client.or(known.as_ref().map(|session| session.client)),
        capabilities: meta.capabilities,
        meta: given.as_ref(),
        session: known.as_ref(),
        transport: &HttpRequest(asked.parts),
        surfaces: asked.surfaces,
        cancel: None,
        log_level: id_of_session.and_then(|session| shared.sessions.level(session)),
        refusal: asked.refusal,
    };
    let request = Request { id, method: &method, params, client, budgeted: asked.budgeted };
    let answer = dispatch(&shared.server, request);
    let is_begun = matches!(answer, Answer::Now(Ok(_)));
    let is_later = matches!(answer, Answer::Later(_));
    let session = id_of_session.filter(|_| is_later).map(SessionKey::of);
    Ok(Answered { answer, modern, session, new_session: new.filter(|_| is_begun) })
}

/// The transport's metadata of a request, for the protocol.
struct HttpRequest<'h>(&'h Head);

impl Transport for HttpRequest<'_> {
    fn header(&self, name: &str) -> Option<&str> {
        self.0.parts.headers.get(name)?.to_str().ok()
    }

    fn http(&self) -> HttpParts {
        let Parts { headers, extensions, .. } = &self.0.parts;
        let mut headers = headers.clone();
        for secret in [header::AUTHORIZATION, header::COOKIE] {
            // Moved out, so that printing the extensions does not reveal them.
            if let Some(value) = headers.get_mut(secret) {
                value.set_sensitive(true);
            }
        }
        HttpParts { headers, extensions: extensions.clone() }
    }

    fn caller(&self) -> Option<&Caller> {
        self.0.caller.as_ref()
    }

    fn recorder(&self) -> Option<&Recorder> {
        self.0.extensions.get()
    }

    fn peer(&self) -> Peer {
        self.0.peer
    }

    fn session_hash(&self) -> Option<u64> {
        let headers = McpHeaders::read(&self.0.headers);
        headers.session().map(|id| SessionKey::of(id).short())
    }

    fn version(&self) -> Option<&str> {
        McpHeaders::read(&self.0.headers).version
    }

    fn check_name(&self, method: &str, name: &str) -> Result<(), RpcError> {
        McpHeaders::read(&self.0.headers).check_name(method, Some(name))
    }

    fn check_header_params(
        &self,
        params: &[HeaderParam],
        arguments: &JsonRef<'_>,
    ) -> Result<(), RpcError> {
        params.iter().try_for_each(|param| check_param(&self.0.headers, param, arguments))
    }
}
