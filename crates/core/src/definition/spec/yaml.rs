//! YAML definitions, with the same keys as JSON; and in both a tree with placeholders under `widget`.
//!
//! `{{ name }}` in a text prints the value as text; a text that is only `{{ name | json }}` is
//! replaced by the value itself; `when: key` on any node removes the node if `key` is blank, and
//! `for: item in items` on an item of a list repeats it.

use std::borrow::Cow;

use serde_json::Value;
use widgetcast_engine::error::{Error, Kind, Result};
use widgetcast_engine::json::locate;

use super::raw::{Fields, is_json};
use super::tree_template::{Piece, pieces_of, template_of};
#[cfg(feature = "yaml")]
use super::yaml_error::not_yaml;

#[cfg(test)]
thread_local! {
    /// The number of texts that this thread has converted to JSON.
    pub(super) static READS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// The definition as JSON text, with a `widget` tree converted to a template.
pub(super) fn to_json(text: &str) -> Result<String> {
    #[cfg(test)]
    READS.set(READS.get() + 1);
    let value = parse(text)?;
    let Value::Object(mut fields) = value else {
        return Err(not_an_object(text, &value));
    };
    if let (Some(tree), None) = (fields.get("widget"), fields.get("template")) {
        let template = template_of(tree, "/widget", text)?;
        fields.insert("template".into(), Value::String(template));
    }
    Ok(Value::Object(fields).to_string())
}

/// The error for YAML other than an object.
fn not_an_object(text: &str, value: &Value) -> Error {
    const WANTED: &str = "a widget must be an object with version, name and template";
    let is_blank = text.trim().is_empty();
    let start = if is_blank { 0 } else { text.len() - text.trim_start().len() };
    let (message, help) = match value {
        Value::Null if !is_blank => ("the file contains only comments", WANTED),
        Value::Null => ("the file is empty", "create one with `widgetcast new \"My Widget\"`"),
        _ if text[start..].starts_with('<') => ("this is HTML or XML, not a widget", WANTED),
        Value::Array(_) => ("this is a list, but a file must contain one widget", WANTED),
        _ => (WANTED, ""),
    };
    let end = text[start..].find('\n').map_or(text.len(), |line| start + line);
    Error::new(Kind::FileSyntax, message)
        .with_help(help)
        .with_place(locate::place(text, &(start..end.max(start + 1))))
}

/// A definition in JSON, with a `widget` tree converted to a template; unchanged if it has none.
pub(super) fn with_template(text: &str) -> Result<Cow<'_, str>> {
    // Inside a template, each quote is escaped, so few files are parsed twice.
    if !text.contains("\"widget\"") {
        return Ok(Cow::Borrowed(text));
    }
    let Some(tree) = json_tree(text) else { return Ok(Cow::Borrowed(text)) };
    let template = template_of(&tree, "/widget", text)?;
    // At the end, so that what precedes keeps its place.
    let open = text.trim_end().strip_suffix('}').unwrap_or(text);
    Ok(Cow::Owned(format!("{open},\"template\":{}}}", Value::String(template))))
}

/// The tree of a JSON definition without a template.
fn json_tree(text: &str) -> Option<Value> {
    let fields: Fields<'_> = serde_json::from_str(text).ok()?;
    match (fields.widget, fields.template) {
        (Some(tree), None) => serde_json::from_str(tree.get()).ok(),
        _ => None,
    }
}

/// The tree of a definition without a template.
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

#[cfg(not(feature = "yaml"))]
fn parse(text: &str) -> Result<Value> {
    let words = "this is not JSON, and widgetcast was built without the feature `yaml`";
    serde_json::from_str(text).map_err(|_| Error::new(Kind::FileSyntax, words))
}

#[cfg(feature = "yaml")]
fn parse(text: &str) -> Result<Value> {
    // YAML 1.2: only `true` and `false` are booleans; `yes`, `no`, `on`, `off`, `y` and `n` are strings.
    let options = serde_saphyr::options! { strict_booleans: true };
    let parsed: std::result::Result<Value, _> = serde_saphyr::from_str_with_options(text, options);
    parsed.map_err(|error| {
        let position = error.location().map(|at| (at.line() as usize, at.column() as usize));
        not_yaml(text, &error.without_snippet().to_string(), position)
    })
}

/// The tree of a file with Block Kit (`blocks`) or a Work Object (`entity`); `None` if it contains neither.
fn sidecar_tree(text: &str) -> Result<Option<Value>> {
    let mut value = parse(text)?;
    // Blocks and Work Objects of Slack, and Adaptive Cards.
    if ["blocks", "entity", "body"].iter().all(|key| value.get(key).is_none()) {
        return Ok(None);
    }
    if let Value::Object(members) = &mut value {
        // Metadata of the file is not sent to the host; a card has a version, too.
        let is_card = members.contains_key("body");
        members.retain(|key, _| match key.as_str() {
            "name" | "description" => false,
            "version" => is_card,
            _ => true,
        });
    }
    Ok(Some(value))
}

/// The template of a sidecar; `None` if the file is not one.
pub(crate) fn sidecar_template(text: &str) -> Result<Option<String>> {
    let Some(tree) = sidecar_tree(text)? else { return Ok(None) };
    template_of(&tree, "", text).map(Some)
}

/// A template that returns, in place of each value of a sidecar, the pointer to it: so the existing items for
/// some data are known, whatever `when` omits.
pub(crate) fn sidecar_trace(text: &str) -> Option<String> {
    template_of(&pointers(&sidecar_tree(text).ok()??, ""), "", text).ok()
}

fn pointers(node: &Value, pointer: &str) -> Value {
    match node {
        Value::Array(items) if !items.is_empty() => {
            let items = items.iter().enumerate();
            items.map(|(n, item)| pointers(item, &format!("{pointer}/{n}"))).collect()
        }
        Value::Object(members) if !members.is_empty() => {
            let member = |(key, value): (&String, &Value)| match key.as_str() {
                "when" | "for" => (key.clone(), value.clone()),
                _ => (key.clone(), pointers(value, &format!("{pointer}/{}", locate::escaped(key)))),
            };
            members.iter().map(member).collect()
        }
        _ => pointer.into(),
    }
}

/// The source in the `widget` tree of each part of the template; empty if there is no tree.
pub(super) fn pieces(text: &str) -> Vec<Piece> {
    tree(text).map(|tree| pieces_of(&tree, "/widget")).unwrap_or_default()
}

/// The source in a sidecar of each part of its template.
pub(super) fn sidecar_pieces(text: &str) -> Vec<Piece> {
    sidecar_tree(text).ok().flatten().map(|tree| pieces_of(&tree, "")).unwrap_or_default()
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
            (r#"'{ "brace" {'"#, r#""{ \"brace\" {""#),
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

    #[test]
    fn code_must_be_whole_in_its_text() {
        for (tree, column, message) in [
            ("{a: x, b: 'say {{ open'}", 24, "`{{` is not closed"),
            ("{a: 'é {{ one }', b: '{{ two }}'}", 16, "`{{` is not closed"),
            ("{a: '{% if x'}", 14, "`{%` is not closed"),
            ("['{% for a in b %}', '{{ a }}', '{% endfor %}']", 11, "cannot span"),
            ("['a', '{%- endif %}']", 16, "cannot span"),
            ("['{% else %}']", 11, "cannot span"),
        ] {
            let text = format!("version: 1.0\nname: A\nwidget: {tree}\n");
            let error = to_json(&text).expect_err(tree);
            assert_eq!(error.kind(), Kind::TemplateSyntax);
            assert!(error.message().contains(message), "{error}");
            assert_eq!(error.place().position, Some((3, column)), "{tree}");
        }
        assert_eq!(
            template("'{% for a in b %}{% if a %}x{% else %}y{% endif %}{% endfor %}'"),
            "\"{% for a in b %}{% if a %}x{% else %}y{% endif %}{% endfor %}\""
        );
    }

    /// YAML 1.2 has no booleans except `true` and `false`.
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
            assert_eq!(error.help(), "indent with spaces; YAML does not allow tabs");
        }
    }

    /// Each mistake has specific help, and none mentions the parser's settings.
    #[test]
    fn mistakes_have_advice() {
        for (text, help) in [
            ("a: {{ x }}\n", "starts with a brace"),
            ("a: {% if x %}\n", "starts with this character"),
            ("- {a: How was {{ x }}?}\n", "put the text with {{ }} in quotes"),
            ("- [How was {{ x }}?]\n", "put the text with {{ }} in quotes"),
            ("a: @x\n", "starts with this character"),
            ("a: *x\n", "starts with `*`"),
            ("a: b: c\n", "a colon and a space"),
            ("a:b\nc: 1\n", "a space after its colon"),
            ("a:\n   b: 1\n  c: 2\n", "start in the same column"),
            ("t: |\n  {\n x\n  }\n", "indented more than its key"),
            ("t: |\nfoo\nb: 1\n", "indented more than its key"),
            ("a: 'it's'\n", "double a quote"),
            ("a: \"say \"x\"\"\n", "as \\\""),
            ("a: \"x\nb: 1\n", "close it"),
            ("a: [1, 2\nb: 3\n", "not closed"),
            ("a: {x: 1\nb: 3\n", "not closed"),
            ("a: - x\n", "after its key"),
            ("a: > text\n", "the line after"),
            ("a: \"\\q\"\n", "double a backslash"),
            ("a: 1\na: 2\n", "remove one"),
            ("a: 1\n---\nb: 2\n", "remove the line"),
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
        assert!(error.message().starts_with("this is neither valid JSON nor YAML: "), "{error}");
        assert!(error.place().position.is_some());
        for (text, message) in [
            ("- a\n", "this is a list, but a file must contain one widget"),
            ("", "the file is empty"),
            (" \n\n", "the file is empty"),
            ("# a widget\n", "the file contains only comments"),
            ("<!doctype html>\n<p>Hi</p>\n", "this is HTML or XML, not a widget"),
            ("Hi\n", "a widget must be an object with version, name and template"),
        ] {
            let error = to_json(text).expect_err(text);
            assert_eq!((error.message(), error.place().position), (message, Some((1, 1))));
        }
    }

    /// The parser reports what follows the next quote; the author needs the first one.
    #[test]
    fn a_quote_that_is_not_closed_is_shown() {
        for (text, line, column) in [
            ("a: \"b\nc: 1\n", 1, 4),
            ("x:\n  - {a: \"b}\n  - {a: \"c\"}\n", 2, 9),
            ("a: 'b\n\nc: 'd'\n", 1, 4),
        ] {
            let error = to_json(text).expect_err(text);
            assert!(error.message().ends_with("this quote is not closed"), "{text:?}: {error}");
            assert_eq!(error.place().position, Some((line, column)), "{text:?}");
        }
        let error = to_json("a: \"it\" is\nb: 'it's'\n").expect_err("more than a text");
        assert!(!error.message().contains("not closed"), "{error}");
    }
}
