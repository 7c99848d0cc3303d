//! Finds the heading of the card, and the nearest line before each field.

use super::block::{Block, Fact, Heading, Item};
use super::rules::fired;
use super::span::{Line, Role, Span, SpanKind, top};
use crate::tree::Node;

/// Makes the heading a separate block: the component with the author's role `heading`, or else the first
/// `Title`, or else the first line if it stands out.
pub(super) fn mark(blocks: &mut Vec<Block<'_>>, spans: &[Span<'_>], wanted: Option<Node<'_>>) {
    let of = |line: Line| &spans[line.from as usize..line.to as usize];
    let range = wanted.map_or(0..0, Node::range);
    let is_wanted = |line: Line| of(line).iter().any(|span| range.contains(&span.at));
    let is_title = |line: Line| top(of(line)) == Some(Role::Title);
    // A badge stands out for another reason.
    let is_strong = |line: Line| {
        let mut texts = of(line).iter().filter(|span| span.kind == SpanKind::Text);
        texts.any(|span| span.role == Role::Strong)
    };
    if wanted.is_some() && find(blocks, &is_wanted) {
        fired("author");
    } else if find(blocks, &is_title) {
        fired("heading");
    } else if let Some(first) = blocks.iter().position(|block| match block {
        Block::Picture(_) => false,
        Block::Line(line) => top(of(*line)) > Some(Role::Small),
        _ => true,
    }) && matches!(blocks[first], Block::Line(_) | Block::Item(_))
        && find(std::slice::from_mut(&mut blocks[first]), &is_strong)
    {
        fired("strong-heading");
    }
    quiet(blocks, spans);
    let is_sign = |span: &Span<'_>| matches!(span.kind, SpanKind::Icon | SpanKind::Swatch);
    // What explains colours is about what follows.
    let is_key = |line: Line| of(line).iter().any(|span| span.kind == SpanKind::Swatch);
    let is_small =
        |line: Line| top(of(line)) == Some(Role::Small) && !line.is_split() && !is_key(line);
    attach(blocks, &is_small, &|line: Line| of(line).iter().all(is_sign));
}

/// Sets the nearest line before each field without a label. `near` is the line before the blocks. The title of
/// the card does not count, because it applies to all fields.
pub(super) fn name_by_nearest(blocks: &mut [Block<'_>], near: &mut Option<Line>) {
    fn name_in(item: &mut Item<'_>, near: &mut Option<Line>) {
        *near = item.lines.first().copied().or(*near);
        name_by_nearest(&mut item.blocks, near);
    }
    for block in blocks {
        match block {
            Block::Line(line) => *near = Some(*line),
            Block::Item(item) => name_in(item, near),
            Block::List(list) => list.items.iter_mut().for_each(|item| name_in(item, near)),
            Block::Panel(panel) => name_by_nearest(&mut panel.blocks, near),
            Block::Columns(columns) => {
                columns.iter_mut().for_each(|column| name_by_nearest(column, near));
            }
            Block::Field(field) => {
                let line = near.take();
                field.near = line.filter(|_| field.above.is_none());
            }
            _ => {}
        }
    }
}

/// An image whose alt text is the title adds no text next to it.
fn quiet(blocks: &mut [Block<'_>], spans: &[Span<'_>]) {
    let heading = blocks.iter().find_map(|block| match block {
        Block::Heading(heading) => Some(heading.title()),
        _ => None,
    });
    let Some(line) = heading else { return };
    let [title] = &spans[line.from as usize..line.to as usize] else { return };
    for block in blocks {
        if let Block::Picture(picture) = block
            && picture.alt.trim() == title.text.trim()
        {
            picture.caption = "";
        }
    }
}

/// Turns the first block that contains such a line into the heading. Lists, tables and facts cannot become
/// the heading: titles in them belong to their items.
fn find(blocks: &mut [Block<'_>], is_heading: &dyn Fn(Line) -> bool) -> bool {
    for block in blocks {
        let found = match block {
            Block::Line(line) => {
                let [title, end] = line.halves();
                is_heading(title).then(|| {
                    let trail = if end.is_empty() { Vec::new() } else { vec![end] };
                    Item { lines: vec![title], trail, ..Item::default() }
                })
            }
            Block::Facts { facts, is_across: false } => match facts[..] {
                [Fact { label, value, .. }] if is_heading(value) && value.from == label.to => {
                    Some(Item { lines: vec![label, value], ..Item::default() })
                }
                _ => None,
            },
            Block::Item(item) => {
                item.lines.iter().any(|line| is_heading(*line)).then(|| std::mem::take(item))
            }
            Block::Panel(panel) => {
                if find(&mut panel.blocks, is_heading) {
                    return true;
                }
                None
            }
            Block::Columns(columns) => {
                if columns.iter_mut().any(|column| find(column, is_heading)) {
                    return true;
                }
                None
            }
            _ => None,
        };
        if let Some(item) = found {
            let title = item.lines.iter().position(|line| is_heading(*line)).unwrap_or(0);
            *block = Block::Heading(Box::new(Heading { item, title }));
            return true;
        }
    }
    false
}

/// A symbol directly above the heading leads it, and small text there or below belongs to it.
fn attach(
    blocks: &mut Vec<Block<'_>>,
    is_small: &dyn Fn(Line) -> bool,
    is_sign: &dyn Fn(Line) -> bool,
) {
    let Some(mut at) = blocks.iter().position(|block| matches!(block, Block::Heading(_))) else {
        for block in blocks {
            match block {
                Block::Panel(panel) => attach(&mut panel.blocks, is_small, is_sign),
                Block::Columns(columns) => {
                    columns.iter_mut().for_each(|column| attach(column, is_small, is_sign));
                }
                _ => {}
            }
        }
        return;
    };
    if let [.., Block::Line(sign), Block::Heading(heading)] = &mut blocks[..=at]
        && is_sign(*sign)
        && heading.item.lines[0].from == sign.to
    {
        fired("signs");
        heading.item.lines[0].from = sign.from;
        at -= 1;
        blocks.remove(at);
    }
    let small = |block: Option<&Block<'_>>| match block {
        Some(Block::Line(line)) if is_small(*line) => Some(*line),
        _ => None,
    };
    let below = small(blocks.get(at + 1));
    let above = at.checked_sub(1).and_then(|before| small(blocks.get(before)));
    let Block::Heading(heading) = &mut blocks[at] else { return };
    // Text next to the title would end up next to the line above.
    let above = above.filter(|_| heading.item.trail.is_empty() && heading.item.picture.is_none());
    // Text next to the title would come between the title and the line below it.
    let below = below.filter(|_| heading.item.blocks.is_empty());
    heading.item.lines.extend(below);
    if let Some(above) = above {
        heading.item.lines.insert(0, above);
        heading.title += 1;
    }
    if below.is_some() {
        fired("subtitle");
        blocks.remove(at + 1);
    }
    if above.is_some() {
        fired("subtitle");
        blocks.remove(at - 1);
    }
}
