//! Markdown as mrkdwn, with a table block for each table in it.

use super::limit;
use super::markdown_text::{Text, content, inline};
use super::piece::Kind;
use super::table::{Cell, Grid, push_cell};
use super::writer::Writer;
use crate::markdown::{Content, Inline, read};

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

/// Inline content as a cell of a table.
fn cell_of(inlines: &[Inline]) -> Cell {
    let mut cell = Cell::default();
    cell.text = inline(inlines, false);
    push_cell(inlines, &mut cell);
    cell
}
