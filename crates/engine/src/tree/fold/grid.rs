//! Tables, and charts as the tables of their data.

use std::borrow::Cow;
use std::iter::once;

use super::labels::Labels;
use super::line::{gap, push_words};
use super::name::Key;
use super::node::Node;
use crate::tree::component::{ComponentType, Fold};

type Row<'a> = Vec<Cow<'a, str>>;

/// The most series of a chart that become columns. Every row has a cell for every series, so without
/// a bound a chart of many series and many empty rows would give the product of both.
const SERIES: usize = 64;
/// The columns up to which a row that lacks cells is filled. Markdown does not need the empty cells at
/// the end of a row, and one wide row would else widen all others.
const FILLED: usize = 64;

impl Labels<'_> {
    /// The cells of a chart or a table; the first row is the head.
    pub(super) fn rows<'a>(&self, node: Node<'a>) -> Vec<Row<'a>> {
        if node.fold() == Some(&Fold::Chart) {
            return chart(node);
        }
        node.children()
            .map(|row| row.children().flat_map(|cell| self.cell(cell)).collect())
            .collect()
    }

    /// A cell, and the empty ones that it spans.
    fn cell<'a>(&self, cell: Node<'a>) -> impl Iterator<Item = Cow<'a, str>> {
        let span = cell.get(Key::ColSpan).and_then(Node::count).unwrap_or(1).clamp(1, 50) as usize;
        let mut words = String::new();
        self.join(cell, &mut words);
        if words.is_empty() {
            icons(cell, &mut words);
        }
        once(words.into()).chain(std::iter::repeat_n(Cow::Borrowed(""), span - 1))
    }
}

fn chart<'a>(node: Node<'a>) -> Vec<Row<'a>> {
    let axis = node.text(Key::XAxis).or_else(|| node.inner_text(Key::XAxis, Key::Column));
    let axis = axis.unwrap_or_default();
    let list = |name| node.get(name).into_iter().flat_map(Node::list);
    let mut series: Vec<(&str, &str)> = list(Key::Series)
        .filter_map(|series| {
            let key = series.text(Key::Column)?;
            Some((series.text(Key::Label).unwrap_or(key), key))
        })
        .collect();
    let more = series.len().saturating_sub(SERIES);
    series.truncate(SERIES);
    let labels = once(axis).chain(series.iter().map(|(label, _)| *label)).map(Cow::from);
    let head = labels.chain((more > 0).then(|| format!("… and {more} more").into())).collect();
    let rows = list(Key::Data).map(|row| {
        let keys = once(axis).chain(series.iter().map(|(_, key)| *key));
        keys.map(|key| row.column(key).map_or("", Node::scalar).into()).collect()
    });
    once(head).chain(rows).collect()
}

/// A Markdown table; the first row is its head.
pub(super) fn write(rows: &[Row<'_>], out: &mut String) {
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    if columns == 0 {
        return;
    }
    gap(out);
    for (index, row) in rows.iter().enumerate() {
        let width = if index == 0 || columns <= FILLED { columns } else { row.len().max(1) };
        for column in 0..width {
            out.push_str(if column == 0 { "| " } else { " | " });
            let start = out.len();
            push_words(row.get(column).map_or("", |cell| cell), out);
            if out[start..].contains('|') {
                let cell = out.split_off(start);
                out.push_str(&cell.replace('|', "\\|"));
            }
        }
        out.push_str(" |\n");
        if index == 0 {
            out.push('|');
            (0..columns).for_each(|_| out.push_str(" --- |"));
            out.push('\n');
        }
    }
    gap(out);
}

/// The same where there is only one line for it.
pub(super) fn write_in_line(rows: &[Row<'_>], out: &mut String) {
    for (index, row) in rows.iter().enumerate() {
        out.push_str(if index > 0 { "; " } else { "" });
        for (index, cell) in row.iter().enumerate() {
            out.push_str(if index > 0 { ", " } else { "" });
            out.push_str(cell);
        }
    }
}

/// What an icon that stands alone in a cell means.
fn icons(node: Node<'_>, out: &mut String) {
    if node.is(ComponentType::Icon) {
        return match node.text(Key::Name).unwrap_or_default() {
            "check" | "check-circle" | "check-circle-filled" => out.push('✓'),
            name => out.extend(["(", name, ")"]),
        };
    }
    let start = out.len();
    for child in node.children() {
        let end = out.len();
        out.push_str(if end > start { " " } else { "" });
        let from = out.len();
        icons(child, out);
        if out.len() == from {
            out.truncate(end);
        }
    }
}
