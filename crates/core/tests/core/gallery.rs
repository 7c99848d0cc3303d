//! The gallery: every component is in it, and the strictest check finds nothing.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::shared;
use widgetcast_core::{
    Catalog, CheckOptions, Severity, Writes, check, component::COMPONENTS, text_lanes,
};

#[test]
fn the_strictest_check_finds_nothing() {
    let catalog = Catalog::from_dir(shared::project("crates/cli/widgets")).unwrap();
    let findings = check(&catalog, &CheckOptions::strict(), &|_| {});
    // What hosts without views lose is a note.
    let faults = findings.iter().filter(|finding| finding.severity > Severity::Note);
    let text: Vec<String> = faults.map(|finding| format!("{finding:#}")).collect();
    assert!(text.is_empty(), "{}", text.join("\n"));
    for name in [
        "flight_tracker",
        "weather_current",
        "weather_forecast",
        "draft_email",
        "create_event",
        "create_task",
        "channel_message",
        "enable_notification",
        "event_session",
        "player_card",
        "playlist",
        "purchase_complete",
        "purchase_items",
        "ride_status",
        "software_purchase",
        "view_event",
    ] {
        assert!(catalog.get(name).is_some(), "{name}");
    }
}

#[test]
fn every_component_appears() {
    let catalog = Catalog::from_dir(shared::project("crates/cli/widgets")).unwrap();
    let mut seen = BTreeSet::new();
    for widget in catalog.widgets() {
        let view = widget.render(&widget.sample()).unwrap();
        collect(&view.tree(), &mut seen);
    }
    let all: BTreeSet<String> = COMPONENTS.iter().map(|c| c.name.to_owned()).collect();
    assert_eq!(all.len(), 30);
    assert_eq!(all.difference(&seen).collect::<Vec<_>>(), Vec::<&String>::new());
}

fn collect(value: &Value, seen: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            seen.extend(members.get("type").and_then(Value::as_str).map(str::to_owned));
            members.values().for_each(|member| collect(member, seen));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, seen)),
        _ => {}
    }
}

#[test]
fn every_widget_is_complete() {
    let catalog = Catalog::from_dir(shared::project("crates/cli/widgets")).unwrap();
    for widget in catalog.widgets() {
        let name = widget.tool_name();
        assert!(widget.description().is_some(), "{name} has no description");
        let schema: Value = serde_json::from_str(widget.schema_json()).unwrap();
        described(&schema, name);
        let view = widget.render(&widget.sample()).unwrap();
        assert!(view.copy_text().is_some(), "{name} has no copy text");
        assert!(!view.json().contains("\"src\":\"http"), "{name} uses a remote image");
        // The keys of a chart's rows depend on the data, which the fast path does not do.
        assert_eq!(widget.is_fast(), name != "sales_chart", "{name}");
        let slow = widget.render_slowly(&widget.sample()).unwrap();
        shared::compare_texts(widget, &widget.sample());
        let definition = shared::json(widget.path());
        for data in inputs(&widget.sample()) {
            let text = definition["copy_text"].as_str().unwrap();
            let [fast, slow] = text_lanes(text, Writes::Prose, &data).unwrap();
            assert_eq!(fast, slow, "{name}: {data}");
        }
        assert_eq!(shared::normal(&view.tree()), shared::normal(&slow.tree()), "{name}");
    }
}

/// A sample, and copies of it in which one member or item at a time is absent, null, empty or of another
/// type.
fn inputs(sample: &Value) -> Vec<Value> {
    let mut inputs = vec![sample.clone()];
    match sample {
        Value::Object(members) => {
            for (name, member) in members {
                let with = |value: Value| {
                    let mut copy = sample.clone();
                    copy[name] = value;
                    copy
                };
                inputs.extend([json!(null), json!(""), json!(7.5), json!([])].map(with));
                inputs.extend(self::inputs(member).into_iter().skip(1).map(with));
                let mut copy = members.clone();
                copy.remove(name);
                inputs.push(Value::Object(copy));
            }
        }
        Value::Array(items) => {
            let first = items.first().into_iter().flat_map(self::inputs);
            inputs.extend(first.skip(1).map(|item| json!([item, items.last()])));
        }
        _ => {}
    }
    inputs
}

fn described(schema: &Value, at: &str) {
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let at = format!("{at}.{name}");
        assert!(property["description"].as_str().is_some_and(|text| !text.is_empty()), "{at}");
        described(property, &at);
    }
    if let Some(items) = schema.get("items") {
        described(items, at);
    }
}

/// The darker steps of yellow are mustard, and no reader takes them for a star's.
#[test]
fn stars_are_bright_yellow_in_light() {
    let mut stars = 0;
    let folder = shared::project("crates/cli/widgets");
    for file in shared::files(&folder, "widget") {
        let text = std::fs::read_to_string(&file).unwrap();
        for (at, _) in text.match_indices(r#"\"name\":\"star-filled\""#) {
            let props: String = text[at..].chars().take_while(|c| *c != ']').collect();
            if let Some((_, step)) = props.split_once(r#"\"light\":\"yellow-"#) {
                let step: u32 = step.split('\\').next().unwrap().parse().unwrap();
                assert!(step <= 400, "{}: yellow-{step}", file.display());
                stars += 1;
            }
        }
    }
    assert!(stars > 2, "{stars}");
}
