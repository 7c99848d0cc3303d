//! Lists and items: a section each, with an image or a button next to it.

use widgetcast_engine::outline::{Block, Fact, Item, List, Picture};

use super::limit;
use super::line::picture_text;
use super::mrkdwn::MARK;
use super::piece::Kind;
use super::writer::{Layout, Writer};

/// How the items of a list are laid out: all alike.
#[derive(Clone, Copy)]
struct Shape {
    /// Whether the one button that an item has is next to it.
    has_button_beside: bool,
    /// Whether the buttons of an item are a menu next to it.
    has_menu: bool,
    /// Whether small or round images lead one line each, as faces do: next to a section they would tower over it.
    is_signed: bool,
}

impl<'t> Writer<'_, 't> {
    pub(super) fn list(&mut self, list: &List<'t>) {
        let items = &list.items[..];
        if !items.iter().all(|item| self.is_plain(item)) {
            let shape = self.shape(items);
            return items.iter().for_each(|item| self.item(item, shape));
        }
        if self.layout == Layout::Roomy && list.is_across && items.len() > 1 {
            let fields = items.iter().map(|item| {
                let is_sign = item.blocks.is_empty()
                    && !item.lines.iter().any(|line| self.outline.role(*line).is_some());
                (is_sign && item.trail.is_empty(), self.item_text(item).0)
            });
            let fields = fields.collect();
            return self.fields(fields);
        }
        if self.layout == Layout::Roomy && items.iter().any(|item| item.trail.len() > 1) {
            return items.iter().for_each(|item| self.halves(item));
        }
        let texts: Vec<String> = items.iter().map(|item| self.item_text(item).0).collect();
        let glue = if texts.iter().any(|text| text.contains('\n')) { "\n\n" } else { "\n" };
        let mut chunk = String::new();
        for text in texts.iter().filter(|text| !text.is_empty()) {
            if limit::len(&chunk) + limit::len(text) + 2 > limit::SECTION {
                self.pieces.text(&std::mem::take(&mut chunk), Kind::Chunk);
            }
            chunk.push_str(if chunk.is_empty() { "" } else { glue });
            chunk.push_str(text);
        }
        self.pieces.text(&chunk, Kind::Chunk);
    }

    /// An item that stands alone.
    pub(super) fn single(&mut self, item: &Item<'t>) {
        if self.is_plain(item) && item.trail.len() > 1 {
            return self.halves(item);
        }
        let shape = self.shape(std::slice::from_ref(item));
        self.item(item, shape);
    }

    /// The lines of an item next to those at its end.
    fn halves(&mut self, item: &Item<'t>) {
        let mut below = self.flow(&item.blocks);
        below.push('\n');
        below.push_str(&self.unpressable(item));
        let sides = [&item.lines, &item.trail].map(|lines| {
            let lines: Vec<String> = lines.iter().map(|line| self.line(*line)).collect();
            (false, lines.join("\n").trim().to_owned())
        });
        self.fields(sides.to_vec());
        self.pieces.text(&below, Kind::Chunk);
    }

    fn shape(&self, items: &[Item<'t>]) -> Shape {
        let has_picture = items.iter().any(Self::has_picture);
        let most = items.iter().map(|item| self.buttons(item).count()).max().unwrap_or(0);
        let fits = |item: &Item<'t>| self.buttons(item).count() < 2 || self.is_menu(item);
        Shape {
            has_button_beside: !has_picture && most < 2,
            is_signed: items.iter().all(Self::is_signed),
            has_menu: !has_picture && self.layout == Layout::Menus && items.iter().all(fits),
        }
    }

    fn has_picture(item: &Item<'t>) -> bool {
        item.picture.is_some_and(|picture| limit::is_public(picture.src))
    }

    fn is_signed(item: &Item<'t>) -> bool {
        let is_line = item.lines.len() == 1 && item.trail.len() < 2 && item.blocks.is_empty();
        let is_small = |picture: &Picture<'t>| {
            picture.is_round || picture.width.or(picture.height).is_some_and(|width| width <= 32.0)
        };
        let leads = |picture: &&Picture<'t>| !picture.is_end;
        is_line
            && Self::has_picture(item)
            && item.picture.as_ref().filter(leads).is_some_and(is_small)
    }

    /// Whether it is nothing but text in Slack.
    pub(super) fn is_plain(&self, item: &Item<'t>) -> bool {
        !Self::has_picture(item)
            && self.buttons(item).next().is_none()
            && self.is_text(&item.blocks)
    }

    /// Whether blocks are nothing but text.
    pub(super) fn is_text(&self, blocks: &[Block<'t>]) -> bool {
        blocks.iter().all(|block| match block {
            Block::Line(_) | Block::Markdown { .. } | Block::Facts { .. } => true,
            Block::List(list) => list.items.iter().all(|item| self.is_plain(item)),
            Block::Item(item) => self.is_plain(item),
            Block::Panel(panel) => self.is_text(&panel.blocks),
            Block::Columns(columns) => columns.iter().all(|column| self.is_text(column)),
            _ => false,
        })
    }

    fn item(&mut self, item: &Item<'t>, shape: Shape) {
        let (text, rest) = self.item_text(item);
        let count = self.buttons(item).count();
        let mut is_placed = count == 0;
        if let Some(picture) = item.picture.filter(|_| shape.is_signed) {
            self.picture(&picture);
            self.pieces.context(&text);
        } else if let Some(picture) = item.picture.filter(|_| Self::has_picture(item)) {
            self.beside(&text, &picture);
        } else if text.is_empty() || is_placed {
            self.pieces.text(&text, Kind::Entry);
        } else if shape.has_button_beside && count == 1 {
            let name = self.outline.name(item);
            let button = self.buttons(item).next().copied();
            if let Some(button) = button.map(|action| self.button(&action, &name)) {
                self.pieces.beside(&text, button);
            }
            is_placed = true;
        } else if shape.has_menu {
            let menu = self.menu(item);
            self.pieces.beside(&text, menu);
            is_placed = true;
        } else {
            self.pieces.text(&text, Kind::Entry);
        }
        self.blocks(&item.blocks[rest..]);
        if !is_placed {
            self.item_buttons(item);
        }
    }

    /// The text of an item with that of the blocks that it begins with, and how many these are.
    pub(super) fn item_text(&mut self, item: &Item<'t>) -> (String, usize) {
        let (first, rest) = item.lines.split_at(self.outline.lines_before_trail(item));
        let mut lines: Vec<String> = first.iter().map(|line| self.line(*line)).collect();
        lines.retain(|line| !line.is_empty());
        let trail: Vec<String> = item.trail.iter().map(|line| self.line(*line)).collect();
        let glue = match item.trail[..] {
            [line] => self.trail_glue(line),
            _ => None,
        };
        let below: Vec<String> = rest.iter().map(|line| self.line(*line)).collect();
        match (lines.last_mut(), glue) {
            (Some(first), Some(glue)) => {
                first.push_str(if trail[0].is_empty() { "" } else { glue });
                first.push_str(&trail[0]);
                lines.extend(below);
            }
            _ => {
                lines.extend(below);
                lines.push(trail.join(MARK));
            }
        }
        let rest = item.blocks.iter().position(|block| !self.is_text(std::slice::from_ref(block)));
        let rest = rest.unwrap_or(item.blocks.len());
        lines.push(self.flow(&item.blocks[..rest]));
        lines.push(self.unpressable(item));
        lines.retain(|line| !line.is_empty());
        if let Some(picture) = item.picture.filter(|_| lines.is_empty() && !Self::has_picture(item))
        {
            self.pieces.see(picture.at);
            lines.push(picture_text(picture.alt));
        }
        (lines.join("\n"), rest)
    }

    /// Blocks of text as one text, a line each.
    pub(super) fn flow(&mut self, blocks: &[Block<'t>]) -> String {
        let mut texts: Vec<String> = Vec::new();
        for block in blocks {
            match block {
                Block::Line(line) => texts.push(self.line(*line)),
                Block::Markdown { text, .. } => texts.push(super::markdown_text::to_mrkdwn(text)),
                Block::Facts { facts, .. } => {
                    texts.extend(facts.iter().map(|fact| self.fact(fact)));
                }
                Block::List(list) => {
                    texts.extend(list.items.iter().map(|item| self.item_text(item).0));
                }
                Block::Item(item) => texts.push(self.item_text(item).0),
                Block::Panel(panel) => {
                    let text = self.flow(&panel.blocks);
                    let gap = if text.is_empty() || texts.is_empty() { "" } else { "\n" };
                    texts.push(format!("{gap}{text}"));
                }
                Block::Columns(columns) => {
                    texts.extend(columns.iter().map(|column| self.flow(column)));
                }
                _ => {}
            }
        }
        texts.retain(|text| !text.is_empty());
        texts.join("\n")
    }

    /// A label and its value on one line.
    pub(super) fn fact(&mut self, fact: &Fact) -> String {
        let label = self.line(fact.label);
        let value = self.line(fact.value);
        let is_question = |c: Option<char>| matches!(c, Some(':' | '：' | '?' | '？' | '؟'));
        let end = label.trim_end_matches(['*', '_', '~']);
        match (label.is_empty(), value.is_empty()) {
            (true, _) => value,
            (_, true) => label,
            _ if is_question(end.chars().next_back()) => format!("{label} {value}"),
            _ => format!("{label}: {value}"),
        }
    }

    /// Whether the buttons of an item fit a menu: they call one tool, with payloads that options take.
    fn is_menu(&self, item: &Item<'t>) -> bool {
        let mut values: Vec<String> = Vec::new();
        let buttons: Vec<_> = self.buttons(item).collect();
        buttons.len() <= limit::SELECT_OPTIONS
            && buttons.iter().all(|button| {
                let value = super::action::value(button);
                let is_new = !values.contains(&value);
                let fits = limit::len(&value) <= limit::OPTION_VALUE;
                values.push(value);
                is_new && fits && button.link.is_none() && button.name == buttons[0].name
            })
    }
}
