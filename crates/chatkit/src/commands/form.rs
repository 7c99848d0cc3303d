//! A form for the arguments of a tool, made from its schema.

use serde_json::{Map, Value, json};
use widgetcast_agent::Tool;

use crate::tools::title;

/// The type of a property; the first one other than null if there are several. Empty if not specified.
pub(super) fn kind_of(schema: &Value) -> &str {
    let own = match &schema["type"] {
        Value::String(kind) => Some(&**kind),
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).find(|kind| *kind != "null"),
        _ => None,
    };
    let parts = ["anyOf", "oneOf"].iter().filter_map(|name| schema[*name].as_array()).flatten();
    own.or_else(|| parts.map(kind_of).find(|kind| !kind.is_empty() && *kind != "null"))
        .unwrap_or_default()
}

/// The allowed values of a property, if they are listed.
fn choices(schema: &Value) -> Vec<String> {
    let plain = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        _ => None,
    };
    if let Some(all) = schema["enum"].as_array() {
        return all.iter().filter_map(plain).collect();
    }
    let parts = ["anyOf", "oneOf"].iter().filter_map(|name| schema[*name].as_array()).flatten();
    parts
        .flat_map(|part| match plain(&part["const"]) {
            Some(value) => vec![value],
            None => choices(part),
        })
        .collect()
}

/// The default value of a field.
fn start(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

fn field(name: &str, schema: &Value, given: Option<&Value>, required: bool) -> Vec<Value> {
    let label = schema["title"].as_str().unwrap_or(name);
    let given = given.or(schema.get("default")).unwrap_or(&Value::Null);
    if kind_of(schema) == "boolean" {
        let on = given == true || given == "true";
        return vec![
            json!({ "type": "Checkbox", "name": name, "label": label, "defaultChecked": on }),
        ];
    }
    let choices = choices(schema);
    let mut field = match (kind_of(schema), schema["format"].as_str()) {
        _ if !choices.is_empty() => {
            let option = |value: &String| json!({ "value": value, "label": value });
            json!({ "type": "Select", "options": choices.iter().map(option).collect::<Vec<Value>>() })
        }
        ("integer" | "number", _) => json!({ "type": "Input", "inputType": "number" }),
        ("array" | "object", _) => json!({ "type": "Textarea", "placeholder": "JSON" }),
        (_, Some("date")) => json!({ "type": "DatePicker" }),
        (_, Some("email")) => json!({ "type": "Input", "inputType": "email" }),
        (_, Some("uri")) => json!({ "type": "Input", "inputType": "url" }),
        _ => json!({ "type": "Input" }),
    };
    field["name"] = name.into();
    if required && field["type"] != "DatePicker" {
        field["required"] = true.into();
    }
    if let Some(start) = start(given) {
        field["defaultValue"] = start.into();
    }
    let mut all = vec![json!({ "type": "Label", "fieldName": name, "value": label }), field];
    if let Some(about) = schema["description"].as_str() {
        all.push(json!({ "type": "Caption", "value": about }));
    }
    all
}

/// The form, filled in with the known arguments. Submitting it calls the tool.
pub(super) fn form(tool: &Tool, given: &Map<String, Value>) -> Value {
    let empty = Map::new();
    let schema = &tool.input_schema;
    let properties = schema["properties"].as_object().unwrap_or(&empty);
    let required = schema["required"].as_array().map(Vec::as_slice).unwrap_or_default();
    let is_required = |name: &String| required.iter().any(|known| known == name);
    // Required fields come first.
    let wanted = properties.iter().filter(|(name, _)| is_required(name));
    let others = properties.iter().filter(|(name, _)| !is_required(name));
    let mut children: Vec<Value> = wanted
        .chain(others)
        .flat_map(|(name, schema)| field(name, schema, given.get(name), is_required(name)))
        .collect();
    children.push(
        json!({ "type": "Button", "label": title(tool), "submit": true, "style": "primary" }),
    );
    let mut action = json!({ "type": tool.original_name });
    let more: Map<String, Value> = given
        .iter()
        .filter(|(name, _)| !properties.contains_key(*name))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    if !more.is_empty() {
        action["payload"] = more.into();
    }
    json!({ "type": "Card", "children": [
        { "type": "Title", "value": title(tool), "size": "sm" },
        { "type": "Form", "direction": "col", "gap": 2, "onSubmitAction": action, "children": children },
    ] })
}
