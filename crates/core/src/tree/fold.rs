//! The text form: a tree folded to Markdown in reading order, for the model and for terminals.

use serde_json::Value;

use super::component::{Component, Fold};
use super::tidy::number_text;

/// Folds a checked tree to Markdown.
///
/// ```
/// use serde_json::json;
/// let tree = json!({"type": "Card", "children": [
///     {"type": "Title", "value": "Order 7"},
///     {"type": "Row", "children": [
///         {"type": "Text", "value": "Total"}, {"type": "Spacer"}, {"type": "Text", "value": "$9"}]},
///     {"type": "Button", "label": "Pay"}]});
/// assert_eq!(widgetcast_core::fold(&tree), "## Order 7\nTotal: $9\n[Pay]");
/// ```
pub fn fold(tree: &Value) -> String {
    let mut lines = Vec::new();
    block(tree, &mut lines);
    while lines.last().is_some_and(|line| line == RULE) {
        lines.pop();
    }
    lines.join("\n")
}

const RULE: &str = "---";

/// The component as whole lines.
fn block(node: &Value, lines: &mut Vec<String>) {
    let Some(component) = component(node) else { return };
    match component.fold {
        Fold::Block => {
            lines.extend(text(node, "/status/text").map(|status| format!("_{status}_")));
            children(node).for_each(|child| block(child, lines));
            let actions = ["/confirm/label", "/cancel/label"];
            let labels: Vec<_> =
                actions.iter().filter_map(|at| text(node, at)).map(|l| format!("[{l}]")).collect();
            if !labels.is_empty() {
                lines.push(labels.join(" "));
            }
        }
        Fold::Heading(prop) => {
            lines.extend(
                text(node, &format!("/{prop}")).map(|title| format!("## {}", one_line(&title))),
            );
        }
        Fold::Text(prop) => lines.extend(text(node, &format!("/{prop}"))),
        Fold::Rule => {
            if lines.last().is_some_and(|line| line != RULE) {
                lines.push(RULE.to_owned());
            }
        }
        Fold::Item => {
            let parts = phrases(children(node));
            if !parts.is_empty() {
                lines.push(format!("- {}", parts.join(" · ")));
            }
        }
        Fold::Chart => chart(node, lines),
        Fold::Table => table(node, lines),
        Fold::Inline if !is_one_line(node) => children(node).for_each(|child| block(child, lines)),
        Fold::Inline | Fold::Bracket(_) | Fold::Field | Fold::Image | Fold::Nothing => {
            let line = phrase(node);
            if !line.is_empty() {
                lines.push(line);
            }
        }
    }
}

/// The component as part of a line; empty if it says nothing.
fn phrase(node: &Value) -> String {
    let Some(component) = component(node) else { return String::new() };
    match component.fold {
        Fold::Inline => {
            // Label, gap, value: how a row of a receipt is laid out.
            let spaced = children(node).any(|child| child["type"] == "Spacer");
            let parts = phrases(children(node));
            match (spaced, parts.as_slice()) {
                (true, [label, value]) => format!("{}: {value}", label.trim_end_matches(':')),
                _ => parts.join(" "),
            }
        }
        Fold::Block | Fold::Item => phrases(children(node)).join(" · "),
        Fold::Heading(prop) => text(node, &format!("/{prop}"))
            .map_or(String::new(), |t| format!("**{}**", one_line(&t))),
        Fold::Text(prop) => {
            text(node, &format!("/{prop}")).map(|t| one_line(&t)).unwrap_or_default()
        }
        Fold::Bracket(prop) => {
            text(node, &format!("/{prop}")).map_or(String::new(), |l| format!("[{}]", one_line(&l)))
        }
        Fold::Field => field(node, component),
        Fold::Image => {
            text(node, "/alt").map_or(String::new(), |alt| format!("({})", one_line(&alt)))
        }
        Fold::Chart | Fold::Table => {
            let mut lines = Vec::new();
            block(node, &mut lines);
            lines.join("; ")
        }
        Fold::Rule | Fold::Nothing => String::new(),
    }
}

fn phrases<'v>(children: impl Iterator<Item = &'v Value>) -> Vec<String> {
    children.map(phrase).filter(|part| !part.is_empty()).collect()
}

/// Whether a row reads better on one line than as a stack of blocks.
fn is_one_line(node: &Value) -> bool {
    children(node).all(|child| match component(child).map(|c| c.fold) {
        Some(Fold::Chart | Fold::Table) => false,
        Some(Fold::Block | Fold::Inline) => children(child).count() <= 3 && is_one_line(child),
        _ => text(child, "/value").is_none_or(|value| value.lines().count() < 2),
    })
}

fn field(node: &Value, component: &Component) -> String {
    let name = text(node, "/name").unwrap_or_default();
    let start = text(node, "/defaultValue");
    let options: Vec<String> = node["options"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|option| {
            let label = text(option, "/label")?;
            let chosen = start.is_some() && text(option, "/value") == start;
            Some(if chosen { format!("({label})") } else { label })
        })
        .collect();
    if component.name == "Checkbox" {
        let mark = if node["defaultChecked"] == true { 'x' } else { ' ' };
        return format!("[{mark}] {}", text(node, "/label").unwrap_or(name));
    }
    let ask = text(node, "/placeholder").or_else(|| text(node, "/ariaLabel")).unwrap_or(name);
    match (options.is_empty(), start) {
        (false, _) => format!("{ask}: {}", options.join(" | ")),
        (true, Some(start)) => format!("{ask}: {start}"),
        (true, None) => format!("{ask}: ____"),
    }
}

fn chart(node: &Value, lines: &mut Vec<String>) {
    let axis = text(node, "/xAxis").or_else(|| text(node, "/xAxis/dataKey")).unwrap_or_default();
    let series: Vec<(String, String)> = node["series"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|series| {
            let key = text(series, "/dataKey")?;
            Some((text(series, "/label").unwrap_or_else(|| key.clone()), key))
        })
        .collect();
    let rows = node["data"].as_array().into_iter().flatten().map(|row| {
        let keys = std::iter::once(&axis).chain(series.iter().map(|(_, key)| key));
        keys.map(|key| row.get(key).map(scalar).unwrap_or_default()).collect()
    });
    let head = std::iter::once(axis.clone()).chain(series.iter().map(|(label, _)| label.clone()));
    grid(std::iter::once(head.collect()).chain(rows), lines);
}

fn table(node: &Value, lines: &mut Vec<String>) {
    let rows = children(node)
        .map(|row| children(row).map(|cell| phrases(children(cell)).join(" ")).collect());
    grid(rows, lines);
}

/// A Markdown table; the first row is its head.
fn grid(rows: impl Iterator<Item = Vec<String>>, lines: &mut Vec<String>) {
    for (index, row) in rows.enumerate() {
        let cells: Vec<String> =
            row.iter().map(|cell| one_line(cell).replace('|', "\\|")).collect();
        lines.push(format!("| {} |", cells.join(" | ")));
        if index == 0 {
            lines.push(format!("|{}", " --- |".repeat(cells.len())));
        }
    }
}

fn component(node: &Value) -> Option<&'static Component> {
    node["type"].as_str().and_then(Component::find)
}

fn children(node: &Value) -> impl Iterator<Item = &Value> {
    let (list, one) = match &node["children"] {
        Value::Array(list) => (list.as_slice(), None),
        Value::Object(_) => (&[][..], node.get("children")),
        _ => (&[][..], None),
    };
    list.iter().chain(one)
}

/// The text at a pointer, unless there is none worth showing.
fn text(node: &Value, pointer: &str) -> Option<String> {
    let found = scalar(node.pointer(pointer)?);
    (!found.trim().is_empty()).then_some(found)
}

fn scalar(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number_text(number),
        Value::Bool(flag) => flag.to_string(),
        _ => String::new(),
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
