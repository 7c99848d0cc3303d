//! Work Objects: a view as an entity that Slack unfurls and opens beside the conversation.
//!
//! The type, id and address of the entity are not in a tree: the caller gives them.

use std::collections::HashMap;

use serde_json::{Map, Value, json};
use widgetcast_engine::tree::component::Component;

use super::component::{self, children, text};
use super::{action, fact, glyph, limit, mrkdwn};
use crate::surface::loss::Loss;

/// What every entity type starts with.
pub(super) const TYPES: &str = "slack#/entities/";
/// The type of a field that is an image.
pub(super) const IMAGE: &str = "slack#/types/image";

/// The entity that a view is about.
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
    /// The name of the metadata event; `widget_view` by default.
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

/// The content of a tree, by the parts of a Work Object.
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
        if let Some((label, value)) = fact::bare_pair(node, at) {
            let label = mrkdwn::clean(label.trim_end_matches(':'));
            return self.pairs.push((label, mrkdwn::clean(&value)));
        }
        let kind = node["type"].as_str().unwrap_or_default();
        let words = mrkdwn::clean(&component::words(node));
        match kind {
            "Title" if self.title.is_none() && is_title(&words) => self.title = Some(words),
            "Title" | "Text" | "Caption" | "Label" | "Markdown" => self.lines.push(words),
            "Badge" => self.badges.push((words, color(node))),
            "Image" => match component::picture(node, self.title.as_deref()) {
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
        let same = self.actions.iter().find(|(other, _)| other["action_id"] == made["action_id"]);
        if let Some((other, _)) = same {
            let reason = match other["value"] == made["value"] {
                true => "dropped: another button has the same action",
                false => {
                    "dropped: another button has an action of the same type, and Slack tells the \
                     buttons of a Work Object apart by it, not by the payload"
                }
            };
            return self.lose(at, reason);
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
        // What calls a tool comes first: there is little room, and links stand in the text of a page too.
        self.actions.sort_by_key(|(action, _)| action["url"].is_string());
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
    /// How many fields of a key there were so far; a key that was given a number is among them.
    taken: HashMap<String, usize>,
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
    fn key(&mut self, label: &str) -> String {
        let slug: String = label
            .to_lowercase()
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .collect::<Vec<_>>()
            .join("_");
        let slug = if slug.is_empty() { "field".to_owned() } else { slug };
        let mut count = self.taken.get(&slug).copied().unwrap_or(0);
        loop {
            count += 1;
            let key = if count == 1 { slug.clone() } else { format!("{slug}_{count}") };
            if count == 1 || !self.taken.contains_key(&key) {
                self.taken.entry(key.clone()).or_insert(1);
                self.taken.insert(slug, count);
                return key;
            }
        }
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
