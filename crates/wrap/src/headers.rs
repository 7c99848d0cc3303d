//! Request headers that mirror the message, in revisions without a handshake.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;
use widgetcast::Budgeted;
use widgetcast::http::relayed_params;

use crate::message::{META_VERSION, Message, TRACE, value_at};

pub(crate) const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
const METHOD: HeaderName = HeaderName::from_static("mcp-method");
const NAME: HeaderName = HeaderName::from_static("mcp-name");
/// Maximum tools of a server whose arguments are mirrored.
const MAX_TOOLS: usize = 10_000;

/// The input schemas of tools that require arguments in headers, as listed by any client.
#[derive(Clone, Debug, Default)]
pub(crate) struct Schemas(Arc<Mutex<HashMap<String, Value>>>);

impl Schemas {
    /// Records the tools in a response that lists them.
    pub(crate) fn learn(&self, answer: &str, _: Budgeted) {
        const MARK: &str = "x-mcp-header";
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if lock().is_empty() && !answer.contains(MARK) {
            return;
        }
        // Requests wait for the lock, so read nothing while holding it.
        let mut answer: Value = serde_json::from_str(answer).unwrap_or_default();
        let mut known = lock();
        for tool in answer["result"]["tools"].as_array_mut().into_iter().flatten() {
            let schema = tool["inputSchema"].take();
            let Some(name) = tool["name"].as_str() else { continue };
            known.remove(name);
            if known.len() < MAX_TOOLS && schema.to_string().contains(MARK) {
                known.insert(name.to_owned(), schema);
            }
        }
    }

    fn headers(&self, tool: &str, arguments: &str) -> Vec<(String, String)> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(tool).map(|schema| relayed_params(schema, arguments)).unwrap_or_default()
    }
}

/// The headers that mirror a message: its trace context, and without a handshake, what it is about.
pub(crate) fn headers_of(text: &str, schemas: &Schemas, _: Budgeted) -> HeaderMap {
    let mut headers = HeaderMap::new();
    let Some(message) = Message::read(text) else { return headers };
    let meta = message.param("_meta").unwrap_or_default();
    for name in TRACE {
        let value = meta.get(name).and_then(Value::as_str);
        let value = value.and_then(|value| HeaderValue::from_str(value).ok());
        headers.extend(value.map(|value| (HeaderName::from_static(name), value)));
    }
    let Some(version) = meta.get(META_VERSION).and_then(Value::as_str) else { return headers };
    let name = ["name", "uri", "taskId"].into_iter().find_map(|name| message.param(name));
    let mut put = |header: HeaderName, value: &str| {
        let is_plain = value.bytes().all(|byte| matches!(byte, b' '..=b'~'))
            && value.trim() == value
            && !value.starts_with("=?base64?");
        let value = if is_plain { value.to_owned() } else { base64(value) };
        headers.extend(HeaderValue::from_str(&value).ok().map(|value| (header, value)));
    };
    put(VERSION, version);
    if let Some(method) = &message.method {
        put(METHOD, method);
    }
    let name = name.as_ref().and_then(Value::as_str);
    if let Some(name) = name {
        put(NAME, name);
    }
    if let (Some("tools/call"), Some(tool)) = (message.method.as_deref(), name) {
        let arguments = value_at(text, &["params", "arguments"]).unwrap_or("{}");
        for (header, value) in schemas.headers(tool, arguments) {
            if let Ok(header) = HeaderName::from_bytes(header.as_bytes()) {
                put(header, &value);
            }
        }
    }
    headers
}

/// A header value that is not ASCII, or would be misread, is encoded.
fn base64(text: &str) -> String {
    use base64::Engine as _;
    format!("=?base64?{}?=", base64::engine::general_purpose::STANDARD.encode(text))
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    fn budgeted() -> Budgeted {
        widgetcast::Workers::default().finish(0, |it| it).now_or_never().flatten().unwrap()
    }

    #[test]
    fn headers_say_what_is_in_a_message_without_a_handshake() {
        for (params, name) in [
            (r#""name":"caf\u00e9""#, "=?base64?Y2Fmw6k=?="),
            (r#""name":" a""#, "=?base64?IGE=?="),
            (r#""uri":"x://1""#, "x://1"),
            (r#""taskId":"t1""#, "t1"),
        ] {
            let text = format!(
                r#"{{"id":1,"method":"a/b","params":{{{params},"_meta":{{"{META_VERSION}":"2026-07-28"}}}}}}"#
            );
            let headers = headers_of(&text, &Schemas::default(), budgeted());
            assert_eq!(
                (&headers[METHOD], &headers[NAME]),
                (&"a/b".parse().unwrap(), &name.parse().unwrap())
            );
        }
        let traced = r#"{"id":1,"method":"a","params":{"_meta":{"traceparent":"00-a-b-01","tracestate":"x=\n"}}}"#;
        let headers = headers_of(traced, &Schemas::default(), budgeted());
        assert_eq!((headers.len(), &headers["traceparent"]), (1, &"00-a-b-01".parse().unwrap()));
        assert!(
            headers_of(
                r#"{"id":1,"method":"a/b","params":{"name":"c"}}"#,
                &Schemas::default(),
                budgeted()
            )
            .is_empty()
        );
    }

    #[test]
    fn arguments_are_repeated_where_the_tool_wants_it() {
        let schemas = Schemas::default();
        let list = |schema: &str| {
            let tools = format!(r#"{{"tools":[{{"name":"t","inputSchema":{schema}}}]}}"#);
            schemas.learn(&format!(r#"{{"id":1,"result":{tools}}}"#), budgeted());
            let text = format!(
                r#"{{"id":1,"method":"tools/call","params":{{"name":"t","arguments":{{"a":"é","b":{{"c":1.50}},"d":true}},
                "_meta":{{"{META_VERSION}":"2026-07-28"}}}}}}"#
            );
            let headers = headers_of(&text, &schemas, budgeted());
            ["a", "c", "d", "e"].map(|name| {
                let value = headers.get(format!("mcp-param-{name}"));
                value.map(|value| value.to_str().unwrap().to_owned())
            })
        };
        let of = |text: &str| Some(text.to_owned());
        let schema = r#"{"properties":{"a":{"x-mcp-header":"A"},"b":{"properties":{"c":{"x-mcp-header":"C"}}},
            "d":{},"e":{"x-mcp-header":"E"}}}"#;
        assert_eq!(list(schema), [of("=?base64?w6k=?="), of("1.5"), None, None]);
        assert_eq!(list("{}"), [None, None, None, None], "the newest list counts");
    }
}
