//! Clips the text of a result. The model reads all of it, and pays for each row; the view that goes with
//! it keeps everything.

use std::borrow::Cow;

use widgetcast_engine::error::grouped;

/// Truncates a text after the lines that fit into this many bytes, with a note of how many are left out.
///
/// ```
/// # use widgetcast_core::clip;
/// assert_eq!(clip("a\nb\nc\nd", 4), "a\nb\n\n… and 2 more lines");
/// assert_eq!(clip("one long line", 5), "one l\n\n… and 8 more bytes");
/// assert_eq!(clip("fits", 4), "fits");
/// ```
pub fn clip(text: &str, most: usize) -> Cow<'_, str> {
    if text.len() <= most {
        return Cow::Borrowed(text);
    }
    Cow::Owned(clipped(text, most))
}

#[cold]
fn clipped(text: &str, most: usize) -> String {
    let mut end = most;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    // The line that ends exactly there is whole.
    let head = &text[..end];
    let line_end = if text[end..].starts_with('\n') { Some(end) } else { head.rfind('\n') };
    let (shown, left, unit) = match line_end.filter(|at| !text[..*at].trim().is_empty()) {
        Some(at) => {
            let more = text[at..].lines().filter(|line| !line.trim().is_empty()).count();
            (text[..at].trim_end(), more, "line")
        }
        // One line that is longer than all there may be.
        None => (head, text.len() - end, "byte"),
    };
    if left == 0 {
        return shown.to_owned();
    }
    let s = if left == 1 { "" } else { "s" };
    format!("{shown}\n\n… and {} more {unit}{s}", grouped(left))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The output consists of whole lines, and together with the omitted part, of all lines.
    #[test]
    fn every_line_is_shown_or_counted() {
        let text: String = (0..3000).map(|row| format!("- Zeile {row} äöü\n")).collect();
        for most in [20, 21, 22, 23, 100, 1000, 12_345, text.len() - 2] {
            let clipped = clip(&text, most);
            let (shown, more) = clipped.split_once("\n\n… and ").expect("a count");
            assert!(shown.len() <= most && text.starts_with(&format!("{shown}\n")), "{most}");
            let more: usize = more.replace(',', "").split(' ').next().unwrap().parse().unwrap();
            assert_eq!(shown.lines().count() + more, 3000, "{most}");
        }
        assert_eq!(clip(&text, text.len()), text);
        assert_eq!(clip(&text, text.len() - 1), text.trim_end(), "only the end of the last line");
    }

    #[test]
    fn a_text_without_lines_is_cut_between_letters() {
        assert_eq!(clip("äöü", 3), "ä\n\n… and 4 more bytes");
        assert_eq!(clip("\n\näöü", 3), "\n\n\n\n… and 6 more bytes");
        assert_eq!(clip("ä", 1), "\n\n… and 2 more bytes");
    }
}
