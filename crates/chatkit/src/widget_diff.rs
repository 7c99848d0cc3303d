//! The difference between two states of a widget, as a minimal list of events.

use serde_json::{Map, Value};

use crate::protocol::Update;

/// The updates that lead from one state of a widget to the next. Text appended to a component with an id is
/// sent as a delta; for any other change, the whole widget is sent again.
///
/// ```
/// use serde_json::json;
/// use widgetcast_chatkit::{protocol::Update, widget_updates};
/// let text = |value: &str| json!({ "type": "Card", "children": [
///     { "type": "Text", "id": "t", "value": value, "streaming": true },
/// ] });
/// let [Update::WidgetText { delta, done, .. }] = &widget_updates(&text("Hel"), &text("Hello"))[..] else {
///     panic!("one delta");
/// };
/// assert_eq!((delta.as_str(), *done), ("lo", false));
/// ```
pub fn widget_updates(before: &Value, after: &Value) -> Vec<Update> {
    let mut deltas = Vec::new();
    match appends(before, after, &mut deltas) {
        true => deltas,
        false => vec![Update::WidgetRoot { widget: after.clone() }],
    }
}

/// Whether the states differ only in appended text, which is collected.
fn appends(before: &Value, after: &Value, deltas: &mut Vec<Update>) -> bool {
    match (before, after) {
        (Value::Object(before), Value::Object(after)) => {
            let mut names: Vec<&String> = after.keys().collect();
            names.extend(before.keys().filter(|name| !after.contains_key(*name)));
            names.into_iter().all(|name| match (before.get(name), after.get(name)) {
                (Some(Value::String(old)), Some(Value::String(new)))
                    if name == "value" && old != new =>
                {
                    goes_on(before, after, old, new, deltas)
                }
                (Some(old), Some(new)) => appends(old, new, deltas),
                // An absent member equals null.
                (one, other) => one.or(other).is_none_or(Value::is_null),
            })
        }
        (Value::Array(before), Value::Array(after)) => {
            before.len() == after.len()
                && before.iter().zip(after).all(|(old, new)| appends(old, new, deltas))
        }
        _ => before == after,
    }
}

/// Whether text was appended, in a component that supports deltas.
fn goes_on(
    before: &Map<String, Value>,
    after: &Map<String, Value>,
    old: &str,
    new: &str,
    deltas: &mut Vec<Update>,
) -> bool {
    let is_text = |node: &Map<String, Value>| {
        matches!(node.get("type").and_then(Value::as_str), Some("Text" | "Markdown"))
    };
    let id = after.get("id").and_then(Value::as_str);
    let (true, true, Some(id), Some(delta)) =
        (is_text(before), is_text(after), id, new.strip_prefix(old))
    else {
        return false;
    };
    let done = after.get("streaming").and_then(Value::as_bool) != Some(true);
    deltas.push(Update::WidgetText { component_id: id.to_owned(), delta: delta.to_owned(), done });
    true
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn card(text: &Value) -> Value {
        json!({ "type": "Card", "children": [{ "type": "Title", "value": "T" }, text] })
    }

    fn text(value: &str) -> Value {
        json!({ "type": "Markdown", "id": "m", "value": value, "streaming": true })
    }

    #[test]
    fn text_that_goes_on_is_a_delta() {
        let updates = widget_updates(&card(&text("a")), &card(&text("ab")));
        let delta = Update::WidgetText { component_id: "m".into(), delta: "b".into(), done: false };
        assert_eq!(updates, [delta]);
        assert_eq!(widget_updates(&card(&text("a")), &card(&text("a"))), []);
        let done = json!({ "type": "Text", "id": "m", "value": "ab" });
        let before = json!({ "type": "Text", "id": "m", "value": "a" });
        let Update::WidgetText { done, .. } = &widget_updates(&before, &done)[0] else {
            panic!("a delta")
        };
        assert!(done);
    }

    #[test]
    fn anything_else_is_the_whole_widget() {
        let before = card(&text("ab"));
        let mut ended = text("ab");
        ended["streaming"] = json!(false);
        let mut nameless = text("abc");
        nameless.as_object_mut().unwrap().remove("id");
        let title = json!({ "type": "Title", "id": "m", "value": "abc", "streaming": true });
        for after in [card(&text("b")), card(&ended), card(&nameless), card(&title), json!({})] {
            let root = Update::WidgetRoot { widget: after.clone() };
            assert_eq!(widget_updates(&before, &after), [root]);
        }
    }
}
