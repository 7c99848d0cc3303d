//! `tracing` spans for export: one for each HTTP request, one for each protocol request in it, and one for
//! each rendering and store operation. Their fields follow OpenTelemetry's conventions for HTTP and MCP; none
//! contains an argument.
//!
//! Without a subscriber, each costs one check of a flag; their level is debug, so a log at level info does
//! not enable them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use futures_util::FutureExt as _;
use tracing::field::Empty;
use tracing::{Instrument as _, Span};

use crate::sdk::store::{Entry, EntryKind, Store, StoreFuture, StoreListener, Stored};
use crate::sdk::store_error::StoreError;
use crate::sdk::trace_context::{TraceContext, TraceLink};

/// The target of all spans.
macro_rules! target {
    () => {
        "widgetcast::trace"
    };
}

/// Whether spans are enabled.
pub(crate) fn is_on() -> bool {
    tracing::span_enabled!(target: target!(), tracing::Level::DEBUG)
}

/// The current span, for work that moves to another thread.
pub(crate) fn current() -> Span {
    if is_on() { Span::current() } else { Span::none() }
}

/// The span of a request over HTTP.
pub(crate) fn http<'h>(
    method: &str,
    route: impl Fn() -> &'static str,
    header: impl Fn(&str) -> Option<&'h str>,
    link: Option<&TraceLink>,
) -> Span {
    let span = tracing::debug_span!(
        target: target!(),
        "http",
        otel.name = display(format_args!("{method} {}", route())),
        otel.kind = "server",
        http.request.method = method,
        http.route = route(),
        http.response.status_code = Empty,
        otel.status_code = Empty,
    );
    if let (false, Some(link)) = (span.is_disabled(), link)
        && let Some(context) = TraceContext::read(header)
    {
        follow(link, &span, &context);
    }
    span
}

/// Sets the parent of a span from the client's trace. This calls code of the app, whose panic only affects
/// the trace.
fn follow(link: &TraceLink, span: &Span, context: &TraceContext<'_>) {
    if catch_unwind(AssertUnwindSafe(|| link(span, context))).is_err() {
        tracing::error!("trace_parent panicked; the span has no parent");
    }
}

/// Records the response status on the current span.
pub(crate) fn status(status: u16) {
    if !is_on() {
        return;
    }
    let span = Span::current();
    // Signed, because OpenTelemetry has no other integers.
    span.record("http.response.status_code", i64::from(status));
    if status >= 500 {
        span.record("otel.status_code", "ERROR");
    }
}

/// The attributes of a protocol request.
pub(crate) struct Rpc<'r> {
    pub method: &'r str,
    /// Only of existing tools.
    pub tool: Option<&'r str>,
    /// Only of existing prompts.
    pub prompt: Option<&'r str>,
    pub id: &'r str,
    pub version: Option<&'static str>,
    /// A hash of the session id, which is private.
    pub session: Option<u64>,
    pub transport: &'static str,
    pub context: Option<TraceContext<'r>>,
}

/// Maximum length of a request id in a span.
const MAX_ID_BYTES: usize = 64;

impl Rpc<'_> {
    /// The span of a protocol request. Its parent is the one in the message, or else the HTTP request; in the
    /// first case, the HTTP request is linked.
    pub(crate) fn span(&self, link: Option<&TraceLink>) -> Span {
        let target = self.tool.or(self.prompt).unwrap_or_default();
        let name = [self.method, target].join(" ");
        let id = self.id.trim_matches('"');
        let span = tracing::debug_span!(
            target: target!(),
            "mcp",
            otel.name = name.trim_end(),
            otel.kind = "server",
            mcp.method.name = self.method,
            mcp.protocol.version = self.version,
            mcp.session.id = self.session.map(|hash| display(format!("{hash:016x}"))),
            jsonrpc.request.id = id.get(..id.len().min(MAX_ID_BYTES)),
            gen_ai.tool.name = self.tool,
            gen_ai.prompt.name = self.prompt,
            gen_ai.operation.name = self.tool.map(|_| "execute_tool"),
            network.transport = self.transport,
            rpc.response.status_code = Empty,
            error.type = Empty,
            otel.status_code = Empty,
        );
        if let (Some(link), Some(context)) = (link, &self.context) {
            follow(link, &span, context);
            span.follows_from(Span::current());
        }
        span
    }
}

/// Records a protocol error on the span of its request.
pub(crate) fn rpc_error(span: &Span, code: i32) {
    let code = code.to_string();
    span.record("rpc.response.status_code", &*code);
    span.record("error.type", &*code);
    span.record("otel.status_code", "ERROR");
}

/// Records that the span's work was a trial, which is repeated under another span.
pub(crate) fn trial(span: &Span) {
    span.record("otel.name", "trial");
}

/// Records a tool failure on the current span.
pub(crate) fn tool_error(kind: &'static str) {
    if is_on() {
        let span = Span::current();
        span.record("error.type", kind);
        span.record("otel.status_code", "ERROR");
    }
}

/// The span in which a tool's data is rendered.
pub(crate) fn render(tool: &str) -> Span {
    tracing::debug_span!(target: target!(), "render", gen_ai.tool.name = tool)
}

/// A store whose operations have spans, and whose panics become errors.
pub(crate) struct TracedStore(pub Arc<dyn Store>);

impl Store for TracedStore {
    fn put(&self, entry: Entry<'_>) -> StoreFuture<()> {
        operation("put", || self.0.put(entry))
    }

    fn get(&self, kind: EntryKind, id: &str) -> StoreFuture<Option<Stored>> {
        operation("get", || self.0.get(kind, id))
    }

    fn ids(&self, tool: &str, prefix: &str, most: usize) -> StoreFuture<Vec<String>> {
        operation("ids", || self.0.ids(tool, prefix, most))
    }

    fn key(&self) -> Option<[u8; 16]> {
        self.0.key()
    }

    fn publish(&self, message: &str) -> StoreFuture<()> {
        operation("publish", || self.0.publish(message))
    }

    fn listen(&self, listener: StoreListener) {
        self.0.listen(listener);
    }
}

fn operation<T: Send + 'static>(
    name: &'static str,
    run: impl FnOnce() -> StoreFuture<T>,
) -> StoreFuture<T> {
    let span = tracing::debug_span!(
        target: target!(),
        "store",
        otel.name = display(format_args!("store {name}")),
        otel.kind = "client",
        db.operation.name = name,
        error.type = Empty,
        otel.status_code = Empty,
    );
    let note = |span: &Span, done: &Result<T, StoreError>| {
        if done.is_err() {
            span.record("error.type", "store_error");
            span.record("otel.status_code", "ERROR");
        }
    };
    let panicked = || StoreError::failed("panicked");
    let begun = catch_unwind(AssertUnwindSafe(|| span.in_scope(run)));
    match begun.unwrap_or_else(|_| StoreFuture::error(panicked())).now() {
        Ok(done) => {
            note(&span, &done);
            done.map_or_else(StoreFuture::error, StoreFuture::ready)
        }
        Err(later) => {
            let noted = span.clone();
            StoreFuture::later(
                async move {
                    let done = AssertUnwindSafe(later).catch_unwind().await;
                    let done = done.unwrap_or_else(|_| Err(panicked()));
                    note(&noted, &done);
                    done
                }
                .instrument(span),
            )
        }
    }
}
