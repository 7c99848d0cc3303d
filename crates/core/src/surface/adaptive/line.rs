//! Lines: texts, signs, badges and bars side by side. What 1.5 does not have carries a `fallback` that
//! every host draws.

use std::borrow::Cow;

use unicode_width::UnicodeWidthStr as _;
use widgetcast_engine::outline::{
    Glue, Hue, Line, Outline, Role, Span, SpanKind, one_line, push_bar,
};
use widgetcast_engine::signs::sign;

use super::icon::fluent;
use super::json::Mark;
use super::printer::Printer;
pub(super) use super::text::{BARE, Look, color, ground};
use crate::markdown::read_line;

/// The letters that a bar takes in text.
const BAR: usize = 10;
/// The parts of a line that are in columns of their own; more are one text.
const PARTS: usize = 4;
/// The letters that fit a phone on one line, and of a badge.
const LINE: usize = 28;
const BADGE: usize = 40;
/// The characters of a text that are measured: what is longer is as wide as a card anyway.
const MEASURED: usize = 256;

/// Badges go to the next line where there is no room.
const FLOW: &str = r#"[{"type":"Layout.Flow","columnSpacing":"Small","rowSpacing":"Small","horizontalItemsAlignment":"Left"}]"#;

/// The spans of a line, or some of them.
#[derive(Clone, Copy)]
pub(super) struct Row<'p, 't> {
    pub(super) spans: &'p [Span<'t>],
    /// The first span after the spacer; the number of spans if there is no spacer.
    split: usize,
}

impl<'p, 't> Row<'p, 't> {
    pub(super) fn of(outline: &'p Outline<'t>, line: Line) -> Self {
        let spans = outline.spans(line);
        let split = (0..spans.len()).find(|at| line.starts_half(*at));
        Self { spans, split: split.unwrap_or(spans.len()) }
    }

    /// The sign or the badge that leads it, and the rest.
    pub(super) fn led(self) -> Option<[Self; 2]> {
        let (lead, rest) = self.spans.split_at_checked(1)?;
        let is_led = is_shown(&lead[0])
            && matches!(lead[0].kind, SpanKind::Icon | SpanKind::Badge | SpanKind::Swatch)
            && rest.iter().find(|span| span.kind != SpanKind::Stroke)?.kind == SpanKind::Text
            && self.split > 1;
        is_led.then_some([
            Self { spans: lead, split: 1 },
            Self { spans: rest, split: self.split - 1 },
        ])
    }

    /// The letters of its longest word and of all its text.
    pub(super) fn letters(self) -> [usize; 2] {
        self.spans.iter().fold([0, 0], |[word, all], span| {
            let [this, text] = match span.kind {
                SpanKind::Text => letters(span.text),
                SpanKind::Badge => [letters(span.text)[1] + 1; 2],
                SpanKind::Icon | SpanKind::Swatch => [2; 2],
                SpanKind::Meter => [BAR; 2],
                SpanKind::Stroke => [0; 2],
            };
            [word.max(this), all + text]
        })
    }
}

/// The letters of the longest word of a text, and of all of it with a space.
pub(super) fn letters(text: &str) -> [usize; 2] {
    if text.bytes().fold(true, |is_ascii, byte| is_ascii & matches!(byte, b' '..=b'~')) {
        let text = &text[..text.len().min(MEASURED)];
        return [text.split(' ').map(str::len).max().unwrap_or(0), text.len() + 1];
    }
    let text = &text[..text.char_indices().nth(MEASURED).map_or(text.len(), |(end, _)| end)];
    [text.split_whitespace().map(|word| word.width()).max().unwrap_or(0), text.width() + 1]
}

/// Whether a span is seen.
pub(super) fn is_shown(span: &Span<'_>) -> bool {
    match span.kind {
        SpanKind::Stroke => false,
        SpanKind::Icon => fluent(span.text).is_some() || sign(span.text).is_some(),
        SpanKind::Text | SpanKind::Badge => !span.text.trim().is_empty(),
        SpanKind::Swatch | SpanKind::Meter => true,
    }
}

/// A part of a line that is one element.
struct Part<'p, 't> {
    spans: &'p [Span<'t>],
    kind: SpanKind,
    is_end: bool,
}

impl<'p, 't> Row<'p, 't> {
    /// The parts of a line. Where there are too many they are one text for each half.
    fn parts(self, is_cell: bool) -> Vec<Part<'p, 't>> {
        let mut parts: Vec<Part<'p, 't>> = Vec::new();
        let mut start = 0;
        for at in 0..self.spans.len() {
            let (kind, is_end) = (self.kind(at), at >= self.split);
            match parts.last_mut() {
                Some(part)
                    if part.kind == kind && kind == SpanKind::Text && part.is_end == is_end =>
                {
                    part.spans = &self.spans[start..=at];
                }
                _ => {
                    start = at;
                    parts.push(Part { spans: &self.spans[at..=at], kind, is_end });
                }
            }
        }
        parts.retain(|part| part.spans.iter().any(is_shown));
        let is_chips =
            !is_cell && parts.iter().all(|part| part.kind == SpanKind::Badge && !part.is_end);
        if !is_chips && (parts.len() > PARTS || is_cell && parts.len() > 1) {
            let (head, tail) =
                self.spans.split_at(if is_cell { self.spans.len() } else { self.split });
            let halves = [(head, false), (tail, true)];
            parts =
                halves.map(|(spans, is_end)| Part { spans, kind: SpanKind::Text, is_end }).into();
            parts.retain(|part| part.spans.iter().any(is_shown));
        }
        parts
    }

    /// Which element a span is; what goes into a text is one.
    fn kind(self, at: usize) -> SpanKind {
        let (span, spans) = (&self.spans[at], self.spans);
        let is = |at: usize, kind| spans.get(at).is_some_and(|span| span.kind == kind);
        let has_one_icon = || spans.iter().filter(|span| span.kind == SpanKind::Icon).count() == 1;
        let is_element = match span.kind {
            SpanKind::Badge => span.text.width() <= BADGE,
            // A bar of several parts, or one that does not begin at the start, is a text.
            SpanKind::Meter => {
                span.range[0] <= 0.0
                    && !is(at + 1, SpanKind::Meter)
                    && !is(at.wrapping_sub(1), SpanKind::Meter)
            }
            // At the end it is a sign of the text before it.
            SpanKind::Icon => {
                let is_sign = sign(span.text).is_some() && at > 0 && at + 1 == spans.len();
                fluent(span.text).is_some() && !is_sign && has_one_icon()
            }
            _ => false,
        };
        if is_element { span.kind } else { SpanKind::Text }
    }
}

impl<'p, 't> Printer<'p, 't> {
    /// A line as one or more elements.
    pub(super) fn line(&mut self, row: Row<'p, 't>, look: Look) {
        let mut texts = row.spans.iter().filter(|span| span.is_text()).peekable();
        let is_center = texts.peek().is_some() && texts.all(|span| span.is_center);
        let look = Look { is_center: is_center && row.split == row.spans.len(), ..look };
        match row.parts(look.is_cell).as_slice() {
            [] => {}
            [part] => self.part(part, Look { is_end: look.is_end || part.is_end, ..look }),
            parts if parts.iter().all(|part| part.kind == SpanKind::Badge && !part.is_end) => {
                self.chips(parts, look);
            }
            parts => self.parts_in_columns(parts, row.letters()[1], look),
        }
    }

    fn parts_in_columns(&mut self, parts: &[Part<'p, 't>], letters: usize, look: Look) {
        let split = parts.iter().position(|part| part.is_end).unwrap_or(parts.len());
        let is_split = split < parts.len();
        let bar = parts.iter().position(|part| part.kind == SpanKind::Meter);
        let text = parts[..split].iter().rposition(|part| part.kind == SpanKind::Text);
        // Text before a badge is as wide as it is, unless it is long.
        let is_last = |at: usize| at + 1 == parts.len() && !look.is_center;
        let text = text.filter(|at| is_split || is_last(*at) || letters > LINE);
        let wide = bar.or(text).or(if is_split { split.checked_sub(1) } else { None });
        // A sign is next to the first of several lines.
        let place = if letters > LINE * 2 && !look.is_title { "Top" } else { "Center" };
        self.open("ColumnSet");
        self.align(Look { is_end: false, ..look });
        self.items("columns");
        for (at, part) in parts.iter().enumerate() {
            self.gap.spacing = Some("Small").filter(|_| at > 0);
            self.column(if wide == Some(at) { "stretch" } else { "auto" }, place);
            self.part(part, Look { is_end: part.is_end, ..look });
            self.end();
        }
        self.end();
    }

    fn part(&mut self, part: &Part<'p, 't>, look: Look) {
        match (part.kind, part.spans) {
            (SpanKind::Icon, [span]) => self.icon(span, look),
            (SpanKind::Badge, [span]) => {
                let mark = self.badge(span, look);
                self.fallback(mark);
                self.text(span, look);
                self.close();
            }
            (SpanKind::Meter, [span]) => self.bar(span),
            (_, [span]) if span.is_text() => self.text(span, look),
            (_, spans) => self.runs(spans, look),
        }
    }

    /// Badges side by side. Hosts that know none show all of them in one text.
    fn chips(&mut self, parts: &[Part<'p, 't>], look: Look) {
        let all: Vec<Span<'t>> = parts.iter().flat_map(|part| part.spans).copied().collect();
        self.open("Container");
        self.raw("layouts", &FLOW.replace("Left", if look.is_center { "Center" } else { "Left" }));
        self.items("items");
        for (at, part) in parts.iter().enumerate() {
            if !self.has_room() {
                self.lose(part.spans[0].at, "badges are omitted: the card would be too large");
                break;
            }
            let mark = self.badge(&part.spans[0], look);
            if at == 0 {
                self.fallback(mark);
                self.runs(&all, look);
            } else {
                self.drop_fallback();
            }
            self.close();
        }
        self.end();
    }

    /// A badge without its fallback and its end.
    fn badge(&mut self, span: &Span<'t>, look: Look) -> Mark {
        let mark = self.open("Badge");
        self.string("text", &one_line(span.text));
        let neutral = if span.color.is_some_and(Hue::is_dark) { "Informative" } else { "Subtle" };
        self.string("style", span.hue().map_or(neutral, color));
        self.string("appearance", "Tint");
        self.align(look);
        mark
    }

    fn icon(&mut self, span: &Span<'t>, look: Look) {
        let mark = self.open("Icon");
        self.string("name", fluent(span.text).unwrap_or_default());
        self.string("size", if look.is_title { "Small" } else { "xSmall" });
        if span.text.ends_with("-filled") || span.text == "dot" {
            self.string("style", "Filled");
        }
        self.color(span);
        self.align(look);
        if sign(span.text).is_some() {
            self.fallback(mark);
            self.runs(std::slice::from_ref(span), look);
        } else {
            self.drop_fallback();
        }
        self.close();
    }

    /// A bar from the start.
    fn bar(&mut self, span: &Span<'t>) {
        let mark = self.open("ProgressBar");
        self.raw("value", &(span.range[1].clamp(0.0, 1.0) * 100.0).round().to_string());
        self.raw("max", "100");
        self.string("color", span.hue().map_or("Accent", color));
        self.fallback(mark);
        self.runs(std::slice::from_ref(span), Look::default());
        self.close();
    }

    /// Texts and signs in one element.
    fn runs(&mut self, spans: &[Span<'t>], look: Look) {
        let mark = self.open("RichTextBlock");
        self.align(look);
        self.items("inlines");
        let (mut at, mut before): (usize, Option<&Span<'t>>) = (0, None);
        while let Some(span) = spans.get(at) {
            if !self.has_room() {
                self.lose(span.at, "the text is truncated: the card would be too large");
                break;
            }
            let bar = spans[at..].iter().take_while(|span| span.kind == SpanKind::Meter).count();
            let text = self.run_text(span);
            if bar > 0 || !text.is_empty() {
                let is_badge = |span: &Span<'t>| span.kind == SpanKind::Badge;
                match before.map(|before| (span.glue(before), is_badge(before) && is_badge(span))) {
                    None | Some((Glue::None, _)) => {}
                    Some((Glue::Space, false)) => self.run(" ", &BARE, Look::default()),
                    Some(_) => self.run(" · ", &BARE, Look::default()),
                }
                before = spans.get(at + bar.saturating_sub(1));
            }
            if span.is_markdown {
                self.push_inlines(span.at, &read_line(span.text), look);
            } else if bar > 0 {
                let mut text = String::new();
                push_bar(&spans[at..], &mut text);
                self.run(&text, &BARE, Look::default());
            } else if !text.is_empty() {
                self.run(
                    &text,
                    span,
                    Look { is_title: look.is_title && span.role >= Role::Strong, ..look },
                );
            }
            at += bar.max(1);
        }
        self.end_filled(mark);
    }

    /// A span as text; empty if it has none.
    fn run_text(&mut self, span: &Span<'t>) -> Cow<'t, str> {
        match span.kind {
            SpanKind::Text | SpanKind::Badge => one_line(span.text),
            SpanKind::Swatch => Hue::circle(span.color).into(),
            SpanKind::Icon => {
                let sign = sign(span.text);
                if sign.is_none() && fluent(span.text).is_some() {
                    self.lose(
                        span.at,
                        format!("the icon {} is not shown inside a line", span.text),
                    );
                }
                sign.map_or("", |sign| sign.glyph).into()
            }
            SpanKind::Meter | SpanKind::Stroke => "".into(),
        }
    }
}
