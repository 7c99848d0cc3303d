//! Charts: `data_visualization` within its limits, else the table of the data.

use std::collections::HashSet;

use widgetcast_engine::json::write_string;
use widgetcast_engine::outline::{Chart, Series};
use widgetcast_engine::tree::Node;
use widgetcast_engine::words::Word;

use super::mrkdwn::MARK;
use super::piece::{Piece, write_list};
use super::table::{Cell, Grid};
use super::writer::Writer;
use super::{limit, mrkdwn};

/// What of a chart Slack draws differently.
pub(super) fn lost(chart: &Chart<'_>) -> Option<String> {
    let (series, _) = chart.series();
    if kind(&series).is_none() {
        Some("the series are all drawn as lines: a chart in Slack has one kind".to_owned())
    } else if series.iter().any(|series| !series.stack.is_empty()) {
        Some("the stacked series are drawn side by side".to_owned())
    } else {
        None
    }
}

/// The kind that all series have.
fn kind(series: &[Series<'_>]) -> Option<&'static str> {
    let kind_of = |series: &Series<'_>| match series.kind {
        "line" => "line",
        "area" => "area",
        _ => "bar",
    };
    let first = series.first().map_or("bar", kind_of);
    series.iter().all(|series| kind_of(series) == first).then_some(first)
}

impl<'t> Writer<'_, 't> {
    pub(super) fn chart(&mut self, chart: &Chart<'t>) {
        let at = chart.node.index();
        self.pieces.see(at);
        let (series, more) = chart.series();
        let points: Vec<Node<'t>> = chart.points().collect();
        if series.is_empty() || points.is_empty() {
            let mut names: Vec<&str> = vec![chart.axis()];
            names.extend(series.iter().map(|series| series.label));
            names.retain(|name| !name.trim().is_empty());
            self.pieces.context(&mrkdwn::escape(&mrkdwn::clean(&names.join(MARK))));
            return self.pieces.context(self.words.get(Word::Empty));
        }
        if more > 0 {
            self.lose(at, format!("{more} series are not shown"));
        }
        let labels: Vec<String> =
            points.iter().map(|point| mrkdwn::clean(chart.label(*point))).collect();
        let names: Vec<String> = series.iter().map(|series| mrkdwn::clean(series.label)).collect();
        match self.misfit(&series, &points, &labels, &names) {
            None => self.draw(&series, &points, &labels, &names),
            Some(reason) => {
                self.lose(at, format!("shown as a table: {reason}"));
                self.data(chart, &series, &points, at);
            }
        }
        if more > 0 {
            self.pieces.context(&self.words.count(Word::More, more));
        }
    }

    /// Why Slack cannot draw a chart.
    fn misfit(
        &self,
        series: &[Series<'t>],
        points: &[Node<'t>],
        labels: &[String],
        names: &[String],
    ) -> Option<&'static str> {
        let is_label = |text: &String| (1..=limit::CHART_LABEL).contains(&limit::len(text));
        // The title has names in full that a legend has not.
        let shown: Vec<String> = match title(names) {
            Some(_) => names.iter().map(|name| short(name)).collect(),
            None => names.to_vec(),
        };
        let differ = |texts: &[String]| texts.iter().collect::<HashSet<_>>().len() == texts.len();
        let is_number =
            |series: &Series<'t>| points.iter().all(|point| number(*point, series).is_some());
        if self.charts == limit::CHARTS {
            Some("a Slack message has at most 2 charts")
        } else if series.len() > limit::SERIES {
            Some("a chart in Slack has at most 6 series")
        } else if points.len() > limit::POINTS {
            Some("a chart in Slack has at most 20 points")
        } else if !labels.iter().chain(&shown).all(is_label) {
            Some("a label in a chart in Slack has 1 to 20 characters")
        } else if !differ(labels) || !differ(&shown) {
            Some("the labels of a chart in Slack must be unique")
        } else if !series.iter().all(is_number) {
            Some("a chart in Slack needs a number at every point")
        } else {
            None
        }
    }

    fn draw(
        &mut self,
        series: &[Series<'t>],
        points: &[Node<'t>],
        labels: &[String],
        names: &[String],
    ) {
        self.charts += 1;
        let title = title(names);
        let title = title.as_deref().unwrap_or(self.words.get(Word::Chart));
        let names: Vec<String> = names.iter().map(|name| short(name)).collect();
        let mut json = String::from("{\"type\":\"data_visualization\",\"title\":");
        write_string(title, &mut json);
        json.push_str(",\"chart\":{\"type\":");
        write_string(kind(series).unwrap_or("line"), &mut json);
        json.push_str(",\"axis_config\":{\"categories\":");
        write_list(labels, &mut json, |label, out| write_string(label, out));
        json.push_str("},\"series\":");
        let named: Vec<_> = names.iter().zip(series).collect();
        write_list(&named, &mut json, |(name, series), out| {
            out.push_str("{\"name\":");
            write_string(name, out);
            out.push_str(",\"data\":");
            let data: Vec<_> = labels.iter().zip(points).collect();
            write_list(&data, out, |(label, point), out| {
                out.push_str("{\"label\":");
                write_string(label, out);
                out.push_str(",\"value\":");
                out.push_str(number(**point, series).unwrap_or("0"));
                out.push('}');
            });
            out.push('}');
        });
        json.push_str("}}");
        self.pieces.push(Piece::Json(json));
    }

    /// The data of a chart as a table.
    fn data(&mut self, chart: &Chart<'t>, series: &[Series<'t>], points: &[Node<'t>], at: u32) {
        let mut head = vec![Cell::new(chart.axis())];
        head.extend(series.iter().map(|series| Cell::new(series.label)));
        let rows = points.iter().map(|point| {
            let mut row = vec![Cell::new(chart.label(*point))];
            row.extend(
                series
                    .iter()
                    .map(|series| Cell::new(point.column(series.column).map_or("", Node::scalar))),
            );
            row
        });
        let rows = rows.collect();
        let ends = (0..head.len()).map(|column| column > 0).collect();
        self.grid(Grid { at, head, rows, ends });
    }
}

/// A title that names all series, if there is room.
fn title(names: &[String]) -> Option<String> {
    Some(names.join(MARK)).filter(|title| limit::len(title) <= limit::CHART_TITLE)
}

fn short(name: &str) -> String {
    limit::clamp(name, limit::CHART_LABEL).unwrap_or_else(|| name.to_owned())
}

/// The number of a series at a point, as JSON.
fn number<'t>(point: Node<'t>, series: &Series<'t>) -> Option<&'t str> {
    let value = point.column(series.column).filter(|value| value.number().is_some())?.scalar();
    value.parse::<serde_json::Number>().is_ok().then_some(value)
}
