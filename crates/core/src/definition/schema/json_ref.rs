//! [`JsonRef`] as a JSON type of the `jsonschema` crate, so that arguments are validated without a copy.

use std::borrow::Cow;

use jsonschema::JsonType;
use jsonschema::json::{Array, Json, Node, NodeIdentity, Object, cmp, unique};
use serde_json::{Number, Value};
use widgetcast_engine::json::{JsonRef, Members};

/// The JSON type that validators are compiled for.
pub(super) struct Borrowed;

impl Json for Borrowed {
    type Node<'a> = &'a JsonRef<'a>;
    type PreparedKey = Box<str>;
    type StringBuffer = ();

    // A lookup scans all members, and so does one for several keys: ask for several at once.
    const KEYS_PER_LOOKUP: usize = 8;

    fn prepare_key(key: &str) -> Box<str> {
        key.into()
    }

    fn with_string_node<T>((): &mut (), string: &str, f: impl FnOnce(Self::Node<'_>) -> T) -> T {
        f(&JsonRef::Text(Cow::Borrowed(string)))
    }
}

impl<'a> Node<'a, Borrowed> for &'a JsonRef<'a> {
    type Object = &'a Members<'a>;
    type Array = &'a [JsonRef<'a>];
    type Number = &'a Number;

    fn as_object(&self) -> Option<&'a Members<'a>> {
        JsonRef::as_object(self)
    }

    fn as_array(&self) -> Option<&'a [JsonRef<'a>]> {
        match self {
            JsonRef::List(items) => Some(items),
            _ => None,
        }
    }

    fn as_string(&self) -> Option<Cow<'a, str>> {
        match self {
            JsonRef::Text(text) => Some(Cow::Borrowed(text)),
            _ => None,
        }
    }

    fn as_number(&self) -> Option<&'a Number> {
        match self {
            JsonRef::Number(number) => Some(number),
            _ => None,
        }
    }

    fn as_boolean(&self) -> Option<bool> {
        match self {
            JsonRef::Bool(flag) => Some(*flag),
            _ => None,
        }
    }

    fn is_null(&self) -> bool {
        matches!(self, JsonRef::Null)
    }

    fn json_type(&self) -> JsonType {
        match self {
            JsonRef::Null => JsonType::Null,
            JsonRef::Bool(_) => JsonType::Boolean,
            JsonRef::Number(_) => JsonType::Number,
            JsonRef::Text(_) => JsonType::String,
            JsonRef::List(_) => JsonType::Array,
            JsonRef::Object(_) => JsonType::Object,
        }
    }

    fn equals_value(&self, expected: &Value) -> bool {
        match (self, expected) {
            // Most enums are strings, which are compared without a copy.
            (JsonRef::Text(text), Value::String(expected)) => text == expected,
            (JsonRef::List(items), Value::Array(expected)) => {
                let same =
                    |(item, expected): (&'a JsonRef<'a>, &Value)| item.equals_value(expected);
                items.len() == expected.len() && items.iter().zip(expected).all(same)
            }
            (JsonRef::Object(members), Value::Object(expected)) => {
                let same = |(key, member): (&str, &'a JsonRef<'a>)| {
                    expected.get(key).is_some_and(|expected| member.equals_value(expected))
                };
                members.len() == expected.len() && members.iter().all(same)
            }
            (JsonRef::List(_) | JsonRef::Object(_) | JsonRef::Text(_), _) => false,
            _ => cmp::equal(&JsonRef::to_value(self), expected),
        }
    }

    fn to_value(&self) -> Cow<'a, Value> {
        Cow::Owned(JsonRef::to_value(self))
    }

    fn identity(&self) -> Option<NodeIdentity> {
        Some(NodeIdentity::new(std::ptr::from_ref::<JsonRef<'_>>(self).addr()))
    }
}

impl<'a> Object<'a, Borrowed> for &'a Members<'a> {
    type Node = &'a JsonRef<'a>;
    type MemberName = &'a str;
    type MembersIter = MembersIter<'a>;

    fn len(&self) -> usize {
        Members::len(self)
    }

    fn get(&self, key: &Box<str>) -> Option<&'a JsonRef<'a>> {
        Members::get(self, key)
    }

    fn members(&self) -> MembersIter<'a> {
        MembersIter(self.as_slice().iter())
    }
}

pub(super) struct MembersIter<'a>(std::slice::Iter<'a, (Cow<'a, str>, JsonRef<'a>)>);

impl<'a> Iterator for MembersIter<'a> {
    type Item = (&'a str, &'a JsonRef<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|(key, value)| (key.as_ref(), value))
    }
}

impl<'a> Array<'a, Borrowed> for &'a [JsonRef<'a>] {
    type Node = &'a JsonRef<'a>;
    type ElementsIter = std::slice::Iter<'a, JsonRef<'a>>;

    fn len(&self) -> usize {
        <[JsonRef<'_>]>::len(self)
    }

    fn elements(&self) -> std::slice::Iter<'a, JsonRef<'a>> {
        self.iter()
    }

    fn is_unique(&self) -> bool {
        let values: Vec<Value> = self.iter().map(JsonRef::to_value).collect();
        unique::is_unique(&values)
    }
}
