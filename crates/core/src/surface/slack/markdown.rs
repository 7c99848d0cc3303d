//! Markdown as mrkdwn, with a table block for each table in it.

use super::limit;
use super::mrkdwn::{anchor, escape, mark};
use super::piece::Kind;
use super::table::{Cell, Grid};
use super::writer::Writer;
use crate::markdown::{Block, Content, Inline, Mark, Marker, plain_text, read};

/// The characters of a section that is not added to: what follows begins a new one.
const FULL: usize = limit::SECTION - 500;

impl Writer<'_, '_> {
    pub(super) fn markdown(&mut self, at: u32, source: &str) {
        self.pieces.see(at);
        let mut text = Text::default();
        for block in read(source) {
            match &block.content {
                Content::Table(rows) if block.lists == 0 && block.quotes == 0 => {
                    self.pieces.text(&std::mem::take(&mut text).out, Kind::Chunk);
                    let mut rows: Vec<Vec<Cell>> = rows
                        .iter()
                        .map(|row| row.iter().map(|cell| cell_of(cell)).collect())
                        .collect();
                    let head = if rows.is_empty() { Vec::new() } else { rows.remove(0) };
                    self.grid(Grid { at, head, rows, ends: Vec::new() });
                    self.pieces.see(at);
                }
                Content::Rule => {
                    self.pieces.text(&std::mem::take(&mut text).out, Kind::Chunk);
                    self.pieces.divider();
                }
                _ => {
                    // Between blocks a text can be split without breaking its marks.
                    if limit::len(&text.out) > FULL / 2
                        && limit::len(&text.out) + limit::len(&content(&block)) > FULL
                    {
                        self.pieces.text(&std::mem::take(&mut text).out, Kind::Chunk);
                    }
                    text.push(block);
                }
            }
        }
        self.pieces.text(&text.out, Kind::Chunk);
    }
}

/// Markdown as mrkdwn, tables as lines.
pub(super) fn to_mrkdwn(source: &str) -> String {
    let mut text = Text::default();
    read(source).into_iter().for_each(|block| text.push(block));
    text.out.trim().to_owned()
}

/// Blocks as one text.
#[derive(Default)]
struct Text {
    out: String,
    before: Option<Block>,
}

impl Text {
    fn push(&mut self, block: Block) {
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

fn content(block: &Block) -> String {
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
                cells.join(super::line::MARK)
            });
            rows.filter(|row| !row.is_empty()).collect::<Vec<_>>().join("\n")
        }
        Content::Rule => "—".to_owned(),
    }
}

/// Inline content; in a text that is bold already, bold marks are left out.
fn inline(inlines: &[Inline], is_bold: bool) -> String {
    let mut out = String::new();
    // For each open mark what it wrote: nothing, where a mark of its kind is open already. So what
    // is written is three marks at most, however deep they nest.
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
                let new = (!is_repeated).then_some(mark);
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

/// Inline content as a cell of a table.
fn cell_of(inlines: &[Inline]) -> Cell {
    let mut cell = Cell::default();
    cell.text = inline(inlines, false);
    push_cell(inlines, &mut cell);
    cell
}

/// Adds inline content to a cell of a table.
pub(super) fn push_cell(inlines: &[Inline], cell: &mut Cell) {
    let mut open: Vec<&Mark> = Vec::new();
    for inline in inlines {
        let text = match inline {
            Inline::Open(mark) => {
                open.push(mark);
                continue;
            }
            Inline::Close => {
                open.pop();
                continue;
            }
            Inline::Text(text) | Inline::Code(text) => text.as_str(),
            Inline::SoftBreak | Inline::HardBreak => " ",
        };
        let text: String = text.chars().filter(|c| !c.is_control()).collect();
        let url = open.iter().find_map(|mark| match mark {
            Mark::Link(url) | Mark::Image(url) => Some(url.as_str()),
            _ => None,
        });
        let styles = [
            ("bold", open.contains(&&Mark::Strong)),
            ("italic", open.contains(&&Mark::Emphasis)),
            ("strike", open.contains(&&Mark::Strikethrough)),
            ("code", matches!(inline, Inline::Code(_))),
        ];
        cell.push(&text, &styles, url.filter(|url| limit::is_https(url)));
    }
}
