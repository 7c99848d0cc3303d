//! The figures: a list per name, with one figure per round.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::Path;

use serde_json::Value;

use crate::error::Result;

pub(crate) struct Results {
    figures: BTreeMap<String, Vec<f64>>,
    lines: File,
}

/// Median, least and greatest.
#[derive(Clone, Copy)]
pub(crate) struct Spread {
    pub median: f64,
    pub min: f64,
    pub max: f64,
}

impl Spread {
    pub(crate) fn of(values: &[f64]) -> Option<Self> {
        let mut values = values.to_vec();
        values.sort_by(f64::total_cmp);
        let middle = values.len() / 2;
        let median = match values.len() {
            0 => return None,
            count if count % 2 == 1 => values[middle],
            _ => f64::midpoint(values[middle - 1], values[middle]),
        };
        Some(Self { median, min: values[0], max: values[values.len() - 1] })
    }
}

impl std::fmt::Display for Spread {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} [{}..{}]", short(self.median), short(self.min), short(self.max))
    }
}

/// Three significant digits, which is the precision of the figures.
pub(crate) fn short(value: f64) -> String {
    match value.abs() {
        size if size >= 99.95 => format!("{value:.0}"),
        size if size >= 9.995 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

impl Results {
    pub(crate) fn new(file: &Path) -> Result<Self> {
        Ok(Self { figures: BTreeMap::new(), lines: File::create(file)? })
    }

    /// Keeps a figure under `what/variant/unit`.
    pub(crate) fn put(&mut self, what: &str, variant: &str, unit: &str, value: f64) {
        self.figures.entry(format!("{what}/{variant}/{unit}")).or_default().push(value);
    }

    /// Writes a line to the file of this run.
    pub(crate) fn line(&mut self, line: &Value) -> Result {
        Ok(writeln!(self.lines, "{line}")?)
    }

    pub(crate) fn get(&self, name: &str) -> &[f64] {
        self.figures.get(name).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn spread(&self, what: &str, variant: &str, unit: &str) -> Option<Spread> {
        Spread::of(self.get(&format!("{what}/{variant}/{unit}")))
    }

    /// The first divided by the second, round by round, which cancels what affects both.
    pub(crate) fn ratios(&self, over: &str, under: &str) -> Vec<f64> {
        self.get(over).iter().zip(self.get(under)).map(|(over, under)| over / under).collect()
    }
}
