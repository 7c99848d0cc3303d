//! Edits of a template: replacements, and the mapping of offsets.

use std::ops::Range;

/// A replacement of a range of the template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The replaced range.
    pub range: Range<usize>,
    /// The replacement.
    pub text: String,
}

/// Applies edits to a text. They may come in any order, but must not overlap.
pub fn apply<'e>(text: &str, edits: impl Iterator<Item = &'e Edit>) -> String {
    let mut edits: Vec<&Edit> = edits.collect();
    edits.sort_by_key(|edit| edit.range.start);
    let mut out = String::with_capacity(text.len() + 64);
    let mut end = 0;
    for edit in edits.into_iter().filter(|edit| edit.range.end <= text.len()) {
        if edit.range.start >= end {
            out.push_str(&text[end..edit.range.start]);
            out.push_str(&edit.text);
            end = edit.range.end;
        }
    }
    out.push_str(&text[end..]);
    out
}

/// The offset in the original text, for an offset of the edited text.
pub(super) fn before<'e>(edits: impl Iterator<Item = &'e Edit>, offset: usize) -> usize {
    let mut edits: Vec<&Edit> = edits.collect();
    edits.sort_by_key(|edit| edit.range.start);
    let mut shift = 0isize;
    for edit in edits {
        let start = edit.range.start.saturating_add_signed(shift);
        if offset < start {
            break;
        }
        if offset < start + edit.text.len() {
            return edit.range.start;
        }
        shift += edit.text.len() as isize - edit.range.len() as isize;
    }
    offset.saturating_add_signed(-shift)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_offset_is_found_again_before_the_edits() {
        let text = "0123456789";
        let edit = |range: Range<usize>, text: &str| Edit { range, text: text.into() };
        let edits = [edit(6..7, ""), edit(2..4, "abcd")];
        assert_eq!(apply(text, edits.iter()), "01abcd45789");
        for (after, expected) in [(0, 0), (1, 1), (2, 2), (5, 2), (6, 4), (7, 5), (8, 7), (10, 9)] {
            assert_eq!(before(edits.iter(), after), expected, "{after}");
        }
        // Of two overlapping edits, the first in the text is applied; one past the end is ignored.
        let overlapping = [edit(3..6, "x"), edit(2..4, "y"), edit(9..99, "z")];
        assert_eq!(apply(text, overlapping.iter()), "01y456789");
    }
}
