//! Builds the tree that the fold reads, from values in the order of the JSON text.

use std::borrow::Cow;
use std::sync::OnceLock;

use serde_json::Number;

use super::measure::measure;
use super::name::Key;
use super::node::Node;
use super::shape::Shape;
use super::tree::{Item, NodeValue, TextRef, Tree, is_integer};
use crate::json::number_text;
use crate::tree::component::{Component, ComponentType};

/// A tree to which values are added.
pub(crate) struct TreeBuilder<'t> {
    tree: Tree<'t>,
    /// The lists and objects that have no end yet, innermost last.
    open: Vec<Open>,
}

/// A list or an object without an end.
struct Open {
    /// Its index in the tree.
    at: u32,
    /// The index of its `children`; 0 if it has none.
    children: u32,
}

/// What is known of a component when it ends.
#[derive(Debug)]
pub(crate) struct ComponentEnd {
    component: ComponentType,
    /// All keys that it may have.
    keys: u64,
    /// Whether it may be a form field, or the label of one.
    is_field_or_label: bool,
    /// Its shape, if that is the same in every rendering in which no text has a line break.
    shape: Option<OnceLock<Shape>>,
}

impl ComponentEnd {
    pub(crate) fn new(component: ComponentType, keys: u64, has_one_shape: bool) -> Self {
        let is_field = component.component().is_some_and(Component::is_field);
        let is_label = component == ComponentType::Label;
        Self {
            component,
            keys,
            is_field_or_label: is_field || is_label || keys & Key::Editable.bit() != 0,
            shape: has_one_shape.then(OnceLock::new),
        }
    }

    /// Whether the shape of a component depends on the value of one of these members, apart from
    /// line breaks in a text.
    pub(crate) fn shape_depends_on(component: ComponentType, keys: u64) -> bool {
        let value = if component == ComponentType::Title { Key::Value.bit() } else { 0 };
        keys & (Key::Direction.bit() | Key::Options.bit() | value) != 0
    }
}

impl<'t> TreeBuilder<'t> {
    /// An empty tree with room for about so many values.
    pub(crate) fn with_capacity(items: usize) -> Self {
        let mut shapes = Vec::with_capacity(items / 6 + 4);
        shapes.push(Shape::default());
        let tree = Tree { items: Vec::with_capacity(items + 8), shapes, ..Tree::default() };
        Self { tree, open: Vec::with_capacity(16) }
    }

    /// The tree, if every list and object in it has an end.
    pub(crate) fn finish(self) -> Tree<'t> {
        if self.open.is_empty() { self.tree } else { Tree::default() }
    }

    /// Adds a value; returns its index.
    #[inline]
    pub(crate) fn push(&mut self, key: Key, value: NodeValue<'t>) -> u32 {
        let at = self.next_index();
        let component = ComponentType::Other;
        self.tree.items.push(Item { value, at, end: at + 1, key, component, shape: 0 });
        at
    }

    /// Adds a number as it is written in JSON; none if it is no number.
    pub(crate) fn push_number(&mut self, key: Key, number: &'t str) -> Option<()> {
        let value = if is_integer(number) {
            NodeValue::Integer(TextRef::Borrowed(number))
        } else {
            let number = serde_json::from_str::<Number>(number).ok()?;
            NodeValue::Number(self.text(number_text(&number).into()))
        };
        self.push(key, value);
        Some(())
    }

    /// Adds a text, without the control characters that a terminal would act on.
    pub(crate) fn push_text(&mut self, key: Key, text: Cow<'t, str>) {
        // Control characters of two bytes begin with `c2`. Every byte is tested, without an early
        // exit, so that the compiler can test several at a time.
        let may_be_control = |byte: u8| (byte < 0x20) | (byte == 0x7f) | (byte == 0xc2);
        if text.bytes().fold(false, |found, byte| found | may_be_control(byte)) {
            return self.push_filtered_text(key, &text);
        }
        let text = self.text(text);
        self.push(key, NodeValue::Text(text));
    }

    #[cold]
    fn push_filtered_text(&mut self, key: Key, text: &str) {
        let text = text.replace(|c: char| c.is_control() && c != '\n' && c != '\t', "");
        self.tree.has_line_breaks |= text.contains('\n');
        let text = self.text(text.into());
        self.push(key, NodeValue::Text(text));
    }

    /// Stores a text for a value to be added.
    pub(crate) fn text(&mut self, text: Cow<'t, str>) -> TextRef<'t> {
        match text {
            Cow::Borrowed(text) => TextRef::Borrowed(text),
            Cow::Owned(text) => {
                self.tree.strings.push(text);
                TextRef::Owned(self.tree.strings.len() as u32 - 1)
            }
        }
    }

    /// Begins a list or an object, whose values are added next.
    #[inline]
    pub(crate) fn begin(&mut self, key: Key, value: NodeValue<'t>) {
        let at = self.push(key, value);
        self.open.push(Open { at, children: 0 });
    }

    /// Ends the list or object that began last.
    #[inline]
    pub(crate) fn end(&mut self) {
        self.close();
    }

    /// Ends the component that began last: all below it is known, and with it its shape.
    pub(crate) fn end_component(&mut self, end: &ComponentEnd) {
        let Some(Open { at, children }) = self.close() else { return };
        let children = match self.tree.items[children as usize] {
            _ if children == 0 => 0..0,
            Item { value: NodeValue::List, at, end, .. } => at + 1..end,
            Item { at, end, .. } => at..end,
        };
        let item = &mut self.tree.items[at as usize];
        item.component = end.component;
        item.value = NodeValue::Component(end.keys);
        if end.is_field_or_label {
            self.tree.fields_and_labels.push(at);
        }
        if !children.is_empty() || end.component == ComponentType::Title {
            item.shape = self.tree.shapes.len() as u32;
            let node = Node::new(&self.tree, at);
            let shape = match &end.shape {
                Some(shape) if !self.tree.has_line_breaks => {
                    let known = shape.get_or_init(|| measure(node, children.clone()));
                    Shape { children, ..known.clone() }
                }
                _ => measure(node, children),
            };
            self.tree.shapes.push(shape);
        }
    }

    #[inline]
    fn close(&mut self) -> Option<Open> {
        let open = self.open.pop()?;
        let end = self.next_index();
        let item = &mut self.tree.items[open.at as usize];
        item.end = end;
        if item.key == Key::Children
            && let Some(parent) = self.open.last_mut()
        {
            parent.children = open.at;
        }
        Some(open)
    }

    /// The keys of the members of the object that began last.
    pub(super) fn keys(&self) -> u64 {
        let Some(open) = self.open.last() else { return 0 };
        let (mut keys, mut member) = (0, open.at + 1);
        while member < self.next_index() {
            let item = &self.tree.items[member as usize];
            keys |= item.key.bit();
            member = item.end;
        }
        keys
    }

    fn next_index(&self) -> u32 {
        self.tree.items.len() as u32
    }
}
