//! Text: Markdown that the model, and every client without views, can read.

use super::descriptor::{Preview, Surface};
use super::loss::Loss;
use super::presentation::Presentation;
use crate::reply::{Reply, clip};
use serde_json::Value;
use widgetcast_engine::outline::{Lack, Roles};
use widgetcast_engine::signs::sign;
use widgetcast_engine::text;
use widgetcast_engine::words::Words;

/// The row of plain text in [`SURFACES`](super::SURFACES).
pub const SURFACE: Surface = Surface {
    name: "text",
    aliases: &["markdown"],
    file_extension: "md",
    wants: |_| true,
    present,
    losses: |presentation| presentation.outline(|outline| Loss::all(outline, &LACK, Vec::new())),
    render: |presentation| presentation.text().to_owned(),
    preview: |presentation| Preview { format: "markdown", text: presentation.text().to_owned() },
    is_in_every_result: true,
    client: || ("text", serde_json::json!({})),
    ..Surface::PLAIN
};

fn present(presentation: &Presentation<'_>, reply: &mut Reply) {
    let text = presentation.own_text.unwrap_or_else(|| presentation.text());
    reply.push_text(clip(text, presentation.max_text_bytes));
}

/// The Markdown of a tree.
///
/// ```
/// let tree = serde_json::json!({"type": "Card", "children": [{"type": "Title", "value": "Order 7"}]});
/// assert_eq!(widgetcast_core::text_of(&tree), "## Order 7");
/// ```
pub fn text_of(tree: &Value) -> String {
    text::of_json(&tree.to_string(), &Roles::default(), Words::default())
}

const LACK: Lack = Lack {
    picture: |_| Some("the image is not shown"),
    shows_icon: |icon| sign(icon).is_some_and(|sign| sign.is_statement),
    shows_colors: false,
    shows_badge_colors: false,
    shows_swatches: true,
    chart: |_| Some("the chart is shown as a table".to_owned()),
    shows_disabled: true,
    is_interactive: false,
    field: |_| None,
};
