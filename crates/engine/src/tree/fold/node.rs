//! One value of a tree, with accessors for what the fold reads of it.

use std::ops::Range;

use super::name::{Key, words_key};
use super::shape::Shape;
use super::tree::{Item, NodeValue, TextRef, Tree};
use crate::tree::component::{ComponentType, Fold};

/// A value and the tree it is part of.
#[derive(Clone, Copy)]
pub(super) struct Node<'a> {
    tree: &'a Tree<'a>,
    item: &'a Item<'a>,
}

impl<'a> Node<'a> {
    pub(super) fn new(tree: &'a Tree<'_>, at: u32) -> Self {
        Node { tree, item: &tree.items[at as usize] }
    }

    pub(super) fn root(tree: &'a Tree<'_>) -> Option<Self> {
        tree.items.first().map(|item| Node { tree, item })
    }

    pub(super) fn fields_and_labels(tree: &'a Tree<'_>) -> impl Iterator<Item = Self> {
        tree.fields_and_labels.iter().map(|at| Node::new(tree, *at))
    }

    pub(super) fn shape(self) -> &'a Shape {
        &self.tree.shapes[self.item.shape as usize]
    }

    /// How it reads as text, if it is a component.
    pub(super) fn fold(self) -> Option<&'static Fold> {
        self.kind().component().map(|component| &component.fold)
    }

    /// Whether it is a component of this type.
    pub(super) fn is(self, kind: ComponentType) -> bool {
        self.item.component == kind
    }

    pub(super) fn kind(self) -> ComponentType {
        self.item.component
    }

    pub(super) fn children(self) -> impl Iterator<Item = Node<'a>> {
        self.siblings(self.shape().children.clone())
    }

    /// The values in a list.
    pub(super) fn list(self) -> impl Iterator<Item = Node<'a>> {
        self.siblings(self.item.at + 1..if self.is_list() { self.item.end } else { 0 })
    }

    /// The values that stand side by side in a range of the list.
    pub(super) fn siblings(self, mut range: Range<u32>) -> impl Iterator<Item = Node<'a>> {
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

    /// A member; of several of that name the last.
    pub(super) fn get(self, key: Key) -> Option<Node<'a>> {
        match self.item.value {
            NodeValue::Component(keys) if keys & key.bit() == 0 => return None,
            NodeValue::Component(_) | NodeValue::Object => {}
            _ => return None,
        }
        let members = self.siblings(self.item.at + 1..self.item.end);
        members.filter(|member| member.item.key == key).last()
    }

    /// A value in a row of data, by its name.
    pub(super) fn column(self, name: &str) -> Option<Node<'a>> {
        let end = if matches!(self.item.value, NodeValue::Row) { self.item.end } else { 0 };
        let mut members = self.siblings(self.item.at + 1..end);
        let pairs = std::iter::from_fn(|| Some((members.next()?, members.next()?)));
        pairs.filter(|(key, _)| key.scalar() == name).last().map(|(_, value)| value)
    }

    /// The text of a member, unless it is blank.
    pub(super) fn text(self, key: Key) -> Option<&'a str> {
        let text = self.get(key)?.scalar();
        text.contains(|c: char| !c.is_whitespace()).then_some(text)
    }

    /// The words of a component, if it has any.
    pub(super) fn own_text(self) -> Option<&'a str> {
        self.text(words_key(self.kind()))
    }

    /// The text of a member's member.
    pub(super) fn inner_text(self, key: Key, inner: Key) -> Option<&'a str> {
        self.get(key)?.text(inner)
    }

    fn resolve(self, text: TextRef<'a>) -> &'a str {
        match text {
            TextRef::Borrowed(text) => text,
            TextRef::Owned(at) => &self.tree.strings[at as usize],
        }
    }

    /// A scalar as text; of a list, an object or null, nothing.
    pub(super) fn scalar(self) -> &'a str {
        match self.item.value {
            NodeValue::Text(text) | NodeValue::Integer(text) | NodeValue::Number(text) => {
                self.resolve(text)
            }
            NodeValue::Bool(true) => "true",
            NodeValue::Bool(false) => "false",
            _ => "",
        }
    }

    /// Whether a member is that text.
    pub(super) fn has_text(self, key: Key, text: &str) -> bool {
        let member = self.get(key).map(|member| member.item.value);
        matches!(member, Some(NodeValue::Text(found)) if self.resolve(found) == text)
    }

    /// Whether a member is a text of several lines.
    pub(super) fn has_lines(self, key: Key) -> bool {
        let member = || self.get(key).map(|member| member.item.value);
        let is_lines = |text| self.resolve(text).trim().contains('\n');
        self.tree.has_line_breaks
            && matches!(member(), Some(NodeValue::Text(text @ TextRef::Owned(_))) if is_lines(text))
    }

    /// Whether a member is true.
    pub(super) fn flag(self, key: Key) -> bool {
        self.get(key).is_some_and(|member| matches!(member.item.value, NodeValue::Bool(true)))
    }

    /// Whether a member is an object.
    pub(super) fn has_object(self, key: Key) -> bool {
        self.get(key).is_some_and(|member| matches!(member.item.value, NodeValue::Object))
    }

    pub(super) fn is_number(self) -> bool {
        matches!(self.item.value, NodeValue::Integer(_) | NodeValue::Number(_))
    }

    pub(super) fn is_list(self) -> bool {
        matches!(self.item.value, NodeValue::List)
    }

    /// A whole number that is not negative.
    pub(super) fn count(self) -> Option<u64> {
        match self.item.value {
            NodeValue::Integer(text) => self.resolve(text).parse().ok(),
            _ => None,
        }
    }
}
