//! Parts without text: bars, swatches and accent strokes.

use super::block::Block;
use super::color::Hue;
use super::edge::{border_color, is_ring, is_square, share};
use super::read::{Reader, is_row};
use super::rules::fired;
use super::span::{Role, Span, SpanKind};
use crate::tree::component::ComponentType;
use crate::tree::{Key, Node};

/// The share of a bar that a segment of fixed size takes.
const MARK: f32 = 0.01;

impl<'t> Reader<'t, '_> {
    /// Swatches one below the other become one line, which leads the column next to it.
    pub(super) fn signs(&mut self, from: usize, span: u32) {
        let is_line = |block: &Block<'t>| matches!(block, Block::Line(_));
        let is_signs = self.stack.len() > from + 1
            && self.stack[from..].iter().all(is_line)
            && !self.spans[span as usize..].iter().any(Span::is_text);
        if is_signs {
            fired("signs");
            self.stack.truncate(from);
            self.line(span);
        }
    }

    /// A bar whose size is data: an empty box whose width or height is a share of its container; several of
    /// them side by side are one bar. Also reads swatches: empty boxes with a colour. Returns false for
    /// anything else.
    pub(super) fn bar(&mut self, node: Node<'t>) -> bool {
        let from = self.spans.len() as u32;
        if node.children().next().is_none() {
            return self.swatch(node, from);
        }
        let is_part = |part: Node<'t>| part.is(ComponentType::Box) && is_label(part);
        if !node.children().all(is_part) {
            return false;
        }
        let mut total = 0.0;
        let mut has_color = false;
        let (mut is_share, mut has_share) = (true, false);
        node.children().for_each(|part| {
            has_color |= paint(part).is_some();
            // A segment of fixed size marks the end of the segment before it.
            is_share &= share(part).is_some() || paint(part).is_some();
            has_share |= share(part).is_some();
            total += grow(part).unwrap_or_default();
        });
        let is_row = is_row(node);
        // Boxes that share their row in proportion are segments of a bar, too.
        let is_flex = is_row
            && node.children().all(|part| grow(part).is_some() && is_thin(part))
            && !is_even(node);
        is_share &= has_share;
        if !has_color || !(is_share || is_flex && total > 0.0) {
            return false;
        }
        fired("meter");
        let is_one = is_row || node.children().nth(1).is_none();
        let has_hue = |part: Node<'t>| paint(part).and_then(Hue::of).is_some();
        let any_hue = node.children().any(has_hue);
        let mut begin = 0.0;
        for part in node.children() {
            let width = match is_share {
                true => share(part).unwrap_or_default(),
                false => grow(part).unwrap_or_default() / total,
            };
            // A segment of fixed size has almost no share, but must stay visible.
            let is_mark = is_share && share(part).is_none();
            let width = if is_mark { MARK } else { width as f32 };
            let end = (begin + width).min(1.0);
            let begin_of_mark = (end - MARK).max(0.0);
            let begin_here = if is_mark { begin_of_mark } else { begin };
            // Next to segments with a hue, neutral ones are the unfilled rest of the bar.
            let color = paint(part).filter(|_| is_share || !any_hue || has_hue(part));
            if color.is_none() {
                // A segment after a spacer is placed on a scale, even if the spacer has no length.
                begin = f32::MIN_POSITIVE.max(begin);
            } else {
                match self.spans[from as usize..].last_mut() {
                    // Merge adjacent segments of one colour.
                    Some(last) if is_one && last.color == color && last.range[1] == begin => {
                        last.range[1] = end;
                    }
                    _ => {
                        let meter = Span::plain(part.index(), Role::Body, "");
                        let (kind, range) = (SpanKind::Meter, [begin_here, end]);
                        self.spans.push(Span { kind, range, color, ..meter });
                    }
                }
                if !is_one {
                    self.line(self.spans.len() as u32 - 1);
                }
            }
            begin = if is_one { end.max(begin) } else { 0.0 };
        }
        if is_one {
            self.line(from);
        }
        // Text on the segments becomes one line below the bar.
        let (start, from) = (self.stack.len(), self.spans.len() as u32);
        node.children().flat_map(Node::children).for_each(|label| self.read(label));
        self.stack.truncate(start);
        self.line(from);
        true
    }

    /// An empty box: a bar, a swatch of its colour, or only space.
    fn swatch(&mut self, node: Node<'t>, from: u32) -> bool {
        let color = node.color(Key::Background);
        if color.is_none() && !is_ring(node) {
            return false;
        }
        // An accent stroke is read with its container.
        if self.edge.take_if(|edge| edge.index() == node.index()).is_some() {
            return true;
        }
        let color = color.or_else(|| border_color(node));
        let span = Span { color, ..Span::plain(node.index(), Role::Body, "") };
        self.spans.push(match share(node).filter(|share| *share < 1.0) {
            Some(share) => {
                fired("meter");
                Span { kind: SpanKind::Meter, range: [0.0, share as f32], ..span }
            }
            None if is_square(node) => {
                fired("swatch");
                Span { kind: SpanKind::Swatch, ..span }
            }
            // Next to other bars, a box that fills its container is a full bar.
            None if share(node).is_some() && span.hue().is_some() => {
                self.has_full_bar = true;
                Span { kind: SpanKind::Stroke, range: [0.0, 1.0], ..span }
            }
            None => Span { kind: SpanKind::Stroke, ..span },
        });
        self.line(from);
        true
    }
}

/// The colour that a box shows: its background, or its border if the background is neutral.
fn paint(node: Node<'_>) -> Option<&str> {
    let background = node.color(Key::Background);
    match background.and_then(Hue::of) {
        Some(_) => background,
        None => border_color(node).or(background),
    }
}

/// The box's `flex`, compared with its siblings.
fn grow(node: Node<'_>) -> Option<f64> {
    node.get(Key::Flex)?.scalar().parse().ok().filter(|grow: &f64| *grow > 0.0 && grow.is_finite())
}

/// Whether three or more children grow equally: such children are cells, and their sizes are not data.
fn is_even(node: Node<'_>) -> bool {
    let mut sizes = node.children().map(grow);
    let first = sizes.next();
    node.children().nth(2).is_some() && sizes.all(|size| Some(size) == first)
}

/// Whether a box is empty, or shows a colour behind its text.
fn is_thin(node: Node<'_>) -> bool {
    node.get(Key::Background).is_some()
}

/// Whether a box is empty, or contains only text.
fn is_label(node: Node<'_>) -> bool {
    let mut children = node.children();
    match (children.next(), children.next()) {
        (None, _) => true,
        (Some(child), None) => {
            matches!(child.kind(), ComponentType::Text | ComponentType::Caption)
        }
        _ => false,
    }
}
