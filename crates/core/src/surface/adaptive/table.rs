//! Tables, and charts as tables of their data.

use serde_json::{Value, json};

use super::builder::{Builder, below};
use super::layout::{align_item, says};
use super::newer;
use super::words::plain;
use crate::surface::node::{self, Series, children};

/// The most columns of a table. All rows get as many cells as the widest has, so without a bound one
/// wide row would widen all others.
const COLUMNS: usize = 50;

impl<'v> Builder<'v> {
    /// A chart, and a table of its data for hosts that know none. What the component above says is not
    /// said again.
    pub(super) fn chart(&mut self, node: &Value, at: &str, above: Option<&Value>) -> Vec<Value> {
        self.lose(at, "hosts that know no charts show the data as a table");
        let plot = node::plot(node, self.budget.rows);
        if newer::is_mixed(&plot) {
            self.lose(
                &format!("{at}/series"),
                "bars and lines are not mixed: lines are drawn apart, or all as lines",
            );
        }
        let is_said = match plot.series.as_slice() {
            [only] => above.is_some_and(|above| says(above, &only.label)),
            _ => false,
        };
        let mut newer = newer::charts(&plot, is_said);
        let names = plot.series.iter().filter(|_| !is_said).map(|series| series.label.clone());
        let head: Vec<String> = std::iter::once(heading(&plot.axis)).chain(names).collect();
        let has_head = head.iter().any(|name| !name.is_empty());
        let mut rows = if has_head { vec![head] } else { Vec::new() };
        if plot.points > plot.labels.len() {
            self.lose_rows(&format!("{at}/data"), "points", plot.labels.len(), plot.points);
        }
        let columns: Vec<Vec<String>> = plot.series.iter().map(figures).collect();
        for (index, label) in plot.labels.iter().enumerate() {
            let values = columns.iter().map(|values| values[index].clone());
            rows.push(std::iter::once(label.clone()).chain(values).collect());
        }
        let mut older = self.text_table(&rows, has_head, at, plain);
        let Some(first) = newer.first_mut() else { return older };
        // The table has all series.
        first["fallback"] = older.pop().unwrap_or_else(|| "drop".into());
        newer.iter_mut().skip(1).for_each(|chart| chart["fallback"] = "drop".into());
        newer
    }

    pub(super) fn table(&mut self, node: &'v Value, at: &str) -> Vec<Value> {
        let all = children(node);
        let mut rows = Vec::new();
        let mut columns = 0;
        for (index, row) in all.iter().enumerate() {
            let at = below(node, at, index);
            if index >= self.budget.rows {
                self.lose_rows(&at, "rows", self.budget.rows, all.len());
                break;
            }
            let mut cells = Vec::new();
            for (index, cell) in children(row).iter().enumerate() {
                if cells.len() >= COLUMNS {
                    self.lose_columns(&at);
                    break;
                }
                let at = below(row, &at, index);
                let outer = std::mem::replace(&mut self.is_cell, true);
                let mut items = self.stack(cell, &at);
                self.is_cell = outer;
                self.align(cell, &mut items, &at);
                cells.push(json!({"type": "TableCell", "items": items}));
                let span = cell["colSpan"].as_u64().unwrap_or(1).clamp(1, 50);
                if span > 1 || cell["rowSpan"].as_u64().unwrap_or(1) > 1 {
                    self.lose(&at, "a cell can not span others: they are left empty");
                }
                cells.extend((1..span).map(|_| json!({"type": "TableCell", "items": []})));
            }
            cells.truncate(COLUMNS);
            columns = columns.max(cells.len());
            rows.push(json!({"type": "TableRow", "cells": cells}));
        }
        if columns == 0 {
            return Vec::new();
        }
        let has_head = all.first().is_some_and(|row| row["header"] == true);
        vec![table(rows, columns, has_head)]
    }

    /// Aligns what is in a cell: in version 1.5 that is said of each element, and not of a cell.
    fn align(&mut self, cell: &Value, items: &mut [Value], at: &str) {
        let side = match cell["align"].as_str() {
            Some("center") => "Center",
            Some("end") => "Right",
            _ => return,
        };
        for item in items {
            if !align_item(item, side) {
                self.lose(&format!("{at}/align"), "only texts and images of a cell are aligned");
                return;
            }
        }
    }

    /// A table of plain or marked texts; the first row may be the head.
    pub(super) fn text_table(
        &mut self,
        rows: &[Vec<String>],
        has_head: bool,
        at: &str,
        cell: impl Fn(&str, &Value) -> Vec<Value>,
    ) -> Vec<Value> {
        let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
        if columns == 0 {
            return Vec::new();
        }
        if columns > COLUMNS {
            self.lose_columns(at);
        }
        // The head is no row.
        let head = usize::from(has_head);
        let most = self.budget.rows + head;
        if rows.len() > most {
            self.lose_rows(at, "rows", most - head, rows.len() - head);
        }
        let drawn = rows.iter().take(most).enumerate().map(|(index, row)| {
            let look = if index < head { json!({"weight": "Bolder"}) } else { json!({}) };
            let cells: Vec<Value> = row
                .iter()
                .take(COLUMNS)
                .map(|text| json!({"type": "TableCell", "items": cell(text, &look)}))
                .collect();
            json!({"type": "TableRow", "cells": cells})
        });
        vec![table(drawn.collect(), columns.min(COLUMNS), has_head)]
    }

    fn lose_columns(&mut self, at: &str) {
        self.lose(at, &format!("only the first {COLUMNS} columns are shown"));
    }
}

/// The name of a chart's axis as the head of a column; a name that says nothing is left out.
fn heading(axis: &str) -> String {
    let words = axis.replace(['_', '-'], " ");
    let mut letters = words.trim().chars();
    match letters.next() {
        Some(first) if !matches!(axis, "label" | "name" | "x" | "key") => {
            first.to_uppercase().chain(letters).collect()
        }
        _ => String::new(),
    }
}

/// The words of a cell that is one text.
fn cell_text(cell: &Value) -> Option<&str> {
    match cell["items"].as_array()?.as_slice() {
        [item] => item["text"].as_str(),
        _ => None,
    }
}

/// The values of a series as people write them: large ones with marks between thousands.
fn figures(series: &Series<'_>) -> Vec<String> {
    let is_large = series.values.iter().flatten().any(|value| value.abs() >= 10_000.0);
    let grouped = |text: &String| if is_large { grouped(text) } else { text.clone() };
    series.texts.iter().map(grouped).collect()
}

/// A number with a comma between thousands; any other text as it is.
fn grouped(text: &str) -> String {
    let digits = text.trim_start_matches('-');
    let (whole, rest) = digits.split_at(digits.find('.').unwrap_or(digits.len()));
    let is_number = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    if !is_number(whole) || !is_number(rest.trim_start_matches('.')) {
        return text.to_owned();
    }
    let mut out = text[..text.len() - digits.len()].to_owned();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out + rest
}

/// Whether the words are a figure, with its currency or unit.
fn is_figure(text: &str) -> bool {
    let bare = text.trim_start_matches(['-', '−', '+', '$', '€', '£', '¥', '~', '≈', ' ']);
    bare.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().filter(|c| c.is_alphabetic()).count() <= 3
}

/// Whether what is in a cell stands at the right.
fn is_right(cell: &Value) -> bool {
    cell["items"][0]["horizontalAlignment"] == "Right"
}

/// Figures stand at the right: the last columns in which every cell below the head is one. Before a column
/// of words they would touch it, so there they stand at the left.
fn align_figures(rows: &mut [Value], columns: usize, has_head: bool) {
    let body = usize::from(has_head);
    for column in (0..columns).rev() {
        let below = rows.get(body..).unwrap_or_default();
        let all = |is: &dyn Fn(&Value) -> bool| below.iter().all(|row| is(&row["cells"][column]));
        if below.is_empty() || all(&is_right) {
            continue;
        }
        if !all(&|cell| cell_text(cell).is_some_and(is_figure)) {
            break;
        }
        for row in rows.iter_mut() {
            let items = row["cells"][column]["items"].as_array_mut();
            items.into_iter().flatten().for_each(|item| _ = align_item(item, "Right"));
        }
    }
}

/// What is known of a column of a table: the letters of its longest word and of its longest text.
struct Width {
    word: usize,
    text: usize,
    /// Whether it may be as narrow as its texts: a key at the start, or figures at the right.
    may_be_fixed: bool,
}

/// The characters of a text that has no need of more room than it takes, and of one that has.
const SHORT: usize = 8;
const LONG: usize = 12;
/// The width of a bold letter.
const LETTER: usize = 9;

fn width(rows: &[Value], column: usize) -> Width {
    let mut width = Width { word: 3, text: 0, may_be_fixed: true };
    for row in rows {
        let cell = &row["cells"][column];
        let items = cell["items"].as_array().map(Vec::as_slice).unwrap_or_default();
        width.may_be_fixed &= column == 0 || items.is_empty() || is_right(cell);
        for item in items {
            let Some(text) = item["text"].as_str() else {
                width.may_be_fixed = false;
                continue;
            };
            let letters = text.chars().count();
            let words = text.split_whitespace().map(|word| word.chars().count());
            // A badge has room around its words, and stays on one line.
            let is_badge = item["type"] == "Badge";
            let word = if is_badge { letters + 2 } else { words.max().unwrap_or(0) };
            width.word = width.word.max(word);
            width.text = width.text.max(letters);
        }
    }
    width
}

/// The widths of columns. Each has a share by its longest text up to a bound, and never less than its
/// longest word; but beside a column of long texts a short one takes only what it needs.
fn widths(rows: &[Value], columns: usize) -> Vec<Value> {
    let all: Vec<Width> = (0..columns).map(|column| width(rows, column)).collect();
    let has_long = all.iter().any(|width| width.text > LONG);
    let share = |width: &Width| {
        if has_long && width.may_be_fixed && width.text <= SHORT {
            return json!({"width": format!("{}px", width.text.max(3) * LETTER + 8)});
        }
        json!({"width": (width.word + 1).max(width.text.min(LONG)).clamp(SHORT, 24)})
    };
    all.iter().map(share).collect()
}

/// All rows get the same number of cells.
fn table(mut rows: Vec<Value>, columns: usize, has_head: bool) -> Value {
    for row in &mut rows {
        if let Some(cells) = row["cells"].as_array_mut() {
            cells.resize(columns, json!({"type": "TableCell", "items": []}));
        }
    }
    align_figures(&mut rows, columns, has_head);
    let mut table = json!({
        "type": "Table",
        "columns": widths(&rows, columns),
        "showGridLines": false,
        "firstRowAsHeaders": has_head,
    });
    table["rows"] = rows.into();
    table
}
