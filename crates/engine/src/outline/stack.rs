//! What stands one below the other.

use super::block::{Block, Fact, Item, List};
use super::field::FieldKind;
use super::read::{Part, Reader, border_color, is_row, rules};
use super::rules::fired;
use super::span::{Line, Role, Span, SpanKind, top};
use crate::tree::component::ComponentType;
use crate::tree::{Key, Node};

/// What siblings are together.
enum Run {
    /// Nothing more than each of them is.
    Apart,
    /// Rows of a table.
    Table,
    /// Items of a list.
    List,
    /// Labels and values.
    Facts,
    /// Labels and values, with a remark below some of them.
    Remarks,
    /// A line that names the field below it.
    Label,
}

impl<'t> Reader<'t, '_> {
    /// Reads children that stand one below the other.
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
            self.hints(first.from);
            self.stack[first.from..].iter_mut().for_each(framed_item);
        }
    }

    /// A small line below a field is the hint of the field, unless something else follows that it may name.
    fn hints(&mut self, start: usize) {
        if !self.stack[start..].iter().any(|block| matches!(block, Block::Field(_))) {
            return;
        }
        let mut blocks = self.take_from(start).into_iter().peekable();
        while let Some(mut block) = blocks.next() {
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
        let is_varied = has_varied_borders(node);
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

    /// A small text over a larger one is a label over its value.
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

    /// How much the texts of a line stand out at the most; none if it has no text.
    pub(super) fn top(&self, line: Line) -> Option<Role> {
        top(&self.spans[line.from as usize..line.to as usize])
    }

    /// What runs of siblings are, each with the number of parts in it.
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
            // Below a rule, a sum is a fact as what it sums up is.
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

    /// What the parts from the first on are together, and how many they are.
    fn run(&self, parts: &[Part<'t>]) -> (Run, usize) {
        let is_entry = |part: &Part<'t>| part.node.is(ComponentType::ListViewItem);
        if is_entry(&parts[0]) {
            let count =
                parts.iter().take_while(|part| is_entry(part) && self.is_item(part)).count();
            let is_apart = count == 0 || parts.len() > 1 && self.is_outlier(&parts[..count]);
            return if is_apart { (Run::Apart, 1) } else { (Run::List, count) };
        }
        if let [line, field, ..] = parts
            && let [Block::Line(label)] = &self.stack[line.from..line.to]
            && let [Block::Field(field)] = &self.stack[field.from..field.to]
            && !label.is_split()
            && self.top(*label) < Some(Role::Title)
            && field.label.is_empty()
            && field.above.is_none()
        {
            return (Run::Label, 2);
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

    fn is_remark(&self, part: &Part<'t>) -> bool {
        matches!(self.stack[part.from..part.to], [Block::Line(line)]
            if !line.is_split() && self.top(line) == Some(Role::Small))
    }

    /// How many parts from the first on are facts, of which the first two have a remark below them. A small
    /// line above all of them would be a heading, and so would those between them.
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

    /// How many parts from the first on are siblings of one kind. Rules between all of them belong to them;
    /// one between some of them ends the siblings.
    fn siblings(&self, parts: &[Part<'t>]) -> usize {
        if !self.is_sibling(&parts[0]) {
            return 1;
        }
        let look = self.look(&parts[0]);
        let (mut before, mut now) = ([1, 1, 0], [1, 1, 0]);
        let (mut has_rules, mut is_ruled) = (None, false);
        for (index, part) in parts.iter().enumerate().skip(1) {
            if self.is_divider(part) {
                is_ruled = true;
                continue;
            }
            let is_alike = (self.is_sibling(part) || self.is_bare_field(part))
                && part.node.kind() == parts[0].node.kind()
                && self.look(part) == look;
            let is_ruled = std::mem::take(&mut is_ruled);
            if !is_alike {
                break;
            }
            if *has_rules.get_or_insert(is_ruled) != is_ruled {
                // The one above belongs to this one, rather than to those above the rule.
                now = if is_ruled { now } else { before };
                break;
            }
            let [_, found, strong] = now;
            let is_strong = self.part_top(part) >= Some(Role::Strong);
            (before, now) = (now, [index + 1, found + 1, strong + usize::from(is_strong)]);
        }
        let [count, found, strong] = now;
        if self.is_outlier(&parts[..count]) {
            return 1;
        }
        // Nor is the last one, if it is built in another way than the first one and the one before it.
        let (last, before) = (&parts[count - 1], &parts[..count - 1]);
        if found > 2 {
            let near = before.iter().rposition(|part| !self.is_divider(part)).unwrap_or(0);
            let mut others = [&before[0], &before[near]].into_iter();
            if !others.any(|part| is_built_like(part.node, last.node)) {
                return near + 1;
            }
        }
        // What stands out above siblings none of which does is their heading, but not the first of two
        // facts, one end of which is in bold.
        let first = &parts[0];
        let is_heading = found > 1
            && strong == 0
            && self.part_top(first) >= Some(Role::Strong)
            && matches!(self.stack[first.from..first.to], [Block::Line(_)])
            && !(found == 2 && self.is_labelled(first) && self.is_fact(&parts[count - 1]));
        if is_heading { 1 } else { count }
    }

    /// Whether the first of some siblings is not one of them: it is built in another way than the second, and
    /// that one as the third.
    fn is_outlier(&self, parts: &[Part<'t>]) -> bool {
        let mut parts = parts.iter().filter(|part| !self.is_divider(part));
        let (first, second, third) = (parts.next(), parts.next(), parts.next());
        let Some((first, second)) = first.zip(second) else {
            return first.is_some_and(|part| {
                part.node.is(ComponentType::ListViewItem) && !Self::is_pressed(part)
            });
        };
        let is_one = self.is_fact(first) && self.is_fact(second)
            || Self::is_pressed(first)
            || is_built_like(first.node, second.node);
        !is_one && third.is_none_or(|third| is_built_like(second.node, third.node))
    }

    fn is_item(&self, part: &Part<'t>) -> bool {
        matches!(self.stack[part.from..part.to], [Block::Item(_)])
    }

    fn is_pressed(part: &Part<'t>) -> bool {
        part.node.get(Key::OnClickAction).is_some()
    }

    /// What siblings have in common: whether there is a title in them, whether they are badges alone, and
    /// whether they have content of their own below their lines, and so more than a line.
    fn look(&self, part: &Part<'t>) -> [bool; 3] {
        let spans = &self.spans[part.span as usize..part.span_end as usize];
        let is_badge = |span: &Span<'t>| span.kind == SpanKind::Badge;
        let has_content = |block: &Block<'t>| match block {
            Block::Item(item) => !item.blocks.iter().all(is_part),
            _ => false,
        };
        [
            spans.iter().any(|span| span.role == Role::Title),
            !spans.is_empty() && spans.iter().all(is_badge),
            self.stack[part.from..part.to].iter().any(has_content),
        ]
    }

    /// Whether a part is a check box alone, as beside others with a text behind it.
    fn is_bare_field(&self, part: &Part<'t>) -> bool {
        matches!(&self.stack[part.from..part.to],
            [Block::Field(field)] if field.kind == FieldKind::Checkbox && part.node.children().next().is_some())
    }

    /// Whether a part is a container with text, and with nothing in it that stands for itself.
    fn is_sibling(&self, part: &Part<'t>) -> bool {
        let blocks = &self.stack[part.from..part.to];
        part.node.children().next().is_some()
            && !part.node.is(ComponentType::Form)
            && blocks.iter().all(is_part)
            && blocks.iter().map(fields).sum::<usize>() < 2
            && blocks.iter().any(|block| self.has_text(block))
    }

    /// Whether a part is a stack like another one, but one with a list or the like in it: then neither is
    /// an item.
    fn is_section(&self, part: &Part<'t>, other: &Part<'t>) -> bool {
        let is_stack = matches!(part.node.kind(), ComponentType::Col | ComponentType::Box);
        let blocks = &self.stack[part.from..part.to];
        is_stack
            && part.node.kind() == other.node.kind()
            && !is_row(part.node)
            && !(blocks.iter().all(is_part) && blocks.iter().map(fields).sum::<usize>() < 2)
    }

    /// Whether there is text in a block that is neither a button nor a field.
    fn has_text(&self, block: &Block<'t>) -> bool {
        match block {
            Block::Line(line) => self.top(*line).is_some(),
            Block::Item(item) => item.lines.iter().any(|line| self.top(*line).is_some()),
            Block::Facts { .. } => true,
            Block::Panel(panel) => panel.blocks.iter().any(|block| self.has_text(block)),
            Block::Columns(columns) => columns.iter().flatten().any(|block| self.has_text(block)),
            _ => false,
        }
    }

    pub(super) fn is_divider(&self, part: &Part<'t>) -> bool {
        matches!(self.stack[part.from..part.to], [Block::Divider])
    }

    /// The label and the value of a part that is one line: its two ends, or two cells of which the first is
    /// a column of labels or smaller than the second.
    fn fact(&self, part: &Part<'t>) -> Option<Fact> {
        let [Block::Line(line)] = self.stack[part.from..part.to] else { return None };
        let [label, value] = if line.is_split() { line.halves() } else { self.cell_pair(line)? };
        // A bar between the two is part of the value.
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

    fn is_fact(&self, part: &Part<'t>) -> bool {
        self.fact(part).is_some()
    }

    /// Whether the two ends of a line differ in how much they stand out, as a label and a value do.
    fn is_labelled(&self, part: &Part<'t>) -> bool {
        self.fact(part).is_some_and(|fact| {
            let (label, value) = (self.top(fact.label), self.top(fact.value));
            let ends = &self.spans[fact.value.from as usize..fact.value.to as usize];
            // What is in bold before a badge is a name with its state.
            let is_name =
                label == Some(Role::Strong) && ends.iter().all(|span| span.kind == SpanKind::Badge);
            label != value && value.is_some() && !is_name
        })
    }

    /// How much the first line of a part stands out.
    fn part_top(&self, part: &Part<'t>) -> Option<Role> {
        fn first<'b>(blocks: &'b [Block<'_>]) -> Option<Line> {
            blocks.iter().find_map(|block: &'b Block<'_>| match block {
                Block::Line(line) => Some(*line),
                Block::Item(item) => item.lines.first().copied(),
                Block::Panel(panel) => first(&panel.blocks),
                Block::Facts { facts, .. } => facts.first().map(|fact| fact.value),
                _ => None,
            })
        }
        self.top(first(&self.stack[part.from..part.to])?)
    }

    /// Replaces the blocks of siblings by what they are together.
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
                    let label = blocks.next();
                    if let (Some(Block::Line(line)), Some(Block::Field(mut field))) =
                        (label, blocks.next())
                    {
                        field.above = Some(line);
                        self.stack.push(Block::Field(field));
                    }
                }
                Run::Facts => {
                    fired("facts");
                    blocks.by_ref().take(run_parts.len()).for_each(drop);
                    let facts = facts.drain(..facts.len().min(*count)).flatten().collect();
                    self.stack.push(Block::Facts { facts, is_across: false });
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

    /// The children of a container as the items of a list, as its author wants.
    pub(super) fn listed(&mut self, node: Node<'t>) {
        fired("author");
        let start = self.stack.len();
        let parts = self.parts(node);
        let items = items_of(&parts, &mut self.stack.drain(start..), &self.spans);
        if !items.is_empty() {
            self.stack.push(Block::List(List { at: node.index(), items, is_across: false }));
        }
    }

    /// A container as a label and a value, as its author wants; as it is if it has other things in it than
    /// lines.
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

/// Whether two containers begin with a child of the same kind, or have children of the same kinds in the
/// same order, but for some that one of them lacks: so do the entries of a list, and what stands above
/// them need not.
fn is_built_like(one: Node<'_>, other: Node<'_>) -> bool {
    // A container around all that is in another one says nothing, if it is in both.
    fn only(node: Node<'_>) -> Option<Node<'_>> {
        let mut children = node.children();
        children.next().filter(|_| children.next().is_none())
    }
    let (mut one, mut other) = (one, other);
    while let Some((first, second)) = only(one).zip(only(other)) {
        (one, other) = (first, second);
    }
    let kinds = |node: Node<'_>| -> Vec<ComponentType> {
        node.children().map(outer_kind).filter(|kind| *kind != ComponentType::Spacer).collect()
    };
    let (mut few, mut many) = (kinds(one), kinds(other));
    if few.len() > many.len() {
        std::mem::swap(&mut few, &mut many);
    }
    let mut rest = many.iter();
    few.first() == many.first() || few.iter().all(|kind| rest.any(|other| other == kind))
}

/// What a component is beside others: a text, a container, a picture or whatever else.
pub(super) fn outer_kind(node: Node<'_>) -> ComponentType {
    match node.kind() {
        ComponentType::Caption | ComponentType::Title | ComponentType::Badge => ComponentType::Text,
        ComponentType::Image => ComponentType::Box,
        ComponentType::Col => ComponentType::Row,
        kind => kind,
    }
}

/// Whether the borders of children of one kind differ in colour: then it says something.
pub(super) fn has_varied_borders(node: Node<'_>) -> bool {
    let mut framed = node.children().filter(|child| child.get(Key::Border).is_some());
    let Some(first) = framed.next() else { return false };
    let color = border_color(first);
    framed.any(|child| child.kind() == first.kind() && border_color(child) != color)
}

/// Each part as an item, but for rules between them.
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

/// A frame around a few lines is an item, as it would be among others of its kind.
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

/// Whether a block can be a part of something, rather than stand for itself.
fn is_part(block: &Block<'_>) -> bool {
    match block {
        Block::Line(_) | Block::Picture(_) | Block::Actions(_) | Block::Item(_) => true,
        Block::Facts { facts, .. } => facts.len() == 1,
        Block::Field(_) => true,
        Block::Panel(panel) => panel.blocks.iter().all(is_part),
        Block::Columns(columns) => columns.iter().flatten().all(is_part),
        _ => false,
    }
}

/// How many fields there are in a block.
fn fields(block: &Block<'_>) -> usize {
    match block {
        Block::Field(_) => 1,
        Block::Panel(panel) => panel.blocks.iter().map(fields).sum(),
        Block::Columns(columns) => columns.iter().flatten().map(fields).sum(),
        _ => 0,
    }
}
