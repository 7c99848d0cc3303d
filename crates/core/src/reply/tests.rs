use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Json, Reply, write_string};

#[test]
fn a_key_of_meta_is_replaced() {
    let mut reply = Reply::default();
    reply.set_meta("a", json!(1));
    reply.set_meta("b".to_owned(), Json::string("2"));
    reply.set_meta("a", json!(3));
    assert_eq!(reply.to_json()["_meta"], json!({"a": 3, "b": "2"}));
}

#[test]
fn an_empty_reply_is_one() {
    assert_eq!(Reply::default().into_text("{"), r#"{"content":[],"isError":false}"#);
    let failed = Reply { is_error: true, ..Reply::default() };
    assert_eq!(failed.to_json(), json!({"content": [], "isError": true}));
}

#[test]
fn what_cannot_be_read_is_not_taken() {
    for text in ["", "{", "[1,]", "nul", r#""\ud800""#, "1e999", "1 2", "\u{feff}1", "\"\n\""] {
        assert!(Json::parse(text.to_owned()).is_err(), "{text}");
    }
    assert!(Json::parse("[".repeat(200) + &"]".repeat(200)).is_err());
    let text = "{\r\n  \"a\\n\": [null, true, -1, 1.5, \"\u{2028}\"]\n}";
    let json = Json::parse(text.to_owned()).unwrap();
    assert_eq!(
        json.to_string(),
        r#"{  "a\n": [null, true, -1, 1.5, " "]}"#.replace("\" \"", "\"\u{2028}\"")
    );
    assert_eq!(json.to_value(), json!({"a\n": [null, true, -1, 1.5, "\u{2028}"]}));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_string_is_written_as_serde_writes_it(text in any::<String>(), controls in "[\\x00-\\x7f]{0,80}") {
        for text in [&text, &controls, &(text.clone() + &controls)] {
            let mut out = String::new();
            write_string(text, &mut out);
            prop_assert_eq!(out, Value::from(text.as_str()).to_string());
        }
    }
}

#[test]
fn every_byte_is_escaped_as_serde_does() {
    for byte in 0..=0x7f_u8 {
        for before in 0..20 {
            let text = format!("{}{}é{}", "a".repeat(before), char::from(byte), "b".repeat(9));
            let mut out = String::new();
            write_string(&text, &mut out);
            assert_eq!(out, serde_json::to_string(&text).unwrap(), "{byte} after {before}");
        }
    }
}
