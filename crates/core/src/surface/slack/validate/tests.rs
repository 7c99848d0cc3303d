//! Every limit at its edge: what is exactly as large passes, one more is the one fault.

use serde_json::{Value, json};

use super::{validate, validate_work_object};

fn plain(size: usize) -> Value {
    json!({"type": "plain_text", "text": "x".repeat(size)})
}

fn mrkdwn(size: usize) -> Value {
    json!({"type": "mrkdwn", "text": "x".repeat(size)})
}

fn image(alt: usize) -> Value {
    json!({"type": "image", "image_url": "https://a.example/i", "alt_text": "x".repeat(alt)})
}

fn button(id: usize) -> Value {
    json!({"type": "button", "text": plain(1), "action_id": format!("b{id}")})
}

fn actions(element: &Value) -> Value {
    json!({"type": "actions", "elements": [element]})
}

fn options(count: usize, text: usize, value: usize) -> Vec<Value> {
    let option = |at| json!({"text": plain(text), "value": format!("{at:0>value$}")});
    (0..count).map(option).collect()
}

fn input(element: &Value) -> Value {
    json!({"type": "input", "label": plain(1), "element": element})
}

fn typed(initial: usize) -> Value {
    json!({"type": "plain_text_input", "action_id": "input:a", "initial_value": "x".repeat(initial)})
}

fn cell(size: usize) -> Value {
    json!({"type": "raw_text", "text": "x".repeat(size)})
}

/// A table of cells of one character.
fn table(kind: &str, rows: usize, columns: usize) -> Value {
    let mut table = json!({"type": kind, "rows": vec![vec![cell(1); columns]; rows]});
    if kind == "data_table" {
        table["caption"] = "x".into();
    }
    table
}

/// A table with this many characters.
fn wide_table(kind: &str, chars: usize) -> Value {
    let mut table = table(kind, 2, 1);
    table["rows"][1][0] = cell(chars - 1);
    table
}

fn chart(series: usize, points: usize, label: usize) -> Value {
    let labels: Vec<String> = (0..points).map(|at| format!("{at:0>label$}")).collect();
    let data: Vec<Value> = labels.iter().map(|l| json!({"label": l, "value": 1})).collect();
    let series: Vec<Value> =
        (0..series).map(|at| json!({"name": format!("s{at}"), "data": data})).collect();
    let axis = json!({"categories": labels});
    json!({"type": "data_visualization", "title": "x",
        "chart": {"type": "bar", "series": series, "axis_config": axis}})
}

fn card(key: &str, value: &Value) -> Value {
    json!({"type": "card", "title": mrkdwn(1), key: value})
}

fn container(title: usize, blocks: usize) -> Value {
    json!({"type": "container", "title": plain(title),
        "child_blocks": vec![json!({"type": "divider"}); blocks]})
}

fn with(mut value: Value, pointer: &str, key: &str, member: Value) -> Value {
    value.pointer_mut(pointer).expect("a place")[key] = member;
    value
}

fn video(title: usize, author: usize) -> Value {
    json!({"type": "video", "video_url": "https://a.example/v", "alt_text": "x", "title": plain(title),
        "thumbnail_url": "https://a.example/t", "author_name": "x".repeat(author)})
}

/// The payload of a size, the largest size, and the fault of one more.
type Edge = (fn(usize) -> Vec<Value>, usize, &'static str);

const EDGES: &[Edge] = &[
    (|n| vec![json!({"type": "divider"}); n], 50, "blocks: at most 50 blocks"),
    (
        |n| vec![json!({"type": "divider", "block_id": "x".repeat(n)})],
        255,
        "blocks[0].block_id: at most 255 characters",
    ),
    (
        |n| vec![json!({"type": "header", "text": plain(n)})],
        150,
        "blocks[0].text.text: at most 150 characters",
    ),
    (
        |n| vec![json!({"type": "section", "text": mrkdwn(n)})],
        3000,
        "blocks[0].text.text: at most 3000 characters",
    ),
    (
        |n| vec![json!({"type": "section", "fields": vec![mrkdwn(1); n]})],
        10,
        "blocks[0].fields: at most 10",
    ),
    (
        |n| vec![json!({"type": "section", "fields": [mrkdwn(n)]})],
        2000,
        "blocks[0].fields[0].text: at most 2000 characters",
    ),
    (
        |n| vec![json!({"type": "context", "elements": vec![mrkdwn(1); n]})],
        10,
        "blocks[0].elements: at most 10",
    ),
    (
        |n| vec![json!({"type": "context", "elements": [plain(n)]})],
        2000,
        "blocks[0].elements[0].text: at most 2000 characters",
    ),
    (
        |n| vec![json!({"type": "actions", "elements": (0..n).map(button).collect::<Vec<_>>()})],
        25,
        "blocks[0].elements: at most 25",
    ),
    (|n| vec![image(n)], 2000, "blocks[0].alt_text: at most 2000 characters"),
    (
        |n| vec![with(image(1), "", "title", plain(n))],
        2000,
        "blocks[0].title.text: at most 2000 characters",
    ),
    (
        |n| {
            let url = format!("https://a.example/{}", "x".repeat(n - 18));
            vec![with(image(1), "", "image_url", url.into())]
        },
        3000,
        "blocks[0].image_url: at most 3000 characters",
    ),
    (
        |n| vec![json!({"type": "markdown", "text": "x".repeat(n)})],
        12_000,
        "blocks[0].text: at most 12000 characters; blocks: at most 12000 characters of markdown in a message",
    ),
    (
        |n| {
            let block = |n| json!({"type": "markdown", "text": "x".repeat(n)});
            vec![block(6000), block(n - 6000)]
        },
        12_000,
        "blocks: at most 12000 characters of markdown in a message",
    ),
    (
        |n| vec![actions(&with(button(1), "", "text", plain(n)))],
        75,
        "blocks[0].elements[0].text.text: at most 75 characters",
    ),
    (
        |n| vec![actions(&with(button(1), "", "accessibility_label", "x".repeat(n).into()))],
        75,
        "blocks[0].elements[0].accessibility_label: at most 75 characters",
    ),
    (
        |n| vec![actions(&with(button(1), "", "value", "x".repeat(n).into()))],
        2000,
        "blocks[0].elements[0].value: at most 2000 characters",
    ),
    (
        |n| vec![actions(&with(button(1), "", "action_id", "x".repeat(n).into()))],
        255,
        "blocks[0].elements[0].action_id: at most 255 characters",
    ),
    (
        |n| {
            vec![actions(
                &json!({"type": "static_select", "action_id": "a", "options": options(n, 1, 3)}),
            )]
        },
        100,
        "blocks[0].elements[0].options: at most 100",
    ),
    (
        |n| {
            vec![actions(
                &json!({"type": "radio_buttons", "action_id": "a", "options": options(n, 1, 3)}),
            )]
        },
        10,
        "blocks[0].elements[0].options: at most 10",
    ),
    (
        |n| {
            vec![actions(
                &json!({"type": "checkboxes", "action_id": "a", "options": options(n, 1, 3)}),
            )]
        },
        10,
        "blocks[0].elements[0].options: at most 10",
    ),
    (
        |n| {
            vec![actions(
                &json!({"type": "overflow", "action_id": "a", "options": options(n, 1, 3)}),
            )]
        },
        5,
        "blocks[0].elements[0].options: at most 5",
    ),
    (
        |n| {
            vec![actions(
                &json!({"type": "overflow", "action_id": "a", "options": options(1, n, 3)}),
            )]
        },
        75,
        "blocks[0].elements[0].options[0].text.text: at most 75 characters",
    ),
    (
        |n| {
            vec![actions(
                &json!({"type": "overflow", "action_id": "a", "options": options(1, 1, n)}),
            )]
        },
        150,
        "blocks[0].elements[0].options[0].value: at most 150 characters",
    ),
    (
        |n| vec![input(&with(typed(1), "", "placeholder", plain(n)))],
        150,
        "blocks[0].element.placeholder.text: at most 150 characters",
    ),
    (|n| vec![input(&typed(n))], 3000, "blocks[0].element.initial_value: at most 3000 characters"),
    (
        |n| vec![with(input(&typed(1)), "", "label", plain(n))],
        2000,
        "blocks[0].label.text: at most 2000 characters",
    ),
    (
        |n| vec![with(input(&typed(1)), "", "hint", plain(n))],
        2000,
        "blocks[0].hint.text: at most 2000 characters",
    ),
    (|n| vec![table("table", n, 1)], 100, "blocks[0].rows: at most 100"),
    (|n| vec![table("table", 1, n)], 20, "blocks[0].rows[0]: 1 to 20 cells"),
    (|n| vec![wide_table("table", n)], 10_000, "blocks[0]: at most 10000 characters in a table"),
    (|n| vec![table("data_table", n, 1)], 101, "blocks[0].rows: at most 101"),
    (
        |n| vec![wide_table("data_table", n)],
        20_000,
        "blocks[0]: at most 20000 characters in a data_table; blocks: at most 20000 characters in all tables in a message",
    ),
    (
        |n| vec![wide_table("table", 10_000), wide_table("data_table", n - 10_000)],
        20_000,
        "blocks: at most 20000 characters in all tables in a message",
    ),
    (
        |n| vec![with(table("data_table", 2, 1), "", "page_size", n.into())],
        100,
        "blocks[0].page_size: must be from 1 to 100",
    ),
    (
        |n| vec![with(table("data_table", 2, 3), "", "row_header_column_index", n.into())],
        2,
        "blocks[0].row_header_column_index: must be from 0 to 2",
    ),
    (|n| vec![card("title", &mrkdwn(n))], 150, "blocks[0].title.text: at most 150 characters"),
    (
        |n| vec![card("subtitle", &mrkdwn(n))],
        150,
        "blocks[0].subtitle.text: at most 150 characters",
    ),
    (|n| vec![card("body", &mrkdwn(n))], 200, "blocks[0].body.text: at most 200 characters"),
    (
        |n| vec![card("actions", &json!((0..n).map(button).collect::<Vec<_>>()))],
        3,
        "blocks[0].actions: at most 3",
    ),
    (
        |n| vec![json!({"type": "carousel", "elements": vec![card("body", &mrkdwn(1)); n]})],
        10,
        "blocks[0].elements: at most 10",
    ),
    (|n| vec![container(n, 1)], 150, "blocks[0].title.text: at most 150 characters"),
    (|n| vec![container(1, n)], 10, "blocks[0].child_blocks: at most 10"),
    (|n| vec![chart(1, 1, 1); n], 2, "blocks: at most 2 data_visualization blocks in a message"),
    (|n| vec![chart(n, 1, 1)], 6, "blocks[0].chart.series: at most 6"),
    (
        |n| vec![chart(1, n, 2)],
        20,
        "blocks[0].chart.axis_config.categories: at most 20; blocks[0].chart.series[0].data: at most 20",
    ),
    (
        |n| vec![chart(1, 1, n)],
        20,
        "blocks[0].chart.axis_config.categories: unique labels of 1 to 20 characters; blocks[0].chart.series[0].data[0].label: at most 20 characters",
    ),
    (
        |n| vec![with(chart(1, 1, 1), "/chart/series/0", "name", "x".repeat(n).into())],
        20,
        "blocks[0].chart.series[0].name: at most 20 characters",
    ),
    (
        |n| vec![with(chart(1, 1, 1), "/chart/axis_config", "x_label", "x".repeat(n).into())],
        50,
        "blocks[0].chart.axis_config.x_label: at most 50 characters",
    ),
    (
        |n| vec![with(chart(1, 1, 1), "/chart/axis_config", "y_label", "x".repeat(n).into())],
        50,
        "blocks[0].chart.axis_config.y_label: at most 50 characters",
    ),
    (
        |n| vec![with(chart(1, 1, 1), "", "title", "x".repeat(n).into())],
        50,
        "blocks[0].title: at most 50 characters",
    ),
    (|n| vec![video(n, 1)], 199, "blocks[0].title.text: at most 199 characters"),
    (|n| vec![video(1, n)], 49, "blocks[0].author_name: at most 49 characters"),
];

fn faults(blocks: &[Value]) -> String {
    validate(blocks).iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

#[test]
fn every_limit_of_a_message_at_its_edge() {
    for (payload, most, fault) in EDGES {
        assert_eq!(faults(&payload(*most)), "", "at {most}: {fault}");
        assert_eq!(faults(&payload(most + 1)), *fault);
    }
}

#[test]
fn lengths_are_counted_in_utf16() {
    let header = |text: String| {
        faults(&[json!({"type": "header", "text": {"type": "plain_text", "text": text}})])
    };
    assert_eq!(header("😀".repeat(75)), "");
    assert_eq!(header("😀".repeat(75) + "a"), "blocks[0].text.text: at most 150 characters");
    assert_eq!(header("é".repeat(150)), "");
}

#[test]
fn a_choice_is_one_of_the_list() {
    for (style, expected) in [
        (json!("primary"), ""),
        (json!("danger"), ""),
        (json!("default"), "blocks[0].elements[0].style: must be one of primary, danger"),
        (json!(1), "blocks[0].elements[0].style: must be one of primary, danger"),
    ] {
        assert_eq!(faults(&[actions(&with(button(1), "", "style", style))]), expected);
    }
    for (width, is_known) in
        [("narrow", true), ("standard", true), ("wide", true), ("full", true), ("huge", false)]
    {
        let found = faults(&[with(container(1, 1), "", "width", width.into())]);
        assert_eq!(found.is_empty(), is_known, "{width}: {found}");
    }
}

#[test]
fn initial_values_have_their_shape() {
    for (kind, key, good, bad) in [
        ("datepicker", "initial_date", "2027-03-08", "2027-3-8"),
        ("timepicker", "initial_time", "09:30", "9:30"),
    ] {
        let found =
            |value: &str| faults(&[actions(&json!({"type": kind, "action_id": "a", key: value}))]);
        assert_eq!(found(good), "");
        assert!(found(bad).contains("must look like"), "{}", found(bad));
    }
    let number = |key: &str, value: Value| {
        let element =
            json!({"type": "number_input", "action_id": "input:a", "is_decimal_allowed": true});
        faults(&[input(&with(element, "", key, value))])
    };
    for key in ["initial_value", "min_value", "max_value"] {
        assert_eq!(number(key, json!("1.5")), "", "{key}");
        assert_ne!(number(key, json!("one")), "", "{key}");
    }
    assert!(number("is_decimal_allowed", json!(1)).contains("must be true or false"));
}

#[test]
fn ids_are_unique_where_slack_needs_them() {
    let two = |a: &str, b: &str| {
        let button =
            |id: &str| json!({"type": "button", "text": plain(1), "action_id": id, "value": "{}"});
        faults(&[json!({"type": "actions", "elements": [button(a), button(b)]})])
    };
    assert_eq!(two("tool:a", "tool:b"), "");
    assert_eq!(
        two("tool:a", "tool:a"),
        "blocks[0].elements[1].action_id: must be unique in its block"
    );
    assert_eq!(
        two("tool:", "tool:b"),
        "blocks[0].elements[0].action_id: needs a name after `tool:`"
    );
    assert_eq!(
        faults(&[input(&typed(1)), input(&typed(1))]),
        "blocks[1].element.action_id: a field's name must be unique in the message"
    );
    let tool = with(typed(1), "", "action_id", "tool:a".into());
    assert!(faults(&[input(&tool)]).starts_with("blocks[0].element.action_id: an input is named"));
    let bare = json!({"type": "button", "text": plain(1)});
    assert_eq!(faults(&[actions(&bare.clone())]), "blocks[0].elements[0].action_id: is required");
    assert_eq!(faults(&[actions(&with(bare, "", "url", "https://a.example".into()))]), "");
}

#[test]
fn options_have_their_start_value_among_them() {
    let select = |key: &str, value: Value| {
        let kind = if key == "initial_option" { "static_select" } else { "multi_static_select" };
        let element = json!({"type": kind, "action_id": "a", "options": options(2, 1, 1)});
        faults(&[actions(&with(element, "", key, value))])
    };
    let known = options(2, 1, 1)[1].clone();
    let unknown = json!({"text": plain(1), "value": "z"});
    assert_eq!(select("initial_option", known.clone()), "");
    assert!(select("initial_option", unknown.clone()).contains("must equal one of the options"));
    assert_eq!(select("initial_options", json!([known])), "");
    assert!(
        select("initial_options", json!([known, unknown]))
            .contains("must equal one of the options")
    );
    assert!(select("initial_options", json!([])).contains("must not be empty"));
    let same = vec![options(1, 1, 1)[0].clone(); 2];
    let found =
        faults(&[actions(&json!({"type": "static_select", "action_id": "a", "options": same}))]);
    assert_eq!(found, "blocks[0].elements[0].options: the values of options must be unique");
}

fn work_object() -> Value {
    json!({"event_type": "view", "entity": {
        "url": "https://a.example", "external_ref": {"id": "7"}, "entity_type": "slack#/entities/item",
        "entity_payload": {"attributes": {"title": {"text": "A"}}}}})
}

fn object_faults(pointer: &str, key: &str, value: Value) -> String {
    let object = with(work_object(), pointer, key, value);
    validate_work_object(&object).iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

#[test]
fn every_rule_of_a_work_object() {
    const PAYLOAD: &str = "/entity/entity_payload";
    const AT: &str = "entity.entity_payload";
    for kind in ["task", "file", "item", "incident", "content_item"] {
        assert_eq!(
            object_faults("/entity", "entity_type", format!("slack#/entities/{kind}").into()),
            ""
        );
    }
    assert!(
        object_faults("/entity", "entity_type", "slack#/entities/thing".into())
            .contains("one of task")
    );
    assert!(
        object_faults("/entity", "entity_type", "item".into()).contains("must be slack#/entities/")
    );
    assert!(
        object_faults("/entity", "url", "http://a.example".into())
            .contains("entity.url: must be an https")
    );
    assert!(object_faults("/entity", "app_unfurl_url", "x".into()).contains("app_unfurl_url"));

    // An icon has an address, or is a file of Slack's.
    let icon = |icon: Value| object_faults(&format!("{PAYLOAD}/attributes"), "product_icon", icon);
    assert_eq!(icon(json!({"url": "https://a.example/i", "alt_text": "x"})), "");
    assert_eq!(icon(json!({"slack_file": {"id": "F1"}, "alt_text": "x"})), "");
    assert!(icon(json!({"alt_text": "x"})).ends_with("product_icon.url: is required"));
    assert!(
        icon(json!({"url": "https://10.0.0.1/i", "alt_text": "x"})).contains("Slack can reach")
    );
    assert!(
        icon(json!({"url": "https://a.example/i", "alt_text": " "}))
            .contains("alt_text: is required")
    );

    let field = |members: Value| {
        let mut field = json!({"key": "k", "label": "L", "type": "string", "value": "v"});
        for (key, value) in members.as_object().expect("an object") {
            field[key] = value.clone();
        }
        object_faults(PAYLOAD, "custom_fields", json!([field]))
    };
    assert_eq!(field(json!({})), "");
    for color in ["red", "yellow", "green", "gray", "blue"] {
        assert_eq!(field(json!({"tag_color": color})), "", "{color}");
    }
    assert!(field(json!({"tag_color": "pink"})).contains("must be one of red"));
    assert!(field(json!({"type": "text"})).contains("must be one of string"));
    for (kind, value) in [
        ("string", json!("v")),
        ("slack#/types/link", json!("v")),
        ("slack#/types/email", json!("v")),
        ("slack#/types/date", json!("2027-03-08")),
        ("integer", json!(1)),
        ("slack#/types/timestamp", json!(1)),
        ("array", json!([])),
    ] {
        assert_eq!(field(json!({"type": kind, "value": value})), "", "{kind}");
        let wrong = field(json!({"type": kind, "value": {}}));
        assert_eq!(wrong, format!("{AT}.custom_fields[0].value: does not fit the type {kind}"));
    }
    for kind in
        ["boolean", "slack#/types/channel_id", "slack#/types/user", "slack#/types/entity_ref"]
    {
        assert_eq!(field(json!({"type": kind})), "", "{kind}");
    }
    let image =
        json!({"type": "slack#/types/image", "image_url": "https://a.example/i", "alt_text": "x"});
    assert_eq!(field(image), "");
    assert!(field(json!({"type": "slack#/types/image"})).contains("alt_text: is required"));
    assert!(field(json!({"long": 1})).contains("must be true or false"));

    let custom = json!({"key": "k", "label": "L", "type": "string", "value": "v"});
    assert!(
        object_faults(PAYLOAD, "custom_fields", json!([custom, custom]))
            .ends_with("key: must be unique")
    );
    assert_eq!(
        object_faults(PAYLOAD, "display_order", json!(["k"])),
        format!("{AT}.display_order[0]: does not name a field")
    );

    let buttons = |key: &str, count: usize| {
        let button = |at| json!({"text": "x", "action_id": format!("a{at}")});
        let list: Vec<Value> = (0..count).map(button).collect();
        object_faults(PAYLOAD, "actions", json!({ key: list }))
    };
    for (key, most) in [("primary_actions", 2), ("overflow_actions", 5)] {
        assert_eq!(buttons(key, most), "");
        assert_eq!(buttons(key, most + 1), format!("{AT}.actions.{key}: at most {most}"));
    }
    let twice = json!({"text": "x", "action_id": "a"});
    let actions = json!({"primary_actions": [twice], "overflow_actions": [twice]});
    assert!(object_faults(PAYLOAD, "actions", actions).contains("action_id: must be unique"));
}
