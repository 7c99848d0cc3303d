//! A witness is one tree that a template could write, with null for every hole: enough to check
//! the constant parts of a template without any data.
//!
//! Lists take the items of every branch and one round of every loop; where one value or another
//! stands, `choice` decides, so two witnesses show both; for choices inside others see [`branches`].

use std::collections::BTreeSet;
use std::ops::Range;

use serde::de::value::StrDeserializer;
use serde::de::{DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::skeleton::{Item, Node, Spot, constant, visit};

pub(super) fn witness(spot: &Spot<'_, '_>, choice: bool) -> Value {
    on_the_way(spot, if choice { u64::MAX } else { 0 })
}

/// Whether one value or another, or a member or none, stands anywhere: whether the two witnesses
/// can differ.
pub(super) fn has_choice(spot: &Spot<'_, '_>) -> bool {
    fn any(items: &[Item<'_, '_>], members: bool) -> bool {
        items.iter().any(|item| match item {
            Item::One { value, .. } => has_choice(value),
            Item::If(_, yes, no) => members || any(yes, members) || any(no, members),
            Item::For(_, body) | Item::Strip(body) => any(body, members),
            Item::Set(..) | Item::Comma | Item::CommaUnlessLast | Item::CommaUnlessFirst => false,
        })
    }
    match &spot.node {
        Node::Object(items) => any(items, true),
        Node::Array(items) => any(items, false),
        Node::If(..) => true,
        Node::Text(_) | Node::Const(_) | Node::Slot { .. } => false,
    }
}

/// The most ways through a template that are looked at.
const WAYS: usize = 128;

/// Trees that show every branch of a template in which choices stand inside others: of those the two
/// witnesses show only some. None where there are too many.
pub(super) fn branches(root: &Spot<'_, '_>) -> Option<impl Iterator<Item = Value>> {
    let mut ways = BTreeSet::new();
    let is_nested = find_ways(root, 0, 0, &mut ways)? > 1;
    Some(ways.into_iter().filter(move |_| is_nested).map(|way| on_the_way(root, way)))
}

/// Finds the ways that lead to each branch, and how many choices stand inside each other at most.
/// `way` leads here, and has `depth` bits.
fn find_ways(spot: &Spot<'_, '_>, way: u64, depth: u32, ways: &mut BTreeSet<u64>) -> Option<u32> {
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
                Item::Set(..) | Item::Comma | Item::CommaUnlessLast | Item::CommaUnlessFirst => 0,
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
    match &spot.node {
        Node::Object(items) => of_items(items, true, way, depth, ways),
        Node::Array(items) => of_items(items, false, way, depth, ways),
        Node::If(_, yes, no) => {
            let (to_yes, inside) = choose(way, depth, ways)?;
            let deeper = find_ways(yes, to_yes, inside, ways)?;
            Some(deeper.max(find_ways(no, way, inside, ways)?))
        }
        Node::Text(_) | Node::Const(_) | Node::Slot { .. } => Some(depth),
    }
}

/// A witness where the lowest bit decides the outermost choices, the next one those inside them.
fn on_the_way(spot: &Spot<'_, '_>, way: u64) -> Value {
    fn members(items: &[Item<'_, '_>], way: u64, out: &mut Map<String, Value>) {
        for item in items {
            match item {
                Item::One { key, value } => {
                    out.insert(key.as_deref().unwrap_or_default().into(), on_the_way(value, way));
                }
                Item::If(_, yes, no) => members(if way & 1 == 1 { yes } else { no }, way >> 1, out),
                Item::For(_, body) | Item::Strip(body) => members(body, way, out),
                Item::Set(..) | Item::Comma | Item::CommaUnlessLast | Item::CommaUnlessFirst => {}
            }
        }
    }
    match &spot.node {
        Node::Object(items) => {
            let mut out = Map::new();
            members(items, way, &mut out);
            Value::Object(out)
        }
        Node::Array(items) => {
            let mut list = Vec::new();
            visit(items, None, &mut |_, value| list.push(on_the_way(value, way)));
            Value::Array(list)
        }
        Node::If(_, yes, no) => on_the_way(if way & 1 == 1 { yes } else { no }, way >> 1),
        Node::Text(parts) => constant(parts).map_or(Value::Null, Value::from),
        Node::Const(value) => value.clone(),
        Node::Slot { .. } => Value::Null,
    }
}

/// Where the value at a pointer into the witness stands in the template.
///
/// A pointer into a rendered tree is another matter: it goes only as far as the items of a list are
/// the same in both, which `find_rendered` sees to.
pub(super) fn find(spot: &Spot<'_, '_>, pointer: &str, choice: bool) -> Option<Range<usize>> {
    walk(spot, pointer, choice, false)
}

/// Where the value at a pointer into a rendered tree stands, or the nearest list that holds it.
pub(super) fn find_rendered(spot: &Spot<'_, '_>, pointer: &str) -> Option<Range<usize>> {
    walk(spot, pointer, true, true)
}

fn walk(spot: &Spot<'_, '_>, pointer: &str, choice: bool, rendered: bool) -> Option<Range<usize>> {
    let mut found = spot.range.clone();
    let mut here = spot;
    for token in pointer.split('/').skip(1) {
        while let Node::If(_, yes, no) = &here.node {
            here = if choice { yes } else { no };
        }
        let mut next = None;
        match &here.node {
            Node::Object(items) => visit(items, Some(choice), &mut |key, value| {
                if key == Some(token) {
                    next = Some(value);
                }
            }),
            Node::Array(items) if rendered && !items.iter().all(is_fixed) => break,
            Node::Array(items) => {
                let mut left = token.parse::<usize>().ok()?;
                visit(items, None, &mut |_, value| {
                    if left == 0 && next.is_none() {
                        next = Some(value);
                    }
                    left = left.saturating_sub(1);
                });
            }
            // Inside a hole: the hole is as near as it gets.
            _ => break,
        }
        // A missing member: the object that lacks it.
        let Some(value) = next else { break };
        here = value;
        found = here.range.clone();
    }
    Some(found)
}

/// Whether an item is one item whatever the data.
fn is_fixed(item: &Item<'_, '_>) -> bool {
    match item {
        Item::One { value, .. } => !matches!(value.node, Node::Slot { .. }),
        Item::Comma => true,
        _ => false,
    }
}

/// A witness that is read without being built: checking one is most of what loading a widget costs.
#[derive(Clone, Copy)]
pub(super) struct Witness<'i, 't, 's> {
    pub spot: &'i Spot<'t, 's>,
    pub choice: bool,
}

impl<'de> Deserializer<'de> for Witness<'_, '_, '_> {
    type Error = serde_json::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        let Self { spot, choice } = self;
        match &spot.node {
            Node::Object(items) => visitor.visit_map(Inside::new(items, Some(choice), choice)),
            Node::Array(items) => visitor.visit_seq(Inside::new(items, None, choice)),
            Node::Text(parts) => match constant(parts) {
                Some(text) => visitor.visit_str(text),
                None => visitor.visit_unit(),
            },
            // A scalar: cloning it costs nothing, and frees it from the lifetime of the tree.
            Node::Const(value) => value.clone().deserialize_any(visitor),
            Node::Slot { .. } => visitor.visit_unit(),
            Node::If(_, yes, no) => {
                Witness { spot: if choice { yes } else { no }, choice }.deserialize_any(visitor)
            }
        }
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// The members or items of a witness.
struct Inside<'i, 't, 's> {
    items: std::vec::IntoIter<(Option<&'i str>, &'i Spot<'t, 's>)>,
    value: Option<&'i Spot<'t, 's>>,
    choice: bool,
}

impl<'i, 't, 's> Inside<'i, 't, 's> {
    fn new(items: &'i [Item<'t, 's>], of: Option<bool>, choice: bool) -> Self {
        let mut found = Vec::with_capacity(items.len());
        visit(items, of, &mut |key, value| found.push((key, value)));
        Self { items: found.into_iter(), value: None, choice }
    }
}

impl<'de> MapAccess<'de> for Inside<'_, '_, '_> {
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
            Some(spot) => seed.deserialize(Witness { spot, choice: self.choice }),
            None => seed.deserialize(Value::Null),
        }
    }
}

impl<'de> SeqAccess<'de> for Inside<'_, '_, '_> {
    type Error = serde_json::Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Self::Error> {
        let Some((_, spot)) = self.items.next() else { return Ok(None) };
        seed.deserialize(Witness { spot, choice: self.choice }).map(Some)
    }
}
