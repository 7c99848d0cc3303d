//! YAML definitions, with the same keys as JSON; and in both a tree with placeholders under `widget`.
//!
//! `{{ name }}` in a text prints the value as text; a text that is only `{{ name | json }}` is
//! replaced by the value itself; `when: key` on any node removes the node if `key` is blank.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::ops::Range;

use serde_json::Value;
use widgetcast_engine::error::{Error, Kind, Result};
use widgetcast_engine::json::locate;
use widgetcast_engine::json::write_escaped;

use super::marks::Marks;
use super::yaml_error::not_yaml;
use super::{Fields, is_json};

#[cfg(test)]
thread_local! {
    /// How many texts were turned into JSON by this thread.
    pub(super) static READS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// The definition as JSON text, a `widget` tree turned into a template.
pub(super) fn to_json(text: &str) -> Result<String> {
    #[cfg(test)]
    READS.set(READS.get() + 1);
    let value = parse(text)?;
    let Value::Object(mut fields) = value else {
        return Err(Error::new(
            Kind::FileSyntax,
            "a widget is an object with version, name and template",
        )
        .with_place(locate::place(text, &(0..1))));
    };
    if let (Some(tree), None) = (fields.get("widget"), fields.get("template")) {
        let mut writer = Writer::new("/widget");
        writer.write(tree).map_err(|error| placed(error, text))?;
        fields.insert("template".into(), Value::String(writer.out));
    }
    Ok(Value::Object(fields).to_string())
}

/// A definition in JSON, with the template that its `widget` tree stands for; as it is if it has none.
pub(super) fn with_template(text: &str) -> Result<Cow<'_, str>> {
    // Inside a template each quote has a backslash before it, so that few files are read twice.
    if !text.contains("\"widget\"") {
        return Ok(Cow::Borrowed(text));
    }
    let Some(tree) = json_tree(text) else { return Ok(Cow::Borrowed(text)) };
    let mut writer = Writer::new("/widget");
    writer.write(&tree).map_err(|error| placed(error, text))?;
    // At the end, so that what stands before keeps its place.
    let open = text.trim_end().strip_suffix('}').unwrap_or(text);
    Ok(Cow::Owned(format!("{open},\"template\":{}}}", Value::String(writer.out))))
}

/// The tree of a definition in JSON that has no template.
fn json_tree(text: &str) -> Option<Value> {
    let fields: Fields<'_> = serde_json::from_str(text).ok()?;
    match (fields.widget, fields.template) {
        (Some(tree), None) => serde_json::from_str(tree.get()).ok(),
        _ => None,
    }
}

/// The tree of a definition that has no template.
fn tree(text: &str) -> Option<Value> {
    if is_json(text) {
        return json_tree(text);
    }
    let mut value = parse(text).ok()?;
    match value.get("template") {
        Some(_) => None,
        None => value.get_mut("widget").map(Value::take),
    }
}

fn parse(text: &str) -> Result<Value> {
    // YAML 1.2: only `true` and `false` are booleans, `yes`, `no`, `on`, `off`, `y` and `n` are texts.
    let options = serde_saphyr::options! { strict_booleans: true };
    let parsed: std::result::Result<Value, _> = serde_saphyr::from_str_with_options(text, options);
    parsed.map_err(|error| {
        let position = error.location().map(|at| (at.line() as usize, at.column() as usize));
        not_yaml(text, &error.without_snippet().to_string(), position)
    })
}

/// Gives an error that has a pointer the place of it in the text.
fn placed(error: Error, text: &str) -> Error {
    let range = Marks::read(text).range(&error.place().pointer);
    error.with_place(locate::place(text, &range))
}

/// The tree of a file that holds Block Kit (`blocks`) or a Work Object (`entity`); none if it holds
/// neither.
fn sidecar_tree(text: &str) -> Result<Option<Value>> {
    let mut value = parse(text)?;
    if value.get("blocks").is_none() && value.get("entity").is_none() {
        return Ok(None);
    }
    if let Value::Object(members) = &mut value {
        // Fields about the file are not part of what Slack receives.
        members.retain(|key, _| !matches!(key.as_str(), "version" | "name" | "description"));
    }
    Ok(Some(value))
}

/// The template of a sidecar; none if the file is not one.
pub(crate) fn sidecar_template(text: &str) -> Result<Option<String>> {
    let Some(tree) = sidecar_tree(text)? else { return Ok(None) };
    let mut writer = Writer::new("");
    writer.write(&tree).map_err(|error| placed(error, text))?;
    Ok(Some(writer.out))
}

/// A template that gives, in place of each value of a sidecar, the pointer to it: so the items that
/// are there for some data are known, whatever `when` leaves out.
pub(crate) fn sidecar_trace(text: &str) -> Option<String> {
    let mut writer = Writer::new("");
    writer.write(&pointers(&sidecar_tree(text).ok()??, "")).ok()?;
    Some(writer.out)
}

fn pointers(node: &Value, pointer: &str) -> Value {
    match node {
        Value::Array(items) if !items.is_empty() => {
            let items = items.iter().enumerate();
            items.map(|(n, item)| pointers(item, &format!("{pointer}/{n}"))).collect()
        }
        Value::Object(members) if !members.is_empty() => {
            let member = |(key, value): (&String, &Value)| match key.as_str() {
                "when" => (key.clone(), value.clone()),
                _ => (key.clone(), pointers(value, &format!("{pointer}/{}", locate::escaped(key)))),
            };
            members.iter().map(member).collect()
        }
        _ => pointer.into(),
    }
}

/// Which part of the tree under `widget` wrote each part of the template; empty if it is no such tree.
pub(super) fn pieces(text: &str) -> Vec<Piece> {
    let Some(tree) = tree(text) else { return Vec::new() };
    pieces_of(&tree, "/widget")
}

/// Which part of a sidecar wrote each part of its template.
pub(super) fn sidecar_pieces(text: &str) -> Vec<Piece> {
    sidecar_tree(text).ok().flatten().map(|tree| pieces_of(&tree, "")).unwrap_or_default()
}

fn pieces_of(tree: &Value, pointer: &str) -> Vec<Piece> {
    let mut writer = Writer { pieces: Some(Vec::new()), ..Writer::new(pointer) };
    // What cannot be written is an error when the template is made.
    let _ = writer.write(tree);
    writer.pieces.unwrap_or_default()
}

/// The most bytes of the pointers of all pieces: a long key above many items would be repeated for each.
/// A finding about a node that is not recorded stands at one around it.
const MAX_POINTERS: usize = 16 << 20;

/// A range of the template, and what it was written from.
#[derive(Debug)]
pub(super) struct Piece {
    pub range: Range<usize>,
    pub pointer: String,
    pub part: Part,
}

/// The part of a node that a piece of the template was written from.
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
    /// The node that is being written.
    pointer: String,
    pieces: Option<Vec<Piece>>,
    /// How many more bytes of pointers may be recorded.
    room: usize,
}

impl Writer {
    fn new(pointer: &str) -> Self {
        Self { out: String::new(), pointer: pointer.to_owned(), pieces: None, room: MAX_POINTERS }
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
                let members = members.iter().filter(|(key, _)| *key != "when");
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

    /// Items with `when` may be absent, and then so must their commas be: all are written with a leading
    /// comma into a variable, and the first comma is cut off, as Studio's templates do it.
    fn write_list<'v>(
        &mut self,
        open: char,
        items: impl Iterator<Item = (Name<'v>, &'v Value)> + Clone,
        close: char,
    ) -> Result<()> {
        self.out.push(open);
        if items.clone().all(|(_, item)| item.get("when").is_none()) {
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
        let when = item.get("when");
        if let Some(when) = when {
            let path = path(when).map_err(|error| {
                let name = name.token();
                error.with_pointer(format!("{}/{name}/when", self.pointer))
            })?;
            let _ = write!(self.out, "{{%- if {path} is not blank -%}}");
        }
        self.out.push(',');
        self.write_item((name, item))?;
        if when.is_some() {
            self.out.push_str("{%- endif -%}");
        }
        Ok(())
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

    /// Writes a text: placeholders as they are, all around them escaped.
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
        // Searching goes on after the last brace, so that a long text is walked once.
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
            let Some(length) = rest[at..].find(close) else { break };
            write_escaped(&rest[..at], &mut self.out);
            self.write_placeholder(&rest[at..at + length + 2], text.len() - rest.len() + at);
            rest = &rest[at + length + 2..];
            from = 0;
        }
        write_escaped(rest, &mut self.out);
        self.out.push('"');
    }

    fn write_placeholder(&mut self, placeholder: &str, at: usize) {
        let start = self.out.len();
        self.out.push_str(placeholder);
        self.record(start, Part::Text(at));
    }
}

/// The name of a member, or the number of an item.
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

fn path(when: &Value) -> Result<&str> {
    let name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
    when.as_str().filter(|path| !path.is_empty() && path.chars().all(name)).ok_or_else(|| {
        Error::new(
            Kind::FieldType,
            format!("when must name a value, such as `when: title`, not {when}"),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn template(tree: &str) -> String {
        let json = to_json(&format!("version: 1.0\nname: A\nwidget: {tree}\n")).expect("a widget");
        let fields: Value = serde_json::from_str(&json).expect("JSON");
        fields["template"].as_str().expect("a template").to_owned()
    }

    #[test]
    fn trees_become_templates() {
        for (tree, expected) in [
            (r#"{a: 1, b: [true, null]}"#, r#"{"a":1,"b":[true,null]}"#),
            (r#"'say "{{ a }}" and {{b}}'"#, r#""say \"{{ a }}\" and {{b}}""#),
            (r#"'{{ a | json }}'"#, "{{ a | json }}"),
            (r#"' {{ a | tojson }} '"#, "{{ a | tojson }}"),
            (r#"'{{ a }}'"#, r#""{{ a }}""#),
            (r#"'{{ a | json }}{{ b | json }}'"#, r#""{{ a | json }}{{ b | json }}""#),
            (r#"'{% if a %}"{% endif %}'"#, r#""{% if a %}\"{% endif %}""#),
            (r#"'{ "brace" {{ open'"#, r#""{ \"brace\" {{ open""#),
        ] {
            assert_eq!(template(tree), expected, "{tree}");
        }
    }

    #[test]
    fn members_with_a_condition_bring_their_own_comma() {
        let tree = "{a: {when: x.y, b: 1}, c: 2}";
        assert_eq!(
            template(tree),
            "{{%- set _c -%}{%- if x.y is not blank -%},\"a\":{\"b\":1}{%- endif -%},\"c\":2\
             {%- endset -%}{{- (_c[1:] if _c and _c[0] == ',' else _c) -}}}"
        );
        for wrong in ["''", "'a b'", "3", "[a]", "'a|b'"] {
            let text = format!("version: 1.0\nname: A\nwidget: [{{when: {wrong}}}]\n");
            let error = to_json(&text).expect_err(wrong);
            assert_eq!(error.kind(), Kind::FieldType);
            assert!(error.message().starts_with("when must name a value"), "{error}");
        }
    }

    /// YAML 1.2 has no other booleans than `true` and `false`.
    #[test]
    fn yes_and_no_are_texts() {
        for word in ["yes", "No", "y", "n", "on", "OFF", "Y"] {
            let json = to_json(&format!("{word}: {word}\nlist: [{word}]\n")).expect(word);
            assert_eq!(json, format!(r#"{{"{word}":"{word}","list":["{word}"]}}"#));
            let blocks = sidecar_template(&format!("blocks: [{{a: {word}}}]\n")).expect(word);
            assert_eq!(blocks, Some(format!(r#"{{"blocks":[{{"a":"{word}"}}]}}"#)));
        }
        assert_eq!(to_json("a: [true, False]\n").expect("YAML"), r#"{"a":[true,false]}"#);
    }

    #[test]
    fn a_tab_is_shown_where_it_stands() {
        for (text, position) in [
            ("version: 1.0\nsample:\n\ta: 1\n", (3, 1)),
            ("version: 1.0\ntemplate: |\n\t{}\n", (3, 1)),
            ("a:\n  b: 1\n\tc: 2\n", (3, 1)),
            ("a:\n  b: 1\n\n  \tc: 2\n", (4, 3)),
        ] {
            let error = to_json(text).expect_err(text);
            assert_eq!(error.place().position, Some(position), "{text:?}");
            assert_eq!(error.help(), "indent with spaces; YAML allows no tabs there");
        }
    }

    /// Each mistake has its advice, and none speaks of the parser's settings.
    #[test]
    fn mistakes_have_advice() {
        for (text, help) in [
            ("a: {{ x }}\n", "begins with a brace"),
            ("a: {% if x %}\n", "begins with this character"),
            ("a: @x\n", "begins with this character"),
            ("a: *x\n", "begins with `*`"),
            ("a: b: c\n", "a colon and a space"),
            ("a:b\nc: 1\n", "a space after its colon"),
            ("a:\n   b: 1\n  c: 2\n", "begin in one column"),
            ("t: |\n  {\n x\n  }\n", "indented more than its key"),
            ("t: |\nfoo\nb: 1\n", "indented more than its key"),
            ("a: 'it's'\n", "written twice"),
            ("a: \"say \"x\"\"\n", "as \\\""),
            ("a: \"x\nb: 1\n", "not closed"),
            ("a: [1, 2\nb: 3\n", "not closed"),
            ("a: {x: 1\nb: 3\n", "not closed"),
            ("a: - x\n", "after its key"),
            ("a: > text\n", "the line after"),
            ("a: \"\\q\"\n", "a backslash is written twice"),
            ("a: 1\na: 2\n", "leave out one"),
            ("a: 1\n---\nb: 2\n", "leave out the line"),
            ("a: .inf\n", ""),
            ("a: &a [*a]\n", ""),
        ] {
            let error = to_json(text).expect_err(text);
            assert!(error.help().contains(help), "{text:?}: {error:#}");
            assert!(error.place().position.is_some(), "{text:?}: {error:#}");
            for word in ["Options", "policy", "from_str", "weak", "scalar at"] {
                assert!(!error.message().contains(word), "{text:?}: {error}");
            }
        }
    }

    #[test]
    fn sidecars_are_told_by_their_keys() {
        let blocks = "version: 1.0\nname: A\ndescription: B\nblocks: [{text: '{{ a }}'}]\n";
        let expected = Some(r#"{"blocks":[{"text":"{{ a }}"}]}"#.to_owned());
        assert_eq!(sidecar_template(blocks).expect("YAML"), expected);
        assert!(sidecar_template("entity: {}\n").expect("YAML").is_some());
        assert_eq!(sidecar_template("services: {}\n").expect("YAML"), None);
        assert!(sidecar_template("a: [\n").is_err());
    }

    #[test]
    fn errors_have_their_line() {
        let error = to_json("version: 1.0\nname: [\n").expect_err("broken");
        assert!(error.message().starts_with("this is neither JSON nor YAML: "), "{error}");
        assert!(error.place().position.is_some());
        let error = to_json("- a\n").expect_err("a list");
        assert_eq!(error.message(), "a widget is an object with version, name and template");
        assert_eq!(error.place().position, Some((1, 1)));
    }
}
