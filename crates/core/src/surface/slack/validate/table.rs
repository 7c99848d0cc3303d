//! Tables: rows, cells, and the characters that they may have together.

use serde_json::Value;

use super::check::{Check, Members};
use crate::surface::slack::limit;

const CELLS: &str = "raw_text raw_number rich_text";

impl Check {
    pub(super) fn table(&mut self, block: &Members, kind: &str, path: &str, depth: usize) {
        let data = kind == "data_table";
        let (least, most) = if data { (2, limit::ROWS + 1) } else { (1, limit::ROWS) };
        let rows = self.list(block, "rows", path, least, most);
        let width = rows.first().and_then(Value::as_array).map_or(0, Vec::len);
        let mut chars = 0;
        for (y, row) in rows.iter().enumerate() {
            let path = format!("{path}.rows[{y}]");
            let Value::Array(cells) = row else {
                self.fault(path, "must be a list");
                continue;
            };
            if !(1..=limit::COLUMNS).contains(&cells.len()) {
                self.fault(&*path, format!("1 to {} cells", limit::COLUMNS));
            }
            if data && cells.len() != width {
                self.fault(&*path, "every row must have as many cells as the header row");
            }
            for (x, cell) in cells.iter().enumerate() {
                let head = data && y == 0;
                chars += self.cell(cell, &format!("{path}[{x}]"), head, depth);
            }
        }
        let budget = if data { limit::DATA_TABLE_CHARS } else { limit::TABLE_CHARS };
        if chars > budget {
            self.fault(path, format!("at most {budget} characters in a {kind}"));
        }
        self.table_chars += chars;
        if data {
            self.string(block, "caption", path, 1, limit::SECTION);
            self.range(block, "page_size", path, 1, limit::ROWS);
            self.range(block, "row_header_column_index", path, 0, width.saturating_sub(1));
        } else if block.contains_key("column_settings") {
            self.list(block, "column_settings", path, 0, limit::COLUMNS);
        }
    }

    /// Checks a cell and returns its characters.
    fn cell(&mut self, value: &Value, path: &str, head: bool, depth: usize) -> usize {
        let Some((cell, kind)) = self.typed(value, path, CELLS) else { return 0 };
        if kind == "rich_text" {
            if head {
                self.fault(path, "the header row of a data_table must not contain rich_text");
            }
            self.block(value, path, depth + 1, "rich_text");
            return letters(value);
        }
        self.string(cell, "text", path, 1, usize::MAX);
        if kind == "raw_number" && !cell.get("value").is_some_and(Value::is_number) {
            self.fault(format!("{path}.value"), "must be a number");
        }
        cell.get("text").and_then(Value::as_str).map_or(0, limit::len)
    }
}

/// The characters of a rich text; it has been checked, so it is not deep.
fn letters(value: &Value) -> usize {
    let own = value["text"].as_str().map_or(0, limit::len);
    let inner = value["elements"].as_array().into_iter().flatten();
    own + inner.map(letters).sum::<usize>()
}
