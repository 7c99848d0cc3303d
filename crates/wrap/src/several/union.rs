//! Merges the responses of several servers to one request.

use std::collections::BTreeMap;

use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::message::{Members, is_unambiguous, with_member};
use crate::relay::LISTS;

/// The oldest protocol revision.
const FIRST_REVISION: &str = "2024-11-05";

/// The response of one server.
pub(super) struct Part<'a> {
    pub server: &'a str,
    pub result: &'a str,
}

/// Merges two values: members, items, and flags that are true in either.
pub(super) fn unite(into: &mut Value, from: Value) {
    match (into, from) {
        (Value::Object(into), Value::Object(from)) => {
            for (key, value) in from {
                match into.get_mut(&key) {
                    Some(known) => unite(known, value),
                    None => _ = into.insert(key, value),
                }
            }
        }
        (Value::Array(into), Value::Array(from)) => {
            let new: Vec<Value> = from.into_iter().filter(|item| !into.contains(item)).collect();
            into.extend(new);
        }
        (Value::Bool(into), Value::Bool(from)) => *into |= from,
        _ => {}
    }
}

fn read<'p>(parts: &'p [Part<'_>]) -> impl Iterator<Item = (&'p str, Value)> {
    let read = |part: &'p Part<'_>| Some((part.server, serde_json::from_str(part.result).ok()?));
    parts.iter().filter_map(read)
}

/// What all of them have in common: the union of their capabilities, and their instructions under their
/// names.
fn common(parts: &[Part<'_>]) -> Value {
    let mut capabilities = json!({});
    let mut instructions = Vec::new();
    for (server, mut result) in read(parts) {
        if let Some(text) = result.get("instructions").and_then(Value::as_str) {
            instructions.push(format!("# {server}\n{}", text.trim()));
        }
        unite(&mut capabilities, result["capabilities"].take());
    }
    let mut common = json!({ "capabilities": capabilities });
    if !instructions.is_empty() {
        common["instructions"] = instructions.join("\n\n").into();
    }
    common
}

/// Whether a result has valid capabilities: one server must not invalidate the union.
fn has_capabilities(result: &Value) -> bool {
    let capabilities = result.get("capabilities").and_then(Value::as_object);
    capabilities.is_some_and(|capabilities| capabilities.values().all(Value::is_object))
}

/// Whether a result is that of a handshake.
pub(super) fn is_greeting(result: &str) -> bool {
    let result: Value = serde_json::from_str(result).unwrap_or_default();
    let version = result.get("protocolVersion").and_then(Value::as_str);
    has_capabilities(&result) && version.is_some_and(|version| version >= FIRST_REVISION)
}

/// Whether a result is that of `server/discover`.
pub(super) fn is_discovery(result: &str) -> bool {
    let result: Value = serde_json::from_str(result).unwrap_or_default();
    has_capabilities(&result) && result.get("supportedVersions").is_some_and(Value::is_array)
}

fn info() -> Value {
    json!({ "name": "widgetcast", "title": "Widgetcast", "version": env!("CARGO_PKG_VERSION") })
}

/// The response to a handshake. Its revision is the oldest one; `listChanged` is set for each list, because
/// any of them changes when a server restarts.
pub(super) fn greeting(parts: &[Part<'_>]) -> String {
    let mut greeting = common(parts);
    let version =
        |(_, result): (_, Value)| Some(result.get("protocolVersion")?.as_str()?.to_owned());
    greeting["protocolVersion"] = read(parts).filter_map(version).min().into();
    greeting["serverInfo"] = info();
    for list in LISTS {
        if let Some(Value::Object(about)) = greeting["capabilities"].get_mut(list) {
            about.insert("listChanged".into(), true.into());
        }
    }
    greeting.to_string()
}

/// The response to `server/discover`: the revisions that all of them support, or `None`.
pub(super) fn discovery(parts: &[Part<'_>]) -> Option<String> {
    let mut discovery = common(parts);
    let mut versions: Option<Vec<Value>> = None;
    for (_, result) in read(parts) {
        let known = result.get("supportedVersions").and_then(Value::as_array).cloned();
        let known = known.unwrap_or_default();
        match &mut versions {
            Some(versions) => versions.retain(|version| known.contains(version)),
            None => versions = Some(known),
        }
    }
    discovery["supportedVersions"] = versions.filter(|versions| !versions.is_empty())?.into();
    discovery["resultType"] = json!("complete");
    discovery["_meta"] = json!({ "io.modelcontextprotocol/serverInfo": info() });
    let discovery = discovery.to_string();
    Some(with_cache_hints(discovery, parts))
}

/// The entries of a list; `None` if it is invalid or duplicate.
pub(super) fn entries_of<'a>(member: &str, result: &'a str) -> Option<Vec<&'a RawValue>> {
    if !is_unambiguous(result) {
        return None;
    }
    serde_json::from_str(Members::read(result)?.get(member)?).ok()
}

/// The response to a list request. Its cursor contains those of servers that have more pages.
pub(super) fn list(member: &str, parts: &[Part<'_>]) -> Option<String> {
    let first = parts.first()?;
    let mut entries: Vec<&RawValue> = Vec::new();
    let mut cursors = BTreeMap::new();
    for Part { server, result } in parts {
        entries.extend(entries_of(member, result)?);
        let members = Members::read(result)?;
        let cursor = members.get("nextCursor").and_then(|text| serde_json::from_str(text).ok());
        if let Some(Value::String(cursor)) = cursor {
            cursors.insert(*server, cursor);
        }
    }
    let entries: Vec<&str> = entries.into_iter().map(RawValue::get).collect();
    let mut list = with_member(first.result, member, &format!("[{}]", entries.join(",")));
    if !cursors.is_empty() {
        let cursor = json!(cursors).to_string();
        list = with_member(&list, "nextCursor", &Value::from(cursor).to_string());
    }
    Some(with_cache_hints(list, parts))
}

/// The cursors of the servers in a merged cursor.
pub(super) fn cursors(cursor: &str) -> Option<BTreeMap<String, String>> {
    serde_json::from_str(cursor).ok()
}

/// The cache rules of the merged response: the shortest time, and the strictest scope.
fn with_cache_hints(answer: String, parts: &[Part<'_>]) -> String {
    let members = parts.iter().filter_map(|part| Members::read(part.result));
    let hint = |name: &str| -> Vec<Value> {
        let hint = |members: Members<'_>| serde_json::from_str(members.get(name)?).ok();
        members.clone().filter_map(hint).collect()
    };
    let ttl = hint("ttlMs").iter().filter_map(Value::as_f64).reduce(f64::min);
    let scopes = hint("cacheScope");
    let answer = match ttl {
        Some(ttl) => with_member(&answer, "ttlMs", &format!("{}", ttl.max(0.0))),
        None => answer,
    };
    match scopes.iter().find(|scope| *scope == "private").or(scopes.first()) {
        Some(scope) => with_member(&answer, "cacheScope", &scope.to_string()),
        None => answer,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_joined_as_text() {
        let parts = [
            Part {
                server: "a",
                result: r#"{"tools":[{"n":1.0}],"ttlMs":60000,"cacheScope":"public","x":1e0}"#,
            },
            Part {
                server: "b",
                result: r#"{"tools":[],"nextCursor":"p\"2","ttlMs":5,"cacheScope":"private"}"#,
            },
            Part { server: "c", result: r#"{"tools":[{"n":2.50}],"nextCursor":null}"# },
        ];
        let joined = list("tools", &parts).unwrap();
        assert_eq!(
            joined,
            r#"{"tools":[{"n":1.0},{"n":2.50}],"ttlMs":5,"cacheScope":"private","x":1e0,"nextCursor":"{\"b\":\"p\\\"2\"}"}"#
        );
        let cursor: Value = serde_json::from_str(&joined).unwrap();
        let cursors = cursors(cursor["nextCursor"].as_str().unwrap()).unwrap();
        assert_eq!(cursors, BTreeMap::from([("b".to_owned(), "p\"2".to_owned())]));
    }

    #[test]
    fn greetings_are_joined() {
        let parts = [
            Part {
                server: "a",
                result: r#"{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"resources":{"subscribe":false},
                    "extensions":{"x/y":{"mimeTypes":["a"]}}},"instructions":" Ask a. "}"#,
            },
            Part {
                server: "b",
                result: r#"{"protocolVersion":"2025-03-26","capabilities":{"resources":{"subscribe":true},"logging":{},
                    "extensions":{"x/y":{"mimeTypes":["a","b"]}}}}"#,
            },
        ];
        let greeting: Value = serde_json::from_str(&greeting(&parts)).unwrap();
        assert_eq!(greeting["protocolVersion"], "2025-03-26");
        assert_eq!(greeting["instructions"], "# a\nAsk a.");
        assert_eq!(
            greeting["capabilities"],
            json!({ "tools": { "listChanged": true }, "resources": { "subscribe": true, "listChanged": true },
                "extensions": { "x/y": { "mimeTypes": ["a", "b"] } }, "logging": {} })
        );
    }

    #[test]
    fn only_revisions_that_all_know_are_offered() {
        let of = |versions: &str| {
            format!(
                r#"{{"resultType":"complete","supportedVersions":{versions},"capabilities":{{}}}}"#
            )
        };
        let (both, one) = (of(r#"["2026-07-28","2025-11-25"]"#), of(r#"["2026-07-28"]"#));
        let discovered = |other: &str| {
            discovery(&[Part { server: "a", result: &both }, Part { server: "b", result: other }])
        };
        let found: Value = serde_json::from_str(&discovered(&one).unwrap()).unwrap();
        assert_eq!(found["supportedVersions"], json!(["2026-07-28"]));
        assert!(discovered(&of("[]")).is_none());
    }
}
