//! Tables, and charts as tables of their data.

use serde_json::{Value, json};

use super::builder::{Builder, below};
use super::words::plain;
use crate::surface::node::{self, children};

/// The most columns of a table. All rows get as many cells as the widest has, so without a bound one
/// wide row would widen all others.
const COLUMNS: usize = 50;

impl<'v> Builder<'v> {
    /// A chart as a table of its data.
    pub(super) fn chart(&mut self, node: &Value, at: &str) -> Vec<Value> {
        self.lose(at, "version 1.5 has no charts: the data is shown as a table");
        let plot = node::plot(node, self.budget.rows);
        let head = std::iter::once(plot.axis).chain(plot.series.iter().map(|s| s.label.clone()));
        let mut rows = vec![head.collect::<Vec<_>>()];
        if plot.points > plot.labels.len() {
            self.lose_rows(&format!("{at}/data"), "points", plot.labels.len(), plot.points);
        }
        for (index, label) in plot.labels.iter().enumerate() {
            let values = plot.series.iter().map(|series| series.texts[index].clone());
            rows.push(std::iter::once(label.clone()).chain(values).collect());
        }
        self.text_table(&rows, at, plain)
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
        let takes = ["TextBlock", "RichTextBlock", "Image", "ColumnSet"];
        for item in items {
            if !takes.iter().any(|kind| item["type"] == *kind) {
                self.lose(&format!("{at}/align"), "only texts and images of a cell are aligned");
                return;
            }
            if item["horizontalAlignment"].is_null() {
                item["horizontalAlignment"] = side.into();
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

/// All rows get the same number of cells.
fn table(mut rows: Vec<Value>, columns: usize, has_head: bool) -> Value {
    for row in &mut rows {
        if let Some(cells) = row["cells"].as_array_mut() {
            cells.resize(columns, json!({"type": "TableCell", "items": []}));
        }
    }
    json!({
        "type": "Table",
        "columns": vec![json!({"width": 1}); columns],
        "firstRowAsHeaders": has_head,
        "rows": rows,
    })
}
