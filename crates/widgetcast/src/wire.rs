//! JSON-RPC: reading a message as the hot lane wants it, and writing answers.
//!
//! The hot lane is strict: whatever is out of the ordinary makes it step aside, and rmcp, which
//! knows every rule of every revision, takes the message. So the rules stand in one place.

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::dispatch::{Body, Fault, Params, Unplaced, is_known};
use crate::live::Change;

/// An ordinary request: version 2.0, an id that is a text or a number.
#[derive(Debug)]
pub(crate) struct Message<'a> {
    /// The id as it stands in the message.
    pub id: &'a str,
    pub method: &'a str,
    pub params: Params<'a>,
}

/// The same as it is read.
#[derive(Deserialize)]
struct Written<'a> {
    #[serde(borrow)]
    jsonrpc: &'a str,
    #[serde(borrow)]
    id: &'a RawValue,
    #[serde(borrow)]
    method: &'a str,
    #[serde(borrow, default)]
    params: Option<Unplaced<'a>>,
}

impl<'a> Message<'a> {
    /// None unless it could be read in one go.
    pub(crate) fn request(text: &'a [u8]) -> Option<Self> {
        // Once for all of it, not for each text in it.
        let text = std::str::from_utf8(text).ok()?;
        // A list would be taken for the members in their order.
        text.trim_start().strip_prefix('{')?;
        let Written { jsonrpc, id, method, params } = serde_json::from_str(text).ok()?;
        let id = id.get();
        let plain = id.starts_with('"') || id.parse::<i64>().is_ok();
        if jsonrpc != "2.0" || !plain {
            return None;
        }
        Some(Self { id, method, params: params.unwrap_or_default().place(text)? })
    }
}

/// What a message is that could not be read in one go.
#[derive(Debug)]
pub(crate) enum Odd {
    /// Something that rmcp can take.
    Message,
    /// Several at once.
    Batch(Vec<Value>),
    /// Not a message at all; the answer says why.
    Broken(Option<Value>, Fault),
}

/// Looks at a message more closely.
pub(crate) fn look(text: &[u8]) -> Odd {
    let broken = |id: Option<Value>, code, words: &str| Odd::Broken(id, Fault::new(code, words));
    let value: Value = match serde_json::from_slice(text) {
        Ok(value) => value,
        Err(error) => return broken(None, Fault::PARSE, &format!("Parse error: {error}")),
    };
    let message = match value {
        Value::Array(items) if items.is_empty() => {
            return broken(None, Fault::REQUEST, "Invalid Request: an empty batch");
        }
        Value::Array(items) => return Odd::Batch(items),
        Value::Object(message) => message,
        _ => return broken(None, Fault::REQUEST, "Invalid Request: not an object"),
    };
    let id = message.get("id").cloned();
    let usable = |id: &Value| id.is_string() || id.is_i64() || id.is_u64();
    if message.get("jsonrpc") != Some(&json!("2.0")) {
        let id = id.filter(usable);
        return broken(id, Fault::REQUEST, "Invalid Request: jsonrpc must be \"2.0\"");
    }
    let Some(method) = message.get("method") else {
        let is_answer = message.contains_key("result") || message.contains_key("error");
        return match is_answer {
            true => Odd::Message,
            false => broken(id.filter(usable), Fault::REQUEST, "Invalid Request: no method"),
        };
    };
    let Some(method) = method.as_str() else {
        return broken(id.filter(usable), Fault::REQUEST, "Invalid Request: method must be a text");
    };
    match id {
        None => Odd::Message,
        Some(id) if !usable(&id) => {
            broken(None, Fault::REQUEST, "Invalid Request: id must be a text or a whole number")
        }
        Some(id) => match message.get("params") {
            None | Some(Value::Object(_)) => {
                // rmcp takes parameters of the wrong form for an unknown method.
                match message.get("params").map(|params| wrong(method, params)) {
                    Some(Some(words)) => broken(Some(id), Fault::PARAMS, &words),
                    _ => Odd::Message,
                }
            }
            Some(_) => broken(Some(id), Fault::PARAMS, "Invalid params: params must be an object"),
        },
    }
}

/// What is wrong with the parameters of one of our methods.
fn wrong(method: &str, params: &Value) -> Option<String> {
    if !is_known(method) {
        return None;
    }
    let text = |key: &str| params.get(key).is_some_and(|value| !value.is_string());
    let object = |key: &str| params.get(key).is_some_and(|value| !value.is_object());
    let needs = match method {
        "tools/call" | "prompts/get" => Some("name"),
        "resources/read" | "resources/subscribe" | "resources/unsubscribe" => Some("uri"),
        _ => None,
    };
    if let Some(key) = needs.filter(|key| params.get(*key).is_none()) {
        return Some(format!("Invalid params: {method} needs {key}"));
    }
    for key in ["name", "uri", "cursor"] {
        if text(key) {
            return Some(format!("Invalid params: {key} must be a text"));
        }
    }
    for key in ["arguments", "_meta", "ref", "argument"] {
        if object(key) {
            return Some(format!("Invalid params: {key} must be an object"));
        }
    }
    None
}

/// An answer to the request with this id.
pub(crate) fn answer(id: &str, body: Body) -> String {
    match body {
        Ok(mut text) => {
            // Around the text where it is: moving it costs less than a second one.
            text.insert_str(0, &[r#"{"jsonrpc":"2.0","id":"#, id, r#","result":"#].concat());
            text.push('}');
            text
        }
        Err(fault) => error(serde_json::from_str(id).ok(), &fault),
    }
}

/// An error; without an id where the request had none that could be read.
pub(crate) fn error(id: Option<Value>, fault: &Fault) -> String {
    let mut out = json!({ "jsonrpc": "2.0" });
    // The protocol's schema knows no null.
    if let Some(id) = id {
        out["id"] = id;
    }
    out["error"] = fault.to_json();
    out.to_string()
}

/// How a client with a handshake is told of a change.
pub(crate) fn changed(change: &Change) -> String {
    let method = match change {
        Change::Tools => "notifications/tools/list_changed",
        Change::Resources => "notifications/resources/list_changed",
        Change::Prompts => "notifications/prompts/list_changed",
        Change::Resource(uri) => {
            let method = "notifications/resources/updated";
            return json!({ "jsonrpc": "2.0", "method": method, "params": { "uri": uri } })
                .to_string();
        }
    };
    json!({ "jsonrpc": "2.0", "method": method }).to_string()
}
