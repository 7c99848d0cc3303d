//! A list: a stack of rows that are words, with or without a line above them that names it.

use serde_json::Value;

use super::component::children;
use super::group::{Group, group};
use super::{action, date, fact, glyph, limit, mrkdwn};

/// The fewest rows that make a list.
const ROWS: usize = 2;
/// The most items that are a block each.
const BLOCKS: usize = 6;
/// The most characters of an item that stays on one line.
const LINE: usize = 100;

pub(super) struct List {
    /// Whether a divider stands before it.
    pub(super) has_rule: bool,
    /// Its parts, each a block, as mrkdwn: the items, or all of it with the line above it.
    pub(super) parts: Vec<String>,
    /// Whether its items are facts: a name and a value below it.
    pub(super) is_facts: bool,
    /// Pointers of images that Slack cannot load.
    pub(super) unseen: Vec<String>,
}

/// The list that a stack makes, if all its rows are words. Rows of a label and a value are facts.
pub(super) fn of(node: &Value, at: &str) -> Option<List> {
    let mut name: Option<String> = None;
    let mut items: Vec<Vec<String>> = Vec::new();
    let mut unseen = Vec::new();
    let mut is_facts = true;
    let mut rows = children(node, at).peekable();
    let has_rule = rows.next_if(|(child, _)| child["type"] == "Divider").is_some();
    for (index, (child, at)) in rows.enumerate() {
        let is_name = index == 0 && matches!(child["type"].as_str(), Some("Caption" | "Label"));
        let is_row = is_name || matches!(child["type"].as_str(), Some("Row" | "Col" | "Box"));
        if !is_row {
            return None;
        }
        if let Some((label, value)) = fact::pair(child, &at) {
            is_facts = false;
            items.push(is_item(&label).then(|| vec![format!("{label} · {value}")])?);
            continue;
        }
        if fact::columns(child, &at).is_some() {
            return None;
        }
        let mut item: Group<'_> = group(child, &at)?;
        link(&mut item)?;
        if !item.images.is_empty() || !item.buttons.is_empty() {
            return None;
        }
        unseen.append(&mut item.unseen);
        is_facts &= item.is_fact();
        match is_name {
            true => name = Some(mrkdwn::mark(&item.lines.join(" "), '*')),
            false if item.lines.is_empty() => {}
            false => items.push(item.lines),
        }
    }
    if items.len() < ROWS {
        return None;
    }
    let fits =
        |item: &Vec<String>| item.iter().map(|line| limit::len(line) + 3).sum::<usize>() <= LINE;
    // Below a name short items are lines: their own names would be as loud as that of the list.
    let is_short = name.is_some() && items.iter().all(fits);
    let is_loose = !is_short && items.iter().all(|item| item.len() > 1);
    let is_apart = is_loose && name.is_none() && items.len() <= BLOCKS;
    let mut parts = vec![name.unwrap_or_default()];
    let is_flat = !is_loose && items.iter().all(fits);
    if is_flat {
        items = lines_of(&items);
    }
    let is_plain = |item: &Vec<String>| {
        item[0].starts_with(|c: char| c.is_alphabetic() || matches!(c, '*' | '~' | '_' | '<'))
    };
    let bullet = if is_flat && items.iter().all(is_plain) { "• " } else { "" };
    // Among answers, the one that was given stands out.
    let is_given = |item: &Vec<String>| item[0].contains('✅');
    let has_given = items.iter().any(is_given);
    for mut item in items {
        if is_loose && (!has_given || is_given(&item)) {
            item[0] = strong(&item[0]);
        }
        let item = bullet.to_owned() + &item.join("\n");
        match parts.last_mut() {
            Some(text) if text.is_empty() => *text = item,
            Some(text) if !is_apart => {
                text.push_str(if is_flat { "\n" } else { "\n\n" });
                text.push_str(&item);
            }
            _ => parts.push(item),
        }
    }
    Some(List { has_rule, parts, is_facts: is_facts && is_apart, unseen })
}

/// Items of one line each: the state comes last, and in an agenda the time first.
fn lines_of(items: &[Vec<String>]) -> Vec<Vec<String>> {
    let items: Vec<String> = items.iter().map(|item| item.join(" · ")).collect();
    let mut items: Vec<Vec<&str>> = items.iter().map(|item| item.split(" · ").collect()).collect();
    for item in &mut items {
        item[1..].sort_by_key(|part| glyph::is_marked(part));
    }
    let is_event = |item: &Vec<&str>| {
        item[0].starts_with(char::is_alphabetic)
            && item.get(1).is_some_and(|part| date::is_time_of_day(part))
    };
    let is_agenda = items.iter().all(is_event);
    let line = |item: &Vec<&str>| match (is_agenda, item.as_slice()) {
        (true, [name, time, rest @ ..]) => {
            let rest: String = rest.iter().map(|part| format!(" · {part}")).collect();
            format!("{time}  {name}{rest}")
        }
        _ => item.join(" · "),
    };
    items.iter().map(|item| vec![line(item)]).collect()
}

/// Whether a row of a name and a value is an item of a list and not a fact: no fact has a name that
/// begins with a figure, as `2 × Paper filters` and `15:00` do.
pub(super) fn is_item(label: &str) -> bool {
    label.trim_start_matches('*').starts_with(|c: char| c.is_ascii_digit())
}

/// Makes a link of an item's first line if its only button opens a page; nothing else can be a button in
/// a list of lines.
fn link(item: &mut Group<'_>) -> Option<()> {
    let [(button, _)] = item.buttons.as_slice() else { return Some(()) };
    let url = action::link(&button["onClickAction"]).filter(|_| button["disabled"] != true)?;
    let line = item.lines.first_mut()?;
    let words = mrkdwn::bare(line);
    // The number of a source stays before the link.
    let (number, name) = match words.split_once(". ") {
        Some((number, name)) if number.bytes().all(|byte| byte.is_ascii_digit()) => (number, name),
        _ => ("", words.as_str()),
    };
    let anchor = mrkdwn::anchor(url, name);
    let is_link = anchor.starts_with('<');
    *line = if number.is_empty() { anchor } else { format!("{number}. {anchor}") };
    item.buttons.clear();
    is_link.then_some(())
}

/// The line with its first part in bold, without the signs before it.
pub(super) fn strong(line: &str) -> String {
    let (lead, words) = mrkdwn::lead(line);
    match words.split_once(" · ") {
        Some((first, rest)) => format!("{lead}{} · {rest}", mrkdwn::mark(first, '*')),
        None => format!("{lead}{}", mrkdwn::mark(words, '*')),
    }
}

/// Makes a link of the words of a line; false if Slack would not follow it.
pub(super) fn link_to(url: &str, line: &mut String) -> bool {
    let (lead, words) = mrkdwn::lead(line);
    let anchor = mrkdwn::anchor(url, &mrkdwn::bare(words));
    let is_link = anchor.starts_with('<');
    if is_link {
        *line = format!("{lead}*{anchor}*");
    }
    is_link
}
