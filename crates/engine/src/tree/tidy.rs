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
            if text && !want.any(&|w| matches!(w, Want::Number | Want::Length)) {
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
