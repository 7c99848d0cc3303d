//! Tables and charts: `data_table` and `data_visualization`, within their budgets.

use std::collections::HashSet;

use serde_json::{Number, Value, json};

use super::compiler::{Compiler, Scope};
use super::component::{children, scalar, text};
use super::{button, fact, glyph, group, limit, mrkdwn};
use crate::surface::node;

/// Characters of one cell; longer ones would use up the limit of the whole table.
const CELL: usize = 1000;
/// Rows of one page; Slack's own default of 5 hides most small tables behind a click.
const PAGE: usize = 20;

impl<'v> Compiler<'v> {
    pub(super) fn table(&mut self, node: &'v Value, at: &str, scope: Scope<'v>) {
        let mut rows = Vec::new();
        let mut rest: Vec<(&Value, String)> = Vec::new();
        let mut buttons: Vec<(&Value, String, String)> = Vec::new();
        let mut aligned: Option<String> = None;
        let mut total = None;
        let mut all = children(node, at).peekable();
        while let Some((row, at)) = all.next() {
            if all.peek().is_none() && rows.len() > 1 {
                total = total_of(row, &at);
                if total.is_some() {
                    break;
                }
            }
            let mut cells: Vec<String> = Vec::new();
            for (cell, at) in children(row, &at) {
                match group::bare(cell, &at) {
                    Some(group) => {
                        for at in &group.unseen {
                            self.out.lose(at, "the image is not shown: Slack's cells hold text");
                        }
                        let words = group.lines.join("\n");
                        let name = cells.first().unwrap_or(&words).clone();
                        buttons.extend(
                            group.buttons.into_iter().map(|(node, at)| (node, at, name.clone())),
                        );
                        cells.push(words);
                    }
                    None => {
                        cells.push(String::new());
                        rest.extend(children(cell, &at));
                    }
                }
                let span = cell["colSpan"].as_u64().unwrap_or(1).min(limit::COLUMNS as u64);
                if span > 1 || cell["rowSpan"].as_u64().unwrap_or(1) > 1 {
                    self.out.lose(&at, "a cell cannot span others: they are left empty");
                }
                aligned = aligned.or_else(|| {
                    let is_aligned = matches!(cell["align"].as_str(), Some("center" | "end"));
                    is_aligned.then(|| format!("{at}/align"))
                });
                cells.extend((1..span).map(|_| String::new()));
            }
            rows.push((cells, row["header"] == true));
        }
        if let Some(at) = aligned {
            self.out.lose(&at, "Slack aligns the cells of a table itself");
        }
        if rows.first().is_some_and(|(_, header)| !header) && rows.len() > 1 {
            self.out.lose(at, "Slack takes the first row as the head of the table");
        }
        let mut rows: Vec<Vec<String>> = rows.into_iter().map(|(cells, _)| cells).collect();
        let below = rows.first_mut().map(|head| split_head(head)).unwrap_or_default();
        let options = self.options_of(rows.first().map(Vec::as_slice).unwrap_or_default());
        // What is said of every option is compared; all of it stands beside its button.
        let is_said = |row: &&Vec<String>| row[1..].iter().all(|cell| !cell.is_empty());
        let compared = below.iter().filter(|row| options.is_empty() || is_said(row));
        let compared: Vec<Vec<String>> = compared.cloned().map(name_price).collect();
        if !rows.is_empty() {
            rows.splice(1..1, compared);
        }
        self.grid(rows, None, at);
        for (column, name, button, button_at) in options {
            let parts: Vec<String> = below
                .iter()
                .map(|row| mrkdwn::escape(&row[column]))
                .filter(|part| !part.is_empty())
                .collect();
            let name = mrkdwn::mark(&mrkdwn::escape(&name), '*');
            let words = format!("{name}\n{}", parts.join("  ·  "));
            self.placed.insert(button_at.clone());
            match self.button_or_label(button, &button_at, scope) {
                Ok(made) => self.out.beside(words.trim_end(), made, &button_at),
                Err(label) => self.out.body(&format!("{words}  {label}"), at),
            }
        }
        if let Some((label, value)) = total {
            let label = mrkdwn::mark(&mrkdwn::escape(&label), '*');
            self.out.field(&format!("{label}\n{}", mrkdwn::escape(&value)), at);
        }
        for (button, at, name) in buttons {
            self.cell_button(button, &name, &at, scope);
        }
        for (node, at) in rest {
            self.out.lose(&at, "shown below the table: Slack's cells hold text");
            self.node(node, &at, scope);
        }
    }

    /// The columns that a button each names, as `Choose Train` names that of `Train`, if the buttons call
    /// the same tool. Each can then stand beside its option, alone with its id.
    fn options_of(&self, head: &[String]) -> Vec<(usize, String, &'v Value, String)> {
        let mut buttons = Vec::new();
        let mut open = vec![(self.tree, String::new())];
        while let Some((node, at)) = open.pop() {
            open.extend(children(node, &at));
            if node["type"] == "Button" && node["submit"] != true {
                buttons.push((node, at));
            }
        }
        let mut found: Vec<(usize, String, &Value, String)> = Vec::new();
        for (column, name) in head.iter().enumerate().filter(|(_, name)| !name.is_empty()) {
            let mut named =
                buttons.iter().filter(|(button, _)| names(&button::label(button), name));
            if let (Some((button, at)), None) = (named.next(), named.next()) {
                found.push((column, name.clone(), *button, at.clone()));
            }
        }
        let tool = |button: &Value| button["onClickAction"]["type"].clone();
        let is_same = found.iter().all(|(_, _, button, _)| tool(button) == tool(found[0].2));
        let places: HashSet<&String> = found.iter().map(|(.., at)| at).collect();
        match found.len() > 1 && is_same && places.len() == found.len() {
            true => found,
            false => Vec::new(),
        }
    }

    /// A cell's button, below the table and named after its row.
    fn cell_button(&mut self, node: &'v Value, row: &str, at: &str, scope: Scope<'v>) {
        self.out.lose(at, "shown below the table: Slack's cells hold text");
        match self.button_or_label(node, at, scope) {
            Ok(mut made) => {
                let row = row.lines().next().unwrap_or_default();
                let named = format!("{}: {row}", scalar(&made["text"]["text"]));
                if !row.is_empty() && limit::len(&named) <= limit::BUTTON_TEXT {
                    made["text"]["text"] = named.into();
                }
                self.press(made, at, scope);
            }
            Err(label) => self.out.small(&label, at),
        }
    }

    /// A table; the first row is its head. Without a name of its own it has that of the message.
    pub(super) fn grid(&mut self, mut rows: Vec<Vec<String>>, name: Option<&str>, at: &str) {
        let width = rows.iter().map(Vec::len).max().unwrap_or(0);
        if rows.len() < 2 {
            // A data_table needs a head and at least one row.
            let words: Vec<String> = rows
                .concat()
                .iter()
                .map(|cell| mrkdwn::escape(&cell.replace('\n', " · ")))
                .collect();
            return self.out.body(&words.join(" · "), at);
        }
        if width > limit::COLUMNS {
            self.out.lose(at, "clamped: a Slack table has at most 20 columns");
        }
        if rows.len() > limit::ROWS + 1 {
            self.out.lose(at, "clamped: a Slack table has at most 100 rows");
            rows.truncate(limit::ROWS + 1);
        }
        let width = width.clamp(1, limit::COLUMNS);
        let mut room = self.out.table_left;
        let mut made: Vec<Vec<Value>> = Vec::new();
        for (index, mut row) in rows.into_iter().enumerate() {
            row.resize(width, String::new());
            let cells: Vec<String> =
                row.iter().map(|cell| self.out.fit(cell, CELL, "a cell", at)).collect();
            let size: usize = cells.iter().map(|cell| limit::len(cell).max(1)).sum();
            let Some(left) = room.checked_sub(size) else {
                self.out.lose(at, "clamped: Slack's tables have at most 20000 characters");
                break;
            };
            room = left;
            made.push(cells.iter().map(|text| cell(text, index == 0)).collect());
        }
        if made.len() < 2 {
            return self.out.lose(at, "dropped: the table does not fit a Slack message");
        }
        self.out.table_left = room;
        let caption = name.or(self.out.heading.as_deref()).unwrap_or("Table").to_owned();
        let caption = limit::clamp(&caption, limit::HEADER).unwrap_or(caption);
        let page = (made.len() - 1).min(PAGE);
        self.out.push(
            json!({"type": "data_table", "caption": caption, "rows": made, "page_size": page}),
            at,
        );
    }

    pub(super) fn chart(&mut self, node: &Value, at: &str) {
        let chart = Chart::read(node);
        if chart.series.is_empty() || chart.labels.is_empty() {
            return self.out.lose(at, "dropped: the chart has no data");
        }
        let Some((whole, parts)) = chart.apart() else {
            let has_stacks = chart.series.iter().any(|series| series.stack.is_some());
            return self.draw(&chart, has_stacks, at);
        };
        // A line over stacked bars compares with their sum, which no bar of Slack's shows.
        let has_room = self.out.charts + 2 <= limit::CHARTS;
        if has_room && whole.fits().is_ok() && parts.fits().is_ok() {
            self.draw(&parts, true, at);
            return self.draw(&whole, false, at);
        }
        self.out.lose(at, "shown as a table: Slack has no line over stacked bars");
        self.grid(chart.rows(), None, at);
    }

    fn draw(&mut self, chart: &Chart, has_stacks: bool, at: &str) {
        let fits = if self.out.charts >= limit::CHARTS {
            Err("a Slack message has at most 2 charts")
        } else {
            chart.fits()
        };
        if let Err(reason) = fits {
            self.out.lose(at, format!("shown as a table: {reason}"));
            return self.grid(chart.rows(), None, at);
        }
        let kind = chart.kind();
        for series in chart.series.iter().filter(|series| series.kind != kind) {
            let reason =
                format!("a {} drawn as {kind}: Slack does not mix kinds of charts", series.kind);
            self.out
                .lose(&series.from.map_or(at.to_owned(), |n| format!("{at}/series/{n}")), reason);
        }
        if has_stacks {
            self.out.lose(at, "drawn side by side: Slack does not stack series");
        }
        let names: Vec<&str> = chart.series.iter().map(|series| series.name.as_str()).collect();
        let title = self.out.take_caption(limit::CHART_TITLE);
        let title = title.or_else(|| self.out.subheading());
        let title = title.unwrap_or_else(|| in_words(&names));
        let title = limit::clamp(&title, limit::CHART_TITLE).unwrap_or(title);
        self.out.charts += 1;
        self.out.push(
            json!({"type": "data_visualization", "title": title, "chart": chart.to_block()}),
            at,
        );
    }
}

/// Names as a text has them: `Shop, Online and Post`.
fn in_words(names: &[&str]) -> String {
    match names {
        [all @ .., last] if !all.is_empty() => format!("{} and {last}", all.join(", ")),
        _ => names.concat(),
    }
}

/// A last row of a name and one figure, as a total has it, both bold or the name wide: a fact below the
/// table, because cells of Slack's neither span others nor stand out.
fn total_of(row: &Value, at: &str) -> Option<(String, String)> {
    let cells: Vec<_> = children(row, at).collect();
    let [(name, name_at), (value, value_at)] = cells.as_slice() else { return None };
    let words = |cell, at| {
        let group = group::bare(cell, at)?;
        let is_words = group.images.is_empty() && group.buttons.is_empty();
        (is_words && group.unseen.is_empty()).then(|| group.lines.join(" · "))
    };
    let (name_words, value_words) = (words(name, name_at)?, words(value, value_at)?);
    let is_wide = name["colSpan"].as_u64().is_some_and(|span| span > 1);
    let is_total = (is_wide || is_bold(name) && is_bold(value))
        && name["rowSpan"].is_null()
        && value["colSpan"].is_null()
        && !name_words.is_empty()
        && !value_words.is_empty();
    is_total.then_some((name_words, value_words))
}

/// Whether a cell is one bold text.
fn is_bold(cell: &Value) -> bool {
    matches!(node::children(cell), [only] if node::is_bold(only))
}

/// Leaves the names in the head of a table; what stands below them becomes rows.
fn split_head(head: &mut [String]) -> Vec<Vec<String>> {
    let cells: Vec<Vec<String>> =
        head.iter().map(|cell| cell.lines().map(str::to_owned).collect()).collect();
    let height = cells.iter().map(Vec::len).max().unwrap_or(0);
    for (name, lines) in head.iter_mut().zip(&cells) {
        *name = lines.first().cloned().unwrap_or_default();
    }
    let line = |cell: &Vec<String>, index| cell.get(index).cloned().unwrap_or_default();
    (1..height).map(|index| cells.iter().map(|cell| line(cell, index)).collect()).collect()
}

/// Names a row of nothing but amounts of money, which needed no name below those of the columns.
fn name_price(mut row: Vec<String>) -> Vec<String> {
    if let [name, amounts @ ..] = row.as_mut_slice()
        && name.is_empty()
        && !amounts.is_empty()
        && amounts.iter().all(|amount| fact::is_amount(amount))
    {
        "Price".clone_into(name);
    }
    row
}

/// Whether a label has a name among its words.
fn names(label: &str, name: &str) -> bool {
    let is_end = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    label.match_indices(name).any(|(at, _)| {
        is_end(label[..at].chars().last()) && is_end(label[at + name.len()..].chars().next())
    })
}

/// A chart's data, for a chart or a table.
struct Chart {
    axis: String,
    labels: Vec<String>,
    series: Vec<Series>,
}

#[derive(Clone)]
struct Series {
    kind: &'static str,
    name: String,
    /// Where it stands in the component; a sum stands nowhere.
    from: Option<usize>,
    /// The name of the stack that it is part of.
    stack: Option<String>,
    values: Vec<Value>,
}

impl Chart {
    fn read(node: &Value) -> Self {
        let axis = node["xAxis"].as_str().or_else(|| node["xAxis"]["dataKey"].as_str());
        let axis = axis.unwrap_or_default();
        let data = node["data"].as_array().map(Vec::as_slice).unwrap_or_default();
        // One more than a table takes, so that what is too much is still noticed.
        let data = &data[..data.len().min(limit::ROWS + 1)];
        let labels = data.iter().map(|row| {
            let raw = scalar(&row[axis]);
            let named = node["xAxis"]["labels"].get(&raw).map(scalar);
            mrkdwn::clean(&named.unwrap_or(raw))
        });
        let specs = node["series"].as_array().into_iter().flatten().take(limit::COLUMNS);
        let series = specs.enumerate().filter_map(|(index, series)| {
            let key = series["dataKey"].as_str()?;
            let kind = match series["type"].as_str() {
                Some("line") => "line",
                Some("area") => "area",
                _ => "bar",
            };
            let name = text(series, "label").unwrap_or_else(|| mrkdwn::clean(key));
            let stack = text(series, "stack").filter(|_| kind != "line");
            let values = data.iter().map(|row| row[key].clone()).collect();
            Some(Series { kind, name, from: Some(index), stack, values })
        });
        Self { axis: mrkdwn::clean(axis), labels: labels.collect(), series: series.collect() }
    }

    /// Its kind in Slack, which has one for all series: different ones are compared as lines.
    fn kind(&self) -> &'static str {
        let first = self.series.first().map_or("bar", |series| series.kind);
        match self.series.iter().all(|series| series.kind == first) {
            true => first,
            false => "line",
        }
    }

    /// Lines over stacks: a chart of the lines with the sum of each stack, and one of what is summed.
    fn apart(&self) -> Option<(Self, Self)> {
        let (parts, others): (Vec<&Series>, Vec<&Series>) =
            self.series.iter().partition(|series| series.stack.is_some());
        if parts.is_empty() || !others.iter().any(|series| series.kind == "line") {
            return None;
        }
        let mut stacks: Vec<&String> = Vec::new();
        for stack in parts.iter().filter_map(|series| series.stack.as_ref()) {
            if !stacks.contains(&stack) {
                stacks.push(stack);
            }
        }
        let sums = stacks.iter().map(|stack| {
            let summed: Vec<&&Series> =
                parts.iter().filter(|series| series.stack.as_ref() == Some(*stack)).collect();
            let sum = |point: usize| {
                let values = summed.iter().filter_map(|series| series.values[point].as_f64());
                Number::from_f64(values.sum()).map_or(Value::Null, whole_number)
            };
            let name = match stacks.len() {
                1 => "Total".to_owned(),
                _ => glyph::words(stack),
            };
            let values = (0..self.labels.len()).map(sum).collect();
            Series { kind: "line", name, from: None, stack: None, values }
        });
        let with = |series: Vec<Series>| Self {
            axis: self.axis.clone(),
            labels: self.labels.clone(),
            series,
        };
        let whole = sums.chain(others.into_iter().cloned()).collect();
        Some((with(whole), with(parts.into_iter().cloned().collect())))
    }

    fn fits(&self) -> Result<(), &'static str> {
        let short = |text: &str| (1..=limit::CHART_LABEL).contains(&limit::len(text));
        let unique = |texts: Vec<&String>| {
            let count = texts.len();
            texts.into_iter().collect::<HashSet<_>>().len() == count
        };
        let names: Vec<&String> = self.series.iter().map(|series| &series.name).collect();
        if self.series.len() > limit::SERIES {
            Err("a Slack chart has at most 6 series")
        } else if self.labels.len() > limit::POINTS {
            Err("a Slack chart has at most 20 points")
        } else if !self.labels.iter().chain(names.iter().copied()).all(|text| short(text)) {
            Err("a label in a Slack chart has 1 to 20 characters")
        } else if !unique(self.labels.iter().collect()) || !unique(names) {
            Err("the labels of a Slack chart must differ")
        } else if !self.series.iter().flat_map(|series| &series.values).all(Value::is_number) {
            Err("a Slack chart needs a number at every point")
        } else {
            Ok(())
        }
    }

    fn to_block(&self) -> Value {
        let series: Vec<Value> = self
            .series
            .iter()
            .map(|series| {
                let points = self.labels.iter().zip(&series.values);
                let data: Vec<Value> =
                    points.map(|(label, value)| json!({"label": label, "value": value})).collect();
                json!({"name": series.name, "data": data})
            })
            .collect();
        json!({"type": self.kind(), "series": series, "axis_config": {"categories": self.labels}})
    }

    fn rows(&self) -> Vec<Vec<String>> {
        let names = self.series.iter().map(|series| series.name.clone());
        let head = std::iter::once(self.axis.clone()).chain(names).collect();
        let row = |(index, label): (usize, &String)| {
            let values = self.series.iter().map(|s| s.values.get(index).map(scalar));
            std::iter::once(label.clone()).chain(values.map(Option::unwrap_or_default)).collect()
        };
        std::iter::once(head).chain(self.labels.iter().enumerate().map(row)).collect()
    }
}

/// A sum without `.0` behind it.
fn whole_number(number: Number) -> Value {
    match number.as_f64() {
        Some(sum) if sum.fract() == 0.0 && sum.abs() < 1e15 => json!(sum as i64),
        _ => number.into(),
    }
}

/// A cell; a number becomes `raw_number`, so that Slack sorts it as one.
fn cell(text: &str, head: bool) -> Value {
    let text = if text.is_empty() { "–" } else { text };
    if text.contains('\n') && !head {
        let words = json!({"type": "text", "text": text});
        let part = json!({"type": "rich_text_section", "elements": [words]});
        return json!({"type": "rich_text", "elements": [part]});
    }
    let digits = text.starts_with(|c: char| c.is_ascii_digit() || c == '-');
    let number = text.parse().ok().and_then(Number::from_f64).filter(|_| digits && !head);
    match number {
        Some(number) => json!({"type": "raw_number", "value": number, "text": text}),
        None => json!({"type": "raw_text", "text": text}),
    }
}
