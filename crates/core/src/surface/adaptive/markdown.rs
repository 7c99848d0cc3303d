//! Markdown as the subset that a TextBlock knows: bold, italics, lists and links.
//!
//! Headings become bold blocks, tables tables, code monospace, quotations a shaded container.

use serde_json::{Value, json};

use super::builder::{Builder, text_table};
use super::words::{merge, plain};
use crate::markdown::{Part, link, parts};
use crate::surface::node::is_https;

impl Builder<'_> {
    pub(super) fn markdown(&mut self, source: &str, at: &str) -> Vec<Value> {
        let mut out: Vec<Value> = Vec::new();
        let mut list: Vec<String> = Vec::new();
        for part in parts(source) {
            if let Part::Item(depth, marker, text) = &part {
                let marker = if marker.ends_with('.') { marker.as_str() } else { "-" };
                list.push(format!("{}{marker} {}", "  ".repeat(*depth), self.inline(text, at)));
                continue;
            }
            flush(&mut list, &mut out);
            match part {
                Part::Heading(text) => {
                    let mut block = block(&self.inline(&text, at));
                    block["weight"] = "Bolder".into();
                    block["size"] = "Medium".into();
                    block["style"] = "heading".into();
                    out.push(block);
                }
                Part::Paragraph(text) => out.push(block(&self.inline(&text, at))),
                Part::Quote(text) => {
                    let items = [block(&self.inline(&text, at))];
                    out.push(json!({"type": "Container", "style": "emphasis", "items": items}));
                }
                Part::Code(code) => {
                    let runs = code.lines().flat_map(|line| plain(line, &json!({})));
                    out.extend(runs.map(|mut element| {
                        match element.pointer_mut("/inlines/0") {
                            Some(run) => run["fontType"] = "Monospace".into(),
                            None => element["fontType"] = "Monospace".into(),
                        }
                        element
                    }));
                }
                Part::Table(rows) => {
                    let rows: Vec<Vec<String>> = rows
                        .iter()
                        .map(|row| row.iter().map(|cell| self.inline(cell, at)).collect())
                        .collect();
                    out.extend(text_table(&rows, |text, look| {
                        let mut block = block(text);
                        merge(&mut block, look.as_object().cloned().unwrap_or_default());
                        vec![block]
                    }));
                }
                Part::Rule | Part::Item(..) => {}
            }
        }
        flush(&mut list, &mut out);
        out
    }

    /// Takes out what a TextBlock does not know: code, strikethrough, images, unsafe links.
    fn inline(&mut self, source: &str, at: &str) -> String {
        let mut out = String::new();
        let mut rest = source;
        while let Some(first) = rest.chars().next() {
            let is_image = rest.starts_with("![");
            if let Some((length, text, url)) = link(&rest[usize::from(is_image)..]) {
                if !is_image && is_https(url) {
                    out += &format!("[{text}]({url})");
                } else {
                    let what =
                        if is_image { "an image in Markdown" } else { "a link that is not https" };
                    self.lose(at, &format!("{what} is shown as its text"));
                    out += text;
                }
                rest = &rest[length + usize::from(is_image)..];
            } else if first == '`' {
                rest = &rest[1..];
            } else if rest.starts_with("~~") {
                rest = &rest[2..];
            } else {
                out.push(first);
                rest = &rest[first.len_utf8()..];
            }
        }
        out
    }
}

fn flush(list: &mut Vec<String>, out: &mut Vec<Value>) {
    if !list.is_empty() {
        out.push(block(&std::mem::take(list).join("\n")));
    }
}

fn block(text: &str) -> Value {
    json!({"type": "TextBlock", "text": text, "wrap": true})
}
