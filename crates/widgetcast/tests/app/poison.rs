//! Widget files that would make clients refuse the whole list, or take the place of something else.

use serde_json::{Value, json};
use widgetcast::App;
use widgetcast::Catalog;

use crate::talk::{MODERN, ask};

fn widget(name: &str, schema: &str) -> String {
    let template = r#"{"type":"Card","children":[{"type":"Text","value":"x"}]}"#;
    let text = json!({"version": "1.0", "name": name, "template": template, "jsonSchema": 0});
    text.to_string().replace(r#""jsonSchema":0"#, &format!(r#""jsonSchema":{schema}"#))
}

/// A template that uses `a.a.a.…`, from which the schema is inferred.
fn deep_use() -> String {
    let path = vec!["a"; 100].join(".");
    let template = format!(
        r#"{{"type":"Card","children":[{{"type":"Text","value":{{{{ {path} | tojson }}}}}}]}}"#
    );
    json!({"version": "1.0", "name": "Deep Use", "template": template}).to_string()
}

/// Each of these files is left out alone, with a finding, and the others are served.
#[tokio::test]
async fn a_file_cannot_spoil_the_list() {
    let object = r#"{"type":"object"}"#;
    let number = format!(
        r#"{{"type":"object","properties":{{"n":{{"type":"number","minimum":1{}}}}}}}"#,
        "0".repeat(400)
    );
    let nested = (0..100).fold("true".to_owned(), |inner, _| format!(r#"{{"items":{inner}}}"#));
    let nested = format!(r#"{{"type":"object","properties":{{"n":{nested}}}}}"#);
    let key = format!(r#"{{"type":"object","properties":{{"{}":{{}}}}}}"#, "k".repeat(100_000));
    let surrogate = r#"{"type":"object","title":"\ud800"}"#;
    let described = widget("Described", object)
        .replace(r#""version""#, &format!(r#""description":"{}","version""#, "d".repeat(20_000)));
    let files = [
        ("number", widget("Number", &number)),
        ("nested", widget("Nested", &nested)),
        ("key", widget("Key", &key)),
        ("surrogate", widget("Surrogate", surrogate)),
        ("long", widget(&"long".repeat(25_000), object)),
        ("described", described),
        ("state", widget("Widgetcast State", object)),
        ("deep", deep_use()),
        ("good", widget("Good", object)),
        ("last", widget("Last", object)),
    ];
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in &files {
        std::fs::write(dir.path().join(format!("{name}.widget")), text).unwrap();
    }
    let app = App::new("tests", "1.0.0").widgets(dir.path()).build().unwrap();
    app.check_widgets();
    let list = ask(&app, MODERN, "tools/list", json!({})).await;
    let tools = list["result"]["tools"].as_array().unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["good", "last"]);
    assert!(depth(&list) <= 64, "{}", depth(&list));
    // The state of views is still what this name stands for.
    let state = json!({ "name": "widgetcast_state", "arguments": {} });
    let answer = ask(&app, MODERN, "tools/call", state).await;
    assert!(answer.to_string().contains("view"), "{answer}");

    let catalog = Catalog::from_dir(dir.path()).unwrap();
    let mut found: Vec<(String, &str)> = catalog
        .findings()
        .map(|finding| {
            let file = finding.error.place().file.as_deref().unwrap();
            let stem = file.file_stem().unwrap().to_str().unwrap();
            (stem.to_owned(), finding.error.kind().code())
        })
        .collect();
    found.sort();
    let expected = [
        ("deep", "schema-portable"),
        ("described", "field-size"),
        ("key", "schema-portable"),
        ("long", "field-size"),
        ("nested", "schema-portable"),
        ("number", "schema-portable"),
        ("state", "name-reserved"),
        ("surrogate", "schema-portable"),
    ];
    assert_eq!(found, expected.map(|(file, code)| (file.to_owned(), code)));
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Object(members) => 1 + members.values().map(depth).max().unwrap_or(0),
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}
