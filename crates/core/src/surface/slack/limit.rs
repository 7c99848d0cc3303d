//! The limits of Slack: one table for the printer, the validator and Work Objects.
//!
//! Lengths are counted in UTF-16 units, the widest of the counts in use: a text that fits here
//! fits however Slack counts. Where sources disagree the smaller number is used.

use serde_json::Value;

pub(super) const BLOCKS: usize = 50;
/// Nested block objects of one payload.
pub(super) const NESTING: usize = 20;
/// The deepest JSON that is read; deeper JSON could exhaust the stack.
pub(super) const DEPTH: usize = 256;
pub(super) const ID: usize = 255;
pub(super) const URL: usize = 3000;
pub(super) const ALT: usize = 2000;

pub(super) const HEADER: usize = 150;
pub(super) const SECTION: usize = 3000;
pub(super) const FIELD: usize = 2000;
pub(super) const FIELDS: usize = 10;
pub(super) const CONTEXT: usize = 2000;
pub(super) const CONTEXT_ELEMENTS: usize = 10;
pub(super) const ACTIONS: usize = 25;
pub(super) const MARKDOWN: usize = 12_000;
pub(super) const IMAGE_TITLE: usize = 2000;
pub(super) const VIDEO_TITLE: usize = 200;
pub(super) const VIDEO_AUTHOR: usize = 50;

pub(super) const BUTTON_TEXT: usize = 75;
pub(super) const VALUE: usize = 2000;
pub(super) const OPTION_TEXT: usize = 75;
pub(super) const OPTION_VALUE: usize = 150;
pub(super) const SELECT_OPTIONS: usize = 100;
pub(super) const CHOICE_OPTIONS: usize = 10;
pub(super) const OVERFLOW_OPTIONS: usize = 5;
pub(super) const PLACEHOLDER: usize = 150;
pub(super) const LABEL: usize = 2000;
pub(super) const INITIAL: usize = 3000;

pub(super) const ROWS: usize = 100;
pub(super) const COLUMNS: usize = 20;
pub(super) const TABLE_CHARS: usize = 10_000;
pub(super) const DATA_TABLE_CHARS: usize = 20_000;
/// Characters of all tables of a payload together.
pub(super) const ALL_TABLE_CHARS: usize = 20_000;

pub(super) const CARD_TITLE: usize = 150;
pub(super) const CARD_BODY: usize = 200;
pub(super) const CARD_BUTTONS: usize = 3;
pub(super) const CARDS: usize = 10;
pub(super) const CONTAINER_TITLE: usize = 150;
pub(super) const CONTAINER_BLOCKS: usize = 10;

pub(super) const CHARTS: usize = 2;
pub(super) const CHART_TITLE: usize = 50;
pub(super) const CHART_LABEL: usize = 20;
pub(super) const AXIS_LABEL: usize = 50;
pub(super) const SERIES: usize = 6;
pub(super) const POINTS: usize = 20;

pub(super) const PRIMARY_ACTIONS: usize = 2;
pub(super) const OVERFLOW_ACTIONS: usize = 5;

/// The blocks that the Slackbot MCP client takes.
pub(super) const ALLOWED: &str = "actions card carousel container context data_table \
    data_visualization divider file header image input markdown rich_text section table video";

pub(super) fn len(text: &str) -> usize {
    text.encode_utf16().count()
}

/// The text cut to a length, with an ellipsis where something is missing.
pub(super) fn clamp(text: &str, most: usize) -> Option<String> {
    if len(text) <= most {
        return None;
    }
    let mut room = most.saturating_sub(1);
    let mut cut = String::new();
    for letter in text.chars() {
        let Some(left) = room.checked_sub(letter.len_utf16()) else { break };
        room = left;
        cut.push(letter);
    }
    cut.truncate(cut.trim_end().len());
    cut.push('…');
    Some(cut)
}

/// Whether Slack can load an https address: not one of a private network.
pub(super) fn is_public(url: &str) -> bool {
    let Some(rest) = strip_https(url) else { return false };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    if host.starts_with('[') {
        return false;
    }
    let host = host.split(':').next().unwrap_or_default().to_ascii_lowercase();
    let parts: Vec<&str> = host.split('.').collect();
    let numbers: Vec<u8> = parts.iter().filter_map(|part| part.parse().ok()).collect();
    let private = match (parts.len(), numbers.as_slice()) {
        (4, [10 | 127 | 0, _, _, _] | [192, 168, _, _] | [169, 254, _, _]) => true,
        (4, [172, second, _, _]) => (16..32).contains(second),
        _ => false,
    };
    let local = [".local", ".localhost", ".internal", ".lan", ".home"];
    parts.len() > 1
        && parts.iter().all(|part| !part.is_empty())
        && !private
        && !local.iter().any(|end| host.ends_with(end))
}

/// Whether it is an https address of any host.
pub(super) fn is_https(url: &str) -> bool {
    strip_https(url).is_some_and(|rest| !rest.is_empty() && !rest.starts_with(['/', '?', '#']))
}

fn strip_https(url: &str) -> Option<&str> {
    let clean = !url.chars().any(|c| c.is_whitespace() || c.is_control()) && len(url) <= URL;
    let (scheme, rest) = url.split_at_checked(8)?;
    (clean && scheme.eq_ignore_ascii_case("https://")).then_some(rest)
}

/// Whether recursion over the value could exhaust the stack; checked without recursion.
pub(super) fn is_too_deep(value: &Value) -> bool {
    let mut level: Vec<&Value> = vec![value];
    for _ in 0..DEPTH {
        level = level
            .into_iter()
            .flat_map(|value| match value {
                Value::Array(items) => items.iter().collect(),
                Value::Object(members) => members.values().collect(),
                _ => Vec::new(),
            })
            .collect();
        if level.is_empty() {
            return false;
        }
    }
    true
}
