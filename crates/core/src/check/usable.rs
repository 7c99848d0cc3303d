//! What a user who uses the widget would find to be of no use: a button that does nothing, a form that
//! cannot be sent, a field that nothing sends, a card that shows nothing.
//!
//! Only what every witness of the template has is reported: in another branch the button may be there.

use std::collections::HashMap;
use std::ops::Range;

use serde_json::Value;
use widgetcast_engine::budget;
use widgetcast_engine::error::{Error, Fix, Kind, Severity};
use widgetcast_engine::tree::brief;
use widgetcast_engine::tree::component::Component;

use super::checker::{Checker, MAX_FINDINGS};

/// The prop that makes a card a form.
const AS_FORM: &str = "/asForm";

/// A fault, and the number of witnesses that contain it.
struct Fault {
    error: Error,
    range: Range<usize>,
    seen: usize,
}

pub(super) fn check(checker: &mut Checker<'_>) {
    let mut found: HashMap<(String, usize), Fault> = HashMap::new();
    let mut witnesses = 0;
    checker.widget.template().witnesses(&mut |tree, find| {
        for error in faults(tree) {
            let Some(range) = find(&error.place().pointer) else { continue };
            let key = (error.message().to_owned(), range.start);
            let fault = found.entry(key).or_insert(Fault { error, range, seen: 0 });
            // The items of a list share one place.
            if fault.seen == witnesses {
                fault.seen += 1;
            }
        }
        witnesses += 1;
    });
    let mut found: Vec<Fault> = found.into_values().filter(|f| f.seen == witnesses).collect();
    found.sort_by_cached_key(|fault| (fault.range.start, fault.error.message().to_owned()));
    for Fault { error, range, .. } in found.into_iter().take(MAX_FINDINGS) {
        let is_flag = error.place().pointer.ends_with(AS_FORM);
        let range = if is_flag { checker.key_of(range) } else { range };
        checker.in_text("template", Severity::Warning, error, Fix::None, &range);
    }
}

/// The faults of a tree in which null stands for a value that is not known.
fn faults(tree: &Value) -> Vec<Error> {
    let mut faults = Vec::new();
    let is_empty = tree["children"].as_array().is_some_and(Vec::is_empty);
    if is_empty && matches!(tree["type"].as_str(), Some("Card" | "ListView" | "Basic")) {
        let error = no_effect(format!("the {} is empty", tree["type"].as_str().unwrap_or("")));
        faults.push(error.with_help("add components to its `children`").with_pointer(""));
    }
    walk(tree, "", false, &mut faults);
    faults
}

fn no_effect(message: impl Into<String>) -> Error {
    Error::new(Kind::NoEffect, message)
}

/// Whether a flag is set, or may be set.
fn may_be(node: &Value, flag: &str) -> bool {
    node.get(flag).is_some_and(|value| value != false)
}

fn walk(node: &Value, at: &str, in_form: bool, faults: &mut Vec<Error>) {
    if budget::steps(1).is_err() {
        return;
    }
    let Some(kind) = node["type"].as_str() else { return };
    let is_form = kind == "Form" || kind == "Card" && may_be(node, "asForm");
    let found = match kind {
        _ if is_form => unsent_form(node, kind),
        "Button" if !in_form => idle_button(node),
        _ if !in_form => lonely_field(node, kind),
        _ => None,
    };
    // A card becomes a form through one of its props.
    let mark = if is_form && kind == "Card" { AS_FORM } else { "" };
    faults.extend(found.map(|error| error.with_pointer(format!("{at}{mark}"))));
    let in_form = in_form || is_form;
    match &node["children"] {
        Value::Array(list) => {
            for (index, child) in list.iter().enumerate() {
                walk(child, &format!("{at}/children/{index}"), in_form, faults);
            }
        }
        one => walk(one, &format!("{at}/children"), in_form, faults),
    }
}

/// Whether a component has an action, or a misspelt one, which is reported elsewhere.
fn has_handler(node: &Value) -> bool {
    let is_handler =
        |key: &String| key.starts_with("on") || matches!(key.as_str(), "action" | "href");
    node.as_object().is_some_and(|members| members.keys().any(is_handler))
}

fn idle_button(node: &Value) -> Option<Error> {
    if node["submit"] == true {
        return (!has_handler(node)).then(|| {
            no_effect("the button submits a form, but is not in a form").with_help(
                "put it and the fields into a Form, or set `\"asForm\": true` on the Card",
            )
        });
    }
    let is_idle = !has_handler(node)
        && node.get("submit").is_none_or(|submit| submit == false)
        && !may_be(node, "disabled");
    is_idle.then(|| {
        no_effect("the button does nothing").with_help(
            "add an `onClickAction`: `{ \"type\": \"add.todo\", \"payload\": { \"id\": 1 } }`",
        )
    })
}

fn lonely_field(node: &Value, kind: &str) -> Option<Error> {
    let is_field = Component::find(kind).is_some_and(Component::is_field);
    let name = node["name"].as_str().filter(|_| is_field)?;
    let is_lonely = !has_handler(node) && !may_be(node, "disabled");
    is_lonely.then(|| {
        no_effect(format!("the field {} is not in a form, so it is never submitted", brief(name)))
            .with_help("put it in a Form, or set `\"asForm\": true` and `confirm` on the Card")
    })
}

fn unsent_form(node: &Value, kind: &str) -> Option<Error> {
    let is_empty = node["children"].as_array().is_some_and(Vec::is_empty);
    if is_empty || node.get("confirm").is_some() || can_send(&node["children"]) {
        return None;
    }
    let help = match kind {
        "Card" => "add `confirm`: `{ \"label\": \"Save\", \"action\": { \"type\": \"save\" } }`",
        _ => "add a Button with `\"submit\": true`",
    };
    Some(no_effect("nothing submits the form").with_help(help))
}

/// Whether any of these components submits the form, or may do so.
fn can_send(children: &Value) -> bool {
    match children {
        Value::Array(list) => list.iter().any(can_send),
        Value::Object(node) => {
            let has = |prop: &str| node.get(prop).is_some_and(|value| value != false);
            has("submit")
                || has("onClickAction")
                || has("onChangeAction")
                || node.get("children").is_some_and(can_send)
        }
        // Values from the data.
        Value::Null => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn found(child: Value) -> Vec<String> {
        let mut tree = json!({"type": "Card"});
        tree["children"] = Value::Array(vec![child]);
        faults(&tree).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_button_does_something() {
        let idle = found(json!({"type": "Button", "label": "a"}));
        assert_eq!(idle, ["/children/0: the button does nothing"]);
        let submit = found(json!({"type": "Button", "label": "a", "submit": true}));
        assert_eq!(submit, ["/children/0: the button submits a form, but is not in a form"]);
        for other in [
            json!({"type": "Button", "onClickAction": {"type": "a"}}),
            json!({"type": "Button", "onClickAction": null}),
            json!({"type": "Button", "disabled": true}),
            json!({"type": "Form", "children": [{"type": "Button", "submit": true}]}),
        ] {
            assert_eq!(found(other.clone()), [""; 0], "{other}");
        }
    }

    #[test]
    fn a_form_is_sent() {
        let input = json!({"type": "Input", "name": "a"});
        assert!(found(input.clone())[0].contains("the field \"a\" is not in a form"));
        let form = |more: Value| found(json!({"type": "Form", "children": [input.clone(), more]}));
        assert_eq!(form(json!({"type": "Text"})), ["/children/0: nothing submits the form"]);
        for sender in [
            json!({"type": "Row", "children": [{"type": "Button", "submit": true}]}),
            json!({"type": "Button", "onClickAction": {"type": "a"}}),
            json!({"type": "Row", "children": null}),
            json!(null),
        ] {
            assert_eq!(form(sender.clone()), [""; 0], "{sender}");
        }
        let card = |confirm: Value| {
            faults(
                &json!({"type": "Card", "asForm": true, "confirm": confirm, "children": [input]}),
            )
        };
        assert!(card(json!({"label": "a"})).is_empty());
        assert_eq!(faults(&json!({"type": "Card", "asForm": true, "children": [input]})).len(), 1);
        assert_eq!(faults(&json!({"type": "Card", "children": []})).len(), 1);
        assert_eq!(faults(&json!({"type": "Card", "children": null})).len(), 0);
    }
}
