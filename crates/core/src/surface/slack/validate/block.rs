//! Blocks: which members each kind has, and what they may hold.

use serde_json::Value;

use super::check::{Check, Members};
use crate::surface::slack::limit;

/// The blocks that a container may hold.
const CONTAINED: &str =
    "actions context divider file header image input rich_text section table video";

impl Check {
    pub(super) fn block(&mut self, value: &Value, path: &str, depth: usize, allowed: &str) {
        if depth > limit::NESTING {
            return self.fault(path, format!("nested deeper than {}", limit::NESTING));
        }
        let Some((block, kind)) = self.typed(value, path, allowed) else { return };
        self.action_ids.clear();
        if let Some(id) = block.get("block_id") {
            self.string(block, "block_id", path, 1, limit::ID);
            if id.as_str().is_some_and(|id| !self.block_ids.insert(id.to_owned())) {
                self.fault(format!("{path}.block_id"), "must be unique in the message");
            }
        }
        self.keys(block, path, known(kind));
        match kind {
            "header" => self.text(block, "text", path, limit::HEADER, "plain_text"),
            "section" => self.section(block, path),
            "context" => self.context(block, path),
            "actions" => {
                for (index, element) in
                    self.list(block, "elements", path, 1, limit::ACTIONS).iter().enumerate()
                {
                    self.element(element, &format!("{path}.elements[{index}]"), "actions");
                }
            }
            "image" => {
                self.image(block, path);
                if block.contains_key("title") {
                    self.text(block, "title", path, limit::IMAGE_TITLE, "plain_text");
                }
            }
            "input" => self.input(block, path),
            "markdown" => {
                self.string(block, "text", path, 1, limit::MARKDOWN);
                self.markdown += block.get("text").and_then(Value::as_str).map_or(0, limit::len);
            }
            "rich_text" => self.rich_text(block, path, depth),
            "card" => self.card(block, path),
            "carousel" => {
                let cards = self.list(block, "elements", path, 1, limit::CARDS);
                for (index, card) in cards.iter().enumerate() {
                    self.block(card, &format!("{path}.elements[{index}]"), depth + 1, "card");
                }
            }
            "container" => self.container(block, path, depth),
            "table" | "data_table" => self.table(block, kind, path, depth),
            "data_visualization" => self.visualization(block, path),
            "video" => self.video(block, path),
            "file" => {
                self.string(block, "external_id", path, 1, limit::ID);
                self.string(block, "source", path, 1, limit::ID);
            }
            _ => {}
        }
    }

    fn section(&mut self, block: &Members, path: &str) {
        let both = "plain_text mrkdwn";
        if !block.contains_key("text") && !block.contains_key("fields") {
            self.fault(path, "a section needs text or fields");
        }
        if block.contains_key("text") {
            self.text(block, "text", path, limit::SECTION, both);
        }
        if block.contains_key("fields") {
            let fields = self.list(block, "fields", path, 1, limit::FIELDS);
            for (index, field) in fields.iter().enumerate() {
                self.text_object(field, &format!("{path}.fields[{index}]"), limit::FIELD, both);
            }
        }
        if let Some(accessory) = block.get("accessory") {
            self.element(accessory, &format!("{path}.accessory"), "section");
        }
        self.flag(block, "expand", path);
    }

    fn context(&mut self, block: &Members, path: &str) {
        let list = self.list(block, "elements", path, 1, limit::CONTEXT_ELEMENTS);
        for (index, element) in list.iter().enumerate() {
            let path = format!("{path}.elements[{index}]");
            if element["type"] == "image" {
                self.element(element, &path, "context");
            } else {
                self.text_object(element, &path, limit::CONTEXT, "plain_text mrkdwn");
            }
        }
    }

    fn input(&mut self, block: &Members, path: &str) {
        self.text(block, "label", path, limit::LABEL, "plain_text");
        if block.contains_key("hint") {
            self.text(block, "hint", path, limit::LABEL, "plain_text");
        }
        self.flag(block, "optional", path);
        self.flag(block, "dispatch_action", path);
        match block.get("element") {
            Some(element) => self.element(element, &format!("{path}.element"), "input"),
            None => self.fault(format!("{path}.element"), "is required"),
        }
    }

    fn card(&mut self, block: &Members, path: &str) {
        if !["hero_image", "title", "actions", "body"].iter().any(|key| block.contains_key(*key)) {
            self.fault(path, "a card needs a hero_image, title, body or actions");
        }
        for key in ["hero_image", "icon"] {
            if let Some(image) = block.get(key) {
                self.element(image, &format!("{path}.{key}"), "context");
            }
        }
        for (key, most) in [
            ("title", limit::CARD_TITLE),
            ("subtitle", limit::CARD_TITLE),
            ("body", limit::CARD_BODY),
        ] {
            if block.contains_key(key) {
                self.text(block, key, path, most, "mrkdwn plain_text");
            }
        }
        if block.contains_key("actions") {
            let list = self.list(block, "actions", path, 1, limit::CARD_BUTTONS);
            for (index, button) in list.iter().enumerate() {
                self.element(button, &format!("{path}.actions[{index}]"), "card");
            }
        }
    }

    fn container(&mut self, block: &Members, path: &str, depth: usize) {
        if block.contains_key("title") {
            self.text(block, "title", path, limit::CONTAINER_TITLE, "plain_text");
        } else if let Some(title) = block.get("rich_text_title") {
            self.block(title, &format!("{path}.rich_text_title"), depth + 1, "rich_text");
        } else {
            self.fault(format!("{path}.title"), "is required");
        }
        if block.contains_key("subtitle") {
            let both = "plain_text mrkdwn";
            self.text(block, "subtitle", path, limit::CONTAINER_TITLE, both);
        }
        if let Some(icon) = block.get("icon") {
            self.element(icon, &format!("{path}.icon"), "context");
        }
        for key in ["is_collapsible", "default_collapsed", "has_header_divider"] {
            self.flag(block, key, path);
        }
        self.choice(block, "width", path, "narrow standard wide full");
        let list = self.list(block, "child_blocks", path, 1, limit::CONTAINER_BLOCKS);
        for (index, child) in list.iter().enumerate() {
            self.block(child, &format!("{path}.child_blocks[{index}]"), depth + 1, CONTAINED);
        }
    }

    fn video(&mut self, block: &Members, path: &str) {
        self.https(block, "video_url", path, true);
        self.https(block, "thumbnail_url", path, true);
        self.string(block, "alt_text", path, 1, limit::ALT);
        self.text(block, "title", path, limit::VIDEO_TITLE - 1, "plain_text");
        self.optional(block, "author_name", path, limit::VIDEO_AUTHOR - 1);
        for key in ["title_url", "provider_icon_url"] {
            if block.contains_key(key) {
                self.https(block, key, path, false);
            }
        }
    }
}

/// The members of a block, its type excepted.
fn known(kind: &str) -> &'static str {
    match kind {
        "header" | "markdown" => "block_id text",
        "section" => "block_id text fields accessory expand",
        "context" | "actions" | "rich_text" | "carousel" => "block_id elements",
        "image" => "block_id image_url slack_file alt_text title",
        "input" => "block_id label hint optional element dispatch_action",
        "card" => "block_id hero_image icon title subtitle body actions",
        "container" => {
            "block_id title rich_text_title subtitle child_blocks width icon is_collapsible default_collapsed has_header_divider"
        }
        "table" => "block_id rows column_settings",
        "data_table" => "block_id rows caption page_size row_header_column_index",
        "data_visualization" => "block_id title chart",
        "video" => {
            "block_id video_url thumbnail_url alt_text title title_url author_name provider_name provider_icon_url description"
        }
        "file" => "block_id external_id source",
        _ => "block_id",
    }
}
