//! Charts: a bar or a mark, and the value, for each point.

use widgetcast_engine::outline::{Chart, Hue, Series};
use widgetcast_engine::tree::Node;
use widgetcast_engine::words::Word;

use super::line::FILLS;
use super::printer::{Printer, one_line};
use super::text::{Colour, Lines, Run, Style, TextLine, columns, join, widest, wrap};

/// The points that are shown.
const POINTS: usize = 100;
/// The most columns of a bar.
const BAR: usize = 40;
/// Marks that tell lines apart without colour.
const MARKS: [&str; 4] = ["●", "○", "◆", "◇"];
/// Colours of series that have none.
const COLOURS: [Colour; 5] =
    [Colour::Blue, Colour::Green, Colour::Magenta, Colour::Yellow, Colour::Cyan];

/// What of a chart is not shown.
pub(super) fn lost(chart: &Chart<'_>) -> Option<String> {
    let more = chart.points().skip(POINTS).count();
    match chart.series().1 {
        0 if more == 0 => None,
        series => Some(format!("{more} points and {series} series of the chart are not shown")),
    }
}

/// The series of one bar: those of a stack, or a single one. Each has its index.
type Stack<'s, 't> = &'s [(usize, Series<'t>)];

impl<'t> Printer<'_, 't> {
    pub(super) fn chart(&self, chart: &Chart<'t>, width: usize) -> Lines {
        let (series, more_series) = chart.series();
        let points: Vec<Node<'t>> = chart.points().take(POINTS).collect();
        let note = |text: &str| wrap(&[Run::new(text, Style::dim())], width);
        if points.is_empty() {
            return note(self.words.get(Word::Empty));
        }
        let series: Vec<(usize, Series<'t>)> = series.into_iter().enumerate().collect();
        let is_one = |a: &Series<'t>, b: &Series<'t>| !a.stack.is_empty() && a.stack == b.stack;
        let stacks: Vec<Stack<'_, 't>> = series.chunk_by(|(_, a), (_, b)| is_one(a, b)).collect();
        let all = |is_line| stacks.iter().filter(move |stack| is_a_line(stack) == is_line);
        // Bars have one scale, which starts at zero; lines have another, between their ends.
        let scales = [false, true].map(|is_line| {
            let start = if is_line { f64::INFINITY } else { 0.0 };
            let sums =
                all(is_line).flat_map(|stack| points.iter().flat_map(|point| sums(stack, *point)));
            sums.fold([start, -start], |[low, high], sum| [low.min(sum), high.max(sum)])
        });
        let labels =
            points.iter().map(|point| Run::new(&one_line(chart.label(*point)), Style::default()));
        let labels: Vec<Run> = labels.collect();
        let label_room = labels.iter().map(|run| columns(&run.text)).max().unwrap_or_default();
        let label_room = label_room.min(width / 3).max(1);
        let rest = width.saturating_sub(label_room + 1).max(1);
        let rows =
            points.iter().flat_map(|point| stacks.iter().map(|stack| figures(stack, *point)));
        let figure_room = rows.map(|text| columns(&text)).max().unwrap_or_default();
        let room = rest.saturating_sub(figure_room + 1).min(BAR);
        let mut out = Lines::new();
        for (point, label) in points.iter().zip(&labels) {
            let rows = stacks.iter().flat_map(|stack| {
                // Where there is no room for bars, the figures are enough.
                let room = if room < 4 { 0 } else { room };
                let mut line = self.bar(stack, *point, scales[usize::from(is_a_line(stack))], room);
                line.push(if line.runs.is_empty() { "" } else { " " }, &Style::default());
                line.runs.push(Run::new(&figures(stack, *point), Style::dim()));
                wrap(&line.runs, rest)
            });
            let rows: Lines = rows.collect();
            let label = wrap(std::slice::from_ref(label), label_room);
            out.extend(join(&[(&label, label_room, false), (&rows, widest(&rows), false)], 1));
        }
        let more = [chart.points().count() - points.len(), more_series];
        for more in more.into_iter().filter(|more| *more > 0) {
            out.extend(note(&self.words.count(Word::More, more)));
        }
        let mut legend = TextLine::default();
        for (index, series) in &series {
            let gap = if legend.runs.is_empty() { "" } else { "\u{a0}\u{a0} " };
            legend.push(gap, &Style::default());
            legend.push(self.sign(*index, series), &ink(*index, series));
            legend
                .runs
                .push(Run::new(&format!("\u{a0}{}", one_line(series.label)), Style::default()));
        }
        out.extend(wrap(&legend.runs, width));
        out
    }

    /// The bar of a point, or of a line its place on the scale.
    fn bar(
        &self,
        stack: Stack<'_, 't>,
        point: Node<'t>,
        [low, high]: [f64; 2],
        room: usize,
    ) -> TextLine {
        // What is not a number after all is drawn at the start.
        let place = |value: f64, room: usize| {
            ((value - low) / (high - low) * room as f64).round().clamp(0.0, room as f64) as usize
        };
        let mut cells: Vec<Option<&(usize, Series<'t>)>> = vec![None; room];
        let mut before = 0.0;
        for (series, sum) in stack.iter().zip(sums(stack, point)).filter(|_| room > 0) {
            let mut range = place(f64::min(before, sum), room)..place(f64::max(before, sum), room);
            // A mark has one column, and a part is never too small to be seen.
            if is_a_line(stack) || (range.is_empty() && sum != before) {
                let at = place(sum, room - 1);
                range = at..at + 1;
            }
            cells[range].fill(Some(series));
            before = sum;
        }
        let end = cells.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        let mut line = TextLine::default();
        let index = |cell: &Option<&(usize, Series<'t>)>| cell.map(|(index, _)| *index);
        for same in cells[..end].chunk_by(|a, b| index(a) == index(b)) {
            let (sign, style) = match same[0] {
                Some((index, series)) => (self.sign(*index, series), ink(*index, series)),
                None => ("\u{a0}", Style::default()),
            };
            line.push(&sign.repeat(same.len()), &style);
        }
        line
    }

    fn sign(&self, index: usize, series: &Series<'t>) -> &'static str {
        let signs = if series.kind == "line" { MARKS } else { FILLS };
        signs[if self.colour { 0 } else { index % signs.len() }]
    }
}

fn is_a_line(stack: Stack<'_, '_>) -> bool {
    stack.iter().all(|(_, series)| series.kind == "line")
}

/// The sums of the values at a point up to each of the series.
fn sums<'s, 't>(stack: Stack<'s, 't>, point: Node<'t>) -> impl Iterator<Item = f64> + use<'s, 't> {
    let values = stack.iter().map(move |(_, series)| text(series, point).parse::<f64>().ok());
    values.scan(0.0, |sum, value| {
        *sum += value.filter(|value| value.is_finite()).unwrap_or_default();
        Some(*sum)
    })
}

fn figures<'t>(stack: Stack<'_, 't>, point: Node<'t>) -> String {
    let texts = stack.iter().map(|(_, series)| one_line(text(series, point)));
    texts.collect::<Vec<_>>().join(" + ")
}

fn text<'t>(series: &Series<'t>, point: Node<'t>) -> &'t str {
    point.column(series.column).map_or("", Node::scalar)
}

fn ink(index: usize, series: &Series<'_>) -> Style {
    let own = series.color.and_then(Hue::of).map(Colour::from);
    Style { fore: Some(own.unwrap_or(COLOURS[index % COLOURS.len()])), ..Style::default() }
}
