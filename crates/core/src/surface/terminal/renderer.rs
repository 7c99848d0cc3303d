//! The renderer: how each component is laid out. Rows, tables, charts and fields have files of their
//! own.

use std::cell::RefCell;
use std::collections::HashMap;

use serde_json::Value;

use super::markdown;
use super::text::{self, Align, Block, Colour, Line, Span, Style, address, columns, widest, wrap};
use crate::surface::node::{
    self, children, field_name, glyph, is_bar, is_mark, is_row, kind, one_line, text as prop,
};
use crate::surface::weather;

/// The widths of the groups that were measured, by their address in the tree and whether they are inside
/// a card. Every group measures all that is below it, so without this the cost of deep groups would be
/// multiplied by their depth.
pub(super) type Measured = RefCell<HashMap<(*const Value, bool), (usize, usize)>>;

/// What rendering depends on besides the tree and the width.
#[derive(Clone, Copy)]
pub(super) struct Renderer<'m> {
    pub(super) colour: bool,
    pub(super) links: bool,
    /// Whether it is inside a card, which has a frame already.
    pub(super) is_inside: bool,
    /// The column in which fields stand beside their labels, one for the whole tree.
    pub(super) field_column: usize,
    pub(super) measured: &'m Measured,
}

impl Renderer<'_> {
    /// Renders a component; no line is wider than the width.
    pub(super) fn render(self, node: &Value, width: usize) -> Block {
        match kind(node) {
            "Text" if field_name(node).is_some() => self.entry(node, width),
            "Text" | "Title" | "Caption" | "Label" => words(node, width),
            "Markdown" => self.markdown(node, width),
            "Badge" | "Button" | "Icon" | "Image" => match self.token(node) {
                token if token.width() == 0 => Block::new(),
                token => wrap(token.spans(), width),
            },
            "Divider" => vec![rule(width)],
            "Input" | "Textarea" | "DatePicker" => self.entry(node, width),
            "Select" => self.select(node, width),
            "Checkbox" => self.checkbox(node, width),
            "RadioGroup" => self.radio(node, width),
            "Chart" => self.chart(node, width),
            "Table" => self.table(node, width),
            "Card" | "ListView" => self.card(node, width),
            "Box" if node::progress(node).is_some() => progress(node, width),
            "Box" if is_mark(node) => vec![mark(node)],
            "Box" | "Col" | "Form" | "Basic" | "Transition" | "Row" | "ListViewItem"
            | "Table.Row" | "Table.Cell" => self.group(node, width),
            _ => Block::new(),
        }
    }

    /// A group; one with a border of its own gets a frame, if there is room to spare.
    fn group(self, node: &Value, width: usize) -> Block {
        let framed = has_border(node) && width >= 24;
        let inner = if framed { width - 4 } else { width };
        let block = if is_row(node) {
            self.row(node, inner)
        } else {
            self.stack(children(node), inner, blank_between(node), align(node))
        };
        if framed && !block.is_empty() {
            let room = widest(&block).min(inner);
            return frame(&block, room + 4, None);
        }
        block
    }

    /// Children below each other.
    fn stack(self, nodes: &[Value], width: usize, blank: bool, align: Align) -> Block {
        let mut out = Block::new();
        let mut nodes = nodes.iter().peekable();
        while let Some(node) = nodes.next() {
            let block = match nodes.next_if(|next| is_label_of(node, next)) {
                Some(field) => self.labelled(node, field, width),
                None => self.render(node, width),
            };
            if block.is_empty() {
                continue;
            }
            let is_rule = block.iter().all(|line| line.is_rule);
            let after_rule = out.last().is_some_and(|line: &Line| line.is_rule);
            if is_rule && (out.is_empty() || after_rule) {
                continue;
            }
            if blank && !out.is_empty() && !is_rule && !after_rule {
                out.push(Line::default());
            }
            if align == Align::Start || is_rule {
                out.extend(block);
            } else {
                let wide = widest(&block);
                out.extend(block.iter().map(|l| l.fill(wide, Align::Start).fill(width, align)));
            }
        }
        while out.last().is_some_and(|line| line.is_rule) {
            out.pop();
        }
        out
    }

    /// A card or a list: a frame, its status in the upper edge, its actions at the foot.
    fn card(self, node: &Value, width: usize) -> Block {
        let renderer = Renderer { is_inside: true, ..self };
        let width = width.min(match node["size"].as_str() {
            Some("sm") => 48,
            Some("lg") => 80,
            Some("full") => 100,
            _ if kind(node) == "ListView" => 80,
            _ => 64,
        });
        let is_framed = width >= 16 && !self.is_inside;
        let inner = if is_framed { width - 4 } else { width };
        let status = prop(&node["status"], "text").map(|text| {
            let icon = prop(&node["status"], "icon");
            let icon = icon.as_deref().and_then(glyph).map_or(String::new(), |g| format!("{g} "));
            text::clean(&format!("{icon}{}", one_line(&text)))
        });
        let (in_edge, in_body) = match status {
            Some(status) if is_framed && columns(&status) + 6 <= width => (Some(status), None),
            status => (None, status),
        };
        let mut out = Block::new();
        if let Some(status) = in_body {
            out.extend(wrap(&[Span::new(&status, Style::dim())], inner));
            out.push(rule(inner));
        }
        if kind(node) == "ListView" {
            out.extend(renderer.items(children(node), inner));
        } else {
            out.extend(renderer.stack(children(node), inner, true, Align::Start));
        }
        let mut actions = Line::default();
        for (at, is_main) in [("confirm", true), ("cancel", false)] {
            if let Some(label) = prop(&node[at], "label") {
                if actions.width() > 0 {
                    actions.space(1);
                }
                actions.append(&self.button(&label, is_main, None, false));
            }
        }
        if actions.width() > 0 {
            if !out.is_empty() {
                out.push(Line::default());
            }
            out.extend(wrap(actions.spans(), inner));
        }
        if is_framed { frame(&out, width, in_edge.as_deref()) } else { out }
    }

    /// The entries of a list, with a rule between them once one is taller than a line.
    fn items(self, nodes: &[Value], width: usize) -> Block {
        let items: Vec<Block> =
            nodes.iter().map(|n| self.render(n, width)).filter(|item| !item.is_empty()).collect();
        let is_tall = items.iter().any(|item| item.len() > 1);
        let mut out = Block::new();
        for item in items {
            if is_tall && !out.is_empty() {
                out.push(rule(width));
            }
            out.extend(item);
        }
        out
    }

    pub(super) fn markdown(self, node: &Value, width: usize) -> Block {
        let source = prop(node, "value").unwrap_or_default();
        let urls = !(self.colour && self.links);
        markdown::layout(&source, width, urls, |rows, width| self.markdown_table(rows, width))
    }

    /// Inline components: a badge, a button, an icon, an image's alternative text.
    pub(super) fn token(self, node: &Value) -> Line {
        match kind(node) {
            "Badge" => self.badge(node),
            "Button" => {
                let icon = |at| prop(node, at).as_deref().and_then(glyph);
                let label = prop(node, "label").map(|label| one_line(&label));
                let label = match (icon("iconStart"), label, icon("iconEnd")) {
                    (None, None, None) => {
                        let icon = prop(node, "iconStart").or_else(|| prop(node, "iconEnd"));
                        icon.map(|icon| node::icon_words(&icon))
                    }
                    (start, label, end) => {
                        let parts = [start.map(str::to_owned), label, end.map(str::to_owned)];
                        Some(parts.into_iter().flatten().collect::<Vec<_>>().join(" "))
                    }
                };
                let Some(label) = label else { return Line::default() };
                let is_main = node["style"] == "primary"
                    || node["submit"] == true && node["style"] != "secondary"
                    || node["variant"] == "solid" && node["color"] != "secondary";
                let url = node::link(&node["onClickAction"]);
                self.button(&label, is_main, url, node["disabled"] == true)
            }
            "Icon" => {
                let found = prop(node, "name").as_deref().and_then(glyph);
                found.map_or(Line::default(), |g| Line::of(g, Style::fore(colour(&node["color"]))))
            }
            "Image" => match prop(node, "alt") {
                Some(alt) => {
                    let link = node["src"].as_str().and_then(address);
                    let style = Style { link, ..Style::dim() };
                    // The weather in words needs no sign that it is a picture.
                    let sign = if weather::emoji(node).is_some() { "" } else { "▨ " };
                    Line::of(&text::clean(&format!("{sign}{}", one_line(&alt))), style)
                }
                None => Line::default(),
            },
            _ => Line::default(),
        }
    }

    fn badge(self, node: &Value) -> Line {
        let Some(label) = prop(node, "label") else { return Line::default() };
        let label = text::clean(&one_line(&label));
        let colour = match node["color"].as_str() {
            Some("success") => Colour::Green,
            Some("danger") => Colour::Red,
            Some("warning") => Colour::Yellow,
            Some("info") => Colour::Blue,
            Some("discovery") => Colour::Magenta,
            _ => Colour::Grey,
        };
        if self.colour && node["variant"] != "outline" {
            let style = Style { back: Some(colour), ..Style::default() };
            return Line::of(&format!("\u{a0}{label}\u{a0}"), style);
        }
        let fore = (colour != Colour::Grey).then_some(colour);
        Line::of(&format!("[{label}]"), Style { dim: fore.is_none(), ..Style::fore(fore) })
    }

    fn button(self, label: &str, is_main: bool, url: Option<&str>, is_off: bool) -> Line {
        let label = text::clean(&one_line(label));
        let link = url.and_then(address);
        if self.colour && !is_off {
            let back = (!is_main).then_some(Colour::Grey);
            let style = Style { reverse: is_main, bold: is_main, back, link, ..Style::default() };
            return Line::of(&format!("\u{a0}{label}\u{a0}"), style);
        }
        let style = Style { dim: is_off, link, ..Style::default() };
        Line::of(&format!("[\u{a0}{label}\u{a0}]"), style)
    }
}

/// A text component in its weight and colour.
fn words(node: &Value, width: usize) -> Block {
    let Some(value) = prop(node, "value") else { return Block::new() };
    let lines = wrap(&[Span::new(value.trim(), style(node))], width);
    match node["textAlign"].as_str() {
        Some("center") => lines.iter().map(|line| line.fill(width, Align::Center)).collect(),
        Some("end") => lines.iter().map(|line| line.fill(width, Align::End)).collect(),
        _ => lines,
    }
}

pub(super) fn style(node: &Value) -> Style {
    let fore = colour(&node["color"]);
    let is_quiet = matches!(node["color"].as_str(), Some("secondary" | "tertiary"))
        || node["color"].as_str().is_some_and(|c| c.starts_with("gray"));
    let is_bold = node::is_bold(node);
    Style {
        fore,
        bold: is_bold || kind(node) == "Title",
        dim: is_quiet || (kind(node) == "Caption" && fore.is_none() && !is_bold),
        italic: node["italic"] == true,
        strike: node["lineThrough"] == true,
        ..Style::default()
    }
}

/// The terminal colour nearest to a token or palette colour; none for CSS colours.
pub(super) fn colour(value: &Value) -> Option<Colour> {
    let name = value.as_str().or_else(|| value["dark"].as_str())?;
    match name.split('-').next()? {
        "success" | "green" => Some(Colour::Green),
        "danger" | "red" => Some(Colour::Red),
        "warning" | "caution" | "yellow" | "orange" => Some(Colour::Yellow),
        "info" | "accent" | "blue" => Some(Colour::Blue),
        "discovery" | "purple" | "pink" => Some(Colour::Magenta),
        "teal" | "cyan" => Some(Colour::Cyan),
        _ => None,
    }
}

fn rule(width: usize) -> Line {
    let mut line = Line::of(&"─".repeat(width), Style::dim());
    line.is_rule = true;
    line
}

/// A progress bar.
fn progress(node: &Value, width: usize) -> Block {
    let part = node::progress(node).unwrap_or_default();
    let width = width.min(60);
    let full = (part * width as f64).round() as usize;
    let fore = colour(&children(node)[0]["background"]);
    let mut line = Line::of(&"━".repeat(full), Style::fore(fore));
    line.push(&"┄".repeat(width - full), &Style::dim());
    vec![line]
}

fn mark(node: &Value) -> Line {
    let style = Style::fore(colour(&node["background"]));
    Line::of(if is_bar(node) { "│" } else { "●" }, style)
}

pub(super) fn has_border(node: &Value) -> bool {
    let border = &node["border"];
    let is_on = border.as_f64().or_else(|| border["size"].as_f64()).is_some_and(|size| size > 0.0);
    is_on && border["color"] != "none"
}

/// Whether the gap between the children is worth a blank line.
fn blank_between(node: &Value) -> bool {
    gap(node) >= 3.0
}

pub(super) fn gap(node: &Value) -> f64 {
    match &node["gap"] {
        Value::String(css) => css.trim_end_matches("px").parse().map_or(0.0, |px: f64| px / 4.0),
        other => other.as_f64().unwrap_or_default(),
    }
}

fn align(node: &Value) -> Align {
    match node["align"].as_str() {
        Some("center") => Align::Center,
        Some("end") => Align::End,
        _ => Align::Start,
    }
}

pub(super) fn is_label_of(label: &Value, field: &Value) -> bool {
    kind(label) == "Label"
        && field_name(field).is_some_and(|name| Some(name) == prop(label, "fieldName"))
}

/// A frame of the given width; its content is at most four columns narrower.
fn frame(block: &[Line], width: usize, title: Option<&str>) -> Block {
    let dim = Style::dim();
    let edge = width - 2;
    let mut top = Line::of("╭─", dim.clone());
    if let Some(title) = title {
        top.push(" ", &dim);
        top.push(title, &Style::bold());
        top.push(" ", &dim);
    }
    let used = top.width() - 1;
    top.push(&"─".repeat(edge.saturating_sub(used)), &dim);
    top.push("╮", &dim);
    let mut out = vec![top];
    for line in block {
        let (left, right) = if line.is_rule { ("├─", "─┤") } else { ("│ ", " │") };
        let mut framed = Line::of(left, dim.clone());
        framed.append(&line.fill(width - 4, Align::Start));
        framed.push(right, &dim);
        out.push(framed);
    }
    out.push(Line::of(&format!("╰{}╯", "─".repeat(edge)), dim));
    out
}
