//! Charts: a bar for each category, a sparkline for each line or area.

use serde_json::Value;

use super::renderer::{Renderer, colour};
use super::text::{Align, Block, Colour, Line, Span, Style, clean, columns, wrap};
use crate::surface::node::{Plot, Series, plot};

/// Categories drawn one by one; more would scroll the rest away, so the tail is counted instead.
const CATEGORIES: usize = 40;
const STEPS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// Fills that tell series apart without colour.
const FILLS: [&str; 4] = ["█", "▓", "▒", "░"];
const HUES: [Colour; 6] =
    [Colour::Blue, Colour::Green, Colour::Magenta, Colour::Yellow, Colour::Cyan, Colour::Red];

impl Renderer {
    pub(super) fn chart(self, node: &Value, width: usize) -> Block {
        let plot = plot(node);
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

    fn bars(self, plot: &Plot, bars: &[(usize, &Series)], width: usize) -> Block {
        let stack = |series: &Series| series.spec["stack"].as_str().map(str::to_owned);
        let first = stack(bars[0].1);
        let is_stacked =
            bars.len() > 1 && first.is_some() && bars.iter().all(|(_, s)| stack(s) == first);
        let shown = plot.labels.len().min(CATEGORIES);
        let value = |series: &Series, at: usize| series.values[at].unwrap_or_default().max(0.0);
        let total = |at: usize| bars.iter().map(|(_, series)| value(series, at)).sum::<f64>();
        let most = (0..shown)
            .flat_map(|at| {
                bars.iter().map(move |(_, s)| if is_stacked { total(at) } else { value(s, at) })
            })
            .fold(0.0, f64::max);
        let figures = |at: usize| match is_stacked {
            true => number(total(at)),
            false => String::new(),
        };
        let texts = bars.iter().flat_map(|(_, s)| s.texts.iter().take(shown));
        let figure_room = (0..shown).map(|at| columns(&figures(at)));
        let figure_room = figure_room.chain(texts.map(|t| columns(&clean(t)))).max().unwrap_or(0);
        let names: Vec<String> = plot.labels.iter().map(|label| clean(label)).collect();
        let name_room = names.iter().take(shown).map(|n| columns(n)).max().unwrap_or(0);
        let name_room = name_room.min(width / 3).max(1);
        let figure_room = figure_room.min(width / 3);
        let room = width.saturating_sub(name_room + figure_room + 2).min(48);
        if room < 3 {
            return listed(plot, bars, width);
        }
        let length = |value: f64| {
            let part = if most > 0.0 { value / most } else { 0.0 };
            ((part * room as f64).round() as usize).max(usize::from(value > 0.0 && room > 0))
        };
        let mut out = Block::new();
        for at in 0..shown {
            let rows = if is_stacked { 1 } else { bars.len() };
            for row in 0..rows {
                let name = if row == 0 { names[at].as_str() } else { "" };
                let mut bar = Line::default();
                let text = if is_stacked {
                    let mut sum = 0.0;
                    for (index, series) in bars {
                        sum += value(series, at);
                        let until = length(sum).saturating_sub(bar.width());
                        bar.push(&self.fill(*index).repeat(until), &self.ink(*index, series));
                    }
                    figures(at)
                } else {
                    let (index, series) = bars[row];
                    let until = length(value(series, at));
                    bar.push(&self.fill(index).repeat(until), &self.ink(index, series));
                    clean(&series.texts[at])
                };
                // A long name or figure takes lines of its own rather than the bar's place.
                let names = wrap(&[Span::new(name, Style::default())], name_room);
                let mut line = Line::default();
                let (last, above) = match names.split_last() {
                    Some((last, above)) => (last.clone(), above),
                    None => (Line::default(), &[][..]),
                };
                out.extend(above.iter().cloned());
                line.append(&last.fill(name_room, Align::Start));
                line.space(1);
                line.append(&bar);
                if columns(&text) <= figure_room {
                    line.push(&format!(" {text}"), &Style::dim());
                }
                out.push(line);
            }
        }
        if plot.labels.len() > shown {
            let more = format!("… {} more", plot.labels.len() - shown);
            out.extend(wrap(&[Span::new(&more, Style::dim())], width));
        }
        if bars.len() > 1 {
            out.extend(self.legend(bars, width));
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
        // The first and the last place on the axis, under the first and the last point.
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

/// No room for bars: the figures alone.
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
