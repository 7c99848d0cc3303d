//! Lines of an outline as styled text: texts, badges, signs and bars.

use widgetcast_engine::outline::{Action, Glue, Hue, Line, Role, Span, SpanKind};
use widgetcast_engine::signs::sign;
use widgetcast_engine::words::Word;

use super::printer::{Printer, one_line};
use super::text::{
    Colour, Lines, Run, Style, TextLine, address, columns, widest, wrap, wrap_below,
};
use crate::markdown::read_line;

/// The columns of a bar.
const METER: usize = 20;
/// Fills that tell parts of a bar apart without colour.
pub(super) const FILLS: [&str; 4] = ["█", "▓", "▒", "▚"];

impl<'t> Printer<'_, 't> {
    /// A line in a width, the part after its space at the end.
    pub(super) fn line(&self, line: Line, width: usize) -> Lines {
        let [start, end] = line.halves();
        let [start, end] = [self.runs(start, width), self.runs(end, width)];
        let end = wrap(&end, width);
        let lead = self.lead(line);
        beside(width, &end, widest(&end), |width| wrap_below(&start, width, lead))
    }

    /// The columns of the signs that a line starts with: it continues below its text.
    pub(super) fn lead(&self, line: Line) -> usize {
        let mut lead = 0;
        for span in self.outline.spans(line) {
            match (span.kind, self.span(span, false)) {
                (SpanKind::Text | SpanKind::Meter, _) => return lead,
                (_, Some(run)) => lead += columns(&run.text) + 1,
                (_, None) => {}
            }
        }
        0
    }

    /// The spans of a line.
    pub(super) fn runs(&self, line: Line, width: usize) -> Vec<Run> {
        let spans = self.outline.spans(line);
        let mut out: Vec<Run> = Vec::new();
        let mut before: Option<&Span<'t>> = None;
        for (index, span) in spans.iter().enumerate() {
            let glue = before.map(|before| span.glue(before));
            if glue == Some(Glue::None) && span.kind == SpanKind::Meter {
                continue;
            }
            let drawn = match span.kind {
                SpanKind::Meter => {
                    let parts =
                        spans[index..].iter().take_while(|span| span.kind == SpanKind::Meter);
                    self.meter(parts, width)
                }
                _ if span.is_markdown => self.inline(&read_line(span.text), &Style::default()),
                _ => self.span(span, spans.len() == 1).into_iter().collect(),
            };
            if drawn.is_empty() {
                continue;
            }
            match glue {
                Some(_) if line.starts_half(index) => out.push(Run::new("  ", Style::default())),
                Some(Glue::Mark) => out.push(Run::new("\u{a0}· ", Style::dim())),
                Some(Glue::Space) => out.push(Run::new(" ", Style::default())),
                Some(Glue::None) | None => {}
            }
            out.extend(drawn);
            before = Some(span);
        }
        out
    }

    fn span(&self, span: &Span<'t>, is_alone: bool) -> Option<Run> {
        let style = Style::fore(span.hue());
        match span.kind {
            SpanKind::Text => {
                // A text that is a line of its own may have several lines.
                let text = if is_alone { span.text.trim().to_owned() } else { one_line(span.text) };
                let text =
                    if span.is_struck && !self.colour { format!("~~{text}~~") } else { text };
                let style = Style {
                    bold: span.role >= Role::Strong,
                    dim: span.role == Role::Small && style.fore.is_none(),
                    italic: span.is_italic,
                    strike: span.is_struck,
                    ..style
                };
                (!text.is_empty()).then(|| Run::new(&text, style))
            }
            SpanKind::Badge if self.colour => {
                let back = Some(style.fore.unwrap_or(Colour::Grey));
                let text = format!("\u{a0}{}\u{a0}", one_line(span.text));
                Some(Run::new(&text, Style { back, ..Style::default() }))
            }
            SpanKind::Badge => Some(Run::new(&format!("[{}]", one_line(span.text)), style)),
            SpanKind::Icon => sign(span.text).map(|sign| Run::new(sign.glyph, style)),
            SpanKind::Swatch => {
                let is_empty = style.fore.is_none() && !span.color.is_some_and(Hue::is_dark);
                Some(Run::new(if is_empty { "○" } else { "●" }, style))
            }
            SpanKind::Stroke | SpanKind::Meter => None,
        }
    }

    /// The parts of a bar.
    fn meter<'s>(&self, parts: impl Iterator<Item = &'s Span<'t>>, width: usize) -> Vec<Run>
    where
        't: 's,
    {
        let cells = METER.min(width);
        let cell = |share: f32| (share * cells as f32).round() as usize;
        let mut line = TextLine::default();
        let mut drawn = 0;
        for (index, span) in parts.enumerate() {
            let [from, to] = span.range;
            let start = cell(from).clamp(drawn, cells);
            // A part is never too small to be seen.
            let end = cell(to).max(start + usize::from(to > from)).min(cells);
            line.push(&"░".repeat(start - drawn), &Style::dim());
            let fill = if self.colour { FILLS[0] } else { FILLS[index % FILLS.len()] };
            line.push(&fill.repeat(end.saturating_sub(start)), &Style::fore(span.hue()));
            drawn = end.max(start);
        }
        line.push(&"░".repeat(cells - drawn), &Style::dim());
        line.runs
    }

    /// Buttons side by side.
    pub(super) fn actions(&self, actions: &[Action<'t>], width: usize) -> Lines {
        let mut runs = Vec::new();
        let mut was_apart = false;
        for action in actions {
            let link = action.link.and_then(address);
            let has_address = link.is_some() && !self.links;
            if !runs.is_empty() {
                // An address is long: what has one takes a line of its own.
                let is_apart = has_address || was_apart;
                runs.push(Run::new(if is_apart { "\n" } else { " " }, Style::default()));
            }
            was_apart = has_address;
            let glyph = sign(action.icon).map_or("", |sign| sign.glyph);
            let label = action.caption(glyph, self.words);
            let is_filled = self.colour && !action.is_disabled;
            let label = if is_filled { format!(" {label} ") } else { format!("[ {label} ]") };
            let note = match action.is_disabled {
                true => format!(" ({})", self.words.get(Word::Unavailable)),
                false => String::new(),
            };
            // A button is broken only where it is wider than a line.
            let is_one = columns(&label) + columns(&note) <= width;
            let [label, note] =
                [label, note].map(|text| if is_one { text.replace(' ', "\u{a0}") } else { text });
            let fore = if action.is_danger { Some(Colour::Red) } else { None };
            let style = match is_filled {
                true if action.is_primary => {
                    Style { reverse: true, bold: true, fore, ..Style::default() }
                }
                true => Style { back: Some(fore.unwrap_or(Colour::Grey)), ..Style::default() },
                false => Style { dim: action.is_disabled, ..Style::default() },
            };
            runs.push(Run::new(&label, Style { link: link.clone(), ..style }));
            runs.push(Run::new(&note, Style::dim()));
            if let Some(url) = link.filter(|_| !self.links) {
                runs.push(Run::new(&format!(" ({url})"), Style::dim()));
            }
        }
        wrap(&runs, width)
    }
}

/// What is drawn in a width, and an end at its side: next to it if that takes less than half of the width,
/// else below. `room` is the width of the end, or of the widest of all ends that are laid out alike.
pub(super) fn beside(
    width: usize,
    end: &[TextLine],
    room: usize,
    draw: impl FnOnce(usize) -> Lines,
) -> Lines {
    let is_beside = room > 0 && room + 2 <= width / 2;
    let mut lines = draw(if is_beside { width - room - 2 } else { width });
    if end.is_empty() {
        return lines;
    }
    // What fits is next to it anyway, if it is all that there is.
    let fits = lines.len() == 1 && end.len() == 1 && room + 2 + lines[0].width() <= width;
    if !is_beside && !fits {
        lines.extend(end.iter().map(|line| TextLine::default().before(line)));
        return lines;
    }
    lines.resize(lines.len().max(end.len()), TextLine::default());
    let mut end = end.iter();
    lines
        .into_iter()
        .map(|line| match end.next() {
            Some(end) => line.before(end),
            None => line,
        })
        .collect()
}
