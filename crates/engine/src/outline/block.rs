//! The outline and its parts.

use super::action::Action;
use super::field::{Field, Question};
use super::images::Images;
use super::rules::fired;
use super::span::{Line, Role, Span, SpanKind, push_one_line, push_unmarked, top};
use crate::tree::{CompactTree, Key, Node};
use crate::words::{Word, Words};

/// The readable content of a tree.
///
/// ```
/// use widgetcast_engine::outline::{Block, Outline, Roles};
/// use widgetcast_engine::tree::CompactTree;
///
/// let tree = CompactTree::read(r#"{"type":"Card","children":[
///     {"type":"Row","children":[
///         {"type":"Badge","label":"SEV1"},{"type":"Title","value":"checkout is down"}]},
///     {"type":"Caption","value":"since 20:03"}]}"#);
/// let outline = Outline::of(&tree, &Roles::default());
/// let [Block::Heading(heading)] = &outline.blocks[..] else { panic!() };
/// assert_eq!(outline.plain(heading.title()), "SEV1 checkout is down");
/// ```
pub struct Outline<'t> {
    /// The tree from which it was read.
    pub tree: &'t CompactTree<'t>,
    /// The blocks, in reading order.
    pub blocks: Vec<Block<'t>>,
    /// The images that may be loaded.
    pub images: Images<'t>,
    pub(super) spans: Vec<Span<'t>>,
}

impl<'t> Outline<'t> {
    /// The spans of a line.
    pub fn spans(&self, line: Line) -> &[Span<'t>] {
        &self.spans[line.from as usize..line.to as usize]
    }

    /// Whether it is right-to-left: by the locale, or else by the first letter.
    pub fn is_right_to_left(&self, words: Words) -> bool {
        let letters =
            self.spans.iter().filter(|span| span.is_text()).flat_map(|span| span.text.chars());
        let first = letters.filter(|c| c.is_alphabetic()).take(1).last();
        words.is_right_to_left() || first.is_some_and(|first| {
            matches!(first, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}')
        })
    }

    /// The visible text of a line, without icons, swatches and meters.
    pub fn plain(&self, line: Line) -> String {
        let mut out = String::new();
        for span in self.spans(line).iter().filter(|span| span.is_text()) {
            if !out.is_empty() {
                out.push(' ');
            }
            match span.is_markdown {
                true => push_unmarked(span.text, &mut out),
                false => push_one_line(span.text, &mut out),
            }
        }
        out
    }

    /// What a field asks for, as plain text, for hosts that require a label: if nothing else names the field,
    /// the nearest line before it does.
    pub fn question(&self, field: &Field<'t>, words: Words) -> String {
        let mut out = String::new();
        match (field.question(), field.near) {
            (Question::Text(""), None) => {}
            (Question::Line(line), _) | (Question::Text(""), Some(line)) => out = self.plain(line),
            (Question::Text(text), _) => push_one_line(text, &mut out),
        }
        if out.is_empty() {
            out.push_str(words.get(Word::YourAnswer));
        }
        out
    }

    /// How much a line stands out at most; none if it has no text.
    pub fn role(&self, line: Line) -> Option<Role> {
        top(self.spans(line))
    }

    /// The number of lines of an item that are read before those at its end: up to the first line that is not
    /// small, such as a value below its label.
    pub fn lines_before_trail(&self, item: &Item<'t>) -> usize {
        let is_main = |line: &Line| self.role(*line) > Some(Role::Small);
        (item.lines.iter().position(is_main).unwrap_or(0) + 1).min(item.lines.len())
    }

    /// The text that names an item: its first line in bold or a larger size, or else its first line.
    pub fn name(&self, item: &Item<'t>) -> String {
        let strong = |line: &&Line| self.role(**line) >= Some(Role::Strong);
        let lines = &item.lines;
        let named = lines.iter().filter(strong).chain(lines).chain(&item.trail);
        named.map(|line| self.plain(*line)).find(|name| !name.is_empty()).unwrap_or_default()
    }

    /// The text that names a row of a table: that of its first cell with text.
    pub fn row_name(&self, row: &[Cell<'t>]) -> String {
        let mut names = row.iter().map(|cell| self.name(&cell.item));
        names.find(|name| !name.is_empty()).unwrap_or_default()
    }
}

/// One part of an outline.
// Not boxed: most large blocks are items, and each box would be an allocation.
#[allow(clippy::large_enum_variant)]
#[derive(Debug)]
pub enum Block<'t> {
    /// The heading of the card. An outline has at most one.
    Heading(Box<Heading<'t>>),
    /// A line; a text in it may contain line breaks.
    Line(Line),
    /// Markdown with more than one paragraph, as the author wrote it.
    Markdown {
        /// The index of its component.
        at: u32,
        /// The Markdown.
        text: &'t str,
    },
    /// Labels and values.
    Facts {
        /// The facts.
        facts: Vec<Fact>,
        /// Whether they are side by side.
        is_across: bool,
    },
    /// Items of one kind, which should look alike.
    List(List<'t>),
    /// A single item.
    Item(Item<'t>),
    /// A table.
    Table(Table<'t>),
    /// A chart.
    Chart(Chart<'t>),
    /// A single image.
    Picture(Picture<'t>),
    /// A field of a form.
    Field(Box<Field<'t>>),
    /// Buttons that belong to no item.
    Actions(Vec<Action<'t>>),
    /// Blocks side by side.
    Columns(Vec<Vec<Block<'t>>>),
    /// Blocks in a frame or on a background.
    Panel(Panel<'t>),
    /// A divider.
    Divider,
}

impl Block<'_> {
    /// Whether a block can be part of an item.
    pub(super) fn is_item_like(&self) -> bool {
        match self {
            Block::Line(_) | Block::Picture(_) | Block::Actions(_) => true,
            Block::Item(_) => true,
            Block::Facts { facts, is_across } => facts.len() == 1 && !is_across,
            Block::Panel(panel) => panel.blocks.iter().all(Self::is_item_like),
            _ => false,
        }
    }
}

/// A label and its value.
#[derive(Clone, Copy, Debug)]
pub struct Fact {
    /// The label.
    pub label: Line,
    /// The value.
    pub value: Line,
    /// Whether the label is above the value rather than next to it.
    pub is_stacked: bool,
}

/// The heading of the card: an item, one of whose lines is the title.
#[derive(Debug)]
pub struct Heading<'t> {
    /// The item: the lines around the title, with images, badges and buttons.
    pub item: Item<'t>,
    /// The index of the title among the lines.
    pub title: usize,
}

impl Heading<'_> {
    /// The line that is the title.
    pub fn title(&self) -> Line {
        self.item.lines[self.title]
    }

    /// The lines above the title.
    pub fn above(&self) -> &[Line] {
        &self.item.lines[..self.title]
    }

    /// The lines below the title.
    pub fn below(&self) -> &[Line] {
        &self.item.lines[self.title + 1..]
    }
}

/// Items of one kind.
#[derive(Debug)]
pub struct List<'t> {
    /// The index of the component that contains them.
    pub at: u32,
    /// The items.
    pub items: Vec<Item<'t>>,
    /// Whether they are side by side.
    pub is_across: bool,
}

/// An entry of a list, a row, or a cell of a table.
#[derive(Debug, Default)]
pub struct Item<'t> {
    /// The index of its component.
    pub at: u32,
    /// Its lines; the first one names it.
    pub lines: Vec<Line>,
    /// The lines at the end of its row.
    pub trail: Vec<Line>,
    /// Its image.
    pub picture: Option<Picture<'t>>,
    /// Other blocks, below its lines.
    pub blocks: Vec<Block<'t>>,
    /// Its buttons.
    pub actions: Vec<Action<'t>>,
    /// The action that runs when it is clicked.
    pub press: Option<Action<'t>>,
    /// Whether it has a frame or a background.
    pub is_framed: bool,
    /// The colour of its background, as written in the tree.
    pub color: Option<&'t str>,
}

/// A table.
#[derive(Debug)]
pub struct Table<'t> {
    /// The index of its component.
    pub at: u32,
    /// The names of the columns; empty if there are none.
    pub head: Vec<Cell<'t>>,
    /// The rows below.
    pub rows: Vec<Vec<Cell<'t>>>,
}

impl Table<'_> {
    /// The number of columns.
    pub fn columns(&self) -> usize {
        let width = |row: &Vec<Cell<'_>>| row.iter().map(|cell| cell.span).sum();
        std::iter::once(&self.head).chain(&self.rows).map(width).max().unwrap_or(0)
    }

    /// For each column, whether all its cells below the header are aligned to the end.
    pub fn ends(&self) -> Vec<bool> {
        let mut ends = vec![!self.rows.is_empty(); self.columns()];
        for row in &self.rows {
            let mut column = 0;
            for cell in row {
                ends[column] &= cell.is_end || cell.item.is_blank();
                column += cell.span;
            }
        }
        ends
    }
}

impl<'t> Item<'t> {
    /// Reads the contents of a component as one item. Whatever follows a block other than a line stays below
    /// it.
    pub(super) fn of(
        node: Node<'t>,
        blocks: impl IntoIterator<Item = Block<'t>>,
        spans: &[Span<'t>],
    ) -> Self {
        let mut item = Self { at: node.index(), ..Self::default() };
        blocks.into_iter().for_each(|block| item.add(block));
        item.lead_with_signs(spans);
        item
    }

    /// A symbol above a text leads it.
    pub(super) fn lead_with_signs(&mut self, spans: &[Span<'t>]) {
        for at in (1..self.lines.len()).rev() {
            let sign = self.lines[at - 1];
            let of_sign = &spans[sign.from as usize..sign.to as usize];
            // Text below a bar is a separate line, even if the bar is empty.
            let leads = |span: &Span<'t>| {
                !span.is_text() && span.kind != SpanKind::Meter && span.range == [0.0; 2]
            };
            if sign.to == self.lines[at].from && of_sign.iter().all(leads) {
                fired("signs");
                self.lines[at].from = sign.from;
                self.lines.remove(at - 1);
            }
        }
    }

    /// Adds a block.
    pub(super) fn add(&mut self, block: Block<'t>) {
        let has_blocks = !self.blocks.is_empty();
        match block {
            Block::Line(line) if !has_blocks && line.is_split() && self.trail.is_empty() => {
                let [left, right] = line.halves();
                // Below the first line, text at the end of a row has no place, so it becomes a line.
                if self.lines.is_empty() {
                    self.lines.push(left);
                    self.trail.push(right);
                } else {
                    self.lines.push(line);
                }
            }
            Block::Line(line) if !has_blocks => self.lines.push(line),
            Block::Facts { facts, is_across: false } if !has_blocks && facts.len() == 1 => {
                let Fact { label, value, is_stacked } = facts[0];
                if is_stacked {
                    self.lines.extend([label, value]);
                } else {
                    self.add(Block::Line(Line {
                        split: value.from,
                        ..Line::new(label.from, value.to)
                    }));
                }
            }
            // In an entry of a list, each stack is a line.
            Block::List(mut list)
                if list.is_across
                    && self.is_blank()
                    && list.items.iter().all(Item::is_stack)
                    && list.items.iter().filter(|item| item.picture.is_some()).count() < 2 =>
            {
                // Text after the last stack goes to the end of the row.
                if let Some(Item { lines, trail, .. }) = list.items.last_mut()
                    && lines.last().map(|line| line.to) <= trail.first().map(|line| line.from)
                {
                    self.trail = std::mem::take(trail);
                }
                for item in list.items {
                    self.picture = self.picture.or(item.picture);
                    self.actions.extend(&item.actions);
                    let lines = || item.lines.iter().chain(&item.trail);
                    let from = lines().map(|line| line.from).min();
                    let to = lines().map(|line| line.to).max();
                    self.lines.extend(from.zip(to).map(|(from, to)| Line::new(from, to)));
                }
            }
            Block::Columns(columns)
                if self.is_blank() && columns.iter().flatten().all(Block::is_item_like) =>
            {
                let items = columns.into_iter().map(|column| {
                    let mut item = Self { at: self.at, ..Self::default() };
                    column.into_iter().for_each(|block| item.add(block));
                    item
                });
                let items = items.collect();
                self.add(Block::List(List { at: self.at, items, is_across: true }));
            }
            // The first line of an item is set apart from the rest anyway.
            Block::Divider if !has_blocks => {}
            Block::Picture(picture) if self.picture.is_none() => self.picture = Some(picture),
            Block::Actions(actions) => self.actions.extend(actions),
            // An image next to a frame, such as an avatar next to a message, belongs into the frame.
            Block::Panel(panel) if self.has_no_text() => {
                (self.is_framed, self.color) = (true, panel.color);
                panel.blocks.into_iter().for_each(|block| self.add(block));
            }
            Block::Item(inner) if !has_blocks && self.trail.is_empty() && inner.press.is_none() => {
                self.lines.extend(inner.lines);
                self.trail = inner.trail;
                self.actions.extend(inner.actions);
                self.blocks = inner.blocks;
                match (self.picture, inner.picture) {
                    (None, picture) => self.picture = picture,
                    (Some(_), Some(picture)) => self.blocks.push(Block::Picture(picture)),
                    _ => {}
                }
            }
            other => self.blocks.push(other),
        }
    }

    /// Adds a line, if there is one.
    pub(super) fn add_line(&mut self, line: Option<Line>) {
        line.into_iter().for_each(|line| self.add(Block::Line(line)));
    }

    /// Adds a line at the end of the item's row.
    pub(super) fn end_with(&mut self, end: Self) {
        self.trail.extend(end.lines);
        self.trail.extend(end.trail);
        self.actions.extend(end.actions);
        match self.picture {
            None => self.picture = end.picture,
            Some(_) => self.blocks.extend(end.picture.map(Block::Picture)),
        }
        self.blocks.extend(end.blocks);
    }

    /// All its lines, one below the other; a line at the end of the first one stays next to it.
    pub fn stacked_lines(&self) -> impl Iterator<Item = Line> {
        let first = match (self.lines.first(), &self.trail[..]) {
            (Some(first), [end]) => first.with_end(*end),
            _ => None,
        };
        let done = usize::from(first.is_some());
        let rest = self.lines.iter().skip(done).chain(self.trail.iter().skip(done));
        first.into_iter().chain(rest.copied())
    }

    /// Whether it consists of one line and possibly an image.
    pub fn is_line(&self) -> bool {
        self.lines.len() == 1
            && self.trail.is_empty()
            && self.blocks.is_empty()
            && self.actions.is_empty()
            && self.press.is_none()
    }

    /// Whether it consists only of lines, an image or buttons.
    fn is_stack(&self) -> bool {
        self.blocks.is_empty() && self.press.is_none() && !self.is_framed
    }

    /// Whether it is empty.
    pub fn is_blank(&self) -> bool {
        self.has_no_text() && self.picture.is_none()
    }

    /// Whether it contains only an image.
    fn has_no_text(&self) -> bool {
        self.lines.is_empty()
            && self.trail.is_empty()
            && self.blocks.is_empty()
            && self.actions.is_empty()
    }
}

/// A cell of a table.
#[derive(Debug)]
pub struct Cell<'t> {
    /// The content.
    pub item: Item<'t>,
    /// The number of columns it spans, from 1 to 50.
    pub span: usize,
    /// Whether it is aligned to the end.
    pub is_end: bool,
}

impl<'t> Cell<'t> {
    pub(super) fn of(item: Item<'t>) -> Self {
        Self { item, span: 1, is_end: false }
    }
}

/// An image.
#[derive(Clone, Copy, Debug)]
pub struct Picture<'t> {
    /// The index of its component.
    pub at: u32,
    /// Its URL; empty if it may not be loaded.
    pub src: &'t str,
    /// Whether it may not be loaded.
    pub is_refused: bool,
    /// Its alt text; empty if it has none.
    pub alt: &'t str,
    /// The text to show instead of the image: its alt text, unless that repeats the title of the card.
    pub caption: &'t str,
    /// Its width in pixels, if fixed.
    pub width: Option<f64>,
    /// Its height in pixels, if fixed.
    pub height: Option<f64>,
    /// Whether it is round.
    pub is_round: bool,
    /// Whether it is centred in its container.
    pub is_center: bool,
    /// Whether it is below other content: then it is content itself, not a symbol for what is next to it.
    pub follows: bool,
    /// Whether it is at the end of its row.
    pub is_end: bool,
}

/// Blocks in a frame.
#[derive(Debug)]
pub struct Panel<'t> {
    /// The index of its component.
    pub at: u32,
    /// The colour of its background, as written in the tree.
    pub color: Option<&'t str>,
    /// The blocks.
    pub blocks: Vec<Block<'t>>,
}

/// A chart.
#[derive(Clone, Copy, Debug)]
pub struct Chart<'t> {
    /// Its component.
    pub node: Node<'t>,
}

/// Maximum series of a chart. Each one has a value at every point, so without a limit, a chart of many series
/// and many empty points would produce their product.
const SERIES: usize = 64;

/// One series of a chart.
#[derive(Clone, Copy, Debug)]
pub struct Series<'t> {
    /// Its name.
    pub label: &'t str,
    /// The key of its values in the data.
    pub column: &'t str,
    /// `bar`, `line` or `area`.
    pub kind: &'t str,
    /// Its colour, as written in the tree.
    pub color: Option<&'t str>,
    /// The name of its stack; empty if it has none.
    pub stack: &'t str,
}

impl<'t> Chart<'t> {
    /// The key of the axis labels in the data.
    pub fn axis(&self) -> &'t str {
        let axis = || self.node.inner_text(Key::XAxis, Key::Column);
        self.node.text(Key::XAxis).or_else(axis).unwrap_or_default()
    }

    /// The series, at most 64, and the number of further ones.
    pub fn series(&self) -> (Vec<Series<'t>>, usize) {
        let mut series: Vec<Series<'t>> = list(self.node, Key::Series)
            .filter_map(|series| {
                let column = series.text(Key::Column)?;
                Some(Series {
                    label: series.text(Key::Label).unwrap_or(column),
                    column,
                    kind: series.text(Key::Type).unwrap_or_default(),
                    color: series.color(Key::Color),
                    stack: series.text(Key::Stack).unwrap_or_default(),
                })
            })
            .collect();
        let more = series.len().saturating_sub(SERIES);
        series.truncate(SERIES);
        (series, more)
    }

    /// The points: rows of the data.
    pub fn points(&self) -> impl Iterator<Item = Node<'t>> + use<'t> {
        list(self.node, Key::Data)
    }

    /// The label of a point on the axis.
    pub fn label(&self, point: Node<'t>) -> &'t str {
        let label = point.column(self.axis()).map_or("", Node::scalar);
        let names = self.node.get(Key::XAxis).and_then(|axis| axis.get(Key::Labels));
        names.and_then(|names| names.column(label)).map_or(label, Node::scalar)
    }
}

fn list<'t>(node: Node<'t>, key: Key) -> impl Iterator<Item = Node<'t>> + use<'t> {
    node.get(key).into_iter().flat_map(Node::list)
}
