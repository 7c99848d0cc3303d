//! The parameters of a request, borrowed from the message that they came in.

use std::borrow::Cow;

use serde::de::{Deserialize, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;
use widgetcast_core::{Given, Members};

use super::Fault;

/// A text that is borrowed from the message where it needs no decoding.
#[derive(Debug, serde::Deserialize)]
#[serde(transparent)]
pub(crate) struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

impl std::ops::Deref for Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

/// Data for a widget, and the same as JSON text, without white space.
#[derive(Debug, Default)]
pub(crate) struct Data<'a> {
    pub given: Given<'a>,
    pub text: Cow<'a, str>,
}

/// The parameters of all methods: none has two meanings for one name.
#[derive(Debug, Default)]
pub(crate) struct Params<'a> {
    pub name: Option<Text<'a>>,
    pub arguments: Option<Data<'a>>,
    pub uri: Option<Text<'a>>,
    pub cursor: Option<Text<'a>>,
    // In boxes, because they are rare, and parameters are moved about.
    pub reference: Option<Box<Value>>,
    pub argument: Option<Box<Value>>,
    pub context: Option<Box<Value>>,
    /// Whoever reads it takes it out, and lends it to the [`Peer`].
    pub meta: Option<Given<'a>>,
}

/// Parameters of which it is not known yet where in the message their arguments stand: serde does not
/// say that, and a `RawValue` is read twice, which took a tenth of a call.
#[derive(Debug, Default)]
pub(crate) struct Unplaced<'a> {
    params: Params<'a>,
    /// The key of the arguments, and the key after them.
    around: Option<(&'a str, Option<&'a str>)>,
}

impl<'de: 'a, 'a> Deserialize<'de> for Unplaced<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;

        impl<'de> Visitor<'de> for Reader {
            type Value = Unplaced<'de>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut params = Params::default();
                let (mut before, mut after) = (None, None);
                while let Some(Text(key)) = map.next_key()? {
                    let lent = match key {
                        Cow::Borrowed(key) => Some(key),
                        Cow::Owned(_) => None,
                    };
                    if before.is_some() && after.is_none() {
                        after = Some(lent);
                    }
                    match &*key {
                        "name" => set(&mut params.name, map.next_value()?)?,
                        "arguments" => {
                            let given: Option<_> = map.next_value()?;
                            let data = given.map(|given| Data { given, text: "".into() });
                            set(&mut params.arguments, data)?;
                            before = Some(lent.ok_or_else(|| A::Error::custom("an escaped key"))?);
                        }
                        "uri" => set(&mut params.uri, map.next_value()?)?,
                        "cursor" => set(&mut params.cursor, map.next_value()?)?,
                        "ref" => set(&mut params.reference, map.next_value()?)?,
                        "argument" => set(&mut params.argument, map.next_value()?)?,
                        "context" => set(&mut params.context, map.next_value()?)?,
                        "_meta" => set(&mut params.meta, map.next_value()?)?,
                        _ => _ = map.next_value::<IgnoredAny>()?,
                    }
                }
                Ok(Unplaced { params, around: before.map(|key| (key, after.flatten())) })
            }
        }
        deserializer.deserialize_map(Reader)
    }
}

/// Sets what must not be said twice.
fn set<T, E: Error>(slot: &mut Option<T>, value: Option<T>) -> Result<(), E> {
    match slot {
        Some(_) => Err(E::custom("a member that is there already")),
        None => {
            *slot = value;
            Ok(())
        }
    }
}

impl<'a> Unplaced<'a> {
    /// Finds the arguments in the message that they were read from.
    pub(crate) fn place(self, message: &'a str) -> Option<Params<'a>> {
        let Self { mut params, around } = self;
        if let (Some(data), Some((key, next))) = (&mut params.arguments, around) {
            data.text = data.given.text_of(between(message, key, next)?);
        }
        Some(params)
    }
}

/// The value between two keys that follow each other; without a second key it is looked for.
fn between<'a>(message: &'a str, key: &str, next: Option<&str>) -> Option<&'a str> {
    // Both are parts of the message, so that their places in memory tell those in it.
    let place = |part: &str| part.as_ptr().addr().checked_sub(message.as_ptr().addr());
    let start = place(key)? + key.len() + 1;
    if let Some(next) = next {
        let value = message.get(start..place(next)?.checked_sub(1)?)?;
        return Some(value.trim_end().strip_suffix(',')?.trim_start().strip_prefix(':')?.trim());
    }
    let rest = message.get(start..)?.trim_start().strip_prefix(':')?.trim_start();
    let mut values = serde_json::Deserializer::from_str(rest).into_iter::<IgnoredAny>();
    values.next()?.ok()?;
    rest.get(..values.byte_offset())
}

impl<'a> Params<'a> {
    /// Reads parameters alone.
    pub(crate) fn read(text: &'a str) -> Result<Self, serde_json::Error> {
        let read: Unplaced<'a> = serde_json::from_str(text)?;
        read.place(text).ok_or_else(|| serde_json::Error::custom("arguments that are nowhere"))
    }

    /// The arguments, if need be none: always an object.
    pub(super) fn arguments(&mut self) -> Result<Data<'a>, Fault> {
        match self.arguments.take() {
            None => Ok(Data { given: Given::Object(Members::default()), text: "{}".into() }),
            Some(arguments) if arguments.given.as_object().is_some() => Ok(arguments),
            Some(_) => Err(Fault::params("arguments must be an object")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_found() {
        let text =
            |params: &str| Params::read(params).unwrap().arguments().unwrap().text.into_owned();
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
        assert_eq!(text(r#"{"name":"x"}"#), "{}");
        assert_eq!(text(r#"{"arguments":null,"name":"x"}"#), "{}");
    }

    #[test]
    fn what_is_said_twice_is_not_taken() {
        for params in [
            r#"{"arguments":{},"arguments":{}}"#,
            r#"{"arguments":{},"name":"a","arguments":{}}"#,
            r#"{"name":"a","name":"b"}"#,
            r#"{"_meta":{},"_meta":{}}"#,
            r#"{"argu\u006dents":{}}"#,
            r#"[null,{}]"#,
        ] {
            assert!(Params::read(params).is_err(), "{params}");
        }
    }
}
