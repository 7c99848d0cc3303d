//! Headings and items. The items of a list share one shape, which is decided once for all of them.

use widgetcast_engine::outline::{Block, Heading, Item, Line, Picture, SpanKind};
use widgetcast_engine::words::Word;

use super::json::pixels;
use super::line::{Look, Row, letters};
use super::printer::Gap;
use super::printer::Printer;

/// The letters of a line at the end of an item that leave room for the others on a phone, and those of the
/// label of a button there.
const TRAIL: usize = 24;
const BUTTON: usize = 13;
/// The letters of a badge that leads a line, as the number of a step does.
const LEAD: usize = 8;
/// The default and the maximum width of an image in a list.
pub(super) const PICTURE: f64 = 40.0;
const WIDEST: f64 = 96.0;

/// Which columns the items of a list have.
#[derive(Clone, Copy, Default)]
struct Shape {
    /// The width of the image, and whether it is at the end.
    picture: Option<f64>,
    is_end: bool,
    /// The letters of the badge before the lines; 0 of a sign.
    lead: Option<usize>,
    has_trail: bool,
    has_button: bool,
}

impl<'p, 't> Printer<'p, 't> {
    pub(super) fn heading(&mut self, heading: &Heading<'t>) {
        // A sign leads the title itself, whose line may not be the first.
        let shape = Shape { lead: None, ..self.shape(std::slice::from_ref(&heading.item)) };
        self.framed(&heading.item, false, |printer| {
            printer.body(&heading.item, shape, Some(heading.title));
        });
    }

    pub(super) fn item(&mut self, item: &Item<'t>) {
        // Images side by side are an item without lines; text after them is a block.
        let is_picture = |block: &&Block<'t>| matches!(block, Block::Picture(_));
        let count = item.blocks.iter().take_while(is_picture).count();
        let rest = &item.blocks[count..];
        let is_mute = item.lines.is_empty() && item.trail.is_empty();
        if is_mute && matches!(rest, [] | [Block::Line(_)]) {
            let more = item.blocks.iter().filter_map(|block| match block {
                Block::Picture(picture) => Some(picture),
                _ => None,
            });
            let all: Vec<&Picture<'t>> = item.picture.iter().chain(more).collect();
            self.framed(item, false, |printer| {
                printer.pictures(item.at, &all, rest);
            });
            return self.actions(&item.actions, "", false);
        }
        let shape = self.shape(std::slice::from_ref(item));
        self.framed(item, false, |printer| printer.body(item, shape, None));
    }

    pub(super) fn list(&mut self, at: u32, items: &[Item<'t>]) {
        let shape = self.shape(items);
        let is_tall = items.iter().any(|item| {
            let trail = if shape.has_trail { 0 } else { item.trail.len() };
            item.lines.len() + trail > 1 || !item.blocks.is_empty()
        });
        let is_divided = is_tall && !items.iter().any(|item| item.is_framed);
        let mark = self.open("Container");
        self.items("items");
        let shown = self.each(items, |printer, index, item| {
            let spacing = Some(if is_tall { "Medium" } else { "Small" });
            printer.gap = if index > 0 { Gap { spacing, is_divided } } else { Gap::default() };
            printer.framed(item, true, |printer| printer.body(item, shape, None));
        });
        self.cut(at, Word::More, shown, items.len());
        self.end_filled(mark);
    }

    /// An item, in a group if it must be one, has a ground or can be pressed.
    fn framed(&mut self, item: &Item<'t>, is_group: bool, body: impl FnOnce(&mut Self)) {
        if !is_group && item.press.is_none() && !item.is_framed && item.color.is_none() {
            return body(self);
        }
        let outer = self.is_on_color;
        let mark = self.open("Container");
        self.frame(item);
        self.items("items");
        body(self);
        self.end_filled(mark);
        self.is_on_color = outer;
    }

    /// The ground of the open group, and what pressing it does.
    pub(super) fn frame(&mut self, item: &Item<'t>) {
        if item.is_framed || item.color.is_some() {
            self.ground(item.color);
        }
        if let Some(press) = &item.press {
            self.press(press, &self.outline.name(item));
        }
    }

    fn shape(&mut self, items: &[Item<'t>]) -> Shape {
        let (mut pictures, mut leads, mut badges, mut trails, mut buttons) = (0, 0, 0, 0, 0);
        let mut shape =
            Shape { has_button: true, has_trail: true, is_end: true, ..Shape::default() };
        for item in items {
            if let Some(picture) = item.picture.filter(|picture| self.shows(picture)) {
                let width = picture.width.or(picture.height).unwrap_or(PICTURE).clamp(16.0, WIDEST);
                shape.picture = Some(shape.picture.unwrap_or(0.0).max(width));
                shape.is_end &= picture.is_end;
                pictures += 1;
            }
            if let Some([lead, _]) = self.led(item) {
                let is_badge = lead.spans[0].kind == SpanKind::Badge;
                let width = if is_badge { lead.letters()[1] } else { 0 };
                shape.lead = Some(shape.lead.unwrap_or(0).max(width));
                leads += 1;
                badges += usize::from(is_badge);
            }
            let is_short = |line: &Line| Row::of(self.outline, *line).letters()[1] <= TRAIL;
            shape.has_trail &= item.trail.iter().all(is_short);
            trails += item.trail.len();
            let is_short = item.actions.iter().all(|action| letters(action.label)[1] <= BUTTON);
            shape.has_button &= item.actions.len() < 2 && is_short && !item.lines.is_empty();
            buttons += item.actions.len();
        }
        // A column that is empty in most items is omitted; numbers lead all items.
        shape.picture = shape.picture.filter(|_| pictures * 2 >= items.len());
        let is_lead = leads * 2 >= items.len() && (badges == 0 || badges == items.len());
        shape.lead = shape.lead.filter(|letters| is_lead && *letters <= LEAD);
        shape.has_trail &= trails > 0;
        shape.has_button &= buttons > 0;
        shape
    }

    /// The sign that leads an item, and the rest of its first line.
    fn led(&self, item: &Item<'t>) -> Option<[Row<'p, 't>; 2]> {
        Row::of(self.outline, *item.lines.first()?).led()
    }

    /// What is in an item; `title` is the line of a heading.
    fn body(&mut self, item: &Item<'t>, shape: Shape, title: Option<usize>) {
        let start = self.out.len();
        if shape.picture.is_some() || shape.lead.is_some() || shape.has_trail || shape.has_button {
            self.open("ColumnSet");
            self.items("columns");
            self.item_columns(item, shape, title);
            self.end();
        } else {
            self.lines(item, title, None);
        }
        for line in item.trail.iter().filter(|_| !shape.has_trail) {
            self.below(start, "Small");
            self.line(Row::of(self.outline, *line), Look::default());
        }
        let is_mute = item.lines.is_empty() && item.trail.is_empty();
        if let Some(picture) = item.picture.filter(|_| shape.picture.is_none())
            && (is_mute || self.shows(&picture))
        {
            self.below(start, "Small");
            self.picture(&picture, None);
        }
        let has_actions = !shape.has_button;
        self.rest(item, &self.outline.name(item), start, has_actions, false);
    }

    /// The blocks and the buttons of an item.
    fn rest(&mut self, item: &Item<'t>, name: &str, start: usize, has_actions: bool, is_end: bool) {
        if !item.blocks.is_empty() {
            self.below(start, "Small");
            self.container(&item.blocks);
        }
        if has_actions && !item.actions.is_empty() {
            self.below(start, "Small");
            self.actions(&item.actions, name, is_end);
        }
    }

    fn item_columns(&mut self, item: &Item<'t>, shape: Shape, title: Option<usize>) {
        let place = if item.lines.len() > 2 { "" } else { "Center" };
        let side = |printer: &mut Self, is_end: bool| {
            let Some(width) = shape.picture.filter(|_| shape.is_end == is_end) else { return };
            printer.column(&pixels(width), place);
            if let Some(picture) = &item.picture {
                printer.picture(picture, Some(picture.width.unwrap_or(width).min(width)));
            }
            printer.end();
        };
        side(self, false);
        let led = self.led(item).filter(|_| shape.lead.is_some());
        if let Some(letters) = shape.lead {
            let width = if letters == 0 { 20 } else { letters * 8 + 8 };
            self.column(&format!("{width}px"), "");
            if let Some([lead, _]) = led {
                self.line(lead, Look::default());
            }
            self.end();
            self.gap = Gap::of("Small");
        }
        self.column("stretch", place);
        self.lines(item, title, led.map(|[_, rest]| rest));
        self.end();
        if shape.has_trail {
            self.column("auto", place);
            let start = self.out.len();
            for line in &item.trail {
                self.below(start, "None");
                self.line(Row::of(self.outline, *line), Look { is_end: true, ..Look::default() });
            }
            self.end();
        }
        if shape.has_button {
            self.column("auto", place);
            self.actions(&item.actions, &self.outline.name(item), true);
            self.end();
        }
        side(self, true);
    }

    /// The lines of an item; `first` replaces the first of them.
    fn lines(&mut self, item: &Item<'t>, title: Option<usize>, first: Option<Row<'p, 't>>) {
        let start = self.out.len();
        for (index, line) in item.lines.iter().enumerate() {
            if !self.has_room() {
                return self.cut(item.at, Word::More, index, item.lines.len());
            }
            let first = first.filter(|_| index == 0);
            self.below(start, if title.is_some() { "Small" } else { "None" });
            let look = Look { is_title: title == Some(index), ..Look::default() };
            self.line(first.unwrap_or(Row::of(self.outline, *line)), look);
        }
    }

    /// What is in a cell of a table or a tile: one below the other. `name` is that of the row or the tile.
    pub(super) fn cell(&mut self, item: &Item<'t>, name: &str, look: Look) {
        let start = self.out.len();
        if let Some(picture) = item.picture
            && (item.lines.is_empty() || self.shows(&picture))
        {
            let width = picture.width.or(picture.height);
            // A small image leads the lines next to it.
            if let Some(side) = width.filter(|side| *side <= PICTURE && !item.lines.is_empty()) {
                self.open("ColumnSet");
                self.items("columns");
                let beside = pixels(side);
                for is_picture in [!picture.is_end, picture.is_end] {
                    self.column(if is_picture { &beside } else { "stretch" }, "");
                    if is_picture {
                        self.picture(&picture, width);
                    } else {
                        self.cell_lines(item, self.out.len(), look);
                    }
                    self.end();
                    self.gap = Gap::of("Small");
                }
                self.gap = Gap::default();
                self.end();
                return self.rest(item, name, start, true, look.is_end);
            }
            self.picture(&picture, width);
        }
        self.cell_lines(item, start, look);
        self.rest(item, name, start, true, look.is_end);
    }

    fn cell_lines(&mut self, item: &Item<'t>, start: usize, look: Look) {
        for line in item.stacked_lines() {
            self.below(start, "None");
            self.line(Row::of(self.outline, line), look);
        }
    }
}
