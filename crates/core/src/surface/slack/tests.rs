use serde_json::{Value, json};
use widgetcast_engine::outline::Outline;
use widgetcast_engine::tree::CompactTree;
use widgetcast_engine::words::Words;

use super::super::loss::Loss;
use super::{limit, print, validate};

/// The blocks of a card, which Slack must accept.
fn card(children: &Value) -> (Vec<Value>, Vec<Loss>) {
    print_tree(&json!({"type": "Card", "children": children}))
}

fn print_tree(tree: &Value) -> (Vec<Value>, Vec<Loss>) {
    let json = tree.to_string();
    let tree = CompactTree::read(&json);
    let outline = Outline::of(&tree, &Default::default());
    let (blocks, lost) = print::print(&outline, Words::default());
    let blocks: Vec<Value> = serde_json::from_str(&blocks).unwrap();
    let faults = validate(&blocks);
    assert!(faults.is_empty(), "{faults:?}\n{json:.2000}");
    (blocks, Loss::all(&outline, &print::LACK, lost))
}

fn text(value: &str) -> Value {
    json!({"type": "Text", "value": value})
}

fn caption(value: &str) -> Value {
    json!({"type": "Caption", "value": value})
}

fn row(children: &Value) -> Value {
    json!({"type": "Row", "children": children})
}

fn button(label: &str, tool: &str) -> Value {
    json!({"type": "Button", "label": label, "onClickAction": {"type": tool, "payload": {"is": label}}})
}

/// A list of rows, each with a text and buttons.
fn list(count: usize, buttons: &[&str]) -> Value {
    let rows = (0..count).map(|index| {
        let mut children = vec![text(&format!("Item {index}"))];
        children.extend(buttons.iter().map(|label| button(label, "act")));
        json!({"type": "ListViewItem", "children": [row(&json!(children))]})
    });
    json!({"type": "ListView", "children": rows.collect::<Vec<_>>()})
}

fn kinds(blocks: &[Value]) -> Vec<&str> {
    blocks.iter().map(|block| block["type"].as_str().unwrap()).collect()
}

#[test]
fn the_title_is_a_header_and_what_is_beside_it_small_text() {
    let (blocks, _) = card(&json!([
        caption("above"),
        row(&json!([{"type": "Badge", "label": "SEV1", "color": "danger"},
                   {"type": "Title", "value": "It & that"}, {"type": "Icon", "name": "check"}])),
        caption("below")
    ]));
    assert_eq!(kinds(&blocks), ["context", "header", "context"]);
    assert_eq!(blocks[1]["text"]["text"], "It & that :white_check_mark:");
    assert_eq!(blocks[2]["elements"][0]["text"], "🔴 SEV1\nbelow");
    let (blocks, _) = card(&json!([{"type": "Title", "value": "x".repeat(151)}]));
    assert_eq!(blocks[0]["text"]["text"], format!("*{}*", "x".repeat(151)));
}

#[test]
fn markup_in_texts_notifies_nobody() {
    let (blocks, _) = card(&json!([text("<!channel> & <@U1>"),
        {"type": "Markdown", "value": "<!here> [a|b](https://a.example/?a|b>)"}]));
    let all = serde_json::to_string(&blocks).unwrap();
    assert!(all.contains("&lt;!channel&gt; &amp; &lt;@U1&gt;"), "{all}");
    assert!(!all.contains("<!") && !all.contains("<@"), "{all}");
}

#[test]
fn one_button_stands_beside_its_item_and_several_below_it() {
    let (blocks, _) = print_tree(&list(2, &["Go"]));
    assert_eq!(kinds(&blocks), ["section", "section"]);
    let beside = &blocks[1]["accessory"];
    assert_eq!(beside["action_id"], "tool:act");
    assert_eq!(beside["accessibility_label"], "Go: Item 1");
    let (blocks, _) = print_tree(&list(2, &["Go", "Stop"]));
    assert_eq!(kinds(&blocks), ["section", "actions", "section", "actions"]);
    let ids = [0, 1].map(|index| blocks[1]["elements"][index]["action_id"].clone());
    assert_eq!(ids, ["tool:act", "tool:act#2"]);
}

#[test]
fn too_many_blocks_are_joined_then_menus_then_cut() {
    let (blocks, losses) = print_tree(&list(26, &["Go", "Stop"]));
    assert_eq!(blocks.len(), 26);
    let menu = &blocks[25]["accessory"];
    assert_eq!(menu["placeholder"]["text"], "Item 25");
    assert_eq!(menu["options"][1]["value"], r#"{"is":"Stop"}"#);
    assert!(losses.is_empty(), "{losses:?}");
    let (blocks, losses) = print_tree(&list(60, &["Go"]));
    assert_eq!(blocks.len(), limit::BLOCKS);
    assert_eq!(blocks[49]["elements"][0]["text"], "11 more");
    let all = serde_json::to_string(&blocks).unwrap();
    assert!(all.contains("Item 48") && !all.contains("Item 49"));
    assert!(losses.iter().any(|loss| loss.pointer.starts_with("/children/59")), "{losses:?}");
    // The buttons that submit a form stay.
    let mut fields: Vec<Value> =
        (0..60).map(|index| json!({"type": "Input", "name": format!("f{index}")})).collect();
    fields.push(json!({"type": "Button", "label": "Send", "submit": true}));
    let form = json!({"type": "Form", "onSubmitAction": {"type": "send"}, "children": fields});
    let (blocks, _) = card(&json!([form]));
    assert_eq!(blocks[48]["elements"][0]["text"], "12 more");
    assert_eq!(blocks[49]["elements"][0]["action_id"], "tool:send");
    // Texts share sections.
    let lines: Vec<Value> = (0..80)
        .flat_map(|index| [text(&format!("a{index}")), caption("b"), json!({"type": "Divider"})])
        .collect();
    let (blocks, losses) = card(&json!(lines));
    assert_eq!((kinds(&blocks), losses.len()), (vec!["section"], 0));
}

#[test]
fn long_texts_are_split_and_nothing_of_them_is_lost() {
    let words: Vec<String> = (0..4000).map(|index| format!("w{index}")).collect();
    let (blocks, losses) = card(&json!([text(&words.join(" ")),
        {"type": "Markdown", "value": format!("```\n{}\n```", words.join("\n"))}]));
    let all = serde_json::to_string(&blocks).unwrap();
    assert!(words.iter().all(|word| all.matches(word.as_str()).count() >= 2) && losses.is_empty());
    let is_fenced = |text: &str| text.matches("```").count().is_multiple_of(2);
    assert!(blocks.iter().all(|block| is_fenced(block["text"]["text"].as_str().unwrap())));
}

fn table(rows: usize, cell: &Value) -> Value {
    let row = |cells: &Value, is_head: bool| {
        let cells = cells.as_array().unwrap().iter();
        let cells: Vec<Value> =
            cells.map(|cell| json!({"type": "Table.Cell", "children": [cell]})).collect();
        json!({"type": "Table.Row", "header": is_head, "children": cells})
    };
    let mut all = vec![row(&json!([text("Name"), text("Value")]), true)];
    all.extend((0..rows).map(|index| row(&json!([text(&format!("r{index}")), cell]), false)));
    json!({"type": "Table", "children": all})
}

#[test]
fn tables_say_how_many_rows_are_missing_and_that_they_are_empty() {
    let (blocks, losses) = card(&json!([table(150, &text("x"))]));
    assert_eq!(blocks[0]["rows"].as_array().unwrap().len(), 100);
    assert_eq!(blocks[1]["elements"][0]["text"], "51 more rows");
    assert!(losses[0].reason.starts_with("51 rows are not shown"), "{losses:?}");
    let (blocks, _) = card(&json!([table(0, &text("x"))]));
    assert_eq!(kinds(&blocks), ["table", "context"]);
    let (blocks, losses) = card(&json!([table(30, &text(&"x".repeat(400)))]));
    assert_eq!((kinds(&blocks), losses.len()), (vec!["table", "context"], 1));
    // What no table holds is lines.
    let (blocks, losses) = card(&json!([table(2, &text(&"x".repeat(9_999)))]));
    assert_eq!((blocks.len(), losses.len()), (9, 0));
}

#[test]
fn a_message_has_one_table_and_data_tables_beside_it() {
    let heading = json!({"type": "Title", "value": "Both"});
    let (blocks, _) = card(&json!([heading, table(2, &text("x")), table(2, &text("y"))]));
    assert_eq!(kinds(&blocks), ["header", "table", "data_table"]);
    assert_eq!(blocks[2]["caption"], "Both");
    // A data table needs a caption.
    let (blocks, _) = card(&json!([table(2, &text("x")), table(2, &text("y"))]));
    assert_eq!(kinds(&blocks), ["table", "section"]);
}

#[test]
fn buttons_of_a_table_stand_below_it_with_the_name_of_their_row() {
    let (blocks, _) = card(&json!([table(2, &button("Book", "book"))]));
    let labels = [0, 1].map(|index| blocks[1]["elements"][index]["text"]["text"].clone());
    assert_eq!(labels, ["Book · r0", "Book · r1"]);
}

fn chart(points: usize, label: &str) -> Value {
    let data: Vec<Value> =
        (0..points).map(|index| json!({"at": format!("p{index}"), "v": index})).collect();
    json!({"type": "Chart", "xAxis": "at", "data": data,
           "series": [{"type": "bar", "dataKey": "v", "label": label}]})
}

#[test]
fn charts_are_drawn_within_the_limits_and_else_are_tables() {
    let (blocks, _) = card(&json!([chart(20, "A name of more than 20 letters")]));
    assert_eq!(blocks[0]["title"], "A name of more than 20 letters");
    assert_eq!(blocks[0]["chart"]["series"][0]["data"][19]["value"], 19);
    for tree in [chart(21, "v"), chart(2, &"long ".repeat(20))] {
        let (blocks, losses) = card(&json!([tree]));
        assert_eq!(blocks[0]["type"], "table");
        assert!(losses[0].reason.starts_with("shown as a table"), "{losses:?}");
    }
    let (blocks, _) = card(&json!([chart(2, "a"), chart(2, "b"), chart(2, "c")]));
    assert_eq!(kinds(&blocks), ["data_visualization", "data_visualization", "table"]);
    let (blocks, _) = card(&json!([chart(0, "v")]));
    assert_eq!(blocks[0]["elements"][0]["text"], "at · v\nNothing here");
}

#[test]
fn fields_are_asked_for_once_and_never_for_a_password() {
    let input = |name: &str, kind: &str| {
        json!({"type": "Input", "name": name, "inputType": kind, "placeholder": "Hint",
               "defaultValue": "secret7"})
    };
    let (blocks, losses) = card(
        &json!([input("a", "text"), input("a", "email"), input("p", "password"),
        {"type": "Input", "name": ""}, {"type": "Checkbox", "name": "c", "label": "Yes?", "required": true},
        {"type": "Select", "name": "s", "options": []}]),
    );
    let inputs = blocks.iter().filter(|block| block["type"] == "input");
    let ids: Vec<&Value> = inputs.map(|block| &block["element"]["action_id"]).collect();
    assert_eq!(ids, ["input:a", "input:c"]);
    let all = serde_json::to_string(&blocks).unwrap();
    assert_eq!(all.matches("secret7").count(), 2, "the password is not shown: {all}");
    assert!(losses.iter().any(|loss| loss.reason.contains("password")), "{losses:?}");
}

#[test]
fn a_select_outside_of_a_form_calls_its_tool() {
    let select = json!({"type": "Select", "name": "period", "ariaLabel": "Period", "defaultValue": "7",
        "options": [{"value": "7", "label": "Week"}, {"value": "30", "label": "Month"}],
        "onChangeAction": {"type": "show", "payload": {"id": 1}}});
    let (blocks, losses) = card(&json!([select]));
    let menu = &blocks[0]["accessory"];
    assert_eq!((&menu["action_id"], losses.len()), (&json!("tool:show"), 0));
    assert_eq!(menu["initial_option"]["value"], r#"{"id":1,"period":"7"}"#);
    let submit = json!({"type": "Button", "label": "Send", "submit": true, "onClickAction": {"type": "send"}});
    let (blocks, losses) = card(&json!([select, submit]));
    assert_eq!(blocks[0]["element"]["action_id"], "input:period");
    assert!(losses[0].reason.starts_with("the change action"), "{losses:?}");
}

#[test]
fn pictures_are_shown_from_public_addresses_alone() {
    let image = |src: &str| json!({"type": "Image", "src": src, "alt": "A cat"});
    let (blocks, losses) = card(&json!([
        image("https://a.example/cat.png"),
        image("data:image/png;base64,AAAA"),
        image("https://10.0.0.1/cat.png")
    ]));
    assert_eq!(kinds(&blocks), ["image", "context"]);
    assert_eq!(losses.len(), 2);
}

#[test]
fn what_cannot_be_pressed_is_text() {
    let mut disabled = button("Old", "old");
    disabled["disabled"] = true.into();
    let mut large = button("Large", "large");
    large["onClickAction"]["payload"] = json!({"x": "y".repeat(2000)});
    let (blocks, losses) = card(&json!([row(&json!([button("New", "new"), disabled, large]))]));
    assert_eq!(kinds(&blocks), ["actions", "context"]);
    assert_eq!(blocks[1]["elements"][0]["text"], "Old · Large (unavailable)");
    assert_eq!(losses.len(), 2, "{losses:?}");
}

#[test]
fn bars_show_where_they_begin_and_parts_by_colour() {
    let part = |width: &str, color: &str| json!({"type": "Box", "width": width, "height": 8, "background": color});
    let (blocks, _) = card(&json!([text("x"),
        {"type": "Row", "children": [part("30%", "green-500"), part("70%", "red-500")]}]));
    let all = serde_json::to_string(&blocks).unwrap();
    assert!(all.contains("🟩🟩🟩🟥🟥🟥🟥🟥🟥🟥"), "{all}");
}

/// Every shape with hostile texts: nothing panics, and Slack accepts all of it.
#[test]
fn slack_accepts_everything() {
    let long = "word & <b> ".repeat(320);
    let texts = [
        "",
        " ",
        "\u{7}\u{85}\u{a0}",
        "a*b_c~d`e",
        "```\n",
        "| a |\n|---|\n| b |",
        "\u{202e}🙂\n\nx",
        &long,
    ];
    for words in texts {
        let action = json!({"type": words, "payload": {"x": words, "url": words}});
        let choices = json!([{"value": words, "label": words}, {"value": "b", "label": words, "description": words},
            {"value": "b", "label": "again"}, {"value": "c", "label": "c", "disabled": true}]);
        let mut leaves = vec![
            text(words),
            caption(words),
            json!({"type": "Title", "value": words}),
            json!({"type": "Markdown", "value": words}),
            json!({"type": "Badge", "label": words, "color": "info"}),
            json!({"type": "Icon", "name": words}),
            json!({"type": "Image", "src": "https://a.example/a.png", "alt": words}),
            json!({"type": "Image", "src": words, "alt": words}),
            json!({"type": "Button", "label": words, "iconStart": "check", "onClickAction": action}),
            json!({"type": "Button", "label": words, "onClickAction": {"type": "t", "payload": {"x": words}}}),
            json!({"type": "Box", "width": "40%", "height": 8, "background": "red-500"}),
            json!({"type": "Divider"}),
            table(3, &text(words)),
            table(0, &text(words)),
            chart(3, words),
            chart(0, words),
            json!({"type": "Chart", "xAxis": words, "data": [{words: words, "v": 1e99}], "series": [{"type": "line", "dataKey": "v"}]}),
        ];
        for (index, kind) in ["Input", "Textarea", "Select", "RadioGroup", "DatePicker", "Checkbox"]
            .iter()
            .enumerate()
        {
            let input = ["number", "email", "url", "password"][index % 4];
            for (name, change) in
                [(words, Value::Null), ("n", json!({"type": "t", "payload": {"x": 1}}))]
            {
                leaves.push(json!({"type": kind, "name": format!("{name}{index}"), "label": words, "placeholder": words,
                    "defaultValue": words, "options": choices, "required": index % 2 == 0, "onChangeAction": change,
                    "inputType": input}));
            }
        }
        for (index, leaf) in leaves.iter().enumerate() {
            for other in leaves.iter().cycle().skip(index).step_by(7).take(4) {
                let both = json!([leaf, other]);
                card(&both);
                let item = json!({"type": "ListViewItem", "onClickAction": {"type": "open"},
                    "children": [{"type": "Row", "children": both}]});
                print_tree(&json!({"type": "ListView", "children": [item, item]}));
            }
            let inside = [
                row(&json!([leaf, {"type": "Col", "children": [leaf, text("x")]}])),
                json!({"type": "Box", "background": "red-50", "children": [leaf, leaf]}),
                table(2, leaf),
                json!({"type": "Form", "onSubmitAction": {"type": "t"}, "children": [leaf]}),
            ];
            card(&json!(inside));
            card(&json!(vec![leaf; 60]));
        }
    }
}

#[test]
fn mails_and_calls_are_links() {
    let open = |url: &str| json!({"type": "Button", "label": "Ring", "onClickAction": {"type": "open_url", "payload": {"url": url}}});
    let (blocks, losses) = card(&json!([text("a"), open("tel:+4930")]));
    assert_eq!(blocks[1]["elements"][0]["text"], "<tel:+4930|Ring>");
    assert!(losses.is_empty(), "{losses:?}");
    let (blocks, _) =
        card(&json!([{"type": "Markdown", "value": "[Write](mailto:a@example.com)"}]));
    assert_eq!(blocks[0]["text"]["text"], "<mailto:a@example.com|Write>");
}

#[test]
fn an_icon_leads_the_markdown_beside_it() {
    let (blocks, _) = card(&json!([row(
        &json!([{"type": "Icon", "name": "check"}, {"type": "Markdown", "value": "Pets **allowed**"}])
    )]));
    assert_eq!(blocks[0]["text"]["text"], ":white_check_mark: Pets *allowed*");
}

#[test]
fn faces_share_a_line_with_what_is_behind_them() {
    let face = |name: &str| json!({"type": "Image", "src": "https://a.example/b.png", "alt": name, "size": 24, "radius": "full"});
    let (blocks, _) = card(&json!([row(&json!([face("Ana"), face("Ravi"), caption("+3")]))]));
    let types: Vec<&Value> =
        blocks[0]["elements"].as_array().unwrap().iter().map(|one| &one["type"]).collect();
    assert_eq!(types, ["image", "image", "mrkdwn"]);
    // Next to a section the image would be far larger than the line.
    let (blocks, _) = card(&json!([text("Owner"), row(&json!([face("Ana"), text("Ana")]))]));
    assert_eq!(kinds(&blocks), ["section", "context"]);
}

#[test]
fn a_line_below_a_field_is_its_hint() {
    let tree = json!({"type": "Card", "asForm": true, "confirm": {"label": "Go", "action": {"type": "go"}}, "children": [
        {"type": "Label", "value": "Mail", "fieldName": "m"}, {"type": "Input", "name": "m"}, caption("We answer there.")]});
    let (blocks, _) = print_tree(&tree);
    assert_eq!(blocks[0]["hint"]["text"], "We answer there.");
    assert_eq!(kinds(&blocks), ["input", "actions"]);
}

#[test]
fn what_stands_beside_a_check_box_describes_it() {
    let print = |beside: &[Value]| {
        let mut children = vec![
            json!({"type": "Checkbox", "name": "a", "label": "Write"}),
            json!({"type": "Spacer"}),
        ];
        children.extend_from_slice(beside);
        let confirm = json!({"label": "Go", "action": {"type": "go"}});
        let children = json!([row(&Value::Array(children))]);
        print_tree(
            &json!({"type": "Card", "asForm": true, "confirm": confirm, "children": children}),
        )
        .0
    };
    let blocks = print(&[caption("Ana")]);
    assert_eq!(blocks[0]["elements"][0]["options"][0]["description"]["text"], "Ana");
    // An image has no place in a description.
    let picture =
        json!({"type": "Image", "src": "https://a.example/b.png", "alt": "Ana", "size": 20});
    let blocks = print(&[picture, caption("Ana")]);
    assert_eq!(blocks[0]["elements"][0]["options"][0]["description"], Value::Null);
    assert_eq!(blocks[1]["elements"][0]["image_url"], "https://a.example/b.png");
    assert_eq!(blocks[2]["elements"][0]["text"], "Ana");
}

/// The text of the first block.
fn first_text(children: &Value) -> String {
    let (blocks, _) = card(children);
    blocks[0]["text"]["text"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn marks_of_the_data_do_not_close_ours() {
    let bold = json!({"type": "Text", "value": "148 €", "weight": "bold"});
    let line = |other: &str| first_text(&json!([text("a"), row(&json!([bold, text(other)]))]));
    assert_eq!(line("PayWay *Klang"), "a\n148 € · PayWay *Klang");
    assert_eq!(line("3*4 m"), "a\n*148 €* · 3*4 m");
    let markdown = |value: &str| first_text(&json!([{"type": "Markdown", "value": value}]));
    assert_eq!(markdown("汇集自**博物馆**的"), "汇集自博物馆的");
    assert_eq!(markdown("from **two** museums"), "from *two* museums");
}

#[test]
fn rows_without_a_head_are_lines() {
    let square = |color: &str| json!({"type": "Box", "flex": 1, "height": 8, "background": color});
    let seats = |name: &str, color: &str| {
        let name = json!({"type": "Text", "value": name, "width": 20});
        row(&json!([name, square(color), square("red-500"), square("green-500")]))
    };
    let text = first_text(&json!([seats("A", "green-500"), seats("B", "red-500")]));
    assert_eq!(text, "A 🟢 🔴 🟢\nB 🔴 🔴 🟢");
}
