//! Components in the data: a template may print them whole, as in `"children": {{ rows | json }}`. A schema
//! rarely describes them, but the author's sample contains them (see also
//! [`member_at_fault`](crate::definition::proof::member_at_fault)).

use serde_json::Value;
use widgetcast_engine::error::{Error, Finding, Kind, Severity};
use widgetcast_engine::tree::component::Component;

use super::checker::Checker;

/// Whether a value of the sample contains components. The sample has been rendered, so they are valid.
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

/// Warns that no sample shows which components a member of the data contains.
pub(super) fn warn(checker: &mut Checker<'_>, member: &str, cause: &Error) {
    let message = format!(
        "`{member}` must contain components, but no sample confirms it: {}",
        cause.message()
    );
    let error = Error::new(Kind::InputBreaks, message)
        .with_place(cause.place().clone())
        .with_help(format!("add a `sample` in which `{member}` contains components"))
        .in_file(checker.widget.path());
    checker.findings.push(Finding::new(Severity::Warning, error));
}
