//! Markdown as runs of text, which no host parses: emphasis, code and links are properties of a run.

use widgetcast_engine::outline::is_link;

use crate::markdown::{Block, Content, Inline, Mark, plain_text, read};

use super::line::Look;
use super::printer::Gap;
use super::printer::{BYTES, Printer, URL};

/// The ground of quotations and code.
const QUOTE: &str = "secondary";

impl Printer<'_, '_> {
    pub(super) fn markdown(&mut self, at: u32, source: &str) {
        // What is longer than a message need not be read.
        let ends = source.char_indices().map(|(at, c)| at + c.len_utf8());
        let end = ends.take_while(|end| *end <= BYTES).last().unwrap_or(0);
        if end < source.len() {
            self.lose(at, "the Markdown is truncated: it is longer than a Teams message");
        }
        let blocks = read(&source[..end]);
        let mut gap = self.gap;
        for blocks in blocks.chunk_by(|a, b| (a.quotes > 0) == (b.quotes > 0)) {
            self.gap = std::mem::replace(&mut gap, Gap::of("Medium"));
            if blocks[0].quotes == 0 {
                self.markdown_blocks(at, blocks);
                continue;
            }
            let mark = self.open("Container");
            self.ground(Some(QUOTE));
            self.items("items");
            self.markdown_blocks(at, blocks);
            self.end_filled(mark);
        }
    }

    fn markdown_blocks(&mut self, at: u32, blocks: &[Block]) {
        let is_heading = |block: &Block| matches!(block.content, Content::Heading(_));
        let (mut above, mut is_divided): (Option<&Block>, bool) = (None, false);
        for block in blocks {
            if !self.has_room() {
                return self.lose(at, "the Markdown is truncated: the card would be too large");
            }
            if block.content == Content::Rule {
                is_divided = true;
                continue;
            }
            if let Some(above) = above {
                let spacing = match () {
                    () if is_heading(block) || is_divided => "Medium",
                    () if block.continues_list(above) => "None",
                    () if is_heading(above) || above.lists > 0 && block.lists > 0 => "Small",
                    () => "Default",
                };
                self.gap = Gap { spacing: Some(spacing), is_divided };
            }
            self.markdown_block(at, block);
            (above, is_divided) = (Some(block), false);
        }
    }

    fn markdown_block(&mut self, at: u32, block: &Block) {
        let mut lead = "\u{2003}".repeat(block.lists.saturating_sub(1));
        match block.marker {
            Some(marker) => lead.push_str(&marker.text()),
            None if block.lists > 0 => lead.push('\u{2003}'),
            None => {}
        }
        let strong = Look { is_strong: true, ..Look::default() };
        match &block.content {
            Content::Paragraph(text) => self.inlines(at, &lead, text, Look::default()),
            Content::Heading(text) => self.inlines(at, &lead, text, strong),
            Content::Code(code) => self.code(at, code),
            Content::Table(rows) => {
                let plain =
                    |row: &Vec<Vec<Inline>>| row.iter().map(|cell| plain_text(cell)).collect();
                let texts: Vec<Vec<String>> = rows.iter().map(plain).collect();
                self.grid(
                    &texts,
                    |_| false,
                    |printer, row, column, look| printer.inlines(at, "", &rows[row][column], look),
                );
            }
            Content::Rule => {}
        }
    }

    fn code(&mut self, at: u32, code: &str) {
        let mark = self.open("Container");
        self.ground(Some(QUOTE));
        self.items("items");
        let start = self.out.len();
        for line in code.lines() {
            if !self.has_room() {
                self.lose(at, "the code is truncated: the card would be too large");
                break;
            }
            // An empty run has no height.
            let line = Inline::Code(if line.is_empty() { " " } else { line }.to_owned());
            self.below(start, "None");
            self.inlines(at, "", &[line], Look::default());
        }
        self.end_filled(mark);
    }

    /// Inline content as runs.
    pub(super) fn inlines(&mut self, at: u32, lead: &str, inlines: &[Inline], look: Look) {
        let mark = self.open("RichTextBlock");
        self.align(look);
        self.items("inlines");
        if !lead.is_empty() {
            self.marked(at, lead, &[], look, false);
        }
        self.push_inlines(at, inlines, look);
        self.end_filled(mark);
    }

    /// Inline content as runs of the open text.
    pub(super) fn push_inlines(&mut self, at: u32, inlines: &[Inline], look: Look) {
        let mut open: Vec<&Mark> = Vec::new();
        for inline in inlines {
            match inline {
                Inline::Text(text) => self.marked(at, text, &open, look, false),
                Inline::Code(text) => self.marked(at, text, &open, look, true),
                Inline::SoftBreak => self.marked(at, " ", &open, look, false),
                Inline::HardBreak => self.marked(at, "\n", &open, look, false),
                Inline::Open(mark) => {
                    match mark {
                        Mark::Link(url) if !opens(url) => {
                            self.lose(at, "a link that is not http, https, mailto or tel is shown as plain text");
                        }
                        Mark::Image(_) => {
                            self.lose(at, "an image in Markdown is shown as its text");
                        }
                        _ => {}
                    }
                    open.push(mark);
                }
                Inline::Close => _ = open.pop(),
            }
        }
    }

    /// A run inside the marks that are open.
    fn marked(&mut self, at: u32, text: &str, open: &[&Mark], look: Look, is_code: bool) {
        if !self.has_room() {
            return self.lose(at, "the Markdown is truncated: the card would be too large");
        }
        self.open("TextRun");
        let text = self.fitting(text, at);
        self.string("text", text);
        if look.is_dense {
            self.string("size", "Small");
        }
        if look.is_strong || open.contains(&&Mark::Strong) {
            self.string("weight", "Bolder");
        }
        self.flag("italic", open.contains(&&Mark::Emphasis));
        self.flag("strikethrough", open.contains(&&Mark::Strikethrough));
        if is_code {
            self.string("fontType", "Monospace");
        }
        let link = open.iter().rev().find_map(|mark| match mark {
            Mark::Link(url) if opens(url) => Some(url),
            _ => None,
        });
        if let Some(url) = link {
            self.string("color", "Accent");
            self.key("selectAction");
            self.open("Action.OpenUrl");
            self.string("url", url);
            self.close();
        }
        self.close();
    }
}

fn opens(url: &str) -> bool {
    url.len() <= URL && is_link(url)
}
