//! Tables, and charts as the tables of their data.

use super::Writer;
use super::line::{gap, push_text};
use crate::outline::{Cell, Chart, Table, is_mark, push_one_line};
use crate::tree::Node;
use crate::words::Word;

/// Maximum columns up to which rows are padded. Markdown does not need empty cells at the end of a row, and
/// one wide row would otherwise widen all others.
const FILLED: usize = 64;

impl<'t> Writer<'_, 't> {
    /// A table with a header; rows without one are list entries.
    pub(super) fn table(&mut self, table: &Table<'t>) {
        if table.head.is_empty() {
            let is_tall = |cell: &Cell<'t>| cell.item.lines.len() > 1;
            if table.rows.iter().flatten().all(is_tall) {
                return table.rows.iter().flatten().for_each(|cell| self.entry(&cell.item, false));
            }
            for row in &table.rows {
                self.bullet();
                let start = self.out.len();
                let mut before = start;
                for cell in row {
                    let end = self.out.len();
                    if end > start {
                        self.out.push_str(" · ");
                    }
                    let from = self.out.len();
                    self.cell(cell);
                    if self.out.len() == from {
                        self.out.truncate(end);
                    } else if end > start
                        && (is_mark(&self.out[before..end]) || is_mark(&self.out[from..]))
                    {
                        self.out.replace_range(end..from, " ");
                        before = end + 1;
                    } else {
                        before = from;
                    }
                }
                self.end_line(start);
            }
            return;
        }
        gap(&mut self.out);
        let columns = table.columns().min(FILLED);
        self.row(&table.head, columns);
        for is_end in table.ends().into_iter().take(columns) {
            self.out.push_str(if is_end { "| ---: " } else { "| --- " });
        }
        self.out.push_str("|\n");
        table.rows.iter().for_each(|row| self.row(row, columns));
        gap(&mut self.out);
        if table.rows.is_empty() {
            self.out.push_str(self.words.get(Word::Empty));
            self.out.push('\n');
        }
    }

    fn row(&mut self, row: &[Cell<'t>], columns: usize) {
        let mut filled = 0;
        for cell in row {
            // What is aligned to the end is in the last of the columns that it takes.
            let blanks = "| ".repeat(cell.span - 1);
            self.out.push_str(if cell.is_end { &blanks } else { "" });
            self.out.push_str("| ");
            let start = self.out.len();
            self.cell(cell);
            self.escape_cell(start);
            self.out.push(' ');
            self.out.push_str(if cell.is_end { "" } else { &blanks });
            filled += cell.span;
        }
        (filled..columns).for_each(|_| self.out.push_str("| "));
        self.out.push_str("|\n");
    }

    fn cell(&mut self, cell: &Cell<'t>) {
        let start = self.out.len();
        self.item_text(&cell.item, false);
        self.item_actions(&cell.item, start);
        if !cell.item.blocks.is_empty() {
            let mut inner = Writer::new(self.outline, self.words);
            inner.blocks(&cell.item.blocks);
            self.push_space(start);
            push_one_line(&inner.out, &mut self.out);
        }
    }

    /// Prevents a `|` in a cell from ending it.
    fn escape_cell(&mut self, start: usize) {
        if self.out[start..].contains('|') {
            let escaped = self.out[start..].replace('|', "\\|");
            self.out.truncate(start);
            self.out.push_str(&escaped);
        }
    }

    /// A chart as the table of its data.
    pub(super) fn chart(&mut self, chart: &Chart<'t>) {
        let (series, more) = chart.series();
        gap(&mut self.out);
        let cell = |writer: &mut Self, text: &str| {
            writer.out.push_str("| ");
            let start = writer.out.len();
            push_text(text, &mut writer.out);
            writer.escape_cell(start);
            writer.out.push(' ');
        };
        // The key of the axis in the data is not meant for users.
        cell(self, "");
        series.iter().for_each(|series| cell(self, series.label));
        if more > 0 {
            let more = self.words.count(Word::More, more);
            cell(self, &more);
        }
        self.out.push_str("|\n| --- ");
        series.iter().for_each(|_| self.out.push_str("| ---: "));
        self.out.push_str(if more > 0 { "| --- |\n" } else { "|\n" });
        let mut is_empty = true;
        for point in chart.points() {
            is_empty = false;
            cell(self, chart.label(point));
            for series in &series {
                cell(self, point.column(series.column).map_or("", Node::scalar));
            }
            self.out.push_str("|\n");
        }
        gap(&mut self.out);
        if is_empty {
            self.out.push_str(self.words.get(Word::Empty));
            self.out.push('\n');
        }
    }
}
