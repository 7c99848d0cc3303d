//! Form fields: what is asked for, and the value it starts with.

use serde_json::Value;

use super::markdown::hang;
use super::renderer::{Renderer, is_label_of, style};
use super::text::{Block, Line, Span, Style, clean, widest, wrap};
use crate::surface::node::{self, kind, one_line, text as prop};

const LEFT: &str = "▏";
const RIGHT: &str = "▕";

/// The columns of a label: at least so many, and for a column that all fields share at most so many.
const MIN_LABEL: usize = 12;
const MAX_LABEL: usize = 24;
/// The columns between a label and its field.
const GAP: usize = 2;

/// The column in which all fields of a tree can stand: right of the longest label, unless that is long.
pub(super) fn column(tree: &Value) -> usize {
    let mut longest = MIN_LABEL;
    let mut open = vec![tree];
    while let Some(node) = open.pop() {
        let nodes = node::children(node);
        for pair in nodes.windows(2).filter(|pair| is_label_of(&pair[0], &pair[1])) {
            let length = widest(&wrap(&head(&pair[0], &pair[1]), usize::MAX));
            longest = longest.max(if length <= MAX_LABEL { length } else { 0 });
        }
        open.extend(nodes);
    }
    longest + GAP
}

/// A label, with a mark if its field is required.
fn head(label: &Value, field: &Value) -> Vec<Span> {
    let said = prop(label, "value").unwrap_or_default();
    let mut spans = vec![Span::new(&one_line(&said), style(label))];
    spans.extend(required(field));
    spans
}

impl Renderer<'_> {
    /// A field with its label before it or, where they do not fit on one line, above it.
    pub(super) fn labelled(self, label: &Value, field: &Value, width: usize) -> Block {
        let mut heads = wrap(&head(label, field), width);
        let (_, wish) = self.measure(field);
        let own = widest(&heads).max(MIN_LABEL) + GAP;
        let shared = own.max(self.field_column);
        // Where the room is short, a label that needs less than others takes less.
        let column = if shared + wish.min(24) > width { own } else { shared };
        let is_tall = matches!(kind(field), "Textarea" | "RadioGroup") && wish + column > width;
        if heads.len() > 1 || is_tall || column + wish.min(24) > width {
            heads.extend(self.render(field, width));
            return heads;
        }
        let block = self.render(field, width - column);
        let lines = block.iter().enumerate().map(|(index, part)| {
            let mut line = Line::default();
            if index == 0 {
                heads.iter().for_each(|head| line.append(head));
                line.space(column - line.width());
            } else {
                line.space(column);
            }
            line.append(part);
            line
        });
        lines.collect()
    }

    /// A field to write in.
    pub(super) fn entry(self, node: &Value, width: usize) -> Block {
        let arrow = if kind(node) == "DatePicker" { " ▾" } else { "" };
        boxed(&value(node), arrow, width)
    }

    /// The chosen option, and below it all there are.
    pub(super) fn select(self, node: &Value, width: usize) -> Block {
        let start = prop(node, "defaultValue");
        let options = options(node);
        let chosen =
            options.iter().find(|option| start.is_some() && prop(option, "value") == start);
        let shown = match chosen.and_then(|option| prop(option, "label")) {
            Some(label) => Span::new(&one_line(&label), Style::default()),
            None => Span::new(&prop(node, "placeholder").unwrap_or_default(), Style::dim()),
        };
        let mut out = boxed(&shown, " ▾", width);
        let labels: Vec<String> = options.iter().filter_map(|option| told(option)).collect();
        if labels.len() > chosen.iter().len() {
            out.extend(hang(
                "  ",
                &Style::dim(),
                &[Span::new(&labels.join(" · "), Style::dim())],
                width,
            ));
        }
        out
    }

    pub(super) fn checkbox(self, node: &Value, width: usize) -> Block {
        let mark = if node["defaultChecked"] == true { "[x] " } else { "[ ] " };
        let label = prop(node, "label").or_else(|| prop(node, "name")).unwrap_or_default();
        let style = Style { dim: node["disabled"] == true, ..Style::default() };
        let mut text = vec![Span::new(&one_line(&label), style)];
        text.extend(required(node));
        hang(mark, &Style::default(), &text, width)
    }

    /// The options of a group, side by side if it says so and they fit.
    pub(super) fn radio(self, node: &Value, width: usize) -> Block {
        let start = prop(node, "defaultValue");
        let options = options(node).into_iter().filter_map(|option| {
            let is_on = start.is_some() && prop(option, "value") == start;
            let style = Style { dim: option["disabled"] == true, ..Style::default() };
            Some((if is_on { "(•) " } else { "( ) " }, Span::new(&told(option)?, style)))
        });
        let options: Vec<(&str, Span)> = options.collect();
        if node["direction"] == "row" {
            let mut line = Line::default();
            for (index, (mark, label)) in options.iter().enumerate() {
                line.space(if index > 0 { 3 } else { 0 });
                line.push(mark, &Style::default());
                wrap(std::slice::from_ref(label), usize::MAX).iter().for_each(|l| line.append(l));
            }
            if line.width() <= width {
                return vec![line];
            }
        }
        let blocks = options.iter().flat_map(|(mark, label)| {
            hang(mark, &Style::default(), std::slice::from_ref(label), width)
        });
        blocks.collect()
    }

    pub(super) fn measure_field(self, node: &Value) -> (usize, usize) {
        let wish = match kind(node) {
            "Checkbox" | "RadioGroup" => widest(&self.render(node, 100)),
            _ => widest(&self.render(node, 60)).max(16),
        };
        (wish.min(14), wish)
    }
}

fn options(node: &Value) -> Vec<&Value> {
    node["options"].as_array().into_iter().flatten().collect()
}

fn told(option: &Value) -> Option<String> {
    let label = one_line(&prop(option, "label")?);
    let more = prop(option, "description").map(|more| one_line(&more));
    // Without colour nothing else would say that it cannot be chosen.
    let off = (option["disabled"] == true).then(|| "not available".to_owned());
    let notes: Vec<String> = more.into_iter().chain(off).collect();
    Some(match notes.is_empty() {
        true => label,
        false => format!("{label} ({})", notes.join(", ")),
    })
}

fn required(node: &Value) -> Option<Span> {
    let is_required = node["required"] == true || node["editable"]["required"] == true;
    is_required.then(|| Span::new(" *", Style::fore(Some(super::text::Colour::Red))))
}

/// What the field holds at the start, or dim what it asks for.
fn value(node: &Value) -> Span {
    let start = match kind(node) {
        "Text" => prop(node, "value"),
        "DatePicker" => prop(node, "defaultValue").map(|value| node::date(&value)),
        _ if node["inputType"] == "password" => {
            prop(node, "defaultValue").map(|_| "••••".to_owned())
        }
        _ => prop(node, "defaultValue"),
    };
    let hint = || prop(node, "placeholder").or_else(|| prop(&node["editable"], "placeholder"));
    match start {
        Some(start) => Span::new(start.trim(), Style::default()),
        None => Span::new(&one_line(&hint().unwrap_or_default()), Style::dim()),
    }
}

/// A value between the edges of a field, as wide as a short answer or as the value.
fn boxed(value: &Span, arrow: &str, width: usize) -> Block {
    if width < 6 {
        return wrap(std::slice::from_ref(value), width);
    }
    let arrow = clean(arrow);
    let room = width - 2;
    let lines = wrap(std::slice::from_ref(value), room - arrow.chars().count());
    let inner = (widest(&lines) + arrow.chars().count()).max(22).min(room);
    let dim = Style::dim();
    let last = lines.len() - 1;
    let lines = lines.iter().enumerate().map(|(index, line)| {
        let mut out = Line::of(LEFT, dim.clone());
        let end = if index == last { arrow.as_str() } else { "" };
        out.append(&line.fill(inner - end.chars().count(), super::text::Align::Start));
        out.push(end, &dim);
        out.push(RIGHT, &dim);
        out
    });
    lines.collect()
}
