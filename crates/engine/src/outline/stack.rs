//! Children one below the other.

use super::block::{Block, Fact, Item, List};
use super::edge::rules;
use super::field::Field;
use super::read::{Part, Reader};
use super::rules::fired;
use super::siblings::has_varied_edges;
use super::span::{Line, Role, Span, SpanKind, top};
use crate::tree::Node;
use crate::tree::component::ComponentType;

/// What siblings form together.
enum Run {
    /// Nothing: each stays what it is.
    Apart,
    /// Rows of a table.
    Table,
    /// Items of a list.
    List,
    /// Labels and values.
    Facts,
    /// Labels and values, some with a remark below.
    Remarks,
    /// The label of the fields below it, with or without a remark in between.
    Label,
}

impl<'t> Reader<'t, '_> {
    /// Reads children that are one below the other.
    pub(super) fn stacked(&mut self, node: Node<'t>) {
        let parts = self.parts(node);
        for part in parts.iter().skip(1) {
            if let [Block::Picture(picture)] = &mut self.stack[part.from..part.to] {
                picture.follows = true;
            }
        }
        let is_plain = matches!(node.kind(), ComponentType::Col | ComponentType::Box);
        if is_plain && self.pair(&parts) {
            return;
        }
        let runs = self.runs(&parts);
        if runs.iter().any(|(run, _)| !matches!(run, Run::Apart)) {
            self.group(node, &parts, &runs);
        }
        if let Some(first) = parts.first() {
            if parts.iter().filter(|part| part.node.is(ComponentType::Button)).nth(2).is_some() {
                self.strong_buttons(first.from);
            }
            self.hints(first.from);
            self.stack[first.from..].iter_mut().for_each(framed_item);
        }
    }

    /// A small line below a field is the field's hint, unless it may be the label of the next part.
    fn hints(&mut self, start: usize) {
        if !self.stack[start..].iter().any(|block| matches!(block, Block::Field(_))) {
            return;
        }
        let mut blocks = self.take_from(start).into_iter().peekable();
        while let Some(mut block) = blocks.next() {
            if let Block::Field(field) = &block {
                while self.stack.pop_if(|last| is_hint_of(last, field)).is_some() {
                    fired("field-hint");
                }
            }
            let hint = match (&block, blocks.peek()) {
                (Block::Field(field), Some(Block::Line(line)))
                    if field.below.is_none() && self.top(*line) == Some(Role::Small) =>
                {
                    Some(*line)
                }
                _ => None,
            };
            if hint.is_some() {
                let line = blocks.next();
                let is_hint = matches!(
                    blocks.peek(),
                    None | Some(Block::Field(_) | Block::Actions(_) | Block::Divider)
                );
                match &mut block {
                    Block::Field(field) if is_hint => {
                        fired("field-hint");
                        field.below = hint;
                    }
                    _ => {
                        self.stack.push(block);
                        self.stack.extend(line);
                        continue;
                    }
                }
            }
            self.stack.push(block);
        }
    }

    fn parts(&mut self, node: Node<'t>) -> Vec<Part<'t>> {
        let mut parts = Vec::with_capacity(8);
        let is_varied = has_varied_edges(node);
        let mut is_ruled = false;
        for child in node.children() {
            self.is_varied = is_varied;
            let [above, below] = rules(child);
            let has_rule =
                (is_ruled || above) && !parts.is_empty() && !child.is(ComponentType::Divider);
            let span = self.spans.len() as u32;
            if has_rule {
                self.stack.push(Block::Divider);
            }
            let from = self.stack.len();
            self.read(child);
            let (to, span_end) = (self.stack.len(), self.spans.len() as u32);
            let part = Part { node: child, from, to, span, span_end, is_apart: false };
            if to > from {
                if has_rule {
                    parts.push(Part { from: from - 1, to: from, span_end: span, ..part });
                }
                parts.push(part);
                is_ruled = below;
            } else if has_rule {
                self.stack.pop();
            }
        }
        parts
    }

    /// Small text over larger text is a label over its value.
    fn pair(&mut self, parts: &[Part<'t>]) -> bool {
        let Some(start) = parts.first().map(|part| part.from) else { return false };
        let [Block::Line(label), Block::Line(value)] = self.stack[start..] else { return false };
        let is_pair = !label.is_split()
            && !value.is_split()
            && self.top(label) == Some(Role::Small)
            && self.top(value) > Some(Role::Small);
        if is_pair {
            fired("pair");
            self.stack.truncate(start);
            let facts = vec![Fact { label, value, is_stacked: true }];
            self.stack.push(Block::Facts { facts, is_across: false });
        }
        is_pair
    }

    /// The strongest emphasis among the texts of a line; none if it has no text.
    pub(super) fn top(&self, line: Line) -> Option<Role> {
        top(&self.spans[line.from as usize..line.to as usize])
    }

    /// Groups siblings: what each run forms, and the number of parts in it.
    fn runs(&self, parts: &[Part<'t>]) -> Vec<(Run, usize)> {
        let tables = self.tables(parts);
        let mut tables = tables.into_iter().peekable();
        let mut runs = Vec::with_capacity(parts.len());
        let mut at = 0;
        let mut follows_facts = false;
        while at < parts.len() {
            let table = tables.next_if(|(start, _)| *start == at);
            let end = tables.peek().map_or(parts.len(), |(start, _)| *start);
            let is_led = at.checked_sub(1).is_some_and(|before| self.is_remark(&parts[before]));
            let remarks = if is_led { 0 } else { self.remarks(&parts[at..end]) };
            let (mut run, count) = match (table, remarks) {
                (Some((_, count)), _) => (Run::Table, count),
                (None, 0) => self.run(&parts[at..end]),
                (None, count) => (Run::Remarks, count),
            };
            // Below a divider, a total is a fact if the parts that it sums up are.
            if matches!(run, Run::Apart) && follows_facts && self.is_fact(&parts[at]) {
                run = Run::Facts;
            }
            follows_facts = match run {
                Run::Apart => follows_facts && self.is_divider(&parts[at]),
                _ => matches!(run, Run::Facts | Run::Remarks),
            };
            let neighbours = [at.checked_sub(1), Some(at + count)];
            let mut neighbours = neighbours.into_iter().flatten().filter_map(|at| parts.get(at));
            match run {
                Run::List if neighbours.any(|part| self.is_section(part, &parts[at])) => {
                    runs.extend((0..count).map(|_| (Run::Apart, 1)));
                }
                run => runs.push((run, count)),
            }
            at += count;
        }
        runs
    }

    /// What the parts, from the first on, form together, and the number of parts.
    fn run(&self, parts: &[Part<'t>]) -> (Run, usize) {
        let is_entry = |part: &Part<'t>| part.node.is(ComponentType::ListViewItem);
        if is_entry(&parts[0]) {
            let count =
                parts.iter().take_while(|part| is_entry(part) && self.is_item(part)).count();
            let is_apart = count == 0 || parts.len() > 1 && self.is_outlier(&parts[..count]);
            return if is_apart { (Run::Apart, 1) } else { (Run::List, count) };
        }
        if let Some(count) = self.labelled(parts) {
            return (Run::Label, count);
        }
        let count = self.siblings(parts);
        let mut others = parts[1..count].iter().filter(|part| !self.is_divider(part));
        match self.is_fact(&parts[0]) {
            true if others.all(|part| self.is_fact(part)) => {
                let is_run = count > 1 || self.is_labelled(&parts[0]);
                (if is_run { Run::Facts } else { Run::Apart }, count)
            }
            _ if count > 1 => (Run::List, count),
            _ => (Run::Apart, 1),
        }
    }

    /// How many parts there are of a line, a remark on it, and the fields without a label that it names; none
    /// if the first part names no field. A small line above each field names that one, not a remark.
    fn labelled(&self, parts: &[Part<'t>]) -> Option<usize> {
        let blocks = |at: usize| parts.get(at).map(|part| &self.stack[part.from..part.to]);
        let is_small = |at: usize| parts.get(at).is_some_and(|part| self.is_remark(part));
        let is_unnamed = |at: usize| blocks(at).is_some_and(is_unnamed);
        let &[Block::Line(label)] = blocks(0)? else { return None };
        let has_remark =
            is_unnamed(2) && is_small(1) && !is_small(0) && !(is_small(3) && is_unnamed(4));
        let at = if has_remark { 2 } else { 1 };
        let names = is_unnamed(at) && !label.is_split() && self.top(label) < Some(Role::Title);
        names.then_some(at + 1)
    }

    fn is_remark(&self, part: &Part<'t>) -> bool {
        matches!(self.stack[part.from..part.to], [Block::Line(line)]
            if !line.is_split() && self.top(line) == Some(Role::Small))
    }

    /// The number of parts, from the first on, that are facts, if the first two have a remark below them. A
    /// small line above all of them would be a heading, and then so would those between them.
    fn remarks(&self, parts: &[Part<'t>]) -> usize {
        match parts {
            [first, remark, next, another, ..]
                if [remark, another].iter().all(|part| self.is_remark(part))
                    && [first, next].iter().all(|part| self.is_fact(part)) => {}
            _ => return 0,
        }
        let mut count = 0;
        while parts.get(count).is_some_and(|part| self.is_fact(part)) {
            count += 1;
            count += usize::from(parts.get(count).is_some_and(|part| self.is_remark(part)));
        }
        count
    }

    /// The label and the value of a part that is a label over its value, or one line: its two ends, or two
    /// cells of which the first is a column of labels or smaller than the second.
    pub(super) fn fact(&self, part: &Part<'t>) -> Option<Fact> {
        let line = match &self.stack[part.from..part.to] {
            [Block::Line(line)] => *line,
            [Block::Facts { facts, is_across: false }] => match facts[..] {
                [fact] => return Some(fact),
                _ => return None,
            },
            _ => return None,
        };
        let [label, value] = if line.is_split() { line.halves() } else { self.cell_pair(line)? };
        // A bar between the two belongs to the value.
        let spans = &self.spans[label.from as usize..label.to as usize];
        let bar = spans.iter().rev().take_while(|span| span.kind == SpanKind::Meter).count() as u32;
        let (label, value) =
            (Line::new(label.from, label.to - bar), Line::new(value.from - bar, value.to));
        let spans = &self.spans[label.from as usize..label.to as usize];
        let is_label = spans.iter().any(|span| span.kind == SpanKind::Text)
            && self.top(label) < Some(Role::Title);
        (is_label && !value.is_empty()).then_some(Fact { label, value, is_stacked: false })
    }

    fn cell_pair(&self, line: Line) -> Option<[Line; 2]> {
        let spans = &self.spans[line.from as usize..line.to as usize];
        let mut cells = (line.from..).zip(spans).filter(|(_, span)| span.starts_cell);
        let (Some((_, first)), Some((second, _)), None) =
            (cells.next(), cells.next(), cells.next())
        else {
            return None;
        };
        let [label, value] = [Line::new(line.from, second), Line::new(second, line.to)];
        let is_pair = first.kind == SpanKind::Text
            && self.top(value).is_some()
            && (first.is_sized
                || (first.role == Role::Small && self.top(value) > Some(Role::Small)));
        is_pair.then_some([label, value])
    }

    pub(super) fn is_fact(&self, part: &Part<'t>) -> bool {
        self.fact(part).is_some()
    }

    /// Whether the end of a line stands out more than its start, as a value next to its label does. Bold text
    /// before small text is a name with a state or a date next to it.
    fn is_labelled(&self, part: &Part<'t>) -> bool {
        self.fact(part).is_some_and(|fact| self.top(fact.value) > self.top(fact.label))
    }

    /// Replaces the blocks of siblings with what they form together.
    fn group(&mut self, node: Node<'t>, parts: &[Part<'t>], runs: &[(Run, usize)]) {
        let start = parts[0].from;
        let mut facts: Vec<Option<Fact>> = Vec::new();
        let mut at = 0;
        for (run, count) in runs {
            if matches!(run, Run::Facts | Run::Remarks) {
                facts.extend(parts[at..at + count].iter().map(|part| self.fact(part)));
            }
            at += count;
        }
        let mut blocks = self.take_from(start).into_iter();
        let mut at = 0;
        for (run, count) in runs {
            let run_parts = &parts[at..at + count];
            at += count;
            match run {
                Run::Apart => {
                    let count = run_parts[0].to - run_parts[0].from;
                    self.stack.extend(blocks.by_ref().take(count));
                }
                Run::Label => {
                    fired("field-label");
                    let mut lines =
                        blocks.by_ref().take(count - 1).filter_map(|block| line_of(&block));
                    let (label, mut remark) = (lines.next(), lines.next());
                    let mut named = blocks.next();
                    let fields = match &mut named {
                        Some(Block::Columns(columns)) => columns.iter_mut().flatten().collect(),
                        field => Vec::from_iter(field),
                    };
                    // Where one of several says what it takes, that is its name.
                    let mut is_first = true;
                    for block in fields {
                        let Block::Field(field) = block else { continue };
                        if field.is_unnamed() {
                            let is_named = std::mem::take(&mut is_first) || field.hint.is_empty();
                            field.above = label.filter(|_| is_named);
                        }
                        field.below = field.below.or_else(|| remark.take());
                    }
                    self.stack.extend(remark.map(Block::Line).into_iter().chain(named));
                }
                Run::Facts => {
                    fired("facts");
                    blocks.by_ref().take(run_parts.len()).for_each(drop);
                    let own = facts.drain(..facts.len().min(*count)).flatten();
                    match self.stack[start..].last_mut() {
                        // A total that is styled differently follows the parts that it sums up.
                        Some(Block::Facts { facts, is_across: false }) => facts.extend(own),
                        _ => {
                            let facts = own.collect();
                            self.stack.push(Block::Facts { facts, is_across: false });
                        }
                    }
                }
                Run::Remarks => {
                    fired("remark");
                    let mut items: Vec<Item<'t>> = Vec::with_capacity(*count);
                    for (part, fact) in run_parts.iter().zip(facts.drain(..*count)) {
                        let at = part.node.index();
                        match (fact, blocks.next(), items.last_mut()) {
                            (Some(Fact { label, value, .. }), ..) => {
                                let (lines, trail) = (vec![label], vec![value]);
                                items.push(Item { at, lines, trail, ..Item::default() });
                            }
                            (None, Some(Block::Line(line)), Some(item)) => item.lines.push(line),
                            _ => {}
                        }
                    }
                    let list = List { at: node.index(), items, is_across: false };
                    self.stack.push(Block::List(list));
                }
                Run::List => {
                    fired("list");
                    let items = items_of(run_parts, &mut blocks, &self.spans);
                    self.stack.push(Block::List(List {
                        at: node.index(),
                        items,
                        is_across: false,
                    }));
                }
                Run::Table => {
                    let table = self.table_of(run_parts, blocks.by_ref());
                    self.stack.push(Block::Table(table));
                }
            }
        }
    }

    /// The children of a container as the items of a list, for the role `list`.
    pub(super) fn listed(&mut self, node: Node<'t>) {
        fired("author");
        let start = self.stack.len();
        let parts = self.parts(node);
        let items = items_of(&parts, &mut self.stack.drain(start..), &self.spans);
        if !items.is_empty() {
            self.stack.push(Block::List(List { at: node.index(), items, is_across: false }));
        }
    }

    /// A container as a label and a value, for the role `fact`; unchanged if it contains anything but lines.
    pub(super) fn as_fact(&mut self, node: Node<'t>) {
        fired("author");
        let start = self.stack.len();
        let parts = self.parts(node);
        let is_line = |block: &Block<'t>| matches!(block, Block::Line(_));
        if parts.len() < 2 || !self.stack[start..].iter().all(is_line) {
            return;
        }
        self.stack.truncate(start);
        let label = Line::new(parts[0].span, parts[1].span);
        let value = Line::new(parts[1].span, self.spans.len() as u32);
        self.stack.push(Block::Facts {
            facts: vec![Fact { label, value, is_stacked: true }],
            is_across: false,
        });
    }
}

/// Each part as an item, except dividers between them.
fn items_of<'t>(
    parts: &[Part<'t>],
    blocks: &mut impl Iterator<Item = Block<'t>>,
    spans: &[Span<'t>],
) -> Vec<Item<'t>> {
    let mut items = Vec::with_capacity(parts.len());
    for part in parts {
        let count = part.to - part.from;
        let mut own = blocks.by_ref().take(count);
        match own.next() {
            Some(Block::Divider) if count == 1 => {}
            Some(Block::Item(item)) if count == 1 => items.push(item),
            first => items.push(Item::of(part.node, first.into_iter().chain(own), spans)),
        }
    }
    items
}

/// Whether blocks are one or several adjacent fields without a label, with or without buttons.
fn is_unnamed(blocks: &[Block<'_>]) -> bool {
    let is_unnamed = |block: &Block<'_>| matches!(block, Block::Field(field) if field.is_unnamed());
    match blocks {
        [Block::Columns(columns)] => {
            let mut inner = columns.iter().flatten();
            inner.clone().any(is_unnamed)
                && inner.all(|block| is_unnamed(block) || matches!(block, Block::Actions(_)))
        }
        [block] => is_unnamed(block),
        _ => false,
    }
}

/// Whether a block is a line of the hint of a field.
pub(super) fn is_hint_of(block: &Block<'_>, field: &Field<'_>) -> bool {
    matches!((block, field.below), (Block::Line(line), Some(hint))
        if hint.from <= line.from && line.to <= hint.to)
}

fn line_of(block: &Block<'_>) -> Option<Line> {
    match block {
        Block::Line(line) => Some(*line),
        _ => None,
    }
}

/// A frame around a few lines is an item, as it would be in a list.
fn framed_item(block: &mut Block<'_>) {
    let Block::Panel(panel) = block else { return };
    if !(2..4).contains(&panel.blocks.len()) || !panel.blocks.iter().all(Block::is_item_like) {
        return;
    }
    fired("framed-item");
    let mut item = Item { at: panel.at, is_framed: true, color: panel.color, ..Item::default() };
    panel.blocks.drain(..).for_each(|block| item.add(block));
    *block = Block::Item(item);
}
