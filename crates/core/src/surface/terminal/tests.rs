use std::collections::HashMap;

use proptest::prelude::*;
use serde_json::{Value, json};
use unicode_width::UnicodeWidthStr;

use super::text::columns;
use super::*;
use crate::surface::samples::{says, trees, visible, word_list};

const PLAIN: TerminalOptions = TerminalOptions { width: 60, colour: false, links: false };

fn at(width: usize) -> TerminalOptions {
    TerminalOptions { width, ..PLAIN }
}

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

fn assert_fits(tree: &Value, width: usize, colour: bool, name: &str) {
    let drawn = strip(&terminal(tree, &TerminalOptions { width, colour, links: colour }));
    for line in drawn.lines() {
        assert!(line.width() <= width, "{name} at {width}: {line:?}\n{drawn}");
        assert!(!line.chars().any(char::is_control), "{name}: {line:?}");
    }
}

fn assert_width(tree: &Value, width: usize, name: &str) {
    assert_fits(tree, width, false, name);
    assert_fits(tree, width, true, name);
}

#[test]
fn a_card_has_its_status_in_its_edge() {
    let tree = json!({"type": "Card", "status": {"text": "Paid"}, "children": [
        {"type": "Row", "children": [
            {"type": "Text", "value": "Total"}, {"type": "Spacer"}, {"type": "Text", "value": "$9"}]},
        {"type": "Divider"},
        {"type": "Row", "children": [
            {"type": "Button", "label": "Pay"}, {"type": "Badge", "label": "new"}]}]});
    assert_eq!(
        terminal(&tree, &at(24)),
        "\
╭─ Paid ───────────────╮
│ Total             $9 │
├──────────────────────┤
│ [ Pay ] [new]        │
╰──────────────────────╯
"
    );
}

#[test]
fn no_line_is_wider_than_asked() {
    for (name, tree) in trees() {
        for width in (1..20).step_by(3).chain(20..=120) {
            assert_fits(&tree, width, width % 2 == 0, &name);
        }
    }
}

/// How often each word stands in a text.
fn tally(text: &str) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for word in word_list(text) {
        *counts.entry(word).or_default() += 1;
    }
    counts
}

#[test]
fn every_text_is_drawn_and_folded() {
    let mut count = 0;
    for (name, tree) in trees() {
        let mut texts = Vec::new();
        visible(&tree, "", &mut texts);
        count += texts.len();
        // Columns stand side by side and lines wrap: count the words, wherever they are.
        let drawn = terminal(&tree, &at(100));
        let shown = tally(&drawn);
        let all: Vec<&str> = texts.iter().map(|(_, text)| text.as_str()).collect();
        for (word, times) in tally(&all.join("\n")) {
            let found = shown.get(&word).copied().unwrap_or_default();
            assert!(found >= times, "{name}: {word:?} {found} of {times} times\n{drawn}");
        }
        let folded = widgetcast_engine::tree::fold(&tree);
        for (pointer, text) in &texts {
            assert!(says(&folded, text), "{name} {pointer}: {text:?} is not folded\n{folded}");
        }
    }
    eprintln!("{count} texts");
}

#[test]
fn without_colour_there_is_no_escape() {
    for (name, tree) in trees() {
        let drawn = terminal(&tree, &TerminalOptions { width: 80, colour: false, links: true });
        assert!(!drawn.contains('\x1b'), "{name}");
    }
}

#[test]
fn data_is_no_control_sequence() {
    let evil =
        "a\x1b[31mred\x1b]8;;https://x\x07b\x1b\\ \u{9b}2J \u{202e}txt\u{7f}\tc\r\nd\u{2028}e";
    let tree = json!({"type": "Card", "status": {"text": evil}, "confirm": {"label": evil, "action": {"type": "x"}},
        "children": [
            {"type": "Text", "value": evil}, {"type": "Markdown", "value": format!("`{evil}` [{evil}](https://e.example/{evil})")},
            {"type": "Badge", "label": evil}, {"type": "Button", "label": evil, "onClickAction": {
                "type": "open", "payload": {"url": format!("https://e.example/{evil}")}}},
            {"type": "Image", "src": format!("https://e.example/{evil}"), "alt": evil},
            {"type": "Select", "name": "s", "options": [{"label": evil, "value": "v"}]},
            {"type": "Input", "name": evil, "placeholder": evil},
            {"type": "Chart", "data": [{"x": evil, "y": 1}, {"x": evil, "y": 2}], "xAxis": "x",
             "series": [{"type": "bar", "dataKey": "y", "label": evil}, {"type": "line", "dataKey": "y", "label": evil}]}]});
    for width in 1..100 {
        assert_width(&tree, width, "evil");
    }
    let drawn = terminal(&tree, &TerminalOptions { width: 80, colour: true, links: true });
    assert!(!drawn.contains('\x07') && !drawn.contains('\u{9b}') && !drawn.contains("[31mred\x1b"));
    assert!(strip(&drawn).contains("␛[31mred"));
}

#[test]
fn a_picture_is_marked_unless_its_words_are_the_weather() {
    let image = |alt: &str| json!({"type": "Image", "size": 28, "src": "data:image/png;base64,AA", "alt": alt});
    let drawn = |alt: &str| terminal(&image(alt), &at(40)).trim().to_owned();
    assert_eq!(strip(&drawn("Light rain")), "Light rain");
    assert_eq!(strip(&drawn("After the rain")), "▨ After the rain");
}

#[test]
fn wide_and_combining_characters_are_counted() {
    let tree = json!({"type": "Card", "children": [
        {"type": "Text", "value": "天気予報は晴れのち曇りで最高気温は二十五度です"},
        {"type": "Row", "children": [{"type": "Text", "value": "👩‍👩‍👧‍👦 🇵🇹 👍🏽"}, {"type": "Spacer"},
            {"type": "Text", "value": "e\u{301}te\u{301}"}]}]});
    let drawn = terminal(&tree, &at(30));
    for line in drawn.lines() {
        assert_eq!(columns(line), 30, "{line}");
    }
    assert!(drawn.contains("👩‍👩‍👧‍👦 🇵🇹 👍🏽"), "{drawn}");
    assert_eq!(text::clusters("🇵🇹🇩🇪e\u{301}x").collect::<Vec<_>>(), ["🇵🇹", "🇩🇪", "e\u{301}", "x"]);
}

#[test]
fn right_to_left_text_keeps_its_place() {
    let tree = json!({"type": "Card", "children": [
        {"type": "Title", "value": "תחזית מזג האוויר"}, {"type": "Text", "value": "طقس اليوم مشمس"}]});
    let drawn = terminal(&tree, &at(30));
    assert!(drawn.contains("│ תחזית מזג האוויר           │"), "{drawn}");
    assert!(drawn.contains("طقس اليوم مشمس"));
}

#[test]
fn empty_things_draw_nothing() {
    assert_eq!(terminal(&json!(null), &PLAIN), "");
    assert_eq!(terminal(&json!({"type": "Basic", "children": []}), &PLAIN), "");
    let tree = json!({"type": "ListView", "children": []});
    assert_eq!(terminal(&tree, &at(20)), "╭──────────────────╮\n╰──────────────────╯\n");
    let tree = json!({"type": "Card", "children": [
        {"type": "Chart", "data": [], "series": [], "xAxis": "x"}, {"type": "Table", "children": []},
        {"type": "Chart", "data": [], "series": [{"type": "line", "dataKey": "y"}, {"type": "bar", "dataKey": "z"}], "xAxis": "x"},
        {"type": "Table", "children": [{"type": "Table.Row", "children": []}]},
        {"type": "Row"}, {"type": "Select", "name": "s", "options": []}, {"type": "RadioGroup", "name": "r"}]});
    (1..80).for_each(|width| assert_width(&tree, width, "empty"));
}

#[test]
fn fields_stand_behind_their_labels() {
    let tree = json!({"type": "Form", "children": [
        {"type": "Label", "value": "Name", "fieldName": "n"},
        {"type": "Input", "name": "n", "required": true, "placeholder": "Ada"},
        {"type": "Label", "value": "Key", "fieldName": "k"},
        {"type": "Input", "name": "k", "inputType": "password", "defaultValue": "hunter2"},
        {"type": "Label", "value": "Room", "fieldName": "r"},
        {"type": "Select", "name": "r", "defaultValue": "b", "options": [
            {"value": "a", "label": "Garden"}, {"value": "b", "label": "Loft"}]},
        {"type": "RadioGroup", "name": "o", "direction": "row", "defaultValue": "y", "options": [
            {"value": "x", "label": "One"}, {"value": "y", "label": "Two"}]},
        {"type": "Checkbox", "name": "c", "label": "Breakfast", "defaultChecked": true}]});
    assert_eq!(
        terminal(&tree, &at(40)),
        "\
Name *        ▏Ada                   ▕
Key           ▏••••                  ▕
Room          ▏Loft                 ▾▕
                Garden · Loft
( ) One   (•) Two
[x] Breakfast
"
    );
    assert!(terminal(&tree, &at(30)).starts_with("Name *\n▏Ada                   ▕\n"));
}

#[test]
fn charts_are_bars_and_sparklines() {
    let tree = json!({"type": "Basic", "children": [{"type": "Chart", "xAxis": "m", "data": [
        {"m": "Jan", "a": 2, "b": 1}, {"m": "Feb", "a": 4, "b": 3}],
        "series": [{"type": "bar", "dataKey": "a", "label": "Sold"}, {"type": "line", "dataKey": "b", "label": "Left"}]}]});
    assert_eq!(
        terminal(&tree, &at(30)),
        "\
Jan ████████████ 2
Feb ████████████████████████ 4

Left ▁▁▁▁████ 1 – 3
     Jan  Feb
"
    );
}

#[test]
fn bars_of_several_series_have_a_legend() {
    let chart = |stack: Value, count: usize| {
        let data: Vec<Value> =
            (0..count).map(|at| json!({"m": format!("m{at}"), "a": 4, "b": 2 * at})).collect();
        json!({"type": "Chart", "xAxis": "m", "data": data, "series": [
            {"type": "bar", "dataKey": "a", "label": "A", "stack": stack},
            {"type": "bar", "dataKey": "b", "label": "B", "stack": stack}]})
    };
    assert_eq!(
        terminal(&chart(Value::Null, 2), &at(14)),
        "\
m0 █████████ 4
    0
m1 █████████ 4
   ▓▓▓▓▓ 2
█ A ▓ B
"
    );
    assert_eq!(
        terminal(&chart(json!("s"), 2), &at(14)),
        "\
m0 ██████ 4
m1 ██████▓▓▓ 6
█ A ▓ B
"
    );
    let shown = |count| terminal(&chart(json!("s"), count), &at(20));
    assert!(!shown(40).contains("more") && shown(40).contains("m39"));
    assert!(shown(41).contains("… 1 more") && !shown(41).contains("m40"));
    // Where there is no room for bars, the figures are listed.
    assert_eq!(terminal(&chart(json!("s"), 1), &at(5)), "m0: A\n4, B\n0\n");
}

#[test]
fn a_sparkline_shows_gaps_and_the_highest_of_many() {
    let spark = |values: &[Value], width: usize| {
        let data: Vec<Value> = values.iter().map(|value| json!({"x": "", "y": value})).collect();
        let tree = json!({"type": "Chart", "xAxis": "x", "data": data,
            "series": [{"type": "line", "dataKey": "y", "label": "Y"}]});
        terminal(&tree, &at(width)).lines().next().unwrap().to_owned()
    };
    assert_eq!(spark(&[json!(0), json!(7), Value::Null, json!(3)], 40), "Y ▁▁▁▁████    ▄▄▄▄ 0 – 7");
    assert_eq!(spark(&[json!(5), json!(5)], 40), "Y ▅▅▅▅▅▅▅▅ 5 – 5");
    let many: Vec<Value> = (0..200).map(|at| json!(if at == 101 { 9 } else { 0 })).collect();
    let line = spark(&many, 40);
    assert_eq!((line.matches('█').count(), line.chars().count()), (1, 38), "{line}");
}

#[test]
fn tables_follow_their_spans() {
    let cell =
        |text: &str| json!({"type": "Table.Cell", "children": [{"type": "Text", "value": text}]});
    let mut wide = cell("Total");
    wide["colSpan"] = 2.into();
    let mut tall = cell("x");
    tall["rowSpan"] = 2.into();
    let tree = json!({"type": "Table", "children": [
        {"type": "Table.Row", "header": true, "children": [cell("Day"), cell("What"), cell("Cost")]},
        {"type": "Table.Row", "children": [tall, cell("Train"), cell("9")]},
        {"type": "Table.Row", "children": [cell("Bus"), cell("2")]},
        {"type": "Table.Row", "children": [wide, cell("11")]}]});
    assert_eq!(
        terminal(&tree, &at(40)),
        "\
┌─────┬───────┬──────┐
│ Day │ What  │ Cost │
├─────┼───────┼──────┤
│ x   │ Train │ 9    │
│     │ Bus   │ 2    │
│ Total       │ 11   │
└─────────────┴──────┘
"
    );
    (1..40).for_each(|width| assert_width(&tree, width, "table"));
}

#[test]
fn markdown_is_drawn() {
    let tree = json!({"type": "Markdown", "value":
        "## Plan\nA **bold** and *soft* `code` [site](https://a.example).\n\n- one\n  - two\n1. three\n\n> said\n\n```\nlet x  = 1;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |"});
    assert_eq!(
        terminal(&tree, &at(44)),
        "\
Plan

A bold and soft code site
(https://a.example).

• one
  • two
1. three

▎ said

let x  = 1;

┌───┬───┐
│ a │ b │
├───┼───┤
│ 1 │ 2 │
└───┴───┘
"
    );
    let odd = json!({"type": "Markdown", "value": "a[1 [x](ftp://y) snake_case_name 2*3*4 **open"});
    assert_eq!(terminal(&odd, &at(60)), "a[1 x snake_case_name 234 **open\n");
    let nested = json!({"type": "Markdown", "value":
        "> 1. a\n>    b  \n>    c\n\n- [ ] d\n- [x] e\n\n  f\n  - ```\n    g\n    ```\n\n---\n\n<i>h</i> <https://a.example>"});
    assert_eq!(
        terminal(&nested, &at(30)),
        "\
▎ 1. a b
▎    c

☐ d
☑ e

  f
  •
    g

──────────────────────────────

<i>h</i> https://a.example
"
    );
    let drawn = terminal(&tree, &TerminalOptions { width: 44, colour: true, links: true });
    assert!(
        drawn.contains("\x1b]8;;https://a.example\x1b\\\x1b[4msite\x1b[0m\x1b]8;;\x1b\\"),
        "{drawn:?}"
    );
    assert!(drawn.contains("\x1b[1mbold\x1b[0m"));
}

#[test]
fn every_colour_has_its_code() {
    let drawn =
        |node: &Value| terminal(node, &TerminalOptions { width: 40, colour: true, links: false });
    for (names, code) in [
        (&["success", "green", "green-500"][..], "32"),
        (&["danger", "red"], "31"),
        (&["warning", "caution", "yellow", "orange"], "33"),
        (&["info", "accent", "blue"], "34"),
        (&["discovery", "purple", "pink"], "35"),
        (&["teal", "cyan"], "36"),
    ] {
        for name in names {
            let text = drawn(&json!({"type": "Text", "value": "x", "color": name}));
            assert_eq!(text, format!("\x1b[{code}mx\x1b[0m\n"), "{name}");
            let themed =
                json!({"type": "Text", "value": "x", "color": {"light": "none", "dark": name}});
            assert_eq!(drawn(&themed), text, "{name}");
        }
    }
    for name in ["primary", "#ff0000", "none"] {
        assert_eq!(drawn(&json!({"type": "Text", "value": "x", "color": name})), "x\n", "{name}");
    }
    for name in ["secondary", "tertiary", "gray-400"] {
        let text = drawn(&json!({"type": "Text", "value": "x", "color": name}));
        assert_eq!(text, "\x1b[2mx\x1b[0m\n", "{name}");
    }
    // On a ground the ink is white or black, whichever is read better.
    for (color, code) in [
        ("success", "30;42"),
        ("danger", "97;41"),
        ("warning", "30;43"),
        ("info", "97;44"),
        ("discovery", "97;45"),
        ("secondary", "97;100"),
    ] {
        let badge = json!({"type": "Badge", "label": "x", "color": color});
        assert_eq!(drawn(&badge), format!("\x1b[{code}m x \x1b[0m\n"), "{color}");
    }
    let outline = json!({"type": "Badge", "label": "x", "color": "success", "variant": "outline"});
    assert_eq!(drawn(&outline), "\x1b[32m[x]\x1b[0m\n");
}

#[test]
fn every_style_has_its_code() {
    let drawn =
        |node: Value| terminal(&node, &TerminalOptions { width: 40, colour: true, links: false });
    for (node, code) in [
        (json!({"type": "Title", "value": "x"}), "1"),
        (json!({"type": "Text", "value": "x", "weight": "bold"}), "1"),
        (json!({"type": "Text", "value": "x", "weight": "semibold"}), "1"),
        (json!({"type": "Caption", "value": "x"}), "2"),
        (json!({"type": "Caption", "value": "x", "weight": "bold"}), "1"),
        (json!({"type": "Caption", "value": "x", "color": "danger"}), "31"),
        (json!({"type": "Text", "value": "x", "italic": true}), "3"),
        (json!({"type": "Text", "value": "x", "lineThrough": true}), "9"),
        (json!({"type": "Markdown", "value": "`x`"}), "36"),
        (json!({"type": "Markdown", "value": "~~x~~"}), "9"),
        (json!({"type": "Markdown", "value": "***x***"}), "1;3"),
        (json!({"type": "Markdown", "value": "![x](y)"}), "2"),
    ] {
        assert_eq!(drawn(node.clone()), format!("\x1b[{code}mx\x1b[0m\n"), "{node}");
    }
    assert_eq!(drawn(json!({"type": "Text", "value": "x"})), "x\n");
    for (button, expected) in [
        (json!({"style": "primary"}), "\x1b[1;7m x \x1b[0m\n"),
        (json!({"submit": true}), "\x1b[1;7m x \x1b[0m\n"),
        (json!({"submit": true, "style": "secondary"}), "\x1b[97;100m x \x1b[0m\n"),
        (json!({"variant": "solid"}), "\x1b[1;7m x \x1b[0m\n"),
        (json!({}), "\x1b[97;100m x \x1b[0m\n"),
        (json!({"style": "primary", "disabled": true}), "\x1b[2m[ x ]\x1b[0m\n"),
    ] {
        let mut node = button;
        node["type"] = "Button".into();
        node["label"] = "x".into();
        assert_eq!(drawn(node.clone()), expected, "{node}");
    }
    // The confirming button stands out, the other one does not.
    let card =
        drawn(json!({"type": "Card", "confirm": {"label": "yes"}, "cancel": {"label": "no"}}));
    assert!(card.contains("\x1b[1;7m yes \x1b[0m \x1b[97;100m no \x1b[0m"), "{card:?}");
}

#[test]
fn the_widest_column_of_a_table_gives_way_first() {
    let fit = |room| table::fit(&[1, 4, 1], &[5, 9, 21], room);
    assert_eq!(fit(100), [5, 9, 21]);
    assert_eq!(fit(35), [5, 9, 21]);
    assert_eq!(fit(34), [5, 9, 20]);
    assert_eq!(fit(24), [5, 9, 10]);
    assert_eq!(fit(20), [5, 8, 7]);
    // None gets less than it needs; the others give way for it.
    assert_eq!(fit(8), [2, 4, 2]);
    assert_eq!(fit(6), [1, 4, 1]);
    assert_eq!(fit(2), [1, 4, 1]);
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-zA-Z ]{0,40}",
        "\\PC{0,30}",
        proptest::collection::vec(any::<char>(), 0..30)
            .prop_map(|chars| chars.into_iter().collect()),
        "[*_`\\[\\]()|#>~!<\\\\ \n-]{0,30}",
        "(https://[a-z]{1,60}|天気|👩‍👧|🇵🇹|e\u{301}){0,8}",
    ]
}

fn any_tree() -> impl Strategy<Value = Value> {
    let leaf = (any_text(), 0..14_usize).prop_map(|(text, kind)| match kind {
        0 => json!({"type": "Title", "value": text}),
        1 => json!({"type": "Caption", "value": text, "textAlign": "end"}),
        2 => json!({"type": "Markdown", "value": text}),
        3 => json!({"type": "Badge", "label": text, "color": "info"}),
        4 => json!({"type": "Button", "label": text, "iconStart": "star"}),
        5 => json!({"type": "Input", "name": "n", "defaultValue": text, "flex": 1}),
        6 => json!({"type": "Select", "name": "n", "options": [{"label": text, "value": "v", "description": text}]}),
        7 => json!({"type": "Image", "src": "x", "alt": text}),
        8 => json!({"type": "Chart", "xAxis": "x", "data": [{"x": text, "y": 5}, {"x": "b", "y": -1e300}],
            "series": [{"type": "bar", "dataKey": "y", "label": text}, {"type": "area", "dataKey": "y", "label": text}]}),
        9 => json!({"type": "Checkbox", "name": "n", "label": text}),
        10 => json!({"type": "RadioGroup", "name": "n", "direction": "row", "options": [{"label": text, "value": "v"}]}),
        11 => json!({"type": "Divider"}),
        12 => json!({"type": "Spacer"}),
        _ => json!({"type": "Text", "value": text, "width": 80}),
    });
    leaf.prop_recursive(5, 40, 6, |inner| {
        (proptest::collection::vec(inner, 0..6), 0..8_usize).prop_map(|(children, kind)| match kind {
            0 => json!({"type": "Card", "size": "full", "children": children}),
            1 => json!({"type": "Col", "gap": 3, "align": "center", "children": children}),
            2 => json!({"type": "Row", "gap": 3, "wrap": "wrap", "children": children}),
            3 => json!({"type": "Box", "border": 1, "flex": 1, "children": children}),
            4 => {
                let cells: Vec<Value> =
                    children.into_iter().map(|c| json!({"type": "Table.Cell", "children": [c]})).collect();
                json!({"type": "Table", "children": [{"type": "Table.Row", "header": true, "children": cells}]})
            }
            5 => json!({"type": "ListView", "children": [{"type": "ListViewItem", "children": children}]}),
            6 => json!({"type": "Row", "justify": "between", "children": children}),
            _ => json!({"type": "Row", "children": children}),
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn any_tree_fits_any_width(tree in any_tree(), width in 1..120_usize) {
        assert_width(&tree, width, "any");
        let _ = widgetcast_engine::tree::fold(&tree);
        let _ = crate::surface::adaptive::adaptive_card(&tree);
    }
}

/// All fields of a form stand in one column, in whatever columns they are; a long label keeps its own.
#[test]
fn the_fields_of_a_form_are_aligned() {
    let field = |label: &str, name: &str| {
        json!({"type": "Col", "children": [
            {"type": "Label", "fieldName": name, "value": label},
            {"type": "Input", "name": name, "required": name == "b"}]})
    };
    let long = "How many people will come along with you";
    let tree = json!({"type": "Form", "children":
        [field("Name", "a"), field("Address for letters", "b"), field(long, "c")]});
    let drawn = terminal(&tree, &at(80));
    let columns: Vec<usize> = drawn.lines().filter_map(|line| line.find('▏')).collect();
    assert_eq!(columns, [23, 23, long.len() + 2], "{drawn}");
    // Where there is no room for that, a short label still stands beside its field.
    let drawn = terminal(&tree, &at(40));
    let columns: Vec<usize> = drawn.lines().filter_map(|line| line.find('▏')).collect();
    assert_eq!(columns, [14, 0, 0], "{drawn}");
}

#[test]
fn an_option_that_cannot_be_chosen_says_so() {
    let options = json!([{"value": "a", "label": "Loft", "description": "€210", "disabled": true},
        {"value": "b", "label": "Garden", "disabled": true}, {"value": "c", "label": "View"}]);
    let drawn = |kind: &str| {
        let field = json!({"type": kind, "name": "room", "options": options});
        terminal(&json!({"type": "Card", "asForm": true, "children": [field]}), &at(100))
    };
    for kind in ["Select", "RadioGroup"] {
        let drawn = drawn(kind);
        assert!(drawn.contains("Loft (€210, not available)"), "{drawn}");
        assert!(drawn.contains("Garden (not available)"), "{drawn}");
        assert!(!drawn.contains("View ("), "{drawn}");
    }
}

#[test]
fn a_button_without_a_label_has_a_name() {
    let button = json!({"type": "Button", "iconStart": "lucide:trash-2"});
    assert_eq!(terminal(&button, &at(30)), "[ Trash 2 ]\n");
}

/// An icon is a sign that the fonts of terminals have: others show a box in its place.
#[test]
fn icons_are_signs_of_common_fonts() {
    // Those of DejaVu Sans Mono, on most Linux machines, among what is not ASCII.
    let known = "›‹…↗↯↻≡⊸⌕▤▥▦▨▬▯▸◆◈◉◎○●◫◷☆★☏☼✎✓✗✦";
    for (icons, sign) in crate::surface::node::GLYPHS {
        assert!(sign.chars().all(|c| c.is_ascii() || known.contains(c)), "{icons:?}: {sign}");
    }
}
