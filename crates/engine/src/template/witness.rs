//! A witness is one tree that a template could write, with null for every hole: enough to check the constant
//! parts of a template without any data. Lists contain the items of every branch and of one iteration of
//! every loop. For alternatives, `choice` selects one, so two witnesses cover both; for nested choices see
//! [`branches`].

use std::collections::BTreeSet;
use std::ops::Range;

use serde::de::value::StrDeserializer;
use serde::de::{DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::skeleton::{Item, Skeleton, SkeletonNode, constant, visit};
use crate::budget;
use crate::json::locate::unescaped;

pub(super) fn witness(skeleton: &Skeleton<'_, '_>, choice: bool) -> Value {
    build_way(skeleton, if choice { u64::MAX } else { 0 })
}

/// Whether the two witnesses can differ.
pub(super) fn has_choice(skeleton: &Skeleton<'_, '_>) -> bool {
    fn any(items: &[Item<'_, '_>], members: bool) -> bool {
        items.iter().any(|item| match item {
            Item::One { value, .. } => has_choice(value),
            Item::If(_, yes, no) => members || any(yes, members) || any(no, members),
            Item::For(_, body) | Item::Strip(body) => any(body, members),
            Item::Set(..) | Item::Comma(_) | Item::CommaUnless(..) => false,
        })
    }
    match &skeleton.node {
        SkeletonNode::Object(items) => any(items, true),
        SkeletonNode::Array(items) => any(items, false),
        SkeletonNode::If(..) => true,
        SkeletonNode::Text(_) | SkeletonNode::Const(_) | SkeletonNode::Slot { .. } => false,
    }
}

/// Maximum paths through a template that are checked.
const WAYS: usize = 128;

/// Witnesses that show every branch of nested choices, of which the two witnesses show only some.
/// Empty without nested choices; none if there are too many.
pub(super) fn branches(root: &Skeleton<'_, '_>) -> Option<impl Iterator<Item = Value>> {
    let mut ways = BTreeSet::new();
    let is_nested = find_ways(root, 0, 0, &mut ways)? > 1;
    Some(ways.into_iter().filter(move |_| is_nested).map(|way| build_way(root, way)))
}

/// Collects the ways that lead to each branch; returns how deep choices are nested. A way has one bit
/// for each nested choice, the outermost lowest: `way` leads here, and has `depth` bits.
fn find_ways(
    skeleton: &Skeleton<'_, '_>,
    way: u64,
    depth: u32,
    ways: &mut BTreeSet<u64>,
) -> Option<u32> {
    fn of_items(
        items: &[Item<'_, '_>],
        members: bool,
        way: u64,
        depth: u32,
        ways: &mut BTreeSet<u64>,
    ) -> Option<u32> {
        let mut deepest = depth;
        for item in items {
            deepest = deepest.max(match item {
                Item::One { value, .. } => find_ways(value, way, depth, ways)?,
                Item::If(_, yes, no) if members => {
                    let (to_yes, inside) = choose(way, depth, ways)?;
                    let deeper = of_items(yes, members, to_yes, inside, ways)?;
                    deeper.max(of_items(no, members, way, inside, ways)?)
                }
                Item::If(_, yes, no) => {
                    let deeper = of_items(yes, members, way, depth, ways)?;
                    deeper.max(of_items(no, members, way, depth, ways)?)
                }
                Item::For(_, body) | Item::Strip(body) => {
                    of_items(body, members, way, depth, ways)?
                }
                Item::Set(..) | Item::Comma(_) | Item::CommaUnless(..) => 0,
            });
        }
        Some(deepest)
    }
    /// The way to the first branch of a choice, and the depth in both.
    fn choose(way: u64, depth: u32, ways: &mut BTreeSet<u64>) -> Option<(u64, u32)> {
        let yes = way | 1u64.checked_shl(depth)?;
        ways.extend([way, yes]);
        (ways.len() <= WAYS).then_some((yes, depth + 1))
    }
    match &skeleton.node {
        SkeletonNode::Object(items) => of_items(items, true, way, depth, ways),
        SkeletonNode::Array(items) => of_items(items, false, way, depth, ways),
        SkeletonNode::If(_, yes, no) => {
            let (to_yes, inside) = choose(way, depth, ways)?;
            let deeper = find_ways(yes, to_yes, inside, ways)?;
            Some(deeper.max(find_ways(no, way, inside, ways)?))
        }
        SkeletonNode::Text(_) | SkeletonNode::Const(_) | SkeletonNode::Slot { .. } => Some(depth),
    }
}

/// The witness of a way: its lowest bit decides the outermost choices, the next one those in them.
fn build_way(skeleton: &Skeleton<'_, '_>, way: u64) -> Value {
    fn members(items: &[Item<'_, '_>], way: u64, out: &mut Map<String, Value>) {
        for item in items {
            match item {
                Item::One { key, value } => {
                    out.insert(key.as_deref().unwrap_or_default().into(), build_way(value, way));
                }
                Item::If(_, yes, no) => members(if way & 1 == 1 { yes } else { no }, way >> 1, out),
                Item::For(_, body) | Item::Strip(body) => members(body, way, out),
                Item::Set(..) | Item::Comma(_) | Item::CommaUnless(..) => {}
            }
        }
    }
    match &skeleton.node {
        SkeletonNode::Object(items) => {
            let mut out = Map::new();
            members(items, way, &mut out);
            Value::Object(out)
        }
        SkeletonNode::Array(items) => {
            let mut list = Vec::new();
            visit(items, None, &mut |_, value| list.push(build_way(value, way)));
            Value::Array(list)
        }
        SkeletonNode::If(_, yes, no) => build_way(if way & 1 == 1 { yes } else { no }, way >> 1),
        SkeletonNode::Text(parts) => constant(parts).map_or(Value::Null, Value::from),
        SkeletonNode::Const(value) => value.clone(),
        SkeletonNode::Slot { .. } => Value::Null,
    }
}

/// The range of the template that writes the value at a pointer into the witness.
pub(super) fn find(
    skeleton: &Skeleton<'_, '_>,
    pointer: &str,
    choice: bool,
) -> Option<Range<usize>> {
    walk(skeleton, pointer, choice, false)
}

/// The range of the template that writes the value at a pointer into a rendered tree, or the closest
/// enclosing list: after a loop or a branch, indexes of a rendered list differ from the template's.
pub(super) fn find_rendered(skeleton: &Skeleton<'_, '_>, pointer: &str) -> Option<Range<usize>> {
    walk(skeleton, pointer, true, true)
}

fn walk(
    skeleton: &Skeleton<'_, '_>,
    pointer: &str,
    choice: bool,
    rendered: bool,
) -> Option<Range<usize>> {
    let mut found = skeleton.range.clone();
    let mut here = skeleton;
    for token in pointer.split('/').skip(1).map(unescaped) {
        while let SkeletonNode::If(_, yes, no) = &here.node {
            here = if choice { yes } else { no };
        }
        let mut next = None;
        if let SkeletonNode::Object(items) | SkeletonNode::Array(items) = &here.node {
            budget::steps(items.len() as u64 / 8).ok()?;
        }
        match &here.node {
            SkeletonNode::Object(items) => visit(items, Some(choice), &mut |key, value| {
                if key == Some(token.as_str()) {
                    next = Some(value);
                }
            }),
            SkeletonNode::Array(items) if rendered && !items.iter().all(is_fixed) => break,
            SkeletonNode::Array(items) => {
                let mut left = token.parse::<usize>().ok()?;
                visit(items, None, &mut |_, value| {
                    if left == 0 && next.is_none() {
                        next = Some(value);
                    }
                    left = left.saturating_sub(1);
                });
            }
            // The pointer leads into a hole.
            _ => break,
        }
        // The member is missing: the range of the object.
        let Some(value) = next else { break };
        here = value;
        found = here.range.clone();
    }
    Some(found)
}

/// Whether an item is always exactly one item.
fn is_fixed(item: &Item<'_, '_>) -> bool {
    match item {
        Item::One { value, .. } => !matches!(value.node, SkeletonNode::Slot { .. }),
        Item::Comma(_) => true,
        _ => false,
    }
}

/// A witness that is deserialized without being built, because checking witnesses takes most of the time of
/// loading a widget.
#[derive(Clone, Copy)]
pub(super) struct Witness<'i, 't, 's> {
    pub skeleton: &'i Skeleton<'t, 's>,
    pub choice: bool,
}

impl<'de> Deserializer<'de> for Witness<'_, '_, '_> {
    type Error = serde_json::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        let Self { skeleton, choice } = self;
        match &skeleton.node {
            SkeletonNode::Object(items) => {
                visitor.visit_map(Entries::new(items, Some(choice), choice))
            }
            SkeletonNode::Array(items) => visitor.visit_seq(Entries::new(items, None, choice)),
            SkeletonNode::Text(parts) => match constant(parts) {
                Some(text) => visitor.visit_str(text),
                None => visitor.visit_unit(),
            },
            // A scalar is cheap to clone, and the clone does not borrow from the skeleton.
            SkeletonNode::Const(value) => value.clone().deserialize_any(visitor),
            SkeletonNode::Slot { .. } => visitor.visit_unit(),
            SkeletonNode::If(_, yes, no) => {
                Witness { skeleton: if choice { yes } else { no }, choice }.deserialize_any(visitor)
            }
        }
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// The members or items of a witness.
struct Entries<'i, 't, 's> {
    items: std::vec::IntoIter<(Option<&'i str>, &'i Skeleton<'t, 's>)>,
    value: Option<&'i Skeleton<'t, 's>>,
    choice: bool,
}

impl<'i, 't, 's> Entries<'i, 't, 's> {
    fn new(items: &'i [Item<'t, 's>], of: Option<bool>, choice: bool) -> Self {
        let mut found = Vec::with_capacity(items.len());
        visit(items, of, &mut |key, value| found.push((key, value)));
        Self { items: found.into_iter(), value: None, choice }
    }
}

impl<'de> MapAccess<'de> for Entries<'_, '_, '_> {
    type Error = serde_json::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Self::Error> {
        let Some((key, value)) = self.items.next() else { return Ok(None) };
        self.value = Some(value);
        let key: StrDeserializer<'_, Self::Error> = key.unwrap_or_default().into_deserializer();
        seed.deserialize(key).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(
        &mut self,
        seed: V,
    ) -> Result<V::Value, Self::Error> {
        match self.value.take() {
            Some(skeleton) => seed.deserialize(Witness { skeleton, choice: self.choice }),
            None => seed.deserialize(Value::Null),
        }
    }
}

impl<'de> SeqAccess<'de> for Entries<'_, '_, '_> {
    type Error = serde_json::Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Self::Error> {
        let Some((_, skeleton)) = self.items.next() else { return Ok(None) };
        seed.deserialize(Witness { skeleton, choice: self.choice }).map(Some)
    }
}
