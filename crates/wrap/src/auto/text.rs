//! Prepares text for display: truncates it, and formats it by its shape.

use std::borrow::Cow;

use serde_json::{Value, json};

use super::python;

/// Maximum characters of a line that keeps its line break.
const MAX_SHORT: usize = 60;
/// Maximum characters of a line of markup that is kept verbatim.
const MAX_CODE: usize = 120;
/// Maximum bytes of a text that is parsed as data.
const MAX_DATA_BYTES: usize = 4 << 20;

/// The object or array in a text: as JSON, as a Python literal, or in its lines.
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

/// The object in a line.
fn object(line: &str) -> Option<Value> {
    let line = Some(line.trim()).filter(|line| line.starts_with('{'))?;
    serde_json::from_str(line).ok().or_else(|| python::parse(line)).filter(Value::is_object)
}

/// The content of a fence that spans the whole text.
fn fenced(text: &str) -> Option<&str> {
    let inner = text.strip_prefix("```")?.strip_suffix("```")?;
    let (_, inner) = inner.split_once('\n')?;
    Some(inner.trim()).filter(|inner| !inner.contains("```"))
}

/// A text of at most this many characters, and the number of characters left out.
pub(super) fn clip(text: &str, max: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(max) else { return printable(text) };
    format!("{}… +{}", printable(&text[..end]), text[end..].chars().count())
}

/// A text without control characters and terminal colours.
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

/// A block of text of at most this many characters: Markdown, aligned lines, or a paragraph.
pub(super) fn block(text: &str, max: usize) -> Value {
    let text = text.trim_matches(['\n', '\r']).trim_end();
    let (is_written, is_verbatim) = (is_written(text), is_verbatim(text));
    let is_marked = || text.lines().any(has_marks);
    let text = clip(text, max);
    if is_written {
        return json!({"type": "Markdown", "value": with_breaks(&text)});
    }
    if !is_verbatim && is_marked() {
        // Only inline markup suggests Markdown, so keep line breaks.
        return json!({"type": "Markdown", "value": text.replace('\n', "  \n")});
    }
    if is_verbatim {
        let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
        let fence = "`".repeat(longest.max(2) + 1);
        return json!({"type": "Markdown", "value": format!("{fence}\n{text}\n{fence}")});
    }
    json!({"type": "Text", "value": text})
}

/// Whether a text is handwritten Markdown.
pub(super) fn is_written(text: &str) -> bool {
    !is_patch(text) && is_markdown(text)
}

/// Markdown whose short lines keep their breaks, as a tool's output needs. Longer lines may be wrapped prose.
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

/// Whether lines must be kept verbatim: indented or aligned with spaces (code, trees, columns), patches, and
/// markup.
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
    // Long lines are wrapped rather than truncated.
    let is_short = || text.lines().all(|line| line.chars().nth(MAX_CODE).is_none());
    let is_markup = || text.trim_end().ends_with('>') && text.lines().any(is_tag) && is_short();
    let is_aligned = || text.lines().any(|line| !line.trim().is_empty() && aligns(line));
    text.contains('\n') && (is_patch(text) || is_aligned() || is_markup())
}

/// Whether a text contains a hunk header of a patch: `@@ -1,2 +1 @@`. With fences, it is Markdown that
/// contains a patch.
fn is_patch(text: &str) -> bool {
    text.lines().any(|line| line.starts_with("@@ -") && line.contains(" @@"))
        && !text.lines().any(|line| line.starts_with("```"))
}

/// Whether a text has the structure of Markdown: fences, tables, headings or lists. Lines that start with `#`
/// or `-` are not enough if others are indented, because code, YAML and patches contain them, too.
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

/// Whether a line contains bold text or a link in Markdown syntax.
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

/// Whether a line underlines the previous one as a heading.
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

/// Whether a text is one line of at most this many characters.
pub(super) fn is_line(text: &str, max: usize) -> bool {
    !text.trim().contains('\n') && text.chars().nth(max).is_none()
}

/// Maximum length of a URL that becomes a link. A longer one is text, because it cannot be truncated.
const MAX_URL: usize = 300;

/// Whether a text is exactly one `http` or `https` URL.
pub(super) fn is_link(text: &str) -> bool {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    text.len() <= MAX_URL
        && rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_alphanumeric() || c == '['))
        && !text.contains(|c: char| c.is_whitespace() || c.is_control() || "<>\"\\`|".contains(c))
}

/// A Markdown link whose label has at most this many characters.
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

/// How much of a text is an ISO 8601 date or time.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Iso {
    /// `2026`, `2026-11` or `2026-11-18`.
    Date,
    /// A date, then `T` or a space and a time; the index after the seconds or minutes.
    Time(usize),
}

impl Iso {
    /// The kind of a text, by its shape.
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

/// A text for users: timestamps without the characters that only programs need.
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

/// A number of bytes in a suitable unit.
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
