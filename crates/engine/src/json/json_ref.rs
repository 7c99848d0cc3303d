//! What a widget is given: the data of a call, borrowed from the text that it came in.
//!
//! Not taken: `serde_json::Value`, which copies every key and text and hashes every key. Arguments
//! have few members, are looked at once, and are gone with the call.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::{self, Write as _};

use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, SeqAccess, Visitor,
};
use serde_json::{Map, Number, Value};

use super::locate;
use super::string::write_string;

/// A JSON value that borrows its texts where they need no decoding.
///
/// ```
/// use serde_json::json;
/// use widgetcast_engine::json::JsonRef;
///
/// let data = JsonRef::read(r#"{"pier": 3, "name": "Ada"}"#)?;
/// assert_eq!(data.to_value(), json!({"pier": 3, "name": "Ada"}));
/// assert_eq!(JsonRef::from(&data.to_value()), data);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub enum JsonRef<'a> {
    /// Nothing.
    #[default]
    Null,
    /// True or false.
    Bool(bool),
    /// A number.
    Number(Number),
    /// A text.
    Text(Cow<'a, str>),
    /// A list.
    List(Vec<JsonRef<'a>>),
    /// An object.
    Object(Members<'a>),
}

/// The members of an object, in the order in which they were written. Of several with the same key
/// the last one counts, in the place of the first.
#[derive(Clone, Debug, Default)]
pub struct Members<'a> {
    list: Vec<(Cow<'a, str>, JsonRef<'a>)>,
    /// The places of the members by their keys, where there are too many to look at each.
    sorted: Box<[u32]>,
}

/// Members that are found by looking at each.
const FEW: usize = 16;

impl<'a> JsonRef<'a> {
    /// Reads JSON text.
    pub fn read(text: &'a str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// The members, if it is an object.
    pub fn as_object(&self) -> Option<&Members<'a>> {
        match self {
            JsonRef::Object(members) => Some(members),
            _ => None,
        }
    }

    /// The text, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            JsonRef::Text(text) => Some(text),
            _ => None,
        }
    }

    /// A member, if it is an object that has it.
    pub fn get(&self, key: &str) -> Option<&JsonRef<'a>> {
        self.as_object()?.get(key)
    }

    /// What a JSON pointer leads to.
    pub fn pointer(&self, pointer: &str) -> Option<&JsonRef<'a>> {
        pointer.split('/').skip(1).try_fold(self, |given, key| match given {
            JsonRef::Object(members) => members.get(&locate::unescaped(key)),
            JsonRef::List(items) => items.get(key.parse::<usize>().ok()?),
            _ => None,
        })
    }

    /// The same as JSON text, without white space. That is the text it was read from, if this is all
    /// that it holds.
    ///
    /// ```
    /// use std::borrow::Cow;
    /// use widgetcast_engine::json::JsonRef;
    ///
    /// let text = |text| JsonRef::read(text).map(|data| data.text_of(text));
    /// assert!(matches!(text(r#"{"a":[1,"b"]}"#)?, Cow::Borrowed(_)));
    /// assert_eq!(text(r#"{"a": [ 1 ], "a": "\u0062"}"#)?, r#"{"a":"b"}"#);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn text_of<'t>(&self, read_from: &'t str) -> Cow<'t, str> {
        match self.length() == Some(read_from.len()) {
            true => Cow::Borrowed(read_from),
            false => {
                let mut out = String::with_capacity(read_from.len().min(1 << 12));
                self.write(&mut out);
                Cow::Owned(out)
            }
        }
    }

    fn write(&self, out: &mut String) {
        match self {
            JsonRef::Null => out.push_str("null"),
            JsonRef::Bool(flag) => out.push_str(if *flag { "true" } else { "false" }),
            JsonRef::Number(number) => _ = write!(out, "{number}"),
            JsonRef::Text(text) => write_string(text, out),
            JsonRef::List(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    out.push_str(if index > 0 { "," } else { "" });
                    item.write(out);
                }
                out.push(']');
            }
            JsonRef::Object(members) => {
                out.push('{');
                for (index, (key, member)) in members.iter().enumerate() {
                    out.push_str(if index > 0 { "," } else { "" });
                    write_string(key, out);
                    out.push(':');
                    member.write(out);
                }
                out.push('}');
            }
        }
    }

    /// How many bytes it takes as JSON text, where that is easily told. No text that it was read from
    /// has fewer; one that has as many holds nothing else.
    fn length(&self) -> Option<usize> {
        /// With brackets, and commas between.
        fn sum(mut each: impl ExactSizeIterator<Item = Option<usize>>) -> Option<usize> {
            let commas = each.len().saturating_sub(1);
            each.try_fold(2 + commas, |sum, length| Some(sum + length?))
        }
        // Borrowed text stood there as it is.
        let plain = |text: &Cow<'a, str>| matches!(text, Cow::Borrowed(_)).then(|| text.len() + 2);
        match self {
            JsonRef::Null | JsonRef::Bool(true) => Some(4),
            JsonRef::Bool(false) => Some(5),
            JsonRef::Number(number) => {
                let digits = |number: u64| number.checked_ilog10().unwrap_or_default() as usize + 1;
                number
                    .as_u64()
                    .map(digits)
                    .or_else(|| number.as_i64().map(|number| digits(number.unsigned_abs()) + 1))
            }
            JsonRef::Text(text) => plain(text),
            JsonRef::List(items) => sum(items.iter().map(JsonRef::length)),
            JsonRef::Object(members) => sum(members
                .list
                .iter()
                .map(|(key, member)| Some(plain(key)? + 1 + member.length()?))),
        }
    }

    /// The same as a value of its own.
    pub fn to_value(&self) -> Value {
        match self {
            JsonRef::Null => Value::Null,
            JsonRef::Bool(flag) => Value::Bool(*flag),
            JsonRef::Number(number) => Value::Number(number.clone()),
            JsonRef::Text(text) => Value::String(text.to_string()),
            JsonRef::List(items) => items.iter().map(JsonRef::to_value).collect(),
            JsonRef::Object(members) => {
                let members = members.iter().map(|(key, value)| (key.to_owned(), value.to_value()));
                Value::Object(members.collect::<Map<_, _>>())
            }
        }
    }
}

impl<'a> From<&'a Value> for JsonRef<'a> {
    fn from(value: &'a Value) -> Self {
        match value {
            Value::Null => JsonRef::Null,
            Value::Bool(flag) => JsonRef::Bool(*flag),
            Value::Number(number) => JsonRef::Number(number.clone()),
            Value::String(text) => JsonRef::Text(Cow::Borrowed(text)),
            Value::Array(items) => JsonRef::List(items.iter().map(JsonRef::from).collect()),
            Value::Object(members) => {
                let members =
                    members.iter().map(|(key, value)| (key.as_str().into(), value.into()));
                JsonRef::Object(members.collect())
            }
        }
    }
}

impl<'a> Members<'a> {
    fn new(list: Vec<(Cow<'a, str>, JsonRef<'a>)>) -> Self {
        let mut members = Self { list, sorted: Box::default() };
        let key = |at: u32| &members.list[at as usize].0;
        let is_doubled = if members.list.len() <= FEW {
            let before = |(at, (key, _)): (usize, &(Cow<'a, str>, _))| {
                members.list[..at].iter().any(|(known, _)| is_same(known, key))
            };
            members.list.iter().enumerate().any(before)
        } else {
            let mut sorted: Vec<u32> = (0..).take(members.list.len()).collect();
            sorted.sort_unstable_by(|a, b| key(*a).cmp(key(*b)));
            let is_doubled = sorted.windows(2).any(|pair| key(pair[0]) == key(pair[1]));
            members.sorted = sorted.into();
            is_doubled
        };
        if is_doubled { members.undoubled() } else { members }
    }

    #[cold]
    fn undoubled(self) -> Self {
        let mut list: Vec<(Cow<'a, str>, JsonRef<'a>)> = Vec::with_capacity(self.list.len());
        let mut places: HashMap<Cow<'a, str>, usize> = HashMap::new();
        for (key, value) in self.list {
            match places.get(&key) {
                Some(place) => list[*place].1 = value,
                None => {
                    places.insert(key.clone(), list.len());
                    list.push((key, value));
                }
            }
        }
        Self::new(list)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// A member.
    pub fn get(&self, key: &str) -> Option<&JsonRef<'a>> {
        let found = if self.sorted.is_empty() {
            self.list.iter().find(|(known, _)| is_same(known, key))
        } else {
            let place = |at: &u32| self.list[*at as usize].0.as_ref().cmp(key);
            let found = self.sorted.binary_search_by(place).ok()?;
            self.list.get(self.sorted[found] as usize)
        };
        found.map(|(_, value)| value)
    }

    /// All of them as they are kept, in order.
    pub fn as_slice(&self) -> &[(Cow<'a, str>, JsonRef<'a>)] {
        &self.list
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &JsonRef<'a>)> {
        self.list.iter().map(|(key, value)| (key.as_ref(), value))
    }
}

/// Whether two keys are the same: a few words are compared, where calling for it would take longer.
#[inline]
fn is_same(one: &str, other: &str) -> bool {
    /// Whether both begin and end with the same so many bytes.
    fn ends<const N: usize>(one: &[u8], other: &[u8]) -> bool {
        one.first_chunk::<N>() == other.first_chunk() && one.last_chunk::<N>() == other.last_chunk()
    }
    let (one, other) = (one.as_bytes(), other.as_bytes());
    if one.len() != other.len() {
        return false;
    }
    match one.len() {
        17.. => one == other,
        8.. => ends::<8>(one, other),
        4.. => ends::<4>(one, other),
        2.. => ends::<2>(one, other),
        _ => one.first() == other.first(),
    }
}

impl<'a> FromIterator<(Cow<'a, str>, JsonRef<'a>)> for Members<'a> {
    fn from_iter<I: IntoIterator<Item = (Cow<'a, str>, JsonRef<'a>)>>(members: I) -> Self {
        Self::new(members.into_iter().collect())
    }
}

/// Their order says nothing.
impl PartialEq for Members<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().all(|(key, member)| other.get(key) == Some(member))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for JsonRef<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut given = JsonRef::Null;
        Place(&mut given).deserialize(deserializer)?;
        Ok(given)
    }
}

/// Where a value belongs: it is read right there, since copying it from where it was just written
/// takes longer than reading it.
struct Place<'p, 'a>(&'p mut JsonRef<'a>);

impl<'de: 'a, 'a> DeserializeSeed<'de> for Place<'_, 'a> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de: 'a, 'a> Visitor<'de> for Place<'_, 'a> {
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
                map.next_value_seed(Place(member))?;
            }
        }
        *self.0 = JsonRef::Object(Members::new(list));
        Ok(())
    }
}

/// Where the next item of a list belongs.
struct NextItem<'p, 'a>(&'p mut Vec<JsonRef<'a>>);

impl<'de: 'a, 'a> DeserializeSeed<'de> for NextItem<'_, 'a> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let at = self.0.len();
        self.0.push(JsonRef::Null);
        Place(&mut self.0[at]).deserialize(deserializer)
    }
}

/// Where the next key of an object belongs, with nothing for its value yet.
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

/// Read again by what reads JSON: the checks of props and of children.
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 64, 8, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..8).prop_map(Value::from),
                prop::collection::vec((any::<String>(), inner.clone()), 0..24)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn it_reads_what_a_value_reads(value in any_json()) {
            let text = value.to_string();
            let again: Value = serde_json::from_str(&text).unwrap();
            let data = JsonRef::read(&text).unwrap();
            prop_assert_eq!(data.to_value(), again.clone());
            prop_assert_eq!(&data, &JsonRef::from(&again));
            prop_assert_eq!(Value::deserialize(&data).unwrap(), again.clone());
            let pretty = serde_json::to_string_pretty(&value).unwrap();
            for text in [text, pretty] {
                let data = JsonRef::read(&text).unwrap();
                prop_assert_eq!(data.text_of(&text), again.to_string());
            }
        }
    }

    #[test]
    fn the_last_of_several_counts_in_the_place_of_the_first() {
        for more in [0, FEW, 100] {
            let more: String = (0..more).map(|at| format!(r#","m{at}":{at}"#)).collect();
            let text = format!(r#"{{"a":1,"b":2,"\u0061":3{more},"b":4}}"#);
            let value: Value = serde_json::from_str(&text).unwrap();
            let data = JsonRef::read(&text).unwrap();
            assert_eq!(data.to_value().to_string(), value.to_string());
            let members = data.as_object().unwrap();
            assert_eq!(members.get("a"), Some(&JsonRef::from(&json!(3))));
            assert_eq!(members.get("b"), Some(&JsonRef::from(&json!(4))));
            assert_eq!(members.get("c"), None);
        }
    }

    #[test]
    fn keys_are_the_same_or_not() {
        let long = "abcdefghijklmnopqrstuvwxyz";
        for length in 0..long.len() {
            let key = &long[..length];
            assert!(is_same(key, key));
            assert!(!is_same(key, &long[..length + 1]));
            for at in 0..length {
                let mut other = key.to_owned();
                other.replace_range(at..=at, "-");
                assert!(!is_same(key, &other), "{key} {other}");
            }
        }
    }

    #[test]
    fn texts_are_borrowed() {
        let data = JsonRef::read(r#"["plain", "a\nb"]"#).unwrap();
        let JsonRef::List(items) = data else { panic!("no list") };
        assert!(matches!(&items[0], JsonRef::Text(Cow::Borrowed("plain"))));
        assert!(matches!(&items[1], JsonRef::Text(Cow::Owned(text)) if text == "a\nb"));
    }
}
