//! Data that is a table, in the shapes that servers use, and the chart above it.

use std::borrow::Cow;
use std::collections::HashSet;

use serde_json::{Map, Value, json};

use super::schema::Schema;
use super::text::{Iso, is_line, is_link};
use super::value::{MAX_VALUE, clip_label, component, is_scalar, label, line};

/// Maximum columns that are shown.
pub(super) const MAX_COLUMNS: usize = 12;
/// Maximum columns including those of nested objects, and the minimum left for others.
const MAX_OPENED: usize = 8;
const MIN_COLUMNS: usize = 4;
/// Maximum rows that are kept for the chart. A table shows as many as there is room for.
const MAX_ROWS: usize = 400;
/// Maximum rows of a table below a chart of the same data.
const MAX_ROWS_BELOW: usize = 20;
/// Minimum points, and maximum series, of a chart.
const MIN_POINTS: usize = 3;
const MAX_SERIES: usize = 3;

/// The indentation of a tree's rows, since hosts trim spaces, and its maximum levels.
const INDENT: &str = "› ";
const MAX_INDENT: usize = 12;

/// Rows of values, borrowed from the data.
pub(super) struct Table<'v> {
    /// The label and the schema of each column. Without a header, labels are empty.
    columns: Vec<(String, Schema<'v>)>,
    rows: Vec<Vec<Option<Cow<'v, Value>>>>,
    /// The number of rows, of which at most [`MAX_ROWS`] are kept.
    total: usize,
    /// The number of columns that have been left out.
    left_out: usize,
}

impl<'v> Table<'v> {
    /// The table for a value, if it has the shape of one.
    pub(super) fn of(value: &'v Value, schema: Schema<'v>) -> Option<Self> {
        if let Some(tree) = Self::of_tree(value, schema) {
            return Some(tree);
        }
        match value {
            Value::Array(rows) if rows.is_empty() => Self::without_rows(schema),
            Value::Array(rows) if rows.iter().all(Value::is_object) && rows.len() > 1 => {
                let kept = rows.iter().take(MAX_ROWS).filter_map(Value::as_object);
                let kept: Vec<_> = kept.map(|row| (None, row)).collect();
                Self::of_objects(&kept, rows.len(), schema.items())
            }
            Value::Array(rows) if is_matrix(rows) => Some(Self::of_matrix(rows)),
            Value::Object(members) => Self::of_map(members, schema),
            _ => None,
        }
    }

    /// Objects with a member that contains objects of the same shape: a tree, whose rows are indented.
    fn of_tree(value: &'v Value, schema: Schema<'v>) -> Option<Self> {
        let (rows, schema) = match value {
            Value::Array(rows) => (&rows[..], schema.items()),
            value => (std::slice::from_ref(value), schema),
        };
        let tops: Vec<_> = rows.iter().map(Value::as_object).collect::<Option<_>>()?;
        let first = tops.first()?;
        let text = first.iter().find(|(_, value)| value.is_string());
        let (name, _) = text.or_else(|| first.iter().find(|(_, value)| is_scalar(value)))?;
        let mut keys: Vec<&String> = Vec::new();
        for key in tops.iter().flat_map(|row| row.keys()) {
            if !keys.contains(&key) {
                keys.push(key);
            }
            // Rows that differ this much are not a tree.
            if keys.len() > MAX_COLUMNS {
                return None;
            }
        }
        let is_below = |key: &&&String| {
            let mut children = tops.iter().filter_map(|row| row.get(**key)).flat_map(items);
            children.any(Value::is_object)
        };
        let below = *keys.iter().find(is_below)?;
        let mut nodes = Vec::new();
        let is_tree =
            rows.iter().all(|row| nodes_of(row, (name.as_str(), below, &keys[..]), 0, &mut nodes));
        if !is_tree {
            return None;
        }
        keys.retain(|key| *key != below && *key != name);
        keys.insert(0, name);
        let column = |key: &&String| (label(schema.member(key), key), schema.member(key));
        let row = |(depth, node): &(usize, &'v Map<String, Value>)| {
            let name = node.get(name).map(|name| match depth {
                0 => Cow::Borrowed(name),
                depth => {
                    let indent = INDENT.repeat(*depth.min(&MAX_INDENT));
                    Cow::Owned(Value::from(indent + &line(name, Schema::NONE)))
                }
            });
            let rest = keys[1..].iter().map(|key| node.get(*key).map(Cow::Borrowed));
            std::iter::once(name).chain(rest).collect()
        };
        let kept = nodes.iter().take(MAX_ROWS).map(row).collect();
        Some(Self {
            columns: keys.iter().map(column).collect(),
            rows: kept,
            total: nodes.len(),
            left_out: 0,
        })
    }

    /// An empty table with the header from the schema of the rows; hosts show below it that it is empty.
    fn without_rows(schema: Schema<'v>) -> Option<Self> {
        let schema = schema.items();
        let column = |key: &String| {
            let schema = schema.member(key);
            (label(schema, key), schema)
        };
        let columns: Vec<_> = schema.keys().map(column).collect();
        (!columns.is_empty()).then_some(Self { columns, rows: Vec::new(), total: 0, left_out: 0 })
    }

    /// Objects are rows, and their members are columns in order of appearance. A row may have a name.
    fn of_objects(
        kept: &[(Option<&'v str>, &'v Map<String, Value>)],
        total: usize,
        schema: Schema<'v>,
    ) -> Option<Self> {
        let mut seen = HashSet::new();
        let keys = kept.iter().flat_map(|(_, row)| row.keys()).filter(|key| seen.insert(*key));
        let (keys, left_out) = shown(keys.collect(), kept);
        let has_names = kept.iter().any(|(name, _)| name.is_some());
        let mut paths: Vec<Path<'v>> = keys.iter().map(|key| Path::new(key, schema)).collect();
        while let Some((at, inner)) = nested(&paths, kept) {
            drop(paths.splice(at..=at, inner));
        }
        let name = || (String::new(), Schema::NONE);
        let columns = has_names.then(name).into_iter();
        let columns = columns.chain(paths.iter().map(|path| (path.label.clone(), path.schema)));
        let columns = columns.collect();
        let rows = kept.iter().map(|(name, row)| {
            let name = name.map(|name| Some(Cow::Owned(Value::from(name))));
            let shown = paths.iter().take(MAX_COLUMNS);
            let values = shown.map(|path| path.get(row).map(Cow::Borrowed));
            name.into_iter().chain(values).collect()
        });
        let rows = rows.collect();
        (!paths.is_empty()).then_some(Self { columns, rows, total, left_out })
    }

    /// Arrays are rows; the first one is the header if it has only strings and another row does not.
    fn of_matrix(rows: &'v [Value]) -> Self {
        let is_text = |row: &Value| items(row).iter().all(Value::is_string);
        let has_head = rows.len() > 1 && is_text(&rows[0]) && !rows[1..].iter().all(is_text);
        let (head, rows) = rows.split_at(usize::from(has_head));
        let head = head.first().map_or(&[][..], items);
        let names: Vec<&str> = head.iter().filter_map(Value::as_str).collect();
        Self::of_rows(&names, rows)
    }

    /// Arrays under the names of the columns; further values are left out.
    pub(super) fn of_rows(names: &[&'v str], rows: &'v [Value]) -> Self {
        let kept = &rows[..rows.len().min(MAX_ROWS)];
        let width = kept.iter().map(|row| items(row).len()).chain([names.len()]).max();
        // Column names are often expressions of a query rather than keys.
        let name = |at: usize| clip_label(names.get(at).unwrap_or(&""));
        let columns = (0..width.unwrap_or(0)).map(|at| (name(at), Schema::NONE));
        let row = |row: &'v Value| {
            items(row).iter().take(MAX_COLUMNS).map(|cell| Some(Cow::Borrowed(cell))).collect()
        };
        let columns = columns.collect();
        let kept = kept.iter().map(row).collect();
        Self { columns, rows: kept, total: rows.len(), left_out: 0 }
    }

    /// Members that are columns of the same length, or rows with the same keys.
    fn of_map(members: &'v Map<String, Value>, schema: Schema<'v>) -> Option<Self> {
        let first = members.values().next().filter(|_| members.len() > 1)?;
        if members.keys().all(|key| Iso::of(key).is_some()) && members.values().all(is_scalar) {
            let row = |(time, value): (&'v String, &'v Value)| {
                vec![Some(Cow::Owned(Value::from(&**time))), Some(Cow::Borrowed(value))]
            };
            let rows = members.iter().take(MAX_ROWS).map(row).collect();
            let columns = vec![(String::new(), Schema::NONE), (String::new(), Schema::NONE)];
            return Some(Self { columns, rows, total: members.len(), left_out: 0 });
        }
        if let Some(first) = first.as_object().filter(|first| !is_indexed(first)) {
            let is_like = |row: &Map<String, Value>| {
                row.len() == first.len() && row.keys().all(|key| first.contains_key(key))
            };
            let is_row = |row: &Value| row.as_object().is_some_and(is_like);
            if !members.values().all(is_row) {
                return None;
            }
            let kept = members.iter().take(MAX_ROWS);
            let kept = kept.filter_map(|(name, row)| Some((Some(name.as_str()), row.as_object()?)));
            let schema = schema.member(members.keys().next()?);
            return Self::of_objects(&Vec::from_iter(kept), members.len(), schema);
        }
        let length = column_of(first)?.len();
        let is_column = |column: &Vec<&Value>| {
            column.len() == length && length > 1 && column.iter().all(|value| is_scalar(value))
        };
        let shown = members.values().map(|value| column_of(value).filter(is_column));
        let shown: Vec<Vec<&'v Value>> = shown.collect::<Option<_>>()?;
        let columns = members.iter().map(|(key, _)| {
            let schema = schema.member(key);
            (label(schema, key), schema.items())
        });
        let row = |at: usize| {
            let values = shown.iter().take(MAX_COLUMNS).map(|column| column.get(at).copied());
            values.map(|value| value.map(Cow::Borrowed)).collect()
        };
        let rows = (0..length.min(MAX_ROWS)).map(row).collect();
        Some(Self { columns: columns.collect(), rows, total: length, left_out: 0 })
    }

    /// The components that show it, with at most this many rows.
    pub(super) fn draw(&self, room: usize) -> Vec<Value> {
        let chart = self.chart();
        let rows = match &chart {
            Some(_) if self.total > MAX_ROWS_BELOW => 0,
            _ => room.min(self.rows.len()),
        };
        let shown = if rows == 0 { self.rows.len() } else { rows };
        let mut parts = Vec::from_iter(chart);
        if rows > 0 || self.total == 0 {
            parts.push(self.component(rows));
        }
        parts.extend(more(self.total - shown));
        parts
    }

    fn component(&self, rows: usize) -> Value {
        let rows = &self.rows[..rows];
        let width = self.columns.len().min(MAX_COLUMNS);
        let is_figures: Vec<bool> = (0..width).map(|at| is_figures(rows, at)).collect();
        let cell = |at: usize, content: Option<Value>| {
            let mut cell = json!({"type": "Table.Cell", "children": Vec::from_iter(content)});
            if is_figures.get(at) == Some(&true) {
                cell["align"] = json!("end");
            }
            cell
        };
        let mut lines = Vec::with_capacity(rows.len() + 1);
        let left_out = self.columns.len() - width + self.left_out;
        if left_out > 0 || self.columns.iter().any(|(label, _)| !label.is_empty()) {
            let head = self.columns.iter().take(width).map(|(label, _)| label.clone());
            let head = head.chain((left_out > 0).then(|| format!("+{left_out}")));
            let text = |label| Some(json!({"type": "Text", "value": label}));
            let cells = head.enumerate().map(|(at, label)| cell(at, text(label)));
            lines.push(json!({
                "type": "Table.Row", "header": true, "children": Vec::from_iter(cells),
            }));
        }
        for row in rows {
            let cells = row.iter().take(width).enumerate().map(|(at, value)| {
                cell(
                    at,
                    value.as_deref().map(|value| component(value, self.columns[at].1, MAX_VALUE)),
                )
            });
            lines.push(json!({"type": "Table.Row", "children": Vec::from_iter(cells)}));
        }
        json!({"type": "Table", "children": lines})
    }

    /// A chart, if one column is an increasing timestamp and all others are a few numbers.
    fn chart(&self) -> Option<Value> {
        let axes: Vec<usize> = (0..self.columns.len()).filter(|at| self.is_axis(*at)).collect();
        let ([axis], true) = (&axes[..], self.rows.len() >= MIN_POINTS) else { return None };
        let series: Vec<usize> = (0..self.columns.len()).filter(|at| at != axis).collect();
        let is_series = (1..=MAX_SERIES).contains(&series.len())
            && series.iter().all(|at| is_figures(&self.rows, *at));
        let point = |row: &Vec<Option<Cow<'_, Value>>>| {
            let value = |at: usize| row.get(at).and_then(Option::as_deref);
            let mut point = Map::new();
            let time = value(*axis).map(|time| line(time, self.columns[*axis].1));
            point.insert("x".to_owned(), json!(time));
            for at in &series {
                if let Some(number) = value(*at).filter(|value| value.is_number()) {
                    point.insert(format!("y{at}"), number.clone());
                }
            }
            Value::Object(point)
        };
        let one = |at: &usize| json!({"type": "line", "dataKey": format!("y{at}"), "label": self.columns[*at].0});
        is_series.then(|| {
            json!({
                "type": "Chart",
                "data": self.rows.iter().map(point).collect::<Vec<_>>(),
                "series": series.iter().map(one).collect::<Vec<_>>(),
                "xAxis": "x",
                "showYAxis": true,
                "showLegend": series.len() > 1,
            })
        })
    }

    /// Whether a column has a timestamp in every row, each later than the previous one.
    fn is_axis(&self, at: usize) -> bool {
        let is_time = self.columns[at].1.is_time();
        let mut before: Option<&Value> = None;
        self.rows.iter().all(|row| {
            let time = row.get(at).and_then(Option::as_deref);
            let is_later = time.is_some_and(|time| match (time, before) {
                (Value::String(time), None) => Iso::of(time).is_some(),
                (Value::String(time), Some(Value::String(before))) => {
                    time.len() == before.len() && time > before && Iso::of(time).is_some()
                }
                (Value::Number(_), None) => is_time,
                (Value::Number(time), Some(Value::Number(before))) => {
                    is_time && time.as_f64() > before.as_f64()
                }
                _ => false,
            });
            before = time;
            is_later
        })
    }
}

/// The objects of a tree in order, each with its depth; and whether all have the shape of the roots.
fn nodes_of<'v>(
    node: &'v Value,
    shape: (&str, &String, &[&String]),
    depth: usize,
    found: &mut Vec<(usize, &'v Map<String, Value>)>,
) -> bool {
    let (name, below, keys) = shape;
    let Some(members) = node.as_object() else { return false };
    let is_like =
        members.get(name).is_some_and(is_scalar) && members.keys().all(|key| keys.contains(&key));
    found.push((depth, members));
    let children = match members.get(below) {
        None | Some(Value::Null) => &[][..],
        Some(Value::Array(children)) => children,
        Some(_) => return false,
    };
    is_like && children.iter().all(|child| nodes_of(child, shape, depth + 1, found))
}

/// The number of entries that were left out, such as `+120`.
pub(super) fn more(left_out: usize) -> Option<Value> {
    (left_out > 0).then(|| json!({"type": "Caption", "value": format!("+{left_out}")}))
}

/// Column names next to rows: `{columns: ["a", "b"], rows: [[1, 2], …]}`.
pub(super) struct Head<'v> {
    /// The key of the names.
    pub(super) key: &'v str,
    pub(super) names: Vec<Cow<'v, str>>,
    /// The key of the rows.
    pub(super) rows: &'v str,
}

impl<'v> Head<'v> {
    /// Finds rows of one length and the same number of distinct names, whatever the keys are.
    pub(super) fn of(members: &'v Map<String, Value>) -> Option<Self> {
        let width = |rows: &Value| {
            let rows = items(rows);
            let width = rows.first()?.as_array()?.len();
            (width > 0 && rows.iter().all(|row| items(row).len() == width)).then_some(width)
        };
        let (rows, width) = members.iter().find_map(|(key, rows)| Some((key, width(rows)?)))?;
        let names = |head: &'v Value| {
            let names: Vec<_> = items(head).iter().map(name_of).collect::<Option<_>>()?;
            let different: HashSet<&str> = names.iter().map(|name| &**name).collect();
            (different.len() == width).then_some(names)
        };
        let (key, names) = members.iter().find_map(|(key, head)| Some((key, names(head)?)))?;
        Some(Self { key, names, rows })
    }
}

/// The name of a column: a string, or an object of strings such as a name and a type.
fn name_of(column: &Value) -> Option<Cow<'_, str>> {
    match column {
        Value::String(name) => Some(Cow::Borrowed(name)),
        Value::Object(members) if !members.is_empty() => {
            let texts =
                members.values().map(|value| value.as_str().filter(|text| !text.is_empty()));
            let texts: Vec<&str> = texts.collect::<Option<_>>()?;
            Some(Cow::Owned(texts.join(" · ")))
        }
        _ => None,
    }
}

/// The values of a column: an array, or an object whose keys are the numbers of the rows, as pandas writes it.
fn column_of(value: &Value) -> Option<Vec<&Value>> {
    match value {
        Value::Array(values) => Some(values.iter().collect()),
        Value::Object(members) if is_indexed(members) => Some(members.values().collect()),
        _ => None,
    }
}

/// Whether the keys are 0, 1, 2 and so on.
fn is_indexed(members: &Map<String, Value>) -> bool {
    members.len() > 1 && members.keys().enumerate().all(|(at, key)| *key == at.to_string())
}

/// The items of an array.
pub(super) fn items(array: &Value) -> &[Value] {
    array.as_array().map_or(&[], Vec::as_slice)
}

fn is_matrix(rows: &[Value]) -> bool {
    let is_row = |row: &Value| !items(row).is_empty() && items(row).iter().all(is_scalar);
    rows.len() > 1 && rows.iter().all(is_row) && rows.iter().any(|row| items(row).len() > 1)
}

/// The path of a column's values in the object of a row.
struct Path<'v> {
    keys: Vec<&'v String>,
    label: String,
    schema: Schema<'v>,
}

impl<'v> Path<'v> {
    fn new(key: &'v String, schema: Schema<'v>) -> Self {
        let schema = schema.member(key);
        Self { keys: vec![key], label: label(schema, key), schema }
    }

    fn get(&self, row: &'v Map<String, Value>) -> Option<&'v Value> {
        let (first, rest) = self.keys.split_first()?;
        rest.iter().try_fold(row.get(*first)?, |value, key| value.get(key.as_str()))
    }

    /// The column of a member of the nested object. Most labels need no prefix.
    fn member(&self, key: &'v String, is_main: bool) -> Self {
        let inner = Self::new(key, self.schema);
        let keys = self.keys.iter().copied().chain([key]).collect();
        let label = match is_main {
            true => inner.label,
            false => clip_label(&format!("{}: {}", self.label, inner.label)),
        };
        Self { keys, label, schema: inner.schema }
    }
}

/// The first column that contains only objects, and the columns of their members, if there is room for them.
fn nested<'v>(
    paths: &[Path<'v>],
    rows: &[(Option<&'v str>, &'v Map<String, Value>)],
) -> Option<(usize, Vec<Path<'v>>)> {
    paths.iter().enumerate().find_map(|(at, path)| {
        let values = || rows.iter().filter_map(|(_, row)| path.get(row));
        let mut keys: Vec<&'v String> = Vec::new();
        for value in values().filter(|value| !value.is_null()) {
            for key in value.as_object()?.keys() {
                if !keys.contains(&key) {
                    keys.push(key);
                }
                if paths.len() + keys.len() > MAX_OPENED + 1 {
                    return None;
                }
            }
        }
        let is_main = keys.len() > paths.len() - 1;
        let inner: Vec<_> = keys.iter().map(|key| path.member(key, is_main)).collect();
        (!inner.is_empty()).then_some((at, inner))
    })
}

/// The keys that become columns if there is no room for all, and the number of the others: keys with empty,
/// nested or long values and links are left out first.
fn shown<'v>(
    keys: Vec<&'v String>,
    rows: &[(Option<&str>, &'v Map<String, Value>)],
) -> (Vec<&'v String>, usize) {
    if keys.len() <= MAX_COLUMNS {
        return (keys, 0);
    }
    let is_empty = |value: &Value| line(value, Schema::NONE).chars().all(|c| c == '–');
    let is_nested = |value: &Value| value.is_object() || !items(value).iter().all(is_scalar);
    let rank = |key: &String| {
        let mut values = rows.iter().filter_map(|(_, row)| row.get(key));
        if values.clone().all(is_empty) {
            3
        } else if values.clone().any(is_nested) {
            2
        } else {
            let is_large = |text: &str| is_link(text) || !is_line(text, MAX_VALUE);
            u8::from(values.any(|value| value.as_str().is_some_and(is_large)))
        }
    };
    let mut ranked: Vec<(u8, usize)> =
        keys.iter().enumerate().map(|(at, key)| (rank(key), at)).collect();
    ranked.sort_unstable();
    let plain = ranked.iter().filter(|(rank, _)| *rank == 0).count();
    ranked.truncate(plain.clamp(MIN_COLUMNS, MAX_COLUMNS));
    ranked.sort_unstable_by_key(|(_, at)| *at);
    let shown: Vec<&String> = ranked.iter().map(|(_, at)| keys[*at]).collect();
    let left_out = keys.len() - shown.len();
    (shown, left_out)
}

/// Whether a column contains only numbers and gaps.
fn is_figures(rows: &[Vec<Option<Cow<'_, Value>>>], at: usize) -> bool {
    let mut values = rows.iter().filter_map(|row| row.get(at)?.as_deref()).filter(|v| !v.is_null());
    values.clone().next().is_some() && values.all(Value::is_number)
}
