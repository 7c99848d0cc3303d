//! Compares the preview in the file with the tree of the sample.

use serde_json::Value;
use widgetcast_engine::error::{Error, Kind, Severity};
use widgetcast_engine::json::number_text;

use super::checker::{Checker, brief_json};

pub(super) fn check(checker: &mut Checker<'_>, tree: &Value) {
    let Some(preview) = &checker.extras.preview else { return };
    let Some((pointer, template, preview)) = difference(tree, preview, String::new()) else {
        return;
    };
    let show = |value: Option<Value>| value.map_or("nothing".into(), |value| brief_json(&value));
    let message = format!(
        "the preview is outdated: at {} it has {}, but the template renders {}",
        if pointer.is_empty() { "the root" } else { &pointer },
        show(preview),
        show(template),
    );
    let error = Error::new(Kind::PreviewDrift, message)
        .with_help("run `widgetcast render FILE --sample --json` to get the current tree");
    checker.at_pointer(Severity::Warning, error, "/outputJsonPreview");
}

/// The first difference between two trees, except nulls and empty children: pointer, left, right.
fn difference(
    left: &Value,
    right: &Value,
    at: String,
) -> Option<(String, Option<Value>, Option<Value>)> {
    let blank = |key: &str, value: &Value| {
        value.is_null() || key == "children" && value.as_array().is_some_and(Vec::is_empty)
    };
    match (left, right) {
        (Value::Object(a), Value::Object(b)) => {
            for (key, value) in a.iter().filter(|(key, value)| !blank(key, value)) {
                let at = format!("{at}/{key}");
                match b.get(key).filter(|other| !blank(key, other)) {
                    Some(other) => {
                        if let Some(found) = difference(value, other, at) {
                            return Some(found);
                        }
                    }
                    None => return Some((at, Some(value.clone()), None)),
                }
            }
            let gone = |(key, value): &(&String, &Value)| {
                !blank(key, value) && a.get(*key).is_none_or(|other| blank(key, other))
            };
            b.iter()
                .find(gone)
                .map(|(key, value)| (format!("{at}/{key}"), None, Some(value.clone())))
        }
        (Value::Array(a), Value::Array(b)) => {
            let some =
                |list: &[Value]| list.iter().filter(|v| !v.is_null()).cloned().collect::<Vec<_>>();
            let (a, b) = (some(a), some(b));
            let both = a.iter().zip(&b).enumerate();
            both.filter_map(|(index, (a, b))| difference(a, b, format!("{at}/{index}")))
                .next()
                .or_else(|| {
                    let index = a.len().min(b.len());
                    (a.len() != b.len()).then(|| {
                        (format!("{at}/{index}"), a.get(index).cloned(), b.get(index).cloned())
                    })
                })
        }
        // A number in a text prop is rendered as its text.
        (Value::String(a), Value::Number(b)) if *a == number_text(b) => None,
        (Value::Number(a), Value::Number(b)) if a.as_f64() == b.as_f64() => None,
        (a, b) if a == b => None,
        (a, b) => Some((at, Some(a.clone()), Some(b.clone()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn finds_the_first_difference() {
        let tree =
            json!({"type": "Card", "children": [{"type": "Text", "value": "a", "size": 1.0}]});
        let same = json!({"children": [{"size": 1, "type": "Text", "value": "a", "color": null}], "type": "Card"});
        assert_eq!(difference(&tree, &same, String::new()), None);
        let other = json!({"type": "Card", "children": [{"type": "Text", "value": "b"}]});
        let (pointer, ..) = difference(&tree, &other, String::new()).unwrap();
        assert_eq!(pointer, "/children/0/value");
    }

    #[test]
    fn each_kind_of_difference_is_found() {
        let found = |left: Value, right: Value| difference(&left, &right, String::new());
        let (a, b) = (Some(json!("a")), Some(json!("b")));
        assert_eq!(found(json!("a"), json!("b")), Some((String::new(), a.clone(), b.clone())));
        assert_eq!(found(json!({"x": "a"}), json!({})), Some(("/x".into(), a.clone(), None)));
        assert_eq!(found(json!({}), json!({"x": "b"})), Some(("/x".into(), None, b.clone())));
        assert_eq!(found(json!({"x": null}), json!({"x": "b"})), Some(("/x".into(), None, b)));
        assert_eq!(found(json!([1, "a"]), json!([1])), Some(("/1".into(), a, None)));
        assert_eq!(found(json!([1]), json!([1, 2])), Some(("/1".into(), None, Some(json!(2)))));
        assert_eq!(found(json!([null, 1]), json!([1.0])), None, "nulls are dropped from lists");
        assert_eq!(found(json!({"children": []}), json!({})), None);
        assert_eq!(found(json!({}), json!({"children": [], "y": null})), None);
        assert_eq!(found(json!("1.5"), json!(1.5)), None, "a number drawn as text");
        assert!(found(json!("1.50"), json!(1.5)).is_some());
        assert!(found(json!(1), json!(2)).is_some());
        assert!(found(json!({"other": []}), json!({})).is_some());
    }
}
