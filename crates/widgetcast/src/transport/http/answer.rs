//! From a request that has been read to its answer: headers are compared with the message, then
//! [`dispatch`] answers it.

use std::sync::Arc;

use serde_json::Value;
use tokio::sync::mpsc;
use widgetcast_core::Surface;

use super::gate::Head;
use super::headers::{HttpRequest, McpHeaders};
use super::shared::Shared;
use crate::protocol::{Answer, ClientContext, Request, RequestMeta, RpcError, dispatch, jsonrpc};
use crate::sdk::context::Report;

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

/// The answer to a request, whether it follows 2026-07-28, and where its progress is reported.
pub(super) fn answer(
    shared: &Shared,
    asked: Asked<'_>,
    request: jsonrpc::Request<'_>,
) -> Result<(Answer, bool, Option<mpsc::Receiver<String>>), RpcError> {
    let jsonrpc::Request { id, method, mut params } = request;
    let given = params.meta.take();
    let meta = RequestMeta::read(given.as_ref())?;
    let headers = &asked.parts.headers;
    let modern = McpHeaders::read(headers).check(&method, &params, &meta)?;
    let (report, reports) = match meta.progress_token {
        Some(token) => {
            let (report, reports) = reporting(token.to_value());
            (Some(report), Some(reports))
        }
        None => (None, None),
    };
    let client = ClientContext {
        modern,
        name: meta.client,
        capabilities: meta.capabilities,
        meta: given.as_ref(),
        transport: &HttpRequest(headers, asked.parts.caller),
        surfaces: asked.surfaces,
        cancel: None,
        report,
    };
    let answer = dispatch(&shared.server, Request { id, method: &method, params, client });
    Ok((answer, modern, reports))
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
