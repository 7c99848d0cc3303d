//! Fields and buttons, as text: mail can open a link, and nothing else.

use std::fmt::Write as _;

use widgetcast_engine::outline::{Action, Choice, Field, FieldKind, Question};
use widgetcast_engine::signs::sign;
use widgetcast_engine::words::Word;

use super::color::{GREY, LINK};
use super::print::{Printer, SHORT, TEXT, put};

impl<'t> Printer<'_, 't> {
    /// The question of a field, and below it the choices, the value or a blank.
    pub(super) fn field(&mut self, field: &Field<'t>) {
        let is_box = field.kind == FieldKind::Checkbox;
        let sign = if field.is_checked { "☑ " } else { "☐ " };
        put!(self, "<{TEXT}>{}", if is_box { sign } else { "" });
        match field.question() {
            Question::Line(line) => self.line(line, "", None),
            Question::Text(text) if is_box => self.text(text),
            Question::Text(text) => {
                put!(self, "<strong>");
                self.text(text);
                put!(self, "</strong>");
            }
        }
        self.note(field.is_required, Word::Required);
        self.note(field.is_disabled, Word::Unavailable);
        put!(self, "</div>");
        if !is_box {
            self.answer(field);
        }
        field.below.iter().for_each(|line| self.line(*line, TEXT, None));
    }

    /// The value or a blank, and what can be chosen.
    fn answer(&mut self, field: &Field<'t>) {
        let (day, time) = field.date();
        put!(self, "<{TEXT}>");
        match field.kind {
            _ if field.value.is_empty() => {
                put!(self, "{}", if field.choices.is_empty() { "____" } else { "" });
                self.small("span", if field.is_named_by_hint() { "" } else { field.hint });
            }
            _ if !field.choices.is_empty() => {}
            FieldKind::Password => put!(self, "••••"),
            FieldKind::Date => self.text(&format!("{day} {time}")),
            _ => self.text(field.value),
        }
        put!(self, "</div>");
        // Short choices are side by side.
        let is_short = |choice: &Choice<'t>| {
            choice.description.is_empty() && choice.label.chars().count() <= SHORT
        };
        let are_short = field.choices.iter().all(is_short);
        let display = if are_short { "inline-block;margin-right:16px" } else { "block" };
        for choice in &field.choices {
            let is_chosen = !field.value.is_empty() && choice.value == field.value;
            let sign = if is_chosen { "●" } else { "○" };
            put!(self, "<{TEXT} style='display:{display}'>{sign} ");
            self.text(choice.label);
            self.note(choice.is_disabled, Word::Unavailable);
            self.small("span", choice.description);
            put!(self, "</div>");
        }
    }

    fn note(&mut self, is_set: bool, word: Word) {
        if is_set {
            self.small("span", &format!("({})", self.words.get(word)));
        }
    }

    /// Buttons, of an item with this name. What opens a link is one; of the others there is the label.
    pub(super) fn actions(&mut self, actions: &[Action<'t>], of: &str) {
        for action in actions {
            let link = action.link.filter(|_| !action.is_disabled);
            let accent = if action.is_danger { "#b42318" } else { LINK };
            let (color, background, border) = match link {
                None => (GREY, "#f5f6f8", "#e2e5ea"),
                Some(_) if action.is_primary => ("#ffffff", accent, accent),
                Some(_) => (accent, "#ffffff", accent),
            };
            let tag = if link.is_some() { "a" } else { "span" };
            put!(self, "<{tag} dir='auto' style='display:inline-block;margin:4px 8px 4px 0;");
            put!(self, "padding:5px 14px;font-size:14px;text-decoration:none;border-radius:7px;");
            put!(self, "border:1px solid {border};background:{background};color:{color}'");
            let glyph = sign(action.icon).map_or("", |sign| sign.glyph);
            let label = action.caption("", self.words);
            if let Some(url) = link {
                put!(self, " rel='noopener noreferrer' href='");
                self.escaped(url);
                put!(self, "' aria-label='");
                self.escaped(&label);
                self.escaped(if of.is_empty() { "" } else { ": " });
                self.escaped(of);
                put!(self, "'");
            }
            put!(self, ">");
            self.text(&action.caption(glyph, self.words));
            self.note(action.is_disabled, Word::Unavailable);
            put!(self, "</{tag}>");
        }
    }
}
