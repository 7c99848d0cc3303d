//! Maps pointers to offsets, lines and columns of the source. This needs no second JSON parser: serde_json's
//! raw values borrow from the source, so their address gives their offset.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use serde_json::value::RawValue;

use crate::error::{Excerpt, Place};

/// Characters of context on each side of the marked part of an excerpt.
const CONTEXT: usize = 44;
/// Maximum length of the marked part that is shown.
const MARK: usize = 40;

/// The bytes of the value at `pointer` (RFC 6901) in a JSON source.
pub fn pointer(source: &str, pointer: &str) -> Option<Range<usize>> {
    let mut raw: &RawValue = serde_json::from_str(source).ok()?;
    for token in pointer.split('/').skip(1) {
        let token = unescaped(token);
        raw = if raw.get().starts_with('[') {
            let items: Vec<&RawValue> = serde_json::from_str(raw.get()).ok()?;
            items.get(token.parse::<usize>().ok()?).copied()?
        } else {
            let members: HashMap<Cow<'_, str>, &RawValue> = serde_json::from_str(raw.get()).ok()?;
            members.get(token.as_str()).copied()?
        };
    }
    let start = raw.get().as_ptr() as usize - source.as_ptr() as usize;
    Some(start..start + raw.get().len())
}

/// The bytes of the key of the member whose value starts there, with its quotes.
pub fn json_key(json: &str, value: usize) -> Option<Range<usize>> {
    let before = json[..value].trim_end().strip_suffix(':')?.trim_end();
    let inside = before.strip_suffix('"')?;
    let is_escaped = |at: usize| {
        let backslashes = inside[..at].len() - inside[..at].trim_end_matches('\\').len();
        backslashes % 2 == 1
    };
    let (start, _) = inside.rmatch_indices('"').find(|(at, _)| !is_escaped(*at))?;
    Some(start..before.len())
}

/// Escapes a key for a JSON pointer.
pub fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// The key of an escaped part of a JSON pointer.
pub fn unescaped(token: &str) -> String {
    token.replace("~1", "/").replace("~0", "~")
}

/// The offset in a raw JSON string (with its quotes) of byte `offset` of the decoded string.
pub fn raw_offset(raw: &str, offset: usize) -> usize {
    let mut decoded = 0;
    let mut at = 1;
    while let Some(c) = raw[at..].chars().next().filter(|c| *c != '"') {
        let (length, bytes) = match c {
            '\\' => escape_length(&raw[at..]),
            c => (c.len_utf8(), c.len_utf8()),
        };
        if decoded >= offset {
            break;
        }
        decoded += bytes;
        at += length;
    }
    at
}

/// The length of an escape, and the number of bytes it represents. A surrogate pair is one escape.
fn escape_length(raw: &str) -> (usize, usize) {
    let unit = |at: usize| u32::from_str_radix(raw.get(at..at + 4)?, 16).ok();
    match (raw.as_bytes().get(1), unit(2)) {
        (Some(b'u'), Some(0xD800..=0xDBFF)) => (12.min(raw.len()), 4),
        (Some(b'u'), Some(unit)) => (6, char::from_u32(unit).map_or(3, char::len_utf8)),
        (Some(_), _) => (2, 1),
        (None, _) => (1, 1),
    }
}

/// Line, column and excerpt of a byte range.
pub fn place(source: &str, range: &Range<usize>) -> Place {
    let floor = |mut at: usize| {
        at = at.min(source.len());
        while !source.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let (start, end) = (floor(range.start), floor(range.end.max(range.start)));
    let line_start = source[..start].rfind('\n').map_or(0, |at| at + 1);
    let line_end = source[start..].find('\n').map_or(source.len(), |at| start + at);
    let line = source[..start].matches('\n').count() + 1;
    let column = source[line_start..start].chars().count() + 1;
    let marked = source[start..end.clamp(start, line_end)].chars().count().min(MARK);
    let before = source[line_start..start].chars().rev().take(CONTEXT).count();
    let mut text: String = source[line_start..start].chars().skip(column - 1 - before).collect();
    let cut = column - 1 > before;
    if cut {
        text.insert(0, '…');
    }
    let after = &source[start..line_end];
    text.extend(after.chars().take(marked + CONTEXT));
    if after.chars().nth(marked + CONTEXT).is_some() {
        text.push('…');
    }
    // One column per character: a tab or control character would shift the carets.
    let text = text.trim_end().chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    Place {
        position: Some((line, column)),
        excerpt: Some(Excerpt { text, start: before + usize::from(cut), len: marked.max(1) }),
        ..Place::default()
    }
}

/// The byte offset of a line and column (both from 1, the column in characters).
pub fn offset(source: &str, line: usize, column: usize) -> usize {
    let start =
        source.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum::<usize>();
    let rest = &source[start.min(source.len())..];
    start + rest.char_indices().nth(column.saturating_sub(1)).map_or(rest.len(), |(at, _)| at)
}

/// The byte offset of an error of serde_json: it counts columns in bytes, and the end of a line as column 0
/// of the next.
pub fn json_fault(source: &str, error: &serde_json::Error) -> usize {
    let at = offset(source, error.line(), 1) + error.column().saturating_sub(1);
    source.floor_char_boundary(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_of_json_is_found_behind_any_text() {
        for (before, rest) in [
            ("{\"a\": \"会議の予定\", \"b\": ", "Hello}"),
            ("{\"ключ\": \"é\",\n \"👍👍\": ", "]"),
            ("[\"会\\", "会\"]"),
            ("", "会"),
        ] {
            let source = [before, rest].concat();
            let error = serde_json::from_str::<serde_json::Value>(&source).unwrap_err();
            assert_eq!(json_fault(&source, &error), before.len(), "{source}");
        }
    }

    #[test]
    fn finds_values_and_string_offsets() {
        let source = "{\n  \"a\": [1, {\"b/c\": \"x\\n\\u00e9\\ud83d\\ude00z\"}]\n}";
        let range = pointer(source, "/a/1/b~1c").unwrap();
        assert_eq!(&source[range.clone()], "\"x\\n\\u00e9\\ud83d\\ude00z\"");
        let raw = &source[range];
        for (decoded, expected) in [(0, "x"), (1, "\\n"), (2, "\\u00e9"), (4, "\\ud83d"), (8, "z")]
        {
            assert!(raw[raw_offset(raw, decoded)..].starts_with(expected), "{decoded}");
        }
        assert_eq!(pointer(source, "/nope"), None);
    }

    #[test]
    fn a_range_has_a_line_a_column_and_an_excerpt() {
        let source = "ab\ncdef\ngh";
        for (range, position, text, start, len) in [
            (5..7, (2, 3), "cdef", 2, 2),
            // Cut at the end of the line.
            (5..10, (2, 3), "cdef", 2, 2),
            (3..3, (2, 1), "cdef", 0, 1),
            (0..2, (1, 1), "ab", 0, 2),
            // Past the end, or backwards.
            (99..100, (3, 3), "gh", 2, 1),
            (Range { start: 8, end: 2 }, (3, 1), "gh", 0, 1),
        ] {
            let place = place(source, &range);
            let excerpt = place.excerpt.unwrap();
            assert_eq!(place.position, Some(position), "{range:?}");
            assert_eq!((excerpt.text.as_str(), excerpt.start, excerpt.len), (text, start, len));
        }
        // A range inside a character begins with it, and a tab takes one column.
        let excerpt = place("é\tx", &(1..3)).excerpt.unwrap();
        assert_eq!((excerpt.text.as_str(), excerpt.start, excerpt.len), ("é x", 0, 2));
    }

    #[test]
    fn context_is_cut_at_its_limit() {
        let excerpt = |before: usize, marked: usize, after: usize| {
            let source = ["a".repeat(before), "M".repeat(marked), "b".repeat(after)].concat();
            place(&source, &(before..before + marked)).excerpt.unwrap()
        };
        let whole = excerpt(CONTEXT, MARK, CONTEXT);
        assert_eq!(whole.text.chars().count(), 2 * CONTEXT + MARK);
        assert_eq!((whole.start, whole.len), (CONTEXT, MARK));
        let cut = excerpt(CONTEXT + 1, MARK, CONTEXT + 1);
        assert_eq!(cut.text.chars().count(), 2 * CONTEXT + MARK + 2);
        assert!(cut.text.starts_with("…a") && cut.text.ends_with("b…"));
        assert_eq!((cut.start, cut.len), (CONTEXT + 1, MARK));
        assert_eq!(excerpt(0, MARK + 5, 0).len, MARK);
    }

    #[test]
    fn an_offset_is_found_by_line_and_column() {
        let source = "ab\ncdé f";
        for (line, column, expected) in [
            (1, 1, 0),
            (1, 2, 1),
            (2, 1, 3),
            (2, 3, 5),
            (2, 4, 7),
            (2, 99, 9),
            (9, 1, 9),
            (0, 0, 0),
        ] {
            assert_eq!(offset(source, line, column), expected, "{line}:{column}");
        }
    }

    #[test]
    fn keys_are_escaped_in_pointers() {
        for (key, token) in [("a/b", "a~1b"), ("~", "~0"), ("~1", "~01"), ("plain", "plain")] {
            assert_eq!(escaped(key), token);
            assert_eq!(unescaped(token), key);
        }
    }

    #[test]
    fn cuts_long_lines_around_the_mark() {
        let source = format!("short\n{}HERE{}", "a".repeat(200), "b".repeat(200));
        let place = place(&source, &(206..210));
        assert_eq!(place.position, Some((2, 201)));
        let excerpt = place.excerpt.unwrap();
        let marked: String = excerpt.text.chars().skip(excerpt.start).take(excerpt.len).collect();
        assert_eq!(marked, "HERE");
        assert!(excerpt.text.starts_with('…') && excerpt.text.ends_with('…'));
    }
}
