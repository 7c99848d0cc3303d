//! Borders of containers, and decorative boxes: dividers, accent strokes and swatches.

use super::color::Hue;
use crate::tree::component::ComponentType;
use crate::tree::{Key, Node};

/// The colour of a border, unless it is neutral.
pub(super) fn border_color(node: Node<'_>) -> Option<&str> {
    border_colors(node).find(|color| Hue::of(color).is_some())
}

fn border_colors<'t>(node: Node<'t>) -> impl Iterator<Item = &'t str> {
    node.get(Key::Border).into_iter().flat_map(|border| {
        let sides = [Key::X, Key::Y, Key::Left, Key::Right, Key::Top, Key::Bottom];
        let sides = sides.into_iter().filter_map(move |side| border.get(side)?.color(Key::Color));
        border.color(Key::Color).into_iter().chain(sides).filter(|color| !is_clear(color))
    })
}

/// Whether the border of a container is a divider above or below it rather than a frame.
pub(super) fn rules(node: Node<'_>) -> [bool; 2] {
    let Some(border) = node.get(Key::Border).filter(|border| border.is_object()) else {
        return [false; 2];
    };
    let has = |side| border.get(side).is_some_and(is_drawn);
    let is_frame = [Key::Size, Key::X, Key::Y, Key::Left, Key::Right].into_iter().any(has)
        || border_color(node).is_some()
        || node.get(Key::Background).is_some();
    match [has(Key::Top), has(Key::Bottom)] {
        _ if is_frame => [false; 2],
        [true, true] => [false; 2],
        rules => rules,
    }
}

/// Whether a container has a border on exactly one side.
pub(super) fn is_side(node: Node<'_>) -> bool {
    let Some(border) = node.get(Key::Border) else { return false };
    let has = |side: &Key| border.get(*side).is_some_and(is_drawn);
    let sides = [Key::Left, Key::Right, Key::Top, Key::Bottom].iter().filter(|side| has(side));
    sides.count() == 1 && ![Key::Size, Key::X, Key::Y].iter().any(has)
}

/// Whether a border has a width.
pub(super) fn is_drawn(border: Node<'_>) -> bool {
    let size = border.get(Key::Size).unwrap_or(border);
    size.scalar() != "0"
}

/// Whether a background is invisible.
pub(super) fn is_clear(color: &str) -> bool {
    matches!(color, "none" | "transparent")
}

fn is_empty_box(node: Node<'_>) -> bool {
    node.is(ComponentType::Box) && node.children().next().is_none()
}

/// The accent stroke at the start of a container: an empty coloured box that is neither a swatch nor a bar,
/// nor one of several boxes.
pub(super) fn first_stroke(node: Node<'_>) -> Option<Node<'_>> {
    let mut children = node.children();
    let first = children.next()?;
    let is_stroke = is_empty_box(first)
        && first.get(Key::Background).is_some()
        && !is_square(first)
        && share(first).is_none_or(|share| share >= 1.0)
        && children.next().is_some_and(|next| !is_empty_box(next));
    is_stroke.then_some(first)
}

/// Whether a box is an empty square with a border.
pub(super) fn is_ring(node: Node<'_>) -> bool {
    let is_sized = node.get(Key::Size).or(node.get(Key::Width)).is_some();
    is_sized && is_square(node) && node.get(Key::Border).is_some_and(is_drawn)
}

/// Whether a box is square.
pub(super) fn is_square(node: Node<'_>) -> bool {
    let side = |key| node.get(key).map(Node::scalar);
    node.get(Key::Size).is_some() || side(Key::Width) == side(Key::Height)
}

/// The share of its container that a box takes.
pub(super) fn share(node: Node<'_>) -> Option<f64> {
    node.share(Key::Width).or_else(|| node.share(Key::Height))
}
