//! Texts in their size, weight and colour.
//!
//! What a host could read as Markdown is a `TextRun`, which no host parses: on phones Teams shows the
//! backslash of an escaped mark.

use widgetcast_engine::outline::{Hue, Role, Span, SpanKind, one_line};

use super::printer::Gap;
use super::printer::Printer;
use crate::markdown::read_line;

/// The style of a text, apart from its own.
#[derive(Clone, Copy, Default)]
pub(super) struct Look {
    pub(super) is_title: bool,
    pub(super) is_small: bool,
    pub(super) is_strong: bool,
    pub(super) is_end: bool,
    pub(super) is_center: bool,
    /// Whether it is smaller than elsewhere, since there is little room.
    pub(super) is_dense: bool,
    /// Whether it is in a cell of a table: one element, since columns have no room there.
    pub(super) is_cell: bool,
}

/// A span without a style of its own.
pub(super) const BARE: Span<'static> = Span::plain(0, Role::Body, "");

impl Printer<'_, '_> {
    /// One text, an element for each of its lines; a badge is one line.
    pub(super) fn text(&mut self, span: &Span<'_>, look: Look) {
        if span.is_markdown {
            return self.inlines(span.at, "", &read_line(span.text), look);
        }
        if span.kind == SpanKind::Badge {
            return self.one_line(span.text, span, look);
        }
        let (mut is_below, mut spacing) = (false, "None");
        for line in span.text.lines().map(str::trim) {
            if line.is_empty() {
                spacing = "Default";
            } else if !self.has_room() {
                return self.lose(span.at, "the text is truncated: the card would be too large");
            } else {
                if is_below {
                    self.gap = Gap::of(spacing);
                }
                self.one_line(line, span, look);
                (is_below, spacing) = (true, "None");
            }
        }
    }

    /// A text without a span.
    pub(super) fn plain(&mut self, text: &str, look: Look) {
        self.one_line(text, &BARE, look);
    }

    fn one_line(&mut self, text: &str, span: &Span<'_>, look: Look) {
        let line = one_line(text);
        if span.is_struck || span.is_italic || has_marks(&line) {
            self.open("RichTextBlock");
            self.align(look);
            self.items("inlines");
            self.run(&line, span, look);
            return self.end();
        }
        self.open("TextBlock");
        let line = self.fitting(&line, span.at);
        self.string("text", line);
        self.raw("wrap", "true");
        self.style(span, look);
        if look.is_title && span.role >= Role::Strong {
            self.string("style", "heading");
        }
        self.align(look);
        self.close();
    }

    /// A part of a text.
    pub(super) fn run(&mut self, text: &str, span: &Span<'_>, look: Look) {
        self.open("TextRun");
        let text = self.fitting(text, span.at);
        self.string("text", text);
        self.style(span, look);
        self.flag("strikethrough", span.is_struck);
        self.flag("italic", span.is_italic);
        self.close();
    }

    fn style(&mut self, span: &Span<'_>, look: Look) {
        let is_text = span.kind == SpanKind::Text;
        let is_badge = span.kind == SpanKind::Badge;
        let is_small = span.role == Role::Small;
        let is_strong = is_text && span.role >= Role::Strong;
        if is_text && span.role == Role::Title || is_strong && look.is_title {
            self.string("size", "Large");
        } else if is_small || is_badge || look.is_small || look.is_dense {
            self.string("size", "Small");
        }
        if is_strong || look.is_strong || is_badge && span.hue().is_some() {
            self.string("weight", "Bolder");
        }
        let is_gray = span.kind == SpanKind::Swatch || is_text && is_small || look.is_small;
        self.color(span);
        self.flag("isSubtle", is_gray && (span.hue().is_none() || self.is_on_color));
    }

    pub(super) fn color(&mut self, span: &Span<'_>) {
        if let Some(hue) = span.hue().filter(|_| !self.is_on_color) {
            self.string("color", color(hue));
        }
    }

    pub(super) fn align(&mut self, look: Look) {
        if look.is_end {
            self.string("horizontalAlignment", "Right");
        } else if look.is_center {
            self.string("horizontalAlignment", "Center");
        }
    }

    /// What of a text the card has room for.
    pub(super) fn fitting<'s>(&mut self, text: &'s str, at: u32) -> &'s str {
        let room = self.budget.bytes.saturating_sub(self.out.len());
        if text.len() < room / 2 {
            return text;
        }
        // Beyond its budget a card is given up, unless it is the last.
        let room = if self.budget.is_last { room } else { room + 1 };
        let cost = |c: char| c.len_utf8() + usize::from(c < ' ' || matches!(c, '"' | '\\'));
        let (mut used, mut end) = (0, 0);
        for c in text.chars() {
            used += cost(c);
            if used > room {
                self.lose(at, "the text is truncated: the card would be too large");
                break;
            }
            end += c.len_utf8();
        }
        &text[..end]
    }
}

/// The colour that a card has for a hue.
pub(super) fn color(hue: Hue) -> &'static str {
    match hue {
        Hue::Green => "Good",
        Hue::Red => "Attention",
        Hue::Orange | Hue::Yellow => "Warning",
        Hue::Blue | Hue::Purple | Hue::Pink => "Accent",
    }
}

/// The style of a group with a background.
pub(super) fn ground(background: Option<&str>) -> &'static str {
    match background.and_then(Hue::of).map(color) {
        Some("Good") => "good",
        Some("Attention") => "attention",
        Some("Warning") => "warning",
        Some(_) => "accent",
        None => "emphasis",
    }
}

/// Whether a host could read a text as Markdown, or as a date to fill in.
pub(super) fn has_marks(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let starts_block = match rest.len() < text.len() {
        true => rest.starts_with(['.', ')']),
        false => rest.starts_with(['-', '+', '#', '>', '|', '=']),
    };
    let is_mark =
        |byte| matches!(byte, b'*' | b'_' | b'~' | b'`' | b'\\' | b'[' | b']' | b'<' | b'&');
    starts_block || text.bytes().any(is_mark) || text.contains('{') && text.contains("{{")
}
