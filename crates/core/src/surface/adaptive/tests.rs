use serde_json::{Value, json};
use widgetcast_engine::outline::Outline;
use widgetcast_engine::tree::CompactTree;
use widgetcast_engine::words::Words;

use super::adaptive_card;
use super::print::print;
use super::printer::BYTES;
use super::text::has_marks;

#[allow(clippy::needless_pass_by_value)]
fn card(children: Value) -> Value {
    adaptive_card(&json!({"type": "Card", "children": children})).0
}

#[allow(clippy::needless_pass_by_value)]
fn losses(children: Value) -> Vec<String> {
    let (_, losses) = adaptive_card(&json!({"type": "Card", "children": children}));
    losses.into_iter().map(|loss| format!("{} {}", loss.pointer, loss.reason)).collect()
}

/// Every element of a type, in reading order.
fn all<'v>(value: &'v Value, kind: &str) -> Vec<&'v Value> {
    let mut found = Vec::new();
    let mut stack = vec![value];
    while let Some(value) = stack.pop() {
        match value {
            Value::Array(items) => stack.extend(items.iter().rev()),
            Value::Object(members) => {
                if members.get("type").is_some_and(|t| t == kind) {
                    found.push(value);
                }
                stack.extend(members.iter().rev().filter(|(k, _)| *k != "data").map(|(_, v)| v));
            }
            _ => {}
        }
    }
    found
}

fn text(value: &str) -> Value {
    json!({"type": "Text", "value": value})
}

fn button(label: &str) -> Value {
    json!({"type": "Button", "label": label, "onClickAction": {"type": "go", "payload": {"id": 7}}})
}

#[test]
fn a_title_is_a_heading_and_a_button_submits() {
    let card = card(json!([{"type": "Title", "value": "Order 7"}, button("Pay")]));
    assert_eq!(card["version"], "1.5");
    assert_eq!(card["body"][0]["text"], "Order 7");
    assert_eq!(card["body"][0]["style"], "heading");
    let action = &card["body"][1]["actions"][0];
    assert_eq!(action["data"], json!({"action": "go", "payload": {"id": 7}}));
    assert!(card["fallbackText"].as_str().unwrap().contains("Order 7"));
}

#[test]
fn no_host_reads_text_as_markdown() {
    for marked in
        ["a *b* c", "1. one", "- x", "# x", "[a](b)", "a_b_c", "<b>", "&amp;", "{{DATE(x)}}"]
    {
        assert!(has_marks(marked), "{marked}");
        let card = card(json!([text(marked)]));
        assert_eq!(card["body"][0]["inlines"][0]["text"], marked);
        assert!(all(&card, "TextBlock").is_empty());
    }
    for plain in ["Order 7", "12 Mai", "3 h 10", "a – b", "12,50 €"] {
        assert!(!has_marks(plain), "{plain}");
    }
}

#[test]
fn newer_elements_have_a_fallback() {
    let card = card(json!([
        {"type": "Badge", "label": "Late", "color": "danger"},
        {"type": "Icon", "name": "check-circle"},
        {"type": "Box", "background": "surface-secondary", "children": [
            {"type": "Box", "width": "40%", "height": 8, "background": "blue-500"}]},
        {"type": "Chart", "data": [{"x": "a", "y": 1}, {"x": "b", "y": 2}], "xAxis": "x",
         "series": [{"type": "bar", "dataKey": "y", "label": "Sales"}]},
    ]));
    for kind in ["Badge", "Icon", "ProgressBar", "Chart.VerticalBar.Grouped"] {
        let found = all(&card, kind);
        assert_eq!(found.len(), 1, "{kind}: {card}");
        assert!(found[0]["fallback"].is_object(), "{kind}");
    }
    assert_eq!(all(&card, "ProgressBar")[0]["value"], 40);
    assert_eq!(all(&card, "Badge")[0]["style"], "Attention");
}

#[test]
fn items_of_a_list_have_the_same_columns() {
    let item = |children: Value| {
        json!({"type": "ListViewItem", "children": [
        {"type": "Row", "children": children}]})
    };
    let image = json!({"type": "Image", "src": "https://a.example/b.png", "alt": "Bo", "size": 32});
    let lines = |name: &str| {
        json!({"type": "Col", "flex": 1, "children": [text(name),
        {"type": "Caption", "value": "more"}]})
    };
    let (card, _) = adaptive_card(&json!({"type": "ListView", "children": [
        item(json!([image, lines("One")])),
        item(json!([lines("Two")])),
        item(json!([image, lines("Three")])),
    ]}));
    let widths: Vec<Vec<&Value>> = all(&card, "ColumnSet")
        .iter()
        .map(|set| set["columns"].as_array().unwrap().iter().map(|c| &c["width"]).collect())
        .collect();
    assert_eq!(widths.len(), 3, "{card:#}");
    assert!(widths.iter().all(|row| row == &["32px", "stretch"]), "{widths:?}");
}

#[test]
fn buttons_of_one_label_say_what_they_are_about() {
    let item = |name: &str| {
        json!({"type": "ListViewItem", "children": [{"type": "Row", "children": [
        text(name), {"type": "Spacer"}, button("Restart")]}]})
    };
    let (card, _) =
        adaptive_card(&json!({"type": "ListView", "children": [item("pod-a"), item("pod-b")]}));
    let tips: Vec<&Value> = all(&card, "Action.Submit").iter().map(|a| &a["tooltip"]).collect();
    assert_eq!(tips, ["pod-a", "pod-b"]);
    let buttons: Vec<Value> = (0..12).map(|at| button(&format!("B{at}"))).collect();
    let row =
        adaptive_card(&json!({"type": "Card", "children": [{"type": "Row", "children": buttons}]}));
    let sets: Vec<usize> = all(&row.0, "ActionSet")
        .iter()
        .map(|set| set["actions"].as_array().unwrap().len())
        .collect();
    assert_eq!(sets, [4, 4, 4]);
}

fn table(rows: Vec<Vec<&str>>) -> Value {
    let row = |(index, cells): (usize, Vec<&str>)| {
        let cell = |(column, value): (usize, &str)| {
            let align = if column > 0 { "end" } else { "start" };
            json!({"type": "Table.Cell", "align": align, "children": [text(value)]})
        };
        let cells: Vec<Value> = cells.into_iter().enumerate().map(cell).collect();
        json!({"type": "Table.Row", "header": index == 0, "children": cells})
    };
    let rows: Vec<Value> = rows.into_iter().enumerate().map(row).collect();
    json!({"type": "Table", "children": rows})
}

#[test]
fn figures_have_the_width_that_they_need() {
    let card = card(json!([table(vec![vec!["Item", "Amount"], vec!["Tea", "1.850,00 €"]])]));
    let table = all(&card, "Table")[0];
    assert_eq!(table["columns"][1]["width"], "100px");
    assert_eq!(table["firstRowAsHeaders"], true);
    let amount = &table["rows"][1]["cells"][1]["items"][0];
    assert_eq!(amount["horizontalAlignment"], "Right");
    let empty = self::card(json!([self::table(vec![vec!["Item", "Amount"]])]));
    assert_eq!(empty["body"][1]["text"], "Nothing here");
}

#[test]
fn rows_that_are_left_out_are_counted() {
    let row = ["Some longer text in the first cell of it", "1.850,00 €", "2"].to_vec();
    let children = json!([table(vec![row; 400]), button("Pay")]);
    let card = card(children.clone());
    assert!(card.to_string().len() <= BYTES);
    let shown = all(&card, "TableRow").len() - 1;
    assert_eq!(card["body"][1]["text"], format!("{} more rows", 399 - shown));
    assert_eq!(card["body"][2]["actions"][0]["title"], "Pay");
    assert_eq!(
        losses(children),
        [format!(
            "/children/0 only the first {shown} of 399 are shown: the card would be too large"
        )]
    );
}

#[test]
fn pictures_that_teams_does_not_show_are_lost() {
    let image = |src: &str| json!({"type": "Image", "src": src, "alt": "A cat"});
    for src in ["data:image/svg+xml,<svg/>", "http://a.example/a.png", "https://a.example/a.SVG?x"]
    {
        let card = card(json!([image(src)]));
        assert_eq!(card["body"][0]["text"], "A cat", "{src}");
        assert_eq!(losses(json!([image(src)])).len(), 1);
    }
    for src in ["https://a.example/a.png", "data:image/png;base64,AAAA"] {
        assert_eq!(card(json!([image(src)]))["body"][0]["url"], src);
    }
    let large = format!("data:image/png;base64,{}", "A".repeat(BYTES));
    assert_eq!(card(json!([image(&large), button("Pay")]))["body"][0]["text"], "A cat");
    assert_eq!(losses(json!([image(&large)])).len(), 1);
}

#[allow(clippy::needless_pass_by_value)]
fn form(fields: Value) -> Value {
    json!([{"type": "Form", "onSubmitAction": {"type": "send"}, "children": [
        {"type": "Col", "children": fields},
        {"type": "Button", "submit": true, "label": "Send"}, button("Other")]}])
}

#[test]
fn fields_are_inputs_with_labels() {
    let card = card(form(json!([
        text("What is your name?"),
        {"type": "Input", "name": "answers.q1", "required": true},
        {"type": "Input", "name": "code", "ariaLabel": "Code", "pattern": "A[0-9]+"},
        {"type": "Input", "name": "pin", "inputType": "password", "defaultValue": "1234"},
        {"type": "Checkbox", "name": "action", "label": "I agree", "required": true},
        {"type": "DatePicker", "name": "day", "defaultValue": "2027-03-18T00:00:00Z", "min": "soon"},
        {"type": "Select", "name": "size", "defaultValue": "m", "options": [
            {"label": "M", "value": "m"}, {"label": "L", "value": "l", "disabled": true}]},
    ])));
    let inputs = all(&card, "Input.Text");
    assert_eq!(inputs[0]["label"], "What is your name?");
    assert_eq!(inputs[0]["errorMessage"], "What is your name?: required");
    assert_eq!(inputs[1]["regex"], "^(?:A[0-9]+)$");
    assert_eq!(inputs[2]["style"], "Password");
    assert_eq!(inputs[2]["label"], "Your answer");
    assert!(!card.to_string().contains("1234"));
    let toggle = all(&card, "Input.Toggle")[0];
    assert_eq!([&toggle["id"], &toggle["label"]], ["action-2", "I agree"]);
    assert_eq!(all(&card, "Input.Date")[0]["value"], "2027-03-18");
    assert!(all(&card, "Input.Date")[0]["min"].is_null());
    assert_eq!(all(&card, "Input.ChoiceSet")[0]["choices"], json!([{"title": "M", "value": "m"}]));
    let actions = all(&card, "Action.Submit");
    assert!(actions[0]["associatedInputs"].is_null());
    assert_eq!(actions[1]["associatedInputs"], "none");
}

#[test]
fn a_field_that_nothing_submits_is_text() {
    let fields = json!([{"type": "Input", "name": "a", "ariaLabel": "Name", "defaultValue": "Bo"}]);
    let card = card(fields.clone());
    assert!(all(&card, "Input.Text").is_empty());
    assert_eq!(all(&card, "TextBlock").len(), 2);
    assert_eq!(
        losses(fields),
        ["/children/0 no button submits the field, so its value is shown as text"]
    );
    // A change is submitted by a button of its own.
    let field = json!([{"type": "Select", "name": "a", "ariaLabel": "Size",
        "options": [{"label": "M", "value": "m"}], "onChangeAction": {"type": "pick"}}]);
    let card = self::card(field);
    let action = all(&card, "Action.Submit")[0];
    assert_eq!([&action["title"], &action["tooltip"]], ["Submit", "Size"]);
    assert_eq!(action["data"]["action"], "pick");
}

#[test]
fn markdown_is_runs() {
    let card = card(json!([{"type": "Markdown",
        "value": "# H\n\na **b** `c` [d](https://e.example) [x](javascript:y)\n\n- [x] t\n\n```\nl1\n\nl2\n```"}]));
    let runs = all(&card, "TextRun");
    let find = |text: &str| *runs.iter().find(|run| run["text"] == text).unwrap();
    assert_eq!(find("b")["weight"], "Bolder");
    assert_eq!(find("c")["fontType"], "Monospace");
    assert_eq!(find("d")["selectAction"]["url"], "https://e.example");
    assert!(find("x")["selectAction"].is_null());
    assert_eq!(find("H")["weight"], "Bolder");
    assert_eq!(find("☑ ")["text"], "☑ ");
    assert_eq!(find("l2")["fontType"], "Monospace");
}

#[test]
fn what_is_empty_leaves_nothing_behind() {
    let card = card(json!([text("a"), {"type": "Box", "background": "red-50", "children": []},
        {"type": "Row", "children": []}]));
    assert!(all(&card, "Container").is_empty() && all(&card, "ColumnSet").is_empty(), "{card}");
    assert_eq!(self::card(json!([]))["body"][0]["text"], "Nothing here");
}

#[test]
fn a_card_reads_from_right_to_left() {
    let tree = CompactTree::read(r#"{"type":"Card","children":[{"type":"Text","value":"a"}]}"#);
    let outline = Outline::of(&tree, &Default::default());
    let card: Value = serde_json::from_str(&print(&outline, Words::of("ar")).0).unwrap();
    assert_eq!(card["rtl"], true);
}

/// The types of all elements: what a card is made of, without what it says.
fn structure(value: &Value) -> Vec<Value> {
    let kinds =
        ["TextBlock", "RichTextBlock", "TextRun", "Badge", "ColumnSet", "Column", "FactSet"];
    kinds.iter().map(|kind| all(value, kind).len().into()).collect()
}

#[test]
fn what_a_text_says_decides_nothing() {
    let rows = |label: &str, value: &str| {
        json!([{"type": "Title", "value": label},
        {"type": "Row", "children": [text(label), {"type": "Spacer"}, text(value)]},
        {"type": "Row", "children": [text(label), {"type": "Spacer"}, {"type": "Badge", "label": value}]}])
    };
    let (a, b) = (card(rows("Total", "12,50")), card(rows("Xyzab", "99,99")));
    assert_eq!(structure(&a), structure(&b));
}

/// Trees that are too large in every way that there is.
#[test]
fn the_limit_is_kept_by_whatever_is_too_large() {
    let long = "word ".repeat(20_000);
    let quotes = "\"\\".repeat(20_000);
    let mut deep = text("deep");
    for _ in 0..60 {
        deep = json!({"type": "Box", "background": "red-50", "padding": 2, "children": [deep, text("x")]});
    }
    let options: Vec<Value> = (0..5000)
        .map(|at| json!({"label": format!("Option {at}"), "value": at.to_string()}))
        .collect();
    let payload = json!({"type": "Button", "label": "Go", "onClickAction": {"type": "go", "payload": {"x": long}}});
    let many = |one: Value, count: usize| Value::from(vec![one; count]);
    let points: Vec<Value> = (0..3000).map(|at| json!({"x": format!("p{at}"), "y": at})).collect();
    let badges = many(json!({"type": "Badge", "label": "tag"}), 3000);
    for children in [
        json!([text(&long), button("Pay")]),
        json!([text(&quotes)]),
        json!([{"type": "Markdown", "value": long}]),
        json!([{"type": "Markdown", "value": "- a\n".repeat(20_000)}]),
        json!([{"type": "Markdown", "value": format!("|{}\n|{}\n", "a|".repeat(900), "-|".repeat(900))}]),
        many(text("line"), 3000),
        many(button("Go"), 3000),
        many(json!({"type": "Title", "value": "\"quoted\" & *marked*"}), 2000),
        json!([{"type": "Row", "children": badges}]),
        json!([table(vec![vec!["a", "b"]; 5000])]),
        json!([deep]),
        json!([payload]),
        form(json!([{"type": "Select", "name": "a", "options": options}])),
        form(many(json!({"type": "Input", "name": "a"}), 2000)),
        json!([table(vec![vec!["a"; 300]; 3])]),
        json!([table(vec![vec![long.as_str(); 3]; 3])]),
        json!([{"type": "Chart", "data": points, "xAxis": "x", "series": [{"type": "bar", "dataKey": "y"}]}]),
        many(
            json!({"type": "Image", "src": format!("https://a.example/{}", "x".repeat(1900))}),
            200,
        ),
    ] {
        let json = json!({"type": "Card", "children": children}).to_string();
        let tree = CompactTree::read(&json);
        let outline = Outline::of(&tree, &Default::default());
        let (card, lost) = print(&outline, Words::default());
        let head: String = json.chars().take(90).collect();
        assert!(card.len() <= BYTES, "{} {head}", card.len());
        let card: Value = serde_json::from_str(&card).unwrap();
        assert!(!card["body"].as_array().unwrap().is_empty(), "{head}");
        assert!(json.len() < BYTES || !lost.is_empty(), "{head}");
    }
}

#[test]
fn tiles_keep_their_middle_and_their_frame() {
    let tile = |name: &str| {
        json!({"type": "Box", "border": 1, "align": "center", "children": [
        {"type": "Caption", "value": name}, {"type": "Text", "value": "96", "weight": "bold"}, text("a")]})
    };
    let card = card(json!([{"type": "Row", "children": [tile("x"), tile("y")]}]));
    for column in all(&card, "Column") {
        assert_eq!(column["showBorder"], true, "{card}");
        assert!(column["style"].is_null(), "{card}");
    }
    for text in all(&card, "TextBlock") {
        assert_eq!(text["horizontalAlignment"], "Center", "{card}");
    }
}

#[test]
fn buttons_have_icons_and_open_mails_and_calls() {
    let card = card(json!([{"type": "Button", "label": "Ring", "iconStart": "phone",
        "onClickAction": {"type": "open_url", "payload": {"url": "tel:+4930"}}}]));
    let action = all(&card, "Action.OpenUrl")[0];
    assert_eq!((&action["iconUrl"], &action["url"]), (&json!("icon:Call"), &json!("tel:+4930")));
}

#[test]
fn faces_stand_in_one_row() {
    let face = |name: &str| json!({"type": "Image", "src": "https://a.example/b.png", "alt": name, "size": 24});
    let card = card(json!([{"type": "Row", "children": [face("Ana"), face("Ravi"), text("+3")]}]));
    assert_eq!(all(&card, "Column").len(), 3, "{card}");
}
