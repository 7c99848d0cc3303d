//! Shapes that servers return, what is shown of them, and properties of all trees.

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use widgetcast_core::{Limits, Presentation, Surface, View, check_tree, text_of};

use super::{python, tree};

/// The result with this data alone, of a tool without a title or a schema.
fn structured(data: impl Into<Value>) -> Value {
    let data = data.into();
    json!({"content": [{"type": "text", "text": data.to_string()}], "structuredContent": data})
}

fn texts(texts: &[&str]) -> Value {
    let blocks = texts.iter().map(|text| json!({"type": "text", "text": text}));
    json!({"content": blocks.collect::<Vec<_>>()})
}

/// The tree as Markdown, once it is accepted; empty if there is none.
fn shown_by(tool: &Value, result: &Value) -> String {
    let Some(tree) = tree(tool, result) else { return String::new() };
    let findings = check_tree(&tree.to_string(), &Limits::default());
    assert!(findings.is_empty(), "{findings:?}\n{tree:#}");
    text_of(&tree)
}

fn shown(result: &Value) -> String {
    shown_by(&Value::Null, result)
}

fn shown_data(data: impl Into<Value>) -> String {
    shown(&structured(data))
}

fn on(surface: &str, result: &Value) -> String {
    let view = View::unchecked(&tree(&Value::Null, result).expect("a tree"));
    let surface = Surface::find(surface).expect("a surface");
    (surface.render)(&Presentation::new("tool", "1", &view))
}

/// The types of a card's children.
fn types(result: &Value) -> Vec<String> {
    let tree = tree(&Value::Null, result).expect("a tree");
    let children = tree["children"].as_array().expect("children").iter();
    children.map(|child| child["type"].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn a_line_needs_no_view() {
    for result in [
        Value::Null,
        json!({}),
        json!({"content": []}),
        texts(&["Done."]),
        texts(&["42"]),
        texts(&["[]"]),
        texts(&["  "]),
        structured(json!({})),
        structured(json!({"result": []})),
        structured(json!({"result": "Created order 7"})),
        structured(json!({"temperature": 21})),
        structured(json!({"data": {"ok": true}})),
    ] {
        assert_eq!(tree(&Value::Null, &result), None, "{result}");
    }
}

/// As FastMCP answers for a function that returns a list.
#[test]
fn a_list_without_items_keeps_the_head_of_its_schema() {
    let row = json!({"properties": {"id": {"title": "Number"}, "placed_at": {}}});
    let tool = json!({"outputSchema": {"type": "object", "$defs": {"Order": row}, "properties": {
        "result": {"type": "array", "items": {"$ref": "#/$defs/Order"}},
    }}});
    let none = structured(json!({"result": []}));
    let head = "| Number | Placed at |\n| --- | --- |\n\nNothing here";
    assert_eq!(shown_by(&tool, &none), head);
    assert_eq!(shown(&none), "");
    // Next to other data, too.
    let page = json!({"outputSchema": {"properties": {
        "items": {"items": {"properties": {"id": {}}}}, "total": {},
    }}});
    let none_of_page = structured(json!({"items": [], "total": 0}));
    assert_eq!(
        shown_by(&page, &none_of_page),
        "Total: 0\n\n**Items**\n\n| Id |\n| --- |\n\nNothing here"
    );
}

/// As pandas writes a frame, by default and with row names.
#[test]
fn columns_by_the_numbers_of_rows_are_a_table() {
    let table =
        "| City | People | Share |\n| --- | ---: | ---: |\n| Bern | 3 | 0.5 |\n| Zug | 4 | – |";
    let frame =
        r#"{"city":{"0":"Bern","1":"Zug"},"people":{"0":3,"1":4},"share":{"0":0.5,"1":null}}"#;
    assert_eq!(shown(&texts(&[frame])), table);
    let lists = r#"{"city":["Bern","Zug"],"people":[3,4],"share":[0.5,NaN]}"#;
    assert_eq!(shown(&texts(&[lists])), table, "Python writes NaN");
    let csv = "| | City | People |\n| ---: | --- | ---: |\n| 0 | Bern | 3 |\n| 1 | Zug | 4 |";
    assert_eq!(shown(&texts(&[",city,people\n0,Bern,3\n1,Zug,4\n"])).replace("|  |", "| |"), csv);
    // Other numbers are data.
    let years = json!({"a": {"2024": 1, "2025": 2}, "b": {"2024": 3, "2025": 4}});
    assert!(shown_data(years).contains("| a | 1 | 2 |"));
}

#[test]
fn numbers_are_shown_as_their_schema_describes_them() {
    let tool = json!({"outputSchema": {"properties": {
        "at": {"format": "unix-time"}, "ms": {"format": "unix-time-ms"}, "before": {"format": "unix-time"},
        "size": {"format": "bytes"}, "heat": {"unit": "°C"}, "free": {"anyOf": [{"format": "bytes"}, {"type": "null"}]},
        "count": {"format": "int64"},
    }}});
    let data = json!({"at": 1_767_225_600, "ms": 1_767_225_661_500_u64, "before": -1, "size": 1_536_000, "heat": 21.5,
        "free": 12, "count": 1_767_225_600});
    assert_eq!(
        shown_by(&tool, &structured(data)),
        "- At: 2026-01-01 00:00:00 UTC\n- Ms: 2026-01-01 00:01:01 UTC\n- Before: 1969-12-31 23:59:59 UTC\n\
         - Size: 1.5 MB\n- Heat: 21.5 °C\n- Free: 12 B\n- Count: 1767225600"
    );
}

#[test]
fn objects_are_rows_of_a_table() {
    let orders = json!({"orders": [
        {"id": 1, "customerName": "Ada", "paid": true, "placedAt": "2026-11-01T10:00:00.000Z",
         "tags": ["new", "gift"], "address": {"city": "Oslo", "zip": "0150"}},
        {"id": 22, "customerName": "Bo | Co", "paid": false, "placedAt": null, "tags": [],
         "address": {"geo": {"lat": 1}}, "unit_price": 2.5},
    ]});
    let expected = "\
| Id | Customer name | Paid | Placed at | Tags | Address | Unit price |
| ---: | --- | --- | --- | --- | --- | ---: |
| 1 | Ada | ✓ | 2026-11-01 10:00:00 UTC | new, gift | City: Oslo, Zip: 0150 | |
| 22 | Bo \\| Co | ✗ | – | – | Geo (Lat: 1) | 2.5 |";
    assert_eq!(shown_data(orders).replace("|  ", "| "), expected);
}

#[test]
fn wrappers_and_texts_around_data_are_opened() {
    let rows = r#"[{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]"#;
    let expected = shown(&texts(&[rows]));
    assert!(expected.contains("| 2 | y |"), "{expected}");
    for result in [
        structured(json!({"result": serde_json::from_str::<Value>(rows).expect("JSON")})),
        structured(json!({"result": rows})),
        structured(json!({"content": json!({"rows": rows}).to_string()})),
        texts(&[&format!("```json\n{rows}\n```")]),
        texts(&["[{'a': 1, 'b': 'x'}, {'a': 2, 'b': 'y'},]"]),
        // A block for each item.
        texts(&[r#"{"a": 1, "b": "x"}"#, r#"{"a": 2, "b": "y"}"#]),
        // Structured content that says nothing.
        json!({"structuredContent": {}, "content": [{"type": "text", "text": rows}]}),
    ] {
        assert_eq!(shown(&result), expected, "{result}");
    }
}

#[test]
fn the_key_of_an_object_may_be_data_and_stays() {
    let text = shown_data(json!({"Oslo": {"temperature": 3, "wind": 4}}));
    assert_eq!(text, "## Oslo\n- Temperature: 3\n- Wind: 4");
    let tool =
        json!({"outputSchema": {"properties": {"result": {"title": "Result", "type": "object"}}}});
    let wrapped = structured(json!({"result": {"temperature": 3, "wind": 4}}));
    assert_eq!(shown_by(&tool, &wrapped), "- Temperature: 3\n- Wind: 4");
}

#[test]
fn tables_have_several_shapes() {
    let expected = "| Part | Count |\n| --- | ---: |\n| Bolt | 3 |\n| Nut | 5 |";
    for data in [
        json!([["Part", "Count"], ["Bolt", 3], ["Nut", 5]]),
        json!({"columns": ["Part", "Count"], "rows": [["Bolt", 3], ["Nut", 5]]}),
        json!({"values": [["Bolt", 3], ["Nut", 5]], "header": ["Part", "Count"]}),
        json!({"part": ["Bolt", "Nut"], "count": [3, 5]}),
        json!([{"part": "Bolt", "count": 3}, {"part": "Nut", "count": 5}]),
    ] {
        assert_eq!(shown_data(data.clone()), expected, "{data}");
    }
    let by_name =
        shown_data(json!({"Bolt": {"count": 3, "bin": "a"}, "Nut": {"count": 5, "bin": "b"}}));
    assert_eq!(
        by_name,
        "|  | Count | Bin |\n| --- | ---: | --- |\n| Bolt | 3 | a |\n| Nut | 5 | b |"
    );
    // Columns with types, objects in which most of a row is, and a time for each value.
    let typed = json!({"columns": [{"name": "part", "type": "text"}, {"name": "n", "type": "int"}], "rows": [["Bolt", 3]]});
    assert_eq!(shown_data(typed), "| part · text | n · int |\n| --- | ---: |\n| Bolt | 3 |");
    let edges = json!({"edges": [{"cursor": "x", "node": {"part": "Bolt", "count": 3}}, {"cursor": "y", "node": {"part": "Nut", "count": 5}}]});
    assert_eq!(
        shown_data(edges),
        "| Cursor | Part | Count |\n| --- | --- | ---: |\n| x | Bolt | 3 |\n| y | Nut | 5 |"
    );
    let days = json!({"2026-01-01": 3, "2026-01-02": 5, "2026-01-03": 4});
    assert_eq!(types(&structured(days)), ["Chart", "Table"]);
    // Only strings: the first row is as likely a row as a head.
    let plain = shown_data(json!({"cells": [["a", "b"], ["c", "d"]]}));
    assert_eq!(plain, "- a · b\n- c · d");
    // What is next to the rows is shown too.
    let query = json!({"ok": true, "columns": ["n", "count(*)"], "types": ["INT", "INT"], "rows": [[1, 2]]});
    let text = shown_data(query);
    assert!(text.contains("- Types: INT, INT") && text.contains("| n | count(*) |"), "{text}");
}

#[test]
fn an_object_is_facts_and_sections() {
    let text = shown_data(json!({
        "order": 7,
        "note": "Ring twice.\nLeave it at the door.",
        "customer": {"name": "Ada", "address": {"city": "Oslo", "geo": {"lat": 1.5}}},
        "lines": [{"sku": "a", "n": 1}, {"sku": "b", "n": 2}],
        "page": "https://shop.example/orders/7_b",
        "empty": "",
    }));
    let expected = "\
- Order: 7
- Page: [shop.example/orders/7\\_b](<https://shop.example/orders/7_b>)
- Empty: –

**Note**

Ring twice.  
Leave it at the door.

**Customer**

Name: Ada

**Address**

- City: Oslo
- Geo: Lat: 1.5

**Lines**

| Sku | N |
| --- | ---: |
| a | 1 |
| b | 2 |";
    assert_eq!(text, expected);
}

#[test]
fn labels_come_from_the_schema_or_from_keys() {
    let tool = json!({"title": "Find parts", "outputSchema": {
        "type": "object",
        "properties": {"parts": {"title": "Parts", "type": "array", "items": {"$ref": "#/$defs/Part"}}},
        "$defs": {
            "Maker": {"title": "MakerModel", "type": "object", "properties": {"cc": {"title": "Country"}}},
            "Part": {"title": "PartModel", "type": "object", "properties": {
                "no": {"title": "Part number", "type": "string"},
                "maker": {"anyOf": [{"$ref": "#/$defs/Maker"}, {"type": "null"}]},
            }},
        },
    }});
    let part = |no: &str| {
        json!({"no": no, "maker": {"cc": "NO"}, "unitPrice": 1, "ean_code": 2,
        "URL": "u", "userID": 3, "HTMLPage": 4, "Total (€)": 5, "größe": 6, "_links": 7})
    };
    let text = shown_by(&tool, &structured(json!({"parts": [part("a"), part("b")]})));
    let head = "| Part number | Maker | Unit price | Ean code | URL | User ID | HTML page | Total (€) | Größe | Links |";
    assert!(text.starts_with("## Find parts\n"), "{text}");
    assert!(text.contains(head), "{text}");
    assert!(text.contains("| a | Country: NO |"), "{text}");
    let annotated = json!({"annotations": {"title": "Parts of it"}});
    assert!(
        shown_by(&annotated, &structured(json!({"a": 1, "b": 2}))).starts_with("## Parts of it")
    );
}

#[test]
fn a_schema_that_refers_to_itself_ends() {
    let tool = json!({"outputSchema": {"$ref": "#"}});
    assert_eq!(shown_by(&tool, &structured(json!({"a": 1, "b": 2}))), "- A: 1\n- B: 2");
}

fn days(count: usize) -> Value {
    let day = |at: usize| json!({"day": format!("2026-{:02}-{:02}", at / 28 + 1, at % 28 + 1), "high": at, "low": -1});
    json!({"days": (0..count).map(day).collect::<Vec<_>>()})
}

#[test]
fn numbers_over_time_are_a_chart() {
    assert_eq!(types(&structured(days(20))), ["Chart", "Table"]);
    assert_eq!(types(&structured(days(21))), ["Chart"]);
    assert_eq!(types(&structured(days(2))), ["Table"]);
    assert!(on("terminal", &structured(days(4))).contains("High"));
    let hourly = json!({"time": ["2026-01-01T00:00", "2026-01-01T01:00", "2026-01-01T02:00"], "t": [1, null, 3]});
    assert_eq!(types(&structured(hourly)), ["Chart", "Table"]);
    for data in [
        // Not in order, twice the same, one that is no date, a text next to it, two times, no numbers.
        json!([{"d": "2026-02-01", "n": 1}, {"d": "2026-01-01", "n": 2}, {"d": "2026-03-01", "n": 3}]),
        json!([{"d": "2026-01-01", "n": 1}, {"d": "2026-01-01", "n": 2}, {"d": "2026-03-01", "n": 3}]),
        json!([{"d": "2026-01-01", "n": 1}, {"d": "2026-01-02", "n": 2}, {"d": "never", "n": 3}]),
        json!([{"d": "2026-01-01", "n": "a"}, {"d": "2026-01-02", "n": 2}, {"d": "2026-01-03", "n": 3}]),
        json!([{"d": "2020", "n": "2021"}, {"d": "2021", "n": "2022"}, {"d": "2022", "n": "2023"}]),
        json!([{"d": "2020"}, {"d": "2021"}, {"d": "2022"}]),
        // Numbers that increase are often keys.
        json!([{"id": 2020, "n": 1}, {"id": 2021, "n": 2}, {"id": 2022, "n": 3}]),
    ] {
        assert_eq!(types(&structured(json!({ "rows": data }))), ["Table"], "{data}");
    }
    let year = json!({"type": "integer", "format": "date-fullyear"});
    let tool = json!({"outputSchema": {"properties": {"rows": {"items": {"properties": {"year": year}}}}}});
    let rows = json!([{"year": 2020, "n": 1}, {"year": 2021, "n": 2}, {"year": 2022, "n": 3}]);
    let drawn = tree(&tool, &structured(json!({ "rows": rows }))).expect("a tree");
    assert_eq!(drawn["children"][0]["type"], "Chart");
}

#[test]
fn what_is_left_out_is_a_number() {
    let rows: Vec<Value> = (0..150).map(|n| json!({"n": n, "name": format!("row {n}")})).collect();
    let text = shown_data(json!({ "rows": rows }));
    assert!(text.contains("| 99 | row 99 |") && !text.contains("row 100"), "{text}");
    assert!(text.ends_with("\n+50"), "{text}");

    assert!(shown_data(days(450)).ends_with("\n+50"));

    let wide: Map<String, Value> = (0..15).map(|n| (format!("k{n}"), json!(n))).collect();
    let text = shown_data(json!([wide, wide]));
    assert!(text.contains("| K11 | +3 |"), "{text}");
    let matrix = json!({"m": vec![vec![1; 15]; 2]});
    assert!(shown_data(matrix).contains("| +3 |"));

    let items: Vec<String> = (0..130).map(|n| format!("item {n}")).collect();
    assert!(shown_data(json!({ "items": items })).ends_with("+30"));
    let facts: Map<String, Value> = (0..130).map(|n| (format!("k{n}"), json!(n))).collect();
    assert!(shown_data(Value::Object(facts)).ends_with("+30"));
    let sections: Map<String, Value> =
        (0..20).map(|n| (format!("k{n}"), json!({"a": n, "z": [n, [n]]}))).collect();
    let mut sections = Value::Object(sections);
    sections["k0"] = json!("a\nb");
    assert!(shown_data(sections).ends_with("+8"));

    let text = shown_data(json!({"a": [{"n": 1, "s": "x".repeat(150)}, {"n": 2, "s": ""}]}));
    assert!(text.contains("x… +30 |"), "{text}");
    let text = shown(&texts(&[&"é".repeat(40_100)]));
    assert!(text.ends_with("é… +100"), "{}", &text[text.len() - 20..]);
    let blocks: Vec<String> = (0..12).map(|n| format!("Block {n}")).collect();
    let blocks: Vec<&str> = blocks.iter().map(String::as_str).collect();
    assert!(shown(&texts(&blocks)).ends_with("+4"));
}

#[test]
fn text_is_markdown_aligned_or_plain() {
    let is = |text: &str| {
        let tree = tree(&Value::Null, &texts(&[text])).expect("a tree");
        let part = tree["children"][0].clone();
        let is_code = part["value"].as_str().is_some_and(|value| value.starts_with("```\n"));
        if is_code {
            "code".to_owned()
        } else {
            part["type"].as_str().unwrap_or_default().to_owned()
        }
    };
    for markdown in [
        "Notes\n=====\n\nFirst.",
        "Change:\n```diff\n@@ -1,2 +1 @@\n-a\n+b\n```\nDone.",
        "This is **bold**.\nThis is not.",
        "See [the page](https://a.example).\nOr not.",
        "# Notes\n\nFirst.",
        "### Page\n- Title: Shop\n- Address: home",
        "Found:\n\n1. one\n2. two",
        "- one\n  - nested\n- two",
        "| a | b |\n|---|---|\n| 1 | 2 |",
        "Run this:\n```sh\n  ls\n```\nThen that.",
    ] {
        assert_eq!(is(markdown), "Markdown", "{markdown}");
    }
    for code in [
        "import os\n\ndef f():\n    return 1",
        "# Copyright\n\nclass A:\n    # inner\n    pass",
        "diff --git a/f b/f\n@@ -1,2 +1,2 @@\n context\n- old\n- older\n+ new",
        "- name: a\n  image: b\n- name: c\n  image: d",
        "src\n├── a\n│   └── b",
        "a.txt        12\nb.txt       140",
    ] {
        assert_eq!(is(code), "code", "{code}");
    }
    for code in [
        "Changes:\ndiff --git a/f b/f\n@@ -1,2 +1 @@\n-foo\n-bar\n+baz",
        "--- a/list\n+++ b/list\n@@ -1,3 +1 @@ head\n- one\n- two\n- three\n+ four",
        "<?xml version=\"1.0\"?>\n<a>\n<b/>\n</a>",
    ] {
        assert_eq!(is(code), "code", "{code}");
    }
    for plain in [
        "# a comment\nKEY=value\n# another\nOTHER=value",
        "First, one\nand two.",
        &format!("Page:\n<p>{}</p>", "words ".repeat(50)),
        "if a < b\nthen a > b",
    ] {
        assert_eq!(is(plain), "Text", "{plain}");
    }
    assert!(shown(&texts(&["x\n  ```\n  y"])).starts_with("````\n"));
}

#[test]
fn short_lines_of_markdown_end_where_they_do() {
    let value = |text: &str| {
        let tree = tree(&Value::Null, &texts(&[text])).expect("a tree");
        tree["children"][0]["value"].as_str().unwrap_or_default().to_owned()
    };
    assert_eq!(
        value("## Requests\n1 of 2\nGET / 200\n\n- a\n- b"),
        "## Requests\n1 of 2  \nGET / 200\n\n- a\n- b"
    );
    let wrapped = format!("# Prose\n\n{}\nand the rest of it.", "words ".repeat(12).trim_end());
    for text in [
        &*wrapped,
        "# A\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\na\nb\n```",
        "Title\n=====\n\nText",
    ] {
        assert_eq!(value(text), text);
    }
}

#[test]
fn lines_are_read_as_data() {
    let shown = |text: &str| shown(&texts(&[text]));
    // Keys and values, with the types that JSON has.
    assert_eq!(
        shown("size: 35\nname: *a*\nisFile: true\nlast seen: 10:30: idle\nzip: 0150"),
        "- Size: 35\n- Name: *a*\n- Is file: ✓\n- last seen: 10:30: idle\n- Zip: 0150"
    );
    assert_eq!(shown("**Name:** Ada\n**Born**: 1815\n"), "- Name: Ada\n- Born: 1815");
    // Several of them are rows, with empty lines between them or without.
    let rows = "## History\n\n| Commit | Author |\n| --- | --- |\n| a1 | Ada |\n| b2 | Bo |";
    assert_eq!(shown("History:\nCommit: a1\nAuthor: Ada\n\nCommit: b2\nAuthor: Bo\n\n"), rows);
    assert_eq!(shown("History:\nCommit: a1\nAuthor: Ada\nCommit: b2\nAuthor: Bo"), rows);
    let rows = "| Event | Area |\n| --- | --- |\n| Storm | Alps |\n| Flood | Rhine |";
    assert_eq!(shown("Event: Storm\nArea: Alps\n---\nEvent: Flood\nArea: Rhine"), rows);
    assert_eq!(shown("HOST=a b\nPORT=8000"), "- HOST: a b\n- PORT: 8000");
    // Parts with headings.
    assert_eq!(
        shown(
            "Weather for Bern\n\nWind: 5 km/h\nRain: 0\n\nSoon:\nMonday: dry\nTuesday: wet\n\n**Also**\nSnow: 1\nIce: 2"
        ),
        "Weather for Bern\n\n- Wind: 5 km/h\n- Rain: 0\n\n**Soon**\n\n- Monday: dry\n- Tuesday: wet\n\n**Also**\n\n- Snow: 1\n- Ice: 2"
    );
    // Tags, lists, and separated values.
    assert_eq!(shown("[DIR] src\n[FILE] a.txt"), "- DIR · src\n- FILE · a.txt");
    assert_eq!(shown("Allowed:\n/home/a b\n/tmp"), "## Allowed\n- /home/a b\n- /tmp");
    assert_eq!(shown("a,b\n1,2,3"), "- a,b\n- 1,2,3");
    assert_eq!(shown("/tmp/a.js\n/tmp/b.js"), "- /tmp/a.js\n- /tmp/b.js");
    let table = "| City | People |\n| --- | ---: |\n| Bern | 3 |\n| Zug, \"ZG\" | 4 |";
    assert_eq!(shown("city,people\r\nBern,3\r\n\"Zug, \"\"ZG\"\"\",4\r\n"), table);
    assert_eq!(shown("city\tpeople\nBern\t3\nZug, \"ZG\"\t4"), table);
    // JSON on each line, and between words.
    let rows = "| A | B |\n| ---: | --- |\n| 1 | x |\n| 2 | y |";
    let json = r#"[{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]"#;
    assert_eq!(shown("{\"a\": 1, \"b\": \"x\"}\n{'a': 2, 'b': 'y'}\n"), rows);
    assert_eq!(shown(&format!("Found two:\n{json}")), format!("## Found two\n\n{rows}"));
    assert_eq!(
        shown(&format!("Found.\n\n{json}\nSee more")),
        format!("Found.\n\n{rows}\n\nSee more")
    );
    assert_eq!(shown(&format!("Found\n```json\n{json}\n```")), format!("Found\n\n{rows}"));
    // Numbered lines with facts below, as some clients of databases write them; however they are separated.
    let rows = "| | URL | Age |\n| --- | --- | ---: |\n| 1. The Book | [a.example/b](<https://a.example/b>) | 3 |\n| 2. Notes | n | 4 |";
    for text in [
        "Found 2:\n\n1. The Book\n   URL: https://a.example/b\n   Age: 3\n\n2. Notes\n   URL: n\n   Age: 4",
        "1. The Book\nURL: https://a.example/b\nAge: 3\n\n2. Notes\nURL: n\nAge: 4",
        "1. **The Book**\n\tURL: https://a.example/b\n\tAge: 3\n2. Notes\n\tURL: n\n\tAge: 4",
    ] {
        let shown = shown(text).replace("|  |", "| |");
        assert!(shown.ends_with(rows), "{shown}");
    }
    let steps = "1. First: this\n2. Then: that";
    assert_eq!(types(&texts(&[steps])), ["Markdown"], "steps are no rows");
    assert_eq!(shown("🌡 Heat: 21 °C\n💧 Rain: 0"), "- 🌡 Heat: 21 °C\n- 💧 Rain: 0");
    for plain in [
        // Prose, and what is not as regular as data.
        "Dear Ada: hello\nHow are you",
        "Warning. Note: a\nThen: b",
        "one, two\nthree, four",
        "a: 1\nb: 2\nb: 3",
        "10:30 start\n11:00 end",
        "「a: b\n「c: d",
        "https://a.example: one\nhttps://b.example: two",
        "[a] one\ntwo",
        "one two\nthree",
        "Rows:\n[1] and so much more text that the array is not most of it, which makes it words",
    ] {
        let result = tree(&Value::Null, &texts(&[plain])).expect("a tree");
        let kinds: Vec<&str> = result["children"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|c| c["type"].as_str())
            .collect();
        assert!(kinds == ["Text"] || plain.starts_with("Rows"), "{plain}: {result}");
        assert!(shown(plain).contains(plain.lines().last().unwrap_or_default()), "{plain}");
    }
}

#[test]
fn objects_in_objects_like_them_are_a_tree() {
    let leaf = |name: &str| json!({"name": name, "type": "file"});
    let src = json!({"name": "src", "type": "dir", "children": [leaf("a.rs"), {"name": "b", "type": "dir", "children": []}]});
    let expected = "\
| Name | Type |
| --- | --- |
| src | dir |
| › a.rs | file |
| › b | dir |";
    assert_eq!(shown_data(json!({"tree": [src]})), expected);
    assert_eq!(shown_data(src.clone()), expected);
    // What it is called is a text, if there is one.
    let menu = json!({"id": 1, "label": "All", "below": [{"id": 2, "label": "Toys", "below": []}]});
    assert_eq!(shown_data(menu), "| Label | Id |\n| --- | ---: |\n| All | 1 |\n| › Toys | 2 |");
    // Rows of another kind are no tree.
    let order = json!({"name": "a", "lines": [{"sku": 1, "n": 2}, {"sku": 3, "n": 4}]});
    let text = shown_data(json!([order, order]));
    assert!(text.contains("| a | Sku: 1, N: 2; Sku: 3, N: 4 |"), "{text}");
    let many: Vec<Value> = (0..500).map(|n| leaf(&format!("f{n}"))).collect();
    assert!(
        shown_data(json!({"name": "src", "type": "dir", "children": many})).ends_with("\n+401")
    );
}

#[test]
fn texts_in_data_are_opened() {
    let text = shown_data(json!({"note": "ok", "result": "{\"files\": 3, \"bytes\": 120}"}));
    assert_eq!(text, "Note: ok\n\n**Result**\n\n- Files: 3\n- Bytes: 120");
    let picture = "data:image/png;base64,iVBORw0K";
    let result = structured(json!({"title": "Plot", "plot": picture}));
    let tree = tree(&Value::Null, &result).expect("a tree");
    assert!(tree.to_string().contains(r#""type":"Image""#), "{tree}");
    assert!(!shown(&result).contains("iVBORw0K"));
    assert!(
        shown_data(json!({"a": "data:image/png;base64,\" onerror=", "b": 1})).contains("onerror")
    );
    // The only key is data if it is no name.
    assert_eq!(shown_data(json!({"/tmp/book.xlsx": 4855})), "/tmp/book.xlsx: 4855");
}

#[test]
fn the_columns_of_wide_tables_are_those_with_values() {
    let row = |n: usize| -> Value {
        let mut row = json!({"gone": null, "body": "a\nb", "owner": {"id": n, "tags": [{"a": 1}]}, "self_url": "https://a.example/"});
        for at in 0..12 {
            row[format!("k{at}")] = json!(n);
        }
        row
    };
    let text = shown_data(json!([row(1), row(2)]));
    let head = text.lines().next().unwrap_or_default();
    assert!(head.starts_with("| K0 | K1 |") && head.ends_with("| K11 | +4 |"), "{head}");
    let nested = |n: usize| json!({"a": n, "b": {"c": n, "d": n}, "e": {"f": n, "g": n}, "h": 1, "i": 2, "j": 3, "k": 4});
    let text = shown_data(json!([nested(1), nested(2)]));
    let head = text.lines().next().unwrap_or_default();
    assert_eq!(head, "| A | B: C | B: D | E | H | I | J | K |");
}

#[test]
fn terminal_colours_and_control_characters_are_not_shown() {
    let text = shown(&texts(&["\u{1b}[1;32mok\u{1b}[0m\u{7}\r\nnext\u{1b}["]));
    assert_eq!(text, "- ok\n- next");
}

#[test]
fn an_error_is_marked() {
    let mut result = texts(&["Connection refused"]);
    result["isError"] = json!(true);
    assert_eq!(shown(&result), "⚠\u{fe0e} Connection refused");
    let tool = json!({"title": "Query"});
    assert_eq!(shown_by(&tool, &result), "## ⚠\u{fe0e} Query\nConnection refused");
    let mut result = structured(json!({"code": 42, "message": "no such table"}));
    result["isError"] = json!(true);
    assert_eq!(
        shown_by(&tool, &result),
        "## ⚠\u{fe0e} Query\n- Code: 42\n- Message: no such table"
    );
    assert_eq!(types(&result), ["Icon", "Row", "Row"]);
}

#[test]
fn pictures_and_files_stand_beside_the_rest() {
    let result = json!({"structuredContent": {"a": 1, "b": 2}, "content": [
        {"type": "text", "text": "{\"a\":1,\"b\":2}"},
        {"type": "image", "data": "iVBORw0K", "mimeType": "image/png"},
        {"type": "image", "data": "\" onerror=", "mimeType": "image/png"},
        {"type": "audio", "data": "AAAA", "mimeType": "audio/wav"},
        {"type": "resource_link", "uri": "https://example.com/r_1.pdf", "name": "r_1.pdf",
         "title": "Report [1]", "mimeType": "application/pdf", "size": 123_456},
        {"type": "resource_link", "uri": "file:///notes.txt", "name": "notes", "description": "My notes"},
        {"type": "resource", "resource": {"uri": "db://blob", "blob": "AAAA"}},
        {"type": "hologram", "data": "?"},
    ]});
    let text = shown(&result);
    let expected = "\
- A: 1
- B: 2

(image/png · 6 B)

- image/png · 6 B
- audio/wav · 3 B
- [Report \\[1\\]](<https://example.com/r_1.pdf>)  \n  application/pdf · 123 kB
- notes  \n  My notes  \n  file:///notes.txt
- db://blob  \n  3 B";
    assert_eq!(text, expected);
    let picture =
        json!({"content": [{"type": "image", "data": "iVBORw0K", "mimeType": "image/png"}]});
    let tree = tree(&Value::Null, &picture).expect("a tree");
    assert_eq!(tree["children"][0]["children"][0]["src"], "data:image/png;base64,iVBORw0K");
    assert!(on("terminal", &picture).contains("image/png"));
    assert!(on("slack-blocks", &picture).contains("image/png"));
}

#[test]
fn texts_of_resources_are_read_and_pages_are_files() {
    let resource = |uri: &str, mime: &str, text: &str| json!({"content": [{"type": "resource", "resource": {"uri": uri, "mimeType": mime, "text": text}}]});
    let rows = resource("db://rows", "application/json", r#"[{"a": 1, "b": 2}, {"a": 3, "b": 4}]"#);
    assert!(shown(&rows).contains("| 3 | 4 |"));
    let page = resource("https://example.com/", "text/html", "<p>Hello</p>");
    assert_eq!(shown(&page), "[https://example.com/](<https://example.com/>)\n\ntext/html · 12 B");
    // The server has made a view of its own.
    assert_eq!(tree(&Value::Null, &resource("ui://app/1", "text/html", "<p>Hello</p>")), None);
}

#[test]
fn links_lead_where_they_say() {
    let link = |url: &str| shown_data(json!({"a": url, "b": 1, "c": 2}));
    assert!(
        link("https://example.com/a_(b)")
            .contains("[example.com/a\\_\\(b\\)](<https://example.com/a_%28b%29>)")
    );
    for text in
        ["https://", "https://a b", "https://a>b", "javascript:alert(1)", "see https://a.example"]
    {
        assert!(!link(text).contains("]("), "{text}");
    }
}

#[test]
fn content_for_the_model_alone_is_not_shown() {
    let block = |text: &str, audience: Value| json!({"type": "text", "text": text, "annotations": {"audience": audience}});
    let result = json!({"content": [
        block("For both", json!(["user", "assistant"])),
        block("For the model", json!(["assistant"])),
        block("For people", json!(["user"])),
    ]});
    let text = shown(&result);
    assert!(text.contains("For both") && text.contains("For people"), "{text}");
    assert!(!text.contains("the model"), "{text}");
}

#[test]
fn numbers_have_the_digits_that_people_read() {
    let text = shown_data(
        json!({"mean": 2.333_333_333_333_333_5, "at": 46.947_975, "tiny": 1.234_567_89e-7, "n": 12_345_678_901_234_567_u64}),
    );
    assert_eq!(
        text,
        "- Mean: 2.333333\n- At: 46.947975\n- Tiny: 1.23456789e-7\n- N: 12345678901234567"
    );
}

#[test]
fn times_are_written_for_people() {
    let time = |text: &str| super::text::readable(text).into_owned();
    assert_eq!(time("2026-11-18T11:04:36.120Z"), "2026-11-18 11:04:36.12 UTC");
    assert_eq!(time("2026-11-18T11:04:36+00:00"), "2026-11-18 11:04:36 UTC");
    assert_eq!(time("2026-11-18 11:04+0530"), "2026-11-18 11:04 +0530");
    for text in [
        "2026-11-18",
        "2026-11-18T11:04:36x",
        "2026-11-18T11:0é",
        "11:04",
        "2026-11-18T11:04 later",
    ] {
        assert_eq!(time(text), text);
    }
}

#[test]
fn python_writes_literals() {
    let parse = |text: &str| python::parse(text);
    assert_eq!(
        parse(r#"[{'a': None, "b's": (1, -2.5e3), 3: {True, False}}, 'x\'\n\x41\u00e9', ]"#),
        Some(json!([{"a": null, "b's": [1, -2500.0], "3": [true, false]}, "x'\nAé"])),
    );
    assert_eq!(
        parse("[Decimal('1.50'), datetime.date(2026, 1, 2), datetime.datetime(2026, 1, 2, 3, 4)]"),
        Some(json!(["1.50", "2026-01-02", "2026-01-02T03:04:00.000000"])),
    );
    assert_eq!(
        parse(
            r#"[{"a": NaN, "b": true, "c": null, "d": -Infinity, "e": "\ud83d\ude00\/"}, {'a': nan, 'b': inf}]"#
        ),
        Some(
            json!([{"a": null, "b": true, "c": null, "d": "-∞", "e": "😀/"}, {"a": null, "b": "∞"}])
        ),
    );
    for text in [
        "",
        "['\\ud83d\\u0041']",
        "[-x]",
        "[",
        "[1",
        "[1,,2]",
        "[,]",
        "{'a': 1",
        "{'a': 1, 2}",
        "['a",
        "['a\nb']",
        "[x]",
        "f()",
        "[1] 2",
        "[DIR] src",
        "['\\q']",
        "[open('a', 'b')]",
        "[--1]",
        "['\\u12']",
        "[nun]",
    ] {
        assert_eq!(parse(text), None, "{text}");
    }
    assert_eq!(parse(&"[".repeat(100_000)), None);
    assert_eq!(parse(&"{".repeat(100_000)), None);
}

/// Data that reaches every bound at once, in the widest characters, and images in the room that is left.
#[test]
fn the_largest_trees_are_within_limits() {
    let wide = |length: usize| "🦀".repeat(length);
    let object = |keys: usize, value: &dyn Fn(usize) -> Value| -> Value {
        (0..keys).map(|at| (format!("{at}{}", wide(60)), value(at))).collect()
    };
    let table = |rows: usize, cell: Value| json!(vec![object(13, &|_| cell.clone()); rows]);
    let url = json!(format!("https://example.com/{}", "*".repeat(270)));
    // Of different lengths, because objects with the same keys are rows of a table.
    let section = |at| object(13 + at, &|_| table(9, json!(wide(121))));
    let mut deep = json!(wide(200));
    for _ in 0..60 {
        deep = json!({"a": [deep], "b": 1});
    }
    for data in [
        table(101, json!(wide(121))),
        table(101, url),
        object(13, &|_| json!(wide(2_100))),
        object(101, &|_| json!(wide(50))),
        json!(vec![wide(501); 101]),
        deep,
    ] {
        assert!(!shown_data(data).is_empty());
    }
    let picture = json!({"type": "image", "data": "A".repeat(1 << 20), "mimeType": "image/png"});
    let sections = object(13, &section);
    let result = json!({"structuredContent": sections, "content": vec![picture; 5]});
    assert!(shown(&result).contains("image/png"));

    let block =
        json!({"a": table(9, json!(wide(121))), "b": object(13, &|at| json!({"a": [at, at]}))});
    let (block, long) = (block.to_string(), wide(40_001));
    // With first keys of their own, they are no rows of one table.
    let blocks = (0..8).map(|at| block.replacen("\"a\"", &format!("\"k{at}\""), 1));
    let blocks: Vec<String> = std::iter::once(long.clone()).chain(blocks).collect();
    let blocks: Vec<&str> = blocks.iter().map(String::as_str).collect();
    assert!(shown(&texts(&blocks)).ends_with("+1"));
    assert!(!shown(&texts(&[&long])).is_empty());
}

/// JSON whose scalars are all different, so that each of them can be looked for.
fn data(depth: u32) -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!(0)),
        Just(json!("")),
        Just(json!(true)),
        Just(json!(false)),
        Just(Value::Null)
    ];
    let any = leaf.prop_recursive(depth, 60, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec(
                (prop::sample::select(&["id", "unitPrice", "a_b", "n"][..]), inner),
                0..6
            )
            .prop_map(Value::from_iter),
        ]
    });
    any.prop_map(|mut value| {
        number(&mut value, &mut 100);
        value
    })
}

/// Replaces each number and string with a distinct value.
fn number(value: &mut Value, next: &mut usize) {
    match value {
        Value::Number(_) | Value::String(_) => {
            *next += 1;
            *value = if value.is_number() { json!(*next) } else { json!(format!("s{next}e")) };
        }
        Value::Array(items) => items.iter_mut().for_each(|item| number(item, next)),
        Value::Object(members) => members.values_mut().for_each(|member| number(member, next)),
        _ => {}
    }
}

fn scalars(value: &Value) -> Vec<String> {
    match value {
        Value::Number(number) => vec![number.to_string()],
        Value::String(text) => vec![text.clone()],
        Value::Array(items) => items.iter().flat_map(scalars).collect(),
        Value::Object(members) => members.values().flat_map(scalars).collect(),
        _ => Vec::new(),
    }
}

/// A value as Python prints it.
fn repr(value: &Value) -> String {
    let list = |items: &[Value]| items.iter().map(repr).collect::<Vec<_>>().join(", ");
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::String(text) => format!("'{text}'"),
        Value::Array(items) => format!("[{}]", list(items)),
        Value::Object(members) => {
            let member = |(key, value): (&String, &Value)| format!("'{key}': {}", repr(value));
            format!("{{{}}}", members.iter().map(member).collect::<Vec<_>>().join(", "))
        }
        number => number.to_string(),
    }
}

proptest! {
    #[test]
    fn all_data_is_shown_or_counted(data in data(4)) {
        let text = shown_data(data.clone());
        let expected = scalars(&data);
        let missing: Vec<&String> = expected.iter().filter(|scalar| !text.contains(*scalar)).collect();
        let is_line = text.is_empty() && expected.len() < 2;
        let is_counted = has_count(&text);
        prop_assert!(missing.is_empty() || is_line || is_counted, "{missing:?}\n{data}\n{text}");
    }

    #[test]
    fn all_of_shallow_data_is_shown(data in data(2)) {
        let text = shown_data(data.clone());
        let expected = scalars(&data);
        if !text.is_empty() || expected.len() > 1 {
            let missing: Vec<&String> = expected.iter().filter(|s| !text.contains(*s)).collect();
            prop_assert!(missing.is_empty() && !has_count(&text), "{missing:?}\n{data}\n{text}");
            let json = data.to_string();
            for (word, sign) in [("true", '✓'), ("false", '✗')] {
                prop_assert!(text.matches(sign).count() >= json.matches(word).count(), "{data}\n{text}");
            }
        }
    }

    #[test]
    fn python_and_json_read_alike(data in data(4)) {
        prop_assert_eq!(python::parse(&repr(&data)), Some(data));
    }

    #[test]
    fn any_text_is_accepted(text in "\\PC{0,20}|[\\[\\](){}'\", :0-9a-zN#`|\n -]{0,40}|.{0,300}", is_error: bool) {
        shown(&json!({"content": [{"type": "text", "text": text}], "isError": is_error}));
        shown(&structured(json!({&text: [&text, {"a": &text}], "b": {&text: &text, "c": [[&text]]}})));
        python::parse(&text);
    }

    #[test]
    fn any_result_is_accepted(result in data(4), tool in data(4), content in data(4), schema in data(4)) {
        let tool = json!({"title": tool, "outputSchema": schema, "annotations": result});
        shown_by(&tool, &result);
        shown_by(&tool, &json!({"content": [content, {"type": "image", "data": result}], "structuredContent": result}));
    }
}

/// Whether a note says how much was left out: a plus sign before a number.
fn has_count(text: &str) -> bool {
    text.split('+').skip(1).any(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}
