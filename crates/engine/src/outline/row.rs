//! Children side by side.

use super::action::Action;
use super::block::{Block, Fact, Item, List, Panel};
use super::field::FieldKind;
use super::read::{Part, Reader};
use super::rules::fired;
use super::siblings::has_varied_edges;
use super::span::{Line, Role, Span, SpanKind, top};
use super::stack::is_hint_of;
use super::table::push_lines;
use crate::tree::component::ComponentType;
use crate::tree::{Key, Node};

/// What the blocks of a part form.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum PartKind {
    /// A line.
    Line,
    /// Only buttons.
    Actions,
    /// Only an image.
    Picture,
    /// Only a chart.
    Chart,
    /// Only a field.
    Field,
    /// A label over its value.
    Pair,
    /// A possible item: lines, images, buttons, another item.
    Item,
    /// Anything else.
    Complex,
}

impl<'t> Reader<'t, '_> {
    /// Reads children that are side by side.
    pub(super) fn row(&mut self, node: Node<'t>) {
        let start = self.stack.len();
        let parts = self.row_parts(node);
        let kinds: Vec<PartKind> = parts.iter().map(|part| self.part_kind(part)).collect();
        self.quiet(&parts);
        if parts.len() > 2 {
            self.strong_buttons(start);
        }
        let all = |kind| kinds.iter().all(|found| *found == kind);
        let tall = kinds.iter().filter(|kind| is_tall(**kind)).count();
        // A chart next to text belongs to the same item.
        let has_chart = kinds.contains(&PartKind::Chart);
        let has_field = kinds.contains(&PartKind::Field);
        let is_simple = !kinds.contains(&PartKind::Complex)
            && (!has_chart || tall > 0 || kinds.contains(&PartKind::Line))
            && (!has_field || self.has_item(start, &kinds));
        if parts.is_empty() {
        } else if all(PartKind::Line) {
            fired("line");
            let line = self.merged(&parts);
            self.stack.truncate(start);
            // Several strokes side by side are swatches, such as the days of a month in red and green. So are
            // strokes next to badges.
            let spans = &mut self.spans[line.from as usize..line.to as usize];
            let is_stroke = |span: &Span<'t>| span.kind == SpanKind::Stroke;
            let is_frame = |span: &Span<'t>| {
                is_stroke(span) || matches!(span.kind, SpanKind::Swatch | SpanKind::Badge)
            };
            let least = if spans.len() > 1 && spans.iter().all(is_frame) { 1 } else { 3 };
            for run in spans.chunk_by_mut(|one, other| is_stroke(one) == is_stroke(other)) {
                if is_stroke(&run[0]) && run.len() >= least {
                    fired("swatch");
                    run.iter_mut().for_each(|span| span.kind = SpanKind::Swatch);
                }
            }
            self.stack.push(Block::Line(line));
        } else if parts.len() == 1 {
        } else if all(PartKind::Actions) {
            let actions = self.stack.drain(start..).flat_map(actions_of).collect();
            self.stack.push(Block::Actions(actions));
        } else if all(PartKind::Pair) {
            fired("facts-across");
            let facts = self.stack.drain(start..).flat_map(facts_of).collect();
            self.stack.push(Block::Facts { facts, is_across: true });
        } else if self.parallel(node, start, &parts) {
        } else if let Some(apart) = self.ends(&parts, &kinds).filter(|_| is_simple) {
            fired("item-trail");
            let count = parts[apart].from - start;
            let mut blocks = self.stack.drain(start..);
            let mut item =
                led_item(node, &parts[..apart], blocks.by_ref().take(count), &self.spans);
            item.end_with(led_item(node, &parts[apart..], blocks, &self.spans));
            self.stack.push(Block::Item(item));
        } else if is_simple && tall < 2 {
            fired("item");
            self.one_item(node, start, &parts, &kinds);
        } else if (is_simple && !has_chart && !has_field || self.are_tiles(&parts, &kinds))
            && self.is_alike(&parts, &kinds)
        {
            fired("list-across");
            self.across(node, start, &parts);
        } else {
            self.complex_row(node, start, &parts, &kinds);
        }
    }

    /// An image whose alt text repeats the text after it adds nothing.
    fn quiet(&mut self, parts: &[Part<'t>]) {
        for pair in parts.windows(2) {
            let behind = &self.spans[pair[1].span as usize..pair[1].span_end as usize];
            let text = behind.first().map_or("", |span| span.text.trim());
            if let [Block::Picture(picture)] = &mut self.stack[pair[0].from..pair[0].to]
                && picture.alt.trim() == text
            {
                picture.caption = "";
            }
        }
    }

    /// Whether parts are stacks, some with facts, a list or a table below their lines.
    fn are_tiles(&self, parts: &[Part<'t>], kinds: &[PartKind]) -> bool {
        parts.iter().zip(kinds).all(|(part, kind)| is_tall(*kind) || self.is_rich(part))
    }

    /// Whether either all or none of several stacks in a row have a title; otherwise, the one with a title is
    /// a heading.
    fn is_alike(&self, parts: &[Part<'t>], kinds: &[PartKind]) -> bool {
        let is_stack = |kind: PartKind| is_tall(kind) || kind == PartKind::Complex;
        let stacks = parts.iter().zip(kinds).filter(|(_, kind)| is_stack(**kind));
        let titles = stacks.map(|(part, _)| {
            let spans = &self.spans[part.span as usize..part.span_end as usize];
            spans.iter().any(|span| span.role == Role::Title)
        });
        // A single title belongs to the whole row.
        titles.filter(|has_title| *has_title).count() != 1
    }

    /// Reads each part as an item. A symbol between two parts leads the second.
    fn across(&mut self, node: Node<'t>, start: usize, parts: &[Part<'t>]) {
        let mut blocks = self.stack.drain(start..);
        let mut items: Vec<Item<'t>> = Vec::with_capacity(parts.len());
        let mut sign: Option<Line> = None;
        for part in parts {
            let mut item =
                Item::of(part.node, blocks.by_ref().take(part.to - part.from), &self.spans);
            if let (Some(sign), Some(first)) = (sign.take(), item.lines.first_mut())
                && sign.to == first.from
            {
                first.from = sign.from;
                items.pop();
            }
            sign = match item.lines[..] {
                [line] if item.is_line() && item.picture.is_none() => {
                    let spans = &self.spans[line.from as usize..line.to as usize];
                    (!spans.iter().any(Span::is_text)).then_some(line)
                }
                _ => None,
            };
            items.push(item);
        }
        drop(blocks);
        // An icon after the last part goes to its end.
        if let (Some(sign), [.., last, end]) = (sign, &mut items[..])
            && end.picture.is_none()
        {
            last.trail.push(sign);
            items.pop();
        }
        self.stack.push(match items.len() {
            1 => Block::Item(items.remove(0)),
            _ => Block::List(List { at: node.index(), items, is_across: true }),
        });
    }

    /// Reads the children, and notes which of them are separated from the ones before.
    fn row_parts(&mut self, node: Node<'t>) -> Vec<Part<'t>> {
        let mut parts: Vec<Part<'t>> = Vec::with_capacity(4);
        let mut is_apart = false;
        let mut follows_growing = false;
        // The part that a growing part pushes to the end, unless a later part grows as well.
        let mut pushed: Option<usize> = None;
        let is_varied = has_varied_edges(node);
        for child in node.children() {
            self.is_varied = is_varied;
            if child.is(ComponentType::Spacer) {
                is_apart = !parts.is_empty();
                continue;
            }
            let (from, span) = (self.stack.len(), self.spans.len());
            self.read(child);
            let grows = child.get(Key::Flex).is_some();
            if self.stack.len() == from {
                // A growing part without content is a spacer, such as the dots between a name and a price.
                is_apart |= grows && !parts.is_empty();
                continue;
            }
            self.tagged(from);
            // A rule between the lines of a stack has no meaning next to another stack.
            let is_plain = |block: &Block<'t>| matches!(block, Block::Line(_) | Block::Divider);
            if self.stack.len() > from + 1 && self.stack[from..].iter().all(is_plain) {
                let lines = self.stack.split_off(from).into_iter();
                self.stack.extend(lines.filter(|block| matches!(block, Block::Line(_))));
            }
            // Cells of a nested row are not cells of this row.
            let mut cells = self.spans[span..].iter_mut();
            if let Some(first) = cells.next() {
                first.starts_cell = true;
                let size = child.get(Key::Size).filter(|_| child.is(ComponentType::Box));
                first.is_sized = child.get(Key::Width).or(child.get(Key::Flex)).or(size).is_some();
                cells.for_each(|span| span.starts_cell = false);
            }
            self.signs(from, span as u32);
            let to = self.stack.len();
            let (span, span_end) = (span as u32, self.spans.len() as u32);
            // A growing part pushes the rest to the end, as a spacer does, unless the rest grows as well.
            if grows && let Some(pushed) = pushed.take() {
                let part: &mut Part<'t> = &mut parts[pushed];
                part.is_apart = false;
            } else if follows_growing && !grows && !is_apart {
                (is_apart, pushed) = (true, Some(parts.len()));
            }
            parts.push(Part { node: child, from, to, span, span_end, is_apart });
            (is_apart, follows_growing) = (false, grows);
        }
        for [before, group] in parts.array_windows() {
            let [before, group] =
                [before, group].map(|part| part.span as usize..part.span_end as usize);
            let has_text = [before, group.clone()]
                .into_iter()
                .all(|range| self.spans[range].iter().any(Span::is_text));
            if let Some(sign) = self.spans.get_mut(group.start).filter(|_| has_text) {
                sign.is_group = matches!(sign.kind, SpanKind::Icon | SpanKind::Swatch);
            }
        }
        if let [_, .., last] = &parts[..]
            && let [Block::Picture(picture)] = &mut self.stack[last.from..last.to]
        {
            picture.is_end = true;
        }
        if let [_, last] = &mut parts[..] {
            last.is_apart |= node.text(Key::Justify) == Some("between");
        }
        // A unit directly follows its number, and the parts of a sentence are separated by a space.
        let gap = node.get(Key::Gap).and_then(Node::number);
        let from = parts.first().map_or(0, |part| part.span as usize);
        let is_close = match parts.len() {
            2 => gap.is_some_and(|gap| gap <= 1.0) || node.text(Key::Align) == Some("baseline"),
            _ => {
                let is_text = |span: &Span<'t>| span.kind == SpanKind::Text;
                gap.is_some_and(|gap| gap <= 1.0) && self.spans[from..].iter().all(is_text)
            }
        };
        if is_close {
            for [before, part] in parts.array_windows() {
                let (figures, units) = self.spans.split_at_mut(part.span as usize);
                let is_figure = figures[before.span as usize..].iter().any(Span::is_text);
                let is_close = is_figure && !part.is_apart;
                units.first_mut().into_iter().for_each(|span| span.is_close = is_close);
            }
        }
        parts
    }

    /// Text on a background next to other parts reads as a badge.
    fn tagged(&mut self, from: usize) {
        let [Block::Panel(Panel { color, blocks, .. })] = &self.stack[from..] else { return };
        let [Block::Line(line)] = blocks[..] else { return };
        fired("tag");
        let color = *color;
        for span in &mut self.spans[line.from as usize..line.to as usize] {
            if span.kind == SpanKind::Text && span.role != Role::Title {
                span.kind = SpanKind::Badge;
                span.color = color.or(span.color);
            }
        }
        self.stack[from] = Block::Line(line);
    }

    /// What the blocks of a part form together.
    pub(super) fn part_kind(&self, part: &Part<'t>) -> PartKind {
        match &self.stack[part.from..part.to] {
            [Block::Line(_)] => PartKind::Line,
            [Block::Actions(_)] => PartKind::Actions,
            [Block::Picture(_)] => PartKind::Picture,
            [Block::Chart(_)] => PartKind::Chart,
            [Block::Field(_)] => PartKind::Field,
            [Block::Facts { facts, is_across: false }] if facts.len() == 1 => PartKind::Pair,
            blocks if blocks.iter().all(Block::is_item_like) => PartKind::Item,
            _ => PartKind::Complex,
        }
    }

    /// Joins the lines of all parts into one.
    fn merged(&self, parts: &[Part<'t>]) -> Line {
        let mut line = Line::new(parts[0].span, self.spans.len() as u32);
        // Several spacers do not split a line in two, and neither do parts that are all strokes.
        let is_stroke = |span: &Span<'t>| span.kind == SpanKind::Stroke;
        let mut apart = parts.iter().filter(|part| {
            let before = &self.spans[line.from as usize..part.span as usize];
            part.is_apart && !before.iter().all(is_stroke)
        });
        line.split = match (apart.next(), apart.next()) {
            (Some(part), None) => part.span,
            // The last part may be split itself.
            (None, _) => match self.stack[parts[parts.len() - 1].from] {
                Block::Line(last) if last.is_split() => last.split,
                _ => line.split,
            },
            _ => line.split,
        };
        line
    }

    /// The first part of the end of a row, if the row has a start and an end, each at most one stack of
    /// lines, and at least one of them has several lines.
    fn ends(&self, parts: &[Part<'t>], kinds: &[PartKind]) -> Option<usize> {
        let apart = parts.iter().position(|part| part.is_apart)?;
        let (left, right) = kinds.split_at(apart);
        let tall = |kinds: &[PartKind]| kinds.iter().filter(|kind| is_tall(**kind)).count();
        // Two stacks of many lines with the same structure are two separate things.
        let lines = |parts: &[Part<'t>]| {
            let blocks = &self.stack[parts[0].from..parts[parts.len() - 1].to];
            blocks.iter().map(line_count).sum::<usize>()
        };
        let (starts, ends) = parts.split_at(apart);
        let roles = |parts: &[Part<'t>]| -> Vec<Role> {
            let mut lines = Vec::new();
            let blocks = &self.stack[parts[0].from..parts[parts.len() - 1].to];
            blocks.iter().for_each(|block| push_lines(block, &mut lines));
            lines.into_iter().filter_map(|line| self.top(line)).collect()
        };
        let fits = tall(left) < 2
            && tall(right) < 2
            && !right.contains(&PartKind::Picture)
            && match lines(ends).min(lines(starts)) {
                0..3 => true,
                3 => roles(starts) != roles(ends),
                _ => false,
            };
        let has_text =
            |kinds: &[PartKind]| kinds.iter().any(|kind| is_tall(*kind) || *kind == PartKind::Line);
        (fits && has_text(left) && has_text(right)).then_some(apart)
    }

    /// Parts of which at most one has several lines.
    fn one_item(&mut self, node: Node<'t>, start: usize, parts: &[Part<'t>], kinds: &[PartKind]) {
        let mut blocks = self.stack.drain(start..);
        let tall = kinds.iter().position(|kind| is_tall(*kind));
        let item = match tall {
            // Lines after the stack are its end.
            Some(tall) if tall + 1 < parts.len() => {
                let left = blocks.by_ref().take(parts[tall].to - start);
                let mut item = led_item(node, &parts[..=tall], left, &self.spans);
                item.end_with(led_item(node, &parts[tall + 1..], blocks, &self.spans));
                item
            }
            _ => led_item(node, parts, blocks, &self.spans),
        };
        self.stack.push(Block::Item(item));
    }

    /// Whether a row is an item with one field after its text: a field that acts by itself, or one without a
    /// label in a row with more than a label. Other fields are those of a form.
    fn has_item(&self, start: usize, kinds: &[PartKind]) -> bool {
        let mut fields = self.stack[start..].iter().filter_map(|block| match block {
            Block::Field(field) => Some(field),
            _ => None,
        });
        let (Some(field), None) = (fields.next(), fields.next()) else { return false };
        let before = kinds.split(|kind| *kind == PartKind::Field).next().unwrap_or_default();
        let has_text = before.iter().any(|kind| is_tall(*kind))
            || before.contains(&PartKind::Picture) && before.contains(&PartKind::Line);
        has_text
            && match field.is_unnamed() {
                true => kinds.len() > 2 && field.kind != FieldKind::Checkbox,
                false => field.change.is_some(),
            }
    }

    /// A row that contains more than lines: a line is the label of the field next to it, a symbol or an image
    /// leads the next part, and anything else becomes columns.
    fn complex_row(
        &mut self,
        node: Node<'t>,
        start: usize,
        parts: &[Part<'t>],
        kinds: &[PartKind],
    ) {
        // A line after a checkbox is its label or its hint.
        if let [Block::Field(field), Block::Line(line)] = &mut self.stack[start..]
            && field.kind == FieldKind::Checkbox
            && field.below.is_none()
        {
            fired("field-hint");
            *(if field.is_unnamed() { &mut field.above } else { &mut field.below }) = Some(*line);
            self.stack.pop();
            return;
        }
        let (last, before) = kinds.split_last().unwrap_or((&PartKind::Complex, &[]));
        let leads = |kind: &PartKind| matches!(kind, PartKind::Line | PartKind::Picture);
        let has_field = self.stack[start..].iter().any(|block| matches!(block, Block::Field(_)));
        let mut blocks = self.stack.drain(start..);
        if *last == PartKind::Complex && before.iter().all(leads) && !has_field {
            fired("item");
            let item = led_item(node, parts, blocks, &self.spans);
            self.stack.push(Block::Item(item));
            return;
        }
        let role = |line: Line| top(&self.spans[line.from as usize..line.to as usize]);
        let is_form = parts.len() == 2
            || kinds.iter().all(|kind| matches!(kind, PartKind::Line | PartKind::Field));
        let mut columns: Vec<Vec<Block<'t>>> = Vec::with_capacity(parts.len());
        for part in parts {
            let mut column: Vec<Block<'t>> = blocks.by_ref().take(part.to - part.from).collect();
            if let (Some([line]), [Block::Field(field)]) =
                (columns.last().map(Vec::as_slice), &column[..])
                && is_hint_of(line, field)
            {
                columns.pop();
            }
            // Lines side by side become one line, and the label of the field after them.
            let (label, remark) = match (columns.last_mut().map(Vec::as_mut_slice), &column[..]) {
                (Some([Block::Line(last)]), [Block::Line(line)]) if last.to == line.from => {
                    *last = Line::new(last.from, line.to);
                    continue;
                }
                (Some([Block::Line(label)]), _) => (Some(*label), None),
                (Some([Block::Line(label), Block::Line(remark)]), _)
                    if parts.len() == 2 && role(*remark) == Some(Role::Small) =>
                {
                    (Some(*label), Some(*remark))
                }
                _ => (None, None),
            };
            if let [Block::Field(field)] = &mut column[..]
                && is_form
                && field.is_unnamed()
                && (field.below.is_none() || remark.is_none())
                && label.is_some_and(|label| role(label) < Some(Role::Title))
            {
                fired("field-label");
                (field.above, field.below) = (label, field.below.or(remark));
                columns.pop();
            }
            columns.push(column);
        }
        drop(blocks);
        if columns.len() == 1 {
            self.stack.extend(columns.into_iter().flatten());
        } else {
            fired("columns");
            self.stack.push(Block::Columns(columns));
        }
    }
}

/// An item of parts side by side: parts before a stack of lines lead its first line.
fn led_item<'t>(
    node: Node<'t>,
    parts: &[Part<'t>],
    blocks: impl Iterator<Item = Block<'t>>,
    spans: &[Span<'t>],
) -> Item<'t> {
    let mut joined = Item { at: node.index(), ..Item::default() };
    let mut lead: Option<Line> = None;
    let mut charts: Vec<Block<'t>> = Vec::new();
    let mut parts = parts.iter().peekable();
    let base = parts.peek().map_or(0, |part| part.from);
    for (at, block) in (base..).zip(blocks) {
        while parts.next_if(|part| part.to <= at).is_some() {}
        let starts_part = parts.peek().is_some_and(|part| part.from == at);
        match block {
            Block::Line(line) => match lead {
                Some(before) if starts_part && before.to == line.from => {
                    let mut both = Line::new(before.from, line.to);
                    if before.is_split() {
                        both.split = before.split;
                    } else if parts.peek().is_some_and(|part| part.is_apart) {
                        both.split = line.from;
                    } else if line.is_split() {
                        both.split = line.split;
                    }
                    lead = Some(both);
                }
                _ => joined.add_line(lead.replace(line)),
            },
            // Images, buttons and charts do not separate the texts next to them.
            Block::Picture(_) | Block::Actions(_) => joined.add(block),
            Block::Chart(_) => charts.push(block),
            Block::Item(mut item) => {
                if let (Some(before), Some(first)) = (lead, item.lines.first_mut())
                    && starts_part
                    && before.to == first.from
                {
                    first.from = before.from;
                    lead = None;
                }
                joined.add_line(lead.take());
                joined.add(Block::Item(item));
            }
            Block::Facts { mut facts, is_across } => {
                let is_sign =
                    |line: Line| top(&spans[line.from as usize..line.to as usize]).is_none();
                match (lead, facts.first_mut()) {
                    // Text next to a label and its value does not belong to the label.
                    (Some(before), _) if starts_part && !is_sign(before) => {
                        joined.add_line(lead.take());
                        joined.blocks.push(Block::Facts { facts, is_across });
                        continue;
                    }
                    (Some(before), Some(first)) if starts_part && before.to == first.label.from => {
                        first.label.from = before.from;
                        lead = None;
                    }
                    _ => {}
                }
                joined.add_line(lead.take());
                joined.add(Block::Facts { facts, is_across });
            }
            other => {
                joined.add_line(lead.take());
                joined.add(other);
            }
        }
    }
    joined.add_line(lead);
    joined.blocks.extend(charts);
    joined.lead_with_signs(spans);
    joined
}

/// Whether a part may have more than one line.
fn is_tall(kind: PartKind) -> bool {
    matches!(kind, PartKind::Pair | PartKind::Item)
}

/// The number of text lines of a block that can be part of an item.
fn line_count(block: &Block<'_>) -> usize {
    match block {
        Block::Line(_) => 1,
        Block::Facts { facts, .. } => facts.len() * 2,
        Block::Item(item) => item.lines.len(),
        Block::Panel(panel) => panel.blocks.iter().map(line_count).sum(),
        _ => 0,
    }
}

fn actions_of(block: Block<'_>) -> Vec<Action<'_>> {
    match block {
        Block::Actions(actions) => actions,
        _ => Vec::new(),
    }
}

fn facts_of(block: Block<'_>) -> Vec<Fact> {
    match block {
        Block::Facts { facts, .. } => facts,
        _ => Vec::new(),
    }
}
