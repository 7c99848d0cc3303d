use std::path::PathBuf;

use serde_json::{Value, json};

use super::{Intent, Sample, draw, example, regex, text};

/// Schemas and the fewest samples each must yield; every sample must validate.
fn table() -> Vec<(&'static str, usize, Value)> {
    vec![
        ("true", 1, json!(true)),
        ("false", 0, json!(false)),
        ("empty", 1, json!({})),
        ("not a schema keyword in sight", 1, json!({"title": "Card", "x-note": 1})),
        (
            "closed and empty",
            1,
            json!({"type": "object", "properties": {}, "additionalProperties": false}),
        ),
        ("contradictory types", 0, json!({"allOf": [{"type": "string"}, {"type": "number"}]})),
        ("contradictory bounds", 0, json!({"type": "integer", "minimum": 3, "maximum": 2})),
        ("contradictory lengths", 0, json!({"type": "string", "minLength": 3, "maxLength": 2})),
        (
            "contradictory const",
            0,
            json!({"type": "object", "required": ["a"], "properties": {"a": {"const": 1, "type": "string"}}}),
        ),
        (
            "optional that cannot be",
            1,
            json!({"type": "object", "properties": {"a": false, "b": {"type": "null"}}}),
        ),
        (
            "scalars",
            5,
            json!({"type": "object", "required": ["title"], "properties": {
            "title": {"type": "string", "maxLength": 20}, "count": {"type": "integer", "minimum": 0},
            "ratio": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
            "price": {"type": "number", "multipleOf": 0.01, "minimum": 0.07}, "done": {"type": "boolean"}}}),
        ),
        (
            "multiples",
            3,
            json!({"type": "array", "minItems": 2, "items": {"type": "integer", "multipleOf": 2.5, "minimum": 1}}),
        ),
        (
            "formats",
            3,
            json!({"type": "object", "properties": {
            "a": {"type": "string", "format": "date"}, "b": {"type": "string", "format": "date-time"},
            "c": {"type": "string", "format": "time"}, "d": {"type": "string", "format": "email"},
            "e": {"type": "string", "format": "uri"}, "f": {"type": "string", "format": "uri-reference"},
            "g": {"type": "string", "format": "uuid"}, "h": {"type": "string", "format": "hostname"},
            "i": {"type": "string", "format": "ipv4"}, "j": {"type": "string", "format": "ipv6"},
            "k": {"type": "string", "format": "duration"}}}),
        ),
        (
            "patterns",
            4,
            json!({"type": "object", "required": ["code", "sku"], "properties": {
            "code": {"type": "string", "pattern": "^[A-Z]{3}$"},
            "sku": {"type": "string", "pattern": "^(ab|cd)-\\d{2,4}(?:x[^a-z]+)?$", "maxLength": 12},
            "ten": {"type": "string", "pattern": "^\\w+$", "minLength": 10, "maxLength": 10},
            "look": {"type": "string", "pattern": "^(?!no)."}}}),
        ),
        (
            "list of choices",
            4,
            json!({"type": "object", "required": ["tags"], "properties": {
            "tags": {"type": "array", "uniqueItems": true, "minItems": 2, "items": {"enum": ["a", "b", "c"]}},
            "rest": {"type": "array", "uniqueItems": true, "minItems": 3, "items": {"type": "string"}}}}),
        ),
        (
            "tuple",
            4,
            json!({"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}], "items": false}),
        ),
        (
            "huge maxItems",
            4,
            json!({"type": "array", "maxItems": 4_000_000_000_u64, "items": {"type": "array",
            "maxItems": 1e300, "items": {"type": "array", "items": {"type": "array", "items": {"type": "string"}}}}}),
        ),
        ("huge minItems", 0, json!({"type": "array", "minItems": 4_000_000_000_u64})),
        ("huge minLength", 0, json!({"type": "string", "minLength": 1e18})),
        (
            "recursive list",
            4,
            json!({"$ref": "#/$defs/node", "$defs": {"node": {"type": "object", "required": ["name"],
            "properties": {"name": {"type": "string"}, "children": {"type": "array", "items": {"$ref": "#/$defs/node"}}}}}}),
        ),
        (
            "recursive union",
            3,
            json!({"type": "object", "required": ["next"], "properties": {"value": {"type": "integer"},
            "next": {"oneOf": [{"$ref": "#"}, {"type": "null"}]}}}),
        ),
        (
            "recursive without end",
            0,
            json!({"type": "object", "required": ["next"], "properties": {"next": {"$ref": "#"}}}),
        ),
        (
            "wide recursion without end",
            0,
            json!({"$ref": "#/$defs/a", "$defs": {"a": {"type": "object", "required": ["l", "r"],
            "properties": {"l": {"anyOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/b"}]}, "r": {"$ref": "#/$defs/b"}}},
            "b": {"type": "object", "required": ["x"], "properties": {"x": {"anyOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/b"}]}}}}}),
        ),
        (
            "allOf",
            3,
            json!({"allOf": [{"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
            {"properties": {"a": {"minLength": 3}, "b": {"type": ["integer", "null"]}}, "required": ["b"]}]}),
        ),
        (
            "unions",
            4,
            json!({"type": "object", "required": ["x"], "properties": {"x": {"oneOf": [
            {"type": "string", "maxLength": 5}, {"type": "object", "required": ["k"], "properties": {"k": {"const": 1}}}, {"type": "null"}]},
            "y": {"anyOf": [false, {"type": "boolean"}]}}}),
        ),
        (
            "chain of conditions",
            4,
            json!({"type": "object", "required": ["kind"], "properties": {"kind": {"enum": ["a", "b"]}},
            "allOf": [{"if": {"properties": {"kind": {"const": "a"}}}, "then": {"required": ["x"], "properties": {"x": {"type": "integer"}}}},
                {"if": {"properties": {"kind": {"const": "b"}}}, "then": {"required": ["y"], "properties": {"y": {"type": "string"}}}}]}),
        ),
        (
            "dependent",
            2,
            json!({"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
            "dependentRequired": {"a": ["b"], "b": ["c"]}}),
        ),
        (
            "undeclared names",
            3,
            json!({"type": "object", "required": ["x-id", "other"], "patternProperties": {"^x-": {"type": "integer"}},
            "additionalProperties": {"type": "string"}}),
        ),
        (
            "map",
            4,
            json!({"type": "object", "additionalProperties": {"type": "number"}, "minProperties": 1, "maxProperties": 3}),
        ),
        (
            "repaired",
            3,
            json!({"type": "object", "required": ["a", "b"], "properties": {"a": {"type": "string"},
            "b": {"type": "string", "not": {"pattern": "[^a-zA-Z ]"}}}}),
        ),
        (
            "no type",
            3,
            json!({"properties": {"n": {"minimum": 3}, "s": {"minLength": 2}, "l": {"items": {}}, "any": {}}, "required": ["n", "s"]}),
        ),
        (
            "odd shapes",
            1,
            json!({"type": "object", "properties": 3, "required": "x", "anyOf": {}, "enum": null, "$ref": 1}),
        ),
    ]
}

fn drawn(schema: &Value, random: usize, seed: u64) -> Vec<Sample> {
    match jsonschema::options().should_validate_formats(true).build(schema) {
        Ok(validator) => draw(schema, random, seed, &|value| validator.is_valid(value)),
        // Not a schema at all: only that drawing survives it is of interest.
        Err(_) => draw(schema, random, seed, &|_| true),
    }
}

fn only(schema: &Value, intent: Intent) -> Value {
    let samples = draw(schema, 0, 1, &|_| true);
    samples
        .into_iter()
        .find(|sample| sample.intent == intent)
        .map_or(Value::Null, |sample| sample.data)
}

fn size(value: &Value) -> (usize, usize) {
    let inner: Vec<(usize, usize)> = match value {
        Value::Array(items) => items.iter().map(size).collect(),
        Value::Object(map) => map.values().map(size).collect(),
        _ => Vec::new(),
    };
    let nodes: usize = inner.iter().map(|(nodes, _)| nodes).sum();
    (nodes + 1, inner.iter().map(|(_, depth)| *depth).max().unwrap_or(0) + 1)
}

#[test]
fn every_sample_validates() {
    for (name, least, schema) in table() {
        let samples = drawn(&schema, 12, 7);
        assert!(samples.len() >= least, "{name}: {} samples: {samples:#?}", samples.len());
        if least == 0 {
            assert!(samples.is_empty(), "{name}: {samples:?}");
        }
        let Ok(validator) = jsonschema::options().should_validate_formats(true).build(&schema)
        else {
            continue;
        };
        for Sample { intent, data } in &samples {
            assert!(validator.is_valid(data), "{name}: {}: {data}", intent.name());
            let (nodes, depth) = size(data);
            assert!(nodes <= 20_000 && depth <= 16, "{name}: {nodes} nodes, {depth} deep");
        }
        let texts: std::collections::HashSet<String> =
            samples.iter().map(|sample| sample.data.to_string()).collect();
        assert_eq!(texts.len(), samples.len(), "{name}: duplicates");
    }
}

#[test]
fn equal_seeds_draw_equal_samples() {
    for (name, _, schema) in table() {
        assert_eq!(drawn(&schema, 3, 3), drawn(&schema, 3, 3), "{name}");
    }
    let schema = json!({"type": "array", "items": {"type": "integer"}});
    assert_ne!(drawn(&schema, 8, 3), drawn(&schema, 8, 4));
}

/// The drawer itself should hit the easy schemas, so that repairs stay the exception.
#[test]
fn most_draws_need_no_repair() {
    let hard = ["repaired", "patterns", "chain of conditions", "odd shapes"];
    for (name, least, schema) in table() {
        if least == 0 || hard.contains(&name) {
            continue;
        }
        let validator = jsonschema::validator_for(&schema).expect(name);
        for Sample { intent, data } in draw(&schema, 12, 7, &|_| true) {
            assert!(validator.is_valid(&data), "{name}: {}: {data}", intent.name());
        }
    }
}

fn card() -> Value {
    json!({"type": "object", "required": ["title"], "properties": {
        "title": {"type": "string", "minLength": 1},
        "note": {"type": ["string", "null"], "maxLength": 5_000},
        "level": {"type": "integer", "maximum": 9},
        "size": {"type": "number"},
        "owner": {"anyOf": [{"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}, {"type": "null"}]},
        "tags": {"type": "array", "items": {"type": "string", "maxLength": 4}},
        "rows": {"type": "array", "minItems": 1, "maxItems": 3, "items": {"type": "object", "properties": {"on": {"type": "boolean"}}}},
        "tone": {"enum": ["info", "warning", "error"]}}})
}

#[test]
fn intents_do_what_they_say() {
    let schema = card();
    assert_eq!(only(&schema, Intent::Minimal), json!({"title": "l"}));
    assert_eq!(
        only(&schema, Intent::Full),
        json!({"title": "Example title", "note": "Example note", "level": 9, "size": 42,
            "owner": {"name": "Example name"}, "tags": ["Exam", "Exam"], "rows": [{"on": true}, {"on": false}], "tone": "info"})
    );
    let nulls = only(&schema, Intent::Nulls);
    assert_eq!(
        (&nulls["note"], &nulls["owner"], &nulls["title"]),
        (&Value::Null, &Value::Null, &json!("Example title"))
    );
    assert!(nulls.get("note").is_some());
    let empty = only(&schema, Intent::Empty);
    assert_eq!(
        (&empty["tags"], &empty["rows"], &empty["note"]),
        (&json!([]), &json!([{"on": false}]), &json!(""))
    );
    let longest = only(&schema, Intent::Longest);
    let length = |value: &Value| value.as_str().map(|text| text.chars().count());
    let items = |value: &Value| value.as_array().map(Vec::len);
    assert_eq!((length(&longest["title"]), length(&longest["note"])), (Some(300), Some(2_000)));
    assert_eq!((items(&longest["tags"]), items(&longest["rows"])), (Some(12), Some(3)));
    assert_eq!(
        (&longest["level"], &longest["size"]),
        (&json!(9), &json!(1_000_000_000_000_000_u64))
    );
    assert_eq!(longest["tone"], "warning");
    let hostile = only(&schema, Intent::Hostile);
    for piece in text::HOSTILE {
        assert!(hostile["title"].as_str().is_some_and(|text| text.contains(piece)), "{piece:?}");
    }
    assert_eq!(length(&hostile["tags"][0]), Some(4));
    assert_eq!(hostile["tone"], "info");
}

#[test]
fn random_draws_cover_enums_and_branches() {
    let schema = json!({"type": "object", "required": ["tone", "x"], "properties": {
        "tone": {"enum": ["a", "b", "c", "d", "e"]},
        "x": {"oneOf": [{"type": "integer"}, {"type": "string"}, {"type": "null"}]}}});
    let samples = drawn(&schema, 5, 1);
    for tone in ["a", "b", "c", "d", "e"] {
        assert!(samples.iter().any(|sample| sample.data["tone"] == tone), "{tone}");
    }
    assert!(samples.iter().any(|sample| sample.data["x"].is_null()));
    assert!(samples.iter().any(|sample| sample.data["x"].is_string()));
}

#[test]
fn one_bad_field_does_not_spoil_the_rest() {
    let schema = json!({"type": "object", "required": ["a", "b"], "properties": {"a": {"type": "string"},
        "b": {"type": "string", "not": {"pattern": "[^a-zA-Z ]"}}}});
    let samples = drawn(&schema, 0, 1);
    let hostile = samples.iter().find(|sample| sample.intent == Intent::Hostile).expect("repaired");
    assert!(hostile.data["a"].as_str().is_some_and(|text| text.contains("</script>")));
    assert_eq!(hostile.data["b"], "Example b");
}

#[test]
fn examples_are_friendly() {
    let schema = json!({"type": "object", "properties": {
        "title": {"type": "string"}, "dueDate": {"type": "string"}, "email": {"type": "string", "format": "email"},
        "imageURL": {"type": "string"}, "threadId": {"type": "string"}, "count": {"type": "integer"},
        "city": {"type": "string", "default": "", "examples": ["Oslo"]}, "kind": {"const": "x"},
        "limit": {"type": "integer", "default": 7}, "wrong": {"type": "integer", "default": "seven"},
        "point": {"type": "object", "examples": [{"x": 1}]},
        "items": {"type": "array", "items": {"type": "object", "properties": {"label": {"type": "string"}}}}}});
    assert_eq!(
        example(&schema),
        json!({"title": "Example title", "dueDate": "2026-01-31", "email": "ada@example.com",
            "imageURL": "https://example.com/image-url.png", "threadId": "thread-1", "count": 42, "city": "Oslo", "kind": "x",
            "limit": 7, "wrong": 42, "point": {"x": 1}, "items": [{"label": "Example label"}, {"label": "Example label 2"}]})
    );
    assert_eq!(example(&json!(false)), Value::Null);
}

#[test]
fn patterns_are_written() {
    let cases = [
        ("^[A-Z]{3}$", 0, Some("AAA")),
        ("^(yes|no)$", 0, Some("yes")),
        ("^#[0-9a-f]{6}$", 0, Some("#000000")),
        ("^\\d{4}-\\d{2}$", 0, Some("0000-00")),
        ("a+b*c?", 2, Some("aaabbc")),
        ("^(?<year>\\w){2,3}$", 5, Some("aaa")),
        ("[^!-z]", 0, Some("{")),
        ("[\\]\\-.]x{", 0, Some("]x{")),
        ("\\u0041\\x42", 0, Some("AB")),
        ("(?=x)", 0, None),
        ("(a", 0, None),
        ("a)", 0, None),
        ("*a", 0, None),
        ("[z-a]", 0, None),
        ("\\1", 0, None),
        ("a{3,2}", 0, None),
        ("a{99999}", 0, None),
        ("(((){9999}){9999}){9999}", 0, Some("")),
    ];
    for (pattern, extra, text) in cases {
        assert_eq!(regex::generate(pattern, extra, &mut |_| 0).as_deref(), text, "{pattern}");
    }
    assert_eq!(regex::generate(&"(".repeat(900), 0, &mut |_| 0), None);
}

/// Found in the wild: a schema should give the checker something to work with.
#[test]
fn corpus_schemas_yield_samples() {
    let folder = std::env::var_os("WIDGETCAST_CORPUS").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/widgets"),
        PathBuf::from,
    );
    let Ok(entries) = std::fs::read_dir(&folder) else {
        eprintln!("skipped: no corpus at {}", folder.display());
        return;
    };
    for path in entries.flatten().map(|entry| entry.path()) {
        let text = std::fs::read_to_string(&path).expect("readable");
        let widget: Value = serde_json::from_str(&text).expect("JSON");
        let Some(schema) = widget.get("jsonSchema") else { continue };
        let closed = schema["additionalProperties"] == false
            && schema["properties"].as_object().is_some_and(|map| map.is_empty());
        // Only `{}` satisfies a closed object without properties.
        let least = if closed { 1 } else { 4 };
        let samples = drawn(schema, 6, 1);
        assert!(samples.len() >= least, "{}: {samples:?}", path.display());
    }
}
