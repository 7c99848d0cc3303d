//! `[views]`: widgets that draw results of another shape, and recordings of results.

use proptest::prelude::*;
use serde_json::{Value, json};
use widgetcast::{App, Catalog};
use widgetcast_core::{CheckOptions, Severity};
use widgetcast_wrap::{Recording, ViewConfig, ViewMap, Wrap, suggest};

use crate::Client;
use crate::pipe::shell;

/// Shows places, each with a button that calls a tool of the server.
const PLACES: &str = r#"
version: "1.0"
name: Places
jsonSchema:
  type: object
  properties:
    places: {type: array, items: {type: object, properties: {name: {type: string}}, required: [name]}}
  required: [places]
widget:
  type: Card
  children:
    - for: place in places
      type: Row
      children:
        - {type: Text, value: "Place {{ place.name }}"}
        - {type: Button, label: Show, onClickAction: {type: rows, payload: {name: "{{ place.name }}"}}}
"#;

fn app() -> App {
    App::new("tests", "1.0.0")
        .catalog(Catalog::from_static(&[("places.widget", PLACES)]))
        .build()
        .unwrap()
}

fn map(entries: Value) -> ViewMap {
    let entries: std::collections::BTreeMap<String, ViewConfig> =
        serde_json::from_value(entries).unwrap();
    ViewMap::new(entries).unwrap()
}

/// The map of the tool `rows`, whose result has `rows` with `city`.
fn mapped() -> ViewMap {
    let data = r#"{"places": [{% for row in result.rows %}{"name": {{ row.city | tojson }}}{{ "," if not loop.last }}{% endfor %}]}"#;
    map(json!({ "rows": { "widget": "places", "data": data } }))
}

async fn call(client: &mut Client, id: u32, tool: &str) -> Value {
    let answer = client.ask(id, "tools/call", json!({ "name": tool })).await;
    answer["result"]["_meta"]["widgetcast/view"]["tree"].clone()
}

#[tokio::test]
async fn a_mapped_tool_is_drawn_by_its_widget_whose_actions_call_the_server() {
    let views = mapped();
    let mut client = Client::of(Wrap::new(app(), shell()).views(views.clone()));
    client.shake_hands().await;
    client.ask(1, "tools/list", json!({})).await;
    let tree = call(&mut client, 2, "rows").await;
    assert_eq!(tree["children"][1]["children"][0]["value"], "Place Basel", "{tree}");
    // The button of a view calls the tool of the server as any client does; Slack marks the name of the
    // second button to tell it from the first.
    let action = &tree["children"][1]["children"][1]["onClickAction"];
    assert_eq!(action["type"], "rows");
    assert_eq!(call(&mut client, 3, "rows#2").await, tree);
    let unknown = client.ask(4, "tools/call", json!({ "name": "missing#2" })).await;
    assert_eq!(unknown["error"]["code"], -32601, "a name that means no tool goes on as it is");

    // Another map takes effect with the next result, in sessions that are open.
    views.replace(&map(json!({ "rows": false })));
    assert_eq!(call(&mut client, 5, "rows").await, Value::Null);
    let listed = client.ask(6, "tools/list", json!({})).await;
    assert_eq!(listed["result"]["tools"][0].get("_meta"), None, "{listed}");
    // What the widget does not draw gets its automatic view.
    views.replace(&map(json!({ "rows": "places" })));
    let tree = call(&mut client, 7, "rows").await.to_string();
    assert!(tree.contains("Table") && !tree.contains("Place Basel"), "{tree}");
    client.leave().await;
}

#[test]
fn mistakes_in_a_map_are_named() {
    let catalog = Catalog::from_static(&[("places.widget", PLACES)]);
    let missing = map(json!({ "a": "placs", "b": "places", "c": false })).missing_widgets(&catalog);
    let missing: Vec<String> = missing.iter().map(ToString::to_string).collect();
    assert_eq!(missing, ["[views.a]: unknown widget placs; did you mean places?"]);
    let entry = serde_json::from_value(json!({ "a": { "widget": "w", "data": "{{ x" } })).unwrap();
    let error = ViewMap::new(entry).unwrap_err().to_string();
    assert!(error.starts_with("[views.a]: `data`: "), "{error}");
    for wrong in [json!(true), json!(7), json!({ "data": "{}" }), json!({ "widget": "w", "x": 1 })]
    {
        assert!(serde_json::from_value::<ViewConfig>(wrong.clone()).is_err(), "{wrong}");
    }
}

#[test]
fn the_readings_of_a_result_are_tried_from_the_outside_in() {
    let catalog = Catalog::from_static(&[("places.widget", PLACES)]);
    let draw = |views: &ViewMap, result: Value| {
        views.render(&catalog, "rows", &result).map(|drawn| drawn.map(|view| view.text()))
    };
    let rows = r#"{"rows":[{"city":"Bern"}]}"#;
    let text = |text: &str| json!({ "content": [{ "type": "text", "text": text }] });
    for result in [
        text(rows),
        json!({ "content": [], "structuredContent": { "result": rows } }),
        json!({ "content": [], "structuredContent": { "data": { "rows": [{ "city": "Bern" }] } } }),
    ] {
        let drawn = draw(&mapped(), result.clone()).unwrap().unwrap();
        assert!(drawn.contains("Place Bern"), "{result}: {drawn}");
    }
    // A template can use the text of a result that has no data.
    let of_text =
        json!({ "widget": "places", "data": r#"{"places": [{"name": {{ result | tojson }}}]}"# });
    let of_text = map(json!({ "rows": of_text }));
    assert!(draw(&of_text, text("Chur")).unwrap().unwrap().contains("Place Chur"));
    let mut failed = text("Chur");
    failed["isError"] = json!(true);
    assert!(draw(&of_text, failed).is_none(), "a widget does not draw errors");
    let no_object = map(json!({ "rows": { "widget": "places", "data": "[]" } }));
    let why = draw(&no_object, text("Chur")).unwrap().unwrap_err();
    assert!(why.contains("`data` must write a JSON object"), "{why}");
    // Without a template, an array is the member `items`.
    let list = Catalog::from_static(&[(
        "rows.widget",
        "version: '1.0'\nname: Rows\njsonSchema: {type: object, properties: {items: {type: array, items: {}}}, \
         required: [items]}\nwidget: {type: Card, children: [{type: Text, value: '{{ items | length }} rows'}]}\n",
    )]);
    let drawn = ViewMap::default().render(&list, "rows", &text("[1, 2, 3]")).unwrap().unwrap();
    assert_eq!(drawn.text(), "3 rows");
}

#[tokio::test]
async fn results_are_recorded_once_and_without_what_was_asked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("recordings");
    let mut client = Client::of(Wrap::new(app(), shell()).record(&path).unwrap());
    client.shake_hands().await;
    client.ask(1, "tools/list", json!({})).await;
    for id in 2..5 {
        let secret = json!({ "name": "rows", "arguments": { "key": "hunter2" } });
        client.ask(id, "tools/call", secret).await;
    }
    client.leave().await;
    let read = Recording::read_all(&path).unwrap();
    let [(file, Ok(recording))] = &read[..] else { panic!("{read:?}") };
    assert_eq!(file.file_name().unwrap(), "rows-1.json");
    assert_eq!(recording.tool_name(), "rows");
    assert_eq!(recording.result["structuredContent"]["rows"][1]["city"], "Basel");
    let text = std::fs::read_to_string(file).unwrap();
    assert!(!text.contains("hunter2") && !text.contains("theirs"), "{text}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }
    // It is known in the next session, too; what is no recording is an error of its own.
    std::fs::write(path.join("x.json"), "{").unwrap();
    let mut client = Client::of(Wrap::new(app(), shell()).record(&path).unwrap());
    client.shake_hands().await;
    client.ask(1, "tools/list", json!({})).await;
    client.ask(2, "tools/call", json!({ "name": "rows" })).await;
    client.leave().await;
    let read = Recording::read_all(&path).unwrap();
    assert_eq!(read.iter().map(|(_, read)| read.is_ok()).collect::<Vec<_>>(), [true, false]);
}

/// What a draft for these results is, once a strict check has nothing against it and each result is drawn.
fn drafted(tool: &Value, results: &[Value]) -> Option<String> {
    let text = suggest(tool, &results.iter().collect::<Vec<_>>())?;
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("draft.widget"), &text).unwrap();
    let catalog = Catalog::from_dir(folder.path()).unwrap();
    let mut findings = widgetcast_core::check(&catalog, &CheckOptions::strict(), &|_| {});
    findings.retain(|finding| finding.severity > Severity::Note);
    let shown: Vec<String> = findings.iter().map(|found| format!("{:#}", found.error)).collect();
    assert!(shown.is_empty(), "{}\n{text}", shown.join("\n"));
    for result in results {
        let name = tool["name"].as_str().unwrap();
        let drawn = ViewMap::default().render(&catalog, name, result).expect("a widget");
        assert!(drawn.is_ok(), "{}\n{result}\n{text}", drawn.unwrap_err());
    }
    Some(text)
}

fn result(data: &Value) -> Value {
    json!({ "content": [{ "type": "text", "text": data.to_string() }], "structuredContent": data })
}

#[test]
fn a_draft_has_a_table_facts_and_sections() {
    let tool = json!({ "name": "list_orders", "title": "Orders", "outputSchema": { "type": "object",
        "properties": { "count": { "type": "integer", "title": "How many" } } } });
    let first = json!({ "count": 2, "open": true, "note": null, "tags": ["a", "b"],
        "orders": [{ "id": 7, "unit price": 1.5, "who": { "name": "Ada" } }, { "id": 8, "unit price": 2 }],
        "shop": { "name": "North", "address": { "city": "Bern" } }, "text": "# Title\n\n- one\n- two" });
    let second = json!({ "count": 0, "open": false, "note": "later", "tags": [], "orders": [],
        "shop": { "name": "South", "address": { "city": "Chur" } }, "text": "plain" });
    let text = drafted(&tool, &[result(&first), result(&second)]).unwrap();
    for part in [
        "tool: list_orders",
        "value: How many",
        "for: \"row in orders[:100]\"",
        "{{ row[\\\"unit price\\\"] }}",
        "type: Markdown",
        "value: \"{{ shop.address.city }}\"",
        "if note is not blank",
        "required: [count, open, tags, orders, shop, text]",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    // Data in text, an array, and a matrix.
    for data in [json!([{ "a": 1 }, { "a": 2 }]), json!({ "rows": [[1, "x"], [2, "y"]] })] {
        let written = json!({ "content": [{ "type": "text", "text": data.to_string() }] });
        let text = drafted(&tool, &[written]).unwrap();
        // The heading of the card is that of the only section.
        assert!(text.contains("Table") && !text.contains("semibold"), "{text}");
    }
    let rows = |rows| result(&json!({ "rows": rows }));
    let text = drafted(&tool, &[rows(json!([])), rows(json!([{ "a": "Ada" }]))]).unwrap();
    assert!(text.contains("a: Ada"), "{text}");
    // In a cell, the entries of a list are named.
    let parts = json!([{ "count": 2, "sku": "MUG" }, { "count": 1, "sku": "PIN" }]);
    let text =
        drafted(&tool, &[rows(json!([{ "id": 1, "parts": parts }, { "id": 2, "parts": [] }]))]);
    let text = text.unwrap();
    assert!(text.starts_with("# Drafted from 1 recorded result of list_orders."), "{text}");
    assert!(text.contains("row.parts | map(attribute=\\\"sku\\\") | join("), "{text}");
    let line = json!({ "content": [{ "type": "text", "text": "Done." }] });
    assert_eq!(drafted(&tool, &[line]), None);
}

/// JSON of any shape: keys that are no identifiers or mean something in templates, and hostile texts.
fn data(depth: u32) -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        any::<f32>().prop_filter("finite", |n| n.is_finite()).prop_map(Value::from),
        "[ -~]{0,12}".prop_map(Value::from),
        "\\PC{0,80}".prop_map(Value::from),
        Just(Value::from("{{ x }} {% if %} **b** <b> ${y}")),
    ];
    let key = prop_oneof![
        "[a-z_]{1,6}",
        "\\PC{1,6}",
        prop::sample::select(
            &["items", "loop", "range", "row", "item", "more", "if", "a b", "None"][..]
        )
        .prop_map(str::to_owned),
    ];
    scalar.prop_recursive(depth, 24, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((key.clone(), inner), 0..5)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_draft_passes_a_strict_check_and_draws_every_recording(
        name in "[a-zA-Z][a-zA-Z0-9_ -]{0,10}",
        all in prop::collection::vec(data(4), 1..4),
    ) {
        let objects = all.iter().filter(|data| data.is_object() || data.is_array());
        let results: Vec<Value> = objects
            .map(|data| json!({ "content": [{ "type": "text", "text": data.to_string() }] }))
            .collect();
        drafted(&json!({ "name": name }), &results);
    }
}
