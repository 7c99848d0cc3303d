//! Data that is a table, in the shapes that servers give it, and the chart of one.

use std::borrow::Cow;
use std::collections::HashSet;

use serde_json::{Map, Value, json};

use super::schema::Schema;
use super::text::{Iso, readable};
use super::value::{MAX_VALUE, clip_label, component, is_scalar, label};

/// The most columns that are shown.
pub(super) const MAX_COLUMNS: usize = 12;
/// The most rows that are kept, which a chart shows. A table shows as many as there is room for.
const MAX_ROWS: usize = 400;
/// The most rows of a table below the chart of the same data.
const MAX_ROWS_BELOW: usize = 20;
/// The fewest points and the most series of a chart.
const MIN_POINTS: usize = 3;
const MAX_SERIES: usize = 3;

/// Rows of values, borrowed from the data.
pub(super) struct Table<'v> {
    /// The label and the schema of each column. Without a head, labels are empty.
    columns: Vec<(String, Schema<'v>)>,
    rows: Vec<Vec<Option<Cow<'v, Value>>>>,
    /// How many rows there are, of which at most [`MAX_ROWS`] are kept.
    total: usize,
}

impl<'v> Table<'v> {
    /// The table that a value is, if it is one.
    pub(super) fn of(value: &'v Value, schema: Schema<'v>) -> Option<Self> {
        match value {
            Value::Array(rows) if rows.is_empty() => Self::without_rows(schema.items()),
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

    /// The head that the schema of the rows gives: hosts write below it that there are none.
    fn without_rows(schema: Schema<'v>) -> Option<Self> {
        let column = |key: &String| {
            let schema = schema.member(key);
            (label(schema, key), schema)
        };
        let columns: Vec<_> = schema.keys().map(column).collect();
        (!columns.is_empty()).then_some(Self { columns, rows: Vec::new(), total: 0 })
    }

    /// Objects are rows, and their members columns in order of appearance. A row may have a name.
    fn of_objects(
        kept: &[(Option<&'v str>, &'v Map<String, Value>)],
        total: usize,
        schema: Schema<'v>,
    ) -> Option<Self> {
        let mut seen = HashSet::new();
        let keys = kept.iter().flat_map(|(_, row)| row.keys()).filter(|key| seen.insert(*key));
        let keys: Vec<&String> = keys.collect();
        let has_names = kept.iter().any(|(name, _)| name.is_some());
        let mut columns = if has_names { vec![(String::new(), Schema::NONE)] } else { Vec::new() };
        columns.extend(keys.iter().map(|key| {
            let schema = schema.member(key);
            (label(schema, key), schema)
        }));
        let rows = kept.iter().map(|(name, row)| {
            let name = name.map(|name| Some(Cow::Owned(Value::from(name))));
            let shown = keys.iter().take(MAX_COLUMNS);
            name.into_iter().chain(shown.map(|key| row.get(*key).map(Cow::Borrowed))).collect()
        });
        let rows = rows.collect();
        (!keys.is_empty()).then_some(Self { columns, rows, total })
    }

    /// Arrays are rows; the first one is the head if it has only strings and another row has others.
    fn of_matrix(rows: &'v [Value]) -> Self {
        let is_text = |row: &Value| items(row).iter().all(Value::is_string);
        let has_head = rows.len() > 1 && is_text(&rows[0]) && !rows[1..].iter().all(is_text);
        let (head, rows) = rows.split_at(usize::from(has_head));
        let head = head.first().map_or(&[][..], items);
        let names: Vec<&str> = head.iter().filter_map(Value::as_str).collect();
        Self::of_rows(&names, rows)
    }

    /// Arrays below the names of the columns, as far as those go.
    pub(super) fn of_rows(names: &[&'v str], rows: &'v [Value]) -> Self {
        let kept = &rows[..rows.len().min(MAX_ROWS)];
        let width = kept.iter().map(|row| items(row).len()).chain([names.len()]).max();
        // Names of columns are often expressions of a query, and no keys.
        let name = |at: usize| clip_label(names.get(at).unwrap_or(&""));
        let columns = (0..width.unwrap_or(0)).map(|at| (name(at), Schema::NONE));
        let row = |row: &'v Value| {
            items(row).iter().take(MAX_COLUMNS).map(|cell| Some(Cow::Borrowed(cell))).collect()
        };
        Self { columns: columns.collect(), rows: kept.iter().map(row).collect(), total: rows.len() }
    }

    /// Members that are columns of the same length, or rows with the same keys.
    fn of_map(members: &'v Map<String, Value>, schema: Schema<'v>) -> Option<Self> {
        let first = members.values().next().filter(|_| members.len() > 1)?;
        if let Some(first) = first.as_object() {
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
        let length = first.as_array().map(Vec::len).filter(|length| *length > 1)?;
        let is_column = |column: &Value| {
            column
                .as_array()
                .is_some_and(|column| column.len() == length && column.iter().all(is_scalar))
        };
        if !members.values().all(is_column) {
            return None;
        }
        let columns = members.iter().map(|(key, _)| {
            let schema = schema.member(key);
            (label(schema, key), schema.items())
        });
        let shown: Vec<&'v [Value]> = members.values().take(MAX_COLUMNS).map(items).collect();
        let row =
            |at: usize| shown.iter().map(|column| column.get(at).map(Cow::Borrowed)).collect();
        let rows = (0..length.min(MAX_ROWS)).map(row).collect();
        Some(Self { columns: columns.collect(), rows, total: length })
    }

    /// The components that show it, with at most so many rows.
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
        let left_out = self.columns.len() - width;
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

    /// A chart, if one column is a time that only increases and all others are a few numbers.
    fn chart(&self) -> Option<Value> {
        let axes: Vec<usize> = (0..self.columns.len()).filter(|at| self.is_axis(*at)).collect();
        let ([axis], true) = (&axes[..], self.rows.len() >= MIN_POINTS) else { return None };
        let series: Vec<usize> = (0..self.columns.len()).filter(|at| at != axis).collect();
        let is_series = (1..=MAX_SERIES).contains(&series.len())
            && series.iter().all(|at| is_figures(&self.rows, *at));
        let point = |row: &Vec<Option<Cow<'_, Value>>>| {
            let value = |at: usize| row.get(at).and_then(Option::as_deref);
            let mut point = Map::new();
            let time = value(*axis).map(|time| match time.as_str() {
                Some(text) => readable(text).into_owned(),
                None => time.to_string(),
            });
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

    /// Whether a column is a point in time in every row, later in each than in the one before.
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

/// A note of how many more there are.
pub(super) fn more(left_out: usize) -> Option<Value> {
    (left_out > 0).then(|| json!({"type": "Caption", "value": format!("+{left_out}")}))
}

/// The names of columns beside rows: `{columns: ["a", "b"], rows: [[1, 2], …]}`.
pub(super) struct Head<'v> {
    /// The key of the names.
    pub(super) key: &'v str,
    pub(super) names: Vec<&'v str>,
    /// The key of the rows.
    pub(super) rows: &'v str,
}

impl<'v> Head<'v> {
    /// Finds rows of one length and as many different names, whatever the keys are.
    pub(super) fn of(members: &'v Map<String, Value>) -> Option<Self> {
        let width = |rows: &Value| {
            let rows = items(rows);
            let width = rows.first()?.as_array()?.len();
            (width > 0 && rows.iter().all(|row| items(row).len() == width)).then_some(width)
        };
        let (rows, width) = members.iter().find_map(|(key, rows)| Some((key, width(rows)?)))?;
        let names = |head: &'v Value| {
            let names: Vec<&str> = items(head).iter().filter_map(Value::as_str).collect();
            let different: HashSet<&str> = names.iter().copied().collect();
            (different.len() == width && items(head).len() == width).then_some(names)
        };
        let (key, names) = members.iter().find_map(|(key, head)| Some((key, names(head)?)))?;
        Some(Self { key, names, rows })
    }
}

/// The items of an array.
pub(super) fn items(array: &Value) -> &[Value] {
    array.as_array().map_or(&[], Vec::as_slice)
}

fn is_matrix(rows: &[Value]) -> bool {
    let is_row = |row: &Value| !items(row).is_empty() && items(row).iter().all(is_scalar);
    rows.len() > 1 && rows.iter().all(is_row) && rows.iter().any(|row| items(row).len() > 1)
}

/// Whether a column has numbers, and nothing else but gaps.
fn is_figures(rows: &[Vec<Option<Cow<'_, Value>>>], at: usize) -> bool {
    let mut values = rows.iter().filter_map(|row| row.get(at)?.as_deref()).filter(|v| !v.is_null());
    values.clone().next().is_some() && values.all(Value::is_number)
}
