//! Work Objects. Slack answers 200 and shows nothing when the metadata is nested one level too deep
//! or an icon has no alternative text, so both are looked for.

use std::collections::HashSet;

use serde_json::Value;

use super::check::{Check, Members, has};
use crate::surface::host_template::Fault;
use crate::surface::slack::limit;

const KINDS: &str = "task file item incident content_item";
const FIELD_TYPES: &str = "string integer boolean array slack#/types/date slack#/types/timestamp \
    slack#/types/image slack#/types/channel_id slack#/types/user slack#/types/entity_ref \
    slack#/types/link slack#/types/email";
const TAG_COLORS: &str = "red yellow green gray blue";

/// Validates a Work Object: `{"event_type": …, "entity": {…}}`.
pub fn validate_work_object(value: &Value) -> Vec<Fault> {
    let mut check = Check::default();
    let Value::Object(object) = value else {
        check.fault("", "must be an object");
        return check.faults;
    };
    check.string(object, "event_type", "", 1, limit::ID);
    match object.get("entity") {
        Some(Value::Object(entity)) => entity_faults(&mut check, entity),
        Some(_) => check.fault("entity", "must be an object"),
        None => {
            for wrapper in ["metadata", "event_payload", "entities", "payload"] {
                if object.contains_key(wrapper) {
                    check.fault(wrapper, "nested one level too deep: Slack drops it silently");
                }
            }
            check.fault("entity", "is required");
        }
    }
    for fault in &mut check.faults {
        fault.path = fault.path.trim_start_matches('.').to_owned();
    }
    check.faults
}

fn entity_faults(check: &mut Check, entity: &Members) {
    for wrapper in ["entity", "metadata", "entities", "event_payload"] {
        if entity.contains_key(wrapper) {
            let path = format!("entity.{wrapper}");
            check.fault(path, "nested one level too deep: Slack drops it silently");
        }
    }
    let kind = entity.get("entity_type").and_then(Value::as_str).unwrap_or_default();
    if !kind.strip_prefix(TYPES).is_some_and(|kind| has(KINDS, kind)) {
        let rule = format!("must be {TYPES} and one of {}", KINDS.replace(' ', ", "));
        check.fault("entity.entity_type", rule);
    }
    check.https(entity, "url", "entity", false);
    if entity.contains_key("app_unfurl_url") {
        check.https(entity, "app_unfurl_url", "entity", false);
    }
    match entity.get("external_ref") {
        Some(Value::Object(reference)) => {
            check.string(reference, "id", "entity.external_ref", 1, limit::ID);
            check.optional(reference, "type", "entity.external_ref", limit::ID);
        }
        _ => check.fault("entity.external_ref", "is required"),
    }
    match entity.get("entity_payload") {
        Some(Value::Object(payload)) => payload_faults(check, payload),
        _ => check.fault("entity.entity_payload", "is required"),
    }
}

fn payload_faults(check: &mut Check, payload: &Members) {
    let path = "entity.entity_payload";
    let attributes = payload.get("attributes").and_then(Value::as_object);
    match attributes {
        Some(attributes) => {
            let path = format!("{path}.attributes");
            match attributes.get("title").and_then(Value::as_object) {
                Some(title) => {
                    check.string(title, "text", &format!("{path}.title"), 1, limit::SECTION);
                }
                None => check.fault(format!("{path}.title"), "must be an object with a text"),
            }
            if let Some(icon) = attributes.get("product_icon") {
                icon_faults(check, icon, &format!("{path}.product_icon"));
            }
        }
        None if payload.contains_key("entity_payload") => {
            let path = format!("{path}.entity_payload");
            check.fault(path, "nested one level too deep: Slack drops it silently");
        }
        None => check.fault(format!("{path}.attributes"), "is required"),
    }
    let mut keys: HashSet<String> = payload
        .get("fields")
        .and_then(Value::as_object)
        .map(|fields| fields.keys().cloned().collect())
        .unwrap_or_default();
    if payload.contains_key("custom_fields") {
        let fields = check.list(payload, "custom_fields", path, 0, usize::MAX);
        for (index, field) in fields.iter().enumerate() {
            let path = format!("{path}.custom_fields[{index}]");
            field_faults(check, field, &path);
            if field["key"].as_str().is_some_and(|key| !keys.insert(key.to_owned())) {
                check.fault(format!("{path}.key"), "must be unique");
            }
        }
    }
    if payload.contains_key("display_order") {
        let order = check.list(payload, "display_order", path, 0, usize::MAX);
        for (index, key) in order.iter().enumerate() {
            if !keys.contains(&scalar(key)) {
                check.fault(format!("{path}.display_order[{index}]"), "does not name a field");
            }
        }
    }
    action_faults(check, &payload.get("actions").cloned().unwrap_or_default(), path);
}

fn icon_faults(check: &mut Check, icon: &Value, path: &str) {
    let Value::Object(icon) = icon else {
        return check.fault(path, "must be an object");
    };
    if icon.get("alt_text").and_then(Value::as_str).is_none_or(|alt| alt.trim().is_empty()) {
        let rule = "is required: without it Slack drops the object silently";
        check.fault(format!("{path}.alt_text"), rule);
    }
    if !icon.contains_key("slack_file") {
        check.https(icon, "url", path, true);
    }
}

fn field_faults(check: &mut Check, field: &Value, path: &str) {
    let Value::Object(field) = field else {
        return check.fault(path, "must be an object");
    };
    check.string(field, "key", path, 1, limit::ID);
    check.string(field, "label", path, 1, limit::LABEL);
    check.choice(field, "tag_color", path, TAG_COLORS);
    check.flag(field, "long", path);
    if !field.contains_key("type") {
        check.fault(format!("{path}.type"), "is required");
    }
    check.choice(field, "type", path, FIELD_TYPES);
    let kind = field.get("type").and_then(Value::as_str).unwrap_or_default();
    let value = field.get("value");
    let fits = match kind {
        IMAGE => {
            check.image(field, path);
            true
        }
        "string" | "slack#/types/link" | "slack#/types/email" | "slack#/types/date" => {
            value.is_some_and(Value::is_string)
        }
        "integer" | "slack#/types/timestamp" => value.is_some_and(Value::is_i64),
        "array" => value.is_some_and(Value::is_array),
        _ => true,
    };
    if !fits {
        check.fault(format!("{path}.value"), format!("does not fit the type {kind}"));
    }
}

fn action_faults(check: &mut Check, actions: &Value, path: &str) {
    let Value::Object(actions) = actions else { return };
    let mut ids = HashSet::new();
    for (key, most) in
        [("primary_actions", limit::PRIMARY_ACTIONS), ("overflow_actions", limit::OVERFLOW_ACTIONS)]
    {
        if !actions.contains_key(key) {
            continue;
        }
        let list = check.list(actions, key, &format!("{path}.actions"), 0, most);
        for (index, button) in list.iter().enumerate() {
            let path = format!("{path}.actions.{key}[{index}]");
            let Value::Object(button) = button else {
                check.fault(path, "must be an object");
                continue;
            };
            check.string(button, "text", &path, 1, limit::BUTTON_TEXT);
            check.string(button, "action_id", &path, 1, limit::ID);
            check.choice(button, "style", &path, "primary danger");
            check.optional(button, "value", &path, limit::VALUE);
            if button.contains_key("url") {
                check.https(button, "url", &path, false);
            }
            if button.get("action_id").is_some_and(|id| !ids.insert(scalar(id))) {
                check.fault(format!("{path}.action_id"), "must be unique");
            }
        }
    }
}

/// What the types of entities start with.
const TYPES: &str = "slack#/entities/";
/// The type of a field that is an image.
const IMAGE: &str = "slack#/types/image";

/// A string, a number or a flag as its text.
fn scalar(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
