//! Limits that every client supports. A client that cannot parse one tool rejects the whole list, so such a
//! definition is rejected on its own at load time: a list compiles nothing.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use widgetcast_engine::error::{Error, Kind, Result};
use widgetcast_engine::json::locate;

use crate::definition::name::{STATE_TOOL, tool_name};

/// The protocol's limit for the name of a tool; what users see as its name is no longer.
const MAX_NAME: usize = 128;
/// Maximum bytes of a description.
const MAX_DESCRIPTION: usize = 10_000;
/// Maximum bytes of a schema, of which a list has a thousand.
const MAX_SCHEMA: usize = 256 << 10;
/// Maximum bytes of a key in a schema, which may be the name of a property.
const MAX_KEY: usize = 256;
/// Maximum nesting of a schema. Parsers with a limit of 64 levels include those around it: the batch, the
/// response, the result, the list and the tool.
const MAX_DEPTH: usize = 64 - 5;

/// Checks what users read as the name.
pub(super) fn name(name: &str) -> Result<()> {
    short_enough("name", name.chars().count())
}

/// Checks the tool name, which was set or derived.
pub(super) fn tool(tool: &str, name: &str) -> Result<()> {
    if tool.is_empty() {
        return Err(Error::new(
            Kind::Name,
            format!("no tool name can be derived from the name {name:?}"),
        )
        .with_help("add `tool`, such as `tool: flight_tracker`"));
    }
    short_enough("tool name", tool.len())?;
    let plain = tool_name(tool);
    if plain != tool {
        let message = format!("{tool:?} is not a valid tool name");
        let help = format!("use the letters a to z, digits and `_`: `tool: {plain}`");
        return Err(Error::new(Kind::Name, message).with_help(help));
    }
    if tool == STATE_TOOL {
        let message = format!("the tool name {tool} is reserved by the server");
        return Err(Error::new(Kind::NameReserved, message).with_help("choose another name"));
    }
    Ok(())
}

fn short_enough(what: &str, length: usize) -> Result<()> {
    if length > MAX_NAME {
        let message = format!("the {what} has {length} characters; the limit is {MAX_NAME}");
        return Err(Error::new(Kind::FieldSize, message));
    }
    Ok(())
}

pub(super) fn description(text: &str) -> Result<()> {
    let length = text.len();
    if length > MAX_DESCRIPTION {
        let message = format!("the description has {length} bytes; the limit is {MAX_DESCRIPTION}");
        return Err(Error::new(Kind::FieldSize, message));
    }
    Ok(())
}

/// Checks the text of a schema. The error has a byte offset in that text.
pub(crate) fn schema(text: &str) -> std::result::Result<(), (Error, usize)> {
    let length = text.len();
    if length > MAX_SCHEMA {
        let message = format!("the schema has {length} bytes; the limit is {MAX_SCHEMA}");
        return Err((Error::new(Kind::FieldSize, message), 0));
    }
    let mut reader = serde_json::Deserializer::from_str(text);
    Part { depth: 0 }.deserialize(&mut reader).map_err(|error| {
        let words = error.to_string();
        let words = match words.split(" at line ").next().unwrap_or_default() {
            "number out of range" => "it contains a number that does not fit in a double",
            words => words,
        };
        let message = format!("some clients cannot parse the schema: {words}");
        let at = locate::json_fault(text, &error);
        (Error::new(Kind::SchemaPortable, message), at)
    })
}

/// The first integer of a schema that JavaScript and others round, and its position.
pub(crate) fn rounded_number(schema: &Value) -> Option<(String, String)> {
    match schema {
        Value::Number(number) => {
            let whole = number.as_i64().map(i128::from).or(number.as_u64().map(i128::from))?;
            (whole as f64 as i128 != whole).then(|| (String::new(), number.to_string()))
        }
        Value::Object(members) => members.iter().find_map(|(key, value)| {
            let (pointer, number) = rounded_number(value)?;
            Some((format!("/{}{pointer}", locate::escaped(key)), number))
        }),
        Value::Array(items) => items.iter().enumerate().find_map(|(index, item)| {
            let (pointer, number) = rounded_number(item)?;
            Some((format!("/{index}{pointer}"), number))
        }),
        _ => None,
    }
}

/// Parses a part of a schema without keeping it.
struct Part {
    depth: usize,
}

impl Part {
    fn inner<E: serde::de::Error>(&self) -> std::result::Result<Self, E> {
        let depth = self.depth + 1;
        if depth > MAX_DEPTH {
            return Err(E::custom(format!("it nests deeper than {MAX_DEPTH} levels")));
        }
        Ok(Self { depth })
    }
}

impl<'de> DeserializeSeed<'de> for Part {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> std::result::Result<(), D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Part {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> std::result::Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> std::result::Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> std::result::Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> std::result::Result<(), E> {
        Ok(())
    }

    // A number that cannot be represented is a parse error.
    fn visit_f64<E>(self, _: f64) -> std::result::Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> std::result::Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> std::result::Result<(), A::Error> {
        let depth = self.inner::<A::Error>()?.depth;
        while items.next_element_seed(Part { depth })?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> std::result::Result<(), A::Error> {
        let depth = self.inner::<A::Error>()?.depth;
        while members.next_key_seed(Key)?.is_some() {
            members.next_value_seed(Part { depth })?;
        }
        Ok(())
    }
}

struct Key;

impl<'de> DeserializeSeed<'de> for Key {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> std::result::Result<(), D::Error> {
        from.deserialize_str(self)
    }
}

impl Visitor<'_> for Key {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E: serde::de::Error>(self, key: &str) -> std::result::Result<(), E> {
        let length = key.len();
        if length > MAX_KEY {
            let words = format!("a key in it has {length} bytes; the limit is {MAX_KEY}");
            return Err(E::custom(words));
        }
        match key.chars().find(|c| c.is_control()) {
            Some(c) => Err(E::custom(format!("a key in it contains the control character {c:?}"))),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn wrong(text: &str) -> String {
        schema(text).map_or_else(|(error, _)| error.message().to_owned(), |()| String::new())
    }

    #[test]
    fn what_clients_cannot_read_is_refused() {
        let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
        let number = |digits: usize| format!(r#"{{"minimum":1{}}}"#, "0".repeat(digits));
        let key = |key: &str| format!(r#"{{"properties":{{"{key}":true}}}}"#);
        for good in [
            nested(MAX_DEPTH),
            number(300),
            r#"{"a":[1e308,-5,null,true,"\ud83d\ude00"]}"#.to_owned(),
            key(&"k".repeat(MAX_KEY)),
        ] {
            assert_eq!(wrong(&good), "", "{good}");
        }
        assert!(wrong(&nested(MAX_DEPTH + 1)).contains("deeper than 59"));
        assert!(wrong(&nested(100_000)).contains("deeper"));
        for digits in [309, 400, 100_000] {
            assert!(wrong(&number(digits)).contains("does not fit in a double"), "{digits}");
        }
        assert!(wrong(r#"{"title":"\ud800"}"#).contains("clients cannot parse"));
        assert!(wrong(&key(&"k".repeat(MAX_KEY + 1))).contains("257 bytes"));
        assert!(wrong(&key(r"a\u0000b")).contains("control character"));
        assert!(wrong(&json!({"enum": "x".repeat(MAX_SCHEMA)}).to_string()).contains("bytes"));
    }

    #[test]
    fn numbers_that_are_rounded_are_found() {
        let exact = 1_u64 << 53;
        assert_eq!(rounded_number(&json!({"maximum": exact, "minimum": -1.5, "x": 1e30})), None);
        let found = rounded_number(&json!({"a/b": [{"maximum": exact + 1}]}));
        assert_eq!(found, Some(("/a~1b/0/maximum".into(), "9007199254740993".into())));
        assert!(
            rounded_number(&json!(i64::MAX)).is_some()
                && rounded_number(&json!(i64::MIN)).is_none()
        );
    }
}
