//! Requests, and the check of their replies.

use std::ops::Range;

use serde_json::{Map, Value, json};

use crate::error::{Error, Result};

/// How a client opens: by `_meta` on every request, or by a handshake.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Era {
    Modern,
    Legacy,
}

const MODERN: &str = "2026-07-28";
const LEGACY: &str = "2025-06-18";

/// Ids have one length, so that replies have too.
pub(crate) const FIRST_ID: u64 = 100_000;

/// A call of one tool, and the tree that must come back.
#[derive(Clone)]
pub(crate) struct Call {
    pub tool: String,
    pub arguments: Value,
    pub tree: Value,
}

impl Call {
    pub(crate) fn body(&self, era: Era, id: u64) -> String {
        message(era, "tools/call", json!({"name": self.tool, "arguments": self.arguments}), id)
    }

    pub(crate) fn http(&self, era: Era, session: Option<&str>) -> Vec<u8> {
        let name = Some(self.tool.as_str());
        http(era, "tools/call", name, session, &self.body(era, FIRST_ID))
    }

    /// Whether a reply shows the widget it should, as JSON and not as text.
    pub(crate) fn check(&self, body: &[u8]) -> Result {
        let reply = parse(body)?;
        let found = without_nulls(tree(&reply).ok_or_else(|| excerpt("no widget in", body))?);
        if found == self.tree {
            return Ok(());
        }
        Err(format!("{}: another widget than ours came back: {found}", self.tool).into())
    }
}

pub(crate) fn message(era: Era, method: &str, mut params: Value, id: u64) -> String {
    if era == Era::Modern {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": MODERN,
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": {"name": "widgetcast-bench", "version": "1.0.0"},
        });
    }
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string()
}

pub(crate) fn initialize() -> String {
    let params = json!({
        "protocolVersion": LEGACY,
        "capabilities": {},
        "clientInfo": {"name": "widgetcast-bench", "version": "1.0.0"},
    });
    message(Era::Legacy, "initialize", params, FIRST_ID - 1)
}

pub(crate) const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

/// A whole request. Header names are written as the specification writes them.
pub(crate) fn http(
    era: Era,
    method: &str,
    name: Option<&str>,
    session: Option<&str>,
    body: &str,
) -> Vec<u8> {
    let mut head = format!(
        "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nContent-Length: {}\r\n",
        body.len()
    );
    match era {
        Era::Modern => {
            head += &format!("MCP-Protocol-Version: {MODERN}\r\nMcp-Method: {method}\r\n");
            if let Some(name) = name {
                head += &format!("Mcp-Name: {name}\r\n");
            }
        }
        Era::Legacy => {
            if method != "initialize" {
                head += &format!("MCP-Protocol-Version: {LEGACY}\r\n");
            }
            if let Some(session) = session {
                head += &format!("Mcp-Session-Id: {session}\r\n");
            }
        }
    }
    head += "\r\n";
    head += body;
    head.into_bytes()
}

/// A reply as JSON, out of its event where it came as one.
pub(crate) fn parse(body: &[u8]) -> Result<Value> {
    let text = std::str::from_utf8(body)?;
    let data = text.lines().find_map(|line| line.strip_prefix("data: ").filter(|d| !d.is_empty()));
    let reply: Value =
        serde_json::from_str(data.unwrap_or(text)).map_err(|_| excerpt("no JSON:", body))?;
    if reply.get("error").is_some() || reply["result"]["isError"] == true {
        return Err(excerpt("an error came back:", body));
    }
    Ok(reply)
}

/// The widget in a result: ours is in `_meta`, that of the peers in `structuredContent`.
fn tree(reply: &Value) -> Option<Value> {
    let result = &reply["result"];
    let ours = &result["_meta"]["widgetcast/view"]["tree"];
    let found = if ours.is_object() { ours } else { &result["structuredContent"] };
    found.is_object().then(|| found.clone())
}

/// openai-chatkit writes `"children": null` where there are none, and Studio's templates an empty
/// list; to ChatKit all is the same.
pub(crate) fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(map) => {
            let is_none = |value: &Value| value.as_array().is_some_and(Vec::is_empty);
            let kept = map
                .into_iter()
                .filter(|(key, value)| !(value.is_null() || key == "children" && is_none(value)));
            Value::Object(kept.map(|(k, v)| (k, without_nulls(v))).collect::<Map<_, _>>())
        }
        Value::Array(list) => Value::Array(list.into_iter().map(without_nulls).collect()),
        other => other,
    }
}

pub(crate) fn excerpt(what: &str, body: &[u8]) -> Error {
    format!("{what} {}", String::from_utf8_lossy(&body[..body.len().min(300)])).into()
}

/// What the replies to a call must be, learnt from the first two of them.
///
/// All must be alike, byte for byte, but for the id and at most one short text that is made again for
/// each call. A server that changes more is held to the length, and every 50th of its replies is
/// compared as JSON.
#[derive(Clone)]
pub(crate) struct Expect {
    call: Call,
    sample: Vec<u8>,
    /// Where the id is in the sample.
    id: usize,
    /// The parts of the sample that never change, if they are nearly all of it.
    fixed: Option<[Range<usize>; 3]>,
    seen: u64,
}

const EVERY: u64 = 50;
/// Digits of an id.
const DIGITS: usize = 6;
/// Bytes of a text that is made again.
const ANEW: usize = 64;

impl Expect {
    pub(crate) fn new(call: &Call, first: &[u8], second: &[u8]) -> Result<Self> {
        call.check(first)?;
        call.check(second)?;
        let id = id_at(first).ok_or_else(|| excerpt("no id in", first))?;
        let fixed = fixed(first, second, id);
        Ok(Self { call: call.clone(), sample: first.to_vec(), id, fixed, seen: 0 })
    }

    /// Checks a reply and tells its id.
    pub(crate) fn check(&mut self, body: &[u8]) -> Result<u64> {
        self.seen += 1;
        let fault = || excerpt("an unexpected reply:", body);
        if body.len() != self.sample.len() {
            return Err(fault());
        }
        let at = match &self.fixed {
            Some(fixed) if fixed.iter().all(|at| body[at.clone()] == self.sample[at.clone()]) => {
                self.id
            }
            Some(_) => return Err(fault()),
            None => {
                if self.seen.is_multiple_of(EVERY) {
                    self.call.check(body)?;
                }
                id_at(body).ok_or_else(fault)?
            }
        };
        std::str::from_utf8(&body[at..at + DIGITS])?.parse().map_err(|_| fault())
    }

    /// Whether all replies must be alike, byte for byte.
    pub(crate) fn is_exact(&self) -> bool {
        self.fixed.is_some()
    }

    /// The first reply.
    pub(crate) fn sample(&self) -> &[u8] {
        &self.sample
    }
}

/// What is the same in two replies, before, between and after their ids and a text that differs.
fn fixed(one: &[u8], other: &[u8], id: usize) -> Option<[Range<usize>; 3]> {
    let end = one.len();
    if other.len() != end {
        return None;
    }
    let differs = |at: &usize| one[*at] != other[*at] && !(id..id + DIGITS).contains(at);
    let Some(first) = (0..end).find(differs) else {
        return Some([0..id, id + DIGITS..end, end..end]);
    };
    let last = (first..end).rfind(differs)?;
    // The whole text: two of them may begin or end with the same letters.
    let start = one[..first].iter().rposition(|byte| *byte == b'"')? + 1;
    let stop = last + one[last..].iter().position(|byte| *byte == b'"')?;
    let parts = if stop <= id {
        [0..start, stop..id, id + DIGITS..end]
    } else if id + DIGITS <= start {
        [0..id, id + DIGITS..start, stop..end]
    } else {
        return None;
    };
    (stop - start <= ANEW).then_some(parts)
}

/// Where the id of a reply starts: a widget may have ids too, but no numbers of this size for them.
fn id_at(body: &[u8]) -> Option<usize> {
    const KEY: &[u8] = b"\"id\":";
    let mut from = 0;
    loop {
        let at = from + body[from..].windows(KEY.len()).position(|bytes| bytes == KEY)? + KEY.len();
        if body.get(at..at + DIGITS)?.iter().all(u8::is_ascii_digit) {
            return Some(at);
        }
        from = at;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_never_changes_is_learnt() {
        let reply = |id: &str, text: &str, rest: &str| {
            format!(r#"{{"a":"{text}","id":{id},"b":"{rest}"}}"#).into_bytes()
        };
        let learn = |one: &[u8], other: &[u8]| fixed(one, other, id_at(one)?);
        let one = reply("100000", "same", "xay");
        let kept = |fixed: [Range<usize>; 3]| {
            fixed.map(|at| String::from_utf8_lossy(&one[at]).into_owned()).concat()
        };
        let all = kept(learn(&one, &reply("100001", "same", "xay")).unwrap());
        assert_eq!(all, r#"{"a":"same","id":,"b":"xay"}"#);
        // The ids differ nowhere, and two texts begin and end alike.
        let all = kept(learn(&one, &reply("100000", "same", "xby")).unwrap());
        assert_eq!(all, r#"{"a":"same","id":,"b":""}"#);
        let all = kept(learn(&one, &reply("200000", "sane", "xay")).unwrap());
        assert_eq!(all, r#"{"a":"","id":,"b":"xay"}"#);
        for other in [reply("100000", "sane", "xby"), reply("100000", "same", "xayz")] {
            assert!(learn(&one, &other).is_none());
        }
    }
}
