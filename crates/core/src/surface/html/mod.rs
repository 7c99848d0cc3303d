//! HTML for e-mail: a fragment with inline styles, without scripts, that every mail program shows.

mod color;
mod form;
mod line;
mod markdown;
mod print;
mod table;
#[cfg(test)]
mod tests;

use super::descriptor::{Preview, Surface};
use super::loss::Loss;
use super::presentation::Presentation;

/// An HTML fragment, for results sent by e-mail; never part of a reply.
pub const SURFACE: Surface = Surface {
    name: "html-fragment",
    aliases: &["email"],
    file_extension: "html",
    losses: |presentation| {
        presentation.outline(|outline| {
            let (_, lost) = print::print(outline, presentation.words);
            Loss::all(outline, &print::LACK, lost)
        })
    },
    render,
    preview: |presentation| Preview { format: "html", text: render(presentation) },
    client: || ("mail", serde_json::json!({})),
    ..Surface::PLAIN
};

fn render(presentation: &Presentation<'_>) -> String {
    presentation.outline(|outline| print::print(outline, presentation.words).0)
}
