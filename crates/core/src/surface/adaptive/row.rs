//! Rows: buttons in a set, badges that flow, texts on one line, and everything else in columns.

use serde_json::{Value, json};

use super::builder::{Builder, below, holding};
use super::layout::{
    self, Cell, GAP, align_item, has_ground, is_tall, is_words, least, least_of_line, pair,
    side_of, spacing,
};
use super::words::run;
use crate::surface::node::{self, children, field_name, kind, text};

/// The characters of a value that may take half of a row.
const LONG: usize = 20;
/// The characters of texts that stand on one line.
const LINE: usize = 40;
/// The widest column of a fixed width, in pixels.
const FIXED: f64 = 120.0;

/// The room for words beside a badge.
const WORDS: usize = 128;

/// The parts of a row, and where they are.
type Parts<'v> = [(&'v Value, String)];

impl<'v> Builder<'v> {
    /// Children side by side.
    pub(super) fn row(&mut self, node: &'v Value, at: &str) -> Vec<Value> {
        let nodes = children(node).iter().enumerate();
        let nodes: Vec<(&Value, String)> = nodes.map(|(i, n)| (n, below(node, at, i))).collect();
        let is_shown = |n: &Value| !matches!(kind(n), "Spacer" | "Divider");
        let all = |wanted: &str| nodes.iter().all(|(n, _)| !is_shown(n) || kind(n) == wanted);
        let buttons: Vec<(&Value, String)> =
            nodes.iter().filter(|(n, _)| kind(n) == "Button").cloned().collect();
        if all("Button") {
            return self.buttons(&buttons, side_of(&node["justify"]));
        }
        if all("Badge") && nodes.len() > 1 {
            return self.chips(&nodes);
        }
        if let Some(line) = self.line(node) {
            return vec![line];
        }
        if buttons.len() < 2 {
            return self.columns(node, &nodes);
        }
        // Buttons beside each other need the whole width: what else is in the row stands above.
        let is_other = |(n, _): &&(&Value, String)| kind(n) != "Button";
        let others: Vec<(&Value, String)> = nodes.iter().filter(is_other).cloned().collect();
        let mut out = self.columns(node, &others);
        out.extend(self.buttons(&buttons, None));
        out
    }

    /// Short texts on one line, in one element, so that they have one baseline.
    fn line(&self, row: &Value) -> Option<Value> {
        let parts = children(row);
        let is_near = matches!(spacing(row), Some("None" | "Small")) || row["gap"] == 2;
        let is_start = matches!(row["justify"].as_str(), None | Some("start"));
        let is_plain = |node: &Value| {
            let is_sized = ["width", "minWidth", "flex", "textAlign"].iter();
            is_words(node)
                && is_sized.into_iter().all(|prop| node.get(prop).is_none())
                && !self.title.is_some_and(|title| std::ptr::eq(title, node))
        };
        if parts.len() < 2 || !is_near || !is_start || !parts.iter().all(is_plain) {
            return None;
        }
        let texts: Option<Vec<String>> = parts.iter().map(|node| text(node, "value")).collect();
        let texts = texts.filter(|texts| !texts.iter().any(|text| text.contains('\n')))?;
        if texts.iter().map(|text| text.chars().count()).sum::<usize>() > LINE {
            return None;
        }
        let mut runs: Vec<Value> = Vec::new();
        for (node, text) in parts.iter().zip(texts) {
            if !runs.is_empty() {
                runs.push(json!({"type": "TextRun", "text": " "}));
            }
            runs.push(run(node, text.trim()));
        }
        Some(holding("RichTextBlock", "inlines", runs))
    }

    fn columns(&mut self, row: &'v Value, nodes: &Parts<'v>) -> Vec<Value> {
        let is_pair = pair(row).is_some();
        // Beside a paragraph an icon stands at its first line. Texts of two sizes on one line have nearly
        // one baseline if their middles are as high.
        let is_centred = matches!(row["align"].as_str(), Some("center" | "baseline"))
            && (!has_label(row) || children(row).iter().skip(1).all(is_line))
            && !self.is_tall_list
            && !is_tall(row);
        // Looked for once: a row may have thousands of columns.
        let is_shared = children(row).iter().any(has_flex);
        let mut cells: Vec<Cell> = Vec::new();
        for (index, (child, at)) in nodes.iter().enumerate() {
            if kind(child) == "Spacer" {
                // A spacer becomes the stretching of the column before it.
                if let Some(last) = cells.last_mut() {
                    last.column["width"] = "stretch".into();
                }
                continue;
            }
            let pressed = self.icon_button(child, at);
            let (mut items, action) = match pressed {
                Some((icon, action)) => (vec![icon], Some(action)),
                None => (self.elements(child, at), None),
            };
            if has_label(row) && index == 0 {
                items
                    .iter_mut()
                    .for_each(|item| _ = item.as_object_mut().map(|i| i.remove("size")));
            }
            if !items.is_empty() {
                let mut cell = cell(row, child, items, is_pair && index > 0, is_shared);
                if let Some(action) = action {
                    cell.column["selectAction"] = action;
                }
                if is_centred {
                    cell.column["verticalContentAlignment"] = "Center".into();
                }
                cells.push(cell);
            }
        }
        // A long value takes the room that its label leaves.
        if let ([label, value], Some((name, _))) = (cells.as_mut_slice(), pair(row))
            && value.column["width"] == "stretch"
            && !is_long(name)
        {
            label.column["width"] = "auto".into();
        }
        // In a cell of a table a badge stands below words that leave it no room.
        let is_badge = |cell: &Cell| cell.column["items"][0]["type"] == "Badge";
        let needed: usize = nodes.iter().map(|(node, _)| least_of_line(node) + GAP).sum();
        let is_narrow = self.cell.is_some_and(|room| needed > room) && cells.iter().any(is_badge);
        let is_pressed = |cell: &Cell| cell.column["selectAction"].is_object();
        if !cells.iter().any(is_pressed) && (cells.len() == 1 || is_narrow) {
            return cells.into_iter().flat_map(|cell| items(cell.column)).collect();
        }
        // Beside a badge at the end words may be narrower than they ask for: they go on below.
        if let ([words, badge], Some((first, _))) = (cells.as_mut_slice(), nodes.first())
            && is_badge(badge)
        {
            let inner = children(first).iter().map(least).max().unwrap_or(0);
            words.least = words.least.min(inner.max(WORDS));
        }
        let is_tiles = cells.iter().all(|cell| cell.column["style"].is_string());
        let mut out = Vec::new();
        for (index, mut columns) in layout::rows(cells).into_iter().enumerate() {
            // A column alone is no column.
            let is_plain =
                |column: &Value| column["style"].is_null() && column["selectAction"].is_null();
            if columns.len() == 1 && columns.iter().all(is_plain) {
                out.extend(columns.pop().map(items).unwrap_or_default());
                continue;
            }
            let mut set = holding("ColumnSet", "columns", columns);
            // As far apart as the tiles of a line.
            if let Some(spacing) = apart(row).filter(|_| index > 0 && is_tiles) {
                set["spacing"] = spacing.into();
            }
            out.push(set);
        }
        out
    }
}

/// A column of a row; the value of a pair stands at the right. Some columns may share the room that is left.
fn cell(
    row: &Value,
    child: &Value,
    mut items: Vec<Value>,
    is_value: bool,
    is_shared: bool,
) -> Cell {
    let is_tile = matches!(kind(child), "Col" | "Box") && node::progress(child).is_none();
    let narrowest = if row["wrap"].is_null() { least(child) } else { least_of_line(child) };
    let narrowest = narrowest.max(layout::least_of_buttons(&items));
    let fits = |px: &f64| *px <= FIXED && *px >= narrowest as f64 && !has_ground(child);
    let fixed = child["width"].as_f64().filter(fits);
    let width = match (is_value, fixed) {
        (false, Some(px)) => format!("{px:.0}px"),
        (true, _) if is_long(child) => "stretch".to_owned(),
        (false, None) if stretches(child, is_shared) => "stretch".to_owned(),
        _ => "auto".to_owned(),
    };
    if is_value {
        items.iter_mut().for_each(|item| _ = align_item(item, "Right"));
    }
    let mut column = match items.as_mut_slice() {
        // A tile is the column itself, so that all of a row are equally tall.
        [only]
            if only["type"] == "Container"
                && only["style"].is_string()
                && only["selectAction"].is_null() =>
        {
            let items = only["items"].as_array_mut().map(std::mem::take);
            let mut column = holding("Column", "items", items.unwrap_or_default());
            column["style"] = only["style"].take();
            if only["roundedCorners"] == true {
                column["roundedCorners"] = true.into();
            }
            column
        }
        _ => holding("Column", "items", items),
    };
    column["width"] = width.into();
    if let Some(spacing) = apart(row) {
        column["spacing"] = spacing.into();
    }
    Cell { column, least: narrowest, is_tile }
}

/// Whether a row starts with a label, in a column as wide as those of the rows around it. It has the size
/// of its value, so that it stands at the first line of a value of several.
fn has_label(row: &Value) -> bool {
    row["align"] == "baseline"
        && children(row).first().is_some_and(|first| first["width"].is_number())
}

/// Whether a value is one short line.
fn is_line(node: &Value) -> bool {
    is_words(node) && !is_long(node)
}

/// Whether a value may take half of a row.
fn is_long(node: &Value) -> bool {
    text(node, "value").is_some_and(|words| words.chars().count() > LONG)
}

/// The spacing of a row whose gap is less than a host's default, or so large that its parts are groups.
fn apart(row: &Value) -> Option<&'static str> {
    spacing(row).filter(|spacing| matches!(*spacing, "None" | "Small" | "Large"))
}

/// What is in a column.
fn items(mut column: Value) -> Vec<Value> {
    column["items"].as_array_mut().map(std::mem::take).unwrap_or_default()
}

fn has_flex(node: &Value) -> bool {
    node["flex"].is_number() || node["flex"].is_string()
}

/// Whether a column takes the room that is left: those that ask for it, or else groups.
fn stretches(node: &Value, is_shared: bool) -> bool {
    let is_group = kind(node) == "Col" && node["width"].is_null();
    let is_long = matches!(kind(node), "Text" | "Markdown" | "Title")
        && text(node, "value").is_some_and(|value| value.chars().count() > 24);
    let is_input = field_name(node).is_some();
    let is_rest = is_group && !is_shared;
    has_flex(node) || node["block"] == true || is_long || is_rest || is_input
}
