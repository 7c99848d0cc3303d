//! The keys of a tree and the names of components, looked up in the table while they are read.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::component::{Component, Prop, Shape};

/// Whether the first key is `type`.
pub(super) struct IsType;

/// A component's other keys.
pub(super) struct PropKey(pub &'static Component);

pub(super) enum Key {
    Type,
    Children,
    /// The prop, and its bit among the required ones.
    Prop(&'static Prop, u32),
    Unknown(String),
}

/// A nested object's keys.
pub(super) struct ShapeKey(pub &'static Shape);

/// The value of `type`: the row, or the text that names none.
pub(super) struct TypeName;

macro_rules! text_seed {
    ($seed:ty, $out:ty, |$this:ident, $text:ident| $body:expr) => {
        impl $seed {
            fn read(self, $text: &str) -> $out {
                let $this = self;
                $body
            }
        }
        impl<'de> DeserializeSeed<'de> for $seed {
            type Value = $out;
            fn deserialize<D: Deserializer<'de>>(
                self,
                de: D,
            ) -> std::result::Result<$out, D::Error> {
                de.deserialize_any(self)
            }
        }
        impl<'de> Visitor<'de> for $seed {
            type Value = $out;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text")
            }
            fn visit_str<E>(self, text: &str) -> std::result::Result<$out, E> {
                Ok(self.read(text))
            }
            // Only a value can be anything but a text; take it as the empty one.
            fn visit_bool<E>(self, _: bool) -> std::result::Result<$out, E> {
                Ok(self.read(""))
            }
            fn visit_i64<E>(self, _: i64) -> std::result::Result<$out, E> {
                Ok(self.read(""))
            }
            fn visit_u64<E>(self, _: u64) -> std::result::Result<$out, E> {
                Ok(self.read(""))
            }
            fn visit_f64<E>(self, _: f64) -> std::result::Result<$out, E> {
                Ok(self.read(""))
            }
            fn visit_unit<E>(self) -> std::result::Result<$out, E> {
                Ok(self.read(""))
            }
            fn visit_seq<A: SeqAccess<'de>>(
                self,
                mut seq: A,
            ) -> std::result::Result<$out, A::Error> {
                while seq.next_element::<IgnoredAny>()?.is_some() {}
                Ok(self.read(""))
            }
            fn visit_map<A: MapAccess<'de>>(
                self,
                mut map: A,
            ) -> std::result::Result<$out, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(self.read(""))
            }
        }
    };
}

text_seed!(IsType, bool, |_this, text| text == "type");
text_seed!(PropKey, Key, |this, text| match text {
    "type" => Key::Type,
    "children" => Key::Children,
    _ => match this.0.prop(text) {
        Some(prop) if prop.required => {
            let index = this.0.all_props().filter(|p| p.required).position(|p| p.name == text);
            Key::Prop(prop, 1 << index.unwrap_or(31))
        }
        Some(prop) => Key::Prop(prop, 0),
        None => Key::Unknown(text.to_owned()),
    },
});
text_seed!(ShapeKey, std::result::Result<(usize, &'static Prop), String>, |this, text| {
    match this.0.props.iter().enumerate().find(|(_, p)| p.name == text) {
        Some(found) => Ok(found),
        None => Err(text.to_owned()),
    }
});
text_seed!(TypeName, std::result::Result<&'static Component, String>, |_this, text| {
    Component::find(text).ok_or_else(|| text.to_owned())
});
