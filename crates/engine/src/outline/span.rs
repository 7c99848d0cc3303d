//! Lines and their spans.

use std::borrow::Cow;

use super::color::Hue;
use crate::json::{any_word, below, equal, near};

/// A part of a line: text, a badge, or a symbol (an icon, a swatch, a stroke or a bar).
#[derive(Clone, Copy, Debug)]
pub struct Span<'t> {
    /// The index of its component.
    pub at: u32,
    /// What it is.
    pub kind: SpanKind,
    /// How much it stands out.
    pub role: Role,
    /// The text; for an icon, its name.
    pub text: &'t str,
    /// Its colour, as written in the tree.
    pub color: Option<&'t str>,
    /// Start and end of a [`SpanKind::Meter`], from 0 to 1.
    pub range: [f32; 2],
    /// Whether the text is Markdown: one paragraph, with formatting and links.
    pub is_markdown: bool,
    /// Whether it is struck through.
    pub is_struck: bool,
    /// Whether it is italic.
    pub is_italic: bool,
    /// Whether it starts a cell of its row.
    pub starts_cell: bool,
    /// Whether its cell has a fixed width, as a column has.
    pub is_sized: bool,
    /// Whether its text is aligned to the end.
    pub is_end: bool,
    /// Whether it is centred.
    pub is_center: bool,
    /// Whether it directly follows the span before it, like a unit after its number.
    pub is_close: bool,
    /// Whether it is a symbol that starts a new group after text.
    pub is_group: bool,
}

/// The kind of a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpanKind {
    /// Text.
    Text,
    /// Text in a frame.
    Badge,
    /// An icon.
    Icon,
    /// An empty coloured square.
    Swatch,
    /// An empty coloured box that is a line rather than a square, as between the steps of a timeline.
    Stroke,
    /// A segment of a bar whose size is data. Adjacent segments form one bar.
    Meter,
}

/// How much a text stands out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// Smaller or paler than normal text.
    Small,
    /// Normal text.
    Body,
    /// Bold or large text.
    Strong,
    /// A title.
    Title,
}

/// The separator between two spans of a line in text output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Glue {
    /// None: both are segments of one bar, or of one image made of boxes.
    None,
    /// A space: a symbol or a frame separates them.
    Space,
    /// A separator character, because nothing else separates them.
    Mark,
}

impl<'t> Span<'t> {
    /// Plain text.
    pub const fn plain(at: u32, role: Role, text: &'t str) -> Self {
        Self {
            at,
            kind: SpanKind::Text,
            role,
            text,
            color: None,
            range: [0.0; 2],
            is_markdown: false,
            is_struck: false,
            is_italic: false,
            starts_cell: false,
            is_sized: false,
            is_end: false,
            is_center: false,
            is_close: false,
            is_group: false,
        }
    }
    /// Whether it is visible text.
    pub fn is_text(&self) -> bool {
        matches!(self.kind, SpanKind::Text | SpanKind::Badge)
    }

    /// Its colour, unless it is neutral.
    pub fn hue(&self) -> Option<Hue> {
        self.color.and_then(Hue::of)
    }

    /// Whether it needs no separator after another text: it directly follows that text, or there is
    /// punctuation between the two.
    pub fn follows_on(&self, before: &Span<'_>) -> bool {
        self.is_close || starts_apart(self.text) || leads_on(before.text)
    }

    /// The separator before it in text output, after `before` in the same line. Symbols and badges are
    /// visibly separate; two texts are not.
    pub fn glue(&self, before: &Span<'_>) -> Glue {
        match (before.kind, self.kind) {
            (SpanKind::Meter, SpanKind::Meter) | (SpanKind::Swatch, SpanKind::Swatch) => Glue::None,
            (SpanKind::Text, SpanKind::Text) if self.follows_on(before) => Glue::Space,
            _ if self.is_group => Glue::Mark,
            (SpanKind::Text, SpanKind::Text | SpanKind::Meter) => Glue::Mark,
            (SpanKind::Meter, SpanKind::Text) => Glue::Mark,
            _ => Glue::Space,
        }
    }
}

/// Whether a text has neither letters nor digits, and so is a separator itself.
pub fn is_mark(text: &str) -> bool {
    !text.contains(char::is_alphanumeric)
}

/// Whether a text starts with punctuation that separates it from the text before it, or is in parentheses.
/// parentheses.
fn starts_apart(text: &str) -> bool {
    let word = text.split_whitespace().next().unwrap_or_default();
    word.starts_with(['(', '（']) || is_mark(word)
}

/// Whether a text ends with punctuation that leads to the next text, or is only punctuation.
fn leads_on(text: &str) -> bool {
    let text = text.trim_end();
    text.ends_with([':', '：', '·', '•', '|', '–', '—', '→', '、', '/']) || is_mark(text)
}

/// Spans side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    pub(super) from: u32,
    pub(super) to: u32,
    /// The first span after the spacer in it; `to` if there is none.
    pub(super) split: u32,
}

impl Line {
    pub(super) fn new(from: u32, to: u32) -> Self {
        Self { from, to, split: to }
    }

    /// Whether a growing spacer splits it in two.
    pub fn is_split(self) -> bool {
        self.from < self.split && self.split < self.to
    }

    /// Whether the span at an index of the line is the first one after the spacer.
    pub fn starts_half(self, index: usize) -> bool {
        self.is_split() && self.from + index as u32 == self.split
    }

    /// The parts before and after the spacer; the second is empty if there is no spacer.
    pub fn halves(self) -> [Self; 2] {
        [Self::new(self.from, self.split), Self::new(self.split, self.to)]
    }

    /// Joins this line and the line at its end, unless something is between the two.
    pub(super) fn with_end(self, end: Self) -> Option<Self> {
        (self.to == end.from).then_some(Self { split: end.from, ..Self::new(self.from, end.to) })
    }

    pub(super) fn is_empty(self) -> bool {
        self.from == self.to
    }
}

/// The text with whitespace collapsed to single spaces.
pub fn one_line(text: &str) -> Cow<'_, str> {
    if is_even(text) {
        return Cow::Borrowed(text);
    }
    let mut line = String::with_capacity(text.len());
    push_one_line(text, &mut line);
    Cow::Owned(line)
}

/// Adds the text with whitespace collapsed to single spaces.
pub fn push_one_line(text: &str, out: &mut String) {
    if is_even(text) {
        return out.push_str(text);
    }
    let mut words = text.split_whitespace();
    out.push_str(words.next().unwrap_or_default());
    for word in words {
        out.push(' ');
        out.push_str(word);
    }
}

/// Whether a line of Markdown starts a heading, a list, a quote, a table or code instead of a paragraph.
pub fn starts_block(line: &str) -> bool {
    let mark = line.trim_start_matches(['#', '-', '+', '*', '=', '_']);
    let run = &line[..line.len() - mark.len()];
    // `#7`, `-1` and `**bold**` are text; `# 7`, `- 1` and a line of dashes are syntax.
    (!run.is_empty() && (mark.is_empty() || mark.starts_with([' ', '\t'])))
        || line.starts_with(['>', '|'])
        || line.starts_with("```")
        || line.starts_with("~~~")
}

/// Whether Markdown is a single line of one paragraph, so that it can be a span.
pub(super) fn is_paragraph(markdown: &str) -> bool {
    let line = markdown.trim();
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = rest.len() < line.len() && rest.starts_with(['.', ')']);
    let is_indented = markdown.starts_with("    ") || markdown.starts_with('\t');
    let is_definition = line.starts_with('[') && line.contains("]:");
    !(line.is_empty()
        || line.contains('\n')
        || line.starts_with('<')
        || is_numbered
        || is_indented
        || is_definition
        || starts_block(line))
}

/// The text of a Markdown paragraph without formatting and link URLs.
pub(super) fn push_unmarked(markdown: &str, out: &mut String) {
    let mut rest = markdown.trim();
    while let Some(at) = rest.find(['*', '`', '~', '[', ']', '\\']) {
        out.push_str(&rest[..at]);
        let (is_link, after) = (rest[at..].starts_with("]("), &rest[at + 1..]);
        let end = if is_link { after.find(')').map(|end| end + 1) } else { None };
        rest = &after[end.unwrap_or(0)..];
    }
    out.push_str(rest);
}

/// Whether a text certainly contains no whitespace except single spaces, as most texts do.
fn is_even(text: &str) -> bool {
    let bytes = text.as_bytes();
    let [first, .., last] = bytes else { return matches!(bytes, [b'!'..=b'~']) };
    // Whitespace of two bytes is `c2 85` and `c2 a0`; that of three starts with `e1` to `e3`.
    let is_rare = |word: u64| {
        let spaces = equal(word, b' ');
        let long = equal(word, 0xc2) & (equal(word >> 8, 0x85) | equal(word >> 8, 0xa0));
        below(word, b' ') | spaces & (spaces >> 8) | long | near(word, 0xe3, 3)
    };
    if !any_word::<7>(bytes, is_rare) {
        return *first != b' ' && *last != b' ';
    }
    let mut before = b' ';
    for byte in text.bytes() {
        let is_fine = match byte {
            b'!'..=b'~' => true,
            b' ' => before != b' ',
            0x85 | 0xa0 => before != 0xc2,
            0xe1..=0xe3 => false,
            _ => byte >= 0x80,
        };
        if !is_fine {
            return false;
        }
        before = byte;
    }
    before != b' '
}

/// The width of a bar in text output, in characters.
const CELLS: usize = 10;

/// Adds the bar whose segments start with these spans: squares in their colours, or block characters if it
/// has none.
pub fn push_bar(spans: &[Span<'_>], out: &mut String) {
    let parts = spans.iter().take_while(|span| span.kind == SpanKind::Meter);
    let has_hue = parts.clone().any(|part| part.hue().is_some());
    let mut cells = [if has_hue { Hue::square(None) } else { "▱" }; CELLS];
    for part in parts.filter(|part| part.range[1] > part.range[0]) {
        let [from, to] =
            part.range.map(|share| (share.clamp(0.0, 1.0) * CELLS as f32).round() as usize);
        // A segment that is not empty gets at least one character.
        let from = from.min(CELLS - 1);
        let to = to.max(from + 1);
        cells[from..to].fill(if has_hue { Hue::square(part.color) } else { "▰" });
    }
    cells.iter().for_each(|cell| out.push_str(cell));
}

/// The strongest emphasis among the texts of some spans; none if there is no text.
pub(super) fn top(spans: &[Span<'_>]) -> Option<Role> {
    spans.iter().filter(|span| span.is_text()).map(|span| span.role).max()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::one_line;

    proptest! {
        /// All kinds of whitespace are collapsed, anywhere.
        #[test]
        fn white_space_is_collapsed(
            text in "[a-z é。\u{a0}\u{85}\u{1680}\u{2003}\u{3000}\n\t\u{7f}]{0,24}",
        ) {
            let words: Vec<&str> = text.split_whitespace().collect();
            prop_assert_eq!(one_line(&text), words.join(" "));
        }
    }
}
