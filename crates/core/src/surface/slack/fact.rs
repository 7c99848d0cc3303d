//! Facts: a name and its value, side by side in a row or below each other in a column.

use serde_json::{Value, json};

use super::component::{children, words};
use super::group::{Group, bare, group};
use super::object::section;
use super::{glyph, limit, mrkdwn};
use crate::surface::node;

/// The most characters of a word in a field: on a phone its column has room for no more.
const WORD: usize = 18;

/// The fewest facts that are sums, and what marks one.
const SUMS: usize = 3;
const CURRENCIES: [char; 5] = ['€', '$', '£', '¥', '₹'];
/// The characters that a line has on a phone, and the most of three facts that stand on one.
const LINE: usize = 30;
const THREE: usize = 54;

/// A label and its value: a row of two one-line parts with a gap between them.
pub(super) fn pair(node: &Value, at: &str) -> Option<(String, String)> {
    two_sides(node, at, false)
}

/// The same without markup.
pub(super) fn bare_pair(node: &Value, at: &str) -> Option<(String, String)> {
    two_sides(node, at, true)
}

fn two_sides(node: &Value, at: &str, is_bare: bool) -> Option<(String, String)> {
    let is_row = node["type"] == "Row" || (node["type"] == "Box" && node["direction"] == "row");
    let spread = node["justify"] == "between"
        || node["children"]
            .as_array()
            .is_some_and(|list| list.iter().any(|child| child["type"] == "Spacer"));
    let is_named = !spread && is_named(node);
    if !is_row || !(spread || is_named) {
        return None;
    }
    let is_each = is_named || node["justify"] == "between";
    let mut sides: Vec<String> = Vec::new();
    let mut fresh = true;
    for (child, at) in children(node, at) {
        if child["type"] == "Spacer" {
            fresh = true;
            continue;
        }
        let group = if is_bare { bare(child, &at)? } else { group(child, &at)? };
        let aside = [group.images.len(), group.buttons.len(), group.unseen.len()];
        if aside != [0; 3] || group.lines.len() > 1 {
            return None;
        }
        let Some(line) = group.lines.into_iter().next() else { continue };
        match sides.last_mut() {
            Some(side) if !fresh && !is_each => {
                side.push(' ');
                side.push_str(&line);
            }
            _ => sides.push(line),
        }
        fresh = false;
    }
    match <[String; 2]>::try_from(sides) {
        Ok([label, value]) if !label.contains('\n') && limit::len(&label) <= 100 => {
            Some((label, value))
        }
        _ => None,
    }
}

/// Whether a row begins with a column of fixed width for the name of what follows.
fn is_named(row: &Value) -> bool {
    let Some([name, _]) = row["children"].as_array().map(Vec::as_slice) else { return false };
    let caption = match name["children"].as_array().map(Vec::as_slice) {
        Some([only]) if name["type"] == "Box" => only,
        _ => name,
    };
    name["width"].is_number() && caption["type"] == "Caption" && limit::is_heading(&words(caption))
}

/// The columns of a row of figures, each a few lines of words.
pub(super) fn columns<'v>(node: &'v Value, at: &str) -> Option<Vec<(Group<'v>, String)>> {
    // Most rows are none: that is seen before any of them is read.
    let is_part = |child: &Value| {
        let kind = child["type"].as_str();
        child.is_null() || matches!(kind, Some("Col" | "Box" | "Icon" | "Spacer" | "Divider"))
    };
    if !node::children(node).iter().all(is_part) {
        return None;
    }
    let mut columns = Vec::new();
    for (child, at) in children(node, at) {
        let is_decoration = child["type"] == "Icon"
            && child["name"].as_str().is_some_and(|name| glyph::find(name).is_none());
        if is_decoration || matches!(child["type"].as_str(), Some("Spacer" | "Divider")) {
            continue;
        }
        let mut group = matches!(child["type"].as_str(), Some("Col" | "Box"))
            .then(|| group(child, &at))
            .flatten()?;
        let words = group.images.is_empty() && group.buttons.is_empty();
        if !words || !(2..=4).contains(&group.lines.len()) {
            return None;
        }
        name_first(child, &mut group.lines);
        columns.push((group, at));
    }
    (columns.len() >= 2).then_some(columns)
}

/// Orders the lines of a figure as those of a fact: its name in bold, then its value.
fn name_first(node: &Value, lines: &mut [String]) {
    let mut spoken = node::children(node).iter().filter(|child| !words(child).is_empty());
    let is_caption = |child: Option<&Value>| child.is_some_and(|child| child["type"] == "Caption");
    let (first, second) = (is_caption(spoken.next()), is_caption(spoken.next()));
    if !first && second && lines[0].contains(|c: char| c.is_ascii_digit()) {
        lines.swap(0, 1);
    } else if !first {
        lines[0] = mrkdwn::mark(&lines[0], '*');
        return;
    }
    lines[0] = mrkdwn::mark(&lines[0], '*');
    // Its value may have another before it that is struck out.
    let (before, value) = match lines[1].rsplit_once("~ ") {
        Some((before, value)) => (format!("{before}~ "), value),
        None => (String::new(), lines[1].as_str()),
    };
    if let Some(value) = value.strip_prefix('*').and_then(|value| value.strip_suffix('*'))
        && !value.contains('*')
    {
        lines[1] = before + value;
    }
}

/// Facts in two columns. One alone would have half of the width, a long word such as an address would be
/// broken, and sums are read from top to bottom: these are lines. Three short ones are one line, because
/// in two columns the last would stand alone.
pub(super) fn block(fields: &[Value]) -> Value {
    let texts = texts(fields);
    if let Some(line) = three(&texts) {
        return section(&line);
    }
    let is_long = |text: &&str| text.split_whitespace().any(|word| limit::len(word) > WORD);
    if texts.len() > 1 && !texts.iter().any(is_long) && !are_sums(&texts) {
        return json!({"type": "section", "fields": fields});
    }
    let line = |text: &&str| match text.split_once('\n') {
        // Its value begins where the name does if they do not fit a line of a phone.
        Some((name, value)) if texts.len() == 1 && limit::len(name) + limit::len(value) > LINE => {
            format!("{name}\n{value}")
        }
        Some((name, value)) if !value.contains('\n') => {
            let named = name.strip_suffix('*').map(|name| format!("{name}:*"));
            format!("{}  {value}", named.as_deref().unwrap_or(name))
        }
        _ => text.replace('\n', "  "),
    };
    let lines = texts.iter().map(line).collect::<Vec<_>>().join("\n");
    // Ten fields may be longer than one text.
    match limit::len(&lines) <= limit::SECTION {
        true => section(&lines),
        false => json!({"type": "section", "fields": fields}),
    }
}

/// Three short facts as a line that breaks between them.
fn three(facts: &[&str]) -> Option<String> {
    let is_short = facts.iter().map(|fact| limit::len(fact)).sum::<usize>() <= THREE;
    let is_pair = |fact: &&str| fact.matches('\n').count() == 1;
    let is_line = facts.len() == 3 && is_short && facts.iter().all(is_pair) && !are_sums(facts);
    let pair = |fact: &&str| fact.replace([' ', '\n'], "\u{a0}");
    is_line.then(|| facts.iter().map(pair).collect::<Vec<_>>().join("  ·  "))
}

/// Whether facts as fields are the lines of a bill.
pub(super) fn is_bill(fields: &[Value]) -> bool {
    are_sums(&texts(fields))
}

fn texts(fields: &[Value]) -> Vec<&str> {
    fields.iter().filter_map(|field| field["text"].as_str()).collect()
}

/// Whether facts are the lines of a bill: amounts of money, but for one such as `Free`.
fn are_sums(facts: &[&str]) -> bool {
    let is_amount = |fact: &&&str| fact.split_once('\n').is_some_and(|(_, value)| is_amount(value));
    facts.len() >= SUMS && facts.iter().filter(is_amount).count() + 1 >= facts.len()
}

/// Whether words are an amount of money and nothing else.
pub(super) fn is_amount(words: &str) -> bool {
    words.contains(CURRENCIES) && !words.contains(char::is_alphabetic)
}
