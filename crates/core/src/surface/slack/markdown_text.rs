//! Markdown as one text of mrkdwn.

use super::mrkdwn::{MARK, anchor, escape, mark};
use crate::markdown::{Block, Content, Inline, Mark, Marker, plain_text, read};

/// Markdown as mrkdwn, tables as lines.
pub(super) fn to_mrkdwn(source: &str) -> String {
    let mut text = Text::default();
    read(source).into_iter().for_each(|block| text.push(block));
    text.out.trim().to_owned()
}

/// Blocks as one text.
#[derive(Default)]
pub(super) struct Text {
    pub(super) out: String,
    before: Option<Block>,
}

impl Text {
    pub(super) fn push(&mut self, block: Block) {
        if let Some(before) = &self.before {
            let is_close = block.continues_list(before)
                || matches!(before.content, Content::Heading(_)) && before.lists == 0;
            self.out.push_str(if is_close { "\n" } else { "\n\n" });
        }
        push_block(&block, &mut self.out);
        self.before = Some(block);
    }
}

/// Writes a block, with what a quotation and a list put before each line.
fn push_block(block: &Block, out: &mut String) {
    let marker = block.marker.map_or("  ".to_owned(), Marker::text);
    for (index, line) in content(block).split('\n').enumerate() {
        out.push_str(if index > 0 { "\n" } else { "" });
        out.push_str(if block.quotes > 0 { "> " } else { "" });
        if block.lists > 0 {
            out.push_str(&"  ".repeat(block.lists - 1));
            out.push_str(if index == 0 { &marker } else { "  " });
        }
        out.push_str(line);
    }
}

pub(super) fn content(block: &Block) -> String {
    match &block.content {
        Content::Heading(text) => mark(&inline(text, true), '*'),
        Content::Paragraph(text) => inline(text, false),
        // There is no way to write a fence inside of one.
        Content::Code(code) if code.contains("```") => escape(code),
        Content::Code(code) => format!("```\n{}\n```", escape(code)),
        Content::Table(rows) => {
            let rows = rows.iter().map(|row| {
                let cells = row.iter().map(|cell| inline(cell, false));
                let cells: Vec<String> = cells.filter(|cell| !cell.is_empty()).collect();
                cells.join(MARK)
            });
            rows.filter(|row| !row.is_empty()).collect::<Vec<_>>().join("\n")
        }
        Content::Rule => "—".to_owned(),
    }
}

/// Inline content; in a text that is bold already, bold marks are left out.
pub(super) fn inline(inlines: &[Inline], is_bold: bool) -> String {
    let mut out = String::new();
    // The text written for each open mark: none, if the same kind is open already. So at most three marks are
    // written, however deep they nest.
    let mut open: Vec<Option<char>> = Vec::new();
    let mut written: Vec<char> = Vec::new();
    let mut at = 0;
    while let Some(inline) = inlines.get(at) {
        at += 1;
        match inline {
            Inline::Text(text) => out.push_str(&escape(text)),
            Inline::Code(code) if code.contains('`') => out.push_str(&escape(code)),
            Inline::Code(code) => {
                out.push('`');
                out.push_str(&escape(code));
                out.push('`');
            }
            // Marks do not reach over the end of a line.
            Inline::SoftBreak | Inline::HardBreak => {
                out.extend(written.iter().rev());
                out.push('\n');
                out.extend(&written);
            }
            Inline::Open(Mark::Link(url) | Mark::Image(url)) => {
                let end = at + close_of(&inlines[at..]);
                out.push_str(&anchor(url, &plain_text(&inlines[at..end])));
                at = end + 1;
            }
            Inline::Open(kind) => {
                let mark = match kind {
                    Mark::Strong => '*',
                    Mark::Emphasis => '_',
                    _ => '~',
                };
                let is_repeated = written.contains(&mark) || (is_bold && mark == '*');
                // Slack reads no mark next to a letter, as where words are written without spaces.
                let is_apart = || {
                    let next = inlines.get(at + close_of(&inlines[at..]) + 1);
                    let is_letter = |c: char| c.is_alphanumeric();
                    let follows =
                        matches!(next, Some(Inline::Text(text)) if text.starts_with(is_letter));
                    !(follows || out.ends_with(is_letter))
                };
                let new = (!is_repeated && is_apart()).then_some(mark);
                open.push(new);
                written.extend(new);
                out.extend(new);
            }
            Inline::Close => {
                if let Some(mark) = open.pop().flatten() {
                    written.pop();
                    out.push(mark);
                }
            }
        }
    }
    out
}

/// The length of what an opened mark encloses.
fn close_of(inlines: &[Inline]) -> usize {
    let mut depth = 0;
    let closes = |inline: &Inline| match inline {
        Inline::Open(_) => {
            depth += 1;
            false
        }
        Inline::Close if depth == 0 => true,
        Inline::Close => {
            depth -= 1;
            false
        }
        _ => false,
    };
    inlines.iter().position(closes).unwrap_or(inlines.len())
}
