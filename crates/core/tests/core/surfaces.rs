//! Every surface for every case, and the way back.
//!
//! `fixtures/cases/<widget>/<case>/args.json` goes in; one file per surface is expected. A missing
//! and an orphaned file fail; `WIDGETCAST_BLESS=1` rewrites them.

use std::path::{Path, PathBuf};

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::shared;
use widgetcast_core::extract::{Part, extract};
use widgetcast_core::slack;
use widgetcast_core::surface::mcp_apps::resource_domains;
use widgetcast_core::surface::page::Page;
use widgetcast_core::{
    Catalog, Presentation, Reply, SURFACES, Surface, ToolMeta, View, Widget, adaptive,
};

/// Calls `f` with each case: its directory, its widget and its view.
fn each_case(f: &mut dyn FnMut(&Path, &Widget, &View)) {
    let gallery = Catalog::from_dir(shared::project("crates/cli/widgets")).unwrap();
    let anything = Catalog::from_file(shared::project("fixtures/anything.widget"));
    let cases = shared::project("fixtures/cases");
    let mut seen = 0;
    for folder in folders(&cases) {
        let name = folder.file_name().unwrap().to_str().unwrap();
        let widget = gallery.get(name).or_else(|| anything.get(name));
        let widget = widget.unwrap_or_else(|| panic!("{name} is no widget"));
        for case in folders(&folder) {
            let view = widget.render(&shared::json(&case.join("args.json"))).unwrap();
            f(&case, widget, &view);
            seen += 1;
        }
    }
    for widget in gallery.widgets() {
        assert!(
            cases.join(widget.tool_name()).join("sample").is_dir(),
            "{} has no case",
            widget.tool_name()
        );
    }
    assert!(seen > 30);
}

fn folders(of: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir(of)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect();
    found.sort();
    found
}

#[test]
fn every_surface_of_every_case() {
    let page = Page::new("view", "<!doctype html>");
    let mut faults = Vec::new();
    each_case(&mut |case, widget, view| {
        let mut presentation = Presentation::new(widget.tool_name(), "case", view);
        presentation.page = Some(&page);
        let mut expected = vec!["args.json".to_owned()];
        for surface in SURFACES {
            let file = format!("{}.{}", surface.name, surface.file_extension);
            let mut text = (surface.render)(&presentation);
            text.truncate(text.trim_end().len());
            if text.is_empty() {
                continue;
            }
            faults.extend(shared::expect(&case.join(&file), &(text + "\n")).err());
            expected.push(file);
        }
        for entry in std::fs::read_dir(case).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            if !expected.contains(&name) {
                faults.push(format!("{}: nobody writes {name}", case.display()));
            }
        }
    });
    assert!(faults.is_empty(), "{} files differ, the first:\n{:.2000}", faults.len(), faults[0]);
}

/// Views of the gallery, of the hard cases and, where it lies beside us, of the corpus.
pub(crate) fn all_views() -> Vec<(String, View)> {
    let mut views = Vec::new();
    each_case(&mut |case, widget, view| {
        let case = case.file_name().unwrap().to_str().unwrap();
        views.push((format!("{}/{case}", widget.tool_name()), view.clone()));
    });
    let corpus = shared::folder("corpus");
    if corpus.is_dir() {
        for file in shared::files(&corpus.join("widgets"), "widget") {
            let stem = file.file_stem().unwrap().to_str().unwrap();
            let input = shared::json(&corpus.join("input").join(format!("{stem}.json")));
            let catalog = Catalog::from_file(&file);
            let view = catalog.widgets().next().unwrap().render_unvalidated(&input).unwrap();
            views.push((stem.to_owned(), view));
        }
    }
    views
}

/// Markdown joins a line with the one above, unless something keeps them apart.
#[test]
fn no_line_of_the_text_is_joined_with_the_next() {
    use pulldown_cmark::{Event, Options, Parser};
    let mut texts = 0;
    for (name, view) in all_views() {
        // What a Markdown component says is its author's, and a text of several lines that of the data.
        if view.json().contains(r#""type":"Markdown""#) || view.json().contains("\\n") {
            continue;
        }
        texts += 1;
        let text = view.text();
        let mut events = Parser::new_ext(&text, Options::ENABLE_TABLES);
        assert!(!events.any(|event| event == Event::SoftBreak), "{name}:\n{text}");
    }
    assert!(texts > 40, "{texts}");
}

#[test]
fn what_is_presented_can_be_read_back() {
    let page = Page::new("view", "<!doctype html>");
    for (name, view) in all_views() {
        let mut presentation = Presentation::new("tool", "id", &view);
        presentation.page = Some(&page);
        let mut reply = Reply::default();
        for surface in SURFACES {
            (surface.present)(&presentation, &mut reply);
        }
        let found = extract(&reply.to_json());
        let (tree, copy) = found.widget().unwrap_or_else(|| panic!("{name} has no widget"));
        assert_eq!(tree, presentation.tree(), "{name}");
        assert_eq!(copy.unwrap_or_default(), presentation.text(), "{name}");
        let drawn: Value =
            serde_json::from_str(&(slack::BLOCKS_SURFACE.render)(&presentation)).unwrap();
        let blocks = drawn["blocks"].as_array().unwrap();
        let mut seen = [false; 3];
        for part in &found.parts {
            match part {
                Part::MetaTree { tree, .. } => seen[0] |= tree == presentation.tree(),
                Part::SlackBlocks { blocks: read, .. } => seen[1] |= read == blocks,
                Part::McpApp { uri, .. } => seen[2] |= *uri == page.uri,
                _ => {}
            }
        }
        seen[1] |= blocks.is_empty();
        assert_eq!(seen, [true; 3], "{name}: {:#?}", found.reasons);
        assert_eq!(found.text, presentation.text(), "{name}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever the words are, each surface carries them there and back.
    #[test]
    fn any_words_come_back(words in prop::collection::vec(".{1,60}", 1..6)) {
        let catalog = Catalog::from_file(shared::project("fixtures/anything.widget"));
        let children: Vec<Value> = words.iter().map(|word| json!({"type": "Text", "value": word})).collect();
        let view = catalog.get("anything").unwrap().render(&json!({"tree": {"type": "Card", "children": children}})).unwrap();
        let presentation = Presentation::new("tool", "id", &view);
        let mut reply = Reply::default();
        for surface in SURFACES {
            (surface.present)(&presentation, &mut reply);
        }
        prop_assert!(slack::validate(&slack::blocks(presentation.tree()).0).is_empty());
        let found = extract(&reply.to_json());
        let read: Vec<&str> = found.widget().unwrap().0["children"].as_array().unwrap().iter()
            .filter_map(|child| child["value"].as_str()).collect();
        prop_assert_eq!(read, words.iter().map(String::as_str).collect::<Vec<_>>());
    }
}

/// Model tokens are what a view must not cost.
#[test]
fn a_view_adds_next_to_nothing_for_the_model() {
    let page = Page::new("view", "<!doctype html>");
    let mut most = 0;
    for (name, view) in all_views() {
        let mut presentation = Presentation::new("tool", "id", &view);
        presentation.page = Some(&page);
        let mut reply = Reply::default();
        for surface in ["text", "mcp-apps", "chatgpt"] {
            (Surface::find(surface).unwrap().present)(&presentation, &mut reply);
        }
        let visible: usize = reply.content.iter().map(|item| item.to_string().len()).sum();
        let added = visible - Value::from(presentation.text()).to_string().len();
        assert!(added <= 200, "{name}: {added} bytes");
        most = most.max(added);
    }
    println!("at most {most} bytes beside the text");
}

#[test]
fn hydration_in_the_words_of_the_pipeline() {
    let dir = std::env::temp_dir().join(format!("widgetcast-hydrate-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let write = |name: &str, text: &str| std::fs::write(dir.join(name), text).unwrap();
    write("weatherCurrent.widget", &json!({
        "version": "1.0", "name": "weatherCurrent", "copy_text": "{{location}}: {{temperature}}",
        "template": "{\"type\":\"Card\",\"theme\":\"dark\",\"children\":[{\"type\":\"Title\",\"value\":{{ temperature | json }}},{\"type\":\"Text\",\"value\":\"{{location}}\"}]}",
        "jsonSchema": {"type": "object", "properties": {"location": {"type": "string"}, "temperature": {"type": "string"}}, "required": ["location", "temperature"]},
    }).to_string());
    write(
        "slackBlockKitWeatherCurrent.yml",
        "version: '1.0'\nname: x\nblocks:\n  - type: section\n    text: {type: mrkdwn, text: '*{{location}}* {{temperature}}'}\n  - type: context\n    when: advice\n    elements: [{type: mrkdwn, text: '{{advice}}'}]\n",
    );
    write(
        "weatherCurrent.work-object.yml",
        "event_type: weather\nentity:\n  url: https://example.com/w\n  external_ref: {id: '{{location}}', type: place}\n  entity_type: 'slack#/entities/item'\n  entity_payload:\n    attributes:\n      title: {text: '{{location}}'}\n      product_icon: {url: 'https://example.com/i.png', alt_text: Weather}\n",
    );
    write("brokenJson.widget", &json!({"version": "1.0", "name": "brokenJson", "template": "{% set a %}{{ x }}{% endset %}{\"type\":\"Card\",\"children\":[{{ a }}]}"}).to_string());
    let catalog = Catalog::from_dir(&dir).unwrap();
    assert_eq!(catalog.findings().count(), 0);

    let data = json!({"location": "Bern", "temperature": "12°"});
    assert_eq!(catalog.hydrate("weatherCurrent", &data).unwrap()["children"][0]["value"], "12°");
    let mut call = widgetcast_core::Hydration::new("weatherCurrent", &data, "Bern: 12°", "weather");
    call.slack_blocks_template = Some("slackBlockKitWeatherCurrent");
    let reply = catalog.hydrate_for_tool_result(&call).unwrap().to_json();
    let mimes: Vec<&Value> = reply["content"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| &item["resource"]["mimeType"])
        .collect();
    assert_eq!(
        mimes,
        [
            &Value::Null,
            &json!("application/vnd.ui.widget+json"),
            &json!("application/vnd.slack.work-object+json"),
            &json!("application/vnd.slack.blocks+json"),
        ]
    );
    assert_eq!(reply["content"][0], json!({"type": "text", "text": "Bern: 12°"}));
    assert!(
        reply["content"][1]["resource"]["uri"]
            .as_str()
            .unwrap()
            .starts_with("ui://widgets/weather/")
    );
    assert_eq!(reply["isError"], false);
    let payload: Value =
        serde_json::from_str(reply["content"][1]["resource"]["text"].as_str().unwrap()).unwrap();
    assert_eq!(payload["copy_text"], "Bern: 12°");
    let blocks: Value =
        serde_json::from_str(reply["content"][3]["resource"]["text"].as_str().unwrap()).unwrap();
    // Without advice, the block that needs it is gone.
    assert_eq!(
        blocks["blocks"],
        json!([{"type": "section", "text": {"type": "mrkdwn", "text": "*Bern* 12°"}}])
    );
    assert_eq!(slack::validate(blocks["blocks"].as_array().unwrap()), []);
    let object: Value =
        serde_json::from_str(reply["content"][2]["resource"]["text"].as_str().unwrap()).unwrap();
    assert_eq!(slack::validate_work_object(&object), []);

    let reply = catalog
        .hydrate_for_apps_sdk("weatherCurrent", &data, "Bern", json!({"extra": 1}))
        .unwrap()
        .to_json();
    assert_eq!(reply["structuredContent"], json!({"extra": 1}));
    for (key, value) in [
        ("template", "weatherCurrent"),
        ("format", "ui_widget"),
        ("version", "1.0"),
        ("copy_text", "Bern: 12°"),
    ] {
        assert_eq!(reply["_meta"][key], value);
    }
    assert_eq!(reply["_meta"]["widget"]["type"], "Card");

    let message = |result: widgetcast_core::Result<Value>| result.unwrap_err().to_string();
    assert_eq!(message(catalog.hydrate("nope", &data)), "Template not found: nope");
    let missing = message(catalog.hydrate("weatherCurrent", &json!({})));
    assert!(missing.ends_with("weatherCurrent.widget: Missing required data for widget template: location, temperature"), "{missing}");
    let invalid = message(catalog.hydrate("brokenJson", &json!({"x": "{"})));
    assert!(invalid.contains("Widget template produced invalid JSON: "), "{invalid}");
    let mut unnamed = call;
    unnamed.slack_blocks_template = Some("nope");
    assert_eq!(
        catalog.hydrate_for_tool_result(&unnamed).unwrap_err().message(),
        "Template not found: nope"
    );
    std::fs::remove_dir_all(&dir).unwrap();
}

/// Writes what the peers' own checkers look at; `test.sh` runs them on it.
#[test]
fn for_the_peers() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("peers");
    std::fs::create_dir_all(&folder).unwrap();
    let page = {
        let mut page = Page::new("view", "<!doctype html>");
        page.description = Some("Draws widgets".into());
        page.csp.connect = vec!["https://api.example.com".into()];
        page.permissions = vec!["clipboardWrite".into()];
        page.domain = Some("view.example.com".into());
        page.prefers_border = Some(true);
        page
    };
    let (mut blocks, mut cards, mut apps) = (Vec::new(), Vec::new(), Vec::new());
    let mut results = Vec::new();
    for (name, view) in all_views() {
        let tree = view.tree();
        let (tool, case) = name.split_once('/').unwrap_or((&name, "corpus"));
        let mut reply = Reply::default();
        for surface in ["text", "mcp-apps"] {
            let presentation = Presentation::new(tool, case, &view);
            (Surface::find(surface).unwrap().present)(&presentation, &mut reply);
        }
        results.push(json!({"name": name, "result": reply.to_json()}));
        let (list, losses) = slack::blocks(&tree);
        assert_eq!(slack::validate(&list), [], "{name}");
        assert!(!list.is_empty() || !losses.is_empty(), "{name} shows nothing and says nothing");
        blocks.push(list);
        cards.push(json!({"name": name, "card": adaptive::adaptive_card(&tree).0}));
        let mut page = page.clone();
        page.csp.resource = resource_domains(&tree);
        let face = ToolMeta {
            has_widget: true,
            page: Some(&page),
            for_model: true,
            for_app: true,
            invoking: Some("Working"),
            ..ToolMeta::default()
        };
        let mut tool = Map::new();
        SURFACES.iter().for_each(|surface| (surface.describe)(&face, &mut tool));
        apps.push(json!({"name": name, "tool": tool, "contents": page.contents(None)}));
    }
    for (file, list) in [
        ("slack-blocks", json!(blocks)),
        ("adaptive-cards", json!(cards)),
        ("mcp-apps", json!(apps)),
        ("results", json!(results)),
    ] {
        std::fs::write(folder.join(format!("{file}.json")), list.to_string()).unwrap();
    }
}
