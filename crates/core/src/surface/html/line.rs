//! Lines of text, and bars.

use std::fmt::Write as _;

use widgetcast_engine::outline::{Glue, Line, Role, Span, SpanKind};
use widgetcast_engine::signs::sign;

use super::color::{GREY, LINK, shades};
use super::print::{FONT, H3, Printer, SHORT, TABLE, TEXT, put};
use crate::markdown::read_line;

impl<'t> Printer<'_, 't> {
    /// A line in an element, or in none; what stands apart at its end is at the other side, and bars are
    /// below, where all are equally long.
    pub(super) fn line(&mut self, line: Line, tag: &str, link: Option<&str>) {
        let spans = self.outline.spans(line);
        let is_meter = |span: &Span<'t>| span.kind == SpanKind::Meter;
        let is_end =
            |at: &usize| line.starts_half(*at) || (!line.is_split() && is_meter(&spans[*at]));
        let (first, last) = spans.split_at((0..spans.len()).find(is_end).unwrap_or(spans.len()));
        let is_shown = |span: &&Span<'t>| match span.kind {
            SpanKind::Icon => sign(span.text).is_some(),
            kind => !matches!(kind, SpanKind::Meter | SpanKind::Stroke),
        };
        let halves = [first, last].map(|half| half.iter().filter(is_shown).collect::<Vec<_>>());
        match halves.each_ref().map(|half| &half[..]) {
            [[], []] => {}
            [[], only] | [only, []] => self.spans(only, tag, link),
            [first, last] => {
                put!(self, "<{TABLE} style='{FONT}'><tr valign='top'><td>");
                self.spans(first, tag, link);
                put!(self, "</td><td align='{}' style='padding-{}:12px'>", self.end, self.start);
                self.spans(last, TEXT, None);
                put!(self, "</td></tr></table>");
            }
        }
        // A part that begins before the last one ends starts another bar.
        let meters: Vec<&Span<'t>> = spans.iter().filter(|span| is_meter(span)).collect();
        for bar in meters.chunk_by(|one, next| one.range[1] <= next.range[0]) {
            let part = |part: &&Span<'t>| (part.range, shades(part.color)[2]);
            self.bar(&bar.iter().map(part).collect::<Vec<_>>());
        }
    }

    fn spans(&mut self, spans: &[&Span<'t>], tag: &str, link: Option<&str>) {
        let is_title = spans.iter().any(|span| span.is_text() && span.role == Role::Title);
        let tag = if tag == TEXT && is_title { H3 } else { tag };
        let name = tag.split(' ').next().unwrap_or_default();
        put!(self, "{}", if tag.is_empty() { String::new() } else { format!("<{tag}>") });
        link.iter().for_each(|url| self.open_link(url));
        for (index, span) in spans.iter().enumerate() {
            let before = index.checked_sub(1).map(|before| spans[before]);
            self.out.push_str(match before.map(|before| (span.glue(before), before.is_text())) {
                None | Some((Glue::None, _)) => "",
                Some((Glue::Mark, _)) => " · ",
                // A sign stays with the text behind it.
                Some((Glue::Space, false)) if span.is_text() => "&nbsp;",
                Some((Glue::Space, _)) => " ",
            });
            self.span(span, name.starts_with('h'));
        }
        put!(self, "{}", if link.is_some() { "</a>" } else { "" });
        put!(self, "{}", if tag.is_empty() { String::new() } else { format!("</{name}>") });
    }

    fn span(&mut self, span: &Span<'t>, is_title: bool) {
        let [color, tint, fill] = shades(span.color);
        let badge = "display:inline-block;border-radius:9px;font-size:12px;background:";
        let mut close = String::new();
        let marks = [
            ("strong", span.role >= Role::Strong && !is_title),
            ("s", span.is_struck),
            ("em", span.is_italic),
        ];
        for (mark, _) in marks.iter().filter(|(_, is_set)| *is_set) {
            put!(self, "<{mark}>");
            close.insert_str(0, &format!("</{mark}>"));
        }
        let style = match (span.kind, span.role) {
            (SpanKind::Badge, _) => format!("{badge}{tint};color:{color};padding:1px 8px"),
            (SpanKind::Swatch, _) => format!("color:{fill}"),
            (_, Role::Small) if span.hue().is_none() => format!("font-size:13px;color:{GREY}"),
            (_, Role::Small) => format!("font-size:13px;color:{color}"),
            (_, Role::Title) if !is_title => format!("font-size:17px;color:{color}"),
            _ if span.hue().is_some() => format!("color:{color}"),
            _ => String::new(),
        };
        if !style.is_empty() {
            put!(self, "<span style='{style}'>");
            close.insert_str(0, "</span>");
        }
        match span.kind {
            SpanKind::Swatch => put!(self, "●"),
            SpanKind::Icon => put!(self, "{}", sign(span.text).map_or("", |sign| sign.glyph)),
            _ if span.is_markdown => self.push_inlines(span.at, &read_line(span.text)),
            _ => self.text(span.text.trim()),
        }
        self.out.push_str(&close);
    }

    /// A bar of parts, each from one share to another.
    pub(super) fn bar(&mut self, parts: &[([f32; 2], &str)]) {
        put!(self, "<{TABLE} style='min-width:64px;margin:4px 0'><tr>");
        let mut at = 0.0;
        for ([from, to], fill) in parts.iter().copied().chain([([1.0; 2], "")]) {
            for (width, color) in [(from - at, "#e9ebef"), (to - from, fill)] {
                if width > 0.001 {
                    let width = (width * 100.0).round().max(1.0);
                    put!(self, "<td width='{width}%' height='8' ");
                    put!(self, "style='font-size:0;background:{color}'></td>");
                }
            }
            at = to;
        }
        put!(self, "</tr></table>");
    }

    /// A text. Its lines stay lines, and a word too long for a cell may break.
    pub(super) fn text(&mut self, text: &str) {
        let is_long = text.split_whitespace().any(|word| word.chars().count() > SHORT);
        put!(self, "{}", if is_long { "<span style='word-break:break-word'>" } else { "" });
        for (index, line) in text.lines().enumerate() {
            put!(self, "{}", if index > 0 { "<br>" } else { "" });
            self.escaped(line);
        }
        put!(self, "{}", if is_long { "</span>" } else { "" });
    }

    /// A grey text, unless it is empty.
    pub(super) fn small(&mut self, tag: &str, text: &str) {
        if !text.is_empty() {
            put!(self, " <{tag} dir='auto' style='font-size:13px;color:{GREY}'>");
            self.text(text);
            put!(self, "</{tag}>");
        }
    }

    /// Text as it may be between tags and in an attribute.
    pub(super) fn escaped(&mut self, text: &str) {
        for c in text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')) {
            match c {
                '&' => self.out.push_str("&amp;"),
                '<' => self.out.push_str("&lt;"),
                '>' => self.out.push_str("&gt;"),
                '"' => self.out.push_str("&quot;"),
                '\'' => self.out.push_str("&#39;"),
                c => self.out.push(c),
            }
        }
    }

    /// Opens a link. Only addresses that users can open come here.
    pub(super) fn open_link(&mut self, url: &str) {
        put!(self, "<a rel='noopener noreferrer' style='color:{LINK}' href='");
        self.escaped(url);
        put!(self, "'>");
    }
}
