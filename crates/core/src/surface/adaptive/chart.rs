//! Charts: the elements that Teams has for bars and for lines, with the table of the data for other hosts.

use widgetcast_engine::outline::{Chart, Hue, Series, push_one_line};
use widgetcast_engine::tree::Node;
use widgetcast_engine::words::Word;

use super::printer::Printer;
use super::table::COLUMNS;

impl<'t> Printer<'_, 't> {
    pub(super) fn chart(&mut self, chart: &Chart<'t>) {
        let at = chart.node.index();
        let (mut series, more) = chart.series();
        let all = more + series.len();
        series.truncate(COLUMNS - 1);
        if all > series.len() {
            self.lose(at, format!("only the first {} of {all} series are shown", series.len()));
        }
        let points: Vec<Node<'t>> = chart.points().collect();
        let shown = points.len().min(self.budget.rows);
        if shown == 0 || series.is_empty() {
            return self.note(self.words.get(Word::Empty));
        }
        let rows = rows(chart, &series, &points[..shown]);
        let is_line = |series: &Series<'t>| matches!(series.kind, "line" | "area");
        let (lines, bars): (Vec<usize>, Vec<usize>) =
            (0..series.len()).partition(|index| is_line(&series[*index]));
        let is_number = |value: &String| serde_json::from_str::<serde_json::Number>(value).is_ok();
        if !rows[1..].iter().all(|row| row[1..].iter().all(is_number)) {
            self.lose(at, "the chart has points without a value, so it is shown as a table");
            self.chart_table(&rows);
        } else {
            if !lines.is_empty() && !bars.is_empty() {
                self.lose(at, "bars and lines are drawn as two charts");
            }
            let start = self.out.len();
            for (indexes, kind) in [(bars, "Chart.VerticalBar.Grouped"), (lines, "Chart.Line")] {
                if !indexes.is_empty() && self.has_room() {
                    let is_first = self.out.len() == start;
                    self.below(start, "Medium");
                    self.plot(kind, &series, &indexes, &rows, is_first);
                }
            }
        }
        self.cut(at, Word::MoreRows, shown, points.len());
    }

    fn chart_table(&mut self, rows: &[Vec<String>]) {
        self.grid(
            rows,
            |column| column > 0,
            |printer, row, column, look| printer.plain(&rows[row][column], look),
        );
    }

    fn plot(
        &mut self,
        kind: &str,
        series: &[Series<'t>],
        indexes: &[usize],
        rows: &[Vec<String>],
        is_first: bool,
    ) {
        let mark = self.open(kind);
        if kind != "Chart.Line" {
            let stack = series[indexes[0]].stack;
            let is_stacked = indexes.iter().all(|index| series[*index].stack == stack);
            self.flag("stacked", !stack.is_empty() && is_stacked);
            // The length of a bar is meaningful only if it starts at zero.
            let is_below =
                |row: &Vec<String>| indexes.iter().any(|at| row[at + 1].starts_with('-'));
            if !rows[1..].iter().any(is_below) {
                self.raw("yMin", "0");
            }
        }
        self.items("data");
        for index in indexes {
            self.object();
            self.string("legend", &rows[0][index + 1]);
            if let Some(hue) = series[*index].color.and_then(Hue::of) {
                self.string("color", chart_color(hue));
            }
            self.items("values");
            for row in &rows[1..] {
                if !self.has_room() {
                    break;
                }
                self.object();
                self.string("x", &row[0]);
                self.raw("y", &row[index + 1]);
                self.close();
            }
            self.end();
        }
        self.out.push(']');
        if is_first {
            // The table has all series.
            self.fallback(mark);
            self.chart_table(rows);
        } else {
            self.drop_fallback();
        }
        self.close();
    }
}

/// The data as rows of texts, under the names of the series. The name of the axis is one of the data, which
/// no one wrote to be read.
fn rows<'t>(chart: &Chart<'t>, series: &[Series<'t>], points: &[Node<'t>]) -> Vec<Vec<String>> {
    let text = |text: &str| {
        let mut line = String::new();
        push_one_line(text, &mut line);
        line
    };
    let names = series.iter().map(|series| text(series.label));
    let mut rows = vec![std::iter::once(String::new()).chain(names).collect::<Vec<_>>()];
    for point in points {
        let value =
            |series: &Series<'t>| text(point.column(series.column).map_or("", Node::scalar));
        rows.push(
            std::iter::once(text(chart.label(*point))).chain(series.iter().map(value)).collect(),
        );
    }
    rows
}

fn chart_color(hue: Hue) -> &'static str {
    match hue {
        Hue::Blue => "categoricalBlue",
        Hue::Green => "categoricalGreen",
        Hue::Purple | Hue::Pink => "categoricalPurple",
        Hue::Yellow | Hue::Orange => "categoricalMarigold",
        Hue::Red => "categoricalRed",
    }
}
