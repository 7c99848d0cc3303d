//! The golden transcript of the protocol's own server, and its schemas, both next to the checkout.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use needs_shared::needs_shared;
use serde_json::{Value, json};
use widgetcast_chatkit::protocol::{Event, Request, Thread};

use crate::golden::Golden;
use crate::stage::{Reply, Stage};

fn shared(name: &str) -> Value {
    let path: PathBuf =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/chatkit").join(name);
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

pub(crate) fn schema(name: &str) -> jsonschema::Validator {
    jsonschema::validator_for(&shared(name)).unwrap()
}

/// Reads what was recorded: events, or one document.
fn recorded(entry: &Value) -> Vec<Value> {
    let body = entry["body"].as_str().unwrap();
    match entry["content_type"].as_str().unwrap() {
        "text/event-stream" => {
            let frames = body.split("\n\n").filter(|frame| !frame.is_empty());
            frames.map(|frame| serde_json::from_str(&frame["data: ".len()..]).unwrap()).collect()
        }
        "application/json" => vec![serde_json::from_str(body).unwrap()],
        _ => Vec::new(),
    }
}

/// Learns which of our ids stands for which recorded one, and puts the recorded ones and times into ours.
fn rename(ours: &mut Value, recorded: &Value, ids: &mut HashMap<String, String>) {
    match (ours, recorded) {
        (Value::Object(ours), Value::Object(recorded)) => {
            for (name, value) in ours.iter_mut() {
                let other = recorded.get(name).unwrap_or(&Value::Null);
                match (name.as_str(), value.as_str(), other.as_str()) {
                    ("created_at", Some(_), Some(time)) => *value = time.into(),
                    ("id" | "thread_id" | "item_id" | "after", Some(id), Some(known)) => {
                        let known = ids.entry(id.to_owned()).or_insert_with(|| known.to_owned());
                        *value = known.as_str().into();
                    }
                    _ => rename(value, other, ids),
                }
            }
        }
        (Value::Array(ours), Value::Array(recorded)) => {
            for (ours, recorded) in ours.iter_mut().zip(recorded) {
                rename(ours, recorded, ids);
            }
        }
        _ => {}
    }
}

/// A request with our ids in place of the recorded ones.
fn ours(request: &Value, ids: &HashMap<String, String>) -> Value {
    let mut text = request.to_string();
    for (ours, recorded) in ids {
        text = text.replace(&json!(recorded).to_string(), &json!(ours).to_string());
    }
    serde_json::from_str(&text).unwrap()
}

#[needs_shared("chatkit")]
#[tokio::test]
async fn the_golden_transcript_replays() {
    let (stage, mut ids) = (Stage::new(Golden).await, HashMap::new());
    let user = stage.user().await;
    let events = schema("ThreadStreamEvent.schema.json");
    for entry in shared("transcript.json").as_array().unwrap() {
        let name = entry["name"].as_str().unwrap();
        let reply: Reply = user.post(&ours(&entry["request"], &ids)).await;
        match entry["content_type"].as_str().unwrap() {
            "exception" => {
                let status = if name == "bad request" { 400 } else { 404 };
                assert_eq!(reply.status, status, "{name}");
                continue;
            }
            mime => assert_eq!(reply.headers["content-type"], mime, "{name}"),
        }
        let wanted = recorded(entry);
        let mut got = match entry["content_type"] == "text/event-stream" {
            true => reply.events(),
            false => vec![reply.json()],
        };
        if entry["content_type"] == "text/event-stream" {
            for event in &got {
                assert!(events.is_valid(event), "{name}: {event}");
            }
        }
        for (got, wanted) in got.iter_mut().zip(&wanted) {
            rename(got, wanted, &mut ids);
        }
        assert_eq!(got, wanted, "{name}");
    }
    assert!(ids.len() > 8, "{ids:?}");
}

/// Null members are left out by us and by the other server alike; what we add by default is not there.
#[needs_shared("chatkit")]
#[test]
fn every_example_of_the_transcript_is_read_and_written() {
    let requests = schema("ChatKitReq.schema.json");
    let mut count = 0;
    for entry in shared("transcript.json").as_array().unwrap() {
        let request = &entry["request"];
        if entry["name"] != "bad request" {
            let read: Request = serde_json::from_value(request.clone()).unwrap();
            let written = json!(read);
            assert!(requests.is_valid(&written), "{written}");
            assert_eq!(serde_json::from_value::<Request>(written).unwrap(), read);
        }
        for value in recorded(entry) {
            count += 1;
            if value.get("type").is_some() {
                let read: Event = serde_json::from_value(value.clone()).unwrap();
                assert_eq!(json!(read), value);
            } else if value.get("items").is_some() {
                let read: Thread = serde_json::from_value(value.clone()).unwrap();
                assert_eq!(json!(read), value);
            }
        }
    }
    assert!(count > 30, "{count}");
}

/// What the transcript has no example of.
#[needs_shared("chatkit")]
#[test]
fn every_kind_of_event_and_item_is_valid() {
    let events = schema("ThreadStreamEvent.schema.json");
    let items = schema("ThreadItem.schema.json");
    let item = |kind: Value| {
        let mut item = json!({ "id": "i", "thread_id": "t", "created_at": "2026-11-14T12:00:00Z" });
        item.as_object_mut().unwrap().extend(kind.as_object().unwrap().clone());
        item
    };
    let descriptor =
        json!({ "url": "http://localhost/chatkit/attachments/a", "method": "PUT", "headers": {} });
    let kinds = [
        json!({ "type": "user_message", "content": [
                { "type": "input_tag", "id": "1", "text": "Ada", "data": {}, "interactive": false },
            ], "attachments": [
                { "type": "image", "id": "a", "name": "n", "mime_type": "image/png",
                  "preview_url": "http://localhost/chatkit/attachments/a", "upload_descriptor": descriptor },
                { "type": "file", "id": "b", "name": "n", "mime_type": "text/plain", "thread_id": "t" },
            ], "quoted_text": "q", "inference_options": { "tool_choice": { "id": "x" }, "model": "m" } }),
        json!({ "type": "client_tool_call", "status": "completed", "call_id": "c", "name": "n",
            "arguments": { "a": 1 }, "output": [1] }),
        json!({ "type": "generated_image", "image": { "id": "i", "url": "u" } }),
        json!({ "type": "structured_input", "status": "answered", "inputs": [
            { "type": "freeform", "id": "a", "question": "?", "description": "d",
              "answer": { "values": ["x"], "skipped": false } },
            { "type": "multiple_choice", "id": "b", "question": "?", "options": [{ "value": "v" }],
              "multiple": true },
        ] }),
        json!({ "type": "workflow", "workflow": { "type": "reasoning", "expanded": true,
            "summary": { "duration": 3 }, "tasks": [
                { "type": "thought", "content": "c", "status_indicator": "complete" },
            ] } }),
        json!({ "type": "task", "task": { "type": "custom", "title": "t", "status_indicator": "loading" } }),
        json!({ "type": "hidden_context_item", "content": { "a": 1 } }),
        json!({ "type": "sdk_hidden_context", "content": "c" }),
        json!({ "type": "end_of_turn" }),
    ];
    for kind in kinds {
        let value = item(kind);
        let read: widgetcast_chatkit::protocol::Item =
            serde_json::from_value(value.clone()).unwrap();
        assert_eq!(json!(read), value);
        assert!(items.is_valid(&value), "{value}");
    }
    let source =
        json!({ "type": "annotation", "source": { "type": "url", "title": "t", "url": "u" } });
    let updates = [
        json!({ "type": "assistant_message.content_part.annotation_added", "content_index": 0,
            "annotation_index": 0, "annotation": source }),
        json!({ "type": "widget.component.updated", "component_id": "c",
            "component": { "type": "Text", "value": "v" } }),
        json!({ "type": "workflow.task.added", "task_index": 0, "task": { "type": "image" } }),
        json!({ "type": "workflow.task.updated", "task_index": 0, "task": { "type": "image" } }),
        json!({ "type": "generated_image.updated", "image": { "id": "i", "url": "u" }, "progress": 0.5 }),
    ];
    let mut all: Vec<Value> = updates
        .into_iter()
        .map(|update| json!({ "type": "thread.item.updated", "item_id": "i", "update": update }))
        .collect();
    all.extend([
        json!({ "type": "thread.item.removed", "item_id": "i" }),
        json!({ "type": "error", "code": "stream.error", "allow_retry": false }),
        json!({ "type": "notice", "level": "danger", "message": "m", "title": "t" }),
    ]);
    for value in all {
        let read: Event = serde_json::from_value(value.clone()).unwrap();
        assert_eq!(json!(read), value);
        assert!(events.is_valid(&value), "{value}");
    }
}
