//! What others see of a server: its log, the audit log, and traces for a collector of OpenTelemetry.

use std::fs::OpenOptions;
use std::io::IsTerminal as _;
use std::path::Path;
use std::sync::Mutex;
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
use serde::Deserialize;
use tracing::Subscriber;
use tracing::level_filters::LevelFilter;
use tracing_opentelemetry::OpenTelemetrySpanExt as _;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt as _;
use widgetcast::Builder;
use widgetcast::middleware::TraceContext;

use crate::outcome::Failure;

/// The targets of the library's audit log and of its spans.
const AUDIT: &str = "widgetcast::audit";
const TRACE: &str = "widgetcast::trace";
/// How long a collector may take.
const TIMEOUT: Duration = Duration::from_secs(10);

#[derive(Clone, Copy, Debug, Default, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum LogFormat {
    #[default]
    Human,
    Json,
}

/// What is to be seen.
pub(crate) struct Telemetry<'t> {
    pub log: LevelFilter,
    pub format: LogFormat,
    pub audit: bool,
    /// Instead of stderr.
    pub audit_file: Option<&'t Path>,
    /// The address of a collector.
    pub otlp: Option<&'t str>,
    /// What the server calls itself, and its version.
    pub service: (&'t str, &'t str),
}

/// Sends what is left when it is dropped.
pub(crate) struct Exporting(Option<SdkTracerProvider>);

impl Drop for Exporting {
    fn drop(&mut self) {
        if let Some(provider) = self.0.take()
            && let Err(error) = provider.shutdown()
        {
            tracing::warn!("some spans were not exported: {error}");
        }
    }
}

impl Telemetry<'_> {
    /// Begins to log and to export.
    pub(crate) fn start(&self) -> Result<Exporting, Failure> {
        let provider = self.otlp.map(|url| provider(url, self.service)).transpose()?;
        let spans = provider.as_ref().map(|provider| {
            let layer = tracing_opentelemetry::layer()
                .with_location(false)
                .with_threads(false)
                .with_target(false)
                .with_level(false)
                .with_tracked_inactivity(false);
            let layer = layer.with_tracer(provider.tracer("widgetcast"));
            layer.with_filter(Targets::new().with_target(TRACE, LevelFilter::DEBUG))
        });
        let audit = self.audit.then(|| audit(self.audit_file)).transpose()?;
        let log = log(self.log, self.format);
        // Fails if a subscriber is set already, which then stays.
        _ = tracing_subscriber::registry().with(log).with(audit).with(spans).try_init();
        Ok(Exporting(provider))
    }
}

/// The log, on standard error, since standard output carries the protocol over stdio.
fn log<S>(level: LevelFilter, format: LogFormat) -> impl Layer<S>
where
    S: Subscriber + for<'s> LookupSpan<'s>,
{
    let layer = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    let layer = match format {
        LogFormat::Json => layer.json().flatten_event(true).boxed(),
        LogFormat::Human => layer
            .with_ansi(std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none())
            .with_target(false)
            .boxed(),
    };
    let off = LevelFilter::OFF;
    let targets =
        Targets::new().with_default(level).with_target(AUDIT, off).with_target(TRACE, off);
    // PostgreSQL reports at each start that the tables are there already.
    layer.with_filter(targets.with_target("sqlx::postgres::notice", level.min(LevelFilter::WARN)))
}

/// The audit log: one JSON object a line.
fn audit<S>(file: Option<&Path>) -> Result<impl Layer<S> + use<S>, Failure>
where
    S: Subscriber + for<'s> LookupSpan<'s>,
{
    let layer = tracing_subscriber::fmt::layer().json().flatten_event(true);
    let layer = layer.with_current_span(false).with_span_list(false);
    let layer = match file {
        None => layer.with_writer(std::io::stderr).boxed(),
        Some(path) => {
            let mut options = OpenOptions::new();
            options.create(true).append(true);
            // It says who does what.
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            let file = options.open(path);
            let file = file.map_err(|error| format!("{}: {error}", path.display()))?;
            layer.with_writer(Mutex::new(file)).boxed()
        }
    };
    Ok(layer.with_filter(Targets::new().with_target(AUDIT, LevelFilter::INFO)))
}

/// Sends spans to a collector, in batches and on a thread of its own.
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

/// Requests to a collector. They block: the exporter has a thread of its own.
#[derive(Debug)]
struct Client(ureq::Agent);

#[async_trait::async_trait]
impl HttpClient for Client {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let (parts, mut body) = self.0.run(request.map(|body| body.to_vec()))?.into_parts();
        Ok(Response::from_parts(parts, body.read_to_vec()?.into()))
    }
}

/// Makes the spans of an app parts of the traces that its clients have begun.
pub(crate) fn follow_traces(app: Builder) -> Builder {
    let propagator = TraceContextPropagator::new();
    app.trace_parent(move |span, context| {
        // Fails for a span that nobody exports.
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
