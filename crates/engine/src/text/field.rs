//! Form fields: the question, and the value or the options.

use super::Writer;
use super::line::{escape, escape_inline, gap, push_text};
use crate::outline::{Field, FieldKind, Question};
use crate::words::Word;

impl<'t> Writer<'_, 't> {
    /// A field as an entry of a list, so that a form can be answered point by point.
    pub(super) fn field(&mut self, field: &Field<'t>) {
        self.bullet();
        let start = self.out.len();
        if field.fits_line() {
            self.field_text(field);
            return self.end_entry(start);
        }
        self.question(field);
        self.hint(field);
        self.colon(start);
        self.out.truncate(self.out.trim_end().len());
        self.out.push('\n');
        // A start value of several lines keeps them.
        for line in field.value.lines().map(str::trim).filter(|line| !line.is_empty()) {
            gap(&mut self.out);
            self.out.push_str("  ");
            let start = self.out.len();
            self.out.push_str(line);
            escape_inline(start, &mut self.out);
            escape(start, &mut self.out);
            self.out.push('\n');
        }
    }

    /// A field on the current line.
    pub(super) fn field_text(&mut self, field: &Field<'t>) {
        if field.kind == FieldKind::Checkbox {
            self.out.push_str(if field.is_checked { "[x] " } else { "[ ] " });
            self.question(field);
        } else {
            let start = self.out.len();
            self.question(field);
            if self.out.len() > start {
                self.colon(start);
            }
            self.answer(field);
        }
        self.hint(field);
    }

    fn hint(&mut self, field: &Field<'t>) {
        if let Some(line) = field.below {
            self.out.push_str(" · ");
            self.spans(line, false);
        }
    }

    /// The question of a field: its label, or what comes nearest to one.
    fn question(&mut self, field: &Field<'t>) {
        let start = self.out.len();
        match field.question() {
            Question::Line(line) => self.spans(line, true),
            // Options say what they are about.
            Question::Text("") if field.choices.is_empty() => push_text(field.name, &mut self.out),
            Question::Text(text) => push_text(text, &mut self.out),
        }
        let label = self.out[start..].trim_end_matches(':').len();
        self.out.truncate(start + label);
        if field.is_required {
            self.note(Word::Required);
        }
        if field.is_disabled {
            self.note(Word::Unavailable);
        }
    }

    /// The value, the options or the placeholder of a field.
    fn answer(&mut self, field: &Field<'t>) {
        for (index, choice) in field.choices.iter().enumerate() {
            self.out.push_str(if index > 0 { " | " } else { "" });
            let strike = if choice.is_disabled { "~~" } else { "" };
            self.out.push_str(strike);
            push_text(choice.label, &mut self.out);
            self.out.push_str(strike);
            if !choice.description.is_empty() {
                self.out.push_str(", ");
                push_text(choice.description, &mut self.out);
            }
            if !field.value.is_empty() && choice.value == field.value {
                self.note(Word::Selected);
            }
        }
        if !field.choices.is_empty() {
            return;
        }
        match field.kind {
            FieldKind::Password if !field.value.is_empty() => self.out.push_str("••••"),
            FieldKind::Date if !field.value.is_empty() => {
                let (day, time) = field.date();
                self.out.push_str(day);
                self.out.push_str(if time.is_empty() { "" } else { " " });
                self.out.push_str(time);
            }
            _ if !field.value.is_empty() => push_text(field.value, &mut self.out),
            _ if field.hint.is_empty() || field.is_named_by_hint() => self.out.push_str("____"),
            _ => {
                self.out.push_str("____ (");
                push_text(field.hint, &mut self.out);
                self.out.push(')');
            }
        }
    }
}
