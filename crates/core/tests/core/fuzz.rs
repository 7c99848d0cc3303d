//! Property tests, and a fuzzer that runs on stable: mutations of real definitions through the
//! loader, the template and the tree. Nothing may panic or hang, and the two engines must agree.
//!
//! `WIDGETCAST_FUZZ_RUNS=50000 cargo test -p widgetcast-core --test core fuzz` runs longer.

use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::shared;
use widgetcast_core::{
    Catalog, Finding, Kind, Limits, Schema, Severity, Widget, check_tree, fix, text_of, tool_name,
};

/// Any JSON, with keys and texts that mean something to the engine.
fn any_json() -> impl Strategy<Value = Value> {
    let word = prop_oneof![
        Just("type".to_owned()),
        Just("children".to_owned()),
        Just("Card".to_owned()),
        Just("Text".to_owned()),
        Just("value".to_owned()),
        Just("ListView".to_owned()),
        Just("{{ a }}".to_owned()),
        ".{0,12}",
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        word.clone().prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 60, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::Array),
            prop::collection::vec((word.clone(), inner), 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

/// What is wrong with a tree, without the places.
fn faults(tree: &Value) -> BTreeSet<String> {
    let findings = check_tree(&tree.to_string(), &Limits::default());
    findings.iter().map(|finding| finding.error.message().to_owned()).collect()
}

/// The same tree with the keys of all objects in the opposite order.
fn reversed(tree: &Value) -> Value {
    match tree {
        Value::Array(items) => items.iter().map(reversed).collect(),
        Value::Object(members) => {
            members.iter().rev().map(|(key, value)| (key.clone(), reversed(value))).collect()
        }
        scalar => scalar.clone(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn any_tree_is_judged(tree in any_json()) {
        text_of(&tree);
        // Whichever way the keys are ordered, the same faults are found.
        prop_assert_eq!(faults(&tree), faults(&reversed(&tree)));
    }

    #[test]
    fn any_text_is_judged(text in ".{0,200}") {
        check_tree(&text, &Limits::default());
        let _ = Widget::parse(&text);
        let _ = fix(&text);
        let name = tool_name(&text);
        prop_assert!(name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_'));
    }

    #[test]
    fn any_schema_and_any_data(schema in any_json(), data in any_json()) {
        if let Ok(schema) = Schema::compile(&schema) {
            let _ = schema.validate(&data);
        }
    }

    /// A template of slots renders what it is given, both ways, whatever it is given.
    #[test]
    fn slots_hold_any_data(a in any_json(), b in ".{0,40}") {
        let template = r#"{"type":"Card","children":[{%- set _c -%}{%-for x in a -%},{"type":"Text","value":{{ (x ~ b) | tojson }}}{%-endfor-%}{%-if b -%},{"type":"Caption","value":"{{ b }}"}{%-else-%}{%-endif-%}{%- endset -%}{{- (_c[1:] if _c and _c[0] == ',' else _c) -}}],"status":{"text":{{ b | tojson }},"icon":{{ a | tojson }}}}"#;
        let text = json!({"version": "1.0", "name": "p", "template": template}).to_string();
        let widget = Widget::parse(&text).unwrap();
        prop_assert!(widget.is_fast());
        let data = json!({"a": a, "b": b});
        let fast = widget.render_unvalidated(&data).map(|view| shared::normal(&view.tree())).map_err(|e| e.kind());
        let slow = widget.render_slowly(&data).map(|view| shared::normal(&view.tree())).map_err(|e| e.kind());
        prop_assert_eq!(fast, slow);
        shared::compare_texts(&widget, &data);
    }
}

#[test]
fn mutations_of_the_gallery() {
    let runs = std::env::var("WIDGETCAST_FUZZ_RUNS").ok().and_then(|runs| runs.parse().ok());
    let runs = runs.unwrap_or(300u64);
    let seeds: Vec<String> = shared::files(&shared::project("crates/cli/widgets"), "widget")
        .into_iter()
        .map(|file| {
            // Without its preview and sample, a definition is nearly all template and schema.
            let mut widget = shared::json(&file);
            widget
                .as_object_mut()
                .unwrap()
                .retain(|key, _| !matches!(key.as_str(), "outputJsonPreview"));
            widget.to_string()
        })
        .collect();
    let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ runs);
    let mut rendered = 0;
    for _ in 0..runs {
        let mut bytes = seeds[random.below(seeds.len())].clone().into_bytes();
        for _ in 0..=random.below(6) {
            mutate(&mut bytes, &seeds, &mut random);
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let _ = fix(&text);
        if let Ok(widget) = Widget::parse(&text) {
            let sample = widget.sample();
            let fast = widget.render_unvalidated(&sample);
            let slow = widget.render_slowly(&sample);
            match (&fast, &slow) {
                (Ok(a), Ok(b)) => {
                    assert_eq!(shared::normal(&a.tree()), shared::normal(&b.tree()), "{text}");
                    let findings = check_tree(a.json(), &Limits::default());
                    // A required prop that was null is dropped, and missing from then on.
                    let is_fine = |finding: &Finding| {
                        finding.severity != Severity::Error
                            || finding.error.kind() == Kind::TreeMissing
                    };
                    assert!(findings.iter().all(is_fine), "{findings:?}\n{text}");
                    shared::compare_texts(&widget, &sample);
                    rendered += 1;
                }
                (Err(a), Err(b)) => assert_eq!(a.kind(), b.kind(), "{text}"),
                _ => panic!("one engine failed: {fast:?} {slow:?}\n{text}"),
            }
        }
    }
    println!("{rendered} of {runs} mutated definitions render");
    assert!(rendered > runs / 20, "hardly any mutated definition renders");
    let dir = std::env::temp_dir().join(format!("widgetcast-fuzz-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    std::fs::write(dir.join("a.widget"), [0xff, 0xfe, b'{']).unwrap();
    assert!(Catalog::from_dir(&dir).unwrap().is_empty());
    std::fs::remove_dir_all(&dir).unwrap();
}

/// Pieces that a random byte would take long to find.
const TOKENS: &[&str] = &[
    "{{ ",
    " }}",
    "{% if a %}",
    "{% endif %}",
    "{% for x in items %}",
    "{% endfor %}",
    " | tojson",
    " ~ ",
    "===",
    "\\\"children\\\":[]",
    "\\\"type\\\":\\\"Text\\\"",
    ",",
    "[",
    "]",
    "{",
    "}",
    "\\\"",
    "null",
    "1e999",
    "-0.0",
    "\\ud800",
    "undefined",
    "loop.index",
    "_c[1:]",
    " if a else b",
    "{% set _c %}",
    "{% endset %}",
    "\u{0}",
    "\u{feff}",
];

fn mutate(bytes: &mut Vec<u8>, seeds: &[String], random: &mut Random) {
    if bytes.is_empty() {
        bytes.push(b'{');
    }
    let at = random.below(bytes.len());
    let span = at..(at + 1 + random.below(30)).min(bytes.len());
    match random.below(6) {
        0 => bytes[at] = random.below(256) as u8,
        1 => drop(bytes.drain(span)),
        2 => {
            let copy = bytes[span].to_vec();
            let to = random.below(bytes.len());
            bytes.splice(to..to, copy);
        }
        3 => {
            let other = seeds[random.below(seeds.len())].as_bytes();
            let from = random.below(other.len());
            let piece = &other[from..(from + random.below(200)).min(other.len())];
            bytes.splice(at..at, piece.iter().copied());
        }
        _ => {
            let token = TOKENS[random.below(TOKENS.len())];
            bytes.splice(at..at, token.bytes());
        }
    }
}

/// Xorshift: enough to fuzz with, and the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}
