//! Which label belongs to which form field.

use std::collections::{HashMap, HashSet};

use super::name::Key;
use super::node::Node;
use super::tree::Tree;
use crate::tree::component::{ComponentType, Fold};

/// The labels of form fields, by the name of the field. A label can be anywhere in the tree.
pub(super) struct Labels<'a> {
    pub(super) of_field: HashMap<&'a str, &'a str>,
    fields: HashSet<&'a str>,
}

impl<'a> Labels<'a> {
    pub(super) fn collect(tree: &'a Tree<'_>) -> Self {
        let mut labels = Self { of_field: HashMap::new(), fields: HashSet::new() };
        for node in Node::fields_and_labels(tree) {
            if let Some(name) = field_name(node) {
                labels.fields.insert(name);
            } else if node.is(ComponentType::Label)
                && let (Some(field), Some(value)) =
                    (node.text(Key::FieldName), node.text(Key::Value))
            {
                labels.of_field.entry(field).or_insert(value);
            }
        }
        labels
    }

    /// Whether the field of this label writes the label itself.
    pub(super) fn is_written_by_field(&self, node: Node<'_>) -> bool {
        node.is(ComponentType::Label)
            && node.text(Key::FieldName).is_some_and(|field| {
                self.fields.contains(field)
                    && self.of_field.get(field).copied() == node.text(Key::Value)
            })
    }

    pub(super) fn has_fields(&self) -> bool {
        !self.fields.is_empty()
    }

    pub(super) fn is_unlabelled(&self, node: Node<'_>) -> bool {
        !node.is(ComponentType::Checkbox)
            && field_name(node).is_some_and(|name| !self.of_field.contains_key(name))
    }
}

/// The name under which a field is submitted.
pub(super) fn field_name<'a>(node: Node<'a>) -> Option<&'a str> {
    match node.fold()? {
        Fold::Field => node.text(Key::Name),
        _ => node.inner_text(Key::Editable, Key::Name),
    }
}
