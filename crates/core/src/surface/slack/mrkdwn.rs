//! mrkdwn, Slack's own markup: escaping, marks, links, and splitting long texts.

use widgetcast_engine::outline::push_one_line;

use super::limit;

/// What is between two texts that nothing else distinguishes.
pub(super) const MARK: &str = " · ";

/// A text as mrkdwn that shows exactly its characters.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        push(&mut out, letter);
    }
    out
}

/// Adds a character as mrkdwn that shows it.
pub(super) fn push(out: &mut String, letter: char) {
    match letter {
        '&' => out.push_str("&amp;"),
        '<' => out.push_str("&lt;"),
        '>' => out.push_str("&gt;"),
        '\n' | '\t' => out.push(letter),
        control if control.is_control() => {}
        other => out.push(other),
    }
}

/// A text for `plain_text`, without the control characters that Slack refuses.
pub(super) fn clean(text: &str) -> String {
    let kept = text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t'));
    kept.collect::<String>().trim().to_owned()
}

/// A text for `plain_text`, on one line.
pub(super) fn line(text: &str) -> String {
    let mut line = String::new();
    push_one_line(text, &mut line);
    clean(&line)
}

/// An escaped text within marks such as `*`; a text that holds marks itself would come out garbled, so it
/// stays plain.
pub(super) fn mark(text: &str, mark: char) -> String {
    if text.contains(['*', '_', '~', '`']) { text.to_owned() } else { wrap(text, mark) }
}

/// A text within marks, line by line: they do not span lines.
pub(super) fn wrap(text: &str, mark: char) -> String {
    let lines = text.lines().map(|line| match line.trim() {
        "" => String::new(),
        line => format!("{mark}{line}{mark}"),
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// A line of mrkdwn as plain text.
pub(super) fn bare(line: &str) -> String {
    let line = line.replace(['*', '`', '~'], "").replace("&lt;", "<").replace("&gt;", ">");
    line.replace("&amp;", "&").trim().to_owned()
}

/// Cuts mrkdwn into pieces of at most `most` units: between lines, else words, never inside an
/// entity or a link. Code that is cut has fences in each piece.
pub(super) fn split(text: &str, most: usize) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut rest = text.trim();
    let mut is_code = false;
    while prefix(rest, most - if is_code { 4 } else { 0 }) < rest.len() {
        let end = prefix(rest, most - 8);
        let head = &rest[..end];
        let at = [head.rfind('\n'), head.rfind(char::is_whitespace)]
            .into_iter()
            .flatten()
            .find(|at| *at > end / 2 && is_whole(&head[..*at]))
            .unwrap_or_else(|| whole(head));
        let (head, tail) = rest.split_at(at);
        let mut piece = String::from(if is_code { "```\n" } else { "" });
        piece.push_str(head.trim_end());
        is_code ^= head.matches("```").count() % 2 == 1;
        piece.push_str(if is_code { "\n```" } else { "" });
        pieces.push(piece);
        rest = if is_code { tail.trim_start_matches('\n') } else { tail.trim_start() };
    }
    pieces.push(format!("{}{rest}", if is_code { "```\n" } else { "" }));
    pieces.retain(|piece| !piece.trim().is_empty());
    pieces
}

/// Where the first `most` units end.
fn prefix(text: &str, most: usize) -> usize {
    let mut room = most;
    for (at, letter) in text.char_indices() {
        match room.checked_sub(letter.len_utf16()) {
            Some(left) => room = left,
            None => return at,
        }
    }
    text.len()
}

fn is_whole(head: &str) -> bool {
    open_link(head).is_none()
}

/// Where a link starts that the text does not close; a literal `<` is an entity in mrkdwn.
fn open_link(head: &str) -> Option<usize> {
    let at = head.rfind('<')?;
    (!head[at..].contains('>')).then_some(at)
}

/// Where to split a text that has no good space: not in an entity or a link, and never at its start.
fn whole(head: &str) -> usize {
    let end = open_link(head).unwrap_or(head.len());
    let entity = head[..end].rfind('&').filter(|at| end - at < 6 && !head[*at..end].contains(';'));
    match entity.unwrap_or(end) {
        0 => head.len(),
        at => at,
    }
}

/// A link, or only its words where Slack would not follow it.
pub(super) fn anchor(url: &str, label: &str) -> String {
    let words = escape(label).replace('|', "¦");
    let known =
        ["https://", "http://", "mailto:", "tel:"].iter().any(|scheme| url.starts_with(scheme));
    if !known || limit::len(url) > limit::URL / 2 {
        return words;
    }
    let url = escape(&url.replace('|', "%7C").replace('<', "%3C").replace('>', "%3E"));
    if words.trim().is_empty() { format!("<{url}>") } else { format!("<{url}|{words}>") }
}
