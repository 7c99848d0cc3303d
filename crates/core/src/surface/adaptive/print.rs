//! Prints an outline as a card: the budget of bytes, and blocks one below the other. What a block is made
//! of is printed by the files next to this one.

use widgetcast_engine::outline::{
    Block, FieldKind, Lack, Line, Lost, Outline, Panel, Picture, Role,
};
use widgetcast_engine::signs::sign;
use widgetcast_engine::text;
use widgetcast_engine::words::{Word, Words};

use super::icon::fluent;
use super::json::pixels;
use super::line::{Look, Row, ground};
use super::printer::{BYTES, Budget, Gap, Printer, URL};
use super::survey::Survey;

pub(super) const LACK: Lack = Lack {
    picture: unseen,
    shows_icon: |name| fluent(name).is_some() || sign(name).is_some(),
    shows_colors: true,
    shows_badge_colors: true,
    shows_swatches: true,
    chart: |_| None,
    // Buttons; losses of fields and options are reported where they are printed.
    shows_disabled: true,
    is_interactive: true,
    field: |field| {
        field.change.map(|_| "the field's change action is lost: a button submits the field")
    },
};

/// Why Teams does not show an image.
fn unseen(picture: &Picture<'_>) -> Option<&'static str> {
    let src = picture.src;
    let starts =
        |start: &str| src.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start));
    let path = src.as_bytes().split(|byte| matches!(byte, b'?' | b'#')).next().unwrap_or_default();
    let is_svg = path.len() > 4 && path[path.len() - 4..].eq_ignore_ascii_case(b".svg");
    let inline = ["data:image/png", "data:image/jpeg", "data:image/gif"];
    match starts("https://") {
        _ if starts("data:image/svg") => Some("the image is not shown: Teams does not support SVG"),
        true if is_svg => Some("the image is not shown: Teams does not support SVG"),
        true if src.len() <= URL => None,
        _ if inline.into_iter().any(starts) => None,
        _ => Some("the image is not shown: Teams supports only PNG, JPEG and GIF over https"),
    }
}

/// What is left for notes and brackets when a card is cut.
const RESERVE: usize = 4 * 1024;
/// The characters of the text for hosts that show no cards.
const FALLBACK: usize = 1000;
/// How many rows of each list, table and chart are printed, tried in turn until the card is small enough.
const ROWS: [usize; 9] = [usize::MAX, 64, 48, 32, 24, 16, 10, 6, 3];

/// The card, and what printing it left out.
pub(super) fn print(outline: &Outline<'_>, words: Words) -> (String, Vec<Lost>) {
    let survey = Survey::of(outline);
    let text = text::of_outline(outline, words);
    let short = text.char_indices().nth(FALLBACK).map_or(text.as_str(), |(end, _)| &text[..end]);
    let full = Budget { rows: usize::MAX, has_data: true, bytes: BYTES, is_last: false };
    let last = Budget { rows: 3, has_data: false, bytes: BYTES - RESERVE, is_last: true };
    let fewer = ROWS.into_iter().filter(|rows| *rows == usize::MAX || *rows < survey.rows);
    let fewer = fewer.map(|rows| Budget { rows, has_data: false, ..full });
    // A card that grows too large is given up at once, so all tries together cost no more than a few cards
    // of the largest size.
    for budget in std::iter::once(full).chain(fewer).chain([last]) {
        let mut printer = Printer::new(outline, words, &survey, budget);
        printer.card(short, &outline.blocks);
        if printer.out.len() <= BYTES {
            return (printer.out, printer.lost);
        }
    }
    // Only what cannot be cut, such as thousands of groups inside each other, comes here.
    let mut printer = Printer::new(outline, words, &survey, last);
    printer.card("", &[]);
    (
        printer.out,
        vec![Lost::new(0, format!("the card is larger than the {BYTES} bytes that Teams accepts"))],
    )
}

impl<'t> Printer<'_, 't> {
    fn card(&mut self, text: &str, blocks: &[Block<'t>]) {
        self.open("AdaptiveCard");
        self.string("$schema", "http://adaptivecards.io/schemas/adaptive-card.json");
        self.string("version", "1.5");
        self.flag("rtl", self.outline.is_right_to_left(self.words));
        // A wide table needs more than the half of the chat that Teams gives to a card.
        if self.survey.is_wide {
            self.raw("msteams", r#"{"width":"full"}"#);
        }
        self.string("fallbackText", text);
        self.items("body");
        self.blocks(blocks);
        if self.out.ends_with('[') {
            let is_empty = self.outline.blocks.is_empty();
            self.note(self.words.get(if is_empty { Word::Empty } else { Word::NotShown }));
        }
        self.end();
    }

    /// Whether there is room for more.
    pub(super) fn has_room(&self) -> bool {
        self.out.len() < self.budget.bytes
    }

    pub(super) fn lose(&mut self, at: u32, reason: impl Into<String>) {
        self.lost.push(Lost::new(at, reason));
    }

    /// A text for the reader that is not in the tree.
    pub(super) fn note(&mut self, text: &str) {
        self.plain(text, Look { is_small: true, ..Look::default() });
    }

    /// Says how many entries are left out, but once only that the whole card is cut.
    pub(super) fn cut(&mut self, at: u32, word: Word, shown: usize, all: usize) {
        if shown < all {
            self.lose(
                at,
                format!("only the first {shown} of {all} are shown: the card would be too large"),
            );
        }
        if shown < all && !self.is_noted {
            self.is_noted = !self.has_room();
            self.gap = Gap::of("Small");
            self.note(&self.words.count(word, all - shown));
        }
    }

    /// Prints entries up to the budget; returns how many.
    pub(super) fn each<T>(
        &mut self,
        all: &[T],
        mut entry: impl FnMut(&mut Self, usize, &T),
    ) -> usize {
        for (index, one) in all.iter().enumerate() {
            if index >= self.budget.rows || !self.has_room() {
                return index;
            }
            entry(self, index, one);
        }
        all.len()
    }

    pub(super) fn blocks(&mut self, blocks: &[Block<'t>]) {
        let (mut above, mut is_divided): (Option<&Block<'t>>, bool) = (None, false);
        for (index, block) in blocks.iter().enumerate() {
            if matches!(block, Block::Divider) {
                is_divided = above.is_some() || index == 0;
                continue;
            }
            if !self.has_room() {
                return self.cut(self.at(block), Word::More, index, blocks.len());
            }
            let spacing = above.map(|above| self.spacing(above, block));
            self.gap =
                Gap { spacing: if is_divided { Some("Medium") } else { spacing }, is_divided };
            let start = self.out.len();
            self.block(block);
            if self.out.len() > start {
                (above, is_divided) = (Some(block), false);
            }
        }
        self.gap = Gap::default();
    }

    /// How far a block stands from the one above.
    fn spacing(&self, above: &Block<'t>, block: &Block<'t>) -> &'static str {
        let spans = |line: &Line| self.outline.spans(*line);
        let is_section = |block: &Block<'t>| {
            let Block::Line(line) = block else { return false };
            let first = spans(line).iter().find(|span| span.is_text());
            first.is_some_and(|span| span.role >= Role::Strong)
        };
        let is_stanza =
            |line: &Line| spans(line).iter().any(|span| span.text.trim().contains('\n'));
        match (above, block) {
            (_, block) if is_section(block) => "Large",
            (above, _) if is_section(above) => "Small",
            (Block::Line(a), Block::Line(b)) if is_stanza(a) || is_stanza(b) => "Medium",
            (Block::Heading(_) | Block::Line(_) | Block::Field(_), Block::Line(_)) => "Small",
            (_, Block::Field(field)) if field.kind == FieldKind::Checkbox => "Small",
            (Block::Facts { .. }, Block::Facts { .. }) => "Small",
            _ => "Medium",
        }
    }

    fn block(&mut self, block: &Block<'t>) {
        match block {
            Block::Heading(heading) => self.heading(heading),
            Block::Line(line) => self.line(Row::of(self.outline, *line), Look::default()),
            Block::Markdown { at, text } => self.markdown(*at, text),
            Block::Facts { facts, is_across } => self.facts(facts, *is_across),
            Block::List(list) if list.is_across => self.tiles(list.at, &list.items),
            Block::List(list) => self.list(list.at, &list.items),
            Block::Item(item) => self.item(item),
            Block::Table(table) => self.table(table),
            Block::Chart(chart) => self.chart(chart),
            Block::Picture(picture) => self.picture(picture, None),
            Block::Field(field) => self.field(field),
            Block::Actions(actions) => self.actions(actions, "", false),
            Block::Columns(columns) => self.columns(columns),
            Block::Panel(panel) => self.panel(panel),
            Block::Divider => {}
        }
    }

    fn panel(&mut self, panel: &Panel<'t>) {
        let outer = self.is_on_color;
        let mark = self.open("Container");
        self.ground(panel.color);
        self.items("items");
        self.blocks(&panel.blocks);
        self.end_filled(mark);
        self.is_on_color = outer;
    }

    /// Blocks as one element.
    pub(super) fn container(&mut self, blocks: &[Block<'t>]) {
        let mark = self.open("Container");
        self.items("items");
        self.blocks(blocks);
        self.end_filled(mark);
    }

    /// The ground of the open group; what has none has a border.
    pub(super) fn ground(&mut self, color: Option<&str>) {
        let style = ground(color);
        self.is_on_color |= style != "emphasis";
        match color {
            Some(_) => self.string("style", style),
            None => self.raw("showBorder", "true"),
        }
        self.raw("roundedCorners", "true");
    }

    /// An image, or its alternative text; `width` is what its column has.
    pub(super) fn picture(&mut self, picture: &Picture<'t>, width: Option<f64>) {
        if !self.shows(picture) {
            if !picture.caption.is_empty() {
                self.note(picture.caption);
            }
            return;
        }
        self.open("Image");
        self.string("url", picture.src);
        self.string("altText", picture.alt);
        match width.or(picture.width).filter(|px| (1.0..=1000.0).contains(px)) {
            Some(px) => self.string("width", &pixels(px)),
            None => self.string("size", "Stretch"),
        }
        if picture.is_round {
            self.string("style", "Person");
        }
        self.align(Look { is_center: picture.is_center, ..Look::default() });
        self.close();
    }

    /// Whether an image is shown; one that is too large for the card is reported.
    pub(super) fn shows(&mut self, picture: &Picture<'t>) -> bool {
        let is_inline = !picture.src.starts_with(['h', 'H']);
        let is_known = unseen(picture).is_none();
        if is_known && is_inline && !self.budget.has_data {
            self.lose(picture.at, "the inline image is omitted to keep the card small");
        }
        is_known && (!is_inline || self.budget.has_data)
    }

    /// The component of a block, as far as it has one.
    fn at(&self, block: &Block<'t>) -> u32 {
        let line = |line: Line| self.outline.spans(line).first().map_or(0, |span| span.at);
        match block {
            Block::Heading(heading) => heading.item.at,
            Block::Line(first) => line(*first),
            Block::Facts { facts, .. } => facts.first().map_or(0, |fact| line(fact.label)),
            Block::Markdown { at, .. } => *at,
            Block::List(list) => list.at,
            Block::Item(item) => item.at,
            Block::Table(table) => table.at,
            Block::Picture(picture) => picture.at,
            Block::Field(field) => field.at,
            Block::Actions(actions) => actions.first().map_or(0, |action| action.at),
            Block::Panel(panel) => panel.at,
            _ => 0,
        }
    }
}
