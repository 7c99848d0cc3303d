//! Tables: those of `Table` components, and rows whose cells stand below each other.

use super::block::{Block, Cell, Item, Table};
use super::read::Reader;
use super::rules::fired;
use super::span::{Line, Role, SpanKind, top};
use crate::signs::sign;
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
        // An icon alone in a cell is what the cell says.
        if self.spans[span..].iter().all(|span| span.kind == SpanKind::Icon) {
            for icon in self.spans[span..].iter_mut().filter(|icon| sign(icon.text).is_none()) {
                icon.kind = SpanKind::Text;
                icon.text = icon.text.rsplit(':').next().unwrap_or(icon.text);
            }
        }
        let item = Item::of(node, self.stack.drain(start..), &self.spans);
        let count = node.get(Key::ColSpan).and_then(Node::number).unwrap_or(1.0);
        let is_end = node.text(Key::Align) == Some("end")
            || self.spans.get(span).is_some_and(|first| first.is_end);
        Cell { item, span: count.clamp(1.0, 50.0) as usize, is_end }
    }

    /// A table of rows of as many cells each. The first one names the columns if it stands out from all
    /// others, or is smaller than they are.
    pub(super) fn table_of(&self, node: Node<'t>, rows: Vec<TableRow<'t>>) -> Table<'t> {
        let role =
            |row: &TableRow<'t>| top(&self.spans[row.line.from as usize..row.line.to as usize]);
        let has_head = rows.split_first().is_some_and(|(first, rest)| {
            let own = role(first);
            let is_label = matches!(own, Some(Role::Small | Role::Strong));
            is_label && rest.iter().all(|row| role(row) != own)
        });
        let mut rows: Vec<Vec<Cell<'t>>> = rows.into_iter().map(|row| self.cells(row)).collect();
        if let [first, next, ..] = &mut rows[..]
            && first.len() < next.len()
        {
            first.insert(0, Cell::of(Item::default()));
        }
        let head = if has_head { rows.remove(0) } else { Vec::new() };
        Table { at: node.index(), head, rows }
    }

    fn cells(&self, row: TableRow<'t>) -> Vec<Cell<'t>> {
        let mut cells: Vec<Cell<'t>> = Vec::with_capacity(4);
        for at in row.line.from..row.line.to {
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
        if let Some(first) = cells.first_mut() {
            first.item.lines.extend(row.below);
            first.item.color = row.color;
        }
        cells
    }
}

/// A row of a table that is no `Table`: a line of cells, in a frame or not, and lines below it that belong
/// to its first cell.
pub(super) struct TableRow<'t> {
    pub(super) line: Line,
    below: Vec<Line>,
    color: Option<&'t str>,
}

impl<'t> TableRow<'t> {
    pub(super) fn of(blocks: &[Block<'t>]) -> Option<Self> {
        match blocks {
            [Block::Panel(panel)] => {
                let row = Self::of(&panel.blocks)?;
                Some(Self { color: row.color.or(panel.color), ..row })
            }
            [Block::Line(line), below @ ..] => {
                let below = below.iter().map(|block| match block {
                    Block::Line(line) => Some(*line),
                    _ => None,
                });
                Some(Self { line: *line, below: below.collect::<Option<_>>()?, color: None })
            }
            _ => None,
        }
    }
}
