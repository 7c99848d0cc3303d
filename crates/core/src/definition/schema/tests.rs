//! Every message a violation can have, one case for each schema keyword.

use std::cell::Cell;

use serde_json::{Value, json};
use widgetcast_engine::budget::Budget;
use widgetcast_engine::limits::Limits;

use super::cost::{MAX_COST, cost};
use super::{Schema, has_hard_pattern};

/// The violations of a value under a schema, both wrapped in an object: pointer, message, masked.
fn violations(rule: &Value, value: &Value) -> Vec<(String, String, String)> {
    in_draft(&json!({"type": "object", "properties": {"x": rule}}), &json!({"x": value}))
}

fn in_draft(schema: &Value, data: &Value) -> Vec<(String, String, String)> {
    let schema = Schema::compile(schema).expect("a schema");
    let violations = schema.validate(data).expect_err("a violation");
    let list = violations.list().iter().cloned();
    list.map(|found| (found.pointer, found.message, found.masked)).collect()
}

#[test]
fn each_keyword_has_its_message() {
    let nested: Value = json!({"type": "object", "required": ["a"]});
    let cases = [
        (json!({"type": "null"}), json!(1), "must be null", ", not 1"),
        (json!({"type": "boolean"}), json!("yes"), "must be true or false", ", not \"yes\""),
        (json!({"type": "integer"}), json!(1.5), "must be an integer", ", not 1.5"),
        (json!({"type": "number"}), json!(true), "must be a number", ", not true"),
        (json!({"type": "string"}), json!(null), "must be a string", ", not null"),
        (json!({"type": "array"}), json!({"a": 1}), "must be a list", ", not an object"),
        (
            json!({"type": "object"}),
            json!([1, 2]),
            "must be an object",
            ", not a list with 2 items",
        ),
        (json!({"type": ["string", "null"]}), json!(7), "must be null or a string", ", not 7"),
        (json!({"enum": ["a", 1]}), json!("b"), "must be one of \"a\", 1", ", not \"b\""),
        (json!({"const": {"a": 1}}), json!(2), "must be {\"a\":1}", ", not 2"),
        (json!({"minimum": 3}), json!(2), "must be at least 3", ", not 2"),
        (json!({"maximum": 3}), json!(4), "must be at most 3", ", not 4"),
        (json!({"exclusiveMinimum": 3}), json!(3), "must be more than 3", ", not 3"),
        (json!({"exclusiveMaximum": 3}), json!(3), "must be less than 3", ", not 3"),
        (json!({"multipleOf": 2}), json!(3), "must be a multiple of 2", ", not 3"),
        (json!({"minLength": 2}), json!("a"), "must have at least 2 characters", ", not \"a\""),
        (json!({"minLength": 1}), json!(""), "must have at least 1 character", ", not \"\""),
        (json!({"maxLength": 2}), json!("abc"), "must have at most 2 characters", ", not \"abc\""),
        (json!({"maxLength": 1}), json!("ab"), "must have at most 1 character", ", not \"ab\""),
        (json!({"minItems": 2}), json!([1]), "must have at least 2 items", ""),
        (json!({"minItems": 1}), json!([]), "must have at least 1 item", ""),
        (json!({"maxItems": 2}), json!([1, 2, 3]), "must have at most 2 items", ""),
        (json!({"maxItems": 1}), json!([1, 2]), "must have at most 1 item", ""),
        (json!({"minProperties": 2}), json!({}), "must have at least 2 properties", ""),
        (json!({"minProperties": 1}), json!({}), "must have at least 1 property", ""),
        (json!({"maxProperties": 0}), json!({"a": 1}), "must have at most 0 properties", ""),
        (json!({"maxProperties": 1}), json!({"a": 1, "b": 2}), "must have at most 1 property", ""),
        (json!({"uniqueItems": true}), json!([1, 1]), "must not contain duplicate items", ""),
        (json!({"pattern": "^a$"}), json!("b"), "must match the pattern ^a$", ", not \"b\""),
        (
            json!({"pattern": "^(a|a|a|a)*(?!x)$"}),
            json!("a".repeat(60) + "b"),
            "takes too long to match against its pattern",
            "",
        ),
        (json!({"format": "date"}), json!("soon"), "must be a valid date", ", not \"soon\""),
        (
            json!({"contains": {"type": "string"}}),
            json!([1]),
            "must contain an item that matches the schema",
            "",
        ),
        (
            json!({"prefixItems": [true], "unevaluatedItems": false}),
            json!([1, 2]),
            "has items that are not allowed",
            "",
        ),
        (json!(false), json!(1), "is not allowed here; remove it", ""),
        (json!({"not": {"type": "string"}}), json!("a"), "must not match the schema", ""),
        (
            json!({"anyOf": [{"type": "string"}, {"minimum": 3}]}),
            json!(1),
            "must be a string, or must be at least 3",
            ", not 1",
        ),
        (
            json!({"oneOf": [{"type": "string"}, {"type": "string", "minLength": 2}]}),
            json!(1),
            "must be a string",
            ", not 1",
        ),
        (
            json!({"oneOf": [{"type": "integer"}, {"minimum": 3}]}),
            json!(4),
            "matches more than one of the alternatives, but must match exactly one",
            "",
        ),
        (
            json!({"anyOf": [nested, {"properties": {"d": true}, "additionalProperties": false}]}),
            json!({"b": 1, "c": 2}),
            "must have \"a\", or must not have b, c",
            ", not an object",
        ),
    ];
    for (rule, value, message, found) in cases {
        let expected = ("/x".to_owned(), format!("{message}{found}"), message.to_owned());
        assert_eq!(violations(&rule, &value), [expected], "{rule}");
    }
}

#[test]
fn names_of_members_are_shown_only_unmasked() {
    let rule = json!({"propertyNames": {"maxLength": 2}});
    let (pointer, message, masked) = violations(&rule, &json!({"abc": 1})).remove(0);
    assert_eq!(pointer, "/x");
    assert_eq!(message, "has a property whose name must have at most 2 characters, not \"abc\"");
    assert_eq!(masked, "has a property whose name must have at most 2 characters");
}

#[test]
fn keywords_of_draft_7_have_their_messages() {
    let cases = [
        (
            json!({"items": [true], "additionalItems": false}),
            json!([1, 2]),
            "must have at most 1 items",
        ),
        (json!({"contentEncoding": "base64"}), json!("?"), "must be base64"),
        (json!({"contentMediaType": "application/json"}), json!("{"), "must be application/json"),
    ];
    for (rule, value, message) in cases {
        let schema = json!({"$schema": "http://json-schema.org/draft-07/schema#",
            "type": "object", "properties": {"x": rule}});
        let expected = ("/x".to_owned(), message.to_owned(), message.to_owned());
        assert_eq!(in_draft(&schema, &json!({"x": value})), [expected], "{rule}");
    }
}

#[test]
fn missing_and_unknown_properties_are_named_one_by_one() {
    let schema = Schema::compile(&json!({"type": "object", "required": ["a/b"],
        "properties": {"a/b": true, "deep": {"required": ["c"], "unevaluatedProperties": false,
        "properties": {"c": true}}}, "additionalProperties": false}))
    .expect("a schema");
    let violations = schema.validate(&json!({"deep": {"d": 1}, "e": 1, "f": 2})).unwrap_err();
    let mut lines: Vec<String> = violations.to_string().lines().map(str::to_owned).collect();
    lines.sort();
    assert_eq!(
        lines,
        [
            "- /a~1b: is required, but missing",
            "- /deep/c: is required, but missing",
            "- /deep/d: is not a known property; remove it",
            "- /e: is not a known property; remove it",
            "- /f: is not a known property; remove it",
        ]
    );
    assert_eq!(violations.masked(), violations.to_string());
    let mut missing = violations.missing();
    missing.sort();
    assert_eq!(missing, ["a~1b", "deep.c"]);
}

#[test]
fn a_violation_of_the_whole_has_no_pointer() {
    let schema = Schema::compile(&json!({"type": "object", "minProperties": 1})).expect("a schema");
    let violations = schema.validate(&json!({})).unwrap_err();
    assert_eq!(violations.to_string(), "- the data: must have at least 1 property");
    assert_eq!(format!("{schema:?}"), "Schema");
}

#[test]
fn lists_of_violations_and_of_choices_end() {
    let many: Vec<Value> = (0..80).map(Value::from).collect();
    let found = violations(&json!({"items": {"type": "string"}}), &json!(many));
    assert_eq!(found.len(), 20);
    assert_eq!(found[19].1, "must be a string, not 19");
    let found = violations(&json!({"enum": many}), &json!(99));
    assert!(found[0].1.ends_with(", 28, 29, not 99"), "{found:?}");
    let unions: Vec<Value> = (0..9).map(|n| json!({"minimum": 10 + n})).collect();
    let found = violations(&json!({"anyOf": unions}), &json!(1));
    assert!(found[0].1.ends_with("at least 14, or must be at least 15, not 1"), "{found:?}");
    let object: Value = (0..80).map(|n| (format!("k{n:02}"), Value::Null)).collect();
    let rule = json!({"properties": {"a": true}, "additionalProperties": false});
    let found = violations(&rule, &object);
    assert_eq!((found.len(), &*found[19].0), (20, "/x/k19"));
}

/// The last line about so many items, none of which fits.
fn last_line(items: usize) -> String {
    let schema = json!({"properties": {"x": {"items": {"required": ["a"]}}}});
    let data = json!({"x": vec![json!({}); items]});
    let violations = Schema::compile(&schema).unwrap().validate(&data).unwrap_err();
    assert_eq!(violations.rest(), items.min(10_000) - 20);
    violations.to_string().lines().last().unwrap().to_owned()
}

#[test]
fn violations_that_are_not_listed_are_counted_up_to_a_limit() {
    assert_eq!(last_line(20), "- /x/19/a: is required, but missing");
    assert_eq!(last_line(21), "- and 1 more");
    assert_eq!(last_line(9_999), "- and 9,979 more");
    assert_eq!(last_line(10_001), "- and more than 9,980 more");
    assert_eq!(last_line(100_000), "- and more than 9,980 more");
}

fn budget(steps: u64) -> Budget {
    let mut limits = Limits::default();
    limits.steps = steps;
    limits.milliseconds = 60_000;
    Budget::new(&limits)
}

/// The steps that it takes to list the violations.
fn steps_for(rule: &Value, value: &Value) -> usize {
    let schema = Schema::compile(&json!({"type": "object", "properties": {"x": rule}})).unwrap();
    let data = json!({"x": value});
    let is_enough = |steps: &usize| budget(*steps as u64).run(|| schema.validate(&data)).is_ok();
    (0..2_000_000).collect::<Vec<_>>().partition_point(|steps| !is_enough(steps))
}

#[test]
fn the_walk_ends_when_there_are_enough_violations() {
    let branches: Vec<Value> = (0..50).map(|n| json!({"required": [n.to_string()]})).collect();
    let rule = json!({"items": {"oneOf": branches}});
    let steps = |items: usize| steps_for(&rule, &json!(vec![json!({}); items]));
    assert_eq!(steps(2_000), steps(4_000));
}

#[test]
fn a_list_with_too_many_items_is_not_walked() {
    let rule = json!({"maxItems": 10, "items": {"type": "integer"}});
    assert!(steps_for(&rule, &json!(vec![1; 20_000])) < 100);
    let found = violations(&rule, &json!(vec!["a"; 20_000]));
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].1, "must have at most 10 items");
    // Where a few items are too many, their own violations are worth knowing.
    assert_eq!(violations(&rule, &json!(vec!["a"; 11])).len(), 12);
}

#[test]
fn data_that_cannot_be_checked_within_the_budget_says_so() {
    let schema = Schema::compile(&json!({"properties": {"x": {"items": {"type": "string"}}}}));
    let (schema, data) = (schema.unwrap(), json!({"x": vec!["a"; 2_000]}));
    let violations = budget(1_000).cover(|| schema.validate(&data)).unwrap_err();
    assert_eq!(violations.to_string(), "- the data: checking it exceeds the step limit");
    assert!(schema.validate(&data).is_ok());
}

/// A pattern on which the engine for regular expressions panics, or takes exponential time.
#[test]
fn hard_patterns_refuse_the_data_and_nothing_else() {
    for pattern in ["^(a*)*\\1b", "^(a|a|a|a)*(?!x)$"] {
        let rule = json!({"type": "object", "properties": {"x": {"pattern": pattern}}});
        let schema = Schema::compile(&rule).unwrap();
        for more in [1, 5_000] {
            let data = json!({"x": "a".repeat(60) + "c", "more": vec![0; more]});
            assert!(schema.validate(&data).is_err(), "{pattern}");
            assert!(!schema.is_valid(&data), "{pattern}");
        }
    }
}

#[test]
fn stray_nulls_count_as_absent() {
    let schema = Schema::compile(&json!({"type": "object", "required": ["a"], "properties": {
        "a": {"type": "string"}, "b": {"type": "string"}, "c/d": {"type": "object",
        "properties": {"e": {"type": "integer"}}}, "l": {"items": {"type": "string"}},
        "m": {"items": {"properties": {"e": {"type": "integer"}}}}}}))
    .expect("a schema");
    let fits = |data: Value| schema.validate_without_nulls(&(&data).into()).is_ok();
    assert!(fits(json!({"a": "x", "b": null})));
    assert!(fits(json!({"a": "x", "c/d": {"e": null}})));
    assert!(fits(json!({"a": "x", "m": [7, {"e": null}]})), "in a list");
    assert!(!fits(json!({"a": null})), "required");
    assert!(!fits(json!({"a": "x", "b": null, "l": 7.5, "c/d": 1})), "another fault");
    assert!(!fits(json!({"a": "x", "l": [null]})), "an item of a list cannot be left out");
    assert!(!fits(json!(null)));
    let data = json!({"a": null, "b": null});
    let violations = schema.validate_without_nulls(&(&data).into()).unwrap_err();
    assert_eq!(
        violations.to_string(),
        "- /a: must be a string, not null\n- /b: must be a string, not null"
    );
}

#[test]
fn schemas_that_cannot_be_compiled_say_why() {
    let error = |schema: Value| {
        let error = Schema::compile(&schema).expect_err("not a schema");
        format!("{} {}: {}", error.kind().code(), error.place().pointer, error.message())
    };
    assert_eq!(error(json!(false)), "schema : a JSON Schema must be an object");
    assert_eq!(error(json!([])), "schema : a JSON Schema must be an object");
    let arguments = "schema /type: the schema must describe an object: tool arguments are named";
    assert_eq!(error(json!({"type": "string"})), arguments);
    assert_eq!(error(json!({"type": ["string", "null"]})), arguments);
    assert_eq!(
        error(json!({"type": "object", "properties": {"a": {"type": "text"}}})).split(':').next(),
        Some("schema /properties/a/type")
    );
    assert_eq!(
        error(json!({"properties": {"a": {"minLength": "3"}}})),
        "schema /properties/a/minLength: \
         the schema is not valid: must be an integer, not \"3\""
    );
    assert_eq!(
        error(json!({"allOf": [{"$ref": "#/$defs/a"}, {"$ref": "https://example.com/s"}]})),
        "schema-remote /allOf/1/$ref: \
         the reference https://example.com/s points outside the schema"
    );
    assert_eq!(error(json!({"$ref": "#/$defs/a"})), "schema /$ref: the schema has no #/$defs/a");
    assert_eq!(
        error(json!({"allOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/b"}], "$defs": {"a": {}}})),
        "schema /allOf/1/$ref: the schema has no #/$defs/b"
    );
    let anchor = json!({"allOf": [{"$ref": "#/$defs/a"}, {"$ref": "#b"}], "$defs": {"a": {}}});
    let unresolved = "schema-remote : a reference cannot be resolved: ";
    assert!(error(anchor.clone()).starts_with(unresolved), "{}", error(anchor));
    assert!(Schema::compile(&json!({"type": ["null", "object"]})).is_ok());
    assert!(Schema::compile(&json!(true)).is_ok());
}

/// What users write by habit gets the words to write instead, and nothing else does.
#[test]
fn schemas_that_are_written_by_habit_get_help() {
    let help = |rule: Value| {
        let schema = json!({"properties": {"who": rule}});
        Schema::compile(&schema).expect_err("not a schema").help().to_owned()
    };
    assert_eq!(
        help(json!({"required": true})),
        "add who to `required: [who]` of the enclosing object"
    );
    assert_eq!(
        help(json!({"required": false})),
        "remove it: properties that are not in `required` of the enclosing object are optional"
    );
    assert_eq!(help(json!("string")), "write `{\"type\": \"string\"}`");
    assert_eq!(
        help(json!({"type": "date"})),
        "write `{\"type\": \"string\", \"format\": \"date\"}`"
    );
    assert_eq!(help(json!({"type": "int"})), "write `\"type\": \"integer\"`");
    assert_eq!(help(json!({"type": "money"})), "");
    assert_eq!(help(json!({"minLength": "3"})), "");
    assert_eq!(help(json!({"not": "string"})), "");
    assert_eq!(help(json!({"$ref": "#/$defs/near"})), "add it under `$defs`");
    let near = json!({"$ref": "#/$defs/neer", "$defs": {"near": {}}});
    let error = Schema::compile(&near).expect_err("not a schema");
    assert_eq!(error.help(), "did you mean near?");
}

/// `levels` definitions, each of which refers to the next `width` times.
fn fan(levels: usize, width: usize) -> Value {
    let level = |n: usize| {
        let next = json!({"$ref": format!("#/$defs/d{}", n + 1)});
        (format!("d{n}"), json!({"allOf": vec![next; width]}))
    };
    let mut definitions: serde_json::Map<String, Value> = (0..levels).map(level).collect();
    definitions.insert(format!("d{levels}"), json!({"type": "object"}));
    json!({"$ref": "#/$defs/d0", "$defs": definitions})
}

#[test]
fn a_schema_that_multiplies_is_refused() {
    assert!(Schema::compile(&fan(3, 2)).is_ok());
    assert!(cost(&fan(30, 2)).checks > MAX_COST);
    let error = Schema::compile(&fan(30, 2)).expect_err("too large");
    assert_eq!(
        error.message(),
        "the schema refers to itself so often that validation would never end"
    );
    let recursive = json!({"properties": {"a": {"$ref": "#"}, "b": {"$ref": "#"}}});
    // The root, `properties` and two members of it, each with the target: the same four, in which
    // the reference counts one.
    assert_eq!(cost(&recursive).checks, 4 + 2 * (4 + 2));
    let data =
        json!({"enum": [{"a": [{}, {}]}], "const": {"a": {}}, "default": {}, "examples": [{}]});
    assert_eq!(cost(&data).checks, 1);
}

#[test]
fn a_schema_may_cost_as_much_as_is_allowed() {
    // `b` costs 541, a reference to it one more, and the rest of the schema 544.
    let a = json!({"$ref": "#/$defs/a"});
    let b = json!({"$ref": "#/$defs/b"});
    let definitions = json!({"a": {}, "b": {"allOf": vec![a; 270]}});
    let mut schema = json!({"$defs": definitions, "allOf": vec![b; 368]});
    assert_eq!(cost(&schema).checks, MAX_COST);
    assert!(Schema::compile(&schema).is_ok());
    schema["properties"] = json!({});
    assert!(Schema::compile(&schema).is_err());
}

/// Nesting ends the count, whatever it is made of.
#[test]
fn a_schema_that_is_too_deep_is_refused() {
    let objects = |depth| (0..depth).fold(json!({}), |inner, _| json!({"not": inner}));
    let lists = |depth| json!({"allOf": (1..depth).fold(json!([]), |inner, _| json!([inner]))});
    // A definition that is a reference to the next one, and so on.
    let references = |depth: usize| {
        let next = |n: usize| (format!("d{n}"), json!({"$ref": format!("#/$defs/d{}", n + 1)}));
        let definitions: Value = (1..depth).map(next).collect();
        json!({"$ref": "#/$defs/d1", "$defs": definitions})
    };
    assert_eq!(cost(&objects(200)).checks, 201);
    assert_eq!(cost(&lists(200)).checks, 1);
    assert!(cost(&references(200)).checks <= MAX_COST);
    for depth in [201, 202, 300] {
        assert!(cost(&objects(depth)).checks > MAX_COST, "{depth}");
        assert!(cost(&lists(depth)).checks > MAX_COST, "{depth}");
        assert!(cost(&references(depth + 1)).checks > MAX_COST, "{depth}");
    }
}

#[test]
fn patterns_that_look_around_or_refer_back_are_known() {
    let is_hard = |pattern: &str| has_hard_pattern(&json!({"pattern": pattern}).to_string());
    for hard in ["(?=a)", "(?!a)", "(?<=a)", r"^(a)\1", r"(?P<n>a)\k<n>", r"\d(a)\9"] {
        assert!(is_hard(hard), "{hard}");
    }
    for plain in ["^a+$", r"\d{2}-\w", r"a\\b", "(?:a|b)", r"\p{L}"] {
        assert!(!is_hard(plain), "{plain}");
    }
}

/// Each error holds the names of all objects around it.
#[test]
fn long_names_allow_fewer_errors() {
    let rule = json!({"type": "object", "additionalProperties": {
        "type": "object", "additionalProperties": {"type": "string"}}});
    let schema = Schema::compile(&rule).expect("a schema");
    let numbers: Value = (0..5_000).map(|n| (format!("n{n}"), json!(1))).collect();
    let data = |length: usize| json!({"k".repeat(length): numbers});
    let seen = |data: &Value| {
        schema
            .errors(&data.into(), &Cell::new(usize::MAX), |errors, is_cut| (errors.len(), is_cut))
            .expect("errors")
    };
    assert_eq!(seen(&data(1_000)), (5_000, false));
    let (count, is_cut) = seen(&data(1 << 20));
    assert!(count < 20 && is_cut, "{count}");
    assert!(schema.validate(&data(1 << 20)).is_err());
}

/// Lists and objects are compared with their expected values part by part.
#[test]
fn constants_may_be_lists_and_objects() {
    let fits = |expected: &Value, value: Value| {
        let rule = json!({"type": "object", "properties": {"x": {"const": expected}}});
        Schema::compile(&rule).expect("a schema").is_valid(&json!({"x": value}))
    };
    let list = json!(["a", {"b": 1}]);
    assert!(fits(&list, json!(["a", {"b": 1.0}])));
    for other in [json!(["a"]), json!(["a", {"b": 2}]), json!(["a", {"b": 1}, 3]), json!("a")] {
        assert!(!fits(&list, other.clone()), "{other}");
    }
    let object = json!({"a": [1], "b": null});
    assert!(fits(&object, json!({"b": null, "a": [1]})));
    for other in [
        json!({"a": [1]}),
        json!({"a": [2], "b": null}),
        json!({"a": [1], "c": null}),
        json!({"a": [1], "b": null, "c": 1}),
        json!([1]),
        json!(null),
    ] {
        assert!(!fits(&object, other.clone()), "{other}");
    }
    assert!(fits(&json!(1), json!(1.0)) && !fits(&json!(1), json!("1")));
    assert!(!fits(&json!(null), json!(false)) && fits(&json!(null), json!(null)));
}

#[test]
fn a_list_is_long_from_a_hundred_items_on() {
    let rule = json!({"maxItems": 10, "items": {"type": "integer"}});
    assert_eq!(violations(&rule, &json!(vec!["a"; 100])).len(), 20);
    assert_eq!(violations(&rule, &json!(vec!["a"; 101])).len(), 1);
}

/// If a pattern is expensive, small data gets a message for each place, large data one for the whole.
#[test]
fn data_for_hard_patterns_is_copied_up_to_a_limit() {
    let rule = json!({"type": "object", "properties": {"x": {"pattern": "^(?!a)"}}});
    let schema = Schema::compile(&rule).expect("a schema");
    let message = |more: Value| {
        let data = json!({"x": "a", "more": more});
        schema.validate(&data).expect_err("a violation").to_string()
    };
    let exact = "- /x: must match the pattern ^(?!a), not \"a\"";
    let whole = "- the data: does not match, or takes too long to match against a pattern";
    // The object, the text and the list itself are three.
    assert_eq!(message(json!(vec![0; 997])), exact);
    assert_eq!(message(json!(vec![0; 998])), whole);
    let members = |count: usize| (0..count).map(|n| (n.to_string(), json!(0))).collect::<Value>();
    assert_eq!(message(members(997)), exact);
    assert_eq!(message(members(998)), whole);
    assert_eq!(message(json!(vec![json!([0]); 499])), whole);
}

/// Names of members count for the length of a pointer wherever they stand.
#[test]
fn long_names_count_at_every_depth() {
    let leaf = json!({"additionalProperties": {"type": "string"}});
    let rule = json!({"type": "object", "additionalProperties": {"items": leaf}});
    let schema = Schema::compile(&rule).expect("a schema");
    let seen = |outer: usize, inner: usize| {
        let mut members: serde_json::Map<String, Value> =
            (0..200).map(|n| (format!("n{n:03}"), json!(1))).collect();
        members.insert("k".repeat(inner), json!("text"));
        let data = json!({"k".repeat(outer): [members]});
        schema
            .errors(&(&data).into(), &Cell::new(usize::MAX), |errors, is_cut| {
                (errors.len(), is_cut)
            })
            .expect("errors")
    };
    assert_eq!(seen(1, 1), (200, false));
    // Half a million bytes each allow no more than 32, together 16.
    for (outer, inner, most) in [(1 << 19, 1, 32), (1, 1 << 19, 32), (1 << 19, 1 << 19, 16)] {
        let (count, is_cut) = seen(outer, inner);
        assert!((most - 2..=most).contains(&count) && is_cut, "{outer} {inner}: {count}");
    }
}

/// The error of an object schema without properties states that it allows none, whichever were sent.
#[test]
fn an_object_that_takes_nothing_says_so() {
    let rule = json!({"type": "object", "additionalProperties": false});
    let schema = Schema::compile(&rule).unwrap();
    assert!(schema.validate(&json!({})).is_ok());
    let said = schema.validate(&json!({"x": 1, "y": 2})).unwrap_err().to_string();
    assert_eq!(said, "- the data: takes no properties; send {}");
}
