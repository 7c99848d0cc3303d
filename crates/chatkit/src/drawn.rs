//! Whether a rendered widget contains an action that a client sent: its type and payload, with the values of
//! the enclosing form.

use std::collections::BTreeSet;
use std::ops::Bound;

use serde_json::{Map, Value};
use widgetcast::Budgeted;
use widgetcast_core::budget;

use crate::protocol::Action;

const FIELDS: [&str; 6] = ["Checkbox", "DatePicker", "Input", "RadioGroup", "Select", "Textarea"];

/// Whether the tree contains this action for the server; not if the budget does not suffice to find it.
pub(crate) fn is_drawn(tree: &Value, action: &Action, _: Budgeted) -> bool {
    has(tree, &Fields::new(), action)
}

/// The names of the fields of a form.
type Fields<'t> = BTreeSet<&'t str>;

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
fn fields<'t>(value: &'t Value, out: &mut Fields<'t>) {
    if budget::steps(1).is_err() {
        return;
    }
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
fn has(value: &Value, around: &Fields<'_>, action: &Action) -> bool {
    if budget::steps(1).is_err() {
        return false;
    }
    let node = match value {
        Value::Object(node) => node,
        Value::Array(list) => return list.iter().any(|value| has(value, around, action)),
        _ => return false,
    };
    let mut own = Fields::new();
    let around = match field(node) {
        _ if is_form(node) => {
            fields(value, &mut own);
            &own
        }
        // A field outside a form submits its own value.
        Some(name) if around.is_empty() => {
            own.insert(name);
            &own
        }
        _ => around,
    };
    node.iter().any(|(name, value)| match name == "action" || name.ends_with("Action") {
        true => is_same(value, around, action),
        false => has(value, around, action),
    })
}

fn is_same(drawn: &Value, fields: &Fields<'_>, action: &Action) -> bool {
    drawn["type"] == *action.kind
        && drawn["handler"] != "client"
        && fits(&drawn["payload"], &action.payload, fields, "")
}

/// Whether a payload matches the rendered one, except for values of fields. Dots in the name of a field nest.
fn fits(drawn: &Value, sent: &Value, fields: &Fields<'_>, path: &str) -> bool {
    let empty = Map::new();
    let members = |value: &'_ Value| value.is_null() || value.is_object();
    if !members(drawn) || !members(sent) {
        return drawn == sent;
    }
    let drawn_members = drawn.as_object().unwrap_or(&empty);
    let sent_members = sent.as_object().unwrap_or(&empty);
    let is_field = |name: &str| fields.contains(&&*format!("{path}{name}"));
    let has_all = drawn_members
        .keys()
        .all(|name| draws(path, name) && (sent_members.contains_key(name) || is_field(name)));
    has_all
        && sent_members.iter().all(|(name, value)| {
            if !draws(path, name) {
                return false;
            }
            let inside = format!("{path}{name}.");
            match drawn_members.get(name) {
                _ if is_field(name) => true,
                Some(drawn) => fits(drawn, value, fields, &inside),
                None => {
                    value.is_object()
                        && has_inside(fields, &inside)
                        && fits(&Value::Null, value, fields, &inside)
                }
            }
        })
}

/// Draws on the budget for one member: a form may have thousands of fields, a tree thousands of actions, and
/// a payload thousands of members.
fn draws(path: &str, name: &str) -> bool {
    budget::steps(1).is_ok() && budget::bytes(path.len() + name.len()).is_ok()
}

/// Whether the name of a field begins with this path.
fn has_inside(fields: &Fields<'_>, path: &str) -> bool {
    let next = fields.range::<str, _>((Bound::Included(path), Bound::Unbounded)).next();
    next.is_some_and(|field| field.starts_with(path))
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;
    use serde_json::json;
    use widgetcast::Workers;

    use super::*;

    fn is_drawn(tree: &Value, kind: &str, payload: Value) -> bool {
        let (tree, action) = (tree.clone(), Action { kind: kind.into(), payload });
        let work = move |budgeted| super::is_drawn(&tree, &action, budgeted);
        Workers::default().finish(0, work).now_or_never().flatten().unwrap()
    }

    /// Each action is compared with the whole payload, and each comparison is drawn from the budget.
    #[test]
    fn the_budget_counts_actions_times_members() {
        const MANY: usize = 50;
        let fields = (0..MANY).map(|n| json!({ "type": "Input", "name": format!("f{n:02}") }));
        let actions =
            (0..MANY).map(|_| json!({ "type": "Button", "onClickAction": { "type": "pay" } }));
        let tree = json!({ "type": "Form", "children": fields.chain(actions).collect::<Value>() });
        // The last member is no field, so that no action is the one.
        let members = (0..MANY).map(|n| (format!("f{n:02}"), json!(n)));
        let payload: Value =
            members.chain([("x".to_owned(), json!(1))]).collect::<Map<_, _>>().into();
        let action = Action { kind: "pay".into(), payload };
        let work = move |budgeted| {
            let before = budget::steps_left().unwrap();
            let is_drawn = super::is_drawn(&tree, &action, budgeted);
            (is_drawn, before - budget::steps_left().unwrap())
        };
        let done = Workers::default().finish(0, work).now_or_never().flatten().unwrap();
        assert!(!done.0 && done.1 >= (MANY * MANY) as u64, "{done:?}");
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
