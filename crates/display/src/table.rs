//! `display_table`

use std::collections::HashSet;
use std::fmt::Write as _;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json, to_value};
use widgetcast::{Ctx, Outcome, Tool, ToolError};

use crate::tool::{display_tool, locale, timestamp};
use crate::usage::Usage;

/// How many rows the text for hosts without views has, and how many characters a cell.
const MAX_ROWS: usize = 20;
const MAX_CELL: usize = 60;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Input {
    /// What the table shows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    title: Option<String>,
    /// The names of the columns, in order; if empty, those of the rows.
    columns: Vec<String>,
    /// One object per row, with a value for each column.
    rows: Vec<Map<String, Value>>,
}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// What the table shows.
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    /// The names of the columns, in order.
    columns: Vec<String>,
    /// The rows.
    data: Vec<Map<String, Value>>,
    /// The user's language.
    locale: String,
}

pub(crate) fn tool(usage: &Arc<Usage>) -> Tool {
    let usage = Arc::clone(usage);
    let run = move |ctx: Ctx, mut input: Input| {
        usage.table();
        if input.columns.is_empty() {
            input.columns = names(&input.rows);
        }
        async move {
            let text = markdown(&input);
            let data = Output {
                title: input.title,
                columns: input.columns,
                data: input.rows,
                locale: locale(&ctx),
            };
            Ok::<_, ToolError>(
                Outcome::new()
                    .text(text)
                    .data(to_value(data)?)
                    .meta("tableContext", json!({ "generatedAt": timestamp() })),
            )
        }
    };
    let tool = Tool::new("display_table", run)
        .title("Table")
        .description(
            "Use this when presenting structured tabular data (comparisons, schedules, lists).",
        )
        .output_type::<Output>()
        .sample(
            json!({ "title": "Breads", "columns": ["name", "hours", "price", "sold out"], "rows": [
            { "name": "Rye", "hours": 18, "price": 4.2, "sold out": false },
            { "name": "Baguette", "hours": 5, "price": 1.8, "sold out": true },
            { "name": "Ciabatta", "hours": 14, "price": 3.5, "sold out": false },
        ] }),
        );
    display_tool(tool, "pizzaz-table", "Preparing table...", "Table displayed")
}

/// The first rows as a Markdown table, with the count, for hosts without views.
fn markdown(input: &Input) -> String {
    let count = input.rows.len();
    let s = if count == 1 { "" } else { "s" };
    let mut out = match &input.title {
        Some(title) => format!("{title}: {count} row{s}"),
        None => format!("Table with {count} row{s}"),
    };
    if input.columns.is_empty() || count == 0 {
        return out;
    }
    let line = |cells: Vec<String>| format!("\n| {} |", cells.join(" | "));
    out.push('\n');
    out += &line(input.columns.iter().map(|name| cell(name)).collect());
    out += &line(input.columns.iter().map(|_| "---".to_owned()).collect());
    for row in input.rows.iter().take(MAX_ROWS) {
        let value = |name: &String| match row.get(name) {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(text)) => cell(text),
            Some(value) => cell(&value.to_string()),
        };
        out += &line(input.columns.iter().map(value).collect());
    }
    if count > MAX_ROWS {
        _ = write!(out, "\n\n… and {} more rows", count - MAX_ROWS);
    }
    out
}

/// The names in the rows, in the order of their first use.
fn names(rows: &[Map<String, Value>]) -> Vec<String> {
    let mut seen = HashSet::new();
    let names = rows.iter().flat_map(Map::keys).filter(|name| seen.insert(*name));
    names.cloned().collect()
}

/// A text as a cell of a Markdown table: on one line, escaped and clipped.
fn cell(text: &str) -> String {
    let plain = text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|");
    if plain.chars().count() <= MAX_CELL {
        return plain;
    }
    let head: String = plain.chars().take(MAX_CELL - 1).collect();
    // A backslash at the cut would escape the bar that ends the cell.
    format!("{}…", head.trim_end_matches('\\'))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn tables_as_markdown() {
        let table = |rows: Value| {
            let input = json!({ "title": "Menu", "columns": ["name", "price"], "rows": rows });
            markdown(&serde_json::from_value(input).unwrap())
        };
        assert_eq!(table(json!([])), "Menu: 0 rows");
        assert_eq!(
            table(json!([{ "name": "a|b\nc", "price": 7.5 }, { "name": "x".repeat(80) }])),
            format!(
                "Menu: 2 rows\n\n| name | price |\n| --- | --- |\n| a\\|b c | 7.5 |\n| {}… |  |",
                "x".repeat(59)
            )
        );
        let rows = [json!({ "a": 1, "c": 2 }), json!({ "b": 3, "a": 4 })];
        let rows: Vec<_> = rows.iter().map(|row| row.as_object().unwrap().clone()).collect();
        assert_eq!(names(&rows), ["a", "c", "b"]);
        let many = table(Value::Array(vec![json!({ "name": "x", "price": 1 }); 25]));
        assert!(many.ends_with("\n\n… and 5 more rows"), "{many}");
    }
}
