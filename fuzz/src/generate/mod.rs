//! From bytes to inputs that mean something: trees, templates, schemas, data, messages. Every choice
//! takes some of the bytes, so that a small change of them is a small change of the input.

mod template;

use arbitrary::{Result, Unstructured};
use serde_json::{Map, Value, json};
use widgetcast_core::component::COMPONENTS;

pub(crate) use template::{prose, template};

/// Pieces of text that printers and parsers treat in their own way.
const PIECES: &[&str] = &[
    "a",
    "word ",
    "\n",
    "\n\n",
    "[",
    "](",
    ")",
    "![",
    "*",
    "**",
    "_",
    "`",
    "```\n",
    "~~",
    "<",
    ">",
    "<b>",
    "<!--",
    "&amp;",
    "&",
    "|",
    "|-|\n",
    "# ",
    "- ",
    "1. ",
    "> ",
    "- [ ] ",
    "\\",
    "\"",
    "{{",
    "}}",
    "{%",
    "%}",
    "\t",
    "\r",
    "\u{0}",
    "\u{1b}[31m",
    "\u{7f}",
    "\u{9b}",
    "\u{a0}",
    "\u{301}",
    "\u{200d}",
    "\u{202e}",
    "\u{2028}",
    "\u{feff}",
    "字",
    "👩\u{200d}👩",
    "🇫🇷",
    "ש",
    "https://a.example/",
    "data:",
    "0",
    "1e999",
    "-1",
    "null",
    "T00:00",
    "2027-03-18",
    "lucide:plane",
    "100%",
    "é",
];

/// The names of props that surfaces read.
const PROPS: &[&str] = &[
    "value",
    "label",
    "name",
    "alt",
    "src",
    "size",
    "color",
    "background",
    "width",
    "height",
    "gap",
    "padding",
    "border",
    "flex",
    "justify",
    "align",
    "direction",
    "wrap",
    "weight",
    "italic",
    "lineThrough",
    "textAlign",
    "editable",
    "options",
    "defaultValue",
    "placeholder",
    "required",
    "disabled",
    "defaultChecked",
    "onClickAction",
    "onSubmitAction",
    "onChangeAction",
    "asForm",
    "confirm",
    "cancel",
    "status",
    "data",
    "series",
    "xAxis",
    "colSpan",
    "rowSpan",
    "header",
    "fieldName",
    "iconStart",
    "iconEnd",
    "submit",
    "style",
    "variant",
    "inputType",
    "pattern",
    "min",
    "max",
];

/// The names in data and templates.
const NAMES: &[&str] = &["a", "b", "items", "x", "name", "loop", "index", "_c"];

/// Lengths at which hosts refuse or cut a text.
const LIMITS: &[usize] = &[50, 75, 150, 200, 255, 2_000, 3_000, 12_000];

/// A text of up to some pieces.
pub(crate) fn text(u: &mut Unstructured<'_>) -> Result<String> {
    let mut out = String::new();
    for _ in 0..u.int_in_range(0..=8)? {
        let piece = *u.choose(PIECES)?;
        let times = if u.ratio(1u8, 16u8)? { u.int_in_range(2..=60)? } else { 1 };
        out.push_str(&piece.repeat(times));
    }
    if u.ratio(1u8, 12u8)? {
        let length = *u.choose(LIMITS)? + u.int_in_range(0..=2)? - 1;
        let missing = length.saturating_sub(out.encode_utf16().count());
        out.push_str(&"x".repeat(missing));
    }
    Ok(out)
}

/// Any JSON value.
pub(crate) fn json(u: &mut Unstructured<'_>, depth: usize) -> Result<Value> {
    let most = if depth == 0 { 5 } else { 7 };
    Ok(match u.int_in_range(0..=most)? {
        0 => Value::Null,
        1 => u.arbitrary::<bool>()?.into(),
        2 => u.arbitrary::<i64>()?.into(),
        3 => Value::from(u.arbitrary::<f64>()?),
        4 => u.int_in_range(-3..=100)?.into(),
        5 => text(u)?.into(),
        6 => (0..u.int_in_range(0..=5)?).map(|_| json(u, depth - 1)).collect::<Result<_>>()?,
        _ => Value::Object(
            (0..u.int_in_range(0..=5)?)
                .map(|_| Ok((name(u)?, json(u, depth - 1)?)))
                .collect::<Result<Map<_, _>>>()?,
        ),
    })
}

fn name(u: &mut Unstructured<'_>) -> Result<String> {
    if u.ratio(1u8, 8u8)? { text(u) } else { Ok((*u.choose(NAMES)?).to_owned()) }
}

/// A component and what is inside it. It need not be valid.
pub(crate) fn tree(u: &mut Unstructured<'_>, depth: usize) -> Result<Value> {
    let kind = u.choose(COMPONENTS)?;
    let mut node = Map::new();
    node.insert("type".into(), kind.name.into());
    for _ in 0..u.int_in_range(0..=5)? {
        let prop = *u.choose(PROPS)?;
        node.insert(prop.into(), value_of(u, prop)?);
    }
    if depth > 0 && u.ratio(3u8, 4u8)? {
        let count = u.int_in_range(0..=5)?;
        let children = (0..count).map(|_| tree(u, depth - 1)).collect::<Result<Vec<_>>>()?;
        node.insert("children".into(), children.into());
    }
    Ok(Value::Object(node))
}

/// A card, list or group with any components in it.
pub(crate) fn root(u: &mut Unstructured<'_>) -> Result<Value> {
    let kind = *u.choose(&["Card", "ListView", "Basic"])?;
    let count = u.int_in_range(0..=6)?;
    let children = (0..count).map(|_| tree(u, 5)).collect::<Result<Vec<_>>>()?;
    Ok(json!({"type": kind, "children": children}))
}

/// A value as a prop usually has it, or any other.
fn value_of(u: &mut Unstructured<'_>, prop: &str) -> Result<Value> {
    if u.ratio(1u8, 10u8)? {
        return json(u, 2);
    }
    Ok(match prop {
        "options" => (0..u.int_in_range(0..=12)?)
            .map(|_| Ok(json!({"label": text(u)?, "value": text(u)?, "disabled": u.arbitrary::<bool>()?})))
            .collect::<Result<_>>()?,
        "data" => (0..u.int_in_range(0..=6)?)
            .map(|_| Ok(json!({"a": json(u, 0)?, "b": json(u, 0)?, "x": text(u)?})))
            .collect::<Result<_>>()?,
        "series" => (0..u.int_in_range(0..=4)?)
            .map(|_| Ok(json!({"type": *u.choose(&["bar", "line", "area"])?, "dataKey": *u.choose(NAMES)?})))
            .collect::<Result<_>>()?,
        "xAxis" => (*u.choose(NAMES)?).into(),
        "onClickAction" | "onSubmitAction" | "onChangeAction" => {
            json!({"type": text(u)?, "payload": {"url": text(u)?, "a": json(u, 1)?}})
        }
        "confirm" | "cancel" => json!({"label": text(u)?, "action": {"type": text(u)?}}),
        "status" => json!({"text": text(u)?, "icon": "check"}),
        "editable" => json!({"name": *u.choose(NAMES)?, "required": u.arbitrary::<bool>()?}),
        "disabled" | "required" | "asForm" | "submit" | "italic" | "lineThrough" | "header"
        | "defaultChecked" => u.arbitrary::<bool>()?.into(),
        "colSpan" | "rowSpan" | "gap" | "padding" | "width" | "height" | "border" => {
            u.int_in_range(0..=60)?.into()
        }
        "direction" => "row".into(),
        "wrap" => "wrap".into(),
        _ => text(u)?.into(),
    })
}

/// Data for a template: the names it uses, with any values.
pub(crate) fn data(u: &mut Unstructured<'_>) -> Result<Value> {
    let items = (0..u.int_in_range(0..=4)?).map(|_| json(u, 2)).collect::<Result<Vec<_>>>()?;
    let mut data = json!({"items": items});
    for name in ["a", "b"] {
        if u.ratio(7u8, 8u8)? {
            data[name] = json(u, 2)?;
        }
    }
    Ok(data)
}

/// A JSON Schema of an object.
pub(crate) fn schema(u: &mut Unstructured<'_>) -> Result<Value> {
    let mut schema = keywords(u, 4)?;
    schema["type"] = "object".into();
    if u.ratio(1u8, 3u8)? {
        schema["$defs"] = json!({"a": keywords(u, 2)?, "b": keywords(u, 2)?});
    }
    Ok(schema)
}

fn keywords(u: &mut Unstructured<'_>, depth: usize) -> Result<Value> {
    const TYPES: &[&str] = &["object", "array", "string", "number", "integer", "boolean", "null"];
    let mut out = Map::new();
    for _ in 0..u.int_in_range(0..=4)? {
        let inner = |u: &mut Unstructured<'_>| match depth {
            0 => Ok(Value::Bool(u.arbitrary()?)),
            depth => keywords(u, depth - 1),
        };
        let some = |u: &mut Unstructured<'_>| -> Result<Value> {
            (0..u.int_in_range(1..=3)?).map(|_| inner(u)).collect()
        };
        let members = |u: &mut Unstructured<'_>| -> Result<Value> {
            (0..u.int_in_range(0..=4)?)
                .map(|_| Ok((name(u)?, inner(u)?)))
                .collect::<Result<Map<_, _>>>()
                .map(Value::Object)
        };
        let (key, value) = match u.int_in_range(0..=21)? {
            0 => ("type", (*u.choose(TYPES)?).into()),
            1 => ("properties", members(u)?),
            2 => ("required", json!([*u.choose(NAMES)?])),
            3 => ("items", inner(u)?),
            4 => ("enum", (0..u.int_in_range(1..=4)?).map(|_| json(u, 1)).collect::<Result<_>>()?),
            5 => ("const", json(u, 1)?),
            6 => ("minimum", u.arbitrary::<i32>()?.into()),
            7 => ("maximum", Value::from(u.arbitrary::<f32>()?)),
            8 => ("minLength", u.int_in_range(0..=9)?.into()),
            9 => ("maxItems", u.int_in_range(0..=4)?.into()),
            10 => (
                "pattern",
                (*u.choose(&["^a", "a*b", "(a+)+$", "[", "\\d{2}", "^(a*)*\\1b", "."])?).into(),
            ),
            11 => ("format", (*u.choose(&["date", "email", "uri", "regex", "ipv6", "x"])?).into()),
            12 => ("anyOf", some(u)?),
            13 => ("oneOf", some(u)?),
            14 => ("allOf", some(u)?),
            15 => ("not", inner(u)?),
            16 => ("additionalProperties", inner(u)?),
            17 => ("$ref", (*u.choose(&["#/$defs/a", "#/$defs/b", "#", "#/no"])?).into()),
            18 => ("uniqueItems", u.arbitrary::<bool>()?.into()),
            19 => ("patternProperties", members(u)?),
            20 => ("if", inner(u)?),
            _ => ("multipleOf", Value::from(u.arbitrary::<f32>()?)),
        };
        out.insert(key.into(), value);
    }
    Ok(Value::Object(out))
}

/// A tool result, from any server.
pub(crate) fn result(u: &mut Unstructured<'_>) -> Result<Value> {
    const MIMES: &[&str] = &[
        "application/vnd.ui.widget+json",
        "text/html;profile=mcp-app",
        "text/html+skybridge",
        "text/html",
        "text/markdown",
        "text/uri-list",
        "application/vnd.slack.blocks+json",
        "image/png",
        "",
        "application/vnd.slack.work-object+json",
        "application/vnd.mcp-ui.remote-dom+javascript",
    ];
    const URIS: &[&str] =
        &["ui://widgets/a/1", "slack://blocks/a/1", "slack://work-objects/a/1", "x", ""];
    let mut content = Vec::new();
    for _ in 0..u.int_in_range(0..=5)? {
        let payload = match u.int_in_range(0..=3)? {
            0 => json!({"widget": root(u)?, "copy_text": json(u, 0)?}).to_string(),
            1 => json!({"blocks": [json(u, 3)?], "entity": json(u, 3)?}).to_string(),
            2 => json(u, 3)?.to_string(),
            _ => text(u)?,
        };
        let mut resource =
            json!({"uri": *u.choose(URIS)?, "mimeType": *u.choose(MIMES)?, "text": payload});
        if u.ratio(1u8, 4u8)? {
            resource["blob"] = text(u)?.into();
        }
        content.push(match u.int_in_range(0..=4)? {
            0 => json!({"type": "text", "text": payload}),
            1 => json!({"type": "image", "mimeType": "image/png", "data": payload}),
            2 => json!({"type": "resource_link", "uri": payload, "name": json(u, 1)?}),
            3 => json(u, 2)?,
            _ => json!({"type": "resource", "resource": resource}),
        });
    }
    let meta = json!({
        "widgetcast/view": {"tree": root(u)?}, "slack": {"blocks": json(u, 3)?}, "ui": json(u, 2)?,
        "openai/outputTemplate": json(u, 0)?, "widget": json(u, 3)?,
    });
    Ok(
        json!({"content": content, "_meta": meta, "structuredContent": json(u, 3)?, "isError": json(u, 0)?}),
    )
}

/// A message of the protocol as a well-behaved client writes it, but for its parameters.
pub(crate) fn message(u: &mut Unstructured<'_>) -> Result<Value> {
    const METHODS: &[&str] = &[
        "tools/call",
        "tools/call",
        "tools/call",
        "tools/list",
        "resources/read",
        "resources/list",
        "resources/templates/list",
        "prompts/list",
        "prompts/get",
        "completion/complete",
        "server/discover",
        "no/method",
    ];
    const TOOLS: &[&str] = &["greeting", "list", "typed", "widgetcast_state", "none"];
    let method = *u.choose(METHODS)?;
    let mut params = match u.int_in_range(0..=3)? {
        0 => json!({"name": *u.choose(TOOLS)?, "arguments": data(u)?}),
        1 => json!({"name": "greeting", "arguments": {"name": text(u)?}}),
        2 => json!({"uri": text(u)?, "cursor": text(u)?}),
        _ => Value::Object(
            (0..u.int_in_range(0..=4)?)
                .map(|_| {
                    Ok((
                        (*u.choose(&[
                            "name",
                            "arguments",
                            "uri",
                            "cursor",
                            "ref",
                            "argument",
                            "x",
                        ])?)
                        .to_owned(),
                        json(u, 3)?,
                    ))
                })
                .collect::<Result<Map<_, _>>>()?,
        ),
    };
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "fuzz", "version": "1"},
    });
    let id = if u.arbitrary()? { json!(u.arbitrary::<u32>()?) } else { json!(text(u)?) };
    Ok(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
}
