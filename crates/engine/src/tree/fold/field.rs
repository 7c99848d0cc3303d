//! Form fields: the question, and the value or the options.

use super::labels::{Labels, field_name};
use super::line::{paragraph, push_plain, push_words};
use super::name::Key;
use super::node::Node;
use crate::tree::component::ComponentType;

impl Labels<'_> {
    /// A field on lines of its own. A start value of several lines keeps them.
    pub(super) fn prompt(&self, node: Node<'_>, out: &mut String) {
        paragraph(out);
        match start(node).map(str::trim).filter(|start| start.contains('\n')) {
            Some(start) => {
                self.ask(node, out);
                out.push_str(":\n");
                start.lines().for_each(|line| push_plain(line, out));
            }
            None => {
                self.field(node, out);
                out.push('\n');
            }
        }
    }

    /// A field as part of a line.
    pub(super) fn field(&self, node: Node<'_>, out: &mut String) {
        if node.is(ComponentType::Checkbox) {
            out.push_str(if node.flag(Key::DefaultChecked) { "[x] " } else { "[ ] " });
            return self.ask(node, out);
        }
        let start = out.len();
        self.ask(node, out);
        self.answer(start, node, out);
    }

    /// The question of a field: its label, or what comes nearest to one.
    fn ask(&self, node: Node<'_>, out: &mut String) {
        let label = field_name(node).and_then(|name| self.of_field.get(name).copied());
        let ask = label
            .or_else(|| node.text(Key::Label))
            .or_else(|| node.text(Key::AriaLabel))
            .or_else(|| node.text(Key::Placeholder))
            .or_else(|| node.inner_text(Key::Editable, Key::Placeholder))
            .or_else(|| field_name(node));
        let start = out.len();
        push_words(ask.unwrap_or_default(), out);
        out.truncate(start + out[start..].trim_end_matches(':').len());
        out.push_str(required(node));
    }

    /// The value, the options or the placeholder of a field, after its question, which begins at
    /// `question`.
    pub(super) fn answer(&self, question: usize, node: Node<'_>, out: &mut String) {
        out.push_str(if out[question..].ends_with('?') { " " } else { ": " });
        let (begin, start) = (out.len(), start(node));
        for option in node.get(Key::Options).into_iter().flat_map(Node::list) {
            let Some(label) = option.text(Key::Label) else { continue };
            out.push_str(if out.len() > begin { " | " } else { "" });
            push_words(label, out);
            if let Some(description) = option.text(Key::Description) {
                out.push_str(", ");
                push_words(description, out);
            }
            if start.is_some() && option.text(Key::Value) == start {
                out.push_str(" (chosen)");
            }
            if option.flag(Key::Disabled) {
                out.push_str(" (not available)");
            }
        }
        if out.len() > begin {
            return;
        }
        match (start, node.text(Key::Placeholder)) {
            (Some(start), _) => push_words(start, out),
            (None, Some(hint)) if !self.asks_with(node, hint) => {
                out.push_str("____ (");
                push_words(hint, out);
                out.push(')');
            }
            _ => out.push_str("____"),
        }
    }

    /// Whether the question is the placeholder already.
    fn asks_with(&self, node: Node<'_>, hint: &str) -> bool {
        let mut ask = String::new();
        self.ask(node, &mut ask);
        ask.starts_with(hint.trim())
    }
}

pub(super) fn required(node: Node<'_>) -> &'static str {
    let is_required = |node: Node<'_>| node.flag(Key::Required);
    if is_required(node) || node.get(Key::Editable).is_some_and(is_required) {
        " (required)"
    } else {
        ""
    }
}

/// The value a field starts with; a password is masked.
fn start<'a>(node: Node<'a>) -> Option<&'a str> {
    let value =
        node.text(if node.is(ComponentType::Text) { Key::Value } else { Key::DefaultValue })?;
    if node.has_text(Key::InputType, "password") {
        return Some("••••");
    }
    // The time of a date is left out if it is midnight.
    let midnight = value.find("T00:00").filter(|_| node.is(ComponentType::DatePicker));
    Some(midnight.map_or(value, |at| &value[..at]))
}
