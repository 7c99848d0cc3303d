//! Reads a compact tree from JSON text in one pass, skipping what no reader needs.
//!
//! The text has been checked before, so text that is not JSON gives an empty tree and no error.
//!
//! Rejected: `serde_json::Value`, which costs ten times what rendering does, and a visitor of
//! serde's, which has to parse what is skipped here.

use std::borrow::Cow;

use super::builder::{ComponentEnd, TreeBuilder};
use super::name::Key;
use super::tree::{CompactTree, NodeValue};
use crate::tree::component::ComponentType;

impl<'t> CompactTree<'t> {
    /// Reads a checked tree from JSON text; text that is not JSON gives an empty tree.
    pub fn read(json: &'t str) -> Self {
        let mut reader =
            Reader { text: json, at: 0, tree: TreeBuilder::with_capacity(json.len() / 16) };
        let is_json = reader.value(Key::Other, Role::Component).is_some();
        reader.space();
        let is_whole = is_json && reader.at == json.len();
        if is_whole { reader.tree.finish() } else { CompactTree::default() }
    }
}

/// What a value is for, which decides how much of it is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
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
    tree: TreeBuilder<'t>,
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

    fn value(&mut self, key: Key, role: Role) -> Option<()> {
        self.space();
        let value = match self.peek()? {
            b'"' => {
                let text = self.string()?;
                self.tree.push_text(key, text);
                return Some(());
            }
            b'{' if role == Role::Prop => return self.object(key),
            b'{' if role == Role::Data => return self.row(key),
            b'{' => return self.component(key),
            b'[' => return self.list(key, role),
            b'-' | b'0'..=b'9' => {
                let word = self.word();
                return self.tree.push_number(key, word);
            }
            _ => match self.word() {
                "true" => NodeValue::Bool(true),
                "false" => NodeValue::Bool(false),
                "null" => NodeValue::Null,
                _ => return None,
            },
        };
        self.tree.push(key, value);
        Some(())
    }

    #[inline(never)]
    fn list(&mut self, key: Key, role: Role) -> Option<()> {
        let inside = if role == Role::Children { Role::Component } else { role };
        self.tree.begin(key, NodeValue::List);
        self.each(b']', |reader| reader.value(Key::Other, inside))?;
        self.tree.end();
        Some(())
    }

    #[inline(never)]
    fn row(&mut self, key: Key) -> Option<()> {
        self.tree.begin(key, NodeValue::Row);
        self.each(b'}', |reader| {
            reader.space();
            let name = reader.string()?;
            let name = reader.tree.text(name);
            reader.tree.push(Key::Other, NodeValue::Text(name));
            reader.colon()?;
            reader.value(Key::Other, Role::Data)
        })?;
        self.tree.end();
        Some(())
    }

    #[inline(never)]
    fn object(&mut self, key: Key) -> Option<()> {
        let start = self.at;
        self.tree.begin(key, NodeValue::Object(""));
        self.each(b'}', |reader| match reader.key()? {
            Key::Other | Key::Children | Key::Data => reader.skip(),
            // The labels of an axis have any name, as the data has.
            key @ Key::Labels => reader.value(key, Role::Data),
            key => reader.value(key, Role::Prop),
        })?;
        self.tree.end_object(&self.text[start..self.at]);
        Some(())
    }

    #[inline(never)]
    fn component(&mut self, key: Key) -> Option<()> {
        self.tree.begin(key, NodeValue::Object(""));
        let mut kind = ComponentType::Other;
        let mut keys = 0;
        self.each(b'}', |reader| match reader.key()? {
            Key::Other => reader.skip(),
            Key::Type => {
                kind = reader.kind()?;
                Some(())
            }
            key => {
                keys |= key.bit();
                let role = match key {
                    Key::Children => Role::Children,
                    Key::Data => Role::Data,
                    _ => Role::Prop,
                };
                reader.value(key, role)
            }
        })?;
        self.tree.end_component(&ComponentEnd::new(kind, keys));
        Some(())
    }

    /// The type of a component; `Other` if it is not a text.
    fn kind(&mut self) -> Option<ComponentType> {
        self.space();
        if self.peek()? != b'"' {
            self.skip()?;
            return Some(ComponentType::Other);
        }
        if let Some((name, length)) = self.short() {
            self.at += length + 2;
            return Some(ComponentType::of_word(name));
        }
        Some(match self.plain() {
            Some(name) => ComponentType::of(name),
            None => ComponentType::of(&self.escaped()?),
        })
    }

    /// Calls `f` at each item or member, and consumes both brackets.
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

    /// The key of a member; consumes its colon.
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

    /// A string of at most seven bytes without escapes, as one word, and its length; consumes nothing.
    /// Most names are so short, and a word is compared in one instruction.
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

    /// A string, borrowed if it has no escapes.
    #[inline]
    fn string(&mut self) -> Option<Cow<'t, str>> {
        match self.plain() {
            Some(text) => Some(Cow::Borrowed(text)),
            None => self.escaped().map(Cow::Owned),
        }
    }

    /// A string without escapes; consumes nothing if there is none.
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

    /// Consumes a string.
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

    /// A number, or a word such as `true`.
    fn word(&mut self) -> &'t str {
        let rest = &self.text[self.at..];
        let is_end = |byte: u8| matches!(byte, b',' | b'}' | b']' | b' ' | b'\n' | b'\r' | b'\t');
        let length = rest.bytes().position(is_end).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// Consumes a value.
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

/// The offset of the next quote or backslash. Eight bytes are tested at a time.
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

/// The index of the first quote or backslash among eight bytes.
#[inline]
fn first_end(word: u64) -> Option<usize> {
    const ONES: u64 = u64::MAX / 0xff;
    const TOPS: u64 = ONES << 7;
    // Marks zero bytes. Bytes above the lowest zero may be marked in error, so only that one counts.
    let zeros = |word: u64| word.wrapping_sub(ONES) & !word & TOPS;
    let found = zeros(word ^ (ONES * u64::from(b'"'))) | zeros(word ^ (ONES * u64::from(b'\\')));
    (found != 0).then(|| found.trailing_zeros() as usize / 8)
}
