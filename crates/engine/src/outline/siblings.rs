//! Groups adjacent containers of the same kind.

use super::block::Block;
use super::edge::{border_color, first_stroke};
use super::read::{Part, Reader, is_row};
use super::span::{Line, Role, Span, SpanKind};
use crate::budget;
use crate::tree::component::ComponentType;
use crate::tree::{Key, Node};

impl<'t> Reader<'t, '_> {
    /// The number of parts, from the first on, that are siblings of the same kind. Dividers between all of
    /// them belong to them; a divider between only some of them ends the group.
    pub(super) fn siblings(&self, parts: &[Part<'t>]) -> usize {
        // Content that only a few of them have does not make them different.
        let base = match parts {
            [first, next, ..] if self.is_rich(first) => next,
            [first, ..] => first,
            _ => return 1,
        };
        if !self.is_sibling(base) {
            return 1;
        }
        let look = self.look(base);
        let (mut before, mut now) = ([1, 1, 0], [1, 1, 0]);
        let (mut rich, mut even) = (usize::from(self.is_rich(&parts[0])), now);
        let (mut has_rules, mut is_ruled) = (None, false);
        for (index, part) in parts.iter().enumerate().skip(1) {
            // A part that begins no group is skipped, and those after it are compared again.
            if budget::steps(1).is_err() {
                break;
            }
            if self.is_divider(part) {
                is_ruled = true;
                continue;
            }
            let is_rich = self.is_rich(part) && is_built_like(base.node, part.node);
            let is_alike = part.node.kind() == parts[0].node.kind()
                && (self.is_sibling(part) && self.look(part) == look || is_rich);
            let is_ruled = std::mem::take(&mut is_ruled);
            if !is_alike {
                break;
            }
            if is_rich {
                even = if rich == 0 { now } else { even };
                rich += 1;
            }
            if *has_rules.get_or_insert(is_ruled) != is_ruled {
                // The part above belongs to this one rather than to those above the divider.
                now = if is_ruled { now } else { before };
                break;
            }
            let [_, found, strong] = now;
            let is_strong = self.part_top(part) >= Some(Role::Strong);
            (before, now) = (now, [index + 1, found + 1, strong + usize::from(is_strong)]);
        }
        let is_few = rich * 2 < now[1].max(1);
        let [count, found, strong] = if is_few { now } else { even };
        if self.is_outlier(&parts[..count]) {
            return 1;
        }
        // The last part is excluded as well if its structure differs from that of the first and the previous
        // one.
        let (last, before) = (&parts[count - 1], &parts[..count - 1]);
        if found > 2 {
            let near = before.iter().rposition(|part| !self.is_divider(part)).unwrap_or(0);
            let mut others = [&before[0], &before[near]].into_iter();
            if !others.any(|part| is_built_like(part.node, last.node)) {
                return near + 1;
            }
        }
        // A part that stands out above siblings that do not is their heading, except for the first of two
        // facts, one end of which is bold.
        let first = &parts[0];
        let is_uneven = |part: &Part<'t>| {
            self.fact(part).is_some_and(|fact| self.top(fact.label) != self.top(fact.value))
        };
        let is_heading = found > 1
            && strong == 0
            && self.part_top(first) >= Some(Role::Strong)
            && matches!(self.stack[first.from..first.to], [Block::Line(_)])
            && !(found == 2 && is_uneven(first) && self.is_fact(&parts[count - 1]));
        if is_heading { 1 } else { count }
    }

    /// Whether the first sibling does not belong to the group: its structure differs from that of the second,
    /// whose structure is that of the third.
    pub(super) fn is_outlier(&self, parts: &[Part<'t>]) -> bool {
        let mut parts = parts.iter().filter(|part| !self.is_divider(part));
        let (first, second, third) = (parts.next(), parts.next(), parts.next());
        let Some((first, second)) = first.zip(second) else {
            return first.is_some_and(|part| {
                part.node.is(ComponentType::ListViewItem) && !Self::is_pressed(part)
            });
        };
        // Two alone are of a kind only if they have the same children, but for some that one of them lacks.
        let is_like = match third {
            Some(_) => is_built_like(first.node, second.node),
            None => is_within(first.node, second.node) || is_within(second.node, first.node),
        };
        let is_one =
            self.is_fact(first) && self.is_fact(second) || Self::is_pressed(first) || is_like;
        !is_one && third.is_none_or(|third| is_built_like(second.node, third.node))
    }

    pub(super) fn is_item(&self, part: &Part<'t>) -> bool {
        matches!(self.stack[part.from..part.to], [Block::Item(_)])
    }

    pub(super) fn is_pressed(part: &Part<'t>) -> bool {
        part.node.get(Key::OnClickAction).is_some()
    }

    /// What siblings have in common: whether they contain a title, whether they are only badges, and whether
    /// they have other content below their lines.
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

    /// Whether a part is a container with text, and without blocks that cannot be part of an item.
    fn is_sibling(&self, part: &Part<'t>) -> bool {
        let blocks = &self.stack[part.from..part.to];
        part.node.children().next().is_some()
            && !part.node.is(ComponentType::Form)
            && blocks.iter().all(is_part)
            && blocks.iter().map(fields).sum::<usize>() < 2
            && blocks.iter().any(|block| self.has_text(block))
    }

    /// Whether a part is a stack of lines, in a frame or not, with facts, a list or a table below them.
    pub(super) fn is_rich(&self, part: &Part<'t>) -> bool {
        let blocks = match &self.stack[part.from..part.to] {
            [Block::Panel(panel)] => &panel.blocks[..],
            blocks if matches!(part.node.kind(), ComponentType::Col | ComponentType::Box) => blocks,
            _ => return false,
        };
        let is_content = |block: &Block<'t>| {
            use Block::{Chart, Divider, Facts, List, Markdown, Table};
            matches!(
                block,
                Facts { .. } | List(_) | Table(_) | Markdown { .. } | Chart(_) | Divider
            )
        };
        blocks.first().is_some_and(Block::is_item_like)
            && !blocks.iter().all(is_part)
            && blocks.iter().all(|block| is_part(block) || is_content(block))
            && blocks.iter().map(fields).sum::<usize>() == 0
    }

    /// Whether a part has the structure of another stack but contains a list or a similar block: then neither
    /// of them is an item.
    pub(super) fn is_section(&self, part: &Part<'t>, other: &Part<'t>) -> bool {
        let is_stack = matches!(part.node.kind(), ComponentType::Col | ComponentType::Box);
        let blocks = &self.stack[part.from..part.to];
        is_stack
            && part.node.kind() == other.node.kind()
            && !is_row(part.node)
            && !(blocks.iter().all(is_part) && blocks.iter().map(fields).sum::<usize>() < 2)
    }

    /// Whether a block other than a button or a field contains text.
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
}

/// Whether two containers start with children of the same kind, or have the same kinds of children in the
/// same order, where one may lack some. Entries of a list match in this way; a heading above them usually
/// does not.
fn is_built_like(one: Node<'_>, other: Node<'_>) -> bool {
    // Ignore a container that wraps all children, if both have one.
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
    // The same part may be compared with all others.
    if budget::steps((few.len() + many.len()) as u64 / 8).is_err() {
        return false;
    }
    if few.len() > many.len() {
        std::mem::swap(&mut few, &mut many);
    }
    // A child elsewhere in its row counts as different.
    if one.text(Key::Justify) != other.text(Key::Justify) {
        return few == many;
    }
    let mut rest = many.iter();
    few.first() == many.first() || few.iter().all(|kind| rest.any(|other| other == kind))
}

/// Whether another container has the same kinds of children in the same order, and possibly more. Icons count
/// as images.
fn is_within(one: Node<'_>, other: Node<'_>) -> bool {
    let kind = |node: Node<'_>| match node.kind() {
        ComponentType::Icon => ComponentType::Image,
        kind => kind,
    };
    let mut rest = other.children().map(kind);
    one.children().map(kind).all(|child| rest.any(|other| other == child))
}

/// The kind of a component compared with others: text, container, image or anything else.
pub(super) fn outer_kind(node: Node<'_>) -> ComponentType {
    match node.kind() {
        ComponentType::Caption | ComponentType::Title | ComponentType::Badge => ComponentType::Text,
        ComponentType::Image | ComponentType::Icon => ComponentType::Box,
        ComponentType::Col => ComponentType::Row,
        kind => kind,
    }
}

/// Whether the borders or accent strokes of children of the same kind differ in colour, and so carry
/// information.
pub(super) fn has_varied_edges(node: Node<'_>) -> bool {
    let mut seen = [None; 2];
    let is_container = |child: &Node<'_>| {
        matches!(
            child.kind(),
            ComponentType::Row
                | ComponentType::Col
                | ComponentType::Box
                | ComponentType::ListViewItem
        )
    };
    for child in node.children().filter(is_container) {
        let (seen, color) = match (child.get(Key::Border), first_stroke(child)) {
            (Some(_), _) => (&mut seen[0], border_color(child)),
            (None, Some(stroke)) => (&mut seen[1], stroke.color(Key::Background)),
            (None, None) => continue,
        };
        let (kind, first) = *seen.get_or_insert((child.kind(), color));
        if kind == child.kind() && first != color {
            return true;
        }
    }
    false
}

/// Whether a block can be part of an item.
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

/// The number of fields in a block.
fn fields(block: &Block<'_>) -> usize {
    match block {
        Block::Field(_) => 1,
        Block::Item(item) => item.blocks.iter().map(fields).sum(),
        Block::Panel(panel) => panel.blocks.iter().map(fields).sum(),
        Block::Columns(columns) => columns.iter().flatten().map(fields).sum(),
        _ => 0,
    }
}
