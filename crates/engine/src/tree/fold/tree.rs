//! A tree as the fold reads it: its values in one list.
//!
//! They stand in the order of the JSON text, and each knows where its descendants end; so a tree of
//! any size is one allocation, and its texts are slices of what they were taken from. It is built by
//! [`super::builder`] and read through [`super::node`].

use super::name::Key;
use super::shape::Shape;
use crate::tree::component::ComponentType;

/// The values of a tree; the first one is the root.
#[derive(Default)]
pub(crate) struct Tree<'t> {
    pub(super) items: Vec<Item<'t>>,
    /// Texts that could not be borrowed.
    pub(super) strings: Vec<String>,
    /// The first is that of everything without children.
    pub(super) shapes: Vec<Shape>,
    /// Whether any text has a line break: hardly any tree has one, so most components need not be
    /// searched for it.
    pub(super) has_line_breaks: bool,
    /// The indexes of components that may be form fields, or labels of one.
    pub(super) fields_and_labels: Vec<u32>,
}

/// One value.
pub(super) struct Item<'t> {
    pub(super) value: NodeValue<'t>,
    /// Its index in the list.
    pub(super) at: u32,
    /// The index after its last descendant.
    pub(super) end: u32,
    /// Its key in the object that it is a member of.
    pub(super) key: Key,
    /// Its type, if it is a component.
    pub(super) component: ComponentType,
    /// The index of its shape.
    pub(super) shape: u32,
}

#[derive(Clone, Copy)]
pub(crate) enum NodeValue<'t> {
    Null,
    Bool(bool),
    /// A number that prints as it is written in JSON.
    Integer(TextRef<'t>),
    Number(TextRef<'t>),
    /// Without control characters, so a terminal may print it. Owned by the tree if it has a line
    /// break.
    Text(TextRef<'t>),
    /// A list, whose items follow.
    List,
    /// An object in a prop, whose members follow.
    Object,
    /// A component, whose members follow. Keys outside this set are not among them.
    Component(u64),
    /// A row of a chart's data: names and values follow in turn.
    Row,
}

/// A text. Not a `Cow`: a type without a destructor is written where it belongs instead of being
/// made elsewhere and copied there, which saves a third of the time that building a tree takes.
#[derive(Clone, Copy)]
pub(crate) enum TextRef<'t> {
    Borrowed(&'t str),
    /// The index in [`Tree::strings`].
    Owned(u32),
}

impl Tree<'_> {
    pub(super) fn len(&self) -> usize {
        self.items.len()
    }
}

/// Whether a JSON number prints as it is written.
pub(crate) fn is_integer(number: &str) -> bool {
    // `-0` is a float, and prints as `0`.
    number.parse::<u64>().is_ok() || (number != "-0" && number.parse::<i64>().is_ok())
}
