//! Lines and the spans that they consist of.

use std::borrow::Cow;

use super::color::Hue;
use crate::json::{any_word, below, equal, near};

/// A part of a line: a text, a badge, or a sign without text.
#[derive(Clone, Copy, Debug)]
pub struct Span<'t> {
    /// The index of its component.
    pub at: u32,
    /// What it is.
    pub kind: SpanKind,
    /// How much it stands out.
    pub role: Role,
    /// The text; of an icon its name.
    pub text: &'t str,
    /// Its colour, as it is written.
    pub color: Option<&'t str>,
    /// Of a [`SpanKind::Meter`], where it begins and ends, from 0 to 1.
    pub range: [f32; 2],
    /// Whether the text is Markdown: one paragraph, with its marks and links.
    pub is_markdown: bool,
    /// Whether it is struck through.
    pub is_struck: bool,
    /// Whether it is in italics.
    pub is_italic: bool,
    /// Whether it begins a cell of its row.
    pub starts_cell: bool,
    /// Whether its cell has a width of its own, as a column has.
    pub is_sized: bool,
    /// Whether its text is aligned to the end.
    pub is_end: bool,
    /// Whether it is in the middle.
    pub is_center: bool,
    /// Whether it stands close behind what is before it, as a unit behind its figure.
    pub is_close: bool,
    /// Whether it is a sign that begins a group of its own behind a text.
    pub is_group: bool,
}

/// What a span is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpanKind {
    /// A text.
    Text,
    /// A text in a frame of its own.
    Badge,
    /// An icon.
    Icon,
    /// An empty box, as high as it is wide, that shows a colour.
    Swatch,
    /// An empty box with a colour that is a line rather than a mark, as between the steps of a timeline.
    Stroke,
    /// A part of a bar whose size is data. Parts that follow each other are one bar.
    Meter,
}

/// How much a text stands out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// Smaller or paler than other text.
    Small,
    /// Ordinary text.
    Body,
    /// Bold text, or text in a large size.
    Strong,
    /// A title.
    Title,
}

/// What stands between two spans of a line in text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Glue {
    /// Nothing: both are parts of one bar, or of one picture made of boxes.
    None,
    /// A space: a sign or a frame tells them apart.
    Space,
    /// A mark, because nothing else would tell them apart.
    Mark,
}

impl<'t> Span<'t> {
    /// A text with nothing special about it.
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

    /// Its colour, unless that is neutral.
    pub fn hue(&self) -> Option<Hue> {
        self.color.and_then(Hue::of)
    }

    /// Whether it needs no mark behind another text: it is close to that one, or one of the two has a mark
    /// of its own between them.
    pub fn follows_on(&self, before: &Span<'_>) -> bool {
        self.is_close || starts_apart(self.text) || leads_on(before.text)
    }

    /// What stands before it in text, after `before` in the same line. A sign or a badge is visibly
    /// separate, two texts are not.
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

/// Whether a text has neither letters nor digits, and so stands apart from others by itself.
pub fn is_mark(text: &str) -> bool {
    !text.contains(char::is_alphanumeric)
}

/// Whether the first word of a text is a mark that keeps it apart from what is before it, or it is in
/// parentheses.
fn starts_apart(text: &str) -> bool {
    let word = text.split_whitespace().next().unwrap_or_default();
    word.starts_with(['(', '（']) || is_mark(word)
}

/// Whether a text ends with a mark that leads to what follows it, or is nothing but a mark.
fn leads_on(text: &str) -> bool {
    let text = text.trim_end();
    text.ends_with([':', '：', '·', '•', '|', '–', '—', '→', '、', '/']) || is_mark(text)
}

/// Spans side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    pub(super) from: u32,
    pub(super) to: u32,
    /// The first span after the space in it; `to` if there is none.
    pub(super) split: u32,
}

impl Line {
    pub(super) fn new(from: u32, to: u32) -> Self {
        Self { from, to, split: to }
    }

    /// Whether a space that grows divides it in two.
    pub fn is_split(self) -> bool {
        self.from < self.split && self.split < self.to
    }

    /// Whether the span at an index in the line is the first after the space that divides it.
    pub fn starts_half(self, index: usize) -> bool {
        self.is_split() && self.from + index as u32 == self.split
    }

    /// The parts before and after the space that divides it; the second is empty if there is none.
    pub fn halves(self) -> [Self; 2] {
        [Self::new(self.from, self.split), Self::new(self.split, self.to)]
    }

    /// This line and one that stands at its end, as one line; none if something is between the two.
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

/// Whether a line of Markdown begins a heading, a list, a quote, a table or code, and so is no paragraph.
pub fn starts_block(line: &str) -> bool {
    let mark = line.trim_start_matches(['#', '-', '+', '*', '=', '_']);
    let run = &line[..line.len() - mark.len()];
    // `#7`, `-1` and `**bold**` are no syntax; `# 7`, `- 1` and a line of dashes are.
    (!run.is_empty() && (mark.is_empty() || mark.starts_with([' ', '\t'])))
        || line.starts_with(['>', '|'])
        || line.starts_with("```")
        || line.starts_with("~~~")
}

/// Whether Markdown is one paragraph on one line, and so a text as any other.
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

/// The text of a paragraph of Markdown without its marks and the addresses of its links.
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

/// Whether a text certainly has one space between its words and no other white space: most have.
fn is_even(text: &str) -> bool {
    let bytes = text.as_bytes();
    let [first, .., last] = bytes else { return matches!(bytes, [b'!'..=b'~']) };
    // White space of two bytes is `c2 85` and `c2 a0`; that of three starts with `e1` to `e3`.
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

/// The cells of a bar in text.
const CELLS: usize = 10;

/// Adds the bar that the first of these spans are the parts of: squares in their colours, or blocks where
/// it has none.
pub fn push_bar(spans: &[Span<'_>], out: &mut String) {
    let parts = spans.iter().take_while(|span| span.kind == SpanKind::Meter);
    let has_hue = parts.clone().any(|part| part.hue().is_some());
    let mut cells = [if has_hue { Hue::square(None) } else { "▱" }; CELLS];
    for part in parts.filter(|part| part.range[1] > part.range[0]) {
        let [from, to] =
            part.range.map(|share| (share.clamp(0.0, 1.0) * CELLS as f32).round() as usize);
        // What is not nothing has a cell at least.
        let from = from.min(CELLS - 1);
        let to = to.max(from + 1);
        cells[from..to].fill(if has_hue { Hue::square(part.color) } else { "▰" });
    }
    cells.iter().for_each(|cell| out.push_str(cell));
}

/// How much the texts among spans stand out at the most; none if there is no text.
pub(super) fn top(spans: &[Span<'_>]) -> Option<Role> {
    spans.iter().filter(|span| span.is_text()).map(|span| span.role).max()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::one_line;

    proptest! {
        /// Every kind of white space is collapsed, wherever it stands.
        #[test]
        fn white_space_is_collapsed(
            text in "[a-z é。\u{a0}\u{85}\u{1680}\u{2003}\u{3000}\n\t\u{7f}]{0,24}",
        ) {
            let words: Vec<&str> = text.split_whitespace().collect();
            prop_assert_eq!(one_line(&text), words.join(" "));
        }
    }
}
