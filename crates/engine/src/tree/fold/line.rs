//! Lines of Markdown at the end of a text. Each line ends with a line break.

/// A blank line, unless there is one or nothing above.
pub(super) fn gap(out: &mut String) {
    if !out.is_empty() && !out.ends_with("\n\n") {
        out.push('\n');
    }
}

/// A blank line above a new paragraph: without it, Markdown joins the paragraph with the line before. Not
/// below a heading, which ends with its line.
pub(super) fn paragraph(out: &mut String) {
    if !last_line(out).starts_with("## ") {
        gap(out);
    }
}

/// The same above an entry of a list; there is none between two entries.
pub(super) fn entry(out: &mut String) {
    if !last_line(out).starts_with(['-', ' ', '#']) {
        gap(out);
    }
}

/// The line above, if it is not blank.
fn last_line(out: &str) -> &str {
    let above = out.strip_suffix('\n').unwrap_or(out);
    &above[above.rfind('\n').map_or(0, |at| at + 1)..]
}

pub(super) fn push_line(line: &str, out: &mut String) {
    if line.trim_start().is_empty() {
        gap(out);
    } else {
        out.push_str(line);
        out.push('\n');
    }
}

/// A line of plain text.
pub(super) fn push_plain(line: &str, out: &mut String) {
    if line.trim_start().is_empty() {
        return gap(out);
    }
    paragraph(out);
    let start = out.len();
    out.push_str(line);
    escape(start, out);
    out.push('\n');
}

/// Keeps what was written since `start` from being a heading, a list, a quote, a table or code.
pub(super) fn escape(start: usize, out: &mut String) {
    let line = &out[start..];
    let rest = line.trim_start();
    let mark = rest.trim_start_matches(['#', '-', '+', '*', '=', '_']);
    let run = &rest[..rest.len() - mark.len()];
    // `#7`, `-1` and `**bold**` are no syntax; `# 7`, `- 1` and a line of dashes are.
    let starts_block = !run.is_empty() && (mark.is_empty() || mark.starts_with([' ', '\t']));
    if starts_block
        || rest.starts_with(['>', '|'])
        || rest.starts_with("```")
        || rest.starts_with("~~~")
    {
        let indent = line.len() - rest.len();
        out.replace_range(start..start + indent, "\\");
    } else {
        out.truncate(start + line.trim_end().len());
    }
}

/// The words of a text with one space between them.
pub(super) fn push_words(text: &str, out: &mut String) {
    if is_even(text) {
        return out.push_str(text);
    }
    let mut words = text.split_whitespace();
    out.push_str(words.next().unwrap_or_default());
    for word in words {
        out.push(' ');
        out.push_str(word);
    }
}

/// Whether a text certainly has one space between its words and no other white space: most have.
fn is_even(text: &str) -> bool {
    let mut before = b' ';
    for byte in text.bytes() {
        let is_fine = match byte {
            b'!'..=b'~' => true,
            b' ' => before != b' ',
            // White space of two bytes is `c2 85` and `c2 a0`; that of three starts with these.
            0x85 | 0xa0 => before != 0xc2,
            0xe1..=0xe3 => false,
            _ => byte >= 0x80,
        };
        if !is_fine {
            return false;
        }
        before = byte;
    }
    before != b' '
}
