//! Side by side: tiles, facts and columns, in as many as fit a phone.

use widgetcast_engine::outline::{Action, Block, Fact, Item, Line, Picture};
use widgetcast_engine::words::Word;

use super::item::PICTURE;
use super::line::{Look, Row, letters};
use super::printer::Gap;
use super::printer::Printer;

/// The letters next to each other in a card on a phone, between two columns, and of a field.
const LETTERS: usize = 40;
const BETWEEN: usize = 2;
const FIELD: usize = 16;
/// The pixels of a card on a phone.
const PIXELS: f64 = 288.0;
/// The most columns side by side.
const COLUMNS: usize = 4;
/// Maximum depth at which the contents of a column are measured: deeper ones are hardly wider.
const DEPTH: usize = 3;
/// The letters of a value that is at the end of its line.
pub(super) const VALUE: usize = 21;

impl<'p, 't> Printer<'p, 't> {
    /// Items side by side.
    pub(super) fn tiles(&mut self, at: u32, items: &[Item<'t>]) {
        let widest = items.iter().map(|item| self.width_of_item(item, DEPTH)).max().unwrap_or(0);
        self.in_rows(at, items, widest, |printer, item| {
            let outer = printer.is_on_color;
            // A sign between two tiles takes no more than it needs.
            let is_mute = printer.outline.name(item).is_empty() && item.picture.is_none();
            let is_sign = is_mute && item.blocks.is_empty() && item.actions.is_empty();
            printer.open("Column");
            printer.string("width", if is_sign { "auto" } else { "stretch" });
            printer.string("verticalContentAlignment", if is_sign { "Center" } else { "Top" });
            printer.frame(item);
            printer.items("items");
            printer.cell(item, &printer.outline.name(item), Look::default());
            printer.end();
            printer.is_on_color = outer;
        });
    }

    /// Images side by side, and what follows them.
    pub(super) fn pictures(&mut self, at: u32, pictures: &[&Picture<'t>], rest: &[Block<'t>]) {
        let width = |picture: &&Picture<'t>| picture.width.or(picture.height).unwrap_or(PIXELS);
        let pixels: f64 = pictures.iter().map(width).sum();
        if pictures.len() > 1 && pixels * 2.0 <= PIXELS {
            self.open("ColumnSet");
            self.items("columns");
            for picture in pictures {
                self.gap.spacing = Some("Small");
                self.column("auto", "Center");
                self.picture(picture, Some(width(picture)));
                self.end();
            }
            self.column("stretch", "Center");
            self.blocks(rest);
            self.end();
            return self.end();
        }
        self.in_rows(at, pictures, LETTERS / COLUMNS, |printer, picture| {
            printer.column("stretch", "");
            printer.picture(picture, None);
            printer.end();
        });
        self.blocks(rest);
    }

    /// Entries in rows of one length; `widest` has the letters of the widest of them.
    fn in_rows<T>(&mut self, at: u32, all: &[T], widest: usize, entry: impl Fn(&mut Self, &T)) {
        let most = ((LETTERS + BETWEEN) / (widest + BETWEEN)).clamp(1, COLUMNS);
        let each = all.len().div_ceil(all.len().div_ceil(most).max(1)).max(1);
        let mut shown = 0;
        for chunk in all.chunks(each) {
            if shown >= self.budget.rows || !self.has_room() {
                break;
            }
            if shown > 0 {
                self.gap = Gap::of("Default");
            }
            self.open("ColumnSet");
            self.items("columns");
            chunk.iter().for_each(|one| entry(self, one));
            // Those of the last row are as wide as the ones above.
            for _ in chunk.len()..each {
                self.column("stretch", "");
                self.end();
            }
            self.end();
            shown += chunk.len();
        }
        self.cut(at, Word::More, shown, all.len());
    }

    fn letters(&self, line: Line) -> [usize; 2] {
        Row::of(self.outline, line).letters()
    }

    pub(super) fn facts(&mut self, facts: &[Fact], is_across: bool) {
        let line = |printer: &mut Self, line: Line, look: Look| {
            printer.line(Row::of(printer.outline, line), look);
        };
        if is_across {
            let width = |fact: &Fact| self.letters(fact.label)[0].max(self.letters(fact.value)[0]);
            let widest = facts.iter().map(width).max().unwrap_or(0);
            return self.in_rows(0, facts, widest, |printer, fact| {
                printer.column("stretch", "");
                line(printer, fact.label, Look::default());
                printer.gap = Gap::of("None");
                line(printer, fact.value, Look::default());
                printer.end();
            });
        }
        let is_short = facts.iter().all(|fact| self.letters(fact.value)[1] <= VALUE);
        let is_stacked = !is_short && facts.iter().any(|fact| self.letters(fact.label)[1] > VALUE);
        let [label, value] = if is_short { ["stretch", "auto"] } else { ["1", "2"] };
        let mut gap = self.gap;
        let shown = self.each(facts, |printer, _, fact| {
            printer.gap = std::mem::replace(&mut gap, Gap::of("Small"));
            if is_stacked {
                line(printer, fact.label, Look::default());
                printer.gap = Gap::of("None");
                return line(printer, fact.value, Look::default());
            }
            printer.open("ColumnSet");
            printer.items("columns");
            printer.column(label, "");
            line(printer, fact.label, Look { is_cell: !is_short, ..Look::default() });
            printer.end();
            printer.column(value, "");
            line(printer, fact.value, Look { is_end: is_short, ..Look::default() });
            printer.end();
            printer.end();
        });
        self.cut(0, Word::More, shown, facts.len());
    }

    /// Blocks side by side, or one below the other where they are too wide for a phone.
    pub(super) fn columns(&mut self, columns: &[Vec<Block<'t>>]) {
        let is_shown =
            |column: &&Vec<Block<'t>>| column.iter().any(|block| !matches!(block, Block::Divider));
        let shown: Vec<&Vec<Block<'t>>> = columns.iter().filter(is_shown).collect();
        let widths: Vec<usize> = shown.iter().map(|column| self.width(column, DEPTH)).collect();
        let needed: usize = widths.iter().map(|width| width + BETWEEN).sum();
        if needed > LETTERS + BETWEEN || !(2..=COLUMNS).contains(&shown.len()) {
            return self.columns_below(&shown);
        }
        // A button next to a field is below its label.
        let is_field = |block: &Block<'t>| matches!(block, Block::Field(_));
        let has_field = shown.iter().any(|column| column.iter().any(is_field));
        let is_panel = |column: &Vec<Block<'t>>| matches!(column[..], [Block::Panel(_)]);
        let is_one = shown.iter().any(|column| column.len() < 2 && !is_panel(column));
        let place = match (has_field, is_one) {
            (true, _) => "Bottom",
            (false, true) => "Center",
            (false, false) => "Top",
        };
        self.open("ColumnSet");
        self.items("columns");
        for (column, width) in shown.iter().zip(widths) {
            // A sign or a few letters take no more than they need.
            let is_list =
                column.iter().any(|block| matches!(block, Block::Facts { .. } | Block::List(_)));
            let width = if !is_list && width <= FIELD / 2 { "auto" } else { "stretch" };
            self.column(width, place);
            self.blocks(column);
            self.end();
        }
        self.end();
    }

    fn columns_below(&mut self, columns: &[&Vec<Block<'t>>]) {
        let are_actions = |column: &Vec<Block<'t>>| matches!(column[..], [Block::Actions(_)]);
        let mut gap = self.gap;
        for columns in columns.chunk_by(|a, b| are_actions(a) && are_actions(b)) {
            self.gap = std::mem::replace(&mut gap, Gap::of("Medium"));
            // Buttons stay side by side.
            let actions = columns.iter().flat_map(|column| match &column[..] {
                [Block::Actions(actions)] => actions.as_slice(),
                _ => &[],
            });
            let actions: Vec<Action<'t>> = actions.copied().collect();
            if actions.is_empty() {
                self.container(columns[0]);
            } else {
                self.actions(&actions, "", false);
            }
        }
    }

    /// The letters that blocks need next to each other so that no word breaks.
    fn width(&self, blocks: &[Block<'t>], depth: usize) -> usize {
        let Some(depth) = depth.checked_sub(1) else { return 0 };
        let width = |block: &Block<'t>| match block {
            Block::Heading(heading) => self.width_of_item(&heading.item, depth),
            Block::Item(item) => self.width_of_item(item, depth),
            Block::Line(line) => self.letters(*line)[0],
            Block::Facts { facts, .. } => {
                let both = |fact: &Fact| self.letters(fact.label)[0] + self.letters(fact.value)[0];
                facts.iter().map(both).max().unwrap_or(0)
            }
            Block::List(list) => {
                list.items.iter().map(|item| self.width_of_item(item, depth)).max().unwrap_or(0)
            }
            Block::Field(_) => FIELD,
            Block::Actions(actions) => width_of_actions(actions),
            Block::Columns(columns) => {
                columns.iter().map(|column| self.width(column, depth) + BETWEEN).sum()
            }
            Block::Panel(panel) => self.width(&panel.blocks, depth) + 2 * BETWEEN,
            Block::Picture(_) => LETTERS / 3,
            Block::Markdown { .. } | Block::Table(_) | Block::Chart(_) => LETTERS,
            Block::Divider => 0,
        };
        blocks.iter().map(width).max().unwrap_or(0)
    }

    fn width_of_item(&self, item: &Item<'t>, depth: usize) -> usize {
        let widest =
            |lines: &[Line]| lines.iter().map(|line| self.letters(*line)[0]).max().unwrap_or(0);
        // A large image is above the text.
        let side = |picture: &Picture<'t>| picture.width.or(picture.height);
        let is_beside = item.picture.and_then(|picture| side(&picture)) <= Some(PICTURE);
        let picture = if item.picture.is_some() && is_beside { 3 * BETWEEN } else { 0 };
        let inner = widest(&item.lines) + widest(&item.trail) + picture;
        let inner = inner.max(width_of_actions(&item.actions)).max(self.width(&item.blocks, depth));
        inner + if item.is_framed { BETWEEN } else { 0 }
    }
}

/// The letters of the widest button.
pub(super) fn width_of_actions(actions: &[Action<'_>]) -> usize {
    actions.iter().map(|action| letters(action.label)[1] + BETWEEN).max().unwrap_or(0)
}
