//! Charts: axes, series and points.

use std::collections::HashSet;

use serde_json::Value;

use super::check::{Check, Members};
use crate::surface::slack::limit;

impl Check {
    pub(super) fn visualization(&mut self, block: &Members, path: &str) {
        self.charts += 1;
        self.string(block, "title", path, 1, limit::CHART_TITLE);
        let path = format!("{path}.chart");
        let Some(chart) = block.get("chart") else {
            return self.fault(path, "is required");
        };
        let Some((chart, kind)) = self.typed(chart, &path, "bar line area pie") else {
            return;
        };
        if kind == "pie" {
            let segments = self.list(chart, "segments", &path, 1, limit::SERIES);
            self.points(segments, &format!("{path}.segments"), None);
            return;
        }
        let axis_path = format!("{path}.axis_config");
        let Some(Value::Object(axis)) = chart.get("axis_config") else {
            return self.fault(axis_path, "is required");
        };
        let categories = self.list(axis, "categories", &axis_path, 1, limit::POINTS);
        let labels: Vec<&str> = categories.iter().filter_map(Value::as_str).collect();
        let unique = labels.iter().collect::<HashSet<_>>().len() == categories.len();
        if !unique || labels.iter().any(|l| l.is_empty() || limit::len(l) > limit::CHART_LABEL) {
            let rule = format!("unique labels of 1 to {} characters", limit::CHART_LABEL);
            self.fault(format!("{axis_path}.categories"), rule);
        }
        self.optional(axis, "x_label", &axis_path, limit::AXIS_LABEL);
        self.optional(axis, "y_label", &axis_path, limit::AXIS_LABEL);
        let mut names = HashSet::new();
        let all = self.list(chart, "series", &path, 1, limit::SERIES);
        for (index, series) in all.iter().enumerate() {
            let path = format!("{path}.series[{index}]");
            let Value::Object(series) = series else {
                self.fault(path, "must be an object");
                continue;
            };
            self.string(series, "name", &path, 1, limit::CHART_LABEL);
            if !names.insert(series.get("name")) {
                self.fault(format!("{path}.name"), "must be unique in the chart");
            }
            let data = self.list(series, "data", &path, 1, limit::POINTS);
            self.points(data, &format!("{path}.data"), Some(&labels));
        }
    }

    fn points(&mut self, points: &[Value], path: &str, labels: Option<&[&str]>) {
        for (index, point) in points.iter().enumerate() {
            let path = format!("{path}[{index}]");
            let Value::Object(point) = point else {
                self.fault(path, "must be an object");
                continue;
            };
            self.string(point, "label", &path, 1, limit::CHART_LABEL);
            if !point.get("value").is_some_and(Value::is_number) {
                self.fault(format!("{path}.value"), "must be a number");
            }
        }
        let given = points.iter().filter_map(|point| point["label"].as_str());
        if labels.is_some_and(|labels| !given.eq(labels.iter().copied())) {
            self.fault(path, "needs one point for each category, in their order");
        }
    }
}
