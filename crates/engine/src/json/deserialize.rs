//! Deserializing a [`JsonRef`], and deserializing from one.

use std::borrow::Cow;
use std::fmt;

use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, SeqAccess, Visitor,
};
use serde_json::Number;

use super::json_ref::{JsonRef, Members};

impl<'de: 'a, 'a> Deserialize<'de> for JsonRef<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut value = JsonRef::Null;
        Target(&mut value).deserialize(deserializer)?;
        Ok(value)
    }
}

/// The memory that a value is read into. Returning the value instead would copy it, and that takes
/// longer than reading it.
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
        while seq.next_element_seed(NextItem(&mut items))?.is_some() {}
        *self.0 = JsonRef::List(items);
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut list = Vec::new();
        while map.next_key_seed(NextKey(&mut list))?.is_some() {
            if let Some((_, member)) = list.last_mut() {
                map.next_value_seed(Target(member))?;
            }
        }
        *self.0 = JsonRef::Object(Members::new(list));
        Ok(())
    }
}

/// The list that the next item is appended to.
struct NextItem<'p, 'a>(&'p mut Vec<JsonRef<'a>>);

impl<'de: 'a, 'a> DeserializeSeed<'de> for NextItem<'_, 'a> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let at = self.0.len();
        self.0.push(JsonRef::Null);
        Target(&mut self.0[at]).deserialize(deserializer)
    }
}

/// The members that the next key is appended to, with null for its value.
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
            JsonRef::Object(members) => visitor.visit_map(MapDeserializer::new(members.iter())),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        match self {
            JsonRef::Null => visitor.visit_none(),
            data => visitor.visit_some(data),
        }
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl<'de> IntoDeserializer<'de, serde_json::Error> for &'de JsonRef<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}
