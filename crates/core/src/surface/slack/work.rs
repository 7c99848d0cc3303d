//! Work Objects: a view as an entity that Slack unfurls and opens beside the conversation.
//!
//! Slack answers 200 and shows nothing when the metadata is nested one level too deep or an icon
//! has no alternative text, so the check looks for both. What the object stands for (its type, id
//! and address) is not in a tree: the caller says it.

use std::collections::HashSet;

use serde_json::{Map, Value, json};
use widgetcast_engine::tree::component::Component;

use super::group::{self, children, scalar, text};
use super::validate::{Check, Fault};
use super::{action, glyph, limit, mrkdwn};
use crate::surface::loss::Loss;

const TYPES: &str = "slack#/entities/";
const KINDS: &[&str] = &["task", "file", "item", "incident", "content_item"];
const IMAGE: &str = "slack#/types/image";
const FIELD_TYPES: &[&str] = &[
    "string",
    "integer",
    "boolean",
    "array",
    "slack#/types/date",
    "slack#/types/timestamp",
    IMAGE,
    "slack#/types/channel_id",
    "slack#/types/user",
    "slack#/types/entity_ref",
    "slack#/types/link",
    "slack#/types/email",
];
const TAG_COLORS: &[&str] = &["red", "yellow", "green", "gray", "blue"];

/// What a view stands for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkObject {
    /// `slack#/entities/item`, or its last word: task, file, item, incident, content_item.
    pub entity_type: String,
    /// The entity's id in the product.
    pub id: String,
    /// Which kind of id it is, where ids of several kinds could be mixed up.
    pub id_type: Option<String>,
    /// The https address of the entity.
    pub url: String,
    /// The address that was shared, if the object unfurls a link.
    pub app_unfurl_url: Option<String>,
    /// The name of the metadata event; `widget_view` unless told.
    pub event_type: Option<String>,
    /// What the product calls such an entity: Order, Ticket.
    pub display_type: Option<String>,
    /// The product.
    pub product_name: Option<String>,
    /// The https address of the product's icon; the product's name is its alternative text.
    pub product_icon: Option<String>,
}

/// Maps a tree to a Work Object, and says what it cannot hold.
pub fn work_object(tree: &Value, about: &WorkObject) -> (Value, Vec<Loss>) {
    let kind = about.entity_type.trim_start_matches(TYPES);
    let mut parts = Parts::default();
    if limit::is_too_deep(tree) {
        parts.lose("", "dropped: the tree is nested too deep");
    } else {
        parts.read(tree, "");
    }
    let mut entity = Map::new();
    if let Some(url) = &about.app_unfurl_url {
        entity.insert("app_unfurl_url".to_owned(), url.as_str().into());
    }
    entity.insert("url".to_owned(), about.url.as_str().into());
    let mut reference = json!({"id": about.id});
    if let Some(kind) = &about.id_type {
        reference["type"] = kind.as_str().into();
    }
    entity.insert("external_ref".to_owned(), reference);
    entity.insert("entity_type".to_owned(), format!("{TYPES}{kind}").into());
    let (payload, losses) = parts.payload(kind, about);
    entity.insert("entity_payload".to_owned(), payload);
    let event = about.event_type.as_deref().unwrap_or("widget_view");
    (json!({"event_type": event, "entity": entity}), losses)
}

/// A tree sorted by what a Work Object can hold.
#[derive(Default)]
struct Parts {
    title: Option<String>,
    lines: Vec<String>,
    pairs: Vec<(String, String)>,
    badges: Vec<(String, &'static str)>,
    images: Vec<Value>,
    actions: Vec<(Value, String)>,
    losses: Vec<Loss>,
}

impl Parts {
    fn lose(&mut self, at: &str, reason: impl Into<String>) {
        self.losses.push(Loss::new(at, reason));
    }

    fn read(&mut self, node: &Value, at: &str) {
        if let Some((label, value)) = group::bare_pair(node, at) {
            let label = mrkdwn::clean(label.trim_end_matches(':'));
            return self.pairs.push((label, mrkdwn::clean(&value)));
        }
        let kind = node["type"].as_str().unwrap_or_default();
        let words = mrkdwn::clean(&group::words(node));
        match kind {
            "Title" if self.title.is_none() && is_title(&words) => self.title = Some(words),
            "Title" | "Text" | "Caption" | "Label" | "Markdown" => self.lines.push(words),
            "Badge" => self.badges.push((words, color(node))),
            "Image" => match group::picture(node, self.title.as_deref()) {
                Some(picture) => self.images.push(picture),
                None => {
                    self.lose(at, "the image is not shown: Slack loads public https images only");
                    self.lines.extend(text(node, "alt").map(|alt| format!("({alt})")));
                }
            },
            "Button" => {
                let icon = node["iconStart"].as_str().map(glyph::words);
                let label = text(node, "label").or(icon).unwrap_or_else(|| "Open".to_owned());
                self.action(&label, &node["onClickAction"], node, at);
            }
            "Chart" | "Table" => self.lose(at, "dropped: a Work Object has no tables or charts"),
            _ if Component::find(kind).is_some_and(Component::is_field) => {
                self.lose(at, "dropped: a Work Object has no form fields");
            }
            _ => self.inner(node, at),
        }
    }

    fn inner(&mut self, node: &Value, at: &str) {
        self.lines.extend(text(&node["status"], "text"));
        for (child, at) in children(node, at) {
            self.read(child, &at);
        }
        if node["onClickAction"].is_object() {
            self.action("Open", &node["onClickAction"], node, at);
        }
        if node["onSubmitAction"].is_object() {
            self.lose(at, "dropped: a Work Object has no forms to submit");
        }
        for key in ["confirm", "cancel"] {
            let end = &node[key];
            if end.is_object() {
                let label = text(end, "label").unwrap_or_else(|| glyph::words(key));
                self.action(&label, &end["action"], end, &format!("{at}/{key}"));
            }
        }
    }

    fn action(&mut self, label: &str, action: &Value, node: &Value, at: &str) {
        if node["disabled"] == true {
            return self.lose(at, "dropped: Slack has no disabled buttons");
        }
        let mut made = match action::button("", action, None) {
            Ok(made) => made,
            Err(reason) => return self.lose(at, reason.replace("shown as text", "dropped")),
        };
        let clamped = limit::clamp(label, limit::BUTTON_TEXT);
        if clamped.is_some() {
            self.lose(at, "clamped: a button has at most 75 characters in Slack");
        }
        if made["action_id"].is_null() {
            made["action_id"] = format!("open:{}", self.actions.len()).into();
        }
        made["text"] = clamped.unwrap_or_else(|| label.to_owned()).into();
        if node["style"] == "primary" {
            made["style"] = "primary".into();
        }
        if let Some(members) = made.as_object_mut() {
            members.shift_remove("type");
        }
        let repeated =
            self.actions.iter().any(|(other, _)| other["action_id"] == made["action_id"]);
        if repeated {
            return self.lose(at, "dropped: another button has the same action");
        }
        if self.actions.len() == limit::PRIMARY_ACTIONS + limit::OVERFLOW_ACTIONS {
            return self.lose(at, "dropped: a Work Object has at most 7 buttons");
        }
        self.actions.push((made, at.to_owned()));
    }

    fn payload(mut self, kind: &str, about: &WorkObject) -> (Value, Vec<Loss>) {
        self.lines.retain(|line| !line.is_empty());
        let first = |lines: &mut Vec<String>| {
            lines.first().is_some_and(|line| is_title(line)).then(|| lines.remove(0))
        };
        let title = self.title.take().or_else(|| first(&mut self.lines));
        let title = title.unwrap_or_else(|| about.id.clone());
        let mut attributes = json!({"title": {"text": title}});
        for (key, value) in
            [("display_type", &about.display_type), ("product_name", &about.product_name)]
        {
            if let Some(value) = value {
                attributes[key] = value.as_str().into();
            }
        }
        if let Some(url) = &about.product_icon {
            let alt = about.product_name.as_deref().unwrap_or("icon");
            attributes["product_icon"] = json!({"url": url, "alt_text": alt});
        }
        let mut fields = Fields::default();
        self.fill(kind, &mut fields);
        let mut payload = json!({"attributes": attributes});
        if !fields.own.is_empty() {
            payload["fields"] = fields.own.into();
        }
        if !fields.custom.is_empty() {
            payload["custom_fields"] = fields.custom.into();
        }
        if !fields.order.is_empty() {
            payload["display_order"] = fields.order.into();
        }
        let mut actions = self.actions.into_iter().map(|(action, _)| action);
        let primary: Vec<Value> = actions.by_ref().take(limit::PRIMARY_ACTIONS).collect();
        let overflow: Vec<Value> = actions.collect();
        if !primary.is_empty() {
            payload["actions"] = json!({"primary_actions": primary});
        }
        if !overflow.is_empty() {
            payload["actions"]["overflow_actions"] = overflow.into();
        }
        (payload, self.losses)
    }

    fn fill(&mut self, kind: &str, fields: &mut Fields) {
        let tracked = matches!(kind, "task" | "incident");
        let mut badges = self.badges.drain(..).filter(|(words, _)| !words.is_empty());
        if let Some((words, color)) = badges.next() {
            fields.put("status", "Status", json!({"value": words, "tag_color": color}), tracked);
        }
        for (label, value) in self.pairs.drain(..) {
            fields.put("", &label, json!({"value": value}), false);
        }
        let tags: Vec<String> = badges.map(|(words, _)| words).collect();
        if !tags.is_empty() {
            fields.put("tags", "Tags", json!({"value": tags.join(", ")}), false);
        }
        let mut previewed = !matches!(kind, "file" | "content_item");
        for mut image in self.images.drain(..) {
            image["type"] = IMAGE.into();
            fields.put("preview", "Preview", image, !previewed);
            previewed = true;
        }
        if !self.lines.is_empty() {
            let value = json!({"value": self.lines.join("\n"), "long": true});
            fields.put("description", "Description", value, tracked || kind == "content_item");
        }
    }
}

/// The fields of a payload: those that Slack knows for the type, and the custom ones.
#[derive(Default)]
struct Fields {
    own: Map<String, Value>,
    custom: Vec<Value>,
    order: Vec<String>,
}

impl Fields {
    fn put(&mut self, key: &str, label: &str, mut value: Value, own: bool) {
        let key = self.key(if key.is_empty() { label } else { key });
        self.order.push(key.clone());
        if own {
            self.own.insert(key, value);
            return;
        }
        let mut field = json!({"key": key, "label": label, "type": "string"});
        if let (Some(field), Some(value)) = (field.as_object_mut(), value.as_object_mut()) {
            field.append(value);
        }
        self.custom.push(field);
    }

    /// A label as a key that no other field has.
    fn key(&self, label: &str) -> String {
        let slug: String = label
            .to_lowercase()
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .collect::<Vec<_>>()
            .join("_");
        let slug = if slug.is_empty() { "field".to_owned() } else { slug };
        let taken = |key: &String| self.order.contains(key);
        let mut numbered = (2..).map(|number| format!("{slug}_{number}"));
        if taken(&slug) { numbered.find(|key| !taken(key)).unwrap_or(slug) } else { slug }
    }
}

/// Whether a text can head an object; a longer one is a description.
fn is_title(words: &str) -> bool {
    (1..=limit::SECTION).contains(&limit::len(words))
}

fn color(node: &Value) -> &'static str {
    match node["color"].as_str() {
        Some("success") => "green",
        Some("danger") => "red",
        Some("warning") => "yellow",
        Some("info") => "blue",
        _ => "gray",
    }
}

/// Checks a Work Object as it is delivered: `{"event_type": …, "entity": {…}}`.
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

fn entity_faults(check: &mut Check, entity: &Map<String, Value>) {
    for wrapper in ["entity", "metadata", "entities", "event_payload"] {
        if entity.contains_key(wrapper) {
            let path = format!("entity.{wrapper}");
            check.fault(path, "nested one level too deep: Slack drops it silently");
        }
    }
    let kind = entity.get("entity_type").and_then(Value::as_str).unwrap_or_default();
    if !kind.strip_prefix(TYPES).is_some_and(|kind| KINDS.contains(&kind)) {
        let rule = format!("must be {TYPES} and one of {}", KINDS.join(", "));
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

fn payload_faults(check: &mut Check, payload: &Map<String, Value>) {
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
                check.fault(format!("{path}.display_order[{index}]"), "names no field");
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
            check.choice(button, "style", &path, &["primary", "danger"]);
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
