//! What stands inside blocks: text objects, buttons, inputs, options and images.

use std::collections::HashSet;

use serde_json::Value;

use super::check::{Check, Members, has};
use crate::surface::slack::limit;

/// A kind of element: the blocks that may hold it, and its members.
struct Kind {
    name: &'static str,
    blocks: &'static str,
    keys: &'static str,
}

const PICKED: &str = "actions input section";
const TYPED: &str = "input";
const PICK_KEYS: &str = "action_id placeholder confirm focus_on_load";

const fn kind(name: &'static str, blocks: &'static str, keys: &'static str) -> Kind {
    Kind { name, blocks, keys }
}

const KINDS: &[Kind] = &[
    kind(
        "button",
        "actions section card",
        "action_id text value url style confirm accessibility_label",
    ),
    kind("image", "section context", "image_url slack_file alt_text"),
    kind("static_select", PICKED, "options option_groups initial_option"),
    kind("multi_static_select", PICKED, "options option_groups initial_options max_selected_items"),
    kind("external_select", PICKED, "initial_option min_query_length"),
    kind("multi_external_select", PICKED, "initial_options min_query_length max_selected_items"),
    kind("users_select", PICKED, "initial_user"),
    kind("multi_users_select", PICKED, "initial_users max_selected_items"),
    kind(
        "conversations_select",
        PICKED,
        "initial_conversation default_to_current_conversation filter response_url_enabled",
    ),
    kind(
        "multi_conversations_select",
        PICKED,
        "initial_conversations default_to_current_conversation filter max_selected_items",
    ),
    kind("channels_select", PICKED, "initial_channel response_url_enabled"),
    kind("multi_channels_select", PICKED, "initial_channels max_selected_items"),
    kind("datepicker", PICKED, "initial_date"),
    kind("timepicker", PICKED, "initial_time timezone"),
    kind("datetimepicker", "actions input", "initial_date_time"),
    kind("checkboxes", PICKED, "options initial_options"),
    kind("radio_buttons", PICKED, "options initial_option"),
    kind("overflow", "actions section", "options"),
    kind(
        "plain_text_input",
        TYPED,
        "initial_value multiline min_length max_length dispatch_action_config",
    ),
    kind("email_text_input", TYPED, "initial_value dispatch_action_config"),
    kind("url_text_input", TYPED, "initial_value dispatch_action_config"),
    kind(
        "number_input",
        TYPED,
        "is_decimal_allowed initial_value min_value max_value dispatch_action_config",
    ),
    kind("rich_text_input", TYPED, "initial_value dispatch_action_config"),
    kind("file_input", TYPED, "filetypes max_files"),
];

/// The least and the most options of an element.
fn option_count(kind: &str) -> (usize, usize) {
    match kind {
        "checkboxes" | "radio_buttons" => (1, limit::CHOICE_OPTIONS),
        "overflow" => (1, limit::OVERFLOW_OPTIONS),
        _ => (1, limit::SELECT_OPTIONS),
    }
}

impl Check {
    pub(super) fn text(
        &mut self,
        members: &Members,
        key: &str,
        path: &str,
        most: usize,
        kinds: &str,
    ) {
        let path = format!("{path}.{key}");
        match members.get(key) {
            Some(value) => self.text_object(value, &path, most, kinds),
            None => self.fault(path, "is required"),
        }
    }

    pub(super) fn text_object(&mut self, value: &Value, path: &str, most: usize, kinds: &str) {
        let Value::Object(text) = value else {
            return self.fault(path, "must be a text object");
        };
        let kind = text.get("type").and_then(Value::as_str).unwrap_or_default();
        if !has(kinds, kind) {
            self.fault(format!("{path}.type"), format!("must be {}", kinds.replace(' ', " or ")));
        }
        let flag = if kind == "mrkdwn" { "verbatim" } else { "emoji" };
        self.keys(text, path, &format!("text {flag}"));
        self.flag(text, flag, path);
        self.string(text, "text", path, 1, most);
    }

    pub(super) fn element(&mut self, value: &Value, path: &str, block: &str) {
        let kinds = KINDS.iter().filter(|kind| has(kind.blocks, block));
        let names = kinds.map(|kind| kind.name).collect::<Vec<_>>().join(" ");
        let Some((element, name)) = self.typed(value, path, &names) else { return };
        let Some(kind) = KINDS.iter().find(|kind| kind.name == name) else { return };
        if name == "image" {
            self.keys(element, path, kind.keys);
            return self.image(element, path);
        }
        self.keys(element, path, &format!("{} {PICK_KEYS}", kind.keys));
        self.id(element, path, block);
        if element.contains_key("placeholder") {
            self.text(element, "placeholder", path, limit::PLACEHOLDER, "plain_text");
        }
        let tool = is_tool(element);
        match name {
            "button" => self.button(element, path, tool),
            "datepicker" => self.shaped(element, "initial_date", path, "0000-00-00"),
            "timepicker" => self.shaped(element, "initial_time", path, "00:00"),
            "number_input" => self.number(element, path),
            "plain_text_input" | "email_text_input" | "url_text_input" => {
                self.optional(element, "initial_value", path, limit::INITIAL);
                self.flag(element, "multiline", path);
            }
            _ => {}
        }
        if has(kind.keys, "options") {
            self.options(element, name, path, tool);
        }
    }

    /// Every element needs an `action_id`, except a button that opens a link.
    fn id(&mut self, element: &Members, path: &str, block: &str) {
        let Some(id) = element.get("action_id") else {
            if !element.contains_key("url") {
                self.fault(format!("{path}.action_id"), "is required");
            }
            return;
        };
        self.string(element, "action_id", path, 1, limit::ID);
        let Some(id) = id.as_str() else { return };
        if !self.action_ids.insert(id.to_owned()) {
            self.fault(format!("{path}.action_id"), "must be unique in its block");
        }
        if id == "tool:" || id == "input:" {
            self.fault(format!("{path}.action_id"), format!("needs a name after `{id}`"));
        }
        if block == "input" && id.starts_with("tool:") {
            self.fault(format!("{path}.action_id"), "an input is named `input:<argument>`");
        }
        if id.starts_with("input:") && !self.inputs.insert(id.to_owned()) {
            self.fault(format!("{path}.action_id"), "a field's name must be unique in the message");
        }
    }

    fn button(&mut self, button: &Members, path: &str, tool: bool) {
        self.text(button, "text", path, limit::BUTTON_TEXT, "plain_text");
        self.choice(button, "style", path, "primary danger");
        self.optional(button, "accessibility_label", path, limit::BUTTON_TEXT);
        if button.contains_key("value") {
            self.string(button, "value", path, 0, limit::VALUE);
        }
        if button.contains_key("url") {
            self.https(button, "url", path, false);
        }
        if tool {
            self.arguments(button.get("value"), &format!("{path}.value"));
        }
    }

    /// Slackbot parses the value of whatever calls a tool.
    fn arguments(&mut self, value: Option<&Value>, path: &str) {
        let json = value.and_then(Value::as_str).map(serde_json::from_str::<Value>);
        if !matches!(json, Some(Ok(_))) {
            self.fault(path, "a `tool:` action needs its arguments as a JSON string");
        }
    }

    fn shaped(&mut self, element: &Members, key: &str, path: &str, shape: &str) {
        let Some(value) = element.get(key) else { return };
        let fits = value.as_str().is_some_and(|text| {
            text.len() == shape.len()
                && text.bytes().zip(shape.bytes()).all(|(byte, want)| match want {
                    b'0' => byte.is_ascii_digit(),
                    other => byte == other,
                })
        });
        if !fits {
            self.fault(format!("{path}.{key}"), format!("must look like {shape}"));
        }
    }

    fn number(&mut self, element: &Members, path: &str) {
        if !element.get("is_decimal_allowed").is_some_and(Value::is_boolean) {
            self.fault(format!("{path}.is_decimal_allowed"), "must be true or false");
        }
        for key in ["initial_value", "min_value", "max_value"] {
            let Some(value) = element.get(key) else { continue };
            let number = value.as_str().and_then(|text| text.parse::<f64>().ok());
            if !number.is_some_and(f64::is_finite) {
                self.fault(format!("{path}.{key}"), "must be a number as a string");
            }
        }
    }

    fn options(&mut self, element: &Members, kind: &str, path: &str, tool: bool) {
        let (least, most) = option_count(kind);
        let mut all: Vec<&Value> = Vec::new();
        if let Some(Value::Array(groups)) = element.get("option_groups") {
            if element.contains_key("options") {
                self.fault(path, "has options or option_groups, not both");
            }
            if !(1..=limit::SELECT_OPTIONS).contains(&groups.len()) {
                self.fault(format!("{path}.option_groups"), "1 to 100 groups");
            }
            for (index, group) in groups.iter().enumerate() {
                let path = format!("{path}.option_groups[{index}]");
                let Value::Object(group) = group else {
                    self.fault(path, "must be an object");
                    continue;
                };
                self.text(group, "label", &path, limit::OPTION_TEXT, "plain_text");
                let options = self.list(group, "options", &path, 1, most);
                self.each_option(options, kind, &path, tool);
                all.extend(options);
            }
        } else {
            let options = self.list(element, "options", path, least, most);
            self.each_option(options, kind, path, tool);
            all.extend(options);
        }
        let mut values = HashSet::new();
        if !all.iter().all(|option| values.insert(option["value"].to_string())) {
            self.fault(format!("{path}.options"), "the values of options must be unique");
        }
        let one = element.get("initial_option");
        let many = element.get("initial_options").and_then(Value::as_array);
        if one.into_iter().chain(many.into_iter().flatten()).any(|start| !all.contains(&start)) {
            let key = if one.is_some() { "initial_option" } else { "initial_options" };
            self.fault(format!("{path}.{key}"), "must equal one of the options");
        }
        if many.is_some_and(Vec::is_empty) {
            self.fault(format!("{path}.initial_options"), "must not be empty");
        }
    }

    fn each_option(&mut self, options: &[Value], kind: &str, path: &str, tool: bool) {
        let marked = matches!(kind, "checkboxes" | "radio_buttons");
        let kinds = if marked { "plain_text mrkdwn" } else { "plain_text" };
        for (index, option) in options.iter().enumerate() {
            let path = format!("{path}.options[{index}]");
            let Value::Object(option) = option else {
                self.fault(path, "must be an object");
                continue;
            };
            self.keys(option, &path, "text value description url");
            self.text(option, "text", &path, limit::OPTION_TEXT, kinds);
            self.string(option, "value", &path, 1, limit::OPTION_VALUE);
            if option.contains_key("description") {
                self.text(option, "description", &path, limit::OPTION_TEXT, kinds);
            }
            if option.contains_key("url") {
                self.https(option, "url", &path, false);
            }
            if tool {
                self.arguments(option.get("value"), &format!("{path}.value"));
            }
        }
    }

    pub(super) fn image(&mut self, image: &Members, path: &str) {
        self.string(image, "alt_text", path, 1, limit::ALT);
        match (image.contains_key("image_url"), image.get("slack_file")) {
            (true, Some(_)) => self.fault(path, "has image_url or slack_file, not both"),
            (false, Some(file)) if file["id"].is_string() || file["url"].is_string() => {}
            (false, Some(_)) => self.fault(format!("{path}.slack_file"), "needs an id or a url"),
            _ => self.https(image, "image_url", path, true),
        }
    }
}

fn is_tool(element: &Members) -> bool {
    let id = element.get("action_id").and_then(Value::as_str);
    id.is_some_and(|id| id.starts_with("tool:")) && !element.contains_key("url")
}
