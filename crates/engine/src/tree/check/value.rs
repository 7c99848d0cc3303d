//! Values of props, and the members of an object: both a component's and those of an object in a
//! prop, which can hold each other.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::any::AnySeed;
use super::state::{Nulls, Segment, State};
use super::text::TextSeed;
use crate::error::{Kind, Severity};
use crate::habit;
use crate::tree::component::{
    Component, ICONS, Prop, Shape, THEMED_COLOR, Want, find_bit, required_bits,
};
use crate::tree::quote::brief;
use crate::tree::want::OBJECT_HELP;

/// The value of a prop. Returns whether it was null, which matters to the object around it.
pub(super) struct ValueSeed<'s, 'l, 'n> {
    pub state: &'s mut State<'l>,
    pub want: Want,
    /// The object that has the prop, as messages name it.
    pub owner: &'n str,
    pub prop: &'n str,
}

impl<'de> DeserializeSeed<'de> for ValueSeed<'_, '_, '_> {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, de: D) -> Result<bool, D::Error> {
        de.deserialize_any(self)
    }
}

impl ValueSeed<'_, '_, '_> {
    fn wrong_type(self, found: impl fmt::Display) {
        let message = format!("{} must be {}, not {found}", self.subject(), self.want);
        self.state.fail(Kind::TreeValue, message, self.want.example());
    }

    /// What an error is about, as the subject of its message.
    fn subject(&self) -> String {
        let each = if self.state.is_in_list() { "each item in " } else { "" };
        format!("{each}{} of {}", self.prop, self.owner)
    }

    /// Reports a value that is accepted, but that no host can render or use.
    fn doubtful(self, found: impl fmt::Display, wanted: &str, help: String) {
        let Self { state, owner, prop, .. } = self;
        let message = format!("{prop} of {owner} is {found}, not {wanted}");
        state.warning(Kind::UnknownValue, message, help);
    }

    /// Reports a value that is accepted where an object is intended.
    fn not_an_object(self, found: impl fmt::Display) {
        if self.want.any(&|want| matches!(want, Want::Object)) {
            self.doubtful(found, "an object", OBJECT_HELP.into());
        }
    }

    fn number(self, number: impl fmt::Display) {
        if self.want.takes_number() {
            return self.not_an_object(format_args!("the number {number}"));
        }
        if self.want.any(&|w| matches!(w, Want::Str)) {
            let Self { state, owner, prop, .. } = self;
            state.checked.untidy = true;
            let message = format!("{prop} of {owner} is the number {number}, not a string");
            // If null stands for unknown values, all others are constants of the template.
            let help = match state.nulls {
                Nulls::Holes => format!("hosts receive it as a string; write \"{number}\""),
                Nulls::Nothing => format!(
                    "hosts receive it as a string; write \"{number}\", or `(…) | string` for a value of the data"
                ),
            };
            state.warning(Kind::StudioNumber, message, help);
        } else {
            self.wrong_type(format_args!("the number {number}"));
        }
    }

    /// Reports a text that is not one of the prop's choices, or not valid for it at all.
    fn wrong_text(self, text: &str) {
        let mut choices = None;
        self.want.each(&mut |want| match want {
            Want::Choice(list) => choices = Some(*list),
            Want::Icon => choices = Some(ICONS),
            _ => {}
        });
        let Some(choices) = choices else {
            let help = match self.want.unquoted(text) {
                Some(value) => format!("write {value} without quotes{}", of_data(self.state)),
                None => self.want.example(),
            };
            let (subject, want) = (self.subject(), self.want);
            let message = format!("{subject} must be {want}, not the string {}", brief(text));
            return self.state.fail(Kind::TreeValue, message, help);
        };
        let Self { state, owner, prop, .. } = self;
        let message = if choices.len() == ICONS.len() {
            format!("{prop} of {owner}: unknown icon {}", brief(text))
        } else {
            format!("{prop} of {owner} must be {}, not {}", self.want, brief(text))
        };
        let help = || match choices.len() == ICONS.len() {
            true => habit::icon(text, ICONS),
            false => other_prop(owner, text).unwrap_or_else(|| habit::choice(text, choices)),
        };
        state.report("", Severity::Warning, Kind::UnknownValue, message, help);
    }
}

/// How to write a number or a boolean from the data. If null stands for unknown values, all others are
/// constants of the template.
fn of_data(state: &State<'_>) -> &'static str {
    match state.nulls {
        Nulls::Holes => "",
        Nulls::Nothing => {
            "; for a value of the data, write `\"{{ … | json }}\"` in a tree, or `{{ … | tojson }}` in a template"
        }
    }
}

/// The prop of a component that accepts a value which another does not.
fn other_prop(component: &str, word: &str) -> Option<String> {
    let takes = |prop: &&Prop| matches!(prop.want, Want::Choice(list) if list.contains(&word));
    let mut props = Component::find(component)?.all_props().filter(takes);
    let prop = props.next()?;
    Some(format!("use this prop instead: `\"{}\": \"{word}\"`", prop.name))
}

impl<'de> Visitor<'de> for ValueSeed<'_, '_, '_> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E>(self, flag: bool) -> Result<bool, E> {
        if !self.want.any(&|w| matches!(w, Want::Bool) || w.is_free()) {
            self.wrong_type(flag);
        } else {
            self.not_an_object(flag);
        }
        Ok(false)
    }

    fn visit_i64<E>(self, number: i64) -> Result<bool, E> {
        self.number(number);
        Ok(false)
    }

    fn visit_u64<E>(self, number: u64) -> Result<bool, E> {
        self.number(number);
        Ok(false)
    }

    fn visit_f64<E>(self, number: f64) -> Result<bool, E> {
        self.number(number);
        Ok(false)
    }

    fn visit_str<E>(self, text: &str) -> Result<bool, E> {
        if !self.want.takes_text(text) {
            self.wrong_text(text);
        } else if let Some((wanted, mut help)) = self.want.doubt(text) {
            if self.want.unquoted(text).is_some() {
                help += of_data(self.state);
            }
            self.doubtful(brief(text), wanted, help);
        }
        Ok(false)
    }

    fn visit_unit<E>(self) -> Result<bool, E> {
        Ok(true)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<bool, A::Error> {
        let mut item = None;
        self.want.each(&mut |want| match want {
            Want::List(of) => item = Some(**of),
            Want::Any | Want::Object => item = Some(Want::Any),
            _ => {}
        });
        let Some(want) = item else {
            while seq.next_element::<IgnoredAny>()?.is_some() {}
            self.wrong_type("a list");
            return Ok(false);
        };
        let Self { state, owner, prop, want: list } = self;
        if list.any(&|want| matches!(want, Want::Object)) {
            ValueSeed { state, want: list, owner, prop }.not_an_object("a list");
        }
        for index in 0.. {
            let known = state.checked.findings.len();
            state.enter(Segment::Index(index))?;
            let is_null = seq.next_element_seed(ValueSeed { state, want, owner, prop })?;
            state.leave();
            match is_null {
                Some(is_null) => state.checked.untidy |= is_null,
                None => break,
            }
            // The others are likely to be wrong in the same way, so report it once.
            let found = state.checked.findings.get(known).filter(|_| want.shape().is_some());
            if found.is_some_and(|finding| finding.error.kind() == Kind::TreeValue) {
                while seq.next_element::<IgnoredAny>()?.is_some() {}
                break;
            }
        }
        Ok(false)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<bool, A::Error> {
        let mut shape = None;
        let mut is_free = false;
        self.want.each(&mut |want| match want {
            Want::Shape(of) => shape = Some(*of),
            Want::Color => shape = Some(&THEMED_COLOR),
            Want::Any | Want::Object => is_free = true,
            _ => {}
        });
        match shape {
            Some(mut shape) => check_members(self.state, &mut shape, map)?,
            None if is_free => AnySeed(self.state).visit_map(map)?,
            None => {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                self.wrong_type("an object");
            }
        }
        Ok(false)
    }
}

/// An object of the component table: a component, or an object in a prop.
pub(super) trait Owner {
    /// The name of its members in messages.
    const MEMBER: &'static str;

    fn name(&self) -> &'static str;

    fn props(&self) -> impl Iterator<Item = &'static Prop>;

    /// The row of a member, and its bit among the required ones: 0 if it is optional.
    fn prop(&self, key: &str) -> Option<(&'static Prop, u32)>;

    /// The bits of all required members.
    fn required(&self) -> u32;

    /// An example of such an object, unless it is long.
    fn example(&self) -> Option<String> {
        None
    }

    /// Handles a null prop. Returns whether it counts as present.
    fn null_prop(&self, state: &mut State<'_>, prop: &Prop) -> bool;

    /// Whether it may have `children`, which are not among the props.
    fn takes_children(&self) -> bool {
        false
    }

    /// Whether children are required and missing.
    fn lacks_children(&self) -> bool {
        false
    }

    /// Whether an unknown key replaces a missing one, so that one finding covers both.
    fn is_instead(&self, key: &str, missing: &[&str]) -> bool {
        habit::meant_prop(self.name(), key).is_some_and(|prop| missing.contains(&prop))
    }

    /// Whether a key has a meaning of its own and is read by [`Owner::read_reserved`].
    fn reserved(&self, _key: &str) -> Option<Reserved> {
        None
    }

    fn read_reserved<'de, A: MapAccess<'de>>(
        &mut self,
        _key: Reserved,
        _state: &mut State<'_>,
        map: &mut A,
    ) -> Result<(), A::Error> {
        map.next_value::<IgnoredAny>().map(drop)
    }
}

/// The keys of a component that are not props.
pub(super) enum Reserved {
    Type,
    Children,
}

impl Owner for &'static Shape {
    const MEMBER: &'static str = "property";

    fn name(&self) -> &'static str {
        self.name
    }

    fn props(&self) -> impl Iterator<Item = &'static Prop> {
        self.props.iter()
    }

    fn prop(&self, key: &str) -> Option<(&'static Prop, u32)> {
        find_bit(self.props, key, &mut 1)
    }

    fn required(&self) -> u32 {
        required_bits(self.props)
    }

    fn example(&self) -> Option<String> {
        Some(Want::Shape(self).example())
    }

    /// A null is dropped. Unlike a text of a component, nothing can replace a required member;
    /// but where a null stands for a value that is not known yet, it will be there.
    fn null_prop(&self, state: &mut State<'_>, _: &Prop) -> bool {
        state.nulls == Nulls::Holes
    }
}

enum Key {
    Reserved(Reserved),
    /// A prop, and its bit among the required ones (0 if it is optional).
    Prop(&'static Prop, u32),
    Unknown(String),
}

fn find_key(owner: &impl Owner, key: &str) -> Key {
    if let Some(key) = owner.reserved(key) {
        return Key::Reserved(key);
    }
    match owner.prop(key) {
        Some((prop, bit)) => Key::Prop(prop, bit),
        None => Key::Unknown(key.to_owned()),
    }
}

/// Checks the members of an object: each against its prop, and whether a required one is missing.
pub(super) fn check_members<'de, O: Owner, A: MapAccess<'de>>(
    state: &mut State<'_>,
    owner: &mut O,
    mut map: A,
) -> Result<(), A::Error> {
    let name = owner.name();
    let mut seen = 0u32;
    let mut unknown: Vec<String> = Vec::new();
    while let Some(key) = map.next_key_seed(TextSeed(|key: &str| find_key(owner, key)))? {
        match key {
            Key::Reserved(key) => owner.read_reserved(key, state, &mut map)?,
            Key::Prop(prop, bit) => {
                state.enter(Segment::Key(prop.name))?;
                let seed = ValueSeed { state, want: prop.want, owner: name, prop: prop.name };
                let is_null = map.next_value_seed(seed)?;
                state.checked.untidy |= is_null;
                if !is_null || owner.null_prop(state, prop) {
                    seen |= bit;
                }
                state.leave();
            }
            Key::Unknown(key) => {
                map.next_value_seed(AnySeed(state))?;
                if unknown.len() < MAX_UNKNOWN {
                    unknown.push(key);
                }
            }
        }
    }
    if seen != owner.required() || owner.lacks_children() {
        let required = owner.props().filter(|prop| prop.required).enumerate();
        let missing = required.filter(|(index, _)| seen & 1 << index == 0);
        let missing: Vec<&'static Prop> = missing.map(|(_, prop)| prop).collect();
        report_missing(state, owner, &missing, &mut unknown);
    }
    for key in unknown {
        let message = format!("{name} has no {} {}", O::MEMBER, brief(&key));
        let help = || unknown_help(owner, &key);
        state.report(&key, Severity::Warning, Kind::UnknownProp, message, help);
    }
    Ok(())
}

/// Maximum unknown members of one object that are listed.
const MAX_UNKNOWN: usize = 20;

/// Reports what an object needs and does not have, and takes out what was written instead of it.
fn report_missing<O: Owner>(
    state: &mut State<'_>,
    owner: &O,
    missing: &[&'static Prop],
    unknown: &mut Vec<String>,
) {
    let mut names: Vec<&str> = missing.iter().map(|prop| prop.name).collect();
    if owner.lacks_children() {
        names.push("children");
    }
    let (instead, others) = std::mem::take(unknown)
        .into_iter()
        .partition::<Vec<_>, _>(|key| owner.is_instead(key, &names));
    *unknown = others;
    let mut message = format!("{} needs {}", owner.name(), and(&names));
    if !instead.is_empty() {
        let instead: Vec<&str> = instead.iter().map(String::as_str).collect();
        message = format!("{message}, not {}", and(&instead));
    }
    let example = || missing.iter().map(|prop| prop.want.example()).find(|help| !help.is_empty());
    let help = match (owner.example(), instead.first()) {
        (Some(example), _) => example,
        (None, Some(key)) => unknown_help(owner, key),
        (None, None) if missing.is_empty() => {
            "write a list of components, which may be empty: `\"children\": []`".into()
        }
        // A single example would look like everything that is missing.
        (None, None) if owner.name() == "Chart" && missing.len() > 1 => {
            unknown_help(owner, "datasets")
        }
        (None, None) => example().unwrap_or_default(),
    };
    state.fail(Kind::TreeMissing, message, help);
}

/// Joins names: `a, b and c`.
fn and(names: &[&str]) -> String {
    match names {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => names.concat(),
    }
}

/// The help for an unknown member.
fn unknown_help<O: Owner>(owner: &O, key: &str) -> String {
    let name = owner.name();
    let children = owner.takes_children().then_some("children");
    let help = habit::prop(name, key, owner.props().map(|prop| prop.name).chain(children));
    match habit::meant_prop(name, key).and_then(|key| owner.prop(key)) {
        Some((prop, _)) => format!("{help} {}", prop.want.description()).trim_end().into(),
        None => help,
    }
}
