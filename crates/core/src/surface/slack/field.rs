//! Form fields as input blocks, and fields that act by themselves as menus and buttons.

use serde_json::{Value, json};

use super::compiler::{Compiler, Scope};
use super::component::{scalar, text};
use super::label::{SECRET, is_secret};
use super::object::plain;
use super::{action, glyph, limit, mrkdwn};

impl<'v> Compiler<'v> {
    pub(super) fn field(&mut self, node: &'v Value, at: &str, scope: Scope<'v>) {
        if is_secret(node) {
            return self.tell_secret(node, at);
        }
        let kind = node["type"].as_str().unwrap_or_default();
        // An editable text keeps the field's props apart, and its value is the text.
        let (props, start) = match kind {
            "Text" => (&node["editable"], text(node, "value")),
            _ => (node, text(node, "defaultValue")),
        };
        let name = props["name"].as_str().unwrap_or_default();
        let given = self.labels.take(name);
        let label = given.clone().unwrap_or_else(|| own_label(props, kind));
        let id = format!("input:{name}");
        let refusal = if node["disabled"] == true {
            Some("shown as text: Slack has no disabled fields")
        } else if name.is_empty() || name.contains(char::is_control) || limit::len(&id) > limit::ID
        {
            Some("shown as text: Slack needs a name of at most 255 characters")
        } else if !self.out.claim(&id) {
            Some("shown as text: another field has the same name")
        } else {
            None
        };
        if let Some(reason) = refusal {
            self.out.lose(at, reason);
            return self.as_text(node, &label, start.as_deref(), at);
        }
        let change = node.get("onChangeAction").filter(|action| action.is_object());
        if let Some(action) = change {
            if !scope.in_form && self.acting(node, &label, name, action, start.as_deref(), at) {
                return;
            }
            self.out.lose(
                &format!("{at}/onChangeAction"),
                "dropped: Slack sends a field with its form, not on change",
            );
        }
        if kind == "Checkbox" {
            return self.check(node, given.as_deref(), &label, &id, at);
        }
        let Some(mut element) = self.element(node, props, start.as_deref(), at) else {
            return self.as_text(node, &label, start.as_deref(), at);
        };
        element["action_id"] = id.into();
        // Slack marks optional fields. One that has a value already is not to be left empty, unless that
        // value is a text, which a person may delete.
        let is_preset = PRESET.iter().any(|member| !element[member].is_null())
            || element["type"] == "number_input" && !element["initial_value"].is_null();
        let optional = props["required"] != true && !is_preset;
        if is_preset && node["clearable"] == true {
            self.out.lose(at, "it cannot be emptied: Slack would mark it as optional");
        }
        let label = if optional { without_optional(&label) } else { &label };
        let label = self.out.fit(label, limit::LABEL, "a label", at);
        if element["placeholder"]["text"] == label.as_str()
            && let Some(element) = element.as_object_mut()
        {
            element.remove("placeholder");
        }
        self.out.input(
            json!({"type": "input", "label": plain(&label), "element": element, "optional": optional}),
            at,
        );
    }

    /// Says that a secret is not asked for here. One that need not be given stays as it is.
    pub(super) fn tell_secret(&mut self, node: &Value, at: &str) {
        self.out.lose(at, SECRET);
        let given = self.labels.take(node["name"].as_str().unwrap_or_default());
        let label = given.unwrap_or_else(|| own_label(node, "Input"));
        let hint = match node["required"] == true {
            true => "enter it in the app",
            false => "kept as it is, change it in the app",
        };
        self.out.small(&mrkdwn::escape(&format!("🔑 {label}: {hint}")), at);
    }

    /// A check box. What it asks stands beside it; a label above it only where the author gave one, or
    /// where Slack has to insist on an answer, which it does for inputs alone.
    fn check(&mut self, node: &Value, given: Option<&str>, label: &str, id: &str, at: &str) {
        let optional = node["required"] != true;
        let words = text(node, "label").unwrap_or_else(|| label.to_owned());
        let is_long = limit::len(&words) > limit::OPTION_TEXT;
        let above = match given.filter(|given| *given != words) {
            Some(given) => Some(given),
            None if is_long => Some(words.as_str()),
            None => (!optional).then_some("Please confirm"),
        };
        let beside = if above == Some(words.as_str()) { "✓" } else { &words };
        let beside = self.out.fit(beside, limit::OPTION_TEXT, "an option", at);
        let mut option = json!({"text": plain(&beside), "value": "true"});
        if let Some(note) = self.labels.take_note(at) {
            option["description"] = plain(&note);
        }
        let mut element = json!({"type": "checkboxes", "options": [option], "action_id": id});
        if node["defaultChecked"] == true {
            element["initial_options"] = json!([option]);
        }
        let Some(above) = above else { return self.out.check(element, at) };
        let above = if optional { without_optional(above) } else { above };
        let above = self.out.fit(above, limit::LABEL, "a label", at);
        self.out.input(
            json!({"type": "input", "label": plain(&above), "element": element, "optional": optional}),
            at,
        );
    }

    /// The control of an input block, without its id.
    fn element(
        &mut self,
        node: &'v Value,
        props: &Value,
        start: Option<&str>,
        at: &str,
    ) -> Option<Value> {
        let kind = node["type"].as_str().unwrap_or_default();
        let mut element = match kind {
            "Select" | "RadioGroup" => {
                let options = self.options(node, at);
                self.choice(kind, &options, start, at)?
            }
            "DatePicker" => self.date(node, start, at),
            _ => self.entry(node, start, at),
        };
        if let Some(hint) = text(props, "placeholder").filter(|_| kind != "RadioGroup") {
            let hint = self.out.fit(&hint, limit::PLACEHOLDER, "a placeholder", at);
            element["placeholder"] = plain(&hint);
        }
        if props["pattern"].is_string() {
            self.out.lose(at, "Slack does not check the pattern");
        }
        Some(element)
    }

    fn date(&mut self, node: &Value, start: Option<&str>, at: &str) -> Value {
        let mut element = json!({"type": "datepicker"});
        match start.map(day) {
            Some(Some(day)) => element["initial_date"] = day.into(),
            Some(None) => self.out.lose(at, "the start value is dropped: it is not a date"),
            None => {}
        }
        if node["min"].is_string() || node["max"].is_string() {
            self.out.lose(at, "Slack cannot limit the dates to choose from");
        }
        element
    }

    fn entry(&mut self, node: &Value, start: Option<&str>, at: &str) -> Value {
        let mut element = match node["inputType"].as_str() {
            Some("number") => json!({"type": "number_input", "is_decimal_allowed": true}),
            Some("email") => json!({"type": "email_text_input"}),
            Some("url") => json!({"type": "url_text_input"}),
            _ => {
                let long = start.is_some_and(|start| start.contains('\n'));
                let multiline = long || node["type"] == "Textarea";
                json!({"type": "plain_text_input", "multiline": multiline})
            }
        };
        let Some(start) = start else { return element };
        let number = start.parse::<f64>().is_ok_and(f64::is_finite);
        if element["type"] == "number_input" && !number {
            self.out.lose(at, "the start value is dropped: it is not a number");
        } else {
            element["initial_value"] =
                self.out.fit(start, limit::INITIAL, "a start value", at).into();
        }
        element
    }

    /// The options that Slack can take.
    fn options(&mut self, node: &Value, at: &str) -> Vec<Value> {
        let mut options: Vec<Value> = Vec::new();
        let given = node["options"].as_array().map(Vec::as_slice).unwrap_or_default();
        for (index, option) in given.iter().enumerate() {
            let at = format!("{at}/options/{index}");
            let value = scalar(&option["value"]);
            let words = text(option, "label").unwrap_or_else(|| mrkdwn::clean(&value));
            let reason = if option["disabled"] == true {
                Some("Slack has no disabled options")
            } else if value.is_empty()
                || words.is_empty()
                || limit::len(&value) > limit::OPTION_VALUE
            {
                Some("Slack takes option values of 1 to 150 characters")
            } else if options.iter().any(|other| other["value"] == value.as_str()) {
                Some("another option has the same value")
            } else if options.len() == limit::SELECT_OPTIONS {
                Some("Slack takes at most 100 options")
            } else {
                None
            };
            if let Some(reason) = reason {
                self.out.lose(&at, format!("dropped: {reason}"));
                continue;
            }
            let words = self.out.fit(&words, limit::OPTION_TEXT, "an option", &at);
            let mut made = json!({"text": plain(&words), "value": value});
            if let Some(note) = text(option, "description") {
                let note = self.out.fit(&note, limit::OPTION_TEXT, "a description", &at);
                made["description"] = plain(&note);
            }
            options.push(made);
        }
        options
    }

    fn choice(
        &mut self,
        kind: &str,
        options: &[Value],
        start: Option<&str>,
        at: &str,
    ) -> Option<Value> {
        if options.is_empty() {
            self.out.lose(at, "shown as text: there is nothing to choose from");
            return None;
        }
        let chosen = options.iter().find(|option| option["value"].as_str() == start).cloned();
        let radio = kind == "RadioGroup" && options.len() <= limit::CHOICE_OPTIONS;
        if kind == "RadioGroup" && !radio {
            self.out.lose(at, "shown as a menu: Slack has at most 10 radio buttons");
        }
        let control = if radio { "radio_buttons" } else { "static_select" };
        let mut element = json!({"type": control, "options": options});
        if let Some(chosen) = chosen {
            element["initial_option"] = chosen;
        }
        Some(element)
    }

    /// A field outside a form that calls a tool on change; false if Slack has no control for it.
    fn acting(
        &mut self,
        node: &'v Value,
        label: &str,
        name: &str,
        action: &Value,
        start: Option<&str>,
        at: &str,
    ) -> bool {
        let Ok(id) = action::tool_id(action) else { return false };
        match node["type"].as_str() {
            Some("Checkbox") => {
                let on = node["defaultChecked"] == true;
                let mark = if on { '☑' } else { '☐' };
                let payload = action::with(action, name, Value::Bool(!on));
                if limit::len(&payload) > limit::VALUE {
                    return false;
                }
                let words = format!("{mark} {label}");
                let words = self.out.fit(&words, limit::BUTTON_TEXT, "a button", at);
                self.out.lose(at, "shown as a button: outside a form Slack has no check box");
                self.out.button(
                    json!({"type": "button", "text": plain(&words), "action_id": id, "value": payload}),
                    at,
                );
                true
            }
            Some(kind @ ("Select" | "RadioGroup")) => {
                let payload = |value: &Value| action::with(action, name, value.clone());
                let fits = |option: &Value| {
                    limit::len(&payload(&scalar(&option["value"]).into())) <= limit::OPTION_VALUE
                };
                if !node["options"].as_array().is_some_and(|all| all.iter().all(fits)) {
                    return false;
                }
                let mut options = self.options(node, at);
                for option in &mut options {
                    option["value"] = payload(&option["value"]).into();
                }
                let start = start.map(|start| payload(&start.into()));
                let Some(mut menu) = self.choice("Select", &options, start.as_deref(), at) else {
                    self.as_text(node, label, start.as_deref(), at);
                    return true;
                };
                menu["action_id"] = id.into();
                if let Some(hint) = text(node, "placeholder") {
                    let hint = self.out.fit(&hint, limit::PLACEHOLDER, "a placeholder", at);
                    menu["placeholder"] = plain(&hint);
                }
                if kind == "RadioGroup" {
                    self.out.lose(at, "shown as a menu: only menus call a tool on change in Slack");
                }
                self.out.beside(&mrkdwn::mark(&mrkdwn::escape(label), '*'), menu, at);
                true
            }
            _ => false,
        }
    }

    /// A field that cannot be filled in: what it asks and the value it has.
    fn as_text(&mut self, node: &Value, label: &str, start: Option<&str>, at: &str) {
        if node["type"] == "Checkbox" {
            let state = if node["defaultChecked"] == true { "on" } else { "off" };
            let words = text(node, "label").unwrap_or_else(|| label.to_owned());
            let above = if words == label { String::new() } else { format!("{label}: ") };
            let lock = if node["disabled"] == true { "🔒 " } else { "" };
            return self.out.small(&mrkdwn::escape(&format!("{lock}{above}{words}: {state}")), at);
        }
        let given = node["options"].as_array().map(Vec::as_slice).unwrap_or_default();
        let chosen =
            given.iter().find(|option| start.is_some_and(|s| scalar(&option["value"]) == s));
        let value = match chosen {
            Some(option) => scalar(&option["label"]),
            None => start.unwrap_or("–").to_owned(),
        };
        let label = mrkdwn::mark(&mrkdwn::escape(label), '*');
        self.out.field(&format!("{label}\n{}", mrkdwn::escape(value.trim())), at);
    }
}

/// What an element of a choice or a date has if a value is set.
const PRESET: [&str; 2] = ["initial_option", "initial_date"];

/// What a field without a label is called.
fn own_label(props: &Value, kind: &str) -> String {
    let words = ["ariaLabel", "label", "placeholder"].iter().find_map(|key| text(props, key));
    words
        .or_else(|| text(props, "name").map(|name| glyph::words(&name)))
        .filter(|label| !label.is_empty())
        .unwrap_or_else(|| glyph::words(kind))
}

/// A label without "(optional)" at its end.
fn without_optional(label: &str) -> &str {
    let Some(start) = label.len().checked_sub("(optional)".len()) else { return label };
    match label.split_at_checked(start) {
        Some((rest, end)) if end.eq_ignore_ascii_case("(optional)") && !rest.trim().is_empty() => {
            rest.trim_end()
        }
        _ => label,
    }
}

/// The day of an ISO date or time.
fn day(text: &str) -> Option<String> {
    let day = text.get(..10)?;
    let numbers: Vec<u32> = day.split('-').filter_map(|part| part.parse().ok()).collect();
    let shaped = day.bytes().enumerate().all(|(at, byte)| match at {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    });
    match numbers.as_slice() {
        [_, 1..=12, 1..=31] if shaped => Some(day.to_owned()),
        _ => None,
    }
}
