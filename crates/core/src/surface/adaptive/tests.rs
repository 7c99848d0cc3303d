use serde_json::{Value, json};

use super::adaptive_card;
use crate::surface::Loss;
use crate::surface::node::{children, kind};
use crate::surface::samples::{says, trees, visible};

fn body(children: &Value) -> (Vec<Value>, Vec<Loss>) {
    // A gap of 2 is the spacing that elements have without one; a field needs a button that sends it.
    let confirm = json!({"label": "Send", "action": {"type": "send"}});
    let (card, losses) = adaptive_card(
        &json!({"type": "Card", "asForm": true, "gap": 2, "confirm": confirm, "children": children}),
    );
    (card["body"].as_array().cloned().unwrap_or_default(), losses)
}

/// The strings under these keys, one on each line; every string if there are none.
fn strings(value: &Value, keys: &[&str], out: &mut String) {
    let inner: Vec<(&str, &Value)> = match value {
        Value::Array(list) => list.iter().map(|item| ("", item)).collect(),
        Value::Object(map) => map.iter().map(|(key, item)| (key.as_str(), item)).collect(),
        _ => Vec::new(),
    };
    for (key, item) in inner {
        match item {
            Value::String(text) if keys.is_empty() || keys.contains(&key) => {
                *out += &format!("{text}\n");
            }
            item => strings(item, keys, out),
        }
    }
}

/// What a person sees of a card.
fn shown(card: &Value) -> String {
    let mut out = String::new();
    let keys = ["text", "title", "label", "value", "placeholder", "altText"];
    strings(&json!([card["body"], card["actions"]]), &keys, &mut out);
    out
}

fn actions(node: &Value, at: &str, out: &mut Vec<(String, String)>) {
    let places = ["onClickAction", "onSubmitAction", "onChangeAction", "confirm", "cancel"];
    for place in places {
        let action =
            if node[place]["action"].is_object() { &node[place]["action"] } else { &node[place] };
        if let Some(name) = action["type"].as_str() {
            let url = crate::surface::node::link(action);
            out.push((format!("{at}/{place}"), url.unwrap_or(name).to_owned()));
        }
    }
    for (index, child) in children(node).iter().enumerate() {
        actions(child, &format!("{at}/children/{index}"), out);
    }
}

fn is_lost(losses: &[Loss], pointer: &str) -> bool {
    losses.iter().any(|loss| pointer.starts_with(&loss.pointer))
}

#[test]
fn every_text_and_action_is_shown_or_lost() {
    let (mut texts_seen, mut actions_seen) = (0, 0);
    for (name, tree) in trees() {
        let (card, losses) = adaptive_card(&tree);
        let all = shown(&card);
        let mut texts = Vec::new();
        visible(&tree, "", &mut texts);
        for (pointer, text) in texts {
            // A text of several lines becomes several elements; a rule of a table is no text.
            let is_rule = |line: &&str| line.trim_matches(['|', '-', ':', ' ']).is_empty();
            let mut lines = text.lines().filter(|line| !is_rule(line));
            let is_shown = lines.all(|line| says(&all, line));
            assert!(is_shown || is_lost(&losses, &pointer), "{name} {pointer}: {text:?}\n{all}");
            texts_seen += 1;
        }
        let (mut sent, mut every) = (Vec::new(), String::new());
        strings(&card, &[], &mut every);
        actions(&tree, "", &mut sent);
        for (pointer, action) in sent {
            let is_shown = every.lines().any(|line| line == action);
            assert!(is_shown || is_lost(&losses, &pointer), "{name} {pointer}: {action:?}");
            actions_seen += 1;
        }
        assert!(
            losses.iter().all(|loss| tree.pointer(&loss.pointer).is_some()),
            "{name}: {losses:?}"
        );
        assert!(card.to_string().len() <= super::BYTES, "{name}");
        assert_eq!(adaptive_card(&tree).0, card, "{name}");
    }
    eprintln!("{texts_seen} texts, {actions_seen} actions");
}

#[test]
fn label_and_value_rows_are_facts() {
    let row = |label: &str, value: &str| {
        json!({"type": "Row", "children": [
        {"type": "Text", "value": label}, {"type": "Spacer"}, {"type": "Text", "value": value}]})
    };
    let (facts, _) = body(&json!([row("From", "Rome"), row("To", "Oslo")]));
    assert_eq!(
        json!(facts),
        json!([{"type": "FactSet", "facts": [
            {"title": "From", "value": "Rome"}, {"title": "To", "value": "Oslo"}]}])
    );
    // Facts are read as Markdown, and a text with marks in it must not be; rows beside each other are
    // drawn alike, so then none is a fact. Values stand at the right.
    let (rows, _) = body(&json!([row("From", "Rome"), row("Note", "*see* below")]));
    let kinds: Vec<&Value> = rows.iter().map(|row| &row["type"]).collect();
    assert_eq!(kinds, ["ColumnSet", "ColumnSet"]);
    let value = |row: &Value| row["columns"][1]["items"][0]["horizontalAlignment"].clone();
    assert_eq!((value(&rows[0]), value(&rows[1])), (json!("Right"), json!("Right")));
    assert_eq!(rows[1].pointer("/columns/1/items/0/inlines/0/text"), Some(&json!("*see* below")));
    // A single one is a row as well.
    assert_eq!(body(&json!([row("Total", "$9")])).0[0]["type"], "ColumnSet");
}

/// Rows with something more among them, or with a total below a line, are all rows.
#[test]
fn rows_beside_each_other_are_drawn_alike() {
    let text = |words: &str| json!({"type": "Text", "value": words});
    let row = |label: &str, value: &str| json!({"type": "Row", "children": [text(label), {"type": "Spacer"}, text(value)]});
    let marked = json!({"type": "Row", "children": [
        text("Oslo"), {"type": "Icon", "name": "check"}, {"type": "Spacer"}, text("46%")]});
    let kinds = |children: Value| -> Vec<Value> {
        body(&children).0.iter().map(|element| element["type"].clone()).collect()
    };
    let (rome, lima) = (row("Rome", "31%"), row("Lima", "15%"));
    assert_eq!(kinds(json!([marked, rome, lima])), ["ColumnSet"; 3]);
    assert_eq!(kinds(json!([rome, lima, marked])), ["ColumnSet"; 3]);
    let line = json!({"type": "Divider"});
    assert_eq!(kinds(json!([rome, lima, line, row("Total", "46%")])), ["ColumnSet"; 3]);
    assert_eq!(kinds(json!([rome, lima, line, rome, lima])), ["FactSet"; 2]);
    // A title with something beside it is no label.
    let head = json!({"type": "Row", "children": [
        {"type": "Title", "value": "Votes"}, {"type": "Spacer"}, text("26")]});
    assert_eq!(kinds(json!([head, rome, lima])), ["ColumnSet", "FactSet"]);
}

#[test]
fn plain_text_is_not_read_as_markdown() {
    for evil in [
        "**b**",
        "[x](https://e.example)",
        "# h",
        "- a",
        "1. b",
        "{{DATE(2017-02-14T06:08:39Z)}}",
        "<b>",
        "&copy; &#42;",
        "---",
        "~~a~~",
        "`a`",
    ] {
        let (body, _) = body(&json!([{"type": "Text", "value": evil}]));
        assert_eq!(body[0]["type"], "RichTextBlock", "{evil}");
    }
    for plain in [
        "It's 7 o'clock, a-ha.",
        "7.8",
        "18.4k",
        "+6.2%",
        "-5 °C",
        "#launch-room",
        "Elin & the Tides",
        "a < b",
        "[draft] 2 * 3 snake_case",
    ] {
        let (body, _) = body(&json!([{"type": "Text", "value": plain}]));
        assert_eq!(body, [json!({"type": "TextBlock", "text": plain, "wrap": true})]);
    }
}

#[test]
fn fields_are_inputs() {
    let (body, losses) = body(&json!([
        {"type": "Label", "value": "Guests", "fieldName": "g"},
        {"type": "Input", "name": "g", "inputType": "number", "defaultValue": "2", "required": true},
        {"type": "Select", "name": "s", "placeholder": "Room", "defaultValue": "a", "onChangeAction": {"type": "x"},
            "options": [{"value": "a", "label": "Loft", "description": "€9"}]},
        {"type": "DatePicker", "name": "d", "defaultValue": "2027-05-14T10:00:00Z", "min": "soon"},
        {"type": "Checkbox", "name": "c", "label": "Yes", "defaultChecked": true},
        {"type": "Checkbox", "name": "c", "label": "No"},
        {"type": "Text", "value": "Hello\nthere", "editable": {"name": "t", "placeholder": "Words"}}]));
    assert_eq!(
        Value::from(body),
        json!([
            {"type": "Input.Number", "label": "Guests", "value": 2, "id": "g", "isRequired": true,
                "errorMessage": "Guests is required"},
            {"type": "Input.ChoiceSet", "label": "Room", "style": "compact", "id": "s", "value": "a",
                "placeholder": "Room", "choices": [{"title": "Loft (€9)", "value": "a"}],
                "spacing": "Medium"},
            {"type": "Input.Date", "label": "d", "value": "2027-05-14", "id": "d",
                "spacing": "Medium"},
            {"type": "Input.Toggle", "title": "Yes", "value": "true", "wrap": true, "id": "c"},
            {"type": "Input.Toggle", "title": "No", "value": "false", "wrap": true, "id": "c-2"},
            {"type": "Input.Text", "label": "Words", "isMultiline": true, "value": "Hello\nthere",
                "placeholder": "Words", "id": "t", "spacing": "Medium"}])
    );
    let lost: Vec<&str> = losses.iter().map(|loss| loss.pointer.as_str()).collect();
    assert_eq!(
        lost,
        [
            "/children/2/onChangeAction",
            "/children/3/defaultValue",
            "/children/3/min",
            "/children/5"
        ]
    );
}

#[test]
fn buttons_submit_or_open() {
    let tree = json!({"type": "Card",
        "confirm": {"label": "Save", "action": {"type": "save", "payload": {"id": 1}}},
        "cancel": {"label": "Drop", "action": {"type": "drop"}},
        "children": [
            {"type": "Row", "children": (0..7).map(|n| json!({"type": "Button", "label": n.to_string(),
                "onClickAction": {"type": "pick"}})).collect::<Vec<_>>()},
            {"type": "Divider"},
            {"type": "Button", "label": "Site", "onClickAction": {
                "type": "site", "handler": "client", "payload": {"url": "https://a.example"}}},
            {"type": "Button", "label": "Bad", "onClickAction": {
                "type": "site.open", "payload": {"url": "javascript:alert(1)"}}},
            {"type": "Form", "onSubmitAction": {"type": "sent"}, "children": [
                {"type": "Button", "label": "Go", "submit": true}]}]});
    let (card, losses) = adaptive_card(&tree);
    assert_eq!(losses, []);
    assert_eq!(
        card["actions"],
        json!([
            {"type": "Action.Submit", "title": "Save", "data": {"action": "save", "payload": {"id": 1}}, "style": "positive"},
            {"type": "Action.Submit", "title": "Drop", "data": {"action": "drop"}, "associatedInputs": "none"}])
    );
    let counts: Vec<usize> =
        (0..2).map(|at| card["body"][at]["actions"].as_array().map_or(0, Vec::len)).collect();
    assert_eq!(counts, [5, 2]);
    // Buttons that follow each other are one set.
    let next = &card["body"][2]["actions"];
    assert_eq!(next[0]["url"], "https://a.example");
    assert_eq!(next[1]["type"], "Action.Submit");
    assert_eq!(card["body"][3]["actions"][0]["data"], json!({"action": "sent"}));
}

#[test]
fn long_lists_are_clipped_and_said_so() {
    let items: Vec<Value> = (0..60)
        .map(|n| {
            json!({"type": "ListViewItem", "onClickAction": {"type": "open"},
            "children": [{"type": "Text", "value": format!("Item {n}")}]})
        })
        .collect();
    let (card, losses) = adaptive_card(&json!({"type": "ListView", "children": items}));
    assert_eq!(card["body"].as_array().map(Vec::len), Some(50));
    assert_eq!(card["body"][0]["selectAction"]["data"]["action"], "open");
    assert_eq!(losses.len(), 1);
    assert_eq!(losses[0].pointer, "/children/50");
}

#[test]
fn a_card_that_is_too_large_gives_up_pictures_first() {
    let image = json!({"type": "Image", "alt": "A hill", "src": format!("data:image/png;base64,{}", "A".repeat(40_000))});
    let (card, losses) = adaptive_card(&json!({"type": "Card", "children": [image]}));
    assert!(card.to_string().len() < super::BYTES);
    assert_eq!((losses.len(), losses[0].pointer.as_str()), (1, "/children/0"));
    assert!(shown(&card).contains("A hill"));
    let text = json!({"type": "Text", "value": "long ".repeat(10_000)});
    let (_, losses) = adaptive_card(&json!({"type": "Card", "children": [text]}));
    assert_eq!(losses.last().map(|loss| loss.pointer.as_str()), Some(""));
}

#[test]
fn charts_have_a_table_as_fallback() {
    let (body, losses) =
        body(&json!([{"type": "Chart", "xAxis": "m", "data": [{"m": "Jan", "v": 3}],
        "series": [{"type": "line", "dataKey": "v", "label": "Sales"}]}]));
    assert_eq!(body[0]["type"], "Chart.Line");
    assert_eq!(body[0]["data"], json!([{"legend": "Sales", "values": [{"x": "Jan", "y": 3.0}]}]));
    let table = &body[0]["fallback"];
    assert_eq!(table["type"], "Table");
    assert_eq!(table.pointer("/rows/1/cells/1/items/0/text"), Some(&json!("3")));
    assert_eq!(losses[0].pointer, "/children/0");
}

#[test]
fn right_to_left_cards_say_so() {
    let (card, _) = adaptive_card(&json!({"type": "Card", "children": [
        {"type": "Title", "value": "תחזית מזג האוויר"}, {"type": "Text", "value": "Tel Aviv"}]}));
    assert_eq!(card["rtl"], true);
    let (card, _) = adaptive_card(
        &json!({"type": "Card", "children": [{"type": "Text", "value": "Hi שלום, hello"}]}),
    );
    assert_eq!(card.get("rtl"), None);
}

#[test]
fn markdown_is_cut_to_the_subset() {
    let (body, losses) = body(&json!([{"type": "Markdown", "value":
        "## Plan\n**Now** `run` [a](https://a.example) [b](ftp://b)\n\n- x\n- y\n\n| h |\n|---|\n| c |"}]));
    assert_eq!(
        body[0],
        json!({"type": "TextBlock", "text": "Plan", "wrap": true, "weight": "Bolder",
        "size": "Medium", "style": "heading"})
    );
    assert_eq!(body[1]["text"], "**Now** run [a](https://a.example) b");
    assert_eq!(body[2]["text"], "- x\n- y");
    assert_eq!(body[3]["type"], "Table");
    assert_eq!(losses.len(), 1);
}

#[test]
fn markdown_is_written_so_that_it_reads_the_same() {
    for (source, expected) in [
        ("**a** __b__ *c* _d_ ~~e~~ `f`", "**a** **b** _c_ _d_ e f"),
        ("***a** b*  \nc\nd", "_**a** b_\nc d"),
        ("****a**** *b _c_ d*", "**a** _b c d_"),
        ("un*believ*able *a*b c*d*", "un*believ*able *a*b c*d*"),
        ("[**a** b](https://a.example/(x))", "[**a** b](https://a.example/%28x%29)"),
        ("[a](http://b) ![c](d) [![e](f)](https://g.example)", "a c [e](https://g.example)"),
        ("\\*a\\* 2 * 3 \\_b\\_ snake_case", "\\*a\\* 2 * 3 \\_b\\_ snake_case"),
        ("`**a**` `` ` ``", "\\*\\*a\\*\\* \\`"),
        ("\\[a](b) [1] (c)", "[a\\](b) [1] (c)"),
        ("\\# a", "\\# a"),
        ("\\> a", "\\> a"),
        ("\\- a", "\\- a"),
        ("1\\. a", "1\\. a"),
        ("-5 ~3 1.5 #a", "-5 ~3 1.5 #a"),
        ("\\~~a~~", "\\~\\~a\\~\\~"),
        ("C:\\\\_a", "C:\\\\\\_a"),
        ("a <b>c</b> < d", "a \\<b>c\\</b> < d"),
        ("- a\n  1. b\n\n     c\n- [x] d", "- a\n  1. b\n    c\n- d"),
    ] {
        let (body, _) = body(&json!([{"type": "Markdown", "value": source}]));
        assert_eq!(body[0]["text"], expected, "{source}");
        assert_eq!(body.len(), 1, "{source}");
    }
    let (body, losses) = body(&json!([{"type": "Markdown", "value":
        "> a\n>\n> b\n\n- ```\n  c\n  ```\n\n---\n\n![x](y) [z](http://z)"}]));
    assert_eq!(body[0]["style"], "emphasis");
    assert_eq!(body[0]["roundedCorners"], true);
    assert_eq!(
        (&body[0]["items"][0]["text"], &body[0]["items"][1]["text"]),
        (&json!("a"), &json!("b"))
    );
    assert_eq!((&body[1]["text"], &body[2]["text"]), (&json!("-"), &json!("c")));
    assert_eq!((&body[2]["fontType"], &body[3]["text"]), (&json!("Monospace"), &json!("x z")));
    let reasons: Vec<&str> = losses.iter().map(|loss| loss.reason.as_str()).collect();
    assert_eq!(
        reasons,
        [
            "an image in Markdown is shown as its text",
            "a link that is not https is shown as its text"
        ]
    );
}

#[test]
fn anything_at_all_gives_a_card() {
    for tree in [
        json!(null),
        json!([1]),
        json!({"type": "Nope"}),
        json!({"type": "Card", "children": {"type": "Text"}}),
        json!({"type": "Transition", "children": {"type": "Text", "value": "x"}}),
        json!({"type": "Basic", "direction": "row", "children": [{"type": "Text", "value": "x"}]}),
    ] {
        let (card, losses) = adaptive_card(&tree);
        assert_eq!((&card["type"], &card["version"]), (&json!("AdaptiveCard"), &json!("1.5")));
        assert!(
            losses.iter().all(|loss| tree.pointer(&loss.pointer).is_some()),
            "{tree}: {losses:?}"
        );
        assert!(kind(&tree) != "Basic" || shown(&card).contains('x'));
    }
}

#[test]
fn every_colour_has_a_counterpart() {
    for (names, expected) in [
        (&["success", "green", "green-500"][..], json!("Good")),
        (&["danger", "red"], json!("Attention")),
        (&["warning", "caution", "yellow", "orange"], json!("Warning")),
        (&["info", "discovery", "accent", "blue", "purple"], json!("Accent")),
        (&["primary", "#ff0000"], Value::Null),
    ] {
        for name in names {
            let (texts, _) = body(&json!([{"type": "Text", "value": "x", "color": name}]));
            assert_eq!(texts[0]["color"], expected, "{name}");
            let (themed, _) =
                body(&json!([{"type": "Text", "value": "x", "color": {"light": name}}]));
            assert_eq!(themed, texts, "{name}");
        }
    }
}

#[test]
fn every_look_of_a_text_has_a_counterpart() {
    for (node, key, expected) in [
        (json!({"type": "Title"}), "size", json!("Large")),
        (json!({"type": "Title", "size": "sm"}), "size", json!("Large")),
        (json!({"type": "Title", "size": "md"}), "size", json!("Large")),
        (json!({"type": "Title", "size": "xl"}), "size", json!("ExtraLarge")),
        (json!({"type": "Title"}), "weight", json!("Bolder")),
        (json!({"type": "Title"}), "style", json!("heading")),
        (json!({"type": "Text"}), "size", Value::Null),
        (json!({"type": "Text", "size": "xs"}), "size", json!("Small")),
        (json!({"type": "Text", "size": "sm"}), "size", Value::Null),
        (json!({"type": "Text", "size": "lg"}), "size", json!("Medium")),
        (json!({"type": "Text", "size": "xl"}), "size", json!("Large")),
        (json!({"type": "Text", "weight": "bold"}), "weight", json!("Bolder")),
        (json!({"type": "Text", "weight": "semibold"}), "weight", json!("Bolder")),
        (json!({"type": "Text", "weight": "medium"}), "weight", Value::Null),
        (json!({"type": "Text", "color": "secondary"}), "isSubtle", json!(true)),
        (json!({"type": "Text", "color": "tertiary"}), "isSubtle", json!(true)),
        (json!({"type": "Caption"}), "isSubtle", json!(true)),
        (json!({"type": "Caption", "color": "danger"}), "isSubtle", Value::Null),
        (json!({"type": "Caption"}), "size", json!("Small")),
        (json!({"type": "Text", "textAlign": "center"}), "horizontalAlignment", json!("Center")),
        (json!({"type": "Text", "textAlign": "end"}), "horizontalAlignment", json!("Right")),
        (json!({"type": "Text", "textAlign": "start"}), "horizontalAlignment", Value::Null),
    ] {
        let mut node = node;
        node["value"] = "x".into();
        assert_eq!(body(&json!([node])).0[0][key], expected, "{node}");
    }
    for key in ["italic", "lineThrough"] {
        let (texts, _) = body(&json!([{"type": "Text", "value": "x", key: true}]));
        let name = if key == "italic" { "italic" } else { "strikethrough" };
        assert_eq!(texts[0]["inlines"][0][name], true, "{key}");
    }
}

#[test]
fn a_row_has_at_most_eight_columns_and_five_buttons_in_a_set() {
    let sizes = |kind: &str, key: &str, count: usize| {
        let child = json!({"type": kind, "value": "x", "label": "x"});
        let (row, _) = body(&json!([{"type": "Row", "children": vec![child; count]}]));
        row.iter().map(|set| set[key].as_array().map_or(0, Vec::len)).collect::<Vec<_>>()
    };
    assert_eq!(sizes("Text", "columns", 8), [8]);
    assert_eq!(sizes("Text", "columns", 10), [8, 2]);
    assert_eq!(sizes("Button", "actions", 5), [5]);
    assert_eq!(sizes("Button", "actions", 6), [5, 1]);
    // What stands before a gap takes the room.
    let (row, _) = body(&json!([{"type": "Row", "children": [
        {"type": "Icon", "name": "check"}, {"type": "Spacer"}, {"type": "Text", "value": "x"}]}]));
    let widths: Vec<&Value> =
        row[0]["columns"].as_array().unwrap().iter().map(|c| &c["width"]).collect();
    assert_eq!(widths, ["stretch", "auto"]);
}

#[test]
fn every_kind_of_input_has_a_counterpart() {
    for (props, key, expected) in [
        (json!({"inputType": "email"}), "style", json!("Email")),
        (json!({"inputType": "tel"}), "style", json!("Tel")),
        (json!({"inputType": "url"}), "style", json!("Url")),
        (json!({"inputType": "password"}), "style", json!("Password")),
        (json!({"inputType": "text"}), "style", Value::Null),
        (json!({"inputType": "number"}), "type", json!("Input.Number")),
        (json!({"inputType": "number", "defaultValue": "1.5"}), "value", json!(1.5)),
        (json!({"inputType": "number", "defaultValue": "-2"}), "value", json!(-2)),
        (json!({"inputType": "number", "defaultValue": "inf"}), "value", Value::Null),
        (json!({"inputType": "number", "defaultValue": "two"}), "type", json!("Input.Text")),
        (json!({"type": "Textarea"}), "isMultiline", json!(true)),
        (json!({"minLines": 2}), "isMultiline", json!(true)),
        (json!({"minLines": 1}), "isMultiline", Value::Null),
        (json!({"pattern": "a+"}), "regex", json!("a+")),
        (json!({"pattern": "a+"}), "errorMessage", json!("n is not valid")),
        (json!({"pattern": "a+", "required": true}), "errorMessage", json!("n is required")),
        (json!({"ariaLabel": "L", "placeholder": "P"}), "label", json!("L")),
        (json!({"placeholder": "P"}), "label", json!("P")),
        (
            json!({"type": "RadioGroup", "options": [{"label": "a", "value": "b"}]}),
            "style",
            json!("expanded"),
        ),
        (
            json!({"type": "Select", "searchable": true, "options": [{"label": "a", "value": "b"}]}),
            "style",
            json!("compact"),
        ),
        (
            json!({"type": "Select", "searchable": true,
                "options": vec![json!({"label": "a", "value": "b"}); 16]}),
            "style",
            json!("filtered"),
        ),
        (json!({"type": "Select", "options": []}), "type", json!("Input.Text")),
        (
            json!({"type": "Checkbox", "label": "a b", "required": true}),
            "label",
            json!("Please confirm"),
        ),
        (json!({"type": "Checkbox", "label": "a b", "required": true}), "title", json!("a b")),
        (json!({"type": "Checkbox", "label": "a b"}), "label", Value::Null),
        (json!({"type": "DatePicker", "defaultValue": "2027-12-31"}), "value", json!("2027-12-31")),
        (
            json!({"type": "DatePicker", "defaultValue": "2027-01-01T00:00:00Z"}),
            "value",
            json!("2027-01-01"),
        ),
        (json!({"type": "DatePicker", "min": "2027-00-01"}), "min", Value::Null),
        (json!({"type": "DatePicker", "min": "2027-13-01"}), "min", Value::Null),
        (json!({"type": "DatePicker", "max": "2027-01-32"}), "max", Value::Null),
        (json!({"type": "DatePicker", "max": "2027-1-01"}), "max", Value::Null),
    ] {
        let mut node = json!({"type": "Input", "name": "n"});
        for (key, value) in props.as_object().unwrap() {
            node[key] = value.clone();
        }
        assert_eq!(body(&json!([node])).0[0][key], expected, "{node}");
    }
}

#[test]
fn every_style_of_a_button_has_a_counterpart() {
    for (props, expected) in [
        (json!({}), Value::Null),
        (json!({"color": "danger"}), json!("destructive")),
        (json!({"color": "danger", "style": "primary"}), json!("destructive")),
        (json!({"color": "warning"}), Value::Null),
        (json!({"style": "primary"}), json!("positive")),
        (json!({"style": "secondary"}), Value::Null),
        (json!({"submit": true}), json!("positive")),
        (json!({"variant": "solid", "color": "primary"}), json!("positive")),
        (json!({"variant": "solid"}), Value::Null),
    ] {
        let mut node = json!({"type": "Button", "label": "x", "onClickAction": {"type": "a"}});
        for (key, value) in props.as_object().unwrap() {
            node[key] = value.clone();
        }
        assert_eq!(body(&json!([node])).0[0]["actions"][0]["style"], expected, "{node}");
    }
}

#[test]
fn a_table_shows_fifty_rows() {
    let rows = |count: usize| {
        let cell = json!({"type": "Table.Cell", "children": [{"type": "Text", "value": "x"}]});
        let row = json!({"type": "Table.Row", "children": [cell]});
        let (body, losses) = body(&json!([{"type": "Table", "children": vec![row; count]}]));
        (body[0]["rows"].as_array().map_or(0, Vec::len), losses.len())
    };
    assert_eq!(rows(50), (50, 0));
    assert_eq!(rows(51), (50, 1));
}

/// The alignment of a cell is said of what is in it; what cannot be aligned is told.
#[test]
fn cells_are_aligned() {
    let cell = |align: &str, child: Value| json!({"type": "Table.Cell", "align": align, "children": [child]});
    let words = |value: &str| json!({"type": "Text", "value": value});
    let input = json!({"type": "Input", "name": "i"});
    let centred = json!({"type": "Text", "value": "c", "textAlign": "center"});
    let row = json!({"type": "Table.Row", "children": [
        cell("end", words("9.00")), cell("center", words("a*b")), cell("start", words("s")),
        cell("end", centred), cell("end", input)]});
    let (body, losses) = body(&json!([{"type": "Table", "children": [row]}]));
    let cells = body[0]["rows"][0]["cells"].as_array().unwrap();
    let sides: Vec<&Value> =
        cells.iter().map(|cell| &cell["items"][0]["horizontalAlignment"]).collect();
    assert_eq!(json!(sides), json!(["Right", "Center", null, "Center", null]));
    let at = "/children/0/children/0/children/4/align";
    assert_eq!(losses, [Loss::new(at, "only texts and images of a cell are aligned")]);
}

#[test]
fn a_coloured_dot_is_told() {
    let dot =
        |color: &str| json!({"type": "Box", "size": 8, "radius": "full", "background": color});
    let (shown, losses) = body(&json!([{"type": "Text", "value": "a"}, dot("red-500")]));
    assert!(losses.is_empty());
    assert_eq!((&shown[1]["text"], &shown[1]["color"]), (&json!("●"), &json!("Attention")));
    let (_, losses) = body(&json!([{"type": "Text", "value": "a"}, dot("#123456")]));
    assert_eq!(losses, [Loss::new("/children/1", "a coloured dot has no counterpart")]);
}

/// A button that has only an icon is named after it, in words.
#[test]
fn a_button_without_a_label_has_a_name() {
    let button = json!({"type": "Button", "iconStart": "lucide:trash-2",
        "onClickAction": {"type": "task.remove"}});
    let (body, losses) = body(&json!([button]));
    assert_eq!((&body[0]["actions"][0]["title"], losses.len()), (&json!("Trash 2"), 0));
}

/// The gap of a stack is the spacing of what is in it.
#[test]
fn a_gap_is_a_spacing() {
    let texts = json!([{"type": "Title", "value": "a"}, {"type": "Caption", "value": "b"}]);
    for (gap, expected) in [
        (json!(0), json!("None")),
        (json!("0px"), json!("None")),
        (json!(1), json!("Small")),
        (json!(2), Value::Null),
        (json!(3), json!("Medium")),
        (json!(5), json!("Large")),
        (json!("a lot"), Value::Null),
    ] {
        let (body, _) = body(&json!([{"type": "Col", "gap": gap, "children": texts}]));
        assert_eq!(body[1]["spacing"], expected, "{gap}");
    }
    let (card, _) = adaptive_card(&json!({"type": "Card", "children": texts}));
    assert_eq!(card["body"][1]["spacing"], "Medium");
}

/// Icons, badges and bars are elements that newer hosts know, each with what others draw instead.
#[test]
fn newer_elements_have_a_fallback() {
    let (icon, losses) =
        body(&json!([{"type": "Icon", "name": "check-circle-filled", "color": "success"}]));
    assert!(losses.is_empty());
    assert_eq!(
        icon[0],
        json!({"type": "Icon", "name": "CheckmarkCircle", "size": "xSmall", "style": "Filled",
            "color": "Good", "fallback": {"type": "TextBlock", "text": "✓", "wrap": true, "color": "Good"}})
    );
    let (badge, _) =
        body(&json!([{"type": "Badge", "label": "Late", "color": "danger", "pill": true}]));
    assert_eq!(
        badge[0],
        json!({"type": "Badge", "text": "Late", "style": "Attention", "appearance": "Tint",
            "shape": "Circular", "fallback": {"type": "TextBlock", "text": "Late", "wrap": true,
                "size": "Small", "weight": "Bolder", "color": "Attention"}})
    );
    let bar = json!({"type": "Box", "height": 8, "children": [
        {"type": "Box", "width": "62%", "height": 8, "background": "green-500"}]});
    let (bars, losses) = body(&json!([bar]));
    assert!(losses.is_empty());
    assert_eq!((&bars[0]["type"], &bars[0]["value"]), (&json!("ProgressBar"), &json!(62.0)));
    assert_eq!(bars[0]["fallback"]["text"], "▰▰▰▰▰▰▱▱▱▱ 62%");
    // The share is not said twice.
    let (bars, _) = body(&json!([{"type": "Text", "value": "62%"}, bar]));
    assert_eq!(bars[1]["fallback"]["text"], "▰▰▰▰▰▰▱▱▱▱");
    let (_, losses) = body(&json!([{"type": "Icon", "name": "lucide:rocket"}]));
    assert_eq!(losses, [Loss::new("/children/0", "the icon lucide:rocket has no counterpart")]);
}

/// On a phone no word is broken: tiles wrap into rows of equal length, other columns into the next row.
#[test]
fn columns_fit_a_phone() {
    let sizes = |row: Value| -> Vec<usize> {
        let (body, _) = body(&json!([row]));
        body.iter().map(|set| set["columns"].as_array().map_or(0, Vec::len)).collect()
    };
    let tile = |word: &str| {
        json!({"type": "Col", "children": [
        {"type": "Caption", "value": word}, {"type": "Title", "value": "9"}]})
    };
    let tiles =
        |word: &str, count: usize| json!({"type": "Row", "children": vec![tile(word); count]});
    assert_eq!(sizes(tiles("Mon", 7)), [7]);
    assert_eq!(sizes(tiles("Subscribers", 4)), [2, 2]);
    assert_eq!(sizes(tiles("Subscribers", 3)), [3]);
    assert_eq!(sizes(tiles("Subscriptions", 5)), [2, 2, 2]);
    let text = |words: &str| json!({"type": "Text", "value": words});
    let button =
        json!({"type": "Button", "label": "Open the whole report", "onClickAction": {"type": "a"}});
    let row = json!({"type": "Row", "children": [text("Uninterrupted delivery"), button]});
    assert_eq!(sizes(row), [0, 0]);
    let row = json!({"type": "Row", "children": [text("On time"), button]});
    assert_eq!(sizes(row), [2]);
    // In a row that wraps, a line of words goes to the next line as a whole.
    let when = json!({"type": "Row", "children": [{"type": "Icon", "name": "clock"},
        {"type": "Text", "value": "Wed 17 March, 11:20 – 12:00"}]});
    let row = |wrap: Value| json!({"type": "Row", "wrap": wrap, "children": [when, when]});
    assert_eq!((sizes(row(Value::Null)), sizes(row(json!("wrap")))), (vec![2], vec![2, 2]));
    let (wrapped, _) = body(&json!([row(json!("wrap"))]));
    assert_eq!(wrapped[0]["columns"][0]["items"][0]["type"], "Icon");
}

/// A column of figures stands at the right, with its head.
#[test]
fn figures_in_a_table_are_right_aligned() {
    let cell =
        |words: &str| json!({"type": "Table.Cell", "children": [{"type": "Text", "value": words}]});
    let row = |a: &str, b: &str, is_head: bool| {
        json!({"type": "Table.Row", "header": is_head,
        "children": [cell(a), cell(b)]})
    };
    let (body, _) = body(&json!([{"type": "Table", "children": [
        row("Item", "Sum", true), row("Train", "€89.00", false), row("Hotel", "−€4", false)]}]));
    let sides = |at: usize| -> Vec<Value> {
        let cells = body[0]["rows"][at]["cells"].as_array().unwrap();
        cells.iter().map(|cell| cell["items"][0]["horizontalAlignment"].clone()).collect()
    };
    for row in 0..3 {
        assert_eq!(sides(row), [Value::Null, json!("Right")], "{row}");
    }
}

/// A mark in a centred cell is centred, in both of its forms.
#[test]
fn marks_in_cells_are_aligned() {
    let mark = json!({"type": "Table.Cell", "align": "center", "children": [{"type": "Icon", "name": "check"}]});
    let (body, losses) =
        body(&json!([{"type": "Table", "children": [{"type": "Table.Row", "children": [mark]}]}]));
    assert!(losses.is_empty());
    let icon = &body[0]["rows"][0]["cells"][0]["items"][0];
    assert_eq!(icon["horizontalAlignment"], "Center");
    assert_eq!(icon["fallback"]["horizontalAlignment"], "Center");
}

/// Buttons are one set, as wide as the card: hosts put what does not fit on the next line, and then they
/// start at the left.
#[test]
fn buttons_of_a_row_are_one_set() {
    let button = |label: &str| json!({"type": "Button", "label": label, "block": true, "onClickAction": {"type": "a"}});
    let set = |node: Value| body(&json!([node])).0;
    let three = ["Choose Train", "Choose Coach", "Choose Hire car"].map(button);
    let row = set(json!({"type": "Row", "justify": "end", "children": three}));
    assert_eq!((row.len(), &row[0]["horizontalAlignment"]), (1, &Value::Null));
    let row =
        set(json!({"type": "Row", "justify": "end", "children": [button("Back"), button("Next")]}));
    assert_eq!(row[0]["horizontalAlignment"], "Right");
    // Words beside two buttons stand above them; beside one they share the row.
    let words = json!({"type": "Caption", "value": "38 seats left"});
    let row = set(json!({"type": "Row", "children": [button("Add"), button("More"), words]}));
    assert_eq!((&row[0]["text"], &row[0]["isSubtle"]), (&json!("38 seats left"), &json!(true)));
    assert_eq!(row[1]["actions"].as_array().map(Vec::len), Some(2));
    let row = set(json!({"type": "Row", "children": [words, button("Add")]}));
    assert_eq!(row[0]["type"], "ColumnSet");
    // Buttons below each other, too, and centred below a centred head.
    let column = json!({"type": "Col", "children": [button("Notify me"), button("Not now")]});
    let column_set = set(column.clone());
    assert_eq!((column_set.len(), &column_set[0]["horizontalAlignment"]), (1, &Value::Null));
    let head = json!({"type": "Col", "align": "center", "children": [
        {"type": "Box", "background": "green-50", "padding": 3,
            "children": [{"type": "Icon", "name": "check", "size": "2xl"}]},
        {"type": "Title", "value": "Know when"}]});
    let (centred, _) = body(&json!([head, column]));
    assert_eq!((&centred[0]["type"], &centred[0]["size"]), (&json!("Icon"), &json!("Large")));
    assert_eq!(centred[0]["fallback"]["horizontalAlignment"], "Center");
    for item in &centred {
        assert_eq!(item["horizontalAlignment"], "Center", "{item}");
    }
}

/// Badges beside each other flow; where there are none, all of them are one text.
#[test]
fn badges_beside_each_other_are_one_text_elsewhere() {
    let badge = |label: &str, color: &str| json!({"type": "Badge", "label": label, "color": color});
    let chips = |badges: Value| body(&json!([{"type": "Row", "children": badges}])).0;
    let grey = chips(json!([badge("Jonas", "secondary"), badge("Priya", "secondary")]));
    assert_eq!(grey[0]["layouts"][0]["type"], "Layout.Flow");
    let items = &grey[0]["items"];
    assert_eq!((&items[0]["text"], &items[1]["text"]), (&json!("Jonas"), &json!("Priya")));
    let older =
        json!({"type": "TextBlock", "text": "Jonas · Priya", "wrap": true, "size": "Small"});
    assert_eq!((&items[0]["fallback"], &items[1]["fallback"]), (&older, &json!("drop")));
    let coloured = chips(json!([badge("W", "success"), badge("L", "danger")]));
    let runs = &coloured[0]["items"][0]["fallback"]["inlines"];
    assert_eq!((&runs[0]["color"], &runs[2]["color"]), (&json!("Good"), &json!("Attention")));
}

/// Short texts of a row have one baseline: they are one element.
#[test]
fn short_texts_of_a_row_are_one_line() {
    let row = |gap: u64, words: &str| {
        json!({"type": "Row", "gap": gap, "align": "baseline", "children": [
            {"type": "Text", "value": "148", "weight": "semibold"},
            {"type": "Caption", "value": words}]})
    };
    let title = json!({"type": "Title", "value": "Salma"});
    let (line, _) = body(&json!([title, row(1, "articles")]));
    assert_eq!(
        line[1],
        json!({"type": "RichTextBlock", "inlines": [
            {"type": "TextRun", "text": "148", "weight": "Bolder"},
            {"type": "TextRun", "text": " "},
            {"type": "TextRun", "text": "articles", "size": "Small", "isSubtle": true}]})
    );
    for other in [row(4, "articles"), row(1, &"long ".repeat(9))] {
        assert_eq!(body(&json!([title, other])).0[1]["type"], "ColumnSet", "{other}");
    }
}

/// Lines among bars are bars beside them; bars are stacked if one stack holds all of them.
#[test]
fn bars_are_grouped_or_stacked() {
    let charts = |third: Value| {
        let bar = |key: &str| json!({"type": "bar", "dataKey": key, "stack": "total"});
        let data = json!([{"label": "Sep", "a": 1, "b": 2, "c": 3}]);
        let node = json!({"type": "Chart", "xAxis": "label", "data": data, "series": [bar("a"), bar("b"), third]});
        let (charts, losses) = body(&json!([node]));
        assert_eq!(charts[0]["type"], "Chart.VerticalBar.Grouped");
        assert_eq!(charts[0]["fallback"]["type"], "Table");
        (charts, losses.len())
    };
    let stacked = json!({"type": "bar", "dataKey": "c", "stack": "total"});
    let colors = |names: [&str; 2]| {
        let bar = |color: &str| json!({"type": "bar", "dataKey": "a", "color": color});
        let node = json!({"type": "Chart", "xAxis": "x", "data": [{"x": "s", "a": 1}], "series": names.map(bar)});
        body(&json!([node])).0[0]["data"][1]["color"].clone()
    };
    assert_eq!(colors(["blue", "orange-500"]), "categoricalMarigold");
    assert_eq!(colors(["yellow", "orange"]), Value::Null);
    let (all, losses) = charts(stacked);
    assert_eq!((all.len(), &all[0]["stacked"], losses), (1, &json!(true), 1));
    let (all, losses) = charts(json!({"type": "bar", "dataKey": "c"}));
    assert_eq!((all.len(), &all[0]["stacked"], losses), (1, &Value::Null, 1));
    assert_eq!(all[0]["yMin"], 0);
    // The line is beside the sum of the stack.
    let (all, losses) = charts(json!({"type": "line", "dataKey": "c"}));
    assert_eq!((all.len(), &all[0]["stacked"], losses), (2, &json!(true), 2));
    assert_eq!(all[0]["data"].as_array().map(Vec::len), Some(2));
    assert_eq!(
        all[1],
        json!({"type": "Chart.Line", "title": "Total and c", "showTitle": true, "yMin": 0, "fallback": "drop", "data": [
            {"legend": "Total", "values": [{"x": "Sep", "y": 3.0}]},
            {"legend": "c", "values": [{"x": "Sep", "y": 3.0}]}]})
    );
}

/// A line and a single series of bars are compared in one chart; areas start at zero, lines where a host
/// likes.
#[test]
fn lines_are_lines() {
    let chart = |first: &str, second: &str, low: i64| {
        let series = [first, second].map(|kind| json!({"type": kind, "dataKey": kind}));
        let data = json!([{"x": "a", "bar": low, "line": 2, "area": low}]);
        let node = json!({"type": "Chart", "xAxis": "x", "data": data, "series": series});
        let (charts, _) = body(&json!([node]));
        let kinds: Vec<&Value> = charts.iter().map(|chart| &chart["type"]).collect();
        assert_eq!(kinds, ["Chart.Line"]);
        charts[0]["yMin"].clone()
    };
    assert_eq!(chart("bar", "line", 1), json!(0));
    assert_eq!(chart("area", "line", 1), json!(0));
    assert_eq!(chart("area", "line", -1), Value::Null);
    assert_eq!(chart("line", "line", 1), Value::Null);
}

/// A table of a chart has large numbers as people write them, and no head that is said above.
#[test]
fn tables_of_charts_read_well() {
    let chart = json!({"type": "Chart", "xAxis": "label",
        "data": [{"label": "Mon", "v": 15200}, {"label": "Tue", "v": 9800.5}],
        "series": [{"type": "line", "dataKey": "v", "label": "Daily readers"}]});
    let (said, _) = body(&json!([{"type": "Caption", "value": "Daily readers"}, chart]));
    assert_eq!(said[1]["showLegend"], false);
    let table = &said[1]["fallback"];
    assert_eq!(table["firstRowAsHeaders"], false);
    let value = |row: usize| table.pointer(&format!("/rows/{row}/cells/1/items/0/text")).cloned();
    assert_eq!((value(0), value(1)), (Some(json!("15,200")), Some(json!("9,800.5"))));
    let (alone, _) = body(&json!([chart]));
    let head = alone[0]["fallback"].pointer("/rows/0/cells/1/items/0/text");
    assert_eq!((head, alone[0].get("showLegend")), (Some(&json!("Daily readers")), None));
    let small = json!({"type": "Chart", "xAxis": "label", "data": [{"label": "a", "v": 2027}],
        "series": [{"type": "bar", "dataKey": "v"}]});
    let cell = "/fallback/rows/1/cells/1/items/0/text";
    assert_eq!(body(&json!([small])).0[0].pointer(cell), Some(&json!("2027")));
}

/// A button of an icon alone is an icon that is pressed; one that Microsoft has no icon for keeps its words.
#[test]
fn a_button_of_an_icon_alone_is_an_icon() {
    let row = |icon: &str| {
        let button =
            json!({"type": "Button", "iconStart": icon, "onClickAction": {"type": "track.play"}});
        let (items, losses) = body(&json!([{"type": "Row", "children": [
            {"type": "Text", "value": "Low tide"}, {"type": "Spacer"}, button]}]));
        (items[0]["columns"][1].clone(), losses.len())
    };
    let (pressed, losses) = row("play");
    assert_eq!((&pressed["items"][0]["type"], losses), (&json!("Icon"), 0));
    assert_eq!(pressed["selectAction"]["title"], "Play");
    assert_eq!(pressed["selectAction"]["data"]["action"], "track.play");
    let (words, losses) = row("lucide:turtle");
    assert_eq!((&words["items"][0]["type"], losses), (&json!("ActionSet"), 0));
}

/// A disabled field is text: as an input it could be changed, and would be sent.
#[test]
fn disabled_fields_are_text() {
    let field = |props: Value| {
        let mut node = json!({"name": "n", "disabled": true});
        for (key, value) in props.as_object().unwrap() {
            node[key] = value.clone();
        }
        let (items, losses) = body(&json!([node]));
        assert_eq!(losses[0].pointer, "/children/0/disabled");
        // A switch and its state are on one line.
        let columns = items[0]["columns"].as_array();
        let items: Vec<Value> = columns.map_or(items.clone(), |columns| {
            columns.iter().map(|column| column["items"][0].clone()).collect()
        });
        assert!(items.iter().all(|item| item["type"] == "TextBlock"), "{items:?}");
        items.iter().map(|item| item["text"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let on = field(json!({"type": "Checkbox", "label": "Share", "defaultChecked": true}));
    assert_eq!(on, ["Share", "On"]);
    assert_eq!(field(json!({"type": "Checkbox", "label": "Share"})), ["Share", "Off"]);
    let name = field(json!({"type": "Input", "ariaLabel": "Name", "defaultValue": "Ines"}));
    assert_eq!(name, ["Name", "Ines"]);
    let secret = json!({"type": "Input", "inputType": "password", "defaultValue": "abc"});
    assert_eq!(field(secret), ["n", "••••••"]);
    let options = json!([{"label": "Every day", "value": "d"}]);
    let select = json!({"type": "Select", "defaultValue": "d", "options": options});
    assert_eq!(field(select), ["n", "Every day"]);
}

/// Fields are equally far apart, whatever gap and row they are in; a separator keeps its distance.
#[test]
fn fields_are_equally_far_apart() {
    let input = |name: &str| {
        json!({"type": "Col", "gap": 1, "flex": 1, "minWidth": 160, "children": [
        {"type": "Label", "value": name, "fieldName": name}, {"type": "Input", "name": name}]})
    };
    let form = json!({"type": "Form", "gap": 4, "children": [
        {"type": "Row", "children": [input("a"), input("b")]}, input("c"), {"type": "Divider"}, input("d"),
        {"type": "Checkbox", "name": "e", "label": "e"}]});
    let (fields, _) = body(&json!([form]));
    let spacings: Vec<&Value> = fields.iter().skip(1).map(|field| &field["spacing"]).collect();
    assert_eq!(spacings, ["Medium", "Medium", "ExtraLarge", "Medium"]);
    assert_eq!(fields[3]["separator"], true);
}

/// A long text to edit has room.
#[test]
fn a_field_of_many_lines_is_tall() {
    let area = |start: &str| {
        body(&json!([{"type": "Textarea", "name": "t", "defaultValue": start}])).0[0].clone()
    };
    assert_eq!(area("a\n\nb\nc")["height"], "stretch");
    assert_eq!(area(&"word ".repeat(40))["height"], "stretch");
    assert_eq!(area("a\nb").get("height"), None);
}

/// The rows of a list are apart, and where one is tall all of them start at the top.
#[test]
fn rows_of_a_list_are_separated() {
    let item = |lines: usize| {
        let text = json!({"type": "Text", "value": "x"});
        json!({"type": "ListViewItem", "align": "center", "children": [
            {"type": "Icon", "name": "document"}, {"type": "Col", "children": vec![text; lines]}]})
    };
    let list = |lines: [usize; 2]| {
        let items = lines.map(item);
        adaptive_card(&json!({"type": "ListView", "children": items})).0["body"].clone()
    };
    let side = |row: &Value| row["columns"][0]["verticalContentAlignment"].clone();
    let tall = list([3, 2]);
    assert_eq!((side(&tall[0]), side(&tall[1])), (Value::Null, Value::Null));
    assert_eq!((&tall[0]["separator"], &tall[1]["separator"]), (&Value::Null, &json!(true)));
    assert_eq!(tall[1]["spacing"], "Large");
    assert_eq!(side(&list([2, 2])[0]), "Center");
}

/// Where icons are unknown a list has signs or emoji, and not both.
#[test]
fn signs_and_emoji_are_not_mixed() {
    let fallbacks = |names: [&str; 2]| {
        let row = |name: &str| {
            json!({"type": "Row", "children": [
            {"type": "Icon", "name": name}, {"type": "Text", "value": name}]})
        };
        let (rows, _) = body(&json!([{"type": "Col", "children": names.map(row)}]));
        let sign = |row: &Value| row["columns"][0]["items"][0]["fallback"]["text"].clone();
        (sign(&rows[0]), sign(&rows[1]))
    };
    assert_eq!(fallbacks(["plus", "write"]), (json!("➕"), json!("✏️")));
    assert_eq!(fallbacks(["star", "check"]), (json!("☆"), json!("✓")));
}

/// Beside long texts a column of dates or sums is as wide as it needs to be; a badge stands below words,
/// and figures before a column of words do not touch it.
#[test]
fn columns_of_a_table_have_room() {
    let cell = |children: Value| json!({"type": "Table.Cell", "children": children});
    let text = |words: &str| json!({"type": "Text", "value": words});
    let row = |cells: [Value; 3]| json!({"type": "Table.Row", "children": cells});
    let table = |rows: Value| body(&json!([{"type": "Table", "children": rows}])).0[0].clone();
    let what = json!([{"type": "Row", "children": [text("Taxi to the fair"), {"type": "Badge", "label": "No receipt"}]}]);
    let sums = table(json!([row([
        cell(json!([text("3 Mar")])),
        cell(what),
        cell(json!([text("€24.00")]))
    ])]));
    let widths: Vec<&Value> =
        sums["columns"].as_array().unwrap().iter().map(|column| &column["width"]).collect();
    assert_eq!(json!(widths), json!(["53px", 12, "62px"]));
    let items = &sums["rows"][0]["cells"][1]["items"];
    assert_eq!((&items[0]["type"], &items[1]["type"]), (&json!("TextBlock"), &json!("Badge")));
    // Beside one word there is room for it.
    let what = json!([{"type": "Row", "children": [text("Travel"), {"type": "Badge", "label": "No receipt"}]}]);
    let beside = table(json!([row([cell(json!([])), cell(what), cell(json!([]))])]));
    assert_eq!(beside.pointer("/rows/0/cells/1/items/0/type"), Some(&json!("ColumnSet")));
    let badge = json!([{"type": "Badge", "label": "Best fit"}]);
    let badges =
        table(json!([row([cell(json!([text("Free")])), cell(badge), cell(json!([text("x")]))])]));
    assert_eq!(badges["columns"][1]["width"], 9);
    let plan = table(json!([row([
        cell(json!([text("Replace the switch")])),
        cell(json!([text("€140")])),
        cell(json!([text("a week")])),
    ])]));
    assert_eq!(plan.pointer("/rows/0/cells/1/items/0/horizontalAlignment"), None);
}

/// A strong text at the start of a card is its title; one that follows is not.
#[test]
fn a_strong_text_is_the_title_of_a_card() {
    let text = |words: &str| json!({"type": "Text", "value": words, "weight": "semibold"});
    let (body, _) = body(&json!([
        {"type": "Row", "children": [{"type": "Icon", "name": "keys"},
            {"type": "Col", "children": [text("Move"), text("Later")]}]}]));
    let column = &body[0]["columns"][1]["items"];
    assert_eq!((&column[0]["size"], &column[1]["size"]), (&json!("Large"), &Value::Null));
}

/// A ground has the corners of the widget, as a container and as a column.
#[test]
fn grounds_keep_round_corners() {
    let tile = |radius: Value| {
        json!({"type": "Box", "background": "surface-secondary", "padding": 3, "radius": radius,
        "children": [{"type": "Text", "value": "a"}]})
    };
    for (radius, is_round) in [(json!("lg"), true), (json!("none"), false), (Value::Null, false)] {
        let (drawn, _) = body(&json!([tile(radius.clone())]));
        assert_eq!(drawn[0]["roundedCorners"] == true, is_round, "{radius}");
        let (drawn, _) = body(
            &json!([{"type": "Row", "children": [tile(radius.clone()), tile(radius.clone())]}]),
        );
        assert_eq!(drawn[0]["columns"][1]["roundedCorners"] == true, is_round, "{radius}");
    }
}

/// Tiles are columns on a ground, so that those of a row are equally tall; widths are kept.
#[test]
fn columns_keep_grounds_and_widths() {
    let tile = |words: &str| {
        json!({"type": "Box", "background": "surface-secondary", "padding": 3,
        "children": [{"type": "Text", "value": words}]})
    };
    let (tiles, _) = body(&json!([{"type": "Row", "children": [tile("a"), tile("b")]}]));
    let column = &tiles[0]["columns"][0];
    assert_eq!((&column["style"], &column["items"][0]["text"]), (&json!("emphasis"), &json!("a")));
    let (row, _) = body(&json!([{"type": "Row", "children": [
        {"type": "Text", "value": "Mon", "width": 84}, {"type": "Text", "value": "9"}]}]));
    assert_eq!(row[0]["columns"][0]["width"], "84px");
    // Unless a word would break.
    let day = json!({"type": "Col", "width": 56, "background": "surface-secondary", "padding": 2,
        "children": [{"type": "Caption", "value": "APR"}]});
    let row = json!({"type": "Row", "children": [day, {"type": "Text", "value": "Market"}]});
    assert_eq!(body(&json!([row])).0[0]["columns"][0]["width"], "auto");
    let row = json!({"type": "Row", "children": [
        {"type": "Text", "value": "September", "width": 40}, {"type": "Text", "value": "9"}]});
    assert_eq!(body(&json!([row])).0[0]["columns"][0]["width"], "auto");
}

/// A choice that acts when it changes is a button for each option if these are few; any other field has a
/// button beside it. In a form that is sent it is a field of that form.
#[test]
fn a_field_that_acts_has_buttons() {
    let select = |options: usize| {
        let options: Vec<Value> = (0..options)
            .map(|n| json!({"label": format!("L{n}"), "value": n.to_string()}))
            .collect();
        json!({"type": "Select", "name": "s", "defaultValue": "1", "options": options,
            "onChangeAction": {"type": "act", "payload": {"id": 7}}})
    };
    let card = |tree: Value| {
        let (card, losses) = adaptive_card(&tree);
        (card["body"].clone(), losses)
    };
    let label = json!({"type": "Label", "value": "Period", "fieldName": "s"});
    let (body, losses) = card(json!({"type": "Card", "children": [label, select(2)]}));
    assert_eq!(losses, []);
    let button = |title: &str, value: &str| {
        json!({"type": "Action.Submit", "title": title, "associatedInputs": "none",
            "data": {"action": "act", "payload": {"id": 7}, "s": value}})
    };
    let mut chosen = button("L1", "1");
    chosen["style"] = "positive".into();
    assert_eq!(body[0]["text"], "Period");
    assert_eq!(body[1]["actions"], json!([button("L0", "0"), chosen]));
    let (body, losses) = card(json!({"type": "Card", "children": [select(6)]}));
    assert_eq!(losses, []);
    assert_eq!(body[0]["type"], "Input.ChoiceSet");
    assert_eq!(
        body[1]["actions"],
        json!([{"type": "Action.Submit", "title": "Apply",
            "data": {"action": "act", "payload": {"id": 7}}}])
    );
    let confirm = json!({"label": "Send", "action": {"type": "send"}});
    let form = json!({"type": "Card", "asForm": true, "confirm": confirm, "children": [select(2)]});
    let (body, losses) = card(form);
    assert_eq!(body[0]["type"], "Input.ChoiceSet");
    assert_eq!(losses[0].pointer, "/children/0/onChangeAction");
}

/// A field that no button sends would be filled in for nothing.
#[test]
fn a_field_that_is_not_sent_is_text() {
    let drawn = |button: Value| {
        let field =
            json!({"type": "Input", "name": "n", "ariaLabel": "Name", "defaultValue": "Ines"});
        let tree = json!({"type": "Card", "children": [field, button]});
        let (card, losses) = adaptive_card(&tree);
        let is_input = card["body"][0]["type"] == "Input.Text";
        assert_eq!(is_input, losses.iter().all(|loss| loss.pointer != "/children/0"), "{tree}");
        is_input
    };
    let button = |props: Value| {
        let mut button = json!({"type": "Button", "label": "Go"});
        button.as_object_mut().unwrap().extend(props.as_object().unwrap().clone());
        button
    };
    let open = json!({"type": "open", "payload": {"url": "https://a.example"}});
    assert!(drawn(button(json!({"onClickAction": {"type": "go"}}))));
    assert!(!drawn(button(json!({"onClickAction": open}))));
    assert!(!drawn(button(json!({"onClickAction": {"type": "go"}, "disabled": true}))));
    assert!(!drawn(button(json!({"submit": true}))));
    let form = json!({"type": "Form", "onSubmitAction": {"type": "go"},
        "children": [button(json!({"submit": true}))]});
    assert!(drawn(form));
    // A form that is sent by the enter key has a button.
    let form = json!({"type": "Form", "onSubmitAction": {"type": "go"}, "children": [
        {"type": "Input", "name": "q"}]});
    let (card, losses) = adaptive_card(&json!({"type": "Card", "children": [form]}));
    assert_eq!(losses, []);
    assert_eq!(card["body"][0]["type"], "Input.Text");
    assert_eq!(card["body"][1]["actions"][0]["data"], json!({"action": "go"}));
}

/// The tool and its payload are in the submission together with the fields.
#[test]
fn a_field_can_not_take_the_place_of_the_tool() {
    let (fields, losses) = body(&json!([
        {"type": "Input", "name": "action"}, {"type": "Input", "name": "payload"},
        {"type": "Input", "name": "msteams"}, {"type": "Input", "name": "actions"}]));
    let ids: Vec<&Value> = fields.iter().map(|field| &field["id"]).collect();
    assert_eq!(ids, ["action-2", "payload-2", "msteams-2", "actions"]);
    let lost: Vec<&str> = losses.iter().map(|loss| loss.pointer.as_str()).collect();
    assert_eq!(lost, ["/children/0", "/children/1", "/children/2"]);
}

/// A coloured ground keeps its meaning, and texts on it have the colour that hosts have for it.
#[test]
fn coloured_grounds_keep_their_meaning() {
    let drawn = |background: Value| {
        let text = json!({"type": "Text", "value": "a", "color": "warning"});
        let node =
            json!({"type": "Box", "padding": 3, "background": background, "children": [text]});
        let (items, _) = body(&json!([node]));
        (items[0]["style"].clone(), items[0]["items"][0].get("color").is_some())
    };
    for (background, style) in [
        (json!({"light": "orange-50", "dark": "orange-900"}), "warning"),
        (json!("red-100"), "attention"),
        (json!("green-50"), "good"),
        (json!("blue-50"), "accent"),
        (json!("#004f99"), "accent"),
    ] {
        assert_eq!(drawn(background), (json!(style), false));
    }
    for grey in [json!("surface-secondary"), json!("alpha-10"), json!("#e8e8ee"), json!("#eé1")] {
        assert_eq!(drawn(grey), (json!("emphasis"), true));
    }
}

/// On a phone half of a row has room for some 12 letters of a choice, a third for some 9 of a value.
#[test]
fn long_choices_and_values_have_a_row() {
    let fields = |more: Value| {
        let select = |name: &str, option: Value| json!({"type": "Select", "name": name, "options": [option]});
        let short = json!({"label": "Low", "value": "l"});
        let mut long = json!({"label": "Ravi Menon", "value": "r"});
        long.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let row = json!({"type": "Row", "children": [select("a", short), select("b", long)]});
        body(&json!([row])).0[0]["type"].clone()
    };
    assert_eq!(fields(json!({})), "ColumnSet");
    assert_eq!(fields(json!({"description": "Security"})), "Input.ChoiceSet");
    let columns = |value: &str| {
        let tile = |value: &str| {
            json!({"type": "Col", "children": [
            {"type": "Caption", "value": "Wind"}, {"type": "Text", "value": value, "weight": "semibold"}]})
        };
        let tiles = ["1", "2", value].map(tile);
        let (rows, _) = body(&json!([{"type": "Row", "wrap": "wrap", "children": tiles}]));
        rows[0]["columns"].as_array().map_or(0, Vec::len)
    };
    assert_eq!(columns("18 km/h"), 3);
    assert_eq!(columns("18 km/h NW"), 2);
}

/// The words of a card's status have their icon.
#[test]
fn a_status_has_its_icon() {
    let status = |status: Value| {
        let (card, _) = adaptive_card(&json!({"type": "Card", "status": status, "children": []}));
        card["body"].clone()
    };
    let both = status(json!({"text": "Soon", "icon": "clock"}));
    assert_eq!(both[0]["columns"][0]["items"][0]["name"], "Clock");
    assert_eq!(both[0]["columns"][1]["items"][0]["text"], "Soon");
    assert_eq!(status(json!({"text": "Soon"}))[0]["text"], "Soon");
}
