//! Markdown for Slack: as it is for a `markdown` block, or converted to mrkdwn where that block
//! has no room left.

use super::mrkdwn::{anchor, escape, mark};
use crate::markdown::{Block, Content, Inline, Mark, Marker, plain_text, read};

/// Markdown for a `markdown` block. Slack reads `<!here>` and `<@U1>` there too, so that a text
/// from outside could notify a whole channel.
pub(super) fn neutralize(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let kept: String =
        text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect();
    let mut letters = kept.trim().chars().peekable();
    while let Some(letter) = letters.next() {
        match (letter, letters.peek()) {
            ('<', Some('!' | '@' | '#')) => out.push_str("&lt;"),
            _ => out.push(letter),
        }
    }
    out
}

/// Markdown as mrkdwn: headings and `**b**` become `*b*`, `[t](u)` becomes `<u|t>`.
pub(super) fn to_mrkdwn(source: &str) -> String {
    let mut out = String::new();
    let mut before: Option<Block> = None;
    for block in read(source) {
        if let Some(before) = before {
            let is_close = block.continues_list(&before)
                || matches!(before.content, Content::Heading(_)) && before.lists == 0;
            out.push_str(if is_close { "\n" } else { "\n\n" });
        }
        push_block(&block, &mut out);
        before = Some(block);
    }
    out.trim().to_owned()
}

/// Writes a block, with what a quotation and a list put before each line.
fn push_block(block: &Block, out: &mut String) {
    let marker = match block.marker {
        Some(Marker::Bullet) => "• ".to_owned(),
        Some(Marker::Number(number)) => format!("{number}. "),
        Some(Marker::Task(false)) => "☐ ".to_owned(),
        Some(Marker::Task(true)) => "☑ ".to_owned(),
        None => "  ".to_owned(),
    };
    for (index, line) in content(block).split('\n').enumerate() {
        out.push_str(if index > 0 { "\n" } else { "" });
        out.push_str(if block.quotes > 0 { "> " } else { "" });
        if block.lists > 0 {
            out.push_str(&"  ".repeat(block.lists - 1));
            out.push_str(if index == 0 { &marker } else { "  " });
        }
        out.push_str(line);
    }
}

fn content(block: &Block) -> String {
    match &block.content {
        Content::Heading(text) => mark(&inline(text, true), '*'),
        Content::Paragraph(text) => inline(text, false),
        // There is no way to write a fence inside of one.
        Content::Code(code) if code.contains("```") => escape(code),
        Content::Code(code) => format!("```\n{}\n```", escape(code)),
        Content::Table(rows) => {
            let rows = rows.iter().map(|row| {
                let cells: Vec<String> = row.iter().map(|cell| inline(cell, false)).collect();
                format!("| {} |", cells.join(" | "))
            });
            rows.collect::<Vec<_>>().join("\n")
        }
        Content::Rule => "---".to_owned(),
    }
}

/// Inline content; in a text that is bold already, bold marks are left out.
fn inline(inlines: &[Inline], is_bold: bool) -> String {
    let mut out = String::new();
    // For each open mark what it wrote: nothing, where a mark of its kind is open already. So what
    // is written is three marks at most, however deep they nest.
    let mut open: Vec<Option<char>> = Vec::new();
    let mut written: Vec<char> = Vec::new();
    let mut at = 0;
    while let Some(inline) = inlines.get(at) {
        at += 1;
        match inline {
            Inline::Text(text) => out.push_str(&escape(text)),
            Inline::Code(code) if code.contains('`') => out.push_str(&escape(code)),
            Inline::Code(code) => {
                out.push('`');
                out.push_str(&escape(code));
                out.push('`');
            }
            // Marks do not reach over the end of a line.
            Inline::SoftBreak | Inline::HardBreak => {
                out.extend(written.iter().rev());
                out.push('\n');
                out.extend(&written);
            }
            Inline::Open(Mark::Link(url) | Mark::Image(url)) => {
                let end = at + close_of(&inlines[at..]);
                out.push_str(&anchor(url, &plain_text(&inlines[at..end])));
                at = end + 1;
            }
            Inline::Open(kind) => {
                let mark = match kind {
                    Mark::Strong => '*',
                    Mark::Emphasis => '_',
                    _ => '~',
                };
                let is_repeated = written.contains(&mark) || (is_bold && mark == '*');
                let new = (!is_repeated).then_some(mark);
                open.push(new);
                written.extend(new);
                out.extend(new);
            }
            Inline::Close => {
                if let Some(mark) = open.pop().flatten() {
                    written.pop();
                    out.push(mark);
                }
            }
        }
    }
    out
}

/// The length of what an opened mark encloses.
fn close_of(inlines: &[Inline]) -> usize {
    let mut depth = 0;
    let closes = |inline: &Inline| match inline {
        Inline::Open(_) => {
            depth += 1;
            false
        }
        Inline::Close if depth == 0 => true,
        Inline::Close => {
            depth -= 1;
            false
        }
        _ => false,
    };
    inlines.iter().position(closes).unwrap_or(inlines.len())
}
