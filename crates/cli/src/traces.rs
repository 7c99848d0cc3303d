//! Exports traces to an OpenTelemetry collector.

use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use opentelemetry::KeyValue;
use opentelemetry::propagation::{Extractor, TextMapPropagator as _};
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_http::{HttpClient, HttpError};
use opentelemetry_otlp::{SpanExporter, WithExportConfig as _, WithHttpConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing::Subscriber;
use tracing::level_filters::LevelFilter;
use tracing_opentelemetry::OpenTelemetrySpanExt as _;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::registry::LookupSpan;
use widgetcast::Builder;
use widgetcast::middleware::TraceContext;

use crate::outcome::Failure;

/// The target of the library's spans.
pub(crate) const TARGET: &str = "widgetcast::trace";
/// Timeout of the collector.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Exports the remaining spans on drop.
pub(crate) struct Exporting(SdkTracerProvider);

impl Drop for Exporting {
    fn drop(&mut self) {
        if let Err(error) = self.0.shutdown() {
            tracing::warn!("some spans were not exported: {error}");
        }
    }
}

/// Exports spans to the collector at this URL, as a service with this name and version.
pub(crate) fn layer<S>(
    url: &str,
    service: (&str, &str),
) -> Result<(impl Layer<S> + use<S>, Exporting), Failure>
where
    S: Subscriber + for<'s> LookupSpan<'s>,
{
    let provider = provider(url, service)?;
    let layer = tracing_opentelemetry::layer()
        .with_location(false)
        .with_threads(false)
        .with_target(false)
        .with_level(false)
        .with_tracked_inactivity(false);
    let layer = layer.with_tracer(provider.tracer("widgetcast"));
    let layer = layer.with_filter(Targets::new().with_target(TARGET, LevelFilter::DEBUG));
    Ok((layer, Exporting(provider)))
}

/// Sends spans to a collector in batches, on a separate thread.
fn provider(url: &str, (name, version): (&str, &str)) -> Result<SdkTracerProvider, Failure> {
    let agent = ureq::Agent::config_builder()
        .timeout_global(Some(TIMEOUT))
        .http_status_as_error(false)
        .max_redirects(0)
        .max_redirects_will_error(false);
    let exporter = SpanExporter::builder()
        .with_http()
        .with_http_client(Client(agent.build().new_agent()))
        .with_endpoint(format!("{}/v1/traces", url.trim_end_matches('/')))
        .build()
        .map_err(|error| format!("--otlp {url}: {error}"))?;
    let mut resource =
        Resource::builder().with_attribute(KeyValue::new("service.version", version.to_owned()));
    if std::env::var_os("OTEL_SERVICE_NAME").is_none() {
        resource = resource.with_service_name(name.to_owned());
    }
    let provider = SdkTracerProvider::builder().with_batch_exporter(exporter);
    Ok(provider.with_resource(resource.build()).build())
}

/// Requests to a collector. They block the exporter's own thread.
#[derive(Debug)]
struct Client(ureq::Agent);

#[async_trait::async_trait]
impl HttpClient for Client {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let (parts, mut body) = self.0.run(request.map(|body| body.to_vec()))?.into_parts();
        Ok(Response::from_parts(parts, body.read_to_vec()?.into()))
    }
}

/// Connects the spans of an app to the traces of its clients.
pub(crate) fn follow_traces(app: Builder) -> Builder {
    let propagator = TraceContextPropagator::new();
    app.trace_parent(move |span, context| {
        // Fails for a span that no one exports.
        _ = span.set_parent(propagator.extract(&Carrier(*context)));
    })
}

struct Carrier<'c>(TraceContext<'c>);

impl Extractor for Carrier<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        match key {
            "traceparent" => Some(self.0.traceparent),
            "tracestate" => self.0.tracestate,
            _ => None,
        }
    }

    fn keys(&self) -> Vec<&str> {
        vec!["traceparent", "tracestate"]
    }
}
