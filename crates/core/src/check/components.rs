//! Components that come with the data: a template may print them whole, as in
//! `"children": {{ rows | json }}`. A schema hardly says what they are, but the author's sample does.

use serde_json::Value;
use widgetcast_engine::error::{Error, Finding, Kind, Severity};
use widgetcast_engine::tree::component::Component;

use super::checker::Checker;

/// The member of the data that holds the component which an error is about; none if the template wrote
/// that component itself.
pub(super) fn member_at_fault(
    checker: &Checker<'_>,
    data: &Value,
    error: &Error,
) -> Option<String> {
    let (template, engine) = (checker.widget.template(), checker.widget.engine());
    let pointer = &error.place().pointer;
    if !pointer.contains("/children") {
        return None;
    }
    let tree: Value = serde_json::from_str(&template.text(engine, data).ok()?).ok()?;
    let ends = pointer.match_indices('/').map(|(at, _)| at).chain([pointer.len()]);
    let places = ends.map(|end| &pointer[..end]).filter(|place| is_child(place));
    let mut nodes = places.filter_map(|place| tree.pointer(place));
    nodes.find_map(|node| {
        let (key, _) = data.as_object()?.iter().find(|(_, member)| holds(member, node))?;
        Some(key.clone())
    })
}

/// Whether a place in a tree is that of a child, or of a list of them.
fn is_child(place: &str) -> bool {
    let mut steps = place.rsplit('/');
    match steps.next() {
        Some("children") => true,
        Some(step) => step.parse::<usize>().is_ok() && steps.next() == Some("children"),
        None => false,
    }
}

fn holds(value: &Value, node: &Value) -> bool {
    value == node
        || match value {
            Value::Array(items) => items.iter().any(|item| holds(item, node)),
            Value::Object(members) => members.values().any(|member| holds(member, node)),
            _ => false,
        }
}

/// Whether a value of the sample holds components. The sample has been drawn, so they are right.
pub(super) fn has_component(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(has_component),
        Value::Object(members) => {
            let kind = members.get("type").and_then(Value::as_str);
            kind.is_some_and(|kind| Component::find(kind).is_some())
                || members.values().any(has_component)
        }
        _ => false,
    }
}

/// Warns that nothing shows that a member of the data holds components.
pub(super) fn warn(checker: &mut Checker<'_>, member: &str, cause: &Error) {
    let message = format!(
        "`{member}` must hold components, and nothing shows that it does: {}",
        cause.message()
    );
    let error = Error::new(Kind::InputBreaks, message)
        .with_place(cause.place().clone())
        .with_help(format!("add a `sample` in which `{member}` holds components"))
        .in_file(checker.widget.path());
    checker.findings.push(Finding::new(Severity::Warning, error));
}
