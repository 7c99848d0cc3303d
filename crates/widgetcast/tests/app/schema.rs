//! The protocol's JSON Schemas, read where they lie beside the checkout.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{LazyLock, Mutex};

use jsonschema::Validator;
use serde_json::{Value, json};

const DIR: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/mcp-schema");

static SCHEMAS: LazyLock<HashMap<&'static str, Value>> = LazyLock::new(|| {
    let read = |version| {
        let text = std::fs::read_to_string(Path::new(DIR).join(format!("{version}.json"))).ok()?;
        Some((version, serde_json::from_str(&text).ok()?))
    };
    let found: HashMap<_, _> =
        ["2025-06-18", "2025-11-25", "2026-07-28"].into_iter().filter_map(read).collect();
    if found.is_empty() {
        eprintln!("NOTICE: {DIR} is absent; messages are not held against the protocol's schemas");
    }
    found
});

static COMPILED: LazyLock<Mutex<HashMap<String, &'static Validator>>> =
    LazyLock::new(Mutex::default);

/// Whether the schemas are there.
pub(crate) fn present() -> bool {
    !SCHEMAS.is_empty()
}

/// Panics if the value is not what the protocol calls by this name.
pub(crate) fn check(version: &str, name: &str, value: &Value) {
    let Some(root) = SCHEMAS.get(version) else { return };
    let mut compiled = COMPILED.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let validator = *compiled.entry(format!("{version} {name}")).or_insert_with(|| {
        let key = if root.get("$defs").is_some() { "$defs" } else { "definitions" };
        assert!(root[key].get(name).is_some(), "{version} has no {name}");
        let schema = json!({ "$ref": format!("#/{key}/{name}"), key: root[key] });
        Box::leak(Box::new(jsonschema::validator_for(&schema).expect("a schema")))
    });
    let faults: Vec<String> =
        validator.iter_errors(value).map(|e| format!("{}: {e}", e.instance_path())).collect();
    assert!(faults.is_empty(), "not a {name} of {version}: {faults:#?}\n{value:#}");
}

/// Checks the whole answer to a request: the envelope and the result.
pub(crate) fn check_answer(version: &str, method: &str, answer: &Value) {
    // Older revisions have no schema beside the checkout; what is new since is additive.
    let version = if version < "2025-06-18" { "2025-06-18" } else { version };
    if answer.get("error").is_some() {
        let name = if version < "2025-11-25" { "JSONRPCError" } else { "JSONRPCErrorResponse" };
        return check(version, name, answer);
    }
    let name = if version < "2025-11-25" { "JSONRPCResponse" } else { "JSONRPCResultResponse" };
    check(version, name, answer);
    let result = match method {
        "tools/list" => "ListToolsResult",
        "tools/call" => "CallToolResult",
        "resources/list" => "ListResourcesResult",
        "resources/templates/list" => "ListResourceTemplatesResult",
        "resources/read" => "ReadResourceResult",
        "prompts/list" => "ListPromptsResult",
        "prompts/get" => "GetPromptResult",
        "completion/complete" => "CompleteResult",
        "server/discover" => "DiscoverResult",
        "initialize" => "InitializeResult",
        _ => "Result",
    };
    check(version, result, &answer["result"]);
}

#[test]
fn the_check_can_fail() {
    if present() {
        let bad = json!({ "content": "no list" });
        let failed = std::panic::catch_unwind(|| check("2026-07-28", "CallToolResult", &bad));
        assert!(failed.is_err());
    }
}
