//! The text form: a tree folded to Markdown in reading order, for the model and for terminals.
//!
//! It is what a host without any view shows, so it must be useful alone: nothing that a person
//! would read is left out, a label stands with the value it belongs to, and a field says what it
//! asks for. Layout and colour are dropped. A divider becomes a blank line, not a rule: `---`
//! under a line of text would turn that line into a heading.

use std::collections::HashMap;

use serde_json::Value;

use super::component::{Component, Fold};
use super::tidy::number_text;

#[cfg(test)]
mod tests;

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
    let mut labels = Labels::default();
    labels.collect(tree);
    let mut lines = Vec::new();
    labels.block(tree, &mut lines);
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines.join("\n")
}

/// The labels of the form fields: a field is asked for by its label, wherever the label stands.
#[derive(Default)]
struct Labels {
    of_field: HashMap<String, String>,
    fields: Vec<String>,
}

impl Labels {
    fn collect(&mut self, node: &Value) {
        if let Some(name) = field_name(node) {
            self.fields.push(name);
        } else if node["type"] == "Label"
            && let (Some(field), Some(value)) = (text(node, "/fieldName"), text(node, "/value"))
        {
            self.of_field.entry(field).or_insert(value);
        }
        children(node).for_each(|child| self.collect(child));
    }

    /// Whether the field says this label, so that it need not be said twice.
    fn is_said_by_field(&self, node: &Value) -> bool {
        node["type"] == "Label"
            && text(node, "/fieldName").is_some_and(|field| {
                self.fields.contains(&field)
                    && self.of_field.get(&field) == text(node, "/value").as_ref()
            })
    }

    fn is_unlabelled(&self, node: &Value) -> bool {
        node["type"] != "Checkbox"
            && field_name(node).is_some_and(|name| !self.of_field.contains_key(&name))
    }

    /// The component as whole lines.
    fn block(&self, node: &Value, lines: &mut Vec<String>) {
        let Some(component) = component(node) else { return };
        match component.fold {
            Fold::Block => {
                lines.extend(text(node, "/status/text").map(|s| format!("_{}_", one_line(&s))));
                self.blocks(node, lines);
                let actions = ["/confirm/label", "/cancel/label"].iter();
                let labels: Vec<_> =
                    actions.filter_map(|at| text(node, at)).map(|l| bracket(&l)).collect();
                if !labels.is_empty() {
                    lines.push(labels.join(" "));
                }
            }
            Fold::Heading(prop) => {
                let Some(title) = text(node, &format!("/{prop}")) else { return };
                if is_heading(&title) {
                    gap(lines);
                    lines.push(format!("## {}", one_line(&title)));
                } else {
                    lines.push(format!("**{}**", one_line(&title)));
                }
            }
            Fold::Text(_) if node["type"] == "Markdown" => {
                let Some(value) = text(node, "/value") else { return };
                gap(lines);
                value.trim_end().lines().for_each(|line| push_line(line.to_owned(), lines));
                gap(lines);
            }
            Fold::Text(_) if node["editable"].is_object() => self.prompt(node, component, lines),
            Fold::Text(prop) => {
                if !self.is_said_by_field(node)
                    && let Some(value) = text(node, &format!("/{prop}"))
                {
                    value.trim().lines().for_each(|line| push_line(escape(line), lines));
                }
            }
            Fold::Rule => gap(lines),
            Fold::Item => self.item(node, lines),
            Fold::Chart => grid(chart(node), lines),
            Fold::Table => grid(self.table(node), lines),
            Fold::Field => self.prompt(node, component, lines),
            Fold::Inline if !is_one_line(node) => self.blocks(node, lines),
            Fold::Inline | Fold::Bracket(_) | Fold::Image | Fold::Nothing => {
                let line = self.phrase(node);
                if !line.is_empty() {
                    lines.push(escape(&line));
                }
            }
        }
    }

    fn blocks(&self, node: &Value, lines: &mut Vec<String>) {
        let shown = children(node).filter(|child| !repeats_alt(child, node));
        for child in shown {
            // Of figures side by side, each one that has more than a name gets a line.
            match is_row(node) && is_group(child) && is_one_line(child) {
                true => push_line(escape(&self.phrase(child)), lines),
                false => self.block(child, lines),
            }
        }
    }

    /// A list entry: one line where that reads well, else a first line and what hangs below it.
    fn item(&self, node: &Value, lines: &mut Vec<String>) {
        let mut inner = Vec::new();
        if is_one_line(node) && titles(node) < 2 {
            inner.push(self.join(node));
        } else {
            self.blocks(node, &mut inner);
        }
        let filled = inner.into_iter().filter(|line| !line.is_empty());
        lines.extend(filled.enumerate().map(|(index, line)| match index {
            0 => format!("- {}", line.trim_start_matches("## ")),
            _ => format!("  {line}"),
        }));
    }

    /// A field as lines of its own: a start value of several lines keeps them.
    fn prompt(&self, node: &Value, component: &Component, lines: &mut Vec<String>) {
        match start(node).filter(|start| start.trim().contains('\n')) {
            Some(start) => {
                lines.push(format!("{}:", self.ask(node)));
                start.trim().lines().for_each(|line| push_line(escape(line), lines));
            }
            None => lines.push(self.field(node, component)),
        }
    }

    /// The component as part of a line; empty if it says nothing.
    fn phrase(&self, node: &Value) -> String {
        let Some(component) = component(node) else { return String::new() };
        let said = |prop: &str| text(node, &format!("/{prop}")).map(|t| one_line(&t));
        match component.fold {
            Fold::Inline | Fold::Block | Fold::Item => self.join(node),
            Fold::Heading(prop) => said(prop).map_or(String::new(), |t| format!("**{t}**")),
            Fold::Text(_) if node["editable"].is_object() => self.field(node, component),
            Fold::Text(_) if self.is_said_by_field(node) => String::new(),
            Fold::Text(prop) => match said(prop) {
                Some(value) if node["lineThrough"] == true => format!("~~{value}~~"),
                value => value.unwrap_or_default(),
            },
            Fold::Bracket(prop) => button(node, said(prop)),
            Fold::Field => self.field(node, component),
            Fold::Image => said("alt").map_or(String::new(), |alt| format!("({alt})")),
            Fold::Chart => rows_in_line(chart(node)),
            Fold::Table => rows_in_line(self.table(node)),
            Fold::Rule | Fold::Nothing => String::new(),
        }
    }

    /// The children of a group, side by side on one line.
    fn join(&self, node: &Value) -> String {
        let parts: Vec<(&Value, String)> = children(node)
            .filter(|child| !repeats_alt(child, node))
            .map(|child| (child, self.phrase(child)))
            .filter(|(_, part)| !part.is_empty())
            .collect();
        // Label, gap, value, as on a receipt; or a caption over its value.
        let mut is_pair = false;
        if let [(label, _), (value, _), more @ ..] = parts.as_slice() {
            let spaced = is_row(node) && children(node).any(|child| child["type"] == "Spacer");
            let captioned =
                !is_row(node) && label["type"] == "Caption" && value["type"] != "Caption";
            let narrow = is_row(node) && (is_narrow_label(label) || self.is_unlabelled(value));
            is_pair = is_words(label)
                && !is_bracket(value)
                && (captioned || (more.is_empty() && (spaced || narrow)));
        }
        let mut line = String::new();
        for (index, (child, part)) in parts.iter().enumerate() {
            if index == 1 && is_pair {
                line.truncate(line.trim_end_matches(':').len());
                // The words before a field that has no label are its label.
                if self.is_unlabelled(child) {
                    return asked(&(line + required(child)), &self.answer(child));
                }
                line += if line.ends_with('?') { " " } else { ": " };
            } else if index > 0 {
                let before = parts[index - 1].0;
                let short = parts[0].1.chars().count() <= 6;
                let figure = parts.len() == 2 && (before["type"] == "Title" || short);
                let close = is_bracket(child)
                    || is_bracket(before)
                    || figure
                    || before["type"] == "Image"
                    || child["type"] == "Image";
                let apart = !is_row(node) || is_group(child) || is_group(before);
                line += if apart && !close { " · " } else { " " };
            }
            line += part;
        }
        line
    }

    /// What a field asks for.
    fn ask(&self, node: &Value) -> String {
        let label = field_name(node).and_then(|name| self.of_field.get(&name).cloned());
        let ask = label
            .or_else(|| text(node, "/label"))
            .or_else(|| text(node, "/ariaLabel"))
            .or_else(|| text(node, "/placeholder"))
            .or_else(|| text(node, "/editable/placeholder"))
            .or_else(|| field_name(node))
            .unwrap_or_default();
        let ask = one_line(&ask);
        format!("{}{}", ask.trim_end_matches(':'), required(node))
    }

    fn field(&self, node: &Value, component: &Component) -> String {
        let ask = self.ask(node);
        if component.name == "Checkbox" {
            let mark = if node["defaultChecked"] == true { 'x' } else { ' ' };
            return format!("[{mark}] {ask}");
        }
        asked(&ask, &self.answer(node))
    }

    /// What a field holds, offers or hints at.
    fn answer(&self, node: &Value) -> String {
        let start = start(node);
        let options = node["options"].as_array().into_iter().flatten();
        let options: Vec<String> = options.filter_map(|o| option(o, start.as_deref())).collect();
        match (options.is_empty(), start, text(node, "/placeholder")) {
            (false, ..) => options.join(" | "),
            (_, Some(start), _) => one_line(&start),
            (_, None, Some(hint)) if !self.ask(node).starts_with(hint.trim()) => {
                format!("____ ({})", one_line(&hint))
            }
            _ => "____".to_owned(),
        }
    }

    fn table(&self, node: &Value) -> Vec<Vec<String>> {
        children(node)
            .map(|row| {
                let cells = children(row).flat_map(|cell| {
                    let span = cell["colSpan"].as_u64().unwrap_or(1).clamp(1, 50) as usize;
                    let words = self.join(cell);
                    let words = if words.is_empty() { icons(cell) } else { words };
                    std::iter::once(words).chain(std::iter::repeat_n(String::new(), span - 1))
                });
                cells.collect()
            })
            .collect()
    }
}

fn required(node: &Value) -> &'static str {
    let is_required = node["required"] == true || node["editable"]["required"] == true;
    if is_required { " (required)" } else { "" }
}

fn asked(ask: &str, answer: &str) -> String {
    if ask.ends_with('?') { format!("{ask} {answer}") } else { format!("{ask}: {answer}") }
}

/// A button that leads somewhere is a link; one without words goes by its icon.
fn button(node: &Value, label: Option<String>) -> String {
    let icon = || text(node, "/iconStart").or_else(|| text(node, "/iconEnd"));
    let Some(label) = label.or_else(icon) else { return String::new() };
    match text(node, "/onClickAction/payload/url").filter(|url| url.starts_with("https://")) {
        Some(url) if !url.contains([' ', '\n', '(', ')']) => format!("{}({url})", bracket(&label)),
        _ => bracket(&label),
    }
}

fn option(option: &Value, start: Option<&str>) -> Option<String> {
    let mut words = one_line(&text(option, "/label")?);
    if let Some(description) = text(option, "/description") {
        words += &format!(", {}", one_line(&description));
    }
    if start.is_some() && text(option, "/value").as_deref() == start {
        words += " (chosen)";
    }
    if option["disabled"] == true {
        words += " (not available)";
    }
    Some(words)
}

/// The value a field starts with. A secret stays one.
fn start(node: &Value) -> Option<String> {
    let value = match node["type"].as_str() {
        Some("Text") => text(node, "/value"),
        Some("DatePicker") => text(node, "/defaultValue").map(|date| {
            let midnight = date.find("T00:00");
            midnight.map_or(date.clone(), |at| date[..at].to_owned())
        }),
        _ => text(node, "/defaultValue"),
    };
    if node["inputType"] == "password" { value.map(|_| "••••".to_owned()) } else { value }
}

fn chart(node: &Value) -> Vec<Vec<String>> {
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
    std::iter::once(head.collect()).chain(rows).collect()
}

/// A Markdown table; the first row is its head.
fn grid(rows: Vec<Vec<String>>, lines: &mut Vec<String>) {
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    if columns == 0 {
        return;
    }
    gap(lines);
    for (index, mut row) in rows.into_iter().enumerate() {
        row.resize(columns, String::new());
        let cells: Vec<String> =
            row.iter().map(|cell| one_line(cell).replace('|', "\\|")).collect();
        lines.push(format!("| {} |", cells.join(" | ")));
        if index == 0 {
            lines.push(format!("|{}", " --- |".repeat(columns)));
        }
    }
    gap(lines);
}

fn rows_in_line(rows: Vec<Vec<String>>) -> String {
    rows.into_iter().map(|row| row.join(", ")).collect::<Vec<_>>().join("; ")
}

/// Whether a row reads better on one line than as a stack of blocks.
fn is_one_line(node: &Value) -> bool {
    let shown = || children(node).filter(|child| child["type"] != "Spacer");
    let is_pair = is_row(node) && shown().count() == 2 && shown().next().is_some_and(is_words);
    let fits = children(node).all(|child| match component(child).map(|c| c.fold) {
        Some(Fold::Chart | Fold::Table | Fold::Item) => false,
        Some(Fold::Field) => is_pair || !child["options"].is_array(),
        Some(Fold::Block | Fold::Inline) => {
            let groups = children(child).filter(|inner| is_group(inner)).count();
            let is_small = children(child).count() <= 5 && groups <= 2;
            child["type"] != "Card" && is_small && is_one_line(child)
        }
        _ => {
            let value = text(child, "/value").unwrap_or_default();
            child["type"] != "Markdown" && value.trim().lines().count() < 2
        }
    });
    // Groups of three and more side by side are records, not a sentence.
    let records = children(node).filter(|c| !is_row(c) && children(c).count() > 2).count();
    // One title heads what stands beside it; several are figures side by side.
    fits && records < 2
        && (titles(node) != 1 || component(node).is_some_and(|c| c.fold == Fold::Item))
}

/// How many titles below would be headings.
fn titles(node: &Value) -> usize {
    let own = node["type"] == "Title" && text(node, "/value").is_some_and(|t| is_heading(&t));
    usize::from(own) + children(node).map(titles).sum::<usize>()
}

/// A title of words is a heading; `28` or `7°C` in large print is a figure.
fn is_heading(title: &str) -> bool {
    let mut letters = title.chars().filter(|c| c.is_alphabetic());
    letters.clone().count() >= 4 || letters.any(|c| !c.is_ascii())
}

fn is_row(node: &Value) -> bool {
    node["type"] == "Row"
        || node["type"] == "ListViewItem"
        || (node["direction"] == "row" && node["type"] != "RadioGroup")
        || node["type"] == "Table.Row"
}

fn is_group(node: &Value) -> bool {
    children(node).filter(|c| c["type"] != "Icon" && c["type"] != "Spacer").count() > 1
        || children(node).any(is_group)
}

fn is_bracket(node: &Value) -> bool {
    matches!(component(node).map(|c| c.fold), Some(Fold::Bracket(_)))
}

fn is_words(node: &Value) -> bool {
    match node["type"].as_str() {
        Some("Text" | "Caption" | "Label") => true,
        Some("Box" | "Row" | "Col") => {
            let mut shown = children(node).filter(|c| c["type"] != "Icon");
            shown.next().is_some_and(is_words) && shown.next().is_none()
        }
        _ => false,
    }
}

/// A first column of fixed width, as before the addresses of a letter.
fn is_narrow_label(node: &Value) -> bool {
    let words = if node["type"] == "Box" { children(node).next() } else { Some(node) };
    node["width"].is_number()
        && words.is_some_and(|w| {
            let quiet = w["type"] == "Caption" || w["type"] == "Label" || w["color"] == "tertiary";
            quiet && text(w, "/value").is_some_and(|v| v.chars().any(char::is_alphabetic))
        })
}

/// A portrait beside the name it shows says nothing new.
fn repeats_alt(node: &Value, parent: &Value) -> bool {
    fn says(node: &Value, alt: &str) -> bool {
        text(node, "/value").is_some_and(|value| value == alt)
            || children(node).any(|child| says(child, alt))
    }
    node["type"] == "Image" && text(node, "/alt").is_some_and(|alt| says(parent, &alt))
}

/// What an icon that stands alone in a cell means.
fn icons(node: &Value) -> String {
    if node["type"] == "Icon" {
        return match text(node, "/name").unwrap_or_default().as_str() {
            "check" | "check-circle" | "check-circle-filled" => "✓".to_owned(),
            name => format!("({name})"),
        };
    }
    children(node).map(icons).filter(|i| !i.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The name under which a field is submitted.
fn field_name(node: &Value) -> Option<String> {
    match component(node)?.fold {
        Fold::Field => text(node, "/name"),
        _ => text(node, "/editable/name"),
    }
}

fn bracket(label: &str) -> String {
    format!("[{}]", one_line(label))
}

/// A blank line, unless there is one or nothing above.
fn gap(lines: &mut Vec<String>) {
    if lines.last().is_some_and(|line| !line.is_empty()) {
        lines.push(String::new());
    }
}

fn push_line(line: String, lines: &mut Vec<String>) {
    if line.trim().is_empty() { gap(lines) } else { lines.push(line) }
}

/// Plain text that would start a heading, a list, a quote, a table or code is kept from it.
fn escape(line: &str) -> String {
    let rest = line.trim_start();
    let mark = rest.trim_start_matches(['#', '-', '+', '*', '=', '_']);
    let run = &rest[..rest.len() - mark.len()];
    // `#7`, `-1` and `**bold**` are no syntax; `# 7`, `- 1` and a line of dashes are.
    let starts_block = !run.is_empty() && (mark.is_empty() || mark.starts_with([' ', '\t']));
    if starts_block
        || rest.starts_with(['>', '|'])
        || rest.starts_with("```")
        || rest.starts_with("~~~")
    {
        format!("\\{rest}")
    } else {
        line.trim_end().to_owned()
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

/// Control characters are dropped: the text may be printed by a terminal as it is.
fn scalar(value: &Value) -> String {
    match value {
        Value::String(text) if text.contains(is_unsafe) => text.replace(is_unsafe, ""),
        Value::String(text) => text.clone(),
        Value::Number(number) => number_text(number),
        Value::Bool(flag) => flag.to_string(),
        _ => String::new(),
    }
}

fn is_unsafe(c: char) -> bool {
    c.is_control() && c != '\n' && c != '\t'
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
