//! Text as it is shown: clipped, and with what its shape says about it.

use std::borrow::Cow;

use serde_json::{Value, json};

use super::python;

/// The most characters of a line that ends where it does.
const MAX_SHORT: usize = 60;
/// The most characters of a line of markup that stays as it is.
const MAX_CODE: usize = 120;
/// The most bytes of a text that is read as data.
const MAX_DATA_BYTES: usize = 4 << 20;

/// The object or array that a text writes, as JSON or as Python does, or those of its lines.
pub(super) fn data(text: &str) -> Option<Value> {
    let text = text.trim();
    let text = fenced(text).unwrap_or(text);
    if text.len() > MAX_DATA_BYTES || !text.starts_with(['{', '[', '(']) {
        return None;
    }
    let value = serde_json::from_str(text).ok().or_else(|| python::parse(text));
    let lines = || text.lines().filter(|line| !line.trim().is_empty()).map(object).collect();
    value.or_else(lines).filter(|value: &Value| value.is_object() || value.is_array())
}

/// The object that a line writes.
fn object(line: &str) -> Option<Value> {
    let line = Some(line.trim()).filter(|line| line.starts_with('{'))?;
    serde_json::from_str(line).ok().or_else(|| python::parse(line)).filter(Value::is_object)
}

/// What stands in a fence that is all of the text.
fn fenced(text: &str) -> Option<&str> {
    let inner = text.strip_prefix("```")?.strip_suffix("```")?;
    let (_, inner) = inner.split_once('\n')?;
    Some(inner.trim()).filter(|inner| !inner.contains("```"))
}

/// A text of at most so many characters, with the number of those that are left out.
pub(super) fn clip(text: &str, max: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(max) else { return printable(text) };
    format!("{}… +{}", printable(&text[..end]), text[end..].chars().count())
}

/// A text without control characters, and without what colours it in a terminal.
fn printable(text: &str) -> String {
    let mut printable = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '\u{1b}' && chars.next_if_eq(&'[').is_some() {
            while chars.next_if(|c| (' '..'@').contains(c)).is_some() {}
            chars.next_if(|c| ('@'..='~').contains(c));
        } else if !c.is_control() || c == '\n' || c == '\t' {
            printable.push(c);
        }
    }
    printable
}

/// A text of its own, of at most so many characters: Markdown, lines that are aligned, or a paragraph.
pub(super) fn block(text: &str, max: usize) -> Value {
    let text = text.trim_matches(['\n', '\r']).trim_end();
    let (is_written, is_verbatim) = (is_written(text), is_verbatim(text));
    let is_marked = || text.lines().any(has_marks);
    let text = clip(text, max);
    if is_written {
        return json!({"type": "Markdown", "value": with_breaks(&text)});
    }
    if !is_verbatim && is_marked() {
        // Nothing but marks in lines says that it is Markdown, so lines end where they do.
        return json!({"type": "Markdown", "value": text.replace('\n', "  \n")});
    }
    if is_verbatim {
        let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
        let fence = "`".repeat(longest.max(2) + 1);
        return json!({"type": "Markdown", "value": format!("{fence}\n{text}\n{fence}")});
    }
    json!({"type": "Text", "value": text})
}

/// Whether a text is Markdown that people have written.
pub(super) fn is_written(text: &str) -> bool {
    !is_patch(text) && is_markdown(text)
}

/// Markdown whose short lines end where they do, as the lines of a tool mean it. Longer ones may be wrapped prose.
fn with_breaks(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut lines = text.lines().peekable();
    let mut is_code = false;
    let is_block = |line: &str| {
        let start = line.trim_start();
        start.is_empty()
            || heading(start).is_some()
            || is_item(start)
            || line.contains('|')
            || start.starts_with("```")
            || start.starts_with(['>', '=', '-'])
    };
    while let Some(line) = lines.next() {
        out.push_str(line);
        is_code ^= line.trim_start().starts_with("```");
        let Some(next) = lines.peek() else { break };
        let is_text = !is_block(line) || is_item(line.trim_start());
        if !is_code
            && is_text
            && !is_block(next)
            && is_line(line, MAX_SHORT)
            && !line.ends_with([' ', '\\'])
        {
            out.push_str("  ");
        }
        out.push('\n');
    }
    out
}

/// Whether lines must stay as they are: indented or aligned with spaces, as code, trees and columns are, patches,
/// and markup.
pub(super) fn is_verbatim(text: &str) -> bool {
    let aligns = |line: &str| {
        line.starts_with([' ', '\t']) || line.trim().contains('\t') || line.trim().contains("   ")
    };
    let is_tag = |line: &str| {
        let rest = line.trim_start().strip_prefix('<');
        rest.is_some_and(|rest| {
            rest.starts_with(|c: char| c.is_ascii_alphabetic() || "!?/".contains(c))
        })
    };
    // Long lines are wrapped rather than cut.
    let is_short = || text.lines().all(|line| line.chars().nth(MAX_CODE).is_none());
    let is_markup = || text.trim_end().ends_with('>') && text.lines().any(is_tag) && is_short();
    let is_aligned = || text.lines().any(|line| !line.trim().is_empty() && aligns(line));
    text.contains('\n') && (is_patch(text) || is_aligned() || is_markup())
}

/// Whether a text has the line that begins a change in a patch: `@@ -1,2 +1 @@`. Where fences begin a line, it is
/// Markdown with a patch in it.
fn is_patch(text: &str) -> bool {
    text.lines().any(|line| line.starts_with("@@ -") && line.contains(" @@"))
        && !text.lines().any(|line| line.starts_with("```"))
}

/// Whether a text has the structure of Markdown: fences, tables, headings or lists. Lines that start with
/// `#` or `-` are not enough where others are indented: code, YAML and patches have those too.
fn is_markdown(text: &str) -> bool {
    let (mut headings, mut items, mut fences, mut is_code) = (0, 0, 0, false);
    let mut is_indented = false;
    let mut has_table = false;
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let start = line.trim_start();
        let next = lines.peek().copied().unwrap_or_default().trim_start();
        if start.starts_with("```") {
            is_code = !is_code;
            fences += 1;
        } else if is_code || start.is_empty() {
        } else if is_item(start) {
            items += 1;
        } else if is_underline(next) {
            headings += 1;
        } else if start.len() < line.len() {
            is_indented = true;
        } else if let Some(level) = heading(line) {
            let stands_alone =
                next.is_empty() || next.starts_with(['#', '|', '`']) || is_item(next);
            headings += usize::from(level > 1 || stands_alone);
        } else {
            has_table |= line.contains('|') && is_table_rule(next);
        }
    }
    has_table || fences > 1 || (!is_indented && (headings > 0 || items > 1))
}

/// Whether a line has bold words or a link, as Markdown writes them.
fn has_marks(line: &str) -> bool {
    let is_bold = |(at, _): (usize, &str)| {
        let rest: &str = &line[at + 2..];
        let end = rest.find("**").unwrap_or(0);
        end > 0 && !rest.starts_with(' ') && !rest[..end].ends_with(' ')
    };
    let is_link = |(at, _): (usize, &str)| line[at + 2..].contains(')') && line[..at].contains('[');
    line.match_indices("**").any(is_bold) || line.match_indices("](http").any(is_link)
}

fn heading(line: &str) -> Option<usize> {
    let rest = line.trim_start_matches('#');
    let level = line.len() - rest.len();
    ((1..7).contains(&level) && rest.starts_with(' ') && !rest.trim().is_empty()).then_some(level)
}

/// Whether a line makes the one above it a heading.
fn is_underline(line: &str) -> bool {
    let line = line.trim_end();
    line.len() > 2 && line.chars().all(|c| c == '=')
}

fn is_item(line: &str) -> bool {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let marks: &[&str] = if rest.len() < line.len() { &[". ", ") "] } else { &["- ", "* ", "+ "] };
    marks.iter().any(|mark| rest.starts_with(mark))
}

fn is_table_rule(line: &str) -> bool {
    line.contains("--") && line.contains('|') && line.chars().all(|c| "|-: ".contains(c))
}

/// Whether a text is one line of at most so many characters.
pub(super) fn is_line(text: &str, max: usize) -> bool {
    !text.trim().contains('\n') && text.chars().nth(max).is_none()
}

/// The longest address that is a link. A longer one is text, because it cannot be clipped.
const MAX_URL: usize = 300;

/// Whether a text is an `http` or `https` address and nothing else.
pub(super) fn is_link(text: &str) -> bool {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    text.len() <= MAX_URL
        && rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_alphanumeric() || c == '['))
        && !text.contains(|c: char| c.is_whitespace() || c.is_control() || "<>\"\\`|".contains(c))
}

/// A Markdown link, with a label of at most so many characters.
pub(super) fn link(label: &str, url: &str, max: usize) -> Value {
    let mut escaped = String::new();
    for c in clip(label, max).chars() {
        if c.is_ascii_punctuation() && !"/.:-".contains(c) {
            escaped.push('\\');
        }
        escaped.push(if c == '\n' { ' ' } else { c });
    }
    let url = url.replace('(', "%28").replace(')', "%29");
    json!({"type": "Markdown", "value": format!("[{escaped}](<{url}>)")})
}

/// How much of an ISO 8601 date or time a text is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Iso {
    /// `2026`, `2026-11` or `2026-11-18`.
    Date,
    /// A date, then `T` or a space and a time; the index of what follows the seconds or minutes.
    Time(usize),
}

impl Iso {
    /// What a text is by its shape.
    pub(super) fn of(text: &str) -> Option<Self> {
        let is = |from: usize, shape: &str| {
            let found = text.as_bytes().get(from..from + shape.len());
            found.is_some_and(|found| {
                found.iter().zip(shape.bytes()).all(|(byte, shape)| match shape {
                    b'0' => byte.is_ascii_digit(),
                    b'T' => matches!(byte, b'T' | b' '),
                    shape => *byte == shape,
                })
            })
        };
        let is_date = match text.len() {
            4 => is(0, "0000") && text.starts_with(['1', '2']),
            7 => is(0, "0000-00"),
            10 => is(0, "0000-00-00"),
            _ => false,
        };
        if is_date {
            return Some(Self::Date);
        }
        if !is(0, "0000-00-00T00:00") {
            return None;
        }
        let seconds = if is(16, ":00") { 19 } else { 16 };
        let rest = &text[seconds..];
        let fraction = rest
            .strip_prefix('.')
            .map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
        let zone = text.len() - fraction.unwrap_or(rest).len();
        let is_end = matches!(&text[zone..], "" | "Z")
            || (text[zone..].starts_with(['+', '-'])
                && matches!(text.len() - zone, 3 | 5 | 6)
                && (is(zone + 1, "00:00") || text[zone + 1..].bytes().all(|b| b.is_ascii_digit())));
        is_end.then_some(Self::Time(seconds))
    }
}

/// A text as it is read: a date and time without the signs that only programs need.
pub(super) fn readable(text: &str) -> Cow<'_, str> {
    let Some(Iso::Time(seconds)) = Iso::of(text) else { return Cow::Borrowed(text) };
    let rest = &text[seconds..];
    let zone_at = rest.find(['Z', '+', '-']).unwrap_or(rest.len());
    let (fraction, zone) = rest.split_at(zone_at);
    let fraction = fraction.trim_end_matches(['0', '.']);
    let zone = match zone {
        "" => String::new(),
        "Z" | "+00:00" | "+0000" | "+00" => " UTC".to_owned(),
        zone => format!(" {zone}"),
    };
    Cow::Owned(format!("{} {}{fraction}{zone}", &text[..10], &text[11..seconds]))
}

/// A number of bytes in the unit that fits.
pub(super) fn size(bytes: u64) -> String {
    let (mut size, mut units) = (bytes as f64, ["kB", "MB", "GB"].iter());
    let mut unit = "B";
    while size >= 999.5
        && let Some(larger) = units.next()
    {
        (size, unit) = (size / 1000.0, larger);
    }
    let digits = usize::from(size < 9.95 && unit != "B");
    format!("{size:.digits$} {unit}")
}
