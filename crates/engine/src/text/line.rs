//! Appends lines of Markdown. Each line ends with a line break.

use crate::json::{any_word, equal};
use crate::outline::{push_one_line, starts_block};

/// Adds a plain text on one line.
pub(super) fn push_text(text: &str, out: &mut String) {
    let start = out.len();
    push_one_line(text, out);
    escape_inline(start, out);
}

/// Keeps what was written since `start` from being a link, an image or HTML, which data must not bring
/// into the text: only an author's Markdown may.
pub(super) fn escape_inline(start: usize, out: &mut String) {
    if !any_word::<8>(&out.as_bytes()[start..], |word| equal(word, b']') | equal(word, b'<')) {
        return;
    }
    let text = out.split_off(start);
    let mut slashes = 0;
    for (at, c) in text.char_indices() {
        let next = text.as_bytes().get(at + 1);
        let is_syntax = match c {
            ']' => matches!(next, Some(b'(' | b':')),
            '<' => next.is_some_and(|next| next.is_ascii_alphabetic() || b"/!?".contains(next)),
            _ => false,
        };
        if is_syntax {
            // A backslash in the text would cancel ours.
            out.extend(std::iter::repeat_n('\\', slashes + 1));
        }
        slashes = if c == '\\' { slashes + 1 } else { 0 };
        out.push(c);
    }
}

/// A blank line, unless there is one or the text is empty.
pub(super) fn gap(out: &mut String) {
    if !out.is_empty() && !out.ends_with("\n\n") {
        out.push('\n');
    }
}

/// A blank line above a new paragraph, because Markdown would join it with the previous line. Not below a
/// heading, which ends with its line.
pub(super) fn paragraph(out: &mut String) {
    if !out.ends_with("\n\n") && !last_line(out).starts_with("## ") {
        gap(out);
    }
}

/// The same above an entry of a list; there is no gap between two entries.
pub(super) fn entry(out: &mut String) {
    let above = last_line(out);
    if !above.starts_with([' ', '#']) && !is_entry(above) {
        gap(out);
    }
}

/// Whether a line is an entry of a list.
pub(super) fn is_entry(line: &str) -> bool {
    line.starts_with("- ") || line.starts_with("* ")
}

/// Prevents a number at the start of a list entry, such as `1.`, from starting a nested list.
pub(super) fn escape_number(start: usize, out: &mut String) {
    let digits = out[start..].bytes().take_while(u8::is_ascii_digit).count();
    let rest = &out[start + digits..];
    if digits > 0 && (rest.starts_with(". ") || rest.starts_with(") ")) {
        out.insert(start + digits, '\\');
    }
}

/// The previous line, if it is not blank.
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

/// Prevents the text since `start` from being a heading, a list, a quote, a table or code.
pub(super) fn escape(start: usize, out: &mut String) {
    let line = &out[start..];
    if let [first, .., last] = line.as_bytes()
        && first.is_ascii_alphanumeric()
        && last.is_ascii_graphic()
    {
        return;
    }
    let rest = line.trim_start();
    if starts_block(rest) {
        let indent = line.len() - rest.len();
        out.replace_range(start..start + indent, "\\");
    } else {
        out.truncate(start + line.trim_end().len());
    }
}

#[cfg(test)]
mod tests {
    use super::push_text;

    #[test]
    fn data_brings_no_links_pictures_or_html_into_the_text() {
        for (text, expected) in [
            ("![x](https://e/?q)", r"![x\](https://e/?q)"),
            (r"[x\](https://e)", r"[x\\\](https://e)"),
            ("[x]: https://e", r"[x\]: https://e"),
            (
                "<img src=x> </b> <!-- <?x <https://e>",
                r"\<img src=x> \</b> \<!-- \<?x \<https://e>",
            ),
            ("a < b, x[1], [done] <3", "a < b, x[1], [done] <3"),
            (r"C:\[x] \d", r"C:\[x] \d"),
        ] {
            let mut out = String::from("<p>[x](y) ");
            push_text(text, &mut out);
            assert_eq!(out, format!("<p>[x](y) {expected}"));
        }
    }
}
