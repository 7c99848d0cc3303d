use proptest::prelude::*;
use serde::Deserialize;
use serde_json::json;

use super::*;

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 64, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(Value::from),
            prop::collection::vec((any::<String>(), inner.clone()), 0..24)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn it_reads_what_a_value_reads(value in any_json()) {
        let text = value.to_string();
        let again: Value = serde_json::from_str(&text).unwrap();
        let data = JsonRef::read(&text).unwrap();
        prop_assert_eq!(data.to_value(), again.clone());
        prop_assert_eq!(&data, &JsonRef::from(&again));
        prop_assert_eq!(Value::deserialize(&data).unwrap(), again.clone());
        let pretty = serde_json::to_string_pretty(&value).unwrap();
        for text in [text, pretty] {
            let data = JsonRef::read(&text).unwrap();
            prop_assert_eq!(data.text_of(&text), again.to_string());
        }
    }
}

#[test]
fn the_last_of_several_counts_at_the_position_of_the_first() {
    for more in [0, FEW, 100] {
        let more: String = (0..more).map(|at| format!(r#","m{at}":{at}"#)).collect();
        let text = format!(r#"{{"a":1,"b":2,"\u0061":3{more},"b":4}}"#);
        let value: Value = serde_json::from_str(&text).unwrap();
        let data = JsonRef::read(&text).unwrap();
        assert_eq!(data.to_value().to_string(), value.to_string());
        let members = data.as_object().unwrap();
        assert_eq!(members.get("a"), Some(&JsonRef::from(&json!(3))));
        assert_eq!(members.get("b"), Some(&JsonRef::from(&json!(4))));
        assert_eq!(members.get("c"), None);
    }
}

#[test]
fn keys_are_the_same_or_not() {
    let long = "abcdefghijklmnopqrstuvwxyz";
    for length in 0..long.len() {
        let key = &long[..length];
        assert!(same_key(key, key));
        assert!(!same_key(key, &long[..length + 1]));
        for at in 0..length {
            let mut other = key.to_owned();
            other.replace_range(at..=at, "-");
            assert!(!same_key(key, &other), "{key} {other}");
        }
    }
}

#[test]
fn texts_are_borrowed() {
    let data = JsonRef::read(r#"["plain", "a\nb"]"#).unwrap();
    let JsonRef::List(items) = data else { panic!("no list") };
    assert!(matches!(&items[0], JsonRef::Text(Cow::Borrowed("plain"))));
    assert!(matches!(&items[1], JsonRef::Text(Cow::Owned(text)) if text == "a\nb"));
}

#[test]
fn values_are_counted_while_they_are_read() {
    use crate::budget::{Budget, Exceeded};
    let limits = crate::limits::Limits { values: 200, ..Default::default() };
    let read = |text: &str| Budget::new(&limits).run(|| JsonRef::read(text).map(drop).is_ok());
    let list = |count: usize| format!("[{}0]", "0,".repeat(count - 1));
    assert_eq!(read(&list(200)), Ok(true));
    assert_eq!(read(&list(201)), Err(Exceeded::Values));
    let members = |count: usize| {
        let all: Vec<String> = (0..count).map(|n| format!("\"{n}\":0")).collect();
        format!("{{{}}}", all.join(","))
    };
    assert_eq!(read(&members(200)), Ok(true));
    assert_eq!(read(&members(201)), Err(Exceeded::Values));
    // 20 lists, and ten values in each.
    let nested = |count: usize| format!("[{}[]]", (list(10) + ",").repeat(count));
    assert_eq!(read(&nested(18)), Ok(true));
    assert_eq!(read(&nested(19)), Err(Exceeded::Values));
}

#[test]
fn a_member_is_found_wherever_it_stands() {
    let name = MemberName::from("b");
    let mut many: Vec<String> = (0..40).map(|n| format!("\"m{n}\":0")).collect();
    many.insert(20, "\"b\":1".into());
    let many = format!("{{{}}}", many.join(","));
    let texts = [r#"{"a":0,"b":1}"#, "{}", r#"{"b":1,"a":0}"#, &many, r#"{"a":0,"c":0}"#];
    for text in texts.into_iter().chain(texts) {
        let data = JsonRef::read(text).expect("JSON");
        let members = data.as_object().expect("an object");
        assert_eq!(members.find(&name), members.get("b"), "{text}");
        assert_eq!(members.find(&name).is_some(), text.contains("\"b\""));
    }
}
