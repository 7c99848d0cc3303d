//! Text: Markdown that the model, and every client without views, can read.

use super::descriptor::{Preview, Surface, describe_nothing};
use super::loss::Loss;
use super::presentation::Presentation;
use crate::reply::{Reply, clip};

/// The row of plain text in [`SURFACES`](super::SURFACES).
pub const SURFACE: Surface = Surface {
    name: "text",
    extension: "md",
    wants: |_| true,
    describe: describe_nothing,
    describe_page: |_, _| {},
    present,
    render: |presentation| presentation.text().to_owned(),
    preview: |presentation| Preview { format: "markdown", text: presentation.text().to_owned() },
    is_in_every_result: true,
    instances: None,
    page_mime: None,
    challenge: None,
};

fn present(presentation: &Presentation<'_>, reply: &mut Reply) -> Vec<Loss> {
    let text = presentation.own_text.unwrap_or_else(|| presentation.text());
    reply.push_text(clip(text, presentation.max_text_bytes));
    Vec::new()
}
