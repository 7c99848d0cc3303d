//! What is known of a component once all below it has been read, so that no question about the
//! shape of a tree walks through it twice.

use std::ops::Range;

use super::name::{Key, Kind};
use super::node::Node;
use crate::tree::component::Fold;

#[derive(Clone, Debug)]
pub(super) struct Shape {
    /// Where its children are.
    pub children: Range<u32>,
    /// How many there are.
    pub count: u32,
    /// How many of them are groups.
    pub groups: u32,
    /// How many titles, its own or below, would be headings.
    pub titles: u32,
    /// Whether its children stand side by side.
    pub is_row: bool,
    /// Whether several things stand together in it.
    pub is_group: bool,
    /// Whether it reads better on one line than as a stack of blocks.
    pub is_one_line: bool,
}

impl Default for Shape {
    /// The shape of what has no children.
    fn default() -> Self {
        Self {
            children: 0..0,
            count: 0,
            groups: 0,
            titles: 0,
            is_row: false,
            is_group: false,
            is_one_line: true,
        }
    }
}

impl Shape {
    /// The shape of a component whose children have theirs.
    pub(super) fn of(node: Node<'_>, children: Range<u32>) -> Self {
        let (mut shape, kind) = (Self { children, ..Self::default() }, node.kind());
        shape.is_row = match kind {
            Kind::Row | Kind::ListViewItem | Kind::TableRow => true,
            Kind::RadioGroup => false,
            _ => node.says(Key::Direction, "row"),
        };
        let is_heading = kind == Kind::Title && node.text(Key::Value).is_some_and(is_heading);
        shape.titles = u32::from(is_heading);
        let (mut spacers, mut icons, mut records, mut lists, mut fits) = (0, 0, 0, 0, true);
        for child in node.siblings(shape.children.clone()) {
            shape.count += 1;
            spacers += u32::from(child.is(Kind::Spacer));
            icons += u32::from(child.is(Kind::Icon));
            let below = child.shape();
            shape.groups += u32::from(below.is_group);
            shape.titles += below.titles;
            // Groups of three and more side by side are records, not a sentence.
            records += u32::from(!below.is_row && below.count > 2);
            fits &= match child.fold() {
                Some(Fold::Chart | Fold::Table | Fold::Item) => false,
                Some(Fold::Block | Fold::Inline) => {
                    let is_small = below.count <= 5 && below.groups <= 2;
                    is_small && below.is_one_line && !child.is(Kind::Card)
                }
                Some(Fold::Field) => {
                    lists += u32::from(child.get(Key::Options).is_some_and(Node::is_list));
                    true
                }
                _ => !child.is(Kind::Markdown) && !child.has_lines(Key::Value),
            };
        }
        shape.is_group = shape.count - spacers - icons > 1 || shape.groups > 0;
        // One title heads what stands beside it; several are figures side by side.
        shape.is_one_line = fits
            && records < 2
            && (shape.titles != 1 || kind == Kind::ListViewItem)
            && (lists == 0 || (shape.is_row && is_pair(node.siblings(shape.children.clone()))));
        shape
    }
}

/// Whether it is words and one thing beside them.
fn is_pair<'a>(children: impl Iterator<Item = Node<'a>>) -> bool {
    let mut shown = children.filter(|child| !child.is(Kind::Spacer));
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
        Kind::Text | Kind::Caption | Kind::Label => true,
        Kind::Box | Kind::Row | Kind::Col => {
            let mut shown = node.children().filter(|child| !child.is(Kind::Icon));
            shown.next().is_some_and(is_words) && shown.next().is_none()
        }
        _ => false,
    }
}
