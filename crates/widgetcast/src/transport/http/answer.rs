//! From a request that has been read to its answer: headers are compared with the message, then
//! [`dispatch`] answers it.

use std::sync::Arc;

use http::request::Parts;
use serde_json::Value;
use tokio::sync::mpsc;
use widgetcast_core::{JsonRef, Surface};

use super::gate::Head;
use super::headers::{McpHeaders, check_param};
use super::shared::Shared;
use crate::protocol::{
    Answer, ClientContext, Request, RequestMeta, RpcError, Transport, dispatch, jsonrpc, session,
};
use crate::sdk::caller::Caller;
use crate::sdk::context::Report;
use crate::sdk::header_param::HeaderParam;
use crate::sdk::http_parts::HttpParts;
use crate::sdk::peer::Peer;
use crate::sdk::recorder::Recorder;

/// Reports of progress that wait to be sent before the handler has to wait, too.
const REPORTS: usize = 16;

/// Surfaces that an address asks for.
pub(super) type Surfaces = Vec<&'static Surface>;

/// A request as far as it is known without its message.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub parts: &'a Head,
    /// Surfaces that the address asks for: `?surface=chatkit`.
    pub surfaces: Option<&'a [&'static Surface]>,
}

/// What came of a request.
pub(super) struct Answered {
    pub answer: Answer,
    /// Whether it follows 2026-07-28.
    pub modern: bool,
    /// Where its progress is reported.
    pub reports: Option<mpsc::Receiver<String>>,
    /// The id of the session that it begins.
    pub session: Option<String>,
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
    let (report, reports) = match meta.progress_token {
        Some(token) => {
            let (report, reports) = reporting(token.to_value());
            (Some(report), Some(reports))
        }
        None => (None, None),
    };
    let client = ClientContext {
        modern,
        name: meta.client.or(known.as_ref().map(|session| session.client)),
        capabilities: meta.capabilities,
        meta: given.as_ref(),
        session: known.as_ref(),
        transport: &HttpRequest(asked.parts),
        surfaces: asked.surfaces,
        cancel: None,
        report,
    };
    let answer = dispatch(&shared.server, Request { id, method: &method, params, client });
    let is_begun = matches!(answer, Answer::Now(Ok(_)));
    Ok(Answered { answer, modern, reports, session: new.filter(|_| is_begun) })
}

/// A function that sends notifications of progress, and where they arrive.
fn reporting(token: Value) -> (Report, mpsc::Receiver<String>) {
    let (send, reports) = mpsc::channel(REPORTS);
    let report: Report = Arc::new(move |done, total, message| {
        let text = jsonrpc::progress(&token, done, total, message.as_deref());
        let send = send.clone();
        // A caller that is gone needs no progress.
        Box::pin(async move { _ = send.send(text).await })
    });
    (report, reports)
}

/// A request as the protocol sees its transport.
struct HttpRequest<'h>(&'h Head);

impl Transport for HttpRequest<'_> {
    fn http(&self) -> HttpParts {
        let Parts { headers, extensions, .. } = &self.0.parts;
        HttpParts { headers: headers.clone(), extensions: extensions.clone() }
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

    fn check_header_params(
        &self,
        params: &[HeaderParam],
        arguments: &JsonRef<'_>,
    ) -> Result<(), RpcError> {
        params.iter().try_for_each(|param| check_param(&self.0.headers, param, arguments))
    }
}
