//! Form fields as inputs. Each has an id of its own and a label.

use widgetcast_engine::outline::{Field, FieldKind, Question, Span, day, push_one_line};
use widgetcast_engine::words::Word;

use super::across::VALUE;
use super::line::{BARE, Look, Row, letters};
use super::printer::Gap;
use super::printer::Printer;

impl<'t> Printer<'_, 't> {
    pub(super) fn field(&mut self, field: &Field<'t>) {
        self.answer(field);
        if let Some(line) = field.below {
            self.gap = Gap::of("None");
            self.line(Row::of(self.outline, line), Look::default());
        }
    }

    fn answer(&mut self, field: &Field<'t>) {
        let label = self.label(field);
        // What a change would do is done by a button of the field, unless one submits the whole form.
        let change = field.change.filter(|action| action.link.is_none() && !action.name.is_empty());
        let has_button = change.is_some() && !self.survey.is_sent;
        let is_choice = matches!(field.kind, FieldKind::Select | FieldKind::Radio);
        let reason = if field.is_disabled {
            "the field is disabled, so its value is shown as text"
        } else if !self.survey.is_sent && !has_button {
            "no button submits the field, so its value is shown as text"
        } else if is_choice && field.choices.iter().all(|choice| choice.is_disabled) {
            "the field has no options, so it is shown as text"
        } else if !has_button {
            return self.input(field, &label);
        } else {
            return self.input_and_button(field, &label);
        };
        self.lose(field.at, reason);
        self.as_text(field, &label);
    }

    fn input_and_button(&mut self, field: &Field<'t>, label: &str) {
        let button = field.change.map(|mut action| {
            action.is_submit = true;
            action
        });
        if field.kind != FieldKind::Checkbox {
            self.input(field, label);
            self.gap = Gap::of("Small");
            return self.actions(button.as_slice(), label, false);
        }
        self.open("ColumnSet");
        self.items("columns");
        self.column("stretch", "Center");
        self.input(field, label);
        self.end();
        self.column("auto", "Center");
        self.actions(button.as_slice(), label, false);
        self.end();
        self.end();
    }

    fn input(&mut self, field: &Field<'t>, label: &str) {
        let number = field.value.trim().parse::<f64>().ok().filter(|number| number.is_finite());
        let kind = match field.kind {
            FieldKind::Checkbox => "Input.Toggle",
            FieldKind::Select | FieldKind::Radio => "Input.ChoiceSet",
            FieldKind::Date => "Input.Date",
            FieldKind::Number if number.is_some() || field.value.trim().is_empty() => {
                "Input.Number"
            }
            _ => "Input.Text",
        };
        self.open(kind);
        let id = self.id(field);
        self.string("id", &id);
        let label = self.fitting(label, field.at);
        // Hosts mark only labels as required; that of a toggle would else be read twice.
        if kind != "Input.Toggle" || field.is_required {
            self.string("label", label);
        }
        if !field.hint.is_empty() && kind != "Input.Toggle" && !field.is_named_by_hint() {
            let hint = self.fitting(field.hint, field.at);
            self.string("placeholder", hint);
        }
        match kind {
            "Input.Toggle" => {
                self.string(
                    "title",
                    if field.is_required { self.words.get(Word::Yes) } else { label },
                );
                self.raw("wrap", "true");
                self.string("value", if field.is_checked { "true" } else { "false" });
            }
            "Input.ChoiceSet" => self.choices(field),
            "Input.Date" => self.date(field),
            "Input.Text" => self.entry(field),
            _ => number.iter().for_each(|number| self.raw("value", &number.to_string())),
        }
        // What hosts check before they submit: the whole text must match.
        let has_pattern = kind == "Input.Text" && !field.pattern.is_empty();
        self.flag("isRequired", field.is_required);
        if has_pattern {
            self.string("regex", &format!("^(?:{})$", field.pattern));
        }
        if field.is_required || has_pattern {
            let word = self.words.get(if has_pattern { Word::Invalid } else { Word::Required });
            self.string("errorMessage", &format!("{label}: {word}"));
        }
        self.close();
    }

    fn entry(&mut self, field: &Field<'t>) {
        self.flag("isMultiline", field.kind == FieldKind::Lines || field.value.contains('\n'));
        match field.kind {
            FieldKind::Email => self.string("style", "Email"),
            FieldKind::Tel => self.string("style", "Tel"),
            FieldKind::Url => self.string("style", "Url"),
            FieldKind::Password => self.string("style", "Password"),
            _ => {}
        }
        // A password in the card could be read by everyone who gets the message.
        if field.kind == FieldKind::Password && !field.value.is_empty() {
            self.lose(field.at, "the password is omitted");
        } else if !field.value.is_empty() {
            let value = self.fitting(field.value, field.at);
            self.string("value", value);
        }
    }

    fn choices(&mut self, field: &Field<'t>) {
        let is_radio = field.kind == FieldKind::Radio;
        self.string("style", if is_radio { "expanded" } else { "compact" });
        self.flag("wrap", is_radio);
        if let Some(chosen) = field.chosen().filter(|choice| !choice.is_disabled) {
            self.string("value", chosen.value);
        }
        self.items("choices");
        for choice in &field.choices {
            let title = title(choice.label, choice.description);
            if choice.is_disabled || !self.has_room() {
                let why =
                    if choice.is_disabled { "is disabled" } else { "does not fit into the card" };
                self.lose(field.at, format!("the option {title} {why}, so it is omitted"));
                continue;
            }
            self.object();
            let title = self.fitting(&title, field.at);
            self.string("title", title);
            self.string("value", choice.value);
            self.close();
        }
        self.out.push(']');
    }

    fn date(&mut self, field: &Field<'t>) {
        for (key, value) in [("value", field.value), ("min", field.min), ("max", field.max)] {
            match day(value) {
                Some(day) => self.string(key, day),
                None if value.is_empty() => {}
                None => self.lose(field.at, format!("{value} is not a date such as 2027-03-18")),
            }
        }
        if !field.date().1.is_empty() {
            self.lose(field.at, "the time is omitted: the field takes only a date");
        }
    }

    /// A field that cannot be filled in, as its label and its value: an input could be.
    fn as_text(&mut self, field: &Field<'t>, label: &str) {
        let (day, time) = field.date();
        let date = format!("{day} {time}");
        let hint = if field.hint == label { "" } else { field.hint };
        let value = match field.kind {
            FieldKind::Password if !field.value.is_empty() => "••••",
            FieldKind::Checkbox => {
                let mark = if field.is_checked { "☑" } else { "☐" };
                return self.plain(&format!("{mark} {label}"), Look::default());
            }
            FieldKind::Date => date.trim(),
            _ => field.chosen().map_or(field.value, |choice| choice.label),
        };
        let value =
            [value, hint, "–"].into_iter().find(|text| !text.is_empty()).unwrap_or_default();
        if letters(value)[1] > VALUE || value.contains('\n') {
            self.note(label);
            self.gap = Gap::of("None");
            self.text(&Span { at: field.at, text: value, ..BARE }, Look::default());
        } else {
            self.open("ColumnSet");
            self.items("columns");
            self.column("stretch", "");
            self.plain(label, Look::default());
            self.end();
            self.column("auto", "");
            self.plain(value, Look { is_small: true, is_end: true, ..Look::default() });
            self.end();
            self.end();
        }
        let others = field.choices.iter().filter(|choice| choice.label != value);
        let others: Vec<String> =
            others.map(|choice| title(choice.label, choice.description)).collect();
        if !others.is_empty() && self.has_room() {
            self.gap = Gap::of("None");
            self.note(&others.join(" · "));
        }
    }

    /// The name, unless it is taken.
    fn id(&mut self, field: &Field<'t>) -> String {
        let name = if field.name.is_empty() { "field" } else { field.name };
        let mut id = name.to_owned();
        while let Some(count) = self.ids.get_mut(&id) {
            *count += 1;
            id = format!("{name}-{count}");
        }
        self.ids.insert(id.clone(), 1);
        if id != field.name {
            self.lose(
                field.at,
                format!("another field has this name, so this one is submitted as {id}"),
            );
        }
        id
    }

    /// What names a field: never the name under which it is submitted, which no one wrote to be read.
    fn label(&mut self, field: &Field<'t>) -> String {
        let spans = match field.question() {
            Question::Line(line) => self.outline.spans(line),
            Question::Text(_) => &[],
        };
        for span in spans.iter().filter(|span| !span.is_text()) {
            self.lose(span.at, "an icon next to the label of a field is not shown");
        }
        self.outline.question(field, self.words)
    }
}

/// A label and its hint, on one line.
fn title(label: &str, description: &str) -> String {
    let mut title = String::new();
    push_one_line(label, &mut title);
    if !description.is_empty() {
        title.push_str(" · ");
        push_one_line(description, &mut title);
    }
    title
}
