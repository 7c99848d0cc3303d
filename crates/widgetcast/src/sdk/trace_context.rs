//! The trace context of a request, as sent by the client.

use tracing::Span;

/// The W3C Trace Context that the client sent in `_meta` or in the headers. See
/// [`Builder::trace_parent`](crate::Builder::trace_parent).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TraceContext<'t> {
    /// `traceparent`, as it was sent.
    pub traceparent: &'t str,
    /// `tracestate`, as it was sent.
    pub tracestate: Option<&'t str>,
}

impl<'t> TraceContext<'t> {
    /// Reads the members with these names.
    pub(crate) fn read(get: impl Fn(&str) -> Option<&'t str>) -> Option<Self> {
        Some(Self { traceparent: get("traceparent")?, tracestate: get("tracestate") })
    }
}

/// Sets the parent of a span from a trace context.
pub(crate) type TraceLink = Box<dyn Fn(&Span, &TraceContext<'_>) + Send + Sync>;
