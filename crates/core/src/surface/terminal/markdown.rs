//! The Markdown that widgets use, read simply: blocks here, inline marks in [`spans`].
//!
//! Not CommonMark: a text is shown to a person at once and nothing is lost when a mark is not
//! understood, it is just printed.

use std::rc::Rc;

use super::text::{Block, Line, Span, Style, address, columns, wrap};
use crate::markdown::{Part, link, parts};

/// Characters of Markdown that are drawn.
const LONGEST: usize = 20_000;

/// The text drawn; a table is left to the caller, who knows how tables look.
pub(super) fn draw(
    source: &str,
    width: usize,
    urls: bool,
    table: impl Fn(&[Vec<String>], usize) -> Block,
) -> Block {
    let mut out = Block::new();
    let mut before = None;
    // Marks are looked for to the end of their paragraph; nobody reads a book in a card.
    let end = source.char_indices().nth(LONGEST).map_or(source.len(), |(at, _)| at);
    for part in parts(&source[..end]) {
        let is_item = matches!(part, Part::Item(..));
        if before.is_some_and(|was_item| !(was_item && is_item)) {
            out.push(Line::default());
        }
        before = Some(is_item);
        match part {
            Part::Heading(text) => out.extend(wrap(&spans(&text, &Style::bold(), urls), width)),
            Part::Paragraph(text) => {
                out.extend(wrap(&spans(&text, &Style::default(), urls), width));
            }
            Part::Item(depth, marker, text) => {
                let indent = (depth * 2).min(width / 4);
                let mark = format!("{}{marker} ", " ".repeat(indent));
                out.extend(hang(
                    &mark,
                    &Style::dim(),
                    &spans(&text, &Style::default(), urls),
                    width,
                ));
            }
            Part::Quote(text) => {
                let style = Style { italic: true, ..Style::default() };
                let lines = wrap(&spans(&text, &style, urls), width.saturating_sub(2));
                out.extend(lines.iter().map(|line| {
                    let mut quoted = Line::of("▎ ", Style::dim());
                    quoted.append(line);
                    if quoted.width() <= width { quoted } else { line.clone() }
                }));
            }
            Part::Code(code) => {
                let style = Style { fore: Some(super::text::Colour::Cyan), ..Style::default() };
                let code: Vec<String> =
                    code.lines().map(|line| line.replace(' ', "\u{a0}")).collect();
                out.extend(wrap(&[Span::new(&code.join("\n"), style)], width));
            }
            Part::Table(rows) => out.extend(table(&rows, width)),
            Part::Rule => {
                let mut rule = Line::of(&"─".repeat(width), Style::dim());
                rule.is_rule = true;
                out.push(rule);
            }
        }
    }
    out
}

/// Text with a mark before it, its further lines under the first one.
pub(super) fn hang(mark: &str, style: &Style, text: &[Span], width: usize) -> Block {
    let indent = columns(mark);
    if indent * 2 > width {
        let mut all = vec![Span::new(mark, style.clone())];
        all.extend_from_slice(text);
        return wrap(&all, width);
    }
    let lines = wrap(text, width - indent);
    let hung = lines.iter().enumerate().map(|(index, line)| {
        let mut out = Line::default();
        if index == 0 {
            out.push(mark, style);
        } else {
            out.space(indent);
        }
        out.append(line);
        out
    });
    hung.collect()
}

/// The inline marks: bold, italics, code, strikethrough, links and images. With `urls`, the
/// address of a link is written behind it.
pub(super) fn spans(source: &str, base: &Style, urls: bool) -> Vec<Span> {
    let mut out = Vec::new();
    inline(source, base, urls, 0, &mut out);
    out
}

fn inline(source: &str, style: &Style, urls: bool, depth: usize, out: &mut Vec<Span>) {
    let mut plain = String::new();
    let mut rest = source;
    let mut before = ' ';
    while let Some(first) = rest.chars().next() {
        let marked = if depth < 8 { mark(rest, style, before) } else { None };
        if let Some((length, text, marked)) = marked {
            out.push(Span::new(&std::mem::take(&mut plain), style.clone()));
            match marked {
                Marked::Inner(style) => inline(text, &style, urls, depth + 1, out),
                Marked::Plain(style) => out.push(Span::new(text, style)),
                Marked::Link(link) => {
                    let linked =
                        Style { link: Some(link.clone()), underline: true, ..style.clone() };
                    inline(text, &linked, urls, depth + 1, out);
                    if urls && *text != *link {
                        let quiet = Style { dim: true, ..style.clone() };
                        out.push(Span::new(&format!(" ({link})"), quiet));
                    }
                }
            }
            rest = &rest[length..];
            before = 'x';
        } else {
            plain.push(first);
            before = first;
            rest = &rest[first.len_utf8()..];
        }
    }
    out.push(Span::new(&plain, style.clone()));
}

enum Marked {
    Inner(Style),
    Plain(Style),
    Link(Rc<str>),
}

/// The mark that the text starts with: its length, what it encloses, and how that looks.
fn mark<'s>(rest: &'s str, style: &Style, before: char) -> Option<(usize, &'s str, Marked)> {
    let bytes = rest.as_bytes();
    match bytes.first()? {
        b'\\' if bytes.get(1).is_some_and(u8::is_ascii_punctuation) => {
            Some((2, &rest[1..2], Marked::Plain(style.clone())))
        }
        b'`' => {
            let (length, text) = enclosed(rest, "`")?;
            let style = Style { fore: Some(super::text::Colour::Cyan), ..style.clone() };
            Some((length, text, Marked::Plain(style)))
        }
        b'~' => {
            let (length, text) = enclosed(rest, "~~")?;
            Some((length, text, Marked::Inner(Style { strike: true, ..style.clone() })))
        }
        // An underscore inside a word is part of it.
        b'_' if before.is_alphanumeric() => None,
        b'*' | b'_' => {
            let double = if bytes[0] == b'*' { "**" } else { "__" };
            if let Some((length, text)) = enclosed(rest, double) {
                return Some((length, text, Marked::Inner(Style { bold: true, ..style.clone() })));
            }
            let (length, text) = enclosed(rest, &double[1..])?;
            Some((length, text, Marked::Inner(Style { italic: true, ..style.clone() })))
        }
        b'!' if bytes.get(1) == Some(&b'[') => {
            let (length, text, _) = link(&rest[1..])?;
            Some((length + 1, text, Marked::Plain(Style { dim: true, ..style.clone() })))
        }
        b'[' => {
            let (length, text, url) = link(rest)?;
            Some(match address(url) {
                Some(url) => (length, text, Marked::Link(url)),
                None => (length, text, Marked::Inner(style.clone())),
            })
        }
        b'<' => {
            let url = rest[1..].split_once('>')?.0;
            let link = address(url)?;
            Some((url.len() + 2, url, Marked::Link(link)))
        }
        _ => None,
    }
}

fn enclosed<'s>(rest: &'s str, mark: &str) -> Option<(usize, &'s str)> {
    let inner = rest.strip_prefix(mark)?;
    let end = inner.find(mark)?;
    let text = &inner[..end];
    let tight = !text.is_empty() && !text.starts_with(' ') && !text.ends_with(' ');
    tight.then_some((end + 2 * mark.len(), text))
}
