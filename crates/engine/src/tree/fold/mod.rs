//! The text form: a tree folded to Markdown in reading order, for the model and for terminals.
//!
//! It is what a host without any view shows, so it must be useful alone: nothing that a person
//! would read is left out, a label stands with the value it belongs to, and a field says what it
//! asks for. Layout and colour are dropped. A divider becomes a blank line, not a rule: `---`
//! under a line of text would turn that line into a heading.
//!
//! Every view without a text of its own is folded on every call, so it must cost little beside
//! rendering. The fold works on a compact [`tree`]: the fast path builds one while it renders, and
//! [`read`] builds one from JSON text. A `serde_json::Value` is serialized first, so that there is
//! only one fold.

mod builder;
mod field;
mod grid;
mod labels;
mod line;
mod measure;
mod name;
mod node;
mod read;
mod shape;
#[cfg(test)]
mod tests;
mod tree;

use std::collections::HashSet;

use serde_json::Value;

use crate::tree::component::{ComponentType, Fold};
pub(crate) use builder::{ComponentEnd, TreeBuilder};
use field::{is_question, questions, required};
use labels::Labels;
use line::{entry, escape, gap, paragraph, push_line, push_plain, push_words};
use measure::{is_heading, is_words};
pub(crate) use name::Key;
use node::Node;
pub(crate) use tree::{NodeValue, TextRef, Tree, is_integer};

/// Folds a checked tree to Markdown.
///
/// ```
/// use serde_json::json;
/// let tree = json!({"type": "Card", "children": [
///     {"type": "Title", "value": "Order 7"},
///     {"type": "Row", "children": [
///         {"type": "Text", "value": "Total"}, {"type": "Spacer"}, {"type": "Text", "value": "$9"}]},
///     {"type": "Button", "label": "Pay"}]});
/// assert_eq!(widgetcast_engine::tree::fold(&tree), "## Order 7\nTotal: $9\n\n[Pay]");
/// ```
pub fn fold(tree: &Value) -> String {
    fold_text(&tree.to_string())
}

/// Folds a tree given as JSON text.
pub fn fold_text(json: &str) -> String {
    fold_tree(&read::read(json))
}

/// Folds a tree that has been read.
pub(crate) fn fold_tree(tree: &Tree<'_>) -> String {
    let mut out = String::with_capacity(tree.len() * 4);
    if let Some(root) = Node::root(tree) {
        Labels::collect(tree).block(root, &mut out);
    }
    out.truncate(out.trim_end_matches('\n').len());
    out
}

impl Labels<'_> {
    /// The component as whole lines, each with its end.
    fn block(&self, node: Node<'_>, out: &mut String) {
        let Some(fold) = node.fold() else { return };
        match *fold {
            Fold::Block => {
                if let Some(status) = node.inner_text(Key::Status, Key::Text) {
                    paragraph(out);
                    out.push('_');
                    push_words(status, out);
                    out.push_str("_\n");
                }
                self.blocks(node, out);
                let mut buttons = String::new();
                for action in [Key::Confirm, Key::Cancel] {
                    if let Some(label) = node.inner_text(action, Key::Label) {
                        buttons.push_str(if buttons.is_empty() { "" } else { " " });
                        bracket(label, &mut buttons);
                    }
                }
                if !buttons.is_empty() {
                    paragraph(out);
                    out.push_str(&buttons);
                    out.push('\n');
                }
            }
            Fold::Heading(_) => {
                let Some(title) = node.own_text() else { return };
                let (before, after) = if is_heading(title) {
                    gap(out);
                    ("## ", "\n")
                } else {
                    paragraph(out);
                    ("**", "**\n")
                };
                out.push_str(before);
                push_words(title, out);
                out.push_str(after);
            }
            Fold::Text(_) if node.is(ComponentType::Markdown) => {
                let Some(value) = node.text(Key::Value) else { return };
                gap(out);
                value.trim_end().lines().for_each(|line| push_line(line, out));
                gap(out);
            }
            Fold::Text(_) if node.has_object(Key::Editable) => self.prompt(node, out),
            Fold::Text(_) => {
                if !self.is_written_by_field(node)
                    && let Some(value) = node.own_text()
                {
                    value.trim().lines().for_each(|line| push_plain(line, out));
                }
            }
            Fold::Rule => gap(out),
            Fold::Item => self.item(node, out),
            Fold::Chart | Fold::Table => grid::write(&self.rows(node), out),
            Fold::Field => self.prompt(node, out),
            Fold::Inline if !node.shape().is_one_line => self.blocks(node, out),
            // Fields side by side are entries of the same list.
            Fold::Inline if self.has_fields() && questions(node) > 1 => self.blocks(node, out),
            Fold::Inline | Fold::Bracket(_) | Fold::Image | Fold::Nothing => {
                _ = self.line(node, out);
            }
        }
    }

    fn blocks(&self, node: Node<'_>, out: &mut String) {
        for child in shown(node) {
            // Groups side by side get a line each.
            if node.shape().is_row && child.shape().is_group && child.shape().is_one_line {
                if !self.line(child, out) {
                    gap(out);
                }
            } else {
                self.block(child, out);
            }
        }
    }

    /// The component as one line; false if it has no text.
    fn line(&self, node: Node<'_>, out: &mut String) -> bool {
        let above = out.len();
        if self.has_fields() && is_question(node) {
            entry(out);
            out.push_str("- ");
        } else {
            paragraph(out);
        }
        let start = out.len();
        self.phrase(node, out);
        if out.len() == start {
            out.truncate(above);
            return false;
        }
        escape(start, out);
        out.push('\n');
        true
    }

    /// A list entry: one line where that reads well, else a first line and what hangs below it.
    fn item(&self, node: Node<'_>, out: &mut String) {
        let mut inner = String::new();
        if node.shape().is_one_line && node.shape().titles < 2 {
            self.join(node, &mut inner);
        } else {
            self.blocks(node, &mut inner);
        }
        let mut lines = inner.trim_matches('\n').split('\n');
        let Some(first) = lines.next().filter(|line| !line.is_empty()) else { return };
        let title = first.strip_prefix("## ");
        entry(out);
        out.push_str("- ");
        out.push_str(title.unwrap_or(first));
        out.push('\n');
        for (index, line) in lines.enumerate() {
            // A title is no heading here, so that the next line would belong to it.
            if line.is_empty() || (index == 0 && title.is_some()) {
                gap(out);
            }
            if !line.is_empty() {
                out.push_str("  ");
                out.push_str(line);
                out.push('\n');
            }
        }
    }

    /// The component as part of a line; nothing if it has no text.
    fn phrase(&self, node: Node<'_>, out: &mut String) {
        let Some(fold) = node.fold() else { return };
        match *fold {
            Fold::Inline | Fold::Block | Fold::Item => self.join(node, out),
            Fold::Heading(_) => between("**", node.own_text(), "**", out),
            Fold::Text(_) if node.has_object(Key::Editable) => self.field(node, out),
            Fold::Text(_) if self.is_written_by_field(node) => {}
            Fold::Text(_) => {
                let mark = if node.flag(Key::LineThrough) { "~~" } else { "" };
                between(mark, node.own_text(), mark, out);
            }
            Fold::Bracket(_) => button(node, node.own_text(), out),
            Fold::Field => self.field(node, out),
            Fold::Image => between("(", node.text(Key::Alt), ")", out),
            Fold::Chart | Fold::Table => grid::write_in_line(&self.rows(node), out),
            Fold::Rule | Fold::Nothing => {}
        }
    }

    /// The children of a group, side by side on one line.
    fn join(&self, node: Node<'_>, out: &mut String) {
        let start = out.len();
        let mut parts = Parts { first: None, second: None, count: 0 };
        let mut before = node;
        for child in shown(node) {
            let end = out.len();
            // The separator of the first two depends on whether there is a third.
            if parts.count > 1 {
                out.push_str(glue(node, before, child, false));
            }
            let from = out.len();
            self.phrase(child, out);
            if out.len() == from {
                out.truncate(end);
                continue;
            }
            match parts.count {
                0 => parts.first = Some((child, out.len())),
                1 => parts.second = Some(child),
                _ => {}
            }
            parts.count += 1;
            before = child;
        }
        self.join_first(node, start, &parts, out);
    }

    /// Inserts the separator between the first two parts.
    fn join_first(&self, node: Node<'_>, start: usize, parts: &Parts<'_>, out: &mut String) {
        let (Some((label, end)), Some(value)) = (parts.first, parts.second) else { return };
        let words = &out[start..end];
        // Label, gap, value, as on a receipt; or a caption over its value.
        let is_alone = parts.count == 2;
        let spaced =
            || node.shape().is_row && node.children().any(|child| child.is(ComponentType::Spacer));
        let captioned = || {
            !node.shape().is_row
                && label.is(ComponentType::Caption)
                && !value.is(ComponentType::Caption)
        };
        let narrow =
            || node.shape().is_row && (is_narrow_label(label) || self.is_unlabelled(value));
        let is_pair = is_words(label)
            && !is_bracket(value)
            && (captioned() || (is_alone && (spaced() || narrow())));
        if !is_pair {
            let figure =
                is_alone && (label.is(ComponentType::Title) || words.chars().nth(6).is_none());
            return out.insert_str(end, glue(node, label, value, figure));
        }
        let words = words.trim_end_matches(':');
        let (kept, is_question) = (start + words.len(), words.ends_with('?'));
        if self.is_unlabelled(value) {
            // The words before a field that has no label are its label.
            out.truncate(kept);
            out.push_str(required(value));
            self.answer(start, value, out);
        } else {
            out.replace_range(kept..end, if is_question { " " } else { ": " });
        }
    }
}

/// The parts of a line that have text.
struct Parts<'a> {
    /// And where it ends.
    first: Option<(Node<'a>, usize)>,
    second: Option<Node<'a>>,
    count: usize,
}

/// The separator between two parts of a line.
fn glue(node: Node<'_>, before: Node<'_>, child: Node<'_>, figure: bool) -> &'static str {
    let close = figure
        || is_bracket(child)
        || is_bracket(before)
        || before.is(ComponentType::Image)
        || child.is(ComponentType::Image);
    let apart = !node.shape().is_row || child.shape().is_group || before.shape().is_group;
    if apart && !close { " · " } else { " " }
}

/// A button with a URL is a link; one without a label is named by its icon.
fn button(node: Node<'_>, label: Option<&str>, out: &mut String) {
    let icon = || node.text(Key::IconStart).or_else(|| node.text(Key::IconEnd));
    let Some(label) = label.or_else(icon) else { return };
    bracket(label, out);
    let payload = node.get(Key::OnClickAction).and_then(|action| action.get(Key::Payload));
    match payload.and_then(|payload| payload.text(Key::Url)) {
        Some(url) if url.starts_with("https://") && !url.contains([' ', '\n', '(', ')']) => {
            out.push('(');
            out.push_str(url);
            out.push(')');
        }
        _ => {}
    }
}

fn bracket(label: &str, out: &mut String) {
    between("[", Some(label), "]", out);
}

/// Words between two marks, if there are any.
fn between(before: &str, words: Option<&str>, after: &str, out: &mut String) {
    if let Some(words) = words {
        out.push_str(before);
        push_words(words, out);
        out.push_str(after);
    }
}

fn is_bracket(node: Node<'_>) -> bool {
    matches!(node.fold(), Some(Fold::Bracket(_)))
}

/// A first column of fixed width, as before the addresses of a letter.
fn is_narrow_label(node: Node<'_>) -> bool {
    let words = if node.is(ComponentType::Box) { node.children().next() } else { Some(node) };
    node.get(Key::Width).is_some_and(Node::is_number)
        && words.is_some_and(|words| {
            let is_quiet = words.is(ComponentType::Caption)
                || words.is(ComponentType::Label)
                || words.has_text(Key::Color, "tertiary");
            is_quiet && words.text(Key::Value).is_some_and(|v| v.chars().any(char::is_alphabetic))
        })
}

/// The children that have text of their own; an image whose alternative text is repeated by a sibling
/// has not.
fn shown<'a>(node: Node<'a>) -> impl Iterator<Item = Node<'a>> {
    let mut words = SiblingWords { node, searched: 0, collected: None };
    let mut repeats = move |child: &Node<'a>| {
        child.is(ComponentType::Image) && child.text(Key::Alt).is_some_and(|alt| words.contain(alt))
    };
    node.children().filter(move |child| !repeats(child))
}

/// The words below a component. The first few searches walk the tree, which costs least for the few
/// images that most groups have; from then on the words are kept, so that many images cost no more
/// than one walk.
struct SiblingWords<'a> {
    node: Node<'a>,
    searched: usize,
    collected: Option<HashSet<&'a str>>,
}

impl<'a> SiblingWords<'a> {
    const WALKS: usize = 4;

    fn contain(&mut self, words: &str) -> bool {
        self.searched += 1;
        if self.searched <= Self::WALKS {
            return has_words(self.node, words);
        }
        let node = self.node;
        let collected = self.collected.get_or_insert_with(|| {
            let mut collected = HashSet::new();
            collect_words(node, &mut collected);
            collected
        });
        collected.contains(words)
    }
}

fn has_words(node: Node<'_>, words: &str) -> bool {
    node.text(Key::Value) == Some(words) || node.children().any(|child| has_words(child, words))
}

fn collect_words<'a>(node: Node<'a>, out: &mut HashSet<&'a str>) {
    out.extend(node.text(Key::Value));
    node.children().for_each(|child| collect_words(child, out));
}
