//! Tables, and charts as bars.

use std::fmt::Write as _;

use widgetcast_engine::outline::{Cell, Chart, Lost, Series, Table};
use widgetcast_engine::tree::Node;
use widgetcast_engine::words::Word;

use super::color::shades;
use super::print::{FONT, Printer, SHORT, TABLE, THUMB, put};

/// The most bars of a chart.
const BARS: usize = 256;

impl<'t> Printer<'_, 't> {
    pub(super) fn table(&mut self, table: &Table<'t>) {
        let ends = table.ends();
        self.open_table(ends.len());
        if !table.head.is_empty() {
            put!(self, "<thead>");
            self.row(&table.head, "th", &ends, 1);
            put!(self, "</thead>");
        }
        put!(self, "<tbody>");
        table.rows.iter().enumerate().for_each(|(index, row)| self.row(row, "td", &ends, index));
        put!(self, "</tbody></table></div>");
        self.empty(table.rows.is_empty());
    }

    /// Opens a table that scrolls where it is wider than the card.
    pub(super) fn open_table(&mut self, columns: usize) {
        let size = if columns > 4 { 13 } else { 14 };
        put!(self, "<div style='overflow-x:auto'><table width='100%' cellpadding='6' ");
        put!(self, "cellspacing='0' border='0' style='{FONT}font-size:{size}px'>");
    }

    /// Opens a row; every second one is tinted. Cells get no styles: Gmail clips long messages.
    pub(super) fn open_row(&mut self, index: usize) {
        put!(self, "<tr valign='top'{}>", if index % 2 == 1 { "" } else { " bgcolor='#f6f7f9'" });
    }

    fn empty(&mut self, is_empty: bool) {
        self.small("div", if is_empty { self.words.get(Word::Empty) } else { "" });
    }

    fn row(&mut self, cells: &[Cell<'t>], tag: &str, ends: &[bool], index: usize) {
        self.open_row(index);
        let mut column = 0;
        for cell in cells {
            let is_end = cell.is_end || ends.get(column).is_some_and(|is_end| *is_end);
            let lines = [&cell.item.lines[..], &cell.item.trail].concat();
            let is_short = lines.iter().all(|line| self.length(*line) <= SHORT);
            put!(self, "<{tag} dir='auto'");
            if is_end || tag == "th" {
                put!(self, " align='{}'", if is_end { self.end } else { self.start });
            }
            if cell.span > 1 {
                put!(self, " colspan='{}'", cell.span);
            }
            put!(self, "{}>", if is_end && is_short { " nowrap" } else { "" });
            self.tile(&cell.item, if lines.len() > 1 { "div" } else { "" }, THUMB);
            put!(self, "</{tag}>");
            column += cell.span;
        }
        put!(self, "</tr>");
    }

    /// A chart: a bar for each value, on one scale from the least to the greatest, with zero on it.
    pub(super) fn chart(&mut self, chart: &Chart<'t>) {
        const HUES: [&str; 6] = ["blue", "orange", "green", "purple", "pink", "yellow"];
        let (series, more) = chart.series();
        // As many bars as fit into a message: each point has one for every series.
        let most_points = (BARS / series.len().max(1)).max(1);
        let cut = chart.points().skip(most_points).count();
        let fill = |(series, hue): (Series<'t>, &&str)| {
            let fill = shades(series.color.or(Some(hue)))[2];
            (series, fill)
        };
        let series: Vec<_> = series.into_iter().zip(HUES.iter().cycle()).map(fill).collect();
        put!(self, "<div dir='auto' style='font-size:13px'>");
        for (series, fill) in &series {
            put!(self, "<span style='color:{fill}'>■</span> ");
            self.text(series.label);
            put!(self, " &nbsp; ");
        }
        if more > 0 {
            put!(self, "{}", self.words.count(Word::More, more));
            let reason = format!("{more} series of the chart are not shown");
            self.lost.push(Lost::new(chart.node.index(), reason));
        }
        put!(self, "</div><{TABLE} style='{FONT}font-size:13px'>");
        // What is not in the data gets no bar.
        let values = |point: Node<'t>| {
            let value =
                move |(series, fill): &(Series<'t>, _)| Some((point.column(series.column)?, *fill));
            series.iter().filter_map(value).filter(|(value, _)| !value.scalar().is_empty())
        };
        let numbers = || chart.points().flat_map(values).filter_map(|(value, _)| value.number());
        let (least, most) = (numbers().fold(0.0, f64::min), numbers().fold(0.0, f64::max));
        let share = |number: f64| ((number - least) / (most - least).max(f64::MIN_POSITIVE)) as f32;
        for point in chart.points().take(most_points) {
            let count = values(point).count().max(1);
            put!(self, "<tr><td height='4'></td></tr><tr><td dir='auto' rowspan='{count}'>");
            self.text(chart.label(point));
            for (index, (value, fill)) in values(point).enumerate() {
                put!(self, "</td>{}<td width='70%'>", if index > 0 { "</tr><tr>" } else { "" });
                if let Some(number) = value.number() {
                    self.bar(&[([share(number.min(0.0)), share(number.max(0.0))], fill)]);
                }
                put!(self, "</td><td align='{}'>", self.end);
                self.text(value.scalar());
            }
            put!(self, "</td></tr>");
        }
        put!(self, "</table>");
        if cut > 0 {
            let text = self.words.count(Word::More, cut);
            put!(self, "<div>{text}</div>");
            let reason = format!("{cut} points of the chart are not shown");
            self.lost.push(Lost::new(chart.node.index(), reason));
        }
        self.empty(chart.points().next().is_none());
    }
}
