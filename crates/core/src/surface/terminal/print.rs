//! Prints an outline: its blocks below each other, in a frame.

use widgetcast_engine::outline::{Block, Hue, Item, Lack, Outline, Picture, Role};
use widgetcast_engine::signs::sign;
use widgetcast_engine::words::Words;

use super::chart;
use super::printer::{Printer, TerminalOptions, one_line};
use super::text::{Lines, Run, Style, TextLine, address, bar, narrow, to_ansi, widest, wrap_below};

/// The surface is printed without colour, so that it can be kept in files; the preview has it.
pub(super) const LACK: Lack = Lack {
    picture: |_| Some("the image is not shown"),
    shows_icon: |icon| sign(icon).is_some(),
    shows_colors: false,
    shows_badge_colors: false,
    shows_swatches: false,
    chart: chart::lost,
    shows_disabled: true,
    is_interactive: false,
    field: |_| None,
};

/// The columns up to which text is easy to read; only what is side by side may be wider.
const READABLE: usize = 92;
/// The least width of the content of a frame.
const LEAST: usize = 36;

/// Prints an outline; no line is wider than the options say.
pub(super) fn print(outline: &Outline<'_>, words: Words, options: &TerminalOptions) -> String {
    let (colour, links) = (options.colour, options.colour && options.links);
    let printer = Printer { outline, words, colour, links, is_inner: false };
    let is_framed = options.width >= 20;
    let width = if is_framed { options.width - 4 } else { options.width };
    let drawn = printer.blocks(&outline.blocks, width);
    let room = widest(&drawn).max(LEAST).min(width);
    let mut lines = Lines::new();
    let edge = |left: &str, right: &str| {
        TextLine::of(&format!("{left}{}{right}", "─".repeat(room + 2)), Style::dim())
    };
    if is_framed {
        lines.push(edge("╭", "╮"));
    }
    for line in narrow(&drawn, width) {
        if !is_framed {
            lines.push(line.fill(room, false));
            continue;
        }
        if line.is_rule() {
            lines.push(edge("├", "┤"));
            continue;
        }
        let mut framed = TextLine::of("│ ", Style::dim());
        framed.append(&line.fill(room, false));
        framed.push(" │", &Style::dim());
        lines.push(framed);
    }
    if is_framed {
        lines.push(edge("╰", "╯"));
    }
    to_ansi(&lines, colour, links)
}

impl<'t> Printer<'_, 't> {
    /// Blocks below each other.
    pub(super) fn blocks(&self, blocks: &[Block<'t>], width: usize) -> Lines {
        let mut out = Lines::new();
        let mut before: Option<(&Block<'t>, usize)> = None;
        for part in blocks.chunk_by(|a, b| is_one_part(a, b)) {
            let drawn = match part {
                [Block::Field(_), ..] => self.fields(part, width),
                [Block::Columns(_), ..] => self.columns(part, width),
                _ => part.iter().flat_map(|block| self.block(block, width)).collect(),
            };
            let is_rule = drawn.iter().all(TextLine::is_rule);
            if drawn.is_empty() || (is_rule && out.last().is_none_or(TextLine::is_rule)) {
                continue;
            }
            let height = if part.len() > 1 { 2 } else { drawn.len() };
            if let Some(before) = before
                && !is_rule
                && !out.last().is_some_and(TextLine::is_rule)
                && !self.are_close(before, (&part[0], height))
            {
                out.push(TextLine::default());
            }
            before = part.last().map(|block| (block, height));
            out.extend(drawn);
        }
        while out.last().is_some_and(TextLine::is_rule) {
            out.pop();
        }
        out
    }

    /// Whether no blank line is between two blocks, given with their heights.
    fn are_close(&self, above: (&Block<'t>, usize), below: (&Block<'t>, usize)) -> bool {
        let role = |block: &Block<'t>| match block {
            Block::Line(line) => self.outline.role(*line),
            // A line with a rule next to it.
            Block::Columns(columns) => {
                match columns.iter().map(Vec::as_slice).collect::<Vec<_>>()[..] {
                    [[Block::Divider], [Block::Line(line)], ..]
                    | [[Block::Line(line)], [Block::Divider]] => self.outline.role(*line),
                    _ => None,
                }
            }
            _ => None,
        };
        let is_short = |(block, height): (&Block<'t>, usize)| {
            use Block::{Columns, Facts, Field, Item, Line};
            height == 1 && matches!(block, Line(_) | Field(_) | Columns(_) | Item(_) | Facts { .. })
        };
        match (above.0, below.0) {
            _ if role(below.0) >= Some(Role::Strong) => role(above.0) == role(below.0),
            _ if role(above.0) >= Some(Role::Strong) => true,
            (Block::Line(_), Block::Field(_)) => true,
            (Block::Line(_) | Block::Markdown { .. } | Block::Field(_), Block::Line(_))
                if role(below.0) == Some(Role::Small) =>
            {
                true
            }
            (Block::Field(_), Block::Line(_)) => false,
            _ => is_short(above) && is_short(below),
        }
    }

    fn block(&self, block: &Block<'t>, width: usize) -> Lines {
        match block {
            Block::Heading(heading) => {
                self.items(std::slice::from_ref(&heading.item), width, None).concat()
            }
            Block::Line(line) => self.line(*line, width.min(READABLE)),
            Block::Markdown { text, .. } => self.markdown(text, width),
            Block::Facts { facts, is_across } => self.facts(facts, *is_across, width),
            Block::List(list) => self.list(list, width),
            Block::Item(item) => self.item(item, width),
            Block::Table(table) => self.table(table, width),
            Block::Chart(chart) => self.chart(chart, width),
            Block::Picture(picture) => self.picture(picture, width),
            Block::Actions(actions) => self.actions(actions, width),
            Block::Panel(panel) => {
                self.framed(panel.color, width, |width| self.blocks(&panel.blocks, width))
            }
            Block::Divider => vec![TextLine::rule()],
            // Drawn with those next to them.
            Block::Field(_) | Block::Columns(_) => Lines::new(),
        }
    }

    /// What has a frame or a background of its own: a bar in its colour, because frames in frames take too
    /// many columns.
    pub(super) fn framed(
        &self,
        color: Option<&str>,
        width: usize,
        draw: impl FnOnce(usize) -> Lines,
    ) -> Lines {
        match color.and_then(Hue::of) {
            Some(hue) => bar("▌ ", &Style::fore(Some(hue)), width, draw),
            None => bar("│ ", &Style::dim(), width, draw),
        }
    }

    pub(super) fn picture(&self, picture: &Picture<'t>, width: usize) -> Lines {
        if picture.caption.is_empty() {
            return Lines::new();
        }
        let style = Style { link: address(picture.src), ..Style::dim() };
        wrap_below(&[Run::new(&format!("▨ {}", one_line(picture.caption)), style)], width, 2)
    }

    /// An item that stands alone.
    pub(super) fn item(&self, item: &Item<'t>, width: usize) -> Lines {
        self.items(std::slice::from_ref(item), width, Some(0)).concat()
    }
}

/// Whether two blocks that follow each other are laid out together.
fn is_one_part(above: &Block<'_>, below: &Block<'_>) -> bool {
    match (above, below) {
        (Block::Field(_), Block::Field(_)) => true,
        (Block::Columns(above), Block::Columns(below)) => above.len() == below.len(),
        _ => false,
    }
}
