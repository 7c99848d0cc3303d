use needs_shared::needs_shared;
use serde_json::{Value, json};

use super::generator::{Generator, Sample};
use super::{Intent, arguments, draw, example, regex, text};

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

/// The generator itself should hit the easy schemas, so that repairs stay the exception.
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
fn arguments_leave_filters_out() {
    let schema = json!({"type": "object", "required": ["city"], "properties": {
        "city": {"type": "string"}, "status": {"type": "string"}, "limit": {"type": "integer", "default": 7},
        "owner": {"type": ["string", "null"], "examples": ["Ada"]}}});
    assert_eq!(arguments(&schema), json!({"city": "Example city", "limit": 7, "owner": "Ada"}));
    assert_eq!(arguments(&json!({"properties": {"query": {"type": "string"}}})), json!({}));
}

/// Which type is drawn for a schema that names none, and which of several is drawn first.
#[test]
fn types_are_guessed_from_keywords() {
    for (keyword, value, drawn) in [
        ("properties", json!({}), json!({})),
        ("required", json!([]), json!({})),
        ("additionalProperties", json!(false), json!({})),
        ("minProperties", json!(0), json!({})),
        ("items", json!({"const": 1}), json!([1, 1])),
        ("prefixItems", json!([{"const": 1}]), json!([1])),
        ("minItems", json!(1), json!(["Example x", "Example x 2"])),
        ("maxItems", json!(1), json!(["Example x"])),
        ("uniqueItems", json!(true), json!(["Example x", "Example x 2"])),
        ("minLength", json!(1), json!("Example x")),
        ("maxLength", json!(99), json!("Example x")),
        ("pattern", json!("^a$"), json!("a")),
        ("format", json!("date"), json!("2026-01-31")),
        ("minimum", json!(1), json!(42)),
        ("maximum", json!(99), json!(42)),
        ("exclusiveMinimum", json!(1), json!(42)),
        ("exclusiveMaximum", json!(99), json!(42)),
        ("multipleOf", json!(2), json!(42)),
        ("title", json!("none of them"), json!("Example x")),
    ] {
        let schema = json!({"properties": {"x": {keyword: value}}});
        assert_eq!(example(&schema), json!({"x": drawn}), "{keyword}");
    }
    // A tool's arguments are an object, whatever else is unknown.
    assert_eq!(example(&json!({"title": "A"})), json!({}));
    for (types, drawn) in [
        (json!(["null", "string"]), json!("Example x")),
        (json!(["string", "integer"]), json!("Example x")),
        (json!(["integer", "string"]), json!(42)),
        (json!(["null"]), json!(null)),
        (json!(["boolean", "null"]), json!(true)),
    ] {
        let schema = json!({"properties": {"x": {"type": types}}});
        assert_eq!(example(&schema), json!({"x": drawn}), "{types}");
    }
}

/// An example takes precedence over a default, and both only if they are valid and not empty.
#[test]
fn values_of_the_author_come_first() {
    for (rule, drawn) in [
        (json!({"type": "string", "default": "d", "examples": ["e", "f"]}), json!("e")),
        (json!({"type": "string", "default": "d", "examples": []}), json!("d")),
        (json!({"type": "string", "default": ""}), json!("Example x")),
        (json!({"type": "number", "default": 0}), json!(0)),
        (json!({"type": "boolean", "default": false}), json!(false)),
        (json!({"type": ["string", "null"], "default": null}), json!("Example x")),
        (json!({"type": "array", "items": {"const": 1}, "default": []}), json!([1, 1])),
        (json!({"type": "array", "items": {"const": 1}, "default": [1]}), json!([1])),
        (json!({"type": "object", "default": {}}), json!({})),
        (json!({"type": "object", "default": {"a": 1}}), json!({"a": 1})),
        (json!({"type": "string", "examples": [1, "e"]}), json!("e")),
    ] {
        let schema = json!({"properties": {"x": rule}});
        assert_eq!(example(&schema), json!({"x": drawn}), "{rule}");
    }
    // The checker's inputs take no whole objects, which may lack fields, and no flags.
    let schema = json!({"type": "object", "properties": {
        "flag": {"type": "boolean", "default": false}, "word": {"type": "string", "default": "w"},
        "point": {"type": "object", "properties": {"x": {"const": 1}}, "default": {"y": 2}}}});
    assert_eq!(only(&schema, Intent::Full), json!({"flag": true, "word": "w", "point": {"x": 1}}));
    assert_eq!(only(&schema, Intent::Empty)["word"], "");
}

#[test]
fn texts_suit_the_name_of_their_property() {
    for (name, first, second) in [
        ("cover", "https://example.com/cover.png", "https://example.com/cover-2.png"),
        ("home_url", "https://example.com/home-url", "https://example.com/home-url-2"),
        ("email", "ada@example.com", "ada2@example.com"),
        ("due-date", "2026-01-31", "2026-02-02"),
        ("startTime", "09:30", "09:31"),
        ("color", "#3366cc", "#3366cc"),
        ("colour", "#3366cc", "#3366cc"),
        ("phone", "+1 555 0100", "+1 555 0101"),
        ("currency", "EUR", "EUR"),
        ("orderId", "order-1", "order-2"),
        ("apiKey", "api-1", "api-2"),
        ("title", "Example title", "Example title 2"),
        ("", "Example text", "Example text 2"),
    ] {
        assert_eq!((&*text::friendly(name, 0), &*text::friendly(name, 1)), (first, second));
    }
    for (format, plain) in [
        ("date", "2026-01-31"),
        ("date-time", "2026-01-31T09:30:00Z"),
        ("time", "09:30:00Z"),
        ("email", "ada@example.com"),
        ("idn-email", "ada@example.com"),
        ("uri", "https://example.com/page"),
        ("iri", "https://example.com/page"),
        ("uri-reference", "/page"),
        ("iri-reference", "/page"),
        ("uuid", "00000001-0000-4000-8000-000000000000"),
        ("hostname", "example.com"),
        ("idn-hostname", "example.com"),
        ("ipv4", "192.0.2.1"),
        ("ipv6", "2001:db8::1"),
        ("duration", "PT1M"),
    ] {
        assert_eq!(text::formatted(format, Intent::Full, 0).as_deref(), Some(plain), "{format}");
    }
    assert_eq!(text::formatted("regex", Intent::Full, 0), None);
}

#[test]
fn numbers_keep_to_their_bounds() {
    let number = |rule: &Value, intent| {
        let mut rule = rule.clone();
        rule["type"] = rule.get("type").cloned().unwrap_or(json!("number"));
        Generator::new(&rule, 1).sample(intent, 0).map(|sample| sample.data)
    };
    for (rule, least, usual, most) in [
        (json!({}), json!(0), json!(42), json!(1_000_000_000_000_000_u64)),
        (json!({"minimum": 3, "maximum": 5}), json!(3), json!(4), json!(5)),
        (json!({"exclusiveMinimum": 3, "exclusiveMaximum": 9}), json!(3.5), json!(6), json!(8.5)),
        (
            json!({"exclusiveMinimum": 0, "exclusiveMaximum": 1}),
            json!(0.25),
            json!(0.5),
            json!(0.75),
        ),
        (json!({"maximum": -5}), json!(-5), json!(-5), json!(-5)),
        (
            json!({"type": "integer", "exclusiveMinimum": 3, "exclusiveMaximum": 6}),
            json!(4),
            json!(5),
            json!(5),
        ),
        (json!({"type": "integer", "minimum": 1.5, "maximum": 4.5}), json!(2), json!(3), json!(4)),
        (
            json!({"multipleOf": 0.01, "minimum": 0.07, "maximum": 0.08}),
            json!(0.07),
            json!(0.08),
            json!(0.08),
        ),
        (
            json!({"type": "integer", "multipleOf": 5, "minimum": 1, "maximum": 12}),
            json!(5),
            json!(5),
            json!(10),
        ),
    ] {
        let drawn =
            [Intent::Minimal, Intent::Full, Intent::Longest].map(|intent| number(&rule, intent));
        assert_eq!(drawn, [least, usual, most].map(Some), "{rule}");
    }
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
#[needs_shared("corpus")]
#[test]
fn corpus_schemas_yield_samples() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/corpus/widgets");
    let entries = std::fs::read_dir(folder).expect("readable");
    for path in entries.map(|entry| entry.expect("readable").path()) {
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
