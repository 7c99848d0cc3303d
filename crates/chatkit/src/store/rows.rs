//! Converts threads and items to rows, and extracts their text for search.
//!
//! Search finds lower-cased text with `strpos`, which takes linear time and works the same in both databases
//! and for any language. Rejected: `LIKE`, which takes the product of both lengths; FTS5 and tsvector, which
//! split text differently.

use super::item_text::{StoredItem, words};
use super::sql;
use super::statement::{Arg, Statement};
use crate::clock;
use crate::owner::Owner;
use crate::protocol::{Page, ThreadMetadata};

/// The characters shown before and after a match.
const AROUND: usize = 60;

pub(super) fn text<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// The text around the first match.
pub(super) fn snippet(text: &str, wanted: &str) -> String {
    let lower = words(text);
    let at = lower.find(&words(wanted.trim())).unwrap_or_default();
    let at = lower[..at].chars().count();
    let (from, count) = (at.saturating_sub(AROUND), wanted.chars().count() + 2 * AROUND);
    let shown: String = text.chars().skip(from).take(count).collect();
    let start = if from > 0 { "…" } else { "" };
    let end = if text.chars().nth(from + count).is_some() { "…" } else { "" };
    format!("{start}{}{end}", shown.split_whitespace().collect::<Vec<&str>>().join(" "))
}

pub(super) fn new_thread(owner: &Owner, place: &str, thread: &ThreadMetadata) -> Statement {
    let [id, owner, words, data] = columns(owner, thread);
    let args = [id, owner, clock::next().into(), words, data, place.into()];
    Statement::new(sql::NEW_THREAD, args).must_change()
}

pub(super) fn save_thread(owner: &Owner, thread: &ThreadMetadata) -> Statement {
    Statement::new(sql::SAVE_THREAD, columns(owner, thread)).must_change()
}

fn columns(owner: &Owner, thread: &ThreadMetadata) -> [Arg; 4] {
    let title = thread.title.as_deref().unwrap_or_default();
    [thread.id.as_str().into(), owner.key().into(), words(title).into(), text(thread).into()]
}

pub(super) fn save_item(sql: &'static str, owner: &Owner, item: StoredItem) -> Statement {
    let StoredItem { id, thread, is_hidden, words, json } = item;
    let args = [
        thread.into(),
        id.into(),
        owner.key().into(),
        i64::from(is_hidden).into(),
        words.into(),
        json.into(),
    ];
    Statement::new(sql, args)
}

/// All items, each with a thread.
pub(super) fn save_items(owner: &Owner, items: Vec<StoredItem>) -> Vec<Statement> {
    let save = |item| save_item(sql::SAVE_ITEM, owner, item).must_change();
    items.into_iter().map(save).collect()
}

/// A page of rows, which has one extra row if there are more.
pub(super) fn page<T>(mut data: Vec<T>, limit: usize, id: impl Fn(&T) -> &str) -> Page<T> {
    let has_more = data.len() > limit;
    data.truncate(limit);
    let after = data.last().filter(|_| has_more).map(|last| id(last).to_owned());
    Page { data, has_more, after }
}

pub(super) fn rows(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX - 1) + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn snippets_show_the_place() {
        let long = format!("{}Zürich HB{}", "a ".repeat(80), " b".repeat(80));
        let shown = snippet(&long, "zürich");
        assert!(shown.starts_with('…') && shown.ends_with('…') && shown.contains("Zürich HB"));
        assert!(shown.chars().count() < 150, "{shown}");
        assert_eq!(snippet("short", "nothing"), "short");
    }
}
