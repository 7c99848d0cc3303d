//! Markdown as HTML.

use std::fmt::Write as _;

use widgetcast_engine::outline::{Lost, is_link};

use super::color::RULE;
use super::print::{FONT, H3, Printer, TABLE, TEXT, is_https, put};
use crate::markdown::{Block, Content, Inline, Mark, read};

const CODE: &str = "font:13px/1.45 Menlo,Consolas,monospace;background:#f0f2f5;border-radius:4px";

impl Printer<'_, '_> {
    pub(super) fn markdown(&mut self, at: u32, text: &str) {
        let blocks = read(text);
        for (index, block) in blocks.iter().enumerate() {
            let gap = match index.checked_sub(1).map(|above| block.continues_list(&blocks[above])) {
                None => 0,
                Some(true) => 2,
                Some(false) => 10,
            };
            let start = self.start;
            let indent = 24 * block.lists.saturating_sub(usize::from(block.marker.is_some()));
            put!(self, "<{TABLE} style='table-layout:fixed;{FONT}'><tr valign='top'>");
            put!(self, "<td style='padding-top:{gap}px;padding-{start}:{indent}px'>");
            for _ in 0..block.quotes {
                put!(self, "<div style='border-{start}:3px solid #ccd1d9;padding-{start}:12px'>");
            }
            if let Some(marker) = block.marker {
                put!(self, "<{TABLE} style='{FONT}'><tr valign='top'><td width='24'>");
                put!(self, "{}</td><td>", marker.text().trim_end());
            }
            self.content(at, block);
            put!(self, "{}", if block.marker.is_some() { "</td></tr></table>" } else { "" });
            put!(self, "{}</td></tr></table>", "</div>".repeat(block.quotes));
        }
    }

    fn content(&mut self, at: u32, block: &Block) {
        match &block.content {
            Content::Heading(inlines) => self.inlines(at, H3, inlines),
            Content::Paragraph(inlines) => self.inlines(at, TEXT, inlines),
            Content::Code(code) => {
                put!(self, "<pre style='margin:0;padding:10px;white-space:pre-wrap;{CODE}'>");
                self.escaped(code);
                put!(self, "</pre>");
            }
            Content::Table(rows) => {
                self.open_table(rows.first().map_or(0, Vec::len));
                for (index, row) in rows.iter().enumerate() {
                    self.open_row(index + 1);
                    let tag = if index == 0 { "th" } else { "td" };
                    let tag = format!("{tag} dir='auto' align='{}'", self.start);
                    row.iter().for_each(|cell| self.inlines(at, &tag, cell));
                    put!(self, "</tr>");
                }
                put!(self, "</table></div>");
            }
            Content::Rule => put!(self, "<div style='{RULE}font-size:0'>&nbsp;</div>"),
        }
    }

    /// Inline content in an element. What is in an image is its alternative text, without marks.
    fn inlines(&mut self, at: u32, tag: &str, inlines: &[Inline]) {
        put!(self, "<{tag}>");
        self.push_inlines(at, inlines);
        put!(self, "</{}>", tag.split(' ').next().unwrap_or_default());
    }

    pub(super) fn push_inlines(&mut self, at: u32, inlines: &[Inline]) {
        let (mut open, mut picture) = (Vec::new(), 0);
        for inline in inlines {
            let is_alt = picture > 0;
            match inline {
                Inline::Text(text) | Inline::Code(text) if is_alt => self.escaped(text),
                Inline::Text(text) => self.text(text),
                Inline::Code(code) => {
                    put!(self, "<code style='{CODE};padding:1px 4px'>");
                    self.text(code);
                    put!(self, "</code>");
                }
                Inline::HardBreak if !is_alt => put!(self, "<br>"),
                Inline::SoftBreak | Inline::HardBreak => put!(self, " "),
                Inline::Open(mark) => {
                    let close = if is_alt { "" } else { self.open_mark(at, mark) };
                    open.push(close);
                    picture = if close == "'>" { open.len() } else { picture };
                }
                Inline::Close => {
                    picture = if picture == open.len() { 0 } else { picture };
                    self.out.push_str(open.pop().unwrap_or_default());
                }
            }
        }
    }

    /// Opens a mark, and returns what closes it. A link or an image that mail cannot open is only its text.
    fn open_mark(&mut self, at: u32, mark: &Mark) -> &'static str {
        let (open, close) = match mark {
            Mark::Strong => ("<strong>", "</strong>"),
            Mark::Emphasis => ("<em>", "</em>"),
            Mark::Strikethrough => ("<s>", "</s>"),
            Mark::Link(url) if is_link(url) => {
                self.open_link(url);
                ("", "</a>")
            }
            Mark::Image(url) if is_https(url) && self.outline.images.may_load(url) => {
                put!(self, "<img style='max-width:100%;border:0' src='");
                self.escaped(url);
                ("' alt='", "'>")
            }
            Mark::Link(_) | Mark::Image(_) => {
                let reason = match mark {
                    Mark::Image(url) if is_https(url) => {
                        "an image in the Markdown is not shown: its origin is not in image_origins"
                    }
                    _ => {
                        "a link or an image in the Markdown has a URL that e-mail clients do not open"
                    }
                };
                self.lost.push(Lost::new(at, reason));
                ("", "")
            }
        };
        self.out.push_str(open);
        close
    }
}
