//! Tables, and charts as tables of their data.

use serde_json::{Value, json};

use super::builder::{Builder, below};
use super::layout::align_item;
use super::newer;
use super::words::plain;
use crate::surface::node::{self, children};

/// The most columns of a table. All rows get as many cells as the widest has, so without a bound one
/// wide row would widen all others.
const COLUMNS: usize = 50;

impl<'v> Builder<'v> {
    /// A chart as a table of its data.
    pub(super) fn chart(&mut self, node: &Value, at: &str) -> Vec<Value> {
        self.lose(at, "hosts that know no charts show the data as a table");
        let plot = node::plot(node, self.budget.rows);
        let newer = newer::chart(node, &plot);
        let head =
            std::iter::once(heading(&plot.axis)).chain(plot.series.iter().map(|s| s.label.clone()));
        let mut rows = vec![head.collect::<Vec<_>>()];
        if plot.points > plot.labels.len() {
            self.lose_rows(&format!("{at}/data"), "points", plot.labels.len(), plot.points);
        }
        for (index, label) in plot.labels.iter().enumerate() {
            let values = plot.series.iter().map(|series| series.texts[index].clone());
            rows.push(std::iter::once(label.clone()).chain(values).collect());
        }
        let mut older = self.text_table(&rows, at, plain);
        match (newer, older.pop()) {
            (Some(mut chart), Some(table)) => {
                chart["fallback"] = table;
                vec![chart]
            }
            (_, table) => table.into_iter().collect(),
        }
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
                let mut items = self.stack(cell, &at);
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

    /// A table of plain or marked texts; the first row is the head.
    pub(super) fn text_table(
        &mut self,
        rows: &[Vec<String>],
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
        let most = self.budget.rows + 1;
        if rows.len() > most {
            self.lose_rows(at, "rows", most - 1, rows.len() - 1);
        }
        let drawn = rows.iter().take(most).enumerate().map(|(index, row)| {
            let look = if index == 0 { json!({"weight": "Bolder"}) } else { json!({}) };
            let cells: Vec<Value> = row
                .iter()
                .take(COLUMNS)
                .map(|text| json!({"type": "TableCell", "items": cell(text, &look)}))
                .collect();
            json!({"type": "TableRow", "cells": cells})
        });
        vec![table(drawn.collect(), columns.min(COLUMNS), true)]
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

/// Figures stand at the right: a column in which every cell below the head is one.
fn align_figures(rows: &mut [Value], columns: usize, has_head: bool) {
    let is_figure = |text: &str| {
        let bare = text.trim_start_matches(['-', '−', '+', '$', '€', '£', '¥', '~', '≈', ' ']);
        bare.starts_with(|c: char| c.is_ascii_digit())
            && text.chars().filter(|c| c.is_alphabetic()).count() <= 3
    };
    let body = usize::from(has_head);
    for column in 0..columns {
        let below = rows.get(body..).unwrap_or_default();
        let is_column = |row: &Value| cell_text(&row["cells"][column]).is_some_and(is_figure);
        if below.is_empty() || !below.iter().all(is_column) {
            continue;
        }
        for row in rows.iter_mut() {
            let items = row["cells"][column]["items"].as_array_mut();
            items.into_iter().flatten().for_each(|item| _ = align_item(item, "Right"));
        }
    }
}

/// The width of a column as a share: by its longest text up to a bound, and never less than its
/// longest word.
fn share(rows: &[Value], column: usize) -> usize {
    let mut share = 5;
    for row in rows {
        let items = row["cells"][column]["items"].as_array();
        for text in items.into_iter().flatten().filter_map(|item| item["text"].as_str()) {
            let words = text.split_whitespace().map(|word| word.chars().count());
            share = share.max(words.max().unwrap_or(0) + 2).max(text.chars().count().min(12));
        }
    }
    share.min(24)
}

/// All rows get the same number of cells.
fn table(mut rows: Vec<Value>, columns: usize, has_head: bool) -> Value {
    for row in &mut rows {
        if let Some(cells) = row["cells"].as_array_mut() {
            cells.resize(columns, json!({"type": "TableCell", "items": []}));
        }
    }
    align_figures(&mut rows, columns, has_head);
    let widths: Vec<Value> =
        (0..columns).map(|column| json!({"width": share(&rows, column)})).collect();
    json!({
        "type": "Table",
        "columns": widths,
        "showGridLines": false,
        "firstRowAsHeaders": has_head,
        "rows": rows,
    })
}
