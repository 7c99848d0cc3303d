//! Drafts a widget for the results of a tool: the schema that its results have in common, and a tree. The
//! draft is a starting point for authors, so each shape is shown in one way, and conditions are only used for
//! values that may be absent.

use serde_json::{Map, Value, json};
use widgetcast_core::{JsonTemplate, tool_name};

use super::reading::readings;
use super::schema::Schema;
use super::table::MAX_COLUMNS;
use super::text::{block, is_line};
use super::value::{label, title};
use super::yaml;

/// Maximum members of an object that are shown.
const MAX_MEMBERS: usize = 40;
/// Maximum rows and items that the draft shows.
const MAX_ROWS: usize = 100;
/// Maximum levels of nested sections.
const MAX_LEVELS: usize = 2;
/// Maximum levels that are inspected.
const MAX_DEPTH: usize = 4;
/// Maximum characters of a value next to its label.
const MAX_FACT: usize = 60;
/// The items and characters of the largest result that the sample contains.
const SAMPLE_ITEMS: usize = 3;
const SAMPLE_CHARS: usize = 200;
/// Maximum bytes of a value without a known shape in the sample.
const SAMPLE_BYTES: usize = 500;
/// Maximum length of a key.
const MAX_KEY: usize = 100;
/// Names that a template cannot use for data, or not reliably.
const RESERVED: [&str; 32] = [
    "true",
    "false",
    "none",
    "True",
    "False",
    "None",
    "not",
    "and",
    "or",
    "in",
    "is",
    "if",
    "else",
    "elif",
    "for",
    "loop",
    "self",
    "super",
    "range",
    "dict",
    "namespace",
    "cycler",
    "joiner",
    "lipsum",
    "undefined",
    "debug",
    "caller",
    "varargs",
    "kwargs",
    "recursive",
    "_c",
    "set",
];

/// The common shape of all values at one path of the results.
enum Shape {
    Text { is_long: bool, is_markdown: bool },
    Number,
    Flag,
    List(Box<Shape>),
    Object(Vec<Member>),
    Other,
}

/// A member of an object.
struct Member {
    key: String,
    shape: Shape,
    /// Whether every object has it with a value other than null.
    is_required: bool,
    label: String,
}

/// Drafts a widget for the results of a tool, as the text of a `.widget` file. Returns `None` if they contain
/// no data.
///
/// `tool` is its entry in `tools/list`, `results` are its results.
pub fn suggest(tool: &Value, results: &[&Value]) -> Option<String> {
    let name = tool["name"].as_str()?;
    let called = Some(tool_name(name)).filter(|name| !name.is_empty())?;
    let data: Vec<Map<String, Value>> =
        results.iter().filter_map(|result| reading(result)).collect();
    let is_structured = results.iter().all(|result| result["structuredContent"].is_object());
    let schema = if is_structured { Schema::of_output(tool) } else { Schema::NONE };
    let mut members = members(&data.iter().collect::<Vec<_>>(), schema, 0);
    // A value that is not an object becomes a variable with a name.
    members.retain(|member| is_name(&member.key));
    if members.is_empty() {
        return None;
    }
    let heading = plain(&title(tool).unwrap_or_else(|| Schema::NONE.label(name)));
    let mut children = vec![json!({"type": "Title", "value": heading, "size": "sm"})];
    let mut shown = parts(&members, "", MAX_LEVELS);
    // A single section needs no heading below that of the card.
    if members.len() == 1 && shown.len() > 1 {
        shown.remove(0);
    }
    children.append(&mut shown);
    let is_wide = children.iter().any(|child| child["type"] == "Table");
    let size = if is_wide { "full" } else { "md" };
    // The first result may be an empty list, which is no useful sample.
    let largest = data.iter().rev().max_by_key(|data| json!(data).to_string().len())?;
    let sample = sample_of(&members, largest);
    let widget = json!({
        "version": "1.0",
        "name": heading,
        "tool": called,
        "description": format!("Shows the results of {called}."),
        "jsonSchema": object_schema(&members, true),
        "widget": {"type": "Card", "size": size, "children": children},
        "sample": sample,
    });
    let count = results.len();
    let results = if count == 1 { "result" } else { "results" };
    Some(format!(
        "# Drafted from {count} recorded {results} of {called}.\n{}",
        yaml::write(&widget)
    ))
}

/// The data of a result that the widget receives: without a wrapper around text.
fn reading(result: &Value) -> Option<Map<String, Value>> {
    let is_wrapper = |data: &Value| {
        data.as_object().is_some_and(|data| data.len() == 1 && data.values().all(Value::is_string))
    };
    let all = readings(result);
    let inner = all.iter().position(|data| !is_wrapper(data)).unwrap_or(0);
    match all.into_iter().nth(inner)? {
        Value::Object(data) => Some(data),
        items => Some(Map::from_iter([("items".to_owned(), items)])),
    }
}

fn members(objects: &[&Map<String, Value>], schema: Schema<'_>, depth: usize) -> Vec<Member> {
    let mut keys: Vec<&String> = Vec::new();
    for key in objects.iter().flat_map(|object| object.keys()) {
        if is_usable(key) && keys.len() < MAX_MEMBERS && !keys.contains(&key) {
            keys.push(key);
        }
    }
    let member = |key: &String| {
        let values: Vec<&Value> = objects.iter().filter_map(|object| object.get(key)).collect();
        let is_required = values.len() == objects.len() && !values.iter().any(|v| v.is_null());
        let inner = schema.member(key);
        let label = plain(&label(inner, key));
        Member { key: key.clone(), shape: shape(&values, inner, depth), is_required, label }
    };
    keys.into_iter().map(member).collect()
}

fn shape(values: &[&Value], schema: Schema<'_>, depth: usize) -> Shape {
    let values: Vec<&Value> = values.iter().copied().filter(|value| !value.is_null()).collect();
    let are = |is: fn(&Value) -> bool| !values.is_empty() && values.iter().all(|value| is(value));
    if are(Value::is_number) {
        return Shape::Number;
    }
    if are(Value::is_boolean) {
        return Shape::Flag;
    }
    if are(Value::is_string) {
        let mut texts = values.iter().filter_map(|value| value.as_str());
        let is_long = texts.clone().any(|text| !is_line(text, MAX_FACT));
        let is_markdown = texts.any(|text| block(text, MAX_FACT)["type"] == "Markdown");
        return Shape::Text { is_long, is_markdown };
    }
    if depth < MAX_DEPTH && are(Value::is_array) {
        let items: Vec<&Value> = values.iter().filter_map(|v| v.as_array()).flatten().collect();
        // A null among other values has no single type.
        return Shape::List(Box::new(match items.iter().any(|item| item.is_null()) {
            true => Shape::Other,
            false => shape(&items, schema.items(), depth + 1),
        }));
    }
    if depth < MAX_DEPTH && are(Value::is_object) {
        let objects: Vec<_> = values.iter().filter_map(|value| value.as_object()).collect();
        let members = members(&objects, schema, depth + 1);
        return if members.is_empty() { Shape::Other } else { Shape::Object(members) };
    }
    Shape::Other
}

/// The components for the members of an object: short values as facts, followed by a section for each of the
/// others.
fn parts(members: &[Member], base: &str, levels: usize) -> Vec<Value> {
    let is_section = |member: &&Member| match &member.shape {
        Shape::Text { is_long, is_markdown } => *is_long || *is_markdown,
        Shape::List(_) | Shape::Object(_) => levels > 0,
        _ => false,
    };
    let (sections, facts): (Vec<_>, Vec<_>) = members.iter().partition(is_section);
    let mut parts: Vec<Value> = facts.iter().map(|member| fact(member, base)).collect();
    for member in sections {
        parts.push(json!({"type": "Text", "value": member.label, "weight": "semibold"}));
        parts.extend(section(member, base, levels));
    }
    parts
}

fn fact(member: &Member, base: &str) -> Value {
    let value = print(&path(base, &member.key), &member.shape, member.is_required);
    json!({"type": "Row", "gap": 3, "children": [
        {"type": "Caption", "value": member.label, "size": "lg"},
        {"type": "Spacer"},
        {"type": "Text", "value": value},
    ]})
}

fn section(member: &Member, base: &str, levels: usize) -> Vec<Value> {
    let path = path(base, &member.key);
    let text = |kind: &str| {
        vec![json!({"type": kind, "value": print(&path, &member.shape, member.is_required)})]
    };
    match &member.shape {
        Shape::Text { is_markdown: true, .. } => text("Markdown"),
        Shape::Object(members) if member.is_required => parts(members, &path, levels - 1),
        Shape::List(item) => {
            let list = if member.is_required { path.clone() } else { format!("({path} or [])") };
            let mut shown = vec![match &**item {
                Shape::Object(columns) => table(columns, &list),
                Shape::List(cell) => matrix(cell, &list),
                item => json!({"type": "Col", "gap": 1, "children": [{
                    "for": format!("item in {list}[:{MAX_ROWS}]"),
                    "type": "Row",
                    "children": [{"type": "Text", "value": print("item", item, true)}],
                }]}),
            }];
            shown.push(json!({
                "for": format!("more in [({list} | length) - {MAX_ROWS}] | select(\"gt\", 0)"),
                "type": "Caption",
                "value": "+{{ more }}",
            }));
            shown
        }
        _ => text("Text"),
    }
}

fn table(columns: &[Member], list: &str) -> Value {
    let columns = &columns[..columns.len().min(MAX_COLUMNS)];
    let cell = |column: &Member, value: String| {
        let mut cell =
            json!({"type": "Table.Cell", "children": [{"type": "Text", "value": value}]});
        if matches!(column.shape, Shape::Number) {
            cell["align"] = json!("end");
        }
        cell
    };
    let head: Vec<Value> =
        columns.iter().map(|column| cell(column, column.label.clone())).collect();
    let row = columns.iter().map(|column| {
        cell(column, print(&path("row", &column.key), &column.shape, column.is_required))
    });
    json!({"type": "Table", "children": [
        {"type": "Table.Row", "header": true, "children": head},
        {
            "for": format!("row in {list}[:{MAX_ROWS}]"),
            "type": "Table.Row",
            "children": row.collect::<Vec<_>>(),
        },
    ]})
}

fn matrix(cell: &Shape, list: &str) -> Value {
    json!({"type": "Table", "children": [{
        "for": format!("row in {list}[:{MAX_ROWS}]"),
        "type": "Table.Row",
        "children": [{
            "for": format!("cell in row[:{MAX_COLUMNS}]"),
            "type": "Table.Cell",
            "children": [{"type": "Text", "value": print("cell", cell, true)}],
        }],
    }]})
}

/// A placeholder that prints a value on one line, or a dash if it is missing.
fn print(path: &str, shape: &Shape, is_required: bool) -> String {
    let value = match shape {
        Shape::Flag => format!("\"✓\" if {path} else \"✗\""),
        Shape::Text { .. } | Shape::Number => path.to_owned(),
        Shape::List(item) => match (&**item, name_of(item)) {
            (Shape::Text { .. } | Shape::Number, _) => format!("{path} | join(\", \")"),
            (_, Some(key)) => format!("{path} | map(attribute=\"{key}\") | join(\", \")"),
            _ => format!("{path} ~ \"\""),
        },
        _ => format!("{path} ~ \"\""),
    };
    match (is_required, shape) {
        (true, Shape::Flag | Shape::Text { .. } | Shape::Number | Shape::List(_)) => {
            format!("{{{{ {value} }}}}")
        }
        _ => format!("{{{{ ({value}) if {path} is not blank else \"–\" }}}}"),
    }
}

/// The member that names objects where there is no room for more: their first text, else their first number.
fn name_of(shape: &Shape) -> Option<&str> {
    let Shape::Object(members) = shape else { return None };
    // An attribute with a dot is a path, and one of digits an index.
    let is_name = |key: &str| {
        !key.starts_with(|c: char| c.is_ascii_digit())
            && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    let members = members.iter().take(MAX_COLUMNS);
    let mut named = members.filter(|member| member.is_required && is_name(&member.key));
    let number = named.clone().find(|member| matches!(member.shape, Shape::Number));
    let text = named.find(|member| matches!(member.shape, Shape::Text { .. }));
    text.or(number).map(|member| &*member.key)
}

fn object_schema(members: &[Member], is_described: bool) -> Value {
    let mut properties = Map::new();
    for member in members {
        let mut schema = schema_of(&member.shape);
        if is_described {
            schema["description"] = json!(member.label);
        }
        properties.insert(member.key.clone(), schema);
    }
    let required = members.iter().filter(|member| member.is_required);
    let required: Vec<&String> = required.map(|member| &member.key).collect();
    let mut schema = json!({"type": "object", "properties": properties});
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    schema
}

fn schema_of(shape: &Shape) -> Value {
    match shape {
        Shape::Text { .. } => json!({"type": "string"}),
        Shape::Number => json!({"type": "number"}),
        Shape::Flag => json!({"type": "boolean"}),
        Shape::List(item) => match &**item {
            Shape::Object(columns) => {
                let columns = &columns[..columns.len().min(MAX_COLUMNS)];
                json!({"type": "array", "items": object_schema(columns, false)})
            }
            item => json!({"type": "array", "items": schema_of(item)}),
        },
        Shape::Object(members) => object_schema(members, false),
        Shape::Other => json!({}),
    }
}

/// The beginning of the data, as far as the draft shows it.
fn sample_of(members: &[Member], data: &Map<String, Value>) -> Value {
    let known = members.iter().filter_map(|member| {
        let value = data.get(&member.key).filter(|value| !value.is_null())?;
        Some((member.key.clone(), sample(&member.shape, value)))
    });
    Value::Object(known.collect())
}

fn sample(shape: &Shape, value: &Value) -> Value {
    match (shape, value) {
        (Shape::List(item), Value::Array(items)) => {
            items.iter().take(SAMPLE_ITEMS).map(|value| sample(item, value)).collect()
        }
        (Shape::Object(members), Value::Object(data)) => sample_of(members, data),
        (_, Value::String(text)) => text.chars().take(SAMPLE_CHARS).collect::<String>().into(),
        (_, value) if value.to_string().len() > SAMPLE_BYTES => json!("…"),
        (_, value) => value.clone(),
    }
}

/// The expression of a member.
fn path(base: &str, key: &str) -> String {
    match (base, is_name(key)) {
        ("", _) => key.to_owned(),
        (_, true) => format!("{base}.{key}"),
        (_, false) => format!("{base}[\"{key}\"]"),
    }
}

/// Whether a template can use this name without quotes.
fn is_name(key: &str) -> bool {
    let is_start = |c: char| c.is_alphabetic() || c == '_';
    key.starts_with(is_start)
        && key.chars().all(|c| is_start(c) || c.is_ascii_digit())
        && !RESERVED.contains(&key)
        // Not every Unicode letter is allowed in names.
        && (key.is_ascii() || JsonTemplate::read(&format!("{{{{ {key} }}}}")).is_ok())
}

/// Whether a key can be quoted in an expression.
fn is_usable(key: &str) -> bool {
    (1..=MAX_KEY).contains(&key.len())
        && !key.contains(|c: char| c.is_control() || "{}%#\"\\'|".contains(c))
}

/// A label without characters that a template or Markdown would interpret.
fn plain(label: &str) -> String {
    let is_mark = |c: char| c.is_control() || "{}<>*$%#`\\".contains(c);
    let text: String = label.chars().map(|c| if is_mark(c) { ' ' } else { c }).collect();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.is_empty() { "–".to_owned() } else { text }
}
