//! The width of text in columns, and where it wraps.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::text::{Lines, Run, Style, TextLine};

/// The columns that a text takes.
pub(super) fn columns(text: &str) -> usize {
    // Most text, and every bar and frame, is made of characters that take a column each.
    match text.chars().all(is_narrow) {
        true => text.chars().count(),
        false => clusters(text).map(cluster_width).sum(),
    }
}

fn is_narrow(c: char) -> bool {
    matches!(c, ' '..='~' | '\u{2500}'..='\u{259f}')
}

fn cluster_width(cluster: &str) -> usize {
    if cluster == "\n" { 0 } else { cluster.width() }
}

/// The parts that a terminal shows as one: a character and what combines with it, joined emoji, the two
/// halves of a flag.
fn clusters(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let mut chars = rest.char_indices();
        let (_, first) = chars.next()?;
        let mut before = first;
        let mut is_flag = is_flag_half(first);
        let mut end = rest.len();
        for (at, next) in chars {
            let joins = before == '\u{200d}' && first > '\u{2000}';
            let pairs = is_flag && is_flag_half(next);
            if !(is_combining(next) || joins || pairs) || first == '\n' {
                end = at;
                break;
            }
            is_flag = false;
            before = next;
        }
        let (cluster, after) = rest.split_at(end);
        rest = after;
        Some(cluster)
    })
}

fn is_combining(c: char) -> bool {
    matches!(c, '\u{1f3fb}'..='\u{1f3ff}') || (c != '\n' && c.width().unwrap_or(0) == 0)
}

fn is_flag_half(c: char) -> bool {
    matches!(c, '\u{1f1e6}'..='\u{1f1ff}')
}

/// Breaks runs into lines at spaces, between wide characters, and inside a word only where it is longer
/// than a line.
pub(super) fn wrap(runs: &[Run], width: usize) -> Lines {
    wrap_below(runs, width, 0)
}

/// The same, all lines but the first indented.
pub(super) fn wrap_below(runs: &[Run], width: usize, indent: usize) -> Lines {
    if runs.is_empty() {
        return Lines::new();
    }
    if fits(runs, width) {
        let mut line = TextLine::default();
        runs.iter().for_each(|run| line.push(&run.text, &run.style));
        return vec![line];
    }
    let indent = if indent * 2 > width { 0 } else { indent };
    let mut wrapping = Wrapping { width: width.max(1), indent, ..Wrapping::default() };
    for run in runs {
        for cluster in clusters(&run.text) {
            match (cluster, cluster_width(cluster)) {
                ("\n", _) => wrapping.end_line(),
                (" ", _) => wrapping.space(&run.style),
                (_, 2) => {
                    wrapping.end_word();
                    wrapping.word.push((cluster, &run.style));
                    wrapping.end_word();
                }
                _ => wrapping.word.push((cluster, &run.style)),
            }
        }
    }
    wrapping.end_line();
    wrapping.lines
}

/// Whether runs are one line as they are: most are.
fn fits(runs: &[Run], width: usize) -> bool {
    let mut before = ' ';
    let mut is_even = |c: char| c != '\n' && (std::mem::replace(&mut before, c), c) != (' ', ' ');
    runs.iter().all(|run| run.text.chars().all(&mut is_even))
        && before != ' '
        && runs.iter().map(|run| columns(&run.text)).sum::<usize>() <= width
}

#[derive(Default)]
struct Wrapping<'r> {
    width: usize,
    indent: usize,
    lines: Lines,
    line: TextLine,
    /// The columns of the indentation of the line, and those that are used.
    start: usize,
    used: usize,
    space: Option<&'r Style>,
    word: Vec<(&'r str, &'r Style)>,
}

impl<'r> Wrapping<'r> {
    fn space(&mut self, style: &'r Style) {
        self.end_word();
        self.space = (self.used > self.start).then_some(style);
    }

    fn end_word(&mut self) {
        if self.word.is_empty() {
            return;
        }
        let width: usize = self.word.iter().map(|(cluster, _)| cluster_width(cluster)).sum();
        let gap = usize::from(self.space.is_some());
        if self.used > self.start && self.used + gap + width > self.width {
            self.break_line();
        } else if let Some(style) = self.space.take() {
            self.line.push(" ", style);
            self.used += 1;
        }
        self.space = None;
        for (cluster, style) in std::mem::take(&mut self.word) {
            // A wide character does not fit into a single column.
            let (cluster, width) = match cluster_width(cluster) {
                width if width > self.width => ("?", 1),
                width => (cluster, width),
            };
            if self.used + width > self.width {
                self.break_line();
            }
            self.line.push(cluster, style);
            self.used += width;
        }
    }

    fn break_line(&mut self) {
        self.lines.push(std::mem::take(&mut self.line));
        self.line.push(&" ".repeat(self.indent), &Style::default());
        (self.start, self.used) = (self.indent, self.indent);
        self.space = None;
    }

    fn end_line(&mut self) {
        self.end_word();
        self.break_line();
    }
}
