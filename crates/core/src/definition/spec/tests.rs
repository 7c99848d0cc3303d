use super::marks::Marks;
use super::*;

#[test]
fn minifies_outside_strings_only() {
    let json = "{ \"a b\" : [ 1, \"c \\\" d\\\\\" , \"\" ] }";
    assert_eq!(&*minify(json), r#"{"a b":[1,"c \" d\\",""]}"#);
}

#[test]
fn yaml_and_json_say_the_same() {
    let yaml =
        "version: 1.0\nname: Note\ntemplate: |\n  {\"type\":\"Card\",\n   \"children\":[]}\n";
    let json =
        r#"{"version":"1.0","name":"Note","template":"{\"type\":\"Card\",\n \"children\":[]}\n"}"#;
    let [yaml, json] = [yaml, json].map(|text| Source::read(text).unwrap().spec().unwrap());
    assert_eq!(yaml.template, json.template);
    assert_eq!(yaml.name, json.name);
}

/// Every character of a text that is not white space is found where it is written.
#[test]
fn every_style_is_walked() {
    for source in [
        "a: plain text here\nb: 1\n",
        "a: over\n  two\n\n  lines # not this\n",
        "a: 'it''s\n  folded'\n",
        "a: \"q \\\" \\u00e9 \\ud83d\\ude00 é\n  fold \\\n     on \\x41\"\n",
        "a: |\n\n  {\"x\":\n     1}\n\n  y\nb: 1\n",
        "a: |2-\n     x\n   y",
        "a: |\r\n  one\r\n  two\r\n",
        "a: >-\n  one\n  two\n\n\n  three\n    more\n  end\n",
        "a: >+\n\n  one\n\n",
    ] {
        let marks = Marks::read(source);
        let scalar = marks.scalar("/a").expect(source);
        for (at, c) in scalar.text.char_indices().filter(|(_, c)| !c.is_whitespace()) {
            let range = scalar.range_in(source, &(at..at + c.len_utf8()));
            let written = &source[range.unwrap_or_else(|| panic!("{source:?} {at}"))];
            let is_escape = written.starts_with('\\') || written == "''";
            assert!(written == c.to_string() || is_escape, "{source:?} {at}: {written:?}");
        }
        let end = scalar.text.len();
        assert!(scalar.range_in(source, &(end..end)).is_some(), "{source:?}");
    }
}

#[test]
fn texts_are_written_in_the_style_of_the_scalar() {
    let encoded = |source: &str, text: &str| {
        let marks = Marks::read(source);
        marks.scalar("/a").expect(source).encoded(source, text)
    };
    assert_eq!(encoded("a: |\n   x\n", "1\n2").as_deref(), Some("1\n   2"));
    assert_eq!(encoded("a: 'x'\n", "it's").as_deref(), Some("it''s"));
    assert_eq!(encoded("a: \"x\"\n", "\"\n").as_deref(), Some("\\\"\\n"));
    assert_eq!(encoded("a: x\n", "y").as_deref(), Some("y"));
    assert_eq!(encoded("a: x\n", "1\n2"), None);
}
