//! Rows of cells: columns by content, or the cells of each row below each other where these do not fit.

use super::text::{
    Lines, Run, Style, TextLine, columns, hang, join, narrow, stack, widest, widest_word, wrap,
};

/// The columns between two columns.
pub(super) const GAP: usize = 2;
/// The longest word that no column is too narrow for.
const WORD: usize = 24;

/// Rows of cells.
pub(super) struct Grid<C> {
    pub(super) rows: Vec<Vec<Slot<C>>>,
    /// Whether the first row is the head.
    pub(super) has_head: bool,
    /// The least width of a column that is narrower than its content.
    pub(super) least: usize,
    /// Whether cells may be drawn again in the width of their column. What is in a cell that is in a cell
    /// may not, or the cost would double with every level.
    pub(super) is_adaptive: bool,
}

/// A cell.
pub(super) struct Slot<C> {
    pub(super) content: C,
    pub(super) span: usize,
    pub(super) is_end: bool,
}

impl<C> From<C> for Slot<C> {
    fn from(content: C) -> Self {
        Self { content, span: 1, is_end: false }
    }
}

impl<C> Grid<C> {
    pub(super) fn print(&self, width: usize, draw: impl Fn(&C, usize) -> Lines) -> Lines {
        let head = usize::from(self.has_head);
        let draw = |y: usize, slot: &Slot<C>, width: usize| {
            let lines = draw(&slot.content, width);
            if y < head { bold(lines) } else { lines }
        };
        let rows = self.rows.iter().enumerate();
        let rows = rows.map(|(y, row)| row.iter().map(|slot| draw(y, slot, width)).collect());
        let mut drawn: Vec<Vec<Lines>> = rows.collect();
        let (least, wish) = self.sizes(&drawn);
        let gaps = GAP * least.len().saturating_sub(1);
        let widths = fit(&least, &wish, width.saturating_sub(gaps));
        let total = widths.iter().sum::<usize>() + gaps;
        if total > width || !(self.is_adaptive || widths == wish) {
            return self.records(&drawn, width);
        }
        let mut lines: Vec<Lines> = Vec::with_capacity(drawn.len());
        for (y, (row, drawn)) in self.rows.iter().zip(&mut drawn).enumerate() {
            let mut rest = &widths[..];
            let mut parts = Vec::with_capacity(row.len());
            for (slot, cell) in row.iter().zip(drawn) {
                let (taken, after) = rest.split_at(slot.span);
                rest = after;
                let width = taken.iter().sum::<usize>() + GAP * (slot.span - 1);
                if widest(cell) > width {
                    *cell = draw(y, slot, width.max(1));
                }
                parts.push((&cell[..], width, slot.is_end));
            }
            lines.push(join(&parts, GAP));
        }
        // Lines that continue below the first cell would be taken for another row.
        let is_tall = |row: &Vec<Lines>| row.first().is_some_and(|cell| cell.len() > 1);
        let is_apart = drawn.iter().skip(head).any(is_tall);
        let body = lines.split_off(head.min(lines.len()));
        let mut out = lines.concat();
        if self.has_head {
            out.push(TextLine::of(&"─".repeat(total), Style::dim()));
        }
        out.extend(stack(body, is_apart));
        out
    }

    /// Each row as a block, its cells named by their columns.
    fn records(&self, drawn: &[Vec<Lines>], width: usize) -> Lines {
        let mut rows = self.rows.iter().zip(drawn);
        let mut names: Vec<String> = Vec::new();
        if let Some((slots, cells)) = rows.next().filter(|_| self.has_head) {
            let heads = slots.iter().zip(cells);
            names
                .extend(heads.flat_map(|(slot, cell)| std::iter::repeat_n(plain(cell), slot.span)));
        } else {
            rows = self.rows.iter().zip(drawn);
        }
        if rows.len() == 0 {
            let head = |name: &String| wrap(&[Run::new(name, Style::bold())], width);
            return names.iter().flat_map(head).collect();
        }
        let records = rows.map(|(row, drawn)| {
            let mut column = 0;
            let cells = row.iter().zip(drawn).flat_map(|(slot, lines)| {
                // A cell over several columns belongs to none of them.
                let name = names.get(column).filter(|_| slot.span == 1).map_or("", String::as_str);
                column += slot.span;
                named(name, lines, width)
            });
            cells.collect()
        });
        let records: Vec<Lines> = records.collect();
        let is_tall = records.iter().any(|record| record.len() > 1);
        stack(records, is_tall)
    }

    /// The least and the preferred width of each column. What a cell over several columns needs beyond the
    /// others counts for its last one.
    fn sizes(&self, drawn: &[Vec<Lines>]) -> (Vec<usize>, Vec<usize>) {
        let count = |row: &Vec<Slot<C>>| row.iter().map(|slot| slot.span).sum();
        let count: usize = self.rows.iter().map(count).max().unwrap_or_default();
        let (mut least, mut wish) = (vec![0; count], vec![0; count]);
        for (row, drawn) in self.rows.iter().zip(drawn) {
            let mut column = 0;
            for (slot, lines) in row.iter().zip(drawn) {
                let last = column + slot.span - 1;
                let whole = widest(lines);
                // Numbers are aligned to the end and never broken.
                let word = || widest_word(lines).min(WORD).max(self.least);
                let part = if slot.is_end { whole } else { word().min(whole) };
                for (sizes, size) in [(&mut least, part), (&mut wish, whole)] {
                    let before = sizes[column..last].iter().sum::<usize>() + GAP * (last - column);
                    sizes[last] = sizes[last].max(size.saturating_sub(before));
                }
                column += slot.span;
            }
        }
        (least, wish)
    }
}

/// The widths of columns: as preferred if they fit, else the widest are narrowed to one width, though no
/// column below its least one.
fn fit(least: &[usize], wish: &[usize], room: usize) -> Vec<usize> {
    let at = |most: usize| {
        least.iter().zip(wish).map(move |(least, wish)| (*wish).min(most).max(*least))
    };
    let (mut low, mut high) = (0, wish.iter().copied().max().unwrap_or_default());
    while low < high {
        let middle = (low + high).div_ceil(2);
        if at(middle).sum::<usize>() <= room {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    at(low).collect()
}

/// A cell behind the name of its column, or below it if one of its words would be broken.
fn named(name: &str, lines: &[TextLine], width: usize) -> Lines {
    if name.is_empty() {
        return narrow(lines, width);
    }
    let blank = [TextLine::of("–", Style::dim())];
    let lines = if lines.is_empty() { &blank } else { lines };
    let marker = format!("{}: ", name.trim_end_matches([':', ' ']));
    if columns(&marker) + widest_word(lines) <= width {
        return hang(&marker, &Style::dim(), width, |width| narrow(lines, width));
    }
    let mut out = wrap(&[Run { text: marker, style: Style::dim() }], width);
    out.extend(narrow(lines, width));
    out
}

fn bold(mut lines: Lines) -> Lines {
    for run in lines.iter_mut().flat_map(|line| &mut line.runs) {
        run.style.bold = true;
        run.style.dim = false;
    }
    lines
}

fn plain(lines: &[TextLine]) -> String {
    let line = |line: &TextLine| line.runs.iter().map(|run| run.text.as_str()).collect::<String>();
    lines.iter().map(line).collect::<Vec<_>>().join(" ")
}
