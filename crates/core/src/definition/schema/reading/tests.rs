//! Which readings are taken, and which are refused.

use proptest::prelude::*;
use serde_json::{Value, json};
use widgetcast_engine::budget::{self, Budget};
use widgetcast_engine::limits::Limits;

use super::Reading;
use crate::definition::schema::Schema;

/// A schema whose property `x` has this rule, and is required.
fn schema(rule: &Value) -> Schema {
    let definitions = json!({"tree": {"type": "object", "required": ["n"], "properties": {
        "n": {"type": "integer"}, "children": {"type": "array", "items": {"$ref": "#/$defs/tree"}}}},
        "count": {"type": "integer", "minimum": 1}});
    let schema = json!({"type": "object", "properties": {"x": rule, "y": {"type": "integer"}},
        "required": ["x"], "$defs": definitions});
    Schema::compile(&schema).expect("a schema")
}

fn read(rule: &Value, sent: &Value) -> Option<Value> {
    let sent = json!({"x": sent});
    let read = schema(rule).read(&(&sent).into(), Reading::Lossless)?;
    Some(read["x"].clone())
}

#[test]
fn taken() {
    let integer = json!({"type": "integer"});
    let number = json!({"type": "number"});
    let boolean = json!({"type": "boolean"});
    let list = json!({"type": "array", "items": integer});
    let texts = json!({"type": "array", "items": {"type": "string"}});
    let object = json!({"type": "object", "properties": {"n": integer, "t": {"type": "string"}},
        "required": ["n"]});
    let by_kind = json!({"oneOf": [
        {"type": "object", "properties": {"kind": {"const": "a"}, "n": integer, "m": integer}, "required": ["kind", "n"]},
        {"type": "object", "properties": {"kind": {"const": "b"}, "n": texts}, "required": ["kind", "n"]}]});
    let tree = json!({"$ref": "#/$defs/tree"});
    let cases = [
        (&integer, json!("7"), json!(7)),
        (&integer, json!("-7"), json!(-7)),
        (&integer, json!("0"), json!(0)),
        (&integer, json!("7.0"), json!(7)),
        (&integer, json!("1e3"), json!(1000)),
        (&integer, json!("9007199254740992"), json!(9_007_199_254_740_992_u64)),
        (&number, json!("1.5"), json!(1.5)),
        (&number, json!("7"), json!(7)),
        (&number, json!("-0.25"), json!(-0.25)),
        (&number, json!("2.50"), json!(2.5)),
        (&boolean, json!("true"), json!(true)),
        (&boolean, json!("false"), json!(false)),
        (&list, json!("[1,2]"), json!([1, 2])),
        (&list, json!(" [ 1, 2 ]\n"), json!([1, 2])),
        (&list, json!("[]"), json!([])),
        (&list, json!(7), json!([7])),
        (&list, json!("7"), json!([7])),
        (&list, json!(["1", 2, "3"]), json!([1, 2, 3])),
        (&list, json!("[\"1\", 2]"), json!([1, 2])),
        (&texts, json!("a"), json!(["a"])),
        (&texts, json!("7"), json!(["7"])),
        (&texts, json!("[\"a\", \"b\"]"), json!(["a", "b"])),
        (&object, json!("{\"n\": 1}"), json!({"n": 1})),
        (&object, json!("{\"n\": \"1\", \"t\": \"1\"}"), json!({"n": 1, "t": "1"})),
        (&object, json!({"n": "1", "t": "true"}), json!({"n": 1, "t": "true"})),
        (&json!({"type": "array", "items": object}), json!({"n": "1"}), json!([{"n": 1}])),
        (&json!({"type": "array", "items": object}), json!("{\"n\": 1}"), json!([{"n": 1}])),
        (
            &json!({"type": "array", "items": object}),
            json!(["{\"n\": 1}", {"n": "2"}]),
            json!([{"n": 1}, {"n": 2}]),
        ),
        (&json!({"type": ["integer", "null"]}), json!("7"), json!(7)),
        (&json!({"type": ["integer", "null"]}), json!("null"), json!(null)),
        (&json!({"anyOf": [integer, {"type": "null"}]}), json!("7"), json!(7)),
        (&json!({"anyOf": [{"$ref": "#/$defs/count"}, {"type": "null"}]}), json!("7"), json!(7)),
        (&json!({"anyOf": [integer, number]}), json!("7"), json!(7)),
        (&json!({"anyOf": [integer, boolean]}), json!("true"), json!(true)),
        (&json!({"oneOf": [integer, boolean]}), json!("7"), json!(7)),
        (&json!({"oneOf": [integer, object]}), json!("{\"n\":\"3\"}"), json!({"n": 3})),
        (&json!({"anyOf": [integer, texts]}), json!("a"), json!(["a"])),
        (
            &json!({"anyOf": [{"anyOf": [integer, boolean]}, {"type": "null"}]}),
            json!("1"),
            json!(1),
        ),
        (&json!({"allOf": [integer, {"minimum": 3}]}), json!("7"), json!(7)),
        (&json!({"allOf": [integer, number]}), json!("7"), json!(7)),
        (
            &json!({"allOf": [{"properties": {"n": integer}}, {"type": "object", "required": ["n"]}]}),
            json!({"n": "7"}),
            json!({"n": 7}),
        ),
        (&json!({"$ref": "#/$defs/count"}), json!("7"), json!(7)),
        (
            &json!({"if": {"type": "object"}, "then": {"properties": {"n": integer}}}),
            json!({"n": "7"}),
            json!({"n": 7}),
        ),
        (
            &json!({"properties": {"unit": true}, "if": {"properties": {"unit": {"const": "C"}}},
            "then": {"properties": {"n": number}}, "else": {"properties": {"n": integer}}}),
            json!({"unit": "C", "n": "1.5"}),
            json!({"unit": "C", "n": 1.5}),
        ),
        (&by_kind, json!({"kind": "a", "n": "7"}), json!({"kind": "a", "n": 7})),
        (&by_kind, json!({"kind": "a", "n": "7", "m": "8"}), json!({"kind": "a", "n": 7, "m": 8})),
        (&by_kind, json!({"kind": "b", "n": "7"}), json!({"kind": "b", "n": ["7"]})),
        (&by_kind, json!("{\"kind\": \"a\", \"n\": 7}"), json!({"kind": "a", "n": 7})),
        (
            &tree,
            json!({"n": "1", "children": [{"n": 2, "children": "[{\"n\": \"3\"}]"}]}),
            json!({"n": 1, "children": [{"n": 2, "children": [{"n": 3}]}]}),
        ),
        (&json!({"enum": [1, 2, 3]}), json!("2"), json!(2)),
        (&json!({"type": "integer", "enum": [1, 2]}), json!("2"), json!(2)),
        (&json!({"const": true}), json!("true"), json!(true)),
        (&json!({"type": ["string", "integer"], "pattern": "^a"}), json!("7"), json!(7)),
        (
            &json!({"type": "object", "additionalProperties": integer}),
            json!({"a/b": "1"}),
            json!({"a/b": 1}),
        ),
        (&json!({"prefixItems": [integer, boolean]}), json!(["1", "true"]), json!([1, true])),
        (
            &json!({"type": "object", "unevaluatedProperties": false, "properties": {"n": integer}}),
            json!({"n": "1"}),
            json!({"n": 1}),
        ),
        (
            &json!({"type": "array", "items": {"type": "array", "items": integer}}),
            json!("1"),
            json!([[1]]),
        ),
    ];
    for (rule, sent, expected) in &cases {
        assert_eq!(read(rule, sent).as_ref(), Some(expected), "{sent} for {rule}");
    }
    assert!(cases.len() >= 50, "{}", cases.len());
}

#[test]
fn refused() {
    let integer = json!({"type": "integer"});
    let texts = json!({"type": "array", "items": {"type": "string"}});
    let number = json!({"type": "number"});
    let boolean = json!({"type": "boolean"});
    let mut cases = vec![
        (json!({"type": "integer", "minimum": 8}), json!("7")),
        (integer.clone(), json!(true)),
        (integer.clone(), json!(["7"])),
        (json!({"type": "string"}), json!(7)),
        (json!({"type": "string"}), json!(true)),
        (json!({"type": "string"}), json!(["a"])),
        (json!({"type": "string", "minLength": 3}), json!("7")),
        (json!({"type": "string", "enum": ["1", "2"]}), json!(1)),
        (json!({"enum": [1, 2]}), json!("3")),
        (texts.clone(), json!("[1, 2]")),
        (texts.clone(), json!([1])),
        (texts.clone(), json!("a, b")),
        (texts.clone(), json!("a\nb")),
        (texts.clone(), json!("[\"a\"")),
        (texts.clone(), json!("[\"a\", \"b\", 3]")),
        (json!({"type": "array", "items": integer}), json!("a")),
        (json!({"type": "array", "items": integer}), json!(null)),
        (json!({"type": "array", "items": integer, "minItems": 2}), json!(7)),
        (json!({"type": "object"}), json!("[]")),
        (json!({"type": "object"}), json!("a")),
        (json!({"type": "object", "required": ["n"]}), json!("{}")),
        (json!({"type": "object"}), json!("{\"a\": 1, \"a\": 2}")),
        (json!({"type": "object"}), json!("{'a': 1}")),
        (json!({"type": "array"}), json!("[9007199254740993]")),
        (json!({"type": "array", "items": integer}), json!("[1, [2")),
        // Two readings fit.
        (json!({"anyOf": [integer, texts]}), json!("7")),
        (json!({"oneOf": [boolean, texts]}), json!("true")),
        (json!({"type": ["integer", "array"]}), json!("7")),
        (
            json!({"oneOf": [
            {"type": "object", "properties": {"n": integer}, "required": ["n"]},
            {"type": "object", "properties": {"n": texts}, "required": ["n"]}]}),
            json!({"n": "7"}),
        ),
        // It fits more than one branch, as it is read.
        (json!({"oneOf": [integer, number]}), json!("7")),
        (json!({"not": {"type": "string"}, "type": "string"}), json!("7")),
        (json!(false), json!("7")),
    ];
    let lossy = [
        "7.5",
        "1e400",
        "-1e400",
        "0x7",
        " 7",
        "7 ",
        "007",
        "+7",
        "7.",
        "1,000",
        "1_000",
        "",
        " ",
        "seven",
        "NaN",
        "9007199254740993",
        "-9007199254740993",
        "\"7\"",
        "7e-1",
        "٧",
    ];
    cases.extend(lossy.map(|text| (integer.clone(), json!(text))));
    let lossy =
        ["1.5.2", ".5", "1e400", "1e-400", "0.12345678901234567890", "Infinity", "1e300", " 1.5 "];
    cases.extend(lossy.map(|text| (number.clone(), json!(text))));
    let lossy = ["yes", "no", "1", "0", "True", "FALSE", "on", " true", ""];
    cases.extend(lossy.map(|text| (boolean.clone(), json!(text))));
    for (rule, sent) in &cases {
        assert_eq!(read(rule, sent), None, "{sent} for {rule}");
        let sent = json!({"x": sent});
        // The same is refused beside something that could be read.
        let more = json!({"x": sent["x"], "y": "1"});
        assert_eq!(schema(rule).read(&(&more).into(), Reading::Lossless), None, "{more}");
    }
    assert!(cases.len() >= 60, "{}", cases.len());
}

#[test]
fn nulls_count_as_absent() {
    let schema = Schema::compile(&json!({"type": "object", "required": ["a"], "properties": {
        "a": {"type": "string"}, "n": {"type": "integer", "default": 5}, "z": {"type": ["string", "null"]},
        "o": {"anyOf": [{"type": "object", "required": ["s"],
            "properties": {"s": {"type": "string"}, "t": {"type": "string"}}}, {"type": "integer"}]}}}))
    .unwrap();
    let read = |sent: Value, how| schema.read(&(&sent).into(), how);
    let sent = json!({"a": "x", "n": null, "z": null, "o": {"s": "y", "t": null}});
    let expected = json!({"a": "x", "z": null, "o": {"s": "y"}});
    for how in [Reading::Nulls, Reading::Lossless] {
        assert_eq!(read(sent.clone(), how), Some(expected.clone()));
        assert_eq!(read(json!({"a": null}), how), None, "required");
        assert_eq!(read(json!({"a": "x", "z": null}), how), None, "it fits as it is");
    }
    assert_eq!(
        schema.read_with_nulls(&(&sent).into(), Reading::Lossless),
        None,
        "nothing to change"
    );
    let sent = json!({"a": "x", "n": "7", "o": null});
    assert_eq!(read(sent.clone(), Reading::Nulls), None);
    assert_eq!(read(sent.clone(), Reading::Lossless), Some(json!({"a": "x", "n": 7})));
    let with_nulls = schema.read_with_nulls(&(&sent).into(), Reading::Lossless);
    assert_eq!(with_nulls, Some(json!({"a": "x", "n": 7, "o": null})));
}

/// A list of wrong items is read by as many walks, however long it is, and one that leads nowhere ends.
#[test]
fn work_is_bounded() {
    let steps = |rule: &Value, value: Value| {
        let (schema, sent) = (schema(rule), json!({"x": value}));
        let is_enough = |steps: &u64| {
            let mut limits = Limits::default();
            (limits.steps, limits.milliseconds) = (*steps, 60_000);
            Budget::new(&limits).run(|| schema.read(&(&sent).into(), Reading::Lossless)).is_ok()
        };
        (0..100_000).collect::<Vec<u64>>().partition_point(|steps| !is_enough(steps))
    };
    let list = json!({"items": {"anyOf": [{"type": "integer"}, {"type": "null"}]}});
    let (one, two) = (steps(&list, json!(vec!["7"; 200])), steps(&list, json!(vec!["7"; 400])));
    assert!(one > 200 && two < 3 * one, "{one} {two}");
    // A long text is looked at for each branch of a union, and each time counts.
    let union = json!({"anyOf": vec![json!({"type": "array", "items": {"type": "string"}}); 20]});
    let long = |length: usize| steps(&union, json!(format!("[{}]", "1,".repeat(length))));
    assert!(long(2_000) > 20 * 2_000 / 16);
    let nest = json!({"type": "object", "properties": {"x": {"$ref": "#/$defs/nest"}},
        "$defs": {"nest": {"type": "array", "items": {"$ref": "#/$defs/nest"}}}});
    let sent = json!({"x": "a"});
    let nest = Schema::compile(&nest).unwrap();
    assert_eq!(nest.read(&(&sent).into(), Reading::Lossless), None);
    let many = json!({"x": vec!["7"; 20_000]});
    let integers = schema(&json!({"items": {"type": "integer"}}));
    assert_eq!(integers.read(&(&many).into(), Reading::Lossless), None, "more than are counted");
}

/// A union that refers to itself multiplies the ways to check data by its depth, and still takes as much
/// longer as the data is.
#[test]
fn a_recursive_union_is_read_in_steps_that_grow_with_the_data() {
    let any = || json!({"$ref": "#/$defs/any"});
    let list = |most: u64| json!({"type": "array", "items": any(), "maxItems": most});
    let object =
        |most: u64| json!({"type": "object", "additionalProperties": any(), "maxProperties": most});
    for [one, other] in [[list(8), list(9)], [object(8), object(9)]] {
        let is_list = one["type"] == "array";
        let schema = json!({"type": "object", "properties": {"x": {"$ref": "#/$defs/any"}},
            "$defs": {"any": {"anyOf": [one, other, {"type": "integer"}, {"type": "null"}]}}});
        let schema = Schema::compile(&schema).expect("a schema");
        let nested = |depth: usize| {
            let wrap = |inner: Value| if is_list { json!([inner]) } else { json!({"a": inner}) };
            json!({"x": (0..depth).fold(json!("a"), |inner, _| wrap(inner))})
        };
        let steps = |depth: usize| {
            let sent = nested(depth);
            let mut limits = Limits::default();
            (limits.steps, limits.milliseconds) = (1 << 40, 600_000);
            let taken = Budget::new(&limits).run(|| {
                let before = budget::steps_left().expect("a budget");
                assert!(schema.validate(&sent).is_err());
                assert_eq!(schema.read(&(&sent).into(), Reading::Lossless), None);
                before - budget::steps_left().expect("a budget")
            });
            taken.expect("it ends")
        };
        let (one, two) = (steps(30), steps(60));
        assert!(one > 0 && two < 3 * one && two < 1_000_000, "{one} {two}");
        // What fits is found at once.
        let fits = nested(60).to_string().replace("\"a\"]", "7]").replace(":\"a\"}", ":7}");
        assert!(schema.is_valid(&serde_json::from_str(&fits).expect("JSON")));
    }
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-9i64..9).prop_map(Value::from),
        prop_oneof![
            Just("7"),
            Just("true"),
            Just("[1]"),
            Just("{\"a\":\"1\"}"),
            Just("null"),
            Just("a")
        ]
        .prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 20, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            prop::collection::vec(("[ab]", inner), 0..3)
                .prop_map(|members| members.into_iter().collect::<Value>()),
        ]
    })
}

fn any_rule() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!(true)),
        prop_oneof![
            Just("integer"),
            Just("number"),
            Just("boolean"),
            Just("string"),
            Just("null"),
            Just("array")
        ]
        .prop_map(|kind| json!({"type": kind})),
        Just(json!({"enum": [1, "7", true]})),
        Just(json!({"type": ["integer", "string"], "minimum": 3})),
    ];
    leaf.prop_recursive(3, 20, 3, |inner| {
        let several = prop::collection::vec(inner.clone(), 1..3);
        prop_oneof![
            inner.clone().prop_map(|items| json!({"type": "array", "items": items})),
            (inner.clone(), inner, any::<bool>()).prop_map(|(a, b, required)| {
                let required = if required { vec!["a"] } else { vec![] };
                json!({"type": "object", "properties": {"a": a, "b": b}, "required": required})
            }),
            (several, prop_oneof![Just("anyOf"), Just("oneOf"), Just("allOf")])
                .prop_map(|(rules, keyword)| json!({keyword: rules})),
        ]
    })
}

/// Whether one value can be a reading of another: texts that are JSON, lists of one, members left out.
fn is_reading(read: &Value, sent: &Value) -> bool {
    if read == sent {
        return true;
    }
    let of_text = |text: &String| match serde_json::from_str::<Value>(text) {
        Ok(Value::String(_)) | Err(_) => false,
        Ok(value) => is_reading(read, &value),
    };
    let in_list = |items: &Vec<Value>| matches!(&items[..], [one] if is_reading(one, sent));
    match (read, sent) {
        (Value::Array(read), Value::Array(sent)) if read.len() == sent.len() => {
            read.iter().zip(sent).all(|(read, sent)| is_reading(read, sent))
        }
        (Value::Object(read), Value::Object(sent)) => {
            let is_known = |(key, sent): (&String, &Value)| match read.get(key) {
                Some(read) => is_reading(read, sent),
                // The text of a null may be read as one that counts as absent.
                None => sent.is_null() || *sent == "null",
            };
            read.keys().all(|key| sent.contains_key(key)) && sent.iter().all(is_known)
        }
        (_, Value::String(text)) if of_text(text) => true,
        (Value::Array(items), _) => in_list(items),
        _ => false,
    }
}

/// A text that is read as null counts as absent where another rule does not allow the null.
#[test]
fn a_null_that_was_a_text_is_left_out() {
    let rule = json!({"type": "object", "properties": {
        "b": {"allOf": [{"type": "null"}, {"type": "integer"}]}}});
    let (sent, expected) = (json!({"b": "null"}), json!({}));
    assert_eq!(read(&rule, &sent), Some(expected.clone()));
    assert!(is_reading(&expected, &sent));
}

/// Many nulls of one object are left out together. `bench growth` counts what that takes.
#[test]
fn many_nulls_are_left_out() {
    let rule = json!({"type": "object", "additionalProperties": {"type": "string"}});
    let names = (0..9_000).map(|n| (format!("n{n}"), Value::Null));
    let sent: Value = names.chain([("t".to_owned(), json!("text"))]).collect();
    assert_eq!(read(&rule, &sent), Some(json!({"t": "text"})));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn what_fits_is_never_changed(rule in any_rule(), value in any_json()) {
        let (schema, sent) = (schema(&rule), json!({"x": value}));
        let read = schema.read(&(&sent).into(), Reading::Lossless);
        match read {
            Some(_) if schema.is_valid(&sent) => prop_assert!(false, "changed"),
            Some(read) => {
                prop_assert!(schema.is_valid(&read));
                prop_assert!(is_reading(&read, &sent), "{}", read);
                prop_assert_eq!(schema.read(&(&read).into(), Reading::Lossless), None);
            }
            None => {}
        }
        prop_assert_eq!(schema.validate_without_nulls(&(&sent).into()).is_ok(),
            schema.is_valid(&sent) || schema.read(&(&sent).into(), Reading::Nulls).is_some());
    }

    /// Whatever part of valid data is sent as text, it is read as it was, or refused.
    #[test]
    fn texts_of_valid_data_are_read_back(n in -1000i64..1000, flag: bool, items in prop::collection::vec(-9i64..9, 0..4)) {
        let rule = json!({"type": "object", "properties": {"n": {"type": "integer"}, "flag": {"type": "boolean"},
            "items": {"type": "array", "items": {"type": "integer"}}}, "required": ["n", "flag", "items"]});
        let meant = json!({"n": n, "flag": flag, "items": items});
        let texts = json!({"n": n.to_string(), "flag": flag.to_string(), "items": json!(items).to_string()});
        prop_assert_eq!(read(&rule, &texts), Some(meant.clone()));
        prop_assert_eq!(read(&rule, &json!(texts.to_string())), Some(meant));
    }
}
