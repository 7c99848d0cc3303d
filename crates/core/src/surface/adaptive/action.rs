//! Buttons: what they submit, or the address that they open.

use widgetcast_engine::outline::Action;
use widgetcast_engine::signs::sign;
use widgetcast_engine::words::Word;

use super::icon::fluent;
use super::printer::Gap;
use super::printer::{Printer, URL};

/// Hosts show five actions of a set and drop the rest.
const ACTIONS: usize = 5;

impl<'t> Printer<'_, 't> {
    /// Buttons in as few sets as hosts allow; `name` is what they are about.
    pub(super) fn actions(&mut self, actions: &[Action<'t>], name: &str, is_end: bool) {
        // Sets of one length look less like a remainder.
        let each = actions.len().div_ceil(actions.len().div_ceil(ACTIONS).max(1)).max(1);
        for (index, set) in actions.chunks(each).enumerate() {
            if !self.has_room() {
                return self.cut(set[0].at, Word::More, index * each, actions.len());
            }
            if index > 0 {
                self.gap = Gap::of("Small");
            }
            self.open("ActionSet");
            if is_end {
                self.string("horizontalAlignment", "Right");
            }
            self.items("actions");
            set.iter().for_each(|action| self.button(action, name));
            self.end();
        }
    }

    fn button(&mut self, action: &Action<'t>, name: &str) {
        let glyph = sign(action.icon).filter(|_| action.label.is_empty());
        let title = action.caption(glyph.map_or("", |sign| sign.glyph), self.words);
        self.open_action(action, &title);
        if let Some(icon) = fluent(action.icon).filter(|_| !action.label.is_empty()) {
            self.string("iconUrl", &format!("icon:{icon}"));
        }
        // Among several buttons with the same label, each names its item.
        let is_one_of_many = self.survey.labels.get(action.label).is_some_and(|count| *count > 1);
        if !name.is_empty() && (is_one_of_many || action.label.is_empty()) {
            self.string("tooltip", name);
        }
        if action.is_danger {
            self.string("style", "destructive");
        } else if action.is_primary || action.is_submit {
            self.string("style", "positive");
        }
        self.close();
    }

    /// What the open group does when it is pressed.
    pub(super) fn press(&mut self, action: &Action<'t>, name: &str) {
        if !action.is_disabled {
            self.key("selectAction");
            self.open_action(
                action,
                if name.is_empty() { self.words.get(Word::Open) } else { name },
            );
            self.close();
        }
    }

    /// An action without its end.
    fn open_action(&mut self, action: &Action<'t>, title: &str) {
        let link = action.link.filter(|url| url.len() <= URL);
        self.open(if link.is_some() { "Action.OpenUrl" } else { "Action.Submit" });
        self.string("title", title);
        let is_too_large =
            self.budget.is_last && action.payload.len() + self.out.len() > self.budget.bytes;
        if let Some(url) = link {
            self.string("url", url);
        } else if is_too_large {
            self.lose(action.at, "the payload of the button is too large for the card");
        } else if !action.name.is_empty() {
            self.key("data");
            self.object();
            self.string("action", action.name);
            if !action.payload.is_empty() {
                self.raw("payload", action.payload);
            }
            self.close();
            // Who does not submit need not fill in the fields.
            if self.survey.has_fields && !action.is_submit {
                self.string("associatedInputs", "none");
            }
        }
        if action.is_disabled || link.is_none() && (is_too_large || action.name.is_empty()) {
            self.raw("isEnabled", "false");
        }
    }
}
