//! The parameters of a request, borrowed from the message.
//!
//! Arguments are needed twice: as a value that is validated and rendered, and as JSON text, which is stored
//! and hashed for the instance id. serde does not provide the position of a value, and reading it as
//! `RawValue` first would parse it twice, which takes a tenth of a call. So the position is derived from the
//! keys before and after the arguments, which are borrowed from the message.

use std::borrow::Cow;

use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use serde_json::{Map, Value};
use widgetcast_core::{JsonRef, Members};

use super::error::RpcError;

/// A text, borrowed from the message unless it contains escapes.
#[derive(Debug, serde::Deserialize)]
#[serde(transparent)]
pub(crate) struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

impl std::ops::Deref for Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl Text<'_> {
    /// Truncates the text to a length, which must be a character boundary.
    pub(super) fn truncate(&mut self, length: usize) {
        match &mut self.0 {
            Cow::Borrowed(text) => *text = &text[..length],
            Cow::Owned(text) => text.truncate(length),
        }
    }
}

/// Arguments or data: as a value, and as minified JSON text.
#[derive(Debug, Default)]
pub(crate) struct Data<'a> {
    pub given: JsonRef<'a>,
    pub text: Cow<'a, str>,
}

impl<'a> From<&'a Value> for Data<'a> {
    fn from(value: &'a Value) -> Self {
        Self { given: value.into(), text: value.to_string().into() }
    }
}

/// The parameters of all methods: each name has one meaning.
#[derive(Debug, Default)]
pub(crate) struct Params<'a> {
    pub name: Option<Text<'a>>,
    pub uri: Option<Text<'a>>,
    pub cursor: Option<Text<'a>>,
    pub meta: Option<JsonRef<'a>>,
    arguments: Option<Data<'a>>,
    /// The key of the arguments and the next key, if they are borrowed from the message.
    around: Option<(&'a str, Option<&'a str>)>,
    /// Boxed, because few requests have any of these, and parameters are moved.
    rare: Option<Box<Rare>>,
}

/// Parameters of rarely used methods.
#[derive(Debug, Default)]
pub(crate) struct Rare {
    /// `completion/complete`: `ref`, `argument` and `context`.
    pub reference: Option<Value>,
    pub argument: Option<Value>,
    pub context: Option<Value>,
    /// `subscriptions/listen`.
    pub notifications: Option<Value>,
    /// `initialize`.
    pub protocol_version: Option<String>,
    pub capabilities: Option<Value>,
    pub client_info: Option<Value>,
    /// `notifications/cancelled`.
    pub request_id: Option<Value>,
    /// `logging/setLevel`.
    pub level: Option<Value>,
    /// Requests with the input for an `input_required` result.
    pub input_responses: Option<Value>,
    pub request_state: Option<String>,
    /// `tasks/get` and similar methods.
    pub task_id: Option<String>,
    /// Members that the protocol does not define, for custom methods.
    pub others: Map<String, Value>,
}

impl<'de: 'a, 'a> Deserialize<'de> for Params<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;

        impl<'de> Visitor<'de> for Reader {
            type Value = Params<'de>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut params = Params::default();
                // Set until the key after the arguments is read.
                let mut before = None;
                while let Some(Text(key)) = map.next_key()? {
                    let borrowed = match key {
                        Cow::Borrowed(key) => Some(key),
                        Cow::Owned(_) => None,
                    };
                    if let Some(before) = before.take() {
                        // Without a next key, the end is found by skipping the value.
                        params.around = Some((before, borrowed));
                    }
                    match &*key {
                        "name" => set(&mut params.name, map.next_value()?)?,
                        "arguments" => {
                            let given: Option<_> = map.next_value()?;
                            let data = given.map(|given| Data { given, text: "".into() });
                            set(&mut params.arguments, data)?;
                            before = borrowed;
                        }
                        "uri" => set(&mut params.uri, map.next_value()?)?,
                        "cursor" => set(&mut params.cursor, map.next_value()?)?,
                        "_meta" => set(&mut params.meta, map.next_value()?)?,
                        key => params.read_rare(key, &mut map)?,
                    }
                }
                if let Some(before) = before {
                    params.around = Some((before, None));
                }
                Ok(params)
            }
        }
        deserializer.deserialize_map(Reader)
    }
}

/// Sets a member that must not be repeated.
fn set<T, E: Error>(slot: &mut Option<T>, value: Option<T>) -> Result<(), E> {
    match slot {
        Some(_) => Err(E::custom("duplicate member")),
        None => {
            *slot = value;
            Ok(())
        }
    }
}

impl<'a> Params<'a> {
    fn read_rare<'de, A: MapAccess<'de>>(
        &mut self,
        key: &str,
        map: &mut A,
    ) -> Result<(), A::Error> {
        const KEYS: [&str; 12] = [
            "ref",
            "argument",
            "context",
            "notifications",
            "capabilities",
            "clientInfo",
            "requestId",
            "protocolVersion",
            "level",
            "inputResponses",
            "requestState",
            "taskId",
        ];
        let rare = self.rare.get_or_insert_default();
        if !KEYS.contains(&key) {
            // Our own `Value` first, whose size is counted.
            let value: JsonRef<'de> = map.next_value()?;
            rare.others.insert(key.to_owned(), value.to_value());
            return Ok(());
        }
        let slot = match key {
            "ref" => &mut rare.reference,
            "argument" => &mut rare.argument,
            "context" => &mut rare.context,
            "notifications" => &mut rare.notifications,
            "capabilities" => &mut rare.capabilities,
            "clientInfo" => &mut rare.client_info,
            "requestId" => &mut rare.request_id,
            "level" => &mut rare.level,
            "inputResponses" => &mut rare.input_responses,
            "taskId" => return set(&mut rare.task_id, map.next_value()?),
            "requestState" => return set(&mut rare.request_state, map.next_value()?),
            _ => return set(&mut rare.protocol_version, map.next_value()?),
        };
        // Our own `Value` first, whose size is counted.
        let value: Option<JsonRef<'de>> = map.next_value()?;
        set(slot, value.map(|value| value.to_value()))
    }

    /// The parameters of rarely used methods.
    pub(crate) fn rare(&self) -> Option<&Rare> {
        self.rare.as_deref()
    }

    /// The same, moved out.
    pub(crate) fn take_rare(&mut self) -> Rare {
        self.rare.take().map(|rare| *rare).unwrap_or_default()
    }

    /// Finds the text of the arguments in the message.
    pub(super) fn locate_arguments(&mut self, message: &'a str) {
        let Some(data) = &mut self.arguments else { return };
        let text = self.around.and_then(|(key, next)| between(message, key, next));
        data.text = match text {
            Some(text) => data.given.text_of(text),
            // Only if a key contains escapes.
            None => data.given.to_value().to_string().into(),
        };
    }

    /// Moves out all members except `_meta` and input responses: the params of a custom method.
    pub(super) fn members(&mut self) -> Map<String, Value> {
        let mut members = Map::new();
        let texts = [("name", &self.name), ("uri", &self.uri), ("cursor", &self.cursor)];
        for (key, text) in texts {
            members.extend(text.as_ref().map(|text| (key.to_owned(), Value::from(&**text))));
        }
        let arguments = self.arguments.take().map(|arguments| arguments.given.to_value());
        let Some(rare) = self.rare.as_deref_mut() else {
            members.extend(arguments.map(|arguments| ("arguments".to_owned(), arguments)));
            return members;
        };
        let rest = [
            ("arguments", arguments),
            ("ref", rare.reference.take()),
            ("argument", rare.argument.take()),
            ("context", rare.context.take()),
            ("notifications", rare.notifications.take()),
            ("capabilities", rare.capabilities.take()),
            ("clientInfo", rare.client_info.take()),
            ("requestId", rare.request_id.take()),
            ("level", rare.level.take()),
            ("protocolVersion", rare.protocol_version.take().map(Value::from)),
            ("taskId", rare.task_id.take().map(Value::from)),
        ];
        let rest = rest.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?)));
        members.extend(rest.chain(std::mem::take(&mut rare.others)));
        members
    }

    /// Takes the arguments, which must be an object and default to an empty one.
    pub(super) fn take_arguments(&mut self) -> Result<Data<'a>, RpcError> {
        match self.arguments.take() {
            None => Ok(Data { given: JsonRef::Object(Members::default()), text: "{}".into() }),
            Some(arguments) if arguments.given.as_object().is_some() => Ok(arguments),
            Some(_) => Err(RpcError::params("arguments must be an object")),
        }
    }
}

/// The value between two adjacent keys; without a second key, it is skipped.
fn between<'a>(message: &'a str, key: &str, next: Option<&str>) -> Option<&'a str> {
    // Both are slices of the message, so their addresses give the position.
    let offset = |part: &str| part.as_ptr().addr().checked_sub(message.as_ptr().addr());
    let start = offset(key)? + key.len() + 1;
    if let Some(next) = next {
        let value = message.get(start..offset(next)?.checked_sub(1)?)?;
        return Some(value.trim_end().strip_suffix(',')?.trim_start().strip_prefix(':')?.trim());
    }
    let rest = message.get(start..)?.trim_start().strip_prefix(':')?.trim_start();
    let mut values = serde_json::Deserializer::from_str(rest).into_iter::<IgnoredAny>();
    values.next()?.ok()?;
    rest.get(..values.byte_offset())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Params<'_>, serde_json::Error> {
        let mut params: Params<'_> = serde_json::from_str(text)?;
        params.locate_arguments(text);
        Ok(params)
    }

    #[test]
    fn arguments_are_found() {
        let text = |params: &str| read(params).unwrap().take_arguments().unwrap().text.into_owned();
        for arguments in [r#"{}"#, r#"{"a":1}"#, r#"{"arguments":{"b":"},\""},"c":[{},[]]}"#] {
            for (before, after) in [
                ("", ""),
                ("", r#","name":"x""#),
                (r#""name":"arguments","#, " "),
                (r#""_meta":{"arguments":[]},"#, "\n,\t \"name\": \"x\""),
                (r#""\"":1,"#, r#","\"":1,"name":"x""#),
                (r#""else":"},", "#, r#" , "else":{"arguments":1}"#),
            ] {
                for colon in [":", " : ", "\n:\r"] {
                    let params = format!(r#" {{{before}"arguments"{colon}{arguments}{after}}} "#);
                    assert_eq!(text(&params), arguments, "{params}");
                }
            }
        }
        assert_eq!(
            text(r#"{"arguments" : { "a": 1.0, "b c" : [ "" ] } , "x":1}"#),
            r#"{"a":1.0,"b c":[""]}"#
        );
        assert_eq!(text(r#"{"argu\u006dents":{"a":1}}"#), r#"{"a":1}"#);
        assert_eq!(text(r#"{"arguments":{"a":[1]},"n\u0061me":"x"}"#), r#"{"a":[1]}"#);
        assert_eq!(text(r#"{"name":"x"}"#), "{}");
        assert_eq!(text(r#"{"arguments":null,"name":"x"}"#), "{}");
    }

    #[test]
    fn members_given_twice_are_refused() {
        for params in [
            r#"{"arguments":{},"arguments":{}}"#,
            r#"{"arguments":{},"name":"a","arguments":{}}"#,
            r#"{"name":"a","name":"b"}"#,
            r#"{"_meta":{},"_meta":{}}"#,
            r#"[null,{}]"#,
        ] {
            assert!(read(params).is_err(), "{params}");
        }
    }
}
