//! Messages against the protocol's own JSON Schemas, which are read from `../shared/mcp-schema`.
//!
//! Every test that makes a request calls [`check_answer`], which checks nothing where the directory is
//! absent; [`the_protocol_schemas_are_checked`] is ignored there, so that the run says so.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{LazyLock, Mutex};

use jsonschema::Validator;
use needs_shared::needs_shared;
use serde_json::{Value, json};

const DIR: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/mcp-schema");

const VERSIONS: [&str; 3] = ["2025-06-18", "2025-11-25", "2026-07-28"];

/// The schemas by version; empty where the directory is absent.
static SCHEMAS: LazyLock<HashMap<&'static str, Value>> = LazyLock::new(|| {
    let read = |version| {
        let path = Path::new(DIR).join(format!("{version}.json"));
        let text = std::fs::read_to_string(&path).expect(version);
        (version, serde_json::from_str(&text).expect(version))
    };
    let present = Path::new(DIR).is_dir();
    VERSIONS.into_iter().filter(|_| present).map(read).collect()
});

static COMPILED: LazyLock<Mutex<HashMap<String, &'static Validator>>> =
    LazyLock::new(Mutex::default);

/// Panics if the value is not what the protocol calls by this name.
pub(crate) fn check(version: &str, name: &str, value: &Value) {
    assert!(VERSIONS.contains(&version), "no schema of {version} is known");
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
    // Older revisions have no schema next to the checkout; what is new since is additive.
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

#[needs_shared("mcp-schema")]
#[test]
fn the_protocol_schemas_are_checked() {
    for version in VERSIONS {
        let good = json!({ "content": [], "resultType": "complete" });
        check(version, "CallToolResult", &good);
        let bad = json!({ "content": "no list" });
        let failed = std::panic::catch_unwind(|| check(version, "CallToolResult", &bad));
        assert!(failed.is_err(), "{version}");
    }
}
