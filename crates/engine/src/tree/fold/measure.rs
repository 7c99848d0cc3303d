//! Measures the shape of a component from its children.

use std::ops::Range;

use super::name::Key;
use super::node::Node;
use super::shape::Shape;
use crate::tree::component::{ComponentType, Fold};

/// The shape of a component whose children have theirs.
pub(super) fn measure(node: Node<'_>, children: Range<u32>) -> Shape {
    let (mut shape, kind) = (Shape { children, ..Shape::default() }, node.kind());
    shape.is_row = match kind {
        ComponentType::Row | ComponentType::ListViewItem | ComponentType::TableRow => true,
        ComponentType::RadioGroup => false,
        _ => node.has_text(Key::Direction, "row"),
    };
    let is_heading = kind == ComponentType::Title && node.text(Key::Value).is_some_and(is_heading);
    shape.titles = u32::from(is_heading);
    let (mut spacers, mut icons, mut records, mut lists, mut fits) = (0, 0, 0, 0, true);
    for child in node.siblings(shape.children.clone()) {
        shape.count += 1;
        spacers += u32::from(child.is(ComponentType::Spacer));
        icons += u32::from(child.is(ComponentType::Icon));
        let below = child.shape();
        shape.groups += u32::from(below.is_group);
        shape.titles += below.titles;
        // Groups of three and more side by side are records, not a sentence.
        records += u32::from(!below.is_row && below.count > 2);
        fits &= match child.fold() {
            Some(Fold::Chart | Fold::Table | Fold::Item) => false,
            Some(Fold::Block | Fold::Inline) => {
                let is_small = below.count <= 5 && below.groups <= 2;
                is_small && below.is_one_line && !child.is(ComponentType::Card)
            }
            Some(Fold::Field) => {
                lists += u32::from(child.get(Key::Options).is_some_and(Node::is_list));
                true
            }
            _ => !child.is(ComponentType::Markdown) && !child.has_lines(Key::Value),
        };
    }
    shape.is_group = shape.count - spacers - icons > 1 || shape.groups > 0;
    // One title is the heading of the rest; several are figures side by side.
    shape.is_one_line = fits
        && records < 2
        && (shape.titles != 1 || kind == ComponentType::ListViewItem)
        && (lists == 0 || (shape.is_row && is_pair(node.siblings(shape.children.clone()))));
    shape
}

/// Whether the children are words and one other component.
fn is_pair<'a>(children: impl Iterator<Item = Node<'a>>) -> bool {
    let mut shown = children.filter(|child| !child.is(ComponentType::Spacer));
    shown.next().is_some_and(is_words) && shown.count() == 1
}

/// A title of words is a heading; `28` or `7°C` in large print is a figure.
pub(super) fn is_heading(title: &str) -> bool {
    let mut letters = title.chars().filter(|c| c.is_alphabetic());
    letters.clone().count() >= 4 || letters.any(|c| !c.is_ascii())
}

/// Whether a component is words and nothing else.
pub(super) fn is_words(node: Node<'_>) -> bool {
    match node.kind() {
        ComponentType::Text | ComponentType::Caption | ComponentType::Label => true,
        ComponentType::Box | ComponentType::Row | ComponentType::Col => {
            let mut shown = node.children().filter(|child| !child.is(ComponentType::Icon));
            shown.next().is_some_and(is_words) && shown.next().is_none()
        }
        _ => false,
    }
}
