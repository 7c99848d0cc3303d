//! Fields with a unique repair: a name in another case, a version or a list in another form.

use serde_json::{Map, Value, json};
use widgetcast_engine::json::locate;
use widgetcast_engine::template::Edit;

use super::{Source, fields};

/// A field to change, and the edit of the file.
#[derive(Debug)]
pub(crate) struct FieldRepair {
    pub edit: Edit,
    /// The current name.
    pub name: String,
    /// The intended name and value.
    pub meant: (String, Value),
}

/// All repairs of the fields of a definition.
pub(crate) fn repairs(source: &Source<'_>) -> Vec<FieldRepair> {
    let mut found = Vec::new();
    let members = source.members();
    if let Some(edit) = source.version_edit() {
        let meant = ("version".to_owned(), json!("1.0"));
        found.push(FieldRepair { edit, name: "version".to_owned(), meant });
    }
    // Every file has the same version, so a missing one can be added.
    let is_meant = |name: &String| fields::meant(name) == Some("version");
    if !members.keys().any(is_meant)
        && let Some(at) = first_key(source, &members)
    {
        let text = if source.is_yaml() { "version: \"1.0\"\n" } else { "\"version\": \"1.0\", " };
        let meant = ("version".to_owned(), json!("1.0"));
        let edit = Edit { range: at..at, text: text.into() };
        found.push(FieldRepair { edit, name: "version".to_owned(), meant });
    }
    if let Some(Value::String(text)) = members.get("accept") {
        let list = json!([text]);
        let edit = Edit { range: source.range_of("/accept"), text: list.to_string() };
        let meant = ("accept".to_owned(), list);
        found.push(FieldRepair { edit, name: "accept".to_owned(), meant });
    }
    for (name, value) in &members {
        let Some(field) = same_field(source, name) else { continue };
        let Some(range) = source.key_range(&format!("/{}", locate::escaped(name))) else {
            continue;
        };
        let text = if source.is_yaml() { field.to_owned() } else { format!("\"{field}\"") };
        let meant = (field.to_owned(), value.clone());
        found.push(FieldRepair { edit: Edit { range, text }, name: name.clone(), meant });
    }
    found
}

/// Where the first field begins, if it is at the beginning of a line of YAML, or anywhere in JSON.
fn first_key(source: &Source<'_>, members: &Map<String, Value>) -> Option<usize> {
    let start = |name: &String| source.key_range(&format!("/{}", locate::escaped(name)));
    let at = members.keys().filter_map(start).map(|range| range.start).min()?;
    let is_first = source.written()[..at].ends_with('\n') || at == 0;
    (!source.is_yaml() || is_first).then_some(at)
}

/// The field that a name matches except for case and separators, unless that field exists.
pub(super) fn same_field(source: &Source<'_>, name: &str) -> Option<&'static str> {
    let field = fields::meant(name).filter(|field| fields::is_same(field, name))?;
    (!fields::is_known(name) && !source.has(field)).then_some(field)
}
