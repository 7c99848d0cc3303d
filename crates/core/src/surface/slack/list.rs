//! A list: a stack of rows that are words, with or without a line above them that names it.

use serde_json::Value;

use super::group::{self, Group, children, group};
use super::{limit, mrkdwn};

/// The fewest rows that make a list.
const ROWS: usize = 2;
/// The most characters of an item that stays on one line.
const LINE: usize = 100;

pub(super) struct List {
    /// As mrkdwn.
    pub(super) text: String,
    /// Pointers of images that Slack cannot load.
    pub(super) unseen: Vec<String>,
}

/// The list that a stack makes, if all its rows are words. Rows of a label and a value are facts.
pub(super) fn of(node: &Value, at: &str) -> Option<List> {
    let mut name: Option<String> = None;
    let mut items: Vec<Vec<String>> = Vec::new();
    let mut unseen = Vec::new();
    for (index, (child, at)) in children(node, at).enumerate() {
        let is_name = index == 0 && matches!(child["type"].as_str(), Some("Caption" | "Label"));
        let is_item = is_name || matches!(child["type"].as_str(), Some("Row" | "Col" | "Box"));
        if !is_item || group::pair(child, &at).is_some() || group::columns(child, &at).is_some() {
            return None;
        }
        let mut item: Group<'_> = group(child, &at)?;
        if !item.images.is_empty() || !item.buttons.is_empty() {
            return None;
        }
        unseen.append(&mut item.unseen);
        match is_name {
            true => name = Some(mrkdwn::mark(&item.lines.join(" "), '*')),
            false if item.lines.is_empty() => {}
            false => items.push(item.lines),
        }
    }
    if items.len() < ROWS {
        return None;
    }
    let mut text = name.unwrap_or_default();
    let is_loose = items.iter().all(|item| item.len() > 1);
    let fits =
        |item: &Vec<String>| item.iter().map(|line| limit::len(line) + 3).sum::<usize>() <= LINE;
    let is_flat = !is_loose && items.iter().all(fits);
    let is_plain = |item: &Vec<String>| {
        item[0].starts_with(|c: char| c.is_alphabetic() || matches!(c, '*' | '~' | '_'))
    };
    let bullet = if is_flat && items.iter().all(is_plain) { "• " } else { "" };
    for mut item in items {
        if is_loose {
            item[0] = strong(&item[0]);
        }
        let apart = if is_flat || text.is_empty() { "\n" } else { "\n\n" };
        text.push_str(if text.is_empty() { "" } else { apart });
        text.push_str(bullet);
        text.push_str(&item.join(if is_flat { " · " } else { "\n" }));
    }
    Some(List { text, unseen })
}

/// The line with its first part in bold.
pub(super) fn strong(line: &str) -> String {
    match line.split_once(" · ") {
        Some((first, rest)) => format!("{} · {rest}", mrkdwn::mark(first, '*')),
        None => mrkdwn::mark(line, '*'),
    }
}
