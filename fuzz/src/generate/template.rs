//! Templates from bytes.

use arbitrary::{Result, Unstructured};
use serde_json::Value;

use super::text;

/// A template that writes JSON, as Studio's exporter writes it, with other constructs in between.
pub(crate) fn template(u: &mut Unstructured<'_>) -> Result<String> {
    let mut out = String::from(r#"{"type":"Card","children":["#);
    elements(u, 4, &mut out)?;
    out.push(']');
    if u.ratio(1u8, 3u8)? {
        out.push_str(r#","status":{"text":"#);
        hole(u, &mut out)?;
        out.push('}');
    }
    out.push('}');
    Ok(out)
}

/// A template that writes text, as copy text does.
pub(crate) fn prose(u: &mut Unstructured<'_>) -> Result<String> {
    let mut out = String::new();
    lines(u, 3, &mut out)?;
    Ok(out)
}

fn lines(u: &mut Unstructured<'_>, depth: usize, out: &mut String) -> Result<()> {
    for _ in 0..u.int_in_range(0..=4)? {
        match u.int_in_range(0..=if depth == 0 { 2 } else { 5 })? {
            0 => out.push_str(&text(u)?.replace(['{', '}'], "")),
            1 | 2 => {
                out.push_str("{{ ");
                expression(u, 3, out)?;
                out.push_str(" }}");
            }
            3 => {
                out.push_str("{% if ");
                expression(u, 2, out)?;
                out.push_str(" %}");
                lines(u, depth - 1, out)?;
                out.push_str(u.choose(&["{% else %}", ""])?);
                lines(u, depth - 1, out)?;
                out.push_str("{% endif %}");
            }
            4 => {
                let list = *u.choose(&["items", "a", "items[1:]", "missing", "x.name"])?;
                out.push_str(&format!("{{% for x in {list} %}}"));
                lines(u, depth - 1, out)?;
                out.push_str(u.choose(&["{% else %}", ""])?);
                lines(u, depth - 1, out)?;
                out.push_str("{% endfor %}");
            }
            _ => {
                out.push_str("{% set b = ");
                expression(u, 2, out)?;
                out.push_str(" %}");
            }
        }
    }
    Ok(())
}

fn elements(u: &mut Unstructured<'_>, depth: usize, out: &mut String) -> Result<()> {
    let is_captured = u.ratio(2u8, 3u8)?;
    if is_captured {
        out.push_str("{%- set _c -%}");
    }
    for index in 0..u.int_in_range(0..=3)? {
        if is_captured || index > 0 {
            out.push(',');
        }
        element(u, depth, out)?;
    }
    if is_captured {
        out.push_str("{%- endset -%}{{- (_c[1:] if _c and _c[0] == ',' else _c) -}}");
    }
    Ok(())
}

fn element(u: &mut Unstructured<'_>, depth: usize, out: &mut String) -> Result<()> {
    match u.int_in_range(0..=if depth == 0 { 2 } else { 6 })? {
        0 => {
            out.push_str(r#"{"type":"Text","value":"#);
            hole(u, out)?;
            out.push('}');
        }
        1 => {
            out.push_str(r#"{"type":"Button","label":"#);
            hole(u, out)?;
            out.push_str(r#","onClickAction":{"type":"a","payload":"#);
            hole(u, out)?;
            out.push_str("}}");
        }
        2 => {
            let words = Value::from(text(u)?.replace(['{', '}'], "")).to_string();
            out.push_str(&format!(r#"{{"type":"Markdown","value":{words}}}"#));
        }
        3 => {
            out.push_str(r#"{"type":"Row","children":["#);
            elements(u, depth - 1, out)?;
            out.push_str("]}");
        }
        4 => {
            let list = *u.choose(&["items", "a", "b", "range(3)", "items[:2]", "[1, 2]"])?;
            out.push_str(&format!(
                r#"{{"type":"Col","children":[{{%- set _c -%}}{{%-for x in {list} -%}},"#
            ));
            element(u, depth - 1, out)?;
            out.push_str(
                "{%-endfor-%}{%- endset -%}{{- (_c[1:] if _c and _c[0] == ',' else _c) -}}]}",
            );
        }
        5 => {
            out.push_str("{%-if ");
            expression(u, 2, out)?;
            out.push_str(" -%}");
            element(u, depth - 1, out)?;
            out.push_str("{%-else-%}");
            element(u, depth - 1, out)?;
            out.push_str("{%-endif-%}");
        }
        _ => {
            out.push_str("{%- set b = ");
            expression(u, 2, out)?;
            out.push_str(" -%}");
            element(u, depth - 1, out)?;
        }
    }
    Ok(())
}

fn hole(u: &mut Unstructured<'_>, out: &mut String) -> Result<()> {
    let is_quoted = u.ratio(1u8, 6u8)?;
    out.push_str(if is_quoted { "\"{{ " } else { "{{ (" });
    expression(u, 3, out)?;
    out.push_str(if is_quoted { " }}\"" } else { ") | tojson }}" });
    Ok(())
}

fn expression(u: &mut Unstructured<'_>, depth: usize, out: &mut String) -> Result<()> {
    const LEAVES: &[&str] = &[
        "a",
        "b",
        "items",
        "x",
        "x.name",
        "x.a",
        "a.b",
        "items[0]",
        "items[-1]",
        "loop.index",
        "loop.last",
        "loop.first",
        "1",
        "-2",
        "0.5",
        "\"t\"",
        "''",
        "true",
        "none",
        "[]",
        "{}",
        "undefined_name",
        "items|length",
        "x['a']",
        "{'t': 1, 'a': 'b'}[a]",
        "a in ['t', 1, none]",
    ];
    const FILTERS: &[&str] = &[
        "upper",
        "lower",
        "length",
        "default('d')",
        "join(', ')",
        "first",
        "last",
        "round(1)",
        "int",
        "float",
        "string",
        "trim",
        "title",
        "sort",
        "reverse",
        "unique",
        "list",
        "tojson",
        "abs",
        "replace('a', 'b')",
        "truncate(3)",
        "batch(2)",
        "sum",
        "min",
        "max",
        "e",
        "items",
        "urlencode",
    ];
    if depth == 0 || u.ratio(1u8, 3u8)? {
        out.push_str(u.choose(LEAVES)?);
        return Ok(());
    }
    out.push('(');
    match u.int_in_range(0..=4)? {
        0 => {
            expression(u, depth - 1, out)?;
            let signs = [
                " ~ ", " + ", " - ", " * ", " / ", " == ", " != ", " < ", " and ", " or ", " in ",
                " % ", " // ",
            ];
            out.push_str(u.choose(&signs)?);
            expression(u, depth - 1, out)?;
        }
        1 => {
            expression(u, depth - 1, out)?;
            out.push_str(" | ");
            out.push_str(u.choose(FILTERS)?);
        }
        2 => {
            expression(u, depth - 1, out)?;
            out.push_str(" if ");
            expression(u, depth - 1, out)?;
            out.push_str(" else ");
            expression(u, depth - 1, out)?;
        }
        3 => {
            out.push_str("not ");
            expression(u, depth - 1, out)?;
        }
        _ => {
            expression(u, depth - 1, out)?;
            out.push_str(u.choose(&[
                "[0]",
                "[1:]",
                "[:2]",
                ".a",
                ".name",
                " is defined",
                " is none",
                " is string",
            ])?);
        }
    }
    out.push(')');
    Ok(())
}
