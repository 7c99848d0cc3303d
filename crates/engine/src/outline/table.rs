//! Tables: those of `Table` components, and rows whose cells stand below each other.

use super::block::{Block, Cell, Item, Table};
use super::read::Reader;
use super::rules::fired;
use super::span::{Line, Role, top};
use crate::tree::{Key, Node};

impl<'t> Reader<'t, '_> {
    /// Reads a `Table`.
    pub(super) fn table(&mut self, node: Node<'t>) {
        fired("table");
        let mut table = Table { at: node.index(), head: Vec::new(), rows: Vec::new() };
        for (index, row) in node.children().enumerate() {
            let cells: Vec<Cell<'t>> = row.children().map(|cell| self.cell(cell)).collect();
            if index == 0 && row.flag(Key::Header) {
                table.head = cells;
            } else {
                table.rows.push(cells);
            }
        }
        if table.columns() > 0 {
            self.stack.push(Block::Table(table));
        }
    }

    fn cell(&mut self, node: Node<'t>) -> Cell<'t> {
        let (start, span) = (self.stack.len(), self.spans.len());
        self.stacked(node);
        let blocks = self.stack.split_off(start);
        let count = node.get(Key::ColSpan).and_then(Node::number).unwrap_or(1.0);
        let is_end = node.text(Key::Align) == Some("end")
            || self.spans.get(span).is_some_and(|first| first.is_end);
        Cell { item: self.item(node, blocks), span: count.clamp(1.0, 50.0) as usize, is_end }
    }

    /// A table of rows that are lines of as many cells each. The first one names the columns if it stands
    /// out from all others, or is smaller than they are.
    pub(super) fn table_of(&self, node: Node<'t>, lines: &[Line]) -> Table<'t> {
        let role = |line: &Line| top(&self.spans[line.from as usize..line.to as usize]);
        let head = lines.split_first().filter(|(first, rest)| {
            let own = role(first);
            let is_label = matches!(own, Some(Role::Small | Role::Strong));
            is_label && rest.iter().all(|line| role(line) != own)
        });
        let mut rows: Vec<Vec<Cell<'t>>> = lines.iter().map(|line| self.cells(*line)).collect();
        let head = if head.is_some() { rows.remove(0) } else { Vec::new() };
        Table { at: node.index(), head, rows }
    }

    fn cells(&self, line: Line) -> Vec<Cell<'t>> {
        let mut cells: Vec<Cell<'t>> = Vec::with_capacity(4);
        for at in line.from..line.to {
            let span = &self.spans[at as usize];
            match cells.last_mut().and_then(|cell| cell.item.lines.last_mut()) {
                Some(last) if !span.starts_cell => *last = Line::new(last.from, at + 1),
                _ => {
                    let lines = vec![Line::new(at, at + 1)];
                    let item = Item { at: span.at, lines, ..Item::default() };
                    cells.push(Cell { item, span: 1, is_end: span.is_end });
                }
            }
        }
        cells
    }
}
