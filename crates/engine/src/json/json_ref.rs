//! A JSON value that borrows from the text it was read from: the data of a call.
//!
//! Rejected: `serde_json::Value`, which copies every key and text and hashes every key. Arguments
//! have few members, are read once, and are dropped with the call.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Map, Number, Value};

use super::locate;
use super::string::write_string;

/// A JSON value that borrows strings that need no decoding.
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
    /// Null.
    #[default]
    Null,
    /// True or false.
    Bool(bool),
    /// A number.
    Number(Number),
    /// A string.
    Text(Cow<'a, str>),
    /// A list.
    List(Vec<JsonRef<'a>>),
    /// An object.
    Object(Members<'a>),
}

/// The members of an object, in source order. Of several with the same key, the last value counts, at the
/// position of the first.
#[derive(Clone, Debug, Default)]
pub struct Members<'a> {
    list: Vec<(Cow<'a, str>, JsonRef<'a>)>,
    /// The indexes of the members, sorted by key, if there are more than [`FEW`].
    sorted: Box<[u32]>,
}

/// Up to this many members are searched one by one.
const FEW: usize = 16;

/// A member name in a program, with the index at which it was last found: the rows of a list usually have
/// their members in the same order, and so do successive calls.
#[derive(Debug)]
pub struct MemberName {
    text: Box<str>,
    place: AtomicU32,
}

impl From<&str> for MemberName {
    fn from(name: &str) -> Self {
        Self { text: name.into(), place: AtomicU32::new(0) }
    }
}

impl std::ops::Deref for MemberName {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl<'a> JsonRef<'a> {
    /// Reads JSON text.
    pub fn read(text: &'a str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// The members, if this is an object.
    #[inline]
    pub fn as_object(&self) -> Option<&Members<'a>> {
        match self {
            JsonRef::Object(members) => Some(members),
            _ => None,
        }
    }

    /// The string, if this is one.
    #[inline]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            JsonRef::Text(text) => Some(text),
            _ => None,
        }
    }

    /// A member, if this is an object that has it.
    #[inline]
    pub fn get(&self, key: &str) -> Option<&JsonRef<'a>> {
        self.as_object()?.get(key)
    }

    /// The value at a JSON pointer.
    pub fn pointer(&self, pointer: &str) -> Option<&JsonRef<'a>> {
        pointer.split('/').skip(1).try_fold(self, |value, key| match value {
            JsonRef::Object(members) => members.get(&locate::unescaped(key)),
            JsonRef::List(items) => items.get(key.parse::<usize>().ok()?),
            _ => None,
        })
    }

    /// The value as compact JSON: the text it was read from, if that is compact already, or else a
    /// new one.
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

    /// The size as compact JSON, if that is cheap to compute. The source text cannot be shorter, and is
    /// compact if it has this size.
    fn length(&self) -> Option<usize> {
        /// The size of all of them, with brackets and commas.
        fn sum(mut each: impl ExactSizeIterator<Item = Option<usize>>) -> Option<usize> {
            let commas = each.len().saturating_sub(1);
            each.try_fold(2 + commas, |sum, length| Some(sum + length?))
        }
        // Borrowed text needed no decoding.
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

    /// A copy that borrows nothing.
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
    pub(super) fn new(list: Vec<(Cow<'a, str>, JsonRef<'a>)>) -> Self {
        let mut members = Self { list, sorted: Box::default() };
        let key = |at: u32| &members.list[at as usize].0;
        let has_duplicates = if members.list.len() <= FEW {
            let before = |(at, (key, _)): (usize, &(Cow<'a, str>, _))| {
                members.list[..at].iter().any(|(known, _)| same_key(known, key))
            };
            members.list.iter().enumerate().any(before)
        } else {
            let mut sorted: Vec<u32> = (0..).take(members.list.len()).collect();
            sorted.sort_unstable_by(|a, b| key(*a).cmp(key(*b)));
            let has_duplicates = sorted.windows(2).any(|pair| key(pair[0]) == key(pair[1]));
            members.sorted = sorted.into();
            has_duplicates
        };
        if has_duplicates { members.without_duplicates() } else { members }
    }

    #[cold]
    fn without_duplicates(self) -> Self {
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

    /// The number of members.
    #[inline]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether the object is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// A member.
    #[inline]
    pub fn get(&self, key: &str) -> Option<&JsonRef<'a>> {
        self.list.get(self.place(key)?).map(|(_, value)| value)
    }

    fn place(&self, key: &str) -> Option<usize> {
        if self.sorted.is_empty() {
            return self.list.iter().position(|(known, _)| same_key(known, key));
        }
        let place = |at: &u32| self.list[*at as usize].0.as_ref().cmp(key);
        self.sorted.binary_search_by(place).ok().map(|found| self.sorted[found] as usize)
    }

    /// [`Self::get`] for a name that is looked up again and again.
    #[inline]
    pub fn find(&self, name: &MemberName) -> Option<&JsonRef<'a>> {
        match self.list.get(name.place.load(Ordering::Relaxed) as usize) {
            Some((known, value)) if same_key(known, &name.text) => Some(value),
            _ => self.find_anywhere(name),
        }
    }

    #[inline(never)]
    fn find_anywhere(&self, name: &MemberName) -> Option<&JsonRef<'a>> {
        let place = self.place(&name.text)?;
        name.place.store(place as u32, Ordering::Relaxed);
        self.list.get(place).map(|(_, value)| value)
    }

    /// All of them as a slice, in order.
    #[inline]
    pub fn as_slice(&self) -> &[(Cow<'a, str>, JsonRef<'a>)] {
        &self.list
    }

    /// All of them, in order.
    #[inline]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &JsonRef<'a>)> {
        self.list.iter().map(|(key, value)| (key.as_ref(), value))
    }
}

/// Whether two keys are the same. Keys are short: comparing one or two words inline is faster than
/// calling `memcmp`.
#[inline]
fn same_key(one: &str, other: &str) -> bool {
    /// Whether the first `N` bytes and the last `N` bytes are the same.
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

/// The order of members does not matter.
impl PartialEq for Members<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().all(|(key, member)| other.get(key) == Some(member))
    }
}

#[cfg(test)]
mod tests;
