//! Buttons and what they do: submit, or open a link.

use serde_json::{Value, json};

use super::builder::Builder;
use crate::surface::node::{icon_words, link, one_line, text};

/// Hosts show five actions of a set and drop the rest.
const ACTIONS: usize = 5;
/// The room inside a card on the narrowest phone, and of a button its letters and what is around them.
const WIDTH: usize = 288;
const LETTER: usize = 8;
const AROUND: usize = 30;

/// Sets of actions that fit side by side on a phone: hosts cut off what does not.
fn sets(actions: Vec<Value>) -> Vec<Value> {
    let width = |action: &Value| {
        action["title"].as_str().map_or(0, |title| title.chars().count()) * LETTER + AROUND
    };
    let mut sets: Vec<Vec<Value>> = Vec::new();
    let mut left = 0;
    for action in actions {
        let wide = width(&action);
        match sets.last_mut() {
            Some(set) if set.len() < ACTIONS && wide <= left => set.push(action),
            _ => {
                sets.push(vec![action]);
                left = WIDTH;
            }
        }
        left = left.saturating_sub(wide);
    }
    let set = |(index, actions): (usize, Vec<Value>)| {
        let mut set = json!({"type": "ActionSet"});
        set["actions"] = actions.into();
        if index > 0 {
            set["spacing"] = "Small".into();
        }
        set
    };
    sets.into_iter().enumerate().map(set).collect()
}

impl<'v> Builder<'v> {
    pub(super) fn buttons(&mut self, nodes: &[(&'v Value, String)]) -> Vec<Value> {
        let mut actions = Vec::new();
        for (node, at) in nodes {
            let icon = || {
                let icon = text(node, "iconStart").or_else(|| text(node, "iconEnd"))?;
                Some(icon_words(&icon))
            };
            let Some(label) = text(node, "label").or_else(icon) else {
                self.lose(at, "a button needs a label");
                continue;
            };
            let sent = node.get("onClickAction").or(self.submit.filter(|_| node["submit"] == true));
            let mut action = self.action(&one_line(&label), sent);
            let is_main = node["style"] == "primary"
                || node["submit"] == true
                || node["variant"] == "solid" && node["color"] == "primary";
            if node["color"] == "danger" {
                action["style"] = "destructive".into();
            } else if is_main {
                action["style"] = "positive".into();
            }
            if node["disabled"] == true {
                action["isEnabled"] = false.into();
            }
            actions.push(action);
        }
        sets(actions)
    }

    /// An action under its title: a link if it opens one, else a submission.
    pub(super) fn action(&mut self, title: &str, action: Option<&Value>) -> Value {
        let Some(action) = action else {
            return json!({"type": "Action.Submit", "title": title, "isEnabled": false});
        };
        if let Some(url) = link(action) {
            return json!({"type": "Action.OpenUrl", "title": title, "url": url});
        }
        let mut data = json!({"action": action["type"]});
        if let Some(payload) = action.get("payload") {
            data["payload"] = payload.clone();
        }
        json!({"type": "Action.Submit", "title": title, "data": data})
    }
}
