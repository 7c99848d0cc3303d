//! The end of a component: what its shape is, once all below it has been read.

use std::ops::Range;
use std::sync::OnceLock;

use super::name::{Key, Kind};
use super::node::{Item, Node, Tree, What};
use super::shape::Shape;
use crate::tree::component::{Component, Fold};

/// What is known of a component when it ends.
#[derive(Debug)]
pub(crate) struct Ending {
    kind: Kind,
    /// All keys that it may have.
    keys: u64,
    /// Whether it may be a form field, or a label that speaks of one.
    may_ask: bool,
    /// Its shape, if that is the same whenever it is written, unless a text below has lines.
    shape: Option<OnceLock<Shape>>,
}

impl Ending {
    /// Whether a component's shape depends on one of these members, apart from lines in a text.
    pub(crate) fn depends(kind: Kind, keys: u64) -> bool {
        let value = if kind == Kind::Title { Key::Value.bit() } else { 0 };
        keys & (Key::Direction.bit() | Key::Options.bit() | value) != 0
    }

    pub(crate) fn new(kind: Kind, keys: u64, has_one_shape: bool) -> Self {
        let is_field = matches!(kind.component(), Some(Component { fold: Fold::Field, .. }));
        let may_ask = is_field || kind == Kind::Label || keys & Key::Editable.bit() != 0;
        Self { kind, keys, may_ask, shape: has_one_shape.then(OnceLock::new) }
    }
}

impl Tree<'_> {
    /// Ends the component that began last: all below it is known, so its shape is, too.
    pub(crate) fn close_component(&mut self, ending: &Ending) {
        let at = self.close();
        let children = match self.items[at as usize].shape {
            0 => 0..0,
            place => match self.items[place as usize] {
                Item { what: What::List, at, end, .. } => at + 1..end,
                Item { at, end, .. } => at..end,
            },
        };
        let item = &mut self.items[at as usize];
        (item.kind, item.what, item.shape) = (ending.kind, What::Component(ending.keys), 0);
        if ending.may_ask {
            self.asking.push(at);
        }
        if !children.is_empty() || ending.kind == Kind::Title {
            item.shape = self.shapes.len() as u32;
            let node = Node { tree: self, item: &self.items[at as usize] };
            let shape = match &ending.shape {
                Some(shape) if !self.has_lines => {
                    let known = shape.get_or_init(|| Shape::of(node, children.clone()));
                    Shape { children, ..known.clone() }
                }
                _ => Shape::of(node, children),
            };
            self.shapes.push(shape);
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
