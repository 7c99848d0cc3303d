//! Converts a tree with placeholders to a template.

use std::fmt::Write as _;
use std::ops::Range;

use serde_json::{Map, Value};
use widgetcast_engine::error::{Error, Kind, Result};
use widgetcast_engine::json::locate;
use widgetcast_engine::json::write_escaped;

use super::marks::Marks;

/// The template for the tree at this pointer of a text.
pub(super) fn template_of(tree: &Value, pointer: &str, text: &str) -> Result<String> {
    let mut writer = Writer::new(pointer);
    writer.write(tree).map_err(|error| placed(error, text))?;
    let Some(Fault { pointer, range, error }) = writer.fault else { return Ok(writer.out) };
    let marks = Marks::read(text);
    let found = marks.scalar(&pointer).and_then(|scalar| scalar.range_in(text, &range));
    let range = found.unwrap_or_else(|| marks.range(&pointer));
    Err(error.with_place(locate::place(text, &range)))
}

/// Adds the place in the text to an error that has a pointer.
fn placed(error: Error, text: &str) -> Error {
    let range = Marks::read(text).range(&error.place().pointer);
    error.with_place(locate::place(text, &range))
}

/// The source in the tree at this pointer of each part of its template.
pub(super) fn pieces_of(tree: &Value, pointer: &str) -> Vec<Piece> {
    let mut writer = Writer { pieces: Some(Vec::new()), ..Writer::new(pointer) };
    // Errors are those of `template_of`.
    let _ = writer.write(tree);
    writer.pieces.unwrap_or_default()
}

/// Maximum bytes of the pointers of all pieces: a long key above many items would be repeated for each.
/// A finding about a node that is not recorded is at one around it.
const MAX_POINTERS: usize = 16 << 20;

/// A range of the template, and its source.
#[derive(Debug)]
pub(super) struct Piece {
    pub range: Range<usize>,
    pub pointer: String,
    pub part: Part,
}

/// The part of a node that a piece of the template was generated from.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Part {
    Key,
    Value,
    /// A placeholder, which is copied from this offset of the text.
    Text(usize),
}

/// Writes a tree as a template.
struct Writer {
    out: String,
    /// The current node.
    pointer: String,
    pieces: Option<Vec<Piece>>,
    /// The remaining bytes of recorded pointers.
    room: usize,
    /// The first text with an incomplete statement.
    fault: Option<Fault>,
}

/// An error about a range of a text of the tree.
struct Fault {
    pointer: String,
    range: Range<usize>,
    error: Error,
}

impl Writer {
    fn new(pointer: &str) -> Self {
        let pointer = pointer.to_owned();
        Self { out: String::new(), pointer, pieces: None, room: MAX_POINTERS, fault: None }
    }

    fn fault(&mut self, range: Range<usize>, message: String, help: &str) {
        let pointer = self.pointer.clone();
        let error = Error::new(Kind::TemplateSyntax, message).with_help(help);
        self.fault.get_or_insert(Fault { pointer, range, error });
    }

    fn record(&mut self, start: usize, part: Part) {
        let Some(pieces) = &mut self.pieces else { return };
        let Some(room) = self.room.checked_sub(self.pointer.len()) else { return };
        self.room = room;
        let pointer = self.pointer.clone();
        pieces.push(Piece { range: start..self.out.len(), pointer, part });
    }

    fn write(&mut self, node: &Value) -> Result<()> {
        let start = self.out.len();
        match node {
            Value::String(text) => self.write_text(text),
            Value::Array(items) => {
                let items = items.iter().enumerate();
                self.write_list('[', items.map(|(n, item)| (Name::Index(n), item)), ']')?;
            }
            Value::Object(members) => {
                if is_cut_loop(members) {
                    let pointer = format!("{}/for", self.pointer);
                    let message = "the value of `for` ends at the comma: put it in quotes";
                    return Err(Error::new(Kind::FieldType, message).with_pointer(pointer));
                }
                let is_prop = |(key, _): &(&String, &Value)| {
                    *key != "when" && !(*key == "for" && loop_of(node).is_some())
                };
                let members = members.iter().filter(is_prop);
                let members = members.map(|(key, value)| (Name::Key(key), value));
                self.write_list('{', members, '}')?;
            }
            scalar => {
                let _ = write!(self.out, "{scalar}");
            }
        }
        self.record(start, Part::Value);
        Ok(())
    }

    /// Items with `when` may be absent, and those with `for` repeated, and so must their commas be: all are
    /// written with a leading comma into a variable, and the first comma is cut off, as in Studio's
    /// templates.
    fn write_list<'v>(
        &mut self,
        open: char,
        items: impl Iterator<Item = (Name<'v>, &'v Value)> + Clone,
        close: char,
    ) -> Result<()> {
        self.out.push(open);
        if items.clone().all(|(_, item)| item.get("when").is_none() && loop_of(item).is_none()) {
            for (index, item) in items.enumerate() {
                if index > 0 {
                    self.out.push(',');
                }
                self.write_item(item)?;
            }
        } else {
            self.out.push_str("{%- set _c -%}");
            for item in items {
                self.write_item_with_comma(item)?;
            }
            self.out.push_str("{%- endset -%}{{- (_c[1:] if _c and _c[0] == ',' else _c) -}}");
        }
        self.out.push(close);
        Ok(())
    }

    fn write_item_with_comma(&mut self, (name, item): (Name<'_>, &Value)) -> Result<()> {
        let node = format!("{}/{}", self.pointer, name.token());
        let at = |key: &str| format!("{node}/{key}");
        let (when, each) = (item.get("when"), loop_of(item));
        if let Some(each) = each {
            let fault = match name {
                Name::Key(_) => Some("`for` can only repeat an item of a list"),
                Name::Index(_) if is_loop(each) => None,
                Name::Index(_) => Some("write it as `for: item in items`"),
            };
            if let Some(message) = fault {
                return Err(Error::new(Kind::FieldType, message).with_pointer(at("for")));
            }
            self.write_code("{%- for ", each, " -%}", at("for"));
        }
        if let Some(when) = when {
            let pointer = at("when");
            let path = path(when).map_err(|error| error.with_pointer(pointer.clone()))?;
            self.write_code("{%- if ", path, " is not blank -%}", pointer);
        }
        self.out.push(',');
        self.write_item((name, item))?;
        if when.is_some() {
            self.out.push_str("{%- endif -%}");
        }
        if each.is_some() {
            self.out.push_str("{%- endfor -%}");
        }
        Ok(())
    }

    /// Writes a statement around code that is at this pointer of the tree.
    fn write_code(&mut self, before: &str, code: &str, after: &str, pointer: String) {
        self.out.push_str(before);
        let start = self.out.len();
        self.out.push_str(code);
        if let Some(pieces) = &mut self.pieces {
            pieces.push(Piece { range: start..self.out.len(), pointer, part: Part::Text(0) });
        }
        self.out.push_str(after);
    }

    /// Writes a member with its key, or an item of a list.
    fn write_item(&mut self, (name, value): (Name<'_>, &Value)) -> Result<()> {
        let around = self.pointer.len();
        self.pointer.push('/');
        self.pointer.push_str(&name.token());
        if let Name::Key(key) = name {
            let start = self.out.len();
            self.out.push('"');
            write_escaped(key, &mut self.out);
            self.out.push_str("\":");
            self.record(start, Part::Key);
        }
        self.write(value)?;
        self.pointer.truncate(around);
        Ok(())
    }

    /// Writes a text: placeholders verbatim, everything else escaped.
    fn write_text(&mut self, text: &str) {
        let alone = text.trim();
        if let Some(inside) = alone.strip_prefix("{{").and_then(|rest| rest.strip_suffix("}}")) {
            let json =
                inside.rsplit_once('|').is_some_and(|(_, f)| matches!(f.trim(), "json" | "tojson"));
            if json && !inside.contains("{{") {
                self.write_placeholder(alone, text.len() - text.trim_start().len());
                return;
            }
        }
        self.out.push('"');
        let mut rest = text;
        // The search continues after the last brace, so that a long text is walked once.
        let mut from = 0;
        while let Some(at) = rest[from..].find('{').map(|at| from + at) {
            let close = match rest.as_bytes().get(at + 1) {
                Some(b'{') => "}}",
                Some(b'%') => "%}",
                _ => {
                    from = at + 1;
                    continue;
                }
            };
            let offset = text.len() - rest.len() + at;
            let Some(length) = rest[at..].find(close) else {
                let message = format!("`{}` is not closed", &rest[at..at + 2]);
                self.fault(offset..offset + 2, message, &format!("close it with `{close}`"));
                break;
            };
            write_escaped(&rest[..at], &mut self.out);
            self.write_placeholder(&rest[at..at + length + 2], offset);
            rest = &rest[at + length + 2..];
            from = 0;
        }
        write_escaped(rest, &mut self.out);
        self.out.push('"');
        if let Some(range) = part_of_block(text) {
            self.fault(
                range,
                "a loop or a condition cannot span several nodes of a tree".to_owned(),
                "repeat a node with `for: item in items` next to its `type`, and make it conditional with \
                 `when: name`",
            );
        }
    }

    fn write_placeholder(&mut self, placeholder: &str, at: usize) {
        let start = self.out.len();
        self.out.push_str(placeholder);
        self.record(start, Part::Text(at));
    }
}

/// A statement that starts or ends a block whose other end is not in this text.
fn part_of_block(text: &str) -> Option<Range<usize>> {
    let mut open = Vec::new();
    for (at, _) in text.match_indices("{%") {
        let inside = text[at + 2..].split("%}").next().unwrap_or_default();
        let range = at..(at + inside.len() + 4).min(text.len());
        match inside.trim_start_matches(['-', '+']).split_whitespace().next() {
            Some("for" | "if") => open.push(range),
            Some("endfor" | "endif") if open.pop().is_none() => return Some(range),
            Some("else" | "elif") if open.is_empty() => return Some(range),
            _ => {}
        }
    }
    open.pop()
}

/// The name of a member, or the index of an item.
#[derive(Clone, Copy)]
enum Name<'v> {
    Key(&'v str),
    Index(usize),
}

impl Name<'_> {
    /// The part of a JSON pointer.
    fn token(self) -> String {
        match self {
            Name::Key(key) => locate::escaped(key),
            Name::Index(index) => index.to_string(),
        }
    }
}

/// The loop of a node, `for: item in items`. Any other `for` is a prop, which the checker validates.
fn loop_of(node: &Value) -> Option<&str> {
    let each = node.get("for")?.as_str()?;
    each.split_whitespace().any(|word| word == "in").then_some(each)
}

/// Whether a loop over keys and values is in braces without quotes, where a comma ends it:
/// `{for: key, value in items}`.
fn is_cut_loop(node: &Map<String, Value>) -> bool {
    let is_rest = |(key, value): (&String, &Value)| value.is_null() && key.contains(" in ");
    node.get("for").is_some_and(Value::is_string) && node.iter().any(is_rest)
}

/// Whether this is the head of a loop: names, and an expression that ends no statement.
fn is_loop(each: &str) -> bool {
    let Some((names, list)) = each.split_once(" in ") else { return false };
    let is_name = |name: &str| {
        let name = name.trim();
        name.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    let code = ["{%", "%}", "{{", "}}", "{#", "#}"];
    names.split(',').all(is_name)
        && !list.trim().is_empty()
        && code.iter().all(|sign| !list.contains(sign))
}

fn path(when: &Value) -> Result<&str> {
    let name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    when.as_str().filter(|path| !path.is_empty() && path.chars().all(name)).ok_or_else(|| {
        Error::new(
            Kind::FieldType,
            format!("when must name a value, such as `when: title`, not {when}"),
        )
        .with_help("for a condition, write a `template` and `{% if … %}` around the component")
    })
}
