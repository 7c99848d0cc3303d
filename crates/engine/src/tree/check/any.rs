//! JSON that may be anything: only its depth is limited, and nulls in it are noticed.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::state::{Segment, State};

pub(super) struct AnySeed<'s, 'l>(pub &'s mut State<'l>);

impl<'de> DeserializeSeed<'de> for AnySeed<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, de: D) -> Result<(), D::Error> {
        de.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for AnySeed<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        self.0.checked.untidy = true;
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        self.0.enter(Segment::Key("…"))?;
        while seq.next_element_seed(AnySeed(self.0))?.is_some() {}
        self.0.leave();
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        self.0.enter(Segment::Key("…"))?;
        while map.next_key::<IgnoredAny>()?.is_some() {
            map.next_value_seed(AnySeed(self.0))?;
        }
        self.0.leave();
        Ok(())
    }
}
