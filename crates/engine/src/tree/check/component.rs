//! Checks components: their type, their place, and their children.

use std::fmt;

use serde::de::{
    DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor,
};

use super::state::{Segment, State, Stop};
use super::text::TextSeed;
use super::value::{Owner, Reserved, check_members};
use crate::error::{Kind, Severity};
use crate::habit;
use crate::tree::component::{COMPONENTS, Children, Component, Fold, Prop};
use crate::tree::quote::brief;

/// The parent of a component.
#[derive(Clone, Copy)]
pub(super) enum Parent {
    Root,
    Component(&'static Component),
    /// A leaf whose children have been reported already.
    Reported,
}

/// A component.
pub(super) struct ComponentSeed<'s, 'l> {
    pub state: &'s mut State<'l>,
    pub parent: Parent,
}

/// The value of `children`.
struct ChildrenSeed<'s, 'l> {
    state: &'s mut State<'l>,
    component: &'static Component,
}

/// Implements the visits of scalars other than null by one method that is given a description.
macro_rules! describe_scalars {
    ($method:ident) => {
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("JSON")
        }

        fn visit_bool<E>(self, flag: bool) -> Result<(), E> {
            self.$method(format_args!("{flag}"));
            Ok(())
        }

        fn visit_i64<E>(self, number: i64) -> Result<(), E> {
            self.$method(format_args!("the number {number}"));
            Ok(())
        }

        fn visit_u64<E>(self, number: u64) -> Result<(), E> {
            self.$method(format_args!("the number {number}"));
            Ok(())
        }

        fn visit_f64<E>(self, number: f64) -> Result<(), E> {
            self.$method(format_args!("the number {number}"));
            Ok(())
        }

        fn visit_str<E>(self, text: &str) -> Result<(), E> {
            self.$method(format_args!("the string {}", brief(text)));
            Ok(())
        }
    };
}

impl<'de> DeserializeSeed<'de> for ComponentSeed<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, de: D) -> Result<(), D::Error> {
        de.deserialize_any(self)
    }
}

impl ComponentSeed<'_, '_> {
    fn not_a_component(self, found: fmt::Arguments<'_>) {
        let (kind, what, help) = match self.parent {
            Parent::Component(leaf) if leaf.children == Children::None => {
                let message = format!("{} takes no children", leaf.name);
                return self.state.fail(Kind::TreeChild, message, words_help(leaf));
            }
            Parent::Root => (
                Kind::TreeRoot,
                "a widget must be a component",
                "`{ \"type\": \"Card\", \"children\": [ … ] }`",
            ),
            _ => (
                Kind::TreeChild,
                "a child must be a component",
                "`{ \"type\": \"Text\", \"value\": \"…\" }`",
            ),
        };
        let message = format!("{what} (an object with a type), not {found}");
        self.state.fail(kind, message, format!("write {help}"));
    }

    /// Reports an object without a `type`; `help` is derived from its keys.
    fn no_type(&mut self, help: Option<String>) {
        let (kind, what, example) = match self.parent {
            Parent::Root => (Kind::TreeRoot, "the widget", "Card"),
            _ => (Kind::TreeType, "the component", "Text"),
        };
        let help = help.unwrap_or_else(|| format!("add a type, such as `\"type\": \"{example}\"`"));
        self.state.fail(kind, format!("{what} has no type"), help);
    }

    /// Reads the first key and its value, which must be `type` and a name of the table. None if the
    /// object cannot be checked any further; it has been reported and read to its end then.
    fn read_type<'de, A: MapAccess<'de>>(
        &mut self,
        map: &mut A,
    ) -> Result<Option<&'static Component>, A::Error> {
        let may_read_all = self.state.type_is_first;
        let other_key = |key: &str| match key {
            "type" => None,
            _ if may_read_all => Some(type_help(key)),
            _ => Some(None),
        };
        let Some(other) = map.next_key_seed(TextSeed(other_key))? else {
            self.no_type(None);
            return Ok(None);
        };
        let Some(mut help) = other else {
            let find = |name: &str| Component::find(name).ok_or_else(|| name.to_owned());
            match map.next_value_seed(TextSeed(find))? {
                Ok(component) => return Ok(Some(component)),
                Err(name) => report_unknown_type(self.state, &name),
            }
            while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            return Ok(None);
        };
        if !may_read_all {
            self.state.stop = Some(Stop::KeyOrder);
            return Err(A::Error::custom("type is not first"));
        }
        map.next_value::<IgnoredAny>()?;
        while let Some(found) = map.next_key_seed(TextSeed(type_help))? {
            help = help.or(found);
            map.next_value::<IgnoredAny>()?;
        }
        self.no_type(help);
        Ok(None)
    }
}

/// What a key of an object without a `type` suggests about the author's names for components.
fn type_help(key: &str) -> Option<String> {
    habit::no_type(key, COMPONENTS.iter().map(|component| component.name))
}

fn report_unknown_type(state: &mut State<'_>, name: &str) {
    let message = match name {
        "" => "the type of a component must be a string".into(),
        _ => format!("unknown component {}", brief(name)),
    };
    let help = || match name {
        "" => String::new(),
        _ => habit::component(name, COMPONENTS.iter().map(|component| component.name)),
    };
    state.report("type", Severity::Error, Kind::TreeType, message, help);
}

/// Checks whether a component is allowed here.
fn check_place(state: &mut State<'_>, component: &Component, parent: Parent) {
    let name = component.name;
    let parent = match parent {
        Parent::Component(parent) => parent,
        Parent::Root if !component.root => {
            let message = format!("the root component must be Card, ListView or Basic, not {name}");
            let help = "put it in the children of a Card";
            return state.fail(Kind::TreeRoot, message, help.into());
        }
        Parent::Root | Parent::Reported => return,
    };
    let message = match (parent.children, component.only_in()) {
        (Children::Only(only), _) if only != component.kind => {
            format!("{} takes only {only}, not {name}", parent.name)
        }
        (Children::None, _) => {
            let message = format!("{} takes no children", parent.name);
            return state.fail(Kind::TreeChild, message, words_help(parent));
        }
        (_, Some(home)) if home != parent.name => {
            format!("{name} must be inside {home}, not in {}", parent.name)
        }
        (Children::Many { roots: false } | Children::One, _) if component.root => {
            let message = format!(
                "{name} is a root component; hosts may not render it inside {}",
                parent.name
            );
            let help = match name {
                "ListView" => "use a Col with a Row for each item, or make the ListView the root",
                _ => "use Box or Col",
            };
            return state.warning(Kind::NestedRoot, message, help.into());
        }
        _ => return,
    };
    let help = match (component.only_in(), parent.children) {
        (None, Children::Only(only)) if only.to_string().ends_with(&format!(".{name}")) => {
            format!("did you mean {only}?")
        }
        (None, Children::Only(only)) => format!("put it in the children of a {only}"),
        (Some("ListView"), _) => "write a Row or a Box here, or make a ListView the root".into(),
        (Some(home), _) => format!("put it in the children of a {home}"),
        _ => String::new(),
    };
    state.fail(Kind::TreeChild, message, help);
}

impl<'de> Visitor<'de> for ComponentSeed<'_, '_> {
    type Value = ();

    describe_scalars!(not_a_component);

    fn visit_unit<E>(self) -> Result<(), E> {
        // ChatKit's server drops a null among children; a null root is invalid.
        if matches!(self.parent, Parent::Root) {
            self.not_a_component(format_args!("null"));
        } else {
            self.state.checked.untidy = true;
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        self.not_a_component(format_args!("a list"));
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        self.state.count_component()?;
        let Some(component) = self.read_type(&mut map)? else { return Ok(()) };
        let Self { state, parent } = self;
        check_place(state, component, parent);
        let mut owner = ComponentMembers { component, has_children: false };
        check_members(state, &mut owner, map)
    }
}

/// A component whose `type` has been read, and whose other members follow.
struct ComponentMembers {
    component: &'static Component,
    has_children: bool,
}

impl Owner for ComponentMembers {
    const MEMBER: &'static str = "prop";

    fn name(&self) -> &'static str {
        self.component.name
    }

    fn props(&self) -> impl Iterator<Item = &'static Prop> {
        self.component.all_props()
    }

    fn prop(&self, key: &str) -> Option<(&'static Prop, u32)> {
        self.component.prop_bit(key)
    }

    fn required(&self) -> u32 {
        self.component.required_bits()
    }

    fn null_prop(&self, state: &mut State<'_>, prop: &Prop) -> bool {
        if prop.required {
            let message = format!("{} of {} is null, so it shows nothing", prop.name, self.name());
            state.warning(Kind::NullProp, message, String::new());
        }
        true
    }

    fn takes_children(&self) -> bool {
        self.component.children != Children::None
    }

    fn lacks_children(&self) -> bool {
        !self.has_children && self.component.needs_children
    }

    /// Another unknown prop is unrelated, such as `className`.
    fn is_instead(&self, key: &str, missing: &[&str]) -> bool {
        habit::is_nested_props(key)
            || habit::meant_prop(self.name(), key).is_some_and(|prop| missing.contains(&prop))
            || missing.contains(&"children") && habit::means_children(key)
            || missing.contains(&"series") && habit::is_chart_js(key)
    }

    fn reserved(&self, key: &str) -> Option<Reserved> {
        match key {
            "type" => Some(Reserved::Type),
            "children" => Some(Reserved::Children),
            _ => None,
        }
    }

    fn read_reserved<'de, A: MapAccess<'de>>(
        &mut self,
        key: Reserved,
        state: &mut State<'_>,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match key {
            // Parsers disagree on which duplicate counts.
            Reserved::Type => {
                let message = format!("{} has two `type` keys", self.name());
                let help = habit::second_type(self.name());
                state.fail(Kind::TreeValue, message, help.into());
                map.next_value::<IgnoredAny>()?;
            }
            Reserved::Children => {
                self.has_children = true;
                state.enter(Segment::Key("children"))?;
                map.next_value_seed(ChildrenSeed { state, component: self.component })?;
                state.leave();
            }
        }
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for ChildrenSeed<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, de: D) -> Result<(), D::Error> {
        de.deserialize_any(self)
    }
}

/// The prop for a leaf's text.
fn words_help(component: &Component) -> String {
    match component.fold {
        Fold::Heading(prop) | Fold::Text(prop) | Fold::Bracket(prop) => {
            format!("put its text into `{prop}`")
        }
        _ => String::new(),
    }
}

impl ChildrenSeed<'_, '_> {
    fn not_a_list(self, found: fmt::Arguments<'_>) {
        let name = self.component.name;
        if self.component.children == Children::None {
            let message = format!("{name} takes no children");
            return self.state.fail(Kind::TreeChild, message, words_help(self.component));
        }
        let message = format!("children of {name} must be a list of components, not {found}");
        let help = "text must be inside a component: `[{ \"type\": \"Text\", \"value\": \"…\" }]`";
        self.state.fail(Kind::TreeChild, message, help.into());
    }
}

impl<'de> Visitor<'de> for ChildrenSeed<'_, '_> {
    type Value = ();

    describe_scalars!(not_a_list);

    fn visit_unit<E>(self) -> Result<(), E> {
        self.state.checked.untidy |= self.component.children != Children::One;
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        let Self { state, component } = self;
        if component.children == Children::One {
            let message = format!("{} takes one component, not a list", component.name);
            state.error(Kind::TreeChild, message);
            while seq.next_element::<IgnoredAny>()?.is_some() {}
            return Ok(());
        }
        let mut parent = Parent::Component(component);
        for index in 0.. {
            state.enter(Segment::Index(index))?;
            let child = seq.next_element_seed(ComponentSeed { state, parent })?;
            state.leave();
            if child.is_none() {
                break;
            }
            if component.children == Children::None {
                parent = Parent::Reported;
            }
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<(), A::Error> {
        // ChatKit's server accepts a single component instead of a list.
        self.state.checked.untidy |= self.component.children != Children::One;
        let parent = Parent::Component(self.component);
        ComponentSeed { state: self.state, parent }.visit_map(map)
    }
}
