//! Members of a result, under any of their names.

use serde_json::Value;

/// The result itself, taken out of a JSON-RPC response if it is in one, and where it is.
pub(super) fn body(result: &Value) -> (&Value, &'static str) {
    match member(result, &["result"]) {
        Some((_, inner)) if member(result, &["content"]).is_none() => (inner, "/result"),
        _ => (result, ""),
    }
}

/// The first of these members that is there and not null, with its name.
pub(super) fn member<'a>(
    of: &'a Value,
    names: &[&'static str],
) -> Option<(&'static str, &'a Value)> {
    names.iter().find_map(|name| Some((*name, of.get(*name).filter(|value| !value.is_null())?)))
}

/// A member that is a text.
pub(super) fn text_member<'a>(of: &'a Value, names: &[&'static str]) -> Option<&'a str> {
    member(of, names)?.1.as_str()
}
