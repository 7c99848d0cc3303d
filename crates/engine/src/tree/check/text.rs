//! A seed for keys and component names: they are looked up while they are read, without a copy.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// Reads a string and returns what the function makes of it. Any other JSON counts as the empty
/// string, which names nothing: keys are always strings, but the value of `type` need not be one.
pub(super) struct TextSeed<F>(pub F);

impl<'de, T, F: FnOnce(&str) -> T> DeserializeSeed<'de> for TextSeed<F> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, de: D) -> Result<T, D::Error> {
        de.deserialize_any(self)
    }
}

impl<'de, T, F: FnOnce(&str) -> T> Visitor<'de> for TextSeed<F> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E>(self, text: &str) -> Result<T, E> {
        Ok(self.0(text))
    }

    fn visit_bool<E>(self, _: bool) -> Result<T, E> {
        Ok(self.0(""))
    }

    fn visit_i64<E>(self, _: i64) -> Result<T, E> {
        Ok(self.0(""))
    }

    fn visit_u64<E>(self, _: u64) -> Result<T, E> {
        Ok(self.0(""))
    }

    fn visit_f64<E>(self, _: f64) -> Result<T, E> {
        Ok(self.0(""))
    }

    fn visit_unit<E>(self) -> Result<T, E> {
        Ok(self.0(""))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<T, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(self.0(""))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<T, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(self.0(""))
    }
}
