//! Finds the parts of a tree that are values of the data: each value of the sample is changed in turn, and
//! what changes in the tree with it is printed from it.

use std::collections::HashMap;

use serde_json::Value;
use widgetcast_engine::budget;
use widgetcast_engine::json::locate;

use crate::definition::widget::Widget;

/// Maximum values of the sample that are tried.
const MAX_VALUES: usize = 300;
/// Markers for a value, which no template contains.
const TEXT: &str = "\u{e000}widgetcast\u{e001}";
const NUMBER: i64 = 918_273_645;

/// A part of a text of the tree, and the value of the data that it shows.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Part {
    pub start: usize,
    pub end: usize,
    /// As JavaScript.
    pub path: String,
}

/// The source of a value in the tree.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Binding {
    /// The value itself.
    Whole(String),
    /// A text that contains values, in order.
    Parts(Vec<Part>),
}

/// By the path in the tree.
pub(super) type Bindings = HashMap<String, Binding>;

/// Finds the values of the sample in the tree that a widget renders from it.
pub(super) fn find(widget: &Widget, sample: &Value, tree: &Value) -> Bindings {
    let mut leaves = Vec::new();
    collect(sample, "", "", &mut leaves);
    let mut bindings = Bindings::new();
    for (pointer, path) in leaves {
        let mut changed = sample.clone();
        let Some(place) = changed.pointer_mut(&pointer) else { continue };
        let marker = match place {
            Value::String(_) => Value::from(TEXT),
            _ => Value::from(NUMBER),
        };
        let value = std::mem::replace(place, marker);
        if budget::exceeded().is_some() {
            break;
        }
        let Ok(view) = widget.render_unvalidated(&changed) else { continue };
        let mut found = Vec::new();
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        if compare(tree, &view.tree(), &value, String::new(), &mut found).is_some() {
            found.into_iter().for_each(|(at, ranges)| bind(&mut bindings, at, ranges, &path));
        }
    }
    bindings
}

fn bind(bindings: &mut Bindings, at: String, ranges: Option<Vec<(usize, usize)>>, path: &str) {
    let Some(ranges) = ranges else {
        bindings.insert(at, Binding::Whole(path.to_owned()));
        return;
    };
    let parts = ranges.into_iter().map(|(start, end)| Part { start, end, path: path.to_owned() });
    if let Binding::Parts(known) = bindings.entry(at).or_insert(Binding::Parts(Vec::new())) {
        known.extend(parts);
        known.sort_by_key(|part| part.start);
        // A value that seems to come from two belongs to the first.
        let mut end = 0;
        known.retain(|part| {
            let is_free = part.start >= end;
            end = end.max(part.end);
            is_free
        });
    }
}

/// The strings and numbers of data: a JSON pointer, and the path in JavaScript.
fn collect(data: &Value, pointer: &str, path: &str, leaves: &mut Vec<(String, String)>) {
    if leaves.len() >= MAX_VALUES {
        return;
    }
    match data {
        Value::Object(members) => {
            for (key, member) in members {
                let path = match (path.is_empty(), is_identifier(key)) {
                    (true, true) => key.clone(),
                    // Studio has no name for it.
                    (true, false) => continue,
                    (false, true) => format!("{path}.{key}"),
                    (false, false) => format!("{path}[{}]", Value::from(key.as_str())),
                };
                collect(member, &format!("{pointer}/{}", locate::escaped(key)), &path, leaves);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                collect(item, &format!("{pointer}/{index}"), &format!("{path}[{index}]"), leaves);
            }
        }
        Value::String(text) if !text.is_empty() => leaves.push((pointer.into(), path.into())),
        Value::Number(_) => leaves.push((pointer.into(), path.into())),
        _ => {}
    }
}

/// Whether a name is a valid identifier in JavaScript.
pub(super) fn is_identifier(name: &str) -> bool {
    const WORDS: [&str; 12] = [
        "case", "class", "const", "default", "delete", "enum", "for", "function", "if", "in",
        "new", "return",
    ];
    let is_start = |c: char| c.is_ascii_alphabetic() || c == '_' || c == '$';
    name.starts_with(is_start)
        && name.chars().all(|c| is_start(c) || c.is_ascii_digit())
        && !WORDS.contains(&name)
}

type Found = Vec<(String, Option<Vec<(usize, usize)>>)>;

/// Where two trees differ: by the whole value, or by parts of a text. `None` if they differ by more than the
/// markers.
fn compare(
    tree: &Value,
    changed: &Value,
    value: &str,
    at: String,
    found: &mut Found,
) -> Option<()> {
    match (tree, changed) {
        _ if tree == changed => {}
        (Value::Object(one), Value::Object(other)) if one.len() == other.len() => {
            for (key, member) in one {
                let at = format!("{at}/{}", locate::escaped(key));
                compare(member, other.get(key)?, value, at, found)?;
            }
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            for (index, (item, changed)) in one.iter().zip(other).enumerate() {
                compare(item, changed, value, format!("{at}/{index}"), found)?;
            }
        }
        (Value::Number(_), Value::Number(marker)) if marker.as_i64() == Some(NUMBER) => {
            found.push((at, None));
        }
        (Value::String(text), Value::String(changed)) => {
            let number = NUMBER.to_string();
            let marker = if changed.contains(TEXT) { TEXT } else { &number };
            if changed == TEXT {
                found.push((at, None));
                return (text == value).then_some(());
            }
            if changed.replace(marker, value) != *text {
                return None;
            }
            let before = changed.split(marker).scan(0, |end, piece| {
                let start = *end + piece.len();
                *end = start + value.len();
                Some((start, *end))
            });
            let mut ranges: Vec<_> = before.collect();
            ranges.pop();
            found.push((at, Some(ranges)));
        }
        _ => return None,
    }
    Some(())
}
