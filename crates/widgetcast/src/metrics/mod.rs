//! Metrics: what Prometheus reads at `/metrics`.

mod calls;

pub(crate) use calls::{CallOutcome, Calls, OTHER};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

/// The type of what `/metrics` answers.
pub(crate) const MIME: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Counts of everything worth watching.
#[derive(Debug)]
pub(crate) struct Metrics {
    registry: Registry,
    pub calls: Calls,
    running: Gauge,
    /// Streams of events that are open.
    pub streams: Gauge,
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
    /// What a store may be asked to do.
    const OPERATIONS: [&str; 4] = ["put", "get", "ids", "publish"];

    /// How many there were.
    pub(crate) fn total(&self) -> u64 {
        let of = |operation| self.0.get(&OperationLabel { operation }).map(|count| count.get());
        Self::OPERATIONS.into_iter().filter_map(of).sum()
    }

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
struct StatusLabel {
    status: u16,
}

impl Default for Metrics {
    fn default() -> Self {
        let mut registry = Registry::with_prefix("widgetcast");
        let calls = Calls::new(&mut registry);
        let running = Gauge::default();
        registry.register("requests_running", "Requests being answered", running.clone());
        let streams = Gauge::default();
        registry.register("streams_open", "Streams of events that are open", streams.clone());
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
        Self {
            registry,
            calls,
            running,
            streams,
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

    /// Counts a call whose arguments were read otherwise than they were sent.
    pub(crate) fn coerced(&self, tool: &str) {
        self.coerced.get_or_create(&ToolLabel { tool: tool.to_owned() }).inc();
    }

    /// Counts a request as running until what it gives back is dropped. The gate lets in by this
    /// count.
    pub(crate) fn run(&self) -> Running<'_> {
        Running { gauge: &self.running, others: self.running.inc() }
    }

    /// How many requests run.
    pub(crate) fn running(&self) -> i64 {
        self.running.get()
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
