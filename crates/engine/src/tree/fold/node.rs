//! A tree as the fold sees it: its values in one list.
//!
//! They stand in the order of the JSON text, and each knows where its descendants end; so a tree of
//! any size is one allocation, and its texts are slices of what they were taken from. It is read
//! from JSON text, or written by a template that was compiled for it.

use std::borrow::Cow;
use std::ops::Range;

use serde_json::Number;

use super::name::{Key, Kind};
use super::shape::Shape;
use crate::json::number_text;
use crate::tree::component::Fold;

/// The values of a tree; the first one is the root.
#[derive(Default)]
pub(crate) struct Tree<'t> {
    pub(super) items: Vec<Item<'t>>,
    kept: Vec<String>,
    /// The first is that of everything without children.
    pub(super) shapes: Vec<Shape>,
    /// Whether a text may have several lines: nearly no tree has one, and each component is asked.
    pub(super) has_lines: bool,
    /// The form fields, and the labels that may speak of one.
    pub(super) asking: Vec<u32>,
    /// The list or object that began last and has no end yet.
    open: u32,
}

pub(super) struct Item<'t> {
    pub(super) what: What<'t>,
    /// Its place in the list.
    pub(super) at: u32,
    /// The place after its last descendant.
    pub(super) end: u32,
    /// What it is of the object that it is in.
    key: Key,
    /// What it is itself, if it is a component.
    pub(super) kind: Kind,
    /// Where its shape is.
    pub(super) shape: u32,
}

#[derive(Clone, Copy)]
pub(crate) enum What<'t> {
    Null,
    Bool(bool),
    /// A number that reads as it is written.
    Whole(Words<'t>),
    Number(Words<'t>),
    /// Without control characters: it may be printed by a terminal as it is. Kept by the tree if
    /// there may be a line break in it.
    Text(Words<'t>),
    /// A list, whose items follow.
    List,
    /// An object in a prop, whose members follow.
    Object,
    /// A component, whose members follow; with a set of keys that holds theirs.
    Component(u64),
    /// A row of a chart's data: names and values follow in turn.
    Row,
}

/// A text. Not a `Cow`: what needs no dropping is written where it belongs, instead of being made
/// elsewhere and copied there, and that is a third of what building a tree takes.
#[derive(Clone, Copy)]
pub(crate) enum Words<'t> {
    Lent(&'t str),
    /// Which of those that the tree keeps.
    Kept(u32),
}

/// Whether a number in JSON's words reads as it is written.
pub(crate) fn is_whole(word: &str) -> bool {
    // `-0` is a float, and reads as `0`.
    word.parse::<u64>().is_ok() || (word != "-0" && word.parse::<i64>().is_ok())
}

/// A value and the tree it is part of.
#[derive(Clone, Copy)]
pub(super) struct Node<'a> {
    pub(super) tree: &'a Tree<'a>,
    pub(super) item: &'a Item<'a>,
}

impl<'t> Tree<'t> {
    /// A tree without values yet, with room for that many.
    pub(crate) fn with_capacity(items: usize) -> Self {
        let mut shapes = Vec::with_capacity(items / 6 + 4);
        shapes.push(Shape::default());
        let items = Vec::with_capacity(items + 8);
        Self { items, kept: Vec::new(), shapes, has_lines: false, asking: Vec::new(), open: 0 }
    }

    /// Adds a value; tells its place.
    #[inline]
    pub(crate) fn push(&mut self, key: Key, what: What<'t>) -> u32 {
        let at = self.end();
        self.items.push(Item { what, at, end: at + 1, key, kind: Kind::Other, shape: 0 });
        at
    }

    /// Adds a number in JSON's words, if it is one.
    pub(crate) fn push_number(&mut self, key: Key, word: &'t str) -> Option<()> {
        let what = match is_whole(word) {
            true => What::Whole(Words::Lent(word)),
            false => {
                let number = serde_json::from_str::<Number>(word).ok()?;
                What::Number(self.words(number_text(&number).into()))
            }
        };
        self.push(key, what);
        Some(())
    }

    /// Adds a text, as it may be printed by a terminal.
    pub(crate) fn push_text(&mut self, key: Key, text: Cow<'t, str>) {
        // Those of two bytes begin with `c2`. All bytes are looked at without stopping: that is done
        // several at a time.
        let may_be = |byte: u8| (byte < 0x20) | (byte == 0x7f) | (byte == 0xc2);
        if text.bytes().fold(false, |found, byte| found | may_be(byte)) {
            return self.push_odd(key, &text);
        }
        let words = self.words(text);
        self.push(key, What::Text(words));
    }

    /// A text to be added.
    pub(crate) fn words(&mut self, text: Cow<'t, str>) -> Words<'t> {
        match text {
            Cow::Borrowed(text) => Words::Lent(text),
            Cow::Owned(text) => {
                self.kept.push(text);
                Words::Kept(self.kept.len() as u32 - 1)
            }
        }
    }

    #[cold]
    fn push_odd(&mut self, key: Key, text: &str) {
        let is_control = |c: char| c.is_control() && c != '\n' && c != '\t';
        let text = text.replace(is_control, "");
        self.has_lines |= text.contains('\n');
        let words = self.words(text.into());
        self.push(key, What::Text(words));
    }

    /// Begins a list or an object, whose values are added next.
    #[inline]
    pub(crate) fn begin(&mut self, key: Key, what: What<'t>) {
        let at = self.push(key, what);
        // As long as it has no end, the place of the one around it stands there.
        self.items[at as usize].end = std::mem::replace(&mut self.open, at);
    }

    /// Ends what began last; tells its place.
    #[inline]
    pub(crate) fn close(&mut self) -> u32 {
        let (at, end) = (self.open, self.end());
        let item = &mut self.items[at as usize];
        self.open = std::mem::replace(&mut item.end, end);
        if item.key == Key::Children {
            // As long as that one has no shape, the place of its children stands there.
            self.items[self.open as usize].shape = at;
        }
        at
    }

    /// The keys of the members of what began last.
    pub(super) fn keys(&self) -> u64 {
        let (mut keys, mut member) = (0, self.open + 1);
        while member < self.end() {
            let item = &self.items[member as usize];
            keys |= item.key.bit();
            member = item.end;
        }
        keys
    }

    /// Where the next value will be.
    fn end(&self) -> u32 {
        self.items.len() as u32
    }

    pub(super) fn len(&self) -> usize {
        self.items.len()
    }

    pub(super) fn root(&self) -> Option<Node<'_>> {
        self.items.first().map(|item| Node { tree: self, item })
    }

    pub(super) fn asking(&self) -> impl Iterator<Item = Node<'_>> {
        self.asking.iter().map(|at| Node { tree: self, item: &self.items[*at as usize] })
    }
}

impl<'a> Node<'a> {
    pub(super) fn shape(self) -> &'a Shape {
        &self.tree.shapes[self.item.shape as usize]
    }

    /// How it reads, if it is a component.
    pub(super) fn fold(self) -> Option<&'static Fold> {
        self.kind().component().map(|component| &component.fold)
    }

    /// Whether it is a component of this type.
    pub(super) fn is(self, kind: Kind) -> bool {
        self.item.kind == kind
    }

    pub(super) fn kind(self) -> Kind {
        self.item.kind
    }

    pub(super) fn children(self) -> impl Iterator<Item = Node<'a>> {
        self.siblings(self.shape().children.clone())
    }

    /// The values in a list.
    pub(super) fn list(self) -> impl Iterator<Item = Node<'a>> {
        self.siblings(self.item.at + 1..if self.is_list() { self.item.end } else { 0 })
    }

    /// The values that stand side by side in a range of the list.
    pub(super) fn siblings(self, mut range: Range<u32>) -> impl Iterator<Item = Node<'a>> {
        std::iter::from_fn(move || {
            let at = range.start;
            if at >= range.end {
                return None;
            }
            let item = &self.tree.items[at as usize];
            range.start = item.end;
            Some(Node { tree: self.tree, item })
        })
    }

    /// A member; of several of that name the last.
    pub(super) fn get(self, key: Key) -> Option<Node<'a>> {
        match self.item.what {
            What::Component(keys) if keys & key.bit() == 0 => return None,
            What::Component(_) | What::Object => {}
            _ => return None,
        }
        let members = self.siblings(self.item.at + 1..self.item.end);
        members.filter(|member| member.item.key == key).last()
    }

    /// A value in a row of data, by its name.
    pub(super) fn column(self, name: &str) -> Option<Node<'a>> {
        let end = if matches!(self.item.what, What::Row) { self.item.end } else { 0 };
        let mut members = self.siblings(self.item.at + 1..end);
        let pairs = std::iter::from_fn(|| Some((members.next()?, members.next()?)));
        pairs.filter(|(key, _)| key.scalar() == name).last().map(|(_, value)| value)
    }

    /// The text of a member, unless there is none worth presentation.
    pub(super) fn text(self, key: Key) -> Option<&'a str> {
        let text = self.get(key)?.scalar();
        text.contains(|c: char| !c.is_whitespace()).then_some(text)
    }

    /// What a component says, if it is words.
    pub(super) fn own_text(self) -> Option<&'a str> {
        self.text(self.kind().words())
    }

    /// The same of a member's member.
    pub(super) fn inner_text(self, key: Key, inner: Key) -> Option<&'a str> {
        self.get(key)?.text(inner)
    }

    fn words(self, words: Words<'a>) -> &'a str {
        match words {
            Words::Lent(text) => text,
            Words::Kept(at) => &self.tree.kept[at as usize],
        }
    }

    pub(super) fn scalar(self) -> &'a str {
        match self.item.what {
            What::Text(words) | What::Whole(words) | What::Number(words) => self.words(words),
            What::Bool(true) => "true",
            What::Bool(false) => "false",
            _ => "",
        }
    }

    /// Whether a member is that text.
    pub(super) fn says(self, key: Key, text: &str) -> bool {
        let member = self.get(key).map(|member| member.item.what);
        matches!(member, Some(What::Text(words)) if self.words(words) == text)
    }

    /// Whether a member is a text of several lines.
    pub(super) fn has_lines(self, key: Key) -> bool {
        let member = || self.get(key).map(|member| member.item.what);
        let is_lines = |words| self.words(words).trim().contains('\n');
        self.tree.has_lines
            && matches!(member(), Some(What::Text(words @ Words::Kept(_))) if is_lines(words))
    }

    /// Whether a member is true.
    pub(super) fn flag(self, key: Key) -> bool {
        self.get(key).is_some_and(|member| matches!(member.item.what, What::Bool(true)))
    }

    /// Whether a member is an object.
    pub(super) fn has_object(self, key: Key) -> bool {
        self.get(key).is_some_and(|member| matches!(member.item.what, What::Object))
    }

    pub(super) fn is_number(self) -> bool {
        matches!(self.item.what, What::Whole(_) | What::Number(_))
    }

    pub(super) fn is_list(self) -> bool {
        matches!(self.item.what, What::List)
    }

    /// A whole number that is not negative.
    pub(super) fn count(self) -> Option<u64> {
        match self.item.what {
            What::Whole(words) => self.words(words).parse().ok(),
            _ => None,
        }
    }
}
