//! The responses API: requests, and the events of a stream.

use serde_json::{Value, json};

use crate::chat::{schema, sent_arguments};
use crate::result_text::result_text;
use crate::tool::Tool;
use crate::transcript::{Message, ToolCall};
use crate::turn::{CallPart, Delta};

/// Each request contains the whole conversation, and the endpoint stores nothing.
pub(crate) fn request(
    model: &str,
    messages: &[Message],
    tools: &[Tool],
    result_bytes: usize,
) -> Value {
    let input: Vec<Value> =
        messages.iter().flat_map(|message| as_sent(message, result_bytes)).collect();
    let mut request = json!({ "model": model, "input": input, "stream": true, "store": false });
    if !tools.is_empty() {
        let tool = |tool: &Tool| {
            json!({ "type": "function", "name": tool.name, "description": tool.description,
                "parameters": schema(tool), "strict": false })
        };
        request["tools"] = tools.iter().map(tool).collect();
    }
    request
}

fn as_sent(message: &Message, result_bytes: usize) -> Vec<Value> {
    match message {
        Message::System { text } => vec![json!({ "role": "system", "content": text })],
        Message::User { text, images } => {
            let mut parts = vec![json!({ "type": "input_text", "text": text })];
            parts.extend(
                images.iter().map(|url| json!({ "type": "input_image", "image_url": url })),
            );
            vec![json!({ "role": "user", "content": parts })]
        }
        Message::Assistant { text, calls, .. } => {
            let said = (!text.is_empty()).then(|| json!({ "role": "assistant", "content": text }));
            let call = |call: &ToolCall| {
                json!({ "type": "function_call", "call_id": call.id, "name": call.name,
                    "arguments": sent_arguments(call) })
            };
            said.into_iter().chain(calls.iter().map(call)).collect()
        }
        Message::Tool { call_id, result, .. } => {
            let output = result_text(result, result_bytes);
            vec![json!({ "type": "function_call_output", "call_id": call_id, "output": output })]
        }
        Message::Notice { .. } => Vec::new(),
    }
}

/// The parts in one event of the stream.
pub(crate) fn read(event: &Value) -> Vec<Delta> {
    let response = &event["response"];
    match event["type"].as_str().unwrap_or_default() {
        "response.output_text.delta" | "response.refusal.delta" => {
            event["delta"].as_str().map(|text| Delta::Text(text.to_owned())).into_iter().collect()
        }
        "response.output_item.added" => call(event, false),
        "response.output_item.done" => call(event, true),
        "response.function_call_arguments.delta" => vec![Delta::Call(CallPart {
            index: event["output_index"].as_u64(),
            arguments: event["delta"].as_str().unwrap_or_default().to_owned(),
            ..CallPart::default()
        })],
        "response.completed" => usage(response).into_iter().chain([Delta::Finished]).collect(),
        "response.incomplete" => {
            let ended = match response["incomplete_details"]["reason"].as_str() {
                Some("content_filter") => "stopped by the endpoint's content filter",
                _ => "the model reached its token limit",
            };
            usage(response).into_iter().chain([Delta::Ended(ended)]).collect()
        }
        "response.failed" => vec![failed(&response["error"])],
        "error" if event["error"].is_object() => vec![failed(&event["error"])],
        "error" => vec![failed(event)],
        // Some compatible endpoints send bare errors.
        _ if event["error"].is_object() => vec![failed(&event["error"])],
        _ => Vec::new(),
    }
}

fn call(event: &Value, whole: bool) -> Vec<Delta> {
    let item = &event["item"];
    if item["type"] != "function_call" {
        return Vec::new();
    }
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    vec![Delta::Call(CallPart {
        index: event["output_index"].as_u64(),
        id: text(&item["call_id"]),
        name: text(&item["name"]),
        arguments: text(&item["arguments"]),
        whole,
    })]
}

fn usage(response: &Value) -> Option<Delta> {
    let input = response["usage"]["input_tokens"].as_u64()?;
    let output = response["usage"]["output_tokens"].as_u64().unwrap_or_default();
    Some(Delta::Usage { input, output })
}

fn failed(error: &Value) -> Delta {
    Delta::Failed(error["message"].as_str().unwrap_or("no message").to_owned())
}
