use serde_json::{Value, json};
use unicode_width::UnicodeWidthStr;

use super::*;

const PLAIN: TerminalOptions = TerminalOptions { width: 60, colour: false, links: false };

fn at(width: usize, children: &Value) -> String {
    terminal(&json!({"type": "Card", "children": children}), &TerminalOptions { width, ..PLAIN })
}

/// The content of the frame, without trailing spaces.
fn inside(width: usize, children: &Value) -> String {
    let drawn = at(width, children);
    let lines: Vec<&str> = drawn.lines().collect();
    let content = lines[1..lines.len() - 1]
        .iter()
        .map(|line| line.trim_start_matches("│ ").trim_end_matches('│').trim_end());
    content.collect::<Vec<_>>().join("\n")
}

fn text(value: &str) -> Value {
    json!({"type": "Text", "value": value})
}

/// Without escape sequences; others than colours and links fail.
fn strip(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('\x1b') {
        out += &rest[..at];
        let sequence = &rest[at + 1..];
        let end = match sequence.as_bytes().first() {
            Some(b'[') => sequence.find('m').expect("an end") + 1,
            Some(b']') => sequence.find("\x1b\\").expect("an end") + 2,
            other => panic!("an escape of another kind: {other:?}"),
        };
        rest = &sequence[end..];
    }
    out + rest
}

/// A tree with everything in it, with a text in every place.
fn everything(text: &str) -> Value {
    let t = |value: &str| json!({"type": "Text", "value": value});
    let title = json!({"type": "Title", "value": text});
    let small = json!({"type": "Caption", "value": text});
    let badge = json!({"type": "Badge", "label": text, "color": "danger"});
    let button = json!({"type": "Button", "label": text, "iconStart": "check", "disabled": true,
        "onClickAction": {"type": "open_url", "payload": {"url": "https://example.com/a?b=c"}}});
    let row = |children: Value| json!({"type": "Row", "children": children});
    let col = |children: Value| json!({"type": "Col", "children": children});
    let cell = |child: &Value, align: &str| json!({"type": "Table.Cell", "align": align, "children": [child]});
    let meter = json!({"type": "Box", "width": "100%", "height": 4, "background": "gray-100", "children": [
        {"type": "Box", "width": "40%", "height": 4, "background": "blue-500"}]});
    let options = json!([{"value": "a", "label": text, "description": text}, {"value": "b", "label": text, "disabled": true}]);
    let data = json!([{"x": text, "a": 1, "b": -2.5}, {"x": "q", "a": 1e308, "b": "n"}]);
    json!({"type": "Card", "children": [
        row(json!([badge, title, {"type": "Spacer"}, small])),
        {"type": "Divider"},
        row(json!([small, {"type": "Spacer"}, t(text)])), row(json!([small, {"type": "Spacer"}, t("1")])),
        meter,
        {"type": "ListView", "children": [
            {"type": "ListViewItem", "children": [row(json!([{"type": "Icon", "name": "check"}, col(json!([t(text), small])), button]))]},
            {"type": "ListViewItem", "children": [row(json!([{"type": "Icon", "name": "user"}, col(json!([t("b"), small])), button]))]}]},
        {"type": "Table", "children": [
            {"type": "Table.Row", "header": true, "children": [cell(&t(text), "start"), cell(&t("n"), "end")]},
            {"type": "Table.Row", "children": [cell(&badge, "start"), cell(&t("1234567"), "end")]},
            {"type": "Table.Row", "children": [cell(&small, "start"), cell(&button, "end")]}]},
        {"type": "Chart", "xAxis": "x", "data": data, "series": [
            {"type": "bar", "dataKey": "a", "label": text}, {"type": "line", "dataKey": "b"}]},
        {"type": "Image", "src": "https://example.com/i.png", "alt": text},
        {"type": "Box", "background": "yellow-50", "border": 1, "children": [row(json!([col(json!([t(text), button])), col(json!([small, meter]))]))]},
        {"type": "Form", "children": [
            {"type": "Label", "value": text, "fieldName": "n"}, {"type": "Input", "name": "n", "placeholder": text, "required": true},
            {"type": "Textarea", "name": "t", "defaultValue": text}, {"type": "Select", "name": "s", "options": options, "defaultValue": "a"},
            {"type": "RadioGroup", "name": "r", "options": options}, {"type": "Checkbox", "name": "c", "label": text}]},
        {"type": "Markdown", "value": format!("# {text}\n\n> - **{text}** [{text}](https://example.com)\n\n```\n{text}\n```\n\n| {text} | b |\n|---|---|\n| c | {text} |")},
        button]})
}

const TEXTS: [&str; 6] = [
    "a",
    "the quick brown fox jumps over the lazy dog",
    "Wärmedämmverbundsystemausschreibungsunterlagen",
    "北大路バスターミナル、河原町通 経由",
    "نورة بنت عبدالرحمن السبيعي",
    "👩‍👩‍👧‍👦🇩🇪e\u{301}\u{301} zwei\nZeilen",
];

#[test]
fn no_line_is_wider_than_asked() {
    for tree in TEXTS.map(everything) {
        for width in [1, 2, 5, 9, 15, 16, 19, 20, 24, 33, 50, 80, 120, 1000] {
            for colour in [false, true] {
                let options = TerminalOptions { width, colour, links: colour };
                let drawn = strip(&terminal(&tree, &options));
                for line in drawn.lines() {
                    assert!(line.width() <= width, "{width}: {line:?}\n{drawn}");
                }
            }
        }
    }
}

#[test]
fn no_text_is_cut() {
    // Columns are side by side and lines wrap: count the words, wherever they are.
    let tree = everything("alpha bravo");
    for width in [20, 30, 45, 80, 200] {
        let drawn = terminal(&tree, &TerminalOptions { width, ..PLAIN });
        let count = |word: &str| drawn.matches(word).count();
        assert!(count("alpha") >= 36, "{} at {width}\n{drawn}", count("alpha"));
        assert_eq!(count("alpha"), count("bravo"), "{width}\n{drawn}");
    }
}

#[test]
fn data_is_no_control_sequence() {
    let evil = "a\x1b[31mred\x1b]8;;https://x\x07b \u{9b}2J \u{202e}txt\u{7f}\tc\r\nd\u{2028}e";
    for colour in [false, true] {
        let options = TerminalOptions { width: 70, colour, links: true };
        let drawn = strip(&terminal(&everything(evil), &options));
        assert!(!drawn.chars().any(|c| c.is_control() && c != '\n'), "{drawn:?}");
        assert!(!drawn.contains('\u{202e}'));
    }
    let plain = terminal(&everything("x"), &TerminalOptions { links: true, ..PLAIN });
    assert!(!plain.contains('\x1b'));
}

#[test]
fn a_card_has_a_frame_that_rules_join() {
    let row = json!({"type": "Row", "children": [
        text("Total"), {"type": "Spacer"}, {"type": "Badge", "label": "Paid"}]});
    let drawn = at(24, &json!([{"type": "Title", "value": "Order"}, {"type": "Divider"}, row]));
    let expected = "\
╭──────────────────────╮
│ Order                │
├──────────────────────┤
│ Total         [Paid] │
╰──────────────────────╯
";
    assert_eq!(drawn, expected);
    assert_eq!(at(12, &json!([{"type": "Title", "value": "Order"}])), "Order\n");
}

#[test]
fn items_are_laid_out_alike() {
    let item = |name: &str, end: &str| {
        json!({"type": "ListViewItem", "children": [{"type": "Row", "children": [
        {"type": "Col", "children": [text(name), {"type": "Caption", "value": "small"}]}, {"type": "Spacer"}, text(end)]}]})
    };
    let list =
        |end| json!([{"type": "ListView", "children": [item("one", "1"), item("two", end)]}]);
    let short = inside(40, &list("2"));
    assert_eq!(
        short,
        "one                                1\n  small\ntwo                                2\n  small"
    );
    // Where one end takes too many columns, all ends are below.
    let long = inside(40, &list("an end that takes more than half"));
    assert!(!long.lines().any(|line| line.starts_with("one ")), "{long}");
}

#[test]
fn a_table_is_as_wide_as_its_content() {
    let cell = |value: &str, align: &str| json!({"type": "Table.Cell", "align": align, "children": [text(value)]});
    let row = |name: &str, price: &str| json!({"type": "Table.Row", "children": [cell(name, "start"), cell(price, "end")]});
    let head = json!({"type": "Table.Row", "header": true, "children": [cell("Item", "start"), cell("Price", "end")]});
    let table = json!([{"type": "Table", "children": [head, row("Bread and butter", "1 234,00"), row("Tea", "9")]}]);
    let wide = "Item                 Price\n──────────────────────────\nBread and butter  1 234,00\nTea                      9";
    assert_eq!(inside(60, &table), wide);
    // Words wrap, numbers never do.
    let narrow = inside(24, &table);
    assert!(narrow.contains("Bread and   1 234,00"), "{narrow}");
    let records = inside(
        20,
        &json!([{"type": "Table", "children": [head, row("Breadandbutter", "1 234,00")]}]),
    );
    assert_eq!(records, "Item:\nBreadandbutter\nPrice: 1 234,00");
    let empty = inside(40, &json!([{"type": "Table", "children": [head]}]));
    assert!(empty.ends_with("\nNothing here"), "{empty}");
}

#[test]
fn bars_show_where_they_begin_and_end() {
    let bar = |margin: &str, width: &str| {
        json!({"type": "Box", "width": "100%", "height": 6, "background": "gray-100",
        "children": [{"type": "Box", "margin": {"left": margin}, "width": width, "height": 6, "background": "blue-500"}]})
    };
    assert_eq!(inside(60, &json!([bar("0%", "50%")])), "██████████░░░░░░░░░░");
    assert_eq!(inside(60, &json!([bar("0%", "1%")])), "█░░░░░░░░░░░░░░░░░░░");
}

#[test]
fn charts_show_every_value() {
    let chart = |data: Value| {
        json!([{"type": "Chart", "xAxis": "x", "data": data, "series": [
        {"type": "bar", "dataKey": "a", "label": "Ay"}]}])
    };
    let data = json!([{"x": "Mon", "a": 4}, {"x": "Tue", "a": -2}, {"x": "Wed", "a": "?"}]);
    let drawn = inside(24, &chart(data));
    assert_eq!(drawn, "Mon     █████████ 4\nTue ████ -2\nWed ?\n█ Ay");
    let many: Vec<Value> = (0..103).map(|at| json!({"x": at, "a": 1})).collect();
    let drawn = inside(40, &chart(json!(many)));
    assert!(drawn.ends_with("99 ███████████████████████████████ 1\n3 more\n█ Ay"), "{drawn}");
    let tree = json!({"type": "Card", "children": chart(json!(many))}).to_string();
    let tree = CompactTree::read(&tree);
    let lost = Outline::of(&tree, &Default::default()).lost(&print::LACK);
    assert_eq!(lost[0].reason, "3 points and 0 series of the chart are not shown");
}

#[test]
fn fields_show_labels_values_and_options() {
    let options =
        json!([{"value": "a", "label": "Air"}, {"value": "b", "label": "Bus", "disabled": true}]);
    let drawn = inside(
        70,
        &json!([{"type": "Form", "children": [
        {"type": "Label", "value": "Name", "fieldName": "n"}, {"type": "Input", "name": "n", "placeholder": "First, last", "required": true},
        {"type": "Label", "value": "Secret", "fieldName": "p"}, {"type": "Input", "inputType": "password", "name": "p", "defaultValue": "hunter2"},
        {"type": "Label", "value": "By", "fieldName": "s"}, {"type": "Select", "name": "s", "options": options, "defaultValue": "a"},
        {"type": "Label", "value": "Or", "fieldName": "r"}, {"type": "RadioGroup", "name": "r", "options": options, "defaultValue": "a"},
        {"type": "Checkbox", "name": "c", "label": "Sure", "defaultChecked": true}]}]),
    );
    let expected = "\
Name    [ ______________________ ] First, last (required)
Secret  [ ••••                   ]
By      [ Air                    ▾ ]
          Bus (unavailable)
Or      (•) Air   ( ) Bus (unavailable)
[x] Sure";
    assert_eq!(drawn, expected);
}

#[test]
fn links_are_osc_8_or_written() {
    let button = json!({"type": "Button", "label": "Docs",
        "onClickAction": {"type": "open_url", "payload": {"url": "https://example.com/ü"}}});
    let tree = json!({"type": "Card", "children": [button]});
    let linked = terminal(&tree, &TerminalOptions { colour: true, links: true, ..PLAIN });
    assert!(linked.contains("\x1b]8;;https://example.com/%C3%BC\x1b\\"), "{linked:?}");
    assert!(terminal(&tree, &PLAIN).contains("[ Docs ] (https://example.com/%C3%BC)"));
}

/// If every level were laid out twice, forty of them would never end.
#[test]
fn deep_trees_are_printed() {
    let mut node = text("end");
    for _ in 0..40 {
        node = json!({"type": "Box", "border": 1, "children": [{"type": "Row", "children": [
            {"type": "Col", "children": [text("a b c"), {"type": "Button", "label": "x"}]},
            {"type": "Col", "children": [node, {"type": "Divider"}]}]}]});
    }
    assert!(at(80, &json!([node])).contains("end"));
}
