//! Charts: a bar for each category, a sparkline for each line or area.

use serde_json::Value;

use super::renderer::{Renderer, colour};
use super::text::{Align, Block, Colour, Line, Span, Style, clean, columns, wrap};
use crate::surface::node::{Plot, Series, plot};

/// Categories that are shown one by one; the others are only counted.
const CATEGORIES: usize = 40;
const STEPS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// Fills that tell series apart without colour.
const FILLS: [&str; 4] = ["█", "▓", "▒", "░"];
const HUES: [Colour; 6] =
    [Colour::Blue, Colour::Green, Colour::Magenta, Colour::Yellow, Colour::Cyan, Colour::Red];

impl Renderer<'_> {
    pub(super) fn chart(self, node: &Value, width: usize) -> Block {
        let plot = plot(node, usize::MAX);
        let is_bar = |series: &&(usize, &Series)| series.1.spec["type"] == "bar";
        let numbered: Vec<(usize, &Series)> = plot.series.iter().enumerate().collect();
        let bars: Vec<(usize, &Series)> = numbered.iter().filter(is_bar).copied().collect();
        let lines: Vec<(usize, &Series)> =
            numbered.iter().filter(|series| !is_bar(series)).copied().collect();
        let mut out = Block::new();
        if !bars.is_empty() {
            out.extend(self.bars(&plot, &bars, width));
        }
        if !lines.is_empty() {
            if !out.is_empty() {
                out.push(Line::default());
            }
            out.extend(self.sparklines(&plot, &lines, width));
        }
        out
    }

    fn ink(self, index: usize, series: &Series) -> Style {
        Style::fore(Some(colour(&series.spec["color"]).unwrap_or(HUES[index % HUES.len()])))
    }

    fn fill(self, index: usize) -> &'static str {
        if self.colour { FILLS[0] } else { FILLS[index % FILLS.len()] }
    }

    fn bars(self, plot: &Plot, series: &[(usize, &Series)], width: usize) -> Block {
        let bars = read_bars(plot, series);
        let name_room = bars.iter().map(|bar| columns(&bar.name)).max().unwrap_or(0);
        let name_room = name_room.min(width / 3).max(1);
        let figure_room = bars.iter().map(|bar| columns(&bar.figure)).max().unwrap_or(0);
        let figure_room = figure_room.min(width / 3);
        let room = width.saturating_sub(name_room + figure_room + 2).min(48);
        if room < 3 {
            return listed(plot, series, width);
        }
        let most = bars.iter().map(|bar| bar.total()).fold(0.0, f64::max);
        let length = |value: f64| {
            let part = if most > 0.0 { value / most } else { 0.0 };
            ((part * room as f64).round() as usize).max(usize::from(value > 0.0))
        };
        let mut out = Block::new();
        for bar in &bars {
            let mut filled = Line::default();
            let (mut sum, mut drawn) = (0.0, 0);
            for (index, series, value) in &bar.parts {
                sum += value;
                let until = length(sum).saturating_sub(drawn);
                drawn += until;
                filled.push(&self.fill(*index).repeat(until), &self.ink(*index, series));
            }
            // A long name takes lines of its own, so that the bar keeps its width.
            let mut lines = wrap(&[Span::new(&bar.name, Style::default())], name_room);
            let mut line = lines.pop().unwrap_or_default().fill(name_room, Align::Start);
            line.space(1);
            line.append(&filled);
            if columns(&bar.figure) <= figure_room {
                line.push(&format!(" {}", bar.figure), &Style::dim());
            }
            out.extend(lines);
            out.push(line);
        }
        if plot.labels.len() > CATEGORIES {
            let more = format!("… {} more", plot.labels.len() - CATEGORIES);
            out.extend(wrap(&[Span::new(&more, Style::dim())], width));
        }
        if series.len() > 1 {
            out.extend(self.legend(series, width));
        }
        out
    }

    fn legend(self, series: &[(usize, &Series)], width: usize) -> Block {
        let mut line: Vec<Span> = Vec::new();
        for (index, series) in series {
            let gap = if line.is_empty() { "" } else { "  " };
            line.push(Span::new(gap, Style::default()));
            line.push(Span::new(&format!("{}\u{a0}", self.fill(*index)), self.ink(*index, series)));
            line.push(Span::new(&format!("{} ", series.label), Style::default()));
        }
        wrap(&line, width)
    }

    fn sparklines(self, plot: &Plot, lines: &[(usize, &Series)], width: usize) -> Block {
        let label_room = lines.iter().map(|(_, s)| columns(&clean(&s.label))).max().unwrap_or(0);
        let ranges: Vec<(String, String)> = lines.iter().map(|(_, series)| range(series)).collect();
        let range_room =
            ranges.iter().map(|(low, high)| columns(low) + columns(high) + 5).max().unwrap_or(0);
        let is_wide = label_room + range_room + 12 <= width;
        let room = if is_wide { width - label_room - range_room - 2 } else { width };
        let points = plot.labels.len().max(1);
        let step = (room / points).clamp(1, 4);
        let drawn = (points * step).min(room);
        let mut out = Block::new();
        for ((index, series), (low, high)) in lines.iter().zip(&ranges) {
            let label = Span::new(&series.label, Style::default());
            let spark = Line::of(&sparkline(&series.values, drawn, step), self.ink(*index, series));
            let range = format!("min {low} max {high}");
            if is_wide {
                let mut line = Line::default();
                wrap(&[label], usize::MAX).iter().for_each(|part| line.append(part));
                line = line.fill(label_room, Align::Start);
                line.space(1);
                line.append(&spark);
                let range = format!(" {low} – {high}");
                line.push(&range, &Style::dim());
                out.push(line);
            } else {
                out.extend(wrap(&[label, Span::new(&format!(" {range}"), Style::dim())], width));
                out.push(spark);
            }
        }
        // The first and the last label of the axis, below the first and the last point.
        if let (Some(first), Some(last)) = (plot.labels.first(), plot.labels.last()) {
            let (first, last) = (clean(first), clean(last));
            let indent = if is_wide { label_room + 1 } else { 0 };
            let gap = drawn.saturating_sub(columns(&first) + columns(&last)).max(1);
            let mut axis = Line::default();
            axis.space(indent);
            axis.push(&format!("{first}{}{last}", " ".repeat(gap)), &Style::dim());
            if axis.width() <= width && points > 1 {
                out.push(axis);
            } else {
                out.extend(wrap(&[Span::new(&format!("{first} … {last}"), Style::dim())], width));
            }
        }
        out
    }
}

/// One bar: the series in it with their values, one after the other.
struct Bar<'p> {
    name: String,
    parts: Vec<(usize, &'p Series<'p>, f64)>,
    figure: String,
}

impl Bar<'_> {
    fn total(&self) -> f64 {
        self.parts.iter().map(|(_, _, value)| value).sum()
    }
}

/// The bars of a chart: one for each category if all series are stacked, else one for each series of
/// each category, the first of them with the category's name.
fn read_bars<'p>(plot: &Plot, series: &[(usize, &'p Series<'p>)]) -> Vec<Bar<'p>> {
    let stack = |series: &Series| series.spec["stack"].as_str().map(str::to_owned);
    let first = series.first().and_then(|(_, first)| stack(first));
    let is_stacked =
        series.len() > 1 && first.is_some() && series.iter().all(|(_, s)| stack(s) == first);
    let mut bars = Vec::new();
    for (at, label) in plot.labels.iter().enumerate().take(CATEGORIES) {
        let mut name = clean(label);
        let part = |(index, series): &(usize, &'p Series<'p>)| {
            (*index, *series, series.values[at].unwrap_or_default().max(0.0))
        };
        if is_stacked {
            let mut bar =
                Bar { name, parts: series.iter().map(part).collect(), figure: String::new() };
            bar.figure = number(bar.total());
            bars.push(bar);
            continue;
        }
        for one in series {
            let figure = clean(&one.1.texts[at]);
            bars.push(Bar { name: std::mem::take(&mut name), parts: vec![part(one)], figure });
        }
    }
    bars
}

/// The figures alone, where there is no room for bars.
fn listed(plot: &Plot, bars: &[(usize, &Series)], width: usize) -> Block {
    let points = plot.labels.iter().enumerate().take(CATEGORIES);
    let lines = points.flat_map(|(at, label)| {
        let figures =
            bars.iter().map(|(_, series)| format!("{} {}", series.label, series.texts[at]));
        let figures = figures.collect::<Vec<_>>().join(", ");
        wrap(&[Span::new(&format!("{label}: {figures}"), Style::default())], width)
    });
    lines.collect()
}

/// The smallest and the largest value, as they are written in the data.
fn range(series: &Series) -> (String, String) {
    let numbers = series.values.iter().zip(&series.texts).filter_map(|(v, t)| Some(((*v)?, t)));
    let low = numbers.clone().min_by(|a, b| a.0.total_cmp(&b.0));
    let high = numbers.max_by(|a, b| a.0.total_cmp(&b.0));
    let text = |found: Option<(f64, &String)>| found.map_or("–".to_owned(), |(_, t)| clean(t));
    (text(low), text(high))
}

/// One column or more for each point; where there are too many, the highest of each few.
fn sparkline(values: &[Option<f64>], width: usize, step: usize) -> String {
    let known = values.iter().flatten();
    let low = known.clone().copied().fold(f64::INFINITY, f64::min);
    let high = known.copied().fold(f64::NEG_INFINITY, f64::max);
    let columns = if step > 1 { values.len() } else { width.min(values.len()) };
    let bar = |column: usize| {
        let from = column * values.len() / columns.max(1);
        let to = ((column + 1) * values.len() / columns.max(1)).max(from + 1).min(values.len());
        let highest = values[from..to].iter().flatten().copied().fold(f64::NAN, f64::max);
        if highest.is_nan() {
            return ' ';
        }
        let part = if high > low { (highest - low) / (high - low) } else { 0.5 };
        STEPS[((part * 7.0).round() as usize).min(7)]
    };
    (0..columns).flat_map(|column| std::iter::repeat_n(bar(column), step)).collect()
}

fn number(value: f64) -> String {
    let rounded = (value * 100.0).round() / 100.0;
    rounded.to_string()
}
