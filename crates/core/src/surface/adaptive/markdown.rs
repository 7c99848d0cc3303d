//! Markdown as the subset that a TextBlock knows: bold, italics, lists and links.
//!
//! Headings become bold blocks, tables tables, code monospace, quotations a shaded container. All
//! other text is escaped, so that a host reads the marks that are written here and no others.

use serde_json::{Value, json};

use super::builder::Builder;
use super::words::{escape, merge, plain};
use crate::markdown::{Block, Content, Inline, Mark, Marker, read};
use crate::surface::node::{head, is_https};

impl Builder<'_> {
    pub(super) fn markdown(&mut self, source: &str, at: &str) -> Vec<Value> {
        let mut out = Vec::new();
        let source = self.markdown_within(source, at);
        for blocks in read(source).chunk_by(|a, b| (a.quotes > 0) == (b.quotes > 0)) {
            let items = self.markdown_blocks(blocks, at);
            if blocks[0].quotes > 0 {
                let mut container =
                    json!({"type": "Container", "style": "emphasis", "roundedCorners": true});
                container["items"] = items.into();
                out.push(container);
            } else {
                out.extend(items);
            }
        }
        out
    }

    /// The start of a text that the card has room for: what is longer than a Teams message need not
    /// be read.
    fn markdown_within<'s>(&mut self, source: &'s str, at: &str) -> &'s str {
        let start = head(source, self.markdown_left);
        self.markdown_left -= start.len();
        if start.len() < source.len() {
            self.lose(at, "the Markdown is cut: it is longer than a Teams message");
        }
        start
    }

    fn markdown_blocks(&mut self, blocks: &[Block], at: &str) -> Vec<Value> {
        let mut out: Vec<Value> = Vec::new();
        let mut list: Vec<String> = Vec::new();
        for block in blocks {
            let indent = "  ".repeat(block.lists.saturating_sub(1));
            let marker = match block.marker {
                Some(Marker::Number(number)) => format!("{number}. "),
                Some(Marker::Bullet | Marker::Task(_)) => "- ".to_owned(),
                None => "  ".to_owned(),
            };
            if let Content::Paragraph(text) = &block.content
                && block.lists > 0
            {
                list.push(indent + &marker + &self.inline(text, at));
                continue;
            }
            if block.marker.is_some() {
                list.push(indent + marker.trim_end());
            }
            flush(&mut list, &mut out);
            self.content(&block.content, at, &mut out);
        }
        flush(&mut list, &mut out);
        // A heading belongs to what is below it.
        for at in 1..out.len() {
            let is_heading = |block: &Value| block["style"] == "heading";
            if is_heading(&out[at]) {
                out[at]["spacing"] = "Medium".into();
            } else if is_heading(&out[at - 1]) {
                out[at]["spacing"] = "Small".into();
            }
        }
        out
    }

    fn content(&mut self, content: &Content, at: &str, out: &mut Vec<Value>) {
        match content {
            Content::Heading(text) => {
                let mut block = text_block(&self.inline(text, at));
                block["weight"] = "Bolder".into();
                block["size"] = "Medium".into();
                block["style"] = "heading".into();
                out.push(block);
            }
            Content::Paragraph(text) => out.push(text_block(&self.inline(text, at))),
            Content::Code(code) => {
                let runs = code.lines().flat_map(|line| plain(line, &json!({})));
                out.extend(runs.map(|mut element| {
                    match element.pointer_mut("/inlines/0") {
                        Some(run) => run["fontType"] = "Monospace".into(),
                        None => element["fontType"] = "Monospace".into(),
                    }
                    element
                }));
            }
            Content::Table(rows) => {
                let rows: Vec<Vec<String>> = rows
                    .iter()
                    .map(|row| row.iter().map(|cell| self.inline(cell, at)).collect())
                    .collect();
                out.extend(self.text_table(&rows, true, at, |text, look| {
                    let mut block = text_block(text);
                    merge(&mut block, look.as_object().cloned().unwrap_or_default());
                    vec![block]
                }));
            }
            Content::Rule => {}
        }
    }

    /// Inline content in the marks of a TextBlock. Code and strikethrough are shown as their text.
    fn inline(&mut self, inlines: &[Inline], at: &str) -> String {
        let mut out = String::new();
        // What closes each open mark: nothing, where its kind is unknown or open already.
        let mut open: Vec<String> = Vec::new();
        let (mut is_strong, mut is_emphasis, mut is_link) = (false, false, false);
        for (index, inline) in inlines.iter().enumerate() {
            match inline {
                Inline::Text(text) | Inline::Code(text) => escape(text, &mut out),
                Inline::SoftBreak => out.push(' '),
                Inline::HardBreak => out.push('\n'),
                Inline::Close => {
                    let close = open.pop().unwrap_or_default();
                    is_strong &= close != "**";
                    is_emphasis &= close != "*" && close != "_";
                    is_link &= !close.starts_with(']');
                    out.push_str(&close);
                }
                Inline::Open(mark) => {
                    let (start, close) = match mark {
                        Mark::Strong if !std::mem::replace(&mut is_strong, true) => ("**", "**"),
                        Mark::Emphasis if !std::mem::replace(&mut is_emphasis, true) => {
                            // The mark that the format names; inside a word it would be a letter.
                            let is_in_word = out.ends_with(char::is_alphanumeric)
                                || goes_on(&inlines[index + 1..]);
                            if is_in_word { ("*", "*") } else { ("_", "_") }
                        }
                        Mark::Link(url) if is_https(url) && !is_link => {
                            is_link = true;
                            out.push('[');
                            open.push(format!("]({})", address(url)));
                            continue;
                        }
                        Mark::Link(_) => {
                            self.lose(at, "a link that is not https is shown as its text");
                            ("", "")
                        }
                        Mark::Image(_) => {
                            self.lose(at, "an image in Markdown is shown as its text");
                            ("", "")
                        }
                        Mark::Strong | Mark::Emphasis | Mark::Strikethrough => ("", ""),
                    };
                    out.push_str(start);
                    open.push(close.to_owned());
                }
            }
        }
        out
    }
}

/// Whether a letter follows the end of the mark that is open at the start.
fn goes_on(inlines: &[Inline]) -> bool {
    let mut depth = 1;
    for (index, inline) in inlines.iter().enumerate() {
        match inline {
            Inline::Open(_) => depth += 1,
            Inline::Close => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            let next = inlines.get(index + 1);
            return matches!(next, Some(Inline::Text(text) | Inline::Code(text))
                if text.starts_with(char::is_alphanumeric));
        }
    }
    false
}

/// The address of a link, without what could end it.
fn address(url: &str) -> String {
    let mut out = String::with_capacity(url.len());
    for c in url.chars() {
        match c {
            '(' | ')' | '<' | '>' | '\\' => out.push_str(&format!("%{:02X}", u32::from(c))),
            _ => out.push(c),
        }
    }
    out
}

fn flush(list: &mut Vec<String>, out: &mut Vec<Value>) {
    if !list.is_empty() {
        out.push(text_block(&std::mem::take(list).join("\n")));
    }
}

fn text_block(text: &str) -> Value {
    json!({"type": "TextBlock", "text": text, "wrap": true})
}
