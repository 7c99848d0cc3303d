//! Strings in YAML: maps ranges of the value to bytes of the file, in any style.

use std::ops::Range;

use granit_parser::ScalarStyle;
use serde_json::Value;

/// A raw scalar.
#[derive(Debug)]
pub(super) struct Scalar<'m> {
    pub style: ScalarStyle,
    /// The value.
    pub text: &'m str,
    /// The bytes of the file, quotes included. A block begins with its first line that is not blank.
    pub range: Range<usize>,
}

impl Scalar<'_> {
    /// The bytes of the file that contain a range of the value.
    pub(super) fn range_in(&self, source: &str, range: &Range<usize>) -> Option<Range<usize>> {
        let mut walk = Walk::new(self, source)?;
        let (mut start, mut end) = (None, None);
        while let Some((at, c)) = walk.text[walk.done..].chars().next().map(|c| (walk.done, c)) {
            let bytes = walk.step(c)?;
            if at >= range.start {
                start.get_or_insert(bytes.start);
            }
            if at + c.len_utf8() <= range.end {
                end = Some(bytes.end);
            }
            if at >= range.end {
                // A line end includes the following indentation.
                if self.style == ScalarStyle::Literal {
                    end = Some(bytes.start);
                }
                break;
            }
        }
        let start = start.unwrap_or(walk.at);
        Some(start..end.unwrap_or(start).max(start))
    }

    /// A text, encoded in the style of this scalar; `None` if that is not possible.
    pub(super) fn encoded(&self, source: &str, text: &str) -> Option<String> {
        match self.style {
            ScalarStyle::Literal => {
                let line = source[..self.range.start].rfind('\n').map_or(0, |at| at + 1);
                let indent = &source[line..self.range.start];
                Some(text.replace('\n', &format!("\n{indent}")))
            }
            ScalarStyle::DoubleQuoted => {
                let quoted = Value::from(text).to_string();
                Some(quoted[1..quoted.len() - 1].to_owned())
            }
            _ if text.contains('\n') => None,
            ScalarStyle::SingleQuoted => Some(text.replace('\'', "''")),
            ScalarStyle::Plain | ScalarStyle::Folded => Some(text.to_owned()),
        }
    }
}

/// Walks the value and its source in parallel. Only whitespace may differ: folded line ends, and indentation.
struct Walk<'s> {
    style: ScalarStyle,
    source: &'s str,
    at: usize,
    text: &'s str,
    done: usize,
}

impl<'s> Walk<'s> {
    fn new(scalar: &Scalar<'s>, source: &'s str) -> Option<Self> {
        let (style, range) = (scalar.style, &scalar.range);
        let is_quoted = matches!(style, ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted);
        let is_block = matches!(style, ScalarStyle::Literal | ScalarStyle::Folded);
        let quotes = usize::from(is_quoted);
        let end = range.end.checked_sub(quotes)?;
        // Blank lines at the start of a block are not part of its range.
        let blank = scalar.text.len() - scalar.text.trim_start_matches('\n').len();
        let done = if is_block { blank } else { 0 };
        let source = source.get(..end)?;
        Some(Self { style, source, at: range.start + quotes, text: scalar.text, done })
    }

    /// The bytes of the next character of the value.
    fn step(&mut self, c: char) -> Option<Range<usize>> {
        let bytes = match self.style {
            ScalarStyle::Literal => self.literal(c)?,
            _ => self.folded(c)?,
        };
        self.at = bytes.end;
        self.done += c.len_utf8();
        Some(bytes)
    }

    /// In a literal block, each line end of the value is one of the source.
    fn literal(&self, c: char) -> Option<Range<usize>> {
        let mut at = self.at;
        if self.done == 0 || self.text[..self.done].ends_with('\n') {
            let first = |text: &'s str| text.split('\n').next().unwrap_or_default();
            let written = first(self.source.get(at..)?).trim_end_matches('\r');
            let line = first(&self.text[self.done..]);
            at += written.strip_suffix(line)?.len();
        }
        let rest = self.source.get(at..)?;
        match c {
            '\n' if rest.starts_with("\r\n") => Some(at..at + 2),
            // The last line end may be missing in the file.
            '\n' if rest.is_empty() => Some(at..at),
            c => rest.starts_with(c).then(|| at..at + c.len_utf8()),
        }
    }

    fn folded(&self, c: char) -> Option<Range<usize>> {
        let mut at = self.at;
        let is_blank = matches!(c, ' ' | '\n');
        loop {
            let rest = self.source.get(at..)?;
            let Some(found) = rest.chars().next() else { return is_blank.then_some(at..at) };
            if self.style == ScalarStyle::DoubleQuoted && found == '\\' {
                let Some(length) = escape_length(rest) else {
                    // An escaped line end, which is dropped with the following indentation.
                    at += rest.find('\n')? + 1;
                    at += self.source[at..].len() - self.source[at..].trim_start().len();
                    continue;
                };
                return Some(at..(at + length).min(self.source.len()));
            }
            if self.style == ScalarStyle::SingleQuoted && rest.starts_with("''") {
                return (c == '\'').then_some(at..at + 2);
            }
            if found == c {
                return Some(at..at + c.len_utf8());
            }
            if !matches!(found, ' ' | '\t' | '\r' | '\n') {
                // A folded line end without indentation after it.
                return is_blank.then_some(at..at);
            }
            at += 1;
        }
    }
}

/// The bytes of an escape; `None` for an escaped line end.
fn escape_length(rest: &str) -> Option<usize> {
    match rest.as_bytes().get(1)? {
        b'\n' | b'\r' => None,
        b'x' => Some(4),
        // A surrogate pair is one escape.
        b'u' if is_first_half(rest.get(2..4)?) && rest.get(6..8) == Some("\\u") => Some(12),
        b'u' => Some(6),
        b'U' => Some(10),
        _ => Some(2),
    }
}

/// Whether a code that starts with these digits is a high surrogate: D800 to DBFF. Lower codes are
/// characters, such as Hangul.
fn is_first_half(digits: &str) -> bool {
    u8::from_str_radix(digits, 16).is_ok_and(|high| (0xd8..=0xdb).contains(&high))
}
