//! Styled text: runs in lines, how they are put together and reach the terminal.
//!
//! Control characters of data are removed when a run is made, and only [`to_ansi`] writes escape sequences.
//! A line may have a place that stretches, so that a block is laid out once and adapts to the width that
//! it gets in the end.

use std::rc::Rc;

use widgetcast_engine::outline::Hue;

pub(super) use super::wrap::{columns, wrap, wrap_below};

/// One of the sixteen colours that every terminal has and every theme defines, by its code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Colour {
    Red = 1,
    Green = 2,
    Yellow = 3,
    Blue = 4,
    Magenta = 5,
    Cyan = 6,
    Grey = 60,
}

impl From<Hue> for Colour {
    fn from(hue: Hue) -> Self {
        match hue {
            Hue::Red => Self::Red,
            Hue::Orange | Hue::Yellow => Self::Yellow,
            Hue::Green => Self::Green,
            Hue::Blue => Self::Blue,
            Hue::Purple | Hue::Pink => Self::Magenta,
        }
    }
}

/// How a run looks.
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

    pub(super) fn fore(hue: Option<Hue>) -> Self {
        Self { fore: hue.map(Colour::from), ..Self::default() }
    }
}

/// Text of one style, free of control characters.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Run {
    pub(super) text: String,
    pub(super) style: Style,
}

impl Run {
    /// A run of data. Newlines stay for [`wrap`]; other control characters are shown or dropped.
    pub(super) fn new(text: &str, style: Style) -> Self {
        Self { text: clean(text), style }
    }
}

/// A line of runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct TextLine {
    pub(super) runs: Vec<Run>,
    /// The run before which the line stretches, and what fills it: a space, or the stroke of a rule.
    pub(super) stretch: Option<(usize, char)>,
}

pub(super) type Lines = Vec<TextLine>;

impl TextLine {
    pub(super) fn of(text: &str, style: Style) -> Self {
        Self { runs: vec![Run { text: text.to_owned(), style }], stretch: None }
    }

    /// A rule over the whole width.
    pub(super) fn rule() -> Self {
        Self { runs: Vec::new(), stretch: Some((0, '─')) }
    }

    pub(super) fn is_rule(&self) -> bool {
        self.runs.is_empty() && self.stretch.is_some()
    }

    pub(super) fn push(&mut self, text: &str, style: &Style) {
        match self.runs.last_mut() {
            _ if text.is_empty() => {}
            Some(last) if last.style == *style => last.text.push_str(text),
            _ => self.runs.push(Run { text: text.to_owned(), style: style.clone() }),
        }
    }

    pub(super) fn append(&mut self, other: &TextLine) {
        other.runs.iter().for_each(|run| self.push(&run.text, &run.style));
    }

    /// The line with a text before it.
    pub(super) fn after(mut self, text: &str, style: &Style) -> Self {
        self.runs.insert(0, Run { text: text.to_owned(), style: style.clone() });
        self.stretch = self.stretch.map(|(at, filling)| (at + 1, filling));
        self
    }

    /// The line with another one at the other end.
    pub(super) fn before(self, end: &TextLine) -> Self {
        let mut line = if self.stretch.is_some() { self.fill(0, false) } else { self };
        line.stretch = Some((line.runs.len(), ' '));
        line.runs.extend(end.runs.iter().cloned());
        line
    }

    /// The least width.
    pub(super) fn width(&self) -> usize {
        let stretch = match self.stretch {
            Some((at, ' ')) => 2 * usize::from(at > 0),
            Some(_) => 1,
            None => 0,
        };
        self.runs.iter().map(|run| columns(&run.text)).sum::<usize>() + stretch
    }

    /// The line filled up to a width: where it stretches, or before or after its text.
    pub(super) fn fill(&self, width: usize, is_end: bool) -> Self {
        let (at, filling, least) = match self.stretch {
            Some((at, ' ')) => (at, ' ', 2 * usize::from(at > 0)),
            Some((at, filling)) => (at, filling, 1),
            None => (if is_end { 0 } else { self.runs.len() }, ' ', 0),
        };
        let style = if filling == ' ' { Style::default() } else { Style::dim() };
        let room = width.saturating_sub(self.width()) + least;
        let mut line = TextLine::default();
        let (start, end) = self.runs.split_at(at.min(self.runs.len()));
        start.iter().for_each(|run| line.push(&run.text, &run.style));
        line.push(&filling.to_string().repeat(room), &style);
        end.iter().for_each(|run| line.push(&run.text, &run.style));
        line
    }
}

/// The widest line.
pub(super) fn widest(lines: &[TextLine]) -> usize {
    lines.iter().map(TextLine::width).max().unwrap_or_default()
}

/// The width of the widest word of some lines.
pub(super) fn widest_word(lines: &[TextLine]) -> usize {
    let words = lines.iter().flat_map(|line| &line.runs).flat_map(|run| run.text.split(' '));
    words.map(columns).max().unwrap_or_default()
}

/// Blocks side by side, each in its width, aligned to the end if requested.
pub(super) fn join(parts: &[(&[TextLine], usize, bool)], gap: usize) -> Lines {
    let height = parts.iter().map(|(lines, ..)| lines.len()).max().unwrap_or_default();
    let line = |y: usize| {
        let mut out = TextLine::default();
        for (x, (lines, width, is_end)) in parts.iter().enumerate() {
            out.push(&" ".repeat(if x > 0 { gap } else { 0 }), &Style::default());
            match lines.get(y) {
                Some(line) => out.append(&line.fill(*width, *is_end)),
                None => out.push(&" ".repeat(*width), &Style::default()),
            }
        }
        out
    };
    (0..height).map(line).collect()
}

/// What is drawn in a width, behind a marker; its further lines are below the first one.
pub(super) fn hang(
    marker: &str,
    style: &Style,
    width: usize,
    draw: impl FnOnce(usize) -> Lines,
) -> Lines {
    let indent = columns(marker);
    if indent * 2 > width {
        let mut lines = wrap(&[Run { text: marker.to_owned(), style: style.clone() }], width);
        lines.extend(draw(width));
        return lines;
    }
    let blank = " ".repeat(indent);
    let lines = draw(width - indent).into_iter().enumerate();
    lines.map(|(at, line)| line.after(if at == 0 { marker } else { &blank }, style)).collect()
}

/// What is drawn in a width, indented.
pub(super) fn indent(by: usize, width: usize, draw: impl FnOnce(usize) -> Lines) -> Lines {
    if by == 0 || by * 2 > width {
        return draw(width);
    }
    hang(&" ".repeat(by), &Style::default(), width, draw)
}

/// What is drawn in a width, behind a bar, which goes first where there is no room to spare.
pub(super) fn bar(
    mark: &str,
    style: &Style,
    width: usize,
    draw: impl FnOnce(usize) -> Lines,
) -> Lines {
    match width < 16 {
        true => draw(width),
        false => draw(width - 2).into_iter().map(|line| line.after(mark, style)).collect(),
    }
}

/// Lines that were drawn for a larger width, in a smaller one.
pub(super) fn narrow(lines: &[TextLine], width: usize) -> Lines {
    let narrow = |line: &TextLine| match line.width() <= width {
        true => vec![line.clone()],
        false => wrap(&line.fill(0, false).runs, width),
    };
    lines.iter().flat_map(narrow).collect()
}

/// Removes control sequences from data: control characters become visible, a tab a space, and marks that
/// reorder the rest of the line are dropped.
pub(super) fn clean(text: &str) -> String {
    let is_reordering = |c: &char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let visible = text.chars().filter(|c| !is_reordering(c)).map(|c| match c {
        '\n' | '\u{2028}' | '\u{2029}' => '\n',
        '\t' | '\r' => ' ',
        '\u{7f}' => '\u{2421}',
        c if c < ' ' => char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}'),
        c if c.is_control() => '\u{fffd}',
        c => c,
    });
    visible.collect()
}

/// Parts below each other, with blank lines between them if wanted.
pub(super) fn stack(parts: Vec<Lines>, is_apart: bool) -> Lines {
    let mut out = Lines::new();
    for part in parts {
        if is_apart && !out.is_empty() && !part.is_empty() {
            out.push(TextLine::default());
        }
        out.extend(part);
    }
    out
}

/// The lines as text; with colour as ANSI, and links as OSC 8 if they are wanted too.
pub(super) fn to_ansi(lines: &[TextLine], colour: bool, links: bool) -> String {
    let mut out = String::new();
    for line in lines {
        let start = out.len();
        for run in &line.runs {
            // No-break spaces kept what belongs together on one line until now.
            let text = run.text.replace('\u{a0}', " ");
            let codes = if colour { sgr(&run.style) } else { String::new() };
            let link = run.style.link.as_deref().filter(|_| colour && links);
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
    let flags = [
        (style.bold, 1),
        (style.dim, 2),
        (style.italic, 3),
        (style.underline, 4),
        (style.reverse, 7),
        (style.strike, 9),
    ];
    let mut codes: Vec<u8> = flags.iter().filter(|(on, _)| *on).map(|(_, code)| *code).collect();
    codes.extend(style.fore.map(|fore| 30 + fore as u8));
    if let Some(back) = style.back {
        // On a light background the text is black, on a dark one white, whatever the theme.
        let is_dark = matches!(back, Colour::Red | Colour::Blue | Colour::Magenta | Colour::Grey);
        codes.extend([if is_dark { 97 } else { 30 }, 40 + back as u8]);
    }
    codes.iter().map(u8::to_string).collect::<Vec<_>>().join(";")
}

/// The address as OSC 8 may carry it: of a page, a mail or a call, in printable ASCII.
pub(super) fn address(url: &str) -> Option<Rc<str>> {
    let lower = url.trim().to_ascii_lowercase();
    if !["https://", "http://", "mailto:", "tel:"].iter().any(|scheme| lower.starts_with(scheme)) {
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
