//! The JSON Schema of `.widget` files, from which editors complete fields, components and props.

use serde_json::{Value, json};
use widgetcast_engine::outline::ReadAs;
use widgetcast_engine::tree::placeholder_tree_schema;

/// A JSON Schema (2020-12) of a `.widget` file, as JSON or YAML. The tree under `widget` comes from the
/// component table; a `template` is a text, which only the checker can judge.
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
                "description": "What people read; without `tool`, the tool's name is made from it.",
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
                "description": "What a call does, where it is more than drawing data: a widget is \
                                read_only and idempotent unless you say otherwise.",
                "type": ["object", "null"],
                "properties": {
                    "read_only": { "type": "boolean" }, "destructive": { "type": "boolean" },
                    "idempotent": { "type": "boolean" }, "open_world": { "type": "boolean" },
                },
                "additionalProperties": false,
            },

            "description": {
                "description": "Tells a language model when to use the tool that shows this widget.",
                "type": ["string", "null"], "maxLength": 10_000,
            },
            "jsonSchema": {
                "description": "What the widget needs: the input of the tool. Data that does not fit \
                                is refused with what to change.",
                "anyOf": [{ "$ref": "#/$defs/json-schema" }, { "type": "null" }],
            },
            "template": {
                "description": "The tree as JSON with Jinja in it; print values with `| tojson`.",
                "type": "string",
            },
            "widget": {
                "description": "YAML only: the tree itself instead of a template, with {{ name }} in \
                                texts and {{ name | json }} for whole values.",
                "oneOf": tree["oneOf"],
            },
            "copy_text": {
                "description": "The widget as text, a Jinja template: for hosts without widgets, and \
                                for the clipboard. Without it, the text is taken from the tree.",
                "type": ["string", "null"],
            },
            "sample": {
                "description": "Data that `render`, `check` and the gallery use when none is given.",
                "type": ["object", "null"],
            },
            "outputJsonPreview": {
                "description": "The tree that the sample gives, as ChatKit Studio keeps it.",
                "type": ["object", "null"],
            },
            "encodedWidget": {
                "description": "ChatKit Studio's own source.",
                "type": ["string", "null"],
            },
            "outline": {
                "description": "How components read in hosts that draw no tree (Slack, Teams, \
                                terminals, e-mail, plain text), by their `id`.",
                "type": ["object", "null"],
                "additionalProperties": { "enum": ReadAs::ALL.map(|(name, _)| name) },
            },
            "accept": {
                "description": "What other hosts lose and you accept: `slack-blocks`, or \
                                `slack-blocks /children/0` for one place.",
                "type": "array", "items": { "type": "string" },
            },
        },
        "required": ["version", "name"],
        "anyOf": [{ "required": ["template"] }, { "required": ["widget"] }],
        "additionalProperties": false,
        "$defs": definitions,
    })
}

/// The keywords that authors use, with their meaning. Written here, so that editors need no network;
/// others are allowed.
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
                "description": "What kind of value.",
                "anyOf": [{ "enum": types }, { "type": "array", "items": { "enum": types } }],
            },
            "title": { "type": "string" },
            "description": { "type": "string", "description": "What it means, for the model that fills it in." },
            "properties": { "description": "The members of an object.", "allOf": [named] },
            "required": {
                "description": "The members that must be there.",
                "type": "array", "items": { "type": "string" },
            },
            "additionalProperties": {
                "description": "`false` refuses members that are not listed.", "allOf": [schema],
            },
            "items": { "description": "What each item of a list is.", "allOf": [schema] },
            "prefixItems": schemas,
            "minItems": count("The least number of items."),
            "maxItems": count("The greatest number of items."),
            "uniqueItems": { "type": "boolean" },
            "minLength": count("The least number of characters."),
            "maxLength": count("The greatest number of characters."),
            "pattern": { "type": "string", "description": "A regular expression that the text matches." },
            "format": { "type": "string", "description": "Such as date, date-time, email or uri." },
            "minimum": { "type": "number" },
            "maximum": { "type": "number" },
            "exclusiveMinimum": { "type": "number" },
            "exclusiveMaximum": { "type": "number" },
            "multipleOf": { "type": "number", "exclusiveMinimum": 0 },
            "enum": { "type": "array", "description": "The only values that are allowed." },
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
