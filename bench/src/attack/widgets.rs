//! The widgets that are served: an ordinary one, and those that an attacker would write.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

/// A definition as it is in a file.
pub(super) fn definition(name: &str, children: &str, schema: &Value) -> String {
    let template = format!(r#"{{"type":"Card","children":[{children}]}}"#);
    json!({ "version": "1.0", "name": name, "template": template, "jsonSchema": schema })
        .to_string()
}

const TEXT: &str = r#"{"type":"Text","value":{{ text | tojson }}}"#;
const MARKDOWN: &str = r#"{"type":"Markdown","value":{{ text | tojson }}}"#;
const ROWS: &str = r#"{% for row in rows %}{"type":"Row","children":[{"type":"Text","value":{{ row.name | tojson }}}]}{% if not loop.last %},{% endif %}{% endfor %}"#;

fn object(properties: &Value) -> Value {
    json!({ "type": "object", "properties": properties })
}

/// Writes all of them.
pub(super) fn write(dir: &Path) -> std::io::Result<()> {
    let rows = json!({ "type": "array", "items": { "type": "object", "required": ["name"] } });
    let few = json!({ "type": "array", "maxItems": 50, "items": { "required": ["name"] } });
    let branches: Vec<Value> =
        (0..50).map(|n| json!({ "required": [format!("member{n}")] })).collect();
    let loops = format!("{}{}", "{% for i in list %}".repeat(3), "{% endfor %}".repeat(3));
    let doubling = format!("{{% set s = text %}}{}", "{% set s = s ~ s %}".repeat(40));
    // Not for the fast path.
    let slow_loops = format!(
        "{}{{% set x = (i | string | upper) %}}{}",
        "{% for i in list | reverse %}".repeat(3),
        "{% endfor %}".repeat(3)
    );
    let title = r#"{"type":"Title","value":{{ title | tojson }}},"#;
    let recursive = json!({ "$ref": "#/$defs/node", "$defs": { "node": { "type": "object",
        "properties": { "next": { "$ref": "#/$defs/node" }, "other": { "$ref": "#/$defs/node" } },
        "additionalProperties": false } } });
    for (name, children, schema) in [
        ("Ordinary", format!("{title}{ROWS}"), object(&json!({ "title": {}, "rows": rows }))),
        ("Rows", ROWS.to_owned(), object(&json!({ "rows": rows }))),
        ("Few", ROWS.to_owned(), object(&json!({ "rows": few }))),
        ("Branches", String::new(), object(&json!({ "rows": { "items": { "oneOf": branches } } }))),
        ("Text", TEXT.to_owned(), object(&json!({ "text": { "type": "string" } }))),
        ("Markdown", MARKDOWN.to_owned(), object(&json!({ "text": { "type": "string" } }))),
        ("Loops", loops, object(&json!({ "list": { "type": "array" } }))),
        ("Slow Loops", slow_loops, object(&json!({ "list": { "type": "array" } }))),
        ("Doubling", doubling, object(&json!({ "text": { "type": "string" } }))),
        ("Backreference", TEXT.to_owned(), object(&json!({ "text": { "pattern": "^(a*)*\\1b" } }))),
        ("Pattern", TEXT.to_owned(), object(&json!({ "text": { "pattern": "^(a|a|a)*(?!x)$" } }))),
        ("Unique", String::new(), object(&json!({ "rows": { "uniqueItems": true } }))),
        ("Recursive", String::new(), recursive),
    ] {
        let file = format!("{}.widget", name.to_lowercase().replace(' ', "_"));
        fs::write(dir.join(file), definition(name, &children, &schema))?;
    }
    Ok(())
}
