//! Whether a rendered widget contains an action that a client sent: its type and payload, with the values of
//! the enclosing form.

use serde_json::{Map, Value};

use crate::protocol::Action;

const FIELDS: [&str; 6] = ["Checkbox", "DatePicker", "Input", "RadioGroup", "Select", "Textarea"];

/// Whether the tree contains this action for the server.
pub(crate) fn is_drawn(tree: &Value, action: &Action) -> bool {
    has(tree, &[], action)
}

fn is_form(node: &Map<String, Value>) -> bool {
    let is = |kind: &str| node.get("type").is_some_and(|known| known == kind);
    is("Form") || is("Card") && node.get("asForm") == Some(&Value::Bool(true))
}

/// The name of a field, if it is one.
fn field(node: &Map<String, Value>) -> Option<&str> {
    let kind = node.get("type")?.as_str()?;
    node.get("name")?.as_str().filter(|_| FIELDS.contains(&kind))
}

/// The fields of a form, without those of nested forms.
fn fields<'t>(value: &'t Value, out: &mut Vec<&'t str>) {
    match value {
        Value::Object(node) => {
            out.extend(field(node));
            node.values()
                .filter(|value| !value.as_object().is_some_and(is_form))
                .for_each(|value| fields(value, out));
        }
        Value::Array(list) => list
            .iter()
            .filter(|value| !value.as_object().is_some_and(is_form))
            .for_each(|value| fields(value, out)),
        _ => {}
    }
}

/// `around` are the fields of the enclosing form.
fn has(value: &Value, around: &[&str], action: &Action) -> bool {
    let node = match value {
        Value::Object(node) => node,
        Value::Array(list) => return list.iter().any(|value| has(value, around, action)),
        _ => return false,
    };
    let mut own = Vec::new();
    let around = match field(node) {
        _ if is_form(node) => {
            fields(value, &mut own);
            &own
        }
        // A field outside a form submits its own value.
        Some(name) if around.is_empty() => {
            own.push(name);
            &own
        }
        _ => around,
    };
    node.iter().any(|(name, value)| match name == "action" || name.ends_with("Action") {
        true => is_same(value, around, action),
        false => has(value, around, action),
    })
}

fn is_same(drawn: &Value, fields: &[&str], action: &Action) -> bool {
    drawn["type"] == *action.kind
        && drawn["handler"] != "client"
        && (drawn["payload"] == action.payload
            || fits(&drawn["payload"], &action.payload, fields, ""))
}

/// Whether a payload matches the rendered one, except for values of fields. Dots in the name of a field nest.
fn fits(drawn: &Value, sent: &Value, fields: &[&str], path: &str) -> bool {
    let empty = Map::new();
    let members = |value: &'_ Value| value.is_null() || value.is_object();
    if !members(drawn) || !members(sent) {
        return drawn == sent;
    }
    let drawn_members = drawn.as_object().unwrap_or(&empty);
    let sent_members = sent.as_object().unwrap_or(&empty);
    let is_field = |name: &str| fields.contains(&&*format!("{path}{name}"));
    let has_all =
        drawn_members.keys().all(|name| sent_members.contains_key(name) || is_field(name));
    has_all
        && sent_members.iter().all(|(name, value)| {
            let inside = format!("{path}{name}.");
            match drawn_members.get(name) {
                _ if is_field(name) => true,
                Some(drawn) => drawn == value || fits(drawn, value, fields, &inside),
                None => {
                    value.is_object()
                        && fields.iter().any(|field| field.starts_with(&inside))
                        && fits(&Value::Null, value, fields, &inside)
                }
            }
        })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn is_drawn(tree: &Value, kind: &str, payload: Value) -> bool {
        super::is_drawn(tree, &Action { kind: kind.into(), payload })
    }

    #[test]
    fn an_action_is_the_one_that_is_drawn() {
        let pay = json!({ "type": "pay", "payload": { "order": 7, "list": [1] } });
        let tree = json!({ "type": "Card", "children": [
            { "type": "Button", "onClickAction": pay },
            { "type": "Text", "value": "x", "payload": { "type": "text" } },
            { "type": "Button", "onClickAction": { "type": "bare" } },
            { "type": "Button", "onClickAction": { "type": "text", "payload": "as it is" } },
            { "type": "Button", "onClickAction": { "type": "here", "handler": "client" } },
            { "type": "Input", "name": "order" },
            { "type": "Select", "name": "size", "onChangeAction": { "type": "sized" } },
        ], "confirm": { "label": "Yes", "action": { "type": "yes" } } });
        let order = |order: i64| json!({ "order": order, "list": [1] });
        assert!(is_drawn(&tree, "pay", order(7)));
        // The field of this name belongs to another form.
        assert!(!is_drawn(&tree, "pay", order(8)));
        assert!(!is_drawn(&tree, "pay", json!({ "order": 7 })));
        assert!(!is_drawn(&tree, "pay", json!({ "order": 7, "list": [1], "more": 1 })));
        assert!(!is_drawn(&tree, "pay", Value::Null));
        assert!(is_drawn(&tree, "bare", Value::Null) && is_drawn(&tree, "bare", json!({})));
        assert!(!is_drawn(&tree, "bare", json!({ "x": 1 })));
        assert!(
            is_drawn(&tree, "text", json!("as it is")) && !is_drawn(&tree, "text", json!("no"))
        );
        assert!(!is_drawn(&tree, "here", Value::Null) && !is_drawn(&tree, "none", Value::Null));
        assert!(is_drawn(&tree, "sized", json!({ "size": "l" })));
        assert!(!is_drawn(&tree, "sized", json!({ "order": 1 })));
        assert!(is_drawn(&tree, "yes", Value::Null));
    }

    #[test]
    fn what_a_form_holds_may_be_anything() {
        let form = json!({ "type": "Form", "onSubmitAction":
            { "type": "pay", "payload": { "order": 7, "to": { "id": 1 } } }, "children": [
            { "type": "Col", "children": [{ "type": "Input", "name": "note" }] },
            { "type": "Input", "name": "to.name" },
            { "type": "Input", "name": "a.b.c" },
            { "type": "Icon", "name": "bolt" },
            { "type": "Form", "children": [{ "type": "Input", "name": "inner" }] },
            { "type": "Button", "onClickAction": { "type": "save" } },
        ] });
        let tree = json!({ "type": "Card", "children": [form] });
        let sent = |more: Value| {
            let mut payload = json!({ "order": 7, "to": { "id": 1, "name": "Ada" } });
            payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            is_drawn(&tree, "pay", payload)
        };
        assert!(sent(json!({ "note": { "any": 1 } })));
        assert!(sent(json!({ "a": { "b": { "c": 1 } } })) && sent(json!({ "a.b.c": 1 })));
        assert!(!sent(json!({ "a": { "b": { "d": 1 } } })) && !sent(json!({ "a": 1 })));
        assert!(!sent(json!({ "order": 8 })) && !sent(json!({ "to": { "id": 2 } })));
        assert!(!sent(json!({ "bolt": 1 })) && !sent(json!({ "inner": 1 })));
        assert!(is_drawn(&tree, "save", json!({ "note": "n" })));
        let card = json!({ "type": "Card", "asForm": true, "confirm": { "action": { "type": "ok" } },
            "children": [{ "type": "Input", "name": "note" }] });
        assert!(
            is_drawn(&card, "ok", json!({ "note": 1 }))
                && !is_drawn(&card, "ok", json!({ "x": 1 }))
        );
    }
}
