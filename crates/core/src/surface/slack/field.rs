//! Fields of forms as input blocks, and fields that call a tool by themselves as menus and buttons.

use widgetcast_engine::json::write_string;
use widgetcast_engine::outline::{Action, Choice, Field, FieldKind, Question, day};
use widgetcast_engine::words::Word;

use super::action::{is_callable, tool, value};
use super::piece::{
    Element, Group, Kind, Piece, member, plain_member, write_list, write_option, write_plain,
};
use super::writer::{Layout, Writer};
use super::{limit, mrkdwn};

impl<'t> Writer<'_, 't> {
    pub(super) fn field(&mut self, field: &Field<'t>) {
        if !self.answer(field)
            && let Some(line) = field.below
        {
            let hint = self.line(line);
            self.pieces.context(&hint);
        }
    }

    /// A field, and whether it shows its hint.
    fn answer(&mut self, field: &Field<'t>) -> bool {
        self.pieces.see(field.at);
        let label = self.field_label(field);
        let is_shown = field.is_disabled || field.kind == FieldKind::Password;
        let is_choice = matches!(field.kind, FieldKind::Select | FieldKind::Radio);
        let refused = if is_shown {
            // The loss is one that every such field has.
            Some("")
        } else if field.name.trim().is_empty()
            || field.name.contains(char::is_control)
            || limit::len(field.name) + 6 > limit::ID
        {
            Some("shown as text: Slack needs a name of 1 to 249 characters")
        } else if !self.names.insert(field.name) {
            Some("shown as text: another field has the same name")
        } else if is_choice && !field.choices.iter().any(is_option) {
            Some("shown as text: it has no options")
        } else {
            None
        };
        if let Some(reason) = refused {
            if !reason.is_empty() {
                self.lose(field.at, reason);
            }
            self.shown_field(field, &label);
            return false;
        }
        if let Some(change) = &field.change {
            if !self.is_form && is_callable(change) && self.acting(field, change, &label) {
                return false;
            }
            self.lose(
                field.at,
                "the change action is omitted: Slack submits fields with their form",
            );
        }
        if field.kind == FieldKind::Checkbox {
            self.checkbox(field, &label);
            return true;
        }
        let (kind, mut members) = match is_choice {
            true => self.choices(field),
            false => self.entry(field),
        };
        let hint = mrkdwn::line(field.hint);
        if !hint.is_empty() && hint != label && kind != "radio_buttons" {
            let hint = self.fit(hint, limit::PLACEHOLDER, field.at);
            plain_member("placeholder", &hint, &mut members);
        }
        self.input(field, &label, kind, &members);
        true
    }

    /// What a field asks for.
    fn field_label(&mut self, field: &Field<'t>) -> String {
        let label = match field.question() {
            Question::Line(line) => self.plain(line),
            Question::Text(_) => self.outline.question(field, self.words),
        };
        let label = Some(mrkdwn::line(&label)).filter(|label| !label.is_empty());
        let label = label.unwrap_or_else(|| self.words.get(Word::YourAnswer).to_owned());
        self.fit(label, limit::LABEL, field.at)
    }

    fn input(&mut self, field: &Field<'t>, label: &str, kind: &str, members: &str) {
        let mut json = String::from("{\"type\":\"input\",\"label\":");
        write_plain(label, &mut json);
        json.push_str(",\"element\":{\"type\":");
        write_string(kind, &mut json);
        member("action_id", &format!("input:{}", field.name), &mut json);
        json.push_str(members);
        json.push_str(if field.is_required {
            "},\"optional\":false"
        } else {
            "},\"optional\":true"
        });
        let hint = field.below.map(|line| self.plain(line)).unwrap_or_default();
        if !hint.is_empty() {
            let hint = self.fit(hint, limit::LABEL, field.at);
            plain_member("hint", &hint, &mut json);
        }
        json.push_str(if field.change.is_some() { ",\"dispatch_action\":true}" } else { "}" });
        self.pieces.push(Piece::Json(json));
    }

    /// What is typed or picked.
    fn entry(&mut self, field: &Field<'t>) -> (&'static str, String) {
        let start = mrkdwn::clean(field.value);
        let mut members = String::new();
        let kind = match field.kind {
            FieldKind::Number => {
                members.push_str(",\"is_decimal_allowed\":true");
                "number_input"
            }
            FieldKind::Email => "email_text_input",
            FieldKind::Url => "url_text_input",
            FieldKind::Date => "datepicker",
            _ => {
                if field.kind == FieldKind::Lines || start.contains('\n') {
                    members.push_str(",\"multiline\":true");
                }
                "plain_text_input"
            }
        };
        if start.is_empty() {
            return (kind, members);
        }
        match field.kind {
            FieldKind::Date => match day(field.date().0) {
                Some(day) => {
                    member("initial_date", day, &mut members);
                    if !field.date().1.is_empty() {
                        self.lose(
                            field.at,
                            "the time is omitted: the Slack date picker has no time",
                        );
                    }
                }
                None => self.lose(field.at, "the default value is omitted: it is not a date"),
            },
            FieldKind::Number if !start.parse::<f64>().is_ok_and(f64::is_finite) => {
                self.lose(field.at, "the default value is omitted: it is not a number");
            }
            _ => {
                let start = self.fit(start, limit::INITIAL, field.at);
                member("initial_value", &start, &mut members);
            }
        }
        (kind, members)
    }

    fn choices(&mut self, field: &Field<'t>) -> (&'static str, String) {
        let value = |choice: &Choice<'t>| choice.value.to_owned();
        let (options, start) = self.options(field, &value);
        let is_radio = field.kind == FieldKind::Radio && options.len() <= limit::CHOICE_OPTIONS;
        if field.kind == FieldKind::Radio && !is_radio {
            self.lose(field.at, "shown as a menu: Slack has at most 10 radio buttons");
        }
        (if is_radio { "radio_buttons" } else { "static_select" }, option_members(&options, start))
    }

    /// The options that Slack takes as JSON, and which of them is chosen.
    fn options(
        &mut self,
        field: &Field<'t>,
        value: &dyn Fn(&Choice<'t>) -> String,
    ) -> (Vec<String>, Option<usize>) {
        let mut options = Vec::new();
        let mut values = std::collections::HashSet::new();
        let mut start = None;
        let chosen = field.chosen().map(|choice| choice.value);
        for choice in field.choices.iter().filter(|choice| !choice.is_disabled) {
            let label = mrkdwn::line(choice.label);
            if !is_option(choice)
                || options.len() == limit::SELECT_OPTIONS
                || !values.insert(choice.value)
            {
                self.lose(field.at, format!("the option {label} is omitted: Slack accepts at most 100 options, with unique values of 1 to 150 characters"));
                continue;
            }
            if start.is_none() && chosen == Some(choice.value) {
                start = Some(options.len());
            }
            let label = self.fit(label, limit::OPTION_TEXT, field.at);
            let note = self.fit(mrkdwn::line(choice.description), limit::OPTION_TEXT, field.at);
            let mut json = String::new();
            write_option(&label, &value(choice), &note, &mut json);
            options.push(json);
        }
        (options, start)
    }

    /// A check box. Its label is next to it; above it only where Slack must insist on an answer, which
    /// it does for inputs alone, or where it is too long.
    fn checkbox(&mut self, field: &Field<'t>, label: &str) {
        let is_beside = !field.is_required && limit::len(label) <= limit::OPTION_TEXT;
        let text = if is_beside { label } else { self.words.get(Word::Yes) };
        let below = field.below.filter(|_| is_beside).map(|line| self.plain(line));
        let below = self.fit(below.unwrap_or_default(), limit::OPTION_TEXT, field.at);
        let mut option = String::new();
        write_option(text, "true", &below, &mut option);
        let mut members = format!(",\"options\":[{option}]");
        if field.is_checked {
            members.push_str(&format!(",\"initial_options\":[{option}]"));
        }
        if !is_beside {
            return self.input(field, label, "checkboxes", &members);
        }
        let id = format!("input:{}", field.name);
        let group = if self.layout == Layout::Roomy { Group::Item } else { Group::Checks };
        self.pieces.actions(vec![Element { kind: "checkboxes", id, members }], group);
    }

    /// A field that calls a tool when it changes; false if Slack has nothing for it.
    fn acting(&mut self, field: &Field<'t>, change: &Action<'t>, label: &str) -> bool {
        let id = tool(change);
        match field.kind {
            FieldKind::Checkbox => {
                let mut text = String::from(if field.is_checked { "☑ " } else { "☐ " });
                text.push_str(label);
                let value =
                    with(change, field.name, if field.is_checked { "false" } else { "true" });
                if limit::len(&text) > limit::BUTTON_TEXT || limit::len(&value) > limit::VALUE {
                    return false;
                }
                let mut members = String::new();
                plain_member("text", &text, &mut members);
                member("value", &value, &mut members);
                self.pieces.actions(vec![Element { kind: "button", id, members }], Group::Item);
                true
            }
            FieldKind::Select | FieldKind::Radio => {
                let value = |choice: &Choice<'t>| {
                    let mut value = String::new();
                    write_string(choice.value, &mut value);
                    with(change, field.name, &value)
                };
                let fits = |choice: &Choice<'t>| limit::len(&value(choice)) <= limit::OPTION_VALUE;
                if !field.choices.iter().all(fits) {
                    return false;
                }
                let (options, start) = self.options(field, &value);
                let mut members = option_members(&options, start);
                let hint = mrkdwn::line(field.hint);
                let hint =
                    if hint.is_empty() { self.words.get(Word::Choose).to_owned() } else { hint };
                let hint = self.fit(hint, limit::PLACEHOLDER, field.at);
                plain_member("placeholder", &hint, &mut members);
                let menu = Element { kind: "static_select", id, members };
                // A menu without a label needs none.
                if field.is_named_by_hint() {
                    self.pieces.actions(vec![menu], Group::Item);
                } else {
                    let bold = mrkdwn::mark(&mrkdwn::escape(label), '*');
                    self.pieces.beside(&bold, menu);
                }
                true
            }
            _ => false,
        }
    }

    /// A field that cannot be filled in: what it asks for, and its value.
    fn shown_field(&mut self, field: &Field<'t>, label: &str) {
        let label = mrkdwn::escape(label);
        let (day, time) = field.date();
        let value = match field.kind {
            FieldKind::Password => self.words.get(Word::NotShown).to_owned(),
            FieldKind::Checkbox => {
                let mark = if field.is_checked { "☑" } else { "☐" };
                return self.pieces.text(&format!("{mark} {label}"), Kind::Line);
            }
            FieldKind::Date => format!("{day} {time}"),
            _ => field.chosen().map_or(field.value, |choice| choice.label).to_owned(),
        };
        let value = mrkdwn::escape(&mrkdwn::clean(&value));
        let glue = if value.is_empty() { "" } else { ": " };
        self.pieces.text(&format!("{label}{glue}{value}"), Kind::Line);
    }
}

/// Whether a choice can be an option in Slack.
fn is_option(choice: &Choice<'_>) -> bool {
    !choice.is_disabled
        && !choice.value.trim().is_empty()
        && !choice.value.contains(|c: char| c.is_control())
        && limit::len(choice.value) <= limit::OPTION_VALUE
        && !mrkdwn::line(choice.label).is_empty()
}

fn option_members(options: &[String], start: Option<usize>) -> String {
    let mut members = String::from(",\"options\":");
    write_list(options, &mut members, |option, out| out.push_str(option));
    if let Some(start) = start {
        members.push_str(",\"initial_option\":");
        members.push_str(&options[start]);
    }
    members
}

/// The payload of an action with one more member.
fn with(action: &Action<'_>, name: &str, member: &str) -> String {
    let payload = value(action);
    let mut out = payload.trim().strip_suffix('}').unwrap_or("{").trim_end().to_owned();
    out.push_str(if out.ends_with('{') { "" } else { "," });
    write_string(name, &mut out);
    out.push(':');
    out.push_str(member);
    out.push('}');
    out
}
