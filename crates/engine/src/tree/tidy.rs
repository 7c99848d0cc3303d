//! Tidies a tree before it is sent, as ChatKit's own server does: nulls are dropped, numbers in text
//! props become text, children are lists, and leaves have none.

use serde_json::Value;

use super::component::{Children, Component, THEMED_COLOR, Want};
use crate::json::number_text;

/// Tidies a checked tree in place.
pub(super) fn tidy(tree: &mut Value) {
    let component = tree.get("type").and_then(Value::as_str).and_then(Component::find);
    let (Some(component), Value::Object(members)) = (component, &mut *tree) else {
        return drop_nulls(tree);
    };
    let transition = component.children == Children::One;
    members.retain(|key, value| match key.as_str() {
        "children" => component.children != Children::None && (transition || !value.is_null()),
        _ => !value.is_null(),
    });
    for (key, value) in members.iter_mut() {
        if key != "children" {
            match component.prop(key) {
                Some(prop) => tidy_prop(value, &prop.want),
                None => drop_nulls(value),
            }
        } else if transition {
            tidy(value);
        } else {
            if value.is_object() {
                *value = Value::Array(vec![value.take()]);
            }
            if let Value::Array(children) = value {
                children.retain(|child| !child.is_null());
                children.iter_mut().for_each(tidy);
            }
        }
    }
}

fn tidy_prop(value: &mut Value, want: &Want) {
    match value {
        Value::Number(number) => {
            let text = want.any(&|w| matches!(w, Want::Str));
            if text && !want.any(&|w| matches!(w, Want::Number | Want::Length | Want::Css)) {
                *value = Value::String(number_text(number));
            }
        }
        Value::Array(items) => {
            items.retain(|item| !item.is_null());
            want.each(&mut |w| {
                if let Want::List(of) = w {
                    items.iter_mut().for_each(|item| tidy_prop(item, of));
                }
            });
            items.iter_mut().for_each(drop_nulls);
        }
        Value::Object(members) => {
            members.retain(|_, member| !member.is_null());
            want.each(&mut |w| {
                let shape = match w {
                    Want::Shape(shape) => shape,
                    Want::Color => &THEMED_COLOR,
                    _ => return,
                };
                for prop in shape.props {
                    if let Some(member) = members.get_mut(prop.name) {
                        tidy_prop(member, &prop.want);
                    }
                }
            });
            members.values_mut().for_each(drop_nulls);
        }
        _ => {}
    }
}

fn drop_nulls(value: &mut Value) {
    match value {
        Value::Array(items) => {
            items.retain(|item| !item.is_null());
            items.iter_mut().for_each(drop_nulls);
        }
        Value::Object(members) => {
            members.retain(|_, member| !member.is_null());
            members.values_mut().for_each(drop_nulls);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn tidied(mut tree: Value) -> Value {
        tidy(&mut tree);
        tree
    }

    #[test]
    fn numbers_become_text_only_in_text_props() {
        assert_eq!(
            tidied(json!({"type": "Text", "value": 5.0, "width": 5, "maxLines": 2, "unknown": 1})),
            json!({"type": "Text", "value": "5", "width": 5, "maxLines": 2, "unknown": 1}),
        );
        assert_eq!(
            tidied(json!({"type": "Select", "name": 1, "options": [{"value": 2, "label": 3.5}]})),
            json!({"type": "Select", "name": "1", "options": [{"value": "2", "label": "3.5"}]}),
        );
        assert_eq!(
            tidied(json!({"type": "Box", "background": {"light": 1, "dark": "b"}, "gap": 2})),
            json!({"type": "Box", "background": {"light": "1", "dark": "b"}, "gap": 2}),
        );
        let chart = json!({"type": "Chart", "xAxis": 1, "series": [], "data": [{"a": 1}, 2]});
        assert_eq!(
            tidied(chart),
            json!({"type": "Chart", "xAxis": "1", "series": [], "data": [{"a": 1}, 2]}),
        );
    }

    #[test]
    fn nulls_are_dropped_everywhere() {
        assert_eq!(
            tidied(json!({"type": "Card", "size": null, "unknown": {"a": [null, 1], "b": null},
                "confirm": {"label": "a", "action": {"type": "b", "payload": {"c": null, "d": [null]}}},
                "children": [null, {"type": "Text", "value": null}]})),
            json!({"type": "Card", "unknown": {"a": [1]},
                "confirm": {"label": "a", "action": {"type": "b", "payload": {"d": []}}},
                "children": [{"type": "Text"}]}),
        );
        assert_eq!(
            tidied(
                json!({"type": "Select", "name": "n", "options": [null, {"label": "a", "value": null}]})
            ),
            json!({"type": "Select", "name": "n", "options": [{"label": "a"}]}),
        );
        assert_eq!(tidied(json!({"type": "Nonsense", "a": null})), json!({"type": "Nonsense"}));
    }

    #[test]
    fn children_are_a_list_and_leaves_have_none() {
        let text = json!({"type": "Text", "value": 1});
        assert_eq!(
            tidied(json!({"type": "Box", "children": text})),
            json!({"type": "Box", "children": [{"type": "Text", "value": "1"}]}),
        );
        assert_eq!(tidied(json!({"type": "Box", "children": null})), json!({"type": "Box"}));
        assert_eq!(tidied(json!({"type": "Spacer", "children": []})), json!({"type": "Spacer"}));
        let transition = |children: Value| json!({"type": "Transition", "children": children});
        assert_eq!(tidied(transition(json!(null))), transition(json!(null)));
        let expected = transition(json!({"type": "Text", "value": "1"}));
        assert_eq!(tidied(transition(text)), expected);
    }
}
