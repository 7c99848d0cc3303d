//! Repairs a generated value that the validator rejects. Starting from a valid value, it copies as much of
//! the rejected one as stays valid, field by field. So one field that cannot be generated does not cost the
//! sample its other fields.

use serde_json::{Map, Value};
use widgetcast_engine::json::locate;

/// Moves the valid value `root` towards `wanted` at `pointer`, keeping each step that stays valid.
pub(super) fn graft(
    root: &mut Value,
    pointer: &str,
    wanted: &Value,
    valid: &dyn Fn(&Value) -> bool,
    tries: &mut usize,
) {
    let Some(old) = root.pointer(pointer).cloned() else { return };
    if old == *wanted || attempt(root, pointer, wanted.clone(), &old, valid, tries) {
        return;
    }
    match (&old, wanted) {
        (Value::Object(have), Value::Object(want)) => {
            for (key, value) in want {
                if have.contains_key(key) {
                    graft(root, &child(pointer, key), value, valid, tries);
                } else {
                    edit(root, pointer, valid, tries, |map| map.insert(key.clone(), value.clone()));
                }
            }
            for key in have.keys().filter(|key| !want.contains_key(*key)) {
                edit(root, pointer, valid, tries, |map| map.shift_remove(key));
            }
        }
        (Value::Array(have), Value::Array(want)) => {
            for (index, value) in want.iter().enumerate().take(have.len()) {
                graft(root, &child(pointer, &index.to_string()), value, valid, tries);
            }
        }
        _ => {}
    }
}

/// Sets `new` at `pointer`, and restores `old` if the whole is then invalid.
fn attempt(
    root: &mut Value,
    pointer: &str,
    new: Value,
    old: &Value,
    valid: &dyn Fn(&Value) -> bool,
    tries: &mut usize,
) -> bool {
    if *tries == 0 {
        return false;
    }
    *tries -= 1;
    if let Some(slot) = root.pointer_mut(pointer) {
        *slot = new;
    }
    if valid(root) {
        return true;
    }
    if let Some(slot) = root.pointer_mut(pointer) {
        *slot = old.clone();
    }
    false
}

/// Changes the object at `pointer` if the whole stays valid.
fn edit(
    root: &mut Value,
    pointer: &str,
    valid: &dyn Fn(&Value) -> bool,
    tries: &mut usize,
    change: impl FnOnce(&mut Map<String, Value>) -> Option<Value>,
) {
    let Some(old) = root.pointer(pointer).cloned() else { return };
    let mut new = old.clone();
    if let Value::Object(map) = &mut new {
        change(map);
    }
    attempt(root, pointer, new, &old, valid, tries);
}

fn child(pointer: &str, key: &str) -> String {
    format!("{pointer}/{}", locate::escaped(key))
}
