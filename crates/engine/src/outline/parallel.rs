//! Columns whose lines belong together row by row.

use super::block::{Block, Cell, Fact, Item, List, Table};
use super::read::{Part, Reader, is_row};
use super::rules::fired;
use super::span::{Line, Role, Span};
use crate::tree::component::ComponentType;
use crate::tree::{Key, Node};

/// A column of lines.
struct Column<'t> {
    node: Node<'t>,
    lines: Vec<Line>,
    /// How much its lines stand out, except for its header; none if they are symbols.
    role: Option<Role>,
    /// Whether its first line stands out differently from the others.
    has_head: bool,
}

impl<'t> Reader<'t, '_> {
    /// Reads columns with the same number of lines row by row, if something distinguishes the columns:
    /// symbols, smaller lines, another size or alignment. Columns that look alike are separate parts, such as
    /// two lists. Returns whether it did.
    pub(super) fn parallel(&mut self, node: Node<'t>, start: usize, parts: &[Part<'t>]) -> bool {
        let columns: Option<Vec<Column<'t>>> = parts.iter().map(|part| self.column(part)).collect();
        let Some(columns) = columns.filter(|columns| is_unlike(columns)) else { return false };
        let (from, rows) = (parts[0].span as usize, columns[0].lines.len());
        let count: u32 =
            columns.iter().flat_map(|column| &column.lines).map(|l| l.to - l.from).sum();
        if self.spans.len() - from != count as usize {
            return false;
        }
        fired("grid");
        let spans = self.spans.split_off(from);
        let has_head = columns[0].has_head;
        let mut cells: Vec<Vec<Line>> = Vec::with_capacity(rows);
        for row in 0..rows {
            let mut own: Vec<Line> = Vec::with_capacity(columns.len());
            for (index, column) in columns.iter().enumerate() {
                let (line, begin) = (column.lines[row], self.spans.len() as u32);
                let [first, end] = [line.from, line.to].map(|at| at as usize - from);
                self.spans.extend_from_slice(&spans[first..end]);
                let end = self.spans.len() as u32;
                // Symbols lead the next column.
                match own.last_mut() {
                    Some(sign) if !has_head && columns[index - 1].role.is_none() => sign.to = end,
                    _ => own.push(Line::new(begin, end)),
                }
                own.iter_mut().for_each(|line| line.split = line.to);
            }
            cells.push(own);
        }
        // Symbols before a value belong to another column of symbols and text rather than to a fact.
        let is_led = |line: &Line| {
            let spans = &self.spans[line.from as usize..line.to as usize];
            !spans[0].is_text() && spans.iter().any(Span::is_text)
        };
        if !has_head && cells[0].len() == 2 && is_led(&cells[0][1]) {
            for row in &mut cells {
                self.spans[row[1].from as usize].is_group = true;
                *row = vec![Line::new(row[0].from, row[1].to)];
            }
        }
        self.stack.truncate(start);
        let cell = |line: &Line| Item { at: node.index(), lines: vec![*line], ..Item::default() };
        self.stack.push(match cells[0].len() {
            1 => {
                let items = cells.iter().map(|row| cell(&row[0])).collect();
                Block::List(List { at: node.index(), items, is_across: false })
            }
            2 if !has_head => {
                let fact =
                    |row: &Vec<Line>| Fact { label: row[0], value: row[1], is_stacked: false };
                Block::Facts { facts: cells.iter().map(fact).collect(), is_across: false }
            }
            _ => {
                let is_end = |node: Node<'t>| node.text(Key::Align) == Some("end");
                let row = |row: &Vec<Line>| -> Vec<Cell<'t>> {
                    let cell = |(line, column): (&Line, &Column<'t>)| Cell {
                        is_end: is_end(column.node),
                        ..Cell::of(cell(line))
                    };
                    let last = columns.len() - row.len();
                    row.iter().zip(&columns[last..]).map(cell).collect()
                };
                let mut rows: Vec<Vec<Cell<'t>>> = cells.iter().map(row).collect();
                let head = if has_head { rows.remove(0) } else { Vec::new() };
                Block::Table(Table { at: node.index(), head, rows })
            }
        });
        true
    }

    /// A part as a column: two or more lines or symbols, one below the other, which stand out equally.
    fn column(&self, part: &Part<'t>) -> Option<Column<'t>> {
        if is_row(part.node) || !matches!(part.node.kind(), ComponentType::Col | ComponentType::Box)
        {
            return None;
        }
        let mut lines: Vec<Line> = Vec::new();
        for block in &self.stack[part.from..part.to] {
            match block {
                Block::Line(line) if !line.is_split() => lines.push(*line),
                _ => return None,
            }
        }
        // Symbols one below the other were read as one line.
        if let [line] = lines[..]
            && self.top(line).is_none()
            && part.node.children().count() == (line.to - line.from) as usize
        {
            lines = (line.from..line.to).map(|at| Line::new(at, at + 1)).collect();
        }
        let roles: Vec<Option<Role>> = lines.iter().map(|line| self.top(*line)).collect();
        let (first, rest) = roles.split_first().filter(|(_, rest)| !rest.is_empty())?;
        let is_even = rest.iter().all(|role| role == &rest[0]);
        let has_head = rest.len() > 1 && *first != rest[0];
        (is_even && (has_head || *first == rest[0])).then_some(Column {
            node: part.node,
            lines,
            role: rest[0],
            has_head,
        })
    }
}

/// Whether columns have the same number of lines, contain text, and are distinguishable.
fn is_unlike<'t>(columns: &[Column<'t>]) -> bool {
    let Some((first, rest)) = columns.split_first().filter(|(_, rest)| !rest.is_empty()) else {
        return false;
    };
    let is_even = rest
        .iter()
        .all(|column| column.lines.len() == first.lines.len() && column.has_head == first.has_head);
    let look = |node: Node<'t>| {
        [Key::Flex, Key::Width, Key::Align].map(|key| node.get(key).map(Node::scalar))
    };
    let differs = rest.iter().any(|column| {
        column.role != first.role || first.lines.len() > 2 && look(column.node) != look(first.node)
    });
    is_even && differs && columns.iter().any(|column| column.role.is_some())
}
