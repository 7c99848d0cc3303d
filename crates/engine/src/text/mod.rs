//! Text: an outline as Markdown, for the model and for every client without views. It must be useful alone:
//! no text is left out, a label stays with its value, and a field has its label. Every result carries it, so
//! it must be cheap compared with rendering.

mod field;
mod grid;
mod line;

use crate::outline::{
    Action, Block, Fact, Glue, Heading, Hue, Item, Line, Outline, Picture, Role, Roles, Span,
    SpanKind, push_bar, push_one_line,
};
use crate::signs::sign;
use crate::tree::CompactTree;
use crate::words::{Word, Words};
use line::{
    entry, escape, escape_inline, escape_number, gap, is_entry, paragraph, push_line, push_text,
};

/// The Markdown of a tree, given as JSON text.
///
/// ```
/// use widgetcast_engine::{outline::Roles, text, words::Words};
/// let tree = r#"{"type":"Card","children":[
///     {"type":"Title","value":"Order 7"},
///     {"type":"Row","children":[{"type":"Caption","value":"Total"},{"type":"Spacer"},
///                               {"type":"Text","value":"$9"}]},
///     {"type":"Button","label":"Pay"}]}"#;
/// let text = text::of_json(tree, &Roles::default(), Words::default());
/// assert_eq!(text, "## Order 7\nTotal: $9\n\n[Pay]");
/// ```
pub fn of_json(json: &str, roles: &Roles, words: Words) -> String {
    of_tree(&CompactTree::read(json), roles, words)
}

/// The Markdown of a tree.
pub(crate) fn of_tree(tree: &CompactTree<'_>, roles: &Roles, words: Words) -> String {
    of_outline(&Outline::of(tree, roles), words)
}

/// The Markdown of an outline.
pub fn of_outline(outline: &Outline<'_>, words: Words) -> String {
    let mut writer = Writer::new(outline, words);
    writer.out.reserve(outline.tree.len() * 4);
    writer.blocks(&outline.blocks);
    writer.out.truncate(writer.out.trim_end_matches('\n').len());
    writer.out
}

struct Writer<'w, 't> {
    outline: &'w Outline<'t>,
    words: Words,
    out: String,
    /// The marker of the current list.
    bullet: &'static str,
    /// The kind of list of the previous block.
    above: Option<Entries>,
}

/// The kind of a list entry.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Entries {
    Items,
    Facts,
    Fields,
}

impl<'w, 't> Writer<'w, 't> {
    fn new(outline: &'w Outline<'t>, words: Words) -> Self {
        Self { outline, words, out: String::new(), bullet: "- ", above: None }
    }

    /// Begins a list, or continues one of fields or of rows of facts. Below another list it has another mark: Markdown would
    /// read the two as one.
    fn start_list(&mut self, entries: Entries) {
        match self.above.replace(entries) {
            None => self.bullet = "- ",
            Some(above) if above == entries && entries != Entries::Items => {}
            Some(_) => {
                gap(&mut self.out);
                self.bullet = if self.bullet == "- " { "* " } else { "- " };
            }
        }
    }

    fn bullet(&mut self) {
        entry(&mut self.out);
        self.out.push_str(self.bullet);
    }

    fn blocks(&mut self, blocks: &[Block<'t>]) {
        blocks.iter().for_each(|block| self.block(block));
    }

    fn block(&mut self, block: &Block<'t>) {
        match block {
            Block::List(list) if !list.is_across || !list.items.iter().all(Item::is_line) => {
                self.start_list(Entries::Items);
            }
            Block::Facts { facts, is_across } if facts.len() > 1 => {
                self.start_list(if *is_across { Entries::Facts } else { Entries::Items });
            }
            Block::Table(table) if table.head.is_empty() => self.start_list(Entries::Items),
            Block::Field(_) => self.start_list(Entries::Fields),
            Block::Divider | Block::Columns(_) | Block::Panel(_) => {}
            _ => self.above = None,
        }
        match block {
            Block::Heading(heading) => self.heading(heading),
            Block::Line(line) => self.lines(std::slice::from_ref(line)),
            Block::Markdown { text, .. } => {
                gap(&mut self.out);
                text.trim_end().lines().for_each(|line| push_line(line, &mut self.out));
                gap(&mut self.out);
            }
            Block::Facts { facts, .. } => {
                for fact in facts {
                    if facts.len() > 1 {
                        self.bullet();
                    } else {
                        paragraph(&mut self.out);
                    }
                    let start = self.out.len();
                    self.fact(fact);
                    self.end_line(start);
                }
            }
            Block::List(list) if list.is_across && list.items.iter().all(Item::is_line) => {
                paragraph(&mut self.out);
                let start = self.out.len();
                for (index, item) in list.items.iter().enumerate() {
                    self.out.push_str(if index > 0 { " · " } else { "" });
                    self.item_text(item, false);
                }
                self.end_line(start);
            }
            Block::List(list) => {
                let is_tall = list.items.iter().any(|item| item.lines.len() > 2);
                list.items.iter().for_each(|item| self.entry(item, is_tall));
            }
            Block::Item(item) => self.item(item),
            Block::Table(table) => self.table(table),
            Block::Chart(chart) => self.chart(chart),
            Block::Picture(picture) => {
                if !picture.caption.is_empty() {
                    paragraph(&mut self.out);
                    self.caption(picture, self.out.len());
                    self.out.push('\n');
                }
            }
            Block::Field(field) => self.field(field),
            Block::Actions(actions) => {
                paragraph(&mut self.out);
                let start = self.out.len();
                self.actions(actions);
                self.end_line(start);
            }
            Block::Columns(columns) => columns.iter().for_each(|column| self.blocks(column)),
            Block::Panel(panel) => {
                gap(&mut self.out);
                self.blocks(&panel.blocks);
                gap(&mut self.out);
            }
            Block::Divider => gap(&mut self.out),
        }
    }

    fn fact(&mut self, fact: &Fact) {
        let start = self.out.len();
        self.spans(fact.label, false);
        self.colon(start);
        self.spans(fact.value, false);
    }

    fn heading(&mut self, heading: &Heading<'t>) {
        self.lines(heading.above());
        gap(&mut self.out);
        self.out.push_str("## ");
        let start = self.out.len();
        self.spans(heading.title(), true);
        // What is next to the title is part of its line, if it is as large and has no line below it.
        let trail = &heading.item.trail;
        let is_one = trail.iter().filter(|line| self.outline.role(**line).is_some()).count() < 2;
        let (large, small): (Vec<Line>, Vec<Line>) = trail.iter().partition(|line| {
            self.outline.role(**line).is_none()
                || is_one && self.outline.role(**line) == Some(Role::Title)
        });
        for line in large {
            let end = self.out.len();
            self.out.push_str(if self.outline.role(line).is_some() { " · " } else { " " });
            self.spans(line, true);
            // A symbol may have no text equivalent.
            let is_shown = !self.out[end..].trim().is_empty();
            self.out.truncate(if is_shown { self.out.len() } else { end });
        }
        if self.out.len() == start {
            self.out.truncate(start - 3);
        } else {
            self.out.push('\n');
        }
        self.lines(heading.below());
        if !small.is_empty() {
            paragraph(&mut self.out);
            let start = self.out.len();
            for (index, line) in small.iter().enumerate() {
                self.out.push_str(if index > 0 { " · " } else { "" });
                self.spans(*line, false);
            }
            self.end_line(start);
        }
        self.blocks(&heading.item.blocks);
        self.paragraph_of_actions(&heading.item);
    }

    /// Lines as separate paragraphs, which Markdown would otherwise join.
    fn lines(&mut self, lines: &[Line]) {
        for line in lines {
            match self.outline.spans(*line) {
                // A text of several lines keeps them.
                [span] if span.is_text() && has_lines(span) => {
                    // Two spaces at the end of a line keep Markdown from joining it with the next.
                    let mut rest = span.text.trim().lines().peekable();
                    let mut follows = false;
                    while let Some(line) = rest.next() {
                        if line.trim().is_empty() {
                            gap(&mut self.out);
                            follows = false;
                            continue;
                        }
                        if !follows {
                            paragraph(&mut self.out);
                        }
                        let start = self.out.len();
                        self.out.push_str(line.trim_end());
                        escape_inline(start, &mut self.out);
                        escape(start, &mut self.out);
                        follows = rest.peek().is_some_and(|next| !next.trim().is_empty());
                        self.out.push_str(if follows { "  \n" } else { "\n" });
                    }
                }
                _ => {
                    let above = self.out.len();
                    paragraph(&mut self.out);
                    let start = self.out.len();
                    self.spans(*line, false);
                    if self.out.len() == start {
                        self.out.truncate(above);
                    } else {
                        self.end_line(start);
                    }
                }
            }
        }
    }

    /// A single item.
    fn item(&mut self, item: &Item<'t>) {
        let above = self.out.len();
        paragraph(&mut self.out);
        let start = self.out.len();
        self.item_text(item, false);
        let is_picture = |block: &Block<'t>| matches!(block, Block::Picture(_));
        // Images side by side, and the text next to them.
        let done = match item.lines.is_empty() && item.blocks.first().is_some_and(is_picture) {
            true => self.inline(&item.blocks, start),
            false => 0,
        };
        let rest = &item.blocks[done..];
        if rest.is_empty() {
            self.item_actions(item, start);
        }
        if self.out.len() == start {
            self.out.truncate(above);
        } else {
            self.end_line(start);
        }
        if !rest.is_empty() {
            self.blocks(rest);
            self.paragraph_of_actions(item);
        }
    }

    /// A list item: all lines joined, or each separate if any item of the list has many, so that all items
    /// look alike.
    fn entry(&mut self, item: &Item<'t>, is_tall: bool) {
        let above = self.out.len();
        self.bullet();
        let start = self.out.len();
        self.item_text(item, is_tall);
        let done = self.inline(&item.blocks, start);
        let is_done = done == item.blocks.len();
        if is_done {
            self.item_actions(item, start);
        }
        if self.out.len() == start && is_done {
            return self.out.truncate(above);
        }
        if is_done {
            return self.end_entry(start);
        }
        let mut inner = Writer::new(self.outline, self.words);
        inner.blocks(&item.blocks[done..]);
        inner.paragraph_of_actions(item);
        let mut lines = inner.out.trim_matches('\n').split('\n');
        let mut is_code = false;
        if self.out.len() > start {
            self.end_entry(start);
        } else if let Some(first) = lines.next() {
            // What begins the item follows its mark.
            is_code = first.starts_with("```");
            push_line(first, &mut self.out);
        }
        for (index, line) in lines.enumerate() {
            let is_fence = line.trim_start().starts_with("```");
            if is_code {
                self.out.push_str("  ");
                self.out.push_str(line);
                self.out.push('\n');
            } else if line.is_empty() {
                gap(&mut self.out);
            } else {
                // A paragraph directly below the entry would become part of it.
                if index == 0 && !line.starts_with([' ', '|']) && !is_entry(line) {
                    gap(&mut self.out);
                }
                self.out.push_str("  ");
                self.out.push_str(line);
                self.out.push('\n');
            }
            is_code ^= is_fence;
        }
    }

    /// The first blocks of an item, as far as they fit into the line that starts at `start`; returns their
    /// number. A field or facts replace the lines of an item that has none.
    fn inline(&mut self, blocks: &[Block<'t>], start: usize) -> usize {
        for (index, block) in blocks.iter().enumerate() {
            match block {
                Block::Field(field) if self.out.len() == start && field.fits_line() => {
                    self.field_text(field);
                }
                Block::Facts { facts, .. } if self.out.len() == start => {
                    for (place, fact) in facts.iter().enumerate() {
                        self.out.push_str(if place > 0 { " · " } else { "" });
                        self.fact(fact);
                    }
                }
                Block::Picture(picture) => self.caption(picture, start),
                Block::Line(line) if !self.has_lines(*line) => {
                    let end = self.out.len();
                    self.out.push_str(if end > start { " · " } else { "" });
                    let from = self.out.len();
                    self.spans(*line, false);
                    if self.out.len() == from {
                        self.out.truncate(end);
                    }
                }
                _ => return index,
            }
        }
        blocks.len()
    }

    /// Whether a text in a line has line breaks.
    fn has_lines(&self, line: Line) -> bool {
        self.outline.spans(line).iter().any(has_lines)
    }

    /// The lines of an item on one line, or its further lines below the first.
    fn item_text(&mut self, item: &Item<'t>, is_tall: bool) {
        let start = self.out.len();
        let (first, rest) = item.lines.split_at(self.outline.lines_before_trail(item));
        let trail = item.trail.iter().map(|line| (line, false));
        let [first, rest] = [first, rest].map(|lines| lines.iter().map(|line| (line, is_tall)));
        for (line, is_below) in first.chain(trail).chain(rest) {
            let end = self.out.len();
            if end > start {
                // Two spaces at the end of a line keep Markdown from joining it with the next.
                self.out.push_str(if is_below { "  \n  " } else { " · " });
            }
            let from = self.out.len();
            self.spans(*line, false);
            if self.out.len() == from {
                self.out.truncate(end);
            } else if is_below {
                escape_number(from, &mut self.out);
                escape(from, &mut self.out);
            }
        }
        let is_empty = self.out.len() == start;
        if let Some(picture) = item.picture.filter(|picture| !picture.caption.is_empty())
            && (is_empty || picture.follows)
        {
            self.caption(&picture, start);
        }
    }

    /// What an image shows, on the line that begins at `start`.
    fn caption(&mut self, picture: &Picture<'t>, start: usize) {
        if !picture.caption.is_empty() {
            self.push_space(start);
            self.out.push('(');
            push_text(picture.caption, &mut self.out);
            self.out.push(')');
        }
    }

    /// The link and the buttons of an item, on the line that starts at `start`.
    fn item_actions(&mut self, item: &Item<'t>, start: usize) {
        if let Some(url) = item.press.and_then(|press| press.link) {
            self.push_space(start);
            self.bracket(self.words.get(Word::Open));
            self.out.push('(');
            self.out.push_str(url);
            self.out.push(')');
        }
        if !item.actions.is_empty() {
            self.push_space(start);
            self.actions(&item.actions);
        }
    }

    fn paragraph_of_actions(&mut self, item: &Item<'t>) {
        if item.actions.is_empty() && item.press.is_none_or(|press| press.link.is_none()) {
            return;
        }
        paragraph(&mut self.out);
        let start = self.out.len();
        self.item_actions(item, start);
        self.end_line(start);
    }

    fn push_space(&mut self, start: usize) {
        if self.out.len() > start {
            self.out.push(' ');
        }
    }

    /// The spans of a line; without emphasis in a heading.
    fn spans(&mut self, line: Line, is_heading: bool) {
        let mut before: Option<&Span<'t>> = None;
        let spans = self.outline.spans(line);
        for (index, span) in spans.iter().enumerate() {
            let end = self.out.len();
            if let Some(before) = before {
                self.out.push_str(match span.glue(before) {
                    Glue::None => "",
                    Glue::Mark => " · ",
                    Glue::Space if line.starts_half(index) => " · ",
                    Glue::Space => " ",
                });
            }
            let from = self.out.len();
            match before.map(|before| before.kind) {
                Some(SpanKind::Meter) if span.kind == SpanKind::Meter => {}
                _ if span.kind == SpanKind::Meter => push_bar(&spans[index..], &mut self.out),
                _ => self.span(span, is_heading),
            }
            if self.out.len() == from {
                self.out.truncate(end);
            } else {
                before = Some(span);
            }
        }
    }

    fn span(&mut self, span: &Span<'t>, is_heading: bool) {
        match span.kind {
            SpanKind::Text if span.is_markdown => self.out.push_str(span.text.trim()),
            SpanKind::Text => {
                let is_strong = span.role >= Role::Strong && !is_heading;
                let strong = if is_strong { "**" } else { "" };
                let strike = if span.is_struck { "~~" } else { "" };
                let italic = if span.is_italic && !is_strong { "*" } else { "" };
                [strong, strike, italic].iter().for_each(|mark| self.out.push_str(mark));
                push_text(span.text, &mut self.out);
                [italic, strike, strong].iter().for_each(|mark| self.out.push_str(mark));
            }
            SpanKind::Badge if span.text.contains('`') => push_text(span.text, &mut self.out),
            SpanKind::Badge => {
                self.out.push('`');
                push_one_line(span.text, &mut self.out);
                self.out.push('`');
            }
            SpanKind::Icon => {
                if let Some(sign) = sign(span.text).filter(|sign| sign.is_statement) {
                    self.out.push_str(sign.glyph);
                }
            }
            SpanKind::Swatch => self.out.push_str(Hue::square(span.color)),
            SpanKind::Meter | SpanKind::Stroke => {}
        }
    }

    /// Buttons in brackets, side by side.
    fn actions(&mut self, actions: &[Action<'t>]) {
        for (index, action) in actions.iter().enumerate() {
            self.out.push_str(if index > 0 { " " } else { "" });
            // Disabled buttons are struck through.
            let strike = if action.is_disabled { "~~" } else { "" };
            self.out.push_str(strike);
            let icon = sign(action.icon).filter(|_| action.label.trim().is_empty());
            self.bracket(&action.caption(icon.map_or("", |icon| icon.glyph), self.words));
            self.out.push_str(strike);
            if let Some(url) = action.link.filter(|url| !url.contains(['(', ')'])) {
                self.out.push('(');
                self.out.push_str(url);
                self.out.push(')');
            }
        }
    }

    fn bracket(&mut self, label: &str) {
        self.out.push('[');
        push_text(label, &mut self.out);
        self.out.push(']');
    }

    /// A label that is not in the tree, in parentheses.
    fn note(&mut self, word: Word) {
        self.out.push_str(" (");
        self.out.push_str(self.words.get(word));
        self.out.push(')');
    }

    /// A colon after the label that starts at `start`, unless it ends like a question.
    fn colon(&mut self, start: usize) {
        let label = self.out[start..].trim_end_matches([':', '：', ' ']);
        let ends_with_question = label.ends_with(['?', '？', '؟']);
        self.out.truncate(start + label.len());
        self.out.push_str(if ends_with_question { " " } else { ": " });
    }

    fn end_entry(&mut self, start: usize) {
        escape_number(start, &mut self.out);
        self.end_line(start);
    }

    fn end_line(&mut self, start: usize) {
        escape(start, &mut self.out);
        self.out.push('\n');
    }
}

/// Whether a text has line breaks.
fn has_lines(span: &Span<'_>) -> bool {
    span.text.contains('\n') && span.text.trim().contains('\n')
}
