//! The fixtures shared with TypeScript, the bounds that are too large for a file, and properties.
//!
//! `WIDGETCAST_BLESS=1` rewrites the expected files.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use serde_json::{Value, json};

use super::collector::MAX_PARTS;
use super::{Message, Part, extract, payload, thread_items, tool_result_message};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/results")
}

/// The case directories, each of which must hold `input` and `expected.json` and nothing else.
fn cases(folder: &Path, input: &str) -> Vec<PathBuf> {
    let bless = std::env::var_os("WIDGETCAST_BLESS").is_some();
    let mut cases: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| !path.ends_with("threads") && !path.ends_with("README.md"))
        .collect();
    cases.sort();
    for case in &cases {
        let names: BTreeSet<String> = fs::read_dir(case)
            .unwrap_or_else(|e| panic!("{}: {e}", case.display()))
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        let mut wanted = BTreeSet::from([input.to_owned()]);
        if !bless || names.contains("expected.json") {
            wanted.insert("expected.json".into());
        }
        assert_eq!(names, wanted, "missing or orphaned files in {}", case.display());
    }
    cases
}

fn json_file(path: &Path) -> Value {
    let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Compares with the expected file as text, so that the order of members counts too.
fn compare(case: &Path, value: &Value) {
    let path = case.join("expected.json");
    let text = format!("{value:#}\n");
    if std::env::var_os("WIDGETCAST_BLESS").is_some() {
        fs::write(&path, &text).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap();
    assert!(text == expected, "{} differs; this is what came:\n{text}", path.display());
}

#[test]
fn results() {
    let cases = cases(&folder(), "result.json");
    assert!(cases.len() >= 30, "only {} cases", cases.len());
    for case in cases {
        let extraction = extract(&json_file(&case.join("result.json")));
        compare(&case, &serde_json::to_value(&extraction).unwrap());
    }
}

#[test]
fn threads() {
    let cases = cases(&folder().join("threads"), "thread.json");
    assert!(!cases.is_empty());
    for case in cases {
        let thread = json_file(&case.join("thread.json"));
        let messages: Vec<Message> = serde_json::from_value(thread["messages"].clone()).unwrap();
        assert_eq!(json!(messages), thread["messages"], "messages are written as they were read");
        let id = thread["thread_id"].as_str().unwrap();
        compare(&case, &thread_items(&messages, id).into());
    }
}

fn resource(uri: &str, mime: &str, text: &str) -> Value {
    json!({"type": "resource", "resource": {"uri": uri, "mimeType": mime, "text": text}})
}

fn messages(result: &Value) -> Vec<String> {
    extract(result).reasons.into_iter().map(|reason| reason.message).collect()
}

#[test]
fn size_bounds() {
    let large = "x".repeat(payload::BYTES + 1);
    let too_large = ["the payload is larger than 4 MiB"];
    let widget = format!(r#"{{"widget":{{"type":"Card","children":[]}},"copy_text":"{large}"}}"#);
    let item = resource("ui://widgets/a/1", "application/vnd.ui.widget+json", &widget);
    assert_eq!(messages(&json!([item])), too_large);
    assert_eq!(messages(&json!([{"type": "text", "text": large}])), too_large);
    assert_eq!(messages(&json!({"structuredContent": {"a": large}})), too_large);
    assert_eq!(messages(&json!({"structuredContent": {&large: 1}})), too_large);
    let many = json!({"_meta": {"slack": {"blocks": vec![Value::Null; payload::BYTES]}}});
    assert_eq!(messages(&many), too_large);
    let image =
        json!([{"type": "image", "mimeType": "image/png", "data": "A".repeat(large.len())}]);
    assert_eq!(messages(&image), too_large);
    let fits = &large[1..];
    assert!(messages(&json!([{"type": "text", "text": fits}])).is_empty());
}

#[test]
fn count_bounds() {
    let extraction = extract(&Value::Array(vec![Value::Null; 5000]));
    assert_eq!(extraction.reasons.len(), MAX_PARTS);

    // A good part at the very end is still the best one, and truncation is always reported.
    let link = json!({"type": "resource_link", "uri": "file:///a"});
    let mut items = vec![Value::Null; 500];
    items.extend(vec![link; 500]);
    let widget = r#"{"widget":{"type":"Card","children":[]}}"#;
    items.push(resource("ui://widgets/a/1", "application/vnd.ui.widget+json", widget));
    let extraction = extract(&Value::Array(items));
    assert!(matches!(extraction.parts[0], Part::ChatkitWidget { .. }));
    assert_eq!((extraction.parts.len(), extraction.reasons.len()), (MAX_PARTS, MAX_PARTS));
    assert!(extraction.reasons[MAX_PARTS - 1].message.contains("more than 100 parts"));
}

#[test]
fn a_stored_result_keeps_its_whole_content() {
    let content =
        json!([{"type": "image"}, {"type": "text", "text": "a"}, {"type": "text", "text": "b"}]);
    let whole = json!({"content": content});
    for result in [&content, &whole, &json!({"jsonrpc": "2.0", "id": 1, "result": whole})] {
        let message = tool_result_message("1", "tool", result, "2026-11-15T09:00:00Z");
        assert_eq!(message.content, "a");
        assert_eq!(message.metadata, json!({"name": "tool", "mcp_content": content}));
    }
    let message = tool_result_message("1", "tool", &Value::Null, "");
    assert_eq!(message.metadata, json!({"name": "tool", "mcp_content": []}));
}

/// Words that lead deep into the extractor, among any others.
fn word() -> impl Strategy<Value = String> {
    const WORDS: &[&str] = &[
        "",
        "type",
        "text",
        "resource",
        "resource_link",
        "image",
        "audio",
        "uri",
        "mimeType",
        "blob",
        "data",
        "content",
        "result",
        "error",
        "_meta",
        "structuredContent",
        "isError",
        "widget",
        "copy_text",
        "tree",
        "slack",
        "blocks",
        "entity",
        "ui",
        "resourceUri",
        "ui/resourceUri",
        "openai/outputTemplate",
        "widgetcast/view",
        "ui://widgets/a/1",
        "slack://blocks/a/1",
        "slack://work-objects/a/1",
        "file:///a",
        "application/vnd.ui.widget+json",
        "application/vnd.slack.blocks+json",
        "application/vnd.slack.work-object+json",
        "text/html;profile=mcp-app",
        "text/uri-list",
        "text/html+skybridge",
        "image/png",
        "eyJ3aWRnZXQiOnt9fQ",
        "Card",
        "children",
        r#"{"widget":{"type":"Card","children":[{"type":"Text"}]},"copy_text":1}"#,
        r#"{"blocks":[1]}"#,
        r#"{"entity":{}}"#,
    ];
    prop_oneof![9 => proptest::sample::select(WORDS).prop_map(str::to_owned), 1 => any::<String>()]
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        word().prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 60, 8, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..8).prop_map(Value::from),
            proptest::collection::vec((word(), inner), 0..8)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn holds(result: &Value) {
    let extraction = extract(result);
    assert!(extraction.parts.len() <= MAX_PARTS && extraction.reasons.len() <= MAX_PARTS);
    assert!(extraction.parts.is_sorted_by_key(Part::rank));
    serde_json::to_string(&extraction).unwrap();
    thread_items(&[tool_result_message("1", "tool", result, "")], "1");
}

fn fixture_files() -> Vec<String> {
    let cases = cases(&folder(), "result.json");
    cases.iter().map(|case| fs::read_to_string(case.join("result.json")).unwrap()).collect()
}

/// Overwrites, inserts or removes single bytes.
fn mutate(text: &str, changes: &[(usize, u8, u8)]) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for &(at, how, byte) in changes {
        let at = at % (bytes.len() + 1);
        match how % 3 {
            0 => bytes.insert(at, byte),
            _ if at == bytes.len() => {}
            1 => bytes[at] = byte,
            _ => drop(bytes.remove(at)),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Mutates every text of a value, payloads among them.
fn mutate_texts(value: &mut Value, changes: &[(usize, u8, u8)]) {
    match value {
        Value::String(text) if text.len() > 30 => *text = mutate(text, changes),
        Value::Array(items) => items.iter_mut().for_each(|item| mutate_texts(item, changes)),
        Value::Object(members) => members.values_mut().for_each(|v| mutate_texts(v, changes)),
        _ => {}
    }
}

fn changes() -> impl Strategy<Value = Vec<(usize, u8, u8)>> {
    let byte = prop_oneof![any::<u8>(), proptest::sample::select(&br#"{}[]",:\0e-=+/"#[..])];
    proptest::collection::vec((any::<usize>(), any::<u8>(), byte), 1..4)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_json_is_survived(result in any_json()) {
        holds(&result);
    }

    #[test]
    fn any_content_is_survived(items in proptest::collection::vec(any_json(), 0..4), meta in any_json()) {
        holds(&json!({"content": items, "_meta": meta}));
    }

    #[test]
    fn mutated_fixtures_are_survived(changes in changes(), first in 0usize..4) {
        for text in fixture_files().into_iter().skip(first).step_by(4) {
            if let Ok(result) = serde_json::from_str(&mutate(&text, &changes)) {
                holds(&result);
            }
            let mut result = serde_json::from_str(&text).unwrap();
            mutate_texts(&mut result, &changes);
            holds(&result);
        }
    }
}

#[test]
fn payloads_are_bounded_together() {
    let payload = format!(
        r#"{{"widget":{{"type":"Card","children":[]}},"copy_text":"{}"}}"#,
        "x".repeat(3 << 20)
    );
    let item = json!({"type": "resource", "resource": {"uri": "ui://widgets/a/1",
        "mimeType": "application/vnd.ui.widget+json", "text": payload}});
    let extraction = extract(&json!({"content": vec![item; 20]}));
    let widgets = extraction.parts.iter().filter(|part| matches!(part, Part::ChatkitWidget { .. }));
    assert_eq!(widgets.count(), 10, "32 MiB hold ten of 3 MiB");
    assert_eq!(extraction.reasons[0].message, "the payloads are too large together");
    assert_eq!(extraction.reasons[0].pointer, "/content/10/resource/text");
}

/// A default result has its widget in `_meta` alone; what is stored of it still shows the widget.
#[test]
fn a_stored_result_keeps_the_widget_of_its_meta() {
    let tree = json!({"type": "Card", "children": []});
    let content = json!([{"type": "text", "text": "Sunny"}]);
    for meta in [json!({"widgetcast/view": {"tree": tree}}), json!({"widget": tree})] {
        let result = json!({"content": content, "_meta": meta});
        let message = tool_result_message("7", "weather", &result, "2026-11-15T09:00:00Z");
        assert_eq!(message.content, "Sunny");
        let items = thread_items(std::slice::from_ref(&message), "t");
        assert_eq!(items[0]["widget"], tree, "{message:?}");
        // And nothing is there twice.
        let again = json!({"content": message.metadata["mcp_content"], "_meta": meta});
        let again = tool_result_message("7", "weather", &again, "");
        assert_eq!(again.metadata, message.metadata);
    }
}

#[test]
fn messages_are_read_as_databases_hold_them() {
    let payload = r#"{"widget":{"type":"Card","children":[]}}"#;
    let stored = json!([
        {"id": 41, "role": "user", "content": "Weather?", "created_at": 1_763_197_200},
        {"id": "42", "role": "tool", "content": null, "metadata": {"mcp_content": [
            {"type": "resource", "resource": {"uri": "ui://widgets/w/1",
                "mimeType": "application/vnd.ui.widget+json", "text": payload}}]}},
        {"id": "43", "role": "assistant", "content": null, "created_at": null},
    ]);
    let messages: Vec<Message> = serde_json::from_value(stored.clone()).unwrap();
    let items = thread_items(&messages, "t");
    assert_eq!(items.len(), 2, "{items:?}");
    assert_eq!(
        (&items[0]["id"], &items[0]["created_at"]),
        (&json!("41"), &json!("2025-11-15T09:00:00Z"))
    );
    assert_eq!(
        (&items[1]["type"], &items[1]["created_at"]),
        (&json!("widget"), &json!("1970-01-01T00:00:00Z"))
    );
    // The list itself is read, too.
    assert!(extract(&stored).widget().is_some());
}

#[test]
fn every_loss_has_a_reason() {
    for (lost, at) in [
        (json!({"foo": 1}), ""),
        (json!({"thread": {"id": 1}}), ""),
        (json!({"role": "tool_result", "content": "", "metadata": {}}), "/metadata"),
        (
            json!({"role": "tool_result", "content": "x", "metadata": "{\"mcp_content\":[]}"}),
            "/metadata",
        ),
    ] {
        let found = extract(&lost);
        assert_eq!(found.reasons.first().map(|reason| &*reason.pointer), Some(at), "{lost}");
    }
}
