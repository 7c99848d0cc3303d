//! The positions and values of the fields, in a definition in YAML or with a tree, and in a sidecar.

use std::ops::Range;

use widgetcast_engine::template::Edit;

use super::marks::Marks;
use super::scalar::Scalar;
use super::tree_template::{Part, Piece};
use super::yaml;

#[derive(Debug)]
pub(crate) struct Layout {
    marks: Marks,
    /// The source of each part of a generated template; empty if the author wrote it.
    pieces: Vec<Piece>,
}

impl Layout {
    pub(super) fn read(source: &str) -> Self {
        let marks = Marks::read(source);
        let is_template = marks.key("/template").is_some();
        Self { marks, pieces: if is_template { Vec::new() } else { yaml::pieces(source) } }
    }

    /// Reads a sidecar, which consists of a tree.
    pub(crate) fn of_sidecar(source: &str) -> Self {
        Self { marks: Marks::read(source), pieces: yaml::sidecar_pieces(source) }
    }

    /// Whether the template was generated from a tree.
    pub(super) fn is_tree(&self) -> bool {
        !self.pieces.is_empty()
    }

    /// The bytes to mark for the value at a pointer, or for the closest ancestor.
    pub(crate) fn range(&self, pointer: &str) -> Range<usize> {
        let is_generated = pointer == "/template" && self.is_tree();
        self.marks.range(if is_generated { "/widget" } else { pointer })
    }

    /// Values that were parsed as comments, because of a `#`.
    pub(super) fn lost_values(&self, source: &str) -> Vec<Range<usize>> {
        self.marks.lost_values(source)
    }

    /// The key of the member at a pointer.
    pub(super) fn key(&self, pointer: &str) -> Option<Range<usize>> {
        self.marks.key(pointer)
    }

    /// The bytes of a range of a text field, or of the whole field or node.
    pub(crate) fn range_in(&self, source: &str, field: &str, range: &Range<usize>) -> Range<usize> {
        if let Some((_, range)) = self.find(source, field, range) {
            return range;
        }
        let around = self.pieces.iter().filter(|piece| piece.range.contains(&range.start));
        match around.min_by_key(|piece| piece.range.len()) {
            Some(Piece { pointer, part: Part::Key, .. }) => {
                self.key(pointer).unwrap_or_else(|| self.range(pointer))
            }
            Some(piece) => self.range(&piece.pointer),
            None => self.range(&format!("/{field}")),
        }
    }

    /// The edit of the file for an edit of a text field; `None` if it is not possible.
    pub(super) fn edit(&self, source: &str, field: &str, edit: &Edit) -> Option<Edit> {
        let Some((scalar, range)) = self.find(source, field, &edit.range) else {
            return self.rename(edit).filter(|_| field == "template");
        };
        Some(Edit { range, text: scalar.encoded(source, &edit.text)? })
    }

    /// The edit of a tree that renames a key, or replaces a value that is a name.
    fn rename(&self, edit: &Edit) -> Option<Edit> {
        let name = edit.text.strip_prefix('"')?.strip_suffix('"')?;
        let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'.');
        let range = self.pieces.iter().filter(|_| is_plain).find_map(|piece| {
            let Piece { range, pointer, part } = piece;
            match part {
                // A key is written with its colon.
                Part::Key if *range == (edit.range.start..edit.range.end + 1) => self.key(pointer),
                Part::Value if *range == edit.range => {
                    self.marks.scalar(pointer).map(|scalar| scalar.range)
                }
                _ => None,
            }
        })?;
        Some(Edit { range, text: name.to_owned() })
    }

    /// The scalar that contains a range of a text field, and the bytes of that range.
    fn find(
        &self,
        source: &str,
        field: &str,
        range: &Range<usize>,
    ) -> Option<(Scalar<'_>, Range<usize>)> {
        if !self.is_tree() || field != "template" {
            let scalar = self.marks.scalar(&format!("/{field}"))?;
            let found = scalar.range_in(source, range)?;
            return Some((scalar, found));
        }
        self.pieces.iter().find_map(|piece| {
            let Part::Text(from) = piece.part else { return None };
            if range.start < piece.range.start || range.end > piece.range.end {
                return None;
            }
            let scalar = self.marks.scalar(&piece.pointer)?;
            let within = |at: usize| from + at - piece.range.start;
            let found = scalar.range_in(source, &(within(range.start)..within(range.end)))?;
            Some((scalar, found))
        })
    }
}
