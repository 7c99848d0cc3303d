//! `card` blocks, alone or in a carousel: only where nothing has to be clamped or left out.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::button::{label, style};
use super::compiler::{Compiler, Scope};
use super::component::{self, children, text};
use super::group::{Group, group};
use super::object::marked;
use super::{action, limit};
use crate::surface::node;

impl<'v> Compiler<'v> {
    /// A `card` block for a card that is an image, a few lines and a few buttons.
    pub(super) fn whole_card(node: &'v Value, at: &str, scope: Scope<'v>) -> Option<Value> {
        // Most messages have none or several pictures: they need not be read twice to know it.
        if !node["status"].is_null() || images(node) != 1 {
            return None;
        }
        let mut whole = Group::default();
        for (child, at) in children(node, at) {
            let part = group(child, &at)?;
            whole.unseen.extend(part.unseen);
            whole.lines.extend(part.lines);
            whole.images.extend(part.images);
            whole.buttons.extend(part.buttons);
        }
        let mut ends = Vec::new();
        for (key, style) in [("confirm", Some("primary")), ("cancel", None)] {
            if node[key].is_object() {
                ends.push(fitting_button(
                    &text(&node[key], "label")?,
                    &node[key]["action"],
                    style,
                )?);
            }
        }
        small_card(&whole, ends, scope)
    }

    /// Several small cards side by side become a carousel.
    pub(super) fn basic(&mut self, node: &'v Value, at: &str, scope: Scope<'v>) {
        let cards: Vec<_> = children(node, at).collect();
        let made: Option<Vec<Value>> = (2..=limit::CARDS)
            .contains(&cards.len())
            .then(|| {
                let whole = |(card, at): &(&'v Value, String)| {
                    (card["type"] == "Card").then(|| Self::whole_card(card, at, scope)).flatten()
                };
                cards.iter().map(whole).collect()
            })
            .flatten();
        match made {
            Some(cards) => self.out.push(json!({"type": "carousel", "elements": cards}), at),
            None => self.each(node, at, scope),
        }
    }

    pub(super) fn list(&mut self, node: &'v Value, at: &str, scope: Scope<'v>) {
        self.status(node, at);
        let items: Vec<_> = children(node, at).collect();
        let made: Option<Vec<Value>> = (2..=limit::CARDS)
            .contains(&items.len())
            .then(|| items.iter().map(|(item, at)| item_card(item, at, scope)).collect())
            .flatten();
        match made {
            Some(cards) => self.out.push(json!({"type": "carousel", "elements": cards}), at),
            None => {
                let is_link = |(item, _): &(&Value, String)| {
                    let click = &item["onClickAction"];
                    click.is_null() || action::link(click).is_some()
                };
                let scope = Scope { in_links: items.iter().all(is_link), ..scope };
                for (index, (item, at)) in items.iter().enumerate() {
                    if index > 0 && self.out.ends_small() {
                        self.out.rule();
                    }
                    self.node(item, at, scope);
                }
            }
        }
    }
}

/// How many pictures a component has in it.
fn images(node: &Value) -> usize {
    let own = usize::from(node["type"] == "Image");
    own + node::children(node).iter().map(images).sum::<usize>()
}

/// A list item with a picture and a title as a card.
fn item_card<'v>(item: &'v Value, at: &str, scope: Scope<'v>) -> Option<Value> {
    let group = group(item, at)?;
    let click = item.get("onClickAction").filter(|action| action.is_object());
    let open = match click {
        Some(action) => Some(fitting_button("Open", action, None)?),
        None => None,
    };
    small_card(&group, open.into_iter().collect(), scope)
}

/// A `card` block, only if nothing has to be clamped or left out.
fn small_card(group: &Group<'_>, ends: Vec<Value>, scope: Scope<'_>) -> Option<Value> {
    let ([(image, _)], []) = (group.images.as_slice(), group.unseen.as_slice()) else {
        return None;
    };
    let (title, rest) = group.lines.split_first()?;
    let hero = component::picture(image, Some(title.trim_matches('*')))?;
    let mut card = json!({"type": "card", "hero_image": hero, "title": marked(title)});
    let (subtitle, body) = match rest.split_first() {
        Some((subtitle, body)) => (subtitle.clone(), body.join("\n")),
        None => (String::new(), String::new()),
    };
    let limits =
        [(title, limit::CARD_TITLE), (&subtitle, limit::CARD_TITLE), (&body, limit::CARD_BODY)];
    if limits.iter().any(|(text, most)| limit::len(text) > *most) {
        return None;
    }
    for (key, text) in [("subtitle", subtitle), ("body", body)] {
        if !text.is_empty() {
            card[key] = marked(&text);
        }
    }
    let mut buttons = Vec::new();
    for (node, _) in &group.buttons {
        let plain = node["disabled"] != true && !(node["submit"] == true && scope.submit.is_some());
        buttons.push(
            plain.then(|| fitting_button(&label(node), &node["onClickAction"], style(node)))??,
        );
    }
    buttons.extend(ends);
    let mut ids = HashSet::new();
    let unique =
        buttons.iter().filter_map(|b| b["action_id"].as_str()).all(|id| ids.insert(id.to_owned()));
    if !unique || buttons.len() > limit::CARD_BUTTONS {
        return None;
    }
    if !buttons.is_empty() {
        card["actions"] = buttons.into();
    }
    Some(card)
}

/// A button, only if Slack takes its label and its action as they are.
fn fitting_button(label: &str, action: &Value, style: Option<&str>) -> Option<Value> {
    let fits = (1..=limit::BUTTON_TEXT).contains(&limit::len(label));
    action::button(label, action, style).ok().filter(|_| fits)
}
