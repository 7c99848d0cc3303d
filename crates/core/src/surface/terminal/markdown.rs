//! Markdown as lines of styled text.

use std::rc::Rc;

use super::text::{Block as Lines, Colour, Line, Span, Style, address, columns, wrap};
use crate::markdown::{Block, Content, Inline, Mark, Marker, read};

/// Characters of Markdown that are shown; a card is no place for more.
const LONGEST: usize = 20_000;

/// Lays out a Markdown text in a width. With `urls`, the address of a link is written behind it. A
/// table is left to the caller, who knows how tables look.
pub(super) fn layout(
    source: &str,
    width: usize,
    urls: bool,
    table: impl Fn(&[Vec<Vec<Inline>>], usize) -> Lines,
) -> Lines {
    let end = source.char_indices().nth(LONGEST).map_or(source.len(), |(at, _)| at);
    let printer = Printer { urls, table };
    let mut out = Lines::new();
    let mut before: Option<Block> = None;
    for block in read(&source[..end]) {
        if before.is_some_and(|before| !block.continues_list(&before)) {
            out.push(Line::default());
        }
        out.extend(printer.block(&block, width));
        before = Some(block);
    }
    out
}

struct Printer<T> {
    urls: bool,
    table: T,
}

impl<T: Fn(&[Vec<Vec<Inline>>], usize) -> Lines> Printer<T> {
    /// A block with the bar of a quotation before each line.
    fn block(&self, block: &Block, width: usize) -> Lines {
        if block.quotes == 0 {
            return self.listed(block, width);
        }
        let quoted = self.listed(block, width.saturating_sub(2)).into_iter().map(|line| {
            let mut quoted = Line::of("▎ ", Style::dim());
            quoted.append(&line);
            if quoted.width() <= width { quoted } else { line }
        });
        quoted.collect()
    }

    /// A block behind its marker and below the text of its list item.
    fn listed(&self, block: &Block, width: usize) -> Lines {
        if block.lists == 0 {
            return self.content(block, width);
        }
        let indent = (2 * (block.lists - 1)).min(width / 4);
        let marker = match block.marker {
            Some(Marker::Bullet) => "• ".to_owned(),
            Some(Marker::Number(number)) => format!("{number}. "),
            Some(Marker::Task(false)) => "☐ ".to_owned(),
            Some(Marker::Task(true)) => "☑ ".to_owned(),
            None => "  ".to_owned(),
        };
        let marker = " ".repeat(indent) + &marker;
        if let Content::Paragraph(text) = &block.content {
            return hang(&marker, &Style::dim(), &spans(text, &base(block), self.urls), width);
        }
        let mut out = Lines::new();
        if block.marker.is_some() {
            out.extend(hang(&marker, &Style::dim(), &[], width));
        }
        let indent = columns(&marker);
        if indent * 2 > width {
            out.extend(self.content(block, width));
            return out;
        }
        out.extend(self.content(block, width - indent).iter().map(|line| {
            let mut indented = Line::default();
            indented.space(indent);
            indented.append(line);
            indented
        }));
        out
    }

    fn content(&self, block: &Block, width: usize) -> Lines {
        match &block.content {
            Content::Heading(text) => {
                let style = Style { bold: true, ..base(block) };
                wrap(&spans(text, &style, self.urls), width)
            }
            Content::Paragraph(text) => wrap(&spans(text, &base(block), self.urls), width),
            Content::Code(code) => {
                // Spaces of code are not places to break a line.
                let code = code.replace(' ', "\u{a0}");
                wrap(&[Span::new(&code, Style::fore(Some(Colour::Cyan)))], width)
            }
            Content::Table(rows) => (self.table)(rows, width),
            Content::Rule => {
                let mut rule = Line::of(&"─".repeat(width), Style::dim());
                rule.is_rule = true;
                vec![rule]
            }
        }
    }
}

/// The style of a block's text.
fn base(block: &Block) -> Style {
    Style { italic: block.quotes > 0, ..Style::default() }
}

/// Text with a marker before it, its further lines below the first one.
pub(super) fn hang(marker: &str, style: &Style, text: &[Span], width: usize) -> Lines {
    let indent = columns(marker);
    if indent * 2 > width {
        let mut all = vec![Span::new(marker, style.clone())];
        all.extend_from_slice(text);
        return wrap(&all, width);
    }
    let lines = wrap(text, width - indent);
    let hung = lines.iter().enumerate().map(|(index, line)| {
        let mut out = Line::default();
        if index == 0 {
            out.push(marker, style);
        } else {
            out.space(indent);
        }
        out.append(line);
        out
    });
    hung.collect()
}

/// An open mark.
struct Open {
    style: Style,
    /// For a link its address and where its text starts.
    link: Option<(Rc<str>, usize)>,
}

/// Inline content as spans. With `urls`, the address of a link is written behind it.
pub(super) fn spans(inlines: &[Inline], base: &Style, urls: bool) -> Vec<Span> {
    let mut out: Vec<Span> = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    for inline in inlines {
        let style = open.last().map_or(base, |open| &open.style).clone();
        match inline {
            Inline::Text(text) => out.push(Span::new(text, style)),
            Inline::Code(code) => {
                out.push(Span::new(code, Style { fore: Some(Colour::Cyan), ..style }));
            }
            Inline::SoftBreak => out.push(Span::new(" ", style)),
            Inline::HardBreak => out.push(Span::new("\n", style)),
            Inline::Open(mark) => {
                let url = if let Mark::Link(url) = mark { address(url) } else { None };
                let style = match mark {
                    Mark::Strong => Style { bold: true, ..style },
                    Mark::Emphasis => Style { italic: true, ..style },
                    Mark::Strikethrough => Style { strike: true, ..style },
                    Mark::Image(_) => Style { dim: true, ..style },
                    Mark::Link(_) if url.is_none() => style,
                    Mark::Link(_) => Style { link: url.clone(), underline: true, ..style },
                };
                open.push(Open { style, link: url.map(|url| (url, out.len())) });
            }
            Inline::Close => {
                let link = open.pop().and_then(|open| open.link);
                if let Some((url, start)) = link.filter(|_| urls)
                    && out[start..].iter().map(Span::text).collect::<String>() != *url
                {
                    let style = open.last().map_or(base, |open| &open.style).clone();
                    out.push(Span::new(&format!(" ({url})"), Style { dim: true, ..style }));
                }
            }
        }
    }
    out
}
