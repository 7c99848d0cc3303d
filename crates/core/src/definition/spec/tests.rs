use super::marks::Marks;
use super::*;

use proptest::prelude::*;

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
    let [yaml, json] =
        [yaml, json].map(|text| Source::read(text).unwrap().spec(Path::new("")).unwrap());
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

/// A text in every style that can hold it.
fn styles(text: &str) -> Vec<String> {
    let is_line = !text.contains('\n') && !text.trim().is_empty();
    let mut written = vec![format!("a: {}\n", Value::from(text))];
    if is_line {
        written.push(format!("a: '{}'\n", text.replace('\'', "''")));
    }
    if !text.trim().is_empty() && !text.starts_with('\n') && !text.ends_with('\n') {
        written.push(format!("a: |3-\n   {}\n", text.replace('\n', "\n   ")));
    }
    written
}

proptest! {
    /// Wherever a text is cut, the cut is found in the file: replacing a range there gives the text with
    /// that range replaced.
    #[test]
    fn any_range_can_be_replaced(
        text in "[a-c {}%\"'\\\\\né😀:#-]{1,30}",
        cut in (0usize..30, 0usize..30),
    ) {
        let boundary = |at: usize| {
            let at = at.min(text.len());
            (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
        };
        let (start, end) = (boundary(cut.0.min(cut.1)), boundary(cut.0.max(cut.1)));
        let replaced = format!("{}NEW{}", &text[..start], &text[end..]);
        for source in styles(&text) {
            let marks = Marks::read(&source);
            let scalar = marks.scalar("/a").expect("a scalar");
            prop_assert_eq!(scalar.text, &text, "{}", source);
            let range = scalar.range_in(&source, &(start..end)).expect("a range");
            let edited = format!("{}NEW{}", &source[..range.start], &source[range.end..]);
            let marks = Marks::read(&edited);
            let found = marks.scalar("/a").map(|scalar| scalar.text.to_owned());
            prop_assert_eq!(found, Some(replaced.clone()), "{} {:?}", source, range);
        }
    }

    /// No text, YAML or not, is too odd to be looked up in.
    #[test]
    fn any_text_can_be_looked_up_in(text in "[a-c:{}\\[\\],\"'|>&*#\\-\\\\ \t\r\né]{0,60}") {
        let layout = Layout::read(&text);
        for pointer in ["", "/a", "/a/b/0", "/b/1/c"] {
            let _ = locate::place(&text, &layout.range(pointer));
            let _ = layout.range_in(&text, pointer.trim_start_matches('/'), &(1..3));
        }
    }
}

/// Every item of a list is recorded with its pointer, which a long key makes long.
#[test]
fn the_pointers_of_a_tree_are_bounded() {
    let items = "      - 1\n".repeat(10_000);
    let text = format!("widget:\n  type: Card\n  ? {}\n  :\n{items}", "k".repeat(50_000));
    let pieces = super::yaml::pieces(&text);
    let bytes: usize = pieces.iter().map(|piece| piece.pointer.len()).sum();
    assert!(!pieces.is_empty() && bytes <= 16 << 20, "{bytes}");
}
