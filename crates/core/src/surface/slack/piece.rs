//! The blocks of a message before they are written: what may share a block joins the one before it, and
//! what is too long for a block is split.

use widgetcast_engine::json::write_string;
use widgetcast_engine::outline::Lost;
use widgetcast_engine::words::{Word, Words};

use super::{limit, mrkdwn};

/// The most buttons at the end of a message that stay when it is cut: those that submit a form.
const LAST_ACTIONS: usize = 3;

/// The most elements of a context block.
const CONTEXT_ELEMENTS: usize = 10;

/// What a text is, which decides what it shares a section with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A line; lines that follow each other share a section.
    Line,
    /// A line that stands out and heads what follows it.
    Subhead,
    /// Text of several lines, which shares a section only with the line that heads it.
    Chunk,
    /// An item of a list whose items have a section each.
    Entry,
}

/// A block of the message.
pub(super) enum Piece {
    Header(String),
    Section {
        text: String,
        kind: Kind,
        accessory: Option<Element>,
    },
    Fields(Vec<String>),
    /// Small images, and small text behind them.
    Context(Vec<String>, String),
    Actions(Vec<Element>, Group),
    Divider,
    /// A block that is written already.
    Json(String),
}

/// The elements that share an actions block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Group {
    /// Those of one item.
    Item,
    /// Buttons that belong to no item.
    Buttons,
    /// Check boxes.
    Checks,
}

/// An interactive element, or an image.
pub(super) struct Element {
    /// Its `type`.
    pub(super) kind: &'static str,
    /// Its `action_id`, without the number that makes it unique in its block; empty if it has none.
    pub(super) id: String,
    /// Its other members as JSON, each after a comma.
    pub(super) members: String,
}

impl Element {
    /// Writes it; `ids` are those in its block so far.
    fn write(&self, ids: &mut Vec<String>, out: &mut String) {
        out.push_str("{\"type\":");
        write_string(self.kind, out);
        if !self.id.is_empty() {
            let mut id = self.id.clone();
            let mut number = 2;
            while ids.contains(&id) {
                id = format!("{}#{number}", self.id);
                number += 1;
            }
            member("action_id", &id, out);
            ids.push(id);
        }
        out.push_str(&self.members);
        out.push('}');
    }
}

/// The blocks so far.
pub(super) struct Pieces {
    /// Each piece, with the end of its part of `seen`.
    list: Vec<(Piece, usize)>,
    /// The components that were printed, in order: the losses if a piece is cut.
    seen: Vec<u32>,
    /// Whether all texts share sections as far as they fit.
    is_tight: bool,
    /// Whether the next text begins a section, because another part begins with it.
    is_fenced: bool,
}

impl Pieces {
    pub(super) fn new(is_tight: bool) -> Self {
        Self { list: Vec::new(), seen: Vec::new(), is_tight, is_fenced: false }
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// Notes that the next piece shows a component.
    pub(super) fn see(&mut self, at: u32) {
        self.seen.push(at);
    }

    /// Keeps what follows out of the block above.
    pub(super) fn fence(&mut self) {
        self.is_fenced = true;
    }

    pub(super) fn push(&mut self, piece: Piece) {
        self.is_fenced = false;
        self.list.push((piece, self.seen.len()));
    }

    /// Adds a text of mrkdwn.
    pub(super) fn text(&mut self, text: &str, kind: Kind) {
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        let (is_tight, is_fenced) = (self.is_tight, self.is_fenced);
        if let Some((Piece::Section { text: before, kind: last, accessory: None }, end)) =
            self.list.last_mut()
        {
            let joins = match (*last, kind) {
                _ if is_tight => true,
                (Kind::Subhead, Kind::Line | Kind::Subhead | Kind::Chunk) => !is_fenced,
                (Kind::Line, Kind::Line) => !is_fenced,
                _ => false,
            };
            if joins && limit::len(before) + limit::len(text) + 2 <= limit::SECTION {
                let is_close = *last == Kind::Subhead || (*last, kind) == (Kind::Line, Kind::Line);
                before.push_str(if is_close { "\n" } else { "\n\n" });
                before.push_str(text);
                *last = kind;
                *end = self.seen.len();
                return;
            }
        }
        for text in mrkdwn::split(text, limit::SECTION) {
            self.push(Piece::Section { text, kind, accessory: None });
        }
    }

    /// Adds a section with an element next to it.
    pub(super) fn beside(&mut self, text: &str, element: Element) {
        let mut texts = mrkdwn::split(text, limit::SECTION).into_iter();
        let text = texts.next().unwrap_or_default();
        self.push(Piece::Section { text, kind: Kind::Chunk, accessory: Some(element) });
        texts.for_each(|text| self.text(&text, Kind::Chunk));
    }

    /// Adds small text.
    pub(super) fn context(&mut self, text: &str) {
        let text = text.trim();
        if self.is_tight {
            return self.text(text, Kind::Line);
        }
        if let Some((Piece::Context(_, before), end)) = self.list.last_mut()
            && !self.is_fenced
            && limit::len(before) + limit::len(text) < limit::CONTEXT
        {
            if !text.is_empty() {
                before.push_str(if before.is_empty() { "" } else { "\n" });
                before.push_str(text);
            }
            *end = self.seen.len();
            return;
        }
        for text in mrkdwn::split(text, limit::CONTEXT) {
            self.push(Piece::Context(Vec::new(), text));
        }
    }

    /// Adds a small image, given as JSON; those that follow each other share a line.
    pub(super) fn small_picture(&mut self, json: String) {
        match self.list.last_mut() {
            Some((Piece::Context(pictures, text), end))
                if text.is_empty() && !self.is_fenced && pictures.len() + 1 < CONTEXT_ELEMENTS =>
            {
                pictures.push(json);
                *end = self.seen.len();
            }
            _ => self.push(Piece::Context(vec![json], String::new())),
        }
    }

    /// Adds elements; those of an item do not mix with others.
    pub(super) fn actions(&mut self, elements: Vec<Element>, group: Group) {
        let mut elements = elements.into_iter().peekable();
        if let Some((Piece::Actions(before, last), end)) = self.list.last_mut()
            && *last == group
            && group != Group::Item
            && !self.is_fenced
        {
            let room = limit::ACTIONS.saturating_sub(before.len());
            before.extend(elements.by_ref().take(room));
            *end = self.seen.len();
        }
        while elements.peek().is_some() {
            let block = elements.by_ref().take(limit::ACTIONS).collect();
            self.push(Piece::Actions(block, group));
        }
    }

    /// Adds a rule, unless there is one or nothing above it.
    pub(super) fn divider(&mut self) {
        if !self.is_tight && !matches!(self.list.last(), None | Some((Piece::Divider, _))) {
            self.push(Piece::Divider);
        }
    }

    /// Writes the blocks, at most 50 of them.
    pub(super) fn finish(mut self, words: Words, lost: &mut Vec<Lost>) -> String {
        while matches!(self.list.last(), Some((Piece::Divider, _))) {
            self.list.pop();
        }
        if self.list.len() > limit::BLOCKS {
            let is_actions = |(piece, _): &&(Piece, usize)| matches!(piece, Piece::Actions(..));
            let tail = self.list.iter().rev().take(LAST_ACTIONS).take_while(is_actions).count();
            let keep = limit::BLOCKS - 1 - tail;
            let cut = self.list.len() - tail;
            let seen = self.list[keep - 1].1..self.list[cut - 1].1;
            let reason = format!("not shown: a Slack message has at most {} blocks", limit::BLOCKS);
            lost.extend(self.seen[seen].iter().map(|at| Lost::new(*at, reason.clone())));
            let is_shown = |(piece, _): &&(Piece, usize)| !matches!(piece, Piece::Divider);
            let more = self.list[keep..cut].iter().filter(is_shown).count();
            let more = words.count(Word::More, more);
            self.list.splice(keep..cut, [(Piece::Context(Vec::new(), more), 0)]);
        }
        let mut out = String::from("[");
        for (index, (piece, _)) in self.list.iter().enumerate() {
            out.push_str(if index > 0 { "," } else { "" });
            piece.write(&mut out);
        }
        out.push(']');
        out
    }
}

impl Piece {
    fn write(&self, out: &mut String) {
        let mut ids = Vec::new();
        match self {
            Self::Header(text) => {
                out.push_str("{\"type\":\"header\",\"text\":");
                write_plain(text, out);
            }
            Self::Section { text, accessory, .. } => {
                out.push_str("{\"type\":\"section\",\"text\":");
                write_mrkdwn(text, out);
                if let Some(accessory) = accessory {
                    out.push_str(",\"accessory\":");
                    accessory.write(&mut ids, out);
                }
            }
            Self::Fields(fields) => {
                out.push_str("{\"type\":\"section\",\"fields\":");
                write_list(fields, out, |field, out| write_mrkdwn(field, out));
            }
            Self::Context(pictures, text) => {
                out.push_str("{\"type\":\"context\",\"elements\":[");
                out.push_str(&pictures.join(","));
                if !text.is_empty() {
                    out.push_str(if pictures.is_empty() { "" } else { "," });
                    write_mrkdwn(text, out);
                }
                out.push(']');
            }
            Self::Actions(elements, _) => {
                out.push_str("{\"type\":\"actions\",\"elements\":");
                write_list(elements, out, |element, out| element.write(&mut ids, out));
            }
            Self::Divider => out.push_str("{\"type\":\"divider\""),
            Self::Json(json) => return out.push_str(json),
        }
        out.push('}');
    }
}

/// Writes a JSON list.
pub(super) fn write_list<T>(list: &[T], out: &mut String, mut write: impl FnMut(&T, &mut String)) {
    out.push('[');
    for (index, item) in list.iter().enumerate() {
        out.push_str(if index > 0 { "," } else { "" });
        write(item, out);
    }
    out.push(']');
}

/// Writes a text object without markup.
pub(super) fn write_plain(text: &str, out: &mut String) {
    out.push_str("{\"type\":\"plain_text\",\"text\":");
    write_string(text, out);
    out.push_str(",\"emoji\":true}");
}

/// Writes an option of a menu or a choice; without a description if that is empty.
pub(super) fn write_option(label: &str, value: &str, description: &str, out: &mut String) {
    out.push_str("{\"text\":");
    write_plain(label, out);
    member("value", value, out);
    if !description.is_empty() {
        plain_member("description", description, out);
    }
    out.push('}');
}

/// Writes a member after others.
pub(super) fn member(name: &str, text: &str, out: &mut String) {
    out.push_str(",\"");
    out.push_str(name);
    out.push_str("\":");
    write_string(text, out);
}

/// Writes a member that is a text object without markup, after others.
pub(super) fn plain_member(name: &str, text: &str, out: &mut String) {
    out.push_str(",\"");
    out.push_str(name);
    out.push_str("\":");
    write_plain(text, out);
}

fn write_mrkdwn(text: &str, out: &mut String) {
    out.push_str("{\"type\":\"mrkdwn\",\"text\":");
    write_string(text, out);
    out.push('}');
}
