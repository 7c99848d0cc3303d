//! Builds a compact tree from values in the order of the JSON text.

use std::borrow::Cow;

use serde_json::Number;

use super::name::Key;
use super::tree::{CompactTree, Item, NodeValue, TextRef, is_integer};
use crate::json::{any_word, below, equal, number_text};
use crate::tree::component::{Component, ComponentType};

/// A tree to which values are added.
pub(crate) struct TreeBuilder<'t> {
    tree: CompactTree<'t>,
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
    /// Whether it may be a field of a form.
    is_field: bool,
}

impl ComponentEnd {
    pub(crate) fn new(component: ComponentType, keys: u64) -> Self {
        let is_field = component.component().is_some_and(Component::is_field);
        Self { component, keys, is_field: is_field || keys & Key::Editable.bit() != 0 }
    }
}

impl<'t> TreeBuilder<'t> {
    /// An empty tree with room for about this many values.
    pub(crate) fn with_capacity(items: usize) -> Self {
        let tree = CompactTree { items: Vec::with_capacity(items + 8), ..CompactTree::default() };
        Self { tree, open: Vec::with_capacity(16) }
    }

    /// The tree, if every list and object in it has an end.
    pub(crate) fn finish(self) -> CompactTree<'t> {
        if self.open.is_empty() { self.tree } else { CompactTree::default() }
    }

    /// Adds a value; returns its index.
    #[inline]
    pub(crate) fn push(&mut self, key: Key, value: NodeValue<'t>) -> u32 {
        let at = self.next_index();
        let component = ComponentType::Other;
        self.tree.items.push(Item { value, at, end: at + 1, key, component, children: 0 });
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
        // Control characters of two bytes are `c2` and one without the bit `20`.
        let is_control = |word: u64| {
            let long = equal(word, 0xc2) & !(word >> 6) & (u64::MAX >> 8);
            below(word, 0x20) | equal(word, 0x7f) | long
        };
        if any_word::<7>(text.as_bytes(), is_control) {
            return self.push_filtered_text(key, text);
        }
        let text = self.text(text);
        self.push(key, NodeValue::Text(text));
    }

    #[cold]
    fn push_filtered_text(&mut self, key: Key, text: Cow<'t, str>) {
        let is_removed = |c: char| c.is_control() && c != '\n' && c != '\t';
        let text = match text.contains(is_removed) {
            true => text.replace(is_removed, "").into(),
            false => text,
        };
        let text = self.text(text);
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

    /// Ends the object in a prop that began last, whose JSON this is.
    pub(super) fn end_object(&mut self, json: &'t str) {
        if let Some(open) = self.close() {
            self.tree.items[open.at as usize].value = NodeValue::Object(json);
        }
    }

    /// Ends the component that began last.
    pub(crate) fn end_component(&mut self, end: &ComponentEnd) {
        let Some(Open { at, children }) = self.close() else { return };
        let item = &mut self.tree.items[at as usize];
        item.component = end.component;
        item.children = children;
        item.value = NodeValue::Component(end.keys);
        if end.component == ComponentType::Label {
            self.tree.labels.push(at);
        } else if end.is_field {
            self.tree.fields.push(at);
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

    fn next_index(&self) -> u32 {
        self.tree.items.len() as u32
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Key, TreeBuilder};

    proptest! {
        /// No text of a tree has a control character but line breaks and tabs, wherever it stands.
        #[test]
        fn control_characters_are_removed(text in "[a-f\u{0}-\u{1f}\u{7f}-\u{a1}é·]{0,24}") {
            let mut builder = TreeBuilder::with_capacity(1);
            builder.push_text(Key::Value, text.as_str().into());
            let tree = builder.finish();
            let is_kept = |c: &char| !c.is_control() || matches!(c, '\n' | '\t');
            let expected: String = text.chars().filter(is_kept).collect();
            prop_assert_eq!(tree.root().map(|node| node.scalar()), Some(expected.as_str()));
        }
    }
}
