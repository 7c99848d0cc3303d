//! JSON text that is known to be well-formed.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use super::string::write_string;

/// JSON text that is known to be well-formed, on one line.
///
/// ```
/// use serde_json::json;
/// use widgetcast_engine::json::Json;
///
/// assert_eq!(Json::from(json!({"a": 1})).as_str(), r#"{"a":1}"#);
/// assert_eq!(Json::string("say \"a\"").as_str(), r#""say \"a\"""#);
/// assert_eq!(Json::parse("[1,\n 2]".into())?.as_str(), "[1, 2]");
/// assert!(Json::parse("[1,".into()).is_err());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Json(String);

impl Json {
    /// Accepts a text if it is JSON that [`Json::to_value`] can read.
    pub fn parse(text: String) -> Result<Self, serde_json::Error> {
        serde_json::from_str::<AnyJson>(&text)?;
        Ok(Self::laid_out(text))
    }

    /// Serializes a value.
    pub fn serialize(value: &impl serde::Serialize) -> Result<Self, serde_json::Error> {
        // Results are rarely shorter, and growing a buffer copies it.
        let mut out = Vec::with_capacity(1 << 10);
        serde_json::to_writer(&mut out, value)?;
        String::from_utf8(out).map(Self).map_err(serde::ser::Error::custom)
    }

    /// A text as a JSON string.
    pub fn string(text: &str) -> Self {
        let mut out = String::with_capacity(text.len() + 2);
        write_string(text, &mut out);
        Self(out)
    }

    /// Wraps text that is known to be JSON on one line, without checking it.
    #[doc(hidden)]
    pub fn ours(text: String) -> Self {
        Self(text)
    }

    /// Wraps text that is known to be JSON, and removes its line breaks, because over stdio each line is a
    /// message. A JSON string cannot contain a line break.
    #[doc(hidden)]
    pub fn laid_out(mut text: String) -> Self {
        // Whole chunks are searched without an early exit, which compiles to a few SIMD instructions; a
        // search that stops at the first match checks single bytes.
        let has_break = |piece: &[u8]| piece.iter().fold(u8::MAX, |low, b| low.min(*b)) < 0x20;
        if text.as_bytes().chunks(256).any(has_break) {
            text.retain(|c| c != '\n' && c != '\r');
        }
        Self(text)
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text, moved out.
    pub fn into_string(self) -> String {
        self.0
    }

    /// The value.
    pub fn to_value(&self) -> Value {
        serde_json::from_str(&self.0).unwrap_or_default()
    }

    /// The length of the text in bytes.
    #[allow(clippy::len_without_is_empty)] // JSON is never empty.
    pub fn len(&self) -> usize {
        self.0.len()
    }
}

impl From<&Value> for Json {
    fn from(value: &Value) -> Self {
        Self(value.to_string())
    }
}

impl From<Value> for Json {
    fn from(value: Value) -> Self {
        Self::from(&value)
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Parses any JSON and drops it: as strict as building a value.
struct AnyJson;

impl<'de> Deserialize<'de> for AnyJson {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Self)
    }
}

impl<'de> Visitor<'de> for AnyJson {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON")
    }

    fn visit_unit<E>(self) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_str<E>(self, _: &str) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self, A::Error> {
        while seq.next_element::<Self>()?.is_some() {}
        Ok(self)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self, A::Error> {
        while map.next_entry::<Self, Self>()?.is_some() {}
        Ok(self)
    }
}
