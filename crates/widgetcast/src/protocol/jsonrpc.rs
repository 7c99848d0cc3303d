//! JSON-RPC: parses a message in one pass, and writes responses.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use widgetcast_core::{JsonRef, budget};

use super::error::RpcError;
use super::method;
use super::params::{Params, Text};
use crate::call::questions::Questions;
use crate::call::request_id;
use crate::reload::Change;

/// A message from a client.
#[derive(Debug)]
pub(crate) enum Message<'a> {
    Request(Request<'a>),
    Notification {
        method: Text<'a>,
        params: Params<'a>,
    },
    /// The response to a request of the server.
    Response {
        /// The raw value; empty if absent.
        id: &'a str,
        response: Result<&'a RawValue, &'a RawValue>,
    },
    /// A batch, which only revision 2025-03-26 has.
    Batch(Vec<&'a RawValue>),
}

/// A request, borrowed from its text.
#[derive(Debug)]
pub(crate) struct Request<'a> {
    /// The id as in the message: a string or an integer.
    pub id: &'a str,
    pub method: Text<'a>,
    pub params: Params<'a>,
}

/// An invalid message, with its id if that could be parsed.
#[derive(Debug)]
pub(crate) struct Invalid {
    pub id: Option<Value>,
    pub error: RpcError,
}

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow)]
    jsonrpc: Option<Text<'a>>,
    #[serde(borrow, default, deserialize_with = "present")]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    method: Option<Text<'a>>,
    #[serde(borrow, default)]
    params: Option<Params<'a>>,
    #[serde(borrow, default, deserialize_with = "present")]
    result: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    error: Option<&'a RawValue>,
}

/// Deserializes an optional member, so that null counts as present.
pub(super) fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    of: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(of).map(Some)
}

/// Parses a message. If that fails, parses it again to find the error.
pub(crate) fn read(text: &[u8]) -> Result<Message<'_>, Box<Invalid>> {
    let text = std::str::from_utf8(text)
        .map_err(|error| invalid(None, RpcError::PARSE, format!("Parse error: {error}")))?;
    // serde would accept an array for the members in order.
    if !text.trim_start().starts_with('{') {
        return read_batch(text);
    }
    let Envelope { jsonrpc, id, method, params, result, error } =
        serde_json::from_str(text).map_err(|error| explain(text, &error))?;
    let Some(method) = method.filter(|_| jsonrpc.as_deref() == Some("2.0")) else {
        let response = error.map(Err).or(result.map(Ok));
        return match response.filter(|_| jsonrpc.as_deref() == Some("2.0")) {
            Some(response) => Ok(Message::Response { id: id.map_or("", RawValue::get), response }),
            None => Err(explain_value(&JsonRef::read(text).unwrap_or_default(), None)),
        };
    };
    let mut params = params.unwrap_or_default();
    params.locate_arguments(text);
    match id.map(RawValue::get) {
        None => Ok(Message::Notification { method, params }),
        Some(id) if is_id(id) => Ok(Message::Request(Request { id, method, params })),
        Some(_) => Err(refused(None, RpcError::invalid_request(WRONG_ID))),
    }
}

const WRONG_ID: &str = "id must be a string or a 64-bit integer";

/// Whether a request may have this id, which is JSON text. It is echoed unchanged, so every client must be
/// able to parse it: half of a surrogate pair is invalid.
fn is_id(id: &str) -> bool {
    match id.starts_with('"') {
        true => !id.contains('\\') || serde_json::from_str::<String>(id).is_ok(),
        false => id.parse::<i64>().is_ok() || id.parse::<u64>().is_ok(),
    }
}

/// Maximum messages of a batch.
pub(crate) const MAX_BATCH: usize = 100;

/// The messages of a batch; one more than the maximum if it is too long.
struct Batch<'a>(Vec<&'a RawValue>);

impl<'de: 'a, 'a> Deserialize<'de> for Batch<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;

        impl<'de> Visitor<'de> for Reader {
            type Value = Batch<'de>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object or an array of objects")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Batch<'de>, A::Error> {
                let mut items = Vec::new();
                while items.len() <= MAX_BATCH
                    && let Some(item) = seq.next_element()?
                {
                    items.push(item);
                }
                while seq.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Batch(items))
            }
        }
        deserializer.deserialize_seq(Reader)
    }
}

fn read_batch(text: &str) -> Result<Message<'_>, Box<Invalid>> {
    let Batch(items) = serde_json::from_str(text).map_err(|error| explain(text, &error))?;
    match items.is_empty() {
        true => Err(refused(None, RpcError::invalid_request("the batch is empty"))),
        false => Ok(Message::Batch(items)),
    }
}

fn invalid(id: Option<Value>, code: i32, message: String) -> Box<Invalid> {
    refused(id, RpcError::new(code, message))
}

fn refused(id: Option<Value>, error: RpcError) -> Box<Invalid> {
    Box::new(Invalid { id, error })
}

const ENVELOPE: [&str; 6] = ["jsonrpc", "id", "method", "params", "result", "error"];

/// How often each member of the envelope occurs, and the last id.
#[derive(Default)]
struct Members<'a> {
    counts: [usize; ENVELOPE.len()],
    id: Option<&'a RawValue>,
}

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;

        impl<'de> Visitor<'de> for Reader {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
                let mut members = Members::default();
                while let Some(key) = map.next_key::<Text<'de>>()? {
                    if let Some(index) = ENVELOPE.iter().position(|name| **name == *key) {
                        members.counts[index] += 1;
                    }
                    match &*key {
                        "id" => members.id = Some(map.next_value()?),
                        _ => _ = map.next_value::<IgnoredAny>()?,
                    }
                }
                Ok(members)
            }
        }
        deserializer.deserialize_map(Reader)
    }
}

impl Members<'_> {
    /// The id, if it occurs once and is valid.
    fn id(&self) -> Option<Value> {
        let is_once = self.counts[1] == 1;
        let id = self.id.map(RawValue::get).filter(|id| is_once && is_id(id))?;
        serde_json::from_str(id).ok()
    }

    /// A duplicate member.
    fn given_twice(&self) -> Option<&'static str> {
        let twice = ENVELOPE.iter().zip(self.counts).find(|(_, count)| *count > 1);
        twice.map(|(name, _)| *name)
    }
}

/// Why a text is not a valid message.
fn explain(text: &str, error: &serde_json::Error) -> Box<Invalid> {
    let members: Members<'_> = serde_json::from_str(text).unwrap_or_default();
    if let Some(name) = members.given_twice() {
        return refused(
            members.id(),
            RpcError::invalid_request(format!("duplicate member {name}")),
        );
    }
    if let Some(exceeded) = budget::exceeded() {
        let words = format!("the message {exceeded}");
        return refused(members.id(), RpcError::invalid_request(words));
    }
    match JsonRef::read(text) {
        Ok(message) => explain_value(&message, Some(error)),
        // It is JSON with an invalid value, such as half of a surrogate pair.
        Err(error) => match members.id() {
            Some(id) => refused(Some(id), RpcError::params(format!("Invalid params: {error}"))),
            None => invalid(None, RpcError::PARSE, format!("Parse error: {error}")),
        },
    }
}

fn explain_value(message: &JsonRef<'_>, error: Option<&serde_json::Error>) -> Box<Invalid> {
    let Some(members) = message.as_object() else {
        return refused(None, RpcError::invalid_request("not an object"));
    };
    let id = members.get("id");
    let is_id = |id: &JsonRef<'_>| match id {
        JsonRef::Text(_) => true,
        JsonRef::Number(number) => number.is_i64() || number.is_u64(),
        _ => false,
    };
    let known_id = id.filter(|id| is_id(id)).map(JsonRef::to_value);
    let refuse = |words: &str| refused(known_id.clone(), RpcError::invalid_request(words));
    if members.get("jsonrpc").and_then(JsonRef::as_str) != Some("2.0") {
        return refuse("jsonrpc must be \"2.0\"");
    }
    let method = match members.get("method") {
        None => return refuse("method is missing"),
        Some(JsonRef::Text(method)) => method,
        Some(_) => return refuse("method must be a string"),
    };
    if id.is_some() && known_id.is_none() {
        return refuse(WRONG_ID);
    }
    if !method::is_known(method) {
        return refused(known_id, RpcError::method_not_found(method));
    }
    let words = match wrong_params(members.get("params")) {
        Some(words) => words.into(),
        None => error.map_or_else(|| "malformed".to_owned(), ToString::to_string),
    };
    refused(known_id, RpcError::params(format!("Invalid params: {words}")))
}

/// Which parameter has the wrong type.
fn wrong_params(params: Option<&JsonRef<'_>>) -> Option<Cow<'static, str>> {
    let Some(members) = params.and_then(JsonRef::as_object) else {
        return Some("params must be an object".into());
    };
    let is_text = |key: &&str| members.get(key).is_none_or(|value| value.as_str().is_some());
    let wrong = ["name", "uri", "cursor", "protocolVersion"].into_iter().find(|key| !is_text(key));
    wrong.map(|key| format!("{key} must be a string").into())
}

/// Delivers a client's response, and returns whether its request was pending.
pub(crate) fn take_response(
    questions: &Questions,
    id: &str,
    response: Result<&RawValue, &RawValue>,
) -> bool {
    let Ok(id) = serde_json::from_str::<String>(id) else { return false };
    // Our own `Value` first, whose size is counted.
    let read = |text: &RawValue| JsonRef::read(text.get()).map(|value| value.to_value());
    let response = match response {
        Ok(result) => read(result).map_err(|error| error.to_string()),
        Err(error) => {
            let error = read(error).unwrap_or_default();
            Err(error["message"].as_str().unwrap_or("error without a message").to_owned())
        }
    };
    // A trial is repeated, and only the repetition may deliver the response.
    !budget::must_retry() && questions.answer(&id, response)
}

/// An error response; without an id if the request had no valid one.
pub(crate) fn error(id: Option<Value>, error: &RpcError) -> String {
    let mut out = json!({ "jsonrpc": "2.0" });
    // The protocol's schema does not allow a null id.
    if let Some(id) = id {
        out["id"] = id;
    }
    out["error"] = error.to_json();
    // Internal errors are for the operator.
    if error.code == RpcError::INTERNAL
        && error.data.is_none()
        && let Some(request) = request_id::current()
    {
        out["error"]["data"] = json!({ "requestId": request });
    }
    out.to_string()
}

/// The response to the request with this id.
pub(crate) fn response(id: &str, body: Result<String, RpcError>) -> String {
    body.unwrap_or_else(|fault| error(serde_json::from_str(id).ok(), &fault))
}

/// The notification of a change, for clients with a handshake.
pub(crate) fn changed(change: &Change) -> String {
    notification(change, None)
}

/// The same with the `_meta` that a subscription adds.
pub(crate) fn notification(change: &Change, meta: Option<Value>) -> String {
    let method = match change {
        Change::Tools => "notifications/tools/list_changed",
        Change::Resources => "notifications/resources/list_changed",
        Change::Prompts => "notifications/prompts/list_changed",
        Change::Resource(_) => "notifications/resources/updated",
    };
    let mut params = serde_json::Map::new();
    params.extend(meta.map(|meta| ("_meta".to_owned(), meta)));
    if let Change::Resource(uri) = change {
        params.insert("uri".into(), json!(uri));
    }
    let mut out = json!({ "jsonrpc": "2.0", "method": method });
    if !params.is_empty() {
        out["params"] = Value::Object(params);
    }
    out.to_string()
}
