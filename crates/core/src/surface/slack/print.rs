//! Prints an outline as blocks.
//!
//! A message has at most 50 blocks. If the roomy layout needs more, texts share sections; if that is not
//! enough, the buttons of items become menus; what is still too much is cut, and the message says so.

use widgetcast_engine::outline::{
    Block, Fact, FieldKind, Heading, Lack, Line, Lost, Outline, Picture, Role, Span, SpanKind,
};
use widgetcast_engine::signs::sign;
use widgetcast_engine::words::{Word, Words};

use super::line::{marked_spans, picture_text, plain_spans};
use super::mrkdwn::MARK;
use super::piece::{Element, Kind, Piece, member};
use super::writer::{Layout, Writer};
use super::{chart, limit, mrkdwn};

/// The pixels up to which an image is a small one next to text, rather than one across the message.
const SMALL: f64 = 96.0;

pub(super) const LACK: Lack = Lack {
    picture: |picture| {
        (!limit::is_public(picture.src))
            .then_some("the image is not shown: Slack loads images only from public https URLs")
    },
    shows_icon: |name| sign(name).is_some(),
    shows_colors: false,
    shows_badge_colors: true,
    shows_swatches: true,
    chart: chart::lost,
    shows_disabled: false,
    is_interactive: true,
    field: |field| match field.kind {
        FieldKind::Password => Some("omitted: Slack would show the password"),
        FieldKind::Date if !field.min.is_empty() || !field.max.is_empty() => {
            Some("the Slack date picker has no minimum or maximum")
        }
        _ => (!field.pattern.is_empty()).then_some("Slack does not check the pattern"),
    },
};

/// Prints an outline as a JSON list of blocks.
pub(super) fn print(outline: &Outline<'_>, words: Words) -> (String, Vec<Lost>) {
    let is_form = outline.has_submit();
    let mut writer = Writer::new(outline, words, Layout::Roomy, is_form);
    writer.blocks(&outline.blocks);
    for layout in [Layout::Tight, Layout::Menus] {
        if writer.pieces.len() > limit::BLOCKS {
            writer = Writer::new(outline, words, layout, is_form);
            writer.blocks(&outline.blocks);
        }
    }
    let mut lost = writer.lost;
    (writer.pieces.finish(words, &mut lost), lost)
}

impl<'t> Writer<'_, 't> {
    pub(super) fn blocks(&mut self, blocks: &[Block<'t>]) {
        for (index, block) in blocks.iter().enumerate() {
            // There is another layout to try.
            if self.pieces.len() > limit::BLOCKS && self.layout < Layout::Menus {
                return;
            }
            // A line directly above one of these is its label.
            if matches!(blocks.get(index + 1), Some(Block::Chart(_) | Block::Table(_))) {
                self.pieces.fence();
            }
            // Rows of facts side by side are one grid.
            let across = |block: &'_ Block<'t>| match block {
                Block::Facts { facts, is_across: true } => Some(facts.clone()),
                _ => None,
            };
            if across(block).is_none() {
                self.block(block);
            } else if index == 0 || across(&blocks[index - 1]).is_none() {
                let rows: Vec<Vec<Fact>> = blocks[index..].iter().map_while(across).collect();
                let facts = rows.concat();
                // One at the end would stand alone.
                match facts.len() % 2 {
                    0 => self.facts_across(&facts),
                    _ => rows.iter().for_each(|facts| self.facts_across(facts)),
                }
            }
        }
    }

    fn facts_across(&mut self, facts: &[Fact]) {
        if facts.len() == 3 {
            let lines: Vec<String> = facts.iter().map(|fact| self.fact(fact)).collect();
            return self.pieces.text(&lines.join("\n"), Kind::Chunk);
        }
        let is_bold = !facts.iter().any(|fact| self.is_strong(fact.value));
        let fields = facts.iter().map(|fact| (false, self.fact_over(fact, is_bold))).collect();
        self.fields(fields);
    }

    fn block(&mut self, block: &Block<'t>) {
        match block {
            Block::Heading(heading) => self.heading(heading),
            Block::Line(line) => self.line_block(*line),
            Block::Markdown { at, text } => self.markdown(*at, text),
            Block::Facts { .. } => {
                let text = self.flow(std::slice::from_ref(block));
                self.pieces.text(&text, Kind::Chunk);
            }
            Block::List(list) => self.list(list),
            Block::Item(item) => self.single(item),
            Block::Table(table) => self.table(table),
            Block::Chart(chart) => self.chart(chart),
            Block::Picture(picture) => self.picture(picture),
            Block::Field(field) => self.field(field),
            Block::Actions(actions) => self.actions(actions),
            Block::Columns(columns) => self.columns(columns),
            Block::Panel(panel) => {
                let outer = std::mem::replace(&mut self.is_inside, true);
                self.pieces.fence();
                self.blocks(&panel.blocks);
                self.pieces.fence();
                self.is_inside = outer;
            }
            Block::Divider => self.pieces.divider(),
        }
    }

    /// The title is a header; what surrounds it is small text.
    fn heading(&mut self, heading: &Heading<'t>) {
        for line in heading.above() {
            let text = self.line(*line);
            self.pieces.context(&text);
        }
        let line = heading.title();
        let spans = self.outline.spans(line);
        let is_title = |span: &Span<'_>| {
            span.kind == SpanKind::Icon
                || span.kind == SpanKind::Text && span.role >= Role::Strong && !span.is_struck
        };
        let (title, beside): (Vec<Span<'t>>, Vec<Span<'t>>) =
            if spans.iter().any(|span| span.kind == SpanKind::Text && is_title(span)) {
                spans.iter().partition(|span| is_title(span))
            } else {
                (spans.to_vec(), Vec::new())
            };
        spans.iter().for_each(|span| self.pieces.see(span.at));
        let mut title = plain_spans(line, &title);
        let (signs, trail): (Vec<Line>, Vec<Line>) =
            heading.item.trail.iter().partition(|line| self.outline.role(**line).is_none());
        for sign in signs {
            title = format!("{title} {}", self.plain(sign));
        }
        let picture = heading.item.picture.filter(|picture| limit::is_public(picture.src));
        let title = title.trim().to_owned();
        let is_header = !self.is_inside && !title.is_empty() && limit::len(&title) <= limit::HEADER;
        let mut lines = vec![marked_spans(line, &beside)];
        lines.extend(trail.iter().map(|line| self.line(*line)));
        lines.retain(|line| !line.is_empty());
        lines = vec![lines.join(MARK)];
        lines.extend(heading.below().iter().map(|line| self.line(*line)));
        lines.retain(|line| !line.is_empty());
        let about = lines.join("\n");
        let bold = mrkdwn::mark(&mrkdwn::escape(&title), '*');
        if is_header {
            self.pieces.push(Piece::Header(title.clone()));
        } else if picture.is_none() {
            self.pieces.text(&bold, Kind::Subhead);
        }
        match picture {
            Some(picture) if is_header => self.beside(&about, &picture),
            Some(picture) => self.beside(format!("{bold}\n{about}").trim(), &picture),
            None => self.pieces.context(&about),
        }
        self.about = title;
        self.blocks(&heading.item.blocks);
        self.item_actions(&heading.item);
    }

    fn line_block(&mut self, line: Line) {
        let text = self.line(line);
        if self.is_small(line) {
            self.pieces.context(&text);
        } else if text.contains('\n') {
            self.pieces.text(&text, Kind::Chunk);
        } else if self.is_strong(line) {
            self.about = self.plain(line);
            self.pieces.text(&text, Kind::Subhead);
        } else {
            self.pieces.text(&text, Kind::Line);
        }
    }

    /// A label over its value; the label stands out where the values do not.
    fn fact_over(&mut self, fact: &Fact, is_bold: bool) -> String {
        let label = mrkdwn::escape(&self.plain(fact.label));
        let label = if is_bold { mrkdwn::mark(&label, '*') } else { label };
        let value = self.line(fact.value);
        format!("{label}\n{value}").trim().to_owned()
    }

    /// Texts side by side, each with whether it is only a sign, which belongs to the next one; texts that
    /// are too long for that stand one below the other.
    pub(super) fn fields(&mut self, texts: Vec<(bool, String)>) {
        let mut fields: Vec<String> = Vec::new();
        let mut signs = String::new();
        for (is_sign, text) in texts {
            signs.push_str(if signs.is_empty() { "" } else { " " });
            signs.push_str(&text);
            if !is_sign {
                fields.push(std::mem::take(&mut signs));
            }
        }
        fields.push(signs);
        fields.retain(|field| !field.is_empty());
        // In two columns, one of three would stand alone.
        if fields.len() == 3 {
            let lines = fields.iter().map(|field| field.lines().count()).max().unwrap_or(0);
            let glue = ["", MARK, "\n"].get(lines).copied().unwrap_or("\n\n");
            if lines == 2 {
                fields.iter_mut().for_each(|field| *field = field.replace('\n', MARK));
            }
            return self.pieces.text(&fields.join(glue), Kind::Chunk);
        }
        if fields.len() < 2 || fields.iter().any(|field| limit::len(field) > limit::FIELD) {
            return fields.iter().for_each(|field| self.pieces.text(field, Kind::Chunk));
        }
        for fields in fields.chunks(limit::FIELDS) {
            self.pieces.push(Piece::Fields(fields.to_vec()));
        }
    }

    fn columns(&mut self, columns: &[Vec<Block<'t>>]) {
        if columns.len() > 1 && columns.iter().all(|column| self.is_text(column)) {
            let fields = columns.iter().map(|column| {
                let is_sign =
                    |block: &Block<'t>| matches!(block, Block::Line(line) if self.outline.role(*line).is_none());
                (column.iter().all(is_sign), self.flow(column))
            });
            let fields = fields.collect();
            return self.fields(fields);
        }
        for (index, column) in columns.iter().enumerate() {
            if index > 0 {
                self.pieces.fence();
            }
            self.blocks(column);
        }
    }

    pub(super) fn picture(&mut self, picture: &Picture<'t>) {
        self.pieces.see(picture.at);
        if !limit::is_public(picture.src) {
            return self.pieces.context(&picture_text(picture.caption));
        }
        let is_small = |size: Option<f64>| size.is_some_and(|size| size <= SMALL);
        let mut json = String::from("{\"type\":\"image\"");
        json.push_str(&self.image(picture).members);
        json.push('}');
        if is_small(picture.width) || is_small(picture.height) {
            return self.pieces.small_picture(json);
        }
        self.pieces.push(Piece::Json(json));
    }

    fn image(&mut self, picture: &Picture<'t>) -> Element {
        self.pieces.see(picture.at);
        // Slack reads it as mrkdwn, though it is documented as plain text.
        let mut alt = mrkdwn::escape(&mrkdwn::clean(picture.alt));
        if alt.is_empty() {
            self.words.get(Word::Image).clone_into(&mut alt);
        }
        let alt = self.fit(alt, limit::ALT, picture.at);
        let mut members = String::new();
        member("image_url", picture.src, &mut members);
        member("alt_text", &alt, &mut members);
        Element { kind: "image", id: String::new(), members }
    }

    /// A text with an image next to it; without text, the image alone.
    pub(super) fn beside(&mut self, text: &str, picture: &Picture<'t>) {
        if text.is_empty() {
            return self.picture(picture);
        }
        let image = self.image(picture);
        self.pieces.beside(text, image);
    }

    /// A text cut to what Slack takes, and a loss if something is missing.
    pub(super) fn fit(&mut self, text: String, most: usize, at: u32) -> String {
        match limit::clamp(&text, most) {
            Some(cut) => {
                self.lose(at, format!("truncated: Slack accepts at most {most} characters here"));
                cut
            }
            None => text,
        }
    }
}
