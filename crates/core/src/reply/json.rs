//! JSON as text, and how a text becomes a JSON string.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

/// JSON text that is known to be well-formed, on one line.
///
/// ```
/// use serde_json::json;
/// use widgetcast_core::Json;
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
    /// Takes text from outside, if it is JSON that [`Json::to_value`] can read.
    pub fn parse(text: String) -> Result<Self, serde_json::Error> {
        serde_json::from_str::<Sound>(&text)?;
        Ok(Self::laid_out(text))
    }

    /// A text as a JSON string.
    pub fn string(text: &str) -> Self {
        let mut out = String::with_capacity(text.len() + 2);
        write_string(text, &mut out);
        Self(out)
    }

    /// Takes text that we wrote ourselves, on one line.
    pub(crate) fn ours(text: String) -> Self {
        Self(text)
    }

    /// Takes text that may be laid out in lines, as by a template, and puts it on one: a line is a
    /// message where servers talk over pipes. Inside a JSON string there can be no break.
    pub(crate) fn laid_out(mut text: String) -> Self {
        // Looked for in pieces, each as a whole: a few wide instructions, where a search that stops
        // at what it finds takes one byte after the other.
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

    /// Parsed.
    pub fn to_value(&self) -> Value {
        serde_json::from_str(&self.0).unwrap_or_default()
    }

    pub(super) fn len(&self) -> usize {
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

/// Writes a text as a JSON string, with its quotes.
pub(crate) fn write_string(text: &str, out: &mut String) {
    out.push('"');
    write_escaped(text, out);
    out.push('"');
}

/// Writes the inside of a JSON string.
#[inline]
pub(crate) fn write_escaped(text: &str, out: &mut String) {
    // Most texts need no escaping, and then a look and a copy are all there is to do.
    if is_plain(text.as_bytes()) {
        out.push_str(text);
    } else {
        write_odd(text, out);
    }
}

/// Whether a JSON string can hold all bytes as they are. Eight are looked at in one word.
#[inline]
fn is_plain(bytes: &[u8]) -> bool {
    const ONES: u64 = u64::MAX / 0xff;
    // The top bit of a byte tells whether it is below a bound, as long as none before it was.
    let below = |word: u64, bound: u8| word.wrapping_sub(ONES * u64::from(bound)) & !word;
    let is_odd = |word: &[u8; 8]| {
        let word = u64::from_le_bytes(*word);
        let quotes = below(word ^ (ONES * u64::from(b'"')), 1);
        let slashes = below(word ^ (ONES * u64::from(b'\\')), 1);
        (below(word, 0x20) | quotes | slashes) & (ONES << 7) != 0
    };
    let (words, rest) = bytes.as_chunks::<8>();
    !words.iter().any(is_odd) && !rest.iter().any(|byte| IS_ESCAPED[usize::from(*byte)])
}

/// Writes a text of which some bytes are escaped.
fn write_odd(text: &str, out: &mut String) {
    let mut written = 0;
    for (at, byte) in text.bytes().enumerate() {
        if !IS_ESCAPED[usize::from(byte)] {
            continue;
        }
        out.push_str(&text[written..at]);
        out.push('\\');
        // A quote or a backslash itself goes out with what follows it.
        written = at;
        if byte < 0x20 {
            written += 1;
            escape(byte, out);
        }
    }
    out.push_str(&text[written..]);
}

/// Whether a JSON string cannot hold a byte as it is.
const IS_ESCAPED: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 0x20 {
        table[byte] = true;
        byte += 1;
    }
    table[b'"' as usize] = true;
    table[b'\\' as usize] = true;
    table
};

/// Writes what stands after the backslash for a control character.
fn escape(byte: u8, out: &mut String) {
    match byte {
        b'\n' => out.push('n'),
        b'\r' => out.push('r'),
        b'\t' => out.push('t'),
        0x08 => out.push('b'),
        0x0c => out.push('f'),
        _ => {
            out.push_str("u00");
            out.extend([byte >> 4, byte & 15].map(|digit| char::from(HEX[usize::from(digit)])));
        }
    }
}

const HEX: &[u8; 16] = b"0123456789abcdef";

/// Any JSON, looked at to the end and forgotten: as strict as building a value of it.
struct Sound;

impl<'de> Deserialize<'de> for Sound {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Self)
    }
}

impl<'de> Visitor<'de> for Sound {
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
