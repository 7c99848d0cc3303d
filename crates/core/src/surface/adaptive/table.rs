//! Tables. Their columns are as wide as their contents need, so that no number wraps on a phone.

use widgetcast_engine::outline::{Cell, Table};
use widgetcast_engine::words::Word;

use super::across::width_of_actions;
use super::line::{Look, Row, ground, is_shown, letters};
use super::printer::Printer;

/// The most columns of a table: one wide row would else widen all others.
pub(super) const COLUMNS: usize = 50;
/// The width of a table on a phone, of a letter, of a small letter, and of the padding of a cell, in pixels.
const WIDTH: usize = 288;
const LETTER: usize = 8;
const SMALL: usize = 7;
const AROUND: usize = 12;
/// The letters beyond which a text is long anyway.
const LONG: usize = 24;

/// What is known of a column: the letters of its longest word and of its longest text.
#[derive(Clone, Copy, Default)]
struct Width {
    word: usize,
    text: usize,
    /// Whether it is aligned to the end, as figures are.
    is_end: bool,
}

impl Width {
    fn add(&mut self, [word, text]: [usize; 2]) {
        self.word = self.word.max(word);
        self.text = self.text.max(text).max(word);
    }

    /// The pixels that it needs so that nothing breaks: a figure is one word.
    fn least(&self, letter: usize) -> usize {
        (if self.is_end { self.text } else { self.word }).clamp(2, LONG) * letter + AROUND
    }
}

impl<'p, 't> Printer<'p, 't> {
    pub(super) fn table(&mut self, table: &Table<'t>) {
        let all = table.columns();
        let mut widths: Vec<Width> = table
            .ends()
            .into_iter()
            .take(COLUMNS)
            .map(|is_end| Width { is_end, ..Width::default() })
            .collect();
        if widths.is_empty() {
            return self.note(self.words.get(Word::Empty));
        }
        if all > COLUMNS {
            self.lose(table.at, format!("only the first {COLUMNS} of {all} columns are shown"));
        }
        let rows = std::iter::once(&table.head).chain(table.rows.iter().take(self.budget.rows));
        rows.for_each(|row| self.measure(row, &mut widths));
        let is_dense = self.open_table(&widths, !table.head.is_empty());
        if !table.head.is_empty() {
            self.row(&table.head, &widths, is_dense);
        }
        let shown = self.each(&table.rows, |printer, _, row| printer.row(row, &widths, is_dense));
        self.end();
        self.cut(table.at, Word::MoreRows, shown, table.rows.len());
        if table.rows.is_empty() {
            self.below(0, "Small");
            self.note(self.words.get(Word::Empty));
        }
    }

    fn measure(&self, row: &[Cell<'t>], widths: &mut [Width]) {
        let mut column = 0;
        for cell in row {
            // A cell that spans columns does not count for any of them.
            if let Some(width) = widths.get_mut(column).filter(|_| cell.span == 1) {
                let lines = cell.item.lines.iter().chain(&cell.item.trail);
                lines.for_each(|line| width.add(Row::of(self.outline, *line).letters()));
                width.add([width_of_actions(&cell.item.actions), 0]);
                let picture = cell.item.picture.and_then(|picture| picture.width).unwrap_or(0.0);
                width.add([picture.clamp(0.0, 120.0) as usize / LETTER, 0]);
            }
            column += cell.span;
        }
    }

    /// Opens a table and its rows; returns whether its text must be small. Columns of numbers have their
    /// natural width, and the others share the rest by their longest text, but none gets less than its
    /// longest word. If that is too wide, all columns share the table by what cannot wrap.
    fn open_table(&mut self, widths: &[Width], has_head: bool) -> bool {
        let needed = |letter: usize| widths.iter().map(|width| width.least(letter)).sum::<usize>();
        let is_dense = needed(LETTER) > WIDTH;
        let letter = if is_dense { SMALL } else { LETTER };
        let fits = needed(letter) <= WIDTH;
        let figures: usize =
            widths.iter().filter(|width| width.is_end).map(|width| width.least(letter)).sum();
        // Half of a phone is enough for all others.
        let is_fixed = fits || figures * 2 <= WIDTH + 4 * AROUND;
        self.open("Table");
        self.raw("firstRowAsHeaders", if has_head { "true" } else { "false" });
        self.raw("showGridLines", "false");
        self.items("columns");
        for width in widths {
            self.object();
            let least = width.least(letter);
            let wanted = width.text.clamp(2, LONG) * letter + AROUND;
            match width.is_end {
                true if is_fixed => self.string("width", &format!("{least}px")),
                _ => self.raw("width", &if fits { wanted.max(least) } else { least }.to_string()),
            }
            self.close();
        }
        self.out.push(']');
        self.items("rows");
        is_dense
    }

    fn row(&mut self, row: &[Cell<'t>], widths: &[Width], is_dense: bool) {
        // A row of mere strokes would be a gap.
        let is_seen = |cell: &Cell<'t>| {
            let item = &cell.item;
            let mut lines = item.lines.iter().chain(&item.trail);
            item.picture.is_some()
                || !item.blocks.is_empty()
                || !item.actions.is_empty()
                || lines.any(|line| self.outline.spans(*line).iter().any(is_shown))
        };
        if !row.iter().any(is_seen) {
            return;
        }
        let has_button = row.iter().any(|cell| !cell.item.actions.is_empty());
        let name = if has_button { self.outline.row_name(row) } else { String::new() };
        self.open("TableRow");
        self.items("cells");
        let mut column = 0;
        for cell in row {
            let last = (column + cell.span).min(widths.len());
            // A cell that spans columns is in the widest of them.
            let place = (column..last).rev().max_by_key(|at| widths[*at].text.min(LONG));
            for (at, width) in widths.iter().enumerate().take(last).skip(column) {
                self.open("TableCell");
                if Some(at) == place {
                    let is_end = cell.is_end || width.is_end;
                    let look = Look { is_end, is_cell: true, is_dense, ..Look::default() };
                    self.cell_of(cell, &name, look);
                } else {
                    self.items("items");
                }
                self.end();
            }
            if cell.span > 1 {
                self.lose(cell.item.at, "a cell cannot span columns: the others are empty");
            }
            column = last;
        }
        for _ in column..widths.len() {
            self.open("TableCell");
            self.items("items");
            self.end();
        }
        self.end();
    }

    fn cell_of(&mut self, cell: &Cell<'t>, name: &str, look: Look) {
        let outer = self.is_on_color;
        let style = ground(cell.item.color);
        if cell.item.color.is_some() {
            self.is_on_color |= style != "emphasis";
            self.string("style", style);
        }
        if let Some(press) = &cell.item.press {
            self.press(press, &self.outline.name(&cell.item));
        }
        self.items("items");
        if self.has_room() {
            self.cell(&cell.item, name, look);
        }
        self.is_on_color = outer;
    }

    /// A table of texts under a head; `cell` prints the one of a row and a column.
    pub(super) fn grid(
        &mut self,
        texts: &[Vec<String>],
        is_end: impl Fn(usize) -> bool,
        cell: impl Fn(&mut Self, usize, usize, Look),
    ) {
        let count = texts.iter().map(Vec::len).max().unwrap_or(0).min(COLUMNS);
        let width = |column: usize| Width { is_end: is_end(column), ..Width::default() };
        let mut widths: Vec<Width> = (0..count).map(width).collect();
        for row in texts {
            row.iter().zip(&mut widths).for_each(|(text, width)| width.add(letters(text)));
        }
        let is_dense = self.open_table(&widths, true);
        for (row, texts) in texts.iter().enumerate() {
            if !self.has_room() {
                break;
            }
            self.open("TableRow");
            self.items("cells");
            for (column, width) in widths.iter().enumerate() {
                self.open("TableCell");
                self.items("items");
                if texts.get(column).is_some_and(|text| !text.is_empty()) && self.has_room() {
                    let (is_end, is_strong) = (width.is_end, row == 0);
                    cell(
                        self,
                        row,
                        column,
                        Look { is_end, is_strong, is_dense, ..Look::default() },
                    );
                }
                self.end();
            }
            self.end();
        }
        self.end();
    }
}
