//! What a host cannot show of an outline.

use super::action::Action;
use super::block::{Block, Chart, Item, Outline, Picture};
use super::color::Hue;
use super::field::{Field, FieldKind};
use super::span::{Line, SpanKind};

/// Something that a host cannot show, with the index of its component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lost {
    /// The index of the component.
    pub at: u32,
    /// What is lost, and why, in one short sentence.
    pub reason: String,
}

impl Lost {
    /// A loss at a component.
    pub fn new(at: u32, reason: impl Into<String>) -> Self {
        Self { at, reason: reason.into() }
    }
}

/// What a host lacks. The functions return why something is not shown, or `None` if it is.
#[derive(Clone, Copy)]
pub struct Lack {
    /// Images.
    pub picture: fn(&Picture<'_>) -> Option<&'static str>,
    /// Whether it has a symbol for an icon.
    pub shows_icon: fn(&str) -> bool,
    /// Whether the colours of texts and backgrounds are shown.
    pub shows_colors: bool,
    /// Whether the colours of badges are shown.
    pub shows_badge_colors: bool,
    /// Whether boxes that are only a colour, and the colours of bars, are shown.
    pub shows_swatches: bool,
    /// Charts.
    pub chart: fn(&Chart<'_>) -> Option<String>,
    /// Whether buttons and fields can be shown but not used.
    pub shows_disabled: bool,
    /// Whether users can press buttons and fill in fields.
    pub is_interactive: bool,
    /// The constraints of a field that the host does not check.
    pub field: fn(&Field<'_>) -> Option<&'static str>,
}

impl Outline<'_> {
    /// What a host that lacks these loses.
    pub fn lost(&self, lack: &Lack) -> Vec<Lost> {
        let mut walk = Walk { outline: self, lack, lost: Vec::new() };
        self.blocks.iter().for_each(|block| walk.block(block));
        walk.lost
    }
}

/// Why no host shows an image.
const REFUSED: &str = "the image is not shown: its origin is not in image_origins";

struct Walk<'w, 't> {
    outline: &'w Outline<'t>,
    lack: &'w Lack,
    lost: Vec<Lost>,
}

impl Walk<'_, '_> {
    fn add(&mut self, at: u32, reason: impl Into<String>) {
        self.lost.push(Lost::new(at, reason));
    }

    fn block(&mut self, block: &Block<'_>) {
        match block {
            Block::Heading(heading) => self.item(&heading.item),
            Block::Line(line) => self.line(*line),
            Block::Facts { facts, .. } => facts.iter().for_each(|fact| {
                self.line(fact.label);
                self.line(fact.value);
            }),
            Block::List(list) => list.items.iter().for_each(|item| self.item(item)),
            Block::Item(item) => self.item(item),
            Block::Table(table) => {
                let rows = std::iter::once(&table.head).chain(&table.rows);
                rows.flatten().for_each(|cell| self.item(&cell.item));
            }
            Block::Chart(chart) => {
                if let Some(reason) = (self.lack.chart)(chart) {
                    self.add(chart.node.index(), reason);
                }
            }
            Block::Picture(picture) => self.picture(picture),
            Block::Field(field) => self.field(field),
            Block::Actions(actions) => actions.iter().for_each(|action| self.action(action)),
            Block::Columns(columns) => {
                columns.iter().flatten().for_each(|block| self.block(block));
            }
            Block::Panel(panel) => {
                self.background(panel.at, panel.color);
                panel.blocks.iter().for_each(|block| self.block(block));
            }
            Block::Markdown { .. } | Block::Divider => {}
        }
    }

    fn item(&mut self, item: &Item<'_>) {
        self.background(item.at, item.color);
        item.picture.iter().for_each(|picture| self.picture(picture));
        item.lines.iter().chain(&item.trail).for_each(|line| self.line(*line));
        item.blocks.iter().for_each(|block| self.block(block));
        item.actions.iter().chain(&item.press).for_each(|action| self.action(action));
    }

    fn background(&mut self, at: u32, color: Option<&str>) {
        if !self.lack.shows_colors
            && let Some(color) = color.filter(|color| Hue::of(color).is_some())
        {
            self.add(at, format!("the background {color} is not shown"));
        }
    }

    fn line(&mut self, line: Line) {
        let start = self.lost.len();
        for span in self.outline.spans(line) {
            let color = span.color.filter(|_| span.hue().is_some());
            let reason = match (span.kind, color) {
                (SpanKind::Icon, _) if !(self.lack.shows_icon)(span.text) => {
                    format!("the icon {} is not shown", span.text)
                }
                (SpanKind::Swatch, _) if !self.lack.shows_swatches => {
                    format!("a box in the colour {} is not shown", span.color.unwrap_or_default())
                }
                (SpanKind::Stroke, Some(color)) => {
                    format!("a line in the colour {color} is not shown")
                }
                (SpanKind::Text, Some(color)) if !self.lack.shows_colors => {
                    format!("the colour {color} of the text is not shown")
                }
                (SpanKind::Meter, Some(_)) if self.lack.shows_swatches => continue,
                (SpanKind::Icon | SpanKind::Meter, Some(color)) if !self.lack.shows_colors => {
                    format!("the colour {color} is not shown")
                }
                (SpanKind::Badge, Some(color)) if !self.lack.shows_badge_colors => {
                    format!("the colour {color} of the badge is not shown")
                }
                _ => continue,
            };
            // One loss is enough for the stars of a rating.
            if self.lost[start..].last().is_none_or(|last| last.reason != reason) {
                self.add(span.at, reason);
            }
        }
    }

    fn picture(&mut self, picture: &Picture<'_>) {
        if let Some(reason) = (self.lack.picture)(picture) {
            self.add(picture.at, if picture.is_refused { REFUSED } else { reason });
        }
    }

    fn field(&mut self, field: &Field<'_>) {
        field.below.iter().for_each(|line| self.line(*line));
        if !self.lack.is_interactive {
            return self.add(field.at, "the field cannot be filled in");
        }
        if let Some(reason) = (self.lack.field)(field) {
            self.add(field.at, reason);
        }
        if field.is_disabled && !self.lack.shows_disabled {
            self.add(field.at, "the field is disabled, so its value is shown as text");
        }
        let choices = matches!(field.kind, FieldKind::Select | FieldKind::Radio);
        if choices
            && !self.lack.shows_disabled
            && field.choices.iter().any(|choice| choice.is_disabled)
        {
            self.add(field.at, "disabled options are omitted");
        }
    }

    fn action(&mut self, action: &Action<'_>) {
        if !self.lack.is_interactive && action.link.is_none() {
            self.add(action.at, "the button cannot be pressed");
        } else if action.is_disabled && !self.lack.shows_disabled {
            self.add(action.at, "the button is disabled, so it is shown as text");
        }
    }
}
