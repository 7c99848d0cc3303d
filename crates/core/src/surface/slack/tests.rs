//! Every gallery preview, every corpus tree and the cases written to be hard: the output passes
//! the check, and whatever a person would have seen is there or reported.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::component::scalar;
use super::*;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn json_files(folder: &Path) -> Vec<(String, Value)> {
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            let value = serde_json::from_slice(&std::fs::read(entry.path()).ok()?).ok()?;
            Some((name, value))
        })
        .collect();
    files.sort_by(|a, b| a.0.cmp(&b.0));
    files
}

fn gallery() -> Vec<(String, Value)> {
    let files = json_files(&root().join("crates/cli/widgets")).into_iter();
    files
        .map(|(name, mut file)| {
            let preview = match file["outputJsonPreview"].take() {
                Value::String(text) => serde_json::from_str(&text).unwrap(),
                tree => tree,
            };
            (name, preview)
        })
        .collect()
}

/// The corpus lies beside the checkout, or where `WIDGETCAST_CORPUS` says (its `widgets`).
fn corpus() -> Vec<(String, Value)> {
    let given = std::env::var_os("WIDGETCAST_CORPUS").map(|path| PathBuf::from(path).join(".."));
    let near = root().join("../shared/corpus");
    let Some(folder) = given.into_iter().chain([near]).find(|folder| folder.is_dir()) else {
        eprintln!("the corpus is not here: its trees are not tested");
        return Vec::new();
    };
    let wires = json_files(&folder.join("expected_wire"))
        .into_iter()
        .filter(|(name, _)| !name.ends_with(".error.json"));
    let variants =
        json_files(&folder.join("variants")).into_iter().filter_map(|(name, mut file)| {
            let key = ["tree", "wire", "expected", "output"]
                .into_iter()
                .find(|key| file[key]["type"].is_string())?;
            Some((name, file[key].take()))
        });
    wires.chain(variants).collect()
}

fn rows(count: usize, row: impl Fn(usize) -> Value) -> Value {
    json!({"type": "Card", "children": (0..count).map(row).collect::<Vec<_>>()})
}

fn hard() -> Vec<(String, Value)> {
    let act = |kind: &str| json!({"type": kind, "payload": {"id": 1}});
    let long = "A sentence with <tags> & signs. ".repeat(400);
    let series: Vec<Value> = (0..15)
        .map(
            |n| json!({"type": "line", "dataKey": format!("s{n}"), "label": format!("Series {n}")}),
        )
        .collect();
    let row = |x: usize| {
        let mut row = json!({"day": format!("D{x}")});
        (0..15).for_each(|n| row[format!("s{n}")] = json!(n * x));
        row
    };
    let cases = [
        (
            "long text",
            json!({"type": "Card", "children": [
            {"type": "Title", "value": long}, {"type": "Text", "value": long},
            {"type": "Text", "value": "x".repeat(9000)}, {"type": "Caption", "value": long},
            {"type": "Text", "value": "&".repeat(4000)},
            {"type": "Button", "label": long, "onClickAction": act("go")},
            {"type": "Badge", "label": long}]}),
        ),
        (
            "60 rows",
            rows(60, |n| {
                json!({"type": "Row", "children": [
            {"type": "Text", "value": format!("Label {n}")}, {"type": "Spacer"},
            {"type": "Text", "value": format!("Value {n}")}]})
            }),
        ),
        (
            "60 mixed",
            rows(60, |n| {
                json!({"type": "Col", "children": [
            {"type": "Text", "value": format!("Text {n}")}, {"type": "Divider"},
            {"type": "Caption", "value": format!("Caption {n}")}]})
            }),
        ),
        (
            "60 images",
            rows(
                60,
                |n| json!({"type": "Image", "src": "https://a.example/1.png", "alt": format!("Image {n}")}),
            ),
        ),
        (
            "60 buttons of a kind",
            rows(
                60,
                |n| json!({"type": "Button", "label": format!("B{n}"), "onClickAction": act("same")}),
            ),
        ),
        ("60 inputs and a confirm", {
            let mut card = rows(
                60,
                |n| json!({"type": "Input", "name": format!("field{n}"), "placeholder": format!("Field {n}")}),
            );
            card["confirm"] = json!({"label": "Send", "action": act("send")});
            card
        }),
        (
            "15 series",
            json!({"type": "Card", "children": [
            {"type": "Chart", "xAxis": "day", "series": series, "data": (0..5).map(row).collect::<Vec<_>>()}]}),
        ),
        (
            "30 points",
            json!({"type": "Card", "children": [
            {"type": "Chart", "xAxis": {"dataKey": "day"}, "series": [series[1].clone()], "data": (0..30).map(row).collect::<Vec<_>>()}]}),
        ),
        (
            "3 charts",
            rows(
                3,
                |_| json!({"type": "Chart", "xAxis": "day", "series": [series[1].clone(), series[2].clone()], "data": (0..4).map(row).collect::<Vec<_>>()}),
            ),
        ),
        (
            "right to left",
            json!({"type": "Card", "children": [
            {"type": "Title", "value": "مرحبا بالعالم"}, {"type": "Text", "value": "שלום עולם \u{202e}abc"}]}),
        ),
        ("emoji", rows(3, |_| json!({"type": "Title", "value": "👩‍👩‍👧‍👦🏳️‍🌈".repeat(20)}))),
        ("empty list", json!({"type": "ListView", "children": []})),
        ("empty card", json!({"type": "Card", "children": []})),
        (
            "only spaces",
            json!({"type": "Card", "children": [{"type": "Text", "value": "  \n "}, {"type": "Badge", "label": ""}]}),
        ),
        (
            "hostile",
            json!({"type": "Card", "children": [
            {"type": "Title", "value": "<!channel> & <@U1>\u{0}\u{1b}[31m"},
            {"type": "Text", "value": "*b* _i_ ~s~ `c` <https://evil.example|ok> &amp;\u{7}"},
            {"type": "Markdown", "value": "<!here> [x](javascript:alert(1)) <@U123>"},
            {"type": "Row", "children": [{"type": "Text", "value": "<a>|&"}, {"type": "Spacer"}, {"type": "Text", "value": "\u{2}\u{3}<b>"}]},
            {"type": "Button", "label": "\u{0}<x>", "onClickAction": {"type": "t<>&", "payload": {"k": "</script>\u{0}"}}},
            {"type": "Select", "name": "<s>", "options": [{"label": "<&>", "value": "\"'"}, {"label": "", "value": ""}]},
            {"type": "Image", "src": "javascript:alert(1)", "alt": "<alt>"},
            {"type": "Image", "src": "https://localhost/x.png", "alt": "local"}]}),
        ),
        (
            "nested cards",
            json!({"type": "Basic", "children": [
            {"type": "Card", "children": [{"type": "Card", "children": [{"type": "Title", "value": "Inner"}],
                "confirm": {"label": "Yes", "action": act("yes")}}], "cancel": {"label": "No", "action": act("no")}},
            {"type": "ListView", "children": [{"type": "ListViewItem", "onClickAction": act("pick"), "children": [
                {"type": "Text", "value": "One"}]}]}]}),
        ),
        (
            "big payload",
            json!({"type": "Card", "children": [
            {"type": "Button", "label": "Big", "onClickAction": {"type": "big", "payload": {"x": "y".repeat(3000)}}},
            {"type": "Button", "label": "Named", "onClickAction": {"type": "n".repeat(300)}}]}),
        ),
        (
            "big table",
            json!({"type": "Card", "children": [{"type": "Table", "children":
            (0..150).map(|y| json!({"type": "Table.Row", "header": y == 0, "children":
                (0..25).map(|x| json!({"type": "Table.Cell", "children": [{"type": "Text", "value": format!("r{y}c{x}")}]})).collect::<Vec<_>>()})).collect::<Vec<_>>()}]}),
        ),
        (
            "long markdown",
            json!({"type": "Card", "children": [
            {"type": "Markdown", "value": "# Head\n\n**bold** and [link](https://a.example/?a=1&b=2)\n- item\n".repeat(200)},
            {"type": "Markdown", "value": "[".repeat(20_000)}]}),
        ),
        (
            "lone fields",
            json!({"type": "Card", "children": [
            {"type": "Select", "name": "a", "onChangeAction": act("change"), "options": [{"label": "A", "value": "a"}]},
            {"type": "RadioGroup", "name": "b", "onChangeAction": act("change"), "options": (0..12).map(|n| json!({"label": format!("R{n}"), "value": format!("r{n}")})).collect::<Vec<_>>()},
            {"type": "Checkbox", "name": "c", "label": "Tick", "onChangeAction": act("tick")},
            {"type": "DatePicker", "name": "d", "defaultValue": "soon", "onChangeAction": act("date")},
            {"type": "Input", "name": "d", "inputType": "number", "defaultValue": "NaN"},
            {"type": "Text", "value": "Edit me", "editable": {"name": "e", "required": true}},
            {"type": "Select", "name": "f", "options": []},
            {"type": "Input", "name": "g", "disabled": true, "defaultValue": "fixed"}]}),
        ),
        (
            "carousel",
            json!({"type": "ListView", "children": (0..4).map(|n| json!({"type": "ListViewItem",
            "onClickAction": act("open"), "children": [
                {"type": "Image", "src": "https://a.example/i.png", "alt": format!("Picture {n}")},
                {"type": "Col", "children": [{"type": "Title", "value": format!("Item {n}")}, {"type": "Caption", "value": "Sub"}]}]})).collect::<Vec<_>>()}),
        ),
        ("not a tree", json!([1, "x", null])),
        (
            "odd types",
            json!({"type": "Card", "children": [{"type": "Hologram", "value": "3D"}, 7, null,
            {"type": "Row", "children": "x"}, {"type": "Button"}, {"type": "Chart", "data": {}}, {"type": "Table"}]}),
        ),
    ];
    cases.into_iter().map(|(name, tree)| (name.to_owned(), tree)).collect()
}

fn all() -> Vec<(String, Value)> {
    gallery().into_iter().chain(corpus()).chain(hard()).collect()
}

#[test]
fn every_output_passes_the_check() {
    let mut dump = Vec::new();
    let mut works = Vec::new();
    let (mut trees, mut lost) = (0, 0);
    for (name, tree) in all() {
        let (blocks, losses) = blocks(&tree);
        let faults = validate(&blocks);
        assert!(faults.is_empty(), "{name}: {faults:?}\n{blocks:#?}");
        trees += 1;
        lost += losses.len();
        dump.push(json!({"name": name, "blocks": blocks}));
        for kind in ["task", "item", "content_item"] {
            let about = WorkObject { entity_type: kind.to_owned(), ..about() };
            let (object, _) = work_object(&tree, &about);
            let faults = validate_work_object(&object);
            assert!(faults.is_empty(), "{name}: {faults:?}\n{object:#}");
            works.push(object);
        }
    }
    eprintln!("{trees} trees, {lost} losses");
    // For the second opinions in tests/slack.
    if let Some(folder) = std::env::var_os("SLACK_DUMP") {
        let folder = PathBuf::from(folder);
        std::fs::write(folder.join("blocks.json"), json!(dump).to_string()).unwrap();
        std::fs::write(folder.join("works.json"), json!(works).to_string()).unwrap();
    }
}

#[test]
fn what_a_person_sees_is_shown_or_lost() {
    for (name, tree) in all() {
        let (blocks, losses) = blocks(&tree);
        let shown = shown(&json!(blocks));
        let mut wanted = Vec::new();
        seen(&tree, "", &mut wanted);
        for (at, text, exact) in wanted {
            // The words beside a button that opens a page can be the link.
            let node = tree.pointer(&at).unwrap_or(&tree);
            let url = action::link(&node["onClickAction"]).filter(|_| node["type"] == "Button");
            let is_link = url.is_some_and(|url| shown.contains(&format!("<{}|", squeeze(url))));
            let there = if is_link {
                true
            } else if exact {
                // A calendar writes its month in capitals; its date stands before a time.
                let shown = shown.to_lowercase();
                // The head of a forecast has the unit.
                let text = text.trim_end_matches('°').to_lowercase();
                let is_time = text.contains(", ") && text.contains(':');
                let parts: Vec<&str> =
                    if is_time { text.split(", ").collect() } else { vec![&*text] };
                parts.iter().all(|part| shown.contains(&squeeze(part)))
            } else {
                text.split(|c: char| !c.is_alphanumeric()).all(|word| shown.contains(word))
            };
            assert!(
                there || is_covered(&at, &losses),
                "{name}: {at} {text:?} is missing\n{losses:#?}"
            );
        }
        let pressed = json!(blocks).to_string();
        let mut actions = Vec::new();
        acts(&tree, "", &mut actions);
        for (at, action) in actions {
            let sent = action::link(action).map_or_else(
                || format!("tool:{}", action["type"].as_str().unwrap_or_default()),
                str::to_owned,
            );
            let there = pressed.contains(json!(sent).to_string().trim_matches('"'));
            assert!(
                there || is_covered(&at, &losses),
                "{name}: {at} {sent} is missing\n{losses:#?}"
            );
        }
    }
}

/// Whatever a tree holds, the output is valid: each run breaks one value of a tree.
#[test]
fn broken_trees_make_valid_blocks() {
    let odd = [
        json!(null),
        json!(-1.5e300),
        json!(""),
        json!("\u{0}&<>*_~`|".repeat(500)),
        json!({"type": "Row", "children": {"type": "Col"}}),
        json!([[], {}, "x"]),
        json!({"type": "open_url", "payload": {"url": "https://a.example"}}),
        json!(true),
    ];
    let mut state = 7_usize;
    let mut random = |below: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below.max(1)
    };
    for (name, tree) in gallery().into_iter().chain(hard()) {
        let mut places = Vec::new();
        pointers(&tree, "", &mut places);
        for _ in 0..12 {
            let mut broken = tree.clone();
            let place = &places[random(places.len())];
            *broken.pointer_mut(place).unwrap() = odd[random(odd.len())].clone();
            let faults = validate(&blocks(&broken).0);
            assert!(faults.is_empty(), "{name}: {faults:?}\n{broken}");
            let faults = validate_work_object(&work_object(&broken, &about()).0);
            assert!(faults.is_empty(), "{name}: {faults:?}\n{broken}");
            // The check itself must take anything.
            validate(&[broken]);
        }
    }
}

fn pointers(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    let inner: Vec<(String, &Value)> = match value {
        Value::Array(items) => {
            items.iter().enumerate().map(|(index, item)| (index.to_string(), item)).collect()
        }
        Value::Object(members) => members.iter().map(|(key, value)| (key.clone(), value)).collect(),
        _ => Vec::new(),
    };
    for (key, value) in inner {
        pointers(value, &format!("{at}/{key}"), found);
    }
}

fn is_covered(at: &str, losses: &[Loss]) -> bool {
    let within = |inner: &str, outer: &str| {
        inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    losses.iter().any(|loss| within(at, &loss.pointer) || within(&loss.pointer, at))
}

/// Without what markup, escapes and line breaks may change.
fn squeeze(text: &str) -> String {
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    text.chars().filter(|c| !c.is_whitespace() && !c.is_control() && !"*_~`".contains(*c)).collect()
}

/// All text of the output, in order.
fn shown(value: &Value) -> String {
    match value {
        Value::Array(items) => items.iter().map(shown).collect(),
        Value::Object(members) => members
            .iter()
            .filter(|(key, _)| !matches!(key.as_str(), "type" | "action_id" | "image_url" | "url"))
            .map(|(_, value)| shown(value))
            .collect(),
        Value::String(text) => squeeze(text),
        Value::Number(number) => number.to_string(),
        _ => String::new(),
    }
}

fn seen(node: &Value, at: &str, found: &mut Vec<(String, String, bool)>) {
    let keys: &[&str] = match node["type"].as_str() {
        Some("Text" | "Title" | "Caption" | "Label" | "Markdown") => &["value"],
        Some("Badge" | "Button" | "Checkbox") => &["label"],
        Some("Image") => &["alt"],
        Some("Input" | "Textarea" | "Select" | "DatePicker") => &["placeholder"],
        _ => &[],
    };
    for key in keys {
        if let Some(text) = node[key].as_str() {
            // Slack says itself what is optional.
            let text = text.trim_end_matches("(optional)");
            found.push((at.to_owned(), text.to_owned(), node["type"] != "Markdown"));
        }
    }
    for end in ["confirm", "cancel"] {
        if let Some(text) = node[end]["label"].as_str() {
            found.push((format!("{at}/{end}"), text.to_owned(), true));
        }
    }
    if let Some(text) = node["status"]["text"].as_str() {
        found.push((format!("{at}/status"), text.to_owned(), true));
    }
    for (key, list) in [("options", &node["options"]), ("series", &node["series"])] {
        for (index, option) in list.as_array().into_iter().flatten().enumerate() {
            if let Some(text) = option["label"].as_str() {
                found.push((format!("{at}/{key}/{index}"), text.to_owned(), true));
            }
        }
    }
    for (child, at) in component::children(node, at) {
        seen(child, &at, found);
    }
}

fn acts<'v>(node: &'v Value, at: &str, found: &mut Vec<(String, &'v Value)>) {
    for path in [
        "/onClickAction",
        "/onSubmitAction",
        "/onChangeAction",
        "/confirm/action",
        "/cancel/action",
    ] {
        if let Some(action) = node.pointer(path).filter(|action| action["type"].is_string()) {
            found.push((format!("{at}{path}"), action));
        }
    }
    for (child, at) in component::children(node, at) {
        acts(child, &at, found);
    }
}

fn about() -> WorkObject {
    WorkObject {
        entity_type: "item".to_owned(),
        id: "7".to_owned(),
        url: "https://shop.example/7".to_owned(),
        product_name: Some("Shop".to_owned()),
        product_icon: Some("https://shop.example/i.png".to_owned()),
        ..WorkObject::default()
    }
}

fn faults(block: Value) -> Vec<String> {
    validate(&[block]).iter().map(ToString::to_string).collect()
}

#[test]
fn a_card_reads_as_blocks() {
    let tree = json!({"type": "Card", "children": [
        {"type": "Title", "value": "Order <7>"},
        {"type": "Caption", "value": "Paid & packed"}, {"type": "Badge", "label": "New"},
        {"type": "Row", "children": [{"type": "Caption", "value": "Total"}, {"type": "Spacer"}, {"type": "Text", "value": "$9"}]},
        {"type": "Row", "children": [{"type": "Caption", "value": "Items"}, {"type": "Spacer"}, {"type": "Text", "value": "3"}]},
        {"type": "Divider"},
        {"type": "Button", "label": "Track", "style": "primary", "onClickAction": {"type": "order.track"}},
        {"type": "Button", "label": "Site", "onClickAction": {"type": "open_url", "payload": {"url": "https://a.example"}}}]});
    let (blocks, losses) = blocks(&tree);
    assert!(losses.is_empty());
    assert_eq!(
        json!(blocks),
        json!([
            {"type": "header", "text": {"type": "plain_text", "text": "Order <7>"}},
            {"type": "context", "elements": [
                {"type": "mrkdwn", "text": "Paid &amp; packed  ·  New"}]},
            {"type": "section", "fields": [
                {"type": "mrkdwn", "text": "*Total*\n$9"}, {"type": "mrkdwn", "text": "*Items*\n3"}]},
            {"type": "actions", "elements": [
                {"type": "button", "text": {"type": "plain_text", "text": "Track"},
                 "action_id": "tool:order.track", "value": "{}", "style": "primary"},
                {"type": "button", "text": {"type": "plain_text", "text": "Site"}, "url": "https://a.example"}]}
        ])
    );
}

#[test]
fn a_form_reads_as_inputs() {
    let tree = json!({"type": "Card", "children": [{"type": "Form", "onSubmitAction": {"type": "send"}, "children": [
        {"type": "Label", "fieldName": "mail", "value": "Your mail"},
        {"type": "Input", "name": "mail", "inputType": "email", "required": true}]}]});
    let (blocks, losses) = blocks(&tree);
    assert!(losses.is_empty());
    assert_eq!(blocks[0]["label"]["text"], "Your mail");
    assert_eq!(
        blocks[0]["element"],
        json!({"type": "email_text_input", "action_id": "input:mail"})
    );
    assert_eq!(blocks[1]["elements"][0]["action_id"], "tool:send");
}

#[test]
fn cards_and_charts_are_used_where_they_fit() {
    let find = |name: &str| hard().into_iter().find(|(n, _)| n == name).unwrap().1;
    let kinds =
        |tree: &Value| blocks(tree).0.iter().map(|b| scalar(&b["type"])).collect::<Vec<_>>();
    assert_eq!(kinds(&find("carousel")), ["carousel"]);
    assert_eq!(kinds(&find("15 series")), ["data_table"]);
    assert_eq!(
        kinds(&find("3 charts")),
        ["data_visualization", "data_visualization", "data_table"]
    );
    assert_eq!(kinds(&find("60 inputs and a confirm")).last().unwrap(), "context");
}

#[test]
fn the_check_names_place_and_rule() {
    let text = json!({"type": "plain_text", "text": "x"});
    let button = json!({"type": "button", "text": text, "action_id": "tool:a", "value": "{"});
    let cases = [
        (json!({"type": "alert", "text": text}), "blocks[0].type: `alert` is not allowed here"),
        (json!({"type": "section"}), "blocks[0]: a section needs text or fields"),
        (
            json!({"type": "section", "text": {"type": "mrkdwn", "text": ""}}),
            "blocks[0].text.text: must not be empty",
        ),
        (
            json!({"type": "header", "text": {"type": "plain_text", "text": "x".repeat(151)}}),
            "blocks[0].text.text: at most 150 characters",
        ),
        (
            json!({"type": "image", "image_url": "https://a.example/i"}),
            "blocks[0].alt_text: is required",
        ),
        (
            json!({"type": "image", "image_url": "data:image/png,x", "alt_text": "x"}),
            "blocks[0].image_url: must be an https address",
        ),
        (
            json!({"type": "image", "image_url": "https://10.0.0.1/i", "alt_text": "x"}),
            "blocks[0].image_url: must be an address that Slack can reach",
        ),
        (
            json!({"type": "actions", "elements": [button]}),
            "blocks[0].elements[0].value: a `tool:` action needs its arguments as a JSON string",
        ),
        (
            json!({"type": "actions", "elements": [{"type": "plain_text_input", "action_id": "input:x"}]}),
            "blocks[0].elements[0].type: `plain_text_input` is not allowed here",
        ),
        (json!({"type": "divider", "colour": "red"}), "blocks[0].colour: is not known to Slack"),
        (
            json!({"type": "input", "label": text, "element": {"type": "static_select", "action_id": "input:x", "options": []}}),
            "blocks[0].element.options: needs at least 1",
        ),
        (
            json!({"type": "data_table", "caption": "x", "rows": [[{"type": "raw_text", "text": "a"}]]}),
            "blocks[0].rows: needs at least 2",
        ),
        (
            json!({"type": "carousel", "elements": [{"type": "card"}]}),
            "blocks[0].elements[0]: a card needs a hero_image, title, body or actions",
        ),
        (json!(3), "blocks[0]: must be an object"),
    ];
    for (block, fault) in cases {
        assert_eq!(faults(block), [fault]);
    }
    let twice =
        [json!({"type": "divider", "block_id": "a"}), json!({"type": "divider", "block_id": "a"})];
    assert_eq!(
        validate(&twice)[0].to_string(),
        "blocks[1].block_id: must be unique in the message"
    );
    let many = vec![json!({"type": "divider"}); 51];
    assert_eq!(validate(&many)[0].to_string(), "blocks: at most 50 blocks");
}

#[test]
fn a_work_object_is_mapped() {
    let tree = json!({"type": "Card", "children": [
        {"type": "Title", "value": "Order 7"}, {"type": "Badge", "label": "Paid", "color": "success"},
        {"type": "Row", "children": [{"type": "Text", "value": "Total"}, {"type": "Spacer"}, {"type": "Text", "value": "$9"}]},
        {"type": "Button", "label": "Track", "onClickAction": {"type": "track"}}]});
    let (object, losses) = work_object(&tree, &about());
    assert!(losses.is_empty());
    let payload = &object["entity"]["entity_payload"];
    assert_eq!(payload["attributes"]["title"]["text"], "Order 7");
    assert_eq!(
        payload["custom_fields"],
        json!([
            {"key": "status", "label": "Status", "type": "string", "value": "Paid", "tag_color": "green"},
            {"key": "total", "label": "Total", "type": "string", "value": "$9"}])
    );
    assert_eq!(payload["actions"]["primary_actions"][0]["action_id"], "tool:track");
}

#[test]
fn the_silent_drops_are_faults() {
    let (good, _) = work_object(&json!({"type": "Card"}), &about());
    assert_eq!(validate_work_object(&good), []);
    let rules = |value: &Value| {
        validate_work_object(value).iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
    };
    let deep = json!({"metadata": good});
    assert!(rules(&deep).contains("metadata: nested one level too deep"));
    let deep = json!({"event_type": "x", "entity": {"entity": good["entity"]}});
    assert!(rules(&deep).contains("entity.entity: nested one level too deep"));
    let mut bare = good.clone();
    bare["entity"]["entity_payload"]["attributes"]["product_icon"] =
        json!({"url": "https://a.example/i.png"});
    assert!(rules(&bare).contains("product_icon.alt_text: is required"));
}

#[test]
fn markdown_turns_into_mrkdwn() {
    for (source, slack) in [
        ("# A & B", "*A &amp; B*"),
        ("**b** *i* ~~s~~ `a*b`", "*b* _i_ ~s~ `a*b`"),
        ("[t](https://a.example/?x=1&y=2)", "<https://a.example/?x=1&amp;y=2|t>"),
        ("![alt](https://a.example/i.png)", "<https://a.example/i.png|alt>"),
        ("[t](javascript:x)", "t"),
        ("- one\n> two <b>", "• one\n\n> two &lt;b&gt;"),
        ("snake_case_name 2 * 3", "snake_case_name 2 * 3"),
        ("```rs\na < b\n```", "```\na &lt; b\n```"),
        ("# **A** *b*", "A _b_"),
        ("## A\nb\n\nc", "*A*\nb\n\nc"),
        ("**a\nb** c", "*a*\n*b* c"),
        ("***a\nb***", "_*a*_\n_*b*_"),
        ("****a**** *b _c_*", "*a* _b c_"),
        ("a  \nb", "a\nb"),
        ("2. a\n3. b\n   - c\n\n     d", "2. a\n3. b\n  • c\n\n    d"),
        ("- [ ] a\n- [x] b", "☐ a\n☑ b"),
        ("> a\n> b", "> a\n> b"),
        ("> # A\n> - b", "> *A*\n> • b"),
        ("- a\n\n  ```\n  b\n  ```", "• a\n\n  ```\n  b\n  ```"),
        ("````\n```\n````", "```"),
        ("``a`b``", "a`b"),
        ("[**a** `b|c`](https://a.example)", "<https://a.example|a b¦c>"),
        ("[![a](https://a.example/i.png) b](https://a.example) c", "<https://a.example|a b> c"),
        ("<https://a.example>", "<https://a.example|https://a.example>"),
        ("| a | b |\n|---|---|\n| **c** | d |", "| a | b |\n| *c* | d |"),
        ("a\n\n***\n\nb", "a\n\n---\n\nb"),
        ("a <!here> <b>c</b>", "a &lt;!here&gt; &lt;b&gt;c&lt;/b&gt;"),
        ("<script>\nx\n</script>", "&lt;script&gt;\nx\n&lt;/script&gt;"),
        ("", ""),
    ] {
        assert_eq!(markdown::to_mrkdwn(source), slack, "{source:?}");
    }
    assert_eq!(
        markdown::neutralize("<!here> <@U1> <#C1> <b> \u{7}"),
        "&lt;!here> &lt;@U1> &lt;#C1> <b>"
    );
    let text = format!("{} <https://a.example|two words> &amp;", "w ".repeat(40));
    for most in 20..60 {
        for piece in mrkdwn::split(&text, most) {
            assert!(limit::len(&piece) <= most);
        }
    }
}

#[test]
fn a_template_is_an_object_or_a_list() {
    let list = json!([{"type": "divider"}]);
    assert_eq!(template_blocks(&list).unwrap().len(), 1);
    assert_eq!(template_blocks(&json!({"blocks": list})).unwrap().len(), 1);
    assert!(template_blocks(&json!({"block": []})).is_err());
    assert!(template_blocks(&json!("x")).is_err());
}

#[test]
fn a_deep_value_does_no_harm() {
    let mut tree = json!({"type": "Text", "value": "x"});
    (0..300).for_each(|_| tree = json!({"type": "Col", "children": [tree.take()]}));
    assert_eq!(blocks(&tree).1.len(), 1);
    assert_eq!(work_object(&tree, &about()).1.len(), 1);
    assert_eq!(validate(std::slice::from_ref(&tree)).len(), 1);
}

#[test]
fn every_private_address_is_known() {
    for host in [
        "10.0.0.1",
        "10.255.255.255",
        "127.0.0.1",
        "0.0.0.0",
        "192.168.0.1",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "localhost",
        "printer",
        "[::1]",
        "[2001:db8::1]",
        "a.local",
        "a.localhost",
        "a.internal",
        "a.lan",
        "a.home",
        "A.LOCAL",
        "a..example",
        "",
        "user@10.0.0.1",
        "10.0.0.1:8080",
    ] {
        assert!(!limit::is_public(&format!("https://{host}/i.png")), "{host}");
    }
    for host in [
        "a.example",
        "a.example:8080",
        "user@a.example",
        "9.0.0.1",
        "11.0.0.1",
        "128.0.0.1",
        "192.167.0.1",
        "192.169.0.1",
        "169.253.0.1",
        "169.255.0.1",
        "172.15.0.1",
        "172.32.0.1",
        "10.example.com",
        "local.example",
        "a.homes",
    ] {
        assert!(limit::is_public(&format!("https://{host}/i.png")), "{host}");
    }
    assert!(limit::is_public("HTTPS://a.example"));
    for url in [
        "http://a.example",
        "ftp://a.example",
        "//a.example",
        "https://a.example/a b",
        "https://a.example/\u{7}",
    ] {
        assert!(!limit::is_public(url), "{url}");
    }
    let long = |size: usize| format!("https://a.example/{}", "x".repeat(size - 18));
    assert!(limit::is_public(&long(limit::URL)) && !limit::is_public(&long(limit::URL + 1)));
}

#[test]
fn a_long_text_is_never_split_in_an_entity_or_a_link() {
    let entities = "&amp;&lt;&gt;".repeat(20);
    for most in 6..40 {
        let pieces = mrkdwn::split(&entities, most);
        assert_eq!(pieces.concat(), entities, "{most}");
        for piece in &pieces {
            assert!(
                limit::len(piece) <= most && piece.starts_with('&') && piece.ends_with(';'),
                "{most}: {piece}"
            );
        }
    }
    // An ampersand that starts no entity is no reason to cut early.
    let plain = format!("{};", "x".repeat(30));
    assert_eq!(mrkdwn::split(&plain, 20)[0].len(), 20);
    let link = "<https://a.example/path|two words here>";
    for before in 0..60 {
        let text = format!("{}{link}", "x".repeat(before));
        let pieces = mrkdwn::split(&text, 60);
        assert!(pieces.iter().any(|piece| piece.contains(link)), "{before}: {pieces:?}");
    }
    assert_eq!(mrkdwn::split("one two\nthree four", 12), ["one two", "three four"]);
    assert_eq!(mrkdwn::split("aaaaaaa bbbbbbb", 10), ["aaaaaaa", "bbbbbbb"]);
    assert_eq!(mrkdwn::split("abcdef", 6), ["abcdef"]);
    assert_eq!(mrkdwn::split("abcdefg", 6), ["abcdef", "g"]);
}

/// A chart with so many series and points, and labels of a size.
fn chart(series: usize, points: usize, label: usize) -> Value {
    let data: Vec<Value> =
        (0..points).map(|at| json!({"day": format!("{at:0>label$}"), "a": at})).collect();
    let series: Vec<Value> = (0..series)
        .map(|at| json!({"type": "bar", "dataKey": "a", "label": format!("s{at}")}))
        .collect();
    json!({"type": "Card", "children": [{"type": "Chart", "xAxis": "day", "data": data, "series": series}]})
}

#[test]
fn a_chart_that_slack_refuses_is_a_table() {
    let shown = |tree: &Value| {
        let (blocks, losses) = blocks(tree);
        assert_eq!(validate(&blocks), []);
        let reason = losses.first().map_or("", |loss| loss.reason.as_str()).to_owned();
        (scalar(&blocks[0]["type"]), reason)
    };
    for (fits, over, reason) in [
        (chart(6, 2, 2), chart(7, 2, 2), "a Slack chart has at most 6 series"),
        (chart(1, 20, 2), chart(1, 21, 2), "a Slack chart has at most 20 points"),
        (chart(1, 2, 20), chart(1, 2, 21), "a label in a Slack chart has 1 to 20 characters"),
    ] {
        assert_eq!(shown(&fits), ("data_visualization".to_owned(), String::new()));
        assert_eq!(shown(&over), ("data_table".to_owned(), format!("shown as a table: {reason}")));
    }
    let changed = |pointer: &str, value: Value| {
        let mut tree = chart(2, 2, 1);
        *tree.pointer_mut(&format!("/children/0/{pointer}")).unwrap() = value;
        shown(&tree).1
    };
    assert_eq!(changed("series/1/type", json!("bar")), "");
    let same = "shown as a table: the labels of a Slack chart must differ";
    assert_eq!(changed("data/1/day", json!("0")), same);
    assert_eq!(changed("series/1/label", json!("s0")), same);
    let number = "shown as a table: a Slack chart needs a number at every point";
    assert_eq!(changed("data/1/a", json!("1")), number);
    assert_eq!(changed("data/1/a", Value::Null), number);
    assert_eq!(
        changed("data/1/day", json!("")),
        "shown as a table: a label in a Slack chart has 1 to 20 characters"
    );
    assert_eq!(
        changed("series/1/type", json!("line")),
        "a bar drawn as line: Slack does not mix kinds of charts"
    );
}

#[test]
fn a_table_is_clamped_at_its_edges() {
    let table = |rows: usize, columns: usize, size: usize| {
        let cell = json!({"type": "Table.Cell", "children": [{"type": "Text", "value": "x".repeat(size)}]});
        let row = |at| json!({"type": "Table.Row", "header": at == 0, "children": vec![cell.clone(); columns]});
        let rows: Vec<Value> = (0..rows).map(row).collect();
        let (blocks, losses) =
            blocks(&json!({"type": "Card", "children": [{"type": "Table", "children": rows}]}));
        assert_eq!(validate(&blocks), []);
        let reason = losses.first().map_or("", |loss| loss.reason.as_str()).to_owned();
        (blocks[0].clone(), reason)
    };
    for (fits, over, reason) in [
        (table(2, 20, 1), table(2, 21, 1), "clamped: a Slack table has at most 20 columns"),
        (table(101, 1, 1), table(102, 1, 1), "clamped: a Slack table has at most 100 rows"),
        (
            table(2, 1, 1000),
            table(2, 1, 1001),
            "clamped: a cell has at most 1000 characters in Slack",
        ),
        (
            table(20, 1, 1000),
            table(21, 1, 1000),
            "clamped: Slack's tables have at most 20000 characters",
        ),
    ] {
        assert_eq!((fits.0["type"].as_str(), fits.1.as_str()), (Some("data_table"), ""));
        assert_eq!((over.0["type"].as_str(), over.1.as_str()), (Some("data_table"), reason));
    }
    assert_eq!(table(21, 1, 1).0["page_size"], 20);
    assert_eq!(table(20, 1, 1).0["page_size"], 19);
    assert_eq!(table(1, 2, 1).0["text"]["text"], "x · x");
}

#[test]
fn a_cell_that_reads_as_a_number_is_one() {
    let row = |texts: [&str; 4]| {
        let cell = |text: &str| json!({"type": "Table.Cell", "children": [{"type": "Text", "value": text}]});
        json!({"type": "Table.Row", "children": texts.map(cell)})
    };
    let tree = json!({"type": "Card", "children": [
        {"type": "Table", "children": [row(["1", "b", "c", "d"]), row(["-1.5", "2e3", "inf", ""])]}]});
    let rows = &blocks(&tree).0[0]["rows"];
    assert_eq!(rows[0][0], json!({"type": "raw_text", "text": "1"}));
    assert_eq!(rows[1][0], json!({"type": "raw_number", "value": -1.5, "text": "-1.5"}));
    assert_eq!(rows[1][1]["value"], 2000.0);
    assert_eq!(rows[1][2]["type"], "raw_text");
    assert_eq!(rows[1][3]["text"], "–");
}

#[test]
fn every_colour_of_a_badge_is_a_tag() {
    for (color, tag) in [
        ("success", "green"),
        ("danger", "red"),
        ("warning", "yellow"),
        ("info", "blue"),
        ("discovery", "gray"),
        ("secondary", "gray"),
    ] {
        let tree =
            json!({"type": "Card", "children": [{"type": "Badge", "label": "x", "color": color}]});
        let (object, _) = work_object(&tree, &about());
        assert_eq!(
            object["entity"]["entity_payload"]["custom_fields"][0]["tag_color"], tag,
            "{color}"
        );
    }
}

#[test]
fn a_work_object_has_two_buttons_and_five_more() {
    let buttons = |count: usize| {
        let button = |at| json!({"type": "Button", "label": "x".repeat(75), "onClickAction": {"type": format!("a{at}")}});
        let list: Vec<Value> = (0..count).map(button).collect();
        let (object, losses) = work_object(&json!({"type": "Card", "children": list}), &about());
        assert_eq!(validate_work_object(&object), []);
        let actions = &object["entity"]["entity_payload"]["actions"];
        let size = |key: &str| actions[key].as_array().map_or(0, Vec::len);
        (size("primary_actions"), size("overflow_actions"), losses.len())
    };
    assert_eq!(buttons(2), (2, 0, 0));
    assert_eq!(buttons(3), (2, 1, 0));
    assert_eq!(buttons(7), (2, 5, 0));
    assert_eq!(buttons(8), (2, 5, 1));
}

/// The blocks of a card with these children, and how many losses there are.
fn compiled(children: &[Value]) -> (Vec<Value>, usize) {
    let (blocks, losses) = blocks(&json!({"type": "Card", "children": children}));
    assert_eq!(validate(&blocks), []);
    (blocks, losses.len())
}

#[test]
fn what_does_not_fit_one_block_starts_the_next() {
    let pair = json!({"type": "Row", "children": [
        {"type": "Caption", "value": "a"}, {"type": "Spacer"}, {"type": "Text", "value": "b"}]});
    let caption = json!({"type": "Caption", "value": "a"});
    let button = |at: usize| json!({"type": "Button", "label": "a", "onClickAction": {"type": format!("a{at}")}});
    let sizes = |children: Vec<Value>, key: &str| {
        let (blocks, losses) = compiled(&children);
        assert_eq!(losses, 0);
        blocks.iter().map(|block| block[key].as_array().map_or(0, Vec::len)).collect::<Vec<_>>()
    };
    assert_eq!(sizes(vec![pair.clone(); 10], "fields"), [10]);
    // One alone is a line.
    assert_eq!(sizes(vec![pair; 11], "fields"), [10, 0]);
    assert_eq!(sizes(vec![caption.clone(); 10], "elements"), [10]);
    assert_eq!(sizes(vec![caption; 11], "elements"), [10, 1]);
    assert_eq!(sizes((0..10).map(button).collect(), "elements"), [10]);
    assert_eq!(sizes((0..11).map(button).collect(), "elements"), [10, 1]);
    // An id may stand only once in a block: one that has no room for a number starts the next.
    assert_eq!(sizes(vec![button(0), button(1), button(0)], "elements"), [3]);
    let long = json!({"type": "Button", "label": "a", "onClickAction": {"type": "x".repeat(249)}});
    assert_eq!(sizes(vec![long.clone(), button(1), long], "elements"), [2, 1]);

    let texts = |sizes: &[usize]| {
        let text = |size: &usize| json!({"type": "Text", "value": "x".repeat(*size)});
        let lengths = |block: &Value| block["text"]["text"].as_str().map(limit::len);
        let texts: Vec<Value> = sizes.iter().map(text).collect();
        compiled(&texts).0.iter().filter_map(lengths).collect::<Vec<_>>()
    };
    assert_eq!(texts(&[49; 60]), [2999]);
    assert_eq!(texts(&[49; 61]), [2999, 49]);
    // A paragraph has a block of its own.
    assert_eq!(texts(&[61, 9, 9, 61]), [61, 19, 61]);
    assert_eq!(texts(&[3001, 1]), [3000, 3]);
}

#[test]
fn a_message_is_cut_at_fifty_blocks() {
    let image = json!({"type": "Image", "src": "https://a.example/i.png", "alt": "a"});
    let (blocks, losses) = compiled(&vec![image.clone(); 50]);
    assert_eq!((blocks.len(), losses), (50, 0));
    let (blocks, losses) = compiled(&vec![image.clone(); 51]);
    assert_eq!((blocks.len(), losses), (50, 2));
    assert_eq!(blocks[49]["elements"][0]["text"], "… +2");
    // Words go before controls.
    let button = json!({"type": "Button", "label": "a", "onClickAction": {"type": "a"}});
    let mut children = vec![image; 50];
    children.push(button);
    assert_eq!(compiled(&children).0[48]["type"], "actions");
}

#[test]
fn every_limit_of_the_compiler_at_its_edge() {
    let action = |size: usize| json!({"type": "a", "payload": {"k": "x".repeat(size - 8)}});
    let options = |count: usize| {
        (0..count).map(|at| json!({"label": "a", "value": format!("v{at}")})).collect::<Vec<_>>()
    };
    let select = |option: Value| json!({"type": "Select", "name": "a", "options": [option, {"label": "b", "value": "b"}]});
    let cases: [(&dyn Fn(usize) -> Value, usize); 12] = [
        (
            &|n| json!({"type": "Button", "label": "x".repeat(n), "onClickAction": {"type": "a"}}),
            75,
        ),
        (&|n| json!({"type": "Button", "label": "a", "onClickAction": action(n)}), 2000),
        (
            &|n| json!({"type": "Button", "label": "a", "onClickAction": {"type": "x".repeat(n)}}),
            250,
        ),
        (
            &|n| json!({"type": "Image", "src": "https://a.example/i.png", "alt": "x".repeat(n)}),
            2000,
        ),
        (&|n| json!({"type": "Select", "name": "a", "options": options(n)}), 100),
        (&|n| json!({"type": "RadioGroup", "name": "a", "options": options(n)}), 10),
        (&|n| select(json!({"label": "x".repeat(n), "value": "v"})), 75),
        (&|n| select(json!({"label": "a", "value": "x".repeat(n)})), 150),
        (&|n| select(json!({"label": "a", "value": "v", "description": "x".repeat(n)})), 75),
        (&|n| json!({"type": "Input", "name": "a", "placeholder": "x".repeat(n)}), 150),
        (&|n| json!({"type": "Input", "name": "a", "defaultValue": "x".repeat(n)}), 3000),
        (&|n| json!({"type": "Input", "name": "x".repeat(n)}), 249),
    ];
    for (index, (node, most)) in cases.iter().enumerate() {
        assert_eq!(compiled(&[node(*most)]).1, 0, "case {index} at {most}");
        assert_eq!(compiled(&[node(most + 1)]).1, 1, "case {index} beyond {most}");
    }
    let header = |size: usize| {
        compiled(&[json!({"type": "Title", "value": "x".repeat(size)})]).0[0]["type"].clone()
    };
    assert_eq!((header(150), header(151)), (json!("header"), json!("section")));
    let caption = |size: usize| {
        compiled(&[json!({"type": "Caption", "value": "x".repeat(size)})]).0[0]["type"].clone()
    };
    assert_eq!((caption(2000), caption(2001)), (json!("context"), json!("section")));
    let markdown = |size: usize| {
        compiled(&[json!({"type": "Markdown", "value": "x".repeat(size)})]).0[0]["type"].clone()
    };
    assert_eq!((markdown(12_000), markdown(12_001)), (json!("markdown"), json!("section")));
}

#[test]
fn a_carousel_holds_two_to_ten_cards() {
    let image = json!({"type": "Image", "src": "https://a.example/i.png", "alt": "a"});
    let card = json!({"type": "Card", "children": [image, {"type": "Text", "value": "a"}]});
    let item = json!({"type": "ListViewItem", "children": [image, {"type": "Text", "value": "a"}]});
    let kinds = |root: &str, child: &Value, count: usize| {
        let (blocks, _) = blocks(&json!({"type": root, "children": vec![child.clone(); count]}));
        assert_eq!(validate(&blocks), []);
        let mut kinds: Vec<String> = blocks.iter().map(|block| scalar(&block["type"])).collect();
        kinds.dedup();
        kinds
    };
    for (root, child, alone) in [("Basic", &card, "card"), ("ListView", &item, "section")] {
        assert_eq!(kinds(root, child, 1), [alone]);
        assert_eq!(kinds(root, child, 2), ["carousel"]);
        assert_eq!(kinds(root, child, 10), ["carousel"]);
        assert_eq!(kinds(root, child, 11), [alone]);
    }
}

#[test]
fn a_form_has_one_submit_button() {
    let form = |children: Value| {
        let tree = json!({"type": "Card", "children": [
            {"type": "Form", "onSubmitAction": {"type": "send"}, "children": children}]});
        let (blocks, _) = blocks(&tree);
        let labels = |block: &Value| -> Vec<String> {
            let elements = block["elements"].as_array().into_iter().flatten();
            elements.map(|button| scalar(&button["text"]["text"])).collect()
        };
        blocks.iter().flat_map(labels).collect::<Vec<_>>()
    };
    assert_eq!(form(json!([])), ["Submit"]);
    assert_eq!(form(json!([{"type": "Button", "label": "Send", "submit": true}])), ["Send"]);
    let other = json!([{"type": "Button", "label": "Help", "onClickAction": {"type": "help"}}]);
    assert_eq!(form(other), ["Help", "Submit"]);
}

/// JSON may hold control characters above ASCII as they are; Slack refuses them.
#[test]
fn payloads_hold_no_control_characters() {
    let payload = json!({ "a": "x\u{7f}\u{9b}\n" });
    let action = json!({ "type": "go", "payload": payload });
    let tree = json!({ "type": "Card", "children": [
        { "type": "Button", "label": "Go", "onClickAction": action },
        { "type": "Select", "name": "s", "options": [{ "value": "1", "label": "One" }], "onChangeAction": action }] });
    let (blocks, _) = blocks(&tree);
    assert_eq!(validate(&blocks), []);
    let value = json!(blocks).to_string();
    assert!(value.contains("u009b") && value.contains("u007f"), "{value}");
}

fn lost(children: &Value) -> Vec<(String, String)> {
    let (_, losses) = blocks(&json!({"type": "Card", "children": children}));
    losses.into_iter().map(|loss| (loss.pointer, loss.reason)).collect()
}

/// An icon is an emoji or a loss, unless it only leads the eye; so is what boxes draw.
#[test]
fn what_has_no_counterpart_is_told() {
    let row = |icon: &str| {
        json!({"type": "Row", "children": [
            {"type": "Icon", "name": icon}, {"type": "Text", "value": "Milk and bread"}]})
    };
    let (shown, losses) = blocks(&json!({"type": "ListView", "children": [
        {"type": "ListViewItem", "children": [row("empty-circle")]},
        {"type": "ListViewItem", "children": [row("lucide:calendar")]},
        {"type": "ListViewItem", "children": [row("chevron-right")]},
        {"type": "ListViewItem", "children": [row("lucide:rocket")]}]}));
    let shown = json!(shown).to_string();
    assert!(shown.contains("⚪ Milk") && shown.contains("📅 Milk"), "{shown}");
    let at = "/children/3/children/0/children/0";
    assert_eq!(losses, [Loss::new(at, "the icon lucide:rocket has no counterpart")]);

    let dot = json!({"type": "Box", "size": 8, "radius": "full", "background": "#123456"});
    assert_eq!(
        lost(&json!([{"type": "Text", "value": "a"}, dot])),
        [("/children/1".into(), "a coloured dot has no counterpart".into())]
    );
}

#[test]
fn a_table_tells_what_its_cells_lose() {
    let cell = |mut props: Value| {
        props["type"] = "Table.Cell".into();
        props["children"] = json!([{"type": "Text", "value": "a"}]);
        props
    };
    let row = |cells: Vec<Value>| json!({"type": "Table.Row", "header": true, "children": cells});
    let head = row(vec![cell(json!({"align": "end"})), cell(json!({}))]);
    let wide = row(vec![cell(json!({"colSpan": 2}))]);
    let tall = row(vec![cell(json!({"align": "end", "rowSpan": 2})), cell(json!({}))]);
    let reasons = lost(&json!([{"type": "Table", "children": [head, wide, tall]}]));
    let span = "a cell cannot span others: they are left empty".to_owned();
    assert_eq!(
        reasons,
        [
            ("/children/0/children/1/children/0".into(), span.clone()),
            ("/children/0/children/2/children/0".into(), span),
            (
                "/children/0/children/0/children/0/align".into(),
                "Slack aligns the cells of a table itself".into()
            ),
        ]
    );
}

/// What a check box asks stands beside it, once. Each has a block of its own; one that must be ticked has
/// words of our own above it, because Slack insists on an answer for inputs alone.
#[test]
fn a_check_box_says_its_text_once() {
    let made = |children: Value| {
        let (made, losses) = blocks(&json!({"type": "Form", "children": children}));
        assert_eq!((validate(&made), losses), (vec![], vec![]));
        made
    };
    let beside = |element: &Value| element["options"][0]["text"]["text"].clone();
    let field = |name: &str, label: &str| json!({"type": "Checkbox", "name": name, "label": label, "defaultChecked": true});
    let news = field("news_letter", "Send me the news");
    let both = made(json!([news, field("b", "Seasonal menus")]));
    assert!(both.iter().all(|block| block["type"] == "actions"));
    let elements: Vec<&Value> = both.iter().map(|block| &block["elements"][0]).collect();
    let words: Vec<Value> = elements.iter().map(|element| beside(element)).collect();
    assert_eq!(words, ["Send me the news", "Seasonal menus"]);
    assert_eq!(elements[0]["action_id"], "input:news_letter");
    assert_eq!(elements[0]["initial_options"][0]["value"], "true");
    // Without a text of its own it is named after its field.
    let bare = made(json!([{"type": "Checkbox", "name": "order.extra_milk"}]));
    assert_eq!(beside(&bare[0]["elements"][0]), "Extra milk");

    let input = |children: Value| {
        let made = made(children);
        (made[0]["label"]["text"].clone(), beside(&made[0]["element"]))
    };
    let pair = |head: &str, beside: &str| (json!(head), json!(beside));
    let mut terms = field("terms", "I agree");
    terms["required"] = true.into();
    assert_eq!(input(json!([terms])), pair("Please confirm", "I agree"));
    let label = json!({"type": "Label", "fieldName": "news_letter", "value": "Mail"});
    assert_eq!(input(json!([label, news])), pair("Mail", "Send me the news"));
    // A text that has no room beside the box stands above it.
    let long = "x".repeat(76);
    assert_eq!(input(json!([field("a", &long)])), pair(&long, "✓"));
}

/// One that cannot be changed is a line.
#[test]
fn a_disabled_check_box_is_a_line() {
    let field = json!({"type": "Checkbox", "name": "a", "label": "Share", "defaultChecked": true, "disabled": true});
    assert_eq!(written(&json!([field])), ["context: 🔒 Share: on"]);
    assert_eq!(lost(&json!([field])).len(), 1);
}

/// A bold line above a field heads a part of the form; dividers stand between parts, not fields.
#[test]
fn parts_of_a_form_have_names() {
    let field = |name: &str| json!({"type": "Input", "name": name});
    let rule = json!({"type": "Divider"});
    let (made, _) = blocks(&json!({"type": "Card", "children": [
        {"type": "Title", "value": "Backup"},
        {"type": "Divider"},
        {"type": "Markdown", "value": ""},
        {"type": "Col", "children": [
            {"type": "Text", "value": "Once a day."},
            {"type": "Text", "weight": "semibold", "value": "Schedule"}, field("a"), rule, field("b")]},
        rule,
        {"type": "Col", "children": [
            {"type": "Text", "weight": "semibold", "value": "Reports"}, field("c")]}]}));
    assert_eq!(validate(&made), []);
    let kinds: Vec<String> = made.iter().map(|block| scalar(&block["type"])).collect();
    let wanted = [
        "header", "divider", "section", "context", "input", "input", "divider", "context", "input",
    ];
    assert_eq!(kinds, wanted);
    assert_eq!(made[3]["elements"][0]["text"], "*Schedule*");
    assert_eq!(made[2]["text"]["text"], "Once a day.");
}

/// A form without a title is headed by the widget's name; nothing else is.
#[test]
fn a_form_without_a_title_has_the_name_of_its_widget() {
    let field = json!({"type": "Input", "name": "a"});
    let text = json!({"type": "Text", "value": "Hello"});
    let first = |children: Value| {
        let (made, _) =
            named_blocks(&json!({"type": "Card", "children": children}), Some("Draft email"));
        scalar(&made[0]["type"]) + " " + &scalar(&made[0]["text"]["text"])
    };
    assert_eq!(first(json!([field])), "header Draft email");
    assert_eq!(
        first(json!([{"type": "Checkbox", "name": "b", "label": "Yes"}])),
        "header Draft email"
    );
    assert_eq!(first(json!([{"type": "Title", "value": "Mail"}, field])), "header Mail");
    assert_eq!(first(json!([text])), "section Hello");
}

/// Rows of a list whose button opens a page are links; the number of a source stays before it.
#[test]
fn rows_that_open_a_page_are_links() {
    let row = |number: &str, name: &str, action: Value| {
        json!({"type": "Row", "children": [
        {"type": "Text", "value": number}, {"type": "Text", "value": name}, {"type": "Spacer"},
        {"type": "Button", "label": "Open", "onClickAction": action}]})
    };
    let open = |url: &str| json!({"type": "source", "handler": "client", "payload": {"url": url}});
    let list = |second: Value| {
        json!([{"type": "Col", "children": [
        {"type": "Divider"}, {"type": "Caption", "value": "Sources"},
        row("1.", "Rain & wind", open("https://a.example/?a=1&b=2")), row("2.", "Plan", second)]}])
    };
    let links = list(open("https://b.example/"));
    let text = "*Sources*\n1. <https://a.example/?a=1&amp;b=2|Rain &amp; wind>\n2. <https://b.example/|Plan>";
    assert_eq!(written(&links), [format!("section: {text}")]);
    assert_eq!(lost(&links), []);
    // What Slack cannot open is told.
    let call = json!({"type": "source", "handler": "client"});
    assert_eq!(
        lost(&list(call)),
        [(
            "/children/0/children/3/children/3".to_owned(),
            "shown as text: Slack cannot run a client action".to_owned(),
        )]
    );
}

/// A large figure and what it means stay together, in the head of a message and beside its title.
#[test]
fn a_figure_stands_with_its_meaning() {
    let stack = |figure: &str, meaning: &str| {
        json!({"type": "Col", "children": [
        {"type": "Title", "value": figure}, {"type": "Text", "value": meaning}]})
    };
    let icon = json!({"type": "Box", "size": 56, "children": [{"type": "Icon", "name": "check-circle-filled"}]});
    let paid = json!({"type": "Col", "children": [icon, stack("€46.50", "Paid to Fieldhouse")]});
    assert_eq!(written(&json!([paid])), ["header: ✅ €46.50", "context: Paid to Fieldhouse"]);
    let badge = json!({"type": "Badge", "label": "On the way", "color": "info"});
    let ride =
        json!({"type": "Row", "children": [stack("4 min", "until your driver arrives"), badge]});
    assert_eq!(
        written(&json!([ride])),
        ["header: 4 min until your driver arrives", "context: 🔵 On the way"]
    );
    let name = json!({"type": "Col", "children": [
        {"type": "Text", "weight": "semibold", "value": "Lumen Board"}, {"type": "Caption", "value": "Team plan"}]});
    for (figure, meaning, line) in [
        ("$12", "per seat and month", "*$12* per seat and month"),
        ("4,310", "+18% on last year", "*4,310*  +18% on last year"),
    ] {
        let head = json!({"type": "Row", "children": [name, stack(figure, meaning)]});
        let wanted = [
            "header: Lumen Board".to_owned(),
            "context: Team plan".to_owned(),
            format!("section: {line}"),
        ];
        assert_eq!(written(&json!([head])), wanted);
    }
}

/// A month above a day in a narrow column is a date; another short name above a figure is not.
#[test]
fn a_calendar_leaf_is_a_date() {
    let leaf = |name: &str, width: Value| {
        json!({"type": "Row", "children": [{"type": "Col", "width": width, "children": [
        {"type": "Caption", "value": name}, {"type": "Title", "value": "18"}]},
        {"type": "Col", "children": [{"type": "Input", "name": "a"}]}]})
    };
    assert_eq!(written(&json!([leaf("MAR", json!(56))]))[0], "context: 📅 18 Mar");
    assert_eq!(written(&json!([leaf("Belt", Value::Null)]))[0], "section: Belt\n*18*");
}

/// What begins with a quantity is an item and no fact; a name in a column of its own is a fact.
#[test]
fn items_are_a_list_and_names_are_facts() {
    let item = |count: &str, name: &str, price: &str| {
        json!({"type": "Row", "children": [
        {"type": "Text", "value": count}, {"type": "Text", "value": name}, {"type": "Spacer"},
        {"type": "Text", "value": price}]})
    };
    let one = item("1 ×", "Coffee", "€29");
    assert_eq!(written(&json!([one])), ["section: 1 × Coffee · €29"]);
    let order = json!({"type": "Col", "children": [one, item("2 ×", "Filters", "€9")]});
    assert_eq!(written(&json!([order])), ["section: 1 × Coffee · €29\n2 × Filters · €9"]);
    let named = |name: &str, value: &str| {
        json!({"type": "Row", "children": [
        {"type": "Box", "width": 56, "children": [{"type": "Caption", "value": name}]},
        {"type": "Text", "value": value}]})
    };
    let mail = json!({"type": "Col", "children": [named("From", "Mira"), named("To", "Jonas")]});
    assert_eq!(written(&json!([mail])), ["section: *From*\nMira | *To*\nJonas"]);
}

/// The days of a forecast are a table, its hours a line; small pictures of the weather are emoji.
#[test]
fn a_forecast_has_a_line_of_hours_and_a_table_of_days() {
    let image = |alt: &str| json!({"type": "Image", "size": 28, "alt": alt, "src": "data:image/png;base64,AA"});
    let hour = |time: &str, alt: &str| {
        json!({"type": "Col", "children": [
        {"type": "Caption", "value": time}, image(alt), {"type": "Text", "value": "14°"}]})
    };
    let alts = ["Cloudy", "Light rain", "Clear sky", "Clear night", "After the rain"];
    let times = ["Now", "15:00", "16:00", "17:00", "18:00"];
    let hours: Vec<Value> = times.iter().zip(alts).map(|(time, alt)| hour(time, alt)).collect();
    let rows = |children: &Value| -> Vec<String> {
        let (made, _) = blocks(&json!({"type": "Card", "children": children}));
        assert_eq!(validate(&made), []);
        let rows = made.last().unwrap()["rows"].as_array().unwrap().iter();
        let words = |cell: &Value| scalar(&cell["text"]);
        rows.map(|row| row.as_array().unwrap().iter().map(words).collect::<Vec<_>>().join("|"))
            .map(|row| row.replace('\u{a0}', "_").replace('\u{2060}', "+"))
            .collect()
    };
    let all = json!([{"type": "Row", "children": hours}]);
    let wanted = "section: *Next hours*\nNow  ☁️  14°\n15:00  🌧️  14°\n16:00  ☀️  14°\n17:00  🌙  14°\n18:00  14°";
    assert_eq!(written(&all)[0].replace('\u{a0}', " "), wanted);
    let said = |children: Value| written(&children)[0].replace('\u{a0}', " ");
    assert_eq!(lost(&json!([{"type": "Row", "children": hours}])).len(), 5);
    // Four are facts.
    let four = json!([{"type": "Row", "children": &hours[..4]}]);
    assert_eq!(
        said(four),
        "section: *Now*\n☁️ 14° | *15:00*\n🌧️ 14° | *16:00*\n☀️ 14° | *17:00*\n🌙 14°"
    );
    let day = |name: &str, alt: &str, chance: &str| {
        json!({"type": "Row", "children": [
        {"type": "Text", "value": name}, image(alt), {"type": "Caption", "value": chance},
        {"type": "Text", "value": "10°"}, {"type": "Text", "weight": "bold", "value": "15°"}]})
    };
    let (today, friday) = (day("Today", "Rain", "80%"), day("Friday", "Snow", ""));
    let two = json!([{"type": "Col", "children": [today, friday]}]);
    assert_eq!(said(two), "section: • Today 🌧️ 80% · 10° – *15°*\n• Friday 🌨️ 10° – *15°*");
    // Three days are a table, and the unit stands in its head. No line breaks behind a dash.
    let head = json!({"type": "Row", "children": [
        {"type": "Text", "weight": "semibold", "value": "Porto"}, {"type": "Badge", "label": "°C"}]});
    let days = json!({"type": "Col", "children": [today, friday, day("Sunday", "Sunny", "10%")]});
    let wanted =
        ["Day|Weather|°C", "Today|🌧️_80%|10–+15°", "Friday|🌨️|10–+15°", "Sunday|☀️_10%|10–+15°"];
    assert_eq!(rows(&json!([head, days])), wanted);
    let mut cold = days.clone();
    cold["children"][0]["children"][3]["value"] = "-2°".into();
    assert_eq!(rows(&json!([head, cold]))[1], "Today|🌧️_80%|−2_–+_15°");
    let both = json!([head, {"type": "Row", "children": hours}, days]);
    assert!(written(&both)[1].starts_with("section: *Next hours, °C*\n"));
}

/// A badge with a colour tells the state and comes first; another stands where it is.
#[test]
fn a_neutral_badge_does_not_open_the_line() {
    let head = |color: &str| {
        json!([{"type": "Row", "children": [
        {"type": "Col", "children": [
            {"type": "Text", "weight": "semibold", "value": "Porto"}, {"type": "Caption", "value": "Showers"}]},
        {"type": "Badge", "label": "°C", "color": color}]}])
    };
    assert_eq!(written(&head("secondary"))[1], "context: Showers  ·  °C");
    assert_eq!(written(&head("danger"))[1], "context: 🔴 °C  ·  Showers");
}

/// What a Work Object drops, it drops for the reason that it gives.
#[test]
fn buttons_of_a_work_object_differ_by_the_type_of_their_action() {
    let button = |label: &str, id: u8| {
        json!({"type": "Button", "label": label,
            "onClickAction": {"type": "order.open", "payload": {"id": id}}})
    };
    let tree = json!({"type": "Card", "children": [
        {"type": "Title", "value": "Orders"}, button("A", 1), button("B", 2), button("C", 1)]});
    let (_, losses) = work_object(&tree, &about());
    let reasons: Vec<&str> = losses.iter().map(|loss| loss.reason.as_str()).collect();
    assert_eq!(
        reasons,
        [
            "dropped: another button has an action of the same type, and Slack tells the buttons of \
             a Work Object apart by it, not by the payload",
            "dropped: another button has the same action"
        ]
    );
}

/// All text of a card with these children, block by block.
fn written(children: &Value) -> Vec<String> {
    let (blocks, _) = blocks(&json!({"type": "Card", "children": children}));
    assert_eq!(validate(&blocks), []);
    let words = |block: &Value| match block["type"].as_str() {
        Some("header" | "section") if block["fields"].is_null() => scalar(&block["text"]["text"]),
        _ => {
            let parts = block["elements"].as_array().or_else(|| block["fields"].as_array());
            let parts = parts.into_iter().flatten();
            let text = |part: &Value| scalar(&part["text"]) + &scalar(&part["text"]["text"]);
            parts.map(text).collect::<Vec<_>>().join(" | ")
        }
    };
    let kind = |block: &Value| scalar(&block["type"]);
    blocks.iter().map(|block| format!("{}: {}", kind(block), words(block))).collect()
}

/// The first rows are a header and one line, whatever their layout is.
#[test]
fn a_message_has_a_header_and_a_line_below_it() {
    let head = json!({"type": "Row", "children": [
        {"type": "Box", "size": 40, "children": [{"type": "Icon", "name": "keys"}]},
        {"type": "Col", "children": [
            {"type": "Text", "weight": "semibold", "value": "Move the database"},
            {"type": "Caption", "value": "Requested by Ana"}]},
        {"type": "Badge", "label": "High risk", "color": "danger"}]});
    assert_eq!(
        written(&json!([head, {"type": "Text", "value": "It takes long."}])),
        [
            "header: 🔑 Move the database",
            "context: 🔴 High risk  ·  Requested by Ana",
            "section: It takes long."
        ]
    );
    let above = json!({"type": "Row", "children": [
        {"type": "Badge", "label": "Oceans"}, {"type": "Spacer"}, {"type": "Caption", "value": "3 of 10"}]});
    let title = json!({"type": "Title", "value": "Which current is warm?"});
    assert_eq!(
        written(&json!([above, title])),
        ["header: Which current is warm?", "context: Oceans  ·  3 of 10"]
    );
    // The label of a figure is no title.
    let fact = json!({"type": "Row", "children": [
        {"type": "Text", "weight": "bold", "value": "Total"}, {"type": "Spacer"}, {"type": "Text", "value": "$9"}]});
    assert_eq!(written(&json!([fact])), ["section: *Total:*  $9"]);
    // Nor are figures side by side, but a name beside one is.
    let column = |words: &str, note: &str| {
        json!({"type": "Col", "children": [
        {"type": "Text", "weight": "semibold", "value": words}, {"type": "Caption", "value": note}]})
    };
    let sales = json!({"type": "Row", "children": [column("Bicycles", "a month"), column("4,310", "sold")]});
    assert_eq!(written(&json!([sales]))[0], "header: Bicycles");
    let gates = json!({"type": "Row", "children": [column("B22", "gate"), column("14A", "seat")]});
    assert_eq!(written(&json!([gates])), ["section: *gate*\nB22 | *seat*\n14A"]);
    // A paragraph stays one.
    let long = "word ".repeat(20);
    let group = json!({"type": "Col", "children": [title, {"type": "Text", "value": long}]});
    assert_eq!(
        written(&json!([group])),
        ["header: Which current is warm?".to_owned(), format!("section: {}", long.trim())]
    );
}

#[test]
fn a_status_stands_in_the_line_below_the_title() {
    let (blocks, losses) = blocks(&json!({"type": "Card",
        "status": {"text": "Until noon", "icon": "clock"},
        "children": [{"type": "Title", "value": "Vote"}]}));
    assert!(losses.is_empty());
    assert_eq!(blocks[1]["elements"][0]["text"], "🕒 Until noon");
    assert_eq!(blocks.len(), 2);
}

#[test]
fn a_bar_is_drawn_with_its_share_once() {
    let bar = |part: &str| {
        json!({"type": "Box", "height": 8, "children": [
        {"type": "Box", "width": part, "height": 8, "background": "green-500"}]})
    };
    assert_eq!(written(&json!([bar("62%")])), ["context: ▰▰▰▰▰▰▱▱▱▱ 62%"]);
    let option = |name: &str, part: &str| {
        json!({"type": "Col", "children": [
        {"type": "Row", "children": [
            {"type": "Text", "value": name}, {"type": "Spacer"}, {"type": "Text", "value": part}]},
        bar(part)]})
    };
    let poll = json!({"type": "Col", "children": [option("Lisbon", "40%"), option("Rome", "0%")]});
    // A block each; a blank line between two would be a hole.
    let blocks = ["section: *Lisbon*\n▰▰▰▰▱▱▱▱▱▱ 40%", "section: *Rome*\n▱▱▱▱▱▱▱▱▱▱ 0%"];
    assert_eq!(written(&json!([poll])), blocks);
    let many: Vec<Value> = (0..7).map(|_| option("Lisbon", "40%")).collect();
    assert_eq!(written(&json!([{"type": "Col", "children": many}])).len(), 1);
    assert_eq!(lost(&json!([poll])), []);
}

/// A badge is words, with a sign of its colour; a dot is the sign alone.
#[test]
fn badges_and_dots_are_signs() {
    let badge = |color: &str| json!({"type": "Badge", "label": "Late", "color": color});
    for (color, text) in [("danger", "🔴 Late"), ("success", "🟢 Late"), ("secondary", "Late")]
    {
        assert_eq!(written(&json!([badge(color)])), [format!("context: {text}")]);
    }
    let dot = json!({"type": "Row", "children": [
        {"type": "Box", "size": 6, "radius": "full", "background": {"light": "green-500"}},
        {"type": "Text", "value": "Up"}]});
    assert_eq!(written(&json!([dot])), ["section: 🟢 Up"]);
}

/// Buttons stand at the end in one block. Those of the same tool are one menu; where what they send does not
/// fit a menu, they differ by a number.
#[test]
fn all_buttons_are_in_one_block() {
    let button = |label: &str, tool: &str, answer: &str| {
        json!({"type": "Button", "label": label,
            "onClickAction": {"type": tool, "payload": {"answer": answer}}})
    };
    let children = json!([
        button("Website", "open", "w"),
        {"type": "Text", "value": "Bring a cup."},
        {"type": "Row", "children": [
            button("Going", "rsvp", "yes"), button("Maybe", "rsvp", "maybe"), button("No", "rsvp", "no")]}]);
    let (made, losses) = blocks(&json!({"type": "Card", "children": children}));
    assert_eq!((validate(&made), losses.len()), (vec![], 3));
    let kinds: Vec<String> = made.iter().map(|block| scalar(&block["type"])).collect();
    assert_eq!(kinds, ["section", "actions"]);
    let elements = made[1]["elements"].as_array().unwrap();
    let ids: Vec<&str> = elements.iter().filter_map(|e| e["action_id"].as_str()).collect();
    assert_eq!(ids, ["tool:open", "tool:rsvp"]);
    let menu = &elements[1];
    assert_eq!(menu["type"], "static_select");
    assert_eq!(menu["placeholder"]["text"], "Choose…");
    assert_eq!(menu["options"][1]["value"], r#"{"answer":"maybe"}"#);

    let long = "x".repeat(200);
    let two = json!([button("Yes", "rsvp", &long), button("No", "rsvp", &long)]);
    let (made, losses) = blocks(&json!({"type": "Card", "children": two}));
    assert_eq!((validate(&made), losses), (vec![], vec![]));
    let elements = made[0]["elements"].as_array().unwrap();
    let ids: Vec<&str> = elements.iter().filter_map(|e| e["action_id"].as_str()).collect();
    assert_eq!(ids, ["tool:rsvp", "tool:rsvp#2"]);
    let named: Vec<Option<&str>> = ids.iter().map(|id| called_tool(&id["tool:".len()..])).collect();
    assert_eq!(named, [None, Some("rsvp")]);
}

/// The button of an item stays with it.
#[test]
fn buttons_of_items_stay_with_them() {
    let item = |name: &str| {
        json!({"type": "ListViewItem", "children": [
        {"type": "Text", "value": name},
        {"type": "Button", "label": "Play", "onClickAction": {"type": "play", "payload": name}}]})
    };
    let (blocks, losses) = blocks(&json!({"type": "ListView", "children": [item("a"), item("b")]}));
    assert!(losses.is_empty() && blocks.len() == 2);
    assert!(blocks.iter().all(|block| block["accessory"]["action_id"] == "tool:play"));
}

#[test]
fn optional_is_said_once() {
    let (blocks, _) = blocks(&json!({"type": "Card", "children": [
        {"type": "Label", "fieldName": "a", "value": "Comment (optional)"}, {"type": "Input", "name": "a"},
        {"type": "Label", "fieldName": "b", "value": "Name (optional)"},
        {"type": "Input", "name": "b", "required": true},
        {"type": "Input", "name": "c", "placeholder": "City"}]}));
    assert_eq!(blocks[0]["label"]["text"], "Comment");
    assert_eq!(blocks[0]["optional"], true);
    assert_eq!(blocks[1]["label"]["text"], "Name (optional)");
    // A placeholder that is the label is not repeated.
    assert_eq!(blocks[2]["label"]["text"], "City");
    assert!(blocks[2]["element"]["placeholder"].is_null());
}

/// What a picture shows is told by the loss, not among the words.
#[test]
fn alternative_texts_are_no_content() {
    let image = json!({"type": "Image", "src": "data:image/png;base64,AA", "alt": "A lake"});
    let text = json!({"type": "Text", "value": "Market"});
    for children in [json!([image, text]), json!([{"type": "Row", "children": [image, text]}])] {
        assert_eq!(written(&children), ["section: Market"]);
        assert_eq!(lost(&children).len(), 1);
    }
    // Alone in a cell it is all that there is.
    let cell = |child: &Value| json!({"type": "Table.Cell", "children": [child]});
    let row = |children: Vec<Value>| json!({"type": "Table.Row", "children": children});
    let table = json!({"type": "Table", "children": [
        row(vec![cell(&text), cell(&text)]), row(vec![cell(&image), cell(&text)])]});
    let (blocks, _) = blocks(&json!({"type": "Card", "children": [table]}));
    assert_eq!(blocks[0]["rows"][1][0]["text"], "A lake");
}

/// The parts of a cell are apart, a mark is a word, and a total is a fact below the table.
#[test]
fn cells_read_as_words() {
    let cell = |children: Value| json!({"type": "Table.Cell", "children": children});
    let row = |cells: Vec<Value>| json!({"type": "Table.Row", "children": cells});
    let text = |words: &str| json!({"type": "Text", "value": words});
    let total = json!({"type": "Table.Row", "children": [
        {"type": "Table.Cell", "colSpan": 2, "children": [text("Total")]}, cell(json!([text("€9")]))]});
    let table = json!({"type": "Table", "children": [
        row(vec![cell(json!([text("Expense")])), cell(json!([text("Paid")])), cell(json!([text("Sum")]))]),
        row(vec![
            cell(json!([{"type": "Col", "children": [text("Train"), {"type": "Caption", "value": "Travel"}]}])),
            cell(json!([{"type": "Icon", "name": "check-circle-filled"}])),
            cell(json!([text("€9")]))]),
        total]});
    let (blocks, losses) = blocks(&json!({"type": "Card", "children": [table]}));
    assert_eq!(validate(&blocks), []);
    let cells = blocks[0]["rows"][1].as_array().unwrap();
    assert_eq!(cells[0]["elements"][0]["elements"][0]["text"], "Train\nTravel");
    let cells: Vec<&Value> = cells.iter().skip(1).map(|cell| &cell["text"]).collect();
    assert_eq!(cells, ["✅", "€9"]);
    assert_eq!(blocks[0]["rows"].as_array().unwrap().len(), 2);
    assert_eq!(blocks[1]["text"]["text"], "*Total:*  €9");
    assert!(losses.iter().all(|loss| !loss.reason.contains("span")), "{losses:?}");

    // In a table of two columns a total is bold.
    let bold = |words: &str| json!({"type": "Text", "value": words, "weight": "semibold"});
    let pair = |name: Value, sum: Value| row(vec![cell(json!([name])), cell(json!([sum]))]);
    let said = |name: Value, sum: Value| {
        let rows =
            [pair(text("Expense"), text("Sum")), pair(text("Train"), text("€9")), pair(name, sum)];
        written(&json!([{"type": "Table", "children": rows}])).pop().unwrap()
    };
    assert_eq!(said(bold("Total"), bold("€9")), "section: *Total:*  €9");
    assert!(!said(bold("Total"), text("€9")).starts_with("section"));
}

/// A list is one line for each row; a fact has its name first.
#[test]
fn rows_are_a_list_and_figures_are_facts() {
    let step = |icon: &str, name: &str, note: &str| {
        json!({"type": "Row", "children": [
        {"type": "Icon", "name": icon}, {"type": "Col", "children": [
            {"type": "Text", "value": name}, {"type": "Caption", "value": note}]}]})
    };
    let steps = json!({"type": "Col", "children": [
        {"type": "Caption", "value": "Steps"},
        step("check-circle-filled", "Packed", "Leeds"), step("empty-circle", "Delivered", "")]});
    let text = "*Steps*\n✅ Packed · Leeds\n⚪ Delivered";
    assert_eq!(written(&json!([steps])), [format!("section: {text}")]);
    let figure = |first: Value, second: Value| json!({"type": "Col", "children": [first, second]});
    let figures = json!({"type": "Row", "children": [
        figure(json!({"type": "Title", "value": "24"}), json!({"type": "Caption", "value": "Goals"})),
        figure(json!({"type": "Caption", "value": "Gate"}), json!({"type": "Text", "weight": "bold", "value": "B22"}))]});
    assert_eq!(written(&json!([figures])), ["section: *Goals*\n24 | *Gate*\nB22"]);
}

/// A row with a column of many lines is taken apart: its title heads the message, its figures are facts.
#[test]
fn a_row_of_many_lines_is_taken_apart() {
    let figure = |value: &str, name: &str| {
        json!({"type": "Col", "children": [
        {"type": "Text", "weight": "semibold", "value": value}, {"type": "Caption", "value": name}]})
    };
    let column = json!({"type": "Col", "children": [
        {"type": "Title", "value": "Ilse (#22)"},
        {"type": "Row", "children": [figure("18", "Points"), figure("141", "Yards"), figure("2", "Tackles"), figure("17", "Leaps")]}]});
    let row = json!({"type": "Row", "children": [{"type": "Box", "width": "40%", "minHeight": 160}, column]});
    assert_eq!(
        written(&json!([row])),
        ["header: Ilse (#22)", "section: *Points*\n18 | *Yards*\n141 | *Tackles*\n2 | *Leaps*\n17"]
    );
}

/// What an approval would do is said in words on every host.
#[test]
fn an_approval_says_what_it_removes() {
    let (_, tree) = gallery().into_iter().find(|(name, _)| name.starts_with("approval")).unwrap();
    let all = json!(blocks(&tree).0).to_string();
    for words in ["Add: Snapshot", "Change: Engine", "Remove: Read replica"] {
        assert!(all.contains(words), "{words}: {all}");
    }
}

/// A warning is a block of its own with the sign of one, whatever its icon; a tile is none.
#[test]
fn a_warning_stands_alone() {
    let note = |background: &str, width: Value| {
        json!([{"type": "Title", "value": "Today"}, {"type": "Text", "value": "Before"},
            {"type": "Box", "direction": "row", "background": background, "width": width, "children": [
                {"type": "Icon", "name": "info"},
                {"type": "Col", "children": [
                    {"type": "Text", "weight": "semibold", "value": "Strong wind"}, {"type": "Text", "value": "Gusts"}]}]}])
    };
    let warning = "section: ⚠️ *Strong wind*\nGusts";
    assert_eq!(
        written(&note("orange-50", Value::Null)),
        ["header: Today", "section: Before", warning]
    );
    for other in [note("blue-50", Value::Null), note("orange-50", json!(40))] {
        assert_eq!(written(&other)[2], "section: ℹ️ *Strong wind*\nGusts");
    }
}

/// A green check mark says done; another before a title is a decoration, behind it a mark of the name.
#[test]
fn a_check_mark_says_done() {
    let icon = |color: &str| json!({"type": "Icon", "name": "check-circle", "color": color});
    let title = json!({"type": "Title", "value": "Task"});
    let headed = |children: Value| {
        let row = json!([{"type": "Row", "children": children}]);
        (written(&row)[0].clone(), lost(&row).len())
    };
    let wanted = |text: &str, lost: usize| (text.to_owned(), lost);
    assert_eq!(headed(json!([icon("success"), title])), wanted("header: ✅ Task", 0));
    assert_eq!(headed(json!([icon("purple-700"), title])), wanted("header: Task", 1));
    assert_eq!(headed(json!([title, icon("blue-500")])), wanted("header: Task ✅", 0));
}

/// Badges in a row are chips; among coloured ones a grey one has a sign as well.
#[test]
fn badges_in_a_row_are_alike() {
    let badge = |label: &str, color: &str| json!({"type": "Badge", "label": label, "color": color});
    let row = |badges: Value| json!([{"type": "Row", "children": badges}]);
    let said = written(&row(json!([badge("Won", "success"), badge("Drawn", "secondary")])));
    assert_eq!(said, ["context: 🟢 Won  ·  ⚪\u{a0}Drawn"]);
    // Purple names a kind, not a state.
    assert_eq!(written(&row(json!([badge("Oceans", "discovery")]))), ["context: Oceans"]);
    // A letter, such as the result of a match, has its sign as well.
    let said = written(&row(json!([badge("W", "success"), badge("D", "secondary")])));
    assert_eq!(said, ["context: 🟢 W  ·  ⚪\u{a0}D"]);
    let chips = json!([badge("ops", "secondary"), badge("web", "secondary")]);
    assert_eq!(written(&row(chips.clone())), ["context: 🏷️ ops, web"]);
    // Those of a form stand below its header, not below one of its fields.
    let (made, _) = blocks(&json!({"type": "Card", "asForm": true, "children": [
        {"type": "Title", "value": "New task"}, {"type": "Input", "name": "a"},
        {"type": "Row", "children": chips}]}));
    assert_eq!(made[1]["elements"][0]["text"], "🏷️ ops, web");
    assert_eq!(made[2]["type"], "input");
}

/// A calendar leaf and the time after it are one date.
#[test]
fn a_leaf_and_a_time_are_one_date() {
    let leaf = json!({"type": "Col", "width": 56, "children": [
        {"type": "Caption", "value": "APR"}, {"type": "Title", "value": "24"}]});
    let head = json!({"type": "Row", "children": [leaf, {"type": "Col", "children": [
        {"type": "Title", "value": "Market"}, {"type": "Caption", "value": "Hosted by the town"}]}]});
    let time = |words: &str| json!({"type": "Row", "children": [{"type": "Icon", "name": "clock"}, {"type": "Text", "value": words}]});
    let said = |words: &str| written(&json!([head, time(words)])).split_off(1);
    let host = "context: Hosted by the town";
    let saturday = "section: 🕒 Saturday, 24 Apr, 18:00 – 23:00";
    assert_eq!(said("Saturday, 18:00 – 23:00"), [host, saturday]);
    assert_eq!(said("18:00"), [host, "section: 🕒 24 Apr, 18:00"]);
    // A text that has a date already keeps it.
    let both = "context: 📅 24 Apr  ·  Hosted by the town";
    assert_eq!(said("Sat 24 April, 18:00"), [both, "section: 🕒 Sat 24 April, 18:00"]);
}

/// Items that open a page are links if all do; what is small stands below them; places are not part of the name.
#[test]
fn items_have_a_title_words_and_a_small_line() {
    let item = |action: Value| {
        json!({"type": "ListViewItem", "onClickAction": action, "children": [{"type": "Col", "children": [
        {"type": "Row", "children": [{"type": "Text", "weight": "semibold", "value": "Leave"}, {"type": "Badge", "label": "Policy"}]},
        {"type": "Text", "value": "Twenty weeks"}, {"type": "Caption", "value": "Handbook"}]}]})
    };
    let open = item(json!({"type": "open", "payload": {"url": "https://a.example"}}));
    let list = |items: Value| {
        let (made, losses) = blocks(
            &json!({"type": "ListView", "status": {"text": "2 results"}, "children": items}),
        );
        assert_eq!((validate(&made), losses), (vec![], vec![]));
        made
    };
    let made = list(json!([open, open]));
    let kinds: Vec<String> = made.iter().map(|block| scalar(&block["type"])).collect();
    assert_eq!(kinds, ["header", "section", "context", "divider", "section", "context"]);
    assert_eq!(made[1]["text"]["text"], "*<https://a.example|Leave>*\nTwenty weeks");
    assert_eq!(made[2]["elements"][0]["text"], "Policy  ·  Handbook");
    let made = list(json!([open, item(json!({"type": "show"}))]));
    assert_eq!(made[1]["text"]["text"], "*Leave*\nTwenty weeks");
    assert_eq!(made[1]["accessory"]["url"], "https://a.example");
    assert_eq!(made[4]["accessory"]["action_id"], "tool:show");

    let track = |place: &str| {
        json!({"type": "Row", "children": [
        {"type": "Box", "width": 24, "children": [{"type": "Caption", "value": place}]},
        {"type": "Col", "children": [{"type": "Text", "value": "Lanterns"}, {"type": "Caption", "value": "Mori"}]},
        {"type": "Caption", "value": "3:38"},
        {"type": "Button", "label": "Play", "onClickAction": {"type": "play", "payload": {"n": place}}}]})
    };
    let tracks = json!([{"type": "Col", "children": [track("1"), track("2"), track("9")]}]);
    let said = written(&tracks);
    assert_eq!(said[0], "section: 1. *Lanterns*\nMori · 3:38");
    assert_eq!(said[2], "section: *9 Lanterns*\nMori · 3:38");
}

/// Buttons that name the columns of a table stand beside what is said of each; the answer given is the
/// choice of a menu, a proposal is not.
#[test]
fn buttons_of_one_tool_stay_apart_where_they_have_options() {
    let cell = |children: Value| json!({"type": "Table.Cell", "children": children});
    let text = |words: &str| json!({"type": "Text", "value": words});
    let option = |name: &str, price: &str| {
        cell(
            json!([{"type": "Col", "children": [text(name), {"type": "Caption", "value": price}]}]),
        )
    };
    let table = json!({"type": "Table", "children": [
        {"type": "Table.Row", "header": true, "children": [cell(json!([text("What")])), option("Train", "€62"), option("Coach", "€38")]},
        {"type": "Table.Row", "children": [cell(json!([text("Time")])), cell(json!([text("3 h")])), cell(json!([text("5 h")]))]}]});
    let button = |label: &str, style: Value| {
        json!({"type": "Button", "label": label, "style": style,
            "onClickAction": {"type": "choose", "payload": {"option": label}}})
    };
    let made = |children: Value| {
        let (made, _) = blocks(&json!({"type": "Card", "children": children}));
        assert_eq!(validate(&made), []);
        made
    };
    let both = made(json!([table, {"type": "Row", "children": [
        button("Choose Train", json!("primary")), button("Choose Coach", Value::Null)]}]));
    assert_eq!(both.len(), 3);
    assert_eq!(both[0]["rows"][0][1]["text"], "Train");
    assert_eq!(both[0]["rows"][1][0]["text"], "Price");
    assert_eq!(both[0]["rows"][1][2]["text"], "€38");
    assert_eq!(both[1]["text"]["text"], "*Train*\n€62");
    assert_eq!(both[1]["accessory"]["style"], "primary");
    assert_eq!(both[2]["accessory"]["action_id"], "tool:choose");
    let alone = made(json!([table]));
    assert_eq!(alone[0]["rows"][1][2]["text"], "€38");
    // A mark of one option is not compared.
    let marked = json!({"type": "Table", "children": [
        {"type": "Table.Row", "header": true, "children": [cell(json!([text("What")])), option("Train", "Best"), option("Coach", "")]},
        table["children"][1]]});
    let marked = made(json!([marked, {"type": "Row", "children": [
        button("Choose Train", json!("primary")), button("Choose Coach", Value::Null)]}]));
    assert_eq!(marked[0]["rows"][1][0]["text"], "Time");
    assert_eq!(marked[1]["text"]["text"], "*Train*\nBest");
    assert_eq!(marked[2]["text"]["text"], "*Coach*");

    // A menu with a choice says what it is.
    let menu = |first: &str, second: &str| {
        made(json!([button(first, json!("primary")), button(second, Value::Null)])).swap_remove(0)
    };
    let answer = menu("Going", "Maybe");
    assert_eq!(answer["text"]["text"], "*Your answer*");
    assert_eq!(answer["accessory"]["initial_option"]["text"]["text"], "Going");
    let command = menu("Book train", "Book coach");
    assert_eq!(command["elements"][0]["initial_option"], Value::Null);
}

/// A line over stacked bars is compared with their sum.
#[test]
fn a_line_over_a_stack_has_a_chart_with_the_sum() {
    let series = |key: &str, kind: &str, stack: Value| json!({"type": kind, "dataKey": key, "label": key, "stack": stack});
    let chart = json!({"type": "Chart", "xAxis": "m", "data": [{"m": "Jan", "a": 1, "b": 2.5, "t": 3}],
        "series": [series("a", "bar", json!("s")), series("b", "bar", json!("s")), series("t", "line", Value::Null)]});
    let (made, _) = blocks(&json!({"type": "Card", "children": [chart]}));
    assert_eq!(validate(&made), []);
    let kinds: Vec<&Value> = made.iter().map(|block| &block["chart"]["type"]).collect();
    assert_eq!(kinds, ["bar", "line"]);
    assert_eq!(made[1]["chart"]["series"][0]["data"][0]["value"], 3.5);
    assert_eq!(made[1]["title"], "Total and t");
    // Two such charts have no room.
    let (made, losses) = blocks(&json!({"type": "Card", "children": [chart, chart]}));
    assert_eq!((validate(&made), made.len()), (vec![], 3));
    assert!(losses.iter().any(|loss| loss.reason.starts_with("shown as a table")));
}

/// Slack fills a button that has a style: one without a ground has none.
#[test]
fn a_quiet_button_is_not_filled() {
    let style = |variant: &str| {
        let (made, _) =
            blocks(&json!({"type": "Card", "children": [{"type": "Button", "label": "Cancel",
            "color": "danger", "variant": variant, "onClickAction": {"type": "ride.cancel"}}]}));
        made[0]["elements"][0]["style"].clone()
    };
    assert_eq!(
        ["solid", "ghost", "outline"].map(style),
        [json!("danger"), Value::Null, Value::Null]
    );
}

/// Of answers with their bars, the one that was given is bold.
#[test]
fn the_given_answer_stands_out() {
    let answer = |name: &str, icon: Value| {
        let bar = json!({"type": "Box", "width": "100%", "height": 6, "background": "alpha-10", "children": [
            {"type": "Box", "width": "46%", "height": 6, "background": "blue-500"}]});
        json!({"type": "Col", "children": [
            {"type": "Row", "children": [{"type": "Text", "value": name}, icon]}, bar]})
    };
    let given = json!({"type": "Icon", "name": "check-circle-filled", "color": "success"});
    let none = json!({"type": "Caption", "value": "46%"});
    let all = json!([{"type": "Col", "children": [answer("Lake", given), answer("Lisbon", none.clone())]}]);
    let said = written(&all).join("\n");
    assert!(said.contains("*Lake") && !said.contains("*Lisbon"), "{said}");
    let all = json!([{"type": "Col", "children": [answer("Lake", none.clone()), answer("Lisbon", none)]}]);
    let said = written(&all).join("\n");
    assert!(said.contains("*Lake*") && said.contains("*Lisbon*"), "{said}");
}

/// The items of a list say what happens, when, and in which state.
#[test]
fn items_of_a_line_have_an_order() {
    let icon = |name: &str, color: &str| json!({"type": "Icon", "name": name, "color": color});
    let row = |parts: Value| json!({"type": "Row", "children": parts});
    let text = |words: &str| json!({"type": "Text", "value": words});
    let states = json!([{"type": "Col", "children": [
        {"type": "Caption", "value": "Servers", "weight": "medium"},
        row(json!([icon("dot", "success"), text("One")])),
        row(json!([icon("empty-circle", "danger"), text("Two")]))]}]);
    assert_eq!(written(&states), ["section: *Servers*\n🟢 One\n🔴 Two"]);

    let event = |name: &str, time: &str, state: Value| {
        let words =
            json!({"type": "Col", "children": [text(name), {"type": "Caption", "value": time}]});
        row(json!([words, state]))
    };
    let state = json!({"type": "Badge", "label": "Overlaps", "color": "warning"});
    let day = |time: &str| {
        written(&json!([{"type": "Col", "children": [
            {"type": "Caption", "value": "That day", "weight": "medium"},
            event("Supplier call", time, state.clone()), event("Lunch", "12:00", Value::Null)]}]))
    };
    let said = day("09:30 – 10:15");
    assert_eq!(
        said,
        ["section: *That day*\n09:30 – 10:15  Supplier call · 🟠\u{a0}Overlaps\n12:00  Lunch"]
    );
    let said = day("4 minutes");
    assert_eq!(
        said,
        ["section: *That day*\n• Supplier call · 4 minutes · 🟠\u{a0}Overlaps\n• Lunch · 12:00"]
    );
}

/// Amounts are lines of a bill, with the total of a table before them.
#[test]
fn sums_are_lines() {
    let fact = |name: &str, value: &str| {
        json!({"type": "Row", "children": [
        {"type": "Text", "value": name}, {"type": "Spacer"}, {"type": "Text", "value": value}]})
    };
    let bill = json!([fact("Goods", "€9"), fact("Shipping", "Free"), fact("Tax", "€1.10")]);
    assert_eq!(written(&bill), ["section: *Goods:*  €9\n*Shipping:*  Free\n*Tax:*  €1.10"]);
    // The total is the last line of it.
    let total = json!([bill[0], bill[1], bill[2], {"type": "Divider"}, fact("Total", "€10.10")]);
    assert_eq!(
        written(&total),
        ["section: *Goods:*  €9\n*Shipping:*  Free\n*Tax:*  €1.10\n*Total:*  €10.10"]
    );
    // Three short facts are a line, longer ones and four of them columns.
    let facts = [fact("Code", "6204"), fact("Price", "€9"), fact("Way", "5 km")];
    let line = "section: *Code*_6204  ·  *Price*_€9  ·  *Way*_5_km";
    assert_eq!(written(&json!(facts))[0].replace('\u{a0}', "_"), line);
    let fields = |last: Vec<Value>| {
        let all = [facts[..2].to_vec(), last].concat();
        let (made, _) = blocks(&json!({"type": "Card", "children": all}));
        made[0]["fields"].as_array().map(Vec::len)
    };
    assert_eq!(fields(vec![fact("Way", "through the old town, then along the river")]), Some(3));
    assert_eq!(fields(vec![facts[2].clone(), fact("Seats", "2")]), Some(4));
}

/// What stands below a check box is its description; what is secret is told, not asked for.
#[test]
fn notes_and_secrets_of_a_form_are_told() {
    let check = |more: Value| {
        let mut check =
            json!({"type": "Checkbox", "name": "a", "label": "Back up", "defaultChecked": true});
        check.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap());
        json!({"type": "Card", "asForm": true, "children": [{"type": "Col", "children": [
            check, {"type": "Caption", "value": "While charging."}]}]})
    };
    let (made, _) = blocks(&check(json!({})));
    assert_eq!((validate(&made), made.len()), (vec![], 1));
    let option = &made[0]["elements"][0]["options"][0];
    assert_eq!(option["description"]["text"], "While charging.");
    assert_eq!(made[0]["elements"][0]["initial_options"][0], *option);
    // Where there is no box, the note stays.
    let (made, _) = blocks(&check(json!({"disabled": true})));
    assert!(made[0].to_string().contains("While charging."), "{made:?}");

    let secret = json!({"type": "Col", "children": [
        {"type": "Label", "value": "Access key", "fieldName": "key"},
        {"type": "Input", "name": "key", "inputType": "password"},
        {"type": "Caption", "value": "Leave it empty."}]});
    let kept = "context: 🔑 Access key: kept as it is, change it in the app";
    assert_eq!(written(&json!([secret])), [kept]);
    let mut wanted = secret.clone();
    wanted["children"][1]["required"] = true.into();
    assert_eq!(written(&json!([wanted])), ["context: 🔑 Access key: enter it in the app"]);
}

/// A small line beside a button is about the message; a long line below the header is broken where its
/// parts are.
#[test]
fn the_line_below_the_header_is_short() {
    let badge = |label: &str| json!({"type": "Badge", "label": label});
    let caption = |words: &str| json!({"type": "Caption", "value": words});
    let card = |small: &str| {
        written(&json!([
            {"type": "Row", "children": [{"type": "Col", "children": [
                {"type": "Title", "value": "Dario"}, caption("Left wing · Italy")]}]},
            {"type": "Text", "value": "Scores often."},
            {"type": "Row", "children": [badge("No. 11"), caption(small), {"type": "Spacer"},
                {"type": "Button", "label": "Profile", "onClickAction": {"type": "open"}}]}]))
    };
    let short = card("2027");
    assert_eq!(short[1], "context: Left wing · Italy  ·  No. 11 · 2027");
    let long = card("Season 2027 · Second team");
    assert_eq!(long[1], "context: Left wing · Italy\nNo. 11 · Season 2027 · Second team");
}

/// Buttons for all items stay above them.
#[test]
fn buttons_above_a_list_stay_there() {
    let button =
        |tool: &str| json!({"type": "Button", "label": tool, "onClickAction": {"type": tool}});
    let track = |name: &str| {
        json!({"type": "Row", "children": [
        {"type": "Col", "children": [{"type": "Text", "value": name}, {"type": "Caption", "value": "Mori"}]},
        button("play")]})
    };
    let list = |tracks: Vec<Value>| {
        let (made, _) = blocks(&json!({"type": "Card", "children": [
            {"type": "Title", "value": "Slow light"},
            {"type": "Row", "children": [button("all"), button("save")]},
            {"type": "Col", "children": tracks}]}));
        assert_eq!(validate(&made), []);
        made.iter().position(|block| block["type"] == "actions")
    };
    assert_eq!(list(vec![track("a"), track("b"), track("c")]), Some(1));
    assert_eq!(list(vec![track("a"), track("b")]), Some(3));
}

/// What a chart counts is said in its title and behind the figure beside the title.
#[test]
fn a_figure_says_what_it_counts() {
    let chart = json!({"type": "Chart", "xAxis": "m", "data": [{"m": "Jan", "a": 1}],
        "series": [{"type": "bar", "dataKey": "a", "label": "Shop"}]});
    let head = |line: &str| {
        json!({"type": "Row", "children": [
        {"type": "Col", "children": [{"type": "Text", "value": "Sales", "weight": "semibold"},
            {"type": "Caption", "value": line}]},
        {"type": "Col", "children": [{"type": "Title", "value": "4,310"},
            {"type": "Caption", "value": "+18% on last year", "color": "success"}]}]})
    };
    let made = |line: &str| {
        let (made, _) = blocks(&json!({"type": "Card", "children": [head(line), chart]}));
        (scalar(&made[2]["text"]["text"]), scalar(&made[3]["title"]))
    };
    let (figure, title) = made("Units per month, both channels");
    assert_eq!(figure, "*4,310 units*  ·  🟢\u{a0}+18% on last year");
    // The line below the title has it already.
    assert_eq!(title, "Shop");
    let (figure, title) = made("Both channels");
    assert_eq!(figure, "*4,310*  ·  🟢\u{a0}+18% on last year");
    assert_eq!(title, "Shop");
}
