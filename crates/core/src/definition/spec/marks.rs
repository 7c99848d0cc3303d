//! The positions of the nodes of a YAML or JSON text, by JSON pointer. Values are parsed by `yaml`; this is
//! only used to show or edit the file.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use granit_parser::{Event, Parser, ScalarStyle, StructureStyle};
use serde_json::value::RawValue;
use widgetcast_engine::json::locate;

use super::raw::is_json;
use super::scalar::Scalar;

/// The nodes of a YAML text; the first is the root.
#[derive(Debug, Default)]
pub(super) struct Marks(Vec<Node>);

#[derive(Debug)]
struct Node {
    key: Option<Range<usize>>,
    range: Range<usize>,
    /// Whether it starts on the line after its key, or may do so.
    is_block: bool,
    content: Content,
}

#[derive(Debug)]
enum Content {
    Scalar(ScalarStyle, Box<str>),
    List(Vec<usize>),
    Map(Vec<(Box<str>, usize)>),
    /// The node with the anchor.
    Alias(Option<usize>),
}

impl Marks {
    /// Reads a text; of YAML with a fault, what precedes it.
    pub(super) fn read(source: &str) -> Self {
        if is_json(source) {
            let mut marks = Marks::default();
            if let Ok(root) = serde_json::from_str(source) {
                marks.add_json(source, root, None);
            }
            return marks;
        }
        let mut reader = Reader::default();
        for next in Parser::new_from_str(source) {
            let Ok((event, span)) = next else { break };
            if reader.take(event, span.byte_range().unwrap_or_default()).is_none() {
                break;
            }
        }
        reader.marks
    }

    /// Adds a value of a JSON text with all its descendants; returns its index. serde_json limits the depth.
    fn add_json(&mut self, source: &str, raw: &RawValue, key: Option<Range<usize>>) -> usize {
        let json = raw.get();
        let start = json.as_ptr() as usize - source.as_ptr() as usize;
        let index = self.0.len();
        let content = Content::Alias(None);
        self.0.push(Node { key, range: start..start + json.len(), is_block: false, content });
        self.0[index].content = match json.as_bytes().first() {
            Some(b'{') => {
                let members: HashMap<Cow<'_, str>, &RawValue> =
                    serde_json::from_str(json).unwrap_or_default();
                let add = |(name, raw): (Cow<'_, str>, &RawValue)| {
                    let value = raw.get().as_ptr() as usize - source.as_ptr() as usize;
                    let key = locate::json_key(source, value);
                    (name.into(), self.add_json(source, raw, key))
                };
                Content::Map(members.into_iter().map(add).collect())
            }
            Some(b'[') => {
                let items: Vec<&RawValue> = serde_json::from_str(json).unwrap_or_default();
                Content::List(
                    items.into_iter().map(|raw| self.add_json(source, raw, None)).collect(),
                )
            }
            Some(b'"') => {
                let text: String = serde_json::from_str(json).unwrap_or_default();
                Content::Scalar(ScalarStyle::DoubleQuoted, text.into())
            }
            _ => Content::Scalar(ScalarStyle::Plain, json.into()),
        };
        index
    }

    /// The bytes to mark for the value at a pointer, or for the closest ancestor.
    pub(super) fn range(&self, pointer: &str) -> Range<usize> {
        let Some((index, _)) = self.find(pointer) else { return 0..1 };
        let node = &self.0[index];
        match &node.key {
            Some(key) if node.is_block || node.range.is_empty() => key.clone(),
            _ => node.range.clone(),
        }
    }

    /// The key of the member at a pointer.
    pub(super) fn key(&self, pointer: &str) -> Option<Range<usize>> {
        let (index, _) = self.find(pointer).filter(|(_, is_exact)| *is_exact)?;
        self.0[index].key.clone()
    }

    /// The raw scalar at a pointer.
    pub(super) fn scalar(&self, pointer: &str) -> Option<Scalar<'_>> {
        let (index, _) = self.find(pointer).filter(|(_, is_exact)| *is_exact)?;
        let node = &self.0[index];
        match &node.content {
            Content::Scalar(style, text) => {
                Some(Scalar { style: *style, text, range: node.range.clone() })
            }
            _ => None,
        }
    }

    /// Members whose value was parsed as a comment: the bytes of `#ff0000` in `color: #ff0000`.
    pub(super) fn lost_values(&self, source: &str) -> Vec<Range<usize>> {
        let lost = |node: &Node| {
            let key = node.key.as_ref().filter(|_| node.range.is_empty())?;
            let rest = source.get(key.end..)?.strip_prefix(':')?;
            let value = rest.trim_start_matches([' ', '\t']);
            let start = source.len() - value.len();
            let word = value.split(char::is_whitespace).next()?;
            let is_value = word.strip_prefix('#')?.starts_with(char::is_alphanumeric);
            is_value.then(|| start..start + word.len())
        };
        self.0.iter().filter_map(lost).collect()
    }

    /// The node at a pointer, or its closest ancestor, and whether it is the former.
    fn find(&self, pointer: &str) -> Option<(usize, bool)> {
        let mut index = 0;
        self.0.first()?;
        for token in pointer.split('/').skip(1) {
            match self.child(index, &locate::unescaped(token)) {
                Some(child) => index = child,
                None => return Some((index, false)),
            }
        }
        Some((index, true))
    }

    fn child(&self, index: usize, token: &str) -> Option<usize> {
        match &self.0[index].content {
            Content::Map(members) => {
                members.iter().find(|(key, _)| **key == *token).map(|(_, child)| *child)
            }
            Content::List(items) => items.get(token.parse::<usize>().ok()?).copied(),
            // An anchor precedes its aliases, so this ends.
            Content::Alias(Some(target)) if *target < index => self.child(*target, token),
            Content::Alias(_) | Content::Scalar(..) => None,
        }
    }
}

#[derive(Default)]
struct Reader {
    marks: Marks,
    /// The open collections.
    open: Vec<usize>,
    /// The key of the next value.
    key: Option<(Box<str>, Range<usize>)>,
    anchors: HashMap<usize, usize>,
}

impl Reader {
    /// Handles the next event; `None` if a key is not a string, which no definition has.
    fn take(&mut self, event: Event<'_>, range: Range<usize>) -> Option<()> {
        match event {
            Event::Scalar(text, _, _, _) if self.needs_key() => {
                self.key = Some((text.into(), range));
            }
            Event::Scalar(text, style, anchor, _) => {
                let is_block = matches!(style, ScalarStyle::Literal | ScalarStyle::Folded);
                self.add(Content::Scalar(style, text.into()), is_block, range, anchor);
            }
            Event::Alias(_) | Event::SequenceStart(..) | Event::MappingStart(..)
                if self.needs_key() =>
            {
                return None;
            }
            Event::SequenceStart(style, anchor, _) => {
                let is_block = style == StructureStyle::Block;
                let index = self.add(Content::List(Vec::new()), is_block, range, anchor);
                self.open.push(index);
            }
            Event::MappingStart(style, anchor, _) => {
                let is_block = style == StructureStyle::Block;
                let index = self.add(Content::Map(Vec::new()), is_block, range, anchor);
                self.open.push(index);
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let index = self.open.pop()?;
                self.marks.0[index].range.end = range.end;
            }
            Event::Alias(anchor) => {
                let target = self.anchors.get(&anchor).copied();
                self.add(Content::Alias(target), false, range, 0);
            }
            _ => {}
        }
        Some(())
    }

    fn needs_key(&self) -> bool {
        let open = self.open.last().map(|index| &self.marks.0[*index].content);
        matches!(open, Some(Content::Map(_))) && self.key.is_none()
    }

    fn add(
        &mut self,
        content: Content,
        is_block: bool,
        range: Range<usize>,
        anchor: usize,
    ) -> usize {
        let nodes = &mut self.marks.0;
        let index = nodes.len();
        let mut key = None;
        if let Some(parent) = self.open.last() {
            match (&mut nodes[*parent].content, self.key.take()) {
                (Content::Map(members), Some((name, range))) => {
                    members.push((name, index));
                    key = Some(range);
                }
                (Content::List(items), _) => items.push(index),
                _ => {}
            }
        }
        nodes.push(Node { key, range, is_block, content });
        if anchor != 0 {
            self.anchors.insert(anchor, index);
        }
        index
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "# é\nname: 'a'\ntemplate: |\n  x\nmap:\n  k: [1, {a/b: 2}]\n  l:\n    - n: &z {deep: 1}\n    - *z\n  e:\n";

    #[test]
    fn nodes_are_found_by_pointer() {
        let marks = Marks::read(SOURCE);
        for (pointer, expected) in [
            ("/name", "'a'"),
            ("/template", "template"),
            ("/map", "map"),
            ("/map/k", "[1, {a/b: 2}]"),
            ("/map/k/1/a~1b", "2"),
            ("/map/l/0", "n: &z {deep: 1}\n    "),
            ("/map/l/1", "*z"),
            // An alias is shown at its anchor.
            ("/map/l/1/deep", "1"),
            ("/map/e", "e"),
            // The closest existing ancestor.
            ("/map/k/7", "[1, {a/b: 2}]"),
            ("/map/nothing/at/all", "map"),
        ] {
            assert_eq!(&SOURCE[marks.range(pointer)], expected, "{pointer}");
        }
        assert_eq!(marks.key("/map/k").map(|range| &SOURCE[range]), Some("k"));
        assert_eq!(marks.key("/map/nothing"), None);
        assert_eq!(Marks::read("").range("/a"), 0..1);
        assert_eq!(Marks::read("a: 1\nb: [\n").range("/a"), 3..4, "what stands before a fault");
    }
}
