//! Counts and durations of tool calls, with bounded labels.

use std::collections::HashMap;
use std::sync::{OnceLock, PoisonError, RwLock};
use std::time::Duration;

#[cfg(feature = "metrics")]
use prometheus_client::encoding::EncodeLabelSet;
use widgetcast_core::SURFACES;

use super::ToolLabel;
use super::kind::{Counter, Family, Histogram, Registry};

/// Maximum tools with their own label; later ones are counted together.
const MAX_TOOLS: usize = 500;
/// The label of all further tools, and of unknown names.
pub(crate) const OTHER: &str = "other";
const BUCKETS: [f64; 13] =
    [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 30.0];

/// The outcome of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CallOutcome {
    Ok,
    Error,
    /// It ended with input requests for its client.
    InputRequired,
    /// Its caller disconnected.
    Cancelled,
    /// It was not authorized, or the request contradicts itself.
    Refused,
    /// A quota was exceeded.
    Limited,
    /// The tool does not exist.
    Unknown,
}

impl CallOutcome {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Error => "error",
            Self::InputRequired => "input_required",
            Self::Cancelled => "cancelled",
            Self::Refused => "refused",
            Self::Limited => "limited",
            Self::Unknown => "unknown",
        }
    }
}

#[derive(Clone, Debug, Hash, PartialEq, Eq)]
#[cfg_attr(feature = "metrics", derive(EncodeLabelSet))]
struct CallLabels {
    tool: String,
    surface: &'static str,
    outcome: &'static str,
}

/// See the module docs.
#[derive(Debug)]
pub(crate) struct Calls {
    counts: Family<CallLabels, Counter>,
    seconds: Family<ToolLabel, Histogram, fn() -> Histogram>,
    /// The counters of each tool, so that a successful call is counted without building labels.
    tools: RwLock<HashMap<Box<str>, OneTool>>,
    others: OneTool,
}

#[derive(Debug)]
struct OneTool {
    seconds: Histogram,
    /// Successful calls by surface, which are nearly all.
    well: [OnceLock<Counter>; SURFACES.len()],
}

impl Calls {
    pub(super) fn new(registry: &mut Registry) -> Self {
        let counts = Family::default();
        let about = "Tool calls, by tool, surface and outcome";
        registry.register("tool_calls", about, counts.clone());
        let seconds: Family<_, _, fn() -> Histogram> =
            Family::new_with_constructor(|| Histogram::new(BUCKETS));
        registry.register("tool_call_seconds", "How long tool calls take", seconds.clone());
        let others = one_tool(&seconds, OTHER);
        Self { counts, seconds, tools: RwLock::default(), others }
    }

    /// Counts a call for a surface. A call of an unknown tool has no name.
    pub(crate) fn count(
        &self,
        tool: Option<&str>,
        surface: usize,
        outcome: CallOutcome,
        took: Duration,
    ) {
        let Some(name) = tool else {
            return self.count_one(&self.others, OTHER, surface, outcome, took);
        };
        let tools = self.tools.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(one) = tools.get(name) {
            return self.count_one(one, name, surface, outcome, took);
        }
        let is_full = tools.len() >= MAX_TOOLS;
        drop(tools);
        if is_full {
            return self.count_one(&self.others, OTHER, surface, outcome, took);
        }
        let mut tools = self.tools.write().unwrap_or_else(PoisonError::into_inner);
        let one = tools.entry(name.into()).or_insert_with(|| one_tool(&self.seconds, name));
        self.count_one(one, name, surface, outcome, took);
    }

    fn count_one(
        &self,
        one: &OneTool,
        tool: &str,
        surface: usize,
        outcome: CallOutcome,
        took: Duration,
    ) {
        one.seconds.observe(took.as_secs_f64());
        let counter = || {
            let surface = SURFACES.get(surface).map_or(OTHER, |surface| surface.name);
            let labels = CallLabels { tool: tool.to_owned(), surface, outcome: outcome.name() };
            self.counts.get_or_create_owned(&labels)
        };
        match one.well.get(surface).filter(|_| outcome == CallOutcome::Ok) {
            Some(known) => known.get_or_init(counter).inc(),
            None => counter().inc(),
        };
    }
}

fn one_tool(seconds: &Family<ToolLabel, Histogram, fn() -> Histogram>, name: &str) -> OneTool {
    let seconds = seconds.get_or_create_owned(&ToolLabel { tool: name.to_owned() });
    OneTool { seconds, well: Default::default() }
}

#[cfg(all(test, feature = "metrics"))]
mod tests {
    use super::*;
    use crate::metrics::Metrics;

    /// However many tools are called, the output is bounded.
    #[test]
    fn tools_beyond_the_most_are_counted_together() {
        let metrics = Metrics::default();
        let lines = || metrics.text().lines().count();
        let count = |tool: usize| {
            let name = format!("t{tool}");
            metrics.calls.count(Some(&name), 0, CallOutcome::Ok, Duration::from_millis(1));
        };
        (0..MAX_TOOLS).for_each(count);
        let before = lines();
        (MAX_TOOLS..2 * MAX_TOOLS).for_each(count);
        // Plus the line of `other`.
        assert_eq!(lines(), before + 1);
        let text = metrics.text();
        let others = format!(
            "widgetcast_tool_calls_total{{tool=\"other\",surface=\"text\",outcome=\"ok\"}} {MAX_TOOLS}"
        );
        assert!(text.contains(&others), "{text}");
        assert!(text.contains("tool=\"t0\"") && !text.contains(&format!("\"t{MAX_TOOLS}\"")));
    }

    #[test]
    fn every_outcome_has_its_label() {
        use CallOutcome::*;
        let metrics = Metrics::default();
        for outcome in [Ok, Error, InputRequired, Cancelled, Refused, Limited, Unknown] {
            metrics.calls.count(Some("t"), 1, outcome, Duration::from_micros(300));
            metrics.calls.count(None, 1, outcome, Duration::from_micros(300));
            for tool in ["t", OTHER] {
                let line = format!(
                    "widgetcast_tool_calls_total{{tool=\"{tool}\",surface=\"terminal\",outcome=\"{}\"}} 1",
                    outcome.name()
                );
                assert!(metrics.text().contains(&line), "{line}");
            }
        }
        let bucket = "widgetcast_tool_call_seconds_bucket{le=\"0.0005\",tool=\"t\"} 7";
        assert!(metrics.text().contains(bucket), "{}", metrics.text());
    }
}
