//! Logging, the audit log, and export of traces.

use std::fs::OpenOptions;
use std::io::IsTerminal as _;
use std::path::Path;
use std::sync::Mutex;

use serde::Deserialize;
use tracing::Subscriber;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::outcome::Failure;
use crate::traces::{self, Exporting, TARGET as TRACE};

/// The target of the library's audit log.
const AUDIT: &str = "widgetcast::audit";

#[derive(Clone, Copy, Debug, Default, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum LogFormat {
    #[default]
    Human,
    Json,
}

/// What to log and to export.
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

impl Telemetry<'_> {
    /// Starts logging and exporting.
    pub(crate) fn start(&self) -> Result<Option<Exporting>, Failure> {
        let spans = self.otlp.map(|url| traces::layer(url, self.service)).transpose()?;
        let (spans, exporting) = spans.unzip();
        let audit = self.audit.then(|| audit(self.audit_file)).transpose()?;
        let log = log(self.log, self.format);
        // Fails if a subscriber is already set, which then stays.
        _ = tracing_subscriber::registry().with(log).with(audit).with(spans).try_init();
        Ok(exporting)
    }
}

/// The log, on stderr, because over stdio, stdout carries the protocol.
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
    // At each start, PostgreSQL reports that the tables exist.
    layer.with_filter(targets.with_target("sqlx::postgres::notice", level.min(LevelFilter::WARN)))
}

/// The audit log: one JSON object per line.
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
            // It contains the callers and what they do.
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            let file = options.open(path);
            let file = file.map_err(|error| format!("{}: {error}", path.display()))?;
            layer.with_writer(Mutex::new(file)).boxed()
        }
    };
    Ok(layer.with_filter(Targets::new().with_target(AUDIT, LevelFilter::INFO)))
}
