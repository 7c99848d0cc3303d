//! Where a part of a YAML file stands, by its path: as far as its lines and their indentation tell.

use std::ops::Range;

/// What is left of a line, where that begins, and its column.
#[derive(Clone, Copy)]
struct Line<'t> {
    offset: usize,
    column: usize,
    text: &'t str,
}

impl<'t> Line<'t> {
    /// The same without so many bytes.
    fn skip(self, bytes: usize) -> Self {
        let text = &self.text[bytes..];
        let spaces = text.len() - text.trim_start_matches(' ').len();
        let bytes = bytes + spaces;
        Self { offset: self.offset + bytes, column: self.column + bytes, text: &self.text[bytes..] }
    }

    /// The value after a key, if the line has that key.
    fn after_key(self, key: &str) -> Option<Self> {
        let text = self.text;
        let bare = text.strip_prefix(['"', '\'']).unwrap_or(text);
        let rest = bare.strip_prefix(key)?;
        let rest = rest.strip_prefix(['"', '\'']).unwrap_or(rest).strip_prefix(':')?;
        Some(self.skip(text.len() - rest.len()))
    }

    fn is_item(self) -> bool {
        self.text == "-" || self.text.starts_with("- ")
    }

    fn range(self) -> Range<usize> {
        self.offset..self.offset + self.text.trim_end().len().max(1)
    }
}

/// The bytes of the node at a path such as `blocks[3].text.type`, or of the nearest one around it.
pub(super) fn line_of(text: &str, path: &str) -> Range<usize> {
    let mut offset = 0;
    let mut lines: Vec<Line<'_>> = Vec::new();
    for line in text.split('\n') {
        let whole = Line { offset, column: 0, text: line.trim_end() }.skip(0);
        if !whole.text.is_empty() && !whole.text.starts_with('#') {
            lines.push(whole);
        }
        offset += line.len() + 1;
    }
    let mut found = lines.first().map_or(0..1, |line| line.range());
    for step in path.split(['.', '[']).filter(|step| !step.is_empty()) {
        let (line, below) = match step.strip_suffix(']') {
            Some(index) => match item(&lines, index.parse().unwrap_or(usize::MAX)) {
                Some(found) => found,
                None => break,
            },
            None => match member(&lines, step) {
                Some(found) => found,
                None => break,
            },
        };
        found = line.range();
        lines = below;
    }
    found
}

type Found<'t> = (Line<'t>, Vec<Line<'t>>);

/// The line of a member, and the lines of its value.
fn member<'t>(lines: &[Line<'t>], key: &str) -> Option<Found<'t>> {
    let column = lines.first()?.column;
    let at =
        lines.iter().position(|line| line.column == column && line.after_key(key).is_some())?;
    let value = lines[at].after_key(key)?;
    // The items of a list may stand in the column of its key.
    let below = lines[at + 1..]
        .iter()
        .take_while(|line| line.column > column || (line.column == column && line.is_item()));
    let own = Some(value).filter(|value| !value.text.is_empty());
    Some((own.unwrap_or(lines[at]), own.into_iter().chain(below.copied()).collect()))
}

/// The line of an item, and all lines of it. Where items may be absent, their numbers tell nothing.
fn item<'t>(lines: &[Line<'t>], index: usize) -> Option<Found<'t>> {
    let column = lines.first().filter(|line| line.is_item())?.column;
    let starts: Vec<usize> =
        (0..lines.len()).filter(|at| lines[*at].column == column && lines[*at].is_item()).collect();
    let of = |index: usize| -> Option<Vec<Line<'t>>> {
        let start = *starts.get(index)?;
        let end = starts.get(index + 1).copied().unwrap_or(lines.len());
        let first = lines[start].skip(1);
        let first = Some(first).filter(|line| !line.text.is_empty());
        Some(first.into_iter().chain(lines[start + 1..end].iter().copied()).collect())
    };
    let may_be_absent = |lines: &Vec<Line<'t>>| member(lines, "when").is_some();
    if (0..starts.len()).filter_map(of).any(|item| may_be_absent(&item)) {
        return None;
    }
    let found = of(index)?;
    Some((*found.first()?, found))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_to_lines() {
        let text = "# blocks\nblocks:\n- type: header\n  text: {type: plain_text}\n\n- type: section\n  \
                    text:\n    type: mrkdwn\n    \"text\": hello\n  fields:\n    - type: nonsense\nlast: 1\n";
        for (path, expected) in [
            ("blocks[0].type", "header"),
            ("blocks[0].text.type", "{type: plain_text}"),
            ("blocks[1]", "type: section"),
            ("blocks[1].text", "text:"),
            ("blocks[1].text.text", "hello"),
            ("blocks[1].fields[0].type", "nonsense"),
            ("blocks[1].fields[7].type", "fields:"),
            ("last", "1"),
            ("nothing", "blocks:"),
            ("", "blocks:"),
        ] {
            assert_eq!(&text[line_of(text, path)], expected, "{path}");
        }
        let absent = "blocks:\n  - when: a\n    type: x\n  - type: y\n";
        assert_eq!(&absent[line_of(absent, "blocks[0].type")], "blocks:");
        for odd in ["", "\n\n", "- \n-", "a: [", "\t", "é: 'x", "-\n - a: 1"] {
            for path in ["a", "[0]", "[0][0].a", "a[0].b"] {
                assert!(odd.get(line_of(odd, path)).is_some() || odd.len() < 2, "{odd:?} {path}");
            }
        }
    }
}
