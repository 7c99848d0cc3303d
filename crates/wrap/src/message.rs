//! JSON-RPC messages, edited as text. A relay borrows the parts that it needs, and inserts additions into the
//! text, so that numbers, unknown members and their order are preserved.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

/// The `_meta` key with the revision of a request without a handshake.
pub(crate) const META_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// The `_meta` key with the capabilities of its client.
pub(crate) const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

/// The parts of a message that a relay reads.
#[derive(Debug, Deserialize)]
pub(crate) struct Message<'a> {
    #[serde(borrow)]
    pub id: Option<&'a RawValue>,
    #[serde(borrow)]
    pub method: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub params: Option<&'a RawValue>,
    #[serde(borrow)]
    pub result: Option<&'a RawValue>,
    #[serde(borrow)]
    pub error: Option<&'a RawValue>,
}

/// The kind of a message.
pub(crate) enum Kind<'a> {
    Request { id: &'a str, method: &'a str },
    Notification { method: &'a str },
    Response { id: &'a str },
}

impl<'a> Message<'a> {
    /// `None` if it is not a single message.
    pub(crate) fn read(text: &'a str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    pub(crate) fn kind(&self) -> Option<Kind<'_>> {
        let id = self.id.map(RawValue::get).filter(|id| *id != "null");
        Some(match (id, self.method.as_deref()) {
            (Some(id), Some(method)) => Kind::Request { id, method },
            (None, Some(method)) => Kind::Notification { method },
            (Some(id), None) => Kind::Response { id },
            (None, None) => return None,
        })
    }

    /// A member of its parameters.
    pub(crate) fn param(&self, name: &str) -> Option<Value> {
        let params = Members::read(self.params?.get())?;
        serde_json::from_str(params.get(name)?).ok()
    }
}

/// The members of an object, each as its text.
#[derive(Debug, Default)]
pub(crate) struct Members<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'a> Members<'a> {
    /// `None` if it is not an object.
    pub(crate) fn read(text: &'a str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    pub(crate) fn get(&self, name: &str) -> Option<&'a str> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value.get())
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &'a str)> {
        self.0.iter().map(|(key, value)| (&**key, value.get()))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(key) = map.next_key::<Key<'de>>()? {
                    members.push((key.0, map.next_value()?));
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Reader)
    }
}

/// Members that programs read in any message.
const READ: [&str; 8] = ["jsonrpc", "id", "method", "params", "result", "error", "name", "uri"];

/// Whether every parser reads the same values: of duplicate keys, some use the first and some the last, and
/// some ignore case. A check in front of a server must see what the server sees.
pub(crate) fn is_unambiguous(text: &str) -> bool {
    let is_plain = |text: &str| {
        let Some(members) = Members::read(text) else { return !text.trim_start().starts_with('{') };
        let folded: Vec<String> =
            members.iter().map(|(key, _)| key.to_uppercase().to_lowercase()).collect();
        let mut sorted: Vec<&String> = folded.iter().collect();
        sorted.sort_unstable();
        sorted.windows(2).all(|two| two[0] != two[1])
            && members
                .iter()
                .zip(&folded)
                .all(|((key, _), folded)| key == folded || !READ.contains(&folded.as_str()))
    };
    let params = Members::read(text).and_then(|members| members.get("params"));
    is_plain(text) && params.is_none_or(is_plain)
}

/// A key, borrowed if it has no escapes.
#[derive(Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

/// Appends members, given as `"name":value,…`, to the text of an object.
pub(crate) fn add_members(object: &str, more: &str) -> String {
    let is_empty = Members::read(object).is_none_or(|members| members.is_empty());
    match object.trim_end().strip_suffix('}') {
        Some(head) if !more.is_empty() => {
            format!("{head}{}{more}}}", if is_empty { "" } else { "," })
        }
        _ => object.to_owned(),
    }
}

/// Replaces a part that is borrowed from a text.
pub(crate) fn replace(whole: &str, part: &str, with: &str) -> String {
    let start = (part.as_ptr() as usize).wrapping_sub(whole.as_ptr() as usize);
    match (whole.get(..start), whole.get(start + part.len()..)) {
        (Some(before), Some(after)) => [before, with, after].concat(),
        _ => whole.to_owned(),
    }
}

/// The text of a value in an object, by path.
pub(crate) fn value_at<'a>(object: &'a str, path: &[&str]) -> Option<&'a str> {
    path.iter().try_fold(object, |text, name| Members::read(text)?.get(name))
}

/// Replaces a value in the text of an object.
pub(crate) fn with_value(object: &str, path: &[&str], value: &str) -> Option<String> {
    Some(replace(object, value_at(object, path)?, value))
}

/// Replaces strings at these paths in a text, where `*` matches each item or member. Of duplicate keys, both
/// are replaced, because parsers differ in which one they use. Returns `None` if nothing changes.
pub(crate) fn with_strings(
    text: &str,
    paths: &[&[&str]],
    change: impl Fn(&str) -> Option<String>,
) -> Option<String> {
    let (mut found, mut changed, mut done) = (Vec::new(), String::new(), 0);
    find(text, paths, &mut found);
    for part in found {
        let old = serde_json::from_str::<String>(part).ok();
        if let Some(new) = old.and_then(|old| change(&old)) {
            let start = (part.as_ptr() as usize).wrapping_sub(text.as_ptr() as usize);
            changed += text.get(done..start)?;
            changed += &Value::from(new).to_string();
            done = start + part.len();
        }
    }
    (done > 0).then(|| changed + text.get(done..).unwrap_or_default())
}

/// The values at these paths, in the order of the text.
fn find<'t>(text: &'t str, paths: &[&[&str]], found: &mut Vec<&'t str>) {
    if paths.iter().any(|path| path.is_empty()) {
        found.push(text);
    }
    let after = |name: &str| -> Vec<&[&str]> {
        let heads = paths.iter().filter_map(|path| path.split_first());
        heads.filter(|(head, _)| **head == name || **head == "*").map(|(_, rest)| rest).collect()
    };
    let mut go_on = |value, paths: &[&[&str]]| {
        if !paths.is_empty() {
            find(value, paths, found);
        }
    };
    if let Ok(items) = serde_json::from_str::<Vec<&RawValue>>(text) {
        let paths = after("*");
        items.iter().for_each(|item| go_on(item.get(), &paths));
    } else if let Some(members) = Members::read(text) {
        members.iter().for_each(|(name, value)| go_on(value, &after(name)));
    }
}

/// Sets a member of an object: replaces it, or appends it.
pub(crate) fn with_member(object: &str, name: &str, value: &str) -> String {
    match Members::read(object).and_then(|members| members.get(name)) {
        Some(old) => replace(object, old, value),
        None => add_members(object, &format!("{}:{value}", Value::from(name))),
    }
}

/// The members of `_meta`, and the headers, with a W3C trace context.
pub(crate) const TRACE: [&str; 2] = ["traceparent", "tracestate"];

/// A request with the trace context of its HTTP headers in `_meta`, unless it has one there.
pub(crate) fn with_trace(text: &str, header: impl Fn(&str) -> Option<String>) -> Option<String> {
    let params = value_at(text, &["params"]).unwrap_or("{}");
    let meta = value_at(params, &["_meta"]).unwrap_or("{}");
    if Members::read(meta)?.get(TRACE[0]).is_some() || header(TRACE[0]).is_none() {
        return None;
    }
    let meta = TRACE.iter().fold(meta.to_owned(), |meta, name| match header(name) {
        Some(value) => with_member(&meta, name, &Value::from(value).to_string()),
        None => meta,
    });
    let params = with_member(params, "_meta", &meta);
    Some(with_member(text, "params", &params))
}

/// Normalizes an id, since programs differ in what they escape.
pub(crate) fn key(id: &str) -> String {
    serde_json::from_str::<Value>(id).map_or_else(|_| id.to_owned(), |id| id.to_string())
}

/// A response with a result.
pub(crate) fn response(id: &str, result: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#)
}

/// A response with an error.
pub(crate) fn error(id: &str, code: i32, message: &str) -> String {
    let message = Value::from(message);
    format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":{code},"message":{message}}}}}"#)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_added_leaves_the_rest_as_it_was() {
        let object = r#"{ "a" : 1.50e0, "\u0062": [ 1 ] }"#;
        assert_eq!(add_members(object, r#""c":2"#), r#"{ "a" : 1.50e0, "\u0062": [ 1 ] ,"c":2}"#);
        assert_eq!(add_members("{ }", r#""c":2"#), r#"{ "c":2}"#);
        assert_eq!(add_members("[1]", r#""c":2"#), "[1]");
        assert_eq!(with_member(object, "b", "{}"), r#"{ "a" : 1.50e0, "\u0062": {} }"#);
        assert_eq!(with_member("{}", "b\"", "1"), r#"{"b\"":1}"#);
    }

    #[test]
    fn a_value_inside_is_replaced_in_its_place() {
        let message = r#"{"params":{ "n": 1.0, "name" : "a", "_meta":{"t":1e0} }}"#;
        assert_eq!(value_at(message, &["params", "_meta", "t"]), Some("1e0"));
        assert_eq!(
            with_value(message, &["params", "name"], "\"b\"").unwrap(),
            r#"{"params":{ "n": 1.0, "name" : "b", "_meta":{"t":1e0} }}"#
        );
        assert_eq!(with_value(message, &["params", "name", "more"], "1"), None);
        assert_eq!(with_value(message, &["uri"], "1"), None);
    }

    #[test]
    fn strings_along_paths_are_changed_in_their_places() {
        let text = r#"{ "a":[ {"u":"x:1"}, {"u":"y"},{"u":7 }], "b" : {"k":{"u":"x:2","\u0075":"x:3"}},"u":"x:4" }"#;
        let paths: [&[&str]; 3] = [&["a", "*", "u"], &["b", "*", "u"], &["c"]];
        let change = |old: &str| old.strip_prefix("x:").map(|rest| format!("z\"{rest}"));
        assert_eq!(
            with_strings(text, &paths, change).unwrap(),
            r#"{ "a":[ {"u":"z\"1"}, {"u":"y"},{"u":7 }], "b" : {"k":{"u":"z\"2","\u0075":"z\"3"}},"u":"x:4" }"#
        );
        assert_eq!(with_strings(text, &paths[2..], change), None);
        assert_eq!(with_strings("[", &paths, change), None);
    }

    #[test]
    fn ids_are_the_same_however_they_are_escaped() {
        assert_eq!(key(r#""a\/\u00e9""#), key(r#""a/é""#));
        assert_ne!(key("1"), key(r#""1""#));
    }

    #[test]
    fn what_programs_read_differently_is_ambiguous() {
        for plain in [
            r#"{"id":1,"method":"tools/call","params":{"name":"a","Future":1}}"#,
            r#"{"method":"x","params":[1,1]}"#,
            r#"{"method":"x"}"#,
        ] {
            assert!(is_unambiguous(plain), "{plain}");
        }
        for ambiguous in [
            r#"{"method":"x","params":{"name":"a","name":"b"}}"#,
            r#"{"method":"x","params":{"name":"a","Name":"b"}}"#,
            r#"{"method":"x","params":{"n\u0061me":"a","name":"b"}}"#,
            r#"{"id":1,"Method":"tools/call"}"#,
            r#"{"method":"x","params":{},"param\u017f":{}}"#,
            r#"{"method":"x","params":{"NAME":"a"}}"#,
            r#"{"method":"x","method":"y"}"#,
        ] {
            assert!(!is_unambiguous(ambiguous), "{ambiguous}");
        }
    }

    #[test]
    fn messages_are_told_apart() {
        let kind = |text: &str| match Message::read(text).as_ref().and_then(Message::kind) {
            Some(Kind::Request { id, method }) => format!("{method} {id}"),
            Some(Kind::Notification { method }) => method.to_owned(),
            Some(Kind::Response { id }) => format!("={id}"),
            None => "-".to_owned(),
        };
        assert_eq!(kind(r#"{"id":"a","method":"m","future":1}"#), r#"m "a""#);
        assert_eq!(kind(r#"{"method":"n\u0041"}"#), "nA");
        assert_eq!(kind(r#"{"id":7,"result":{}}"#), "=7");
        for none in [r#"{"id":null}"#, "[]", "7", "{", "", r#"{"id":1,"id":2,"method":"x"}"#] {
            assert_eq!(kind(none), "-", "{none}");
        }
    }
}
