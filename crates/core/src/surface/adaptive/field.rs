//! Form fields as inputs. Each has an id of its own, a label, and a message if it is required.

use serde_json::{Value, json};

use super::builder::{Builder, holding};
use super::layout::ACTIONS;
use super::words::plain;
use crate::surface::node::{date, field_name, kind, link, one_line, text};

/// The most options of a list that needs no search.
const SHORT: usize = 15;
/// The letters of a line and the lines of a text that hosts show of a field of several lines.
const COLUMNS: usize = 40;
const LINES: usize = 3;

impl Builder<'_> {
    /// A field as an input.
    pub(super) fn field(&mut self, node: &Value, at: &str) -> Vec<Value> {
        let name = field_name(node).unwrap_or_else(|| kind(node).to_lowercase());
        let label = self.label(node, &name);
        if node["disabled"] == true {
            self.lose(&format!("{at}/disabled"), "a field that is disabled is shown as text");
            return self.as_text(node, &label, at);
        }
        let change = node.get("onChangeAction");
        let change = match change.filter(|_| !(self.is_in_form && self.is_sent)) {
            Some(action) if link(action).is_none() => Some(action),
            _ => None,
        };
        if change.is_none() && !self.is_sent {
            self.lose(at, "no button sends the field: it is shown as text");
            return self.as_text(node, &label, at);
        }
        let id = self.id(&name, at);
        if let Some(action) = change
            && let Some(buttons) = self.choice_buttons(node, &name, &id, action)
        {
            return buttons;
        }
        if change.is_none() && node.get("onChangeAction").is_some() {
            let reason = "a field can not act when it changes: only a button sends it";
            self.lose(&format!("{at}/onChangeAction"), reason);
        }
        let mut input = match kind(node) {
            "Checkbox" => {
                let on = if node["defaultChecked"] == true { "true" } else { "false" };
                // The title is the label; both would be read twice.
                let mut toggle =
                    json!({"type": "Input.Toggle", "title": label, "value": on, "wrap": true});
                if is_required(node) {
                    // Hosts mark only labels as required.
                    toggle["label"] = "Please confirm".into();
                }
                toggle
            }
            "Select" | "RadioGroup" => self.choices(node, &label, at),
            "DatePicker" => self.date(node, &label, at),
            "Input" if node["inputType"] == "number" => number(node, &label),
            _ => entry(node, &label),
        };
        input["id"] = id.into();
        if is_required(node) {
            input["isRequired"] = true.into();
            input["errorMessage"] = format!("{label} is required").into();
        }
        if let Some(pattern) = text(node, "pattern").or_else(|| text(&node["editable"], "pattern"))
            && input["type"] == "Input.Text"
        {
            input["regex"] = pattern.into();
            if input["errorMessage"].is_null() {
                input["errorMessage"] = format!("{label} is not valid").into();
            }
        }
        let mut items = vec![input];
        if let Some(action) = change {
            let send = self.action("Apply", Some(action));
            items.push(json!({"type": "ActionSet", "actions": [send]}));
        }
        items
    }

    /// A choice of few options that acts when it changes, as a button for each; none for anything else.
    fn choice_buttons(
        &mut self,
        node: &Value,
        name: &str,
        id: &str,
        action: &Value,
    ) -> Option<Vec<Value>> {
        let options = node["options"].as_array().map(Vec::as_slice).unwrap_or_default();
        let is_few = (1..=ACTIONS).contains(&options.len());
        let start = text(node, "defaultValue");
        let mut buttons = Vec::new();
        for option in options.iter().filter(|_| is_few) {
            let value = text(option, "value")?;
            let mut button = self.action(&option_title(option)?, Some(action));
            button["data"][id] = value.clone().into();
            // Other fields of the card need not be filled in.
            button["associatedInputs"] = "none".into();
            if start.as_ref() == Some(&value) {
                button["style"] = "positive".into();
            }
            if option["disabled"] == true {
                button["isEnabled"] = false.into();
            }
            buttons.push(button);
        }
        if buttons.is_empty() {
            return None;
        }
        let label = self.labels.get(name).cloned().unwrap_or_default();
        let mut items = plain(&one_line(&label), &json!({"size": "Small", "isSubtle": true}));
        let mut set = holding("ActionSet", "actions", buttons);
        if !items.is_empty() {
            set["spacing"] = "Small".into();
        }
        items.push(set);
        Some(items)
    }

    /// A field that can not be filled in, as text: an input could be.
    fn as_text(&mut self, node: &Value, label: &str, at: &str) -> Vec<Value> {
        let look = json!({"isSubtle": true});
        let start = text(node, if kind(node) == "Text" { "value" } else { "defaultValue" });
        let options = node["options"].as_array().map(Vec::as_slice).unwrap_or_default();
        if !options.is_empty() {
            self.lose(&format!("{at}/options"), "of a field as text only its value is shown");
        }
        let chosen = options.iter().find(|option| text(option, "value") == start);
        let value = match kind(node) {
            _ if node["inputType"] == "password" => start.map(|_| "••••••".to_owned()),
            "DatePicker" => start.map(|start| date(&start)),
            // A sign would look like a check box that does not react.
            "Checkbox" if node["defaultChecked"] == true => Some("On".to_owned()),
            "Checkbox" => Some("Off".to_owned()),
            _ => chosen.and_then(|option| text(option, "label")).or(start),
        };
        if kind(node) == "Checkbox" {
            // A setting and its state, on one line.
            let mut name = holding("Column", "items", plain(label, &json!({})));
            name["width"] = "stretch".into();
            let state = plain(&value.unwrap_or_default(), &look);
            let mut state = holding("Column", "items", state);
            state["width"] = "auto".into();
            return vec![holding("ColumnSet", "columns", vec![name, state])];
        }
        let mut items = plain(label, &json!({"weight": "Bolder"}));
        for mut item in plain(value.as_deref().unwrap_or("–"), &look) {
            item["spacing"] = "None".into();
            items.push(item);
        }
        items
    }

    /// The name, unless it is taken.
    fn id(&mut self, name: &str, at: &str) -> String {
        let mut id = name.to_owned();
        // Counts on from the last field of the name: from 1 it would try as many ids as there are
        // fields.
        let mut count = self.same_name.get(name).copied().unwrap_or(1);
        while !self.ids.insert(id.clone()) {
            count += 1;
            id = format!("{name}-{count}");
        }
        self.same_name.insert(name.to_owned(), count);
        if count > 1 {
            self.lose(at, &format!("the name {name} is taken: the field is sent as {id}"));
        }
        id
    }

    fn label(&self, node: &Value, name: &str) -> String {
        let label = text(node, "label").filter(|_| kind(node) == "Checkbox");
        let label = label
            .or_else(|| self.labels.get(name).cloned())
            .or_else(|| text(node, "ariaLabel"))
            .or_else(|| text(node, "placeholder"))
            .or_else(|| text(&node["editable"], "placeholder"))
            .unwrap_or_else(|| name.to_owned());
        one_line(&label)
    }

    fn choices(&mut self, node: &Value, label: &str, at: &str) -> Value {
        let mut choices = Vec::new();
        for (index, option) in node["options"].as_array().into_iter().flatten().enumerate() {
            let at = format!("{at}/options/{index}");
            let (Some(title), Some(value)) = (option_title(option), text(option, "value")) else {
                self.lose(&at, "an option needs a label and a value");
                continue;
            };
            if option["disabled"] == true {
                self.lose(&at, "an option can not be disabled: it can be chosen");
            }
            choices.push(json!({"title": title, "value": value}));
        }
        if choices.is_empty() {
            self.lose(at, "a choice needs options: it is shown as a text field");
            return json!({"type": "Input.Text", "label": label});
        }
        let style = match kind(node) {
            "RadioGroup" => "expanded",
            // A filtered list shows values where a host has no labels: not for a short one.
            _ if node["searchable"] == true && choices.len() > SHORT => "filtered",
            _ => "compact",
        };
        let mut set = json!({
            "type": "Input.ChoiceSet", "label": label, "style": style, "choices": choices,
        });
        if style == "expanded" {
            set["wrap"] = true.into();
        }
        if let Some(start) = text(node, "defaultValue") {
            set["value"] = start.into();
        }
        if let Some(hint) = text(node, "placeholder") {
            set["placeholder"] = hint.into();
        }
        set
    }

    fn date(&mut self, node: &Value, label: &str, at: &str) -> Value {
        let mut input = json!({"type": "Input.Date", "label": label});
        for (key, prop) in [("value", "defaultValue"), ("min", "min"), ("max", "max")] {
            let Some(value) = text(node, prop) else { continue };
            match day(&value) {
                Some(day) => input[key] = day.into(),
                None => self.lose(&format!("{at}/{prop}"), "not a date as 2027-03-18"),
            }
            let time = value.split_once('T').map_or("", |(_, time)| time);
            if !time.is_empty() && !time.starts_with("00:00") && prop == "defaultValue" {
                self.lose(&format!("{at}/{prop}"), "a date has no time of day");
            }
        }
        if let Some(hint) = text(node, "placeholder") {
            input["placeholder"] = hint.into();
        }
        input
    }
}

/// An option in words.
fn option_title(option: &Value) -> Option<String> {
    let title = text(option, "label")?;
    Some(one_line(&match text(option, "description") {
        Some(more) => format!("{title} ({more})"),
        None => title,
    }))
}

fn is_required(node: &Value) -> bool {
    node["required"] == true || node["editable"]["required"] == true
}

fn number(node: &Value, label: &str) -> Value {
    let start = text(node, "defaultValue");
    let value = start.as_deref().map(|start| start.trim().parse::<f64>());
    if let Some(Err(_)) = value {
        return entry(node, label);
    }
    let mut input = json!({"type": "Input.Number", "label": label});
    if let Some(Ok(value)) = value.filter(|v| v.as_ref().is_ok_and(|v| v.is_finite())) {
        // A whole number without its `.0`.
        input["value"] = if value.fract() == 0.0 && value.abs() < 1e15 {
            (value as i64).into()
        } else {
            value.into()
        };
    }
    if let Some(hint) = text(node, "placeholder") {
        input["placeholder"] = hint.into();
    }
    input
}

fn entry(node: &Value, label: &str) -> Value {
    let start = text(node, if kind(node) == "Text" { "value" } else { "defaultValue" });
    let mut input = json!({"type": "Input.Text", "label": label});
    let is_long = kind(node) == "Textarea"
        || node["minLines"].as_f64().is_some_and(|lines| lines > 1.0)
        || start.as_ref().is_some_and(|start| start.contains('\n'));
    if is_long {
        input["isMultiline"] = true.into();
    }
    let lines = |start: &String| {
        start.lines().map(|line| 1 + line.chars().count() / COLUMNS).sum::<usize>()
    };
    if is_long && start.as_ref().is_some_and(|start| lines(start) > LINES) {
        input["height"] = "stretch".into();
    }
    if let Some(start) = start {
        input["value"] = start.into();
    }
    if let Some(hint) = text(node, "placeholder").or_else(|| text(&node["editable"], "placeholder"))
    {
        input["placeholder"] = hint.into();
    }
    let style = match node["inputType"].as_str() {
        Some("email") => "Email",
        Some("tel") => "Tel",
        Some("url") => "Url",
        Some("password") => "Password",
        _ => return input,
    };
    input["style"] = style.into();
    input
}

/// The day of a date or a moment: `2027-03-18`.
fn day(value: &str) -> Option<&str> {
    let day = value.split('T').next()?;
    let parts: Vec<&str> = day.split('-').collect();
    let [year, month, date] = parts.as_slice() else { return None };
    let digits =
        |part: &str, length| part.len() == length && part.bytes().all(|b| b.is_ascii_digit());
    let is_day = digits(year, 4)
        && digits(month, 2)
        && digits(date, 2)
        && month.parse().is_ok_and(|month| (1..=12).contains(&month))
        && date.parse().is_ok_and(|date| (1..=31).contains(&date));
    is_day.then_some(day)
}
