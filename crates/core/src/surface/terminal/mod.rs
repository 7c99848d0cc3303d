//! The terminal: a tree for a person to read, in boxes, columns and sixteen colours.
//!
//! For our own command line only. What goes into a tool result is Markdown ([`crate::fold`]),
//! because models and other clients read that.
//!
//! Three invariants: no line is wider than the given width (a component drops its frame before its
//! text), data never reaches the terminal as a control sequence (`text::clean`), and no text of a
//! component is cut.

mod chart;
mod field;
mod markdown;
mod renderer;
mod row;
mod table;
#[cfg(test)]
mod tests;
mod text;

use serde_json::Value;

use super::descriptor::{Preview, Surface, describe_nothing};
use renderer::{Measured, Renderer};
use text::to_ansi;

/// For people at a terminal; never part of a reply.
pub const SURFACE: Surface = Surface {
    name: "terminal",
    extension: "txt",
    wants: |_| false,
    describe: describe_nothing,
    describe_page: |_, _| {},
    present: |_, _| Vec::new(),
    render: |presentation| {
        terminal(presentation.tree(), &TerminalOptions { width: 80, colour: false, links: false })
    },
    preview: |presentation| {
        let options = TerminalOptions { width: PREVIEW_WIDTH, colour: true, links: false };
        Preview { format: "ansi", text: terminal(presentation.tree(), &options) }
    },
    is_in_every_result: false,
    instances: None,
    page_mime: None,
    challenge: None,
};

/// How to render for a terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TerminalOptions {
    /// Columns that a line may take.
    pub width: usize,
    /// Whether to use ANSI colours; without, the text holds no escape sequence at all.
    pub colour: bool,
    /// Whether to write links as OSC 8; only with colour.
    pub links: bool,
}

/// Columns of a preview in a page.
const PREVIEW_WIDTH: usize = 72;
/// The widest terminal that is supported: a bound for the length of rules.
const WIDEST: usize = 1000;

/// Renders a tree for a terminal.
pub fn terminal(tree: &Value, options: &TerminalOptions) -> String {
    let measured = Measured::default();
    let renderer = Renderer {
        colour: options.colour,
        links: options.links,
        is_inside: false,
        field_column: field::column(tree),
        measured: &measured,
    };
    let width = options.width.clamp(1, WIDEST);
    to_ansi(&renderer.render(tree, width), options.colour, options.links)
}
