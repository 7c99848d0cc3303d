//! One value of a compact tree, with accessors for what its readers need.

use std::ops::Range;

use super::name::Key;
use super::tree::{CompactTree, Item, NodeValue, TextRef};
use crate::tree::component::{Component, ComponentType};

/// A value and the tree it is part of.
#[derive(Clone, Copy)]
pub struct Node<'a> {
    tree: &'a CompactTree<'a>,
    item: &'a Item<'a>,
}

impl CompactTree<'_> {
    /// The root component.
    pub fn root(&self) -> Option<Node<'_>> {
        (!self.is_empty()).then(|| Node::new(self, 0))
    }

    /// Every `Label` component, in reading order.
    pub fn labels(&self) -> impl Iterator<Item = Node<'_>> {
        self.labels.iter().map(|at| Node::new(self, *at))
    }

    /// Every component that may be a field of a form, in reading order.
    pub(crate) fn fields(&self) -> impl Iterator<Item = Node<'_>> {
        self.fields.iter().map(|at| Node::new(self, *at))
    }
}

impl<'a> Node<'a> {
    fn new(tree: &'a CompactTree<'_>, at: u32) -> Self {
        Node { tree, item: &tree.items[at as usize] }
    }

    /// Its index in the tree, for [`CompactTree::pointers`].
    pub fn index(self) -> u32 {
        self.item.at
    }

    /// The indexes of it and all its descendants.
    pub fn range(self) -> Range<u32> {
        self.item.at..self.item.end
    }

    /// Its component type; [`ComponentType::Other`] if it is not a component.
    pub fn kind(self) -> ComponentType {
        self.item.component
    }

    /// Whether it is a component of this type.
    pub fn is(self, kind: ComponentType) -> bool {
        self.item.component == kind
    }

    /// Its row in the component table.
    pub fn component(self) -> Option<&'static Component> {
        self.kind().component()
    }

    /// The components in `children`: a list or, in a Transition, a single one.
    pub fn children(self) -> impl Iterator<Item = Node<'a>> {
        let range = match self.item.children {
            0 => 0..0,
            at => {
                let item = &self.tree.items[at as usize];
                let is_list = matches!(item.value, NodeValue::List);
                if is_list { at + 1..item.end } else { at..item.end }
            }
        };
        self.siblings(range)
    }

    /// The items of a list; none for any other value.
    pub fn list(self) -> impl Iterator<Item = Node<'a>> {
        let is_list = matches!(self.item.value, NodeValue::List);
        self.siblings(self.item.at + 1..if is_list { self.item.end } else { 0 })
    }

    /// The values that are side by side in a range of the list.
    fn siblings(self, mut range: Range<u32>) -> impl Iterator<Item = Node<'a>> {
        std::iter::from_fn(move || {
            let at = range.start;
            if at >= range.end {
                return None;
            }
            let item = &self.tree.items[at as usize];
            range.start = item.end;
            Some(Node { tree: self.tree, item })
        })
    }

    /// Whether it may have a member; a component knows without a search.
    fn may_have(self, key: Key) -> bool {
        match self.item.value {
            NodeValue::Component(keys) => keys & key.bit() != 0,
            NodeValue::Object(_) => true,
            _ => false,
        }
    }

    /// A member; of duplicates the last.
    pub fn get(self, key: Key) -> Option<Node<'a>> {
        if !self.may_have(key) {
            return None;
        }
        let members = self.siblings(self.item.at + 1..self.item.end);
        members.filter(|member| member.item.key == key).last()
    }

    /// A value in a row of data, by its name.
    pub fn column(self, name: &str) -> Option<Node<'a>> {
        let end = if matches!(self.item.value, NodeValue::Row) { self.item.end } else { 0 };
        let mut members = self.siblings(self.item.at + 1..end);
        let pairs = std::iter::from_fn(|| Some((members.next()?, members.next()?)));
        pairs.filter(|(key, _)| key.scalar() == name).last().map(|(_, value)| value)
    }

    /// The text of a member, unless it is blank.
    pub fn text(self, key: Key) -> Option<&'a str> {
        let text = self.get(key)?.scalar();
        let is_visible = match text.as_bytes().first() {
            // Most begin with a letter.
            Some(b'!'..=b'~') => true,
            _ => text.contains(|c: char| !c.is_whitespace()),
        };
        is_visible.then_some(text)
    }

    /// The text of a member's member.
    pub fn inner_text(self, key: Key, inner: Key) -> Option<&'a str> {
        self.get(key)?.text(inner)
    }

    fn resolve(self, text: TextRef<'a>) -> &'a str {
        match text {
            TextRef::Borrowed(text) => text,
            TextRef::Owned(at) => &self.tree.strings[at as usize],
        }
    }

    /// A scalar as text; `None` for a list, an object or null.
    pub fn scalar(self) -> &'a str {
        match self.item.value {
            NodeValue::Text(text) | NodeValue::Integer(text) | NodeValue::Number(text) => {
                self.resolve(text)
            }
            NodeValue::Bool(true) => "true",
            NodeValue::Bool(false) => "false",
            _ => "",
        }
    }

    /// Whether a member is true.
    pub fn flag(self, key: Key) -> bool {
        self.get(key).is_some_and(|member| matches!(member.item.value, NodeValue::Bool(true)))
    }

    /// Whether it is an object.
    pub fn is_object(self) -> bool {
        matches!(self.item.value, NodeValue::Object(_))
    }

    /// The JSON of an object in a prop; empty for anything else, and in a tree that was built while
    /// rendering.
    pub fn json(self) -> &'a str {
        match self.item.value {
            NodeValue::Object(json) => json,
            _ => "",
        }
    }

    /// A number.
    pub fn number(self) -> Option<f64> {
        match self.item.value {
            NodeValue::Integer(text) | NodeValue::Number(text) => self.resolve(text).parse().ok(),
            _ => None,
        }
    }

    /// The value of a member that is a share in percent, from 0 to 1.
    pub fn share(self, key: Key) -> Option<f64> {
        let share = self.get(key)?.scalar().strip_suffix('%')?.trim().parse::<f64>().ok()?;
        share.is_finite().then_some((share / 100.0).clamp(0.0, 1.0))
    }

    /// A colour as written; of a pair for two themes, the light one.
    pub fn color(self, key: Key) -> Option<&'a str> {
        let color = self.get(key)?;
        if color.is_object() { color.text(Key::Light) } else { self.text(key) }
    }
}

impl std::fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} at {}", self.kind(), self.index())
    }
}
