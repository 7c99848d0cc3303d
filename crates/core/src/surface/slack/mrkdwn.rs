//! Slack's own markup: escaping, Markdown into mrkdwn, and cutting long texts into pieces.

use super::limit;

/// A text as mrkdwn that shows exactly its characters.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        push(&mut out, letter);
    }
    out
}

fn push(out: &mut String, letter: char) {
    match letter {
        '&' => out.push_str("&amp;"),
        '<' => out.push_str("&lt;"),
        '>' => out.push_str("&gt;"),
        '\n' | '\t' => out.push(letter),
        control if control.is_control() => {}
        other => out.push(other),
    }
}

/// A text for `plain_text`, which is shown as it is; control characters would refuse it.
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

/// The words of a line of mrkdwn, without marks and escapes.
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

/// The link that the text opens and does not close; a bare `<` is always an entity by now.
fn open_link(head: &str) -> Option<usize> {
    let at = head.rfind('<')?;
    (!head[at..].contains('>')).then_some(at)
}

/// The longest part of a text without spaces that may be cut off; never nothing.
fn whole(head: &str) -> usize {
    let end = open_link(head).unwrap_or(head.len());
    let entity = head[..end].rfind('&').filter(|at| end - at < 6 && !head[*at..end].contains(';'));
    match entity.unwrap_or(end) {
        0 => head.len(),
        at => at,
    }
}

/// Markdown for a `markdown` block. Slack reads `<!here>` and `<@U1>` there too, so that a text
/// from outside could call a whole channel.
pub(super) fn markdown(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let kept: String =
        text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect();
    let mut letters = kept.trim().chars().peekable();
    while let Some(letter) = letters.next() {
        match (letter, letters.peek()) {
            ('<', Some('!' | '@' | '#')) => out.push_str("&lt;"),
            _ => out.push(letter),
        }
    }
    out
}

/// Markdown as mrkdwn: headings and `**b**` become `*b*`, `[t](u)` becomes `<u|t>`.
pub(super) fn convert(markdown: &str) -> String {
    let mut fenced = false;
    let lines = markdown.lines().map(|line| {
        let bare = line.trim_start();
        if bare.starts_with("```") {
            fenced = !fenced;
            return "```".to_owned();
        }
        if fenced {
            return escape(line);
        }
        block(line, bare)
    });
    let mut lines: Vec<String> = lines.collect();
    if fenced {
        lines.push("```".to_owned());
    }
    lines.join("\n").trim().to_owned()
}

fn block(line: &str, bare: &str) -> String {
    let hashes = bare.bytes().take_while(|byte| *byte == b'#').count();
    if (1..=6).contains(&hashes) && bare[hashes..].starts_with([' ', '\t']) {
        let title = bare[hashes..].trim().trim_end_matches('#').trim();
        return mark(&inline(&title.replace("**", "").replace("__", "")), '*');
    }
    let indent = &line[..line.len() - bare.len()];
    if let Some(quote) = bare.strip_prefix('>') {
        return format!(">{}", inline(quote));
    }
    for bullet in ["- ", "* ", "+ "] {
        if let Some(item) = bare.strip_prefix(bullet) {
            return format!("{indent}• {}", inline(item));
        }
    }
    format!("{indent}{}", inline(bare))
}

/// The marks of a line, longest first.
const MARKS: &[(&str, char)] = &[("**", '*'), ("__", '*'), ("~~", '~'), ("*", '_'), ("_", '_')];

fn inline(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    let mut before = ' ';
    while let Some(letter) = rest.chars().next() {
        if let Some((piece, tail)) = span(rest, before) {
            out.push_str(&piece);
            before = '.';
            rest = tail;
            continue;
        }
        let escaped = letter == '\\' && rest[1..].starts_with(|c: char| c.is_ascii_punctuation());
        let shown = if escaped { rest[1..].chars().next().unwrap_or(letter) } else { letter };
        push(&mut out, shown);
        before = shown;
        rest = &rest[shown.len_utf8() + usize::from(escaped)..];
    }
    out
}

/// How far a span may reach: without it a row of `[` costs the square of its length.
const REACH: usize = 2048;

/// A code span, link, image or marked text at the start, and what follows it.
fn span(text: &str, before: char) -> Option<(String, &str)> {
    if !text.starts_with(['`', '!', '[', '*', '_', '~']) {
        return None;
    }
    let mut end = text.len().min(REACH);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let near = &text[..end];
    let (piece, tail) = near_span(near, before)?;
    Some((piece, &text[near.len() - tail.len()..]))
}

fn near_span(text: &str, before: char) -> Option<(String, &str)> {
    if let Some(code) = text.strip_prefix('`') {
        let (code, tail) = code.split_once('`').filter(|(code, _)| !code.is_empty())?;
        return Some((format!("`{}`", escape(code)), tail));
    }
    if let Some(link) = text.strip_prefix("![").or_else(|| text.strip_prefix('[')) {
        let (label, tail) = link.split_once("](")?;
        let (target, tail) = tail.split_once(')')?;
        let url = target.split_whitespace().next().unwrap_or_default();
        return Some((anchor(url, label), tail));
    }
    MARKS.iter().find_map(|(mark, slack)| {
        let inner = text.strip_prefix(mark)?;
        // Inside a word an underscore is a letter: snake_case.
        if mark.starts_with('_') && before.is_alphanumeric() {
            return None;
        }
        let (inner, tail) = inner.split_once(mark)?;
        let marked = !inner.is_empty() && inner.trim() == inner;
        marked.then(|| (format!("{slack}{}{slack}", inline(inner)), tail))
    })
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
