//! Adaptive Cards 1.5, for Teams and Copilot.

mod across;
mod action;
mod chart;
mod field;
mod icon;
mod item;
mod json;
mod line;
mod markdown;
mod print;
mod printer;
mod survey;
mod table;
#[cfg(test)]
mod tests;
mod text;

use serde_json::{Value, json};
use widgetcast_engine::outline::Outline;
use widgetcast_engine::template::unmark;
use widgetcast_engine::tree::CompactTree;
use widgetcast_engine::words::Words;

use super::descriptor::{Preview, Surface, pretty_text};
use super::host_template::{Fault, HostTemplate};
use super::loss::Loss;
use super::presentation::Presentation;
use crate::reply::Reply;

/// Adaptive Cards, as a resource for the bots of Teams and Copilot.
pub const SURFACE: Surface = Surface {
    name: "adaptive-card",
    aliases: &["teams"],
    file_extension: "json",
    wants: |client| client.takes(MIME),
    present,
    losses,
    render: |presentation| pretty_text(&card(presentation)),
    preview: |presentation| Preview::json(pretty_text(&card(presentation))),
    template: Some(&TEMPLATE),
    client: || {
        (
            "teams",
            json!({ "extensions": { "com.microsoft/adaptive-cards": { "mimeTypes": [MIME] } } }),
        )
    },
    ..Surface::PLAIN
};

/// The MIME type of an Adaptive Card.
pub const MIME: &str = "application/vnd.microsoft.card.adaptive";

static TEMPLATE: HostTemplate = HostTemplate {
    suffix: ".adaptive",
    key: "body",
    gives: "this card",
    read: |rendered| Ok(unmarked(rendered)),
    validate,
};

/// What every host would refuse of a card.
fn validate(card: &Value) -> Vec<Fault> {
    let fault = |path: &str, rule: &str| Fault { path: path.into(), rule: rule.into() };
    let mut faults = Vec::new();
    if card["type"] != "AdaptiveCard" {
        faults.push(fault("type", "must be AdaptiveCard"));
    }
    if !card["version"].is_string() {
        faults.push(fault("version", "must be a string such as \"1.5\""));
    }
    match card["body"].as_array() {
        None => faults.push(fault("body", "must be a list of elements")),
        Some(body) => {
            for (index, element) in body.iter().enumerate().filter(|(_, e)| !e["type"].is_string())
            {
                _ = element;
                faults.push(fault(&format!("body[{index}].type"), "is missing"));
            }
        }
    }
    if card.to_string().len() > printer::BYTES {
        faults.push(fault("", "is larger than Teams takes"));
    }
    faults
}

/// Data in a card is shown as it is.
fn unmarked(value: Value) -> Value {
    let plain = |text: &str| unmark(text, |letter, out| out.push(letter));
    match value {
        Value::String(text) => plain(&text).into(),
        Value::Array(items) => items.into_iter().map(unmarked).collect(),
        Value::Object(members) => {
            members.into_iter().map(|(key, value)| (plain(&key), unmarked(value))).collect()
        }
        other => other,
    }
}

/// The card as JSON: the author's, else one printed from the outline.
fn card(presentation: &Presentation<'_>) -> String {
    match presentation.own(&TEMPLATE) {
        Some(Ok(own)) => own.to_string(),
        _ => presentation.outline(|outline| print::print(outline, presentation.words).0),
    }
}

fn losses(presentation: &Presentation<'_>) -> Vec<Loss> {
    let faults = match presentation.own(&TEMPLATE) {
        Some(Ok(_)) => return Vec::new(),
        Some(Err(faults)) => faults,
        None => Vec::new(),
    };
    let mut losses = presentation.outline(|outline| {
        let (_, lost) = print::print(outline, presentation.words);
        Loss::all(outline, &print::LACK, lost)
    });
    losses.extend(Loss::refused("card", faults));
    losses
}

fn present(presentation: &Presentation<'_>, reply: &mut Reply) {
    let uri = format!("card://adaptive/{}/{}", presentation.tool, presentation.id);
    reply.push_resource(&uri, MIME, card(presentation));
}

/// Converts a tree into an Adaptive Card, and returns what it cannot show.
///
/// A button submits `{"action": type, "payload": …}` together with the fields; an action that
/// opens an `https` address becomes a link.
pub fn adaptive_card(tree: &Value) -> (Value, Vec<Loss>) {
    let json = tree.to_string();
    let tree = CompactTree::read(&json);
    let outline = Outline::of(&tree, &Default::default());
    let (card, lost) = print::print(&outline, Words::default());
    (serde_json::from_str(&card).unwrap_or_default(), Loss::all(&outline, &print::LACK, lost))
}
