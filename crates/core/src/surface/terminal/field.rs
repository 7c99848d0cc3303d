//! Fields: what they ask for, and the value or the options.

use widgetcast_engine::outline::{Block, Choice, Field, FieldKind, Question};
use widgetcast_engine::words::Word;

use super::printer::{Printer, one_line};
use super::text::{Lines, Run, Style, TextLine, columns, indent, join, widest, wrap, wrap_below};

/// The columns of an empty field.
const BLANK: usize = 22;

impl<'t> Printer<'_, 't> {
    /// Fields that follow each other, their labels in one column.
    pub(super) fn fields(&self, fields: &[Block<'t>], width: usize) -> Lines {
        let fields = fields.iter().filter_map(|block| match block {
            Block::Field(field) => Some(&**field),
            _ => None,
        });
        let labels = fields.clone().filter(|field| is_beside(field));
        let room = labels.map(|field| width_of(&self.label(field))).max().unwrap_or_default();
        let has_room = !self.is_inner && room + 2 + BLANK + 4 <= width;
        let mut out = Lines::new();
        let mut was_tall = false;
        for field in fields {
            let label = self.label(field);
            // A question above its field stands apart from the field before.
            let is_tall = !is_beside(field) && field.kind != FieldKind::Checkbox;
            if (is_tall || was_tall) && !out.is_empty() {
                out.push(TextLine::default());
            }
            was_tall = is_tall;
            if field.kind == FieldKind::Checkbox {
                let mark = if field.is_checked { "[x] " } else { "[ ] " };
                let label = [label, self.notes(field, true)].concat();
                let label = [vec![Run::new(mark, Style::default())], label].concat();
                out.extend(wrap_below(&label, width, 4));
                out.extend(self.hint(field, 4, width));
            } else if is_beside(field) && has_room && room > 0 {
                let answer = self.answer(field, width - room - 2);
                let label = wrap(&label, room);
                out.extend(join(&[(&label, room, false), (&answer, widest(&answer), false)], 2));
                out.extend(self.hint(field, room + 2, width));
            } else {
                if !label.iter().all(|run| run.text.is_empty()) {
                    out.extend(wrap(&label, width));
                }
                out.extend(self.answer(field, width));
                out.extend(self.hint(field, 0, width));
            }
        }
        out
    }

    /// The line below a field.
    fn hint(&self, field: &Field<'t>, inset: usize, width: usize) -> Lines {
        let line = field.below.iter();
        line.flat_map(|line| indent(inset, width, |width| self.line(*line, width))).collect()
    }

    /// What a field asks for: its label, the line above it, or what comes nearest to one.
    fn label(&self, field: &Field<'t>) -> Vec<Run> {
        match field.question() {
            Question::Line(line) => self.runs(line, usize::MAX),
            Question::Text(text) => vec![Run::new(&one_line(text), Style::default())],
        }
    }

    /// The hint of a field, next to its value.
    fn notes(&self, field: &Field<'t>, is_empty: bool) -> Vec<Run> {
        let is_shown = is_empty && !field.is_named_by_hint();
        let hint = if is_shown { one_line(field.hint) } else { String::new() };
        let words = [(field.is_required, Word::Required), (field.is_disabled, Word::Unavailable)];
        let words = words.iter().filter(|(is, _)| *is);
        let words = words.map(|(_, word)| format!("({})", self.words.get(*word)));
        let notes = std::iter::once(hint).chain(words).filter(|note| !note.is_empty());
        notes.map(|note| Run::new(&format!(" {note}"), Style::dim())).collect()
    }

    fn answer(&self, field: &Field<'t>, width: usize) -> Lines {
        if field.kind == FieldKind::Radio {
            return self.radio(field, &self.notes(field, true), width);
        }
        let chosen = field.chosen();
        let value = match field.kind {
            FieldKind::Password if !field.value.is_empty() => "••••".to_owned(),
            FieldKind::Select => chosen.map_or(String::new(), |choice| self.choice(choice)),
            FieldKind::Date => {
                let (day, time) = field.date();
                format!("{day} {time}").trim().to_owned()
            }
            FieldKind::Lines => field.value.trim().to_owned(),
            _ => one_line(field.value),
        };
        let arrow =
            if matches!(field.kind, FieldKind::Select | FieldKind::Date) { " ▾" } else { "" };
        let mut lines = boxed(&value, arrow, width);
        let notes = self.notes(field, value.is_empty());
        match lines.last_mut() {
            Some(last) if last.width() + width_of(&notes) <= width => {
                notes.iter().for_each(|run| last.push(&run.text, &run.style));
            }
            _ => lines.extend(indent(2, width, |width| wrap(&notes, width))),
        }
        if field.kind == FieldKind::Select {
            let is_other =
                |choice: &&Choice<'t>| chosen.is_none_or(|chosen| !std::ptr::eq(*choice, chosen));
            let others = field.choices.iter().filter(is_other).map(|choice| self.choice(choice));
            let others = others.collect::<Vec<_>>().join("\u{a0}· ");
            if !others.is_empty() {
                let others = [Run::new(&others, Style::dim())];
                lines.extend(indent(2, width, |width| wrap(&others, width)));
            }
        }
        lines
    }

    /// Options side by side, or below each other where they are long.
    fn radio(&self, field: &Field<'t>, notes: &[Run], width: usize) -> Lines {
        let option = |choice: &Choice<'t>| {
            let is_on = !field.value.is_empty() && choice.value == field.value;
            let mark = if is_on { "(•)" } else { "( )" };
            let style = Style { dim: choice.is_disabled, ..Style::default() };
            Run::new(&format!("{mark} {}", self.choice(choice)), style)
        };
        let mut options: Vec<Run> = field.choices.iter().map(option).collect();
        let fits = width_of(&options) + 3 * options.len() + width_of(notes) <= width;
        let are_short = fits || options.iter().all(|option| columns(&option.text) <= width / 3);
        for option in options.iter_mut().filter(|_| are_short) {
            option.text = option.text.replace(' ', "\u{a0}") + "\u{a0}\u{a0} ";
        }
        if are_short {
            options.extend_from_slice(notes);
            return wrap(&options, width);
        }
        let options =
            options.iter().map(|option| wrap_below(std::slice::from_ref(option), width, 4));
        let mut lines = options.collect::<Vec<_>>().concat();
        lines.extend(wrap(notes, width));
        lines
    }

    fn choice(&self, choice: &Choice<'t>) -> String {
        let mut out = one_line(choice.label);
        if !choice.description.is_empty() {
            out += &format!(" – {}", one_line(choice.description));
        }
        if choice.is_disabled {
            out += &format!(" ({})", self.words.get(Word::Unavailable));
        }
        out
    }
}

fn width_of(runs: &[Run]) -> usize {
    runs.iter().map(|run| columns(&run.text)).sum()
}

/// Whether the label of a field is next to it: a question above it stays above.
fn is_beside(field: &Field<'_>) -> bool {
    field.kind != FieldKind::Checkbox && (field.above.is_none() || !field.label.is_empty())
}

/// A value between the edges of a field.
fn boxed(value: &str, arrow: &str, width: usize) -> Lines {
    let text = [Run::new(value, Style::default())];
    if width < 8 {
        return wrap(&text, width);
    }
    let room = width - 4 - columns(arrow);
    let lines = wrap(&text, room);
    let inner = widest(&lines).max(BLANK).min(room);
    let last = lines.len() - 1;
    let no_arrow = " ".repeat(columns(arrow));
    let lines = lines.iter().enumerate().map(|(at, line)| {
        let mut out = TextLine::of("[ ", Style::dim());
        out.append(line);
        let blank = if value.is_empty() { "_" } else { " " };
        out.push(&blank.repeat(inner.saturating_sub(line.width())), &Style::dim());
        out.push(if at == last { arrow } else { &no_arrow }, &Style::dim());
        out.push(" ]", &Style::dim());
        out
    });
    lines.collect()
}
