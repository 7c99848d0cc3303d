//! Tables, and charts as tables of their data.

use serde_json::{Value, json};

use super::builder::{Builder, below, holding};
use super::layout::{align_item, says};
use super::newer;
use super::words::plain;
use crate::surface::node::{self, Series, children};

/// The most columns of a table. All rows get as many cells as the widest has, so without a bound one
/// wide row would widen all others.
const COLUMNS: usize = 50;
/// The room for words and a badge on a line of a cell: of a table of two columns, and of others.
const WIDE: usize = 230;
const NARROW: usize = 150;

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
        let older = self.text_table(&rows, has_head, at, plain);
        let Some(first) = newer.first_mut() else { return older };
        // The table has all series.
        first["fallback"] = older.into_iter().next().unwrap_or_else(|| "drop".into());
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
                let room = if children(row).len() <= 2 { WIDE } else { NARROW };
                let outer = self.cell.replace(room);
                let mut items = self.stack(cell, &at);
                self.cell = outer;
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
            let mut drawn = holding("TableRow", "cells", cells);
            if children(row).iter().all(|cell| cell["vAlign"] == "center") {
                drawn["verticalCellContentAlignment"] = "Center".into();
            }
            rows.push(drawn);
        }
        if columns == 0 {
            return Vec::new();
        }
        let has_head = all.first().is_some_and(|row| row["header"] == true);
        table(rows, columns, has_head)
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
            let look = if index < head {
                json!({"weight": "Bolder", "size": "Small", "isSubtle": true})
            } else {
                json!({})
            };
            let cells: Vec<Value> = row
                .iter()
                .take(COLUMNS)
                .map(|text| json!({"type": "TableCell", "items": cell(text, &look)}))
                .collect();
            json!({"type": "TableRow", "cells": cells})
        });
        table(drawn.collect(), columns.min(COLUMNS), has_head)
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

/// The letters of a unit that is one word: `months`.
const UNIT: usize = 6;

/// Whether the words are a figure, with its currency or unit.
fn is_figure(text: &str) -> bool {
    let bare = text.trim_start_matches(['-', '−', '+', '$', '€', '£', '¥', '~', '≈', ' ']);
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let words = bare.split_whitespace().filter(|word| word.contains(char::is_alphabetic)).count();
    bare.starts_with(|c: char| c.is_ascii_digit())
        && (letters <= 3 || words == 1 && letters <= UNIT)
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
    is_centred: bool,
    /// Whether it may be as narrow as its texts: a key at the start, or figures at the right.
    may_be_fixed: bool,
}

/// The characters of a text that has no need of more room than it takes, and of one that has.
const SHORT: usize = 8;
const LONG: usize = 12;
/// The width of a bold letter.
const LETTER: usize = 9;

fn width(rows: &[Value], column: usize) -> Width {
    let mut width = Width { word: 3, text: 0, is_centred: true, may_be_fixed: true };
    for row in rows {
        let cell = &row["cells"][column];
        let items = cell["items"].as_array().map(Vec::as_slice).unwrap_or_default();
        width.may_be_fixed &= column == 0 || items.is_empty() || is_right(cell);
        width.is_centred &= items.iter().all(|item| item["horizontalAlignment"] == "Center");
        for item in items {
            width.may_be_fixed &= item["text"].is_string();
            let (word, text) = letters(item);
            width.word = width.word.max(word);
            width.text = width.text.max(text);
        }
    }
    width
}

/// The letters of the longest word and of the whole text of an element; side by side they add up.
fn letters(item: &Value) -> (usize, usize) {
    if let Some(columns) = item["columns"].as_array() {
        let inner = columns.iter().map(|column| letters(&column["items"][0]));
        return inner.fold((0, 0), |all, one| (all.0 + one.0 + 1, all.1 + one.1 + 1));
    }
    let text = item["text"].as_str().unwrap_or_default();
    let all = text.chars().count();
    let words = text.split_whitespace().map(|word| word.chars().count());
    // A badge stays on one line.
    let word = if item["type"] == "Badge" { all } else { words.max().unwrap_or(0) };
    (word, all)
}

/// The widths of columns. Each has a share by its longest text up to a bound, and never less than its
/// longest word; but beside a column of long texts a short one takes only what it needs. Columns that are
/// centred are compared, and so they are equally wide.
fn widths(rows: &[Value], columns: usize) -> Vec<Value> {
    let mut all: Vec<Width> = (0..columns).map(|column| width(rows, column)).collect();
    let centred = || all.iter().filter(|width| width.is_centred);
    let word = centred().map(|width| width.word).max().unwrap_or(0);
    let text = centred().map(|width| width.text).max().unwrap_or(0);
    for width in all.iter_mut().filter(|width| width.is_centred) {
        (width.word, width.text) = (word, text);
    }
    let has_long = all.iter().any(|width| width.text > LONG);
    let share = |width: &Width| {
        if has_long && width.may_be_fixed && width.text <= SHORT {
            return json!({"width": format!("{}px", width.text.max(3) * LETTER + 8)});
        }
        json!({"width": (width.word + 1).max(width.text.min(LONG)).clamp(SHORT, 24)})
    };
    all.iter().map(share).collect()
}

/// Whether the last row is the sum of those above: its texts are bold, and of theirs none is.
fn has_sum(rows: &[Value], has_head: bool) -> bool {
    fn texts(row: &Value) -> impl Iterator<Item = &Value> {
        let cells = row["cells"].as_array().into_iter().flatten();
        cells.filter_map(|cell| cell["items"].as_array()).flatten()
    }
    let is_bold = |item: &Value| item["weight"] == "Bolder";
    let [above @ .., last] = rows.get(usize::from(has_head)..).unwrap_or_default() else {
        return false;
    };
    above.len() > 1
        && texts(last).count() > 1
        && texts(last).all(is_bold)
        && !above.iter().flat_map(texts).any(is_bold)
}

/// All rows get the same number of cells. A sum stands below a line, which only a table of its own can have.
fn table(mut rows: Vec<Value>, columns: usize, has_head: bool) -> Vec<Value> {
    for row in &mut rows {
        if let Some(cells) = row["cells"].as_array_mut() {
            cells.resize(columns, json!({"type": "TableCell", "items": []}));
        }
    }
    align_figures(&mut rows, columns, has_head);
    let widths = widths(&rows, columns);
    let table = |rows: Vec<Value>, has_head: bool| {
        let mut table = json!({
            "type": "Table", "columns": widths, "showGridLines": false, "firstRowAsHeaders": has_head,
        });
        table["rows"] = rows.into();
        table
    };
    let sum = if has_sum(&rows, has_head) { rows.pop() } else { None };
    let mut out = vec![table(rows, has_head)];
    if let Some(sum) = sum {
        let mut below = table(vec![sum], false);
        below["separator"] = true.into();
        below["spacing"] = "Large".into();
        out.push(below);
    }
    out
}
