//! Lines as mrkdwn, and as the plain text of headers and labels.

use widgetcast_engine::outline::{Hue, Line, Role, Span, SpanKind, push_bar};
use widgetcast_engine::signs::sign;

use super::markdown_text::to_mrkdwn;
use super::mrkdwn::{self, MARK};
use super::writer::Writer;
use crate::markdown::{plain_text, read_line};

impl<'t> Writer<'_, 't> {
    /// A line as mrkdwn; empty if Slack shows nothing of it.
    pub(super) fn line(&mut self, line: Line) -> String {
        let spans = self.outline.spans(line);
        spans.iter().for_each(|span| self.pieces.see(span.at));
        if let [span] = spans
            && span.kind == SpanKind::Text
            && !span.is_markdown
        {
            // A text that stands alone keeps its lines.
            return marked(&mrkdwn::escape(mrkdwn::clean(span.text).as_str()), span, spans);
        }
        marked_spans(line, spans)
    }

    /// A line as plain text with emoji.
    pub(super) fn plain(&mut self, line: Line) -> String {
        let spans = self.outline.spans(line);
        spans.iter().for_each(|span| self.pieces.see(span.at));
        plain_spans(line, spans)
    }

    /// Whether a line has no text but small one.
    pub(super) fn is_small(&self, line: Line) -> bool {
        let spans = self.outline.spans(line);
        spans.iter().all(|span| span.kind != SpanKind::Text || span.role == Role::Small)
    }

    /// What precedes a line at the end of another one; none if it has a line of its own, as a bar
    /// has: below each other, bars can be compared.
    pub(super) fn trail_glue(&self, line: Line) -> Option<&'static str> {
        let first = self.outline.spans(line).first()?;
        match first.kind {
            SpanKind::Meter => None,
            _ if starts_with_sign(first) => Some(" "),
            _ => Some(MARK),
        }
    }

    /// Whether all text of a line stands out, so that it heads what follows.
    pub(super) fn is_strong(&self, line: Line) -> bool {
        let mut texts = self.outline.spans(line).iter().filter(|span| span.is_text()).peekable();
        texts.peek().is_some()
            && texts.all(|span| span.kind == SpanKind::Text && span.role >= Role::Strong)
    }
}

/// The emoji of an icon, or else a text symbol; none if it has neither.
pub(super) fn emoji(icon: &str) -> String {
    match sign(icon) {
        Some(sign) if sign.emoji.is_empty() => sign.glyph.to_owned(),
        Some(sign) => format!(":{}:", sign.emoji),
        None => String::new(),
    }
}

/// An image that is not shown.
pub(super) fn picture_text(alt: &str) -> String {
    match mrkdwn::clean(alt) {
        alt if alt.is_empty() => alt,
        alt => format!(":frame_with_picture: {}", mrkdwn::escape(&alt)),
    }
}

/// Spans as mrkdwn.
pub(super) fn marked_spans(line: Line, spans: &[Span<'_>]) -> String {
    join(line, spans, |span| match span.is_markdown {
        true => to_mrkdwn(span.text),
        false => marked(&mrkdwn::escape(&mrkdwn::line(span.text)), span, spans),
    })
}

/// Spans as plain text with emoji.
pub(super) fn plain_spans(line: Line, spans: &[Span<'_>]) -> String {
    join(line, spans, |span| match span.is_markdown {
        true => mrkdwn::line(&plain_text(&read_line(span.text))),
        false => mrkdwn::line(span.text),
    })
}

/// Joins spans, with a mark between two texts.
fn join(line: Line, spans: &[Span<'_>], show: impl Fn(&Span<'_>) -> String) -> String {
    let mut out = String::new();
    let mut before: Option<&Span<'_>> = None;
    let mut index = 0;
    while let Some(span) = spans.get(index) {
        let mut end = index + 1;
        let text = match span.kind {
            SpanKind::Text => show(span),
            SpanKind::Icon => emoji(span.text),
            SpanKind::Badge => {
                let text = show(span);
                if has_sign(span) && !text.is_empty() {
                    format!("{} {text}", Hue::circle(span.color))
                } else {
                    text
                }
            }
            SpanKind::Swatch => Hue::circle(span.color).to_owned(),
            SpanKind::Stroke => String::new(),
            SpanKind::Meter => {
                let is_meter = |span: &&Span<'_>| span.kind == SpanKind::Meter;
                end = index + spans[index..].iter().take_while(is_meter).count();
                let mut bar = String::new();
                push_bar(&spans[index..], &mut bar);
                bar
            }
        };
        if !text.is_empty() {
            if let Some(before) = before {
                out.push_str(glue(before, span, line.starts_half(index)));
            }
            out.push_str(&text);
            before = Some(span);
        }
        index = end;
    }
    out
}

/// What is between two spans. A badge without a colour has no sign of its own in Slack.
fn glue(before: &Span<'_>, span: &Span<'_>, is_split: bool) -> &'static str {
    match (before.kind, span.kind) {
        (SpanKind::Swatch, SpanKind::Swatch) => "",
        _ if is_split || span.is_group => MARK,
        (SpanKind::Text, SpanKind::Text) if span.follows_on(before) => " ",
        _ if is_sign(before) || starts_with_sign(span) => " ",
        _ => MARK,
    }
}

fn is_sign(span: &Span<'_>) -> bool {
    matches!(span.kind, SpanKind::Icon | SpanKind::Swatch)
}

fn starts_with_sign(span: &Span<'_>) -> bool {
    is_sign(span) || span.kind == SpanKind::Badge && has_sign(span)
}

/// Whether a badge gets a circle in its colour: a white one would mean nothing.
fn has_sign(badge: &Span<'_>) -> bool {
    badge.hue().is_some() || badge.color.is_some_and(Hue::is_dark)
}

/// A text in the marks of its style. A text of the line that has such marks itself would garble it.
fn marked(text: &str, span: &Span<'_>, line: &[Span<'_>]) -> String {
    let is_strong = span.role >= Role::Strong && span.kind == SpanKind::Text;
    let marks = [('*', is_strong), ('_', span.is_italic), ('~', span.is_struck)];
    marks.iter().filter(|(_, is_set)| *is_set).fold(text.to_owned(), |text, (mark, _)| {
        let is_free = !text.contains('`') && !line.iter().any(|span| has_mark(span.text, *mark));
        if is_free { mrkdwn::wrap(&text, *mark) } else { text }
    })
}

/// Whether a text has a mark where Slack may read it as one: not within a word.
fn has_mark(text: &str, mark: char) -> bool {
    text.match_indices(mark).any(|(at, _)| {
        let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        !(is_letter(text[..at].chars().next_back()) && is_letter(text[at + 1..].chars().next()))
    })
}
