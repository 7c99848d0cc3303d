//! The chat completions API: requests, and the events of a stream.

use serde_json::{Value, json};

use crate::result_text::result_text;
use crate::tool::Tool;
use crate::transcript::{Message, ToolCall};
use crate::turn::{CallPart, Delta};

pub(crate) fn request(
    model: &str,
    messages: &[Message],
    tools: &[Tool],
    result_bytes: usize,
) -> Value {
    let messages: Vec<Value> =
        messages.iter().filter_map(|message| as_sent(message, result_bytes)).collect();
    let mut request = json!({
        "model": model,
        "messages": messages,
        "stream": true,
        "stream_options": { "include_usage": true },
    });
    if !tools.is_empty() {
        let tool = |tool: &Tool| {
            json!({ "type": "function", "function": {
                "name": tool.name, "description": tool.description, "parameters": schema(tool),
            } })
        };
        request["tools"] = tools.iter().map(tool).collect();
    }
    request
}

/// The schema of a tool. Endpoints require `properties`, even if there are none.
pub(crate) fn schema(tool: &Tool) -> Value {
    let mut schema = tool.input_schema.clone();
    if let Value::Object(schema) = &mut schema {
        schema.entry("properties").or_insert_with(|| json!({}));
    }
    schema
}

/// The arguments of an earlier call. Endpoints reject invalid JSON, so it is replaced; the result of the call
/// explains the error.
pub(crate) fn sent_arguments(call: &ToolCall) -> &str {
    match serde_json::from_str::<Value>(&call.arguments) {
        Ok(Value::Object(_)) => &call.arguments,
        _ => "{}",
    }
}

fn as_sent(message: &Message, result_bytes: usize) -> Option<Value> {
    Some(match message {
        Message::System { text } => json!({ "role": "system", "content": text }),
        Message::User { text, images } if images.is_empty() => {
            json!({ "role": "user", "content": text })
        }
        Message::User { text, images } => {
            let mut parts = vec![json!({ "type": "text", "text": text })];
            let image = |url| json!({ "type": "image_url", "image_url": { "url": url } });
            parts.extend(images.iter().map(image));
            json!({ "role": "user", "content": parts })
        }
        Message::Assistant { text, calls, .. } if calls.is_empty() => {
            json!({ "role": "assistant", "content": text })
        }
        Message::Assistant { text, calls, .. } => {
            let call = |call: &ToolCall| {
                json!({ "id": call.id, "type": "function", "function": {
                    "name": call.name, "arguments": sent_arguments(call) } })
            };
            let content = if text.is_empty() { Value::Null } else { text.as_str().into() };
            let calls: Vec<Value> = calls.iter().map(call).collect();
            json!({ "role": "assistant", "content": content, "tool_calls": calls })
        }
        Message::Tool { call_id, result, .. } => {
            let content = result_text(result, result_bytes);
            json!({ "role": "tool", "tool_call_id": call_id, "content": content })
        }
        Message::Notice { .. } => return None,
    })
}

/// The parts in one event of the stream.
pub(crate) fn read(event: &Value) -> Vec<Delta> {
    let mut deltas = Vec::new();
    if let Some(error) = event.get("error").filter(|error| !error.is_null()) {
        let said = error["message"].as_str().or_else(|| error.as_str());
        return vec![Delta::Failed(said.unwrap_or("no message").to_owned())];
    }
    let choice = &event["choices"][0];
    for member in ["content", "refusal"] {
        if let Some(text) = choice["delta"][member].as_str().filter(|text| !text.is_empty()) {
            deltas.push(Delta::Text(text.to_owned()));
        }
    }
    let calls = choice["delta"]["tool_calls"].as_array();
    deltas.extend(calls.into_iter().flatten().map(|call| Delta::Call(call_part(call))));
    match choice["finish_reason"].as_str() {
        Some("length") => deltas.push(Delta::Ended("the model reached its token limit")),
        Some("content_filter") => {
            deltas.push(Delta::Ended("stopped by the endpoint's content filter"));
        }
        Some(_) => deltas.push(Delta::Finished),
        None => {}
    }
    let usage = &event["usage"];
    if let Some(input) = usage["prompt_tokens"].as_u64() {
        let output = usage["completion_tokens"].as_u64().unwrap_or_default();
        deltas.push(Delta::Usage { input, output });
    }
    deltas
}

fn call_part(call: &Value) -> CallPart {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let arguments = &call["function"]["arguments"];
    CallPart {
        index: call["index"].as_u64(),
        id: text(&call["id"]),
        name: text(&call["function"]["name"]),
        // Some endpoints send an object instead of JSON text.
        whole: arguments.is_object(),
        arguments: if arguments.is_object() { arguments.to_string() } else { text(arguments) },
    }
}
