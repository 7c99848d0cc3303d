use proptest::prelude::*;
use serde_json::{Value, json};

use super::line::push_words;
use super::{fold, fold_text};

fn card(children: &Value) -> String {
    fold(&json!({"type": "Card", "children": children}))
}

fn text(value: &str) -> Value {
    json!({"type": "Text", "value": value})
}

#[test]
fn text_is_no_syntax_by_accident() {
    for (line, expected) in [
        ("# 1", "\\# 1"),
        ("## 1", "\\## 1"),
        ("- a", "\\- a"),
        ("-\ta", "\\-\ta"),
        ("+ a", "\\+ a"),
        ("* c", "\\* c"),
        ("> b", "\\> b"),
        (">b", "\\>b"),
        ("---", "\\---"),
        ("===", "\\==="),
        ("___", "\\___"),
        ("```", "\\```"),
        ("```rust", "\\```rust"),
        ("~~~", "\\~~~"),
        ("| d", "\\| d"),
        ("|d", "\\|d"),
        // No syntax.
        ("#7", "#7"),
        ("-1 day", "-1 day"),
        ("**e**", "**e**"),
        ("3 > 2", "3 > 2"),
        ("a | b", "a | b"),
        ("``a", "``a"),
        ("~~a", "~~a"),
        ("a  ", "a"),
    ] {
        assert_eq!(card(&json!([text(line)])), expected, "{line:?}");
    }
    // The first line is trimmed; an indent before the syntax of the next is dropped.
    assert_eq!(card(&json!([text("a\n  - b\n  c")])), "a\n\n\\- b\n\n  c");
    let rows = json!([{"type": "Row", "children": [text("- a"), text("b")]}]);
    assert_eq!(card(&rows), "\\- a b");
}

#[test]
fn markdown_is_passed_on() {
    let nodes = json!([text("Before"), {"type": "Markdown", "value": "# A\n\n\n\n- b | c\n"}, text("After")]);
    assert_eq!(card(&nodes), "Before\n\n# A\n\n- b | c\n\nAfter");
}

#[test]
fn there_are_no_empty_parts() {
    let nodes = json!([
        {"type": "Title", "value": " "}, {"type": "Divider"}, {"type": "Divider"}, {"type": "Text"},
        {"type": "Row", "children": []}, {"type": "Table", "children": []}, text("a\n\n\n\nb"),
        {"type": "Divider"}, {"type": "Divider"}, {"type": "Title", "value": "Next"},
        {"type": "ListView", "children": []}, {"type": "Image", "src": "x"}, {"type": "Divider"}]);
    assert_eq!(card(&nodes), "a\n\nb\n\n## Next");
    assert_eq!(fold(&json!(null)), "");
}

#[test]
fn a_label_stands_with_its_value() {
    let nodes = json!([
        {"type": "Row", "children": [text("Total:"), {"type": "Spacer"}, text("$9")]},
        {"type": "Row", "children": [
            {"type": "Col", "children": [{"type": "Caption", "value": "Gate"}, text("B22")]},
            {"type": "Col", "children": [{"type": "Caption", "value": "Seat"}, text("14A")]}]},
        {"type": "Row", "children": [
            {"type": "Col", "children": [{"type": "Title", "value": "24"}, {"type": "Caption", "value": "Matches"}]},
            {"type": "Badge", "label": "new"}]}]);
    assert_eq!(card(&nodes), "Total: $9\n\nGate: B22 · Seat: 14A\n\n**24** Matches [new]");
}

#[test]
fn fields_are_prompts() {
    let nodes = json!([
        {"type": "Label", "value": "Name", "fieldName": "n"},
        {"type": "Input", "name": "n", "required": true, "placeholder": "Ada"},
        {"type": "Label", "value": "Room", "fieldName": "r"},
        {"type": "Select", "name": "r", "defaultValue": "b", "options": [
            {"value": "a", "label": "Garden", "description": "€9"}, {"value": "b", "label": "Loft"},
            {"value": "c", "label": "Attic", "disabled": true}]},
        {"type": "Checkbox", "name": "c", "label": "Breakfast", "defaultChecked": true},
        {"type": "DatePicker", "name": "d", "placeholder": "Day", "defaultValue": "2027-05-14T00:00:00Z"},
        {"type": "Input", "name": "key", "inputType": "password", "defaultValue": "hunter2"},
        {"type": "Textarea", "name": "t", "defaultValue": "one\n\n- two"},
        {"type": "Row", "children": [text("For whom?"), {"type": "Input", "name": "w", "defaultValue": "me"}]},
        {"type": "Label", "value": "Lonely", "fieldName": "none"}]);
    assert_eq!(
        card(&nodes),
        "- Name (required): ____ (Ada)\n- Room: Garden, €9 | Loft (chosen) | Attic (not available)\n\
         - [x] Breakfast\n- Day: 2027-05-14\n- key: ••••\n- t:\n\n  one\n\n  \\- two\n- For whom? me\n\nLonely"
    );
}

/// Fields side by side are entries of the same list; a row with a button is none.
#[test]
fn a_form_is_a_list_of_fields() {
    let field = |name: &str| {
        json!({"type": "Col", "children": [
        {"type": "Label", "value": name, "fieldName": name}, {"type": "Input", "name": name}]})
    };
    let nodes = json!([
        text("Who comes?"),
        {"type": "Row", "children": [field("First"), field("Last")]},
        {"type": "Row", "children": [field("Code"), {"type": "Button", "label": "Send"}]}]);
    assert_eq!(card(&nodes), "Who comes?\n\n- First: ____\n- Last: ____\n\nCode: ____ [Send]");
}

/// An entry that has a heading, a text of several lines and a table keeps them apart, below its mark.
#[test]
fn an_entry_of_several_paragraphs_is_indented() {
    let rows = json!({"type": "Chart", "data": [{"m": "May", "v": 1}], "series": [{"type": "bar", "dataKey": "v"}],
        "xAxis": {"dataKey": "m"}});
    let item = json!({"type": "ListViewItem", "children": [{"type": "Col", "children": [
        {"type": "Title", "value": "Order seven"}, text("one\ntwo"), rows]}]});
    let list = json!({"type": "ListView", "children": [item, {"type": "ListViewItem", "children": [text("last")]}]});
    assert_eq!(
        fold(&list),
        "- Order seven\n\n  one\n\n  two\n\n  | m | v |\n  | --- | --- |\n  | May | 1 |\n- last"
    );
}

#[test]
fn tables_and_charts_are_tables() {
    let cell = |node: Value| json!({"type": "Table.Cell", "children": [node]});
    let mut wide = cell(text("a|b"));
    wide["colSpan"] = 2.into();
    let nodes = json!([
        text("Above"),
        {"type": "Table", "children": [
            {"type": "Table.Row", "header": true, "children": [cell(text("A")), cell(text("B"))]},
            {"type": "Table.Row", "children": [wide]},
            {"type": "Table.Row", "children": [cell(json!({"type": "Icon", "name": "check"}))]}]},
        {"type": "Chart", "xAxis": {"dataKey": "m"}, "data": [{"m": "Jan", "v": 1.0}, {"m": "Feb"}],
            "series": [{"type": "bar", "dataKey": "v", "label": "Sales"}]}]);
    assert_eq!(
        card(&nodes),
        "Above\n\n| A | B |\n| --- | --- |\n| a\\|b |  |\n| ✓ |  |\n\n\
         | m | Sales |\n| --- | --- |\n| Jan | 1 |\n| Feb |  |"
    );
}

#[test]
fn a_list_is_a_list() {
    let item = |children: Value| json!({"type": "ListViewItem", "children": children});
    let tree = json!({"type": "ListView", "status": {"text": "2 found"}, "children": [
        item(json!([{"type": "Image", "src": "x", "alt": "Ada"}, text("Ada")])),
        item(json!([{"type": "Card", "children": [{"type": "Title", "value": "Letter"}, text("from Bob")]}]))]});
    assert_eq!(fold(&tree), "_2 found_\n\n- Ada\n- Letter\n\n  from Bob");
}

#[test]
fn actions_are_named() {
    let tree = json!({"type": "Card",
        "confirm": {"label": "Send", "action": {"type": "s"}}, "cancel": {"label": "Drop", "action": {"type": "d"}},
        "children": [{"type": "Row", "children": [
            {"type": "Button", "label": "Site", "onClickAction": {"type": "o", "payload": {"url": "https://a.example"}}},
            {"type": "Button", "iconStart": "play"}, {"type": "Button"}]}]});
    assert_eq!(fold(&tree), "[Site](https://a.example) [play]\n\n[Send] [Drop]");
}

#[test]
fn control_characters_are_dropped() {
    assert_eq!(card(&json!([text("a\u{1b}[31mb\u{7}\tc")])), "a[31mb\tc");
}

#[test]
fn json_is_read_as_it_is_written() {
    // Escapes in names and values, white space, members in any order, of equal names the last.
    let json = r#" { "children" : [ { "value":"a", "val\u0075e" : "\u00e9\n\"b\"" , "type":"Text" },
        {"type":"Chart", "data":[{"m\n":1.50,"v":-0}], "xAxis":"m\n", "series":[{"dataKey":"v","x":{"y":["}"]}}]},
        {"type":"Text","skipped":{"a":["]","\\",1e3]},"value":12e20}, null, 7 ], "type" : "Card" } "#;
    let value: Value = serde_json::from_str(json).unwrap();
    let text = "é\n\n\"b\"\n\n| m | v |\n| --- | --- |\n| 1.5 | 0 |\n\n1.2e+21";
    assert_eq!((fold_text(json), fold(&value)), (text.to_owned(), text.to_owned()));
    for broken in
        ["", "{", "[", "\"", "\"\\", "{\"type\":\"Card\"} 1", "{\"type\" \"Card\"}", "nul", "-"]
    {
        assert_eq!(fold_text(broken), "", "{broken}");
    }
}

/// Trees with everything that is read in more than one way.
fn trees() -> [Value; 2] {
    [
        json!({"type": "Card", "status": {"text": "New"}, "confirm": {"label": "Send"}, "children": [
            {"type": "Title", "value": "Größe"}, {"type": "Row", "children": [
                {"type": "Caption", "value": "a\n\u{7f}b"}, {"type": "Spacer"}, {"type": "Text", "value": 1.0}]},
            {"type": "Label", "value": "Who?", "fieldName": "n"},
            {"type": "Select", "name": "n", "options": [{"label": "x", "value": "1"}], "defaultValue": "1"},
            {"type": "Text", "value": "t", "editable": {"name": "e", "required": true}}]}),
        json!({"type": "ListView", "children": [{"type": "ListViewItem", "children": [
            {"type": "Image", "alt": "A"}, {"type": "Col", "children": [{"type": "Title", "value": "Long title"},
                {"type": "Badge", "label": "b"}, {"type": "Markdown", "value": "# M\n\n- x"}]}]},
            {"type": "Table", "children": [{"type": "Table.Row", "children": [
                {"type": "Table.Cell", "colSpan": 2, "children": {"type": "Icon", "name": "check"}}]}]},
            {"type": "Chart", "xAxis": {"dataKey": "m"}, "data": [{"m": "x|y", "é\"": true}],
                "series": [{"dataKey": "é\""}]}]}),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever a single byte is changed to, nothing breaks, and layout makes no difference.
    #[test]
    fn any_text_is_survived(at in any::<usize>(), byte in 0u8..0x80) {
        for tree in trees() {
            let mut bytes = tree.to_string().into_bytes();
            let at = at % bytes.len();
            bytes[at] = byte;
            let text = String::from_utf8_lossy(&bytes);
            let folded = fold_text(&text);
            if let Ok(value) = serde_json::from_str::<Value>(&text) {
                prop_assert_eq!(&folded, &fold(&value));
                prop_assert_eq!(&folded, &fold_text(&format!("{value:#}")));
            }
            fold_text(&String::from_utf8_lossy(&bytes[..at]));
        }
    }

    /// Every white space there is, among words of one to four bytes a letter.
    #[test]
    fn words_have_one_space_between_them(text in "([a-z·é漢🙂]{0,3}|\\s|[\u{85}\u{a0}\u{2003}\u{3000} ]){0,12}") {
        let mut out = String::new();
        push_words(&text, &mut out);
        prop_assert_eq!(out, text.split_whitespace().collect::<Vec<_>>().join(" "));
    }
}
