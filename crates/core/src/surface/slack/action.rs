//! Buttons and menus that call tools, and buttons that open links.

use widgetcast_engine::outline::{Action, Item};
use widgetcast_engine::words::Word;

use super::line::emoji;
use super::mrkdwn::MARK;
use super::piece::{Element, Group, member, plain_member, write_list, write_option};
use super::writer::Writer;
use super::{limit, mrkdwn};

/// The longest `action_id` that leaves room for a number behind it.
const ID: usize = limit::ID - 5;

impl<'t> Writer<'_, 't> {
    /// Buttons that belong to no item.
    pub(super) fn actions(&mut self, actions: &[Action<'t>]) {
        let buttons = actions.iter().filter(|action| reason(action).is_none());
        let buttons = buttons.map(|action| self.button(action, "")).collect();
        self.pieces.actions(buttons, Group::Buttons);
        let rest = self.labels(actions);
        self.pieces.context(&rest);
    }

    /// The buttons of an item that can be pressed.
    pub(super) fn buttons<'i>(
        &self,
        item: &'i Item<'t>,
    ) -> impl Iterator<Item = &'i Action<'t>> + use<'i, 't> {
        item.actions.iter().chain(&item.press).filter(|action| reason(action).is_none())
    }

    /// The buttons of an item, in a block of their own.
    pub(super) fn item_buttons(&mut self, item: &Item<'t>) {
        let name = self.outline.name(item);
        let buttons: Vec<Action<'t>> = self.buttons(item).copied().collect();
        // What presses the whole item has neither a label nor an icon of its own.
        let is_bare = |action: &Action<'t>| action.label.is_empty() && action.icon.is_empty();
        let buttons = buttons.iter().map(|action| match is_bare(action) {
            true => self.named_button(action, &name),
            false => self.button(action, &name),
        });
        let buttons = buttons.collect();
        self.pieces.actions(buttons, Group::Item);
    }

    /// The buttons of an item, those that cannot be pressed too.
    pub(super) fn item_actions(&mut self, item: &Item<'t>) {
        self.item_buttons(item);
        let rest = self.unpressable(item);
        self.pieces.context(&rest);
    }

    /// The labels of the buttons of an item that cannot be pressed.
    pub(super) fn unpressable(&mut self, item: &Item<'t>) -> String {
        if let Some((press, reason)) = item.press.and_then(|press| Some((press, reason(&press)?))) {
            self.lose(press.at, reason);
        }
        self.labels(&item.actions)
    }

    /// The labels of those buttons that cannot be pressed.
    pub(super) fn labels(&mut self, actions: &[Action<'t>]) -> String {
        let mut texts: Vec<String> = Vec::new();
        let mut is_disabled = false;
        for action in actions {
            let Some(reason) = reason(action) else { continue };
            self.pieces.see(action.at);
            let label = self.label(action);
            // Slack's buttons open pages alone, its links open mails and calls as well.
            let link = action.link.filter(|_| !action.is_disabled).unwrap_or_default();
            let text = mrkdwn::anchor(link, &label);
            if action.is_disabled {
                is_disabled = true;
            } else if !text.starts_with('<') {
                self.lose(action.at, reason);
            }
            texts.push(text);
        }
        let text = texts.join(MARK);
        match is_disabled {
            true => format!("{text} ({})", self.words.get(Word::Unavailable)),
            false => text,
        }
    }

    /// The label of a button, after its icon unless there is no room for that.
    fn label(&self, action: &Action<'t>) -> String {
        let caption = |icon: &str| mrkdwn::line(&action.caption(icon, self.words));
        let label = caption(&emoji(action.icon));
        let fits = action.label.is_empty() || limit::len(&label) <= limit::BUTTON_TEXT;
        if fits { label } else { caption("") }
    }

    /// A button; one of an item is read out with the name of the item.
    pub(super) fn button(&mut self, action: &Action<'t>, name: &str) -> Element {
        let label = self.label(action);
        let label = self.fit(label, limit::BUTTON_TEXT, action.at);
        self.labelled(action, &label, name)
    }

    /// A button outside of its item, whose label names the item as far as there is room.
    pub(super) fn named_button(&mut self, action: &Action<'t>, name: &str) -> Element {
        let label = self.label(action);
        let named = format!("{label}{MARK}{}", mrkdwn::clean(name));
        if name.is_empty() || limit::len(&label) + MARK.len() > limit::BUTTON_TEXT {
            return self.button(action, name);
        }
        let named = limit::clamp(&named, limit::BUTTON_TEXT).unwrap_or(named);
        self.labelled(action, &named, "")
    }

    fn labelled(&mut self, action: &Action<'t>, label: &str, name: &str) -> Element {
        self.pieces.see(action.at);
        let mut id = String::new();
        let mut members = String::new();
        plain_member("text", label, &mut members);
        if let Some(url) = action.link.filter(|url| limit::is_https(url)) {
            // Without an id: with one, Slackbot would also call a tool.
            member("url", url, &mut members);
        } else {
            id = tool(action);
            member("value", &value(action), &mut members);
        }
        if action.is_danger || action.is_primary {
            member("style", if action.is_danger { "danger" } else { "primary" }, &mut members);
        }
        let name = mrkdwn::clean(name);
        if !name.is_empty() {
            let label = mrkdwn::line(action.label);
            let spoken = if label.is_empty() { name } else { format!("{label}: {name}") };
            let spoken = limit::clamp(&spoken, limit::BUTTON_TEXT).unwrap_or(spoken);
            member("accessibility_label", &spoken, &mut members);
        }
        Element { kind: "button", id, members }
    }

    /// The buttons of an item as a menu with its name.
    pub(super) fn menu(&mut self, item: &Item<'t>) -> Element {
        let buttons: Vec<Action<'t>> = self.buttons(item).copied().collect();
        let name = mrkdwn::clean(&self.outline.name(item));
        let name = if name.is_empty() { self.words.get(Word::Actions).to_owned() } else { name };
        let mut members = String::new();
        let name = limit::clamp(&name, limit::PLACEHOLDER).unwrap_or(name);
        plain_member("placeholder", &name, &mut members);
        members.push_str(",\"options\":");
        write_list(&buttons, &mut members, |action, out| {
            self.pieces.see(action.at);
            let label = self.label(action);
            let label = self.fit(label, limit::OPTION_TEXT, action.at);
            write_option(&label, &value(action), "", out);
        });
        let id = buttons.first().map(tool).unwrap_or_default();
        Element { kind: "static_select", id, members }
    }
}

/// Why Slack has no button for an action.
fn reason(action: &Action<'_>) -> Option<&'static str> {
    let name = action.name.trim();
    if action.is_disabled {
        Some("Slack has no disabled buttons")
    } else if action.link.is_some_and(limit::is_https) {
        None
    } else if action.link.is_some_and(|link| !link.starts_with(['h', 'H'])) {
        Some("shown as a link: Slack buttons can only open web pages")
    } else if name.is_empty() || name.contains(char::is_control) {
        Some("shown as text: its action cannot be called from Slack")
    } else if limit::len(name) + 5 > ID {
        Some("shown as text: the name of its action is too long for Slack")
    } else if limit::len(&value(action)) > limit::VALUE {
        Some("shown as text: Slack accepts at most 2000 characters of payload")
    } else {
        None
    }
}

/// The `action_id` that calls the tool of an action.
pub(super) fn tool(action: &Action<'_>) -> String {
    format!("tool:{}", action.name.trim())
}

/// Whether Slack can call the tool of an action.
pub(super) fn is_callable(action: &Action<'_>) -> bool {
    action.link.is_none() && reason(action).is_none()
}

/// The payload of an action as Slack takes it: JSON without control characters.
pub(super) fn value(action: &Action<'_>) -> String {
    if action.payload.is_empty() {
        return "{}".to_owned();
    }
    let mut out = String::with_capacity(action.payload.len());
    for c in action.payload.chars() {
        match c {
            // These are between the parts of the JSON: inside of strings they are escaped.
            '\n' | '\r' | '\t' => out.push(' '),
            c if c.is_control() => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}
