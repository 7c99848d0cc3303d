//! The terminal: a tree for a user to read, in boxes, columns and sixteen colours.
//!
//! For our own command line only. What goes into a tool result is Markdown ([`super::text`]), because models and other clients read that.
//!
//! Three invariants: no line is wider than the given width (a component drops its frame before its
//! text), data never reaches the terminal as a control sequence (`text::clean`), and no text of a
//! component is cut.

mod chart;
mod field;
mod grid;
mod line;
mod list;
mod markdown;
mod print;
mod printer;
#[cfg(test)]
mod tests;
mod text;
mod wrap;

use serde_json::Value;
use widgetcast_engine::outline::Outline;
use widgetcast_engine::tree::CompactTree;
use widgetcast_engine::words::Words;

use super::descriptor::{Preview, Surface};
use super::loss::Loss;
use super::presentation::Presentation;

/// Terminal output; never part of a reply.
pub const SURFACE: Surface = Surface {
    name: "terminal",
    file_extension: "txt",
    losses: |presentation| {
        presentation.outline(|outline| Loss::all(outline, &print::LACK, Vec::new()))
    },
    render: |presentation| {
        draw(presentation, &TerminalOptions { width: 80, colour: false, links: false })
    },
    preview: |presentation| {
        let options = TerminalOptions { width: PREVIEW_WIDTH, colour: true, links: false };
        Preview { format: "ansi", text: draw(presentation, &options) }
    },
    client: || ("terminal", serde_json::json!({})),
    ..Surface::PLAIN
};

pub use printer::TerminalOptions;

/// Columns of a preview in a page.
const PREVIEW_WIDTH: usize = 72;
/// The widest terminal that is supported: a bound for the length of rules.
const WIDEST: usize = 1000;

/// Renders a view for a terminal.
pub fn draw(presentation: &Presentation<'_>, options: &TerminalOptions) -> String {
    presentation.outline(|outline| print(outline, presentation.words, options))
}

/// Renders a tree for a terminal.
pub fn terminal(tree: &Value, options: &TerminalOptions) -> String {
    let json = tree.to_string();
    let tree = CompactTree::read(&json);
    print(&Outline::of(&tree, &Default::default()), Words::default(), options)
}

fn print(outline: &Outline<'_>, words: Words, options: &TerminalOptions) -> String {
    let width = options.width.clamp(1, WIDEST);
    print::print(outline, words, &TerminalOptions { width, ..options.clone() })
}
