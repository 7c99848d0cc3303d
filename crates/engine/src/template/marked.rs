//! Marks around data, for templates that write markup, such as Slack's mrkdwn: whether a text is markup is
//! only known once the whole JSON is rendered, so data to be escaped is marked during rendering. The marks
//! are Unicode noncharacters, which valid text does not contain; they are removed from data.

use std::borrow::Cow;

use minijinja::{Environment, Error as Fault, State, Value};
use serde_json::Value as Json;

use super::filters;
use super::rewrite::QUOTED;
use crate::json::{JsonRef, write_escaped};

/// Around printed values.
pub(super) const DATA: [char; 2] = ['\u{fdd0}', '\u{fdd1}'];
/// Around text that the author declares as markup.
const MARKUP: [char; 2] = ['\u{fdd2}', '\u{fdd3}'];

/// Replaces the filters that must handle marks.
pub(super) fn register(env: &mut Environment<'static>) {
    env.add_filter(QUOTED, quoted);
    env.add_filter("tojson", to_json);
    env.add_filter("json", to_json);
    env.add_filter("mrkdwn", markup);
    env.add_filter("safe", markup);
}

fn is_mark(letter: char) -> bool {
    DATA.contains(&letter) || MARKUP.contains(&letter)
}

fn within([open, close]: [char; 2], text: &str) -> String {
    format!("{open}{text}{close}")
}

/// A value inside a text.
fn quoted(state: &State, value: &Value) -> Result<Value, Fault> {
    let mut out = String::new();
    write_escaped(&within(DATA, &filters::text(state, value)?), &mut out);
    Ok(Value::from_safe_string(out))
}

/// A value that replaces a text.
fn to_json(value: &Value) -> Result<Value, Fault> {
    let mut out = String::new();
    super::print::write_json(value, &mut out, 0)?;
    if let Ok(mut json) = serde_json::from_str::<Json>(&out) {
        for_each_text(&mut json, &|text| *text = within(DATA, text));
        out = json.to_string();
    }
    Ok(Value::from_safe_string(out))
}

fn markup(state: &State, value: &Value) -> Result<Value, Fault> {
    Ok(Value::from(within(MARKUP, &filters::text(state, value)?)))
}

fn for_each_text(value: &mut Json, change: &dyn Fn(&mut String)) {
    match value {
        Json::String(text) => change(text),
        Json::Array(items) => items.iter_mut().for_each(|item| for_each_text(item, change)),
        Json::Object(members) => {
            members.values_mut().for_each(|value| for_each_text(value, change));
        }
        _ => {}
    }
}

/// Removes marks from data, so that it cannot pass for markup.
pub(super) fn clean(data: &Json) -> Cow<'_, Json> {
    match has_marks(&data.into()) {
        true => Cow::Owned(without_marks(data)),
        false => Cow::Borrowed(data),
    }
}

/// Whether the data contains marks.
pub(super) fn has_marks(data: &JsonRef<'_>) -> bool {
    match data {
        JsonRef::Text(text) => text.contains(is_mark),
        JsonRef::List(items) => items.iter().any(has_marks),
        JsonRef::Object(members) => {
            members.iter().any(|(key, value)| key.contains(is_mark) || has_marks(value))
        }
        _ => false,
    }
}

/// A copy without marks, including those in keys, which a template can print.
fn without_marks(data: &Json) -> Json {
    let plain = |text: &str| text.replace(is_mark, "");
    match data {
        Json::String(text) => Json::String(plain(text)),
        Json::Array(items) => items.iter().map(without_marks).collect(),
        Json::Object(members) => {
            members.iter().map(|(key, value)| (plain(key), without_marks(value))).collect()
        }
        other => other.clone(),
    }
}

/// A text without its marks. What came from data, and is not declared to be markup, goes through `escape`.
///
/// ```
/// use widgetcast_engine::template::{Engine, TextTemplate, Writes, unmark};
///
/// let engine = Engine::new(Default::default());
/// let template = TextTemplate::read(&r#""<{{ a }}> {{ b | mrkdwn }}""#.into(), Writes::Marked)?;
/// let data = serde_json::json!({"a": "<1>", "b": "<2>"});
/// let text: String = serde_json::from_str(&template.render(&engine, &(&data).into())?).unwrap();
/// let escape = |letter: char, out: &mut String| match letter {
///     '<' => out.push_str("&lt;"),
///     other => out.push(other),
/// };
/// assert_eq!(unmark(&text, escape), "<&lt;1>> <2>");
/// # Ok::<(), widgetcast_engine::error::Error>(())
/// ```
pub fn unmark(text: &str, escape: impl Fn(char, &mut String)) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut data, mut markup) = (0usize, 0usize);
    for letter in text.chars() {
        match letter {
            _ if letter == DATA[0] => data += 1,
            _ if letter == DATA[1] => data = data.saturating_sub(1),
            _ if letter == MARKUP[0] => markup += 1,
            _ if letter == MARKUP[1] => markup = markup.saturating_sub(1),
            _ if data > 0 && markup == 0 => escape(letter, &mut out),
            _ => out.push(letter),
        }
    }
    out
}
