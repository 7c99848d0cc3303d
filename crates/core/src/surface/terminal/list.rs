//! Lists, facts, tables and columns.

use widgetcast_engine::outline::{Block, Fact, Item, Line, List, Table};
use widgetcast_engine::words::Word;

use super::grid::{GAP, Grid, Slot};
use super::line::beside;
use super::printer::Printer;
use super::text::{
    Lines, Run, Style, TextLine, address, indent as inset, join, stack, widest, wrap, wrap_below,
};

/// The least width of parts of one kind side by side, if there is room.
const TILE: usize = 12;
/// The most columns of a sign and the space behind it.
const SIGN: usize = 3;
/// The least width of a column that does not fit as it is.
const NARROW: usize = 22;

impl<'t> Printer<'_, 't> {
    pub(super) fn list(&self, list: &List<'t>, width: usize) -> Lines {
        if list.is_across && list.items.len() > 1 {
            return self.across(width, |width| self.inner().items(&list.items, width, Some(0)));
        }
        // What has more lines than a name and a remark is set apart by blank lines, else by indentation.
        let is_tall = list.items.iter().any(|item| item.lines.len() > 2 || !item.blocks.is_empty());
        let is_framed = list.items.iter().any(|item| item.is_framed);
        let items = self.items(&list.items, width, Some(if is_tall || is_framed { 0 } else { 2 }));
        let is_tall = is_tall || items.iter().any(|item| item.len() > 2);
        stack(items, is_tall)
    }

    /// The items of a list, laid out alike. `indent` is that of their further lines, unless these stand
    /// below a text that follows signs.
    pub(super) fn items(
        &self,
        items: &[Item<'t>],
        width: usize,
        indent: Option<usize>,
    ) -> Vec<Lines> {
        let is_framed = items.iter().any(|item| item.is_framed);
        let width = if is_framed && width >= 16 { width - 2 } else { width };
        let actions = |item: &Item<'t>, width| self.actions(&item.actions, width);
        // Buttons are at the end of all items or below all of them.
        let are_beside = items.iter().all(|item| {
            let actions = actions(item, width);
            let has_lines = !item.lines.is_empty() || actions.is_empty();
            has_lines && actions.len() < 2 && widest(&actions) <= width / 3
        });
        // Next to a single line, a button follows the trail of that line.
        let are_flat = items.iter().all(|item| item.lines.len() < 2 && !item.actions.is_empty());
        let ends = items.iter().map(|item| {
            let lines = item.trail.iter().flat_map(|line| wrap(&self.runs(*line, width), width));
            let mut lines: Lines = lines.collect();
            let actions = if are_beside { actions(item, width) } else { Lines::new() };
            match (&mut lines[..], &actions[..]) {
                ([end], [button]) if are_flat && end.width() + button.width() + 4 <= width / 2 => {
                    end.push("  ", &Style::default());
                    end.append(button);
                }
                _ => lines.extend(actions),
            }
            lines
        });
        let ends: Vec<Lines> = ends.collect();
        // Where a sign leads some of them, the others begin as far in.
        let leads: Vec<usize> = items
            .iter()
            .map(|item| item.lines.first().map_or(0, |line| self.lead(*line)))
            .collect();
        let most = leads
            .iter()
            .copied()
            .filter(|lead| *lead <= SIGN && !self.is_inner)
            .max()
            .unwrap_or_default();
        let room = ends.iter().map(|lines| widest(lines)).max().unwrap_or_default();
        let drawn = items.iter().zip(&ends).zip(leads).map(|((item, end), lead)| {
            let indent = indent.filter(|_| !item.lines.is_empty());
            let begin = if lead == 0 && indent.is_some() { most.min(width / 4) } else { 0 };
            let indent = indent.map_or(0, |indent| lead.max(begin).max(indent).min(width / 4));
            let draw = |width| {
                // Where there is no room next to the lines, the end follows those that it belongs to.
                let is_beside = room + 2 <= width / 2 || item.lines.len() < 2;
                let (end, below) =
                    if is_beside { (&end[..], &[][..]) } else { (&[][..], &end[..]) };
                let mut lines = beside(width, end, room, |width| {
                    self.item_lines(item, below, [begin, indent], width)
                });
                lines.extend(inset(indent, width, |width| {
                    let mut more = self.blocks(&item.blocks, width);
                    more.extend(if are_beside { Lines::new() } else { actions(item, width) });
                    more
                }));
                lines
            };
            match is_framed {
                true => self.framed(item.color, width + 2, |_| draw(width)),
                false => draw(width),
            }
        });
        drawn.collect()
    }

    /// The lines of an item, further ones below its name rather than below its sign.
    fn item_lines(
        &self,
        item: &Item<'t>,
        below: &[TextLine],
        [begin, indent]: [usize; 2],
        width: usize,
    ) -> Lines {
        let head = self.outline.lines_before_trail(item);
        let lines = item.lines.iter().enumerate().flat_map(|(index, line)| {
            let indent = if index > 0 { indent } else { begin };
            let mut lines = inset(indent, width, |width| self.line(*line, width));
            let end = below.iter().filter(|_| index + 1 == head);
            lines.extend(end.map(|line| TextLine::default().before(line)));
            lines
        });
        let mut lines: Lines = lines.collect();
        if let Some(picture) = item.picture.filter(|_| lines.is_empty() && item.trail.is_empty()) {
            lines = self.picture(&picture, width);
        }
        let link = item.press.and_then(|press| press.link).and_then(address);
        match (link, lines.first_mut()) {
            (Some(url), Some(first)) if self.links => {
                first.runs.iter_mut().for_each(|run| run.style.link = Some(url.clone()));
            }
            (Some(url), _) => {
                let url = [Run::new(&url, Style::dim())];
                lines.extend(inset(indent, width, |width| wrap(&url, width)));
            }
            _ => {}
        }
        lines
    }

    pub(super) fn facts(&self, facts: &[Fact], is_across: bool, width: usize) -> Lines {
        let draw =
            |line: &Line, width| wrap_below(&self.runs(*line, width), width, self.lead(*line));
        if is_across && facts.len() > 1 {
            let draw =
                |fact: &Fact, width| [draw(&fact.label, width), draw(&fact.value, width)].concat();
            return self
                .across(width, |width| facts.iter().map(|fact| draw(fact, width)).collect());
        }
        let rows = facts.iter().map(|fact| vec![fact.label.into(), fact.value.into()]).collect();
        Grid { rows, has_head: false, least: 0, is_adaptive: true }.print(width, draw)
    }

    /// Parts of one kind side by side, as many as fit.
    fn across(&self, width: usize, draw: impl Fn(usize) -> Vec<Lines>) -> Lines {
        let mut parts = draw(width);
        let share = ((width + GAP) / parts.len().max(1)).saturating_sub(GAP);
        let fits =
            |widths: &[usize]| widths.iter().map(|one| one + GAP).sum::<usize>() <= width + GAP;
        let size = |parts: &[Lines]| -> Vec<usize> {
            parts.iter().map(|lines| widest(lines).max(TILE)).collect()
        };
        let mut widths = size(&parts);
        if !fits(&widths) && !self.is_inner && share >= NARROW {
            parts = draw(share);
            widths = size(&parts);
        }
        let mut count = parts.len().max(1);
        if !fits(&widths) {
            let most = widths.iter().copied().max().unwrap_or_default();
            widths.fill(most);
            count = ((width + GAP) / (most + GAP)).max(1);
        }
        if count == 1 {
            return stack(parts, true);
        }
        let parts: Vec<_> =
            parts.iter().zip(widths).map(|(lines, width)| (&lines[..], width, false)).collect();
        stack(parts.chunks(count).map(|row| join(row, GAP)).collect(), true)
    }

    pub(super) fn table(&self, table: &Table<'t>, width: usize) -> Lines {
        let ends = table.ends();
        let rows = std::iter::once(&table.head).chain(&table.rows).filter(|row| !row.is_empty());
        let rows = rows.map(|row| {
            let mut column = 0;
            let slots = row.iter().map(|cell| {
                let is_end = cell.is_end || (cell.span == 1 && ends.get(column) == Some(&true));
                column += cell.span;
                Slot { content: &cell.item, span: cell.span, is_end }
            });
            slots.collect()
        });
        let grid = Grid {
            rows: rows.collect(),
            has_head: !table.head.is_empty(),
            least: 0,
            is_adaptive: !self.is_inner,
        };
        let mut out = grid.print(width, |item, width| self.inner().item(item, width));
        if table.rows.is_empty() {
            out.extend(wrap(&[Run::new(self.words.get(Word::Empty), Style::dim())], width));
        }
        out
    }

    /// Columns; those that follow each other and are as many share their widths.
    pub(super) fn columns(&self, rows: &[Block<'t>], width: usize) -> Lines {
        let rows = rows.iter().filter_map(|block| match block {
            Block::Columns(columns) => {
                let is_blank = |blocks: &&Vec<Block<'t>>| {
                    blocks.iter().all(|block| matches!(block, Block::Divider))
                };
                Some(columns.iter().filter(|blocks| !is_blank(blocks)).map(Slot::from).collect())
            }
            _ => None,
        });
        let grid = Grid {
            rows: rows.collect(),
            has_head: false,
            least: NARROW,
            is_adaptive: !self.is_inner,
        };
        grid.print(width, |blocks, width| self.inner().blocks(blocks, width))
    }

    /// For what is side by side.
    fn inner(&self) -> Self {
        Self { is_inner: true, ..*self }
    }
}
