//! Tables: `Table` components, and rows whose cells line up.

use std::ops::Range;

use super::action::Action;
use super::block::{Block, Cell, Fact, Item, Table};
use super::color::Hue;
use super::read::{Part, Reader, is_row};
use super::rules::fired;
use super::siblings::outer_kind;
use super::span::{Line, Role, SpanKind};
use crate::signs::sign;
use crate::tree::component::ComponentType;
use crate::tree::{Key, Node};

/// Maximum number of lines in a cell of a row that is not a `Table.Row`.
const LINES: usize = 4;

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
            let head = std::mem::take(&mut table.head);
            let has_head = !head.is_empty();
            table.rows.splice(0..0, has_head.then_some(head));
            self.lead_columns(&mut table.rows);
            if has_head {
                table.head = table.rows.remove(0);
            }
            self.stack.push(Block::Table(table));
        }
    }

    fn cell(&mut self, node: Node<'t>) -> Cell<'t> {
        let (start, span) = (self.stack.len(), self.spans.len());
        self.stacked(node);
        // A single icon in a cell is its content.
        if self.spans[span..].iter().all(|span| span.kind == SpanKind::Icon) {
            for icon in self.spans[span..].iter_mut().filter(|icon| sign(icon.text).is_none()) {
                icon.kind = SpanKind::Text;
                icon.text = icon.text.rsplit(':').next().unwrap_or(icon.text);
            }
        }
        let item = Item::of(node, self.stack.drain(start..), &self.spans);
        let count = node.get(Key::ColSpan).and_then(Node::number).unwrap_or(1.0);
        let is_end = is_at_end(node) || self.spans.get(span).is_some_and(|first| first.is_end);
        Cell { item, span: count.clamp(1.0, 50.0) as usize, is_end }
    }

    /// The tables among siblings: where each starts, and how many parts it takes.
    pub(super) fn tables(&self, parts: &[Part<'t>]) -> Vec<(usize, usize)> {
        let (mut tables, mut at) = (Vec::new(), 0);
        while at + 1 < parts.len() {
            let count = self.table_rows(&parts[at..]);
            if count > 0 {
                tables.push((at, count));
            }
            at += count.max(1);
        }
        tables
    }

    /// The number of parts, from the first on, that are rows of a table: rows of stacks, whatever their
    /// sizes, or rows of single lines in columns of fixed width. All have the same number of cells, except
    /// that the first may lack its corner and others may lack cells at their end.
    fn table_rows(&self, parts: &[Part<'t>]) -> usize {
        let Some(first) = self.row_shape(&parts[0], false) else { return 0 };
        let is_head = self.is_head(&parts[0]);
        if !(first.is_list || first.is_sized || is_head) {
            return 0;
        }
        let (mut most, mut is_led, mut is_sized) = (first.row, true, true);
        let mut columns = first.cells;
        let (mut rows, mut lists, mut end, mut list_end) = (0, 0, 0, 0);
        let (mut is_ruled, mut was_list) = (false, first.is_list);
        for (index, part) in parts.iter().enumerate() {
            if self.is_divider(part) {
                is_ruled = true;
                continue;
            }
            let Some(shape) = self.row_shape(part, is_head) else { break };
            // Below a divider, a row of texts after a row of stacks is the header of another table.
            if is_ruled && lists > 0 && was_list != shape.is_list && !shape.is_sized {
                break;
            }
            (is_ruled, was_list) = (false, shape.is_list);
            let is_cornered = rows == 1
                && shape.cells == columns + 1
                && !is_like(most, shape.row)
                && !has_space(most);
            let is_column = shape.is_sized && columns >= shape.tall + 3;
            // At most one cell may be missing, or be added in the second row; otherwise a wide row would
            // widen all. Cells that all grow line up only if the rows have equally many.
            let is_near = (shape.cells + 1 == columns || rows == 1 && shape.cells == columns + 1)
                && !cells_of(shape.row).all(|cell| cell.get(Key::Flex).is_some());
            let fits = shape.cells == columns || is_cornered || is_near && is_like(most, shape.row);
            if !fits
                || columns < 3 && !shape.is_list && !shape.is_sized
                || !(is_column || shape.is_list || rows == 0 || lists > 0)
            {
                break;
            }
            if shape.cells >= columns {
                (most, columns) = (shape.row, shape.cells);
            }
            is_led &= shape.is_led;
            // Symbols in the first column lead the second, so two such columns are not a table.
            if rows > 0 && lists == 0 && !shape.is_list && columns - usize::from(is_led) < 3 {
                break;
            }
            (rows, end) = (rows + 1, index + 1);
            is_sized &= shape.is_sized;
            lists += usize::from(shape.is_list);
            if shape.is_list || is_sized {
                list_end = end;
            }
        }
        match rows {
            2.. if lists > 1 => list_end,
            // A row with a start and an end is the heading of a group of rows rather than a header of
            // columns.
            2.. if columns > 2 && (is_sized || lists == 0 && !has_space(first.row)) => end,
            _ => 0,
        }
    }

    /// Whether a part may be a header: its texts are small or bold, and it has neither badges nor symbols.
    fn is_head(&self, part: &Part<'t>) -> bool {
        self.spans[part.span as usize..part.span_end as usize].iter().all(|span| {
            span.kind == SpanKind::Text && matches!(span.role, Role::Small | Role::Strong)
        })
    }

    /// The cells of a part as a row of a table; none if it contains something that a cell cannot, which is a
    /// button unless the table has a header.
    fn row_shape(&self, part: &Part<'t>, has_buttons: bool) -> Option<RowShape<'t>> {
        if part.node.is(ComponentType::ListViewItem) {
            return None;
        }
        let row = row_of(part.node)?;
        let cells = cells_of(row).count();
        let sized = cells_of(row).filter(|cell| size(*cell).is_some()).count();
        let blocks = framed(&self.stack[part.from..part.to]);
        let is_list = match blocks {
            [Block::List(list)] => list.is_across,
            [Block::Columns(_)] => true,
            _ => false,
        };
        // Two cells may also be a label and a value, unless they are stacks.
        let is_sized = sized + usize::from(cells > 2) >= cells;
        if cells < 2
            || cells < 3 && !is_list && !is_sized
            || !blocks.iter().all(|block| is_tabular(block, has_buttons))
        {
            return None;
        }
        let lines = self.lines_by_cell(row, part.span..part.span_end, blocks);
        let has_text = |lines: &[Line]| lines.iter().any(|line| self.top(*line).is_some());
        let is_bar = |line: &Line| {
            let spans = &self.spans[line.from as usize..line.to as usize];
            spans.iter().any(|span| span.kind == SpanKind::Meter)
        };
        // A single title is that of the card, and long columns are parts of the card.
        let is_title =
            |lines: &&Vec<Line>| lines.iter().any(|line| self.top(*line) == Some(Role::Title));
        if lines.iter().filter(is_title).count() == 1 || lines.iter().any(|cell| cell.len() > LINES)
        {
            return None;
        }
        let is_tall = |lines: &&Vec<Line>| lines.len() > 1 || lines.iter().any(is_bar);
        let is_led = !has_text(&lines[0]);
        let is_sign = is_led && !lines[0].is_empty();
        let tall = lines[..cells].iter().filter(is_tall).count() + usize::from(is_sign);
        Some(RowShape { row, cells, is_sized, is_list, tall, is_led })
    }

    /// The lines in each cell of a row, followed by the lines below the row.
    fn lines_by_cell(
        &self,
        row: Node<'t>,
        spans: Range<u32>,
        blocks: &[Block<'t>],
    ) -> Vec<Vec<Line>> {
        let mut lines = Vec::with_capacity(8);
        blocks.iter().for_each(|block| push_lines(block, &mut lines));
        lines.sort_unstable_by_key(|line| line.from);
        let mut lines = lines.into_iter().peekable();
        let mut at = spans.start;
        let mut cut = |end: u32| {
            let mut own = Vec::new();
            while let Some(line) = lines.peek().copied().filter(|line| line.from < end) {
                let (from, to) = (line.from.max(at), line.to.min(end));
                if from < to {
                    let split = if (from..to).contains(&line.split) { line.split } else { to };
                    own.push(Line { from, to, split });
                }
                if line.to > end {
                    break;
                }
                lines.next();
            }
            at = end;
            own
        };
        let mut cells: Vec<Vec<Line>> = Vec::with_capacity(8);
        let mut next = spans.start;
        for cell in cells_of(row) {
            let end = cell.range().end;
            while next < spans.end && self.spans[next as usize].at < end {
                next += 1;
            }
            cells.push(cut(next));
        }
        cells.push(cut(spans.end));
        cells
    }

    /// Builds the table whose rows [`Self::table_rows`] has found.
    pub(super) fn table_of(
        &self,
        parts: &[Part<'t>],
        mut blocks: impl Iterator<Item = Block<'t>>,
    ) -> Table<'t> {
        let mut rows: Vec<Vec<Cell<'t>>> = Vec::with_capacity(parts.len());
        let (mut lists, mut first_list) = (0, 0);
        for part in parts {
            let own: Vec<Block<'t>> = blocks.by_ref().take(part.to - part.from).collect();
            if matches!(own[..], [Block::Divider]) {
                continue;
            }
            if matches!(framed(&own), [Block::List(_) | Block::Columns(_)]) {
                first_list = if lists == 0 { rows.len() } else { first_list };
                lists += 1;
            }
            rows.push(self.row_cells(part, own));
        }
        fired(if lists > 1 { "grid" } else { "rows" });
        let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
        let heads: Vec<Node<'t>> =
            parts.iter().filter_map(|part| row_of(part.node)).take(2).collect();
        if let ([first, next, ..], [head, row]) = (&mut rows[..], &heads[..])
            && first.len() + 1 == next.len()
            && !is_like(*head, *row)
        {
            first.insert(0, Cell::of(Item::default()));
        }
        for row in &mut rows {
            row.resize_with(columns, || Cell::of(Item::default()));
        }
        self.lead_columns(&mut rows);
        drop_columns(&mut rows);
        let is_flat =
            rows.first().is_some_and(|row| row.iter().all(|cell| cell.item.lines.len() < 2));
        let is_above = first_list == 1 && lists > 0 && self.is_head(&parts[0]);
        let has_head = is_flat && (is_above || self.has_head(&rows));
        let head = if has_head { rows.remove(0) } else { Vec::new() };
        Table { at: parts[0].node.index(), head, rows }
    }

    /// Symbols and images in the first columns lead the column after them.
    fn lead_columns(&self, rows: &mut [Vec<Cell<'t>>]) {
        let has_text = |cell: &Cell<'t>| {
            let mut lines = cell.item.lines.iter().chain(&cell.item.trail);
            lines.any(|line| self.top(*line).is_some())
        };
        let leads = |row: &Vec<Cell<'t>>| {
            let [cell, next, ..] = &row[..] else { return false };
            let (item, has_picture) = (&cell.item, next.item.picture.is_some());
            let is_bare = item.blocks.is_empty() && item.actions.is_empty();
            let is_sign = is_bare && !has_text(cell) && !(has_picture && item.picture.is_some());
            cell.span > 1 || is_sign
        };
        let has_rest = |row: &Vec<Cell<'t>>| row[0].span < 2 && row[1..].iter().any(has_text);
        while rows.iter().all(leads) && rows.iter().any(has_rest) {
            for row in rows.iter_mut() {
                if row[0].span > 1 {
                    row[0].span -= 1;
                    continue;
                }
                let sign = row.remove(0).item;
                let item = &mut row[0].item;
                (item.color, item.picture) =
                    (item.color.or(sign.color), item.picture.or(sign.picture));
                for line in sign.lines.iter().chain(&sign.trail).rev() {
                    match item.lines.first_mut() {
                        Some(first) if first.from == line.to => first.from = line.from,
                        _ => item.lines.insert(0, *line),
                    }
                }
            }
        }
    }

    /// Whether the first row is the header: only its corner is empty, or all its texts are small or all are
    /// bold, and those of the other rows are not. The last row may be a total.
    fn has_head(&self, rows: &[Vec<Cell<'t>>]) -> bool {
        let Some((first, rest)) = rows.split_first().filter(|(_, rest)| !rest.is_empty()) else {
            return false;
        };
        let is_cornered = |row: &[Cell<'t>]| row.first().is_some_and(|cell| cell.item.is_blank());
        if is_cornered(first) && !rest.iter().any(|row| is_cornered(row)) {
            return true;
        }
        let role = |row: &[Cell<'t>]| {
            let lines = row.iter().flat_map(|cell| &cell.item.lines);
            let mut roles = lines.filter_map(|line| self.top(*line));
            let first = roles.next()?;
            roles.all(|role| role == first).then_some(first)
        };
        let own = role(first);
        let others = &rest[..rest.len() - usize::from(rest.len() > 1)];
        matches!(own, Some(Role::Small | Role::Strong)) && others.iter().all(|row| role(row) != own)
    }

    fn row_cells(&self, part: &Part<'t>, blocks: Vec<Block<'t>>) -> Vec<Cell<'t>> {
        let Some(row) = row_of(part.node) else { return Vec::new() };
        let lines = self.lines_by_cell(row, part.span..part.span_end, framed(&blocks));
        let (color, blocks) = unframed(blocks);
        let mut lines = lines.into_iter();
        let mut cells: Vec<Cell<'t>> = cells_of(row)
            .zip(lines.by_ref())
            .map(|(node, lines)| {
                let first = lines.first().and_then(|line| self.spans.get(line.from as usize));
                let is_end = is_at_end(node) || first.is_some_and(|first| first.is_end);
                Cell { is_end, ..Cell::of(Item { at: node.index(), lines, ..Item::default() }) }
            })
            .collect();
        let mut others = Vec::new();
        for block in blocks {
            match block {
                Block::List(list) => {
                    let mut items = list.items.iter().peekable();
                    for (cell, node) in cells.iter_mut().zip(cells_of(row)) {
                        while items.next_if(|item| item.at < node.index()).is_some() {}
                        if let Some(own) = items.next_if(|item| item.at == node.index()) {
                            // In a table, a neutral background carries no information, since every cell has
                            // one.
                            cell.item.color = own.color.filter(|color| Hue::of(color).is_some());
                        }
                    }
                    list.items.into_iter().for_each(|item| push_others(item, &mut others));
                }
                block => push_others_of(block, &mut others),
            }
        }
        others.sort_unstable_by_key(|(at, _)| *at);
        let mut nodes = cells_of(row).enumerate().peekable();
        for (at, block) in others {
            while nodes.next_if(|(_, node)| node.range().end <= at).is_some() {}
            let place = nodes.peek().map_or(cells.len() - 1, |(place, _)| *place);
            cells[place].item.add(block);
        }
        // Lines below a row belong to the cell that names it.
        let has_text = |line: &Line| self.top(*line).is_some();
        let named = cells.iter().position(|cell| cell.item.lines.iter().any(has_text));
        if let Some(cell) = cells.get_mut(named.unwrap_or(0)) {
            cell.item.lines.extend(lines.flatten());
        }
        if let Some(first) = cells.first_mut() {
            first.item.color = color.filter(|color| Hue::of(color).is_some()).or(first.item.color);
        }
        cells
    }
}

/// Removes the columns that are empty in all rows.
fn drop_columns(rows: &mut [Vec<Cell<'_>>]) {
    let mut is_blank = vec![true; rows.first().map_or(0, Vec::len)];
    for row in rows.iter() {
        let cells = is_blank.iter_mut().zip(row);
        cells.for_each(|(is_blank, cell)| *is_blank &= cell.item.is_blank());
    }
    for row in rows {
        let mut is_blank = is_blank.iter();
        row.retain(|_| is_blank.next() != Some(&true));
    }
}

/// A row, compared with other rows.
struct RowShape<'t> {
    row: Node<'t>,
    cells: usize,
    /// Whether all cells but one have a fixed width, as columns have.
    is_sized: bool,
    /// Whether its cells are stacks of lines.
    is_list: bool,
    /// The number of cells with a bar or more than one line, or only a symbol in the first cell.
    tall: usize,
    /// Whether its first cell has no text.
    is_led: bool,
}

/// Whether two rows have cells of the same widths (or kinds, if there are no widths), except for cells that
/// one of them lacks at its end.
fn is_like(one: Node<'_>, other: Node<'_>) -> bool {
    cells_of(one).zip(cells_of(other)).all(|(one, other)| match (size(one), size(other)) {
        (Some(one), Some(other)) => one.scalar() == other.scalar(),
        (None, None) => outer_kind(one) == outer_kind(other),
        _ => false,
    })
}

/// The row in a container that may have lines below it.
fn row_of(node: Node<'_>) -> Option<Node<'_>> {
    let mut node = node;
    loop {
        let mut children = node.children();
        let first = children.next()?;
        let second = children.next();
        if is_row(node) && second.is_some() {
            return Some(node);
        }
        let is_text =
            |node: Node<'_>| matches!(node.kind(), ComponentType::Text | ComponentType::Caption);
        if !second.into_iter().chain(children).all(is_text) {
            return None;
        }
        node = first;
    }
}

/// The cells of a row. An image belongs to the cell after it; a spacer is a cell only in the corner.
fn cells_of(row: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    row.children().enumerate().filter_map(|(index, child)| match child.kind() {
        ComponentType::Image => None,
        ComponentType::Spacer => (index == 0).then_some(child),
        _ => Some(child),
    })
}

fn has_space(row: Node<'_>) -> bool {
    row.children().any(|child| child.is(ComponentType::Spacer))
}

/// The fixed width of a cell.
fn size(node: Node<'_>) -> Option<Node<'_>> {
    let size = node.get(Key::Size).filter(|_| node.is(ComponentType::Box));
    node.get(Key::Width).or(node.get(Key::Flex)).or(size)
}

/// Whether the content of a cell is aligned to its end.
fn is_at_end(node: Node<'_>) -> bool {
    let key = if is_row(node) { Key::Justify } else { Key::Align };
    node.text(key) == Some("end")
}

/// The blocks inside the frames around all of them.
fn framed<'b, 't>(mut blocks: &'b [Block<'t>]) -> &'b [Block<'t>] {
    while let [Block::Panel(panel)] = blocks {
        blocks = &panel.blocks;
    }
    blocks
}

/// The same blocks, and the colour of the innermost frame that has one.
fn unframed(mut blocks: Vec<Block<'_>>) -> (Option<&str>, Vec<Block<'_>>) {
    let mut color = None;
    while let [Block::Panel(panel)] = &mut blocks[..] {
        color = panel.color.or(color);
        blocks = std::mem::take(&mut panel.blocks);
    }
    (color, blocks)
}

/// Whether a block consists only of lines, images and possibly buttons, as the content of a cell does.
fn is_tabular(block: &Block<'_>, has_buttons: bool) -> bool {
    let is_tabular = |block: &Block<'_>| is_tabular(block, has_buttons);
    let is_item = |item: &Item<'_>| {
        item.press.is_none()
            && (has_buttons || item.actions.is_empty())
            && item.blocks.iter().all(is_tabular)
    };
    match block {
        Block::Line(_) | Block::Picture(_) => true,
        Block::Actions(_) => has_buttons,
        Block::Item(item) => is_item(item),
        Block::List(list) => list.items.iter().all(is_item),
        Block::Facts { is_across, .. } => !is_across,
        Block::Columns(columns) => columns.iter().flatten().all(is_tabular),
        Block::Panel(panel) => panel.blocks.iter().all(is_tabular),
        _ => false,
    }
}

/// Adds the lines of a block of a cell.
pub(super) fn push_lines(block: &Block<'_>, lines: &mut Vec<Line>) {
    let mut push_item = |item: &Item<'_>| {
        lines.extend(item.lines.iter().chain(&item.trail));
        item.blocks.iter().for_each(|block| push_lines(block, lines));
    };
    match block {
        Block::Line(line) => lines.push(*line),
        Block::Item(item) => push_item(item),
        Block::List(list) => list.items.iter().for_each(push_item),
        Block::Facts { facts, .. } => {
            for Fact { label, value, is_stacked } in facts {
                if *is_stacked {
                    lines.extend([label, value]);
                } else {
                    lines.push(Line { split: value.from, ..Line::new(label.from, value.to) });
                }
            }
        }
        Block::Columns(columns) => {
            columns.iter().flatten().for_each(|block| push_lines(block, lines));
        }
        Block::Panel(panel) => panel.blocks.iter().for_each(|block| push_lines(block, lines)),
        _ => {}
    }
}

/// Adds the images and buttons of an item, with the indexes of their components.
fn push_others<'t>(item: Item<'t>, others: &mut Vec<(u32, Block<'t>)>) {
    let picture = item.picture.map(Block::Picture);
    let own = picture.into_iter().chain([Block::Actions(item.actions)]);
    own.chain(item.blocks).for_each(|block| push_others_of(block, others));
}

fn push_others_of<'t>(block: Block<'t>, others: &mut Vec<(u32, Block<'t>)>) {
    match block {
        Block::Picture(picture) => others.push((picture.at, block)),
        Block::Actions(actions) => {
            let one = |action: Action<'t>| (action.at, Block::Actions(vec![action]));
            others.extend(actions.into_iter().map(one));
        }
        Block::Item(item) => push_others(item, others),
        Block::List(list) => {
            list.items.into_iter().for_each(|item| push_others(item, others));
        }
        Block::Columns(columns) => {
            columns.into_iter().flatten().for_each(|block| push_others_of(block, others));
        }
        Block::Panel(panel) => {
            panel.blocks.into_iter().for_each(|block| push_others_of(block, others));
        }
        _ => {}
    }
}
