//! Markdown as lines of styled text.

use std::rc::Rc;

use super::grid::{Grid, Slot};
use super::printer::Printer;
use super::text::{Colour, Lines, Run, Style, TextLine, address, hang, indent, wrap};
use crate::markdown::{Block, Content, Inline, Mark, Marker, read};

/// The style of an open mark, and of a link its address and where its text starts.
type Open = (Style, Option<(Rc<str>, usize)>);

impl Printer<'_, '_> {
    pub(super) fn markdown(&self, source: &str, width: usize) -> Lines {
        let mut out = Lines::new();
        let mut before: Option<Block> = None;
        for block in read(source) {
            let is_apart = before.is_some_and(|before: Block| {
                !block.continues_list(&before) && !matches!(before.content, Content::Heading(_))
            });
            if is_apart {
                out.push(TextLine::default());
            }
            let marks = 2 * block.quotes.min(width / 16);
            let drawn = self.listed(&block, width - marks).into_iter();
            out.extend(drawn.map(|line| match marks {
                0 => line,
                _ => line.after(&"▎ ".repeat(marks / 2), &Style::dim()),
            }));
            before = Some(block);
        }
        out
    }

    /// A block behind its marker, or below the text of its list item.
    fn listed(&self, block: &Block, width: usize) -> Lines {
        if block.lists == 0 {
            return self.content(block, width);
        }
        let marker = block.marker.map_or("  ".to_owned(), Marker::text);
        let marker = "  ".repeat((block.lists - 1).min(width / 8)) + &marker;
        hang(&marker, &Style::dim(), width, |width| self.content(block, width))
    }

    fn content(&self, block: &Block, width: usize) -> Lines {
        let base = Style { italic: block.quotes > 0, ..Style::default() };
        match &block.content {
            Content::Heading(text) => {
                wrap(&self.inline(text, &Style { bold: true, ..base }), width)
            }
            Content::Paragraph(text) => wrap(&self.inline(text, &base), width),
            Content::Code(code) => {
                // Spaces of code are not places to break a line.
                let code = code.replace('\t', "    ").replace(' ', "\u{a0}");
                let code = [Run::new(&code, Style { fore: Some(Colour::Cyan), ..base })];
                indent(2, width, |width| wrap(&code, width))
            }
            Content::Table(rows) => {
                // Markdown has no tables without a head, but empty heads.
                let is_empty = |row: &&Vec<Vec<Inline>>| row.iter().all(Vec::is_empty);
                let has_head = !rows.first().is_some_and(|head| is_empty(&head));
                let rows = rows.iter().skip(usize::from(!has_head));
                let rows = rows.map(|row| row.iter().map(Slot::from).collect()).collect();
                let grid = Grid { rows, has_head, least: 0, is_adaptive: true };
                grid.print(width, |cell, width| wrap(&self.inline(cell, &Style::default()), width))
            }
            Content::Rule => vec![TextLine::rule()],
        }
    }

    /// Inline content; the address of a link is written behind it where it cannot be part of it.
    pub(super) fn inline(&self, inlines: &[Inline], base: &Style) -> Vec<Run> {
        let mut out: Vec<Run> = Vec::new();
        let mut open: Vec<Open> = Vec::new();
        for inline in inlines {
            let style = open.last().map_or(base, |(style, _)| style).clone();
            match inline {
                Inline::Text(text) => out.push(Run::new(text, style)),
                Inline::Code(code) => {
                    out.push(Run::new(code, Style { fore: Some(Colour::Cyan), ..style }));
                }
                Inline::SoftBreak => out.push(Run::new(" ", style)),
                Inline::HardBreak => out.push(Run::new("\n", style)),
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
                    self.strike(mark, &style, &mut out);
                    open.push((style, url.map(|url| (url, out.len()))));
                }
                Inline::Close => {
                    let Some((closed, link)) = open.pop() else { continue };
                    let style = open.last().map_or(base, |(style, _)| style).clone();
                    if closed.strike && !style.strike {
                        self.strike(&Mark::Strikethrough, &closed, &mut out);
                    }
                    let text = |start: usize| {
                        out[start..].iter().map(|run| run.text.as_str()).collect::<String>()
                    };
                    if let Some((url, start)) = link.filter(|_| !self.links)
                        && text(start) != *url
                    {
                        out.push(Run::new(&format!(" ({url})"), Style { dim: true, ..style }));
                    }
                }
            }
        }
        out
    }

    /// Without colour, nothing else would show that a text is struck through.
    fn strike(&self, mark: &Mark, style: &Style, out: &mut Vec<Run>) {
        if !self.colour && *mark == Mark::Strikethrough {
            out.push(Run::new("~~", style.clone()));
        }
    }
}
