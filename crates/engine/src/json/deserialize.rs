//! Deserializing a [`JsonRef`], and deserializing from one.

use std::borrow::Cow;
use std::fmt;

use serde::de::value::{
    BorrowedStrDeserializer, MapAccessDeserializer, MapDeserializer, SeqDeserializer,
};
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error as _, IntoDeserializer, MapAccess, SeqAccess,
    Visitor,
};
use serde_json::Number;

use super::json_ref::{JsonRef, Members};
use crate::budget;

impl<'de: 'a, 'a> Deserialize<'de> for JsonRef<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut value = JsonRef::Null;
        Target(&mut value).deserialize(deserializer)?;
        Ok(value)
    }
}

/// The target of parsing. Returning the value instead would copy it, which takes longer than parsing it.
struct Target<'p, 'a>(&'p mut JsonRef<'a>);

impl<'de: 'a, 'a> DeserializeSeed<'de> for Target<'_, 'a> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de: 'a, 'a> Visitor<'de> for Target<'_, 'a> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        *self.0 = JsonRef::Null;
        Ok(())
    }

    fn visit_bool<E>(self, flag: bool) -> Result<(), E> {
        *self.0 = JsonRef::Bool(flag);
        Ok(())
    }

    fn visit_i64<E>(self, number: i64) -> Result<(), E> {
        *self.0 = JsonRef::Number(number.into());
        Ok(())
    }

    fn visit_u64<E>(self, number: u64) -> Result<(), E> {
        *self.0 = JsonRef::Number(number.into());
        Ok(())
    }

    fn visit_f64<E>(self, number: f64) -> Result<(), E> {
        *self.0 = Number::from_f64(number).map_or(JsonRef::Null, JsonRef::Number);
        Ok(())
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<(), E> {
        *self.0 = JsonRef::Text(Cow::Borrowed(text));
        Ok(())
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        *self.0 = JsonRef::Text(Cow::Owned(text.to_owned()));
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        let mut items = Vec::new();
        while seq.next_element_seed(NextItem(&mut items))?.is_some() {
            if items.len().is_multiple_of(COUNTED_TOGETHER) {
                budget::values(COUNTED_TOGETHER).map_err(A::Error::custom)?;
            }
        }
        budget::values(items.len() % COUNTED_TOGETHER).map_err(A::Error::custom)?;
        *self.0 = JsonRef::List(items);
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut list = Vec::new();
        while map.next_key_seed(NextKey(&mut list))?.is_some() {
            if let Some((_, member)) = list.last_mut() {
                map.next_value_seed(Target(member))?;
            }
            if list.len().is_multiple_of(COUNTED_TOGETHER) {
                budget::values(COUNTED_TOGETHER).map_err(A::Error::custom)?;
            }
        }
        budget::values(list.len() % COUNTED_TOGETHER).map_err(A::Error::custom)?;
        *self.0 = JsonRef::Object(Members::new(list));
        Ok(())
    }
}

/// This many values of one list or object are counted at a time.
const COUNTED_TOGETHER: usize = 64;

/// The list to which items are appended.
struct NextItem<'p, 'a>(&'p mut Vec<JsonRef<'a>>);

impl<'de: 'a, 'a> DeserializeSeed<'de> for NextItem<'_, 'a> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let at = self.0.len();
        self.0.push(JsonRef::Null);
        Target(&mut self.0[at]).deserialize(deserializer)
    }
}

/// The members to which keys are appended, with null as their value.
struct NextKey<'p, 'a>(&'p mut Vec<(Cow<'a, str>, JsonRef<'a>)>);

impl<'de: 'a, 'a> DeserializeSeed<'de> for NextKey<'_, 'a> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de: 'a, 'a> Visitor<'de> for NextKey<'_, 'a> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_borrowed_str<E>(self, key: &'de str) -> Result<(), E> {
        self.0.push((Cow::Borrowed(key), JsonRef::Null));
        Ok(())
    }

    fn visit_str<E>(self, key: &str) -> Result<(), E> {
        self.0.push((Cow::Owned(key.to_owned()), JsonRef::Null));
        Ok(())
    }
}

/// The members of an object, to be deserialized.
fn members_of<'de>(
    members: &'de Members<'de>,
) -> MapDeserializer<'de, impl Iterator<Item = (Key<'de>, &'de JsonRef<'de>)>, serde_json::Error> {
    MapDeserializer::new(members.iter().map(|(key, value)| (Key(key), value)))
}

/// The key of a member. Keys of a map may be numbers or booleans, which JSON writes as strings.
struct Key<'de>(&'de str);

macro_rules! parse_key {
    ($($method:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
            let mut key = serde_json::Deserializer::from_str(self.0);
            let value = key.$method(visitor)?;
            key.end().map(|()| value)
        })*
    };
}

impl<'de> Deserializer<'de> for Key<'de> {
    type Error = serde_json::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        visitor.visit_borrowed_str(self.0)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        visitor.visit_enum(BorrowedStrDeserializer::new(self.0))
    }

    parse_key! {
        deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_i128 deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
        deserialize_u128 deserialize_f32 deserialize_f64
    }

    serde::forward_to_deserialize_any! {
        char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier
        ignored_any
    }
}

impl<'de> IntoDeserializer<'de, serde_json::Error> for Key<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// A value can be deserialized again: by the checker of props, or into a type of a handler.
impl<'de> Deserializer<'de> for &'de JsonRef<'de> {
    type Error = serde_json::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        match self {
            JsonRef::Null => visitor.visit_unit(),
            JsonRef::Bool(flag) => visitor.visit_bool(*flag),
            JsonRef::Number(number) => number.deserialize_any(visitor),
            JsonRef::Text(text) => visitor.visit_borrowed_str(text),
            JsonRef::List(items) => visitor.visit_seq(SeqDeserializer::new(items.iter())),
            JsonRef::Object(members) => visitor.visit_map(members_of(members)),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        match self {
            JsonRef::Null => visitor.visit_none(),
            data => visitor.visit_some(data),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        visitor.visit_newtype_struct(self)
    }

    /// A variant is its name, or an object with its name as the only member.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        match self {
            JsonRef::Text(name) => visitor.visit_enum(BorrowedStrDeserializer::new(name)),
            JsonRef::Object(members) if members.len() == 1 => {
                visitor.visit_enum(MapAccessDeserializer::new(members_of(members)))
            }
            _ => Err(serde_json::Error::custom(
                "expected the name of a variant, or an object with one member",
            )),
        }
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

impl<'de> IntoDeserializer<'de, serde_json::Error> for &'de JsonRef<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::de::DeserializeOwned;
    use serde_json::{Value, json};

    use super::*;

    #[derive(Debug, PartialEq, serde::Deserialize)]
    enum Shape {
        Dot,
        Circle(f64),
        Line(i64, i64),
        Box { width: u8 },
    }

    #[derive(Debug, PartialEq, serde::Deserialize)]
    #[serde(tag = "kind", rename_all = "camelCase")]
    enum Tagged {
        One { n: i64 },
        Two,
    }

    #[derive(Debug, PartialEq, serde::Deserialize)]
    #[serde(untagged)]
    enum Untagged {
        Number(i64),
        Text(String),
        List(Vec<Untagged>),
    }

    #[derive(Debug, PartialEq, serde::Deserialize)]
    struct Wrapper(Option<Shape>);

    #[derive(Debug, PartialEq, serde::Deserialize)]
    struct Flat {
        name: String,
        #[serde(flatten)]
        rest: BTreeMap<String, Value>,
    }

    /// Every type that a handler's input may have is deserialized as by serde_json.
    #[test]
    fn types_are_read_as_from_a_value() {
        fn same<T: DeserializeOwned + PartialEq + std::fmt::Debug>(values: &[Value]) {
            let mut read = 0;
            for value in values {
                let expected = T::deserialize(value).ok();
                let found = T::deserialize(&JsonRef::from(value)).ok();
                read += usize::from(found.is_some());
                assert_eq!(found, expected, "{value}");
            }
            assert!(read > 0, "none of {values:?} was read");
        }
        let shapes = [
            json!("Dot"),
            json!({ "Dot": null }),
            json!({ "Circle": 1.5 }),
            json!({ "Line": [1, 2] }),
            json!({ "Line": [1] }),
            json!({ "Box": { "width": 3 } }),
            json!({ "Box": { "width": 300 } }),
            json!("Circle"),
            json!("Square"),
            json!({ "Dot": null, "Circle": 1 }),
            json!({}),
            json!(7),
            json!(null),
            json!([]),
        ];
        same::<Shape>(&shapes);
        same::<Wrapper>(&shapes);
        same::<Tagged>(&[json!({ "kind": "one", "n": 1 }), json!({ "kind": "two" }), json!({})]);
        same::<Untagged>(&[json!(1), json!("a"), json!([1, ["b"]]), json!({})]);
        same::<Flat>(&[json!({ "name": "a", "b": [1], "c": null }), json!({ "b": 1 })]);
        same::<BTreeMap<u32, bool>>(&[
            json!({ "1": true, "20": false }),
            json!({ "x": true }),
            json!({ "1x": true }),
            json!({ "-1": true }),
        ]);
        same::<BTreeMap<bool, i64>>(&[json!({ "true": 1 }), json!({ "yes": 1 })]);
        same::<(i64, Option<String>, [u8; 2])>(&[json!([1, null, [1, 2]]), json!([1, "a"])]);
    }
}
