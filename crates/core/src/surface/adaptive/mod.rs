//! Adaptive Cards 1.5, for Teams and Copilot.
//!
//! Every component has a counterpart or a loss. There are no actions on a changed field: a button stands in
//! for them, and a field that no button sends is text. What 1.5 does not have, icons, badges, progress bars
//! and charts, is written as the elements that newer hosts draw, with another form as `fallback`. Plain text
//! that a host could read as Markdown goes into a TextRun, which is never parsed; Markdown is reduced to the
//! subset that hosts show. A card that does not fit into a Teams message is built again with less, see
//! `BUDGETS`.

mod action;
mod builder;
mod field;
mod layout;
mod markdown;
mod newer;
mod row;
mod table;
#[cfg(test)]
mod tests;
mod words;

use serde_json::Value;

use super::descriptor::{Preview, Surface, describe_nothing, pretty};
use super::loss::Loss;
use super::presentation::Presentation;
use crate::reply::Reply;
use builder::{BYTES, Budget, Builder};

/// Tried in turn until the card is small enough.
const BUDGETS: [Budget; 3] = [
    Budget { rows: 50, inline_images: true, fallback: usize::MAX },
    Budget { rows: 50, inline_images: false, fallback: 1000 },
    Budget { rows: 20, inline_images: false, fallback: 1000 },
];

/// Adaptive Cards, as a resource for the bots of Teams and Copilot.
pub const SURFACE: Surface = Surface {
    name: "adaptive-card",
    extension: "json",
    wants: |client| client.takes(MIME),
    describe: describe_nothing,
    describe_page: |_, _| {},
    present,
    render,
    preview: |presentation| Preview::json(render(presentation)),
    is_in_every_result: false,
    instances: None,
    page_mime: None,
    challenge: None,
};

/// The MIME type of an Adaptive Card.
pub const MIME: &str = "application/vnd.microsoft.card.adaptive";

fn render(presentation: &Presentation<'_>) -> String {
    pretty(&adaptive_card(presentation.tree()).0)
}

fn present(presentation: &Presentation<'_>, reply: &mut Reply) -> Vec<Loss> {
    let card = Card::of(presentation.tree());
    let uri = format!("card://adaptive/{}/{}", presentation.tool, presentation.id);
    reply.push_resource(&uri, MIME, card.json);
    card.losses
}

/// A card, and its JSON: whether it fits is known only once it is written.
struct Card {
    tree: Value,
    json: String,
    losses: Vec<Loss>,
}

impl Card {
    fn of(tree: &Value) -> Self {
        let fallback = widgetcast_engine::tree::fold(tree);
        let build = |budget| {
            let (tree, losses) = Builder::new(tree, budget).card(tree, &fallback);
            // A tree of JSON can always be written.
            let json = serde_json::to_string(&tree).unwrap_or_default();
            Self { tree, json, losses }
        };
        let [first, rest @ ..] = &BUDGETS;
        let mut card = build(first);
        for budget in rest {
            if card.json.len() <= BYTES {
                return card;
            }
            card = build(budget);
        }
        if card.json.len() > BYTES {
            let reason = format!("the card is larger than the {BYTES} bytes Teams takes");
            card.losses.push(Loss::new("", reason));
        }
        card
    }
}

/// Turns a tree into an Adaptive Card, and returns what it cannot show.
///
/// A button submits `{"action": type, "payload": …}` together with the fields; an action that
/// opens an `https` address becomes a link.
pub fn adaptive_card(tree: &Value) -> (Value, Vec<Loss>) {
    let Card { tree, losses, .. } = Card::of(tree);
    (tree, losses)
}
