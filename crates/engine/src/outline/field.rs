//! Fields of forms.

use super::action::Action;
use super::span::Line;
use crate::tree::component::ComponentType;
use crate::tree::{Key, Node};

/// A field of a form.
#[derive(Debug)]
pub struct Field<'t> {
    /// The index of its component.
    pub at: u32,
    /// The kind of its value.
    pub kind: FieldKind,
    /// The name under which its value is submitted.
    pub name: &'t str,
    /// Its label: that of its `Label`, or its own; empty if it has none.
    pub label: &'t str,
    /// Its accessible name; empty if that is the label.
    pub aria: &'t str,
    /// The line above or next to it, which serves as its label if it has none.
    pub above: Option<Line>,
    /// The small line directly below it or its label: the hint.
    pub below: Option<Line>,
    /// The nearest line before it, for hosts that require a label, if it has none of these.
    pub near: Option<Line>,
    /// Its placeholder; empty if it has none.
    pub hint: &'t str,
    /// Its default value; empty if it has none.
    pub value: &'t str,
    /// Whether a checkbox is checked by default.
    pub is_checked: bool,
    /// Whether it is required.
    pub is_required: bool,
    /// Whether it is disabled.
    pub is_disabled: bool,
    /// The pattern that the whole value must match; empty if there is none.
    pub pattern: &'t str,
    /// The earliest allowed date; empty if there is none.
    pub min: &'t str,
    /// The latest allowed date; empty if there is none.
    pub max: &'t str,
    /// The options.
    pub choices: Vec<Choice<'t>>,
    /// The action that runs when its value changes.
    pub change: Option<Action<'t>>,
}

/// What a field asks for.
#[derive(Clone, Copy, Debug)]
pub enum Question<'t> {
    /// A line next to it.
    Line(Line),
    /// A text of its own; empty if it has none.
    Text(&'t str),
}

/// The kind of a field's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// A line of text.
    Text,
    /// An e-mail address.
    Email,
    /// A number.
    Number,
    /// A telephone number.
    Tel,
    /// A URL.
    Url,
    /// A password.
    Password,
    /// Several lines of text.
    Lines,
    /// One of several options, in a menu.
    Select,
    /// One of several options, all visible.
    Radio,
    /// A date.
    Date,
    /// A checkbox.
    Checkbox,
}

/// An option.
#[derive(Clone, Copy, Debug)]
pub struct Choice<'t> {
    /// Its value.
    pub value: &'t str,
    /// Its label.
    pub label: &'t str,
    /// Its description; empty if it has none.
    pub description: &'t str,
    /// Whether it is disabled.
    pub is_disabled: bool,
}

impl<'t> Field<'t> {
    /// The name under which a field is submitted.
    pub(super) fn name_of(node: Node<'t>) -> Option<&'t str> {
        match node.get(Key::Editable) {
            Some(about) if node.is(ComponentType::Text) => about.text(Key::Name),
            _ => node.text(Key::Name),
        }
    }

    /// The field of a component, if it is one.
    pub fn of(node: Node<'t>) -> Option<Self> {
        let kind = match node.kind() {
            ComponentType::Input => match node.text(Key::InputType) {
                Some("email") => FieldKind::Email,
                Some("number") => FieldKind::Number,
                Some("tel") => FieldKind::Tel,
                Some("url") => FieldKind::Url,
                Some("password") => FieldKind::Password,
                _ => FieldKind::Text,
            },
            ComponentType::Textarea => FieldKind::Lines,
            ComponentType::Select => FieldKind::Select,
            ComponentType::RadioGroup => FieldKind::Radio,
            ComponentType::DatePicker => FieldKind::Date,
            ComponentType::Checkbox => FieldKind::Checkbox,
            ComponentType::Text if node.get(Key::Editable)?.is_object() => FieldKind::Text,
            _ => return None,
        };
        // The prop describes the field of an editable text, except for its value.
        let about = node.get(Key::Editable).filter(|_| node.is(ComponentType::Text));
        let (about, value) = match about {
            Some(about) => (about, Key::Value),
            None => (node, Key::DefaultValue),
        };
        let text = |key| about.text(key).unwrap_or_default();
        let choices = node.get(Key::Options).into_iter().flat_map(Node::list);
        Some(Self {
            at: node.index(),
            kind,
            name: text(Key::Name),
            label: node.text(Key::Label).unwrap_or_default(),
            aria: node.text(Key::AriaLabel).unwrap_or_default(),
            above: None,
            below: None,
            near: None,
            hint: text(Key::Placeholder),
            value: node.text(value).unwrap_or_default(),
            is_checked: node.flag(Key::DefaultChecked),
            is_required: about.flag(Key::Required),
            is_disabled: node.flag(Key::Disabled),
            pattern: text(Key::Pattern),
            min: text(Key::Min),
            max: text(Key::Max),
            choices: choices.filter_map(Choice::of).collect(),
            change: Action::of(node, node.get(Key::OnChangeAction)),
        })
    }

    /// What it asks for: its label, the line that names it, its accessible name or its placeholder.
    pub fn question(&self) -> Question<'t> {
        let text = |name: &'t str| Some(name).filter(|name| !name.trim().is_empty());
        match (text(self.label), self.above) {
            (None, Some(line)) => Question::Line(line),
            (label, _) => {
                let name = label.or(text(self.aria)).or(text(self.hint));
                Question::Text(name.unwrap_or_default())
            }
        }
    }

    /// Whether it has neither a label nor a line next to it.
    pub(super) fn is_unnamed(&self) -> bool {
        self.label.is_empty() && self.above.is_none()
    }

    /// Whether its placeholder is all that says what it asks for.
    pub fn is_named_by_hint(&self) -> bool {
        self.is_unnamed() && self.aria.is_empty()
    }

    /// Whether its value is a single line.
    pub fn fits_line(&self) -> bool {
        self.kind == FieldKind::Password || !self.value.trim().contains('\n')
    }

    /// The option that is selected by default.
    pub fn chosen(&self) -> Option<&Choice<'t>> {
        self.choices.iter().find(|choice| !self.value.is_empty() && choice.value == self.value)
    }

    /// The date of its value, with the time unless it is midnight.
    pub fn date(&self) -> (&'t str, &'t str) {
        match self.value.split_once('T') {
            Some((day, time)) if time.starts_with("00:00") => (day, ""),
            Some((day, time)) => (day, time.get(..5).unwrap_or(time)),
            None => (self.value, ""),
        }
    }
}

/// The day of a date or timestamp, as `2027-03-18`; none if it is not a date.
pub fn day(text: &str) -> Option<&str> {
    let day = text.split('T').next()?;
    let mut parts = day.split('-');
    for (length, most) in [(4, 9999), (2, 12), (2, 31)] {
        let part = parts.next().filter(|part| part.len() == length && !part.starts_with('+'))?;
        part.parse::<u32>().ok().filter(|part| (1..=most).contains(part))?;
    }
    parts.next().is_none().then_some(day)
}

impl<'t> Choice<'t> {
    fn of(option: Node<'t>) -> Option<Self> {
        Some(Self {
            value: option.get(Key::Value).map_or("", Node::scalar),
            label: option.text(Key::Label)?,
            description: option.text(Key::Description).unwrap_or_default(),
            is_disabled: option.flag(Key::Disabled),
        })
    }
}
