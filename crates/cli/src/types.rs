//! `widgetcast types`: the tools of a server as TypeScript, so that the compiler checks their calls.
//!
//! The output augments the interface `ToolRegistry` of `@widgetcast/client`, from which `callTool`
//! takes its types. Where a type cannot express a schema, the nearest wider type is written.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};
use widgetcast_core::{STATE_TOOL, printable};

use crate::mcp_client::{Credentials, McpClient};
use crate::outcome::{Failure, Outcome};
use crate::print;

/// The arguments of the command.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// A directory of widgets, or the address of a server that runs; without one, the gallery
    #[arg(value_name = "DIR|URL", value_hint = clap::ValueHint::AnyPath)]
    from: Option<String>,
    #[command(flatten)]
    credentials: Credentials,
    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    out: Option<PathBuf>,
}

/// Deeper schemas become `unknown`.
const MAX_DEPTH: usize = 32;

pub(crate) fn run(args: &Args) -> Result<Outcome, Failure> {
    let mut client = match args.from.as_deref() {
        None => McpClient::in_process(None, "text")?,
        Some(from) if from.contains("://") || from.starts_with(':') => {
            McpClient::connect(from, "text", &args.credentials)?
        }
        Some(dir) => McpClient::in_process(Some(Path::new(dir)), "text")?,
    };
    let mut tools = client.list("tools/list", "tools")?;
    // Views keep their state by it, and no code calls it.
    tools.retain(|tool| tool["name"] != STATE_TOOL);
    let text = declare(&tools);
    match &args.out {
        None => write!(print::stdout(), "{}", printable(&text))?,
        Some(path) => {
            std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))?;
            let s = if tools.len() == 1 { "" } else { "s" };
            tell!("{}: {} tool{s}", path.display(), tools.len());
        }
    }
    Ok(Outcome::Clean)
}

/// The whole file.
fn declare(tools: &[Value]) -> String {
    let mut named = String::new();
    let mut members = String::new();
    for tool in tools {
        let name = tool["name"].as_str().unwrap_or_default();
        let mut type_of = |key: &str, suffix: &str| match tool.get(key) {
            None | Some(Value::Null) => "unknown".to_owned(),
            Some(schema) => {
                let mut writer = Writer::new(schema, pascal(name) + suffix);
                let text = writer.write(schema, 2);
                named.push_str(&writer.declarations());
                text
            }
        };
        let (input, output) = (type_of("inputSchema", "Input"), type_of("outputSchema", "Output"));
        comment(tool["description"].as_str(), 2, &mut members);
        _ = writeln!(members, "    {}: {{ input: {input}; output: {output} }};", key(name));
    }
    format!(
        "// Written by `widgetcast types`; write it again when the tools change.\n\
         import \"@widgetcast/client\";\n\n{named}\
         declare module \"@widgetcast/client\" {{\n  interface ToolRegistry {{\n{members}  }}\n}}\n"
    )
}

/// Writes the types of one schema.
struct Writer<'s> {
    root: &'s Value,
    /// Prefix of the names of types that a `$ref` refers to.
    prefix: String,
    wanted: BTreeSet<String>,
}

impl<'s> Writer<'s> {
    fn new(root: &'s Value, prefix: String) -> Self {
        Self { root, prefix, wanted: BTreeSet::new() }
    }

    /// Declarations of all types that were referred to, directly or through one another.
    fn declarations(&mut self) -> String {
        let (mut out, mut done) = (String::new(), BTreeSet::new());
        while let Some(pointer) = self.wanted.difference(&done).next().cloned() {
            let schema = self.root.pointer(&pointer).unwrap_or(&Value::Null);
            let text = self.write(schema, 0);
            _ = writeln!(out, "type {} = {text};\n", self.name(&pointer));
            done.insert(pointer);
        }
        out
    }

    fn name(&self, pointer: &str) -> String {
        format!("{}{}", self.prefix, pascal(pointer.rsplit('/').next().unwrap_or_default()))
    }

    /// The type of a schema; `level` is how far its members are indented.
    fn write(&mut self, schema: &Value, level: usize) -> String {
        let Value::Object(members) = schema else {
            return if *schema == Value::Bool(false) { "never" } else { "unknown" }.to_owned();
        };
        if level > MAX_DEPTH {
            return "unknown".to_owned();
        }
        if let Some(reference) = members.get("$ref").and_then(Value::as_str) {
            return self.reference(reference);
        }
        if let Some(value) = members.get("const") {
            return literal(value);
        }
        if let Some(Value::Array(values)) = members.get("enum") {
            return union(values.iter().map(literal));
        }
        for key in ["oneOf", "anyOf"] {
            if let Some(Value::Array(choices)) = members.get(key) {
                let choices: Vec<String> =
                    choices.iter().map(|choice| self.write(choice, level)).collect();
                return union(choices);
            }
        }
        if let Some(Value::Array(parts)) = members.get("allOf") {
            let mut all: Vec<String> = parts.iter().map(|part| self.write(part, level)).collect();
            if members.contains_key("properties") {
                all.push(self.object(members, level));
            }
            all.retain(|part| part != "unknown");
            let all: Vec<String> = all.into_iter().map(grouped).collect();
            return if all.is_empty() { "unknown".to_owned() } else { all.join(" & ") };
        }
        match members.get("type") {
            Some(Value::String(kind)) => self.kind(kind, members, level),
            Some(Value::Array(kinds)) => {
                let kinds: Vec<String> = kinds
                    .iter()
                    .filter_map(Value::as_str)
                    .map(|kind| self.kind(kind, members, level))
                    .collect();
                union(kinds)
            }
            _ if members.contains_key("properties") => self.object(members, level),
            _ if members.contains_key("items") => self.list(members, level),
            _ => "unknown".to_owned(),
        }
    }

    fn reference(&mut self, reference: &str) -> String {
        // Only what the schema itself holds: nothing is fetched.
        let pointer = reference.strip_prefix('#').filter(|at| at.starts_with('/'));
        match pointer.filter(|pointer| self.root.pointer(pointer).is_some()) {
            Some(pointer) => {
                self.wanted.insert(pointer.to_owned());
                self.name(pointer)
            }
            None => "unknown".to_owned(),
        }
    }

    fn kind(&mut self, kind: &str, members: &Map<String, Value>, level: usize) -> String {
        match kind {
            "string" => "string".to_owned(),
            "number" | "integer" => "number".to_owned(),
            "boolean" => "boolean".to_owned(),
            "null" => "null".to_owned(),
            "array" => self.list(members, level),
            "object" => self.object(members, level),
            _ => "unknown".to_owned(),
        }
    }

    fn list(&mut self, members: &Map<String, Value>, level: usize) -> String {
        if let Some(Value::Array(first)) = members.get("prefixItems") {
            let first: Vec<String> = first.iter().map(|item| self.write(item, level)).collect();
            let rest = match members.get("items") {
                Some(Value::Bool(false)) => String::new(),
                Some(items) => format!(", ...{}[]", grouped(self.write(items, level))),
                None => ", ...unknown[]".to_owned(),
            };
            return format!("[{}{rest}]", first.join(", "));
        }
        let items = members.get("items").map_or("unknown".to_owned(), |of| self.write(of, level));
        format!("{}[]", grouped(items))
    }

    fn object(&mut self, members: &Map<String, Value>, level: usize) -> String {
        let required: BTreeSet<&str> = match members.get("required") {
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
            _ => BTreeSet::new(),
        };
        let open = match members.get("additionalProperties") {
            Some(Value::Bool(false)) => None,
            Some(schema @ Value::Object(_)) => Some(self.write(schema, level + 1)),
            _ => Some("unknown".to_owned()),
        };
        let properties = match members.get("properties") {
            Some(Value::Object(properties)) if !properties.is_empty() => properties,
            _ => {
                return match open {
                    Some(of) => format!("Record<string, {of}>"),
                    None => "Record<string, never>".to_owned(),
                };
            }
        };
        let pad = "  ".repeat(level + 1);
        let mut out = String::from("{\n");
        for (name, schema) in properties {
            comment(schema.get("description").and_then(Value::as_str), level + 1, &mut out);
            let optional = if required.contains(name.as_str()) { "" } else { "?" };
            let text = self.write(schema, level + 1);
            _ = writeln!(out, "{pad}{}{optional}: {text};", key(name));
        }
        // No index signature: it would have to allow every member's type, and so check none.
        _ = write!(out, "{}}}", "  ".repeat(level));
        out
    }
}

fn union(choices: impl IntoIterator<Item = String>) -> String {
    let mut seen = BTreeSet::new();
    let choices: Vec<String> =
        choices.into_iter().filter(|choice| seen.insert(choice.clone())).collect();
    match choices.as_slice() {
        [] => "never".to_owned(),
        many if many.iter().any(|choice| choice == "unknown") => "unknown".to_owned(),
        many => many.join(" | "),
    }
}

/// In parentheses, where precedence needs them.
fn grouped(text: String) -> String {
    if text.contains(" | ") || text.contains(" & ") { format!("({text})") } else { text }
}

fn literal(value: &Value) -> String {
    match value {
        Value::Object(_) | Value::Array(_) => "unknown".to_owned(),
        // JSON's strings are TypeScript's.
        value => value.to_string(),
    }
}

/// A member's name, quoted if it must be.
fn key(name: &str) -> String {
    let mut letters = name.chars();
    let is_start = |c: char| c.is_ascii_alphabetic() || c == '_' || c == '$';
    let plain =
        letters.next().is_some_and(is_start) && letters.all(|c| is_start(c) || c.is_ascii_digit());
    if plain { name.to_owned() } else { Value::from(name).to_string() }
}

/// `flight_tracker` as `FlightTracker`.
fn pascal(name: &str) -> String {
    let mut out = String::new();
    for word in name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()) {
        let (first, rest) = word.split_at(1);
        out.push_str(&first.to_ascii_uppercase());
        out.push_str(rest);
    }
    match out.starts_with(|c: char| c.is_ascii_digit()) || out.is_empty() {
        true => format!("T{out}"),
        false => out,
    }
}

fn comment(text: Option<&str>, level: usize, out: &mut String) {
    if let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) {
        let text = text.replace("*/", "*\u{200b}/");
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        _ = writeln!(out, "{}/** {text} */", "  ".repeat(level));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(schema: &Value) -> String {
        let mut writer = Writer::new(schema, "T".into());
        let text = writer.write(schema, 0);
        format!("{}{text}", writer.declarations()).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn schemas_as_types() {
        for (schema, text) in [
            (json!({"type": "string"}), "string"),
            (json!({"type": ["integer", "null"]}), "number | null"),
            (json!({"enum": ["a\"", 1, null]}), "\"a\\\"\" | 1 | null"),
            (json!({"type": "array", "items": {"enum": [1, 2]}}), "(1 | 2)[]"),
            (
                json!({"type": "array", "prefixItems": [{"type": "string"}], "items": false}),
                "[string]",
            ),
            (json!({"type": "object"}), "Record<string, unknown>"),
            (
                json!({"type": "object", "additionalProperties": {"type": "number"}}),
                "Record<string, number>",
            ),
            (
                json!({"type": "object", "required": ["a"], "properties": {
                    "a": {"type": "string", "description": "the */ end"}, "b-c": {"type": "boolean"}}}),
                "{ /** the *\u{200b}/ end */ a: string; \"b-c\"?: boolean; }",
            ),
            (json!({"anyOf": [{"type": "string"}, {"type": "string"}]}), "string"),
            (
                json!({"allOf": [{"$ref": "#/$defs/a"}], "$defs": {"a": {"type": "object", "properties": {
                "next": {"$ref": "#/$defs/a"}}}}}),
                "type TA = { next?: TA; }; TA",
            ),
            (json!({"$ref": "https://elsewhere.example"}), "unknown"),
            (json!(false), "never"),
        ] {
            assert_eq!(of(&schema), text);
        }
    }

    /// `@widgetcast/vite` writes the same text from the same list; `WIDGETCAST_BLESS=1` rewrites it.
    #[test]
    fn the_shared_list() {
        let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/types");
        let tools = std::fs::read_to_string(dir.join("tools.json")).expect("the list");
        let text = declare(&serde_json::from_str::<Vec<Value>>(&tools).expect("a list"));
        if std::env::var_os("WIDGETCAST_BLESS").is_some() {
            std::fs::write(dir.join("tools.d.ts"), &text).expect("to write");
        }
        assert_eq!(std::fs::read_to_string(dir.join("tools.d.ts")).expect("the types"), text);
    }

    #[test]
    fn names() {
        assert_eq!(pascal("flight_tracker"), "FlightTracker");
        assert_eq!(pascal("2fa"), "T2fa");
        assert_eq!(key("a1"), "a1");
        assert_eq!(key("1a"), "\"1a\"");
    }
}
