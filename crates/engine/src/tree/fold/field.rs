//! Form fields: the question, and the value or the options.

use super::labels::{Labels, field_name};
use super::line::{entry, escape, gap, push_words};
use super::name::Key;
use super::node::Node;
use crate::tree::component::{ComponentType, Fold};

impl Labels<'_> {
    /// A field as an entry of a list, so that a form can be answered point by point. A start value of
    /// several lines keeps them.
    pub(super) fn prompt(&self, node: Node<'_>, out: &mut String) {
        entry(out);
        out.push_str("- ");
        match start(node).map(str::trim).filter(|start| start.contains('\n')) {
            Some(start) => {
                self.ask(node, out);
                out.push_str(":\n");
                for line in start.lines().map(str::trim).filter(|line| !line.is_empty()) {
                    gap(out);
                    out.push_str("  ");
                    let start = out.len();
                    out.push_str(line);
                    escape(start, out);
                    out.push('\n');
                }
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

/// Whether a group asks for something and has no button: it is an entry of the list of fields.
pub(super) fn is_question(node: Node<'_>) -> bool {
    questions(node) > 0 && !has_button(node)
}

/// How many fields there are in a component.
pub(super) fn questions(node: Node<'_>) -> usize {
    let is_field = node.fold() == Some(&Fold::Field) || node.has_object(Key::Editable);
    usize::from(is_field) + node.children().map(questions).sum::<usize>()
}

fn has_button(node: Node<'_>) -> bool {
    node.is(ComponentType::Button) || node.children().any(has_button)
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
