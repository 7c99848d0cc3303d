//! mrkdwn, Slack's own markup: escaping, marks, links, and splitting long texts.

use super::limit;

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

/// An escaped text within marks such as `*`. Marks do not span lines, and a text that holds
/// marks itself would come out garbled: it stays plain.
pub(super) fn mark(text: &str, mark: char) -> String {
    if text.contains(['*', '_', '~', '`']) {
        return text.to_owned();
    }
    let lines = text.lines().map(|line| match line.trim() {
        "" => String::new(),
        line => format!("{mark}{line}{mark}"),
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Whether it is signs alone, such as an emoji.
pub(super) fn is_sign(text: &str) -> bool {
    // The sign of an information is a letter to Unicode.
    !text.contains(|c: char| c.is_alphanumeric() && c != 'ℹ')
}

/// The signs, or the place in a list such as `2.`, before the words of a line, and the words.
pub(super) fn lead(line: &str) -> (&str, &str) {
    let is_place = |word: &str| {
        let digits = word.strip_suffix('.').unwrap_or_default();
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    match line.split_once(' ') {
        Some((first, _)) if is_sign(first) || is_place(first) => line.split_at(first.len() + 1),
        _ => ("", line),
    }
}

/// The text with a space that no line breaks at behind each sign among its words.
pub(super) fn unbroken(text: &str) -> String {
    // Below are the marks of words: dashes, dots, quotes, currencies.
    let is_sign = |c: char| c >= '\u{2190}' && !c.is_alphanumeric();
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((word, after)) = rest.split_once(' ') {
        out.push_str(word);
        // A sign that begins a line stays with its words anyway.
        let is_first = || out.rsplit('\n').next() == word.rsplit('\n').next();
        let is_bound = word.ends_with(is_sign) && !after.starts_with([' ', '·']) && !is_first();
        out.push(if is_bound { '\u{a0}' } else { ' ' });
        rest = after;
    }
    out + rest
}

/// A line of mrkdwn as plain text.
pub(super) fn bare(line: &str) -> String {
    let line = line.replace(['*', '`', '~'], "").replace("&lt;", "<").replace("&gt;", ">");
    line.replace("&amp;", "&").trim().to_owned()
}

/// Cuts mrkdwn into pieces of at most `most` units: between lines, else words, never inside an
/// entity or a link.
pub(super) fn split(text: &str, most: usize) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut rest = text.trim();
    loop {
        let end = prefix(rest, most);
        if end == rest.len() {
            break;
        }
        let head = &rest[..end];
        let at = [head.rfind('\n'), head.rfind(char::is_whitespace)]
            .into_iter()
            .flatten()
            .find(|at| *at > end / 2 && is_whole(&head[..*at]))
            .unwrap_or_else(|| whole(head));
        let (piece, tail) = rest.split_at(at);
        pieces.push(piece.trim().to_owned());
        rest = tail.trim_start();
    }
    pieces.push(rest.to_owned());
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// The first `most` units of a text, and whether there are more.
pub(super) fn head(text: &str, most: usize) -> (&str, bool) {
    let end = prefix(text, most);
    (&text[..end], end < text.len())
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
    let known = ["https://", "http://", "mailto:"].iter().any(|scheme| url.starts_with(scheme));
    if !known || limit::len(url) > limit::URL / 2 {
        return words;
    }
    let url = escape(&url.replace('|', "%7C").replace('<', "%3C").replace('>', "%3E"));
    if words.trim().is_empty() { format!("<{url}>") } else { format!("<{url}|{words}>") }
}
