//! A tree as the fold reads it: one pass over the JSON text, into one list.
//!
//! The values stand in the order of the text, and each knows where its descendants end; so a tree
//! of any size is one allocation, its texts are slices of the JSON, and what the fold never asks
//! for is skipped. The text has been checked before: what is not JSON gives no tree, and no reason.
//!
//! Not taken: `serde_json::Value`, which costs ten times what rendering does, and a visitor of
//! serde's, which has to parse what is skipped here.

use std::borrow::Cow;
use std::ops::Range;

use serde_json::Number;

use super::name::{Key, Kind};
use super::shape::Shape;
use crate::tree::component::{Component, Fold};
use crate::tree::number_text;

/// The values of a tree; the first one is the root.
#[derive(Default)]
pub(super) struct Tree<'t> {
    items: Vec<Item<'t>>,
    /// The first is that of everything without children.
    shapes: Vec<Shape>,
    /// The form fields, and the labels that may speak of one.
    asking: Vec<usize>,
}

struct Item<'t> {
    what: What<'t>,
    /// Its place in the list.
    at: usize,
    /// The place after its last descendant.
    end: usize,
    /// What it is of the object that it is in.
    key: Key,
    /// What it is itself, if it is a component.
    kind: Kind,
    /// Where its shape is.
    shape: usize,
}

enum What<'t> {
    Null,
    Bool(bool),
    /// A number that reads as it is written.
    Whole(&'t str),
    Number(String),
    /// Without control characters: it may be printed by a terminal as it is.
    Text(Cow<'t, str>),
    /// A list, whose items follow.
    List,
    /// An object in a prop, whose members follow.
    Object,
    /// A component, whose members follow; with the set of their keys.
    Component(u64),
    /// A row of a chart's data: names and values follow in turn.
    Row,
}

/// A value and the tree it is part of.
#[derive(Clone, Copy)]
pub(super) struct Node<'a> {
    tree: &'a Tree<'a>,
    item: &'a Item<'a>,
}

impl<'t> Tree<'t> {
    /// Reads a tree; an empty one, if the text is not JSON.
    pub(super) fn read(text: &'t str) -> Self {
        let mut tree = Self {
            items: Vec::with_capacity(text.len() / 16 + 8),
            shapes: Vec::with_capacity(text.len() / 96 + 4),
            asking: Vec::new(),
        };
        tree.shapes.push(Shape::default());
        let mut reader = Reader { text, at: 0, tree };
        let is_whole = reader.value(Key::Other, Place::Component).is_some();
        reader.space();
        if is_whole && reader.at == text.len() { reader.tree } else { Self::default() }
    }

    pub(super) fn root(&self) -> Option<Node<'_>> {
        self.items.first().map(|item| Node { tree: self, item })
    }

    pub(super) fn asking(&self) -> impl Iterator<Item = Node<'_>> {
        self.asking.iter().map(|at| Node { tree: self, item: &self.items[*at] })
    }
}

impl<'a> Node<'a> {
    pub(super) fn shape(self) -> &'a Shape {
        &self.tree.shapes[self.item.shape]
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
    pub(super) fn siblings(self, mut range: Range<usize>) -> impl Iterator<Item = Node<'a>> {
        std::iter::from_fn(move || {
            let at = range.start;
            if at >= range.end {
                return None;
            }
            let item = &self.tree.items[at];
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

    /// The text of a member, unless there is none worth showing.
    pub(super) fn text(self, key: Key) -> Option<&'a str> {
        let text = self.get(key)?.scalar();
        text.contains(|c: char| !c.is_whitespace()).then_some(text)
    }

    /// The same of a member's member.
    pub(super) fn inner_text(self, key: Key, inner: Key) -> Option<&'a str> {
        self.get(key)?.text(inner)
    }

    pub(super) fn scalar(self) -> &'a str {
        match &self.item.what {
            What::Text(text) => text,
            What::Whole(number) => number,
            What::Number(number) => number,
            What::Bool(true) => "true",
            What::Bool(false) => "false",
            _ => "",
        }
    }

    /// Whether a member is that text.
    pub(super) fn says(self, key: Key, text: &str) -> bool {
        let member = self.get(key).map(|member| &member.item.what);
        matches!(member, Some(What::Text(said)) if said == text)
    }

    /// Whether a member is a text of several lines.
    pub(super) fn has_lines(self, key: Key) -> bool {
        // Only an escaped text can hold a line break.
        let member = self.get(key).map(|member| &member.item.what);
        matches!(member, Some(What::Text(Cow::Owned(text))) if text.trim().contains('\n'))
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
            What::Whole(number) => number.parse().ok(),
            _ => None,
        }
    }
}

/// Where a value stands, which says how much of it is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// As a component.
    Component,
    /// As the children of one.
    Children,
    /// In a prop.
    Prop,
    /// In the data of a chart, whose members have any name.
    Data,
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    tree: Tree<'t>,
}

impl<'t> Reader<'t> {
    #[inline]
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    #[inline]
    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
    }

    /// The next byte that is no white space, consumed.
    #[inline]
    fn next(&mut self) -> Option<u8> {
        self.space();
        let byte = self.peek();
        self.at += 1;
        byte
    }

    #[inline]
    fn push(&mut self, key: Key, what: What<'t>) -> usize {
        let at = self.tree.items.len();
        self.tree.items.push(Item { what, at, end: at + 1, key, kind: Kind::Other, shape: 0 });
        at
    }

    fn value(&mut self, key: Key, place: Place) -> Option<()> {
        self.space();
        let what = match self.peek()? {
            b'"' => What::Text(clean(self.string()?)),
            b'{' if place == Place::Prop => return self.object(key),
            b'{' if place == Place::Data => return self.row(key),
            b'{' => return self.component(key),
            b'[' => return self.list(key, place),
            b'-' | b'0'..=b'9' => number(self.word())?,
            _ => match self.word() {
                "true" => What::Bool(true),
                "false" => What::Bool(false),
                "null" => What::Null,
                _ => return None,
            },
        };
        self.push(key, what);
        Some(())
    }

    #[inline(never)]
    fn list(&mut self, key: Key, place: Place) -> Option<()> {
        let inside = if place == Place::Children { Place::Component } else { place };
        let at = self.push(key, What::List);
        self.each(b']', |reader| reader.value(Key::Other, inside))?;
        self.tree.items[at].end = self.tree.items.len();
        Some(())
    }

    #[inline(never)]
    fn row(&mut self, key: Key) -> Option<()> {
        let at = self.push(key, What::Row);
        self.each(b'}', |reader| {
            reader.space();
            let name = reader.string()?;
            reader.push(Key::Other, What::Text(name));
            reader.colon()?;
            reader.value(Key::Other, Place::Data)
        })?;
        self.tree.items[at].end = self.tree.items.len();
        Some(())
    }

    #[inline(never)]
    fn object(&mut self, key: Key) -> Option<()> {
        let at = self.push(key, What::Object);
        self.each(b'}', |reader| match reader.key()? {
            Key::Other | Key::Type | Key::Children | Key::Data => reader.skip(),
            key => reader.value(key, Place::Prop),
        })?;
        self.tree.items[at].end = self.tree.items.len();
        Some(())
    }

    #[inline(never)]
    fn component(&mut self, key: Key) -> Option<()> {
        let at = self.push(key, What::Object);
        let (mut kind, mut keys, mut children) = (Kind::Other, 0, 0..0);
        self.each(b'}', |reader| {
            let key = reader.key()?;
            keys |= key.bit();
            match key {
                Key::Other => reader.skip(),
                Key::Type => {
                    reader.space();
                    if reader.peek()? != b'"' {
                        kind = Kind::Other;
                        return reader.skip();
                    }
                    if let Some((name, length)) = reader.short() {
                        reader.at += length + 2;
                        kind = Kind::of_word(name);
                        return Some(());
                    }
                    kind = match reader.plain() {
                        Some(name) => Kind::of(name),
                        None => Kind::of(&reader.escaped()?),
                    };
                    Some(())
                }
                Key::Children => {
                    let list = reader.tree.items.len();
                    reader.value(key, Place::Children)?;
                    let item = &reader.tree.items[list];
                    children = match item.what {
                        What::List => list + 1..item.end,
                        What::Component(_) => list..item.end,
                        _ => 0..0,
                    };
                    Some(())
                }
                Key::Data => reader.value(key, Place::Data),
                key => reader.value(key, Place::Prop),
            }
        })?;
        let end = self.tree.items.len();
        let item = &mut self.tree.items[at];
        (item.end, item.kind, item.what) = (end, kind, What::Component(keys));
        let is_field = matches!(kind.component(), Some(Component { fold: Fold::Field, .. }));
        if is_field || kind == Kind::Label || keys & Key::Editable.bit() != 0 {
            self.tree.asking.push(at);
        }
        if !children.is_empty() || kind == Kind::Title {
            item.shape = self.tree.shapes.len();
            let node = Node { tree: &self.tree, item: &self.tree.items[at] };
            let shape = Shape::of(node, children);
            self.tree.shapes.push(shape);
        }
        Some(())
    }

    /// Calls `f` at each item or member up to the closing bracket, and goes behind it.
    #[inline]
    fn each(&mut self, close: u8, mut f: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.at += 1;
        self.space();
        if self.peek()? == close {
            self.at += 1;
            return Some(());
        }
        loop {
            f(self)?;
            match self.next()? {
                b',' => {}
                byte if byte == close => return Some(()),
                _ => return None,
            }
        }
    }

    /// The name of a member; goes behind its colon.
    #[inline]
    fn key(&mut self) -> Option<Key> {
        if let Some((name, length)) = self.short()
            && self.text.as_bytes().get(self.at + length + 2) == Some(&b':')
        {
            self.at += length + 3;
            return Some(Key::of_word(name));
        }
        self.other_key()
    }

    /// A string of at most seven bytes that begins right here, as one word, and its length: most
    /// names are so short, and then they are compared all at once.
    #[inline]
    fn short(&self) -> Option<(u64, usize)> {
        let bytes: &[u8; 9] = self.text.as_bytes().get(self.at..)?.first_chunk()?;
        let word = u64::from_le_bytes(*bytes[1..].first_chunk()?);
        let length = first_end(word)?;
        let is_string = bytes[0] == b'"' && bytes[1 + length] == b'"';
        is_string.then_some((word & !(u64::MAX << (8 * length)), length))
    }

    fn other_key(&mut self) -> Option<Key> {
        self.space();
        let key = match self.plain() {
            Some(name) => Key::of(name),
            None => Key::of(&self.escaped()?),
        };
        self.colon()?;
        Some(key)
    }

    #[inline]
    fn colon(&mut self) -> Option<()> {
        (self.next()? == b':').then_some(())
    }

    /// A string, unescaped only if there is something to unescape.
    #[inline]
    fn string(&mut self) -> Option<Cow<'t, str>> {
        match self.plain() {
            Some(text) => Some(Cow::Borrowed(text)),
            None => self.escaped().map(Cow::Owned),
        }
    }

    /// A string in which nothing is escaped; if there is none, nothing has happened.
    fn plain(&mut self) -> Option<&'t str> {
        let rest = self.text.as_bytes().get(self.at..)?.strip_prefix(b"\"")?;
        let length = string_end(rest)?;
        if rest[length] != b'"' {
            return None;
        }
        let start = self.at + 1;
        self.at = start + length + 1;
        self.text.get(start..start + length)
    }

    #[cold]
    fn escaped(&mut self) -> Option<String> {
        let start = self.at;
        self.skip_string()?;
        serde_json::from_str(self.text.get(start..self.at)?).ok()
    }

    /// Goes behind a string.
    fn skip_string(&mut self) -> Option<()> {
        let bytes = self.text.as_bytes();
        if self.peek()? != b'"' {
            return None;
        }
        self.at += 1;
        loop {
            self.at += string_end(bytes.get(self.at..)?)?;
            if bytes[self.at] == b'"' {
                break;
            }
            self.at += 2;
        }
        self.at += 1;
        Some(())
    }

    /// A number or a name.
    fn word(&mut self) -> &'t str {
        let rest = &self.text[self.at..];
        let is_end = |byte: u8| matches!(byte, b',' | b'}' | b']' | b' ' | b'\n' | b'\r' | b'\t');
        let length = rest.bytes().position(is_end).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// Goes behind a value.
    #[inline]
    fn skip(&mut self) -> Option<()> {
        self.space();
        match self.peek()? {
            b'"' => self.skip_string(),
            b'{' | b'[' => self.skip_group(),
            _ => Some(_ = self.word()),
        }
    }

    #[inline(never)]
    fn skip_group(&mut self) -> Option<()> {
        let mut depth = 0usize;
        loop {
            match self.peek()? {
                b'"' => self.skip_string()?,
                b'{' | b'[' => {
                    depth += 1;
                    self.at += 1;
                }
                b'}' | b']' => {
                    depth -= 1;
                    self.at += 1;
                }
                _ => self.at += 1,
            }
            if depth == 0 {
                return Some(());
            }
        }
    }
}

/// Where the next quote or backslash is. Eight bytes are looked at in one word.
#[inline]
fn string_end(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    while let Some(word) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        if let Some(found) = first_end(u64::from_le_bytes(*word)) {
            return Some(at + found);
        }
        at += 8;
    }
    let is_end = |byte: &u8| matches!(byte, b'"' | b'\\');
    Some(at + bytes[at..].iter().position(is_end)?)
}

/// Which byte of eight is the first quote or backslash.
#[inline]
fn first_end(word: u64) -> Option<usize> {
    const ONES: u64 = u64::MAX / 0xff;
    const TOPS: u64 = ONES << 7;
    // The lowest byte that is marked is a zero; those above it may be marked in error.
    let zeros = |word: u64| word.wrapping_sub(ONES) & !word & TOPS;
    let found = zeros(word ^ (ONES * u64::from(b'"'))) | zeros(word ^ (ONES * u64::from(b'\\')));
    (found != 0).then(|| found.trailing_zeros() as usize / 8)
}

fn number(word: &str) -> Option<What<'_>> {
    // `-0` is a float, and reads as `0`.
    if word.parse::<u64>().is_ok() || (word != "-0" && word.parse::<i64>().is_ok()) {
        return Some(What::Whole(word));
    }
    serde_json::from_str::<Number>(word).ok().map(|number| What::Number(number_text(&number)))
}

/// Drops control characters.
fn clean(text: Cow<'_, str>) -> Cow<'_, str> {
    let is_unsafe = |c: char| c.is_control() && c != '\n' && c != '\t';
    // In what was not escaped there are only DEL and those of two bytes, which begin with `c2`.
    // All bytes are looked at without stopping: that is done several at a time.
    let may_be = matches!(text, Cow::Owned(_))
        || text.bytes().fold(false, |found, byte| found | (byte == 0x7f) | (byte == 0xc2));
    if may_be && text.contains(is_unsafe) { text.replace(is_unsafe, "").into() } else { text }
}
