//! Prints an outline. Outlook lays out nothing but tables, so whatever is below or next to something
//! else is a table.

use std::fmt::Write as _;
use std::slice::from_ref;

use widgetcast_engine::outline::{Block, Fact, Item, Lack, Line, Lost, Outline, Picture, SpanKind};
use widgetcast_engine::signs::sign;
use widgetcast_engine::tree::Node;
use widgetcast_engine::words::{Word, Words};

use super::color::{RULE, frame};

/// Writes HTML. Attributes are in single quotes.
macro_rules! put {
    ($printer:expr, $($html:tt)*) => { _ = write!($printer.out, $($html)*) };
}
pub(super) use put;

pub(super) const LACK: Lack = Lack {
    picture: why_not,
    shows_icon: |name| sign(name).is_some(),
    shows_colors: true,
    shows_badge_colors: true,
    shows_swatches: true,
    chart: |_| Some("the chart is shown as bars".to_owned()),
    shows_disabled: true,
    is_interactive: false,
    field: |_| None,
};

/// Why an image is not shown: Gmail drops other addresses, and next to no mail program draws SVG.
fn why_not(picture: &Picture<'_>) -> Option<&'static str> {
    let path = picture.src.split(['?', '#']).next().unwrap_or_default();
    let is_shown = is_https(picture.src) && !path.to_ascii_lowercase().ends_with(".svg");
    (!is_shown).then_some("e-mail clients show neither SVG images nor images without an https URL")
}

pub(super) fn is_https(url: &str) -> bool {
    url.get(..8).is_some_and(|scheme| scheme.eq_ignore_ascii_case("https://"))
        && !url.contains(|c: char| c.is_whitespace() || c.is_control())
}

/// The bytes of a message that Gmail shows; the rest is behind a link.
const CLIP: usize = 102 * 1024;
/// The inner width of the card in pixels, and that of an image next to text.
const WIDTH: f64 = 568.0;
pub(super) const THUMB: f64 = 96.0;
/// The characters up to which text at the end of a row stays on one line, and at its end.
pub(super) const SHORT: usize = 20;
const LONG: usize = 40;
/// A table that is only layout. Each names its font: in quirks mode and in Outlook it inherits none.
pub(super) const TABLE: &str =
    "table role='presentation' width='100%' cellpadding='0' cellspacing='0' border='0'";
/// The elements of a line, of the title of the card and of other titles.
pub(super) const TEXT: &str = "div dir='auto'";
const H2: &str = "h2 style='margin:0;font-size:20px;line-height:1.3'";
pub(super) const H3: &str = "h3 dir='auto' style='margin:0;font-size:17px;line-height:1.3'";
pub(super) const FONT: &str = "font:15px/1.45 -apple-system,Segoe UI,Roboto,Helvetica,Arial,\
     sans-serif;color:#1f2430;overflow-wrap:break-word;";

pub(super) fn print(outline: &Outline<'_>, words: Words) -> (String, Vec<Lost>) {
    let (dir, start, end) = match outline.is_right_to_left(words) {
        true => ("rtl", "right", "left"),
        false => ("ltr", "left", "right"),
    };
    let out = String::with_capacity(outline.tree.len() * 64);
    let mut printer = Printer { outline, words, start, end, out, lost: Vec::new() };
    let style = "table-layout:fixed;max-width:600px;background:#ffffff";
    put!(printer, "<{TABLE} dir='{dir}' style='{style}'><tr><td style='padding:16px'>");
    printer.stack(&outline.blocks);
    put!(printer, "</td></tr></table>");
    if printer.out.len() > CLIP {
        let root = outline.tree.root().map_or(0, Node::index);
        printer.lost.push(Lost::new(root, "Gmail clips a message of more than 102 KB"));
    }
    (printer.out, printer.lost)
}

pub(super) struct Printer<'p, 't> {
    pub(super) outline: &'p Outline<'t>,
    pub(super) words: Words,
    /// The sides where a line begins and ends: Outlook does not know `start` and `end`.
    pub(super) start: &'static str,
    pub(super) end: &'static str,
    pub(super) out: String,
    pub(super) lost: Vec<Lost>,
}

impl<'t> Printer<'_, 't> {
    /// Blocks, one below the other. In a fixed layout nothing widens the card: it breaks or scrolls.
    fn stack(&mut self, blocks: &[Block<'t>]) {
        put!(self, "<{TABLE} style='table-layout:fixed;{FONT}'>");
        for (index, block) in blocks.iter().enumerate() {
            let gap = match (index.checked_sub(1).map(|above| &blocks[above]), block) {
                (None, _) => 0,
                (Some(Block::Line(_)), Block::Line(_)) => 4,
                (Some(Block::Line(_) | Block::Field(_)), _) | (_, Block::Markdown { .. }) => 8,
                _ => 16,
            };
            put!(self, "<tr><td style='padding-top:{gap}px'>");
            self.block(block);
            put!(self, "</td></tr>");
        }
        put!(self, "</table>");
    }

    fn block(&mut self, block: &Block<'t>) {
        match block {
            Block::Heading(heading) => self.items(from_ref(&heading.item), Some(heading.title)),
            Block::Line(line) => self.line(*line, TEXT, None),
            Block::Markdown { at, text } => self.markdown(*at, text),
            Block::Facts { facts, is_across } => {
                let item = |Fact { label, value, .. }: &Fact| match is_across {
                    true => Item { lines: vec![*label, *value], ..Item::default() },
                    false => Item { lines: vec![*label], trail: vec![*value], ..Item::default() },
                };
                let items: Vec<Item<'t>> = facts.iter().map(item).collect();
                if *is_across { self.tiles(&items) } else { self.items(&items, None) }
            }
            Block::List(list) if list.is_across => self.tiles(&list.items),
            Block::List(list) => self.items(&list.items, None),
            Block::Item(item) => self.items(from_ref(item), None),
            Block::Table(table) => self.table(table),
            Block::Chart(chart) => self.chart(chart),
            Block::Picture(picture) => self.picture(picture, WIDTH),
            Block::Field(field) => self.field(field),
            Block::Actions(actions) => self.actions(actions, ""),
            Block::Columns(columns) => {
                let widths: Vec<usize> = columns.iter().map(|column| self.width(column)).collect();
                let sum: usize = widths.iter().sum();
                let attributes = |index: usize| format!("width='{}%'", widths[index] * 100 / sum);
                self.across(columns, 3, attributes, |printer, column, _| printer.stack(column));
            }
            Block::Panel(panel) => {
                let print = |printer: &mut Self, _: &_, _| printer.stack(&panel.blocks);
                self.across(from_ref(panel), 1, |_| frame(panel.color), print);
            }
            Block::Divider => put!(self, "<div style='{RULE}font-size:0'>&nbsp;</div>"),
        }
    }

    pub(super) fn length(&self, line: Line) -> usize {
        self.outline.plain(line).chars().count()
    }

    /// How wide a column should be next to others, in characters.
    fn width(&self, blocks: &[Block<'t>]) -> usize {
        let width = |block: &Block<'t>| match block {
            Block::Line(line) => self.length(*line) + 4,
            Block::Heading(heading) => self.length(heading.title()),
            Block::Actions(actions) => {
                actions.iter().map(|one| one.label.chars().count() + 8).sum()
            }
            Block::Divider => 0,
            _ => 30,
        };
        blocks.iter().map(width).max().unwrap_or_default().clamp(4, 40)
    }

    /// Parts side by side, at most this many in a row, in cells with attributes by index.
    fn across<T>(
        &mut self,
        parts: &[T],
        most: usize,
        attributes: impl Fn(usize) -> String,
        print: impl Fn(&mut Self, &T, f64),
    ) {
        // Two rows of two look better than three and one.
        let count = if parts.len() == 4 { most.min(2) } else { most.min(parts.len()).max(1) };
        put!(self, "<{TABLE} style='table-layout:fixed;{FONT}'>");
        for (index, row) in parts.chunks(count).enumerate() {
            put!(self, "{}<tr>", if index > 0 { "<tr><td height='10'></td></tr>" } else { "" });
            for (at, part) in row.iter().enumerate() {
                let space = if at > 0 { "<td width='10'></td>" } else { "" };
                put!(self, "{space}<td valign='top' {}>", attributes(index * count + at));
                print(self, part, WIDTH / count as f64);
                put!(self, "</td>");
            }
            // A cell for what is missing in the last row, so that the others keep their width.
            put!(self, "{}</tr>", "<td></td><td></td>".repeat(count - row.len()));
        }
        put!(self, "</table>");
    }

    fn tiles(&mut self, items: &[Item<'t>]) {
        let attributes = |index: usize| match &items[index] {
            item if item.is_framed => frame(item.color) + " dir='auto'",
            _ => "dir='auto'".to_owned(),
        };
        self.across(items, 3, attributes, |printer, item, width| printer.tile(item, "div", width));
    }

    /// An item in a cell, one part below the other.
    pub(super) fn tile(&mut self, item: &Item<'t>, tag: &str, width: f64) {
        shown(item).iter().for_each(|picture| self.picture(picture, width));
        self.lines(item, None, tag);
        item.trail.iter().for_each(|line| self.line(*line, tag, None));
        self.rest(item);
    }

    /// Items, one below the other: in frames if one of them has one.
    fn items(&mut self, items: &[Item<'t>], title: Option<usize>) {
        if !items.iter().any(|item| item.is_framed) {
            return self.rows(items, title);
        }
        let attributes = |index: usize| frame(items[index].color);
        let print = |printer: &mut Self, item: &Item<'t>, _| printer.rows(from_ref(item), title);
        self.across(items, 1, attributes, print);
    }

    /// Items as rows of one table, so that images, texts and ends are below each other.
    fn rows(&mut self, items: &[Item<'t>], title: Option<usize>) {
        let (start, end) = (self.start, self.end);
        let pictures = || items.iter().filter_map(shown);
        let column = pictures().map(|picture| width(picture, THUMB)).fold(0.0, f64::max);
        // Where few items have an image, a column for it would be mostly blank.
        let has_text = items.iter().any(|item| !item.lines.is_empty() || !item.trail.is_empty());
        let has_column = has_text && column > 0.0 && pictures().count() * 2 >= items.len();
        let is_end = pictures().all(|picture| picture.is_end);
        let trails = || items.iter().flat_map(|item| &item.trail);
        let has_trail = trails().next().is_some();
        let longest = trails().map(|line| self.length(*line)).max().unwrap_or_default();
        let mut ends = trails().flat_map(|line| self.outline.spans(*line));
        let has_bar = ends.any(|span| span.kind == SpanKind::Meter);
        let width = if has_bar { "width='50%'" } else { "" };
        let side = if longest > LONG { start } else { end };
        let wrap = if longest > SHORT { "normal" } else { "nowrap" };
        let pad = if items.len() > 1 { 7 } else { 0 };
        put!(self, "<{TABLE} style='{FONT}'>");
        for (index, item) in items.iter().enumerate() {
            let style = format!("{}padding:{pad}px 0;", if index > 0 { RULE } else { "" });
            put!(self, "<tr valign='top'>");
            let thumb = |printer: &mut Self, gap: &str| {
                put!(printer, "<td width='{column:.0}' style='{style}padding-{gap}:12px'>");
                shown(item).iter().for_each(|picture| printer.picture(picture, column));
                put!(printer, "</td>");
            };
            if has_column && !is_end {
                thumb(self, end);
            }
            put!(self, "<td dir='auto' style='{style}'>");
            self.lines(item, title, "div");
            if has_trail {
                put!(self, "</td><td dir='auto' {width} align='{side}' ");
                put!(self, "style='{style}padding-{start}:12px;white-space:{wrap}'>");
                item.trail.iter().for_each(|line| self.line(*line, "div", None));
            }
            put!(self, "</td>");
            if has_column && is_end {
                thumb(self, start);
            }
            put!(self, "</tr>");
            let picture = shown(item).filter(|_| !has_column);
            if !item.blocks.is_empty() || !item.actions.is_empty() || picture.is_some() {
                let blank = if has_column && !is_end { "<td></td>" } else { "" };
                let span = if has_trail { 2 } else { 1 };
                put!(self, "<tr>{blank}<td colspan='{span}' style='padding-bottom:{pad}px'>");
                picture.iter().for_each(|picture| self.picture(picture, WIDTH / 2.0));
                self.rest(item);
                put!(self, "</td></tr>");
            }
        }
        put!(self, "</table>");
    }

    /// The lines of an item, the first text of which opens its link. An item without text is named by
    /// the image that is not shown, or by what a link does.
    fn lines(&mut self, item: &Item<'t>, title: Option<usize>, tag: &str) {
        let link = item.press.and_then(|press| press.link);
        let named = item.lines.iter().position(|line| self.length(*line) > 0);
        // Markdown may contain links, and links cannot be nested.
        let spans = |at: usize| self.outline.spans(item.lines[at]);
        let linked = named.filter(|at| !spans(*at).iter().any(|span| span.is_markdown));
        for (index, line) in item.lines.iter().enumerate() {
            let tag = if title == Some(index) { H2 } else { tag };
            self.line(*line, tag, link.filter(|_| linked == Some(index)));
        }
        if named.is_none() && item.trail.is_empty() && shown(item).is_none() {
            item.picture.iter().for_each(|picture| self.picture(picture, THUMB));
        }
        if let (Some(url), None) = (link, linked) {
            self.open_link(url);
            put!(self, "{}</a>", self.words.get(Word::Open));
        }
    }

    fn rest(&mut self, item: &Item<'t>) {
        if !item.blocks.is_empty() {
            self.stack(&item.blocks);
        }
        self.actions(&item.actions, &self.outline.name(item));
    }

    /// An image, or its alternative text where it is not shown.
    fn picture(&mut self, picture: &Picture<'t>, most: f64) {
        if why_not(picture).is_some() {
            return self.small("div", picture.caption);
        }
        put!(self, "<img src='");
        self.escaped(picture.src);
        put!(self, "' alt='");
        self.escaped(picture.alt);
        let width = width(picture, most);
        put!(self, "' width='{width:.0}'");
        // A height fits only the width that goes with it.
        if let Some(height) = picture.height.filter(|_| picture.width == Some(width)) {
            put!(self, " height='{:.0}'", height.clamp(1.0, 2000.0));
        }
        let radius = if picture.is_round { "50%" } else { "6px" };
        put!(self, " style='display:block;border:0;max-width:100%;border-radius:{radius}'>");
    }
}

/// The image of an item, if it can be shown.
fn shown<'i, 't>(item: &'i Item<'t>) -> Option<&'i Picture<'t>> {
    item.picture.as_ref().filter(|picture| why_not(picture).is_none())
}

fn width(picture: &Picture<'_>, most: f64) -> f64 {
    // What is no number is no width either.
    picture.width.filter(|width| *width >= 1.0).unwrap_or(most).min(most)
}
