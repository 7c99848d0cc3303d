//! Buttons and what they do: submit, or open a link.

use serde_json::{Value, json};

use super::builder::Builder;
use super::layout::{ACTIONS, is_one_line};
use crate::surface::node::{icon_words, link, one_line, text};

/// Sets of actions at a side.
fn sets(mut actions: Vec<Value>, side: Option<&str>) -> Vec<Value> {
    let mut sets = Vec::new();
    while !actions.is_empty() {
        let rest = actions.split_off(ACTIONS.min(actions.len()));
        let mut set = json!({"type": "ActionSet"});
        set["actions"] = std::mem::replace(&mut actions, rest).into();
        if let Some(side) = side {
            set["horizontalAlignment"] = side.into();
        }
        if !sets.is_empty() {
            set["spacing"] = "Small".into();
        }
        sets.push(set);
    }
    sets
}

impl<'v> Builder<'v> {
    /// Buttons in one set, at a side; below a centred head those that are as wide as the card are centred.
    pub(super) fn buttons(
        &mut self,
        nodes: &[(&'v Value, String)],
        side: Option<&str>,
    ) -> Vec<Value> {
        let is_wide = nodes.iter().all(|(node, _)| node["block"] == true);
        let side = side.or((self.is_centred && is_wide).then_some("Center"));
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
            self.submits += usize::from(node["submit"] == true);
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
        // Lines of unlike length at the right would be a staircase.
        let side = side.filter(|side| *side == "Center" || is_one_line(&actions));
        sets(actions, side)
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
