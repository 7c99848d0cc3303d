//! Events for the fold: while a program writes the JSON, it also reports to the fold what it writes. Every
//! result carries its text, and parsing the JSON again to fold it costs more than writing it. So the prepared
//! text of a program comes with events for what the fold reads of it, with decoded constants, and
//! [`FoldWriter`] builds the fold's tree from them. If the fold needs something without an event (a list of
//! options that is data), it parses the JSON instead.

use std::borrow::Cow;

use super::expr::Val;
use crate::outline::Roles;
use crate::text;
use crate::tree::compact::{ComponentEnd, Key, NodeValue, TextRef, TreeBuilder, is_integer};
use crate::tree::component::Want;
use crate::words::Words;

/// What the fold reads at one position of the prepared text.
#[derive(Debug)]
pub(super) enum FoldEvent {
    Constant(Key, Constant),
    BeginList(Key),
    BeginObject(Key),
    /// Ends the current list or object in a prop.
    End,
    /// Ends the current component.
    EndComponent(ComponentEnd),
    /// A constant part of a text with printed values.
    TextPart(Box<str>),
    /// Ends such a text.
    EndText(Key),
}

/// A constant, decoded.
#[derive(Debug)]
pub(super) enum Constant {
    Bool(bool),
    /// As raw JSON.
    Number(Box<str>),
    /// A text without control characters.
    Text(Box<str>),
    /// A text with control characters, which may be line breaks.
    ControlText(Box<str>),
}

impl Constant {
    /// Parses a JSON scalar; `None` for anything else.
    pub(super) fn read(json: &str) -> Option<Self> {
        Some(match json {
            "true" => Self::Bool(true),
            "false" => Self::Bool(false),
            text if text.starts_with('"') => {
                let text: Box<str> = serde_json::from_str(text).ok()?;
                match text.contains(char::is_control) {
                    true => Self::ControlText(text),
                    false => Self::Text(text),
                }
            }
            number => {
                serde_json::from_str::<serde_json::Number>(number).ok()?;
                Self::Number(number.into())
            }
        })
    }
}

/// The key by which the fold reads a member, if any. It reads fewer members of an object in a prop than of a
/// component.
pub(super) fn fold_key(name: &str, is_component: bool) -> Option<Key> {
    match Key::of(name) {
        Key::Other => None,
        // The end of the component contains its type.
        Key::Type if is_component => None,
        Key::Children | Key::Data if !is_component => None,
        key => Some(key),
    }
}

/// Builds the fold's tree from events and values.
pub(super) struct FoldWriter<'a> {
    tree: TreeBuilder<'a>,
    /// The current text.
    text: String,
}

impl<'a> FoldWriter<'a> {
    /// With room for about this many values.
    pub(super) fn with_capacity(values: usize) -> Self {
        Self { tree: TreeBuilder::with_capacity(values), text: String::new() }
    }

    /// Folds everything written.
    pub(super) fn into_text(self, roles: &Roles) -> String {
        text::of_tree(&self.tree.finish(), roles, Words::default())
    }

    pub(super) fn events(&mut self, events: &'a [FoldEvent]) {
        for event in events {
            match event {
                FoldEvent::Constant(key, constant) => self.constant(*key, constant),
                FoldEvent::BeginList(key) => self.tree.begin(*key, NodeValue::List),
                FoldEvent::BeginObject(key) => self.tree.begin(*key, NodeValue::Object("")),
                FoldEvent::End => self.tree.end(),
                FoldEvent::EndComponent(end) => self.tree.end_component(end),
                FoldEvent::TextPart(part) => self.text.push_str(part),
                FoldEvent::EndText(key) => {
                    let text = std::mem::take(&mut self.text);
                    self.tree.push_text(*key, text.into());
                }
            }
        }
    }

    fn constant(&mut self, key: Key, constant: &'a Constant) {
        match constant {
            Constant::Bool(flag) => _ = self.tree.push(key, NodeValue::Bool(*flag)),
            Constant::Number(number) => _ = self.tree.push_number(key, number),
            Constant::Text(text) => {
                self.tree.push(key, NodeValue::Text(TextRef::Borrowed(text)));
            }
            Constant::ControlText(text) => self.tree.push_text(key, Cow::Borrowed(text)),
        }
    }

    /// A value printed into the current text.
    pub(super) fn text_part(&mut self, part: &str) {
        self.text.push_str(part);
    }

    /// The value of a prop. `None` if only its JSON can be folded.
    pub(super) fn value(&mut self, key: Key, value: Val<'a>, want: &Want) -> Option<()> {
        match value {
            Val::Undefined | Val::Nothing | Val::Null => {}
            Val::Bool(flag) => _ = self.tree.push(key, NodeValue::Bool(flag)),
            Val::Str(text) => self.tree.push_text(key, text),
            number @ (Val::Int(_) | Val::Float(_)) => {
                let text = number.text()?;
                let is_integer = is_integer(&text);
                let text = self.tree.text(text);
                let value = match want.takes_number() {
                    true if is_integer => NodeValue::Integer(text),
                    true => NodeValue::Number(text),
                    false => NodeValue::Text(text),
                };
                self.tree.push(key, value);
            }
            Val::Json(_) => return None,
        }
        Some(())
    }
}
