//! What buttons do.

use super::rules::fired;
use super::span::push_one_line;
use crate::tree::{Key, Node};
use crate::words::{Word, Words};

/// A button, or the action of a clickable item.
#[derive(Clone, Copy, Debug, Default)]
pub struct Action<'t> {
    /// The index of its component.
    pub at: u32,
    /// Its label; empty if it has none.
    pub label: &'t str,
    /// The name of its icon; empty if it has none.
    pub icon: &'t str,
    /// The type of the action, often the name of a tool; empty if there is no action.
    pub name: &'t str,
    /// The payload of the action as JSON; empty if it has none.
    pub payload: &'t str,
    /// The URL that it opens, if it opens one.
    pub link: Option<&'t str>,
    /// Whether it submits the fields of its form.
    pub is_submit: bool,
    /// Whether it is the primary button.
    pub is_primary: bool,
    /// Whether it cancels: the second button of a card.
    pub is_cancel: bool,
    /// Whether it is destructive.
    pub is_danger: bool,
    /// Whether it is disabled.
    pub is_disabled: bool,
    /// How much its variant stands out; 0 if it has none.
    pub(super) variant: u8,
    /// Whether `is_primary` was set explicitly.
    pub(super) is_styled: bool,
}

impl<'t> Action<'t> {
    /// The action in a prop of a component, without a label.
    pub(super) fn of(node: Node<'t>, action: Option<Node<'t>>) -> Option<Self> {
        let action = action.filter(|action| action.is_object())?;
        let payload = action.get(Key::Payload);
        Some(Self {
            at: node.index(),
            name: action.text(Key::Type).unwrap_or_default(),
            payload: payload.map_or("", Node::json),
            link: link(action, payload),
            ..Self::default()
        })
    }

    /// The text on the button: its icon, as the host shows it, and its label; without both, the name of the
    /// icon or a generic label.
    pub fn caption(&self, icon: &str, words: Words) -> String {
        let name = self.icon_name();
        let own = match (self.label.trim(), icon, &name[..]) {
            ("", "", "") if self.is_submit => words.get(Word::Submit),
            ("", "", "") => words.get(Word::Open),
            ("", "", name) => name,
            (label, ..) => label,
        };
        let mut caption = String::from(icon);
        caption.push_str(if icon.is_empty() || own.is_empty() { "" } else { " " });
        push_one_line(own, &mut caption);
        caption
    }

    /// The name of its icon as text, for a button without a label: `chevron left`.
    fn icon_name(&self) -> String {
        let name = self.icon.rsplit(':').next().unwrap_or_default();
        let name = name.trim_end_matches(|c: char| c == '-' || c.is_ascii_digit());
        name.replace(['-', '_'], " ")
    }
}

/// Of three or more buttons that run the same action with different payloads and use two variants, makes
/// those with the stronger variant primary. If only some set a style, the style decides.
pub(super) fn mark_strong<'a, 't: 'a>(actions: impl Iterator<Item = &'a mut Action<'t>>) {
    let mut actions: Vec<&mut Action<'t>> = actions.collect();
    let [first, second, _, ..] = &actions[..] else { return };
    let (name, is_styled) = (first.name, first.is_styled);
    let is_one = |action: &&mut Action<'t>| {
        action.name == name && action.is_styled == is_styled && action.link.is_none()
    };
    if name.is_empty() || first.payload == second.payload || !actions.iter().all(is_one) {
        return;
    }
    let variants = || actions.iter().map(|action| action.variant);
    let (least, most) = (variants().min().unwrap_or(0), variants().max().unwrap_or(0));
    if 0 < least && least < most && variants().all(|one| one == least || one == most) {
        fired("strong-button");
        actions.iter_mut().for_each(|action| action.is_primary = action.variant == most);
    }
}

/// How much the variant of a button stands out; 0 if it has none.
pub(super) fn variant(button: Node<'_>) -> u8 {
    match button.text(Key::Variant) {
        Some("ghost") => 1,
        Some("outline") => 2,
        Some("soft") => 3,
        Some("solid") => 4,
        _ => 0,
    }
}

/// The URL that an action opens, as in a view: the `url` of its payload, if its type is named after opening.
fn link<'t>(action: Node<'t>, payload: Option<Node<'t>>) -> Option<&'t str> {
    let url = payload?.text(Key::Url).filter(|url| is_link(url))?;
    let name = action.text(Key::Type)?.to_ascii_lowercase();
    ["open", "link", "url"].iter().any(|word| name.contains(word)).then_some(url)
}

/// Whether users can open a URL: a page, a mail address or a telephone number.
///
/// ```
/// use widgetcast_engine::outline::is_link;
/// assert!(is_link("https://example.com") && is_link("mailto:a@example.com") && is_link("tel:+4930"));
/// assert!(!is_link("http://example.com") && !is_link("tel:") && !is_link("tel:+49 30"));
/// ```
pub fn is_link(url: &str) -> bool {
    let opens = |scheme: &&str| {
        let start = url.get(..scheme.len()).filter(|_| url.len() > scheme.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    };
    ["https://", "mailto:", "tel:"].iter().any(opens)
        && !url.contains(|c: char| c.is_whitespace() || c.is_control())
}
