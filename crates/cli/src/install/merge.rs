//! Adds one server to the text of a client's settings file.
//!
//! JSON is serialized again, which would lose comments, so a file with comments is refused. TOML and
//! YAML are edited as text, because users do write comments there; the result is parsed and compared
//! with the intended value before it is written. Rejected: format-preserving editors (`toml_edit` and
//! one for YAML); those are two more dependencies for one entry.

use std::path::Path;

use serde_json::{Map, Value};

use super::clients::Format;

/// The text with the entry added; `None` if it contains the entry already. An error names the reason why the
/// file cannot be changed.
pub(crate) fn merge(
    format: Format,
    text: &str,
    key: &str,
    name: &str,
    entry: &Value,
) -> Result<Option<String>, String> {
    let before = parse(format, text)?;
    let mut after = before.clone();
    let servers = after.entry(key).or_insert_with(|| Value::Object(Map::new()));
    // `extensions:` without contents is null.
    if servers.is_null() {
        *servers = Value::Object(Map::new());
    }
    let Value::Object(servers) = servers else {
        return Err(format!("{key} is not an object"));
    };
    let old = servers.insert(name.into(), entry.clone());
    if let Some(other) = old.as_ref().and_then(folder).filter(|other| Some(*other) != folder(entry))
    {
        return Err(format!(
            "it already has a server {name} for {other}; choose another name with --name, or delete that entry"
        ));
    }
    if after == before {
        return Ok(None);
    }
    let merged = match format {
        Format::Json => return pretty(&after).map(Some),
        Format::Toml => edit_toml(text, key, name, entry),
        Format::Yaml => edit_yaml(text, key, name, entry),
    };
    match parse(format, &merged) {
        Ok(now) if now == after => Ok(Some(merged)),
        _ => Err("its formatting cannot be edited safely".into()),
    }
}

/// The directory that an entry serves: the last argument of its command, if that is a path.
fn folder(entry: &Value) -> Option<&str> {
    let mut lists = entry.as_object()?.values().filter_map(Value::as_array);
    let last = lists.find_map(|list| list.last().filter(|_| list.len() > 1))?.as_str()?;
    Path::new(last).is_absolute().then_some(last)
}

/// A settings file that holds only this entry, for users to copy from.
pub(crate) fn snippet(format: Format, key: &str, name: &str, entry: &Value) -> String {
    match format {
        Format::Toml => toml_table(key, name, entry),
        Format::Yaml => format!("{key}:\n{}", yaml_block("  ", name, entry)),
        Format::Json => {
            let servers = Map::from_iter([(name.to_owned(), entry.clone())]);
            let file = Map::from_iter([(key.to_owned(), Value::Object(servers))]);
            pretty(&file).unwrap_or_default()
        }
    }
}

fn pretty(file: &Map<String, Value>) -> Result<String, String> {
    let text = serde_json::to_string_pretty(file).map_err(|error| error.to_string())?;
    Ok(text + "\n")
}

fn parse(format: Format, text: &str) -> Result<Map<String, Value>, String> {
    let text = text.trim_start_matches('\u{feff}');
    if text.trim().is_empty() {
        return Ok(Map::new());
    }
    let parsed: Result<Value, String> = match format {
        Format::Json => serde_json::from_str(text).map_err(|error| {
            let comment = text.lines().any(|line| line.trim_start().starts_with("//"));
            let why = if comment { "; it has comments, which would be lost" } else { "" };
            format!("it is not valid JSON ({error}){why}")
        }),
        Format::Toml => {
            toml::from_str(text).map_err(|error| format!("it is not valid TOML ({error})"))
        }
        Format::Yaml => serde_saphyr::from_str(text)
            .map_err(|error| format!("it is not valid YAML ({})", error.without_snippet())),
    };
    match parsed? {
        Value::Object(file) => Ok(file),
        // Only comments.
        Value::Null => Ok(Map::new()),
        _ => Err("it is not an object".into()),
    }
}

/// JSON strings and arrays are valid TOML.
fn toml_table(key: &str, name: &str, entry: &Value) -> String {
    let members = entry.as_object().into_iter().flatten();
    let lines: String = members.map(|(name, value)| format!("{name} = {value}\n")).collect();
    format!("[{key}.{name}]\n{lines}")
}

/// Replaces the table of that name: removes it, and appends the new one.
fn edit_toml(text: &str, key: &str, name: &str, entry: &Value) -> String {
    let heads = [format!("[{key}.{name}]"), format!("[{key}.\"{name}\"]")];
    let below = format!("[{key}.{name}.");
    let mut old = false;
    let mut kept = String::new();
    for line in text.split_inclusive('\n') {
        let start = line.trim_start();
        if start.starts_with('[') {
            old = heads.iter().any(|head| start.starts_with(head)) || start.starts_with(&below);
        }
        if !old {
            kept.push_str(line);
        }
    }
    let kept = kept.trim_end();
    let space = if kept.is_empty() { "" } else { "\n\n" };
    format!("{kept}{space}{}", toml_table(key, name, entry))
}

/// JSON values are valid YAML flow values.
fn yaml_block(indent: &str, name: &str, entry: &Value) -> String {
    let members = entry.as_object().into_iter().flatten();
    let lines = members.map(|(name, value)| format!("{indent}  {name}: {value}\n"));
    format!("{indent}{name}:\n{}", lines.collect::<String>())
}

/// Replaces the block of that name: removes it, and inserts the new one first below the key.
fn edit_yaml(text: &str, key: &str, name: &str, entry: &Value) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let head = format!("{key}:");
    let Some(at) = lines.iter().position(|line| line.starts_with(&head)) else {
        let space = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
        return format!("{text}{space}{head}\n{}", yaml_block("  ", name, entry));
    };
    let depth = |line: &str| line.len() - line.trim_start().len();
    let is_content = |line: &&&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    let first = lines[at + 1..].iter().find(is_content).map_or(0, |line| depth(line));
    let depth_of_names = if first == 0 { 2 } else { first };
    let mut out: Vec<String> = lines[..at].iter().map(|line| (*line).to_owned()).collect();
    out.push(head);
    out.push(yaml_block(&" ".repeat(depth_of_names), name, entry).trim_end().to_owned());
    let (mut inside, mut old) = (true, false);
    for line in &lines[at + 1..] {
        if is_content(&line) {
            inside &= depth(line) > 0;
            if depth(line) <= depth_of_names {
                let start = line.trim_start().trim_start_matches(['"', '\'']);
                let rest =
                    start.strip_prefix(name).map(|rest| rest.trim_start_matches(['"', '\'']));
                old = inside && rest.is_some_and(|rest| rest.starts_with(':'));
            }
        }
        if !old {
            out.push((*line).to_owned());
        }
    }
    out.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn merged(format: Format, text: &str, key: &str) -> String {
        let entry = json!({ "command": "/bin/w", "args": ["serve", "C:\\w \"x\""] });
        let once = merge(format, text, key, "w", &entry).unwrap().unwrap();
        assert_eq!(merge(format, &once, key, "w", &entry).unwrap(), None, "{once}");
        let other = json!({ "url": "http://127.0.0.1:8000/mcp" });
        let changed = merge(format, &once, key, "w", &other).unwrap().unwrap();
        assert!(!changed.contains("/bin/w"), "{changed}");
        once
    }

    #[test]
    fn json() {
        assert!(merged(Format::Json, "", "servers").contains("\"w\""));
        let kept = merged(Format::Json, r#"{"z": 1, "servers": {"a": {}}, "b": 2.50}"#, "servers");
        assert!(kept.find("\"z\"") < kept.find("\"servers\""), "{kept}");
        let refused = |text| merge(Format::Json, text, "servers", "w", &json!({})).unwrap_err();
        assert!(refused("// mine\n{}").contains("it has comments, which would be lost"));
        assert!(refused("[]").contains("not an object"));
        assert_eq!(refused(r#"{"servers": []}"#), "servers is not an object");
    }

    #[test]
    fn toml() {
        let text = "# mine\nmodel = \"x\" # this one\n\n[mcp_servers.a]\ncommand = \"a\"\n";
        let once = merged(Format::Toml, text, "mcp_servers");
        assert!(once.starts_with(text), "{once}");
        merged(Format::Toml, "", "mcp_servers");
        let with_env = "[mcp_servers.w]\ncommand = \"x\"\n[mcp_servers.w.env]\nA = \"1\"\n[b]\n";
        assert!(
            merged(Format::Toml, with_env, "mcp_servers").starts_with("[b]\n\n[mcp_servers.w]\n")
        );
        let inline = "mcp_servers = { a = { command = \"a\" } }\n";
        let error = merge(Format::Toml, inline, "mcp_servers", "w", &json!({})).unwrap_err();
        assert_eq!(error, "its formatting cannot be edited safely");
    }

    #[test]
    fn yaml() {
        let text = "# mine\nGOOSE_MODEL: x\nextensions:\n    # tools\n    dev:\n        enabled: true\n\nlast: 1\n";
        let once = merged(Format::Yaml, text, "extensions");
        assert!(once.contains("# mine") && once.contains("# tools") && once.contains("    w:\n"));
        for start in ["", "a: 1\n", "a: 1", "extensions:\n", "extensions: {}\n", "# only\n"] {
            merged(Format::Yaml, start, "extensions");
        }
        let flow = "extensions: {dev: {enabled: true}}\n";
        assert!(merge(Format::Yaml, flow, "extensions", "w", &json!({})).is_err());
    }
}
