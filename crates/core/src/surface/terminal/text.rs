//! Styled text: spans in lines, their width in columns, and how they wrap and reach the terminal.
//!
//! Control characters of data are removed when a span is made, and only [`to_ansi`] writes escape
//! sequences.

use std::rc::Rc;

use unicode_width::UnicodeWidthStr;

/// One of the sixteen colours that every terminal has and every theme defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Colour {
    Red,
    Green,
    Yellow,
    Blue,
    Magenta,
    Cyan,
    Grey,
}

/// How a span looks.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Style {
    pub(super) fore: Option<Colour>,
    pub(super) back: Option<Colour>,
    pub(super) bold: bool,
    pub(super) dim: bool,
    pub(super) italic: bool,
    pub(super) underline: bool,
    pub(super) strike: bool,
    pub(super) reverse: bool,
    pub(super) link: Option<Rc<str>>,
}

impl Style {
    pub(super) fn bold() -> Self {
        Self { bold: true, ..Self::default() }
    }

    pub(super) fn dim() -> Self {
        Self { dim: true, ..Self::default() }
    }

    pub(super) fn fore(colour: Option<Colour>) -> Self {
        Self { fore: colour, ..Self::default() }
    }
}

/// Text of one style, free of control characters.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Span {
    text: String,
    style: Style,
}

impl Span {
    /// A span of data. Newlines stay for [`wrap`]; other control characters are shown or dropped.
    pub(super) fn new(text: &str, style: Style) -> Self {
        Self { text: clean(text), style }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        self.text.split([' ', '\n'])
    }
}

/// A line of spans.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Line {
    spans: Vec<Span>,
    /// A rule over the whole width: a frame around it joins its ends.
    pub(super) is_rule: bool,
}

/// The lines of a component.
pub(super) type Block = Vec<Line>;

/// The alignment of a line in a wider column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Align {
    #[default]
    Start,
    Center,
    End,
}

impl Line {
    pub(super) fn of(text: &str, style: Style) -> Self {
        let spans = vec![Span { text: text.to_owned(), style }];
        Self { spans, is_rule: false }
    }

    pub(super) fn push(&mut self, text: &str, style: &Style) {
        match self.spans.last_mut() {
            _ if text.is_empty() => {}
            Some(last) if last.style == *style => last.text.push_str(text),
            _ => self.spans.push(Span { text: text.to_owned(), style: style.clone() }),
        }
    }

    pub(super) fn append(&mut self, other: &Line) {
        other.spans.iter().for_each(|span| self.push(&span.text, &span.style));
    }

    pub(super) fn space(&mut self, columns: usize) {
        self.push(&" ".repeat(columns), &Style::default());
    }

    pub(super) fn width(&self) -> usize {
        self.spans.iter().map(|span| columns(&span.text)).sum()
    }

    pub(super) fn spans(&self) -> &[Span] {
        &self.spans
    }

    /// The line filled up to a width.
    pub(super) fn fill(&self, width: usize, align: Align) -> Line {
        let room = width.saturating_sub(self.width());
        let before = match align {
            Align::Start => 0,
            Align::Center => room / 2,
            Align::End => room,
        };
        let mut line = Line { spans: Vec::new(), is_rule: false };
        line.space(before);
        line.append(self);
        line.space(room - before);
        line
    }
}

/// The widest line.
pub(super) fn widest(block: &[Line]) -> usize {
    block.iter().map(Line::width).max().unwrap_or_default()
}

/// The columns that a text takes.
pub(super) fn columns(text: &str) -> usize {
    clusters(text).map(cluster_width).sum()
}

fn cluster_width(cluster: &str) -> usize {
    if cluster == "\n" { 0 } else { cluster.width() }
}

/// The parts that a terminal shows as one: a character and what combines with it, joined emoji,
/// the two halves of a flag.
pub(super) fn clusters(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let mut chars = rest.char_indices().peekable();
        let (_, first) = chars.next()?;
        let mut before = first;
        let mut flag = is_flag_half(first);
        let mut end = rest.len();
        while let Some(&(at, next)) = chars.peek() {
            let joins = before == '\u{200d}' && first > '\u{2000}';
            let pairs = flag && is_flag_half(next);
            if !(is_combining(next) || joins || pairs) || first == '\n' {
                end = at;
                break;
            }
            flag = false;
            before = next;
            chars.next();
        }
        let (cluster, after) = rest.split_at(end);
        rest = after;
        Some(cluster)
    })
}

fn is_combining(c: char) -> bool {
    use unicode_width::UnicodeWidthChar;
    matches!(c, '\u{1f3fb}'..='\u{1f3ff}') || (c != '\n' && c.width().unwrap_or(0) == 0)
}

fn is_flag_half(c: char) -> bool {
    matches!(c, '\u{1f1e6}'..='\u{1f1ff}')
}

/// Removes control sequences from data: control characters become visible, a tab a space, and marks
/// that reorder the rest of the line are dropped.
pub(super) fn clean(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    let visible = text.chars().filter(|c| !is_reordering(*c)).map(|c| match c {
        '\n' | '\r' | '\u{2028}' | '\u{2029}' => '\n',
        '\t' => ' ',
        '\u{7f}' => '\u{2421}',
        c if c < ' ' => char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}'),
        c if c.is_control() => '\u{fffd}',
        c => c,
    });
    visible.collect()
}

fn is_reordering(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Breaks spans into lines at spaces, between wide characters, and inside a word only where it is
/// longer than a line.
pub(super) fn wrap(spans: &[Span], width: usize) -> Block {
    let mut wrapping = Wrapping { width: width.max(1), ..Wrapping::default() };
    for span in spans {
        for cluster in clusters(&span.text) {
            match (cluster, cluster_width(cluster)) {
                ("\n", _) => wrapping.end_line(),
                (" ", _) => wrapping.space(&span.style),
                (_, 2) if !cluster.starts_with('\u{a0}') => {
                    wrapping.end_word();
                    wrapping.word.push((cluster, &span.style));
                    wrapping.end_word();
                }
                _ => wrapping.word.push((cluster, &span.style)),
            }
        }
    }
    wrapping.end_line();
    wrapping.lines
}

#[derive(Default)]
struct Wrapping<'s> {
    width: usize,
    lines: Block,
    line: Line,
    used: usize,
    space: Option<&'s Style>,
    word: Vec<(&'s str, &'s Style)>,
}

impl<'s> Wrapping<'s> {
    fn space(&mut self, style: &'s Style) {
        self.end_word();
        self.space = (self.used > 0).then_some(style);
    }

    fn end_word(&mut self) {
        let word = std::mem::take(&mut self.word);
        if word.is_empty() {
            return;
        }
        let width: usize = word.iter().map(|(cluster, _)| cluster_width(cluster)).sum();
        let gap = usize::from(self.space.is_some());
        if self.used > 0 && self.used + gap + width > self.width {
            self.break_line();
        } else if let Some(style) = self.space.take() {
            self.line.push(" ", style);
            self.used += 1;
        }
        self.space = None;
        for (cluster, style) in word {
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
        self.used = 0;
        self.space = None;
    }

    fn end_line(&mut self) {
        self.end_word();
        self.break_line();
    }
}

/// The lines as text; with colour as ANSI, and links as OSC 8 if they are wanted too.
pub(super) fn to_ansi(block: &[Line], colour: bool, links: bool) -> String {
    let mut out = String::new();
    for line in block {
        let start = out.len();
        for span in &line.spans {
            let text = span.text.replace('\u{a0}', " ");
            let codes = if colour { sgr(&span.style) } else { String::new() };
            let link = span.style.link.as_deref().filter(|_| colour && links);
            if let Some(url) = link {
                out += &format!("\x1b]8;;{url}\x1b\\");
            }
            if codes.is_empty() {
                out += &text;
            } else {
                out += &format!("\x1b[{codes}m{text}\x1b[0m");
            }
            if link.is_some() {
                out += "\x1b]8;;\x1b\\";
            }
        }
        out.truncate(start + out[start..].trim_end_matches(' ').len());
        out.push('\n');
    }
    out
}

fn sgr(style: &Style) -> String {
    let colour = |colour: Colour, base: u8| {
        let code = match colour {
            Colour::Red => 1,
            Colour::Green => 2,
            Colour::Yellow => 3,
            Colour::Blue => 4,
            Colour::Magenta => 5,
            Colour::Cyan => 6,
            Colour::Grey => 60,
        };
        (base + code).to_string()
    };
    let flags = [
        (style.bold, "1"),
        (style.dim, "2"),
        (style.italic, "3"),
        (style.underline, "4"),
        (style.reverse, "7"),
        (style.strike, "9"),
    ];
    let mut codes: Vec<String> =
        flags.iter().filter(|(on, _)| *on).map(|(_, code)| (*code).to_owned()).collect();
    codes.extend(style.fore.map(|fore| colour(fore, 30)));
    // On a coloured background the text is black, on a dark one white, whatever the theme.
    codes.extend(style.back.map(|back| {
        let ink = if matches!(back, Colour::Red | Colour::Blue | Colour::Magenta | Colour::Grey) {
            "97"
        } else {
            "30"
        };
        format!("{ink};{}", colour(back, 40))
    }));
    codes.join(";")
}

/// The address as OSC 8 may carry it: a web or mail one, in printable ASCII.
pub(super) fn address(url: &str) -> Option<Rc<str>> {
    let lower = url.trim().to_ascii_lowercase();
    if !["https://", "http://", "mailto:"].iter().any(|scheme| lower.starts_with(scheme)) {
        return None;
    }
    let mut out = String::new();
    for byte in url.trim().bytes() {
        match byte {
            0x21..=0x7e => out.push(char::from(byte)),
            _ => out += &format!("%{byte:02X}"),
        }
    }
    Some(out.into())
}
