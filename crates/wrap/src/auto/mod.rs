//! Automatic views of any result, without configuration.
//!
//! A view depends only on shapes and the tool's output schema, never on a language, and the only text added
//! is a number, such as `+120` for entries that were left out. Everything is bounded, because results are
//! untrusted.

mod data;
mod draft;
mod lines;
mod media;
mod python;
mod reading;
mod schema;
mod table;
#[cfg(test)]
mod tests;
mod text;
mod value;
mod yaml;

use serde_json::{Value, json};
use widgetcast_core::Limits;

use data::{Drawing, ROOM};
pub use draft::suggest;
use lines::Part;
use media::Media;
use reading::{MAX_WRAPPERS, text_of};
pub(crate) use reading::{readings, whole_text};
use schema::Schema;
use table::{Table, items, more};
use value::{is_scalar, title};

/// Maximum text blocks, and maximum images and files, that are shown.
const MAX_BLOCKS: usize = 8;
const MAX_MEDIA: usize = 20;
/// Maximum characters of a text that is shown alone, and of a line that needs no view.
const MAX_TEXT: usize = 40_000;
const MAX_LINE: usize = 200;
/// Bytes of a tree that are reserved for anything but images.
const FRAME_BYTES: usize = 64 << 10;

/// Renders a `CallToolResult` according to the shape of its data, as [`Wrap`](crate::Wrap) does, if there is
/// more to show than a line of text.
///
/// ```
/// use serde_json::json;
///
/// let rows = json!([{ "city": "Bern", "open": 3 }, { "city": "Chur", "open": 0 }]);
/// let result = json!({ "structuredContent": rows });
/// let tree = widgetcast_wrap::view(&result).unwrap();
/// assert_eq!(tree["children"][0]["type"], "Table");
/// ```
pub fn view(result: &Value) -> Option<Value> {
    tree(&Value::Null, result)
}

/// The component tree for a tool's result, if there is more to show than a line of text.
///
/// `tool` is the entry of `tools/list` (may be `Value::Null`), `result` the whole `CallToolResult`.
pub(crate) fn tree(tool: &Value, result: &Value) -> Option<Value> {
    let content = items(&result["content"]).iter().filter(is_for_people);
    if content.clone().any(is_view) {
        return None;
    }
    let mut body = of_value(&result["structuredContent"], Schema::of_output(tool), 0);
    if body.is_empty() {
        body = of_texts(&Vec::from_iter(content.clone().filter_map(text_of)));
    }
    let media: Vec<Media<'_>> = content.filter_map(Media::of).collect();
    let is_error = result["isError"] == true;
    let is_line = !is_error && body.len() < 2 && body.iter().all(is_line);
    if media.is_empty() && (is_line || body.is_empty()) {
        return None;
    }
    let used = if media.is_empty() { 0 } else { json!(body).to_string().len() };
    let mut bytes = Limits::default().output_bytes.saturating_sub(used + FRAME_BYTES);
    body.extend(media.iter().take(MAX_MEDIA).map(|media| media.component(&mut bytes)));
    body.extend(more(media.len().saturating_sub(MAX_MEDIA)));

    let size = if body.iter().any(is_wide) { "full" } else { "md" };
    let mut head = Vec::new();
    head.extend(is_error.then(|| json!({"type": "Icon", "name": ERROR, "color": "danger"})));
    head.extend(title(tool).map(|title| json!({"type": "Title", "value": title, "size": "sm"})));
    if is_error && head.len() < 2 && body[0]["type"] == "Text" {
        head.push(body.remove(0));
    }
    if head.len() > 1 {
        head = vec![json!({"type": "Row", "gap": 2, "align": "center", "children": head})];
    }
    head.append(&mut body);
    Some(json!({"type": "Card", "size": size, "children": head}))
}

/// Whether a component, or the first one in it, needs the full width.
fn is_wide(part: &Value) -> bool {
    let is = |part: &Value, name: &str| part["type"] == name || part["children"][0]["type"] == name;
    ["Table", "Chart", "Markdown", "Image"].iter().any(|name| is(part, name))
}

/// The icon of an error, for which hosts without icons have a symbol.
const ERROR: &str = "lucide:circle-alert";

/// Whether a content block is for users as well as for the model.
fn is_for_people(block: &&Value) -> bool {
    let audience = &block["annotations"]["audience"];
    !audience.is_array() || items(audience).iter().any(|reader| reader == "user")
}

/// Whether a block is a view of the server's own.
fn is_view(block: &Value) -> bool {
    block["resource"]["uri"].as_str().is_some_and(|uri| uri.starts_with("ui://"))
}

/// Whether a component is a line of text that needs no view.
fn is_line(part: &Value) -> bool {
    let text = part["value"].as_str().filter(|_| part["type"] == "Text");
    text.is_some_and(|text| text::is_line(text, MAX_LINE))
}

/// Text blocks, each on its own; objects are combined, since servers put each into its own block.
fn of_texts(texts: &[&str]) -> Vec<Value> {
    if let [text] = texts {
        return of_text(text, 0);
    }
    let parts = texts.iter().flat_map(|&text| match text::data(text) {
        Some(data) => vec![Part::Data(data)],
        None => lines::parts(text).unwrap_or_else(|| vec![Part::Text(text)]),
    });
    let parts = lines::joined(parts.collect());
    let shown = parts.len().min(MAX_BLOCKS);
    let mut body = of_parts(&parts[..shown], MAX_TEXT / MAX_BLOCKS);
    body.extend(more(parts.len() - shown));
    body
}

fn of_text(text: &str, wrappers: usize) -> Vec<Value> {
    match text::data(text).filter(|_| wrappers < MAX_WRAPPERS) {
        Some(data) => of_value(&data, Schema::NONE, wrappers + 1),
        None => of_parts(&lines::parts(text).unwrap_or_else(|| vec![Part::Text(text)]), MAX_TEXT),
    }
}

/// The parts of texts, whose data shares the space.
fn of_parts(parts: &[Part<'_>], max: usize) -> Vec<Value> {
    let count = parts.iter().filter(|part| matches!(part, Part::Data(_))).count();
    let drawing = match count {
        0 | 1 => Drawing::WHOLE,
        count => Drawing { room: ROOM / count, levels: 1 },
    };
    let draw = |part: &Part<'_>| match part {
        Part::Heading(text) => vec![data::title(text)],
        Part::Text(text) => vec![text::block(text, max)],
        Part::Data(data) => drawing.draw(data, Schema::NONE),
    };
    parts.iter().flat_map(draw).collect()
}

/// Removes wrappers: objects with a single member. In a nested object, the key may be data, such as the name
/// of a place, and stays as a title unless the schema declares it.
fn of_value(value: &Value, schema: Schema<'_>, wrappers: usize) -> Vec<Value> {
    let only = value.as_object().filter(|members| members.len() == 1 && wrappers < MAX_WRAPPERS);
    match (only.and_then(|members| members.iter().next()), value) {
        // The key of a single value is its label; a key that is not an identifier, such as a path, is data.
        (Some((key, inner)), _) if is_scalar(inner) && !schema::is_identifier(key) => {
            Drawing::WHOLE.draw(value, schema)
        }
        (Some((key, inner)), _) => {
            let is_named = inner.as_object().is_some_and(|members| members.len() > 1);
            let is_data = is_named && !schema.declares(key);
            let schema = schema.member(key);
            let title = is_data.then(|| data::title(&value::label(schema, key)));
            title.into_iter().chain(of_value(inner, schema, wrappers + 1)).collect()
        }
        (None, Value::String(text)) => of_text(text, wrappers),
        (None, Value::Null) => Vec::new(),
        (None, Value::Array(items)) if items.is_empty() => {
            Table::of(value, schema).map_or_else(Vec::new, |table| table.draw(ROOM))
        }
        (None, Value::Object(members)) if members.is_empty() => Vec::new(),
        (None, value) => Drawing::WHOLE.draw(value, schema),
    }
}
