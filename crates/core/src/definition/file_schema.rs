//! The JSON Schema of `.widget` files, for completion in editors.

use serde_json::{Value, json};
use widgetcast_engine::outline::ReadAs;
use widgetcast_engine::tree::placeholder_tree_schema;

/// The JSON Schema (2020-12) of `.widget` files, in JSON or YAML. It covers the tree under `widget`; a
/// `template` is text, which only the checker can validate.
pub fn file_schema() -> Value {
    let (mut definitions, tree) = placeholder_tree_schema();
    definitions.insert("json-schema".into(), schema_of_schemas());
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A .widget file",
        "description": "One widget: data in, a tree of components out.",
        "type": "object",
        "properties": {
            "version": {
                "description": "The version of the format: \"1.0\".",
                "anyOf": [
                    { "type": "string", "pattern": "^1(\\.[0-9]+)*$" },
                    { "type": "number", "minimum": 1, "exclusiveMaximum": 2 },
                ],
            },
            "name": {
                "description": "Display name; the tool name is derived from it unless `tool` is set.",
                "type": "string", "minLength": 1, "maxLength": 128,
            },
            "tool": {
                "description": "The tool's name, such as `flight_tracker`.",
                "type": ["string", "null"], "pattern": "^[a-z0-9_]+$", "maxLength": 128,
            },
            "visibility": {
                "description": "Who sees the tool: `app` hides it from models, `model` from views.",
                "enum": ["both", "model", "app", null],
            },
            "hints": {
                "description": "Behaviour hints for tools that do more than show data: a widget is read_only \
                                and idempotent unless you set otherwise.",
                "type": ["object", "null"],
                "properties": {
                    "read_only": { "type": "boolean" }, "destructive": { "type": "boolean" },
                    "idempotent": { "type": "boolean" }, "open_world": { "type": "boolean" },
                },
                "additionalProperties": false,
            },

            "description": {
                "description": "Tells the model what the widget shows and when to use it.",
                "type": ["string", "null"], "maxLength": 10_000,
            },
            "jsonSchema": {
                "description": "JSON Schema of the widget's data: the input of the tool. Invalid data is \
                                rejected with a message that names what to change.",
                "anyOf": [{ "$ref": "#/$defs/json-schema" }, { "type": "null" }],
            },
            "template": {
                "description": "The tree as JSON with Jinja in it; print values with `| tojson`.",
                "type": "string",
            },
            "widget": {
                "description": "YAML only: the tree itself instead of a template, with {{ name }} in strings \
                                and {{ name | json }} for whole values.",
                "oneOf": tree["oneOf"],
            },
            "copy_text": {
                "description": "Jinja template of the text version, for hosts without widgets and for the \
                                clipboard. By default generated from the tree.",
                "type": ["string", "null"],
            },
            "sample": {
                "description": "Sample data for `render`, `check` and the gallery.",
                "type": ["object", "null"],
            },
            "outputJsonPreview": {
                "description": "The tree rendered from the sample, as stored by ChatKit Studio.",
                "type": ["object", "null"],
            },
            "encodedWidget": {
                "description": "ChatKit Studio's own source.",
                "type": ["string", "null"],
            },
            "outline": {
                "description": "The role of components, by `id`, in hosts that do not render the tree \
                                (Slack, Teams, terminals, e-mail, plain text).",
                "type": ["object", "null"],
                "additionalProperties": { "enum": ReadAs::ALL.map(|(name, _)| name) },
            },
            "accept": {
                "description": "Losses in other hosts that you accept: `slack-blocks`, or `slack-blocks \
                                /children/0` for one place.",
                "type": "array", "items": { "type": "string" },
            },
        },
        "required": ["version", "name"],
        "anyOf": [{ "required": ["template"] }, { "required": ["widget"] }],
        "additionalProperties": false,
        "$defs": definitions,
    })
}

/// Common keywords, with their meaning. Included here, so that editors need no network; others are allowed.
fn schema_of_schemas() -> Value {
    let schema = json!({ "$ref": "#/$defs/json-schema" });
    let schemas = json!({ "type": "array", "items": schema });
    let named = json!({ "type": "object", "additionalProperties": schema });
    let count = |words: &str| json!({ "type": "integer", "minimum": 0, "description": words });
    let types = json!(["string", "number", "integer", "boolean", "object", "array", "null"]);
    json!({
        "type": ["object", "boolean"],
        "properties": {
            "type": {
                "description": "Type of the value.",
                "anyOf": [{ "enum": types }, { "type": "array", "items": { "enum": types } }],
            },
            "title": { "type": "string" },
            "description": { "type": "string", "description": "What it means, for the model that fills it in." },
            "properties": { "description": "The properties of an object.", "allOf": [named] },
            "required": {
                "description": "Required properties.",
                "type": "array", "items": { "type": "string" },
            },
            "additionalProperties": {
                "description": "`false` rejects properties that are not listed.", "allOf": [schema],
            },
            "items": { "description": "Schema of each item of a list.", "allOf": [schema] },
            "prefixItems": schemas,
            "minItems": count("Minimum number of items."),
            "maxItems": count("Maximum number of items."),
            "uniqueItems": { "type": "boolean" },
            "minLength": count("Minimum number of characters."),
            "maxLength": count("Maximum number of characters."),
            "pattern": { "type": "string", "description": "Regular expression that the string must match." },
            "format": { "type": "string", "description": "Such as date, date-time, email or uri." },
            "minimum": { "type": "number" },
            "maximum": { "type": "number" },
            "exclusiveMinimum": { "type": "number" },
            "exclusiveMaximum": { "type": "number" },
            "multipleOf": { "type": "number", "exclusiveMinimum": 0 },
            "enum": { "type": "array", "description": "Allowed values." },
            "const": {},
            "default": {},
            "examples": { "type": "array" },
            "anyOf": schemas,
            "oneOf": schemas,
            "allOf": schemas,
            "not": schema,
            "$defs": named,
            "$ref": { "type": "string" },
        },
    })
}
