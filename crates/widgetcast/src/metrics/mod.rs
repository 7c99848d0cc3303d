//! Prometheus metrics, served at `/metrics`.

mod calls;
mod kind;
#[cfg(not(feature = "metrics"))]
mod unread;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

pub(crate) use calls::{CallOutcome, Calls, OTHER};
pub(crate) use kind::Gauge;
use kind::{Counter, Family, Registry};
#[cfg(feature = "metrics")]
use prometheus_client::encoding::{EncodeLabelSet, text::encode};

/// The content type of `/metrics`.
pub(crate) const MIME: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// How long `/readyz` reports a store failure.
const RECENT: Duration = Duration::from_secs(60);

/// All metrics.
#[derive(Debug)]
pub(crate) struct Metrics {
    registry: Registry,
    pub calls: Calls,
    running: Gauge,
    /// Open event streams.
    pub streams: Gauge,
    buffered: Gauge,
    requests: Family<StatusLabel, Counter>,
    /// Requests with status 200, which are nearly all.
    good: Counter,
    pub reloads: Counter,
    coerced: Family<ToolLabel, Counter>,
    pub store_errors: StoreErrors,
    pub left_out: LeftOut,
}

/// Failures that did not fail the request, by part.
#[derive(Clone, Debug, Default)]
pub(crate) struct LeftOut(Family<PartLabel, Counter>);

impl LeftOut {
    pub(crate) fn count(&self, part: &'static str) {
        self.0.get_or_create(&PartLabel { part }).inc();
    }
}

#[derive(Clone, Debug, Hash, PartialEq, Eq)]
#[cfg_attr(feature = "metrics", derive(EncodeLabelSet))]
struct PartLabel {
    part: &'static str,
}

/// Store failures, by operation.
#[derive(Clone, Debug, Default)]
pub(crate) struct StoreErrors(Family<OperationLabel, Counter>, Arc<Mutex<Option<Instant>>>);

impl StoreErrors {
    /// The operations of a store.
    const OPERATIONS: [&str; 5] = ["put", "get", "ids", "publish", "chat"];

    /// The number of failures.
    pub(crate) fn total(&self) -> u64 {
        let of = |operation| self.0.get(&OperationLabel { operation }).map(|count| count.get());
        Self::OPERATIONS.into_iter().filter_map(of).sum()
    }

    pub(crate) fn count(&self, operation: &'static str) {
        self.0.get_or_create(&OperationLabel { operation }).inc();
        *self.1.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    /// Whether there was a failure within the last minute.
    pub(crate) fn are_recent(&self) -> bool {
        let last = *self.1.lock().unwrap_or_else(PoisonError::into_inner);
        last.is_some_and(|last| last.elapsed() < RECENT)
    }
}

#[derive(Clone, Debug, Hash, PartialEq, Eq)]
#[cfg_attr(feature = "metrics", derive(EncodeLabelSet))]
struct OperationLabel {
    operation: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq)]
#[cfg_attr(feature = "metrics", derive(EncodeLabelSet))]
struct ToolLabel {
    tool: String,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq)]
#[cfg_attr(feature = "metrics", derive(EncodeLabelSet))]
struct StatusLabel {
    status: u16,
}

impl Default for Metrics {
    fn default() -> Self {
        let mut registry = Registry::with_prefix("widgetcast");
        let calls = Calls::new(&mut registry);
        let running = Gauge::default();
        registry.register("requests_running", "Requests in flight", running.clone());
        let streams = Gauge::default();
        registry.register("streams_open", "Open event streams", streams.clone());
        let buffered = Gauge::default();
        let about = "Buffered bytes of larger requests and responses";
        registry.register("buffered_bytes", about, buffered.clone());
        let requests = Family::<StatusLabel, Counter>::default();
        registry.register("http_requests", "HTTP requests, by status", requests.clone());
        let reloads = Counter::default();
        registry.register("reloads", "File reloads", reloads.clone());
        let coerced = Family::<ToolLabel, Counter>::default();
        let about = "Calls whose arguments did not match the schema as sent, by tool";
        registry.register("arguments_coerced", about, coerced.clone());
        let store_errors = StoreErrors::default();
        let about = "Store errors, by operation";
        registry.register("store_errors", about, store_errors.0.clone());
        let left_out = LeftOut::default();
        let about = "Failures after the handler (views, listeners) that did not fail the call";
        registry.register("parts_failed", about, left_out.0.clone());
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
            left_out,
        }
    }
}

/// See [`Metrics::run`].
pub(crate) struct Running<'m> {
    gauge: &'m Gauge,
    /// The number of other running requests.
    pub others: i64,
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.gauge.dec();
    }
}

/// Bytes that count as buffered until this is dropped.
#[derive(Debug)]
pub struct Held {
    gauge: Gauge,
    bytes: i64,
    most: i64,
}

impl Held {
    /// Reserves further bytes, unless this would exceed the limit.
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

    /// Raises the reservation to `total` bytes, unless less would remain for all others: one sender gets at
    /// most half of what is free.
    #[must_use]
    pub fn share(&mut self, total: usize) -> bool {
        let total = i64::try_from(total).unwrap_or(i64::MAX / 2);
        let bytes = (total - self.bytes).max(0);
        let all = self.gauge.inc_by(bytes).saturating_add(bytes);
        let fits = total <= self.most.saturating_sub(all);
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
    /// Reserves buffered bytes, up to a total of `most`.
    pub(crate) fn hold(&self, most: usize) -> Held {
        let most = most.try_into().unwrap_or(i64::MAX);
        Held { gauge: self.buffered.clone(), bytes: 0, most }
    }

    /// Counts a call whose arguments were coerced.
    pub(crate) fn coerced(&self, tool: &str) {
        self.coerced.get_or_create(&ToolLabel { tool: tool.to_owned() }).inc();
    }

    /// Counts a request as running until the returned guard is dropped. The gate limits this number.
    pub(crate) fn run(&self) -> Running<'_> {
        Running { gauge: &self.running, others: self.running.inc() }
    }

    /// The number of running requests.
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

    /// All metrics as text.
    #[cfg(feature = "metrics")]
    pub(crate) fn text(&self) -> String {
        let mut out = String::new();
        // Writing to a string cannot fail.
        _ = encode(&mut out, &self.registry);
        out
    }
}

#[cfg(all(test, feature = "metrics"))]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::time::Duration;

    use super::*;

    /// The metric names and labels in the output of `/metrics`, or in a query.
    fn names(text: &str) -> BTreeMap<String, BTreeSet<String>> {
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let mut all: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (at, _) in text.match_indices("widgetcast_") {
            let rest = &text[at..];
            let (name, rest) = rest.split_at(rest.find(|c| !is_name(c)).unwrap_or(rest.len()));
            let labels = rest.strip_prefix('{').and_then(|rest| rest.split_once('}'));
            let labels = labels.map_or("", |(labels, _)| labels).split(',');
            let labels = labels.filter_map(|label| label.split_once(['=', '!']));
            let known = all.entry(name.to_owned()).or_default();
            known.extend(labels.map(|(label, _)| label.trim().to_owned()));
        }
        all
    }

    /// Every metric and label in the dashboard's queries is exported.
    #[test]
    fn the_dashboard_shows_what_is_exported() {
        let metrics = Metrics::default();
        metrics.calls.count(Some("t"), 0, CallOutcome::Ok, Duration::from_millis(1));
        metrics.coerced("t");
        metrics.store_errors.count("put");
        metrics.left_out.count("view");
        let text = metrics.text();
        let samples: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
        let exported = names(&samples.join("\n"));
        let path =
            std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/grafana.json");
        let dashboard: serde_json::Value =
            serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        let panels = dashboard["panels"].as_array().unwrap();
        let targets = panels.iter().flat_map(|panel| panel["targets"].as_array().unwrap());
        let queries: Vec<&str> = targets.map(|target| target["expr"].as_str().unwrap()).collect();
        let mut shown = BTreeSet::new();
        for query in queries {
            let grouped = query.split("by (").skip(1).filter_map(|rest| rest.split_once(')'));
            let grouped = grouped.flat_map(|(labels, _)| labels.split(", "));
            let grouped: Vec<&str> = grouped.collect();
            for (name, labels) in names(query) {
                let known = exported.get(&name).unwrap_or_else(|| panic!("{name}: {query}"));
                let labels = labels.iter().map(String::as_str).chain(grouped.iter().copied());
                for label in labels {
                    // Prometheus adds these two.
                    let is_known = known.contains(label) || ["job", "instance"].contains(&label);
                    assert!(is_known, "{label} of {name}: {query}");
                }
                shown.insert(name);
            }
        }
        // And every exported metric is in it, except the other series of a histogram.
        let others = ["_sum", "_count"];
        let left_out: Vec<_> = exported
            .keys()
            .filter(|name| !shown.contains(*name) && !others.iter().any(|end| name.ends_with(end)))
            .collect();
        assert!(left_out.is_empty(), "{left_out:?}");
    }
}
