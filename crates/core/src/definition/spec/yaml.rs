//! YAML definitions: the same keys as JSON, or a tree with placeholders under `widget`.
//!
//! `{{ name }}` in a text prints the value as text; a text that is only `{{ name | json }}` is
//! replaced by the value itself; `when: key` on any node removes the node if `key` is blank.

use std::fmt::Write as _;

use serde_json::Value;
use widgetcast_engine::error::{Error, Kind, Result};
use widgetcast_engine::json::locate;
use widgetcast_engine::json::write_escaped;

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
        let mut template = String::new();
        write(tree, &mut template)?;
        fields.insert("template".into(), Value::String(template));
    }
    Ok(Value::Object(fields).to_string())
}

fn parse(text: &str) -> Result<Value> {
    let parsed: std::result::Result<Value, _> = serde_saphyr::from_str(text);
    parsed.map_err(|error| {
        let place = error.location().map(|location| {
            let at = locate::offset(text, location.line() as usize, location.column() as usize);
            locate::place(text, &(at..at + 1))
        });
        let words = error.without_snippet().to_string();
        let words = words.split(" at line ").next().unwrap_or_default();
        let words = words.strip_prefix("error: ").unwrap_or(words);
        Error::new(Kind::FileSyntax, format!("this is neither JSON nor YAML: {words}"))
            .with_place(place.unwrap_or_default())
    })
}

/// The template of a file that holds Block Kit (`blocks`) or a Work Object (`entity`); none if it
/// holds neither.
pub(crate) fn sidecar_template(text: &str) -> Result<Option<String>> {
    let value = parse(text)?;
    if value.get("blocks").is_none() && value.get("entity").is_none() {
        return Ok(None);
    }
    let mut template = String::new();
    let members = value.as_object().into_iter().flatten();
    // Fields about the file are not part of what Slack receives.
    let kept =
        members.filter(|(key, _)| !matches!(key.as_str(), "version" | "name" | "description"));
    write(&kept.map(|(key, value)| (key.clone(), value.clone())).collect(), &mut template)?;
    Ok(Some(template))
}

fn write(node: &Value, out: &mut String) -> Result<()> {
    match node {
        Value::String(text) => write_text(text, out),
        Value::Array(items) => {
            write_list('[', items.iter().map(|item| (None, item)), ']', out)?;
        }
        Value::Object(members) => {
            let members = members.iter().filter(|(key, _)| *key != "when");
            write_list('{', members.map(|(key, value)| (Some(key), value)), '}', out)?;
        }
        scalar => {
            let _ = write!(out, "{scalar}");
        }
    }
    Ok(())
}

/// Items with `when` may be absent, and then so must their commas be: all are written with a leading
/// comma into a variable, and the first comma is cut off, as Studio's templates do it.
fn write_list<'v>(
    open: char,
    items: impl Iterator<Item = (Option<&'v String>, &'v Value)> + Clone,
    close: char,
    out: &mut String,
) -> Result<()> {
    out.push(open);
    if items.clone().all(|(_, item)| item.get("when").is_none()) {
        for (index, item) in items.enumerate() {
            if index > 0 {
                out.push(',');
            }
            write_item(item, out)?;
        }
    } else {
        out.push_str("{%- set _c -%}");
        for item in items {
            if let Some(when) = item.1.get("when") {
                let _ = write!(out, "{{%- if {} is not blank -%}}", path(when)?);
            }
            out.push(',');
            write_item(item, out)?;
            if item.1.get("when").is_some() {
                out.push_str("{%- endif -%}");
            }
        }
        out.push_str("{%- endset -%}{{- (_c[1:] if _c and _c[0] == ',' else _c) -}}");
    }
    out.push(close);
    Ok(())
}

/// Writes a member with its key, or an item of a list.
fn write_item((key, value): (Option<&String>, &Value), out: &mut String) -> Result<()> {
    if let Some(key) = key {
        out.push('"');
        write_escaped(key, out);
        out.push_str("\":");
    }
    write(value, out)
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

/// Writes a text: placeholders as they are, all around them escaped.
fn write_text(text: &str, out: &mut String) {
    let alone = text.trim();
    if let Some(inside) = alone.strip_prefix("{{").and_then(|rest| rest.strip_suffix("}}")) {
        let json =
            inside.rsplit_once('|').is_some_and(|(_, f)| matches!(f.trim(), "json" | "tojson"));
        if json && !inside.contains("{{") {
            out.push_str(alone);
            return;
        }
    }
    out.push('"');
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
        write_escaped(&rest[..at], out);
        out.push_str(&rest[at..at + length + 2]);
        rest = &rest[at + length + 2..];
        from = 0;
    }
    write_escaped(rest, out);
    out.push('"');
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
