//! Metrics: what Prometheus reads at `/metrics`.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};
use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;

/// The type of what `/metrics` answers.
pub(crate) const MIME: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Counts of everything worth watching.
#[derive(Debug)]
pub(crate) struct Metrics {
    registry: Registry,
    calls: Family<CallLabels, Counter>,
    /// The calls that went well, by tool: nearly all, so they are found without building labels.
    well: RwLock<HashMap<Box<str>, Counter>>,
    took: Histogram,
    running: Gauge,
    buffered: Gauge,
    requests: Family<StatusLabel, Counter>,
    /// Those with status 200, which are nearly all.
    good: Counter,
    pub reloads: Counter,
    coerced: Family<ToolLabel, Counter>,
    pub store_errors: StoreErrors,
}

/// Failures of the store, by what it was asked to do.
#[derive(Clone, Debug, Default)]
pub(crate) struct StoreErrors(Family<OperationLabel, Counter>);

impl StoreErrors {
    pub(crate) fn count(&self, operation: &'static str) {
        self.0.get_or_create(&OperationLabel { operation }).inc();
    }
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct OperationLabel {
    operation: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct ToolLabel {
    tool: String,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct CallLabels {
    tool: String,
    outcome: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct StatusLabel {
    status: u16,
}

impl Default for Metrics {
    fn default() -> Self {
        let mut registry = Registry::with_prefix("widgetcast");
        let calls = Family::<CallLabels, Counter>::default();
        registry.register("tool_calls", "Tool calls, by tool and outcome", calls.clone());
        let took = Histogram::new([
            0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 30.0,
        ]);
        registry.register("tool_call_seconds", "How long tool calls take", took.clone());
        let running = Gauge::default();
        registry.register("requests_running", "Requests being answered", running.clone());
        let buffered = Gauge::default();
        let about = "Bytes of larger requests and responses that are held";
        registry.register("buffered_bytes", about, buffered.clone());
        let requests = Family::<StatusLabel, Counter>::default();
        registry.register("http_requests", "HTTP requests, by status", requests.clone());
        let reloads = Counter::default();
        registry.register("reloads", "Changes of files that were taken over", reloads.clone());
        let coerced = Family::<ToolLabel, Counter>::default();
        let about = "Calls whose arguments did not fit as they were sent, by tool";
        registry.register("arguments_coerced", about, coerced.clone());
        let store_errors = StoreErrors::default();
        let about = "What the store could not do, by operation";
        registry.register("store_errors", about, store_errors.0.clone());
        let good = requests.get_or_create_owned(&StatusLabel { status: 200 });
        let well = RwLock::default();
        Self {
            registry,
            calls,
            well,
            took,
            running,
            buffered,
            requests,
            good,
            reloads,
            coerced,
            store_errors,
        }
    }
}

/// See [`Metrics::run`].
pub(crate) struct Running<'m> {
    gauge: &'m Gauge,
    /// How many others run.
    pub others: i64,
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.gauge.dec();
    }
}

/// Bytes that count as held until this is dropped. See [`Metrics::hold`].
#[derive(Debug)]
pub(crate) struct Held {
    gauge: Gauge,
    bytes: i64,
    most: i64,
}

impl Held {
    /// Counts so many bytes more, or none if there would be too many then.
    #[must_use]
    pub(crate) fn grow(&mut self, bytes: usize) -> bool {
        let bytes = i64::try_from(bytes).unwrap_or(i64::MAX / 2);
        let fits = self.gauge.inc_by(bytes).saturating_add(bytes) <= self.most;
        match fits {
            true => self.bytes += bytes,
            false => _ = self.gauge.dec_by(bytes),
        }
        fits
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.gauge.dec_by(self.bytes);
    }
}

impl Metrics {
    /// Counts bytes that are held, of which all together there may be `most`.
    pub(crate) fn hold(&self, most: usize) -> Held {
        let most = most.try_into().unwrap_or(i64::MAX);
        Held { gauge: self.buffered.clone(), bytes: 0, most }
    }

    /// Counts a call. A name that is not a tool's must not come here: labels are kept for ever.
    pub(crate) fn call(&self, tool: &str, outcome: &'static str, took: Duration) {
        self.took.observe(took.as_secs_f64());
        let labels = || CallLabels { tool: tool.to_owned(), outcome };
        if outcome != "ok" {
            self.calls.get_or_create(&labels()).inc();
            return;
        }
        if let Some(counter) = self.well.read().unwrap_or_else(PoisonError::into_inner).get(tool) {
            counter.inc();
            return;
        }
        let counter = self.calls.get_or_create_owned(&labels());
        counter.inc();
        let mut well = self.well.write().unwrap_or_else(PoisonError::into_inner);
        well.insert(tool.into(), counter);
    }

    /// Counts a call whose arguments were read otherwise than they were sent.
    pub(crate) fn coerced(&self, tool: &str) {
        self.coerced.get_or_create(&ToolLabel { tool: tool.to_owned() }).inc();
    }

    /// Counts a request as running until what it gives back is dropped. The gate lets in by this
    /// count.
    pub(crate) fn run(&self) -> Running<'_> {
        Running { gauge: &self.running, others: self.running.inc() }
    }

    /// Counts an HTTP request.
    pub(crate) fn request(&self, status: u16) {
        match status {
            200 => self.good.inc(),
            status => self.requests.get_or_create(&StatusLabel { status }).inc(),
        };
    }

    /// All of it, as text.
    pub(crate) fn text(&self) -> String {
        let mut out = String::new();
        // Writing to a string does not fail.
        _ = encode(&mut out, &self.registry);
        out
    }
}
