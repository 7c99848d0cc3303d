//! The checker: one pass over any serde deserializer, text or value.
//!
//! Recoverable faults are collected, so an author sees all of them at once; only limits and broken
//! JSON stop the walk. A component's `type` must come first for a single pass to know what the
//! other keys mean; where it does not, the text is parsed into a value, reordered and checked
//! again, so the order never changes the answer.

use std::fmt::{self, Write as _};

use serde::de::{
    DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor,
};
use serde_json::Value;

use super::component::{COMPONENTS, Children, Component, ICONS, Prop, Shape, Want};
use super::key::{IsType, Key, PropKey, ShapeKey, TypeName};
use super::syntax::not_json;
use super::words::brief;
use crate::error::{Error, Finding, Kind, Result, Severity};
use crate::json::JsonRef;
use crate::json::locate;
use crate::limits::Limits;
use crate::suggest::did_you_mean;

/// Findings that one check lists.
const MOST: usize = 200;

/// What a check found.
#[derive(Debug, Default)]
pub struct Checked {
    /// What is wrong or doubtful, in the order of the tree.
    pub findings: Vec<Finding>,
    /// Something must be put right before the tree is sent: a null, a number in a text prop.
    pub untidy: bool,
}

/// Checks a component tree given as JSON text and lists everything that is wrong with it.
///
/// ```
/// use widgetcast_engine::{error::Kind, limits::Limits, tree::check_tree};
/// let findings = check_tree(r#"{"type":"Card","children":[{"type":"Text"}]}"#, &Limits::default());
/// assert_eq!(findings[0].error.kind(), Kind::TreeMissing);
/// assert_eq!(findings[0].error.to_string(), "/children/0: Text needs value");
/// ```
pub fn check_tree(json: &str, limits: &Limits) -> Vec<Finding> {
    match check_text(json, limits) {
        Ok(checked) => checked.findings,
        Err(error) => vec![Finding::new(Severity::Error, error)],
    }
}

/// Checks a whole tree given as text.
pub(crate) fn check_text(text: &str, limits: &Limits) -> Result<Checked> {
    let mut de = serde_json::Deserializer::from_str(text);
    let mut walk = Walk::new(limits);
    let outcome = Node { walk: &mut walk, parent: Parent::Root }.deserialize(&mut de);
    if walk.disordered {
        let value: Value = serde_json::from_str(text).map_err(|e| not_json(text, &e))?;
        return check_value(&value, Nulls::Nothing, limits);
    }
    if let Some(error) = walk.fatal {
        return Err(error);
    }
    outcome.and_then(|()| de.end()).map_err(|error| {
        if error.to_string().starts_with("recursion limit") {
            too_deep(limits)
        } else {
            not_json(text, &error)
        }
    })?;
    Ok(walk.checked)
}

/// Checks a whole tree given as a value.
pub fn check_value(value: &Value, nulls: Nulls, limits: &Limits) -> Result<Checked> {
    match check_any(value, nulls, limits)? {
        Some(checked) => Ok(checked),
        None => {
            let walk = Walk { nulls, ordered: true, ..Walk::new(limits) };
            Ok(walk.check(type_first(value))?.unwrap_or_default())
        }
    }
}

/// Checks a whole tree in any form. None if its keys are not in an order that one pass can check.
pub(crate) fn check_any<'de>(
    tree: impl Deserializer<'de>,
    nulls: Nulls,
    limits: &Limits,
) -> Result<Option<Checked>> {
    Walk { nulls, ..Walk::new(limits) }.check(tree)
}

fn type_first(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(type_first).collect(),
        Value::Object(members) => {
            let first = members.get_key_value("type").into_iter();
            let rest = members.iter().filter(|(key, _)| *key != "type");
            first.chain(rest).map(|(key, value)| (key.clone(), type_first(value))).collect()
        }
        scalar => scalar.clone(),
    }
}

fn too_deep(limits: &Limits) -> Error {
    Error::new(Kind::TreeDepth, format!("the tree is nested deeper than {} levels", limits.depth))
}

struct Walk<'l> {
    limits: &'l Limits,
    path: Vec<Step>,
    nodes: usize,
    checked: Checked,
    fatal: Option<Error>,
    disordered: bool,
    /// Whether types are first wherever there are any.
    ordered: bool,
    nulls: Nulls,
}

/// What a null stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nulls {
    /// Nothing: it will be dropped.
    Nothing,
    /// A value that is not known yet.
    Holes,
}

#[derive(Clone, Copy)]
enum Step {
    Key(&'static str),
    Index(usize),
}

#[derive(Clone, Copy)]
enum Parent {
    Root,
    In(&'static Component),
    /// The component is wrong here already; do not also complain about its place.
    Unknown,
}

impl<'l> Walk<'l> {
    fn new(limits: &'l Limits) -> Self {
        Self {
            limits,
            path: Vec::new(),
            nodes: 0,
            checked: Checked::default(),
            fatal: None,
            disordered: false,
            ordered: false,
            nulls: Nulls::Nothing,
        }
    }

    /// None if the keys are not in an order that one pass can check.
    fn check<'de>(mut self, tree: impl Deserializer<'de>) -> Result<Option<Checked>> {
        let done = Node { walk: &mut self, parent: Parent::Root }.deserialize(tree).is_ok();
        match self.fatal {
            Some(error) => Err(error),
            None if self.disordered => Ok(None),
            None => Ok(done.then_some(self.checked)),
        }
    }

    fn is_clean(&self) -> bool {
        self.checked.findings.is_empty() && !self.checked.untidy
    }

    fn pointer(&self) -> String {
        self.path.iter().fold(String::new(), |mut out, step| {
            let _ = match step {
                Step::Key(key) => write!(out, "/{key}"),
                Step::Index(index) => write!(out, "/{index}"),
            };
            out
        })
    }

    fn report(&mut self, severity: Severity, kind: Kind, message: String, help: String) {
        self.report_at("", severity, kind, message, help);
    }

    /// Reports about a member of the value, where it has a name.
    fn report_at(
        &mut self,
        name: &str,
        severity: Severity,
        kind: Kind,
        message: String,
        help: String,
    ) {
        if self.checked.findings.len() >= MOST {
            return;
        }
        // A list of a thousand rows with one fault is one fault, not a thousand.
        let same = |f: &&Finding| f.error.kind() == kind && f.error.message() == message;
        if self.checked.findings.iter().filter(same).count() < 3 {
            let mut pointer = self.pointer();
            if !name.is_empty() {
                pointer = format!("{pointer}/{}", locate::escaped(name));
            }
            let error = Error::new(kind, message).with_help(help).with_pointer(pointer);
            self.checked.findings.push(Finding::new(severity, error));
        }
    }

    fn error(&mut self, kind: Kind, message: String) {
        self.report(Severity::Error, kind, message, String::new());
    }

    fn enter<E: serde::de::Error>(&mut self, step: Step) -> std::result::Result<(), E> {
        self.path.push(step);
        if self.path.len() > self.limits.depth {
            self.fatal = Some(too_deep(self.limits));
            return Err(E::custom("too deep"));
        }
        Ok(())
    }

    fn null(&mut self, owner: &str, prop: &'static Prop) {
        self.checked.untidy = true;
        if prop.required {
            let message = format!("{} of {owner} is null, so it shows nothing", prop.name);
            self.report(Severity::Warning, Kind::NullProp, message, String::new());
        }
    }
}

/// A component.
struct Node<'w, 'l> {
    walk: &'w mut Walk<'l>,
    parent: Parent,
}

impl<'de> DeserializeSeed<'de> for Node<'_, '_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, de: D) -> std::result::Result<(), D::Error> {
        de.deserialize_any(self)
    }
}

impl Node<'_, '_> {
    fn not_a_component<E>(self, found: &str) -> std::result::Result<(), E> {
        let (kind, place) = match self.parent {
            Parent::Root => (Kind::TreeRoot, "a widget is a component"),
            _ => (Kind::TreeChild, "a child is a component"),
        };
        self.walk.error(kind, format!("{place}, an object with a type, not {found}"));
        Ok(())
    }

    fn place(walk: &mut Walk<'_>, component: &'static Component, parent: Parent) {
        let name = component.name;
        let Parent::In(parent) = parent else {
            if matches!(parent, Parent::Root) && !component.root {
                walk.error(
                    Kind::TreeRoot,
                    format!("a widget starts with Card, ListView or Basic, not {name}"),
                );
            }
            return;
        };
        match (parent.children, component.only_in()) {
            (Children::Only(only), _) if only != name => {
                walk.error(
                    Kind::TreeChild,
                    format!("{} takes only {only}, not {name}", parent.name),
                );
            }
            (Children::None, _) => {
                walk.error(Kind::TreeChild, format!("{} takes no children", parent.name));
            }
            (_, Some(home)) if home != parent.name => {
                walk.error(
                    Kind::TreeChild,
                    format!("{name} stands only in {home}, not in {}", parent.name),
                );
            }
            (Children::Many { roots: false } | Children::One, _) if component.root => {
                let message =
                    format!("{name} is a root; hosts may not draw it inside {}", parent.name);
                walk.report(Severity::Warning, Kind::NestedRoot, message, "use Box or Col".into());
            }
            _ => {}
        }
    }
}

/// Accepts any scalar by naming it to a method of the visitor.
macro_rules! found_scalars {
    ($method:ident) => {
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("JSON")
        }
        fn visit_bool<E>(self, v: bool) -> std::result::Result<(), E> {
            self.$method(if v { "true" } else { "false" })
        }
        fn visit_i64<E>(self, v: i64) -> std::result::Result<(), E> {
            self.$method(&format!("the number {v}"))
        }
        fn visit_u64<E>(self, v: u64) -> std::result::Result<(), E> {
            self.$method(&format!("the number {v}"))
        }
        fn visit_f64<E>(self, v: f64) -> std::result::Result<(), E> {
            self.$method(&format!("the number {v}"))
        }
    };
}

impl<'de> Visitor<'de> for Node<'_, '_> {
    type Value = ();
    found_scalars!(not_a_component);

    fn visit_str<E>(self, v: &str) -> std::result::Result<(), E> {
        self.not_a_component(&format!("the text {}", brief(v)))
    }

    fn visit_unit<E>(self) -> std::result::Result<(), E> {
        // A null among children is dropped, as the reference does; a null root is no widget.
        if matches!(self.parent, Parent::Root) {
            return self.not_a_component("null");
        }
        self.walk.checked.untidy = true;
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> std::result::Result<(), A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        self.not_a_component("a list")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<(), A::Error> {
        let Node { walk, parent } = self;
        walk.nodes += 1;
        if walk.nodes > walk.limits.nodes {
            let most = walk.limits.nodes;
            walk.fatal = Some(Error::new(
                Kind::TreeNodes,
                format!("the tree has more than {most} components"),
            ));
            return Err(A::Error::custom("too many"));
        }
        let component = match map.next_key_seed(IsType)? {
            Some(true) => match map.next_value_seed(TypeName)? {
                Ok(component) => component,
                Err(found) => {
                    let help = did_you_mean(&found, COMPONENTS.iter().map(|c| c.name));
                    let message = match found.as_str() {
                        "" => "the type of a component must be a text".into(),
                        _ => format!("there is no component {}", brief(&found)),
                    };
                    walk.report(Severity::Error, Kind::TreeType, message, help);
                    while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                    return Ok(());
                }
            },
            Some(false) if !walk.ordered => {
                walk.disordered = true;
                return Err(A::Error::custom("type is not first"));
            }
            no_type => {
                let (kind, what) = match parent {
                    Parent::Root => (Kind::TreeRoot, "the widget"),
                    _ => (Kind::TreeType, "the component"),
                };
                walk.error(kind, format!("{what} has no type"));
                if no_type.is_some() {
                    map.next_value::<IgnoredAny>()?;
                    while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                }
                return Ok(());
            }
        };
        Self::place(walk, component, parent);
        let mut seen = 0u32;
        let mut children = false;
        while let Some(key) = map.next_key_seed(PropKey(component))? {
            match key {
                Key::Children => {
                    children = true;
                    walk.enter(Step::Key("children"))?;
                    map.next_value_seed(ChildList { walk, component })?;
                    walk.path.pop();
                }
                Key::Prop(prop, bit) => {
                    seen |= bit;
                    walk.enter(Step::Key(prop.name))?;
                    let owner = component.name;
                    let seed = Wanted { walk, want: prop.want, owner, prop: prop.name };
                    if map.next_value_seed(seed)?.is_null() {
                        walk.null(owner, prop);
                    }
                    walk.path.pop();
                }
                // Parsers do not agree on which one counts.
                Key::Type => {
                    walk.error(Kind::TreeValue, format!("{} has a second type", component.name));
                    map.next_value::<IgnoredAny>()?;
                }
                Key::Unknown(name) => {
                    let help = did_you_mean(&name, component.all_props().map(|p| p.name));
                    let message = format!("{} has no prop {}", component.name, brief(&name));
                    walk.report_at(&name, Severity::Warning, Kind::UnknownProp, message, help);
                    map.next_value_seed(Free { walk })?;
                }
            }
        }
        for (index, prop) in component.all_props().filter(|p| p.required).enumerate() {
            if seen & (1 << index) == 0 {
                walk.error(Kind::TreeMissing, format!("{} needs {}", component.name, prop.name));
            }
        }
        if !children && needs_children(component) {
            walk.error(Kind::TreeMissing, format!("{} needs children", component.name));
        }
        Ok(())
    }
}

/// Whether `children` must be there, if only as an empty list.
pub(crate) fn needs_children(component: &Component) -> bool {
    component.root || matches!(component.name, "ListViewItem" | "Transition")
}

/// The value of `children`.
struct ChildList<'w, 'l> {
    walk: &'w mut Walk<'l>,
    component: &'static Component,
}

impl<'de> DeserializeSeed<'de> for ChildList<'_, '_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, de: D) -> std::result::Result<(), D::Error> {
        de.deserialize_any(self)
    }
}

impl ChildList<'_, '_> {
    fn not_children<E>(self, found: &str) -> std::result::Result<(), E> {
        self.walk.error(
            Kind::TreeChild,
            format!(
                "children of {} must be a list of components, not {found}",
                self.component.name
            ),
        );
        Ok(())
    }
}

impl<'de> Visitor<'de> for ChildList<'_, '_> {
    type Value = ();
    found_scalars!(not_children);

    fn visit_str<E>(self, v: &str) -> std::result::Result<(), E> {
        self.not_children(&format!("the text {}", brief(v)))
    }

    fn visit_unit<E>(self) -> std::result::Result<(), E> {
        self.walk.checked.untidy |= self.component.children != Children::One;
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> std::result::Result<(), A::Error> {
        let Self { walk, component } = self;
        if component.children == Children::One {
            walk.error(
                Kind::TreeChild,
                format!("{} takes one component, not a list", component.name),
            );
            while seq.next_element::<IgnoredAny>()?.is_some() {}
            return Ok(());
        }
        let leaf = component.children == Children::None;
        let mut parent = Parent::In(component);
        let mut index = 0;
        loop {
            walk.enter(Step::Index(index))?;
            let more = seq.next_element_seed(Node { walk, parent })?.is_some();
            walk.path.pop();
            if !more {
                break;
            }
            if leaf {
                parent = Parent::Unknown;
            }
            index += 1;
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> std::result::Result<(), A::Error> {
        // The reference takes a single component for a list of one.
        self.walk.checked.untidy |= self.component.children != Children::One;
        Node { walk: self.walk, parent: Parent::In(self.component) }.visit_map(map)
    }
}

/// The value of a prop.
struct Wanted<'w, 'l, 'n> {
    walk: &'w mut Walk<'l>,
    want: Want,
    owner: &'n str,
    prop: &'n str,
}

/// What a prop's value turned out to be: only null is of interest to the caller.
#[derive(PartialEq)]
enum Found {
    Null,
    Other,
}

impl Found {
    fn is_null(&self) -> bool {
        *self == Found::Null
    }
}

impl<'de> DeserializeSeed<'de> for Wanted<'_, '_, '_> {
    type Value = Found;
    fn deserialize<D: Deserializer<'de>>(self, de: D) -> std::result::Result<Found, D::Error> {
        de.deserialize_any(self)
    }
}

impl Wanted<'_, '_, '_> {
    fn wrong(self, found: &str) {
        let message = format!("{} of {} must be {}, not {found}", self.prop, self.owner, self.want);
        self.walk.error(Kind::TreeValue, message);
    }

    fn number<E>(self, found: &str) -> std::result::Result<Found, E> {
        if self.want.takes_number() {
        } else if self.want.any(&|w| matches!(w, Want::Str)) {
            self.walk.checked.untidy = true;
            let message = format!("{} of {} is {found}, not a text", self.prop, self.owner);
            let help = "hosts get it as text; write `(…) | string` in the template".to_owned();
            self.walk.report(Severity::Warning, Kind::StudioNumber, message, help);
        } else {
            self.wrong(found);
        }
        Ok(Found::Other)
    }
}

impl<'de> Visitor<'de> for Wanted<'_, '_, '_> {
    type Value = Found;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E>(self, v: bool) -> std::result::Result<Found, E> {
        if !self.want.any(&|w| matches!(w, Want::Bool | Want::Any)) {
            self.wrong(if v { "true" } else { "false" });
        }
        Ok(Found::Other)
    }

    fn visit_i64<E>(self, v: i64) -> std::result::Result<Found, E> {
        self.number(&format!("the number {v}"))
    }

    fn visit_u64<E>(self, v: u64) -> std::result::Result<Found, E> {
        // The common case needs no words.
        if matches!(self.want, Want::Number | Want::Length) {
            return Ok(Found::Other);
        }
        self.number(&format!("the number {v}"))
    }

    fn visit_f64<E>(self, v: f64) -> std::result::Result<Found, E> {
        self.number(&format!("the number {v}"))
    }

    fn visit_unit<E>(self) -> std::result::Result<Found, E> {
        Ok(Found::Null)
    }

    fn visit_str<E>(self, v: &str) -> std::result::Result<Found, E> {
        if self.want.takes_text(v) {
            return Ok(Found::Other);
        }
        let mut choices = None;
        self.want.any(&|w| matches!(w, Want::Choice(_) | Want::Icon)).then(|| {
            self.want.each(&mut |w| match w {
                Want::Choice(list) => choices = Some(*list),
                Want::Icon => choices = Some(ICONS),
                _ => {}
            });
        });
        let Self { walk, want, owner, prop } = self;
        match choices {
            Some(list) => {
                let message = if list.len() == ICONS.len() {
                    format!("{prop} of {owner}: there is no icon {}", brief(v))
                } else {
                    format!("{prop} of {owner} is {}, not one of {}", brief(v), list.join(", "))
                };
                let help = did_you_mean(v, list.iter().copied());
                walk.report(Severity::Warning, Kind::UnknownValue, message, help);
            }
            None => Wanted { walk, want, owner, prop }.wrong(&format!("the text {}", brief(v))),
        }
        Ok(Found::Other)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> std::result::Result<Found, A::Error> {
        let mut item = None;
        self.want.each(&mut |w| match w {
            Want::List(of) => item = Some(**of),
            Want::Any => item = Some(Want::Any),
            _ => {}
        });
        let Some(want) = item else {
            while seq.next_element::<IgnoredAny>()?.is_some() {}
            self.wrong("a list");
            return Ok(Found::Other);
        };
        let Self { walk, owner, prop, .. } = self;
        for index in 0.. {
            walk.enter(Step::Index(index))?;
            let found = seq.next_element_seed(Wanted { walk, want, owner, prop })?;
            walk.path.pop();
            match found {
                Some(found) => walk.checked.untidy |= found.is_null(),
                None => break,
            }
        }
        Ok(Found::Other)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Found, A::Error> {
        let mut shape = None;
        let mut free = false;
        self.want.each(&mut |w| match w {
            Want::Shape(s) => shape = Some(*s),
            Want::Color => shape = Some(&THEMED),
            Want::Any => free = true,
            _ => {}
        });
        let Some(shape) = shape else {
            if free {
                Free { walk: self.walk }.visit_map(map)?;
            } else {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                self.wrong("an object");
            }
            return Ok(Found::Other);
        };
        let Self { walk, .. } = self;
        let mut seen = 0u32;
        while let Some(key) = map.next_key_seed(ShapeKey(shape))? {
            match key {
                Ok((index, prop)) => {
                    seen |= 1 << index;
                    walk.enter(Step::Key(prop.name))?;
                    let seed = Wanted { walk, want: prop.want, owner: shape.name, prop: prop.name };
                    if map.next_value_seed(seed)?.is_null() {
                        walk.checked.untidy = true;
                        // Dropped, it is missing; unlike a text, nothing can stand in for it.
                        if prop.required && walk.nulls == Nulls::Nothing {
                            seen &= !(1 << index);
                        }
                    }
                    walk.path.pop();
                }
                Err(name) => {
                    let help = did_you_mean(&name, shape.props.iter().map(|p| p.name));
                    let message = format!("{} has no member {}", shape.name, brief(&name));
                    walk.report_at(&name, Severity::Warning, Kind::UnknownProp, message, help);
                    map.next_value_seed(Free { walk })?;
                }
            }
        }
        for (index, prop) in shape.props.iter().enumerate() {
            if prop.required && seen & (1 << index) == 0 {
                walk.error(Kind::TreeMissing, format!("{} needs {}", shape.name, prop.name));
            }
        }
        Ok(Found::Other)
    }
}

/// A colour for each theme.
pub(crate) static THEMED: Shape = Shape {
    name: "a themed colour",
    props: &[
        Prop { name: "light", want: Want::Str, required: true },
        Prop { name: "dark", want: Want::Str, required: true },
    ],
};

/// Any JSON, looked through only for nulls and depth.
struct Free<'w, 'l> {
    walk: &'w mut Walk<'l>,
}

impl<'de> DeserializeSeed<'de> for Free<'_, '_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, de: D) -> std::result::Result<(), D::Error> {
        de.deserialize_any(self)
    }
}

impl Free<'_, '_> {
    #[allow(clippy::unused_self)]
    fn fine<E>(self, _: &str) -> std::result::Result<(), E> {
        Ok(())
    }
}

impl<'de> Visitor<'de> for Free<'_, '_> {
    type Value = ();
    found_scalars!(fine);

    fn visit_str<E>(self, _: &str) -> std::result::Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> std::result::Result<(), E> {
        self.walk.checked.untidy = true;
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> std::result::Result<(), A::Error> {
        self.walk.enter(Step::Key("…"))?;
        while seq.next_element_seed(Free { walk: self.walk })?.is_some() {}
        self.walk.path.pop();
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<(), A::Error> {
        self.walk.enter(Step::Key("…"))?;
        while map.next_key::<IgnoredAny>()?.is_some() {
            map.next_value_seed(Free { walk: self.walk })?;
        }
        self.walk.path.pop();
        Ok(())
    }
}

/// Whether a value will do for a prop exactly as it is.
pub(crate) fn accepts<'d>(value: &'d JsonRef<'d>, want: &Want, limits: &Limits) -> bool {
    let mut walk = Walk::new(limits);
    let seed = Wanted { walk: &mut walk, want: *want, owner: "", prop: "" };
    seed.deserialize(value).is_ok() && walk.is_clean()
}

/// Whether a value will do for a child exactly as it is.
pub(crate) fn accepts_child<'d>(
    value: &'d JsonRef<'d>,
    parent: &'static Component,
    limits: &Limits,
) -> bool {
    let mut walk = Walk::new(limits);
    let seed = Node { walk: &mut walk, parent: Parent::In(parent) };
    seed.deserialize(value).is_ok() && walk.is_clean()
}
