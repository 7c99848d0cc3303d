//! Tables: cells in columns, in a box whose inner lines follow the spans.

use serde_json::Value;

use super::markdown;
use super::renderer::Renderer;
use super::text::{Align, Block, Line, Style, columns, widest, wrap};
use crate::markdown::{Inline, plain_text};
use crate::surface::node::{children, kind};

/// The most columns that are told apart: in the widest terminal, each has room for one letter. A
/// table with more is shown as records, which have no use for empty cells.
const COLUMNS: usize = super::WIDEST / 4 + 1;

/// A cell: its content, the columns that it spans, its least and its preferred width.
struct Cell<'v> {
    content: Content<'v>,
    span: usize,
    least: usize,
    wish: usize,
}

#[derive(Clone, Copy)]
enum Content<'v> {
    Node(&'v Value),
    /// A cell of a Markdown table, and whether it is in the head.
    Markdown(&'v [Inline], bool),
}

/// A cell in its width.
struct Placed {
    width: usize,
    lines: Block,
}

impl Renderer<'_> {
    pub(super) fn table(self, node: &Value, width: usize) -> Block {
        let rows = children(node);
        let has_head = rows.first().is_some_and(|row| row["header"] == true);
        self.grid(&self.cells(node), has_head, width)
    }

    /// A table of Markdown: its first row is the head.
    pub(super) fn markdown_table(self, rows: &[Vec<Vec<Inline>>], width: usize) -> Block {
        let rows: Vec<Vec<Cell>> = rows
            .iter()
            .enumerate()
            .map(|(index, row)| {
                let cells = row.iter().map(|cell| {
                    let content = Content::Markdown(cell, index == 0);
                    let wish = widest(&self.content(content, usize::MAX));
                    let text = plain_text(cell);
                    let least = text.split_whitespace().map(columns).max().unwrap_or_default();
                    Cell { content, span: 1, least: least.min(wish).min(24), wish }
                });
                cells.collect()
            })
            .collect();
        self.grid(&rows, true, width)
    }

    pub(super) fn measure_table(self, node: &Value) -> (usize, usize) {
        let (least, wish) = sizes(&self.cells(node));
        let frame = 3 * least.len() + 1;
        (least.iter().sum::<usize>() + frame, wish.iter().sum::<usize>() + frame)
    }

    fn cells<'v>(self, node: &'v Value) -> Vec<Vec<Cell<'v>>> {
        // For each column, the rows that a cell above still spans.
        let mut taken: Vec<u64> = Vec::new();
        let mut rows = Vec::new();
        for row in children(node).iter().filter(|row| kind(row) == "Table.Row") {
            let mut cells = Vec::new();
            let mut column = 0;
            let fill = |column: &mut usize, cells: &mut Vec<Cell<'v>>, taken: &mut Vec<u64>| {
                while *column < COLUMNS && taken.get(*column).is_some_and(|rows| *rows > 0) {
                    taken[*column] -= 1;
                    *column += 1;
                    cells.push(Cell {
                        content: Content::Markdown(&[], false),
                        span: 1,
                        least: 0,
                        wish: 0,
                    });
                }
            };
            for cell in children(row) {
                fill(&mut column, &mut cells, &mut taken);
                let span = cell["colSpan"].as_u64().unwrap_or(1).clamp(1, 50) as usize;
                let span = span.min(COLUMNS.saturating_sub(column)).max(1);
                let (least, wish) = self.measure(cell);
                cells.push(Cell { content: Content::Node(cell), span, least, wish });
                let below = cell["rowSpan"].as_u64().unwrap_or(1).clamp(1, 1000) - 1;
                taken.resize(taken.len().max(column + span), 0);
                taken[column..column + span].fill(below);
                column += span;
            }
            fill(&mut column, &mut cells, &mut taken);
            rows.push(cells);
        }
        rows
    }

    fn content(self, content: Content, width: usize) -> Block {
        match content {
            Content::Node(cell) => {
                let block = self.render(cell, width);
                match cell["align"].as_str() {
                    Some("center") => block.iter().map(|l| l.fill(width, Align::Center)).collect(),
                    Some("end") => block.iter().map(|l| l.fill(width, Align::End)).collect(),
                    _ => block,
                }
            }
            Content::Markdown(text, is_head) => {
                let style = if is_head { Style::bold() } else { Style::default() };
                wrap(&markdown::spans(text, &style, !(self.colour && self.links)), width)
            }
        }
    }

    fn grid(self, rows: &[Vec<Cell>], has_head: bool, width: usize) -> Block {
        let (least, wish) = sizes(rows);
        let frame = 3 * least.len() + 1;
        if least.is_empty() {
            return Block::new();
        }
        if least.iter().sum::<usize>() + frame > width {
            return self.records(rows, width);
        }
        let widths = fit(&least, &wish, width - frame);
        let rows: Vec<Vec<Placed>> = rows.iter().map(|row| self.place(row, &widths)).collect();
        let is_tall = rows.iter().skip(1).any(|row| row.iter().any(|cell| cell.lines.len() > 1));
        let ends: Vec<Vec<usize>> = rows.iter().map(|row| ends(row)).collect();
        let mut out = vec![edge(&[], &ends[0])];
        for (index, row) in rows.iter().enumerate() {
            out.extend(join(row));
            match ends.get(index + 1) {
                Some(below) if is_tall || (index == 0 && has_head) => {
                    out.push(edge(&ends[index], below));
                }
                Some(_) => {}
                None => out.push(edge(&ends[index], &[])),
            }
        }
        out
    }

    /// The cells of a row in the widths of the columns; missing ones are empty.
    fn place(self, row: &[Cell], widths: &[usize]) -> Vec<Placed> {
        let mut column = 0;
        let mut placed: Vec<Placed> = row
            .iter()
            .map(|cell| {
                let span = cell.span.min(widths.len() - column).max(1);
                let width = widths[column..column + span].iter().sum::<usize>() + 3 * (span - 1);
                column += span;
                Placed { width, lines: self.content(cell.content, width) }
            })
            .collect();
        let missing = widths[column..].iter();
        placed.extend(missing.map(|width| Placed { width: *width, lines: Block::new() }));
        placed
    }

    /// Too many columns for the width: each row as a stack of its cells.
    fn records(self, rows: &[Vec<Cell>], width: usize) -> Block {
        let mut out = Block::new();
        for row in rows {
            if !out.is_empty() {
                out.push(Line::of(&"┄".repeat(width), Style::dim()));
            }
            let filled = row.iter().filter(|cell| cell.wish > 0);
            out.extend(filled.flat_map(|cell| self.content(cell.content, width)));
        }
        out
    }
}

/// The least and the preferred width of each column. What a cell over several columns needs beyond
/// the others counts for its last one.
fn sizes(rows: &[Vec<Cell>]) -> (Vec<usize>, Vec<usize>) {
    let count = |row: &Vec<Cell>| row.iter().map(|cell| cell.span).sum();
    let columns: usize = rows.iter().map(count).max().unwrap_or_default();
    let (mut least, mut wish) = (vec![1; columns], vec![1; columns]);
    for row in rows {
        let mut column = 0;
        for cell in row {
            let last = column + cell.span - 1;
            let before =
                |sizes: &[usize]| sizes[column..last].iter().sum::<usize>() + 3 * (last - column);
            least[last] = least[last].max(cell.least.saturating_sub(before(&least)));
            wish[last] = wish[last].max(cell.wish.saturating_sub(before(&wish)));
            column += cell.span;
        }
    }
    (least, wish)
}

/// The widths of the columns: as preferred if they fit, else the widest are narrowed first.
pub(super) fn fit(least: &[usize], wish: &[usize], room: usize) -> Vec<usize> {
    let mut widths: Vec<usize> =
        least.iter().zip(wish).map(|(l, w)| *l.max(&room.min(*w))).collect();
    let mut over = widths.iter().sum::<usize>().saturating_sub(room);
    while over > 0 {
        let spare = |index: &usize| widths[*index] - least[*index];
        let Some(index) = (0..widths.len()).filter(|i| spare(i) > 0).max_by_key(|i| widths[*i])
        else {
            break;
        };
        widths[index] -= 1;
        over -= 1;
    }
    widths
}

/// The lines of a row, its cells side by side.
fn join(row: &[Placed]) -> Block {
    let height = row.iter().map(|cell| cell.lines.len()).max().unwrap_or_default().max(1);
    let line = |y: usize| {
        let mut line = Line::of("│ ", Style::dim());
        for (x, cell) in row.iter().enumerate() {
            if x > 0 {
                line.push(" │ ", &Style::dim());
            }
            match cell.lines.get(y) {
                Some(part) => line.append(&part.fill(cell.width, Align::Start)),
                None => line.space(cell.width),
            }
        }
        line.push(" │", &Style::dim());
        line
    };
    (0..height).map(line).collect()
}

/// The positions of a row's inner lines and of its right edge.
fn ends(row: &[Placed]) -> Vec<usize> {
    let mut at = 0;
    row.iter()
        .map(|cell| {
            at += cell.width + 3;
            at
        })
        .collect()
}

/// The line between two rows, or above the first and below the last.
fn edge(above: &[usize], below: &[usize]) -> Line {
    let (left, right) = match (above.is_empty(), below.is_empty()) {
        (true, _) => ('┌', '┐'),
        (_, true) => ('└', '┘'),
        _ => ('├', '┤'),
    };
    let last = above.last().or(below.last()).copied().unwrap_or_default();
    let mut text = String::from(left);
    for at in 1..last {
        text.push(match (above.contains(&at), below.contains(&at)) {
            (true, true) => '┼',
            (true, false) => '┴',
            (false, true) => '┬',
            (false, false) => '─',
        });
    }
    text.push(right);
    Line::of(&text, Style::dim())
}
