//! Converts data to components: tables, facts, lists, and sections of these.

use serde_json::{Map, Value, json};

use super::media;
use super::schema::Schema;
use super::table::{Head, Table, items, more};
use super::text::{self, is_line, is_link};
use super::value::{MAX_VALUE, component, is_scalar, label, line};

/// Maximum rows, facts and items of a card.
pub(super) const ROOM: usize = 100;
/// Maximum characters of a value next to its label.
const MAX_FACT: usize = 60;
/// Maximum characters of a list item.
const MAX_ITEM: usize = 500;
/// Maximum characters of a text among other data.
const MAX_TEXT: usize = 2_000;
/// Maximum sections of one object.
const MAX_SECTIONS: usize = 12;
/// Minimum lines of a section.
const MIN_ROOM: usize = 3;

/// The space for data.
#[derive(Clone, Copy)]
pub(super) struct Drawing {
    /// The remaining rows, facts or items.
    pub(super) room: usize,
    /// The remaining levels of sections.
    pub(super) levels: usize,
}

impl Drawing {
    /// The only data of a card.
    pub(super) const WHOLE: Self = Self { room: ROOM, levels: 2 };

    /// The components that show a value.
    pub(super) fn draw(self, value: &Value, schema: Schema<'_>) -> Vec<Value> {
        if let Some(table) = Table::of(value, schema) {
            return table.draw(self.room);
        }
        match value {
            Value::Array(only) if only.len() == 1 => self.draw(&only[0], schema.items()),
            Value::Array(items) => self.list(items, schema.items()),
            Value::Object(members) => self.object(members, schema),
            Value::String(text) if !is_link(text) => {
                vec![media::inline(text).unwrap_or_else(|| text::block(text, MAX_TEXT))]
            }
            scalar => vec![component(scalar, schema, MAX_VALUE)],
        }
    }

    fn list(self, items: &[Value], schema: Schema<'_>) -> Vec<Value> {
        let shown = items.len().min(self.room);
        let item = |item| json!({"type": "Row", "children": [component(item, schema, MAX_ITEM)]});
        let rows: Vec<Value> = items[..shown].iter().map(item).collect();
        let mut parts = vec![json!({"type": "Col", "gap": 1, "children": rows})];
        parts.extend(more(items.len() - shown));
        parts
    }

    /// Short values become facts; the others become sections below.
    fn object(self, members: &Map<String, Value>, schema: Schema<'_>) -> Vec<Value> {
        if let Some(opened) = opened(members) {
            return self.draw(&Value::Object(opened), schema);
        }
        let head = Head::of(members);
        let members = members.iter().filter(|(key, _)| head.as_ref().is_none_or(|h| h.key != *key));
        let (facts, sections): (Vec<_>, Vec<_>) =
            members.partition(|(key, value)| self.is_fact(value, schema.member(key)));
        let shown = facts.iter().take(self.room);
        let mut parts: Vec<Value> =
            shown.map(|(key, value)| fact(key, value, schema.member(key))).collect();
        parts.extend(more(facts.len().saturating_sub(self.room)));
        let shown = sections.len().min(MAX_SECTIONS);
        let room = (self.room / shown.max(1)).max(MIN_ROOM);
        // An object with one member is a wrapper, and does not count as a level.
        let is_wrapper = facts.is_empty() && sections.len() == 1;
        let levels = if is_wrapper { self.levels } else { self.levels.saturating_sub(1) };
        let inner = Self { room, levels };
        for (key, value) in &sections[..shown] {
            if sections.len() > 1 || !facts.is_empty() {
                parts.push(title(&label(schema.member(key), key)));
            }
            parts.extend(match head.as_ref().filter(|head| head.rows == *key) {
                Some(head) => {
                    let names: Vec<&str> = head.names.iter().map(|name| &**name).collect();
                    Table::of_rows(&names, items(value)).draw(room)
                }
                None => inner.draw(value, schema.member(key)),
            });
        }
        parts.extend(more(sections.len() - shown));
        parts
    }

    /// Whether a value fits next to its label, or must because there is no room for sections.
    fn is_fact(self, value: &Value, schema: Schema<'_>) -> bool {
        let is_short = || is_line(&line(value, schema), MAX_FACT);
        match value {
            Value::String(text) => !text.starts_with("data:") && is_short(),
            Value::Array(items) if items.is_empty() => {
                self.levels == 0 || Table::of(value, schema).is_none()
            }
            Value::Array(items) if items.iter().all(is_scalar) => is_short(),
            Value::Object(members) if !members.is_empty() => self.levels == 0,
            Value::Array(_) => self.levels == 0,
            _ => true,
        }
    }
}

/// The members, with JSON in text members parsed, if there is any.
fn opened(members: &Map<String, Value>) -> Option<Map<String, Value>> {
    let data = |value: &Value| value.as_str().and_then(text::data);
    let is_written = members.values().any(|value| data(value).is_some());
    is_written.then(|| {
        let opened = |(key, value): (&String, &Value)| {
            (key.clone(), data(value).unwrap_or_else(|| value.clone()))
        };
        members.iter().map(opened).collect()
    })
}

/// The title of a section.
pub(super) fn title(value: &str) -> Value {
    json!({"type": "Text", "value": value, "weight": "semibold"})
}

fn fact(key: &str, value: &Value, schema: Schema<'_>) -> Value {
    json!({
        "type": "Row",
        "gap": 3,
        "children": [
            {"type": "Caption", "value": label(schema, key), "size": "lg"},
            {"type": "Spacer"},
            component(value, schema, MAX_VALUE),
        ],
    })
}
