//! From the events of pulldown-cmark to blocks.

use std::borrow::Cow;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use widgetcast_engine::budget;

use super::block::{Block, Content, Inline, Mark, Marker};

/// The deepest list or quotation that is distinguished from the ones around it. Surfaces indent by it,
/// so that without a bound the indentation of `- - - - …` would grow with the square of the text.
const MAX_DEPTH: usize = 7;

/// Maximum bytes of the markers of quotations and lists at the start of a line. The parser looks at all open
/// ones for every line, so that a few thousand of them and as many lines would take seconds.
const MAX_PREFIX: usize = 64;
/// The columns up to which every row of a table has all its cells; rows of wider tables end with their
/// last cell that is not empty. The parser fills up each row, so that a wide head above many short rows
/// would give the product of both.
const MAX_FILLED: usize = 64;

/// Reads a Markdown text.
pub(crate) fn read(source: &str) -> Vec<Block> {
    let source = &shallow(source);
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut reader = Reader::default();
    for event in Parser::new_ext(source, options) {
        // The owner of the budget reports that it is exceeded.
        if budget::steps(1).is_err() {
            break;
        }
        reader.event(event);
    }
    reader.blocks
}

/// Reads Markdown that is one paragraph.
pub(crate) fn read_line(source: &str) -> Vec<Inline> {
    let text = |block: Block| match block.content {
        Content::Paragraph(text) | Content::Heading(text) => text,
        Content::Code(code) => vec![Inline::Code(code)],
        Content::Table(_) | Content::Rule => Vec::new(),
    };
    read(source.trim()).into_iter().flat_map(text).collect()
}

/// What ends a line in Markdown.
const LINE_ENDS: [char; 2] = ['\n', '\r'];

/// The text without what opens quotations and lists beyond [`MAX_PREFIX`]; nearly every text is borrowed.
fn shallow(source: &str) -> Cow<'_, str> {
    let is_deep = |line: &str| prefix(line) > MAX_PREFIX;
    if !source.split(LINE_ENDS).any(is_deep) {
        return Cow::Borrowed(source);
    }
    let mut out = String::with_capacity(source.len());
    for line in source.split_inclusive(LINE_ENDS) {
        let end = prefix(line);
        out.push_str(&line[..end.min(MAX_PREFIX)]);
        out.push_str(&line[end..]);
    }
    Cow::Owned(out)
}

/// The length of everything at the start of a line that can open quotations and lists: marks and spaces.
fn prefix(line: &str) -> usize {
    let bytes = line.as_bytes();
    let (mut at, mut end) = (0, 0);
    while let Some(byte) = bytes.get(at) {
        at += 1;
        match byte {
            b' ' | b'\t' | b'>' => end = at,
            b'-' | b'+' | b'*' | b'.' | b')' if matches!(bytes.get(at), Some(b' ' | b'\t')) => {}
            b'0'..=b'9' => {}
            _ => break,
        }
    }
    end
}

#[derive(Default)]
struct Reader {
    blocks: Vec<Block>,
    quotes: usize,
    /// The open lists, each with the number of its next item.
    lists: Vec<Option<u64>>,
    /// The marker of the open item, until its first block takes it.
    marker: Option<Marker>,
    /// The inline content of the open block.
    inlines: Vec<Inline>,
    /// The rows of the open table.
    rows: Vec<Vec<Vec<Inline>>>,
}

impl Reader {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) | Event::InlineHtml(text) => self.text(&text),
            Event::Html(html) => self.html(&html),
            Event::Code(code) => self.inlines.push(Inline::Code(code.into_string())),
            Event::SoftBreak => self.inlines.push(Inline::SoftBreak),
            Event::HardBreak => self.inlines.push(Inline::HardBreak),
            Event::Rule => self.push(Content::Rule),
            Event::TaskListMarker(is_done) => self.marker = Some(Marker::Task(is_done)),
            // These need options that are not set.
            Event::InlineMath(_) | Event::DisplayMath(_) | Event::FootnoteReference(_) => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        let mark = match tag {
            Tag::Strong => Mark::Strong,
            Tag::Emphasis => Mark::Emphasis,
            Tag::Strikethrough => Mark::Strikethrough,
            Tag::Link { dest_url, .. } => Mark::Link(dest_url.into_string()),
            Tag::Image { dest_url, .. } => Mark::Image(dest_url.into_string()),
            block => return self.start_block(&block),
        };
        self.inlines.push(Inline::Open(mark));
    }

    fn start_block(&mut self, tag: &Tag<'_>) {
        match tag {
            Tag::TableHead | Tag::TableRow => return self.rows.push(Vec::new()),
            Tag::TableCell => return,
            _ => self.end_paragraph(),
        }
        match tag {
            Tag::BlockQuote(_) => self.quotes += 1,
            Tag::List(first) => {
                self.end_item();
                self.lists.push(*first);
            }
            Tag::Item => {
                let number = self.lists.last_mut().and_then(Option::as_mut);
                self.marker = Some(number.map_or(Marker::Bullet, |number| {
                    let this = *number;
                    *number = this.saturating_add(1);
                    Marker::Number(this)
                }));
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Strong
            | TagEnd::Emphasis
            | TagEnd::Strikethrough
            | TagEnd::Link
            | TagEnd::Image => self.inlines.push(Inline::Close),
            TagEnd::Heading(_) => {
                let inlines = std::mem::take(&mut self.inlines);
                self.push(Content::Heading(inlines));
            }
            TagEnd::CodeBlock => {
                let mut code = super::plain_text(&std::mem::take(&mut self.inlines));
                code.truncate(code.trim_end_matches('\n').len());
                self.push(Content::Code(code));
            }
            TagEnd::TableCell => {
                let cell = std::mem::take(&mut self.inlines);
                if let Some(row) = self.rows.last_mut() {
                    row.push(cell);
                }
            }
            TagEnd::TableRow => {
                if let Some(row) = self.rows.last_mut().filter(|row| row.len() > MAX_FILLED) {
                    let end = row.iter().rposition(|cell| !cell.is_empty());
                    row.truncate(end.map_or(1, |last| last + 1));
                }
            }
            TagEnd::Table => {
                let rows = std::mem::take(&mut self.rows);
                self.push(Content::Table(rows));
            }
            TagEnd::Item => {
                self.end_paragraph();
                self.end_item();
            }
            TagEnd::List(_) => {
                self.lists.pop();
            }
            TagEnd::BlockQuote(_) => {
                self.end_paragraph();
                self.quotes -= 1;
            }
            _ => self.end_paragraph(),
        }
    }

    fn text(&mut self, text: &str) {
        match self.inlines.last_mut() {
            Some(Inline::Text(before)) => before.push_str(text),
            _ => self.inlines.push(Inline::Text(text.to_owned())),
        }
    }

    /// Lines of an HTML block, shown as they are written.
    fn html(&mut self, html: &str) {
        for line in html.lines() {
            if !self.inlines.is_empty() {
                self.inlines.push(Inline::HardBreak);
            }
            self.text(line);
        }
    }

    /// Ends a paragraph. In a tight list there is no event for it: inline content is in the item.
    fn end_paragraph(&mut self) {
        if !self.inlines.is_empty() {
            let inlines = std::mem::take(&mut self.inlines);
            self.push(Content::Paragraph(inlines));
        }
    }

    /// Shows an item that has no block of its own by an empty paragraph.
    fn end_item(&mut self) {
        if self.marker.is_some() {
            self.push(Content::Paragraph(Vec::new()));
        }
    }

    fn push(&mut self, content: Content) {
        let quotes = self.quotes.min(MAX_DEPTH);
        let lists = self.lists.len().min(MAX_DEPTH);
        let marker = self.marker.take();
        self.blocks.push(Block { quotes, lists, marker, content });
    }
}
