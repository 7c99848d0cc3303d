//! Exports for ChatKit Studio: what Studio has written comes back as it was, and what it has not is
//! written so that it can be read.

use base64::Engine as _;
use needs_shared::needs_shared;
use serde_json::Value;

use super::shared;
use widgetcast_core::{Catalog, Widget};

/// Studio's form, if it is one.
fn decode(encoded: &str) -> Option<Value> {
    let alphabet = base64::engine::general_purpose::URL_SAFE_NO_PAD;
    serde_json::from_slice(&alphabet.decode(encoded.trim_end_matches('=')).ok()?).ok()
}

fn export(widget: &Widget) -> (Widget, Value) {
    let exported = widget.to_studio().unwrap();
    let again = Widget::parse(&exported.to_string()).unwrap();
    assert_eq!(again.name(), widget.name());
    assert_eq!(again.template_text(), widget.template_text());
    assert_eq!(again.sample(), widget.sample(), "{}", widget.name());
    let schema = |widget: &Widget| serde_json::from_str::<Value>(widget.schema_json()).unwrap();
    assert_eq!(schema(&again), schema(widget));
    let studio = decode(&again.encoded().unwrap()).unwrap();
    (again, studio)
}

#[needs_shared("corpus")]
#[test]
fn what_studio_wrote_comes_back_as_it_was() {
    let (mut known, mut new) = (0, 0);
    for file in shared::files(&shared::folder("corpus").join("widgets"), "widget") {
        let catalog = Catalog::from_file(&file);
        let Some(widget) = catalog.widgets().next() else { continue };
        let before = widget.encoded().and_then(|encoded| decode(&encoded));
        match before {
            Some(before) => {
                assert_eq!(export(widget).1, before, "{}", file.display());
                known += 1;
            }
            // Without a sample, what is drawn from the schema may not do.
            None if widget.to_studio().is_err() => {}
            None => {
                export(widget);
                new += 1;
            }
        }
    }
    assert!(known >= 25 && new >= 1, "{known} {new}");
}

/// Every widget of the gallery has a view whose elements are closed and whose braces match.
#[test]
fn the_gallery_can_be_exported() {
    let catalog = Catalog::from_dir(shared::project("crates/cli/widgets")).unwrap();
    let mut bound = 0;
    for widget in catalog.widgets() {
        let (again, studio) = export(widget);
        let view = studio["view"].as_str().unwrap();
        let count = |part: &str| view.matches(part).count();
        assert_eq!(count("{"), count("}"), "{view}");
        assert_eq!(count("("), count(")"), "{view}");
        let name = view[1..].split(|c: char| !c.is_alphanumeric()).next().unwrap();
        assert!(view.ends_with(&format!("</{name}>")), "{view}");
        assert_eq!(studio["defaultState"], widget.sample());
        bound += usize::from(view.contains(".map(("));
        assert_eq!(again.to_studio().unwrap(), widget.to_studio().unwrap());
    }
    assert!(bound >= 10, "{bound} widgets go through a list");
}
