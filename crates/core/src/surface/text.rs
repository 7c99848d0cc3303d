//! Text: Markdown that the model, and every client without views, can read.

use super::host::{Surface, describe_nothing};
use super::loss::Loss;
use super::showing::Showing;
use crate::reply::Reply;

/// See the module.
pub const SURFACE: Surface = Surface {
    name: "text",
    extension: "md",
    wants: |_| true,
    describe: describe_nothing,
    present,
    draw: |showing| showing.text().to_owned(),
};

fn present(showing: &Showing<'_>, reply: &mut Reply) -> Vec<Loss> {
    reply.push_text(showing.text());
    Vec::new()
}
