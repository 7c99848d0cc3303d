//! Buttons: their label, the action they send, and the text in their place where Slack has no button.

use serde_json::Value;

use super::compiler::{Compiler, Scope};
use super::component::text;
use super::{action, glyph, limit, mrkdwn};

impl<'v> Compiler<'v> {
    pub(super) fn buttons(&mut self, buttons: Vec<(&'v Value, String)>, scope: Scope<'v>) {
        for (button, at) in buttons {
            if self.placed.contains(&at) {
                continue;
            }
            match self.button_or_label(button, &at, scope) {
                Ok(made) => self.press(made, &at, scope),
                Err(label) => self.out.small(&label, &at),
            }
        }
    }

    /// A button element, or its label as text if it is disabled or has no action that Slack can send.
    pub(super) fn button_or_label(
        &mut self,
        node: &'v Value,
        at: &str,
        scope: Scope<'v>,
    ) -> Result<Value, String> {
        let label = label(node);
        let action = sent(node, scope);
        let as_text = format!("[{}]", mrkdwn::escape(&label));
        if node["disabled"] == true {
            self.out.lose(at, "shown as text: Slack has no disabled buttons");
            self.submits += usize::from(node["submit"] == true);
            return Err(as_text);
        }
        if node["submit"] == true {
            self.submits += 1;
            if scope.submit.is_some() && node["onClickAction"].is_object() {
                self.out.lose(at, "its own action is dropped: it sends the form's");
            }
        }
        self.action_button(&label, action, style(node), at).ok_or(as_text)
    }

    /// A button for an action; none, and a loss, if Slack cannot send it.
    pub(super) fn action_button(
        &mut self,
        label: &str,
        action: &Value,
        style: Option<&str>,
        at: &str,
    ) -> Option<Value> {
        match action::button("", action, style) {
            Ok(mut button) => {
                let label = self.out.fit(label, limit::BUTTON_TEXT, "a button", at);
                button["text"]["text"] = label.into();
                Some(button)
            }
            Err(reason) => {
                self.out.lose(at, reason);
                None
            }
        }
    }

    /// A button of an item stays with it, any other goes into the block at the end.
    pub(super) fn press(&mut self, button: Value, at: &str, scope: Scope<'v>) {
        match scope.in_item {
            true => self.out.button(button, at),
            false => self.out.action(button, at),
        }
    }

    /// Appends a button, or its label as text if there is none.
    pub(super) fn push_button(
        &mut self,
        made: Option<Value>,
        label: &str,
        at: &str,
        scope: Scope<'v>,
    ) {
        match made {
            Some(button) => self.press(button, at, scope),
            None => self.out.small(&format!("[{}]", mrkdwn::escape(label)), at),
        }
    }
}

/// A button's label; without one it is named after its icon or action.
pub(super) fn label(node: &Value) -> String {
    let named = || {
        let icon = node["iconStart"].as_str().or_else(|| node["iconEnd"].as_str());
        let kind = node["onClickAction"]["type"].as_str();
        icon.or(kind).map(glyph::words).filter(|words| !words.is_empty())
    };
    text(node, "label").or_else(named).unwrap_or_else(|| "Submit".to_owned())
}

/// The action of a button.
pub(super) fn sent<'v>(node: &'v Value, scope: Scope<'v>) -> &'v Value {
    scope.submit.filter(|_| node["submit"] == true).unwrap_or(&node["onClickAction"])
}

pub(super) fn style(node: &Value) -> Option<&'static str> {
    // A quiet button stays quiet: Slack fills those that have a style.
    let is_quiet = matches!(node["variant"].as_str(), Some("ghost" | "outline"));
    match (node["color"].as_str(), node["style"].as_str(), node["submit"] == true) {
        (Some("danger"), _, _) if is_quiet => None,
        (Some("danger"), _, _) => Some("danger"),
        (_, Some("primary"), _) | (Some("primary"), None, _) | (_, None, true) => Some("primary"),
        _ => None,
    }
}
