//! The YAML forms: the same keys as JSON, or a tree with placeholders under `widget`.
//!
//! `{{ name }}` in a text prints the value as text; a text that is only `{{ name | json }}` is
//! replaced by the value itself; `when: key` on any node removes the node if `key` is blank.

use std::fmt::Write as _;

use serde_json::Value;
use widgetcast_engine::error::{Error, Kind, Result};
use widgetcast_engine::json::locate;
use widgetcast_engine::json::write_escaped;

/// The definition as JSON text, a `widget` tree turned into a template.
pub(super) fn to_json(text: &str) -> Result<String> {
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
pub(crate) fn side_template(text: &str) -> Result<Option<String>> {
    let value = parse(text)?;
    if value.get("blocks").is_none() && value.get("entity").is_none() {
        return Ok(None);
    }
    let mut template = String::new();
    let members = value.as_object().into_iter().flatten();
    // What the file says about itself is not part of what Slack gets.
    let kept =
        members.filter(|(key, _)| !matches!(key.as_str(), "version" | "name" | "description"));
    write(&kept.map(|(key, value)| (key.clone(), value.clone())).collect(), &mut template)?;
    Ok(Some(template))
}

fn write(node: &Value, out: &mut String) -> Result<()> {
    match node {
        Value::String(text) => write_text(text, out),
        Value::Array(items) => {
            let items: Vec<(Option<&Value>, String)> = items
                .iter()
                .map(|item| Ok((item.get("when"), written(item)?)))
                .collect::<Result<_>>()?;
            write_list('[', &items, ']', out)?;
        }
        Value::Object(members) => {
            let members: Vec<(Option<&Value>, String)> = members
                .iter()
                .filter(|(key, _)| *key != "when")
                .map(|(key, value)| {
                    Ok((
                        value.get("when"),
                        format!("{}:{}", Value::String(key.clone()), written(value)?),
                    ))
                })
                .collect::<Result<_>>()?;
            write_list('{', &members, '}', out)?;
        }
        scalar => {
            let _ = write!(out, "{scalar}");
        }
    }
    Ok(())
}

fn written(node: &Value) -> Result<String> {
    let mut out = String::new();
    write(node, &mut out)?;
    Ok(out)
}

/// Items with a condition need commas that come and go: Studio's idiom does that.
fn write_list(
    open: char,
    items: &[(Option<&Value>, String)],
    close: char,
    out: &mut String,
) -> Result<()> {
    out.push(open);
    if items.iter().all(|(when, _)| when.is_none()) {
        let texts: Vec<&str> = items.iter().map(|(_, text)| text.as_str()).collect();
        out.push_str(&texts.join(","));
    } else {
        out.push_str("{%- set _c -%}");
        for (when, text) in items {
            match when {
                None => _ = write!(out, ",{text}"),
                Some(when) => {
                    let _ = write!(
                        out,
                        "{{%- if {} is not blank -%}},{text}{{%- endif -%}}",
                        path(when)?
                    );
                }
            }
        }
        out.push_str("{%- endset -%}{{- (_c[1:] if _c and _c[0] == ',' else _c) -}}");
    }
    out.push(close);
    Ok(())
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

/// A text with placeholders: what is around them is escaped, they are not.
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
    // From brace to brace, so that a long text is walked once.
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
