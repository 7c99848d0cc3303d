//! The date of a message: a calendar tile (a short month above a large day) and the time that stands
//! apart from it, as one text.

use serde_json::{Value, json};

use super::component::children;
use super::{group, limit};

/// The most characters of a text that is a time.
const TIME: usize = 40;

/// A tree without its calendar tile, and the date for the line below the header, if it found no better
/// place.
pub(super) struct Dated {
    pub(super) tree: Value,
    pub(super) about: Option<(String, String)>,
}

/// Writes the date of the only tile of a tree into the time after it; without a time, in place of the
/// tile. Several tiles are a list of dates.
pub(super) fn join(tree: &Value) -> Option<Dated> {
    let mut open = vec![(tree, String::new(), false)];
    let mut tile: Option<(String, String)> = None;
    let mut time: Option<(String, &str, bool)> = None;
    while let Some((node, at, has_icon)) = open.pop() {
        if let Some(date) = group::date(node) {
            if tile.replace((date, at)).is_some() {
                return None;
            }
            continue;
        }
        let is_text = matches!(node["type"].as_str(), Some("Text" | "Caption"));
        if is_text && tile.is_some() && time.is_none() && node["editable"].is_null() {
            let words = node["value"].as_str().filter(|words| split(words).is_some());
            time = words.map(|words| (at.clone(), words, has_icon));
        }
        let mut has_icon = false;
        let mut inner = Vec::new();
        for (child, at) in children(node, &at) {
            inner.push((child, at, has_icon));
            has_icon = child["type"] == "Icon";
        }
        open.extend(inner.into_iter().rev());
    }
    let (date, tile) = tile?;
    let mut out = tree.clone();
    let mut about = None;
    let place = match &time {
        None => json!({"type": "Caption", "value": format!("📅 {date}")}),
        Some((at, words, has_icon)) => {
            let (day, time) = split(words)?;
            let day = day.map(|day| format!("{day}, ")).unwrap_or_default();
            let whole = format!("{day}{date}, {time}");
            let node = out.pointer_mut(at)?;
            if *has_icon {
                node["value"] = whole.into();
            } else if tree["asForm"] == true {
                *node = Value::Null;
                about = Some((format!("📅 {whole}"), at.clone()));
            } else {
                node["value"] = format!("📅 {whole}").into();
            }
            Value::Null
        }
    };
    *out.pointer_mut(&tile)? = place;
    Some(Dated { tree: out, about })
}

/// The day of the week and the time of a text such as `Saturday, 18:00 – 23:00`; none if it says more.
fn split(words: &str) -> Option<(Option<&str>, &str)> {
    let words = words.trim();
    let (day, time) = match words.split_once(", ") {
        Some((day, time)) => (Some(day), time),
        None => (None, words),
    };
    let is_day = day.is_none_or(|day| day.chars().all(char::is_alphabetic));
    (is_day && is_time(time) && limit::len(words) <= TIME).then_some((day, time))
}

fn is_time(text: &str) -> bool {
    let hours = text.split(':').next().unwrap_or_default();
    text.contains(':')
        && (1..=2).contains(&hours.len())
        && hours.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a text is a time such as `09:30 – 10:15`, and not a length such as `4:12`.
pub(super) fn is_time_of_day(text: &str) -> bool {
    is_time(text) && (text.contains('–') || text.find(':') == Some(2))
}
